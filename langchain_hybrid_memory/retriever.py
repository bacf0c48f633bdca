"""A hybrid memory behind LangChain's retriever interface."""

import copy
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, Self, TypedDict, Unpack

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever, LangSmithRetrieverParams
from pydantic import ConfigDict, Field, ValidationInfo, field_validator

from hybrid_agent_memory import HybridMemory, InvalidInputError, Receipt, Response
from hybrid_agent_memory.engines import RecordKind
from hybrid_agent_memory.filters import conjunction, parse_filter
from hybrid_agent_memory.memory import EmbedderOption
from hybrid_agent_memory.options import Fusion, SearchOptions
from hybrid_agent_memory.plans import Plan, awaitable, blocking, drive, in_thread
from hybrid_agent_memory.times import Timeish, parse_time
from langchain_hybrid_memory._convert import to_chunks, to_document, to_documents, to_episodes
from langchain_hybrid_memory._vectorstores import stored_chunks
from langchain_hybrid_memory._writing import ExtractOption, stored, stored_episodes


class RetrieverFields(TypedDict, total=False):
    """The fields of a `HybridMemoryRetriever` that are not the memory."""

    k: int
    filter: dict[str, Any] | None
    weights: dict[str, float] | None
    fusion: Fusion | None
    rrf_k: float | None
    legs: tuple[str, ...] | None
    kinds: tuple[RecordKind, ...]
    now: Timeish | None
    as_of: Timeish | None
    known_at: Timeish | None
    time_decay: float | None
    decay_floor: float | None
    authority_weight: float | None
    max_depth: int | None
    min_confidence: float | None
    with_scores: bool
    name: str | None
    tags: list[str] | None
    metadata: dict[str, Any] | None


class CallOptions(TypedDict, total=False):
    """What may be given per call; None means the retriever's own."""

    k: int | None
    filter: Mapping[str, Any] | None
    weights: Mapping[str, float] | None
    fusion: Fusion | None
    rrf_k: float | None
    legs: Sequence[str] | None
    kinds: Sequence[RecordKind] | None
    now: Timeish | None
    as_of: Timeish | None
    known_at: Timeish | None
    time_decay: float | None
    decay_floor: float | None
    authority_weight: float | None
    max_depth: int | None
    min_confidence: float | None
    with_scores: bool | None
    verbose: bool


CHECKED = ("weights", "fusion", "rrf_k", "kinds", "time_decay", "decay_floor", "authority_weight", "max_depth")
"""Fields whose values the core checks."""


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
    kinds : tuple of str
        What is looked for: ``"chunk"``, ``"fact"``, or both. A fact's document is its sentence, with the metadata of
        the text that says so.
    now, as_of, known_at : datetime, str, int or float, optional
        The time of asking, and to see the world as it was then and as the memory knew it then: see `memory.search`.
    time_decay, decay_floor, authority_weight : float, optional
        How much age takes from a score and leaves of it, and how much much mentioned entities add: see `memory.search`.
    max_depth : int, optional
        Hops of the graph leg, 1 to 3.
    min_confidence : float, optional
        Leave out hits of less confidence, 0..1.
    with_scores : bool
        Whether documents carry ``metadata["_hybrid"]``: kind, episode_id, score, rrf_score, confidence, per leg the
        rank, raw score and contribution, and the path, the facts and what supersedes them. Higher is better. All of it
        is JSON. The key is ours: it is not stored when such a document is added again.
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
    kinds: tuple[RecordKind, ...] = ("chunk",)
    now: Timeish | None = None
    as_of: Timeish | None = None
    known_at: Timeish | None = None
    time_decay: float | None = None
    decay_floor: float | None = None
    authority_weight: float | None = None
    max_depth: int | None = None
    min_confidence: float | None = Field(default=None, ge=0, le=1)
    with_scores: bool = False

    @field_validator("filter")
    @classmethod
    def _well_formed_copy(cls, value: dict[str, Any] | None) -> dict[str, Any] | None:
        parse_filter(value)
        return copy.deepcopy(value)

    @field_validator("now", "as_of", "known_at", mode="before")
    @classmethod
    def _a_time(cls, value: object, info: ValidationInfo) -> object:
        return None if value is None else parse_time(value, name=str(info.field_name))

    @field_validator(*CHECKED)  # a model validator would let a refused assignment stand
    @classmethod
    def _usable_together(cls, value: object, info: ValidationInfo) -> object:
        fields: dict[str, Any] = {**info.data, str(info.field_name): value}
        SearchOptions(**{name: fields[name] for name in CHECKED if fields.get(name) is not None})
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
        extract: ExtractOption = False,
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
        extract : bool, "now" or "later"
            Whether entities and facts are extracted: see `add_documents`.
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
        chunks = to_chunks(documents, ids)
        return cls._opened(lambda memory: stored(memory, chunks, extract), embedding, path, namespace, fields)

    @classmethod
    def from_texts(
        cls,
        texts: Iterable[str],
        embedding: EmbedderOption = None,
        metadatas: Iterable[Mapping[str, Any]] | None = None,
        *,
        ids: Sequence[str | None] | None = None,
        extract: ExtractOption = False,
        path: str | os.PathLike[str] | None = None,
        namespace: str = "default",
        **fields: Unpack[RetrieverFields],
    ) -> Self:
        """Open a memory and add texts to it; as `from_documents`, with one metadata mapping per text."""
        documents = to_documents(texts, metadatas, ids)
        return cls.from_documents(documents, embedding, extract=extract, path=path, namespace=namespace, **fields)

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
        return cls._opened(lambda memory: stored(memory, chunks, extract=False), embedder, path, namespace, fields)

    @classmethod
    def _opened(
        cls,
        filling: Callable[[HybridMemory], Plan[list[str]]],
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
            drive(filling(memory))
            retriever = cls(memory=memory, **fields)
            on_error.pop_all()
        return retriever

    def _add_documents(
        self,
        documents: Iterable[Document],
        ids: Sequence[str | None] | None = None,
        *,
        extract: ExtractOption = False,
    ) -> Plan[list[str]]:
        """Add or, where the id is known, replace documents.

        Parameters
        ----------
        documents : iterable of Document
            Validated whole before anything is stored.
        ids : sequence of str, optional
            One per document, before the documents' own.
        extract : bool, "now" or "later"
            False stores each document as one chunk, all in one transaction. True or ``"now"`` makes each an episode: a
            long one is cut into chunks, and entities and facts are extracted, so that the graph leg finds them.
            ``"later"`` leaves the extraction to ``memory.extract_pending``.

        Returns
        -------
        list of str
            The ids, in order.

        Raises
        ------
        InvalidInputError
            If ids and documents differ in number, or an item is no document or cannot be stored; then nothing is.
        BatchError
            If many episodes are stored in several transactions, and a later one fails.

        Examples
        --------
        >>> retriever = HybridMemoryRetriever.from_texts([], k=1)
        >>> retriever.add_documents([Document(id="n1", page_content="Ann owns Project Atlas.")], extract=True)
        ['n1']
        >>> [(fact.predicate, fact.object) for fact in retriever.memory.history("Project Atlas")]
        [('owner', 'Ann')]
        """
        return (yield from stored(self.memory, to_chunks(documents, ids), extract))

    add_documents = blocking(_add_documents)
    aadd_documents = awaitable(_add_documents)

    def _add_texts(
        self,
        texts: Iterable[str],
        metadatas: Iterable[Mapping[str, Any]] | None = None,
        *,
        ids: Sequence[str | None] | None = None,
        extract: ExtractOption = False,
    ) -> Plan[list[str]]:
        """As `add_documents`, for texts with one metadata mapping each."""
        return (yield from self._add_documents(to_documents(texts, metadatas, ids), extract=extract))

    add_texts = blocking(_add_texts)
    aadd_texts = awaitable(_add_texts)

    def _add_graph_documents(
        self, graph_documents: Iterable[object], ids: Sequence[str | None] | None = None
    ) -> Plan[list[str]]:
        """Add documents together with the graph that another tool has extracted from them.

        Parameters
        ----------
        graph_documents : iterable of GraphDocument
            As ``LLMGraphTransformer`` makes them: nodes, relationships and a source document. They are taken as they
            are: nothing else is extracted from them.
        ids : sequence of str, optional
            One per graph document, before the source documents' own.

        Returns
        -------
        list of str
            The ids, in order.

        Raises
        ------
        InvalidInputError
            If one has another shape or cannot be stored; then nothing is.
        """
        return (yield from stored_episodes(self.memory, to_episodes(graph_documents, ids)))

    add_graph_documents = blocking(_add_graph_documents)
    aadd_graph_documents = awaitable(_add_graph_documents)

    def delete(self, ids: Iterable[str]) -> Receipt:
        """Remove documents by id; ids that are not there are passed over, and the receipt names what was removed."""
        return self.memory.delete(ids)

    adelete = in_thread(delete)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, **asked: Unpack[CallOptions]
    ) -> list[Document]:
        arguments = self._arguments(asked)
        return self._documents(self.memory.search(_text(query), **arguments), asked)

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, **asked: Unpack[CallOptions]
    ) -> list[Document]:
        arguments = self._arguments(asked)
        return self._documents(await self.memory.asearch(_text(query), **arguments), asked)

    def _arguments(self, asked: CallOptions) -> dict[str, Any]:
        """What the memory is searched with: the retriever's fields, and before them what this call says."""
        unknown = [name for name in asked if name not in CallOptions.__optional_keys__]
        if unknown:
            known = ", ".join(sorted(CallOptions.__optional_keys__))
            raise TypeError(
                f"{type(self).__name__} got the unexpected keyword argument {unknown[0]!r}: known are {known}"
            )
        given = {name: value for name, value in asked.items() if value is not None}
        own = {name: getattr(self, name) for name in CallOptions.__optional_keys__ - {"verbose"}}
        if "weights" in given and own["fusion"] == "auto":
            own["fusion"] = None
        if given.get("fusion") == "auto":
            own["weights"] = None
        arguments = own | given | {"filter": conjunction(parse_filter(self.filter), parse_filter(asked.get("filter")))}
        arguments["top_k"] = arguments.pop("k")
        return {name: value for name, value in arguments.items() if name not in ("with_scores", "verbose")}

    def _documents(self, hits: Response, asked: CallOptions) -> list[Document]:
        asked_for = asked.get("with_scores")
        with_scores = self.with_scores if asked_for is None else asked_for
        return [to_document(hit, with_scores=with_scores) for hit in hits]

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


def _text(query: object) -> str:
    if not isinstance(query, str):
        raise InvalidInputError(
            f"query {query!r} is a {type(query).__name__}, not a string; "
            "in a chain, pick the question out first: itemgetter('question') | retriever"
        )
    return query
