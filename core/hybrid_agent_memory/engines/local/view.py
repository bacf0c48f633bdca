"""What one search sees of a namespace's graph: only what passes the filter and holds at the time that is asked for."""

import re
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from itertools import islice
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from hybrid_agent_memory.engines import Moment
from hybrid_agent_memory.engines.local.graph import GraphIndex
from hybrid_agent_memory.engines.local.graph_entities import EntityIndex
from hybrid_agent_memory.engines.local.graph_facts import ALIAS, FactNode
from hybrid_agent_memory.engines.local.shard import Mask, Shard
from hybrid_agent_memory.graph.names import LEFT_OUT, Name, name_key, person_form
from hybrid_agent_memory.graph.resolution import person_meant
from hybrid_agent_memory.graph.surnames import split_surname
from hybrid_agent_memory.graph.timelines import Span
from hybrid_agent_memory.legs.graph import Edge, Rows
from hybrid_agent_memory.records import Fact, FactStatus
from hybrid_agent_memory.text import tokenize

HUB_CAP = 64
"""Neighbours of an entity that are looked at; past that an entity says nothing about any one of them."""
MOST_PERSONS = 256
"""Names that a short form may stand for; one that more persons have means none of them."""
LONGEST_HAN_SHORT = 5  # characters: 欧阳总经理
NICKNAMES = "老小阿"
LONGEST_QUERY = 2_000  # characters in which names are looked for
LONGEST_LINK = 8  # words, or twice as many characters of an unspaced script
LONGEST_BESIDE = 5  # characters of an unspaced script that belong to the word beside them
_UNSPACED = r"\u3040-\u30ff\u3400-\u9fff"  # a range of characters
T = TypeVar("T")


class GraphView:
    """The graph as `legs.graph` walks it; made for one search, under the locks of its shards."""

    def __init__(self, graph: GraphIndex, chunks: Shard, allowed: Mask, moment: Moment) -> None:
        self._graph, self._chunks, self._allowed, self._moment = graph, chunks, allowed, moment
        self._names, self._entities, self._facts = graph.names, graph.entities, graph.facts
        self._keys = chunks.keys  # as many as there are in `allowed`, whatever is written later
        self._is_now = moment.is_now
        self._seen_at = moment.seen_at
        self._heirs: dict[int, FactNode | None] = {}
        self._frequencies: dict[int, int] = {}
        self._rows: dict[int, Rows] = {}
        self._edges: dict[int, list[Edge]] = {}
        self._spans: dict[int, Span | None] = {}
        self._shorts: dict[str, int | None] = {}
        self._statements: dict[Hashable, tuple[tuple[str, ...], str]] = {}

    @property
    def chunks(self) -> int:
        """See `Graph.chunks`."""
        return self._chunks.sparse.corpus_size

    def frequency(self, entity: int) -> int:
        """See `Graph.frequency`."""
        if entity not in self._frequencies:
            words = self._chunks.rarest_term(self._entities.best_name(entity).key)
            self._frequencies[entity] = max(1, words, self._entities.frequency(entity))
        return self._frequencies[entity]

    def chunks_of(self, entity: int) -> Rows:
        """See `Graph.chunks_of`."""
        if entity not in self._rows:
            keys = iter(()) if self._names.is_value(entity) else self._entities.chunks_of(entity)
            self._rows[entity] = self._first_allowed(keys)
        return self._rows[entity]

    def _first_allowed(self, keys: Iterator[int]) -> Rows:
        kept = np.empty(0, np.intp)
        for block in _blocks(keys):
            rows = self.rows_of(block)
            kept = np.concatenate([kept, rows[rows >= 0]])
            if len(kept) >= HUB_CAP:
                break
        return kept[:HUB_CAP]

    def rows_of(self, chunks: Sequence[int]) -> Rows:
        """The row of each chunk by its key; -1 for one that is gone or may not be seen."""
        return aligned_rows(self._keys, self._allowed, chunks)

    def entities_of(self, chunk: int) -> Sequence[int]:
        """See `Graph.entities_of`."""
        return self._graph.entities_of(int(self._keys[chunk]))

    def edges_of(self, entity: int) -> Sequence[Edge]:
        """See `Graph.edges_of`."""
        if entity not in self._edges:
            known = self._entities.is_live(entity) and not self._names.is_value(entity)
            self._edges[entity] = list(islice(self._edges_from(entity), HUB_CAP)) if known else []
        return self._edges[entity]

    def _edges_from(self, entity: int) -> Iterator[Edge]:
        """Latest first; written out, since a search takes a thousand of them."""
        entity_of, seen_at = self._entities.entity_of, self._seen_at
        for block in _blocks(self._facts.about(entity)):
            for node, row in zip(block, self.rows_of([node.chunk for node in block]).tolist(), strict=True):
                if row < 0:
                    continue
                end = node.span.invalid_at
                if ((end is None or end > seen_at) and not node.tells_end) if self._is_now else self.holds(node):
                    subject = entity_of(node.subject)
                    forward = subject == entity
                    other = entity_of(node.object) if forward else subject
                    yield Edge(node.key, other, forward, node.kind == "relation", row, node.predicate)

    def holds(self, node: FactNode) -> bool:
        """Whether a fact, which may be a plan, has not ended."""
        span = self.span(node)
        return span is not None and not node.tells_end and (span.invalid_at is None or span.invalid_at > self._seen_at)

    def span(self, node: FactNode) -> Span | None:
        """From when until when a fact holds, at the time that is asked for; None if it was not yet so, or known."""
        if self._is_now:
            return node.span
        if node.key not in self._spans:
            timelines = self._graph.timelines
            self._spans.update(timelines.spans_beside(node, self._moment.as_of, self._moment.known_at))
        return self._spans[node.key]

    def shows(self, node: FactNode) -> bool:
        """Whether a fact is among those that people see at the time that is asked for."""
        return not node.tells_end and (self._is_now or self.span(node) is not None)

    def ended(self) -> list[int]:
        """Keys of the facts that have ended, or that were not yet so, and of those that only end others."""
        return [*self._facts.endings, *self._graph.timelines.over(self._moment)]

    def ended_among(self, keys: Iterable[int]) -> list[int]:
        """Those of these facts that have ended, or that were not yet so."""
        if self._is_now:
            ends, seen_at = self._graph.timelines.ends(), self._seen_at
            keys = [key for key in keys if key in ends and ends[key] <= seen_at]
        nodes = [self._facts.by_key[key] for key in keys]
        return [node.key for node in nodes if not (node.tells_end or self.holds(node))]

    # -- from a query to entities -----------------------------------------------------------------------------------

    def link(self, text: str) -> list[int]:
        """The entities that a text names, in its order: longest names first, none inside another."""
        spans: list[tuple[int, int, int]] = []
        named = self._named(text[:LONGEST_QUERY])
        for start, end, numbers in sorted(named, key=lambda span: (span[0] - span[1], span[0])):
            if all(end <= other or start >= stop for other, stop, _ in spans):
                spans += [(start, end, number) for number in sorted(numbers)]
        entities = (self._entities.entity_of(number) for _, _, number in sorted(spans))
        return list(dict.fromkeys(entity for entity in entities if not self._names.is_value(entity)))

    def _named(self, text: str) -> Iterator[tuple[int, int, set[int]]]:
        for start, end, key in _spans(text):
            written = text[start:end]
            numbers = self._written_so(self._names.keyed(key), written)
            if numbers:
                if tokenize(written):
                    yield start, end, numbers
            elif _may_be_short(written) and (meant := self._meant(written)) is not None:
                yield start, end, {meant}

    def _written_so(self, numbers: set[int], written: str) -> set[int]:
        """Of these names those that may be meant.

        A word in lower case is one only where texts write the name so, or never use the word for anything else.
        """
        if not (written.islower() and written.isalpha() and written.isascii()):
            return numbers
        return {n for n in numbers if self._names.is_written(n, written) or self._is_only_a_name(n)}

    def _is_only_a_name(self, number: int) -> bool:
        """Whether every record that has the word mentions what it is the name of."""
        mentions = self._entities.frequency(self._entities.entity_of(number))
        return self._chunks.rarest_term(self._names.by_number[number].key) <= mentions

    def _meant(self, written: str) -> int | None:
        """The person that a short form means which the memory has only in full, such as 张总 for 张伟."""
        if written not in self._shorts:
            self._shorts[written] = self._person_meant(written)
        return self._shorts[written]

    def _person_meant(self, written: str) -> int | None:
        near = [self._names.by_number[number] for number in self._names.near(Name.of(written, "person"), MOST_PERSONS)]
        names = {name: self._entities.one_name_of(name) for name in near}
        meant = person_meant(written, near, names)
        return None if meant is None else self._names.numbers[meant]

    # -- what people see --------------------------------------------------------------------------------------------

    def fact(self, node: FactNode, text: str) -> Fact:
        """A fact as people see it, with the chunks that state it and may be seen."""
        stated_in, _ = self._stated(node)
        return fact_of(self._entities, node, text, self._moment, stated_in, self._shown(self.span(node) or node.span))

    def first_statement(self, node: FactNode) -> str:
        """The id of the oldest fact that states the same."""
        return self._stated(node)[1]

    def _stated(self, node: FactNode) -> tuple[tuple[str, ...], str]:
        """The chunks that state a fact and may be seen, and the oldest statement; of many alike looked up once."""
        key = self._facts.sameness(node)
        if key not in self._statements:
            stated = self._facts.same_fact(node)
            seen = zip(stated, self.rows_of([other.chunk for other in stated]).tolist(), strict=True)
            chunk_ids = tuple(dict.fromkeys(other.chunk_id for other, row in seen if row >= 0 and self.shows(other)))
            self._statements[key] = chunk_ids, stated[0].id
        return self._statements[key]

    def _shown(self, span: Span) -> Span:
        """A span without the name of a successor that may not be seen."""
        after = None if span.superseded_by is None else self._facts.by_id(span.superseded_by)
        hidden = after is not None and self.rows_of([after.chunk])[0] < 0
        return replace(span, superseded_by=None) if hidden else span

    def timeline(
        self, subject: str | None, predicates: Collection[str] | None, inverse: Collection[str]
    ) -> list[FactNode]:
        """Facts about what goes by a name, past ones too, oldest first; see `Engine.facts`."""
        nodes = self._facts.stated_of(subject, predicates, inverse)
        rows = self.rows_of([node.chunk for node in nodes]).tolist()
        return [node for node, row in zip(nodes, rows, strict=True) if row >= 0 and self.shows(node)]

    def heir(self, node: FactNode) -> FactNode | None:
        """The last of the facts that took the place of one that has ended, one after the other, that may be seen."""
        way: list[FactNode] = []
        while node.key not in self._heirs and (after := self._successor(node)) is not None:
            way.append(node)
            node = after
        heir = self._heirs.get(node.key)
        for before, after in zip(reversed(way), [node, *reversed(way)], strict=False):
            heir = heir or (after if self._is_seen(after) else None)
            self._heirs[before.key] = heir
        return heir

    def is_current(self, node: FactNode) -> bool:
        """Whether a fact has begun and has not ended."""
        return self.holds(node) and not self._is_upcoming(node)

    def _is_upcoming(self, node: FactNode) -> bool:
        span = self.span(node)
        return span is not None and span.valid_at is not None and span.valid_at > self._seen_at

    def until_then(self, node: FactNode) -> FactNode | None:
        """The fact that holds until one that is yet to come takes its place; None for any other."""
        while self._is_upcoming(node):
            before = [old for old in self._graph.timelines.closed_by(node) if self.holds(old)]
            if not before:
                return None
            node = before[-1]
            if not self._is_upcoming(node):
                return node
        return None

    def _is_seen(self, node: FactNode) -> bool:
        row = int(self._keys.searchsorted(node.chunk))
        return row < len(self._keys) and self._keys[row] == node.chunk and bool(self._allowed[row])

    def _successor(self, node: FactNode) -> FactNode | None:
        span = self.span(node)
        if span is None or span.superseded_by is None or self.holds(node):
            return None
        return self._facts.by_id(span.superseded_by)


def fact_of(
    entities: EntityIndex,
    node: FactNode,
    text: str,
    moment: Moment,
    chunk_ids: tuple[str, ...],
    span: Span | None = None,
) -> Fact:
    """A fact as people see it: entities by their names, values as they were written; `span` if not that of now."""
    span = span or node.span
    subject, obj = ends_of(entities, node)
    return Fact(
        id=node.id,
        subject=subject,
        predicate=node.predicate,
        object=obj,
        kind=node.kind,
        text=text,
        valid_at=span.valid_at,
        invalid_at=span.invalid_at,
        created_at=node.created_at,
        expired_at=span.expired_at,
        chunk_ids=chunk_ids,
        superseded_by=span.superseded_by,
        status=_status(span, moment.seen_at),
    )


def ends_of(entities: EntityIndex, node: FactNode) -> tuple[str, str]:
    """What people call the subject and the object of a fact; of one that tells another name, the two names."""
    called = entities.written if node.predicate == ALIAS else entities.name_of
    return called(node.subject), called(node.object)


def _status(span: Span, moment: datetime) -> FactStatus:
    if span.invalid_at is not None and span.invalid_at <= moment:
        return "past"
    return "upcoming" if span.valid_at is not None and span.valid_at > moment else "current"


def _may_be_short(written: str) -> bool:
    """Whether a stretch of a query may be a short form of a person's name: with a title, or one capitalised word."""
    if _unspaced().match(written):
        if len(written) > LONGEST_HAN_SHORT or not (written[0] in NICKNAMES or split_surname(written)):
            return False
    elif not written[0].isupper():
        return False
    form = person_form(written)
    return form is not None and form.short and (form.titled or " " not in written)


def _spans(text: str) -> list[tuple[int, int, str]]:
    """Every stretch of a text that might be a name, and its key: some words, or characters of unspaced script."""
    found = []
    for run in _runs().finditer(text):
        start, end = run.span()
        for a in range(start, end):
            found += [(a, b, text[a:b].casefold()) for b in range(a + 2, min(end, a + 2 * LONGEST_LINK) + 1)]
    words = [(match.start(), match.end(), name_key(match.group())) for match in _words().finditer(text)]
    for at, (start, _, first) in enumerate(words):
        key = ""
        for _, end, word in words[at : at + LONGEST_LINK]:
            key = f"{key} {word}" if key else word
            found.append((start, end, key))
            if not LEFT_OUT.isdisjoint((first, word)) and " " in key:
                found.append((start, end, name_key(key)))
    return [*found, *_mixed_spans(text)]


def _mixed_spans(text: str) -> Iterator[tuple[int, int, str]]:
    """Stretches of unspaced script together with a word or number beside them: 客户A, 客户 A, A公司, 阿里云Pro套餐."""
    for word in _latin().finditer(text):
        near = max(0, word.start() - LONGEST_BESIDE - 1)
        before, behind = _before().search(text, near, word.start()), _behind().match(text, word.end())
        starts = range(before.start(), before.end("run")) if before else ()
        ends = range(behind.start("run") + 1, behind.end() + 1) if behind else ()
        for start in (*starts, word.start()):
            for end in (word.end(), *ends):
                if end - start > word.end() - word.start():
                    yield start, end, name_key(text[start:end])


@cache
def _runs() -> re.Pattern[str]:
    return re.compile(rf"[{_UNSPACED}·]+")


@cache
def _latin() -> re.Pattern[str]:
    return re.compile(r"(?<![A-Za-z0-9])[A-Za-z0-9][A-Za-z0-9.+#_-]*")


@cache
def _before() -> re.Pattern[str]:
    return re.compile(rf"(?P<run>[{_UNSPACED}]{{1,{LONGEST_BESIDE}}}) ?$")


@cache
def _behind() -> re.Pattern[str]:
    return re.compile(rf" ?(?P<run>[{_UNSPACED}]{{1,{LONGEST_BESIDE}}})")


@cache
def _unspaced() -> re.Pattern[str]:
    return re.compile(f"[{_UNSPACED}]")


@cache
def _words() -> re.Pattern[str]:
    return re.compile(rf"[^\s{_UNSPACED}\"'“”‘’「」《》()（）,，。！？?!;；:：]+(?:'[^\W\d_]+)?")


def _blocks(values: Iterator[T]) -> Iterator[list[T]]:
    """All of them, the first ones in small portions."""
    size = HUB_CAP
    while block := list(islice(values, size)):
        yield block
        size *= 2


def aligned_rows(keys: NDArray[np.int64], allowed: Mask, wanted: Sequence[int]) -> Rows:
    """The row of each wanted key among ascending ones; -1 for a key that is not there or not allowed."""
    if not len(keys):
        return np.full(len(wanted), -1, np.intp)
    sought = np.array(wanted, np.int64)
    rows = np.minimum(keys.searchsorted(sought), len(keys) - 1)
    return np.where((keys[rows] == sought) & allowed[rows], rows, -1)


def not_among(shard: Shard, keys: Sequence[int]) -> NDArray[np.bool_]:
    """Which rows of a shard are not among these keys."""
    mask = np.ones(len(shard.ids), np.bool_)
    if len(keys):
        mask[shard.rows_of(keys)] = False
    return mask
