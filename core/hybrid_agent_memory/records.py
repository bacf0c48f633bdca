"""The frozen values people give and get: chunks in, records and hits out. No behaviour."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import overload

from hybrid_agent_memory.times import Timeish

JSON = str | int | float | bool | None | list["JSON"] | dict[str, "JSON"]
Metadata = dict[str, JSON]


@dataclass(frozen=True, slots=True)
class Chunk:
    """One thing to remember.

    Parameters
    ----------
    text : str
        What is indexed and shown; must hold at least one visible character.
    id : str, optional
        The caller's id, kept as it is; adding it again replaces. Without one a new UUID is made.
    time : datetime, str, int or float, optional
        When it happened: datetime, ISO 8601 string or epoch seconds. None means timeless.
    source, session, speaker : str, optional
        Where it came from, which conversation, who said it.
    metadata : mapping
        JSON values under string keys, for filters.
    vector : sequence of float, optional
        A ready-made vector, of the memory's dimension; then the embedder is not called for this chunk.
    """

    text: str
    id: str | None = None
    time: Timeish | None = None
    source: str | None = None
    session: str | None = None
    speaker: str | None = None
    metadata: Mapping[str, JSON] = field(default_factory=dict)
    vector: Sequence[float] | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A stored chunk, as `get` returns it: a copy, `metadata` included."""

    id: str
    text: str
    time: datetime | None
    source: str | None
    session: str | None
    speaker: str | None
    episode_id: str
    metadata: Metadata
    created_at: datetime


@dataclass(frozen=True, slots=True)
class LegWhy:
    """What one leg said of a hit: its rank (from 1), its raw score, and its share of the hit's score."""

    rank: int
    raw_score: float
    contribution: float


@dataclass(frozen=True, slots=True)
class Why:
    """Why a hit is where it is.

    Attributes
    ----------
    legs : dict
        Per leg that found the hit, its rank, raw score and contribution.
    trust : dict
        Per active leg, the share of the fused score it was given; sums to 1.
    reason : str
        One sentence on how that trust was chosen.
    rerank_score : float or None
        What the cross-encoder gave, when one ran; higher is better.
    """

    legs: dict[str, LegWhy]
    trust: dict[str, float]
    reason: str
    rerank_score: float | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """One search result.

    Attributes
    ----------
    score : float
        Orders the hits of one query; higher is better, 1.0 = first in all active legs.
    rrf_score : float
        The (weighted) reciprocal rank fusion score, `sum of w / (k + rank)`.
    confidence : float
        Absolute evidence in 0..1, comparable across queries.
    """

    id: str
    kind: str
    text: str
    score: float
    rrf_score: float
    confidence: float
    source: str | None
    time: datetime | None
    session: str | None
    speaker: str | None
    episode_id: str
    metadata: Metadata
    why: Why


@dataclass(frozen=True, slots=True)
class Response(Sequence[Hit]):
    """The hits of one search, best first; a sequence.

    Attributes
    ----------
    hits : tuple of Hit
    legs : tuple of str
        The legs that answered.
    failures : dict
        Legs (or ``"reranker"``) that failed and were left out, with the error's text; empty when all is well.
    fusion : str
        ``"rrf"`` or ``"auto"``.
    """

    hits: tuple[Hit, ...]
    legs: tuple[str, ...]
    failures: dict[str, str]
    fusion: str

    def __len__(self) -> int:
        return len(self.hits)

    @overload
    def __getitem__(self, index: int) -> Hit: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Hit, ...]: ...
    def __getitem__(self, index: int | slice) -> Hit | tuple[Hit, ...]:
        return self.hits[index]

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What `delete` removed: the ids, in id order."""

    ids: tuple[str, ...]

    @property
    def deleted(self) -> int:
        """How many records were removed."""
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class Stats:
    """What a namespace holds and how it is indexed.

    `dimension`, `embedder` are None in a memory without vectors; `file_bytes` is 0 in memory.
    """

    namespace: str
    records: int
    terms: int
    dead_rows: int
    dimension: int | None
    embedder: str | None
    tokenizer: str
    dense_index: str
    path: str | None
    file_bytes: int
