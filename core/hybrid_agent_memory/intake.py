"""What callers hand to `add`, checked and turned into records: copies, so that nothing given is changed or kept."""

import math
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from hybrid_agent_memory.embedding import unit
from hybrid_agent_memory.errors import InvalidInputError, shown
from hybrid_agent_memory.records import JSON, Chunk, Metadata, Record
from hybrid_agent_memory.times import parse_time

Item = str | Mapping[str, object] | Chunk
KNOWN = tuple(field.name for field in fields(Chunk))
DEEPEST = 32
LONGEST_INTEGER = 1023  # bits: what a float can hold, so that every number compares with every other


@dataclass(frozen=True, slots=True)
class Intake:
    """A checked item: its record and the unit vector that came with it, if one did."""

    record: Record
    vector: NDArray[np.float32] | None


def take_in(item: object, created_at: datetime, where: str = "item") -> Intake:
    """Check one item of `add`.

    Parameters
    ----------
    item : str, mapping or Chunk
    created_at : datetime
        When it is written.
    where : str
        What to call it in an error.

    Returns
    -------
    Intake

    Raises
    ------
    InvalidInputError
        If anything about it is wrong; the message says what and what to give instead.
    """
    given = _fields(item, where)
    identity = _string(given.get("id"), f"{where}: id")
    identity = new_id() if identity is None else identity
    moment = given.get("time")
    record = Record(
        id=identity,
        text=_text(given.get("text"), where),
        time=None if moment is None else parse_time(moment, name=f"{where}: time"),
        source=_string(given.get("source"), f"{where}: source"),
        session=_string(given.get("session"), f"{where}: session"),
        speaker=_string(given.get("speaker"), f"{where}: speaker"),
        episode_id=identity,
        metadata=_metadata(given.get("metadata"), where),
        created_at=created_at,
    )
    vector = given.get("vector")
    return Intake(record, None if vector is None else take_vector(vector, f"{where}: vector"))


def new_id() -> str:
    """A new UUID, of version 7: later ones are greater, to the nanosecond of this computer's clock.

    So of two that are added at one moment, and of two facts that begin at one, the later is the newer.

    Examples
    --------
    >>> first, second = new_id(), new_id()
    >>> len(first), first[12], first < second
    (32, '7', True)
    """
    milliseconds, nanoseconds = divmod(time.time_ns(), 1_000_000)
    order, rest = nanoseconds >> 8, nanoseconds & 0xFF
    low = 0b10 << 62 | rest << 54 | secrets.randbits(54)
    return f"{(milliseconds & (1 << 48) - 1) << 16 | 7 << 12 | order:016x}{low:016x}"


def take_vector(vector: object, where: str = "vector") -> NDArray[np.float32]:
    """Check a vector that a caller gives, and scale it to length 1.

    Raises
    ------
    InvalidInputError
        If it is no flat sequence of finite numbers, or is all zeros.
    """
    try:
        with np.errstate(over="ignore"):
            made = np.asarray(vector, dtype=np.float32)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidInputError(f"{where} is no sequence of numbers: {error}") from error
    if made.ndim != 1 or not made.size:
        raise InvalidInputError(f"{where} has shape {made.shape}: give one flat sequence of numbers")
    if not np.isfinite(made).all():
        raise InvalidInputError(f"{where} holds NaN or infinity: give finite numbers")
    if not made.any():
        raise InvalidInputError(f"{where} is all zeros and so has no direction: leave it out")
    return unit(made)


def check_name(value: object, where: str) -> str:
    """A name or an id: a string that is not blank and can be stored.

    Raises
    ------
    InvalidInputError
        If it is something else.
    """
    if not isinstance(value, str) or not value.strip():
        raise InvalidInputError(f"{where} is {shown(value)}: give a string that is not blank")
    return _encodable(value, where)


def _fields(item: object, where: str) -> Mapping[str, object]:
    if isinstance(item, str):
        return {"text": item}
    if isinstance(item, Chunk):
        return {name: getattr(item, name) for name in KNOWN}
    if not isinstance(item, Mapping):
        raise InvalidInputError(f"{where} is a {type(item).__name__}: give a string, a mapping or a Chunk")
    unknown = [key for key in item if key not in KNOWN]
    if unknown:
        raise InvalidInputError(
            f"{where} has the unknown key {shown(unknown[0])}: known are {', '.join(KNOWN)}; put others in metadata"
        )
    return item


def _text(value: object, where: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InvalidInputError(f"{where}: text is {shown(value)}: give a string that is not blank")
    return _encodable(value, f"{where}: text")


def _string(value: object, where: str) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or not value.strip():
        raise InvalidInputError(f"{where} is {shown(value)}: give a string that is not blank, or leave it out")
    return _encodable(value, where)


def _encodable(value: str, where: str) -> str:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidInputError(
            f"{where} holds the lone surrogate {value[error.start]!r} at {error.start}: "
            "clean it with text.encode('utf-8', 'replace').decode()"
        ) from error
    return value


def _metadata(value: object, where: str) -> Metadata:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InvalidInputError(f"{where}: metadata is {shown(value)}: give a mapping of strings to JSON values")
    for key in value:
        if isinstance(key, str) and key[:1] in ("@", "$"):
            raise InvalidInputError(
                f"{where}: metadata key {shown(key)} starts with {key[0]!r}, which filters use: rename it"
            )
    return _json_object(value, f"{where}: metadata", DEEPEST)


def _json_object(value: Mapping[object, object], where: str, depth: int) -> Metadata:
    copied: Metadata = {}
    for key, inner in value.items():
        if not isinstance(key, str) or not key:
            raise InvalidInputError(f"{where} has the key {shown(key)}: give non-empty strings")
        copied[_encodable(key, f"{where} key")] = _json(inner, f"{where}[{key!r}]", depth - 1)
    return copied


def _json(value: object, where: str, depth: int) -> JSON:
    if depth < 0:
        raise InvalidInputError(f"{where} is nested more than {DEEPEST} deep: flatten it")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int) and value.bit_length() <= LONGEST_INTEGER:
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, str):
        return _encodable(value, where)
    if isinstance(value, Mapping):
        return _json_object(value, where, depth)
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [_json(inner, f"{where}[{at}]", depth - 1) for at, inner in enumerate(value)]
    raise InvalidInputError(
        f"{where} is {shown(value)}: give JSON values (finite numbers, strings, lists, mappings; times as ISO strings)"
    )
