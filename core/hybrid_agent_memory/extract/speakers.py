"""Whether a text speaks of who says it: whoever merely writes down what others do is no part of it."""

import re
from functools import cache

from hybrid_agent_memory.extract import Mention
from hybrid_agent_memory.extract.chinese_words import KIN
from hybrid_agent_memory.extract.grounding import Grounds
from hybrid_agent_memory.extract.scanning import one_of
from hybrid_agent_memory.extract.sentences import quotations


def speaks_of_speaker(text: str, speaker: str | None, *, alone: bool = False) -> bool:
    """Whether a text names its speaker or is in the first person, other than in what it quotes.

    Parameters
    ----------
    text : str
    speaker : str or None
    alone : bool
        Whether the text mentions nobody and nothing else; "we" is then the speaker, while elsewhere it may be a firm.

    Examples
    --------
    >>> texts = ("I moved to Berlin.", "Ann moved.", 'He wrote "I moved".', "Mei: moved", "我搬家了", "我方已搬家")
    >>> [speaks_of_speaker(text, "Mei") for text in texts]
    [True, False, False, True, True, False]
    >>> [speaks_of_speaker("We moved.", "Mei", alone=alone) for alone in (True, False)]
    [True, False]
    """
    if not speaker or not speaker.strip():
        return False
    if Grounds(text).place(speaker) is not None:
        return True
    told = _without_quotations(text)
    if any(found["self"] for found in _first_person().finditer(told)):
        return True
    return alone and _first_persons().search(told) is not None


def speaker_mention(speaker: str | None) -> Mention | None:
    """The speaker as a person, if known."""
    return Mention(speaker, "person") if speaker and speaker.strip() else None


@cache
def begins_with_speaker() -> re.Pattern[str]:
    """A beginning in the first person."""
    return re.compile(r"(?:\W|昨天|今天|上周|上个?月|刚刚)*+(?:I\b|[Mm]y\b|我(?!们)|本人|俺(?!们))")


@cache
def gives_own_name() -> re.Pattern[str]:
    """A beginning that tells what the speaker is called, or is."""
    return re.compile(r"\W*(?:我(?:名叫|叫|就?是|姓|(?:的名字|的?姓名)(?:是|叫))|(?:I am|I['’]m|[Mm]y name is)\b)")


@cache
def possession() -> re.Pattern[str]:
    """What the speaker has, and whether that is told of the speaker, as an address is."""
    chinese = (
        "(?:新|旧|老|工作|家庭|联系|常用|私人|办公|收货|现在的?)*"
        "(?:电话|手机|号码|邮箱|邮件|微信|地址|住址|生日|名字|姓名|英文名|职业|职位|岗位|工作|年龄|身高|体重|老家|家乡|籍贯|学历|"
        "爱好|兴趣|家(?!人|属|教|政|长|里人|公司|的)|性别|出生)"
    )
    english = (
        r"(?:new|old|work|home|mobile|cell|private|current|e-?mail|full|job)?\s*"
        r"(?:phone|number|mobile|cell|e-?mail|address|birthday|name|job|title|occupation|profession|age|height|hometown|"
        r"employer|hobby|hobbies|residence)\b"
    )
    return re.compile(
        rf"\W*(?:我(?:家?的|(?={chinese}|{one_of(KIN)}))(?P<own>{chinese})?|[Mm]y\s+(?P<mine>{english})?)"
    )


def _without_quotations(text: str) -> str:
    kept, start = [], 0
    for first, last in quotations(text):
        kept.append(text[start:first])
        start = last
    return " ".join((*kept, text[start:]))


@cache
def _first_person() -> re.Pattern[str]:
    """Also the numeral of a second thing such as Phase I, which is then not the group ``self``."""
    return re.compile(
        r"\b(?i:phase|part|stage|type|class|tier|war|volume|chapter|level|act|step|round|section)\s+I\b|\bi\.e\b|"
        r"(?P<self>\b(?:I|i|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself)\b(?![.-]\w)|(?<!自)我(?![们們国國方司军校院部])|本人|俺(?!们))",
    )


@cache
def _first_persons() -> re.Pattern[str]:
    return re.compile(r"\b(?:[Ww]e|us|[Oo]urs?|[Oo]urselves)\b|我[们們方司]|咱|俺们")
