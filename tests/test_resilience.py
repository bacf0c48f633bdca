"""What once broke a memory and must not again: interrupts, embedders and tokenizers with bad manners, odd clocks."""

import os
import pickle
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hybrid_agent_memory import (
    BatchError,
    Config,
    CorruptStoreError,
    EmbedderError,
    HybridMemory,
    InvalidInputError,
    LegQuery,
    OptionalDependencyError,
    StoreError,
)
from hybrid_agent_memory.engines.local.engine import LocalEngine
from hybrid_agent_memory.engines.local.locks import ReadWriteLock
from hybrid_agent_memory.engines.local.store import Store
from hybrid_agent_memory.testing import HashEmbedder

FOREVER = datetime.max.replace(tzinfo=UTC)


def ids(memory: HybridMemory, query: str, **options: object) -> list[str]:
    return [hit.id for hit in memory.search(query, **options)]  # type: ignore[arg-type]


# -- interrupts -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("on_file", [True, False])
def test_an_interrupted_transaction_leaves_nothing_behind(tmp_path: Path, on_file: bool) -> None:
    store = Store(tmp_path / "a.db" if on_file else None)

    def interrupted(use: Callable[[], AbstractContextManager[sqlite3.Connection]]) -> None:
        with use() as connection:
            connection.execute("SELECT count(*) FROM records").fetchone()
            raise KeyboardInterrupt

    for use in (store.writing, store.reading):
        with pytest.raises(KeyboardInterrupt):
            interrupted(use)
    with store.writing() as connection:
        store.set_meta(connection, "colour", "red")
    with store.reading() as connection:
        assert store.meta(connection, "colour") == "red"
    store.close()


def test_a_writer_interrupted_while_it_waits_holds_nobody_back(monkeypatch: pytest.MonkeyPatch) -> None:
    lock = ReadWriteLock()

    def interrupted(ready: Callable[[], bool]) -> None:
        raise KeyboardInterrupt

    for wait in (lock.write, lock.read):
        with monkeypatch.context() as patch:
            patch.setattr(lock._condition, "wait_for", interrupted)
            with pytest.raises(KeyboardInterrupt), wait():
                pass
    passed = threading.Event()

    def use() -> None:
        with lock.read():
            pass
        with lock.write():
            passed.set()

    threading.Thread(target=use, daemon=True).start()
    assert passed.wait(20)


def test_a_failed_filter_is_not_remembered_as_built(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = HybridMemory.in_memory()
    memory.add([{"text": "x", "metadata": {"n": n}} for n in range(9)])
    scan = Store.scan_records

    def interrupted(*arguments: object) -> Iterator[object]:
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(Store, "scan_records", interrupted)
    with pytest.raises(KeyboardInterrupt):
        memory.count({"n": {"$gte": 3}})
    monkeypatch.setattr(Store, "scan_records", scan)
    assert memory.count({"n": {"$gte": 3}}) == 6


# -- bad manners ----------------------------------------------------------------------------------------------------


class Editing(HashEmbedder):
    """Changes the list it is given."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        for at, text in enumerate(texts):
            texts[at] = f"passage: {text}"
        return super().embed_documents(texts)


def test_an_embedder_that_edits_its_input_does_no_harm(tmp_path: Path) -> None:
    for _ in range(2):
        with HybridMemory.open(tmp_path / "a.db", embedder=Editing(16)) as memory:
            memory.add([{"id": "a", "text": "red apple"}, {"id": "b", "text": "blue sky"}])
            assert ids(memory, "blue sky", legs=("dense",)) == ["b", "a"]


def test_an_embedder_may_give_zero_vectors() -> None:
    class Counts:
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [self.embed_query(text) for text in texts]

        def embed_query(self, text: str) -> list[float]:
            return [float("red" in text), float("apple" in text)]

    memory = HybridMemory.in_memory(embedder=Counts())
    memory.add([{"id": "a", "text": "red apple"}, {"id": "b", "text": "sky"}])
    memory.add({"id": "c", "text": "red sky"})
    assert ids(memory, "red apple", legs=("dense",)) == ["a", "c", "b"]


@pytest.mark.parametrize("given", [None, "words", [1], [None]])
def test_a_tokenizer_that_gives_no_terms_is_refused_before_anything_is_stored(given: object) -> None:
    memory = HybridMemory.in_memory(tokenizer=lambda text: given if "bad" in text else text.split())  # type: ignore[return-value, arg-type]
    memory.add({"id": "a", "text": "good one"})
    for call in (lambda: memory.add("bad one"), lambda: memory.search("bad one")):
        with pytest.raises(InvalidInputError, match="tokenizer"):
            call()
    assert (memory.count(), ids(memory, "one")) == (1, ["a"])


def test_a_leg_out_of_order_is_put_in_order_and_absurd_scores_are_a_failure() -> None:
    class Outside:
        name = "outside"

        def __init__(self) -> None:
            self.found = [("a", 0.1), ("b", 0.9)]

        def search(self, query: LegQuery) -> list[tuple[str, float]]:
            return self.found

    leg = Outside()
    memory = HybridMemory.in_memory(legs=[leg])
    memory.add([{"id": "a", "text": "x"}, {"id": "b", "text": "y"}])
    hits = memory.search("red", legs=("outside",))
    assert [(hit.id, hit.why.legs["outside"].rank) for hit in hits] == [("b", 1), ("a", 2)]
    leg.found = [("a", 1.7e308), ("b", -1.7e308)]
    assert "outside" in memory.search("x").failures


# -- clocks, dates, numbers -----------------------------------------------------------------------------------------


def test_the_end_of_time_and_microseconds_are_kept() -> None:
    exact = datetime(2261, 1, 2, 3, 4, 5, 678901, UTC)
    memory = HybridMemory.in_memory(clock=lambda: FOREVER)
    memory.add([{"id": "a", "text": "x", "time": FOREVER}, {"id": "b", "text": "x", "time": exact}])
    first, second = memory.get(["a", "b"])
    assert first is not None
    assert second is not None
    assert (first.time, first.created_at, second.time) == (FOREVER, FOREVER, exact)
    assert ids(memory, "x", filter={"@time": {"$lt": FOREVER}}) == ["b"]


@pytest.mark.parametrize(
    "call",
    [
        lambda m: m.search("x", weights={"sparse": 10**400}),
        lambda m: m.search("x", weights={"sparse": 1e308, "dense": 1e308}),
        lambda m: m.search("x", rrf_k=10**400),
        lambda m: m.search("x", min_confidence=10**400),
        lambda m: m.search("x", vector=[10**400]),
        lambda m: m.add({"text": "x", "metadata": {"n": 10**400}}),
    ],
)
def test_numbers_no_float_can_hold_are_refused(call: Callable[[HybridMemory], object]) -> None:
    memory = HybridMemory.in_memory()
    memory.add({"id": "a", "text": "x"})
    with pytest.raises(InvalidInputError):
        call(memory)
    assert memory.count() == 1


def test_few_candidates_still_give_top_k() -> None:
    memory = HybridMemory.in_memory(config=Config(candidates=1))
    memory.add([{"text": f"red {n}"} for n in range(20)])
    assert len(memory.search("red", top_k=5)) == 5


# -- files and processes --------------------------------------------------------------------------------------------


def test_changing_the_folder_does_not_move_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    with HybridMemory.open("a.db") as memory:
        memory.add({"id": "a", "text": "x", "metadata": {"n": 1}})
        monkeypatch.chdir(tmp_path / "elsewhere")
        engine = memory._engine
        assert isinstance(engine, LocalEngine)
        with engine._store.reading():  # so that the next call needs a connection of its own
            assert memory.count({"n": 1}) == 1
    assert os.listdir(tmp_path / "elsewhere") == []


def test_a_file_removed_while_open_is_noticed_by_the_next_write(tmp_path: Path) -> None:
    with HybridMemory.open(tmp_path / "a.db") as memory:
        memory.add("x")
        (tmp_path / "a.db").unlink()
        with pytest.raises(StoreError, match="removed"):
            memory.add("y")
    assert not (tmp_path / "a.db").exists()


def test_a_full_disk_at_close_loses_only_the_snapshot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hybrid_agent_memory.engines.local import snapshot
    from hybrid_agent_memory.legs.dense import DenseIndex

    def full(index: DenseIndex, directory: Path) -> None:
        raise RuntimeError("write error: No space left on device")

    monkeypatch.setattr(snapshot, "WORTH_SAVING", 1)
    monkeypatch.setattr(DenseIndex, "save", full)
    with HybridMemory.open(tmp_path / "a.db", embedder=HashEmbedder(8)) as memory:
        memory.add([{"id": "a", "text": "red"}, {"id": "b", "text": "blue"}])
    with HybridMemory.open(tmp_path / "a.db", embedder=HashEmbedder(8)) as memory:
        assert ids(memory, "red", top_k=1) == ["a"]


def test_progress_that_raises_does_not_hide_what_is_stored() -> None:
    memory = HybridMemory.in_memory(config=Config(batch_size=2))

    def raising(done: int, total: int | None) -> None:
        if done == 4:
            raise ValueError("enough")

    with pytest.raises(BatchError, match="enough") as stopped:
        memory.add((f"text {n}" for n in range(9)), progress=raising)
    assert stopped.value.stored == memory.count() == 4


def test_errors_cross_process_boundaries() -> None:
    batch = pickle.loads(pickle.dumps(BatchError("stopped", 3)))
    missing = pickle.loads(pickle.dumps(OptionalDependencyError("LangChain", "langchain")))
    assert (str(batch), batch.stored) == ("stopped", 3)
    assert (missing.extra, "hybrid-agent-memory[langchain]" in str(missing)) == ("langchain", True)


def test_made_up_filter_keys_do_not_add_up() -> None:
    memory = HybridMemory.in_memory()
    memory.add([{"text": "x", "metadata": {"n": n}} for n in range(5)])
    for start in range(0, 1000, 50):
        assert memory.count({"$or": [{"n": {"$gte": 3}}, *({f"key{start + at}": 1} for at in range(50))]}) == 2


def test_an_embedder_that_changes_its_dimension_is_refused() -> None:
    embedder = HashEmbedder(8)
    memory = HybridMemory.in_memory(embedder=embedder)
    memory.add({"id": "a", "text": "red"})
    embedder.dimension = 16
    with pytest.raises(EmbedderError):
        memory.add("blue")
    embedder.dimension = 8
    assert ids(memory, "red") == ["a"]


@pytest.mark.parametrize("damage", ["metadata = '{'", "created_at = 9223372036854775807", "time = 'soon'"])
def test_a_damaged_record_is_reported_as_such(damage: str) -> None:
    memory = HybridMemory.in_memory()
    memory.add({"id": "a", "text": "red"})
    engine = memory._engine
    assert isinstance(engine, LocalEngine)
    with engine._store.writing() as connection:
        connection.execute(f"UPDATE records SET {damage}")
    with pytest.raises(CorruptStoreError, match="'a' is damaged"):
        memory.search("red")
