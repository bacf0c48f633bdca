"""The frozen values people give and get: chunks in, records and hits out. No behaviour."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, overload

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


FactStatus = Literal["current", "upcoming", "past"]


@dataclass(frozen=True, slots=True)
class Entity:
    """A person, organisation, product, project, place, identifier… of one namespace.

    Attributes
    ----------
    name : str
        How it is written most often, a full name before a short one.
    type : str
    aliases : tuple of str
        Every other way it is written, sorted.
    mentions : int
        How many chunks mention it.
    """

    name: str
    type: str
    aliases: tuple[str, ...]
    mentions: int


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Two names of different entities that may be one, as `merge_entities` and `unmerge` take them.

    Attributes
    ----------
    a, b : str
        As texts mostly write them; a name that several entities have with its type behind, as in ``"Jordan (person)"``.
    score : float
        0 to 1, higher is likelier; a rule of thumb, no probability.
    reason : str
    """

    a: str
    b: str
    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class Judged:
    """What a judge said of two names.

    Attributes
    ----------
    a, b : str
        As in the `Suggestion`.
    same : bool or None
        True, they were merged; False, they are kept apart; None, the judge does not know, or a text that it was shown
        was deleted or replaced while it judged: then nothing was stored.
    """

    a: str
    b: str
    same: bool | None


@dataclass(frozen=True, slots=True)
class MergeDecision:
    """What somebody decided about two names.

    Attributes
    ----------
    op : {"merge", "unmerge"}
        ``unmerge`` took back a merge of the two, or keeps them apart.
    a, b : str
        As texts mostly write them; a name that several entities have with its type behind.
    time : datetime
        When it was decided.
    judged : bool
        Whether a judge did, from texts with which the decision goes.
    """

    op: Literal["merge", "unmerge"]
    a: str
    b: str
    time: datetime
    judged: bool


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that is, was or will be so: subject —predicate→ object.

    Attributes
    ----------
    id : str
        Of the first chunk's statement of it.
    subject, object : str
        Names of entities, or a value as written.
    kind : {"event", "relation"}
        ``event``: tied to a moment, decays; ``relation``: lasting, never decays.
    text : str
        The sentence that says so.
    valid_at, invalid_at : datetime or None
        From when and until when it holds in the world; `invalid_at` is derived from what came after it.
    created_at, expired_at : datetime or None
        When this memory learned of it, and when of its end.
    chunk_ids : tuple of str
        The chunks that say so.
    superseded_by : str or None
        The id of the fact that took its place.
    status : {"current", "upcoming", "past"}
        Whether it holds at the time that was asked for.
    """

    id: str
    subject: str
    predicate: str
    object: str
    kind: str
    text: str
    valid_at: datetime | None
    invalid_at: datetime | None
    created_at: datetime
    expired_at: datetime | None
    chunk_ids: tuple[str, ...]
    superseded_by: str | None
    status: FactStatus


@dataclass(frozen=True, slots=True)
class PathStep:
    """One edge of a path: a fact, or a mention when `predicate` is ``"mentioned in"``.

    Attributes
    ----------
    subject, predicate, object : str
        As the fact has them.
    forward : bool
        Whether the path goes from the subject to the object.
    time : datetime or None
        When the fact began to hold, or the chunk happened.
    chunk_id : str
        The chunk that says so.
    """

    subject: str
    predicate: str
    object: str
    forward: bool
    time: datetime | None
    chunk_id: str


@dataclass(frozen=True, slots=True)
class Path:
    """How the graph leg came to a hit, edge by edge; prints as one line.

    Examples
    --------
    >>> str(Path((PathStep("Smart shelf", "owner", "Zhang", True, None, "c1"),)))
    'Smart shelf —owner→ Zhang'
    """

    steps: tuple[PathStep, ...]

    def __str__(self) -> str:
        line = ""
        for step in self.steps:
            here, there = (step.subject, step.object) if step.forward else (step.object, step.subject)
            name = step.predicate.replace("_", " ")
            arrow = f"—{name}→" if step.forward else f"←{name}—"
            when = f" ({step.time:%Y-%m-%d})" if step.time is not None else ""
            line += f"{'' if line else here} {arrow} {there}{when}"
        return line


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
    decay, authority : float
        What the score was multiplied by for its age and for how often its entities are mentioned; both at most 1.
    path : Path or None
        How the graph leg came to it.
    facts : tuple of Fact
        Of a chunk, the facts that it supports; of a fact, the fact itself.
    superseded_by : str or None
        The id of a chunk (for a fact: of a fact) that says what is true since; the hit itself is not hidden.
    """

    legs: dict[str, LegWhy]
    trust: dict[str, float]
    reason: str
    rerank_score: float | None = None
    decay: float = 1.0
    authority: float = 1.0
    path: Path | None = None
    facts: tuple[Fact, ...] = ()
    superseded_by: str | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """One search result.

    Attributes
    ----------
    id : str
        Of the chunk, or of the fact: ``a!0`` is the first fact that chunk ``a`` states, ``a!1`` the second.
    kind : {"chunk", "fact"}
    text : str
        The chunk's own words; of a fact, the sentence that says it.
    score : float
        Orders the hits of one query; higher is better, 1.0 = first in all active legs.
    rrf_score : float
        The (weighted) reciprocal rank fusion score, `sum of w / (k + rank)`.
    confidence : float
        Absolute evidence in 0..1, comparable across queries.
    source, time, session, speaker, metadata
        As they were added; a fact has those of the chunk that states it.
    episode_id : str
        The episode it is part of, as `add_episode` named it: of a chunk ``e#2`` and of its facts ``e``.
    why : Why
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
    """What `delete` removed: the ids, in id order, and what became of the facts.

    Attributes
    ----------
    ids : tuple of str
    facts : tuple of str
        Ids of the facts that went with their chunks.
    reopened : tuple of Fact
        Facts that hold again, since what had taken their place, or told their end, is gone.
    """

    ids: tuple[str, ...]
    facts: tuple[str, ...] = ()
    reopened: tuple[Fact, ...] = ()

    @property
    def deleted(self) -> int:
        """How many records were removed."""
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class EpisodeReceipt:
    """What adding one episode did.

    Attributes
    ----------
    id : str
        The episode's id.
    chunk_ids : tuple of str
        Its chunks: its own id when there is one, else ``id#0``, ``id#1``…
    entities : tuple of str
        Names of the entities it mentions.
    created : tuple of str
        Those among them that were not known before.
    merged : tuple of tuple of str
        Names that were taken for different entities before and are one now.
    facts : tuple of Fact
        What it states.
    superseded : tuple of Fact
        Facts whose place one of these took, or that it tells the end of.
    reopened : tuple of Fact
        Facts that hold again, since what it replaces had ended them.
    note : str
        Why less was extracted than asked for; empty when all is well.
    usage : dict
        Cost of an LLM: ``calls``, ``tokens_in``, ``tokens_out``.
    pending : bool
        Whether its entities and facts are still to be extracted.
    unchanged : bool
        Whether it was stored already, just so. Then nothing was done; `entities` and `facts` are what it states.
    """

    id: str
    chunk_ids: tuple[str, ...]
    entities: tuple[str, ...] = ()
    created: tuple[str, ...] = ()
    merged: tuple[tuple[str, ...], ...] = ()
    facts: tuple[Fact, ...] = ()
    superseded: tuple[Fact, ...] = ()
    reopened: tuple[Fact, ...] = ()
    note: str = ""
    usage: dict[str, int] = field(default_factory=dict)
    pending: bool = False
    unchanged: bool = False


@dataclass(frozen=True, slots=True)
class Stats:
    """What a namespace holds and how it is indexed.

    `dimension`, `embedder` are None in a memory without vectors; `file_bytes` is 0 in memory; `facts` counts
    statements, so that a fact that two chunks state counts twice; `pending` counts the chunks whose entities and facts
    are still to be extracted.
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
    facts: int = 0
    entities: int = 0
    pending: int = 0
