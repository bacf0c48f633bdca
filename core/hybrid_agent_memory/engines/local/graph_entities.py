"""Which names are one entity, and what the entities are: their names, their chunks, what people call them.

That is asked of `resolve`, anew for the names that a change can affect. So the entities after any series of writes are
those of a fresh build, and a write costs what it changes.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from heapq import merge
from itertools import groupby, islice

from hybrid_agent_memory.engines.local.graph_names import NameIndex
from hybrid_agent_memory.graph.names import Name, name_key
from hybrid_agent_memory.graph.resolution import Constraint, affected, resolve
from hybrid_agent_memory.records import Entity


class EntityIndex:
    """The entities of a namespace, each known by the number of one of its names."""

    def __init__(self, names: NameIndex) -> None:
        self._names = names
        self._entity_of: dict[int, int] = {}
        self._members: dict[int, set[int]] = {}
        self._mentions: dict[int, int] = {}
        self._frequencies: dict[int, int] = {}
        self._constraints: list[Constraint] = []
        self._constraints_on: dict[str, list[int]] = {}
        self._aliases: dict[int, Counter[int]] = {}
        self._changed = set[Name]()

    # -- keeping up -------------------------------------------------------------------------------------------------

    def add(self, chunk: int, written: Mapping[int, str]) -> None:
        """Take in which names a chunk has, and in what form."""
        self._changed.update(self._names.add(chunk, written))
        self._count(written, 1)

    def remove(self, chunk: int, written: Mapping[int, str]) -> None:
        """Take out what `add` took in."""
        self._count(written, -1)
        self._changed.update(self._names.remove(chunk, written))

    def _count(self, numbers: Iterable[int], change: int) -> None:
        """Count one more chunk, or one less, that mentions the entities of these names."""
        known = [self._entity_of[number] for number in numbers if number in self._entity_of]
        if not known:  # as of all chunks of a fresh build
            return
        for entity in known:
            self._mentions[entity] += change
        for entity in self._frequencies.keys() & known:
            self._frequencies[entity] += change

    def count_alias(self, one: int, other: int, change: int) -> None:
        """Count one more fact, or one less, that calls a name another name of the other."""
        for name, alias in ((one, other), (other, one)):
            self._changed.add(self._names.by_number[name])
            aliases = self._aliases.setdefault(name, Counter())
            aliases[alias] += change
            if not aliases[alias]:
                del aliases[alias]
            if not aliases:
                del self._aliases[name]

    def constrain(self, constraints: Sequence[Constraint]) -> None:
        """Replace the constraints; names are resolved anew for all of them, but for a log that merely grew."""
        if constraints == self._constraints:
            return
        known = len(self._constraints)
        grown = list(constraints[:known]) == self._constraints
        changed = constraints[known:] if grown else [*self._constraints, *constraints]
        self._changed.update(name for one in changed for name in (one.a, one.b))
        self._constraints, self._constraints_on = list(constraints), {}
        for at, one in enumerate(self._constraints):
            for key in {one.a.key, one.b.key}:  # whatever the type: see `resolve`
                self._constraints_on.setdefault(key, []).append(at)

    # -- which names are one entity ---------------------------------------------------------------------------------

    def regroup(self) -> dict[int, int]:
        """Resolve anew every name that the changes since can affect; gives those that moved, each with its old entity.

        A new name is given with its own number.
        """
        if not self._changed:
            return {}
        names, (block, resolved) = self._names, self._resolved()
        groups: dict[Name, list[int]] = {}
        for number in block:
            if number in names.chunks:
                groups.setdefault(resolved[names.by_number[number]], []).append(number)
        after = {number: min(group) for group in groups.values() for number in group}
        moved = {number: self.entity_of(number) for number in block if self._entity_of.get(number) != after.get(number)}
        for entity in {entity for number in moved for entity in self._move(number, after.get(number))}:
            self._recount(entity)
        for name in self._changed:
            names.forget(name)
        self._changed.clear()
        return moved

    def _resolved(self) -> tuple[list[int], Mapping[Name, Name]]:
        """The numbers of the names that changes affect, and of each that is live the name that stands for it."""
        names, constraints = self._names, self._constraints
        block = given = frozenset(names.numbers)
        if self._entity_of:  # else it is the first time, and all of them are new
            near = affected({*self._changed, *self._together()}, names.in_block, self._linked)
            block, given = near.names, near.names | near.context
            constraints = self._asked_of(given)
        numbers = {name: names.numbers[name] for name in given if name in names.numbers}
        counts = {name: len(names.chunks[number]) for name, number in numbers.items() if number in names.chunks}
        return [numbers[name] for name in block if name in numbers], self._resolve(counts, constraints)

    def resolved_by(self, constraints: Sequence[Constraint]) -> dict[Name, Name]:
        """Of every live name the one that would stand for it under other constraints."""
        names = self._names
        counts = {names.by_number[number]: len(chunks) for number, chunks in names.chunks.items()}
        return self._resolve(counts, constraints)

    def _resolve(self, counts: Mapping[Name, int], constraints: Sequence[Constraint]) -> dict[Name, Name]:
        return resolve(counts, constraints, [(name, other) for name in counts for other in self._aliases_of(name)])

    def _together(self) -> Iterator[Name]:
        """The names that are one entity with changed ones so far."""
        entities = {self._entity_of.get(self._names.numbers.get(name, -1), -1) for name in self._changed}
        return (self._names.by_number[number] for entity in entities for number in self.members(entity))

    def _linked(self, name: Name) -> list[Name]:
        """Names that a constraint or a fact links with a name."""
        asked = (self._constraints[at] for at in self._constraints_on.get(name.key, ()))
        return [*(other for one in asked for other in (one.a, one.b) if other != name), *self._aliases_of(name)]

    def _asked_of(self, names: Iterable[Name]) -> list[Constraint]:
        """The constraints that speak of these names, in their order."""
        places = {at for name in names for at in self._constraints_on.get(name.key, ())}
        return [self._constraints[at] for at in sorted(places)]

    def _aliases_of(self, name: Name) -> list[Name]:
        """Live names that a fact calls another name of this one."""
        names, number = self._names, self._names.numbers.get(name)
        if number not in names.chunks:
            return []
        return [names.by_number[other] for other in self._aliases.get(number, ()) if other in names.chunks]

    def _move(self, number: int, entity: int | None) -> Iterator[int]:
        """Let a name be one of another entity, or of none; gives the entities that have it no more, or now."""
        before = self._entity_of.pop(number, None)
        if before is not None:
            self._members[before].discard(number)
            if not self._members[before]:
                del self._members[before]
            yield before
        if entity is not None:
            self._entity_of[number] = entity
            self._members.setdefault(entity, set()).add(number)
            yield entity

    def _recount(self, entity: int) -> None:
        self._frequencies.pop(entity, None)
        self._mentions.pop(entity, None)
        if entity in self._members:
            self._mentions[entity] = sum(len(self._names.chunks[number]) for number in self._members[entity])

    # -- from names to entities -------------------------------------------------------------------------------------

    def entity_of(self, number: int) -> int:
        """The entity that a name stands for; a name that no chunk has stands for itself."""
        return self._entity_of.get(number, number)

    def entities_of(self, numbers: Iterable[int]) -> list[int]:
        """The entities that live names stand for, each once, ascending."""
        return sorted(set(map(self._entity_of.__getitem__, numbers)))

    def called(self, text: str) -> set[int]:
        """The entities that go by a name, whatever its type."""
        return {self.entity_of(number) for number in self._names.keyed(name_key(text))}

    def is_live(self, number: int) -> bool:
        """Whether any chunk mentions what a name stands for; numbers that a search holds may be of names long gone."""
        return self.entity_of(number) in self._members

    def one_name_of(self, name: Name) -> Name:
        """A name of a live name's entity, the same for all of them."""
        return self._names.by_number[self.entity_of(self._names.numbers[name])]

    def name_of(self, number: int) -> str:
        """What people call what a name stands for; a value is called as it is written there."""
        return self._names.usual_form(self._names.best(self._members[self.entity_of(number)]))

    def written(self, number: int) -> str:
        """How a live name itself is mostly written, whatever else its entity is called."""
        return self._names.usual_form(number)

    # -- what an entity is ------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """How many entities there are that are no values."""
        return sum(not self._names.is_value(entity) for entity in self._members)

    def members(self, entity: int) -> Collection[int]:
        """The names of an entity."""
        return self._members.get(entity, ())

    def best_name(self, entity: int) -> Name:
        """The name that an entity goes by."""
        return self._names.by_number[self._names.best(self._members.get(entity, (entity,)))]

    def frequency(self, entity: int) -> int:
        """How many chunks mention an entity; one that has several names in a chunk counts it once."""
        chunks, members = self._names.chunks, self._members.get(entity, ())
        if len(members) < 2:
            return sum(len(chunks[number]) for number in members)
        if entity not in self._frequencies:
            self._frequencies[entity] = len({chunk for number in members for chunk in chunks[number]})
        return self._frequencies[entity]

    def most_mentions(self, numbers: Iterable[int]) -> int:
        """How often the most mentioned of the entities of these live names is mentioned; 0 without names."""
        entities = map(self._entity_of.__getitem__, numbers)
        return max(map(self._mentions.__getitem__, entities), default=0)

    def chunks_of(self, entity: int) -> Iterator[int]:
        """Keys of the chunks that mention an entity, each once, latest key first."""
        chunks = [self._names.chunks[number] for number in self._members.get(entity, ())]
        if len(chunks) == 1:
            return reversed(chunks[0])
        return (chunk for chunk, _ in groupby(merge(*map(reversed, chunks), reverse=True)))

    def mentioning(self, name: Name, limit: int) -> list[int]:
        """Keys of chunks that mention the entity of a name, latest key first."""
        number = self._names.numbers.get(name)
        return [] if number is None else list(islice(self.chunks_of(self.entity_of(number)), limit))

    def described(self) -> dict[int, Entity]:
        """All entities that are no values, the most mentioned first and then by name."""
        found = {entity: self._described(entity) for entity in self._members if not self._names.is_value(entity)}
        return dict(sorted(found.items(), key=lambda entry: (-entry[1].mentions, entry[1].name, entry[1].type)))

    def _described(self, entity: int) -> Entity:
        members = self._members[entity]
        best = self._names.best(members)
        name = self._names.usual_form(best)
        forms = {form for number in members for form in self._names.forms(number)}
        return Entity(name, self._names.by_number[best].type, tuple(sorted(forms - {name})), self.frequency(entity))

    def live_names(self) -> dict[Name, tuple[int, Name, str]]:
        """By name: in how many chunks it is, which name stands for its entity, and how it is mostly written."""
        names = self._names
        best = {entity: self.best_name(entity) for entity in self._members}
        return {
            names.by_number[number]: (len(names.chunks[number]), best[entity], names.usual_form(number))
            for number, entity in self._entity_of.items()
        }
