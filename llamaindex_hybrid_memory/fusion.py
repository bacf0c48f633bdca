"""`HybridFusionRetriever`: LlamaIndex's `QueryFusionRetriever`, faults mended."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.callbacks.base import CallbackManager
from llama_index.core.constants import DEFAULT_SIMILARITY_TOP_K
from llama_index.core.llms import LLM
from llama_index.core.llms.utils import LLMType, resolve_llm
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.retrievers.fusion_retriever import FUSION_MODES, QUERY_GEN_PROMPT
from llama_index.core.schema import IndexNode, NodeWithScore, QueryBundle
from llama_index.core.settings import Settings
from llama_index.core.utils import print_text

from hybrid_agent_memory.errors import InvalidInputError
from hybrid_agent_memory.fusion import check_weights
from llamaindex_hybrid_memory._fan_out import ChildQuery, ain_turn, aside_by_side, in_turn, side_by_side
from llamaindex_hybrid_memory._fusing import Results, fuse_best, fuse_ranks, fuse_scores, min_max, three_sigma
from llamaindex_hybrid_memory._queries import written_queries

Answers = dict[tuple[str, int], list[NodeWithScore]]


class HybridFusionRetriever(QueryFusionRetriever):
    """Fuse the results of several retrievers, of any kind, for one query or for several rewordings of it.

    A drop-in `QueryFusionRetriever`: the same arguments, attributes, modes and prompt key. What is different:

    - Weights count in every mode, and a child of weight 0 is not run.
    - Nodes are told apart by node id, never by text: two records "ok" stay two. An id that comes twice in one list
      counts once, with its best rank.
    - Results are new `NodeWithScore` objects; the children's objects and the query are left as they are, and every
      child gets its own copy of the query.
    - A child's error comes through as it is, with a note that names the child.
    - A language model is looked for when the first rewording is needed, so never with ``num_queries=1``.
    - The sync call makes no event loop: with `use_async` the children's `retrieve` run in threads. The async call
      awaits `aretrieve`, and puts children without an async half into threads.

    Parameters
    ----------
    retrievers : list of BaseRetriever
        The children, at least one.
    llm : LLM or str, optional
        Writes the rewordings; `Settings.llm` when not given.
    query_gen_prompt : str, optional
        Format string with ``{num_queries}`` and ``{query}``. Numbering and bullets in the answer are removed,
        repetitions dropped.
    mode : FUSION_MODES or str
        ``"simple"``: each node's best raw score, a missing one is 0; weights only switch children off.
        ``"reciprocal_rerank"``: sum of ``weight / (60 + rank)``, rank from 1 in the order the child returned,
        whatever its scores mean; weights as given, 1 when not given.
        ``"relative_score"``: each list scaled to 1 for its best and 1/n for the last of its n scores, then summed,
        weights scaled to sum to 1, over the number of queries run; a single hit is 1, an empty list neutral.
        ``"dist_based_score"``: the same, but the mean ± 3 standard deviations become 0 and 1.
    similarity_top_k : int
        How many nodes to return at most, at least 1.
    num_queries : int
        The query itself and ``num_queries - 1`` rewordings.
    use_async : bool
        Children side by side (or, if False, one at a time).
    verbose : bool
        Print the rewordings.
    callback_manager, objects, object_map
        As in `BaseRetriever`.
    retriever_weights : list of float, optional
        One per child: finite, none negative, one at least positive.

    Raises
    ------
    InvalidInputError
        If an argument is wrong, at construction or when the attribute is set.

    Examples
    --------
    >>> from llama_index.core.retrievers import BaseRetriever
    >>> from llama_index.core.schema import NodeWithScore, TextNode
    >>> class Fixed(BaseRetriever):
    ...     def __init__(self, *ids):
    ...         super().__init__()
    ...         self.ids = ids
    ...
    ...     def _retrieve(self, query_bundle):
    ...         return [NodeWithScore(node=TextNode(id_=id, text=id)) for id in self.ids]
    >>> fused = HybridFusionRetriever(
    ...     [Fixed("a", "b"), Fixed("b", "c")], mode="reciprocal_rerank", num_queries=1, retriever_weights=[1, 3]
    ... )
    >>> [(hit.node_id, round(hit.score, 4)) for hit in fused.retrieve("anything")]
    [('b', 0.0653), ('c', 0.0484)]
    """

    _llm_choice: LLMType | None

    def __init__(
        self,
        retrievers: list[BaseRetriever],
        llm: LLMType | None = None,
        query_gen_prompt: str | None = None,
        mode: FUSION_MODES | str = FUSION_MODES.SIMPLE,
        similarity_top_k: int = DEFAULT_SIMILARITY_TOP_K,
        num_queries: int = 4,
        use_async: bool = True,
        verbose: bool = False,
        callback_manager: CallbackManager | None = None,
        objects: list[IndexNode] | None = None,
        object_map: dict[str, Any] | None = None,
        retriever_weights: list[float] | None = None,
    ) -> None:
        self._retrievers = _checked_children(retrievers)
        self._retriever_weights = _checked_weights(retriever_weights, len(self._retrievers))
        self.mode = mode
        self.similarity_top_k = similarity_top_k
        self.num_queries = num_queries
        self.query_gen_prompt = query_gen_prompt or QUERY_GEN_PROMPT
        self.use_async = use_async
        self._llm = llm
        self._llm_callback_manager = callback_manager
        # QueryFusionRetriever's own constructor asks for a language model, needed or not.
        BaseRetriever.__init__(
            self, callback_manager=callback_manager, object_map=object_map, objects=objects, verbose=verbose
        )

    @property
    def mode(self) -> FUSION_MODES:
        """How lists are fused; takes the enum or its string."""
        return self._mode

    @mode.setter
    def mode(self, mode: FUSION_MODES | str) -> None:
        names = [known.value for known in FUSION_MODES]
        if mode not in names:
            raise InvalidInputError(f"mode {mode!r} is unknown: use one of {', '.join(map(repr, names))}")
        self._mode = FUSION_MODES(mode)

    @property
    def similarity_top_k(self) -> int:
        """How many nodes to return at most."""
        return self._similarity_top_k

    @similarity_top_k.setter
    def similarity_top_k(self, similarity_top_k: int) -> None:
        self._similarity_top_k = _checked_count("similarity_top_k", similarity_top_k)

    @property
    def num_queries(self) -> int:
        """The query itself and its rewordings."""
        return self._num_queries

    @num_queries.setter
    def num_queries(self, num_queries: int) -> None:
        self._num_queries = _checked_count("num_queries", num_queries)

    @property
    def _llm(self) -> LLM:
        if self._llm_choice is None:
            return Settings.llm
        llm = resolve_llm(self._llm_choice, callback_manager=self._llm_callback_manager)
        self._llm_choice = llm
        return llm

    @_llm.setter
    def _llm(self, llm: LLMType | None) -> None:
        self._llm_choice = llm

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        queries = [query_bundle]
        if self._wants_rewordings(query_bundle):
            queries += _reworded(query_bundle, self._get_queries(query_bundle.query_str))
        run = self._run_nested_async_queries if self.use_async else self._run_sync_queries
        return self._fuse(run(queries))

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        queries = [query_bundle]
        if self._wants_rewordings(query_bundle):
            queries += _reworded(query_bundle, await self._aget_queries(query_bundle.query_str))
        return self._fuse(await self._run_async_queries(queries))

    def _wants_rewordings(self, query_bundle: QueryBundle) -> bool:
        return self.num_queries > 1 and bool(query_bundle.query_str.strip())

    def _get_queries(self, original_query: str) -> list[QueryBundle]:
        return self._read(self._llm.complete(self._request(original_query)).text, original_query)

    async def _aget_queries(self, original_query: str) -> list[QueryBundle]:
        response = await self._llm.acomplete(self._request(original_query))
        return self._read(response.text, original_query)

    def _request(self, original_query: str) -> str:
        return self.query_gen_prompt.format(num_queries=self.num_queries - 1, query=original_query)

    def _read(self, written: str, original_query: str) -> list[QueryBundle]:
        queries = written_queries(written, original_query, self.num_queries - 1)
        if self._verbose:
            print_text("Generated queries:\n" + "\n".join(queries), end="\n")
        return [QueryBundle(query) for query in queries]

    def _run_sync_queries(self, queries: list[QueryBundle]) -> Answers:
        asked = self._child_queries(queries)
        return _by_query(asked, in_turn(asked))

    def _run_nested_async_queries(self, queries: list[QueryBundle]) -> Answers:
        asked = self._child_queries(queries)
        return _by_query(asked, side_by_side(asked))

    async def _run_async_queries(self, queries: list[QueryBundle]) -> Answers:
        asked = self._child_queries(queries)
        return _by_query(asked, await (aside_by_side if self.use_async else ain_turn)(asked))

    def _child_queries(self, queries: Sequence[QueryBundle]) -> list[ChildQuery]:
        return [
            ChildQuery(query, index, child)
            for query in queries
            for index, child in enumerate(self._retrievers)
            if self._retriever_weights[index]
        ]

    def _fuse(self, results: Results) -> list[NodeWithScore]:
        match self.mode:
            case FUSION_MODES.RECIPROCAL_RANK:
                fused = self._reciprocal_rerank_fusion(results)
            case FUSION_MODES.RELATIVE_SCORE:
                fused = self._relative_score_fusion(results)
            case FUSION_MODES.DIST_BASED_SCORE:
                fused = self._relative_score_fusion(results, dist_based=True)
            case FUSION_MODES.SIMPLE:
                fused = self._simple_fusion(results)
        return fused[: self.similarity_top_k]

    def _reciprocal_rerank_fusion(self, results: Results) -> list[NodeWithScore]:
        return fuse_ranks(results, self._retriever_weights)

    def _relative_score_fusion(self, results: Results, dist_based: bool | None = False) -> list[NodeWithScore]:
        return fuse_scores(results, self._retriever_weights, three_sigma if dist_based else min_max)

    def _simple_fusion(self, results: Results) -> list[NodeWithScore]:
        return fuse_best(results)


def _reworded(query_bundle: QueryBundle, rewordings: Sequence[QueryBundle]) -> list[QueryBundle]:
    """The rewordings, each asking for what else the query asks: a `HybridQueryBundle` keeps its times and filters."""
    bare = replace(query_bundle, image_path=None, custom_embedding_strs=None, embedding=None)
    return [replace(bare, query_str=reworded.query_str) for reworded in rewordings]


def _by_query(asked: Sequence[ChildQuery], answers: Sequence[list[NodeWithScore]]) -> Answers:
    return {(one.query.query_str, one.index): answer for one, answer in zip(asked, answers, strict=True)}


def _checked_children(retrievers: Iterable[BaseRetriever] | None) -> list[BaseRetriever]:
    children = list(retrievers or ())
    if not children:
        raise InvalidInputError("retrievers is empty: give at least one retriever")
    for index, child in enumerate(children):
        if not callable(getattr(child, "retrieve", None)):
            raise InvalidInputError(
                f"retrievers[{index}] is a {type(child).__name__}, not a retriever: an index has as_retriever()"
            )
    return children


def _checked_weights(weights: Sequence[float] | None, children: int) -> list[float]:
    if weights is None:
        return [1.0] * children
    if len(weights) != children:
        raise InvalidInputError(f"retriever_weights has {len(weights)} values for {children} retrievers: give one each")
    check_weights({f"retriever {index}": weight for index, weight in enumerate(weights)})
    return [float(weight) for weight in weights]


def _checked_count(name: str, value: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InvalidInputError(f"{name} {value!r} is not an integer of at least 1")
    return value
