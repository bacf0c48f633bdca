"""From fused scores to the scores of hits: age, authority, the kind that is asked for, and successors first."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hybrid_agent_memory.authority import authority, authority_factors
from hybrid_agent_memory.decay import decay_factors, effective_floor, spare_first
from hybrid_agent_memory.engines import Candidates
from hybrid_agent_memory.fusion import Fused
from hybrid_agent_memory.intent import Intent, preference_factors
from hybrid_agent_memory.options import SearchOptions
from hybrid_agent_memory.ranking import Handles, Ranking, best_of
from hybrid_agent_memory.records import LegWhy
from hybrid_agent_memory.times import to_micros

Factors = NDArray[np.float64]
ANSWERS = 0.5  # share of a superseded hit's score from which its successor counts as an answer too
FIRST = 10  # places in which the successor of a hit that says nothing else counts as an answer, whatever its score


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
        at = np.searchsorted(candidates.handles, fused.handles)
        self._decays = _decays(fused, rankings, candidates.times[at], intent, options)
        self._authorities = _authorities(candidates, at, options)
        preferred = preference_factors(intent.prefers, candidates.events[at]) if "fact" in options.kinds else 1.0
        scores = fused.scores * self._decays * self._authorities * preferred
        self._scores = _successors_first(scores, candidates, fused.handles)

    def best(self, count: int, ids_of: Callable[[Handles], list[str]]) -> Ranking:
        """The `count` best candidates, score first and then id."""
        return best_of(self._fused.handles, self._scores, count, ids_of)

    def explain(self, handle: int) -> Told:
        """Why a candidate has its score."""
        at = int(np.searchsorted(self._fused.handles, handle))
        rrf_score, legs = self._fused.explain(handle)
        return Told(rrf_score, legs, float(self._decays[at]), float(self._authorities[at]))


def _decays(
    fused: Fused,
    rankings: Mapping[str, Ranking],
    times: NDArray[np.int64],
    intent: Intent,
    options: SearchOptions,
) -> Factors:
    config = options.config
    floor = effective_floor(config.decay_floor, options.decay_floor, options.time_decay, intent.recent)
    rate = config.time_decay if options.time_decay is None else options.time_decay
    factors = decay_factors(times, to_micros(options.moment.seen_at), rate, floor)
    if floor < config.decay_floor:
        return factors
    ranks = np.zeros((len(rankings), len(fused.handles)), np.intp)
    for leg, ranking in enumerate(found for found in rankings.values() if len(found)):
        ranks[leg, np.searchsorted(fused.handles, ranking.handles)] = np.arange(1, len(ranking) + 1)
    return spare_first(factors, fused.scores, ranks[: sum(len(found) > 0 for found in rankings.values())])


def _authorities(candidates: Candidates, at: NDArray[np.intp], options: SearchOptions) -> Factors:
    weight = options.config.authority_weight if options.authority_weight is None else options.authority_weight
    if candidates.mentions is None:
        return np.ones(len(at))
    return authority_factors(authority(candidates.mentions[at]), weight)


def _successors_first(scores: Factors, candidates: Candidates, handles: Handles) -> Factors:
    """Scores in which what took a candidate's place comes just before it, where it answers the query too."""
    if not candidates.successors:
        return scores
    places = {handle: place for place, handle in enumerate(handles.tolist())}
    pairs = [
        (places[old], places[new], old)
        for old, new in sorted(candidates.successors.items())
        if old in places and new in places
    ]
    tenth = float(np.partition(scores, -FIRST)[-FIRST]) if len(scores) > FIRST else 0.0
    lifted = scores.copy()
    for _ in pairs:  # a chain of successors is lifted link by link
        before = lifted.copy()
        for old, new, handle in pairs:
            least = tenth if handle in candidates.spent else ANSWERS * scores[old]
            if lifted[old] >= lifted[new] and scores[new] >= min(least, ANSWERS * scores[old]):
                lifted[new], lifted[old] = lifted[old], np.nextafter(lifted[old], 0.0)
        if np.array_equal(before, lifted):
            break
    return lifted
