"""What the place of a name in a fact tells of its type: who reports to somebody, or owns something, is a person."""

import re
from collections.abc import Sequence
from functools import cache

from hybrid_agent_memory.extract import EntityType, Mention
from hybrid_agent_memory.extract.common_words import (
    common_words,
    company_words,
    connectors,
    honorifics,
    institution_words,
    is_given_name,
    kinds_of_entities,
    place_words,
    roles,
)
from hybrid_agent_memory.extract.phrases import word_set

_MOST_WORDS = 4


def in_role(mention: Mention, types: Sequence[EntityType]) -> Mention:
    """The mention with the type that its place tells; of unknown type still if that leaves a doubt.

    Parameters
    ----------
    mention : Mention
    types : sequence of str
        What may stand there. Where persons come first, a name that could be a person's is one; where organisations may
        stand as well, only one of two words or more.

    Examples
    --------
    >>> parties = ("person", "organisation", "name")
    >>> [in_role(Mention(name), parties).type for name in ("Ada Okafor", "Acme", "Tarnow Optics")]
    ['person', 'name', 'name']
    >>> in_role(Mention("Okafor"), ("person", "name")).type
    'person'
    """
    if mention.type != "name" or tuple(types[:1]) != ("person",):
        return mention
    fits = could_be_person(mention.name, alone="organisation" not in types)
    return Mention(mention.name, "person") if fits else mention


def as_twins(one: Mention, other: Mention) -> tuple[Mention, Mention]:
    """Two names of one thing: a type known of one is the other's too.

    Examples
    --------
    >>> as_twins(Mention("Elena", "person"), Mention("Lena"))[1]
    Mention(name='Lena', type='person')
    """
    if one.type == "name" != other.type:
        return Mention(one.name, other.type), other
    if other.type == "name" != one.type:
        return one, Mention(other.name, one.type)
    return one, other


def are_of_one_shape(one: Mention, other: Mention) -> bool:
    """Whether two names could be an old and a new one of the same thing, where little else says so.

    Their types agree, both are in one script, of one word or of more, and those of a person have a word in common.

    Examples
    --------
    >>> okafor = Mention("Ada Okafor", "person")
    >>> [are_of_one_shape(okafor, Mention(name)) for name in ("Ada Lind", "Ada", "Eva Lind", "Sales Director")]
    [True, False, False, False]
    """
    if one.type != other.type and "name" not in (one.type, other.type):
        return False
    if one.name.isascii() != other.name.isascii() or (" " in one.name) != (" " in other.name):
        return False
    personal = [_is_personal(mention) for mention in (one, other)]
    shared = set(one.name.lower().split()) & set(other.name.lower().split())
    return bool(shared) or (personal == [False, False] and {one.type, other.type} <= {"name", "organisation"})


def _is_personal(mention: Mention) -> bool:
    return mention.type == "person" or could_be_person(mention.name, alone=False)


def could_be_person(name: str, *, alone: bool) -> bool:
    """Whether a name is written as those of persons are, and unlike those of companies.

    Parameters
    ----------
    name : str
    alone : bool
        Whether a single word, or Chinese characters, will do.
    """
    if _han().fullmatch(name):
        return alone and not name.endswith(tuple(_ZH_GROUP_ENDINGS))
    if not _written().fullmatch(name) or not all(word[0].isupper() or word in connectors() for word in name.split()):
        return False
    words = [word.rstrip(".").lower() for word in name.split()]
    if len(words) > _MOST_WORDS or (not name.isupper() and _shortened().search(name)):
        return False
    if words[0] in honorifics() or (len(words) == 1 and is_given_name(words[0])):
        return True
    if len(words) == 1:
        return alone and not name.isupper() and not _is_plain(words[0])
    if _is_of_company(words[-1]):
        return False
    return is_given_name(words[0]) or not any(_is_plain(word) for word in words if word not in connectors())


@cache
def _shortened() -> re.Pattern[str]:
    """A word in capitals behind another: Stripe API."""
    return re.compile(r" [A-Z]{2,}$")


def _is_of_company(word: str) -> bool:
    return any(
        form in words
        for form in (word, word.removesuffix("s"))
        for words in (company_words(), institution_words(), place_words(), _TRADES)
    )


def _is_plain(word: str) -> bool:
    """Whether a word means something, so that it rather names a thing."""
    return any(
        form in words
        for form in (word, word.removesuffix("s"))
        for words in (common_words(), kinds_of_entities(), roles(), company_words(), institution_words(), _TRADES)
    )


_TRADES = word_set("""
    food cafe toy tile hotel bike optics clinic law print tea spa bakery brewery coffee garden kitchen logistics
    freight shipping transport express media press publishing energy power electric electronics motors software
    data cloud digital robotics dynamics biotech pharma health medical care dental fitness fashion furniture homes
    interiors build construction builders steel metals mining oil gas solar water farm farms dairy wine vineyards
    sport sports travel tours trading supply supplies services solutions consulting advisory capital finance
    financial insurance invest investment properties estates realty design creative agency games gaming mobile
    telecom networks security analytics international global worldwide brothers sons associates collective works
    workshop factory mills foundry outfitters goods market mart shop store outlet depot warehouse team group squad
    project programme program initiative service platform division department desk board office crew unit
""")
_ZH_GROUP_ENDINGS = word_set("""
    部 组 队 公司 集团 团队 部门 科技 物流 中心 项目 系统 平台 银行 医院 学校 大学 厂 店 局 处 院 所 社 会
""")


@cache
def _han() -> re.Pattern[str]:
    return re.compile(r"[\u3400-\u9fff]{2,4}")


@cache
def _written() -> re.Pattern[str]:
    """Words of letters."""
    word = r"[^\W\d_]+(?:[-'’][^\W\d_]+)*\.?"
    return re.compile(rf"{word}(?:\s{word})*")
