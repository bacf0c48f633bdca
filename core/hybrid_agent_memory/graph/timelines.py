"""The timeline of a slot: from when until when each of its facts holds. Derived from all live facts, never stored.

Adding, deleting, late arrival, ``as_of`` and ``known_at`` all mean the same: call `timeline` on what is left, which
`visible` says.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Statement:
    """A fact of one slot, as a text states it; datetimes are aware.

    Attributes
    ----------
    fact : str
        Id of the fact.
    value : str
        The object in comparison form; statements agree when theirs are equal.
    at : datetime
        Its place in the order: from when it holds, else when it was said, else when it was written.
    episode : str
        Id of the episode that states it; decides between statements of one moment, the later id being the newer.
    known_at : datetime
        When it was written.
    valid_at, invalid_at : datetime or None
        From when until when it holds, as far as is known; None: always, and until it is superseded.
    ended_by : str or None
        The fact that tells `invalid_at`, where that is another one.
    said : datetime or None
        When it was said, where that is known.
    single_valued : bool
        Whether another value ends it, and it what was said before of another value.
    ends_alike : bool
        Whether its `invalid_at` also ends what was said before of the same value, as where it only tells that end.
    """

    fact: str
    value: str
    at: datetime
    episode: str
    known_at: datetime
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    ended_by: str | None = None
    said: datetime | None = None
    single_valued: bool = True
    ends_alike: bool = False

    @property
    def supersedes(self) -> bool:
        """Whether it ends what was said before it with another value."""
        return self.single_valued and not self.ends_alike


@dataclass(frozen=True, slots=True)
class Span:
    """When a fact holds: from `valid_at` (None: always) until just before `invalid_at` (None: still).

    Attributes
    ----------
    fact : str
    valid_at, invalid_at : datetime or None
        Equal where the fact holds at no time, as when its text has them the wrong way round.
    expired_at : datetime or None
        Since when the memory has known both it and the fact that ended it.
    superseded_by : str or None
        The first fact after it with another value.
    ended_by : str or None
        The fact that told its end, if that came before any other value.
    """

    fact: str
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    expired_at: datetime | None = None
    superseded_by: str | None = None
    ended_by: str | None = None


def timeline(statements: Iterable[Statement]) -> list[Span]:
    """When each statement of one slot holds, oldest first.

    Sorted by (at, episode, fact); statements that agree with their neighbours are one run and all hold on; a run ends
    when the next one begins, or earlier where its own text says so. The order of `statements` does not matter.

    Examples
    --------
    >>> from datetime import UTC
    >>> march, april = (datetime(2024, month, 1, tzinfo=UTC) for month in (3, 4))
    >>> raised = Statement("f2", "300k", april, "e2", known_at=april)
    >>> old, new = timeline([raised, Statement("f1", "500k", march, "e1", known_at=march)])
    >>> old.fact, old.invalid_at == april, old.superseded_by, new.invalid_at
    ('f1', True, 'f2', None)
    """
    ordered = sorted(statements, key=_place)
    spans: list[Span] = []
    following: Statement | None = None  # the nearest later statement that supersedes
    beyond: Statement | None = None  # the nearest later one that has another value than that
    for one in reversed(ordered):
        agrees = following is not None and following.value == one.value
        closing = beyond if agrees else following
        spans.append(_span(one, closing))
        if one.supersedes:
            following, beyond = one, closing
    return spans[::-1]


def _span(one: Statement, closing: Statement | None) -> Span:
    ends = one.invalid_at if closing is None else min(one.invalid_at or closing.at, closing.at)
    if ends is not None and one.valid_at is not None:
        ends = max(ends, one.valid_at)
    told_by = one.ended_by if closing is None or (one.invalid_at or closing.at) < closing.at else None
    if closing is None:
        return Span(one.fact, one.valid_at, ends, ended_by=told_by)
    return Span(one.fact, one.valid_at, ends, max(one.known_at, closing.known_at), closing.fact, told_by)


def with_told_ends(statements: Iterable[Statement]) -> list[Statement]:
    """The same, each with the first end after it that another statement tells of its value, unless it has its own.

    Examples
    --------
    >>> from datetime import UTC
    >>> march, april = (datetime(2024, month, 1, tzinfo=UTC) for month in (3, 4))
    >>> left = Statement("f2", "acme", april, "e2", april, invalid_at=april, ends_alike=True)
    >>> with_told_ends([Statement("f1", "acme", march, "e1", march), left])[0].invalid_at == april
    True
    """
    given = list(statements)
    told: dict[str, list[tuple[datetime, str, str]]] = {}
    for one in given:
        if one.ends_alike and one.invalid_at is not None:
            told.setdefault(one.value, []).append((one.invalid_at, one.episode, one.fact))
    return [_ended(one, [end for end in told.get(one.value, ()) if end[0] >= one.at]) for one in given]


def _ended(one: Statement, ends: list[tuple[datetime, str, str]]) -> Statement:
    if not ends or one.invalid_at is not None:
        return one
    end, _, fact = min(ends)
    return replace(one, invalid_at=end, ended_by=fact)


def visible(
    statements: Iterable[Statement], known_at: datetime | None, as_of: datetime | None = None
) -> list[Statement]:
    """What is left of one slot when what was written after `known_at`, and what was not yet so at `as_of`, is dropped.

    None drops nothing. At `as_of`, what was said by then is left, plans for later among it; what was said at no known
    time counts from when it holds, and without that from when it was written. Then only the oldest statement, and
    those of slots with many values, hold as far back as one asks: nothing says what was so before.

    Examples
    --------
    >>> from datetime import UTC
    >>> march, april, may = (datetime(2024, month, 1, tzinfo=UTC) for month in (3, 4, 5))
    >>> slot = [Statement("f1", "500k", march, "e1", march), Statement("f2", "300k", may, "e2", may)]
    >>> [one.fact for one in visible(slot, None, as_of=april)], [one.fact for one in visible(slot, None, as_of=may)]
    (['f1'], ['f1', 'f2'])
    """
    known = [one for one in statements if known_at is None or one.known_at <= known_at]
    if as_of is None or not known:
        return known
    oldest = min(known, key=_place)
    return [one for one in known if _is_so_by(as_of, one, holds_before=one is oldest or not one.single_valued)]


def _is_so_by(moment: datetime, one: Statement, *, holds_before: bool) -> bool:
    if one.said is not None or one.valid_at is not None:
        return (one.said or one.valid_at or one.at) <= moment
    ended = one.invalid_at is not None and one.invalid_at <= moment
    return holds_before or ended or one.known_at <= moment


def _place(one: Statement) -> tuple[datetime, str, str]:
    return one.at, one.episode, one.fact
