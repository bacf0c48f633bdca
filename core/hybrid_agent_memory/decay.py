"""Time decay: how much less a hit counts for being old.

A factor per hit, multiplied onto its fused score. Pure functions; which records decay at all is the caller's business,
who gives the others no time.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from hybrid_agent_memory.errors import InvalidInputError, is_number, shown

TIME_DECAY: Final = 0.2
"""Share of a hit's decaying part that is lost per thirty days."""

DECAY_FLOOR: Final = 0.9
"""What age leaves of a score at least. RRF scores are so flat that without a floor age would decide, not relevance."""

RECENT_FLOOR: Final = 0.3
"""The floor where the query, or the caller, asks for what is recent."""

PERIOD: Final = 30 * 24 * 60 * 60 * 1_000_000
"""Thirty days in microseconds."""

MISSING: Final = int(np.iinfo(np.int64).min)
"""Stands for the time of a hit that does not decay: timeless, pinned, or a lasting relation."""

FAR: Final = 10
"""A hit at this rank or lower in every leg never overtakes, by youth alone, one that every leg ranks first."""

Factors = NDArray[np.float64]


def decay_factors(times: NDArray[np.int64], now: int, rate: float = TIME_DECAY, floor: float = DECAY_FLOOR) -> Factors:
    """What age leaves of each score: `floor + (1 - floor) * (1 - rate) ** (age / 30 days)`.

    Parameters
    ----------
    times : array of int64, shape (n,)
        When each hit happened, in microseconds since 1970; `MISSING` for one that does not decay.
    now : int
        The moment ages are counted to, in the same unit. What lies after it has age 0.
    rate : float
        From 0, nothing decays, to 1, everything but the present falls to the floor at once.
    floor : float
        From 0 to 1; 1 turns decay off.

    Returns
    -------
    array of float64, shape (n,)
        From `floor` to 1, never higher for an older hit; exactly 1 for `MISSING` and for age 0.

    Raises
    ------
    InvalidInputError
        If `rate` or `floor` is no number from 0 to 1.

    Examples
    --------
    >>> decay_factors(np.array([0, PERIOD, MISSING]), PERIOD, rate=0.5, floor=0.5).tolist()
    [0.75, 1.0, 1.0]
    """
    check_decay(rate, floor)
    age = np.maximum(float(now) - times.astype(np.float64), 0.0)  # in floats: integers could overflow
    factors = floor + (1.0 - floor) * np.power(1.0 - rate, age / PERIOD)
    return np.where((times == MISSING) | (age == 0), 1.0, np.clip(factors, floor, 1.0))


def effective_floor(
    config_floor: float = DECAY_FLOOR,
    asked_floor: float | None = None,
    asked_decay: float | None = None,
    recent: bool = False,
) -> float:
    """The floor of one search.

    Parameters
    ----------
    config_floor : float
        The memory's usual floor.
    asked_floor, asked_decay : float, optional
        `decay_floor` and `time_decay` as the caller gave them to this search.
    recent : bool
        Whether the query asks for what is recent.

    Returns
    -------
    float
        The caller's floor where given. Otherwise the usual one, lowered to `RECENT_FLOOR` (and never raised to it) when
        the query has a recency cue or the caller set a decay.

    Examples
    --------
    >>> effective_floor(), effective_floor(recent=True), effective_floor(recent=True, asked_floor=0.8)
    (0.9, 0.3, 0.8)
    """
    if asked_floor is not None:
        return asked_floor
    if recent or asked_decay is not None:
        return min(config_floor, RECENT_FLOOR)
    return config_floor


def spare_first(factors: Factors, scores: Factors, ranks: NDArray[np.intp]) -> Factors:
    """Raise the factor of the hit that every leg ranks first, as far as it takes to stay before the far ones.

    RRF scores need no such help under the shipped floor: 61/70 is less than the floor. Adaptive scores of a flat list
    do: there the tenth can be almost as good as the first, and age alone would decide. For searches that do not ask for
    what is recent.

    Parameters
    ----------
    factors, scores : array of float64, shape (n,)
        Decay factors, and the scores they will be multiplied with.
    ranks : array of int, shape (legs, n)
        Rank of each hit in each leg that found anything, from 1; 0 where a leg did not find it.

    Returns
    -------
    array of float64, shape (n,)
        The same factors but for at most one, which is still at most 1.

    Examples
    --------
    >>> spare_first(np.array([0.9, 1.0]), np.array([1.0, 0.95]), np.array([[1, 10], [1, 12]])).round(3).tolist()
    [0.95, 1.0]
    """
    spared = factors.copy()
    first = np.flatnonzero((ranks == 1).all(axis=0)) if len(ranks) else np.empty(0, np.intp)
    far = ((ranks == 0) | (ranks >= FAR)).all(axis=0)
    if len(first) and far.any() and scores[first[0]] > 0:
        one = first[0]
        needed = np.nextafter(float((factors * scores)[far].max()), np.inf) / scores[one]
        spared[one] = max(factors[one], min(1.0, np.nextafter(needed, np.inf)))
    return spared


def check_decay(time_decay: float | None, decay_floor: float | None) -> None:
    """Refuse a rate or a floor that is no number from 0 to 1; None is one that was not given.

    Raises
    ------
    InvalidInputError
        If one of them is.
    """
    for name, value in (("time_decay", time_decay), ("decay_floor", decay_floor)):
        if value is not None and not (is_number(value) and 0 <= value <= 1):
            raise InvalidInputError(f"{name} {shown(value)} must be a number from 0 to 1")
