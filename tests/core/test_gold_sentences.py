"""Sentences as people write them: what the rules take from them is true, and most names are found.

`gold_sentences.jsonl` holds texts with their facts, most also with their entities. More than a third state nothing;
many state it in wordings that no rule has, so that recall tells something. A fact is subject, predicate and object;
where the text dates it, then the first day on which it holds, and the day on which it is over.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import NotRequired, TypedDict

import pytest

from hybrid_agent_memory.extract import Context, Extraction, Triple
from hybrid_agent_memory.extract.rules import RuleExtractor

GOLD = Path(__file__).parent / "gold_sentences.jsonl"
SAID = datetime(2024, 11, 20, tzinfo=UTC)


class Row(TypedDict):
    text: str
    speaker: NotRequired[str]
    entities: NotRequired[list[list[str]]]
    facts: list[list[str | None]]


class Tally:
    """What was right, wrongly found and missed."""

    def __init__(self) -> None:
        self.right = self.wrong = self.missed = 0
        self.notes: list[str] = []

    def add(self, text: str, found: set[str], wanted: set[str]) -> None:
        self.right += len(found & wanted)
        self.wrong += len(found - wanted)
        self.missed += len(wanted - found)
        if found != wanted:
            self.notes.append(f"{text!r}: wrong {sorted(found - wanted)}, missed {sorted(wanted - found)}")

    @property
    def precision(self) -> float:
        return self.right / max(1, self.right + self.wrong)

    @property
    def recall(self) -> float:
        return self.right / max(1, self.right + self.missed)

    @property
    def f1(self) -> float:
        return 2 * self.right / max(1, 2 * self.right + self.wrong + self.missed)

    def __str__(self) -> str:
        return f"precision {self.precision:.3f}, recall {self.recall:.3f}, F1 {self.f1:.3f}"


@cache
def rows() -> list[Row]:
    return [json.loads(line) for line in GOLD.read_text(encoding="utf-8").splitlines()]


def is_chinese(text: str) -> bool:
    return any("\u4e00" <= character <= "\u9fff" for character in text)


@cache
def extractions() -> list[tuple[Row, Extraction]]:
    extractor = RuleExtractor()
    return [(row, extractor.extract(row["text"], Context(time=SAID, speaker=row.get("speaker")))) for row in rows()]


def of_language(language: str) -> Iterator[tuple[Row, Extraction]]:
    for row, extraction in extractions():
        if language == "both" or is_chinese(row["text"]) == (language == "Chinese"):
            yield row, extraction


def plain(text: str | None) -> str:
    return "".join((text or "").casefold().split())


def current(extraction: Extraction) -> list[Triple]:
    return [fact for fact in extraction.triples if fact.invalid_at is None or fact.invalid_at > SAID]


def day(moment: datetime | None) -> str | None:
    return moment.date().isoformat() if moment else None


def facts(language: str) -> Tally:
    tally = Tally()
    for row, extraction in of_language(language):
        found = {f"{plain(t.subject.name)} {t.predicate} {plain(t.object.name)}" for t in current(extraction)}
        wanted = {" ".join(map(plain, fact[:3])) for fact in row["facts"]}
        tally.add(row["text"], found, wanted)
    return tally


def days(language: str) -> Tally:
    """From when until when the facts hold that were found, where the rows or the rules date them."""
    tally = Tally()
    for row, extraction in of_language(language):
        ends = {tuple(map(plain, fact[:3])): (*fact[3:], None, None)[:2] for fact in row["facts"]}
        for fact in current(extraction):
            key = plain(fact.subject.name), fact.predicate, plain(fact.object.name)
            if key in ends:
                found = {f"{name} {moment}" for name, moment in _named(day(fact.valid_at), day(fact.invalid_at))}
                tally.add(row["text"], found, {f"{name} {moment}" for name, moment in _named(*ends[key])})
    return tally


def _named(since: str | None, until: str | None) -> Iterator[tuple[str, str]]:
    yield from ((name, moment) for name, moment in (("since", since), ("until", until)) if moment)


def entities(language: str) -> Tally:
    tally = Tally()
    for row, extraction in of_language(language):
        if "entities" not in row:
            continue
        speaker = row.get("speaker")
        found = {plain(m.name) for m in extraction.mentions if m.type not in ("date", "other") and m.name != speaker}
        tally.add(row["text"], found, {plain(name) for name, _ in row["entities"]})
    return tally


def test_the_set_is_what_it_says() -> None:
    chinese = [row for row in rows() if is_chinese(row["text"])]
    silent = [row for row in rows() if not row["facts"]]
    assert len(rows()) >= 600
    assert 0.4 <= len(chinese) / len(rows()) <= 0.6
    assert len(silent) >= len(rows()) / 3
    assert len({row["text"] for row in rows()}) == len(rows())


@pytest.mark.parametrize("language", ["both", "English", "Chinese"])
def test_what_is_taken_for_a_fact_is_one(language: str) -> None:
    tally = facts(language)
    print(f"facts, {language}: {tally}")  # noqa: T201
    assert tally.precision >= 0.95, "\n".join((str(tally), *tally.notes))
    assert tally.recall >= 0.5, "\n".join((str(tally), *tally.notes))


@pytest.mark.parametrize("language", ["both", "English", "Chinese"])
def test_names_are_found(language: str) -> None:
    tally = entities(language)
    print(f"entities, {language}: {tally}")  # noqa: T201
    assert tally.f1 >= 0.80, "\n".join((str(tally), *tally.notes))


@pytest.mark.parametrize("language", ["both", "English", "Chinese"])
def test_facts_hold_from_and_until_the_days_told(language: str) -> None:
    tally = days(language)
    print(f"days, {language}: {tally}")  # noqa: T201
    assert tally.right >= 15, tally
    assert tally.precision >= 0.95, "\n".join((str(tally), *tally.notes))
    assert tally.recall >= 0.95, "\n".join((str(tally), *tally.notes))
