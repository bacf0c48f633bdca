"""Whether the parameters of the adaptive fusion carry over to data they were not chosen on: recall@5, one set left out.

    python benchmarks/leave_one_out.py DATASET DATASET [DATASET ...] [--json OUT] [--cache DIR]

Data sets are loaded as quality.py does. Every parameter is halved, kept and doubled, in all combinations. For each data
set, the setting that is best on the others is tried on it. A query is answered once and its legs are fused again under
every setting; where a setting would seed the graph with other hits, the query is answered again.
"""

import argparse
import sys
from collections.abc import Collection as Ids
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from benchmarks._beir import Collection, Query, load_collection
from benchmarks._machine import machine_notes
from benchmarks._report import table, write_json
from benchmarks.quality import DEEPEST, DEFAULT_CACHE, SINGLE_LEGS, _load, _local_embedder
from hybrid_agent_memory import HybridMemory
from hybrid_agent_memory import fusion as fusion_module
from hybrid_agent_memory import search as search_module
from hybrid_agent_memory.engines import EngineAnswer, RecordKind
from hybrid_agent_memory.engines.local.answer import SEEDING_K
from hybrid_agent_memory.fusion import Signals, fuse_adaptively, leg_trust
from hybrid_agent_memory.intent import Intent
from hybrid_agent_memory.legs.graph import SEED_HITS
from hybrid_agent_memory.options import SearchOptions
from hybrid_agent_memory.ranking import Ranking
from hybrid_agent_memory.scoring import Scored
from hybrid_agent_memory.search import ENGINE_LEGS, SEEDING_LEGS

FACTORS = (1, 0.5, 2)
CONSTANTS = ("USUAL_TRUST", "HALF_SHARPNESS", "HALF_FALL", "IDENTIFIER_BOOST", "CHAIN_TRUST")
POWER = "power of rarity"  # the trust in the graph grows with the rarest name's rarity to this power
SHIPPED_POWER = 2.0
CUT = 5
WORST_ACCEPTED_LOSS = -0.02
NEAR_BEST = 0.005

Setting = dict[str, float]
Recalls = NDArray[np.float64]  # one per setting
Trust = tuple[float, ...]
Seeds = tuple[str, ...]


def main(arguments: Sequence[str] | None = None) -> None:
    options = _parse(arguments)
    tried = settings()
    embedder = _local_embedder(options.cache)
    measured = {}
    for folder in options.datasets:
        collection = load_collection(folder)
        with _load(collection, embedder) as memory:
            print(f"{collection.name}: {len(collection.queries)} queries, {len(tried)} settings", file=sys.stderr)
            measured[collection.name] = measure(memory, collection, tried)
    verdicts = {name: leave_out(name, measured) for name in measured}
    flat = flatness(measured)
    print(f"\n{_verdict_table(verdicts, tried)}\n\n{_flatness_line(flat, tried)}")
    if options.json:
        write_json(options.json, _report(measured, verdicts, flat, tried))


def settings() -> list[Setting]:
    """Every parameter halved, kept and doubled: the shipped setting first, then those nearest to it."""
    shipped = shipped_setting()
    combinations = sorted(product(FACTORS, repeat=len(shipped)), key=lambda factors: sum(f != 1 for f in factors))
    return [
        {name: value * factor for (name, value), factor in zip(shipped.items(), factors, strict=True)}
        for factors in combinations
    ]


def shipped_setting() -> Setting:
    return {name: getattr(fusion_module, name) for name in CONSTANTS} | {POWER: SHIPPED_POWER}


# -- measuring --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Measured:
    """Recall@5 on one data set: of each leg alone, as shipped, and of all legs fused, by setting."""

    legs: Mapping[str, float]
    fused: Recalls

    @property
    def best_leg(self) -> str:
        return max(self.legs, key=lambda leg: self.legs[leg])

    @property
    def gains(self) -> Recalls:
        """Against the best single leg."""
        return self.fused - self.legs[self.best_leg]


def measure(memory: HybridMemory, collection: Collection, tried: Sequence[Setting]) -> Measured:
    legs, fused = dict.fromkeys(SINGLE_LEGS, 0.0), np.zeros(len(tried))
    for haystack, queries in collection.queries_by_haystack():
        here = memory.namespace(haystack)
        for query in queries:
            relevant = set(collection.relevant.get(query.id, ()))
            question = Question(here, query)
            for leg in SINGLE_LEGS:
                legs[leg] += recall(question.ranked_by(leg), relevant) / len(collection.queries)
            fused += [recall(question.fused(setting), relevant) / len(collection.queries) for setting in tried]
    return Measured(legs, fused)


def recall(found: Sequence[str], relevant: Ids[str]) -> float:
    """The share of the relevant ids among the first five; 0 where nothing is relevant."""
    return len(set(found[:CUT]).intersection(relevant)) / len(relevant) if relevant else 0.0


class Question:
    """One query of one namespace, answered again only where a setting seeds the graph with other hits."""

    def __init__(self, memory: HybridMemory, query: Query) -> None:
        self._memory, self._query = memory, query
        self._shipped = answered(memory, query)
        self._seeds: dict[Trust, Seeds] = {}
        self._by_seeds = {self._shipped.seeds(): self._shipped}
        self._found: dict[tuple[Seeds, Trust], list[str]] = {}
        self._episodes: dict[str, str] = {}

    def ranked_by(self, leg: str) -> list[str]:
        """Episode ids as one leg ranks them, best first."""
        return self._episodes_of(self._shipped.ids(SHIPPED_POWER, [leg]))

    def fused(self, setting: Setting) -> list[str]:
        """Episode ids as the adaptive fusion ranks them under a setting, best first."""
        with patched(fusion_module, {name: setting[name] for name in CONSTANTS}):
            seeds = self._seeds_now()
            if seeds not in self._by_seeds:
                self._by_seeds[seeds] = answered(self._memory, self._query)
            answer = self._by_seeds[seeds]
            alike = seeds, answer.trust(setting[POWER])
            if alike not in self._found:
                self._found[alike] = self._episodes_of(answer.ids(setting[POWER]))
        return self._found[alike]

    def _seeds_now(self) -> Seeds:
        trust = self._shipped.trust(SHIPPED_POWER, SEEDING_LEGS)
        if trust not in self._seeds:
            self._seeds[trust] = self._shipped.seeds()
        return self._seeds[trust]

    def _episodes_of(self, ids: Sequence[str]) -> list[str]:
        new = [identifier for identifier in ids if identifier not in self._episodes]
        for identifier, record in zip(new, self._memory.get(new), strict=True):
            self._episodes[identifier] = record.episode_id if record else identifier
        return list(dict.fromkeys(self._episodes[identifier] for identifier in ids))


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search had before it fused: to be fused by the constants as they are when a method is called."""

    answer: EngineAnswer
    intent: Intent
    options: SearchOptions

    def ids(self, power: float, legs: Sequence[str] = ENGINE_LEGS) -> list[str]:
        """The ids of the first hits, as `Searcher` finds them."""
        rankings = self._rankings(legs)
        fused = fuse_adaptively(rankings, self._signals(power), self.options.config.rrf_k)
        scored = Scored(fused, rankings, self.answer.candidates, self.intent, self.options)
        return self.answer.ids_of(scored.best(DEEPEST, self.answer.ids_of).handles)

    def trust(self, power: float, legs: Sequence[str] = ENGINE_LEGS) -> Trust:
        """All that the parameters decide, once the graph is walked."""
        return tuple(leg_trust(self._rankings(legs), self._signals(power))[0].values())

    def seeds(self) -> Seeds:
        """The hits that the graph is walked from."""
        first = fuse_adaptively(self._rankings(SEEDING_LEGS), self.answer.signals, SEEDING_K)
        return tuple(self.answer.ids_of(first.best(SEED_HITS, self.answer.ids_of).handles))

    def _rankings(self, legs: Sequence[str]) -> dict[str, Ranking]:
        return {leg: self.answer.rankings[leg] for leg in legs if leg in self.answer.rankings}

    def _signals(self, power: float) -> Signals:
        signals = self.answer.signals
        return replace(signals, named=signals.named ** (power / SHIPPED_POWER))  # the product squares it


def answered(memory: HybridMemory, query: Query) -> Answer:
    """Search, and keep what the search had before it fused."""
    kept: list[Answer] = []

    def keep(
        _kind: RecordKind,
        answer: EngineAnswer,
        _wanted: Sequence[str],
        intent: Intent,
        options: SearchOptions,
        _reranked: int,
    ) -> list[object]:
        kept.append(Answer(answer, intent, options))
        return []

    with patched(search_module, {"_found_in": keep}):
        memory.search(query.text, now=query.time, on_error="raise")
    if not kept:
        raise SystemExit(f"query {query.id!r} was not searched for: is it blank, or its namespace empty?")
    return kept[0]


@contextmanager
def patched(module: ModuleType, values: Mapping[str, object]) -> Iterator[None]:
    """Other values for names of a module, until the end of the block."""
    before = {name: getattr(module, name) for name in values}
    vars(module).update(values)
    try:
        yield
    finally:
        vars(module).update(before)


# -- judging ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the setting that is best on the other data sets does on the one that was left out; recall@5 throughout."""

    setting: int
    others: float
    best_leg: str
    leg: float
    left_out: float
    shipped: float

    @property
    def difference(self) -> float:
        return self.left_out - self.leg

    @property
    def accepted(self) -> bool:
        return self.difference >= WORST_ACCEPTED_LOSS


@dataclass(frozen=True, slots=True)
class Flatness:
    """How much it matters which setting is chosen: mean gains over all data sets."""

    settings: int
    near_best: int
    best_setting: int
    best: float
    shipped: float


def leave_out(name: str, measured: Mapping[str, Measured]) -> Verdict:
    """Choose on the other sets by the mean gain against each one's best leg; of equal ones, the nearest to shipped."""
    gains = np.mean([found.gains for other, found in measured.items() if other != name], axis=0)
    chosen, here = _first_best(gains), measured[name]
    return Verdict(
        setting=chosen,
        others=float(gains[chosen]),
        best_leg=here.best_leg,
        leg=here.legs[here.best_leg],
        left_out=float(here.fused[chosen]),
        shipped=float(here.fused[0]),
    )


def flatness(measured: Mapping[str, Measured]) -> Flatness:
    gains = np.mean([found.gains for found in measured.values()], axis=0)
    best = _first_best(gains)
    near = int((gains >= gains[best] - NEAR_BEST).sum())
    return Flatness(len(gains), near, best, float(gains[best]), float(gains[0]))


def _first_best(gains: Recalls) -> int:
    return int(np.argmax(gains.round(9)))  # adding order shows in the last digits


# -- the report -------------------------------------------------------------------------------------------------------


def changes(setting: Setting) -> str:
    """How a setting differs from the shipped one."""
    differing = [f"{name} {value:g}" for name, value in setting.items() if value != shipped_setting()[name]]
    return ", ".join(differing) or "as shipped"


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Choose the fusion's parameters on all data sets but one.")
    parser.add_argument(
        "datasets", nargs="+", type=Path, metavar="DATASET", help="a folder in BEIR layout; two or more"
    )
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the figures to this file")
    parser.add_argument("--cache", type=Path, default=DEFAULT_CACHE, metavar="DIR", help="where vectors are kept")
    options = parser.parse_args(arguments)
    if len({folder.resolve().name for folder in options.datasets}) < max(2, len(options.datasets)):
        parser.error("give at least two data sets, of different names")
    return options


def _verdict_table(verdicts: Mapping[str, Verdict], tried: Sequence[Setting]) -> str:
    headers = ["left out", "best leg", "its recall@5", "chosen on the others", "difference", "accepted", "as shipped"]
    rows = [
        [
            name,
            verdict.best_leg,
            f"{verdict.leg:.3f}",
            f"{verdict.left_out:.3f}",
            f"{verdict.difference:+.3f}",
            "yes" if verdict.accepted else "NO",
            f"{verdict.shipped:.3f}",
        ]
        for name, verdict in verdicts.items()
    ]
    chosen = "\n".join(f"- without {name}: {changes(tried[verdict.setting])}" for name, verdict in verdicts.items())
    return f"{table(headers, rows)}\n\nChosen:\n\n{chosen}"


def _flatness_line(flat: Flatness, tried: Sequence[Setting]) -> str:
    return (
        f"{flat.near_best} of {flat.settings} settings are within {NEAR_BEST} of the best mean gain, {flat.best:+.4f}"
        f" ({changes(tried[flat.best_setting])}); as shipped {flat.shipped:+.4f}"
    )


def _report(
    measured: Mapping[str, Measured], verdicts: Mapping[str, Verdict], flat: Flatness, tried: Sequence[Setting]
) -> dict[str, object]:
    sets = {
        name: {
            "legs": dict(measured[name].legs),
            **asdict(verdict),
            "setting": tried[verdict.setting],
            "changes": changes(tried[verdict.setting]),
            "difference": verdict.difference,
            "accepted": verdict.accepted,
        }
        for name, verdict in verdicts.items()
    }
    best = {"best_setting": tried[flat.best_setting], "changes": changes(tried[flat.best_setting])}
    return {
        "machine": machine_notes(),
        "shipped": shipped_setting(),
        "factors": FACTORS,
        "sets": sets,
        "flatness": {**asdict(flat), **best, "within": NEAR_BEST},
    }


if __name__ == "__main__":
    main()
