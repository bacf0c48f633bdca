"""Kill a writing process at random moments, again and again, and check what the file holds after each.

python tests/crash/crash_loop.py --rounds 200
"""

import argparse
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

from hybrid_agent_memory import HybridMemory
from hybrid_agent_memory.testing import HashEmbedder

BATCH = 5


def text_of(identity: str) -> str:
    """The text that an id must hold; every third id is written twice and ends as its second version."""
    round_, number = identity.split("-")[:2]
    version = "second" if int(number) % 3 == 0 else "first"
    return f"{version} version of ERR-{round_}x{number} seen on node {int(number) % 7}"


def write(path: Path, round_: int) -> None:
    """Add for ever and print what was acknowledged, one line per call that returned."""
    with HybridMemory.open(path, embedder=HashEmbedder(16)) as memory:
        number = 0
        while True:
            ids = [f"{round_}-{number + at}" for at in range(BATCH if number % 2 else 1)]
            memory.add([{"id": identity, "text": text_of(identity).replace("second", "first")} for identity in ids])
            memory.add([{"id": identity, "text": text_of(identity), "metadata": {"batch": ids[0]}} for identity in ids])
            memory.delete(f"{ids[0]}-never")
            sys.stdout.write(" ".join(ids) + "\n")
            sys.stdout.flush()
            number += len(ids)


def kill_one(path: Path, round_: int, seconds: float) -> list[list[str]]:
    """Start a writer, kill it after it acknowledged something and some more time, give what it acknowledged."""
    command = [sys.executable, __file__, "--write", str(path), str(round_)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        if child.stdout is None:
            raise RuntimeError("the writer has no output")
        first = child.stdout.readline()
        try:
            child.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGKILL)
        lines = [first, *child.stdout.read().splitlines(keepends=True)]
    return [line.split() for line in lines if line.endswith("\n")]


def faults(path: Path, acknowledged: list[list[str]]) -> list[str]:
    """What is wrong with the file: nothing, if all is well."""
    found: list[str] = []
    with sqlite3.connect(path) as connection:
        (verdict,) = connection.execute("PRAGMA integrity_check").fetchone()
    connection.close()
    if verdict != "ok":
        found.append(f"integrity_check: {verdict}")
    with HybridMemory.open(path, embedder=HashEmbedder(16)) as memory:
        ids = [identity for batch in acknowledged for identity in batch]
        for identity, record in zip(ids, memory.get(ids), strict=True):
            if record is None or record.text != text_of(identity):
                found.append(f"{identity} was acknowledged and is {record}")
        for identity in ids[-20:]:
            for leg in ("sparse", "dense"):
                hits = memory.search(text_of(identity), top_k=1, legs=(leg,))
                if [hit.id for hit in hits] != [identity]:
                    found.append(f"{identity} is not found by {leg}: {hits}")
        stored = list(memory.export())
        batches = {str(item["metadata"]["batch"]) for item in stored if item["metadata"]}  # type: ignore[index]
        for batch in batches:
            size = memory.count({"batch": batch})
            if size != (BATCH if int(batch.split("-")[1]) % 2 else 1):
                found.append(f"batch {batch} is half written: {size}")
    return found


def main() -> int:
    """Run the rounds; 1 when any of them found a fault."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", nargs=2, metavar=("PATH", "ROUND"))
    options = parser.parse_args()
    if options.write:
        write(Path(options.write[0]), int(options.write[1]))
    chance = random.Random(options.seed)
    acknowledged = 0
    with tempfile.TemporaryDirectory() as folder:
        for round_ in range(options.rounds):
            path = Path(folder, f"{round_ // 10}.db")  # ten rounds share a file, so that recovery is followed by writes
            done = kill_one(path, round_, chance.uniform(0.0, 0.3))
            acknowledged += sum(map(len, done))
            for fault in faults(path, done):
                sys.stdout.write(f"round {round_}: {fault}\n")
                return 1
    sys.stdout.write(f"{options.rounds} rounds, {acknowledged} records acknowledged, all of them found\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
