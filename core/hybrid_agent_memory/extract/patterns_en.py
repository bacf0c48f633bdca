"""How English clauses are worded around the verbs and nouns of a vocabulary.

A clause has to fit from end to end: what stands between, before or behind is then known to change nothing. Slots are
bounded and clauses short, and every expression is one of a fixed few, so that no text takes long.
"""

import re
from collections.abc import Iterator
from functools import cache

from hybrid_agent_memory.extract.common_words import given_names
from hybrid_agent_memory.extract.phrases import Fit, Phrase, Span, fits, parse, shifted, word_set
from hybrid_agent_memory.extract.predicates import Predicate
from hybrid_agent_memory.extract.states import is_state

_COMMON = word_set("""
    is are am was were be to of in on at by for up the a an has have been with will my over you can from back
    not x y
""")

_ALSO_VERBS = word_set("lead head contact chair name email phone cell number")
_MODIFIER = (
    r"(?:new|newest|current|total|overall|final|approved|annual|yearly|monthly|list|official|own|main|primary|"
    r"full|updated|revised|agreed|"
    r"work|private|personal|business|direct|latest|present|headline)"
)
_MODIFIERS = rf"(?:{_MODIFIER}\s+)*"
_NO_START = rf"(?!an?\s|{_MODIFIER}\s+(?-i:[a-z]))"
_SIGN = r"\s*(?:=|:|->|→)\s*|\s+[-–—]\s+"
_BE = rf"(?:{_SIGN}|\s+is\s+(?:set at\s+|set to\s+|:\s*)?)"
_IS_AT = rf"(?:{_SIGN}|\s+(?:is|will\s+be)\s+(?:set at\s+|set to\s+|at\s+|on\s+|approved at\s+|:\s*)?)"
_IS_IN = rf"(?:{_SIGN}|\s+is\s+(?:in\s+|at\s+|located in\s+|now in\s+)?)"
_RISE = (
    "raised|increased|cut|lowered|reduced|changed|updated|revised|bumped|moved|extended|adjusted|switched|set|"
    "trimmed|brought|pushed|shrunk|halved|doubled|"
    "postponed|upped|slashed"
)
_ROSE = (
    r"rose|rises|goes\s+up|goes\s+down|falls|drops|grows|went\s+up|went\s+down|fell|dropped|grew|increased|decreased|changed|slipped|moved|jumped|climbed|"
    r"shrank|went|switched|updated|gone\s+up|gone\s+down|risen|fallen|grown"
)
_WILL = r"rise|go\s+up|increase|grow|drop|fall|go\s+down|decrease|change|move"
_FROM = r"(?:\s+(?:from|by)\s+\S(?:[^,;]|,(?=\d)){0,30}?)?"
_CHANGED = (
    rf"\s+(?:will\s+(?:{_WILL}|be\s+(?:{_RISE}))"
    rf"|(?:was|is|has\s+been|been|got|gets|is\s+being)\s+(?:{_RISE})(?:\s+(?:back|forward|out|up|down))?|(?:has\s+)?(?:{_ROSE})){_FROM}\s+(?:to|at)\s+"
)
_UP_FROM = r"(?:,?\s+(?:up|down)\s+from\s+\S.{0,30}|,?\s+from\s+\S.{0,30})?"
_OF = r"\s+(?:of|for|on|at)\s+"
_X = r"(?P<x>\S.{0,79}?)"
_Y = r"(?P<y>\S.{0,119}?)"
_NAME = r"(?-i:[A-Z]\w{0,30}(?:\s[A-Z]\w{0,30})?)"
_AGENT = (
    rf"(?:(?:after|following|during|since|because of)\s+[^,;]{{3,60}}?\s+(?=(?:we|they|i)\s))?"
    rf"(?P<agent>we|they|i|he|she|{_NAME}|the\s+(?:[\w&-]{{1,30}}\s+){{0,2}}?(?:team|board|client|customer|department|"
    r"committee|company|ceo|cfo|cto|office|management|sponsor|steering\s+group))\s+(?:(?:has|have|had)\s+)?"
)
_CHANNEL = (
    "app|web ?site|site|shop|web ?shop|store|showroom|portal|hotline|agency|agent|broker|dealer|reseller|partner|"
    "office|system|platform|form|link|account|bank|assistant|help ?desk|switchboard"
)
_HOW = (
    r"by (?!the\b|an?\b|this\b|that\b|his\b|her\b|our\b|their\b|my\b|its\b)(?-i:[a-z])[a-z-]+(?: [a-z-]+)?$|via|"
    r"by (?:WhatsApp|PayPal|Slack|Zoom|(?-i:[A-Z]{2,4}\b))|in an? (?:e-?mail|letter|message|call|phone call|chat)|"
    r"in (?:two|three|four|several|monthly|\d+) (?:instal?ments|parts|batches)|"
    rf"through (?:(?-i:[A-Z])\w+|(?:the|our|their|his|her|my|your|its|an?)(?: [a-z-]+)? (?:{_CHANNEL}))|"
    r"over the (?:phone|counter|weekend)|in writing(?! (?:the|an?|to|his|her|their|our)\b)|"
    r"in (?:person|full|advance|cash|bulk|total|vain|public|private|detail)|"
    r"on (?:the|our|their|your) (?:phone|spot|web|call|app|web ?site|site|portal|hotline)|online|offline|twice|once|"
    r"again|(?:two|three|four|several|many|\d+) times|"
    r"for (?:delivery|pick-?up|collection)|with (?:a|his|her|their|my|our) (?:credit |debit |company )?card|"
    r"face to face|out loud|on time|in time|by return"
)
_TAILS = {
    "amount": (
        r"(?P<tail>(?:,?\s+(?:as|with|and|but|since|because|while|where|which|after|before|following|until|till|"
        r"through|"
        r"starting|beginning|effective|thanks|due|owing|pending|in|on|at|by|per|an?|each|too|instead|altogether|"
        r"anyway|btw|please|these days|nowadays|right now|to (?=[a-z]+\s)|"
        r"for (?:20\d\d|q[1-4]|h[12]|fy|this|next|all|now|good|his|her|their|my|our|"
        r"the (?:first|second|third|fourth|last|next|coming|current|whole|entire|full|rest|year|quarter|half|month|"
        r"season|phase|pilot|fiscal|financial|time being|summer|winter|spring|autumn)))\b.*|,\s.*|\s*[(].*)?)"
    ),
    "name": (
        r"(?P<tail>(?:,?\s+(?:as|with|and|but|since|because|while|where|who|which|these days|nowadays|right now|at "
        r"the moment|at present|"
        r"after|following|permanently|together|for good|full[- ]time|part[- ]time|anyway|by the way|btw|too|per|an?|"
        r"each|in total|in "
        r"all|instead|please|from|"
        r"for(?-i:(?! (?:the )?[A-Z])|(?= the [A-Z])))\b.*|,\s.*|\s*[(].*)?)"
    ),
    "date": r"(?P<tail>(?:,?\s+(?:in|at|to|as|and|but|because)\b.*|,\s.*|\s*[(].*)?)",
    "phrase": (
        r"(?P<tail>(?:\s+(?:after|before|while|because|since|so|as|when|during|though|although|until|following|out "
        r"of|at the age|"
        r"on loan|on a|for (?=[$€£¥\d])|and (?=\w+ed\b|met|caught|had|went|got|was|were|made|found|saw|took|bought|"
        r"is|has|it|he|she|i\b|"
        r"we\b|they))\b.*)?)"
    ),
}


_TAILS["place"] = _TAILS["name"]
_TAILS["event"] = _TAILS["phrase"].replace(r"(?:\s+(?:after", rf"(?:\s+(?:{_HOW}|after", 1)
_TAILS["visit"] = _TAILS["event"].replace(r"(?:\s+(?:", r"(?:\s+(?:with|", 1)


def anchor(phrase: str) -> str:
    """The word of a phrase that a text must have before the phrase is looked for: its rarest, by a rule of thumb."""
    words = [word for word in re.findall(r"[a-z]+", re.sub(r"\b[XY]\b", " ", phrase).lower()) if word not in _COMMON]
    return max(words, key=len, default="")


def clause_fits(clause: str, low: str, words: str, predicate: Predicate) -> Iterator[Fit]:
    """Where a phrase with slots fits a clause.

    Parameters
    ----------
    clause, low : str
        The clause and the same in lower case, a space before and behind.
    words : str
        The phrase.
    predicate : Predicate
    """
    phrase = parse(words)
    if phrase is None:
        return
    before = phrase.before.lower()
    if before and not before.startswith("…"):
        before = f" {before}"
    for middle in forms(phrase.between):
        for first, second in fits(low, Phrase(phrase.first, before, "", ""), middle):
            yield from _filled(clause, phrase, first, second, predicate)


_FORMS = {
    " is ": (" am ", "'m ", "’m "),
    " has ": (" have ", "'ve ", "’ve "),
    " was ": (" has been ", " have been ", "'ve been ", "’ve been "),
}


@cache
def forms(words: str) -> tuple[str, ...]:
    """The words between two slots in lower case, then in other persons and in the perfect tense."""
    low = words.lower()
    for verb, others in _FORMS.items():
        if low.startswith(verb):
            return (low, *(other + low.removeprefix(verb) for other in others))
    return (low,)


def _filled(clause: str, phrase: Phrase, first: Span, second: Span, predicate: Predicate) -> Iterator[Fit]:
    start, end = second
    tail: Span | None = None
    if phrase.behind:
        closed = clause.find(phrase.behind, start)
        if closed < 0:
            return
        second, tail = (start, closed), (closed + len(phrase.behind), end)
    elif phrase.first == "X":
        match = _tailed(_kind(predicate)).fullmatch(clause, start, end - 1)
        if not match:
            return
        second, tail = match.span("y"), match.span("tail")
    elif (match := _tailed("name").fullmatch(clause, start, end - 1)) and match["tail"]:
        yield Fit(second, first)  # as a whole, for it may be a list of names
        second, tail = match.span("y"), match.span("tail")
    x, y = (first, second) if phrase.first == "X" else (second, first)
    if y[0] < y[1] and not _is_no_object(phrase, clause[slice(*y)], predicate):
        subject = x if clause[slice(*x)].strip() else None
        rest = tail if tail and tail[0] < tail[1] else None
        yield Fit(subject, y, rest)
        if rest and not phrase.behind and phrase.first == "X":
            yield Fit(subject, (y[0], rest[1]))


def _is_no_object(phrase: Phrase, found: str, predicate: Predicate) -> bool:
    """Whether something waits for mere approval, rather than for a thing, or is told only how it was done."""
    words = found.strip()
    if predicate.kind == "event":
        return _adjunct().fullmatch(words) is not None
    return " waiting " in phrase.between and words.isalpha() and words.islower()


@cache
def _adjunct() -> re.Pattern[str]:
    return re.compile(rf"(?:via|by|through|over)\b.*|{_HOW}", re.IGNORECASE)


def _kind(predicate: Predicate) -> str:
    if predicate.kind == "event":
        return "visit" if predicate.name in ("visited", "joined") else "event"
    if "date" in predicate.objects:
        return "date"
    if predicate.objects[:1] == ("place",) and not predicate.shape:
        return "place"
    if predicate.objects == ("amount",):
        return "amount"
    free = "place" in predicate.objects if predicate.shape else "other" in predicate.objects
    return "phrase" if free else "name"


@cache
def _tailed(kind: str) -> re.Pattern[str]:
    return re.compile(rf"{_Y}{_TAILS[kind]}", re.IGNORECASE)


def noun_fits(clause: str, low: str, noun: str, predicate: Predicate) -> Iterator[Fit]:
    """Where a noun fits a clause that tells whose it is and what, as in ``X's noun is Y``.

    The first place of the noun counts; `clause` and `low` have a space before and behind.
    """
    at = _word(low, noun)
    if at < 0:
        return
    left, right = clause[1:at], clause[at + len(noun) : -1]
    kind, offset = _kind(predicate), at + len(noun)
    if clause[at].isupper() and _capital_end().search(left) and not right.lstrip().startswith((":", "=")):
        return  # part of a name, as in Bigg Boss
    bare = _can_stand_bare(noun, predicate)
    befores = list(_lefts(left, predicate, bare=bare))
    afters = list(_rights(right, kind, predicate, bare=bare)) if befores else []
    for before in befores:
        held = "y" in before.groupdict()
        for after in afters:
            given = (before, 1), (after, offset)
            x, y, tail = (_found(given, group) for group in ("x", "y", "tail"))
            owners = sum(bool(match.groupdict().get("x")) for match, _ in given)
            values = sum(bool(match.groupdict().get("y")) for match, _ in given)
            if y and _is_said_otherwise(clause, x, y, before, predicate):
                continue
            if y and (x or not held) and owners <= 1 and values == 1 and _belong_together(before, after):
                yield Fit(x, y, tail)
                if tail:
                    yield Fit(x, (y[0], tail[1]))


def _is_said_otherwise(clause: str, x: Span | None, y: Span, before: re.Match[str], predicate: Predicate) -> bool:
    """Whether a person speaks (``Tom: budget 500k``), or a word behind a bare noun is no value of it."""
    groups = before.groupdict()
    if x and "titled" in groups and predicate.subjects[:1] != ("person",):
        return clause[slice(*x)].split()[0].lower() in given_names()
    return "bare" in groups and predicate.name == "status" and not is_state(clause[slice(*y)])


def _belong_together(before: re.Match[str], after: re.Match[str]) -> bool:
    """Whether both sides of a noun are of one wording: who changes it, who has it, or no verb at all."""
    return all((group in before.groupdict()) == (group in after.groupdict()) for group in ("agent", "apposed", "bare"))


def _can_stand_bare(noun: str, predicate: Predicate) -> bool:
    """Whether a noun right before a name or value can only be one: not ``contact Ann``, which may be an order."""
    things = predicate.subjects[:1] != ("person",) and predicate.kind == "relation"
    told = predicate.name == "status" or not {"amount", "date", "person"}.isdisjoint(predicate.objects)
    return things and told and noun not in _ALSO_VERBS


@cache
def _capital_end() -> re.Pattern[str]:
    return re.compile(r"\b[A-Z]\w*\s+$")


def _found(given: tuple[tuple[re.Match[str], int], ...], group: str) -> Span | None:
    spans = (shifted(match, group, offset) for match, offset in given if group in match.re.groupindex)
    return next((span for span in spans if span), None)


def _word(low: str, noun: str) -> int:
    """Where the noun stands first as a word of its own; -1 if nowhere."""
    at = low.find(noun)
    while at > 0 and (low[at - 1].isalnum() or low[at + len(noun)].isalnum()):
        at = low.find(noun, at + 1)
    return at


@cache
def _left_patterns() -> tuple[re.Pattern[str], ...]:
    sources = (
        rf"{_X}['’]s?\s+{_MODIFIERS}",
        rf"(?P<x>my)\s+{_MODIFIERS}",
        rf"(?:the\s+)?(?:{_NO_START}{_X}(?<!['’]s)\s+)??{_MODIFIERS}",
        rf"(?P<titled>){_X}:\s*{_MODIFIERS}",
        rf"(?:for|on|regarding|concerning)\s+{_X},?\s+(?:the|our|their|its)\s+{_MODIFIERS}",
    )
    return tuple(re.compile(source, re.IGNORECASE) for source in sources)


@cache
def _bare_patterns() -> tuple[re.Pattern[str], ...]:
    """What has a value that stands right behind its noun, maybe one of several: ``Atlas: owner Ann, budget 5k``."""
    dateless = r"(?:deadline|(?:due|delivery|release|launch) date)\s+"  # its date is taken out
    told = rf"(?:(?:[^:;,]|,(?=\d)){{1,60}},\s+(?:and\s+)?|{dateless})"
    others = rf"(?!.*\s(?:is|are|was|were|has|have|had|will)\s){told}{{0,4}}?"
    return (re.compile(rf"(?P<bare>)(?P<titled>){_X}:\s*{others}{_MODIFIERS}", re.IGNORECASE),)


@cache
def _holder_patterns() -> tuple[re.Pattern[str], ...]:
    """Who holds an office, before its name."""
    sources = (
        rf"(?P<y>\S.{{0,79}}?)\s+(?:is|becomes|became|has\s+become|(?:was|has\s+been)\s+(?:named|appointed|made|"
        rf"elected|promoted\s+to))\s+(?:(?:the|an?)\s+)?{_MODIFIERS}",
        rf"(?P<y>\S.{{0,79}}?)\s+(?:is|became)\s+{_X}['’]s?\s+{_MODIFIERS}",
        rf"(?P<apposed>)(?P<y>\S[^,;:]{{0,79}}),\s+(?:the\s+)?{_MODIFIERS}",
    )
    return tuple(re.compile(source, re.IGNORECASE) for source in sources)


@cache
def _agent_patterns() -> tuple[re.Pattern[str], ...]:
    """What has a value, before the noun."""
    return (re.compile(rf"{_X}\s+(?P<agent>has|gets|got)\s+an?\s+{_MODIFIERS}", re.IGNORECASE),)


@cache
def _changer_patterns() -> tuple[re.Pattern[str], ...]:
    """Who changed a value, before the noun."""
    raised = rf"{_AGENT}(?:{_RISE})\s+"
    sources = (
        rf"{raised}the\s+{_MODIFIERS}",
        rf"{raised}{_X}['’]s?\s+{_MODIFIERS}",
    )
    return tuple(re.compile(source, re.IGNORECASE) for source in sources)


@cache
def _right_patterns(kind: str) -> tuple[re.Pattern[str], ...]:
    tail = _TAILS[kind]
    being = {"phrase": _BE, "event": _BE, "visit": _BE, "place": _IS_IN}.get(kind, _IS_AT)
    sources = (
        rf"{being}{_Y}{tail}",
        rf"{_OF}{_X}{being}{_Y}{tail}",
        rf"{_CHANGED}{_Y}{_UP_FROM}{tail}",
        rf"{_OF}{_X}{_CHANGED}{_Y}{_UP_FROM}{tail}",
        rf"{_OF}{_X}{_TAILS['name']}",
        rf",\s+{_X}{_TAILS['name']}",
        _TAILS["name"],
        rf"(?P<agent>\s+of)\s+{_Y}{tail}",
        rf"(?P<agent>{_OF}){_X}{_FROM}\s+(?:to|at)\s+{_Y}{tail}",
        rf"(?P<agent>){_FROM}\s+(?:to|at)\s+{_Y}{tail}",
        r"(?P<apposed>)\s+(?:of|for|at)\s+(?P<x>\S[^,;:]{0,79}?)(?P<tail>,\s.*|\s*)",
        rf"(?P<bare>)\s+{_Y}(?P<tail>\s*[,;(].*|)",
    )
    return tuple(re.compile(source, re.IGNORECASE) for source in sources)


def _lefts(left: str, predicate: Predicate, *, bare: bool) -> Iterator[re.Match[str]]:
    patterns = _left_patterns()
    if bare:
        patterns += _bare_patterns()
    if "person" in predicate.objects:
        patterns = _holder_patterns() + patterns
    if "amount" in predicate.objects:
        patterns = _agent_patterns() + patterns
    if _can_change(predicate):
        patterns = _changer_patterns() + patterns
    yield from (match for pattern in patterns if (match := pattern.fullmatch(left)))


def _rights(right: str, kind: str, predicate: Predicate, *, bare: bool) -> Iterator[re.Match[str]]:
    patterns = _right_patterns(kind)
    held, amount = "person" in predicate.objects, "amount" in predicate.objects
    wanted = (True,) * 4 + (held,) * 3 + (amount,) + (_can_change(predicate),) * 2 + (held, bare)
    for pattern in (pattern for pattern, one in zip(patterns, wanted, strict=True) if one):
        if match := pattern.fullmatch(right):
            yield match


def _can_change(predicate: Predicate) -> bool:
    """Whether somebody sets its value, as one does a budget, a date or a status."""
    return predicate.single_valued and not {"amount", "date", "other"}.isdisjoint(predicate.objects)
