"""Files and the standard streams as the commands read and write them; ``-`` is the standard stream."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from hybrid_agent_memory.errors import InvalidInputError

STANDARD = Path("-")


def read_text(path: Path) -> str:
    """All of a file, or of stdin."""
    with _reading(path) as stream:
        return stream.read().decode("utf-8-sig")


def read_lines(path: Path) -> Iterator[str]:
    """The lines of a file, or of stdin, as they come."""
    with _reading(path) as stream:
        for number, line in enumerate(stream):
            yield line.decode("utf-8" if number else "utf-8-sig")


def refuse_own_files(path: Path, db: Path) -> None:
    """Refuse to write where a memory keeps itself.

    Raises
    ------
    InvalidInputError
        If `path`, or the file it is written to first, is that of the memory or one beside it.
    """
    target, home = path.resolve(), db.resolve()
    index, *files = (home.with_name(home.name + ending) for ending in ("-index", "", "-wal", "-shm"))
    same = os.path.exists(path) and os.path.exists(db) and os.path.samefile(path, db)
    if path != STANDARD and (same or {target, _part(target)} & {*files} or target.is_relative_to(index)):
        raise InvalidInputError(f"{str(path)!r} is a file of the memory {str(db)!r} itself: write to another one")


def write_lines(path: Path, lines: Iterable[str]) -> int:
    """Write lines to stdout, or to a file, which appears whole or not at all; how many there were."""
    if path == STANDARD:
        return sum(1 for line in lines if sys.stdout.write(line + "\n"))
    with _file_errors(path):
        if path.exists() and not path.is_file():  # a device or a pipe: nothing to put in its place
            return _write(path, lines)
        target = path.resolve()
        part = _part(target)
        try:
            count = _write(part, lines)
            os.replace(part, target)
        finally:
            part.unlink(missing_ok=True)
    return count


def _part(target: Path) -> Path:
    return target.with_name(target.name + ".part")


def _write(path: Path, lines: Iterable[str]) -> int:
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        return sum(1 for line in lines if stream.write(line + "\n"))


@contextmanager
def _reading(path: Path) -> Iterator[BinaryIO]:
    with _file_errors(path):
        if path == STANDARD:
            yield sys.stdin.buffer
            return
        with path.open("rb") as stream:
            yield stream


@contextmanager
def _file_errors(path: Path) -> Iterator[None]:
    name = "stdin" if path == STANDARD else repr(str(path))
    try:
        yield
    except UnicodeDecodeError as error:
        raise InvalidInputError(f"{name} is not UTF-8 text") from error
    except OSError as error:
        raise InvalidInputError(f"{name}: {error.strerror}") from error
