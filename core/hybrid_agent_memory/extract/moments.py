"""Days counted from a day: the arithmetic under the dates of a text. Every function gives None without a base day."""

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache
from typing import Literal

Precision = Literal["day", "week", "month", "year"]

Cycle = Literal["week", "year"]
"""After what time a date that leaves out its year, or a mere weekday, comes again."""

Read = tuple[date | None, Precision] | None
"""What a date means: its first day, None without a base if it needs one, and how exact it is; None for no date."""


@dataclass(frozen=True, slots=True)
class Found:
    """A date where a text writes it, without the words that make it a bound."""

    start: int
    end: int
    when: date | datetime | None
    precision: Precision
    cycle: Cycle | None = None


DAY = r"(?:3[01]|[12]\d|0?[1-9])"
"""A pattern for days of a month."""

YEAR = r"(?:1\d|20)\d\d"
"""A pattern for years that a text may mean without saying so."""


@cache
def _year() -> re.Pattern[str]:
    return re.compile(YEAR, re.ASCII)


def is_year(digits: str) -> bool:
    """Whether digits could be a year.

    Examples
    --------
    >>> is_year("2024"), is_year("4200")
    (True, False)
    """
    return _year().fullmatch(digits) is not None


def to_date(year: int, month: int, day: int = 1) -> date | None:
    """The day, None if the calendar has none such."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def day_of(year: str | None, month: int, day: int, today: date | None) -> Read:
    """The day, in the year nearest to today if none is named."""
    if year:
        found = to_date(int(year), month, day)
        return (found, "day") if found else None
    if not to_date(2000, month, day):
        return None
    near = [found for n in (-1, 0, 1) if today and (found := to_date(today.year + n, month, day))]
    return (min(near, key=lambda found: abs(found - today)) if today and near else None), "day"


def shifted(today: date | None, *, days: int = 0, months: int = 0) -> date | None:
    """The day that many days or months away, in a shorter month its last one; None beyond the years 1 to 9999."""
    if today is None:
        return None
    try:
        if months:
            year, month = divmod(today.year * 12 + today.month - 1 + months, 12)
            return next(found for back in range(4) if (found := to_date(year, month + 1, today.day - back)))
        return today + timedelta(days=days)
    except (OverflowError, StopIteration):
        return None


def start_of(today: date | None, unit: str) -> date | None:
    """The Monday of its week, or the first day of its month or year."""
    if today is None:
        return None
    if unit.startswith("week"):
        return shifted(today, days=-today.weekday())
    return today.replace(day=1) if unit == "month" else today.replace(month=1, day=1)


def grain(unit: str) -> Precision:
    """How exact a distance counted in that unit is."""
    if unit in ("week", "fortnight"):
        return "week"
    if unit == "month":
        return "month"
    return "year" if unit in ("year", "decade") else "day"


def moved(today: date | None, number: int, unit: str) -> date | None:
    """The day at a distance of so many units."""
    if unit in ("minute", "hour"):
        return today
    if unit in ("month", "year", "decade"):
        return shifted(today, months=number * {"month": 1, "year": 12, "decade": 120}[unit])
    return shifted(today, days=number * {"day": 1, "week": 7, "fortnight": 14}[unit])
