"""The plan of a search: prepare, wait for vectors and outside legs, rank, fuse, perhaps rerank, answer."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hybrid_agent_memory.confidence import confidence
from hybrid_agent_memory.embedding import Identity
from hybrid_agent_memory.engines import Engine, EngineAnswer, EngineQuery, Found, RecordKind, Vector
from hybrid_agent_memory.errors import InvalidInputError, LegUnavailableError, RerankerError, is_number, shown
from hybrid_agent_memory.extract.asking import asked_predicates
from hybrid_agent_memory.extract.vocabulary import Vocabulary
from hybrid_agent_memory.fusion import Fused, Signals, fuse_adaptively, fuse_by_rank
from hybrid_agent_memory.gate import Gate
from hybrid_agent_memory.intent import Intent, read_intent
from hybrid_agent_memory.options import SearchOptions
from hybrid_agent_memory.plans import Plan, Step, done, failed
from hybrid_agent_memory.protocols import Leg, LegQuery, Reranker
from hybrid_agent_memory.ranking import Ranking
from hybrid_agent_memory.records import Hit, Response, Why
from hybrid_agent_memory.scoring import Scored
from hybrid_agent_memory.text import cut, identifiers

logger = logging.getLogger("hybrid_agent_memory")

SEEDING_LEGS = ("sparse", "dense")
ENGINE_LEGS = (*SEEDING_LEGS, "graph")
LARGEST_SCORE = 1e150  # of a leg from outside; differences of larger ones overflow


@dataclass(frozen=True, slots=True)
class Searcher:
    """What a search needs besides its options; shared by all namespaces of a memory."""

    engine: Engine
    gate: Gate
    reranker: Reranker | None
    legs: tuple[Leg, ...]
    vocabulary: Vocabulary

    def plan(self, namespace: str, query: str, vector: Vector | None, options: SearchOptions) -> Plan[Response]:
        """Answer one query; the only place where the parts of a search meet."""
        if options.rerank and self.reranker is None:
            raise InvalidInputError("rerank was asked for, but this memory has no reranker: open it with one")
        wanted = options.wanted_legs([*ENGINE_LEGS, *(leg.name for leg in self.legs)])
        stored = self.gate.stored()
        if stored is None or not (query.strip() or vector is not None):
            return Response((), (), {}, options.fused_by)
        run = [leg for leg in ENGINE_LEGS if leg in wanted or ("graph" in wanted and leg in SEEDING_LEGS)]
        asked = LegQuery(namespace, query, options.filter, options.limit)
        outside = {leg.name: _leg_step(leg, asked) for leg in self.legs if leg.name in wanted}
        dense = (yield from self._vector_step(query, vector, stored, options)) if "dense" in run else None
        waiting: dict[str, Step[object]] = dict(outside)
        if dense is not None:
            waiting["dense"] = dense
        yield list(waiting.values())
        failures = _failures(waiting, options)
        vector_made = None if dense is None or dense.error else dense.result()
        question = EngineQuery(
            identity=stored,
            tokens=cut(self.gate.tokenizer, query),
            identifiers=tuple(identifiers(query)),
            vector=vector_made,
            filter=options.filter,
            legs=tuple(leg for leg in run if leg != "dense" or vector_made is not None),
            limit=options.limit,
            moment=options.moment,
            outside={name: step.result() for name, step in outside.items() if not step.error},
            text=query,
            depth=options.depth,
            asked=asked_predicates(query, self.vocabulary),
        )
        reranker = self.reranker if options.rerank is not False else None
        reranked = options.reranked if reranker is not None else 0
        answers = {kind: self.engine.search(namespace, replace(question, kind=kind)) for kind in options.kinds}
        intent = read_intent(query)
        found = _merged(
            [_found_in(kind, answer, wanted, intent, options, reranked) for kind, answer in answers.items()]
        )
        if reranker is not None and found:
            judged = _rerank_step(reranker, query, found[:reranked])
            yield [judged]
            failures |= _failures({"reranker": judged}, options)
            if judged.error is None:
                found = _reranked(found, judged.result())
        answered = dict.fromkeys(leg for answer in answers.values() for leg in _rankings(answer, wanted, options))
        return Response(tuple(_hits(found[: options.top_k])), tuple(answered), failures, options.fused_by)

    def _vector_step(
        self, query: str, vector: Vector | None, stored: Identity, options: SearchOptions
    ) -> Plan[Step[Vector] | None]:
        """A step that gives the query's vector; None where there is no dense leg and none was asked for."""
        made = stored.embedder
        if vector is not None and made is None:
            raise InvalidInputError("a query vector was given, but this memory has no vectors: leave it out")
        if vector is not None and made is not None:
            if len(vector) != made.dimension:
                raise InvalidInputError(
                    f"the query's vector has {len(vector)} numbers and this memory's have {made.dimension}"
                )
            return done(vector)
        if made is None or self.gate.vectors.embedder is None or not query.strip():
            self.gate.warn_of_unused_vectors(stored)
            reason = "no dense leg: this memory has no vectors" if made is None else "no dense leg: no query vector"
            unavailable = LegUnavailableError(f"{reason}; open it with an embedder")
            return failed(unavailable) if options.names("dense") else None
        probes = yield from self.gate.probe()
        if probes.error is not None:  # the embedder fails on the probes as it would on the query
            return failed(probes.error)
        self.gate.check_model(stored)
        return self.gate.vectors.query(query, made.dimension)


@dataclass(frozen=True, slots=True)
class _Candidate:
    kind: RecordKind
    handle: int
    found: Found
    score: float
    confidence: float
    scored: Scored
    rerank_score: float | None = None


def check_leg_names(legs: Sequence[Leg]) -> None:
    """Refuse legs that cannot be told apart by name.

    Raises
    ------
    InvalidInputError
    """
    taken = set(ENGINE_LEGS)
    for leg in legs:
        if leg.name in taken:
            raise InvalidInputError(f"two legs are called {leg.name!r}: give each leg a name of its own")
        taken.add(leg.name)


def _leg_step(leg: Leg, asked: LegQuery) -> Step[list[tuple[str, float]]]:
    def call() -> list[tuple[str, float]]:
        found = [_checked_entry(leg.name, entry) for entry in leg.search(asked)]
        return sorted(found, key=lambda entry: -entry[1])  # stable: equal scores keep the leg's own order

    return Step(call)


def _checked_entry(leg: str, entry: tuple[str, float]) -> tuple[str, float]:
    match entry:
        case (str() as identity, int() | float() as score) if is_number(score) and abs(score) < LARGEST_SCORE:
            return identity, score
    raise LegUnavailableError(f"leg {leg!r} gave {shown(entry)}: expected (id, finite score)")


def _failures(steps: Mapping[str, Step[object]], options: SearchOptions) -> dict[str, str]:
    """What went wrong, by leg; raised instead when that was asked for."""
    failed = {name: step.error for name, step in steps.items() if step.error is not None}
    if failed and options.on_error == "raise":
        raise next(iter(failed.values()))
    for name, error in failed.items():
        logger.warning("leg %s failed and was left out: %s: %s", name, type(error).__name__, error)
    return {name: f"{type(error).__name__}: {error}" for name, error in failed.items()}


def _found_in(
    kind: RecordKind,
    answer: EngineAnswer,
    wanted: Sequence[str],
    intent: Intent,
    options: SearchOptions,
    reranked: int,
) -> list[_Candidate]:
    """The best candidates of one kind."""
    rankings = _rankings(answer, wanted, options)
    scored = Scored(_fuse(rankings, answer.signals, options), rankings, answer.candidates, intent, options)
    return _fetch(kind, answer, scored, options, reranked)


def _rankings(answer: EngineAnswer, wanted: Sequence[str], options: SearchOptions) -> dict[str, Ranking]:
    """What the wanted legs found, not what only seeded the graph; a named graph that is not there finds nothing."""
    found = answer.rankings
    if options.names("graph"):
        found = {"graph": Ranking(np.empty(0, np.intp), np.empty(0)), **found}
    return {leg: found[leg] for leg in wanted if leg in found}


def _fuse(rankings: Mapping[str, Ranking], signals: Signals, options: SearchOptions) -> Fused:
    k = options.config.rrf_k if options.rrf_k is None else options.rrf_k
    if not options.by_rank:
        return fuse_adaptively(rankings, signals, k)
    weights = dict.fromkeys(rankings, 1.0) if options.weights is None else options.weights
    given = ", ".join(f"{leg} {weights[leg]:g}" for leg in rankings)
    return fuse_by_rank(rankings, weights, k, f"weighted RRF as asked: {given}")


def _fetch(
    kind: RecordKind, answer: EngineAnswer, scored: Scored, options: SearchOptions, reranked: int
) -> list[_Candidate]:
    """The best candidates that still exist and are certain enough; more are fetched while some fall out."""
    wanted = max(options.top_k, reranked)
    kept: dict[object, _Candidate] = {}
    seen, count = 0, wanted
    while len(kept) < wanted:
        best = scored.best(count, answer.ids_of)
        part = best.handles[seen:]
        for handle, score, found in zip(part.tolist(), best.scores[seen:].tolist(), answer.fetch(part), strict=True):
            if found is None:
                continue
            sure = confidence(found.evidence.coverage, found.evidence.cosine, found.evidence.typical)
            if options.min_confidence is None or sure >= options.min_confidence:
                kept.setdefault(found.same_as or handle, _Candidate(kind, handle, found, score, sure, scored))
        if len(best) < count:
            break
        seen, count = count, 2 * count
    return list(kept.values())[:wanted]


def _merged(by_kind: Sequence[list[_Candidate]]) -> list[_Candidate]:
    """Candidates of several kinds by their rank among their own, since scores of two kinds mean different things."""
    if len(by_kind) == 1:
        return by_kind[0]
    placed = [replace(c, score=61 / (60 + rank)) for found in by_kind for rank, c in enumerate(found, 1)]
    return sorted(placed, key=lambda c: (-c.score, c.found.record.id, c.kind))


def _rerank_step(reranker: Reranker, query: str, candidates: Sequence[_Candidate]) -> Step[list[float]]:
    texts = [candidate.found.record.text for candidate in candidates]

    def call() -> list[float]:
        scores = [float(score) for score in reranker(query, texts)]
        if len(scores) != len(texts) or not np.isfinite(scores).all():
            raise RerankerError(f"the reranker gave {len(scores)} scores for {len(texts)} texts, or one not finite")
        return scores

    return Step(call)


def _reranked(candidates: list[_Candidate], scores: list[float]) -> list[_Candidate]:
    """The first candidates in the cross-encoder's order; the fused scores stay with the places."""
    judged = [replace(c, rerank_score=score) for c, score in zip(candidates, scores, strict=False)]
    judged.sort(key=lambda c: (-(c.rerank_score or 0.0), c.found.record.id))
    placed = [replace(c, score=place.score) for c, place in zip(judged, candidates, strict=False)]
    return placed + candidates[len(placed) :]


def _hits(candidates: Sequence[_Candidate]) -> Iterator[Hit]:
    for candidate in candidates:
        record, found, scored = candidate.found.record, candidate.found, candidate.scored
        told = scored.explain(candidate.handle)
        yield Hit(
            id=record.id,
            kind=candidate.kind,
            text=record.text,
            score=candidate.score,
            rrf_score=told.rrf_score,
            confidence=candidate.confidence,
            source=record.source,
            time=record.time,
            session=record.session,
            speaker=record.speaker,
            episode_id=record.episode_id,
            metadata=record.metadata,
            why=Why(
                told.legs,
                dict(scored.trust),
                scored.reason,
                candidate.rerank_score,
                told.decay,
                told.authority,
                found.path,
                found.facts,
                found.superseded_by,
            ),
        )
