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
    """Run a command line (None: that of the process); its exit code.

    Bad usage and a stdout that takes no more are one line on stderr.

    Raises
    ------
    OSError
        If it is about something else than stdout: a bug.
    """
    try:
        code = int(app(arguments, prog_name="hybrid-memory", standalone_mode=False) or 0)
        sys.stdout.flush()
    except _UsageError as error:
        warn(" ".join(error.format_message().split()))
        return BAD_INPUT
    except BrokenPipeError:
        _discard_output()
        return READER_GONE
    except OSError as error:
        if error.errno is None or error.filename is not None:  # not from a stream that is open already
            raise
        _discard_output()
        warn(f"stdout cannot be written: {error.strerror}")
        return FAILED
    return code


@contextmanager
def exit_codes() -> Iterator[None]:
    """Turn this package's errors into a line on stderr and an exit code; any other error is a bug and passes."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError as error:
        _discard_output()
        raise typer.Exit(READER_GONE) from error
    except HybridMemoryError as error:
        remedy = " (here: hybrid-memory reindex --embedder ...)" if isinstance(error, MismatchError) else ""
        warn(f"{' '.join(str(error).split())}{remedy}")
        raise typer.Exit(code_of(error)) from error


def _discard_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else the interpreter's last flush fails too


def code_of(error: BaseException | None) -> int:
    """The exit code of an error; a batch that failed has that of what made it fail."""
    if isinstance(error, BatchError):
        return code_of(error.__cause__)
    if isinstance(error, InvalidInputError | OptionalDependencyError):
        return BAD_INPUT
    return STORE if isinstance(error, StoreError | ClosedMemoryError) else FAILED
