"""The commands that ask a memory, measure it, and write down what it holds."""

import json
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from hybrid_agent_memory.cli import output, tables
from hybrid_agent_memory.cli.command import Settings
from hybrid_agent_memory.cli.failures import FAILED
from hybrid_agent_memory.cli.opening import opened
from hybrid_agent_memory.cli.options import (
    AsOf,
    FilterText,
    KnownAt,
    Now,
    parse_filter,
    parse_leg_sets,
    parse_legs,
    parse_moments,
    parse_object,
    parse_weights,
)
from hybrid_agent_memory.cli.progress import progress
from hybrid_agent_memory.cli.streams import STANDARD, read_lines, read_text, refuse_own_files, write_lines
from hybrid_agent_memory.errors import InvalidInputError
from hybrid_agent_memory.evaluation import TOLERANCE, Evaluation, Regression, compare, parse_queries


class Kind(StrEnum):
    """A kind of record."""

    CHUNK = "chunk"
    FACT = "fact"


def search(
    settings: Settings,
    query: Annotated[str, typer.Argument(help="What to look for, in any words.")],
    top_k: Annotated[int, typer.Option("--top-k", "-k", help="How many hits at most.")] = 5,
    kinds: Annotated[list[Kind] | None, typer.Option("--kind", help="Chunks, facts, or both: give it twice.")] = None,
    filter_text: FilterText = None,
    now: Now = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    legs: Annotated[str | None, typer.Option(help="Only these legs, e.g. sparse,dense,graph.")] = None,
    weights: Annotated[str | None, typer.Option(help="Plain weighted RRF, e.g. sparse=.4,dense=.6.")] = None,
    depth: Annotated[int | None, typer.Option(help="Hops of the graph leg, 1 to 3.")] = None,
    time_decay: Annotated[float | None, typer.Option(help="Share lost per thirty days, 0 to 1.")] = None,
    decay_floor: Annotated[float | None, typer.Option(help="What age leaves of a score at least, 0 to 1.")] = None,
    min_confidence: Annotated[float | None, typer.Option(help="Leave out hits with less evidence, 0 to 1.")] = None,
    full: Annotated[bool, typer.Option("--full", help="Show whole texts.")] = False,
) -> None:
    """Find what the memory knows, and say why each hit is there. No hit is no error."""
    with opened(settings) as memory:
        response = memory.search(
            query,
            top_k=top_k,
            kinds=[kind.value for kind in kinds or [Kind.CHUNK]],
            filter=parse_filter(filter_text),
            legs=parse_legs(legs),
            weights=parse_weights(weights),
            max_depth=depth,
            time_decay=time_decay,
            decay_floor=decay_floor,
            min_confidence=min_confidence,
            **parse_moments(now, as_of, known_at),
        )
    output.warn_of_failures(response.failures)
    if settings.as_json:
        output.write_json(output.response_to_json(query, response))
    else:
        tables.show_hits(response, full=full)


def query(
    settings: Settings,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A JSON request; - is stdin.")],
) -> None:
    """Answer a request of the JSON contract with its JSON response."""
    request = parse_object(read_text(file), "the request")
    with opened(settings) as memory:
        output.say(memory.query(request).model_dump_json())


def stats(settings: Settings) -> None:
    """Say what the memory holds and how it is indexed."""
    with opened(settings, vectors=False) as memory:
        found, namespaces = memory.stats(), memory.namespaces()
    if settings.as_json:
        output.write_json({**asdict(found), "namespaces": namespaces})
    else:
        tables.show_stats(found, namespaces)


def evaluate(
    settings: Settings,
    file: Annotated[Path, typer.Argument(metavar="QUERIES", help="JSONL of queries and what answers; - is stdin.")],
    leg_sets: Annotated[
        list[str] | None,
        typer.Option("--legs", help="A set of legs to measure, e.g. sparse,graph or default; give it several times."),
    ] = None,
    baseline: Annotated[Path | None, typer.Option(metavar="FILE", help="Saved figures to compare with.")] = None,
    tolerance: Annotated[float, typer.Option(min=0, max=1, help="How much a figure may fall.")] = TOLERANCE,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to keep the figures.")] = None,
) -> None:
    """Measure how well queries with known answers are answered; exit 1 if something fell behind a baseline."""
    queries = parse_queries(read_lines(file), "stdin" if file == STANDARD else str(file))
    before = None if baseline is None else _read_evaluation(baseline)
    if save is not None:
        refuse_own_files(save, settings.db)
    with opened(settings) as memory, progress("searching") as parts:
        found = memory.evaluate(queries, legs=parse_leg_sets(leg_sets), progress=parts.part())
    fallen = [] if before is None else compare(before, found, tolerance)
    if save is not None:
        write_lines(save, found.to_json().splitlines())
    if found.unknown_ids:
        output.warn(f"relevant ids that this memory does not have: {', '.join(map(repr, found.unknown_ids))}")
    _report(settings, found, None if before is None else fallen)
    if fallen:
        raise typer.Exit(FAILED)


def _read_evaluation(path: Path) -> Evaluation:
    try:
        return Evaluation.from_json(read_text(path))
    except InvalidInputError as error:
        raise InvalidInputError(f"--baseline {str(path)!r}: {error}") from error


def _report(settings: Settings, found: Evaluation, fallen: list[Regression] | None) -> None:
    if settings.as_json:
        worse = None if fallen is None else [asdict(one) for one in fallen]
        output.write_json({**found.model_dump(), "regressions": worse})
        return
    output.say(found.table())
    for one in fallen or ():
        output.say(f"worse: {one}")
    if fallen == []:
        output.say("Nothing got worse.")


def export(
    settings: Settings,
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="Where to write JSONL; - is stdout.")] = None,
    filter_text: FilterText = None,
    vectors: Annotated[bool, typer.Option("--vectors", help="Vectors too, so that import need not embed.")] = False,
    graphml: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Instead, write the graph of what holds now as GraphML.")
    ] = None,
) -> None:
    """Write the records as JSONL, one record a line, for import; or the graph, for other programs."""
    if graphml is not None:
        if file is not None or filter_text is not None or vectors:
            raise InvalidInputError("--graphml writes the graph and nothing else: leave out FILE, --filter, --vectors")
        _export_graph(settings, graphml)
        return
    target = file or STANDARD
    with opened(settings, vectors=False) as memory:
        refuse_own_files(target, settings.db)
        records = memory.export(parse_filter(filter_text), vectors=vectors)
        count = write_lines(target, (json.dumps(record, ensure_ascii=False) for record in records))
    if target == STANDARD:
        return
    if settings.as_json:
        output.write_json({"exported": count, "file": str(target)})
    else:
        output.say(f"{output.counted(count, 'record')} exported to {target}")


def _export_graph(settings: Settings, target: Path) -> None:
    from hybrid_agent_memory.graph.graphml import to_graphml

    with opened(settings, vectors=False) as memory:
        refuse_own_files(target, settings.db)
        graph = memory.graph
        write_lines(target, to_graphml(graph).split("\n"))
    if target == STANDARD:
        return
    nodes, edges = graph.number_of_nodes(), graph.number_of_edges()
    if settings.as_json:
        output.write_json({"nodes": nodes, "edges": edges, "file": str(target)})
    else:
        output.say(f"{output.counted(nodes, 'node')} and {output.counted(edges, 'edge')} exported to {target}")
