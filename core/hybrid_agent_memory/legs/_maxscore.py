"""Exact search for the best k rows of an OR query, which leaves out rows that cannot be among them.

MaxScore: Turtle and Flood, Query evaluation: strategies and optimizations, 1995, doi:10.1016/0306-4573(95)00020-H.
"""

from itertools import accumulate
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hybrid_agent_memory.legs._postings import Norm, Rows, Scores, find

_SPARE_BUFFERS = 8


class Term(NamedTuple):
    weight: float
    bound: float
    rows: NDArray[np.int32]
    tfs: NDArray[np.float32]


class Allowed:
    """The rows a mask lets through."""

    def __init__(self, mask: NDArray[np.bool_]) -> None:
        self._mask = mask
        self._count = int(np.count_nonzero(mask))
        self._rows: NDArray[np.int32] | None = None

    def restrict(self, term: Term) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        if self._count * 8 >= len(term.rows):
            keep = self._mask.take(term.rows)
            return term.rows.compress(keep), term.tfs.compress(keep)
        if self._rows is None:
            self._rows = np.flatnonzero(self._mask).astype(np.int32)
        at = find(term.rows, self._rows)[1]
        return term.rows.take(at), term.tfs.take(at)


class Buffers:
    """Score buffers, all zero, one for each search in progress; list operations need no lock."""

    def __init__(self) -> None:
        self._spare: list[Scores] = []

    def take(self, size: int) -> Scores:
        try:
            buffer = self._spare.pop()
        except IndexError:
            return np.zeros(size)
        return buffer if len(buffer) >= size else np.zeros(size)

    def give_back(self, buffer: Scores) -> None:
        if len(self._spare) < _SPARE_BUFFERS:
            self._spare.append(buffer)


def collect(
    terms: list[Term], norm: Norm, k: int, allowed: Allowed | None, buffer: Scores, *, prune_above: int
) -> tuple[Rows, Scores]:
    """Score every row that can be among the best k, ties included; the buffer is all zero before and after."""
    # On every path the parts of a row are added in the order of `terms`, so its score does not depend on the path.
    reach = _reach(terms)
    positive = all(term.weight > 0 for term in terms)
    ahead = sum(len(term.rows) for term in terms)
    prune = positive and ahead > prune_above
    found: list[Rows] = []
    count, done, floor = 0, 0, -inf
    while done < len(terms) and not (prune and floor > reach[done]):  # a row not met yet may still be among the best
        term = terms[done]
        found.append(_add_term(term, norm, allowed, buffer))
        count += len(found[-1])
        ahead -= len(term.rows)
        done += 1
        if prune and done < len(terms) and k <= count < 4 * ahead:
            floor = _kth_at_least(np.concatenate(found), buffer, terms[done:], norm, k)
    rows = np.concatenate(found) if found else np.empty(0, np.intp)
    if not positive:  # a sum of zero looked like a row not met before
        rows = np.unique(rows)
    scores = buffer.take(rows)
    buffer[rows] = 0
    for at in range(done, len(terms)):
        keep = scores + reach[at] >= floor
        rows, scores = rows.compress(keep), scores.compress(keep)
        _add_term_to(rows, scores, terms[at], norm)
    return rows, scores


def _reach(terms: list[Term]) -> list[float]:
    """The most that the terms from each position on can add, and 0 after the last."""
    return [*accumulate((term.bound for term in reversed(terms)), initial=0.0)][::-1]


def _add_term(term: Term, norm: Norm, allowed: Allowed | None, buffer: Scores) -> Rows:
    """Add a term's part to every row that holds it; returns the rows met for the first time."""
    held, tfs = (term.rows, term.tfs) if allowed is None else allowed.restrict(term)
    rows = held.astype(np.intp)  # gathers and scatters are twice as fast with NumPy's own index type
    scores = buffer.take(rows)
    new = rows.compress(scores == 0)
    scores += norm.contribution(term.weight, rows, tfs)
    buffer[rows] = scores
    return new


def _add_term_to(rows: Rows, scores: Scores, term: Term, norm: Norm) -> None:
    """Add a term's part to the scores of the rows that hold it."""
    hits, at = find(term.rows, rows)
    scores[hits] += norm.contribution(term.weight, rows.take(hits), term.tfs.take(at))


def _kth_at_least(rows: Rows, buffer: Scores, remaining: list[Term], norm: Norm, k: int) -> float:
    """Bound the k-th best score from below by the full scores of the k rows that lead so far."""
    scores = buffer.take(rows)
    leaders = np.argpartition(scores, len(scores) - k)[len(scores) - k :]
    rows, scores = rows.take(leaders), scores.take(leaders)
    for term in remaining:
        _add_term_to(rows, scores, term, norm)
    return float(scores.min())


def best(rows: Rows, scores: Scores, k: int) -> tuple[Rows, Scores]:
    if len(scores) > k:
        keep = scores >= np.partition(scores, len(scores) - k)[len(scores) - k]
        rows, scores = rows.compress(keep), scores.compress(keep)
    order = np.lexsort((rows, -scores))
    return rows.take(order), scores.take(order)
