"""Names that people give on the command line, and what to say where no entity goes by one."""

from collections.abc import Iterable

from hybrid_agent_memory import HybridMemory
from hybrid_agent_memory.errors import InvalidInputError, shown
from hybrid_agent_memory.graph.names import name_key

_ALIKE = 3


def goes_by(memory: HybridMemory, name: str) -> bool:
    """Whether an entity goes by a name, with or without its type behind it."""
    key = name_key(name)
    return any(
        key in (name_key(written), name_key(f"{written} ({one.type})"))
        for one in memory.entities()
        for written in (one.name, *one.aliases)
    )


def names_like(memory: HybridMemory, name: str) -> list[str]:
    """The entities that have the letters of a name in one of theirs."""
    return [entity.name for entity in memory.entities(name)]


def unknown_name(name: str, alike: Iterable[str]) -> InvalidInputError:
    """The error of a name that no entity goes by, with some that are like it."""
    some = [*alike][:_ALIKE]
    remedy = f"perhaps {' or '.join(map(repr, some))}?" if some else "hybrid-memory entities lists them"
    return InvalidInputError(f"no entity goes by {shown(name)}: {remedy}")
