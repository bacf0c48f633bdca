"""The graph of one namespace: entities, facts and timelines, derived from what each chunk says.

Names as written never change their number; which of them are one entity is asked of `resolve`, anew for the names that
a change can affect. Timelines are asked of `timeline`, anew for the slots that it can affect. So the state after any
series of writes is that of a fresh build.
"""

from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from hybrid_agent_memory.engines.local.graph_tables import StoredExtraction
from hybrid_agent_memory.extract import Mention, Triple
from hybrid_agent_memory.graph.amounts import Amount, read_amount
from hybrid_agent_memory.graph.names import Name, name_key
from hybrid_agent_memory.graph.resolution import Constraint, affected, blocking_keys, representative, resolve
from hybrid_agent_memory.graph.timelines import Span, Statement, timeline, visible
from hybrid_agent_memory.records import Entity

T = TypeVar("T")
VALUES = frozenset({"amount", "date"})
"""Types of names that say how much or when; two chunks that have one in common have nothing to do with each other."""
ALIAS = "alias"
CACHED_MOMENTS = 16
FEW_DEAD = 64


@dataclass(slots=True)
class FactNode:
    """A fact as one chunk states it; names by number, the fact by the key of its record."""

    key: int
    id: str
    chunk: int
    chunk_id: str
    episode_id: str
    subject: int
    object: int
    triple: Triple
    at: datetime
    said: datetime | None
    created_at: datetime
    span: Span

    @property
    def slot(self) -> "tuple[int, str]":
        """The name and predicate that have one value at a time."""
        return self.subject, self.triple.predicate


@dataclass(frozen=True, slots=True)
class Entry:
    """What one chunk says: names and how they are written there, and facts."""

    chunk: int
    names: tuple[int, ...]
    written: tuple[str, ...]
    facts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Neighbours:
    """What an entity touches: keys of chunks and facts, latest first."""

    chunks: list[int]
    facts: list[FactNode]


class GraphIndex:
    """Entities and facts of a namespace, and the chunks that mention them. Not safe for threads by itself."""

    def __init__(self) -> None:
        self._names: list[Name] = []
        self._numbers: dict[Name, int] = {}
        self._blocking: list[frozenset[str]] = []
        self._counts: list[int] = []
        self._written: list[Counter[str]] = []
        self._postings: list[array[int]] = []
        self._by_block: dict[str, set[int]] = {}
        self._by_key: dict[str, set[int]] = {}
        self._entity_of: dict[int, int] = {}
        self._members: dict[int, set[int]] = {}
        self._mentions: dict[int, int] = {}
        self._constraints: list[Constraint] = []
        self._aliases: dict[int, Counter[int]] = {}
        self._entries: dict[int, Entry] = {}
        self._entry_of_chunk: dict[int, int] = {}
        self.facts: dict[int, FactNode] = {}
        self._fact_keys: dict[str, int] = {}
        self._facts_of: dict[int, dict[int, None]] = {}
        self._slots: dict[tuple[int, str], dict[int, None]] = {}
        self._ends: dict[int, datetime] = {}
        self._ends_at: dict[tuple[datetime | None, datetime | None], dict[int, datetime]] = {}
        self._neighbours: dict[int, Neighbours] = {}

    # -- keeping up -------------------------------------------------------------------------------------------------

    def apply(
        self,
        added: Iterable[StoredExtraction],
        deleted: Iterable[int],
        constraints: Sequence[Constraint] | None = None,
    ) -> None:
        """Take extractions in and out; constraints, when given, are all there are."""
        regroup, slots = set[int](), set[tuple[int, str]]()
        for key in deleted:
            self._remove(key, regroup, slots)
        for extraction in added:
            self._add(extraction, regroup, slots)
        if constraints is not None and constraints != self._constraints:
            self._constraints = list(constraints)
            regroup.update(self._entity_of)
        slots |= self._regroup(regroup)
        self._retime(slots)
        self._ends_at.clear()

    def _number(self, mention: Mention) -> int:
        name = Name(name_key(mention.name), mention.type)
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = len(self._names)
            self._names.append(name)
            self._blocking.append(blocking_keys(name))
            self._counts.append(0)
            self._written.append(Counter())
            self._postings.append(array("q"))
        return number

    def _add(self, extraction: StoredExtraction, regroup: set[int], slots: set[tuple[int, str]]) -> None:
        written: dict[int, str] = {}
        for mention in extraction.mentions:
            written.setdefault(self._number(mention), mention.name)
        facts: list[int] = []
        for key, triple in extraction.facts:
            subject, obj = self._number(triple.subject), self._number(triple.object)
            written.setdefault(subject, triple.subject.name)
            written.setdefault(obj, triple.object.name)
            node = _node(key, len(facts), triple, subject, obj, extraction)
            facts.append(key)
            self._add_fact(node, regroup, slots)
        for number, form in written.items():
            self._count(number, 1)
            self._written[number][form] += 1
            self._postings[number].append(extraction.chunk)
            if self._counts[number] == 1:
                self._appear(number)
                regroup.add(number)
        self._entries[extraction.key] = Entry(extraction.chunk, tuple(written), tuple(written.values()), tuple(facts))
        self._entry_of_chunk[extraction.chunk] = extraction.key

    def _count(self, number: int, change: int) -> None:
        """Count one more chunk, or one less, with a name."""
        self._counts[number] += change
        entity = self._entity_of.get(number)
        if entity is not None:
            self._mentions[entity] += change
            self._neighbours.pop(entity, None)

    def _add_fact(self, node: FactNode, regroup: set[int], slots: set[tuple[int, str]]) -> None:
        self.facts[node.key] = node
        self._fact_keys[node.id] = node.key
        for number in {node.subject, node.object}:
            self._facts_of.setdefault(number, {})[node.key] = None
        if node.triple.single_valued:
            self._slots.setdefault(node.slot, {})[node.key] = None
            slots.add(node.slot)
        elif node.span.invalid_at is not None:
            self._ends[node.key] = node.span.invalid_at
        if node.triple.predicate == ALIAS:
            self._count_alias(node, 1)
            regroup |= {node.subject, node.object}

    def _count_alias(self, node: FactNode, change: int) -> None:
        for one, other in ((node.subject, node.object), (node.object, node.subject)):
            self._aliases.setdefault(one, Counter())[other] += change

    def _remove(self, key: int, regroup: set[int], slots: set[tuple[int, str]]) -> None:
        entry = self._entries.pop(key, None)
        if entry is None:
            return
        del self._entry_of_chunk[entry.chunk]
        for fact in entry.facts:
            self._remove_fact(self.facts.pop(fact), regroup, slots)
        for number, form in zip(entry.names, entry.written, strict=True):
            self._count(number, -1)
            self._written[number][form] -= 1
            if not self._counts[number]:
                self._vanish(number)
                regroup.add(number)
            elif len(self._postings[number]) > 2 * self._counts[number] + FEW_DEAD:
                live = (chunk for chunk in self._postings[number] if chunk in self._entry_of_chunk)
                self._postings[number] = array("q", live)

    def _remove_fact(self, node: FactNode, regroup: set[int], slots: set[tuple[int, str]]) -> None:
        self._ends.pop(node.key, None)
        if self._fact_keys.get(node.id) == node.key:
            del self._fact_keys[node.id]
        for number in {node.subject, node.object}:
            _discard(self._facts_of, number, node.key)
        if node.triple.single_valued:
            _discard(self._slots, node.slot, node.key)
            slots.add(node.slot)
        if node.triple.predicate == ALIAS:
            self._count_alias(node, -1)
            regroup |= {node.subject, node.object}

    def _appear(self, number: int) -> None:
        for block in self._blocking[number]:
            self._by_block.setdefault(block, set()).add(number)
        self._by_key.setdefault(self._names[number].key, set()).add(number)

    def _vanish(self, number: int) -> None:
        for block in self._blocking[number]:
            _drop(self._by_block, block, number)
        _drop(self._by_key, self._names[number].key, number)
        self._postings[number] = array("q")
        self._written[number].clear()

    # -- which names are one entity ---------------------------------------------------------------------------------

    def _regroup(self, names: set[int]) -> set[tuple[int, str]]:
        """Resolve anew every name that these can affect; gives the slots whose names changed hands."""
        if not names:
            return set()
        asked = self._asked_links()
        changed = {self._names[other] for number in names for other in (number, *self._together(number))}
        near = affected(changed, self._bearing, lambda name: self._linked(name, asked))
        block = {self._numbers[name] for name in near.names}
        given = block | {self._numbers[name] for name in near.context}
        counts = {self._names[number]: self._counts[number] for number in given if self._counts[number]}
        aliases = [(self._names[one], self._names[other]) for one in given for other in self._aliases_of(one)]
        resolved = resolve(counts, self._asked_of(given), aliases)
        before = {number: self._entity_of[number] for number in block if number in self._entity_of}
        after = {number: self._numbers[resolved[self._names[number]]] for number in block if self._counts[number]}
        for number, entity in before.items():
            self._mentions.pop(entity, None)
            self._neighbours.pop(entity, None)
            del self._entity_of[number]
            _drop(self._members, entity, number)
        for number, entity in after.items():
            self._neighbours.pop(entity, None)
            self._entity_of[number] = entity
            self._members.setdefault(entity, set()).add(number)
        for entity in set(after.values()):
            self._mentions[entity] = sum(self._counts[number] for number in self._members[entity])
        moved = {number for number in block if before.get(number) != after.get(number)}
        changed_hands = {groups.get(number) for groups in (before, after) for number in moved}
        touched = (n for n in block if before.get(n) in changed_hands or after.get(n) in changed_hands)
        nodes = (self.facts[key] for number in touched for key in self._facts_of.get(number, ()))
        return {node.slot for node in nodes if node.triple.single_valued}

    def _together(self, number: int) -> Collection[int]:
        """The names that are one entity with a name so far."""
        return self._members.get(self._entity_of.get(number, -1), ())

    def _bearing(self, block: str) -> list[Name]:
        """The live names with a blocking key."""
        return [self._names[number] for number in self._by_block.get(block, ())]

    def _linked(self, name: Name, asked: Mapping[int, set[int]]) -> list[Name]:
        """Names that a constraint or a fact links with a name."""
        number = self._numbers.get(name)
        if number is None:
            return []
        return [self._names[other] for other in (*asked.get(number, ()), *self._aliases_of(number))]

    def _asked_of(self, numbers: Collection[int]) -> list[Constraint]:
        """The constraints that speak of these names."""
        return [
            one
            for one in self._constraints
            if self._numbers.get(one.a) in numbers or self._numbers.get(one.b) in numbers
        ]

    def _aliases_of(self, number: int) -> list[int]:
        """Live names that a fact calls another name of this one."""
        if not self._counts[number]:
            return []
        return [other for other, count in self._aliases.get(number, {}).items() if count and self._counts[other]]

    def _asked_links(self) -> dict[int, set[int]]:
        """Names that constraints link."""
        linked: dict[int, set[int]] = {}
        for constraint in self._constraints:
            a, b = self._numbers.get(constraint.a), self._numbers.get(constraint.b)
            if a is not None and b is not None:
                linked.setdefault(a, set()).add(b)
                linked.setdefault(b, set()).add(a)
        return linked

    # -- what holds when --------------------------------------------------------------------------------------------

    def _retime(self, slots: set[tuple[int, str]]) -> None:
        """Derive the timelines of these slots anew."""
        done = set[tuple[int, str]]()
        for number, predicate in slots:
            entity = self._entity_of.get(number, number)
            if (entity, predicate) in done:
                continue
            done.add((entity, predicate))
            nodes = self._in_slot(entity, predicate)
            for node, span in self._timeline(nodes):
                self._put_span(node, span)

    def _put_span(self, node: FactNode, span: Span) -> None:
        node.span = span
        if span.invalid_at is None:
            self._ends.pop(node.key, None)
        else:
            self._ends[node.key] = span.invalid_at

    def _in_slot(self, entity: int, predicate: str) -> list[FactNode]:
        members = self._members.get(entity, {entity})
        return [self.facts[key] for number in members for key in self._slots.get((number, predicate), ())]

    def _timeline(
        self, nodes: Sequence[FactNode], as_of: datetime | None = None, known_at: datetime | None = None
    ) -> Iterator[tuple[FactNode, Span]]:
        told = [node for node in nodes if as_of is None or node.said is None or node.said <= as_of]  # plans included
        by_id = {node.id: node for node in told}
        values = self._values(told)
        statements = [_statement(node, value) for node, value in zip(told, values, strict=True)]
        for span in timeline(visible(statements, known_at=known_at)):
            yield by_id[span.fact], span

    def _values(self, nodes: Sequence[FactNode]) -> list[str]:
        """What the objects of facts are compared by; amounts by value, and by currency where all of them have one."""
        amounts = [self._amount(node) for node in nodes]
        named = all(amount is None or amount.currency is not None for amount in amounts)
        return [
            self._plain_value(node)
            if amount is None
            else f"amount {amount.value.normalize():f} {amount.currency if named else ''}"
            for node, amount in zip(nodes, amounts, strict=True)
        ]

    def _amount(self, node: FactNode) -> Amount | None:
        return read_amount(node.triple.object.name) if self._names[node.object].type in ("amount", "other") else None

    def _plain_value(self, node: FactNode) -> str:
        return f"entity {self.entity(node.object)}"

    def ends(self, as_of: datetime | None, known_at: datetime | None) -> Mapping[int, datetime]:
        """When facts end, of those that do, by key: as far as was known then."""
        if as_of is None and known_at is None:
            return self._ends
        moment = (as_of, known_at)
        if moment not in self._ends_at:
            if len(self._ends_at) >= CACHED_MOMENTS:
                self._ends_at.clear()
            self._ends_at[moment] = self._derive_ends(as_of, known_at)
        return self._ends_at[moment]

    def _derive_ends(self, as_of: datetime | None, known_at: datetime | None) -> dict[int, datetime]:
        spans = (self.span_of(node, as_of, known_at) for node in self.facts.values() if not node.triple.single_valued)
        plain = (node for node in self.facts.values() if not node.triple.single_valued)
        ends = {node.key: span.invalid_at for node, span in zip(plain, spans, strict=True) if span.invalid_at}
        slots = {(self._entity_of.get(number, number), predicate) for number, predicate in self._slots}
        for entity, predicate in slots:
            for node, span in self._timeline(self._in_slot(entity, predicate), as_of, known_at):
                if span.invalid_at is not None:
                    ends[node.key] = span.invalid_at
        return ends

    def span_of(self, node: FactNode, as_of: datetime | None = None, known_at: datetime | None = None) -> Span:
        """From when until when a fact holds, as far as was known then."""
        if not node.triple.single_valued or (as_of is None and known_at is None):
            return node.span
        slot = self._in_slot(self._entity_of.get(node.subject, node.subject), node.triple.predicate)
        return next((span for other, span in self._timeline(slot, as_of, known_at) if other is node), node.span)

    def same_fact(self, node: FactNode) -> list[FactNode]:
        """Every statement of what this one states, itself included, oldest first."""
        entity = self._entity_of.get(node.subject, node.subject)
        keys = min((self._facts_of[number] for number in (node.subject, node.object)), key=len)
        if len(self._members.get(entity, ())) > 1 or len(self._members.get(self.entity(node.object), ())) > 1:
            keys = dict.fromkeys(key for number in self._members[entity] for key in self._facts_of.get(number, ()))
        found = [other for other in map(self.facts.__getitem__, keys) if self._same(node, other)]
        return sorted(found, key=_by_time)

    def _same(self, node: FactNode, other: FactNode) -> bool:
        same_time = node.triple.kind == "relation" or node.at.date() == other.at.date()
        return other is node or (
            other.triple.predicate == node.triple.predicate
            and same_time
            and node.span.superseded_by == other.span.superseded_by
            and self.entity(other.subject) == self.entity(node.subject)
            and len(set(self._values([node, other]))) == 1
        )

    # -- reading ----------------------------------------------------------------------------------------------------

    def __bool__(self) -> bool:
        return bool(self._entries)

    def __len__(self) -> int:
        return len(self._members)

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
        return sorted({self.entity(number) for number in self._entries[key].names if not self.is_value(number)})

    def by_id(self, identity: str) -> FactNode | None:
        """A fact by its id."""
        key = self._fact_keys.get(identity)
        return None if key is None else self.facts[key]

    def superseded_by(self, node: FactNode) -> list[FactNode]:
        """The facts whose place one took."""
        if not node.triple.single_valued:
            return []
        slot = self._in_slot(self.entity(node.subject), node.triple.predicate)
        return sorted((other for other in slot if other.span.superseded_by == node.id), key=_by_time)

    def most_mentions(self, chunk: int) -> int:
        """How often the most mentioned entity of a chunk is mentioned; 0 without entities."""
        key = self._entry_of_chunk.get(chunk)
        if key is None:
            return 0
        entity_of, mentions = self._entity_of, self._mentions
        return max((mentions[entity_of[number]] for number in self._entries[key].names), default=0)

    def facts_in(self, chunk: int) -> list[FactNode]:
        """What a chunk states, in its order."""
        key = self._entry_of_chunk.get(chunk)
        return [] if key is None else [self.facts[fact] for fact in self._entries[key].facts]

    def chunks_of(self, entity: int) -> Iterator[int]:
        """Keys of the chunks that mention an entity, each once, latest key first."""
        members = self._members.get(entity, ())
        if len(members) == 1:
            chunks: Iterable[int] = reversed(self._postings[next(iter(members))])
        else:
            chunks = self._near(entity).chunks
        return (chunk for chunk in chunks if chunk in self._entry_of_chunk)

    def frequency(self, entity: int) -> int:
        """How many chunks mention an entity; one that has several names in a chunk counts it once."""
        members = self._members.get(entity, ())
        return self._counts[next(iter(members))] if len(members) == 1 else len(self._near(entity).chunks)

    def facts_about(self, entity: int) -> Sequence[FactNode]:
        """The facts that touch an entity, latest first."""
        return self._near(entity).facts

    def _near(self, entity: int) -> "Neighbours":
        found = self._neighbours.get(entity)
        if found is None:
            members = self._members.get(entity, ())
            chunks = {chunk for number in members for chunk in self._postings[number] if chunk in self._entry_of_chunk}
            keys = {key for number in members for key in self._facts_of.get(number, ())}
            facts = sorted((self.facts[key] for key in keys), key=_by_time, reverse=True)
            found = self._neighbours[entity] = Neighbours(sorted(chunks, reverse=True), facts)
        return found

    def keyed(self, key: str) -> set[int]:
        """The live names with a key, whatever their type."""
        return self._by_key.get(key, set())

    def is_written(self, number: int, form: str) -> bool:
        """Whether a chunk writes a name in exactly this form."""
        return self._written[number][form] > 0

    def near(self, name: Name) -> list[int]:
        """The live names that might be one with a name."""
        return sorted({number for key in blocking_keys(name) for number in self._by_block.get(key, ())})

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
        return all(
            chunk in chunks for number in numbers for chunk in self._postings[number] if chunk in self._entry_of_chunk
        )

    def members(self, entity: int) -> Collection[int]:
        """The names of an entity."""
        return self._members.get(entity, ())

    def representative_of(self, name: Name) -> Name:
        """The name that stands for a live name's entity."""
        return self._names[self.entity(self._numbers[name])]

    def number_of(self, name: Name) -> int:
        """The number of a known name."""
        return self._numbers[name]

    def describe(self, entity: int) -> Entity:
        """An entity as people see it."""
        return self._described(self._members[entity])

    def name_of(self, number: int) -> str:
        """What people call what a name stands for; a value is called as it is written there."""
        members = self._members.get(self.entity(number))
        if members is None:  # gone since it was looked up
            return self._names[number].key
        return self._best_form(members)[0]

    def stated_of(self, subject: str | None) -> list[FactNode]:
        """Facts whose subject goes by a name, oldest first; without a name all."""
        if subject is None:
            return sorted(self.facts.values(), key=_by_time)
        wanted = {self.entity(number) for number in self.keyed(name_key(subject))}
        nodes = {node.key: node for entity in wanted for node in self.facts_about(entity)}
        return sorted((node for node in nodes.values() if self.entity(node.subject) in wanted), key=_by_time)

    def best_name(self, entity: int) -> Name:
        """The name that an entity goes by."""
        members = self._members.get(entity, (entity,))
        if len(members) == 1:
            return self._names[next(iter(members))]
        return representative({self._names[number]: self._counts[number] for number in members})

    def _best_form(self, members: Iterable[int]) -> tuple[str, Name]:
        best = self.best_name(self.entity(next(iter(members))))
        return _usual_form(self._written[self._numbers[best]]), best

    def _described(self, members: Collection[int]) -> Entity:
        name, best = self._best_form(members)
        forms = {form for number in members for form, count in self._written[number].items() if count}
        aliases = tuple(sorted(forms - {name}))
        return Entity(name, best.type, aliases, self.frequency(self.entity(self._numbers[best])))

    def entities(self) -> list[Entity]:
        """All entities that are no values, the most mentioned first and then by name."""
        groups = (members for members in self._members.values() if not self.is_value(next(iter(members))))
        described = map(self._described, groups)
        return sorted(described, key=lambda entity: (-entity.mentions, entity.name, entity.type))

    def live_names(self) -> dict[Name, tuple[int, Name, str]]:
        """By name: in how many chunks it is, which name stands for its entity, and how it is mostly written."""
        found = {}
        for number, entity in self._entity_of.items():
            found[self._names[number]] = (self._counts[number], self._names[entity], _usual_form(self._written[number]))
        return found


def _usual_form(forms: Counter[str]) -> str:
    return min((form for form, count in forms.items() if count), key=lambda form: (-forms[form], form))


def _by_time(node: FactNode) -> tuple[datetime, str, str]:
    return node.at, node.episode_id, node.id


def _node(key: int, at: int, triple: Triple, subject: int, obj: int, extraction: StoredExtraction) -> FactNode:
    moment = triple.valid_at or extraction.time or extraction.created_at
    identity = fact_id(extraction.chunk_id, at)
    return FactNode(
        key=key,
        id=identity,
        chunk=extraction.chunk,
        chunk_id=extraction.chunk_id,
        episode_id=extraction.episode_id,
        subject=subject,
        object=obj,
        triple=triple,
        at=moment,
        said=extraction.time,
        created_at=extraction.created_at,
        span=Span(identity, triple.valid_at or extraction.time, triple.invalid_at, None, None),
    )


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
        invalid_at=node.triple.invalid_at,
        known_at=node.created_at,
    )


def _discard(table: dict[T, dict[int, None]], slot: T, key: int) -> None:
    table[slot].pop(key, None)
    if not table[slot]:
        del table[slot]


def _drop(table: dict[T, set[int]], key: T, number: int) -> None:
    table[key].discard(number)
    if not table[key]:
        del table[key]
