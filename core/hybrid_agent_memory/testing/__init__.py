"""Things for tests, ours and yours."""

from hybrid_agent_memory.testing.embedders import HashEmbedder

__all__ = ["HashEmbedder"]
