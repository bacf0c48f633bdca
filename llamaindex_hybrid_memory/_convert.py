"""LlamaIndex nodes to core chunks, and hits back to nodes. Pure: nothing that is passed in is changed.

A chunk's text is the node's EMBED-mode content, so every leg indexes what LlamaIndex would embed. Its metadata is the
node's, flat, and under `NODE_KEY` the rest of the node as JSON, less what the record says already: the id, the
metadata, and the text where it ends the record's.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

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

from hybrid_agent_memory import Chunk, Hit
from hybrid_agent_memory.errors import InvalidInputError
from hybrid_agent_memory.fields import name_or_none, time_or_none, unnamed_fields
from hybrid_agent_memory.records import JSON, Metadata

NODE_KEY: Final = "_llamaindex_node"
"""The metadata key of a record that holds its node; never shown in a node's metadata, never filtered on."""

_CLASSES: Final[Mapping[str, type[BaseNode]]] = {
    kind.class_name(): kind for kind in (TextNode, ImageNode, IndexNode, Node, Document, ImageDocument)
}  # subclasses after their bases


def is_blank(node: BaseNode) -> bool:
    """Whether there is nothing in a node to index."""
    return not node.get_content(MetadataMode.EMBED).strip()


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
    if NODE_KEY in node.metadata:
        raise InvalidInputError(f"node {node.node_id!r} has metadata under {NODE_KEY!r}: that key is reserved")
    text = node.get_content(MetadataMode.EMBED)
    rest = _dumped(node)
    metadata: Metadata = rest.pop("metadata", {})
    if isinstance(node, TextNode):
        rest["text"] = len(node.text) if text.endswith(node.text) else node.text
    return Chunk(
        text,
        id=node.node_id,
        time=time_or_none(metadata.get("time")),
        source=ref_doc_id(node),
        session=name_or_none(metadata.get("session")),
        speaker=name_or_none(metadata.get("speaker")),
        metadata={**metadata, NODE_KEY: json.dumps(rest, ensure_ascii=False)},
        vector=node.embedding if keep_vector else None,
    )


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
        New. A record that was no node has its time, source, session and speaker in the metadata (unless its own
        metadata has a key of the name), hidden from the language model and the embedding model.
    """
    metadata = dict(record.metadata)
    stored = metadata.pop(NODE_KEY, None)
    return _restored(record, metadata, json.loads(stored)) if isinstance(stored, str) else _made(record, metadata)


def scored(hit: Hit) -> NodeWithScore:
    """The hit as LlamaIndex shows results: a new node, and the hit's score as it is."""
    return NodeWithScore(node=node_of(hit), score=hit.score)


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
    if isinstance(rest.get("text"), int):
        rest["text"] = record.text[len(record.text) - rest["text"] :]
    return kind.from_dict({"metadata": metadata, **rest, "id_": record.id})


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
