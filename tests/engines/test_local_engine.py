"""The embedded engine keeps the contract in memory, in a file and across a reopen."""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

pytest.register_assert_rewrite("hybrid_agent_memory.testing.memory_contract")

from hybrid_agent_memory import Config, Fact, HybridMemory, StoreError
from hybrid_agent_memory.engines.local import graph_tables, store
from hybrid_agent_memory.engines.local.engine import LocalEngine
from hybrid_agent_memory.engines.local.graph_shard import GraphShard
from hybrid_agent_memory.engines.local.reports import Closed
from hybrid_agent_memory.engines.local.shard import Shard
from hybrid_agent_memory.engines.local.store import Kind, NamespaceState, Store
from hybrid_agent_memory.testing import HashEmbedder, LineExtractor
from hybrid_agent_memory.testing.memory_contract import (
    NOTES,
    MakeMemory,
    MemoryContract,
    Settle,
    at_noon,
    contents,
    ids,
)
from hybrid_agent_memory.text import tokenize


class TestInMemory(MemoryContract):
    @pytest.fixture
    def make_memory(self) -> MakeMemory:
        return HybridMemory.in_memory


class TestFile(MemoryContract):
    @pytest.fixture
    def opened(self) -> Iterator[list[HybridMemory]]:
        memories: list[HybridMemory] = []
        yield memories
        for memory in memories:
            memory.close()

    @pytest.fixture
    def make_memory(self, tmp_path: Path, opened: list[HybridMemory]) -> MakeMemory:
        def make(**options: Any) -> HybridMemory:  # noqa: ANN401  # as the keywords of HybridMemory.open
            opened.append(HybridMemory.open(tmp_path / f"{len(opened)}.db", **options))
            return opened[-1]

        return make


class TestReopenedFile(TestFile):
    @pytest.fixture
    def settle(self, opened: list[HybridMemory]) -> Settle:
        def reopen(memory: HybridMemory) -> HybridMemory:
            path = memory.stats().path
            assert path is not None
            memory.close()
            opened.append(HybridMemory.open(path, embedder=memory.embedder, clock=at_noon))
            return opened[-1]

        return reopen


def test_reads_leave_every_byte_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "agent.db"
    with HybridMemory.open(path, embedder=HashEmbedder(16)) as memory:
        memory.add(NOTES)
    before = path.read_bytes()
    with HybridMemory.open(path, embedder=HashEmbedder(16)) as memory:
        memory.search("red apple", filter={"kind": "food"})
        memory.namespace("elsewhere").search("red")
        memory.get(["n1", "n9"])
        memory.stats()
        contents(memory)
        assert memory.delete(["n9"]).deleted == 0
    assert path.read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["agent.db"]


def test_a_file_of_the_format_before_is_refused_by_name_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with HybridMemory.open(path) as memory:
        memory.add(NOTES)
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE pending")
        connection.execute("PRAGMA user_version = 1")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"a\.db has format 1, which was never released.*export it") as raised:
        HybridMemory.open(path)
    assert type(raised.value) is StoreError
    assert path.read_bytes() == before


def test_another_handle_sees_each_write_at_once(tmp_path: Path) -> None:
    with (
        HybridMemory.open(tmp_path / "a.db", embedder=HashEmbedder(16), clock=at_noon) as writer,
        HybridMemory.open(tmp_path / "a.db", embedder=HashEmbedder(16), clock=at_noon) as reader,
    ):
        assert ids(reader.search("red", filter={"kind": "food"})) == []
        writer.add(NOTES)
        assert reader.search("red pie", top_k=9) == writer.search("red pie", top_k=9)
        writer.add({"id": "n4", "text": "red again", "metadata": {"kind": "food"}})
        writer.delete("n1")
        assert reader.search("red pie", top_k=9) == writer.search("red pie", top_k=9)
        assert sorted(ids(reader.search("red", filter={"kind": "food"}))) == ["n2", "n4"]
        reader.add({"id": "n6", "text": "red from the other side"})
        assert contents(writer) == contents(reader)


def test_namespaces_that_take_turns_in_memory_answer_as_if_both_were_loaded() -> None:
    crowded, roomy = (HybridMemory.in_memory(config=Config(loaded_namespaces=many), clock=at_noon) for many in (1, 64))
    for memory in (crowded, roomy):
        for turn in range(3):
            for name in ("a", "b", "c"):
                memory.namespace(name).add({"id": f"{name}{turn}", "text": f"red {name} {turn}"})
        memory.namespace("b").delete("b1")
    for name in ("a", "b", "c", "a"):
        asked: dict[str, Any] = {"filter": {"@id": {"$ne": f"{name}0"}}, "top_k": 9}
        assert crowded.namespace(name).search("red 1", **asked) == roomy.namespace(name).search("red 1", **asked)


@pytest.mark.parametrize("vectors", [([1.0, 0.0, 0.0], [0.0, 1.0]), ([1.0, 0.0], None), (None, [1.0, 0.0])])
def test_an_emptied_memory_may_begin_anew_with_other_vectors(vectors: tuple[list[float] | None, ...]) -> None:
    before, after = vectors
    memory = HybridMemory.in_memory()
    memory.add([{"id": "old", "text": "red", "vector": before}, {"id": "old2", "text": "red", "vector": before}])
    memory.delete(["old", "old2"])
    memory.add([{"id": "new", "text": "red sky", "vector": after}])
    assert memory.dimension == (None if after is None else len(after))
    assert ids(memory.search("red", vector=after, filter={"@id": "new"})) == ["new"]


def test_a_portion_of_the_queue_is_taken_without_reading_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = HybridMemory.in_memory(config=Config(batch_size=2), extractor=LineExtractor())
    memory.namespace("elsewhere").add_episodes([f"+ Zoe{at}" for at in range(9)], extract="later")
    memory.add_episodes([f"+ Ann{at}" for at in range(7)], extract="later")
    waiting, limits = graph_tables.waiting, list[int | None]()

    def noted(connection: sqlite3.Connection, namespace: int, limit: int | None) -> list[int]:
        limits.append(limit)
        query = "EXPLAIN QUERY PLAN SELECT chunk FROM pending WHERE namespace = ? ORDER BY chunk LIMIT ?"
        (plan,) = connection.execute(query, (namespace, limit))
        assert "INDEX pending_by_namespace (namespace=?)" in plan[-1]
        return waiting(connection, namespace, limit)

    monkeypatch.setattr(graph_tables, "waiting", noted)
    assert memory.extract_pending() == 7
    assert limits == [2, 2, 2, 1]


@pytest.mark.parametrize("given", [{"ids": "a"}, {"filter": {"@id": "a"}}], ids=repr)
def test_others_write_while_a_deletion_builds_the_indexes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: dict[str, Any]
) -> None:
    monkeypatch.setattr(store, "BUSY_SECONDS", 0.1)
    with HybridMemory.open(tmp_path / "a.db", extractor=LineExtractor()) as memory:
        memory.add_episode("+ Ann", id="a")
    built: list[object] = []

    def beside(kind: type[GraphShard] | type[Shard]) -> Callable[..., None]:
        catch_up: Callable[..., None] = kind.catch_up

        def build(shard: GraphShard | Shard, *arguments: object) -> None:
            if kind not in built and shard not in own:
                built.append(kind)
                other.add("a note")
            catch_up(shard, *arguments)

        return build

    with (
        HybridMemory.open(tmp_path / "a.db") as memory,
        HybridMemory.open(tmp_path / "a.db") as other,
    ):
        other.search("warm")
        monkeypatch.setattr(GraphShard, "catch_up", beside(GraphShard))
        own = list(other._engine._shards.values())  # type: ignore[attr-defined]  # of the embedded engine
        if "filter" in given:
            monkeypatch.setattr(Shard, "catch_up", beside(Shard))
        assert memory.delete(**given).ids == ("a",)
        assert GraphShard in built
        assert other.count() == len(built)


def test_a_fact_written_anew_while_a_deletion_looks_for_what_holds_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with HybridMemory.open(tmp_path / "a.db", extractor=LineExtractor()) as memory:
        memory.add_episode("Atlas -budget-> amount:500k", id="a", time="2024-11-01")
        memory.add_episode("Atlas -budget-> amount:600k", id="b", time="2024-11-02")
        memory.history("Atlas")
        reopened, is_behind = LocalEngine._reopened, GraphShard.is_behind

        def write_after_looking(shard: GraphShard, state: NamespaceState | None) -> bool:
            monkeypatch.setattr(GraphShard, "is_behind", is_behind)
            again = {"id": "a", "time": "2024-11-01", "metadata": {"again": True}}
            writer = threading.Thread(target=memory.add_episode, args=("Atlas -budget-> amount:500k",), kwargs=again)
            writer.start()
            writer.join()
            return is_behind(shard, state)

        def beside(engine: LocalEngine, namespace: str, closed: Closed, now: datetime) -> tuple[Fact, ...]:
            if closed.ends:  # not in the write beside it, which opens nothing
                monkeypatch.setattr(GraphShard, "is_behind", write_after_looking)
            return reopened(engine, namespace, closed, now)

        monkeypatch.setattr(LocalEngine, "_reopened", beside)
        assert memory.delete("b").reopened == ()
        assert [(fact.object, fact.status) for fact in memory.history("Atlas")] == [("500k", "current")]


def test_a_filter_used_for_the_first_time_beside_a_write_sees_the_whole_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = HybridMemory(LocalEngine(tmp_path / "a.db", tokenize, Config(), "full"))
    memory.add(NOTES)
    memory.search("red")
    seen = Store.state

    def write_after_looking(
        store: Store, connection: sqlite3.Connection, name: str, kind: Kind
    ) -> NamespaceState | None:
        state = seen(store, connection, name, kind)
        monkeypatch.setattr(Store, "state", seen)
        writer = threading.Thread(target=memory.add, args=({"id": "n6", "text": "red", "metadata": {"kind": "food"}},))
        writer.start()
        writer.join()
        return state

    monkeypatch.setattr(Store, "state", write_after_looking)
    assert sorted(ids(memory.search("red", filter={"kind": "food"}))) == ["n1", "n6"]
    memory.close()
