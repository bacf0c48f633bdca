"""Hybrid agent memory as LlamaIndex retrievers.

Needs the extra: ``pip install 'hybrid-agent-memory[llamaindex]'``.
"""

from hybrid_agent_memory.errors import OptionalDependencyError

try:
    import llama_index.core  # noqa: F401  # only to see whether it is there
except ModuleNotFoundError as error:
    if error.name not in ("llama_index", "llama_index.core"):
        raise
    raise OptionalDependencyError("llama-index-core", "llamaindex") from error

from llamaindex_hybrid_memory.fusion import HybridFusionRetriever
from llamaindex_hybrid_memory.retriever import HybridMemoryRetriever

__all__ = ["HybridFusionRetriever", "HybridMemoryRetriever"]
