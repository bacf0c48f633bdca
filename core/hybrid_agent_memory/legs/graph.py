"""The graph leg: from seed entities over mentions and facts to chunks or facts, scored, each with its path.

Seeds are the entities that the query names and those of the first hits of the other legs. An entity passes its strength
on to what mentions or states it, divided by how many do, so that what everything mentions says nothing.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from hybrid_agent_memory.ranking import Ranking

Rows = NDArray[np.intp]
Scores = NDArray[np.float64]
Cosines = Callable[[Rows], Scores]
"""From handles of what is ranked, chunk rows or fact numbers, to their cosines to the query."""

Kind = Literal["chunk", "fact"]


@dataclass(frozen=True, slots=True)
class Edge:
    """A valid fact that touches an entity.

    Attributes
    ----------
    fact : int
        Number of the fact, the same in all edges of that fact.
    other : int
        The entity at its other end.
    forward : bool
        Whether the entity it was asked for is the subject.
    relation : bool
        Whether the fact is a relation, else an event.
    chunk : int
        The row of the chunk that states it.
    """

    fact: int
    other: int
    forward: bool
    relation: bool
    chunk: int


class Graph(Protocol):
    """What the walk sees of one namespace: only chunks and facts that pass the filter and are valid now.

    Chunks are row numbers, entities and facts are numbers; all mean something within one search only.
    """

    @property
    def chunks(self) -> int:
        """How many live chunks the namespace has."""
        ...

    def frequency(self, entity: int) -> int:
        """How many live chunks mention the entity, at least 1."""
        ...

    def chunks_of(self, entity: int) -> Rows:
        """Rows of chunks that mention the entity, at most the hub cap of them."""
        ...

    def entities_of(self, chunk: int) -> Sequence[int]:
        """The entities that a chunk mentions."""
        ...

    def edges_of(self, entity: int) -> Sequence[Edge]:
        """The facts that touch the entity, at most the hub cap of them."""
        ...


@dataclass(frozen=True, slots=True)
class Reached:
    """An entity that the walk came to.

    Attributes
    ----------
    strength : float
        What it passes on, positive; higher is stronger.
    hop : int
        Facts between it and its seed, 0 for a seed.
    before : int or None
        The entity it was reached from; None for a seed.
    edge : Edge or None
        The fact that leads from `before` to it, as seen from `before`.
    hit : int or None
        For a seed, the hit that mentions it; None where the query names it.
    may_go_far : bool
        Whether a third hop is allowed: its seed is strong and named by the query.
    """

    strength: float
    hop: int
    before: int | None
    edge: Edge | None
    hit: int | None
    may_go_far: bool


@dataclass(frozen=True, slots=True)
class Walk:
    """What the leg found: matches only, with positive scores, and the entities on the way to them.

    Attributes
    ----------
    kind : {"chunk", "fact"}
    ranking : Ranking
        Handles are chunk rows or fact numbers; higher scores are better, equal scores in order of handles.
    reached : mapping
        Per entity, how the walk came to it.
    """

    kind: Kind
    ranking: Ranking
    reached: Mapping[int, Reached]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a path: along a fact to the entity at its other end, or from an entity to a chunk mentioning it.

    Attributes
    ----------
    start : int
        The entity where it begins.
    end : int or None
        The entity where it ends; None for the last step to a chunk that merely mentions `start`.
    fact : int or None
        The fact it follows; None for a mention.
    forward : bool
        Whether it goes from the fact's subject to its object.
    chunk : int
        The row of the chunk that states the fact, or that mentions `start`.
    """

    start: int
    end: int | None
    fact: int | None
    forward: bool
    chunk: int


@dataclass(frozen=True, slots=True)
class Chain:
    """How the walk came to a hit, from a seed on; `hit` is the other legs' hit that mentions the seed, if one does."""

    hit: int | None
    steps: tuple[Step, ...]


SEED_HITS = 3  # past the third hit, seeds are as often wrong as right
EXPANDED = 32  # only the strongest entities are left by facts: weaker ones add noise and time
HUB = 64  # an entity in more chunks than this leads everywhere, and so nowhere
HOP_DAMPING = 0.5  # what an entity passes along a fact, shared among its facts
STATED = 1.0  # a chunk that states a fact of an entity gets this much more than one that mentions it
STRONG = 0.5  # share of the strongest seed's strength from which a seed may be left by a third hop
FARTHEST = 0.05  # of the nearest candidate's nearness: what a candidate keeps that is no nearer than usual


def walk(
    graph: Graph,
    links: Mapping[int, float],
    hits: Sequence[tuple[int, Sequence[int]]],
    *,
    kind: Kind = "chunk",
    depth: int = 2,
    cosines: Cosines | None = None,
    usual: float = 0.0,
) -> Walk:
    """Rank chunks or facts by what the query names and by what the other legs' first hits are about.

    Parameters
    ----------
    graph : Graph
    links : mapping of int to float
        Entities that the query names, and how surely: 0..1, 1 for an exact name.
    hits : sequence of (handle, entities)
        The other legs' best hits of the same kind, best first, and the entities of each: those a chunk mentions, or the
        two ends of a fact. Only the first three count.
    kind : {"chunk", "fact"}
        What to rank.
    depth : int
        Hops: 1 for what mentions or states a seed, 2 for what is one fact further, 3 for one relation more.
    cosines : callable, optional
        Cosines of candidates to the query; those nearer to it then count more. Without, the graph alone decides.
    usual : float
        The query's cosine to an average record.

    Returns
    -------
    Walk
        Empty when there are no seeds, or `depth` is less than 1.
    """
    reached = _reach(graph, _seeds(graph, links, hits), depth)
    found = _chunk_scores(graph, reached) if kind == "chunk" else _fact_scores(graph, reached)
    handles = np.array(sorted(found), np.intp)
    scores = np.array([found[handle] for handle in handles.tolist()], np.float64)
    if cosines is not None and len(handles):
        scores = scores * _nearness(cosines(handles), usual)
    scores = np.round(scores, 12)  # sums differ in their last digits with the order of adding
    order = np.lexsort((handles, -scores))
    order = order[scores[order] > 0]
    return Walk(kind, Ranking(handles[order], scores[order]), reached)


def path_to(graph: Graph, walked: Walk, handle: int) -> Chain | None:
    """The best chain from a seed to a hit of the walk: fewest hops, then the strongest; None for what is no hit.

    Examples
    --------
    A chain of two facts is *shelf* —owner→ *Zhang* —complained about→ *delivery*.
    """
    if handle not in walked.ranking.handles:
        return None
    ends = (
        _last_steps_to_chunk(graph, walked, handle)
        if walked.kind == "chunk"
        else _last_steps_to_fact(graph, walked, handle)
    )
    best = min(ends, key=lambda step: _precedence(walked, step), default=None)
    if best is None:
        return None
    steps = [best]
    entity = walked.reached[best.start]
    while entity.before is not None and entity.edge is not None:
        edge = entity.edge
        steps.append(Step(entity.before, edge.other, edge.fact, edge.forward, edge.chunk))
        entity = walked.reached[entity.before]
    return Chain(entity.hit, tuple(reversed(steps)))


def rarity(graph: Graph, entity: int) -> float:
    """The inverse document frequency of an entity, `ln(1 + N / df)`: positive, higher is rarer."""
    return math.log(1 + graph.chunks / graph.frequency(entity))


def _seeds(graph: Graph, links: Mapping[int, float], hits: Sequence[tuple[int, Sequence[int]]]) -> dict[int, Reached]:
    """What the query names weighs its rarity; what the hit at rank r mentions is shared, and divided by r."""
    strengths = {entity: sure * rarity(graph, entity) for entity, sure in links.items() if sure > 0}
    origins: dict[int, int | None] = dict.fromkeys(strengths)
    for place, (hit, entities) in enumerate(hits[:SEED_HITS], 1):
        for entity in dict.fromkeys(entities):
            origins.setdefault(entity, hit)
            share = rarity(graph, entity) / (place * math.sqrt(len(entities)))
            strengths[entity] = strengths.get(entity, 0.0) + share
    strong = STRONG * max(strengths.values(), default=0.0)
    return {
        entity: Reached(strength, 0, None, None, origins[entity], origins[entity] is None and strength >= strong)
        for entity, strength in strengths.items()
    }


def _reach(graph: Graph, seeds: Mapping[int, Reached], depth: int) -> dict[int, Reached]:
    """The seeds and what facts lead to from them, in at most `depth - 1` hops; the strongest way to each counts."""
    reached = dict(seeds) if depth > 0 else {}
    outermost = reached
    for hop in range(1, min(depth, 3)):
        found: dict[int, Reached] = {}
        for entity, left in _strongest(outermost):
            if hop > 1 and not left.may_go_far:
                continue
            edges = graph.edges_of(entity)
            passed = HOP_DAMPING * left.strength / math.sqrt(len(edges) or 1)
            for edge in edges:
                if edge.other in reached:
                    continue
                step = Reached(passed, hop, entity, edge, None, left.may_go_far)
                known = found.get(edge.other)
                if known is None or (passed, -edge.fact) > (known.strength, -_fact_of(known)):
                    found[edge.other] = step
        reached |= found
        outermost = found
    return reached


def _fact_of(reached: Reached) -> int:
    return reached.edge.fact if reached.edge is not None else -1


def _strongest(reached: Mapping[int, Reached]) -> Iterable[tuple[int, Reached]]:
    return sorted(reached.items(), key=lambda entry: (-entry[1].strength, entry[0]))[:EXPANDED]


def _edges(graph: Graph, entity: int, at: Reached) -> Sequence[Edge]:
    """The facts that may be followed from an entity: the third hop takes relations only."""
    edges = graph.edges_of(entity)
    return edges if at.hop < 2 else [edge for edge in edges if edge.relation]


def _chunk_scores(graph: Graph, reached: Mapping[int, Reached]) -> dict[int, float]:
    scores: dict[int, float] = {}
    for entity, at in reached.items():
        frequency = graph.frequency(entity)
        share = at.strength / frequency
        if frequency <= HUB and at.hop < 2:
            for chunk in graph.chunks_of(entity).tolist():
                scores[chunk] = scores.get(chunk, 0.0) + share
        for chunk in {edge.chunk for edge in _edges(graph, entity, at)}:
            scores[chunk] = scores.get(chunk, 0.0) + STATED * share
    return scores


def _fact_scores(graph: Graph, reached: Mapping[int, Reached]) -> dict[int, float]:
    scores: dict[int, float] = {}
    for entity, at in reached.items():
        edges = _edges(graph, entity, at)
        for fact in {edge.fact for edge in edges}:
            scores[fact] = scores.get(fact, 0.0) + at.strength / len(edges)
    return scores


def _nearness(cosines: Scores, usual: float) -> Scores:
    """How far candidates are above the usual cosine, as shares of the nearest one; never 0, for they are matches."""
    above = np.asarray(cosines, np.float64) - usual
    nearest = float(above.max())
    if nearest <= 0:
        return np.ones(len(above))
    share: Scores = np.maximum(above / nearest, FARTHEST)
    return share


def _last_steps_to_chunk(graph: Graph, walked: Walk, chunk: int) -> Iterable[Step]:
    for entity, at in walked.reached.items():
        stated = [edge for edge in _edges(graph, entity, at) if edge.chunk == chunk]
        for edge in stated:
            yield Step(entity, edge.other, edge.fact, edge.forward, chunk)
        if not stated and at.hop < 2 and graph.frequency(entity) <= HUB and entity in graph.entities_of(chunk):
            yield Step(entity, None, None, True, chunk)


def _last_steps_to_fact(graph: Graph, walked: Walk, fact: int) -> Iterable[Step]:
    for entity, at in walked.reached.items():
        for edge in _edges(graph, entity, at):
            if edge.fact == fact:
                yield Step(entity, edge.other, fact, edge.forward, edge.chunk)


def _precedence(walked: Walk, step: Step) -> tuple[bool, int, float, int, int]:
    """From what the query names before what a hit mentions, then facts before mentions, near, strong, first."""
    at = walked.reached[step.start]
    return step.fact is None, at.hop, -at.strength, step.start, -1 if step.fact is None else step.fact
