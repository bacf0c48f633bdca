"""LlamaIndex nodes to core chunks and episodes, and hits back to nodes. Pure: nothing that is passed in is changed.

A chunk's text is the node's EMBED-mode content, so every leg indexes what LlamaIndex would embed. An episode's is the
node's own text: names in the metadata before it would count as mentioned. The metadata of both is the node's, flat, and
under `NODE_KEY` the rest of the node as JSON, less what the record says already: the id, the metadata, and the text
where it ends the record's.
"""

import dataclasses
import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from llama_index.core.graph_stores.types import KG_NODES_KEY, KG_RELATIONS_KEY, LabelledNode, Relation
from llama_index.core.schema import (
    BaseNode,
    Document,
    ImageDocument,
    ImageNode,
    IndexNode,
    MetadataMode,
    Node,
    NodeRelationship,
    NodeWithScore,
    RelatedNodeInfo,
    TextNode,
)
from pydantic_core import to_jsonable_python

from hybrid_agent_memory import Chunk, Hit
from hybrid_agent_memory.errors import InvalidInputError
from hybrid_agent_memory.extract.documents import from_llamaindex_node
from hybrid_agent_memory.fields import name_or_none, time_or_none, unnamed_fields
from hybrid_agent_memory.records import JSON, Metadata

NODE_KEY: Final = "_llamaindex_node"
"""The metadata key of a record that holds its node; never shown in a node's metadata, never filtered on."""

SCORES_KEY: Final = "_hybrid"
"""The metadata key for scores on the way out, hidden from language and embedding models; never stored."""

_CLASSES: Final[Mapping[str, type[BaseNode]]] = {
    kind.class_name(): kind for kind in (TextNode, ImageNode, IndexNode, Node, Document, ImageDocument)
}  # subclasses after their bases


_EXCERPTED: Final[tuple[str, ...]] = (
    "excluded_embed_metadata_keys",
    "excluded_llm_metadata_keys",
    "metadata_template",
    "metadata_separator",
    "metadata_seperator",  # as LlamaIndex spells it in older versions
    "text_template",
)


def is_blank(node: BaseNode, *, episode: bool = False) -> bool:
    """Whether there is nothing in a node to index."""
    return not node.get_content(MetadataMode.NONE if episode else MetadataMode.EMBED).strip()


def ref_doc_id(node: BaseNode) -> str | None:
    """The id of the document a node was cut from, or None."""
    source = node.relationships.get(NodeRelationship.SOURCE)
    return source.node_id if isinstance(source, RelatedNodeInfo) else None


def chunk_of(node: BaseNode, *, keep_vector: bool) -> Chunk:
    """Convert a node.

    Parameters
    ----------
    node : BaseNode
        Metadata that is not JSON becomes so as pydantic does it (datetimes as ISO 8601, sets as lists). A `session` and
        `speaker` in it that are strings and a `time` that reads as one become the record's fields as well.
    keep_vector : bool
        Whether a ready-made ``node.embedding`` is used.

    Returns
    -------
    Chunk
        With the node's id; its source is the id of the node's document.

    Raises
    ------
    InvalidInputError
        If the metadata holds something that has no JSON form, or the key this module keeps for itself.
    """
    node = _without_scores(node)
    return _chunk(node, node.get_content(MetadataMode.EMBED), node.embedding if keep_vector else None)


def episode_of(node: BaseNode) -> dict[str, object]:
    """Convert a node to what `HybridMemory.add_episodes` takes.

    Returns
    -------
    dict
        The fields of `chunk_of`'s chunk, but for the text, which is the node's without its metadata, and the vector. A
        node that went through a ``kg_extractor`` brings the entities and relations found there, if any were; its
        metadata then no longer has them.

    Raises
    ------
    InvalidInputError
        As for `chunk_of`, or if those lists have another shape.
    """
    node = _without_scores(node)
    extracted = from_llamaindex_node(node) if _has_graph(node) else None
    if extracted is not None:
        node = node.model_copy(update={"metadata": extracted.metadata})
    chunk = _chunk(node, node.get_content(MetadataMode.NONE), None)
    episode = {field.name: getattr(chunk, field.name) for field in dataclasses.fields(chunk) if field.name != "vector"}
    if extracted is not None and (extracted.extraction.mentions or extracted.extraction.triples):
        episode["extraction"] = extracted.extraction
    return episode


def _chunk(node: BaseNode, text: str, vector: list[float] | None) -> Chunk:
    if NODE_KEY in node.metadata:
        raise InvalidInputError(f"node {node.node_id!r} has metadata under {NODE_KEY!r}: that key is reserved")
    rest = _dumped(node)
    metadata: Metadata = rest.pop("metadata", {})
    if isinstance(node, TextNode):
        rest["text"] = len(node.text) if text.endswith(node.text) else node.text
    resource = rest.get("text_resource") or {}
    if resource.get("text") and text.endswith(resource["text"]):
        resource["text"] = len(resource["text"])
    return Chunk(
        text,
        id=node.node_id,
        time=time_or_none(metadata.get("time")),
        source=ref_doc_id(node),
        session=name_or_none(metadata.get("session")),
        speaker=name_or_none(metadata.get("speaker")),
        metadata={**metadata, NODE_KEY: json.dumps(rest, ensure_ascii=False)},
        vector=vector,
    )


def _has_graph(node: BaseNode) -> bool:
    """Whether a ``kg_extractor`` has been at a node; something else in metadata of the same names does not count."""
    found = [node.metadata[key] for key in (KG_NODES_KEY, KG_RELATIONS_KEY) if key in node.metadata]
    return bool(found) and all(isinstance(items, list) and all(map(_is_graph_part, items)) for items in found)


def _is_graph_part(item: object) -> bool:
    return isinstance(item, LabelledNode | Relation) or (isinstance(item, Mapping) and "label" in item)


def _without_scores(node: BaseNode) -> BaseNode:
    if SCORES_KEY not in node.metadata:
        return node
    kept = {
        name: [key for key in getattr(node, name) if key != SCORES_KEY]
        for name in ("excluded_embed_metadata_keys", "excluded_llm_metadata_keys")
    }
    metadata = {key: value for key, value in node.metadata.items() if key != SCORES_KEY}
    return node.model_copy(update={"metadata": metadata, **kept})


def live_objects(nodes: Iterable[BaseNode]) -> dict[str, object]:
    """What index nodes stand for and cannot be stored (retrievers, query engines), by index id."""
    return {
        node.index_id: node.obj
        for node in nodes
        if isinstance(node, IndexNode) and node.obj is not None and not isinstance(node.obj, BaseNode)
    }


def node_of(record: Hit) -> BaseNode:
    """Restore the node of a hit; a record that was not written as a node becomes a `TextNode`.

    Returns
    -------
    BaseNode
        New. A fact, or a chunk of a node that was cut into several, is a `TextNode` with the node's metadata and
        templates. A record that was no node has its time, source, session and speaker in the metadata (unless its own
        metadata has a key of the name), hidden from the language model and the embedding model.
    """
    metadata = dict(record.metadata)
    stored = metadata.pop(NODE_KEY, None)
    if not isinstance(stored, str):
        return _made(record, metadata)
    whole = record.id == record.episode_id
    return (_restored if whole else _excerpt)(record, metadata, json.loads(stored))


def scored(hit: Hit, *, with_scores: bool = False) -> NodeWithScore:
    """The hit as LlamaIndex shows results: a new node, and the hit's score as it is.

    Returns
    -------
    NodeWithScore
        With scores, the node's metadata has them, the path and the facts under `SCORES_KEY`, as JSON values that
        neither the language model nor the embedding model sees.
    """
    node = node_of(hit)
    if with_scores:
        node.metadata[SCORES_KEY] = _scores(hit)
        node.excluded_embed_metadata_keys.append(SCORES_KEY)
        node.excluded_llm_metadata_keys.append(SCORES_KEY)
    return NodeWithScore(node=node, score=hit.score)


def _scores(hit: Hit) -> dict[str, JSON]:
    path = hit.why.path
    scores: dict[str, JSON] = to_jsonable_python(
        {
            "kind": hit.kind,
            "episode_id": hit.episode_id,
            "score": hit.score,
            "rrf_score": hit.rrf_score,
            "confidence": hit.confidence,
            **dataclasses.asdict(hit.why),
            "path": None if path is None else {"text": str(path), "steps": path.steps},
        }
    )
    return scores


def document_hash(metadata: Mapping[str, JSON]) -> str | None:
    """The hash, stored with a record, of the document its node was cut from; None when there is none."""
    stored = metadata.get(NODE_KEY)
    rest = json.loads(stored) if isinstance(stored, str) else {}
    source = rest.get("relationships", {}).get(NodeRelationship.SOURCE.value)
    return source.get("hash") if isinstance(source, dict) else None


def _dumped(node: BaseNode) -> dict[str, Any]:
    if isinstance(node, IndexNode) and not isinstance(node.obj, BaseNode):
        node = node.model_copy(update={"obj": None})
    try:
        dumped = node.model_dump(mode="json", exclude={"id_", "embedding", "text"}, exclude_defaults=True)
    except ValueError as error:  # pydantic's serialization error
        raise InvalidInputError(f"node {node.node_id!r} cannot be written as JSON: {error}") from error
    kind = next(name for name, known in reversed(list(_CLASSES.items())) if isinstance(node, known))
    return {**dumped, "class_name": kind}


def _restored(record: Hit, metadata: Metadata, rest: dict[str, Any]) -> BaseNode:
    kind = _CLASSES[rest.pop("class_name")]
    for holder in (rest, rest.get("text_resource") or {}):
        if isinstance(holder.get("text"), int):
            holder["text"] = record.text[len(record.text) - holder["text"] :]
    return kind.from_dict({"metadata": metadata, **rest, "id_": record.id})


def _excerpt(record: Hit, metadata: Metadata, rest: dict[str, Any]) -> BaseNode:
    kept = {name: rest[name] for name in _EXCERPTED if name in rest}
    source = {name: value for name, value in rest.get("relationships", {}).items() if name == NodeRelationship.SOURCE}
    return TextNode.from_dict(
        {**kept, "id_": record.id, "text": record.text, "metadata": metadata, "relationships": source}
    )


def _made(record: Hit, metadata: Metadata) -> BaseNode:
    added = unnamed_fields(record)
    source = {NodeRelationship.SOURCE: RelatedNodeInfo(node_id=record.source)} if record.source is not None else {}
    return TextNode(
        id_=record.id,
        text=record.text,
        metadata={**metadata, **added},
        excluded_embed_metadata_keys=list(added),
        excluded_llm_metadata_keys=list(added),
        relationships=source,
    )
