"""Which names are one entity: laws on random names, then examples."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hybrid_agent_memory.graph.names import Name
from hybrid_agent_memory.graph.resolution import (
    Constraint,
    affected,
    blocking_keys,
    in_force,
    person_meant,
    representative,
    resolve,
)

Alias = tuple[Name, Name]

CIRCLES = {
    "张": "张伟,张丽,张先生,张女士,张总,老张,章明,章先生,Mr. Zhang,Zhang Wei,Alice Zhang,Alice,Zhang,张伟先生,李明",
    "smith": "Alice,Alice Smith,Bob,Bob Smith,Mr. Smith,Mrs. Smith,Mr. Bob Smith,Smith,Alice Jones,Alicé Smith",
    "spelling": "Phillip Jones,Philip Jones,Acme Robotics,Acme Robottics,Acme Robotticcs,Dépôt A,Depot A,老板",
}
"""Names close enough to each other for every rule to meet every other."""
EXAMPLES = 40
"""Of each law in each circle."""


@dataclass(frozen=True)
class World:
    """A namespace as `resolve` takes it."""

    counts: dict[Name, int]
    constraints: list[Constraint]
    aliases: list[Alias]

    def resolve(self) -> dict[Name, Name]:
        return resolve(self.counts, self.constraints, self.aliases)


@cache
def name_of_a_circle(circle: str) -> st.SearchStrategy[Name]:
    kinds = ("person", "person", "name") if circle != "spelling" else ("person", "organisation", "name", "other")
    return st.sampled_from([Name.of(name, kind) for name in CIRCLES[circle].split(",") for kind in kinds])


@cache
def constraints(circle: str) -> st.SearchStrategy[list[Constraint]]:
    name = name_of_a_circle(circle)
    return st.lists(st.builds(Constraint, st.sampled_from(("merge", "unmerge")), name, name), max_size=3)


@cache
def world(circle: str) -> st.SearchStrategy[World]:
    name = name_of_a_circle(circle)
    counts = st.lists(name, max_size=9).map(Counter).map(dict)
    return st.builds(World, counts, constraints(circle), st.lists(st.tuples(name, name), max_size=2))


@pytest.fixture(params=CIRCLES)
def circle(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def person(name: str) -> Name:
    return Name.of(name, "person")


def groups(resolved: Mapping[Name, Name]) -> set[frozenset[Name]]:
    found: dict[Name, set[Name]] = {}
    for name, stands_for in resolved.items():
        found.setdefault(stands_for, set()).add(name)
    return set(map(frozenset, found.values()))


Linked = Callable[[Name], set[Name]]


def links_of(constraints: Iterable[Constraint], aliases: Iterable[Alias]) -> Linked:
    """What a name is linked with: a constraint speaks of a name whatever its type."""
    asked = [pair for said in constraints for pair in ((said.a, said.b), (said.b, said.a))]
    called = [pair for one, other in aliases for pair in ((one, other), (other, one))]

    def linked(name: Name) -> set[Name]:
        return {other for one, other in asked if one.key == name.key} | {other for one, other in called if one == name}

    return linked


def bucket_of(names: Iterable[Name]) -> dict[str, set[Name]]:
    buckets: dict[str, set[Name]] = {}
    for name in names:
        for key in blocking_keys(name):
            buckets.setdefault(key, set()).add(name)
    return buckets


def connected(start: Name, buckets: Mapping[str, set[Name]], links: Linked) -> set[Name]:
    block, ahead = {start}, [start]
    while ahead:
        name = ahead.pop()
        fresh = links(name).union(*(buckets.get(key, set()) for key in blocking_keys(name))) - block
        block |= fresh
        ahead.extend(fresh)
    return block


# -- laws -----------------------------------------------------------------------------------------------------------


@settings(max_examples=EXAMPLES)
@given(st.data())
def test_the_order_of_names_and_aliases_does_not_matter(circle: str, data: st.DataObject) -> None:
    given_world = data.draw(world(circle))
    turned = {name: given_world.counts[name] for name in reversed(given_world.counts)}
    swapped = [(other, one) for one, other in reversed(given_world.aliases)]
    assert resolve(turned, given_world.constraints, swapped) == given_world.resolve()


@settings(max_examples=EXAMPLES)
@given(st.data())
def test_names_stand_for_themselves_together(circle: str, data: st.DataObject) -> None:
    given_world = data.draw(world(circle))
    resolved = given_world.resolve()
    assert resolved.keys() == given_world.counts.keys()
    for members in groups(resolved):
        assert {resolved[name] for name in members} == {
            representative({name: given_world.counts[name] for name in members})
        }


@settings(max_examples=EXAMPLES)
@given(st.data())
def test_connected_names_resolve_by_themselves_as_among_all(circle: str, data: st.DataObject) -> None:
    given_world = data.draw(world(circle))
    resolved = given_world.resolve()
    buckets, links = bucket_of(given_world.counts), links_of(given_world.constraints, given_world.aliases)
    for name in given_world.counts:
        block = connected(name, buckets, links)
        inside = {other: count for other, count in given_world.counts.items() if other in block}
        near = [said for said in given_world.constraints if said.a in block]
        alone = resolve(inside, near, [pair for pair in given_world.aliases if block.issuperset(pair)])
        assert alone == {other: resolved[other] for other in inside}


@settings(max_examples=2 * EXAMPLES)
@given(st.data())
def test_resolving_what_a_change_affects_is_resolving_all(circle: str, data: st.DataObject) -> None:
    before = data.draw(world(circle))
    turned = data.draw(st.sets(name_of_a_circle(circle), max_size=2))  # present ones go, others come
    more = data.draw(constraints(circle))[:1]
    counts = {name: count for name, count in before.counts.items() if name not in turned}
    counts |= dict.fromkeys(turned - before.counts.keys(), 1)
    after = World(counts, before.constraints + more, before.aliases)
    changed = turned | {name for said in more for name in (said.a, said.b)}
    check_affected(before, after, changed)


@settings(max_examples=EXAMPLES)
@given(st.data())
def test_what_a_new_alias_affects(circle: str, data: st.DataObject) -> None:
    before = data.draw(world(circle))
    pair = data.draw(st.tuples(name_of_a_circle(circle), name_of_a_circle(circle)))
    after = World(before.counts, before.constraints, [*before.aliases, pair])
    check_affected(before, after, set(pair))
    check_affected(after, before, set(pair))


def check_affected(before: World, after: World, changed: set[Name]) -> None:
    """What was resolved before, with the affected names resolved anew, is what resolving all would give."""
    buckets, links = bucket_of(after.counts), links_of(after.constraints, after.aliases)
    found = affected(changed, lambda key: buckets.get(key, ()), links)
    needed = (found.names | found.context) & after.counts.keys()
    anew = World({name: after.counts[name] for name in needed}, after.constraints, after.aliases).resolve()
    kept = {n: stands_for for n, stands_for in before.resolve().items() if n in after.counts and n not in found.names}
    assert kept | {name: anew[name] for name in found.names & needed} == after.resolve()


@settings(max_examples=EXAMPLES)
@given(st.data())
def test_a_merge_taken_back_leaves_no_trace(circle: str, data: st.DataObject) -> None:
    given_world = data.draw(world(circle))
    one, other = data.draw(st.tuples(name_of_a_circle(circle), name_of_a_circle(circle)))
    merge, back = Constraint("merge", one, other), Constraint("merge", other, one)
    log = given_world.constraints
    assume(merge not in in_force(log) and back not in in_force(log))
    undone = World(given_world.counts, [*log, merge, Constraint("unmerge", other, one)], given_world.aliases)
    assert undone.resolve() == given_world.resolve()


@settings(max_examples=EXAMPLES)
@given(st.data())
def test_what_a_user_said_last_holds(circle: str, data: st.DataObject) -> None:
    given_world = data.draw(world(circle))
    one, other = data.draw(st.tuples(name_of_a_circle(circle), name_of_a_circle(circle)))
    assume(one != other)
    counts, log = {**given_world.counts, one: 1, other: 1}, given_world.constraints
    merged = resolve(counts, [*log, Constraint("merge", one, other)], given_world.aliases)
    assert merged[one] == merged[other]
    apart = resolve(counts, [*log, *[Constraint("unmerge", one, other)] * 2], given_world.aliases)
    assert apart[one] != apart[other]


@settings(max_examples=EXAMPLES)
@given(st.data())
def test_two_full_names_are_one_only_for_a_reason(circle: str, data: st.DataObject) -> None:
    given_world = data.draw(world(circle))
    city, man = Name("jordan", "place"), Name("jordan", "person")
    resolved = resolve({**given_world.counts, city: 1, man: 1})
    assert resolved[city] != resolved[man]
    for members in groups(resolved):
        full = {name.key for name in members if name.key in ("张伟", "张丽", "zhang wei", "alice smith", "bob smith")}
        assert len(full) <= 1


# -- examples -------------------------------------------------------------------------------------------------------


def entities(
    names: Iterable[Name], constraints: Sequence[Constraint] = (), aliases: Iterable[Alias] = ()
) -> list[set[str]]:
    """The keys of each entity of more than one name."""
    found = groups(resolve(dict.fromkeys(names, 1), constraints, aliases))
    return sorted(({name.key for name in members} for members in found if len(members) > 1), key=min)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("张先生,张总,张某,Mr. Zhang", [{"张先生", "张总", "张某", "mr zhang"}]),
        ("张先生,张总,老张,Mr. Zhang,张伟", [{"张先生", "张总", "老张", "mr zhang", "张伟"}]),
        ("Mr. Zhang,Zhang Wei", [{"mr zhang", "zhang wei"}]),
        ("Mr. Zhang,Wei Zhang", [{"mr zhang", "wei zhang"}]),
        ("張先生,张伟", [{"張先生", "张伟"}]),
        ("张先生,张伟,张丽", []),
        ("张先生,张女士", []),
        ("张先生,张女士,张总", []),
        ("张先生,张女士,张伟", []),
        ("张先生,张伟,Zhang Wei", []),
        ("张先生,张伟,李明", [{"张先生", "张伟"}]),
        ("张先生,张太太", []),
        ("张先生,章先生", []),
        ("张先生,张总,章先生", [{"张先生", "张总"}]),
        ("张先生,张伟,章明", [{"张先生", "张伟"}]),
        ("Mr. Zhang,张伟,章明", []),
        ("张先生,章先生,Zhang Wei", []),
        ("欧阳先生,欧阳明明,欧文", [{"欧阳先生", "欧阳明明"}]),
        ("张先生,张丽", []),
        ("Mrs. Smith,John Smith", []),
        ("Mrs. Smith,Alice Smith", [{"mrs smith", "alice smith"}]),
        ("张伟先生,张伟", [{"张伟先生", "张伟"}]),
        ("Mr. John Smith,John Smith", [{"mr john smith", "john smith"}]),
        ("Mr. Smith,John Smith", [{"mr smith", "john smith"}]),
        ("Mr. Smith,Mrs. Smith,John Smith", []),
        ("Alice,Alice Smith", [{"alice", "alice smith"}]),
        ("Alice,Alice Smith,Alice Jones", []),
        ("Alice,Bob Smith", []),
        ("建国,王建国", [{"建国", "王建国"}]),
        ("José García,Jose Garcia", [{"josé garcía", "jose garcia"}]),
        ("Phillip Jones,Philip Jones", [{"phillip jones", "philip jones"}]),
        ("Maria Fernandez,Mario Fernandez", []),
        ("Christian Mueller,Christina Mueller", []),
        ("Anna Johnson,Ana Johnson", []),
    ],
)
def test_persons(names: str, expected: list[set[str]]) -> None:
    assert entities(map(person, names.split(","))) == sorted(expected, key=min)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("Acme Robotics,Acme Robottics,Acme Rbotics", [{"acme robotics", "acme robottics"}]),
        ("Kubernetes Cluster,Kuberentes Cluster", [{"kubernetes cluster", "kuberentes cluster"}]),
        ("Eastern Division,Western Division", []),
        ("Austria Office,Australia Office", []),
        ("Backup Service A,Backup Service B", []),
        ("Order 1001,Order 1002", []),
        ("ERR_0x9941,ERR_0x9942", []),
        ("Version 2 Documentation,Version 3 Documentation", []),
        ("华为技术,华为技木", []),
        ("Alice,Alice Smith", []),
    ],
)
@pytest.mark.parametrize("kind", ["organisation", "product"])
def test_typing_errors(names: str, expected: list[set[str]], kind: str) -> None:
    assert entities(Name.of(name, kind) for name in names.split(",")) == expected


def test_many_names_that_differ_in_one_place_are_many_things() -> None:
    codes = [Name.of(f"backupse{letter}rvices storage", "project") for letter in "abcdefgh"]
    assert entities(codes) == []
    assert len(entities(codes[:2])) == 1


@pytest.mark.parametrize("kind", ["identifier", "amount", "date", "other"])
def test_values_and_identifiers_are_what_they_are(kind: str) -> None:
    assert entities(Name.of(name, kind) for name in ["identification code", "identificaton code"]) == []


def test_an_unknown_type_joins_the_only_known_one() -> None:
    names = [Name("acme", kind) for kind in ("organisation", "name", "other")]
    assert set(resolve(dict.fromkeys(names, 1)).values()) == {names[0]}
    both = resolve(dict.fromkeys([*names, Name("acme", "product")], 1))
    assert len(set(both.values())) == 4
    assert len(groups(resolve({Name("acme", "name"): 1, Name("acme", "other"): 1}))) == 1


def test_a_title_shows_that_a_name_of_unknown_type_is_a_person() -> None:
    assert entities([Name.of("张总"), person("张伟")]) == [{"张总", "张伟"}]
    assert entities([Name.of("小张"), Name.of("Alice"), person("张伟"), person("Alice Smith")]) == []


def test_aliases_join_unless_the_user_keeps_them_apart() -> None:
    pair = (Name.of("Big Blue", "organisation"), Name.of("IBM", "organisation"))
    assert entities(pair, aliases=[pair]) == [{"big blue", "ibm"}]
    assert entities(pair, [Constraint("unmerge", *pair)], [pair]) == []
    assert entities(pair[:1], aliases=[pair]) == []


def test_an_alias_does_not_lead_two_full_names_together_through_a_short_form() -> None:
    names = list(map(person, ["张总", "张伟", "Bob", "Bob Jones"]))
    assert entities(names, aliases=[(names[0], names[2])]) == [{"张总", "bob"}]


def test_an_alias_does_not_lead_two_persons_together_through_their_surname() -> None:
    names = list(map(person, ["张总", "张先生", "Bob", "Carl", "Bob Jones", "Carl Smith"]))
    assert entities(names, aliases=[(names[0], names[2]), (names[1], names[3])]) == [
        {"bob", "bob jones", "张总"},
        {"carl", "carl smith", "张先生"},
    ]


def test_persons_stay_two_through_any_chain_of_short_forms() -> None:
    names = list(map(person, ["李总", "李先生", "王总", "王先生", "Bob", "Bob Jones", "Carl", "Carl Smith"]))
    pairs = [("李总", "Bob"), ("李先生", "王总"), ("王先生", "Carl")]
    found = entities(names, aliases=[(person(one), person(other)) for one, other in pairs])
    assert not any(members >= {"bob jones", "carl smith"} for members in found)


def test_short_forms_told_apart_both_stay_alone() -> None:
    names = list(map(person, ["张伟", "张总", "张先生", "张某"]))
    assert entities(names, [Constraint("unmerge", names[1], names[2])]) == [{"张伟", "张某"}]
    assert entities(names[1:], [Constraint("unmerge", names[1], names[2])]) == []


def test_unmerging_a_short_form_leaves_the_others_where_they_are() -> None:
    names = list(map(person, ["张伟", "张总", "张先生", "张某"]))
    assert entities(names, [Constraint("unmerge", names[1], names[0])]) == [{"张伟", "张先生", "张某"}]


def test_of_constraints_that_contradict_each_other_the_newest_counts() -> None:
    a, x, b = (Name.of(letter, "organisation") for letter in "axb")
    log = [Constraint("merge", a, x), Constraint("merge", x, b), Constraint("unmerge", a, b)]
    assert entities([a, x, b], log) == [{"x", "b"}]
    assert entities([a, x, b], [*log, Constraint("merge", b, a)]) == [{"a", "b", "x"}]


def test_a_merge_holds_through_a_name_that_is_gone() -> None:
    a, gone, b = (Name.of(letter, "organisation") for letter in "axb")
    assert entities([a, b], [Constraint("merge", a, gone), Constraint("merge", gone, b)]) == [{"a", "b"}]


def test_which_name_stands_for_an_entity() -> None:
    assert representative({person("张总"): 9, person("张伟"): 1}) == person("张伟")
    assert representative({person("Mr. John Smith"): 9, person("John Smith"): 1}) == person("John Smith")
    assert representative({Name("ibm", "organisation"): 3, Name("big blue", "organisation"): 2}).key == "ibm"
    assert representative({Name("ab", "product"): 1, Name("abc", "product"): 1}).key == "abc"
    assert representative({Name("b", "product"): 1, Name("a", "product"): 1}).key == "a"
    assert representative({Name("acme", "name"): 9, Name("acme", "organisation"): 1}).type == "organisation"


@pytest.mark.parametrize(
    ("asked", "known", "meant"),
    [
        ("张总", "张伟", "张伟"),
        ("张总", "张伟,李明", "张伟"),
        ("张总", "张伟,张丽", None),
        ("张总", "张先生", "张先生"),
        ("张先生", "张女士", None),
        ("张先生", "张女士,张伟", None),
        ("Mr. Zhang", "张伟", "张伟"),
        ("Mr. Zhang", "张伟,章明", None),
        ("张总", "张伟,章明", "张伟"),
        ("张总", "章明", None),
        ("Alice", "Alice Smith", "alice smith"),
        ("Alice", "Alice Smith,Alice Jones", None),
        ("Alice", "Bob Smith", None),
        ("张伟先生", "张伟", "张伟"),
        ("Jose Garcia", "José García", "josé garcía"),
        ("张伟", "张先生", None),
        ("order 1001", "张伟", None),
    ],
)
def test_whom_a_name_means_that_is_not_known(asked: str, known: str, meant: str | None) -> None:
    names = list(map(person, known.split(",")))
    found = person_meant(asked, names, resolve(dict.fromkeys(names, 1)))
    assert (found and found.key) == meant


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("张伟,张总", "张丽"),
        ("张丽,张伟,张总", "张女士"),
        ("张先生,Zhang Wei", "张丽"),
        ("张先生,Zhang Wei", "章明"),
        ("张先生,Mr. Zhang", "章明"),
        ("章先生,Mr. Zhang,张先生", "Zhang Wei"),
        ("张伟,Zhang Wei,张总", "张总"),
    ],
)
def test_what_a_new_namesake_affects(known: str, new: str) -> None:
    names = list(map(person, known.split(",")))
    same = [(person("张伟"), person("Zhang Wei"))]
    without, withal = (World(dict.fromkeys(all_names, 1), [], same) for all_names in (names, [*names, person(new)]))
    check_affected(without, withal, {person(new)})
    check_affected(withal, without, {person(new)})


def test_crowds_of_namesakes_are_not_looked_through() -> None:
    crowd = [person(f"张{given}") for given in "伟芳娜敏静丽强磊军洋"]
    buckets = bucket_of([*crowd, person("张总")])
    found = affected([person("张洋")], lambda key: sorted(buckets.get(key, ())), lambda name: ())
    assert found.names == {person("张洋")}
    assert len(found.context) == 3


def test_what_was_asked_of_a_name_holds_under_the_type_that_texts_give_it_now() -> None:
    acme, globex = Name("acme", "name"), Name("globex", "name")
    firm, other_firm = Name("acme", "organisation"), Name("globex", "organisation")
    merge = Constraint("merge", acme, globex)
    resolved = resolve({firm: 1, other_firm: 1}, [merge])
    assert resolved[firm] == resolved[other_firm]
    apart = resolve({firm: 1, other_firm: 1}, [Constraint("unmerge", acme, globex)], [(firm, other_firm)])
    assert apart[firm] != apart[other_firm]


def test_what_was_asked_of_a_name_does_not_hold_for_another_thing_of_that_name() -> None:
    asked = [Constraint("merge", Name("jordan", "person"), Name("jo", "person"))]
    resolved = resolve({Name("jordan", "place"): 1, Name("jo", "person"): 1}, asked)
    assert len(set(resolved.values())) == 2
    two = {Name("jordan", "place"): 1, Name("jordan", "organisation"): 1, Name("jo", "person"): 1}
    assert len(set(resolve(two, [Constraint("merge", Name("jordan", "name"), Name("jo", "person"))]).values())) == 3
