"""Tokens: what must match does, what only looks alike differs, and nothing makes the tokenizer fail."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybrid_agent_memory.text import DEFAULT_TOKENIZER_NAME, LONGEST_TERM, identifiers, tokenize, tokenizer_name

ANY_TEXT = st.text(st.characters(), max_size=60)  # lone surrogates and NUL included
CODE_LIKE = st.text(st.sampled_from("aAbvZéßñ019 _-.:/\\@#+&%$,'的了订Ｅ１x\u0301\ud800ชिक"), max_size=40)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("ERR_0x9941", ["err_0x9941", "err", "0x9941", "9941"]),
        ("ORD-20241105", ["ord-20241105", "ord", "20241105"]),
        ("ORD20241105", ["ord20241105", "ord", "20241105"]),
        ("getUserId", ["getuserid", "get", "user", "id"]),
        ("HTTPServer", ["httpserver", "server"]),
        ("UserService", ["userservice", "userservic", "user", "servic"]),
        ("max_retry_count", ["max_retry_count", "max", "retri", "count"]),
        ("C++", ["c++"]),
        ("C#", ["c#"]),
        ("notepad++", ["notepad++", "notepad"]),
        (".NET", [".net", "net"]),
        ("v1.2.3", ["v1.2.3", "1.2.3", "1", "2", "3"]),
        ("10.0.3.4", ["10.0.3.4", "10", "0", "3", "4"]),
        ("JIRA-10", ["jira-10", "jira", "10"]),
        ("a3f9c2d1e", ["a3f9c2d1e"]),
        ("/etc/nginx.conf", ["etc/nginx.conf", "etc", "nginx.conf", "nginx", "conf"]),
        ("C:\\tmp\\app.log", ["c:\\tmp\\app.log", "c", "tmp", "app.log", "app", "log"]),
        ("bob@mail.org", ["bob@mail.org", "bob", "mail.org", "mail", "org"]),
        ("http://a.org/x-1.", ["http://a.org/x-1", "a.org/x-1", "a.org", "org", "x-1", "x", "1"]),
        ("$3,000", ["$3,000", "3000"]),
        ("3000", ["3000"]),
        ("$3.50", ["$3.50", "3.50"]),
        ("500k", ["500k", "500"]),
        ("50%", ["50%", "50"]),
        ("50万", ["50", "万", "50万"]),
        ("预算3,000元", ["预", "预算", "算", "3,000", "3000", "元", "3,000元"]),
    ],
)  # fmt: skip
def test_an_identifier_is_kept_whole_and_in_parts(text: str, terms: list[str]) -> None:
    assert tokenize(text) == terms


@pytest.mark.parametrize(
    "text",
    [
        "ord-20241105",
        "ＯＲＤ－２０２４１１０５",
        "ORD‐20241105",
        "ORD–20241105",
        "订单ORD-20241105的状态",
        "订单：ORD-20241105，已发货",
        "ORD-20241105.",
        "ORD-20241105。",
        "ORD-20241105，300元",
        "ORD-20241105?",
        "ORD-20241105？",
        '"ORD-20241105"',
        "“ORD-20241105”",
        "‘ORD-20241105’",
        "(ORD-20241105)",
        "【ORD-20241105】",
        "<ORD-20241105>",
        "`ORD-20241105`",
        "**ORD-20241105**",
        "ORD-20241105's",
        "id=ORD-20241105;",
        "order:ORD-20241105",
        "ORD-20241105/ORD-20241106",
        "ORD-20241105_v2",
        "ORD-20241105...done",
        "orders/ORD-20241105.pdf",
        "https://shop.example/orders/ORD-20241105?tab=1",
        "见https://shop.example/orders/ORD-20241105，谢谢",
    ],
)
def test_an_identifier_is_the_same_term_wherever_it_stands(text: str) -> None:
    assert "ord-20241105" in tokenize(text)


@pytest.mark.parametrize(
    ("code", "look_alike"),
    [
        ("JIRA-10", "JIRA-100"),
        ("ORD-20241105", "ORD-20241106"),
        ("ERR_0x9941", "ERR_0x994"),
        ("v1.2.3", "v1.2.30"),
        ("10.0.3.4", "10.0.3.40"),
        ("C++", "C"),
        ("C#", "C++"),
        ("getUserId", "getUserIds"),
        ("a@b.org", "a@b.org.uk"),
    ],
)
def test_a_look_alike_has_another_whole_term(code: str, look_alike: str) -> None:
    whole = code.lower()
    assert whole in tokenize(f"see {code} now")
    assert whole not in tokenize(f"see {look_alike} now")


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Running", "runs"),
        ("YouTube", "youtube"),
        ("UserService", "userservice"),
        ("iPhones", "iphone"),
        ("Caroline's", "CAROLINE"),
        ("O’Brien", "obrien"),
        ("Gábor", "Gabor"),
        ("straße", "STRASSE"),
        ("ﬁle", "file"),
        ("$3,000", "3000"),
        ("カタカナ", "ｶﾀｶﾅ"),
        ("iPhone15", "iphone"),
        ("猫", "我的猫很可爱"),
        ("上海", "他去上海了"),
        ("了解", "我了解你"),
        ("cafe\u0301", "CAFÉ"),
        ("हिन्दी", "हिन्दी में"),
        ("한국", "한국어"),
    ],
)
def test_forms_of_one_word_share_a_term(left: str, right: str) -> None:
    assert set(tokenize(left)) & set(tokenize(right))


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Where is the cat?", ["cat"]),
        ("We don't, she'll not, I can’t: cats", ["cat"]),
        ("the who", ["the", "who"]),
        ("Don't", ["dont"]),
        ("state-of-the-art", ["state-of-the-art", "state", "art"]),
        ("我的猫", ["猫"]),
        ("我的", ["我", "我的", "的"]),
        ("天气", ["天", "天气", "气"]),
    ],
)
def test_function_words_are_dropped_unless_nothing_else_is_there(text: str, terms: list[str]) -> None:
    assert tokenize(text) == terms


@pytest.mark.parametrize("text", ["", " \n\t", "...", "?!", "\x00", "\ud800", "'''", "_-_", "——", "$", "++"])
def test_text_without_words_has_no_terms(text: str) -> None:
    assert tokenize(text) == []
    assert identifiers(text) == []


def test_a_joined_number_and_character_is_not_taken_from_a_code() -> None:
    assert tokenize("ORD-5的") == ["ord-5", "ord", "5"]


@given(st.one_of(ANY_TEXT, CODE_LIKE))
def test_any_text_gives_bounded_nonempty_terms_and_always_the_same(text: str) -> None:
    terms = tokenize(text)
    assert terms == tokenize(text)
    assert all(0 < len(term) <= LONGEST_TERM * 3 for term in terms)


@given(st.one_of(ANY_TEXT, CODE_LIKE))
def test_identifiers_are_distinct_terms_of_the_text(text: str) -> None:
    codes = identifiers(text)
    assert len(codes) == len(set(codes))
    assert set(codes) <= set(tokenize(text))


@given(CODE_LIKE, CODE_LIKE)
def test_terms_do_not_depend_on_what_stands_on_another_line(first: str, second: str) -> None:
    together = tokenize(f"{first}\nanchor\n{second}")
    assert together.count("anchor") == 1 + tokenize(f"cat {first}").count("anchor") + tokenize(f"cat {second}").count(
        "anchor"
    )
    assert set(identifiers(first)) | set(identifiers(second)) == set(identifiers(f"{first}\nanchor\n{second}"))


LONG_TEXTS = {
    "a word": "a" * 200_000,
    "a compound": "a-" * 100_000,
    "dots": "a..b" * 50_000,
    "accents": "a" + "\u0301\u0323" * 100_000,
    "Chinese": "订" * 200_000,
    "schemes": "http://" * 30_000,
    "thousands": "1,000" * 40_000,
    "humps": "aA1" * 70_000,
    "quotes": "'" * 200_000,
    "noise": "\x00\ud800" * 100_000,
}


@pytest.mark.parametrize("kind", LONG_TEXTS)
def test_a_long_text_of_anything_is_read(kind: str) -> None:
    text = LONG_TEXTS[kind]
    assert set(identifiers(text)) <= set(tokenize(text))


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("ERR_0x9941 and 0x9941", ["err_0x9941", "0x9941"]),
        ("JIRA-10, JIRA-10, JIRA-100.", ["jira-10", "jira-100"]),
        ("call getUserId() in user_service", ["getuserid", "user_service"]),
        ("node.js on 10.0.3.4 v1.2", ["node.js", "10.0.3.4", "v1.2"]),
        ("C++ or C# or .NET", ["c++", "c#", ".net"]),
        ("bob@mail.org", ["bob@mail.org", "mail.org"]),
        ("src/app/main.py", ["src/app/main.py", "main.py"]),
        ("https://docs.org/x", ["https://docs.org/x", "docs.org/x", "docs.org"]),
        ("工单JIRA-10的状态", ["jira-10"]),
        ("заказ-12345", ["заказ-12345"]),
        ("20241105 and 9941", ["20241105", "9941"]),
        ("phone 138-0013-8000", ["138-0013-8000"]),
        ("GPT-4 on iPhone15", ["gpt-4", "iphone15"]),
        ("in 2024, 2019-2020, 2024-11-05, 2024/11/05 at 10:30", []),
        ("$3,000, 500k, 50%, 3.5 km, 5km, 1st, 2nd, 1990s, 123", []),
        ("a 19-year-old, well-known, e.g. and/or U.S. works.Then", []),
        ("McCartney saw YouTube and eBay; NASA too", []),
        ("50万元", []),
    ],
)
def test_identifiers_are_codes_and_not_quantities_or_names(text: str, codes: list[str]) -> None:
    assert identifiers(text) == codes


class Callable:
    def __call__(self, text: str) -> list[str]:
        return text.split()


class Named(Callable):
    name = "mine/3"


class Misnamed(Callable):
    name = 3


def test_a_tokenizer_is_named_by_itself_or_by_where_it_was_defined() -> None:
    assert tokenizer_name(tokenize) == DEFAULT_TOKENIZER_NAME == "hybrid/1"
    assert tokenizer_name(Named()) == "mine/3"
    assert tokenizer_name(Misnamed()) == f"{__name__}.Misnamed"
    assert tokenizer_name(str.split) == "builtins.str.split"
