"""Names that may be one entity: suggested, and settled by people or by a judge."""

import asyncio
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import cast

import pytest

from hybrid_agent_memory import FilterError, HybridMemory, InvalidInputError, Suggestion

ACME = [{"id": "x", "text": "Acme Robotics called."}, {"id": "y", "text": "The order is for Acme."}]


class Synonyms:
    """An embedder for which some names mean the same."""

    name = "synonyms"
    meanings = ("boat ship", "tax duty", "lamp light", "rope cord", "iron steel")

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        words = [any(word in text.lower() for word in pair.split()) for pair in self.meanings]
        return [0.05, *(float(word) for word in words)]


@pytest.fixture
def memory() -> HybridMemory:
    made = HybridMemory.in_memory()
    made.add_episodes(ACME)
    return made


def names(memory: HybridMemory) -> list[tuple[str, tuple[str, ...]]]:
    return [(entity.name, entity.aliases) for entity in memory.entities("acme")]


def test_a_pair_that_was_unmerged_is_not_suggested_again(memory: HybridMemory) -> None:
    assert [(pair.a, pair.b) for pair in memory.entities().suggest_merges()] == [("Acme", "Acme Robotics")]
    memory.unmerge("Acme", "Acme Robotics")
    assert memory.entities().suggest_merges() == []


@pytest.mark.parametrize(
    "texts",
    [
        ["Mr. Solberg called.", "Kari Solberg owns Project Atlas.", "Ola Solberg owns Project Zeus."],
        ["Acme Robotics called.", "The order is for ACME."],
        ["张伟负责采购。", "Zhang Wei owns Project Atlas."],
    ],
)
def test_what_is_suggested_can_be_merged_as_it_is(texts: list[str]) -> None:
    memory = HybridMemory.in_memory()
    memory.add_episodes(texts)
    written = {name for entity in memory.entities() for name in (entity.name, *entity.aliases)}
    before = len(memory.entities())
    suggested = memory.entities.suggest_merges()
    assert suggested
    assert {name for pair in suggested for name in (pair.a, pair.b)} <= written
    memory.merge_entities(suggested[0].a, suggested[0].b)
    assert len(memory.entities()) == before - 1


def jordans() -> HybridMemory:
    """A memory with a person, a place and somebody or something of one name."""
    memory = HybridMemory.in_memory()
    for kind in ("person", "place", "name"):
        memory.add_facts([{"subject": "Jordan", "predicate": "praised", "object": "Oslo", "subject_type": kind}])
    return memory


def test_a_name_of_several_entities_is_suggested_and_merged_with_its_type() -> None:
    memory = jordans()
    assert memory.entities.suggest_merges() == [
        Suggestion("Jordan (name)", f"Jordan ({kind})", 0.6, "one name, of which two types are known")
        for kind in ("person", "place")
    ]
    memory.merge_entities("Jordan (name)", " jordan (person) ")
    assert [(entity.name, entity.mentions) for entity in memory.entities("jordan")] == [("Jordan", 2), ("Jordan", 1)]
    assert [(one.a, one.b) for one in memory.entities.merges()] == [("Jordan (name)", "Jordan (person)")]
    assert [one.same for one in jordans().entities.judge_merges(lambda a, b, *_: "person" in a + b)] == [True, False]


@pytest.mark.parametrize("call", ["merge_entities", "unmerge"])
@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("Jordan", "'Jordan' is several entities: say which, 'Jordan (name)' or 'Jordan (person)' or 'Jordan (place)'"),
        ("Jordan (product)", "no entity goes by 'Jordan (product)': entities() lists them"),
        (" ", "entity ' ' is no name: give one as texts write it"),
        (None, "entity None is no name: give one as texts write it"),
        (Suggestion("a", "b", 0.5, ""), "is no name: give one as texts write it"),
    ],
)
def test_what_is_no_name_of_one_entity_is_refused_with_what_to_give(call: str, name: object, remedy: str) -> None:
    memory = jordans()
    for names in ((name, "Oslo"), ("Oslo", name)):
        with pytest.raises(InvalidInputError, match=re.escape(remedy)):
            getattr(memory, call)(*names)
    assert memory.entities.merges() == []


def test_taking_apart_what_the_rules_join_too_is_one_decision() -> None:
    memory = HybridMemory.in_memory()
    memory.add_episodes(["张伟负责采购。", "张总来了。"])
    memory.merge_entities("张总", "张伟")
    memory.unmerge("张总", "张伟")
    assert [entity.name for entity in memory.entities("张")] == ["张伟", "张总"]
    assert [(one.op, one.a, one.b) for one in memory.entities.merges()] == [
        ("merge", "张总", "张伟"),
        ("unmerge", "张总", "张伟"),
    ]


def test_a_judge_sees_the_texts_and_its_decision_holds(memory: HybridMemory) -> None:
    asked: list[tuple[str, str, list[str], list[str]]] = []

    def judge(a: str, b: str, texts_a: Sequence[str], texts_b: Sequence[str]) -> bool:
        asked.append((a, b, list(texts_a), list(texts_b)))
        return True

    (judged,) = memory.entities().judge_merges(judge)
    assert asked == [("Acme", "Acme Robotics", [ACME[1]["text"]], [ACME[0]["text"]])]
    assert (judged.a, judged.b, judged.same) == ("Acme", "Acme Robotics", True)
    assert names(memory) == [("Acme Robotics", ("Acme",))]


@pytest.mark.parametrize("gone", ["x", "y"])
def test_a_judgement_goes_with_a_text_it_was_made_from(memory: HybridMemory, gone: str) -> None:
    kept = {"x": "The crane is from Acme Robotics.", "y": "Acme sent the crane."}[gone]
    memory.entities().judge_merges(lambda *_: True)
    memory.add_episode(kept, id="z")
    assert len(names(memory)) == 1
    memory.delete(gone)
    assert names(memory) == [("Acme", ()), ("Acme Robotics", ())]


def test_a_judge_that_says_no_keeps_them_apart_and_one_that_does_not_know_changes_nothing(memory: HybridMemory) -> None:
    assert [one.same for one in memory.entities().judge_merges(lambda *_: None)] == [None]
    assert len(memory.entities().suggest_merges()) == 1
    assert [one.same for one in memory.entities().judge_merges(lambda *_: False)] == [False]
    assert memory.entities().suggest_merges() == []


def test_names_that_mean_alike_are_suggested_where_there_is_an_embedder() -> None:
    words = [f"{word.title()} Yard" for pair in Synonyms.meanings for word in pair.split()]
    with HybridMemory.in_memory(embedder=Synonyms()) as memory:
        memory.add_episodes([{"id": name, "text": f"We wrote to {name} again."} for name in words])
        pairs = {(pair.a, pair.b) for pair in memory.entities().suggest_merges() if "alike" in pair.reason}
    assert ("Boat Yard", "Ship Yard") in pairs


def test_the_entities_of_a_memory_can_be_asked_for_suggestions_before_they_are_listed(memory: HybridMemory) -> None:
    assert memory.entities.suggest_merges() == memory.entities().suggest_merges() != []
    assert [entity.name for entity in memory.entities("robotics")] == [
        entity.name for entity in memory.entities() if "Robotics" in entity.name
    ]


def test_what_was_decided_is_told_oldest_first() -> None:
    moment = datetime(2024, 11, 1, tzinfo=UTC)
    memory = HybridMemory.in_memory(clock=lambda: moment)
    assert memory.entities.merges() == []
    memory.add_episodes(["Acme Robotics called.", {"id": "b", "text": "The order is for Acme."}])
    memory.merge_entities("acme", "Acme Robotics")
    memory.unmerge("Acme Robotics", "Acme")
    memory.entities.judge_merges(lambda *_: True)
    told = [(one.op, one.a, one.b, one.time, one.judged) for one in memory.entities().merges()]
    assert told == [
        ("merge", "Acme", "Acme Robotics", moment, False),
        ("unmerge", "Acme Robotics", "Acme", moment, False),
        ("merge", "Acme", "Acme Robotics", moment, True),
    ]
    memory.delete("b")
    assert [(one.op, one.a) for one in memory.entities.merges()] == [("merge", "acme"), ("unmerge", "Acme Robotics")]
    assert memory.namespace("other").entities.merges() == []


def test_the_asynchronous_twins_say_the_same(memory: HybridMemory) -> None:
    async def asked() -> tuple[object, ...]:
        return (
            list(await memory.aentities("acme")),
            await memory.entities.asuggest_merges(1),
            await memory.entities.ajudge_merges(lambda *_: None),
            await memory.entities.amerges(),
            await memory.anamespaces(),
            [record async for record in memory.aexport({"n": {"$exists": False}})],
        )

    assert asyncio.run(asked()) == (
        list(memory.entities("acme")),
        memory.entities.suggest_merges(1),
        memory.entities.judge_merges(lambda *_: None),
        memory.entities.merges(),
        memory.namespaces(),
        list(memory.export({"n": {"$exists": False}})),
    )


def test_an_asynchronous_export_that_is_long_or_wrong() -> None:
    memory = HybridMemory.in_memory()
    memory.add([f"number {number}" for number in range(600)])

    async def exported(condition: dict[str, object] | None) -> list[dict[str, object]]:
        return [record async for record in memory.aexport(condition)]

    assert asyncio.run(exported(None)) == list(memory.export())
    with pytest.raises(FilterError):
        asyncio.run(exported({"n": {"$nope": 1}}))


@pytest.mark.parametrize(
    "merges",
    [
        [("Acme", "Nadir"), ("Zenith", "Nadir")],
        [("Zenith", "Nadir"), ("Acme", "Nadir")],
        [("Acme", "Zenith"), ("Acme", "Nadir"), ("Zenith", "Nadir")],
    ],
)
def test_two_names_that_were_merged_with_a_third_are_taken_apart(merges: list[tuple[str, str]]) -> None:
    memory = HybridMemory.in_memory()
    memory.add_episodes([f"{name} Robotics called." for name in ("Acme", "Zenith", "Nadir")])
    for a, b in merges:
        memory.merge_entities(f"{a} Robotics", f"{b} Robotics")
    assert len(memory.entities()) == 1
    memory.unmerge("Acme Robotics", "Zenith Robotics")
    found = {frozenset((entity.name, *entity.aliases)) for entity in memory.entities()}
    assert found == {frozenset(("Acme Robotics", "Nadir Robotics")), frozenset(("Zenith Robotics",))}
    memory.merge_entities("Acme Robotics", "Zenith Robotics")
    assert len(memory.entities()) == 1


@pytest.mark.parametrize("limit", [0, -1, 2.5, None, True, "5"])
def test_a_limit_of_suggestions_is_a_whole_number_of_at_least_one(limit: object) -> None:
    with HybridMemory.in_memory() as memory:
        for asked in (
            memory.entities.suggest_merges,
            lambda limit: memory.entities.judge_merges(lambda *_: True, limit),
        ):
            with pytest.raises(InvalidInputError, match=r"limit .* must be a whole number of at least 1"):
                asked(cast("int", limit))


def test_the_graph_is_drawn_anew_when_a_fact_ends() -> None:
    today = [datetime(2026, 1, 15, tzinfo=UTC)]
    with HybridMemory.in_memory(clock=lambda: today[0]) as memory:
        memory.add_facts([{"subject": "Zoe", "predicate": "works_for", "object": "Acme", "invalid_at": "2026-03-01"}])
        drawn = memory.graph
        assert list(drawn.edges()) == [("Zoe", "Acme")]
        today[0] = datetime(2026, 2, 28, tzinfo=UTC)
        assert memory.graph is drawn
        today[0] = datetime(2026, 3, 1, tzinfo=UTC)
        assert list(memory.graph.edges()) == []
