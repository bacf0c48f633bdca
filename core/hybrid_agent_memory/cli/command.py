"""What all commands have in common: which memory they work on, how they answer, and how they fail."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import wraps
from pathlib import Path
from typing import Annotated, cast

import typer

from hybrid_agent_memory.cli.failures import exit_codes

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


def _shared(
    context: typer.Context,
    db: Db = None,
    namespace: Namespace = None,
    embedder: WhichEmbedder = None,
    as_json: AsJson = False,
) -> Settings:
    """The settings of a command: its own options, else those given before it."""
    given = cast("Settings", context.obj)
    return Settings(
        given.db if db is None else db,
        given.namespace if namespace is None else namespace,
        given.embedder if embedder is None else embedder,
        given.as_json or as_json,
    )


def command(function: Callable[..., None]) -> Callable[..., None]:
    """What typer is to run for a function of `Settings` and of options of its own.

    It takes the options that all commands share in place of the settings, and turns this package's errors into a line
    and an exit code.
    """
    shared = inspect.signature(_shared).parameters
    own = list(inspect.signature(function).parameters.values())[1:]
    # by keyword only, so that options without a default may stand behind those with one
    parameters = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in (*own, *shared.values())]

    @wraps(function)
    def run(**given: object) -> None:
        with exit_codes():
            settings = _shared(**{name: given.pop(name) for name in shared})  # type: ignore[arg-type]
            function(settings, **given)

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in parameters}
    return run
