"""What this package asks of others. Any object of the right shape will do; nothing has to be subclassed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from hybrid_agent_memory.filters import Filter

Tokenizer = Callable[[str], list[str]]
"""Text to index terms, the same for records and queries. An optional ``name`` attribute identifies it in the file."""

Reranker = Callable[[str, list[str]], Sequence[float]]
"""A cross-encoder: (query, texts) to one score per text, higher is better."""

Progress = Callable[[int, int | None], None]
"""Called with (items done, items in all or None when unknown)."""


@runtime_checkable
class Embedder(Protocol):
    """Text to vectors; any LangChain ``Embeddings`` fits as it is.

    A ``name`` attribute, when there is one, goes into the file's fingerprint. Where ``aembed_documents`` and
    ``aembed_query`` exist, the async calls of the memory await them. Batching and retries belong to the embedder.
    """

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """One vector per text, in order."""
        ...

    def embed_query(self, text: str) -> list[float]:
        """The vector of a query; may use another prompt than documents do."""
        ...


@runtime_checkable
class AsyncEmbedder(Protocol):
    """The optional asynchronous half of an embedder."""

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        """As ``embed_documents``."""
        ...

    async def aembed_query(self, text: str) -> list[float]:
        """As ``embed_query``."""
        ...


@dataclass(frozen=True, slots=True)
class LegQuery:
    """What a leg is asked: at most `limit` ids for `text` in `namespace` that pass `filter`."""

    namespace: str
    text: str
    filter: Filter | None
    limit: int


class Leg(Protocol):
    """A ranking signal from outside the engine, such as a remote index; legs run side by side.

    What it returns beyond the filter, or does not exist in the memory, is dropped.
    """

    name: str

    def search(self, query: LegQuery) -> list[tuple[str, float]]:
        """(id, raw score), best first; matches only."""
        ...
