"""The derived graph after any series of writes is that of a fresh build, and reads off it what the chunks say."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count

from hypothesis import given
from hypothesis import strategies as st

from hybrid_agent_memory.engines import Moment
from hybrid_agent_memory.engines.local.graph import GraphIndex
from hybrid_agent_memory.engines.local.graph_tables import StoredExtraction, StoredFact
from hybrid_agent_memory.extract import Mention, Triple
from hybrid_agent_memory.graph.names import Name
from hybrid_agent_memory.graph.resolution import Constraint

START = datetime(2024, 1, 1, tzinfo=UTC)
MENTIONS = [
    *(
        Mention(name, "person")
        for name in ("张伟", "张总", "张先生", "张丽", "Zhang Wei", "Mr. Zhang", "Alice", "Alice Smith")
    ),
    *(Mention(name, "organisation") for name in ("Acme Inc", "Acme", "Initech")),
    Mention("Acme", "name"),
    Mention("Atlas", "project"),
    Mention("atlas", "project"),
]
VALUES = [Mention("500k", "amount"), Mention("500,000", "amount"), Mention("$500k", "amount"), Mention("1 May", "date")]

mentions = st.sampled_from(MENTIONS)
moments = st.none() | st.integers(0, 9).map(lambda days: START + timedelta(days=days))


@st.composite
def triples(draw: st.DrawFn) -> Triple:
    predicate = draw(st.sampled_from(["budget", "owner", "knows", "alias"]))
    value = st.sampled_from(VALUES) | mentions
    single = predicate in ("budget", "owner") and draw(st.integers(0, 4)) > 0
    ends = draw(mentions), draw(mentions if predicate == "alias" else value)
    begin, end = draw(moments), draw(moments)
    tells_end = begin is None and end is not None and draw(st.booleans())
    return Triple(ends[0], predicate, ends[1], "", "relation", begin, end, single, tells_end)


@dataclass(frozen=True)
class Add:
    mentions: Sequence[Mention]
    triples: Sequence[Triple]
    time: datetime | None


@dataclass(frozen=True)
class Delete:
    place: int


@dataclass(frozen=True)
class Constrain:
    constraint: Constraint


names = mentions.map(lambda mention: Name.of(mention.name, mention.type))
steps = st.one_of(
    st.builds(Add, st.lists(mentions, max_size=4), st.lists(triples(), max_size=3), moments),
    st.builds(Add, st.lists(mentions, max_size=4), st.lists(triples(), max_size=3), moments),
    st.builds(Delete, st.integers(0, 20)),
    st.builds(Constrain, st.builds(Constraint, st.sampled_from(("merge", "unmerge")), names, names)),
)


@dataclass
class Writer:
    """Turns steps into what a store would hand to the index: keys that only grow, in transactions of some steps."""

    index: GraphIndex = field(default_factory=GraphIndex)
    live: list[StoredExtraction] = field(default_factory=list)
    constraints: list[Constraint] = field(default_factory=list)
    keys: Iterable[int] = field(default_factory=lambda: count(1))

    def write(self, transaction: Sequence[Add | Delete | Constrain]) -> None:
        added: list[StoredExtraction] = []
        deleted: list[int] = []
        constraints = list(self.constraints)
        for step in transaction:
            if isinstance(step, Add):
                added.append(self._stored(step))
            elif isinstance(step, Constrain):
                constraints.append(step.constraint)
            elif self.live:
                gone = self.live.pop(step.place % len(self.live))
                deleted.append(gone.key)
        self.index.apply(added, deleted, constraints if constraints != self.constraints else None)
        self.live += added
        self.constraints = constraints

    def _stored(self, step: Add) -> StoredExtraction:
        key = next(iter(self.keys))
        chunk = 1000 - key if key % 5 == 0 else 1000 + key  # what waits for extraction has an older chunk
        facts = [StoredFact.of(10 * key + at, triple) for at, triple in enumerate(step.triples)]
        said = [(mention.name, mention.type) for mention in step.mentions]
        at = START + timedelta(hours=key)
        return StoredExtraction(key, chunk, f"c{key}", f"c{key}", step.time, at, said, facts)

    def fresh(self) -> GraphIndex:
        made = GraphIndex()
        made.apply(self.live, [], self.constraints)
        return made


def state(index: GraphIndex, chunks: Iterable[int]) -> dict[str, object]:
    """All that can be read off an index."""
    entities = index.entities
    told: dict[str, object] = {
        "entities": list(entities.described().items()),
        "names": entities.live_names(),
        "length": len(entities),
        "facts": [
            (
                node.id,
                node.span,
                entities.name_of(node.subject),
                entities.name_of(node.object),
                entities.entity_of(node.object),
            )
            for node in index.facts.stated_of(None)
        ],
        "ends": dict(index.timelines.ends()),
        "over then": sorted(index.timelines.over(Moment(START, START + timedelta(days=4), START + timedelta(hours=8)))),
    }
    for chunk in sorted(chunks):
        told[f"chunk {chunk}"] = (index.entities_of(chunk), index.most_mentions(chunk), index.fact_keys_in(chunk))
        told[f"said in {chunk}"] = index.said_in(chunk)
        for entity in index.entities_of(chunk):
            told[f"entity {entity}"] = (
                list(entities.chunks_of(entity)),
                entities.frequency(entity),
                [node.id for node in index.facts.about(entity)],
                sorted(entities.members(entity)),
            )
    for node in index.facts.stated_of(None):
        told[f"fact {node.id}"] = [
            [other.id for other in found] for found in (index.facts.same_fact(node), index.timelines.closed_by(node))
        ]
    return told


@given(st.lists(st.lists(steps, min_size=1, max_size=3), max_size=10))
def test_after_any_writes_the_graph_is_that_of_a_fresh_build(
    transactions: list[list[Add | Delete | Constrain]],
) -> None:
    writer = Writer()
    for transaction in transactions:
        writer.write(transaction)
    chunks = [extraction.chunk for extraction in writer.live]
    assert state(writer.index, chunks) == state(writer.fresh(), chunks)


@given(st.lists(st.lists(steps, min_size=1, max_size=3), max_size=10))
def test_an_emptied_graph_holds_nothing(transactions: list[list[Add | Delete | Constrain]]) -> None:
    writer = Writer()
    for transaction in transactions:
        writer.write(transaction)
    writer.index.apply([], [extraction.key for extraction in writer.live], [])
    graph = writer.index
    parts = [graph, graph.names, graph.entities, graph.facts, graph.timelines]
    kept = {name: value for part in parts for name, value in vars(part).items() if value and value not in parts}
    assert kept == {}


@given(st.lists(st.builds(Add, st.lists(mentions, max_size=5), st.lists(triples(), max_size=3), moments), max_size=8))
def test_what_is_read_off_is_what_the_chunks_say(said: list[Add]) -> None:
    writer = Writer()
    writer.write(said)
    index, entities = writer.index, writer.index.entities
    for extraction in writer.live:
        ends = [end for fact in extraction.facts for end in (fact.subject, fact.object)]
        numbers = {index.names.numbers[Name.of(*written)] for written in [*extraction.mentions, *ends]}
        assert index.entities_of(extraction.chunk) == sorted(
            {entities.entity_of(n) for n in numbers if not index.names.is_value(n)}
        )
        for entity in index.entities_of(extraction.chunk):
            assert extraction.chunk in set(entities.chunks_of(entity))
    for entity in {e for extraction in writer.live for e in index.entities_of(extraction.chunk)}:
        chunks = list(entities.chunks_of(entity))
        assert chunks == sorted(set(chunks), reverse=True)
        assert entities.frequency(entity) == len(chunks)
        about = list(index.facts.about(entity))
        assert all(entity in map(entities.entity_of, (node.subject, node.object)) for node in about)
        assert [node.at for node in about] == sorted((node.at for node in about), reverse=True)
        assert len({node.key for node in about}) == len(about)
    for node in index.facts.by_key.values():
        closed = index.timelines.closed_by(node)
        assert all(node.id in (other.span.superseded_by, other.span.ended_by) for other in closed)
