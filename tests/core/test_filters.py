"""The filter language, sentence by sentence."""

from datetime import UTC, datetime, timedelta, timezone
from enum import Enum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybrid_agent_memory.errors import FilterError, InvalidInputError
from hybrid_agent_memory.filters import And, Compare, Not, conjunction, freeze, holds, matches, parse_filter

NOON = datetime(2024, 11, 5, 12, tzinfo=UTC)
HUGE = 2**53

RECORD = {
    "service": "payments-api",
    "retries": 2,
    "ratio": 2.5,
    "huge": HUGE + 1,
    "live": True,
    "nothing": None,
    "blank": "",
    "tags": ["billing", 7, True, None],
    "bare": [],
    "seen": "2024-11-05T13:00:00+01:00",
    "spans": ["2024-11-05T12:00:00Z", "later"],
    "user": {"city": "Oslo", "visits": 3, "home.page": "x"},
    "user.city": "Bergen",
    "a.b": {"c": 1},
    "empty": {},
    "unknown": float("nan"),
    "street": "Hauptstraße",
    "@id": "r1",
    "@time": NOON,
    "@session": "s1",
    "@source": None,
    "@speaker": "ana",
}

PASSING: list[dict[str, object]] = [
    # equality
    {"service": "payments-api"},
    {"service": {"$eq": "payments-api"}},
    {"tags": "billing"},
    {"tags": 7},
    {"tags": True},
    {"nothing": None},
    {"no_such_key": None},
    {"tags": {"$eq": ["billing", 7.0, True, None]}},
    {"bare": {"$eq": []}},
    {"user": {"$eq": {"visits": 3.0, "home.page": "x", "city": "Oslo"}}},
    {"empty": {"$eq": {}}},
    {"service": {"$ne": "other"}},
    {"service": {"$neq": "other"}},
    {"no_such_key": {"$ne": "other"}},
    {"nothing": {"$ne": "other"}},
    {"service": {"$ne": None}},
    # in
    {"service": ["web", "payments-api"]},
    {"service": ("web", "payments-api")},
    {"service": {"$in": {"payments-api"}}},
    {"tags": {"$in": ["x", 7]}},
    {"no_such_key": {"$in": ["x", None]}},
    {"bare": {"$in": [[], "x"]}},
    {"service": {"$nin": ["web"]}},
    {"no_such_key": {"$nin": ["web"]}},
    {"service": {"$nin": []}},
    # types
    {"retries": 2.0},
    {"retries": {"$ne": "2"}},
    {"live": True},
    {"live": {"$ne": 1}},
    {"retries": {"$ne": True}},
    {"huge": {"$ne": float(HUGE)}},
    {"unknown": {"$exists": True}},
    # order
    {"retries": {"$gt": 1, "$lt": 2.5}},
    {"retries": {"$gte": 2, "$lte": 2}},
    {"huge": {"$gt": float(HUGE)}},
    {"ratio": {"$lt": float("inf")}},
    {"service": {"$gt": "pay"}},
    {"service": {"$gt": "Z"}},
    # lists and text
    {"tags": {"$contains": "billing"}},
    {"service": {"$contains": "ments"}},
    {"service": {"$contains": ""}},
    {"tags": {"$any": ["x", "billing"]}},
    {"service": {"$any": ["x", "payments-api"]}},
    {"tags": {"$all": ["billing", 7]}},
    {"service": {"$all": ["payments-api"]}},
    {"service": {"$all": []}},
    {"service": {"$text_match": "ments-a"}},
    {"service": {"$text_match_insensitive": "PAYMENTS"}},
    {"street": {"$text_match_insensitive": "STRASSE"}},
    # presence
    {"service": {"$exists": True}},
    {"no_such_key": {"$exists": False}},
    {"nothing": {"$exists": False}},
    {"no_such_key": {"$is_empty": True}},
    {"nothing": {"$is_empty": True}},
    {"blank": {"$is_empty": True}},
    {"bare": {"$is_empty": True}},
    {"retries": {"$is_empty": False}},
    {"empty": {"$is_empty": False}},
    # time
    {"@time": NOON},
    {"@time": "2024-11-05T13:00+01:00"},
    {"@time": NOON.timestamp()},
    {"@time": ["2020-01-01", NOON]},
    {"@time": {"$gte": "2024-11-05", "$lt": "2024-11-06"}},
    {"@time": {"$any": ["2024-11-05T12:00"]}},
    {"@time": {"$all": [NOON]}},
    {"seen": NOON},
    {"seen": datetime(2024, 11, 5, 12)},
    {"seen": {"$gt": NOON - timedelta(seconds=1)}},
    {"seen": {"$lte": NOON.astimezone(timezone(timedelta(hours=9)))}},
    {"seen": {"$gt": "2024-11-05T12:30:00Z"}},
    {"seen": {"$ne": "2024-11-05T12:00:00Z"}},
    {"spans": NOON},
    {"spans": {"$contains": NOON}},
    # keys
    {"user.visits": 3},
    {"user.city": "Bergen"},
    {"a.b": {"$eq": {"c": 1}}},
    {"@id": "r1", "@session": "s1", "@speaker": ["ana", "bo"]},
    {"@source": None},
    # connectives
    {"service": "payments-api", "retries": 2},
    {"$and": [{"retries": 2}, {"live": True}]},
    {"$and": []},
    {"$or": [{"retries": 9}, {"live": True}]},
    {"$or": [{"retries": 9}, {}]},
    {"$not": {"retries": 9}},
    {"$not": {"no_such_key": {"$gt": 1}}},
    {"retries": {"$not": {"$gt": 1, "$lt": 2}}},
    {"$not": {"$or": [{"retries": 9}, {"$not": {"live": True}}]}},
    {"$and": [{"$or": [{"retries": 9}, {"retries": 2}]}, {"$not": {"$and": [{"retries": 2}, {"live": False}]}}]},
]

FAILING: list[dict[str, object]] = [
    # equality
    {"service": "payments"},
    {"tags": "bill"},
    {"service": None},
    {"tags": None},
    {"blank": None},
    {"tags": {"$eq": ["billing"]}},
    {"tags": {"$eq": ["billing", 7, 1, None]}},
    {"user": {"$eq": {"city": "Oslo"}}},
    {"service": {"$ne": "payments-api"}},
    {"tags": {"$ne": "billing"}},
    {"no_such_key": {"$ne": None}},
    {"nothing": {"$ne": None}},
    # in
    {"service": []},
    {"service": ["payments", "api"]},
    {"no_such_key": ["x"]},
    {"tags": {"$nin": ["billing"]}},
    {"no_such_key": {"$nin": [None]}},
    # types
    {"retries": "2"},
    {"retries": True},
    {"live": 1},
    {"live": {"$gte": 0}},
    {"huge": float(HUGE)},
    {"tags": 1},
    {"retries": {"$gt": "1"}},
    {"service": {"$gt": 1}},
    {"unknown": {"$gt": 0}},
    {"unknown": {"$lte": 0}},
    # order
    {"retries": {"$gt": 2}},
    {"retries": {"$lt": 2}},
    {"tags": {"$gt": 1}},
    {"tags": {"$lt": "c"}},
    {"no_such_key": {"$gt": 0}},
    {"nothing": {"$lt": 0}},
    {"user": {"$gt": 0}},
    # lists and text
    {"tags": {"$contains": "bill"}},
    {"retries": {"$contains": 2}},
    {"service": {"$contains": "Payments"}},
    {"no_such_key": {"$contains": ""}},
    {"tags": {"$any": []}},
    {"tags": {"$any": ["x"]}},
    {"tags": {"$all": ["billing", "x"]}},
    {"no_such_key": {"$all": []}},
    {"nothing": {"$any": ["x"]}},
    {"service": {"$text_match": "PAY"}},
    {"tags": {"$text_match": "billing"}},
    {"tags": {"$text_match_insensitive": "billing"}},
    {"retries": {"$text_match": "2"}},
    # presence
    {"service": {"$exists": False}},
    {"nothing": {"$exists": True}},
    {"no_such_key": {"$is_empty": False}},
    {"service": {"$is_empty": True}},
    {"empty": {"$is_empty": True}},
    {"tags": {"$is_empty": True}},
    # time
    {"@time": {"$gt": NOON}},
    {"@time": "2024-11-05T13:00"},
    {"@time": None},
    {"@time": {"$contains": "2024"}},
    {"@time": {"$text_match": "2024"}},
    {"seen": "2024-11-05T12:00:00Z"},
    {"seen": {"$lt": "2024-11-05T12:30:00Z"}},
    {"seen": {"$gt": NOON}},
    {"service": NOON},
    {"service": {"$lt": NOON}},
    {"retries": {"$lt": NOON}},
    {"spans": {"$gte": NOON}},
    # keys
    {"user.city": "Oslo"},
    {"user.visits.more": 3},
    {"user.home.page": "x"},
    {"a.b.c": 1},
    {"tags.0": "billing"},
    # connectives
    {"service": "payments-api", "retries": 9},
    {"$and": [{"retries": 2}, {"live": False}]},
    {"$or": [{"retries": 9}, {"live": False}]},
    {"$not": {"retries": 2}},
    {"$not": {}},
    {"retries": {"$not": {"$gt": 1}}},
]

REFUSED: list[tuple[object, str]] = [
    ("service", "a filter is a mapping"),
    ([("service", "api")], "a filter is a mapping"),
    ({7: "x"}, "a filter key is a string, not 7"),
    ({"$regex": []}, r"unknown operator '\$regex' where a key is due: use \$and \$or \$not"),
    ({"service": {"$regex": "a"}}, r"unknown operator '\$regex' on 'service': use one of \$all \$any \$contains \$eq "),
    ({"user": {"city": "Oslo"}}, r"unknown operator 'city' on 'user'.*a nested key is written 'user.city'"),
    ({"service": {7: "Oslo"}}, "unknown operator 7 on 'service'"),
    ({"service": {}}, "'service' has no operator"),
    ({"@tme": 1}, "unknown record field '@tme': use one of @id @time @session @source @speaker"),
    ({"@time.year": 1}, "unknown record field '@time.year'"),
    ({"$and": {"a": 1}}, r"\$and takes a list of filters, not \{'a': 1\}"),
    ({"$and": ["a"]}, "a filter is a mapping"),
    ({"$or": []}, r"\$or has no alternatives"),
    ({"$not": [{"a": 1}]}, "a filter is a mapping"),
    ({"a": {"$not": 1}}, r"\$not on 'a' cannot take 1: give operators"),
    ({"a": {"$not": {}}}, "'a' has no operator"),
    ({"a": {"$in": "web"}}, r"\$in on 'a' cannot take 'web': give a list"),
    ({"a": {"$nin": {"x": 1}}}, r"\$nin on 'a' cannot take \{'x': 1\}: give a list"),
    ({"a": {"$any": "web"}}, r"\$any on 'a' cannot take 'web': give a list"),
    ({"a": {"$all": None}}, r"\$all on 'a' cannot take None: give a list"),
    ({"a": {"$any": [None]}}, r"\$any on 'a' cannot take None: give a string, a number"),
    ({"a": {"$contains": ["x"]}}, r"\$contains on 'a' cannot take \['x'\]: give a string, a number"),
    ({"a": {"$gt": True}}, r"\$gt on 'a' cannot take True: give a number, a string or a datetime"),
    ({"a": {"$lte": None}}, r"\$lte on 'a' cannot take None"),
    ({"a": {"$lt": [1]}}, r"\$lt on 'a' cannot take \[1\]"),
    ({"a": float("nan")}, "on 'a' cannot take nan: give a string, a number other than NaN"),
    ({"a": {"$gt": float("nan")}}, r"\$gt on 'a' cannot take nan"),
    ({"a": {"$eq": [1, float("nan")]}}, r"\$eq on 'a' cannot take nan"),
    ({"a": {"$eq": [NOON]}}, r"\$eq on 'a' cannot take .*: give an ISO 8601 string for a time inside a list"),
    ({"a": {"$eq": {7: 1}}}, r"\$eq on 'a' cannot take 7: give strings as the keys"),
    ({"a": b"bytes"}, r"\$eq on 'a' cannot take b'bytes'"),
    ({"a": {"$text_match": 7}}, r"\$text_match on 'a' cannot take 7: give a string"),
    ({"a": {"$text_match_insensitive": None}}, r"\$text_match_insensitive on 'a' cannot take None: give a string"),
    ({"a": {"$exists": 1}}, r"\$exists on 'a' cannot take 1: give true or false"),
    ({"a": {"$is_empty": "yes"}}, r"\$is_empty on 'a' cannot take 'yes': give true or false"),
    ({"@time": "yesterday"}, r"\$eq on '@time' cannot take 'yesterday': give a datetime, an ISO 8601 string or epoch"),
    ({"@time": {"$gt": "2024-13-01"}}, r"\$gt on '@time' cannot take '2024-13-01'"),
    ({"@time": True}, r"\$eq on '@time' cannot take True"),
    ({"@time": {"$eq": ["2024"]}}, r"\$eq on '@time' cannot take \['2024'\]"),
    ({"@time": {"$in": ["soon"]}}, r"\$in on '@time' cannot take 'soon'"),
    ({"@time": {"$any": ["soon"]}}, r"\$any on '@time' cannot take 'soon'"),
    ({"@time": 10**6000}, "on '@time' cannot take a huge int"),
    ({"a": {"$gt": datetime.min.replace(tzinfo=timezone(timedelta(hours=1)))}}, r"\$gt on 'a' cannot take "),
]


@pytest.mark.parametrize("mapping", PASSING, ids=str)
def test_it_passes(mapping: dict[str, object]) -> None:
    assert matches(parse_filter(mapping), RECORD)
    assert not matches(parse_filter({"$not": mapping}), RECORD)


@pytest.mark.parametrize("mapping", FAILING, ids=str)
def test_it_does_not_pass(mapping: dict[str, object]) -> None:
    assert not matches(parse_filter(mapping), RECORD)
    assert matches(parse_filter({"$not": mapping}), RECORD)


@pytest.mark.parametrize(("malformed", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_a_malformed_filter_is_refused(malformed: dict[str, object], message: str) -> None:
    with pytest.raises(FilterError, match=message):
        parse_filter(malformed)


def deep(wrap: str, levels: int) -> dict[str, object]:
    inner: dict[str, object] = {"a": 1}
    for _ in range(levels):
        inner = {wrap: inner if wrap == "$not" else [inner]}
    return inner


@pytest.mark.parametrize("wrap", ["$and", "$or", "$not"])
def test_sixty_four_levels_are_read_and_more_refused(wrap: str) -> None:
    assert matches(parse_filter(deep(wrap, 63)), {"a": 2 if wrap == "$not" else 1})
    for levels in (64, 100_000):
        with pytest.raises(FilterError, match="nested more than 64 deep"):
            parse_filter(deep(wrap, levels))


def test_values_and_operators_are_bounded_in_depth_too() -> None:
    endless_list: list[object] = []
    endless_list.append(endless_list)
    endless_mapping: dict[str, object] = {}
    endless_mapping["x"] = endless_mapping
    for endless in (endless_list, endless_mapping):
        with pytest.raises(FilterError, match="nested more than 64 deep"):
            parse_filter({"a": {"$eq": endless}})
    operators: dict[str, object] = {"$gt": 1}
    for _ in range(100):
        operators = {"$not": operators}
    with pytest.raises(FilterError, match="nested more than 64 deep"):
        parse_filter({"a": operators})


@pytest.mark.parametrize(
    "empty", [None, {}, {"$and": []}, {"$and": [{}, {"$and": []}]}, {"$or": [{"a": 1}, {}]}], ids=str
)
def test_a_filter_without_a_condition_is_none(empty: dict[str, object] | None) -> None:
    assert parse_filter(empty) is None
    assert matches(None, {})


def test_a_filter_is_read_once() -> None:
    tags: list[object] = ["x"]
    inner: dict[str, object] = {"deep": tags}
    mapping: dict[str, object] = {"a": tags, "b": {"$eq": inner}}
    parsed = parse_filter(mapping)
    tags.append("y")
    inner["more"] = 1
    mapping["c"] = 1
    assert parsed == parse_filter({"a": ["x"], "b": {"$eq": {"deep": ["x"]}}})
    assert parse_filter(parsed) is parsed


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        ({"a": 1}, {"a": 1.0}, True),
        ({"a": 1}, {"a": True}, False),
        ({"a": 0}, {"a": False}, False),
        ({"a": 1}, {"a": "1"}, False),
        ({"a": {"$eq": [1]}}, {"a": {"$eq": [True]}}, False),
        ({"a": {"$eq": {"x": 1, "y": 2}}}, {"a": {"$eq": {"y": 2.0, "x": 1}}}, True),
        ({"a": {"$eq": []}}, {"a": {"$eq": {}}}, False),
        ({"a": {"$ne": 1}}, {"a": {"$neq": 1}}, True),
        ({"a": {"$eq": 1}}, {"a": 1}, True),
        ({"a": [1, 1, 2]}, {"a": {"$in": [1, 2]}}, True),
        ({"@time": "2024-11-05T13:00+01:00"}, {"@time": NOON}, True),
        ({"a": {"$contains": True}}, {"a": {"$contains": 1}}, False),
    ],
)
def test_filters_are_equal_when_they_mean_the_same(
    left: dict[str, object], right: dict[str, object], *, equal: bool
) -> None:
    first, second = parse_filter(left), parse_filter(right)
    assert (first == second) is equal
    assert len({first, second}) == (1 if equal else 2)


def test_subclasses_of_plain_values_become_plain() -> None:
    class Service(str, Enum):  # noqa: UP042 - a str subclass whose hash is not that of its text
        API = "api"

    parsed = parse_filter({"service": Service.API})
    assert {parsed} == {parse_filter({"service": "api"})}
    assert matches(parsed, {"service": Service.API})
    assert freeze(Service.API) == "api"
    assert type(freeze(Service.API)) is str


def test_what_is_not_json_cannot_be_filtered_on() -> None:
    with pytest.raises(InvalidInputError, match="b'x' cannot be filtered on: metadata takes JSON values"):
        freeze(b"x")


def test_one_condition_can_be_asked_of_one_value() -> None:
    above = Compare("retries", "gt", (2,))
    assert [holds(above, value) for value in (3, 2, "3", None, [3])] == [True, False, False, False, False]


SMALL = st.sampled_from([{"a": 1}, {"a": {"$gt": 0}}, {"b": {"$exists": True}}, {"b": {"$in": [None, 2]}}, {}])
FIELDS = st.fixed_dictionaries(
    {}, optional={"a": st.sampled_from([0, 1, True, "x"]), "b": st.sampled_from([1, 2, None])}
)


@given(SMALL, SMALL, FIELDS)
def test_a_conjunction_passes_what_both_pass(
    first: dict[str, object], second: dict[str, object], fields: dict[str, object]
) -> None:
    both = conjunction(parse_filter(first), parse_filter(second))
    assert matches(both, fields) == (matches(parse_filter(first), fields) and matches(parse_filter(second), fields))
    assert both == parse_filter({"$and": [first, second]})


@given(SMALL, SMALL, FIELDS)
def test_not_either_is_neither(first: dict[str, object], second: dict[str, object], fields: dict[str, object]) -> None:
    not_either = parse_filter({"$not": {"$or": [first, second]}})
    neither = parse_filter({"$and": [{"$not": first}, {"$not": second}]})
    assert matches(not_either, fields) == matches(neither, fields)


def test_the_expression_is_small() -> None:
    """What other engines translate: `in`, the orderings, the text operators and `is_empty`, under And, Or and Not."""
    parsed = parse_filter({"a": {"$nin": [1], "$all": ["x", "y"]}, "b": {"$exists": True}, "c": {"$is_empty": False}})
    assert parsed == And(
        (
            Not(Compare("a", "in", (1,))),
            Compare("a", "in", ("x",)),
            Compare("a", "in", ("y",)),
            Not(Compare("b", "in", (None,))),
            Not(Compare("c", "is_empty")),
        )
    )
