"""Names in Chinese text: people by surname, titles and cues; organisations, projects and places by their endings."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from string import ascii_lowercase

from hybrid_agent_memory.extract import EntityType
from hybrid_agent_memory.extract import chinese_words as words
from hybrid_agent_memory.extract.english_names import Named
from hybrid_agent_memory.extract.name_forms import no_person, not_given
from hybrid_agent_memory.extract.scanning import first_of, matches, one_of
from hybrid_agent_memory.graph.surnames import COMPOUND, SINGLE, TRADITIONAL

_ALL = 1000
_LONGEST_FIRM = 4  # characters before a word for a trade
_COMMON = 160  # surnames that a full name may begin with though nothing around it says that it is a name
_COMMONEST = 100  # surnames that a title of one character may follow
_SHORT_TITLES = (
    "总(?![结共体计部数量额统理])|工(?![作程人厂资业具序地艺商会期伤])|董(?!事)|某某|某|哥|姐|叔|导(?![致师航入出])|"
    "队(?![伍列长])"
)
_ALWAYS = "总[是会要能在觉算爱喜]"  # behind a full name the adverb; behind a mere surname, 总 is the title
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
_SCHOOLS = ("小学", "中学", "大学", "幼儿园", "学院")
_ATTENDED = "上读念考"  # what one does with schools, so that 上小学 is no school's name
_DOES = "带接管推做负用开建领办写订买卖跟抓盯"  # what a person does to the thing named next
_GOES_TO = "去了|去过|前往|抵达|到达|位于|坐落在|坐落于|游览了?|登上|爬上|爬了|爬过|路过|游玩了?"
_LIVES_IN = (
    "住在|家住|来自|搬到了?|搬去了?|搬回了?|出生于|出生在|老家在|老家是|家乡是|总部在|总部位于|位于|定居|出差到|坐落于"
)
_NAMED_SO = ("码头", "花园")  # endings that names of projects and products have as well
_HANDLED = "收送寄取拿发叫订投买上交办开走点"  # what one does with 快递 or 保险, so that they are nobody's name
_BEFORE_A_NAME = "有和与跟对给向找由让请叫问替帮陪约见归为是说"


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
def _trades() -> frozenset[str]:
    return _words(words.TRADES)


@cache
def _weak() -> frozenset[str]:
    return _words(words.WEAK_ORGANISATIONS)


@cache
def _person_with_title() -> re.Pattern[str]:
    common, commonest, titles = _surname(_COMMON), _surname(_COMMONEST), one_of(words.LONG_TITLES)
    return re.compile(
        rf"(?P<titled>{common}(?:{titles})|{commonest}(?:{_SHORT_TITLES}))"
        rf"|(?P<full>{common}[\u4e00-\u9fff]{{1,2}}?(?={titles})|{common}[{_characters(words.GIVEN)}]{{1,2}}(?!{_ALWAYS})(?={_SHORT_TITLES}))"
        rf"|(?P<nick>[老小阿][{_characters(words.NICKNAMED)}](?!头|家|子|女|程|金库|黄|时|路))"
    )


@cache
def _person_after_cue() -> re.Pattern[str]:
    return re.compile(
        rf"(?:(?P<strong>{_STRONG_CUES})|{_WEAK_CUES})[ ]?(?P<name>(?P<surname>{_surname(_ALL)})[\u4e00-\u9fff]{{1,2}})"
    )


@cache
def _person_by_characters() -> re.Pattern[str]:
    surname, given, behind = _surname(_COMMON), _characters(words.GIVEN), one_of(words.BEHIND_NAMES)
    return re.compile(
        rf"(?<![老小阿])(?:(?P<three>{surname}[{given}]{{2}})(?!(?<=家)[住里在]|(?<=加)入|(?<=生)[病气]|(?<=学)[习会过]|(?<=爱)[听吃看喝玩])(?={behind}|[{_EDGE}]|[^\u4e00-\u9fff]|$)"
        rf"|(?<!·)(?P<telling>{surname}[{given}]?[{words.TELLING}])"
        rf"|(?={surname}){_left()}(?P<two>{surname}[{given}]|[张李王赵][三四五六])(?={behind}|[{_EDGE}]|[0-9]{{1,2}}月|[^\u4e00-\u9fffA-Za-z0-9]|$))"
    )


@cache
def _left() -> str:
    """A pattern for the place where a name may begin though it is short."""
    return (
        rf"(?:(?<=[{_BEFORE_A_NAME}])|(?<=工程师)|(?<={'|'.join(words.BEFORE_NAMES.split())})"
        r"|(?<![\u4e00-\u9fffA-Za-z0-9]))"
    )


@cache
def _called() -> re.Pattern[str]:
    """People called 小雅, 阿强 or 丽丽 by those who know them."""
    return re.compile(
        rf"(?=[小阿{words.TELLING}丽佳芳玲燕萍]){_left()}(?<![在去])(?:[小阿][{words.CALLED}]|(?P<twice>[{words.TELLING}丽佳芳玲燕萍])(?P=twice))"
        rf"(?={one_of(words.BEHIND_NAMES)}|[{_EDGE}]|[^\u4e00-\u9fffA-Za-z0-9]|$)"
    )


@cache
def _seen() -> re.Pattern[str]:
    """A hill or a lake where somebody goes, a town where somebody lives."""
    return re.compile(
        rf"(?:{_GOES_TO})(?P<sight>[\u4e00-\u9fff]{{1,4}}?[山湖岛峰江河寺塔碑])(?=[的和与、后旁附游拍看度玩]|[^\u4e00-\u9fff]|$)"
        rf"|(?:{_LIVES_IN})(?P<town>(?![太夕向])[\u4e00-\u9fff][州阳]|{one_of(words.TOWNS)})(?=[的和与、，工上]|[^\u4e00-\u9fff]|$)"
    )


@cache
def _seen_start() -> re.Pattern[str]:
    return re.compile(first_of(f"{_GOES_TO}|{_LIVES_IN}".replace("|", " ")))


@cache
def _station() -> re.Pattern[str]:
    return re.compile("[东西南北]?站(?![长点台])")


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
        rf"(?P<organisation>{one_of(words.ORGANISATIONS)})|(?P<trade>{one_of(words.TRADES)})|(?P<project>{one_of(words.PROJECTS)})|(?P<plan>计划)"
        rf"|(?P<event>{one_of(words.EVENTS)})|(?P<place>{one_of(words.PLACE_ENDINGS)})"
    )


@cache
def _weak_ends() -> re.Pattern[str]:
    return re.compile(rf"[{_EDGE}总员创老高首宣派承就寄丢延那这一]|[^\u4e00-\u9fff]|$")


@cache
def _trade_ends() -> re.Pattern[str]:
    """What goes on behind a firm's name, and hardly behind a word for its trade: 宏远电子投诉, but 宏远电子表."""
    return re.compile(
        r"(?:投诉|下单|订购|采购|购买|签|确认|取消|付|负责|联系|反映|要求|申请|成立|宣布|表示|上班|工作|任职|公司|集团|那边|这边|方面|总部|一直|每[年月]|提供|推出|发布)"
        r"|[的和与是在由给把被向对也都已将于]|[^\u4e00-\u9fff]|$"
    )


@cache
def _plan_goes_on() -> re.Pattern[str]:
    return re.compile(r"[的是由已批被延启推预就，。、？！和与及；：]|现在|目前|谁|下周|本周|(?:\d{4}年)?\d{1,2}月|$")


@cache
def _numbered() -> re.Pattern[str]:
    """A product with its model, a flat or a hall with its number; the Red Cross of a town."""
    return re.compile(
        r"(?P<product>(?<=[\u4e00-\u9fff])[机器纸板管泵阀灯柜架仪屏锁膜胶桶箱椅]\s?[A-Z]{1,4}-?\d{1,5}[A-Z]?(?![A-Za-z0-9-]))"
        r"|(?<![A-Za-z0-9-])(?:\d{1,3}[A-Z]|[A-Z]\d{0,3})(?:公寓|号楼|栋|座|室|车间|仓库|展厅|会议室)"
        r"|(?P<society>(?:[省市县区]|中国)红十字会)"
    )


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
    for match in matches(_seen_start(), _seen(), flat):
        yield *match.span(match.lastgroup or 0), "place"
    found = matches(_known_start(), _known_names(), flat)
    known = [(match.start(), match.end(), match.lastgroup == "place") for match in found]
    places = {position for start, end, is_place in known if is_place for position in range(start, end)}
    for start, end, is_place in known:
        yield start, end, "place" if is_place else "organisation"
        if is_place and (station := _station().match(flat, end)):
            yield start, station.end(), "place"
    people = [*_titled_people(flat), *_people_after_cues(flat), *_people_by_characters(flat, places)]
    yield from people
    beginnings = {start for start, _, _ in people}
    for match in _kin().finditer(flat):
        if match.end() not in beginnings:
            yield match.start("kin"), match.end(), "person"
    yield from _with_suffix(flat, {start: end for start, end, _ in people})
    for match in _numbered().finditer(flat):
        stem = _stem(flat, match, {}) if match["product"] else ""
        if match["product"] is None:
            yield *match.span(), "organisation" if match["society"] else "place"
        elif stem:
            yield match.start() - len(stem), match.end(), "product"
    for match in _edition().finditer(flat):
        yield match.start(), match.end(), "product"
    for match in _labelled().finditer(flat):
        kind: EntityType = "project" if match["project"] else "organisation" if match["organisation"] else "product"
        yield *match.span("name"), kind


def _people_by_characters(flat: str, places: set[int]) -> Iterator[Named]:
    for match in _person_by_characters().finditer(flat):
        start, end = match.start(), match.end() - _splits_title(flat, match.end())
        doubled = flat[max(0, start - 1) : start] == match[0][0]  # 严严实实
        if end - start > 1 and not doubled and match[0][:2] not in no_person() and places.isdisjoint(range(start, end)):
            yield start, end, "person"
    for match in _called().finditer(flat):
        yield match.start(), match.end(), "person"


def _splits_title(flat: str, end: int) -> bool:
    """Whether a title begins with what was taken for the last character of a name: 张伟先 before 生."""
    return flat[end - 1 : end + 1] in _titles()


def _titled_people(flat: str) -> Iterator[Named]:
    position = 0
    while match := _person_with_title().search(flat, position):
        position = match.end()
        if flat[max(0, match.start() - 1) : match.start() + 1] in _titles():
            continue  # 主任助理 has no Mr. Ren
        full = match["full"]
        if full and full[0] == "向" and _person_with_title().match(flat, match.start() + 1):
            position = match.start() + 1  # 向王副总
        elif match[0][:2] not in no_person() and (not full or not_given().isdisjoint(full[1:])):
            yield match.start(), match.end(), "person"


def _people_after_cues(flat: str) -> Iterator[Named]:
    for match in _person_after_cue().finditer(flat):
        name, surname = match["name"], match["surname"]
        given = name[len(surname) :]
        if given[1:] and not _ends_name(given[1], flat, match.end()):
            given = given[0]
        start = match.start("name")
        end = start + len(surname) + len(given)
        if len(given) > 1 and _splits_title(flat, end):
            given, end = given[0], end - 1
        sure = bool(match["strong"]) or given[0] in _given() or _edge().match(flat, end) is not None
        if sure and not_given().isdisjoint(given) and name[:2] not in no_person():
            yield start, end, "person"


def _ends_name(last: str, flat: str, end: int) -> bool:
    """Whether a character can be the last of a name: it is one of given names, or it stands before an edge."""
    if last in not_given() or last in "总工董哥姐叔某导队":
        return False
    return last in _given() or (last not in _EDGE and _edge().match(flat, end) is not None)


def _stem(flat: str, match: re.Match[str], people: Mapping[int, int]) -> str:
    """What stands before an ending and belongs to its name: nothing of whoever does something to what has it."""
    kind, ending = match.lastgroup or "", match[0]
    most = {"organisation": 14, "event": 14, "project": 8, "plan": 6}.get(kind, 4 if len(ending) < 3 else 6)
    start = max(0, match.start() - most)
    left = flat[start : match.start()]
    edges = [start + edge.end() for edge in _left_edge().finditer(left)]
    start = edges[-1] if edges else start
    behind = people.get(start, start)
    if start < behind < match.start() and flat[behind] in _DOES:
        start = behind + 1
    return flat[start : match.start()]


def _is_no_name(stem: str, match: re.Match[str]) -> bool:
    """Whether an ending and what stands before it name nothing."""
    ending = match[0]
    if len(stem) < 2 or stem + ending in _generic() or stem in _trades():
        return True
    if ending in _SCHOOLS and stem[-1] in _ATTENDED:
        return True
    if match.lastgroup == "trade":
        described = match.string[: match.start() - len(stem)].endswith("的")
        return described or len(stem) > _LONGEST_FIRM or not _trade_ends().match(match.string, match.end())
    return ending in _weak() and (stem[-1] in _HANDLED or not _weak_ends().match(match.string, match.end()))


def _with_suffix(flat: str, people: Mapping[int, int]) -> Iterator[Named]:
    for match in _suffixed().finditer(flat):
        kind = match.lastgroup or ""
        stem = _stem(flat, match, people)
        if _is_no_name(stem, match):
            continue
        if match[0] in ("系统", "平台") and stem[0] in "新旧" and len(stem) > 2:
            stem = stem[1:]
        start = match.start() - len(stem)
        if kind == "plan" and not _plan_goes_on().match(flat, match.end()):
            continue  # a verb: Ann 计划去上海
        if kind in ("organisation", "trade"):
            yield start, match.end(), "organisation"
        elif kind in ("project", "plan"):
            yield start, match.end(), "project"
        elif kind == "event" or len(stem) <= (3 if len(match[0]) < 3 else 6):
            yield start, match.end(), "name" if kind == "event" or match[0] in _NAMED_SO else "place"
