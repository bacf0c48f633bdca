"""Hybrid agent memory as a LangChain retriever.

Needs the extra: ``pip install 'hybrid-agent-memory[langchain]'``.
"""

from hybrid_agent_memory import OptionalDependencyError

try:
    from langchain_hybrid_memory._llm import llm_of
    from langchain_hybrid_memory.retriever import HybridMemoryRetriever
    from langchain_hybrid_memory.tool import create_memory_tool
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] != "langchain_core":
        raise
    raise OptionalDependencyError("langchain-core", "langchain") from error

__all__ = ["HybridMemoryRetriever", "create_memory_tool", "llm_of"]
