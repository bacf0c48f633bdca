"""The memory an agent can trust: BM25, dense vectors and fusion over one local file."""

from typing import TYPE_CHECKING

from hybrid_agent_memory.config import Config
from hybrid_agent_memory.errors import (
    BatchError,
    ClosedMemoryError,
    CorruptStoreError,
    EmbedderError,
    FilterError,
    HybridMemoryError,
    InvalidInputError,
    LegUnavailableError,
    MismatchError,
    NewerFormatError,
    OptionalDependencyError,
    RerankerError,
    StoreBusyError,
    StoreError,
)
from hybrid_agent_memory.fusion import reciprocal_rank_fusion
from hybrid_agent_memory.legs.sparse import IncrementalBM25
from hybrid_agent_memory.memory import HybridMemory
from hybrid_agent_memory.protocols import Embedder, Leg, LegQuery, Progress, Reranker, Tokenizer
from hybrid_agent_memory.records import Chunk, Hit, LegWhy, Receipt, Record, Response, Stats, Why

if TYPE_CHECKING:
    from hybrid_agent_memory.contract import MemoryQuery, MemoryResponse

__all__ = [
    "BatchError",
    "Chunk",
    "ClosedMemoryError",
    "Config",
    "CorruptStoreError",
    "Embedder",
    "EmbedderError",
    "FilterError",
    "Hit",
    "HybridMemory",
    "HybridMemoryError",
    "IncrementalBM25",
    "InvalidInputError",
    "Leg",
    "LegQuery",
    "LegUnavailableError",
    "LegWhy",
    "MemoryQuery",
    "MemoryResponse",
    "MismatchError",
    "NewerFormatError",
    "OptionalDependencyError",
    "Progress",
    "Receipt",
    "Record",
    "Reranker",
    "RerankerError",
    "Response",
    "Stats",
    "StoreBusyError",
    "StoreError",
    "Tokenizer",
    "Why",
    "reciprocal_rank_fusion",
]


def __getattr__(name: str) -> object:
    """Load the contract's models when they are first asked for; pydantic takes longer to import than all the rest."""
    if name in ("MemoryQuery", "MemoryResponse"):
        from hybrid_agent_memory import contract

        return getattr(contract, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
