"""Facts that callers hand in, checked and turned into episodes that state them."""

from collections.abc import Mapping
from typing import cast, get_args

from hybrid_agent_memory.errors import InvalidInputError, shown
from hybrid_agent_memory.extract import EntityType, Extraction, FactKind, Mention, Triple, predicate_key
from hybrid_agent_memory.extract.alignment import Statement, restated
from hybrid_agent_memory.extract.vocabulary import Vocabulary
from hybrid_agent_memory.intake import check_name
from hybrid_agent_memory.times import parse_time

FactItem = Mapping[str, object]
OWN = (
    "subject", "predicate", "object", "text", "kind", "valid_at", "invalid_at", "single_valued", "subject_type",
    "object_type",
)  # fmt: skip
EPISODES = ("id", "time", "session", "speaker", "source", "metadata")


def take_in_fact(item: object, where: str, vocabulary: Vocabulary) -> dict[str, object]:
    """Check one fact and give the episode that states it, in the words of a vocabulary where it has them.

    Raises
    ------
    InvalidInputError
        If anything about it is wrong; the message says what and what to give instead.
    """
    if not isinstance(item, Mapping):
        raise InvalidInputError(
            f"{where} is a {type(item).__name__}: give a mapping with subject, predicate and object"
        )
    unknown = [key for key in item if key not in (*OWN, *EPISODES)]
    if unknown:
        raise InvalidInputError(
            f"{where} has the unknown key {shown(unknown[0])}: known are {', '.join((*OWN, *EPISODES))}"
        )
    subject = Mention(check_name(item.get("subject"), f"{where}: subject"), _type(item, "subject_type", where))
    obj = Mention(check_name(item.get("object"), f"{where}: object"), _type(item, "object_type", where))
    predicate = predicate_key(check_name(item.get("predicate"), f"{where}: predicate"))
    given = item.get("text")
    text = f"{subject.name} {predicate.replace('_', ' ')} {obj.name}"
    text = text if given is None else check_name(given, f"{where}: text")
    stated = restated(subject, predicate, obj, vocabulary) or Statement(
        subject, predicate, obj, vocabulary.kind(predicate), vocabulary.single_valued(predicate)
    )
    triple = Triple(
        stated.subject,
        stated.predicate,
        stated.object,
        text,
        _kind(item, stated.kind, where),
        None if item.get("valid_at") is None else parse_time(item["valid_at"], name=f"{where}: valid_at"),
        None if item.get("invalid_at") is None else parse_time(item["invalid_at"], name=f"{where}: invalid_at"),
        _single_valued(item, stated.single_valued, where),
    )
    if triple.valid_at is not None and triple.invalid_at is not None and triple.invalid_at < triple.valid_at:
        raise InvalidInputError(
            f"{where}: invalid_at {shown(item['invalid_at'])} is before valid_at {shown(item['valid_at'])}: swap them"
        )
    episode = {key: item[key] for key in EPISODES if key in item}
    return {**episode, "text": text, "extraction": Extraction((subject, obj), (triple,))}


def _type(item: Mapping[str, object], field: str, where: str) -> EntityType:
    value = item.get(field, "name")
    if value not in get_args(EntityType):
        raise InvalidInputError(
            f"{where}: {field} {shown(value)} is unknown: give one of {', '.join(get_args(EntityType))}"
        )
    return cast(EntityType, value)


def _kind(item: Mapping[str, object], usual: FactKind, where: str) -> FactKind:
    value = item.get("kind")
    if value is None:
        return usual
    if value not in get_args(FactKind):
        raise InvalidInputError(f"{where}: kind {shown(value)} is unknown: give 'event' or 'relation'")
    return cast(FactKind, value)


def _single_valued(item: Mapping[str, object], usual: bool, where: str) -> bool:
    value = item.get("single_valued")
    if value is None:
        return usual
    if not isinstance(value, bool):
        raise InvalidInputError(f"{where}: single_valued {shown(value)} must be true or false")
    return value
