"""What a set of templates is made of: forms of saying and asking, and the words that fill them."""

from collections.abc import Mapping
from dataclasses import dataclass
from string import Formatter

Entry = str | tuple[str, ...]
"""What fills a slot; a tuple holds values that belong together, written `{budget[0]}` and `{budget[1]}`."""

CATEGORIES = (
    "names",
    "order_numbers",
    "events",
    "relations",
    "negation",
    "same_words_opposite_fact",
    "paraphrase",
    "current_value",
)

DATES = frozenset(("day", "later", "month"))
"""Slots filled from the time of the turn: its day, a day some months ahead, the month of that."""


@dataclass(frozen=True, slots=True)
class Form:
    """One way of saying something, of asking for it, and of saying something else in nearly the same words.

    A turn that opens with a slot and `>` is spoken by whoever fills that slot, any other by an agent.

    Attributes
    ----------
    says : tuple of str
        The turns, oldest first; the last one answers.
    near : tuple of str
        The near duplicate, filled with other values than `says` except for the slots in `keeps`.
    asks : tuple of str
        Questions, any of which will do, filled like `says`.
    indirect : bool
        Whether the relation is said in a roundabout way.
    """

    says: tuple[str, ...]
    near: tuple[str, ...]
    asks: tuple[str, ...]
    keeps: frozenset[str]
    indirect: bool

    @property
    def slots(self) -> list[str]:
        """What has to be filled; dates fill themselves."""
        return sorted(set().union(*map(slots_of, (*self.says, *self.near, *self.asks))) - DATES)


def form(*says: str, asks: str | tuple[str, ...], near: str = "", keeps: str = "", indirect: bool = False) -> Form:
    """A `Form`; without `near`, the near duplicate is the same sentence about somebody or something else."""
    questions = (asks,) if isinstance(asks, str) else asks
    return Form(says, (near,) if near else says, questions, frozenset(keeps.split()), indirect)


def listed(text: str) -> tuple[str, ...]:
    """The entries of a list written with semicolons."""
    return tuple(entry.strip() for entry in text.split(";"))


def paired(text: str) -> tuple[Entry, ...]:
    """The entries of a list written with semicolons, each of several values with `>` between."""
    return tuple(tuple(value.strip() for value in entry.split(">")) for entry in listed(text))


def slots_of(template: str) -> set[str]:
    """The names of the slots, without what is asked of them: `{person.surname}` is `person`."""
    fields = (name for _, name, _, _ in Formatter().parse(template) if name)
    return {name.partition(".")[0].partition("[")[0] for name in fields}


@dataclass(frozen=True, slots=True)
class Person:
    full: str
    given: str
    surname: str
    title: str = ""

    def __str__(self) -> str:
        return self.full


@dataclass(frozen=True, slots=True)
class Language:
    """All that one language has to say in one split.

    Attributes
    ----------
    begins : str
        The first day of the log, as an ISO date.
    day : str
        How a day is written, with `{month}` and `{number}`.
    name, titled : str
        How a name is written, with `{given}`, `{surname}`; the second also has `{title}`.
    owners : tuple of str
        "given surname title": the people of the relations, whose surnames nobody else has.
    orders : tuple of str
        Patterns of order numbers: `#` is a digit, `@` a capital letter.
    greetings, small_talk, replies, closings : tuple of str
        Filler of a customer's session.
    chatter : tuple of str
        Filler of a session between agents; may mention a `{person}`, `{project}`, `{order}` of the log.
    """

    begins: str
    day: str
    months: tuple[str, ...]
    name: str
    titled: str
    agents: tuple[str, ...]
    given: tuple[str, ...]
    surnames: tuple[str, ...]
    owners: tuple[str, ...]
    orders: tuple[str, ...]
    pools: Mapping[str, tuple[Entry, ...]]
    forms: Mapping[str, tuple[Form, ...]]
    greetings: tuple[str, ...]
    small_talk: tuple[str, ...]
    replies: tuple[str, ...]
    closings: tuple[str, ...]
    chatter: tuple[str, ...]
