"""Episodes: what adding one says, what replacing and deleting one takes back, and who sees it when."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any, cast

import networkx
import pytest

from hybrid_agent_memory import (
    BatchError,
    Chunk,
    Config,
    Context,
    EpisodeReceipt,
    Extraction,
    ExtractorError,
    Fact,
    HybridMemory,
    InvalidInputError,
    Mention,
    MismatchError,
    Response,
    Triple,
)
from hybrid_agent_memory.extract.rules import RuleExtractor
from hybrid_agent_memory.testing import HashEmbedder, LineExtractor

NOW = datetime(2024, 12, 1, 12, tzinfo=UTC)


def day(number: int) -> datetime:
    """A day of November 2024."""
    return datetime(2024, 11, 1, tzinfo=UTC) + timedelta(days=number - 1)


def made(**options: Any) -> HybridMemory:  # noqa: ANN401  # as the keywords of HybridMemory.in_memory
    return HybridMemory.in_memory(**{"extractor": LineExtractor(), "clock": lambda: NOW, **options})


@pytest.fixture
def memory() -> HybridMemory:
    return made()


def told(facts: Sequence[Fact]) -> list[tuple[str, str, str, str]]:
    return [(fact.subject, fact.predicate, fact.object, fact.status) for fact in facts]


def ids(response: Response) -> list[str]:
    return [hit.id for hit in response]


QUERIES = ["who owns Atlas and what is its budget?", "Zhang Wei", "Mr. Zhang on Borealis", "张总", "complained"]


def knowledge(memory: HybridMemory) -> dict[str, object]:
    """What a memory knows, apart from how it came to know it."""
    entities = list(memory.entities())
    names = sorted({name for entity in entities for name in (entity.name, *entity.aliases)} | {"Atlas", "nobody"})
    stats = memory.stats()
    graph = memory.graph
    return {
        "export": sorted(memory.export(), key=lambda item: str(item["id"])),
        "entities": entities,
        "history": {name: memory.history(name) for name in names},
        "once": {name: memory.history(name, as_of=day(9), known_at=NOW - timedelta(days=1)) for name in names},
        "graph": (sorted(graph.nodes(data=True)), sorted(graph.edges(keys=True, data=True))),
        "count": memory.count(),
        "stats": (stats.records, stats.terms, stats.facts, stats.entities, stats.pending, stats.dimension),
    }


def findings(memory: HybridMemory) -> list[object]:
    """What searches of all kinds say, with every reason."""
    options: list[dict[str, Any]] = [
        {},
        {"weights": {"graph": 1}},
        {"kinds": ("fact",)},
        {"kinds": ("fact", "chunk"), "as_of": day(9)},
    ]
    return [memory.search(query, top_k=20, **given) for query in QUERIES for given in options]


# -- what adding says -------------------------------------------------------------------------------------------------


def test_a_receipt_says_what_was_understood(memory: HybridMemory) -> None:
    first = memory.add_episode("Atlas -budget-> amount:500k\n+ person:Ann", id="e1", time=day(4))
    fact = first.facts[0]
    assert first == EpisodeReceipt("e1", ("e1",), ("Atlas", "Ann"), ("Atlas", "Ann"), (), (fact,))
    assert fact == Fact(
        id="e1!0",
        subject="Atlas",
        predicate="budget",
        object="500k",
        kind="relation",
        text="Atlas -budget-> amount:500k",
        valid_at=day(4),
        invalid_at=None,
        created_at=NOW,
        expired_at=None,
        chunk_ids=("e1",),
        superseded_by=None,
        status="current",
    )
    second = memory.add_episode("Atlas -budget-> amount:600k", id="e2", time=day(9))
    assert (second.entities, second.created, told(second.facts)) == (
        ("Atlas",),
        (),
        [("Atlas", "budget", "600k", "current")],
    )
    assert [(old.id, old.invalid_at, old.superseded_by, old.status) for old in second.superseded] == [
        ("e1!0", day(9), "e2!0", "past")
    ]


def test_a_receipt_tells_the_status_at_the_time_of_the_clock() -> None:
    early = made(clock=lambda: day(2))
    receipt = early.add_episode("Atlas -budget-> amount:500k from 2024-11-03 until 2024-11-09", time=day(1))
    assert told(receipt.facts) == [("Atlas", "budget", "500k", "upcoming")]
    assert receipt.facts == tuple(early.history("Atlas"))
    early.add_episode("Atlas -budget-> amount:600k", id="later", time=day(4))
    assert told(early.delete("later").reopened) == [("Atlas", "budget", "500k", "upcoming")]


def test_names_that_join_an_entity_are_told(memory: HybridMemory) -> None:
    memory.add_episode("+ person:Zhang Wei", id="e1")
    receipt = memory.add_episode("+ person:Mr. Zhang\n+ Atlas", id="e2")
    assert (receipt.entities, receipt.created) == (("Zhang Wei", "Atlas"), ("Atlas",))
    assert receipt.merged == (("Mr. Zhang", "Zhang Wei"),)


def test_known_entities_that_become_one_are_told_once(memory: HybridMemory) -> None:
    memory.add_episodes(["+ organisation:Globex", "+ organisation:Globex", "+ organisation:Initech\n+ Ann"])
    alias = {"id": "x", "text": "organisation:Initech -alias-> organisation:Globex"}
    receipts = memory.add_episodes(["+ organisation:Globex", alias, {**alias, "id": "y"}])
    assert [receipt.merged for receipt in receipts] == [(), (("Initech", "Globex"),), ()]
    assert memory.add_episode("organisation:Globex -alias-> organisation:Initech", id="z").merged == ()
    assert memory.add_episode("organisation:Globex -visited-> Ann").merged == ()
    fresh = made()
    receipt = fresh.add_episodes([alias])[0]
    assert (receipt.created, receipt.merged) == (("Initech",), ())


def test_a_new_name_that_makes_one_of_two_entities_is_told(memory: HybridMemory) -> None:
    memory.add_episodes(["+ Alpha", "+ Alpha", "+ Beta"])
    assert memory.add_episode("Alpha -alias-> Gamma").merged == (("Gamma", "Alpha"),)
    assert memory.add_episode("Beta -alias-> Gamma").merged == (("Beta", "Alpha"),)
    memory.add_episodes(["+ Delta", "+ Epsilon", "+ Delta", "+ Epsilon", "+ Delta"])
    receipt = memory.add_episode("Zeta -alias-> Delta\nZeta -alias-> Epsilon")
    assert set(receipt.merged) == {("Zeta", "Delta"), ("Epsilon", "Delta")}


def test_the_speaker_and_the_time_reach_the_extractor_and_earlier_turns_when_it_wants_them() -> None:
    lines = LineExtractor(previous_turns=2)
    memory = made(extractor=lines)
    for at, text in enumerate(["one", "two", "three"], 1):
        memory.add_episode(text, time=day(at), session="s", speaker="Ann")
    memory.add_episode("elsewhere", time=day(4), session="t")
    memory.add_episodes(
        [
            {"text": "four", "time": day(5), "session": "s"},
            {"text": "five", "time": day(6), "session": "s", "speaker": "Bo"},
            {"text": "six", "time": day(7), "session": "s"},
        ]
    )
    memory.add_episode("between", time=day(2), session="s")
    assert [(text, context.time, context.speaker, context.previous) for text, context in lines.asked] == [
        ("one", day(1), "Ann", ()),
        ("two", day(2), "Ann", ("Ann: one",)),
        ("three", day(3), "Ann", ("Ann: one", "Ann: two")),
        ("elsewhere", day(4), None, ()),
        ("four", day(5), None, ("Ann: two", "Ann: three")),
        ("five", day(6), "Bo", ("Ann: three", "four")),
        ("six", day(7), None, ("four", "Bo: five")),
        ("between", day(2), None, ("Ann: one", "Ann: two")),
    ]


@pytest.mark.parametrize("how", ["now", "later"])
def test_timeless_turns_are_in_the_order_of_writing(how: str) -> None:
    lines = LineExtractor(previous_turns=9)
    memory = made(extractor=lines, config=Config(batch_size=1))
    for text in ("one", "two", "three"):
        memory.add_episode(text, id=text, session="s", extract=cast(Any, how))
    memory.extract_pending()
    memory.add_episode("one", id="one", session="s", source="again")
    assert [(text, context.previous) for text, context in lines.asked] == [
        ("one", ()),
        ("two", ("one",)),
        ("three", ("one", "two")),
        ("one", ()),
    ]


def turn(text: str, time: datetime | None = None, **fields: object) -> dict[str, object]:
    return {"id": text[0], "text": text, "session": "s", "time": time, **fields}


TURNS: dict[str, tuple[list[dict[str, object]], dict[str, tuple[str, ...]]]] = {
    "of one time": (
        [turn("a", day(1)), turn("b", day(1)), turn("c", day(1))],
        {"a": (), "b": ("a",), "c": ("a", "b")},
    ),
    "out of order": (
        [turn("a", day(3)), turn("b", day(1)), turn("c", day(2)), turn("d", day(4))],
        {"a": (), "b": (), "c": ("b",), "d": ("b", "c", "a")},
    ),
    "timeless ones among them": (
        [turn("a", day(3)), turn("b"), turn("c", day(4)), turn("d"), turn("e", day(4))],
        {"a": (), "b": ("a",), "c": ("a",), "d": ("a", "c", "b"), "e": ("a", "c")},
    ),
    "of two sessions": (
        [turn("a", day(1)), turn("b", day(2), session="t"), turn("c", day(2)), turn("d", day(3), session="t")],
        {"a": (), "b": (), "c": ("a",), "d": ("b",)},
    ),
    "with ready extractions": (
        [turn("a", day(1), extraction=Extraction()), turn("b", day(2))],
        {"b": ("a",)},
    ),
}


@pytest.mark.parametrize(("turns", "expected"), TURNS.values(), ids=TURNS)
def test_turns_have_one_order_whether_they_come_one_by_one_or_together(
    turns: list[dict[str, object]], expected: dict[str, tuple[str, ...]]
) -> None:
    for size in (1, 2, len(turns)):
        lines = LineExtractor(previous_turns=9)
        memory = made(extractor=lines)
        for start in range(0, len(turns), size):
            memory.add_episodes(turns[start : start + size])
        seen = {text: context.previous for text, context in lines.asked}
        assert seen == expected


@pytest.mark.parametrize("size", [1, 2, 5])
def test_turns_that_are_written_again_keep_their_place_for_themselves(size: int) -> None:
    lines = LineExtractor(previous_turns=9)
    memory = made(extractor=lines, config=Config(chunk_chars=100))
    long = "l" * 90 + "\n" + "m" * 90
    memory.add_episodes([turn("a", day(1)), turn("b"), turn("c"), turn(long, day(1))])
    lines.asked.clear()
    again = [turn("a", day(1)), turn("b"), turn("c"), turn(long, day(1)), turn("d")]
    again = [{**one, "source": "again"} for one in again]
    for start in range(0, len(again), size):
        memory.add_episodes(again[start : start + size])
    first, second = "l" * 90, "m" * 90
    assert [(text.strip(), tuple(one.strip() for one in context.previous)) for text, context in lines.asked] == [
        ("a", ()),
        ("b", (first, second, "a")),  # which is written after them now
        ("c", (first, second, "a")),
        (first, ()),
        (second, (first,)),
        ("d", ("a", first, second, "b", "c")),
    ]


def test_without_an_extractor_rules_read_english_and_chinese() -> None:
    memory = HybridMemory.in_memory(clock=lambda: NOW)
    receipts = memory.add_episodes(
        [
            {"text": "The budget of Project Atlas is 500k.", "time": day(1)},
            {"text": "张伟负责智能货架项目。", "time": day(2)},
            {"text": "I am responsible for Project Atlas.", "speaker": "Ann", "time": day(3)},
        ]
    )
    assert [len(receipt.facts) for receipt in receipts] == [1, 1, 1]
    assert ("Project Atlas", "owner", "Ann", "current") in told(memory.history("Project Atlas"))
    assert [entity.name for entity in memory.entities("张伟")] == ["张伟"]


def test_a_long_episode_is_several_chunks_and_one_thing() -> None:
    memory = made(config=Config(chunk_chars=100))
    lines = [f"Thing{at} -part_of-> Whole" for at in range(12)]
    receipt = memory.add_episode("\n".join(lines), id="long", time=day(1), metadata={"kind": "list"})
    assert receipt.chunk_ids == tuple(f"long#{at}" for at in range(len(receipt.chunk_ids)))
    assert len(receipt.chunk_ids) > 2
    records = memory.get(list(receipt.chunk_ids))
    assert [record and (record.episode_id, record.metadata, record.time) for record in records] == [
        ("long", {"kind": "list"}, day(1))
    ] * len(records)
    assert "".join(record.text for record in records if record).replace("\n", "") == "".join(lines)
    assert sorted(fact.subject for fact in receipt.facts) == sorted(f"Thing{at}" for at in range(12))
    assert memory.get("long") == [None]
    assert {hit.episode_id for hit in memory.search("Thing3 Whole", top_k=9)} == {"long"}
    assert memory.entities("whole")[0].mentions == len(records) == memory.count()
    again = memory.add_episode("\n".join(lines[:6]), id="long", time=day(1))
    assert memory.count() == len(again.chunk_ids) < len(records)
    assert memory.add_episode("+ Whole", id="long").chunk_ids == ("long",)
    assert memory.count() == 1
    memory.add_episode("\n".join(lines), id="long")
    assert memory.get("long") == [None]
    assert memory.delete("long").ids == receipt.chunk_ids
    assert knowledge(memory) == knowledge(made())


def test_all_handles_of_a_memory_share_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    class Counted(RuleExtractor):
        def __init__(self) -> None:
            super().__init__()
            made.append(self)

    monkeypatch.setattr("hybrid_agent_memory.extract.rules.RuleExtractor", Counted)
    memory = HybridMemory.in_memory()
    assert not made
    for name in "abc":
        memory.namespace(name).add_episode("Ann owns Project Atlas.")
    assert [len(memory.namespace(name).history("Project Atlas")) for name in "abc"] == [1, 1, 1]
    assert len(made) == 1


def test_a_string_a_chunk_and_a_mapping_are_episodes(memory: HybridMemory) -> None:
    receipts = memory.add_episodes(["+ Ann", Chunk("+ Bob", id="b"), {"text": "+ Cid", "id": "c"}])
    assert [receipt.entities for receipt in receipts] == [("Ann",), ("Bob",), ("Cid",)]
    assert [receipt.id for receipt in receipts[1:]] == ["b", "c"]
    assert memory.add_episodes([]) == []


def test_of_two_episodes_with_one_id_the_last_is_kept(memory: HybridMemory) -> None:
    receipts = memory.add_episodes([{"id": "a", "text": "+ Ann"}, {"id": "a", "text": "+ Bob"}])
    assert [receipt.entities for receipt in receipts] == [("Bob",), ("Bob",)]
    assert [entity.name for entity in memory.entities()] == ["Bob"]


def test_a_ready_extraction_is_used_as_it_is(memory: HybridMemory) -> None:
    ann, atlas = Mention("Ann", "person"), Mention("Atlas", "project")
    extraction = Extraction(
        (ann, atlas), (Triple(atlas, "owner", ann, "", single_valued=True),), "by hand", {"calls": 2}
    )
    receipt = memory.add_episodes([{"id": "x", "text": "as agreed", "extraction": extraction}])[0]
    assert (told(receipt.facts), receipt.facts[0].text) == ([("Atlas", "owner", "Ann", "current")], "Atlas owner Ann")
    assert (receipt.note, receipt.usage) == ("by hand", {"calls": 2})
    assert ids(memory.search("who is the owner of Atlas?", kinds=("fact",))) == ["x!0"]


def test_facts_and_ready_extractions_that_are_known_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    ann, atlas = Mention("Ann", "person"), Mention("Atlas", "project")
    berlin = datetime(2024, 11, 2, 1, tzinfo=timezone(timedelta(hours=1)))
    owner = Triple(atlas, "owner", ann, "", valid_at=berlin, single_valued=True)
    long = "\n".join(f"line {at}" for at in range(600))
    episodes: list[dict[str, object]] = [
        {"id": "x", "text": "as agreed", "extraction": Extraction((ann, atlas), (owner,), "by hand", {"calls": 2})},
        {"id": "y", "text": long, "extraction": Extraction((ann,))},
    ]
    facts: list[dict[str, object]] = [{"id": "f", "subject": "Atlas", "predicate": "budget", "object": "5k"}]
    with HybridMemory.open(path) as memory:
        memory.add_episodes(episodes)
        memory.add_facts(facts)
        assert memory.count() > 3
    before = path.read_bytes()
    with HybridMemory.open(path) as memory:
        memory.add_episodes(episodes)
        assert memory.add_facts(facts)[0].unchanged
        memory.add_episodes(episodes, extract="later")
    assert path.read_bytes() == before
    changes: list[Extraction] = [
        Extraction((atlas, ann), (owner,)),
        Extraction((ann, atlas), (replace(owner, text="So it was."),)),
        Extraction((ann, atlas), (replace(owner, single_valued=False),)),
        Extraction((ann, atlas), (replace(owner, invalid_at=day(9)),)),
        Extraction((ann,)),
    ]
    with HybridMemory.open(path) as memory:
        for change in changes:
            receipt = memory.add_episodes([{**episodes[0], "extraction": change}])[0]
            assert len(receipt.facts) == len(change.triples)
            assert receipt.entities == tuple(mention.name for mention in change.mentions)
        memory.add_episode("as agreed", id="x")
        assert memory.add_episodes([{**episodes[0], "extraction": Extraction()}])[0].entities == ()


# -- replacing and deleting -------------------------------------------------------------------------------------------


def test_a_replaced_episode_takes_back_what_it_said(memory: HybridMemory) -> None:
    memory.add_episode("Atlas -budget-> amount:500k", id="e1", time=day(1))
    memory.add_episode("Atlas -budget-> amount:600k\n+ Ann", id="e2", time=day(2))
    memory.add_episode("+ Bob", id="e2", time=day(2))
    assert told(memory.history("Atlas")) == [("Atlas", "budget", "500k", "current")]
    assert sorted(entity.name for entity in memory.entities()) == ["Atlas", "Bob"]
    assert ids(memory.search("600k", legs=("sparse",), kinds=("fact",))) == []


def test_a_deletion_tells_which_facts_went_and_which_hold_again(memory: HybridMemory) -> None:
    for at, amount in enumerate(["500k", "600k", "700k"], 1):
        memory.add_episode(f"Atlas -budget-> amount:{amount}", id=f"e{at}", time=day(at))
    middle = memory.delete("e2")
    assert (middle.ids, middle.facts, middle.reopened) == (("e2",), ("e2!0",), ())
    assert [(fact.object, fact.invalid_at) for fact in memory.history("Atlas")] == [("500k", day(3)), ("700k", None)]
    last = memory.delete(filter={"@id": "e3"})
    assert told(last.reopened) == [("Atlas", "budget", "500k", "current")]
    assert last.reopened == tuple(memory.history("Atlas"))


@pytest.mark.parametrize("order", [(1, 2, 3), (3, 1, 2), (2, 3, 1)])
def test_a_late_arrival_takes_its_place_in_the_timeline(memory: HybridMemory, order: tuple[int, ...]) -> None:
    for at in order:
        memory.add_episode(f"Atlas -status-> state{at}", id=f"e{at}", time=day(at))
    assert [(fact.object, fact.valid_at, fact.invalid_at) for fact in memory.history("Atlas")] == [
        ("state1", day(1), day(2)),
        ("state2", day(2), day(3)),
        ("state3", day(3), None),
    ]


def test_equal_amounts_are_one_value(memory: HybridMemory) -> None:
    memory.add_episode("Atlas -budget-> amount:50万", id="e1", time=day(1))
    receipt = memory.add_episode("Atlas -budget-> amount:500k", id="e2", time=day(2))
    assert receipt.superseded == ()
    assert {fact.status for fact in memory.history("Atlas")} == {"current"}


def test_adding_plainly_over_an_episode_forgets_what_it_said() -> None:
    memory = made(config=Config(chunk_chars=100))
    memory.add_episode("Atlas -budget-> amount:500k", id="short", time=day(1))
    memory.add_episode("\n".join(f"Thing{at} -part_of-> Whole" for at in range(12)), id="long")
    memory.add([{"id": "short", "text": "plain"}, {"id": "long", "text": "plain too"}])
    assert (memory.count(), memory.stats().facts, list(memory.entities())) == (2, 0, [])
    assert sorted(record.id for record in memory.get(["short", "long"]) if record) == ["long", "short"]
    assert memory.add_episode("plain", id="short").pending is False
    memory.add_episode("+ Ann", id="short")
    assert [entity.name for entity in memory.entities()] == ["Ann"]


def test_an_unchanged_episode_is_left_alone(tmp_path: Path) -> None:
    lines, embedder = LineExtractor(), HashEmbedder(16)
    path = tmp_path / "a.db"
    episodes: list[dict[str, object]] = [
        {"id": "a", "text": "Atlas -budget-> amount:500k", "time": day(1).isoformat(), "metadata": {"n": 1}},
        {"id": "b", "text": "\n".join(f"Thing{at} -part_of-> Whole" for at in range(120))},
    ]
    with HybridMemory.open(path, extractor=lines, embedder=embedder) as memory:
        memory.add_episodes(episodes)
        record, asked = memory.get("a")[0], len(lines.asked)
    before = path.read_bytes()
    with HybridMemory.open(path, extractor=lines, embedder=embedder) as memory:
        again = memory.add_episodes(episodes)
        assert [receipt.chunk_ids for receipt in again] == [("a",), ("b#0", "b#1")]
        memory.add_episodes(episodes, extract="later")
        assert (memory.get("a")[0], len(lines.asked), memory.stats().pending) == (record, asked, 0)
    assert path.read_bytes() == before


@pytest.mark.parametrize("later", [False, True])
def test_the_receipt_of_an_unchanged_episode_is_what_it_states(memory: HybridMemory, later: bool) -> None:
    long = "\n".join(f"Thing{at} -part_of-> Whole" for at in range(120))
    items: list[dict[str, object]] = [
        {"id": "a", "text": "Atlas -budget-> amount:500k\n+ Ann", "time": day(1).isoformat()},
        {"id": "b", "text": long},
        {"id": "c", "text": "nothing"},
    ]
    first = memory.add_episodes(items, extract="later" if later else "now")
    memory.extract_pending()
    stored = knowledge(memory)
    again = memory.add_episodes([*items, {"id": "d", "text": "+ Bo"}])
    assert [(receipt.id, receipt.unchanged, receipt.pending) for receipt in again] == [
        ("a", True, False),
        ("b", True, False),
        ("c", True, False),
        ("d", False, False),
    ]
    whole = made()
    expected = whole.add_episodes(items)
    for told, fresh in zip(again[:3], expected, strict=True):
        assert told == replace(fresh, created=(), unchanged=True)
    assert first == expected or later
    memory.delete("d")
    assert knowledge(memory) == stored


def test_another_extractor_reads_an_unchanged_episode_anew(memory: HybridMemory) -> None:
    class Others(LineExtractor):
        name = "others"

    memory.add_episode("+ Ann", id="a")
    other = made(extractor=Others())
    other.add_episode("+ Ann", id="a")
    swapped = HybridMemory(memory._engine, extractor=Others(), clock=lambda: NOW)
    swapped.add_episode("+ Ann", id="a")
    assert isinstance(swapped._extractor, Others)
    assert [text for text, _ in swapped._extractor.asked] == ["+ Ann"]
    assert knowledge(swapped) == knowledge(other)


# -- extraction that comes later --------------------------------------------------------------------------------------


def test_what_is_extracted_later_is_found_before_and_understood_after(memory: HybridMemory) -> None:
    receipt = memory.add_episode("Atlas -budget-> amount:500k", id="e1", time=day(1), extract="later")
    assert (receipt.pending, receipt.facts, receipt.entities) == (True, (), ())
    assert (memory.stats().pending, list(memory.entities())) == (1, [])
    assert ids(memory.search("budget")) == ["e1"]
    assert (memory.extract_pending(), memory.stats().pending, memory.extract_pending()) == (1, 0, 0)
    at_once = made()
    at_once.add_episode("Atlas -budget-> amount:500k", id="e1", time=day(1))
    assert (knowledge(memory), findings(memory)) == (knowledge(at_once), findings(at_once))


def test_pending_chunks_are_done_in_portions_and_told(memory: HybridMemory) -> None:
    seen: list[tuple[int, int | None]] = []
    memory.add_episodes([{"id": f"e{at}", "text": f"+ Ann{at}"} for at in range(7)], extract="later")
    memory.delete("e6")
    assert memory.extract_pending(limit=2, progress=lambda done, total: seen.append((done, total))) == 2
    assert (memory.stats().pending, [entity.name for entity in memory.entities()]) == (4, ["Ann0", "Ann1"])
    assert memory.extract_pending(progress=lambda done, total: seen.append((done, total))) == 4
    assert seen == [(2, 2), (4, 4)]
    assert memory.stats().entities == 6


class Interrupted(LineExtractor):
    """Lets something else happen while it reads its first text."""

    def __init__(self, happen: Callable[[], object]) -> None:
        super().__init__()
        self.happen = happen

    def extract(self, text: str, context: Context) -> Extraction:
        if not self.asked:
            super().extract(text, context)
            self.happen()
        return super().extract(text, context)


@pytest.mark.parametrize("others", [[], ["+ Cid", "+ Dan"]])
def test_a_chunk_that_is_replaced_while_it_is_read_says_what_its_own_text_says(others: list[str]) -> None:
    reader: HybridMemory = made(extractor=Interrupted(lambda: reader.add_episode("+ Bob", id="a", extract="later")))
    reader.add_episode("+ Ann", id="a", extract="later")
    reader.add_episodes([{"id": text, "text": text} for text in others], extract="later")
    expected = made()
    expected.add_episodes([{"id": "a", "text": "+ Bob"}, *({"id": text, "text": text} for text in others)])
    assert reader.extract_pending() == 1 + len(others)
    assert knowledge(reader) == knowledge(expected)


def test_a_chunk_that_is_deleted_while_it_is_read_says_nothing() -> None:
    reader: HybridMemory = made(extractor=Interrupted(lambda: reader.delete("a")))
    reader.add_episodes([{"id": "a", "text": "+ Ann"}, {"id": "b", "text": "+ Bob"}], extract="later")
    assert reader.extract_pending() == 1
    assert [entity.name for entity in reader.entities()] == ["Bob"]


@pytest.mark.parametrize("limit", [0, -1, True, 1.5, "all"])
def test_a_bad_limit_is_refused(memory: HybridMemory, limit: Any) -> None:  # noqa: ANN401
    memory.add_episode("+ Ann", extract="later")
    with pytest.raises(InvalidInputError, match="limit"):
        memory.extract_pending(limit)
    assert memory.stats().pending == 1


def test_adding_again_at_once_takes_a_chunk_from_the_queue(memory: HybridMemory) -> None:
    memory.add_episode("+ Ann", id="e", extract="later")
    assert memory.add_episode("+ Ann", id="e", extract="later").pending is True
    assert memory.stats().pending == 1
    assert memory.add_episode("+ Ann", id="e").entities == ("Ann",)
    assert memory.stats().pending == 0


def test_what_was_only_stored_so_far_can_be_extracted_later(memory: HybridMemory) -> None:
    memory.add([{"id": "a", "text": "+ Ann"}, {"id": "b", "text": "+ Bob"}])
    assert memory.add_episode("+ Ann", id="a", extract="later").pending is True
    assert memory.add_episode("+ Bob", id="b").entities == ("Bob",)
    assert (memory.stats().pending, memory.extract_pending()) == (1, 1)
    assert [entity.name for entity in memory.entities()] == ["Ann", "Bob"]


# -- batches, progress, bad input -------------------------------------------------------------------------------------


def test_progress_counts_what_is_stored() -> None:
    memory = made(config=Config(episode_batch=3))
    seen: list[tuple[int, int | None, int]] = []

    def note(done: int, total: int | None) -> None:
        seen.append((done, total, memory.count()))

    memory.add_episodes([f"+ Ann{at}" for at in range(7)], progress=note)
    assert [(done, total) for done, total, _ in seen] == sorted((done, 7) for done, _, _ in seen)
    assert all(stored == done for done, _, stored in seen)
    assert seen[-1] == (7, 7, 7)
    memory.add_episodes((f"+ Bob{at}" for at in range(4)), progress=note)
    assert ([total for _, total, _ in seen[-2:]], memory.count()) == ([None, None], 11)


def test_an_iterator_that_fails_leaves_what_is_stored_and_says_how_much() -> None:
    memory = made(config=Config(episode_batch=2))

    def source() -> Iterator[dict[str, object]]:
        for at in range(4):
            yield {"id": f"e{at}", "text": f"+ Ann{at}"}
        raise OSError("the disk is gone")

    with pytest.raises(BatchError, match="the disk is gone") as raised:
        memory.add_episodes(source())
    assert isinstance(raised.value.__cause__, OSError)
    assert raised.value.stored == memory.count() == 4
    with pytest.raises(BatchError, match="episode 1") as raised:
        memory.add_episodes(iter([{"text": "+ Ann"}, {"text": " "}]))
    assert raised.value.stored == 0
    assert memory.count() == 4


def test_a_list_that_fails_part_way_says_how_much_is_stored() -> None:
    class Choosy(LineExtractor):
        def extract(self, text: str, context: Context) -> Extraction:
            if text == "bad":
                raise ValueError("no")
            return super().extract(text, context)

    memory = made(extractor=Choosy(), config=Config(episode_batch=2))
    with pytest.raises(BatchError) as raised:
        memory.add_episodes(["+ Ann", "+ Bob", "+ Cid", "bad"])
    assert raised.value.stored == memory.count() == 2
    assert isinstance(raised.value.__cause__, ExtractorError)
    assert str(raised.value) == (
        "the extractor failed (ValueError: no): this batch was not stored (episodes stored before that: 2)"
    )


BAD_EPISODES: list[tuple[object, str]] = [
    ({"text": " "}, "text"),
    ({"id": "x"}, "text"),
    ({"text": "t", "colour": "red"}, "colour"),
    ({"text": "t", "vector": [1.0]}, "vector"),
    ({"text": "t", "time": "yesterday-ish"}, "time"),
    ({"text": "t", "metadata": {"a": {1}}}, "metadata"),
    ({"text": "t", "id": ""}, "id"),
    ({"text": "t", "speaker": 3}, "speaker"),
    ({"text": "t", "extraction": "Ann owns it"}, "extraction"),
    ({"text": "t", "extraction": Extraction(cast(Any, ("Ann",)))}, "extraction"),
    ({"text": "t", "extraction": Extraction((Mention(" "),))}, "extraction"),
    ({"text": "t", "extraction": Extraction((Mention("\ud800"),))}, "extraction"),
    ({"text": "t", "extraction": Extraction((Mention("Ann", cast(Any, "colour")),))}, "extraction"),
    (7, "int"),
    (None, "None"),
]


@pytest.mark.parametrize(("episode", "named"), BAD_EPISODES, ids=[repr(bad)[:40] for bad, _ in BAD_EPISODES])
def test_one_bad_episode_and_nothing_of_the_list_is_stored(memory: HybridMemory, episode: Any, named: str) -> None:  # noqa: ANN401
    memory.add_episode("+ Ann", id="e1")
    before = knowledge(memory)
    with pytest.raises(InvalidInputError, match=named):
        memory.add_episodes(["+ Bob", episode])
    assert knowledge(memory) == before


@pytest.mark.parametrize("episodes", ["text", {"text": "t"}, Chunk("t"), 7, None])
def test_one_episode_is_not_many(memory: HybridMemory, episodes: Any) -> None:  # noqa: ANN401
    with pytest.raises(InvalidInputError, match="add_episode"):
        memory.add_episodes(episodes)
    assert memory.count() == 0


@pytest.mark.parametrize(
    "options",
    [{"extract": "never"}, {"extract": None}, {"id": 3}, {"time": "soon"}, {"metadata": ["a"]}, {"session": " "}],
    ids=repr,
)
def test_a_bad_argument_of_one_episode_is_refused(memory: HybridMemory, options: Any) -> None:  # noqa: ANN401
    with pytest.raises(InvalidInputError):
        memory.add_episode("+ Ann", **options)
    assert memory.count() == 0


def test_chunks_that_would_share_an_id_are_refused_by_name() -> None:
    memory = made(config=Config(chunk_chars=100))
    long = "\n".join(f"Thing{at} -part_of-> Whole" for at in range(12))
    with pytest.raises(InvalidInputError, match="long#1"):
        memory.add_episodes([{"id": "long", "text": long}, {"id": "long#1", "text": "+ Ann"}])
    assert memory.count() == 0


def test_a_memory_whose_vectors_come_from_the_caller_takes_no_episodes() -> None:
    memory = made()
    memory.add({"id": "a", "text": "red", "vector": [1.0, 0.0]})
    with pytest.raises(MismatchError):
        memory.add_episode("+ Ann")
    assert memory.count() == 1


# -- extractors that misbehave ----------------------------------------------------------------------------------------


async def awaited(memory: HybridMemory, text: str) -> EpisodeReceipt:
    return await memory.aadd_episode(text)


def raising(error: BaseException) -> Callable[[str, Context], Extraction]:
    def extract(text: str, context: Context) -> Extraction:
        raise error

    return extract


ANN, ATLAS = Mention("Ann", "person"), Mention("Atlas", "project")
RUBBISH: dict[str, object] = {
    "nothing": None,
    "a string": "Ann",
    "a mapping": {"mentions": []},
    "names as strings": Extraction(cast(Any, ("Ann",))),
    "a blank name": Extraction((Mention(""),)),
    "a name that is no string": Extraction((Mention(cast(Any, 7)),)),
    "half a character": Extraction((Mention("\ud800"),)),
    "an unknown type": Extraction((Mention("Ann", cast(Any, "colour")),)),
    "a triple of strings": Extraction((), cast(Any, (("Ann", "owns", "Atlas"),))),
    "a subject as string": Extraction((), (Triple(cast(Any, "Atlas"), "owner", ANN, "t"),)),
    "a blank predicate": Extraction((), (Triple(ATLAS, " ", ANN, "t"),)),
    "a predicate that is no string": Extraction((), (Triple(ATLAS, cast(Any, None), ANN, "t"),)),
    "a sentence that is no string": Extraction((), (Triple(ATLAS, "owner", ANN, cast(Any, 5)),)),
    "an unknown kind": Extraction((), (Triple(ATLAS, "owner", ANN, "t", cast(Any, "rumour")),)),
    "a time as string": Extraction((), (Triple(ATLAS, "owner", ANN, "t", "event", cast(Any, "2024-11-01")),)),
    "a time without zone": Extraction((), (Triple(ATLAS, "owner", ANN, "t", "event", datetime(2024, 11, 1)),)),
    "mentions that are none": Extraction(cast(Any, 5)),
}


class Misled:
    name, previous_turns = "misled", 0

    def __init__(self, extract: Callable[[str, Context], object]) -> None:
        self._extract = extract

    def extract(self, text: str, context: Context) -> Extraction:
        return cast(
            Extraction, LineExtractor().extract(text, context) if text != "bad" else self._extract(text, context)
        )


@pytest.mark.parametrize("given", RUBBISH.values(), ids=RUBBISH)
@pytest.mark.parametrize("how", ["now", "later"])
def test_an_extractor_that_gives_rubbish_changes_nothing(given: object, how: str) -> None:
    memory = made(extractor=Misled(lambda text, context: given))
    memory.add_episode("+ Bob", id="e1")
    if how == "later":
        memory.add_episodes(["+ Cid", "bad"], extract="later")
    before = knowledge(memory)
    with pytest.raises(ExtractorError):
        memory.extract_pending() if how == "later" else memory.add_episodes(["+ Cid", "bad"])
    assert knowledge(memory) == before


@pytest.mark.parametrize("error", [ValueError("no"), KeyError("k"), RecursionError()], ids=repr)
def test_an_extractor_that_raises_changes_nothing_and_is_the_cause(error: Exception) -> None:
    memory = made(extractor=Misled(raising(error)))
    before = knowledge(memory)
    with pytest.raises(ExtractorError) as raised:
        memory.add_episodes(["+ Cid", "bad"])
    assert raised.value.__cause__ is error
    with pytest.raises(ExtractorError):
        asyncio.run(awaited(memory, "bad"))
    assert knowledge(memory) == before


def test_an_interrupt_in_an_extractor_comes_through_and_changes_nothing() -> None:
    memory = made(extractor=Misled(raising(KeyboardInterrupt())))
    with pytest.raises(KeyboardInterrupt):
        memory.add_episodes(["+ Cid", "bad"])
    assert memory.count() == 0


@pytest.mark.parametrize("extractor", ["rules", 7, object(), LineExtractor], ids=repr)
def test_what_cannot_extract_is_refused_at_once(extractor: Any) -> None:  # noqa: ANN401
    with pytest.raises(InvalidInputError, match="extractor"):
        HybridMemory.in_memory(extractor=extractor)


# -- facts that are known already -------------------------------------------------------------------------------------


def test_facts_may_come_as_they_are(memory: HybridMemory) -> None:
    receipts = memory.add_facts(
        [
            {"id": "f1", "subject": "Atlas", "predicate": "owner", "object": "Ann", "time": "2024-11-01"},
            {
                "subject": "Atlas",
                "predicate": "owner",
                "object": "Bob",
                "valid_at": "2024-11-05",
                "object_type": "person",
            },
            {
                "subject": "Atlas",
                "predicate": "colour",
                "object": "red",
                "text": "Atlas was painted red.",
                "kind": "event",
            },
            {
                "subject": "Atlas",
                "predicate": "colour",
                "object": "blue",
                "single_valued": True,
                "invalid_at": "2024-11-09",
            },
        ]
    )
    facts = [fact for receipt in receipts for fact in receipt.facts]
    assert [(fact.object, fact.kind, fact.text) for fact in facts] == [
        ("Ann", "relation", "Atlas owner Ann"),
        ("Bob", "relation", "Atlas owner Bob"),
        ("red", "event", "Atlas was painted red."),
        ("blue", "relation", "Atlas colour blue"),
    ]
    assert told(memory.history("Atlas", "owner")) == [
        ("Atlas", "owner", "Ann", "past"),
        ("Atlas", "owner", "Bob", "current"),
    ]
    assert sorted(told(memory.history("Atlas", "colour"))) == [
        ("Atlas", "colour", "blue", "past"),
        ("Atlas", "colour", "red", "current"),
    ]
    assert memory.entities("bob")[0].type == "person"
    assert receipts[0].id == "f1"


BAD_FACTS: list[tuple[object, str]] = [
    ("Ann owns Atlas", "mapping"),
    ({"subject": "Atlas", "predicate": "owner"}, "object"),
    ({"subject": " ", "predicate": "owner", "object": "Ann"}, "subject"),
    ({"subject": "Atlas", "predicate": 7, "object": "Ann"}, "predicate"),
    ({"subject": "Atlas", "predicate": "owner", "object": "Ann", "colour": "red"}, "colour"),
    ({"subject": "Atlas", "predicate": "owner", "object": "Ann", "kind": "rumour"}, "kind"),
    ({"subject": "Atlas", "predicate": "owner", "object": "Ann", "object_type": "colour"}, "object_type"),
    ({"subject": "Atlas", "predicate": "owner", "object": "Ann", "valid_at": "soon"}, "valid_at"),
    ({"subject": "Atlas", "predicate": "owner", "object": "Ann", "single_valued": 1}, "single_valued"),
    ({"subject": "Atlas", "predicate": "owner", "object": "Ann", "text": " "}, "text"),
    ({"subject": "Atlas", "predicate": "owner", "object": "Ann", "time": "soon"}, "time"),
]


@pytest.mark.parametrize(("fact", "named"), BAD_FACTS, ids=[named for _, named in BAD_FACTS])
def test_one_bad_fact_and_nothing_of_the_list_is_stored(memory: HybridMemory, fact: Any, named: str) -> None:  # noqa: ANN401
    with pytest.raises(InvalidInputError, match=named):
        memory.add_facts([{"subject": "Atlas", "predicate": "owner", "object": "Ann"}, fact])
    assert memory.count() == 0


@pytest.mark.parametrize("facts", ["Ann owns Atlas", {"subject": "Atlas"}, 7, None])
def test_one_fact_is_not_many(memory: HybridMemory, facts: Any) -> None:  # noqa: ANN401
    with pytest.raises(InvalidInputError, match="list"):
        memory.add_facts(facts)


# -- entities ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def people(memory: HybridMemory) -> HybridMemory:
    memory.add_episodes(
        [
            {"id": "a", "text": "Atlas -owner-> person:Ann Lee", "time": day(1)},
            {"id": "b", "text": "Atlas -owner-> person:Bo", "time": day(2)},
            {"id": "c", "text": "person:Bo -visited-> place:Oslo", "time": day(3)},
            {"id": "d", "text": "The Atlas -status-> green\nBorealis -status-> red", "time": day(4)},
        ]
    )
    return memory


def test_entities_are_a_sequence_by_mentions(people: HybridMemory) -> None:
    entities = people.entities()
    assert [(entity.name, entity.type, entity.mentions) for entity in entities[:2]] == [
        ("Atlas", "name", 3),
        ("Bo", "person", 2),
    ]
    assert entities[0].aliases == ("The Atlas",)
    assert [entity.name for entity in people.entities("LEE")] == ["Ann Lee"]
    assert [entity.name for entity in people.entities("the atl")] == ["Atlas"]
    assert (len(people.entities("nobody")), len(entities)) == (0, people.stats().entities)


@pytest.mark.parametrize("query", ["", "  ", 5, ["Ann"]])
def test_a_query_for_entities_is_a_name(people: HybridMemory, query: Any) -> None:  # noqa: ANN401
    with pytest.raises(InvalidInputError, match="query"):
        people.entities(query)


def test_a_merge_holds_for_what_was_and_what_will_be_stored(people: HybridMemory) -> None:
    assert told(people.history("Atlas", "owner")) == [
        ("Atlas", "owner", "Ann Lee", "past"),
        ("Atlas", "owner", "Bo", "current"),
    ]
    people.merge_entities("Bo", "ann lee")
    assert [(entity.name, entity.aliases, entity.mentions) for entity in people.entities("ann")] == [
        ("Ann Lee", ("Bo",), 3)
    ]
    assert {fact.status for fact in people.history("Atlas", "owner")} == {"current"}
    assert told(people.history("Ann Lee")) == [("Ann Lee", "visited", "Oslo", "current")]
    people.add_episode("person:Bo -visited-> place:Rome", time=day(5))
    assert [fact.object for fact in people.history("Ann Lee")] == ["Oslo", "Rome"]
    people.unmerge("Ann Lee", "Bo")
    assert told(people.history("Atlas", "owner")) == [
        ("Atlas", "owner", "Ann Lee", "past"),
        ("Atlas", "owner", "Bo", "current"),
    ]
    assert people.history("Ann Lee") == []


def test_slots_of_merged_subjects_are_one_timeline(people: HybridMemory) -> None:
    people.add_episode("Borealis -status-> amber", id="e", time=day(2))
    before = knowledge(people)
    people.merge_entities("Borealis", "Atlas")
    assert [(fact.object, fact.invalid_at) for fact in people.history("Atlas", "status")] == [
        ("amber", day(4)),
        ("green", day(4)),
        ("red", None),
    ]
    people.unmerge("Borealis", "Atlas")
    assert knowledge(people) == before


@pytest.mark.parametrize(("one", "other"), [("Zhang Wei", "Mr. Zhang"), ("Mr. Zhang", "Zhang Wei")])
def test_what_is_said_of_two_names_of_one_entity_is_one_timeline(memory: HybridMemory, one: str, other: str) -> None:
    memory.add_episode(f"person:{one} -status-> away", id="e1", time=day(1))
    memory.add_episode(f"person:{other} -status-> back", id="e2", time=day(2))
    assert [(fact.object, fact.status) for fact in memory.history(one)] == [("away", "past"), ("back", "current")]
    assert memory.history(one) == memory.history(other)
    memory.add_episode("+ Ann", id="e2", time=day(2))
    assert told(memory.history(one)) == [(one, "status", "away", "current")]
    memory.add_episode(f"person:{other} -status-> back", id="e2", time=day(2))
    assert told(memory.delete("e2").reopened) == [(one, "status", "away", "current")]
    assert told(memory.history(one)) == [(one, "status", "away", "current")]


def test_a_merge_through_a_name_that_is_gone_still_holds(tmp_path: Path) -> None:
    options: dict[str, Any] = {"extractor": LineExtractor(), "clock": lambda: NOW}
    with HybridMemory.open(tmp_path / "a.db", **options) as memory:
        memory.add_episodes([{"id": name, "text": f"+ {name}"} for name in ("Alpha", "Beta", "Gamma")])
        memory.merge_entities("Alpha", "Beta")
        memory.merge_entities("Beta", "Gamma")
        memory.delete("Beta")
        assert [(entity.name, entity.aliases) for entity in memory.entities()] == [("Alpha", ("Gamma",))]
    with HybridMemory.open(tmp_path / "a.db", **options) as memory:
        memory.delete("Gamma")
        memory.add_episode("+ Gamma")
        assert [(entity.name, entity.aliases) for entity in memory.entities()] == [("Alpha", ("Gamma",))]


def test_names_that_the_rules_join_can_be_kept_apart(memory: HybridMemory) -> None:
    memory.add_episodes(["+ person:Zhang Wei", "+ person:Mr. Zhang"])
    assert len(memory.entities()) == 1
    memory.unmerge("Zhang Wei", "Mr. Zhang")
    assert sorted(entity.name for entity in memory.entities()) == ["Mr. Zhang", "Zhang Wei"]
    memory.merge_entities("Zhang Wei", "Mr. Zhang")
    assert len(memory.entities()) == 1


@pytest.mark.parametrize(
    ("a", "b", "named"), [("Ann Lee", "Nobody", "Nobody"), ("Bo", "BO", "one name"), ("", "Bo", "entity")]
)
def test_what_cannot_be_merged_is_refused(people: HybridMemory, a: str, b: str, named: str) -> None:
    before = knowledge(people)
    for change in (people.merge_entities, people.unmerge):
        with pytest.raises(InvalidInputError, match=named):
            change(a, b)
    assert knowledge(people) == before


def test_a_name_of_several_entities_is_refused(memory: HybridMemory) -> None:
    memory.add_episode("+ person:Paris\n+ place:Paris\n+ person:Bo")
    with pytest.raises(InvalidInputError, match="several entities"):
        memory.merge_entities("Paris", "Bo")


def test_unclear_names_are_suggested(memory: HybridMemory) -> None:
    memory.add_episode("+ person:张伟\n+ person:Zhang Wei")
    assert [{found.a, found.b} for found in memory.entities().suggest_merges()] == [{"张伟", "Zhang Wei"}]


def test_a_judgement_of_texts_that_went_meanwhile_is_not_kept(memory: HybridMemory) -> None:
    texts = {"a": "+ organisation:Acme Robotics", "b": "+ organisation:Acme"}
    changes: list[Callable[[], object]] = [
        lambda: memory.delete("b"),
        lambda: memory.add_episode("+ organisation:Acme\n+ Ann", id="b"),
    ]
    for change in changes:
        memory.add_episodes([{"id": identity, "text": text} for identity, text in texts.items()])

        def judge(
            a: str, b: str, texts_a: Sequence[str], texts_b: Sequence[str], change: Callable[[], object] = change
        ) -> bool:
            change()
            return True

        assert [found.same for found in memory.entities().judge_merges(judge)] == [None]
        memory.add_episodes([{"id": identity, "text": text} for identity, text in texts.items()])
        assert len(memory.entities()) == 2
    assert [found.same for found in memory.entities().judge_merges(lambda *shown: True)] == [True]
    assert len(memory.entities()) == 1


# -- history and the graph --------------------------------------------------------------------------------------------


def test_history_is_of_one_subject_under_any_name_and_in_order(people: HybridMemory) -> None:
    assert [fact.id for fact in people.history("the atlas")] == ["a!0", "b!0", "d!0"]
    assert [fact.id for fact in people.history("ATLAS", "status")] == ["d!0"]
    assert people.history("Nobody") == people.history("Atlas", "colour") == []
    with pytest.raises(InvalidInputError, match="subject"):
        people.history(" ")
    with pytest.raises(InvalidInputError, match="as_of"):
        people.history("Atlas", as_of="soon")


def test_history_as_of_a_day_ends_and_knows_what_it_did_then(people: HybridMemory) -> None:
    then = people.history("Atlas", as_of=day(1))
    assert [(fact.id, fact.status, fact.invalid_at, fact.superseded_by) for fact in then] == [
        ("a!0", "current", None, None)
    ]
    later = people.history("Atlas", now=day(3))
    assert [(fact.id, fact.status) for fact in later] == [("a!0", "past"), ("b!0", "current"), ("d!0", "upcoming")]


def test_a_plan_is_known_from_when_it_was_told(memory: HybridMemory) -> None:
    """As of a day, what was told by then, with what was planned; nothing that came later."""
    memory.add_episode("Atlas -budget-> amount:500k", id="e1", time=day(1))
    memory.add_episode("Atlas -budget-> amount:600k from 2024-11-20", id="e2", time=day(5))
    memory.add_episode("Atlas -budget-> amount:700k", id="e3", time=day(25))
    memory.add_episode("Atlas -budget-> amount:400k from 2024-11-03", id="e4", time=day(28))

    def seen(as_of: int) -> list[tuple[str, str, datetime | None]]:
        return [(fact.object, fact.status, fact.invalid_at) for fact in memory.history("Atlas", as_of=day(as_of))]

    assert seen(4) == [("500k", "current", None)]
    assert seen(6) == [("500k", "current", day(20)), ("600k", "upcoming", None)]
    assert seen(21) == [("500k", "past", day(20)), ("600k", "current", None)]
    assert seen(26) == [("500k", "past", day(20)), ("600k", "past", day(25)), ("700k", "current", None)]
    assert seen(29) == [
        ("500k", "past", day(3)),
        ("400k", "past", day(20)),
        ("600k", "past", day(25)),
        ("700k", "current", None),
    ]


def test_history_as_it_was_known() -> None:
    times = iter([day(10), day(20), day(21)])
    memory = made(clock=lambda: next(times, NOW))
    memory.add_episode("Atlas -budget-> amount:600k", id="e2", time=day(2))
    memory.add_episode("Atlas -budget-> amount:500k", id="e1", time=day(1))
    memory.add_episode("Atlas -budget-> amount:700k", id="e3", time=day(3))

    def known(at: int) -> list[tuple[str, datetime | None, datetime | None]]:
        return [(f.object, f.invalid_at, f.expired_at) for f in memory.history("Atlas", known_at=day(at))]

    assert known(9) == []
    assert known(10) == [("600k", None, None)]
    assert known(20) == [("500k", day(2), day(20)), ("600k", None, None)]
    assert known(21) == [("500k", day(2), day(20)), ("600k", day(3), day(21)), ("700k", None, None)]
    assert ids(memory.search("budget", known_at=day(20))) == ["e2", "e1"]


def test_the_graph_is_frozen_current_and_kept_until_the_next_write(people: HybridMemory) -> None:
    graph = people.graph
    assert sorted(graph.edges(keys=True)) == [
        ("Atlas", "Bo", "b!0"),
        ("Atlas", "green", "d!0"),
        ("Bo", "Oslo", "c!0"),
        ("Borealis", "red", "d!1"),
    ]
    assert graph.nodes["Bo"] == {"name": "Bo", "type": "person", "aliases": [], "mentions": 2}
    assert graph.edges["Atlas", "Bo", "b!0"]["predicate"] == "owner"
    with pytest.raises(networkx.NetworkXError, match=r"[Ff]rozen"):
        graph.add_edge("a", "b")
    assert people.graph is graph
    people.delete("b")
    assert ("Atlas", "Ann Lee", "a!0") in people.graph.edges(keys=True)
    assert ("Atlas", "Bo", "b!0") in graph.edges(keys=True)
    assert people.namespace("other").graph.number_of_nodes() == 0


# -- walls, handles, async --------------------------------------------------------------------------------------------


def test_a_namespace_knows_only_its_own(people: HybridMemory) -> None:
    before, found = knowledge(people), findings(people)
    other = people.namespace("other")
    assert knowledge(other) == knowledge(made())
    with pytest.raises(InvalidInputError, match="no entity"):
        other.merge_entities("Ann Lee", "Bo")
    other.add_episodes(
        [
            {"id": "a", "text": "Atlas -owner-> person:Cid", "time": day(9)},
            {"id": "b", "text": "person:Bo -alias-> person:Ann Lee"},
            {"id": "z", "text": "+ person:Zoe"},
        ]
    )
    assert told(other.history("Atlas")) == [("Atlas", "owner", "Cid", "current")]
    other.merge_entities("Cid", "Zoe")
    assert (knowledge(people), findings(people)) == (before, found)
    assert "Ann Lee" not in str(findings(other)).replace("person:Ann Lee", "")[:0]
    other.delete(["a", "b", "z"])
    assert (knowledge(people), people.namespaces()) == (before, ["default"])


def test_handles_of_one_file_see_each_others_entities_at_once(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    options: dict[str, Any] = {"clock": lambda: NOW, "embedder": HashEmbedder(16)}
    with (
        HybridMemory.open(path, extractor=LineExtractor(), **options) as one,
        HybridMemory.open(path, extractor=LineExtractor(), **options) as two,
    ):
        one.add_episode("Atlas -owner-> person:Ann", id="a", time=day(1))
        assert knowledge(two) == knowledge(one)
        two.add_episode("Atlas -owner-> person:Bo", id="b", time=day(2))
        assert told(one.history("Atlas")) == told(two.history("Atlas"))
        one.merge_entities("Ann", "Bo")
        assert [entity.name for entity in two.entities("ann")] == [entity.name for entity in one.entities("bo")]
        two.delete("b")
        assert (knowledge(two), findings(two)) == (knowledge(one), findings(one))


def test_awaiting_gives_the_same() -> None:
    texts = ["Atlas -budget-> amount:500k", "Atlas -budget-> amount:600k"]
    one, two = made(embedder=HashEmbedder(16)), made(embedder=HashEmbedder(16))

    async def each() -> list[object]:
        return [
            await two.aadd_episode(texts[0], id="a", time=day(1)),
            await two.aadd_episodes([{"id": "b", "text": texts[1], "time": day(2)}]),
            await two.aadd_facts([{"id": "f", "subject": "Atlas", "predicate": "owner", "object": "Ann"}]),
            await two.aadd_episode("+ Ann Lee", id="c", extract="later"),
            await two.aextract_pending(),
            await cast(Callable[..., Awaitable[object]], two.amerge_entities)("Ann", "Ann Lee"),
            await two.ahistory("Atlas", now=day(3)),
            list(await two.aentities("ann")),
            await cast(Callable[..., Awaitable[object]], two.aunmerge)("Ann", "Ann Lee"),
            await two.adelete("b"),
        ]

    assert asyncio.run(each()) == [
        one.add_episode(texts[0], id="a", time=day(1)),
        one.add_episodes([{"id": "b", "text": texts[1], "time": day(2)}]),
        one.add_facts([{"id": "f", "subject": "Atlas", "predicate": "owner", "object": "Ann"}]),
        one.add_episode("+ Ann Lee", id="c", extract="later"),
        one.extract_pending(),
        cast(Callable[..., object], one.merge_entities)("Ann", "Ann Lee"),
        one.history("Atlas", now=day(3)),
        list(one.entities("ann")),
        cast(Callable[..., object], one.unmerge)("Ann", "Ann Lee"),
        one.delete("b"),
    ]
    assert (knowledge(one), findings(one)) == (knowledge(two), findings(two))


def test_an_extractor_that_can_be_awaited_is() -> None:
    class Awaited(LineExtractor):
        async def aextract(self, text: str, context: Context) -> Extraction:
            await asyncio.sleep(0)
            return Extraction((Mention(f"awaited {text}"),))

    memory = made(extractor=Awaited())
    assert asyncio.run(awaited(memory, "Ann")).entities == ("awaited Ann",)
    assert memory.add_episode("+ Ann").entities == ("Ann",)


def test_entities_of_one_name_are_nodes_of_their_own() -> None:
    memory = made()
    memory.add_episodes(
        [
            {"id": "a", "text": "organisation:Apple -owner-> person:Ann"},
            {"id": "b", "text": "product:Apple -part_of-> Salad\n+ product:Apple"},
            {"id": "c", "text": "Salad -status-> other:Ann"},
        ]
    )
    graph = memory.graph
    assert {(node, values["name"], values["type"]) for node, values in graph.nodes(data=True)} >= {
        ("Apple (organisation)", "Apple", "organisation"),
        ("Apple (product)", "Apple", "product"),
        ("Salad", "Salad", "name"),
    }
    assert set(graph.edges(keys=True)) >= {
        ("Apple (organisation)", next(iter(graph["Apple (organisation)"])), "a!0"),
        ("Apple (product)", "Salad", "b!0"),
    }
    memory.delete("b")
    assert "Apple" in memory.graph


# -- other names ------------------------------------------------------------------------------------------------------


def test_a_fact_that_tells_another_name_shows_both() -> None:
    memory = HybridMemory.in_memory()
    receipt = memory.add_episode("Acme Corp is also known as Zenith.", id="a")
    memory.add_episode("Zenith hired Bo. Zenith is near Oslo. Zenith called.", id="b")
    told = [(fact.subject, fact.predicate, fact.object) for fact in receipt.facts]
    assert told == [("Acme Corp", "alias", "Zenith")]
    for name in ("Zenith", "Acme Corp"):
        known = memory.history(name, "alias")
        assert [(fact.subject, fact.predicate, fact.object) for fact in known] == told
    (hit,) = [hit for hit in memory.search("Zenith", legs=("graph",)) if hit.id == "a"]
    assert [(fact.subject, fact.object) for fact in hit.why.facts] == [("Acme Corp", "Zenith")]
    paths = [str(hit.why.path) for hit in memory.search("Zenith", kinds=("fact",), top_k=10) if hit.why.path]
    assert not any("Zenith —alias→ Zenith" in path for path in paths)
    (entity,) = memory.entities("zenith")
    assert list(memory.graph.edges(keys=True)) == [(entity.name, entity.name, "a!0")]


def test_two_other_names_are_two_facts() -> None:
    memory = made()
    memory.add_episodes(
        [
            {"id": "a", "text": "Acme -alias-> Zenith"},
            {"id": "b", "text": "Acme -alias-> Nadir"},
            {"id": "c", "text": "acme -alias-> Nadir"},
        ]
    )
    assert [(fact.object, fact.chunk_ids) for fact in memory.history("Acme")] == [
        ("Zenith", ("a",)),
        ("Nadir", ("b", "c")),
        ("Nadir", ("b", "c")),
    ]
    assert len(memory.search("Acme alias", kinds=("fact",), top_k=10)) == 2


# -- ids --------------------------------------------------------------------------------------------------------------


def test_of_two_values_of_one_moment_the_one_written_later_holds() -> None:
    memory = HybridMemory.in_memory(clock=lambda: NOW)
    values = [f"{number}00k" for number in range(1, 10)]
    given = {"subject": "Atlas", "predicate": "budget", "valid_at": day(1)}
    memory.add_facts({**given, "object": value} for value in values[:5])
    for value in values[5:]:
        memory.add_facts([{**given, "object": value}])
    told = memory.history("Atlas")
    assert [fact.object for fact in told] == values
    assert [fact.object for fact in told if fact.status == "current"] == ["900k"]
    ids = [*memory.add(["one", "two"]), memory.add_episode("three").id]
    assert sorted(ids) == ids


LONG = "\n".join(f"Thing{at} -part_of-> Whole" for at in range(120))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"id": "a", "text": LONG}, {"id": "a#1", "text": "+ Ann"}),
        ({"id": "a#1", "text": "+ Ann"}, {"id": "a", "text": LONG}),
    ],
)
def test_an_episode_does_not_take_the_place_of_a_chunk_of_another(
    memory: HybridMemory, first: dict[str, object], second: dict[str, object]
) -> None:
    memory.add_episodes([first])
    known = knowledge(memory)
    message = rf"episode '{second['id']}' has a chunk 'a#1', and '{first['id']}' that is stored has one too"
    for extract in ("now", "later"):
        with pytest.raises(InvalidInputError, match=message):
            memory.add_episodes([second], extract=cast("Any", extract))
    assert knowledge(memory) == known
    memory.delete(str(first["id"]))
    memory.add_episodes([second])
    assert memory.get("a#1")[0] is not None


def test_an_episode_that_is_replaced_in_the_same_call_is_in_nobodys_way(memory: HybridMemory) -> None:
    memory.add_episode(LONG, id="a")
    memory.add_episodes([{"id": "a", "text": "+ Bo"}, {"id": "a#1", "text": "+ Ann"}])
    assert {entity.name for entity in memory.entities()} == {"Ann", "Bo"}


def test_a_chunk_that_another_writer_stores_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    config = Config(chunk_chars=100)
    with HybridMemory.open(tmp_path / "a.db", config=config) as other:

        class WhileOthersWrite(LineExtractor):
            def extract(self, text: str, context: Context) -> Extraction:
                if not other.count():
                    other.add_episode("A note of someone else.", id="a#1")
                return super().extract(text, context)

        with HybridMemory.open(tmp_path / "a.db", config=config, extractor=WhileOthersWrite()) as memory:
            with pytest.raises(InvalidInputError, match="has a chunk 'a#1', and 'a#1' that is stored has one too"):
                memory.add_episode("word " * 60, id="a")
            assert [record.text for record in memory.get(["a#0", "a#1"]) if record] == ["A note of someone else."]


# -- ends that texts tell ---------------------------------------------------------------------------------------------


@pytest.fixture
def zoe() -> HybridMemory:
    memory = HybridMemory.in_memory(clock=lambda: datetime(2025, 12, 1, tzinfo=UTC))
    memory.add_episodes(
        [
            {"id": "a", "text": "Zoe Lind works for Acme.", "time": "2025-01-05"},
            {"id": "b", "text": "张伟负责云仓项目。", "time": "2025-01-05"},
        ]
    )
    return memory


ENDS = [
    ("a", "Zoe Lind", "As of 1 March 2026, Zoe Lind no longer works for Acme.", datetime(2026, 3, 1, tzinfo=UTC)),
    ("a", "Zoe Lind", "Zoe Lind left Acme on 1 March 2025.", datetime(2025, 3, 1, tzinfo=UTC)),
    ("b", "云仓项目", "张伟不再负责云仓项目。", datetime(2025, 11, 5, tzinfo=UTC)),
]


@pytest.mark.parametrize(("ended", "subject", "text", "end"), ENDS)
def test_a_text_that_ends_a_fact_says_so_and_states_no_other(
    zoe: HybridMemory, ended: str, subject: str, text: str, end: datetime
) -> None:
    before, stats = knowledge(zoe), zoe.stats()
    receipt = zoe.add_episode(text, id="end", time="2025-11-05")
    assert receipt.facts == ()
    assert [(fact.id, fact.invalid_at) for fact in receipt.superseded] == [(f"{ended}!0", end)]
    assert [(fact.id, fact.invalid_at) for fact in zoe.history(subject)] == [(f"{ended}!0", end)]
    assert zoe.history(subject)[0].chunk_ids == (ended,)
    assert zoe.stats().facts == stats.facts
    over = end <= datetime(2025, 12, 1, tzinfo=UTC)
    for when in ({}, {"as_of": "2025-11-20"}, {"known_at": "2025-12-01"}):
        hits = zoe.search(text, kinds=("fact",), top_k=9, **cast("Any", when))
        assert "end!0" not in {hit.id for hit in hits}
        assert (f"{ended}!0" in {hit.id for hit in hits}) is not over
        chunks = {hit.id: hit for hit in zoe.search(text, top_k=9, **cast("Any", when))}
        assert chunks["end"].why.facts == ()
        assert [fact.id for fact in chunks[ended].why.facts] == [f"{ended}!0"]
    assert "end!0" not in {key for _, _, key in zoe.graph.edges(keys=True)}
    assert zoe.add_episode(text, id="end", time="2025-11-05") == replace(
        receipt, created=(), superseded=(), unchanged=True
    )
    removed = zoe.delete("end")
    assert (removed.ids, removed.facts) == (("end",), ())
    assert [(fact.id, fact.invalid_at) for fact in removed.reopened] == [(f"{ended}!0", None)]
    assert knowledge(zoe) == before


@pytest.mark.parametrize(("ended", "subject", "text", "end"), ENDS)
@pytest.mark.parametrize("extract", ["now", "later"])
def test_replacing_an_end_opens_the_fact_again(
    zoe: HybridMemory, ended: str, subject: str, text: str, end: datetime, extract: str
) -> None:
    long = f"{text} {'All is quiet. ' * 200}"
    zoe.add_episode(long, id="end", time="2025-11-05")
    assert zoe.history(subject)[0].invalid_at == end
    assert len(zoe.add_episode(long + "Still.", id="end", time="2025-11-05").chunk_ids) > 1
    receipt = zoe.add_episode("All is well.", id="end", time="2025-11-05", extract=cast("Any", extract))
    assert [(fact.id, fact.invalid_at) for fact in receipt.reopened] == [(f"{ended}!0", None)]
    assert zoe.add_episode("All is very well.", id="end", time="2025-11-05").reopened == ()


def test_what_is_ended_anew_by_the_replacement_is_not_open_again(zoe: HybridMemory) -> None:
    zoe.add_episode("Zoe Lind left Acme on 1 March 2025.", id="end", time="2025-11-05")
    receipt = zoe.add_episode("Zoe Lind left Acme on 1 April 2025.", id="end", time="2025-11-05")
    assert receipt.reopened == ()
    assert [(fact.id, fact.invalid_at) for fact in receipt.superseded] == [("a!0", datetime(2025, 4, 1, tzinfo=UTC))]


def test_replacing_what_took_a_place_opens_the_fact_again(memory: HybridMemory) -> None:
    memory.add_episode("Atlas -budget-> amount:500k", id="a", time=day(1))
    memory.add_episode("Atlas -budget-> amount:600k", id="b", time=day(2))
    memory.add_episode("Atlas -budget-> amount:700k", id="c", time=day(3))
    receipt = memory.add_episode("+ Ann", id="b", time=day(2))
    assert receipt.reopened == ()  # the third ends the first now
    receipt = memory.add_episode("Atlas -budget-> amount:800k", id="c", time=day(2))
    assert receipt.reopened == ()
    (fact,) = memory.add_episode("+ Ann", id="c", time=day(3)).reopened
    assert (fact.id, fact.status, fact.invalid_at) == ("a!0", "current", None)


def test_a_fact_that_ended_by_itself_does_not_hold_again(memory: HybridMemory) -> None:
    memory.add_episode("Atlas -budget-> amount:500k from 2024-11-01 until 2024-11-05", id="a", time=day(1))
    memory.add_episode("Atlas -budget-> amount:600k", id="b", time=day(9))
    assert memory.delete("b").reopened == ()


@pytest.mark.parametrize("given", [{"text": "Ann owns Atlas."}, Chunk("Ann owns Atlas.")])
def test_more_than_a_text_is_sent_to_add_episodes(memory: HybridMemory, given: object) -> None:
    with pytest.raises(InvalidInputError, match=rf"text is a {type(given).__name__}: .* add_episodes"):
        memory.add_episode(given)  # type: ignore[arg-type]
    assert memory.count() == 0


def test_kinds_in_a_string_are_refused_with_what_to_give(memory: HybridMemory) -> None:
    with pytest.raises(InvalidInputError, match=r"kinds 'fact' is a string: give a list or a tuple, .*\('fact',\)"):
        memory.search("Atlas", kinds="fact")  # type: ignore[arg-type]


def test_the_graph_is_drawn_as_it_was_and_by_another_present() -> None:
    memory = HybridMemory.in_memory(clock=lambda: day(30))
    for number, budget in ((1, "500k"), (10, "600k"), (20, "700k")):
        memory.add_episode(f"The budget of Project Atlas is {budget}.", id=budget, time=day(number))

    def budgets(**moments: datetime) -> list[str]:
        return [end for _, end in memory.graph_at(**moments).edges()]

    async def awaited() -> list[tuple[str, str]]:
        return list((await memory.agraph_at(as_of=day(5))).edges())

    assert budgets() == ["700k"] == [end for _, end in memory.graph.edges()]
    assert budgets(as_of=day(5)) == ["500k"]
    assert budgets(now=day(15)) == ["600k", "700k"]
    assert budgets(known_at=day(29)) == []
    assert networkx.is_frozen(memory.graph_at(as_of=day(5)))
    assert memory.graph is memory.graph
    assert asyncio.run(awaited()) == [("Project Atlas", "500k")]
    with pytest.raises(InvalidInputError, match="as_of"):
        memory.graph_at(as_of="soon")


def test_the_receipts_of_one_batch_show_the_state_after_it() -> None:
    episodes = [
        {"id": budget, "text": f"The budget of Project Atlas is {budget}.", "time": day(number)}
        for number, budget in ((1, "500k"), (10, "600k"))
    ]
    first, second = HybridMemory.in_memory(clock=lambda: NOW).add_episodes(episodes)
    assert [(fact.object, fact.status, fact.superseded_by) for fact in first.facts] == [("500k", "past", "600k!0")]
    assert [fact.object for fact in first.superseded] == []
    assert [(fact.object, fact.status) for fact in second.facts] == [("600k", "current")]
    assert [fact.object for fact in second.superseded] == ["500k"]
