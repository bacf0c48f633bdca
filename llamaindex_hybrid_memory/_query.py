"""What a query bundle asks of the core: its text, its vector where it brings or describes one, and how to search."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from llama_index.core.base.embeddings.base import mean_agg
from llama_index.core.schema import QueryBundle
from llama_index.core.vector_stores.types import MetadataFilters

from hybrid_agent_memory.engines import RecordKind
from hybrid_agent_memory.options import Fusion
from hybrid_agent_memory.protocols import AsyncEmbedder, Embedder
from hybrid_agent_memory.times import Timeish
from llamaindex_hybrid_memory._search import SearchSettings

_TOOL_CALL = re.compile(r"\s*\n\s*input is (?P<query>.*)\n\s*", re.DOTALL)


@dataclass
class HybridQueryBundle(QueryBundle):
    """A query that says how it wants to be answered, for this one call.

    It goes wherever a `QueryBundle` does: to `retrieve` and `aretrieve`, and through query engines, routers and fusion
    to every `HybridMemoryRetriever` behind them; other retrievers see a plain query.

    Parameters
    ----------
    query_str, image_path, custom_embedding_strs, embedding
        As in `QueryBundle`.
    similarity_top_k, retriever_weights, fusion, min_confidence, kinds, now, as_of, known_at, time_decay, decay_floor,
    authority_weight, max_depth, with_scores
        As in `HybridMemoryRetriever`; None leaves it to the retriever. `retriever_weights` and ``fusion="auto"`` set
        the retriever's other aside.
    filters : MetadataFilters, optional
        Narrow the retriever's own, never replace them.

    Examples
    --------
    >>> from llama_index.core.schema import TextNode
    >>> from llamaindex_hybrid_memory import HybridMemoryRetriever
    >>> nodes = [TextNode(id_="m1", text="lunch at noon", metadata={"time": "2024-10-01"})]
    >>> retriever = HybridMemoryRetriever.from_nodes(nodes)
    >>> len(retriever.retrieve(HybridQueryBundle("lunch", as_of="2024-09-01")))
    0
    """

    similarity_top_k: int | None = None
    filters: MetadataFilters | None = None
    retriever_weights: Mapping[str, float] | None = None
    fusion: Fusion | None = None
    min_confidence: float | None = None
    kinds: Sequence[RecordKind] | None = None
    now: Timeish | None = None
    as_of: Timeish | None = None
    known_at: Timeish | None = None
    time_decay: float | None = None
    decay_floor: float | None = None
    authority_weight: float | None = None
    max_depth: int | None = None
    with_scores: bool | None = None

    def settings(self) -> SearchSettings:
        """What it asks beyond the query itself."""
        return SearchSettings(
            similarity_top_k=self.similarity_top_k,
            filters=self.filters,
            retriever_weights=self.retriever_weights,
            fusion=self.fusion,
            min_confidence=self.min_confidence,
            kinds=self.kinds,
            now=self.now,
            as_of=self.as_of,
            known_at=self.known_at,
            time_decay=self.time_decay,
            decay_floor=self.decay_floor,
            authority_weight=self.authority_weight,
            max_depth=self.max_depth,
        )


@dataclass(frozen=True, slots=True)
class Question:
    """A query in the core's terms.

    Attributes
    ----------
    text : str
    vector : sequence of float or None
        A ready-made query vector; then no embedder is called.
    strings : sequence of str
        Strings whose mean embedding is the query vector.
    dense : bool
        False where the bundle says that there is nothing to embed.
    settings : SearchSettings
        How this call is to be answered, where the bundle says so.
    with_scores : bool or None
        Whether nodes carry their scores; None leaves it to the retriever.
    """

    text: str
    vector: Sequence[float] | None = None
    strings: Sequence[str] = ()
    dense: bool = True
    settings: SearchSettings = field(default_factory=SearchSettings)
    with_scores: bool | None = None


def read(bundle: QueryBundle) -> Question:
    """Read a bundle, which is left as it is."""
    strings = bundle.custom_embedding_strs
    ours = bundle if isinstance(bundle, HybridQueryBundle) else None
    return Question(
        query_text(bundle.query_str),
        vector=None if bundle.embedding is None else list(bundle.embedding),
        strings=() if strings is None or bundle.embedding is not None else tuple(strings),
        dense=bundle.embedding is not None or strings is None or bool(strings),
        settings=SearchSettings() if ours is None else ours.settings(),
        with_scores=None if ours is None else ours.with_scores,
    )


def query_text(written: str) -> str:
    r"""Strip a query of surrounding white space and of what LlamaIndex's `RetrieverTool` wraps around it.

    Returns
    -------
    str

    Examples
    --------
    >>> query_text("\ninput is find x\n"), query_text("find x\n\n"), query_text("input is find x")
    ('find x', 'find x', 'input is find x')
    """
    call = _TOOL_CALL.fullmatch(written)
    return (call["query"] if call else written).strip()


def mean_vector(embedder: Embedder, strings: Sequence[str]) -> list[float]:
    """The mean of the strings' query embeddings, as LlamaIndex's own retrievers aggregate them."""
    return mean_agg([embedder.embed_query(string) for string in strings])


async def amean_vector(embedder: Embedder, strings: Sequence[str]) -> list[float]:
    """As `mean_vector`, on the event loop."""
    if not isinstance(embedder, AsyncEmbedder):
        return await asyncio.to_thread(mean_vector, embedder, strings)
    return mean_agg(list(await asyncio.gather(*(embedder.aembed_query(string) for string in strings))))
