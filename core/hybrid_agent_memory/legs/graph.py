"""The graph leg: from seed entities over mentions and facts to chunks or facts, scored, each with its path."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Edge:
    """A valid fact that touches an entity.

    Attributes
    ----------
    fact : int
        Number of the fact, the same in all edges of that fact.
    other : int
        The entity at its other end.
    forward : bool
        Whether the entity it was asked for is the subject.
    relation : bool
        Whether the fact is a relation, else an event.
    chunk : int
        The row of the chunk that states it.
    """

    fact: int
    other: int
    forward: bool
    relation: bool
    chunk: int


class Graph(Protocol):
    """What the walk sees of one namespace: only chunks and facts that pass the filter and are valid now.

    Chunks are row numbers, entities and facts are numbers; all mean something within one search only.
    """

    @property
    def chunks(self) -> int:
        """How many live chunks the namespace has."""
        ...

    def frequency(self, entity: int) -> int:
        """How many live chunks mention the entity, at least 1."""
        ...

    def chunks_of(self, entity: int) -> Rows:
        """Rows of chunks that mention the entity, at most the hub cap of them."""
        ...

    def entities_of(self, chunk: int) -> Sequence[int]:
        """The entities that a chunk mentions."""
        ...

    def edges_of(self, entity: int) -> Sequence[Edge]:
        """The facts that touch the entity, at most the hub cap of them."""
        ...
