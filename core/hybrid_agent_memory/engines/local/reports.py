"""What a write did to the graph, read off the graph afterwards."""

from collections.abc import Collection, Iterator, Mapping

from hybrid_agent_memory.engines import ChunkReport, Extracted, Moment
from hybrid_agent_memory.engines.local.graph import ALIAS, VALUES, FactNode, GraphIndex
from hybrid_agent_memory.engines.local.view import fact_of
from hybrid_agent_memory.graph.names import Name, name_key
from hybrid_agent_memory.records import Fact

MOST_NEAR = 256  # names that a new one may join; more of them are hardly one entity
Known = Mapping[int, str]
"""By the number of the name that stands for an entity, what the entity is called."""


def chunk_reports(
    index: GraphIndex, chunks: Collection[int], known: Known, texts: Mapping[int, str], moment: Moment
) -> Iterator[tuple[int, ChunkReport]]:
    """Per chunk of one transaction, what it brought; what is new is new in the first chunk that has it.

    `known` is what `known_before` gave before the transaction.
    """
    reported, written_now = set[int](), frozenset(chunks)
    united = _united(index, known)
    for chunk in chunks:
        said = index.said_in(chunk)
        entities = list(dict.fromkeys(index.entity(number) for number, _ in said))
        new = {entity for entity in entities if index.only_in(index.members(entity), written_now)}
        created = new - reported
        joined = [
            (written, index.name_of(number))
            for number, written in said
            if number not in reported and index.entity(number) not in new and index.only_in([number], written_now)
        ]
        facts = index.facts_in(chunk)
        causes = {index.entity(number) for number, _ in said if index.only_in([number], written_now)}
        causes |= {index.entity(node.subject) for node in facts if node.predicate == ALIAS}
        joined += [
            (called, index.name_of(entity))
            for entity in entities
            if entity in causes
            for called in united.pop(entity, ())
        ]
        before = [old for node in facts for old in index.superseded_by(node)]
        yield (
            chunk,
            ChunkReport(
                entities=_names(index, entities),
                created=_names(index, [entity for entity in entities if entity in created]),
                merged=tuple(dict.fromkeys(pair for pair in joined if pair[0] != pair[1])),
                facts=_facts(index, facts, texts, moment),
                superseded=_facts(index, before, texts, moment),
            ),
        )
        reported |= {*new, *(number for number, _ in said)}


def known_before(index: GraphIndex, extracted: Collection[Extracted]) -> Known:
    """The entities that what is about to be stored names, or whose names are near a new one."""
    stated = [one for each in extracted for fact in each.facts for one in (fact.triple.subject, fact.triple.object)]
    written = {*stated, *(mention for each in extracted for mention in each.mentions)}
    found = set[int]()
    for name in {Name(name_key(one.name), one.type) for one in written if one.type not in VALUES}:
        own = [number for number in index.keyed(name.key) if index.name(number) == name]
        found.update(own or index.near(name, MOST_NEAR))
    entities = {index.entity(number) for number in found if not index.is_value(number)}
    return {index.number_of(index.best_name(entity)): index.name_of(entity) for entity in entities}


def _united(index: GraphIndex, known: Known) -> dict[int, list[str]]:
    """By entity, what those were called that became one in it."""
    names: dict[int, list[str]] = {}
    for number, called in known.items():
        if index.has(number):
            names.setdefault(index.entity(number), []).append(called)
    return {entity: sorted(called) for entity, called in names.items() if len(called) > 1}


def facts_to_report(index: GraphIndex, chunks: Collection[int]) -> list[int]:
    """Keys of the facts that `chunk_reports` will speak of."""
    facts = [node for chunk in chunks for node in index.facts_in(chunk)]
    return [node.key for fact in facts for node in (fact, *index.superseded_by(fact))]


def _names(index: GraphIndex, entities: list[int]) -> tuple[str, ...]:
    return tuple(index.name_of(entity) for entity in entities)


def _facts(index: GraphIndex, nodes: list[FactNode], texts: Mapping[int, str], moment: Moment) -> tuple[Fact, ...]:
    return tuple(fact_of(index, node, texts[node.key], moment, (node.chunk_id,)) for node in nodes if node.key in texts)
