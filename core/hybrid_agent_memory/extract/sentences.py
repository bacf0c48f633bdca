"""Cutting a text into sentences and a sentence into clauses, English and Chinese; all by position, in linear time."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache

Span = tuple[int, int]


_BREAKS = "\n\r\u2028\u2029\0"


@cache
def _ends() -> re.Pattern[str]:
    return re.compile(r"[。！？]+[”’」』）\"']*|[.!?…]+[”’\"')\]]*(?=\s|$)|[\n\r\u2028\u2029\x00]+")


@cache
def _runs_on() -> re.Pattern[str]:
    """What follows dots that trail off inside a sentence."""
    return re.compile(r"\s*[a-z]")


@cache
def _abbreviation() -> re.Pattern[str]:
    return re.compile(
        r"(?:^|[\s(])(?:mrs?|ms|dr|prof|st|sr|jr|vs|no|inc|ltd|corp|co|dept|approx|est|e\.g|i\.e|etc|a\.m|p\.m|"
        r"(?:[a-z]\.)*[a-z])$",
        re.IGNORECASE,
    )


@cache
def _quotations() -> re.Pattern[str]:
    return re.compile(
        r"“[^”\n]*+”?|\"[^\"\n]*+\"?|「[^」\n]*+」?|『[^』\n]*+』?|«[^»\n]*+»?|(?<!\w)['‘][^'’\n]{1,300}+['’](?!\w)|"
        r"^[ \t]*+>[^\n]*+",
        re.MULTILINE,
    )


@cache
def _request() -> re.Pattern[str]:
    return re.compile(
        r"(?:[,;]|\s[-–—])\s+(?:please\s+)?(?:can|could|would)\s+(?:you|we|someone|somebody|anyone|anybody)\b[^,;?]*\?\s*$"
        r"|[，；](?:麻烦)?(?:谁[来能去]|能不能|能否|可否|可不可以|有没有人|有人能)[^，；？?]*[？?]\s*$",
        re.IGNORECASE,
    )


@cache
def _doubt() -> re.Pattern[str]:
    """Words that ask whether it is true."""
    return re.compile(
        r"\b(?:confirm|check|verify|validate|correct|right|true|sure|agree|say|tell|clarify|explain|believe|think)\b"
        "|确认|核实|核对|查|对不对|是不是|属实|说|解释",
        re.IGNORECASE,
    )


_SEPARATORS = (
    r"[;；]|[:：](?=\s)|\s[-–—]+\s|——",
    r"[,，](?!\d{3}(?!\d))|(?<!\d)[,，]",
    r"[:：()（）]",
    r"\s(?:and|but|while|whereas|then)\s|(?:并且|而且|但是|同时|并)",
)


@cache
def _separator(level: int) -> re.Pattern[str]:
    return re.compile(_SEPARATORS[level], re.IGNORECASE)


LEVELS = len(_SEPARATORS)
"""How often a sentence can be cut further: at semicolons, at commas, at colons and brackets, at conjunctions."""


def sentences(text: str) -> Iterator[Span]:
    """Where the sentences of a text stand, trimmed; line ends always end one.

    Examples
    --------
    >>> text = "Mr. Li came. 他走了。 v1.2 is out"
    >>> [text[start:end] for start, end in sentences(text)]
    ['Mr. Li came.', '他走了。', 'v1.2 is out']
    """
    start = 0
    for mark in _ends().finditer(text):
        if mark[0][0] in ".…" and _runs_on().match(text, mark.end()) and len(mark[0]) > 1:
            continue
        if mark[0] == "." and _abbreviation().search(text[max(start, mark.start() - 8) : mark.start()]):
            continue
        yield from trimmed(text, start, mark.start() if mark[0][0] in _BREAKS else mark.end())
        start = mark.end()
    yield from trimmed(text, start, len(text))


def before_request(sentence: str) -> str:
    """What a sentence says before the request that it ends in; the whole sentence if it ends in none.

    A question about what was said is no request, but takes it back.

    Examples
    --------
    >>> before_request("INV-7 is overdue, can you call them?"), before_request("INV-7 is overdue, can you confirm?")
    ('INV-7 is overdue', 'INV-7 is overdue, can you confirm?')
    """
    request = _request().search(sentence)
    return sentence if request is None or _doubt().search(request[0]) else sentence[: request.start()]


def clauses(text: str, start: int, end: int, level: int, whole: list[Span]) -> list[Span]:
    """Where the parts of ``text[start:end]`` stand that the separators of a level (0 to ``LEVELS - 1``) leave.

    What is `whole`, sorted and disjoint (dates, names), is not cut.
    """
    spans: list[Span] = []
    for mark in _separator(level).finditer(text, start, end):
        if overlaps(whole, *mark.span()):
            continue
        spans.extend(trimmed(text, start, mark.start()))
        start = mark.end()
    spans.extend(trimmed(text, start, end))
    return spans


@cache
def joining() -> re.Pattern[str]:
    """What joins two names of an enumeration."""
    return re.compile(r"\s*(?:,\s*(?:and|or)?|and|or|&|/|as well as|、|和|与)\s*", re.IGNORECASE)


def trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    """The span without white space around it; nothing if nothing is left."""
    part = text[start:end]
    left = len(part) - len(part.lstrip())
    right = len(part.rstrip())
    if left < right:
        yield start + left, start + right


def quotations(text: str) -> list[Span]:
    """Where a text quotes: between quotation marks, to the end of the line if one stays open, and ``>`` lines."""
    return [mark.span() for mark in _quotations().finditer(text)]


def overlaps(spans: list[Span], start: int, end: int) -> list[Span]:
    """Those of sorted, disjoint spans that share a character with ``[start, end)``."""
    at = bisect_left(spans, (start, start))
    at -= at > 0 and spans[at - 1][1] > start
    found: list[Span] = []
    while at < len(spans) and spans[at][0] < end:
        found.append(spans[at])
        at += 1
    return found


def disjoint(*groups: list[Span]) -> list[Span]:
    """All spans that touch no earlier one, sorted; of overlapping ones that which begins first."""
    chosen: list[Span] = []
    for span in sorted(span for group in groups for span in group):
        if not chosen or span[0] >= chosen[-1][1]:
            chosen.append(span)
    return chosen
