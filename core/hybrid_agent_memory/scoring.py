"""From fused scores to the scores of hits: age, authority, the kind that is asked for, and successors first."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hybrid_agent_memory.authority import authority, authority_factors
from hybrid_agent_memory.decay import decay_factors, effective_floor, spare_first
from hybrid_agent_memory.engines import Candidates
from hybrid_agent_memory.fusion import Fused
from hybrid_agent_memory.intent import Intent, asked_factors, preference_factors
from hybrid_agent_memory.options import SearchOptions
from hybrid_agent_memory.ranking import Handles, Ranking, best_of
from hybrid_agent_memory.records import LegWhy
from hybrid_agent_memory.times import to_micros

Factors = NDArray[np.float64]
ANSWERS = 0.5  # share of a superseded hit's score from which its successor counts as an answer too


@dataclass(frozen=True, slots=True)
class Told:
    """Why one hit has its score."""

    rrf_score: float
    legs: dict[str, LegWhy]
    decay: float
    authority: float


class Scored:
    """The candidates of one kind with their final scores.

    Attributes
    ----------
    trust : dict
        Per leg, its share; sums to 1.
    reason : str
        How the trust was chosen, and what the query asks for besides.
    """

    def __init__(
        self,
        fused: Fused,
        rankings: Mapping[str, Ranking],
        candidates: Candidates,
        intent: Intent,
        options: SearchOptions,
    ) -> None:
        self._fused = fused
        self.trust = fused.trust
        self.reason = f"{fused.reason}; asked for by {intent.cue!r}" if intent.cue else fused.reason
        pulled = [new for old, new in candidates.successors.items() if old in candidates.spent]
        chosen = np.isin(candidates.handles, np.concatenate([fused.handles, np.array(pulled, np.intp)]))
        self._handles = candidates.handles[chosen]
        at = np.searchsorted(self._handles, fused.handles)
        scores = np.zeros(len(self._handles))
        scores[at] = fused.scores
        ranks = _ranks(rankings, self._handles)
        floor = _floor(intent, options)
        self._decays = _decays(scores, ranks, candidates.times[chosen], floor, options)
        if intent.current and options.ages_as_usual:
            self._decays = np.where(candidates.holding[chosen], 1.0, self._decays)
        self._authorities = _authorities(candidates, chosen, options)
        final = scores * self._decays * self._authorities
        if "fact" in options.kinds:
            final = final * preference_factors(intent.prefers, candidates.events[chosen], floor)
            final = final * asked_factors(candidates.asked[chosen])
        before = candidates.successors if intent.ahead else candidates.until_then | candidates.successors
        self._scores = _put_first(final, before, candidates.spent, self._handles)

    def best(self, count: int, ids_of: Callable[[Handles], list[str]]) -> Ranking:
        """The `count` best candidates, score first and then id."""
        return best_of(self._handles, self._scores, count, ids_of)

    def explain(self, handle: int) -> Told:
        """Why a candidate has its score."""
        at = int(np.searchsorted(self._handles, handle))
        rrf_score, legs = self._fused.explain(handle)
        return Told(rrf_score, legs, float(self._decays[at]), float(self._authorities[at]))


def _ranks(rankings: Mapping[str, Ranking], handles: Handles) -> NDArray[np.intp]:
    """By leg that found anything, the rank of each handle; 0 where the leg did not find it."""
    found = [ranking for ranking in rankings.values() if len(ranking)]
    ranks = np.zeros((len(found), len(handles)), np.intp)
    for leg, ranking in enumerate(found):
        ranks[leg, np.searchsorted(handles, ranking.handles)] = np.arange(1, len(ranking) + 1)
    return ranks


def _floor(intent: Intent, options: SearchOptions) -> float:
    return effective_floor(options.config.decay_floor, options.decay_floor, options.time_decay, intent.recent)


def _decays(
    scores: Factors, ranks: NDArray[np.intp], times: NDArray[np.int64], floor: float, options: SearchOptions
) -> Factors:
    config = options.config
    rate = config.time_decay if options.time_decay is None else options.time_decay
    factors = decay_factors(times, to_micros(options.moment.seen_at), rate, floor)
    return factors if floor < config.decay_floor else spare_first(factors, scores, ranks)


def _authorities(candidates: Candidates, chosen: NDArray[np.bool_], options: SearchOptions) -> Factors:
    weight = options.config.authority_weight if options.authority_weight is None else options.authority_weight
    if candidates.mentions is None:
        return np.ones(np.count_nonzero(chosen))
    return authority_factors(authority(candidates.mentions[chosen]), weight)


def _put_first(scores: Factors, holding: Mapping[int, int], spent: Collection[int], handles: Handles) -> Factors:
    """Scores in which what holds now comes just before what it superseded, or what is yet to supersede it.

    Always before what says nothing else that still holds, which are the spent ones; before others only where it answers
    the query about as well. `holding` has by handle of the latter that of the former.
    """
    places = {handle: place for place, handle in enumerate(handles.tolist())}
    lifted = scores.copy()
    for old, new in sorted(holding.items()):
        if old in places and new in places:
            before, after = places[old], places[new]
            if old in spent or scores[after] >= ANSWERS * scores[before]:
                lifted[after] = max(lifted[after], scores[before])
    for old, new in holding.items():
        if old in places and new in places and lifted[places[new]] == lifted[places[old]]:
            lifted[places[old]] = np.nextafter(lifted[places[old]], 0.0)
    return lifted
