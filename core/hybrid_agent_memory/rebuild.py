"""The plan of a rebuild: new vectors for every text, put in place in one transaction."""

from enum import Enum

from hybrid_agent_memory.embedding import Identity
from hybrid_agent_memory.engines import Engine, Vector
from hybrid_agent_memory.gate import Gate
from hybrid_agent_memory.plans import Plan
from hybrid_agent_memory.protocols import Progress
from hybrid_agent_memory.text import tokenizer_name


class Unset(Enum):
    """Tells an argument left out from one given as None."""

    UNSET = "left out"


UNSET = Unset.UNSET


def rebuild_plan(
    engine: Engine,
    current: Gate,
    gate: Gate,
    *,
    drop_vectors: bool,
    batch_size: int,
    progress: Progress | None,
) -> Plan[None]:
    """Embed every text anew, those written meanwhile too, unless the same model made the vectors there are.

    Without an embedder the vectors stay as they are, or go when `drop_vectors` is set. At the end the file, and with it
    the `current` gate, are as `gate` wants them.
    """
    vectors = gate.vectors
    before = engine.identity()
    stored = None if before is None else before.embedder
    fingerprint = None if drop_vectors else stored
    anew = False
    if vectors.embedder is not None:
        fingerprint = (yield from gate.probe()).result()
        anew = stored is None or not fingerprint.same_model(stored)
    made: dict[int, Vector] = {}
    identity = Identity(tokenizer_name(gate.tokenizer), fingerprint)
    while missing := current.change(gate, lambda: engine.rebuild(before, identity, made if anew else None)):
        total = len(made) + len(missing)
        for start in range(0, len(missing), batch_size):
            part = missing[start : start + batch_size]
            step = gate.documents([text for _, text in part])
            yield [step]
            made.update(zip((key for key, _ in part), step.result(), strict=True))
            if progress is not None:
                progress(len(made), total)
