"""Names in Chinese text: people by surname, titles and cues; organisations, projects and places by their endings."""

import re
from collections.abc import Iterator
from functools import cache
from string import ascii_lowercase

from hybrid_agent_memory.extract import EntityType
from hybrid_agent_memory.extract import chinese_words as words
from hybrid_agent_memory.extract.english_names import Named
from hybrid_agent_memory.extract.name_forms import no_person, not_given
from hybrid_agent_memory.extract.scanning import first_of, matches, one_of
from hybrid_agent_memory.graph.surnames import COMPOUND, SINGLE, TRADITIONAL

_ALL = 1000
_COMMON = 160  # surnames that a full name may begin with though nothing around it says that it is a name
_COMMONEST = 100  # surnames that a title of one character may follow
_SHORT_TITLES = (
    "总(?![结共体计部数量额统理])|工(?![作程人厂资业具序地艺商会期伤])|董(?!事)|某某|某|哥|姐|叔|导(?![致师航入出])|"
    "队(?![伍列长])"
)
_STRONG_CUES = (
    "我叫|名叫|原名|本名|真名|叫做|他叫|她叫|名字叫|名字是|姓名[是为:]|(?:负责|联系|接口|对接|收件|创始)人[是为:]?|"
    "(?:经理|总监|主管|老板|领导|老师)[是为:]"
)
_WEAK_CUES = (
    "项目经理|经理|同事|朋友|同学|老公|老婆|上司|下属|邻居|室友|[表堂][哥姐弟妹]|由|交给|转给|改为|换成|换为|改由|"
    "联系|通知|@"
)
_EDGE = (
    "的是说在去来和与跟也都就要会将已把给被对让负表认想喜爱住毕今昨明刚正从向用做有没不很讨联告参提买到问回接担任离加"
    "订投了吗跳否差现家上辞搬结嫁娶调升入签批审写画唱教学生病请休出转管工觉吃穿拿带打发汇"
)
_NAMED_SO = ("码头", "花园")  # endings that names of projects and products have as well
_HANDLED = "收送寄取拿发叫订投买上交办开走点"  # what one does with 快递 or 保险, so that they are nobody's name
_BEFORE_A_NAME = "和与跟对给向找由让请叫问替帮陪约见归为是说"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _characters(text: str) -> str:
    return "".join(text.split())


@cache
def _surname(most: int) -> str:
    """A pattern for the commonest surnames, in simplified or traditional characters."""
    simplified = "".join(entry[0] for entry in SINGLE.split()[:most])
    pairs = zip(TRADITIONAL[::2], TRADITIONAL[1::2], strict=True)
    traditional = "".join(old for old, new in pairs if new in simplified)
    compound = "|".join(entry.rstrip(ascii_lowercase) for entry in COMPOUND.split())
    return f"(?:{compound}|[{simplified}{traditional}])"


@cache
def _given() -> frozenset[str]:
    return frozenset(_characters(words.GIVEN))


@cache
def _titles() -> frozenset[str]:
    return _words(words.LONG_TITLES)


@cache
def _generic() -> frozenset[str]:
    return _words(words.GENERIC)


@cache
def _weak() -> frozenset[str]:
    return _words(words.WEAK_ORGANISATIONS)


@cache
def _person_with_title() -> re.Pattern[str]:
    common, commonest, titles = _surname(_COMMON), _surname(_COMMONEST), one_of(words.LONG_TITLES)
    return re.compile(
        rf"(?P<titled>{common}(?:{titles})|{commonest}(?:{_SHORT_TITLES}))"
        rf"|(?P<full>{common}[\u4e00-\u9fff]{{1,2}}?)(?={titles})"
        rf"|(?P<nick>[老小阿][{_characters(words.NICKNAMED)}](?!头|家|子|女|程|金库|黄|时|路))"
    )


@cache
def _person_after_cue() -> re.Pattern[str]:
    return re.compile(
        rf"(?:(?P<strong>{_STRONG_CUES})|{_WEAK_CUES})[ ]?(?P<name>(?P<surname>{_surname(_ALL)})[\u4e00-\u9fff]{{1,2}})"
    )


@cache
def _person_by_characters() -> re.Pattern[str]:
    surname, given = _surname(_COMMON), _characters(words.GIVEN)
    return re.compile(
        rf"(?<![老小阿])(?:(?P<three>{surname}[{given}]{{2}})(?!(?<=家)[住里在])(?=[{_EDGE}]|[^\u4e00-\u9fff]|$)"
        rf"|(?:(?<=[{_BEFORE_A_NAME}])|(?<=如果|以前|听说|据说|因为|但是|现在|目前|假如|而且|并且|还有)|(?<![\u4e00-\u9fffA-Za-z0-9]))"
        rf"(?P<two>{surname}[{given}]|[张李王赵][三四五六])(?=[{_EDGE}]|[^\u4e00-\u9fffA-Za-z0-9]|$))"
    )


@cache
def _edge() -> re.Pattern[str]:
    return re.compile(rf"[{_EDGE}]|[^\u4e00-\u9fff]|$")


@cache
def _kin() -> re.Pattern[str]:
    kin = one_of(words.KIN)
    return re.compile(
        rf"(?:(?<=我)|(?<=我的)|(?<=我家)|(?<![\u4e00-\u9fff])(?=[\u4e00-\u9fff]{{2}}))(?P<kin>{kin})(?![们圈])"
    )


@cache
def _suffixed() -> re.Pattern[str]:
    return re.compile(
        rf"(?P<organisation>{one_of(words.ORGANISATIONS)})|(?P<project>{one_of(words.PROJECTS)})|(?P<plan>计划)"
        rf"|(?P<event>{one_of(words.EVENTS)})|(?P<place>{one_of(words.PLACE_ENDINGS)})"
    )


@cache
def _weak_ends() -> re.Pattern[str]:
    return re.compile(rf"[{_EDGE}总员创老高首宣派承就寄丢延]|[^\u4e00-\u9fff]|$")


@cache
def _plan_goes_on() -> re.Pattern[str]:
    return re.compile("[的是由已批被延启推预，。、？！和与及；：]|$")


@cache
def _edition() -> re.Pattern[str]:
    return re.compile("(?:标准|专业|企业|旗舰|基础|高级|免费|个人|团队|试用|尊享|入门|豪华)版(?![本权面图块式])")


@cache
def _labelled() -> re.Pattern[str]:
    """The name behind a label: 项目名称：北极星."""
    return re.compile(
        r"(?:(?P<project>项目)|(?P<organisation>公司|客户|单位|店铺)|(?P<product>产品|商品|软件|套餐|品牌))(?:名称|名字|名)(?:[::]|是|为|叫做?)\s?"
        r"(?P<name>[\u4e00-\u9fffA-Za-z0-9]{2,12})(?![\u4e00-\u9fffA-Za-z0-9])"
    )


@cache
def _left_edge() -> re.Pattern[str]:
    label = "(?:客户|用户|公司|供应商|团队|小组|部门|方案|项目)[A-Z甲乙丙丁](?:比)?"
    edges = rf"{label}|{one_of(words.EDGE_WORDS)}|[{_characters(words.EDGE_CHARACTERS)}]"
    return re.compile(rf"{edges}|[^\u4e00-\u9fffA-Za-z0-9·-]")


@cache
def _known_names() -> re.Pattern[str]:
    return re.compile(
        rf"(?P<place>(?:{one_of(words.PLACES)})[省市]?)|(?<![放轻])(?P<organisation>{one_of(words.BRANDS)})"
    )


@cache
def _known_start() -> re.Pattern[str]:
    return re.compile(first_of(words.PLACES + words.BRANDS))


def chinese_names(flat: str) -> Iterator[Named]:
    """Spans of names: start, end, type; by kind, each kind in text order."""
    found = matches(_known_start(), _known_names(), flat)
    known = [(match.start(), match.end(), match.lastgroup == "place") for match in found]
    places = {position for start, end, is_place in known if is_place for position in range(start, end)}
    for start, end, is_place in known:
        yield start, end, "place" if is_place else "organisation"
    people = [*_titled_people(flat), *_people_after_cues(flat)]
    for match in _person_by_characters().finditer(flat):
        doubled = flat[max(0, match.start() - 1) : match.start()] == match[0][0]  # 严严实实
        if not doubled and match[0][:2] not in no_person() and places.isdisjoint(range(*match.span())):
            people.append((match.start(), match.end(), "person"))
    yield from people
    beginnings = {start for start, _, _ in people}
    for match in _kin().finditer(flat):
        if match.end() not in beginnings:
            yield match.start("kin"), match.end(), "person"
    yield from _with_suffix(flat)
    for match in _edition().finditer(flat):
        yield match.start(), match.end(), "product"
    for match in _labelled().finditer(flat):
        kind: EntityType = "project" if match["project"] else "organisation" if match["organisation"] else "product"
        yield *match.span("name"), kind


def _titled_people(flat: str) -> Iterator[Named]:
    for match in _person_with_title().finditer(flat):
        if flat[max(0, match.start() - 1) : match.start() + 1] in _titles():
            continue  # 主任助理 has no Mr. Ren
        full = match["full"]
        if match[0][:2] not in no_person() and (not full or not_given().isdisjoint(full[1:])):
            yield match.start(), match.end(), "person"


def _people_after_cues(flat: str) -> Iterator[Named]:
    for match in _person_after_cue().finditer(flat):
        name, surname = match["name"], match["surname"]
        given = name[len(surname) :]
        if given[1:] and not _ends_name(given[1], flat, match.end()):
            given = given[0]
        start = match.start("name")
        end = start + len(surname) + len(given)
        sure = bool(match["strong"]) or given[0] in _given() or _edge().match(flat, end) is not None
        if sure and not_given().isdisjoint(given) and name[:2] not in no_person():
            yield start, end, "person"


def _ends_name(last: str, flat: str, end: int) -> bool:
    """Whether a character can be the last of a name: it is one of given names, or it stands before an edge."""
    return last not in not_given() and (last in _given() or _edge().match(flat, end) is not None)


def _with_suffix(flat: str) -> Iterator[Named]:
    for match in _suffixed().finditer(flat):
        kind = match.lastgroup or ""
        most = {"organisation": 14, "event": 14, "project": 8, "plan": 6}.get(kind, 4)
        left = flat[max(0, match.start() - most) : match.start()]
        edges = [edge.end() for edge in _left_edge().finditer(left)]
        stem = left[edges[-1] :] if edges else left
        if (
            len(stem) < 2
            or stem + match[0] in _generic()
            or (match[0] in _weak() and (stem[-1] in _HANDLED or not _weak_ends().match(flat, match.end())))
        ):
            continue
        if match[0] in ("系统", "平台") and stem[0] in "新旧" and len(stem) > 2:
            stem = stem[1:]
        start = match.start() - len(stem)
        if kind == "plan" and not _plan_goes_on().match(flat, match.end()):
            continue  # a verb: Ann 计划去上海
        if kind == "organisation":
            yield start, match.end(), "organisation"
        elif kind in ("project", "plan"):
            yield start, match.end(), "project"
        elif kind == "event" or len(stem) <= 3:
            yield start, match.end(), "name" if kind == "event" or match[0] in _NAMED_SO else "place"
