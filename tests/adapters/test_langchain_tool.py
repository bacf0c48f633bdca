"""The memory as a tool for an agent."""

from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.messages import ToolMessage
from langchain_core.prompts import PromptTemplate
from langchain_core.tools import ToolException, create_retriever_tool

from hybrid_agent_memory import HybridMemory
from langchain_hybrid_memory import HybridMemoryRetriever, create_memory_tool


@pytest.fixture
def retriever() -> HybridMemoryRetriever:
    memory = HybridMemory.in_memory()
    memory.add(
        [
            {"id": "a", "text": "the disk is full", "metadata": {"env": "prod", "level": 3}},
            {"id": "b", "text": "the disk is slow today", "metadata": {"env": "prod", "level": 1}},
            {"id": "c", "text": "the disk is new and not yet used by anybody", "metadata": {"env": "dev"}},
        ]
    )
    return HybridMemoryRetriever.from_memory(memory)


def test_a_model_sees_query_k_and_filter(retriever: HybridMemoryRetriever) -> None:
    tool = create_memory_tool(retriever, "recall", "Looks up what happened.")
    schema: dict[str, Any] = tool.tool_call_schema.model_json_schema()  # type: ignore[union-attr]
    assert (tool.name, tool.description) == ("recall", "Looks up what happened.")
    assert set(schema["properties"]) == {"query", "k", "filter"}
    assert schema["required"] == ["query"]


async def test_texts_are_joined_as_langchains_own_tool_does(retriever: HybridMemoryRetriever) -> None:
    ours = create_memory_tool(retriever, "recall", "Looks up what happened.")
    theirs = create_retriever_tool(retriever, "recall", "Looks up what happened.")
    assert ours.invoke({"query": "disk"}) == theirs.invoke({"query": "disk"}) != ""
    assert await ours.ainvoke({"query": "disk"}) == theirs.invoke({"query": "disk"})


async def test_an_empty_result_says_so(retriever: HybridMemoryRetriever) -> None:
    tool = create_memory_tool(retriever, "recall", "Looks up what happened.")
    for query in ["zebra", ""]:
        assert tool.invoke({"query": query}) == await tool.ainvoke({"query": query}) == "Nothing in the memory matches."


async def test_k_and_filter_narrow(retriever: HybridMemoryRetriever) -> None:
    tool = create_memory_tool(retriever, "recall", "Looks up what happened.")
    asked: dict[str, Any] = {"query": "disk", "k": 1, "filter": {"level": {"$lt": 3}}}
    assert tool.invoke(asked) == "the disk is slow today"
    assert await tool.ainvoke(asked) == "the disk is slow today"


def test_a_model_cannot_widen_the_retrievers_filter(retriever: HybridMemoryRetriever) -> None:
    retriever.filter = {"env": "prod"}
    tool = create_memory_tool(retriever, "recall", "Looks up what happened.")
    assert tool.invoke({"query": "disk", "filter": {"env": "dev"}}) == "Nothing in the memory matches."


async def test_documents_come_as_the_artifact(retriever: HybridMemoryRetriever) -> None:
    tool = create_memory_tool(
        retriever,
        "recall",
        "Looks up what happened.",
        document_prompt=PromptTemplate.from_template("[{env}] {page_content}"),
        document_separator="\n",
        response_format="content_and_artifact",
    )
    call = {"type": "tool_call", "id": "1", "name": "recall", "args": {"query": "disk", "filter": {"env": "prod"}}}
    for message in (tool.invoke(call), await tool.ainvoke(call)):
        assert isinstance(message, ToolMessage)
        assert message.content == "[prod] the disk is full\n[prod] the disk is slow today"
        assert message.artifact == [
            Document(id="a", page_content="the disk is full", metadata={"env": "prod", "level": 3}),
            Document(id="b", page_content="the disk is slow today", metadata={"env": "prod", "level": 1}),
        ]


async def test_a_models_mistake_is_answered_and_can_be_raised(retriever: HybridMemoryRetriever) -> None:
    tool = create_memory_tool(retriever, "recall", "Looks up what happened.")
    call = {
        "type": "tool_call",
        "id": "1",
        "name": "recall",
        "args": {"query": "disk", "filter": {"env": {"$near": 1}}},
    }
    for message in (tool.invoke(call), await tool.ainvoke(call)):
        assert message.status == "error"
        assert "$near" in message.content
    refused = tool.invoke({**call, "args": {"k": 0, "filter": "env=prod"}})
    assert refused.status == "error"
    for wrong in ("query", "k: ", "filter: "):
        assert wrong in refused.content
    tool.handle_tool_error = False
    with pytest.raises(ToolException, match=r"\$near"):
        tool.invoke(call)


def test_a_developers_mistake_is_raised(retriever: HybridMemoryRetriever) -> None:
    retriever.legs = ("sparse",)
    tool = create_memory_tool(retriever, "recall", "Looks up what happened.")
    retriever.memory.close()
    with pytest.raises(Exception, match="closed"):
        tool.invoke({"query": "disk"})
