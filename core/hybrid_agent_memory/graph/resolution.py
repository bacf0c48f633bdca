"""Which names are one entity: a pure function of the names, of what texts call aliases and of what users asked.

Links, the surer ones first; a link that would put together what a user keeps apart is not made:

1. what users merged or unmerged, the newest first;
2. one name: equal keys but for accents, of one type; an unknown type joins the only known one;
3. aliases that texts give;
4. typing errors (`_spelling_links`): narrow, since joining two things is worse than missing a link;
5. short forms of a person (张总, Mr. Zhang, Alice) with the only full name they fit; with each other if there is none.

Nothing depends on the order of the names. What one name's links depend on is found through `blocking_keys`.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Literal

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

from hybrid_agent_memory.graph.names import Name, PersonForm, person_form, person_words, plain

UNKNOWN_TYPES = frozenset({"name", "other"})

SURE_SPELLING = 0.93
"""Similarity (`rapidfuzz.fuzz.ratio`) from which two long names are one with a typing error."""

_MISSPELT_TYPES = frozenset({"organisation", "product", "project", "place"})
_LONG_WORD = 8
_FIXED_LETTERS = 4  # at the beginning of a word; typing errors there are missed, and East and West stay apart

Link = tuple[Name, Name]


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
        The log, oldest first. Names that are not in `counts` link their neighbours all the same.
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
    names = sorted(counts)
    people = {name: form for name in names if (form := _person(name)) is not None}
    entities = _Entities()
    _apply(constraints, entities)
    for one, other in _sure_links(names, people, aliases):
        entities.join(one, other)
    _join_short_forms(people, entities)
    return {
        name: best
        for members in entities.groups(names)
        for best in (representative({name: counts[name] for name in members}),)
        for name in members
    }


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
    form = _person(name)
    if form is None:
        return 2
    return 3 if form.short else int(form.titled)


def _person(name: Name) -> PersonForm | None:
    """What the name tells if it is a person's, by its type or, where that is unknown, by its title."""
    if name.type not in ("person", "name"):
        return None
    form = person_form(name.key)
    if form is None or name.type == "person":
        return form
    return form if form.titled and (form.short or form.gender is not None) else None


def _identity(name: Name, form: PersonForm | None) -> Name:
    """What a name has in common with all other spellings and titles of it."""
    if form is not None and form.titled and not form.short:
        return Name(plain(form.bare), "person")
    return Name(plain(name.key), name.type if form is None else "person")


class _Entities:
    """Names joined into entities, some of which are kept apart."""

    def __init__(self) -> None:
        self._parents: dict[Name, Name] = {}
        self._apart: dict[Name, set[Name]] = {}

    def of(self, name: Name) -> Name:
        """The root of a name's entity so far."""
        root = name
        while (parent := self._parents.get(root, root)) != root:
            root = parent
        while name != root:
            self._parents[name], name = root, self._parents.get(name, root)
        return root

    def keep_apart(self, one: Name, other: Name) -> None:
        """From now on no join puts these two together; nothing happens if they are together already."""
        one, other = self.of(one), self.of(other)
        if one != other:
            self._apart.setdefault(one, set()).add(other)
            self._apart.setdefault(other, set()).add(one)

    def are_apart(self, one: Name, other: Name) -> bool:
        """Whether these two must not be joined."""
        return self.of(other) in self._apart.get(self.of(one), ())

    def join(self, one: Name, other: Name) -> None:
        """Make two entities one, with the root of the first, unless they are kept apart."""
        one, other = self.of(one), self.of(other)
        if one == other or other in self._apart.get(one, ()):
            return
        self._parents[other] = one
        for third in self._apart.pop(other, set()):
            self._apart[third] = self._apart[third] - {other} | {one}
            self._apart.setdefault(one, set()).add(third)

    def groups(self, names: Iterable[Name]) -> list[list[Name]]:
        """The names of each entity."""
        groups: dict[Name, list[Name]] = {}
        for name in names:
            groups.setdefault(self.of(name), []).append(name)
        return list(groups.values())


def _apply(constraints: Sequence[Constraint], entities: _Entities) -> None:
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


def _sure_links(
    names: Sequence[Name], people: Mapping[Name, PersonForm], aliases: Iterable[tuple[Name, Name]]
) -> Iterator[Link]:
    yield from _same_name_links(names, people)
    known = set(names)
    yield from sorted((min(pair), max(pair)) for pair in set(aliases) if known.issuperset(pair))
    yield from _spelling_links(names, people)


def _same_name_links(names: Sequence[Name], people: Mapping[Name, PersonForm]) -> Iterator[Link]:
    by_key: dict[str, dict[str, list[Name]]] = defaultdict(lambda: defaultdict(list))
    for name in names:
        identity = _identity(name, people.get(name))
        by_key[identity.key][identity.type].append(name)
    for _, types in sorted(by_key.items()):
        for alike in types.values():
            yield from pairwise(alike)
        known = sorted(types.keys() - UNKNOWN_TYPES)
        unknown = sorted(types.keys() & UNKNOWN_TYPES)
        if len(known) <= 1:
            yield from pairwise(types[kind][0] for kind in known + unknown)


# -- typing errors --------------------------------------------------------------------------------------------------


def _spelling_links(names: Sequence[Name], people: Mapping[Name, PersonForm]) -> Iterator[Link]:
    """Names of one type, at least eight Latin letters long and without digits, that differ by a typing error.

    Organisations, products, projects and places: one letter missing, added, changed or swapped within a word of eight
    letters or more, after its first four and before its last.
    Persons and names of unknown type: only single for double letters (Phillip and Philip), as Maria is not Mario.
    """
    by_block: dict[str, list[Name]] = defaultdict(list)
    for name in names:
        for key in _spelling_keys(name, people.get(name)):
            by_block[key].append(name)
    for key, alike in sorted(by_block.items()):
        if len(alike) > 1:
            yield from pairwise(alike) if key.startswith("double:") else _misspelt(alike)


def _spelling_keys(name: Name, form: PersonForm | None) -> Iterator[str]:
    key = plain(name.key)
    letters = key.replace(" ", "")
    if len(letters) < _LONG_WORD or not (letters.isascii() and letters.isalpha()):
        return
    words = key.split(" ")
    if name.type in _MISSPELT_TYPES:
        for at, word in enumerate(words):
            if len(word) >= _LONG_WORD:
                around = " ".join([*words[:at], word[:_FIXED_LETTERS] + "*" + word[-1], *words[at + 1 :]])
                yield f"edit:{name.type}:{around}"
    elif name.type in ("person", "name") and (form is None or not form.short) and len(words) > 1:
        yield f"double:{name.type}:{' '.join(map(_without_doubles, words))}"


def _without_doubles(word: str) -> str:
    single = word[:1] + "".join(after for before, after in pairwise(word) if before != after)
    return single if len(single) >= 6 else word  # Anna is not Ana


def _misspelt(alike: Sequence[Name]) -> Iterator[Link]:
    """Pairs of names that are one edit apart, among names that agree in all but the inside of one word.

    Names one edit apart have a form in common with at most one letter left out, so few pairs need a look.
    """
    by_shorter: dict[str, list[Name]] = defaultdict(list)
    for name in alike:
        key = plain(name.key)
        for shorter in {key, *(key[:at] + key[at + 1 :] for at in range(_FIXED_LETTERS, len(key) - 1))}:
            by_shorter[shorter].append(name)
    pairs = {pair for group in by_shorter.values() for pair in combinations(group, 2)}
    yield from sorted(pair for pair in pairs if _one_edit(*pair))


def _one_edit(one: Name, other: Name) -> bool:
    a, b = plain(one.key), plain(other.key)
    return OSA.distance(a, b, score_cutoff=1) <= 1 and fuzz.ratio(a, b) >= 100 * SURE_SPELLING


# -- short forms of persons -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Circle:
    """Persons among whom a short form can mean somebody.

    Attributes
    ----------
    members : list of Name
        With the surname, or with the word that is somebody's given name; in one script, or one character and Latin.
    rivals : list of Name
        Full names that the short forms might mean too, but that are never joined with them.
    """

    members: list[Name]
    rivals: list[Name]


def _join_short_forms(people: Mapping[Name, PersonForm], entities: _Entities) -> None:
    """Short forms with the one full name they fit; where there is none, with each other.

    Two persons to choose from, 先生 against 女士, or a full name in each of two circles: then a short form stays alone.
    """
    found = _circles(people)
    circles = [circle for key in sorted(found) for circle in _by_character(found[key], people)]
    circles = [circle for circle in circles if _one_gender(circle.members, people)]
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


def _circle_keys(form: PersonForm) -> list[str]:
    if form.surname is None:
        return [f"word:{form.given}"]
    surname = f"surname:{form.surname}"
    return [surname] if form.given is None else [surname, *(f"word:{word}" for word in sorted(person_words(form)))]


def _circles(people: Mapping[Name, PersonForm]) -> dict[str, list[Name]]:
    """Persons by what a short form says of them, where there is a short form."""
    sought = {key for form in people.values() if form.short for key in _circle_keys(form)}
    circles: dict[str, list[Name]] = defaultdict(list)
    for name, form in people.items():
        for key in sought.intersection(_circle_keys(form)):
            circles[key].append(name)
    return circles


def _by_character(members: Sequence[Name], people: Mapping[Name, PersonForm]) -> Iterator[_Circle]:
    """张 and 章 are both Zhang: with both about, what is spelled out is joined with neither."""
    characters = {people[name].character for name in members} - {None}
    if len(characters) <= 1:
        yield _Circle(list(members), [])
        return
    spelled = [name for name in members if people[name].character is None and not people[name].short]
    for character in sorted(filter(None, characters)):
        yield _Circle([name for name in members if people[name].character == character], spelled)


def _one_gender(members: Iterable[Name], people: Mapping[Name, PersonForm]) -> bool:
    return len({people[name].gender for name in members} - {None}) <= 1


def _full_names(circle: _Circle, entities: _Entities, full: set[Name]) -> set[Name]:
    return full.intersection(map(entities.of, [*circle.members, *circle.rivals]))


def _only_full(circle: _Circle, entities: _Entities, full: set[Name]) -> Name | None:
    """The entity of the only full name in a circle."""
    found = _full_names(circle, entities, full)
    target = found.pop() if len(found) == 1 else None
    return target if target in set(map(entities.of, circle.members)) else None


def _free(circle: _Circle, entities: _Entities) -> list[Name]:
    """Entities of a circle, in order, without the short forms that a user has told apart from another one of it."""
    roots = list(dict.fromkeys(map(entities.of, circle.members)))
    return [root for root in roots if not any(entities.are_apart(root, other) for other in roots)]


# -- what depends on what -------------------------------------------------------------------------------------------

_SHORT = "short "
_CIRCLES = ("surname:", "word:")


def blocking_keys(name: Name) -> frozenset[str]:
    """Keys that a name has in common with every name it can be joined with by rule, directly or through a third.

    Few names share one, but for ``surname:`` and ``word:`` keys, which all persons of that surname or given name have:
    `affected` looks into these only where a short form depends on them.
    """
    form = _person(name)
    keys = {f"name:{_identity(name, form).key}", *_spelling_keys(name, form)}
    if form is not None:
        keys.update(_circle_keys(form))
        keys.update(_SHORT + key for key in _circle_keys(form) if form.short)
    return frozenset(keys)


@dataclass(frozen=True, slots=True)
class Affected:
    """What a change makes it necessary to resolve anew.

    Attributes
    ----------
    names : frozenset of Name
        Every name whose entity the change can affect, with all others of that entity.
    context : frozenset of Name
        More names that must be given to `resolve` with these; what it says of them is not to be used.
    """

    names: frozenset[Name]
    context: frozenset[Name]


def affected(
    changed: Iterable[Name], bucket: Callable[[str], Iterable[Name]], linked: Callable[[Name], Iterable[Name]]
) -> Affected:
    """What to resolve anew after a change, so that the outcome is that of resolving all.

    Parameters
    ----------
    changed : iterable of Name
        Every name that came or went, and both names of every constraint and alias that did.
    bucket : callable
        The names now present that have a blocking key.
    linked : callable
        The names that a constraint or an alias links with a name, present or not.

    Notes
    -----
    What is sure (all but short forms) is followed to its end. A short form is resolved anew only if the change can
    make a difference to it: not where two persons whom the change does not touch already make it ambiguous. Those two
    are then its context, however many others bear the name.
    """
    near = _Near(bucket, linked)
    touched = near.all_of(changed)
    names, context = set(touched), set[Name]()
    pending = [key for name in touched for key in near.circles(name)]
    seen: set[str] = set()
    while pending:
        key = pending.pop()
        if key not in seen:
            seen.add(key)
            found = _look_into(key, near, touched)
            context |= found.context
            fresh = near.all_of(found.names) - names
            names |= fresh
            pending.extend(key for name in fresh for key in near.circles(name))
    return Affected(frozenset(names), frozenset(context - names))


class _Near:
    """The names around a name."""

    def __init__(self, bucket: Callable[[str], Iterable[Name]], linked: Callable[[Name], Iterable[Name]]) -> None:
        self.bucket, self._linked = bucket, linked

    def all_of(self, names: Iterable[Name]) -> set[Name]:
        """These and all that may be joined with them for sure."""
        found = set(names)
        ahead = list(found)
        while ahead:
            name = ahead.pop()
            sure = (key for key in blocking_keys(name) if not key.startswith((*_CIRCLES, _SHORT)))
            fresh = {*self._linked(name), *(other for key in sure for other in self.bucket(key))} - found
            found |= fresh
            ahead.extend(fresh)
        return found

    def circles(self, name: Name) -> list[str]:
        """Keys of the circles a name is in."""
        form = _person(name)
        return [] if form is None else _circle_keys(form)


@dataclass(slots=True)
class _Witness:
    """A person with all names, and the characters of the surname among those in a circle."""

    names: set[Name]
    characters: set[str | None]

    def fits(self, character: str | None) -> bool:
        """Whether a short form with this character, or in Latin letters, may mean that person."""
        return character is None or not self.characters.isdisjoint((character, None))


def _look_into(key: str, near: _Near, touched: set[Name]) -> Affected:
    """What a circle with a name in it that is to be resolved makes it necessary to resolve too, and to know."""
    shorts: dict[str | None, list[Name]] = defaultdict(list)
    for name in near.bucket(_SHORT + key):
        shorts[_character(name)].append(name)
    if not shorts:
        return Affected(frozenset(), frozenset())
    witnesses = _witnesses(near, key, touched, set(shorts))
    open_characters = [character for character in shorts if sum(one.fits(character) for one in witnesses) < 2]
    names = {name for character in open_characters for name in shorts[character]}
    for one in witnesses:
        if any(one.fits(character) for character in open_characters):
            names |= one.names
    context = {name for one in witnesses for name in one.names} | {alike[0] for alike in shorts.values()}
    return Affected(frozenset(names), frozenset(context))


def _witnesses(near: _Near, key: str, touched: set[Name], sought: set[str | None]) -> list[_Witness]:
    """Untouched persons with a full name: of each character two, and no more once every short form has two."""
    found: list[_Witness] = []
    for name in near.bucket(key):
        form = _person(name)
        if form is None or form.short or name in touched:
            continue
        known = next((one for one in found if name in one.names), None)
        if known is not None:
            known.characters.add(form.character)
        elif sum(form.character in one.characters for one in found) < 2:
            found.append(_Witness(near.all_of([name]), {form.character}))
        if all(sum(one.fits(character) for one in found) >= 2 for character in sought):
            break
    return found


def _character(name: Name) -> str | None:
    form = _person(name)
    return None if form is None else form.character


# -- asking ---------------------------------------------------------------------------------------------------------


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
    people = {other: form for other in sorted(block) if (form := _person(other)) is not None and other != asked}
    form = _person(asked)
    if form is None:
        return None
    same = {resolved[other] for other in people if _identity(other, people[other]) == _identity(asked, form)}
    if same or not form.short:
        return same.pop() if len(same) == 1 else None
    people[asked] = form
    for circle in _by_character(_circles(people)[_circle_keys(form)[0]], people):
        if asked in circle.members and _one_gender(circle.members, people):
            meant = {resolved[other] for other in circle.members if other != asked}
            rivals = {resolved[other] for other in circle.rivals}
            return meant.pop() if len(meant) == 1 and rivals <= meant else None
    return None
