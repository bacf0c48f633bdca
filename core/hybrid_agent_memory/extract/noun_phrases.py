"""Plain noun phrases as objects: ``two standing desks``, 发货太慢, and states such as ``on hold``."""

import re
from functools import cache

from hybrid_agent_memory.extract import Mention
from hybrid_agent_memory.extract.phrases import word_set
from hybrid_agent_memory.extract.scanning import has_han

_LONGEST_PHRASE = 60
_LONGEST_CLAUSE = 80
_CLAUSE_WORDS = word_set("""
    that who which because but so if when where is are was were be been has have had will would can could
    should did does do it they he she we i you them him me us himself herself themselves everything something
    anything nothing someone one ones theirs mine yours ours it's that's why how what there here to ordered
    bought cancelled canceled complained confirmed paid delivered said says owns leads manages
""")
_NO_PHRASE_END = word_set("""
    of in on at for from to with by and or the a an as than about
""")
_NO_PHRASE_START = word_set("""
    not no to this these those all by in on at from for with as out off up down over into onto about of and or
    than through
""")


def noun_phrase(words: str, *, state: bool) -> Mention | None:
    """A plain noun phrase without its article; where a `state` may stand, also one such as ``on hold``.

    Examples
    --------
    >>> noun_phrase("the late delivery", state=False), noun_phrase("that it was late", state=False)
    (Mention(name='late delivery', type='other'), None)
    >>> noun_phrase("on hold", state=True)
    Mention(name='on hold', type='other')
    """
    while article := _article().match(words):
        words = words[article.end() :].lstrip()
    words = words.rstrip(" .!！")
    if not 1 < len(words) <= _LONGEST_PHRASE:
        return None
    if has_han(words):
        good = _is_chinese_phrase(words)
    else:
        good = _is_english_phrase(words) or (state and _state().fullmatch(words) is not None)
    return Mention(words, "other") if good else None


def clause_beginning(words: str) -> Mention | None:
    """What a clause says, up to its first comma or at most 80 characters.

    Examples
    --------
    >>> clause_beginning("the box was torn, and nobody came")
    Mention(name='the box was torn', type='other')
    """
    words = _clause_mark().split(words, maxsplit=1)[0].rstrip(" .!！。")
    if len(words) > _LONGEST_CLAUSE:
        words = words[:_LONGEST_CLAUSE].rpartition(" ")[0] or words[:_LONGEST_CLAUSE]
    return Mention(words, "other") if len(words) > 1 else None


def is_obstacle(words: str) -> bool:
    """Whether a plain noun phrase can keep work waiting; what is stuck in a door is no work."""
    return not has_han(words) or _obstacle().search(words) is not None


def _is_english_phrase(words: str) -> bool:
    parts = [part.lower() for part in _english_word().findall(words)]
    if not parts or len(parts) > 10 or not {",", ";", "("}.isdisjoint(words):
        return False
    return _CLAUSE_WORDS.isdisjoint(parts) and parts[-1] not in _NO_PHRASE_END and parts[0] not in _NO_PHRASE_START


def _is_chinese_phrase(words: str) -> bool:
    return len(words) <= 24 and not _no_chinese_phrase().search(words) and words[0] not in "不没未无也就还都和与"


@cache
def _article() -> re.Pattern[str]:
    return re.compile(
        r"(?:the|a|an|another|some|his|her|their|our|its|one)\s+|(?:一(?:个|次|场|家|位|名|门|台|份|套|款|种|条|件|张|部|间|辆|批|项|"
        r"只|些|本|笔)|了|过|那个|这个|该|其|些)",
        re.IGNORECASE,
    )


@cache
def _no_chinese_phrase() -> re.Pattern[str]:
    return re.compile(
        r"[，。；！？、“”\"「」:：\n]|[我你您他她它谁]|大家|没问题|这(?!边)|那(?!边)|因为|所以|但是|以及|如何|是|"
        r"[^合吞归火兼]并(?![购发行联])|"
        r"^[一二两三四五六七八九十几\d多]+(?:次|遍|回|下|天|个月|年|小时|周)$|^(?:后(?![台端])|前(?![台端])|"
        r"[的时得着中里等完到过])"
    )


@cache
def _english_word() -> re.Pattern[str]:
    return re.compile(r"[\w'’./&+#-]+")


@cache
def _state() -> re.Pattern[str]:
    return re.compile(
        r"(?:on|in|at|under|off|behind|ahead of|out of|out for|past|over|below|up for|up to|back on|back in|still in|"
        r"still on)\s(?!(?:the|a|an|his|her|their|our|my|its|this|that|all|it|them)\b)"
        r"[a-z][a-z-]{2,20}(?:\s[a-z-]{2,20})?"
    )


@cache
def _clause_mark() -> re.Pattern[str]:
    return re.compile(r"[,;:](?!\d)|[，；：]|\n")


@cache
def _obstacle() -> re.Pattern[str]:
    return re.compile(
        "(?:审[核批查计]|评审|流程|测试|验收|合规|预算|接口|依赖|故障|问题|缺陷|环境|权限|资源|合同|法务|采购|手续|资质|漏洞|授权|"
        "许可|认证|备案|排期|需求|数据|迁移|升级)$"
    )
