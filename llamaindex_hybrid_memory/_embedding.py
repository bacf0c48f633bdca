"""LlamaIndex embedding models as the core's embedders."""

import asyncio
import inspect
from typing import Literal

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.settings import Settings

from hybrid_agent_memory.errors import InvalidInputError
from hybrid_agent_memory.protocols import Embedder

EmbedModel = BaseEmbedding | Embedder | Literal["default", "local"] | None
"""What `embed_model` may be: a LlamaIndex model, any object with ``embed_documents`` and ``embed_query``, ``"local"``
(the core's offline model), ``"default"`` (`Settings.embed_model`, looked up only then) or None for no dense leg."""


class LlamaIndexEmbedder:
    """A LlamaIndex embedding model in the shape the core asks for; texts and queries keep their own prompts.

    Parameters
    ----------
    model : BaseEmbedding
    """

    def __init__(self, model: BaseEmbedding) -> None:
        self.model = model
        self.name = f"{model.class_name()}/{model.model_name}"

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """One vector per text, made in the model's own batches."""
        return self.model.get_text_embedding_batch(texts)

    def embed_query(self, text: str) -> list[float]:
        """The vector of a query."""
        return self.model.get_query_embedding(text)

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        """As `embed_documents`; a model without async text embedding works in a thread, off the event loop."""
        if _embeds_texts_async(self.model):
            return await self.model.aget_text_embedding_batch(texts)
        return await asyncio.to_thread(self.embed_documents, texts)

    async def aembed_query(self, text: str) -> list[float]:
        """As `embed_query`."""
        return await self.model.aget_query_embedding(text)


def as_embedder(embed_model: EmbedModel) -> Embedder | Literal["local"] | None:
    """Make of an `embed_model` argument what the core takes as an embedder.

    Returns
    -------
    Embedder, "local" or None

    Raises
    ------
    InvalidInputError
        If it is a string other than ``"default"`` and ``"local"``.
    """
    if isinstance(embed_model, str) and embed_model not in ("default", "local"):
        raise InvalidInputError(
            f"embed_model {embed_model!r} is unknown: give an embedding model, 'default' (Settings.embed_model), "
            "'local' (offline) or None"
        )
    model = Settings.embed_model if embed_model == "default" else embed_model
    return LlamaIndexEmbedder(model) if isinstance(model, BaseEmbedding) else model


def _embeds_texts_async(model: BaseEmbedding) -> bool:
    return any(
        inspect.getattr_static(type(model), name) is not inspect.getattr_static(BaseEmbedding, name)
        for name in ("_aget_text_embedding", "_aget_text_embeddings")
    )
