"""What a memory understands depends on what it holds and on nothing else: not on the order of writes, or batches."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from hybrid_agent_memory import Entity, Fact, HybridMemory, InvalidInputError
from hybrid_agent_memory.testing import HashEmbedder, LineExtractor

NOW = datetime(2024, 12, 1, 12, tzinfo=UTC)
FEWER = settings(max_examples=40)


def day(number: int) -> datetime:
    """A day of November 2024."""
    return datetime(2024, 11, 1, tzinfo=UTC) + timedelta(days=number - 1)


def made(**options: Any) -> HybridMemory:  # noqa: ANN401  # as the keywords of HybridMemory.in_memory
    return HybridMemory.in_memory(**{"extractor": LineExtractor(), "clock": lambda: NOW, **options})


QUERIES = ["who owns Atlas and what is its budget?", "Zhang Wei", "Mr. Zhang on Borealis", "张总", "complained"]
SEARCHES: list[dict[str, Any]] = [
    {},
    {"weights": {"graph": 1}},
    {"kinds": ("fact",)},
    {"kinds": ("fact", "chunk"), "as_of": day(9)},
]


def knowledge(memory: HybridMemory) -> dict[str, object]:
    """What a memory knows, apart from how it came to know it."""
    entities, graph, stats = list(memory.entities()), memory.graph, memory.stats()
    names = sorted({name for entity in entities for name in (entity.name, *entity.aliases)})
    return {
        "export": sorted(memory.export(), key=lambda item: str(item["id"])),
        "entities": entities,
        "history": {name: memory.history(name) for name in names},
        "once": {name: memory.history(name, as_of=day(9)) for name in names},
        "graph": (sorted(graph.nodes(data=True)), sorted(graph.edges(keys=True, data=True))),
        "count": memory.count(),
        "stats": (stats.records, stats.terms, stats.facts, stats.entities, stats.pending, stats.dimension),
    }


def findings(memory: HybridMemory) -> list[object]:
    """What searches of all kinds say, with every reason."""
    return [(query, memory.search(query, top_k=20, **options)) for query in QUERIES for options in SEARCHES]


# -- what is written --------------------------------------------------------------------------------------------------

NAMES = [
    "Atlas", "The Atlas", "Borealis", "project:Atlas", "person:Zhang Wei", "person:Mr. Zhang", "person:Zhang Li",
    "person:张伟", "person:张总", "Zhang Wei", "person:Ann", "person:Ann Lee", "place:Oslo",
    "organisation:Initech Inc.", "organisation:Initech", "Phillip Morris", "Philip Morris",
]  # fmt: skip
VALUES = ["amount:500k", "amount:50万", "amount:600k", "amount:$600k", "other:green", "other:red"]
PREDICATES = ["budget", "owner", "status", "member", "alias", "visited"]
days = st.integers(1, 12)
later_days = st.none() | days
Item = dict[str, object]
Draw = st.DrawFn


@dataclass(frozen=True)
class World:
    """A few names and predicates, so that what texts say of them collides."""

    names: list[str]
    predicates: list[str]

    def statement(self, draw: Draw) -> str:
        name, predicate = draw(st.sampled_from(self.names)), draw(st.sampled_from(["mention", *self.predicates]))
        if predicate == "mention":
            return f"+ {name}"
        value = draw(st.sampled_from(VALUES if predicate in ("budget", "status") else self.names))
        begin, end = draw(st.none() | later_days), draw(st.none() | later_days)
        line = f"{name} -{predicate}-> {value}" + (f" from {day(begin):%Y-%m-%d}" if begin else "")
        how = "until" if begin else draw(st.sampled_from(["until", "ends"]))
        return line + (f" {how} {day(end):%Y-%m-%d}" if end else "")

    def episode(self, draw: Draw, identity: str) -> Item:
        at = draw(later_days)
        lines = [self.statement(draw) for _ in range(draw(st.integers(1, 3)))]
        return {"id": identity, "text": "\n".join(lines), "time": None if at is None else day(at).isoformat()}

    def episodes(self, draw: Draw) -> list[Item]:
        return [self.episode(draw, f"e{at}") for at in range(draw(st.integers(1, 5)))]


@st.composite
def worlds(draw: Draw) -> World:
    return World(
        draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=4, unique=True)),
        draw(st.lists(st.sampled_from(PREDICATES), min_size=1, max_size=2, unique=True)),
    )


@st.composite
def several(draw: Draw) -> list[Item]:
    return draw(worlds()).episodes(draw)


@st.composite
def several_and_one(draw: Draw, ids: Sequence[str]) -> tuple[list[Item], Item]:
    world = draw(worlds())
    return world.episodes(draw), world.episode(draw, draw(st.sampled_from(ids)))


@st.composite
def several_and_two_names(draw: Draw) -> tuple[list[Item], str, str]:
    world = draw(worlds())
    a, b = (bare(draw(st.sampled_from(world.names))) for _ in range(2))
    return world.episodes(draw), a, b


def bare(name: str) -> str:
    """A name without its type."""
    return name.partition(":")[2] or name


SENTENCES = [
    "The budget of Project Atlas is 500k.", "The budget of Project Atlas is 600k.", "项目Atlas的预算是50万。",
    "Zhang Wei owns Project Atlas.", "Mr. Zhang owns Project Atlas.", "张伟负责智能货架项目。", "张总投诉了物流延迟。",
    "I work at Initech.", "Ann Lee works at Initech Inc.", "Ann lives in Oslo.",
    "Project Borealis depends on Project Atlas.",
    "The deadline of Project Atlas is 5 November 2024.", "ERR_0x9941 broke the checkout.", "All quiet.",
]  # fmt: skip


@st.composite
def messages(draw: Draw) -> Item:
    at = draw(later_days)
    return {
        "id": draw(st.sampled_from(["e0", "e1", "e2", "e3", "e4"])),
        "text": " ".join(draw(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=3))),
        "time": None if at is None else day(at).isoformat(),
        "speaker": draw(st.sampled_from([None, "Ann", "Bo"])),
    }


conversation = st.lists(messages(), max_size=5, unique_by=lambda item: str(item["id"]))


# -- the order of writing does not matter -----------------------------------------------------------------------------


@given(several(), st.randoms(use_true_random=False))
def test_episodes_may_come_in_any_order_and_batch(items: list[Item], random: Any) -> None:  # noqa: ANN401
    at_once, one_by_one = made(), made()
    at_once.add_episodes(items)
    random.shuffle(items)
    for item in items:
        one_by_one.add_episodes([item])
    assert knowledge(one_by_one) == knowledge(at_once)


@FEWER
@given(conversation, st.randoms(use_true_random=False))
def test_so_may_messages_that_the_rules_read(items: list[Item], random: Any) -> None:  # noqa: ANN401
    at_once, one_by_one = made(extractor=None), made(extractor=None)
    at_once.add_episodes(items)
    random.shuffle(items)
    for item in items:
        one_by_one.add_episodes([item])
    assert knowledge(one_by_one) == knowledge(at_once)


@FEWER
@given(several(), st.randoms(use_true_random=False))
def test_what_is_extracted_later_is_understood_the_same(items: list[Item], random: Any) -> None:  # noqa: ANN401
    at_once, later = made(), made()
    at_once.add_episodes(items)
    random.shuffle(items)
    half = len(items) // 2
    later.add_episodes(items[:half], extract="later")
    later.add_episodes(items[half:])
    while later.extract_pending(limit=1):
        pass
    assert knowledge(later) == knowledge(at_once)


# -- what is gone has left no trace -----------------------------------------------------------------------------------


@given(several_and_one(["new", "e0#1", "a"]))
def test_adding_and_deleting_leaves_no_trace(written: tuple[list[Item], Item]) -> None:
    (items, extra), memory = written, made()
    memory.add_episodes(items)
    known, found = knowledge(memory), findings(memory)
    receipt = memory.add_episodes([extra])[0]
    removed = memory.delete(receipt.id)
    assert removed.ids == receipt.chunk_ids
    assert removed.facts == tuple(sorted(fact.id for fact in receipt.facts))
    if all(item["id"] != extra["id"] for item in items):
        assert {fact.id for fact in removed.reopened} <= {fact.id for fact in receipt.superseded}
        assert set(removed.reopened) <= set(facts_of(memory))
    assert (knowledge(memory), findings(memory)) == (known, found)


@FEWER
@given(conversation, messages())
def test_nor_does_a_message_that_the_rules_read_and_vectors_find(items: list[Item], extra: Item) -> None:
    memory = made(extractor=None, embedder=HashEmbedder(16))
    memory.add_episodes(items)
    known, found = knowledge(memory), findings(memory)
    memory.add_episodes([{**extra, "id": "new"}])
    memory.delete("new")
    assert {**knowledge(memory), "stats": None} == {**known, "stats": None}
    assert (findings(memory), memory.stats().facts) == (found, len({f.id for f in facts_of(memory)}))


def facts_of(memory: HybridMemory) -> list[Fact]:
    """Every fact, by way of the history of every name."""
    names = {name for entity in memory.entities() for name in (entity.name, *entity.aliases)}
    return [fact for name in names for fact in memory.history(name)]


@given(several_and_one(["e0", "e1"]))
def test_a_replacement_is_what_was_added_instead(written: tuple[list[Item], Item]) -> None:
    (items, other), replaced, instead = written, made(), made()
    replaced.add_episodes(items)
    replaced.add_episodes([other])
    instead.add_episodes([item for item in items if item["id"] != other["id"]] + [other])
    assert knowledge(replaced) == knowledge(instead)


@given(several_and_two_names())
def test_merging_and_taking_it_back_leaves_no_trace(written: tuple[list[Item], str, str]) -> None:
    (items, a, b), memory = written, made()
    memory.add_episodes(items)
    known, found = knowledge(memory), findings(memory)
    one_already = are_one(memory, a, b)
    try:
        memory.merge_entities(a, b)
    except InvalidInputError:
        assert knowledge(memory) == known
        return
    memory.unmerge(b, a)
    assert not are_one(memory, a, b)
    assert one_already or (knowledge(memory), findings(memory)) == (known, found)


def are_one(memory: HybridMemory, a: str, b: str) -> bool:
    """Whether an entity goes by both names."""
    return any({a.casefold(), b.casefold()} <= forms(entity) for entity in memory.entities())


def forms(entity: Entity) -> set[str]:
    return {name.casefold() for name in (entity.name, *entity.aliases)}


@FEWER
@given(several(), st.data())
def test_names_that_were_unmerged_are_two_whatever_was_merged_before(items: list[Item], data: st.DataObject) -> None:
    memory = made()
    memory.add_episodes(items)
    pair = st.lists(st.sampled_from(sorted({bare(name) for name in NAMES})), min_size=2, max_size=2, unique=True)
    for merge, (a, b) in data.draw(st.lists(st.tuples(st.booleans(), pair), max_size=6)):
        with suppress(InvalidInputError):
            if merge:
                memory.merge_entities(a, b)
                continue
            beside = merged_with_both(memory, a, b)
            memory.unmerge(a, b)
            assert not are_one(memory, a, b)
            assert all(are_one(memory, a, third) for third in beside)


def merged_with_both(memory: HybridMemory, a: str, b: str) -> set[str]:
    """The names that are merged with each of two by a decision that still counts."""
    merged: set[frozenset[str]] = set()
    for one in memory.entities.merges():
        names = frozenset((one.a, one.b))
        merged = merged | {names} if one.op == "merge" else merged - {names}
    beside = {third for names in merged for third in names} - {a, b}
    return {third for third in beside if {frozenset((a, third)), frozenset((b, third))} <= merged}


# -- what is kept up is what is built anew ----------------------------------------------------------------------------


@st.composite
def histories(draw: Draw) -> list[tuple[str, Any]]:
    """Writes of all kinds, one after the other."""
    world, done = draw(worlds()), list[tuple[str, Any]]()
    for _ in range(draw(st.integers(1, 8))):
        how = draw(st.sampled_from(["add", "add", "add", "later", "plain", "delete", "merge", "unmerge", "extract"]))
        identity = draw(st.sampled_from(["e0", "e1", "e2", "e3"]))
        a, b = (bare(draw(st.sampled_from(world.names))) for _ in range(2))
        what = (a, b) if how in ("merge", "unmerge") else identity if how == "delete" else world.episode(draw, identity)
        done.append((how, what))
    return done


def perform(memory: HybridMemory, how: str, what: Any) -> None:  # noqa: ANN401
    match how:
        case "add" | "later":
            memory.add_episodes([what], extract="now" if how == "add" else "later")
        case "plain":
            memory.add(what)
        case "delete":
            memory.delete(what)
        case "extract":
            memory.extract_pending(limit=1)
        case _:
            with suppress(InvalidInputError):  # no such name, or several
                memory.merge_entities(*what) if how == "merge" else memory.unmerge(*what)


@given(histories())
def test_a_graph_that_is_kept_up_equals_one_that_is_built_anew(done: list[tuple[str, Any]]) -> None:
    with TemporaryDirectory() as folder:
        options: dict[str, Any] = {"extractor": LineExtractor(), "clock": lambda: NOW, "durability": "normal"}
        path = Path(folder) / "a.db"
        with HybridMemory.open(path, **options) as memory:
            for how, what in done:
                perform(memory, how, what)
                memory.entities()  # so that every write is a step of its own
            kept = knowledge(memory), findings(memory)
        with HybridMemory.open(path, **options) as again:
            assert (knowledge(again), findings(again)) == kept


# -- what held when, and who knew -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Stated:
    """A value of one slot: said on a day (or none), written on a day, holding from and until days if it says so."""

    episode: str
    value: str
    said: int | None
    written: int
    begin: int | None
    end: int | None

    @property
    def place(self) -> tuple[float, str]:
        """Its place in the timeline."""
        starts = next(at for at in (self.begin, self.said, self.written) if at is not None)
        return starts, self.episode

    @property
    def tells_end(self) -> bool:
        """Whether it says no more than that its value had ended."""
        said = self.written if self.said is None else self.said
        return self.begin is None and self.end is not None and self.end <= said

    def is_so_by(self, moment: int, known: Iterable["Stated"]) -> bool:
        """Whether it was said by then; where nobody knows when, whether it had begun, or nothing is known before it."""
        if self.said is not None:
            return self.said <= moment
        if self.begin is not None:
            return self.begin <= moment
        if not any(other.place < self.place for other in known):
            return True
        return min(self.written, self.written if self.end is None else self.end) <= moment


Row = tuple[str, str, str, int | None, int | None, str | None]


def expected(stated: Iterable[Stated], now: int, as_of: int | None, known_at: int | None) -> list[Row]:
    """The timeline by going through every pair: episode, value, status, from, until, superseded by."""
    known = [one for one in stated if known_at is None or one.written <= known_at]
    seen = [one for one in known if as_of is None or one.is_so_by(as_of, known)]
    rows: list[Row] = []
    moment = now if as_of is None else as_of
    for one in sorted(seen, key=lambda one: one.place):
        after = [
            other for other in seen if other.place > one.place and other.value != one.value and not other.tells_end
        ]
        told = [
            other.end
            for other in seen
            if other.tells_end and other.value == one.value and other.end is not None and other.end >= one.place[0]
        ]
        own = one.end if one.end is not None else min(told, default=None)
        closing = min(after, key=lambda other: other.place, default=None)
        ends = [at for at in (own, None if closing is None else int(closing.place[0])) if at is not None]
        begin = one.said if one.begin is None else one.begin
        until = min(ends, default=None)
        if until is not None and begin is not None:
            until = max(until, begin)
        status = "current"
        if until is not None and until <= moment:
            status = "past"
        elif begin is not None and begin > moment:
            status = "upcoming"
        rows.append((one.episode, one.value, status, begin, until, None if closing is None else closing.episode))
    return rows


def number_of(moment: datetime | None) -> int | None:
    return None if moment is None else (moment - day(1)).days + 1


def shown(fact: Fact) -> Row:
    after = None if fact.superseded_by is None else fact.superseded_by.partition("!")[0]
    return (
        fact.chunk_ids[0] if len(fact.chunk_ids) == 1 else fact.id.partition("!")[0],
        fact.object,
        fact.status,
        number_of(fact.valid_at),
        number_of(fact.invalid_at),
        after,
    )


@st.composite
def slots(draw: Draw) -> list[Stated]:
    many = draw(st.integers(1, 5))
    return [
        Stated(
            f"e{at}",
            draw(st.sampled_from(["red", "green", "blue"])),
            *draw(st.tuples(later_days, days, later_days, later_days)),
        )
        for at in range(many)
    ]


@settings(max_examples=100)
@given(slots(), days, later_days, later_days)
@example([Stated("e0", "red", 1, 1, None, None), Stated("e1", "green", 9, 9, 2, None)], 12, 5, None)
@example([Stated("e0", "red", 1, 1, None, None), Stated("e1", "green", 2, 2, 9, None)], 12, 5, None)
def test_a_timeline_as_of_any_day_is_that_of_all_pairs(
    stated: list[Stated], now: int, as_of: int | None, known_at: int | None
) -> None:
    clock = [day(1)]
    memory = made(clock=lambda: clock[0])
    for one in sorted(stated, key=lambda one: one.written):
        clock[0] = day(one.written)
        line = f"Atlas -status-> other:{one.value}"
        line += "" if one.begin is None else f" from {day(one.begin):%Y-%m-%d}"
        line += "" if one.end is None else f" until {day(one.end):%Y-%m-%d}"
        memory.add_episode(line, id=one.episode, time=None if one.said is None else day(one.said))
    times: dict[str, Any] = {
        name: None if at is None else day(at) for name, at in (("as_of", as_of), ("known_at", known_at))
    }
    told = memory.history("Atlas", "status", now=day(now), **times)
    assert [shown(fact) for fact in told] == expected(stated, now, as_of, known_at)
    open_values = {fact.object for fact in told if fact.status != "past"}
    for legs in (None, ("graph",)):
        found = memory.search("Atlas status", kinds=("fact",), now=day(now), top_k=20, legs=legs, **times)
        assert {fact.object for hit in found for fact in hit.why.facts} == open_values
    chunks = memory.search("Atlas status", now=day(now), top_k=20, **times)
    assert {fact.id for hit in chunks for fact in hit.why.facts} == {fact.id for fact in told}
    took_place = {hit.id: hit.why.superseded_by for hit in chunks if hit.why.superseded_by is not None}
    assert set(took_place) | set(took_place.values()) <= {fact.id.partition("!")[0] for fact in told}


@given(slots(), days)
def test_at_no_time_has_a_slot_two_values(stated: list[Stated], as_of: int) -> None:
    memory = made()
    kept = {"single_valued": True, "subject": "Atlas", "predicate": "status"}
    memory.add_facts(
        {
            **kept,
            "object": one.value,
            "id": one.episode,
            "time": None if one.said is None else day(one.said),
            "valid_at": None if one.begin is None else day(one.begin),
        }
        for one in stated
    )
    told = memory.history("Atlas", as_of=day(as_of))
    assert len({fact.object for fact in told if fact.status == "current"}) <= 1
    announced = {one.episode for one in stated if one.said is not None and one.said <= as_of}
    assert {fact.id.partition("!")[0] for fact in told if fact.status == "upcoming"} <= announced


@given(slots(), days)
def test_many_values_hold_from_when_they_are_so_or_always(stated: list[Stated], as_of: int) -> None:
    memory = made()
    for one in stated:
        begin = "" if one.begin is None else f" from {day(one.begin):%Y-%m-%d}"
        memory.add_episode(
            f"Atlas -member-> {one.value}{begin}", id=one.episode, time=None if one.said is None else day(one.said)
        )
    begins = {one.episode: one.begin if one.said is None else one.said for one in stated}
    told = memory.history("Atlas", as_of=day(as_of))
    assert {fact.id.partition("!")[0] for fact in told} == {
        episode for episode, begin in begins.items() if begin is None or begin <= as_of
    }


@given(slots())
def test_what_is_known_now_is_what_was_known_at_the_last_write(stated: list[Stated]) -> None:
    clock = [day(1)]
    memory = made(clock=lambda: clock[0])
    for one in sorted(stated, key=lambda one: one.written):
        clock[0] = day(one.written)
        memory.add_episode(f"Atlas -status-> {one.value}", id=one.episode, time=day(one.said or 1))
    assert memory.history("Atlas", now=day(12), known_at=day(12)) == memory.history("Atlas", now=day(12))
    assert memory.history("Atlas", now=day(12), known_at=day(0)) == []


def test_the_oracle_itself_closes_a_value_by_the_next_other_one() -> None:
    first = Stated("e0", "red", 1, 1, None, None)
    same, other = replace(first, episode="e1", said=3), replace(first, episode="e2", said=5, value="blue")
    assert expected([other, first, same], 12, None, None) == [
        ("e0", "red", "past", 1, 5, "e2"),
        ("e1", "red", "past", 3, 5, "e2"),
        ("e2", "blue", "current", 5, None, None),
    ]
