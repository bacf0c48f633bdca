"""The one total order of this package: score descending, then id ascending."""

from collections.abc import Iterable, Mapping

Ranking = list[tuple[str, float]]
"""What a leg found: (id, raw score), best first."""


def rank(scores: Mapping[str, float] | Iterable[tuple[str, float]]) -> Ranking:
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
