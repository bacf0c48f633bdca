"""English wordings as regular expressions over one clause, with groups ``x`` (subject) and ``y`` (object).

Every slot is bounded and every clause short, so that no text takes long. A clause has to match from end to end: what
stands between, before or behind is then known to change nothing.
"""

import re
from collections.abc import Iterator
from functools import cache

from hybrid_agent_memory.extract.vocabulary import Predicate

_SLOT = re.compile(r"\b([XY])\b!?")
_X = r"(?P<x>\S.{0,79}?)"
_Y = r"(?P<y>\S.{0,119}?)"
_ADVERBS = (
    r"(?:(?:now|currently|also|already|still|just|finally|officially|recently|today|directly|personally|has|have|then|later|"
    r"permanently|formally|actually|again|happily|both|jointly|as of now|at present|once more)\s+)*"
)
_MODIFIERS = (
    r"(?:(?:new|newest|current|total|overall|final|approved|annual|yearly|monthly|list|official|own|main|primary|"
    r"full|updated|revised|agreed|work|private|personal|business|direct|direct-dial|latest|present|headline)\s+)*"
)
_IS = rf"(?:\s*(?:=|:|->|→)\s*|\s+[-–—]\s+|(?:\s+(?:is|are)|['’]s)\s+{_ADVERBS}(?:set at\s+|set to\s+|at\s+|on\s+|approved at\s+|:\s*)?)"
_RISE = "raised|increased|cut|lowered|reduced|changed|updated|revised|bumped|moved|extended|adjusted|switched|set|trimmed|pushed|postponed|upped|slashed"
_ROSE = "rose|went up|went down|fell|dropped|grew|increased|decreased|changed|slipped|moved|jumped|climbed|shrank|went"
_CHANGED = (
    rf"\s+{_ADVERBS}(?:will\s+{_ADVERBS}(?:rise|go\s+up|increase|grow|drop|fall|go\s+down|decrease|change|move|be\s+(?:{_RISE}))|(?:was|were|is|are|been|got|gets|is being)\s+{_ADVERBS}(?:{_RISE})|(?:{_ROSE})|(?:changed|switched|updated))"
    r"(?:\s+from\s+\S[^,;]{0,30}?)?\s+(?:to|at)\s+"
)
_UP_FROM = r"(?:,?\s+(?:up|down)\s+from\s+\S.{0,30}|,?\s+from\s+\S.{0,30})?"
_TAIL = (
    r"(?P<tail>(?:,?\s+(?:as|with|and|but|since|because|while|where|who|which|these days|nowadays|again|now|already|right now|"
    r"at the moment|at present|currently|permanently|together|for good|full[- ]time|part[- ]time|anyway|by the way|btw|too|per|an?|each|"
    r"in total|in all|instead|please|for (?:his|her|their|my|work|good))\b.*|,\s.*|\s*[(/].*)?)"
)
_IN_TAIL = r"(?P<tail>(?:,?\s+(?:in|at|to|as|and|but|because)\b.*|,\s.*|\s*[(].*)?)"
_NO_TAIL = r"(?P<tail>)"


def anchor(phrase: str) -> str:
    """The word of a phrase that a text must have before the phrase is looked for: its rarest, by a rule of thumb."""
    words = [word for word in re.findall(r"[a-z][a-z-]*", _SLOT.sub(" ", phrase).lower()) if word not in _COMMON]
    words = [part for word in words for part in word.split("-")]
    return max(words, key=len, default="")


_COMMON = frozenset(
    "is are am was were be to of in at on by for up the a an has have been with will my over you can from back".split()
)


def is_clause(phrase: str) -> bool:
    """Whether a phrase is a clause with its own slots, not a noun."""
    return len(set(_SLOT.findall(phrase))) == 2


@cache
def compile_phrase(phrase: str, predicate: Predicate) -> tuple[re.Pattern[str], ...]:
    """The clauses that a phrase stands for; in the order in which they are to be tried."""
    tail = _tail_of(predicate)
    sources = _clause(phrase, tail) if is_clause(phrase) else _noun_clauses(phrase, predicate, tail)
    return tuple(re.compile(source, re.IGNORECASE) for source in sources)


def _tail_of(predicate: Predicate) -> str:
    if "date" in predicate.objects:
        return _IN_TAIL
    free = "place" in predicate.objects if predicate.shape else "other" in predicate.objects
    return _NO_TAIL if free else _TAIL


def _clause(phrase: str, tail: str) -> Iterator[str]:
    pieces = _SLOT.split(phrase)
    source = "".join(_slot(piece) if at % 2 else _literal(piece) for at, piece in enumerate(pieces))
    if phrase.startswith("X "):
        source = source.replace(_X + r"\s+", rf"(?:{_X}\s+)?", 1)
    yield source + (tail if phrase.endswith(("Y", "Y!")) else "")


def _slot(name: str) -> str:
    return _X if name == "X" else _Y


def _literal(text: str) -> str:
    """Words of a phrase: `is` in any person of the present, adverbs where they may stand."""
    words = text.split()
    if "…" in words:
        before, _, after = text.partition("…")
        return _literal(before) + r"\S[^;:]{0,79}?" + _literal(after)
    if not words:
        return r"\s+" if text else ""
    parts = [r"(?:is|am)" if word == "is" else re.escape(word) for word in words]
    lead = "" if not text[0].isspace() else (r"\s*" if not words[0][0].isalnum() else r"\s+")
    before = "" if words[0] in ("is", "was") or not lead or not words[0][0].isalnum() else _ADVERBS
    body = parts[0]
    for word, part in zip(words, parts[1:], strict=False):
        body += r"\s+" + (_ADVERBS if word in ("is", "was", "will") else "") + part
    after = "" if not text[-1].isspace() else r"\s+" + (_ADVERBS if words[-1] in ("is", "was") else "")
    return lead + before + body + after


def _noun_clauses(phrase: str, predicate: Predicate, tail: str) -> Iterator[str]:
    noun = rf"{_MODIFIERS}" + r"[\s-]+".join(map(re.escape, phrase.split()))
    of = r"\s+(?:of|for|on|at)\s+"
    yield rf"{_X}['’]s?\s+{noun}{_IS}{_Y}{tail}"
    yield rf"(?P<x>my)\s+{noun}{_IS}{_Y}{tail}"
    yield rf"(?:the\s+)?{noun}{of}{_X}{_IS}{_Y}{tail}"
    yield rf"(?:the\s+)?(?:{_X}\s+)?{noun}{_IS}{_Y}{tail}"
    yield rf"{_X}['’]s?\s+{noun}{_CHANGED}{_Y}{_UP_FROM}"
    yield rf"(?:the\s+)?{noun}{of}{_X}{_CHANGED}{_Y}{_UP_FROM}"
    yield rf"(?:the\s+)?(?:{_X}\s+)?{noun}{_CHANGED}{_Y}{_UP_FROM}"
    yield rf"{_X}:\s*{noun}{_CHANGED}{_Y}{_UP_FROM}"
    if not predicate.shape and "person" in predicate.objects:
        title = rf"(?:(?:the|a|an)\s+)?{noun}(?:\s+(?:of|for|at|on)\s+|,\s*)"
        yield rf"(?P<y>\S.{{0,79}}?)\s+(?:is|becomes|became|is now|has become|was named|was appointed|was made)\s+{_ADVERBS}{title}{_X}{_TAIL}"
        yield rf"(?P<y>\S.{{0,79}}?)\s+(?:is|became)\s+{_ADVERBS}{_X}['’]s?\s+{noun}{_TAIL}"
    if "amount" in predicate.objects:
        yield rf"{_X}\s+(?:has|gets|got)\s+{_ADVERBS}(?:a|an)\s+{noun}\s+of\s+{_Y}{tail}"
        raised = rf"(?:we|they|(?-i:[A-Z]\w+)(?:\s(?-i:[A-Z]\w+))?)\s+{_ADVERBS}(?:raised|increased|lowered|reduced|upped)\s+"
        yield rf"{raised}the\s+{noun}{of}{_X}(?:\s+from\s+\S[^,;]{{0,30}}?)?\s+to\s+{_Y}{tail}"
        yield rf"{raised}{_X}['’]s?\s+{noun}(?:\s+from\s+\S[^,;]{{0,30}}?)?\s+to\s+{_Y}{tail}"
