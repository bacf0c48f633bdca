"""Adding files so that adding them again leaves what is in them now, and nothing else."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from hybrid_agent_memory import HybridMemory
from hybrid_agent_memory.chunking import list_files, load_file, split_text
from hybrid_agent_memory.chunking.files import NotTextError, source_of
from hybrid_agent_memory.cli.output import counted
from hybrid_agent_memory.cli.streams import STANDARD, read_text
from hybrid_agent_memory.errors import InvalidInputError
from hybrid_agent_memory.intake import take_in
from hybrid_agent_memory.protocols import Progress
from hybrid_agent_memory.records import JSON

Item = dict[str, JSON]
_ANY_TIME = datetime.fromtimestamp(0, UTC)


@dataclass(frozen=True, slots=True)
class Tally:
    """How many chunks adding files wrote, left as they were, and dropped."""

    added: int = 0
    unchanged: int = 0
    dropped: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.added + other.added, self.unchanged + other.unchanged, self.dropped + other.dropped)


@dataclass(frozen=True, slots=True)
class Reading:
    """Per source its chunks, and the files of folders that were left out: for their suffix, and as no UTF-8 text."""

    sources: dict[str, list[Item]]
    other_types: int
    no_text: list[Path]

    @property
    def skipped(self) -> int:
        """How many files were left out."""
        return self.other_types + len(self.no_text)

    def notices(self) -> Iterator[str]:
        """What to tell of files that gave nothing."""
        yield from (f"left out {str(file)!r}: it is not UTF-8 text" for file in self.no_text)
        yield from (f"no chunk of {source!r}: it holds no text" for source, items in self.sources.items() if not items)
        if self.other_types:
            yield f"left out {counted(self.other_types, 'file')} of other types"


def read_sources(
    paths: Sequence[Path], root: Path, stdin_name: str, max_chars: int, extra: Mapping[str, JSON]
) -> Reading:
    """Read and check everything before anything is stored; `extra` goes over the chunks' own metadata.

    Raises
    ------
    NotTextError
        If a file that is named itself is not UTF-8 text.
    InvalidInputError
        If a file cannot be read or has a wrong item, or stdin is blank.
    """
    sources: dict[str, list[Item]] = {}
    other_types = 0
    no_text: list[Path] = []
    for path in paths:
        if path == STANDARD:
            sources[stdin_name] = _read_stdin(stdin_name, max_chars)
            continue
        listing = list_files(path)
        other_types += listing.skipped
        for file in listing.files:
            try:
                sources[source_of(file, root)] = load_file(file, root=root, max_chars=max_chars)
            except NotTextError:
                if not path.is_dir():
                    raise
                no_text.append(file)
    merged = {source: list(checked(_with_metadata(items, extra), source)) for source, items in sources.items()}
    return Reading(merged, other_types, no_text)


def checked(items: Iterable[Item], place: str) -> Iterator[Item]:
    """Pass on items that `add` takes.

    Raises
    ------
    InvalidInputError
        At the first that it does not take; the message begins with `place`.
    """
    for at, item in enumerate(items):
        take_in(item, _ANY_TIME, f"{place}: item {at}")
        yield item


def _read_stdin(name: str, max_chars: int) -> list[Item]:
    text = read_text(STANDARD)
    if not text.strip():  # most likely the command before the pipe failed
        raise InvalidInputError(f"stdin is empty: nothing is added, and {name!r} stays as it was")
    pieces = split_text(text, max_chars=max_chars)
    return [{"id": f"{name}#{n}", "text": piece.text, "source": name} for n, piece in enumerate(pieces)]


def add_source(memory: HybridMemory, source: str, items: Sequence[Item], progress: Progress) -> Tally:
    """Make the memory hold exactly these chunks of a source.

    Chunks named ``source#n`` that are no longer among the items are dropped, after the new ones are in.

    Parameters
    ----------
    memory : HybridMemory
    source : str
    items : sequence of dict
        Each with an ``id``.
    progress : callable
        As in `HybridMemory.add`.

    Returns
    -------
    Tally

    Raises
    ------
    InvalidInputError
        If an item is not one that `add` takes; the message names the source.
    """
    ids = [str(item["id"]) for item in items]
    before = memory.get(ids)
    try:
        memory.add(items, progress=progress)
    except InvalidInputError as error:
        raise InvalidInputError(f"{source}: {error}") from error
    unchanged = sum(was is not None and was == now for was, now in zip(before, memory.get(ids), strict=True))
    stale = _numbered(memory, source) - set(ids)
    if stale:
        memory.delete(sorted(stale))
    return Tally(len(items) - unchanged, unchanged, len(stale))


def _with_metadata(items: list[Item], extra: Mapping[str, JSON]) -> list[Item]:
    return [item | {"metadata": _merged(item.get("metadata"), extra)} for item in items] if extra else items


def _merged(own: JSON, extra: Mapping[str, JSON]) -> JSON:
    """Both mappings in one; a value that is no mapping is left for `add` to refuse."""
    return own if own is not None and not isinstance(own, dict) else (own or {}) | dict(extra)


def _numbered(memory: HybridMemory, source: str) -> set[str]:
    name = re.compile(re.escape(source) + r"#\d+")
    stored = (str(item["id"]) for item in memory.export({"@source": {"$eq": source}}))
    return {found for found in stored if name.fullmatch(found)}
