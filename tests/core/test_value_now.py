"""What is so now comes before what is yet to be, and is not old."""

from typing import Literal

import pytest

from hybrid_agent_memory import HybridMemory
from hybrid_agent_memory.testing import HashEmbedder

NOTES = [
    {"id": "now", "text": "The budget of Project Lantern is 135k.", "time": "2026-01-10"},
    {"id": "soon", "text": "From 1 July 2026 the budget of Project Lantern will be 200k.", "time": "2026-05-20"},
    {"id": "later", "text": "From 1 October 2026 the budget of Project Lantern will be 250k.", "time": "2026-05-21"},
    {"id": "owner", "text": "Marcus Bell owns Project Lantern.", "time": "2026-01-11"},
    {"id": "boss", "text": "Priya Raman reports to Dagny Holt.", "time": "2026-05-01"},
    {"id": "lunch", "text": "Priya Raman had lunch near the project office.", "time": "2026-05-01"},
]


@pytest.fixture
def memory() -> HybridMemory:
    memory = HybridMemory.in_memory(embedder=HashEmbedder(64))
    memory.add_episodes(NOTES)
    return memory


Kind = Literal["chunk", "fact"]


def order(memory: HybridMemory, query: str, now: str = "2026-06-01", kind: Kind = "chunk") -> list[str]:
    hits = memory.search(query, now=now, kinds=(kind,), top_k=10)
    return [hit.id.removesuffix("!0") for hit in hits if hit.id.removesuffix("!0") in ("now", "soon", "later")]


@pytest.mark.parametrize("kind", ["chunk", "fact"])
@pytest.mark.parametrize("query", ["What is the budget of Project Lantern now?", "budget of Project Lantern"])
def test_the_value_of_now_comes_before_values_to_come(memory: HybridMemory, query: str, kind: Kind) -> None:
    assert order(memory, query, kind=kind)[0] == "now"
    assert order(memory, query, now="2026-08-01", kind=kind)[0] == "soon"
    assert order(memory, query, now="2026-11-01", kind=kind)[0] == "later"


def test_a_question_about_the_future_is_answered_by_it(memory: HybridMemory) -> None:
    assert order(memory, "What will the budget of Project Lantern be?")[0] in ("soon", "later")


def test_now_does_not_age_what_still_holds(memory: HybridMemory) -> None:
    query = "Who owns Project Lantern now?"
    decays = {hit.id: hit.why.decay for hit in memory.search(query, now="2026-12-01", top_k=10)}
    assert decays["owner"] == 1
    assert decays["now"] < 1  # superseded
    assert decays["lunch"] < 1  # states nothing
    aged = memory.search(query, now="2026-12-01", time_decay=0.5, top_k=10)
    assert {hit.id: hit.why.decay for hit in aged}["owner"] < 1


def test_facts_of_the_predicate_that_is_asked_for_come_first(memory: HybridMemory) -> None:
    assert memory.search("who owns what?", kinds=("fact",), now="2026-06-01")[0].id == "owner!0"
    assert memory.search("reports to", kinds=("fact",), now="2026-06-01")[0].id == "boss!0"


def test_a_hidden_value_of_now_is_not_pulled_in(memory: HybridMemory) -> None:
    found = memory.search("budget of Project Lantern", now="2026-06-01", filter={"@id": {"$ne": "now"}}, top_k=10)
    assert "now" not in [hit.id for hit in found]
