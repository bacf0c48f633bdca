"""Amounts: found as people write them, compared by value, never taken from codes, counts or dates."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybrid_agent_memory.graph.amounts import Amount, find_amounts, read_amount

ANY_TEXT = st.text(st.characters(), max_size=60)
AMOUNT_LIKE = st.text(st.sampled_from("0123456789,. kKmMbw$€¥万亿千百三十五元块美-:/半a人天"), max_size=20)
HALF_MILLION = [
    "50万",
    "500k",
    "500K",
    "500,000",
    "500 000",
    "500000",
    "half a million",
    "0.5M",
    "五十万",
    "５００，０００".replace("，", ","),
    "5,00,000",
]


@pytest.mark.parametrize("text", HALF_MILLION)
def test_half_a_million_is_one_amount_however_written(text: str) -> None:
    assert read_amount(text) == Amount(Decimal(500_000))


@pytest.mark.parametrize(
    ("text", "value", "currency"),
    [
        ("三百万", 3 * 10**6, None),
        ("十五万", 15 * 10**4, None),
        ("3M", 3 * 10**6, None),
        ("1.2 million", 12 * 10**5, None),
        ("1.5亿", 15 * 10**7, None),
        ("50 万", 5 * 10**5, None),
        ("1亿2000万", 12 * 10**7, None),
        ("三万五", 35 * 10**3, None),
        ("一百零五", 105, None),
        ("3 hundred thousand", 3 * 10**5, None),
        ("a hundred thousand", 10**5, None),
        ("about 500k", 5 * 10**5, None),
        ("50万左右", 5 * 10**5, None),
        ("30", 30, None),
        ("$300k", 3 * 10**5, "USD"),
        ("¥50万", 5 * 10**5, "CNY"),
        ("50万元", 5 * 10**5, "CNY"),
        ("人民币50万元", 5 * 10**5, "CNY"),
        ("RMB 50万", 5 * 10**5, "CNY"),
        ("50块", 50, "CNY"),
        ("300 USD", 300, "USD"),
        ("US$ 300", 300, "USD"),
        ("500美元", 500, "USD"),
        ("two million dollars", 2 * 10**6, "USD"),
        ("HK$500", 500, "HKD"),
        ("£3m", 3 * 10**6, "GBP"),
        ("Rs. 2 lakh", 2 * 10**5, "INR"),
    ],
)  # fmt: skip
def test_scales_numerals_and_currencies_are_read(text: str, value: int, currency: str | None) -> None:
    assert read_amount(text) == Amount(Decimal(value), currency)


def test_cents_and_continental_separators_are_kept_exactly() -> None:
    assert read_amount("$1,200.50") == Amount(Decimal(120_050) / 100, "USD")
    assert read_amount("€1.234,56") == Amount(Decimal(123_456) / 100, "EUR")


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "30 days", "three days", "3天", "5万人", "50%", "10.0.3.4", "ORD-500k", "500kg", "3m", "v1.2", "12,34",
        "2024-10-12", "万一", "千万", "二〇二四", "Ann", "from 500k to 600k",
    ],
)  # fmt: skip
def test_counts_codes_and_sentences_are_no_amounts(text: str) -> None:
    assert read_amount(text) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("预算从50万涨到60万元，三天前", ["50万", "60万元"]),
        ("We have 30 days, a 500k budget and $3.5 million; 1.2 million users", ["500k", "$3.5 million"]),
        ("call 555 123 456 about version 1.2.3 of 10/12/2024, it cost 50%", []),
        ("50-60万之间，千万别说五百强", ["60万"]),
        ("It costs twenty dollars, not a hundred bucks", ["twenty dollars", "a hundred bucks"]),
        ("order 20241105, error 504, port 8080", []),
        ("budget=50k, cap:60k (was 40k).", ["50k", "60k", "40k"]),
        ("亏了五百多万，赚了三百二十万。", ["五百多万", "三百二十万"]),
    ],
)
def test_amounts_are_found_in_running_text(text: str, found: list[str]) -> None:
    assert [text[span.start : span.end] for span in find_amounts(text)] == found


def test_bare_numbers_count_on_request() -> None:
    text = "raised to 600000 after 30 days"
    assert find_amounts(text) == []
    assert [span.amount for span in find_amounts(text, bare=True)] == [Amount(Decimal(600_000))]


def test_few_pounds_are_an_amount_on_request_for_they_may_be_a_weight() -> None:
    assert find_amounts("a bag of 900 pounds, five won") == []
    assert read_amount("900 pounds") == Amount(Decimal(900), "GBP")
    assert [span.amount for span in find_amounts("1,200 pounds")] == [Amount(Decimal(1200), "GBP")]


@given(st.one_of(ANY_TEXT, AMOUNT_LIKE), st.booleans())
def test_spans_are_slices_in_order_without_overlap(text: str, bare: bool) -> None:
    spans = find_amounts(text, bare=bare)
    ends = [0, *(span.end for span in spans)]
    assert all(end <= span.start < span.end <= len(text) for end, span in zip(ends, spans, strict=False))


@given(st.integers(1, 10**7))
def test_a_number_is_the_same_with_and_without_separators_and_scales(number: int) -> None:
    plain = Amount(Decimal(number))
    assert read_amount(str(number)) == read_amount(f"{number:,}") == plain
    assert read_amount(f"{number}k") == Amount(Decimal(number * 1000))
    assert read_amount(f"{number}万") == Amount(Decimal(number * 10**4))


def test_hostile_rows_of_digits_are_passed_over() -> None:
    text = "1," * 100_000 + "9" * 100_000 + "万" * 100_000
    assert find_amounts(text) == []
