"""What a write did to the graph, read off the graph afterwards."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from hybrid_agent_memory.engines import ChunkReport, Extracted, Moment
from hybrid_agent_memory.engines.local.graph import GraphIndex
from hybrid_agent_memory.engines.local.graph_entities import EntityIndex
from hybrid_agent_memory.engines.local.graph_facts import ALIAS, FactNode, by_time
from hybrid_agent_memory.engines.local.graph_names import VALUES
from hybrid_agent_memory.engines.local.view import fact_of
from hybrid_agent_memory.graph.names import Name, name_key
from hybrid_agent_memory.records import Fact

MOST_NEAR = 256  # names that a new one may join; more of them are hardly one entity
Known = Mapping[int, str]
"""By the number of the name that stands for an entity, what the entity is called."""


def chunk_reports(
    graph: GraphIndex, chunks: Collection[int], known: Known, texts: Mapping[int, str], moment: Moment
) -> Iterator[tuple[int, ChunkReport]]:
    """Per chunk of one transaction, what it brought; what is new is new in the first chunk that has it.

    `known` is what `known_before` gave before the transaction.
    """
    reported, written_now = set[int](), frozenset(chunks)
    names, entity_of, name_of = graph.names, graph.entities.entity_of, graph.entities.name_of
    united = _united(graph.entities, known)
    for chunk in chunks:
        said = graph.said_in(chunk)
        entities = list(dict.fromkeys(entity_of(number) for number, _ in said))
        new = {entity for entity in entities if names.only_in(graph.entities.members(entity), written_now)}
        created = new - reported
        joined = [
            (written, name_of(number))
            for number, written in said
            if number not in reported and entity_of(number) not in new and names.only_in([number], written_now)
        ]
        facts = graph.facts_in(chunk)
        causes = {entity_of(number) for number, _ in said if names.only_in([number], written_now)}
        causes |= {entity_of(node.subject) for node in facts if node.predicate == ALIAS}
        joined += [
            (called, name_of(entity)) for entity in entities if entity in causes for called in united.pop(entity, ())
        ]
        before = {old.key: old for node in facts for old in graph.timelines.closed_by(node)}
        yield (
            chunk,
            ChunkReport(
                entities=tuple(map(name_of, entities)),
                created=tuple(name_of(entity) for entity in entities if entity in created),
                merged=tuple(dict.fromkeys(pair for pair in joined if pair[0] != pair[1])),
                facts=as_facts(graph.entities, facts, texts, moment),
                superseded=as_facts(graph.entities, before.values(), texts, moment),
            ),
        )
        reported |= {*new, *(number for number, _ in said)}


def stated_in(
    graph: GraphIndex, chunks: Iterable[int], texts: Mapping[int, str], moment: Moment
) -> Iterator[tuple[int, ChunkReport]]:
    """Per chunk that is in the graph already, its entities and facts."""
    entity_of, name_of = graph.entities.entity_of, graph.entities.name_of
    for chunk in chunks:
        entities = dict.fromkeys(entity_of(number) for number, _ in graph.said_in(chunk))
        facts = as_facts(graph.entities, graph.facts_in(chunk), texts, moment)
        yield chunk, ChunkReport(entities=tuple(map(name_of, entities)), facts=facts)


def facts_in(graph: GraphIndex, chunks: Iterable[int]) -> list[int]:
    """Keys of the facts that `stated_in` will speak of."""
    return [key for chunk in chunks for key in graph.fact_keys_in(chunk)]


def known_before(graph: GraphIndex, extracted: Collection[Extracted]) -> Known:
    """The entities that what is about to be stored names, or whose names are near a new one."""
    names, entities = graph.names, graph.entities
    stated = [one for each in extracted for fact in each.facts for one in (fact.triple.subject, fact.triple.object)]
    written = {*stated, *(mention for each in extracted for mention in each.mentions)}
    found = set[int]()
    for name in {Name(name_key(one.name), one.type) for one in written if one.type not in VALUES}:
        own = [number for number in names.keyed(name.key) if names.by_number[number] == name]
        found.update(own or names.near(name, MOST_NEAR))
    known = {entities.entity_of(number) for number in found if not names.is_value(number)}
    return {names.numbers[entities.best_name(entity)]: entities.name_of(entity) for entity in known}


def _united(entities: EntityIndex, known: Known) -> dict[int, list[str]]:
    """By entity, what those were called that became one in it."""
    names: dict[int, list[str]] = {}
    for number, called in known.items():
        if entities.is_live(number):
            names.setdefault(entities.entity_of(number), []).append(called)
    return {entity: sorted(called) for entity, called in names.items() if len(called) > 1}


def facts_to_report(graph: GraphIndex, chunks: Collection[int]) -> list[int]:
    """Keys of the facts that `chunk_reports` will speak of."""
    facts = [node for chunk in chunks for node in graph.facts_in(chunk)]
    return [node.key for fact in facts for node in (fact, *graph.timelines.closed_by(fact))]


@dataclass(frozen=True, slots=True)
class Closed:
    """The facts that chunks which are about to go have closed, by id: what chunk did, and when each ended before."""

    by: dict[str, int] = field(default_factory=dict)
    ends: dict[str, datetime | None] = field(default_factory=dict)


def closed_by(graph: GraphIndex, chunks: Iterable[int]) -> Closed:
    """What chunks have closed, before they go."""
    closed = Closed()
    for chunk in chunks:
        for old in (old for node in graph.facts_in(chunk) for old in graph.timelines.closed_by(node)):
            closed.by.setdefault(old.id, chunk)
            closed.ends[old.id] = old.span.invalid_at
    return closed


def reopened(graph: GraphIndex, closed: Closed, now: datetime) -> list[FactNode]:
    """Of facts that were closed those that are still there and hold again, or hold for longer, oldest first."""
    nodes = [node for node in map(graph.facts.by_id, closed.ends) if node is not None]
    return sorted((node for node in nodes if _is_open_again(node, closed.ends[node.id], now)), key=by_time)


def _is_open_again(node: FactNode, before: datetime | None, now: datetime) -> bool:
    end = node.span.invalid_at
    return end is None or (end > now and before is not None and end > before)


def as_facts(
    entities: EntityIndex, nodes: Iterable[FactNode], texts: Mapping[int, str], moment: Moment
) -> tuple[Fact, ...]:
    """Facts as people see them, but for mere ends and for what the graph, which may be ahead, has without a text."""
    told = (node for node in nodes if node.key in texts and not node.tells_end)
    return tuple(fact_of(entities, node, texts[node.key], moment, (node.chunk_id,)) for node in told)
