"""Where a term occurs, and what it adds to the score of the rows that hold it."""

from array import array
from bisect import bisect_left
from collections.abc import Iterator
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.intp]
Scores = NDArray[np.float64]


class Postings:
    """Where one term occurs, and the two numbers that bound what it can add to any score.

    The bounds may be loose after removals, never too tight.
    """

    __slots__ = ("rows", "tfs", "thinnest", "top_tf")

    def __init__(self, rows: bytes = b"", tfs: bytes = b"", top_tf: float = 0.0, thinnest: float = inf) -> None:
        self.rows = array("i", rows)
        self.tfs = array("f", tfs)
        self.top_tf = top_tf
        self.thinnest = thinnest  # the least length / tf

    def append(self, row: int, tf: int, length: int) -> None:
        self.rows.append(row)
        self.tfs.append(tf)
        if tf > self.top_tf:
            self.top_tf = tf
        if length / tf < self.thinnest:
            self.thinnest = length / tf

    def extend(self, rows: bytes, tfs: bytes, top_tf: float, thinnest: float) -> None:
        self.rows.frombytes(rows)
        self.tfs.frombytes(tfs)
        self.top_tf = max(self.top_tf, top_tf)
        self.thinnest = min(self.thinnest, thinnest)

    def discard(self, row: int) -> None:
        at = bisect_left(self.rows, row)
        del self.rows[at], self.tfs[at]

    def views(self) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Rows and frequencies without a copy; the buffers cannot grow while a view is held."""
        return np.frombuffer(self.rows, np.int32), np.frombuffer(self.tfs, np.float32)


def cut_postings(
    bounds: list[int], rows: NDArray[np.int32], tfs: NDArray[np.float32], lengths: Scores
) -> Iterator[tuple[bytes, bytes, float, float]]:
    """Cut the postings of many terms, none of them empty, into what `Postings` takes for each."""
    if len(bounds) > 1:
        top_tfs = np.maximum.reduceat(tfs, bounds[:-1]).tolist()
        thinnest = np.minimum.reduceat(lengths.take(rows) / tfs, bounds[:-1]).tolist()
        row_bytes, tf_bytes = rows.tobytes(), tfs.tobytes()
        ends = [4 * bound for bound in bounds]
        for start, end, top_tf, thin in zip(ends, ends[1:], top_tfs, thinnest, strict=False):
            yield row_bytes[start:end], tf_bytes[start:end], top_tf, thin


class Norm(NamedTuple):
    """What a document's length does to a term's weight: ``tf / (tf + flat + slope * length)``."""

    lengths: Scores
    flat: float
    slope: float

    def contribution(self, weight: float, rows: Rows, tfs: NDArray[np.float32]) -> Scores:
        share = self.lengths.take(rows)
        share *= self.slope
        share += self.flat
        share += tfs
        np.divide(tfs, share, out=share)
        share *= weight
        return share

    def bound(self, weight: float, postings: Postings) -> float:
        """No row gets more than this from the term; a hair above, so that rounding cannot make it false."""
        return weight * (1 + 1e-6) / (1 + self.flat / postings.top_tf + self.slope * postings.thinnest)


def find(held: NDArray[np.int32], wanted: NDArray[np.integer]) -> tuple[Rows, Rows]:
    """Which of `wanted` are in the ascending, non-empty `held`: their positions in `wanted`, and in `held`."""
    at = np.searchsorted(held, wanted.astype(np.int32))
    at[at == len(held)] = 0
    hits = np.flatnonzero(held.take(at) == wanted)
    return hits, at.take(hits)
