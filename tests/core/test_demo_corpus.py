"""The on-call example's data: it parses, it is what its README says, and its codes are findable."""

import re
import runpy
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from hybrid_agent_memory import Chunk, HybridMemory
from hybrid_agent_memory.times import parse_time

EXAMPLE = Path(__file__).parents[2] / "examples" / "oncall"
CODES = ["ERR_0x9941", "ERR_0x9914", "ERR_0x9942", "ERR_0x9944", "ERR_0x4991", "PAY-3021", "PAY-3012", "PC-0318"]
ORDERS = [
    "ORD-20260305-118",
    "ORD-20260305-181",
    "ORD-20260306-118",
    "ORD-20260306-181",
    "ORD-20260403-118",
]


@pytest.fixture(scope="module")
def demo() -> dict[str, object]:
    return runpy.run_path(str(EXAMPLE / "demo.py"))


@pytest.fixture(scope="module")
def corpus(demo: dict[str, object]) -> list[Chunk]:
    load_corpus = demo["load_corpus"]
    assert callable(load_corpus)
    return list(load_corpus())


@pytest.fixture(scope="module")
def memory(corpus: list[Chunk]) -> Iterator[HybridMemory]:
    with HybridMemory.in_memory() as memory:
        memory.add(corpus)
        yield memory


def moment(chunk: Chunk) -> datetime:
    assert chunk.time is not None
    return parse_time(chunk.time)


def test_is_a_corpus_of_eighty_pieces_and_more_with_ids_of_their_own(corpus: list[Chunk]) -> None:
    assert len(corpus) >= 80
    assert len({chunk.id for chunk in corpus}) == len(corpus)
    assert all(chunk.id and chunk.source for chunk in corpus)


def test_spans_six_weeks_and_every_time_has_an_offset(corpus: list[Chunk]) -> None:
    times = [moment(chunk) for chunk in corpus]
    assert timedelta(weeks=5, days=6) <= max(times) - min(times) <= timedelta(weeks=6)
    assert all(datetime.fromisoformat(str(chunk.time)).tzinfo for chunk in corpus)


@pytest.mark.parametrize("source", ["runbooks", "incidents", "chat"])
def test_every_source_speaks_english_and_chinese(corpus: list[Chunk], source: str) -> None:
    texts = [chunk.text for chunk in corpus if str(chunk.source).startswith(source)]
    chinese = [text for text in texts if re.search("[\u4e00-\u9fff]{4}", text)]
    english = [text for text in texts if not re.search("[\u4e00-\u9fff]", text)]
    assert len(chinese) >= 10
    assert len(english) >= 10


def test_filters_reach_both_environments_and_cut_the_corpus_in_two(memory: HybridMemory, corpus: list[Chunk]) -> None:
    production = memory.count({"environment": "production"})
    staging = memory.count({"environment": "staging"})
    assert staging >= 10
    assert production + staging == len(corpus)


@pytest.mark.parametrize("service", ["billing-service", "checkout-api", "notification"])
def test_production_and_staging_speak_of_the_same_services(memory: HybridMemory, service: str) -> None:
    assert memory.count({"environment": "production", "service": service}) > 0
    assert memory.count({"environment": "staging", "service": service}) > 0


@pytest.mark.parametrize("code", CODES + ORDERS)
def test_an_exact_code_is_first_for_bm25_alone(memory: HybridMemory, code: str) -> None:
    assert code in memory.search(code, legs=("sparse",))[0].text


@pytest.mark.parametrize("order", ORDERS)
def test_an_order_number_glued_to_chinese_is_first_for_bm25_alone(memory: HybridMemory, order: str) -> None:
    assert order in memory.search(f"订单{order}怎么了", legs=("sparse",))[0].text


def test_the_best_match_for_the_pool_request_is_a_staging_note_until_its_filter_is_applied(
    memory: HybridMemory, demo: dict[str, object]
) -> None:
    request = demo["POOL_REQUEST"]
    assert isinstance(request, dict)
    unfiltered = memory.search(request["search_text"])
    filtered = memory.search(request["search_text"], filter=request["metadata_filter"])
    assert unfiltered[0].metadata["environment"] == "staging"
    assert filtered
    assert {hit.metadata["environment"] for hit in filtered} == {"production"}


def test_the_answers_the_demo_expects_are_in_the_corpus_and_pass_the_filter(
    memory: HybridMemory, demo: dict[str, object]
) -> None:
    questions = demo["QUESTIONS"]
    assert isinstance(questions, tuple)
    for question in questions:
        records = memory.get(sorted(question.answers))
        wanted = (question.filter or {}).items()
        assert all(record is not None and wanted <= record.metadata.items() for record in records)


def test_a_claim_that_does_not_hold_is_counted_and_printed(
    demo: dict[str, object], capsys: pytest.CaptureFixture[str]
) -> None:
    make_claims = demo["Claims"]
    assert callable(make_claims)
    claims = make_claims()
    claims.check("water is wet", True)
    claims.check("the moon is cheese", False)
    assert claims.failed == 1
    assert capsys.readouterr().out.splitlines() == ["PASS  water is wet", "FAIL  the moon is cheese"]
