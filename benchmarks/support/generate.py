"""Write the support benchmark again from its templates: `python benchmarks/support/generate.py [--out FOLDER]`.

Each split holds one service log per language in BEIR layout. The same templates give the same bytes on any machine:
every choice is drawn with `randrange` of a `random.Random` seeded with the name of the split and the language.
"""

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from random import Random
from typing import TypeVar

from benchmarks.support import templates_dev, templates_test
from benchmarks.support._forms import CATEGORIES, Entry, Form, Language, Person, slots_of

T = TypeVar("T")
Value = Entry | Person
Values = dict[str, Value]

SPLITS = {"dev": templates_dev.LANGUAGES, "test": templates_test.LANGUAGES}
QUESTIONS_PER_CATEGORY = {"dev": 13, "test": 16}
NEAR_DUPLICATES = {"negation": 5, "same_words_opposite_fact": 5}  # else one, which recall@5 hardly notices
ANSWERS, LEADS_THERE = 2, 1
DAYS = 364
NEWER_AFTER_DAYS = (40, 80)
AHEAD_DAYS = (110, 130)
TURNS_OF_A_SHIFT = (3, 5)
CHATTER_OF_A_SHIFT = (3, 5)
HERE = Path(__file__).parent


@dataclass(slots=True)
class Turn:
    """A turn that states something; its id is known once the log is in order."""

    day: int
    text: str
    customer: str | None
    id: str = ""


Session = tuple[datetime, list[tuple[str, Turn]]]
"""When it starts, and who says what."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, the turns that answer it with their grade, and turns that only look as if they did."""

    category: str
    text: str
    indirect: bool
    relevant: tuple[tuple[Turn, int], ...]
    distractors: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the finished log."""

    id: str
    text: str
    time: datetime
    session: str
    speaker: str


@dataclass(slots=True)
class Draw:
    """Values for slots: a pool is used up before any of its entries comes again.

    `taken` holds the names and order numbers that are in use; people come from `owners` where `of_relations` is set.
    """

    language: Language
    rng: Random
    taken: set[str]
    of_relations: bool
    _decks: dict[str, list[Value]] = field(default_factory=dict)

    def pair(self, slot: str) -> tuple[Value, Value]:
        """A value and the one of the near duplicate, never the same."""
        if slot == "order":
            return self._orders()
        if slot == "person" and not self.of_relations:
            return self._people()
        value = self._next(slot)
        twin = self._next(slot)
        while twin == value:
            twin = self._next(slot)
        return value, twin

    def one(self, slot: str) -> Value:
        return self._next(slot)

    def _next(self, slot: str) -> Value:
        deck = self._decks.setdefault(slot, [])
        if not deck:
            deck.extend(shuffled(self._owners() if slot == "person" else self.language.pools[slot], self.rng))
        return deck.pop()

    def _owners(self) -> list[Value]:
        return [self._person(*entry.split()) for entry in self.language.owners]

    def _people(self) -> tuple[Person, Person]:
        """Two that are easily mixed up: one part of the name is the same, the other not."""
        while True:
            person = self._somebody()
            given, surname = self._somebody().given, self._somebody().surname
            twin = self._person(person.given, surname) if self.rng.randrange(2) else self._person(given, person.surname)
            if person.full != twin.full and not {person.full, twin.full} & self.taken:
                self.taken |= {person.full, twin.full}
                return person, twin

    def _somebody(self) -> Person:
        return self._person(pick(self.language.given, self.rng), pick(self.language.surnames, self.rng))

    def _person(self, given: str, surname: str, title: str = "") -> Person:
        full = self.language.name.format(given=given, surname=surname)
        titled = self.language.titled.format(title=title, surname=surname) if title else ""
        return Person(full, given, surname, titled)

    def _orders(self) -> tuple[str, str]:
        """Two numbers that differ in one digit."""
        while True:
            order = "".join(self._symbol(symbol) for symbol in pick(self.language.orders, self.rng))
            at = pick([i for i, symbol in enumerate(order) if symbol.isdigit()][-3:], self.rng)
            twin = order[:at] + str((int(order[at]) + 1 + self.rng.randrange(9)) % 10) + order[at + 1 :]
            if not {order, twin} & self.taken:
                self.taken |= {order, twin}
                return order, twin

    def _symbol(self, symbol: str) -> str:
        choices = {"#": "0123456789", "@": "ABCDEFGHJKLMNPRSTUVWXYZ"}.get(symbol, symbol)
        return choices[self.rng.randrange(len(choices))]


@dataclass(slots=True)
class Log:
    """One language of one split while it is being made."""

    name: str
    language: Language
    rng: Random
    turns: list[Turn] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    mentioned: dict[str, list[Value]] = field(default_factory=dict)
    _unsaid: dict[tuple[str, ...], list[str]] = field(default_factory=dict)

    def ask(self, questions_per_category: int) -> None:
        taken: set[str] = set()
        for category in CATEGORIES:
            draw = Draw(self.language, self.rng, taken, category == "relations")
            forms = self.language.forms[category]
            for number in range(questions_per_category):
                self.questions.append(self._question(category, forms[number % len(forms)], draw))

    def _question(self, category: str, form: Form, draw: Draw) -> Question:
        values, twins = self._values(form, draw)
        says, near = self._say(form.says, values), self._say(form.near, twins)
        for _ in range(NEAR_DUPLICATES.get(category, 1) - 1):
            near += self._say(form.near, self._others(form, values, draw))
        text = pick(form.asks, self.rng).format_map(values)
        if category == "current_value":
            return Question(category, text, form.indirect, ((says[-1], ANSWERS),), (*says[:-1], *near))
        relevant = (*((turn, LEADS_THERE) for turn in says[:-1]), (says[-1], ANSWERS))
        return Question(category, text, form.indirect, relevant, tuple(near))

    def _values(self, form: Form, draw: Draw) -> tuple[Values, Values]:
        values: Values = {}
        twins: Values = {}
        for slot in form.slots:
            if slot in form.keeps:
                values[slot] = twins[slot] = draw.one(slot)
            else:
                values[slot], twins[slot] = draw.pair(slot)
            self.mentioned.setdefault(slot, []).append(values[slot])
        return values, twins

    def _others(self, form: Form, values: Values, draw: Draw) -> Values:
        return {slot: values[slot] if slot in form.keeps else draw.pair(slot)[0] for slot in form.slots}

    def _say(self, templates: Sequence[str], values: Values) -> list[Turn]:
        """One turn per template, each some weeks after the one before."""
        room = NEWER_AFTER_DAYS[1] * (len(templates) - 1)
        day = self.rng.randrange(DAYS - room)
        turns = []
        for template in templates:
            turns.append(self._turn(template, values, day))
            day += between(NEWER_AFTER_DAYS, self.rng)
        self.turns += turns
        return turns

    def _turn(self, template: str, values: Values, day: int) -> Turn:
        later = day + between(AHEAD_DAYS, self.rng)
        dates = {"day": self._written(day), "later": self._written(later), "month": self._month(later)}
        speaker, spoken, text = template.rpartition("> ")
        return Turn(day, text.format_map(values | dates), speaker.format_map(values) if spoken else None)

    def _date(self, day: int) -> date:
        return date.fromisoformat(self.language.begins) + timedelta(days=day)

    def _written(self, day: int) -> str:
        return self.language.day.format(month=self._month(day), number=self._date(day).day)

    def _month(self, day: int) -> str:
        return self.language.months[self._date(day).month - 1]

    def lines(self) -> list[Line]:
        """The log in order of time: sessions with filler around what is stated; gives the turns their ids."""
        sessions = sorted((*self._chats(), *self._shifts()), key=lambda session: session[0])
        lines: list[Line] = []
        for number, (start, turns) in enumerate(sessions, start=1):
            moment = max(start, lines[-1].time + timedelta(minutes=1)) if lines else start
            for speaker, turn in turns:
                turn.id = f"{self.name}-{len(lines) + 1:04d}"
                lines.append(Line(turn.id, turn.text, moment, f"{self.name}-s{number:03d}", speaker))
                moment += timedelta(minutes=1 + self.rng.randrange(4))
        return lines

    def _chats(self) -> Iterator[Session]:
        """A customer and an agent."""
        for turn in self.turns:
            if turn.customer is None:
                continue
            agent = pick(self.language.agents, self.rng)
            said = [(agent, self.language.greetings), (turn.customer, self.language.small_talk)]
            said = said[: 1 + self.rng.randrange(2)]
            after = [(agent, self.language.replies), (turn.customer, self.language.closings)]
            after = after[: 1 + self.rng.randrange(2)]
            yield (
                self._start(turn.day),
                [*self._filler(said, turn.day), (turn.customer, turn), *self._filler(after, turn.day)],
            )

    def _shifts(self) -> Iterator[Session]:
        """Agents among themselves: what a few days brought, noted on the last of them."""
        noted = sorted((turn for turn in self.turns if turn.customer is None), key=lambda turn: turn.day)
        while noted:
            size = between(TURNS_OF_A_SHIFT, self.rng)
            told, noted = noted[:size], noted[size:]
            agents = shuffled(self.language.agents, self.rng)[:2]
            said = [(pick(agents, self.rng), turn) for turn in told]
            for _ in range(between(CHATTER_OF_A_SHIFT, self.rng)):
                chatter = self._filler([(pick(agents, self.rng), self.language.chatter)], told[-1].day)
                said[(at := self.rng.randrange(len(said) + 1)) : at] = chatter
            yield self._start(told[-1].day), said

    def _filler(self, parts: Iterable[tuple[str, tuple[str, ...]]], day: int) -> list[tuple[str, Turn]]:
        filler = []
        for speaker, templates in parts:
            unsaid = self._unsaid.setdefault(templates, [])
            if not unsaid:
                unsaid.extend(shuffled(templates, self.rng))
            template = unsaid.pop()
            values = {slot: pick(self.mentioned[slot], self.rng) for slot in sorted(slots_of(template))}
            filler.append((speaker, Turn(day, template.format_map(values), None)))
        return filler

    def _start(self, day: int) -> datetime:
        minutes = self.rng.randrange(60)
        return datetime.combine(self._date(day), time(8 + self.rng.randrange(10), minutes), UTC)


def generate(split: str) -> dict[str, str]:
    """The files of a split: relative path to content."""
    corpus: list[str] = []
    queries: list[str] = []
    qrels = ["query-id\tcorpus-id\tscore"]
    for name, language in SPLITS[split].items():
        log = Log(name, language, Random(f"support {split} {name}"))
        log.ask(QUESTIONS_PER_CATEGORY[split])
        lines = log.lines()
        corpus += [_json(_corpus_row(line, name)) for line in lines]
        for number, question in enumerate(log.questions, start=1):
            identifier = f"{name}-q{number:03d}"
            queries.append(_json(_query_row(question, identifier, name, lines[-1].time)))
            qrels += [f"{identifier}\t{turn.id}\t{grade}" for turn, grade in question.relevant]
    return {
        "corpus.jsonl": "\n".join(corpus) + "\n",
        "queries.jsonl": "\n".join(queries) + "\n",
        "qrels/test.tsv": "\n".join(qrels) + "\n",
    }


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Generate the support benchmark.")
    parser.add_argument("--out", type=Path, default=HERE, metavar="FOLDER", help="where dev/ and test/ are written")
    out: Path = parser.parse_args(arguments).out
    for split in SPLITS:
        for name, content in generate(split).items():
            path = out / split / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8", newline="\n")


def pick(choices: Sequence[T], rng: Random) -> T:
    return choices[rng.randrange(len(choices))]


def between(bounds: tuple[int, int], rng: Random) -> int:
    return bounds[0] + rng.randrange(bounds[1] - bounds[0] + 1)


def shuffled(entries: Sequence[T], rng: Random) -> list[T]:
    """All entries in random order (Fisher-Yates)."""
    order = list(entries)
    for last in range(len(order) - 1, 0, -1):
        other = rng.randrange(last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def _corpus_row(line: Line, conversation: str) -> dict[str, object]:
    metadata = {
        "conv": conversation,
        "time": line.time.isoformat(),
        "session": line.session,
        "speaker": line.speaker,
    }
    return {"_id": line.id, "text": line.text, "metadata": metadata}


def _query_row(question: Question, identifier: str, conversation: str, end: datetime) -> dict[str, object]:
    metadata: dict[str, object] = {
        "category": question.category,
        "conv": conversation,
        "time": end.isoformat(),
        "distractors": [turn.id for turn in question.distractors],
    }
    if question.category == "relations":
        metadata["form"] = "indirect" if question.indirect else "plain"
    return {"_id": identifier, "text": question.text, "metadata": metadata}


def _json(row: Mapping[str, object]) -> str:
    return json.dumps(row, ensure_ascii=False)


if __name__ == "__main__":
    main()
