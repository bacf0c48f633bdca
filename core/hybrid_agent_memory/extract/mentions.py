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
from hybrid_agent_memory.extract.english_names import Named, english_names
from hybrid_agent_memory.extract.tokens import UNSPACED, tokens_of
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
    wide = {0xFF01 + n: chr(0x21 + n) for n in range(94) if chr(0x21 + n) not in "!,;?"}
    return wide | {ord("’"): "'", ord("ʼ"): "'", ord("‐"): "-", ord("‑"): "-", 0x3000: " ", 0xA0: " ", 0: " "}


@cache
def _to_flatten() -> re.Pattern[str]:
    return re.compile("[" + "".join(map(re.escape, map(chr, _flat_characters()))) + "]")


def _flattened(text: str) -> str:
    """The text with narrow letters and plain marks, character for character."""
    return text.translate(_flat_characters()) if _to_flatten().search(text) else text


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
    flat = _flattened(text)
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
        _relatives(flat),
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
    """The title or speaker before the first colon, and that title again wherever the text writes it whole."""
    match = _prefixed().match(flat)
    kind = match and _kind_of_prefix(match, flat[match.end() : match.end() + 300], speaker)
    if match and kind:
        yield 0, match.end() - 1, kind
        for start in _repetitions(flat, match["title"], match.end()):
            yield start, start + len(match["title"]), kind
    for line in _speaker_line().finditer(flat):
        if line[1].lower() not in common_words():
            yield line.start(1), line.end(1), "person"


@cache
def _speaker_line() -> re.Pattern[str]:
    return re.compile(r"\n([A-Z][\w'-]{1,30}(?: [A-Z][\w'-]{1,30})?):(?=\s)")


def _kind_of_prefix(match: re.Match[str], rest: str, speaker: str | None) -> EntityType | None:
    title = match["title"]
    words = title.split()
    if speaker and title.casefold() == speaker.casefold():
        return "person"
    if len(words) > 12:
        return None
    if title in rest and title[0].isupper() and (len(words) > 1 or title.lower() not in common_words()):
        return "person" if len(words) <= 2 and len(rest) < 300 and _is_talk().search(rest) else "name"
    if len(words) > 8 or not _is_title(title):
        return None
    spoken = not match["note"] and len(words) <= 2 and (len(rest) < 300 or _is_talk().search(rest))
    return "person" if spoken else "name"


def _repetitions(flat: str, title: str, position: int) -> Iterator[int]:
    for _ in range(MOST_MENTIONS):
        position = flat.find(title, position)
        if position < 0:
            return
        end = position + len(title)
        if not (flat[position - 1].isalnum() or flat[end : end + 1].isalnum()):
            yield position
        position = end


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
    return re.compile(r"[,.!?;:。，、；是了吗呢吧我你他她]|[的啊]$")


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
    plain = [word for word in words if word[0].islower()]
    if any(word.lower() not in function_words() and word.lower() not in connectors() for word in plain):
        return False
    return 2 * len(plain) <= len(words) and (len(words) > 1 or inner.lower() not in common_words())


@cache
def _code_chunk() -> re.Pattern[str]:
    return re.compile(rf"[^\s{UNSPACED}、。，；：“”‘’《》「」（）<>\"`|]++")


@cache
def _code_sign() -> re.Pattern[str]:
    return re.compile(r"[0-9_@\\+#]|[A-Za-z]\.[A-Za-z]|[a-z][A-Z]|::|^\.[A-Za-z]")


def _codes(flat: str) -> Iterator[Named]:
    for pattern in (_path(), _phone(), _slug()):
        for match in pattern.finditer(flat):
            yield *match.span(), "identifier"
    for match in _code_chunk().finditer(flat):
        chunk = match[0]
        if len(chunk) <= _LONGEST_CHUNK and _code_sign().search(chunk):
            for start, end in _codes_in(chunk):
                kind: EntityType = "name" if _brand().fullmatch(chunk, start) else "identifier"
                yield match.start() + start, match.start() + end, kind


@cache
def _brand() -> re.Pattern[str]:
    """A word with humps that may be a name as well, such as ``YouTube``, and is not said to be code."""
    code = (
        "Error State Event Service Handler Manager Factory Request Exception Client Server Config Response Controller"
    )
    not_code = "".join(f"(?<!{ending})" for ending in code.split())
    return re.compile(rf"[A-Z][a-z]+(?:[A-Z][a-z]+)+{not_code}['.,;!?)]*(?:'s)?")


@cache
def _path() -> re.Pattern[str]:
    part = "[A-Za-z0-9_-]{1,99}+"
    return re.compile(rf"(?<![A-Za-z0-9_./~:<-])[~.]{{0,2}}(?:/{part}(?:[.]{part})*+){{2,20}}+(?![A-Za-z0-9_/])")


@cache
def _phone() -> re.Pattern[str]:
    international = r"\+[0-9]{1,3}(?:[ -]?\(?[0-9]{2,5}\)?){2,5}+"
    american = r"\(?[0-9]{3}\)?[ -][0-9]{3,4}[ -][0-9]{4}|[0-9]{3}-[0-9]{4}"
    return re.compile(rf"(?<![A-Za-z0-9_.+-])(?:{international}|{american})(?![A-Za-z0-9_-])")


@cache
def _slug() -> re.Pattern[str]:
    """A service or machine in lower case, such as ``payment-gateway``."""
    last = (
        "api|service|svc|gateway|db|database|server|worker|proxy|cache|queue|ui|web|app|backend|frontend|cluster|indexer|"
        "job|cron|node|pod|prod|staging|dev|bot|cli|sdk|client|broker|scheduler|consumer|producer|agent|monitor|exporter"
    )
    return re.compile(
        rf"(?<![A-Za-z0-9_./-])[a-z][a-z0-9]{{1,30}}(?:-[a-z0-9]{{1,30}}){{0,4}}-(?:{last})(?![A-Za-z0-9_-])"
    )


@cache
def _kin() -> re.Pattern[str]:
    kin = (
        "mother|mom|mum|dad|father|sister|brother|wife|husband|girlfriend|boyfriend|son|daughter|aunt|uncle|cousin|nephew|"
        "niece|grandmother|grandma|grandfather|grandpa|boss|roommate|landlord|fianc[ée]e?|(?:mother|father|sister|brother)-in-law"
    )
    which = "(?:(?:older|younger|elder|big|little|best) )?"
    return re.compile(rf"(?<![A-Za-z])[Mm]y {which}(?P<kin>{kin})(?![A-Za-z-])(?! [A-Z])")


def _relatives(flat: str) -> Iterator[Named]:
    """The speaker's people, named by what they are to the speaker: ``my sister``."""
    for match in _kin().finditer(flat):
        yield *match.span("kin"), "person"


@cache
def _year() -> re.Pattern[str]:
    return re.compile("1[0-9]{3}|20[0-9]{2}")


@lru_cache(maxsize=4096)
def _codes_in(chunk: str) -> tuple[tuple[int, int], ...]:
    """Where the codes of one chunk stand in it."""
    lowered = chunk.lower()
    if len(lowered) != len(chunk):
        return ()
    spans = []
    for code in identifiers(chunk):
        start = lowered.find(code)
        if start >= 0 and not _year().fullmatch(code):
            rooted = start > 0 and chunk[start - 1] in "/~" and "/" in code
            spans.append((start - rooted, start + len(code)))
    return tuple(spans)
