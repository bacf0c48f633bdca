"""The columnar index passes the rows the filter language says, whatever the filter and the metadata."""

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta, timezone
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybrid_agent_memory.engines.local import columns as module
from hybrid_agent_memory.engines.local.columns import Columns
from hybrid_agent_memory.errors import InvalidInputError
from hybrid_agent_memory.filters import Filter, keys_in, matches, parse_filter, resolve

# The oracle: the documented table, over the mapping a caller writes. It shares nothing with the product.


def passes(mapping: Mapping[str, object], record: Mapping[str, object]) -> bool:
    return all(entry_passes(key, wanted, record) for key, wanted in mapping.items())


def entry_passes(key: str, wanted: object, record: Mapping[str, object]) -> bool:
    if key in ("$and", "$or", "$not"):
        if key == "$not":
            assert isinstance(wanted, dict)
            return not passes(wanted, record)
        assert isinstance(wanted, list)
        verdicts = [passes(part, record) for part in wanted]
        return False not in verdicts if key == "$and" else True in verdicts
    value = look_up(record, key)
    if isinstance(wanted, dict):
        return all(operator_holds(name, value, argument, key) for name, argument in wanted.items())
    return operator_holds("$in" if isinstance(wanted, list) else "$eq", value, wanted, key)


def look_up(record: Mapping[str, object], key: str) -> object:
    if key in record:
        return record[key]
    head, *rest = key.split(".")
    found: object = record.get(head)
    for part in rest:
        found = found.get(part) if isinstance(found, dict) else None
    return found


def operator_holds(name: str, value: object, wanted: object, key: str) -> bool:
    if name == "$not":
        assert isinstance(wanted, dict)
        return not all(operator_holds(inner, value, argument, key) for inner, argument in wanted.items())
    if name in ("$ne", "$neq", "$nin"):
        return not operator_holds("$in" if name == "$nin" else "$eq", value, wanted, key)
    if name == "$exists":
        return (value is not None) == wanted
    if name == "$is_empty":
        return any((value is None, value == "", value == [])) == wanted
    if name == "$eq":
        return equals(value, wanted, key)
    if name in ("$in", "$any", "$all"):
        assert isinstance(wanted, list)
        found = [equals(value, member, key) for member in wanted]
        return (all(found) and value is not None) if name == "$all" else any(found)
    if name == "$contains":
        if isinstance(value, list):
            return any(scalar_equals(element, wanted) for element in value)
        return isinstance(value, str) and isinstance(wanted, str) and wanted in value
    assert isinstance(wanted, str | int | float | datetime)
    if name.startswith("$text_match"):
        if not isinstance(value, str) or not isinstance(wanted, str):
            return False
        return wanted in value if name == "$text_match" else wanted.casefold() in value.casefold()
    return in_order(name, value, as_time(wanted) if key == "@time" else wanted)


def equals(value: object, wanted: object, key: str) -> bool:
    if wanted is None:
        return value is None
    if isinstance(wanted, list | dict):
        return same(value, wanted)
    if key == "@time":
        wanted = as_time(wanted)
    return any(scalar_equals(one, wanted) for one in (value if isinstance(value, list) else [value]))


def scalar_equals(value: object, wanted: object) -> bool:
    if isinstance(wanted, datetime):
        return isinstance(value, str | datetime) and as_time(value) == as_time(wanted)
    return same(value, wanted)


def same(left: object, right: object) -> bool:
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    return kind(left) == kind(right) and left == right


def in_order(name: str, value: object, bound: object) -> bool:
    if isinstance(bound, datetime):
        value, bound = (as_time(value) if isinstance(value, str | datetime) else None), as_time(bound)
    if value is None or kind(value) != kind(bound) or kind(value) not in ("number", "string", "time"):
        return False
    below: bool = value < bound  # type: ignore[operator]
    above: bool = value > bound  # type: ignore[operator]
    return {"$gt": above, "$gte": above or value == bound, "$lt": below, "$lte": below or value == bound}[name]


def kind(value: object) -> str:
    if isinstance(value, bool):
        return "truth"
    if isinstance(value, int | float):
        return "number"
    return "string" if isinstance(value, str) else "time" if isinstance(value, datetime) else type(value).__name__


def as_time(value: object) -> datetime | None:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=value)
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return None
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    return None


# Metadata and filters that often meet


NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
TIMES = [NOON, NOON + timedelta(hours=1), NOON.astimezone(timezone(timedelta(hours=8)))]
ISO = ["2024-05-01", "2024-05-01T12:00:00Z", "2024-05-01T14:00:00+02:00", "2024-05-01T13:00:00"]
STRINGS = ["", "a", "ab", "AB", "b", "1", "ß", "ss", "生产", *ISO]
NUMBERS = [0, 1, 1.0, 2, 2.5, -1, 2**53, 2**53 + 1, float(2**53), float("inf")]

strings = st.sampled_from(STRINGS)
scalars = strings | st.sampled_from(NUMBERS) | st.booleans()
stored_scalars = scalars | st.none() | st.just(float("nan"))
stored_lists = st.lists(stored_scalars | st.just([1]) | st.just({"x": 1}), max_size=3)
wholes = st.lists(scalars | st.none(), max_size=2) | st.dictionaries(st.sampled_from("xy"), scalars, max_size=2)
inner = st.dictionaries(
    st.sampled_from(["x", "y", "x.y"]), stored_scalars | stored_lists | st.dictionaries(st.just("y"), stored_scalars)
)
values = stored_scalars | stored_lists | inner
records = st.fixed_dictionaries(
    {},
    optional={
        "a": values,
        "b": values,
        "n": inner,
        "n.x": values,
        "n.x.y": values,
        "@id": strings,
        "@session": strings | st.none(),
        "@time": st.sampled_from([NOON, NOON + timedelta(hours=1)]) | st.none(),
    },
)

metadata_keys = st.sampled_from(["a", "b", "n", "n.x", "n.x.y", "n.y", "@id", "@session", "absent"])
elements = scalars | st.sampled_from(TIMES)
members = elements | st.none() | wholes
instants = st.sampled_from([*TIMES, *ISO, NOON.timestamp(), int(NOON.timestamp())])


def one_operator(member: st.SearchStrategy[object], element: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    bounds = element.filter(lambda bound: not isinstance(bound, bool))
    return (
        st.dictionaries(st.sampled_from(["$eq", "$ne", "$neq"]), member, min_size=1, max_size=1)
        | st.dictionaries(st.sampled_from(["$gt", "$gte", "$lt", "$lte"]), bounds, min_size=1, max_size=2)
        | st.dictionaries(st.sampled_from(["$in", "$nin"]), st.lists(member, max_size=3), min_size=1, max_size=1)
        | st.dictionaries(st.sampled_from(["$any", "$all"]), st.lists(element, max_size=3), min_size=1, max_size=1)
        | st.fixed_dictionaries({"$contains": elements})
        | st.dictionaries(st.sampled_from(["$text_match", "$text_match_insensitive"]), strings, min_size=1)
        | st.dictionaries(st.sampled_from(["$exists", "$is_empty"]), st.booleans(), min_size=1)
    )


def operators(member: st.SearchStrategy[object], element: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    plain = one_operator(member, element)
    negated = st.fixed_dictionaries({"$not": plain})
    both = st.tuples(plain, negated).map(lambda pair: {**dict_of(pair[0]), **dict_of(pair[1])})
    return plain | negated | both


def dict_of(value: object) -> dict[str, object]:
    assert isinstance(value, dict)
    return value


on_metadata = st.dictionaries(
    metadata_keys,
    operators(members, elements) | elements | st.none() | st.lists(members, max_size=3),
    min_size=1,
    max_size=2,
)
on_time = st.dictionaries(
    st.just("@time"),
    operators(instants | st.none(), instants) | instants | st.none() | st.lists(instants, max_size=2),
    min_size=1,
)


def connected(parts: st.SearchStrategy[dict[str, object]]) -> st.SearchStrategy[object]:
    return (
        st.fixed_dictionaries({"$and": st.lists(parts, max_size=3)})
        | st.fixed_dictionaries({"$or": st.lists(parts, min_size=1, max_size=3)})
        | st.fixed_dictionaries({"$not": parts})
        | st.tuples(parts, parts).map(lambda pair: {**pair[0], **pair[1]})
    )


mappings = st.recursive(on_metadata | on_time, lambda parts: connected(parts).map(dict_of), max_leaves=6)


# Every operator with every argument, against a record for every value: what meets seldom by chance


STORED: list[object] = [
    *STRINGS,
    *NUMBERS,
    float("nan"),
    True,
    False,
    [],
    *([member] for member in (*STRINGS, *NUMBERS, True, False, None, float("nan"), [1], {"x": 1})),
    ["a", "b", "a"],
    [1, True],
    [ISO[1], "a"],
    {},
    {"x": 1},
    {"x": True},
]
NESTED: list[dict[str, object]] = [
    {"n": {"x": 1}},
    {"n": {"x": "a", "y": None}},
    {"n": {"x": {"y": 1}}},
    {"n": {"x.y": 1}},
    {"n": {"x": 1}, "n.x": None},
    {"n": {"x": 1}, "n.x": "a"},
    {"n": {"x": {"y": 1}}, "n.x": {"y": 2}},
    {"n.x": {"y": 1}},
    {"n.x": {"y": 1}, "n": 1},
    {"n": {"x": {"y": 1}}, "n.x.y": "a"},
    {"n": [{"x": 1}]},
]
TIMED: list[dict[str, object]] = [{"@time": time} for time in (NOON, NOON + timedelta(hours=1), TIMES[2], None)]
EVERY_RECORD: list[dict[str, object]] = [{}, {"a": None}, *({"a": value} for value in STORED), *NESTED, *TIMED]

ELEMENTS: list[object] = [*STRINGS, *NUMBERS, True, False, *TIMES]
MEMBERS: list[object] = [*ELEMENTS, None, [], ["a"], [1], [True], [None], ["a", "b", "a"], {}, {"x": 1}, {"x": True}]
BOUNDS = [bound for bound in ELEMENTS if not isinstance(bound, bool)]


def every_operator(members: Sequence[object], elements: Sequence[object]) -> Iterator[Mapping[str, object]]:
    yield from ({name: member} for name in ("$eq", "$ne", "$neq") for member in members)
    yield from ({name: [member]} for name in ("$in", "$nin") for member in members)
    yield from ({name: list(members[:3])} for name in ("$in", "$nin"))
    yield from ({name: [element]} for name in ("$any", "$all") for element in elements)
    yield from ({name: several} for name in ("$any", "$all") for several in ([], list(elements[1:3]), elements[-2:]))
    yield from ({"$contains": element} for element in ELEMENTS)
    yield from ({name: text} for name in ("$text_match", "$text_match_insensitive") for text in STRINGS)
    yield from ({name: flag} for name in ("$exists", "$is_empty") for flag in (True, False))


EVERY_FILTER: list[Mapping[str, object]] = [
    *({"a": operator} for operator in every_operator(MEMBERS, ELEMENTS)),
    *({"a": {name: bound}} for name in ("$gt", "$gte", "$lt", "$lte") for bound in BOUNDS),
    *({"@time": operator} for operator in every_operator([*TIMES, *ISO, None], [*TIMES, *ISO])),
    *({"@time": {name: bound}} for name in ("$gt", "$gte", "$lt", "$lte") for bound in [*TIMES, NOON.timestamp()]),
    *({key: value} for key in ("n", "n.x", "n.x.y", "n.y", "never") for value in ({"$eq": {"y": 1}}, 1, 2, "a", None)),
]


@pytest.fixture(scope="module")
def verdicts() -> list[list[bool]]:
    return [[passes(mapping, record) for record in EVERY_RECORD] for mapping in EVERY_FILTER]


def test_matches_agrees_with_the_table_on_every_pair(verdicts: list[list[bool]]) -> None:
    for mapping, expected in zip(EVERY_FILTER, verdicts, strict=True):
        condition = parse_filter(mapping)
        assert (mapping, [matches(condition, record) for record in EVERY_RECORD]) == (mapping, expected)


@pytest.mark.parametrize("late_limit", [0, 2048])
def test_masks_agree_with_the_table_on_every_pair(verdicts: list[list[bool]], late_limit: int) -> None:
    columns = Columns()
    count = len(EVERY_RECORD)
    with patch.object(module, "LATE_LIMIT", late_limit):
        for start in (0, count):  # the second time, onto what the first searches made of the columns
            for row, record in enumerate(EVERY_RECORD, start):
                columns.append(row, resolved(record, EVERY_FILTER))
            for mapping, expected in zip(EVERY_FILTER, verdicts, strict=True):
                mask = columns.mask(parsed(mapping), start + count)
                assert (mapping, mask[start:].tolist()) == (mapping, expected)


def resolved(record: Mapping[str, object], wanted: Iterable[Mapping[str, object]]) -> dict[str, object]:
    """What a column index is given: the value of each key that the filters look at."""
    keys = frozenset[str]().union(*(keys_in(parse_filter(mapping)) for mapping in wanted))
    return {key: resolve(record, key) for key in keys}


def parsed(mapping: Mapping[str, object]) -> Filter:
    condition = parse_filter({"$and": [mapping, {"absent": None}]})
    assert condition is not None
    return condition


@given(
    st.lists(st.tuples(st.integers(1, 3), records), max_size=16), st.lists(mappings, min_size=1, max_size=6), st.data()
)
def test_masks_and_matches_agree_with_the_table_while_rows_arrive(
    gaps: list[tuple[int, dict[str, object]]], wanted: list[dict[str, object]], data: st.DataObject
) -> None:
    rows = list(zip(np.cumsum([gap for gap, _ in gaps]).tolist(), [record for _, record in gaps], strict=True))
    half = data.draw(st.integers(0, len(rows)))
    columns = Columns()
    with patch.object(module, "LATE_LIMIT", data.draw(st.sampled_from([0, 3, 2048]))):
        for start, stop in ((0, half), (half, len(rows))):
            for row, record in rows[start:stop]:
                columns.append(row, resolved(record, wanted))
            for mapping in wanted:
                assert_mask(columns, mapping, rows[:stop])


def assert_mask(columns: Columns, mapping: dict[str, object], rows: Sequence[tuple[int, dict[str, object]]]) -> None:
    size = rows[-1][0] + 3 if rows else 2
    condition = parsed(mapping)
    mask = columns.mask(condition, size)
    assert mask.dtype == np.bool_
    assert mask.shape == (size,)
    expected = [(row, passes(mapping, record)) for row, record in rows]
    assert [(row, bool(mask[row])) for row, _ in rows] == expected
    assert [(row, matches(condition, record)) for row, record in rows] == expected


COUNT = 3 * module.LATE_LIMIT
MANY: list[dict[str, object]] = [
    {
        "number": (row * 7919) % 1000 if row % 3 else row / 8,
        "text": f"{(row * 31) % 997:03}",
        "day": (NOON + timedelta(hours=(row * 17) % 5000)).isoformat(),
        "@time": NOON + timedelta(minutes=row),
    }
    for row in range(COUNT)
]


@pytest.fixture(scope="module")
def many() -> Columns:
    columns = Columns()
    for row, record in enumerate(MANY):
        columns.append(row, record)
    return columns


@pytest.mark.parametrize(
    "mapping",
    [
        {"number": {"$gt": 200, "$lte": 500.5}},
        {"number": {"$lt": 0.5}},
        {"text": {"$gte": "100", "$lt": "2"}},
        {"day": {"$gte": NOON + timedelta(days=30)}},
        {"day": NOON + timedelta(hours=17)},
        {"@time": {"$gt": NOON + timedelta(minutes=5), "$lt": NOON + timedelta(minutes=5000)}},
        {"@time": NOON + timedelta(minutes=6143)},
    ],
    ids=str,
)
def test_ranges_over_many_rows(many: Columns, mapping: dict[str, object]) -> None:
    expected = [row for row, record in enumerate(MANY) if passes(mapping, record)]
    assert np.flatnonzero(many.mask(parsed(mapping), COUNT)).tolist() == expected
    assert 0 < len(expected) < COUNT


def test_readers_may_build_an_index_at_the_same_time() -> None:
    columns = Columns()
    for row, record in enumerate(MANY):
        columns.append(row, record)
    mapping: dict[str, object] = {"number": {"$gt": 300}, "day": {"$lt": NOON + timedelta(days=90)}}
    condition = parsed(mapping)
    barrier = threading.Barrier(6)
    counts: list[list[int]] = []

    def read() -> None:
        barrier.wait()
        counts.append(np.flatnonzero(columns.mask(condition, COUNT)).tolist())

    threads = [threading.Thread(target=read) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [[row for row, record in enumerate(MANY) if passes(mapping, record)]] * 6


def test_a_mask_may_be_shorter_than_the_rows() -> None:
    columns = Columns()
    for row in range(4):
        columns.append(row, {"a": 1})
    assert columns.mask(parsed({"a": 1}), 2).tolist() == [True, True]


def test_a_key_nobody_has_is_missing_everywhere() -> None:
    columns = Columns()
    columns.append(0, {"a": 1})
    assert columns.mask(parsed({"never": {"$is_empty": True}}), 1).tolist() == [True]
    assert columns.mask(parsed({"never": {"$gt": 0}}), 1).tolist() == [False]


def test_later_changes_to_the_fields_are_not_seen() -> None:
    tags, user = ["x"], {"city": "Oslo"}
    columns = Columns()
    columns.append(0, {"tags": tags, "user": user})
    tags.append("y")
    user["city"] = "Bergen"
    assert columns.mask(parsed({"tags": {"$eq": ["x"]}, "user": {"$eq": {"city": "Oslo"}}}), 1).tolist() == [True]


def test_rows_come_in_ascending_order() -> None:
    columns = Columns()
    columns.append(5, {"a": 1})
    with pytest.raises(InvalidInputError, match="row 5 comes after row 5: append rows in ascending order"):
        columns.append(5, {"a": 2})
    assert columns.mask(parsed({"a": 2}), 6).tolist() == [False] * 6
