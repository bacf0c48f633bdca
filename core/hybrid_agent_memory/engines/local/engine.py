"""The embedded engine: SQLite as the truth, in-memory indexes per namespace derived from it."""

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from hybrid_agent_memory.config import Config
from hybrid_agent_memory.embedding import Identity
from hybrid_agent_memory.engines import Draft, EngineAnswer, EngineQuery, Found, Stored, Vector
from hybrid_agent_memory.engines.local.shard import BLOCK, Shard
from hybrid_agent_memory.engines.local.store import IDENTITY, Durability, Store
from hybrid_agent_memory.errors import MismatchError
from hybrid_agent_memory.filters import Filter
from hybrid_agent_memory.protocols import Tokenizer
from hybrid_agent_memory.records import Stats
from hybrid_agent_memory.text import tokenizer_name


class LocalEngine:
    """One file (or none: then everything is in memory), any number of namespaces, threads and processes.

    Parameters
    ----------
    path : Path or None
    tokenizer : Tokenizer
    config : Config
    durability : {"full", "normal"}
        ``"full"`` survives power loss, ``"normal"`` survives ``kill -9`` and may lose the last commits with the power.
    """

    def __init__(self, path: Path | None, tokenizer: Tokenizer, config: Config, durability: Durability) -> None:
        self._store = Store(path, durability)
        self.tokenizer, self._config = tokenizer, config
        self._shards: OrderedDict[str, Shard] = OrderedDict()
        self._shards_lock = threading.Lock()
        self._read_identity: tuple[str, Identity] | None = None

    # -- writing ----------------------------------------------------------------------------------------------------

    def identity(self) -> Identity | None:
        """See `Engine.identity`."""
        with self._store.reading() as connection:
            return self._identity(connection)

    def _identity(self, connection: sqlite3.Connection) -> Identity | None:
        text = self._store.identity(connection)
        if text is None:
            return None
        read = self._read_identity
        if read is None or read[0] != text:
            read = self._read_identity = (text, Identity.from_json(text))
        return read[1]

    def write(self, namespace: str, drafts: Sequence[Draft], identity: Identity) -> None:
        """See `Engine.write`."""
        with self._store.writing() as connection:
            stored = self._identity(connection)
            _check_same(stored, identity)
            _check_vectors(drafts, identity)
            if stored is None:
                self._store.set_meta(connection, IDENTITY, identity.to_json())
                self._store.new_epoch(connection)  # dead rows of an emptied memory may have other vectors
            before = self._store.state_for_writing(connection, namespace)
            records = [draft.record for draft in drafts]
            self._store.insert(connection, before, records, [draft.vector for draft in drafts])
        if not before.last_key:  # index a new namespace as it grows; one not loaded is left to its first search
            self._shard(namespace)
        self._index(namespace, {draft.record.text: draft.tokens for draft in drafts})

    def delete(self, namespace: str, ids: Sequence[str] | None, condition: Filter | None) -> list[str]:
        """See `Engine.delete`."""
        with self._store.writing() as connection:
            state = self._store.state(connection, namespace)
            if state is None:
                return []
            if ids is None:
                keyed = self._passing(connection, namespace, condition)
            else:
                keyed = list(self._store.keys_by_id(connection, state.id, set(ids)))
            self._store.delete(connection, state, sorted(key for key, _ in keyed))
        self._index(namespace, {})
        return sorted(identity for _, identity in keyed)

    def rebuild(
        self, before: Identity | None, identity: Identity, vectors: Mapping[int, Vector] | None
    ) -> list[tuple[int, str]]:
        """See `Engine.rebuild`."""
        with self._store.writing() as connection:
            if self._identity(connection) != before:
                raise MismatchError("another rebuild of this memory came between: call reindex() again")
            if identity.embedder is None:
                self._store.set_vectors(connection, {})
            elif vectors is not None:
                texts = self._store.texts(connection)
                missing = [(key, text) for key, text in texts if key not in vectors]
                if missing:
                    return missing
                self._store.set_vectors(connection, {key: vectors[key] for key, _ in texts})
            self._store.set_meta(connection, IDENTITY, identity.to_json())
            self._store.new_epoch(connection)
        return []

    def use_tokenizer(self, tokenizer: Tokenizer) -> None:
        """See `Engine.use_tokenizer`."""
        with self._shards_lock:
            self.tokenizer = tokenizer
            self._shards.clear()

    # -- reading ----------------------------------------------------------------------------------------------------

    def search(self, namespace: str, query: EngineQuery) -> EngineAnswer:
        """See `Engine.search`."""
        with self._store.reading() as connection:
            shard = self._fresh(connection, namespace, query.filter)
            outside = {leg: self._keyed(connection, shard, found) for leg, found in query.outside.items()}
        with shard.lock.read():
            _check_same(shard.built_with, query.identity)
            allowed = shard.mask(query.filter)
            rankings = {leg: shard.rank(leg, query, allowed) for leg in query.legs}
            rankings |= {leg: shard.passing(found, allowed) for leg, found in outside.items()}
            signals, rows = shard.signals(query), shard.rows_as_they_are()
        return EngineAnswer(
            rankings, signals, rows.ids_of, lambda handles: self._fetch(shard, query, rows.keys[handles].tolist())
        )

    def _fetch(self, shard: Shard, query: EngineQuery, keys: Sequence[int]) -> list[Found | None]:
        with self._store.reading() as connection:
            records = self._store.by_key(connection, keys)
        with shard.lock.read():
            _check_same(shard.built_with, query.identity)
            rows = shard.rows_of(keys)
            evidence = dict(zip(shard.keys[rows].tolist(), shard.evidence(query, rows), strict=True))
        return [Found(records[key], evidence[key]) if key in records and key in evidence else None for key in keys]

    def _keyed(
        self, connection: sqlite3.Connection, shard: Shard, found: Sequence[tuple[str, float]]
    ) -> list[tuple[int, float]]:
        """What a leg outside this engine found, by key: records that exist, each once, in its order."""
        best = dict(reversed(found))
        keys = {i: key for key, i in self._store.keys_by_id(connection, shard.state.id, best)}
        return [(keys[identity], best[identity]) for identity in dict.fromkeys(i for i, _ in found) if identity in keys]

    def get(self, namespace: str, ids: Iterable[str]) -> dict[str, Stored]:
        """See `Engine.get`."""
        with self._store.reading() as connection:
            state = self._store.state(connection, namespace)
            found = {} if state is None else self._store.by_id(connection, state.id, ids)
        return {identity: Stored(stored.record, stored.vector) for identity, stored in found.items()}

    def count(self, namespace: str, condition: Filter | None) -> int:
        """See `Engine.count`."""
        with self._store.reading() as connection:
            if condition is None:
                return self._store.count(connection, namespace)
            shard = self._fresh(connection, namespace, condition)
        with shard.lock.read():
            return int(np.count_nonzero(shard.mask(condition)))

    def records(self, namespace: str, condition: Filter | None) -> Iterator[Stored]:
        """See `Engine.records`."""
        with self._store.reading() as connection:
            keyed = self._passing(connection, namespace, condition)
        for start in range(0, len(keyed), BLOCK):
            ids = [identity for _, identity in keyed[start : start + BLOCK]]
            found = self.get(namespace, ids)
            yield from (found[identity] for identity in ids if identity in found)

    def _passing(
        self, connection: sqlite3.Connection, namespace: str, condition: Filter | None
    ) -> list[tuple[int, str]]:
        """(key, id) of the records that pass, in key order."""
        if condition is None:
            state = self._store.state(connection, namespace)
            return [] if state is None else [(key, i) for key, i, _ in self._store.scan_ids(connection, state.id)]
        shard = self._fresh(connection, namespace, condition)
        with shard.lock.read():
            rows = np.flatnonzero(shard.mask(condition))
            return [(key, shard.ids[row]) for key, row in zip(shard.keys[rows].tolist(), rows.tolist(), strict=True)]

    def namespaces(self) -> list[str]:
        """See `Engine.namespaces`."""
        with self._store.reading() as connection:
            return self._store.namespaces(connection)

    def stats(self, namespace: str) -> Stats:
        """See `Engine.stats`."""
        with self._store.reading() as connection:
            shard = self._fresh(connection, namespace, None)
            identity = self._identity(connection)
        embedder = None if identity is None else identity.embedder
        with shard.lock.read():
            return Stats(
                namespace=namespace,
                records=shard.sparse.corpus_size,
                terms=shard.sparse.terms,
                dead_rows=shard.dead_rows,
                dimension=None if embedder is None else embedder.dimension,
                embedder=None if embedder is None else embedder.name,
                tokenizer=tokenizer_name(self.tokenizer) if identity is None else identity.tokenizer,
                dense_index="none" if shard.dense is None else shard.dense.kind,
                path=None if self._store.path is None else str(self._store.path),
                file_bytes=self._store.file_bytes(),
            )

    def close(self) -> None:
        """See `Engine.close`; the indexes are written beside the file, for a quick start next time."""
        with self._shards_lock:
            shards = list(self._shards.values())
            self._shards.clear()
        try:
            for shard in shards if not self._store.closed else ():
                with shard.lock.read():
                    shard.save_snapshot()
        finally:
            self._store.close()

    # -- the indexes ------------------------------------------------------------------------------------------------

    def _shard(self, namespace: str) -> Shard:
        """The namespace's indexes, made empty when not loaded; the least recently used ones make room."""
        with self._shards_lock:
            shard = self._shards.get(namespace)
            if shard is None:
                shard = self._shards[namespace] = Shard(namespace, self._store, self.tokenizer, self._config)
            self._shards.move_to_end(namespace)
            if len(self._shards) > self._config.loaded_namespaces:
                self._shards.popitem(last=False)
            return shard

    def _fresh(self, connection: sqlite3.Connection, namespace: str, condition: Filter | None) -> Shard:
        """The namespace's indexes, caught up with what the connection sees and ready for the filter."""
        shard = self._shard(namespace)
        if shard.is_behind(self._store.state(connection, namespace)) or not shard.can_filter(condition):
            self._catch_up(shard, {}, condition)
        return shard

    def _catch_up(self, shard: Shard, tokens: Mapping[str, list[str]], condition: Filter | None) -> None:
        """Bring indexes up to date; a connection must be in use, since in memory that comes before the shard's lock."""
        # Another thread may have taken the shard past what that connection sees, so look at the file once more.
        with shard.lock.write(), self._store.reading() as latest:
            shard.catch_up(latest, tokens)
            shard.built_with = self._identity(latest)
            if condition is not None:
                shard.load_columns(latest, condition)
        if shard.snapshot_is_overdue:
            with shard.lock.read():  # searches go on
                shard.save_snapshot()

    def _index(self, namespace: str, tokens: Mapping[str, list[str]]) -> None:
        """Bring loaded indexes up to date; others are left to the first search."""
        if namespace in self._shards:
            with self._store.reading():
                self._catch_up(self._shard(namespace), tokens, None)


def _check_same(stored: Identity | None, expected: Identity) -> None:
    if stored is not None and stored is not expected and stored != expected:
        raise MismatchError("this memory was rebuilt with another embedder or tokenizer meanwhile: reopen it")


def _check_vectors(drafts: Sequence[Draft], identity: Identity) -> None:
    """One record with a vector of its own kind would put all later rows out of step."""
    dimension = None if identity.embedder is None else identity.embedder.dimension
    if any((None if draft.vector is None else len(draft.vector)) != dimension for draft in drafts):
        raise MismatchError(f"a record's vector is missing or not of {dimension} numbers: add the records again")
