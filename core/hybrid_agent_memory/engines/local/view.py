"""What one search sees of a namespace's graph: only what passes the filter and holds at the time that is asked for."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from hybrid_agent_memory.engines import Moment
from hybrid_agent_memory.engines.local.graph import FactNode, GraphIndex
from hybrid_agent_memory.engines.local.shard import Mask, Shard
from hybrid_agent_memory.graph.names import Name, name_key, person_form
from hybrid_agent_memory.graph.resolution import person_meant
from hybrid_agent_memory.graph.timelines import Span
from hybrid_agent_memory.legs.graph import Edge, Rows
from hybrid_agent_memory.records import Fact, FactStatus
from hybrid_agent_memory.text import tokenize

HUB_CAP = 64
"""Neighbours of an entity that are looked at; past that an entity says nothing about any one of them."""
LONGEST_LINK = 8  # words, or twice as many characters of an unspaced script
BLOCK = 512


class GraphView:
    """The graph as `legs.graph` walks it; made for one search, under the locks of its shards."""

    def __init__(self, index: GraphIndex, chunks: Shard, allowed: Mask, moment: Moment) -> None:
        self._index, self._chunks, self._allowed, self._moment = index, chunks, allowed, moment
        self._ends = index.ends(moment.as_of, moment.known_at)
        self._frequencies: dict[int, int] = {}
        self._rows: dict[int, Rows] = {}
        self._edges: dict[int, list[Edge]] = {}

    @property
    def chunks(self) -> int:
        """See `Graph.chunks`."""
        return self._chunks.sparse.corpus_size

    def frequency(self, entity: int) -> int:
        """See `Graph.frequency`."""
        if entity not in self._frequencies:
            words = self._chunks.rarest_term(self._index.best_name(entity).key)
            self._frequencies[entity] = max(1, words, self._index.frequency(entity))
        return self._frequencies[entity]

    def chunks_of(self, entity: int) -> Rows:
        """See `Graph.chunks_of`."""
        if entity not in self._rows:
            keys = iter(()) if self._index.is_value(entity) else self._index.chunks_of(entity)
            self._rows[entity] = self._first_allowed(keys)
        return self._rows[entity]

    def _first_allowed(self, keys: Iterator[int]) -> Rows:
        kept = np.empty(0, np.intp)
        while len(kept) < HUB_CAP and (block := list(islice(keys, BLOCK))):
            rows = self._chunks.rows_of(block)
            kept = np.concatenate([kept, rows[self._allowed[rows]]])
        return kept[:HUB_CAP]

    def entities_of(self, chunk: int) -> Sequence[int]:
        """See `Graph.entities_of`."""
        return self._index.entities_of(int(self._chunks.keys[chunk]))

    def edges_of(self, entity: int) -> Sequence[Edge]:
        """See `Graph.edges_of`."""
        if entity not in self._edges:
            found: list[Edge] = []
            if not self._index.is_value(entity):
                for node in self._index.facts_about(entity):
                    row = self._row(node)
                    if row is not None and self.holds(node):
                        found.append(self._edge(node, entity, row))
                        if len(found) == HUB_CAP:
                            break
            self._edges[entity] = found
        return self._edges[entity]

    def _edge(self, node: FactNode, entity: int, row: int) -> Edge:
        subject, obj = self._index.entity(node.subject), self._index.entity(node.object)
        forward = subject == entity
        return Edge(node.key, obj if forward else subject, forward, node.triple.kind == "relation", row)

    def _row(self, node: FactNode) -> int | None:
        """The row of the chunk that states a fact, where that may be seen."""
        rows = self._chunks.rows_of([node.chunk])
        return int(rows[0]) if len(rows) and self._allowed[rows[0]] else None

    def holds(self, node: FactNode) -> bool:
        """Whether a fact has not ended."""
        end = self._ends.get(node.key)
        return end is None or end > self._moment.seen_at

    def ended(self) -> list[int]:
        """Keys of the facts that have ended."""
        return [key for key, end in self._ends.items() if end <= self._moment.seen_at]

    # -- from a query to entities -----------------------------------------------------------------------------------

    def link(self, text: str) -> list[int]:
        """The entities that a text names, in its order: longest names first, none inside another."""
        spans: list[tuple[int, int, int]] = []
        for start, end, numbers in sorted(self._named(text), key=lambda span: (span[0] - span[1], span[0])):
            if all(end <= other or start >= stop for other, stop, _ in spans):
                spans += [(start, end, number) for number in sorted(numbers)]
        entities = (self._index.entity(number) for _, _, number in sorted(spans))
        return list(dict.fromkeys(entity for entity in entities if not self._index.is_value(entity)))

    def _named(self, text: str) -> Iterator[tuple[int, int, set[int]]]:
        for start, end, key in _spans(text):
            written = text[start:end]
            numbers = self._written_so(self._index.keyed(key), written)
            if numbers:
                if tokenize(written):
                    yield start, end, numbers
            elif _may_be_short(written) and (meant := self._meant(written)) is not None:
                yield start, end, {meant}

    def _written_so(self, numbers: set[int], written: str) -> set[int]:
        """Of these names those that may be meant: a word in lower case is a name only where texts write it like that."""
        if not (written.islower() and written.isalpha() and written.isascii()):
            return numbers
        return {number for number in numbers if self._index.is_written(number, written)}

    def _meant(self, written: str) -> int | None:
        """The person that a short form means which the memory has only in full, such as 张总 for 张伟."""
        near = [self._index.name(number) for number in self._index.near(Name.of(written, "person"))]
        names = {name: self._index.representative_of(name) for name in near}
        meant = person_meant(written, near, names)
        return None if meant is None else self._index.number_of(meant)

    # -- what people see --------------------------------------------------------------------------------------------

    def fact(self, node: FactNode, text: str) -> Fact:
        """A fact as people see it, with the chunks that state it and may be seen."""
        stated_in = [other.chunk_id for other in self._index.same_fact(node) if self._row(other) is not None]
        made = fact_of(self._index, node, text, self._moment, tuple(dict.fromkeys(stated_in)))
        after = None if made.superseded_by is None else self._index.by_id(made.superseded_by)
        return made if after is None or self._row(after) is not None else replace(made, superseded_by=None)

    def timeline(self, subject: str | None, predicate: str | None) -> list[FactNode]:
        """Facts whose subject goes by a name, past ones too, oldest first; without a name all."""
        return [
            node
            for node in self._index.stated_of(subject)
            if predicate in (None, node.triple.predicate) and self._row(node) is not None
        ]

    def successor(self, node: FactNode) -> FactNode | None:
        """The fact that took the place of one that has ended."""
        if self.holds(node):
            return None
        span = self._index.span_of(node, self._moment.as_of, self._moment.known_at)
        return None if span.superseded_by is None else self._index.by_id(span.superseded_by)


def fact_of(index: GraphIndex, node: FactNode, text: str, moment: Moment, chunk_ids: tuple[str, ...]) -> Fact:
    """A fact as people see it: entities by their names, values as they were written."""
    span = index.span_of(node, moment.as_of, moment.known_at)
    return Fact(
        id=node.id,
        subject=index.name_of(node.subject),
        predicate=node.triple.predicate,
        object=index.name_of(node.object),
        kind=node.triple.kind,
        text=text,
        valid_at=span.valid_at,
        invalid_at=span.invalid_at,
        created_at=node.created_at,
        expired_at=span.expired_at,
        chunk_ids=chunk_ids,
        superseded_by=span.superseded_by,
        status=_status(span, moment.seen_at),
    )


def _status(span: Span, moment: datetime) -> FactStatus:
    if span.invalid_at is not None and span.invalid_at <= moment:
        return "past"
    return "upcoming" if span.valid_at is not None and span.valid_at > moment else "current"


def _may_be_short(written: str) -> bool:
    """Whether a stretch of a query may be a short form of a person's name: with a title, or one capitalised word."""
    if not written[0].isupper() and not _unspaced().match(written):
        return False
    form = person_form(written)
    return form is not None and form.short and (form.titled or " " not in written)


def _spans(text: str) -> list[tuple[int, int, str]]:
    """Every stretch of a text that might be a name, and its key: some words, or characters where they are not spaced."""
    found = []
    for run in _runs().finditer(text):
        start, end = run.span()
        for a in range(start, end):
            found += [(a, b, text[a:b].casefold()) for b in range(a + 2, min(end, a + 2 * LONGEST_LINK) + 1)]
    words = [(match.start(), match.end(), name_key(match.group())) for match in _words().finditer(text)]
    for at, (start, _, _) in enumerate(words):
        key = ""
        for _, end, word in words[at : at + LONGEST_LINK]:
            key = f"{key} {word}" if key else word
            found.append((start, end, key))
    return found


@cache
def _runs() -> re.Pattern[str]:
    return re.compile(r"[\u3040-\u30ff\u3400-\u9fff·]+")


@cache
def _unspaced() -> re.Pattern[str]:
    return re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


@cache
def _words() -> re.Pattern[str]:
    return re.compile(r"[^\s\u3040-\u30ff\u3400-\u9fff\"'“”‘’「」《》()（）,，。！？?!;；:：]+(?:'[^\W\d_]+)?")


def not_among(shard: Shard, keys: Sequence[int]) -> NDArray[np.bool_]:
    """Which rows of a shard are not among these keys."""
    mask = np.ones(len(shard.ids), np.bool_)
    if len(keys):
        mask[shard.rows_of(keys)] = False
    return mask
