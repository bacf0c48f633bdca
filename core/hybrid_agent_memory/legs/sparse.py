"""BM25 that takes additions and removals as they come; a drop-in subclass of `rank_bm25.BM25Okapi`.

Every term has a posting list, ascending rows and how often each holds the term, in growable ``array.array`` buffers
that NumPy reads without a copy. Document frequencies and lengths are read when a query is scored, so a write takes
effect at once and nothing is ever rebuilt.
"""

import operator
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from math import inf, isfinite, log, log1p
from os import PathLike
from typing import Self, TypeVar, cast, get_args

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from hybrid_agent_memory.errors import InvalidInputError
from hybrid_agent_memory.legs._maxscore import Allowed, Buffers, Term, best, collect
from hybrid_agent_memory.legs._postings import Norm, Postings, Rows, Scores, cut_postings
from hybrid_agent_memory.legs._snapshot import IdfMode, Settings, Snapshot

T = TypeVar("T")
Scalar = TypeVar("Scalar", bound=np.generic)

_BULK = 16  # from so many documents on, one sort is cheaper than an append per term


class IncrementalBM25(BM25Okapi):  # type: ignore[misc]  # rank_bm25 has no types
    """A BM25 index whose documents are rows that can be added and removed at any time.

    Rows count up from 0 and are never reused. Searches may run in many threads at once; the caller keeps writes apart
    from searches and from each other.

    Parameters
    ----------
    corpus : iterable of token lists, or of str with `tokenizer`
        The first documents.
    tokenizer : callable, optional
        Applied to the texts of `corpus`, and to nothing else, as in rank_bm25.
    k1 : float
        Saturation of term frequency, at least 0.
    b : float
        How much length counts, 0 to 1.
    epsilon : float
        Okapi only: negative idf becomes this share of the mean idf.
    idf_mode : {"lucene", "okapi"}
        ``ln(1 + (N - df + 0.5) / (df + 0.5))``, always positive; or rank_bm25's
        ``ln((N - df + 0.5) / (df + 0.5))`` with its floor, which gives the only match in a memory of one document a
        negative score.

    Attributes
    ----------
    prune_above : int
        Postings in a query from which pruning pays; the results are the same either way.

    Raises
    ------
    InvalidInputError
        If a parameter is out of range, or a document is a str where a token list is expected.

    Examples
    --------
    >>> index = IncrementalBM25([["red", "apple"], ["green", "pear"]])
    >>> index.add(["red", "pear", "pear"])
    2
    >>> rows, scores = index.search(["pear"], k=1)
    >>> rows.tolist()
    [2]
    >>> index.remove(2)
    >>> index.search(["pear"], k=1)[0].tolist()
    [1]
    """

    prune_above = 200_000

    def __init__(
        self,
        corpus: Iterable[Sequence[str]] = (),
        tokenizer: Callable[[str], list[str]] | None = None,
        k1: float = 1.5,
        b: float = 0.75,
        epsilon: float = 0.25,
        idf_mode: IdfMode = "lucene",
    ) -> None:
        _check_parameters(k1, b, epsilon, idf_mode)
        self.k1, self.b, self.epsilon, self.idf_mode = k1, b, epsilon, idf_mode
        self.tokenizer = tokenizer
        self._term_ids: dict[str, int] = {}
        self._names: list[str] = []  # term id -> term; ids of terms that are gone wait in _free_ids
        self._free_ids: list[int] = []
        self._postings: list[Postings] = []
        self._df_counts: Counter[int] = Counter()  # document frequency -> terms that have it
        self._row_terms = array("i")  # term ids of all rows, one row after the other
        self._row_ends = array("q", [0])  # row r has _row_terms[_row_ends[r] : _row_ends[r + 1]]
        self._lengths = np.zeros(1024)
        self._live = np.zeros(1024, np.bool_)
        self._documents = self._tokens = 0
        self._average_idf: float | None = None
        self._buffers = Buffers()
        self.extend(_tokenized(corpus, tokenizer))

    # -- writes -------------------------------------------------------------------------------------------------------

    def add(self, tokens: Sequence[str]) -> int:
        """Index one document; one without tokens is kept and never found.

        Parameters
        ----------
        tokens : sequence of str

        Returns
        -------
        int
            Its row.

        Raises
        ------
        InvalidInputError
            If `tokens` is not a sequence of str.
        """
        tokens = _checked_tokens(tokens)
        row, length = self.rows, len(tokens)
        counts = Counter(tokens)
        self._reserve(row + 1)
        self._lengths[row], self._live[row] = length, True
        self._row_ends.append(self._row_ends[-1] + len(counts))
        self._documents += 1
        self._tokens += length
        self._average_idf = None
        for term, tf in counts.items():
            term_id = self._term_id(term)
            self._row_terms.append(term_id)
            postings = self._postings[term_id]
            self._count_df(len(postings.rows), len(postings.rows) + 1)
            postings.append(row, tf, length)
        return row

    def extend(self, corpus: Iterable[Sequence[str]]) -> range:
        """Index many documents, faster than one by one.

        Parameters
        ----------
        corpus : iterable of sequences of str

        Returns
        -------
        range
            Their rows.

        Raises
        ------
        InvalidInputError
            If a document is not a sequence of str; then none is indexed.
        """
        documents = [_checked_tokens(tokens) for tokens in corpus]
        first = self.rows
        if len(documents) < _BULK:
            for tokens in documents:
                self.add(tokens)
        else:
            self._extend_sorted(documents)
        return range(first, self.rows)

    def skip(self, rows: int) -> None:
        """Advance by rows that hold no document, such as ones deleted before this index saw them.

        Parameters
        ----------
        rows : int
            How many, 0 or more.

        Raises
        ------
        InvalidInputError
            If it is negative.
        """
        if rows < 0:
            raise InvalidInputError(f"cannot skip {rows} rows: give 0 or more")
        start = self.rows
        nothing = np.zeros(rows, np.int64)
        self._append_rows(nothing, nothing)
        self._live[start : start + rows] = False
        self._documents -= rows

    def remove(self, row: int) -> None:
        """Take a document out of every posting list it is in; its row stays empty.

        Parameters
        ----------
        row : int

        Raises
        ------
        InvalidInputError
            If the row holds no document.
        """
        row = operator.index(row)
        if not (0 <= row < self.rows and self._live[row]):
            raise InvalidInputError(f"row {row} holds no document: it was removed, skipped or never added")
        for term_id in self._row_terms[self._row_ends[row] : self._row_ends[row + 1]]:
            postings = self._postings[term_id]
            postings.discard(row)
            self._count_df(len(postings.rows) + 1, len(postings.rows))
            if not postings.rows:
                self._forget_term(term_id)
        self._documents -= 1
        self._tokens -= int(self._lengths[row])
        self._lengths[row], self._live[row] = 0, False
        self._average_idf = None

    def _append_rows(self, lengths: NDArray[np.int64], distinct: NDArray[np.int64]) -> None:
        """Make rows for documents with these numbers of tokens and of distinct terms."""
        start, count = self.rows, len(lengths)
        self._reserve(start + count)
        self._lengths[start : start + count] = lengths
        self._live[start : start + count] = True
        self._row_ends.frombytes((self._row_ends[-1] + np.cumsum(distinct, dtype=np.int64)).tobytes())
        self._documents += count
        self._tokens += int(lengths.sum())
        self._average_idf = None

    def _reserve(self, rows: int) -> None:
        self._lengths = grown(self._lengths, rows)
        self._live = grown(self._live, rows)

    def _extend_sorted(self, documents: list[Sequence[str]]) -> None:
        numbers: dict[str, int] = {}
        occurrences = array("i")
        for tokens in documents:
            occurrences.extend([numbers.setdefault(token, len(numbers)) for token in tokens])
        lengths = np.fromiter(map(len, documents), np.int64, len(documents))
        keys = np.frombuffer(occurrences, np.int32).astype(np.int64) << 32
        keys |= np.repeat(np.arange(len(documents)), lengths)
        keys, tfs = np.unique(keys, return_counts=True)
        term_ids = np.fromiter(map(self._term_id, numbers), np.int64, len(numbers))
        documents_of = keys & 0xFFFFFFFF
        by_document = np.sort((documents_of << 32) | term_ids.take(keys >> 32))
        bounds = np.searchsorted(keys >> 32, np.arange(len(numbers) + 1)).tolist()
        rows = (documents_of + self.rows).astype(np.int32)
        self._append_rows(lengths, np.bincount(documents_of, minlength=len(documents)))
        self._row_terms.frombytes((by_document & 0xFFFFFFFF).astype(np.int32).tobytes())
        parts = cut_postings(bounds, rows, tfs.astype(np.float32), self._lengths)
        for term_id, part in zip(term_ids.tolist(), parts, strict=True):
            postings = self._postings[term_id]
            before = len(postings.rows)
            postings.extend(*part)
            self._count_df(before, len(postings.rows))

    def _term_id(self, term: str) -> int:
        known = self._term_ids.get(term)
        if known is not None:
            return known
        if self._free_ids:
            term_id = self._free_ids.pop()
            self._names[term_id], self._postings[term_id] = term, Postings()
        else:
            term_id = len(self._names)
            self._names.append(term)
            self._postings.append(Postings())
        self._term_ids[term] = term_id
        return term_id

    def _forget_term(self, term_id: int) -> None:
        del self._term_ids[self._names[term_id]]
        self._names[term_id] = ""
        self._free_ids.append(term_id)

    def _count_df(self, before: int, after: int) -> None:
        counts = self._df_counts
        if before:
            counts[before] -= 1
            if not counts[before]:
                del counts[before]
        if after:
            counts[after] += 1

    # -- statistics, always current -----------------------------------------------------------------------------------

    @property
    def rows(self) -> int:
        """How many rows there are, empty ones included."""
        return len(self._row_ends) - 1

    @property
    def live(self) -> NDArray[np.bool_]:
        """Which rows hold a document, shape (rows,): a view, valid until the next write."""
        return self._live[: self.rows]

    @property
    def corpus_size(self) -> int:
        """How many documents there are."""
        return self._documents

    @property
    def terms(self) -> int:
        """How many distinct terms the documents hold."""
        return len(self._term_ids)

    @property
    def avgdl(self) -> float:
        """Mean tokens in a document; 0.0 without documents."""
        return self._tokens / self._documents if self._documents else 0.0

    @property
    def doc_len(self) -> list[int]:
        """Tokens of each document, in row order."""
        live = self._live[: self.rows]
        return cast("list[int]", self._lengths[: self.rows].compress(live).astype(np.int64).tolist())

    @property
    def idf(self) -> Mapping[str, float]:
        """A live view from each term to its idf."""
        return _IdfView(self._term_ids, self._idf_of)

    @property
    def average_idf(self) -> float:
        """Mean over all terms of the unfloored Okapi idf; 0.0 without terms."""
        if self._average_idf is None:
            df = np.fromiter(self._df_counts.keys(), np.float64, len(self._df_counts))
            terms = np.fromiter(self._df_counts.values(), np.float64, len(self._df_counts))
            raw = np.log(self._documents - df + 0.5) - np.log(df + 0.5)
            self._average_idf = float(raw @ terms / terms.sum()) if len(df) else 0.0
        return self._average_idf

    def document_frequency(self, term: str) -> int:
        """How many documents hold the term; 0 for an unknown one."""
        term_id = self._term_ids.get(term)
        return 0 if term_id is None else len(self._postings[term_id].rows)

    def _idf_of(self, term: str) -> float:
        df = self.document_frequency(term)
        if self.idf_mode == "lucene":
            return _lucene_idf(self._documents, df)
        raw = log(self._documents - df + 0.5) - log(df + 0.5)
        return self.epsilon * self.average_idf if raw < 0 else raw

    # -- reads --------------------------------------------------------------------------------------------------------

    def search(self, query_tokens: Sequence[str], k: int, mask: NDArray[np.bool_] | None = None) -> tuple[Rows, Scores]:
        """Find the best matches: rows that hold at least one query term.

        Parameters
        ----------
        query_tokens : sequence of str
            A repeated token counts as often as it is given; an unknown one is ignored.
        k : int
            How many matches are wanted, at least 1. Rows tied with the k-th are all returned, so that the caller can
            break the tie.
        mask : bool array of shape (>= rows,), optional
            False leaves a row out.

        Returns
        -------
        rows : intp array of shape (m,)
            Best first, equal scores by row; empty when nothing matches.
        scores : float64 array of shape (m,)
            Higher is better; the same number for a row however it was found.

        Raises
        ------
        InvalidInputError
            If `k` is less than 1, the mask is too short or not boolean, or the query is not a sequence of str.

        Examples
        --------
        >>> index = IncrementalBM25([["a", "b"], ["a"], ["b"]])
        >>> [found.tolist() for found in index.search(["zebra"], k=3)]
        [[], []]
        """
        if k < 1:
            raise InvalidInputError(f"k is {k}: ask for at least 1 match")
        allowed = None if mask is None else Allowed(_checked_mask(mask, self.rows))
        norm = self._norm()
        terms = self._query_terms(query_tokens, norm)  # views from here on: nothing below may raise over an argument
        buffer = self._buffers.take(len(self._lengths))
        rows, scores = collect(terms, norm, k, allowed, buffer, prune_above=self.prune_above)
        self._buffers.give_back(buffer)
        return best(rows, scores, k)

    def coverage(self, query_tokens: Sequence[str], rows: NDArray[np.integer] | Sequence[int]) -> Scores:
        """Measure how much of a query each row holds.

        Parameters
        ----------
        query_tokens : sequence of str
            Repeated tokens count once.
        rows : sequence of int, of length m

        Returns
        -------
        float64 array of shape (m,)
            The share, 0 to 1, of the query's Lucene idf whose terms the row holds. A term no document holds is the
            rarest of all and counts as missing. 0 for a row without a document and for a query without tokens.
        """
        weights: dict[int, float] = {}
        total = 0.0
        for term in sorted(set(_checked_tokens(query_tokens))):
            weight = _lucene_idf(self._documents, self.document_frequency(term))
            total += weight
            if term in self._term_ids:
                weights[self._term_ids[term]] = weight
        if not total:
            return np.zeros(len(rows))
        covered = [sum(weights[held] for held in sorted(weights.keys() & self._terms_of(row))) for row in rows]
        return np.array(covered, np.float64) / total

    def _terms_of(self, row: int) -> set[int]:
        """The ids of the distinct terms of a row, none when it holds no document."""
        if not self._live[row]:
            return set()
        return set(self._row_terms[self._row_ends[row] : self._row_ends[row + 1]])

    def get_scores(self, query: Sequence[str]) -> Scores:
        """Score every document, as rank_bm25 does.

        Parameters
        ----------
        query : sequence of str

        Returns
        -------
        float64 array of shape (corpus_size,)
            In row order; 0 for a document that holds no query term.
        """
        norm = self._norm()
        scores = np.zeros(self.rows)
        for term in self._query_terms(query, norm):
            at = term.rows.astype(np.intp)
            scores[at] += norm.contribution(term.weight, at, term.tfs)
        return scores.compress(self._live[: self.rows])

    def get_batch_scores(self, query: Sequence[str], doc_ids: Sequence[int]) -> list[float]:
        """Score some documents, as rank_bm25 does.

        Parameters
        ----------
        query : sequence of str
        doc_ids : sequence of int
            Positions among the documents, 0 to ``corpus_size - 1``.

        Returns
        -------
        list of float
            In the order of `doc_ids`.

        Raises
        ------
        InvalidInputError
            If a position is out of range.
        """
        positions = np.asarray(doc_ids, dtype=np.intp)
        if ((positions < 0) | (positions >= self._documents)).any():
            raise InvalidInputError(f"doc_ids {doc_ids} reach outside the {self._documents} documents")
        return cast("list[float]", self.get_scores(query).take(positions).tolist())

    def get_top_n(self, query: Sequence[str], documents: Sequence[T], n: int = 5) -> list[T]:
        """Pick the n best of `documents`, as rank_bm25 does: filled up with documents that do not match.

        Parameters
        ----------
        query : sequence of str
        documents : sequence of length corpus_size
            What was indexed, in row order.
        n : int

        Returns
        -------
        list
            Best first, equal scores in row order; all of them when n is larger.

        Raises
        ------
        InvalidInputError
            If the number of documents differs from what is indexed.
        """
        if len(documents) != self._documents:
            raise InvalidInputError(f"{len(documents)} documents were given, but {self._documents} are indexed")
        order = np.argsort(-self.get_scores(query), kind="stable")[: max(n, 0)]
        return [documents[position] for position in order.tolist()]

    def _norm(self) -> Norm:
        return Norm(self._lengths, self.k1 * (1 - self.b), self.k1 * self.b / (self.avgdl or 1.0))

    def _query_terms(self, query_tokens: Sequence[str], norm: Norm) -> list[Term]:
        """List the known terms of a query, rarest first: the one order in which a row's score is summed."""
        counts = Counter(_checked_tokens(query_tokens))
        known = [term for term in counts if term in self._term_ids]
        terms = []
        for term in sorted(known, key=lambda term: (self.document_frequency(term), term)):
            postings = self._postings[self._term_ids[term]]
            weight = counts[term] * self._idf_of(term) * (self.k1 + 1)
            terms.append(Term(weight, norm.bound(weight, postings), *postings.views()))
        return terms

    # -- snapshots ----------------------------------------------------------------------------------------------------

    def save(self, path: str | PathLike[str]) -> None:
        """Write the index to a file (NumPy's npz, no pickle).

        Parameters
        ----------
        path : path
            Written as it is, without a suffix added. Replacing a file in one step is up to the caller.
        """
        postings = [self._postings[term_id] for term_id in self._term_ids.values()]
        ids = np.fromiter(self._term_ids.values(), np.intp, len(self._term_ids))
        numbers = np.zeros(len(self._names), np.int32)
        numbers[ids] = np.arange(len(ids))
        live = self._live[: self.rows]
        ends = np.frombuffer(self._row_ends, np.int64)
        held = np.repeat(live, ends[1:] - ends[:-1])
        Snapshot(
            settings=Settings(k1=self.k1, b=self.b, epsilon=self.epsilon, idf_mode=self.idf_mode),
            names=list(self._term_ids),
            df=np.fromiter((len(p.rows) for p in postings), np.int32, len(ids)),
            rows=np.frombuffer(b"".join(p.rows for p in postings), np.int32),
            tfs=np.frombuffer(b"".join(p.tfs for p in postings), np.float32),
            row_terms=numbers.take(np.frombuffer(self._row_terms, np.int32).compress(held)),
            lengths=self._lengths[: self.rows].astype(np.int64),
            live=live,
        ).write(path)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Read what `save` wrote, settings included.

        Parameters
        ----------
        path : path

        Returns
        -------
        IncrementalBM25
            Without a tokenizer, which the index itself never uses.

        Raises
        ------
        InvalidInputError
            If the file is damaged, contradicts itself, or was not written by `save`.
        """
        snapshot = Snapshot.read(path)
        index = cls(**snapshot.settings)
        distinct = np.bincount(snapshot.rows, minlength=len(snapshot.lengths))
        index._append_rows(snapshot.lengths, distinct)
        index._live[: index.rows] = snapshot.live
        index._documents = int(snapshot.live.sum())
        index._row_terms.frombytes(snapshot.row_terms.tobytes())
        index._names = snapshot.names
        index._term_ids = {name: term_id for term_id, name in enumerate(snapshot.names)}
        bounds = [0, *accumulate(snapshot.df.tolist())]
        parts = cut_postings(bounds, snapshot.rows, snapshot.tfs, index._lengths)
        index._postings = [Postings(*part) for part in parts]
        index._df_counts = Counter(snapshot.df.tolist())
        return index


class _IdfView(Mapping[str, float]):
    def __init__(self, terms: Mapping[str, int], idf_of: Callable[[str], float]) -> None:
        self._terms = terms
        self._idf_of = idf_of

    def __getitem__(self, term: str) -> float:
        if term not in self._terms:
            raise KeyError(term)
        return self._idf_of(term)

    def __iter__(self) -> Iterator[str]:
        return iter(self._terms)

    def __len__(self) -> int:
        return len(self._terms)


def _lucene_idf(documents: int, df: int) -> float:
    return log1p((documents - df + 0.5) / (df + 0.5))


def grown(values: NDArray[Scalar], size: int) -> NDArray[Scalar]:
    """The same array if it has room for so many values, else a larger copy, with room for more than that."""
    if size <= len(values):
        return values
    larger = np.zeros(max(size, len(values) * 3 // 2), values.dtype)
    larger[: len(values)] = values
    return larger


def _tokenized(
    corpus: Iterable[Sequence[str]], tokenizer: Callable[[str], list[str]] | None
) -> Iterable[Sequence[str]]:
    if isinstance(corpus, str):
        raise InvalidInputError(f"corpus is the text {corpus[:40]!r}: give a list of documents")
    if tokenizer is None:
        return corpus
    return [tokenizer(text) for text in cast("Iterable[str]", corpus)]


def _checked_tokens(tokens: Iterable[str]) -> Sequence[str]:
    if isinstance(tokens, str) or not isinstance(tokens, Iterable):
        raise InvalidInputError(f"{str(tokens)[:40]!r} is not a list of tokens: tokenize the text first")
    listed = tokens if isinstance(tokens, list | tuple) else list(tokens)
    if not set(map(type, listed)) <= {str}:
        wrong = [token for token in listed if not isinstance(token, str)]
        if wrong:
            raise InvalidInputError(f"{wrong[0]!r} is not a token: tokens are str")
    return listed


def _checked_mask(mask: NDArray[np.bool_], rows: int) -> NDArray[np.bool_]:
    if mask.dtype != np.bool_ or mask.ndim != 1 or len(mask) < rows:
        raise InvalidInputError(f"the mask is {mask.dtype} of shape {mask.shape}: give bool of shape ({rows},)")
    return mask


def _check_parameters(k1: float, b: float, epsilon: float, idf_mode: str) -> None:
    for name, value, lowest, highest in (("k1", k1, 0, inf), ("b", b, 0, 1), ("epsilon", epsilon, -inf, inf)):
        if not (isinstance(value, int | float) and isfinite(value) and lowest <= value <= highest):
            raise InvalidInputError(f"{name} is {value!r}: give a finite number from {lowest} to {highest}")
    if idf_mode not in get_args(IdfMode):
        raise InvalidInputError(f"idf_mode is {idf_mode!r}: give one of {', '.join(get_args(IdfMode))}")
