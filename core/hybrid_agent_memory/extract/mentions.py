"""The names, identifiers, amounts and dates that a text mentions, found without a model."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice

from hybrid_agent_memory.extract import EntityType
from hybrid_agent_memory.extract.chinese_names import chinese_names
from hybrid_agent_memory.extract.common_words import common_words, connectors, function_words
from hybrid_agent_memory.extract.dates import find_dates
from hybrid_agent_memory.extract.english_names import UNSPACED, Named, english_names, tokens_of
from hybrid_agent_memory.graph.amounts import find_amounts
from hybrid_agent_memory.text import identifiers

MOST_MENTIONS = 256
"""Mentions of one text that are kept, in its order."""

_MOST_FOUND = 8 * MOST_MENTIONS  # per kind, before overlaps are settled
_LONGEST_CHUNK = 200  # characters of a code; what is longer is data


@dataclass(frozen=True, slots=True)
class MentionSpan:
    """An entity where a text writes it: ``name`` is ``text[start:end]``."""

    name: str
    type: EntityType
    start: int
    end: int


@cache
def _flat_characters() -> dict[int, str]:
    wide = {0xFF01 + n: chr(0x21 + n) for n in range(94)}
    return wide | {ord("’"): "'", ord("ʼ"): "'", ord("‐"): "-", ord("‑"): "-", 0x3000: " ", 0xA0: " ", 0: " "}


def find_mentions(text: str, *, speaker: str | None = None) -> list[MentionSpan]:
    """The entities that a text mentions, in its order, not overlapping; of overlapping ones the longest.

    Parameters
    ----------
    text : str
        Any string.
    speaker : str or None
        Who says it; a prefix ``speaker:`` and the name inside the text are then a person.

    Returns
    -------
    list of MentionSpan
        At most `MOST_MENTIONS`, every one a slice of `text`.

    Examples
    --------
    >>> [(m.name, m.type) for m in find_mentions("Mr. Zhang of Acme Ltd ordered ORD-77 for $300k")]
    [('Mr. Zhang', 'person'), ('Acme Ltd', 'organisation'), ('ORD-77', 'identifier'), ('$300k', 'amount')]
    >>> [(m.name, m.type) for m in find_mentions("张先生投诉了顺丰物流")]
    [('张先生', 'person'), ('顺丰物流', 'organisation')]
    """
    flat = text if text.isascii() and "\0" not in text else text.translate(_flat_characters())
    return [
        MentionSpan(text[start:end], kind, start, end)
        for start, end, kind in _longest(len(text), _found(text, flat, speaker))
    ]


def _found(text: str, flat: str, speaker: str | None) -> list[Named]:
    """All candidates; of equally long ones on the same place the first wins."""
    tokens = tokens_of(flat)
    found = list(_prefix(flat, speaker))
    for finder in (
        ((span.start, span.end, "amount") for span in find_amounts(text)),
        ((*span.core, "date") for span in find_dates(text)),
        _codes(flat),
        _quoted(flat),
        english_names(flat, tokens),
        chinese_names(flat) if _has_han().search(flat) else (),
    ):
        found += islice(finder, _MOST_FOUND)
    return found


def _longest(length: int, found: list[Named]) -> list[Named]:
    taken = bytearray(length)
    chosen: list[Named] = []
    for start, end, kind in sorted(found, key=lambda one: (one[0] - one[1], one[0])):
        if end > start and not any(taken[start:end]):
            taken[start:end] = b"\1" * (end - start)
            chosen.append((start, end, kind))
    return sorted(chosen)[:MOST_MENTIONS]


@cache
def _has_han() -> re.Pattern[str]:
    return re.compile("[\u4e00-\u9fff]")


@cache
def _prefixed() -> re.Pattern[str]:
    return re.compile(r"(?P<title>[^\W\d_][^:\n]{0,99}?)(?P<note> ?\([^():\n]{1,60}\))?:(?=\s|[\u3400-\u9fff])")


def _prefix(flat: str, speaker: str | None) -> Iterator[Named]:
    """The title or speaker before the first colon."""
    match = _prefixed().match(flat)
    if not match:
        return
    title, rest = match["title"], flat[match.end() :].lstrip()
    if speaker and title.casefold() == speaker.casefold():
        yield 0, match.end("title"), "person"
    elif rest.startswith(title) and len(title.split()) <= 12:
        yield 0, match.end() - 1, "name"
    elif len(title.split()) <= 8 and _is_title(title):
        person = (
            not match["note"]
            and len(title.split()) <= 2
            and (len(rest) < 300 or _is_talk().search(rest[:300]) is not None)
        )
        yield 0, match.end() - 1, "person" if person else "name"


@cache
def _is_talk() -> re.Pattern[str]:
    return re.compile(r"\b(?:I|I'm|my|me|you|your|we)\b")


def _is_title(title: str) -> bool:
    """Whether all words are capitalised, but for those that carry grammar, and not all are common words."""
    words = title.split()
    if not words or not title[0].isupper() or _has_han().search(title):
        return False
    if len(words) == 1:
        return words[0].lower() not in common_words()
    plain = [word.lower() for word in words if word[0].islower()]
    if not plain and len(words) > 2:
        return True
    telling = any(word[0].isupper() and word.lower().strip(",.!?") not in common_words() for word in words)
    return telling and all(word in function_words() or word in connectors() for word in plain)


@cache
def _quote() -> re.Pattern[str]:
    return re.compile(r"[\"“”„«»《》「」『』]")


def _quoted(flat: str) -> Iterator[Named]:
    """Titles in quotation marks."""
    marks = list(_quote().finditer(flat))
    number = 0
    while number + 1 < len(marks):
        opening, closing = marks[number], marks[number + 1]
        inner = flat[opening.end() : closing.start()] if closing.start() - opening.end() <= 100 else ""
        stripped = inner.strip().rstrip(",.")
        if opening[0] not in "”》」』»" and _is_work(stripped, opening[0]):
            start = opening.end() + inner.index(stripped)
            kind: EntityType = "project" if stripped.endswith(("项目", "计划")) else "product"
            yield start, start + len(stripped), kind
            number += 1
        number += 1


@cache
def _clause() -> re.Pattern[str]:
    return re.compile(r"[,.!?;:。，、；]|[的了吗呢吧啊]$")


def _is_work(inner: str, opening: str) -> bool:
    if not inner:
        return False
    if _has_han().search(inner):
        return opening == "《" or (2 <= len(inner) <= 12 and not _clause().search(inner))
    words = inner.split()
    if opening == "《":
        return True
    if len(words) > 8 or not (inner[0].isupper() or inner[0].isdigit()):
        return False
    capitals = sum(word[0].isupper() for word in words)
    return 2 * capitals >= len(words) and (len(words) > 1 or inner.lower() not in common_words()) and capitals > 0


@cache
def _code_chunk() -> re.Pattern[str]:
    return re.compile(rf"[^\s{UNSPACED}、。，；：“”‘’《》「」（）<>\"`|]++")


@cache
def _code_sign() -> re.Pattern[str]:
    return re.compile(r"[0-9_@\\+#]|[A-Za-z]\.[A-Za-z]|[a-z][A-Z]|::|^\.[A-Za-z]")


def _codes(flat: str) -> Iterator[Named]:
    for match in _code_chunk().finditer(flat):
        chunk = match[0]
        if len(chunk) <= _LONGEST_CHUNK and _code_sign().search(chunk):
            for start, end in _codes_in(chunk):
                yield match.start() + start, match.start() + end, "identifier"


@lru_cache(maxsize=4096)
def _codes_in(chunk: str) -> tuple[tuple[int, int], ...]:
    """Where the codes of one chunk stand in it."""
    lowered = chunk.lower()
    if len(lowered) != len(chunk):
        return ()
    spans = []
    for code in identifiers(chunk):
        start = lowered.find(code)
        if start >= 0:
            rooted = start > 0 and chunk[start - 1] in "/~" and "/" in code
            spans.append((start - rooted, start + len(code)))
    return tuple(spans)
