"""The commands about what a memory knows: its facts, and the entities they are about."""

from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import Annotated

import typer

from hybrid_agent_memory import HybridMemory
from hybrid_agent_memory.cli import output, tables
from hybrid_agent_memory.cli.command import Settings
from hybrid_agent_memory.cli.names import goes_by, names_like, unknown_name
from hybrid_agent_memory.cli.opening import opened
from hybrid_agent_memory.cli.options import AsOf, FilterText, KnownAt, Moments, Now, parse_filter, parse_moments
from hybrid_agent_memory.cli.paths import shortest_path
from hybrid_agent_memory.errors import InvalidInputError
from hybrid_agent_memory.graph.names import name_key
from hybrid_agent_memory.records import JSON, Fact, Path

SUGGESTIONS = 50
NOTHING = "Nothing found."

EntityName = Annotated[str, typer.Argument(help="A name of an entity, as any text writes it.")]


def facts(
    settings: Settings,
    query: Annotated[str | None, typer.Argument(help="What they are to be about; all without it.")] = None,
    top_k: Annotated[int, typer.Option("--top-k", "-k", help="How many at most, of those that a query finds.")] = 10,
    filter_text: FilterText = None,
    now: Now = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
) -> None:
    """Say what holds: the facts a query finds, best first; without one, all that hold now or will, by subject."""
    condition = parse_filter(filter_text)
    moments = parse_moments(now, as_of, known_at)
    with opened(settings, vectors=query is not None) as memory:
        if query is None:
            found = _holding(memory, condition, moments)
        else:
            response = memory.search(query, top_k=top_k, kinds=["fact"], filter=condition, **moments)
            output.warn_of_failures(response.failures)
            found = [fact for hit in response for fact in hit.why.facts]
    _answer(settings, {"query": query}, found)


def history(
    settings: Settings,
    subject: EntityName,
    predicate: Annotated[str | None, typer.Argument(help="Only this, e.g. budget, 'works for' or 负责人.")] = None,
    now: Now = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
) -> None:
    """Say what was, is and will be so of an entity, oldest first."""
    with opened(settings, vectors=False) as memory:
        moments = parse_moments(now, as_of, known_at)
        found = _distinct(memory.history(subject, predicate, **moments))
        if not found and not goes_by(memory, subject):
            raise unknown_name(subject, names_like(memory, subject))
        others = [] if found else _predicates(memory, subject, moments)
    nothing = f"Nothing found: {subject!r} has no {predicate!r}, but {', '.join(others)}." if others else NOTHING
    _answer(settings, {"subject": subject, "predicate": predicate}, found, nothing)


def path(
    settings: Settings, a: EntityName, b: EntityName, now: Now = None, as_of: AsOf = None, known_at: KnownAt = None
) -> None:
    """Say how two entities hang together: the shortest chain of facts that hold now or will."""
    moments = parse_moments(now, as_of, known_at)
    with opened(settings, vectors=False) as memory:
        steps = shortest_path(memory.graph_at(**moments), a, b)
    when = "hold now" if (now, as_of, known_at) == (None, None, None) else "hold at that time"
    line = None if steps is None else str(Path(tuple(one.step for one in steps)))
    if settings.as_json:
        told = [_step_to_json(one.fact, one.text, asdict(one.step)) for one in steps or ()]
        output.write_json({"from": a, "to": b, "path": line, "steps": told})
    else:
        output.say(line or f"No path: no chain of facts that {when} leads from {a!r} to {b!r}.")


def entities(
    settings: Settings,
    query: Annotated[str | None, typer.Argument(help="Only those one of whose names holds this.")] = None,
    suggest: Annotated[
        bool, typer.Option("--suggest", help="Instead, pairs of names that may be one entity, likeliest first.")
    ] = False,
    merges: Annotated[
        bool, typer.Option("--merges", help="Instead, what was decided about pairs of names, oldest first.")
    ] = False,
) -> None:
    """List who and what the memory knows, the most mentioned first."""
    if suggest and merges:
        raise InvalidInputError("--suggest and --merges are two lists: give one of them")
    with opened(settings, vectors=False) as memory:
        if merges:
            _show_merges(settings, memory, query)
            return
        if suggest:
            _show_suggestions(settings, memory, query)
            return
        found = list(memory.entities(query))
    if settings.as_json:
        output.write_json({"query": query, "entities": [asdict(one) for one in found]})
    elif found:
        tables.show_entities(found)
    else:
        output.say(NOTHING)


def merge(settings: Settings, a: EntityName, b: EntityName) -> None:
    """Say that two names are one entity, in all that was and will be read; unmerge takes it back."""
    with opened(settings, vectors=False) as memory:
        _decide(memory, memory.merge_entities, a, b)
        _tell(settings, memory, a, b)


def unmerge(settings: Settings, a: EntityName, b: EntityName) -> None:
    """Take back that two names were merged, or keep apart what the memory took for one."""
    with opened(settings, vectors=False) as memory:
        _decide(memory, memory.unmerge, a, b)
        _tell(settings, memory, a, b)


def _holding(memory: HybridMemory, condition: dict[str, JSON] | None, moments: Moments) -> list[Fact]:
    """All facts that have not ended, by subject; with a filter, those that a chunk which passes it states."""
    subjects = sorted({entity.name for entity in memory.entities()})
    found = _distinct(fact for subject in subjects for fact in memory.history(subject, **moments))
    holding = [fact for fact in found if fact.status != "past"]
    if condition is None:
        return holding
    passing = {str(record["id"]) for record in memory.export(condition)}
    return [fact for fact in holding if not passing.isdisjoint(fact.chunk_ids)]


def _distinct(facts: Iterable[Fact]) -> list[Fact]:
    """One of each fact, however many chunks state it."""
    found: dict[tuple[str, str, str, tuple[str, ...]], Fact] = {}
    for fact in facts:
        found.setdefault((fact.subject, fact.predicate, fact.object, fact.chunk_ids), fact)
    return list(found.values())


def _predicates(memory: HybridMemory, subject: str, moments: Moments) -> list[str]:
    """What an entity has facts of."""
    return [*dict.fromkeys(fact.predicate.replace("_", " ") for fact in memory.history(subject, **moments))]


def _decide(memory: HybridMemory, decide: Callable[[str, str], None], a: str, b: str) -> None:
    """Merge or unmerge; of a name that is not there, say so in words of the command line."""
    try:
        decide(a, b)
    except InvalidInputError as error:
        for name in (a, b):
            if name.strip() and not goes_by(memory, name):
                raise unknown_name(name, names_like(memory, name)) from error
        raise


def _answer(settings: Settings, asked: dict[str, str | None], facts: list[Fact], nothing: str = NOTHING) -> None:
    if settings.as_json:
        output.write_json({**asked, "facts": [asdict(fact) for fact in facts]})
    elif facts:
        tables.show_facts(facts)
    else:
        output.say(nothing)


def _step_to_json(fact: str, text: str, step: dict[str, object]) -> dict[str, object]:
    return {"fact": fact, "text": text, **{name: value for name, value in step.items() if name != "chunk_id"}}


def _show_suggestions(settings: Settings, memory: HybridMemory, query: str | None) -> None:
    every = memory.entities()
    most = SUGGESTIONS if query is None else max(SUGGESTIONS, sum(1 + len(one.aliases) for one in every) ** 2)
    wanted = "" if query is None else name_key(query)
    likely = every.suggest_merges(most)
    kept = [one for one in likely if wanted in name_key(one.a) or wanted in name_key(one.b)][:SUGGESTIONS]
    if settings.as_json:
        output.write_json({"query": query, "suggestions": [asdict(one) for one in kept]})
    elif kept:
        tables.show_suggestions(kept)
    else:
        output.say("Nothing to merge.")


def _show_merges(settings: Settings, memory: HybridMemory, query: str | None) -> None:
    wanted = "" if query is None else name_key(query)
    kept = [one for one in memory.entities.merges() if wanted in name_key(one.a) or wanted in name_key(one.b)]
    if settings.as_json:
        output.write_json({"query": query, "merges": [asdict(one) for one in kept]})
    elif kept:
        tables.show_merges(kept)
    else:
        output.say("Nothing was merged or unmerged.")


def _tell(settings: Settings, memory: HybridMemory, a: str, b: str) -> None:
    """Say which entities two names are now."""
    keys = {name_key(a), name_key(b)}
    found = [one for one in memory.entities() if not keys.isdisjoint(map(name_key, (one.name, *one.aliases)))]
    if settings.as_json:
        output.write_json({"entities": [asdict(one) for one in found]})
        return
    output.say(f"{a!r} and {b!r} are {'one entity' if len(found) == 1 else 'different entities'}:")
    tables.show_entities(found)
