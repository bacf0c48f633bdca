"""The numbers a memory runs on. The defaults are meant to stay."""

from dataclasses import dataclass

from hybrid_agent_memory.errors import InvalidInputError, shown

LEAST = {
    "rrf_k": 1,
    "candidates": 1,
    "rerank_candidates": 1,
    "batch_size": 1,
    "int8_above": 0,
    "hnsw_above": 0,
    "loaded_namespaces": 1,
}
RANGES = {"k1": (0.0, 1000.0), "b": (0.0, 1.0), "dead_share": (0.01, 0.99)}


@dataclass(frozen=True, slots=True)
class Config:
    """Settings of a memory; none of them is stored in the file.

    Parameters
    ----------
    k1, b : float
        BM25's saturation and length normalisation (Robertson and Zaragoza, 2009).
    rrf_k : int
        Constant of reciprocal rank fusion (Cormack et al., 2009).
    candidates : int
        Candidates per leg.
    rerank_candidates : int
        How many hits a cross-encoder sees.
    batch_size : int
        Texts per call of the embedder, and items per transaction when an iterator is added.
    int8_above, hnsw_above : int
        Rows past which the dense leg finds candidates in eight bits, and with HNSW.
    dead_share : float
        Share of dead rows past which a namespace's indexes are rebuilt.
    loaded_namespaces : int
        Namespaces whose indexes are kept in memory.

    Raises
    ------
    InvalidInputError
        If a value is out of range.

    Examples
    --------
    >>> Config(candidates=0)
    Traceback (most recent call last):
    hybrid_agent_memory.errors.InvalidInputError: candidates 0 must be a whole number of at least 1
    """

    k1: float = 1.5
    b: float = 0.75
    rrf_k: int = 60
    candidates: int = 200
    rerank_candidates: int = 50
    batch_size: int = 64
    int8_above: int = 5_000
    hnsw_above: int = 400_000
    dead_share: float = 0.3
    loaded_namespaces: int = 64

    def __post_init__(self) -> None:
        for name, least in LEAST.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise InvalidInputError(f"{name} {shown(value)} must be a whole number of at least {least}")
        for name, (low, high) in RANGES.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
                raise InvalidInputError(f"{name} {shown(value)} must be a number from {low:g} to {high:g}")
