"""LangChain's own contract for retrievers, subclassed unchanged."""

from typing import Any

import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.retrievers import BaseRetriever
from langchain_tests.integration_tests import RetrieversIntegrationTests

from hybrid_agent_memory import HybridMemory
from langchain_hybrid_memory import HybridMemoryRetriever


class TestHybridMemoryRetriever(RetrieversIntegrationTests):
    @pytest.fixture(autouse=True)
    def _filled_memory(self) -> None:
        self.memory = HybridMemory.in_memory(embedder=DeterministicFakeEmbedding(size=16))
        self.memory.add(["the disk is full", "the build server is down", "lunch is at noon", "the API key was rotated"])

    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return HybridMemoryRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"memory": self.memory}

    @property
    def retriever_query_example(self) -> str:
        return "why is the disk full?"
