"""Adding files so that adding them again leaves what is in them now, and nothing else."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from hybrid_agent_memory import HybridMemory
from hybrid_agent_memory.chunking import list_files, load_file, split_text
from hybrid_agent_memory.chunking.files import NotTextError, source_of
from hybrid_agent_memory.cli.output import counted
from hybrid_agent_memory.cli.streams import STANDARD, read_text
from hybrid_agent_memory.config import Config
from hybrid_agent_memory.episodes import take_in_episode
from hybrid_agent_memory.errors import InvalidInputError
from hybrid_agent_memory.graph_memory import Extract
from hybrid_agent_memory.intake import take_in
from hybrid_agent_memory.protocols import Progress
from hybrid_agent_memory.records import JSON, EpisodeReceipt

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
class Learned:
    """What was found in the texts that were read: how many entities and facts, and notes on what was not."""

    new_entities: int = 0
    facts: int = 0
    superseded: int = 0
    pending: int = 0
    notes: tuple[str, ...] = ()

    def __add__(self, other: "Learned") -> "Learned":
        return Learned(
            self.new_entities + other.new_entities,
            self.facts + other.facts,
            self.superseded + other.superseded,
            self.pending + other.pending,
            self.notes + other.notes,
        )

    @classmethod
    def from_receipts(cls, receipts: Iterable[EpisodeReceipt]) -> "Learned":
        """The sum of what adding episodes brought."""
        found = cls()
        for one in receipts:
            if one.unchanged:
                found += cls(pending=int(one.pending))
                continue
            notes = (one.note,) if one.note else ()
            found += cls(len(one.created), len(one.facts), len(one.superseded), int(one.pending), notes)
        return found

    def counts(self) -> dict[str, int]:
        """The numbers by name."""
        return {
            "new_entities": self.new_entities,
            "facts": self.facts,
            "superseded": self.superseded,
            "pending": self.pending,
        }

    def sentence(self) -> str:
        """The numbers in words."""
        if self.pending:
            return f"entities and facts of {counted(self.pending, 'episode')} still to be found: hybrid-memory extract"
        return (
            f"{counted(self.facts, 'fact')} found, {counted(self.superseded, 'fact')} superseded; "
            f"entities not known before: {self.new_entities}"
        )


@dataclass(frozen=True, slots=True)
class Ingest:
    """How files are read: what ids are relative to, what goes on every chunk, whether facts are looked for.

    `metadata` goes over that of the chunks, `fields` (time, session, speaker) are for chunks that have none.
    """

    root: Path
    stdin_name: str
    max_chars: int
    metadata: Mapping[str, JSON] = field(default_factory=dict)
    fields: Mapping[str, JSON] = field(default_factory=dict)
    extract: Extract | None = None


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


def read_sources(paths: Sequence[Path], ingest: Ingest) -> Reading:
    """Read and check everything before anything is stored.

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
            sources[ingest.stdin_name] = _read_stdin(ingest.stdin_name, ingest.max_chars)
            continue
        listing = list_files(path)
        other_types += listing.skipped
        for file in listing.files:
            try:
                name = source_of(file, ingest.root)
                sources[name] = load_file(file, root=ingest.root, max_chars=ingest.max_chars)
            except NotTextError:
                if not path.is_dir():
                    raise
                no_text.append(file)
    completed = {
        source: list(checked([_completed(item, ingest) for item in items], source, episodes=ingest.extract is not None))
        for source, items in sources.items()
    }
    return Reading(completed, other_types, no_text)


def checked(items: Iterable[Item], place: str, *, episodes: bool = False) -> Iterator[Item]:
    """Pass on items that `add`, or `add_episodes`, takes.

    Raises
    ------
    InvalidInputError
        At the first that it does not take; the message begins with `place`.
    """
    for at, item in enumerate(items):
        if episodes:
            take_in_episode(item, _ANY_TIME, Config().chunk_chars, f"{place}: item {at}")
        else:
            take_in(item, _ANY_TIME, f"{place}: item {at}")
        yield item


def _read_stdin(name: str, max_chars: int) -> list[Item]:
    text = read_text(STANDARD)
    if not text.strip():  # most likely the command before the pipe failed
        raise InvalidInputError(f"stdin is empty: nothing is added, and {name!r} stays as it was")
    pieces = split_text(text, max_chars=max_chars)
    return [{"id": f"{name}#{n}", "text": piece.text, "source": name} for n, piece in enumerate(pieces)]


def add_source(
    memory: HybridMemory, source: str, items: Sequence[Item], progress: Progress, extract: Extract | None
) -> tuple[Tally, Learned]:
    """Make the memory hold exactly these chunks of a source.

    Chunks named ``source#n`` (or ``source#n#m``, of an episode that was cut) that are no longer among the items are
    dropped, after the new ones are in.

    Parameters
    ----------
    memory : HybridMemory
    source : str
    items : sequence of dict
        Each with an ``id``.
    progress : callable
        As in `HybridMemory.add`.
    extract : {"now", "later"} or None
        Whether, and when, entities and facts are found in them; None means never.

    Returns
    -------
    tuple
        What became of the chunks, and what was found in them.

    Raises
    ------
    InvalidInputError
        If an item is not one that the memory takes; the message names the source.
    """
    ids = _chunk_ids(items) if extract else [str(item["id"]) for item in items]
    before = memory.get(ids)
    receipts: list[EpisodeReceipt] = []
    try:
        if extract is None:
            memory.add(items, progress=progress)
        else:
            receipts = memory.add_episodes(items, extract=extract, progress=progress)
    except InvalidInputError as error:
        raise InvalidInputError(f"{source}: {error}") from error
    unchanged = sum(was is not None and was == now for was, now in zip(before, memory.get(ids), strict=True))
    stale = _numbered(memory, source) - set(ids)
    if stale:
        memory.delete(sorted(stale))
    return Tally(len(ids) - unchanged, unchanged, len(stale)), Learned.from_receipts(receipts)


def _chunk_ids(items: Sequence[Item]) -> list[str]:
    """The ids of the chunks that the items will be as episodes."""
    episodes = [take_in_episode(item, _ANY_TIME, Config().chunk_chars) for item in items]
    return [chunk.id for episode in episodes for chunk in episode.chunks]


def _completed(item: Item, ingest: Ingest) -> Item:
    given = {key: value for key, value in ingest.fields.items() if value is not None and item.get(key) is None}
    item = {**item, **given}
    return item | {"metadata": _merged(item.get("metadata"), ingest.metadata)} if ingest.metadata else item


def _merged(own: JSON, extra: Mapping[str, JSON]) -> JSON:
    """Both mappings in one; a value that is no mapping is left for `add` to refuse."""
    return own if own is not None and not isinstance(own, dict) else (own or {}) | dict(extra)


def _numbered(memory: HybridMemory, source: str) -> set[str]:
    name = re.compile(re.escape(source) + r"#\d+(#\d+)?")
    stored = (str(item["id"]) for item in memory.export({"@source": {"$eq": source}}))
    return {found for found in stored if name.fullmatch(found)}
