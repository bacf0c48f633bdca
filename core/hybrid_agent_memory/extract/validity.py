"""From when and until when a fact holds: the dates of its own clause, else one that stands before it alone."""

import re
from bisect import bisect_left
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import cache
from typing import Literal

from hybrid_agent_memory.extract.dates import DateSpan
from hybrid_agent_memory.extract.moments import Cycle
from hybrid_agent_memory.extract.phrases import Span
from hybrid_agent_memory.extract.predicates import Predicate

Tense = Literal["past", "over", "open", "soon", "future"]
"""What words say of a date: that it lies back, that something is no more then, nothing, that a weekday is to come, as
in ``Ann takes over on Monday``, or that any date is.
"""


def tense_of(words: str, *, event: bool, ends: bool) -> Tense:
    """The tense of a statement, by its words without its subject and object.

    Examples
    --------
    >>> [tense_of(words, event=False, ends=False) for words in ("will rise to", "was raised to", "is owned by")]
    ['future', 'past', 'open']
    """
    if _future().search(words):
        return "future"
    if event or any(found["past"] for found in _past().finditer(words)):
        return "past"
    if ends or _now_so().search(words):
        return "over"
    return "soon" if _about_to().search(words) else "open"


class Validity:
    """The dates of one text, and what they say of the facts around them.

    Parameters
    ----------
    text : str
    dates : list of DateSpan
        All of the text, in its order.
    time : datetime or None
        When it was said.
    """

    def __init__(self, text: str, dates: list[DateSpan], time: datetime | None) -> None:
        self._dates = dates
        self._starts = [date.start for date in dates]
        self._time = time
        self._text = text
        self._blanked = _blanked(text, dates)
        self._alone: tuple[Span, list[DateSpan]] = ((0, 0), [])

    def within(self, start: int, end: int) -> list[DateSpan]:
        """The dates between two positions."""
        found = self._dates[bisect_left(self._starts, start) : bisect_left(self._starts, end)]
        return [date for date in found if date.end <= end]

    def alone(self, start: int, end: int) -> list[DateSpan]:
        """The dates of a sentence that stand between its separators alone: ``Dear all, from May, …``."""
        if self._alone[0] != (start, end):
            segments = (segment.span() for segment in _segment().finditer(self._blanked, start, end))
            lone = (span for span in segments if _nothing_else().fullmatch(self._blanked, *span))
            self._alone = (start, end), [date for span in lone for date in self.within(*span)]
        return self._alone[1]

    def behind(self, start: int, end: int) -> list[DateSpan]:
        """The dates right behind a fact that say from or until when: ``…，自5月1日起执行``, ``…，到5月1日为止``."""
        found = _behind().match(self._blanked, start, end)
        dates = self.within(*found.span("when")) if found else []
        return dates if found and (found["effect"] or found["in_effect"] or all(date.bound for date in dates)) else []

    def clause_end(self, start: int, end: int) -> int:
        """Where, behind a fact, another clause begins, whose dates are its own: `end` if nowhere."""
        marks = _other_clause().finditer(self._blanked, start, end)
        return next((mark.start() for mark in marks if mark["other"]), end)

    def is_ahead(self, date: DateSpan) -> bool:
        """Whether a date is still to come when it is told."""
        return date.when is not None and self._time is not None and date.when > self._time

    def period(
        self, dates: Iterable[DateSpan], predicate: Predicate, tense: Tense, *, ends: bool
    ) -> tuple[datetime | None, datetime | None] | None:
        """From when and until when a fact holds, by dates of which each may be either.

        None for what cannot be kept: what is to come at an open time, an event that lies ahead, a relation that ended,
        but nobody knows when, and one that ended before it began.
        """
        dates = list(dates)
        first = next((date for date in dates if date.bound != "until"), None)
        last = next((date for date in dates if _is_end(date, self._text)), None)
        since, until = self.when(first, tense) if first else None, last.when if last else None
        event = predicate.kind == "event"
        if tense == "future" and since is None and "date" not in predicate.objects:
            return None
        if event and since and self._time and since > self._time:
            return None
        if ends:
            over = None if until else since or (None if tense == "future" else self._time)
            return (None, over) if over else None
        if event:
            return since, None
        return None if since and until and until <= since else (since, until)

    def when(self, date: DateSpan, tense: Tense) -> datetime | None:
        """The moment meant by a date: where it comes again and again, the last one or the next; None if none fits."""
        if date.when is None or self._time is None:
            return date.when
        told = self._text[date.start : date.end]
        back = (tense in ("past", "over") and date.bound != "from") or _since().search(told) is not None
        if date.when.date() < self._time.date() and (tense == "future" or (tense == "soon" and date.cycle == "week")):
            return _moved(date.when, date.cycle, 1)
        if back and tense != "future" and date.when > self._time and date.cycle:
            return _moved(date.when, date.cycle, -1)
        return date.when


def _is_end(date: DateSpan, text: str) -> bool:
    """Whether something holds until a date, not just before it; 截至 tells of the day that it was so."""
    return date.bound == "until" and _until().search(text[date.start : date.end]) is not None


def without_purpose(text: str, start: int, dates: Iterable[DateSpan]) -> list[DateSpan]:
    """The dates that say when something was done, not for when: ``ordered desks for 3 May``."""
    return [
        date
        for date in dates
        if date.start < start or date.precision == "year" or not _purpose().search(text[start : date.start])
    ]


def _moved(when: datetime, cycle: Cycle | None, times: int) -> datetime | None:
    """The date one cycle on or back; None without a cycle, or on the 29th of February."""
    try:
        if cycle == "week":
            return when + timedelta(days=7 * times)
        return when.replace(year=when.year + times) if cycle else None
    except (ValueError, OverflowError):
        return None


def _blanked(text: str, dates: Iterable[DateSpan]) -> str:
    """The text with a NUL for each character of a date."""
    kept, at = [], 0
    for date in dates:
        kept += [text[at : date.start], "\0" * (date.end - date.start)]
        at = date.end
    return "".join((*kept, text[at:]))


@cache
def _segment() -> re.Pattern[str]:
    return re.compile(r"(?:[^,，:：;；\s–—-]|\s(?![-–—]+\s)|(?<!\s)-|-(?!\s))+")


_BEFORE_DATE = r"(?:(?:on|in|at|during|around|early|late|the)\s+)*"


@cache
def _nothing_else() -> re.Pattern[str]:
    return re.compile(
        rf"\s*(?:(?:and|but|so|also|然后|另外|此外|同时|并且|但是?)\s*)?{_BEFORE_DATE}\0[\0\s]*", re.IGNORECASE
    )


@cache
def _behind() -> re.Pattern[str]:
    english = (
        r"(?:and\s+)?(?:(?:which|this|it)\s+)?(?:is\s+|will\s+)?"
        r"(?:takes?\s+effect|effective|valid|appl(?:y|ies)|comes?\s+into\s+(?:force|effect))\s+"
    )
    return re.compile(
        rf"[\s,，;；(（]*(?:新价)?(?P<effect>{english}{_BEFORE_DATE})?(?P<when>\0[\0\s]*)"
        r"(?P<in_effect>(?:正式|开始|统一)*(?:生效|执行|实施|施行))?\s*(?=[,，.。;；!！)）]|$)",
        re.IGNORECASE,
    )


@cache
def _other_clause() -> re.Pattern[str]:
    """Marks and words that begin one; a date between commas, or behind the last, is no clause."""
    words = (
        "and|but|while|whereas|where|which|who|whose|whom|because|since|so|when|then|after|before|following|until|till|"
        "through|with|for|pending|due|thanks"
    )
    aside = r"[(（][^()（）\0]*[)）]"
    place = r"(?-i:[A-Z][\w.]*(?:\s[A-Z][\w.]*){0,2})\s+"
    dated = rf"(?:{place})?{_BEFORE_DATE}\0[\0\s]*(?:[,，.。;；)）!！]|(?:as|and)\b|$)"
    return re.compile(rf"{aside}|(?P<other>[,，(（;；]\s*+(?!{dated})|(?<![\w-])(?:{words})(?![\w-]))", re.IGNORECASE)


@cache
def _future() -> re.Pattern[str]:
    return re.compile(r"\bwill\b|\bleaves\b|\bleaving\b|将(?! )", re.IGNORECASE)  # 将 before the subject means 把


@cache
def _about_to() -> re.Pattern[str]:
    """A change that is told in the present tense, and so has a day to come or none; what one owns has not."""
    return re.compile(
        r"\b(?:takes?|is\s+taking|are\s+taking)\s+over\b|\b(?:joins?|starts?|begins?|becomes?|moves?|switches|switch|"
        r"rises?|drops?|falls?|goes)\b|\bis\s+(?:joining|starting|becoming|moving|switching)\b",
        re.IGNORECASE,
    )


@cache
def _past() -> re.Pattern[str]:
    """English verbs in the past, 了 and 过 behind a Chinese one; a participle behind "is" tells of the present."""
    present = r"\b(?:is|are|am|be|being)(?:\s+(?:\w+ly|now|still|also|again))*\s+\w+"
    verbs = "was|were|had|took|left|quit|began|became|got|went|rose|fell|grew|shrank"
    participles = r"\w+ed|been|become|taken|left|quit|gone|risen|fallen|grown"
    chinese = r"(?<![为除])了(?!解)|(?<![通超经不路])过"
    return re.compile(
        rf"{present}|(?P<past>\b(?:{verbs}|(?:has|have)\s+(?:{participles})|\w{{2,}}(?<!\bne)ed)\b"
        rf"|[\u4e00-\u9fff](?:{chinese})(?=[\u4e00-\u9fffA-Za-z\d《“]))",
        re.IGNORECASE,
    )


@cache
def _now_so() -> re.Pattern[str]:
    """A 了 at the end, of what has come about, or is about to."""
    return re.compile(r"[\u4e00-\u9fff]了\W*$")


@cache
def _since() -> re.Pattern[str]:
    return re.compile(r"^since\b|^自从|以来$|至今$", re.IGNORECASE)


@cache
def _until() -> re.Pattern[str]:
    return re.compile(r"^(?:until|till|through|up\s+to|to\s|到|至)|为止|截?止$", re.IGNORECASE)


@cache
def _purpose() -> re.Pattern[str]:
    return re.compile(r"\bfor\b(?!\s+the\s+\w+\s+time\b)|\bdue\b", re.IGNORECASE)
