"""The commands that change what a memory holds."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from hybrid_agent_memory.chunking import DEFAULT_MAX_CHARS
from hybrid_agent_memory.chunking.files import parse_json_lines
from hybrid_agent_memory.cli import output
from hybrid_agent_memory.cli.command import Settings
from hybrid_agent_memory.cli.ingest import Ingest, Learned, Tally, add_source, checked, read_sources
from hybrid_agent_memory.cli.opening import opened, opened_for_reindexing
from hybrid_agent_memory.cli.options import FilterText, parse_filter, parse_metadata, parse_moment
from hybrid_agent_memory.cli.progress import progress
from hybrid_agent_memory.cli.streams import read_lines
from hybrid_agent_memory.errors import InvalidInputError
from hybrid_agent_memory.graph_memory import Extract


def add(
    settings: Settings,
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files and folders; - is stdin.")],
    extract: Annotated[bool, typer.Option("--extract", help="Find the entities and facts in them too.")] = False,
    extract_later: Annotated[
        bool, typer.Option("--extract-later", help="Leave that to the command extract, and store at once.")
    ] = False,
    time: Annotated[
        str | None, typer.Option(metavar="TIME", help="When it happened, for what does not say so itself.")
    ] = None,
    session: Annotated[str | None, typer.Option(help="The conversation, for what names none itself.")] = None,
    speaker: Annotated[str | None, typer.Option(help="Who said it, for what names nobody itself.")] = None,
    metadata: Annotated[
        list[str] | None, typer.Option("--metadata", metavar="KEY=TEXT", help="For every chunk; KEY:=JSON too.")
    ] = None,
    root: Annotated[Path, typer.Option(help="The folder that ids and sources are relative to.")] = Path(),
    name: Annotated[str, typer.Option(help="What stdin is called, in ids and source.")] = "stdin",
    max_chars: Annotated[int, typer.Option(help="The size of a chunk, in characters.")] = DEFAULT_MAX_CHARS,
) -> None:
    """Read files into the memory. A file added before is replaced: chunks it no longer has are dropped."""
    when = parse_moment(time, "--time")
    ingest = Ingest(
        root=root,
        stdin_name=name,
        max_chars=max_chars,
        metadata=parse_metadata(metadata or []),
        fields={"time": when.isoformat() if when else None, "session": session, "speaker": speaker},
        extract=_extraction(extract, extract_later),
    )
    read = read_sources(paths, ingest)
    for notice in read.notices():
        output.warn(notice)
    tally, learned = Tally(), Learned()
    with opened(settings, create=True) as memory, progress("adding", sum(map(len, read.sources.values()))) as parts:
        for source, items in read.sources.items():
            wrote, found = add_source(memory, source, items, parts.part(len(items)), ingest.extract)
            tally, learned = tally + wrote, learned + found
    for note in dict.fromkeys(learned.notes):
        output.warn(note)
    if settings.as_json:
        graph = learned.counts() if ingest.extract else {}
        output.write_json({"files": len(read.sources), **asdict(tally), "skipped_files": read.skipped, **graph})
        return
    output.say(
        f"{output.counted(len(read.sources), 'file')}: {output.counted(tally.added, 'chunk')} added, "
        f"{tally.unchanged} unchanged, {tally.dropped} dropped"
    )
    if ingest.extract:
        output.say(learned.sentence())


def _extraction(now: bool, later: bool) -> Extract | None:
    if now and later:
        raise InvalidInputError("give either --extract or --extract-later")
    return "now" if now else "later" if later else None


def extract(
    settings: Settings,
    limit: Annotated[int | None, typer.Option(help="How many chunks at most; all without it.")] = None,
) -> None:
    """Find the entities and facts in what was added with --extract-later."""
    with opened(settings) as memory:
        with progress("extracting") as parts:
            done = memory.extract_pending(limit, parts.part())
        pending = memory.stats().pending
    if settings.as_json:
        output.write_json({"extracted": done, "pending": pending})
    else:
        output.say(f"{output.counted(done, 'chunk')} done, {pending} still waiting")


def delete(
    settings: Settings,
    ids: Annotated[list[str] | None, typer.Argument(metavar="ID...", help="Ids; a missing one is no error.")] = None,
    filter_text: FilterText = None,
) -> None:
    """Delete records by id, or all that a filter lets pass, and the facts that only they state."""
    if bool(ids) == (filter_text is not None):
        raise InvalidInputError("give either ids or --filter")
    with opened(settings, vectors=False) as memory:
        receipt = memory.delete(ids or None, filter=parse_filter(filter_text))
    if settings.as_json:
        output.write_json({"deleted": receipt.deleted, **asdict(receipt)})
        return
    with_facts = f", and {output.counted(len(receipt.facts), 'fact')}" if receipt.facts else ""
    output.say(f"{output.counted(receipt.deleted, 'record')} deleted{with_facts}")
    for fact in receipt.reopened:
        output.say(f"holds again: {output.in_words(fact)}")


def import_records(
    settings: Settings,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSONL, as export writes it; - is stdin.")],
) -> None:
    """Add the records of a JSONL file as they are; a record with a known id is replaced."""
    lines = list(read_lines(file))  # as text, several times smaller than what it says
    count = sum(1 for _ in checked(parse_json_lines(lines, str(file)), str(file)))
    with opened(settings, create=True) as memory, progress("importing", count) as parts:
        memory.add(parse_json_lines(lines, str(file)), progress=parts.part(count))
    if settings.as_json:
        output.write_json({"imported": count})
    else:
        output.say(f"{output.counted(count, 'record')} imported")


def reindex(settings: Settings) -> None:
    """Build the indexes anew, with another embedder where --embedder names one."""
    with opened_for_reindexing(settings) as (memory, chosen):
        with progress("embedding") as parts:
            memory.reindex(embedder=chosen, progress=parts.part())
        found = memory.stats()
    if settings.as_json:
        output.write_json(asdict(found))
    else:
        output.say(f"indexed anew with {found.embedder or 'no embedder'}")
