"""What a query bundle asks of the core: its text, and its vector where the bundle brings or describes one."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass

from llama_index.core.base.embeddings.base import mean_agg
from llama_index.core.schema import QueryBundle

from hybrid_agent_memory.protocols import AsyncEmbedder, Embedder

_TOOL_CALL = re.compile(r"\s*\n\s*input is (?P<query>.*)\n\s*", re.DOTALL)


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
    """

    text: str
    vector: Sequence[float] | None = None
    strings: Sequence[str] = ()
    dense: bool = True


def read(bundle: QueryBundle) -> Question:
    """Read a bundle, which is left as it is."""
    text = query_text(bundle.query_str)
    if bundle.embedding is not None:
        return Question(text, vector=list(bundle.embedding))
    if bundle.custom_embedding_strs is None:
        return Question(text)
    strings = tuple(bundle.custom_embedding_strs)
    return Question(text, strings=strings, dense=bool(strings))


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
