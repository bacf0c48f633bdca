"""What stands in facts without being an entity: amounts and dates, read as wholes."""

from datetime import datetime

from hybrid_agent_memory.errors import InvalidInputError
from hybrid_agent_memory.extract import EntityType
from hybrid_agent_memory.extract.dates import find_dates
from hybrid_agent_memory.graph.amounts import read_amount
from hybrid_agent_memory.times import EPOCH, parse_time

VALUES: frozenset[EntityType] = frozenset({"amount", "date", "other"})
"""Types of what a text does not mention by name."""

_LONGEST_DATE = 64  # characters


def value_type(text: str) -> EntityType:
    """The type of a value by its look.

    Examples
    --------
    >>> [value_type(text) for text in ("50万", "March 2021", "shipping delays")]
    ['amount', 'date', 'other']
    """
    if read_amount(text) is not None:
        return "amount"
    return "other" if _in_words(text, EPOCH) is None else "date"


def read_date(given: object, now: datetime | None = None) -> datetime | None:
    """A date or time as its first instant in UTC; None if it is none.

    Parameters
    ----------
    given : object
        ISO 8601, also of a month or a year alone; another date in English or Chinese; a datetime or epoch seconds.
    now : datetime, optional
        What a relative date is counted from.

    Examples
    --------
    >>> [moment and moment.isoformat() for moment in map(read_date, ("2024-11", "March 2021", "2024", "soon"))]
    ['2024-11-01T00:00:00+00:00', '2021-03-01T00:00:00+00:00', '2024-01-01T00:00:00+00:00', None]
    """
    written = given
    if isinstance(given, str):
        bare = given.strip()[:_LONGEST_DATE]
        written = bare + {4: "-01-01", 7: "-01"}.get(len(bare), "")
    try:
        return parse_time(written)
    except InvalidInputError:
        return _in_words(given, now) if isinstance(given, str) else None


def later(valid_at: datetime | None, invalid_at: datetime | None) -> datetime | None:
    """The end of a validity, unless it lies before its beginning."""
    return None if valid_at is not None and invalid_at is not None and invalid_at <= valid_at else invalid_at


def _in_words(given: str, now: datetime | None) -> datetime | None:
    bare = given.strip()
    if len(bare) > _LONGEST_DATE:
        return None
    found = find_dates(bare, now)
    whole = len(found) == 1 and found[0].core == (0, len(bare))
    return found[0].when if whole else None
