"""The embedded engine: SQLite as the truth, in-memory indexes per namespace derived from it."""

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from hybrid_agent_memory.config import Config
from hybrid_agent_memory.embedding import Identity
from hybrid_agent_memory.engines import (
    ChunkReport,
    Draft,
    EngineAnswer,
    EngineQuery,
    Extracted,
    Found,
    Moment,
    RecordKind,
    Removed,
    Stored,
    Vector,
)
from hybrid_agent_memory.engines.local import graph_tables
from hybrid_agent_memory.engines.local.answer import Answering, Described, Shards, seen
from hybrid_agent_memory.engines.local.graph import GraphIndex
from hybrid_agent_memory.engines.local.graph_shard import GraphShard
from hybrid_agent_memory.engines.local.graph_tables import NewExtraction, mention_of
from hybrid_agent_memory.engines.local.reports import (
    Closed,
    Known,
    as_facts,
    chunk_reports,
    closed_by,
    facts_in,
    facts_to_report,
    known_before,
    reopened,
    stated_in,
)
from hybrid_agent_memory.engines.local.shard import BLOCK, Numbering, Shard
from hybrid_agent_memory.engines.local.store import IDENTITY, Durability, NamespaceState, NewRow, Store
from hybrid_agent_memory.engines.local.view import GraphView
from hybrid_agent_memory.engines.ownership import check_free
from hybrid_agent_memory.errors import MismatchError
from hybrid_agent_memory.extract import Extraction
from hybrid_agent_memory.filters import Filter
from hybrid_agent_memory.graph.names import Name
from hybrid_agent_memory.graph.resolution import Constraint
from hybrid_agent_memory.protocols import Tokenizer
from hybrid_agent_memory.ranking import Handles
from hybrid_agent_memory.records import Entity, Fact, Record, Stats
from hybrid_agent_memory.text import tokenizer_name

KINDS: tuple[RecordKind, ...] = ("chunk", "fact")


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
        self._shards: OrderedDict[tuple[str, RecordKind], Shard] = OrderedDict()
        self._graphs: OrderedDict[str, GraphShard] = OrderedDict()
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

    def write(self, namespace: str, drafts: Sequence[Draft], identity: Identity) -> list[ChunkReport]:
        """See `Engine.write`."""
        named = [draft.extracted for draft in drafts if draft.extracted is not None]
        if named:
            with self._store.reading() as connection:  # so that no other writer waits while the graph is built
                self._fresh_graph(connection, namespace)
        with self._store.writing() as connection:
            stored = self._identity(connection)
            _check_same(stored, identity)
            _check_vectors(drafts, identity)
            if stored is None:
                self._store.set_meta(connection, IDENTITY, identity.to_json())
                self._store.new_epoch(connection)  # dead rows of an emptied memory may have other vectors
            known = self._known(connection, namespace, named) if named else {}
            before = self._store.state_for_writing(connection, namespace)
            ids = list(dict.fromkeys(one for draft in drafts for one in (draft.record.id, draft.record.episode_id)))
            replaced = self._named(connection, before, ids)
            self._check_free(connection, drafts, replaced)
            closed = self._closed_by(connection, namespace, replaced) if any(map(_is_read, drafts)) else Closed()
            owners = self._store.by_key(connection, sorted(set(closed.by.values())))
            graph_tables.forget_chunks(self._store, connection, namespace, sorted(replaced))
            rows = [NewRow(draft.record, draft.vector, _pinned(draft.record)) for draft in drafts]
            keys = self._store.insert(connection, before, rows)
            keyed = dict(zip(keys, drafts, strict=True))
            graph_tables.queue(connection, before.id, [key for key, draft in keyed.items() if draft.pending])
            extracted = {key: draft.extracted for key, draft in keyed.items() if draft.extracted is not None}
            self._store_extracted(connection, namespace, extracted)
        if not before.last_key:  # index a new namespace as it grows; one not loaded is left to its first search
            self._shard(namespace, "chunk")
        self._index(namespace, {draft.record.text: draft.tokens for draft in drafts})
        now = max((draft.record.created_at for draft in drafts), default=datetime.now(UTC))
        reports = self._report(namespace, list(extracted), known, now) if extracted else {}
        for fact in self._reopened(namespace, closed, now):
            key = _in_place_of(owners[closed.by[fact.id]], keyed)
            report = reports.get(key, ChunkReport())
            reports[key] = replace(report, reopened=(*report.reopened, fact))
        return [reports.get(key, ChunkReport()) for key in keys]

    def _check_free(self, connection: sqlite3.Connection, drafts: Sequence[Draft], replaced: Iterable[int]) -> None:
        """Refuse what another writer has taken since it was looked at; `add` without extraction may take any id."""
        chunks = [draft.record for draft in drafts if _is_read(draft)]
        if chunks:
            stored = self._store.by_key(connection, sorted(replaced)).values()
            check_free(chunks, {record.id: record.episode_id for record in stored})

    def _closed_by(self, connection: sqlite3.Connection, namespace: str, chunks: Iterable[int]) -> Closed:
        """What chunks that are about to go have closed."""
        keys = sorted(chunks)
        if not keys:
            return Closed()
        graph = self._fresh_graph(connection, namespace)
        with graph.lock.read():
            return closed_by(graph.index, keys)

    def _named(self, connection: sqlite3.Connection, state: NamespaceState, ids: Iterable[str]) -> dict[int, str]:
        """By key, the chunks with these ids and those of episodes with them."""
        wanted = set(ids)
        found = dict(self._store.keys_by_id(connection, state.id, wanted))
        return found | dict(self._store.keys_of_episodes(connection, state.id, wanted))

    def _known(self, connection: sqlite3.Connection, namespace: str, extracted: Sequence[Extracted]) -> Known:
        graph = self._fresh_graph(connection, namespace)
        with graph.lock.read():
            return known_before(graph.index, extracted)

    def _report(self, namespace: str, chunks: Sequence[int], known: Known, now: datetime) -> dict[int, ChunkReport]:
        with self._store.reading() as connection:
            graph = self._fresh_graph(connection, namespace)
            with graph.lock.read():
                texts = self._store.texts_of(connection, facts_to_report(graph.index, chunks))
                return dict(chunk_reports(graph.index, chunks, known, texts, Moment(now)))

    def stated(self, namespace: str, ids: Iterable[str], now: datetime) -> dict[str, ChunkReport]:
        """See `Engine.stated`."""
        with self._store.reading() as connection:
            state = self._store.state(connection, namespace)
            keyed = {} if state is None else dict(self._store.keys_by_id(connection, state.id, ids))
            graph = self._fresh_graph(connection, namespace)
            with graph.lock.read():
                texts = self._store.texts_of(connection, facts_in(graph.index, keyed))
                return {keyed[key]: told for key, told in stated_in(graph.index, keyed, texts, Moment(now))}

    def _store_extracted(
        self, connection: sqlite3.Connection, namespace: str, extracted: Mapping[int, Extracted]
    ) -> None:
        """Store entities and facts of the chunks with these keys."""
        facts = [(key, fact) for key, one in extracted.items() for fact in one.facts]
        made: Iterator[int] = iter(())
        if facts:
            state = self._store.state_for_writing(connection, namespace, "fact")
            rows = [
                NewRow(fact.record, fact.vector, fact.triple.kind == "relation" or _pinned(fact.record), key)
                for key, fact in facts
            ]
            made = iter(self._store.insert(connection, state, rows))
        graph_tables.add_extractions(
            self._store,
            connection,
            namespace,
            [
                NewExtraction(key, one.extractor, one.mentions, [(next(made), fact.triple) for fact in one.facts])
                for key, one in extracted.items()
            ],
        )

    def attach(self, namespace: str, extracted: Mapping[int, Extracted], identity: Identity) -> int:
        """See `Engine.attach`."""
        with self._store.writing() as connection:
            _check_same(self._identity(connection), identity)
            waiting = graph_tables.waiting_among(connection, sorted(extracted))
            still = {key: extracted[key] for key in sorted(extracted) if key in waiting}
            self._store_extracted(connection, namespace, still)
        self._index(namespace, {})
        return len(still)

    def waiting(self, namespace: str, limit: int | None) -> dict[int, Record]:
        """See `Engine.waiting`."""
        with self._store.reading() as connection:
            state = self._store.state(connection, namespace)
            if state is None:
                return {}
            found = self._store.by_key(connection, graph_tables.waiting(connection, state.id, limit))
            return {key: found[key] for key in sorted(found)}

    def extractions(self, namespace: str, ids: Iterable[str]) -> dict[str, Extraction]:
        """See `Engine.extractions`."""
        with self._store.reading() as connection:
            state = self._store.state(connection, namespace)
            keyed = {} if state is None else dict(self._store.keys_by_id(connection, state.id, ids))
            said = graph_tables.extractions_of(connection, sorted(keyed))
            records = self._store.by_key(connection, [fact.key for _, facts in said.values() for fact in facts])
        return {
            keyed[chunk]: Extraction(
                tuple(mention_of(written) for written in mentions),
                tuple(fact.triple(records[fact.key].text) for fact in facts),
            )
            for chunk, (mentions, facts) in said.items()
        }

    def previous_turns(self, namespace: str, chunk: Record, limit: int, without: Collection[str] = ()) -> list[Record]:
        """See `Engine.previous_turns`."""
        with self._store.reading() as connection:
            state = self._store.state(connection, namespace)
            if state is None:
                return []
            keys = graph_tables.previous_turns(connection, state.id, chunk, limit, without)
            found = self._store.by_key(connection, keys)
            return [found[key] for key in keys]

    def constrain(
        self, namespace: str, constraints: Sequence[Constraint], now: datetime, sources: Iterable[Record] = ()
    ) -> bool:
        """See `Engine.constrain`."""
        wanted = {source.id: source for source in sources}
        with self._store.writing() as connection:
            state = self._store.state(connection, namespace)
            found = {} if state is None else self._store.by_id(connection, state.id, wanted)
            if wanted != {identity: stored.record for identity, stored in found.items()}:
                return False
            chunks = sorted(stored.key for stored in found.values())
            for constraint in constraints:
                graph_tables.add_constraint(self._store, connection, namespace, constraint, now, chunks)
        return True

    def mentioning(self, namespace: str, name: Name, limit: int) -> list[Record]:
        """See `Engine.mentioning`."""
        with self._store.reading() as connection:
            graph = self._fresh_graph(connection, namespace)
            with graph.lock.read():
                keys = graph.index.entities.mentioning(name, limit)
            found = self._store.by_key(connection, keys)
            return [found[key] for key in keys if key in found]

    def delete(self, namespace: str, ids: Sequence[str] | None, condition: Filter | None, now: datetime) -> Removed:
        """See `Engine.delete`."""
        with self._store.reading() as connection:  # so that no other writer waits while indexes are built
            self._fresh_graph(connection, namespace)
            if condition is not None:
                self._fresh(connection, namespace, condition)
        with self._store.writing() as connection:
            state = self._store.state(connection, namespace)
            if state is None:
                return Removed()
            if ids is None:
                keyed = dict(self._passing(connection, namespace, condition))
            else:
                keyed = self._named(connection, state, ids)
            graph = self._fresh_graph(connection, namespace)
            with graph.lock.read():
                facts = [node.id for key in keyed for node in graph.index.facts_in(key) if not node.tells_end]
                closed = closed_by(graph.index, keyed)
            graph_tables.forget_chunks(self._store, connection, namespace, sorted(keyed))
        self._index(namespace, {})
        again = self._reopened(namespace, closed, now)
        return Removed(tuple(sorted(keyed.values())), tuple(sorted(facts)), again)

    def _reopened(self, namespace: str, closed: Closed, now: datetime) -> tuple[Fact, ...]:
        """Which of these facts hold again."""
        if not closed.ends:
            return ()
        with self._store.reading() as connection:
            graph = self._fresh_graph(connection, namespace)
            with graph.lock.read():
                open_again = reopened(graph.index, closed, now)
                texts = self._store.texts_of(connection, [node.key for node in open_again])
                return as_facts(graph.index.entities, open_again, texts, Moment(now))

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
            self._graphs.clear()

    # -- reading ----------------------------------------------------------------------------------------------------

    def search(self, namespace: str, query: EngineQuery) -> EngineAnswer:
        """See `Engine.search`."""
        condition = seen(query.moment, query.filter)
        with self._store.reading() as connection:
            shards = self._shards_for(connection, namespace, query.kind, condition)
            outside = {leg: self._keyed(connection, shards.found, given) for leg, given in query.outside.items()}
        with shards.locked():
            _check_same(shards.found.built_with, query.identity)
            answering = Answering(shards, query, condition)
            rankings = answering.rankings(outside)
            signals, candidates = answering.signals(), answering.candidates(rankings)
            rows = shards.found.rows_as_they_are()
        return EngineAnswer(
            rankings,
            signals,
            candidates,
            rows.ids_of,
            lambda handles: self._fetch(shards, answering, query, rows, handles),
        )

    def _shards_for(
        self, connection: sqlite3.Connection, namespace: str, kind: RecordKind, condition: Filter | None
    ) -> Shards:
        """What a search of one kind looks at; facts are found through their chunks, which filters are about."""
        chunks = self._fresh(connection, namespace, condition)
        found = chunks if kind == "chunk" else self._fresh(connection, namespace, None, "fact")
        return Shards(chunks, found, self._fresh_graph(connection, namespace))

    def _fetch(
        self, shards: Shards, answering: Answering, query: EngineQuery, seen_rows: Numbering, handles: Handles
    ) -> list[Found | None]:
        shard, keys = shards.found, seen_rows.keys[handles].tolist()
        with self._store.reading() as connection:
            records = self._store.by_key(connection, keys)
            with shards.locked():
                _check_same(shard.built_with, query.identity)
                rows = shard.rows_of(keys)
                evidence = dict(zip(shard.keys[rows].tolist(), shard.evidence(query, rows), strict=True))
                same_rows = shard.ids is seen_rows.ids
                told = {
                    key: described
                    for key, row in zip(keys, handles.tolist(), strict=True)
                    if key in records and key in evidence
                    for described in (
                        answering.described(self._store, connection, row, records[key]) if same_rows else Described(),
                    )
                    if described is not None
                }
        return [
            Found(
                records[key],
                evidence[key],
                told[key].path,
                told[key].facts,
                told[key].superseded_by,
                told[key].same_as,
            )
            if key in told
            else None
            for key in keys
        ]

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
            keys = [stored.key for stored in found.values()]
            extractors = graph_tables.extractors_of(connection, keys)
            waiting = graph_tables.waiting_among(connection, keys)
        return {
            identity: Stored(stored.record, stored.vector, extractors.get(stored.key), stored.key in waiting)
            for identity, stored in found.items()
        }

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
            graph = self._fresh_graph(connection, namespace)
            state = self._store.state(connection, namespace)
            pending = 0 if state is None else graph_tables.backlog(connection, state.id)
            identity = self._identity(connection)
        embedder = None if identity is None else identity.embedder
        with shard.lock.read(), graph.lock.read():
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
                facts=len(graph.index.facts.by_key) - len(graph.index.facts.endings),
                entities=len(graph.index.entities),
                pending=pending,
            )

    def constraints(self, namespace: str) -> list[Constraint]:
        """See `Engine.constraints`."""
        with self._store.reading() as connection:
            state = self._store.state(connection, namespace, "graph")
            return [] if state is None else graph_tables.constraints(connection, state.id)

    def resolved(self, namespace: str, constraints: Sequence[Constraint]) -> dict[Name, Name]:
        """See `Engine.resolved`."""
        with self._store.reading() as connection:
            graph = self._fresh_graph(connection, namespace)
        with graph.lock.read():
            return graph.index.entities.resolved_by(constraints)

    def merge_log(self, namespace: str) -> list[tuple[Constraint, datetime, bool]]:
        """See `Engine.merge_log`."""
        with self._store.reading() as connection:
            state = self._store.state(connection, namespace, "graph")
            return [] if state is None else graph_tables.merge_log(connection, state.id)

    def names(self, namespace: str) -> dict[Name, tuple[int, Name, str]]:
        """See `Engine.names`."""
        with self._store.reading() as connection:
            graph = self._fresh_graph(connection, namespace)
        with graph.lock.read():
            return graph.index.entities.live_names()

    def entities(self, namespace: str) -> list[Entity]:
        """See `Engine.entities`."""
        with self._store.reading() as connection:
            graph = self._fresh_graph(connection, namespace)
        with graph.lock.read():
            return list(graph.index.entities.described().values())

    def graph_version(self, namespace: str) -> Hashable:
        """See `Engine.graph_version`."""
        with self._store.reading() as connection:
            return self._store.state(connection, namespace, "graph")

    def facts(
        self,
        namespace: str,
        moment: Moment,
        subject: str | None = None,
        predicates: Collection[str] | None = None,
        inverse: Collection[str] = (),
    ) -> list[Fact]:
        """See `Engine.facts`."""
        with self._store.reading() as connection, self._seen(connection, namespace, moment) as (_, view):
            nodes = view.timeline(subject, predicates, inverse)
            texts = self._store.texts_of(connection, [node.key for node in nodes])
            return [view.fact(node, texts[node.key]) for node in nodes if node.key in texts]

    def drawn(self, namespace: str, moment: Moment) -> tuple[dict[int, Entity], list[tuple[int, int, Fact]]]:
        """See `Engine.drawn`."""
        with self._store.reading() as connection, self._seen(connection, namespace, moment) as (graph, view):
            nodes = [node for node in view.timeline(None, None, ()) if view.holds(node)]
            texts = self._store.texts_of(connection, [node.key for node in nodes])
            entity_of = graph.entities.entity_of
            return graph.entities.described(), [
                (entity_of(node.subject), entity_of(node.object), view.fact(node, texts[node.key]))
                for node in nodes
                if node.key in texts
            ]

    @contextmanager
    def _seen(
        self, connection: sqlite3.Connection, namespace: str, moment: Moment
    ) -> Iterator[tuple[GraphIndex, GraphView]]:
        """A namespace's graph and what of it is seen at a moment, while nobody writes to it."""
        condition = seen(moment, None)
        shards = self._shards_for(connection, namespace, "chunk", condition)
        with shards.locked():
            yield shards.graph, GraphView(shards.graph, shards.chunks, shards.chunks.mask(condition), moment)

    def close(self) -> None:
        """See `Engine.close`; the indexes are written beside the file, for a quick start next time."""
        with self._shards_lock:
            shards = list(self._shards.values())
            self._shards.clear()
            self._graphs.clear()
        try:
            for shard in shards if not self._store.closed else ():
                with shard.lock.read():
                    shard.save_snapshot()
        finally:
            self._store.close()

    # -- the indexes ------------------------------------------------------------------------------------------------

    def _shard(self, namespace: str, kind: RecordKind) -> Shard:
        """The namespace's indexes, made empty when not loaded; the least recently used ones make room."""
        with self._shards_lock:
            shard = self._shards.get((namespace, kind))
            if shard is None:
                shard = Shard(namespace, kind, self._store, self.tokenizer, self._config)
                self._shards[namespace, kind] = shard
            self._shards.move_to_end((namespace, kind))
            if len(self._shards) > 2 * self._config.loaded_namespaces:
                self._shards.popitem(last=False)
            return shard

    def _graph(self, namespace: str) -> GraphShard:
        """The namespace's graph, made empty when not loaded."""
        with self._shards_lock:
            graph = self._graphs.setdefault(namespace, GraphShard(namespace, self._store))
            self._graphs.move_to_end(namespace)
            if len(self._graphs) > self._config.loaded_namespaces:
                self._graphs.popitem(last=False)
            return graph

    def _fresh(
        self, connection: sqlite3.Connection, namespace: str, condition: Filter | None, kind: RecordKind = "chunk"
    ) -> Shard:
        """The namespace's indexes, caught up with what the connection sees and ready for the filter."""
        shard = self._shard(namespace, kind)
        if shard.is_behind(self._store.state(connection, namespace, kind)) or not shard.can_filter(condition):
            self._catch_up(shard, {}, condition)
        return shard

    def _fresh_graph(self, connection: sqlite3.Connection, namespace: str) -> GraphShard:
        """The namespace's graph, caught up with what the connection sees."""
        graph = self._graph(namespace)
        if graph.is_behind(self._store.state(connection, namespace, "graph")):
            with graph.lock.write(), self._store.reading() as latest:
                graph.catch_up(latest)
        return graph

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
        with self._store.reading() as connection:
            for kind in KINDS:
                if (namespace, kind) in self._shards:
                    self._catch_up(self._shard(namespace, kind), tokens if kind == "chunk" else {}, None)
            if namespace in self._graphs:
                self._fresh_graph(connection, namespace)


def _is_read(draft: Draft) -> bool:
    """Whether entities and facts are, or will be, looked for in a draft."""
    return draft.extracted is not None or draft.pending


def _in_place_of(gone: Record, drafts: Mapping[int, Draft]) -> int:
    """The key of the draft that a stored chunk is replaced by: of its id, else the first of its episode."""
    ids = {gone.id, gone.episode_id}
    matching = [key for key, one in drafts.items() if not ids.isdisjoint((one.record.id, one.record.episode_id))]
    return max(matching, key=lambda key: drafts[key].record.id == gone.id)


def _pinned(record: Record) -> bool:
    return record.metadata.get("pinned") is True


def _check_same(stored: Identity | None, expected: Identity) -> None:
    if stored is not None and stored is not expected and stored != expected:
        raise MismatchError("this memory was rebuilt with another embedder or tokenizer meanwhile: reopen it")


def _check_vectors(drafts: Sequence[Draft], identity: Identity) -> None:
    """One record with a vector of its own kind would put all later rows out of step."""
    dimension = None if identity.embedder is None else identity.embedder.dimension
    if any((None if draft.vector is None else len(draft.vector)) != dimension for draft in drafts):
        raise MismatchError(f"a record's vector is missing or not of {dimension} numbers: add the records again")
