"""Fusing the rankings of several legs into one: weighted reciprocal rank fusion, and the adaptive default.

Pure functions over rankings. Neither knows which legs exist.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hybrid_agent_memory.errors import InvalidInputError
from hybrid_agent_memory.ranking import Ranking, rank
from hybrid_agent_memory.records import LegWhy


@dataclass(frozen=True, slots=True)
class Fused:
    """The result of a fusion.

    Attributes
    ----------
    ranking : list of (id, score)
        Best first; 1.0 is first in all active legs.
    rrf : dict
        Per id, its reciprocal rank fusion score.
    why : dict
        Per id, what each leg said and gave.
    trust : dict
        Per leg, its share; sums to 1.
    reason : str
        How the trust was chosen.
    """

    ranking: Ranking
    rrf: dict[str, float]
    why: dict[str, dict[str, LegWhy]]
    trust: dict[str, float]
    reason: str


def reciprocal_rank_fusion(
    rankings: Sequence[Sequence[str]], weights: Sequence[float] | None = None, k: float = 60
) -> Ranking:
    """Fuse ranked lists of ids: each list gives `weight / (k + rank)` to its ids, rank counted from 1.

    Parameters
    ----------
    rankings : sequence of sequences of str
        Best first. An id repeated in a list counts once, at its best rank.
    weights : sequence of float, optional
        One per list, not negative, not all zero; 1 each by default.
    k : float
        Positive; larger values flatten the differences between ranks.

    Returns
    -------
    list of (id, score)
        Higher is better; equal scores by id. Empty when all lists are.

    Raises
    ------
    InvalidInputError
        If the weights do not fit the lists, or `k` is not positive.

    Notes
    -----
    Cormack, Clarke and Büttcher, SIGIR 2009; the weights are the usual extension.

    Examples
    --------
    >>> fused = reciprocal_rank_fusion([["102", "883"], ["883", "401"]])
    >>> fused[0] == ("883", 1 / 62 + 1 / 61)
    True
    """
    if isinstance(rankings, str) or any(isinstance(ranking, str) for ranking in rankings):
        raise InvalidInputError("rankings must be lists of ids, not a string")
    given = [1.0] * len(rankings) if weights is None else list(weights)
    if len(given) != len(rankings):
        raise InvalidInputError(f"{len(given)} weights for {len(rankings)} rankings: give one weight per ranking")
    check_weights({f"ranking {at}": weight for at, weight in enumerate(given)})
    check_k(k)
    scores: dict[str, float] = {}
    for ranking, weight in zip(rankings, given, strict=True):
        for position, identity in enumerate(dict.fromkeys(ranking), 1):
            scores[identity] = scores.get(identity, 0.0) + weight / (k + position)
    return rank(scores)


def fuse_by_rank(rankings: Mapping[str, Ranking], weights: Mapping[str, float], k: float, reason: str) -> Fused:
    """Weighted reciprocal rank fusion with its reasons; `weights` names every leg."""
    top = sum(weights[leg] / (k + 1) for leg in rankings) or 1.0
    why: dict[str, dict[str, LegWhy]] = {}
    rrf: dict[str, float] = {}
    for leg, ranking in rankings.items():
        for position, (identity, raw) in enumerate(ranking, 1):
            share = weights[leg] / (k + position)
            rrf[identity] = rrf.get(identity, 0.0) + share
            why.setdefault(identity, {})[leg] = LegWhy(position, raw, share / top)
    total = sum(weights[leg] for leg in rankings) or 1.0
    trust = {leg: weights[leg] / total for leg in rankings}
    return Fused(rank({i: score / top for i, score in rrf.items()}), rrf, why, trust, reason)


def fuse_adaptively(rankings: Mapping[str, Ranking], signals: "QuerySignals", k: float) -> Fused:
    """Fuse by scaled scores, each leg weighted by how far it can be trusted for this query."""
    trust, reason = leg_trust(rankings, signals)
    plain = fuse_by_rank(rankings, dict.fromkeys(rankings, 1.0), k, reason)
    scaled = {leg: _scaled(ranking) for leg, ranking in rankings.items()}
    why: dict[str, dict[str, LegWhy]] = {}
    scores: dict[str, float] = {}
    for identity, legs in plain.why.items():
        shares = {leg: trust[leg] * scaled[leg][identity] for leg in legs}
        scores[identity] = math.fsum(shares.values())
        why[identity] = {leg: LegWhy(said.rank, said.raw_score, shares[leg]) for leg, said in legs.items()}
    return Fused(rank(scores), plain.rrf, why, trust, reason)


@dataclass(frozen=True, slots=True)
class QuerySignals:
    """What the query itself says about which leg to trust."""

    identifiers: frozenset[str]


def leg_trust(rankings: Mapping[str, Ranking], signals: QuerySignals) -> tuple[dict[str, float], str]:
    """How much of the score each leg decides."""
    active = [leg for leg, ranking in rankings.items() if ranking]
    even = {leg: (1 / len(active) if leg in active else 0.0) for leg in rankings}
    return even, "even trust"


def _scaled(ranking: Ranking) -> dict[str, float]:
    """Scores from 0 to 1: the leg's best is 1, and 0 is its last candidate, or no match where scores start at zero."""
    if not ranking:
        return {}
    top, low = ranking[0][1], min(ranking[-1][1], 0.0)
    span = (top - low) or 1.0
    return {identity: (score - low) / span for identity, score in ranking}


def check_weights(weights: Mapping[str, float]) -> None:
    """Refuse weights that are negative, no finite numbers, or all zero.

    Raises
    ------
    InvalidInputError
    """
    for name, weight in weights.items():
        number = isinstance(weight, int | float) and not isinstance(weight, bool)
        if not number or not math.isfinite(weight) or weight < 0:
            raise InvalidInputError(f"weight {weight!r} of {name!r} must be a finite number of at least 0")
    if weights and not any(weights.values()):
        raise InvalidInputError("all weights are 0: give at least one leg a positive weight")


def check_k(k: float) -> None:
    """Refuse an RRF constant that is not a positive finite number.

    Raises
    ------
    InvalidInputError
    """
    number = isinstance(k, int | float) and not isinstance(k, bool)
    if not number or not math.isfinite(k) or k <= 0:
        raise InvalidInputError(f"the RRF constant k {k!r} must be a positive number: 60 is usual")
