"""English dates: ``12 October``, ``last Friday``, ``two weeks ago``.

Common forms are computed; only compound durations ("a year and three months ago") go to dateparser, which is imported
when the first one is met.
"""

import re
from collections.abc import Iterator
from datetime import date, datetime
from functools import cache, lru_cache

from hybrid_agent_memory.extract.moments import (
    DAY,
    YEAR,
    Cycle,
    Found,
    Read,
    day_of,
    grain,
    moved,
    shifted,
    start_of,
    to_date,
)
from hybrid_agent_memory.extract.scanning import matches

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


@cache
def _english() -> re.Pattern[str]:
    relative = "|".join(sorted(_RELATIVE_DAYS, key=len, reverse=True)).replace(" ", r"\s+")
    count = r"(?:\d{1,4}|" + "|".join(sorted(_COUNTS, key=len, reverse=True)).replace(" ", r"\s+") + ")"
    unit = r"(?:minute|hour|day|week|fortnight|month|year|decade)s?"
    duration = rf"{count}\s+{unit}(?:(?:,\s*|\s+)(?:and\s+)?(?:{count}\s+{unit}|a\s+half)){{0,3}}"
    return re.compile(
        r"(?:"
        rf"(?:(?:{_WEEKDAY}|mon|tues?|wed|thu(?:rs)?|fri|sat|sun)[.,]*\s+)?(?:"
        rf"(?P<month>{_MONTH})[.]?\s+(?:the\s+)?(?P<day>{DAY})(?:st|nd|rd|th)?(?:(?:,\s*|\s+)(?P<year>{YEAR}))?"
        rf"|(?:the\s+)?(?P<day2>{DAY})(?:st|nd|rd|th)?(?:\s+of)?[ -](?P<month2>{_MONTH})"
        rf"(?:[.]?(?:,\s*|\s+|-)(?P<year2>{YEAR}))?"
        r")"
        rf"|(?P<month3>{_MONTH})[.]?(?:,|\s+of)?\s+(?P<year3>{YEAR})"
        rf"|(?P<relative>{relative})"
        rf"|(?P<step>last|past|previous|next|coming|this|early|late|mid)[ -]"
        rf"(?P<of>week|month|year|weekend|{_WEEKDAY}|{_MONTH})"
        rf"|in\s+(?P<ahead>{duration})(?:\s+time)?|(?P<back>{duration})\s+(?P<way>ago|from\s+now|from\s+today)"
        rf"|(?P<weekday>{_WEEKDAY})"
        rf"|(?P<month4>{_MONTH})"
        rf"|q(?P<quarter>[1-4])(?:\s+of)?\s+(?P<year5>{YEAR})"
        rf"|(?P<year4>{YEAR})"
        r")(?![a-z0-9_]|[-./:,'’]\d|['’]?s?-[a-z]|[ -]old(?![a-z]))"
    )


@cache
def _english_start() -> re.Pattern[str]:
    return re.compile(r"(?<![\w#./-])[a-z0-9]")


@cache
def _ahead() -> re.Pattern[str]:
    """What makes a weekday the coming one."""
    return re.compile(
        r"(?<![a-z])(?:by|until|till|before|from|starting|starting on|effective|no later than|coming)\s+(?:on\s+)?$"
    )


@cache
def _future() -> re.Pattern[str]:
    """What shows that ``in two weeks`` looks ahead, unlike in ``the second time in two weeks``."""
    return re.compile(
        r"(?<![a-z])(?:will|'ll|going|gonna|due|starts?|begins?|expires?|ends?|launch|leaves?|leaving|moves?|moving|deadline|ready|back|"
        r"deliver|ships?|arrives?|arriving|planned|plans?|scheduled?|review|meeting|meet|happens?|opens?|opening|is|are|it's|be|expected)(?![a-z])"
        r"|^\s*$|[.!?:]\s*$"
    )


@cache
def _english_trigger() -> re.Pattern[str]:
    return re.compile(
        rf"day|night|week|month|year|hour|minute|fortnight|decade|ago|morning|evening|afternoon|tomorrow|[12]\d\d\d|(?<![a-z])(?:{_MONTH})(?![a-z])"
    )


def english_dates(text: str, folded: str, today: date | None) -> Iterator[Found]:
    """The dates of a text and its form in lower case; of overlapping ones the first."""
    if not _english_trigger().search(folded):
        return
    for match in matches(_english_start(), _english(), folded):
        read = _read_english(text, folded, match, today)
        if read:
            yield Found(match.start(), match.end(), *read, _cycle(match))


def _cycle(match: re.Match[str]) -> Cycle | None:
    """After what time a date comes again: one of a month without its year, a weekday."""
    if match["weekday"]:
        return "week"
    of_month = match["month"] or match["month2"] or match["month4"]
    part = match["step"] in ("early", "mid", "late") and match["of"][:3] in _MONTH_NUMBERS
    return "year" if part or (of_month and not (match["year"] or match["year2"])) else None


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
        return day_of(year, _MONTH_NUMBERS[month[:3]], int(day), today)
    if match["month3"]:
        return to_date(int(match["year3"]), _MONTH_NUMBERS[match["month3"][:3]]), "month"
    if match["quarter"]:
        return to_date(int(match["year5"]), 3 * int(match["quarter"]) - 2), "month"
    if match["relative"] and _is_titled(text, match.start()):
        return None
    if match["relative"]:
        return shifted(today, days=_RELATIVE_DAYS[" ".join(match["relative"].split())]), "day"
    if match["step"] and match["of"] in ("may", "mar", "march") and not text[match.start("of")].isupper():
        return None
    if match["step"]:
        return _stepped(match["step"], match["of"], today)
    if match["ahead"] and not _future().search(folded[max(0, match.start() - 60) : match.start()]):
        return None
    if match["ahead"] or match["back"]:
        return _at_distance(match["ahead"] or match["back"], match["way"] == "ago", today)
    if match["weekday"]:
        coming = _ahead().search(folded[max(0, match.start() - 24) : match.start()]) is not None
        return _weekday(_WEEKDAYS.index(match["weekday"]), coming, today), "day"
    if match["month4"]:
        return _lone_month(text, folded, match, today)
    return _lone_year(folded, match)


def _is_titled(text: str, start: int) -> bool:
    """Whether a capital inside a sentence makes it part of a title: ``Born Yesterday``."""
    return text[start].isupper() and start > 1 and text[start - 1] == " " and text[start - 2].isalpha()


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
    read = day_of(None, _MONTH_NUMBERS[name[:3]], 1, today)
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
    return to_date(int(match["year4"]), 1), "year"


def _stepped(step: str, of: str, today: date | None) -> Read:
    direction = {"last": -1, "past": -1, "previous": -1, "next": 1, "coming": 1}.get(step, 0)
    if of in _WEEKDAYS:
        if step in ("early", "late", "mid"):
            return None
        return _next_weekday(_WEEKDAYS.index(of), direction, today), "day"
    if of == "week":
        return shifted(start_of(today, "week"), days=7 * direction), "week"
    if of == "weekend":
        return shifted(start_of(today, "week"), days=5 + 7 * direction), "week"
    if of == "month":
        return shifted(start_of(today, "month"), months=direction), "month"
    if of == "year":
        return shifted(start_of(today, "year"), months=12 * direction), "year"
    return _month_towards(_MONTH_NUMBERS[of[:3]], direction, today), "month"


def _month_towards(month: int, direction: int, today: date | None) -> date | None:
    if today is None:
        return None
    year = today.year
    if direction < 0 and month >= today.month:
        year -= 1
    elif direction > 0 and month <= today.month:
        year += 1
    return to_date(year, month)


def _next_weekday(weekday: int, direction: int, today: date | None) -> date | None:
    """The latest before today (-1), the first after it (1), or the one of this week (0)."""
    if today is None:
        return None
    gap = weekday - today.weekday()
    if direction < 0:
        gap = gap % 7 - 7
    elif direction > 0:
        gap = gap % 7 or 7
    return shifted(today, days=gap)


def _weekday(weekday: int, coming: bool, today: date | None) -> date | None:
    """A weekday alone is the latest one, today included; with ``by`` or ``until`` the coming one."""
    if today is None:
        return None
    gap = (weekday - today.weekday()) % 7
    return shifted(today, days=gap if coming or gap == 0 else gap - 7)


@cache
def _simple_duration() -> re.Pattern[str]:
    return re.compile(r"(.+?)\s+(minute|hour|day|week|fortnight|month|year|decade)s?")


def _at_distance(duration: str, back: bool, today: date | None) -> Read:
    duration = " ".join(duration.split())
    simple = _simple_duration().fullmatch(duration)
    unit = simple[2] if simple else "day"
    if simple and (simple[1].isdigit() or simple[1] in _COUNTS):
        number = int(simple[1]) if simple[1].isdigit() else _COUNTS[simple[1]]
        precision = grain(unit)
        if simple[1] == "half a":
            return (shifted(today, months=-6 if back else 6), "month") if unit == "year" else None
        return moved(today, -number if back else number, unit), precision
    return (_compound(duration, back, today), "day") if today else (None, "day")


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
