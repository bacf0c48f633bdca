"""The retriever inside LangChain: chains, wrappers, configuration, tracing."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import pytest
from langchain_classic.chains import create_retrieval_chain
from langchain_classic.chains.combine_documents import create_stuff_documents_chain
from langchain_classic.retrievers import ContextualCompressionRetriever
from langchain_core.callbacks import BaseCallbackHandler, Callbacks
from langchain_core.documents import BaseDocumentCompressor, Document
from langchain_core.embeddings import DeterministicFakeEmbedding, Embeddings
from langchain_core.language_models import FakeListChatModel
from langchain_core.load import dumps
from langchain_core.messages import BaseMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import ConfigurableField, RunnableLambda, RunnablePassthrough

from hybrid_agent_memory import HybridMemory, InvalidInputError
from langchain_hybrid_memory import HybridMemoryRetriever

TEXTS = ["the disk is full", "the build server is down", "lunch is at noon"]


@pytest.fixture
def memory() -> HybridMemory:
    memory = HybridMemory.in_memory(embedder=DeterministicFakeEmbedding(size=16))
    memory.add([{"id": f"m{i}", "text": text, "metadata": {"i": i}} for i, text in enumerate(TEXTS)])
    return memory


@pytest.fixture
def retriever(memory: HybridMemory) -> HybridMemoryRetriever:
    return HybridMemoryRetriever(memory=memory, k=1, legs=("sparse",))


class Recorder(BaseCallbackHandler):
    """Keeps what the retriever and the model report."""

    def __init__(self) -> None:
        self.events: list[tuple[str, Any]] = []
        self.metadata: dict[str, Any] = {}
        self.tags: list[str] = []
        self.prompts: list[str] = []

    def on_retriever_start(
        self,
        serialized: dict[str, Any],
        query: str,
        *,
        tags: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        **kwargs: object,
    ) -> None:
        self.events.append(("start", query))
        self.tags = tags or []
        self.metadata = metadata or {}

    def on_retriever_end(self, documents: Sequence[Document], *, run_id: UUID, **kwargs: object) -> None:
        self.events.append(("end", [document.id for document in documents]))

    def on_retriever_error(self, error: BaseException, *, run_id: UUID, **kwargs: object) -> None:
        self.events.append(("error", type(error)))

    def on_chat_model_start(
        self, serialized: dict[str, Any], messages: list[list[BaseMessage]], *, run_id: UUID, **kwargs: object
    ) -> None:
        self.prompts += [str(message.content) for message in messages[0]]


class KeepAll(BaseDocumentCompressor):
    """A compressor that compresses nothing."""

    def compress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Callbacks = None
    ) -> list[Document]:
        return list(documents)


def texts_of(documents: list[Document]) -> str:
    return " | ".join(document.page_content for document in documents)


async def test_an_lcel_chain_puts_the_documents_before_the_model(retriever: HybridMemoryRetriever) -> None:
    prompt = ChatPromptTemplate.from_template("{context} ? {question}")
    model = FakeListChatModel(responses=["42"])
    chain = (
        {"context": retriever | RunnableLambda(texts_of), "question": RunnablePassthrough()}
        | prompt
        | model
        | StrOutputParser()
    )
    recorder = Recorder()
    assert chain.invoke("disk", {"callbacks": [recorder]}) == "42"
    assert await chain.ainvoke("server", {"callbacks": [recorder]}) == "42"
    assert recorder.prompts == ["the disk is full ? disk", "the build server is down ? server"]


async def test_create_retrieval_chain(retriever: HybridMemoryRetriever) -> None:
    prompt = ChatPromptTemplate.from_template("{context} ? {input}")
    chain = create_retrieval_chain(retriever, create_stuff_documents_chain(FakeListChatModel(responses=["42"]), prompt))
    assert chain.invoke({"input": "disk"})["answer"] == "42"
    answered = await chain.ainvoke({"input": "disk"})
    assert [document.id for document in answered["context"]] == ["m0"]


async def test_options_pass_through_a_wrapping_retriever(memory: HybridMemory) -> None:
    wrapped = ContextualCompressionRetriever(
        base_compressor=KeepAll(), base_retriever=HybridMemoryRetriever.from_memory(memory)
    )
    options: dict[str, Any] = {"k": 2, "filter": {"i": {"$gte": 1}}}
    found = wrapped.invoke("disk", **options)
    assert sorted(str(document.id) for document in found) == ["m1", "m2"]
    assert await wrapped.ainvoke("disk", **options) == found
    assert len(wrapped.invoke("disk", k=1)) == 1


def test_bound_options_hold_in_a_chain(memory: HybridMemory) -> None:
    chain = RunnableLambda(str) | HybridMemoryRetriever.from_memory(memory).bind(k=1, filter={"i": 2})
    assert [document.id for document in chain.invoke("disk")] == ["m2"]


def test_configurable_fields_share_the_memory(memory: HybridMemory) -> None:
    retriever = HybridMemoryRetriever.from_memory(memory)
    configurable = retriever.configurable_fields(k=ConfigurableField(id="k"), filter=ConfigurableField(id="where"))
    configured, _ = configurable.with_config(configurable={"k": 2, "where": {"i": [0, 1]}}).prepare()  # type: ignore[attr-defined]
    assert configured.memory is memory
    assert (configured.k, configured.filter) == (2, {"i": [0, 1]})
    found = configurable.invoke("disk", {"configurable": {"k": 2, "where": {"i": [0, 1]}}})
    assert sorted(str(document.id) for document in found) == ["m0", "m1"]
    assert len(configurable.invoke("disk")) == 3


async def test_runs_are_reported(retriever: HybridMemoryRetriever) -> None:
    recorder = Recorder()
    config: Any = {"callbacks": [recorder], "tags": ["outer"], "metadata": {"thread": "t1"}}
    retriever.tags = ["inner"]
    retriever.invoke("disk", config)
    await retriever.ainvoke("zebra", config)
    with pytest.raises(InvalidInputError):
        retriever.invoke("disk", config, filter={"i": {"$near": 1}})
    assert recorder.events == [
        ("start", "disk"),
        ("end", ["m0"]),
        ("start", "zebra"),
        ("end", []),
        ("start", "disk"),
        ("error", recorder.events[-1][1]),
    ]
    assert issubclass(recorder.events[-1][1], InvalidInputError)
    assert sorted(recorder.tags) == ["inner", "outer"]
    assert recorder.metadata["thread"] == "t1"


class NamedModelEmbedding(DeterministicFakeEmbedding):
    model: str = "fake-e5"


@pytest.mark.parametrize(
    ("embedder", "expected"),
    [
        (None, {"ls_retriever_name": "hybridmemory", "ls_vector_store_provider": "HybridMemory"}),
        (
            NamedModelEmbedding(size=8),
            {
                "ls_retriever_name": "hybridmemory",
                "ls_vector_store_provider": "HybridMemory",
                "ls_embedding_provider": "NamedModelEmbedding",
                "ls_embedding_model": "fake-e5",
            },
        ),
    ],
)
def test_tracing_names_retriever_and_embeddings(embedder: Embeddings | None, expected: dict[str, str]) -> None:
    recorder = Recorder()
    HybridMemoryRetriever.from_texts(["the disk is full"], embedder).invoke("disk", {"callbacks": [recorder]})
    assert recorder.metadata == expected


def test_the_memory_stays_out_of_dumps_and_repr(retriever: HybridMemoryRetriever) -> None:
    assert "memory" not in retriever.model_dump()
    assert "memory=" not in repr(retriever)
    assert "memory=" not in dumps(retriever)
