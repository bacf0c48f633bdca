"""The JSON contract: the request an agent sends and the response it gets, as pydantic models."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, TypedDict

from pydantic import AfterValidator, AliasPath, BaseModel, ConfigDict, Field, JsonValue, ValidationError

from hybrid_agent_memory.errors import InvalidInputError, shown
from hybrid_agent_memory.records import Response

Weight = Annotated[float, Field(ge=0, allow_inf_nan=False)]


def _encodable(text: str) -> str:
    if not text.isascii():
        text.encode("utf-8")  # a lone surrogate could not be written back; UnicodeEncodeError is a ValueError
    return text


class HybridParams(BaseModel):
    """Weights of the legs and the constant of RRF; giving any of them makes it plain weighted RRF.

    When some weight is given, an absent one is 0; with the constant alone, `dense_weight` and `sparse_weight` are 1.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    dense_weight: Weight | None = None
    sparse_weight: Weight | None = None
    graph_weight: Weight | None = None
    rrf_k_constant: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None


class MemoryQuery(BaseModel):
    """A request.

    Examples
    --------
    >>> request = MemoryQuery(query_id="q1", search_text="HTTP 504", metadata_filter={"service": "billing-service"})
    >>> request.top_k
    5
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    query_id: Annotated[str, AfterValidator(_encodable)]
    search_text: str
    top_k: Annotated[int, Field(ge=1)] = 5
    hybrid_params: HybridParams = HybridParams()
    metadata_filter: dict[str, JsonValue] = Field(default_factory=dict)

    def options(self, *, dense: bool = True) -> "Options":
        """The same as keywords of `HybridMemory.search`.

        Parameters
        ----------
        dense : bool
            Whether the memory has a dense leg; one without is not asked for it where the request does not name it.
        """
        params = self.hybrid_params
        given = {"dense": params.dense_weight, "sparse": params.sparse_weight, "graph": params.graph_weight}
        weights = {leg: weight for leg, weight in given.items() if weight is not None}
        if not weights and params.rrf_k_constant is not None:
            weights = {"sparse": 1.0, "dense": 1.0} if dense else {"sparse": 1.0}
        return {
            "top_k": self.top_k,
            "filter": self.metadata_filter,
            "weights": weights or None,
            "rrf_k": params.rrf_k_constant,
        }


class Options(TypedDict):
    """The keywords of a search that the contract covers."""

    top_k: int
    filter: Mapping[str, object]
    weights: Mapping[str, float] | None
    rrf_k: float | None


class MemoryStep(BaseModel):
    """One edge of the path that the graph leg came along: a fact, or a mention (``"mentioned in"``) in a chunk."""

    model_config = ConfigDict(extra="forbid", frozen=True, from_attributes=True)

    subject: str
    predicate: str
    object: str
    forward: bool
    time: datetime | None
    chunk_id: str


class MemoryFact(BaseModel):
    """A fact that a result states."""

    model_config = ConfigDict(extra="forbid", frozen=True, from_attributes=True, populate_by_name=True)

    fact_id: str = Field(validation_alias="id")
    subject: str
    predicate: str
    object: str
    kind: str
    valid_at: datetime | None
    invalid_at: datetime | None
    status: str


class MemoryResult(BaseModel):
    """One hit of a response."""

    model_config = ConfigDict(extra="forbid", frozen=True, from_attributes=True, populate_by_name=True)

    chunk_id: str = Field(validation_alias="id")
    rrf_score: float
    score: float
    confidence: float
    text: str
    source: str | None
    time: datetime | None
    session: str | None
    speaker: str | None
    metadata: dict[str, JsonValue]
    path: list[MemoryStep] = Field(validation_alias=AliasPath("why", "path", "steps"), default_factory=list)
    facts: list[MemoryFact] = Field(validation_alias=AliasPath("why", "facts"), default_factory=list)
    superseded_by: str | None = Field(validation_alias=AliasPath("why", "superseded_by"), default=None)


class MemoryResponse(BaseModel):
    """A response; `total_retrieved` is the number of results, `failed_legs` names what was left out and why."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    query_id: str
    total_retrieved: int
    results: list[MemoryResult]
    failed_legs: dict[str, str] = Field(default_factory=dict)


def parse_query(query: MemoryQuery | Mapping[str, object]) -> MemoryQuery:
    """A request from a model or a mapping.

    Raises
    ------
    InvalidInputError
        If the mapping does not fit; the message names every field that is wrong.
    """
    if isinstance(query, MemoryQuery):
        return query
    if not isinstance(query, Mapping):
        raise InvalidInputError(f"the request {shown(query)} does not fit the contract: give a mapping")
    try:
        return MemoryQuery.model_validate(dict(query))
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'request'}: {e['msg']}" for e in error.errors())
        raise InvalidInputError(f"the request does not fit the contract: {wrong}") from error


def to_response(query_id: str, response: Response) -> MemoryResponse:
    """The response of a search in the contract's shape."""
    results = [MemoryResult.model_validate(hit) for hit in response]
    return MemoryResponse(
        query_id=query_id, total_retrieved=len(results), results=results, failed_legs=response.failures
    )
