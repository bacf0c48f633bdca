"""Which entities a query names, as seen in what the graph leg finds for it."""

from collections.abc import Iterator

import pytest

from hybrid_agent_memory import HybridMemory
from hybrid_agent_memory.testing import HashEmbedder

OWNERS = {
    "客户A": "张伟",
    "客户 B": "李娜",
    "云梯Pro套餐": "赵敏",
    "C公司": "刘洋",
    "Project Quay": "Ann Ray",
    "Acme Corp": "Bob Hill",
    "Lumenor": "Dee Ford",
    "Harbor": "Cy Fox",
}


@pytest.fixture(scope="module")
def memory() -> Iterator[HybridMemory]:
    with HybridMemory.in_memory(embedder=HashEmbedder(8)) as memory:
        memory.add_facts([{"subject": name, "predicate": "owner", "object": who} for name, who in OWNERS.items()])
        memory.add_episode("The harbor was quiet, and so was the quay.")
        yield memory


def first_steps(memory: HybridMemory, query: str) -> set[tuple[str, str]]:
    """The facts along which paths leave what the query names."""
    paths = [hit.why.path for hit in memory.search(query, kinds=("fact",), legs=("graph",), top_k=20)]
    return {(path.steps[0].subject, path.steps[0].object) for path in paths if path and path.steps[0].forward}


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("客户A的负责人是谁", "客户A"),
        ("客户 A 呢", "客户A"),
        ("客户B是谁", "客户 B"),
        ("云梯Pro套餐", "云梯Pro套餐"),
        ("C公司归谁管", "C公司"),
        ("who runs Project Quay", "Project Quay"),
        ("who runs project quay", "Project Quay"),
        ("is acme corp happy?", "Acme Corp"),
        ("who runs lumenor now", "Lumenor"),
    ],
)
def test_a_name_is_found_in_whatever_case_and_spacing(memory: HybridMemory, query: str, name: str) -> None:
    assert (name, OWNERS[name]) in first_steps(memory, query)
    assert memory.search(query)[0].why.reason.count("names something rare") == 1


@pytest.mark.parametrize("query", ["who owns the harbor", "down by the quay", "客户的负责人", "套餐", "a corporation"])
def test_a_word_that_is_not_only_a_name_is_none(memory: HybridMemory, query: str) -> None:
    assert "names nothing known" in memory.search(query)[0].why.reason


def test_one_customer_in_two_spellings_has_one_budget() -> None:
    with HybridMemory.in_memory() as memory:
        memory.add_episode("客户 A 的预算是30万。", time="2025-01-01")
        memory.add_episode("客户A的预算是40万。", time="2025-02-01")
        assert [(fact.object, fact.status) for fact in memory.history("客户A", "budget", now="2025-03-01")] == [
            ("30万", "past"),
            ("40万", "current"),
        ]
