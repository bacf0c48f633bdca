"""The memory an agent can trust: BM25, dense vectors and a temporal graph, fused, over one local file."""

from importlib import import_module
from typing import TYPE_CHECKING

from hybrid_agent_memory.config import Config
from hybrid_agent_memory.errors import (
    BatchError,
    ClosedMemoryError,
    CorruptStoreError,
    EmbedderError,
    ExtractorError,
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
from hybrid_agent_memory.extract import Context, Extraction, Extractor, Mention, Triple
from hybrid_agent_memory.fusion import reciprocal_rank_fusion
from hybrid_agent_memory.legs.sparse import IncrementalBM25
from hybrid_agent_memory.memory import HybridMemory
from hybrid_agent_memory.protocols import Embedder, Leg, LegQuery, Progress, Reranker, Tokenizer
from hybrid_agent_memory.records import (
    Chunk,
    Entity,
    EpisodeReceipt,
    Fact,
    Hit,
    Judged,
    LegWhy,
    MergeDecision,
    Path,
    PathStep,
    Receipt,
    Record,
    Response,
    Stats,
    Suggestion,
    Why,
)

if TYPE_CHECKING:
    from hybrid_agent_memory.contract import MemoryQuery, MemoryResponse
    from hybrid_agent_memory.evaluation import Evaluation, EvaluationQuery
    from hybrid_agent_memory.extract.llm import LLMExtractor
    from hybrid_agent_memory.extract.rules import RuleExtractor
    from hybrid_agent_memory.extract.vocabulary import Predicate, Vocabulary

__all__ = [
    "BatchError",
    "Chunk",
    "ClosedMemoryError",
    "Config",
    "Context",
    "CorruptStoreError",
    "Embedder",
    "EmbedderError",
    "Entity",
    "EpisodeReceipt",
    "Evaluation",
    "EvaluationQuery",
    "Extraction",
    "Extractor",
    "ExtractorError",
    "Fact",
    "FilterError",
    "Hit",
    "HybridMemory",
    "HybridMemoryError",
    "IncrementalBM25",
    "InvalidInputError",
    "Judged",
    "LLMExtractor",
    "Leg",
    "LegQuery",
    "LegUnavailableError",
    "LegWhy",
    "MemoryQuery",
    "MemoryResponse",
    "Mention",
    "MergeDecision",
    "MismatchError",
    "NewerFormatError",
    "OptionalDependencyError",
    "Path",
    "PathStep",
    "Predicate",
    "Progress",
    "Receipt",
    "Record",
    "Reranker",
    "RerankerError",
    "Response",
    "RuleExtractor",
    "Stats",
    "StoreBusyError",
    "StoreError",
    "Suggestion",
    "Tokenizer",
    "Triple",
    "Vocabulary",
    "Why",
    "reciprocal_rank_fusion",
]
LATER = {
    "MemoryQuery": "contract",
    "MemoryResponse": "contract",
    "Evaluation": "evaluation",
    "EvaluationQuery": "evaluation",
    "LLMExtractor": "extract.llm",
    "RuleExtractor": "extract.rules",
    "Predicate": "extract.vocabulary",
    "Vocabulary": "extract.vocabulary",
}
"""Names by the module that has them, which is loaded when they are first asked for."""


def __getattr__(name: str) -> object:
    """Load what takes long to import, or is seldom needed, when it is first asked for."""
    if name in LATER:
        return getattr(import_module(f"hybrid_agent_memory.{LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
