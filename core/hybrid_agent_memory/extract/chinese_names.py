"""Names in Chinese text: people by surname, titles and cues; organisations, projects and places by their endings."""

import re
from collections.abc import Iterator
from functools import cache
from string import ascii_lowercase

from hybrid_agent_memory.extract import chinese_words as words
from hybrid_agent_memory.extract.english_names import Named
from hybrid_agent_memory.graph.surnames import COMPOUND, SINGLE, TRADITIONAL

_ALL = 1000
_COMMONEST = 160  # surnames that a full name may begin with though nothing around it says that it is a name
_SHORT_TITLES = (
    "总(?![结共体计部数量额])|工(?![作程人厂资业具序地艺商会期伤])|董(?!事)|某某|某|哥|姐|叔|"
    "导(?![致师航入出])|处(?![理于在])|局(?![面势部长])|队(?![伍列长])"
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _characters(text: str) -> str:
    return "".join(text.split())


def _one_of(text: str) -> str:
    return "|".join(sorted(text.split(), key=len, reverse=True))


@cache
def _surname(most: int) -> str:
    """A pattern for the commonest surnames, in simplified or traditional characters."""
    simplified = "".join(entry[0] for entry in SINGLE.split()[:most])
    pairs = zip(TRADITIONAL[::2], TRADITIONAL[1::2], strict=True)
    traditional = "".join(old for old, new in pairs if new in simplified)
    compound = "|".join(entry.rstrip(ascii_lowercase) for entry in COMPOUND.split())
    return f"(?:{compound}|[{simplified}{traditional}])"


@cache
def _not_given() -> frozenset[str]:
    return frozenset(_characters(words.NOT_GIVEN))


@cache
def _given() -> frozenset[str]:
    return frozenset(_characters(words.GIVEN))


@cache
def _no_person() -> frozenset[str]:
    return _words(words.NO_PERSON)


@cache
def _generic() -> frozenset[str]:
    return _words(words.GENERIC)


@cache
def _weak() -> frozenset[str]:
    return _words(words.WEAK_ORGANISATIONS)


@cache
def _person_with_title() -> re.Pattern[str]:
    surname, titles = _surname(_ALL), _one_of(words.LONG_TITLES)
    return re.compile(
        rf"(?P<full>{surname}[\u4e00-\u9fff]{{1,2}}?)(?={titles})|(?P<titled>{surname}(?:{titles}|{_SHORT_TITLES}))"
        rf"|(?P<nick>[老小阿][{_characters(words.NICKNAMED)}](?!头|家|子|女|程|金库|黄|时|路))"
    )


@cache
def _person_after_cue() -> re.Pattern[str]:
    surname = _surname(_ALL)
    cue = (
        r"我叫|名叫|叫做|他叫|她叫|名字叫|名字是|姓名[是为:]|负责人[是为:]?|联系人[是为:]?|经理[是为:]?|总监[是为:]|主管[是为:]|项目经理|接口人[是为:]?|对接人[是为:]?|收件人[是为:]?|"
        r"老板[是为]|领导[是为]|老师[是为]|创始人[是为]?|同事|朋友|同学|老公|老婆|上司|下属|邻居|室友|表哥|表姐|表弟|表妹|堂哥|堂姐|由|交给|转给|改为|换成|换为|改由|联系|通知|@"
    )
    return re.compile(rf"(?:{cue})[ ]?(?P<name>{surname}[\u4e00-\u9fff]{{1,2}})")


@cache
def _person_by_characters() -> re.Pattern[str]:
    surname, given = _surname(_COMMONEST), _characters(words.GIVEN)
    edge = (
        "的是说在去来和与跟也都就要会将已把给被对让负表认想喜爱住毕今昨明刚正从向用做有没不很，。！？、；：:,.!?\\s）)"
    )
    return re.compile(
        rf"(?P<three>{surname}[{given}]{{2}})(?=[{edge}]|$)"
        rf"|(?:^|(?<=[，。！？、；：:,.!?\s和与跟对给]))(?P<two>{surname}[{given}])(?=[是说在和与跟也都就要会将已把给被对让负，、]|的(?=邮|电|生|家|工|手|学|职|身|爱|年|预|项|公|老|妻|丈|父|母))"
    )


@cache
def _kin() -> re.Pattern[str]:
    return re.compile(rf"(?<=我)(?:的|家)?(?P<kin>{_one_of(words.KIN)})(?![们圈])")


@cache
def _suffixed() -> re.Pattern[str]:
    return re.compile(
        rf"(?P<organisation>{_one_of(words.ORGANISATIONS)})|(?P<project>{_one_of(words.PROJECTS)})"
        rf"|(?P<place>{_one_of(words.PLACE_ENDINGS)})"
    )


@cache
def _left_edge() -> re.Pattern[str]:
    return re.compile(
        rf"{_one_of(words.EDGE_WORDS)}|[{_characters(words.EDGE_CHARACTERS)}]|[^\u4e00-\u9fffA-Za-z0-9·-]"
    )


@cache
def _known_places() -> re.Pattern[str]:
    return re.compile(_one_of(words.PLACES))


def chinese_names(flat: str) -> Iterator[Named]:
    """Spans of names: start, end, type; by kind, each kind in text order."""
    yield from _people(flat)
    for match in _kin().finditer(flat):
        yield match.start("kin"), match.end(), "person"
    yield from _with_suffix(flat)
    for match in _known_places().finditer(flat):
        yield match.start(), match.end(), "place"


def _people(flat: str) -> Iterator[Named]:
    for match in _person_with_title().finditer(flat):
        if match["full"]:
            if _not_given().isdisjoint(match["full"][1:]) and match["full"][:2] not in _no_person():
                yield match.start(), match.end("full"), "person"
        elif match[0][:2] not in _no_person():
            yield match.start(), match.end(), "person"
    for match in _person_after_cue().finditer(flat):
        name = _plausible(match["name"])
        if name:
            yield match.start("name"), match.start("name") + len(name), "person"
    for match in _person_by_characters().finditer(flat):
        if match[0][:2] not in _no_person():
            yield match.start(), match.end(), "person"


def _plausible(name: str) -> str:
    """The longest beginning of a surname and what follows that can be a full name; empty if none can."""
    if name[:2] in _no_person():
        return ""
    if len(name) > 2 and (name[2] in _not_given() or name[2] not in _given()):
        name = name[:2]
    return "" if not _not_given().isdisjoint(name[1:]) else name


def _with_suffix(flat: str) -> Iterator[Named]:
    for match in _suffixed().finditer(flat):
        kind = match.lastgroup
        most = {"organisation": 14, "project": 8}.get(kind or "", 4)
        left = flat[max(0, match.start() - most) : match.start()]
        edges = [edge.end() for edge in _left_edge().finditer(left)]
        stem = left[edges[-1] :] if edges else left
        name = stem + match[0]
        if len(stem) < 2 or name in _generic():
            continue
        start = match.start() - len(stem)
        if kind == "organisation":
            if match[0] in _weak() and flat[match.end() : match.end() + 1] in tuple("公有股集园大学银"):
                continue
            yield start, match.end(), "organisation"
        elif kind == "project":
            yield start, match.end(), "project"
        elif len(stem) <= 3:
            yield start, match.end(), "place"
