"""Persons by their names, and the circles in which a short form such as 张总 or Alice finds who is meant."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from hybrid_agent_memory.graph.names import Name, PersonForm, form_of_key, person_words, plain


def person_of(name: Name) -> PersonForm | None:
    """What the name tells if it is a person's, by its type or, where that is unknown, by its title."""
    if name.type not in ("person", "name"):
        return None
    form = form_of_key(name.key)
    if form is None or name.type == "person":
        return form
    return form if form.titled and (form.short or form.gender is not None) else None


def identity(name: Name, form: PersonForm | None) -> Name:
    """What a name has in common with all other spellings and titles of it."""
    if form is not None and form.titled and not form.short:
        return Name(plain(form.bare), "person")
    return Name(plain(name.key), name.type if form is None else "person")


@dataclass(frozen=True, slots=True)
class Circle:
    """Persons among whom a short form can mean somebody.

    Attributes
    ----------
    members : list of Name
        With the surname, or with the word that is somebody's given name; in one script, or one character and Latin.
    rivals : list of Name
        Full names that the short forms might mean too, but that are never joined with them.
    """

    members: list[Name]
    rivals: list[Name]


def circle_keys(form: PersonForm) -> list[str]:
    """The circles a person is in: that of the surname and those of the words that may be called alone."""
    if form.surname is None:
        return [f"word:{form.given}"]
    surname = f"surname:{form.surname}"
    return [surname] if form.given is None else [surname, *(f"word:{word}" for word in sorted(person_words(form)))]


def circles_of(people: Mapping[Name, PersonForm]) -> dict[str, list[Name]]:
    """Persons by what a short form says of them, where there is a short form."""
    sought = {key for form in people.values() if form.short for key in circle_keys(form)}
    circles: dict[str, list[Name]] = defaultdict(list)
    for name, form in people.items():
        for key in sought.intersection(circle_keys(form)):
            circles[key].append(name)
    return circles


def by_character(members: Sequence[Name], people: Mapping[Name, PersonForm]) -> Iterator[Circle]:
    """张 and 章 are both Zhang: with both about, what is spelled out is joined with neither."""
    characters = {people[name].character for name in members} - {None}
    if len(characters) <= 1:
        yield Circle(list(members), [])
        return
    spelled = [name for name in members if people[name].character is None and not people[name].short]
    for character in sorted(filter(None, characters)):
        yield Circle([name for name in members if people[name].character == character], spelled)


def one_gender(members: Iterable[Name], people: Mapping[Name, PersonForm]) -> bool:
    """Whether no two of them are a man and a woman, as far as is known."""
    return len({people[name].gender for name in members} - {None}) <= 1
