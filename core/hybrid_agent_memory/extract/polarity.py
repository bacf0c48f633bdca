"""Whether a sentence states what it says: not if it denies, asks, supposes, wishes, orders or passes on hearsay.

Word lists only, read on the side of caution: what is refused here merely stays a text that search finds.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from hybrid_agent_memory.extract.scanning import latin_runs, latin_words

Cue = Literal["sentence", "onward", "here", "report"]
"""What a cue spoils: its whole sentence, its clause and all after it, its clause alone; or it passes on words."""

# "claim/s/ed" stands for claim, claims, claimed; "in_case" for two words
_ENGLISH: dict[Cue, str] = {
    "sentence": """
        if unless whether suppose supposing assume/s assuming imagine/s imagining wish/es/ed pretend/s/ed/ing
        hypothetical/ly in_case provided_that as_long_as as_soon_as once whenever when otherwise would wouldn't
        could might maybe perhaps possibly probably presumably likely unlikely apparently allegedly reportedly
        supposedly seemingly rumour/s/ed rumor/s/ed hearsay seem/s looks_like sounds_like i_guess guess i_think
        think/s thought believe/s/d doubt/s/ed doubtful suspect/s/ed deny denies denied claim/s/ed allege/s/d
        not_sure unsure unclear no_idea wonder/s/ed/ing let's_say let_us_say for_the_sake_of for_example
        for_instance e.g in_the_novel in_the_story in_the_book in_the_movie in_the_film in_the_game in_the_play
        in_the_series in_the_episode in_the_scenario in_this_story in_his_novel in_her_novel in_a_dream
        in_my_dream in_the_dream fictional dreamt dreamed joking/ly joke/s kidding lied falsely untrue
        isn't_true not_true ignore disregard tell_me let_me_know ask/s/ed/ing make_sure remind_me try_to
        don't_forget as_far_as everyone_but all_but anyone_but
    """,
    "onward": """
        want/s/ed hope/s/d hoping plan_to plans_to planned_to planning_to plan_on plans_on planning_on
        consider/s/ed/ing intend/s/ed/ing aim_to aims_to aimed_to think_of think_about thinking_of
        thinking_about should shall must ought need_to needs_to needed_to has_to have_to had_to going_to gonna
        about_to supposed_to expect/s/ed/ing propose/s/d proposal proposing suggest/s/ed/ing recommend/s/ed
        request/s/ed offer_to offers_to offered_to promise/s/d agree_to agrees_to agreed_to threaten/s/ed
        like_to love_to prefer_to prefers_to heard hear_that according_to word_is they_say people_say it_is_said
        understand_that until_recently please pls plz i_can we_can he_can she_can they_can it_can were
    """,
    "here": """
        not no never neither nor none nobody nothing nowhere cannot without hardly barely scarcely rarely seldom
        anymore any_more stop/s/ped cease/s/d quit resign/s/ed refuse/s/d fail_to fails_to failed_to decline/s/d
        reject/s/ed used_to former ex once_upon back_then in_the_past at_the_time almost nearly far_from
        instead_of rather_than tentative/ly proposed potential/ly candidate acting interim nominee so-called
        alleged future would-be undecided tbd tbc pending_approval unknown n/a unconfirmed except unlike either
        estimate/d or only_on_paper on_paper in_theory in_name_only
    """,
    "report": """
        say/s said tell/s told mention/s/ed reports_that reported_that wrote write/s state/s/d announce/s/d
        insist/s/ed argue/s/d confirms_that confirmed_that admit/s/ted explain/s/ed reply replies replied hinted
    """,
}

_CHINESE: dict[Cue, str] = {
    "sentence": (
        r"[?？]|[吗么吧](?:[。！!~\s]|$)|谁|哪|什么|多少|是否|是不是|有没有|能不能|会不会|要不要|可不可以|怎么|怎样|"
        r"为何|为什么|几(?:个|号|点|时|月|岁|位)|干啥|啥|咋|"
        r"如果|如(?=[无不有能需遇])|假如|假设|假使|假定|要是|倘若|若是|若(?=[\u4e00-\u9fff])|万一|除非|只要|一旦|"
        r"的话|就好了|"
        r"小说|故事里|电影里|剧里|剧中|梦里|梦见|游戏里|开玩笑|骗人|谣言|不实|假的|错误地|误以为|误传|比如|例如|譬如|"
        r"忽略|无视之前|"
        r"请(?<![申邀聘宴]请)(?!假|客|了|到|来|教)|麻烦(?:你|您|帮)|帮(?:我|忙)|务必|记得(?:把|将|给|要)|提醒我|"
        r"告诉我|别忘"
    ),
    "onward": (
        r"可能|也许|或许|大概|兴许|恐怕|估计|预计|预估|好像|似乎|貌似|看样子|看起来|应该|应当|据说|听说|据传|传闻|"
        r"传言|风闻|有人说|都说|据称|自称|声称|号称|网上说|"
        r"觉得|认为|以为|猜|怀疑|否认|希望|盼望|期望|打算|考虑|准备(?!金|就绪|好了)|"
        r"(?<!(?<![小老阿])李)想(?!法|象|念)|愿意|"
        r"计划(?=[去搬把将在买换跳离到调涨降提入加为])|拟(?!人)|争取|试图|"
        r"建议|提议|要求|申请(?=[把将调换提]|[\u4e00-\u9fff]{2,12}的?(?:预算|价格))|(?<!不)需要|"
        r"必须(?!(?:[在于]?[^，。；由]{2,14}?前)?(?:交付|上线|交货|发布|提交))|得先|最好|要(?=[搬去买换离调涨降提改交由把让跟和向])|"
        r"能否|本来|原本|原来|原先|此前|早先|原计划|当初|曾经|曾(?!用名|[国小大文祥志庆])|"
        r"以前|从前|过去(?!了)|之前(?=[是住在由负])|以防|否则|不然"
    ),
    "here": (
        r"不(?!错|仅|少|过|久|但|管|断|动产|锈钢|限|只|同|论|妨)|没(?!收|落|问题)|未(?!来|婚|央|名湖)|无(?!线|锡|"
        r"人机|障碍|双|印|锋|忧|敌|界|限)|"
        r"非(?!常|洲|凡|遗|标|结构|关系|营利)|别(?=[的再去把])|勿|差点|险些|几乎|停止|拒绝|否决|驳回|不(?=同意|批准|确认|认可)|待定|暂定|拟定|前任|"
        r"前(?=负责人|经理|主管|CEO|老板|总裁)|"
        r"代理(?=负责人|经理)|候选|卸任|离任|辞去|或|还是(?=[\u4e00-\u9fff]{2,6}$)|除了|除外"
    ),
    "report": (
        r"说(?!明|法|服|唱|书)|告诉|表示|提到|透露|声明|回复|回应|指出|宣称|强调|写道|坦言|解释|爆料|转述|"
        r"通知(?:我|说)"
    ),
}


@dataclass(frozen=True, slots=True)
class _Cues:
    """English cues with the words that begin them, and Chinese ones."""

    first_words: frozenset[str]
    english: re.Pattern[str]
    chinese: re.Pattern[str]

    def at(self, text: str) -> int:
        """Where the first cue stands; -1 if there is none."""
        places = [at for at in (self.at_in_english(text),) if at >= 0]
        if not text.isascii() and (found := self.chinese.search(text)):
            places.append(found.start())
        return min(places, default=-1)

    def at_in_english(self, text: str) -> int:
        """Where the first English cue stands; -1 if there is none."""
        found = None if self.first_words.isdisjoint(latin_words(text)) else self.english.search(text)
        return found.start() if found else -1


def _forms(entry: str) -> Iterator[str]:
    stem, *endings = entry.replace("n/a", "n\0a").split("/")
    for ending in ("", *endings):
        yield (stem + ending).replace("_", " ").replace("\0", "/")


@cache
def _cues(cue: Cue) -> _Cues:
    phrases = [form for entry in _ENGLISH[cue].split() for form in _forms(entry)]
    alternatives = "|".join(re.escape(phrase).replace(r"\ ", r"\s+").replace("'", "['’]") for phrase in phrases)
    words = frozenset(word for phrase in phrases for word in latin_runs().findall(phrase)[:1])
    return _Cues(words, re.compile(rf"\b(?:{alternatives})(?!\w)", re.IGNORECASE), re.compile(_CHINESE[cue]))


@cache
def _asks() -> re.Pattern[str]:
    return re.compile(
        r"\W*(?:does|do|did|is|are|am|was|were|can|could|should|shall|would|will|has|have|had|may|might|who|whom|"
        r"whose|what|which|where|when|why|how|"
        r"no one|nobody|none|nothing|neither)\b(?!\s*[:：])",
        re.IGNORECASE,
    )


@cache
def _may() -> re.Pattern[str]:
    return re.compile(r"\bmay\b")  # not May


@cache
def _contracted() -> re.Pattern[str]:
    return re.compile(r"n['’]t\b|\b(?<!\()(?:formerly|previously)(?! known| called)\b", re.IGNORECASE)


@cache
def _mocks() -> re.Pattern[str]:
    """What says that a sentence means the opposite."""
    dreams = r"in\s+(?:your|his|her|their)\s+(?:wildest\s+)?dreams"
    return re.compile(
        rf"\boh,?\s+(?:sure|yeah|right)\b(?=\s*[,.!]|\s+and\b)|\b(?:yeah|yes|sure|ya),?\s+(?:right|sure)\b(?!\s+(?:now|away|after))"
        rf"|\b(?:as\s+if|as\s+though)\b|\b{dreams}\b|\bmy\s+(?:foot|arse|ass|eye)\b(?=\s*[,.!]|\s*$)"
        r"|\b(?:lol|lmao|rofl)\b|\b(?:when\s+pigs\s+fly|pigs\s+might\s+fly|said\s+no\s+one|a\s+likely\s+story)\b|\s/s\s*$",
        re.IGNORECASE,
    )


def asserts(sentence: str) -> bool:
    """Whether a sentence may state anything: False for questions, conditions, hedges, hearsay, orders, irony, fiction.

    Examples
    --------
    >>> [asserts(text) for text in ("Ann owns Atlas.", "Does Ann own Atlas?", "如果王强离职，刘洋负责客服系统。")]
    [True, False, False]
    """
    if "?" in sentence or _asks().match(sentence) or ("may" in sentence and _may().search(sentence)):
        return False
    return _cues("sentence").at(sentence) < 0 and not _mocks().search(sentence)


def wish_at(sentence: str) -> int:
    """Where a sentence turns from what is to what someone wishes, plans, believes or has said; its length if nowhere.

    Chinese words of saying are left to `report_at`: whose project it is may well tell its budget.

    Examples
    --------
    >>> wish_at("预算50万，希望周五前收到方案")
    6
    """
    places = [_cues("onward").at(sentence), _hearsay_at(sentence)]
    return min((at for at in places if at >= 0), default=len(sentence))


@cache
def _attributed() -> re.Pattern[str]:
    """Who is said to have said it, before or behind all of it: ``Per Tom, …``, ``…, as Tom said``."""
    name, said = r"[A-Z][a-z]+(?:\s[A-Z][a-z]+)?", r"(?:said|says|mentioned|claims|claimed|wrote|told\s\w+)"
    return re.compile(
        rf"^\W*(?:[Pp]er|[Aa]s\s+per)\s{name},|,\s+(?:as\s+)?[\w' ]{{1,40}}\s{said}(?:\s[a-z]+)?\W*$"
        rf"|,\s+(?:said|says|wrote)\s{name}\W*$"
    )


def _hearsay_at(sentence: str) -> int:
    """Where an English word of saying stands; -1 if there is none, or it confirms."""
    if _attributed().search(sentence):
        return 0
    at = _cues("report").at_in_english(sentence)
    return -1 if sentence.startswith("confirm", max(at, 0)) else at


def denies(clause: str) -> bool:
    """Whether a clause denies what its words say, or says it of the past only.

    Examples
    --------
    >>> [denies(text) for text in ("Ann no longer owns Atlas", "张先生不需要物流服务", "Ann owns Atlas")]
    [True, True, False]
    """
    return _cues("here").at(clause) >= 0 or _contracted().search(clause) is not None


def report_at(sentence: str) -> int:
    """Where a sentence begins to pass on another's words; its length if nowhere.

    Examples
    --------
    >>> report_at("Tom said that Alice reports to Greg")
    4
    """
    at = _cues("report").at(sentence)
    return len(sentence) if at < 0 else at
