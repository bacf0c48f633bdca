"""What every memory does, whichever engine is under it: subclass `MemoryContract` in a test module and run pytest."""

# ruff: noqa: D102  # the name of a case is its sentence

import asyncio
from collections.abc import Callable, Sequence
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from hybrid_agent_memory import Chunk, ClosedMemoryError, Fact, HybridMemory, InvalidInputError, Receipt, Response
from hybrid_agent_memory.testing.embedders import HashEmbedder

NOTES: list[dict[str, object]] = [
    {"id": "n1", "text": "red apple pie", "metadata": {"kind": "food", "stars": 3, "tags": ["sweet", "baked"]}},
    {"id": "n2", "text": "green apple", "metadata": {"kind": "food", "stars": 5}, "speaker": "ann"},
    {"id": "n3", "text": "red bicycle", "metadata": {"kind": "toy", "stars": 1}, "time": "2024-11-05T12:00:00Z"},
    {"id": "n4", "text": "blue ocean wave", "metadata": {}, "source": "sea.md", "session": "s1"},
    {"id": "n5", "text": "pie in the sky", "metadata": {"kind": "idiom", "stars": None}},
]
IDS = ["n1", "n2", "n3", "n4", "n5"]
NOON = datetime(2024, 11, 5, 12, tzinfo=UTC)
DAY = timedelta(days=1)
FACTS: list[dict[str, object]] = [
    {
        "id": "f1",
        "time": NOON - 2 * DAY,
        "subject": "Atlas",
        "predicate": "budget",
        "object": "500k",
        "object_type": "amount",
    },
    {
        "id": "f2",
        "time": NOON - DAY,
        "subject": "Atlas",
        "predicate": "budget",
        "object": "600k",
        "object_type": "amount",
    },
    {"id": "f3", "time": NOON, "subject": "Atlas", "predicate": "owner", "object": "Ann"},
    {"id": "f4", "time": NOON, "subject": "Ann", "predicate": "lives_in", "object": "Oslo"},
]
NO_ITEM: list[tuple[str, object]] = [
    ("blank text", "  "),
    ("no text", {"id": "x"}),
    ("another type", 7),
    ("unknown key", {"text": "t", "colour": "red"}),
    ("blank id", {"id": "", "text": "t"}),
    ("number as id", {"id": 3, "text": "t"}),
    ("bad time", {"text": "t", "time": "yesterday-ish"}),
    ("metadata list", {"text": "t", "metadata": ["a"]}),
    ("metadata set", {"text": "t", "metadata": {"a": {1, 2}}}),
    ("metadata NaN", {"text": "t", "metadata": {"a": float("nan")}}),
    ("reserved key", {"text": "t", "metadata": {"@id": "x"}}),
    ("lone surrogate", {"text": "\ud800"}),
    ("NaN vector", {"text": "t", "vector": [float("nan")] * 16}),
    ("zero vector", {"text": "t", "vector": [0.0] * 16}),
    ("short vector", {"text": "t", "vector": [1.0]}),
]
NO_OPTION: list[dict[str, Any]] = [
    {"top_k": 0},
    {"top_k": -1},
    {"top_k": 2.5},
    {"top_k": True},
    {"candidates": 0},
    {"rrf_k": 0},
    {"rrf_k": float("nan")},
    {"weights": {}},
    {"weights": {"sparse": -1}},
    {"weights": {"sparse": 0, "dense": 0}},
    {"weights": {"nose": 1}},
    {"weights": {"sparse": 1}, "fusion": "auto"},
    {"fusion": "sum"},
    {"legs": ()},
    {"legs": "sparse"},
    {"legs": ("nose",)},
    {"legs": 3},
    {"min_confidence": 1.5},
    {"min_confidence": float("nan")},
    {"rerank": 0},
    {"on_error": "ignore"},
    {"time_decay": 2},
    {"decay_floor": -1},
    {"authority_weight": -1},
    {"max_depth": 4},
    {"kinds": ()},
    {"kinds": ("nose",)},
    {"now": "soon"},
    {"as_of": "soon"},
    {"known_at": []},
    {"filter": {"stars": {"$near": 3}}},
    {"filter": ["stars"]},
    {"vector": [1.0, 2.0]},
    {"vector": [float("inf")] * 16},
    {"vector": "north"},
]


MakeMemory = Callable[..., HybridMemory]
"""Makes a new, empty memory that no other test sees; takes the keywords of `HybridMemory.in_memory`."""
Settle = Callable[[HybridMemory], HybridMemory]


def at_noon() -> datetime:
    """The clock of every memory in this suite, so that two searches see records of one age; `NOTES` have none yet."""
    return NOON


def ids(response: Response) -> list[str]:
    """The ids of hits, best first."""
    return [hit.id for hit in response]


def told(facts: Sequence[Fact]) -> list[tuple[str, str]]:
    """Objects of facts, and whether they hold."""
    return [(fact.object, fact.status) for fact in facts]


def contents(memory: HybridMemory) -> list[dict[str, object]]:
    """Everything a memory holds, as comparable values."""
    return list(memory.export(vectors=True))


class MemoryContract:
    """The suite. A subclass gives one fixture, `make_memory`; it may give `settle` too.

    `settle` is called between writing and reading and returns the memory to read from: the one it is given, or one
    that was opened anew, with the clock `at_noon`.

    Examples
    --------
    >>> class TestMine(MemoryContract):
    ...     @pytest.fixture
    ...     def make_memory(self) -> MakeMemory:
    ...         return HybridMemory.in_memory
    """

    @pytest.fixture
    def settle(self) -> Settle:
        """Read from the memory that was written to."""
        return lambda memory: memory

    @pytest.fixture
    def vectored(self, make_memory: MakeMemory) -> HybridMemory:
        """An empty memory with a sparse and a dense leg."""
        return make_memory(embedder=HashEmbedder(16), clock=at_noon)

    @pytest.fixture(params=["with vectors", "without vectors"])
    def memory(self, request: pytest.FixtureRequest, make_memory: MakeMemory) -> HybridMemory:
        """An empty memory, once with a dense leg and once without."""
        embedder = HashEmbedder(16) if request.param == "with vectors" else None
        return make_memory(embedder=embedder, clock=at_noon)

    @pytest.fixture
    def notes(self, memory: HybridMemory, settle: Settle) -> HybridMemory:
        """A memory that holds `NOTES`."""
        memory.add(NOTES)
        return settle(memory)

    # -- what is written is found -----------------------------------------------------------------------------------

    def test_an_empty_memory_has_nothing(self, memory: HybridMemory) -> None:
        assert ids(memory.search("apple")) == []
        assert memory.search("apple", filter={"kind": "food"}, legs=("sparse",)).failures == {}
        assert memory.get(["n1"]) == [None]
        assert (memory.count(), memory.count({"kind": "food"}), memory.stats().records) == (0, 0, 0)
        assert (memory.namespaces(), contents(memory), memory.dimension) == ([], [], None)
        assert memory.delete("n1").ids == memory.delete(filter={"kind": "food"}).ids == ()
        assert memory.add([]) == []

    @pytest.mark.parametrize("size", [1, 2, 3])
    def test_a_few_records_and_more_hits_asked_for_than_there_are(
        self, vectored: HybridMemory, settle: Settle, size: int
    ) -> None:
        vectored.add(NOTES[:size])
        memory = settle(vectored)
        assert sorted(ids(memory.search("apple", top_k=100))) == IDS[:size]
        assert ids(memory.search("red apple pie", top_k=1)) == ["n1"]
        assert ids(memory.search("apple", top_k=100, legs=("sparse",))) == ["n2", "n1"][-size:]

    def test_records_come_back_as_they_were_given(self, notes: HybridMemory) -> None:
        assert [note["id"] for note in contents(notes)] == IDS
        assert [note["metadata"] for note in contents(notes)] == [note["metadata"] for note in NOTES]
        first, third, fourth = notes.get(["n1", "n3", "n4"])
        assert first is not None
        assert third is not None
        assert fourth is not None
        assert (first.text, first.time, first.source) == ("red apple pie", None, None)
        assert third.time == NOON
        assert (fourth.source, fourth.session, fourth.episode_id) == ("sea.md", "s1", "n4")

    def test_get_keeps_the_order_and_marks_what_is_missing(self, notes: HybridMemory) -> None:
        found = notes.get(["n3", "nope", "n1", "n3"])
        assert [record and record.id for record in found] == ["n3", None, "n1", "n3"]
        assert [record and record.id for record in notes.get("n2")] == ["n2"]
        assert notes.get([]) == []
        assert notes.get("\ud800") == [None]

    def test_without_an_id_equal_texts_are_two_records(self, memory: HybridMemory, settle: Settle) -> None:
        made = [*memory.add("ok"), *memory.add(["ok", {"text": "ok"}, Chunk("ok")])]
        assert len(set(made)) == 4
        assert ids(settle(memory).search("ok", top_k=10)) == sorted(made)

    def test_of_duplicates_in_one_list_the_last_is_kept(self, memory: HybridMemory, settle: Settle) -> None:
        assert memory.add(
            [{"id": "a", "text": "first"}, {"id": "b", "text": "other"}, {"id": "a", "text": "last"}]
        ) == [
            "a",
            "b",
            "a",
        ]
        memory = settle(memory)
        assert memory.count() == 2
        assert ids(memory.search("first", legs=("sparse",))) == []
        assert ids(memory.search("last", legs=("sparse",))) == ["a"]

    def test_adding_a_known_id_replaces_the_whole_record(self, notes: HybridMemory, settle: Settle) -> None:
        notes.add({"id": "n1", "text": "yellow submarine"})
        memory = settle(notes)
        assert memory.count() == 5
        assert ids(memory.search("red apple pie", legs=("sparse",))) == ["n2", "n3", "n5"]
        assert ids(memory.search("yellow submarine", top_k=1)) == ["n1"]
        assert memory.count({"kind": "food"}) == 1
        assert [record and record.metadata for record in memory.get("n1")] == [{}]

    def test_a_text_without_terms_is_kept(self, vectored: HybridMemory, settle: Settle) -> None:
        vectored.add([{"id": "a", "text": "!!!"}, {"id": "b", "text": "words"}])
        memory = settle(vectored)
        assert ids(memory.search("words", top_k=5)) == ["b", "a"]
        assert ids(memory.search("!!!", legs=("sparse",))) == []

    def test_export_goes_back_into_add(self, notes: HybridMemory, make_memory: MakeMemory) -> None:
        copy = make_memory(embedder=notes.embedder, clock=at_noon)
        copy.add(contents(notes))
        assert contents(copy) == contents(notes)
        assert copy.search("red pie").hits == notes.search("red pie").hits

    # -- what is deleted is gone ------------------------------------------------------------------------------------

    def test_deleting_ids(self, notes: HybridMemory, settle: Settle) -> None:
        receipt = notes.delete(["n3", "nope", "n1", "n3", "\udfff"])
        assert (receipt.ids, receipt.deleted) == (("n1", "n3"), 2)
        assert notes.delete("n1").ids == notes.delete([]).ids == ()
        memory = settle(notes)
        assert memory.count() == memory.stats().records == 3
        assert "n1" not in ids(memory.search("red apple pie", top_k=10))
        assert ids(memory.search("red", legs=("sparse",))) == []

    def test_deleting_by_filter(self, notes: HybridMemory, settle: Settle) -> None:
        assert notes.delete(filter={"kind": ["food", "toy"]}).ids == ("n1", "n2", "n3")
        assert [note["id"] for note in contents(settle(notes))] == ["n4", "n5"]

    def test_a_deleted_id_can_be_added_again(self, notes: HybridMemory, settle: Settle) -> None:
        before = notes.search("red apple").hits
        notes.delete(IDS)
        assert (notes.count(), notes.namespaces(), notes.dimension) == (0, [], None)
        assert ids(notes.search("red apple")) == []
        notes.add(NOTES)
        assert settle(notes).search("red apple").hits == before

    @pytest.mark.parametrize("arguments", [{}, {"filter": {}}, {"ids": "n1", "filter": {"kind": "food"}}, {"ids": [1]}])
    def test_a_careless_delete_is_refused(self, notes: HybridMemory, arguments: dict[str, Any]) -> None:
        with pytest.raises(InvalidInputError):
            notes.delete(**arguments)
        assert notes.count() == 5

    # -- ranking ----------------------------------------------------------------------------------------------------

    @pytest.mark.parametrize("order", [1, -1])
    def test_ties_are_in_id_order_however_they_came(self, memory: HybridMemory, settle: Settle, order: int) -> None:
        names = [f"id{number}" for number in (10, 9, 1, 30, 2)][::order]
        memory.add([{"id": name, "text": "the very same"} for name in names])
        memory = settle(memory)
        expected = ["id1", "id10", "id2", "id30", "id9"]
        assert ids(memory.search("the very same", top_k=10)) == expected
        assert ids(memory.search("the very same", top_k=3)) == expected[:3]
        assert ids(memory.search("the very same", top_k=2, candidates=2)) == expected[:2]

    @pytest.mark.parametrize("fusion", ["auto", "rrf"])
    def test_more_hits_begin_with_fewer(self, notes: HybridMemory, fusion: Any) -> None:  # noqa: ANN401
        everything = notes.search("red apple pie", top_k=100, fusion=fusion).hits
        for k in range(1, 7):
            assert notes.search("red apple pie", top_k=k, fusion=fusion).hits == everything[:k]

    def test_scores_fall_and_equal_scores_are_in_id_order(self, notes: HybridMemory) -> None:
        for query in ("red apple pie", "sky", "green bicycle wave"):
            hits = notes.search(query, top_k=10).hits
            assert list(hits) == sorted(hits, key=lambda hit: (-hit.score, hit.id))
            assert all(0 <= hit.score <= 1 + 1e-12 for hit in hits)
            assert all(0 <= hit.confidence <= 1 for hit in hits)

    def test_a_filter_comes_before_the_ranking(self, vectored: HybridMemory, settle: Settle) -> None:
        vectored.add(NOTES)
        memory = settle(vectored)
        assert sorted(ids(memory.search("ocean", filter={"kind": "food"}, top_k=2))) == ["n1", "n2"]
        assert ids(memory.search("ocean", filter={"@source": "sea.md"}, top_k=1)) == ["n4"]
        assert ids(memory.search("ocean", filter={"stars": {"$gt": 5}})) == []
        assert ids(memory.search("red", filter={"tags": {"$contains": "baked"}})) == ["n1"]

    def test_an_empty_filter_is_none(self, notes: HybridMemory) -> None:
        assert notes.search("red pie", filter={}).hits == notes.search("red pie").hits
        assert notes.count({}) == notes.count() == 5

    @pytest.mark.parametrize("condition", [{}, {"kind": "food"}, {"stars": {"$lte": 3}}, {"kind": "car"}])
    def test_a_dense_leg_gives_as_many_hits_as_there_are(
        self, vectored: HybridMemory, settle: Settle, condition: dict[str, Any]
    ) -> None:
        vectored.add(NOTES)
        memory = settle(vectored)
        eligible = memory.count(condition)
        for k in (1, 2, 100):
            assert len(memory.search("unheard of", top_k=k, filter=condition)) == min(k, eligible)

    def test_the_sparse_leg_gives_matches_only(self, notes: HybridMemory) -> None:
        assert ids(notes.search("ocean unheard", legs=("sparse",), top_k=5)) == ["n4"]
        assert ids(notes.search("unheard of", legs=("sparse",), top_k=5)) == []

    def test_a_blank_query_finds_nothing_unless_there_is_a_vector(self, vectored: HybridMemory) -> None:
        vectored.add(NOTES)
        for blank in ("", " \n\t"):
            assert ids(vectored.search(blank)) == []
        vector = HashEmbedder(16).embed_query("blue ocean wave")
        assert ids(vectored.search("", vector=vector, top_k=1)) == ["n4"]

    # -- reads change nothing, and nothing is shared with the caller ------------------------------------------------

    def test_reads_change_nothing(self, notes: HybridMemory) -> None:
        held, answer, stats = contents(notes), notes.search("red pie"), notes.stats()
        for _ in range(2):
            notes.search("apple", filter={"kind": "food"}, top_k=50)
            notes.query({"query_id": "q", "search_text": "apple"})
            notes.get(IDS)
            notes.count({"stars": {"$gt": 1}})
            notes.namespace("elsewhere").search("apple")
            list(notes.export({"kind": "food"}))
        assert (contents(notes), notes.search("red pie"), notes.stats()) == (held, answer, stats)

    def test_what_comes_out_is_a_copy(self, notes: HybridMemory) -> None:
        answer, held = deepcopy(notes.search("red apple pie")), contents(notes)
        hit, record = notes.search("red apple pie")[0], notes.get("n1")[0]
        assert record is not None
        for metadata in (hit.metadata, record.metadata):
            metadata["kind"] = "spoiled"
            tags = metadata["tags"]
            assert isinstance(tags, list)
            tags.append("spoiled")
        hit.why.legs.clear()
        hit.why.trust.clear()
        notes.search("red apple pie").failures["sparse"] = "spoiled"
        assert (notes.search("red apple pie"), contents(notes)) == (answer, held)

    def test_what_goes_in_is_left_as_it_is(self, vectored: HybridMemory) -> None:
        items: list[Any] = [
            {"id": "a", "text": "red", "metadata": {"tags": ["x", {"y": 1}]}, "vector": [2.0] * 16},
            "green",
        ]
        condition = {"tags": {"$any": ["x"]}, "$not": {"kind": ["food"]}}
        weights, vector, names = {"sparse": 1, "dense": 2}, [3.0] * 16, ["a", "a"]
        given = (items, condition, weights, vector, names)
        before = deepcopy(given)
        vectored.add(items)
        vectored.search("red", filter=condition, weights=weights, vector=vector)
        vectored.get(names)
        vectored.count(condition)
        vectored.delete(names)
        assert given == before

    def test_what_went_in_is_not_kept_by_reference(self, memory: HybridMemory) -> None:
        metadata: dict[str, Any] = {"tags": ["x"], "deep": {"a": [1]}}
        memory.add({"id": "a", "text": "red", "metadata": metadata})
        metadata["tags"].append("y")
        metadata["deep"]["a"].append(2)
        assert [record and record.metadata for record in memory.get("a")] == [{"tags": ["x"], "deep": {"a": [1]}}]
        assert memory.count({"tags": {"$contains": "y"}}) == 0

    # -- namespaces -------------------------------------------------------------------------------------------------

    def test_a_namespace_sees_only_its_own(self, notes: HybridMemory, settle: Settle) -> None:
        other = notes.namespace("other")
        other.add(
            [{"id": "n1", "text": "red apple pie, theirs", "metadata": {"kind": "food"}}, {"id": "o", "text": "red"}]
        )
        memory = settle(notes)
        other = memory.namespace("other")
        assert memory.namespaces() == ["default", "other"]
        assert (memory.count(), other.count(), other.count({"kind": "food"})) == (5, 2, 1)
        assert sorted(ids(other.search("red apple pie", top_k=10, legs=("sparse",)))) == ["n1", "o"]
        assert "o" not in ids(memory.search("red", top_k=10))
        assert other.get(["n1", "n2"])[1] is None
        assert [record and record.text for record in memory.get("n1")] == ["red apple pie"]
        assert other.delete(["n1", "n2"]).ids == ("n1",)
        assert (memory.count(), memory.namespaces()) == (5, ["default", "other"])
        assert other.delete("o").deleted == 1
        assert memory.namespaces() == ["default"]

    def test_another_namespace_moves_no_score(self, notes: HybridMemory, settle: Settle) -> None:
        questions = ["red apple pie", "ERR_0x9941 in the sky", "ocean"]
        before = [notes.search(question, top_k=10) for question in questions]
        stats = notes.stats()
        other = notes.namespace("other")
        other.add([{"id": f"o{number}", "text": f"red pie ERR_0x9941 number {number}"} for number in range(40)])
        other.delete([f"o{number}" for number in range(10)])
        memory = settle(notes)
        assert [memory.search(question, top_k=10) for question in questions] == before
        assert (memory.stats().records, memory.stats().terms) == (stats.records, stats.terms)

    # -- age --------------------------------------------------------------------------------------------------------

    def test_age_takes_from_a_score_but_not_of_what_is_timeless_or_pinned(
        self, memory: HybridMemory, settle: Settle
    ) -> None:
        then = NOON - timedelta(days=60)
        memory.add(
            [
                {"id": "old", "text": "the very same", "time": then},
                {"id": "pinned", "text": "the very same", "time": then, "metadata": {"pinned": True}},
                {"id": "timeless", "text": "the very same"},
                {"id": "to come", "text": "the very same", "time": NOON + timedelta(days=60)},
            ]
        )
        memory = settle(memory)
        hits = memory.search("the very same", time_decay=0.5, decay_floor=0.2)
        assert {hit.id: hit.why.decay for hit in hits} == {
            "old": pytest.approx(0.2 + 0.8 * 0.5**2),
            "pinned": 1,
            "timeless": 1,
            "to come": 1,
        }
        assert hits[-1].id == "old"
        assert {hit.why.decay for hit in memory.search("the very same", now=then, time_decay=0.5)} == {1.0}
        assert {hit.why.decay for hit in memory.search("the very same", decay_floor=1)} == {1.0}

    def test_as_of_and_known_at_leave_out_what_came_later(self, memory: HybridMemory, settle: Settle) -> None:
        memory.add([{"id": "a", "text": "red", "time": NOON - DAY}, {"id": "b", "text": "red"}])
        memory = settle(memory)
        assert ids(memory.search("red", as_of=NOON - DAY)) == ["a", "b"]
        assert ids(memory.search("red", as_of=NOON - 2 * DAY)) == ["b"]
        assert ids(memory.search("red", known_at=NOON - DAY)) == []
        assert len(memory.search("red", known_at=NOON)) == 2

    # -- episodes, entities, facts ------------------------------------------------------------------------------------

    @pytest.fixture
    def facts(self, memory: HybridMemory, settle: Settle) -> HybridMemory:
        """A memory that holds `FACTS`."""
        memory.add_facts(FACTS)
        return settle(memory)

    def test_a_newer_value_takes_the_place_of_an_older_one(self, facts: HybridMemory) -> None:
        assert told(facts.history("Atlas")) == [("500k", "past"), ("600k", "current"), ("Ann", "current")]
        assert [fact.invalid_at for fact in facts.history("Atlas", "budget")] == [NOON - DAY, None]
        people = [(entity.name, entity.mentions) for entity in facts.entities()]
        assert people == [("Atlas", 3), ("Ann", 2), ("Oslo", 1)]
        found = {hit.id: hit.why.superseded_by for hit in facts.search("budget of Atlas", top_k=9)}
        assert (found["f1"], found["f2"]) == ("f2", None)
        assert ids(facts.search("budget of Atlas"))[:2] == ["f2", "f1"]

    def test_facts_are_found_on_their_own_and_with_chunks(self, facts: HybridMemory) -> None:
        assert "f1!0" not in ids(facts.search("budget of Atlas", kinds=("fact",), top_k=9))
        best = facts.search("budget of Atlas", kinds=("fact",))[0]
        assert (best.id, best.kind, best.episode_id) == ("f2!0", "fact", "f2")
        assert "f1!0" in ids(facts.search("budget of Atlas", kinds=("fact",), as_of=NOON - 2 * DAY, top_k=9))
        both = facts.search("budget of Atlas", kinds=("chunk", "fact"), top_k=9)
        assert {hit.kind for hit in both} == {"chunk", "fact"}
        assert (facts.count(), facts.stats().records, facts.stats().facts) == (4, 4, 4)

    def test_the_graph_leads_to_what_shares_no_word_and_says_how(self, facts: HybridMemory) -> None:
        found = {hit.id: hit for hit in facts.search("Atlas", weights={"graph": 1}, top_k=9)}
        path = found["f4"].why.path
        assert path is not None
        assert [(step.subject, step.predicate, step.object, step.chunk_id) for step in path.steps] == [
            ("Atlas", "owner", "Ann", "f3"),
            ("Ann", "lives_in", "Oslo", "f4"),
        ]
        hidden = facts.search("Atlas", weights={"graph": 1}, filter={"@id": {"$ne": "f3"}}, top_k=9)
        assert "f3" not in {step.chunk_id for hit in hidden if hit.why.path for step in hit.why.path.steps}

    def test_a_deletion_takes_facts_with_it_and_lets_older_ones_hold_again(
        self, facts: HybridMemory, settle: Settle
    ) -> None:
        receipt = facts.delete("f2")
        assert (receipt.ids, receipt.facts, told(receipt.reopened)) == (("f2",), ("f2!0",), [("500k", "current")])
        memory = settle(facts)
        assert told(memory.history("Atlas", "budget")) == [("500k", "current")]
        assert "f2!0" not in ids(memory.search("budget", kinds=("fact",), top_k=9))
        memory.delete(filter={"@id": {"$exists": True}})
        assert (list(memory.entities()), memory.stats().facts, memory.graph.number_of_nodes()) == ([], 0, 0)

    def test_a_merge_is_kept(self, facts: HybridMemory, settle: Settle) -> None:
        facts.merge_entities("Ann", "Atlas")
        assert [(entity.name, entity.aliases) for entity in settle(facts).entities("ann")] == [("Atlas", ("Ann",))]

    def test_a_merge_taken_back_leaves_no_trace(self, facts: HybridMemory, settle: Settle) -> None:
        before = facts.history("Ann"), list(facts.entities()), facts.search("Ann in Oslo")
        facts.merge_entities("Ann", "Atlas")
        facts.unmerge("Atlas", "Ann")
        memory = settle(facts)
        assert (memory.history("Ann"), list(memory.entities()), memory.search("Ann in Oslo")) == before

    def test_what_is_extracted_later_waits_in_the_memory(self, memory: HybridMemory, settle: Settle) -> None:
        memory.add_episodes([{"id": "e", "text": "Mr. Zhang called."}, {"id": "gone", "text": "So?"}], extract="later")
        memory.delete("gone")
        memory = settle(memory)
        assert (memory.stats().pending, list(memory.entities()), ids(memory.search("called"))) == (1, [], ["e"])
        assert memory.extract_pending() == 1
        assert [entity.name for entity in memory.entities()] == ["Mr. Zhang"]
        assert memory.stats().pending == 0

    def test_entities_of_another_namespace_are_nobody_here(self, facts: HybridMemory, settle: Settle) -> None:
        before = facts.history("Atlas"), list(facts.entities()), facts.search("Ann and Atlas", top_k=9)
        other = facts.namespace("other")
        other.add_facts([{**FACTS[0], "object": "1k"}, {**FACTS[3], "object": "Rome"}])
        memory = settle(facts)
        assert (memory.history("Atlas"), list(memory.entities()), memory.search("Ann and Atlas", top_k=9)) == before
        assert told(memory.namespace("other").history("Atlas")) == [("1k", "current")]

    # -- bad input --------------------------------------------------------------------------------------------------

    @pytest.mark.parametrize("item", [item for _, item in NO_ITEM], ids=[name for name, _ in NO_ITEM])
    def test_one_bad_item_and_nothing_of_the_list_is_stored(self, vectored: HybridMemory, item: Any) -> None:  # noqa: ANN401
        vectored.add(NOTES)
        held = contents(vectored)
        with pytest.raises(InvalidInputError):
            vectored.add([{"id": "fine", "text": "fine"}, item])
        assert contents(vectored) == held

    @pytest.mark.parametrize("options", NO_OPTION, ids=repr)
    def test_a_bad_option_is_one_clear_error(self, vectored: HybridMemory, options: dict[str, Any]) -> None:
        vectored.add(NOTES)
        with pytest.raises(InvalidInputError):
            vectored.search("red", **options)
        assert vectored.count() == 5

    @pytest.mark.parametrize("query", [None, 7, b"red", ["red"]])
    def test_a_query_is_a_string(self, notes: HybridMemory, query: Any) -> None:  # noqa: ANN401
        with pytest.raises(InvalidInputError):
            notes.search(query)

    @pytest.mark.parametrize("name", ["", " ", None, 3, "\ud800"])
    def test_a_namespace_has_a_name(self, notes: HybridMemory, name: Any) -> None:  # noqa: ANN401
        with pytest.raises(InvalidInputError):
            notes.namespace(name)

    # -- async and the end ------------------------------------------------------------------------------------------

    def test_awaiting_gives_the_same(self, notes: HybridMemory) -> None:
        async def read() -> tuple[object, ...]:
            return (
                await notes.asearch("red apple", top_k=3),
                await notes.aquery({"query_id": "q", "search_text": "pie"}),
                await notes.aget(["n1", "nope"]),
                await notes.acount({"kind": "food"}),
                await notes.astats(),
            )

        async def write() -> tuple[list[str], Receipt]:
            return await notes.aadd({"id": "n9", "text": "late"}), await notes.adelete(["n9", "n8"])

        assert asyncio.run(read()) == (
            notes.search("red apple", top_k=3),
            notes.query({"query_id": "q", "search_text": "pie"}),
            notes.get(["n1", "nope"]),
            2,
            notes.stats(),
        )
        assert asyncio.run(write()) == (["n9"], Receipt(("n9",)))

    def test_a_closed_memory_says_so(self, notes: HybridMemory) -> None:
        with notes as memory:
            handle = memory.namespace("other")
        memory.close()
        for use in (
            memory.count,
            memory.stats,
            memory.namespaces,
            lambda: handle.search("red"),
            lambda: memory.add("x"),
        ):
            with pytest.raises(ClosedMemoryError):
                use()
