"""A phrase of the vocabulary taken apart: its slots and the words between them, found in a clause by plain search."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

Span = tuple[int, int]

EDGES = ' \t\u3000"“”「」『』《》*_`,，!！。、'
"""Characters around a name that are no part of it."""

_LONGEST_GAP = 80  # characters that "…" may stand for


def word_set(words: str) -> frozenset[str]:
    """The words of a list written as text."""
    return frozenset(words.split())


@dataclass(frozen=True, slots=True)
class Fit:
    """Where a wording fits a clause: positions of subject and object, and of what is left unread behind them.

    Attributes
    ----------
    x : tuple of int or None
        The subject; None if the clause leaves it out.
    y : tuple of int
    tail : tuple of int or None
    """

    x: Span | None
    y: Span
    tail: Span | None = None


@dataclass(frozen=True, slots=True)
class Phrase:
    """A clause with two slots.

    Attributes
    ----------
    first : str
        ``"X"`` or ``"Y"``, the slot that comes first.
    before, between, behind : str
        The words around the slots, with their spaces; ``between`` may hold one ``…``, ``before`` begin with one.
    """

    first: str
    before: str
    between: str
    behind: str


@cache
def _slot() -> re.Pattern[str]:
    return re.compile(r"(?<![A-Za-z])([XY])[!=~]?(?![A-Za-z])")


def slots(phrase: str) -> list[str]:
    """The slots of a phrase, sorted: none in a noun, X and Y in a clause."""
    return sorted(_slot().findall(phrase))


def without_slots(phrase: str) -> str:
    """The words of a phrase, with gaps where its slots are and where some words may stand.

    Examples
    --------
    >>> without_slots("Y is responsible for X").split(), without_slots("X由Y赞助").split()
    (['is', 'responsible', 'for'], ['由', '赞助'])
    """
    return _slot().sub(" ", phrase).replace("…", " ")


@cache
def parse(phrase: str) -> Phrase | None:
    """Take a phrase apart; None for a noun, which has no slots.

    Examples
    --------
    >>> parse("Y owns X")
    Phrase(first='Y', before='', between=' owns ', behind='')
    >>> parse("owner") is None
    True
    """
    pieces = _slot().split(phrase)
    if len(pieces) != 5 or pieces[1] == pieces[3]:
        return None
    return Phrase(pieces[1], pieces[0], pieces[2], pieces[4])


def between(low: str, words: str, start: int) -> Span | None:
    """Where the words between two slots stand first, from a position on."""
    head, gap, last = words.partition("…")
    at = low.find(head, start)
    if at < 0:
        return None
    if not gap:
        return at, at + len(head)
    end = low.find(last, at + len(head), at + len(head) + len(last) + _LONGEST_GAP)
    if end < 0 or not {";", ":", "；", "："}.isdisjoint(low[at:end]):
        return None
    return at, end + len(last)


def lowered(text: str) -> str:
    """The text in lower case, character for character."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c if len(c.lower()) != 1 else c.lower() for c in text)


def shifted(match: re.Match[str], group: str, offset: int) -> Span | None:
    """Where a group stands in a longer text; None if it is absent or empty."""
    start, end = match.span(group)
    return (start + offset, end + offset) if start < end else None


def fits(low: str, phrase: Phrase, words: str) -> Iterator[tuple[Span, Span]]:
    """Both slots, the first with what stands before it; the second reaches to the end of the clause."""
    start = _behind(low, phrase.before)
    if start < 0:
        return
    found = between(low, words, start)
    if found:
        yield (start, found[0]), (found[1], len(low))


def _behind(low: str, before: str) -> int:
    """Where the words before the first slot end; -1 if they are missing."""
    if before.startswith("…"):
        at = low.find(before[1:], 0, _LONGEST_GAP)
        return at + len(before) - 1 if at >= 0 else -1
    return len(before) if low.startswith(before) else -1
