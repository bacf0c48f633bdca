"""Dates in running text: an own grammar finds the spans, so that a version or an address is never read as a date.

Common forms are computed here; only compound durations ("a year and three months ago") go to dateparser, which is
imported when the first one is met.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cache, lru_cache
from typing import Literal

from hybrid_agent_memory.extract.scanning import matches

Precision = Literal["day", "week", "month", "year"]
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
    """

    start: int
    end: int
    when: datetime | None
    precision: Precision
    bound: Bound | None
    core: tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Found:
    start: int
    end: int
    when: date | datetime | None
    precision: Precision


_YEAR = r"(?:1\d|20)\d\d"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])"
_MONTHS = (
    "jan(?:uary)?", "feb(?:ruary)?", "mar(?:ch)?", "apr(?:il)?", "may", "june?", "july?", "aug(?:ust)?",
    "sept?(?:ember)?", "oct(?:ober)?", "nov(?:ember)?", "dec(?:ember)?",
)  # fmt: skip
_MONTH = "|".join(_MONTHS)
_MONTH_NUMBERS = {pattern[:3]: number for number, pattern in enumerate(_MONTHS, 1)}
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAY = "|".join(_WEEKDAYS)
_COUNTS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "a couple of": 2, "couple of": 2, "three": 3, "a few": 3, "few": 3, "four": 4,
    "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "half a": 0,
}  # fmt: skip
_RELATIVE_DAYS = {
    "the day before yesterday": -2, "day before yesterday": -2, "yesterday": -1, "last night": -1,
    "today": 0, "tonight": 0, "this morning": 0, "this afternoon": 0, "this evening": 0,
    "tomorrow": 1, "the day after tomorrow": 2, "day after tomorrow": 2,
}  # fmt: skip
_HAN_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "日": 7, "天": 7}
_HAN_DAYS = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3}
_HAN_YEARS = {"前": -2, "去": -1, "今": 0, "明": 1, "后": 2}
_HAN_STEPS = {"上上": -2, "上": -1, "本": 0, "这": 0, "这个": 0, "当": 0, "下": 1, "下下": 2}


@cache
def _numeric() -> re.Pattern[str]:
    clock = r"(?:(?:t|[ ]+)(?P<clock>[0-2]?\d:[0-5]\d(?::[0-5]\d(?:[.]\d{1,6})?)?)(?P<zone>z|[+-]\d\d:?\d\d)?)?"
    return re.compile(
        r"(?<![a-z0-9_#./\\-])(?:"
        rf"(?P<y>{_YEAR})(?P<s>[-/.])(?P<m>1[0-2]|0?[1-9])(?P=s)(?P<d>{_DAY})(?!\d){clock}"
        rf"|(?P<a>\d\d?)(?P<t>[-/.])(?P<b>\d\d?)(?P=t)(?P<c>{_YEAR}|\d\d)"
        r")(?![a-z0-9_]|[./:-]\d)",
        re.ASCII,
    )


@cache
def _english() -> re.Pattern[str]:
    relative = "|".join(sorted(_RELATIVE_DAYS, key=len, reverse=True)).replace(" ", r"\s+")
    count = r"(?:\d{1,4}|" + "|".join(sorted(_COUNTS, key=len, reverse=True)).replace(" ", r"\s+") + ")"
    unit = r"(?:minute|hour|day|week|fortnight|month|year|decade)s?"
    duration = rf"{count}\s+{unit}(?:(?:,\s*|\s+)(?:and\s+)?(?:{count}\s+{unit}|a\s+half)){{0,3}}"
    return re.compile(
        r"(?:"
        rf"(?:(?:{_WEEKDAY}|mon|tues?|wed|thu(?:rs)?|fri|sat|sun)[.,]*\s+)?(?:"
        rf"(?P<month>{_MONTH})[.]?\s+(?:the\s+)?(?P<day>{_DAY})(?:st|nd|rd|th)?(?:(?:,\s*|\s+)(?P<year>{_YEAR}))?"
        rf"|(?:the\s+)?(?P<day2>{_DAY})(?:st|nd|rd|th)?(?:\s+of)?[ -](?P<month2>{_MONTH})[.]?"
        rf"(?:(?:,\s*|\s+|-)(?P<year2>{_YEAR}))?"
        r")"
        rf"|(?P<month3>{_MONTH})[.]?(?:,|\s+of)?\s+(?P<year3>{_YEAR})"
        rf"|(?P<relative>{relative})"
        rf"|(?P<step>last|past|previous|next|coming|this|early|late|mid)[ -]"
        rf"(?P<of>week|month|year|weekend|{_WEEKDAY}|{_MONTH})"
        rf"|in\s+(?P<ahead>{duration})(?:\s+time)?|(?P<back>{duration})\s+(?P<way>ago|from\s+now|from\s+today)"
        rf"|(?P<weekday>{_WEEKDAY})"
        rf"|(?P<month4>{_MONTH})"
        rf"|q(?P<quarter>[1-4])(?:\s+of)?\s+(?P<year5>{_YEAR})"
        rf"|(?P<year4>{_YEAR})"
        r")(?![a-z0-9_]|[-./:,'’]\d|['’]?s?-[a-z])"
    )


@cache
def _english_trigger() -> re.Pattern[str]:
    return re.compile(
        rf"day|night|week|month|year|hour|minute|fortnight|decade|ago|morning|evening|afternoon|tomorrow|[12]\d\d\d|(?<![a-z])(?:{_MONTH})(?![a-z])"
    )


@cache
def _chinese() -> re.Pattern[str]:
    numeral = "(?:[〇零一二三四五六七八九]{4})"
    day = "(?:3[01]|[12][0-9]|0?[1-9]|三十一?|二十[一二三四五六七八九]?|十[一二三四五六七八九]?|[一二三四五六七八九])"
    month = "(?:1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])"
    count = "(?:[0-9]{1,3}|[一二两三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九半])"
    week = "(?:周|星期|礼拜)"
    return re.compile(
        r"(?:"
        rf"(?P<back>{count})(?P<unit>分钟|个?小时|天|日|个?{week}|个?月|年)(?P<way>以前|之前|前|以后|之后|后)"
        rf"|(?:(?P<year>{_YEAR}|{numeral}|[去今明前后](?=年))年)(?:的|第)?(?P<quarter>[一二三四1-4])季度"
        rf"|(?:(?P<y>{_YEAR}|{numeral}|[去今明前后](?=年))年的?)?(?P<m>{month})月(?!龄)份?(?:(?P<d>{day})[日号](?!楼|线|院|门|店|机)|(?P<part>底|末|初))?"
        rf"|(?P<year2>{_YEAR}|{numeral}|[去今明前后](?=年))年(?:(?P<part2>底|末|初)|(?!级|代|龄|[0-9]))"
        rf"|(?P<days>大前|大后|[前昨今明后])(?:天|日)|(?P<night>[昨今明])[晚早夜]上?"
        rf"|(?P<step>上上|下下|[上本这下])个?{week}(?P<weekday>[一二三四五六日天末])?"
        rf"|(?<![每上一二两三四五六几半])(?:周|星期|礼拜)(?P<weekday2>[一二三四五六日末])(?![〇-鿿]?期)"
        rf"|(?P<step2>上上|下下|[上本这下当])个?月(?:(?P<d2>{day})[日号]|(?P<part3>底|末|初))?"
        rf"|(?P<end>[年月])(?P<part4>底|末|初)"
        r")"
    )


@cache
def _chinese_start() -> re.Pattern[str]:
    return re.compile(r"[〇零一二三四五六七八九十两半去今明前后大昨上下本这当周星礼年月]|(?<![0-9A-Za-z#.])[0-9]")


@cache
def _english_start() -> re.Pattern[str]:
    return re.compile(r"(?<![\w#./-])[a-z0-9]")


@cache
def _chinese_trigger() -> re.Pattern[str]:
    return re.compile("[年月天日周晚早期拜夜时钟]")


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
    if _english_trigger().search(folded):
        found += _english_dates(text, folded, today)
    if not folded.isascii() and _chinese_trigger().search(folded):
        found += _chinese_dates(folded, today)
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


def _apart(found: list[_Found]) -> list[_Found]:
    """Of overlapping dates the one that begins first, of these the longest."""
    chosen: list[_Found] = []
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        if not chosen or one.start >= chosen[-1].end:
            chosen.append(one)
    return chosen


def _with_bounds(folded: str, found: list[_Found]) -> list[DateSpan]:
    spans: list[DateSpan] = []
    for one in found:
        start, end = one.start, one.end
        bound: Bound | None = None
        floor = spans[-1].end if spans else 0
        before = _before().search(folded[max(floor, start - 24) : start])
        after = _after().match(folded, end)
        open_from = bool(spans) and spans[-1].bound == "from" and start - spans[-1].end < 8
        if before and (open_from or not (before["to"] or before["to2"])):
            start -= len(before[0])
            bound = "from" if before["since"] or before["since2"] else "until"
        if after:
            end = after.end()
            bound = "from" if after["since"] else "until"
        when = one.when if isinstance(one.when, datetime) else _midnight(one.when)
        spans.append(DateSpan(start, end, when, one.precision, bound, (one.start, one.end)))
    return spans


def _midnight(day: date | None) -> datetime | None:
    return datetime(day.year, day.month, day.day, tzinfo=UTC) if day else None


def _date(year: int, month: int, day: int = 1) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _numeric_dates(folded: str) -> Iterator[_Found]:
    for match in _numeric().finditer(folded):
        if match["y"]:
            if match["s"] == "." and not (len(match["m"]) == len(match["d"]) == 2):
                continue  # 2024.1.2 is a version
            day = _date(int(match["y"]), int(match["m"]), int(match["d"]))
        elif len(match["c"]) == 2 and match["t"] != "/":
            continue
        else:
            day = _month_first(int(match["a"]), int(match["b"]), match["c"], match["t"] == ".")
        if day:
            yield _Found(match.start(), match.end(), _with_clock(day, match), "day")


def _month_first(first: int, second: int, year: str, day_first: bool) -> date | None:
    """10/12/2024 is October 12; 31/12/2024 and 12.10.2024 begin with the day."""
    month, day = (second, first) if day_first or first > 12 else (first, second)
    return _date(int(year) if len(year) == 4 else 2000 + int(year), month, day)


def _with_clock(day: date, match: re.Match[str]) -> date | datetime:
    if not match["clock"]:
        return day
    hour, _, rest = match["clock"].partition(":")
    try:
        return _in_utc(datetime.fromisoformat(f"{day.isoformat()}T{hour:0>2}:{rest}{(match['zone'] or '').upper()}"))
    except (ValueError, OverflowError):
        return day


def _english_dates(text: str, folded: str, today: date | None) -> Iterator[_Found]:
    for match in matches(_english_start(), _english(), folded):
        read = _read_english(text, folded, match, today)
        if read:
            yield _Found(match.start(), match.end(), *read)


Read = tuple[date | None, Precision] | None


def _read_english(text: str, folded: str, match: re.Match[str], today: date | None) -> Read:
    if match["month"] or match["month2"]:
        month, day, year = (
            match["month"] or match["month2"],
            match["day"] or match["day2"],
            match["year"] or match["year2"],
        )
        if month in ("may", "mar", "march") and not _is_month_here(
            text, folded, match.start("month" if match["month"] else "month2")
        ):
            return None
        return _day_of(year, _MONTH_NUMBERS[month[:3]], int(day), today)
    if match["month3"]:
        return _date(int(match["year3"]), _MONTH_NUMBERS[match["month3"][:3]]), "month"
    if match["quarter"]:
        return _date(int(match["year5"]), 3 * int(match["quarter"]) - 2), "month"
    if match["relative"]:
        return _shifted(today, days=_RELATIVE_DAYS[" ".join(match["relative"].split())]), "day"
    if match["step"]:
        return _stepped(match["step"], match["of"], today)
    if match["ahead"] or match["back"]:
        return _at_distance(match["ahead"] or match["back"], match["way"] == "ago", today)
    if match["weekday"]:
        coming = bool(_before().search(folded[max(0, match.start() - 24) : match.start()]))
        return _weekday(_WEEKDAYS.index(match["weekday"]), coming, today), "day"
    if match["month4"]:
        return _lone_month(text, folded, match, today)
    return _lone_year(folded, match)


@cache
def _preposition() -> re.Pattern[str]:
    return re.compile(
        r"(?<![a-z])(?:on|in|since|from|until|till|by|during|before|after|of|and|to|between|through|early|late|mid|year|around|circa|summer|"
        r"spring|autumn|fall|winter|born|season)[ (]+$|\($"
    )


def _is_month_here(text: str, folded: str, start: int) -> bool:
    return text[start].isupper() or _preposition().search(folded[max(0, start - 12) : start]) is not None


def _lone_month(text: str, folded: str, match: re.Match[str], today: date | None) -> Read:
    """A month without day and year: only a full name behind a preposition, as May and April are names too."""
    name = match["month4"]
    before = _preposition().search(folded[max(0, match.start() - 12) : match.start()])
    if not before or "and" in before[0] or "of" in before[0] or not text[match.start()].isupper():
        return None
    read = _day_of(None, _MONTH_NUMBERS[name[:3]], 1, today)
    return read and (read[0], "month")


@cache
def _counted_noun() -> re.Pattern[str]:
    return re.compile(
        r"\s+(?:[a-z]+s|people|men|women|children|feet|km|kg|miles|percent)(?![a-z])|\s*%|\s*[-–]\s*\d{3,}(?!\d)"
    )


def _lone_year(folded: str, match: re.Match[str]) -> Read:
    if not _preposition().search(folded[max(0, match.start() - 12) : match.start()]):
        return None
    following = _counted_noun().match(folded, match.end())
    if following and not re.fullmatch(r"\s+(?:was|is|has|as|its|his|this)", following[0]):
        return None
    return _date(int(match["year4"]), 1), "year"


def _day_of(year: str | None, month: int, day: int, today: date | None) -> Read:
    """The day, in the year nearest to today if none is named."""
    if year:
        found = _date(int(year), month, day)
        return (found, "day") if found else None
    if not _date(2000, month, day):
        return None
    near = [found for n in (-1, 0, 1) if today and (found := _date(today.year + n, month, day))]
    return (min(near, key=lambda found: abs(found - today)) if today and near else None), "day"


def _shifted(today: date | None, *, days: int = 0, months: int = 0) -> date | None:
    if today is None:
        return None
    try:
        if months:
            year, month = divmod(today.year * 12 + today.month - 1 + months, 12)
            return next(found for back in range(4) if (found := _date(year, month + 1, today.day - back)))
        return today + timedelta(days=days)
    except (OverflowError, StopIteration):
        return None


def _start_of(today: date | None, unit: str) -> date | None:
    if today is None:
        return None
    if unit.startswith("week"):
        return _shifted(today, days=-today.weekday())
    return today.replace(day=1) if unit == "month" else today.replace(month=1, day=1)


def _stepped(step: str, of: str, today: date | None) -> Read:
    direction = {"last": -1, "past": -1, "previous": -1, "next": 1, "coming": 1}.get(step, 0)
    if of in _WEEKDAYS:
        if step in ("early", "late", "mid"):
            return None
        return _next_weekday(_WEEKDAYS.index(of), direction, today), "day"
    if of == "week":
        return _shifted(_start_of(today, "week"), days=7 * direction), "week"
    if of == "weekend":
        return _shifted(_start_of(today, "week"), days=5 + 7 * direction), "week"
    if of == "month":
        return _shifted(_start_of(today, "month"), months=direction), "month"
    if of == "year":
        return _shifted(_start_of(today, "year"), months=12 * direction), "year"
    return _month_towards(_MONTH_NUMBERS[of[:3]], direction, today), "month"


def _month_towards(month: int, direction: int, today: date | None) -> date | None:
    if today is None:
        return None
    year = today.year
    if direction < 0 and month >= today.month:
        year -= 1
    elif direction > 0 and month <= today.month:
        year += 1
    return _date(year, month)


def _next_weekday(weekday: int, direction: int, today: date | None) -> date | None:
    """The latest before today (-1), the first after it (1), or the one of this week (0)."""
    if today is None:
        return None
    gap = weekday - today.weekday()
    if direction < 0:
        gap = gap % 7 - 7
    elif direction > 0:
        gap = gap % 7 or 7
    return _shifted(today, days=gap)


def _weekday(weekday: int, coming: bool, today: date | None) -> date | None:
    """A weekday alone is the latest one, today included; with ``by`` or ``until`` the coming one."""
    if today is None:
        return None
    gap = (weekday - today.weekday()) % 7
    return _shifted(today, days=gap if coming or gap == 0 else gap - 7)


@cache
def _simple_duration() -> re.Pattern[str]:
    return re.compile(r"(.+?)\s+(minute|hour|day|week|fortnight|month|year|decade)s?")


def _at_distance(duration: str, back: bool, today: date | None) -> Read:
    duration = " ".join(duration.split())
    simple = _simple_duration().fullmatch(duration)
    unit = simple[2] if simple else "day"
    if simple and (simple[1].isdigit() or simple[1] in _COUNTS):
        number = int(simple[1]) if simple[1].isdigit() else _COUNTS[simple[1]]
        precision = _grain(unit)
        if simple[1] == "half a":
            return (_shifted(today, months=-6 if back else 6), "month") if unit == "year" else None
        return _moved(today, -number if back else number, unit), precision
    return (_compound(duration, back, today), "day") if today else (None, "day")


def _grain(unit: str) -> Precision:
    if unit in ("week", "fortnight"):
        return "week"
    if unit == "month":
        return "month"
    return "year" if unit in ("year", "decade") else "day"


def _moved(today: date | None, number: int, unit: str) -> date | None:
    if unit in ("minute", "hour"):
        return today
    if unit in ("month", "year", "decade"):
        return _shifted(today, months=number * {"month": 1, "year": 12, "decade": 120}[unit])
    return _shifted(today, days=number * {"day": 1, "week": 7, "fortnight": 14}[unit])


@lru_cache(maxsize=4096)
def _compound(duration: str, back: bool, today: date) -> date | None:
    import dateparser

    moment = datetime(today.year, today.month, today.day)
    written = duration.replace(", ", " ").replace("and a half", "and 6 months") if "year" in duration else duration
    read = dateparser.parse(
        f"{written} ago" if back else f"in {written}",
        languages=["en"],
        settings={"RELATIVE_BASE": moment, "TIMEZONE": "UTC", "RETURN_AS_TIMEZONE_AWARE": False},
    )
    return read.date() if read else None


def _chinese_dates(folded: str, today: date | None) -> Iterator[_Found]:
    for match in matches(_chinese_start(), _chinese(), folded):
        read = _read_chinese(match, today)
        if read:
            yield _Found(match.start(), match.end(), *read)


def _read_chinese(match: re.Match[str], today: date | None) -> Read:
    if match["back"]:
        return _han_distance(match, today)
    if match["quarter"]:
        year = _han_year(match["year"], today)
        return (_date(year, 3 * (_han_number(match["quarter"]) or 1) - 2) if year else None), "month"
    if match["m"]:
        return _han_month_day(match, today)
    if match["year2"]:
        return _han_end(_han_year(match["year2"], today), match["part2"])
    if match["days"] or match["night"]:
        return _shifted(today, days=_HAN_DAYS[match["days"] or match["night"]]), "day"
    if match["step"]:
        return _han_week(match["step"], match["weekday"], today)
    if match["weekday2"]:
        return _han_week("本", match["weekday2"], today)
    if match["step2"]:
        return _han_month(_HAN_STEPS[match["step2"]], match["d2"], match["part3"], today)
    if match["end"] == "年":
        return _han_end(today.year if today else None, match["part4"])
    return _han_month(0, None, match["part4"], today)


def _han_number(text: str) -> int | None:
    """Read up to 99 in digits or numerals: 12, 十二, 二十, 两."""
    if text.isdigit() and text.isascii():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    unit = _HAN_DIGITS.get(ones, 0)
    return unit + (10 * (_HAN_DIGITS.get(tens, 1) if tens else 1) if ten else 0)


def _han_year(text: str | None, today: date | None) -> int | None:
    if text in _HAN_YEARS:
        return today.year + _HAN_YEARS[text] if today else None
    if text and not text.isascii():
        return int("".join(str(_HAN_DIGITS[character]) for character in text)) or None
    return int(text) if text else None


def _han_distance(match: re.Match[str], today: date | None) -> Read:
    number, unit, back = match["back"], match["unit"].removeprefix("个"), "前" in match["way"]
    sign = -1 if back else 1
    if number == "半":
        if unit == "年":
            return _shifted(today, months=6 * sign), "month"
        return (_shifted(today, days=15 * sign), "week") if unit == "月" else (today, "day")
    english = {"天": "day", "日": "day", "月": "month", "年": "year", "小时": "hour", "分钟": "minute"}.get(
        unit, "week"
    )
    if unit == "月" and not match["unit"].startswith("个"):
        return None  # 三月前 is before March
    return _moved(today, sign * (_han_number(number) or 0), english), _grain(english)


def _han_month_day(match: re.Match[str], today: date | None) -> Read:
    month, day = _han_number(match["m"]) or 1, _han_number(match["d"]) if match["d"] else None
    precision: Precision = "day" if day else "month"
    if match["y"]:
        year = _han_year(match["y"], today)
        if match["part"] in ("底", "末") and year:
            return _last_day(_date(year, month)), "day"
        found = _date(year, month, day or 1) if year else None
        return (found, precision) if _date(2000, month, day or 1) else None
    read = _day_of(None, month, day or 1, today)
    if read and match["part"] in ("底", "末"):
        return _last_day(read[0]), "day"
    return read and (read[0], precision)


def _last_day(first: date | None) -> date | None:
    return _shifted(_shifted(first, months=1), days=-1)


def _han_end(year: int | None, part: str | None) -> Read:
    found = _date(year, 12 if part in ("底", "末") else 1) if year else None
    return found, "month" if part else "year"


def _han_week(step: str, weekday: str | None, today: date | None) -> Read:
    monday = _shifted(_start_of(today, "week"), days=7 * _HAN_STEPS[step])
    if not weekday:
        return monday, "week"
    if weekday == "末":
        return _shifted(monday, days=5), "week"
    return _shifted(monday, days=_HAN_DIGITS[weekday] - 1), "day"


def _han_month(step: int, day: str | None, part: str | None, today: date | None) -> Read:
    first = _shifted(_start_of(today, "month"), months=step) if step else _start_of(today, "month")
    if day:
        number = _han_number(day) or 1
        return (_date(first.year, first.month, number) if first else None), "day"
    if part in ("底", "末"):
        return _last_day(first), "day"
    return first, "month"
