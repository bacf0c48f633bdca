"""Entities and facts as a networkx graph, the face that people and tools know."""

from collections import Counter
from collections.abc import Iterable, Mapping

import networkx

from hybrid_agent_memory.records import Entity, Fact


def as_networkx(entities: Mapping[int, Entity], facts: Iterable[tuple[int, int, Fact]]) -> "networkx.MultiDiGraph[str]":
    """A frozen graph: nodes are entities by name, edges facts by id from subject to object.

    Values such as amounts become nodes of their own, of type ``value``. Where several nodes have one name, each is
    keyed by name and type; ``name`` is the bare one.

    Parameters
    ----------
    entities : mapping of int to Entity
    facts : iterable of (int, int, Fact)
        With the numbers of subject and object; one that is no entity's is a value's.

    Examples
    --------
    >>> apple, fruit = Entity("Apple", "organisation", (), 2), Entity("Apple", "product", (), 1)
    >>> list(as_networkx({1: apple, 2: fruit, 3: Entity("Ann", "person", (), 1)}, []))
    ['Apple (organisation)', 'Apple (product)', 'Ann']
    """
    edges = list(facts)
    nodes = dict(entities)
    for subject, obj, fact in edges:
        nodes.setdefault(subject, Entity(fact.subject, "value", (), 0))
        nodes.setdefault(obj, Entity(fact.object, "value", (), 0))
    keys = _keys(nodes)
    graph: networkx.MultiDiGraph[str] = networkx.MultiDiGraph()
    for number, one in nodes.items():
        graph.add_node(keys[number], name=one.name, type=one.type, aliases=list(one.aliases), mentions=one.mentions)
    for subject, obj, fact in edges:
        graph.add_edge(
            keys[subject],
            keys[obj],
            key=fact.id,
            predicate=fact.predicate,
            kind=fact.kind,
            text=fact.text,
            valid_at=fact.valid_at,
            invalid_at=fact.invalid_at,
        )
    networkx.freeze(graph)
    return graph


def _keys(nodes: Mapping[int, Entity]) -> dict[int, str]:
    """By number a key that no other node has: the name, if several have that the type too, if need be a number."""
    often = Counter(one.name for one in nodes.values())
    keys: dict[int, str] = {}
    taken = {name for name, count in often.items() if count == 1}
    for number, one in nodes.items():
        key = one.name
        if often[one.name] > 1:
            key = plain = f"{one.name} ({one.type})"
            at = 1
            while key in taken:
                at += 1
                key = f"{plain} {at}"
            taken.add(key)
        keys[number] = key
    return keys
