"""Two processes write episodes into one file while a third one searches; receipts are right, and so is the reader.

python tests/crash/episode_processes.py FILE
"""

import argparse
import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hybrid_agent_memory import EpisodeReceipt, HybridMemory
from hybrid_agent_memory.testing import HashEmbedder

EPISODES = 40
START = datetime(2024, 1, 1, tzinfo=UTC)
LATER = START + timedelta(days=365)
QUERIES = ("Who owns Project Atlas?", "张伟的预算", "budget of Project Borealis", "ERR-7 came back", "Ann Lee")


def open_memory(path: Path) -> HybridMemory:
    """The file with the embedder that all three share."""
    return HybridMemory.open(path, embedder=HashEmbedder(16))


def write(path: Path, writer: int) -> None:
    """Add, replace and delete episodes about the same few projects as the other writer; exits with what was wrong."""
    with open_memory(path) as memory:
        for number in range(EPISODES):
            identity, project = f"{writer}-{number}", ("Atlas", "Borealis")[number % 2]
            value = f"{1000 * writer + number}k"
            receipt = memory.add_episode(
                f"The budget of Project {project} is {value}. Ann Lee owns Project {project}. ERR-{number} came back.",
                id=identity,
                time=START + timedelta(hours=2 * number, minutes=writer),
            )
            for fault in _faults(receipt, identity, value):
                sys.exit(f"{identity}: {fault}")
            if number % 5 == 4:
                gone = memory.delete(f"{writer}-{number - 2}")
                if gone.ids != (f"{writer}-{number - 2}",) or len(gone.facts) != 2:
                    sys.exit(f"the deletion says {gone}")
                memory.add_episode("Nothing to see here.", id=f"{writer}-{number - 1}", extract="later")
                memory.extract_pending()


def _faults(receipt: EpisodeReceipt, identity: str, value: str) -> list[str]:
    found = []
    if receipt.id != identity or receipt.chunk_ids != (identity,):
        found.append(f"the receipt is of {receipt.id}, {receipt.chunk_ids}")
    if {fact.chunk_ids for fact in receipt.facts} != {(identity,)} or len(receipt.facts) != 2:
        found.append(f"the facts are {receipt.facts}")
    if value not in [fact.object for fact in receipt.facts]:
        found.append(f"{value} is not among {receipt.facts}")
    own = {fact.id for fact in receipt.facts}
    if any(fact.superseded_by not in own for fact in receipt.superseded):
        found.append(f"superseded, but not by this: {receipt.superseded}")
    if "Ann Lee" not in receipt.entities:
        found.append(f"the entities are {receipt.entities}")
    return found


def state(memory: HybridMemory) -> str:
    """All that a reader can see."""
    hits = [
        [(hit.id, hit.score, str(hit.why.path), hit.why.superseded_by, hit.why.facts) for hit in found]
        for query in QUERIES
        for legs in (None, ("graph",))
        for found in (
            memory.search(query, top_k=20, legs=legs, now=LATER),
            memory.search(query, top_k=20, legs=legs, now=LATER, kinds=("fact",)),
            memory.search(query, top_k=5, legs=legs, now=LATER, as_of=START + timedelta(days=1)),
        )
    ]
    entities = list(memory.entities())
    facts = [memory.history(entity.name, now=LATER) for entity in entities]
    return json.dumps([hits, entities, facts, list(memory.export())], default=str, ensure_ascii=False, indent=1)


def main() -> int:
    """Run the two writers; 1 when one failed or the reader differs from a fresh open."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--writer", type=int)
    options = parser.parse_args()
    if options.writer is not None:
        write(options.path, options.writer)
        return 0
    with open_memory(options.path) as reader:
        command = [sys.executable, __file__, str(options.path), "--writer"]
        writers = [subprocess.Popen([*command, str(number)]) for number in (1, 2)]
        while any(writer.poll() is None for writer in writers):
            state(reader)
        mine = state(reader)
        with open_memory(options.path) as fresh:
            anew = state(fresh)
    failed = [writer.returncode for writer in writers if writer.returncode]
    differing = [pair for pair in zip(mine.splitlines(), anew.splitlines(), strict=False) if pair[0] != pair[1]]
    sys.stdout.write(f"exit codes of the writers: {failed or 'all 0'}; first difference: {differing[:1] or 'none'}\n")
    return 0 if mine == anew and not failed else 1


if __name__ == "__main__":
    raise SystemExit(main())
