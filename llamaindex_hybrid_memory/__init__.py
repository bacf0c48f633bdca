"""Hybrid agent memory as LlamaIndex retrievers.

Needs the extra: ``pip install 'hybrid-agent-memory[llamaindex]'``.
"""

from hybrid_agent_memory import OptionalDependencyError

try:
    from llamaindex_hybrid_memory._llm import llm_of
    from llamaindex_hybrid_memory._query import HybridQueryBundle
    from llamaindex_hybrid_memory.fusion import HybridFusionRetriever
    from llamaindex_hybrid_memory.retriever import HybridMemoryRetriever
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] != "llama_index":
        raise
    raise OptionalDependencyError("llama-index-core", "llamaindex") from error

__all__ = ["HybridFusionRetriever", "HybridMemoryRetriever", "HybridQueryBundle", "llm_of"]
