"""Files and folders into the mappings that `add` takes."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from hybrid_agent_memory.chunking.front_matter import read_front_matter
from hybrid_agent_memory.chunking.markdown import split_markdown
from hybrid_agent_memory.chunking.pieces import DEFAULT_MAX_CHARS, Piece
from hybrid_agent_memory.chunking.plain import split_text
from hybrid_agent_memory.errors import InvalidInputError
from hybrid_agent_memory.records import JSON

MARKDOWN = frozenset({".md", ".markdown", ".mdx"})
JSON_LINES = frozenset({".jsonl", ".ndjson"})
PLAIN = frozenset({".txt", ".text", ".rst", ".adoc", ".org", ".log"})


class NotTextError(InvalidInputError):
    """A file that is not UTF-8 text."""


@dataclass(frozen=True, slots=True)
class Listing:
    """What a path holds: the files to read, sorted, and how many visible ones are passed over.

    Those have a suffix we do not read, or are pipes, sockets or devices.
    """

    files: tuple[Path, ...]
    skipped: int


def list_files(path: str | os.PathLike[str]) -> Listing:
    """List the files a path stands for.

    Parameters
    ----------
    path : str or path-like
        A file, listed whatever its suffix; or a folder, of which every Markdown, text and JSONL file is listed,
        sub-folders included. Names that begin with a dot are passed over, and links to folders are not followed.

    Returns
    -------
    Listing

    Raises
    ------
    InvalidInputError
        If there is nothing at `path`.
    """
    top = Path(path)
    if not top.exists():
        raise InvalidInputError(f"no such file or folder: {str(path)!r}")
    if not top.is_dir():
        return Listing((top,), 0)
    visible = list(_visible_files(top))
    readable = sorted(
        file for file in visible if file.suffix.lower() in MARKDOWN | JSON_LINES | PLAIN and not _is_special(file)
    )
    return Listing(tuple(readable), len(visible) - len(readable))


def load_path(
    path: str | os.PathLike[str],
    *,
    root: str | os.PathLike[str] = ".",
    max_chars: int = DEFAULT_MAX_CHARS,
) -> Iterator[dict[str, JSON]]:
    """Read a file or a folder as mappings that `HybridMemory.add` takes.

    Parameters
    ----------
    path : str or path-like
        A file or a folder, as for `list_files`.
    root : str or path-like
        The folder that sources and ids are relative to; a file outside it gets its absolute path.
    max_chars : int
        As for `split_markdown`.

    Yields
    ------
    dict
        As `load_file` returns them, file after file.

    Raises
    ------
    InvalidInputError
        If there is nothing at `path`, or a file is no text or no valid JSONL.
    """
    for file in list_files(path).files:
        yield from load_file(file, root=root, max_chars=max_chars)


def load_file(
    path: str | os.PathLike[str],
    *,
    root: str | os.PathLike[str] = ".",
    max_chars: int = DEFAULT_MAX_CHARS,
) -> list[dict[str, JSON]]:
    """Read one file as mappings that `HybridMemory.add` takes.

    Parameters
    ----------
    path : str or path-like
        A UTF-8 file. Markdown and JSONL go by their suffix, anything else is plain text.
    root : str or path-like
        The folder that sources and ids are relative to; a file outside it gets its absolute path.
    max_chars : int
        As for `split_markdown`.

    Returns
    -------
    list of dict
        Source `S` is the file's path with forward slashes. Piece n (from 0) of a text has id ``S#n``; a piece of
        Markdown has as metadata the simple lines of the file's front matter (`read_front_matter`) and ``heading``;
        those of the headings it stands under that are not in its text are put in front of it. A JSONL line is taken as
        it is, with id ``S#n`` and source `S` where it has none.

    Raises
    ------
    NotTextError
        If the file is not UTF-8 text.
    InvalidInputError
        If the file cannot be read, or a JSONL line is not an object with a `text`.
    """
    text = _read_text(Path(path))
    source = source_of(path, root)
    suffix = Path(path).suffix.lower()
    if suffix in JSON_LINES:
        return [_named(item, n, source) for n, item in enumerate(parse_json_lines(text.split("\n"), source))]
    if suffix in MARKDOWN:
        pieces, told = split_markdown(text, max_chars=max_chars), read_front_matter(text).values
    else:
        pieces, told = split_text(text, max_chars=max_chars), {}
    return [_item(piece, n, source, told) for n, piece in enumerate(pieces)]


def source_of(path: str | os.PathLike[str], root: str | os.PathLike[str]) -> str:
    r"""Name a file: its path from `root` with forward slashes, absolute when it lies outside.

    Bytes of a name that are not UTF-8 are written as ``\xff``.
    """
    absolute = Path(os.path.abspath(path))
    base = Path(os.path.abspath(root))
    name = (absolute.relative_to(base) if absolute.is_relative_to(base) else absolute).as_posix()
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def parse_json_lines(lines: Iterable[str], source: str) -> Iterator[dict[str, JSON]]:
    """Read JSON objects, one a line; blank lines are passed over.

    Parameters
    ----------
    lines : iterable of str
    source : str
        Where the lines are from, for the error message.

    Yields
    ------
    dict

    Raises
    ------
    InvalidInputError
        If a line is not a JSON object with a string `text`; the message says which.
    """
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield _parse_line(line, f"{source}, line {number}")


def _visible_files(top: Path) -> Iterator[Path]:
    for folder, subfolders, names in os.walk(top):
        subfolders[:] = [name for name in subfolders if not name.startswith(".")]
        yield from (Path(folder, name) for name in names if not name.startswith("."))


def _is_special(path: Path) -> bool:
    """Whether it is a pipe, a socket or a device, of which reading may never end."""
    return os.path.exists(path) and not os.path.isfile(path)


def _read_text(path: Path) -> str:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotTextError(f"{str(path)!r} is not UTF-8 text: convert it, or leave it out") from error
    except OSError as error:
        raise InvalidInputError(f"{str(path)!r} cannot be read: {error.strerror}") from error
    if "\0" in text:
        raise NotTextError(f"{str(path)!r} is a binary file, not text: convert it, or leave it out")
    return text


def _named(item: dict[str, JSON], number: int, source: str) -> dict[str, JSON]:
    defaults: dict[str, JSON] = {"id": f"{source}#{number}", "source": source}
    return defaults | {key: value for key, value in item.items() if value is not None}


def _item(piece: Piece, number: int, source: str, told: Mapping[str, str]) -> dict[str, JSON]:
    text = "\n\n".join([*piece.above, piece.text])
    item: dict[str, JSON] = {"id": f"{source}#{number}", "text": text, "source": source}
    metadata: dict[str, JSON] = {**told}
    if piece.heading_path:
        metadata["heading"] = " > ".join(piece.heading_path)
    return item | {"metadata": metadata} if metadata else item


def _parse_line(line: str, place: str) -> dict[str, JSON]:
    try:
        item = json.loads(line, parse_constant=_refuse_constant)
    except ValueError as error:
        raise InvalidInputError(f"{place}: not JSON ({error})") from error
    except RecursionError as error:
        raise InvalidInputError(f"{place}: nested too deep to be read: flatten it") from error
    if not isinstance(item, dict) or not isinstance(item.get("text"), str):
        raise InvalidInputError(f"{place}: give an object with a string 'text', not {line.strip()[:60]!r}")
    return item


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")
