"""The shortest way from one entity to another, along facts."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING, cast

from hybrid_agent_memory.cli.names import unknown_name
from hybrid_agent_memory.errors import InvalidInputError, shown
from hybrid_agent_memory.graph.names import name_key
from hybrid_agent_memory.records import PathStep

if TYPE_CHECKING:
    import networkx

_LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class FactStep:
    """One edge of a path: its fact's id and sentence, and how it reads as a step."""

    fact: str
    text: str
    step: PathStep


def shortest_path(graph: "networkx.MultiDiGraph[str]", a: str, b: str) -> list[FactStep] | None:
    """The shortest path between two entities, whatever the direction of its edges; None when there is none.

    It does not lead through values: that two budgets are equal connects nobody. Of several facts between two entities
    the newest is taken.

    Raises
    ------
    InvalidInputError
        If no entity, or several, go by one of the names, or both names are those of one.
    """
    import networkx

    start, end = _node(graph, a), _node(graph, b)
    if start == end:
        raise InvalidInputError(f"{shown(a)} and {shown(b)} are one entity, {start!r}: give two")
    passable = {node for node, values in graph.nodes(data=True) if values["type"] != "value"} | {start, end}
    between = networkx.Graph(graph.subgraph(passable).edges())
    if start not in between or end not in between or not networkx.has_path(between, start, end):
        return None
    return [_newest(graph, here, there) for here, there in pairwise(networkx.shortest_path(between, start, end))]


def _node(graph: "networkx.MultiDiGraph[str]", name: str) -> str:
    key = name_key(name)
    found = [
        node
        for node, values in graph.nodes(data=True)
        if key in map(name_key, (node, values["name"], *values["aliases"]))
    ]
    if not found:
        raise unknown_name(name, (node for node in graph if key in name_key(node)))
    if len(found) > 1:
        raise InvalidInputError(f"{shown(name)} is several entities: give one of {', '.join(map(repr, found))}")
    return found[0]


def _newest(graph: "networkx.MultiDiGraph[str]", here: str, there: str) -> FactStep:
    candidates = [*_facts(graph, here, there, forward=True), *_facts(graph, there, here, forward=False)]
    return max(candidates, key=lambda one: (one.step.time or _LONG_AGO, one.fact))


def _facts(graph: "networkx.MultiDiGraph[str]", subject: str, value: str, *, forward: bool) -> Iterator[FactStep]:
    edges = cast("Mapping[str, Mapping[str, object]]", graph.get_edge_data(subject, value) or {})
    for identity, fact in edges.items():
        time = cast("datetime | None", fact["valid_at"])
        step = PathStep(subject, str(fact["predicate"]), value, forward, time, chunk_id="")
        yield FactStep(identity, str(fact["text"]), step)
