"""Indexes saved beside the file: an opened memory answers as if it had built them, whatever lies there."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from hybrid_agent_memory import Config, HybridMemory, Response
from hybrid_agent_memory.engines.local import shard, snapshot, store
from hybrid_agent_memory.testing import HashEmbedder

EMBEDDER = HashEmbedder(8)
QUESTIONS = ["red number 3", "ERR_0x9941", "green or blue"]
COLOURS = ["red", "green", "blue"]


def items(start: int, stop: int, word: str = "number") -> list[dict[str, object]]:
    return [
        {"id": f"r{at}", "text": f"{COLOURS[at % 3]} {word} {at}", "metadata": {"third": at % 3}}
        for at in range(start, stop)
    ]


@pytest.fixture(autouse=True)
def every_snapshot_is_worth_saving(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot, "WORTH_SAVING", 1)
    monkeypatch.setattr(shard, "OVERDUE", 10**9)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A memory of 30 records, some replaced and deleted, closed with a snapshot beside it."""
    with HybridMemory.open(tmp_path / "agent.db", embedder=EMBEDDER) as memory:
        memory.add(items(0, 30))
        memory.add([{"id": "r4", "text": "red ERR_0x9941", "metadata": {"third": 0}}])
        memory.delete(["r7", "r8"])
    assert head(tmp_path / "agent.db").exists()
    return tmp_path / "agent.db"


def head(path: Path) -> Path:
    return path.with_name("agent.db-index") / "namespace-1" / "head.json"


def answers(memory: HybridMemory) -> list[Response]:
    """All there is to see of the rankings: each leg's, the fused ones, and filtered ones."""
    legs: list[tuple[str, ...]] = [("sparse",), ("dense",), ("sparse", "dense")]
    plain = [memory.search(question, legs=names, top_k=50) for question in QUESTIONS for names in legs]
    return [*plain, *(memory.search(question, filter={"third": 0}, top_k=50) for question in QUESTIONS)]


def reopened(path: Path) -> list[Response]:
    with HybridMemory.open(path, embedder=EMBEDDER) as memory:
        return answers(memory)


def rebuilt(path: Path) -> list[Response]:
    """What a memory says that has nothing but the file."""
    with TemporaryDirectory() as bare:
        shutil.copy(path, bare)
        with HybridMemory.open(Path(bare) / path.name, embedder=EMBEDDER) as memory:
            return answers(memory)


@pytest.fixture
def rows_cut(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Counts the records whose text is cut into terms, which happens to those that no snapshot covers."""
    counted: list[int] = []
    append = shard.Shard._append

    def count(self: shard.Shard, block: list[store.StoredRecord], tokens: dict[str, list[str]]) -> None:
        counted.append(len(block))
        append(self, block, tokens)

    monkeypatch.setattr(shard.Shard, "_append", count)
    return counted


def test_a_snapshot_answers_as_the_file_does_and_saves_reading_it(path: Path, rows_cut: list[int]) -> None:
    expected = rebuilt(path)
    assert rows_cut == [28]
    assert reopened(path) == expected
    assert rows_cut == [28]


def test_writes_after_the_snapshot_are_added_to_it(
    path: Path, rows_cut: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshot, "WORTH_SAVING", 10**9)
    with HybridMemory.open(path, embedder=EMBEDDER) as other:
        other.add(items(40, 45))
        other.add([{"id": "r0", "text": "green now", "metadata": {"third": 1}}])
        other.delete(["r1", "r41"])
    expected = rebuilt(path)
    del rows_cut[:]
    assert reopened(path) == expected
    assert rows_cut == [5]


def test_a_snapshot_older_than_the_log_is_ignored(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot, "WORTH_SAVING", 10**9)
    monkeypatch.setattr(store, "LOG_KEPT", 4)
    with HybridMemory.open(path, embedder=EMBEDDER) as other:
        for at in range(10, 20):
            other.delete(f"r{at}")
    assert reopened(path) == rebuilt(path)


def change(name: str, to: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        (folder / name).write_bytes(to((folder / name).read_bytes()))

    return damage


def remove(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


DAMAGE: dict[str, Callable[[Path], None]] = {
    "head truncated": change("head.json", lambda content: content[:20]),
    "head of another shape": change("head.json", lambda _: b"[]"),
    "head without a state": change("head.json", lambda content: content.replace(b'"state"', b'"mood"')),
    "head not text": change("head.json", lambda _: b"\xff\xfe\x00"),
    "head gone": remove("head.json"),
    "newer format": change("head.json", lambda content: content.replace(b'"format": 1', b'"format": 2')),
    "other settings": change("head.json", lambda content: content.replace(b"0.75", b"0.76")),
    "rows truncated": change("rows.npz", lambda content: content[: len(content) // 2]),
    "rows gone": remove("rows.npz"),
    "terms altered": change("sparse.npz", lambda content: content[:-60] + bytes(60)),
    "vectors altered": change("flat.faiss", lambda content: content[:-4] + b"\x00\x00\x80\x3f"),
    "vectors gone": remove("flat.faiss"),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_snapshot_is_ignored(path: Path, damage: Callable[[Path], None], rows_cut: list[int]) -> None:
    damage(head(path).parent)
    assert reopened(path) == rebuilt(path)
    assert rows_cut == [28, 28]


def test_parts_of_different_states_do_not_make_a_snapshot(path: Path) -> None:
    """Each part is sound, and the sums are right: only the lengths give it away."""
    other = path.with_name("other") / "agent.db"
    other.parent.mkdir()
    with HybridMemory.open(other, embedder=EMBEDDER) as memory:
        memory.add(items(0, 12))
    shutil.copy(head(other).parent / "sparse.npz", head(path).parent / "sparse.npz")
    read, theirs = json.loads(head(path).read_text()), json.loads(head(other).read_text())
    read["sums"]["sparse.npz"] = theirs["sums"]["sparse.npz"]
    head(path).write_text(json.dumps(read))
    assert reopened(path) == rebuilt(path)


def test_the_snapshot_of_another_file_is_ignored(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere" / "agent.db"
    other.parent.mkdir()
    with HybridMemory.open(other, embedder=EMBEDDER) as memory:
        memory.add(items(0, 30, word="stranger"))
    shutil.rmtree(head(path).parent)
    shutil.copytree(head(other).parent, head(path).parent)
    assert reopened(path) == rebuilt(path)


@pytest.mark.parametrize("undone", ["added", "replaced", "deleted"])
def test_the_snapshot_of_a_file_that_was_put_back_is_ignored(
    path: Path, undone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An old copy of the file is restored without the folder beside it, and then goes another way."""
    backup = path.with_name("backup.db")
    shutil.copy(path, backup)
    with HybridMemory.open(path, embedder=EMBEDDER) as memory:
        memory.search("red")
        if undone == "added":
            memory.add(items(100, 110, word="undone"))
        elif undone == "replaced":
            memory.add(items(10, 20, word="undone"))
        else:
            memory.delete([f"r{at}" for at in range(10, 20)])
    shutil.copy(backup, path)
    monkeypatch.setattr(snapshot, "WORTH_SAVING", 10**9)
    with HybridMemory.open(path, embedder=EMBEDDER) as memory:
        memory.add(items(100, 130, word="instead"))
        memory.delete([f"r{at}" for at in range(15, 28)])
    assert reopened(path) == rebuilt(path)


def test_a_snapshot_met_by_a_handle_that_has_filtered_before(path: Path, tmp_path: Path) -> None:
    with HybridMemory.open(tmp_path / "agent.db", namespace="late", embedder=EMBEDDER) as early:
        assert len(early.search("red", filter={"third": 0})) == 0
        with HybridMemory.open(tmp_path / "agent.db", namespace="late", embedder=EMBEDDER) as writer:
            writer.add(items(0, 9))
        assert sorted(hit.id for hit in early.search("red", filter={"third": 0})) == ["r0", "r3", "r6"]


def test_other_settings_are_built_anew(path: Path) -> None:
    config = Config(k1=0.9, int8_above=5)
    with HybridMemory.open(path, embedder=EMBEDDER, config=config) as memory:
        given, kind = answers(memory), memory.stats().dense_index
    shutil.rmtree(head(path).parent)
    with HybridMemory.open(path, embedder=EMBEDDER, config=config) as memory:
        assert (answers(memory), kind) == (given, "int8")
    with HybridMemory.open(path, embedder=EMBEDDER, config=config) as memory:
        assert answers(memory) == given


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "agent.db-index").write_text("in the way")
    with HybridMemory.open(tmp_path / "agent.db", embedder=EMBEDDER) as memory:
        memory.add(items(0, 9))
    assert "was not written" in caplog.text
    assert reopened(tmp_path / "agent.db") == rebuilt(tmp_path / "agent.db")


def test_a_reader_behind_the_log_begins_anew(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "LOG_KEPT", 4)
    with (
        HybridMemory.open(path, embedder=EMBEDDER) as reader,
        HybridMemory.open(path, embedder=EMBEDDER) as writer,
    ):
        assert answers(reader) == answers(writer)
        for at in range(10, 20):
            writer.delete(f"r{at}")
            writer.add(items(at + 50, at + 51))
        assert answers(reader) == answers(writer)
    assert reopened(path) == rebuilt(path)


def test_dead_rows_go_when_they_are_many_and_the_ranking_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shard, "FEW_DEAD", 3)
    with HybridMemory.open(tmp_path / "agent.db", embedder=EMBEDDER) as memory:
        memory.add(items(0, 20))
        answers(memory)
        memory.delete([f"r{at}" for at in range(6)])
        assert memory.stats().dead_rows == 6
        memory.delete(["r6", "r7"])
        assert memory.stats().dead_rows == 0
        given = answers(memory)
    assert rebuilt(tmp_path / "agent.db") == given


def test_a_snapshot_is_written_before_a_kill_could_cost_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows_cut: list[int]
) -> None:
    monkeypatch.setattr(shard, "OVERDUE", 10)
    path = tmp_path / "agent.db"
    killed = HybridMemory.open(path, embedder=EMBEDDER)  # never closed
    written = []
    for start in range(0, 60, 4):
        killed.add(items(start, start + 4))
        written.append(head(path).stat().st_mtime_ns if head(path).exists() else 0)
    assert len(set(written) - {0}) == 3  # at 12, 24 and 48 records: ever more rarely
    expected = answers(killed)
    rows_cut.clear()
    assert reopened(path) == expected
    assert sum(rows_cut) == 60 - 48
    killed.close()
