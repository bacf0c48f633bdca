"""Whether a sentence states what it says: not if it denies, asks, supposes, wishes, orders, quotes or passes on hearsay.

Word lists only, read on the side of caution: what is refused here merely stays a text that search finds.
"""

import re
from functools import cache
from typing import Literal

Reach = Literal["sentence", "onward", "here"]
"""What a cue spoils: its whole sentence, its clause and all after it, or its clause alone."""

_EN_SENTENCE = (
    r"\?|"
    r"^\W*(?:does|do|did|is|are|am|was|were|can|could|should|shall|would|will|has|have|had|may|might|who|whom|whose|what|which|where|when|why|how)\b(?!\s*[:：])|"
    r"\b(?:if|unless|whether|suppose|supposing|assum(?:e|es|ing)|imagin(?:e|es|ing)|wish(?:es|ed)?|pretend\w*|hypothetical\w*|"
    r"in case|provided that|as long as|as soon as|once|whenever|when|otherwise|would|wouldn't|could|might|maybe|perhaps|possibly|"
    r"probably|presumably|likely|unlikely|apparently|allegedly|reportedly|supposedly|seemingly|rumou?rs?|rumou?red|hearsay|seems?|"
    r"looks like|sounds like|i guess|guess|i think|thinks?|thought|believ(?:e|es|ed)|doubts?|doubt(?:ed|ful)|suspects?|"
    r"den(?:y|ies|ied)|claim(?:s|ed)?|alleg(?:e|es|ed)|not sure|unsure|unclear|no idea|wonder(?:s|ing|ed)?|"
    r"let's say|let us say|for the sake of|for example|for instance|e\.g|"
    r"in (?:the|a|an|his|her|my|this|that) (?:novel|story|book|movie|film|dream|game|play|series|episode|tale|joke|scenario)|"
    r"fictional|character|dreamt|dreamed|joking\w*|jokes?|kidding|lied|lies that|lying about|falsely|untrue|isn't true|not true|"
    r"ignore|disregard|tell me|let me know|ask(?:s|ed|ing)?|please|make sure|remind me|pls|plz|try to|don't forget|imagine that)\b"
    r"|(?-i:\bmay\b)"
)

_EN_ONWARD = (
    r"\b(?:want(?:s|ed)?|hop(?:e|es|ed|ing)|plan(?:s|ned|ning)? (?:to|on)|consider(?:s|ed|ing)?|intend\w*|aim(?:s|ed)? to|think(?:ing)? (?:of|about)|"
    r"should|shall|must|ought|need(?:s|ed)? to|has to|have to|had to|going to|gonna|about to|supposed to|expect(?:s|ed|ing)?|propos(?:e|es|ed|al|ing)|"
    r"suggest(?:s|ed|ing)?|recommend(?:s|ed)?|request(?:s|ed)?|offer(?:s|ed)? to|promis(?:e|es|ed)|agree(?:s|d)? to|threaten\w*|like to|love to|prefer(?:s)? to|"
    r"heard|hear that|according to|word is|they say|people say|it is said|understand that|remember when|until recently|asking|(?<!you )can|cannot|were)\b|\b\w+'d (?:better|rather|like|love|be)\b"
)

_EN_HERE = (
    r"\b(?:not|no|never|neither|nor|none|nobody|nothing|nowhere|cannot|without|hardly|barely|scarcely|rarely|seldom|no longer|"
    r"anymore|any more|stop(?:s|ped)?|ceas(?:e|es|ed)|quit|resign(?:s|ed)|refus(?:e|es|ed)|fail(?:s|ed)? to|declin(?:e|es|ed)|reject(?:s|ed)|"
    r"used to|former|ex-\w+|previous(?:ly)?|once upon|back then|in the past|at the time|almost|nearly|far from|instead of|rather than|"
    r"tentative(?:ly)?|proposed|potential(?:ly)?|candidate|acting|interim|nominee|so-called|alleged|future|would-be|"
    r"undecided|tbd|tbc|pending approval|unknown|n/?a|unconfirmed|except|unlike|either|"
    r"roughly estimated|estimated?|or)\b|n['’]t\b|(?<!\()\b(?:formerly|previously)(?! known| called)\b"
)

_ZH_SENTENCE = (
    r"[?？]|吗(?:[。！!~\s]|$)|么(?:[。！!~\s]|$)|吧(?:[。！!~\s]|$)|谁|哪|什么|多少|是否|是不是|有没有|能不能|会不会|要不要|可不可以|怎么|怎样|为何|为什么|几(?:个|号|点|时|月|岁|位)|干啥|啥|咋|"
    r"如果|假如|假设|假使|假定|要是|倘若|若是|若(?=[\u4e00-\u9fff])|万一|除非|只要|一旦|的话|就好了|"
    r"小说|故事里|电影里|剧里|剧中|梦里|梦见|游戏里|开玩笑|骗人|谣言|不实|假的|错误地|误以为|误传|比如|例如|譬如|忽略|无视之前|"
    r"(?<![申邀聘宴])请(?!假|客|了|到|来|教)|麻烦(?:你|您|帮)|帮(?:我|忙)|务必|记得(?:把|将|给|要)|提醒我|告诉我|别忘"
)

_ZH_ONWARD = (
    r"可能|也许|或许|大概|兴许|恐怕|估计|预计|预估|好像|似乎|貌似|看样子|看起来|应该|应当|据说|听说|据传|传闻|传言|风闻|有人说|都说|据称|自称|声称|号称|网上说|"
    r"觉得|认为|以为|猜|怀疑|否认|希望|盼望|期望|打算|考虑|准备(?!金|就绪|好了)|想(?!法|象|念)|愿意|计划(?=[去搬把将在买换跳离到调涨降提入加为])|拟(?!人)|争取|试图|"
    r"建议|提议|要求|申请(?=[把将调换提])|需要|必须|得先|最好|争取|要(?=[搬去买换离调涨降提改交由把让跟和向])|能否|本来|原本|原计划|当初|曾经|曾(?!用名|[国小大文祥志庆])|以前|从前|过去(?!了)|之前(?=[是住在由负])|"
    r"以防|否则|不然|要不然"
)

_ZH_HERE = (
    r"不(?!错|仅|少|过|久|但|管|断|动产|锈钢|限|只|同|论|妨)|没(?!收|落|问题)|未(?!来|婚|央|名湖)|无(?!线|锡|人机|障碍|双|印|锋|忧|敌|界|限)|非(?!常|洲|凡|遗|标|结构|关系|营利)|"
    r"别(?=[的再去把])|勿|从未|从不|绝不|并不|并非|毫不|尚未|还未|未曾|不再|不是|不曾|差点|险些|几乎|停止|拒绝|取消不了|未能|待定|未定|不明|不详|暂定|拟定|前任|前(?=负责人|经理|主管|CEO|老板|总裁)|代理(?=负责人|经理)|候选|卸任|离任|辞去|不到|不止|或者?|还是(?=[\u4e00-\u9fff]{2,6}$)|除了|除外|而不是"
)


_REPORT_EN = r"\b(?:says?|said|tells?|told|mention(?:s|ed)|report(?:s|ed) that|wrote|writes|stat(?:es|ed)|announc(?:es|ed)|insist(?:s|ed)|argu(?:es|ed)|confirm(?:s|ed) that|admit(?:s|ted)|explain(?:s|ed)|repl(?:ies|ied)|suggested|hinted)\b"
_REPORT_ZH = r"说(?!明|法|服|唱|书)|告诉|表示|提到|透露|声明|回复|回应|指出|宣称|强调|写道|坦言|解释|爆料|转述|反馈说|通知(?:我|说)"


@cache
def _cues(reach: Reach) -> re.Pattern[str]:
    english, chinese = {
        "sentence": (_EN_SENTENCE, _ZH_SENTENCE),
        "onward": (_EN_ONWARD, _ZH_ONWARD),
        "here": (_EN_HERE, _ZH_HERE),
    }[reach]
    return re.compile(f"{english}|{chinese}", re.IGNORECASE)


@cache
def _reports() -> re.Pattern[str]:
    return re.compile(f"{_REPORT_EN}|{_REPORT_ZH}", re.IGNORECASE)


def asserts(sentence: str) -> bool:
    """Whether a sentence may state anything: False for questions, conditions, hedges, hearsay, orders and fiction.

    Examples
    --------
    >>> [asserts(text) for text in ("Ann owns Atlas.", "Does Ann own Atlas?", "如果王强离职，刘洋负责客服系统。")]
    [True, False, False]
    """
    return _cues("sentence").search(sentence) is None


def wish_at(sentence: str) -> int:
    """Where a sentence turns from what is to what someone wishes, plans, believes or has heard; its length if nowhere.

    Examples
    --------
    >>> wish_at("预算50万，希望周五前收到方案")
    6
    """
    found = _cues("onward").search(sentence)
    return found.start() if found else len(sentence)


def denies(clause: str) -> bool:
    """Whether a clause denies what its words say, or says it of the past only.

    Examples
    --------
    >>> [denies(text) for text in ("Ann no longer owns Atlas", "张先生不需要物流服务", "Ann owns Atlas")]
    [True, True, False]
    """
    return _cues("here").search(clause) is not None


def report_at(sentence: str) -> int:
    """Where a sentence begins to pass on another's words; its length if nowhere.

    Examples
    --------
    >>> report_at("Tom said that Alice reports to Greg")
    4
    """
    found = _reports().search(sentence)
    return found.start() if found else len(sentence)
