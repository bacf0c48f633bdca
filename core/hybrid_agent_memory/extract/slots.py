"""What fills a slot of a wording: a name, a relative, the speaker, a value or a plain noun phrase."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache

from hybrid_agent_memory.extract import EntityType, Mention
from hybrid_agent_memory.extract.dates import DateSpan
from hybrid_agent_memory.extract.mentions import MentionSpan
from hybrid_agent_memory.extract.name_forms import (
    is_english_name,
    is_team,
    known_type,
    relative,
    thing,
)
from hybrid_agent_memory.extract.noun_phrases import clause_beginning, is_obstacle, noun_phrase
from hybrid_agent_memory.extract.phrases import EDGES, Span, word_set
from hybrid_agent_memory.extract.predicates import NAMES, Predicate
from hybrid_agent_memory.extract.roles import could_be_person
from hybrid_agent_memory.extract.scanning import has_han
from hybrid_agent_memory.extract.sentences import joining
from hybrid_agent_memory.extract.speakers import begins_with_speaker, gives_own_name, possession, speaker_mention
from hybrid_agent_memory.extract.titles import ambiguous_names, bare_title, follows_name, introduces, side_words
from hybrid_agent_memory.graph.amounts import find_amounts

_FIRST_PERSON = frozenset({"i", "my", "me", "我", "我的", "本人", "俺"})
_CALLINGS = frozenset({"老师", "同学", "老板", "领导", "导师", "师傅", "同事", "朋友", "上司", "下属", "邻居", "室友"})
_LONGEST_MARK = 4
_POSSESSED_AND_NAMED = 2  # 我姐姐叫张伟 tells of one person, 我同事是张伟和李娜 of more


class Slots:
    """Reads slots of one text by position.

    Parameters
    ----------
    text : str
    mentions : sequence of MentionSpan
        Of the whole text, in its order, not overlapping.
    dates : sequence of DateSpan
        Likewise.
    speaker : str or None
    """

    def __init__(
        self, text: str, mentions: Sequence[MentionSpan], dates: Sequence[DateSpan], speaker: str | None
    ) -> None:
        self._text = text
        self._named = [mention for mention in mentions if mention.type in NAMES]
        self._starts = [mention.start for mention in self._named]
        self._by_span = {(one.start, one.end): one for one in self._named}
        self._dates = dates
        self._speaker = speaker_mention(speaker)
        self._known: dict[tuple[int, int, tuple[EntityType, ...]], Mention | None] = {}

    def subject(
        self, start: int, end: int, predicate: Predicate, *, known: bool = False, leads: bool = False
    ) -> Mention | None:
        """The subject that the span names, if the predicate may have it; what stands between commas may describe it.

        With `known`, a name of unknown type will not do; where it `leads` the clause, plain Chinese words for a thing.
        """
        words = self._text[start:end]
        if words.endswith((",", "，")) and (comma := _comma().search(words)) and comma.start() < len(words) - 1:
            end = start + comma.start()
        types = _without_unknown(predicate.subjects) if known else predicate.subjects
        named = self._name(start, end, types) or self._code_name(start, end, predicate)
        if named or not leads or "other" not in types or "person" in types[:1]:
            return named
        first, last = self._tight(start, end)
        if self._text[last : last + 1] == "新":
            return None
        least = 2 if predicate.name == "blocked_by" else 3  # 发布被…卡住
        return bare_title(side_words().sub("", self._text[first:last]), least=least)

    def _code_name(self, start: int, end: int, predicate: Predicate) -> Mention | None:
        """What has a version or an end and is called like a person: 蓝鲸."""
        first, last = self._tight(start, end)
        of_works = predicate.subjects[:1] == ("project",) and predicate.objects[:1] != ("person",)
        if not of_works or not predicate.single_valued or self._mention_at(first, last):
            return None
        return _as_thing(known_type(self._text[first:last], ("person",)))

    def object(
        self, start: int, end: int, predicate: Predicate, *, known: bool = False, free: bool = False
    ) -> Mention | None:
        """The object that the span names or states, if the predicate may have it.

        Parameters
        ----------
        start, end : int
        predicate : Predicate
        known : bool
            Whether a name of unknown type will not do.
        free : bool
            Whether a clause will do.
        """
        start, end = self._tight(start, end)
        if start >= end:
            return None
        if free:
            return clause_beginning(self._text[start:end])
        types = predicate.objects or NAMES
        found = self._text[start:end]
        if not _shape(predicate.shape).fullmatch(found) if predicate.shape else "，" in found:
            return None
        if "，" in found and not _of_address().fullmatch(found):
            return None
        if predicate.objects[:1] == ("person",) and predicate.name != "alias" and found in _CALLINGS:
            return None
        if predicate.name == "alias" and (nickname := self._in_brackets(start, end)):
            return nickname
        read = self._read(start, end, _without_unknown(types) if known else types, predicate)
        return read or (Mention(found, types[0]) if predicate.shape and not _one_character().fullmatch(found) else None)

    def _read(self, start: int, end: int, types: tuple[EntityType, ...], predicate: Predicate) -> Mention | None:
        value = self._amount(start, end) if "amount" in types else None
        value = value or (self._date(start, end) if "date" in types else None)
        if value:
            return value
        names = tuple(kind for kind in types if kind in NAMES)
        named = self._name(start, end, names) if names else None
        if named is None and types == ("organisation",):
            named = _known_company(self._text[start:end])
        if named is None and types == NAMES and (part := thing(self._text[start:end])) and has_han(part.name):
            return Mention(part.name, "name")
        if named:
            return named if types[0] != "organisation" or _can_employ(named.name, sure="name" in types) else None
        if "other" not in types or (predicate.name == "blocked_by" and not is_obstacle(self._text[start:end])):
            return None
        return noun_phrase(self._text[start:end], state=predicate.kind == "relation")

    def topic(self, start: int, end: int, predicate: Predicate, *, verb: bool) -> Mention | None:
        """What a clause without a subject is about, by the names before it in its sentence; None if that is open.

        Parameters
        ----------
        start, end : int
            The part of the sentence before the clause.
        predicate : Predicate
        verb : bool
            Whether the clause begins with its verb, whose subject is then the name that the sentence begins with. A
            noun, such as a budget, belongs to the only thing that can have one.
        """
        if self._speaker and "person" in predicate.subjects[:1] and begins_with_speaker().match(self._text, start, end):
            possessed = possession().match(self._text, start, end)
            if self._speaks_of_self(start, end, possessed):
                return self._speaker
            if verb or not possessed or len(self._persons(start, end)) > _POSSESSED_AND_NAMED:
                return None
        colon = _title().match(self._text, start, end)
        begin = colon.end() if colon else start
        before = self._between(begin, end)
        if not before:
            return self._title(start, begin, predicate) if colon and begin <= end else None
        first = before[0]
        leads = _nothing().fullmatch(self._text, begin, first.start) is not None
        comma = _comma().search(self._text, first.end, end) if verb else None
        if comma and (named := self._name(begin, comma.start(), predicate.subjects)):
            return named
        opened = _opened().search(self._text[first.end : end])
        if not (verb or opened):
            return self._only(before, predicate, leads=leads, titled=colon is not None)
        follows = opened.start() == 0 if opened else not self.joins_name(first.end, end)
        fits = leads and follows and _fits(first.type, predicate.subjects)
        return Mention(first.name, first.type) if fits else None

    def _speaks_of_self(self, start: int, end: int, possessed: re.Match[str] | None) -> bool:
        """Whether what the speaker begins to say is about nobody else, nor about what is the speaker's: 我的房东."""
        if gives_own_name().match(self._text, start, end):
            return True
        if self._persons(start, end):
            return False
        return possessed is None or possessed.lastgroup is not None

    def _persons(self, start: int, end: int) -> set[str]:
        return {one.name for one in self._between(start, end) if one.type == "person"}

    def _title(self, start: int, end: int, predicate: Predicate) -> Mention | None:
        """What is written before a colon, unless it could be somebody who speaks."""
        words = self._text[start:end].strip().rstrip(":：")
        title = self._name(start, start + len(words), predicate.subjects)
        return title if title and not could_be_person(title.name, alone=True) else None

    def _only(self, before: list[MentionSpan], predicate: Predicate, *, leads: bool, titled: bool) -> Mention | None:
        """The only name of the type that the predicate likes best; persons have budgets where a sentence begins so."""
        types = predicate.subjects or NAMES
        for kind in types:
            names = {one.name: one for one in before if one.type == kind}
            if not names:
                continue
            first = before[0]
            if kind == "person" != types[0] and (titled or not leads):
                return None
            if len(names) == 1:
                (only,) = names.values()
                return Mention(only.name, only.type)
            return Mention(first.name, first.type) if leads and first.type == kind == "person" else None
        return None

    def goes_on(self, start: int, end: int) -> MentionSpan | None:
        """The name that stands there, if nothing is said of it."""
        at = bisect_left(self._starts, start)
        if at == len(self._starts) or self._starts[at] >= end:
            return None
        one = self._named[at]
        said = not _nothing().fullmatch(self._text, start, one.start) or not _goes_on().match(self._text, one.end, end)
        return None if said else one

    def joins_name(self, start: int, end: int) -> bool:
        """Whether the span adds a name to what stands before it, and no more: ``, Samson and Ulysses``."""
        joint = joining().match(self._text, start, end)
        return joint is not None and self.goes_on(joint.end(), end) is not None

    def is_name(self, start: int, end: int) -> bool:
        """Whether the span is a name and nothing else."""
        start, end = self._tight(start, end)
        one = self.goes_on(start, end)
        return (one is not None and one.end == end) or is_english_name(self._text[start:end])

    def _between(self, start: int, end: int) -> list[MentionSpan]:
        found = self._named[bisect_left(self._starts, start) : bisect_left(self._starts, end)]
        return [one for one in found if one.end <= end]

    def _name(self, start: int, end: int, types: tuple[EntityType, ...]) -> Mention | None:
        """The one thing with a name that the span is about, looked for once: many wordings ask for the same."""
        key = (start, end, types)
        if key not in self._known:
            self._known[key] = self._name_anew(start, end, types)
        return self._known[key]

    def _name_anew(self, start: int, end: int, types: tuple[EntityType, ...]) -> Mention | None:
        """The speaker, a relative, a mention or a named thing."""
        start, end = self._tight(start, end)
        words = self._text[start:end]
        if "，" in words:
            return None
        if words.lower() in _FIRST_PERSON:
            return self._speaker if not types or "person" in types else None
        if "person" in types and (found := self._introduced(start, end) or self._person_of(start, end)):
            return found
        exact = (self._exactly(*span, types) for span in self._cores(start, end))
        found = relative(words) or next(filter(None, exact), None) or self._thing(start, end)
        if found is None and types[:1] == ("person",) and words in ambiguous_names():
            found = Mention(words, "person")
        if found and found.type == "organisation" and "other" in types and types.count("organisation") == 0:
            found = Mention(found.name, "other")
        return found if found and _fits(found.type, types) else None

    def _person_of(self, start: int, end: int) -> Mention | None:
        """Ann Lee, where the words are ``Ann Lee of Acme``; Bank of England is one name."""
        found = _of_group().fullmatch(self._text, start, end)
        return Mention(found["who"], "person") if found and could_be_person(found["who"], alone=False) else None

    def _introduced(self, start: int, end: int) -> Mention | None:
        """The person named in full that is told what he is: 张伟 of 项目经理张伟, 张伟经理 or 我姐姐张伟."""
        for one in self._between(start, end):
            before, behind = self._text[start : one.start], self._text[one.end : end]
            named = one.type == "person" and has_han(one.name) and relative(one.name) is None
            if named and (before or behind) and introduces().fullmatch(before) and follows_name().fullmatch(behind):
                return Mention(one.name, "person")
        return None

    def _thing(self, start: int, end: int) -> Mention | None:
        """A thing with a head that says what it is, without such words as 那边 behind it."""
        words = side_words().sub("", self._text[start:end])
        return None if _said().search(words) else thing(words)

    def _cores(self, start: int, end: int) -> Iterator[Span]:
        """The span if it is a mention of known type, then without the words that say what it is, then with them."""
        before = _before().match(self._text, start, end)
        first = before.end() if before and before.end() < end else start
        behind = _after().search(self._text, first, end)
        last = behind.start() if behind and behind.start() > first else end
        spans = (self._tight(first, last), (first, last), (first, end), (start, last), (start, end))
        wider = [span for span in reversed(spans) if self._is_whole_name(*span, first)]
        yield from dict.fromkeys((*wider, *spans))

    def _is_whole_name(self, start: int, end: int, stripped: int) -> bool:
        """Whether a mention keeps the words before it, as its type or their capitals say (My Dear Secretary)."""
        one = self._mention_at(start, end)
        if one is None:
            return False
        lead = self._text[start:stripped].split()
        if not lead and self._text[start:end].split()[-1].istitle():
            return True  # the Northern Programme
        return one.type != "name" or (bool(lead) and lead[-1].istitle() and lead[0].lower() not in _ROLES)

    def _in_brackets(self, start: int, end: int) -> Mention | None:
        """The short name that ends behind 又名: 静子."""
        mark = _second().search(self._text, max(0, start - _LONGEST_MARK), start)
        if mark is None or self._text[end : end + 1] not in ("）", ")") + (() if mark["loose"] else ("，", "。", "")):
            return None
        plain = _nickname().fullmatch(self._text, start, end)
        return Mention(plain[0], "name") if plain else None

    def _mention_at(self, start: int, end: int) -> MentionSpan | None:
        return self._by_span.get((start, end))

    def _exactly(self, start: int, end: int, types: tuple[EntityType, ...]) -> Mention | None:
        """The name that fills the span: a mention, else what its form shows."""
        one = self._mention_at(start, end)
        if one and one.type == "name":
            return known_type(one.name, types) or Mention(one.name, "name")
        if one and one.type == "person" and self._text[end : end + 1] == ":":
            return Mention(one.name, "name")  # "Helios: status green" need not be somebody speaking
        if one:
            return Mention(one.name, one.type)
        if self._text[start : start + 1] in ("在", "到", "去"):
            return None
        found = known_type(self._text[start:end], types)
        return found if types[:1] == ("person",) else _as_thing(found)

    def _amount(self, start: int, end: int) -> Mention | None:
        spaces = {place for space in _inner_space().finditer(self._text, start, end) for place in range(*space.span())}
        places = [place for place in range(start, end) if place not in spaces]  # 50 万 is read as 50万
        words = "".join([self._text[place] for place in places])
        found = find_amounts(words, bare=True)
        if len(found) != 1:
            return None
        only = found[0]
        if _amount_words().fullmatch(words, 0, only.start) and _amount_words().fullmatch(words, only.end):
            return Mention(self._text[places[only.start] : places[only.end - 1] + 1], "amount")
        return None

    def _date(self, start: int, end: int) -> Mention | None:
        inside = [date for date in self._dates if start <= date.core[0] and date.core[1] <= end + 1]
        if len(inside) != 1:
            return None
        first, last = inside[0].core
        around = (start, first), (last, max(end, last))
        if all(_date_words().fullmatch(self._text, *part) for part in around):
            return Mention(self._text[first:last].rstrip(" .,"), "date")
        return None

    def name_before(self, end: int) -> Span | None:
        """Where the name stands that ends right before a position."""
        one = next(iter(self._named[max(0, bisect_left(self._starts, end) - 1) :]), None)
        return (one.start, one.end) if one and one.end <= end and not self._text[one.end : end].strip() else None

    def _tight(self, start: int, end: int) -> Span:
        while start < end and self._text[start] in EDGES:
            start += 1
        while start < end and (
            self._text[end - 1] in EDGES or self._text[end - 1] == "." != self._text[end - 3 : end - 2]
        ):
            end -= 1
        return start, end


@cache
def _before() -> re.Pattern[str]:
    """Words in front of a name that say what it is."""
    return re.compile(
        r"(?:(?:the|our|this|that|customer|client|company|supplier|vendor|partner|colleagues?|user|contact|"
        r"ticket|order|invoice|issue|incident|case|bug|task|request|quote|shipment|"
        r"contract|friend|engineer|film|movie|novel|album|song|my|best|old|new|boss|sister|brother|mother|father|"
        r"wife|husband|son|daughter|cousin|"
        r"uncle|aunt|dear|actor|actress|director|author|product|project|service|team|city of|town of|village of|"
        r"singer|writer|poet)\b\s+)+|"
        r"(?:那个|这个|该|我们的?|咱们的?|(?:产品|商品|软件|品牌|项目|系统)(?=[《“「])|客户(?=.{2})|订单|工单|发票|账单|合同|公司|同事|用户|关于|电影|影片|小说|作家|演员|"
        r"导演|我的?|好|朋友|哥们|闺蜜|单号|编号|新|老(?=客户)|"
        r"[\u4e00-\u9fff]{1,8}?(?:已|已经|刚|刚刚)?(?:批准|同意|确认|宣布|批复)了?)+",
        re.IGNORECASE,
    )


_ROLES = word_set("""
    the our customer client company supplier vendor partner user contact ticket order invoice issue contract
""")


@cache
def _after() -> re.Pattern[str]:
    """Words behind a name that leave its meaning as it is."""
    return re.compile(
        r"\s+(?:project|product|service|app|platform|system|initiative|programme|program|ticket|thing|himself|herself|"
        r"itself)$|"
        r"\s*(?:(?:这个|那个|这|那)?项目|这件事|这摊事|那摊事|这事儿?|那事儿?|这边|那边|公司|本人|自己|这块|那块|方面|工单|订单|同学)$",
        re.IGNORECASE,
    )


@cache
def _nothing() -> re.Pattern[str]:
    """Nothing, or words that say what the name behind them is."""
    return re.compile(rf"\W*(?:{_before().pattern})?\s*(?:mr|mrs|ms|dr)?\.?\s*", re.IGNORECASE)


@cache
def _title() -> re.Pattern[str]:
    """What stands before the first colon of a sentence."""
    return re.compile(r"[^\n:：()（]{1,80}[:：](?=\s)\s*")


@cache
def _opened() -> re.Pattern[str]:
    """A parenthesis that is still open."""
    return re.compile(r"\s*[(（][^()（）]*$")


@cache
def _of_group() -> re.Pattern[str]:
    """A name of two words or more and, behind ``of`` or ``from``, whom it belongs to."""
    return re.compile(
        r"(?:(?:the|our)\s)?(?P<who>[A-Z][\w.'’-]*(?:\s[A-Z][\w.'’-]*){1,3})\s(?:of|from|at)\s(?:the\s)?[A-Z](?:(?!,|\s(?:and|or)\s).)*"
    )


@cache
def _said() -> re.Pattern[str]:
    """Words of a statement, which no name of a thing has."""
    return re.compile("不再|接替|[\u4e00-\u9fff]负责[\u4e00-\u9fff]")


@cache
def _comma() -> re.Pattern[str]:
    return re.compile("[,，]")


@cache
def _inner_space() -> re.Pattern[str]:
    return re.compile(r"(?<=\d) {1,2}(?=[百千万亿元块])")


@cache
def _amount_words() -> re.Pattern[str]:
    return re.compile(
        r"(?:\s|about|around|approximately|roughly|some|exactly|just|only|now|up to|a total of|per|each|a|an|every|"
        r"month(?:ly)?|year(?:ly)?|annum|day|week|"
        r"user|seat|licen[cs]e|net|gross|in total|total|overall|plus|vat|tax|/|mo|yr|"
        r"每|月|年|人|次|天|个|约|左右|上下|共|整|了|含税|不含税|人民币|大概|的|-|\.|!|！)*+",
        re.IGNORECASE,
    )


@cache
def _date_words() -> re.Pattern[str]:
    return re.compile(
        r"(?:\s|on|in|the|by|for|due|end of|eod|this|coming|日|号|之?前|为止|在|于|下午|上午|晚上|中午|早上|"
        r"\d{1,2}[:点时]\d{0,2}分?|at|am|pm|[.,!！])*+",
        re.IGNORECASE,
    )


@cache
def _goes_on() -> re.Pattern[str]:
    return re.compile(r"\s*(?:$|[.,;，、。/(]|(?:and|or|but|with|as|who|which)\b)", re.IGNORECASE)


@cache
def _shape(shape: str) -> re.Pattern[str]:
    return re.compile(shape)


def _without_unknown(types: tuple[EntityType, ...]) -> tuple[EntityType, ...]:
    return tuple(kind for kind in types or NAMES if kind != "name")


def _can_employ(name: str, *, sure: bool) -> bool:
    """Whether one may work for it; unless the words make that `sure`, for no club either."""
    return not is_team(name) and not (name.isascii() and name.islower()) and (sure or not _club().search(name))


@cache
def _club() -> re.Pattern[str]:
    return re.compile(
        r"(?:协会|俱乐部|[班队社团群会组]|(?i:club|team|choir|band|league|association|society))$(?<!旅行社)(?<!出版社)(?<!集团)"
    )


def _known_company(words: str) -> Mention | None:
    """A company that everybody knows, where other things might stand as well."""
    found = known_type(words, ("organisation", "name")) if has_han(words) else None
    return found if found and found.type == "organisation" else None


def _as_thing(found: Mention | None) -> Mention | None:
    """The thing with a Chinese name that could be a person's."""
    if found is None or found.type != "person" or not has_han(found.name):
        return found
    return Mention(found.name, "name")


@cache
def _of_address() -> re.Pattern[str]:
    """Parts of an address, and nothing else between commas."""
    part = r"[^，]*[\dA-Za-z\u4e00-\u9fff][号室楼层栋座幢路街弄区市省县镇村园厦场城苑单元里]"
    return re.compile(rf"[^，]+(?:，(?!\s*(?:电话|手机|邮箱|联系)){part})+|[^，]+(?:，\s*(?:邮编|邮政编码)\W?\d{{6}})")


@cache
def _one_character() -> re.Pattern[str]:
    return re.compile("[\u4e00-\u9fff]")


@cache
def _second() -> re.Pattern[str]:
    """What a second name stands behind; of some, only in brackets: 我也叫外卖."""
    return re.compile("(?:又名|别名|现名|原名|曾用名|小名|昵称|外号|(?P<loose>又称|也叫|人称))[是叫为:：]?$")


@cache
def _nickname() -> re.Pattern[str]:
    return re.compile("(?![这那我你他她它])[\u4e00-\u9fff]{2,4}(?<![的了吗呢吧])")


def _fits(kind: EntityType, types: Sequence[EntityType]) -> bool:
    return not types or kind in types
