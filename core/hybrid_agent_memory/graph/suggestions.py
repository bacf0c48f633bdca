"""Pairs of names that may be one entity and that the rules leave apart: for people to look through now and then."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, product

from hybrid_agent_memory.graph.given_names import given_pinyin
from hybrid_agent_memory.graph.names import UNKNOWN_TYPES, Name, PersonForm, plain
from hybrid_agent_memory.graph.people import by_character, circles_of, one_gender, person_of

LIKELY_SPELLING = 0.8
"""Similarity (`rapidfuzz.fuzz.ratio`) from which two names are suggested."""

NOT_SUGGESTED = frozenset({"identifier", "amount", "date", "other"})
"""Types of names of which those that are alike are mostly two."""

_CROWD = 24  # names that share a word or a beginning; where more do, it tells nothing
_CHOICES = 4  # persons that a short form may mean; where there are more, a pair is a guess


@dataclass(frozen=True, slots=True)
class NamePair:
    """Two names of different entities that may be one.

    Attributes
    ----------
    a, b : Name
        ``a`` sorts before ``b``.
    score : float
        0 to 1, higher is likelier; a rule of thumb, no probability.
    reason : str
    """

    a: Name
    b: Name
    score: float
    reason: str


def suggest(counts: Mapping[Name, int], resolved: Mapping[Name, Name], limit: int = 50) -> list[NamePair]:
    """What may be one entity though the rules were not sure, the likeliest first; at most one pair for two entities.

    Parameters
    ----------
    counts : mapping of Name to int
        Every name of the namespace, with its mentions; of equal scores the more mentioned come first.
    resolved : mapping of Name to Name
        As `hybrid_agent_memory.graph.resolution.resolve` gave it.
    limit : int
        At most so many.

    Examples
    --------
    >>> names = [Name("acme robotics", "organisation"), Name("acme", "organisation")]
    >>> suggest(dict.fromkeys(names, 1), {name: name for name in names})[0].reason
    'the words of one are among those of the other'
    """
    names = sorted(name for name in counts if name.type not in NOT_SUGGESTED)
    people = {name: form for name in names if (form := person_of(name)) is not None}
    best: dict[frozenset[Name], NamePair] = {}
    for found in (*_two_scripts(people), *_unclear_short_forms(people, resolved), *_alike(names, people)):
        entities = frozenset((resolved[found.a], resolved[found.b]))
        if len(entities) == 2 and (entities not in best or _order(found, counts) < _order(best[entities], counts)):
            best[entities] = found
    return sorted(best.values(), key=lambda found: _order(found, counts))[:limit]


def _order(found: NamePair, counts: Mapping[Name, int]) -> tuple[float, int, Name, Name]:
    return -found.score, -counts[found.a] - counts[found.b], found.a, found.b


def _pair(one: Name, other: Name, score: float, reason: str) -> NamePair:
    return NamePair(min(one, other), max(one, other), round(score, 3), reason)


def _two_scripts(people: Mapping[Name, PersonForm]) -> Iterator[NamePair]:
    """张伟 and Zhang Wei."""
    written: dict[tuple[str, str], tuple[list[Name], list[Name]]] = defaultdict(lambda: ([], []))
    for name, form in people.items():
        if form.surname is None or form.given is None:
            continue
        in_latin = form.character is None
        given = form.given.replace(" ", "").replace("-", "") if in_latin else given_pinyin(form.given)
        if given is not None:
            written[form.surname, given][in_latin].append(name)
    for han, latin in written.values():
        if len(han) <= _CHOICES and len(latin) <= _CHOICES:
            for pair in product(han, latin):
                yield _pair(*pair, 0.9, "one name in two scripts")


def _unclear_short_forms(people: Mapping[Name, PersonForm], resolved: Mapping[Name, Name]) -> Iterator[NamePair]:
    """张总 with 张伟 and with 张丽."""
    for members in circles_of(people).values():
        for circle in by_character(members, people):
            full = {resolved[name]: name for name in circle.members if not people[name].short}
            if 1 <= len(full) <= _CHOICES:
                for short in (name for name in circle.members if people[name].short):
                    for name in full.values():
                        if one_gender((short, name), people):
                            yield _pair(short, name, 0.8 / len(full), "a short form that fits the full name")


def _alike(names: Iterable[Name], people: Mapping[Name, PersonForm]) -> Iterator[NamePair]:
    crowds: dict[str, list[Name]] = defaultdict(list)
    for name in names:
        if name not in people or not people[name].titled:
            for key in _parts(plain(name.key)):
                crowds[key].append(name)
    pairs = {pair for crowd in crowds.values() if len(crowd) <= _CROWD for pair in combinations(crowd, 2)}
    for one, other in sorted(pairs):
        if one.type == other.type or not UNKNOWN_TYPES.isdisjoint((one.type, other.type)):
            yield from _compared(one, other, person=one in people or other in people)


def _parts(key: str) -> set[str]:
    """What names that are alike may have in common: a word, the beginning, the end."""
    letters = key.replace(" ", "")
    length = 4 if letters.isascii() else 2
    words = {word for word in key.split(" ") if len(word) >= 3}
    return {f"word {word}" for word in words} | {f"begins {letters[:length]}", f"ends {letters[-length:]}"}


def _compared(one: Name, other: Name, person: bool) -> Iterator[NamePair]:
    from rapidfuzz import fuzz

    a, b = plain(one.key), plain(other.key)
    if _digits(a) != _digits(b):
        return
    few, many = sorted((a, b), key=len)
    if a == b:
        yield _pair(one, other, 0.6, "one name, of which two types are known")
        return
    similarity = fuzz.ratio(a, b) / 100
    if set(few.split(" ")) < set(many.split(" ")):
        yield _pair(one, other, 0.4 + 0.4 * len(few) / len(many), "the words of one are among those of the other")
    elif not person and len(few) >= 2 and not few.isascii() and (many.startswith(few) or many.endswith(few)):
        yield _pair(one, other, 0.4 + 0.4 * len(few) / len(many), "one is the beginning or the end of the other")
    elif similarity >= LIKELY_SPELLING and len(few) >= 4:
        yield _pair(one, other, 0.9 * similarity, "spelled alike")


def _digits(key: str) -> str:
    return "".join(filter(str.isdigit, key))
