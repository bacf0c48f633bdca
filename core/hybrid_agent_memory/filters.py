"""The filter language: which records may be found, as plain mappings read into a frozen expression.

A filter is a mapping. Its keys are metadata keys, record fields or connectives, all of which must hold::

    {"environment": "production", "retries": {"$gte": 2, "$lt": 5}, "$or": [{"service": "api"}, {"@session": "s1"}]}

================================== ============================================================================
written                            passes when
================================== ============================================================================
``{key: v}``, ``$eq``              the value equals v, or is a list with an element that equals v. v None: the
                                   key is missing or None. v a list or mapping (only spelled ``$eq``): the whole
                                   value equals v
``{key: [v, …]}``, ``$in``         ``$eq`` holds for one v; with an empty list, never
``$ne`` (``$neq``), ``$nin``       ``$eq``, ``$in`` does not hold
``$gt $gte $lt $lte``              both are numbers, strings (by code point) or instants, in that order; lists never
``$contains``                      the value is a list with an element equal to v, or a string with v in it
``$any``                           one v equals the value or an element of it; with an empty list, never
``$all``                           each v equals the value or an element of it; with an empty list, where the key
                                   has a value
``$text_match``                    the value is a string with v in it
``$text_match_insensitive``        the same, both case-folded
``$exists: true``                  the key has a value other than None; ``false``: it has none
``$is_empty: true``                the key is missing, or its value is None, ``""`` or ``[]``; ``false``: it is not
``{key: {"$not": {…}}}``           the operators in it do not all hold
``$and: [filter, …]``              all hold; with an empty list, always
``$or: [filter, …]``               one holds; an empty list is refused
``$not: filter``                   it does not hold
================================== ============================================================================

Logic is two-valued: an operator holds or it does not, and a negation is exactly the complement. A missing key is the
same as None, and only ``$eq None``, ``$ne``, ``$nin``, ``$not``, ``$exists: false`` and ``$is_empty: true`` hold for
it. Values of different types never match (so ``$ne`` holds): a bool is not a number, while ints and floats compare by
exact value.

A datetime compares as an instant, with ``@time`` and with the ISO 8601 strings in metadata; without an offset it means
UTC. A string compares with metadata as a string. ``@time`` is always an instant: ISO 8601 strings and epoch seconds are
read as one.

``@id @time @session @source @speaker`` are fields of the record; any other key that starts with ``@`` is refused, and
so is an unknown key that starts with ``$``. ``"a.b"`` is the key of that name where the metadata has one, otherwise the
key ``b`` of the mapping under ``a``; lists are not walked.
"""

import math
import operator
import reprlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple

from hybrid_agent_memory.errors import FilterError, InvalidInputError
from hybrid_agent_memory.times import parse_time

RECORD_FIELDS: Final = ("@id", "@time", "@session", "@source", "@speaker")
MAX_DEPTH: Final = 64

Order = Literal["gt", "gte", "lt", "lte"]
Operator = Literal["in", "contains", "text_match", "text_match_insensitive", "is_empty"] | Order


# Tuples hash several times faster than dataclasses, and the fields' types keep these three from ever being equal.


class Bool(NamedTuple):
    """A truth value, kept apart from 1 and 0, which Python calls equal to it."""

    value: bool


class Array(NamedTuple):
    """A whole list."""

    items: tuple["Value", ...]


class Object(NamedTuple):
    """A whole mapping; order is of no account."""

    items: frozenset[tuple[str, "Value"]]


Value = str | int | float | datetime | None | Bool | Array | Object
"""A hashable value that equals another exactly when the filter language says so. Instants are in UTC."""


@dataclass(frozen=True, slots=True)
class Compare:
    """One operator on one key. `$eq`, `$any` and `in` are one operator, ``in``; what is negated stands under `Not`.

    `values` has any number of members for ``in`` (scalars, None, whole lists and mappings), none for ``is_empty``, and
    one for the others: a string for the text operators, a scalar for ``contains``, a number, string or instant to order
    by.
    """

    key: str
    operator: Operator
    values: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class And:
    """All of the parts; without parts, everything."""

    parts: tuple["Filter", ...]


@dataclass(frozen=True, slots=True)
class Or:
    """At least one of the parts."""

    parts: tuple["Filter", ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The complement of the part."""

    part: "Filter"


Filter = Compare | And | Or | Not
"""A frozen, hashable filter: equal ones pass the same records, so a mask may be kept under it."""

COMPARISONS: Final[Mapping[Order, Callable[[Any, Any], bool]]] = {  # of two values of one type
    "gt": operator.gt,
    "gte": operator.ge,
    "lt": operator.lt,
    "lte": operator.le,
}


def parse_filter(mapping: Mapping[str, object] | Filter | None) -> Filter | None:
    """Read a filter, once, into a form that later changes to the mapping do not touch.

    Parameters
    ----------
    mapping : mapping, Filter or None
        As the module describes. A filter that was read before is returned as it is.

    Returns
    -------
    Filter or None
        None for None and for a filter without a condition, such as ``{}``: everything passes.

    Raises
    ------
    FilterError
        If a key, an operator or a value is not one the language has, or it is nested more than 64 deep.

    Examples
    --------
    >>> parse_filter({"service": ["api", "web"]})
    Compare(key='service', operator='in', values=('api', 'web'))
    >>> parse_filter({"service": {"$regex": "a.i"}})
    Traceback (most recent call last):
        ...
    hybrid_agent_memory.errors.FilterError: unknown operator '$regex' on 'service': use one of $all $any $contains $eq \
$exists $gt $gte $in $is_empty $lt $lte $ne $neq $nin $not $text_match $text_match_insensitive
    """
    if mapping is None or isinstance(mapping, Filter):
        return mapping
    parsed = _parse(mapping, 1)
    return None if parsed == And(()) else parsed


def matches(condition: Filter | None, fields: Mapping[str, object]) -> bool:
    """Whether one record passes.

    Parameters
    ----------
    condition : Filter or None
        None passes everything.
    fields : mapping
        The metadata (JSON values) and, under ``@id``, ``@time`` and so on, the record fields; ``@time`` is an aware
        datetime or None.

    Returns
    -------
    bool

    Examples
    --------
    >>> recent = parse_filter({"@time": {"$gte": "2024-11-01"}, "tags": "billing"})
    >>> matches(recent, {"@time": parse_time("2024-11-05"), "tags": ["billing", "urgent"]})
    True
    """
    match condition:
        case None:
            return True
        case And(parts):
            return all(matches(part, fields) for part in parts)
        case Or(parts):
            return any(matches(part, fields) for part in parts)
        case Not(part):
            return not matches(part, fields)
        case Compare():
            return holds(condition, resolve(fields, condition.key))


def conjunction(first: Filter | None, second: Filter | None) -> Filter | None:
    """Join two filters into what passes both; None passes everything.

    Returns
    -------
    Filter or None

    Examples
    --------
    >>> conjunction(None, parse_filter({"a": 1}))
    Compare(key='a', operator='in', values=(1,))
    """
    present = [part for part in (first, second) if part is not None]
    return _all_of(present) if present else None


def keys_in(condition: Filter | None) -> frozenset[str]:
    """The keys that a filter looks at.

    Examples
    --------
    >>> sorted(keys_in(parse_filter({"$or": [{"a": 1}, {"$not": {"b.c": 2}}]})))
    ['a', 'b.c']
    """
    match condition:
        case None:
            return frozenset()
        case Compare(key=key):
            return frozenset((key,))
        case Not(part):
            return keys_in(part)
        case And(parts) | Or(parts):
            return frozenset[str]().union(*map(keys_in, parts))


def resolve(fields: Mapping[str, object], key: str) -> object:
    """Look up a key, which may be dotted.

    Returns
    -------
    object
        The value, or None when there is none.

    Examples
    --------
    >>> resolve({"user": {"city": "Oslo"}}, "user.city")
    'Oslo'
    """
    if key in fields:
        return fields[key]
    value: object = fields
    for part in key.split("."):
        if not isinstance(value, Mapping):
            return None
        value = value.get(part)
    return value


def holds(condition: Compare, value: object) -> bool:
    """Whether one operator holds for the value of its key.

    Parameters
    ----------
    condition : Compare
    value : object
        A JSON value or datetime; None stands for a missing key.

    Returns
    -------
    bool

    Examples
    --------
    >>> holds(Compare("retries", "gt", (2,)), 3)
    True
    """
    match condition:
        case Compare(operator="in", values=members):
            return any(_equal(value, given) for given in members)
        case Compare(operator="is_empty"):
            return value is None or (isinstance(value, str | list | tuple) and not value)
        case Compare(operator="contains", values=(str() as given,)) if isinstance(value, str):
            return given in value
        case Compare(operator="contains", values=(given,)):
            return isinstance(value, list | tuple) and _equal(value, given)
        case Compare(operator="text_match", values=(str() as given,)):
            return isinstance(value, str) and given in value
        case Compare(operator="text_match_insensitive", values=(str() as given,)):
            return isinstance(value, str) and given.casefold() in value.casefold()
        case Compare(operator="gt" | "gte" | "lt" | "lte" as order, values=(bound,)):
            comparable = _comparable(value, bound)
            return comparable is not None and COMPARISONS[order](comparable, bound)
    return False


def freeze(value: object) -> Value:
    """Put a JSON value or datetime in the form in which values are compared.

    Returns
    -------
    Value

    Raises
    ------
    InvalidInputError
        If it, or something in it, is neither.

    Examples
    --------
    >>> freeze([1, True]) == freeze([1.0, True]) != freeze([1, 1])
    True
    """
    if value is None or type(value) is str:
        return value
    if isinstance(value, (list, tuple)):
        return Array(tuple([freeze(member) for member in value]))
    if isinstance(value, bool):
        return Bool(value)
    if isinstance(value, (int, float)):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, Mapping):
        return Object(frozenset((str(key), freeze(member)) for key, member in value.items()))
    if isinstance(value, datetime):
        return parse_time(value)
    raise InvalidInputError(f"{_show(value)} cannot be filtered on: metadata takes JSON values")


def instant_of(value: object) -> datetime | None:
    """Read a datetime or an ISO 8601 string as an instant.

    Returns
    -------
    datetime or None
        In UTC; None for anything else.

    Examples
    --------
    >>> instant_of("2024-11-05T08:00+08:00")
    datetime.datetime(2024, 11, 5, 0, 0, tzinfo=datetime.timezone.utc)
    """
    if not isinstance(value, str | datetime):
        return None
    try:
        return parse_time(value)
    except InvalidInputError:
        return None


def _equal(value: object, given: Value) -> bool:
    if given is None:
        return value is None
    if isinstance(given, Array | Object):
        return freeze(value) == given
    candidates = value if isinstance(value, list | tuple) else (value,)
    read = instant_of if isinstance(given, datetime) else freeze
    return any(read(candidate) == given for candidate in candidates)


def _comparable(value: object, bound: Value) -> str | int | float | datetime | None:
    """Give the value as something of the bound's type, or None."""
    if isinstance(bound, datetime):
        return instant_of(value)
    if isinstance(bound, str):
        return value if isinstance(value, str) else None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


# Reading


def _parse(mapping: object, depth: int) -> Filter:
    if not isinstance(mapping, Mapping):
        raise FilterError(f'a filter is a mapping such as {{"service": "api"}}, not {_show(mapping)}')
    _check_depth(depth)
    return _all_of([_parse_entry(key, given, depth) for key, given in mapping.items()])


def _parse_entry(key: object, given: object, depth: int) -> Filter:
    if not isinstance(key, str):
        raise FilterError(f"a filter key is a string, not {_show(key)}")
    key = str.__str__(key)
    if key == "$and":
        return _all_of(_parse_list(key, given, depth))
    if key == "$or":
        return _any_of(_parse_list(key, given, depth))
    if key == "$not":
        return Not(_parse(given, depth + 1))
    if key.startswith("$"):
        raise FilterError(f"unknown operator {key!r} where a key is due: use $and $or $not or a metadata key")
    if key.startswith("@") and key not in RECORD_FIELDS:
        raise FilterError(f"unknown record field {key!r}: use one of {' '.join(RECORD_FIELDS)}")
    if isinstance(given, Mapping):
        return _parse_operators(key, given, depth + 1)
    if isinstance(given, list | tuple | set | frozenset):
        return _in(key, "$in", given)
    return _eq(key, "$eq", given)


def _parse_list(connective: str, given: object, depth: int) -> list[Filter]:
    if not isinstance(given, list | tuple):
        raise FilterError(f"{connective} takes a list of filters, not {_show(given)}")
    return [_parse(part, depth + 1) for part in given]


def _parse_operators(key: str, operators: Mapping[object, object], depth: int) -> Filter:
    _check_depth(depth)
    if not operators:
        raise FilterError(f'{key!r} has no operator: write {{"$eq": {{}}}} to ask for an empty mapping')
    return _all_of([_parse_operator(key, name, given, depth) for name, given in operators.items()])


def _parse_operator(key: str, name: object, given: object, depth: int) -> Filter:
    if name == "$not":
        if not isinstance(given, Mapping):
            raise _malformed(key, "$not", given, 'operators, as in {"$not": {"$gt": 3}}')
        return Not(_parse_operators(key, given, depth + 1))
    reader = _READERS.get(name) if isinstance(name, str) else None
    if reader is None:
        raise _unknown_operator(key, name)
    return reader(key, str(name), given)


def _all_of(parts: list[Filter]) -> Filter:
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, And) else (part,))]
    return flat[0] if len(flat) == 1 else And(tuple(flat))


def _any_of(parts: list[Filter]) -> Filter:
    if not parts:
        raise FilterError("$or has no alternatives: give at least one filter, or leave $or out")
    if And(()) in parts:
        return And(())
    return parts[0] if len(parts) == 1 else Or(tuple(parts))


def _eq(key: str, name: str, given: object) -> Filter:
    return Compare(key, "in", (_equatable(key, name, given),))


def _in(key: str, name: str, given: object) -> Filter:
    members = (_equatable(key, name, member) for member in _members(key, name, given))
    return Compare(key, "in", tuple(dict.fromkeys(members)))


def _any(key: str, name: str, given: object) -> Filter:
    return Compare(key, "in", tuple(dict.fromkeys(_elements(key, name, given))))


def _all(key: str, name: str, given: object) -> Filter:
    elements = _elements(key, name, given)
    return _all_of([Compare(key, "in", (element,)) for element in elements]) if elements else _present(key)


def _ordered(order: Order) -> Callable[[str, str, object], Filter]:
    def read(key: str, name: str, given: object) -> Filter:
        if given is None or isinstance(given, bool | list | tuple | Mapping):
            raise _malformed(key, name, given, "a number, a string or a datetime")
        return Compare(key, order, (_equatable(key, name, given),))

    return read


def _contains(key: str, name: str, given: object) -> Filter:
    return Compare(key, "contains", (_element(key, name, given),))


def _text(match: Literal["text_match", "text_match_insensitive"]) -> Callable[[str, str, object], Filter]:
    def read(key: str, name: str, given: object) -> Filter:
        if not isinstance(given, str):
            raise _malformed(key, name, given, "a string")
        return Compare(key, match, (str.__str__(given),))

    return read


def _exists(key: str, name: str, given: object) -> Filter:
    return _present(key) if _flag(key, name, given) else Compare(key, "in", (None,))


def _is_empty(key: str, name: str, given: object) -> Filter:
    empty = Compare(key, "is_empty")
    return empty if _flag(key, name, given) else Not(empty)


def _present(key: str) -> Filter:
    return Not(Compare(key, "in", (None,)))


def _negated(read: Callable[[str, str, object], Filter]) -> Callable[[str, str, object], Filter]:
    return lambda key, name, given: Not(read(key, name, given))


_READERS: Final[Mapping[str, Callable[[str, str, object], Filter]]] = {
    "$eq": _eq,
    "$ne": _negated(_eq),
    "$neq": _negated(_eq),
    "$gt": _ordered("gt"),
    "$gte": _ordered("gte"),
    "$lt": _ordered("lt"),
    "$lte": _ordered("lte"),
    "$in": _in,
    "$nin": _negated(_in),
    "$contains": _contains,
    "$any": _any,
    "$all": _all,
    "$exists": _exists,
    "$is_empty": _is_empty,
    "$text_match": _text("text_match"),
    "$text_match_insensitive": _text("text_match_insensitive"),
}


def _members(key: str, name: str, given: object) -> list[object]:
    if not isinstance(given, list | tuple | set | frozenset):
        raise _malformed(key, name, given, "a list")
    return list(given)


def _elements(key: str, name: str, given: object) -> list[Value]:
    read = _instant if key == "@time" else _element
    return [read(key, name, member) for member in _members(key, name, given)]


def _flag(key: str, name: str, given: object) -> bool:
    if not isinstance(given, bool):
        raise _malformed(key, name, given, "true or false")
    return given


def _equatable(key: str, name: str, given: object) -> Value:
    if given is None:
        return None
    if key == "@time":
        return _instant(key, name, given)
    if isinstance(given, list | tuple | Mapping):
        return _whole(key, name, given, 1)
    return _element(key, name, given)


def _element(key: str, name: str, given: object) -> Value:
    """Read a scalar other than None."""
    if isinstance(given, datetime):
        return _instant(key, name, given)
    if isinstance(given, bool):
        return Bool(given)
    if isinstance(given, int):
        return int(given)
    if isinstance(given, str):
        return str.__str__(given)
    if isinstance(given, float) and not math.isnan(given):
        return float(given)
    raise _malformed(key, name, given, "a string, a number other than NaN, a bool or a datetime")


def _whole(key: str, name: str, given: object, depth: int) -> Value:
    _check_depth(depth)
    if given is None:
        return None
    if isinstance(given, list | tuple):
        return Array(tuple(_whole(key, name, member, depth + 1) for member in given))
    if isinstance(given, Mapping):
        return Object(frozenset(_member(key, name, pair, depth) for pair in given.items()))
    if isinstance(given, datetime):
        raise _malformed(key, name, given, "an ISO 8601 string for a time inside a list or mapping")
    return _element(key, name, given)


def _member(key: str, name: str, pair: tuple[object, object], depth: int) -> tuple[str, Value]:
    inner, given = pair
    if not isinstance(inner, str):
        raise _malformed(key, name, inner, "strings as the keys of a mapping")
    return str.__str__(inner), _whole(key, name, given, depth + 1)


def _instant(key: str, name: str, given: object) -> datetime:
    needed = "a datetime, an ISO 8601 string or epoch seconds"
    if not isinstance(given, datetime | str | int | float):
        raise _malformed(key, name, given, needed)
    try:
        return parse_time(given, name=key)
    except ValueError as error:
        raise _malformed(key, name, given, needed) from error


def _check_depth(depth: int) -> None:
    if depth > MAX_DEPTH:
        raise FilterError(f"the filter is nested more than {MAX_DEPTH} deep: use one $and or $or with a longer list")


def _unknown_operator(key: str, name: object) -> FilterError:
    known = " ".join(sorted([*_READERS, "$not"]))
    nested = isinstance(name, str) and not name.startswith("$")
    hint = f"; a nested key is written {_show(f'{key}.{name}')}" if nested else ""
    return FilterError(f"unknown operator {_show(name)} on {key!r}: use one of {known}{hint}")


def _malformed(key: str, name: str, given: object, needed: str) -> FilterError:
    return FilterError(f"{name} on {key!r} cannot take {_show(given)}: give {needed}")


def _show(value: object) -> str:
    """Quote a value briefly, whatever its size or depth."""
    try:
        return _BRIEF.repr(value)
    except ValueError:  # an int too long to print
        return f"a huge {type(value).__name__}"


_BRIEF: Final = reprlib.Repr()
_BRIEF.maxstring = _BRIEF.maxother = _BRIEF.maxlong = 80
