"""Chinese dates: 10月12日, 上周五, 三天前, 明年三月."""

import re
from collections.abc import Iterator
from datetime import date
from functools import cache

from hybrid_agent_memory.extract.moments import (
    YEAR,
    Cycle,
    Found,
    Precision,
    Read,
    day_of,
    grain,
    moved,
    shifted,
    start_of,
    to_date,
)
from hybrid_agent_memory.extract.scanning import matches

_HAN_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "日": 7, "天": 7}
_HAN_DAYS = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3}
_HAN_YEARS = {"前": -2, "去": -1, "今": 0, "明": 1, "后": 2}
_LUNAR = ("农历", "阴历", "旧历")
_HAN_STEPS = {"上上": -2, "上": -1, "本": 0, "这": 0, "这个": 0, "当": 0, "下": 1, "下下": 2}


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
        rf"|(?:(?P<year>{YEAR}|{numeral}|[去今明前后](?=年))年)(?:的|第)?(?P<quarter>[一二三四1-4])季度"
        rf"|(?:(?P<y>{YEAR}|{numeral}|[去今明前后](?=年))年的?)?(?P<m>{month})月(?!龄|初[一二三四五六七八九十])份?(?:(?P<d>{day})[日号](?!楼|线|院|门|店|机)|(?P<part>底|末|初))?"
        rf"|(?P<year2>{YEAR}|{numeral}|[去今明前后](?=年))年(?:(?P<part2>底|末|初)|(?!级|代|龄|[0-9]))"
        rf"|(?P<days>大前|大后|[前昨今明后])(?:天|日)|(?P<night>[昨今明])[晚早夜](?:上(?![线网班课市架映台新学传海]))?"
        rf"|(?P<step>上上|下下|[上本这下])个?{week}(?P<weekday>[一二三四五六日天末])?"
        rf"|(?<![每上一二两三四五六几半])(?:周|星期|礼拜)(?P<weekday2>[一二三四五六日末])(?![〇-鿿]?期)"
        rf"|(?P<step2>上上|下下|[上本这下当])个?月(?:(?P<d2>{day})[日号]|(?P<part3>底|末|初))?"
        rf"|(?P<end>[年月])(?P<part4>底|末|初(?![一二三四五六七八九十]))"
        r")"
    )


@cache
def _chinese_start() -> re.Pattern[str]:
    return re.compile(r"[〇零一二三四五六七八九十两半去今明前后大昨上下本这当周星礼年月]|(?<![0-9A-Za-z#.])[0-9]")


@cache
def _chinese_trigger() -> re.Pattern[str]:
    return re.compile("[年月天日周晚早期拜夜时钟]")


def chinese_dates(folded: str, today: date | None) -> Iterator[Found]:
    """The dates of a text; of overlapping ones the first."""
    if not _chinese_trigger().search(folded):
        return
    for match in matches(_chinese_start(), _chinese(), folded):
        lunar = folded.endswith(_LUNAR, 0, match.start())
        read = None if lunar else _read_chinese(match, today)
        if read:
            yield Found(match.start(), match.end(), *read, _cycle(match))


def _cycle(match: re.Match[str]) -> Cycle | None:
    """After what time a date comes again: one of a month without its year, a weekday."""
    if match["weekday2"]:
        return "week"
    return "year" if match["m"] and not match["y"] else None


def _read_chinese(match: re.Match[str], today: date | None) -> Read:
    if match["back"]:
        return _han_distance(match, today)
    if match["quarter"]:
        year = _han_year(match["year"], today)
        return (to_date(year, 3 * (_han_number(match["quarter"]) or 1) - 2) if year else None), "month"
    if match["m"]:
        return _han_month_day(match, today)
    if match["year2"]:
        return _han_end(_han_year(match["year2"], today), match["part2"])
    if match["days"] or match["night"]:
        return shifted(today, days=_HAN_DAYS[match["days"] or match["night"]]), "day"
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
            return shifted(today, months=6 * sign), "month"
        return (shifted(today, days=15 * sign), "week") if unit == "月" else (today, "day")
    english = {"天": "day", "日": "day", "月": "month", "年": "year", "小时": "hour", "分钟": "minute"}.get(
        unit, "week"
    )
    if unit == "月" and not match["unit"].startswith("个"):
        return None  # 三月前 is before March
    return moved(today, sign * (_han_number(number) or 0), english), grain(english)


def _han_month_day(match: re.Match[str], today: date | None) -> Read:
    month, day = _han_number(match["m"]) or 1, _han_number(match["d"]) if match["d"] else None
    precision: Precision = "day" if day else "month"
    if match["y"]:
        year = _han_year(match["y"], today)
        if match["part"] in ("底", "末") and year:
            return _last_day(to_date(year, month)), "day"
        found = to_date(year, month, day or 1) if year else None
        return (found, precision) if to_date(2000, month, day or 1) else None
    read = day_of(None, month, day or 1, today)
    if read and match["part"] in ("底", "末"):
        return _last_day(read[0]), "day"
    return read and (read[0], precision)


def _last_day(first: date | None) -> date | None:
    return shifted(shifted(first, months=1), days=-1)


def _han_end(year: int | None, part: str | None) -> Read:
    found = to_date(year, 12 if part in ("底", "末") else 1) if year else None
    return found, "month" if part else "year"


def _han_week(step: str, weekday: str | None, today: date | None) -> Read:
    monday = shifted(start_of(today, "week"), days=7 * _HAN_STEPS[step])
    if not weekday:
        return monday, "week"
    if weekday == "末":
        return shifted(monday, days=5), "week"
    return shifted(monday, days=_HAN_DIGITS[weekday] - 1), "day"


def _han_month(step: int, day: str | None, part: str | None, today: date | None) -> Read:
    first = shifted(start_of(today, "month"), months=step) if step else start_of(today, "month")
    if day:
        number = _han_number(day) or 1
        return (to_date(first.year, first.month, number) if first else None), "day"
    if part in ("底", "末"):
        return _last_day(first), "day"
    return first, "month"
