"""Entities and facts as a networkx graph, the face that people and tools know."""

from collections.abc import Iterable

import networkx

from hybrid_agent_memory.records import Entity, Fact


def as_networkx(entities: Iterable[Entity], facts: Iterable[Fact]) -> "networkx.MultiDiGraph[str]":
    """A frozen graph: nodes are entities by name, edges facts by id from subject to object.

    Values such as amounts become nodes of their own, of type ``value``.

    Examples
    --------
    >>> from hybrid_agent_memory import HybridMemory
    >>> memory = HybridMemory.in_memory()
    >>> _ = memory.add_episode("The budget of Project Atlas is 500k.")
    >>> graph = as_networkx(memory.entities(), memory.history("Project Atlas"))
    >>> [(name, values["type"]) for name, values in graph.nodes(data=True)]
    [('Project Atlas', 'project'), ('500k', 'value')]
    >>> [(start, values["predicate"], end) for start, end, values in graph.edges(data=True)]
    [('Project Atlas', 'budget', '500k')]
    """
    graph: networkx.MultiDiGraph[str] = networkx.MultiDiGraph()
    for entity in entities:
        graph.add_node(entity.name, type=entity.type, aliases=list(entity.aliases), mentions=entity.mentions)
    for fact in facts:
        for name in (fact.subject, fact.object):
            if name not in graph:
                graph.add_node(name, type="value", aliases=[], mentions=0)
        graph.add_edge(
            fact.subject,
            fact.object,
            key=fact.id,
            predicate=fact.predicate,
            kind=fact.kind,
            text=fact.text,
            valid_at=fact.valid_at,
            invalid_at=fact.invalid_at,
        )
    networkx.freeze(graph)
    return graph
