"""Whether a text speaks of who says it: whoever merely writes down what others do is no part of it."""

import re
from functools import cache

from hybrid_agent_memory.extract.grounding import Grounds
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
