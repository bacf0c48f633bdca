"""Names in comparison form, and what the name of a person tells."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybrid_agent_memory.graph.names import Name, name_key, person_form, plain
from hybrid_agent_memory.graph.surnames import COMPOUND, SINGLE, pinyin_rank, split_surname


@given(st.text())
def test_the_key_of_a_key_is_the_key(name: str) -> None:
    assert name_key(name_key(name)) == name_key(name)


@given(st.text())
def test_a_key_is_empty_only_if_the_name_is_blank(name: str) -> None:
    assert bool(name_key(name)) == bool(name.strip())


@given(st.text(st.sampled_from("The a's Inc.,Ltd公司有限 (AB)“”é'’?Mr-&项目"), max_size=24))
def test_the_same_holds_for_names_full_of_what_is_left_out(name: str) -> None:
    key = name_key(name)
    assert name_key(key) == key
    assert bool(key) == bool(name.strip())
    assert plain(plain(key)) == plain(key)


@given(st.text())
def test_any_text_can_be_asked_whether_it_names_a_person(name: str) -> None:
    form = person_form(name)
    if form is not None:
        assert form.bare
        assert form.surname or form.given
        assert person_form(name_key(name)) == form


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Acme", "acme"),
        ("ＡＣＭＥ", "acme"),
        ("  Acme \n Robotics ", "acme robotics"),
        ("the Acme Robotics Co., Ltd.", "acme robotics"),
        ("Acme, Inc", "acme"),
        ("Acme GmbH", "acme"),
        ("Salt & Co.", "salt"),
        ("张 总", "张总"),
        ("Alice's", "alice"),
        ("“Alice’s”", "alice"),
        ("James'", "james"),
        ("Mr. Zhang", "mr zhang"),
        ("(Acme)", "acme"),
        ("Acme (UK)", "acme uk"),
        ("No, No, Nanette (1930 film)", "no no nanette 1930 film"),
        ("Yohan: The Child Wanderer", "yohan the child wanderer"),
        ("Angela’s Ashes", "angela ashes"),
        ("rock 'n' roll", "rock n roll"),
        ("10:30", "10:30"),
        ("3,000 miles", "3,000 miles"),
        ("Procter & Gamble", "procter and gamble"),
        ("&", "and"),
        ("R&D", "r&d"),
        ("Project Atlas", "atlas"),
        ("the Atlas project", "atlas"),
        ("双层码头项目", "双层码头"),
        ("Atlas 项目", "atlas"),
        ("重点项目", "重点项目"),
        ("A项目", "a项目"),
        ("Project X", "project x"),
        ("project manager", "project manager"),
        ("our last project", "our last project"),
        ("project", "project"),
        ("项目", "项目"),
        ("《三体》", "三体"),
        ("a refund", "refund"),
        ("an order", "order"),
        ("An Li", "an li"),
        ("The", "the"),
        ("Inc", "inc"),
        ("公司", "公司"),
        ("华为技术有限公司", "华为技术"),
        ("腾讯公司", "腾讯"),
        ("上海分公司", "上海分公司"),
        ("C#", "c#"),
        (".NET", ".net"),
        ("$500k", "$500k"),
        ("ERR_0x9941", "err_0x9941"),
        ("Café", "café"),
        ("Straße", "strasse"),
        ("zero\u200bwidth", "zerowidth"),
        ("   ", ""),
        ("", ""),
    ],
)
def test_comparison_forms(name: str, key: str) -> None:
    assert name_key(name) == key


def test_a_text_instead_of_a_name_is_compared_as_it_is() -> None:
    assert name_key("Ab" + "!" * 100_000) == "ab" + "!" * 100_000


def test_plain_letters_lose_accents_and_nothing_else() -> None:
    assert plain("josé garcía") == "jose garcia"
    assert plain("ガ") == "ガ"
    assert plain("й") == "й"


@pytest.mark.parametrize(
    ("name", "surname", "gender"),
    [
        ("张先生", "zhang", "m"),
        ("張女士", "zhang", "f"),
        ("张总", "zhang", None),
        ("张某", "zhang", None),
        ("张某某", "zhang", None),
        ("张总经理", "zhang", None),
        ("张工", "zhang", None),
        ("老张", "zhang", None),
        ("小张", "zhang", None),
        ("欧阳老师", "ouyang", None),
        ("Mr. Zhang", "zhang", "m"),
        ("Mr Zhang", "zhang", "m"),
        ("Ms Zhang", "zhang", "f"),
        ("MRS. SMITH", "smith", "f"),
        ("Dr. Smith", "smith", None),
        ("Mr. Lü", "lu", "m"),
        ("Mr. 张", "zhang", "m"),
        ("Prof. Dr. Smith", "smith", None),
        ("Lao Zhang", "zhang", None),
        ("吕先生", "lu", "m"),
    ],
)
def test_short_forms(name: str, surname: str, gender: str | None) -> None:
    form = person_form(name)
    assert form is not None
    assert (form.surname, form.given, form.gender, form.short) == (surname, None, gender, True)


@pytest.mark.parametrize(
    ("name", "surname", "given_name"),
    [
        ("张伟", "zhang", "伟"),
        ("张伟先生", "zhang", "伟"),
        ("欧阳娜娜", "ouyang", "娜娜"),
        ("钟点工", "zhong", "点工"),
        ("Zhang Wei", "zhang", "wei"),
        ("Wei Zhang", "zhang", "wei"),
        ("Xiaoming Li", "li", "xiaoming"),
        ("Zhang Xiao-Ming", "zhang", "xiao-ming"),
        ("Alice Zhang", "zhang", "alice"),
        ("Han Solo", "solo", "han"),
        ("Alice Smith", "smith", "alice"),
        ("Mr. John Smith", "smith", "john"),
        ("Vincent van Gogh", "gogh", "vincent van"),
        ("José García", "garcia", "jose"),
        ("约翰·史密斯", "史密斯", "约翰"),
        ("J. Smith", "smith", "j"),
        ("John Smith Jr.", "smith", "john jr"),
    ],
)
def test_full_names(name: str, surname: str, given_name: str) -> None:
    form = person_form(name)
    assert form is not None
    assert (form.surname, form.given, form.short) == (surname, given_name, False)


@pytest.mark.parametrize(("name", "given_name"), [("Bob", "bob"), ("建国", "建国"), ("O'Neil", "o'neil")])
def test_given_names_alone(name: str, given_name: str) -> None:
    form = person_form(name)
    assert form is not None
    assert (form.surname, form.given, form.short) == (None, given_name, True)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "张",
        "张太太",
        "王夫人",
        "客服经理",
        "阿里巴巴",
        "ERR_0x9941",
        "Room 12",
        "Alice and Bob",
        "one two three four five six",
        "mr",
        "2024年",
        "C++",
    ],
)
def test_what_is_no_name_of_a_person(name: str) -> None:
    assert person_form(name) is None


@pytest.mark.parametrize(
    ("name", "gender"),
    [
        ("张丽", "f"),
        ("张强", "m"),
        ("张伟", None),
        ("John Smith", "m"),
        ("Alice Smith", "f"),
        ("Kim Smith", None),
        ("Mr. Alice", "m"),
    ],
)
def test_gender_by_given_name_or_title(name: str, gender: str | None) -> None:
    form = person_form(name)
    assert form is not None
    assert form.gender == gender


def test_every_surname_is_found_by_its_characters_and_its_pinyin() -> None:
    entries = (SINGLE + COMPOUND).split()
    assert len({entry[:2] for entry in entries}) == len(entries)
    for entry in entries:
        character = "".join(letter for letter in entry if not letter.isascii())
        pinyin = entry.removeprefix(character)
        assert split_surname(f"{character}伟") == (character, pinyin, "伟")
        assert pinyin_rank(pinyin) is not None


def test_names_are_ordered_and_built_from_what_is_written() -> None:
    assert Name.of("The Acme Inc.", "organisation") == Name("acme", "organisation")
    assert sorted([Name("b", "a"), Name("a", "b")]) == [Name("a", "b"), Name("b", "a")]
