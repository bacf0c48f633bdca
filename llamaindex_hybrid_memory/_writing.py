"""Storing nodes in a memory, as plans that the sync and the async methods share."""

import logging
from collections.abc import Sequence
from functools import partial
from typing import Literal, NamedTuple

from llama_index.core.schema import BaseNode

from hybrid_agent_memory import HybridMemory, Receipt
from hybrid_agent_memory.errors import InvalidInputError
from hybrid_agent_memory.plans import Plan, Step
from llamaindex_hybrid_memory._convert import chunk_of, episode_of, is_blank

ExtractOption = bool | Literal["now", "later"]
"""Whether entities and facts are extracted: False, True or ``"now"``, ``"later"``."""

logger = logging.getLogger("llamaindex_hybrid_memory")


class Written(NamedTuple):
    """The ids of the nodes that were stored, and of the records, of which a node that was cut has several."""

    node_ids: list[str]
    record_ids: list[str]


def stored(
    memory: HybridMemory, nodes: Sequence[BaseNode], extract: ExtractOption, *, keep_vectors: bool
) -> Plan[Written]:
    """Store nodes as chunks, or as episodes with what is extracted from them."""
    worth = _with_content(nodes, episode=extract is not False)
    if extract is False:
        chunks = [chunk_of(node, keep_vector=keep_vectors) for node in worth]
        added = Step(partial(memory.add, chunks), partial(memory.aadd, chunks))
        yield [added]
        return Written(added.result(), added.result())
    how: Literal["now", "later"] = "now" if extract is True else extract
    episodes = [episode_of(node) for node in worth]
    told = Step(
        partial(memory.add_episodes, episodes, extract=how), partial(memory.aadd_episodes, episodes, extract=how)
    )
    yield [told]
    receipts = told.result()
    return Written([one.id for one in receipts], [name for one in receipts for name in one.chunk_ids])


def deleted(memory: HybridMemory, record_ids: Sequence[str]) -> Plan[Receipt]:
    """Forget records."""
    step = Step(partial(memory.delete, record_ids), partial(memory.adelete, record_ids))
    yield [step]
    return step.result()


def _with_content(nodes: Sequence[BaseNode], *, episode: bool) -> list[BaseNode]:
    for at, node in enumerate(nodes):
        if not isinstance(node, BaseNode):
            raise InvalidInputError(f"nodes[{at}] is a {type(node).__name__}: give LlamaIndex nodes")
    blank = [node.node_id for node in nodes if is_blank(node, episode=episode)]
    if blank:
        logger.warning("%d nodes have no content and are not stored: %s", len(blank), ", ".join(blank))
    return [node for node in nodes if not is_blank(node, episode=episode)]
