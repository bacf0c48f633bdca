"""Things for tests, ours and yours."""

from hybrid_agent_memory.testing.embedders import HashEmbedder
from hybrid_agent_memory.testing.extractors import LineExtractor

__all__ = ["HashEmbedder", "LineExtractor"]
