"""Whatever was added, replaced, deleted and reopened before, the engine ranks as a naive model does."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybrid_agent_memory import Config, HybridMemory, Response
from hybrid_agent_memory.engines.local import shard, snapshot, store
from hybrid_agent_memory.testing import HashEmbedder
from hybrid_agent_memory.testing.naive import Condition, NaiveMemory
from hybrid_agent_memory.text import tokenize

WORDS = ["red", "green", "pie", "apple", "ERR_0x9941", "记忆需要", "running"]
EMBEDDER = HashEmbedder(3)  # so small that near ties and exact ones are common

TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
METADATA = st.fixed_dictionaries({}, optional={"kind": st.sampled_from(["a", "b"]), "stars": st.integers(0, 3)})
NAMES = st.sampled_from([f"r{number}" for number in range(12)])
VECTORS = st.sampled_from([(1.0, 0.0, 0.0), (0.0, 2.0, 0.0), (1.0, 1.0, 0.0), (-1.0, 0.0, 3.0)])
CONDITIONS: st.SearchStrategy[Condition] = st.one_of(
    st.just({}),
    st.sampled_from([{"kind": "a"}, {"kind": ["a", "b"]}, {"stars": {"$gte": 1, "$lt": 3}}, {"kind": "b", "stars": 2}]),
)


@dataclass(frozen=True)
class Item:
    """One record to add; its vector counts only in memories whose vectors come from the caller."""

    id: str
    text: str
    metadata: Mapping[str, object]
    vector: tuple[float, float, float]


@dataclass(frozen=True)
class Question:
    """A query, its vector where vectors come from the caller, a filter, and weights for the two legs."""

    text: str
    vector: tuple[float, float, float]
    condition: Condition
    weights: tuple[float, float]


ITEMS = st.lists(st.builds(Item, NAMES, TEXTS, METADATA, VECTORS), max_size=6)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), ITEMS),
        st.tuples(st.just("delete"), st.lists(NAMES, max_size=4)),
        st.tuples(st.just("delete where"), CONDITIONS.filter(bool)),
        st.tuples(st.just("reopen"), st.none()),
    ),
    min_size=1,
    max_size=7,
)
WEIGHTS = st.sampled_from([(1.0, 1.0), (0.4, 0.6), (1.0, 0.25)])
QUESTIONS = st.lists(st.builds(Question, TEXTS, VECTORS, CONDITIONS, WEIGHTS), min_size=1, max_size=3)


class Pair:
    """A memory and the model of it, written to side by side."""

    def __init__(self, kind: str, path: Path | None) -> None:
        self.kind, self.path = kind, path
        self.model = NaiveMemory(tokenize)
        self.memory = self.open()

    def open(self) -> HybridMemory:
        embedder = EMBEDDER if self.kind == "embedded" else None
        config = Config(int8_above=5)
        if self.path is None:
            return HybridMemory.in_memory(embedder=embedder, config=config)
        return HybridMemory.open(self.path, embedder=embedder, config=config, durability="normal")

    def do(self, action: str, value: object) -> None:
        match action, value:
            case "add", list(items):
                self.memory.add([self.item(item) for item in items])
                for item in items:
                    self.model.add(item.id, item.text, item.metadata, self.vector(item))
            case "delete", list(names):
                self.memory.delete(names)
                for name in names:
                    self.model.delete(name)
            case "delete where", Mapping() as condition:
                gone = self.model.passing(condition)
                assert self.memory.delete(filter=condition).ids == tuple(gone)
                for name in gone:
                    self.model.delete(name)
            case "reopen", None if self.path is not None:
                self.memory.close()
                self.memory = self.open()

    def item(self, item: Item) -> dict[str, object]:
        made: dict[str, object] = {"id": item.id, "text": item.text, "metadata": item.metadata}
        return {**made, "vector": item.vector} if self.kind == "given" else made

    def vector(self, of: Item | Question) -> Sequence[float] | None:
        embedded = EMBEDDER.embed_query(of.text) if self.kind == "embedded" else None
        return of.vector if self.kind == "given" else embedded

    def ask(self, asked: Question, memory: HybridMemory) -> None:
        """Hold every ranking of a memory against the model's."""
        condition, vector = asked.condition, self.vector(asked)
        options: dict[str, Any] = {
            "filter": condition,
            "top_k": 50,
            "vector": asked.vector if self.kind == "given" else None,
        }
        assert memory.count(condition) == len(self.model.passing(condition))

        sparse = self.model.sparse(asked.text, condition)
        found = raw(memory.search(asked.text, legs=("sparse",), **options), "sparse")
        assert [name for name, _ in found] == [name for name, _ in sparse]
        assert [score for _, score in found] == pytest.approx([score for _, score in sparse], abs=1e-9)
        if vector is None:
            return
        dense = self.model.dense(vector, condition)
        assert raw(memory.search(asked.text, legs=("dense",), **options), "dense") == dense

        weights = dict(zip(("sparse", "dense"), asked.weights, strict=True))
        fused = self.model.fused({"sparse": sparse, "dense": dense}, weights)
        answer = memory.search(asked.text, weights=weights, **options)
        assert [hit.id for hit in answer] == [name for name, _ in fused]
        assert [hit.rrf_score for hit in answer] == pytest.approx([score for _, score in fused], abs=1e-12)


def raw(response: Response, leg: str) -> list[tuple[str, float]]:
    return [(hit.id, hit.why.legs[leg].raw_score) for hit in response]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every limit so low that a handful of writes passes it: rebuilds, snapshots, and a log that is cut."""
    monkeypatch.setattr(shard, "BLOCK", 3)
    monkeypatch.setattr(shard, "FEW_DEAD", 2)
    monkeypatch.setattr(snapshot, "WORTH_SAVING", 2)
    monkeypatch.setattr(store, "LOG_KEPT", 4)


def walk(kind: str, path: Path | None, steps: list[tuple[str, object]], questions: list[Question]) -> None:
    pair = Pair(kind, path)
    reader = pair.open() if path is not None else pair.memory
    for number, (action, value) in enumerate(steps):
        pair.do(action, value)
        pair.ask(questions[number % len(questions)], pair.memory)
        if not number:
            pair.ask(questions[0], reader)
    for asked in questions:
        pair.ask(asked, pair.memory)
        pair.ask(asked, reader if path is not None else pair.memory)
    reader.close()
    pair.memory.close()


@pytest.mark.parametrize("kind", ["embedded", "given", "without vectors"])
@given(STEPS, QUESTIONS)
def test_in_memory(kind: str, steps: list[tuple[str, object]], questions: list[Question]) -> None:
    walk(kind, None, steps, questions)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("kind", ["embedded", "given"])
@given(STEPS, QUESTIONS)
def test_in_a_file_that_is_reopened_and_read_by_another(
    kind: str, steps: list[tuple[str, object]], questions: list[Question]
) -> None:
    with TemporaryDirectory() as directory:
        walk(kind, Path(directory) / "agent.db", steps, questions)
