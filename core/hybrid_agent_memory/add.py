"""The plan of an add: look up what is there already, embed what is new, store in one transaction."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace

from hybrid_agent_memory.engines import Draft, Engine, Stored, Vector
from hybrid_agent_memory.errors import InvalidInputError
from hybrid_agent_memory.gate import Gate
from hybrid_agent_memory.intake import Intake
from hybrid_agent_memory.plans import Plan
from hybrid_agent_memory.text import cut


def add_plan(
    engine: Engine,
    gate: Gate,
    namespace: str,
    items: Sequence[Intake],
    batch_size: int,
    embedded: Callable[[int], None],
) -> Plan[None]:
    """Store checked items as one transaction; of items with one id the last is stored.

    Unchanged records are left alone. A record keeps its vector while its text stays; the others' texts are embedded,
    each once. `embedded` is told how many of the items have their vector.
    """
    latest = {item.record.id: item for item in items}
    identity = yield from gate.for_writing(_dimension(items, gate.vectors.embedder is not None))
    known = engine.get(namespace, latest)
    changed = [item for item in latest.values() if not unchanged(item, known.get(item.record.id))]
    vectors = [_own_vector(item, known.get(item.record.id)) for item in changed]
    made: dict[str, Vector] = {}
    if gate.vectors.embedder is not None:
        bare = (item.record.text for item, vector in zip(changed, vectors, strict=True) if vector is None)
        missing = list(dict.fromkeys(bare))
        for start in range(0, len(missing), batch_size):
            part = missing[start : start + batch_size]
            step = gate.documents(part)
            yield [step]
            made.update(zip(part, step.result(), strict=True))
            if start + len(part) < len(missing):  # the caller tells of the end, once all is stored
                embedded(len(items) - len(missing) + start + len(part))
    if changed:
        drafts = [
            Draft(
                item.record, cut(gate.tokenizer, item.record.text), made.get(item.record.text) if own is None else own
            )
            for item, own in zip(changed, vectors, strict=True)
        ]
        engine.write(namespace, drafts, identity)


def _dimension(items: Sequence[Intake], embedder_fills_in: bool) -> int | None:
    """The dimension of the vectors that came with the items.

    Raises
    ------
    InvalidInputError
        If two of them differ, or one lacks a vector that nothing can make.
    """
    sizes = sorted({len(item.vector) for item in items if item.vector is not None})
    if len(sizes) > 1:
        raise InvalidInputError(f"items have vectors of {sizes[0]} and of {sizes[-1]} numbers: give one dimension")
    bare = [item.record.id for item in items if item.vector is None]
    if sizes and bare and not embedder_fills_in:
        raise InvalidInputError(f"item {bare[0]!r} has no vector and others have: give one, or open with an embedder")
    return sizes[0] if sizes else None


def unchanged(item: Intake, stored: Stored | None) -> bool:
    """Whether storing an item would change nothing but the time of writing."""
    if stored is None or replace(item.record, created_at=stored.record.created_at) != stored.record:
        return False
    if json.dumps(item.record.metadata) != json.dumps(stored.record.metadata):  # 1, 1.0 and True are equal in Python
        return False
    return item.vector is None or (stored.vector is not None and item.vector.tolist() == stored.vector.tolist())


def _own_vector(item: Intake, stored: Stored | None) -> Vector | None:
    if item.vector is None and stored is not None and stored.record.text == item.record.text:
        return stored.vector
    return item.vector
