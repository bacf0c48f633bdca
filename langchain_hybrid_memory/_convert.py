"""LangChain documents to chunks, hits to LangChain documents. Pure: nothing given is changed."""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import cast

from langchain_core.documents import Document

from hybrid_agent_memory import Chunk, Hit, InvalidInputError
from hybrid_agent_memory.extract.documents import from_graph_document
from hybrid_agent_memory.fields import name_or_none, time_or_none, unnamed_fields
from hybrid_agent_memory.records import JSON
from hybrid_agent_memory.times import parse_time

SCORES_KEY = "_hybrid"
"""The one metadata key that is ours: scores on the way out, never stored."""


def to_chunks(documents: Iterable[Document], ids: Sequence[str | None] | None = None) -> list[Chunk]:
    """Map documents, in order; `ids`, when given, are one per document and win over the documents' own.

    Returns
    -------
    list of Chunk

    Raises
    ------
    InvalidInputError
        If an item is not a document, or ids and documents differ in number.
    """
    given = list(documents)
    if ids is None:
        return [to_chunk(document) for document in given]
    _same_length("ids", ids, "documents", given)
    return [to_chunk(document, id_=id_) for document, id_ in zip(given, ids, strict=True)]


def to_chunk(document: Document, *, id_: str | None = None, vector: Sequence[float] | None = None) -> Chunk:
    """Map one document.

    All metadata is kept, so that filters see it, with dates as ISO strings. `time`, `source`, `session` and `speaker`
    become the record's fields as well when they are of the field's type; anything else stays metadata only.

    Returns
    -------
    Chunk

    Raises
    ------
    InvalidInputError
        If `document` is not a `Document`, or its metadata contain themselves.
    """
    if not isinstance(document, Document):
        raise InvalidInputError(f"{document!r} is not a langchain_core Document; plain strings go in as texts")
    metadata = _stored_metadata(document)
    return Chunk(
        text=document.page_content,
        id=document.id if id_ is None else id_,
        time=time_or_none(metadata.get("time")),
        source=name_or_none(metadata.get("source")),
        session=name_or_none(metadata.get("session")),
        speaker=name_or_none(metadata.get("speaker")),
        metadata=cast("dict[str, JSON]", metadata),
        vector=vector,
    )


def to_episodes(graph_documents: Iterable[object], ids: Sequence[str | None] | None = None) -> list[dict[str, object]]:
    """Map graph documents: each its source document as an episode, with the graph as what was extracted from it.

    Returns
    -------
    list of dict
        As `HybridMemory.add_episodes` takes them.

    Raises
    ------
    InvalidInputError
        If one has another shape, or ids and graph documents differ in number.
    """
    graphs = list(graph_documents)
    found = [from_graph_document(graph) for graph in graphs]
    sources = [
        Document(id=_source_id(graph), page_content=text, metadata=metadata)
        for graph, (text, metadata, _) in zip(graphs, found, strict=True)
    ]
    chunks = to_chunks(sources, ids)
    return [
        {field.name: getattr(chunk, field.name) for field in dataclasses.fields(chunk) if field.name != "vector"}
        | {"extraction": extracted.extraction}
        for chunk, extracted in zip(chunks, found, strict=True)
    ]


def to_documents(
    texts: Iterable[str], metadatas: Iterable[Mapping[str, object]] | None, ids: Sequence[str | None] | None
) -> list[Document]:
    """Make documents of texts, with one metadata mapping and one id each.

    Returns
    -------
    list of Document

    Raises
    ------
    InvalidInputError
        If `texts` is one string, holds something else than strings, or differs in number from metadatas or ids.
    """
    if isinstance(texts, str):
        raise InvalidInputError(f"texts is the string {texts!r}; give a list of strings")
    given = list(texts)
    metadata = [{} for _ in given] if metadatas is None else list(metadatas)
    names = [None for _ in given] if ids is None else list(ids)
    _same_length("metadatas", metadata, "texts", given)
    _same_length("ids", names, "texts", given)
    return [_document(text, data, id_) for text, data, id_ in zip(given, metadata, names, strict=True)]


def to_document(hit: Hit, *, with_scores: bool) -> Document:
    """Map one hit: the record's own metadata, then the record fields that these do not name themselves.

    Returns
    -------
    Document
        Fresh; with scores when asked, as JSON values under the key that is ours.
    """
    metadata: dict[str, object] = {**hit.metadata, **unnamed_fields(hit)}
    if with_scores:
        metadata[SCORES_KEY] = _scores(hit)
    return Document(id=hit.id, page_content=hit.text, metadata=metadata)


def _scores(hit: Hit) -> dict[str, object]:
    path = hit.why.path
    return {
        "kind": hit.kind,
        "episode_id": hit.episode_id,
        "score": hit.score,
        "rrf_score": hit.rrf_score,
        "confidence": hit.confidence,
        **{name: plain(value) for name, value in dataclasses.asdict(hit.why).items()},
        "path": None if path is None else {"text": str(path), "steps": plain(dataclasses.asdict(path)["steps"])},
    }


def plain(value: object) -> object:
    """Copy a JSON-like value with its dates as ISO 8601 strings, at any depth.

    Returns
    -------
    object
        Datetimes are in UTC, a naive one taken as UTC. What is not JSON is left for the memory to refuse.

    Examples
    --------
    >>> from datetime import date, datetime
    >>> plain({"seen": datetime(2024, 11, 5, 10), "days": [date(2024, 11, 5), 3]})
    {'seen': '2024-11-05T10:00:00+00:00', 'days': ['2024-11-05', 3]}
    """
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if isinstance(value, datetime):
        return parse_time(value).isoformat()
    return value.isoformat() if isinstance(value, date) else value


def _document(text: object, metadata: object, id_: str | None) -> Document:
    if not isinstance(text, str):
        raise InvalidInputError(f"text {text!r} is not a string; documents go in as documents")
    if not isinstance(metadata, Mapping):
        raise InvalidInputError(f"metadata {metadata!r} of text {text!r} is not a mapping; give {{}} for none")
    return Document(page_content=text, id=id_, metadata=dict(metadata))


def _source_id(graph: object) -> str | None:
    """The id of a graph document's source, which may be a document or, as its JSON has it, a mapping."""
    source = graph.get("source") if isinstance(graph, Mapping) else getattr(graph, "source", None)
    return name_or_none(source.get("id") if isinstance(source, Mapping) else getattr(source, "id", None))


def _same_length(name: str, items: Sequence[object], other: str, others: Sequence[object]) -> None:
    if len(items) != len(others):
        raise InvalidInputError(f"{len(items)} {name} for {len(others)} {other}; give one for each, or none at all")


def _stored_metadata(document: Document) -> dict[str, object]:
    try:
        return {key: plain(value) for key, value in document.metadata.items() if key != SCORES_KEY}
    except RecursionError as error:
        raise InvalidInputError(
            f"metadata of {document.page_content[:60]!r} contain themselves or are nested too deeply; flatten them"
        ) from error
