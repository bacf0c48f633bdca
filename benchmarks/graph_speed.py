"""How fast the graph memory is: what the graph leg costs a search, how fast episodes are taken in, opening again.

    python benchmarks/graph_speed.py [--facts 100000] [--queries 200] [--episodes 1000,100000] [--out OUT]

Extractions and vectors are made up (see _graph_corpus.py); no model runs. Searches with and without the graph take
turns question by question, so that other load on the machine meets both; compare ratios across machines.
"""

import argparse
import tempfile
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks._graph_corpus import Message, RandomVectors, graph_episodes, graph_questions, messages
from benchmarks._machine import in_fresh_process, load, machine_notes, resident_megabytes
from benchmarks._report import Stopwatch, table, three_digits, write_json
from hybrid_agent_memory import HybridMemory

TOP_K = 10
WARM_UP = 10
TWO_LEGS = ("sparse", "dense")
LEG_TARGET = 2.0  # times what the two other legs take
RATE_TARGET = 300.0  # episodes a second
SLOWER_TARGET = 1.3  # times, from the smallest to the largest size
MEASURED = 1_000  # episodes whose intake is timed at each size
SINGLE = 200  # of which are added one by one
Figures = dict[str, float]


def main(arguments: Sequence[str] | None = None) -> None:
    options = _parse(arguments)
    notes = machine_notes()
    print("\n".join(f"{name}: {value}" for name, value in notes.items()))
    report: dict[str, object] = {"machine": notes}
    with tempfile.TemporaryDirectory(dir=options.dir, prefix="graph-speed-") as folder:
        if options.facts:
            figures = in_fresh_process(measure_search, options.facts, options.queries, Path(folder))
            report["search"] = figures
            _print(f"{options.facts:,} facts, {10 * options.facts:,} mentions", figures, _search_targets(figures))
        if options.episodes:
            figures = in_fresh_process(measure_intake, options.episodes, Path(folder))
            report["intake"] = figures
            _print("episodes by rules", figures, _intake_targets(figures, options.episodes))
    report["load_after"] = load()
    print(f"\nload after: {load()}")
    if options.out:
        write_json(options.out, report)


# -- searching --------------------------------------------------------------------------------------------------------


def measure_search(facts: int, queries: int, folder: Path) -> Figures:
    path, embedder, build = folder / "graph.db", RandomVectors(), Stopwatch()
    before = resident_megabytes()
    memory = HybridMemory.open(path, embedder=embedder)
    with build:
        memory.add_episodes(graph_episodes(facts))
    asked = graph_questions(queries + WARM_UP, facts)
    figures = {"build s": build.milliseconds[0] / 1000, "added MB": resident_megabytes() - before}
    figures |= _searches(memory, asked)
    figures |= _after_writes(memory, facts, asked)
    memory.close()
    return figures | _opening(path, embedder, asked[0])


def _searches(memory: HybridMemory, asked: Sequence[str]) -> Figures:
    two, three, facts = Stopwatch(), Stopwatch(), Stopwatch()
    ratios: list[float] = []
    for turn, question in enumerate(asked):
        first, second = (two, three) if turn % 2 else (three, two)
        for watch in (first, second):
            with watch:
                memory.search(question, top_k=TOP_K, legs=TWO_LEGS if watch is two else None)
        with facts:
            memory.search(question, top_k=TOP_K, kinds=("fact",))
        ratios.append((three.milliseconds[-1] - two.milliseconds[-1]) / two.milliseconds[-1])
    spreads = {"two legs": two, "with graph": three, "facts": facts}
    for watch in spreads.values():
        del watch.milliseconds[:WARM_UP]
    figures = {
        f"{name} {share} ms": getattr(watch.spread, share)
        for name, watch in spreads.items()
        for share in ("p50", "p95")
    }
    return figures | {"graph leg / two legs": median(ratios[WARM_UP:])}


def _after_writes(memory: HybridMemory, facts: int, asked: Sequence[str]) -> Figures:
    """What one more episode costs, and the search that comes after it."""
    adding, finding = Stopwatch(), Stopwatch()
    for episode, question in zip(islice(graph_episodes(facts + 60), facts, None), asked, strict=False):
        with adding:
            memory.add_episodes([episode])
        with finding:
            memory.search(question, top_k=TOP_K)
    history, entities, stats = Stopwatch(), Stopwatch(), Stopwatch()
    with history:
        memory.history("Northwind Group")
    with entities:
        memory.entities("Northwind")
    with stats:
        memory.stats()
    return {
        "add one p50 ms": adding.spread.p50,
        "add one p95 ms": adding.spread.p95,
        "search after add p50 ms": finding.spread.p50,
        "search after add p95 ms": finding.spread.p95,
        "history of a hub ms": history.milliseconds[0],
        "entities() ms": entities.milliseconds[0],
        "stats() ms": stats.milliseconds[0],
    }


def _opening(path: Path, embedder: RandomVectors | None, question: str) -> Figures:
    opening, first = Stopwatch(), Stopwatch()
    with opening:
        memory = HybridMemory.open(path, embedder=embedder)
    with first:
        memory.search(question, top_k=TOP_K)
    memory.close()
    return {"open ms": opening.milliseconds[0], "first search ms": first.milliseconds[0]}


# -- taking in --------------------------------------------------------------------------------------------------------


def measure_intake(sizes: Sequence[int], folder: Path) -> Figures:
    """Episodes a second when a memory has so many of them, and what of that the rules take."""
    path, figures, stored = folder / "intake.db", Figures(), 0
    memory = HybridMemory.open(path)
    source = messages(max(sizes) + len(sizes) * (MEASURED + SINGLE))
    for size in sizes:
        memory.add_episodes(_items(islice(source, max(0, size - stored))))
        batch, single = list(islice(source, MEASURED)), list(islice(source, SINGLE))
        figures[f"episodes/s at {size:,}"] = MEASURED / _seconds(memory, batch)
        figures[f"one by one/s at {size:,}"] = SINGLE / _seconds_one_by_one(memory, single)
        stored = max(size, stored) + MEASURED + SINGLE
    figures["rules alone, episodes/s"] = MEASURED / _seconds_of_rules(batch)
    memory.close()
    return figures | _opening(path, None, "Who is responsible for the project?")


def _items(source: Iterable[Message]) -> Iterable[dict[str, object]]:
    return ({"text": message.text, "time": message.time} for message in source)


def _seconds(memory: HybridMemory, batch: Sequence[Message]) -> float:
    started = perf_counter()
    memory.add_episodes(list(_items(batch)))
    return perf_counter() - started


def _seconds_one_by_one(memory: HybridMemory, batch: Sequence[Message]) -> float:
    started = perf_counter()
    for message in batch:
        memory.add_episode(message.text, time=message.time)
    return perf_counter() - started


def _seconds_of_rules(batch: Sequence[Message]) -> float:
    from hybrid_agent_memory.extract import Context
    from hybrid_agent_memory.extract.rules import RuleExtractor

    extractor, started = RuleExtractor(), perf_counter()
    for message in batch:
        extractor.extract(message.text, Context(message.time))
    return perf_counter() - started


# -- the report -------------------------------------------------------------------------------------------------------


def _search_targets(figures: Figures) -> dict[str, str]:
    return {"graph leg / two legs": _verdict(figures["graph leg / two legs"] <= LEG_TARGET, f"<= {LEG_TARGET:g}")}


def _intake_targets(figures: Figures, sizes: Sequence[int]) -> dict[str, str]:
    rates = {f"episodes/s at {size:,}": figures[f"episodes/s at {size:,}"] for size in sizes}
    verdicts = {name: _verdict(rate >= RATE_TARGET, f">= {RATE_TARGET:g}") for name, rate in rates.items()}
    first, last = figures[f"episodes/s at {sizes[0]:,}"], f"episodes/s at {sizes[-1]:,}"
    least = first / SLOWER_TARGET
    verdicts[last] += f", {_verdict(figures[last] >= least, f'>= {least:.0f}')}"
    return verdicts


def _verdict(met: bool, target: str) -> str:
    return f"{target} {'yes' if met else 'NO'}"


def _print(title: str, figures: Figures, targets: dict[str, str]) -> None:
    rows = [[name, three_digits(value), targets.get(name, "")] for name, value in figures.items()]
    print(f"\n## {title}\n\n{table(['ours', 'measured', 'target'], rows)}", flush=True)


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure the speed of the graph memory.")
    parser.add_argument("--facts", type=int, default=100_000, metavar="N", help="facts of the graph; 0 leaves it out")
    parser.add_argument("--queries", type=int, default=200, metavar="N", help="questions asked")
    parser.add_argument("--episodes", type=_numbers, default=[1_000, 100_000], metavar="N,N", help="'' leaves it out")
    parser.add_argument("--dir", type=Path, help="where to put the files (default: the system's temporary folder)")
    parser.add_argument("--out", type=Path, metavar="OUT", help="write the figures to this file")
    return parser.parse_args(arguments)


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",") if part]


if __name__ == "__main__":
    main()
