"""The command line as a whole: its commands by name, and the options that may stand before each."""

import importlib.metadata
from collections.abc import Callable
from typing import Annotated

import typer

from hybrid_agent_memory.cli import knowledge, output, reading, writing
from hybrid_agent_memory.cli.command import (
    DEFAULT_DB,
    AsJson,
    GlobalDb,
    GlobalNamespace,
    Settings,
    WhichEmbedder,
    command,
)

COMMANDS: dict[str, Callable[..., None]] = {
    "add": writing.add,
    "extract": writing.extract,
    "search": reading.search,
    "query": reading.query,
    "facts": knowledge.facts,
    "history": knowledge.history,
    "path": knowledge.path,
    "entities": knowledge.entities,
    "merge": knowledge.merge,
    "unmerge": knowledge.unmerge,
    "stats": reading.stats,
    "eval": reading.evaluate,
    "delete": writing.delete,
    "export": reading.export,
    "import": writing.import_records,
    "reindex": writing.reindex,
}

app = typer.Typer(
    name="hybrid-memory",
    help="The memory of an agent, in one local file.",
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        output.say(importlib.metadata.version("hybrid-agent-memory"))
        raise typer.Exit


@app.callback()
def configure(
    context: typer.Context,
    db: GlobalDb = DEFAULT_DB,
    namespace: GlobalNamespace = "default",
    embedder: WhichEmbedder = None,
    as_json: AsJson = False,
    version: Annotated[
        bool, typer.Option("--version", help="Say the version and stop.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Keep the options given before a command for it."""
    context.obj = Settings(db, namespace, embedder, as_json)


for name, function in COMMANDS.items():
    app.command(name)(command(function))
