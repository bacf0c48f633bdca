"""Storing in a memory, as plans that the sync and the async methods share."""

from collections.abc import Sequence
from functools import partial
from typing import Literal

from hybrid_agent_memory import Chunk, HybridMemory
from hybrid_agent_memory.episodes import EpisodeItem
from hybrid_agent_memory.graph_memory import Extract
from hybrid_agent_memory.plans import Plan, Step

ExtractOption = bool | Literal["now", "later"]
"""Whether entities and facts are extracted: False, True or ``"now"``, ``"later"``."""


def stored(memory: HybridMemory, chunks: list[Chunk], extract: ExtractOption) -> Plan[list[str]]:
    """Store chunks, or the same as episodes; gives their ids."""
    if extract is not False:
        return (yield from stored_episodes(memory, chunks, "now" if extract is True else extract))
    step = Step(partial(memory.add, chunks), partial(memory.aadd, chunks))
    yield [step]
    return step.result()


def stored_episodes(memory: HybridMemory, episodes: Sequence[EpisodeItem], extract: Extract = "now") -> Plan[list[str]]:
    """Store episodes; gives their ids."""
    step = Step(
        partial(memory.add_episodes, episodes, extract=extract),
        partial(memory.aadd_episodes, episodes, extract=extract),
    )
    yield [step]
    return [receipt.id for receipt in step.result()]
