"""The regression harness: its measures against arithmetic and an oracle, its files, its comparison with a baseline."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybrid_agent_memory import Config, HybridMemory, InvalidInputError
from hybrid_agent_memory.evaluation import (
    Evaluation,
    EvaluationQuery,
    Legs,
    Regression,
    compare,
    depth,
    evaluate,
    parse_queries,
    read_queries,
    to_query,
)

IDS = [f"m{number}" for number in range(14)]
RESULTS = st.lists(st.sampled_from(IDS), max_size=14)
RELEVANT = st.sets(st.sampled_from(IDS), min_size=1)


class Answering:
    """A search that gives fixed ids and remembers what it was asked."""

    def __init__(self, results: Mapping[str, Sequence[str]]) -> None:
        self.results = results
        self.asked: list[tuple[str, Legs]] = []

    def __call__(self, query: EvaluationQuery, legs: Legs) -> Sequence[str]:
        self.asked.append((query.query, legs))
        return self.results[query.query]


def scores_of(results: Sequence[str], relevant: Sequence[str], ks: Sequence[int] = (1, 5, 10)) -> dict[str, float]:
    return evaluate(Answering({"q": results}), [EvaluationQuery("q", relevant)], ks=ks).scores["all"]["default"]


# -- measures ---------------------------------------------------------------------------------------------------------


def test_recall_is_the_share_of_the_relevant_ids_among_the_first_k() -> None:
    found = scores_of(["a", "x", "b", "y", "z", "c"], ["a", "b", "c", "d"])
    assert found == {"recall@1": 1 / 4, "recall@5": 2 / 4, "recall@10": 3 / 4, "MRR@10": 1 / 1}


def test_mrr_looks_at_the_first_relevant_id_down_to_rank_ten() -> None:
    others = [f"x{number}" for number in range(20)]
    assert scores_of([*others[:3], "a", "b"], ["b", "a"])["MRR@10"] == 1 / 4
    assert scores_of([*others[:9], "a"], ["a"])["MRR@10"] == 1 / 10
    assert scores_of([*others[:10], "a"], ["a"])["MRR@10"] == 0.0


def test_an_answer_of_nothing_scores_nothing() -> None:
    assert scores_of([], ["a"], ks=[2]) == {"recall@2": 0.0, "MRR@10": 0.0}


def test_a_repeated_id_takes_no_rank_and_counts_once() -> None:
    assert scores_of(["x", "x", "x", "a", "a"], ["a", "a"], ks=[1, 2]) == {
        "recall@1": 0.0,
        "recall@2": 1.0,
        "MRR@10": 1 / 2,
    }


@given(st.lists(st.tuples(RESULTS, RELEVANT), min_size=1, max_size=5), st.lists(st.integers(1, 14), min_size=1))
def test_the_means_are_those_of_an_independent_count(asked: list[tuple[list[str], set[str]]], ks: list[int]) -> None:
    recall = dict.fromkeys(ks, 0.0)
    reciprocal = 0.0
    for results, relevant in asked:
        distinct = sorted(set(results), key=results.index)
        for k in recall:
            recall[k] += len(relevant.intersection(distinct[:k])) / len(relevant) / len(asked)
        reciprocal += next((1 / (1 + distinct[:10].index(i)) for i in distinct[:10] if i in relevant), 0) / len(asked)
    search = Answering({str(at): results for at, (results, _) in enumerate(asked)})
    queries = [EvaluationQuery(str(at), relevant) for at, (_, relevant) in enumerate(asked)]
    measured = evaluate(search, queries, ks=ks).scores["all"]["default"]
    assert measured == pytest.approx(
        {**{f"recall@{k}": value for k, value in recall.items()}, "MRR@10": reciprocal}, abs=1e-12
    )


@given(RESULTS, RELEVANT)
def test_deeper_recall_is_never_lower(results: list[str], relevant: set[str]) -> None:
    found = scores_of(results, sorted(relevant))
    assert found["recall@1"] <= found["recall@5"] <= found["recall@10"]


def test_queries_that_nothing_answers_are_measured_by_silence_alone() -> None:
    queries = [
        EvaluationQuery("known", ["a"], category="known"),
        EvaluationQuery("silent", [], category="unknown"),
        EvaluationQuery("loud", [], category="unknown"),
    ]
    found = evaluate(Answering({"known": ["a"], "silent": [], "loud": ["a"]}), queries, ks=[1])
    assert found.scores == {
        "all": {"default": {"recall@1": 1.0, "MRR@10": 1.0, "silence": 1 / 2}},
        "known": {"default": {"recall@1": 1.0, "MRR@10": 1.0}},
        "unknown": {"default": {"silence": 1 / 2}},
    }
    assert found.queries == {"all": 3, "known": 1, "unknown": 2}


# -- categories, legs, progress ---------------------------------------------------------------------------------------


def test_each_category_and_leg_set_is_measured() -> None:
    def search(query: EvaluationQuery, legs: Legs) -> list[str]:
        return ["a"] if legs == ("sparse",) or query.category == "names" else ["x", "a"]

    queries = [
        EvaluationQuery("1", ["a"], "names"),
        EvaluationQuery("2", ["a"], "events"),
        EvaluationQuery("3", ["a"]),
        EvaluationQuery("4", ["a"], "events"),
    ]
    found = evaluate(search, queries, [None, ("sparse",), ("sparse", "dense")], ks=[1])
    assert found.queries == {"all": 4, "events": 2, "names": 1}
    assert list(found.scores) == ["all", "events", "names"]
    first = {
        category: {legs: measures["recall@1"] for legs, measures in by_legs.items()}
        for category, by_legs in found.scores.items()
    }
    assert first == {
        "all": {"default": 1 / 4, "sparse": 1.0, "sparse+dense": 1 / 4},
        "events": {"default": 0.0, "sparse": 1.0, "sparse+dense": 0.0},
        "names": {"default": 1.0, "sparse": 1.0, "sparse+dense": 1.0},
    }


def test_every_query_is_asked_once_per_leg_set_and_told_to_progress() -> None:
    search = Answering({"1": [], "2": []})
    told: list[tuple[int, int | None]] = []
    queries = [EvaluationQuery("1", ["a"]), EvaluationQuery("2", ["a"])]
    evaluate(search, queries, [["dense"], None], progress=lambda done, total: told.append((done, total)))
    assert search.asked == [("1", ["dense"]), ("2", ["dense"]), ("1", None), ("2", None)]
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_the_order_of_the_queries_does_not_matter() -> None:
    search = Answering({"1": ["a"], "2": ["x", "b"], "3": []})
    queries = [EvaluationQuery("1", ["a"], "z"), EvaluationQuery("2", ["b"], "y"), EvaluationQuery("3", [], "z")]
    assert evaluate(search, queries) == evaluate(search, queries[::-1])


def test_a_search_must_reach_the_deepest_measure() -> None:
    assert depth((1, 5)) == 10
    assert depth([50, 20]) == 50


@pytest.mark.parametrize(
    ("queries", "legs_sets", "ks", "message"),
    [
        ([], [None], [1], "at least one query"),
        ([EvaluationQuery("q", ["a"])], [], [1], "leg sets"),
        ([EvaluationQuery("q", ["a"])], "sparse", [1], "leg sets 'sparse'"),
        ([EvaluationQuery("q", ["a"])], [" "], [1], r"leg set \(' ',\)"),
        ([EvaluationQuery("q", ["a"])], [["sparse", 1]], [1], r"leg set \['sparse', 1\]"),
        ([EvaluationQuery("q", ["a"])], [[]], [1], r"leg set \[\]"),
        ([EvaluationQuery("q", ["a"])], [None], [], "ks"),
        ([EvaluationQuery("q", ["a"])], [None], [0], "k 0 must"),
        ([EvaluationQuery("q", ["a"])], [None], [True], "k True must"),
        ([EvaluationQuery("q", ["a"])], [None], [1.5], "k 1.5 must"),
    ],
)
def test_wrong_arguments_are_named_before_anything_is_searched(
    queries: list[EvaluationQuery], legs_sets: Sequence[Legs], ks: Sequence[int], message: str
) -> None:
    search = Answering({})
    with pytest.raises(InvalidInputError, match=message):
        evaluate(search, queries, legs_sets, ks)
    assert search.asked == []


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"query": 3, "relevant": ["a"]}, "query 3"),
        ({"query": "q", "relevant": "a"}, "relevant 'a' must be a list"),
        ({"query": "q", "relevant": 7}, "relevant 7"),
        ({"query": "q", "relevant": ["a", 7]}, "relevant id 7"),
        ({"query": "q", "relevant": ["a"], "category": 1}, "category 1"),
        ({"query": "q", "relevant": ["a"], "category": "\ud800"}, "category"),
        ({"query": "q", "relevant": ["a"], "id": 1}, "id 1"),
        ({"query": "q", "relevant": ["a"], "namespace": 1}, "namespace 1"),
        ({"query": "q", "relevant": ["a"], "options": [1]}, "options"),
    ],
)
def test_a_query_of_the_wrong_types_is_refused(given: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        EvaluationQuery(**given)  # type: ignore[arg-type]


# -- files ------------------------------------------------------------------------------------------------------------


def test_a_file_of_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "queries.jsonl"
    lines = [
        {"query": "budget", "relevant": ["m1", "m2"], "category": "amounts", "id": "q1", "namespace": "bob"},
        {"text": "谁负责", "relevant": [], "now": "2024-11-05", "as_of": 0, "filter": {"service": ["api"]}},
    ]
    path.write_text("\ufeff" + json.dumps(lines[0]) + "\r\n\n" + json.dumps(lines[1]), encoding="utf-8")
    assert read_queries(path) == [
        EvaluationQuery("budget", ["m1", "m2"], "amounts", {}, "bob", "q1"),
        EvaluationQuery("谁负责", [], options={"now": "2024-11-05", "as_of": 0, "filter": {"service": ["api"]}}),
    ]
    assert read_queries(str(path)) == read_queries(path)


def test_a_line_separator_inside_a_text_ends_no_line(tmp_path: Path) -> None:
    path = tmp_path / "queries.jsonl"
    path.write_text('{"query": "one\u2028two\x85three", "relevant": ["m1"]}\n', encoding="utf-8")
    assert read_queries(path) == [EvaluationQuery("one\u2028two\x85three", ["m1"])]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "'{' is no JSON object"),
        ("[1]", r"\[1\] is no JSON object"),
        ("[" * 100_000, "is no JSON object"),
        ('{"query": "q"}', "relevant is missing"),
        ('{"relevant": ["a"]}', "as query, or as text"),
        ('{"query": "q", "text": "q", "relevant": ["a"]}', "not as both"),
        ('{"query": "q", "relevant": ["a"], "catgory": "x"}', "key 'catgory' is unknown: use query, text, relevant"),
        ('{"query": null, "relevant": ["a"]}', "query None"),
        ('{"query": "q", "relevant": "a"}', "relevant 'a'"),
        ('{"query": "q", "relevant": ["a"], "now": "soon"}', "now 'soon' is not a time"),
        ('{"query": "q", "relevant": ["a"], "filter": 3}', "filter 3 must be a mapping"),
        ('{"query": "q", "relevant": ["a"], "filter": {"a": {"$near": 1}}}', "unknown operator"),
    ],
)
def test_a_bad_line_is_named_by_its_number(line: str, message: str) -> None:
    with pytest.raises(InvalidInputError, match=rf"^q\.jsonl, line 3: .*{message}"):
        parse_queries(['{"query": "q", "relevant": ["a"]}', "", line], "q.jsonl")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match=r"queries in .*gone\.jsonl cannot be read: No such file"):
        read_queries(tmp_path / "gone.jsonl")
    with pytest.raises(InvalidInputError, match="cannot be read"):
        read_queries(tmp_path)
    (tmp_path / "latin").write_bytes(b'{"query": "caf\xe9", "relevant": []}')
    with pytest.raises(InvalidInputError, match="not UTF-8"):
        read_queries(tmp_path / "latin")
    (tmp_path / "empty").write_text("\n \n", encoding="utf-8")
    with pytest.raises(InvalidInputError, match="empty has no queries"):
        read_queries(tmp_path / "empty")


def test_a_query_that_is_one_stays_what_it_is() -> None:
    query = EvaluationQuery("q", ["a"], options={"top": 1})
    assert to_query(query) is query
    with pytest.raises(InvalidInputError, match="must be a mapping"):
        to_query("budget")  # type: ignore[arg-type]


# -- saving and telling -----------------------------------------------------------------------------------------------

SHARES = st.dictionaries(st.sampled_from(["recall@5", "MRR@10", "silence"]), st.floats(0, 1), max_size=3)


@given(st.dictionaries(st.text(max_size=5), st.dictionaries(st.text(max_size=5), SHARES, max_size=2), max_size=3))
def test_what_is_saved_is_read_back(scores: dict[str, dict[str, dict[str, float]]]) -> None:
    found = Evaluation(queries=dict.fromkeys(scores, 2), scores=scores)
    assert Evaluation.from_json(found.to_json()) == found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"version": 2, "queries": {}, "scores": {}}',
        '{"queries": {"all": 0}, "scores": {}}',
        '{"queries": {"all": 1}, "scores": {"all": {"default": {"recall@5": 1.5}}}}',
        '{"queries": {"all": 1}, "scores": {"all": {"default": {"recall@5": NaN}}}}',
        '{"queries": {"all": 1}, "scores": {}, "more": 1}',
    ],
)
def test_what_was_not_saved_here_is_refused(text: str) -> None:
    with pytest.raises(InvalidInputError, match="no saved evaluation"):
        Evaluation.from_json(text)


def test_the_table_has_a_line_per_category_and_leg_set() -> None:
    found = Evaluation(
        queries={"all": 3, "nothing": 1},
        scores={
            "all": {"default": {"recall@5": 2 / 3, "silence": 1.0}, "sparse": {"recall@5": 0.5, "silence": 0.0}},
            "nothing": {"default": {"silence": 1.0}, "sparse": {"silence": 0.0}},
        },
    )
    assert found.table().splitlines() == [
        "category  queries  legs     recall@5  silence",
        "all       3        default  0.667     1.000",
        "all       3        sparse   0.500     0.000",
        "nothing   1        default  -         1.000",
        "nothing   1        sparse   -         0.000",
    ]


# -- comparing with a baseline ----------------------------------------------------------------------------------------


def evaluation(**recalls: float) -> Evaluation:
    return Evaluation(queries={"all": 10}, scores={"all": {legs: {"recall@5": r} for legs, r in recalls.items()}})


def test_a_fall_beyond_the_tolerance_is_a_regression_the_deepest_first() -> None:
    before = evaluation(dense=0.8, sparse=0.6, graph=0.5)
    after = evaluation(dense=0.75, sparse=0.4, graph=0.9)
    assert compare(before, after) == [
        Regression("all", "sparse", "recall@5", 0.6, 0.4),
        Regression("all", "dense", "recall@5", 0.8, 0.75),
    ]


def test_a_fall_of_just_the_tolerance_is_none() -> None:
    assert compare(evaluation(sparse=0.81), evaluation(sparse=0.8)) == []
    assert compare(evaluation(sparse=0.8), evaluation(sparse=0.789)) != []
    assert compare(evaluation(sparse=0.8), evaluation(sparse=0.7), tolerance=0.1) == []
    assert len(compare(evaluation(sparse=0.8), evaluation(sparse=0.799), tolerance=0)) == 1


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_nothing_is_reported_that_did_not_fall(before: float, after: float, tolerance: float) -> None:
    found = compare(evaluation(sparse=before), evaluation(sparse=after), tolerance)
    assert bool(found) == (after < before - tolerance - 1e-12)
    assert compare(evaluation(sparse=before), evaluation(sparse=before), 0) == []


def test_a_leg_set_that_only_one_has_is_left_out() -> None:
    assert compare(evaluation(dense=0.9, sparse=0.5), evaluation(sparse=0.5, graph=0.1)) == []


def test_a_regression_tells_itself_in_a_line() -> None:
    assert str(Regression("names", "sparse", "MRR@10", 0.75, 2 / 3)) == "MRR@10 of names, legs sparse: 0.750 -> 0.667"


def test_what_cannot_be_compared_is_refused() -> None:
    more = Evaluation(queries={"all": 11}, scores={"all": {"sparse": {"recall@5": 0.5}}})
    with pytest.raises(InvalidInputError, match="10 queries of category 'all' and this evaluation 11: save a new"):
        compare(evaluation(sparse=0.5), more)
    other = Evaluation(queries={"all": 10, "names": 2}, scores={})
    with pytest.raises(InvalidInputError, match="0 queries of category 'names' and this evaluation 2"):
        compare(evaluation(sparse=0.5), other)
    with pytest.raises(InvalidInputError, match="no leg set and measure in common"):
        compare(evaluation(sparse=0.5), evaluation(dense=0.5))


@pytest.mark.parametrize("wrong", [-0.1, 1.1, float("nan"), "0.1", None])
def test_a_wrong_tolerance_is_named(wrong: object) -> None:
    with pytest.raises(InvalidInputError, match="tolerance"):
        compare(evaluation(sparse=0.5), evaluation(sparse=0.5), wrong)  # type: ignore[arg-type]


def test_a_bare_name_is_a_set_of_one_leg() -> None:
    memory = HybridMemory.in_memory()
    memory.add_episode("Ann owns Project Atlas.", id="a")
    asked = [{"query": "who owns Atlas?", "relevant": ["a"]}]
    named = memory.evaluate(asked, legs=("sparse", "graph", None, ("sparse", "graph")))
    assert named == memory.evaluate(asked, legs=[["sparse"], ["graph"], None, ["sparse", "graph"]])
    assert list(named.scores["all"]) == ["sparse", "graph", "default", "sparse+graph"]
    with pytest.raises(InvalidInputError, match="'spares'"):
        memory.evaluate(asked, legs=["spares"])


def test_relevant_ids_that_the_memory_does_not_have_are_named() -> None:
    memory = HybridMemory.in_memory(config=Config(chunk_chars=100))
    memory.add_episode("Ann owns Project Atlas.", id="a")
    memory.add_episode("The gate is open. " * 20, id="long")
    memory.namespace("other").add({"id": "there", "text": "Atlas"})
    asked = [
        {"query": "Atlas", "relevant": ["gone", "a", "long", "long#1", "a#0", "there"]},
        {"query": "Atlas", "relevant": ["there", "a", "gone"], "namespace": "other"},
        {"query": "Atlas", "relevant": []},
    ]
    found = memory.evaluate(asked, legs=[None])
    assert found.unknown_ids == ("gone", "a#0", "there", "a")
    assert Evaluation.from_json(found.to_json()) == found
    assert memory.evaluate(asked[2:], legs=[None]).unknown_ids == ()
