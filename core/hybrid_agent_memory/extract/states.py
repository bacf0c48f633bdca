"""How a clause tells the state of an order, a ticket or anything else with an identifier, without the word "status"."""

import re
from functools import cache

from hybrid_agent_memory.extract import Mention
from hybrid_agent_memory.extract.phrases import Span


def announces_state(text: str) -> bool:
    """Whether a text could tell a state; cheap."""
    return _state_begins().search(text.lower()) is not None


def state_in(clause: str) -> tuple[Span, Span] | None:
    """Where a clause names its subject, and where its state.

    Parameters
    ----------
    clause : str
        Without the dates in it.

    Returns
    -------
    tuple of two spans, or None
        What the subject is remains to be seen: anything may be on hold.

    Examples
    --------
    >>> clause = "Order SO-88213 is on hold"
    >>> [clause[start:end] for start, end in state_in(clause)]
    ['Order SO-88213', 'on hold']
    """
    found = _english().fullmatch(clause) or _chinese().fullmatch(clause)
    return (found.span("x"), found.span("y")) if found else None


def has_state(subject: Mention, behind: str) -> bool:
    """Whether what is told of a subject is its state, by the words behind it: a project may well be open to ideas.

    Examples
    --------
    >>> elm = Mention("Project Elm", "project")
    >>> has_state(elm, " since May"), has_state(elm, " to ideas"), has_state(Mention("Elm"), "")
    (True, False, False)
    """
    if subject.type == "identifier":
        return True
    return subject.type in ("project", "product") and _goal().match(behind) is None


@cache
def _goal() -> re.Pattern[str]:
    return re.compile(r"\s+(?:to|for|at|from|via|by|with|in|on|this)\b", re.IGNORECASE)


def is_state(words: str) -> bool:
    """Whether words are a state and nothing else.

    Examples
    --------
    >>> is_state("on hold"), is_state("update")
    (True, False)
    """
    return _state_word().fullmatch(words) is not None


_ENGLISH = (
    "on hold|paused|shipped|delivered|cancell?ed|delayed|paid|unpaid|overdue|returned|refunded|approved|rejected|"
    "confirmed|blocked|closed|resolved|open|pending|in progress|in transit|out for delivery|back-?ordered|"
    "on back-?order|being processed|ready|completed?|dispatched|lost|stuck|reopened|fixed|packed|out of stock|"
    "back in stock|arrived|escalated|expired|suspended|under review"
)
_DONE = (
    "shipped|delivered|cancell?ed|paid|returned|refunded|approved|rejected|confirmed|closed|resolved|completed|"
    "dispatched|reopened|fixed|packed|escalated|suspended"
)
_CHINESE = (
    "发货|取消|签收|付款|支付|退款|退货|完成|关闭|解决|延期|延迟|暂停|搁置|出库|"
    "送达|发出|审批|批准|确认|作废|过期|到货|妥投"
)
_ONGOING = "暂停中|待付款|待发货|待处理|待审批|待确认|在途|运输中|配送中|派送中|处理中|审核中|进行中|退款中|缺货"


@cache
def _state_begins() -> re.Pattern[str]:
    """Any of the states, if only as a part of a word: without borders it is looked for several times as fast."""
    return re.compile(rf"{_ENGLISH}|{_CHINESE}|{_ONGOING}")


@cache
def _state_word() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{_ENGLISH})\b|(?:已经?)?(?:{_CHINESE}|{_ONGOING})", re.IGNORECASE)


@cache
def _english() -> re.Pattern[str]:
    return re.compile(
        r"\s*(?P<x>[^\s,;:][^,;:]{1,59}?)\s+(?:is|are|has|have|got|remains|(?P<was>was|were))\s+"
        r"(?:(?:now|still|currently|already|just|finally|again|been)\s+)*"
        rf"(?P<y>(?(was)(?:{_DONE})|(?:{_ENGLISH})))"
        r"(?:,?\s+(?:again|because|since|after|due|until|pending|by|at|from|to|via|this|for)\b.*|,.*|"
        r"\s*[(].*)?\s*[.!]*\s*",
        re.IGNORECASE,
    )


@cache
def _chinese() -> re.Pattern[str]:
    return re.compile(
        r"\s*(?P<x>[^\s，；：,;:][^，；：,;:]{1,39}?)\s*(?:目前|现在|今天|刚刚|刚|正在|正|还在|仍在|仍|处于|状态|,|，|\s)*"
        rf"(?:因(?:为)?[^，；。]{{1,12}}?(?P<why>而?(?=已|被|{_CHINESE})))?"
        rf"(?P<y>(?:已经?|被){{1,2}}(?:{_CHINESE})|(?(why)(?:{_CHINESE})|(?:{_CHINESE})(?=了))|{_ONGOING})(?:状态)?(?:了|啦|[，,].*)?[。！!]*\s*"
    )
