"""Answering one question over a namespace: all legs, the graph last, and what becomes of their candidates."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hybrid_agent_memory.decay import MISSING
from hybrid_agent_memory.engines import Candidates, EngineQuery, Moment
from hybrid_agent_memory.engines.local.graph import GraphIndex
from hybrid_agent_memory.engines.local.graph_facts import FactNode
from hybrid_agent_memory.engines.local.graph_shard import GraphShard
from hybrid_agent_memory.engines.local.shard import Mask, Shard
from hybrid_agent_memory.engines.local.store import Store
from hybrid_agent_memory.engines.local.view import GraphView, aligned_rows, ends_of, not_among
from hybrid_agent_memory.filters import And, Compare, Filter, Not
from hybrid_agent_memory.fusion import Signals, fuse_adaptively
from hybrid_agent_memory.legs.graph import SEED_HITS, Chain, Walk, path_to, walk
from hybrid_agent_memory.ranking import Handles, Ranking, in_order
from hybrid_agent_memory.records import Fact, Path, PathStep, Record
from hybrid_agent_memory.times import from_micros

SEEDING_K = 60.0
WORDS = 2.0  # deviations of cosine that the best match of words is worth when the walk compares matches with the query


def seen(moment: Moment, condition: Filter | None) -> Filter | None:
    """A filter, and that chunks had happened and were known at the time that is asked for."""
    parts: list[Filter] = [] if condition is None else [condition]
    if moment.as_of is not None:
        parts.append(Not(Compare("@time", "gt", (moment.as_of,))))
    if moment.known_at is not None:
        parts.append(Not(Compare("@created", "gt", (moment.known_at,))))
    return And(tuple(parts)) if len(parts) > 1 else parts[0] if parts else None


@dataclass(frozen=True, slots=True)
class Shards:
    """What one namespace is indexed in; `found` is the shard of the kind that is looked for."""

    chunks: Shard
    found: Shard
    graph_shard: GraphShard

    @property
    def graph(self) -> GraphIndex:
        """The graph of this moment."""
        return self.graph_shard.index

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold all of them as they are."""
        with ExitStack() as stack:
            stack.enter_context(self.chunks.lock.read())
            if self.facts_wanted:
                stack.enter_context(self.found.lock.read())
            stack.enter_context(self.graph_shard.lock.read())
            yield

    @property
    def facts_wanted(self) -> bool:
        """Whether facts are looked for, rather than chunks."""
        return self.found is not self.chunks


class Answering:
    """One question's view of the shards, whose locks the caller holds while it calls any method."""

    def __init__(self, shards: Shards, query: EngineQuery, condition: Filter | None) -> None:
        self._shards, self._query = shards, query
        self._chunks_allowed = shards.chunks.mask(condition)
        self._everything = condition is None and not shards.facts_wanted
        self.view = GraphView(shards.graph, shards.chunks, self._chunks_allowed, query.moment)
        self._allowed = self._facts_allowed() if shards.facts_wanted else self._chunks_allowed
        self._found_keys = shards.found.keys
        self._chunk_ids, self._chunk_times = shards.chunks.ids, shards.chunks.times
        self._signals = Signals()
        self._walk: Walk | None = None

    def _facts_allowed(self) -> Mask:
        """Facts of chunks that pass, of those that have not ended."""
        facts, chunks = self._shards.found, self._shards.chunks
        at = np.searchsorted(chunks.keys, facts.chunks)
        at[at == len(chunks.keys)] = 0
        if not len(chunks.keys):
            return np.zeros(len(facts.ids), np.bool_)
        passing: Mask = (chunks.keys[at] == facts.chunks) & self._chunks_allowed[at] & facts.alive
        return passing & not_among(facts, self.view.ended()) & self._known_to_graph()

    def _known_to_graph(self) -> Mask | np.bool_:
        """Which facts the graph has too: all, but when one of them was brought up to date a little later."""
        facts, known = self._shards.found, self._shards.graph.facts.by_key
        latest = facts.keys[np.flatnonzero(facts.alive)[-1]] if facts.sparse.corpus_size else None
        if facts.sparse.corpus_size == len(known) and latest == next(reversed(known), None):
            return np.True_
        return np.isin(facts.keys, np.fromiter(known, np.int64, len(known)))

    def rankings(self, outside: dict[str, list[tuple[int, float]]]) -> dict[str, Ranking]:
        """What each leg found; the graph starts from what the others did."""
        found, query = self._shards.found, self._query
        rankings = {
            leg: found.rank(leg, query, None if self._everything else self._allowed)
            for leg in query.legs
            if leg != "graph"
        }
        rankings |= {leg: found.passing(keyed, self._allowed) for leg, keyed in outside.items()}
        self._signals = found.signals(query, rankings.get("sparse"))
        if "graph" in query.legs and self._shards.graph:
            rankings["graph"] = self._walked(rankings)
        return rankings

    def _walked(self, rankings: dict[str, Ranking]) -> Ranking:
        found, query = self._shards.found, self._query
        ids_of = found.rows_as_they_are().ids_of
        first = fuse_adaptively(rankings, self._signals, SEEDING_K).best(SEED_HITS, ids_of).handles
        hits = [(self._handle(row), self._entities(row)) for row in first.tolist()]
        usual, spread = self._signals.backgrounds.get("dense", (0.0, 0.0))
        words = _by_row(rankings.get("sparse"))

        def nearness(handles: Handles) -> NDArray[np.float64]:
            rows = self._rows_of_facts(handles.tolist()) if self._shards.facts_wanted else handles
            near = WORDS * spread * np.array([words.get(row, 0.0) for row in rows.tolist()], np.float64)
            near[rows >= 0] += self._cosines(rows[rows >= 0])
            return near

        self._walk = walk(
            self.view,
            self.view.link(query.text),
            hits,
            asked=query.asked,
            kind="fact" if self._shards.facts_wanted else "chunk",
            depth=query.depth,
            nearness=None if query.vector is None or found.dense is None else nearness,
            usual=usual,
        )
        rows, kept = self._rows(self._walk.ranking.handles)
        unplaced = frozenset(row for row, (_, mentioned) in zip(first.tolist(), hits, strict=True) if not mentioned)
        self._signals = replace(self._signals, named=self._walk.named, unplaced=unplaced)
        ordered = in_order(Ranking(rows, self._walk.ranking.scores[kept]), ids_of)
        return Ranking(ordered.handles[: query.limit], ordered.scores[: query.limit])

    def _handle(self, row: int) -> int:
        """What the walk calls a row: a chunk's row, a fact's key."""
        return int(self._shards.found.keys[row]) if self._shards.facts_wanted else row

    def _rows(self, handles: Handles) -> tuple[Handles, NDArray[np.bool_]]:
        """Rows of what the walk found, and which of it they are: a fact may have ended that leads to another."""
        if not self._shards.facts_wanted:
            return handles, np.ones(len(handles), np.bool_)
        rows = self._rows_of_facts(handles.tolist())
        return rows[rows >= 0], rows >= 0

    def _rows_of_facts(self, keys: Sequence[int]) -> Handles:
        """The row of each fact; -1 for one that is gone or may not be seen."""
        return aligned_rows(self._found_keys, self._allowed, keys)

    def _entities(self, row: int) -> Sequence[int]:
        graph = self._shards.graph
        if not self._shards.facts_wanted:
            return self.view.entities_of(row)
        node = graph.facts.by_key[int(self._shards.found.keys[row])]
        ends = (node.subject, node.object)
        return sorted({graph.entities.entity_of(number) for number in ends if not graph.names.is_value(number)})

    def _cosines(self, rows: Handles) -> NDArray[np.float64]:
        dense, vector = self._shards.found.dense, self._query.vector
        if dense is None or vector is None:
            return np.zeros(len(rows))
        return dense.cosines(vector, rows).astype(np.float64)

    def signals(self) -> Signals:
        """What says which leg to trust."""
        return self._signals

    # -- of candidates ----------------------------------------------------------------------------------------------

    def candidates(self, rankings: Mapping[str, Ranking]) -> Candidates:
        """What the scores of all candidates also depend on."""
        found, graph = self._shards.found, self._shards.graph
        ranked = np.unique(np.concatenate([ranking.handles for ranking in rankings.values()] or [np.empty(0, np.intp)]))
        stated = self._stated(ranked)
        successors, until_then = self._successors(stated), self._until_then(stated)
        others = np.array([*successors.values(), *until_then.values()], np.intp)
        stated |= self._stated(others)
        rows = np.union1d(ranked, others)
        nodes = [graph.facts.by_key[key] for key in found.keys[rows].tolist()] if self._shards.facts_wanted else []
        asked = frozenset[str]() if self._signals.named else self._query.asked  # else the walk goes by them
        none = np.zeros(len(rows))
        chunks = (found.chunks if self._shards.facts_wanted else found.keys)[rows].tolist()
        lasting = [] if self._shards.facts_wanted else [r for r, told in stated.items() if any(map(self._lasts, told))]
        return Candidates(
            rows,
            found.times[rows],
            mentions=np.array([graph.most_mentions(chunk) for chunk in chunks], np.int64) if graph else None,
            events=np.array([node.kind == "event" for node in nodes] or none, np.bool_),
            asked=np.array([node.predicate in asked for node in nodes] or none, np.bool_),
            holding=np.isin(rows, lasting),
            successors=successors,
            spent=frozenset(row for row in successors if not any(map(self.view.holds, stated[row]))),
            until_then=until_then,
        )

    def _stated(self, rows: Handles) -> dict[int, list[FactNode]]:
        """By row, the facts that it states, or is; most rows have none and are left out."""
        told = ((row, self._nodes(row)) for row in rows.tolist()) if self._shards.graph else ()
        return {row: nodes for row, nodes in told if nodes}

    def _lasts(self, node: FactNode) -> bool:
        """Whether a fact is a relation that has begun and has not ended."""
        return node.kind == "relation" and self.view.is_current(node)

    def _until_then(self, stated: Mapping[int, Sequence[FactNode]]) -> dict[int, int]:
        """By row whose value is yet to come, the row of the value that holds until then and may be seen."""
        found: dict[int, int] = {}
        for row, nodes in stated.items():
            for node in nodes:
                before = self.view.until_then(node)
                other = -1 if before is None else self._row_of(before)
                if other not in (-1, row):
                    found.setdefault(row, other)
        return found

    def _row_of(self, node: FactNode) -> int:
        """The row of a fact, or of the chunk that states it; -1 for one that may not be seen."""
        place = self._rows_of_facts([node.key]) if self._shards.facts_wanted else self.view.rows_of([node.chunk])
        return int(place[0])

    def _successors(self, stated: Mapping[int, Sequence[FactNode]]) -> dict[int, int]:
        """By row, the row of what holds in the place of its first superseded fact, where that may be seen."""
        facts_wanted, graph, view = self._shards.facts_wanted, self._shards.graph, self.view
        wanted: list[tuple[int, int]] = []
        for row, nodes in stated.items():
            for fact in view.ended_among([node.key for node in nodes]):
                heir = view.heir(graph.facts.by_key[fact])
                if heir is not None:
                    wanted.append((row, heir.key if facts_wanted else heir.chunk))
        place = self._rows_of_facts if facts_wanted else view.rows_of
        found: dict[int, int] = {}
        for (row, _), other in zip(wanted, place([key for _, key in wanted]).tolist(), strict=True):
            if other not in (-1, row):
                found.setdefault(row, other)
        return found

    def _nodes(self, row: int) -> list[FactNode]:
        """The facts that a row states, or is."""
        key, graph = int(self._found_keys[row]), self._shards.graph
        if not self._shards.facts_wanted:
            return graph.facts_in(key)
        return [graph.facts.by_key[key]] if key in graph.facts.by_key else []

    def described(self, store: Store, connection: sqlite3.Connection, row: int, record: Record) -> "Described | None":
        """A candidate's path, facts and successor; None if it is a fact that is gone."""
        nodes = self._nodes(row)
        if self._shards.facts_wanted and not nodes:
            return None
        chain = None if self._walk is None else path_to(self.view, self._walk, self._handle(row))
        after = self._successors({row: nodes}).get(row)
        return Described(
            None if chain is None or self._is_gone(chain) else self._path(chain),
            self._facts(store, connection, nodes, record),
            None if after is None else self._shards.found.ids[after],
            self.view.first_statement(nodes[0]) if self._shards.facts_wanted else None,
        )

    def _is_gone(self, chain: Chain) -> bool:
        """Whether something of a chain was deleted since it was walked, or its rows are not what they were."""
        graph, chunks = self._shards.graph, self._shards.chunks
        facts = [step.fact for step in chain.steps if step.fact is not None]
        if chunks.ids is not self._chunk_ids or not all(fact in graph.facts.by_key for fact in facts):
            return True
        rows = [step.chunk for step in chain.steps] + ([] if chain.hit is None else [self._chunk_row(chain.hit)])
        return not all(row >= 0 and chunks.alive[row] for row in rows) or not all(
            graph.entities.is_live(step.start) for step in chain.steps
        )

    def _facts(
        self, store: Store, connection: sqlite3.Connection, nodes: list[FactNode], record: Record
    ) -> tuple[Fact, ...]:
        if self._shards.facts_wanted:
            return tuple(self.view.fact(node, record.text) for node in nodes)
        shown = [node for node in nodes if self.view.shows(node)]
        texts = store.texts_of(connection, [node.key for node in shown])
        return tuple(self.view.fact(node, texts[node.key]) for node in shown if node.key in texts)

    def _path(self, chain: Chain) -> Path:
        """The chain in words; a seed that no query names is said to come from the hit that mentions it."""
        graph, steps = self._shards.graph, []
        if chain.hit is not None:
            steps.append(self._mention(chain.steps[0].start, self._chunk_row(chain.hit), forward=False))
        for step in chain.steps:
            if step.fact is None:
                steps.append(self._mention(step.start, step.chunk, forward=True))
            else:
                node = graph.facts.by_key[step.fact]
                subject, obj = ends_of(graph.entities, node)
                chunk_id = self._chunk_ids[step.chunk]
                steps.append(PathStep(subject, node.predicate, obj, step.forward, node.span.valid_at, chunk_id))
        return Path(tuple(steps))

    def _chunk_row(self, handle: int) -> int:
        """The row of the chunk that a hit of the walk is, or is stated by; -1 if that is gone."""
        if not self._shards.facts_wanted:
            return handle
        node = self._shards.graph.facts.by_key.get(handle)
        return -1 if node is None else int(self.view.rows_of([node.chunk])[0])

    def _mention(self, entity: int, row: int, *, forward: bool) -> PathStep:
        time, chunk_id = int(self._chunk_times[row]), self._chunk_ids[row]
        when = None if time == MISSING else from_micros(time)
        return PathStep(self._shards.graph.entities.name_of(entity), "mentioned in", chunk_id, forward, when, chunk_id)


@dataclass(frozen=True, slots=True)
class Described:
    """What the graph knows of a candidate."""

    path: Path | None = None
    facts: tuple[Fact, ...] = ()
    superseded_by: str | None = None
    same_as: str | None = None


def _by_row(words: Ranking | None) -> dict[int, float]:
    """What BM25 found, as shares of its best score."""
    if words is None or not len(words):
        return {}
    return dict(zip(words.handles.tolist(), (words.scores / words.scores[0]).tolist(), strict=True))
