"""Fusion: the numbers of reciprocal rank fusion, and the laws that it and the adaptive fusion keep."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybrid_agent_memory import Config, HybridMemory, InvalidInputError, LegQuery, reciprocal_rank_fusion
from hybrid_agent_memory.engines.local.engine import LocalEngine
from hybrid_agent_memory.fusion import Signals, fuse_adaptively, leg_trust
from hybrid_agent_memory.options import Fusion
from hybrid_agent_memory.ranking import Handles, Ranking
from hybrid_agent_memory.testing import HashEmbedder
from hybrid_agent_memory.text import tokenize

NAMES = ["102", "401", "55", "640", "883", "9"]
RANKINGS = st.lists(st.permutations(NAMES).flatmap(lambda ids: st.integers(0, 6).map(lambda n: ids[:n])), max_size=4)
SCORED = st.lists(st.tuples(st.sampled_from(NAMES), st.floats(-5, 50)), unique_by=lambda entry: entry[0], max_size=6)
RANKED = SCORED.map(lambda entries: sorted(entries, key=lambda entry: (-entry[1], entry[0])))
WEIGHT = st.sampled_from([0.25, 1, 2.5])
FUSION = pytest.mark.parametrize("fusion", ["auto", "rrf"])

# -- the function ---------------------------------------------------------------------------------------------------


def test_a_record_in_both_lists_beats_the_first_of_one() -> None:
    assert reciprocal_rank_fusion([["102", "883"], ["883", "401"]]) == [
        ("883", 1 / 62 + 1 / 61),
        ("102", 1 / 61),
        ("401", 1 / 62),
    ]


def test_ranks_count_from_one() -> None:
    assert reciprocal_rank_fusion([["a", "b", "c"], ["c", "b", "a"]]) == [
        ("a", 1 / 61 + 1 / 63),
        ("c", 1 / 61 + 1 / 63),
        ("b", 1 / 62 + 1 / 62),
    ]
    assert reciprocal_rank_fusion([["a"], ["a"]]) == [("a", 2 / 61)]


def test_weights_multiply() -> None:
    assert reciprocal_rank_fusion([["102", "883"], ["883", "401"]], weights=[0.6, 0.4]) == [
        ("883", 0.6 / 62 + 0.4 / 61),
        ("102", 0.6 / 61),
        ("401", 0.4 / 62),
    ]
    assert reciprocal_rank_fusion([["a"], ["b"]], weights=[0, 1]) == [("b", 1 / 61), ("a", 0.0)]


def test_k_flattens() -> None:
    assert reciprocal_rank_fusion([["a", "b"]], k=1) == [("a", 1 / 2), ("b", 1 / 3)]
    assert reciprocal_rank_fusion([["a", "b"]], k=0.5) == [("a", 1 / 1.5), ("b", 1 / 2.5)]


def test_a_repeated_id_counts_once_and_takes_no_rank() -> None:
    assert reciprocal_rank_fusion([["a", "a", "b", "a"]]) == [("a", 1 / 61), ("b", 1 / 62)]


def test_nothing_fuses_to_nothing() -> None:
    assert reciprocal_rank_fusion([]) == reciprocal_rank_fusion([[], []]) == []


@pytest.mark.parametrize(
    ("rankings", "options"),
    [
        ([["a"]], {"weights": [1, 1]}),
        ([["a"], ["b"]], {"weights": [1]}),
        ([["a"]], {"weights": [-1]}),
        ([["a"]], {"weights": [float("nan")]}),
        ([["a"]], {"weights": [float("inf")]}),
        ([["a"]], {"weights": [True]}),
        ([["a"], ["b"]], {"weights": [0, 0]}),
        ([["a"]], {"k": 0}),
        ([["a"]], {"k": -60}),
        ([["a"]], {"k": float("inf")}),
        (["ab", "ba"], {}),
        ("ab", {}),
    ],
)
def test_bad_arguments_are_refused(rankings: Sequence[Sequence[str]], options: dict[str, Any]) -> None:
    with pytest.raises(InvalidInputError):
        reciprocal_rank_fusion(rankings, **options)


@given(RANKINGS, st.data())
def test_the_order_of_the_lists_does_not_matter(rankings: list[list[str]], data: st.DataObject) -> None:
    weights = [data.draw(WEIGHT) for _ in rankings]
    order = data.draw(st.permutations(range(len(rankings))))
    fused = dict(reciprocal_rank_fusion(rankings, weights))
    turned = dict(reciprocal_rank_fusion([rankings[at] for at in order], [weights[at] for at in order]))
    assert fused == pytest.approx(turned, abs=1e-15)


@given(RANKINGS)
def test_every_id_comes_out_once_in_a_total_order(rankings: list[list[str]]) -> None:
    fused = reciprocal_rank_fusion(rankings)
    assert {name for name, _ in fused} == {name for ranking in rankings for name in ranking}
    assert fused == sorted(dict(fused).items(), key=lambda entry: (-entry[1], entry[0]))


@given(RANKINGS, st.data())
def test_a_better_rank_is_never_worse(rankings: list[list[str]], data: st.DataObject) -> None:
    at = data.draw(st.integers(1, 5))
    longer = [ranking for ranking in rankings if len(ranking) > at]
    before = dict(reciprocal_rank_fusion(rankings))
    for ranking in longer:
        raised = [*ranking[: at - 1], ranking[at], ranking[at - 1], *ranking[at + 1 :]]
        after = dict(reciprocal_rank_fusion([raised if other is ranking else other for other in rankings]))
        assert after[ranking[at]] > before[ranking[at]]


# -- which leg to trust ---------------------------------------------------------------------------------------------

SHARP = {"dense": (0.5, 0.1)}


def ranking(*scores: float) -> Ranking:
    return Ranking(np.arange(len(scores), dtype=np.intp), np.array(scores))


def names_of(handles: Handles) -> list[str]:
    return [f"{handle:03}" for handle in handles.tolist()]


def test_a_leg_is_trusted_by_its_fall_from_the_first_to_the_tenth_hit() -> None:
    rankings = {"sparse": ranking(9, 1), "dense": ranking(0.9, *[0.7] * 9, 0.1)}
    trust, reason = leg_trust(rankings, Signals(backgrounds=SHARP))
    assert trust["dense"] / trust["sparse"] == pytest.approx((2 / (2 + 1)) / 0.5)
    assert "2.0 deviations" in reason


def test_words_that_ten_records_match_alike_are_trusted_little() -> None:
    dense = ranking(0.9, *[0.7] * 9, 0.1)
    shares = [
        leg_trust({"sparse": sparse, "dense": dense}, Signals(backgrounds=SHARP))[0]
        for sparse in (ranking(*[8] * 10), ranking(8, *[6] * 9), ranking(8, 6))
    ]
    falls = [0.0, 0.25 * (1 + 0.25) / (0.25 + 0.25), 1.0]
    assert [share["sparse"] / share["dense"] for share in shares] == pytest.approx([0.5 * f / (2 / 3) for f in falls])


def test_the_graph_is_trusted_by_how_rare_a_name_the_query_holds() -> None:
    rankings = {"sparse": ranking(9, 1), "graph": ranking(1, 0.5)}
    shares = [leg_trust(rankings, Signals(named=named))[0] for named in (0.0, 0.25, 0.5, 1.0)]
    assert [share["graph"] / share["sparse"] for share in shares] == pytest.approx([0, 1, 4, 16])


@given(st.floats(0, 1), st.sampled_from([(), (3.0,), (3.0, 1.0)]), st.booleans())
def test_trust_sums_to_one_and_a_leg_that_found_nothing_gets_none(
    named: float, graph: tuple[float, ...], code: bool
) -> None:
    signals = Signals(frozenset({"err_7"} if code else ()), {}, SHARP, named)
    rankings = {"sparse": ranking(4), "dense": ranking(), "graph": ranking(*graph)}
    trust, reason = leg_trust(rankings, signals)
    assert sum(trust.values()) == pytest.approx(1.0)
    assert trust["dense"] == 0
    assert (trust["graph"] > 0) == (bool(graph) and named**2 > 0)
    assert reason


def test_a_leg_alone_has_all_the_trust_however_little_speaks_for_it() -> None:
    assert leg_trust({"graph": ranking(2, 1)}, Signals())[0] == {"graph": 1.0}


@given(st.floats(0, 1))
def test_names_change_nothing_without_a_graph_leg(named: float) -> None:
    rankings = {"sparse": ranking(9, 1), "dense": ranking(0.9, 0.8, 0.2)}
    with_names = fuse_adaptively(rankings, Signals(frozenset({"err_7"}), {}, SHARP, named), 60)
    without = fuse_adaptively(rankings, Signals(frozenset({"err_7"}), {}, SHARP), 60)
    assert (with_names.trust, with_names.reason) == (without.trust, without.reason)
    assert with_names.best(9, names_of).scores.tolist() == without.best(9, names_of).scores.tolist()


def test_the_other_legs_speak_for_the_graph_where_it_cannot_place_a_first_hit() -> None:
    rankings = {
        "sparse": ranking(4.0, 2.0),
        "dense": ranking(0.9, 0.2),
        "graph": Ranking(np.array([1]), np.array([1.0])),
    }
    signals = Signals(backgrounds=SHARP, named=0.7)
    placed, unplaced = (
        fuse_adaptively(rankings, replace(signals, unplaced=frozenset(handles)), 60) for handles in ((), (0,))
    )
    assert placed.scores.tolist() == pytest.approx([1 - placed.trust["graph"], unplaced.scores[1]])
    assert unplaced.scores.tolist()[0] == pytest.approx(1.0)
    told = unplaced.explain(0)[1]
    assert sum(why.contribution for why in told.values()) == pytest.approx(1.0)
    assert told["sparse"].contribution / told["dense"].contribution == pytest.approx(
        placed.trust["sparse"] / placed.trust["dense"]
    )


def test_what_an_identifier_adds_to_the_trust_in_words_goes_evenly_to_all_that_hold_it() -> None:
    words, vectors = ranking(4.0, 3.0, 1.0), Ranking(np.array([2, 1, 0]), np.array([0.9, 0.7, 0.5]))
    rankings = {"sparse": words, "dense": vectors}
    signals = Signals(frozenset({"err_7"}), {0: 0.8, 1: 0.8, 2: 0.8}, SHARP)
    trust = leg_trust(rankings, signals)[0]
    fused = fuse_adaptively(rankings, signals, 60)
    floor = 0.0  # of sparse, which has no background
    first, second = (trust["sparse"] * ((score - floor) / (4 - floor) + 5) / 6 for score in (4.0, 3.0))
    assert [fused.explain(handle)[1]["sparse"].contribution for handle in (0, 1)] == pytest.approx([first, second])


def test_what_holds_less_of_the_identifiers_gets_less() -> None:
    words = ranking(4.0, 3.9, 3.8)
    signals = Signals(frozenset({"err_7", "err_8"}), {0: 1.0, 1: 0.5}, {})
    shares = fuse_adaptively({"sparse": words}, signals, 60).scores.tolist()
    assert shares == pytest.approx([1.0, (3.9 / 4 + 5 * 0.5) / 6, (3.8 / 4) / 6])


@pytest.mark.parametrize("holding", [{}, {1: 1.0}, {0: 0.5, 1: 1.0}])
def test_the_first_in_all_legs_has_score_one_whatever_it_holds(holding: dict[int, float]) -> None:
    both = {"sparse": ranking(4.0, 3.0), "dense": ranking(0.9, 0.2)}
    fused = fuse_adaptively(both, Signals(frozenset({"err_7"}), holding, SHARP), 60)
    assert fused.scores.tolist()[0] == pytest.approx(1.0)
    assert max(fused.scores.tolist()) <= 1 + 1e-12


def test_a_graph_whose_names_are_in_everything_leaves_the_ranking_to_the_others() -> None:
    two = {"sparse": ranking(9, 6, 1), "dense": ranking(0.9, 0.8, 0.2)}
    backwards = Ranking(np.array([2, 1, 0], np.intp), np.array([3.0, 2.0, 1.0]))
    three = fuse_adaptively(two | {"graph": backwards}, Signals(backgrounds=SHARP), 60).best(9, names_of)
    assert (
        three.scores.tolist() == fuse_adaptively(two, Signals(backgrounds=SHARP), 60).best(9, names_of).scores.tolist()
    )


# -- in a search ----------------------------------------------------------------------------------------------------


class FixedLeg:
    """A leg that always finds the same."""

    def __init__(self, name: str, found: Sequence[tuple[str, float]]) -> None:
        self.name, self._found = name, list(found)

    def search(self, query: LegQuery) -> list[tuple[str, float]]:
        return self._found[: query.limit]


class Spy(HashEmbedder):
    """Notes the queries it is given."""

    def __init__(self) -> None:
        super().__init__(16)
        self.queries: list[str] = []

    def embed_query(self, text: str) -> list[float]:
        self.queries.append(text)
        return super().embed_query(text)


def with_legs(**legs: Sequence[tuple[str, float]]) -> HybridMemory:
    """A memory of `NAMES` whose legs find what is given, besides the sparse one, which finds nothing for ``?``."""
    engine = LocalEngine(None, tokenize, Config(), "full")
    memory = HybridMemory(engine, legs=[FixedLeg(name, found) for name, found in legs.items()])
    memory.add([{"id": name, "text": "the same words"} for name in NAMES])
    return memory


def embedded(embedder: HashEmbedder | None = None) -> HybridMemory:
    memory = HybridMemory.in_memory(embedder=embedder or HashEmbedder(16))
    memory.add(
        [
            {"id": "login", "text": "ERR_0x9941 when logging in"},
            {"id": "cart", "text": "ERR_0x9942 in the cart"},
            {"id": "pay", "text": "payments time out"},
            {"id": "ship", "text": "shipping is slow today"},
        ]
    )
    return memory


@given(RANKED, RANKED, WEIGHT, WEIGHT, st.sampled_from([1, 60, 1000]))
def test_a_search_fuses_as_the_function_does(
    one: list[tuple[str, float]], two: list[tuple[str, float]], w1: float, w2: float, k: float
) -> None:
    response = with_legs(one=one, two=two).search("?", weights={"one": w1, "two": w2}, rrf_k=k, top_k=9)
    ids = [[name for name, _ in ranking] for ranking in (one, two)]
    fused = reciprocal_rank_fusion(ids, [w1, w2], k)
    assert response.fusion == "rrf"
    assert [hit.id for hit in response] == [name for name, _ in fused]
    assert [hit.rrf_score for hit in response] == pytest.approx([score for _, score in fused])
    top = (w1 + w2) / (k + 1)
    assert [hit.score for hit in response] == pytest.approx([score / top for _, score in fused])


@given(RANKED, RANKED)
@FUSION
def test_the_order_of_legs_does_not_matter(
    fusion: Fusion, one: list[tuple[str, float]], two: list[tuple[str, float]]
) -> None:
    forth = with_legs(one=one, two=two).search("same", fusion=fusion, top_k=9)
    back = with_legs(two=two, one=one).search("same", fusion=fusion, top_k=9)
    assert {hit.id: hit.score for hit in forth} == pytest.approx({hit.id: hit.score for hit in back})


@given(RANKED, RANKED)
@FUSION
def test_first_in_all_legs_is_one_and_nothing_is_more(
    fusion: Fusion, one: list[tuple[str, float]], two: list[tuple[str, float]]
) -> None:
    best = [("first", 60.0)]
    memory = with_legs(one=best + one, two=best + two)
    memory.add({"id": "first", "text": "another"})
    response = memory.search("?", legs=("one", "two"), fusion=fusion, top_k=9)
    assert response[0].id == "first"
    assert response[0].score == pytest.approx(1.0)
    assert all(-1e-12 <= hit.score <= response[0].score for hit in response)


@given(RANKED, RANKED)
@FUSION
def test_trust_and_contributions_add_up(
    fusion: Fusion, one: list[tuple[str, float]], two: list[tuple[str, float]]
) -> None:
    response = with_legs(one=one, two=two).search("?", fusion=fusion, legs=("one", "two"), top_k=9)
    places = {"one": [name for name, _ in one], "two": [name for name, _ in two]}
    for hit in response:
        assert sum(hit.why.trust.values()) == pytest.approx(1.0)
        assert sum(leg.contribution for leg in hit.why.legs.values()) == pytest.approx(hit.score)
        assert {leg: why.rank for leg, why in hit.why.legs.items()} == {
            leg: ids.index(hit.id) + 1 for leg, ids in places.items() if hit.id in ids
        }
        assert hit.why.reason


@FUSION
def test_a_leg_that_finds_nothing_leaves_the_ranking_to_the_others(fusion: Fusion) -> None:
    found = [("883", 9.0), ("9", 4.0), ("55", 1.0)]
    memory = with_legs(one=found, two=[])
    alone = memory.search("?", legs=("one",), fusion=fusion, top_k=9)
    beside = memory.search("?", legs=("one", "two"), fusion=fusion, top_k=9)
    assert [hit.id for hit in beside] == [hit.id for hit in alone] == ["883", "9", "55"]


def test_auto_gives_no_trust_to_a_leg_that_finds_nothing() -> None:
    memory = with_legs(one=[("883", 9.0), ("9", 4.0)], two=[])
    hit = memory.search("?", legs=("one", "two"))[0]
    assert (hit.score, hit.why.trust) == (1.0, {"one": 1.0, "two": 0.0})


def test_a_record_that_one_leg_alone_finds_can_win() -> None:
    memory = with_legs(one=[("883", 90.0)], two=[("55", 3.0)])
    weighted = memory.search("?", weights={"one": 3, "two": 1})
    assert [(hit.id, list(hit.why.legs)) for hit in weighted] == [("883", ["one"]), ("55", ["two"])]
    elsewhere = HashEmbedder(16).embed_query("shipping is slow today")
    exact = embedded().search("ERR_0x9942", vector=elsewhere, candidates=1, top_k=1)
    assert [(hit.id, list(hit.why.legs)) for hit in exact] == [("cart", ["sparse"])]


def test_identifiers_that_the_memory_knows_raise_the_trust_in_exact_words() -> None:
    memory = embedded()
    vector = HashEmbedder(16).embed_query("slow payments")  # so that only the words of the query differ

    def trust(query: str) -> float:
        return memory.search(query, vector=vector)[0].why.trust["sparse"]

    assert trust("payments ERR_0x9941") > trust("payments ERR_0x7777") == trust("payments")
    hit = memory.search("what was ERR_0x9942 again", vector=vector)[0]
    assert hit.id == "cart"
    assert "err_0x9942" in hit.why.reason.casefold()


def test_auto_is_the_default_and_weights_or_k_mean_rrf() -> None:
    memory = embedded()
    assert memory.search("slow").fusion == memory.search("slow", fusion="auto").fusion == "auto"
    for options in ({"weights": {"sparse": 1}}, {"rrf_k": 60}, {"fusion": "rrf"}):
        assert memory.search("slow", **options).fusion == "rrf"
    assert [hit.rrf_score for hit in memory.search("slow payments", rrf_k=9, legs=("sparse",))] == [1 / 10, 1 / 11]


def test_auto_with_weights_is_an_error() -> None:
    with pytest.raises(InvalidInputError, match="auto"):
        embedded().search("slow", fusion="auto", weights={"sparse": 1})


def test_every_leg_has_weight_one_when_only_k_is_given() -> None:
    memory = embedded()
    assert memory.search("slow", rrf_k=7).hits == memory.search("slow", rrf_k=7, weights={"sparse": 1, "dense": 1}).hits


@pytest.mark.parametrize("weights", [{"sparse": 1}, {"sparse": 1, "dense": 0}])
def test_a_leg_of_weight_zero_or_without_a_weight_is_not_run(weights: dict[str, float]) -> None:
    spy = Spy()
    memory = embedded(spy)
    spy.queries.clear()
    response = memory.search("slow payments", weights=weights)
    assert spy.queries == []
    assert response.legs == ("sparse",)
    assert [(hit.id, list(hit.why.legs)) for hit in response] == [("pay", ["sparse"]), ("ship", ["sparse"])]
    memory.search("slow payments")
    assert spy.queries == ["slow payments"]


def test_legs_and_weights_name_legs_together() -> None:
    memory = embedded()
    with pytest.raises(InvalidInputError, match="no leg is left"):
        memory.search("slow", legs=("dense",), weights={"sparse": 1})
    assert memory.search("slow", legs=("dense",), weights={"sparse": 1, "dense": 1}).legs == ("dense",)
