"""The one total order of this package: score descending, then id ascending."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Handles = NDArray[np.intp]
"""Numbers that an engine gives its candidates, such as rows; they mean something within one answer only."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """What a leg found: handles and raw scores, best first."""

    handles: Handles
    scores: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.handles)


def in_order(ranking: Ranking, ids_of: Callable[[Handles], list[str]]) -> Ranking:
    """The same, score descending and then id ascending; `ranking` has the scores in order already.

    Ids are only looked up where scores are equal.
    """
    scores = ranking.scores
    same = scores[1:] == scores[:-1]
    if not same.any():
        return ranking
    tied = np.flatnonzero(np.concatenate([same, [False]]) | np.concatenate([[False], same]))
    ids = ids_of(ranking.handles[tied])
    order = sorted(range(len(tied)), key=lambda at: (-scores[tied[at]], ids[at]))
    handles = ranking.handles.copy()
    handles[tied] = ranking.handles[tied[order]]
    return Ranking(handles, scores)


def best_of(
    handles: Handles, scores: NDArray[np.float64], count: int, ids_of: Callable[[Handles], list[str]]
) -> Ranking:
    """The `count` best of some candidates, score first and then id."""
    chosen = np.arange(len(scores))
    if count < len(scores):
        chosen = np.flatnonzero(scores >= np.partition(scores, len(scores) - count)[len(scores) - count])
    chosen = chosen[np.argsort(-scores[chosen], kind="stable")]
    ordered = in_order(Ranking(handles[chosen], scores[chosen]), ids_of)
    return Ranking(ordered.handles[:count], ordered.scores[:count])


def rank(scores: Mapping[str, float] | Iterable[tuple[str, float]]) -> list[tuple[str, float]]:
    """Order ids by score, higher first, equal scores by id.

    Parameters
    ----------
    scores : mapping or iterable of (id, score)

    Returns
    -------
    list of (id, score)

    Examples
    --------
    >>> rank({"b": 1.0, "a": 1.0, "c": 2.0})
    [('c', 2.0), ('a', 1.0), ('b', 1.0)]
    """
    pairs = scores.items() if isinstance(scores, Mapping) else scores
    return [(identity, -negated) for negated, identity in sorted([(-score, identity) for identity, score in pairs])]
