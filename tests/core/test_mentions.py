"""Mentions: names, identifiers, amounts and dates of a text, whole and typed, in text order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybrid_agent_memory.extract.mentions import find_mentions

ANY_TEXT = st.text(st.characters(), max_size=80)
WORDS = (
    'The Hey Alice Bob of the and & Mr. Dr. Acme Inc. University , . : ; " “ ” 《 》 ( ) 张 先生 王总 说 我 表哥 项目 '
    "公司 是 的 ORD-77 v1.2 $5k 50万 2024-10-12 yesterday 昨天 \n Project 's ’s I NASA é Ö \ud800 \0"
)
NAME_LIKE = st.lists(st.sampled_from(WORDS.split(" ")), max_size=14).map(" ".join) | st.lists(
    st.sampled_from(WORDS.split(" ")), max_size=14
).map("".join)


def _found(text: str, **given: str) -> list[tuple[str, str]]:
    return [(mention.name, mention.type) for mention in find_mentions(text, **given)]


def test_a_ticket_gives_people_companies_codes_and_amounts() -> None:
    text = (
        "Mr. Zhang of Acme Ltd ordered ORD-77 for $300k; ask Dr. Smith at the University of São Paulo about ERR_0x9941."
    )
    assert _found(text) == [
        ("Mr. Zhang", "person"),
        ("Acme Ltd", "organisation"),
        ("ORD-77", "identifier"),
        ("$300k", "amount"),
        ("Dr. Smith", "person"),
        ("University of São Paulo", "organisation"),
        ("ERR_0x9941", "identifier"),
    ]


def test_spans_are_cut_from_the_text_as_written() -> None:
    text = "订单ＯＲＤ－５：José’s"
    assert [(m.start, m.end, m.name) for m in find_mentions(text)] == [(2, 7, "ＯＲＤ－５"), (8, 12, "José")]


@given(st.one_of(ANY_TEXT, NAME_LIKE))
def test_mentions_are_slices_in_order_without_overlap(text: str) -> None:
    mentions = find_mentions(text)
    ends = [0, *(mention.end for mention in mentions)]
    assert all(end <= m.start < m.end <= len(text) for end, m in zip(ends, mentions, strict=False))
    assert all(mention.name == text[mention.start : mention.end] for mention in mentions)
    assert find_mentions(text) == mentions


@pytest.mark.parametrize(
    "text",
    ["", " ", "\0", "\ud800", "we met and talked about it", "What? Please! Thanks. Yesterday", "我们今天很开心。"],
)
def test_a_text_without_names_has_no_name(text: str) -> None:
    assert [mention for mention in find_mentions(text) if mention.type != "date"] == []
