"""One process adds, one replaces, one deletes and one reads the same file; the reader must end equal to a fresh open.

The thresholds are lowered so that the reader rebuilds its indexes and falls behind the change log on the way.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from hybrid_agent_memory import HybridMemory
from hybrid_agent_memory.engines.local import shard, store
from hybrid_agent_memory.testing import HashEmbedder

shard.FEW_DEAD = 20
store.LOG_KEPT = 30
QUERIES = [f"node {n} of ERR_0x{n:04x}" for n in range(0, 60, 7)]


def open_memory(path: Path) -> HybridMemory:
    """The file with the embedder that all four share."""
    return HybridMemory.open(path, embedder=HashEmbedder(16))


def text_of(number: int, version: int) -> str:
    """A text that names its number."""
    return f"version {version} on node {number % 60} of ERR_0x{number % 60:04x}, entry {number}"


def add(path: Path) -> None:
    """Add new records."""
    with open_memory(path) as memory:
        for number in range(200):
            memory.add({"id": f"r{number}", "text": text_of(number, 0), "metadata": {"node": number % 60}})


def replace(path: Path) -> None:
    """Replace records, many times each."""
    with open_memory(path) as memory:
        for step in range(200):
            number = step % 40
            memory.add({"id": f"r{number}", "text": text_of(number, step), "metadata": {"node": number}})


def delete(path: Path) -> None:
    """Delete what is there, and what is not."""
    with open_memory(path) as memory:
        for number in range(0, 200, 3):
            memory.delete([f"r{number}", f"r{number + 1000}"])


def answers(memory: HybridMemory) -> list[list[tuple[str, float, str]]]:
    """All rankings, scores included."""
    found = []
    for query in QUERIES:
        for legs in (("sparse",), ("dense",), ("sparse", "dense")):
            hits = [
                *memory.search(query, top_k=50, legs=legs),
                *memory.search(query, top_k=5, legs=legs, filter={"node": {"$lt": 30}}),
            ]
            found.append([(hit.id, hit.score, hit.text) for hit in hits])
    return found


def main() -> int:
    """Run the four; 1 when the reader differs from a fresh open or a process failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--role", choices=("add", "replace", "delete"))
    options = parser.parse_args()
    if options.role:
        {"add": add, "replace": replace, "delete": delete}[options.role](options.path)
        return 0
    with open_memory(options.path) as reader:
        command = [sys.executable, __file__, str(options.path), "--role"]
        others = [subprocess.Popen([*command, role]) for role in ("add", "replace", "delete")]
        while any(process.poll() is None for process in others):
            answers(reader)
        mine = answers(reader)
        with open_memory(options.path) as fresh:
            same = mine == answers(fresh)
            complete = len(list(fresh.export())) == fresh.count()
    failed = [process.returncode for process in others if process.returncode]
    sys.stdout.write(f"reader equals a fresh open: {same}; exit codes of the others: {failed or 'all 0'}\n")
    return 0 if same and complete and not failed else 1


if __name__ == "__main__":
    raise SystemExit(main())
