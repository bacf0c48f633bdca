"""The SQLite file: the truth. Everything else this engine holds is derived from it.

A record's `key` only grows and is never reused, so the keys a reader has not seen are the additions; deletions are
numbered per namespace in the table `deleted`. Both together are the change log that other readers catch up from.
"""

import json
import os
import re
import secrets
import sqlite3
import threading
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

import numpy as np
from numpy.typing import NDArray

from hybrid_agent_memory.decay import MISSING
from hybrid_agent_memory.errors import (
    ClosedMemoryError,
    CorruptStoreError,
    InvalidInputError,
    NewerFormatError,
    StoreBusyError,
    StoreError,
)
from hybrid_agent_memory.records import Record
from hybrid_agent_memory.times import from_micros, to_micros

APPLICATION_ID = 0x48414D31
FORMAT_VERSION = 2
BUSY_SECONDS = 30.0
LOG_KEPT = 100_000  # deletions kept in the log; a reader further behind loads the namespace again
IDENTITY = "identity"  # the setting that says what the indexes are built with
Durability = Literal["full", "normal"]

SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE namespaces (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL,
    last_key INTEGER NOT NULL DEFAULT 0, deletions INTEGER NOT NULL DEFAULT 0, log_floor INTEGER NOT NULL DEFAULT 0,
    epoch INTEGER NOT NULL DEFAULT 0, UNIQUE (name, kind)
);
CREATE TABLE records (
    key INTEGER PRIMARY KEY AUTOINCREMENT, namespace INTEGER NOT NULL REFERENCES namespaces(id), id TEXT NOT NULL,
    text TEXT NOT NULL, time INTEGER, source TEXT, session TEXT, speaker TEXT, episode_id TEXT NOT NULL,
    metadata TEXT NOT NULL, created_at INTEGER NOT NULL,
    stamp INTEGER NOT NULL, lasting INTEGER NOT NULL, chunk INTEGER
);
CREATE UNIQUE INDEX records_by_id ON records (namespace, id);
CREATE INDEX records_by_namespace ON records (namespace);
CREATE INDEX records_by_episode ON records (namespace, episode_id) WHERE episode_id != id;
CREATE INDEX records_by_session ON records (namespace, session, ifnull(time, created_at)) WHERE session IS NOT NULL;
CREATE INDEX records_by_chunk ON records (chunk) WHERE chunk IS NOT NULL;
CREATE TABLE extractions (
    key INTEGER PRIMARY KEY AUTOINCREMENT, namespace INTEGER NOT NULL, chunk INTEGER NOT NULL UNIQUE,
    extractor TEXT NOT NULL, content TEXT NOT NULL
);
CREATE TABLE pending (chunk INTEGER PRIMARY KEY, namespace INTEGER NOT NULL);
CREATE INDEX pending_by_namespace ON pending (namespace, chunk);
CREATE TABLE constraint_sources ("constraint" INTEGER NOT NULL, chunk INTEGER NOT NULL);
CREATE INDEX sources_by_chunk ON constraint_sources (chunk);
CREATE TABLE constraints (
    key INTEGER PRIMARY KEY AUTOINCREMENT, namespace INTEGER NOT NULL, op TEXT NOT NULL,
    a_key TEXT NOT NULL, a_type TEXT NOT NULL, b_key TEXT NOT NULL, b_type TEXT NOT NULL, created_at INTEGER NOT NULL
);
CREATE TABLE vectors (key INTEGER PRIMARY KEY REFERENCES records(key), vector BLOB NOT NULL);
CREATE TABLE deleted (
    namespace INTEGER NOT NULL, seq INTEGER NOT NULL, key INTEGER NOT NULL, PRIMARY KEY (namespace, seq)
) WITHOUT ROWID;
"""
_SURROGATE = re.compile("[\ud800-\udfff]")
COLUMNS = "id, text, time, source, session, speaker, episode_id, metadata, created_at"
Kind = Literal["chunk", "fact", "graph"]
"""What has a change log of its own in a namespace: chunks, facts, and the extractions that the graph is made of."""


@dataclass(frozen=True, slots=True)
class NamespaceState:
    """How far a namespace has come; equal states mean equal contents."""

    id: int
    last_key: int = 0
    deletions: int = 0
    log_floor: int = 0
    epoch: int = 0

    def leads_to(self, later: "NamespaceState") -> bool:
        """Whether `later` may come after this, or be the same: every count of it is as large."""
        return self.epoch <= later.epoch and self.last_key <= later.last_key and self.deletions <= later.deletions


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """A record with its key and, where asked for, its vector."""

    key: int
    record: Record
    vector: NDArray[np.float32] | None = None
    lasting: bool = False
    chunk: int | None = None


@dataclass(frozen=True, slots=True)
class NewRow:
    """A record to be stored; `lasting` ones never age, and a fact has the key of the chunk that states it."""

    record: Record
    vector: NDArray[np.float32] | None
    lasting: bool = False
    chunk: int | None = None


MARKS = ",".join("?" * 14)


class Store:
    """Connections, transactions and the statements run in them.

    A `path` of None is one shared in-memory connection. Files get a pool of connections, opened anew after a fork.
    """

    def __init__(self, path: Path | None, durability: Durability = "full") -> None:
        if durability not in ("full", "normal"):
            raise InvalidInputError(f"durability {durability!r} is unknown: give 'full' or 'normal'")
        self.path = None if path is None else Path(os.path.abspath(path))  # for `chdir` must not move the file
        self._durability = durability
        self._pid = os.getpid()
        self._idle: list[sqlite3.Connection] = []
        self._inherited: list[sqlite3.Connection] = []  # never closed here: SQLite forbids it after a fork
        self._memory_lock = threading.RLock()
        self.closed = False
        with _our_errors(path):
            first = self._connect("rwc")
            self._memory = first if path is None else None  # the only connection: a second one would see nothing
            if path is not None:
                self._idle.append(first)
            _create_or_check(first, path)
            self.uuid = str(self.meta(first, "uuid"))

    def close(self) -> None:
        """Close every connection; a second call does nothing."""
        with self._memory_lock:  # which whoever uses the connection in memory holds
            self.closed = True
            if self._memory is not None:
                self._memory.close()
            while self._idle and self._pid == os.getpid():
                self._idle.pop().close()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection that sees one unchanging state of the file."""
        with self._connection() as connection:
            if connection.in_transaction:
                yield connection
                return
            try:
                connection.execute("BEGIN")
                yield connection
            finally:
                _end(connection)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A connection inside a write transaction: committed at the end, rolled back on any error."""
        if self.path is not None and not self.path.exists():
            raise StoreError(f"{self.path} was removed while it was open: open it again")
        with self._connection() as connection:
            try:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")
            finally:
                _end(connection)

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        with _our_errors(self.path):
            if self._memory is not None:
                with self._memory_lock:
                    self._check_open()
                    yield self._memory
                return
            self._check_open()
            connection = self._take()
            try:
                yield connection
            finally:
                if self.closed or connection.in_transaction:  # the latter when an interrupt came at a bad moment
                    connection.close()
                else:
                    self._idle.append(connection)

    def _check_open(self) -> None:
        if self.closed:
            raise ClosedMemoryError("this memory is closed: open it again")

    def _take(self) -> sqlite3.Connection:
        if self._pid != os.getpid():
            self._inherited, self._idle, self._pid = [*self._inherited, *self._idle], [], os.getpid()
        try:
            return self._idle.pop()
        except IndexError:
            return self._connect("rw")

    def _connect(self, mode: str) -> sqlite3.Connection:
        target = ":memory:" if self.path is None else f"{self.path.as_uri()}?mode={mode}"
        connection = sqlite3.connect(
            target, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, uri=self.path is not None
        )
        connection.execute(f"PRAGMA synchronous = {self._durability}")
        return connection

    def meta(self, connection: sqlite3.Connection, key: str) -> str | None:
        """One setting of the file, or None."""
        found = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if found is None else str(found[0])

    def set_meta(self, connection: sqlite3.Connection, key: str, value: str) -> None:
        """Write one setting of the file."""
        connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def namespaces(self, connection: sqlite3.Connection) -> list[str]:
        """The names that hold at least one record, in order."""
        query = """SELECT name FROM namespaces n
            WHERE kind = 'chunk' AND EXISTS (SELECT 1 FROM records WHERE namespace = n.id) ORDER BY name"""
        return [name for (name,) in connection.execute(query)]

    def state(self, connection: sqlite3.Connection, name: str, kind: Kind = "chunk") -> NamespaceState | None:
        """The state of a namespace's records of one kind, or None when none was ever written."""
        query = "SELECT id, last_key, deletions, log_floor, epoch FROM namespaces WHERE name = ? AND kind = ?"
        found = connection.execute(query, (name, kind)).fetchone()
        return None if found is None else NamespaceState(*found)

    def count(self, connection: sqlite3.Connection, name: str, kind: Kind = "chunk") -> int:
        """How many records of one kind a namespace holds."""
        query = "SELECT count(*) FROM records WHERE namespace = (SELECT id FROM namespaces WHERE name = ? AND kind = ?)"
        return int(connection.execute(query, (name, kind)).fetchone()[0])

    def state_for_writing(self, connection: sqlite3.Connection, name: str, kind: Kind = "chunk") -> NamespaceState:
        """The state of a namespace's records of one kind, which is created when new."""
        connection.execute("INSERT OR IGNORE INTO namespaces (name, kind) VALUES (?, ?)", (name, kind))
        return cast(NamespaceState, self.state(connection, name, kind))

    def insert(
        self,
        connection: sqlite3.Connection,
        state: NamespaceState,
        rows: Sequence[NewRow],
    ) -> list[int]:
        """Add records whose ids are free, in order; gives their new keys."""
        first = next_key(connection, "records")
        keyed = list(enumerate(rows, first))
        stamp = secrets.randbits(62)
        connection.executemany(
            f"INSERT INTO records (key, namespace, stamp, lasting, chunk, {COLUMNS}) VALUES ({MARKS})",
            [(key, state.id, stamp, row.lasting, row.chunk, *_to_row(row.record)) for key, row in keyed],
        )
        blobs = [(key, row.vector.tobytes()) for key, row in keyed if row.vector is not None]
        connection.executemany("INSERT INTO vectors VALUES (?, ?)", blobs)
        if rows:
            last_key = first + len(rows) - 1
            connection.execute("UPDATE namespaces SET last_key = ? WHERE id = ?", (last_key, state.id))
        return [key for key, _ in keyed]

    def delete(self, connection: sqlite3.Connection, state: NamespaceState, keys: Sequence[int]) -> None:
        """Remove records by key and log it."""
        connection.executemany("DELETE FROM vectors WHERE key = ?", [(key,) for key in keys])
        connection.executemany("DELETE FROM records WHERE key = ?", [(key,) for key in keys])
        self.log_deletions(connection, state, keys)

    def log_deletions(self, connection: sqlite3.Connection, state: NamespaceState, keys: Sequence[int]) -> None:
        """Tell readers of the change log that keys are gone; the log is cut when it grows past `LOG_KEPT`."""
        if not keys:
            return
        logged = [(state.id, seq, key) for seq, key in enumerate(keys, state.deletions + 1)]
        connection.executemany("INSERT INTO deleted VALUES (?, ?, ?)", logged)
        deletions = state.deletions + len(keys)
        floor = state.log_floor
        if deletions - floor > LOG_KEPT:
            floor = deletions - LOG_KEPT // 2
            connection.execute("DELETE FROM deleted WHERE namespace = ? AND seq <= ?", (state.id, floor))
        connection.execute(
            "UPDATE namespaces SET deletions = ?, log_floor = ? WHERE id = ?", (deletions, floor, state.id)
        )

    def deleted_since(self, connection: sqlite3.Connection, namespace: int, seq: int) -> list[int]:
        """Keys deleted after the first `seq` deletions of a namespace."""
        query = "SELECT key FROM deleted WHERE namespace = ? AND seq > ? ORDER BY seq"
        return [key for (key,) in connection.execute(query, (namespace, seq))]

    def keys_by_id(
        self, connection: sqlite3.Connection, namespace: int, ids: Iterable[str]
    ) -> Iterator[tuple[int, str]]:
        """(key, id) of those ids that exist, in no particular order."""
        for part in parts(_storable(ids)):
            marks = ",".join("?" * len(part))
            query = f"SELECT key, id FROM records WHERE namespace = ? AND id IN ({marks})"
            yield from connection.execute(query, (namespace, *part))

    def keys_of_episodes(
        self, connection: sqlite3.Connection, namespace: int, ids: Iterable[str]
    ) -> Iterator[tuple[int, str]]:
        """(key, id) of the chunks of those episodes that are cut into several, in no particular order."""
        for part in parts(_storable(ids)):
            marks = ",".join("?" * len(part))
            query = f"""SELECT key, id FROM records
                WHERE namespace = ? AND episode_id != id AND episode_id IN ({marks})"""
            yield from connection.execute(query, (namespace, *part))

    def by_key(self, connection: sqlite3.Connection, keys: Sequence[int]) -> dict[int, Record]:
        """The records of those keys that exist."""
        found: dict[int, Record] = {}
        for part in parts(list(keys)):
            marks = ",".join("?" * len(part))
            query = f"SELECT key, {COLUMNS} FROM records WHERE key IN ({marks})"
            found.update((key, _to_record(*row)) for key, *row in connection.execute(query, part))
        return found

    def texts_of(self, connection: sqlite3.Connection, keys: Sequence[int]) -> dict[int, str]:
        """The texts of the records of those keys that exist."""
        return {key: record.text for key, record in self.by_key(connection, keys).items()}

    def by_id(self, connection: sqlite3.Connection, namespace: int, ids: Iterable[str]) -> dict[str, StoredRecord]:
        """The records of those ids that exist, with their vectors."""
        found: dict[str, StoredRecord] = {}
        for part in parts(_storable(ids)):
            marks = ",".join("?" * len(part))
            query = f"""SELECT r.key, vector, {COLUMNS} FROM records r LEFT JOIN vectors v ON v.key = r.key
                WHERE namespace = ? AND id IN ({marks})"""
            for key, blob, *row in connection.execute(query, (namespace, *part)):
                record = _to_record(*row)
                found[record.id] = StoredRecord(key, record, _to_vector(blob))
        return found

    def scan(self, connection: sqlite3.Connection, namespace: int, after: int = 0) -> Iterator[StoredRecord]:
        """Every record with a key above `after`, in key order, with its vector."""
        query = f"""SELECT r.key, vector, lasting, chunk, {COLUMNS} FROM records r LEFT JOIN vectors v ON v.key = r.key
            WHERE namespace = ? AND r.key > ? ORDER BY r.key"""
        for key, blob, lasting, chunk, *row in connection.execute(query, (namespace, after)):
            yield StoredRecord(key, _to_record(*row), _to_vector(blob), bool(lasting), chunk)

    def times_and_chunks(self, connection: sqlite3.Connection, namespace: int) -> dict[int, tuple[int, int]]:
        """By key, the time that a record ages from and the chunk that states it; the smallest integer, -1 for none."""
        query = """SELECT key, CASE WHEN lasting THEN ? ELSE ifnull(time, ?) END, ifnull(chunk, -1)
            FROM records WHERE namespace = ?"""
        return {key: (time, chunk) for key, time, chunk in connection.execute(query, (MISSING, MISSING, namespace))}

    def scan_records(self, connection: sqlite3.Connection, namespace: int) -> Iterator[Record]:
        """Every record, in key order."""
        query = f"SELECT {COLUMNS} FROM records WHERE namespace = ? ORDER BY key"
        yield from (_to_record(*row) for row in connection.execute(query, (namespace,)))

    def scan_ids(self, connection: sqlite3.Connection, namespace: int) -> list[tuple[int, str, int]]:
        """(key, id, stamp) of every record, in key order; a stamp is random, and one for what was written together."""
        query = "SELECT key, id, stamp FROM records WHERE namespace = ? ORDER BY key"
        return connection.execute(query, (namespace,)).fetchall()

    def texts(self, connection: sqlite3.Connection) -> list[tuple[int, str]]:
        """(key, text) of every record of every namespace."""
        return connection.execute("SELECT key, text FROM records ORDER BY key").fetchall()

    def set_vectors(self, connection: sqlite3.Connection, vectors: Mapping[int, NDArray[np.float32]]) -> None:
        """Replace every vector of the file by these, by key."""
        connection.execute("DELETE FROM vectors")
        blobs = ((key, vector.tobytes()) for key, vector in vectors.items())
        connection.executemany("INSERT INTO vectors VALUES (?, ?)", blobs)

    def new_epoch(self, connection: sqlite3.Connection) -> None:
        """Make every reader build its indexes anew."""
        connection.execute("UPDATE namespaces SET epoch = epoch + 1")

    def identity(self, connection: sqlite3.Connection) -> str | None:
        """The setting `IDENTITY`, or None while there is no record: then it holds for nothing."""
        query = "SELECT value FROM meta WHERE key = ? AND EXISTS (SELECT 1 FROM records)"
        found = connection.execute(query, (IDENTITY,)).fetchone()
        return None if found is None else str(found[0])

    def file_bytes(self) -> int:
        """Size of the file and its write-ahead log; 0 in memory."""
        if self.path is None:
            return 0
        parts = (self.path, self.path.with_name(self.path.name + "-wal"))
        return sum(part.stat().st_size for part in parts if part.exists())


def _end(connection: sqlite3.Connection) -> None:
    if connection.in_transaction:
        connection.execute("ROLLBACK")


def _create_or_check(connection: sqlite3.Connection, path: Path | None) -> None:
    if not _application(connection) and not _tables(connection):
        _use_write_ahead_log(connection)
        connection.execute("BEGIN IMMEDIATE")
        if not _tables(connection):  # else another process was quicker
            for statement in SCHEMA.split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {FORMAT_VERSION}")
            connection.execute("INSERT INTO meta VALUES ('uuid', ?)", (uuid.uuid4().hex,))
        connection.execute("COMMIT")
    if _application(connection) != APPLICATION_ID:
        raise CorruptStoreError(f"{path} is a SQLite file of another program: choose another path")
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version < FORMAT_VERSION:
        raise StoreError(
            f"{path} has format {version}, which was never released, and this version reads {FORMAT_VERSION}: "
            "export it with the version that wrote it and add that to a new file"
        )
    if version > FORMAT_VERSION:
        raise NewerFormatError(
            f"{path} has format {version}, this version reads up to {FORMAT_VERSION}: upgrade hybrid-agent-memory"
        )


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    patience = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:  # SQLite does not wait here while others open the new file
            if not _busy(error) or time.monotonic() > patience:
                raise
        time.sleep(0.01)


def _application(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA application_id").fetchone()[0])


def _tables(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])


@contextmanager
def _our_errors(path: Path | None) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        if _busy(error):
            raise StoreBusyError(f"{path} is held by another writer for over {BUSY_SECONDS:g} s: try again") from error
        if _code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR):
            raise CorruptStoreError(f"{path} is damaged or no memory file ({error}): restore a backup") from error
        remedy = "check its permissions and free space"
        if path is not None and not path.parent.is_dir():
            remedy = f"create the folder {path.parent} first"
        raise StoreError(f"{path} cannot be used ({error}): {remedy}") from error


def _busy(error: sqlite3.Error) -> bool:
    return _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _code(error: sqlite3.Error) -> int:
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def next_key(connection: sqlite3.Connection, table: str) -> int:
    """The key that the next row of a table gets; keys are never given twice."""
    found = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)).fetchone()
    return 1 if found is None else int(found[0]) + 1


def _storable(ids: Iterable[str]) -> list[str]:
    """Those that can be in a file at all: a lone surrogate is no UTF-8."""
    return [identity for identity in ids if identity.isascii() or not _SURROGATE.search(identity)]


def parts(values: list[str] | list[int], size: int = 500) -> Iterator[tuple[str | int, ...]]:
    """Values in portions that fit one statement."""
    for start in range(0, len(values), size):
        yield tuple(values[start : start + size])


def _to_row(record: Record) -> tuple[object, ...]:
    return (
        record.id,
        record.text,
        None if record.time is None else to_micros(record.time),
        record.source,
        record.session,
        record.speaker,
        record.episode_id,
        json.dumps(record.metadata, allow_nan=False),
        to_micros(record.created_at),
    )


def _to_record(
    identity: str,
    text: str,
    time: int | None,
    source: str | None,
    session: str | None,
    speaker: str | None,
    episode_id: str,
    metadata: str,
    created_at: int,
) -> Record:
    try:
        return Record(
            id=identity,
            text=text,
            time=None if time is None else from_micros(time),
            source=source,
            session=session,
            speaker=speaker,
            episode_id=episode_id,
            metadata=json.loads(metadata) if metadata != "{}" else {},
            created_at=from_micros(created_at),
        )
    except (ValueError, TypeError, OverflowError) as error:
        raise CorruptStoreError(f"record {identity!r} is damaged ({error}): restore a backup") from error


def _to_vector(blob: bytes | None) -> NDArray[np.float32] | None:
    return None if blob is None else np.frombuffer(blob, np.float32)
