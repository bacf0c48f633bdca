"""The graph of one namespace, derived from what each chunk says: its parts, the one way to write them, and its chunks.

`names`, `entities`, `facts` and `timelines` each answer for themselves, and each knows only those before it. The state
after any series of writes is that of a fresh build, and a write costs what it changes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hybrid_agent_memory.engines.local.graph_entities import EntityIndex
from hybrid_agent_memory.engines.local.graph_facts import FactIndex, FactNode, fact_node
from hybrid_agent_memory.engines.local.graph_names import NameIndex
from hybrid_agent_memory.engines.local.graph_tables import StoredExtraction
from hybrid_agent_memory.engines.local.graph_timelines import TimelineIndex
from hybrid_agent_memory.graph.resolution import Constraint


@dataclass(slots=True)
class Entry:
    """What one chunk says: names and how they are written there, those that are no values, and facts."""

    chunk: int
    names: tuple[int, ...]
    written: tuple[str, ...]
    named: tuple[int, ...]
    facts: tuple[int, ...]


class GraphIndex:
    """Entities and facts of a namespace, and the chunks that mention them. Not safe for threads by itself."""

    def __init__(self) -> None:
        self.names = NameIndex()
        self.entities = EntityIndex(self.names)
        self.facts = FactIndex(self.entities)
        self.timelines = TimelineIndex(self.entities, self.facts)
        self._entries: dict[int, Entry] = {}
        self._entry_of_chunk: dict[int, Entry] = {}

    # -- keeping up -------------------------------------------------------------------------------------------------

    def apply(
        self,
        added: Iterable[StoredExtraction],
        deleted: Iterable[int],
        constraints: Sequence[Constraint] | None = None,
    ) -> None:
        """Take extractions in and out; constraints, when given, are all there are."""
        for key in deleted:
            self._remove(key)
        for extraction in added:
            self._add(extraction)
        if constraints is not None:
            self.entities.constrain(constraints)
        self.timelines.retime(self.entities.regroup())

    def _add(self, extraction: StoredExtraction) -> None:
        number_of = self.names.number
        written: dict[int, str] = {}
        for mention in extraction.mentions:
            written.setdefault(number_of(mention), mention[0])
        for at, fact in enumerate(extraction.facts):
            subject, obj = number_of(fact.subject), number_of(fact.object)
            written.setdefault(subject, fact.subject[0])
            written.setdefault(obj, fact.object[0])
            node = fact_node(fact, at, subject, obj, extraction)
            self.facts.add(node)
            self.timelines.add(node)
        self.entities.add(extraction.chunk, written)
        facts = tuple(fact.key for fact in extraction.facts)
        names = tuple(written)
        named = tuple(self.names.no_values(names))
        named = names if len(named) == len(names) else named  # one tuple takes less memory than two
        entry = Entry(extraction.chunk, names, tuple(written.values()), named, facts)
        self._entries[extraction.key] = self._entry_of_chunk[extraction.chunk] = entry

    def _remove(self, key: int) -> None:
        entry = self._entries.pop(key, None)
        if entry is None:
            return
        del self._entry_of_chunk[entry.chunk]
        for node in [self.facts.by_key[fact] for fact in entry.facts]:
            self.timelines.remove(node)
            self.facts.remove(node)
        self.entities.remove(entry.chunk, dict(zip(entry.names, entry.written, strict=True)))

    # -- what a chunk says ------------------------------------------------------------------------------------------

    def __bool__(self) -> bool:
        return bool(self._entries)

    def entities_of(self, chunk: int) -> list[int]:
        """The entities that a chunk mentions, values left out, ascending."""
        entry = self._entry_of_chunk.get(chunk)
        return [] if entry is None else self.entities.entities_of(entry.named)

    def most_mentions(self, chunk: int) -> int:
        """How often the most mentioned entity of a chunk is mentioned; 0 without entities."""
        entry = self._entry_of_chunk.get(chunk)
        return 0 if entry is None else self.entities.most_mentions(entry.named)

    def said_in(self, chunk: int) -> list[tuple[int, str]]:
        """The names in a chunk that are no values, and how they are written there, in its order."""
        entry = self._entry_of_chunk.get(chunk)
        if entry is None:
            return []
        both = zip(entry.names, entry.written, strict=True)
        return [(number, written) for number, written in both if not self.names.is_value(number)]

    def facts_in(self, chunk: int) -> list[FactNode]:
        """What a chunk states, in its order."""
        return [self.facts.by_key[key] for key in self.fact_keys_in(chunk)]

    def fact_keys_in(self, chunk: int) -> tuple[int, ...]:
        """The keys of what a chunk states, in its order."""
        entry = self._entry_of_chunk.get(chunk)
        return () if entry is None else entry.facts
