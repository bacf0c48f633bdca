"""The leave-one-set-out benchmark: it ranks as the memory would, and chooses without what it leaves out."""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from benchmarks import leave_one_out
from benchmarks._beir import Collection, Query
from benchmarks.leave_one_out import (
    CONSTANTS,
    POWER,
    SHIPPED_POWER,
    Measured,
    Question,
    changes,
    flatness,
    leave_out,
    measure,
    patched,
    recall,
    settings,
    shipped_setting,
)
from hybrid_agent_memory import HybridMemory
from hybrid_agent_memory import fusion as fusion_module
from hybrid_agent_memory.testing import HashEmbedder

EPISODES = [
    {"id": "owner", "text": "The owner of Project Harbor is Ms. Okafor.", "time": "2026-03-02"},
    {"id": "pallets", "text": "Ms. Okafor complained about late pallets.", "time": "2026-03-05"},
    {"id": "budget", "text": "The budget of Project Harbor is 500k.", "time": "2026-03-09"},
    {"id": "code", "text": "ERR_0x9941 stopped the build of Project Harbor."},
    {"id": "codes", "text": "ERR_0x9942 stopped the build, and a late pallet the owner."},
    {"id": "lunch", "text": "Lunch with Tom Weber was late again, said the owner of the canteen."},
    {"id": "long", "text": "Tom Weber likes pallets. " * 60},
]
QUERIES = [
    Query("q1", "Has the owner of Project Harbor complained?", "all", "default", "2026-05-01"),
    Query("q2", "what was ERR_0x9941 about", "all", "default", "2026-05-01"),
    Query("q3", "who was late", "all", "default", "2026-05-01"),
    Query("q4", "pallets", "all", "default", "2026-05-01"),
]


@pytest.fixture
def memory() -> HybridMemory:
    memory = HybridMemory.in_memory(embedder=HashEmbedder(16))
    memory.add_episodes(EPISODES)
    return memory


def searched(memory: HybridMemory, query: Query, legs: tuple[str, ...] | None = None) -> list[str]:
    hits = memory.search(query.text, top_k=10, now=query.time, legs=legs)
    return list(dict.fromkeys(hit.episode_id for hit in hits))


# -- settings ---------------------------------------------------------------------------------------------------------


def test_every_parameter_is_kept_halved_and_doubled_in_all_combinations() -> None:
    tried = settings()
    assert tried[0] == shipped_setting() == {n: getattr(fusion_module, n) for n in CONSTANTS} | {POWER: SHIPPED_POWER}
    assert len({tuple(setting.values()) for setting in tried}) == len(tried) == 3 ** len(shipped_setting())
    for name, value in shipped_setting().items():
        assert {setting[name] for setting in tried} == {value / 2, value, 2 * value}


def test_settings_come_nearest_to_the_shipped_one_first() -> None:
    changed = [sum(setting[name] != value for name, value in shipped_setting().items()) for setting in settings()]
    assert changed == sorted(changed)


def test_a_setting_is_told_by_what_differs() -> None:
    assert changes(shipped_setting()) == "as shipped"
    assert changes(shipped_setting() | {"CHAIN_TRUST": 9.5, POWER: 3.0}) == f"CHAIN_TRUST 9.5, {POWER} 3"


def test_constants_are_put_back_even_after_an_error() -> None:
    before = fusion_module.CHAIN_TRUST
    with pytest.raises(KeyError, match=r"0\.25"), patched(fusion_module, {"CHAIN_TRUST": 0.25}):
        raise KeyError(fusion_module.CHAIN_TRUST)
    assert before == fusion_module.CHAIN_TRUST


def test_a_constant_that_is_not_there_is_an_error() -> None:
    with pytest.raises(AttributeError, match="NO_SUCH"), patched(fusion_module, {"NO_SUCH": 1.0}):
        pass


# -- measuring --------------------------------------------------------------------------------------------------------


def test_recall_looks_at_the_first_five() -> None:
    assert recall(["a", "b", "c", "d", "e", "f"], {"a", "e", "f", "z"}) == 2 / 4
    assert recall([], {"a"}) == recall(["a"], set()) == 0


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.id)
def test_every_setting_ranks_as_the_memory_would_with_it(memory: HybridMemory, query: Query) -> None:
    question = Question(memory, query)
    for setting in settings():
        if setting[POWER] == SHIPPED_POWER:
            with patched(fusion_module, {name: setting[name] for name in CONSTANTS}):
                expected = searched(memory, query)
            assert question.fused(setting) == expected


def test_settings_differ_in_what_they_rank_first_and_in_where_the_graph_starts(memory: HybridMemory) -> None:
    questions = [Question(memory, query) for query in QUERIES]
    rankings = {tuple(tuple(question.fused(setting)) for question in questions) for setting in settings()}
    assert len(rankings) > 1
    assert any(len(question._by_seeds) > 1 for question in questions)


@pytest.mark.parametrize("leg", ["sparse", "dense", "graph"])
def test_a_leg_alone_ranks_as_the_memory_would_with_it(memory: HybridMemory, leg: str) -> None:
    for query in QUERIES:
        assert Question(memory, query).ranked_by(leg) == searched(memory, query, (leg,))


def test_without_entities_the_graph_finds_nothing() -> None:
    memory = HybridMemory.in_memory(embedder=HashEmbedder(16))
    memory.add([{"id": "a", "text": "lunch was late"}, {"id": "b", "text": "late again"}])
    question = Question(memory, QUERIES[2])
    assert question.ranked_by("graph") == []
    assert question.fused(shipped_setting()) == searched(memory, QUERIES[2])


def test_the_power_moves_the_trust_in_the_graph(memory: HybridMemory) -> None:
    answer = leave_one_out.answered(memory, QUERIES[0])
    named = answer.answer.signals.named
    assert 0 < named < 1
    usual, steep = (answer.trust(power)[2] / answer.trust(power)[0] for power in (2.0, 4.0))
    assert steep / usual == pytest.approx(named**2)


def test_a_query_that_nothing_answers_cannot_be_measured() -> None:
    with pytest.raises(SystemExit, match="q1"):
        Question(HybridMemory.in_memory(), QUERIES[0])


def test_a_data_set_is_measured_per_leg_and_setting(memory: HybridMemory) -> None:
    relevant = {"q1": {"owner": 1, "pallets": 2}, "q2": {"code": 1}, "q3": {"lunch": 1}}
    collection = Collection("small", {"default": []}, QUERIES[:3], relevant)
    tried = settings()[:3]
    measured = measure(memory, collection, tried)
    expected = [recall(searched(memory, query), relevant[query.id].keys()) for query in QUERIES[:3]]
    assert measured.fused[0] == pytest.approx(sum(expected) / 3)
    sparse = [recall(searched(memory, query, ("sparse",)), relevant[query.id].keys()) for query in QUERIES[:3]]
    assert measured.legs["sparse"] == pytest.approx(sum(sparse) / 3)
    assert measured.fused.shape == (3,)


# -- judging ----------------------------------------------------------------------------------------------------------


def sets(**fused: list[float]) -> dict[str, Measured]:
    legs: Mapping[str, float] = {"sparse": 0.5, "dense": 0.6, "graph": 0.2}
    return {name: Measured(legs, np.array(values)) for name, values in fused.items()}


def test_a_set_has_no_say_in_the_setting_it_is_tried_with() -> None:
    measured = sets(a=[0.7, 0.1, 0.9], b=[0.6, 0.8, 0.5], c=[0.6, 0.8, 0.7])
    verdict = leave_out("a", measured)
    assert (verdict.setting, verdict.left_out, verdict.shipped) == (1, 0.1, 0.7)
    assert (verdict.best_leg, verdict.leg) == ("dense", 0.6)
    assert verdict.others == pytest.approx(0.8 - 0.6)
    assert verdict.difference == pytest.approx(0.1 - 0.6)
    assert leave_out("b", measured).setting == 2  # (.9 + .7) beats (.7 + .6) and (.1 + .8)


def test_of_equally_good_settings_the_nearest_to_shipped_is_chosen() -> None:
    measured = sets(a=[0.5, 0.5], b=[0.1 + 0.2, 0.3], c=[0.3, 0.1 + 0.2])
    assert [leave_out(name, measured).setting for name in measured] == [0, 0, 0]


@pytest.mark.parametrize(("recall_left_out", "accepted"), [(0.59, True), (0.58001, True), (0.57, False)])
def test_two_points_below_the_best_leg_are_accepted(recall_left_out: float, accepted: bool) -> None:
    assert leave_out("a", sets(a=[recall_left_out], b=[0.6])).accepted is accepted


def test_flatness_counts_the_settings_near_the_best_mean() -> None:
    flat = flatness(sets(a=[0.70, 0.71, 0.60, 0.706], b=[0.70, 0.71, 0.75, 0.706]))
    assert (flat.settings, flat.best_setting, flat.near_best) == (4, 1, 2)  # means .70, .71, .675, .706
    assert flat.best == pytest.approx(0.11)
    assert flat.shipped == pytest.approx(0.10)


# -- the command ------------------------------------------------------------------------------------------------------


def data_set(folder: Path, *, wanted: str) -> Path:
    (folder / "qrels").mkdir(parents=True)
    rows = [{"_id": str(item["id"]), "text": item["text"], "metadata": {}} for item in EPISODES]
    (folder / "corpus.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    query = {"_id": "q", "text": "Has the owner of Project Harbor complained?", "metadata": {"time": "2026-05-01"}}
    (folder / "queries.jsonl").write_text(json.dumps(query), "utf-8")
    (folder / "qrels" / "test.tsv").write_text(f"query-id\tcorpus-id\tscore\nq\t{wanted}\t1\n", "utf-8")
    return folder


def test_the_command_prints_a_table_and_writes_the_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(leave_one_out, "_local_embedder", lambda cache: HashEmbedder(16))
    folders = [data_set(tmp_path / "one", wanted="owner"), data_set(tmp_path / "two", wanted="pallets")]
    leave_one_out.main([*map(str, folders), "--json", str(tmp_path / "out.json")])
    report = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert set(report["sets"]) == {"one", "two"}
    assert report["flatness"]["settings"] == len(settings())
    printed = capsys.readouterr().out
    for name, told in report["sets"].items():
        assert told["difference"] == told["left_out"] - told["leg"] == told["left_out"] - max(told["legs"].values())
        assert f"\n| {name} " in printed


@pytest.mark.parametrize("count", [1, 2])
def test_the_command_needs_two_different_data_sets(tmp_path: Path, count: int) -> None:
    with pytest.raises(SystemExit):
        leave_one_out.main([str(tmp_path)] * count)
