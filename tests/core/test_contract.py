"""The JSON contract: the request of an agent goes in, the response it was promised comes out."""

import asyncio
import json
from datetime import UTC, datetime
from typing import Any

import pytest

from hybrid_agent_memory import HybridMemory, InvalidInputError, MemoryQuery, MemoryResponse
from hybrid_agent_memory.testing import HashEmbedder

REQUEST = """
{
  "query_id": "mem_req_99214",
  "search_text": "HTTP 504 gateway timeout postgres connection pool",
  "top_k": 5,
  "hybrid_params": {"dense_weight": 0.6, "sparse_weight": 0.4, "rrf_k_constant": 60},
  "metadata_filter": {"environment": "production", "service": "billing-service"}
}
"""
BILLING = {"environment": "production", "service": "billing-service"}
NOON = datetime(2024, 11, 5, 12, tzinfo=UTC)
POOL = "PostgreSQL connection pool exhaustion causes HTTP 504 timeouts. Increase max_connections to 200."


@pytest.fixture
def memory() -> HybridMemory:
    made = HybridMemory.in_memory(embedder=HashEmbedder(32), clock=lambda: NOON)
    made.add(
        [
            {
                "id": "doc_8832_p4",
                "text": POOL,
                "source": "wiki/infrastructure_troubleshooting.md",
                "metadata": BILLING,
            },
            {
                "id": "doc_12_p1",
                "text": "Invoices are sent at noon.",
                "metadata": BILLING,
                "time": "2024-11-05T12:00:00Z",
            },
            {"id": "staging", "text": POOL, "metadata": {**BILLING, "environment": "staging"}},
            {"id": "search", "text": POOL, "metadata": {**BILLING, "service": "search-service"}},
        ]
    )
    return made


def answer(memory: HybridMemory, **changes: Any) -> MemoryResponse:  # noqa: ANN401
    return memory.query({"query_id": "q", "search_text": "HTTP 504 connection pool", **changes})


def test_the_request_of_the_contract_is_answered_in_its_shape(memory: HybridMemory) -> None:
    response = memory.query(json.loads(REQUEST))
    assert json.loads(response.model_dump_json()) == {
        "query_id": "mem_req_99214",
        "total_retrieved": 2,
        "results": [
            {
                "chunk_id": "doc_8832_p4",
                "rrf_score": pytest.approx(0.6 / 61 + 0.4 / 61),
                "score": pytest.approx(1.0),
                "confidence": pytest.approx(response.results[0].confidence),
                "text": POOL,
                "source": "wiki/infrastructure_troubleshooting.md",
                "time": None,
                "session": None,
                "speaker": None,
                "metadata": BILLING,
                "path": [],
                "facts": [],
                "superseded_by": None,
            },
            {
                "chunk_id": "doc_12_p1",
                "rrf_score": pytest.approx(0.6 / 62),
                "score": pytest.approx(0.6 / 62 * 61),
                "confidence": pytest.approx(response.results[1].confidence),
                "text": "Invoices are sent at noon.",
                "source": None,
                "time": "2024-11-05T12:00:00Z",
                "session": None,
                "speaker": None,
                "metadata": BILLING,
                "path": [],
                "facts": [],
                "superseded_by": None,
            },
        ],
        "failed_legs": {},
    }


def test_a_model_a_mapping_and_a_search_agree(memory: HybridMemory) -> None:
    async def awaited() -> MemoryResponse:
        return await memory.aquery(MemoryQuery.model_validate_json(REQUEST))

    by_mapping = memory.query(json.loads(REQUEST))
    assert memory.query(MemoryQuery.model_validate_json(REQUEST)) == asyncio.run(awaited()) == by_mapping
    searched = memory.search(
        "HTTP 504 gateway timeout postgres connection pool",
        weights={"dense": 0.6, "sparse": 0.4},
        rrf_k=60,
        filter=BILLING,
    )
    assert [(hit.id, hit.rrf_score, hit.score, hit.confidence) for hit in searched] == [
        (result.chunk_id, result.rrf_score, result.score, result.confidence) for result in by_mapping.results
    ]


def test_without_parameters_the_fusion_is_adaptive(memory: HybridMemory) -> None:
    adaptive = [(hit.id, hit.score) for hit in memory.search("HTTP 504 connection pool")]
    assert [(result.chunk_id, result.score) for result in answer(memory).results] == adaptive
    assert [(result.chunk_id, result.score) for result in answer(memory, hybrid_params={}).results] == adaptive


@pytest.mark.parametrize(
    ("params", "options"),
    [
        ({"rrf_k_constant": 60}, {"fusion": "rrf"}),
        ({"rrf_k_constant": 7.5}, {"rrf_k": 7.5}),
        ({"dense_weight": 1}, {"weights": {"dense": 1}}),
        ({"sparse_weight": 0.5}, {"weights": {"sparse": 0.5}}),
        ({"sparse_weight": 0.5, "dense_weight": 0}, {"legs": ("sparse",), "weights": {"sparse": 0.5}}),
        (
            {"dense_weight": 2, "sparse_weight": 1, "rrf_k_constant": 1},
            {"weights": {"dense": 2, "sparse": 1}, "rrf_k": 1},
        ),
    ],
)
def test_any_weight_or_k_makes_it_plain_weighted_rrf(
    memory: HybridMemory, params: dict[str, float], options: dict[str, Any]
) -> None:
    searched = memory.search("HTTP 504 connection pool", **options)
    assert searched.fusion == "rrf"
    given = answer(memory, hybrid_params=params)
    assert [(r.chunk_id, r.rrf_score) for r in given.results] == [(hit.id, hit.rrf_score) for hit in searched]


def test_top_k_and_the_filter_bound_the_results(memory: HybridMemory) -> None:
    assert answer(memory, top_k=1).total_retrieved == len(answer(memory, top_k=1).results) == 1
    assert answer(memory, metadata_filter={"service": ["search-service", "x"]}).results[0].chunk_id == "search"
    assert answer(memory, metadata_filter={"environment": "qa"}).model_dump() == {
        "query_id": "q",
        "total_retrieved": 0,
        "results": [],
        "failed_legs": {},
    }
    assert answer(memory, search_text=" ").results == []


def test_a_leg_that_failed_is_named(memory: HybridMemory) -> None:
    bare = HybridMemory.in_memory()
    bare.add({"id": "a", "text": "HTTP 504"})
    response = answer(bare, hybrid_params={"dense_weight": 0.6, "sparse_weight": 0.4})
    assert [result.chunk_id for result in response.results] == ["a"]
    assert list(response.failed_legs) == ["dense"]
    assert answer(bare, hybrid_params={"rrf_k_constant": 60}).failed_legs == {}


@pytest.fixture
def chained() -> HybridMemory:
    """Two values of one slot, and a note that shares no word with a question about them."""
    made = HybridMemory.in_memory(clock=lambda: NOON)
    made.add_episodes(
        [
            {"id": "old", "text": "The budget of Project Atlas is 500k.", "time": "2024-10-14"},
            {"id": "new", "text": "The budget of Project Atlas is 600k.", "time": "2024-10-20"},
        ]
    )
    made.add_facts(
        [{"id": "led", "text": "She is its lead.", "subject": "Ann", "predicate": "l", "object": "Project Atlas"}]
    )
    return made


@pytest.mark.parametrize(
    ("params", "legs"),
    [
        ({"graph_weight": 2}, {"graph"}),
        ({"graph_weight": 0, "sparse_weight": 1}, {"sparse"}),
        ({"sparse_weight": 1}, {"sparse"}),
        ({"rrf_k_constant": 1}, {"sparse"}),
        ({"sparse_weight": 1, "graph_weight": 1}, {"sparse", "graph"}),
        ({}, {"sparse", "graph"}),
    ],
)
def test_an_absent_graph_weight_is_zero_once_it_is_weighted(
    chained: HybridMemory, params: dict[str, float], legs: set[str]
) -> None:
    weights = dict.fromkeys(legs, float(max(params.values()))) if params else None
    searched = chained.search("budget of Project Atlas", weights=weights, rrf_k=params.get("rrf_k_constant"))
    response = answer(chained, search_text="budget of Project Atlas", hybrid_params=params)
    assert set(searched.legs) == legs
    assert ("led" in [result.chunk_id for result in response.results]) == ("graph" in legs)
    assert [(r.chunk_id, r.rrf_score, r.score) for r in response.results] == [
        (hit.id, hit.rrf_score, hit.score) for hit in searched
    ]


def test_a_result_says_what_it_states_how_it_was_found_and_what_came_after(chained: HybridMemory) -> None:
    results = {result.chunk_id: result for result in answer(chained, search_text="budget of Project Atlas").results}
    assert (results["old"].superseded_by, results["new"].superseded_by) == ("new", None)
    assert results["old"].model_dump(mode="json")["facts"] == [
        {
            "fact_id": "old!0",
            "subject": "Project Atlas",
            "predicate": "budget",
            "object": "500k",
            "kind": "relation",
            "valid_at": "2024-10-14T00:00:00Z",
            "invalid_at": "2024-10-20T00:00:00Z",
            "status": "past",
        }
    ]
    assert results["led"].model_dump(mode="json")["path"] == [
        {
            "subject": "Ann",
            "predicate": "l",
            "object": "Project Atlas",
            "forward": False,
            "time": None,
            "chunk_id": "led",
        }
    ]


def test_a_response_can_be_read_back(chained: HybridMemory) -> None:
    response = answer(chained, search_text="budget of Project Atlas")
    assert MemoryResponse.model_validate_json(response.model_dump_json()) == response


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "unknown key": ({"search_txt": "typo"}, "search_txt"),
    "unknown parameter": ({"hybrid_params": {"dens_weight": 1}}, "hybrid_params.dens_weight"),
    "negative weight": ({"hybrid_params": {"dense_weight": -0.1}}, "hybrid_params.dense_weight"),
    "infinite weight": ({"hybrid_params": {"dense_weight": float("inf")}}, "hybrid_params.dense_weight"),
    "negative graph weight": ({"hybrid_params": {"graph_weight": -1}}, "hybrid_params.graph_weight"),
    "weight as text": ({"hybrid_params": {"dense_weight": "0.6"}}, "hybrid_params.dense_weight"),
    "no k": ({"hybrid_params": {"rrf_k_constant": 0}}, "hybrid_params.rrf_k_constant"),
    "all weights zero": ({"hybrid_params": {"dense_weight": 0, "sparse_weight": 0}}, "weights"),
    "no hits": ({"top_k": 0}, "top_k"),
    "half a hit": ({"top_k": 2.5}, "top_k"),
    "hits as text": ({"top_k": "5"}, "top_k"),
    "text as number": ({"search_text": 504}, "search_text"),
    "number as id": ({"query_id": 7}, "query_id"),
    "filter as list": ({"metadata_filter": ["service"]}, "metadata_filter"),
    "unknown operator": ({"metadata_filter": {"service": {"$near": "x"}}}, "\\$near"),
}


@pytest.mark.parametrize(("changes", "named"), WRONG.values(), ids=WRONG)
def test_a_request_that_does_not_fit_is_refused_by_name(
    memory: HybridMemory, changes: dict[str, Any], named: str
) -> None:
    with pytest.raises(InvalidInputError, match=named):
        answer(memory, **changes)


@pytest.mark.parametrize("missing", ["query_id", "search_text"])
def test_what_must_be_there_is_asked_for(memory: HybridMemory, missing: str) -> None:
    request = {"query_id": "q", "search_text": "x"}
    del request[missing]
    with pytest.raises(InvalidInputError, match=missing):
        memory.query(request)


def test_every_fault_is_named_at_once(memory: HybridMemory) -> None:
    with pytest.raises(InvalidInputError, match=r"query_id.*top_k"):
        memory.query({"search_text": "x", "top_k": -1})


@pytest.mark.parametrize("request_", ["text", 7, None, ["query_id"]])
def test_what_is_no_request_is_refused(memory: HybridMemory, request_: Any) -> None:  # noqa: ANN401
    with pytest.raises(InvalidInputError, match="contract"):
        memory.query(request_)


def test_a_request_is_frozen_and_has_a_schema() -> None:
    request = MemoryQuery.model_validate_json(REQUEST)
    with pytest.raises(ValueError, match="frozen"):
        request.top_k = 7
    schema = MemoryQuery.model_json_schema()
    assert (schema["additionalProperties"], sorted(schema["required"])) == (False, ["query_id", "search_text"])
