"""A columnar index of metadata: from a filter to the rows that pass, in time proportional to their number.

Each key (and each dotted path into a nested mapping) is a column. A column holds, per distinct value, the rows that
have it, and the numbers, strings and instants once more in order, for ranges.
"""

import operator
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Generic, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from hybrid_agent_memory.errors import InvalidInputError
from hybrid_agent_memory.filters import (
    COMPARISONS,
    And,
    Array,
    Bool,
    Compare,
    Filter,
    Not,
    Object,
    Or,
    Order,
    Value,
    freeze,
    instant_of,
)

T = TypeVar("T", float, str, datetime)
Mask = NDArray[np.bool_]
RowArray = NDArray[np.intc]
Postings = dict[Value, "int | array[int]"]
"""Rows by value, ascending; a lone row as the bare int, since many values (ids, times) occur once."""

LATE_LIMIT: Final = 2048
"""How many entries a series scans one by one, in a tenth of a millisecond or so, before it sorts them in."""

_BOOLS: Final = {True: Bool(True), False: Bool(False)}


class Columns:
    """The metadata of a namespace's rows, by key.

    Rows are only ever added: the caller knows which of them are alive. Any number of threads may call `mask` at once,
    none while another is in `append`.

    Examples
    --------
    >>> from hybrid_agent_memory.filters import parse_filter
    >>> columns = Columns()
    >>> columns.append(0, {"service": "api", "retries": 1})
    >>> columns.append(1, {"service": "web", "retries": 4})
    >>> columns.mask(parse_filter({"retries": {"$gt": 2}}), 2).tolist()
    [False, True]
    """

    def __init__(self) -> None:
        self._columns: dict[str, _Column] = {}
        self._width = 0

    def append(self, row: int, fields: Mapping[str, object]) -> None:
        """Index one row.

        Parameters
        ----------
        row : int
            Above every row before it; rows may be left out.
        fields : mapping
            The value of each key that filters may name, dotted keys resolved: see `filters.resolve`.

        Raises
        ------
        InvalidInputError
            If the row is not above the last one.
        """
        if row < self._width:
            raise InvalidInputError(f"row {row} comes after row {self._width - 1}: append rows in ascending order")
        self._width = row + 1
        for key, value in fields.items():
            if value is None:
                continue
            self._column(key).append(row, value)

    def take_over(self, other: "Columns") -> None:
        """Add the columns of other keys, built over the same rows."""
        self._columns |= other._columns
        self._width = max(self._width, other._width)

    def mask(self, condition: Filter, size: int) -> Mask:
        """Which of the rows below `size` pass.

        Parameters
        ----------
        condition : Filter
        size : int
            The length of the mask; rows from there on are left out.

        Returns
        -------
        ndarray of bool, shape (size,)
            True at the rows for which `filters.matches` is true. At rows that were never appended it may be either.
        """
        return self._mask(condition, max(size, self._width))[:size]

    def _mask(self, condition: Filter, width: int) -> Mask:
        match condition:
            case Compare(key=key):
                column = self._columns.get(key, _NO_VALUES)
                return column.mask(condition, width)
            case And(parts):
                passing = np.ones(width, np.bool_)
                for part in parts:
                    passing &= self._mask(part, width)
                return passing
            case Or(parts):
                passing = np.zeros(width, np.bool_)
                for part in parts:
                    passing |= self._mask(part, width)
                return passing
            case Not(part):
                inner = self._mask(part, width)
                return np.logical_not(inner, out=inner)

    def _column(self, key: str) -> "_Column":
        column = self._columns.get(key)
        if column is None:
            column = self._columns[key] = _Column()
        return column


class _Column:
    """The values of one key: at most one per row, and None is none."""

    __slots__ = (
        "_elements",
        "_empty",
        "_instants",
        "_numbers",
        "_present",
        "_read_strings",
        "_scalars",
        "_strings",
        "_wholes",
    )

    def __init__(self) -> None:
        self._present = array("i")
        self._empty = array("i")
        self._scalars: Postings = {}
        self._elements: Postings = {}
        self._wholes: Postings = {}
        self._numbers: _Series[float] = _Series()
        self._strings: _Series[str] = _Series()
        self._instants: _Series[datetime] = _Series()
        self._read_strings: tuple[int, _Series[datetime]] = (0, _Series())

    def append(self, row: int, value: object) -> None:
        self._present.append(row)
        if isinstance(value, str):
            self._append_string(row, value if type(value) is str else str.__str__(value))
        elif isinstance(value, bool):
            _post(self._scalars, _BOOLS[value], row)
        elif isinstance(value, (int, float)):
            self._append_number(row, value)
        elif isinstance(value, datetime):
            self._instants.append(value, row)
        else:
            self._append_whole(row, freeze(value))

    def mask(self, condition: Compare, width: int) -> Mask:
        passing = np.zeros(width, np.bool_)
        match condition:
            case Compare(operator="in", values=members):
                self._mark_equal(passing, members)
            case Compare(operator="is_empty"):
                self._mark_missing(passing)
                passing[np.asarray(self._empty)] = True
            case Compare(operator="contains", values=(given,)):
                self._mark_containing(passing, given)
            case Compare(operator="text_match", values=(str() as given,)):
                _mark(
                    passing, (rows for text, rows in self._scalars.items() if isinstance(text, str) and given in text)
                )
            case Compare(operator="text_match_insensitive", values=(str() as given,)):
                self._mark_case_folded(passing, given.casefold())
            case Compare(operator="gt" | "gte" | "lt" | "lte" as order, values=(bound,)):
                self._mark_ordered(passing, order, bound)
        return passing

    def _append_string(self, row: int, value: str) -> None:
        _post(self._scalars, value, row)
        self._strings.append(value, row)
        if not value:
            self._empty.append(row)

    def _append_number(self, row: int, value: float) -> None:
        if value == value:  # a NaN equals nothing, itself included
            _post(self._scalars, value, row)
            self._numbers.append(value, row)

    def _append_whole(self, row: int, value: Value) -> None:
        _post(self._wholes, value, row)
        if not isinstance(value, Array):
            return
        if not value.items:
            self._empty.append(row)
        for item in value.items:
            if item is not None and not isinstance(item, (Array, Object)):
                _post(self._elements, item, row)

    def _mark_equal(self, passing: Mask, members: Iterable[Value]) -> None:
        scalars = []
        for given in members:
            if given is None:
                self._mark_missing(passing)
            elif isinstance(given, datetime):
                self._mark_instant(passing, given)
            else:
                scalars.append(given)
        tables = (self._scalars, self._elements, self._wholes)
        _mark(passing, (table[given] for table in tables for given in scalars if given in table))

    def _mark_missing(self, passing: Mask) -> None:
        missing = np.ones(len(passing), np.bool_)
        missing[np.asarray(self._present)] = False
        passing |= missing

    def _mark_instant(self, passing: Mask, given: datetime) -> None:
        for series in (self._instants, self._strings_as_instants()):
            passing[series.rows("eq", given)] = True
        self._mark_element_instant(passing, given)

    def _mark_element_instant(self, passing: Mask, given: datetime) -> None:
        _mark(passing, (rows for element, rows in self._elements.items() if instant_of(element) == given))

    def _mark_containing(self, passing: Mask, given: Value) -> None:
        if isinstance(given, datetime):
            self._mark_element_instant(passing, given)
        elif given in self._elements:
            _mark(passing, [self._elements[given]])
        if isinstance(given, str):
            _mark(passing, (rows for text, rows in self._scalars.items() if isinstance(text, str) and given in text))

    def _mark_case_folded(self, passing: Mask, folded: str) -> None:
        texts = ((text, rows) for text, rows in self._scalars.items() if isinstance(text, str))
        _mark(passing, (rows for text, rows in texts if folded in text.casefold()))

    def _mark_ordered(self, passing: Mask, order: Order, bound: Value) -> None:
        if isinstance(bound, datetime):
            for series in (self._instants, self._strings_as_instants()):
                passing[series.rows(order, bound)] = True
        elif isinstance(bound, str):
            passing[self._strings.rows(order, bound)] = True
        elif isinstance(bound, int | float):
            passing[self._numbers.rows(order, bound)] = True

    def _strings_as_instants(self) -> "_Series[datetime]":
        """Read the ISO 8601 strings, each once and not before a datetime asks for them."""
        done, series = self._read_strings
        if done < len(self._strings):
            series = series.extended(_instants(self._strings.entries(done)))
            self._read_strings = len(self._strings), series
        return series


@dataclass(frozen=True, slots=True)
class _Sorted(Generic[T]):
    """Entries by value: `rows[i]` has `values[i]`."""

    values: list[T]
    rows: RowArray

    def span(self, order: Order | Literal["eq"], bound: T) -> slice:
        match order:
            case "gt":
                return slice(bisect_right(self.values, bound), None)
            case "gte":
                return slice(bisect_left(self.values, bound), None)
            case "lt":
                return slice(bisect_left(self.values, bound))
            case "lte":
                return slice(bisect_right(self.values, bound))
            case "eq":
                return slice(bisect_left(self.values, bound), bisect_right(self.values, bound))

    def merged(self, values: list[T], rows: RowArray) -> "_Sorted[T]":
        all_values = self.values + values
        by_value = sorted(range(len(all_values)), key=all_values.__getitem__)  # near linear: the first run is sorted
        return _Sorted([all_values[i] for i in by_value], np.concatenate((self.rows, rows))[by_value])


_NOTHING_SORTED: Final[_Sorted[Any]] = _Sorted([], np.empty(0, np.intc))


class _Series(Generic[T]):
    """The values of one type in a column, one a row, and the rows in any range of them.

    Most are kept sorted, the latest are scanned. Readers may sort at the same time: each replaces the index whole.
    """

    __slots__ = ("_rows", "_sorted", "_values")

    def __init__(self) -> None:
        self._values: list[T] = []
        self._rows = array("i")
        self._sorted: _Sorted[T] = _NOTHING_SORTED

    def __len__(self) -> int:
        return len(self._values)

    def append(self, value: T, row: int) -> None:
        self._values.append(value)
        self._rows.append(row)

    def entries(self, start: int) -> Iterator[tuple[T, int]]:
        return zip(self._values[start:], self._rows[start:], strict=True)

    def extended(self, entries: Iterable[tuple[T, int]]) -> "_Series[T]":
        """Copy the series and append to the copy."""
        longer: _Series[T] = _Series()
        longer._values, longer._rows, longer._sorted = self._values[:], self._rows[:], self._sorted
        for value, row in entries:
            longer.append(value, row)
        return longer

    def rows(self, order: Order | Literal["eq"], bound: T) -> RowArray:
        index = self._index()
        compare = operator.eq if order == "eq" else COMPARISONS[order]
        late = [row for value, row in self.entries(len(index.values)) if compare(value, bound)]
        return np.concatenate((index.rows[index.span(order, bound)], np.array(late, np.intc)))

    def _index(self) -> _Sorted[T]:
        index = self._sorted
        done = len(index.values)
        if len(self._values) - done > LATE_LIMIT:
            index = index.merged(self._values[done:], np.array(self._rows[done:], np.intc))
            self._sorted = index
        return index


def _post(postings: Postings, value: Value, row: int) -> None:
    rows = postings.get(value)
    if rows is None:
        postings[value] = row
    elif isinstance(rows, int):
        if rows != row:
            postings[value] = array("i", (rows, row))
    elif rows[-1] != row:
        rows.append(row)


def _mark(passing: Mask, postings: Iterable["int | array[int]"]) -> None:
    marked = array("i")
    for rows in postings:
        if isinstance(rows, int):
            marked.append(rows)
        else:
            marked.extend(rows)
    passing[np.asarray(marked)] = True


def _instants(entries: Iterable[tuple[str, int]]) -> Iterator[tuple[datetime, int]]:
    read: dict[str, datetime | None] = {}
    for text, row in entries:
        if text not in read:
            read[text] = instant_of(text)
        instant = read[text]
        if instant is not None:
            yield instant, row


_NO_VALUES: Final = _Column()
