"""What other graph makers extracted: a LangChain GraphDocument or a LlamaIndex node, read without importing either."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from hybrid_agent_memory.errors import InvalidInputError, shown
from hybrid_agent_memory.extract import Extraction, FactKind, Mention, Triple
from hybrid_agent_memory.extract.alignment import Statement, align, entity_type, predicate_name
from hybrid_agent_memory.extract.grounding import Grounds
from hybrid_agent_memory.extract.values import VALUES, later, read_date
from hybrid_agent_memory.extract.vocabulary import DEFAULT, Vocabulary

_NODE_KEYS = ("nodes", "kg_nodes")
_RELATION_KEYS = ("relations", "kg_relations")
_FROM_KEYS = ("valid_at", "valid_from", "start_date", "start_time", "start", "since", "from", "date", "time")
_UNTIL_KEYS = ("invalid_at", "valid_to", "valid_until", "end_date", "end_time", "end", "until", "to")
_KINDS: dict[object, FactKind] = {"event": "event", "relation": "relation"}


class Extracted(NamedTuple):
    """A text with what another tool extracted from it."""

    text: str
    metadata: dict[str, object]
    extraction: Extraction

    def episode(self, **fields: object) -> dict[str, object]:
        """The mapping that `add_episode` and `add_episodes` take; other fields (id, time, session…) can be added."""
        return {"text": self.text, "metadata": self.metadata, "extraction": self.extraction, **fields}


def from_graph_document(document: object, *, vocabulary: Vocabulary = DEFAULT) -> Extracted:
    """Read a LangChain ``GraphDocument``, such as ``LLMGraphTransformer`` makes, or anything of its shape.

    Parameters
    ----------
    document : object
        Has ``nodes`` (id, type, properties), ``relationships`` (source, target, type, properties) and ``source``, a
        document (page_content, metadata). Objects and mappings will do.
    vocabulary : Vocabulary
        Predicates that keep their kind, and whether a newer value supersedes an older one.

    Returns
    -------
    Extracted
        Unpacks into text, metadata and extraction. Relationship types become snake_case predicates, in the words of
        the vocabulary where it has them (``OWNS`` from a person to a project is ``owner`` of the project); others are
        relations with many values. Dates under ``since``, ``valid_at``, ``until``, ``end_date``… are its validity.

    Raises
    ------
    InvalidInputError
        If it has no source text, or its nodes and relationships have another shape.

    Examples
    --------
    >>> ann, acme = {"id": "Ann", "type": "Person"}, {"id": "Acme", "type": "Company"}
    >>> found = from_graph_document({
    ...     "nodes": [ann, acme],
    ...     "relationships": [{"source": ann, "target": acme, "type": "ADVISES", "properties": {"since": "2021"}}],
    ...     "source": {"page_content": "Ann advises Acme.", "metadata": {"page": 3}},
    ... })
    >>> found.metadata, [mention.type for mention in found.extraction.mentions]
    ({'page': 3}, ['person', 'organisation'])
    >>> [(fact.predicate, fact.valid_at.year) for fact in found.extraction.triples]
    [('advises', 2021)]
    """
    source = _part(document, "source")
    text = _text(_part(source, "page_content"), "document.source.page_content")
    metadata = _mapping(_part(source, "metadata"), "document.source.metadata")
    graph = _Graph(Grounds(text), metadata, vocabulary)
    for at, node in enumerate(_listed(_part(document, "nodes"), "document.nodes")):
        graph.add_node(node, _part(node, "id"), _part(node, "type"), f"document.nodes[{at}]")
    for at, relation in enumerate(_listed(_part(document, "relationships"), "document.relationships")):
        where = f"document.relationships[{at}]"
        ends = []
        for side in ("source", "target"):
            node = _part(relation, side)
            ends.append(graph.add_node(node, _part(node, "id"), _part(node, "type"), f"{where}.{side}"))
        graph.add_relation(relation, _part(relation, "type"), ends[0], ends[1], where)
    return Extracted(text, metadata, graph.extraction())


def from_llamaindex_node(node: object, *, vocabulary: Vocabulary = DEFAULT) -> Extracted:
    """Read a LlamaIndex node that went through a ``kg_extractor`` of a property graph index.

    Parameters
    ----------
    node : object
        Has ``metadata`` with ``nodes`` (``EntityNode``: name, label, properties) and ``relations`` (``Relation``:
        label, source_id, target_id, properties), or under ``kg_nodes`` and ``kg_relations``.
    vocabulary : Vocabulary
        As for `from_graph_document`.

    Returns
    -------
    Extracted
        Unpacks into text, metadata (without those lists) and extraction. Links between nodes of the document
        (source, next, parent…) are no facts and are left out.

    Raises
    ------
    InvalidInputError
        If it has no text, or its lists have another shape.
    """
    given = _mapping(_part(node, "metadata"), "node.metadata")
    text = _text(_node_text(node), "the node's text")
    metadata = {key: value for key, value in given.items() if key not in (*_NODE_KEYS, *_RELATION_KEYS)}
    graph = _Graph(Grounds(text), metadata, vocabulary)
    by_id: dict[str, Mention] = {}
    for where, entity in _entries(given, _NODE_KEYS):
        name = _part(entity, "name")
        if name is None:
            continue  # a ChunkNode: text, not an entity
        mention = graph.add_node(entity, name, _part(entity, "label"), where)
        by_id |= {key: mention for key in (str(name), str(_part(entity, "id"))) if key}
    for where, relation in _entries(given, _RELATION_KEYS):
        ends = [by_id.get(str(_part(relation, side))) for side in ("source_id", "target_id")]
        if ends[0] is not None and ends[1] is not None:
            graph.add_relation(relation, _part(relation, "label"), ends[0], ends[1], where)
    return Extracted(text, metadata, graph.extraction())


class _Graph:
    """Mentions and triples taken over so far."""

    def __init__(self, grounds: Grounds, metadata: Mapping[str, object], vocabulary: Vocabulary) -> None:
        self._grounds, self._metadata, self._vocabulary = grounds, metadata, vocabulary
        self._mentions: dict[str, Mention] = {}
        self._triples: dict[tuple[str, str, str], Triple] = {}
        self._remarks: list[str] = []

    def add_node(self, node: object, name: object, label: object, where: str) -> Mention:
        """The mention of a node; a later node of the same name only adds a type that was not known."""
        if isinstance(name, int) and not isinstance(name, bool):
            name = str(name)
        if not isinstance(name, str) or not name.strip():
            raise InvalidInputError(f"{where} has the name {shown(name)}: give a string that is not blank")
        joined = " ".join(name.split())
        key = joined.casefold()
        kind = entity_type(label)
        before = self._mentions.get(key)
        if before is None or before.type == "name":
            self._mentions[key] = Mention(before.name if before else self._grounds.name(joined) or joined, kind)
        return self._mentions[key]

    def add_relation(self, relation: object, label: object, subject: Mention, other: Mention, where: str) -> None:
        predicate = predicate_name(label)
        if not predicate:
            raise InvalidInputError(f"{where} has the type {shown(label)}: give a word")
        key = (subject.name.casefold(), predicate, other.name.casefold())
        if key[0] == key[2] or key in self._triples:
            self._remarks.append(f"{where} is a loop or a repetition")
            return
        properties = self._own(_mapping(_part(relation, "properties"), f"{where}.properties"))
        kind = _KINDS.get(str(properties.get("kind")), "relation")
        stated = align(subject, predicate, other, self._vocabulary) or Statement(subject, predicate, other, kind)
        valid_at, invalid_at = _date(properties, _FROM_KEYS), _date(properties, _UNTIL_KEYS)
        self._triples[key] = Triple(
            subject=stated.subject,
            predicate=stated.predicate,
            object=stated.object,
            text=self._sentence(subject, predicate, other),
            kind=stated.kind,
            valid_at=valid_at,
            invalid_at=later(valid_at, invalid_at),
            single_valued=stated.single_valued,
        )

    def extraction(self) -> Extraction:
        named = [mention for mention in self._mentions.values() if mention.type not in VALUES]
        places = {mention: self._grounds.place(mention.name) for mention in named}
        named.sort(key=lambda mention: (places[mention] is None, places[mention] or 0))
        note = f"{len(self._remarks)} left out: {self._remarks[0]}" if self._remarks else ""
        return Extraction(tuple(named), tuple(self._triples.values()), note)

    def _own(self, properties: Mapping[str, object]) -> dict[str, object]:
        """Properties of the relation itself: LlamaIndex copies the whole metadata of the text into each."""
        return {
            key: value for key, value in properties.items() if key not in self._metadata or self._metadata[key] != value
        }

    def _sentence(self, subject: Mention, predicate: str, other: Mention) -> str:
        """The sentence that has both names, else the fact in words: nobody has quoted a sentence for it."""
        stated = self._grounds.together(subject.name, other.name)
        return stated or f"{subject.name} {predicate.replace('_', ' ')} {other.name}"


def _date(properties: Mapping[str, object], keys: Iterable[str]) -> datetime | None:
    folded = {str(key).casefold(): value for key, value in properties.items()}
    read = (read_date(folded[key]) for key in keys if folded.get(key) is not None)
    return next((moment for moment in read if moment is not None), None)


def _entries(metadata: Mapping[str, object], keys: Iterable[str]) -> Iterator[tuple[str, object]]:
    for key in keys:
        for at, entry in enumerate(_listed(metadata.get(key), f"node.metadata[{key!r}]")):
            yield f"node.metadata[{key!r}][{at}]", entry


def _part(whole: object, name: str) -> object:
    return whole.get(name) if isinstance(whole, Mapping) else getattr(whole, name, None)


def _node_text(node: object) -> object:
    """The text of a node without its metadata, where the graph's lists are."""
    text = _part(node, "text")
    content = _part(node, "get_content")
    return content() if not isinstance(text, str) and callable(content) else text


def _text(given: object, where: str) -> str:
    if not isinstance(given, str) or not given.strip():
        raise InvalidInputError(f"{where} is {shown(given)}: give a string that is not blank")
    return given


def _mapping(given: object, where: str) -> dict[str, object]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise InvalidInputError(f"{where} is {shown(given)}: give a mapping")
    return dict(given)


def _listed(given: object, where: str) -> list[object]:
    if given is None:
        return []
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise InvalidInputError(f"{where} is {shown(given)}: give a list")
    return list(given)
