"""The plan of adding episodes: extract, embed chunks and facts together, store each episode whole."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import TypeVar

from hybrid_agent_memory.add import unchanged
from hybrid_agent_memory.chunking import split_text
from hybrid_agent_memory.engines import ChunkReport, Draft, Engine, Extracted, FactDraft, Stored, Vector
from hybrid_agent_memory.engines.ownership import check_free
from hybrid_agent_memory.errors import ExtractorError, HybridMemoryError, InvalidInputError, shown
from hybrid_agent_memory.extract import Context, Extraction, Extractor, Triple
from hybrid_agent_memory.extract.checks import fault_of
from hybrid_agent_memory.gate import Gate
from hybrid_agent_memory.intake import Intake, take_in
from hybrid_agent_memory.plans import Plan, Step
from hybrid_agent_memory.records import Chunk, EpisodeReceipt, Record
from hybrid_agent_memory.text import cut

GIVEN = "given"
"""The extractor's name of what came extracted already."""
KNOWN = frozenset(field.name for field in fields(Chunk)) - {"vector"} | {"extraction"}
T = TypeVar("T")
EpisodeItem = str | Mapping[str, object] | Chunk


@dataclass(frozen=True, slots=True)
class Episode:
    """A checked episode: its chunks in order, and what it says where that is known already."""

    id: str
    chunks: tuple[Record, ...]
    extraction: Extraction | None = None


def take_in_episode(item: object, created_at: datetime, max_chars: int, where: str = "episode") -> Episode:
    """Check one episode and cut it into chunks.

    Raises
    ------
    InvalidInputError
        If anything about it is wrong; the message says what and what to give instead.
    """
    given = dict(item) if isinstance(item, Mapping) else item
    extraction: Extraction | None = None
    if isinstance(given, dict):
        unknown = [key for key in given if key not in KNOWN]
        if unknown:
            raise InvalidInputError(
                f"{where} has the unknown key {shown(unknown[0])}: known are {', '.join(sorted(KNOWN))}"
            )
        extraction = given.pop("extraction", None)
        if extraction is not None and (fault := fault_of(extraction)):
            raise InvalidInputError(f"{where}: extraction: {fault}")
    whole: Intake = take_in(given, created_at, where)
    record = whole.record
    pieces = [piece.text for piece in split_text(record.text, max_chars=max_chars)]
    if len(pieces) < 2:
        return Episode(record.id, (record,), extraction)
    chunks = tuple(replace(record, id=f"{record.id}#{at}", text=text) for at, text in enumerate(pieces))
    return Episode(record.id, chunks, extraction)


@dataclass(frozen=True, slots=True)
class EpisodeWriter:
    """What adding episodes needs besides them; of one namespace."""

    engine: Engine
    gate: Gate
    namespace: str
    extractor: Extractor
    batch_size: int

    def add(self, episodes: Sequence[Episode], *, later: bool) -> Plan[list[EpisodeReceipt]]:
        """Store episodes in one transaction; of those with one id the last, and none that is known and unchanged."""
        latest = {episode.id: episode for episode in episodes}
        _check_apart(latest.values())
        identity = yield from self.gate.for_writing(None)
        known = self.engine.get(self.namespace, [chunk.id for one in latest.values() for chunk in one.chunks])
        check_free(
            (chunk for one in latest.values() for chunk in one.chunks),
            {chunk: stored.record.episode_id for chunk, stored in known.items()},
        )
        given = [chunk.id for one in latest.values() if one.extraction is not None for chunk in one.chunks]
        stated = self.engine.extractions(self.namespace, [chunk for chunk in given if chunk in known])
        new = [one for one in latest.values() if not self._is_known(one, known, stated, later)]
        said = {} if later else (yield from self._extract_all(list(self._to_read(new, known))))
        for one in new:
            said.update(_given(one))
        vectors = yield from self._embed(new, said, known)
        drafts = [
            Draft(
                chunk,
                cut(self.gate.tokenizer, chunk.text),
                vectors.get(chunk.text),
                self._extracted(chunk, said[chunk.id], _extractor_of(one, self.extractor), vectors)
                if chunk.id in said
                else None,
                pending=chunk.id not in said,
            )
            for one in new
            for chunk in one.chunks
        ]
        reports = self.engine.write(self.namespace, drafts, identity) if drafts else []
        told = {draft.record.id: report for draft, report in zip(drafts, reports, strict=True)}
        left = [one for one in latest.values() if one.chunks[0].id not in told]
        if left:
            kept = (chunk.id for one in left for chunk in one.chunks)
            told |= self.engine.stated(self.namespace, kept, left[0].chunks[0].created_at)
        waiting = {draft.record.id for draft in drafts if draft.pending}
        unchanged = {one.id for one in left}
        waiting |= {chunk.id for one in left for chunk in one.chunks if known[chunk.id].pending}
        return [_receipt(latest[one.id], told, said, waiting, unchanged=one.id in unchanged) for one in episodes]

    def add_waiting(self, limit: int) -> Plan[int]:
        """Extract from chunks that wait for it; says how many, 0 only when none is left."""
        while waiting := self.engine.waiting(self.namespace, limit):
            identity = yield from self.gate.for_writing(None)
            said = yield from self._extract_all([(chunk, self._context(chunk)) for chunk in waiting.values()])
            vectors = yield from self._embed([], said, {})
            extracted = {
                key: self._extracted(chunk, said[chunk.id], self.extractor.name, vectors)
                for key, chunk in waiting.items()
            }
            done = self.engine.attach(self.namespace, extracted, identity)
            if done:  # else all of them were replaced meanwhile
                return done
        return 0

    def _is_known(
        self, episode: Episode, known: Mapping[str, Stored], stated: Mapping[str, Extraction], later: bool
    ) -> bool:
        given = _given(episode)
        for chunk in episode.chunks:
            stored = known.get(chunk.id)
            if stored is None or not unchanged(Intake(chunk, None), stored):
                return False
            if given:
                if stored.extractor != GIVEN or stated.get(chunk.id) != _as_stored(given[chunk.id]):
                    return False
            elif not (stored.extractor == self.extractor.name or (later and (stored.extractor or stored.pending))):
                return False
        return True

    # -- extraction -------------------------------------------------------------------------------------------------

    def _extract_all(self, chunks: Sequence[tuple[Record, Context]]) -> Plan[dict[str, Extraction]]:
        """By chunk id, what it says."""
        said: dict[str, Extraction] = {}
        for part in _parts(chunks, max(1, getattr(self.extractor, "parallel", 1)) * PORTION):
            steps = [self._extract_step(portion) for portion in _portions(part, self.extractor)]
            yield steps
            for step in steps:
                said.update(step.result())
        return said

    def _to_read(self, episodes: Sequence[Episode], known: Mapping[str, Stored]) -> Iterator[tuple[Record, Context]]:
        """The chunks to be extracted from, each as if the episodes before its own were stored already."""
        turns: dict[str, list[Record]] = {}
        replaced: set[str] = set()
        for episode in episodes:
            replaced |= {episode.id, *(chunk.id for chunk in episode.chunks)}
            for chunk in episode.chunks:
                earlier = turns.setdefault(chunk.session or "", [])
                if episode.extraction is None:
                    stored = known.get(chunk.id)
                    before = [turn for turn in earlier if _comes_before(turn, chunk, stored)]
                    yield chunk, self._context(chunk, before, replaced)
                earlier.append(chunk)

    def _context(self, chunk: Record, turns: Sequence[Record] = (), without: Collection[str] = ()) -> Context:
        """What is known around a chunk: these turns, and those that are stored `without` the ones they replace."""
        wanted = self.extractor.previous_turns
        if not wanted or chunk.session is None:
            return Context(chunk.time, chunk.speaker)
        stored = self.engine.previous_turns(self.namespace, chunk, wanted, without)
        before = sorted([*stored, *turns], key=_time_of)[-wanted:]
        said = (turn.text if turn.speaker is None else f"{turn.speaker}: {turn.text}" for turn in before)
        return Context(chunk.time, chunk.speaker, tuple(said))

    def _extract_step(self, portion: Sequence[tuple[Record, Context]]) -> Step[dict[str, Extraction]]:
        native = getattr(self.extractor, "aextract", None)

        def call() -> dict[str, Extraction]:
            said = {}
            for chunk, context in portion:
                with _our_errors():
                    said[chunk.id] = _checked(self.extractor.extract(chunk.text, context))
            return said

        async def acall() -> dict[str, Extraction]:
            said = {}
            if native is None:
                return call()
            for chunk, context in portion:
                with _our_errors():
                    said[chunk.id] = _checked(await native(chunk.text, context))
            return said

        return Step(call, None if native is None else acall)

    def _extracted(self, chunk: Record, said: Extraction, extractor: str, vectors: Mapping[str, Vector]) -> Extracted:
        facts = [self._fact_draft(chunk, triple, f"{chunk.id}!{at}", vectors) for at, triple in enumerate(said.triples)]
        return Extracted(extractor, said.mentions, facts)

    def _fact_draft(self, chunk: Record, triple: Triple, identity: str, vectors: Mapping[str, Vector]) -> FactDraft:
        text = _sentence(triple)
        record = replace(chunk, id=identity, text=text, time=triple.valid_at or chunk.time)
        return FactDraft(triple, record, cut(self.gate.tokenizer, text), vectors.get(text))

    # -- vectors ----------------------------------------------------------------------------------------------------

    def _embed(
        self, episodes: Sequence[Episode], said: Mapping[str, Extraction], known: Mapping[str, Stored]
    ) -> Plan[dict[str, Vector]]:
        """By text, the vectors of chunks and facts; a known text keeps its vector."""
        if self.gate.vectors.embedder is None:
            return {}
        made = {stored.record.text: stored.vector for stored in known.values() if stored.vector is not None}
        texts = [chunk.text for one in episodes for chunk in one.chunks]
        texts += [_sentence(triple) for extraction in said.values() for triple in extraction.triples]
        missing = [text for text in dict.fromkeys(texts) if text not in made]
        for part in _parts(missing, self.batch_size):
            step = self.gate.documents(list(part))
            yield [step]
            made.update(zip(part, step.result(), strict=True))
        return made


PORTION = 32
"""Texts that an extractor is given in one go; the event loop and other threads run in between."""


def _extractor_of(episode: Episode, extractor: Extractor) -> str:
    return GIVEN if episode.extraction is not None else extractor.name


def _given(episode: Episode) -> dict[str, Extraction]:
    """By chunk id, what an episode came with."""
    if episode.extraction is None:
        return {}
    return {chunk.id: Extraction() for chunk in episode.chunks} | {episode.chunks[0].id: episode.extraction}


def _time_of(turn: Record) -> datetime:
    """When a turn of a session was; a timeless one when it was written."""
    return turn.time or turn.created_at


def _comes_before(turn: Record, chunk: Record, stored: Stored | None) -> bool:
    """Whether a turn written just before a chunk is before it; one that is stored keeps its place for itself."""
    if turn.episode_id == chunk.episode_id:
        return True
    if stored is None:
        return _time_of(turn) <= _time_of(chunk)
    return _time_of(turn) < (chunk.time or stored.record.created_at)


def _as_stored(said: Extraction) -> Extraction:
    """What is kept of an extraction."""
    return Extraction(tuple(said.mentions), tuple(replace(triple, text=_sentence(triple)) for triple in said.triples))


def _parts(values: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (values[start : start + size] for start in range(0, len(values), size))


def _portions(
    part: Sequence[tuple[Record, Context]], extractor: Extractor
) -> Iterator[Sequence[tuple[Record, Context]]]:
    parallel = max(1, getattr(extractor, "parallel", 1))
    return _parts(part, max(1, -(-len(part) // parallel)))


@contextmanager
def _our_errors() -> Iterator[None]:
    try:
        yield
    except HybridMemoryError:
        raise
    except Exception as error:  # an extractor of the caller's may raise anything; the cause is kept
        raise ExtractorError(
            f"the extractor failed ({type(error).__name__}: {error}): this batch was not stored"
        ) from error


def _checked(extraction: Extraction) -> Extraction:
    fault = fault_of(extraction)
    if fault:
        raise ExtractorError(f"the extractor broke its contract ({fault}): this batch was not stored")
    return extraction


def _check_apart(episodes: Iterable[Episode]) -> None:
    """Refuse episodes with a chunk of the same id, such as a second chunk ``a#1`` of one and the other called that."""
    owners: dict[str, str] = {}
    for episode in episodes:
        for chunk in episode.chunks:
            other = owners.setdefault(chunk.id, episode.id)
            if other != episode.id:
                raise InvalidInputError(
                    f"episodes {other!r} and {episode.id!r} both have a chunk {chunk.id!r}: rename one"
                )


def _sentence(triple: Triple) -> str:
    return triple.text.strip() or f"{triple.subject.name} {triple.predicate.replace('_', ' ')} {triple.object.name}"


def _receipt(
    episode: Episode,
    told: Mapping[str, ChunkReport],
    said: Mapping[str, Extraction],
    waiting: Collection[str],
    *,
    unchanged: bool,
) -> EpisodeReceipt:
    reports = [told.get(chunk.id, ChunkReport()) for chunk in episode.chunks]
    extractions = [said[chunk.id] for chunk in episode.chunks if chunk.id in said]
    usage: dict[str, int] = {}
    for extraction in extractions:
        for name, count in extraction.usage.items():
            usage[name] = usage.get(name, 0) + count
    return EpisodeReceipt(
        id=episode.id,
        chunk_ids=tuple(chunk.id for chunk in episode.chunks),
        entities=tuple(dict.fromkeys(name for report in reports for name in report.entities)),
        created=tuple(dict.fromkeys(name for report in reports for name in report.created)),
        merged=tuple(dict.fromkeys(pair for report in reports for pair in report.merged)),
        facts=tuple(fact for report in reports for fact in report.facts),
        superseded=tuple(fact for report in reports for fact in report.superseded),
        reopened=tuple(fact for report in reports for fact in report.reopened),
        note="; ".join(dict.fromkeys(one.note for one in extractions if one.note)),
        usage=usage,
        pending=any(chunk.id in waiting for chunk in episode.chunks),
        unchanged=unchanged,
    )
