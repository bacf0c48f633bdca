"""How a memory is searched, in LlamaIndex's words and in the core's; checked when it is made."""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any, Final, Self, TypedDict, Unpack

from llama_index.core.constants import DEFAULT_SIMILARITY_TOP_K
from llama_index.core.vector_stores.types import MetadataFilters

from hybrid_agent_memory.engines import RecordKind
from hybrid_agent_memory.filters import Filter, conjunction, parse_filter
from hybrid_agent_memory.options import Fusion, SearchOptions
from hybrid_agent_memory.times import Timeish, parse_time
from llamaindex_hybrid_memory._filters import core_filter

_NAMES: Final = {"similarity_top_k": "top_k", "retriever_weights": "weights"}
_TIMES: Final = ("now", "as_of", "known_at")


class SearchSettings(TypedDict, total=False):
    """What a retriever may fix and a query may ask, in LlamaIndex's words; None leaves it as it is."""

    similarity_top_k: int | None
    filters: MetadataFilters | None
    retriever_weights: Mapping[str, float] | None
    fusion: Fusion | None
    min_confidence: float | None
    kinds: Sequence[RecordKind] | None
    now: Timeish | None
    as_of: Timeish | None
    known_at: Timeish | None
    time_decay: float | None
    decay_floor: float | None
    authority_weight: float | None
    max_depth: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """The keywords of `HybridMemory.search` that are set here.

    Raises
    ------
    InvalidInputError
        If one is out of range, or two contradict each other.
    """

    top_k: int = DEFAULT_SIMILARITY_TOP_K
    filter: Filter | None = None
    weights: Mapping[str, float] | None = None
    fusion: Fusion | None = None
    min_confidence: float | None = None
    kinds: Sequence[RecordKind] = ("chunk",)
    now: datetime | None = None
    as_of: datetime | None = None
    known_at: datetime | None = None
    time_decay: float | None = None
    decay_floor: float | None = None
    authority_weight: float | None = None
    max_depth: int | None = None

    def __post_init__(self) -> None:
        SearchOptions(**{name: value for name, value in self.arguments().items() if name not in _TIMES})

    def arguments(self) -> dict[str, Any]:
        """As the keywords they are."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def asking(self, **settings: Unpack[SearchSettings]) -> Self:
        """The same with these settings before its own; filters narrow, and never replace.

        Automatic fusion and weights exclude each other: one that is given sets the other aside.
        """
        given: dict[str, Any] = {
            _NAMES.get(name, name): copy.copy(value) for name, value in settings.items() if value is not None
        }
        if "filters" in given:
            given["filter"] = conjunction(self.filter, parse_filter(core_filter(given.pop("filters"))))
        given |= {name: parse_time(given[name], name=name) for name in _TIMES if name in given}
        if "weights" in given and self.fusion == "auto":
            given.setdefault("fusion", None)
        if given.get("fusion") == "auto":
            given.setdefault("weights", None)
        return replace(self, **given)
