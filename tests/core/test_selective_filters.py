"""A filter that leaves one record in a hundred still gives as many hits as were asked for, in every leg."""

import numpy as np
import pytest

from hybrid_agent_memory import Config, HybridMemory

RECORDS, TENANTS = 10_000, 100
WORDS = ["checkout", "timeout", "login", "refund", "order", "slow", "payment", "queue"]


@pytest.fixture(scope="module", params=["flat", "int8", "hnsw"])
def memory(request: pytest.FixtureRequest) -> HybridMemory:
    """Ten thousand records whose filtered ones are far from the query in both legs."""
    bounds = {"flat": (10**6, 10**7), "int8": (1_000, 10**7), "hnsw": (1_000, 2_000)}[request.param]
    config = Config(int8_above=bounds[0], hnsw_above=bounds[1])
    made = HybridMemory.in_memory(config=config)
    chance = np.random.default_rng(3)
    near = np.eye(16)[0]
    items = []
    for n in range(RECORDS):
        wanted = n % TENANTS == 42
        vector = chance.standard_normal(16) + (0 if wanted else 4) * near
        text = f"{WORDS[n % 8]} {'' if wanted else 'timeout timeout checkout'} timeout note {n}"
        metadata = {"tenant": n % TENANTS, "tags": [WORDS[n % 8], "all"]}
        items.append({"id": f"r{n:05d}", "text": text, "vector": vector.tolist(), "metadata": metadata})
    made.add(items)
    assert made.stats().dense_index == request.param
    return made


@pytest.mark.parametrize("legs", [("sparse",), ("dense",), ("sparse", "dense")])
@pytest.mark.parametrize("top_k", [1, 20, 100])
def test_top_k_of_top_k_pass_the_filter(memory: HybridMemory, legs: tuple[str, ...], top_k: int) -> None:
    query = np.eye(16)[0].tolist()
    tenant = {"$and": [{"tenant": 42}, {"$not": {"tags": {"$contains": "nothing"}}}]}
    hits = memory.search("checkout timeout", vector=query, legs=legs, top_k=top_k, filter=tenant)
    assert len(hits) == top_k
    assert {hit.metadata["tenant"] for hit in hits} == {42}
    assert memory.count(tenant) == RECORDS // TENANTS
