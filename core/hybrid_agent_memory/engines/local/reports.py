"""What a write did to the graph, read off the graph afterwards."""

from collections.abc import Collection, Iterator, Mapping

from hybrid_agent_memory.engines import ChunkReport, Moment
from hybrid_agent_memory.engines.local.graph import FactNode, GraphIndex
from hybrid_agent_memory.engines.local.view import fact_of
from hybrid_agent_memory.records import Fact


def chunk_reports(
    index: GraphIndex, chunks: Collection[int], texts: Mapping[int, str], moment: Moment
) -> Iterator[tuple[int, ChunkReport]]:
    """Per chunk of one transaction, what it brought; what is new is new in the first chunk that has it."""
    reported, written_now = set[int](), frozenset(chunks)
    for chunk in chunks:
        said = index.said_in(chunk)
        entities = list(dict.fromkeys(index.entity(number) for number, _ in said))
        new = [entity for entity in entities if index.only_in(index.members(entity), written_now)]
        joined = [
            (written, index.name_of(number))
            for number, written in said
            if number not in reported and index.entity(number) not in new and index.only_in([number], written_now)
        ]
        facts = index.facts_in(chunk)
        before = [old for node in facts for old in index.superseded_by(node)]
        yield (
            chunk,
            ChunkReport(
                entities=_names(index, entities),
                created=_names(index, [entity for entity in new if entity not in reported]),
                merged=tuple(pair for pair in joined if pair[0] != pair[1]),
                facts=_facts(index, facts, texts, moment),
                superseded=_facts(index, before, texts, moment),
            ),
        )
        reported |= {*new, *(number for number, _ in said)}


def facts_to_report(index: GraphIndex, chunks: Collection[int]) -> list[int]:
    """Keys of the facts that `chunk_reports` will speak of."""
    facts = [node for chunk in chunks for node in index.facts_in(chunk)]
    return [node.key for fact in facts for node in (fact, *index.superseded_by(fact))]


def _names(index: GraphIndex, entities: list[int]) -> tuple[str, ...]:
    return tuple(index.name_of(entity) for entity in entities)


def _facts(index: GraphIndex, nodes: list[FactNode], texts: Mapping[int, str], moment: Moment) -> tuple[Fact, ...]:
    return tuple(fact_of(index, node, texts[node.key], moment, (node.chunk_id,)) for node in nodes if node.key in texts)
