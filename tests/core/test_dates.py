"""Dates: found in running text, English and Chinese, read against a base, never taken from codes."""

import subprocess
import sys
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybrid_agent_memory.extract.dates import find_dates

WEDNESDAY = datetime(2024, 10, 16, 9, 30, tzinfo=UTC)
ANY_TEXT = st.text(st.characters(), max_size=60)
DATE_PARTS = (
    "2024 - / . 10 12 31 0 年 月 日 号 上 下 周 五 个 天 前 起 October may last next Friday week ago two a "
    "year and from by to 明 去 十 , in"
)
DATE_LIKE = st.lists(st.sampled_from(DATE_PARTS.split(" ")), max_size=9)


def _read(text: str, base: datetime | None = WEDNESDAY) -> list[tuple[str, str | None, str, str | None]]:
    spans = find_dates(text, base)
    return [(text[s.start : s.end], s.when.date().isoformat() if s.when else None, s.precision, s.bound) for s in spans]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2024-10-12", "2024-10-12"),
        ("2024/1/2", "2024-01-02"),
        ("2024.10.12", "2024-10-12"),
        ("10/12/2024", "2024-10-12"),
        ("31/12/2024", "2024-12-31"),
        ("31.12.2024", "2024-12-31"),
        ("12 October 2024", "2024-10-12"),
        ("the 12th of October 2024", "2024-10-12"),
        ("October 12", "2024-10-12"),
        ("Oct. 12th, 2023", "2023-10-12"),
        ("Saturday, 12 Oct 2024", "2024-10-12"),
        ("January 5", "2025-01-05"),
        ("yesterday", "2024-10-15"),
        ("the day before yesterday", "2024-10-14"),
        ("last Friday", "2024-10-11"),
        ("last Wednesday", "2024-10-09"),
        ("next Friday", "2024-10-18"),
        ("this Friday", "2024-10-18"),
        ("Friday", "2024-10-11"),
        ("3 days ago", "2024-10-13"),
        ("in 3 days", "2024-10-19"),
        ("an hour ago", "2024-10-16"),
        ("10月12日", "2024-10-12"),
        ("十月十二日", "2024-10-12"),
        ("2024年10月12号", "2024-10-12"),
        ("二〇二三年十二月三十一日", "2023-12-31"),
        ("昨天", "2024-10-15"),
        ("前天", "2024-10-14"),
        ("大前天", "2024-10-13"),
        ("后天", "2024-10-18"),
        ("昨晚", "2024-10-15"),
        ("昨晚上", "2024-10-15"),
        ("上周五", "2024-10-11"),
        ("上上周五", "2024-10-04"),
        ("下周五", "2024-10-25"),
        ("下星期天", "2024-10-27"),
        ("这周五", "2024-10-18"),
        ("周五", "2024-10-18"),
        ("三天前", "2024-10-13"),
        ("3天后", "2024-10-19"),
        ("十二天前", "2024-10-04"),
        ("下个月5号", "2024-11-05"),
        ("上个月底", "2024-09-30"),
        ("月底", "2024-10-31"),
    ],
)
def test_days_are_read(text: str, day: str) -> None:
    assert _read(text) == [(text, day, "day", None)]


def test_a_distance_ahead_needs_something_that_looks_ahead() -> None:
    assert _read("We launch in two weeks. In 3 days it is over") == [
        ("in two weeks", "2024-10-30", "week", None),
        ("In 3 days", "2024-10-19", "day", None),
    ]


@pytest.mark.parametrize(
    ("text", "first", "precision"),
    [
        ("two weeks ago", "2024-10-02", "week"),
        ("last week", "2024-10-07", "week"),
        ("下周", "2024-10-21", "week"),
        ("last month", "2024-09-01", "month"),
        ("next month", "2024-11-01", "month"),
        ("3 months ago", "2024-07-16", "month"),
        ("上个月", "2024-09-01", "month"),
        ("三个月前", "2024-07-16", "month"),
        ("半年前", "2024-04-16", "month"),
        ("明年三月", "2025-03-01", "month"),
        ("2023年5月", "2023-05-01", "month"),
        ("March 2023", "2023-03-01", "month"),
        ("last October", "2023-10-01", "month"),
        ("Q3 2024", "2024-07-01", "month"),
        ("2024年第三季度", "2024-07-01", "month"),
        ("2024年底", "2024-12-01", "month"),
        ("last year", "2023-01-01", "year"),
        ("去年", "2023-01-01", "year"),
        ("2019年", "2019-01-01", "year"),
        ("two years ago", "2022-10-16", "year"),
    ],
)
def test_longer_times_are_read_from_their_beginning(text: str, first: str, precision: str) -> None:
    assert _read(text) == [(text, first, precision, None)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("by Friday", [("by Friday", "2024-10-18", "day", "until")]),
        ("下周五前", [("下周五前", "2024-10-25", "day", "until")]),
        ("12月1日之前", [("12月1日之前", "2024-12-01", "day", "until")]),
        ("截至2024年", [("截至2024年", "2024-01-01", "year", "until")]),
        ("到12月1日为止", [("到12月1日为止", "2024-12-01", "day", "until")]),
        ("到12月1日", [("12月1日", "2024-12-01", "day", None)]),
        ("from 1 December", [("from 1 December", "2024-12-01", "day", "from")]),
        ("12月1日起", [("12月1日起", "2024-12-01", "day", "from")]),
        ("since 2019", [("since 2019", "2019-01-01", "year", "from")]),
        ("May 1, 2024 onwards", [("May 1, 2024 onwards", "2024-05-01", "day", "from")]),
        (
            "from 2021 to 2023",
            [("from 2021", "2021-01-01", "year", "from"), ("to 2023", "2023-01-01", "year", "until")],
        ),
        ("从2021年到2023年", [("从2021年", "2021-01-01", "year", "from"), ("到2023年", "2023-01-01", "year", "until")]),
        ("三天前", [("三天前", "2024-10-13", "day", None)]),
    ],
)
def test_bounds_are_part_of_the_span(text: str, found: list[tuple[str, str, str, str | None]]) -> None:
    assert _read(text) == found


def test_the_core_leaves_the_words_of_the_bound_out() -> None:
    text = "下周五前 or by 1 May 2025"
    assert [text[slice(*span.core)] for span in find_dates(text, WEDNESDAY)] == ["下周五", "1 May 2025"]


@pytest.mark.parametrize(
    ("text", "cycles"),
    [
        ("on 3 May, May 4 and in June", ["year", "year", "year"]),
        ("3 May 2024, in June 2024, 2024-05-03", [None, None, None]),
        ("in early March, Friday", ["year", "week"]),
        ("next Friday, last week, yesterday", [None, None, None]),
        ("5月3日，6月，周五", ["year", "year", "week"]),
        ("2024年5月3日，明年6月，下周五，昨天", [None, None, None, None]),
    ],
)
def test_a_date_that_leaves_its_year_open_comes_again(text: str, cycles: list[str | None]) -> None:
    assert [span.cycle for span in find_dates(text, WEDNESDAY)] == cycles


@pytest.mark.parametrize(
    "text", ["We met on 12 December.", "We met on 12 December. Then", "We met on 12 December 2024."]
)
def test_a_full_stop_is_no_part_of_a_date(text: str) -> None:
    (span,) = find_dates(text, WEDNESDAY)
    assert text[slice(*span.core)] in ("12 December", "12 December 2024")


@pytest.mark.parametrize(
    "text",
    [
        "We", "10.0.3.4", "version 2024.1.2", "v2024.10.12", "ORD-20241105", "order 20241012", "138-1234-5678",
        "ERR_2024-10-12", "call 2024 now", "in 1500 words", "on port 8080", "30/2/2024", "2月30日", "2024-13-01",
        "May went home",
        "I may 5 of them", "march on", "Sun and Mon", "十二点", "五年级", "每周五", "1.5年", "一周三次",
        "10/12", "#2024-10-12", "the second time in two years", "in 65 years old people", "this may happen",
        "the play Born Yesterday", "农历八月十五", "阴历二月", "八月初三", "农历2024年八月初三",
    ],
)  # fmt: skip
def test_codes_and_words_are_no_dates(text: str) -> None:
    assert _read(text) == []


def test_a_clock_is_kept_in_utc() -> None:
    when = [span.when for span in find_dates("at 2024-10-12T10:00:00+08:00 and 2024-10-12 10:30")]
    assert when == [datetime(2024, 10, 12, 2, tzinfo=UTC), datetime(2024, 10, 12, 10, 30, tzinfo=UTC)]


def test_without_a_base_only_whole_dates_have_a_moment() -> None:
    assert _read("yesterday, 昨天, October 12, 2024-10-12", None) == [
        ("yesterday", None, "day", None),
        ("昨天", None, "day", None),
        ("October 12", None, "day", None),
        ("2024-10-12", "2024-10-12", "day", None),
    ]


def test_the_base_counts_in_utc() -> None:
    east = datetime(2024, 10, 17, 1, tzinfo=timezone(timedelta(hours=8)))
    assert _read("today", east) == _read("today", datetime(2024, 10, 16, 17)) == [("today", "2024-10-16", "day", None)]


def test_compound_durations_are_added_up() -> None:
    assert _read("a year and three months ago") == [("a year and three months ago", "2023-07-16", "day", None)]


def test_far_bases_give_no_moment_instead_of_an_error() -> None:
    for base in (datetime.min, datetime.max):
        for text in (
            "9999 years ago",
            "in 9999 weeks",
            "yesterday",
            "tomorrow",
            "上上周五",
            "明年三月",
            "two years and 9 months ago",
        ):
            assert len(find_dates(text, base)) == 1


def test_common_texts_are_read_without_loading_dateparser() -> None:
    program = (
        "import sys; from datetime import datetime; from hybrid_agent_memory.extract.dates import find_dates;"
        "assert len(find_dates('yesterday, 3 days ago, 12 October, 上周五, by Friday', datetime(2024, 10, 16))) == 5;"
        "assert 'dateparser' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@given(st.one_of(ANY_TEXT, DATE_LIKE.map(" ".join), DATE_LIKE.map("".join)), st.sampled_from([None, WEDNESDAY]))
def test_spans_are_slices_in_order_without_overlap(text: str, base: datetime | None) -> None:
    spans = find_dates(text, base)
    ends = [0, *(span.end for span in spans)]
    assert all(end <= span.start < span.end <= len(text) for end, span in zip(ends, spans, strict=False))
    assert all(span.start <= span.core[0] < span.core[1] <= span.end for span in spans)
    assert find_dates(text, base) == spans


@given(st.dates(min_value=date(1900, 1, 1), max_value=date(2099, 12, 31)))
def test_every_day_is_read_from_every_notation(day: date) -> None:
    for pattern in ("%Y-%m-%d", "%Y/%m/%d", "%Y年%m月%d日", "%d %B %Y", "%B %d, %Y", "%m/%d/%Y", "%d.%m.%Y"):
        written = format(day, pattern)
        assert _read(f"On {written}, x", None) == [(written, str(day), "day", None)]
