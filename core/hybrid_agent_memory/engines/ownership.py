"""Whose chunk an id is."""

from collections.abc import Iterable, Mapping

from hybrid_agent_memory.errors import InvalidInputError
from hybrid_agent_memory.records import Record


def check_free(chunks: Iterable[Record], owners: Mapping[str, str]) -> None:
    """Refuse chunks of episodes that would take the place of a chunk of another episode, which stays.

    Parameters
    ----------
    chunks : iterable of Record
        All that is about to be written.
    owners : mapping
        By id of a stored chunk, the id of its episode; others than those of `chunks` do not matter.

    Raises
    ------
    InvalidInputError
        If one of the ids is taken.
    """
    written = list(chunks)
    episodes = {chunk.episode_id for chunk in written}
    for chunk in written:
        owner = owners.get(chunk.id, chunk.episode_id)
        if owner not in episodes:
            raise InvalidInputError(
                f"episode {chunk.episode_id!r} has a chunk {chunk.id!r}, and {owner!r} that is stored has one too: "
                f"give another id, or delete {owner!r} first"
            )
