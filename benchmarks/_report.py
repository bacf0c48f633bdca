"""Percentiles, a table for people and a file for programs."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np


@dataclass(frozen=True, slots=True)
class Spread:
    """Milliseconds."""

    p50: float
    p95: float


class Stopwatch:
    """Times blocks: `with watch: …` appends the milliseconds it took to `watch.milliseconds`."""

    def __init__(self) -> None:
        self.milliseconds: list[float] = []

    def __enter__(self) -> None:
        self._started = perf_counter()

    def __exit__(self, *_: object) -> None:
        self.milliseconds.append((perf_counter() - self._started) * 1000)

    @property
    def spread(self) -> Spread:
        p50, p95 = np.percentile(self.milliseconds, [50, 95]).tolist()
        return Spread(p50, p95)


def table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table with aligned columns; all but the first to the right."""
    widths = [max(map(len, column)) for column in zip(headers, *rows, strict=True)]
    rule = [":" + "-" * (width - 1) if i == 0 else "-" * (width - 1) + ":" for i, width in enumerate(widths)]
    return "\n".join(_line(cells, widths) for cells in [headers, rule, *rows])


def three_digits(value: float | None) -> str:
    """Three significant digits, thousands grouped; nothing for a missing value."""
    if value is None:
        return ""
    decimals = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2 if abs(value) >= 1 else 3
    return f"{value:,.{decimals}f}"


def write_json(path: Path, result: Mapping[str, object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = (
        cell.ljust(width) if i == 0 else cell.rjust(width)
        for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "| " + " | ".join([first, *others]) + " |"
