"""What survives `kill -9`, and what several processes see of each other; the scripts run for longer by hand."""

import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hybrid_agent_memory import HybridMemory
from hybrid_agent_memory.testing import HashEmbedder

SCRIPTS = Path(__file__).parent / "crash"


def run(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPTS / script), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_every_acknowledged_record_survives_kill_nine_in_all_legs() -> None:
    finished = run("crash_loop.py", "--rounds", "20")
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert "20 rounds" in finished.stdout


def test_a_reader_among_three_writing_processes_ends_equal_to_a_fresh_open(tmp_path: Path) -> None:
    finished = run("four_processes.py", str(tmp_path / "shared.db"))
    assert finished.returncode == 0, finished.stdout + finished.stderr


def test_a_memory_goes_on_in_both_processes_after_a_fork(tmp_path: Path) -> None:
    finished = run("fork.py", str(tmp_path / "forked.db"))
    assert finished.returncode == 0, finished.stdout + finished.stderr


def test_episodes_are_whole_after_kill_nine_and_the_graph_is_that_of_a_fresh_memory() -> None:
    finished = run("episode_loop.py", "--rounds", "6")
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert "6 rounds" in finished.stdout


def test_two_processes_write_episodes_with_right_receipts_while_a_third_searches(tmp_path: Path) -> None:
    finished = run("episode_processes.py", str(tmp_path / "shared.db"))
    assert finished.returncode == 0, finished.stdout + finished.stderr


THREADS = 8
EPISODES = 6
START = datetime(2024, 1, 1, tzinfo=UTC)
LATER = START + timedelta(days=365)


def seed(memory: HybridMemory) -> None:
    """The names that all threads speak of, so that each can merge two of them at any time."""
    for number in range(THREADS):
        memory.add_episode(f"Mr. Stone{number} met Mrs. Reed{number}.", id=f"seed-{number}", time=START)


def work(memory: HybridMemory, number: int) -> None:
    """What one thread does: its own episodes, about what all are about."""
    for step in range(EPISODES):
        at = START + timedelta(hours=1 + step * THREADS + number)
        text = f"The budget of Project Atlas is {100 * number + step}k. Mr. Stone{number} owns Project B{step}."
        memory.add_episode(text, id=f"{number}-{step}", time=at, extract="later" if step % 5 == 4 else "now")
        if step % 3 == 2:
            memory.delete([f"{number}-{step - 1}"])
        if step == EPISODES // 2:
            memory.merge_entities(f"Mr. Stone{number}", f"Mrs. Reed{number}")
            memory.add_episode("张伟负责Atlas项目。", id=f"{number}-0", time=at)
        memory.search("Who owns Project B3, and what is the budget of Project Atlas?", now=LATER)
        memory.search(f"Mrs. Reed{number}", kinds=("fact",), now=LATER)
        memory.search("Project Atlas", filter={"@id": f"{number}-{step}"}, as_of=at)
    memory.extract_pending()


def state(memory: HybridMemory) -> dict[str, object]:
    """All that does not depend on when it was written."""
    entities = list(memory.entities())
    facts = [fact for entity in entities for fact in memory.history(entity.name, now=LATER)]
    queries = ("budget of Project Atlas", "Mrs. Reed3", "张伟")
    hits = [[hit.id for hit in memory.search(q, legs=("sparse", "dense"), now=LATER, top_k=50)] for q in queries]
    return {
        "export": sorted(memory.export(), key=lambda item: str(item["id"])),
        "entities": entities,
        "facts": [{**asdict(fact), "created_at": None, "expired_at": None} for fact in facts],
        "hits": hits,
    }


def in_threads(jobs: list[Callable[[], None]]) -> list[BaseException]:
    failed: list[BaseException] = []

    def run_one(job: Callable[[], None]) -> None:
        try:
            job()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=run_one, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return failed


@pytest.mark.parametrize("in_a_file", [True, False])
def test_eight_threads_of_episodes_merges_and_searches_end_as_one_thread_would(tmp_path: Path, in_a_file: bool) -> None:
    embedder = HashEmbedder(16)
    serial = HybridMemory.in_memory(embedder=embedder)
    memory = (
        HybridMemory.open(tmp_path / "m.db", embedder=embedder)
        if in_a_file
        else HybridMemory.in_memory(embedder=embedder)
    )
    for one in (serial, memory):
        seed(one)
    for number in range(THREADS):
        work(serial, number)
    failed = in_threads([lambda number=number: work(memory, number) for number in range(THREADS)])  # type: ignore[misc]
    assert failed == []
    assert state(memory) == state(serial)
    memory.close()
