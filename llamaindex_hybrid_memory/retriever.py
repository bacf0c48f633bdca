"""`HybridMemoryRetriever`: a hybrid memory behind LlamaIndex's retriever interface."""

import copy
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
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

from hybrid_agent_memory import HybridMemory, Receipt, Response
from hybrid_agent_memory.engines import RecordKind
from hybrid_agent_memory.errors import InvalidInputError
from hybrid_agent_memory.options import Fusion
from hybrid_agent_memory.plans import Plan, Step, adrive, awaitable, blocking, drive, in_thread
from hybrid_agent_memory.times import Timeish
from llamaindex_hybrid_memory._convert import document_hash, live_objects, scored
from llamaindex_hybrid_memory._embedding import EmbedModel, as_embedder
from llamaindex_hybrid_memory._index import indexed_nodes
from llamaindex_hybrid_memory._query import Question, amean_vector, mean_vector, read
from llamaindex_hybrid_memory._search import Search
from llamaindex_hybrid_memory._writing import ExtractOption, Written, deleted, stored


class RetrieverOptions(TypedDict, total=False):
    """The keywords of a `HybridMemoryRetriever`; what they mean is said there."""

    similarity_top_k: int
    filters: MetadataFilters | None
    retriever_weights: Mapping[str, float] | None
    fusion: Fusion | None
    min_confidence: float | None
    kinds: Sequence[RecordKind]
    now: Timeish | None
    as_of: Timeish | None
    known_at: Timeish | None
    time_decay: float | None
    decay_floor: float | None
    authority_weight: float | None
    max_depth: int | None
    with_scores: bool
    node_parser: NodeParser | None
    callback_manager: CallbackManager | None
    objects: list[IndexNode] | None
    object_map: dict[str, Any] | None
    verbose: bool


@dataclass(frozen=True, slots=True)
class _Changes:
    """What a refresh has to do: per document whether it changed, the new nodes, and the records they replace."""

    changed: list[bool]
    nodes: list[BaseNode]
    stale: set[str]


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
    kinds : sequence of str
        What is looked for: ``"chunk"``, ``"fact"``, or both. A fact's node is a `TextNode` of its sentence, with the
        metadata of the node that says so.
    now, as_of, known_at : datetime, str, int or float, optional
        The time of asking, and to see the world as it was then and as the memory knew it then: see `memory.search`.
    time_decay, decay_floor, authority_weight : float, optional
        How much age takes from a score and leaves of it, and how much much mentioned entities add: see `memory.search`.
    max_depth : int, optional
        Hops of the graph leg, 1 to 3.
    with_scores : bool
        Whether nodes carry ``metadata["_hybrid"]``: kind, episode_id, score, rrf_score, confidence, what each leg said,
        the path, the facts and what supersedes them, all of it JSON. It is hidden from the language model and the
        embedding model, and not stored when such a node is inserted again.
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
    A `HybridQueryBundle` says for one call what the options above say for all. A query's ready-made `embedding` is used
    as it is and must have the memory's dimension; of `custom_embedding_strs` the mean embedding is used, and an empty
    list leaves the sparse leg alone. The query is never written to. Scores are 1.0 for a node that is first in all
    legs, higher is better.

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
        kinds: Sequence[RecordKind] = ("chunk",),
        now: Timeish | None = None,
        as_of: Timeish | None = None,
        known_at: Timeish | None = None,
        time_decay: float | None = None,
        decay_floor: float | None = None,
        authority_weight: float | None = None,
        max_depth: int | None = None,
        with_scores: bool = False,
        node_parser: NodeParser | None = None,
        callback_manager: CallbackManager | None = None,
        objects: list[IndexNode] | None = None,
        object_map: dict[str, Any] | None = None,
        verbose: bool = False,
    ) -> None:
        self._memory = memory
        self._filters = filters
        self._search = Search(top_k=similarity_top_k, kinds=kinds).asking(
            filters=filters,
            retriever_weights=retriever_weights,
            fusion=fusion,
            min_confidence=min_confidence,
            now=now,
            as_of=as_of,
            known_at=known_at,
            time_decay=time_decay,
            decay_floor=decay_floor,
            authority_weight=authority_weight,
            max_depth=max_depth,
        )
        self._with_scores = with_scores
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
        extract: ExtractOption = False,
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
        extract : bool, "now" or "later"
            Whether entities and facts are extracted: see `insert_nodes`.
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
        retriever.insert_nodes(nodes, extract=extract)
        return retriever

    @classmethod
    def from_documents(
        cls,
        documents: Sequence[Document],
        *,
        embed_model: EmbedModel = None,
        extract: ExtractOption = False,
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
        retriever.refresh(documents, extract=extract)
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
        with HybridMemory.in_memory(namespace=namespace) as draft:
            cls(draft, **options)  # a wrong option is refused before there is a file
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
        return self._search.top_k

    @similarity_top_k.setter
    def similarity_top_k(self, similarity_top_k: int) -> None:
        self._search = replace(self._search, top_k=similarity_top_k)

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
        narrowed = copy.copy(self)
        narrowed._search = self._search.asking(filters=filters)
        parts = [filters] if self._filters is None else [self._filters, filters]
        narrowed._filters = MetadataFilters(filters=[*parts], condition=FilterCondition.AND)
        return narrowed

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return drive(self._answer(query_bundle))

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return await adrive(self._answer(query_bundle))

    def _answer(self, query_bundle: QueryBundle) -> Plan[list[NodeWithScore]]:
        question, embedder = read(query_bundle), self._memory.embedder
        vector = question.vector
        if question.strings and embedder is not None:
            mean = Step(
                partial(mean_vector, embedder, question.strings), partial(amean_vector, embedder, question.strings)
            )
            yield [mean]
            vector = mean.result()
        arguments = self._arguments(question, vector)
        found = Step(
            partial(self._memory.search, question.text, **arguments),
            partial(self._memory.asearch, question.text, **arguments),
        )
        yield [found]
        with_scores = self._with_scores if question.with_scores is None else question.with_scores
        return self._nodes(found.result(), with_scores=with_scores)

    def _arguments(self, question: Question, vector: Sequence[float] | None) -> dict[str, Any]:
        return {
            **self._search.asking(**question.settings).arguments(),
            "legs": None if question.dense else ("sparse",),
            "vector": vector if self._takes_vectors() else None,
        }

    def _takes_vectors(self) -> bool:
        return self._memory.embedder is not None or self._memory.dimension is not None

    def _nodes(self, response: Response, *, with_scores: bool) -> list[NodeWithScore]:
        if self._verbose:
            failed = "".join(f"; {name} failed: {error}" for name, error in response.failures.items())
            print_text(f"Legs that answered: {', '.join(response.legs) or 'none'}{failed}", end="\n")
        return [scored(hit, with_scores=with_scores) for hit in response]

    def _insert_nodes(self, nodes: Iterable[BaseNode], *, extract: ExtractOption = False) -> Plan[list[str]]:
        """Store nodes, all or none; one whose id is known replaces the old one.

        Parameters
        ----------
        nodes : iterable of BaseNode
            Those without any content are left out, with a warning in the log. What an `IndexNode` stands for is kept in
            `object_map`, unless it is a node itself, which is stored.
        extract : bool, "now" or "later"
            True or ``"now"`` makes each node an episode: its text, without the metadata, is what is indexed, a long one
            is cut into chunks, and entities and facts are extracted, so that the graph leg finds them. A node that went
            through a ``kg_extractor`` (lists under ``nodes`` and ``relations`` in its metadata) brings its own; if it
            has any, nothing else is extracted from it. ``"later"`` leaves the extraction to ``memory.extract_pending``.

        Returns
        -------
        list of str
            Ids of the stored nodes, in order.

        Raises
        ------
        InvalidInputError
            If a node cannot be stored; then none is.
        BatchError
            If many episodes are stored in several transactions, and a later one fails.

        Examples
        --------
        >>> from llama_index.core.schema import TextNode
        >>> retriever = HybridMemoryRetriever.from_nodes()
        >>> retriever.insert_nodes([TextNode(id_="n1", text="Ann owns Project Atlas.")], extract=True)
        ['n1']
        >>> [(fact.predicate, fact.object) for fact in retriever.memory.history("Project Atlas")]
        [('owner', 'Ann')]
        """
        return (yield from self._store(nodes, extract)).node_ids

    insert_nodes = blocking(_insert_nodes)
    ainsert_nodes = awaitable(_insert_nodes)

    def _store(self, nodes: Iterable[BaseNode], extract: ExtractOption) -> Plan[Written]:
        nodes = list(nodes)
        written = yield from stored(self._memory, nodes, extract, keep_vectors=self._takes_vectors())
        self.object_map.update(live_objects(nodes))
        return written

    def delete_nodes(self, node_ids: Sequence[str]) -> Receipt:
        """Forget nodes by id; ids that are not there are no error.

        Returns
        -------
        Receipt
            Which were there.
        """
        return self._memory.delete(list(node_ids))

    adelete_nodes = in_thread(delete_nodes)

    def delete_ref_doc(self, ref_doc_id: str) -> Receipt:
        """Forget all nodes of a document; one that is not there is no error.

        Returns
        -------
        Receipt
            Which nodes it had.
        """
        return self._memory.delete(filter={"@source": ref_doc_id})

    adelete_ref_doc = in_thread(delete_ref_doc)

    def _refresh(self, documents: Iterable[Document], *, extract: ExtractOption = False) -> Plan[list[bool]]:
        """Store documents that are new or have changed in text or metadata, in place of their former nodes.

        Parameters
        ----------
        documents : iterable of Document
            Told apart by id, so give them ids that stay.
        extract : bool, "now" or "later"
            As for `insert_nodes`, for those that are stored.

        Returns
        -------
        list of bool
            Per document, whether it was stored.

        Raises
        ------
        InvalidInputError
            If two documents have one id, or a node cannot be stored; then nothing is changed.
        """
        plan = self._changes(documents)
        written = yield from self._store(plan.nodes, extract)
        yield from deleted(self._memory, sorted(plan.stale.difference(written.record_ids)))
        return plan.changed

    refresh = blocking(_refresh)
    arefresh = awaitable(_refresh)

    def _changes(self, documents: Iterable[Document]) -> _Changes:
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
        return _Changes(changed, parser.get_nodes_from_documents(fresh), stale)
