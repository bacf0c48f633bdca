"""What a query asks for besides its subject: something recent, something that happened, or what lastingly holds.

Lists of words, English and Chinese, read so as to miss a cue rather than see one where there is none: a false cue lets
age decide, a missed one leaves the usual order.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

OTHER_KIND: Final = 0.5
"""What the score of a fact is multiplied with where the query asks for facts of the other kind."""

Preference = Literal["event", "relation"]

TALK: Final = 3
"""Sentences past which a query is a piece of talk, whose "now" is that of the talk."""

LONGEST: Final = 1000
"""Characters past which a query is a document rather than a question."""

# Phrases, one a line or separated by " | "; otherwise regular expressions over NFKC, casefolded text.

_LATE_EN = r"""
lately | recently | recent | most recent | of late(?=\W*$|[,;?]) | these days | nowadays | just now | a moment ago
the other day | yesterday | today | earlier today | this (?:morning|afternoon|evening|week|weekend|month)
what['’]?s new
(?:last|past) (?:(?:few|couple of|several|two|three|\d{1,2}) )?(?:hours?|days?|weeks?|weekend|months?|night)
last (?:mon|tues|wednes|thurs|fri|satur|sun)day
last (?:time|update|message|meeting|call|chat|conversation|discussion|session|visit|order|complaint|incident|outage)
last (?:ticket|deploy|deployment|release|run|build|backup|report|login|payment|change|appointment|interview)
when (?:did|have|has) (?:[\w'’.-]+ ){1,4}last
"""
_LATE_ZH = r"""
最近 | 近[来來期日况況] | 近(?:几|幾|两|兩|[二三\d])[个個]?(?:天|日|周|週|星期|月) | [这這前](?:几|幾|两|兩)天
上[个個]?(?:周|週|星期|礼拜|禮拜) | 上[个個]?月 | 本[周週月] | [这這][个個]?(?:周|週|星期|月)
[刚剛][刚剛才] | 今[天早晚] | 昨[天晚日] | 前天 | 上一?次 | 最[后後]一次
"""
_PRESENT_EN = "now | right now | currently | current | at the moment | at present | as of today | latest | newest"
_PRESENT_ZH = "[现現]在 | 目前 | [当當]前 | 如今 | 最新"

_FALSE_FRIENDS_EN = r"""
now and then | now and again | every now | now that | from now | ^\W*now, | usa today | at the latest
more recent(?:ly)? than | more recent(?:ly)?(?=.* or )
(?:electric|direct|alternating|eddy|ocean|leakage) current
current (?:in|of|through|from|to|and|or|is|was|flow\w*|draw\w*|affairs|events|account|sensor)
"""
_PLACES = "站|店|[医醫]院|[银銀]行|餐[厅廳馆館]|[机機商停车車]+[场場]|超市|厕所|酒店|公[园園]|出口|地方"
_FALSE_FRIENDS_ZH = rf"""
[离離距][^,。?]{{0,12}}最近 | 最近的?[^,。?\s]{{0,4}}(?:{_PLACES})(?=$|[\s在是怎有叫离離,。?!吗嗎呢])
[出发發实實表体體呈展显顯重涌浮][现現]在 | [现現]在完成 | [项項节節题題数數科栏欄条條]目前
[应應相每][当當]前 | [例比譬假]如今
附近[来來期日] | [靠走]近[来來] | [马馬网網线線晚早地路桌街]上[周週月次] | 上[周週][围圍边邊到全密] | 上月[亮球]
日本[周週月] | [这這][周週][围圍边邊到] | [至比]今天 | [天月年]前天 | 前天[气氣]
"""

_HAPPENED_EN = r"""
what (?:has |had )?happened | what(?: is|['’]s) (?:happening|going on|new) | (?:been|is|are) up to | any news
news (?:of|about|from) | how (?:is|are|has|have) [^?]{1,40} (?:doing|going|been)
"""
_HAPPENED_ZH = r"""
[发發]生 | 出了?(?:什么|什麼|啥)(?:事|问题|問題) | 近[况況] | [动動][态態静靜] | 怎[么麼]样了 | 怎麼樣了 | [进進]展
"""

_HOLDS_EN = r"""
owns | do(?:es)? [^?]{1,40} own | owned by | owners? of | responsible for | is responsible | in charge of
who (?:manages|leads|runs) | belongs? to | reports? to | works? (?:for|at) | members? of
"""
_HOLDS_ZH = r"""
[负負][责責] | [归歸][谁誰] | [谁誰]管 | [隶隸][属屬] | [属屬][于於] | [归歸][属屬] | [担擔]任
下[属屬] | 上[级級] | 任[职職]
"""

_LISTS_EN = r"""
(?:which|what) (?:[a-z-]+ )?[a-z-]+s (?:do|does|are|is) | list (?:all|every|the)
"""
_LISTS_ZH = "哪些 | 哪[几幾] | 列出 | 所有"

_VALUES_EN = r"""
budgets? | prices? | costs? | salary | amount | owner | status | address | phone | e-?mail | version | deadline | title
role | position | manager | limit | rate | balance | quota
"""
_VALUES_ZH = r"""
[预預]算 | [价價] | 金[额額] | [费費]用 | 成本 | [负負][责責]人 | [状狀][态態] | 地址 | [电電][话話]
[邮郵]箱 | 版本 | 截止 | [职職]位 | [岗崗]位 | 工[资資] | 薪 | [余餘][额額] | [额額]度 | 套餐 | 期限
"""

_EVENTS_EN = r"""
complaints? | complain(?:ed|ing)? | incidents? | accidents? | outages? | events? | meetings? | calls? | visits? | trips?
errors? | failures? | failed | orders? | ordered | purchases? | news
"""
_EVENTS_ZH = r"""
投[诉訴] | 事故 | 事件 | 故障 | [会會][议議] | [开開][会會] | [订訂][单單]
下[单單] | 出差 | 旅行 | 活[动動] | 告警 | [报報]警
"""
_AHEAD_EN = r"""
will(?= [a-z]) | won['’]?t | shall | going to | gonna | next (?:week|weekend|month|quarter|year|time)
tomorrow | upcoming | planned | from now on | in (?:the )?future | soon | about to | yet to come | announced
"""
_AHEAD_ZH = r"""
[将將](?![军軍士领領近]) | 会(?:不会|[变變涨漲降升改调調搬换換到有是在要]) | 明年 | 明天
下[个個]?(?:周|週|星期|月|季度?|年) | 以[后後] | 今[后後] | 未[来來] | 即[将將] | [计計][划劃] | 打算 | [预預][计計告]
"""
_PAST_EN = "did | was | were | had"
_PAST_ZH = "[过過] | 了哪 | 曾"


@dataclass(frozen=True, slots=True)
class Intent:
    """What a query asks for besides its subject.

    Attributes
    ----------
    recent : bool
        Whether it asks for what is recent, so that age counts more.
    prefers : {"event", "relation"} or None
        The kind of fact it asks for.
    cue : str
        The words that say so, in lower case, separated by commas; empty when there are none.
    current : bool
        Whether it asks for what is so now, not for what happened lately: then what still holds is not old.
    ahead : bool
        Whether it asks for what is yet to come.
    """

    recent: bool = False
    prefers: Preference | None = None
    cue: str = ""
    current: bool = False
    ahead: bool = False


def read_intent(query: str) -> Intent:
    """Read whether a query asks for what is recent, and for which kind of fact.

    Where some sentence ends in a question mark, only such are read, and the others are talk around them. What stands in
    quotation marks is a name. A query that names a date is about then, not about now; so is a piece of talk of more
    than `TALK` sentences or `LONGEST` characters.

    "Lately" and 上周 ask for happenings, unless a value is asked for. "Now", 目前 and "latest" prefer neither kind: the
    budget of now is a relation, the latest complaint an event.

    Examples
    --------
    >>> read_intent("What has Mr. Zhang been complaining about lately?")
    Intent(recent=True, prefers='event', cue='lately', current=False, ahead=False)
    >>> read_intent("智能货架项目现在的预算是多少？")
    Intent(recent=True, prefers=None, cue='现在', current=True, ahead=False)
    >>> read_intent("张先生负责哪些项目")
    Intent(recent=False, prefers='relation', cue='负责', current=False, ahead=False)
    """
    sentences = _sentences().findall(_plain(query)) if len(query) <= LONGEST else []
    if not 0 < len(sentences) <= TALK:
        return Intent()
    asked = " ".join([sentence for sentence in sentences if sentence.endswith("?")] or sentences)
    late, present = _recency_cues(asked)
    prefers, why = _preference(asked, late, present)
    cues = [cue for cue in (late, present, why) if cue]
    return Intent(
        recent=bool(late or present),
        prefers=prefers,
        cue=", ".join(dict.fromkeys(cues)),
        current=bool(present) and not late and not _first(asked, _EVENTS_EN, _EVENTS_ZH) and prefers != "event",
        ahead=bool(_first(asked, _AHEAD_EN, _AHEAD_ZH)),
    )


def preference_factors(prefers: Preference | None, is_event: NDArray[np.bool_], floor: float) -> NDArray[np.float64]:
    """What the score of each fact is multiplied with.

    Relations never age. Where events are asked for they count as the oldest of those, so that no age puts an event
    behind a relation that answers as well.

    Parameters
    ----------
    prefers : {"event", "relation"} or None
        The kind that the query asks for.
    is_event : array of bool, shape (n,)
        Per fact, whether it is an event; the others are relations.
    floor : float
        What age leaves of an event's score at least, 0..1.

    Returns
    -------
    array of float64, shape (n,)
        1 for the kind that is asked for; `OTHER_KIND` for the other, times the floor for relations; all 1 without a
        preference.

    Examples
    --------
    >>> preference_factors("relation", np.array([True, False]), 0.25).tolist()
    [0.5, 1.0]
    >>> preference_factors("event", np.array([True, False]), 0.25).tolist()
    [1.0, 0.125]
    """
    if prefers is None:
        return np.ones(len(is_event))
    return np.where(is_event, 1.0, OTHER_KIND * floor) if prefers == "event" else np.where(is_event, OTHER_KIND, 1.0)


def asked_factors(is_asked: NDArray[np.bool_]) -> NDArray[np.float64]:
    """What the score of each fact is multiplied with for its predicate.

    Parameters
    ----------
    is_asked : array of bool, shape (n,)
        Per fact, whether the query asks for its predicate.

    Returns
    -------
    array of float64, shape (n,)
        1 for those, `OTHER_KIND` for others; all 1 where none is asked for.

    Examples
    --------
    >>> asked_factors(np.array([True, False])).tolist(), asked_factors(np.array([False, False])).tolist()
    ([1.0, 0.5], [1.0, 1.0])
    """
    return np.where(is_asked, 1.0, OTHER_KIND) if is_asked.any() else np.ones(len(is_asked))


def _recency_cues(asked: str) -> tuple[str, str]:
    """The first cue of late happenings and the first of the present; empty where there is none."""
    if _dates().search(asked):
        return "", ""
    genuine = _phrases(_FALSE_FRIENDS_EN, _FALSE_FRIENDS_ZH).sub(" ", asked)
    return _first(genuine, _LATE_EN, _LATE_ZH), _first(genuine, _PRESENT_EN, _PRESENT_ZH)


def _preference(asked: str, late: str, present: str) -> tuple[Preference | None, str]:
    """The kind of fact that is asked for, and the words that say so."""
    if happened := _first(asked, _HAPPENED_EN, _HAPPENED_ZH):
        return "event", happened
    events = _first(asked, _EVENTS_EN, _EVENTS_ZH)
    if not events and (holds := _first(asked, _HOLDS_EN, _HOLDS_ZH)):
        return "relation", holds
    if (late or (present and events)) and not _first(asked, _VALUES_EN, _VALUES_ZH):
        return "event", late or events
    if not (late or events or _first(asked, _PAST_EN, _PAST_ZH)) and (lists := _first(asked, _LISTS_EN, _LISTS_ZH)):
        return "relation", lists
    return None, ""


def _plain(query: str) -> str:
    """A query in one case and form, without quotations and without the dots of abbreviations."""
    text = _quotations().sub(" ", unicodedata.normalize("NFKC", query).casefold())
    return _abbreviations().sub(r"\1", text)


def _first(text: str, english: str, chinese: str) -> str:
    found = _phrases(english, chinese).search(text)
    return found.group() if found else ""


@cache
def _phrases(english: str, chinese: str) -> re.Pattern[str]:
    """Any of these phrases, the English ones as whole words; of two that begin alike, the one listed first."""
    words, signs = ("|".join(re.split(r" \| |\n", phrases.strip())) for phrases in (english, chinese))
    return re.compile(rf"(?<![a-z0-9_-])(?:{words})(?![a-z0-9_-])|{signs}")


@cache
def _quotations() -> re.Pattern[str]:
    return re.compile(r'"[^"]{1,80}"|“[^”]{1,80}”|《[^》]{1,80}》|「[^」]{1,80}」|『[^』]{1,80}』')


@cache
def _abbreviations() -> re.Pattern[str]:
    return re.compile(r"\b(mr|mrs|ms|dr|prof|st|inc|corp|ltd|co|vs|jr|sr|no|[a-z])\.")


@cache
def _sentences() -> re.Pattern[str]:
    return re.compile(r"\s*[^\s.!?。]+(?:[^.!?。\n]|\.(?=[^\s.]))*[.!?。]?")  # the dots of 10.0.3 end no sentence


@cache
def _dates() -> re.Pattern[str]:
    """A day, a month of a year, or "in 2023"; a year alone may be part of a name, such as the 2024 budget."""
    month = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*"
    year = r"(?:19|20)\d\d"
    return re.compile(
        rf"\b{month}\.?,? (?:\d{{1,2}}(?:st|nd|rd|th)?|(?:of )?{year})\b|\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{month}\b"
        rf"|\b{year}[-/]\d{{1,2}}\b|\b(?:in|during|since|before|after|until) {year}\b"
        r"|\d月\d{1,2}[日号號]|年\d{1,2}月"
    )
