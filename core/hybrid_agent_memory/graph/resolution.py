"""Which names are one entity: a pure function of the names, of what texts call aliases and of what users asked.

Links, the surer ones first; a link that would put together what a user keeps apart is not made:

1. what users merged or unmerged, the newest first;
2. one name: equal keys but for accents, of one type; an unknown type joins the only known one;
3. aliases that texts give;
4. typing errors (`spelling_links`): narrow, since joining two things is worse than missing a link;
5. short forms of a person (张总, Mr. Zhang, Alice) with the only full name they fit; with each other if there is none.

Nothing depends on the order of the names. What one name's links depend on is found through `blocking_keys`.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from hybrid_agent_memory.graph.blocking import Affected, affected, blocking_keys
from hybrid_agent_memory.graph.entities import Entities
from hybrid_agent_memory.graph.names import UNKNOWN_TYPES, Name, PersonForm
from hybrid_agent_memory.graph.people import (
    Circle,
    by_character,
    circle_keys,
    circles_of,
    identity,
    one_gender,
    person_of,
)
from hybrid_agent_memory.graph.spelling import Link, spelling_links
from hybrid_agent_memory.graph.suggestions import NamePair, suggest

__all__ = [
    "Affected",
    "Constraint",
    "NamePair",
    "affected",
    "blocking_keys",
    "in_force",
    "person_meant",
    "representative",
    "resolve",
    "suggest",
    "unmerging",
]


@dataclass(frozen=True, slots=True)
class Constraint:
    """What a user said of two names; in the log, a later one counts for more.

    Attributes
    ----------
    op : {"merge", "unmerge"}
        ``merge``: they are one. ``unmerge``: takes back the merge of these two if one is in force; otherwise they are
        two, whatever rules and aliases say, until a later merge.
    a, b : Name
        In either order.
    """

    op: Literal["merge", "unmerge"]
    a: Name
    b: Name


def resolve(
    counts: Mapping[Name, int], constraints: Sequence[Constraint] = (), aliases: Iterable[tuple[Name, Name]] = ()
) -> dict[Name, Name]:
    """Each name to the name that stands for its entity.

    Parameters
    ----------
    counts : mapping of Name to int
        Every name of the namespace, with its mentions.
    constraints : sequence of Constraint
        The log, oldest first. Names that are not in `counts` link their neighbours all the same, and stand for the
        same name under other types, of which at most one is known.
    aliases : iterable of pairs of Name
        Pairs that a text calls one; those with a name that is not in `counts` are ignored.

    Returns
    -------
    dict of Name to Name
        With the keys of `counts`; names of one entity have the same value, see `representative`.

    Examples
    --------
    >>> names = [Name("张总", "person"), Name("mr zhang", "person"), Name("张伟", "person")]
    >>> resolve(dict.fromkeys(names, 1))[names[1]]
    Name(key='张伟', type='person')
    >>> two = [*names, Name("张丽", "person")]
    >>> resolve(dict.fromkeys(two, 1))[names[1]]
    Name(key='mr zhang', type='person')
    """
    names = sorted(counts, key=lambda name: (name.key, name.type))  # as Names compare, but faster
    people = {name: form for name in names if (form := person_of(name)) is not None}
    entities = Entities()
    _apply(constraints, entities)
    asked_of = {name for one in constraints for name in (one.a, one.b)} - counts.keys()
    for one, other in _sure_links(names, people, aliases, sorted(asked_of)):
        entities.join(one, other)
    _join_short_forms(people, entities)
    resolved = {}
    for members in entities.groups(names):
        best = members[0] if len(members) == 1 else representative({name: counts[name] for name in members})
        resolved.update(dict.fromkeys(members, best))
    return resolved


def representative(counts: Mapping[Name, int]) -> Name:
    """The name that stands for an entity, of all its names and their mentions.

    A full name before a short form, then the more mentioned (over all types), the longer, the alphabetically first; of
    one name's types a known one before an unknown one.
    """
    mentions: dict[str, int] = defaultdict(int)
    for name, count in counts.items():
        mentions[name.key] += count
    return min(
        counts,
        key=lambda name: (
            _shortness(name),
            -mentions[name.key],
            -len(name.key),
            name.key,
            name.type in UNKNOWN_TYPES,
            -counts[name],
            name.type,
        ),
    )


def _shortness(name: Name) -> int:
    form = person_of(name)
    if form is None:
        return 2
    return 3 if form.short else int(form.titled)


def _apply(constraints: Sequence[Constraint], entities: Entities) -> None:
    for constraint in reversed(in_force(constraints)):
        if constraint.op == "merge":
            entities.join(constraint.a, constraint.b)
        else:
            entities.keep_apart(constraint.a, constraint.b)


def in_force(constraints: Sequence[Constraint]) -> list[Constraint]:
    """What of a log still counts, oldest first: at most one constraint for each two names.

    Examples
    --------
    >>> a, b = Name("a", "name"), Name("b", "name")
    >>> in_force([Constraint("merge", a, b), Constraint("unmerge", b, a)])
    []
    """
    stacks: dict[frozenset[Name], list[int]] = defaultdict(list)
    for at, constraint in enumerate(constraints):
        stack = stacks[frozenset((constraint.a, constraint.b))]
        merged = bool(stack) and constraints[stack[-1]].op == "merge"
        if merged and constraint.op == "unmerge":
            stack.pop()
        elif not stack or constraints[stack[-1]].op != constraint.op:
            stack.append(at)
    return [constraints[at] for at in sorted(stack[-1] for stack in stacks.values() if stack)]


def unmerging(
    a: Name, b: Name, log: Sequence[Constraint], resolved: Callable[[Sequence[Constraint]], Mapping[Name, Name]]
) -> list[Constraint]:
    """What to append to a log so that two names are two; names that were merged with both stay with the first.

    Parameters
    ----------
    a, b : Name
    log : sequence of Constraint
        Oldest first.
    resolved : callable
        From a log to the name that stands for the entity of each name, see `resolve`.

    Examples
    --------
    >>> a, b, c = (Name(key, "name") for key in "abc")
    >>> log = [Constraint("merge", a, c), Constraint("merge", b, c)]
    >>> more = unmerging(a, b, log, lambda log: resolve(dict.fromkeys((a, b, c), 1), log))
    >>> after = resolve(dict.fromkeys((a, b, c), 1), [*log, *more])
    >>> after[a] == after[b], after[a] == after[c]
    (False, True)
    """
    taken_back = Constraint("unmerge", a, b)

    def together(more: Sequence[Constraint], one: Name, other: Name) -> bool:
        names = resolved([*log, *more])
        return names.get(one, one) == names.get(other, other)

    if not together((), a, b):
        return [taken_back]
    merged = [one for one in in_force(log) if one.op == "merge" and b in (one.a, one.b) and a not in (one.a, one.b)]
    leaving = {one.a if one.b == b else one.b: Constraint("unmerge", one.a, one.b) for one in merged}
    apart = [taken_back, taken_back]  # the one takes back a merge of the two, the other keeps them apart
    staying = [one for name, one in leaving.items() if together([*apart, *leaving.values()], name, a)]
    enough = [taken_back, *staying]
    return [taken_back, *enough] if together(enough, a, b) else enough


def _sure_links(
    names: Sequence[Name],
    people: Mapping[Name, PersonForm],
    aliases: Iterable[tuple[Name, Name]],
    asked_of: Sequence[Name],
) -> Iterator[Link]:
    yield from _same_name_links(names, people)
    yield from _retyped_links(names, asked_of)
    known = set(names)
    yield from sorted((min(pair), max(pair)) for pair in set(aliases) if known.issuperset(pair))
    yield from spelling_links(names, people)


def _same_name_links(names: Sequence[Name], people: Mapping[Name, PersonForm]) -> Iterator[Link]:
    by_key: dict[str, dict[str, list[Name]]] = defaultdict(lambda: defaultdict(list))
    for name in names:
        alike = identity(name, people.get(name))
        by_key[alike.key][alike.type].append(name)
    for types in by_key.values():
        if len(types) == 1:
            yield from pairwise(*types.values())
            continue
        for same in types.values():
            yield from pairwise(same)
        known = sorted(types.keys() - UNKNOWN_TYPES)
        unknown = sorted(types.keys() & UNKNOWN_TYPES)
        if len(known) <= 1:
            yield from pairwise(types[kind][0] for kind in known + unknown)


def _retyped_links(names: Sequence[Name], asked_of: Sequence[Name]) -> Iterator[Link]:
    """What was asked of a name that no text has any more holds for the name under another type, if that may be it."""
    by_key: dict[str, list[Name]] = defaultdict(list)
    for name in names:
        by_key[name.key].append(name)
    for gone in asked_of:
        alike = by_key.get(gone.key, [])
        if alike and len({name.type for name in (gone, *alike)} - UNKNOWN_TYPES) <= 1:
            yield from pairwise((gone, *alike))


def _join_short_forms(people: Mapping[Name, PersonForm], entities: Entities) -> None:
    """Short forms with the one full name they fit; where there is none, with each other.

    Two persons to choose from, 先生 against 女士, or a full name in each of two circles: then a short form stays alone.
    """
    found = circles_of(people)
    circles = [circle for key in sorted(found) for circle in by_character(found[key], people)]
    circles = [circle for circle in circles if one_gender(circle.members, people)]
    full = {entities.of(name) for name, form in people.items() if not form.short}
    wanted: dict[Name, set[Name]] = defaultdict(set)
    for circle in circles:
        if (target := _only_full(circle, entities, full)) is not None:
            for short in set(_free(circle, entities)) - full:
                wanted[short].add(target)
    alone = [circle for circle in circles if not _full_names(circle, entities, full)]
    for short, targets in sorted(wanted.items()):
        if len(targets) == 1:
            entities.join(next(iter(targets)), short)
    for circle in alone:
        if len(_full_names(circle, entities, full)) <= 1:
            roots = sorted(_free(circle, entities), key=lambda root: root not in full)  # the first one stays a root
            for one, other in pairwise(roots):
                entities.join(one, other)


def _full_names(circle: Circle, entities: Entities, full: set[Name]) -> set[Name]:
    return full.intersection(map(entities.of, [*circle.members, *circle.rivals]))


def _only_full(circle: Circle, entities: Entities, full: set[Name]) -> Name | None:
    """The entity of the only full name in a circle."""
    found = _full_names(circle, entities, full)
    target = found.pop() if len(found) == 1 else None
    return target if target in set(map(entities.of, circle.members)) else None


def _free(circle: Circle, entities: Entities) -> list[Name]:
    """Entities of a circle, in order, without the short forms that a user has told apart from another one of it."""
    roots = list(dict.fromkeys(map(entities.of, circle.members)))
    return [root for root in roots if entities.kept_from(root).isdisjoint(roots)]


def person_meant(name: str, block: Iterable[Name], resolved: Mapping[Name, Name]) -> Name | None:
    """The person that a name means which is itself not in the memory: 张总 where only 张伟 is known.

    Parameters
    ----------
    name : str
        As a query writes it.
    block : iterable of Name
        At least all names that share a blocking key with ``Name.of(name, "person")``.
    resolved : mapping of Name to Name
        As `resolve` gave it; covers `block`.

    Returns
    -------
    Name or None
        What stands for the only person it can be; None if there is nobody, or more than one.

    Examples
    --------
    >>> wei = Name("张伟", "person")
    >>> person_meant("张总", [wei], {wei: wei})
    Name(key='张伟', type='person')
    """
    asked = Name.of(name, "person")
    people = {other: form for other in sorted(block) if (form := person_of(other)) is not None and other != asked}
    form = person_of(asked)
    if form is None:
        return None
    same = {resolved[other] for other in people if identity(other, people[other]) == identity(asked, form)}
    if same or not form.short:
        return same.pop() if len(same) == 1 else None
    people[asked] = form
    for circle in by_character(circles_of(people)[circle_keys(form)[0]], people):
        if asked in circle.members and one_gender(circle.members, people):
            meant = {resolved[other] for other in circle.members if other != asked}
            rivals = {resolved[other] for other in circle.rivals}
            return meant.pop() if len(meant) == 1 and rivals <= meant else None
    return None
