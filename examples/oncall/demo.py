"""Six weeks on call in one memory file: what keywords find, what vectors find, and what the two find together.

Run it after ``pip install '.[local,cli]'``::

    python examples/oncall/demo.py [--db PATH]

It needs no network, no key and no server. It checks what it claims, and exits 1 if a claim does not hold.
"""

import argparse
import importlib.util
import json
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hybrid_agent_memory import Chunk, Config, Hit, HybridMemory
from hybrid_agent_memory.chunking import split_markdown

HERE = Path(__file__).parent
WHOLE_SECTION = 4000
"""No section of the runbooks is longer, so each is one chunk."""

PRODUCTION_BILLING = {"environment": "production", "service": "billing-service"}
POOL_REQUEST = {
    "query_id": "oncall-pool-1",
    "search_text": "HTTP 504 gateway timeout postgres connection pool",
    "top_k": 5,
    "hybrid_params": {"dense_weight": 0.6, "sparse_weight": 0.4, "rrf_k_constant": 60},
    "metadata_filter": PRODUCTION_BILLING,
}
POOL_ANSWERS = frozenset({"billing-504#connections-all-taken", "INC-2041"})


@dataclass(frozen=True)
class Question:
    """A question, and the records that answer it."""

    shows: str
    text: str
    answers: frozenset[str]
    filter: Mapping[str, str] | None = None


QUESTIONS = (
    Question(
        "an exact error code among look-alikes",
        "what do I do about ERR_0x9914",
        frozenset({"billing-error-codes#err-0x9914-no-tax-rate-for-the-region", "INC-2047"}),
    ),
    Question(
        "an order number glued to Chinese text",
        "订单ORD-20260305-181请款了吗",
        frozenset({"INC-2042"}),
    ),
    Question(
        "a paraphrase that shares no word with its note",
        "mobile passcodes delayed in Madrid",
        frozenset({"INC-2073"}),
    ),
    Question(
        "调价 in the question, 涨 in the note",
        "纸箱子啥时候调价来着",
        frozenset({"INC-2057", "ops-0319-01"}),
    ),
    Question(
        "production only: the best match anywhere is a staging note",
        "the mail queue is stuck, can I purge it?",
        frozenset({"oncall-0317-02", "INC-2054", "notification-queues#messages-pile-up"}),
        {"environment": "production", "service": "notification"},
    ),
)
UNANSWERABLE = "what is the wifi password of the Lisbon office"
LEAST_CONFIDENCE = 0.3

WAYS = {"BM25 alone": ("sparse",), "vectors alone": ("dense",), "hybrid": None}


# --- the corpus ------------------------------------------------------------------------------------------------------


def load_corpus() -> list[Chunk]:
    """Runbook sections, incidents and chat lines, as chunks with stable ids."""
    return [*load_runbooks(HERE / "runbooks"), *load_jsonl(HERE / "incidents.jsonl"), *load_jsonl(HERE / "chat.jsonl")]


def load_runbooks(folder: Path) -> Iterator[Chunk]:
    """One chunk per section; the front matter becomes its time and metadata, the title stays in sight."""
    for path in sorted(folder.glob("*.md")):
        front, body = split_front_matter(path.read_text(encoding="utf-8"))
        for piece in split_markdown(body, max_chars=WHOLE_SECTION):
            title, *below = piece.heading_path
            yield Chunk(
                text=f"{title}\n\n{piece.text}" if below else piece.text,
                id=f"{path.stem}#{slug(piece.heading_path[-1])}",
                time=front["updated"],
                source=f"runbooks/{path.name}",
                metadata={"environment": front["environment"], "service": front["service"]},
            )


def split_front_matter(document: str) -> tuple[dict[str, str], str]:
    """The ``key: value`` lines between the two rulers, and what follows them."""
    _, front, body = document.split("---\n", maxsplit=2)
    return dict(line.split(": ", maxsplit=1) for line in front.splitlines()), body


def slug(heading: str) -> str:
    """A heading as part of an id."""
    return re.sub(r"[\W_]+", "-", heading.lower()).strip("-")


def load_jsonl(path: Path) -> Iterator[Chunk]:
    """One chunk per line."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield Chunk(**json.loads(line))


# --- what is shown ---------------------------------------------------------------------------------------------------


STYLES = {"right": "green", "wrong": "red"}
LONGEST_ID = 36


def show_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table whose last column takes the room that is left; drawn by rich where that is installed."""
    if importlib.util.find_spec("rich") is None:
        print(f"\n{title}", *("   ".join(row) for row in rows), sep="\n")
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title, title_justify="left", title_style="bold", expand=True)
    for column in columns:
        last = column == columns[-1]
        table.add_column(column, no_wrap=True, overflow="ellipsis", ratio=1 if last else None)
    for row in rows:
        table.add_row(*row, style=next((STYLES[cell] for cell in row if cell in STYLES), None))
    console = Console(markup=False)
    console.print()
    console.print(table)


def show_progress(done: int, total: int | None) -> None:
    """One line that counts up."""
    print(f"\r  {done} of {total} embedded", end="", flush=True)


def brief(identity: str) -> str:
    """An id, cut where it is too long for a column."""
    return identity if len(identity) <= LONGEST_ID else f"{identity[: LONGEST_ID - 1]}…"


def one_line(text: str) -> str:
    """A text without its line breaks."""
    return " ".join(text.split())


# --- what is claimed -------------------------------------------------------------------------------------------------


class Claims:
    """Prints PASS or FAIL for each claim and remembers whether one failed."""

    def __init__(self) -> None:
        self.failed = 0

    def check(self, claim: str, holds: bool) -> None:
        """State a claim and whether it holds."""
        print(f"{'PASS' if holds else 'FAIL'}  {claim}")
        self.failed += not holds


# --- the demo --------------------------------------------------------------------------------------------------------


def remember(path: Path, corpus: Sequence[Chunk]) -> None:
    """Write the corpus into the file and close it."""
    print(f"Writing {len(corpus)} pieces to {path}")
    with HybridMemory.open(path, embedder="local", config=Config(batch_size=16)) as memory:
        memory.add(corpus, progress=show_progress)
        size = memory.stats().file_bytes
    print(f"\nClosed: {size / 1e6:.1f} MB. Opening the file again.")


def ask_by_contract(memory: HybridMemory, claims: Claims) -> None:
    """Send the JSON request about the connection pool, and show why its filter matters."""
    print("\nRequest:", json.dumps(POOL_REQUEST, indent=2), sep="\n")
    response = memory.query(POOL_REQUEST)
    rows = [(f"{result.rrf_score:.4f}", brief(result.chunk_id), one_line(result.text)) for result in response.results]
    show_table(f"Response {response.query_id}", ("rrf_score", "chunk_id", "text"), rows)
    unfiltered = memory.query({**POOL_REQUEST, "metadata_filter": {}}).results[0]
    print(f"Without its filter the first result would be {unfiltered.chunk_id}: {one_line(unfiltered.text)[:90]}…")
    claims.check(
        "the request is answered from production billing-service alone",
        all(PRODUCTION_BILLING.items() <= result.metadata.items() for result in response.results),
    )
    claims.check("… and by the right note", response.results[0].chunk_id in POOL_ANSWERS)
    claims.check("… where the best match anywhere is a staging note", is_staging(unfiltered.metadata))


def is_staging(metadata: Mapping[str, object]) -> bool:
    """Whether a record was written about staging."""
    return metadata["environment"] == "staging"


def first_hit(memory: HybridMemory, question: Question, way: str) -> Hit | None:
    """What one way of searching puts first, if it finds anything."""
    return next(iter(memory.search(question.text, filter=question.filter, legs=WAYS[way], top_k=1)), None)


def ask(memory: HybridMemory, question: Question) -> dict[str, bool]:
    """Ask one question in three ways; which of them were right."""
    hits = {way: first_hit(memory, question, way) for way in WAYS}
    right = {way: hit is not None and hit.id in question.answers for way, hit in hits.items()}
    rows = [
        (
            way,
            "right" if right[way] else "wrong",
            brief(hit.id) if hit else "",
            one_line(hit.text) if hit else "nothing",
        )
        for way, hit in hits.items()
    ]
    show_table(f"{question.text}   ({question.shows})", ("", "first is", "id", "text"), rows)
    return right


def ask_all(memory: HybridMemory, claims: Claims) -> None:
    """Ask every question, and check what the demo is here to show."""
    verdicts = [ask(memory, question) for question in QUESTIONS]
    print()
    for question, right in zip(QUESTIONS, verdicts, strict=True):
        claims.check(f"hybrid is right: {question.shows}", right["hybrid"])
    for way in ("BM25 alone", "vectors alone"):
        wrong = sum(not right[way] for right in verdicts)
        claims.check(f"{way} is wrong on {wrong} of {len(verdicts)}", wrong > 0)
    for question in (question for question in QUESTIONS if question.filter):
        unfiltered = memory.search(question.text, top_k=1)[0]
        claims.check(
            f"without its filter a staging note would answer: {question.text}", is_staging(unfiltered.metadata)
        )


def ask_the_unanswerable(memory: HybridMemory, claims: Claims) -> None:
    """A memory that is asked to be sure says nothing rather than something."""
    anything = memory.search(UNANSWERABLE, top_k=1)[0]
    print(f"\n{UNANSWERABLE}?  The nearest is {anything.id}, confidence {anything.confidence:.2f}.")
    sure = memory.search(UNANSWERABLE, min_confidence=LEAST_CONFIDENCE)
    claims.check(f"with min_confidence={LEAST_CONFIDENCE} the memory says nothing", not sure)
    still = [memory.search(q.text, filter=q.filter, min_confidence=LEAST_CONFIDENCE, top_k=1) for q in QUESTIONS]
    claims.check(
        "… and answers the other questions as before",
        all(hits and hits[0].id in question.answers for question, hits in zip(QUESTIONS, still, strict=True)),
    )


def run(path: Path) -> int:
    """The whole demo on one file; the exit code."""
    claims = Claims()
    corpus = load_corpus()
    remember(path, corpus)
    with HybridMemory.open(path, embedder="local") as memory:
        there = sum(record is not None for record in memory.get([chunk.id for chunk in corpus if chunk.id]))
        claims.check(f"reopened: {there} of {len(corpus)} pieces are there", there == len(corpus))
        ask_by_contract(memory, claims)
        ask_all(memory, claims)
        ask_the_unanswerable(memory, claims)
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
        return run(Path(folder) / "oncall.db")


if __name__ == "__main__":
    sys.exit(main())
