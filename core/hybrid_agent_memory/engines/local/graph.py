"""The graph of one namespace: entities, facts and timelines, derived from what each chunk says.

Which names are one entity is asked of `resolve`, anew for the names that a change can affect; timelines are asked of
`timeline`, anew for the slots that it can affect. So the state after any series of writes is that of a fresh build, and
a write costs what it changes.
"""

from array import array
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from heapq import merge
from itertools import islice
from typing import TypeVar

from hybrid_agent_memory.engines.local.graph_tables import StoredExtraction, StoredFact, Written
from hybrid_agent_memory.extract import FactKind
from hybrid_agent_memory.graph.amounts import Amount, read_amount
from hybrid_agent_memory.graph.names import Name, name_key
from hybrid_agent_memory.graph.resolution import Constraint, affected, blocking_keys, representative, resolve
from hybrid_agent_memory.graph.timelines import Span, Statement, timeline, visible, with_told_ends
from hybrid_agent_memory.records import Entity
from hybrid_agent_memory.times import from_micros

T = TypeVar("T")
K = TypeVar("K")
VALUES = frozenset({"amount", "date"})
"""Types of names that say how much or when; two chunks that have one in common have nothing to do with each other."""
ALIAS = "alias"
CACHED_MOMENTS = 16


@dataclass(slots=True, eq=False)
class FactNode:
    """A fact as one chunk states it; names by number, the fact by the key of its record."""

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
    tells_end: bool
    at: datetime
    said: datetime | None
    created_at: datetime
    span: Span
    amount: Amount | None

    @property
    def slot(self) -> "tuple[int, str]":
        """The name and predicate that may have one value at a time."""
        return self.subject, self.predicate


@dataclass(slots=True)
class Entry:
    """What one chunk says: names and how they are written there, those that are no values, and facts."""

    chunk: int
    names: tuple[int, ...]
    written: tuple[str, ...]
    named: tuple[int, ...]
    facts: tuple[int, ...]


class GraphIndex:
    """Entities and facts of a namespace, and the chunks that mention them. Not safe for threads by itself."""

    def __init__(self) -> None:
        self._names: dict[int, Name] = {}
        self._numbers: dict[Name, int] = {}
        self._forms: dict[tuple[str, str], int] = {}
        self._written: dict[int, Counter[str]] = {}
        self._chunks: dict[int, array[int]] = {}
        self._by_block: dict[str, set[int]] = {}
        self._by_key: dict[str, set[int]] = {}
        self._entity_of: dict[int, int] = {}
        self._members: dict[int, set[int]] = {}
        self._mentions: dict[int, int] = {}
        self._frequencies: dict[int, int] = {}
        self._constraints: list[Constraint] = []
        self._constraints_on: dict[Name, list[int]] = {}
        self._aliases: dict[int, Counter[int]] = {}
        self._entries: dict[int, Entry] = {}
        self._entry_of_chunk: dict[int, int] = {}
        self.facts: dict[int, FactNode] = {}
        self._fact_keys: dict[str, int] = {}
        self._facts_of: dict[int, list[FactNode]] = {}
        self._slots: dict[tuple[int, str], list[FactNode]] = {}
        self._endings: Counter[str] = Counter()
        self._forgotten: Counter[str] = Counter()
        self._superseded: dict[str, set[int]] = {}
        self._ends: dict[int, datetime] = {}
        self._ends_at: dict[tuple[datetime | None, datetime | None], dict[int, datetime]] = {}

    # -- keeping up -------------------------------------------------------------------------------------------------

    def apply(
        self,
        added: Iterable[StoredExtraction],
        deleted: Iterable[int],
        constraints: Sequence[Constraint] | None = None,
    ) -> None:
        """Take extractions in and out; constraints, when given, are all there are."""
        changed, slots = set[Name](), set[tuple[int, str]]()
        for key in deleted:
            self._remove(key, changed, slots)
        for extraction in added:
            self._add(extraction, changed, slots)
        if constraints is not None and constraints != self._constraints:
            changed |= self._constrain(constraints)
        slots |= self._regroup(changed)
        self._retime(slots)
        self._endings -= self._forgotten  # only now: their slots had to be timed once more
        self._forgotten.clear()
        self._ends_at.clear()

    def _constrain(self, constraints: Sequence[Constraint]) -> set[Name]:
        """Replace the constraints; gives the names that old or new ones speak of, but for a log that merely grew."""
        known = len(self._constraints)
        grown = list(constraints[:known]) == self._constraints
        changed = constraints[known:] if grown else [*self._constraints, *constraints]
        self._constraints, self._constraints_on = list(constraints), {}
        for at, one in enumerate(self._constraints):
            for name in (one.a, one.b):
                self._constraints_on.setdefault(name, []).append(at)
        return {name for one in changed for name in (one.a, one.b)}

    # -- what chunks say --------------------------------------------------------------------------------------------

    def _number(self, written: Written) -> int:
        number = self._forms.get(written)
        if number is None:
            form, kind = written
            number = self._forms[written] = self._numbered(Name(name_key(form), kind))
            self._written[number].setdefault(form, 0)
        return number

    def _numbered(self, name: Name) -> int:
        """The number of a name: the same whatever was written first, so that ties fall the same way everywhere."""
        number = self._numbers.get(name)
        if number is None:
            number = _digest(name)
            while number in self._names:
                number += 1
            self._numbers[name], self._names[number], self._written[number] = number, name, Counter()
        return number

    def _add(self, extraction: StoredExtraction, changed: set[Name], slots: set[tuple[int, str]]) -> None:
        written: dict[int, str] = {}
        for mention in extraction.mentions:
            written.setdefault(self._number(mention), mention[0])
        for at, fact in enumerate(extraction.facts):
            subject, obj = self._number(fact.subject), self._number(fact.object)
            written.setdefault(subject, fact.subject[0])
            written.setdefault(obj, fact.object[0])
            self._add_fact(self._node(fact, at, subject, obj, extraction), changed, slots)
        for number, form in written.items():
            self._written[number][form] += 1
            chunks = self._chunks.get(number)
            if chunks is None:
                chunks = self._chunks[number] = array("q")
                self._appear(number)
                changed.add(self._names[number])
            _insert(chunks, extraction.chunk)
        self._count(written, 1)
        facts = tuple(fact.key for fact in extraction.facts)
        names = tuple(written)
        named = tuple(number for number in names if self._names[number].type not in VALUES)
        named = names if len(named) == len(names) else named  # one tuple takes less memory than two
        self._entries[extraction.key] = Entry(extraction.chunk, names, tuple(written.values()), named, facts)
        self._entry_of_chunk[extraction.chunk] = extraction.key

    def _count(self, numbers: Iterable[int], change: int) -> None:
        """Count one more chunk, or one less, that mentions the entities of these names."""
        known = [self._entity_of[number] for number in numbers if number in self._entity_of]
        for entity in known:
            self._mentions[entity] += change
        for entity in self._frequencies.keys() & known:
            self._frequencies[entity] += change

    def _node(self, fact: StoredFact, at: int, subject: int, obj: int, extraction: StoredExtraction) -> FactNode:
        identity = fact_id(extraction.chunk_id, at)
        begins = extraction.time if fact.valid_at is None else from_micros(fact.valid_at)
        ends = None if fact.invalid_at is None else from_micros(fact.invalid_at)
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
            tells_end=fact.valid_at is None and ends is not None and ends <= (extraction.time or extraction.created_at),
            at=begins or extraction.created_at,
            said=extraction.time,
            created_at=extraction.created_at,
            span=Span(identity, begins, ends if ends is None or begins is None else max(ends, begins)),
            amount=read_amount(name) if kind in ("amount", "other") else None,
        )

    def _add_fact(self, node: FactNode, changed: set[Name], slots: set[tuple[int, str]]) -> None:
        self.facts[node.key] = node
        self._fact_keys[node.id] = node.key
        for number in {node.subject, node.object}:
            _put_in(self._facts_of.setdefault(number, []), node)
        _put_in(self._slots.setdefault(node.slot, []), node)
        if node.tells_end:
            self._endings[node.predicate] += 1
        if self._is_timed(node):
            slots.add(node.slot)
        if node.span.invalid_at is not None:
            self._ends[node.key] = node.span.invalid_at
        if node.predicate == ALIAS:
            self._count_alias(node, 1, changed)

    def _is_timed(self, node: FactNode) -> bool:
        """Whether other facts of its slot may end a fact."""
        return node.single_valued or self._endings[node.predicate] > 0

    def _count_alias(self, node: FactNode, change: int, changed: set[Name]) -> None:
        for one, other in ((node.subject, node.object), (node.object, node.subject)):
            changed.add(self._names[one])
            links = self._aliases.setdefault(one, Counter())
            links[other] += change
            if not links[other]:
                del links[other]
            if not links:
                del self._aliases[one]

    def _remove(self, key: int, changed: set[Name], slots: set[tuple[int, str]]) -> None:
        entry = self._entries.pop(key, None)
        if entry is None:
            return
        del self._entry_of_chunk[entry.chunk]
        for fact in entry.facts:
            self._remove_fact(self.facts.pop(fact), changed, slots)
        self._count(entry.names, -1)
        for number, form in zip(entry.names, entry.written, strict=True):
            self._written[number][form] -= 1
            chunks = self._chunks[number]
            chunks.pop(bisect_left(chunks, entry.chunk))
            if not chunks:
                self._vanish(number)
                changed.add(self._names[number])

    def _remove_fact(self, node: FactNode, changed: set[Name], slots: set[tuple[int, str]]) -> None:
        self._put_span(node, Span(node.id))
        if self._fact_keys.get(node.id) == node.key:
            del self._fact_keys[node.id]
        for number in {node.subject, node.object}:
            _take_out(self._facts_of, number, node)
        _take_out(self._slots, node.slot, node)
        if self._is_timed(node):
            slots |= {node.slot, (self.entity(node.subject), node.predicate)}  # the name itself may be gone
        self._forgotten[node.predicate] += node.tells_end
        if node.predicate == ALIAS:
            self._count_alias(node, -1, changed)

    def _appear(self, number: int) -> None:
        name = self._names[number]
        for block in blocking_keys(name):
            self._by_block.setdefault(block, set()).add(number)
        self._by_key.setdefault(name.key, set()).add(number)

    def _vanish(self, number: int) -> None:
        name = self._names[number]
        for block in blocking_keys(name):
            _drop(self._by_block, block, number)
        _drop(self._by_key, name.key, number)
        del self._chunks[number]

    def _forget(self, name: Name) -> None:
        """Leave no trace of a name that no chunk has."""
        number = self._numbers.get(name)
        if number is not None and number not in self._chunks:
            for form in self._written.pop(number):
                del self._forms[form, name.type]
            del self._numbers[name], self._names[number]

    # -- which names are one entity ---------------------------------------------------------------------------------

    def _regroup(self, changed: set[Name]) -> set[tuple[int, str]]:
        """Resolve anew every name that these can affect; gives the slots whose names or values changed hands."""
        if not changed:
            return set()
        block, resolved = self._resolved(changed)
        groups: dict[Name, list[int]] = {}
        for number in block:
            if number in self._chunks:
                groups.setdefault(resolved[self._names[number]], []).append(number)
        after = {number: min(group) for group in groups.values() for number in group}
        moved = [number for number in block if self._entity_of.get(number) != after.get(number)]
        slots = {slot for number in moved for slot in self._slots_with(number)}
        for entity in {entity for number in moved for entity in self._move(number, after.get(number))}:
            self._recount(entity)
        for name in changed:
            self._forget(name)
        return slots

    def _resolved(self, changed: set[Name]) -> tuple[list[int], Mapping[Name, Name]]:
        """The numbers of the names that a change affects, and of each that is live the name that stands for it."""
        constraints: Sequence[Constraint] = self._constraints
        block = given = frozenset(self._numbers)
        if self._entity_of:  # else it is the first time, and all of them are new
            near = affected({*changed, *self._together(changed)}, self._bearing, self._linked)
            block, given = near.names, near.names | near.context
            constraints = self._asked_of(given)
        numbers = {name: self._numbers[name] for name in given if name in self._numbers}
        counts = {name: len(self._chunks[number]) for name, number in numbers.items() if number in self._chunks}
        aliases = [(name, other) for name in counts for other in self._aliases_of(name)]
        return [numbers[name] for name in block if name in numbers], resolve(counts, constraints, aliases)

    def _move(self, number: int, entity: int | None) -> Iterator[int]:
        """Let a name be one of another entity, or of none; gives the entities that have it no more, or now."""
        before = self._entity_of.pop(number, None)
        if before is not None:
            _drop(self._members, before, number)
            yield before
        if entity is not None:
            self._entity_of[number] = entity
            self._members.setdefault(entity, set()).add(number)
            yield entity

    def _recount(self, entity: int) -> None:
        self._frequencies.pop(entity, None)
        self._mentions.pop(entity, None)
        if entity in self._members:
            self._mentions[entity] = sum(len(self._chunks[number]) for number in self._members[entity])

    def _slots_with(self, number: int) -> Iterator[tuple[int, str]]:
        """The slots whose timeline a name is in, by its facts or as a value of theirs."""
        for node in self._facts_of.get(number, ()):
            if self._is_timed(node):
                yield node.slot
                if node.subject == number:
                    yield self.entity(number), node.predicate

    def _together(self, names: Iterable[Name]) -> Iterator[Name]:
        """The names that are one entity with these so far."""
        entities = {self._entity_of.get(self._numbers.get(name, -1), -1) for name in names}
        return (self._names[number] for entity in entities for number in self._members.get(entity, ()))

    def _bearing(self, block: str) -> list[Name]:
        """The live names with a blocking key."""
        return [self._names[number] for number in self._by_block.get(block, ())]

    def _linked(self, name: Name) -> list[Name]:
        """Names that a constraint or a fact links with a name."""
        asked = (self._constraints[at] for at in self._constraints_on.get(name, ()))
        return [*(other for one in asked for other in (one.a, one.b) if other != name), *self._aliases_of(name)]

    def _asked_of(self, names: Iterable[Name]) -> list[Constraint]:
        """The constraints that speak of these names, in their order."""
        places = {at for name in names for at in self._constraints_on.get(name, ())}
        return [self._constraints[at] for at in sorted(places)]

    def _aliases_of(self, name: Name) -> list[Name]:
        """Live names that a fact calls another name of this one."""
        number = self._numbers.get(name)
        if number not in self._chunks:
            return []
        return [self._names[other] for other in self._aliases.get(number, ()) if other in self._chunks]

    # -- what holds when --------------------------------------------------------------------------------------------

    def _retime(self, slots: set[tuple[int, str]]) -> None:
        """Derive the timelines of these slots anew."""
        for entity, predicate in {(self.entity(number), predicate) for number, predicate in slots}:
            for node, span in self._timeline(self._in_slot(entity, predicate)):
                self._put_span(node, span)

    def _put_span(self, node: FactNode, span: Span) -> None:
        before, node.span = node.span, span
        if span.invalid_at is None:
            self._ends.pop(node.key, None)
        else:
            self._ends[node.key] = span.invalid_at
        if before.superseded_by != span.superseded_by:
            if before.superseded_by is not None:
                _drop(self._superseded, before.superseded_by, node.key)
            if span.superseded_by is not None:
                self._superseded.setdefault(span.superseded_by, set()).add(node.key)

    def _in_slot(self, entity: int, predicate: str) -> list[FactNode]:
        members = self._members.get(entity, (entity,))
        return [node for number in members for node in self._slots.get((number, predicate), ())]

    def _timeline(
        self, nodes: Sequence[FactNode], as_of: datetime | None = None, known_at: datetime | None = None
    ) -> Iterator[tuple[FactNode, Span]]:
        told = [node for node in nodes if as_of is None or node.said is None or node.said <= as_of]  # plans included
        by_id = {node.id: node for node in told}
        for single_valued in (True, False):
            nodes = [node for node in told if node.single_valued == single_valued]
            statements = [_statement(node, value) for node, value in zip(nodes, self._values(nodes), strict=True)]
            for span in timeline(with_told_ends(visible(statements, known_at=known_at))):
                yield by_id[span.fact], span

    def _values(self, nodes: Sequence[FactNode]) -> list[str]:
        """What the objects of facts are compared by; amounts by value, and by currency where all of them have one."""
        named = all(node.amount is None or node.amount.currency is not None for node in nodes)
        return [
            f"entity {self.entity(node.object)}"
            if node.amount is None
            else f"amount {node.amount.value.normalize():f} {node.amount.currency if named else ''}"
            for node in nodes
        ]

    def ends(self, as_of: datetime | None, known_at: datetime | None) -> Mapping[int, datetime]:
        """When facts end, of those that do, by key: as far as was known then."""
        if as_of is None and known_at is None:
            return self._ends
        moment = (as_of, known_at)
        if moment not in self._ends_at:
            if len(self._ends_at) >= CACHED_MOMENTS:
                self._ends_at.clear()
            self._ends_at[moment] = dict(self._derived_ends(as_of, known_at))
        return self._ends_at[moment]

    def _derived_ends(self, as_of: datetime | None, known_at: datetime | None) -> Iterator[tuple[int, datetime]]:
        slots = {(self.entity(number), predicate) for number, predicate in self._slots}
        for entity, predicate in slots:
            for node, span in self._timeline(self._in_slot(entity, predicate), as_of, known_at):
                if span.invalid_at is not None:
                    yield node.key, span.invalid_at

    def spans_beside(
        self, node: FactNode, as_of: datetime | None, known_at: datetime | None
    ) -> Iterator[tuple[FactNode, Span]]:
        """From when until when the facts of a fact's slot hold, as far as was known then."""
        slot = self._in_slot(self.entity(node.subject), node.predicate)
        return self._timeline(slot, as_of, known_at)

    def sameness(self, node: FactNode) -> Hashable:
        """Equal for two statements if they state the same: by all that `same_fact` goes by."""
        value = self.entity(node.object) if node.amount is None else node.amount
        day = None if node.kind == "relation" else node.at.date()
        return self.entity(node.subject), node.predicate, value, day, node.span.superseded_by

    def same_fact(self, node: FactNode) -> list[FactNode]:
        """Every statement of what this one states, itself included, oldest first."""
        subjects = self._members.get(self.entity(node.subject), (node.subject,))
        objects = self._members.get(self.entity(node.object), (node.object,))
        stated = [self._slots.get((number, node.predicate), []) for number in subjects]
        about = [self._facts_of.get(number, []) for number in objects]
        if node.amount is None and sum(map(len, about)) < sum(map(len, stated)):
            stated = about
        return sorted((other for nodes in stated for other in nodes if self._same(node, other)), key=_by_time)

    def _same(self, node: FactNode, other: FactNode) -> bool:
        same_time = node.kind == "relation" or node.at.date() == other.at.date()
        return other is node or (
            other.predicate == node.predicate
            and same_time
            and node.span.superseded_by == other.span.superseded_by
            and self.entity(other.subject) == self.entity(node.subject)
            and len(set(self._values([node, other]))) == 1
        )

    # -- reading ----------------------------------------------------------------------------------------------------

    def __bool__(self) -> bool:
        return bool(self._entries)

    def __len__(self) -> int:
        """How many entities there are that are no values."""
        return sum(not self.is_value(entity) for entity in self._members)

    def entity(self, number: int) -> int:
        """The entity that a name stands for."""
        return self._entity_of.get(number, number)

    def is_value(self, number: int) -> bool:
        """Whether a name says how much or when, so that nothing is walked through it."""
        return self._names[number].type in VALUES

    def entities_of(self, chunk: int) -> list[int]:
        """The entities that a chunk mentions, values left out, ascending."""
        key = self._entry_of_chunk.get(chunk)
        if key is None:
            return []
        return sorted(set(map(self._entity_of.__getitem__, self._entries[key].named)))

    def by_id(self, identity: str) -> FactNode | None:
        """A fact by its id."""
        key = self._fact_keys.get(identity)
        return None if key is None else self.facts[key]

    def superseded_by(self, node: FactNode) -> list[FactNode]:
        """The facts whose place one took."""
        return sorted((self.facts[key] for key in self._superseded.get(node.id, ())), key=_by_time)

    def most_mentions(self, chunk: int) -> int:
        """How often the most mentioned entity of a chunk is mentioned; 0 without entities."""
        key = self._entry_of_chunk.get(chunk)
        if key is None:
            return 0
        entities = map(self._entity_of.__getitem__, self._entries[key].named)
        return max(map(self._mentions.__getitem__, entities), default=0)

    def facts_in(self, chunk: int) -> list[FactNode]:
        """What a chunk states, in its order."""
        return [self.facts[key] for key in self.fact_keys_in(chunk)]

    def fact_keys_in(self, chunk: int) -> tuple[int, ...]:
        """The keys of what a chunk states, in its order."""
        key = self._entry_of_chunk.get(chunk)
        return () if key is None else self._entries[key].facts

    def chunks_of(self, entity: int) -> Iterator[int]:
        """Keys of the chunks that mention an entity, each once, latest key first."""
        chunks = [self._chunks[number] for number in self._members.get(entity, ())]
        return reversed(chunks[0]) if len(chunks) == 1 else _each_once(merge(*map(reversed, chunks), reverse=True))

    def frequency(self, entity: int) -> int:
        """How many chunks mention an entity; one that has several names in a chunk counts it once."""
        members = self._members.get(entity, ())
        if len(members) < 2:
            return sum(len(self._chunks[number]) for number in members)
        if entity not in self._frequencies:
            self._frequencies[entity] = len({chunk for number in members for chunk in self._chunks[number]})
        return self._frequencies[entity]

    def facts_about(self, entity: int) -> Iterator[FactNode]:
        """The facts that touch an entity, latest first."""
        facts = [self._facts_of[number] for number in self._members.get(entity, ()) if number in self._facts_of]
        if len(facts) == 1:
            return reversed(facts[0])
        return _each_once(merge(*map(reversed, facts), key=_by_time, reverse=True))

    def keyed(self, key: str) -> set[int]:
        """The live names with a key, whatever their type."""
        return self._by_key.get(key, set())

    def is_written(self, number: int, form: str) -> bool:
        """Whether a chunk writes a name in exactly this form."""
        return self._written[number][form] > 0

    def near(self, name: Name, most: int) -> list[int]:
        """The live names that might be one with a name; none where they are more than `most`."""
        blocks = [self._by_block.get(key, set()) for key in blocking_keys(name)]
        found = set[int]().union(*blocks) if all(len(block) <= most for block in blocks) else set()
        return sorted(found) if len(found) <= most else []

    def name(self, number: int) -> Name:
        """A name by its number."""
        return self._names[number]

    def said_in(self, chunk: int) -> list[tuple[int, str]]:
        """The names in a chunk that are no values, and how they are written there, in its order."""
        key = self._entry_of_chunk.get(chunk)
        if key is None:
            return []
        entry = self._entries[key]
        both = zip(entry.names, entry.written, strict=True)
        return [(number, written) for number, written in both if not self.is_value(number)]

    def only_in(self, numbers: Iterable[int], chunks: Collection[int]) -> bool:
        """Whether no chunk but these has any of the names."""
        return all(chunk in chunks for number in numbers for chunk in self._chunks.get(number, ()))

    def members(self, entity: int) -> Collection[int]:
        """The names of an entity."""
        return self._members.get(entity, ())

    def has(self, number: int) -> bool:
        """Whether any chunk mentions what a name stands for; numbers that a search holds may be of names long gone."""
        return self.entity(number) in self._members

    def one_name_of(self, name: Name) -> Name:
        """A name of a live name's entity, the same for all of them."""
        return self._names[self.entity(self._numbers[name])]

    def mentioning(self, name: Name, limit: int) -> list[int]:
        """Keys of chunks that mention the entity of a name, latest key first."""
        number = self._numbers.get(name)
        return [] if number is None else list(islice(self.chunks_of(self.entity(number)), limit))

    def number_of(self, name: Name) -> int:
        """The number of a known name."""
        return self._numbers[name]

    def name_of(self, number: int) -> str:
        """What people call what a name stands for; a value is called as it is written there."""
        return _usual_form(self._written[self._best(self._members[self.entity(number)])])

    def stated_of(self, subject: str | None, predicate: str | None = None) -> list[FactNode]:
        """Facts whose subject goes by a name, oldest first; without a name all."""
        if subject is None:
            nodes: Iterable[FactNode] = self.facts.values()
            return sorted((node for node in nodes if predicate in (None, node.predicate)), key=_by_time)
        wanted = {self.entity(number) for number in self.keyed(name_key(subject))}
        names = [number for entity in wanted for number in self.members(entity)]
        if predicate is None:
            nodes = (node for number in names for node in self._facts_of.get(number, ()) if node.subject == number)
        else:
            nodes = (node for number in names for node in self._slots.get((number, predicate), ()))
        return sorted(nodes, key=_by_time)

    def best_name(self, entity: int) -> Name:
        """The name that an entity goes by."""
        return self._names[self._best(self._members.get(entity, (entity,)))]

    def _best(self, members: Collection[int]) -> int:
        """The name of these that stands for their entity."""
        if len(members) == 1:
            return next(iter(members))
        return self._numbers[representative({self._names[number]: len(self._chunks[number]) for number in members})]

    def _described(self, entity: int) -> Entity:
        members = self._members[entity]
        best = self._best(members)
        name = _usual_form(self._written[best])
        forms = {form for number in members for form, count in self._written[number].items() if count}
        return Entity(name, self._names[best].type, tuple(sorted(forms - {name})), self.frequency(entity))

    def entities(self) -> list[Entity]:
        """All entities that are no values, the most mentioned first and then by name."""
        described = (self._described(entity) for entity in self._members if not self.is_value(entity))
        return sorted(described, key=lambda entity: (-entity.mentions, entity.name, entity.type))

    def live_names(self) -> dict[Name, tuple[int, Name, str]]:
        """By name: in how many chunks it is, which name stands for its entity, and how it is mostly written."""
        best = {entity: self._names[self._best(members)] for entity, members in self._members.items()}
        return {
            self._names[number]: (len(self._chunks[number]), best[entity], _usual_form(self._written[number]))
            for number, entity in self._entity_of.items()
        }


def _digest(name: Name) -> int:
    text = f"{name.type}\0{name.key}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=7).digest())


def _usual_form(forms: Counter[str]) -> str:
    return min((form for form, count in forms.items() if count), key=lambda form: (-forms[form], form))


def _by_time(node: FactNode) -> tuple[datetime, str, str]:
    return node.at, node.episode_id, node.id


def fact_id(chunk_id: str, at: int) -> str:
    """The id of the fact that a chunk states in this place, counted from 0; the same whenever it is extracted."""
    return f"{chunk_id}!{at}"


def _statement(node: FactNode, value: str) -> Statement:
    return Statement(
        fact=node.id,
        value=value,
        at=node.at,
        episode=node.episode_id,
        valid_at=node.span.valid_at,
        invalid_at=node.until,
        known_at=node.created_at,
        supersedes=node.single_valued and not node.tells_end,
        tells_end=node.tells_end,
    )


def _insert(chunks: "array[int]", chunk: int) -> None:
    if chunks and chunks[-1] > chunk:
        insort(chunks, chunk)
    else:
        chunks.append(chunk)


def _put_in(nodes: list[FactNode], node: FactNode) -> None:
    if nodes and _by_time(nodes[-1]) > _by_time(node):
        insort(nodes, node, key=_by_time)
    else:
        nodes.append(node)


def _take_out(table: dict[K, list[FactNode]], key: K, node: FactNode) -> None:
    nodes = table[key]
    del nodes[bisect_left(nodes, _by_time(node), key=_by_time)]
    if not nodes:
        del table[key]


def _drop(table: dict[K, set[int]], key: K, number: int) -> None:
    table[key].discard(number)
    if not table[key]:
        del table[key]


def _each_once(ordered: Iterator[T]) -> Iterator[T]:
    """Without those that equal the one before."""
    last: T | None = None
    for one in ordered:
        if one != last:
            yield one
        last = one
