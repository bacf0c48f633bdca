"""What an extraction must look like before it is stored, whoever made it: an extractor, an LLM, or the caller."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import get_args

from hybrid_agent_memory.errors import shown
from hybrid_agent_memory.extract import EntityType, Extraction, FactKind, Mention, Triple

TYPES = get_args(EntityType)
KINDS = get_args(FactKind)
MOST = 10_000
"""Mentions, and triples, that one extraction may have; what has more is no text of a sensible length."""


def fault_of(extraction: object) -> str | None:
    """What is wrong with an extraction, or None; the message names the value and what to give instead.

    Examples
    --------
    >>> fault_of(Extraction((Mention("Ann", "person"),)))
    >>> fault_of(Extraction((Mention(" "),)))
    "mention 0: name ' ' must be a string that is not blank"
    """
    return next(_faults(extraction), None)


def _faults(extraction: object) -> Iterator[str]:
    if not isinstance(extraction, Extraction):
        yield f"{shown(extraction)} is no Extraction"
        return
    for name in ("mentions", "triples"):
        value = getattr(extraction, name)
        if isinstance(value, str) or not isinstance(value, Sequence):
            yield f"{name} {shown(value)} must be a tuple"
            return
        if len(value) > MOST:
            yield f"{len(value):,} {name} are more than {MOST:,}: cut the text into several episodes"
            return
    for at, mention in enumerate(extraction.mentions):
        yield from _faults_of_mention(mention, f"mention {at}")
    for at, triple in enumerate(extraction.triples):
        yield from _faults_of_triple(triple, f"triple {at}")
    if not isinstance(extraction.note, str):
        yield f"note {shown(extraction.note)} must be a string"
    usage = extraction.usage
    if not isinstance(usage, Mapping) or not all(isinstance(count, int) for count in usage.values()):
        yield f"usage {shown(usage)} must be a mapping of names to whole numbers"


def _faults_of_mention(mention: object, where: str) -> Iterator[str]:
    if not isinstance(mention, Mention):
        yield f"{where} {shown(mention)} is no Mention"
        return
    yield from _faults_of_string(mention.name, f"{where}: name")
    if mention.type not in TYPES:
        yield f"{where}: type {shown(mention.type)} must be one of {', '.join(TYPES)}"


def _faults_of_triple(triple: object, where: str) -> Iterator[str]:
    if not isinstance(triple, Triple):
        yield f"{where} {shown(triple)} is no Triple"
        return
    yield from _faults_of_mention(triple.subject, f"{where}: subject")
    yield from _faults_of_mention(triple.object, f"{where}: object")
    yield from _faults_of_string(triple.predicate, f"{where}: predicate")
    yield from _faults_of_string(triple.text, f"{where}: text", may_be_blank=True)
    if triple.kind not in KINDS:
        yield f"{where}: kind {shown(triple.kind)} must be one of {', '.join(KINDS)}"
    for name in ("valid_at", "invalid_at"):
        time = getattr(triple, name)
        if time is not None and not (isinstance(time, datetime) and time.tzinfo is not None):
            yield f"{where}: {name} {shown(time)} must be a datetime with a time zone, or None"
    if not isinstance(triple.single_valued, bool):
        yield f"{where}: single_valued {shown(triple.single_valued)} must be true or false"
    if not isinstance(triple.tells_end, bool):
        yield f"{where}: tells_end {shown(triple.tells_end)} must be true or false"


def _faults_of_string(value: object, where: str, *, may_be_blank: bool = False) -> Iterator[str]:
    if not isinstance(value, str) or not (value.strip() or may_be_blank):
        yield f"{where} {shown(value)} must be a string{'' if may_be_blank else ' that is not blank'}"
    elif not value.isascii() and any("\ud800" <= sign <= "\udfff" for sign in value):
        yield f"{where} {shown(value)} has half a character"
