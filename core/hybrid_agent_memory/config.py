"""The numbers a memory runs on. The defaults are meant to stay."""

from dataclasses import dataclass

from hybrid_agent_memory.authority import AUTHORITY_WEIGHT, check_authority_weight
from hybrid_agent_memory.decay import DECAY_FLOOR, TIME_DECAY, check_decay
from hybrid_agent_memory.errors import InvalidInputError, shown

LEAST = {
    "rrf_k": 1,
    "candidates": 1,
    "rerank_candidates": 1,
    "batch_size": 1,
    "int8_above": 0,
    "hnsw_above": 0,
    "loaded_namespaces": 1,
    "chunk_chars": 100,
    "episode_batch": 1,
}
DEEPEST = 3
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
    time_decay, decay_floor : float
        Share of a hit's decaying part lost per thirty days, and what age leaves at least; 0..1. See `decay`.
    authority_weight : float
        How much more a hit counts for a much mentioned entity; at least 0, where 0 turns it off. See `authority`.
    max_depth : int
        Hops of the graph leg, 1 to 3; a third goes along relations only.
    chunk_chars : int
        Length past which an episode is cut into several chunks.
    episode_batch : int
        Episodes per transaction in `add_episodes`, at most.

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
    time_decay: float = TIME_DECAY
    decay_floor: float = DECAY_FLOOR
    authority_weight: float = AUTHORITY_WEIGHT
    max_depth: int = 2
    chunk_chars: int = 2_000
    episode_batch: int = 256

    def __post_init__(self) -> None:
        for name, least in LEAST.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise InvalidInputError(f"{name} {shown(value)} must be a whole number of at least {least}")
        for name, (low, high) in RANGES.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
                raise InvalidInputError(f"{name} {shown(value)} must be a number from {low:g} to {high:g}")
        check_decay(self.time_decay, self.decay_floor)
        check_authority_weight(self.authority_weight)
        check_depth(self.max_depth)


def check_depth(depth: object) -> None:
    """Refuse a number of hops that is not from 1 to 3.

    Raises
    ------
    InvalidInputError
        If it is not.
    """
    if isinstance(depth, bool) or not isinstance(depth, int) or not 1 <= depth <= DEEPEST:
        raise InvalidInputError(
            f"max_depth {shown(depth)} must be a whole number from 1 to {DEEPEST}: past that everything is connected"
        )
