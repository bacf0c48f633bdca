"""From text to the entities it mentions and the facts it states, behind one protocol."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol, runtime_checkable

FactKind = Literal["event", "relation"]
"""``event``: tied to a moment, decays (complained, ordered). ``relation``: lasting, never decays (owns, budget)."""

EntityType = Literal[
    "person", "organisation", "product", "project", "place", "identifier", "amount", "date", "name", "other"
]
"""What an entity is; ``name`` is a proper name of unknown type, ``other`` anything else, such as an event's object."""


def predicate_key(predicate: str) -> str:
    """The form in which predicates are stored and compared: lower case, words joined by ``_``.

    Examples
    --------
    >>> predicate_key("works for"), predicate_key(" Reports-To "), predicate_key("worksAt"), predicate_key("预算")
    ('works_for', 'reports_to', 'works_at', '预算')
    """
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", predicate)
    folded = unicodedata.normalize("NFKC", spaced).casefold()
    return "_".join(re.findall(r"[^\W_]+", folded)) or predicate.strip()


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity as one text writes it: the surface form and the type it has there."""

    name: str
    type: EntityType = "name"


@dataclass(frozen=True, slots=True)
class Triple:
    """A fact as one text states it: subject –predicate→ object.

    Attributes
    ----------
    subject, object : Mention
        Names as written; an object may also be a value such as ``"500k"`` (type ``amount``).
    predicate : str
        A name of the vocabulary (``"budget"``, ``"owner"``, ``"complained_about"``…) or any other snake_case word.
    text : str
        The sentence that says so.
    kind : {"event", "relation"}
    valid_at, invalid_at : datetime or None
        From when and until when it holds, where the text says so; aware, UTC.
    single_valued : bool
        Whether the subject has one such object at a time, so that a newer value supersedes an older one.
    tells_end : bool
        Whether the text says no more than that a relation ends at `invalid_at`, be that past or to come: what was told
        before of the same then ends, too.
    """

    subject: Mention
    predicate: str
    object: Mention
    text: str
    kind: FactKind = "relation"
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    single_valued: bool = False
    tells_end: bool = False


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a text gives.

    Attributes
    ----------
    mentions : tuple of Mention
        Each once, in the order of the text; subjects and objects of the triples that are names are among them.
    triples : tuple of Triple
    note : str
        Why this is less than asked for, such as an LLM's answer that could not be read; empty when all is well.
    usage : mapping
        Cost of an LLM: ``calls``, ``tokens_in``, ``tokens_out``; empty otherwise.
    """

    mentions: tuple[Mention, ...] = ()
    triples: tuple[Triple, ...] = ()
    note: str = ""
    usage: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Context:
    """What is known around a text: when it was said, by whom, and the turns of its session before it, oldest first."""

    time: datetime | None = None
    speaker: str | None = None
    previous: tuple[str, ...] = ()


@runtime_checkable
class Extractor(Protocol):
    """Text and context to entities and facts; any object of this shape will do.

    `previous_turns` says how many earlier turns of the session it wants to see. Where an ``aextract`` of the same
    signature exists, the async calls of the memory await it.
    """

    name: str
    previous_turns: int

    def extract(self, text: str, context: Context) -> Extraction:
        """The entities and facts of one text."""
        ...
