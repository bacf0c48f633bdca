"""The options of a search, checked in one place."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

from hybrid_agent_memory.authority import check_authority_weight
from hybrid_agent_memory.config import Config, check_depth
from hybrid_agent_memory.decay import check_decay
from hybrid_agent_memory.engines import Moment, RecordKind
from hybrid_agent_memory.errors import InvalidInputError, check_count, is_number, shown
from hybrid_agent_memory.filters import Filter
from hybrid_agent_memory.fusion import check_k, check_weights

OnError = Literal["degrade", "raise"]
Fusion = Literal["auto", "rrf"]
WIDE = 100  # up to this top_k the number of candidates does not depend on it


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How to search; see `HybridMemory.search` for what each option means.

    Raises
    ------
    InvalidInputError
        If an option is out of range, or two contradict each other.
    """

    top_k: int = 5
    filter: Filter | None = None
    fusion: Fusion | None = None
    weights: Mapping[str, float] | None = None
    rrf_k: float | None = None
    legs: Sequence[str] | None = None
    candidates: int | None = None
    min_confidence: float | None = None
    rerank: bool | int | None = None
    on_error: OnError = "degrade"
    kinds: Sequence[RecordKind] = ("chunk",)
    moment: Moment = field(default_factory=lambda: Moment(datetime.now(UTC)))
    time_decay: float | None = None
    decay_floor: float | None = None
    authority_weight: float | None = None
    max_depth: int | None = None
    config: Config = field(default_factory=Config)

    def __post_init__(self) -> None:
        check_count("top_k", self.top_k)
        if self.candidates is not None:
            check_count("candidates", self.candidates)
        if self.rerank is not None and not isinstance(self.rerank, bool):
            check_count("rerank", self.rerank)
        if self.on_error not in ("degrade", "raise"):
            raise InvalidInputError(f"on_error {self.on_error!r} is unknown: give 'degrade' or 'raise'")
        if self.fusion not in (None, "auto", "rrf"):
            raise InvalidInputError(f"fusion {self.fusion!r} is unknown: give 'auto' or 'rrf'")
        if self.rrf_k is not None:
            check_k(self.rrf_k)
        _check_kinds(self.kinds)
        check_decay(self.time_decay, self.decay_floor)
        if self.authority_weight is not None:
            check_authority_weight(self.authority_weight)
        if self.max_depth is not None:
            check_depth(self.max_depth)
        if self.weights is not None:
            self._check_weights(self.weights)
        confidence = self.min_confidence
        if confidence is not None and not (is_number(confidence) and 0 <= confidence <= 1):
            raise InvalidInputError(f"min_confidence {shown(confidence)} must be a number from 0 to 1")

    def _check_weights(self, weights: Mapping[str, float]) -> None:
        if not isinstance(weights, Mapping) or not weights:
            raise InvalidInputError(
                f"weights {shown(weights)} must name legs: give for example {{'sparse': 1, 'dense': 2}}"
            )
        check_weights(weights)
        if self.fusion == "auto":
            raise InvalidInputError("fusion 'auto' chooses its own weights: leave out weights, or give fusion='rrf'")

    @property
    def depth(self) -> int:
        """Hops of the graph leg."""
        return self.config.max_depth if self.max_depth is None else self.max_depth

    @property
    def by_rank(self) -> bool:
        """Whether the legs are fused by plain weighted RRF rather than adaptively."""
        return self.fusion == "rrf" or (self.fusion is None and not (self.weights is None and self.rrf_k is None))

    @property
    def ages_as_usual(self) -> bool:
        """Whether the caller left it to the memory how much age counts."""
        return self.time_decay is None and self.decay_floor is None

    @property
    def fused_by(self) -> Fusion:
        """The kind of fusion, for the response."""
        return "rrf" if self.by_rank else "auto"

    def names(self, leg: str) -> bool:
        """Whether a leg was asked for by name."""
        return leg in (self.legs or ()) or bool((self.weights or {}).get(leg))

    @property
    def limit(self) -> int:
        """Candidates per leg."""
        if self.candidates is not None:
            return max(self.candidates, self.top_k)
        return max(self.config.candidates, self.top_k if self.top_k <= WIDE else 2 * self.top_k)

    @property
    def reranked(self) -> int:
        """How many hits a cross-encoder sees."""
        if self.rerank is None or self.rerank is True:
            return self.config.rerank_candidates
        return int(self.rerank)

    def wanted_legs(self, known: Sequence[str]) -> list[str]:
        """Those of the known legs that are asked for, in their order.

        Raises
        ------
        InvalidInputError
            If another leg is named, or none is left.
        """
        if self.legs is not None and (isinstance(self.legs, str) or not isinstance(self.legs, Collection)):
            raise InvalidInputError(f"legs {self.legs!r} is no sequence of names: give for example ('sparse',)")
        named = [*(self.legs or ()), *(self.weights or ())]
        unknown = [name for name in named if name not in known]
        if unknown:
            raise InvalidInputError(f"leg {shown(unknown[0])} is unknown: this memory knows {', '.join(known)}")
        wanted = [leg for leg in known if self.legs is None or leg in self.legs]
        if self.weights is not None:
            wanted = [leg for leg in wanted if self.weights.get(leg, 0)]
        if not wanted:
            raise InvalidInputError("no leg is left to run: name one in legs, with a positive weight")
        return wanted


def _check_kinds(kinds: object) -> None:
    if isinstance(kinds, str):
        raise InvalidInputError(f"kinds {shown(kinds)} is a string: give a list or a tuple, for example ('fact',)")
    if not isinstance(kinds, Collection) or not kinds or any(kind not in ("chunk", "fact") for kind in kinds):
        raise InvalidInputError(f"kinds {shown(kinds)} must name 'chunk', 'fact' or both: give for example ('fact',)")
