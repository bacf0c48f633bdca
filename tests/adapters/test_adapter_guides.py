"""The adapters' guides name every public method with its arguments."""

import inspect
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from llama_index.core.schema import QueryBundle

import langchain_hybrid_memory as langchain_adapter
import llamaindex_hybrid_memory as llamaindex_adapter
from langchain_hybrid_memory.retriever import CallOptions, RetrieverFields
from llamaindex_hybrid_memory.retriever import RetrieverOptions

GUIDES = Path(__file__).parents[2] / "docs" / "how-to"
LANGCHAIN, LLAMAINDEX = ((GUIDES / name).read_text(encoding="utf-8") for name in ("langchain.md", "llamaindex.md"))
FRAMEWORKS_OWN = {"name", "tags", "metadata"}
"""LangChain's fields for tracing."""


def names(owner: object) -> Iterator[str]:
    """Public methods, less pydantic's, and their arguments; an asynchronous twin has those of its sync half."""
    for name, member in vars(owner).items():
        function = member.__func__ if isinstance(member, classmethod) else member
        if (
            name.startswith(("_", "model_"))
            or not inspect.isfunction(function)
            or inspect.iscoroutinefunction(function)
        ):
            continue
        yield name
        for argument in inspect.signature(function).parameters.values():
            if argument.name not in ("self", "cls") and argument.kind is not inspect.Parameter.VAR_KEYWORD:
                yield argument.name


def missing(wanted: set[str], guide: str) -> set[str]:
    return {name for name in wanted if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", guide) is None}


def test_langchain() -> None:
    retriever = langchain_adapter.HybridMemoryRetriever
    wanted = {*names(retriever), *RetrieverFields.__optional_keys__} - FRAMEWORKS_OWN
    wanted |= set(inspect.signature(langchain_adapter.create_memory_tool).parameters)
    assert missing(wanted, LANGCHAIN) == set()


def test_llamaindex() -> None:
    wanted = {*names(llamaindex_adapter.HybridMemoryRetriever), *RetrieverOptions.__optional_keys__}
    wanted |= set(inspect.signature(llamaindex_adapter.HybridFusionRetriever).parameters)
    assert missing(wanted, LLAMAINDEX) == set()


def test_what_may_be_set_may_be_asked_per_call() -> None:
    settable = set(RetrieverFields.__optional_keys__) - FRAMEWORKS_OWN
    assert settable == set(CallOptions.__optional_keys__) - {"verbose"}
    assert settable < set(langchain_adapter.HybridMemoryRetriever.model_fields)
    asked = {field.name for field in fields(llamaindex_adapter.HybridQueryBundle)} - {
        field.name for field in fields(QueryBundle)
    }
    frameworks = {"node_parser", "callback_manager", "objects", "object_map", "verbose"}
    assert asked == set(RetrieverOptions.__optional_keys__) - frameworks
    constructor = inspect.signature(llamaindex_adapter.HybridMemoryRetriever).parameters
    assert set(constructor) == {"memory", *RetrieverOptions.__optional_keys__}


@pytest.mark.parametrize("shared", ["kinds", "now", "as_of", "known_at", "time_decay", "decay_floor", "max_depth"])
def test_both_adapters_use_the_cores_words(shared: str) -> None:
    assert shared in CallOptions.__optional_keys__
    assert shared in RetrieverOptions.__optional_keys__
