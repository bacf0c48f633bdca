"""Markdown into pieces, section by section."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hybrid_agent_memory.chunking.front_matter import read_front_matter
from hybrid_agent_memory.chunking.pieces import (
    DEFAULT_MAX_CHARS,
    LINES,
    Piece,
    Span,
    atoms,
    check_arguments,
    pack,
    trimmed,
)

_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*\r?")
_SETEXT = re.compile(r" {0,3}(=+|-{2,})[ \t]*\r?")
_PARAGRAPH_LINE = re.compile(r" {0,3}(?![-*+>|#<]|\d{1,9}[.)]\s|```|~~~)\S.*")
_FENCE = re.compile(r"[ \t]*(?P<marker>`{3,}(?=[^`]*\Z)|~{3,})")
_WHOLE_FENCE = 3
"""Fenced code stays whole up to this many times `max_chars`: half a listing helps less than a long piece."""


@dataclass(frozen=True, slots=True)
class _Line:
    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class _Heading:
    span: Span
    level: int
    title: str


@dataclass(frozen=True, slots=True)
class _Section:
    """From a heading to the next, under all headings of `trail`; `fences` are the fenced blocks inside it."""

    span: Span
    trail: tuple[_Heading, ...]
    fences: tuple[Span, ...]


def split_markdown(text: str, *, max_chars: int = DEFAULT_MAX_CHARS) -> list[Piece]:
    r"""Cut a Markdown document into pieces of at most `max_chars` characters, none of them across two sections.

    A section is a piece when it fits; a longer one is cut as `split_text` cuts, except that fenced code is kept whole
    up to three times `max_chars` and beyond that cut between lines. A heading with nothing under it goes with the next
    section. Understood are ATX and one-line setext headings and fences; YAML front matter is left out; all else is
    text.

    Parameters
    ----------
    text : str
        May be empty; then there are no pieces.
    max_chars : int
        At least 1. A single longer word (or identifier, or URL) is kept whole.

    Returns
    -------
    list of Piece
        In order, none empty, each an exact slice of `text`; only front matter and white space are left out.

    Raises
    ------
    InvalidInputError
        If `text` is not a str or `max_chars` not an integer of at least 1.

    Examples
    --------
    >>> for piece in split_markdown("# Pager\n\n## Quiet hours\n\nNone.\n\n## Who\n\nAna, then Bo."):
    ...     print(piece.heading_path, repr(piece.text))
    ('Pager', 'Quiet hours') '# Pager\n\n## Quiet hours\n\nNone.'
    ('Pager', 'Who') '## Who\n\nAna, then Bo.'
    """
    check_arguments(text, max_chars)
    return [
        _piece(text, span, section.trail)
        for section in _sections(text)
        for span in pack(_section_atoms(text, section, max_chars), max_chars)
    ]


def _piece(text: str, span: Span, trail: tuple[_Heading, ...]) -> Piece:
    titled = [heading for heading in trail if heading.title]
    above = tuple(f"{'#' * heading.level} {heading.title}" for heading in titled if heading.span.start < span.start)
    return Piece(text[span.start : span.end], tuple(heading.title for heading in titled), span.start, above)


def _section_atoms(text: str, section: _Section, max_chars: int) -> Iterator[Span]:
    whole = trimmed(text, section.span)
    if len(whole) <= max_chars:
        yield from [whole] if whole else []
        return
    position = section.span.start
    for fence in section.fences:
        yield from atoms(text, Span(position, fence.start), max_chars)
        if len(fence) <= _WHOLE_FENCE * max_chars:
            yield trimmed(text, fence)
        else:
            yield from atoms(text, fence, max_chars, LINES)
        position = fence.end
    yield from atoms(text, Span(position, section.span.end), max_chars)


def _sections(text: str) -> Iterator[_Section]:
    start = body_start = read_front_matter(text).end
    headings, fences = _outline(text, start)
    trail: list[_Heading] = []
    for heading in [*headings, None]:
        end = heading.span.start if heading else len(text)
        if heading is None or trimmed(text, Span(body_start, end)):
            span = Span(start, end)
            inside = tuple(fence for fence in fences if span.start <= fence.start < span.end)
            yield _Section(span, tuple(trail), inside)
            start = end
        if heading:
            trail = [above for above in trail if above.level < heading.level] + [heading]
            body_start = heading.span.end


def _outline(text: str, start: int) -> tuple[list[_Heading], list[Span]]:
    """The headings and the fenced blocks of a document from `start` on, each in order."""
    headings: list[_Heading] = []
    fences: list[Span] = []
    lines = list(_lines(text, start))
    at = 0
    while at < len(lines):
        if opening := _FENCE.match(lines[at].text):
            last = _closing_line(lines, at, opening["marker"])
            fences.append(Span(lines[at].span.start, lines[last].span.end))
            at = last
        elif match := _ATX.fullmatch(lines[at].text):
            headings.append(_Heading(lines[at].span, len(match[1]), (match[2] or "").strip()))
        elif underline := _setext_underline(lines, at):
            level = 1 if underline.startswith("=") else 2
            headings.append(_Heading(Span(lines[at].span.start, lines[at + 1].span.end), level, lines[at].text.strip()))
            at += 1
        at += 1
    return headings, fences


def _lines(text: str, start: int) -> Iterator[_Line]:
    while start < len(text):
        newline = text.find("\n", start)
        end = len(text) if newline < 0 else newline + 1
        yield _Line(Span(start, end), text[start:end].removesuffix("\n"))
        start = end


def _closing_line(lines: list[_Line], opening: int, marker: str) -> int:
    """The index of the line that closes a fence; the last line when none does."""
    for at in range(opening + 1, len(lines)):
        stripped = lines[at].text.strip()
        if len(stripped) >= len(marker) and set(stripped) == {marker[0]}:
            return at
    return len(lines) - 1


def _setext_underline(lines: list[_Line], at: int) -> str | None:
    """The underline's characters, when the line is a paragraph of its own with an underline below."""
    stands_alone = at == 0 or not lines[at - 1].text.strip()
    if not stands_alone or at + 1 == len(lines) or not _PARAGRAPH_LINE.fullmatch(lines[at].text):
        return None
    match = _SETEXT.fullmatch(lines[at + 1].text)
    return match[1] if match else None
