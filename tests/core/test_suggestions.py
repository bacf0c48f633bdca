"""Pairs of names that may be one entity, for a user to look through."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybrid_agent_memory.graph.names import Name
from hybrid_agent_memory.graph.resolution import Constraint, resolve, suggest

NAMES = [
    Name.of(name, kind)
    for kind in ("person", "organisation", "name")
    for name in (
        "张伟",
        "Zhang Wei",
        "张总",
        "张丽",
        "Alice Smith",
        "Alice Smyth",
        "Acme",
        "Acme Robotics",
        "华为",
        "华为技术",
    )
]


def pairs(*names: Name) -> list[tuple[set[str], str]]:
    counts = dict.fromkeys(names, 1)
    return [({found.a.key, found.b.key}, found.reason) for found in suggest(counts, resolve(counts))]


@pytest.mark.parametrize(
    ("one", "other", "kind", "reason"),
    [
        ("张伟", "Zhang Wei", "person", "one name in two scripts"),
        ("欧阳建国", "Ouyang Jian-Guo", "person", "one name in two scripts"),
        ("Alice Smith", "Alice Smyth", "person", "spelled alike"),
        ("Acme Robotics", "Acme Robotc", "organisation", "spelled alike"),
        ("Acme", "Acme Robotics", "organisation", "the words of one are among those of the other"),
        ("John Smith", "John Michael Smith", "person", "the words of one are among those of the other"),
        ("华为", "华为技术", "organisation", "one is the beginning or the end of the other"),
    ],
)
def test_what_is_suggested(one: str, other: str, kind: str, reason: str) -> None:
    a, b = Name.of(one, kind), Name.of(other, kind)
    assert pairs(a, b) == [({a.key, b.key}, reason)]


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("Order 1001", "Order 1002", "product"),
        ("Release 2 Notes", "Release 2 Notes for 2024", "product"),
        ("identification code", "identificaton code", "identifier"),
        ("Alice Smith", "Bob Jones", "person"),
        ("张伟", "张伟明", "person"),
        ("张先生", "张女士", "person"),
        ("华为", "中兴", "organisation"),
    ],
)
def test_what_is_not_suggested(one: str, other: str, kind: str) -> None:
    assert pairs(Name.of(one, kind), Name.of(other, kind)) == []


def test_names_of_two_known_types_are_two_things() -> None:
    assert pairs(Name.of("Acme", "organisation"), Name.of("Acme Robotics", "product")) == []
    assert len(pairs(Name.of("Acme", "name"), Name.of("Acme Robotics", "product"))) == 1


def test_a_name_of_unknown_type_is_suggested_with_each_thing_it_may_be() -> None:
    names = [Name("jordan", kind) for kind in ("name", "person", "place")]
    counts = dict.fromkeys(names, 1)
    found = [(one.a.type, one.b.type, one.reason) for one in suggest(counts, resolve(counts))]
    reason = "one name, of which two types are known"
    assert found == [("name", "person", reason), ("name", "place", reason)]


def test_a_short_form_is_suggested_with_each_person_it_fits() -> None:
    names = [Name.of(name, "person") for name in ("张总", "张伟", "张强")]
    reason = "a short form that fits the full name"
    assert pairs(*names) == [({"张伟", "张总"}, reason), ({"张强", "张总"}, reason)]
    assert pairs(*names, *(Name.of(f"张{given}", "person") for given in "磊军洋")) == []


def test_the_likelier_and_then_the_more_mentioned_come_first() -> None:
    names = [
        Name.of(name, "organisation") for name in ("Acme", "Acme Robotics", "Blue", "Blue Robotics", "Cold", "Cold Air")
    ]
    counts = dict.fromkeys(names, 1) | {names[3]: 5}
    found = suggest(counts, resolve(counts))
    assert [one.a.key for one in found] == ["cold", "blue", "acme"]
    assert found[0].score == round(0.4 + 0.4 * 4 / 8, 3)
    assert suggest(counts, resolve(counts), limit=1) == found[:1]
    assert suggest({}, {}) == []


def test_two_entities_are_suggested_once() -> None:
    names = [Name.of(name, "organisation") for name in ("Acme", "Acme Robotics", "Acme Robotics Europe")]
    counts = dict.fromkeys(names, 1)
    resolved = resolve(counts, [Constraint("merge", names[1], names[2])])
    assert [(one.a, one.b) for one in suggest(counts, resolved)] == [(names[0], names[1])]


@given(st.dictionaries(st.sampled_from(NAMES), st.integers(1, 3)))
def test_suggestions_are_of_two_entities_and_do_not_depend_on_order(counts: dict[Name, int]) -> None:
    resolved = resolve(counts)
    found = suggest(counts, resolved)
    assert found == suggest(dict(reversed(counts.items())), resolved)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    for one in found:
        assert one.a < one.b
        assert resolved[one.a] != resolved[one.b]
        assert 0 < one.score <= 1
