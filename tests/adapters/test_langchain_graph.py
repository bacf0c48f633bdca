"""Episodes, facts and paths through the LangChain adapter: it passes the graph on and adds nothing of its own."""

import json
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from langchain_classic.chains import create_retrieval_chain
from langchain_classic.chains.combine_documents import create_stuff_documents_chain
from langchain_classic.retrievers import ContextualCompressionRetriever
from langchain_core.callbacks import Callbacks
from langchain_core.documents import BaseDocumentCompressor, Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.load.serializable import Serializable
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate, PromptTemplate
from langchain_core.runnables import ConfigurableField, RunnableLambda, RunnablePassthrough
from pydantic import Field

from hybrid_agent_memory import Fact, HybridMemory, InvalidInputError
from hybrid_agent_memory.testing import HashEmbedder
from langchain_hybrid_memory import HybridMemoryRetriever, create_memory_tool

NOW = datetime(2024, 12, 1, tzinfo=UTC)
QUESTION = "Where is the employer of the owner of Project Atlas?"
STORY = [
    Document(id="old", page_content="The budget of Project Atlas is 500k.", metadata={"time": "2024-10-14"}),
    Document(id="new", page_content="The budget of Project Atlas is 600k.", metadata={"time": "2024-10-20"}),
    Document(
        id="owner",
        page_content="Ann owns Project Atlas.",
        metadata={"time": "2024-09-01", "session": "s1", "speaker": "Bob", "source": "chat", "env": "prod"},
    ),
    Document(id="work", page_content="Ann works for Acme.", metadata={"time": "2024-01-01"}),
    Document(id="place", page_content="阿特拉斯项目的负责人是张伟。", metadata={"env": "prod"}),
    Document(id="lunch", page_content="lunch is at noon", metadata={"time": "2024-11-05"}),
]
SEARCHES: list[dict[str, Any]] = [
    {},
    {"as_of": "2024-10-15"},
    {"as_of": datetime(2024, 10, 15, tzinfo=UTC), "kinds": ("chunk", "fact")},
    {"known_at": "2024-11-30"},
    {"kinds": ("fact",)},
    {"kinds": ("chunk", "fact"), "max_depth": 1},
    {"max_depth": 3},
    {"weights": {"graph": 1.0}},
    {"weights": {"sparse": 0.2, "dense": 0.3, "graph": 0.5}},
    {"legs": ("graph",), "max_depth": 1},
    {"now": "2030-01-01", "time_decay": 0.5, "decay_floor": 0.1},
    {"now": 1_900_000_000, "decay_floor": 0.0},
    {"authority_weight": 2.0},
]

Ask = Callable[[HybridMemoryRetriever, str, dict[str, Any]], Awaitable[list[Document]]]


def told(embedder: HashEmbedder | None = None) -> HybridMemoryRetriever:
    memory = HybridMemory.in_memory(embedder=embedder, clock=lambda: NOW)
    retriever = HybridMemoryRetriever.from_memory(memory)
    retriever.add_documents(STORY, extract=True)
    return retriever


@pytest.fixture(scope="module")
def retriever() -> HybridMemoryRetriever:
    return told(HashEmbedder(32))


async def by_invoke(retriever: HybridMemoryRetriever, query: str, options: dict[str, Any]) -> list[Document]:
    return retriever.invoke(query, **options)


async def by_ainvoke(retriever: HybridMemoryRetriever, query: str, options: dict[str, Any]) -> list[Document]:
    return await retriever.ainvoke(query, **options)


async def by_batch(retriever: HybridMemoryRetriever, query: str, options: dict[str, Any]) -> list[Document]:
    return retriever.batch(["lunch", query], **options)[1]


async def by_abatch(retriever: HybridMemoryRetriever, query: str, options: dict[str, Any]) -> list[Document]:
    return (await retriever.abatch(["lunch", query], **options))[1]


@pytest.fixture(params=[by_invoke, by_ainvoke, by_batch, by_abatch])
def ask(request: pytest.FixtureRequest) -> Ask:
    asking: Ask = request.param
    return asking


def ids(documents: list[Document]) -> list[str | None]:
    return [document.id for document in documents]


def seen(documents: list[Document]) -> list[tuple[str | None, str, float]]:
    return [(one.id, one.page_content, one.metadata["_hybrid"]["score"]) for one in documents]


def facts(memory: HybridMemory, *subjects: str) -> list[Fact]:
    return [fact for subject in subjects for fact in memory.history(subject)]


# -- searching --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("query", [QUESTION, "budget of Project Atlas", "谁负责阿特拉斯项目？", "lunch", ""])
@pytest.mark.parametrize("options", SEARCHES, ids=str)
def test_documents_are_the_memorys_hits(retriever: HybridMemoryRetriever, query: str, options: dict[str, Any]) -> None:
    expected = [(hit.id, hit.text, hit.score) for hit in retriever.memory.search(query, top_k=4, **options)]
    constructed = HybridMemoryRetriever.from_memory(retriever.memory, with_scores=True, **options)
    assert seen(constructed.invoke(query)) == expected
    assert seen(retriever.invoke(query, with_scores=True, **options)) == expected


@pytest.mark.parametrize("options", SEARCHES, ids=str)
async def test_every_way_to_ask_gives_the_same(
    ask: Ask, retriever: HybridMemoryRetriever, options: dict[str, Any]
) -> None:
    expected = retriever.memory.search(QUESTION, top_k=3, filter={"env": {"$ne": "test"}}, **options)
    asked = {"k": 3, "filter": {"env": {"$ne": "test"}}, "with_scores": True, **options}
    assert seen(await ask(retriever, QUESTION, asked)) == [(hit.id, hit.text, hit.score) for hit in expected]


def test_the_past_is_seen_as_it_was(retriever: HybridMemoryRetriever) -> None:
    asked = "What is the budget of Project Atlas?"
    assert ids(retriever.invoke(asked, k=1, legs=("sparse", "graph"))) == ["new"]
    then = HybridMemoryRetriever.from_memory(retriever.memory, legs=("sparse", "graph"), as_of="2024-10-15")
    assert ids(then.invoke(asked, k=1)) == ["old"]
    assert "new" not in ids(then.invoke(asked, k=10))
    assert ids(then.invoke(asked, k=1, as_of="2024-10-21")) == ["new"]


def test_a_call_says_before_the_retriever_and_none_leaves_it(retriever: HybridMemoryRetriever) -> None:
    own = HybridMemoryRetriever.from_memory(retriever.memory, kinds=("fact",), as_of="2024-10-15", max_depth=1)
    nothing = dict.fromkeys(("kinds", "as_of", "max_depth", "now", "known_at", "time_decay", "decay_floor"))
    assert own.invoke(QUESTION, **nothing) == own.invoke(QUESTION) != retriever.invoke(QUESTION)
    assert own.invoke(QUESTION, kinds=("chunk",), as_of=NOW, max_depth=2, k=4) == retriever.invoke(QUESTION)


def test_times_are_configurable(retriever: HybridMemoryRetriever) -> None:
    configurable = retriever.configurable_fields(as_of=ConfigurableField(id="as_of"))
    found = configurable.invoke("budget of Project Atlas", {"configurable": {"as_of": "2024-10-15"}})
    assert found == retriever.invoke("budget of Project Atlas", as_of="2024-10-15")


def test_facts_come_as_their_sentences(retriever: HybridMemoryRetriever) -> None:
    (found,) = retriever.invoke("Who owns Project Atlas?", k=1, kinds=("fact",), legs=("sparse", "graph"))
    expected = {"time": "2024-09-01", "session": "s1", "speaker": "Bob", "source": "chat", "env": "prod"}
    assert (found.page_content, found.metadata) == ("Ann owns Project Atlas.", expected)


def test_paths_facts_and_successors_are_json_and_opt_in(retriever: HybridMemoryRetriever) -> None:
    plain = retriever.invoke("budget of Project Atlas", k=6, kinds=("chunk", "fact"))
    assert all("_hybrid" not in document.metadata for document in plain)
    scored = retriever.invoke("budget of Project Atlas", k=6, kinds=("chunk", "fact"), with_scores=True)
    for document in scored:
        assert json.loads(json.dumps(document.metadata)) == document.metadata
    why = {(one.metadata["_hybrid"]["kind"], one.id): one.metadata["_hybrid"] for one in scored}
    old, new = why["chunk", "old"], why["chunk", "new"]
    assert (old["superseded_by"], old["episode_id"], new["superseded_by"]) == ("new", "old", None)
    [fact] = old["facts"]
    assert (fact["object"], fact["status"], fact["invalid_at"]) == ("500k", "past", "2024-10-20T00:00:00+00:00")
    assert new["path"]["text"] == "Project Atlas —budget→ 600k (2024-10-20)"
    assert [step["object"] for step in new["path"]["steps"]] == ["600k"]


# -- writing ----------------------------------------------------------------------------------------------------------


async def test_documents_are_the_episodes_of_the_same_fields() -> None:
    by_hand = HybridMemory.in_memory(clock=lambda: NOW)
    for document in STORY:
        fields: dict[str, Any] = {
            name: document.metadata.get(name) for name in ("time", "session", "speaker", "source")
        }
        by_hand.add_episodes(
            [{"text": document.page_content, "id": document.id, "metadata": document.metadata, **fields}]
        )
    blocking, awaited = told(), HybridMemoryRetriever.from_memory(HybridMemory.in_memory(clock=lambda: NOW))
    assert await awaited.aadd_documents(STORY, extract="now") == ids(STORY)
    for retriever in (blocking, awaited):
        assert list(retriever.memory.export()) == list(by_hand.export())
        assert facts(retriever.memory, "Project Atlas", "Ann") == facts(by_hand, "Project Atlas", "Ann")
        assert retriever.memory.stats().facts == 5


async def test_texts_and_constructors_extract_too() -> None:
    texts, metadatas = [one.page_content for one in STORY], [one.metadata for one in STORY]
    made = [
        HybridMemoryRetriever.from_documents(STORY, extract=True),
        HybridMemoryRetriever.from_texts(texts, metadatas=metadatas, ids=ids(STORY), extract=True),
        HybridMemoryRetriever.from_texts([]),
        HybridMemoryRetriever.from_texts([]),
    ]
    made[2].add_texts(texts, metadatas, ids=ids(STORY), extract=True)
    await made[3].aadd_texts(texts, metadatas, ids=ids(STORY), extract=True)
    for retriever in made:
        assert [fact.object for fact in retriever.memory.history("Project Atlas", "budget")] == ["500k", "600k"]
    assert HybridMemoryRetriever.from_documents(STORY).memory.stats().facts == 0


def test_extraction_can_wait() -> None:
    retriever = HybridMemoryRetriever.from_documents(STORY, extract="later")
    assert (retriever.memory.stats().facts, retriever.memory.stats().pending) == (0, len(STORY))
    assert ids(retriever.invoke("lunch")) == ["lunch"]
    retriever.memory.extract_pending()
    assert retriever.memory.stats().facts == 5


def test_a_long_document_comes_back_in_chunks_and_goes_as_a_whole() -> None:
    pages = "\n\n".join(f"Page {page}. " + "The lift is out of order. " * 60 for page in range(4))
    retriever = HybridMemoryRetriever.from_texts([], k=10)
    assert retriever.add_texts([pages + "\n\nAnn owns Project Atlas."], [{"n": 1}], ids=["d"], extract=True) == ["d"]
    found = retriever.invoke("Project Atlas lift", with_scores=True)
    assert len(found) > 1
    assert {document.metadata["_hybrid"]["episode_id"] for document in found} == {"d"}
    assert {document.metadata["n"] for document in found} == {1}
    assert set(retriever.delete(["d"]).ids) == set(ids(found))
    assert retriever.invoke("Project Atlas lift") == []


def test_scores_are_not_stored_with_an_episode() -> None:
    retriever = told()
    (scored,) = retriever.invoke("lunch", k=1, with_scores=True)
    retriever.add_documents([scored], extract=True)
    (record,) = retriever.memory.get(["lunch"])
    assert record is not None
    assert record.metadata == {"time": "2024-11-05"}


@pytest.mark.parametrize("extract", ["soon", 1, None])
async def test_another_extract_is_refused_and_nothing_stored(extract: Any) -> None:  # noqa: ANN401
    retriever = HybridMemoryRetriever.from_texts([])
    with pytest.raises(InvalidInputError, match="extract"):
        retriever.add_documents(STORY, extract=extract)
    with pytest.raises(InvalidInputError, match="extract"):
        await retriever.aadd_documents(STORY, extract=extract)
    assert retriever.memory.count() == 0


def test_nothing_is_stored_when_one_document_cannot_be() -> None:
    retriever = HybridMemoryRetriever.from_texts([])
    with pytest.raises(InvalidInputError, match="blank"):
        retriever.add_documents([*STORY, Document(page_content=" ")], extract=True)
    assert retriever.memory.count() == 0


# -- graph documents --------------------------------------------------------------------------------------------------


class Node(Serializable):
    """As in the GraphDocument of langchain-community."""

    id: str | int
    type: str = "Node"
    properties: dict[str, Any] = Field(default_factory=dict)


class Relationship(Serializable):
    source: Node
    target: Node
    type: str
    properties: dict[str, Any] = Field(default_factory=dict)


class GraphDocument(Serializable):
    nodes: list[Node]
    relationships: list[Relationship]
    source: Document | None = None


def graph_document() -> GraphDocument:
    ann, acme = Node(id="Ann", type="Person"), Node(id="Acme", type="Company")
    advises = Relationship(source=ann, target=acme, type="ADVISES", properties={"since": "2021"})
    source = Document(
        id="g1", page_content="Ann advises Acme. Bob owns Acme.", metadata={"time": "2024-11-05", "env": "prod"}
    )
    return GraphDocument(nodes=[ann, acme], relationships=[advises], source=source)


async def test_graph_documents_go_in_as_they_are() -> None:
    given = graph_document()
    blocking, awaited = HybridMemoryRetriever.from_texts([]), HybridMemoryRetriever.from_texts([])
    assert blocking.add_graph_documents([given]) == await awaited.aadd_graph_documents([given]) == ["g1"]
    assert given == graph_document()
    for retriever in (blocking, awaited):
        [fact] = facts(retriever.memory, "Ann")
        assert (fact.predicate, fact.object, fact.valid_at) == ("advises", "Acme", datetime(2021, 1, 1, tzinfo=UTC))
        assert facts(retriever.memory, "Bob") == []
        (found,) = retriever.invoke(
            "Whom does Ann advise?", filter={"@time": {"$gte": datetime(2024, 11, 5, tzinfo=UTC)}}
        )
        assert found == graph_document().source


def test_their_json_will_do_and_ids_can_be_given() -> None:
    as_json = graph_document().model_dump()
    retriever = HybridMemoryRetriever.from_texts([])
    assert retriever.add_graph_documents([as_json, graph_document()], ids=["a", None]) == ["a", "g1"]
    assert retriever.memory.count() == 2


def test_what_is_no_graph_document_is_refused() -> None:
    retriever = HybridMemoryRetriever.from_texts([])
    with pytest.raises(InvalidInputError, match="page_content"):
        retriever.add_graph_documents([graph_document(), GraphDocument(nodes=[], relationships=[])])
    with pytest.raises(InvalidInputError, match="2 ids for 1 documents"):
        retriever.add_graph_documents([graph_document()], ids=["a", "b"])
    assert retriever.memory.count() == 0


# -- in LangChain -----------------------------------------------------------------------------------------------------


def test_chains_read_texts_and_nothing_of_ours(retriever: HybridMemoryRetriever) -> None:
    scoring = HybridMemoryRetriever.from_memory(retriever.memory, with_scores=True, k=3)
    prompts: list[str] = []

    def answer(prompt: Any) -> str:  # noqa: ANN401
        prompts.append(prompt.to_string())
        return "600k"

    prompt = ChatPromptTemplate.from_template("{context}\n{input}")
    combine = create_stuff_documents_chain(RunnableLambda(answer), prompt)
    result = create_retrieval_chain(scoring, combine).invoke({"input": "What is the budget of Project Atlas?"})
    assert (result["answer"], len(result["context"])) == ("600k", 3)
    assert "The budget of Project Atlas is 600k." in prompts[0]
    assert "_hybrid" not in prompts[0]
    assert "score" not in prompts[0]


async def test_lcel_passes_times_bound_to_a_retriever(retriever: HybridMemoryRetriever) -> None:
    def joined(documents: list[Document]) -> str:
        return "\n".join(document.page_content for document in documents)

    chain = (
        {"context": retriever.bind(as_of="2024-10-15", k=1) | joined, "question": RunnablePassthrough()}
        | ChatPromptTemplate.from_template("{context} {question}")
        | (lambda prompt: prompt.to_string())
    )
    assert "500k" in chain.invoke("What is the budget of Project Atlas?")
    assert await chain.ainvoke("budget of Project Atlas") == chain.invoke("budget of Project Atlas")
    told_by_a_model = retriever | joined | FakeListChatModel(responses=["yes"]) | StrOutputParser()
    assert told_by_a_model.invoke("budget") == "yes"


async def test_the_tool_says_when_along_which_facts_and_what_is_over() -> None:
    tool = create_memory_tool(told(), "recall", "Looks up what happened.")
    asked = {"query": "What is the budget of Project Atlas?", "k": 2}
    assert (
        tool.invoke(asked)
        == await tool.ainvoke(asked)
        == (
            "The budget of Project Atlas is 600k.\n[2024-10-20; Project Atlas —budget→ 600k (2024-10-20)]\n\n"
            "The budget of Project Atlas is 500k.\n[2024-10-14; budget 500k until 2024-10-20]"
        )
    )


def test_the_tool_tells_paths_without_the_chunks_at_their_ends() -> None:
    retriever = HybridMemoryRetriever.from_texts(
        ["Ann owns Project Atlas.", "Ann works for Acme.", "Ann called Bob about lunch."],
        ids=["owner", "work", "lunch"],
        extract=True,
        with_scores=True,
    )
    found = {one.id: one.metadata["_hybrid"]["path"] for one in retriever.invoke("the lunch call")}
    assert found["lunch"]["text"] == "Bob —mentioned in→ lunch"
    assert found["owner"]["text"] == "lunch ←mentioned in— Ann ←owner— Project Atlas"
    tool = create_memory_tool(retriever, "recall", "Looks up what happened.")
    assert set(tool.invoke({"query": "the lunch call"}).split("\n\n")) == {
        "Ann called Bob about lunch.",
        "Ann owns Project Atlas.\n[Ann ←owner— Project Atlas]",
        "Ann works for Acme.\n[Ann —works for→ Acme]",
    }
    called = {one.id: one.metadata["_hybrid"]["path"] for one in retriever.invoke("Who works for Acme?")}
    assert called["lunch"]["text"] == "Acme ←works for— Ann —mentioned in→ lunch"
    assert "Ann called Bob about lunch.\n[Acme ←works for— Ann]" in tool.invoke({"query": "Who works for Acme?"})


def test_the_tool_says_what_is_yet_to_come() -> None:
    retriever = HybridMemoryRetriever.from_memory(HybridMemory.in_memory(clock=lambda: NOW))
    retriever.memory.add_facts(
        [{"subject": "Ann", "predicate": "owner_of", "object": "Lamp", "valid_at": "2025-01-01"}]
    )
    retriever.add_texts(["Ann called."], extract=True)
    tool = create_memory_tool(retriever, "recall", "Looks up what happened.")
    answer = tool.invoke({"query": "What about Ann?"})
    assert "owner of Lamp from 2025-01-01" in answer
    assert answer.split("\n\n")[-1] == "Ann called."


async def test_the_tool_notes_what_a_wrapped_retriever_found(retriever: HybridMemoryRetriever) -> None:
    class All(BaseDocumentCompressor):
        def compress_documents(
            self, documents: Sequence[Document], query: str, callbacks: Callbacks | None = None
        ) -> Sequence[Document]:
            return documents

    wrapped = ContextualCompressionRetriever(base_compressor=All(), base_retriever=retriever)
    asked = {"query": "What is the budget of Project Atlas?", "k": 3}
    expected = create_memory_tool(retriever, "recall", "Looks up what happened.").invoke(asked)
    tool = create_memory_tool(wrapped, "recall", "Looks up what happened.")
    assert tool.invoke(asked) == await tool.ainvoke(asked) == expected
    assert "budget 500k until 2024-10-20" in expected


def test_a_prompt_of_the_callers_is_used_as_it_is() -> None:
    prompt = PromptTemplate.from_template("{page_content}")
    tool = create_memory_tool(told(), "recall", "Looks up what happened.", document_prompt=prompt)
    assert (
        tool.invoke({"query": "What is the budget of Project Atlas?", "k": 1}) == "The budget of Project Atlas is 600k."
    )
