"""Regression of ranking: fixed queries with known answers, measured per category and leg set, compared with a baseline.

Nothing here searches: `evaluate` takes any callable from a query to ids, best first.
"""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hybrid_agent_memory.errors import InvalidInputError, check_count, is_number, shown
from hybrid_agent_memory.filters import parse_filter
from hybrid_agent_memory.protocols import Progress
from hybrid_agent_memory.times import parse_time

EVERY: Final = "all"
"""The category that every query belongs to, besides its own."""

DEFAULT_LEGS: Final = "default"
"""How the leg set is called that names no legs: all that the memory has."""

KS: Final = (1, 5, 10)
MRR_DEPTH: Final = 10
MRR: Final = f"MRR@{MRR_DEPTH}"
SILENCE: Final = "silence"
TOLERANCE: Final = 0.01

Legs = Sequence[str] | None
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Measures = dict[str, Share]

_TIMES = ("now", "as_of", "known_at")
_OPTIONS = ("filter", *_TIMES)
_KEYS = ("query", "text", "relevant", "category", "id", "namespace", *_OPTIONS)


@dataclass(frozen=True, slots=True)
class EvaluationQuery:
    """A query and the ids that answer it.

    Parameters
    ----------
    query : str
    relevant : collection of str
        Ids of the records that answer; a repeated one counts once. None at all means that the memory should stay
        silent: such queries are measured by `silence` and by nothing else.
    category : str
        Measured on its own, besides ``"all"``.
    options : mapping
        Keywords of the search, such as ``filter``, ``now`` and ``as_of``.
    namespace : str, optional
        Where to search; where the evaluation was called by default.
    id : str
        A name for reports.

    Raises
    ------
    InvalidInputError
        If a value is of the wrong type.
    """

    query: str
    relevant: Collection[str]
    category: str = EVERY
    options: Mapping[str, object] = field(default_factory=dict)
    namespace: str | None = None
    id: str = ""

    def __post_init__(self) -> None:
        for name in ("query", "category", "id"):
            if not isinstance(getattr(self, name), str):
                raise InvalidInputError(f"{name} {shown(getattr(self, name))} must be a string")
        if any("\ud800" <= sign <= "\udfff" for sign in self.category):
            raise InvalidInputError(f"category {shown(self.category)} has half a character and could not be saved")
        if not (self.namespace is None or isinstance(self.namespace, str)):
            raise InvalidInputError(f"namespace {shown(self.namespace)} must be a string")
        if isinstance(self.relevant, str) or not isinstance(self.relevant, Collection):
            raise InvalidInputError(f"relevant {shown(self.relevant)} must be a list of ids, such as ['m1', 'm7']")
        for identity in self.relevant:
            if not isinstance(identity, str):
                raise InvalidInputError(f"relevant id {shown(identity)} must be a string")
        if not isinstance(self.options, Mapping):
            raise InvalidInputError(f"options {shown(self.options)} must be a mapping of search keywords")
        object.__setattr__(self, "relevant", tuple(dict.fromkeys(self.relevant)))


@dataclass(frozen=True, slots=True)
class Regression:
    """A measure that fell by more than was tolerated."""

    category: str
    legs: str
    measure: str
    before: float
    after: float

    def __str__(self) -> str:
        return f"{self.measure} of {self.category}, legs {self.legs}: {self.before:.3f} -> {self.after:.3f}"


class Evaluation(BaseModel):
    """Means of measures, each from 0 to 1 and higher is better.

    Attributes
    ----------
    queries : dict
        Category to number of queries.
    scores : dict
        Category to leg set (``"sparse+dense"``, or ``"default"`` for all legs) to measure to mean. Measures are
        ``recall@k``, the share of a query's relevant ids among the first k; ``MRR@10``, one by the rank of the first
        relevant id, 0 past rank 10; and ``silence``, the share of empty answers to queries that nothing answers. A
        measure that no query of a category has is absent.
    unknown_ids : tuple of str
        Relevant ids that the memory does not have, so that nothing can find them; empty when all is well.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    version: Literal[1] = 1
    queries: dict[str, Annotated[int, Field(ge=1)]]
    scores: dict[str, dict[str, Measures]]
    unknown_ids: tuple[str, ...] = ()

    def to_json(self) -> str:
        """As JSON that `from_json` reads."""
        return self.model_dump_json(indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str | bytes) -> "Evaluation":
        """Read what `to_json` wrote.

        Raises
        ------
        InvalidInputError
            If it is something else.
        """
        try:
            return cls.model_validate_json(text)
        except ValidationError as error:
            first = error.errors()[0]
            at = ".".join(map(str, first["loc"]))
            raise InvalidInputError(f"this is no saved evaluation: {at}{': ' if at else ''}{first['msg']}") from error

    def table(self) -> str:
        """As a plain text table, a line per category and leg set."""
        measures = list(
            dict.fromkeys(name for by_legs in self.scores.values() for found in by_legs.values() for name in found)
        )
        rows = [["category", "queries", "legs", *measures]]
        for category, by_legs in self.scores.items():
            for legs, found in by_legs.items():
                cells = [f"{found[name]:.3f}" if name in found else "-" for name in measures]
                rows.append([category, str(self.queries[category]), legs, *cells])
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
        )


Search = Callable[[EvaluationQuery, Legs], Sequence[str]]


def evaluate(
    search: Search,
    queries: Sequence[EvaluationQuery],
    legs_sets: Sequence[Legs] = (None,),
    ks: Sequence[int] = KS,
    progress: Progress | None = None,
) -> Evaluation:
    """Measure a search on queries whose answers are known.

    Parameters
    ----------
    search : callable
        From a query and a leg set to ids, best first; give at least `depth(ks)`. A repeated id counts once.
    queries : sequence of EvaluationQuery
    legs_sets : sequence
        Each a sequence of leg names, one name for that leg alone, or None for all legs.
    ks : sequence of int
        Depths of recall. A query with more than k relevant ids cannot reach 1 at k.
    progress : callable, optional
        Called with searches done and searches in all.

    Returns
    -------
    Evaluation
        ``"all"`` first, then the other categories by name.

    Raises
    ------
    InvalidInputError
        If there is no query or no leg set, or a depth is no whole number of at least 1.

    Examples
    --------
    >>> found = evaluate(lambda query, legs: ["m2", "m1"], [EvaluationQuery("budget", ["m1"])], ks=[1, 5])
    >>> found.scores["all"]["default"]
    {'recall@1': 0.0, 'recall@5': 1.0, 'MRR@10': 0.5}
    """
    depth(ks)
    if not queries:
        raise InvalidInputError("there is nothing to measure: give at least one query")
    named = _named(legs_sets)
    measured: dict[str, list[Measures]] = {}
    for at, (label, legs) in enumerate(named.items()):
        measured[label] = []
        for done, query in enumerate(queries, 1):
            measured[label].append(_measure(search(query, legs), query.relevant, ks))
            if progress is not None:
                progress(at * len(queries) + done, len(named) * len(queries))
    members = _members(queries)
    return Evaluation(
        queries={category: len(places) for category, places in members.items()},
        scores={
            category: {label: _means([found[place] for place in places]) for label, found in measured.items()}
            for category, places in members.items()
        },
    )


def depth(ks: Sequence[int] = KS) -> int:
    """How many ids a search must return for these measures.

    Raises
    ------
    InvalidInputError
        If there is none, or one is no whole number of at least 1.
    """
    if isinstance(ks, str) or not isinstance(ks, Sequence) or not ks:
        raise InvalidInputError(f"ks {shown(ks)} must be whole numbers, such as (1, 5, 10)")
    for k in ks:
        check_count("k", k)
    return max(*ks, MRR_DEPTH)


def compare(baseline: Evaluation, current: Evaluation, tolerance: float = TOLERANCE) -> list[Regression]:
    """What fell by more than the tolerance since the baseline, the deepest fall first.

    Leg sets and measures that only one of the two has are left out.

    Raises
    ------
    InvalidInputError
        If the two cannot be compared: other numbers of queries, no leg set or no measure in common; or the tolerance is
        no number from 0 to 1.

    Examples
    --------
    >>> before, after = (
    ...     Evaluation(queries={"all": 4}, scores={"all": {"sparse": {"recall@5": recall}}}) for recall in (0.75, 0.5)
    ... )
    >>> [str(regression) for regression in compare(before, after)]
    ['recall@5 of all, legs sparse: 0.750 -> 0.500']
    """
    if not (is_number(tolerance) and 0 <= tolerance <= 1):
        raise InvalidInputError(f"tolerance {shown(tolerance)} must be a number from 0 to 1")
    for category in dict.fromkeys([*baseline.queries, *current.queries]):
        counts = baseline.queries.get(category, 0), current.queries.get(category, 0)
        if counts[0] != counts[1]:
            raise InvalidInputError(
                f"the baseline has {counts[0]} queries of category {category!r} and this evaluation {counts[1]}: "
                "save a new baseline"
            )
    pairs = list(_pairs(baseline, current))
    if not pairs:
        raise InvalidInputError(
            "the baseline has no leg set and measure in common with this evaluation: save a new one"
        )
    fallen = [pair for pair in pairs if pair.before - pair.after > tolerance + 1e-12]  # rounding is no regression
    return sorted(fallen, key=lambda pair: (pair.after - pair.before, pair.category, pair.legs, pair.measure))


def read_queries(path: str | Path) -> list[EvaluationQuery]:
    """Read queries from a file of JSON lines; see `parse_queries`.

    Raises
    ------
    InvalidInputError
        If the file cannot be read or a line does not fit; the message names the line.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InvalidInputError(f"the queries in {path} cannot be read: {why}") from error
    return parse_queries(text.split("\n"), str(path))


def parse_queries(lines: Iterable[str], name: str = "queries") -> list[EvaluationQuery]:
    """Read queries, one JSON object a line.

    Parameters
    ----------
    lines : iterable of str
        Keys are ``query`` (or ``text``), ``relevant`` (ids), and where wanted ``category``, ``id``, ``namespace``,
        ``filter``, ``now``, ``as_of``, ``known_at``. Blank lines are passed over.
    name : str
        Of the file, for messages.

    Raises
    ------
    InvalidInputError
        If a line does not fit, or none has a query; the message names the line.

    Examples
    --------
    >>> parse_queries(['{"text": "budget of the shelf", "relevant": ["m1"], "now": "2024-11-05"}'])[0].options
    {'now': '2024-11-05'}
    """
    queries = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                queries.append(to_query(_json_object(line)))
            except InvalidInputError as error:
                raise InvalidInputError(f"{name}, line {number}: {error}") from error
    if not queries:
        raise InvalidInputError(f"{name} has no queries: give one JSON object a line, with query and relevant")
    return queries


def to_query(value: EvaluationQuery | Mapping[str, object]) -> EvaluationQuery:
    """A query from a mapping with the keys that `parse_queries` tells; a query stays what it is.

    Raises
    ------
    InvalidInputError
        If a key is unknown or missing, or a value does not fit.
    """
    if isinstance(value, EvaluationQuery):
        return value
    if not isinstance(value, Mapping):
        raise InvalidInputError(f"query {shown(value)} must be a mapping with query and relevant")
    unknown = [key for key in value if key not in _KEYS]
    if unknown:
        raise InvalidInputError(f"key {shown(unknown[0])} is unknown: use {', '.join(_KEYS)}")
    if ("query" in value) == ("text" in value):
        raise InvalidInputError("give the text to search for as query, or as text, and not as both")
    if "relevant" not in value:
        raise InvalidInputError("relevant is missing: give the ids that answer, or [] where nothing does")
    options = {key: value[key] for key in _OPTIONS if value.get(key) is not None}
    _check_options(options)
    given = {key: value[key] for key in ("category", "id", "namespace") if value.get(key) is not None}
    text = value["query"] if "query" in value else value["text"]
    return EvaluationQuery(query=text, relevant=value["relevant"], options=options, **given)  # type: ignore[arg-type]


def _check_options(options: Mapping[str, object]) -> None:
    wanted = options.get("filter")
    if wanted is not None and not isinstance(wanted, Mapping):
        raise InvalidInputError(f"filter {shown(wanted)} must be a mapping, such as {{'service': 'api'}}")
    parse_filter(wanted)
    for name in _TIMES:
        if name in options:
            parse_time(options[name], name=name)


def _json_object(line: str) -> Mapping[str, object]:
    try:
        value: object = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(f"{shown(line)} is no JSON object") from error
    if not isinstance(value, dict):
        raise InvalidInputError(f"{shown(value)} is no JSON object")
    return value


def _named(legs_sets: Sequence[Legs]) -> dict[str, Legs]:
    if isinstance(legs_sets, str) or not isinstance(legs_sets, Sequence) or not legs_sets:
        raise InvalidInputError(f"leg sets {shown(legs_sets)} must be a list, such as [None, ['sparse']]")
    sets = [(legs,) if isinstance(legs, str) else legs for legs in legs_sets]
    for legs in sets:
        if not (legs is None or (isinstance(legs, Sequence) and legs and all(map(_is_name, legs)))):
            raise InvalidInputError(f"leg set {shown(legs)} must be a name, a list of names, or None for all legs")
    return {DEFAULT_LEGS if legs is None else "+".join(legs): legs for legs in sets}


def _is_name(leg: object) -> bool:
    return isinstance(leg, str) and bool(leg.strip())


def _measure(found: Sequence[str], relevant: Collection[str], ks: Sequence[int]) -> Measures:
    ids = list(dict.fromkeys(found))
    if not relevant:
        return {SILENCE: float(not ids)}
    ranks = [rank for rank, identity in enumerate(ids, 1) if identity in relevant]
    recalls = {f"recall@{k}": sum(rank <= k for rank in ranks) / len(relevant) for k in ks}
    return {**recalls, MRR: 1 / ranks[0] if ranks and ranks[0] <= MRR_DEPTH else 0.0}


def _members(queries: Sequence[EvaluationQuery]) -> dict[str, list[int]]:
    """The places of each category's queries."""
    members = {EVERY: list(range(len(queries)))}
    for category in sorted({query.category for query in queries} - {EVERY}):
        members[category] = [at for at, query in enumerate(queries) if query.category == category]
    return members


def _means(measured: Sequence[Measures]) -> Measures:
    names = dict.fromkeys(name for measures in measured for name in measures)
    values = {name: [measures[name] for measures in measured if name in measures] for name in names}
    return {name: sum(found) / len(found) for name, found in values.items()}


def _pairs(baseline: Evaluation, current: Evaluation) -> Iterator[Regression]:
    for category, by_legs in baseline.scores.items():
        for legs, measures in by_legs.items():
            now = current.scores.get(category, {}).get(legs, {})
            for measure in measures.keys() & now.keys():
                yield Regression(category, legs, measure, measures[measure], now[measure])
