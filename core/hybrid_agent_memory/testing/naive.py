"""A memory that does everything the slow and obvious way: the oracle that engines are held against."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Ranked = list[tuple[str, float]]
Bound = str | int | float
Condition = Mapping[str, Bound | list[Bound] | Mapping[str, float]]
"""Per key a value, a list of values to be in, or bounds such as ``{"$gte": 1, "$lt": 3}``; all must hold."""

BOUNDS: dict[str, Callable[[float, float], bool]] = {
    "$gt": lambda value, bound: value > bound,
    "$gte": lambda value, bound: value >= bound,
    "$lt": lambda value, bound: value < bound,
    "$lte": lambda value, bound: value <= bound,
}


@dataclass
class NaiveMemory:
    """One namespace as two dicts; every search reads all of them. It shares no code with the product.

    Parameters
    ----------
    tokenizer : callable
        Text to terms.
    k1, b : float
        BM25's, with Lucene's idf ``ln(1 + (N - df + 0.5) / (df + 0.5))``.

    Examples
    --------
    >>> memory = NaiveMemory(str.split)
    >>> memory.add("a", "red apple", vector=[1, 0])
    >>> memory.add("b", "green pear", vector=[0, 1])
    >>> memory.sparse("pear")
    [('b', 0.6931471805599453)]
    >>> memory.dense([0.6, 0.8])
    [('b', 0.8), ('a', 0.6)]
    """

    tokenizer: Callable[[str], list[str]]
    k1: float = 1.5
    b: float = 0.75
    terms: dict[str, list[str]] = field(default_factory=dict)
    metadata: dict[str, Mapping[str, object]] = field(default_factory=dict)
    vectors: dict[str, NDArray[np.float64]] = field(default_factory=dict)

    def add(
        self,
        identity: str,
        text: str,
        metadata: Mapping[str, object] | None = None,
        vector: Sequence[float] | None = None,
    ) -> None:
        """Remember a record, in place of any of the same id."""
        self.delete(identity)
        self.terms[identity], self.metadata[identity] = self.tokenizer(text), metadata or {}
        if vector is not None:
            self.vectors[identity] = _unit(vector)

    def delete(self, identity: str) -> None:
        """Forget a record, if there is one."""
        for table in (self.terms, self.metadata, self.vectors):
            table.pop(identity, None)

    def passing(self, condition: Condition | None = None) -> list[str]:
        """The ids that pass, sorted."""
        return sorted(identity for identity, data in self.metadata.items() if _passes(data, condition or {}))

    def sparse(self, query: str, condition: Condition | None = None) -> Ranked:
        """What holds a term of the query, by BM25 over the statistics of all records."""
        count = len(self.terms)
        average = sum(map(len, self.terms.values())) / max(count, 1)
        scores: dict[str, float] = {}
        for identity in self.passing(condition):
            own = self.terms[identity]
            for term in self.tokenizer(query):
                if term in own:
                    df = sum(term in other for other in self.terms.values())
                    idf = math.log(1 + (count - df + 0.5) / (df + 0.5))
                    tf, norm = own.count(term), self.k1 * (1 - self.b + self.b * len(own) / average)
                    scores[identity] = scores.get(identity, 0.0) + idf * tf * (self.k1 + 1) / (tf + norm)
        return _ranked(scores)

    def dense(self, query: Sequence[float], condition: Condition | None = None) -> Ranked:
        """Everything that has a vector, by cosine to six decimals."""
        near = _unit(query)
        passing = [identity for identity in self.passing(condition) if identity in self.vectors]
        return _ranked({i: round(float((self.vectors[i] * near).sum()), 6) + 0.0 for i in passing})

    def fused(self, rankings: Mapping[str, Ranked], weights: Mapping[str, float], k: float = 60) -> Ranked:
        """Weighted reciprocal rank fusion of what legs found."""
        scores: dict[str, float] = {}
        for leg, ranking in rankings.items():
            for position, (identity, _) in enumerate(ranking, 1):
                scores[identity] = scores.get(identity, 0.0) + weights[leg] / (k + position)
        return _ranked(scores)


def _unit(vector: Sequence[float]) -> NDArray[np.float64]:
    """A vector as it is stored: single precision, length 1."""
    given = np.asarray(vector, np.float32).astype(np.float64)
    length = math.sqrt(float((given * given).sum()))
    return (given / (length or 1.0)).astype(np.float32).astype(np.float64)


def _ranked(scores: Mapping[str, float]) -> Ranked:
    return sorted(scores.items(), key=lambda entry: (-entry[1], entry[0]))


def _passes(data: Mapping[str, object], condition: Condition) -> bool:
    return all(_holds(data.get(key), wanted) for key, wanted in condition.items())


def _holds(value: object, wanted: Bound | list[Bound] | Mapping[str, float]) -> bool:
    if isinstance(wanted, Mapping):
        return isinstance(value, int | float) and all(BOUNDS[name](value, bound) for name, bound in wanted.items())
    return value in wanted if isinstance(wanted, list) else value == wanted
