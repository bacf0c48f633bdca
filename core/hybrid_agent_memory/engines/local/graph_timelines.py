"""From when until when each fact holds, and what took the place of what.

That is asked of `timeline`, anew for the slots that a change can affect; for another moment, when somebody asks.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from hybrid_agent_memory.engines import Moment
from hybrid_agent_memory.engines.local.graph_entities import EntityIndex
from hybrid_agent_memory.engines.local.graph_facts import FactIndex, FactNode, Slot, by_time
from hybrid_agent_memory.graph.timelines import Span, Statement, timeline, visible, with_told_ends

CACHED_MOMENTS = 16


class TimelineIndex:
    """The spans of facts as of now, which it keeps in `FactNode.span`, and those of other moments."""

    def __init__(self, entities: EntityIndex, facts: FactIndex) -> None:
        self._entities, self._facts = entities, facts
        self._endings: Counter[str] = Counter()
        self._forgotten: Counter[str] = Counter()
        self._closed: dict[str, set[int]] = {}
        self._ends: dict[int, datetime] = {}
        self._ends_at: dict[tuple[datetime | None, datetime | None], dict[int, datetime | None]] = {}
        self._stale = set[Slot]()

    # -- keeping up -------------------------------------------------------------------------------------------------

    def add(self, node: FactNode) -> None:
        """Take in a fact; until `retime` it holds as its chunk says."""
        if node.ends_alike:
            self._endings[node.predicate] += 1
        if self._is_timed(node):
            self._stale.add(node.slot)
        if node.span.invalid_at is not None:
            self._ends[node.key] = node.span.invalid_at

    def remove(self, node: FactNode) -> None:
        """Take out a fact, before its names go."""
        self._put_span(node, Span(node.id))
        if self._is_timed(node):
            subject = self._entities.entity_of(node.subject)
            self._stale |= {node.slot, (subject, node.predicate)}  # the name itself may be gone
        self._forgotten[node.predicate] += node.ends_alike

    def retime(self, moved: Mapping[int, int]) -> None:
        """Derive anew the timelines that the changes since can affect.

        `moved` are the names that are of another entity now, each with the one that it was of.
        """
        for number, before in moved.items():
            self._stale.update(self._slots_with(number, before))
        entity_of = self._entities.entity_of
        for entity, predicate in {(entity_of(number), predicate) for number, predicate in self._stale}:
            for node, span in self._timeline(self._facts.in_slot(entity, predicate)):
                self._put_span(node, span)
        self._stale.clear()
        self._endings -= self._forgotten  # only now: their slots had to be timed once more
        self._forgotten.clear()
        self._ends_at.clear()

    def _is_timed(self, node: FactNode) -> bool:
        """Whether other facts of its slot may end a fact."""
        return node.single_valued or self._endings[node.predicate] > 0

    def _slots_with(self, number: int, entity: int) -> Iterator[Slot]:
        """The slots whose timeline a name of an entity is in, by its facts or as a value of theirs."""
        for node in self._facts.with_name(number):
            if self._is_timed(node):
                yield node.slot
                if node.subject == number:
                    yield entity, node.predicate

    def _put_span(self, node: FactNode, span: Span) -> None:
        before, node.span = node.span, span
        if span.invalid_at is None:
            self._ends.pop(node.key, None)
        else:
            self._ends[node.key] = span.invalid_at
        for fact in _closing(before) - _closing(span):
            self._closed[fact].discard(node.key)
            if not self._closed[fact]:
                del self._closed[fact]
        for fact in _closing(span) - _closing(before):
            self._closed.setdefault(fact, set()).add(node.key)

    # -- reading ----------------------------------------------------------------------------------------------------

    def closed_by(self, node: FactNode) -> list[FactNode]:
        """The facts whose place one took, or whose end it told, oldest first; not those that only end others."""
        closed = (self._facts.by_key[key] for key in self._closed.get(node.id, ()))
        return sorted((other for other in closed if not other.tells_end), key=by_time)

    def ends(self) -> Mapping[int, datetime]:
        """When facts end, of those that do, by key."""
        return self._ends

    def over(self, moment: Moment) -> list[int]:
        """Keys of the facts that have ended at a time, or that were not yet so, as far as was known then."""
        seen_at = moment.seen_at
        if moment.is_now:
            return [key for key, end in self._ends.items() if end <= seen_at]
        ends = self._ends_then(moment.as_of, moment.known_at)
        return [key for key, end in ends.items() if end is None or end <= seen_at]

    def _ends_then(self, as_of: datetime | None, known_at: datetime | None) -> Mapping[int, datetime | None]:
        """When facts end, of those that do, and None of those that were not yet so or known."""
        ends = self._ends_at.get((as_of, known_at))  # kept in hand: another reader may clear the table
        if ends is None:
            if len(self._ends_at) >= CACHED_MOMENTS:
                self._ends_at.clear()
            ends = self._ends_at[as_of, known_at] = dict(self._derived_ends(as_of, known_at))
        return ends

    def _derived_ends(self, as_of: datetime | None, known_at: datetime | None) -> Iterator[tuple[int, datetime | None]]:
        for entity, predicate in self._facts.slots():
            nodes = self._facts.in_slot(entity, predicate)
            ends = {node.key: span.invalid_at for node, span in self._timeline(nodes, as_of, known_at)}
            for node in nodes:
                if node.key not in ends:
                    yield node.key, None
                elif (end := ends[node.key]) is not None:
                    yield node.key, end

    def spans_beside(self, node: FactNode, as_of: datetime | None, known_at: datetime | None) -> dict[int, Span | None]:
        """From when until when the facts of a fact's slot hold, by key; None for one that was not yet so or known."""
        slot = self._facts.in_slot(self._entities.entity_of(node.subject), node.predicate)
        spans = {other.key: span for other, span in self._timeline(slot, as_of, known_at)}
        return {other.key: spans.get(other.key) for other in slot}

    def _timeline(
        self, nodes: Sequence[FactNode], as_of: datetime | None = None, known_at: datetime | None = None
    ) -> Iterator[tuple[FactNode, Span]]:
        by_id = {node.id: node for node in nodes}
        for single_valued in (True, False):
            group = [node for node in nodes if node.single_valued == single_valued]
            statements = visible(self._statements(group), known_at, as_of)
            if len(statements) < len(group):  # values are compared among what is left
                statements = self._statements([by_id[one.fact] for one in statements])
            for span in timeline(with_told_ends(statements)):
                yield by_id[span.fact], span

    def _statements(self, nodes: Sequence[FactNode]) -> list[Statement]:
        return [_statement(node, value) for node, value in zip(nodes, self._facts.values(nodes), strict=True)]


def _statement(node: FactNode, value: str) -> Statement:
    return Statement(
        fact=node.id,
        value=value,
        at=node.at,
        episode=node.episode_id,
        valid_at=node.span.valid_at,
        invalid_at=node.until,
        known_at=node.created_at,
        said=node.said,
        single_valued=node.single_valued,
        ends_alike=node.ends_alike,
    )


def _closing(span: Span) -> set[str]:
    """The facts that ended one."""
    return {fact for fact in (span.superseded_by, span.ended_by) if fact is not None}
