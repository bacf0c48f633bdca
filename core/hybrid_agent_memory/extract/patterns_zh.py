"""Chinese wordings as regular expressions over one clause, with groups ``x`` (subject) and ``y`` (object).

Dates are taken out of a clause before it is matched; slots are bounded, and a clause has to match from end to end.
"""

import re
from collections.abc import Iterator
from functools import cache

from hybrid_agent_memory.extract.vocabulary import Predicate

_SLOT = re.compile(r"(?<![A-Za-z])([XY])!?(?![A-Za-z])")
_X = r"(?P<x>[^，。；：:]{1,40}?)"
_Y = r"(?P<y>\S.{0,59}?)"
_ADVERBS = (
    r"(?:目前|现在|现已|现|已经|已|最近|近日|又|再次|都|也|还|刚刚|刚才|刚|正式|仍然|仍|一直|于|在|将于|将|即将|上午|下午|晚上|来|直接|全面|"
    r"专门|亲自|终于|后来|即日|统一|暂时|主要|具体|全权|\s)*"
)
_MODIFIERS = "(?:新的?|最新的?|总的?|年度|当前的?|目前的?|现在的?|现在|目前|整体|本期|全年|唯一|个人|工作|常用)*"
_BECOMES = (
    "改为|改成|改到|变为|变成|变更为|调整为|调整到|调到|调至|涨到|涨至|涨为|升到|升至|提高到|提高至|提升到|提升至|增加到|增加至|增至|追加到|追加至|加到|"
    "上调到|上调至|降到|降至|降为|减到|减至|砍到|下调到|下调至|压缩到|定为|定在|更新为|更新成|更换为|换成|换为|延期到|延期至|延到|推迟到|推迟至|提前到|提前至|转为"
)
_FROM = r"(?:(?:从|由)[^，。；]{1,16}?)?"
_IS = rf"\s*(?:是在|就是|是|为|：|:|=|＝|叫做|叫|有|在|共计|共|一共|总共|达到|达|(?:{_BECOMES})了?)\s*"
_CHANGED = rf"\s*{_ADVERBS}{_FROM}{_ADVERBS}(?:{_BECOMES})了?\s*"
_END = r"(?:了|啦|呢|哦|喔|哈|呀|啊|左右|以内|上下|整)*"


def anchor(phrase: str) -> str:
    """The part of a phrase that a text must have before the phrase is looked for: its longest."""
    parts = re.findall(r"[\u4e00-\u9fff]+", phrase.replace("的", " "))
    return max(parts, key=lambda part: (len(part), part not in "我是叫"), default=phrase)


def is_clause(phrase: str) -> bool:
    """Whether a phrase is a clause with its own slots, not a noun."""
    return len(set(_SLOT.findall(phrase))) == 2


@cache
def compile_phrase(phrase: str, predicate: Predicate) -> tuple[re.Pattern[str], ...]:
    """The clauses that a phrase stands for; in the order in which they are to be tried."""
    sources = _clause(phrase, predicate) if is_clause(phrase) else _noun_clauses(phrase, predicate)
    return tuple(re.compile(source, re.IGNORECASE) for source in sources)


def _clause(phrase: str, predicate: Predicate) -> Iterator[str]:
    pieces = _SLOT.split(phrase)
    parts = [(_X if piece == "X" else _Y) if at % 2 else _literal(piece, predicate) for at, piece in enumerate(pieces)]
    source = "".join(parts)
    if phrase.startswith("X"):
        source = source.replace(_X, f"(?:{_X})?", 1)
    yield source + ("" if predicate.kind == "event" else _END)


def _literal(text: str, predicate: Predicate) -> str:
    if not text:
        return ""
    if "…" in text:
        before, _, after = text.partition("…")
        return _literal(before, predicate) + "[^，。；：:]{1,20}?" + _literal(after, predicate)
    aspect = "(?:过了|了|过)?" if predicate.kind == "event" and text[-1] not in "了过" else ""
    return rf"\s*{_ADVERBS}{re.escape(text)}{aspect}\s*"


def _noun_clauses(noun: str, predicate: Predicate) -> Iterator[str]:
    noun = _MODIFIERS + re.escape(noun)
    of = r"\s*(?:的|之)?\s*"
    yield rf"(?:{_X}{of})?{noun}{_ADVERBS}{_IS}{_Y}{_END}"
    yield rf"(?:{_X}{of})?{noun}{_CHANGED}{_Y}{_END}"
    if "amount" in predicate.objects or predicate.shape:
        yield rf"(?:{_X}{of})?{noun}\s*(?:约|共)?{_Y}{_END}"
    if "person" in predicate.objects and not predicate.shape:
        yield rf"{_Y}{_ADVERBS}(?:是|为|任|担任|出任|成为|当选|接任)\s*{_X}{of}{noun}{_END}"
        yield rf"(?:{_X}{of})?{noun}{_ADVERBS}由{_Y}(?:担任|出任|兼任|接任){_END}"
