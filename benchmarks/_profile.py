"""Where the time of a search goes, and what a search costs over its two legs alone."""

import signal
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from time import perf_counter
from types import FrameType

import numpy as np
from numpy.typing import NDArray

from benchmarks._corpus import Question
from benchmarks._ours import OurMemory
from benchmarks._report import Stopwatch
from hybrid_agent_memory.engines.local.engine import LocalEngine
from hybrid_agent_memory.legs.dense import DenseIndex
from hybrid_agent_memory.legs.sparse import IncrementalBM25
from hybrid_agent_memory.text import tokenize

PACKAGE = "hybrid_agent_memory."
CANDIDATES = 200  # what a search asks of each leg
SAMPLING_SECONDS = 0.0005
ROUNDS = 3
SMALLEST_SHARE = 0.01
STAGES = {  # by module, or by function where a stage borrows from other modules; what is not named here names itself
    "text": "analyse",
    "embedding": "analyse",
    "filters": "filter",
    "engines.local.columns": "filter",
    "legs.sparse": "sparse leg",
    "legs.dense": "dense leg",
    "fusion": "fuse",
    "search._fetch": "fetch",
}


def stage_shares(ours: OurMemory, questions: Sequence[Question], k: int) -> dict[str, float]:
    """The share of a search that each stage takes, largest first; empty where the system has no interval timer."""
    if not hasattr(signal, "setitimer"):
        return {}
    sampler = _Sampler()
    with sampler.running():
        for question in [*questions] * ROUNDS:
            sampler.skip()
            ours.search(question.text, k)
    return _shares(sampler.seconds)


def overhead(ours: OurMemory, questions: Sequence[Question], k: int) -> float:
    """The median search over the median of its two legs called bare, on the same terms, vectors and candidates."""
    sparse, dense, alive = _legs(ours)
    whole, bare = Stopwatch(), Stopwatch()
    for question in questions:
        terms = tokenize(question.text)
        with whole:
            ours.search(question.text, k)
        with bare:
            sparse.search(terms, CANDIDATES)
            dense.search(question.vector, CANDIDATES, alive)
    return whole.spread.p50 / bare.spread.p50


def _shares(seconds: Mapping[str, float]) -> dict[str, float]:
    total = sum(seconds.values())
    shares = {stage: seconds[stage] / total for stage in sorted(seconds, key=seconds.__getitem__, reverse=True)}
    large = {stage: share for stage, share in shares.items() if share >= SMALLEST_SHARE}
    return {**large, "other": 1 - sum(large.values())}


class _Sampler:
    """Looks at the stack again and again, and charges the time since the last look to the stage it sees.

    A call into C delays the look until it returns, and is then charged in full to the stage that made it.
    """

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.skip()

    def skip(self) -> None:
        self._since = perf_counter()

    @contextmanager
    def running(self) -> Iterator[None]:
        before = signal.signal(signal.SIGALRM, self._look)
        signal.setitimer(signal.ITIMER_REAL, SAMPLING_SECONDS, SAMPLING_SECONDS)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def _look(self, _: int, frame: FrameType | None) -> None:
        stage, now = _stage(frame), perf_counter()
        if stage is not None:
            self.seconds[stage] += now - self._since
        self._since = now


def _stage(frame: FrameType | None) -> str | None:
    """The outermost named stage on the stack, else the innermost module of ours, if there is one."""
    modules, stage = [], None
    while frame is not None:
        module = str(frame.f_globals.get("__name__", ""))
        if module.startswith(PACKAGE):
            name = module.removeprefix(PACKAGE)
            modules.append(name)
            stage = STAGES.get(f"{name}.{frame.f_code.co_name}") or STAGES.get(name) or stage
        frame = frame.f_back
    return stage or (modules[0] if modules else None)


def _legs(ours: OurMemory) -> tuple[IncrementalBM25, DenseIndex, NDArray[np.bool_]]:
    engine = ours.memory._engine
    shard = engine._shard(ours.memory.name, "chunk") if isinstance(engine, LocalEngine) else None
    if shard is None or shard.dense is None:
        raise TypeError("the profile knows only the embedded engine, with vectors")
    return shard.sparse, shard.dense, shard.alive
