"""A fixed sample of a namespace, the background against which a cosine means something."""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

SIZE = 128


@dataclass(frozen=True, slots=True)
class Background:
    """The rows and vectors of a sample, and mean and standard deviation of their cosines (None below two)."""

    rows: NDArray[np.intp]
    vectors: NDArray[np.float32]
    typical: tuple[float, float] | None

    @classmethod
    def of(cls, rows: NDArray[np.intp], vectors: NDArray[np.float32]) -> Self:
        """The background that unit vectors of shape (n, dimension) make."""
        if len(vectors) < 2:
            return cls(rows, vectors, None)
        cosines = (vectors @ vectors.T)[np.triu_indices(len(vectors), 1)]
        return cls(rows, vectors, (float(cosines.mean()), float(cosines.std())))


class BackgroundSample:
    """The `SIZE` live rows whose ids have the smallest checksums: spread evenly, and the same for the same ids."""

    def __init__(self) -> None:
        self._smallest: list[tuple[int, int]] = []  # a heap of (-checksum, row): the largest checksum on top
        self._passed_over = False

    def append(self, row: int, identity: str) -> None:
        """Take note of a new row."""
        entry = (-_checksum(identity), row)
        if len(self._smallest) < 2 * SIZE:
            heapq.heappush(self._smallest, entry)
        else:
            heapq.heappushpop(self._smallest, entry)
            self._passed_over = True

    def rows(self, ids: Sequence[str], alive: NDArray[np.bool_]) -> NDArray[np.intp]:
        """The sample as row numbers, ascending; all live rows when there are no more than `SIZE`."""
        live = sorted((-checksum, row) for checksum, row in self._smallest if alive[row])
        if len(live) < SIZE and self._passed_over:  # so many were deleted that the ones passed over count
            live = heapq.nsmallest(SIZE, ((_checksum(ids[row]), row) for row in np.flatnonzero(alive).tolist()))
        return np.sort(np.array([row for _, row in live[:SIZE]], np.intp))


def _checksum(identity: str) -> int:
    return crc32(identity.encode("utf-8", "surrogatepass"))
