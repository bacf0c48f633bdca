"""What the entries of a text are about: the heading above them, or the contact whose card they are."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from operator import itemgetter

from hybrid_agent_memory.extract import EntityType, Mention
from hybrid_agent_memory.extract.mentions import MentionSpan
from hybrid_agent_memory.extract.phrases import EDGES
from hybrid_agent_memory.extract.predicates import NAMES, Predicate
from hybrid_agent_memory.extract.roles import could_be_person

_NEAR_THE_TOP = 64  # names among which a text's subject is looked for
_LONGEST_CARD = 400  # characters between the name on a card and an entry of it
_WHOLE_TEXT_TYPES = ("project", "product", "identifier")


class Themes:
    """The themes of one text by position.

    Parameters
    ----------
    text : str
    mentions : sequence of MentionSpan
        Of the whole text, in its order, not overlapping.
    """

    def __init__(self, text: str, mentions: Sequence[MentionSpan]) -> None:
        self._text = text
        self._named = [mention for mention in mentions if mention.type in NAMES]
        self._starts = [mention.start for mention in self._named]
        self._titles: list[tuple[int, Mention]] | None = None

    def above(self, end: int, predicate: Predicate) -> Mention | None:
        """What the text is about before a position; None unless the predicate may have it.

        The contact on whose card an entry such as a phone number stands, else what the text names as its project, else
        its first project, product or identifier, else the name it begins with.
        """
        if predicate.subjects[:1] == ("person",) and (contact := self._on_card(end)):
            return contact
        titles = self._entitled()
        last = bisect_left(titles, end, key=itemgetter(0)) - 1
        if last >= 0:
            title = titles[last][1]
            return title if title.type in predicate.subjects else None
        before = self._named[: min(bisect_left(self._starts, end), _NEAR_THE_TOP)]
        works = (one for one in before if one.type in _WHOLE_TEXT_TYPES)
        first = next(works, None) or (before[0] if before and self._is_heading(before[0]) else None)
        return Mention(first.name, first.type) if first and first.type in predicate.subjects else None

    def _on_card(self, end: int) -> Mention | None:
        """Whom the lines right before a position say to contact."""
        card = _card().search(self._text, max(0, end - _LONGEST_CARD), end)
        at = bisect_left(self._starts, card.start("who")) if card else len(self._starts)
        if card is None or at == len(self._starts):
            return None
        one = self._named[at]
        whole = (one.start, one.end) == card.span("who")
        return Mention(one.name, "person") if whole and could_be_person(one.name, alone=True) else None

    def _entitled(self) -> list[tuple[int, Mention]]:
        """The lines that say what the text, or a part of it, is about."""
        if self._titles is None:
            self._titles = []
            for line in _title_line().finditer(self._text):
                kind: EntityType = "project" if line["project"] else "name"
                self._titles.append((line.start(), Mention(line["value"].strip(EDGES), kind)))
        return self._titles

    def _is_heading(self, one: MentionSpan) -> bool:
        """Whether a name fills the first line of the text."""
        line_end = self._text.find("\n", one.end)
        around = self._text[: one.start] + self._text[one.end : max(line_end, one.end)]
        return one.type != "person" and _heading_rest().fullmatch(around) is not None


@cache
def _card() -> re.Pattern[str]:
    """Whom to contact, and the entries below that."""
    entry = "e-?mail|phone|mobile|tel(?:ephone)?|address|birthday|电话|手机|邮箱|地址|微信|生日"
    return re.compile(
        r"^[ \t>*•#–-]*+(?:contact(?: person| name)?|联系人)\**[ \t]*+[:：][ \t]*+\**"
        r"(?P<who>[^\n:：,，。*]{1,39}[^\s:：,，。*])"
        rf"\**[ \t]*\n(?:[ \t>*•–-]*+(?:{entry})[^\n]*\n){{0,6}}[ \t>*•–-]*\Z",
        re.IGNORECASE | re.MULTILINE,
    )


@cache
def _title_line() -> re.Pattern[str]:
    return re.compile(
        r"^[ \t>*•#–-]*+(?:(?P<project>项目名称|项目名|项目|project(?: name)?)|客户名称|客户|产品名称|产品|名称|名字|"
        r"姓名|customer|client|product|name|title)"
        r"\**[ \t]*+[:：][ \t]*+\**(?P<value>[^\n:：,，。]{1,40})$",
        re.IGNORECASE | re.MULTILINE,
    )


@cache
def _heading_rest() -> re.Pattern[str]:
    return re.compile(
        r"[\s#*_>:：=-]*(?:(?:the|project|update|status|summary|report|notes?|for|on|of|about|re|fwd|项目|进展|周报|"
        r"情况)[\s#*_:：-]*)*",
        re.IGNORECASE,
    )
