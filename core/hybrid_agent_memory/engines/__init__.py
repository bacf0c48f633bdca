"""The seam to where records live: what the pipeline above asks of an engine, whichever it is."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hybrid_agent_memory.embedding import Identity
from hybrid_agent_memory.filters import Filter
from hybrid_agent_memory.fusion import Signals
from hybrid_agent_memory.protocols import Tokenizer
from hybrid_agent_memory.ranking import Handles, Ranking
from hybrid_agent_memory.records import Record, Stats

Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Draft:
    """A record ready to be stored, with its index terms and, in a memory with vectors, its unit vector."""

    record: Record
    tokens: list[str]
    vector: Vector | None


@dataclass(frozen=True, slots=True)
class Stored:
    """A stored record and its vector, for those who must not embed it again."""

    record: Record
    vector: Vector | None


@dataclass(frozen=True, slots=True)
class EngineQuery:
    """One question to an engine.

    Attributes
    ----------
    legs : tuple of str
        Which of the engine's own legs to run.
    identity : Identity
        What the tokens and the vector were made for.
    identifiers : tuple of str
        Identifiers in the query.
    tokens, vector
        What the sparse and the dense leg look for; a vector of None leaves the dense leg out.
    limit : int
        Candidates per leg.
    outside : mapping
        Rankings that legs outside the engine made; it drops from them what the filter does not let through.
    """

    identity: Identity
    tokens: list[str]
    identifiers: tuple[str, ...]
    vector: Vector | None
    filter: Filter | None
    legs: tuple[str, ...]
    limit: int
    outside: Mapping[str, Sequence[tuple[str, float]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Evidence:
    """How well one record answers, apart from its rank.

    Attributes
    ----------
    coverage : float
        Share of the query's idf that the record's terms cover, 0..1.
    cosine : float or None
        Cosine to the query; None without a dense leg.
    typical : tuple of float or None
        Mean and standard deviation of the cosines between records of a fixed sample; None below two vectors.
    """

    coverage: float
    cosine: float | None
    typical: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Found:
    """A candidate fetched for the response."""

    record: Record
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class EngineAnswer:
    """The rankings of all legs, equal scores by id, what says which to trust, and the way from handles to records.

    `fetch` gives one entry per handle, None for a record that was deleted or replaced since.
    """

    rankings: dict[str, Ranking]
    signals: Signals
    ids_of: Callable[[Handles], list[str]]
    fetch: Callable[[Handles], list[Found | None]]


class Engine(Protocol):
    """Where records live and are found. All methods may be called from any thread."""

    def identity(self) -> Identity | None:
        """What the stored indexes were built with; None while there is no record at all."""
        ...

    def write(self, namespace: str, drafts: Sequence[Draft], identity: Identity) -> None:
        """Store drafts in one transaction, replacing records of the same id; all or none.

        Raises MismatchError when records exist that were built with another identity.
        """
        ...

    def rebuild(
        self, before: Identity | None, identity: Identity, vectors: Mapping[int, Vector] | None
    ) -> list[tuple[int, str]]:
        """Put a new identity and a vector per record key in place, in one transaction; every reader starts anew.

        Vectors of None keep those there are, and an identity without an embedder drops them. Returns the (key, text)
        that still lack a vector, and then nothing is changed; empty means done.

        Raises MismatchError when the identity is no longer the one `before`.
        """
        ...

    def use_tokenizer(self, tokenizer: Tokenizer) -> None:
        """Cut texts with another tokenizer from now on."""
        ...

    def search(self, namespace: str, query: EngineQuery) -> EngineAnswer:
        """Rank what passes the filter, per leg.

        Raises MismatchError when the memory was rebuilt with another identity meanwhile.
        """
        ...

    def get(self, namespace: str, ids: Iterable[str]) -> dict[str, Stored]:
        """The records of those ids that exist."""
        ...

    def count(self, namespace: str, condition: Filter | None) -> int:
        """How many records pass."""
        ...

    def delete(self, namespace: str, ids: Sequence[str] | None, condition: Filter | None) -> list[str]:
        """Remove records by id or by filter; gives the ids that were there, sorted."""
        ...

    def records(self, namespace: str, condition: Filter | None) -> Iterator[Stored]:
        """Every record that passes, oldest write first."""
        ...

    def namespaces(self) -> list[str]:
        """The names that hold records, sorted."""
        ...

    def stats(self, namespace: str) -> Stats:
        """What a namespace holds."""
        ...

    def close(self) -> None:
        """Let go of everything; a second call does nothing."""
        ...
