"""The names, identifiers, amounts and dates that a text mentions, found without a model."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice

from hybrid_agent_memory.extract import EntityType
from hybrid_agent_memory.extract.chinese_names import chinese_names
from hybrid_agent_memory.extract.common_words import (
    common_words,
    connectors,
    function_words,
    given_names,
    is_common,
    labels,
    openers,
    partitives,
)
from hybrid_agent_memory.extract.dates import find_dates
from hybrid_agent_memory.extract.english_names import Named, definition, english_names, kind_by_words
from hybrid_agent_memory.extract.moments import is_year
from hybrid_agent_memory.extract.name_forms import EN_KIN, is_code, is_name_with_noun
from hybrid_agent_memory.extract.scanning import has_han
from hybrid_agent_memory.extract.tokens import UNSPACED, tokens_of
from hybrid_agent_memory.graph.amounts import find_amounts
from hybrid_agent_memory.text import identifiers

MOST_MENTIONS = 256
"""Mentions of one text that are kept, in its order."""

_MOST_FOUND = 8 * MOST_MENTIONS  # per kind, before overlaps are settled
_LONGEST_CHUNK = 200  # characters of a code; what is longer is data
_LONGEST_PREFIX = 160
_MOST_COLONS = 3
_NOUN_ENDINGS = ("ness", "tion", "sion", "ment", "ity", "ing", "ance", "ence", "ship", "hood", "ics", "s", "ly", "body")
_REACH_OF_PREFIX = 300  # characters behind a title in which a text about it names it


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
    chosen = _longest(len(text), _found(text, flat, speaker))
    family = _names_of_persons(flat, chosen)
    return [
        MentionSpan(text[start:end], "person" if kind == "name" and flat[start:end] in family else kind, start, end)
        for start, end, kind in chosen
    ]


def _found(text: str, flat: str, speaker: str | None) -> list[Named]:
    """All candidates; of equally long ones on the same place the first wins."""
    tokens = tokens_of(flat)
    found = list(_prefix(flat, speaker))
    for finder in (
        ((span.start, span.end, "amount") for span in find_amounts(text)),
        ((*span.core, "date") for span in find_dates(text)),
        _codes(flat),
        _letters(flat),
        _components(flat),
        _plain_projects(flat),
        _labelled(flat),
        _quoted(flat),
        _relatives(flat),
        english_names(flat, tokens),
        chinese_names(flat) if has_han(flat) else (),
    ):
        found += islice(finder, _MOST_FOUND)
    return found


def _longest(length: int, found: list[Named]) -> list[Named]:
    taken = bytearray(length)
    chosen: list[Named] = []
    for start, end, kind in sorted(found, key=lambda one: (one[0] - one[1], one[0])):
        if end > start and taken.find(1, start, end) < 0:
            taken[start:end] = b"\1" * (end - start)
            chosen.append((start, end, kind))
    return sorted(chosen)[:MOST_MENTIONS]


def _names_of_persons(flat: str, chosen: list[Named]) -> set[str]:
    """Family names of the persons that a text names in full: ``Lennon`` beside ``John Lennon`` is that person."""
    words = (flat[start:end].split() for start, end, kind in chosen if kind == "person")
    return {full[-1] for full in words if 2 <= len(full) <= 4 and "of" not in full and not is_common(full[-1].lower())}


@cache
def _colon() -> re.Pattern[str]:
    return re.compile(r":(?=\s|[\u3400-\u9fff])|\n")


@cache
def _title_note() -> re.Pattern[str]:
    return re.compile(r" ?\([^()\n]{1,60}\)$")


@dataclass(frozen=True, slots=True)
class _Prefix:
    """What stands before a colon at the beginning of a text."""

    whole: str
    rest: str

    @property
    def title(self) -> str:
        """Without a note in brackets."""
        return _title_note().sub("", self.whole)

    @property
    def recurs(self) -> bool:
        """Whether the text goes on about it by that name."""
        title = self.title
        if not title or not (title[0].isupper() or title[0].isdigit()) or title not in self.rest:
            return False
        defined = self.rest.lstrip().startswith(title) and definition().match(self.rest.lstrip(), len(title))
        return " " in title or title.lower() not in common_words() or defined is not None


def _prefixes(flat: str) -> list[_Prefix]:
    """What stands before the first colon, before the second and so on."""
    found = []
    for colon in islice(_colon().finditer(flat, 0, _LONGEST_PREFIX), _MOST_COLONS):
        if colon[0] == "\n":
            break
        if colon.start():
            found.append(_Prefix(flat[: colon.start()], flat[colon.end() : colon.end() + _REACH_OF_PREFIX]))
    return found


def _prefix(flat: str, speaker: str | None) -> Iterator[Named]:
    """The title or speaker before the first colon, and that title again wherever the text writes it whole."""
    prefixes = _prefixes(flat)
    prefix = next((one for one in reversed(prefixes) if one.recurs), None) or _with_subtitle(prefixes)
    kind = prefix and _kind_of_prefix(prefix, speaker)
    if prefix and kind:
        yield 0, len(prefix.whole), kind
        for start in _repetitions(flat, prefix.title, len(prefix.whole)):
            yield start, start + len(prefix.title), kind
    for line in _speaker_line().finditer(flat):
        if line[1].lower() not in common_words():
            yield line.start(1), line.end(1), "person"


def _with_subtitle(prefixes: list[_Prefix]) -> _Prefix | None:
    """The first of them; with the next if that is a title in words of its own: ``Dawn: The Last Day``."""
    if len(prefixes) < 2:
        return prefixes[0] if prefixes else None
    first, second = prefixes[:2]
    subtitle = second.whole[len(first.whole) + 2 :]
    titles = " " in subtitle and "(" not in subtitle and _is_title(first.title) and _is_title(subtitle)
    return second if titles and not _is_talk().search(second.rest) else first


@cache
def _speaker_line() -> re.Pattern[str]:
    return re.compile(r"\n([A-Z][\w'-]{1,30}(?: [A-Z][\w'-]{1,30})?):(?=\s)")


def _kind_of_prefix(prefix: _Prefix, speaker: str | None) -> EntityType | None:
    title = prefix.title
    words = title.split()
    if speaker and title.casefold() == speaker.casefold():
        return "person"
    if len(words) > 12 or not words or _kind_and_code().fullmatch(title):
        return None
    if is_code(title) and any(character.isdigit() for character in title):
        return "identifier"
    if label := _label().fullmatch(title):
        return _kind_of_label(label)
    talks = _is_talk().search(prefix.rest) is not None
    if prefix.recurs:
        spoken = len(prefix.rest) < _REACH_OF_PREFIX and talks and _is_speaker(words)
        return "person" if spoken else _kind_of_title(prefix)
    if not title.startswith("List of ") and (len(words) > 8 or not _is_title(title)):
        return None
    spoken = prefix.title == prefix.whole and (talks or (len(words) == 1 and len(prefix.rest) < _REACH_OF_PREFIX))
    return "person" if spoken and _is_speaker(words) else _kind_of_title(prefix)


@cache
def _kind_and_code() -> re.Pattern[str]:
    """What something is, and its code, which is found as such: ``Incident INC-5520``."""
    return re.compile(
        r"(?:incident|ticket|case|order|invoice|issue|bug|task|request|contract|quote|shipment|claim|change)"
        r" #?[A-Z]{1,8}-?\d[\w-]{0,30}",
        re.IGNORECASE,
    )


def _is_speaker(words: list[str]) -> bool:
    """Whether words before a colon can be the name of who speaks; Double Dock is a project, INC-5520 a ticket."""
    if any(character.isdigit() for word in words for character in word):
        return False
    return len(words) == 1 or (len(words) == 2 and not any(is_common(word.lower()) for word in words))


def _kind_of_title(prefix: _Prefix) -> EntityType:
    tokens = tokens_of(prefix.title)
    return kind_by_words(tokens) if tokens and prefix.title == prefix.whole else "name"


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
    if not words or not (title[0].isupper() or title[0].isdigit()) or has_han(title):
        return False
    if len(words) == 1 and not title[0].isdigit():
        return words[0].lower() not in common_words()
    plain = [word.lower() for word in words if word[0].islower()]
    if not plain and len(words) > 2:
        return True
    if plain[:1] == [words[1]] and words[1] in ("for", "with", "from", "about"):
        return False  # Budget for Smart Shelf, Call with Ann Lee
    if plain[:1] == ["of"] == [words[1]] and words[0].lower() in partitives():
        return False
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
    if has_han(inner):
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
    british = r"0[0-9]{4} [0-9]{5,6}|0[0-9]{3} [0-9]{3} [0-9]{4}|0[0-9]{2} [0-9]{4} [0-9]{4}"
    return re.compile(rf"(?<![A-Za-z0-9_.+-])(?:{international}|{american}|{british})(?![A-Za-z0-9_-])")


@cache
def _slug() -> re.Pattern[str]:
    """A service or machine in lower case, such as ``payment-gateway``."""
    last = (
        "api|service|svc|gateway|db|database|server|worker|proxy|cache|queue|ui|web|app|backend|frontend|cluster|indexer|"
        "job|cron|node|pod|prod|staging|dev|bot|cli|sdk|client|broker|scheduler|consumer|producer|agent|monitor|exporter|"
        "core|sync|picker|parser|loader|daemon|router|store|portal|lib|runner|pipeline|controller|handler|mailer"
    )
    plain = "(?:hard|soft|front|single|dual|quad|multi|two|four|eight|in|co|off|non|re|out|cross|self|lip|real)"
    return re.compile(
        rf"(?<![A-Za-z0-9_./-])(?!{plain}-)[a-z][a-z0-9]{{1,30}}(?:-[a-z0-9]{{1,30}}){{0,4}}-(?:{last})(?![A-Za-z0-9_-])"
    )


@cache
def _letter() -> re.Pattern[str]:
    """One letter where only a name can stand: before a verb or ``'s``, or all that follows a preposition."""
    verbs = (
        "is|was|has|owns|leads|manages|runs|reports|works|lives|moved|joined|left|ordered|bought|complained|confirmed|"
        "cancelled|paid|costs|depends|uses|handles|founded|visited"
    )
    return re.compile(
        rf"(?:(?:^|[.;,:!?]\s|\n)|\band )(?P<first>[A-HJ-Z])(?='s |\s(?:{verbs})\b)"
        r"|\b(?:to|by|of|for|is|owns|leads|manages) (?P<last>[A-HJ-Z])"
        r"(?=[,;!?]|\.?\s*$|\.\s|'s | (?:is|was|has|and|since|until)\b)"
    )


@cache
def _lone_letter() -> re.Pattern[str]:
    return re.compile(r"[A-HJ-Z](?!\w)(?<!\w.)")


def _letters(flat: str) -> Iterator[Named]:
    """Names of one letter: ``A reports to B``."""
    if not _lone_letter().search(flat):
        return
    for match in _letter().finditer(flat):
        yield *match.span("first" if match["first"] else "last"), "name"


@cache
def _component() -> re.Pattern[str]:
    """A word where only a piece of software, which goes without an article, can stand; its grammar says so."""
    word = "[a-z][a-z0-9]{3,24}"
    runs = "depends on|runs on|relies on|is built (?:on|with)|is at version|is on version|is deployed"
    return re.compile(
        rf"(?:^|[.:;,] |\n)(?P<first>{word}) (?:{runs})\b"
        rf"|\b(?:owners?|maintainers?|version|release) of (?P<owned>{word})(?= (?:is|was|has)\b)"
    )


def _components(flat: str) -> Iterator[Named]:
    """Lower-case names of software such as ``tilegen``, of no word that means something."""
    for match in _component().finditer(flat):
        group = "first" if match["first"] else "owned"
        word = match[group]
        if not (_is_plain_word(word) or word.endswith(_NOUN_ENDINGS)):
            yield *match.span(group), "identifier"


def _is_plain_word(word: str) -> bool:
    """Whether a word in lower case means something, if only in its parts: ``checkout``."""
    if is_common(word) or word in function_words():
        return True
    return any(
        is_common(word[:at]) and (is_common(word[at:]) or word[at:] in function_words())
        for at in range(3, len(word) - 1)
    )


@cache
def _plain_project() -> re.Pattern[str]:
    return re.compile(r"(?:^|[.!?]\s|\n)(?P<name>(?P<first>[A-Z][a-z]+)(?P<nouns>(?: [a-z]{3,20}){1,2}) project)\b")


@cache
def _has_value() -> re.Pattern[str]:
    return re.compile(
        r"(?:^|[.!?]\s|\n)(?P<name>[A-Z][a-z]+(?: [a-z]{4,20}){1,2}?) (?:budget|price|deadline|rent|owner)\b"
    )


def _plain_projects(flat: str) -> Iterator[Named]:
    """Projects named by plain nouns where a sentence begins (``Rooftop garden project``), and what has a budget."""
    for match in _has_value().finditer(flat):
        if is_name_with_noun(match["name"]):
            yield *match.span("name"), "name"
    for match in _plain_project().finditer(flat):
        first, nouns = match["first"].lower(), match["nouns"].split()
        if not (first in openers() or first in function_words() or first in given_names()) and _are_plain(nouns):
            yield *match.span("name"), "project"


def _are_plain(nouns: list[str]) -> bool:
    return not any(noun in function_words() or noun.endswith(("s", "ed", "ing", "ly")) for noun in nouns)


@cache
def _kin() -> re.Pattern[str]:
    which = "(?:(?:older|younger|elder|big|little|best) )?"
    return re.compile(rf"(?<![A-Za-z])[Mm]y {which}(?P<kin>{EN_KIN})(?![A-Za-z-])(?! [A-Z])")


@cache
def _label() -> re.Pattern[str]:
    customers = "[Cc]ustomer|[Cc]lient|[Cc]ompany|[Vv]endor|[Ss]upplier|[Tt]enant|[Pp]artner"
    letter = r"(?!I\b|A [A-Z])[A-Z][0-9]{0,2}"
    unit = r"(?:hour|day|week|month|year|time|minute|second|percent|people|of|or|and|to)s?"
    number = rf"(?:[0-9]{{1,3}}[A-Z]|[0-9]{{1,3}}(?! {unit}\b))"
    others = "|".join(f"[{label[0].upper()}{label[0]}]{label[1:]}" for label in sorted(labels()))
    capital = "|".join(label.capitalize() for label in sorted(labels()))
    return re.compile(
        rf"(?<![\w'-])(?:(?P<organisation>(?:{customers}) (?:{letter}|{number}))|(?P<project>[Pp]roject {letter})"
        rf"|(?:{others}) {letter}|(?:{capital}) {number})(?![\w-]|[.,:/'][\w](?<!'s))"
    )


@cache
def _han_label() -> re.Pattern[str]:
    organisation, other = "客户|公司|供应商|商户|租户", "用户|团队|小组|方案|产品|部门|仓库|门店|套餐|系统"
    label = f"(?:(?P<organisation>{organisation})|(?P<project>项目)|(?:{other}))"
    behind = label.replace("?P<", "?P<behind_")
    measure = "个名位家人次天年月日号点时分秒万亿千百元块台件套条%级折成岁周期间页"
    letter, stem = "[A-Z][0-9]{0,2}(?![A-Za-z0-9])", "[甲乙丙丁戊己庚辛壬癸](?![方级等乙丙天])"
    mark = rf"(?:{letter}|{stem}|[0-9]{{1,3}}(?![0-9.,{measure}]))"
    return re.compile(
        rf"{label}\s?{mark}|(?:(?<![A-Za-z0-9])[A-Z][0-9]?|(?<![\u4e00-\u9fff])[甲乙丙丁]){behind}"
        rf"|(?P<party>[甲乙丙丁]方)(?![案向便法面])"
    )


def _kind_of_label(label: re.Match[str]) -> EntityType:
    return "organisation" if label["organisation"] else "project" if label["project"] else "name"


def _labelled(flat: str) -> Iterator[Named]:
    """Names made of a label and a letter or number: ``Customer A``, 客户甲."""
    for match in _label().finditer(flat):
        yield *match.span(), _kind_of_label(match)
    if not has_han(flat):
        return
    for match in _han_label().finditer(flat):
        if match["organisation"] or match["behind_organisation"] or match["party"]:
            yield *match.span(), "organisation"
        else:
            yield *match.span(), "project" if match["project"] or match["behind_project"] else "name"


def _relatives(flat: str) -> Iterator[Named]:
    """The speaker's people, named by what they are to the speaker: ``my sister``."""
    for match in _kin().finditer(flat):
        yield *match.span("kin"), "person"


@lru_cache(maxsize=4096)
def _codes_in(chunk: str) -> tuple[tuple[int, int], ...]:
    """Where the codes of one chunk stand in it."""
    lowered = chunk.lower()
    if len(lowered) != len(chunk):
        return ()
    spans = []
    for code in identifiers(chunk):
        start = lowered.find(code)
        if start >= 0 and not is_year(code):
            rooted = start > 0 and chunk[start - 1] in "/~" and "/" in code
            spans.append((start - rooted, start + len(code)))
    return tuple(spans)
