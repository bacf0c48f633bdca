"""Authority: how much more a hit counts for being about an entity that is met again and again."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from hybrid_agent_memory.errors import InvalidInputError, is_number, shown

AUTHORITY_WEIGHT: Final = 0.05
"""How far authority can move a score: small, because fused scores are flat and fame is not relevance."""

MANY: Final = 1000
"""Mentions from which on an entity has full authority."""

LARGEST_WEIGHT: Final = 1e9

Shares = NDArray[np.float64]


def authority(mentions: NDArray[np.int64]) -> Shares:
    """An entity's authority, from its mentions: `min(1, ln(1 + m) / ln(1 + 1000))`.

    Parameters
    ----------
    mentions : array of int64, shape (n,)
        In how many chunks each entity is mentioned; for a hit, the mentions of its most mentioned entity, or 0.

    Returns
    -------
    array of float64, shape (n,)
        From 0 for no mention (and less) to 1 for a thousand and more; higher is better.

    Examples
    --------
    >>> authority(np.array([0, 1000, 5000])).tolist()
    [0.0, 1.0, 1.0]
    """
    shares: Shares = np.clip(np.log1p(np.maximum(mentions, 0)) / np.log1p(MANY), 0.0, 1.0)
    return shares


def authority_factors(authorities: Shares, weight: float = AUTHORITY_WEIGHT) -> Shares:
    """What each score is multiplied with: `(1 + weight * a) / (1 + weight)`.

    Parameters
    ----------
    authorities : array of float64, shape (n,)
        From 0 to 1.
    weight : float
        At least 0; 0 turns authority off, and 1 halves the score of a hit without authority.

    Returns
    -------
    array of float64, shape (n,)
        From `1 / (1 + weight)` for no authority to 1 for full authority.

    Raises
    ------
    InvalidInputError
        If `weight` is negative or no finite number.

    Examples
    --------
    >>> authority_factors(np.array([0.0, 0.5, 1.0]), weight=1).tolist()
    [0.5, 0.75, 1.0]
    """
    check_authority_weight(weight)
    return (1.0 + weight * authorities) / (1.0 + weight)


def check_authority_weight(weight: float | None) -> None:
    """Refuse a weight that is negative or no finite number; None is one that was not given.

    Raises
    ------
    InvalidInputError
        If it is.
    """
    if weight is not None and not (is_number(weight) and 0 <= weight <= LARGEST_WEIGHT):
        raise InvalidInputError(f"authority_weight {shown(weight)} must be a number of at least 0; 0 turns it off")
