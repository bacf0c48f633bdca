"""The commands. Each opens the memory, asks it one thing and shows the answer."""

import importlib.metadata
import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from hybrid_agent_memory.chunking import DEFAULT_MAX_CHARS
from hybrid_agent_memory.chunking.files import parse_json_lines
from hybrid_agent_memory.cli import output
from hybrid_agent_memory.cli.failures import exit_codes
from hybrid_agent_memory.cli.ingest import Tally, add_source, checked, read_sources
from hybrid_agent_memory.cli.opening import opened, opened_for_reindexing
from hybrid_agent_memory.cli.options import (
    DEFAULT_DB,
    AsJson,
    Db,
    FilterText,
    GlobalDb,
    GlobalNamespace,
    Namespace,
    Settings,
    WhichEmbedder,
    parse_filter,
    parse_legs,
    parse_metadata,
    parse_object,
    parse_weights,
    settings_of,
)
from hybrid_agent_memory.cli.progress import progress
from hybrid_agent_memory.cli.streams import STANDARD, read_lines, read_text, refuse_own_files, write_lines
from hybrid_agent_memory.errors import InvalidInputError

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


@app.command()
def add(
    context: typer.Context,
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files and folders; - is stdin.")],
    metadata: Annotated[
        list[str] | None, typer.Option("--metadata", metavar="KEY=TEXT", help="For every chunk; KEY:=JSON too.")
    ] = None,
    root: Annotated[Path, typer.Option(help="The folder that ids and sources are relative to.")] = Path(),
    name: Annotated[str, typer.Option(help="What stdin is called, in ids and source.")] = "stdin",
    max_chars: Annotated[int, typer.Option(help="The size of a chunk, in characters.")] = DEFAULT_MAX_CHARS,
    db: Db = None,
    namespace: Namespace = None,
    embedder: WhichEmbedder = None,
    as_json: AsJson = False,
) -> None:
    """Read files into the memory. A file added before is replaced: chunks it no longer has are dropped."""
    settings = settings_of(context, db, namespace, embedder, as_json)
    with exit_codes():
        read = read_sources(paths, root, name, max_chars, parse_metadata(metadata or []))
        for notice in read.notices():
            output.warn(notice)
        tally = Tally()
        with (
            opened(settings, create=True) as memory,
            progress("adding", sum(map(len, read.sources.values()))) as parts,
        ):
            for source, items in read.sources.items():
                tally += add_source(memory, source, items, parts.part(len(items)))
        if settings.as_json:
            output.write_json({"files": len(read.sources), **asdict(tally), "skipped_files": read.skipped})
        else:
            output.say(
                f"{output.counted(len(read.sources), 'file')}: {output.counted(tally.added, 'chunk')} added, "
                f"{tally.unchanged} unchanged, {tally.dropped} dropped"
            )


@app.command()
def search(
    context: typer.Context,
    query: Annotated[str, typer.Argument(help="What to look for, in any words.")],
    top_k: Annotated[int, typer.Option("--top-k", "-k", help="How many hits at most.")] = 5,
    filter_text: FilterText = None,
    legs: Annotated[str | None, typer.Option(help="Only these legs, e.g. sparse,dense.")] = None,
    weights: Annotated[str | None, typer.Option(help="Plain weighted RRF, e.g. sparse=.4,dense=.6.")] = None,
    min_confidence: Annotated[float | None, typer.Option(help="Leave out hits with less evidence, 0 to 1.")] = None,
    full: Annotated[bool, typer.Option("--full", help="Show whole texts.")] = False,
    db: Db = None,
    namespace: Namespace = None,
    embedder: WhichEmbedder = None,
    as_json: AsJson = False,
) -> None:
    """Find what the memory knows, and say why each hit is there. No hit is no error."""
    settings = settings_of(context, db, namespace, embedder, as_json)
    with exit_codes(), opened(settings) as memory:
        response = memory.search(
            query,
            top_k=top_k,
            filter=parse_filter(filter_text),
            legs=parse_legs(legs),
            weights=parse_weights(weights),
            min_confidence=min_confidence,
        )
        output.warn_of_failures(response.failures)
        if settings.as_json:
            output.write_json(output.response_to_json(query, response))
        else:
            output.show_hits(response, full=full)


@app.command()
def query(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A JSON request; - is stdin.")],
    db: Db = None,
    namespace: Namespace = None,
    embedder: WhichEmbedder = None,
    as_json: AsJson = False,
) -> None:
    """Answer a request of the JSON contract with its JSON response."""
    settings = settings_of(context, db, namespace, embedder, as_json)
    with exit_codes():
        request = parse_object(read_text(file), "the request")
        with opened(settings) as memory:
            output.say(memory.query(request).model_dump_json())


@app.command()
def stats(
    context: typer.Context,
    db: Db = None,
    namespace: Namespace = None,
    embedder: WhichEmbedder = None,
    as_json: AsJson = False,
) -> None:
    """Say what the memory holds and how it is indexed."""
    settings = settings_of(context, db, namespace, embedder, as_json)
    with exit_codes(), opened(settings, vectors=False) as memory:
        found, namespaces = memory.stats(), memory.namespaces()
        if settings.as_json:
            output.write_json({**asdict(found), "namespaces": namespaces})
        else:
            output.show_stats(found, namespaces)


@app.command()
def delete(
    context: typer.Context,
    ids: Annotated[list[str] | None, typer.Argument(metavar="ID...", help="Ids; a missing one is no error.")] = None,
    filter_text: FilterText = None,
    db: Db = None,
    namespace: Namespace = None,
    embedder: WhichEmbedder = None,
    as_json: AsJson = False,
) -> None:
    """Delete records by id, or all that a filter lets pass."""
    settings = settings_of(context, db, namespace, embedder, as_json)
    with exit_codes():
        if bool(ids) == (filter_text is not None):
            raise InvalidInputError("give either ids or --filter")
        with opened(settings, vectors=False) as memory:
            receipt = memory.delete(ids or None, filter=parse_filter(filter_text))
        if settings.as_json:
            output.write_json({"deleted": receipt.deleted, "ids": receipt.ids})
        else:
            output.say(f"{output.counted(receipt.deleted, 'record')} deleted")


@app.command("export")
def export_records(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="[FILE]", help="Where to write JSONL; - is stdout.")] = STANDARD,
    filter_text: FilterText = None,
    vectors: Annotated[bool, typer.Option("--vectors", help="Vectors too, so that import need not embed.")] = False,
    db: Db = None,
    namespace: Namespace = None,
    embedder: WhichEmbedder = None,
    as_json: AsJson = False,
) -> None:
    """Write the records as JSONL, one record a line, for import."""
    settings = settings_of(context, db, namespace, embedder, as_json)
    with exit_codes(), opened(settings, vectors=False) as memory:
        refuse_own_files(file, settings.db)
        records = memory.export(parse_filter(filter_text), vectors=vectors)
        count = write_lines(file, (json.dumps(record, ensure_ascii=False) for record in records))
        if file == STANDARD:
            return
        if settings.as_json:
            output.write_json({"exported": count, "file": str(file)})
        else:
            output.say(f"{output.counted(count, 'record')} exported to {file}")


@app.command("import")
def import_records(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSONL, as export writes it; - is stdin.")],
    db: Db = None,
    namespace: Namespace = None,
    embedder: WhichEmbedder = None,
    as_json: AsJson = False,
) -> None:
    """Add the records of a JSONL file as they are; a record with a known id is replaced."""
    settings = settings_of(context, db, namespace, embedder, as_json)
    with exit_codes():
        lines = list(read_lines(file))  # as text, several times smaller than what it says
        count = sum(1 for _ in checked(parse_json_lines(lines, str(file)), str(file)))
        with opened(settings, create=True) as memory, progress("importing", count) as parts:
            memory.add(parse_json_lines(lines, str(file)), progress=parts.part(count))
        if settings.as_json:
            output.write_json({"imported": count})
        else:
            output.say(f"{output.counted(count, 'record')} imported")


@app.command()
def reindex(
    context: typer.Context,
    db: Db = None,
    namespace: Namespace = None,
    embedder: WhichEmbedder = None,
    as_json: AsJson = False,
) -> None:
    """Build the indexes anew, with another embedder where --embedder names one."""
    settings = settings_of(context, db, namespace, embedder, as_json)
    with exit_codes(), opened_for_reindexing(settings) as (memory, chosen):
        with progress("embedding") as parts:
            memory.reindex(embedder=chosen, progress=parts.part())
        found = memory.stats()
        if settings.as_json:
            output.write_json(asdict(found))
        else:
            output.say(f"indexed anew with {found.embedder or 'no embedder'}")
