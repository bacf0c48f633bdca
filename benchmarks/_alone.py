"""What our memory costs by itself at a given size: build, memory, search, write, opening again."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks._compare import OUR_WRITES, TOP_K, WARM_UP, dense_recall, set_scene, time_searches, time_writes
from benchmarks._corpus import LookUpEmbedder
from benchmarks._machine import MEGABYTE, in_fresh_process, resident_megabytes
from benchmarks._ours import OurMemory
from benchmarks._profile import overhead, stage_shares
from benchmarks._report import Stopwatch

OPENINGS = 3
MEMORY = "added MB"


@dataclass(frozen=True, slots=True)
class Alone:
    """`figures` are named with their units; `stages` are shares of a search's time."""

    records: int
    figures: dict[str, float]
    stages: dict[str, float]


def alone(records: int, questions: int, folder: Path) -> Alone:
    """Our own figures, measured in a process of its own; its files are gone afterwards."""
    own = folder / f"alone-{records}"
    own.mkdir()
    try:
        return in_fresh_process(_alone, records, questions, own)
    finally:
        shutil.rmtree(own)


def _alone(records: int, questions: int, folder: Path) -> Alone:
    _warm_up(folder)
    before = resident_megabytes()
    scene = set_scene(records, questions)
    path, build = folder / "memory.db", Stopwatch()
    ours = OurMemory(path, scene.embedder)
    with build:
        ours.fill(scene.facts)
    recall = dense_recall(ours, scene)
    asked, news, embedder = scene.questions, scene.news, scene.embedder
    del scene
    searches = time_searches([ours], asked)["ours"].spread
    added = resident_megabytes() - before
    stages = stage_shares(ours, asked, TOP_K)
    figures = {
        "search p50 ms": searches.p50,
        "search p95 ms": searches.p95,
        "search / bare legs": overhead(ours, asked, TOP_K),
        "dense recall@20": recall,
        "add and find p50 ms": time_writes([ours], news[:OUR_WRITES])["ours"].spread.p50,
        "build s": build.milliseconds[0] / 1000,
        MEMORY: added,
    }
    ours.close()
    figures["file MB"] = path.stat().st_size / MEGABYTE
    text = asked[0].text
    figures["open and search ms"] = _opening(path, embedder, text, keep_snapshot=True)
    figures["same, no snapshot ms"] = _opening(path, embedder, text, keep_snapshot=False)
    return Alone(records, figures, stages)


def _warm_up(folder: Path) -> None:
    """Imports and first-time work count for no measurement."""
    scene = set_scene(100, WARM_UP)
    ours = OurMemory(folder / "warm-up.db", scene.embedder)
    ours.fill(scene.facts)
    ours.search(scene.questions[0].text, TOP_K)
    ours.close()


def _opening(path: Path, embedder: LookUpEmbedder, text: str, *, keep_snapshot: bool) -> float:
    """Milliseconds until a memory that was closed has answered, the file being in the system's cache."""
    watch = Stopwatch()
    for _ in range(OPENINGS):
        if not keep_snapshot:
            shutil.rmtree(path.with_name(f"{path.name}-index"), ignore_errors=True)
        with watch:
            ours = OurMemory(path, embedder)
            ours.search(text, TOP_K)
        ours.close()
    return median(watch.milliseconds)
