"""Reading what an LLM answered: find the JSON object, then keep only what the text bears out."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from hybrid_agent_memory.errors import shown
from hybrid_agent_memory.extract import EntityType, Extraction, FactKind, Mention, Triple
from hybrid_agent_memory.extract.alignment import Statement, align, entity_type, predicate_name
from hybrid_agent_memory.extract.grounding import Grounds
from hybrid_agent_memory.extract.speakers import speaks_of_speaker
from hybrid_agent_memory.extract.values import VALUES, later, read_date, value_type
from hybrid_agent_memory.extract.vocabulary import Vocabulary

LONGEST_ANSWER = 200_000  # characters
MOST_ENTITIES = 64
MOST_FACTS = 64
_TRIED_BRACES = 256  # places where an object may begin; each costs up to the length of the answer
_KINDS: dict[str, FactKind] = {"event": "event", "relation": "relation"}


class UnreadableAnswerError(ValueError):
    """An answer is not the JSON object that was asked for; the message tells the LLM why, without quoting it."""


class _RefusedError(ValueError):
    """A fact is not taken over; the message says why."""


def read_object(content: object, keys: Iterable[str]) -> Mapping[str, object]:
    """The JSON object in an answer, which may be wrapped in prose, a code fence or a train of thought.

    Parameters
    ----------
    content : object
        A string, or a mapping from an LLM with structured output.
    keys : iterable of str
        The object must have at least one of these; the last such object counts, since models think before they answer.

    Returns
    -------
    mapping

    Raises
    ------
    UnreadableAnswerError
        If there is none.
    """
    wanted = set(keys)
    if isinstance(content, Mapping):
        candidates = [content]
    elif not isinstance(content, str):
        raise UnreadableAnswerError(f"it is a {type(content).__name__}, not a JSON object")
    elif not content.strip():
        raise UnreadableAnswerError("it is empty")
    elif len(content) > LONGEST_ANSWER:
        raise UnreadableAnswerError(f"it has {len(content)} characters, more than {LONGEST_ANSWER}")
    else:
        candidates = list(_objects(content))
    fitting = [candidate for candidate in candidates if wanted & set(candidate)]
    if not fitting:
        raise UnreadableAnswerError(f"it holds no complete JSON object with {' or '.join(sorted(wanted))}")
    return fitting[-1]


def read_extraction(content: object, grounds: Grounds, vocabulary: Vocabulary, now: datetime | None) -> Extraction:
    """The entities and facts of an answer that the text bears out.

    Parameters
    ----------
    content : object
        The answer.
    grounds : Grounds
        The text and what is known around it.
    vocabulary : Vocabulary
        Its predicates keep their kind and number of values; unknown ones have many values.
    now : datetime or None
        When the text was said, for a date such as "last Friday".

    Returns
    -------
    Extraction
        The speaker is among its mentions where the text speaks of him. Its `note` counts what was
        refused, and tells the first reason.

    Raises
    ------
    UnreadableAnswerError
        If it is no JSON object with lists of entities and facts, or not one item of a list is usable in form.
    """
    answer = read_object(content, ("entities", "facts"))
    entities = _items(answer, "entities", ("name",))
    facts = _items(answer, "facts", ("subject", "predicate", "object"))
    reading = _Reading(grounds, vocabulary, now)
    for entity in entities[:MOST_ENTITIES]:
        reading.take_entity(entity)
    for fact in facts[:MOST_FACTS]:
        reading.take_fact(fact)
    reading.remarks += [f"more than {MOST_ENTITIES} entities"] * (len(entities) - MOST_ENTITIES)
    reading.remarks += [f"more than {MOST_FACTS} facts"] * (len(facts) - MOST_FACTS)
    return reading.extraction()


def read_judgement(content: object) -> bool | None:
    """Whether an answer says that two names mean the same; None if it says or shows nothing.

    Examples
    --------
    >>> read_judgement('Sure: {"same": true}'), read_judgement("yes")
    (True, None)
    """
    try:
        same = read_object(content, ("same",))["same"]
    except UnreadableAnswerError:
        return None
    return same if isinstance(same, bool) else None


@dataclass
class _Reading:
    """Entities and facts taken over so far."""

    grounds: Grounds
    vocabulary: Vocabulary
    now: datetime | None
    types: dict[str, EntityType] = field(default_factory=dict)
    mentions: dict[str, Mention] = field(default_factory=dict)
    triples: dict[tuple[str, str, str], Triple] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)

    def take_entity(self, entity: Mapping[str, object]) -> None:
        name = self.grounds.name(entity.get("name"))
        if name is None:
            self.remarks.append(f"{shown(entity.get('name'))} is named nowhere")
            return
        self.types.setdefault(name.casefold(), entity_type(entity.get("type")))
        mention = self._mention(name, None)
        if mention.type not in VALUES and self.grounds.place(name) is not None:
            self.mentions.setdefault(name.casefold(), mention)

    def take_fact(self, fact: Mapping[str, object]) -> None:
        try:
            triple = self._triple(fact)
        except _RefusedError as reason:
            self.remarks.append(str(reason))
            return
        if triple is None:
            return
        ends = (triple.subject, triple.object)
        self.triples.setdefault((ends[0].name.casefold(), triple.predicate, ends[1].name.casefold()), triple)
        for mention in ends:
            if mention.type not in VALUES:
                self.mentions.setdefault(mention.name.casefold(), mention)

    def extraction(self) -> Extraction:
        speaker = self.grounds.speaker
        if speaker and speaks_of_speaker(self.grounds.text, speaker, alone=not self.mentions):
            self.mentions.setdefault(speaker.casefold(), self._mention(speaker, "person"))
        places = {mention: self.grounds.place(mention.name) for mention in self.mentions.values()}
        ordered = sorted(places, key=lambda mention: (places[mention] is None, places[mention] or 0))
        refused = len(self.remarks)
        note = f"{refused} of the LLM's statements left out: {self.remarks[0]}" if refused else ""
        return Extraction(tuple(ordered), tuple(self.triples.values()), note)

    def _triple(self, fact: Mapping[str, object]) -> Triple | None:
        if _flag(fact.get("negated", False)):
            return None
        subject, other = self._end(fact.get("subject"), "name"), self._end(fact.get("object"), None)
        if subject.name.casefold() == other.name.casefold():
            raise _RefusedError(f"{shown(subject.name)} is both subject and object")
        predicate = predicate_name(fact.get("predicate"))
        if not predicate:
            raise _RefusedError(f"predicate {shown(fact.get('predicate'))} is no word")
        sentence = self.grounds.sentence(fact.get("sentence"), subject.name, other.name)
        if sentence is None:
            raise _RefusedError("a fact of an earlier turn, or of no sentence")
        stated = align(subject, predicate, other, self.vocabulary)
        stated = stated or Statement(subject, predicate, other, _kind(fact.get("kind")))
        valid_at, invalid_at = self._date(fact, "valid_at"), self._date(fact, "invalid_at")
        return Triple(
            subject=stated.subject,
            predicate=stated.predicate,
            object=stated.object,
            text=sentence,
            kind=stated.kind,
            valid_at=valid_at,
            invalid_at=later(valid_at, invalid_at),
            single_valued=stated.single_valued,
        )

    def _end(self, name: object, untold: EntityType | None) -> Mention:
        grounded = self.grounds.name(name)
        if grounded is None:
            raise _RefusedError(f"{shown(name)} is named nowhere")
        return self._mention(grounded, "person" if grounded == self.grounds.speaker else untold)

    def _mention(self, name: str, untold: EntityType | None) -> Mention:
        told = self.types.get(name.casefold()) or untold
        return Mention(name, value_type(name) if told in (None, "other") else told)

    def _date(self, fact: Mapping[str, object], key: str) -> datetime | None:
        given = fact.get(key)
        if given is None or given == "":
            return None
        moment = read_date(given, self.now)
        if moment is None:
            self.remarks.append(f"{key} {shown(given)} is no date")
        return moment


def _objects(content: str) -> Iterator[Mapping[str, object]]:
    """Every complete JSON object in a text, outermost ones only."""
    decoder = json.JSONDecoder()
    at = content.find("{")
    for _ in range(_TRIED_BRACES):
        if at < 0:
            return
        try:
            value, end = decoder.raw_decode(content, at)
        except (ValueError, RecursionError):  # ValueError is also an integer of thousands of digits
            end = at + 1
        else:
            yield value
        at = content.find("{", end)


def _items(answer: Mapping[str, object], key: str, strings: Sequence[str]) -> list[Mapping[str, object]]:
    """The list under a key; items of the wrong form stay in it, unless all are."""
    given = answer.get(key)
    if given is None:
        return []
    if not isinstance(given, list):
        raise UnreadableAnswerError(f"{key} is a {type(given).__name__}, not a list")
    items = [item if isinstance(item, Mapping) else {} for item in given]
    if items and not any(all(isinstance(item.get(name), str) for name in strings) for item in items):
        raise UnreadableAnswerError(f"no item of {key} is an object with the strings {', '.join(strings)}")
    return items


def _flag(given: object) -> bool:
    """Only a plain no is a no: what cannot be read might be a denial."""
    if isinstance(given, str):
        return given.strip().casefold() not in ("false", "no", "")
    return given is not None and given is not False


def _kind(given: object) -> FactKind:
    kind = _KINDS.get(given.strip().casefold()) if isinstance(given, str) else None
    if kind is None:
        raise _RefusedError(f"kind {shown(given)} is neither event nor relation")
    return kind
