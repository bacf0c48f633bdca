"""Several result lists into one, one pure function per fusion mode. Nothing that is passed in is changed.

A list is what one child retriever answered to one query, in the order it returned it. Scores are "higher is better";
`reciprocal_rerank` looks at ranks alone, so there a child may score as it likes (distances, or no scores at all).
"""

import math
from collections.abc import Callable, Mapping, Sequence

from llama_index.core.schema import BaseNode, NodeWithScore

from hybrid_agent_memory.errors import InvalidInputError
from hybrid_agent_memory.fusion import reciprocal_rank_fusion
from hybrid_agent_memory.ranking import rank

Results = Mapping[tuple[str, int], Sequence[NodeWithScore]]
"""(query, index of the child) to the child's list."""

Scaling = Callable[[Sequence[float]], list[float]]
"""The scores of one list to comparable ones, order kept."""

RRF_K = 60


def fuse_ranks(results: Results, weights: Sequence[float]) -> list[NodeWithScore]:
    """Weighted reciprocal rank fusion: ``sum of weight / (60 + rank)``, rank from 1 in the order the child returned.

    Parameters
    ----------
    results : mapping of (query, child) to sequence of NodeWithScore
        A node id that comes twice in one list counts once, with its best rank.
    weights : sequence of float
        One per child, used as they are.

    Returns
    -------
    list of NodeWithScore
        New objects, score descending, then node id.

    Notes
    -----
    Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning Methods",
    SIGIR 2009.
    """
    rankings = [[hit.node.node_id for hit in hits] for hits in results.values()]
    fused = reciprocal_rank_fusion(rankings, [weights[child] for _, child in results], RRF_K)
    return _scored(fused, results)


def fuse_scores(results: Results, weights: Sequence[float], scaling: Scaling) -> list[NodeWithScore]:
    """Scale the scores of every list, weight them by child, add them up and divide by the number of queries.

    Parameters
    ----------
    results : mapping of (query, child) to sequence of NodeWithScore
        An empty list is neutral. A missing score counts as the lowest one of its list; where all are missing, the
        returned order stands in for them.
    weights : sequence of float
        One per child; scaled here to sum to 1.
    scaling : callable
        `min_max` or `three_sigma`.

    Returns
    -------
    list of NodeWithScore
        New objects, score descending, then node id.
    """
    queries = len({query for query, _ in results})
    total = math.fsum(weights)
    sums: dict[str, float] = {}
    for (_, child), hits in results.items():
        raw = _known_scores(_best_scores(hits, child))
        for node_id, score in zip(raw, scaling(list(raw.values())), strict=True):
            sums[node_id] = sums.get(node_id, 0.0) + score * weights[child] / total / queries
    return _scored(rank(sums), results)


def fuse_best(results: Results) -> list[NodeWithScore]:
    """Keep each node's best raw score over all lists; a missing score counts as 0.

    Parameters
    ----------
    results : mapping of (query, child) to sequence of NodeWithScore
        Raw scores are compared as they are, so the children should score on one scale.

    Returns
    -------
    list of NodeWithScore
        New objects, score descending, then node id.
    """
    best: dict[str, float] = {}
    for (_, child), hits in results.items():
        for node_id, score in _best_scores(hits, child).items():
            known = 0.0 if score is None else score
            best[node_id] = max(known, best.get(node_id, known))
    return _scored(rank(best), results)


def min_max(scores: Sequence[float]) -> list[float]:
    """Scale to 1 for the best of n scores and 1/n for the worst.

    The zero lies one mean gap below the worst score, not on it, so the last hit of a list still counts and the only hit
    of a list counts fully: n evenly spaced scores become 1, (n - 1)/n, … 1/n.

    Parameters
    ----------
    scores : sequence of float

    Returns
    -------
    list of float
        In (0, 1], in the order given; all 1 when all scores are equal.

    Examples
    --------
    >>> min_max([9.0, 8.0, 7.0, 6.0])
    [1.0, 0.75, 0.5, 0.25]
    >>> min_max([0.3])
    [1.0]
    """
    if not scores or min(scores) == max(scores):
        return [1.0] * len(scores)
    worst, spread = min(scores), max(scores) - min(scores)
    gap = spread / (len(scores) - 1)
    return [(score - worst + gap) / (spread + gap) for score in scores]


def three_sigma(scores: Sequence[float]) -> list[float]:
    """Scale so that the mean less three standard deviations is 0 and the mean plus three is 1.

    Parameters
    ----------
    scores : sequence of float

    Returns
    -------
    list of float
        In the order given, the mean at 0.5; an outlier may lie outside 0..1. All 1 when all scores are equal.

    Examples
    --------
    >>> [round(score, 3) for score in three_sigma([3.0, 2.0, 1.0])]
    [0.704, 0.5, 0.296]
    """
    if not scores or min(scores) == max(scores):
        return [1.0] * len(scores)
    mean = math.fsum(scores) / len(scores)
    sigma = math.sqrt(math.fsum((score - mean) ** 2 for score in scores) / len(scores))
    return [(score - mean) / (6 * sigma) + 0.5 for score in scores]


def _best_scores(hits: Sequence[NodeWithScore], child: int) -> dict[str, float | None]:
    """Node id to its best score in one list, in the order of the list."""
    best: dict[str, float | None] = {}
    for hit in hits:
        score, known = hit.score, best.get(hit.node.node_id)
        if score is not None and not math.isfinite(score):
            raise InvalidInputError(
                f"child retriever {child} scored node {hit.node.node_id!r} {score}: "
                "scores must be finite; mode 'reciprocal_rerank' needs none"
            )
        best[hit.node.node_id] = score if known is None else known if score is None else max(known, score)
    return best


def _known_scores(scores: Mapping[str, float | None]) -> dict[str, float]:
    known = [score for score in scores.values() if score is not None]
    if not known:
        return {node_id: float(len(scores) - place) for place, node_id in enumerate(scores)}
    worst = min(known)
    return {node_id: worst if score is None else score for node_id, score in scores.items()}


def _scored(fused: Sequence[tuple[str, float]], results: Results) -> list[NodeWithScore]:
    nodes: dict[str, BaseNode] = {}
    for hits in results.values():
        for hit in hits:
            nodes.setdefault(hit.node.node_id, hit.node)
    return [NodeWithScore(node=nodes[node_id], score=score) for node_id, score in fused]
