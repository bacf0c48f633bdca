"""What people see, and what programs read."""

import json
import re
import sys
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime, time

from hybrid_agent_memory.records import Fact, Response

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # all but tab and line feed


def write_json(value: object) -> None:
    """One JSON document on one line of stdout; times in ISO 8601."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, default=_to_json) + "\n")


def counted(number: int, noun: str) -> str:
    """A number with its noun, as in 1 file, 2 files."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def harmless(text: str) -> str:
    r"""A text whose control characters, which a terminal would obey, are written out; stored text may hold any.

    Examples
    --------
    >>> print(harmless(f"red {chr(27)}[31malert"))
    red \x1b[31malert
    """
    return _CONTROL.sub(lambda found: f"\\x{ord(found.group()):02x}", text)


def say(message: str) -> None:
    """A line for the person at the terminal, on stdout."""
    sys.stdout.write(harmless(message) + "\n")


def warn(message: str) -> None:
    """A line on stderr."""
    sys.stderr.write(f"hybrid-memory: {harmless(message)}\n")


def response_to_json(query: str, response: Response) -> dict[str, object]:
    """The hits with all they carry, and which legs answered."""
    return {
        "query": query,
        "fusion": response.fusion,
        "legs": response.legs,
        "failures": response.failures,
        "hits": [asdict(hit) for hit in response],
    }


def warn_of_failures(failures: Mapping[str, str]) -> None:
    """Say on stderr which legs failed and were left out."""
    for leg, error in failures.items():
        warn(f"the {leg} failed and was left out: {' '.join(error.split())}")


def in_words(fact: Fact) -> str:
    """A fact and its dates on one line."""
    begins = "from" if fact.status == "upcoming" else "since"
    since = f", {begins} {date(fact.valid_at)}" if fact.valid_at else ""
    until = f", until {date(fact.invalid_at)}" if fact.invalid_at else ""
    return f"{fact.subject} —{fact.predicate.replace('_', ' ')}→ {fact.object}{since}{until}"


def date(moment: datetime | None) -> str:
    """A time as people read it, in UTC: without the hours at midnight, empty for none."""
    if moment is None:
        return ""
    return f"{moment:%Y-%m-%d}" if moment.time() == time() else f"{moment:%Y-%m-%d %H:%M}"


def _to_json(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no JSON form")
