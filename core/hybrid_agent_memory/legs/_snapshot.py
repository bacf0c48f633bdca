"""The file form of a BM25 index: NumPy arrays without pickle, checked for contradictions when read."""

import json
from itertools import accumulate, pairwise
from os import PathLike
from typing import Literal, NamedTuple, TypedDict, cast
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from hybrid_agent_memory.errors import InvalidInputError

_FORMAT = 1


IdfMode = Literal["lucene", "okapi"]


class Settings(TypedDict):
    k1: float
    b: float
    epsilon: float
    idf_mode: IdfMode


class Snapshot(NamedTuple):
    """What a snapshot file holds, checked: postings of each term in turn, and the terms of each row in turn."""

    settings: Settings
    names: list[str]
    df: NDArray[np.int32]
    rows: NDArray[np.int32]
    tfs: NDArray[np.float32]
    row_terms: NDArray[np.int32]
    lengths: NDArray[np.int64]
    live: NDArray[np.bool_]

    def write(self, path: str | PathLike[str]) -> None:
        """Write the file as it is named; `read` gives the same arrays back."""
        settings = json.dumps({"format": _FORMAT, **self.settings}).encode()
        blob = "".join(self.names).encode("utf-8", "surrogatepass")
        with open(path, "wb") as file:
            np.savez(
                file,
                settings=np.frombuffer(settings, np.uint8),
                terms=np.frombuffer(blob, np.uint8),
                term_lengths=np.fromiter(map(len, self.names), np.int32, len(self.names)),
                df=self.df,
                rows=self.rows,
                tfs=self.tfs,
                row_terms=self.row_terms,
                lengths=self.lengths,
                live=self.live,
            )

    @classmethod
    def read(cls, path: str | PathLike[str]) -> "Snapshot":
        try:
            with open(path, "rb") as stream, np.load(stream, allow_pickle=False) as file:
                snapshot = cls(
                    _settings(file["settings"]),
                    _names(file["terms"], file["term_lengths"]),
                    *(file[name].astype(kind, casting="no") for name, kind in _ARRAYS.items()),
                )
            snapshot._check()
        except (ValueError, TypeError, KeyError, AttributeError, EOFError, BadZipFile) as error:
            raise InvalidInputError(
                f"{path} is not a sound index snapshot ({error}): delete it and build anew"
            ) from error
        return snapshot

    def _check(self) -> None:
        counts = {len(self.rows), len(self.tfs), len(self.row_terms), int(self.df.sum())}
        term_of = np.repeat(np.arange(len(self.names)), self.df)
        sound = (
            len(counts) == 1
            and len(self.names) == len(self.df) == len(set(self.names))
            and len(self.lengths) == len(self.live)
            and bool((self.df >= 1).all() and (self.tfs >= 1).all() and (self.lengths >= 0).all())
            and _within(self.rows, len(self.live))
            and _within(self.row_terms, len(self.names))
            and bool(((np.diff(self.rows) > 0) | (np.diff(term_of) > 0)).all())
            and bool(self.live.take(self.rows).all())
            and np.array_equal(np.bincount(self.rows, self.tfs, len(self.live)), self.lengths)
            and np.array_equal(np.bincount(self.row_terms, minlength=len(self.names)), self.df)
        )
        if not sound:
            raise ValueError("its arrays contradict each other")


_ARRAYS = {
    "df": np.int32,
    "rows": np.int32,
    "tfs": np.float32,
    "row_terms": np.int32,
    "lengths": np.int64,
    "live": np.bool_,
}


def _within(values: NDArray[np.int32], end: int) -> bool:
    return not len(values) or (int(values.min()) >= 0 and int(values.max()) < end)


def _settings(stored: NDArray[np.uint8]) -> Settings:
    settings = json.loads(stored.tobytes())
    if settings.pop("format") != _FORMAT:
        raise ValueError("another version of this package wrote it")
    if settings.keys() != Settings.__annotations__.keys():
        raise ValueError(f"its settings are {sorted(settings)}")
    return cast("Settings", settings)


def _names(blob: NDArray[np.uint8], lengths: NDArray[np.int32]) -> list[str]:
    text = blob.tobytes().decode("utf-8", "surrogatepass")
    bounds = [0, *accumulate(lengths.tolist())]
    if bounds[-1] != len(text) or lengths.min(initial=0) < 0:
        raise ValueError("its terms do not add up")
    return [text[start:end] for start, end in pairwise(bounds)]
