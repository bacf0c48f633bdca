"""The facts that chunks state: by key, id, name and slot, and which of them state the same."""

from bisect import bisect_left, insort
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from heapq import merge
from itertools import groupby
from typing import TypeVar

from hybrid_agent_memory.engines.local.graph_entities import EntityIndex
from hybrid_agent_memory.engines.local.graph_tables import StoredExtraction, StoredFact
from hybrid_agent_memory.extract import FactKind
from hybrid_agent_memory.graph.amounts import Amount, read_amount
from hybrid_agent_memory.graph.timelines import Span
from hybrid_agent_memory.times import from_micros

K = TypeVar("K")
Slot = tuple[int, str]
"""The number of a name, or of an entity, and a predicate."""
ALIAS = "alias"
"""The predicate of facts that call a name another name of an entity."""


@dataclass(slots=True, eq=False)
class FactNode:
    """A fact as one chunk states it; names by number, the fact by the key of its record.

    One that `tells_end` what was told before is no fact to show: its text says that something is not so any more.
    """

    key: int
    id: str
    chunk: int
    chunk_id: str
    episode_id: str
    subject: int
    predicate: str
    object: int
    kind: FactKind
    single_valued: bool
    until: datetime | None
    ends_alike: bool
    tells_end: bool
    at: datetime
    said: datetime | None
    created_at: datetime
    span: Span
    amount: Amount | None

    @property
    def slot(self) -> Slot:
        """The name and predicate that may have one value at a time."""
        return self.subject, self.predicate


def fact_node(fact: StoredFact, at: int, subject: int, obj: int, extraction: StoredExtraction) -> FactNode:
    """The fact that an extraction states in place `at`, counted from 0; so its id is the same whenever it is read."""
    identity = f"{extraction.chunk_id}!{at}"
    begins = extraction.time if fact.valid_at is None else from_micros(fact.valid_at)
    ends = None if fact.invalid_at is None else from_micros(fact.invalid_at)
    said = extraction.time or extraction.created_at
    name, kind = fact.object
    return FactNode(
        key=fact.key,
        id=identity,
        chunk=extraction.chunk,
        chunk_id=extraction.chunk_id,
        episode_id=extraction.episode_id,
        subject=subject,
        predicate=fact.predicate,
        object=obj,
        kind=fact.kind,
        single_valued=fact.single_valued,
        until=ends,
        ends_alike=fact.tells_end or (fact.valid_at is None and ends is not None and ends <= said),
        tells_end=fact.tells_end,
        at=begins or extraction.created_at,
        said=extraction.time,
        created_at=extraction.created_at,
        span=Span(identity, begins, ends if ends is None or begins is None else max(ends, begins)),
        amount=read_amount(name) if kind in ("amount", "other") else None,
    )


def by_time(node: FactNode) -> tuple[datetime, str, str]:
    """Orders facts, the oldest first."""
    return node.at, node.episode_id, node.id


class FactIndex:
    """The facts of a namespace.

    Attributes
    ----------
    by_key : dict of int to FactNode
        In the order of writing; only read by others.
    endings : set of int
        Keys of those that only end others; only read by others.
    """

    def __init__(self, entities: EntityIndex) -> None:
        self._entities = entities
        self.by_key: dict[int, FactNode] = {}
        self.endings = set[int]()
        self._key_of_id: dict[str, int] = {}
        self._of_name: dict[int, list[FactNode]] = {}
        self._of_slot: dict[Slot, list[FactNode]] = {}

    # -- keeping up -------------------------------------------------------------------------------------------------

    def add(self, node: FactNode) -> None:
        """Take in a fact, whose names are numbered already."""
        self.by_key[node.key] = node
        self._key_of_id[node.id] = node.key
        if node.tells_end:
            self.endings.add(node.key)
        for number in {node.subject, node.object}:
            _put_in(self._of_name.setdefault(number, []), node)
        _put_in(self._of_slot.setdefault(node.slot, []), node)
        if node.predicate == ALIAS:
            self._entities.count_alias(node.subject, node.object, 1)

    def remove(self, node: FactNode) -> None:
        """Take out a fact, before its names go."""
        del self.by_key[node.key]
        self.endings.discard(node.key)
        if self._key_of_id.get(node.id) == node.key:
            del self._key_of_id[node.id]
        for number in {node.subject, node.object}:
            _take_out(self._of_name, number, node)
        _take_out(self._of_slot, node.slot, node)
        if node.predicate == ALIAS:
            self._entities.count_alias(node.subject, node.object, -1)

    # -- finding ----------------------------------------------------------------------------------------------------

    def by_id(self, identity: str) -> FactNode | None:
        """A fact by its id."""
        key = self._key_of_id.get(identity)
        return None if key is None else self.by_key[key]

    def with_name(self, number: int) -> Sequence[FactNode]:
        """The facts that a name is an end of, oldest first."""
        return self._of_name.get(number, ())

    def about(self, entity: int) -> Iterator[FactNode]:
        """The facts that touch an entity, latest first."""
        facts = [self._of_name[number] for number in self._entities.members(entity) if number in self._of_name]
        if len(facts) == 1:
            return reversed(facts[0])
        return (node for node, _ in groupby(merge(*map(reversed, facts), key=by_time, reverse=True)))

    def stated_of(
        self,
        subject: str | None,
        predicates: Collection[str] | None = None,
        inverse: Collection[str] = (),
    ) -> list[FactNode]:
        """Facts about what goes by a name, oldest first; without a name all. See `Engine.facts`."""
        if subject is None:
            nodes: Iterable[FactNode] = self.by_key.values()
            return sorted((node for node in nodes if predicates is None or node.predicate in predicates), key=by_time)
        names = [number for entity in self._entities.called(subject) for number in self._entities.members(entity)]
        if predicates is None:
            found = [node for number in names for node in self.with_name(number) if node.subject == number]
        else:
            slots = [(number, predicate) for number in names for predicate in predicates]
            found = [node for slot in slots for node in self._of_slot.get(slot, ())]
        if inverse:
            about = (node for number in names for node in self.with_name(number) if node.object == number)
            found += [node for node in about if node.predicate in inverse]
        return sorted({node.key: node for node in found}.values(), key=by_time)

    def in_slot(self, entity: int, predicate: str) -> list[FactNode]:
        """The facts that tell an entity's values of a predicate, each name's oldest first."""
        members = self._entities.members(entity) or (entity,)
        return [node for number in members for node in self._of_slot.get((number, predicate), ())]

    def slots(self) -> set[Slot]:
        """All slots, by entity."""
        return {(self._entities.entity_of(number), predicate) for number, predicate in self._of_slot}

    # -- which state the same ---------------------------------------------------------------------------------------

    def values(self, nodes: Sequence[FactNode]) -> list[str]:
        """What the objects of facts are compared by; amounts by value, and by currency where all of them have one."""
        named = all(node.amount is None or node.amount.currency is not None for node in nodes)
        return [
            f"entity {self._end(node, node.object)}"
            if node.amount is None
            else f"amount {node.amount.value.normalize():f} {node.amount.currency if named else ''}"
            for node in nodes
        ]

    def sameness(self, node: FactNode) -> Hashable:
        """Equal for two statements if they state the same: by all that `same_fact` goes by."""
        return self._told(node), self._end(node, node.object) if node.amount is None else node.amount

    def same_fact(self, node: FactNode) -> list[FactNode]:
        """Every statement of what this one states, itself included, oldest first."""
        subjects, objects = (
            self._entities.members(self._entities.entity_of(number)) or (number,)
            for number in (node.subject, node.object)
        )
        stated = [self._of_slot.get((number, node.predicate), []) for number in subjects]
        about = [self._of_name.get(number, []) for number in objects]
        if node.amount is None and sum(map(len, about)) < sum(map(len, stated)):
            stated = about
        return sorted((other for nodes in stated for other in nodes if self._same(node, other)), key=by_time)

    def _end(self, node: FactNode, number: int) -> int:
        """What an end of a fact is: an entity, but of facts that tell another name, that name."""
        return number if node.predicate == ALIAS else self._entities.entity_of(number)

    def _same(self, node: FactNode, other: FactNode) -> bool:
        return self._told(node) == self._told(other) and len(set(self.values([node, other]))) == 1

    def _told(self, node: FactNode) -> Hashable:
        """What a statement is about: all but its value that those of one fact have in common."""
        day = None if node.kind == "relation" else node.at.date()
        return self._end(node, node.subject), node.predicate, day, node.span.superseded_by


def _put_in(nodes: list[FactNode], node: FactNode) -> None:
    if nodes and by_time(nodes[-1]) > by_time(node):
        insort(nodes, node, key=by_time)
    else:
        nodes.append(node)


def _take_out(table: dict[K, list[FactNode]], key: K, node: FactNode) -> None:
    nodes = table[key]
    del nodes[bisect_left(nodes, by_time(node), key=by_time)]
    if not nodes:
        del table[key]
