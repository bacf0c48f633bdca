"""Embedders that need no model and give the same vectors everywhere."""

from zlib import crc32

import numpy as np

from hybrid_agent_memory.text import tokenize


class HashEmbedder:
    """Adds one fixed pseudo-random direction per term, so that texts that share terms are near each other.

    Parameters
    ----------
    dimension : int

    Examples
    --------
    >>> embedder = HashEmbedder(8)
    >>> embedder.embed_query("red apple") == embedder.embed_documents(["apple red"])[0]
    True
    """

    def __init__(self, dimension: int = 64) -> None:
        self.dimension = dimension
        self.name = f"hash-{dimension}"

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """One vector per text."""
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """The same vector as for a document."""
        total = np.zeros(self.dimension)
        for term in sorted(tokenize(text)):
            seed = crc32(term.encode("utf-8", "surrogatepass"))
            total += np.random.default_rng(seed).standard_normal(self.dimension)
        vector: list[float] = np.round(total, 6).tolist()
        return vector
