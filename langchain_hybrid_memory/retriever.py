"""A hybrid memory behind LangChain's retriever interface."""

import copy
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, Self, TypedDict, TypeVar, Unpack

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever, LangSmithRetrieverParams
from pydantic import ConfigDict, Field, ValidationInfo, field_validator

from hybrid_agent_memory import Chunk, HybridMemory, InvalidInputError, Receipt
from hybrid_agent_memory.filters import Filter, conjunction, parse_filter
from hybrid_agent_memory.memory import EmbedderOption
from hybrid_agent_memory.options import Fusion, SearchOptions
from langchain_hybrid_memory._convert import to_chunks, to_document, to_documents
from langchain_hybrid_memory._vectorstores import stored_chunks

T = TypeVar("T")


class RetrieverFields(TypedDict, total=False):
    """The fields of a `HybridMemoryRetriever` that are not the memory."""

    k: int
    filter: dict[str, Any] | None
    weights: dict[str, float] | None
    fusion: Fusion | None
    rrf_k: float | None
    legs: tuple[str, ...] | None
    min_confidence: float | None
    with_scores: bool
    name: str | None
    tags: list[str] | None
    metadata: dict[str, Any] | None


class _SearchArguments(TypedDict):
    top_k: int
    filter: Filter | None
    fusion: Fusion | None
    weights: Mapping[str, float] | None
    rrf_k: float | None
    legs: Sequence[str] | None
    min_confidence: float | None


class HybridMemoryRetriever(BaseRetriever):
    """Retrieves from a `HybridMemory`: the same records, order and scores as `memory.search`.

    Every search field can also be given per call, to `invoke`, `ainvoke`, `batch` and `abatch`, under the same name;
    None there means the retriever's own value. A per-call `filter` narrows the retriever's, it never replaces it.
    ``fusion="auto"`` and `weights` exclude each other: both at once are refused, and the one given per call sets the
    retriever's other aside.
    Misspelt keywords are errors, here and per call.

    Parameters
    ----------
    memory : HybridMemory
        Searched live: what is added to it is found by the next call. Shared, never copied, with retrievers made by
        `with_config`; closing it is its owner's business.
    k : int
        How many documents at most, at least 1.
    filter : dict, optional
        In the core's filter language, over document metadata: ``{"env": "prod", "service": ["api", "web"], "n":
        {"$gte": 3}}``; ``@id @time @session @source @speaker`` are the record's fields. Applied before ranking, so k
        matching documents come back whenever there are k. A malformed one is refused here and now.
    weights : dict, optional
        Weight of each leg in plain weighted RRF, e.g. ``{"sparse": 0.4, "dense": 0.6}``.
    fusion : "rrf" or "auto", optional
        How the legs are fused; None leaves it to the memory.
    rrf_k : float, optional
        The constant k of RRF.
    legs : tuple of str, optional
        The legs to run, e.g. ``("sparse",)``; None runs all the memory has.
    min_confidence : float, optional
        Leave out hits of less confidence, 0..1.
    with_scores : bool
        Whether documents carry ``metadata["_hybrid"]``: score, rrf_score, confidence, and per leg the rank, raw score
        and contribution. Higher is better. The key is ours: it is not stored when such a document is added again.
    name, tags, metadata
        LangChain's own fields, for tracing.

    Notes
    -----
    All document metadata is stored as it is, dates as ISO 8601 strings (datetimes in UTC), and comes back as it was
    stored. `source`, `session` and `speaker` (when strings) and `time` (when it reads as a time) become the record's
    fields as well, so ``"source"`` and ``"@source"`` both filter on them. Record fields set through the core come
    back as metadata of that name, unless the record's own metadata has the name already.

    Examples
    --------
    >>> from langchain_core.embeddings import DeterministicFakeEmbedding
    >>> texts = ["ERR_0x9941 on the build server", "lunch is at noon"]
    >>> retriever = HybridMemoryRetriever.from_texts(texts, DeterministicFakeEmbedding(size=16), ids=["m1", "m2"], k=1)
    >>> [document.id for document in retriever.invoke("what is ERR_0x9941?", legs=("sparse",))]
    ['m1']
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid", validate_assignment=True)

    memory: HybridMemory = Field(exclude=True, repr=False)
    k: int = Field(default=4, ge=1)
    filter: dict[str, Any] | None = None
    weights: dict[str, float] | None = None
    fusion: Fusion | None = None
    rrf_k: float | None = None
    legs: tuple[str, ...] | None = None
    min_confidence: float | None = Field(default=None, ge=0, le=1)
    with_scores: bool = False

    @field_validator("filter")
    @classmethod
    def _well_formed_copy(cls, value: dict[str, Any] | None) -> dict[str, Any] | None:
        parse_filter(value)
        return copy.deepcopy(value)

    @field_validator("weights", "fusion", "rrf_k")  # a model validator would let a refused assignment stand
    @classmethod
    def _usable_together(cls, value: object, info: ValidationInfo) -> object:
        fields: dict[str, Any] = {**info.data, str(info.field_name): value}
        SearchOptions(weights=fields.get("weights"), fusion=fields.get("fusion"), rrf_k=fields.get("rrf_k"))
        return value

    @classmethod
    def from_memory(cls, memory: HybridMemory, **fields: Unpack[RetrieverFields]) -> Self:
        """Wrap a memory that is already open.

        Parameters
        ----------
        memory : HybridMemory
        **fields
            The retriever's fields: `k`, `filter` and so on.

        Returns
        -------
        HybridMemoryRetriever
        """
        return cls(memory=memory, **fields)

    @classmethod
    def from_documents(
        cls,
        documents: Iterable[Document],
        embedding: EmbedderOption = None,
        *,
        ids: Sequence[str | None] | None = None,
        path: str | os.PathLike[str] | None = None,
        namespace: str = "default",
        **fields: Unpack[RetrieverFields],
    ) -> Self:
        """Open a memory and add documents to it.

        Parameters
        ----------
        documents : iterable of Document
            May be empty. Stored in one transaction; a known id is replaced.
        embedding : Embeddings, optional
            Any LangChain `Embeddings`, or ``"local"``. None means no dense leg.
        ids : sequence of str, optional
            One per document, before the documents' own; a document with neither gets a new UUID.
        path : path, optional
            The file to open or create; None keeps the memory in this process.
        namespace : str
        **fields
            The retriever's fields.

        Returns
        -------
        HybridMemoryRetriever

        Raises
        ------
        InvalidInputError
            If ids and documents differ in number, or an item is no document or cannot be stored.
        """
        return cls._opened(to_chunks(documents, ids), embedding, path, namespace, fields)

    @classmethod
    def from_texts(
        cls,
        texts: Iterable[str],
        embedding: EmbedderOption = None,
        metadatas: Iterable[Mapping[str, Any]] | None = None,
        *,
        ids: Sequence[str | None] | None = None,
        path: str | os.PathLike[str] | None = None,
        namespace: str = "default",
        **fields: Unpack[RetrieverFields],
    ) -> Self:
        """Open a memory and add texts to it; as `from_documents`, with one metadata mapping per text."""
        chunks = to_chunks(to_documents(texts, metadatas, ids))
        return cls._opened(chunks, embedding, path, namespace, fields)

    @classmethod
    def from_vectorstore(
        cls,
        store: object,
        embedding: EmbedderOption = None,
        *,
        path: str | os.PathLike[str] | None = None,
        namespace: str = "default",
        **fields: Unpack[RetrieverFields],
    ) -> Self:
        """Take over an existing store, ids and vectors included; nothing is embedded again.

        Parameters
        ----------
        store : vector store
            A FAISS store of langchain-community or an `InMemoryVectorStore` of langchain-core, told by their shape.
            It is read and left as it is.
        embedding : Embeddings, optional
            What made the store's vectors, to embed queries and later documents; the store's own when None.
        path, namespace, **fields
            As in `from_documents`.

        Returns
        -------
        HybridMemoryRetriever

        Raises
        ------
        InvalidInputError
            If the store cannot be listed, is damaged, does not give its vectors back, or has no `Embeddings` object
            and none is given.
        """
        chunks = stored_chunks(store)
        embedder = getattr(store, "embeddings", None) if embedding is None else embedding
        if embedder is None:
            raise InvalidInputError(f"this {type(store).__name__} has no Embeddings object; pass it as embedding")
        return cls._opened(chunks, embedder, path, namespace, fields)

    @classmethod
    def _opened(
        cls,
        chunks: list[Chunk],
        embedding: EmbedderOption,
        path: str | os.PathLike[str] | None,
        namespace: str,
        fields: RetrieverFields,
    ) -> Self:
        with HybridMemory.in_memory(namespace=namespace) as draft:
            cls(memory=draft, **fields)  # a wrong field is refused before there is a file
        if path is None:
            memory = HybridMemory.in_memory(namespace=namespace, embedder=embedding)
        else:
            memory = HybridMemory.open(path, namespace=namespace, embedder=embedding)
        with ExitStack() as on_error:
            on_error.enter_context(memory)
            memory.add(chunks)
            retriever = cls(memory=memory, **fields)
            on_error.pop_all()
        return retriever

    def add_documents(self, documents: Iterable[Document], ids: Sequence[str | None] | None = None) -> list[str]:
        """Add or, where the id is known, replace documents.

        Parameters
        ----------
        documents : iterable of Document
            Validated whole and stored in one transaction.
        ids : sequence of str, optional
            One per document, before the documents' own.

        Returns
        -------
        list of str
            The ids, in order.

        Raises
        ------
        InvalidInputError
            If ids and documents differ in number, or an item is no document or cannot be stored; then nothing is.
        """
        return self.memory.add(to_chunks(documents, ids))

    async def aadd_documents(self, documents: Iterable[Document], ids: Sequence[str | None] | None = None) -> list[str]:
        """As `add_documents`, without blocking the event loop."""
        return await self.memory.aadd(to_chunks(documents, ids))

    def add_texts(
        self,
        texts: Iterable[str],
        metadatas: Iterable[Mapping[str, Any]] | None = None,
        *,
        ids: Sequence[str | None] | None = None,
    ) -> list[str]:
        """As `add_documents`, for texts with one metadata mapping each."""
        return self.add_documents(to_documents(texts, metadatas, ids))

    async def aadd_texts(
        self,
        texts: Iterable[str],
        metadatas: Iterable[Mapping[str, Any]] | None = None,
        *,
        ids: Sequence[str | None] | None = None,
    ) -> list[str]:
        """As `add_texts`, without blocking the event loop."""
        return await self.aadd_documents(to_documents(texts, metadatas, ids))

    def delete(self, ids: Iterable[str]) -> Receipt:
        """Remove documents by id; ids that are not there are passed over, and the receipt names what was removed."""
        return self.memory.delete(ids)

    async def adelete(self, ids: Iterable[str]) -> Receipt:
        """As `delete`, without blocking the event loop."""
        return await self.memory.adelete(ids)

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,
        k: int | None = None,
        filter: Mapping[str, Any] | None = None,  # noqa: A002  the name LangChain users type
        weights: Mapping[str, float] | None = None,
        fusion: Fusion | None = None,
        rrf_k: float | None = None,
        legs: Sequence[str] | None = None,
        min_confidence: float | None = None,
        with_scores: bool | None = None,
        verbose: bool = False,
    ) -> list[Document]:
        arguments = self._arguments(k, filter, weights, fusion, rrf_k, legs, min_confidence)
        hits = self.memory.search(_text(query), **arguments)
        return [to_document(hit, with_scores=_first(with_scores, self.with_scores)) for hit in hits]

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,
        k: int | None = None,
        filter: Mapping[str, Any] | None = None,  # noqa: A002  the name LangChain users type
        weights: Mapping[str, float] | None = None,
        fusion: Fusion | None = None,
        rrf_k: float | None = None,
        legs: Sequence[str] | None = None,
        min_confidence: float | None = None,
        with_scores: bool | None = None,
        verbose: bool = False,
    ) -> list[Document]:
        arguments = self._arguments(k, filter, weights, fusion, rrf_k, legs, min_confidence)
        hits = await self.memory.asearch(_text(query), **arguments)
        return [to_document(hit, with_scores=_first(with_scores, self.with_scores)) for hit in hits]

    def _arguments(
        self,
        k: int | None,
        narrowing: Mapping[str, Any] | None,
        weights: Mapping[str, float] | None,
        fusion: Fusion | None,
        rrf_k: float | None,
        legs: Sequence[str] | None,
        min_confidence: float | None,
    ) -> _SearchArguments:
        own_fusion = None if weights is not None and self.fusion == "auto" else self.fusion
        own_weights = None if fusion == "auto" else self.weights
        return {
            "top_k": _first(k, self.k),
            "filter": conjunction(parse_filter(self.filter), parse_filter(narrowing)),
            "fusion": _first(fusion, own_fusion),
            "weights": _first(weights, own_weights),
            "rrf_k": _first(rrf_k, self.rrf_k),
            "legs": _first(legs, self.legs),
            "min_confidence": _first(min_confidence, self.min_confidence),
        }

    def _get_ls_params(self, **kwargs: object) -> LangSmithRetrieverParams:
        params = super()._get_ls_params(**kwargs)
        params["ls_vector_store_provider"] = "HybridMemory"
        embedder = self.memory.embedder
        if embedder is not None:
            params["ls_embedding_provider"] = type(embedder).__name__
            model = getattr(embedder, "model", None) or getattr(embedder, "model_name", None)
            if isinstance(model, str):
                params["ls_embedding_model"] = model
        return params


def _first(given: T | None, own: T) -> T:
    return own if given is None else given


def _text(query: object) -> str:
    if not isinstance(query, str):
        raise InvalidInputError(
            f"query {query!r} is a {type(query).__name__}, not a string; "
            "in a chain, pick the question out first: itemgetter('question') | retriever"
        )
    return query
