"""Names that differ by a typing error only, found without comparing every name with every other."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise

from hybrid_agent_memory.graph.names import Name, PersonForm, plain

Link = tuple[Name, Name]

SURE_SPELLING = 0.93
"""Similarity (`rapidfuzz.fuzz.ratio`) from which two long names are one with a typing error."""

_MISSPELT_TYPES = frozenset({"organisation", "product", "project", "place"})
_LONG_WORD = 8
_VARIANTS = 6
_FIXED_LETTERS = 4  # at the beginning of a word; typing errors there are missed, and East and West stay apart


def spelling_links(names: Sequence[Name], people: Mapping[Name, PersonForm]) -> Iterator[Link]:
    """Names of one type, at least eight Latin letters long and without digits, that differ by a typing error.

    Organisations, products, projects and places: one letter missing, added, changed or swapped within a word of eight
    letters or more, after its first four and before its last.
    Persons and names of unknown type: only single for double letters (Phillip and Philip), as Maria is not Mario.
    """
    by_block: dict[str, list[Name]] = defaultdict(list)
    for name in names:
        for key in spelling_keys(name, people.get(name)):
            by_block[key].append(name)
    for key, alike in sorted(by_block.items()):
        if len(alike) > 1:
            yield from pairwise(alike) if key.startswith("double:") else _misspelt(alike)


def spelling_keys(name: Name, form: PersonForm | None) -> Iterator[str]:
    """Keys that a name has in common with every name it can be joined with as misspelt; `form` if it is a person's."""
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

    Names one edit apart have a form in common with at most one letter left out, so few pairs need a look. Where many
    names differ in one place, that is no typing error but what tells them apart, like the letters of a code.
    """
    by_shorter: dict[str, list[Name]] = defaultdict(list)
    for name in alike:
        key = plain(name.key)
        for shorter in {key, *(key[:at] + key[at + 1 :] for at in range(_FIXED_LETTERS, len(key) - 1))}:
            by_shorter[shorter].append(name)
    pairs = {pair for group in by_shorter.values() if len(group) <= _VARIANTS for pair in combinations(group, 2)}
    yield from sorted(pair for pair in pairs if _one_edit(*pair))


def _one_edit(one: Name, other: Name) -> bool:
    from rapidfuzz import fuzz
    from rapidfuzz.distance import OSA

    a, b = plain(one.key), plain(other.key)
    return OSA.distance(a, b, score_cutoff=1) <= 1 and fuzz.ratio(a, b) >= 100 * SURE_SPELLING
