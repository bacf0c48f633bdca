"""Dates in running text: an own grammar finds the spans, so that a version or an address is never read as a date."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cache
from typing import Literal

from hybrid_agent_memory.extract.chinese_dates import chinese_dates
from hybrid_agent_memory.extract.english_dates import english_dates
from hybrid_agent_memory.extract.moments import DAY, YEAR, Cycle, Found, Precision, to_date

Bound = Literal["from", "until"]


@dataclass(frozen=True, slots=True)
class DateSpan:
    """A date as a text writes it.

    Attributes
    ----------
    start, end : int
        ``text[start:end]``, with the words that make it a bound: ``by Friday``, ``12月1日起``.
    when : datetime or None
        The beginning of the day, week, month or year meant; aware, UTC. None if that needs a base and there is none.
    precision : {"day", "week", "month", "year"}
    bound : {"from", "until"} or None
        Whether something begins or ends then.
    core : tuple of int
        Start and end of the date alone, without the words of the bound.
    cycle : {"week", "year"} or None
        After what time it comes again, where the text leaves that open: ``3 May``, ``周五``.
    """

    start: int
    end: int
    when: datetime | None
    precision: Precision
    bound: Bound | None
    core: tuple[int, int]
    cycle: Cycle | None = None


@cache
def _numeric() -> re.Pattern[str]:
    clock = r"(?:(?:t|[ ]+)(?P<clock>[0-2]?\d:[0-5]\d(?::[0-5]\d(?:[.]\d{1,6})?)?)(?P<zone>z|[+-]\d\d:?\d\d)?)?"
    return re.compile(
        r"(?<![a-z0-9_#./\\-])(?:"
        rf"(?P<y>{YEAR})(?P<s>[-/.])(?P<m>1[0-2]|0?[1-9])(?P=s)(?P<d>{DAY})(?!\d){clock}"
        rf"|(?P<a>\d\d?)(?P<t>[-/.])(?P<b>\d\d?)(?P=t)(?P<c>{YEAR}|\d\d)"
        r")(?![a-z0-9_]|[./:-]\d)",
        re.ASCII,
    )


@cache
def _before() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?<![a-z])(?:(?P<since>from|since|starting(?:\s+(?:on|from|in))?|beginning(?:\s+(?:on|in))?|effective(?:\s+from)?|as\s+of|after)"
        r"|(?P<until>until|till|by|before|through|up\s+to|no\s+later\s+than|(?P<to>to)))\s+(?:the\s+|on\s+|end\s+of\s+|the\s+end\s+of\s+)?"
        r"|(?P<since2>自从|从|自|打)|(?P<until2>截至|截止到?|直到|不晚于|最迟|最晚|(?P<to2>到|至)))$"
    )


@cache
def _after() -> re.Pattern[str]:
    return re.compile(
        r"(?P<since>\s+onwards?(?![a-z])|之?起|开始|以来|至今|以后|之后|后(?![天年续]))|(?P<until>之前|以前|前(?![天年往])|为止|截止|止)"
    )


def find_dates(text: str, base: datetime | None = None) -> list[DateSpan]:
    """The dates in a text, English and Chinese, in its order, not overlapping.

    Parameters
    ----------
    text : str
        Any string.
    base : datetime or None
        When the text was said, for ``yesterday``, ``下周五`` or a date without a year; a naive one is taken as UTC.
        A date without a year is the one nearest to it. ``last Friday`` is the latest Friday before the base, ``next
        Friday`` the first one after it; 上周五 and 下周五 lie in the calendar week before and after.

    Returns
    -------
    list of DateSpan
        The spans are slices of `text`.

    Examples
    --------
    >>> spoken = datetime(2024, 10, 16, 9, 30)
    >>> [str(span.when) for span in find_dates("He complained on October 12, again 上周五", spoken)]
    ['2024-10-12 00:00:00+00:00', '2024-10-11 00:00:00+00:00']
    >>> find_dates("Version 10.0.3.4 on port 8080, order 20241012")
    []
    """
    folded = _folded(text)
    today = _in_utc(base).date() if base else None
    found = list(_numeric_dates(folded)) if _has_digit().search(folded) else []
    found += english_dates(text, folded, today)
    if not folded.isascii():
        found += chinese_dates(folded, today)
    return _with_bounds(folded, _apart(found))


@cache
def _has_digit() -> re.Pattern[str]:
    return re.compile(r"[0-9][-/.][0-9]")


@cache
def _wide() -> re.Pattern[str]:
    return re.compile("[０-９／－]")


@cache
def _widths() -> dict[int, str]:
    return {0xFF10 + n: str(n) for n in range(10)} | {ord("／"): "/", ord("－"): "-"}


def _folded(text: str) -> str:
    """The text in lower case and narrow digits, character for character."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(low if len(low := character.lower()) == 1 else character for character in text)
    return lowered.translate(_widths()) if _wide().search(lowered) else lowered


def _in_utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _apart(found: list[Found]) -> list[Found]:
    """Of overlapping dates the one that begins first, of these the longest."""
    chosen: list[Found] = []
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        if not chosen or one.start >= chosen[-1].end:
            chosen.append(one)
    return chosen


def _with_bounds(folded: str, found: list[Found]) -> list[DateSpan]:
    spans: list[DateSpan] = []
    for one in found:
        start, end = one.start, one.end
        bound: Bound | None = None
        floor = spans[-1].end if spans else 0
        before = _before().search(folded[max(floor, start - 24) : start])
        after = _after().match(folded, end)
        ranges = bool(spans) and spans[-1].bound == "from" and start - spans[-1].end < 8
        ranges = ranges or (after is not None and after["until"] is not None)
        if before and (ranges or not (before["to"] or before["to2"])):
            start -= len(before[0])
            bound = "from" if before["since"] or before["since2"] else "until"
        if after:
            end = after.end()
            bound = "from" if after["since"] else "until"
        when = one.when if isinstance(one.when, datetime) else _midnight(one.when)
        spans.append(DateSpan(start, end, when, one.precision, bound, (one.start, one.end), one.cycle))
    return spans


def _midnight(day: date | None) -> datetime | None:
    return datetime(day.year, day.month, day.day, tzinfo=UTC) if day else None


def _numeric_dates(folded: str) -> Iterator[Found]:
    for match in _numeric().finditer(folded):
        if match["y"]:
            if match["s"] == "." and not (len(match["m"]) == len(match["d"]) == 2):
                continue  # 2024.1.2 is a version
            day = to_date(int(match["y"]), int(match["m"]), int(match["d"]))
        elif len(match["c"]) == 2 and match["t"] != "/":
            continue
        else:
            day = _month_first(int(match["a"]), int(match["b"]), match["c"], match["t"] == ".")
        if day:
            yield Found(match.start(), match.end(), _with_clock(day, match), "day")


def _month_first(first: int, second: int, year: str, day_first: bool) -> date | None:
    """10/12/2024 is October 12; 31/12/2024 and 12.10.2024 begin with the day."""
    month, day = (second, first) if day_first or first > 12 else (first, second)
    return to_date(int(year) if len(year) == 4 else 2000 + int(year), month, day)


def _with_clock(day: date, match: re.Match[str]) -> date | datetime:
    if not match["clock"]:
        return day
    hour, _, rest = match["clock"].partition(":")
    try:
        return _in_utc(datetime.fromisoformat(f"{day.isoformat()}T{hour:0>2}:{rest}{(match['zone'] or '').upper()}"))
    except (ValueError, OverflowError):
        return day
