"""A support desk's memory that grows as a graph: who owns what, what changed, and how one thing leads to another.

Run it after ``pip install '.[local]'``::

    python examples/support/demo.py [--db PATH]

It needs no network, no key, no LLM and no server. It checks what it claims, and exits 1 if a claim does not hold.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from hybrid_agent_memory import HybridMemory, Response

STORY = Path(__file__).with_name("story.jsonl")
NOW = datetime(2026, 5, 18, tzinfo=UTC)
"""The day on which the demo asks; the story ends three days before."""
BEFORE_THE_RAISE = "2026-04-01"


class Claims:
    """Prints PASS or FAIL for each claim and remembers whether one failed."""

    def __init__(self) -> None:
        self.failed = 0

    def check(self, claim: str, holds: bool) -> None:
        """State a claim and whether it holds."""
        print(f"{'PASS' if holds else 'FAIL'}  {claim}")
        self.failed += not holds


def ask(memory: HybridMemory, question: str, *, top_k: int = 3, as_of: str | None = None) -> Response:
    """Ask for chunks and show each with how the graph came to it."""
    print(f"\n? {question}" + (f"   (as of {as_of})" if as_of else ""))
    found = memory.search(question, top_k=top_k, as_of=as_of)
    for hit in found:
        print(f"  {hit.time:%Y-%m-%d}  {hit.text}")
        if hit.why.path is not None and len(hit.why.path.steps) > 1:
            print(f"              via {hit.why.path}")
        if hit.why.superseded_by is not None:
            print(f"              superseded by {hit.why.superseded_by}")
    return found


def show_growth(memory: HybridMemory, story: list[Mapping[str, object]]) -> None:
    """Add the story message by message, and show what each did to the graph."""
    for receipt, episode in zip(memory.add_episodes(story), story, strict=True):
        done = [f"new: {', '.join(receipt.created)}"] if receipt.created else []
        done += [f"{a} is {b}" for a, b in receipt.merged]
        done += [f"{fact.subject}: {fact.predicate} no longer {fact.object}" for fact in receipt.superseded]
        if done:
            print(f"  {episode['text']}\n              {'; '.join(done)}")


def ask_along_relations(memory: HybridMemory, claims: Claims) -> None:
    """From a project to its owner to that owner's complaint."""
    questions = {
        "Has the owner of Project Harbor complained about anything?": "e-complaint",
        "恒温仓项目的负责人投诉过什么？": "z-complaint",
    }
    for question, answer in questions.items():
        found = {hit.id: hit for hit in ask(memory, question, top_k=5)}
        claims.check("project → owner → complaint, with the path", answer in found and bool(found[answer].why.path))


def ask_what_is_true_now(memory: HybridMemory, claims: Claims) -> None:
    """The newest value first, the old one as of then, and both in the history."""
    asked = {"Project Harbor": "What is the budget of Project Harbor?", "恒温仓项目": "恒温仓项目的预算是多少"}
    for (project, question), language in zip(asked.items(), "ez", strict=True):
        claims.check("the raised budget comes first", ask(memory, question)[0].id == f"{language}-budget-2")
        claims.check(
            "… and the old one before it was raised",
            ask(memory, question, as_of=BEFORE_THE_RAISE)[0].id == f"{language}-budget-1",
        )
        history = memory.history(project, "budget")
        for fact in history:
            until = f"{fact.invalid_at:%Y-%m-%d}" if fact.invalid_at else "now"
            print(f"  {fact.valid_at:%Y-%m-%d} to {until}: {fact.object}")
        claims.check("… and the history has both", [fact.status for fact in history] == ["past", "current"])


def ask_who_is_who(memory: HybridMemory, claims: Claims) -> None:
    """One person under several names; two of one surname."""
    (gu,) = [entity for entity in memory.entities("顾") if entity.type == "person"]
    print(f"\n  {gu.name}, also {', '.join(gu.aliases)}")
    claims.check("顾先生, 顾总 and 顾某 are one person", len(gu.aliases) == 2)
    brandts = [entity.name for entity in memory.entities("brandt") if entity.type == "person"]
    claims.check(f"{' and '.join(brandts)} stay two", len(brandts) == 2)


def ask_look_alikes(memory: HybridMemory, claims: Claims) -> None:
    """The same words about another customer, or saying the opposite."""
    questions = {
        "What is the budget of Customer A?": "e-customer-a",
        "客户甲的预算是多少": "z-customer-a",
        "Who was happy with a delivery in three days?": "e-fast",
        "哪个客户嫌三天送到太慢": "z-slow",
        "When does the tariff for the Standard Plan go up?": "e-price",
        "标准套餐什么时候调价": "z-price",
        "How long is the maintenance period in the contract?": "e-term",
        "合同里的维保期是多久": "z-term",
    }
    for question, answer in questions.items():
        claims.check(f"found first: {answer}", ask(memory, question, top_k=2)[0].id == answer)


def take_back(memory: HybridMemory, claims: Claims) -> None:
    """Deleting a message takes its facts along, and what they had ended holds again."""
    receipt = memory.delete("e-budget-2")
    print(f"\nDeleted e-budget-2; holds again: {[f'{fact.subject} {fact.object}' for fact in receipt.reopened]}")
    claims.check("the old budget is back", [fact.object for fact in receipt.reopened] == ["500k"])


def run(path: Path) -> int:
    """The whole demo on one file; the exit code."""
    claims = Claims()
    story = [json.loads(line) for line in STORY.read_text(encoding="utf-8").splitlines()]
    with HybridMemory.open(path, embedder="local", clock=lambda: NOW) as memory:
        print(f"Adding {len(story)} messages to {path}. What they do to the graph:")
        show_growth(memory, story)
        ask_along_relations(memory, claims)
        ask_what_is_true_now(memory, claims)
        ask_who_is_who(memory, claims)
        ask_look_alikes(memory, claims)
        take_back(memory, claims)
    print(f"\n{claims.failed} claims failed." if claims.failed else "\nAll claims hold.")
    return 1 if claims.failed else 0


def main() -> int:
    """Parse the command line and run in the given file, or in one that is thrown away."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--db", type=Path, metavar="PATH", help="keep the memory in this file")
    path: Path | None = parser.parse_args().db
    if path is not None:
        return run(path)
    with tempfile.TemporaryDirectory() as folder:
        return run(Path(folder) / "support.db")


if __name__ == "__main__":
    sys.exit(main())
