"""What commands answer, as tables for people."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict

from rich.console import Console
from rich.table import Table
from rich.text import Text

from hybrid_agent_memory.cli.output import date, harmless, in_words, say
from hybrid_agent_memory.records import Entity, Fact, Hit, MergeDecision, Response, Stats, Suggestion

SHOWN_CHARS = 280
UNBROKEN = ("valid from", "until", "status", "when")
"""Columns whose cells are not broken anew."""
NARROW = 100
"""Characters of a line below which hours stand under their day."""
SHOWN_FACTS = 3
"""Facts of one hit, and chunks of one fact, that are shown; all are in ``--json``."""


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


def show_facts(facts: Sequence[Fact]) -> None:
    """A table of facts, each with its time, its status and the chunks that say so."""
    between = "\n" if _stdout().width < NARROW else " "
    _print_table(
        ("valid from", "until", "subject", "predicate", "value", "status", "source"),
        [
            (
                date(fact.valid_at).replace(" ", between),
                date(fact.invalid_at).replace(" ", between),
                fact.subject,
                fact.predicate.replace("_", " "),
                fact.object,
                fact.status,
                _some(fact.chunk_ids),
            )
            for fact in facts
        ],
    )


def show_entities(entities: Iterable[Entity]) -> None:
    """A table of entities and the other names they go by."""
    rows = [(one.name, one.type, str(one.mentions), ", ".join(one.aliases)) for one in entities]
    _print_table(("name", "type", "mentions", "also written"), rows)


def show_suggestions(suggestions: Iterable[Suggestion]) -> None:
    """A table of pairs of names that may be one entity, and why."""
    rows = [(one.a, one.b, f"{one.score:.2f}", one.reason) for one in suggestions]
    _print_table(("name", "and", "likelihood", "why"), rows)


def show_merges(decisions: Iterable[MergeDecision]) -> None:
    """A table of what was decided about pairs of names."""
    rows = [(f"{one.time:%Y-%m-%d %H:%M}", one.op, one.a, one.b, "a judge" if one.judged else "") for one in decisions]
    _print_table(("when", "what", "name", "and", "by"), rows)


def show_stats(stats: Stats, namespaces: list[str]) -> None:
    """A table of what `stats` says."""
    table = Table(show_header=False, box=None, pad_edge=False)
    for name, value in {**asdict(stats), "namespaces": ", ".join(namespaces) or None}.items():
        table.add_row(Text(name, style="bold"), Text("-" if value is None else str(value), overflow="fold"))
    _stdout().print(table)


def _stdout() -> Console:
    return Console(soft_wrap=False, highlight=False)


def _print_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    table = Table(pad_edge=False)
    for heading in headings:
        table.add_column(heading, overflow="fold", no_wrap=heading in UNBROKEN)
    for row in rows:
        table.add_row(*(Text(harmless(cell)) for cell in row))  # a Text, for a name may look like markup
    _stdout().print(table)


def _some(ids: Sequence[str]) -> str:
    more = len(ids) - SHOWN_FACTS
    return ", ".join(ids[:SHOWN_FACTS]) + (f" and {more} more" if more > 0 else "")


def _found_by(hit: Hit) -> str:
    found = [f"{leg} #{why.rank} ({why.contribution:.3f})" for leg, why in hit.why.legs.items()]
    if hit.why.rerank_score is not None:
        found.append(f"reranker ({hit.why.rerank_score:.3f})")
    if (decay := f"{hit.why.decay:.2f}") != "1.00":
        found.append(f"age ×{decay}")
    return "\n".join(found)


def _body(hit: Hit, *, full: bool) -> Text:
    line = " ".join(hit.text.split())
    cut = line if len(line) <= SHOWN_CHARS else f"{line[:SHOWN_CHARS]}…"
    body = Text(harmless(hit.text if full else cut))
    for reason in _reasons(hit):
        body.append(harmless(f"\n{reason}"), style="italic")
    return body.append(harmless("\n" + " · ".join(" ".join(part.split()) for part in _origin(hit))), style="dim")


def _origin(hit: Hit) -> list[str]:
    origin = ["fact"] if hit.kind == "fact" else []
    origin += [hit.id, *([hit.source] if hit.source and not hit.id.startswith(hit.source) else [])]
    return origin + [part for part in (hit.time and hit.time.isoformat(), hit.speaker) if part]


def _reasons(hit: Hit) -> Iterator[str]:
    """How the graph came to a hit, and what is to be known of what it says: of chunks, only what no longer holds."""
    if hit.why.path is not None and hit.why.path.steps:
        yield f"path: {hit.why.path}"
    told = hit.why.facts if hit.kind == "fact" else [fact for fact in hit.why.facts if fact.status != "current"]
    for fact in told[:SHOWN_FACTS]:
        yield f"{fact.status}: {in_words(fact)}"
    if hit.why.superseded_by is not None:
        yield f"superseded by {hit.why.superseded_by}"
