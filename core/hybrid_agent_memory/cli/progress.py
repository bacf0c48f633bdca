"""How far a long command is: a bar on a terminal, elsewhere a line on stderr now and then."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress

from hybrid_agent_memory.cli.output import warn
from hybrid_agent_memory.protocols import Progress

LEAST_STEP = 100
"""Lines are a tenth of the whole apart, and at least this many items: a short job says nothing but its result."""


class Parts:
    """A job done part after part, shown as one."""

    def __init__(self, show: Progress, total: int | None) -> None:
        self._show = show
        self._total = total
        self._start = 0

    def part(self, size: int = 0) -> Progress:
        """What the next part of so many items reports to; all of it counts as done when the part after it begins."""
        before = self._start
        self._start += size

        def report(done: int, total: int | None) -> None:
            self._show(before + done, total if self._total is None else self._total)

        report(0, None)
        return report


def lines(label: str) -> Progress:
    """What says on stderr how many items are done, each time a good part more of them is."""
    said = 0

    def show(done: int, total: int | None) -> None:
        nonlocal said
        if total is not None and done < total and done - said >= max(LEAST_STEP, total / 10):
            said = done
            warn(f"{label}: {done} of {total}")

    return show


@contextmanager
def progress(label: str, total: int | None = None) -> Iterator[Parts]:
    """Show on stderr how far a job is; without a total, the job reports it."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield Parts(lines(label), total)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with RichProgress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(label, total=total)
        yield Parts(lambda done, total: bar.update(task, completed=done, total=total), total)
