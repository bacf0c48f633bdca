"""Which names are one entity: laws on random names, and examples."""

from collections.abc import Iterable

from hybrid_agent_memory.graph.names import Name
from hybrid_agent_memory.graph.resolution import Constraint, resolve


def person(name: str) -> Name:
    return Name.of(name, "person")


def entities(names: Iterable[Name], *constraints: Constraint) -> list[set[str]]:
    """The keys of each entity, largest first."""
    counts = dict.fromkeys(names, 1)
    groups: dict[Name, set[str]] = {}
    for name, stands_for in resolve(counts, constraints).items():
        groups.setdefault(stands_for, set()).add(name.key)
    return sorted(groups.values(), key=lambda keys: (-len(keys), sorted(keys)))


def test_short_forms_of_one_person_are_one() -> None:
    assert entities(map(person, ["张先生", "张总", "张某", "Mr. Zhang", "张伟"])) == [
        {"张先生", "张总", "张某", "mr zhang", "张伟"}
    ]


def test_two_persons_of_a_surname_keep_their_short_forms_to_themselves() -> None:
    assert entities(map(person, ["张先生", "张伟", "张丽"])) == [{"张丽"}, {"张伟"}, {"张先生"}]
