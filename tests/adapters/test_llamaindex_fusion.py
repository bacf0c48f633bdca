"""`HybridFusionRetriever`: a QueryFusionRetriever without its faults, one test a fault."""

import asyncio
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from llama_index.core import MockEmbedding, Settings, VectorStoreIndex
from llama_index.core.llms import CompletionResponse, MockLLM
from llama_index.core.prompts import PromptTemplate
from llama_index.core.retrievers import BaseRetriever, QueryFusionRetriever
from llama_index.core.retrievers.fusion_retriever import FUSION_MODES
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from hybrid_agent_memory.errors import InvalidInputError
from llamaindex_hybrid_memory import HybridFusionRetriever

MODES = [mode.value for mode in FUSION_MODES]
SCORED_MODES = ["simple", "relative_score", "dist_based_score"]


def hit(node_id: str, score: float | None = None, text: str | None = None) -> NodeWithScore:
    return NodeWithScore(node=TextNode(id_=node_id, text=node_id if text is None else text), score=score)


class Fixed(BaseRetriever):
    """Answers every query with the same objects, and keeps what it was asked."""

    def __init__(self, *hits: NodeWithScore) -> None:
        super().__init__()
        self.hits = list(hits)
        self.asked: list[QueryBundle] = []

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        self.asked.append(query_bundle)
        return self.hits


class Native(Fixed):
    """The same, with an async half of its own."""

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        await asyncio.sleep(0)
        return self._retrieve(query_bundle)


class Broken(BaseRetriever):
    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        raise self.error


class Waiting(BaseRetriever):
    """Answers when all of its party have been asked, so only side by side."""

    def __init__(self, party: threading.Barrier) -> None:
        super().__init__()
        self.party = party

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        self.party.wait(timeout=20)
        return [hit("a", 1.0)]


class Writer(MockLLM):
    """Writes the same text whatever it is asked, and counts."""

    written: str = ""
    calls: list[str] = []  # noqa: RUF012  # a pydantic field: copied for every instance

    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:  # noqa: ANN401
        self.calls.append(prompt)
        return CompletionResponse(text=self.written)

    async def acomplete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:  # noqa: ANN401
        self.calls.append(f"async: {prompt}")
        return CompletionResponse(text=self.written)


def writer(*lines: str) -> Writer:
    llm = Writer(max_tokens=None)
    llm.written = "\n".join(lines)
    return llm


def fusion(children: Sequence[BaseRetriever], **options: Any) -> HybridFusionRetriever:  # noqa: ANN401
    return HybridFusionRetriever(list(children), **{"num_queries": 1, "similarity_top_k": 10, **options})


def fused(children: Sequence[BaseRetriever], **options: Any) -> list[tuple[str, float]]:  # noqa: ANN401
    return pairs(fusion(children, **options).retrieve("q"))


def pairs(hits: Sequence[NodeWithScore]) -> list[tuple[str, float]]:
    return [(found.node.node_id, found.get_score(raise_error=True)) for found in hits]


def ids(hits: Sequence[NodeWithScore]) -> list[str]:
    return [found.node.node_id for found in hits]


# The interface


def test_it_is_a_query_fusion_retriever_with_the_same_defaults() -> None:
    ours = HybridFusionRetriever([Fixed()])
    stock = QueryFusionRetriever([Fixed()], llm=MockLLM())
    assert isinstance(ours, QueryFusionRetriever)
    for name in ("mode", "similarity_top_k", "num_queries", "use_async", "query_gen_prompt"):
        assert getattr(ours, name) == getattr(stock, name), name


def test_its_arguments_have_the_stock_names_and_positions() -> None:
    llm, child = writer("x"), Fixed(hit("a", 1.0), hit("b", 0.5), hit("c", 0.25))
    ours = HybridFusionRetriever(
        [child], llm, "{query} in {num_queries}", "simple", 2, 2, False, False, None, None, {}, [1]
    )
    assert ids(ours.retrieve("q")) == ["a", "b"]
    assert llm.calls == ["q in 1"]
    assert [asked.query_str for asked in child.asked] == ["q", "x"]


def test_children_may_come_from_a_generator() -> None:
    children = (Fixed(hit(name, 1.0)) for name in "ab")
    ours = HybridFusionRetriever(children, num_queries=1)  # type: ignore[arg-type]
    assert sorted(ids(ours.retrieve("q"))) == ["a", "b"]


@pytest.mark.parametrize("mode", MODES)
def test_the_enum_and_its_string_are_one_mode(mode: str) -> None:
    children = [Fixed(hit("a", 0.9), hit("b", 0.1)), Fixed(hit("b", 3.0))]
    assert fused(children, mode=FUSION_MODES(mode)) == fused(children, mode=mode)


def test_the_prompt_is_read_and_updated_under_the_stock_key() -> None:
    ours = fusion([Fixed()])
    assert list(ours.get_prompts()) == ["query_gen_prompt"]
    ours.update_prompts({"query_gen_prompt": PromptTemplate("say {query} {num_queries} times")})
    assert ours.query_gen_prompt == "say {query} {num_queries} times"


def test_attributes_may_be_set_later() -> None:
    llm = writer("other")
    ours = fusion([Fixed(hit("a", 0.9), hit("b", 0.1))], llm=llm)
    ours.similarity_top_k, ours.mode, ours.num_queries, ours.use_async = 1, FUSION_MODES.RECIPROCAL_RANK, 2, False
    assert pairs(ours.retrieve("q")) == [("a", 1 / 61 + 1 / 61)]


# Reciprocal rank fusion


def test_ranks_count_from_one() -> None:
    children = [Fixed(hit("a"), hit("b")), Fixed(hit("b"), hit("c"))]
    assert fused(children, mode="reciprocal_rerank") == [("b", 1 / 62 + 1 / 61), ("a", 1 / 61), ("c", 1 / 62)]


def test_weights_count_in_reciprocal_rank_fusion() -> None:
    children = [Fixed(hit("a"), hit("b")), Fixed(hit("b"), hit("a"))]
    assert fused(children, mode="reciprocal_rerank", retriever_weights=[0.2, 0.8]) == [
        ("b", 0.2 / 62 + 0.8 / 61),
        ("a", 0.2 / 61 + 0.8 / 62),
    ]
    assert fused(children, mode="reciprocal_rerank", retriever_weights=[0.8, 0.2])[0][0] == "a"


def test_a_list_of_distances_keeps_the_order_its_child_returned() -> None:
    nearest_first = Fixed(hit("near", 0.0), hit("far", 26.0))
    assert [node_id for node_id, _ in fused([nearest_first], mode="reciprocal_rerank")] == ["near", "far"]


def test_an_id_repeated_in_one_list_counts_once_with_its_best_rank() -> None:
    children = [Fixed(hit("a", 0.9), hit("b", 0.8), hit("b", 0.7), hit("b", 0.6))]
    assert fused(children, mode="reciprocal_rerank") == [("a", 1 / 61), ("b", 1 / 62)]
    assert fused(children, mode="relative_score") == [("a", 1.0), ("b", 1 / 2)]
    assert fused(children, mode="simple") == [("a", 0.9), ("b", 0.8)]


# Score fusion


def test_relative_scores_keep_the_last_hit_of_a_list_above_zero() -> None:
    assert fused([Fixed(hit("a", 9.0), hit("b", 8.0), hit("c", 5.0))], mode="relative_score") == [
        ("a", 1.0),
        ("b", (8 - 5 + 2) / (9 - 5 + 2)),  # the mean gap is (9 - 5) / 2
        ("c", 1 / 3),
    ]


def test_relative_scores_are_weighted_and_summed() -> None:
    children = [Fixed(hit("a", 9.0), hit("b", 7.0)), Fixed(hit("b", 0.4), hit("c", 0.2)), Fixed()]
    assert fused(children, mode="relative_score", retriever_weights=[1, 2, 1]) == [
        ("b", 1 / 2 * 1 / 4 + 1.0 * 2 / 4),
        ("a", 1.0 * 1 / 4),
        ("c", 1 / 2 * 2 / 4),
    ]


@pytest.mark.parametrize("mode", ["relative_score", "dist_based_score"])
@pytest.mark.parametrize("scores", [(0.3,), (-2.0,), (0.0,), (5.0, 5.0)], ids=str)
def test_a_single_score_value_is_worth_one(mode: str, scores: tuple[float, ...]) -> None:
    assert fused([Fixed(*(hit(f"n{i}", score) for i, score in enumerate(scores)))], mode=mode) == [
        (f"n{i}", 1.0) for i in range(len(scores))
    ]


def test_distance_from_the_mean_is_measured_in_standard_deviations() -> None:
    (first, high), (second, low) = fused([Fixed(hit("a", 3.0), hit("b", 1.0))], mode="dist_based_score")
    assert (first, second) == ("a", "b")
    assert high == pytest.approx((3 - (2 - 3 * 1)) / (6 * 1))
    assert low == pytest.approx((1 - (2 - 3 * 1)) / (6 * 1))


def test_simple_takes_the_best_raw_score() -> None:
    children = [Fixed(hit("a", 0.2), hit("b", 0.1)), Fixed(hit("a", 0.5), hit("c", None))]
    expected = [("a", 0.5), ("b", 0.1), ("c", 0.0)]
    assert fused(children, mode="simple") == fused(children[::-1], mode="simple") == expected


def test_missing_scores_are_tolerated_in_every_mode() -> None:
    partly, none = Fixed(hit("a", 0.9), hit("b", 0.5), hit("c", None)), Fixed(hit("x"), hit("y"))
    worst = pytest.approx(0.2 / (0.9 - 0.5 + 0.2))  # the mean gap is (0.9 - 0.5) / 2, the missing score counts as 0.5
    assert fused([partly], mode="relative_score") == [("a", 1.0), ("b", worst), ("c", worst)]
    assert fused([none], mode="relative_score") == [("x", 1.0), ("y", 1 / 2)]
    for mode in MODES:
        assert [node_id for node_id, _ in fused([none], mode=mode)] == ["x", "y"]


def test_a_score_that_is_no_number_is_refused_by_name() -> None:
    bad = Fixed(hit("a", float("nan")))
    for mode in SCORED_MODES:
        with pytest.raises(InvalidInputError, match="child retriever 1 scored node 'a' nan"):
            fused([Fixed(hit("b", 1.0)), bad], mode=mode)
    assert fused([bad], mode="reciprocal_rerank") == [("a", 1 / 61)]


@pytest.mark.parametrize("mode", MODES)
def test_an_empty_list_is_neutral(mode: str) -> None:
    full = Fixed(hit("a", 0.9), hit("b", 0.1))
    assert [i for i, _ in fused([Fixed(), full, Fixed()], mode=mode)] == ["a", "b"]
    assert fused([Fixed(), Fixed()], mode=mode) == []


# What is told apart, what is left alone, what comes first


@pytest.mark.parametrize("mode", MODES)
def test_equal_texts_under_different_ids_stay_two(mode: str) -> None:
    children = [Fixed(hit("m1", 0.9, text="ok")), Fixed(hit("m2", 0.9, text="ok"))]
    assert {node_id for node_id, _ in fused(children, mode=mode)} == {"m1", "m2"}


def test_one_id_is_one_hit_whatever_its_metadata() -> None:
    with_user, without = hit("a"), hit("a")
    with_user.node.metadata = {"user": "ann"}
    [found] = fusion([Fixed(with_user), Fixed(without)], mode="reciprocal_rerank").retrieve("q")
    assert (found.score, found.node.metadata) == (1 / 61 + 1 / 61, {"user": "ann"})


@pytest.mark.parametrize("mode", MODES)
def test_what_the_children_returned_is_left_alone(mode: str) -> None:
    shared = [hit("a", 0.9), hit("b", 0.5), hit("c", 0.1)]
    before = deepcopy(shared)
    ours = fusion([Fixed(*shared), Fixed(*shared)], mode=mode)
    first, second = ours.retrieve("q"), ours.retrieve("q")
    assert shared == before
    assert pairs(first) == pairs(second)
    assert not {id(found) for found in first} & {id(found) for found in [*shared, *second]}


def test_no_child_sees_what_another_wrote_into_the_query() -> None:
    nodes = [TextNode(id_="a", text="alpha"), TextNode(id_="b", text="beta")]
    small = VectorStoreIndex(nodes, embed_model=MockEmbedding(embed_dim=8)).as_retriever()
    large = VectorStoreIndex(nodes, embed_model=MockEmbedding(embed_dim=16)).as_retriever()
    bundle = QueryBundle("alpha")
    assert set(ids(fusion([small, large], use_async=False).retrieve(bundle))) == {"a", "b"}
    assert bundle == QueryBundle("alpha")


@pytest.mark.parametrize("mode", MODES)
def test_equal_scores_are_ordered_by_id(mode: str) -> None:
    assert [i for i, _ in fused([Fixed(hit("b", 0.5)), Fixed(hit("a", 0.5))], mode=mode)] == ["a", "b"]


@pytest.mark.parametrize("mode", MODES)
def test_duplicates_are_gone_before_the_cut(mode: str) -> None:
    children = [Fixed(hit("a", 0.9), hit("a", 0.9), hit("b", 0.8)), Fixed(hit("a", 0.9), hit("c", 0.7))]
    assert len(fused(children, mode=mode, similarity_top_k=3)) == 3


lists_of_hits = st.lists(
    st.lists(st.tuples(st.sampled_from("abcdef"), st.floats(-5, 5)), max_size=5).map(
        lambda scored: sorted(scored, key=lambda pair: -pair[1])
    ),
    min_size=1,
    max_size=4,
)


@given(lists_of_hits, st.sampled_from(MODES))
def test_sync_and_async_agree_and_the_order_is_total(lists: list[list[tuple[str, float]]], mode: str) -> None:
    children = [Fixed(*(hit(*pair) for pair in scored)) for scored in lists]
    ours = fusion(children, mode=mode)
    answer = pairs(ours.retrieve("q"))
    assert pairs(asyncio.run(ours.aretrieve("q"))) == answer
    assert answer == sorted(answer, key=lambda pair: (-pair[1], pair[0]))
    assert sorted(node_id for node_id, _ in answer) == sorted({node_id for scored in lists for node_id, _ in scored})


@given(lists_of_hits, st.sampled_from(MODES))
def test_without_side_by_side_the_answer_is_the_same(lists: list[list[tuple[str, float]]], mode: str) -> None:
    children = [Fixed(*(hit(*pair) for pair in scored)) for scored in lists]
    assert fused(children, mode=mode, use_async=False) == fused(children, mode=mode, use_async=True)


def test_async_distance_based_fusion_is_distance_based() -> None:
    children = [Fixed(hit("a", 9.0), hit("b", 2.0), hit("c", 1.0)), Native(hit("c", 3.0), hit("a", 1.0))]
    ours = fusion(children, mode="dist_based_score")
    assert pairs(asyncio.run(ours.aretrieve("q"))) == pairs(ours.retrieve("q"))
    assert pairs(ours.retrieve("q")) != fused(children, mode="relative_score")


# Wrong arguments


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"retrievers": []}, "retrievers is empty"),
        ({"retrievers": ["index"]}, "has as_retriever"),
        ({"retriever_weights": [0, 0]}, "all weights are 0"),
        ({"retriever_weights": [1]}, "1 values for 2 retrievers"),
        ({"retriever_weights": []}, "0 values for 2 retrievers"),
        ({"retriever_weights": [1, -1]}, "-1"),
        ({"retriever_weights": [1, float("nan")]}, "nan"),
        ({"retriever_weights": [1, float("inf")]}, "inf"),
        ({"retriever_weights": [1, "2"]}, "'2'"),
        ({"mode": "reciprocal_rank"}, "'reciprocal_rank' is unknown.*'reciprocal_rerank'"),
        ({"mode": None}, "None is unknown"),
        ({"similarity_top_k": 0}, "similarity_top_k 0"),
        ({"num_queries": -1}, "num_queries -1"),
        ({"num_queries": 1.5}, "num_queries 1.5"),
    ],
    ids=str,
)
def test_wrong_arguments_are_refused_at_construction(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        HybridFusionRetriever(**{"retrievers": [Fixed(), Fixed()], **options})


def test_wrong_attributes_are_refused_and_change_nothing() -> None:
    ours = fusion([Fixed()], mode="simple")
    with pytest.raises(InvalidInputError):
        ours.mode = "best"
    with pytest.raises(InvalidInputError):
        ours.similarity_top_k = -1
    assert (ours.mode, ours.similarity_top_k) == (FUSION_MODES.SIMPLE, 10)


# Running the children


@pytest.mark.parametrize("use_async", [True, False])
async def test_a_child_of_weight_zero_is_not_run(use_async: bool) -> None:
    silent = Fixed(hit("z", 1.0))
    ours = fusion([silent, Fixed(hit("a", 1.0))], retriever_weights=[0, 2], use_async=use_async)
    assert ids(ours.retrieve("q")) == ids(await ours.aretrieve("q")) == ["a"]
    assert silent.asked == []


@pytest.mark.parametrize("error", [RuntimeError("out of order"), KeyError("k"), ValueError("v")], ids=repr)
@pytest.mark.parametrize("use_async", [True, False])
async def test_a_childs_error_comes_through_with_a_note(error: Exception, use_async: bool) -> None:
    ours = fusion([Fixed(hit("a", 1.0)), Broken(error)], use_async=use_async)
    with pytest.raises(type(error)) as in_sync:
        ours.retrieve("q")
    with pytest.raises(type(error)) as in_async:
        await ours.aretrieve("q")
    assert in_sync.value is in_async.value is error
    assert error.__notes__ == ["raised by child retriever 1 (Broken)"]


@pytest.mark.parametrize("use_async", [True, False])
async def test_of_two_errors_the_first_childs_is_raised(use_async: bool) -> None:
    ours = fusion([Broken(KeyError("first")), Broken(ValueError("second"))], use_async=use_async)
    with pytest.raises(KeyError, match="first"):
        ours.retrieve("q")
    with pytest.raises(KeyError, match="first"):
        await ours.aretrieve("q")


async def test_children_without_an_async_half_run_side_by_side() -> None:
    ours = fusion([Waiting(threading.Barrier(3))] * 3)
    assert ids(ours.retrieve("q")) == ["a"]
    assert ids(await ours.aretrieve("q")) == ["a"]


async def test_the_loop_goes_on_while_children_work() -> None:
    release = threading.Event()

    class Blocking(BaseRetriever):
        def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
            release.wait(timeout=20)
            return [hit("a", 1.0)]

    answer = asyncio.create_task(fusion([Blocking()], use_async=False).aretrieve("q"))
    await asyncio.sleep(0)
    release.set()
    assert ids(await answer) == ["a"]


def test_without_use_async_children_run_in_the_callers_thread() -> None:
    threads: list[int] = []

    class Watching(Fixed):
        def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
            threads.append(threading.get_ident())
            return []

    fusion([Watching(), Watching()], use_async=False).retrieve("q")
    assert threads == [threading.get_ident()] * 2


@pytest.mark.parametrize("use_async", [True, False])
async def test_without_use_async_children_take_turns_on_the_loop(use_async: bool) -> None:
    log: list[str] = []

    class Logging(Fixed):
        async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
            log.append("begin")
            await asyncio.sleep(0)
            log.append("end")
            return []

    await fusion([Logging(), Logging()], use_async=use_async).aretrieve("q")
    assert log == (["begin", "begin", "end", "end"] if use_async else ["begin", "end", "begin", "end"])


@pytest.mark.parametrize("child", [Fixed, Native])
@pytest.mark.parametrize("use_async", [True, False])
@pytest.mark.parametrize("num_queries", [1, 3])
async def test_it_works_inside_a_running_loop(child: type[Fixed], use_async: bool, num_queries: int) -> None:
    children = [child(hit("a", 0.9)), child(hit("b", 0.8))]
    ours = fusion(children, use_async=use_async, num_queries=num_queries, llm=writer("one", "two"))
    assert ids(ours.retrieve("q")) == ids(await ours.aretrieve("q")) == ["a", "b"]


def test_it_works_in_other_threads_and_over_many_loops() -> None:
    ours = fusion([Native(hit("a", 0.9)), Fixed(hit("b", 0.8))])
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: ids(ours.retrieve("q")), range(8)))
        answers += list(pool.map(lambda _: ids(asyncio.run(ours.aretrieve("q"))), range(8)))
    assert answers == [["a", "b"]] * 16


def test_the_sync_call_makes_no_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asyncio, "new_event_loop", lambda: pytest.fail("a loop was made"))
    assert fused([Native(hit("a", 1.0)), Fixed(hit("b", 0.5))]) == [("a", 1.0), ("b", 0.5)]


# Rewordings


def test_no_language_model_is_looked_for_without_rewordings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(Settings), "llm", property(lambda _: pytest.fail("asked for the default model")))
    ours = HybridFusionRetriever([Fixed(hit("a", 1.0))])
    ours.num_queries = 1
    assert ids(ours.retrieve("q")) == ["a"]


def test_the_default_language_model_is_looked_up_when_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = HybridFusionRetriever([Fixed(hit("a", 1.0))], num_queries=2)
    llm = writer("other words")
    monkeypatch.setattr(type(Settings), "llm", property(lambda _: llm))
    ours.retrieve("q")
    assert len(llm.calls) == 1


async def test_the_async_call_awaits_the_language_model() -> None:
    llm = writer("other words")
    await fusion([Fixed()], num_queries=2, llm=llm).aretrieve("q")
    assert [call.startswith("async: ") for call in llm.calls] == [True]


def test_an_empty_query_is_not_reworded() -> None:
    llm, child = writer("anything"), Fixed()
    fusion([child], num_queries=3, llm=llm).retrieve(" ")
    assert (llm.calls, len(child.asked)) == ([], 1)


def test_numbering_bullets_and_repetitions_are_removed() -> None:
    child = Fixed()
    lines = ["```", "1. alpha", "- Alpha", "2) beta", "* THE  query", "", "• 3.5 GPA rule", "（甲）", "3、三号", "```"]
    fusion([child], num_queries=9, llm=writer(*lines), use_async=False).retrieve("the query")
    assert [asked.query_str for asked in child.asked] == [
        "the query",
        "alpha",
        "beta",
        "3.5 GPA rule",
        "（甲）",
        "三号",
    ]


def test_rewordings_are_cut_after_repetitions_are_dropped() -> None:
    child = Fixed()
    fusion([child], num_queries=3, llm=writer("q", "x", "x", "y", "z"), use_async=False).retrieve("q")
    assert [asked.query_str for asked in child.asked] == ["q", "x", "y"]


def test_relative_scores_are_divided_by_the_queries_that_were_run() -> None:
    assert fused([Fixed(hit("a", 0.7))], num_queries=4, llm=writer("q", "Q"), mode="relative_score") == [("a", 1.0)]
    assert fused([Fixed(hit("a", 0.7))], num_queries=4, llm=writer("x"), mode="relative_score") == [("a", 1.0)]


def test_reciprocal_ranks_are_summed_over_queries() -> None:
    assert fused([Fixed(hit("a"))], num_queries=3, llm=writer("x", "y"), mode="reciprocal_rerank") == [
        ("a", 1 / 61 + 1 / 61 + 1 / 61)
    ]


def test_the_original_query_keeps_its_embedding() -> None:
    child = Fixed()
    bundle = QueryBundle("q", custom_embedding_strs=["a", "b"], embedding=[0.5, 0.25])
    fusion([child], num_queries=2, llm=writer("x"), use_async=False).retrieve(bundle)
    assert child.asked == [QueryBundle("q", custom_embedding_strs=["a", "b"], embedding=[0.5, 0.25]), QueryBundle("x")]


def test_it_can_be_a_child_of_itself_and_of_the_stock_retriever() -> None:
    inner = fusion([Fixed(hit("a", 0.9)), Fixed(hit("b", 0.8))])
    stock = QueryFusionRetriever([inner, inner], llm=MockLLM(), num_queries=1, similarity_top_k=5)
    assert fused([inner, inner], mode="reciprocal_rerank") == [("a", 2 / 61), ("b", 2 / 62)]
    assert ids(stock.retrieve("q")) == ["a", "b"]
