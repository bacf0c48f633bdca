"""The dense leg: cosine over row-aligned vectors, exact where it can be and rescored exactly where it cannot."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self, cast

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import faiss

Vectors = NDArray[np.float32]
Rows = NDArray[np.intp]
Kind = Literal["flat", "int8", "hnsw"]

EXTRA = 16  # candidates beyond those asked for, so that a tie at the cut is seen
EXTRA_COARSE = 56  # the same where the coarse index may be wrong in the third decimal
MOST_CANDIDATES = 8192  # past this many ties, scoring every row is quicker than asking FAISS for more
ROUNDING = 2e-6  # scores are compared to six decimals
INT8 = 127  # the largest code
QUICK_ERROR = 1e-4  # a float32 product of unit vectors is right to well within this


FLAT_FILE, COARSE_FILE, SCALE_FILE = "flat.faiss", "coarse.faiss", "scale.npy"


class DenseIndex:
    """Unit vectors in rows shared with the other legs; rows are only appended.

    A flat float32 FAISS index holds the vectors, and is exact. Above `int8_above` rows a copy in eight bits finds the
    candidates, above `hnsw_above` an HNSW graph does; either way the float32 vectors give the scores. Integer products
    of eight bits read a quarter of the memory, which is what a scan waits for.

    Parameters
    ----------
    dimension : int
    int8_above, hnsw_above : int
        Row counts past which the coarse index changes.

    Examples
    --------
    >>> index = DenseIndex(2)
    >>> index.append(np.array([[1, 0], [0, 1], [0.6, 0.8]], np.float32))
    >>> rows, scores = index.search(np.array([1, 0], np.float32), 2, np.ones(3, bool))
    >>> rows.tolist(), scores.tolist()
    ([0, 2], [1.0, 0.6])
    """

    def __init__(self, dimension: int, *, int8_above: int = 5_000, hnsw_above: int = 400_000) -> None:
        import faiss

        self.dimension = dimension
        self._int8_above, self._hnsw_above = int8_above, hnsw_above
        self._flat = faiss.IndexFlatIP(dimension)
        self._coarse: faiss.Index | None = None
        self._scale = 1.0  # of the codes of the eight-bit copy
        self.kind: Kind = "flat"
        self._refresh_view()

    def __len__(self) -> int:
        return int(self._flat.ntotal)

    def append(self, vectors: Vectors) -> None:
        """Add unit vectors of shape (n, dimension) as the next n rows; a row without a vector is all zeros."""
        block = np.ascontiguousarray(vectors, dtype=np.float32)
        if not len(block):
            return
        self._flat.add(block)
        self._refresh_view()
        if self._kind_for(len(self)) != self.kind:
            self._build_coarse()
        elif self._coarse is not None:
            with one_thread():
                self._coarse.add(self._coded(block))

    def save(self, directory: Path) -> None:
        """Write the indexes into a directory."""
        import faiss

        faiss.write_index(self._flat, str(directory / FLAT_FILE))
        if self._coarse is not None:
            faiss.write_index(self._coarse, str(directory / COARSE_FILE))
            np.save(directory / SCALE_FILE, self._scale)

    @classmethod
    def load(cls, directory: Path, *, int8_above: int, hnsw_above: int) -> Self:
        """Read what `save` wrote.

        Raises
        ------
        ValueError
            If the indexes do not fit each other.
        """
        import faiss

        flat = cast(faiss.IndexFlatIP, faiss.read_index(str(directory / FLAT_FILE)))
        index = cls(flat.d, int8_above=int8_above, hnsw_above=hnsw_above)
        index._flat = flat
        index._refresh_view()
        index.kind = index._kind_for(len(index))
        if index.kind != "flat":
            index._coarse = faiss.read_index(str(directory / COARSE_FILE))
            index._scale = float(np.load(directory / SCALE_FILE, allow_pickle=False))
            if index._coarse.ntotal != len(index):
                raise ValueError("the coarse index has another number of rows")
        return index

    def vectors(self) -> Vectors:
        """All rows, shape (rows, dimension): a view, valid until the next append."""
        return self._view

    def search(self, query: Vectors, k: int, allowed: NDArray[np.bool_]) -> tuple[Rows, NDArray[np.float64]]:
        """The nearest allowed rows by cosine, higher first.

        Parameters
        ----------
        query : array of shape (dimension,)
            A unit vector.
        k : int
            How many to return; rows tied with the last one are all returned, for the caller to order by id.
        allowed : bool array of shape (rows,)

        Returns
        -------
        (rows, scores)
            Cosines in -1..1, rounded to six decimals; equal scores by row. At most the allowed rows.
        """
        count = int(np.count_nonzero(allowed))
        if not count or k < 1:
            return np.empty(0, np.intp), np.empty(0)
        if count <= max(2 * (k + EXTRA), len(self) // 50):
            return self._exhaustive(query, np.flatnonzero(allowed), k)
        wanted = first = k + (EXTRA if self.kind == "flat" else EXTRA_COARSE)
        while wanted < MOST_CANDIDATES or wanted == first:
            rows, near = self._candidates(query, wanted, allowed, count)
            scores = self.cosines(query, rows)
            kth = np.lexsort((rows, -scores))[k - 1]
            if near[kth] > near[-1] + ROUNDING:  # else a row that was not fetched may tie with the k-th
                return _best(rows, scores, k)
            wanted *= 4
        return self._exhaustive(query, np.flatnonzero(allowed), k)

    def cosines(self, query: Vectors, rows: Rows) -> NDArray[np.float64]:
        """The cosine of each row to the query, by the same kernel that scores a search."""
        return cosine_kernel(self._view.take(rows, axis=0), query)

    def _exhaustive(self, query: Vectors, rows: Rows, k: int) -> tuple[Rows, NDArray[np.float64]]:
        """Score every one of `rows`: a quick product leaves out those that cannot be among the k best."""
        if len(rows) > k:
            quick = (self._view if len(rows) == len(self) else self._view.take(rows, axis=0)) @ query
            rows = rows[quick >= np.partition(quick, len(rows) - k)[len(rows) - k] - QUICK_ERROR]
        blocks = [self.cosines(query, block) for block in np.array_split(rows, len(rows) // 4096 + 1)]
        return _best(rows, np.concatenate(blocks), k)

    def _candidates(self, query: Vectors, wanted: int, allowed: NDArray[np.bool_], count: int) -> tuple[Rows, Vectors]:
        """The `wanted` allowed rows nearest by the coarse index, with its scores, best first."""
        coarse = self._coarse if self._coarse is not None and not self._too_selective(count) else self._flat
        with one_thread():
            if count < len(self):  # a selector slows the scan: first see whether few of the best are dead or filtered
                rows, near = self._search(coarse, query, min(2 * wanted, len(self)), None)
                keep = allowed[rows]
                if np.count_nonzero(keep) >= wanted:
                    return rows[keep], near[keep]
            selector = None if count == len(self) else _selector(allowed)
            rows, near = self._search(coarse, query, min(wanted, count), selector)
            if len(rows) < min(wanted, count):  # HNSW lost its way among the filtered rows
                rows, near = self._search(self._flat, query, min(wanted, count), selector)
        return rows, near

    def _too_selective(self, count: int) -> bool:
        return self.kind == "hnsw" and 2 * count < len(self)

    def _search(
        self, index: "faiss.Index", query: Vectors, wanted: int, selector: "faiss.IDSelector | None"
    ) -> tuple[Rows, Vectors]:
        import faiss

        params: faiss.SearchParameters | None = None
        if index is self._coarse and self.kind == "hnsw":
            params = faiss.SearchParametersHNSW(efSearch=max(512, 2 * wanted), sel=selector)  # type: ignore[attr-defined]
        elif selector is not None:
            params = faiss.SearchParameters(sel=selector)  # type: ignore[call-arg]
        if index is self._coarse and self.kind == "int8":
            query = _to_int8(query, INT8 / float(np.abs(query).max() or 1.0))
        near, rows = index.search(query[None, :], wanted, params=params)
        found = rows[0] >= 0
        return rows[0][found].astype(np.intp), near[0][found]

    def _kind_for(self, rows: int) -> Kind:
        return "hnsw" if rows > self._hnsw_above else "int8" if rows > self._int8_above else "flat"

    def _build_coarse(self) -> None:
        import faiss

        self.kind = self._kind_for(len(self))
        metric, quantizer = faiss.METRIC_INNER_PRODUCT, faiss.ScalarQuantizer
        if self.kind == "int8":
            self._scale = INT8 / float(np.abs(self._view).max() or 1.0)
            coarse: faiss.Index = faiss.IndexScalarQuantizer(self.dimension, quantizer.QT_8bit_direct_signed, metric)
        else:
            coarse = faiss.IndexHNSWSQ(self.dimension, quantizer.QT_8bit, 16, metric)  # type: ignore[arg-type]
            coarse.train(self._view[:: max(1, len(self) // 50_000)])
        for block in np.array_split(self._view, len(self) // 65_536 + 1):
            coarse.add(self._coded(block))
        self._coarse = coarse

    def _coded(self, vectors: Vectors) -> Vectors:
        """Vectors as the coarse index takes them."""
        return _to_int8(vectors, self._scale) if self.kind == "int8" else vectors

    def _refresh_view(self) -> None:
        import faiss

        rows = len(self)
        if rows:
            flat = faiss.rev_swig_ptr(self._flat.get_xb(), rows * self.dimension)
            self._view: Vectors = flat.reshape(rows, self.dimension)
        else:
            self._view = np.empty((0, self.dimension), np.float32)


def _to_int8(vectors: Vectors, scale: float) -> Vectors:
    """Scaled to whole numbers of -127..127, still as floats, for that is how FAISS takes them."""
    codes: Vectors = np.clip(np.rint(vectors * np.float32(scale)), -INT8, INT8)
    return codes


def _selector(allowed: NDArray[np.bool_]) -> "faiss.IDSelector":
    import faiss

    bits = np.packbits(allowed, bitorder="little")
    return faiss.IDSelectorBitmap(bits)  # type: ignore[call-arg, arg-type]  # the stubs show the C++ signature


def cosine_kernel(vectors: Vectors, query: Vectors) -> NDArray[np.float64]:
    """Cosines of unit vectors of shape (n, d) to a unit query of shape (d,), in double precision, to six decimals.

    The sum of a row does not depend on which other rows are scored with it, as a BLAS product would.
    """
    cosines = np.einsum("ij,j->i", vectors.astype(np.float64), query.astype(np.float64))
    return cast(NDArray[np.float64], np.round(cosines, 6) + 0.0)  # + 0.0 makes -0.0 equal 0.0 in print


def _best(rows: Rows, scores: NDArray[np.float64], k: int) -> tuple[Rows, NDArray[np.float64]]:
    """The k best, and all that tie with the last of them, score first and then row."""
    order = np.lexsort((rows, -scores))
    rows, scores = rows[order], scores[order]
    if len(scores) > k:
        cut = int(np.searchsorted(-scores, -scores[k - 1], side="right"))
        rows, scores = rows[:cut], scores[:cut]
    return rows, scores


@contextmanager
def one_thread() -> Iterator[None]:
    """Run FAISS on one OpenMP thread inside, and give the calling thread its own setting back after.

    Two threads made a single query two to four times slower on two cores.
    """
    import faiss

    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)
    try:
        yield
    finally:
        faiss.omp_set_num_threads(before)
