"""LlamaIndex `MetadataFilters` to the core's filter language, meaning kept.

Two meanings differ between the languages and are made up for here. In LlamaIndex a scalar is never equal to a list,
where in the core it is equal to an element; and 1 and 0 are equal to bools, which is the only way to ask for a bool,
since a filter cannot hold one.
"""

import operator
from collections.abc import Callable, Mapping
from typing import Any, Final

from llama_index.core.vector_stores.types import FilterCondition, FilterOperator, MetadataFilter, MetadataFilters

from hybrid_agent_memory.errors import FilterError
from hybrid_agent_memory.filters import parse_filter
from llamaindex_hybrid_memory._convert import NODE_KEY

CoreFilter = dict[str, object]
Scalar = str | int | float
Operand = Scalar | list[str] | list[int] | list[float] | None


def core_filter(filters: MetadataFilters | None) -> CoreFilter:
    """Translate filters, nested or not.

    All 14 operators and the conditions and, or, not (none of them holds) mean what LlamaIndex's own evaluator says,
    except that it raises where ours do not match (values of different types, text operators on anything but a string)
    or do more (nesting), and that a string given to `in`, `nin`, `any` or `all` is one value and not its characters.

    Parameters
    ----------
    filters : MetadataFilters or None
        Keys are metadata keys, or the record fields ``@id @time @session @source @speaker``.

    Returns
    -------
    dict
        In the core's filter language; empty when everything passes.

    Raises
    ------
    FilterError
        If an operator cannot take its value (an order on a list or None, a text match on a number), a key cannot be
        filtered on, or it is no `MetadataFilters` at all.

    Examples
    --------
    >>> core_filter(MetadataFilters(filters=[MetadataFilter(key="year", value=2024, operator=FilterOperator.GTE)]))
    {'year': {'$gte': 2024}}
    """
    if filters is None:
        return {}
    if not isinstance(filters, MetadataFilters):
        raise FilterError(f"filters is a {type(filters).__name__}: give LlamaIndex MetadataFilters")
    translated = _group(filters)
    parse_filter(translated)
    return translated


def _group(filters: MetadataFilters) -> CoreFilter:
    if not filters.filters:
        return {}
    parts = [_group(part) if isinstance(part, MetadataFilters) else _single(part) for part in filters.filters]
    match filters.condition:
        case FilterCondition.OR:
            return _any(parts)
        case FilterCondition.NOT:
            return {"$not": _any(parts)}
        case _:
            return _all(parts)


def _single(single: MetadataFilter) -> CoreFilter:
    if single.key == NODE_KEY:
        raise FilterError(f"{NODE_KEY!r} holds this adapter's own data and cannot be filtered on")
    if single.operator not in _TRANSLATIONS:
        raise FilterError(f"filter operator {single.operator.value!r} on {single.key!r} has no translation")
    return _TRANSLATIONS[single.operator](single.key, single.value)


def _equal(key: str, value: Operand) -> CoreFilter:
    if isinstance(value, list):
        return {key: {"$eq": value}}
    return _among(key, [] if value is None else [value])


def _among(key: str, values: list[Scalar]) -> CoreFilter:
    if not values:
        return {key: {"$in": []}}
    no_list = {"$gte": min(values)}
    bools = [_scalar_bool(key, flag) for flag in _bools(key) if flag in values]
    return _any([{key: {"$in": values, **no_list}}, *bools])


def _in_order(name: str, holds: Callable[[Any, Any], bool]) -> Callable[[str, Operand], CoreFilter]:
    def translate(key: str, value: Operand) -> CoreFilter:
        flags = _bools(key) if isinstance(value, int | float) else ()
        return _any([{key: {name: value}}, *(_scalar_bool(key, flag) for flag in flags if holds(flag, value))])

    return translate


def _contains(key: str, value: Operand) -> CoreFilter:
    return _any([{key: {"$contains": same}} for same in (value, *(flag for flag in _bools(key) if flag == value))])


def _contains_any(key: str, value: Operand) -> CoreFilter:
    members = _members(key, value)
    return _any([_contains(key, member) for member in members]) if members else _among(key, [])


def _contains_all(key: str, value: Operand) -> CoreFilter:
    return _all([{key: {"$exists": True}}, *(_contains(key, member) for member in _members(key, value))])


def _negated(translate: Callable[[str, Operand], CoreFilter]) -> Callable[[str, Operand], CoreFilter]:
    return lambda key, value: {"$not": translate(key, value)}


_TRANSLATIONS: Final[Mapping[FilterOperator, Callable[[str, Operand], CoreFilter]]] = {
    FilterOperator.EQ: _equal,
    FilterOperator.NE: _negated(_equal),
    FilterOperator.IN: lambda key, value: _among(key, _members(key, value)),
    FilterOperator.NIN: _negated(lambda key, value: _among(key, _members(key, value))),
    FilterOperator.GT: _in_order("$gt", operator.gt),
    FilterOperator.GTE: _in_order("$gte", operator.ge),
    FilterOperator.LT: _in_order("$lt", operator.lt),
    FilterOperator.LTE: _in_order("$lte", operator.le),
    FilterOperator.CONTAINS: _contains,
    FilterOperator.ANY: _contains_any,
    FilterOperator.ALL: _contains_all,
    FilterOperator.TEXT_MATCH: lambda key, value: {key: {"$text_match": value}},
    FilterOperator.TEXT_MATCH_INSENSITIVE: lambda key, value: {key: {"$text_match_insensitive": value}},
    FilterOperator.IS_EMPTY: lambda key, value: {key: {"$is_empty": True}},
}


def _members(key: str, value: Operand) -> list[Scalar]:
    if value is None:
        raise FilterError(f"the filter on {key!r} needs a list of values, not None")
    return list(value) if isinstance(value, list) else [value]


def _bools(key: str) -> tuple[bool, ...]:
    """The bools a number may equal; record fields hold none."""
    return () if key.startswith("@") else (False, True)


def _scalar_bool(key: str, flag: bool) -> CoreFilter:
    return {key: {"$eq": flag, "$not": {"$contains": flag}}}


def _all(parts: list[CoreFilter]) -> CoreFilter:
    conditions = [part for part in parts if part]
    return conditions[0] if len(conditions) == 1 else {"$and": conditions} if conditions else {}


def _any(parts: list[CoreFilter]) -> CoreFilter:
    return parts[0] if len(parts) == 1 else {"$or": parts}
