"""The façade: one object to write to and to search. It checks and composes; the work is done elsewhere."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self

import numpy as np
from numpy.typing import NDArray

from hybrid_agent_memory.add import add_plan
from hybrid_agent_memory.config import Config
from hybrid_agent_memory.embedding import Fingerprint, VectorSource
from hybrid_agent_memory.engines import Engine, RecordKind
from hybrid_agent_memory.engines.local.engine import LocalEngine
from hybrid_agent_memory.engines.local.store import Durability
from hybrid_agent_memory.errors import BatchError, InvalidInputError
from hybrid_agent_memory.extract import Extractor
from hybrid_agent_memory.filters import Filter, parse_filter
from hybrid_agent_memory.gate import Gate
from hybrid_agent_memory.graph_memory import ExtractorSource, GraphMemory, check_extractor
from hybrid_agent_memory.intake import Intake, Item, check_name, take_in, take_vector
from hybrid_agent_memory.options import Fusion, OnError, SearchOptions
from hybrid_agent_memory.plans import Plan, awaitable, blocking, in_thread
from hybrid_agent_memory.protocols import Embedder, Leg, Progress, Reranker, Tokenizer
from hybrid_agent_memory.rebuild import UNSET, Unset, rebuild_plan
from hybrid_agent_memory.records import Chunk, Receipt, Record, Response, Stats
from hybrid_agent_memory.search import Searcher, check_leg_names
from hybrid_agent_memory.text import cut, tokenize
from hybrid_agent_memory.times import Timeish, parse_time

if TYPE_CHECKING:
    from hybrid_agent_memory.contract import MemoryQuery, MemoryResponse
    from hybrid_agent_memory.evaluation import Evaluation, EvaluationQuery

EmbedderOption = Embedder | Literal["local"] | None
FilterMapping = Mapping[str, object] | Filter | None

logger = logging.getLogger("hybrid_agent_memory")
EXPORTED_AT_ONCE = 256  # records that an asynchronous export reads in one go


class HybridMemory(GraphMemory):
    """A memory: what is added is found by exact words, by meaning, along relations, and within a metadata filter.

    Made by `open` (one file) or `in_memory`; a context manager. It may be used from any thread, and several processes
    may open one file. Every call that waits has an ``a…`` twin to await.

    Examples
    --------
    >>> with HybridMemory.in_memory() as memory:
    ...     _ = memory.add([{"id": "a", "text": "ERR_0x9941 on checkout"}, {"id": "b", "text": "ERR_0x9942 on login"}])
    ...     [hit.id for hit in memory.search("what is ERR_0x9942?", top_k=1)]
    ['b']
    """

    def __init__(
        self,
        engine: Engine,
        *,
        namespace: str = "default",
        embedder: EmbedderOption = None,
        extractor: Extractor | None = None,
        reranker: Reranker | None = None,
        tokenizer: Tokenizer = tokenize,
        config: Config | None = None,
        clock: Callable[[], datetime] | None = None,
        legs: Sequence[Leg] = (),
    ) -> None:
        """Compose a memory over an engine of your own; `open` and `in_memory` do it for the embedded one."""
        self.name = check_name(namespace, "namespace")
        check_leg_names(legs)
        self._extractor_source = ExtractorSource(extractor)
        self._engine, self._reranker, self._legs = engine, reranker, tuple(legs)
        self._config, self._tell_time = config or Config(), clock or partial(datetime.now, UTC)
        self._gate = Gate(engine, VectorSource(embedder), tokenizer)
        if embedder is None:
            logger.info("no embedder: the dense leg needs vectors from the caller, else it is off")

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        namespace: str = "default",
        embedder: EmbedderOption = None,
        extractor: Extractor | None = None,
        reranker: Reranker | None = None,
        tokenizer: Tokenizer | None = None,
        config: Config | None = None,
        clock: Callable[[], datetime] | None = None,
        durability: Durability = "full",
        legs: Sequence[Leg] = (),
    ) -> Self:
        """Open a memory file, which is created when it is not there.

        Parameters
        ----------
        path : str or PathLike
            The file; beside it SQLite keeps its log and ``<path>-index`` holds derived indexes, safe to delete.
        namespace : str
            A hard wall: nothing of one namespace is seen from another.
        embedder : Embedder, "local" or None
            Makes the vectors of the dense leg. ``"local"`` is the bundled model (extra ``local``); with None there is
            no dense leg, unless vectors come with the items and the queries.
        extractor : Extractor, optional
            Finds entities and facts in episodes; rules that need no model by default.
        reranker : callable, optional
            A cross-encoder, (query, texts) to scores; it orders the first hits anew.
        tokenizer : callable, optional
            Text to terms, for records and queries; its ``name`` is kept in the file.
        config : Config, optional
        clock : callable, optional
            Gives the time of writing; the system's by default.
        durability : {"full", "normal"}
            ``"normal"`` is quicker and may lose the last writes when the power goes; neither does with the process.
        legs : sequence of Leg, optional
            Ranking signals from outside, such as a remote index; they run side by side and are fused with the others.

        Returns
        -------
        HybridMemory

        Raises
        ------
        StoreError
            If the file cannot be used: damaged, of another program, of a newer format, not writable.
        InvalidInputError
            If an argument is wrong.
        """
        try:
            file = Path(path)
        except TypeError as error:
            raise InvalidInputError(f"path {path!r} is no path: give a string or a PathLike") from error
        if not str(path).strip() or "\0" in str(path) or str(path) == ":memory:":
            raise InvalidInputError(f"path {path!r} is no file name: give one, or use in_memory()")
        return cls._embedded(file, durability, namespace, embedder, extractor, reranker, tokenizer, config, clock, legs)

    @classmethod
    def in_memory(
        cls,
        *,
        namespace: str = "default",
        embedder: EmbedderOption = None,
        extractor: Extractor | None = None,
        reranker: Reranker | None = None,
        tokenizer: Tokenizer | None = None,
        config: Config | None = None,
        clock: Callable[[], datetime] | None = None,
        legs: Sequence[Leg] = (),
    ) -> Self:
        """Make a memory that lives in this process only; the parameters are those of `open`."""
        return cls._embedded(None, "full", namespace, embedder, extractor, reranker, tokenizer, config, clock, legs)

    @classmethod
    def _embedded(
        cls,
        path: Path | None,
        durability: Durability,
        namespace: str,
        embedder: EmbedderOption,
        extractor: Extractor | None,
        reranker: Reranker | None,
        tokenizer: Tokenizer | None,
        config: Config | None,
        clock: Callable[[], datetime] | None,
        legs: Sequence[Leg],
    ) -> Self:
        config, tokenizer = config or Config(), tokenizer or tokenize
        check_name(namespace, "namespace")
        check_leg_names(legs)
        check_extractor(extractor)
        _check_tokenizer(tokenizer)
        made = VectorSource(embedder).embedder
        engine = LocalEngine(path, tokenizer, config, durability)
        return cls(
            engine,
            namespace=namespace,
            embedder=made,
            extractor=extractor,
            reranker=reranker,
            tokenizer=tokenizer,
            config=config,
            clock=clock,
            legs=legs,
        )

    def namespace(self, name: str) -> Self:
        """A handle on another namespace of the same file, with the same embedder; costs nothing.

        Raises
        ------
        InvalidInputError
            If the name is no string or blank.
        """
        handle = copy(self)
        handle.name, handle._drawn = check_name(name, "namespace"), None
        return handle

    def namespaces(self) -> list[str]:
        """The namespaces that hold records, sorted."""
        return self._engine.namespaces()

    anamespaces = in_thread(namespaces)

    @property
    def embedder(self) -> Embedder | None:
        """The embedder in use."""
        return self._gate.vectors.embedder

    @property
    def dimension(self) -> int | None:
        """How many numbers this memory's vectors have; None while it has none."""
        made = self._made_with()
        return None if made is None else made.dimension

    @property
    def embedder_name(self) -> str | None:
        """The name of the embedder that made this memory's vectors; None while it has none."""
        made = self._made_with()
        return None if made is None else made.name

    def _made_with(self) -> Fingerprint | None:
        stored = self._engine.identity()
        return None if stored is None else stored.embedder

    # -- writing ----------------------------------------------------------------------------------------------------

    def _add(self, items: Item | Iterable[Item], *, progress: Progress | None = None) -> Plan[list[str]]:
        """Remember one or many things; they are durable, and found by the next search, when this returns.

        Parameters
        ----------
        items : str, mapping, Chunk, or iterable of those
            A mapping takes the fields of `Chunk`: ``id text time metadata source session speaker vector``. A list or
            tuple is checked as a whole and stored in one transaction; any other iterable is stored in batches.
        progress : callable, optional
            Told (items done, items in all or None).

        Returns
        -------
        list of str
            The ids, in the order of the items. An id that is known already is replaced; where nothing changed,
            nothing is written and nothing is embedded.

        Raises
        ------
        InvalidInputError
            If an item of a list is wrong; then nothing was stored.
        BatchError
            If something goes wrong while an iterable is read; it says how many items are stored.
        MismatchError
            If the memory was built with another embedder or tokenizer.

        Examples
        --------
        >>> memory = HybridMemory.in_memory()
        >>> memory.add([{"id": "a", "text": "first"}, {"id": "b", "text": "second"}])
        ['a', 'b']
        """
        if isinstance(items, str | Mapping | Chunk):
            items = [items]
        if isinstance(items, list | tuple):
            taken = [take_in(item, self._now(), f"item {at}") for at, item in enumerate(items)]
            report = _Reporter(progress, 0, len(taken))
            yield from self._store(taken, report)
            report(len(taken))
            return [item.record.id for item in taken]
        if not isinstance(items, Iterable):
            raise InvalidInputError(f"items is a {type(items).__name__}: give a string, a mapping, a Chunk or a list")
        return (yield from self._add_in_batches(iter(items), progress))

    add = blocking(_add)
    aadd = awaitable(_add)

    def _now(self) -> datetime:
        return parse_time(self._tell_time(), name="the clock's time")

    def _add_in_batches(self, items: Iterator[Item], progress: Progress | None) -> Plan[list[str]]:
        ids: list[str] = []
        while True:
            try:
                batch = list(islice(items, self._config.batch_size))
                taken = [take_in(item, self._now(), f"item {len(ids) + at}") for at, item in enumerate(batch)]
                report = _Reporter(progress, len(ids), None)
                yield from self._store(taken, report)
                ids.extend(item.record.id for item in taken)
                report(len(taken))
            except Exception as error:  # the caller's iterator may raise anything; the cause is kept
                raise BatchError(f"{error} (items stored before that: {len(ids)})", len(ids)) from error
            if len(batch) < self._config.batch_size:
                return ids

    def _store(self, taken: list[Intake], report: "_Reporter") -> Plan[None]:
        if taken:
            size = self._config.batch_size
            yield from self._gate.through(lambda: add_plan(self._engine, self._gate, self.name, taken, size, report))

    def delete(self, ids: str | Iterable[str] | None = None, *, filter: FilterMapping = None) -> Receipt:  # noqa: A002
        """Forget records, by id or by filter.

        Parameters
        ----------
        ids : str or iterable of str, optional
            Of chunks or whole episodes; a missing id is not an error.
        filter : mapping, optional
            Instead of ids; an empty one is refused, for it would match everything.

        Returns
        -------
        Receipt
            The ids that were removed, the facts that went with them, and the facts that hold again since.

        Raises
        ------
        InvalidInputError
            If neither or both are given.
        """
        parsed = parse_filter(filter)
        if (ids is None) == (filter is None):
            raise InvalidInputError("give either ids or filter")
        if ids is None and parsed is None:
            raise InvalidInputError("filter {} matches every record: name what is to be deleted")
        wanted = None if ids is None else _ids(ids)
        removed = self._engine.delete(self.name, wanted, parsed, self._now())
        return Receipt(removed.ids, removed.facts, removed.reopened)

    adelete = in_thread(delete)

    def _reindex(
        self,
        *,
        embedder: EmbedderOption | Unset = UNSET,
        tokenizer: Tokenizer | None = None,
        progress: Progress | None = None,
    ) -> Plan[None]:
        """Rebuild the whole file, all namespaces, with another embedder or tokenizer.

        Parameters
        ----------
        embedder : Embedder, "local" or None, optional
            None drops the vectors; left out, the one this memory was opened with is used.
        tokenizer : callable, optional
            Left out, the one this memory was opened with is used.
        progress : callable, optional
            Told (texts embedded, texts in all).

        Raises
        ------
        InvalidInputError
            If the embedder or tokenizer is none.

        Notes
        -----
        Readers keep the old indexes until the new ones are in place, in one transaction. Other processes must then
        reopen the file with the new embedder or tokenizer; handles made with `namespace` go on as they are.
        """
        tokenizer = tokenizer or self._gate.tokenizer
        _check_tokenizer(tokenizer)
        vectors = self._gate.vectors if isinstance(embedder, Unset) else VectorSource(embedder)
        gate = Gate(self._engine, vectors, tokenizer)
        yield from rebuild_plan(
            self._engine,
            self._gate,
            gate,
            drop_vectors=embedder is None,
            batch_size=self._config.batch_size,
            progress=progress,
        )

    reindex = blocking(_reindex)
    areindex = awaitable(_reindex)

    # -- reading ----------------------------------------------------------------------------------------------------

    def _search(
        self,
        query: str,
        *,
        top_k: int = 5,
        filter: FilterMapping = None,  # noqa: A002
        fusion: Fusion | None = None,
        weights: Mapping[str, float] | None = None,
        rrf_k: float | None = None,
        legs: Sequence[str] | None = None,
        kinds: Sequence[RecordKind] = ("chunk",),
        vector: Sequence[float] | NDArray[np.float32] | None = None,
        now: Timeish | None = None,
        as_of: Timeish | None = None,
        known_at: Timeish | None = None,
        candidates: int | None = None,
        time_decay: float | None = None,
        decay_floor: float | None = None,
        authority_weight: float | None = None,
        max_depth: int | None = None,
        min_confidence: float | None = None,
        rerank: bool | int | None = None,
        on_error: OnError = "degrade",
    ) -> Plan[Response]:
        """Find the records that answer a query best.

        Parameters
        ----------
        query : str
            A blank one finds nothing, unless `vector` is given.
        top_k : int
            How many hits at most; with a dense leg there are as many whenever as many records pass the filter.
        filter : mapping, optional
            Applied before ranking: see `parse_filter` for the language.
        fusion : {"auto", "rrf"}, optional
            ``"auto"`` weighs the legs by query and by their scores, ``"rrf"`` is plain weighted reciprocal rank fusion;
            left out, it is ``"rrf"`` when `weights` or `rrf_k` is given and else ``"auto"``.
        weights : mapping, optional
            Weight per leg for RRF; a leg that is not named has 0 and is not run.
        rrf_k : float, optional
            Constant of RRF, 60.
        legs : sequence of str, optional
            Only run these: ``"sparse"``, ``"dense"``, ``"graph"``; the graph leg starts from what the first two find.
        kinds : sequence of str
            What to look for: ``"chunk"``, ``"fact"``, or both, which are then fused by rank.
        vector : sequence of float, optional
            The query's vector; then the embedder is not called.
        now : datetime, str, int or float, optional
            The time of asking, from which age is counted; the clock's.
        as_of, known_at : datetime, str, int or float, optional
            See the world as it was then, and as this memory knew it then: what happened, or was written, later is left
            out, and facts that had not ended yet are current.
        candidates : int, optional
            Candidates per leg: 200, and above a `top_k` of 100 twice that.
        time_decay, decay_floor : float, optional
            Share of a hit's decaying part lost per thirty days (0.2), and what age leaves of a score at least (0.9;
            0.3 when `time_decay` is given or the query asks for what is recent); 0..1.
        authority_weight : float, optional
            How much more hits count that are about much mentioned entities; 0 turns it off.
        max_depth : int, optional
            Hops of the graph leg, 1 to 3: 2.
        min_confidence : float, optional
            Leave out hits with a lower `Hit.confidence`, 0..1; the response may then be empty.
        rerank : bool or int, optional
            False keeps the cross-encoder out, a number says how many hits it sees.
        on_error : {"degrade", "raise"}
            Whether a failing leg is left out and named in `Response.failures`, or its error is raised.

        Returns
        -------
        Response
            Hits by score, equal scores by id.

        Raises
        ------
        InvalidInputError
            If an option is wrong.
        MismatchError
            If the memory was built with another embedder or tokenizer.

        Examples
        --------
        >>> memory = HybridMemory.in_memory()
        >>> _ = memory.add({"id": "a", "text": "The budget is 500k", "metadata": {"project": "shelf"}})
        >>> [hit.id for hit in memory.search("budget", filter={"project": "shelf"})]
        ['a']
        >>> len(memory.search("budget", filter={"project": "lamp"}))
        0
        """
        if not isinstance(query, str):
            raise InvalidInputError(f"query is a {type(query).__name__}: give a string")
        options = SearchOptions(
            config=self._config,
            top_k=top_k,
            filter=parse_filter(filter),
            fusion=fusion,
            weights=weights,
            rrf_k=rrf_k,
            legs=legs,
            candidates=candidates,
            kinds=kinds,
            moment=self._moment(now, as_of, known_at),
            time_decay=time_decay,
            decay_floor=decay_floor,
            authority_weight=authority_weight,
            max_depth=max_depth,
            min_confidence=min_confidence,
            rerank=rerank,
            on_error=on_error,
        )
        asked = None if vector is None else take_vector(vector)
        searcher = Searcher(self._engine, self._gate, self._reranker, self._legs, self._vocabulary)
        return (yield from self._gate.through(lambda: searcher.plan(self.name, query, asked, options)))

    search = blocking(_search)
    asearch = awaitable(_search)

    def _query(self, query: "MemoryQuery | Mapping[str, object]") -> "Plan[MemoryResponse]":
        """Answer the JSON contract: see `MemoryQuery` for what goes in and `MemoryResponse` for what comes out.

        Raises
        ------
        InvalidInputError
            If the request does not fit the contract.

        Examples
        --------
        >>> memory = HybridMemory.in_memory()
        >>> _ = memory.add({"id": "p4", "text": "Pool exhaustion causes HTTP 504", "source": "wiki/pool.md"})
        >>> answer = memory.query({"query_id": "q1", "search_text": "HTTP 504", "top_k": 5})
        >>> answer.total_retrieved, answer.results[0].chunk_id
        (1, 'p4')
        """
        from hybrid_agent_memory.contract import parse_query, to_response

        parsed = parse_query(query)
        response = yield from self._search(parsed.search_text, **parsed.options(dense=self.embedder is not None))
        return to_response(parsed.query_id, response)

    query = blocking(_query)
    aquery = awaitable(_query)

    def evaluate(
        self,
        queries: "Sequence[EvaluationQuery | Mapping[str, object]]",
        *,
        legs: Sequence[Sequence[str] | None] | None = None,
        ks: Sequence[int] = (1, 5, 10),
        progress: Progress | None = None,
    ) -> "Evaluation":
        """Measure how well queries with known answers are answered, per category and leg set.

        Parameters
        ----------
        queries : sequence of EvaluationQuery or mapping
            A mapping has ``query`` and ``relevant`` (ids of chunks or of episodes), and where wanted ``category``,
            ``namespace``, ``filter``, ``now``, ``as_of``, ``known_at``; with no relevant ids, the memory should find
            nothing.
        legs : sequence of (str, sequence of str, or None), optional
            The leg sets to compare; a name is that leg alone, None all legs as they are fused by default. Without it,
            that and each leg of the memory alone.
        ks : sequence of int
            Depths of recall.
        progress : callable, optional
            Told (searches done, searches in all).

        Returns
        -------
        Evaluation
            Recall at each depth and MRR at 10, 0..1, higher is better; and in `unknown_ids` the relevant ids that no
            chunk or episode has.

        Raises
        ------
        InvalidInputError
            If a query or an option is wrong.

        Examples
        --------
        >>> memory = HybridMemory.in_memory()
        >>> _ = memory.add({"id": "a", "text": "The budget is 500k"})
        >>> memory.evaluate([{"query": "budget", "relevant": ["a"]}], legs=[None]).scores["all"]["default"]["recall@1"]
        1.0
        """
        from hybrid_agent_memory.evaluation import EvaluationQuery, depth, evaluate, to_query

        asked = [to_query(query) for query in queries]
        top_k = depth(ks)

        def search(query: EvaluationQuery, chosen: Sequence[str] | None) -> list[str]:
            here = self if query.namespace is None else self.namespace(query.namespace)
            hits = here.search(query.query, top_k=top_k, legs=chosen, **query.options)  # type: ignore[arg-type]
            relevant = set(query.relevant)
            return [hit.id if hit.id in relevant else hit.episode_id for hit in hits]

        found = evaluate(search, asked, self._leg_sets() if legs is None else legs, ks, progress)
        return found.model_copy(update={"unknown_ids": self._unknown_ids(asked)})

    aevaluate = in_thread(evaluate)

    def _unknown_ids(self, queries: "Sequence[EvaluationQuery]") -> tuple[str, ...]:
        """The relevant ids of queries that no chunk or episode of their namespace has, as first asked for."""
        relevant = dict.fromkeys((query.namespace or self.name, one) for query in queries for one in query.relevant)
        known: set[tuple[str, str]] = set()
        for namespace in {namespace for namespace, _ in relevant}:
            wanted = [one for within, one in relevant if within == namespace]
            stored = self._engine.get(namespace, [*wanted, *(f"{one}#0" for one in wanted)])
            known.update(
                (namespace, name) for one in stored.values() for name in (one.record.id, one.record.episode_id)
            )
        return tuple(dict.fromkeys(one for namespace, one in relevant if (namespace, one) not in known))

    def _leg_sets(self) -> list[Sequence[str] | None]:
        """All legs, and each one that there is alone."""
        stats = self.stats()
        single = ["sparse", *(["dense"] if stats.dimension else []), *(["graph"] if stats.entities else [])]
        return [None, *([leg] for leg in [*single, *(leg.name for leg in self._legs)])]

    def get(self, ids: str | Iterable[str]) -> list[Record | None]:
        """The records of these ids, in their order; None where there is none."""
        wanted = _ids(ids)
        found = self._engine.get(self.name, set(wanted))
        return [deepcopy(found[identity].record) if identity in found else None for identity in wanted]

    aget = in_thread(get)

    def count(self, filter: FilterMapping = None) -> int:  # noqa: A002
        """How many records there are, or pass the filter."""
        return self._engine.count(self.name, parse_filter(filter))

    acount = in_thread(count)

    def stats(self) -> Stats:
        """What this namespace holds and how it is indexed."""
        return self._engine.stats(self.name)

    astats = in_thread(stats)

    def export(self, filter: FilterMapping = None, *, vectors: bool = False) -> Iterator[dict[str, object]]:  # noqa: A002
        """Every record as a mapping that `add` takes, oldest write first.

        Parameters
        ----------
        filter : mapping, optional
        vectors : bool
            Whether to give the vectors too.
        """
        for stored in self._engine.records(self.name, parse_filter(filter)):
            record = stored.record
            item: dict[str, object] = {"id": record.id, "text": record.text, "metadata": deepcopy(record.metadata)}
            if record.time is not None:
                item["time"] = record.time.isoformat()
            texts = {"source": record.source, "session": record.session, "speaker": record.speaker}
            item.update((name, value) for name, value in texts.items() if value is not None)
            if vectors and stored.vector is not None:
                item["vector"] = stored.vector.tolist()
            yield item

    async def aexport(
        self,
        filter: FilterMapping = None,  # noqa: A002
        *,
        vectors: bool = False,
    ) -> AsyncIterator[dict[str, object]]:
        """See `export`; the records are read in a thread, some at a time."""
        records = self.export(filter, vectors=vectors)
        while part := await asyncio.to_thread(lambda: list(islice(records, EXPORTED_AT_ONCE))):
            for record in part:
                yield record

    def close(self) -> None:
        """Let go of the file, for all handles on it; a second call does nothing."""
        self._engine.close()

    aclose = in_thread(close)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class _Reporter:
    """Tells the caller's progress function how far an add is."""

    progress: Progress | None
    done_before: int
    total: int | None

    def __call__(self, done: int) -> None:
        if self.progress is not None and done:
            self.progress(self.done_before + done, self.total)


def _ids(ids: str | Iterable[str]) -> list[str]:
    if isinstance(ids, str):
        return [ids]
    if not isinstance(ids, Iterable):
        raise InvalidInputError(f"ids {ids!r} is a {type(ids).__name__}: give an id or an iterable of ids")
    wanted = list(ids)
    for identity in wanted:
        if not isinstance(identity, str):
            raise InvalidInputError(f"id {identity!r} is no string")
    return wanted


def _check_tokenizer(tokenizer: Tokenizer) -> None:
    if not callable(tokenizer):
        raise InvalidInputError(f"tokenizer {tokenizer!r} must be a callable from a string to a list of strings")
    cut(tokenizer, "probe 1")
