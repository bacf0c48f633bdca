"""LlamaIndex filters against LlamaIndex's own evaluator, and where ours does more."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from llama_index.core.vector_stores.types import FilterCondition, FilterOperator, MetadataFilter, MetadataFilters
from llama_index.core.vector_stores.utils import build_metadata_filter_fn

from hybrid_agent_memory.errors import FilterError
from hybrid_agent_memory.filters import matches, parse_filter
from llamaindex_hybrid_memory._convert import NODE_KEY
from llamaindex_hybrid_memory._filters import core_filter

Op = FilterOperator


def passes(filters: MetadataFilters, metadata: Mapping[str, object]) -> bool:
    return matches(parse_filter(core_filter(filters)), metadata)


def single(key: str, operator: Op, value: Any) -> MetadataFilter:  # noqa: ANN401
    return MetadataFilter(key=key, operator=operator, value=value)


def only(key: str, operator: Op, value: Any) -> MetadataFilters:  # noqa: ANN401
    return MetadataFilters(filters=[single(key, operator, value)])


def evaluated(filters: MetadataFilter | MetadataFilters, metadata: Mapping[str, object]) -> bool:
    """LlamaIndex's own verdict on single filters, combined here; what it raises on does not match."""
    if isinstance(filters, MetadataFilter):
        try:
            return build_metadata_filter_fn(lambda _: metadata, MetadataFilters(filters=[filters]))("id")
        except TypeError:
            return False
    verdicts = [evaluated(part, metadata) for part in filters.filters]
    if not verdicts:
        return True
    match filters.condition:
        case FilterCondition.OR:
            return any(verdicts)
        case FilterCondition.NOT:
            return not any(verdicts)
        case _:
            return all(verdicts)


keys = st.sampled_from(["a", "b"])
words = st.sampled_from(["", "x", "y", "X", "xy", "Xy", "1"])
numbers = st.sampled_from([-1, 0, 1, 2, 0.0, 0.5, 1.0])
scalars = st.one_of(words, numbers)
homogeneous = st.one_of(st.lists(words, max_size=3), st.lists(st.sampled_from([0, 1, 2]), max_size=3))
metadatas = st.dictionaries(keys, st.one_of(st.none(), st.booleans(), scalars, homogeneous))

singles = st.one_of(
    st.builds(single, keys, st.sampled_from([Op.EQ, Op.NE]), st.one_of(st.none(), scalars, homogeneous)),
    st.builds(single, keys, st.sampled_from([Op.GT, Op.GTE, Op.LT, Op.LTE, Op.CONTAINS]), scalars),
    st.builds(single, keys, st.sampled_from([Op.IN, Op.NIN, Op.ANY, Op.ALL]), homogeneous),
    st.builds(single, keys, st.sampled_from([Op.TEXT_MATCH, Op.TEXT_MATCH_INSENSITIVE]), words),
    st.builds(single, keys, st.just(Op.IS_EMPTY), st.none()),
)
conditions = st.sampled_from([*FilterCondition, None])
groups = st.builds(
    lambda parts, how: MetadataFilters(filters=parts, condition=how), st.lists(singles, max_size=3), conditions
)
nested = st.recursive(
    groups,
    lambda inner: st.builds(
        lambda parts, how: MetadataFilters(filters=parts, condition=how),
        st.lists(st.one_of(singles, inner), max_size=3),
        conditions,
    ),
    max_leaves=4,
)


def test_all_operators_and_conditions_are_covered() -> None:
    assert len(Op) == 14
    assert {condition.value for condition in FilterCondition} == {"and", "or", "not"}


@given(singles, metadatas)
def test_every_operator_means_what_llamaindex_says(filters: MetadataFilter, metadata: dict[str, object]) -> None:
    assert passes(MetadataFilters(filters=[filters]), metadata) == evaluated(filters, metadata)


@given(nested, metadatas)
def test_groups_mean_what_llamaindex_says_at_any_depth(filters: MetadataFilters, metadata: dict[str, object]) -> None:
    assert passes(filters, metadata) == evaluated(filters, metadata)


@pytest.mark.parametrize(
    ("operator", "value", "matching", "failing"),
    [
        (Op.EQ, "x", ["x"], ["xy", ["x"], None, 1]),
        (Op.EQ, 1, [1, 1.0, True], ["1", [1], None]),
        (Op.EQ, ["x", "y"], [["x", "y"]], [["y", "x"], "x", None]),
        (Op.EQ, None, [], [None, "", 0]),
        (Op.NE, "x", ["xy", ["x"], None, 1], ["x"]),
        (Op.NE, None, [None, "", 0], []),
        (Op.GT, 1, [2, 1.5], [1, True, "2", None, [2]]),
        (Op.GTE, 1, [1, True], [0.5, False]),
        (Op.LT, "b", ["a"], ["b", 0, None]),
        (Op.LTE, 1, [1, 0, False, True], [2, None]),
        (Op.IN, ["x", "y"], ["x", "y"], ["xy", "", ["x"], None]),
        (Op.IN, [0, 2], [0, 2.0, False], [1, True, "0"]),
        (Op.IN, [], [], ["x", None]),
        (Op.NIN, ["x"], ["y", None, ["x"]], ["x"]),
        (Op.NIN, [], ["x", None], []),
        (Op.ANY, ["x", "y"], [["x"], ["z", "y"], "xz"], [["z"], [], None, 1]),
        (Op.ANY, [], [], ["x", None]),
        (Op.ALL, ["x", "y"], [["y", "z", "x"], "xy"], [["x"], None]),
        (Op.ALL, [], ["x", [], 1], [None]),
        (Op.TEXT_MATCH, "ell", ["hello"], ["HELLO", ["ell"], None, 1]),
        (Op.TEXT_MATCH_INSENSITIVE, "ELL", ["hello", "Hello"], ["help", ["ell"], None]),
        (Op.CONTAINS, "x", [["x", "y"], "xy"], [["xy"], None, 1]),
        (Op.CONTAINS, 1, [[1, 2], [True]], [1, "1", ["1"]]),
        (Op.IS_EMPTY, None, [None, "", []], ["x", 0, False, ["x"]]),
    ],
    ids=str,
)
def test_what_each_operator_lets_through(
    operator: Op, value: object, matching: list[object], failing: list[object]
) -> None:
    assert [seen for seen in [*matching, *failing] if passes(only("key", operator, value), {"key": seen})] == matching


def test_a_missing_key_is_as_none() -> None:
    values = {
        Op.NE: "x",
        Op.NIN: ["x"],
        Op.IS_EMPTY: None,
        Op.EQ: "x",
        Op.IN: ["x"],
        Op.GT: 1,
        Op.CONTAINS: "x",
        Op.ALL: [],
    }
    passing = [operator for operator, value in values.items() if passes(only("key", operator, value), {})]
    assert passing == [Op.NE, Op.NIN, Op.IS_EMPTY]


@pytest.mark.parametrize("operator", [Op.IN, Op.ANY, Op.ALL])
def test_a_string_given_for_a_list_is_one_value(operator: Op) -> None:
    assert passes(only("key", operator, "xyz"), {"key": "xyz"})
    assert not passes(only("key", operator, "xyz"), {"key": "y"})
    assert passes(only("key", Op.NIN, "xyz"), {"key": "y"})


def test_record_fields_are_keys_too() -> None:
    fields = {"@id": "m1", "@session": "s1", "@time": "2024-11-05T10:00:00Z"}
    assert passes(only("@session", Op.EQ, "s1"), fields)
    assert passes(only("@id", Op.IN, ["m1", "m2"]), fields)
    assert passes(only("@time", Op.GTE, "2024-11-05"), fields)
    assert passes(only("@time", Op.LT, 2_000_000_000), fields)


def test_no_filters_let_everything_through() -> None:
    assert core_filter(None) == core_filter(MetadataFilters(filters=[])) == {}


@pytest.mark.parametrize("condition", [*FilterCondition, None])
def test_an_empty_group_lets_everything_through_under_any_condition(condition: FilterCondition | None) -> None:
    assert passes(MetadataFilters(filters=[], condition=condition), {})


@pytest.mark.parametrize(
    ("filters", "message"),
    [
        (only("key", Op.GT, None), "'key'"),
        (only("key", Op.LT, ["a"]), "'key'"),
        (only("key", Op.CONTAINS, ["a"]), "'key'"),
        (only("key", Op.TEXT_MATCH, 5), "'key'"),
        (only("key", Op.IN, None), "'key' needs a list of values"),
        (only("key", Op.ALL, None), "'key' needs a list of values"),
        (only("$or", Op.EQ, "x"), r"\$or"),
        (only("@sesion", Op.EQ, "x"), "@sesion"),
        (only(NODE_KEY, Op.NE, "x"), "adapter's own"),
    ],
    ids=str,
)
def test_a_filter_that_cannot_mean_anything_is_refused(filters: MetadataFilters, message: str) -> None:
    with pytest.raises(FilterError, match=message):
        core_filter(MetadataFilters(filters=[filters, single("a", Op.EQ, 1)], condition=FilterCondition.OR))
