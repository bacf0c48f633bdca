"""Kill a process that writes episodes at random moments, again and again, and check the graph memory after each.

python tests/crash/episode_loop.py --rounds 200
"""

import argparse
import json
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hybrid_agent_memory import Config, HybridMemory
from hybrid_agent_memory.testing import HashEmbedder

SMALL = Config(chunk_chars=120, episode_batch=3, batch_size=3)
START = datetime(2024, 1, 1, tzinfo=UTC)
PEOPLE = ("Ann Lee", "Bob Stone", "Carla Ruiz", "张伟", "李娜")
MOST_WORDS = 30  # before the kill
NOBODY = "gone"  # version of an episode that is not there
Versions = dict[str, set[str]]
"""By episode, the versions it may be in after a kill."""


def open_memory(path: Path | None) -> HybridMemory:
    """A file, or a memory of its own, with settings that cut long episodes and batches into several."""
    if path is None:
        return HybridMemory.in_memory(embedder=HashEmbedder(16), config=SMALL)
    return HybridMemory.open(path, embedder=HashEmbedder(16), config=SMALL)


def text_of(number: int, version: str) -> str:
    """What an episode says; every seventh is cut into several chunks."""
    person, other = PEOPLE[number % len(PEOPLE)], PEOPLE[(number // 2 + 1) % len(PEOPLE)]
    budget = f"The budget of Project Atlas{number % 4} is {100 + number}k."
    said = (
        budget,
        f"{person} owns Project Atlas{number % 4}. ERR-{number:04d} was seen on node-{number % 9}.",
        f"{person}负责Atlas{number % 4}项目。",
        f"{person} reports to {other}.",
    )[number % 4]
    more = f" {budget} {other} called {person} about ORD-2024{number:04d}, and nobody knew why." * 2
    return f"{said}{more if number % 7 == 0 else ''} Note {number} in its {version} version."


def episode(identity: str, version: str) -> dict[str, object]:
    """The arguments of an episode; its time follows from its number, so that the order of writing does not matter."""
    number = int(identity.split("-")[1])
    return {
        "id": identity,
        "text": text_of(number, version),
        "time": START + timedelta(hours=number, minutes=len(version)),
        "session": f"s{number % 3}",
        "metadata": {"version": version},
    }


# -- the process that is killed ---------------------------------------------------------------------------------------


def write(path: Path, round_: int) -> None:
    """Write for ever; say before each call what it will do, and after it that it is done."""
    with open_memory(path) as memory:
        number = 0
        while True:
            ids = [f"{round_}-{number + at}" for at in range(7)]
            first, later, again = ids[0], ids[1:3], ids[2:6]
            _say("one", [first], "first")
            memory.add_episode(**episode(first, "first"))  # type: ignore[arg-type]
            _say("later", later, "first")
            memory.add_episodes([episode(one, "first") for one in later], extract="later")
            _say("many", ids[3:], "first")
            memory.add_episodes([episode(one, "first") for one in ids[3:]])
            _say("replace", again, "second")
            memory.add_episodes([episode(one, "second") for one in again])
            if number % 2:
                _say("extract", [], "")
                memory.extract_pending(limit=2)
            if number % 3 == 2:
                _say("merge", [], "")
                memory.merge_entities("Ann Lee", "Carla Ruiz")
                memory.unmerge("张伟", "李娜")
            _say("delete", [ids[4]], NOBODY)
            memory.delete(ids[4])
            number += len(ids)


def _say(call: str, ids: list[str], version: str) -> None:
    sys.stdout.write(json.dumps([call, ids, version]) + "\n")
    sys.stdout.flush()


def kill_one(path: Path, round_: int, words: int, seconds: float) -> list[tuple[str, list[str], str]]:
    """Start a writer, kill it some time after so many of its words; all calls but the last one have returned."""
    command = [sys.executable, __file__, "--write", str(path), str(round_)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        if child.stdout is None:
            raise RuntimeError("the writer has no output")
        lines = [child.stdout.readline() for _ in range(words)]
        try:
            child.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGKILL)
        lines += child.stdout.read().splitlines(keepends=True)
    return [tuple(json.loads(line)) for line in lines if line.endswith("\n")]


def after(calls: list[tuple[str, list[str], str]]) -> Versions:
    """What each episode may be after these calls, of which the last one was perhaps not finished."""
    found: Versions = {}
    for at, (_, ids, version) in enumerate(calls):
        for identity in ids:
            before = found.get(identity, {NOBODY})
            found[identity] = {version} if at < len(calls) - 1 else before | {version}
    return found


# -- what is left -----------------------------------------------------------------------------------------------------


def faults(path: Path, versions: Versions) -> Iterator[str]:
    """What is wrong with the file: nothing, if all is well."""
    with closing(sqlite3.connect(path)) as connection:
        yield from _loose_ends(connection)
        constraints = connection.execute("SELECT op, a_key, b_key FROM constraints ORDER BY key").fetchall()
        waiting = {i for (i,) in connection.execute("SELECT r.id FROM pending p JOIN records r ON r.key = p.chunk")}
    with open_memory(path) as memory:
        stored = list(memory.export())
        is_now = {str(item["id"]).split("#")[0]: item["metadata"]["version"] for item in stored}  # type: ignore[index]
        for identity, allowed in versions.items():
            if is_now.get(identity, NOBODY) not in allowed:
                yield f"{identity} is {is_now.get(identity, NOBODY)} and not {allowed}"
        if memory.stats().pending != len(waiting):
            yield f"{memory.stats().pending} wait by its own account, {len(waiting)} do"
        yield from _differences(memory, _fresh(is_now, waiting, constraints), "as killed")
        yield from _unfound(memory, is_now, waiting)
        if memory.extract_pending() != len(waiting) or memory.stats().pending:
            yield f"{memory.stats().pending} of {len(waiting)} still wait after extract_pending"
        yield from _differences(memory, _fresh(is_now, set(), constraints), "extracted")
    with closing(sqlite3.connect(path)) as connection:
        yield from _loose_ends(connection)


LOOSE_ENDS = {
    "chunks neither extracted nor waiting": """SELECT count(*) FROM records WHERE chunk IS NULL
        AND key NOT IN (SELECT chunk FROM extractions) AND key NOT IN (SELECT chunk FROM pending)""",
    "chunks extracted and waiting": "SELECT count(*) FROM pending JOIN extractions USING (chunk)",
    "facts without their chunk": """SELECT count(*) FROM records WHERE chunk IS NOT NULL
        AND chunk NOT IN (SELECT key FROM records WHERE chunk IS NULL)""",
    "facts without their extraction": """SELECT count(*) FROM records WHERE chunk IS NOT NULL
        AND chunk NOT IN (SELECT chunk FROM extractions)""",
    "extractions without their chunk": "SELECT count(*) FROM extractions WHERE chunk NOT IN (SELECT key FROM records)",
    "waiting chunks that are gone": "SELECT count(*) FROM pending WHERE chunk NOT IN (SELECT key FROM records)",
    "records without a vector": "SELECT count(*) FROM records WHERE key NOT IN (SELECT key FROM vectors)",
    "vectors without a record": "SELECT count(*) FROM vectors WHERE key NOT IN (SELECT key FROM records)",
}


def _loose_ends(connection: sqlite3.Connection) -> Iterator[str]:
    (verdict,) = connection.execute("PRAGMA integrity_check").fetchone()
    if verdict != "ok":
        yield f"integrity_check: {verdict}"
    for name, query in LOOSE_ENDS.items():
        (count,) = connection.execute(query).fetchone()
        if count:
            yield f"{count} {name}"


def _fresh(versions: dict[str, object], waiting: set[str], constraints: list[tuple[str, str, str]]) -> HybridMemory:
    """A memory fed with the episodes that are left, one by one."""
    fresh = open_memory(None)
    for identity, version in versions.items():
        later = any(chunk.split("#")[0] == identity for chunk in waiting)
        fresh.add_episode(**episode(identity, str(version)), extract="later" if later else "now")  # type: ignore[arg-type]
    for op, a, b in constraints:
        (fresh.merge_entities if op == "merge" else fresh.unmerge)(a, b)
    return fresh


def _differences(memory: HybridMemory, fresh: HybridMemory, when: str) -> Iterator[str]:
    for name, told in _state(memory).items():
        wanted = _state(fresh)[name]
        if told != wanted:
            yield f"{when}, {name} is not that of a fresh memory:\n{told}\n{wanted}"


def _state(memory: HybridMemory) -> dict[str, object]:
    """All that does not depend on when it was written."""
    entities = list(memory.entities())
    facts = [fact for entity in entities for fact in memory.history(entity.name, now=START + timedelta(days=365))]
    return {
        "export": sorted(memory.export(vectors=True), key=lambda item: str(item["id"])),
        "entities": entities,
        "facts": [{**asdict(fact), "created_at": None, "expired_at": fact.expired_at is None} for fact in facts],
        "counts": (memory.stats().facts, memory.stats().entities),
    }


def _unfound(memory: HybridMemory, versions: dict[str, object], waiting: set[str]) -> Iterator[str]:
    for identity, version in list(versions.items())[-10:]:
        text = text_of(int(identity.split("-")[1]), str(version))
        for leg in ("sparse", "dense", "graph"):
            hits = memory.search(text, top_k=100, legs=(leg,))
            extracted = not any(chunk.split("#")[0] == identity for chunk in waiting)
            if identity not in [hit.episode_id for hit in hits] and (leg != "graph" or extracted):
                yield f"{identity} is not found by {leg}: {[hit.id for hit in hits]}"


def main() -> int:
    """Run the rounds; 1 when any of them found a fault."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", nargs=2, metavar=("PATH", "ROUND"))
    options = parser.parse_args()
    if options.write:
        write(Path(options.write[0]), int(options.write[1]))
    chance = random.Random(options.seed)
    calls, versions = 0, Versions()
    with tempfile.TemporaryDirectory() as folder:
        for round_ in range(options.rounds):
            if round_ % 5 == 0:  # five rounds share a file, so that recovery is followed by writes
                versions = {}
            path = Path(folder, f"{round_ // 5}.db")
            done = kill_one(path, round_, chance.randint(1, MOST_WORDS), chance.uniform(0.0, 0.05))
            calls += len(done)
            versions |= after(done)
            for fault in faults(path, versions):
                sys.stdout.write(f"round {round_}, killed in {done[-1]}: {fault}\n")
                return 1
    sys.stdout.write(
        f"{options.rounds} rounds, {calls} calls, whole episodes and the graph of a fresh memory each time\n"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
