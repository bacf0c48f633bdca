"""Names as they are compared, and what the name of a person tells: surname, given name, gender, title.

``张先生``, ``张总``, ``老张``, ``Mr. Zhang`` and ``张伟`` share a surname; whether they are one person is for
`hybrid_agent_memory.graph.resolution` to decide.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import takewhile
from typing import Self

from hybrid_agent_memory.graph.given_names import Gender, english_gender, han_gender
from hybrid_agent_memory.graph.surnames import LATIN_VARIANTS, pinyin_rank, split_surname


@dataclass(frozen=True, slots=True, order=True)
class Name:
    """The unit of resolution: a name's comparison form and the type its mentions have.

    Attributes
    ----------
    key : str
        As `name_key` gives it.
    type : str
        A type of entity, such as ``"person"``; ``"name"`` and ``"other"`` mean that it is unknown.
    """

    key: str
    type: str

    @classmethod
    def of(cls, name: str, type: str = "name") -> Self:  # noqa: A002  (the field's name)
        """A name as written, of that type."""
        return cls(name_key(name), type)


UNKNOWN_TYPES = frozenset({"name", "other"})
"""Types of names that do not say what it is the name of."""

_LONGEST_NAME = 300  # characters; what is longer is a text, and only its letters are compared
_HAN = "\u3400-\u4dbf\u4e00-\u9fff"
_REPLACED = {
    **dict.fromkeys(map(ord, "\u00ad\u200b\u200e\u200f\u2060\ufeff")),  # invisible
    **dict.fromkeys(map(ord, "\u2018\u2019\u02bc`´"), "'"),
}
_OPENING = "\"'“„«‹「『《〈【〔([{<*¿¡"
_CLOSING = "\"'”“»›」』》〉】〕)]}>*,.;:!?、。，；：！？…"
_DASHES = " \u2013\u2014\u2015"
_PAIRS = {")": "(", "]": "[", "}": "{", ">": "<"}
_COMPANIES = (
    "inc incorporated ltd limited llc llp lp plc corp corporation co company gmbh ag kg bv nv srl sarl oyj pty pte kk"
)
_COMPANY_WORDS = frozenset(_COMPANIES.split())
LEFT_OUT = _COMPANY_WORDS | {"project"}
"""English words that `name_key` may leave out."""
_COMPANY_ENDINGS = ("股份有限公司", "有限责任公司", "有限公司", "公司", "株式会社", "株式會社")
_BRANCHES = "分子母总"  # 分公司 and the like are another thing than the company
_REMEMBERED = 1 << 14  # names; the same ones come again and again
_NO_PROJECT = """
a all an and any best big charter code current customer description director each every final first for former goal
goals group her his id in internal joint key kickoff large last lead leader leads main management manager managers my
name new next number of office old on open other our overview owner pilot plan plans previous real report research
same scope second side single small software special sponsor status summary team test that the their third this
timeline to update updates whole with work your
"""
"""What stands beside the word ``project`` without naming one."""
_NO_PROJECT_HAN = """
这个 那个 一个 整个 重点 大型 小型 相关 其他 其它 主要 我们 你们 他们 客户 公司 研发 开发 科研 建设 工程 投资 合作 试点
创新 服务 管理 培训 测试 技术 产品 软件 目前 当前 所有 全部 多个 两个 几个 新增 上述 以上
"""


def name_key(name: str) -> str:
    """The comparison form of a name: two spellings of one name give the same key.

    NFKC, casefolded, spaces collapsed, and none beside a Chinese character; possessives, quotes, brackets and
    punctuation at the edges of words, a leading article, company suffixes (``Inc``, ``Ltd``, ``有限公司``…) and the
    word ``project`` or ``项目`` beside a name are left out, except where nothing else would remain; ``&`` is ``and``.
    Accents, digits and the signs of ``C++``, ``C#`` and ``.NET`` are kept.

    Returns
    -------
    str
        Empty only if `name` is blank. The key of a key is the key itself.

    Examples
    --------
    >>> name_key("the Acme Robotics Co., Ltd."), name_key("“Alice’s”"), name_key("华为技术有限公司")
    ('acme robotics', 'alice', '华为技术')
    >>> name_key("Project Atlas"), name_key("双层码头项目"), name_key("Dance, Fools, Dance (1931 film)")
    ('atlas', '双层码头', 'dance fools dance 1931 film')
    >>> name_key("客户 A"), name_key("客户A"), name_key("Project 云仓")
    ('客户a', '客户a', '云仓')
    """
    return _key(name)


@lru_cache(maxsize=_REMEMBERED)
def _key(name: str) -> str:
    whole = key = _folded(name)
    while len(key) <= _LONGEST_NAME and (shorter := _without_wrapping(key)) != key and shorter:
        key = shorter
    return key or whole or name.strip()


def _folded(text: str) -> str:
    while (folded := _folded_once(text)) != text:
        text = folded
    return text


def _folded_once(text: str) -> str:
    letters = " ".join(unicodedata.normalize("NFKC", text).casefold().translate(_REPLACED).split())
    if len(letters) <= _LONGEST_NAME:
        letters = _ampersand().sub("and", " ".join(_inner_marks().sub(" ", letters).split()) or letters)
    return _han_gap().sub("", letters)


@cache
def _han_gap() -> re.Pattern[str]:
    return re.compile(f"(?<=[{_HAN}]) (?=[{_HAN}a-z0-9])|(?<=[a-z0-9]) (?=[{_HAN}])")


@cache
def _ampersand() -> re.Pattern[str]:
    return re.compile(r"(?<!\S)&(?!\S)")


@cache
def _inner_marks() -> re.Pattern[str]:
    """Punctuation at the edges of words, which people leave out or writes differently: ``No, No, Nanette``."""
    return re.compile(r"(?:'s|['\"”“,:;!?)])+(?=\s)|(?<=\s)['\"“”(]+")


def _without_wrapping(key: str) -> str:
    """The key with one layer of what does not belong to the name taken off, or unchanged."""
    for peel in (
        _without_punctuation,
        _without_possessive,
        _without_article,
        _without_company_suffix,
        _without_project,
    ):
        peeled = peel(key)
        if peeled and peeled != key:
            return peeled
    return re.sub(r"(?<=[^\W\d_])\.(?= )", "", key)  # "mr. zhang" is "mr zhang"


def _without_punctuation(key: str) -> str:
    key = key.lstrip(_OPENING + _DASHES)
    last = key[-1:]
    if last in _CLOSING + _DASHES and (last not in _PAIRS or key.count(_PAIRS[last]) < key.count(last)):
        return key[:-1].rstrip()
    return key.rstrip()


def _without_possessive(key: str) -> str:
    return key.removesuffix("'s").rstrip()


def _without_article(key: str) -> str:
    article, _, rest = key.partition(" ")
    vowel = rest[:1] in tuple("aeiou")
    dropped = article == "the" or (article == "a" and not vowel) or (article == "an" and vowel)  # "An Li" is a person
    return rest if dropped else key


def _without_company_suffix(key: str) -> str:
    head, _, last = key.rpartition(" ")
    if head and last.replace(".", "") in _COMPANY_WORDS:
        return head.removesuffix(" &").removesuffix(" and")
    for ending in _COMPANY_ENDINGS:
        rest = key.removesuffix(ending).rstrip()
        if rest != key and len(rest) > 1 and rest[-1] not in _BRANCHES:
            return rest
    return key


def _without_project(key: str) -> str:
    if key.endswith("项目"):
        rest = key[:-2].rstrip()
        return rest if len(rest) > 1 and rest not in _no_project() else key
    rest = _project_word().sub("", key)
    named = rest != key and sum(map(str.isalpha, rest)) > 1 and not _no_project().issuperset(rest.split())
    return rest if named else key


@cache
def _project_word() -> re.Pattern[str]:
    return re.compile(rf"^project(?: |(?=[{_HAN}]))|(?: |(?<=[{_HAN}]))project$")


@cache
def _no_project() -> frozenset[str]:
    return frozenset((_NO_PROJECT + _NO_PROJECT_HAN).split())


def plain(key: str) -> str:
    """A key without the accents on its Latin letters: ``josé`` and ``jose`` are one.

    Examples
    --------
    >>> plain("josé garcía"), plain("ガ")
    ('jose garcia', 'ガ')
    """
    if key.isascii():
        return key
    bare = re.sub(r"(?<=[a-z])[\u0300-\u036f]+", "", unicodedata.normalize("NFD", key))
    return unicodedata.normalize("NFC", bare)


@dataclass(frozen=True, slots=True)
class PersonForm:
    """What the name of a person tells.

    Attributes
    ----------
    surname : str or None
        In pinyin if Chinese, else in plain Latin letters; None for a given name alone.
    given : str or None
        None where only the surname is told, as in ``张总``.
    character : str or None
        The surname in simplified characters where the name is written in them: 张 and 章 are both ``zhang``.
    gender : {"m", "f"} or None
        As a title tells it, or else a given name that only men or only women have.
    titled : bool
        Whether a title shows that this is a person.
    bare : str
        The key without the title.
    """

    surname: str | None
    given: str | None
    character: str | None = None
    gender: Gender | None = None
    titled: bool = False
    bare: str = ""

    @property
    def short(self) -> bool:
        """Whether this is less than a full name."""
        return self.surname is None or self.given is None


_LATIN_TITLES: dict[str, Gender | None] = {
    "mr": "m", "mister": "m", "mrs": "f", "ms": "f", "miss": "f", "madam": "f",
    "mx": None, "dr": None, "doctor": None, "prof": None, "professor": None,
}  # fmt: skip
_SUFFIXES = frozenset(["jr", "sr", "ii", "iii", "iv", "phd", "md", "esq"])
_NO_NAMES = frozenset(["and", "or", "of", "the", "for", "to", "in", "on", "at", "with"])
_MALE_TITLES = "先生 男士 大哥 叔叔 伯伯 大爷 爷爷 哥 叔"
_FEMALE_TITLES = "女士 小姐 大姐 阿姨 奶奶 姐 姨"
_ROLES = (
    "总经理 总监 总裁 经理 董事长 老师 教授 博士 医生 大夫 律师 工程师 主任 部长 局长 处长 科长 院长 校长 "
    "书记 市长 省长 主席 老板 师傅 队长 组长 店长 会计 秘书 助理 主管 同学 同志 某某 总 董 工 导 队 某"
)
_SURNAME_ONLY = frozenset(["哥", "叔", "姐", "姨", "总", "董", "工", "某", "某某"])
"""Titles that follow a surname alone: 钟点工 is not the engineer Zhong Dian."""
_SPOUSES = ("太太", "夫人", "嫂", "嫂子")
"""The wife of somebody of that name, so neither that person nor of that surname."""
_NICKNAME_PREFIXES = "老小阿"


@cache
def _chinese_titles() -> dict[str, Gender | None]:
    men: dict[str, Gender | None] = dict.fromkeys(_MALE_TITLES.split(), "m")
    women: dict[str, Gender | None] = dict.fromkeys(_FEMALE_TITLES.split(), "f")
    return men | women | dict.fromkeys(_ROLES.split())


@cache
def _han() -> re.Pattern[str]:
    return re.compile(f"[{_HAN}]+")


@cache
def _syllables() -> re.Pattern[str]:
    finals = (
        "iang|iong|uang|ang|eng|ing|ong|ian|iao|uai|uan"
        "|ai|ei|ui|ao|ou|iu|ie|ue|ve|er|an|en|in|un|ia|ua|uo|a|e|i|u|v|(?<=[bpmfw])o"
    )
    syllable = f"(?:(?:zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw])?(?:{finals}))"
    return re.compile(f"{syllable}(?:['-]?{syllable})?")


def person_form(name: str) -> PersonForm | None:
    """What a name tells if a person has it; None if it cannot be the name of one.

    Whether it *is* a person's name is known from its type, or from a title.

    Examples
    --------
    >>> person_form("张先生")
    PersonForm(surname='zhang', given=None, character='张', gender='m', titled=True, bare='张')
    >>> person_form("Zhang Wei").surname, person_form("Alice Smith").surname, person_form("Bob").given
    ('zhang', 'smith', 'bob')
    """
    return form_of_key(name_key(name))


@lru_cache(maxsize=_REMEMBERED)
def form_of_key(key: str) -> PersonForm | None:
    """`person_form` of a name that is in comparison form already."""
    return _han_form(key) if _han().fullmatch(key) else _spelled_form(plain(key))


def _han_form(key: str) -> PersonForm | None:
    if key.endswith(_SPOUSES):
        return None
    for length in (3, 2, 1):
        title = key[-length:]
        if len(key) > length and title in _chinese_titles():
            return _titled_han_form(key[:-length], title, _chinese_titles()[title])
    if len(key) == 2 and key[0] in _NICKNAME_PREFIXES and (split := split_surname(key[1:])):
        return PersonForm(split[1], None, split[0], bare=split[0])
    return _bare_han_form(key)


def _titled_han_form(rest: str, title: str, gender: Gender | None) -> PersonForm | None:
    split = split_surname(rest)
    if split is None:
        return None
    character, pinyin, given = split
    if not given:
        return PersonForm(pinyin, None, character, gender, True, character)
    if title in _SURNAME_ONLY:
        return _bare_han_form(rest + title)
    return PersonForm(pinyin, given, character, gender or han_gender(given), True, rest) if len(given) <= 2 else None


def _bare_han_form(key: str) -> PersonForm | None:
    split = split_surname(key)
    if split is not None and 1 <= len(split[2]) <= 2:
        return PersonForm(split[1], split[2], split[0], han_gender(split[2]), bare=key)
    return PersonForm(None, key, bare=key) if len(key) == 2 and split is None else None


def _spelled_form(key: str) -> PersonForm | None:
    words = re.split(r"[ ·・]", key)
    titles = list(takewhile(_LATIN_TITLES.__contains__, words))
    words = words[len(titles) :]
    if not 1 <= len(words) <= 5 or not all(map(_is_name_word, words)):
        return None
    gender = next((_LATIN_TITLES[title] for title in titles if _LATIN_TITLES[title]), None)
    if len(words) == 1 or (len(words) == 2 and words[0] == "lao" and pinyin_rank(words[1])):  # Lao Zhang is 老张
        return _spelled_short_form(words, gender, bool(titles))
    surname, given = _surname_and_given(words)
    gender = gender or english_gender(given[0])
    return PersonForm(_pinyin_of(surname), " ".join(given), None, gender, bool(titles), " ".join(words))


def _spelled_short_form(words: list[str], gender: Gender | None, titled: bool) -> PersonForm:
    word = words[-1]
    if not titled and len(words) == 1:
        return PersonForm(None, word, bare=word)
    character, pinyin, rest = split_surname(word) or (None, _pinyin_of(word), "")  # "Mr. 张"
    return PersonForm(pinyin, rest or None, character, gender, titled, word)


def _surname_and_given(words: list[str]) -> tuple[str, list[str]]:
    if _surname_first(words):
        return words[0], words[1:]
    last = len(words) - 1
    while last > 1 and words[last] in _SUFFIXES:
        last -= 1
    return words[last], words[:last] + words[last + 1 :]


def _is_name_word(word: str) -> bool:
    letters = word.replace("-", "").replace("'", "").replace(".", "")
    return letters.isalpha() and word not in _NO_NAMES


def _pinyin_of(word: str) -> str:
    return LATIN_VARIANTS.get(word, word)


def _surname_first(words: list[str]) -> bool:
    """Whether a spelled name is Chinese with the surname first; of two possible surnames the commoner one is it."""
    first, last = pinyin_rank(words[0]), pinyin_rank(words[-1])
    if first is None or not all(_syllables().fullmatch(word) for word in words[1:]):
        return False
    return last is None or first <= last


def person_words(form: PersonForm) -> frozenset[str]:
    """The words of a person's name by which a given name alone may mean it; initials are none."""
    words = form.bare.split(" ") if form.character is None else [form.given or ""]
    return frozenset(word for word in words if len(word) > 1)
