"""How Chinese clauses are worded around the verbs and nouns of a vocabulary.

Dates and adverbs of two characters are taken out of a clause before it is matched; a clause has to fit from end to end.
"""

import re
from collections.abc import Iterator
from functools import cache

from hybrid_agent_memory.extract.phrases import Fit, Phrase, Span, fits, parse, shifted
from hybrid_agent_memory.extract.predicates import Predicate

_ADVERBS = (
    "(?:已|又|再|都|也|还|刚|仍|现|于|在|将|正|来|直接|全面|专门|亲自|统一|暂时|主要|具体|全权|再次|上午|下午|晚上|\\s)"
)
_MODIFIERS = "(?:新的?|最新的?|总的?|年度|当前的?|整体|本期|全年|唯一|个人|工作|常用)*"
_BECOMES = (
    "改为|改成|改到|变为|变成|变更为|调整为|调整到|调到|调至|涨到|涨至|涨为|升到|升至|提高到|提高至|提升到|提升至|"
    "增加到|增加至|增至|追加到|追加至|加到|"
    "上调到|上调至|上调为|降到|降至|降为|降低到|降低至|减到|减至|减为|减少到|减少至|削减到|削减至|缩减到|缩减至|砍到|砍至|"
    "下调到|下调至|下调为|压缩到|压缩至|压到|压至|调低到|调低至|调高到|调高至|调升到|调降到|提到|设为|设定为|设在|"
    "定为|定在|更新为|更新成|更换为|换成|换为|"
    "延期到|延期至|延到|推迟到|推迟至|提前到|提前至|转为"
)
_FROM = "(?:(?:从|由)[^，。；]{1,16}?)?"
_IS = f"(?:是在|就是|是|为|：|:|=|＝|叫做|叫|有|在|共计|共|一共|总共|达到|达|(?:{_BECOMES})了?)"
_X = "(?P<x>[^，。；：:]{1,40}?)"
_Y = r"(?P<y>\S.{0,59}?)"
_END = r"(?:了|啦|呢|哦|喔|哈|呀|啊|左右|上下|整|\s)*"


def anchor(phrase: str) -> str:
    """The part of a phrase that a text must have before the phrase is looked for: its longest."""
    parts = re.findall(r"[\u4e00-\u9fff]+", phrase.replace("的", " "))
    return max(parts, key=lambda part: (len(part), part not in "我是叫"), default="")


def clause_fits(clause: str, low: str, words: str, predicate: Predicate) -> Iterator[Fit]:
    """Where a phrase with slots fits a clause; `clause` and `low` have a space before and behind."""
    phrase = parse(words)
    if phrase is None:
        return
    found = _before_date(low[1:], phrase) if phrase.between == " " else fits(low[1:], phrase, phrase.between.lower())
    for first, second in found:
        left = (first[0] + 1, first[1] + 1)
        right = _ended(clause, (second[0] + 1, second[1] + 1), phrase.behind, predicate)
        if right is None:
            continue
        for head in _without_adverbs(clause, left):
            x, y = (head, right) if phrase.first == "X" else (right, head)
            if clause[slice(*y)].strip():
                yield Fit(x if clause[slice(*x)].strip() else None, y)


def _before_date(low: str, phrase: Phrase) -> Iterator[tuple[Span, Span]]:
    """Both slots of a phrase in which a date follows the subject at once: 6月30日 behind a project."""
    date = _date_begins().search(low)
    if date and not phrase.before:
        yield (0, date.start()), (date.start(), len(low))


@cache
def _date_begins() -> re.Pattern[str]:
    return re.compile(r"(?<!\d)(?:\d{2,4}年|\d{1,2}月\d|\d{1,2}[日号]|[本下]个?[周月]|月底|年底|季末)")


def _ended(clause: str, span: Span, behind: str, predicate: Predicate) -> Span | None:
    """The second slot without the particles around it; None if the words that end the phrase are missing."""
    start, end = span
    event = predicate.kind == "event"
    aspect = (_aspect() if event else _accomplished()).match(clause, start, end)
    start = aspect.end() if aspect else start
    if behind or not event:
        particles = _particles().search(clause[start:end])
        end = start + particles.start() if particles else end
    if behind and (not clause.endswith(behind, start, end) or _not().search(clause, start, end - len(behind))):
        return None
    return start, end - len(behind)


def _without_adverbs(clause: str, span: Span) -> Iterator[Span]:
    """The first slot without adverbs at its end, then as it is, for names may end so too."""
    adverbs = _trailing().search(clause[slice(*span)])
    if adverbs and adverbs.start() < adverbs.end():
        yield span[0], span[0] + adverbs.start()
        if "将" in adverbs[0]:
            return
    yield span


@cache
def _aspect() -> re.Pattern[str]:
    return re.compile(r"\s*(?:过了|了|过)")


@cache
def _accomplished() -> re.Pattern[str]:
    """A 了 behind the verb of a relation that has come about; what one has 负责过, or 负责了三年, may be no more."""
    return re.compile(r"\s*了(?![解一二两三四五六七八九十几半数多\d])")


@cache
def _not() -> re.Pattern[str]:
    """A denial of the words that end a phrase."""
    return re.compile("(?:没有?|不|并非|毫无)$")


@cache
def _particles() -> re.Pattern[str]:
    return re.compile(f"{_END}$")


@cache
def _trailing() -> re.Pattern[str]:
    return re.compile(f"{_ADVERBS}*$")


def noun_fits(clause: str, low: str, noun: str, predicate: Predicate) -> Iterator[Fit]:
    """Where a noun fits a clause that tells whose it is and what, as in X的noun是Y."""
    at = low.find(noun)
    if at < 0:
        return
    left, right, offset = clause[1:at], clause[at + len(noun) : -1], at + len(noun)
    held = "person" in predicate.objects and not predicate.shape
    direct = "amount" in predicate.objects or bool(predicate.shape)
    changed = _disposed().fullmatch(left)
    owner = changed or _left().fullmatch(left)
    if owner:
        for pattern in _rights(direct, held)[1:2] if changed else _rights(direct, held):
            value = pattern.fullmatch(right)
            y = shifted(value, "y", offset) if value else None
            if y:
                yield Fit(shifted(owner, "x", 1), y)
    holder = _holder().fullmatch(left) if held and _particles().fullmatch(right) else None
    if holder and (y := shifted(holder, "y", 1)):
        yield Fit(shifted(holder, "x", 1), y)


@cache
def _left() -> re.Pattern[str]:
    return re.compile(rf"\s*(?:{_X}\s*[的之]?\s*)??{_MODIFIERS}")


@cache
def _disposed() -> re.Pattern[str]:
    """Who changes something, 把 or 将, and what it belongs to."""
    return re.compile(rf"[^，。；：:]{{0,20}}?(?:把|将){_X}\s*[的之]?\s*{_MODIFIERS}")


@cache
def _holder() -> re.Pattern[str]:
    return re.compile(
        rf"\s*(?P<y>\S{{1,40}}?){_ADVERBS}*(?:是|为|任|担任|出任|成为|当选|接任)\s*{_X}\s*的?\s*{_MODIFIERS}"
    )


@cache
def _rights(direct: bool, held: bool) -> tuple[re.Pattern[str], ...]:
    sources = [rf"{_ADVERBS}*{_IS}\s*{_Y}{_END}", rf"{_ADVERBS}*{_FROM}{_ADVERBS}*(?:{_BECOMES})了?\s*{_Y}{_END}"]
    if direct:
        sources.append(rf"\s*[约共]?{_Y}{_END}")
    if held:
        sources.append(rf"{_ADVERBS}*由{_Y}(?:担任|出任|兼任|接任){_END}")
    return tuple(re.compile(source) for source in sources)
