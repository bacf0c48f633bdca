"""Fast looking for long alternatives: first for a character they can begin with, then for the whole."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache


def matches(start: re.Pattern[str], pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The matches of `pattern` that begin where `start` matches; left to right, not overlapping.

    Examples
    --------
    >>> [match[0] for match in matches(re.compile("[ab]"), re.compile("ab|bc+"), "xabcc bcc")]
    ['ab', 'bcc']
    """
    position = 0
    while found := start.search(text, position):
        match = pattern.match(text, found.start())
        if match and match.end() > found.start():
            yield match
            position = match.end()
        else:
            position = found.end()


def one_of(words: str) -> str:
    """A pattern for any of the words in a list, the longest that fits, grouped by their first characters.

    Examples
    --------
    >>> one_of("ab abc b")
    'a(?:bc|b)|b(?:)'
    """
    groups: dict[str, list[str]] = {}
    for word in sorted(set(words.split()), key=lambda word: (-len(word), word)):
        groups.setdefault(word[0], []).append(re.escape(word[1:]))
    return "|".join(f"{re.escape(first)}(?:{'|'.join(rests)})" for first, rests in sorted(groups.items()))


def first_of(words: str) -> str:
    """A character class of what the words in a list begin with."""
    return "[" + "".join(sorted({re.escape(word[0]) for word in words.split()})) + "]"


def has_han(text: str) -> bool:
    """Whether a text has Chinese characters."""
    return _one_han().search(text) is not None


@lru_cache(maxsize=16)
def latin_words(text: str) -> frozenset[str]:
    """The runs of letters from a to z in a text, in lower case; kept for the next question about the same sentence."""
    return frozenset(latin_runs().findall(text.lower()))


@cache
def latin_runs() -> re.Pattern[str]:
    """A run of letters from a to z."""
    return re.compile("[a-z]+")


@cache
def _one_han() -> re.Pattern[str]:
    return re.compile(r"[\u4e00-\u9fff]")
