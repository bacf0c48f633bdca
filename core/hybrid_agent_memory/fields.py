"""Record fields read from metadata and given back in it, for frameworks whose documents have nothing but metadata."""

from datetime import datetime

from hybrid_agent_memory.errors import InvalidInputError
from hybrid_agent_memory.records import Hit
from hybrid_agent_memory.times import parse_time


def name_or_none(value: object) -> str | None:
    """A metadata value that can be a source, session or speaker, as it is.

    Returns
    -------
    str or None
        None for what is no string, and for a blank one.

    Examples
    --------
    >>> name_or_none("ann"), name_or_none("  "), name_or_none(7)
    ('ann', None, None)
    """
    return value if isinstance(value, str) and value.strip() else None


def time_or_none(value: object) -> datetime | None:
    """A metadata value that reads as a time, as an aware UTC datetime.

    Returns
    -------
    datetime or None
        None for what is no ISO 8601 string and no epoch seconds.

    Examples
    --------
    >>> time_or_none("2024-11-05T10:00:00+08:00").isoformat(), time_or_none("about noon"), time_or_none(True)
    ('2024-11-05T02:00:00+00:00', None, None)
    """
    if not isinstance(value, str | int | float):
        return None
    try:
        return parse_time(value)
    except InvalidInputError:
        return None


def unnamed_fields(hit: Hit) -> dict[str, str]:
    """The time, source, session and speaker that a hit has and its metadata does not name itself.

    Returns
    -------
    dict
        New; the time as ISO 8601 in UTC.

    Examples
    --------
    >>> from hybrid_agent_memory import HybridMemory
    >>> memory = HybridMemory.in_memory()
    >>> _ = memory.add({"text": "hello", "time": 0, "speaker": "ann", "source": "log", "metadata": {"source": "mine"}})
    >>> unnamed_fields(memory.search("hello")[0])
    {'time': '1970-01-01T00:00:00+00:00', 'speaker': 'ann'}
    """
    fields = {
        "time": hit.time.isoformat() if hit.time else None,
        "source": hit.source,
        "session": hit.session,
        "speaker": hit.speaker,
    }
    return {key: value for key, value in fields.items() if value is not None and key not in hit.metadata}
