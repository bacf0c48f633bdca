"""How fast the memory is, against the usual retrievers of LangChain and LlamaIndex and against its own size.

    python benchmarks/speed.py --records 10000,100000 [--queries 200] [--peers langchain,llamaindex] [--out OUT]
    python benchmarks/speed.py --scaling 1000,10000,100000,1000000 [--out OUT]

Facts and vectors are made up (see _corpus.py) and the same for everybody; no model runs. Engines take turns question by
question, so that other load on the machine meets all of them; compare ratios across machines, not milliseconds.
"""

import argparse
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks._alone import MEMORY, Alone, alone
from benchmarks._compare import TOP_K, added_memory, compare
from benchmarks._machine import load, machine_notes
from benchmarks._peers import PEERS
from benchmarks._report import Spread, table, three_digits, write_json

SEARCH_TARGETS = {10_000: {"langchain": 10.0, "llamaindex": 1.5}, 100_000: {"langchain": 60.0, "llamaindex": 2.5}}
WRITE_TARGETS = {100_000: {"langchain": 150.0, "llamaindex": 400.0}}


def main(arguments: Sequence[str] | None = None) -> None:
    options = _parse(arguments)
    notes = machine_notes()
    print("\n".join(f"{name}: {value}" for name, value in notes.items()))
    report: dict[str, object] = {"machine": notes}
    with tempfile.TemporaryDirectory(dir=options.dir, prefix="speed-") as folder:
        for records in options.records:
            report[f"compare {records}"] = _compared(records, options, Path(folder))
        if options.scaling:
            report["scaling"] = _scaled(options.scaling, options.queries, Path(folder))
    report["load_after"] = load()
    print(f"\nload after: {load()}")
    if options.out:
        write_json(options.out, report)


def _compared(records: int, options: argparse.Namespace, folder: Path) -> dict[str, object]:
    size = f"{records:,} records"
    compared = compare(records, options.queries, options.peers, folder)
    _print(f"{size}: search, k = {TOP_K}", _ratios(compared.search_ms, SEARCH_TARGETS.get(records, {})))
    _print(f"{size}: add one and find it", _ratios(compared.write_and_find_ms, WRITE_TARGETS.get(records, {})))
    ours = alone(records, options.queries, folder)
    memory = {"ours": ours.figures[MEMORY]} | {name: added_memory(name, records, folder) for name in options.peers}
    rows = [[name, three_digits(compared.build_s[name]), three_digits(memory[name])] for name in memory]
    _print(f"{size}: build and memory", table(["engine", "build s", MEMORY], rows))
    _print(f"{size}: ours", *_own_tables([ours]))
    return {**asdict(compared), MEMORY: memory, "ours": asdict(ours)}


def _scaled(sizes: Sequence[int], questions: int, folder: Path) -> list[dict[str, object]]:
    results: list[Alone] = []
    for records in sizes:
        results.append(alone(records, questions, folder))
        _print("ours, against the number of records", *_own_tables(results))
    return [asdict(result) for result in results]


def _print(title: str, *tables: str) -> None:
    print("\n\n".join((f"\n## {title}", *tables)), flush=True)


def _ratios(spreads: Mapping[str, Spread], wanted: Mapping[str, float]) -> str:
    """Milliseconds, and how many times ours the median is; with the target where there is one."""
    rows = []
    for name, spread in spreads.items():
        ratio = spread.p50 / spreads["ours"].p50
        target = f">= {wanted[name]:g} {'yes' if ratio >= wanted[name] else 'NO'}" if name in wanted else ""
        rows.append([name, three_digits(spread.p50), three_digits(spread.p95), three_digits(ratio), target])
    return table(["engine", "p50 ms", "p95 ms", "x ours", "target"], rows)


def _own_tables(results: Sequence[Alone]) -> tuple[str, str]:
    """Our figures, and the share of a search's time that each stage takes; one column a size."""
    sizes = [f"{result.records:,}" for result in results]
    figures = [[name, *(three_digits(each.figures[name]) for each in results)] for name in results[0].figures]
    stages = dict.fromkeys(name for each in reversed(results) for name in each.stages)
    shares = [[name, *(f"{each.stages.get(name, 0.0):.0%}" for each in results)] for name in stages]
    return table(["ours", *sizes], figures), table(["share of a search", *sizes], shares)


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure speed and memory.")
    parser.add_argument("--records", type=_numbers, default=[], metavar="N,N", help="compare at these sizes")
    parser.add_argument("--scaling", type=_numbers, default=[], metavar="N,N", help="our own cost at N records")
    parser.add_argument("--queries", type=int, default=200, metavar="N", help="questions asked of each engine")
    parser.add_argument("--peers", type=_peers, default=list(PEERS), metavar="NAMES", help=f"of {','.join(PEERS)}")
    parser.add_argument("--dir", type=Path, help="where to put the files (default: the system's temporary folder)")
    parser.add_argument("--out", type=Path, metavar="OUT", help="write the figures to this file")
    options = parser.parse_args(arguments)
    if not options.records and not options.scaling:
        parser.error("say --records or --scaling")
    return options


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def _peers(text: str) -> list[str]:
    names = [name for name in text.split(",") if name]
    for name in names:
        if name not in PEERS:
            raise argparse.ArgumentTypeError(f"{name!r} is not one of {', '.join(PEERS)}")
    return names


if __name__ == "__main__":
    main()
