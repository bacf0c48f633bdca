"""The seam to where records live: what the pipeline above asks of an engine, whichever it is."""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from hybrid_agent_memory.embedding import Identity
from hybrid_agent_memory.extract import Extraction, Mention, Triple
from hybrid_agent_memory.filters import Filter
from hybrid_agent_memory.fusion import Signals
from hybrid_agent_memory.graph.names import Name
from hybrid_agent_memory.graph.resolution import Constraint
from hybrid_agent_memory.protocols import Tokenizer
from hybrid_agent_memory.ranking import Handles, Ranking
from hybrid_agent_memory.records import Entity, Fact, Path, Record, Stats

Vector = NDArray[np.float32]
RecordKind = Literal["chunk", "fact"]


@dataclass(frozen=True, slots=True)
class FactDraft:
    """A fact ready to be stored: what it says, and its record, terms and vector as a `Draft` has them."""

    triple: Triple
    record: Record
    tokens: list[str]
    vector: Vector | None


@dataclass(frozen=True, slots=True)
class Extracted:
    """What an extractor found in a chunk, ready to be stored with it."""

    extractor: str
    mentions: Sequence[Mention] = ()
    facts: Sequence[FactDraft] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """A chunk ready to be stored, with its index terms and, in a memory with vectors, its unit vector.

    Attributes
    ----------
    extracted : Extracted or None
        Its entities and facts, when they have been looked for.
    pending : bool
        Whether they are to be looked for later.
    """

    record: Record
    tokens: list[str]
    vector: Vector | None
    extracted: Extracted | None = None
    pending: bool = False


@dataclass(frozen=True, slots=True)
class Stored:
    """A stored record and its vector, for those who must not embed it again, and what extracted its entities.

    `pending` says whether they are still to be extracted.
    """

    record: Record
    vector: Vector | None
    extractor: str | None = None
    pending: bool = False


@dataclass(frozen=True, slots=True)
class ChunkReport:
    """What storing one extracted chunk did to the graph; see `EpisodeReceipt`."""

    entities: tuple[str, ...] = ()
    created: tuple[str, ...] = ()
    merged: tuple[tuple[str, ...], ...] = ()
    facts: tuple[Fact, ...] = ()
    superseded: tuple[Fact, ...] = ()
    reopened: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Removed:
    """What a deletion removed: ids of chunks and of facts, sorted, and the facts that hold again."""

    ids: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    reopened: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Moment:
    """The time a question is asked at, and as of when the world, and this memory, are to be seen."""

    now: datetime
    as_of: datetime | None = None
    known_at: datetime | None = None

    @property
    def is_now(self) -> bool:
        """Whether all that is known and has happened is seen."""
        return self.as_of is None and self.known_at is None

    @property
    def seen_at(self) -> datetime:
        """The time at which facts must hold."""
        return self.now if self.as_of is None else self.as_of


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
    kind : {"chunk", "fact"}
        Which records are looked for.
    moment : Moment
        Facts that no longer hold then are not found.
    text : str
        The query, in which the graph leg looks for entities.
    depth : int
        How many hops the graph leg goes.
    asked : frozenset of str
        The predicates that the query asks for.
    """

    identity: Identity
    tokens: list[str]
    identifiers: tuple[str, ...]
    vector: Vector | None
    filter: Filter | None
    legs: tuple[str, ...]
    limit: int
    moment: Moment
    outside: Mapping[str, Sequence[tuple[str, float]]] = field(default_factory=dict)
    kind: RecordKind = "chunk"
    text: str = ""
    depth: int = 2
    asked: frozenset[str] = frozenset()


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
    path: Path | None = None
    facts: tuple[Fact, ...] = ()
    superseded_by: str | None = None
    same_as: str | None = None


@dataclass(frozen=True, slots=True)
class EngineAnswer:
    """The rankings of all legs, equal scores by id, what says which to trust, and the way from handles to records.

    `fetch` gives one entry per handle, None for a record that was deleted or replaced since.
    """

    rankings: dict[str, Ranking]
    signals: Signals
    candidates: "Candidates"
    ids_of: Callable[[Handles], list[str]]
    fetch: Callable[[Handles], list[Found | None]]


@dataclass(frozen=True, slots=True)
class Candidates:
    """What the score of each candidate also depends on, besides what the legs say.

    Attributes
    ----------
    handles : array
        Of every candidate of any leg, and of what is so in the place of one, ascending; the other arrays are aligned
        with it.
    times : array of int64
        The time of each in epoch microseconds, `decay.MISSING` for what does not age.
    mentions : array of int64 or None
        How often the most mentioned entity of each is mentioned; None in a namespace without entities.
    events : array of bool
        Of facts, which are events; of chunks, none.
    asked : array of bool
        Of facts, which have a predicate that the query asks for, if it names no entity; of chunks, none.
    holding : array of bool
        Of chunks, which state a relation that holds at the time asked for; of facts, none: they do not age.
    successors : mapping
        By handle of a superseded candidate, the handle of what is so in its place.
    spent : frozenset of int
        Handles of superseded candidates that say nothing else that still holds.
    until_then : mapping
        By handle of a candidate whose value is yet to come, the handle of the value that holds until then.
    """

    handles: Handles
    times: NDArray[np.int64]
    mentions: NDArray[np.int64] | None
    events: NDArray[np.bool_]
    asked: NDArray[np.bool_]
    holding: NDArray[np.bool_]
    successors: dict[int, int]
    spent: frozenset[int]
    until_then: dict[int, int]


class Engine(Protocol):
    """Where records live and are found. All methods may be called from any thread."""

    def identity(self) -> Identity | None:
        """What the stored indexes were built with; None while there is no record at all."""
        ...

    def write(self, namespace: str, drafts: Sequence[Draft], identity: Identity) -> list[ChunkReport]:
        """Store drafts in one transaction, replacing chunks and episodes of the same ids; all or none.

        A report per draft, empty for those that were not extracted.

        Raises MismatchError when records exist that were built with another identity.
        """
        ...

    def stated(self, namespace: str, ids: Iterable[str], now: datetime) -> dict[str, ChunkReport]:
        """The entities and facts of chunks that are stored, by id; those that were not extracted are left out."""
        ...

    def attach(self, namespace: str, extracted: Mapping[int, Extracted], identity: Identity) -> int:
        """Store what was extracted from chunks that `waiting` gave, by key, in one transaction; says of how many.

        Those that are gone, were replaced or no longer wait are left alone.
        """
        ...

    def waiting(self, namespace: str, limit: int | None) -> dict[int, Record]:
        """Chunks that wait for extraction, oldest write first, by a key that one replaced has no more."""
        ...

    def extractions(self, namespace: str, ids: Iterable[str]) -> dict[str, Extraction]:
        """What chunks say, as it is stored, by id; those that were not extracted are left out."""
        ...

    def previous_turns(self, namespace: str, chunk: Record, limit: int, without: Collection[str] = ()) -> list[Record]:
        """The last chunks of a chunk's session before it, oldest first, `without` those of these ids or episodes.

        In the order of their time, where that is equal of their writing; the time of a timeless one is when it was
        written, and a chunk that is not stored comes after all of its time.
        """
        ...

    def constrain(
        self, namespace: str, constraints: Sequence[Constraint], now: datetime, sources: Iterable[Record] = ()
    ) -> bool:
        """Store that pairs of names are, or are not, one entity; when a source chunk goes, that goes too.

        False, and nothing is stored, when one is gone or was replaced already.
        """
        ...

    def mentioning(self, namespace: str, name: Name, limit: int) -> list[Record]:
        """Chunks that mention the entity of a name, the last written first."""
        ...

    def constraints(self, namespace: str) -> list[Constraint]:
        """What `constrain` was told, oldest first."""
        ...

    def merge_log(self, namespace: str) -> list[tuple[Constraint, datetime, bool]]:
        """The same, each with when it was told that, and whether it goes with its sources."""
        ...

    def resolved(self, namespace: str, constraints: Sequence[Constraint]) -> dict[Name, Name]:
        """By name the name that would stand for its entity if these were all constraints."""
        ...

    def names(self, namespace: str) -> dict[Name, tuple[int, Name, str]]:
        """By name as compared: in how many chunks it is, the name that stands for its entity, and how it is written."""
        ...

    def entities(self, namespace: str) -> list[Entity]:
        """All entities, the most mentioned first."""
        ...

    def graph_version(self, namespace: str) -> Hashable:
        """Equal as long as the namespace's entities and facts are the same."""
        ...

    def facts(
        self,
        namespace: str,
        moment: Moment,
        subject: str | None = None,
        predicates: Collection[str] | None = None,
        inverse: Collection[str] = (),
    ) -> list[Fact]:
        """Facts whose subject goes by that name, oldest first, past ones too; all without a name.

        With predicates only those of one of them, and those of an `inverse` one whose object goes by that name.
        """
        ...

    def drawn(self, namespace: str, moment: Moment) -> tuple[dict[int, Entity], list[tuple[int, int, Fact]]]:
        """By number all entities, the most mentioned first, and the facts that have not ended, each with its ends.

        A number of an end that is none of an entity is a value's.
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

    def delete(self, namespace: str, ids: Sequence[str] | None, condition: Filter | None, now: datetime) -> Removed:
        """Remove chunks by their id, their episode's id, or by filter, and the facts that only they state.

        What holds again is told as of `now`.
        """
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
