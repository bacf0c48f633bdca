"""The graph leg: how far it walks, what it scores, and the paths it tells."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybrid_agent_memory.legs.graph import HUB, SEED_HITS, Chain, Edge, Kind, Rows, Step, Walk, path_to, rarity, walk

CAP = 64


@dataclass(frozen=True)
class Stated:
    """A fact, its ends by name."""

    subject: str
    object: str
    chunk: int
    relation: bool = True
    predicate: str = ""


@dataclass
class Notes:
    """The obvious graph: what each chunk mentions, and facts; what is hidden is not seen."""

    mentions: Mapping[int, Sequence[str]]
    facts: Sequence[Stated] = ()
    hidden: frozenset[int] = frozenset()
    names: list[str] = field(init=False)

    def __post_init__(self) -> None:
        written = [name for names in self.mentions.values() for name in names]
        ends = [name for fact in self.facts for name in (fact.subject, fact.object)]
        self.names = list(dict.fromkeys(written + ends))

    def __getitem__(self, name: str) -> int:
        return self.names.index(name)

    @property
    def chunks(self) -> int:
        return len(self.mentions)

    def frequency(self, entity: int) -> int:
        return max(1, sum(self.names[entity] in names for names in self.mentions.values()))

    def chunks_of(self, entity: int) -> Rows:
        found = [chunk for chunk, names in self.mentions.items() if self.names[entity] in names]
        return np.array([chunk for chunk in found if chunk not in self.hidden][:CAP], np.intp)

    def entities_of(self, chunk: int) -> list[int]:
        return [self[name] for name in self.mentions[chunk]]

    def ends_of(self, fact: int) -> list[int]:
        return [self[name] for stated in self.facts[fact : fact + 1] for name in (stated.subject, stated.object)]

    def edges_of(self, entity: int) -> list[Edge]:
        edges = []
        for number, fact in enumerate(self.facts):
            subject, obj = self[fact.subject], self[fact.object]
            if entity in (subject, obj) and fact.chunk not in self.hidden:
                other = obj if entity == subject else subject
                edges.append(Edge(number, other, entity == subject, fact.relation, fact.chunk, fact.predicate))
        return edges[:CAP]


def find(
    notes: Notes,
    *named: str,
    hits: Sequence[int] = (),
    kind: Kind = "chunk",
    depth: int = 2,
    nearness: Mapping[int, float] | None = None,
    asked: Collection[str] = (),
) -> Walk:
    """Walk from names in a query that also asks for predicates, and from hits."""
    compare = None if nearness is None else lambda handles: np.array([nearness[handle] for handle in handles.tolist()])
    seeding = [(hit, notes.entities_of(hit) if kind == "chunk" else notes.ends_of(hit)) for hit in hits]
    links = [notes[name] for name in named]
    return walk(notes, links, seeding, asked=asked, kind=kind, depth=depth, nearness=compare)


def found(walked: Walk) -> list[int]:
    return list(walked.ranking.handles.tolist())


def scores(walked: Walk) -> dict[int, float]:
    return dict(zip(found(walked), walked.ranking.scores.tolist(), strict=True))


def chain(*kinds: bool) -> Notes:
    """Facts a–b, b–c, c–d …, relations or events, each stated by a chunk of its own that mentions nothing."""
    names = "abcdefgh"
    stated = [Stated(names[at], names[at + 1], at, relation) for at, relation in enumerate(kinds)]
    return Notes(dict.fromkeys(range(len(kinds)), ()), stated)


SHELF = Notes(
    {
        0: ["Smart shelf", "Zhang"],
        1: ["Zhang", "overseas delivery"],
        2: ["overseas delivery", "Hamburg"],
        3: ["lunch"],
    },
    [
        Stated("Smart shelf", "Zhang", 0),
        Stated("Zhang", "overseas delivery", 1, relation=False),
        Stated("overseas delivery", "Hamburg", 2),
    ],
)

NAME = st.sampled_from("abcdefgh")
FACT = st.builds(Stated, NAME, NAME, st.integers(0, 5), st.booleans())
NOTES = st.builds(
    lambda mentions, facts: Notes(dict(enumerate(mentions)), facts),
    st.lists(st.lists(NAME, max_size=4, unique=True), min_size=6, max_size=6).map(lambda m: [["a", "b"], *m[1:]]),
    st.lists(FACT, max_size=8),
)
KIND = pytest.mark.parametrize("kind", ["chunk", "fact"])
DEPTH = st.integers(0, 4)

# -- what is found --------------------------------------------------------------------------------------------------


def test_it_finds_what_mentions_a_name_in_the_query_and_nothing_else() -> None:
    notes = Notes({0: ["Oslo", "Ann"], 1: ["Ann"], 2: ["Oslo"], 3: []})
    assert sorted(found(find(notes, "Oslo"))) == [0, 2]


@KIND
def test_no_seed_finds_nothing(kind: Kind) -> None:
    walked = find(SHELF, kind=kind)
    assert (found(walked), walked.reached, walked.named) == ([], {}, 0.0)


@KIND
def test_depth_zero_finds_nothing(kind: Kind) -> None:
    assert found(find(SHELF, "Zhang", hits=[1], kind=kind, depth=0)) == []


def test_first_hits_lead_on_to_what_shares_a_name_with_them() -> None:
    notes = Notes({0: ["Lighthouse", "Ann Ray"], 1: ["Ann Ray"], 2: ["Bob"]})
    assert found(find(notes, hits=[0])) == [0, 1]


def test_hits_past_the_third_lead_nowhere() -> None:
    names = [f"name {at}" for at in range(SEED_HITS + 1)]
    notes = Notes({**{at: [name] for at, name in enumerate(names)}, **{10 + at: [n] for at, n in enumerate(names)}})
    assert sorted(found(find(notes, hits=range(SEED_HITS + 1)))) == [0, 1, 2, 10, 11, 12]


def test_hits_come_first_in_their_order() -> None:
    notes = Notes({5: ["x", "q"], 3: ["y"], 4: ["x", "y", "q"], 1: ["q", "x"], 2: ["y"]})
    for hits in ([5, 3, 4], [4, 5, 3]):
        walked = find(notes, "q", hits=hits)
        assert found(walked)[:3] == hits
        assert set(found(walked)[3:]) == {1, 2}


def test_a_hit_that_mentions_nothing_is_no_match() -> None:
    notes = Notes({0: [], 1: ["Ann"], 2: ["Ann"], 3: ["Bob"]})
    walked = find(notes, hits=[0, 1])
    assert found(walked) == [1, 2]
    assert walked.hits == (1,)
    assert path_to(notes, walked, 1) == Chain(None, (Step(notes["Ann"], None, None, True, 1),))
    assert path_to(notes, walked, 0) is None


def test_hits_that_lead_to_nothing_are_found_only_where_something_leads_to_them() -> None:
    notes = Notes({0: [], 1: ["Ann"], 2: ["Bob"]})
    assert found(find(notes, "Ann", hits=[0, 1])) == [1]


# -- hops -----------------------------------------------------------------------------------------------------------


@KIND
@pytest.mark.parametrize(("depth", "reached"), [(1, [0]), (2, [0, 1]), (3, [0, 1, 2]), (4, [0, 1, 2]), (99, [0, 1, 2])])
def test_each_hop_follows_one_more_fact_and_three_are_the_most(kind: Kind, depth: int, reached: list[int]) -> None:
    assert found(find(chain(*[True] * 5), "a", kind=kind, depth=depth)) == reached


@KIND
def test_the_third_hop_follows_no_event(kind: Kind) -> None:
    assert found(find(chain(False, False, False), "a", kind=kind, depth=3)) == [0, 1]
    assert found(find(chain(False, False, True), "a", kind=kind, depth=3)) == [0, 1, 2]


def test_the_third_hop_goes_along_facts_only_and_not_to_what_merely_mentions() -> None:
    notes = Notes({0: [], 1: [], 2: [], 3: ["c"]}, [Stated("a", "b", 0), Stated("b", "c", 1), Stated("c", "d", 2)])
    assert sorted(found(find(notes, "a", depth=3))) == [0, 1, 2]
    assert sorted(found(find(notes, "b", depth=2))) == [0, 1, 2, 3]


@KIND
def test_the_third_hop_starts_from_strong_seeds_that_the_query_names(kind: Kind) -> None:
    stated = [Stated("a", "b", 0), Stated("b", "c", 1), Stated("c", "d", 2)]
    notes = Notes({0: [], 1: [], 2: [], 3: ["a"], 4: ["rare"]}, stated)
    frequent = Notes({**notes.mentions, **{at: ["a"] for at in range(5, 60)}}, stated)
    assert 2 in found(find(notes, "a", kind=kind, depth=3))
    assert 2 not in found(walk(notes, {}, [(0, [notes["a"]])], kind=kind, depth=3))
    assert 2 in found(find(frequent, "a", kind=kind, depth=3))
    assert 2 not in found(find(frequent, "a", "rare", kind=kind, depth=3))


@KIND
def test_facts_are_followed_in_both_directions(kind: Kind) -> None:
    assert sorted(found(find(chain(True, True, True), "d", kind=kind))) == [1, 2]


@KIND
def test_cycles_and_facts_about_oneself_do_no_harm(kind: Kind) -> None:
    notes = Notes({0: [], 1: [], 2: []}, [Stated("a", "a", 0), Stated("a", "b", 1), Stated("b", "a", 2)])
    assert sorted(found(find(notes, "a", kind=kind, depth=3))) == [0, 1, 2]


# -- scores ---------------------------------------------------------------------------------------------------------


def test_a_name_in_everything_leads_nowhere_and_a_rarer_one_leads_further() -> None:
    mentions = {at: ["hub"] for at in range(HUB + 1)}
    assert found(find(Notes(mentions), "hub")) == []
    notes = Notes({**{at: ["common"] for at in range(20)}, **{at: ["rare"] for at in range(20, 23)}, 30: []})
    walked = scores(find(notes, "common", "rare"))
    assert len(walked) == 23
    assert min(walked[at] for at in range(20, 23)) > 2 * max(walked[at] for at in range(20))


def test_a_fact_of_a_hub_is_shared_among_its_facts() -> None:
    stated = [Stated("few", "x", 0), *(Stated("many", f"y{at}", at) for at in range(1, 30))]
    walked = scores(find(Notes(dict.fromkeys(range(30), ()), stated), "few", "many", kind="fact", depth=1))
    assert walked[0] == pytest.approx(29 * walked[1])


def test_more_ways_to_a_chunk_score_higher() -> None:
    notes = Notes({0: ["a", "b"], 1: ["a"], 2: ["b"]})
    assert found(find(notes, "a", "b"))[0] == 0


def test_stating_a_fact_of_an_entity_counts_more_than_mentioning_it() -> None:
    notes = Notes({0: ["Ann"], 1: ["Ann"], 2: ["Ann"]}, [Stated("Ann", "Oslo", 1)])
    assert found(find(notes, "Ann")) == [1, 0, 2]


@KIND
def test_a_nearer_hop_scores_higher(kind: Kind) -> None:
    walked = scores(find(chain(True, True, True), "a", kind=kind, depth=3))
    assert walked[0] > walked[1] > walked[2] > 0


def test_what_is_nearer_to_the_query_counts_more_and_nothing_falls_out() -> None:
    notes = Notes({at: ["a"] for at in range(4)})
    walked = walk(notes, {notes["a"]: 1.0}, [], nearness=lambda _: np.array([0.8, 0.9, 0.1, -1.0]), usual=0.5)
    assert found(walked) == [1, 0, 2, 3]
    assert scores(walked)[0] / scores(walked)[1] == pytest.approx((0.8 - 0.5) / (0.9 - 0.5))
    assert scores(walked)[2] == scores(walked)[3] > 0


def test_where_all_are_farther_than_usual_the_graph_alone_decides() -> None:
    notes = Notes({0: ["a"], 1: ["a", "b"]})
    alone = find(notes, "a", "b")
    assert scores(find(notes, "a", "b", nearness={0: -0.3, 1: -0.4})) == scores(alone)


def test_rarity_is_one_for_what_one_chunk_mentions_whatever_the_size() -> None:
    for size in (1, 2, 50):
        notes = Notes({at: ["everywhere"] + ["once"] * (at == 0) for at in range(size)})
        assert rarity(notes, notes["once"]) == pytest.approx(1.0)
        assert rarity(notes, notes["everywhere"]) == pytest.approx(np.log(2) / np.log(1 + size))


def test_named_is_the_rarity_of_the_rarest_name_in_the_query() -> None:
    notes = Notes({0: ["a", "b"], 1: ["a"], 2: ["a"], 3: []})
    assert find(notes, "a", "b").named == pytest.approx(1.0)
    assert find(notes, "a", hits=[0]).named == rarity(notes, notes["a"]) < 1
    assert find(notes, hits=[0]).named == 0


# -- laws -----------------------------------------------------------------------------------------------------------


@given(NOTES, st.lists(st.integers(0, 5), max_size=4, unique=True), DEPTH)
@KIND
def test_only_matches_are_found_each_once_best_first_with_positive_scores(
    kind: Kind, notes: Notes, hits: list[int], depth: int
) -> None:
    walked = find(notes, "a", hits=hits, kind=kind, depth=depth)
    values = walked.ranking.scores.tolist()
    assert values == sorted(values, reverse=True)
    assert all(value > 0 for value in values)
    assert len(set(found(walked))) == len(found(walked))
    touched = {notes.names[entity] for entity in walked.reached}
    for handle in set(found(walked)) - set(walked.hits):
        facts = [fact for n, fact in enumerate(notes.facts) if handle == (fact.chunk if kind == "chunk" else n)]
        ends = {name for fact in facts for name in (fact.subject, fact.object)}
        assert touched & (ends | set(notes.mentions[handle] if kind == "chunk" else ()))


@given(NOTES, st.lists(st.integers(0, 5), max_size=3, unique=True), DEPTH)
@KIND
def test_every_match_has_an_unbroken_path_from_a_seed(kind: Kind, notes: Notes, hits: list[int], depth: int) -> None:
    walked = find(notes, "a", hits=hits, kind=kind, depth=depth)
    for handle in found(walked):
        told = path_to(notes, walked, handle)
        assert told is not None
        assert len(told.steps) <= min(depth, 3)
        assert told.steps
        start = told.steps[0].start
        about = notes.entities_of if kind == "chunk" else notes.ends_of
        begun_in = told.hit if told.hit is not None else handle if handle in hits and len(told.steps) == 1 else None
        assert start == notes["a"] or (begun_in in hits and start in about(begun_in))
        for before, after in zip(told.steps, told.steps[1:], strict=False):
            assert before.end == after.start
        for step in told.steps:
            if step.fact is None:
                assert step is told.steps[-1]
                assert notes.names[step.start] in notes.mentions[step.chunk]
            else:
                fact = notes.facts[step.fact]
                ends = (notes[fact.subject], notes[fact.object])
                assert (step.start, step.end) == (ends if step.forward else ends[::-1])
                assert step.chunk == fact.chunk
        assert handle == (told.steps[-1].chunk if kind == "chunk" else told.steps[-1].fact)


@given(NOTES, st.lists(st.integers(0, 5), max_size=3, unique=True), DEPTH, st.data())
@KIND
def test_the_order_of_adding_does_not_matter(
    kind: Kind, notes: Notes, hits: list[int], depth: int, data: st.DataObject
) -> None:
    chunks = data.draw(st.permutations(list(notes.mentions)))
    order = data.draw(st.permutations(range(len(notes.facts))))
    other = Notes({chunk: notes.mentions[chunk][::-1] for chunk in chunks}, [notes.facts[at] for at in order])
    hits = [hit for hit in hits if kind == "chunk" or hit < len(order)]
    first = find(notes, "b", "a", hits=hits, kind=kind, depth=depth)
    if kind == "fact":
        hits = [order.index(hit) for hit in hits]
    second = find(other, "a", "b", hits=hits, kind=kind, depth=depth)
    same = scores(second) if kind == "chunk" else {order[fact]: score for fact, score in scores(second).items()}
    assert same == pytest.approx(scores(first), abs=1e-11)
    assert second.named == first.named


@given(NOTES, st.frozensets(st.integers(1, 5)), DEPTH)
@KIND
def test_what_is_hidden_is_neither_found_nor_walked_through(
    kind: Kind, notes: Notes, hidden: frozenset[int], depth: int
) -> None:
    filtered = Notes(notes.mentions, notes.facts, hidden)
    hits = [0] if kind == "chunk" else []
    walked = find(filtered, "a", hits=hits, kind=kind, depth=depth)
    kept = [fact for fact in notes.facts if fact.chunk not in hidden]
    bare = Notes({c: () if c in hidden else names for c, names in notes.mentions.items()}, kept)
    reachable = {bare.names[entity] for entity in find(bare, "a", hits=hits, kind=kind, depth=depth).reached}
    assert {notes.names[entity] for entity in walked.reached} == reachable
    for handle in found(walked):
        told = path_to(filtered, walked, handle)
        assert told is not None
        assert not hidden & {step.chunk for step in told.steps}
        assert handle not in hidden or kind == "fact" or handle in hits


@given(NOTES, DEPTH)
@KIND
def test_the_same_walk_finds_the_same(kind: Kind, notes: Notes, depth: int) -> None:
    first, second = (find(notes, "a", "b", hits=[0, 1], kind=kind, depth=depth) for _ in range(2))
    assert (found(first), scores(first), first.reached) == (found(second), scores(second), second.reached)


# -- paths ----------------------------------------------------------------------------------------------------------


def test_a_chain_of_two_facts_is_told_from_the_name_in_the_query() -> None:
    shelf, zhang, delivery = SHELF["Smart shelf"], SHELF["Zhang"], SHELF["overseas delivery"]
    walked = find(SHELF, "Smart shelf")
    assert found(walked) == [0, 1]
    owner, complaint = Step(shelf, zhang, 0, True, 0), Step(zhang, delivery, 1, True, 1)
    assert path_to(SHELF, walked, 0) == Chain(None, (owner,))
    assert path_to(SHELF, walked, 1) == Chain(None, (owner, complaint))
    assert path_to(SHELF, walked, 3) is None


def test_a_path_of_facts_is_the_same_for_the_fact_as_for_the_chunk_that_states_it() -> None:
    chunks, facts = find(SHELF, "Smart shelf"), find(SHELF, "Smart shelf", kind="fact")
    assert path_to(SHELF, chunks, 1) == path_to(SHELF, facts, 1) is not None


def test_a_path_against_the_direction_of_a_fact_says_so() -> None:
    walked = find(SHELF, "overseas delivery")
    told = path_to(SHELF, walked, 0)
    assert told is not None
    assert [(step.fact, step.forward) for step in told.steps] == [(1, False), (0, False)]


def test_a_mention_ends_a_path() -> None:
    notes = Notes({0: [], 1: ["Zhang"]}, [Stated("shelf", "Zhang", 0)])
    told = path_to(notes, find(notes, "shelf"), 1)
    first, last = Step(notes["shelf"], notes["Zhang"], 0, True, 0), Step(notes["Zhang"], None, None, True, 1)
    assert told == Chain(None, (first, last))


def test_a_path_from_a_hit_names_the_hit() -> None:
    notes = Notes({0: ["Lighthouse", "Ann Ray"], 1: ["Ann Ray"]})
    walked = find(notes, hits=[0])
    assert path_to(notes, walked, 1) == Chain(0, (Step(notes["Ann Ray"], None, None, True, 1),))


def test_a_path_begins_with_what_the_query_names_where_a_fact_ties_the_hit_to_it() -> None:
    walked = find(SHELF, "Smart shelf", hits=[0])
    assert path_to(SHELF, walked, 1) == path_to(SHELF, find(SHELF, "Smart shelf"), 1)


@KIND
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_hits_do_not_shorten_the_way_from_what_the_query_names(kind: Kind, depth: int) -> None:
    graph = chain(True, True, False)
    for hits in ([0], [1], [0, 1], [1, 0]) if depth == 1 else ([0], [1], [2], [0, 1], [2, 1, 0]):
        walked = find(graph, "a", hits=hits, kind=kind, depth=depth)
        assert set(found(walked)) == set(range(min(depth, 2)))


@KIND
def test_no_path_goes_along_a_fact_twice(kind: Kind) -> None:
    graph = chain(True)
    walked = find(graph, "b", hits=[0], kind=kind)
    assert path_to(graph, walked, 0) == Chain(None, (Step(graph["b"], graph["a"], 0, False, 0),))


# -- what the query spells out ----------------------------------------------------------------------------------------

COMPLAINT = Stated("Zhang", "lunch", 5, relation=False, predicate="complained_about")
OWNERS = Notes(
    {
        0: ["shelf", "Zhang"],
        1: ["Zhang", "delivery"],
        2: ["shelf", "500k"],
        3: ["shelf"],
        4: ["Zhang", "lunch"],
    },
    [
        Stated("shelf", "Zhang", 0, predicate="owner"),
        Stated("Zhang", "delivery", 1, relation=False, predicate="complained_about"),
        Stated("shelf", "500k", 2, predicate="budget"),
        Stated("Zhang", "lunch", 4, relation=False, predicate="ordered"),
    ],
)


@KIND
def test_the_end_of_a_chain_that_the_query_spells_out_comes_first(kind: Kind) -> None:
    hits = [0, 2, 3] if kind == "chunk" else [0, 2]
    walked = find(OWNERS, "shelf", hits=hits, kind=kind, asked={"owner", "complained_about"})
    assert found(walked)[0] == 1
    assert found(walked)[1 : len(hits) + 1] == hits
    unasked = find(OWNERS, "shelf", hits=hits, kind=kind)
    assert found(unasked)[: len(hits)] == hits
    assert set(found(unasked)) == set(found(walked))


@KIND
def test_one_fact_of_what_the_query_names_is_a_chain_too(kind: Kind) -> None:
    assert found(find(OWNERS, "shelf", hits=[0, 2], kind=kind, asked={"budget"}))[:2] == [2, 0]


@KIND
@pytest.mark.parametrize("asked", [{"complained_about"}, {"born_in"}])
def test_what_does_not_begin_in_a_name_of_the_query_is_not_spelled_out(kind: Kind, asked: set[str]) -> None:
    assert scores(find(OWNERS, "shelf", hits=[0, 2], kind=kind, asked=asked)) == scores(
        find(OWNERS, "shelf", hits=[0, 2], kind=kind)
    )


@KIND
def test_a_chain_longer_than_the_depth_is_not_spelled_out(kind: Kind) -> None:
    walked = find(OWNERS, "shelf", kind=kind, depth=1, asked={"owner", "complained_about"})
    assert found(walked)[0] == 0
    assert 1 not in found(walked)


def test_of_two_ends_of_chains_the_stronger_comes_first() -> None:
    more = Notes({**OWNERS.mentions, 5: ["Zhang", "lunch", "delivery"]}, [*OWNERS.facts, COMPLAINT])
    walked = find(more, "shelf", asked={"owner", "complained_about"}, nearness=dict.fromkeys(range(5), 1.0) | {5: 2.0})
    assert found(walked)[:2] == [5, 1]
