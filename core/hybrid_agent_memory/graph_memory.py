"""The part of the façade that is about episodes, entities and facts."""

import asyncio
import time
from collections.abc import Hashable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import cached_property, partial
from itertools import islice
from typing import TYPE_CHECKING, Literal

from hybrid_agent_memory.config import Config
from hybrid_agent_memory.engines import Engine, Moment
from hybrid_agent_memory.entities import Entities, EntityLookup, KnownNames
from hybrid_agent_memory.episodes import Episode, EpisodeItem, EpisodeWriter, take_in_episode
from hybrid_agent_memory.errors import BatchError, InvalidInputError, check_count, shown
from hybrid_agent_memory.extract import Extractor, predicate_key
from hybrid_agent_memory.extract.alignment import meanings
from hybrid_agent_memory.extract.vocabulary import DEFAULT, Vocabulary
from hybrid_agent_memory.fact_items import FactItem, take_in_fact
from hybrid_agent_memory.gate import Gate
from hybrid_agent_memory.graph.names import Name, name_key
from hybrid_agent_memory.graph.resolution import Constraint, unmerging
from hybrid_agent_memory.intake import check_name
from hybrid_agent_memory.plans import Plan, awaitable, blocking, in_thread
from hybrid_agent_memory.protocols import Progress
from hybrid_agent_memory.records import Chunk, EpisodeReceipt, Fact, Metadata
from hybrid_agent_memory.times import Timeish, parse_time

if TYPE_CHECKING:
    import networkx

Extract = Literal["now", "later"]
LONGEST_BATCH = 1.0  # seconds after which what an iterator has given is stored


class GraphMemory:
    """What `HybridMemory` can do with episodes, entities and facts."""

    name: str
    _engine: Engine
    _gate: Gate
    _config: Config
    _extractor_source: "ExtractorSource"
    _drawn: "tuple[Hashable, datetime, datetime, networkx.MultiDiGraph[str]] | None" = None

    def _now(self) -> datetime:
        raise NotImplementedError

    # -- writing ----------------------------------------------------------------------------------------------------

    def _add_episode(
        self,
        text: str,
        *,
        id: str | None = None,  # noqa: A002
        time: Timeish | None = None,
        session: str | None = None,
        speaker: str | None = None,
        source: str | None = None,
        metadata: Metadata | None = None,
        extract: Extract = "now",
    ) -> Plan[EpisodeReceipt]:
        """Remember one thing that happened or was read, and the entities and facts in it.

        Parameters
        ----------
        text : str
            A message, a document; a long one is cut into several chunks.
        id : str, optional
            The caller's id, kept as it is; adding it again replaces the episode with all it stated.
        time : datetime, str, int or float, optional
            When it happened. None means timeless: it never decays, and its facts hold from when they are written.
        session, speaker, source : str, optional
            Which conversation, who said it, where it came from.
        metadata : mapping, optional
            JSON values under string keys, for filters; ``pinned: True`` keeps it from decaying.
        extract : {"now", "later"}
            ``"later"`` stores now, so that its words and meaning are found, and leaves entities and facts to
            `extract_pending`.

        Returns
        -------
        EpisodeReceipt
            What was created, merged and superseded.

        Raises
        ------
        InvalidInputError
            If an argument is wrong.
        MismatchError
            If the memory was built with another embedder or tokenizer.
        ExtractorError
            If the extractor fails; nothing was stored.

        Examples
        --------
        >>> from hybrid_agent_memory import HybridMemory
        >>> memory = HybridMemory.in_memory()
        >>> _ = memory.add_episode("The budget of Project Atlas is 500k.", time="2024-10-14")
        >>> receipt = memory.add_episode("The budget of Project Atlas is 600k.", time="2024-10-20")
        >>> [(fact.object, fact.invalid_at.day) for fact in receipt.superseded]
        [('500k', 20)]
        """
        if isinstance(text, Mapping | Chunk):
            raise InvalidInputError(
                f"text is a {type(text).__name__}: give a string and the rest by keyword, or a list to add_episodes"
            )
        fields = {"id": id, "time": time, "session": session, "speaker": speaker, "source": source}
        receipts = yield from self._add_episodes([{"text": text, "metadata": metadata, **fields}], extract=extract)
        return receipts[0]

    add_episode = blocking(_add_episode)
    aadd_episode = awaitable(_add_episode)

    def _add_episodes(
        self,
        episodes: Iterable[EpisodeItem],
        *,
        extract: Extract = "now",
        progress: Progress | None = None,
    ) -> Plan[list[EpisodeReceipt]]:
        """Remember many episodes; each is stored whole or not at all.

        Parameters
        ----------
        episodes : iterable of mapping, str or Chunk
            Mappings take the arguments of `add_episode`, and ``extraction``: a ready `Extraction`, used as it is. A
            list is checked as a whole before anything is stored. They are stored in transactions of at most
            `Config.episode_batch` episodes, fewer when that takes longer than a second.
        extract : {"now", "later"}
            See `add_episode`.
        progress : callable, optional
            Told (episodes stored, episodes in all or None), after they are stored.

        Returns
        -------
        list of EpisodeReceipt
            In the order of the episodes; those of one transaction show the state after the whole of it.

        Raises
        ------
        InvalidInputError
            If an episode of a list is wrong; then nothing was stored.
        BatchError
            If something goes wrong later; it says how many episodes are stored.

        Examples
        --------
        >>> from hybrid_agent_memory import HybridMemory
        >>> memory = HybridMemory.in_memory()
        >>> receipts = memory.add_episodes([{"text": "Ann owns Project Atlas.", "time": "2024-10-14"}, "All quiet."])
        >>> [len(receipt.facts) for receipt in receipts]
        [1, 0]
        """
        if extract not in ("now", "later"):
            raise InvalidInputError(f"extract {shown(extract)} is unknown: give 'now' or 'later'")
        if isinstance(episodes, str | Mapping | Chunk) or not isinstance(episodes, Iterable):
            raise InvalidInputError(
                f"episodes is a {type(episodes).__name__}: give a list of mappings, or use add_episode for one"
            )
        total = len(episodes) if isinstance(episodes, list | tuple) else None
        if isinstance(episodes, list | tuple):
            source = iter([self._take_in(item, at) for at, item in enumerate(episodes)])
        else:
            source = (self._take_in(item, at) for at, item in enumerate(episodes))
        receipts: list[EpisodeReceipt] = []
        size = min(self._config.episode_batch, self._config.batch_size)
        while True:
            started = time.monotonic()
            try:
                batch = _gather(source, size)
                receipts += yield from self._store_episodes(batch, later=extract == "later")
            except Exception as error:  # the caller's iterator may raise anything; the cause is kept
                if not receipts and total is not None:
                    raise
                message = f"{error} (episodes stored before that: {len(receipts)})"
                raise BatchError(message, len(receipts)) from error
            if not batch:
                return receipts
            if progress is not None:
                progress(len(receipts), total)
            size = _next_size(len(batch), time.monotonic() - started, self._config.episode_batch)

    add_episodes = blocking(_add_episodes)
    aadd_episodes = awaitable(_add_episodes)

    def _take_in(self, item: object, at: int) -> Episode:
        return take_in_episode(item, self._now(), self._config.chunk_chars, f"episode {at}")

    def _store_episodes(self, batch: list[Episode], *, later: bool) -> Plan[list[EpisodeReceipt]]:
        if not batch:
            return []
        return (yield from self._gate.through(lambda: self._writer().add(batch, later=later)))

    def _writer(self) -> EpisodeWriter:
        return EpisodeWriter(self._engine, self._gate, self.name, self._extractor, self._config.batch_size)

    @property
    def _extractor(self) -> Extractor:
        return self._extractor_source.extractor

    @property
    def _vocabulary(self) -> Vocabulary:
        return self._extractor_source.vocabulary

    def _extract_pending(self, limit: int | None = None, progress: Progress | None = None) -> Plan[int]:
        """Extract entities and facts from what was added with ``extract="later"``.

        Parameters
        ----------
        limit : int, optional
            How many chunks at most; all without.
        progress : callable, optional
            Told (chunks done, chunks that were waiting).

        Returns
        -------
        int
            How many chunks were done. Each is done whole, so a call that was killed is taken up by the next.

        Raises
        ------
        InvalidInputError
            If `limit` is no positive number.

        Examples
        --------
        >>> from hybrid_agent_memory import HybridMemory
        >>> memory = HybridMemory.in_memory()
        >>> _ = memory.add_episode("Ann owns Project Atlas.", extract="later")
        >>> memory.stats().pending, memory.extract_pending(), memory.stats().pending
        (1, 1, 0)
        """
        if limit is not None:
            check_count("limit", limit)
        waiting = self._engine.stats(self.name).pending
        wanted = waiting if limit is None else min(limit, waiting)
        done = 0
        while done < wanted:
            made = yield from self._gate.through(partial(self._writer().add_waiting, self._size(wanted - done)))
            if not made:
                break
            done += made
            if progress is not None:
                progress(done, wanted)
        return done

    def _size(self, remaining: int) -> int:
        return min(self._config.batch_size, remaining)

    extract_pending = blocking(_extract_pending)
    aextract_pending = awaitable(_extract_pending)

    def _add_facts(self, facts: Iterable[FactItem]) -> Plan[list[EpisodeReceipt]]:
        """Remember facts that are known already, each as an episode of its own that states it.

        Parameters
        ----------
        facts : iterable of mapping
            With ``subject``, ``predicate`` and ``object``; optionally ``text`` (the sentence), ``kind``, ``valid_at``,
            ``invalid_at``, ``single_valued``, ``subject_type``, ``object_type``, and an episode's ``id``, ``time``,
            ``session``, ``speaker``, ``source``, ``metadata``. A predicate in the words of the vocabulary, such as
            ``"owned by"``, ``"负责人"`` or, the other way round, ``"owns"``, is stored under its name, ``owner``;
            others stay what they are.

        Returns
        -------
        list of EpisodeReceipt

        Raises
        ------
        InvalidInputError
            If a fact is wrong; then nothing was stored.

        Examples
        --------
        >>> from hybrid_agent_memory import HybridMemory
        >>> memory = HybridMemory.in_memory()
        >>> _ = memory.add_facts([{"subject": "Project Atlas", "predicate": "owner", "object": "Ann"}])
        >>> [fact.object for fact in memory.history("Project Atlas")]
        ['Ann']
        """
        if isinstance(facts, str | Mapping) or not isinstance(facts, Iterable):
            raise InvalidInputError(f"facts is a {type(facts).__name__}: give a list of mappings")
        items = [take_in_fact(item, f"fact {at}", self._vocabulary) for at, item in enumerate(facts)]
        return (yield from self._add_episodes(items))

    add_facts = blocking(_add_facts)
    aadd_facts = awaitable(_add_facts)

    # -- entities ---------------------------------------------------------------------------------------------------

    @property
    def entities(self) -> EntityLookup:
        """The entities of this namespace: `entities()` lists them, `entities("acme")` those with these letters.

        `entities.suggest_merges()` lists pairs of names that may be one entity, `entities.judge_merges(judge)` has them
        decided, and `entities.merges()` tells what was decided so far.

        Examples
        --------
        >>> from hybrid_agent_memory import HybridMemory
        >>> memory = HybridMemory.in_memory()
        >>> _ = memory.add_episodes(["Acme Robotics called.", "The order is for Acme."])
        >>> [(entity.name, entity.mentions) for entity in memory.entities()]
        [('Acme', 1), ('Acme Robotics', 1)]
        >>> [(pair.a, pair.b) for pair in memory.entities.suggest_merges()]
        [('Acme', 'Acme Robotics')]
        """
        return EntityLookup(self._engine, self._gate, self.name, self._now)

    async def aentities(self, query: str | None = None) -> Entities:
        """See `entities`."""
        return await asyncio.to_thread(self.entities, query)

    def merge_entities(self, a: str, b: str) -> None:
        """Say that two names are one entity, from now on and for all that was stored before.

        Parameters
        ----------
        a, b : str
            Names as any text writes them; where several entities go by one, with the type: ``"Jordan (person)"``.

        Raises
        ------
        InvalidInputError
            If no entity goes by one of the names, or several do, or both are one name.

        Notes
        -----
        `unmerge` takes it back; both are kept in a log, `entities.merges()`.

        Examples
        --------
        >>> from hybrid_agent_memory import HybridMemory
        >>> memory = HybridMemory.in_memory()
        >>> _ = memory.add_episodes(["Acme Robotics called.", "The order is for Acme."])
        >>> memory.merge_entities("Acme", "Acme Robotics")
        >>> [(entity.name, entity.aliases, entity.mentions) for entity in memory.entities("acme")]
        [('Acme Robotics', ('Acme',), 2)]
        """
        first, second = self._two_names(a, b)
        self._engine.constrain(self.name, [Constraint("merge", first, second)], self._now())

    amerge_entities = in_thread(merge_entities)

    def unmerge(self, a: str, b: str) -> None:
        """Take back that two names were merged; where that is not what made them one, keep them apart from now on.

        Names that were merged with both stay with the first.

        Raises
        ------
        InvalidInputError
            As for `merge_entities`.

        Examples
        --------
        >>> from hybrid_agent_memory import HybridMemory
        >>> memory = HybridMemory.in_memory()
        >>> _ = memory.add_episodes(["Acme Robotics called.", "The order is for Acme."])
        >>> memory.merge_entities("Acme", "Acme Robotics")
        >>> memory.unmerge("Acme", "Acme Robotics")
        >>> sorted(entity.name for entity in memory.entities("acme"))
        ['Acme', 'Acme Robotics']
        """
        first, second = self._two_names(a, b)
        log = self._engine.constraints(self.name)
        more = unmerging(first, second, log, partial(self._engine.resolved, self.name))
        self._engine.constrain(self.name, more, self._now())

    aunmerge = in_thread(unmerge)

    def _two_names(self, a: str, b: str) -> tuple[Name, Name]:
        known = KnownNames(self._engine.names(self.name))
        first, second = known.meant(a), known.meant(b)
        if first == second:
            raise InvalidInputError(f"{shown(a)} and {shown(b)} are one name: give two")
        return first, second

    # -- facts ------------------------------------------------------------------------------------------------------

    def history(
        self,
        subject: str,
        predicate: str | None = None,
        *,
        now: Timeish | None = None,
        as_of: Timeish | None = None,
        known_at: Timeish | None = None,
    ) -> list[Fact]:
        """Everything that was, is and will be so of a subject, oldest first.

        Parameters
        ----------
        subject : str
            Any name of the entity.
        predicate : str, optional
            Only this predicate, by its name or in words of the vocabulary: ``"budget"``, ``"works for"``, ``"负责人"``.
            Words that name their object first give the facts whose object the subject is: of Ann, ``"owns"`` gives
            those with the predicate ``owner``.
        now : datetime, str, int or float, optional
            The time by which facts are current or past; the clock's.
        as_of, known_at : datetime, str, int or float, optional
            Leave out what happened, and what was written, later.

        Returns
        -------
        list of Fact
            Empty when there is no such subject.

        Examples
        --------
        >>> from hybrid_agent_memory import HybridMemory
        >>> memory = HybridMemory.in_memory()
        >>> _ = memory.add_episodes([{"text": "The budget of Project Atlas is 500k.", "time": "2024-10-14"},
        ...     {"text": "The budget of Project Atlas is 600k.", "time": "2024-10-20"}])
        >>> [(fact.object, fact.status) for fact in memory.history("Project Atlas", "budget")]
        [('500k', 'past'), ('600k', 'current')]
        """
        subject = check_name(subject, "subject")
        moment = self._moment(now, as_of, known_at)
        if predicate is None:
            return self._engine.facts(self.name, moment, subject)
        label = predicate_key(check_name(predicate, "predicate"))
        if label in self._vocabulary and (named := self._engine.facts(self.name, moment, subject, {label})):
            return named
        forward, inverse = self._predicates_meant(subject, label)
        return self._engine.facts(self.name, moment, subject, {label, *forward}, inverse)

    ahistory = in_thread(history)

    def _predicates_meant(self, subject: str, label: str) -> tuple[set[str], set[str]]:
        """The predicates that a label means of a subject: those that it is the subject of, and the object of."""
        meant = meanings(label, self._vocabulary)
        forward = {predicate.name for predicate, inverse in meant if not inverse}
        turned = [predicate for predicate, inverse in meant if inverse]
        if not turned:
            return forward, set()
        key = name_key(subject)
        kinds = {name.type for name in self._engine.names(self.name) if name.key == key} - {"name", "other"}
        possible = {predicate.name for predicate in turned if not kinds or not kinds.isdisjoint(predicate.objects)}
        # of a project, "responsible for" cannot mean what it is responsible for, but who is for it
        other_way = {predicate.name for predicate in turned if kinds.isdisjoint(predicate.objects)}
        return forward | other_way, possible

    def _moment(self, now: Timeish | None, as_of: Timeish | None, known_at: Timeish | None) -> Moment:
        return Moment(
            self._now() if now is None else parse_time(now, name="now"),
            None if as_of is None else parse_time(as_of, name="as_of"),
            None if known_at is None else parse_time(known_at, name="known_at"),
        )

    @property
    def graph(self) -> "networkx.MultiDiGraph[str]":
        """The current entities and facts as a frozen networkx graph.

        It is the same one until the next write, or until one of its facts ends.

        Nodes are entities by name (with ``name``, ``type``, ``aliases``, ``mentions``), several of one name by
        ``"name (type)"``; edges are facts that hold now or will, from subject to object, keyed by id (with
        ``predicate``, ``kind``, ``text``, ``valid_at``, ``invalid_at``).

        Examples
        --------
        >>> from hybrid_agent_memory import HybridMemory
        >>> memory = HybridMemory.in_memory()
        >>> _ = memory.add_episode("Ann owns Project Atlas.", id="a")
        >>> [(start, end, key) for start, end, key in memory.graph.edges(keys=True)]
        [('Project Atlas', 'Ann', 'a!0')]
        """
        version, now = self._engine.graph_version(self.name), self._now()
        if self._drawn is None or self._drawn[0] != version or not self._drawn[1] <= now < self._drawn[2]:
            graph = self.graph_at(now=now)
            ends: list[datetime | None] = [one["invalid_at"] for _, _, one in graph.edges(data=True)]
            until = min(filter(None, ends), default=datetime.max.replace(tzinfo=UTC))
            self._drawn = version, now, until, graph
        return self._drawn[3]

    def graph_at(
        self, *, now: Timeish | None = None, as_of: Timeish | None = None, known_at: Timeish | None = None
    ) -> "networkx.MultiDiGraph[str]":
        """What `graph` is, by another present or of another time; drawn anew for each call.

        Parameters
        ----------
        now : datetime, str, int or float, optional
            The time by which facts hold, or will; the clock's.
        as_of, known_at : datetime, str, int or float, optional
            Leave out what happened, and what was written, later; at `as_of`, facts that had not ended hold.

        Examples
        --------
        >>> from hybrid_agent_memory import HybridMemory
        >>> memory = HybridMemory.in_memory()
        >>> _ = memory.add_episodes([{"text": "The budget of Project Atlas is 500k.", "time": "2024-10-14"},
        ...     {"text": "The budget of Project Atlas is 600k.", "time": "2024-10-20"}])
        >>> list(memory.graph_at(as_of="2024-10-15").edges())
        [('Project Atlas', '500k')]
        """
        from hybrid_agent_memory.graph.view import as_networkx

        return as_networkx(*self._engine.drawn(self.name, self._moment(now, as_of, known_at)))

    agraph_at = in_thread(graph_at)


class ExtractorSource:
    """The extractor of all handles of a memory: the given one, else rules, which are made when first needed."""

    def __init__(self, extractor: Extractor | None) -> None:
        check_extractor(extractor)
        self._given = extractor

    @cached_property
    def extractor(self) -> Extractor:
        """The one to use."""
        if self._given is not None:
            return self._given
        from hybrid_agent_memory.extract.rules import RuleExtractor

        return RuleExtractor()

    @property
    def vocabulary(self) -> Vocabulary:
        """The words for predicates that the extractor goes by, if it has a vocabulary at all."""
        known = getattr(self._given, "vocabulary", None)
        return known if isinstance(known, Vocabulary) else DEFAULT


def check_extractor(extractor: object) -> None:
    """Refuse what cannot extract.

    Raises
    ------
    InvalidInputError
        If it is not of the shape of `Extractor`.
    """
    if extractor is not None and (isinstance(extractor, type) or not isinstance(extractor, Extractor)):
        raise InvalidInputError(
            f"extractor {shown(extractor)} is none: give an object with name, previous_turns and extract(text, context)"
        )


def _gather(source: Iterator[Episode], size: int) -> list[Episode]:
    """The next episodes, as many as there are within a second."""
    batch: list[Episode] = []
    started = time.monotonic()
    for episode in islice(source, size):
        batch.append(episode)
        if time.monotonic() - started > LONGEST_BATCH:
            break
    return batch


def _next_size(stored: int, seconds: float, most: int) -> int:
    """How many episodes take about a second, judging by the last ones."""
    return max(1, min(most, int(stored * LONGEST_BATCH / max(seconds, 0.001))))
