"""Searching: filters first, certainty, reranking, failing legs, and the same answer by every road."""

import asyncio
from collections.abc import Sequence
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybrid_agent_memory import (
    Config,
    EmbedderError,
    HybridMemory,
    InvalidInputError,
    Leg,
    LegQuery,
    LegUnavailableError,
    RerankerError,
    Response,
)
from hybrid_agent_memory.embedding import PROBES
from hybrid_agent_memory.engines.local.engine import LocalEngine
from hybrid_agent_memory.protocols import Reranker
from hybrid_agent_memory.testing import HashEmbedder
from hybrid_agent_memory.text import tokenize

WORDS = ["red", "green", "blue", "apple", "pear", "pie", "tree", "house", "ERR_0x9941", "river"]


def filled(memory: HybridMemory, size: int = 250) -> HybridMemory:
    """Records of two or three words, made by arithmetic; more than the usual 200 candidates."""
    memory.add(
        [
            {
                "id": f"r{at * 7919 % 1000:03}",
                "text": " ".join(WORDS[at * step % 10] for step in (1, 3, 7)[: 2 + at % 2]),
                "metadata": {"at": at, "even": at % 2 == 0, "group": f"g{at % 5}"},
            }
            for at in range(size)
        ]
    )
    return memory


@pytest.fixture(scope="module")
def memory() -> HybridMemory:
    """Read only."""
    return filled(HybridMemory.in_memory(embedder=HashEmbedder(16)))


def ids(response: Response) -> list[str]:
    return [hit.id for hit in response]


def with_legs(*legs: Leg, embedder: HashEmbedder | None = None) -> HybridMemory:
    return HybridMemory(LocalEngine(None, tokenize, Config(), "full"), embedder=embedder, legs=legs)


class OutsideLeg:
    """A leg that gives what it is told to, and notes what it was asked."""

    def __init__(self, found: object, name: str = "outside") -> None:
        self.name, self._found = name, found
        self.asked: list[LegQuery] = []

    def search(self, query: LegQuery) -> list[tuple[str, float]]:
        self.asked.append(query)
        if isinstance(self._found, Exception):
            raise self._found
        return cast(list[tuple[str, float]], self._found)


# -- how many, in which order ---------------------------------------------------------------------------------------

QUERIES = st.lists(st.sampled_from([*WORDS, "unheard"]), min_size=1, max_size=4).map(" ".join)
FILTERS: st.SearchStrategy[dict[str, Any]] = st.sampled_from(
    [{}, {"even": True}, {"group": ["g1", "g2"]}, {"at": {"$lt": 30}}, {"at": {"$lt": 3}}, {"at": {"$gt": 999}}]
)
OPTIONS: st.SearchStrategy[dict[str, Any]] = st.sampled_from(
    [{}, {"fusion": "rrf"}, {"weights": {"sparse": 0.4, "dense": 0.6}}, {"rrf_k": 5}, {"legs": ("dense",)}]
)


@given(QUERIES, FILTERS, OPTIONS, st.integers(1, 99))
def test_more_hits_begin_with_fewer(
    memory: HybridMemory, query: str, condition: dict[str, Any], options: dict[str, Any], k: int
) -> None:
    fewer = memory.search(query, filter=condition, top_k=k, **options)
    more = memory.search(query, filter=condition, top_k=k + 1, **options)
    assert more.hits[:k] == fewer.hits


@given(QUERIES, FILTERS, OPTIONS, st.integers(1, 120))
def test_a_dense_leg_fills_the_response_with_what_passes(
    memory: HybridMemory, query: str, condition: dict[str, Any], options: dict[str, Any], k: int
) -> None:
    response = memory.search(query, filter=condition, top_k=k, **options)
    assert len(response) == min(k, memory.count(condition))
    assert len(set(ids(response))) == len(response)
    assert all(memory.count({"$and": [{"@id": hit.id}, condition]}) == 1 for hit in response.hits[:5])


@given(QUERIES, OPTIONS)
def test_the_order_is_total_and_a_filter_that_all_pass_changes_nothing(
    memory: HybridMemory, query: str, options: dict[str, Any]
) -> None:
    response = memory.search(query, top_k=100, **options)
    assert list(response) == sorted(response, key=lambda hit: (-hit.score, hit.id))
    assert memory.search(query, top_k=100, filter={"at": {"$gte": 0}}, **options) == response


def test_beyond_a_hundred_hits_there_are_twice_as_many_candidates() -> None:
    leg = OutsideLeg([])
    memory = with_legs(leg)
    memory.add("red")
    for top_k, candidates in ((5, None), (100, None), (101, None), (150, None), (5, 7), (9, 7)):
        memory.search("red", top_k=top_k, candidates=candidates)
    assert [asked.limit for asked in leg.asked] == [200, 200, 202, 300, 7, 9]


@given(QUERIES, FILTERS)
def test_confidence_filters_without_reordering(memory: HybridMemory, query: str, condition: dict[str, Any]) -> None:
    everything = memory.search(query, filter=condition, top_k=250)
    for least in (0.0, 0.3, 0.6, 1.0):
        sure = memory.search(query, filter=condition, top_k=250, min_confidence=least)
        assert sure.hits == tuple(hit for hit in everything if hit.confidence >= least)


def test_a_memory_may_have_nothing_to_say(memory: HybridMemory) -> None:
    assert len(memory.search("unheard of", top_k=5)) == 5
    assert ids(memory.search("unheard of", min_confidence=0.9)) == []


def test_confidence_looks_past_the_first_hits_for_the_certain_ones(memory: HybridMemory) -> None:
    legs = ("dense",)
    everything = memory.search("red apple", legs=legs, top_k=200)
    least = sorted((hit.confidence for hit in everything), reverse=True)[4]
    expected = [hit.id for hit in everything if hit.confidence >= least][:3]
    assert ids(memory.search("red apple", legs=legs, top_k=3, min_confidence=least)) == expected


def test_confidence_compares_across_queries(memory: HybridMemory) -> None:
    exact, vague = memory.search("ERR_0x9941 river")[0], memory.search("ERR_0x9941 unheard of anywhere")[0]
    assert exact.confidence > vague.confidence > memory.search("unheard of anywhere")[0].confidence


# -- sync, async, vectors -------------------------------------------------------------------------------------------


@given(QUERIES, FILTERS, OPTIONS)
def test_awaiting_a_search_gives_the_same(
    memory: HybridMemory, query: str, condition: dict[str, Any], options: dict[str, Any]
) -> None:
    async def search() -> Response:
        return await memory.asearch(query, filter=condition, **options)

    assert asyncio.run(search()) == memory.search(query, filter=condition, **options)


@given(QUERIES)
def test_a_query_vector_stands_in_for_the_embedder(memory: HybridMemory, query: str) -> None:
    vector = HashEmbedder(16).embed_query(query)
    assert memory.search(query, vector=vector) == memory.search(query)
    assert memory.search(query, vector=[3 * number for number in vector]).hits == memory.search(query).hits


def test_a_memory_with_vectors_can_be_searched_without_an_embedder_by_vector_only(tmp_path: Any) -> None:  # noqa: ANN401
    with HybridMemory.open(tmp_path / "a.db", embedder=HashEmbedder(16)) as memory:
        filled(memory, 20)
        expected = memory.search("red apple")
    with HybridMemory.open(tmp_path / "a.db") as memory:
        assert memory.search("red apple", vector=HashEmbedder(16).embed_query("red apple")) == expected
        bare = memory.search("red apple")
        assert (bare.legs, bare.failures) == (("sparse",), {})


# -- failures -------------------------------------------------------------------------------------------------------


class Moody(HashEmbedder):
    """Embeds documents always, and queries only while it is well."""

    def __init__(self, error: Exception) -> None:
        super().__init__(16)
        self.error: Exception | None = None
        self._later = error

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [super(Moody, self).embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        if self.error is not None:
            raise self.error
        return super().embed_query(text)

    def fall_ill(self) -> None:
        self.error = self._later


async def awaited(memory: HybridMemory, query: str, **options: Any) -> Response:  # noqa: ANN401
    return await memory.asearch(query, **options)


def run(how: str, memory: HybridMemory, query: str, **options: Any) -> Response:  # noqa: ANN401
    return memory.search(query, **options) if how == "sync" else asyncio.run(awaited(memory, query, **options))


HOW = pytest.mark.parametrize("how", ["sync", "async"])


@HOW
def test_a_failing_embedder_leaves_the_words_and_is_named(how: str) -> None:
    embedder = Moody(ConnectionError("no route to the model"))
    memory = filled(HybridMemory.in_memory(embedder=embedder), 30)
    words_only = memory.search("red apple", legs=("sparse",))
    embedder.fall_ill()
    response = run(how, memory, "red apple")
    assert response.failures == {"dense": "ConnectionError: no route to the model"}
    assert response.legs == ("sparse",)
    assert response.hits == words_only.hits
    with pytest.raises(ConnectionError) as caught:
        run(how, memory, "red apple", on_error="raise")
    assert caught.value is embedder.error
    only_dense = run(how, memory, "red apple", legs=("dense",))
    assert (ids(only_dense), only_dense.legs, list(only_dense.failures)) == ([], (), ["dense"])


@HOW
@pytest.mark.parametrize("vector", [[1.0], [], [float("nan")] * 16, None, "north", [[1.0] * 16]])
def test_a_query_vector_that_is_none_counts_as_a_failure(how: str, vector: Any) -> None:  # noqa: ANN401
    class Odd(HashEmbedder):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [super(Odd, self).embed_query(text) for text in texts]

        def embed_query(self, text: str) -> list[float]:
            odd: list[float] = vector
            return odd

    memory = filled(HybridMemory.in_memory(embedder=Odd(16)), 10)
    response = run(how, memory, "red")
    assert response.failures["dense"].startswith("EmbedderError: ")
    assert response.hits == memory.search("red", legs=("sparse",)).hits
    with pytest.raises(EmbedderError):
        run(how, memory, "red", on_error="raise")


@HOW
def test_an_embedder_that_fails_from_the_start_fails_like_a_leg(how: str, tmp_path: Any) -> None:  # noqa: ANN401
    class Down(HashEmbedder):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            raise OSError("down")

    with HybridMemory.open(tmp_path / "a.db", embedder=HashEmbedder(16)) as memory:
        filled(memory, 10)
    with HybridMemory.open(tmp_path / "a.db", embedder=Down(16)) as memory:
        assert run(how, memory, "red").failures == {"dense": "OSError: down"}
        assert ids(run(how, memory, "red")) == ids(memory.search("red", legs=("sparse",)))
        with pytest.raises(OSError, match="down"):
            run(how, memory, "red", on_error="raise")


@HOW
def test_a_leg_from_outside_is_fused_like_the_others(how: str) -> None:
    leg = OutsideLeg([("r001", 0.9), ("r000", 0.4)])
    memory = with_legs(leg)
    memory.add([{"id": f"r00{at}", "text": text} for at, text in enumerate(["red", "green", "red red"])])
    response = run(how, memory, "red", fusion="rrf")
    assert response.legs == ("sparse", "outside")
    assert [(hit.id, hit.rrf_score) for hit in response] == [
        ("r000", 1 / 62 + 1 / 62),
        ("r001", 1 / 61),
        ("r002", 1 / 61),
    ]
    assert [(asked.namespace, asked.text, asked.filter) for asked in leg.asked] == [("default", "red", None)]


@HOW
def test_what_a_leg_from_outside_must_not_give_is_dropped(how: str) -> None:
    found = [("gone", 9.0), ("a", 8.0), ("\ud800", 7.5), ("secret", 7.0), ("b", 6.0), ("a", 5.0)]
    memory = with_legs(OutsideLeg(found))
    memory.add([{"id": name, "text": "x", "metadata": {"open": name != "secret"}} for name in ("a", "b", "secret")])
    memory.namespace("other").add({"id": "gone", "text": "theirs"})
    response = run(how, memory, "?", legs=("outside",), filter={"open": True}, fusion="rrf")
    assert [(hit.id, hit.rrf_score, hit.why.legs["outside"].raw_score) for hit in response] == [
        ("a", 1 / 61, 8.0),
        ("b", 1 / 62, 6.0),
    ]


@HOW
@pytest.mark.parametrize(
    "found",
    [KeyError("index"), None, 7, ["a"], [("a",)], [("a", "high")], [("a", float("nan"))], [(1, 2.0)], [("a", 1.0, 2)]],
    ids=repr,
)
def test_a_failing_leg_leaves_the_others_and_is_named(how: str, found: Any) -> None:  # noqa: ANN401
    memory = with_legs(OutsideLeg(found), OutsideLeg([("a", 1.0)], "fine"))
    memory.add({"id": "a", "text": "red"})
    response = run(how, memory, "red")
    assert response.legs == ("sparse", "fine")
    assert list(response.failures) == ["outside"]
    assert [(hit.id, hit.score) for hit in response] == [("a", 1.0)]
    with pytest.raises(Exception) as caught:  # noqa: PT011  # whatever the leg raised
        run(how, memory, "red", on_error="raise")
    assert caught.value is found if isinstance(found, Exception) else caught.type in (LegUnavailableError, TypeError)


def test_a_leg_that_was_named_and_is_not_there_is_a_failure() -> None:
    memory = filled(HybridMemory.in_memory(), 10)
    assert memory.search("red").failures == {}
    for options in ({"legs": ("sparse", "dense")}, {"weights": {"sparse": 1, "dense": 1}}):
        response = memory.search("red", **options)
        assert response.failures["dense"].startswith("LegUnavailableError: no dense leg")
        assert response.legs == ("sparse",)
        with pytest.raises(LegUnavailableError, match="embedder"):
            memory.search("red", **options, on_error="raise")


@pytest.mark.parametrize("names", [("dense",), ("sparse",), ("mine", "mine")])
def test_legs_need_names_of_their_own(names: tuple[str, ...]) -> None:
    with pytest.raises(InvalidInputError, match=names[0]):
        with_legs(*(OutsideLeg([], name) for name in names))


def test_no_log_line_and_no_failure_tells_what_a_record_or_a_query_says(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("DEBUG"):
        memory = with_legs(OutsideLeg(KeyError("index")))
        memory.namespace("theirs").add({"id": "s1", "text": "their secret", "metadata": {"pin": "1234"}})
        memory.add({"id": "a", "text": "red"})
        response = memory.search("my secret question", filter={"pin": {"$ne": "1234"}})
    assert "outside" in caplog.text
    told = caplog.text + repr(response.failures)
    assert [word for word in ("secret", "s1", "1234", "question", "theirs") if word in told] == []


# -- reranking ------------------------------------------------------------------------------------------------------


def shortest_first(query: str, texts: list[str]) -> list[float]:
    return [-float(len(text)) for text in texts]


def reranking(reranker: Reranker) -> HybridMemory:
    return filled(HybridMemory.in_memory(embedder=HashEmbedder(16), reranker=reranker), 60)


@HOW
def test_a_reranker_orders_the_hits_and_scores_still_fall(how: str) -> None:
    memory = reranking(shortest_first)
    plain = memory.search("red apple", rerank=False, top_k=60)
    response = run(how, memory, "red apple", top_k=60)
    first, rest = plain.hits[:50], plain.hits[50:]
    assert ids(response) == [hit.id for hit in sorted(first, key=lambda hit: (len(hit.text), hit.id))] + [
        hit.id for hit in rest
    ]
    assert [hit.score for hit in response] == [hit.score for hit in plain]
    assert [hit.why.rerank_score for hit in response] == [-len(hit.text) for hit in response.hits[:50]] + [None] * 10
    assert {hit.id: hit.rrf_score for hit in response} == {hit.id: hit.rrf_score for hit in plain}


def test_a_reranker_sees_as_many_hits_as_are_asked_for() -> None:
    seen: list[list[str]] = []

    def note(query: str, texts: list[str]) -> Sequence[float]:
        seen.append(texts)
        return [0.0] * len(texts)

    memory = reranking(note)
    for rerank in (None, True, 3, False):
        memory.search("red apple", rerank=rerank, top_k=2)
    memory.search("red apple", rerank=3, top_k=7, filter={"at": {"$lt": 2}})
    memory.search("red apple", filter={"at": {"$lt": 0}})
    assert [len(texts) for texts in seen] == [50, 50, 3, 2]


def test_more_reranked_hits_begin_with_fewer() -> None:
    memory = reranking(shortest_first)
    everything = memory.search("red apple", top_k=100)
    for k in (1, 5, 49, 50, 51, 59):
        assert memory.search("red apple", top_k=k).hits == everything.hits[:k]


@HOW
@pytest.mark.parametrize(
    ("given", "error"),
    [
        (lambda query, texts: [1.0], RerankerError),
        (lambda query, texts: [1.0] * len(texts) + [1.0], RerankerError),
        (lambda query, texts: [float("nan")] * len(texts), RerankerError),
        (lambda query, texts: None, TypeError),
        (lambda query, texts: ["high"] * len(texts), ValueError),
        (lambda query, texts: {"small": 1}["large"], KeyError),
    ],
)
def test_a_failing_reranker_leaves_the_fused_order_and_is_named(
    how: str, given: Reranker, error: type[Exception]
) -> None:
    memory = reranking(given)
    response = run(how, memory, "red apple")
    assert response.hits == memory.search("red apple", rerank=False).hits
    assert list(response.failures) == ["reranker"]
    assert response.failures["reranker"].startswith(error.__name__)
    with pytest.raises(error):
        run(how, memory, "red apple", on_error="raise")


def test_the_probes_are_embedded_once_and_never_stored() -> None:
    calls: list[list[str]] = []

    class Noting(HashEmbedder):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            calls.append(texts)
            return super().embed_documents(texts)

    memory = HybridMemory.in_memory(embedder=Noting(16))
    memory.add("red")
    memory.search("red")
    memory.namespace("other").add("green")
    assert calls == [PROBES, ["red"], ["green"]]
    assert memory.count() == 1
