"""The core of a clause: without its dates, fillers and adverbs, but knowing where each character stands in the text."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from hybrid_agent_memory.extract.dates import DateSpan
from hybrid_agent_memory.extract.phrases import Span, lowered

_MARKS = " \t.,;:!。！，；：~…"


@dataclass(frozen=True, slots=True)
class Core:
    """What is left of a clause.

    Attributes
    ----------
    text, low : str
        Its characters, with a space before and behind, as written and in lower case.
    places : list of int
        Where each stands in the whole text.
    dates : list of DateSpan
        The dates that were taken out.
    ended : bool
        Whether a "no longer" was taken out as well.
    """

    text: str
    low: str
    places: list[int]
    dates: list[DateSpan]
    ended: bool = False

    def place(self, span: Span | None) -> Span | None:
        """Where a span, without spaces around it, stands in the text; None unless it is there in one piece."""
        found = self.reach(span)
        return found if found and span and found[1] - found[0] == len(self.text[slice(*span)].strip()) else None

    def reach(self, span: Span | None) -> Span | None:
        """From where to where a span reaches in the text, with all that was taken out of it."""
        if span is None:
            return None
        start, end = span
        words = self.text[start:end]
        start += len(words) - len(words.lstrip())
        end -= len(words) - len(words.rstrip())
        if start >= end:
            return None
        return self.places[start], self.places[end - 1] + 1


def core_of(text: str, start: int, end: int, dates: Iterable[DateSpan], *, adverbs: bool = False) -> Core:
    """The core of ``text[start:end]``; of the `dates` in it those that say when are taken out.

    With `adverbs`, those stay.
    """
    cuts: list[Span] = []
    taken: list[DateSpan] = []
    for date in dates:
        cut = _adverbial(text, date, start, end)
        if cut:
            cuts.append(cut)
            taken.append(date)
    filler = _filler().match(text, start, end)
    first = filler.end() if filler else start
    if not adverbs:
        cuts += [match.span() for match in _adverb().finditer(text, first, end)]
    ended = [match.span() for match in no_longer().finditer(text, first, end)]
    cuts += ended
    cuts += [match.span() for match in _spaces().finditer(text, first, end)]
    kept, places = without(text, first, end, cuts)
    left = len(kept) - len(kept.lstrip(_MARKS))
    right = max(left, len(kept.rstrip(_MARKS)))
    kept, places = f" {kept[left:right]} ", [start - 1, *places[left:right], end]
    return Core(kept, lowered(kept), places, taken, bool(ended))


def without(text: str, start: int, end: int, cuts: list[Span]) -> tuple[str, list[int]]:
    """The text without the cuts, and where each character of it stands."""
    kept = ""
    places: list[int] = []
    for first, last in sorted(cuts):
        if first > start:
            kept += text[start:first]
            places += range(start, first)
        start = max(start, last)
    return kept + text[start:end], [*places, *range(start, end)]


def _adverbial(text: str, date: DateSpan, start: int, end: int) -> Span | None:
    """What to cut for a date that says when; None for one that belongs to a noun (``the Monday meeting``)."""
    before = _preposition().search(text[max(start, date.start - 14) : date.start])
    after = text[date.end : min(end, date.end + 2)]
    if before and before["article"] and after[:1] == " " and after[1:2].isalpha():
        return None
    if after[:1] in ("'", "’", "的"):
        return None
    last = date.end + len(after) - len(after.lstrip(" ,，"))
    return date.start - (len(before[0]) if before else 0), last


def has_adverb(phrase: str) -> bool:
    """Whether a phrase holds one of the adverbs that are taken out."""
    return _adverb().search(phrase) is not None


@cache
def _filler() -> re.Pattern[str]:
    return re.compile(
        r"\W*(?:(?:so|and|but|also|btw|fyi|hey|hi|hello|ok|okay|yes|yeah|yep|well|oh|wow|quick update|update|heads "
        r"up|note that|note|nb|reminder|"
        r"good news|bad news|just so you know|for the record|by the way|please note that|please note|remember that|"
        r"remember|in fact|in short|"
        r"turns out|meanwhile|to confirm|correction|news|great|thanks|as discussed|as agreed|of course|sadly|luckily|"
        r"since then)\b(?!-\w)[\s,:!–-]*"
        r"|(?:对了|另外|还有|以及|并且|而且|但是|但|然后|所以|因此|顺便说一下|顺便|补充一下|补充|更新一下|更新|"
        r"最新消息|注意|提醒一下|通知|好的|嗯|哦|那么|"
        r"其中|同时|结果|后来)[，,：:\s]*)*",
        re.IGNORECASE,
    )


@cache
def no_longer() -> re.Pattern[str]:
    """What says of a relation that it is no more, but was."""
    verb = "负责|主管|分管|管|牵头|维护|主持|担任|任职|就职|供职|是|在|住|归|向"
    return re.compile(
        r"\b(?:will\s+)?no\s+longer\s+|(?:(?:已经|已|现已|正式)?不再)(?=[\u4e00-\u9fff])"
        rf"|(?:已经|现已|已|现在|目前|如今)不(?=(?:{verb})[^，。；,;]*了[。！!~\s]*(?:$|[，；,;]))"
    )


@cache
def _adverb() -> re.Pattern[str]:
    """Adverbs that leave a statement as it is; English ones only in lower case, for others may be names."""
    english = (
        r"(?:now|currently|also(?! known| called)|already|still|just|finally|officially|recently|directly|personally|"
        r"then|later|permanently|formally|actually|"
        r"again|happily|jointly|as of now|at present|presently|immediately|subsequently|eventually)"
    )
    return re.compile(
        rf"(?<![\w'’-]){english}(?![\w'’-]),?\s*|(?:目前|现在|如今|现已|已经|最近|近日|刚刚|刚才|正式|正在|仍然|一直|"
        rf"终于|后来|即日)(?=[\u4e00-\u9fffA-Za-z\d¥￥$（(：:，,]|\s)"
    )


@cache
def _spaces() -> re.Pattern[str]:
    return re.compile(r"(?<=\s)\s+")


@cache
def _preposition() -> re.Pattern[str]:
    return re.compile(r"(?:\b(?:on|in|at|during|late|early|around|for)\s+)?(?P<article>\bthe\s+)?$", re.IGNORECASE)
