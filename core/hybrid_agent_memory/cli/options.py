"""Options that several commands have, and how options are written."""

import json
import re
from datetime import datetime
from typing import Annotated, TypedDict, cast

import typer

from hybrid_agent_memory.errors import InvalidInputError
from hybrid_agent_memory.evaluation import DEFAULT_LEGS
from hybrid_agent_memory.records import JSON
from hybrid_agent_memory.times import parse_time

_TIME = "TIME"

FilterText = Annotated[str | None, typer.Option("--filter", metavar="JSON", help="Only records this filter lets pass.")]
Now = Annotated[
    str | None, typer.Option("--now", metavar=_TIME, help="The time of asking, if it is not the present one.")
]
AsOf = Annotated[
    str | None, typer.Option("--as-of", metavar=_TIME, help="See the world as it was then, and nothing later.")
]
KnownAt = Annotated[
    str | None, typer.Option("--known-at", metavar=_TIME, help="See what this memory had been told by then.")
]


class Moments(TypedDict):
    """When is asked, and which past is asked for, as a search takes them."""

    now: datetime | None
    as_of: datetime | None
    known_at: datetime | None


def parse_moments(now: str | None, as_of: str | None, known_at: str | None) -> Moments:
    """Read ``--now``, ``--as-of`` and ``--known-at``."""
    return {
        "now": parse_moment(now, "--now"),
        "as_of": parse_moment(as_of, "--as-of"),
        "known_at": parse_moment(known_at, "--known-at"),
    }


def parse_moment(text: str | None, option: str) -> datetime | None:
    """Read a time, ISO 8601 or epoch seconds; None when it was not given.

    A number of eight digits is a date (20241105), not a second of the year 1970. So that ``2024`` is not one either,
    four or six digits are refused.
    """
    if text is None:
        return None
    number = re.fullmatch(r"-?\d+(\.\d+)?", text.strip())
    is_epoch = number is not None and not re.fullmatch(r"\d{4}(\d\d){0,2}", text.strip())
    return parse_time(float(text) if is_epoch else text, name=option)


def parse_filter(text: str | None) -> dict[str, JSON] | None:
    """Read ``--filter``; None when it was not given."""
    if text is None:
        return None
    return parse_object(text, "--filter")


def parse_object(text: str, place: str) -> dict[str, JSON]:
    """Read a JSON object; `place` says in the error where it is from."""
    try:
        value = json.loads(text)
    except ValueError as error:
        raise InvalidInputError(f"{place} is not JSON: {error}") from error
    except RecursionError as error:
        raise InvalidInputError(f"{place} is nested too deep to be read: flatten it") from error
    if not isinstance(value, dict):
        raise InvalidInputError(f"{place} must be a JSON object, not {text.strip()[:60]!r}")
    return value


def parse_weights(text: str | None) -> dict[str, float] | None:
    """Read ``sparse=.4,dense=.6``."""
    if text is None:
        return None
    weights: dict[str, float] = {}
    for part in text.split(","):
        leg, _, number = part.partition("=")
        try:
            weights[leg.strip()] = float(number)
        except ValueError as error:
            raise InvalidInputError(f"--weights {text!r}: write sparse=.4,dense=.6") from error
    return weights


def parse_legs(text: str | None) -> tuple[str, ...] | None:
    """Read ``sparse,dense``."""
    return None if text is None else tuple(leg.strip() for leg in text.split(","))


def parse_leg_sets(texts: list[str] | None) -> list[tuple[str, ...] | None] | None:
    """Read several sets of legs, ``default`` being all of them; None when none was given."""
    return [None if text == DEFAULT_LEGS else parse_legs(text) for text in texts] if texts else None


def parse_metadata(pairs: list[str]) -> dict[str, JSON]:
    """Read ``key=text`` and ``key:=json`` pairs."""
    metadata: dict[str, JSON] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key.strip(":"):
            raise InvalidInputError(f"--metadata {pair!r}: write key=text, or key:=json for a number, a list, true")
        metadata[key.removesuffix(":")] = _json_value(pair, value) if key.endswith(":") else value
    return metadata


def _json_value(pair: str, value: str) -> JSON:
    try:
        return cast("JSON", json.loads(value))
    except ValueError as error:
        raise InvalidInputError(f"--metadata {pair!r}: {value!r} is not JSON; write key=text for a text") from error
    except RecursionError as error:
        raise InvalidInputError(f"--metadata {pair[:60]!r} is nested too deep to be read: flatten it") from error
