"""The graph leg: from seed entities over mentions and facts to chunks or facts, scored, each with its path.

Seeds are the entities that the query names and those of the first hits of the other legs. An entity passes its strength
on to what mentions or states it, divided by how many do, so that what everything mentions says nothing.
"""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from hybrid_agent_memory.ranking import Ranking

Rows = NDArray[np.intp]
Scores = NDArray[np.float64]
Nearness = Callable[[Rows], Scores]
"""From handles of what is ranked, chunk rows or fact numbers, to how near they are to the query."""

Kind = Literal["chunk", "fact"]


class Edge(NamedTuple):
    """A valid fact that touches an entity; a tuple, since a search makes a thousand of them.

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
    predicate : str
    """

    fact: int
    other: int
    forward: bool
    relation: bool
    chunk: int
    predicate: str = ""


class Graph(Protocol):
    """What the walk sees of one namespace: only chunks and facts that pass the filter and are valid now.

    Chunks are row numbers, entities and facts are numbers; all mean something within one search only.
    """

    @property
    def chunks(self) -> int:
        """How many live chunks the namespace has."""
        ...

    def frequency(self, entity: int) -> int:
        """How many live chunks mention the entity, or hold the rarest word of its name if that is more; at least 1.

        So a word does not pass for a rare name because it was written with a capital once.
        """
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
        What it hands on, positive; higher is stronger.
    hop : int
        Facts between it and what the query names, as far as is known: 0 for a seed that no fact ties to that.
    before : int or None
        The entity it was reached from; None for a seed.
    edge : Edge or None
        The fact that leads from `before` to it, as seen from `before`.
    hit : int or None
        For a seed, the best hit that mentions it; None where the query names it.
    may_go_far : bool
        Whether a third hop is allowed: the query names its seed, which is among the strong ones.
    """

    strength: float
    hop: int = 0
    before: int | None = None
    edge: Edge | None = None
    hit: int | None = None
    may_go_far: bool = False


@dataclass(frozen=True, slots=True)
class Walk:
    """What the leg found: the hits it started from and matches, with positive scores, and the entities on the way.

    Attributes
    ----------
    kind : {"chunk", "fact"}
    depth : int
        Hops it was allowed.
    hits : tuple of int
        The other legs' hits that it started from, best first: those that are about a seed.
    ranking : Ranking
        Handles are chunk rows or fact numbers; higher scores are better, equal scores in order of handles.
    reached : mapping
        Per entity, how the walk came to it.
    given : Given
        Which entity led to which handle.
    named : float
        How rare the rarest entity is that the query names, 0..1, and 0 when it names none: how far to trust the leg.
    """

    kind: Kind
    depth: int
    hits: tuple[int, ...]
    ranking: Ranking
    reached: Mapping[int, Reached]
    given: "Given"
    named: float


@dataclass(frozen=True, slots=True)
class Given:
    """What entities gave to handles, as columns of one length: each `share` went from `entities` to `handles`."""

    entities: NDArray[np.int64]
    handles: Rows
    share: Scores

    def to(self, handle: int) -> list[int]:
        """The entities that gave something to a handle, ascending."""
        givers: list[int] = np.unique(self.entities[self.handles == handle]).tolist()
        return givers


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a path: along a fact to the entity at its other end, or from an entity to a chunk that mentions it.

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
    """How the walk came to a hit, from a seed on.

    Attributes
    ----------
    hit : int or None
        The other legs' hit that mentions the seed; None where the query names it, or the chain ends in that very hit.
    steps : tuple of Step
        At least one; each begins where the one before it ends.
    """

    hit: int | None
    steps: tuple[Step, ...]


SEED_HITS = 3  # past the third hit, what they mention is as often wrong as right
NAMED = 0.5  # strength of a name in the query: what shares only that with it is mostly among the hits anyway
LEAD = 0.05  # by how much the first hit stays above the best that it leads to, the second by half of that
HUB = 64  # an entity in more chunks than this leads everywhere, and so nowhere
WIDEST = 32  # entities that go on at each hop, the strongest ones: more adds noise and time
MOST = 512  # matches that are compared with the query, the strongest ones: others would not become candidates
ALONG_FACT = 0.5  # what an entity hands on along its facts, more facts sharing it
STATED = 1.0  # what a chunk gets for stating a fact of an entity, on top of mentioning it
FAR = 0.05  # what a match keeps that is no nearer to the query than an average record, where the nearest keeps all
SPELLED_OUT = 1.5  # what the query describes step by step, against what merely is near: no other leg can see that
STRONG = 0.5  # share of the strongest seed's strength that a seed needs for a third hop
FARTHEST = 3  # hops; one more reaches nearly everything


def walk(
    graph: Graph,
    links: Collection[int],
    hits: Sequence[tuple[int, Sequence[int]]],
    *,
    asked: Collection[str] = (),
    kind: Kind = "chunk",
    depth: int = 2,
    nearness: Nearness | None = None,
    usual: float = 0.0,
) -> Walk:
    """Rank chunks or facts by what the query names and by what the other legs' first hits are about.

    Where that leads to anything, the hits themselves come first, in their order, just above the best of it: the leg is
    there to say what comes next to them. Before them comes only what the query spells out: where it names an entity
    and the predicates of a chain of facts from there, "the *owner* of the shelf *complained* about", the chunks or
    facts at the end of that chain.

    Parameters
    ----------
    graph : Graph
    links : collection of int
        Entities that the query names.
    hits : sequence of (handle, entities)
        The other legs' best hits of the same kind, best first, and the entities of each: those a chunk mentions, or the
        two ends of a fact. Only the first three count, and of them those that mention an entity within `depth` of what
        the query names, or one that no fact ties to that.
    asked : collection of str
        Predicates that the query asks for.
    kind : {"chunk", "fact"}
        What to rank.
    depth : int
        Hops: 1 for what mentions or states a seed, 2 for what is one fact further, 3 for one relation more.
    nearness : callable, optional
        How near candidates are to the query, on the scale of cosines: the cosine, which agreement in words may raise
        above 1; higher is nearer, and counts more. Without, the graph alone decides.
    usual : float
        The query's cosine to an average record: what is no nearer than that keeps `FAR` of its score.

    Returns
    -------
    Walk
        Empty when there are no seeds, or `depth` is less than 1.
    """
    seeds = _seeds(graph, links, hits, depth)
    reached = _reach(graph, seeds, depth)
    given = _collected(_given_to_chunks(graph, reached) if kind == "chunk" else _given_to_facts(graph, reached))
    handles, scores = _sums(given)
    if nearness is not None and len(handles):
        scores = scores * _above_usual(nearness(handles), usual)
    first = tuple(dict.fromkeys(hit for hit, mentioned in hits[:SEED_HITS] if not seeds.keys().isdisjoint(mentioned)))
    handles, scores = _with_hits_first(handles, scores, first)
    scores = _raised(scores, np.isin(handles, list(_spelled_out(graph, links, asked, kind, depth))))
    order = np.lexsort((handles, -scores))
    named = max((rarity(graph, entity) for entity in links), default=0.0)
    return Walk(kind, depth, first, Ranking(handles[order], scores[order]), reached, given, named)


def rarity(graph: Graph, entity: int) -> float:
    """How much it says to mention an entity: `ln(1 + N / df) / ln(1 + N)`.

    Its inverse document frequency, in 0..1 whatever the size of the memory: 1 for what a single chunk mentions.
    """
    everything = max(1, graph.chunks)
    return math.log1p(everything / graph.frequency(entity)) / math.log1p(everything)


def path_to(graph: Graph, walked: Walk, handle: int) -> Chain | None:
    """The best chain from a seed to what the walk found; None for what it did not find.

    One that ends in a stated fact comes before one that ends in a mention, then the shorter, then the stronger.
    A chain of two facts is *shelf* —owner→ *Zhang* —complained about→ *delivery*.
    """
    last = min(_last_steps(graph, walked, handle), key=lambda step: _precedence(walked, handle, step), default=None)
    if last is None:
        return None
    steps, at = [last], walked.reached[last.start]
    while at.before is not None and at.edge is not None:
        steps.append(_along(at.before, at.edge))
        at = walked.reached[at.before]
    if at.hit is None or at.hit == handle:
        return Chain(None, tuple(reversed(steps)))
    named = _from_what_is_named(graph, walked, steps[-1])
    if named is not None and len(steps) < min(walked.depth, FARTHEST - 1):
        return Chain(None, (named, *reversed(steps)))
    return Chain(at.hit, tuple(reversed(steps)))


# -- entities ---------------------------------------------------------------------------------------------------------


def _seeds(
    graph: Graph, links: Collection[int], hits: Sequence[tuple[int, Sequence[int]]], depth: int
) -> dict[int, Reached]:
    """What the query names, and what the first hits mention: the more a hit mentions, the less each of it counts."""
    if depth < 1:
        return {}
    near = min(depth, FARTHEST - 1)
    hops = _hops(graph, links, near)
    strengths = {entity: NAMED * rarity(graph, entity) for entity in links}
    hit_of: dict[int, int | None] = dict.fromkeys(strengths)
    for place, (hit, mentioned) in enumerate(hits[:SEED_HITS], 1):
        entities = sorted(set(mentioned))
        for entity in _within(entities, hops, near):
            hit_of.setdefault(entity, hit)
            share = rarity(graph, entity) / (place * math.sqrt(len(entities)))
            strengths[entity] = strengths.get(entity, 0.0) + share
    strong = STRONG * max(strengths.values(), default=0.0)
    return _strongest(
        {
            entity: Reached(
                strength,
                hops.get(entity, 0),
                hit=hit_of[entity],
                may_go_far=hit_of[entity] is None and strength >= strong,
            )
            for entity, strength in strengths.items()
        }
    )


def _within(entities: Sequence[int], hops: Mapping[int, int], near: int) -> list[int]:
    """Those from which the walk may begin: none of a hit that facts tie to what the query names, but only too far."""
    if not hops.keys().isdisjoint(entities) and all(hops.get(entity, near) >= near for entity in entities):
        return []
    return [entity for entity in entities if hops.get(entity, 0) < near]


def _hops(graph: Graph, links: Collection[int], most: int) -> dict[int, int]:
    """How many facts are between entities and the nearest that the query names, where there are at most `most`."""
    hops, outermost = dict.fromkeys(links, 0), sorted(links)
    for hop in range(1, most + 1):
        found = {edge.other for entity in outermost for edge in graph.edges_of(entity)} - hops.keys()
        outermost = sorted(found)[:WIDEST]
        hops |= dict.fromkeys(found, hop)
    return hops


def _reach(graph: Graph, seeds: dict[int, Reached], depth: int) -> dict[int, Reached]:
    """The seeds, and what facts lead to from them in at most `depth - 1` hops; the strongest way to each counts."""
    reached = dict(seeds)
    for hop in range(1, min(depth, FARTHEST)):
        leaving = {e: at for e, at in reached.items() if at.hop == hop - 1}
        if hop + 1 == FARTHEST:
            leaving = {e: at for e, at in leaving.items() if at.may_go_far}
        reached |= _strongest(_next_hop(graph, leaving, reached))
    return reached


def _next_hop(graph: Graph, leaving: Mapping[int, Reached], known: Mapping[int, Reached]) -> dict[int, Reached]:
    """The entities at the other ends of facts, at least the strongest ones."""
    edges = {entity: _edges(graph, entity, at) for entity, at in leaving.items()}
    handed_on = {e: ALONG_FACT * at.strength / math.sqrt(len(edges[e]) or 1) for e, at in leaving.items()}
    found: dict[int, Reached] = {}
    weakest = 0.0
    for entity in sorted(leaving, key=lambda e: (-handed_on[e], not leaving[e].may_go_far, e)):
        at, strength = leaving[entity], handed_on[entity]
        if len(found) >= WIDEST and strength < weakest:
            break
        for edge in edges[entity]:
            if edge.other not in known and edge.other not in found:
                found[edge.other] = Reached(strength, at.hop + 1, entity, edge, None, at.may_go_far)
        weakest = strength
    return found


def _strongest(entities: Mapping[int, Reached]) -> dict[int, Reached]:
    return dict(sorted(entities.items(), key=lambda entry: (-entry[1].strength, entry[0]))[:WIDEST])


def _edges(graph: Graph, entity: int, at: Reached) -> Sequence[Edge]:
    """The facts that may be followed from an entity: not back over the last one, at the third hop relations only."""
    edges = graph.edges_of(entity)
    if at.edge is None:
        return edges
    came_by, last = at.edge.fact, at.hop + 1 == FARTHEST
    return [edge for edge in edges if edge.fact != came_by and (edge.relation or not last)]


# -- scores -----------------------------------------------------------------------------------------------------------


def _given_to_chunks(graph: Graph, reached: Mapping[int, Reached]) -> Iterator[tuple[int, Rows, float]]:
    """What each entity gives to each chunk: its strength, divided among the chunks but the one it came from."""
    for entity, at in reached.items():
        share = at.strength / max(1, graph.frequency(entity) - 1)
        if _leads_to_mentions(graph, entity, at):
            yield entity, graph.chunks_of(entity), share
        stating = {edge.chunk for edge in _edges(graph, entity, at)}
        yield entity, np.fromiter(stating, np.intp, len(stating)), STATED * share


def _leads_to_mentions(graph: Graph, entity: int, at: Reached) -> bool:
    return at.hop + 1 < FARTHEST and graph.frequency(entity) <= HUB


def _given_to_facts(graph: Graph, reached: Mapping[int, Reached]) -> Iterator[tuple[int, Rows, float]]:
    for entity, at in reached.items():
        facts = {edge.fact for edge in _edges(graph, entity, at)}
        yield entity, np.fromiter(facts, np.intp, len(facts)), at.strength / max(1, len(facts))


def _collected(given: Iterable[tuple[int, Rows, float]]) -> Given:
    parts = list(given)
    lengths = [len(handles) for _, handles, _ in parts]
    return Given(
        np.repeat(np.array([entity for entity, _, _ in parts], np.int64), lengths),
        np.concatenate([handles for _, handles, _ in parts] or [np.empty(0, np.intp)]),
        np.repeat(np.array([share for _, _, share in parts], np.float64), lengths),
    )


def _sums(given: Given) -> tuple[Rows, Scores]:
    """The strongest handles and the sum of their shares; equal ones are all in or all out."""
    handles, at = np.unique(given.handles, return_inverse=True)
    scores: Scores = np.round(np.bincount(at, given.share, len(handles)), 12)  # adding order shows in the last digits
    weakest = float(np.partition(scores, -MOST)[-MOST]) if len(scores) > MOST else 0.0
    kept = (scores > 0) & (scores >= weakest)
    return handles[kept], scores[kept]


def _above_usual(nearness: Scores, usual: float) -> Scores:
    """How far each is above the usual, as a share of the nearest; never 0, for all are matches."""
    above = np.asarray(nearness, np.float64) - usual
    nearest = above.max()
    return np.maximum(above / nearest, FAR) if nearest > 0 else np.ones(len(above))


def _with_hits_first(handles: Rows, scores: Scores, hits: Sequence[int]) -> tuple[Rows, Scores]:
    """A hit is sure to match what it mentions itself; it gets a place before what it leads to instead."""
    others = ~np.isin(handles, hits)
    if not others.any():
        return handles, scores
    above = scores[others].max() * (1 + LEAD / np.arange(1, len(hits) + 1))
    return np.concatenate([np.array(hits, np.intp), handles[others]]), np.concatenate([above, scores[others]])


def _raised(scores: Scores, spelled_out: NDArray[np.bool_]) -> Scores:
    """What the query spells out before all else, in its own order; the first of it `SPELLED_OUT` times the best."""
    if not spelled_out.any():
        return scores
    own = scores / scores[spelled_out].max()
    return np.where(spelled_out, scores.max() * (1 + (SPELLED_OUT - 1) * (1 + own) / 2), scores)


def _spelled_out(graph: Graph, links: Collection[int], asked: Collection[str], kind: Kind, depth: int) -> set[int]:
    """The ends of the longest chains of facts from what the query names whose predicates it asks for, each once."""
    ends, chains, seen = set[int](), dict.fromkeys(links, frozenset[str]()), set(links)
    for _ in range(min(depth, FARTHEST)):
        led = [
            (edge, chain | {edge.predicate})
            for entity, chain in chains.items()
            for edge in graph.edges_of(entity)
            if edge.predicate in asked and edge.predicate not in chain
        ]
        if led:
            ends = {edge.chunk if kind == "chunk" else edge.fact for edge, _ in led}
        chains = dict([(edge.other, chain) for edge, chain in led if edge.other not in seen][:WIDEST])
        seen |= chains.keys()
    return ends


# -- paths ------------------------------------------------------------------------------------------------------------


def _last_steps(graph: Graph, walked: Walk, handle: int) -> Iterator[Step]:
    """The ends of all chains to a handle; of one that begins in a hit and ends there, what it has to say of itself."""
    mentioned = set(graph.entities_of(handle)) if walked.kind == "chunk" else set[int]()
    for entity in walked.given.to(handle):
        at = walked.reached[entity]
        for edge in _edges(graph, entity, at):
            if handle == (edge.chunk if walked.kind == "chunk" else edge.fact):
                yield _along(entity, edge)
        if entity in mentioned and _leads_to_mentions(graph, entity, at):
            yield Step(entity, None, None, True, handle)


def _along(start: int, edge: Edge) -> Step:
    return Step(start, edge.other, edge.fact, edge.forward, edge.chunk)


def _from_what_is_named(graph: Graph, walked: Walk, first: Step) -> Step | None:
    """The fact that ties the start of a chain to what the query names, which is the better place to begin."""
    entity = first.start
    edges = (edge for edge in graph.edges_of(entity) if edge.fact != first.fact and edge.other != entity)
    ties = [edge for edge in edges if _is_named(walked.reached.get(edge.other))]
    best = min(ties, key=lambda edge: (-walked.reached[edge.other].strength, edge.other), default=None)
    return None if best is None else Step(best.other, entity, best.fact, not best.forward, best.chunk)


def _is_named(at: Reached | None) -> bool:
    return at is not None and at.hop == 0 and at.hit is None


def _precedence(walked: Walk, handle: int, step: Step) -> tuple[bool, bool, int, float, int]:
    """Of equals the first counts, which is the latest fact; numbers of facts depend on the order of writing."""
    at = walked.reached[step.start]
    return at.hit == handle, step.fact is None, at.hop, -at.strength, step.start
