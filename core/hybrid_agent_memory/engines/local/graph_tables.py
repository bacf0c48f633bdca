"""The tables of the graph: what was extracted from which chunk, what waits for it, and the merges people asked for.

All that is derived from them (entities, timelines, the walk) is in `graph`. A chunk takes its facts, its extraction and
its place in the queue with it when it goes.
"""

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Literal, NamedTuple, Self, cast

from hybrid_agent_memory.engines.local.store import NamespaceState, Store, next_key, parts
from hybrid_agent_memory.extract import EntityType, FactKind, Mention, Triple
from hybrid_agent_memory.graph.names import Name
from hybrid_agent_memory.graph.resolution import Constraint
from hybrid_agent_memory.records import Record
from hybrid_agent_memory.times import from_micros, to_micros

LAST = 2**63 - 1  # no key is larger


Written = tuple[str, str]
"""A name as a text writes it, and its type; what `Mention` holds, without the cost of a million of them."""


class StoredFact(NamedTuple):
    """A triple without its text, and the key of its record; times in epoch microseconds."""

    key: int
    subject: Written
    predicate: str
    object: Written
    kind: FactKind
    valid_at: int | None
    invalid_at: int | None
    single_valued: bool
    tells_end: bool = False

    @classmethod
    def of(cls, key: int, triple: Triple) -> Self:
        """What is stored of a triple."""
        return cls(
            key,
            (triple.subject.name, triple.subject.type),
            triple.predicate,
            (triple.object.name, triple.object.type),
            triple.kind,
            None if triple.valid_at is None else to_micros(triple.valid_at),
            None if triple.invalid_at is None else to_micros(triple.invalid_at),
            triple.single_valued,
            triple.tells_end,
        )

    def triple(self, text: str) -> Triple:
        """The triple again, with its text."""
        return Triple(
            mention_of(self.subject),
            self.predicate,
            mention_of(self.object),
            text,
            self.kind,
            None if self.valid_at is None else from_micros(self.valid_at),
            None if self.invalid_at is None else from_micros(self.invalid_at),
            self.single_valued,
            self.tells_end,
        )


def mention_of(written: Written) -> Mention:
    """A stored name as an extraction has it."""
    name, kind = written
    return Mention(name, cast(EntityType, kind))


@dataclass(slots=True)
class StoredExtraction:
    """What one chunk says."""

    key: int
    chunk: int
    chunk_id: str
    episode_id: str
    time: datetime | None
    created_at: datetime
    mentions: Sequence[Written]
    facts: Sequence[StoredFact]


@dataclass(frozen=True, slots=True)
class NewExtraction:
    """An extraction to be stored, of the chunk with this key, its facts stored already."""

    chunk: int
    extractor: str
    mentions: Sequence[Mention]
    facts: Sequence[tuple[int, Triple]]


def add_extractions(
    store: Store, connection: sqlite3.Connection, namespace: str, extractions: Sequence[NewExtraction]
) -> None:
    """Store what chunks say; they no longer wait for it."""
    if not extractions:
        return
    state = store.state_for_writing(connection, namespace, "graph")
    first = next_key(connection, "extractions")
    connection.executemany(
        "INSERT INTO extractions VALUES (?, ?, ?, ?, ?)",
        [
            (key, state.id, one.chunk, one.extractor, _encode(one.mentions, one.facts))
            for key, one in enumerate(extractions, first)
        ],
    )
    connection.executemany("DELETE FROM pending WHERE chunk = ?", [(one.chunk,) for one in extractions])
    last_key = first + len(extractions) - 1
    connection.execute("UPDATE namespaces SET last_key = ? WHERE id = ?", (last_key, state.id))


def forget_chunks(store: Store, connection: sqlite3.Connection, namespace: str, keys: Sequence[int]) -> None:
    """Remove chunks and all that hangs on them."""
    if not keys:
        return
    ordered = sorted(keys)
    for kind, table in (("fact", "records"), ("graph", "extractions")):
        state = store.state(connection, namespace, "fact" if kind == "fact" else "graph")
        if state is None:
            continue
        found = sorted(_keys_of(connection, table, ordered))
        if kind == "fact":
            store.delete(connection, state, found)
        else:
            connection.executemany("DELETE FROM extractions WHERE key = ?", [(key,) for key in found])
            store.log_deletions(connection, state, found)
            _forget_judgements(connection, state, ordered)
    connection.executemany("DELETE FROM pending WHERE chunk = ?", [(key,) for key in ordered])
    chunks = store.state(connection, namespace)
    if chunks is not None:
        store.delete(connection, chunks, ordered)


def _keys_of(connection: sqlite3.Connection, table: str, chunks: list[int]) -> Iterator[int]:
    for part in parts(chunks):
        marks = ",".join("?" * len(part))
        for (key,) in connection.execute(f"SELECT key FROM {table} WHERE chunk IN ({marks})", part):
            yield key


def extractions_after(connection: sqlite3.Connection, namespace: int, after: int) -> Iterator[StoredExtraction]:
    """What was extracted since, in the order of writing."""
    query = """SELECT e.key, e.chunk, r.id, r.episode_id, r.time, r.created_at, e.content
        FROM extractions e JOIN records r ON r.key = e.chunk WHERE e.namespace = ? AND e.key > ? ORDER BY e.key"""
    for key, chunk, chunk_id, episode_id, time, created_at, content in connection.execute(query, (namespace, after)):
        mentions, facts = _decode(content)
        when = None if time is None else from_micros(time)
        yield StoredExtraction(key, chunk, chunk_id, episode_id, when, from_micros(created_at), mentions, facts)


def extractors_of(connection: sqlite3.Connection, chunks: list[int]) -> dict[int, str]:
    """By chunk key, what its entities and facts were extracted by; those that were not are left out."""
    found: dict[int, str] = {}
    for part in parts(chunks):
        marks = ",".join("?" * len(part))
        found.update(connection.execute(f"SELECT chunk, extractor FROM extractions WHERE chunk IN ({marks})", part))
    return found


def extractions_of(
    connection: sqlite3.Connection, chunks: list[int]
) -> dict[int, tuple[list[Written], list[StoredFact]]]:
    """By chunk key, what each says; those that were not extracted are left out."""
    found: dict[int, tuple[list[Written], list[StoredFact]]] = {}
    for part in parts(chunks):
        marks = ",".join("?" * len(part))
        rows = connection.execute(f"SELECT chunk, content FROM extractions WHERE chunk IN ({marks})", part)
        found.update((chunk, _decode(content)) for chunk, content in rows)
    return found


def queue(connection: sqlite3.Connection, namespace: int, chunks: Iterable[int]) -> None:
    """Let chunks wait for extraction."""
    connection.executemany("INSERT OR IGNORE INTO pending VALUES (?, ?)", [(key, namespace) for key in chunks])


def waiting(connection: sqlite3.Connection, namespace: int, limit: int | None) -> list[int]:
    """Keys of chunks that wait for extraction, oldest write first."""
    query = "SELECT chunk FROM pending WHERE namespace = ? ORDER BY chunk LIMIT ?"
    return [key for (key,) in connection.execute(query, (namespace, -1 if limit is None else limit))]


def waiting_among(connection: sqlite3.Connection, chunks: list[int]) -> set[int]:
    """Which of these chunks wait for extraction."""
    found = set[int]()
    for part in parts(chunks):
        marks = ",".join("?" * len(part))
        found.update(key for (key,) in connection.execute(f"SELECT chunk FROM pending WHERE chunk IN ({marks})", part))
    return found


def backlog(connection: sqlite3.Connection, namespace: int) -> int:
    """How many chunks wait for extraction."""
    return int(connection.execute("SELECT count(*) FROM pending WHERE namespace = ?", (namespace,)).fetchone()[0])


def previous_turns(
    connection: sqlite3.Connection, namespace: int, chunk: Record, limit: int, without: Collection[str]
) -> list[int]:
    """Keys of the last chunks of a session before one, oldest first; see `Engine.previous_turns`."""
    own = "SELECT key, created_at FROM records WHERE namespace = ? AND id = ?"
    key, written = connection.execute(own, (namespace, chunk.id)).fetchone() or (LAST, to_micros(chunk.created_at))
    time = written if chunk.time is None else to_micros(chunk.time)
    query = """SELECT key, id, episode_id FROM records WHERE namespace = ? AND session = ?
        AND ifnull(time, created_at) <= ? AND (ifnull(time, created_at) < ? OR key < ?)
        ORDER BY ifnull(time, created_at) DESC, key DESC"""
    found = connection.execute(query, (namespace, chunk.session, time, time, key))
    kept = (key for key, identity, episode in found if identity not in without and episode not in without)
    return list(islice(kept, limit))[::-1]


def constraints(connection: sqlite3.Connection, namespace: int) -> list[Constraint]:
    """The merges and unmerges people asked for, in their order."""
    query = "SELECT op, a_key, a_type, b_key, b_type FROM constraints WHERE namespace = ? ORDER BY key"
    return [_constraint(*row) for row in connection.execute(query, (namespace,))]


def merge_log(connection: sqlite3.Connection, namespace: int) -> list[tuple[Constraint, datetime, bool]]:
    """The same, each with when it was stored, and whether it has source chunks."""
    query = """SELECT created_at, key IN (SELECT "constraint" FROM constraint_sources), op, a_key, a_type, b_key, b_type
        FROM constraints WHERE namespace = ? ORDER BY key"""
    return [
        (_constraint(*row), from_micros(created_at), bool(judged))
        for created_at, judged, *row in connection.execute(query, (namespace,))
    ]


def _constraint(op: Literal["merge", "unmerge"], a_key: str, a_type: str, b_key: str, b_type: str) -> Constraint:
    return Constraint(op, Name(a_key, a_type), Name(b_key, b_type))


def add_constraint(
    store: Store,
    connection: sqlite3.Connection,
    namespace: str,
    constraint: Constraint,
    now: datetime,
    sources: Iterable[int],
) -> None:
    """Store one more, which goes when one of its source chunks goes; readers resolve the names anew."""
    state = store.state_for_writing(connection, namespace, "graph")
    a, b = constraint.a, constraint.b
    key = next_key(connection, "constraints")
    connection.execute(
        "INSERT INTO constraints VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (key, state.id, constraint.op, a.key, a.type, b.key, b.type, to_micros(now)),
    )
    connection.executemany("INSERT INTO constraint_sources VALUES (?, ?)", [(key, chunk) for chunk in sources])
    connection.execute("UPDATE namespaces SET epoch = epoch + 1 WHERE id = ?", (state.id,))


def _forget_judgements(connection: sqlite3.Connection, state: NamespaceState, chunks: list[int]) -> None:
    """Remove the constraints that were concluded from chunks that go."""
    gone: set[int] = set()
    for part in parts(chunks):
        marks = ",".join("?" * len(part))
        query = f'SELECT "constraint" FROM constraint_sources WHERE chunk IN ({marks})'
        gone.update(key for (key,) in connection.execute(query, part))
    for key in sorted(gone):
        connection.execute("DELETE FROM constraints WHERE key = ?", (key,))
        connection.execute('DELETE FROM constraint_sources WHERE "constraint" = ?', (key,))
    if gone:
        connection.execute("UPDATE namespaces SET epoch = epoch + 1 WHERE id = ?", (state.id,))


def _encode(mentions: Sequence[Mention], facts: Sequence[tuple[int, Triple]]) -> str:
    named = [(mention.name, mention.type) for mention in mentions]
    rows = [StoredFact.of(key, triple) for key, triple in facts]
    stated = [row if row.tells_end else row[:-1] for row in rows]  # as before there were ends
    return json.dumps([named, stated], ensure_ascii=False, separators=(",", ":"))


def _decode(content: str) -> tuple[list[Written], list[StoredFact]]:
    named, stated = json.loads(content)
    facts = [
        StoredFact(key, (subject[0], subject[1]), predicate, (obj[0], obj[1]), *rest)
        for key, subject, predicate, obj, *rest in stated
    ]
    return [(name, kind) for name, kind in named], facts
