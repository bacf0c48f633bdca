"""What people see, and what programs read."""

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime

from rich.console import Console
from rich.table import Table
from rich.text import Text

from hybrid_agent_memory.records import Hit, Response, Stats

SHOWN_CHARS = 280


def write_json(value: object) -> None:
    """One JSON document on one line of stdout; times in ISO 8601."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, default=_to_json) + "\n")


def counted(number: int, noun: str) -> str:
    """A number with its noun, as in 1 file, 2 files."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def say(message: str) -> None:
    """A line for the person at the terminal, on stdout."""
    sys.stdout.write(message + "\n")


def warn(message: str) -> None:
    """A line on stderr."""
    sys.stderr.write(f"hybrid-memory: {message}\n")


def response_to_json(query: str, response: Response) -> dict[str, object]:
    """The hits with all they carry, and which legs answered."""
    return {
        "query": query,
        "fusion": response.fusion,
        "legs": response.legs,
        "failures": response.failures,
        "hits": [asdict(hit) for hit in response],
    }


def show_hits(response: Response, *, full: bool) -> None:
    """A table of hits, each with the legs that found it."""
    if not response:
        say("Nothing found.")
        return
    table = Table(show_lines=True, pad_edge=False)
    for heading in ("#", "score", "confidence"):
        table.add_column(heading, justify="right")
    table.add_column("found by", no_wrap=True)
    table.add_column("text", overflow="fold", ratio=1)
    for place, hit in enumerate(response, 1):
        table.add_row(str(place), f"{hit.score:.3f}", f"{hit.confidence:.2f}", _found_by(hit), _body(hit, full=full))
    _stdout().print(table)
    _stdout().print(Text(f"{response.fusion}: {response[0].why.reason}", style="dim"))


def show_stats(stats: Stats, namespaces: list[str]) -> None:
    """A table of what `stats` says."""
    table = Table(show_header=False, box=None, pad_edge=False)
    for name, value in {**asdict(stats), "namespaces": ", ".join(namespaces) or None}.items():
        table.add_row(Text(name, style="bold"), Text("-" if value is None else str(value), overflow="fold"))
    _stdout().print(table)


def warn_of_failures(failures: Mapping[str, str]) -> None:
    """Say on stderr which legs failed and were left out."""
    for leg, error in failures.items():
        warn(f"the {leg} failed and was left out: {' '.join(error.split())}")


def _stdout() -> Console:
    return Console(soft_wrap=False, highlight=False)


def _found_by(hit: Hit) -> str:
    found = [f"{leg} #{why.rank} ({why.contribution:.3f})" for leg, why in hit.why.legs.items()]
    if hit.why.rerank_score is not None:
        found.append(f"reranker ({hit.why.rerank_score:.3f})")
    return "\n".join(found)


def _body(hit: Hit, *, full: bool) -> Text:
    line = " ".join(hit.text.split())
    cut = line if len(line) <= SHOWN_CHARS else f"{line[:SHOWN_CHARS]}…"
    body = Text(hit.text if full else cut)
    origin = [hit.id, *([hit.source] if hit.source and not hit.id.startswith(hit.source) else [])]
    origin += [part for part in (hit.time and hit.time.isoformat(), hit.speaker) if part]
    return body.append("\n" + " · ".join(origin), style="dim")


def _to_json(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no JSON form")
