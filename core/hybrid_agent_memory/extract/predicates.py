"""A kind of fact and its wordings, checked before any text is read."""

import re
from dataclasses import dataclass
from typing import get_args

from hybrid_agent_memory.errors import InvalidInputError, shown
from hybrid_agent_memory.extract import EntityType, FactKind
from hybrid_agent_memory.extract.phrases import slots

NAMES: tuple[EntityType, ...] = ("person", "organisation", "product", "project", "place", "identifier", "name")
"""The types of entities that have a name of their own."""


@dataclass(frozen=True, slots=True)
class Predicate:
    """A kind of fact and how people word it.

    Attributes
    ----------
    name : str
        In snake_case, as it stands in a fact.
    kind : {"relation", "event"}
    single_valued : bool
        Whether a subject has one such object at a time, so that a newer value supersedes an older one.
    phrases : tuple of str
        Wordings. A clause names its subject ``X`` and its object ``Y``: ``"Y sponsors X"``, ``"X由Y赞助"``; order is
        free, so the inverse needs no name of its own; ``…`` stands for some words. With ``X!`` or
        ``Y!`` a name of unknown type will not do there: one moves to Berlin, but also to another team. With ``Y=`` the
        object has to be a name written like the subject: ``"X (now Y=)"`` may tell a new name, or a town. With ``Y~``
        it may be a clause, of which the beginning is taken: ``"X complained that Y~"``. A phrase
        without both is a noun: ``"sponsor"`` finds ``X's sponsor is Y``, ``the sponsor of X is Y``, ``Sponsor: Y``
        and so on, ``"赞助商"`` finds ``X的赞助商是Y``.
    subjects, objects : tuple of str
        Types allowed there; empty means anything with a name. ``"name"`` lets names of unknown type in, ``"other"``
        plain noun phrases. Where ``"person"`` comes first, a name of unknown type is taken for a person's if it could
        be one: by ``("person", "name")`` any, if ``"organisation"`` is among them one of two words or more.
    shape : str
        A regular expression that the whole object has to match too; empty means any. What matches it, but is nothing
        of `objects`, is taken as the first of these.
    endings : tuple of str
        Wordings, with X and Y, of a relation that is no more: ``"X resigned from Y"``. That of ``X no longer … Y`` and
        ``X不再…Y`` need not be told.

    Examples
    --------
    >>> Predicate("sponsor", phrases=("sponsor", "Y sponsors X", "赞助商")).kind
    'relation'
    """

    name: str
    kind: FactKind = "relation"
    single_valued: bool = False
    phrases: tuple[str, ...] = ()
    subjects: tuple[EntityType, ...] = ()
    objects: tuple[EntityType, ...] = ()
    shape: str = ""
    endings: tuple[str, ...] = ()


def check(predicate: object) -> None:
    """Refuse what could never be found, or would fail only when a text is read."""
    if not isinstance(predicate, Predicate):
        raise InvalidInputError(f"{shown(predicate)} is not a Predicate: give Predicate(name, phrases=...)")
    name = f"predicate {shown(predicate.name)}"
    if not isinstance(predicate.name, str) or not predicate.name.isidentifier():
        raise InvalidInputError(f"{name}: give a snake_case word")
    if predicate.kind not in get_args(FactKind):
        raise InvalidInputError(f"{name}: kind is {shown(predicate.kind)}: give one of {', '.join(get_args(FactKind))}")
    if not isinstance(predicate.phrases, tuple):
        raise InvalidInputError(f"{name}: phrases is {shown(predicate.phrases)}: give a tuple of strings")
    for phrase in predicate.phrases:
        if not isinstance(phrase, str) or not phrase.strip() or slots(phrase) not in ([], ["X", "Y"]):
            raise InvalidInputError(f"{name}: phrase {shown(phrase)}: give a noun, or a clause with one X and one Y")
    if not isinstance(predicate.endings, tuple):
        raise InvalidInputError(f"{name}: endings is {shown(predicate.endings)}: give a tuple of strings")
    for ending in predicate.endings:
        if not isinstance(ending, str) or slots(ending) != ["X", "Y"]:
            raise InvalidInputError(f"{name}: ending {shown(ending)}: give a clause with one X and one Y")
    unknown = {*predicate.subjects, *predicate.objects} - set(get_args(EntityType))
    if unknown:
        raise InvalidInputError(f"{name}: type {shown(min(unknown))}: give one of {', '.join(get_args(EntityType))}")
    try:
        re.compile(predicate.shape)
    except (re.error, TypeError) as error:
        raise InvalidInputError(f"{name}: shape {shown(predicate.shape)} is no regular expression") from error
