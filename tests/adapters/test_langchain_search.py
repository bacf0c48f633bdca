"""The LangChain retriever adds, drops, reorders and rescales nothing; per-call options mean the same everywhere."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from pydantic import ValidationError

from hybrid_agent_memory import FilterError, HybridMemory, InvalidInputError
from langchain_hybrid_memory import HybridMemoryRetriever

NOTES: list[dict[str, Any]] = [
    {"id": "a", "text": "ERR_0x9941 on the build server", "metadata": {"env": "prod", "team": "ci", "level": 3}},
    {"id": "b", "text": "the build server is slow", "metadata": {"env": "prod", "team": "ci", "level": 1}},
    {"id": "c", "text": "ERR_0x9941 seen on a laptop", "metadata": {"env": "dev", "team": "web", "level": 2}},
    {"id": "d", "text": "lunch is at noon", "metadata": {"env": "dev", "team": "ci"}},
    {"id": "e", "text": "the server room is cold", "metadata": {"env": "prod", "team": "web", "level": 2}},
    {"id": "f", "text": "订单ORD-20241105的状态", "metadata": {"env": "test", "team": "shop", "level": 5}},
]
QUERIES = ["ERR_0x9941", "build server", "what is for lunch?", "订单的状态", "zebra", "", "   "]
FILTERS: list[dict[str, Any] | None] = [
    None,
    {},
    {"env": "prod"},
    {"env": ["prod", "dev"]},
    {"level": {"$gte": 2}},
    {"env": {"$ne": "prod"}},
    {"env": {"$neq": "prod"}},
    {"env": "nowhere"},
    {"$and": [{"env": "prod"}, {"team": "web"}]},
]
SEARCHES: list[dict[str, Any]] = [
    {},
    {"fusion": "rrf"},
    {"weights": {"sparse": 0.4, "dense": 0.6}},
    {"weights": {"sparse": 1.0}, "rrf_k": 10},
    {"legs": ("sparse",)},
    {"legs": ("dense",)},
    {"min_confidence": 0.5},
]

Ask = Callable[[HybridMemoryRetriever, Any, dict[str, Any]], Awaitable[list[Document]]]


def noted(embedder: DeterministicFakeEmbedding | None = None) -> HybridMemory:
    memory = HybridMemory.in_memory(embedder=embedder)
    memory.add(NOTES)
    return memory


@pytest.fixture(scope="module")
def memory() -> HybridMemory:
    return noted(DeterministicFakeEmbedding(size=16))


@pytest.fixture
def retriever(memory: HybridMemory) -> HybridMemoryRetriever:
    return HybridMemoryRetriever.from_memory(memory)


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


def ids(documents: list[Document]) -> list[str]:
    return [str(document.id) for document in documents]


def seen(documents: list[Document]) -> list[tuple[str | None, str, float]]:
    return [(one.id, one.page_content, one.metadata["_hybrid"]["score"]) for one in documents]


@given(
    query=st.sampled_from(QUERIES),
    k=st.integers(1, 8),
    filter_=st.sampled_from(FILTERS),
    options=st.sampled_from(SEARCHES),
)
def test_documents_are_the_memorys_hits(
    memory: HybridMemory, query: str, k: int, filter_: dict[str, Any] | None, options: dict[str, Any]
) -> None:
    expected = [(hit.id, hit.text, hit.score) for hit in memory.search(query, top_k=k, filter=filter_, **options)]
    constructed = HybridMemoryRetriever(memory=memory, k=k, filter=filter_, with_scores=True, **options)
    per_call = HybridMemoryRetriever(memory=memory, k=3).invoke(query, k=k, filter=filter_, with_scores=True, **options)
    assert seen(constructed.invoke(query)) == expected
    assert seen(per_call) == expected


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("options", SEARCHES)
async def test_every_way_to_ask_gives_the_memorys_hits(
    ask: Ask, memory: HybridMemory, retriever: HybridMemoryRetriever, query: str, options: dict[str, Any]
) -> None:
    asked = {"k": 2, "filter": {"env": ["prod", "dev"]}, **options}
    expected = memory.search(query, top_k=2, filter={"env": ["prod", "dev"]}, **options)
    found = await ask(retriever, query, asked | {"with_scores": True, "verbose": True})
    assert seen(found) == [(hit.id, hit.text, hit.score) for hit in expected]


def test_k_larger_than_the_memory_gives_everything_the_dense_leg_ranks(retriever: HybridMemoryRetriever) -> None:
    assert sorted(ids(retriever.invoke("server", k=100))) == ["a", "b", "c", "d", "e", "f"]


def test_a_memory_without_embedder_gives_matches_only() -> None:
    retriever = HybridMemoryRetriever.from_memory(noted())
    assert sorted(ids(retriever.invoke("ERR_0x9941"))) == ["a", "c"]
    assert retriever.invoke("zebra") == []


async def test_a_per_call_filter_narrows_the_retrievers(ask: Ask, memory: HybridMemory) -> None:
    production = HybridMemoryRetriever(memory=memory, k=10, filter={"env": "prod"})
    assert sorted(ids(await ask(production, "server", {"filter": {"team": "ci"}}))) == ["a", "b"]
    assert await ask(production, "server", {"filter": {"env": "dev"}}) == []
    assert sorted(ids(await ask(production, "server", {"filter": {}}))) == ["a", "b", "e"]
    assert sorted(ids(await ask(production, "server", {"filter": None}))) == ["a", "b", "e"]


async def test_none_per_call_means_the_retrievers_own(ask: Ask, memory: HybridMemory) -> None:
    own = HybridMemoryRetriever(memory=memory, k=2, weights={"sparse": 1.0}, rrf_k=5, with_scores=True)
    nothing = dict.fromkeys(("k", "filter", "weights", "fusion", "rrf_k", "legs", "min_confidence", "with_scores"))
    found = await ask(own, "build server", nothing)
    assert seen(found) == [("b", "the build server is slow", 1.0), ("a", "ERR_0x9941 on the build server", 6 / 7)]


@pytest.mark.parametrize(
    ("own", "asked", "effective"),
    [
        ({"weights": {"sparse": 1.0}, "rrf_k": 5}, {"fusion": "auto"}, {"fusion": "auto", "rrf_k": 5}),
        ({"fusion": "auto", "rrf_k": 5}, {"weights": {"dense": 1.0}}, {"weights": {"dense": 1.0}, "rrf_k": 5}),
        ({"fusion": "auto"}, {"rrf_k": 5}, {"fusion": "auto", "rrf_k": 5}),
        ({"weights": {"sparse": 1.0}}, {"weights": {"dense": 1.0}}, {"weights": {"dense": 1.0}}),
        ({"weights": {"sparse": 1.0}}, {"fusion": "rrf"}, {"fusion": "rrf", "weights": {"sparse": 1.0}}),
    ],
)
def test_what_a_call_says_of_the_fusion_wins(
    memory: HybridMemory, own: dict[str, Any], asked: dict[str, Any], effective: dict[str, Any]
) -> None:
    expected = memory.search("build server", top_k=4, **effective)
    found = HybridMemoryRetriever(memory=memory, with_scores=True, **own).invoke("build server", **asked)
    assert seen(found) == [(hit.id, hit.text, hit.score) for hit in expected]
    assert [one.metadata["_hybrid"]["rrf_score"] for one in found] == [hit.rrf_score for hit in expected]


def test_auto_and_weights_in_one_call_are_the_memorys_error(retriever: HybridMemoryRetriever) -> None:
    with pytest.raises(InvalidInputError, match="auto"):
        retriever.invoke("server", fusion="auto", weights={"sparse": 1.0})


async def test_a_misspelt_keyword_is_an_error(ask: Ask, retriever: HybridMemoryRetriever) -> None:
    with pytest.raises(TypeError, match="top_k"):
        await ask(retriever, "server", {"top_k": 2})


@pytest.mark.parametrize("query", [None, 123, {"question": "server"}, ["server"]])
async def test_a_query_must_be_a_string(ask: Ask, retriever: HybridMemoryRetriever, query: object) -> None:
    with pytest.raises(InvalidInputError, match="not a string"):
        await ask(retriever, query, {})


async def test_errors_of_the_memory_reach_the_caller(ask: Ask, retriever: HybridMemoryRetriever) -> None:
    with pytest.raises(FilterError, match=r"\$near"):
        await ask(retriever, "server", {"filter": {"env": {"$near": "prod"}}})
    with pytest.raises(InvalidInputError):
        await ask(retriever, "server", {"k": 0})


@pytest.mark.parametrize(
    "fields",
    [
        {"k": 0},
        {"topk": 3},
        {"filters": {"env": "prod"}},
        {"fusion": "rrrf"},
        {"legs": "sparse"},
        {"min_confidence": 1.5},
        {"filter": "env == prod"},
        {"filter": {"env": {"$near": "prod"}}},
        {"weights": {"sparse": -1}},
        {"weights": {}},
        {"rrf_k": -1},
        {"fusion": "auto", "weights": {"sparse": 1.0}},
        {"kinds": ("entity",)},
        {"kinds": ()},
        {"as_of": "last week"},
        {"now": True},
        {"known_at": float("nan")},
        {"max_depth": 4},
        {"time_decay": 1.5},
        {"decay_floor": -0.1},
        {"authority_weight": -1.0},
    ],
)
def test_wrong_fields_are_refused_when_the_retriever_is_made(memory: HybridMemory, fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match=next(iter(fields))):
        HybridMemoryRetriever(memory=memory, **fields)


def test_wrong_fields_are_refused_when_assigned(retriever: HybridMemoryRetriever) -> None:
    with pytest.raises(ValidationError):
        retriever.k = 0
    assert retriever.k == 4


@pytest.mark.parametrize(
    ("own", "assigned"),
    [
        ({"fusion": "auto"}, {"weights": {"sparse": 1.0}}),
        ({"weights": {"sparse": 1.0}}, {"fusion": "auto"}),
        ({"rrf_k": 5.0}, {"rrf_k": -1.0}),
    ],
)
def test_a_refused_assignment_leaves_the_retriever_as_it_was(
    memory: HybridMemory, own: dict[str, Any], assigned: dict[str, Any]
) -> None:
    retriever = HybridMemoryRetriever(memory=memory, **own)
    before = retriever.model_dump()
    [(name, value)] = assigned.items()
    with pytest.raises(ValidationError, match=name):
        setattr(retriever, name, value)
    assert retriever.model_dump() == before
    assert len(retriever.invoke("server", k=2)) == 2


def test_memory_must_be_a_memory() -> None:
    with pytest.raises(ValidationError, match="HybridMemory"):
        HybridMemoryRetriever(memory="agent.db")  # type: ignore[arg-type]


def test_the_filter_given_is_neither_changed_nor_followed(memory: HybridMemory) -> None:
    given: dict[str, Any] = {"env": {"$in": ["prod"]}}
    retriever = HybridMemoryRetriever(memory=memory, k=10, filter=given)
    given["env"]["$in"].append("dev")
    assert sorted(ids(retriever.invoke("server"))) == ["a", "b", "e"]


def test_scores_are_opt_in_and_say_why(memory: HybridMemory, retriever: HybridMemoryRetriever) -> None:
    hit = memory.search("ERR_0x9941", top_k=1)[0]
    (plain,) = retriever.invoke("ERR_0x9941", k=1)
    (scored,) = retriever.invoke("ERR_0x9941", k=1, with_scores=True)
    assert plain.metadata == hit.metadata
    assert scored.metadata == {
        **hit.metadata,
        "_hybrid": {
            "kind": "chunk",
            "episode_id": hit.id,
            "score": hit.score,
            "rrf_score": hit.rrf_score,
            "confidence": hit.confidence,
            "legs": {
                leg: {"rank": why.rank, "raw_score": why.raw_score, "contribution": why.contribution}
                for leg, why in hit.why.legs.items()
            },
            "trust": hit.why.trust,
            "reason": hit.why.reason,
            "rerank_score": None,
            "decay": 1.0,
            "authority": 1.0,
            "path": None,
            "facts": [],
            "superseded_by": None,
        },
    }


def test_threads_of_a_batch_agree_with_one_thread(retriever: HybridMemoryRetriever) -> None:
    queries = QUERIES * 12
    assert retriever.batch(queries, {"max_concurrency": 8}) == [retriever.invoke(query) for query in queries]


async def test_many_async_queries_at_once_agree_with_one_at_a_time(retriever: HybridMemoryRetriever) -> None:
    queries = QUERIES * 12
    assert await retriever.abatch(queries) == [retriever.invoke(query) for query in queries]


def test_a_closed_memory_says_so() -> None:
    memory = noted()
    retriever = HybridMemoryRetriever.from_memory(memory)
    memory.close()
    with pytest.raises(Exception, match="closed") as raised:
        retriever.invoke("server")
    assert type(raised.value).__name__ == "ClosedMemoryError"
