"""The same facts, questions and k for every engine, in one process, one question after the other in turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from benchmarks._corpus import (
    Facts,
    LookUpEmbedder,
    Question,
    exact_neighbours,
    look_up_embedder,
    make_facts,
    make_news,
    make_questions,
)
from benchmarks._machine import in_fresh_process, resident_megabytes
from benchmarks._ours import OurMemory
from benchmarks._peers import Engine, build_peer
from benchmarks._report import Spread, Stopwatch

TOP_K = 20
WARM_UP = 10
PEER_WRITES = 3  # a peer rebuilds its index at every write
OUR_WRITES = 45
WORDS_LOOKED_FOR = 6


@dataclass(frozen=True, slots=True)
class Scene:
    facts: Facts
    questions: list[Question]
    news: list[Question]
    embedder: LookUpEmbedder


def set_scene(records: int, questions: int) -> Scene:
    facts = make_facts(records)
    asked, news = make_questions(facts, questions), make_news(facts, 2 * OUR_WRITES)
    return Scene(facts, asked, news, look_up_embedder([*asked, *news, *map(_about, news)]))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Per engine: a search, a write and the search that finds it, and building the whole."""

    records: int
    search_ms: dict[str, Spread]
    write_and_find_ms: dict[str, Spread]
    build_s: dict[str, float]


def compare(records: int, questions: int, peers: Sequence[str], folder: Path) -> Comparison:
    scene = set_scene(records, questions)
    path = folder / f"compare-{records}.db"
    builds = {name: Stopwatch() for name in ("ours", *peers)}
    ours = OurMemory(path, scene.embedder)
    with builds["ours"]:
        ours.fill(scene.facts)
    engines: list[Engine] = [ours]
    for name in peers:
        with builds[name]:
            engines.append(build_peer(name, scene.facts, scene.embedder, TOP_K))
    searches = time_searches(engines, scene.questions)
    writes = time_writes(engines, scene.news[:OUR_WRITES])
    for engine in engines:
        engine.close()
    writes["ours, durability normal"] = time_normal_writes(path, scene)
    return Comparison(
        records=records,
        search_ms={name: watch.spread for name, watch in searches.items()},
        write_and_find_ms={name: watch.spread for name, watch in writes.items()},
        build_s={name: watch.milliseconds[0] / 1000 for name, watch in builds.items()},
    )


def time_searches(engines: Sequence[Engine], questions: Sequence[Question]) -> dict[str, Stopwatch]:
    """Every engine answers a question before the next is asked, and no engine always goes first."""
    watches = {engine.name: Stopwatch() for engine in engines}
    for question in questions[:WARM_UP]:
        for engine in engines:
            engine.search(question.text, TOP_K)
    for turn, question in enumerate(questions):
        first = turn % len(engines)
        for engine in [*engines[first:], *engines[:first]]:
            with watches[engine.name]:
                found = engine.search(question.text, TOP_K)
            if len(found) != TOP_K:
                raise RuntimeError(f"{engine.name} returned {len(found)} of {TOP_K} records for {question.text!r}")
    return watches


def time_writes(engines: Sequence[Engine], news: Sequence[Question]) -> dict[str, Stopwatch]:
    """Add one fact, then search for it; a write that is not found at once is an error."""
    watches = {engine.name: Stopwatch() for engine in engines}
    for turn in range(PEER_WRITES):
        for engine in engines:
            batch = news[turn::PEER_WRITES] if isinstance(engine, OurMemory) else [news[turn]]
            for fact in batch:
                with watches[engine.name]:
                    _write_and_find(engine, fact)
    return watches


def time_normal_writes(path: Path, scene: Scene) -> Stopwatch:
    memory, watch = OurMemory(path, scene.embedder, durability="normal"), Stopwatch()
    memory.search(scene.questions[0].text, TOP_K)
    for fact in scene.news[OUR_WRITES:]:
        with watch:
            _write_and_find(memory, fact)
    memory.close()
    return watch


def dense_recall(ours: OurMemory, scene: Scene) -> float:
    """The share of the exact nearest facts that our dense leg returns, over all questions."""
    return fmean(
        len(exact_neighbours(scene.facts, question, TOP_K).intersection(ours.nearest(question.text, TOP_K))) / TOP_K
        for question in scene.questions
    )


def added_memory(name: str, records: int, folder: Path) -> float:
    """Megabytes an engine over `records` facts adds to a process, in a process of its own."""
    return in_fresh_process(_added_memory, name, records, folder)


def _added_memory(name: str, records: int, folder: Path) -> float:
    """Imports count for nobody: a small engine is built before the measurement starts."""
    _build(name, set_scene(100, 1), folder / "warm-up.db").close()
    before = resident_megabytes()
    scene = set_scene(records, WARM_UP)
    engine = _build(name, scene, folder / f"memory-{records}.db")
    texts = [question.text for question in scene.questions]
    del scene
    for text in texts:
        engine.search(text, TOP_K)
    added = resident_megabytes() - before
    engine.close()
    return added


def _build(name: str, scene: Scene, path: Path) -> Engine:
    if name != "ours":
        return build_peer(name, scene.facts, scene.embedder, TOP_K)
    ours = OurMemory(path, scene.embedder)
    ours.fill(scene.facts)
    return ours


def _write_and_find(engine: Engine, fact: Question) -> None:
    identifier = fact.text.split(maxsplit=1)[0]
    engine.add(identifier, fact)
    if identifier not in engine.search(_about(fact).text, TOP_K):
        raise RuntimeError(f"{engine.name} does not find what was just added: {fact.text!r}")


def _about(fact: Question) -> Question:
    return Question(" ".join(fact.text.split()[:WORDS_LOOKED_FOR]), fact.vector)
