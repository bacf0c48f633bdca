"""Time decay: its bounds, what it never touches, and that a good old hit keeps its place."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybrid_agent_memory import InvalidInputError
from hybrid_agent_memory.decay import (
    DECAY_FLOOR,
    MISSING,
    PERIOD,
    TIME_DECAY,
    check_decay,
    decay_factors,
    effective_floor,
    spare_first,
)

NOW = 1_730_800_000_000_000  # 2024-11-05, in microseconds
DAY = PERIOD // 30
SHARE = st.floats(0, 1)
YEARS_1_TO_9999 = st.integers(-62_135_596_800_000_000, 253_402_300_799_000_000)
AGE = st.integers(0, 100 * 365 * DAY)


def factor(age: int, rate: float = 0.2, floor: float = 0.9) -> float:
    return float(decay_factors(np.array([NOW - age]), NOW, rate, floor)[0])


# -- the formula ------------------------------------------------------------------------------------------------------


def test_a_month_takes_the_rate_off_what_is_above_the_floor() -> None:
    times = np.array([NOW, NOW - PERIOD, NOW - 2 * PERIOD, NOW - PERIOD // 2])
    assert decay_factors(times, NOW, rate=0.2, floor=0.3) == pytest.approx(
        [1.0, 0.3 + 0.7 * 0.8, 0.3 + 0.7 * 0.8**2, 0.3 + 0.7 * 0.8**0.5], abs=1e-12
    )


def test_the_defaults_are_a_fifth_a_month_down_to_nine_tenths() -> None:
    assert decay_factors(np.array([NOW - 365 * DAY]), NOW) == pytest.approx([0.9 + 0.1 * 0.8 ** (365 / 30)], abs=1e-12)


@given(st.lists(YEARS_1_TO_9999), YEARS_1_TO_9999, SHARE, SHARE)
def test_a_factor_lies_between_the_floor_and_one(times: list[int], now: int, rate: float, floor: float) -> None:
    factors = decay_factors(np.array(times, np.int64), now, rate, floor)
    assert len(factors) == len(times)
    assert ((factors >= floor) & (factors <= 1)).all()


@given(AGE, AGE, SHARE, SHARE)
def test_an_older_hit_never_counts_more(one: int, other: int, rate: float, floor: float) -> None:
    assert factor(max(one, other), rate, floor) <= factor(min(one, other), rate, floor)


@given(AGE, SHARE, SHARE, SHARE)
def test_a_higher_rate_never_leaves_more(age: int, one: float, other: float, floor: float) -> None:
    assert factor(age, max(one, other), floor) <= factor(age, min(one, other), floor) + 1e-12


@given(AGE, SHARE, SHARE, SHARE)
def test_a_higher_floor_never_leaves_less(age: int, rate: float, one: float, other: float) -> None:
    assert factor(age, rate, max(one, other)) >= factor(age, rate, min(one, other)) - 1e-12


@given(st.integers(0, 253_402_300_799_000_000 - NOW), SHARE, SHARE)
def test_the_future_is_as_new_as_the_present(ahead: int, rate: float, floor: float) -> None:
    assert factor(-ahead, rate, floor) == 1.0


@given(YEARS_1_TO_9999, SHARE, SHARE)
def test_what_has_no_time_is_not_touched(now: int, rate: float, floor: float) -> None:
    assert decay_factors(np.array([MISSING, MISSING]), now, rate, floor).tolist() == [1.0, 1.0]


@given(st.lists(st.one_of(AGE, st.just(None)), min_size=1), SHARE, SHARE)
def test_one_hit_does_not_change_the_factor_of_another(ages: list[int | None], rate: float, floor: float) -> None:
    times = np.array([MISSING if age is None else NOW - age for age in ages], np.int64)
    alone = [float(decay_factors(times[at : at + 1], NOW, rate, floor)[0]) for at in range(len(times))]
    assert decay_factors(times, NOW, rate, floor).tolist() == pytest.approx(alone, abs=1e-15)


def test_a_rate_of_nothing_and_a_floor_of_one_turn_it_off() -> None:
    assert factor(365 * DAY, rate=0) == factor(365 * DAY, floor=1) == 1.0


def test_a_rate_of_one_leaves_the_present_only() -> None:
    assert decay_factors(np.array([NOW, NOW - 1, NOW - PERIOD]), NOW, rate=1, floor=0.3).tolist() == [1.0, 0.3, 0.3]


def test_no_hits_have_no_factors() -> None:
    assert decay_factors(np.empty(0, np.int64), NOW).tolist() == []


def test_the_times_are_not_changed() -> None:
    times = np.array([NOW, MISSING])
    decay_factors(times, NOW)
    assert times.tolist() == [NOW, MISSING]


@pytest.mark.parametrize("wrong", [-0.1, 1.1, float("nan"), float("inf"), True, "0.2"])
def test_a_wrong_rate_or_floor_is_named(wrong: object) -> None:
    with pytest.raises(InvalidInputError, match=r"time_decay .* from 0 to 1"):
        check_decay(wrong, None)  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError, match=r"decay_floor .* from 0 to 1"):
        check_decay(None, wrong)  # type: ignore[arg-type]


def test_the_factors_refuse_them_too() -> None:
    with pytest.raises(InvalidInputError, match="time_decay 2 "):
        decay_factors(np.array([NOW]), NOW, rate=2)
    check_decay(None, None)
    check_decay(0, 1)


# -- which floor ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "floor"),
    [
        ({}, 0.9),
        ({"recent": True}, 0.3),
        ({"asked_decay": 0.5}, 0.3),
        ({"asked_decay": 0.0}, 0.3),
        ({"asked_decay": 0.5, "recent": True}, 0.3),
        ({"asked_floor": 0.7}, 0.7),
        ({"asked_floor": 0.0, "recent": True}, 0.0),
        ({"asked_floor": 1.0, "asked_decay": 0.5, "recent": True}, 1.0),
        ({"config_floor": 0.5}, 0.5),
        ({"config_floor": 0.5, "recent": True}, 0.3),
        ({"config_floor": 0.1, "recent": True}, 0.1),
    ],
)
def test_a_cue_or_a_decay_of_the_callers_lowers_the_floor_and_a_floor_of_theirs_wins(
    asked: dict[str, float], floor: float
) -> None:
    assert effective_floor(**asked) == floor  # type: ignore[arg-type]


# -- a good old hit keeps its place -----------------------------------------------------------------------------------

RRF_K = 60


def test_a_year_leaves_more_than_the_tenth_rank_in_both_legs() -> None:
    first, tenth = 1 / (RRF_K + 1) + 1 / (RRF_K + 1), 1 / (RRF_K + 10) + 1 / (RRF_K + 10)
    year_old = factor(365 * DAY)
    assert tenth / first == pytest.approx(61 / 70)
    assert year_old == pytest.approx(0.9 + 0.1 * 0.8 ** (365 / 30))
    assert first * year_old > tenth * factor(0)


@given(st.integers(10, 500), st.integers(10, 500), st.integers(365, 3650), SHARE)
def test_so_it_beats_every_hit_from_there_on(sparse: int, dense: int, days: int, trust: float) -> None:
    first = factor(days * DAY)  # of a score of 1
    far = trust * 61 / (60 + sparse) + (1 - trust) * 61 / (60 + dense)
    assert first > far * 1.0


def test_a_floor_of_eight_tenths_would_not_do() -> None:
    assert factor(365 * DAY, floor=0.8) < 61 / 70 < factor(365 * DAY, floor=DECAY_FLOOR, rate=TIME_DECAY)


@st.composite
def flat_searches(draw: st.DrawFn) -> tuple[list[float], list[float], list[list[int]]]:
    """Factors, scores and ranks of a search: hit 0 is first in every leg and scores 1, others hardly less."""
    count = draw(st.integers(1, 15))
    rank = st.one_of(st.just(0), st.integers(2, 40))
    scores = [1.0, *draw(st.lists(st.floats(0.8, 1), min_size=count, max_size=count))]
    factors = draw(st.lists(st.floats(0.3, 1), min_size=count + 1, max_size=count + 1))
    legs = draw(st.integers(1, 3))
    ranks = [[1, *draw(st.lists(rank, min_size=count, max_size=count))] for _ in range(legs)]
    return factors, scores, ranks


def spared(factors: Sequence[float], scores: Sequence[float], ranks: Sequence[Sequence[int]]) -> list[float]:
    after = spare_first(np.array(factors), np.array(scores), np.array(ranks))
    return [float(factor) for factor in after]


@given(flat_searches())
def test_where_scores_are_flat_the_first_in_every_leg_stays_before_the_far(
    search: tuple[list[float], list[float], list[list[int]]],
) -> None:
    factors, scores, ranks = search
    after = spared(factors, scores, ranks)
    assert after[1:] == factors[1:]
    assert factors[0] <= after[0] <= 1
    for at in range(1, len(scores)):
        if all(leg[at] == 0 or leg[at] >= 10 for leg in ranks) and scores[at] * factors[at] < 1:
            assert after[0] * scores[0] > after[at] * scores[at]


@pytest.mark.parametrize(
    ("factors", "scores", "ranks"),
    [
        ([0.9, 1.0], [1.0, 0.95], [[1, 9], [1, 12]]),  # near in one leg
        ([0.9, 1.0], [1.0, 0.95], [[1, 10], [2, 10]]),  # not first in every leg
        ([0.9, 1.0], [1.0, 0.85], [[1, 10], [1, 10]]),  # before it anyway
        ([0.9], [1.0], [[1]]),
    ],
)
def test_otherwise_nothing_is_spared(factors: list[float], scores: list[float], ranks: list[list[int]]) -> None:
    assert spared(factors, scores, ranks) == factors


def test_nothing_is_spared_of_nothing() -> None:
    assert spare_first(np.empty(0), np.empty(0), np.empty((0, 0), np.intp)).tolist() == []
    assert spare_first(np.empty(0), np.empty(0), np.empty((2, 0), np.intp)).tolist() == []


def test_sparing_leaves_the_given_factors_alone() -> None:
    factors = np.array([0.9, 1.0])
    assert spare_first(factors, np.array([1.0, 0.95]), np.array([[1, 10]]))[0] > 0.95 - 1e-12
    assert factors.tolist() == [0.9, 1.0]
