"""Fusing the rankings of several legs into one: weighted reciprocal rank fusion, and the adaptive default.

Pure functions over rankings of whichever legs there are; only the rules for identifiers and for names speak of certain
ones.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from hybrid_agent_memory.errors import InvalidInputError, is_number, shown
from hybrid_agent_memory.ranking import Handles, Ranking, best_of, rank
from hybrid_agent_memory.records import LegWhy

Shares = NDArray[np.float64]


class Fused:
    """The result of a fusion: scores of candidates and the reasons for them.

    Attributes
    ----------
    handles, scores : array
        Of every candidate, by ascending handle; 1.0 is first in all active legs.
    trust : dict
        Per leg, its share; sums to 1.
    reason : str
        How the trust was chosen.
    """

    def __init__(
        self,
        rankings: Mapping[str, Ranking],
        shares: Mapping[str, Shares],
        weights: Mapping[str, float],
        k: float,
        trust: dict[str, float],
        reason: str,
    ) -> None:
        self.trust, self.reason = trust, reason
        self._rankings, self._shares, self._weights, self._k = rankings, shares, weights, k
        legs = sorted(rankings)  # one order of adding, whichever order the legs came in
        found = np.concatenate([rankings[leg].handles for leg in legs] or [np.empty(0, np.intp)])
        given = np.concatenate([shares[leg] for leg in legs] or [np.empty(0)])
        self.handles, at = np.unique(found, return_inverse=True)
        self.scores: Shares = np.bincount(at, given, len(self.handles)).astype(np.float64, copy=False)

    def best(self, count: int, ids_of: Callable[[Handles], list[str]]) -> Ranking:
        """The `count` best candidates, score first and then id."""
        return best_of(self.handles, self.scores, count, ids_of)

    def explain(self, handle: int) -> tuple[float, dict[str, LegWhy]]:
        """A candidate's RRF score, and what each leg said of it and gave it."""
        rrf_score, told = 0.0, dict[str, LegWhy]()
        for leg, ranking in self._rankings.items():
            places = np.flatnonzero(ranking.handles == handle)
            if len(places):
                place = int(places[0])
                told[leg] = LegWhy(place + 1, float(ranking.scores[place]), float(self._shares[leg][place]))
                rrf_score += self._weights[leg] / (self._k + place + 1)
        return rrf_score, told


@dataclass(frozen=True, slots=True)
class Signals:
    """What tells an adaptive fusion which leg to trust for one query.

    Attributes
    ----------
    known_identifiers : frozenset of str
        Identifiers in the query that occur in the memory.
    holding : mapping of int to float
        By handle of a BM25 hit, the share of the idf of those identifiers that it holds, 0..1.
    backgrounds : mapping
        Per leg, mean and standard deviation of its score over a fixed sample of records.
    named : float
        How rare the rarest entity is that the query names, 0..1; 0 when it names none.
    unplaced : frozenset of int
        First hits of the other legs that the graph cannot place, for they mention nothing: that says nothing against
        them, so the others have its say.
    """

    known_identifiers: frozenset[str] = frozenset()
    holding: Mapping[int, float] = field(default_factory=dict)
    backgrounds: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    named: float = 0.0
    unplaced: frozenset[int] = frozenset()


def reciprocal_rank_fusion(
    rankings: Sequence[Sequence[str]], weights: Sequence[float] | None = None, k: float = 60
) -> list[tuple[str, float]]:
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
    """Weighted reciprocal rank fusion that can be explained; `weights` names every leg."""
    total = sum(weights[leg] for leg in rankings) or 1.0
    trust = {leg: weights[leg] / total for leg in rankings}
    shares: dict[str, Shares] = {
        leg: trust[leg] * (k + 1) / (k + np.arange(1.0, len(found) + 1)) for leg, found in rankings.items()
    }
    return Fused(rankings, shares, weights, k, trust, reason)


def fuse_adaptively(rankings: Mapping[str, Ranking], signals: Signals, k: float) -> Fused:
    """Fuse by scaled scores, each leg weighted by how far it can be trusted for this query.

    RRF forgets how sure a leg is; this keeps it. A leg's best hit counts 1 and its floor 0: see `_floor`.
    """
    trust, reason = leg_trust(rankings, signals)
    shares = {leg: trust[leg] * _counted(leg, ranking, signals) for leg, ranking in rankings.items()}
    for handle in sorted(signals.unplaced):
        _speak_for_graph(handle, rankings, shares, trust.get("graph", 0.0))
    return Fused(rankings, shares, dict.fromkeys(rankings, 1.0), k, trust, reason)


def _speak_for_graph(handle: int, rankings: Mapping[str, Ranking], shares: Mapping[str, Shares], trust: float) -> None:
    """Give a record the trust in the graph through the other legs, in proportion to what it has of them."""
    places = {leg: rankings[leg].handles == handle for leg in rankings if leg != "graph"}
    given = sum(float(shares[leg][place].sum()) for leg, place in places.items())
    if given > 0:
        for leg, place in places.items():
            shares[leg][place] *= (given + trust) / given


def _counted(leg: str, ranking: Ranking, signals: Signals) -> Shares:
    """How much of a leg's trust each of its hits has.

    The part of it that is owed to identifiers goes evenly to all hits that hold them: which of those is meant, neither
    their lengths nor the other words that they share with the query can say better than for any query.
    """
    scaled = _scaled(ranking.scores, _floor(leg, ranking, signals))
    holding = signals.holding if leg == "sparse" else {}
    if not holding:
        return scaled
    holds = np.array([holding.get(handle, 0.0) for handle in ranking.handles.tolist()])
    if not holds[0]:
        return scaled
    exact: Shares = np.minimum(holds / holds[0], 1.0)
    counted: Shares = (scaled + (IDENTIFIER_BOOST - 1) * exact) / IDENTIFIER_BOOST
    return counted


def _scaled(scores: Shares, floor: float) -> Shares:
    """Scores from 0 at the floor to 1 at the first."""
    if not len(scores) or scores[0] <= floor:
        return np.ones(len(scores))
    scaled: Shares = (scores - floor) / (scores[0] - floor)
    return scaled


LARGEST_WEIGHT = 1e9  # only ratios matter; far larger ones would lose the smaller in rounding

# The parameters of the adaptive fusion; `benchmarks/quality.py` measures them on every data set at once.
USUAL_TRUST = 0.5  # a leg about whose certainty nothing is known counts like an averagely certain one
HALF_SHARPNESS = 1.0  # standard deviations between first and tenth hit at which a leg is half trusted: it is not flat
TENTH = 10  # the first screenful: where a sharp leg has fallen off and a flat one has not
HALF_FALL = 0.25  # share of the first BM25 score lost by the tenth hit at which words tell hits apart half-way
IDENTIFIER_BOOST = 6.0  # an identifier that the memory knows is a demand for exact words, which vectors blur
CHAIN_TRUST = 8.0  # in the graph where the query names what one record alone mentions: then what that leads to matters


def leg_trust(rankings: Mapping[str, Ranking], signals: Signals) -> tuple[dict[str, float], str]:
    """How much of the score each leg decides, and why: shares that sum to 1.

    A leg that found nothing gets no share. One with a background is trusted by its sharpness, the fall from its first
    to its tenth hit in standard deviations of the background; the graph by how rare a name the query holds.
    """
    raw = {leg: USUAL_TRUST if len(ranking) else 0.0 for leg, ranking in rankings.items()}
    rules = (_trust_sharpness, _trust_distinct_words, _trust_exact_words, _trust_chains)
    said = [reason for rule in rules for reason in rule(raw, rankings, signals)]
    total = sum(raw.values())
    if not total:
        raw = {leg: float(len(ranking) > 0) for leg, ranking in rankings.items()}
        total = sum(raw.values()) or 1.0
    return {leg: share / total for leg, share in raw.items()}, "; ".join(said) or "nothing speaks for one leg"


def _trust_sharpness(raw: dict[str, float], rankings: Mapping[str, Ranking], signals: Signals) -> Iterator[str]:
    """A leg that sets its first hits apart is sure of them."""
    for leg, (_, spread) in signals.backgrounds.items():
        if raw.get(leg) and spread > 0:
            scores = rankings[leg].scores
            tenth = min(TENTH, len(scores))
            sharpness = float(scores[0] - scores[tenth - 1]) / spread
            raw[leg] = sharpness / (sharpness + HALF_SHARPNESS)
            yield f"{leg} falls {sharpness:.1f} deviations from hit 1 to {tenth}"


def _trust_distinct_words(raw: dict[str, float], rankings: Mapping[str, Ranking], _: Signals) -> Iterator[str]:
    """Where ten records match the words nearly alike, the words do not say which is meant: it was put otherwise."""
    if raw.get("sparse"):
        scores = rankings["sparse"].scores
        fall = 1 - float(scores[TENTH - 1] / scores[0]) if len(scores) >= TENTH else 1.0
        raw["sparse"] *= (1 + HALF_FALL) * fall / (fall + HALF_FALL)
        if fall < 1:
            yield f"sparse falls by {fall:.0%} from hit 1 to {TENTH}"


def _trust_exact_words(raw: dict[str, float], _: Mapping[str, Ranking], signals: Signals) -> Iterator[str]:
    """Whoever writes a code wants that code."""
    if signals.known_identifiers and raw.get("sparse"):
        raw["sparse"] *= IDENTIFIER_BOOST
        yield f"exact words count more for {', '.join(sorted(signals.known_identifiers))}"


def _trust_chains(raw: dict[str, float], _: Mapping[str, Ranking], signals: Signals) -> Iterator[str]:
    """A rare name leads somewhere, a frequent one everywhere; the square keeps the graph quiet for the latter."""
    if raw.get("graph"):
        raw["graph"] = CHAIN_TRUST * signals.named**2
        rare = f"names something rare ({signals.named:.2f} of 1)" if signals.named else "names nothing known"
        yield f"the query {rare}"


def _floor(leg: str, ranking: Ranking, signals: Signals) -> float:
    """The score that counts 0: that of an average record, or the last candidate's where even that one is lower."""
    usual = signals.backgrounds.get(leg, (0.0, 0.0))[0]
    return min(usual, float(ranking.scores[-1])) if len(ranking) else usual


def check_weights(weights: Mapping[str, float]) -> None:
    """Refuse weights that are negative, no finite numbers, or all zero.

    Raises
    ------
    InvalidInputError
        If one of them is.
    """
    for name, weight in weights.items():
        if not is_number(weight) or not 0 <= weight <= LARGEST_WEIGHT:
            raise InvalidInputError(
                f"weight {shown(weight)} of {name!r} must be a finite number of at least 0, at most {LARGEST_WEIGHT:g}"
            )
    if weights and not any(weights.values()):
        raise InvalidInputError("all weights are 0: give at least one leg a positive weight")


def check_k(k: float) -> None:
    """Refuse an RRF constant that is not a positive finite number.

    Raises
    ------
    InvalidInputError
        If it is not.
    """
    if not is_number(k) or k <= 0:
        raise InvalidInputError(f"the RRF constant k {shown(k)} must be a positive number: 60 is usual")
