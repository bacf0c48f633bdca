"""What the commands have in common: where the memory is, and how options are written."""

import json
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, cast

import typer

from hybrid_agent_memory.errors import InvalidInputError
from hybrid_agent_memory.records import JSON

DEFAULT_DB = Path("memory.db")
_PANEL = "Memory"


class EmbedderChoice(StrEnum):
    """Which embedder makes the vectors."""

    LOCAL = "local"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Settings:
    """Which memory a command works on, and how it answers."""

    db: Path = DEFAULT_DB
    namespace: str = "default"
    embedder: EmbedderChoice | None = None
    as_json: bool = False


Db = Annotated[Path | None, typer.Option("--db", help="The memory's file.", rich_help_panel=_PANEL)]
GlobalDb = Annotated[
    Path, typer.Option("--db", envvar="HYBRID_MEMORY_DB", help="The memory's file.", rich_help_panel=_PANEL)
]
Namespace = Annotated[
    str | None, typer.Option("--namespace", help="The agent, user or tenant.", rich_help_panel=_PANEL)
]
GlobalNamespace = Annotated[str, typer.Option("--namespace", help="The agent, user or tenant.", rich_help_panel=_PANEL)]
WhichEmbedder = Annotated[
    EmbedderChoice | None,
    typer.Option(
        "--embedder",
        help="Default: the one the file was built with; for a new file local where it is installed, else none.",
        rich_help_panel=_PANEL,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Answer with JSON on stdout.", rich_help_panel=_PANEL)]
FilterText = Annotated[str | None, typer.Option("--filter", metavar="JSON", help="Only records this filter lets pass.")]


def settings_of(
    context: typer.Context,
    db: Path | None,
    namespace: str | None,
    embedder: EmbedderChoice | None,
    as_json: bool,
) -> Settings:
    """The settings of a command: its own options, else those given before it."""
    given = cast("Settings", context.obj)
    return Settings(
        given.db if db is None else db,
        given.namespace if namespace is None else namespace,
        given.embedder if embedder is None else embedder,
        given.as_json or as_json,
    )


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
