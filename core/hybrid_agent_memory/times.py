"""Times as people write them, to aware UTC datetimes and back to epoch seconds."""

from datetime import UTC, datetime, timedelta

from hybrid_agent_memory.errors import InvalidInputError, shown

REMEDY = "give a datetime, an ISO 8601 string or epoch seconds"

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Timeish = datetime | str | int | float


def parse_time(value: object, *, name: str = "time") -> datetime:
    """Read a datetime, an ISO 8601 string or epoch seconds as an aware UTC datetime.

    Parameters
    ----------
    value : datetime, str, int or float
        A naive datetime or a string without an offset is taken as UTC.
    name : str
        What the value is, for the error message.

    Returns
    -------
    datetime
        The same instant, in UTC.

    Raises
    ------
    InvalidInputError
        If the value is none of these, is not finite, or lies outside the years 1 to 9999.

    Examples
    --------
    >>> parse_time("2024-11-05T10:00:00+08:00").isoformat()
    '2024-11-05T02:00:00+00:00'
    >>> parse_time(0).isoformat()
    '1970-01-01T00:00:00+00:00'
    """
    try:
        if isinstance(value, datetime):
            moment = value
        elif isinstance(value, str):
            moment = datetime.fromisoformat(value.strip())
        elif isinstance(value, int | float) and not isinstance(value, bool):
            moment = datetime.fromtimestamp(value, UTC)
        else:
            raise InvalidInputError(f"{name} {shown(value)} is not a time: {REMEDY}")
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise InvalidInputError(f"{name} {shown(value)} is not a time: {REMEDY}") from error


def to_micros(moment: datetime) -> int:
    """Microseconds since 1970-01-01T00:00Z of an aware datetime, exactly.

    Examples
    --------
    >>> to_micros(parse_time("1970-01-01T00:00:01.5Z"))
    1500000
    """
    return (moment - EPOCH) // timedelta(microseconds=1)


def from_micros(micros: int) -> datetime:
    """The aware UTC datetime that `to_micros` was given."""
    return EPOCH + timedelta(microseconds=micros)
