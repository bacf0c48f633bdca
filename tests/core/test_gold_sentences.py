"""Sentences as people write them: what the rules take from them is true, and most names are found.

`gold_sentences.jsonl` holds texts with their facts, most also with their entities. More than a third state nothing;
many state it in wordings that no rule has, so that recall tells something.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import NotRequired, TypedDict

import pytest

from hybrid_agent_memory.extract import Context, Extraction
from hybrid_agent_memory.extract.rules import RuleExtractor

GOLD = Path(__file__).parent / "gold_sentences.jsonl"
SAID = datetime(2024, 11, 20, tzinfo=UTC)


class Row(TypedDict):
    text: str
    speaker: NotRequired[str]
    time: NotRequired[str]
    entities: NotRequired[list[list[str]]]
    facts: list[list[str]]


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


def plain(text: str) -> str:
    return "".join(text.casefold().split())


def facts(language: str) -> Tally:
    tally = Tally()
    for row, extraction in of_language(language):
        current = [t for t in extraction.triples if t.invalid_at is None or t.invalid_at > SAID]
        found = {f"{plain(t.subject.name)} {t.predicate} {plain(t.object.name)}" for t in current}
        wanted = {f"{plain(subject)} {predicate} {plain(value)}" for subject, predicate, value in row["facts"]}
        tally.add(row["text"], found, wanted)
    return tally


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
    assert len(rows()) >= 180
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
