"""Errors as a person at a terminal wants them: one line, and an exit code."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

import typer

from hybrid_agent_memory.cli.output import warn
from hybrid_agent_memory.errors import (
    BatchError,
    ClosedMemoryError,
    HybridMemoryError,
    InvalidInputError,
    MismatchError,
    OptionalDependencyError,
    StoreError,
)

FAILED = 1
BAD_INPUT = 2
STORE = 3
READER_GONE = 141  # 128 + SIGPIPE, as a shell reports it

# click's, or where typer brings its own copy of click, that copy's
_UsageError = cast("type[typer.BadParameter]", typer.BadParameter.mro()[1])


def run(app: typer.Typer, arguments: list[str] | None) -> int:
    """Run a command line (None: that of the process), bad usage being one line on stderr; its exit code."""
    try:
        return int(app(arguments, prog_name="hybrid-memory", standalone_mode=False) or 0)
    except _UsageError as error:
        warn(" ".join(error.format_message().split()))
        return BAD_INPUT


@contextmanager
def exit_codes() -> Iterator[None]:
    """Turn this package's errors into a line on stderr and an exit code; any other error is a bug and passes."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else the interpreter's last flush fails too
        raise typer.Exit(READER_GONE) from error
    except HybridMemoryError as error:
        remedy = " (here: hybrid-memory reindex --embedder ...)" if isinstance(error, MismatchError) else ""
        warn(f"{' '.join(str(error).split())}{remedy}")
        raise typer.Exit(code_of(error)) from error


def code_of(error: BaseException | None) -> int:
    """The exit code of an error; a batch that failed has that of what made it fail."""
    if isinstance(error, BatchError):
        return code_of(error.__cause__)
    if isinstance(error, InvalidInputError | OptionalDependencyError):
        return BAD_INPUT
    return STORE if isinstance(error, StoreError | ClosedMemoryError) else FAILED
