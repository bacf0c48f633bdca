"""What a text mentions once its facts are read: they tell types, and take apart what was taken for one name."""

from collections.abc import Iterable
from dataclasses import replace

from hybrid_agent_memory.extract import Mention, Triple
from hybrid_agent_memory.extract.mentions import MentionSpan


def typed(triples: list[Triple]) -> list[Triple]:
    """The facts with each name of one type throughout, where one of them tells it."""
    types = {end.name: end.type for end in _ends_of(triples) if end.type not in ("name", "other", "amount", "date")}

    def typed(end: Mention) -> Mention:
        return Mention(end.name, types[end.name]) if end.type == "name" and end.name in types else end

    return [
        triple
        if types.keys().isdisjoint(end.name for end in _ends_of([triple]) if end.type == "name")
        else replace(triple, subject=typed(triple.subject), object=typed(triple.object))
        for triple in triples
    ]


def mentioned(spans: Iterable[MentionSpan], spoke: Mention | None, triples: list[Triple]) -> tuple[Mention, ...]:
    """Each name once, as the facts type it: those of the text, its speaker, and what facts name beyond them."""
    types = {end.name: end.type for end in _ends_of(triples) if end.type != "other"}
    persons = [end.name for end in _ends_of(triples) if end.type == "person"]
    names = [(_group_of(span.name, persons) or span.name, span) for span in spans]
    found = [Mention(name, types.get(name, span.type)) for name, span in names if not _is_fact(name, triples)]
    told: dict[str, Mention] = {}
    for mention in (*found, *([spoke] if spoke else []), *_ends_of(triples)):
        if mention.name not in told or (told[mention.name].type == "name" and mention.type != "other"):
            told[mention.name] = mention
    return tuple(told.values())


def _group_of(name: str, persons: Iterable[str]) -> str:
    """Acme, of what was taken for one name, Ann Lee of Acme, if a fact is about Ann Lee; else nothing."""
    parts = name.partition(" of ")
    return parts[2] if parts[0] in persons else ""


def _is_fact(name: str, triples: Iterable[Triple]) -> bool:
    """Whether what was taken for one name holds a fact with both its names."""
    return any(
        triple.subject.name in name
        and triple.object.name in name
        and name not in (triple.subject.name, triple.object.name)
        for triple in triples
    )


def _ends_of(triples: Iterable[Triple]) -> Iterable[Mention]:
    return (end for triple in triples for end in (triple.subject, triple.object))
