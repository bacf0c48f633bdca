"""An exact identifier beats its look-alikes, whatever it is wrapped in, with the real embedder and default settings."""

from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest

from hybrid_agent_memory import HybridMemory
from hybrid_agent_memory.testing import HashEmbedder

FAMILIES: dict[str, Callable[[int], str]] = {
    "order": lambda n: f"ORD-2024{11 + n // 28:02d}{n % 28 + 1:02d}",
    "error": lambda n: f"ERR_0x{0x9900 + n:04X}",
    "ticket": lambda n: f"JIRA-{10 ** (n % 3 + 1) + n // 3}",  # JIRA-10, JIRA-100, JIRA-1000: each a prefix of the next
    "function": lambda n: f"getUser{chr(65 + n // 10)}{'abcdefghij'[n % 10]}Id",
    "version": lambda n: f"v{n // 25 + 1}.{n // 5 % 5}.{n % 5}",
}
SENTENCES = (
    "{} was reported by the on-call engineer and closed the same day",
    "Customer asked about {} twice, answer was sent by mail",
    "{} 已经由值班同事处理，客户表示满意",
    "After the deploy we saw {} in the logs of the billing service",
)
WRAPPERS = (
    "{}",
    "what happened with {}?",
    "订单{}的状态",
    "请问{}。",
    "see {}.",
    "\ninput is status of {}\n",
)
PER_FAMILY = 101


def wide(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def codes() -> Iterator[tuple[str, str]]:
    """(code, its look-alike neighbour), 100 pairs per family, 500 in all."""
    for make in FAMILIES.values():
        yield from pairwise(make(n) for n in range(PER_FAMILY))


@pytest.fixture(scope="module")
def memory() -> HybridMemory:
    made = HybridMemory.in_memory(embedder="local")
    stored = dict.fromkeys(code for pair in codes() for code in pair)
    sentences = (SENTENCES[at % len(SENTENCES)] for at in range(len(stored)))
    made.add([{"id": code, "text": text.format(code)} for code, text in zip(stored, sentences, strict=True)])
    return made


def test_five_hundred_codes_come_first_before_their_look_alikes(memory: HybridMemory) -> None:
    pairs = list(codes())
    assert len(pairs) == 500
    assert all(code != other for code, other in pairs)
    wrong = []
    for at, (code, _) in enumerate(pairs):
        query = WRAPPERS[at % len(WRAPPERS)].format(wide(code) if at % 7 == 0 else code)
        first = memory.search(query, top_k=1)[0]
        if first.id != code:
            wrong.append((query, first.id))
    assert wrong == []


@pytest.mark.parametrize("size", [0, 1, 2])
def test_a_memory_of_next_to_nothing_finds_what_it_has(size: int) -> None:
    stored = [{"id": "a", "text": "ORD-20241105 张先生要求退款"}, {"id": "b", "text": "ORD-20241106 was shipped"}][
        :size
    ]
    with HybridMemory.in_memory(embedder=HashEmbedder()) as memory, HybridMemory.in_memory() as words:
        for each in (memory, words):
            each.add(stored)
        assert [hit.id for hit in memory.search("订单ORD-20241105的状态")] == ["a", "b"][:size]
        assert [hit.id for hit in words.search("ORD-20241105")][:1] == ["a"][:size]
        assert [hit.id for hit in words.search("张先生")] == ["a"][:size]


def test_chinese_names_are_found_among_others() -> None:
    names = ["张伟", "张伟明", "王芳", "李娜", "欧阳修文", "张先生", "李总"]
    with HybridMemory.in_memory() as memory:
        memory.add([{"id": name, "text": f"{name}投诉了物流配送延迟"} for name in names])
        for name in names:
            assert memory.search(f"{name}最近怎么样")[0].id == name
