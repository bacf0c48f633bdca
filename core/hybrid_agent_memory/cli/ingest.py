"""Adding files so that adding them again leaves what is in them now, and nothing else."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hybrid_agent_memory import HybridMemory
from hybrid_agent_memory.chunking import list_files, load_file, split_text
from hybrid_agent_memory.chunking.files import source_of
from hybrid_agent_memory.cli.streams import STANDARD, read_text
from hybrid_agent_memory.errors import InvalidInputError
from hybrid_agent_memory.protocols import Progress
from hybrid_agent_memory.records import JSON

Item = dict[str, JSON]


@dataclass(frozen=True, slots=True)
class Tally:
    """How many chunks adding files wrote, left as they were, and dropped."""

    added: int = 0
    unchanged: int = 0
    dropped: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.added + other.added, self.unchanged + other.unchanged, self.dropped + other.dropped)


def read_sources(
    paths: Sequence[Path], root: Path, stdin_name: str, max_chars: int, extra: Mapping[str, JSON]
) -> tuple[dict[str, list[Item]], int]:
    """Read everything before anything is stored.

    Returns
    -------
    sources : dict
        Per source its chunks, with `extra` over their own metadata.
    skipped : int
        How many files of folders were left out for their suffix.
    """
    sources: dict[str, list[Item]] = {}
    skipped = 0
    for path in paths:
        if path == STANDARD:
            pieces = split_text(read_text(path), max_chars=max_chars)
            sources[stdin_name] = [
                {"id": f"{stdin_name}#{n}", "text": piece.text, "source": stdin_name} for n, piece in enumerate(pieces)
            ]
            continue
        listing = list_files(path)
        skipped += listing.skipped
        for file in listing.files:
            sources[source_of(file, root)] = load_file(file, root=root, max_chars=max_chars)
    return {source: _with_metadata(items, extra) for source, items in sources.items()}, skipped


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
