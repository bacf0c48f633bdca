"""Authority: what is mentioned often counts a little more."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybrid_agent_memory import InvalidInputError
from hybrid_agent_memory.authority import authority, authority_factors, check_authority_weight

MENTIONS = st.integers(0, 10**12)
SHARE = st.floats(0, 1)
WEIGHT = st.floats(0, 1e6)


def of(mentions: int) -> float:
    return float(authority(np.array([mentions]))[0])


def factor(share: float, weight: float) -> float:
    return float(authority_factors(np.array([share]), weight)[0])


def test_it_grows_with_the_logarithm_of_the_mentions() -> None:
    assert authority(np.array([0, 1, 10, 999, 1000])) == pytest.approx(
        [0.0, math.log(2) / math.log(1001), math.log(11) / math.log(1001), math.log(1000) / math.log(1001), 1.0]
    )


@given(MENTIONS, MENTIONS)
def test_more_mentions_never_give_less_of_it_and_it_stays_between_nought_and_one(one: int, other: int) -> None:
    assert 0 <= of(min(one, other)) <= of(max(one, other)) <= 1


@given(st.integers(0, 998))
def test_below_a_thousand_every_mention_counts(mentions: int) -> None:
    assert of(mentions) < of(mentions + 1)


def test_a_count_below_nought_is_none() -> None:
    assert of(-5) == 0.0


@given(SHARE, SHARE, WEIGHT)
def test_a_factor_never_falls_with_authority(one: float, other: float, weight: float) -> None:
    low, high = factor(min(one, other), weight), factor(max(one, other), weight)
    assert 1 / (1 + weight) <= low <= high <= 1


def test_the_factor_as_arithmetic() -> None:
    assert authority_factors(np.array([0.0, 0.25, 1.0]), 0.2) == pytest.approx([1 / 1.2, (1 + 0.2 * 0.25) / 1.2, 1.0])


@given(SHARE)
def test_a_weight_of_nothing_turns_it_off(share: float) -> None:
    assert factor(share, 0) == 1.0


def test_no_entities_have_no_authority() -> None:
    assert authority(np.empty(0, np.int64)).tolist() == authority_factors(np.empty(0)).tolist() == []


@pytest.mark.parametrize("wrong", [-1, float("nan"), float("inf"), "1", True])
def test_a_wrong_weight_is_named(wrong: object) -> None:
    with pytest.raises(InvalidInputError, match=r"authority_weight .* at least 0"):
        check_authority_weight(wrong)  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError, match="authority_weight"):
        authority_factors(np.array([1.0]), wrong)  # type: ignore[arg-type]


def test_a_weight_that_was_not_given_is_not_wrong() -> None:
    check_authority_weight(None)
    check_authority_weight(0)
