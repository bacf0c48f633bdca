"""The timeline of a slot, against a model that asks at every instant."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from hybrid_agent_memory.graph.timelines import Span, Statement, timeline, visible, with_told_ends

START = datetime(2024, 1, 1, tzinfo=UTC)
DAYS = range(8)


def day(number: int) -> datetime:
    return START + timedelta(days=number)


def said(
    fact: str, value: str, at: int, *, known: int | None = None, valid: int | None = None, invalid: int | None = None
) -> Statement:
    return Statement(
        fact=fact,
        value=value,
        at=day(at),
        episode=f"e{fact}",
        known_at=day(at if known is None else known),
        valid_at=day(at if valid is None else valid),
        invalid_at=None if invalid is None else day(invalid),
    )


DAY = st.sampled_from([day(number) for number in DAYS])


def stated(
    at: datetime, dated: bool, known_at: datetime, invalid_at: datetime | None, said: tuple[str, str, bool]
) -> Statement:
    value, episode, single_valued = said
    return Statement(
        fact="",
        value=value,
        at=at,
        episode=episode,
        known_at=known_at,
        valid_at=at if dated else None,
        invalid_at=invalid_at,
        single_valued=single_valued,
    )


SAID = [(value, episode, often < 2) for value in "abc" for episode in ("e1", "e2") for often in range(3)]
STATEMENT = st.builds(stated, DAY, st.sampled_from((False, True, True)), DAY, st.none() | DAY, st.sampled_from(SAID))


def numbered(statements: list[Statement]) -> list[Statement]:
    """Each with a number of its own, which has nothing to do with its place."""
    return [replace(one, fact=f"f{5 * place % 8}") for place, one in enumerate(statements)]


def current(spans: list[Span], now: datetime) -> list[str]:
    """The facts that hold at one moment."""
    return [
        span.fact
        for span in spans
        if (span.valid_at is None or span.valid_at <= now) and (span.invalid_at is None or now < span.invalid_at)
    ]


STATEMENTS = st.lists(STATEMENT, max_size=7).map(numbered)


def holds(one: Statement, everything: list[Statement], now: datetime) -> bool:
    """Whether a statement holds at one moment: begun, not over, and nothing newer that has begun says otherwise."""

    def newer(other: Statement) -> bool:
        return (other.at, other.episode, other.fact) > (one.at, one.episode, one.fact)

    begun = one.valid_at is None or one.valid_at <= now
    over = one.invalid_at is not None and one.invalid_at <= now
    contradicted = any(
        newer(other) and other.supersedes and other.value != one.value and other.at <= now for other in everything
    )
    return begun and not over and not contradicted


@given(STATEMENTS)
def test_a_fact_holds_exactly_when_nothing_newer_contradicts_it(given_statements: list[Statement]) -> None:
    spans = timeline(given_statements)
    for half_day in range(-1, 2 * len(DAYS) + 1):
        now = START + timedelta(hours=12 * half_day)
        expected = {one.fact for one in given_statements if holds(one, given_statements, now)}
        assert set(current(spans, now)) == expected


@given(STATEMENTS)
def test_the_order_of_arrival_does_not_matter(given_statements: list[Statement]) -> None:
    assert timeline(reversed(given_statements)) == timeline(given_statements)
    assert timeline(sorted(given_statements, key=lambda one: one.value)) == timeline(given_statements)


@given(STATEMENTS)
def test_every_statement_has_one_span_in_order(given_statements: list[Statement]) -> None:
    ordered = sorted(given_statements, key=lambda one: (one.at, one.episode, one.fact))
    assert [span.fact for span in timeline(given_statements)] == [one.fact for one in ordered]


@given(STATEMENTS)
def test_a_successor_is_the_first_newer_fact_with_another_value(given_statements: list[Statement]) -> None:
    ordered = sorted(given_statements, key=lambda one: (one.at, one.episode, one.fact))
    for place, (one, span) in enumerate(zip(ordered, timeline(given_statements), strict=True)):
        later = [other for other in ordered[place + 1 :] if other.supersedes and other.value != one.value]
        assert span.superseded_by == (later[0].fact if later else None)
        assert span.expired_at == (max(one.known_at, later[0].known_at) if later else None)


def test_a_newer_value_ends_the_older_one() -> None:
    assert timeline([said("1", "500k", 0), said("2", "300k", 3)]) == [
        Span("1", day(0), day(3), day(3), "2"),
        Span("2", day(3)),
    ]


def test_repeating_a_value_ends_nothing() -> None:
    first, again, other = timeline([said("1", "500k", 0), said("2", "500k", 2), said("3", "300k", 4)])
    assert (first.invalid_at, again.invalid_at, other.invalid_at) == (day(4), day(4), None)
    assert (first.superseded_by, again.superseded_by) == ("3", "3")


def test_a_value_that_returns_begins_a_new_run() -> None:
    spans = timeline([said("1", "a", 0), said("2", "b", 1), said("3", "a", 2)])
    assert [(span.invalid_at, span.superseded_by) for span in spans] == [(day(1), "2"), (day(2), "3"), (None, None)]


def test_an_earlier_end_of_its_own_wins_and_a_later_one_does_not() -> None:
    early = timeline([said("1", "a", 0, invalid=1), said("2", "b", 3)])[0]
    late = timeline([said("1", "a", 0, invalid=5), said("2", "b", 3)])[0]
    assert (early.invalid_at, late.invalid_at) == (day(1), day(3))


def test_dates_the_wrong_way_round_hold_at_no_time() -> None:
    (span,) = timeline([said("1", "a", 4, invalid=2)])
    assert (span.valid_at, span.invalid_at) == (day(4), day(4))
    assert not any(current([span], day(number)) for number in DAYS)


def test_a_late_arrival_goes_to_its_place() -> None:
    late = said("2", "b", 1, known=5)
    spans = timeline([said("1", "a", 0), said("3", "c", 2), late])
    assert [(span.fact, span.invalid_at, span.expired_at) for span in spans] == [
        ("1", day(1), day(5)),
        ("2", day(2), day(5)),
        ("3", None, None),
    ]


def test_of_two_values_at_one_moment_the_later_episode_holds() -> None:
    spans = timeline([said("2", "b", 1), said("1", "a", 1)])
    assert current(spans, day(1)) == ["2"]


def test_what_was_not_written_yet_is_not_seen() -> None:
    everything = [said("1", "a", 0), said("2", "b", 2, known=6), said("3", "c", 4)]
    assert [one.fact for one in visible(everything, known_at=day(5))] == ["1", "3"]
    assert [one.fact for one in visible(everything, known_at=day(6))] == ["1", "2", "3"]
    assert visible(everything, known_at=None) == everything


def undated(fact: str, value: str, written: int) -> Statement:
    return replace(said(fact, value, written), valid_at=None)


def test_what_was_not_yet_so_is_not_seen() -> None:
    announced = replace(said("3", "c", 6), said=day(2))
    everything = [said("1", "a", 1), said("2", "b", 4), announced]
    for moment, seen in ((0, []), (1, ["1"]), (2, ["1", "3"]), (4, ["1", "2", "3"])):
        assert [one.fact for one in visible(everything, None, day(moment))] == seen


def test_only_the_oldest_of_undated_values_holds_as_far_back_as_one_asks() -> None:
    everything = [undated("1", "a", 3), undated("2", "b", 5)]
    for moment, seen in ((0, ["1"]), (4, ["1"]), (5, ["1", "2"])):
        assert [one.fact for one in visible(everything, None, day(moment))] == seen
    assert [one.fact for one in visible([*everything, said("0", "c", 1)], None, day(0))] == []
    assert [one.fact for one in visible(everything, day(2), day(0))] == []
    many = [replace(one, single_valued=False) for one in everything]
    assert visible(many, None, day(0)) == many


def test_an_undated_end_is_known_from_its_day_on() -> None:
    first, end = said("1", "a", 0), replace(undated("2", "a", 6), invalid_at=day(4), ends_alike=True)
    assert [one.fact for one in visible([first, end], None, day(3))] == ["1"]
    assert [one.fact for one in visible([first, end], None, day(4))] == ["1", "2"]

    assert (timeline([]), visible([], None, day(1))) == ([], [])


def test_an_end_that_is_told_is_known_by_who_told_it() -> None:
    told = replace(said("9", "a", 3, invalid=4), valid_at=None, ends_alike=True)
    later = replace(told, fact="8", invalid_at=day(6))
    first, *_ = timeline(with_told_ends([later, said("1", "a", 0), told]))
    assert first == Span("1", day(0), day(4), ended_by="9")
    first, *_ = timeline(with_told_ends([said("1", "a", 0), told, said("2", "b", 4)]))
    assert (first.invalid_at, first.superseded_by, first.ended_by) == (day(4), "2", None)
    first, *_ = timeline(with_told_ends([said("1", "a", 0), told, said("2", "b", 5)]))
    assert (first.invalid_at, first.superseded_by, first.ended_by) == (day(4), "2", "9")
    own, *_ = timeline(with_told_ends([said("1", "a", 0, invalid=2), told]))
    assert (own.invalid_at, own.ended_by) == (day(2), None)
