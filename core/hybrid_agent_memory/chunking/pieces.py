"""Cutting a span of text to size at the best places it has, without ever cutting a word."""

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hybrid_agent_memory.errors import InvalidInputError

DEFAULT_MAX_CHARS = 800
"""About 200 tokens of English; 800 Chinese characters still (nearly) fit the 512 tokens small embedders read."""


@dataclass(frozen=True, slots=True)
class Piece:
    """An exact slice of a document.

    Attributes
    ----------
    text : str
        ``document[start : start + len(text)]``; neither end is white space.
    heading_path : tuple of str
        The titles of the headings above it, outermost first, its own section's heading included; empty in plain text.
    start : int
        Its offset in the document, in characters.
    above : tuple of str
        Those of the headings above it that `text` does not hold, outermost first, written as ``## Title``.
    """

    text: str
    heading_path: tuple[str, ...]
    start: int
    above: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Span:
    """The half-open range of characters ``start .. end``."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start


Cutter = Callable[[str, Span], Iterator[int]]
"""Where a span may be cut: offsets strictly inside it, ascending."""


def _after(pattern: str) -> Cutter:
    compiled = re.compile(pattern)

    def cuts(text: str, span: Span) -> Iterator[int]:
        return (match.end() for match in compiled.finditer(text, span.start, span.end) if match.end() < span.end)

    return cuts


_IDEOGRAPHIC = re.compile(
    "[\u3000-\u303f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # not the full-width letters: identifiers
    "\uff01\uff08\uff09\uff0c\uff0e\uff1a\uff1b\uff1f\uff61-\uff64\U00020000-\U0003ffff]"
)
_OPENING = "“‘「『（【《〈〔［｛([{"
_CLOSING = "”’」』）】》〉〕］｝)]}、。，．：；！？,.:;!?%…—～ー々"


def _around_ideographs(text: str, span: Span) -> Iterator[int]:
    for cut in range(span.start + 1, span.end):
        before, after = text[cut - 1], text[cut]
        beside_ideograph = _IDEOGRAPHIC.match(before) or _IDEOGRAPHIC.match(after)
        attached = before in _OPENING or after in _CLOSING or unicodedata.category(after).startswith("M")
        if beside_ideograph and not attached:
            yield cut


BREAKS: tuple[Cutter, ...] = (
    _after(r"\n(?:[^\S\n]*\n)+"),  # paragraphs
    _after(r"\n(?=[^\S\n]*(?:[-*+•]|\d{1,9}[.)])\s)"),  # list items
    _after(r"\n"),
    _after(r"(?<![.!?])[.!?]+[\"')\]]*(?=\s)|[。！？]+[”’」』）】》]*"),  # sentences
    _after(r"[,;:](?=\s)|[，；：、]+"),  # clauses
    _after(r"\s+"),
    _around_ideographs,
)
"""The places to cut, the best kind first; the last two are the only ones inside a clause, and none is inside a word."""

LINES: tuple[Cutter, ...] = BREAKS[2:3] + BREAKS[5:]


def check_arguments(text: str, max_chars: int) -> None:
    """Refuse what is not a text, or not a size.

    Raises
    ------
    InvalidInputError
        If `text` is not a str or `max_chars` not an integer of at least 1.
    """
    if not isinstance(text, str):
        raise InvalidInputError(f"text must be a str, not {type(text).__name__}")
    if not isinstance(max_chars, int) or isinstance(max_chars, bool) or max_chars < 1:
        raise InvalidInputError(f"max_chars {max_chars!r} must be an integer of at least 1")


def trimmed(text: str, span: Span) -> Span:
    """The span without the white space at its ends; empty when there is nothing else."""
    start, end = span.start, span.end
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return Span(start, end)


def atoms(text: str, span: Span, max_chars: int, breaks: Sequence[Cutter] = BREAKS) -> Iterator[Span]:
    """Cut a span into parts of at most `max_chars`, each as large a unit of structure as fits.

    A word longer than `max_chars` stays whole. The parts are trimmed, in order, and cover all but white space.

    Yields
    ------
    Span
    """
    span = trimmed(text, span)
    if not span:
        return
    if len(span) <= max_chars or not breaks:
        yield span
        return
    edges = [span.start, *breaks[0](text, span), span.end]
    for start, end in pairwise(edges):
        yield from atoms(text, Span(start, end), max_chars, breaks[1:])


def pack(parts: Iterable[Span], max_chars: int) -> Iterator[Span]:
    """Join neighbouring parts into spans of at most `max_chars` and about equal size, so that no crumb is left over.

    Yields
    ------
    Span
    """
    spans = list(parts)
    first = 0
    while first < len(spans):
        start = spans[first].start
        remaining = spans[-1].end - start
        enough = remaining / math.ceil(remaining / max_chars)
        last = first
        while last + 1 < len(spans) and spans[last].end - start < enough and spans[last + 1].end - start <= max_chars:
            last += 1
        yield Span(start, spans[last].end)
        first = last + 1
