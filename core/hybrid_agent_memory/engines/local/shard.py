"""The in-memory indexes of one namespace's chunks or facts, derived from the store and caught up from its log."""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import cast

import numpy as np
from numpy.typing import NDArray

from hybrid_agent_memory.config import Config
from hybrid_agent_memory.decay import MISSING
from hybrid_agent_memory.embedding import Identity
from hybrid_agent_memory.engines import EngineQuery, Evidence, RecordKind
from hybrid_agent_memory.engines.local import snapshot
from hybrid_agent_memory.engines.local.columns import Columns
from hybrid_agent_memory.engines.local.locks import ReadWriteLock
from hybrid_agent_memory.engines.local.sample import Background, BackgroundSample
from hybrid_agent_memory.engines.local.store import IDENTITY, NamespaceState, Store, StoredRecord
from hybrid_agent_memory.filters import Filter, keys_in, resolve
from hybrid_agent_memory.fusion import Signals
from hybrid_agent_memory.legs.dense import DenseIndex
from hybrid_agent_memory.legs.sparse import IncrementalBM25, grown
from hybrid_agent_memory.protocols import Tokenizer
from hybrid_agent_memory.ranking import Handles, Ranking, in_order
from hybrid_agent_memory.records import Record
from hybrid_agent_memory.text import tokenizer_name
from hybrid_agent_memory.times import to_micros

Mask = NDArray[np.bool_]
BLOCK = 4096
FEW_DEAD = 4096  # dead rows that are never worth a rebuild
CACHED_MASKS = 64
CACHED_NAMES = 16384
OVERDUE = 4  # times what is worth saving at the end
NO_CHUNK = -1
MOST_FILTER_KEYS = 256  # past this the columns begin anew, so that made-up keys do not fill the memory


@dataclass(frozen=True, slots=True)
class Numbering:
    """The ids and keys of rows; both are replaced, never changed, when rows are renumbered."""

    ids: list[str]
    keys: NDArray[np.int64]

    def ids_of(self, rows: Handles) -> list[str]:
        """The ids of some rows, in their order."""
        return [self.ids[row] for row in rows.tolist()]


class Shard:
    """Row-aligned indexes: row i of every leg, of the masks and of the ids is one record.

    Rows are only appended; a replaced record gets a new row. Dead rows go when the shard is rebuilt, which happens
    when they are more than `config.dead_share` of all rows. Every method but `catch_up` and `load_columns` wants the
    caller to hold `lock.read()`; those two want `lock.write()` and a connection in a transaction.
    """

    def __init__(self, name: str, kind: RecordKind, store: Store, tokenizer: Tokenizer, config: Config) -> None:
        self.name, self.kind, self.lock = name, kind, ReadWriteLock()
        self._store, self._tokenizer, self._config = store, tokenizer, config
        self._filter_keys: frozenset[str] = frozenset()
        self.built_with: Identity | None = None
        self._reset()

    def _reset(self) -> None:
        self.state = self._saved = NamespaceState(0)
        self.ids: list[str] = []
        self._keys = np.empty(0, np.int64)  # these three have room for rows to come
        self._times = np.empty(0, np.int64)
        self._chunks = np.empty(0, np.int64)
        self.sparse = IncrementalBM25(k1=self._config.k1, b=self._config.b)
        self.dense: DenseIndex | None = None
        self._columns = Columns()
        self._terms_of: dict[str, tuple[str, ...]] = {}
        self._sample = BackgroundSample()
        self._taken_background: Background | None = None
        self._forget_derived()

    def _forget_derived(self) -> None:
        self._masks: dict[Filter, Mask] = {}
        self._background_is_due = True

    @property
    def keys(self) -> NDArray[np.int64]:
        """The key of each row's record, ascending; as `times` and `chunks`, without the rows to come."""
        return self._keys[: len(self.ids)]

    @property
    def times(self) -> NDArray[np.int64]:
        """From when each row's record ages, in microseconds; `MISSING` where it never does."""
        return self._times[: len(self.ids)]

    @property
    def chunks(self) -> NDArray[np.int64]:
        """The key of the chunk that states each row's fact; `NO_CHUNK` in rows of chunks."""
        return self._chunks[: len(self.ids)]

    @property
    def alive(self) -> Mask:
        """Which rows hold a live record."""
        return self.sparse.live

    @property
    def dead_rows(self) -> int:
        """Rows whose record was deleted or replaced."""
        return len(self.ids) - self.sparse.corpus_size

    def is_behind(self, state: NamespaceState | None) -> bool:
        """Whether the store has something that is not indexed here; a reader's older view of it has not."""
        return state is not None and state != self.state and self.state.leads_to(state)

    # -- keeping up with the store ----------------------------------------------------------------------------------

    def catch_up(self, connection: sqlite3.Connection, tokens: Mapping[str, list[str]] | None = None) -> None:
        """Apply what was written since; `tokens` saves cutting known texts again.

        Indexes that a failure leaves half changed are thrown away and built anew from the store.
        """
        try:
            self._apply(connection, tokens or {})
        except BufferError:  # a traceback kept by the caller still looks at the old arrays
            self._reset()
            self._apply(connection, tokens or {})
        except BaseException:
            self._reset()
            raise

    def _apply(self, connection: sqlite3.Connection, tokens: Mapping[str, list[str]]) -> None:
        state = self._store.state(connection, self.name, self.kind)
        if state is None or not self.is_behind(state):
            return
        if not self.state.id and not self._filter_keys:  # a snapshot has no columns to go on with
            self._adopt_snapshot(connection, state)
        if self.state.deletions < state.log_floor or self.state.epoch != state.epoch:
            self._reset()
        self._remove(self._store.deleted_since(connection, state.id, self.state.deletions))
        self._append_all(self._store.scan(connection, state.id, self.state.last_key), tokens)
        if self.dead_rows > max(FEW_DEAD, self._config.dead_share * len(self.ids)):
            self._reset()
            self._append_all(self._store.scan(connection, state.id), {})
        self.state = state
        self._forget_derived()

    def _adopt_snapshot(self, connection: sqlite3.Connection, state: NamespaceState) -> None:
        """Start from the snapshot beside the file when the file has come from the snapshot's state."""
        if self._store.path is None:
            return
        directory = snapshot.directory_of(self._store.path, state.id)
        saved = snapshot.load(directory, self._config, self._built_with(connection))
        if saved is None or not saved.state.leads_to(state) or saved.state.deletions < state.log_floor:
            return
        records = self._store.scan_ids(connection, state.id)
        if not saved.leads_to(records, self._store.deleted_since(connection, state.id, saved.state.deletions)):
            return
        known = {key: identity for key, identity, _ in records}
        self.state, self._keys, self.sparse, self.dense = saved.state, saved.keys, saved.sparse, saved.dense
        aligned = self._store.times_and_chunks(connection, state.id)
        found = np.array([aligned.get(key, (MISSING, NO_CHUNK)) for key in saved.keys.tolist()], np.int64)
        self._times, self._chunks = found[:, 0].copy(), found[:, 1].copy()
        self.ids = [known.get(key, "") for key in saved.keys.tolist()]  # a key gone from the file is dead, or will be
        for row in np.flatnonzero(self.alive).tolist():
            self._sample.append(row, self.ids[row])
        self._saved = saved.state

    @property
    def _unsaved(self) -> int:
        """How many additions and deletions no snapshot holds."""
        return self.state.last_key - self._saved.last_key + self.state.deletions - self._saved.deletions

    @property
    def snapshot_is_overdue(self) -> bool:
        """Whether half of the work would be lost with this process; seldom true, and so seldom paid for."""
        return self._unsaved >= max(OVERDUE * snapshot.WORTH_SAVING, len(self.ids) // 2)

    def save_snapshot(self) -> None:
        """Write the indexes beside the file if that saves the next start noticeable work."""
        if self._store.path is None or min(len(self.ids), self._unsaved) < snapshot.WORTH_SAVING:
            return
        with self._store.reading() as connection:
            built_with = self._built_with(connection)
            stamps = {key: stamp for key, _, stamp in self._store.scan_ids(connection, self.state.id)}
        written = np.array([stamps.get(key, -1) for key in self.keys.tolist()], np.int64)
        made = snapshot.ShardSnapshot(self.state, self.keys, written, self.sparse, self.dense)
        snapshot.save(snapshot.directory_of(self._store.path, self.state.id), made, built_with)
        self._saved = self.state

    def _built_with(self, connection: sqlite3.Connection) -> str:
        """Everything that decides what the indexes of this file look like."""
        config = self._config
        numbers = [config.k1, config.b, config.int8_above, config.hnsw_above]
        return json.dumps(
            [self._store.uuid, self._store.meta(connection, IDENTITY), tokenizer_name(self._tokenizer), *numbers]
        )

    def _remove(self, keys: Sequence[int]) -> None:
        for row in self.rows_of(keys).tolist():
            self.sparse.remove(row)

    def _append_all(self, stored: Iterable[StoredRecord], tokens: Mapping[str, list[str]]) -> None:
        remaining = iter(stored)
        while block := list(islice(remaining, BLOCK)):
            self._append(block, tokens)

    def _append(self, block: Sequence[StoredRecord], tokens: Mapping[str, list[str]]) -> None:
        first, records = len(self.ids), [stored.record for stored in block]
        self.sparse.extend([tokens.get(r.text) or self._tokenizer(r.text) for r in records])
        vectors = [stored.vector for stored in block if stored.vector is not None]
        if vectors:
            self._append_vectors(np.stack(vectors))
        rows = first + len(block)
        self._keys, self._times = grown(self._keys, rows), grown(self._times, rows)
        self._chunks = grown(self._chunks, rows)
        self._keys[first:rows] = [stored.key for stored in block]
        self._times[first:rows] = [_ages_from(stored) for stored in block]
        self._chunks[first:rows] = [NO_CHUNK if stored.chunk is None else stored.chunk for stored in block]
        self.ids.extend(record.id for record in records)
        for row, record in enumerate(records, first):
            self._sample.append(row, record.id)
            if self._filter_keys:
                self._columns.append(row, _filterable(record, self._filter_keys))

    def _append_vectors(self, vectors: NDArray[np.float32]) -> None:
        if self.dense is None:
            config = self._config
            self.dense = DenseIndex(
                vectors.shape[1],
                int8_above=config.int8_above,
                hnsw_above=config.hnsw_above,
            )
        self.dense.append(vectors)

    def load_columns(self, connection: sqlite3.Connection, condition: Filter) -> None:
        """Build the columns of the keys that a filter looks at; others would only take memory."""
        if self.can_filter(condition):
            return
        known, wanted = self._filter_keys, keys_in(condition)
        if len(known | wanted) > MOST_FILTER_KEYS:
            known = frozenset()
        columns, missing = Columns(), wanted - known
        records = self._store.scan_records(connection, self.state.id)
        for row, record in zip(np.flatnonzero(self.alive).tolist(), records, strict=True):
            columns.append(row, _filterable(record, missing))
        if known:
            columns.take_over(self._columns)
        self._columns, self._filter_keys = columns, known | wanted

    def can_filter(self, condition: Filter | None) -> bool:
        """Whether the columns that a filter looks at are there."""
        return keys_in(condition) <= self._filter_keys

    # -- answering --------------------------------------------------------------------------------------------------

    def rows_of(self, keys: Sequence[int]) -> NDArray[np.intp]:
        """The live rows of those keys that have one."""
        wanted = np.asarray(keys, np.int64)
        known = self.keys
        at = np.searchsorted(known, wanted)
        at[at == len(known)] = 0
        if not len(known):
            return np.empty(0, np.intp)
        live: NDArray[np.intp] = at[(known[at] == wanted) & self.alive[at]]
        return live

    def mask(self, condition: Filter | None) -> Mask:
        """Which rows are live and pass."""
        if condition is None:
            return self.alive
        mask = self._masks.get(condition)
        if mask is None:
            mask = self._columns.mask(condition, len(self.ids)) & self.alive
            if len(self._masks) >= CACHED_MASKS:
                self._masks = {}
            self._masks[condition] = mask
        return mask

    def rank(self, leg: str, query: EngineQuery, allowed: Mask | None) -> Ranking:
        """The candidates of one leg as rows, score first and then id; with `allowed` None, of all live records."""
        if leg == "sparse":
            rows, scores = self.sparse.search(query.tokens, query.limit, allowed)  # dead rows have no postings
        elif self.dense is not None and query.vector is not None:
            rows, scores = self.dense.search(query.vector, query.limit, self.alive if allowed is None else allowed)
        else:
            rows, scores = np.empty(0, np.intp), np.empty(0)
        ordered = in_order(Ranking(rows, scores), self.rows_as_they_are().ids_of)
        return Ranking(ordered.handles[: query.limit], ordered.scores[: query.limit])

    def passing(self, keyed: Sequence[tuple[int, float]], allowed: Mask) -> Ranking:
        """Of what a leg outside this engine found, that which passes, in its order."""
        found = self.rows_of([key for key, _ in keyed])
        found = found[allowed[found]]
        rows = dict(zip(self.keys[found].tolist(), found.tolist(), strict=True))
        kept = [(rows[key], score) for key, score in keyed if key in rows]
        return Ranking(np.array([row for row, _ in kept], np.intp), np.array([score for _, score in kept], np.float64))

    def rows_as_they_are(self) -> "Numbering":
        """What the rows of this moment stand for, whatever becomes of the shard later."""
        return Numbering(self.ids, self.keys)

    def rarest_term(self, name: str) -> int:
        """How many records have the rarest term of a name: what is called by a common word is not rare itself."""
        terms = self._terms_of.get(name)
        if terms is None:
            if len(self._terms_of) >= CACHED_NAMES:
                self._terms_of = {}
            terms = self._terms_of[name] = tuple(self._tokenizer(name))
        return min((self.sparse.document_frequency(term) for term in terms), default=0)

    def signals(self, query: EngineQuery, words: Ranking | None) -> Signals:
        """What says which leg to trust for this query, of which `words` is what BM25 found."""
        known = frozenset(term for term in query.identifiers if self.sparse.document_frequency(term))
        rows = words.handles if known and words is not None else np.empty(0, np.intp)
        holding = dict(zip(rows.tolist(), self.sparse.coverage(sorted(known), rows).tolist(), strict=True))
        if query.vector is None or self.dense is None:
            return Signals(known, holding)
        cosines = self._background.vectors @ query.vector
        spread = {"dense": (float(cosines.mean()), float(cosines.std()))} if len(cosines) else {}
        return Signals(known, holding, spread)

    def evidence(self, query: EngineQuery, rows: NDArray[np.intp]) -> list[Evidence]:
        """How well each of these rows answers."""
        coverage = self.sparse.coverage(query.tokens, rows).tolist()
        if self.dense is None or query.vector is None or len(query.vector) != self.dense.dimension:  # rebuilt meanwhile
            return [Evidence(share, None, None) for share in coverage]
        cosines = self.dense.cosines(query.vector, rows).tolist()
        typical = self._background.typical
        return [Evidence(share, cosine, typical) for share, cosine in zip(coverage, cosines, strict=True)]

    @property
    def _background(self) -> Background:
        """The sample's vectors; after a write they are mostly the same, and are taken anew only when they are not."""
        taken = self._taken_background
        if taken is None or self._background_is_due:
            rows = self._sample.rows(self.ids, self.alive)
            if taken is None or not np.array_equal(rows, taken.rows):
                taken = Background.of(rows, cast(DenseIndex, self.dense).vectors().take(rows, axis=0))
            self._taken_background, self._background_is_due = taken, False
        return taken


def _ages_from(stored: StoredRecord) -> int:
    time = stored.record.time
    return MISSING if time is None or stored.lasting else to_micros(time)


def _filterable(record: Record, keys: Iterable[str]) -> Mapping[str, object]:
    fields = filter_fields(record)
    return {key: resolve(fields, key) for key in keys}


def filter_fields(record: Record) -> Mapping[str, object]:
    """What filters see of a record: its metadata under plain keys, its own fields under ``@`` names."""
    fields = {"@id": record.id, "@time": record.time, "@session": record.session}
    fields["@created"] = record.created_at
    return {**record.metadata, **fields, "@source": record.source, "@speaker": record.speaker}
