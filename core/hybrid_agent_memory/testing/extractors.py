"""An extractor that reads a small notation, so that tests say exactly what is understood."""

import re
from datetime import UTC, datetime
from functools import cache
from typing import cast

from hybrid_agent_memory.extract import Context, EntityType, Extraction, Mention, Triple


class LineExtractor:
    r"""Reads one statement a line and nothing else; deterministic, for tests.

    ``Atlas -budget-> amount:500k from 2024-11-03 until 2024-12-01`` is a fact with its times, with ``ends 2024-12-01``
    it only tells that this ends then; ``+ person:Ann`` mentions someone; a type before a colon is that of the name.
    Some predicates are single-valued, some are events.

    Attributes
    ----------
    asked : list of (str, Context)
        All it was given so far.

    Examples
    --------
    >>> found = LineExtractor().extract("Atlas -owner-> person:Ann\n+ place:Oslo", Context())
    >>> [(mention.name, mention.type) for mention in found.mentions]
    [('Atlas', 'name'), ('Ann', 'person'), ('Oslo', 'place')]
    >>> [(fact.predicate, fact.kind, fact.single_valued) for fact in found.triples]
    [('owner', 'relation', True)]
    """

    name = "lines"
    single_valued = frozenset({"budget", "owner", "status"})
    events = frozenset({"complained_about", "visited"})

    def __init__(self, previous_turns: int = 0) -> None:
        self.previous_turns = previous_turns
        self.asked: list[tuple[str, Context]] = []

    def extract(self, text: str, context: Context) -> Extraction:
        """What the lines of a text say."""
        self.asked.append((text, context))
        mentions: list[Mention] = []
        triples: list[Triple] = []
        for line in text.splitlines():
            if line.startswith("+ "):
                mentions.append(_mention(line[2:]))
            elif found := _statement().fullmatch(line):
                triples.append(self._triple(line, *found.groups()))
                mentions += [triples[-1].subject, triples[-1].object]
        return Extraction(tuple(dict.fromkeys(mentions)), tuple(triples))

    def _triple(
        self,
        line: str,
        subject: str,
        predicate: str,
        value: str,
        begin: str | None,
        how: str | None,
        end: str | None,
    ) -> Triple:
        return Triple(
            subject=_mention(subject),
            predicate=predicate,
            object=_mention(value),
            text=line,
            kind="event" if predicate in self.events else "relation",
            valid_at=_moment(begin),
            invalid_at=_moment(end),
            single_valued=predicate in self.single_valued,
            tells_end=how == "ends",
        )


@cache
def _statement() -> re.Pattern[str]:
    return re.compile(r"(.+?) -(\w+)-> (.+?)(?: from (\S+))?(?: (until|ends) (\S+))?")


def _mention(written: str) -> Mention:
    kind, colon, name = written.partition(":")
    return Mention(name, cast(EntityType, kind)) if colon else Mention(written)


def _moment(written: str | None) -> datetime | None:
    return None if written is None else datetime.fromisoformat(written).replace(tzinfo=UTC)
