"""What the resolution of a name depends on: keys shared by names that can be one, and what a change affects."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from hybrid_agent_memory.graph.names import Name
from hybrid_agent_memory.graph.people import circle_keys, identity, person_of
from hybrid_agent_memory.graph.spelling import spelling_keys

_SHORT = "short "
_CIRCLES = ("surname:", "word:")


def blocking_keys(name: Name) -> frozenset[str]:
    """Keys that a name has in common with every name it can be joined with by rule, directly or through a third.

    Few names share one, but for ``surname:`` and ``word:`` keys, which all persons of that surname or given name have:
    `affected` looks into these only where a short form depends on them.
    """
    form = person_of(name)
    keys = {f"name:{identity(name, form).key}", *spelling_keys(name, form)}
    if form is not None:
        keys.update(circle_keys(form))
        keys.update(_SHORT + key for key in circle_keys(form) if form.short)
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
        form = person_of(name)
        return [] if form is None else circle_keys(form)


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
        form = person_of(name)
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
    form = person_of(name)
    return None if form is None else form.character
