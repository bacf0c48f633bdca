"""`HybridMemoryRetriever`: a hybrid memory behind LlamaIndex's retriever interface."""

import asyncio
import copy
import inspect
import logging
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Self, TypedDict, Unpack

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.callbacks.base import CallbackManager
from llama_index.core.constants import DEFAULT_SIMILARITY_TOP_K
from llama_index.core.indices.vector_store import VectorStoreIndex
from llama_index.core.node_parser import NodeParser
from llama_index.core.schema import BaseNode, Document, IndexNode, NodeWithScore, QueryBundle
from llama_index.core.settings import Settings
from llama_index.core.utils import print_text
from llama_index.core.vector_stores.types import FilterCondition, MetadataFilters

from hybrid_agent_memory import Chunk, HybridMemory, Receipt, Response
from hybrid_agent_memory.errors import InvalidInputError
from hybrid_agent_memory.filters import Filter, conjunction, parse_filter
from hybrid_agent_memory.options import Fusion, SearchOptions
from llamaindex_hybrid_memory._convert import chunk_of, document_hash, is_blank, live_objects, scored
from llamaindex_hybrid_memory._embedding import EmbedModel, as_embedder
from llamaindex_hybrid_memory._filters import core_filter
from llamaindex_hybrid_memory._index import indexed_nodes
from llamaindex_hybrid_memory._query import Question, amean_vector, mean_vector, read

logger = logging.getLogger("llamaindex_hybrid_memory")


class RetrieverOptions(TypedDict, total=False):
    """The keywords of a `HybridMemoryRetriever`; what they mean is said there."""

    similarity_top_k: int
    filters: MetadataFilters | None
    retriever_weights: Mapping[str, float] | None
    fusion: Fusion | None
    min_confidence: float | None
    node_parser: NodeParser | None
    callback_manager: CallbackManager | None
    objects: list[IndexNode] | None
    object_map: dict[str, Any] | None
    verbose: bool


class _SearchArguments(TypedDict):
    top_k: int
    filter: Filter | None
    fusion: Fusion | None
    weights: Mapping[str, float] | None
    min_confidence: float | None
    legs: Sequence[str] | None
    vector: Sequence[float] | None


@dataclass(frozen=True, slots=True)
class _Refresh:
    """What a refresh has to do: per document whether it changed, the new nodes, and the records they replace."""

    changed: list[bool]
    nodes: list[BaseNode]
    stale: set[str]


def _search_options(
    *,
    similarity_top_k: int = DEFAULT_SIMILARITY_TOP_K,
    filters: MetadataFilters | None = None,
    retriever_weights: Mapping[str, float] | None = None,
    fusion: Fusion | None = None,
    min_confidence: float | None = None,
    **_others: object,
) -> SearchOptions:
    return SearchOptions(
        top_k=similarity_top_k,
        filter=parse_filter(core_filter(filters)),
        fusion=fusion,
        weights=copy.copy(retriever_weights),
        min_confidence=min_confidence,
    )


class HybridMemoryRetriever(BaseRetriever):
    """Retrieves from a `HybridMemory`: the nodes, order and scores are those of the records `memory.search` finds.

    Takes part wherever a retriever does: in query engines, tools, routers, `QueryFusionRetriever`. What is inserted is
    found by the next query, through every retriever that shares the memory.

    Parameters
    ----------
    memory : HybridMemory
        Shared, never closed: that is its owner's business.
    similarity_top_k : int
        How many nodes to return at most, at least 1; may be set later.
    filters : MetadataFilters, optional
        Applied before ranking, in every leg. Nesting works. Keys are metadata keys, or the record fields ``@id @time
        @session @source @speaker``; a node's source is the id of its document. Values of different types do not match;
        ``in`` with a string is equality.
    retriever_weights : mapping, optional
        Weight of each leg in plain weighted reciprocal rank fusion, e.g. ``{"sparse": 0.4, "dense": 0.6}``; a leg that
        is not named is not run.
    fusion : "auto" or "rrf", optional
        How legs are fused; None leaves it to the memory.
    min_confidence : float, optional
        Leave out nodes of less confidence, 0..1.
    node_parser : NodeParser, optional
        Cuts documents into nodes; `Settings.node_parser` when not given.
    callback_manager, objects, object_map, verbose
        As in `BaseRetriever`; `verbose` prints which legs answered.

    Raises
    ------
    InvalidInputError
        If an argument is wrong.

    Notes
    -----
    A query's ready-made `embedding` is used as it is and must have the memory's dimension; of `custom_embedding_strs`
    the mean embedding is used, and an empty list leaves the dense leg out. The query is never written to. Scores are
    1.0 for a node that is first in all legs, higher is better.

    All legs index a node's EMBED-mode content. Nodes come back as they were inserted, except that `embedding` is not
    returned, metadata is in its JSON form (datetimes as ISO 8601 strings), and a node of a class of your own comes back
    as the LlamaIndex class it derives from. Strings under `session` and `speaker` and a time under `time` in a node's
    metadata become the record's fields as well.

    Examples
    --------
    >>> from llama_index.core.schema import TextNode
    >>> nodes = [TextNode(id_="m1", text="ERR_0x9941 on checkout"), TextNode(id_="m2", text="lunch is at noon")]
    >>> retriever = HybridMemoryRetriever.from_nodes(nodes, similarity_top_k=1)
    >>> [(hit.node_id, hit.score) for hit in retriever.retrieve("what is ERR_0x9941?")]
    [('m1', 1.0)]
    """

    def __init__(
        self,
        memory: HybridMemory,
        *,
        similarity_top_k: int = DEFAULT_SIMILARITY_TOP_K,
        filters: MetadataFilters | None = None,
        retriever_weights: Mapping[str, float] | None = None,
        fusion: Fusion | None = None,
        min_confidence: float | None = None,
        node_parser: NodeParser | None = None,
        callback_manager: CallbackManager | None = None,
        objects: list[IndexNode] | None = None,
        object_map: dict[str, Any] | None = None,
        verbose: bool = False,
    ) -> None:
        self._memory = memory
        self._filters = filters
        self._options = _search_options(
            similarity_top_k=similarity_top_k,
            filters=filters,
            retriever_weights=retriever_weights,
            fusion=fusion,
            min_confidence=min_confidence,
        )
        self._node_parser = node_parser
        super().__init__(
            callback_manager=callback_manager,
            object_map=None if object_map is None else dict(object_map),
            objects=objects,
            verbose=verbose,
        )

    @classmethod
    def from_memory(cls, memory: HybridMemory, **options: Unpack[RetrieverOptions]) -> Self:
        """Retrieve from a memory that is there already; the same as the constructor.

        Records that were not written as nodes become text nodes, with their time, source, session and speaker in the
        metadata, hidden from the language model and the embedding model.

        Returns
        -------
        HybridMemoryRetriever
        """
        return cls(memory, **options)

    @classmethod
    def from_nodes(
        cls,
        nodes: Sequence[BaseNode] = (),
        *,
        embed_model: EmbedModel = None,
        path: str | os.PathLike[str] | None = None,
        namespace: str = "default",
        **options: Unpack[RetrieverOptions],
    ) -> Self:
        """Make or open a memory and insert nodes into it; without nodes it is just opened.

        Parameters
        ----------
        nodes : sequence of BaseNode
            A node whose id is known replaces the old one. A ready-made ``node.embedding`` is used as it is.
        embed_model : BaseEmbedding, Embedder, "default", "local" or None
            Makes the vectors of the dense leg: a LlamaIndex model or any object with ``embed_documents`` and
            ``embed_query``. ``"default"`` is `Settings.embed_model`, ``"local"`` the offline model of the extra
            ``local``. With None there is no dense leg, and ready-made embeddings are not used.
        path : str or PathLike, optional
            The memory's file, created when it is not there; without it the memory lives in this process only.
        namespace : str
            Which namespace of the file.
        **options
            As for the constructor.

        Returns
        -------
        HybridMemoryRetriever

        Raises
        ------
        InvalidInputError
            If an argument is wrong.
        StoreError
            If the file cannot be used, or was built with another embedding model.
        """
        retriever = cls._opened(embed_model, path, namespace, options)
        retriever.insert_nodes(nodes)
        return retriever

    @classmethod
    def from_documents(
        cls,
        documents: Sequence[Document],
        *,
        embed_model: EmbedModel = None,
        path: str | os.PathLike[str] | None = None,
        namespace: str = "default",
        **options: Unpack[RetrieverOptions],
    ) -> Self:
        """Make or open a memory and `refresh` it with documents, cut into nodes by `node_parser`.

        Documents that are in the file already, under the same id and unchanged, are left alone. The other parameters
        are those of `from_nodes`.

        Returns
        -------
        HybridMemoryRetriever

        Raises
        ------
        InvalidInputError
            If an argument is wrong.
        StoreError
            If the file cannot be used, or was built with another embedding model.
        """
        retriever = cls._opened(embed_model, path, namespace, options)
        retriever.refresh(documents)
        return retriever

    @classmethod
    def from_index(
        cls,
        index: VectorStoreIndex,
        *,
        embed_model: EmbedModel | Literal["index"] = "index",
        path: str | os.PathLike[str] | None = None,
        namespace: str = "default",
        **options: Unpack[RetrieverOptions],
    ) -> Self:
        """Make or open a memory of the nodes of an index, which is left as it is and not watched.

        With the index's own embedding model, the default, vectors are taken over where the vector store gives them back
        (LlamaIndex's own store, FAISS, stores that list their nodes with them); the rest is embedded. The other
        parameters are those of `from_nodes`.

        Returns
        -------
        HybridMemoryRetriever

        Raises
        ------
        InvalidInputError
            If an argument is wrong, or the vector store does not let its nodes be listed.
        StoreError
            If the file cannot be used, or was built with another embedding model.
        """
        own = embed_model == "index"
        nodes = indexed_nodes(index, with_vectors=own)
        retriever = cls._opened(index._embed_model if embed_model == "index" else embed_model, path, namespace, options)
        retriever.object_map.update({**index._object_map, **retriever.object_map})
        retriever.insert_nodes(nodes)
        return retriever

    @classmethod
    def _opened(
        cls,
        embed_model: EmbedModel,
        path: str | os.PathLike[str] | None,
        namespace: str,
        options: RetrieverOptions,
    ) -> Self:
        inspect.signature(cls).bind(None, **options)  # no file is made for a misspelt or wrong option
        _search_options(**options)
        embedder = as_embedder(embed_model)
        if path is None:
            return cls(HybridMemory.in_memory(namespace=namespace, embedder=embedder), **options)
        return cls(HybridMemory.open(path, namespace=namespace, embedder=embedder), **options)

    @property
    def memory(self) -> HybridMemory:
        """The memory behind this retriever."""
        return self._memory

    @property
    def filters(self) -> MetadataFilters | None:
        """What nodes must pass to be found; None passes all."""
        return self._filters

    @property
    def similarity_top_k(self) -> int:
        """How many nodes to return at most."""
        return self._options.top_k

    @similarity_top_k.setter
    def similarity_top_k(self, similarity_top_k: int) -> None:
        self._options = replace(self._options, top_k=similarity_top_k)

    def with_filters(self, filters: MetadataFilters) -> Self:
        """Narrow this retriever, which stays as it is: what is found passes its filters and these.

        Parameters
        ----------
        filters : MetadataFilters

        Returns
        -------
        HybridMemoryRetriever
            A cheap copy that shares the memory.

        Raises
        ------
        FilterError
            If the filters are malformed.
        """
        narrowing = parse_filter(core_filter(filters))
        parts = [filters] if self._filters is None else [self._filters, filters]
        narrowed = copy.copy(self)
        narrowed._filters = MetadataFilters(filters=[*parts], condition=FilterCondition.AND)
        narrowed._options = replace(self._options, filter=conjunction(self._options.filter, narrowing))
        return narrowed

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        question = read(query_bundle)
        vector = question.vector
        if question.strings and self._memory.embedder is not None:
            vector = mean_vector(self._memory.embedder, question.strings)
        return self._found(self._memory.search(question.text, **self._arguments(question, vector)))

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        question = read(query_bundle)
        vector = question.vector
        if question.strings and self._memory.embedder is not None:
            vector = await amean_vector(self._memory.embedder, question.strings)
        return self._found(await self._memory.asearch(question.text, **self._arguments(question, vector)))

    def _arguments(self, question: Question, vector: Sequence[float] | None) -> _SearchArguments:
        options = self._options
        return {
            "top_k": options.top_k,
            "filter": options.filter,
            "fusion": options.fusion,
            "weights": options.weights,
            "min_confidence": options.min_confidence,
            "legs": None if question.dense else ("sparse",),
            "vector": vector if self._takes_vectors() else None,
        }

    def _takes_vectors(self) -> bool:
        return self._memory.embedder is not None or self._memory.dimension is not None

    def _found(self, response: Response) -> list[NodeWithScore]:
        if self._verbose:
            failed = "".join(f"; {name} failed: {error}" for name, error in response.failures.items())
            print_text(f"Legs that answered: {', '.join(response.legs) or 'none'}{failed}", end="\n")
        return [scored(hit) for hit in response]

    def insert_nodes(self, nodes: Iterable[BaseNode]) -> list[str]:
        """Store nodes, all or none; one whose id is known replaces the old one.

        Parameters
        ----------
        nodes : iterable of BaseNode
            Those without any content are left out, with a warning in the log. What an `IndexNode` stands for is kept in
            `object_map`, unless it is a node itself, which is stored.

        Returns
        -------
        list of str
            Ids of the stored nodes, in order.

        Raises
        ------
        InvalidInputError
            If a node cannot be stored; then none is.
        """
        nodes = list(nodes)
        ids = self._memory.add(self._chunks(nodes))
        self.object_map.update(live_objects(nodes))
        return ids

    async def ainsert_nodes(self, nodes: Iterable[BaseNode]) -> list[str]:
        """As `insert_nodes`, awaiting the embedding model."""
        nodes = list(nodes)
        ids = await self._memory.aadd(await asyncio.to_thread(self._chunks, nodes))
        self.object_map.update(live_objects(nodes))
        return ids

    def _chunks(self, nodes: Sequence[BaseNode]) -> list[Chunk]:
        for at, node in enumerate(nodes):
            if not isinstance(node, BaseNode):
                raise InvalidInputError(f"nodes[{at}] is a {type(node).__name__}: give LlamaIndex nodes")
        blank = [node.node_id for node in nodes if is_blank(node)]
        if blank:
            logger.warning("%d nodes have no content and are not stored: %s", len(blank), ", ".join(blank))
        keep_vector = self._takes_vectors()
        return [chunk_of(node, keep_vector=keep_vector) for node in nodes if not is_blank(node)]

    def delete_nodes(self, node_ids: Sequence[str]) -> Receipt:
        """Forget nodes by id; ids that are not there are no error.

        Returns
        -------
        Receipt
            Which were there.
        """
        return self._memory.delete(list(node_ids))

    async def adelete_nodes(self, node_ids: Sequence[str]) -> Receipt:
        """As `delete_nodes`."""
        return await self._memory.adelete(list(node_ids))

    def delete_ref_doc(self, ref_doc_id: str) -> Receipt:
        """Forget all nodes of a document; one that is not there is no error.

        Returns
        -------
        Receipt
            Which nodes it had.
        """
        return self._memory.delete(filter={"@source": ref_doc_id})

    async def adelete_ref_doc(self, ref_doc_id: str) -> Receipt:
        """As `delete_ref_doc`."""
        return await self._memory.adelete(filter={"@source": ref_doc_id})

    def refresh(self, documents: Iterable[Document]) -> list[bool]:
        """Store documents that are new or have changed in text or metadata, in place of their former nodes.

        Parameters
        ----------
        documents : iterable of Document
            Told apart by id, so give them ids that stay.

        Returns
        -------
        list of bool
            Per document, whether it was stored.

        Raises
        ------
        InvalidInputError
            If two documents have one id, or a node cannot be stored; then nothing is changed.
        """
        plan = self._refresh(documents)
        stored = self.insert_nodes(plan.nodes)
        self._memory.delete(sorted(plan.stale.difference(stored)))
        return plan.changed

    async def arefresh(self, documents: Iterable[Document]) -> list[bool]:
        """As `refresh`, awaiting the embedding model."""
        plan = await asyncio.to_thread(self._refresh, documents)
        stored = await self.ainsert_nodes(plan.nodes)
        await self._memory.adelete(sorted(plan.stale.difference(stored)))
        return plan.changed

    def _refresh(self, documents: Iterable[Document]) -> _Refresh:
        documents = list(documents)
        names = [document.id_ for document in documents]
        [(name, times)] = Counter(names).most_common(1) or [("", 0)]
        if times > 1:
            raise InvalidInputError(f"{times} documents have the id {name!r}: give each its own")
        hashes: dict[str, set[str | None]] = {name: set() for name in names}
        records: dict[str, set[str]] = {name: set() for name in names}
        stored: Iterator[Mapping[str, Any]] = self._memory.export({"@source": names})
        for record in stored:
            hashes[record["source"]].add(document_hash(record["metadata"]))
            records[record["source"]].add(record["id"])
        changed = [hashes[document.id_] != {document.hash} for document in documents]
        fresh = [document for document, differs in zip(documents, changed, strict=True) if differs]
        parser = Settings.node_parser if self._node_parser is None else self._node_parser
        stale = set().union(*(records[document.id_] for document in fresh))
        return _Refresh(changed, parser.get_nodes_from_documents(fresh), stale)
