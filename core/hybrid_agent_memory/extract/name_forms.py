"""Whether words look like a name of some kind, for slots whose borders the grammar of a clause has settled."""

import re
from functools import cache

from hybrid_agent_memory.extract import EntityType, Mention
from hybrid_agent_memory.extract.chinese_words import KIN, NO_PERSON, NOT_GIVEN, PLACES
from hybrid_agent_memory.extract.common_words import (
    common_words,
    function_words,
    given_names,
    is_common,
    is_given_name,
    openers,
)
from hybrid_agent_memory.extract.phrases import word_set
from hybrid_agent_memory.extract.places import known_places
from hybrid_agent_memory.graph.surnames import split_surname

_EN_HEADS = """
    project product service services system platform database cluster pipeline team group squad department
    division board committee contract package plan tier edition module api gateway server backend frontend app
    application website portal dashboard library tool office branch warehouse factory plant store shop hotel museum
    bridge school university company agency bank bot agent migration rollout release campaign program programme
    account repo repository feature model queue index bucket document report survey audit tender permit proposal
    brochure catalogue newsletter exhibition conference workshop depot substation
"""
_EN_GROUPS = word_set("""
    team group squad department division board committee company agency bank office
""")
_ZH_HEADS = (
    "项目|系统|平台|服务|套餐|产品|模块|团队|小组|部门|部|公司|集团|数据库|集群|接口|网关|仓库|方案|计划|工程|中台|"
    "后台|前台|网站|软件|工具|应用|"
    "版|会员|门店|酒店|工厂|学校|医院|大学|银行|活动|会议|课程|招聘会|发布会|峰会|大会|展会|业务|办公室|分公司|"
    "事业部|中心|"
    "科技|物流|证券|保险|传媒|网络|电子|食品|餐饮|学院|中学|小学|研究院|博物馆|超市|餐厅|工作室"
)
_ZH_GROUPS = tuple(
    word_set("""
        部 团队 小组 公司 集团 部门 科技 物流 证券 保险 传媒 学院 大学 中学
        小学 研究院 银行 医院 博物馆 工作室
    """)
)

EN_KIN = (
    "mother|mom|mum|dad|father|sister|brother|wife|husband|girlfriend|boyfriend|son|daughter|aunt|uncle|cousin|nephew|"
    "niece|grandmother|grandma|grandfather|grandpa|boss|roommate|landlord|fianc[eé]e?|(?:mother|father|sister|brother)-in-law"
)
"""Whom ``my`` makes one person, a pattern."""

_EN_MORE_KIN = "partner|colleague|coworker|co-worker|flatmate|neighbou?r|friend"
_ZH_MORE_KIN = "老爸 老妈 爱人 哥 姐 姑父 姨父 房东"


@cache
def _kin() -> re.Pattern[str]:
    chinese = "|".join(f"{KIN} {_ZH_MORE_KIN}".split())
    return re.compile(
        rf"(?:my\s+)?(?P<en>(?:(?:older|younger|elder|big|little|best|eldest)\s+)?(?:{EN_KIN}|{_EN_MORE_KIN}))|(?:我的?|一个|"
        rf"那个)*(?P<zh>[大二三小]?(?:{chinese}))",
        re.IGNORECASE,
    )


def relative(words: str) -> Mention | None:
    """One of the speaker's people, under the word that says which: ``my sister``, 我表哥.

    Examples
    --------
    >>> relative("my older sister"), relative("我的表哥"), relative("the sister")
    (Mention(name='older sister', type='person'), Mention(name='表哥', type='person'), None)
    """
    kin = _kin().fullmatch(words) if len(words) <= 40 else None
    return Mention(kin["en"] or kin["zh"], "person") if kin else None


@cache
def _thing() -> re.Pattern[str]:
    heads = "|".join(_EN_HEADS.split())
    return re.compile(
        rf"(?:the\s+|our\s+)?(?P<en>(?!(?:the|our|a|an|this|that|new|old|other|whole|same|next|last|every|each|my|"
        rf"his|her|their|your|any|some|no|"
        rf"big|small|main|good|entire|own|first|second|current|previous|another|more|different|local|"
        rf"weekly|monthly|quarterly|annual|yearly|daily|status|progress|final|draft|latest)\b)"
        rf"[A-Za-z][\w.-]*(?:\s+[A-Za-z][\w.-]*)?\s+(?:(?:{heads})|(?:document|permit|report|proposal)s))"
        rf"|(?P<zh>(?![这那该此某各每整本我你您他她它两几一新老旧其])[\u4e00-\u9fffA-Za-z0-9]{{2,12}}?(?:{_ZH_HEADS}))",
        re.IGNORECASE,
    )


def thing(words: str) -> Mention | None:
    """A thing that a noun phrase singles out, by a head that says what it is: ``the billing service``, 支付网关.

    Examples
    --------
    >>> thing("the billing service"), thing("支付网关"), thing("the service")
    (Mention(name='billing service', type='other'), Mention(name='支付网关', type='other'), None)
    """
    found = _thing().fullmatch(words) if len(words) <= 60 else None
    if not found:
        return None
    name = found["en"] or found["zh"]
    if found["zh"] and not _no_word().isdisjoint(name):
        return None
    group = name.rsplit(maxsplit=1)[-1].lower() in _EN_GROUPS or name.endswith(_ZH_GROUPS)
    return Mention(name, "organisation" if group else "other")


@cache
def _no_word() -> frozenset[str]:
    return frozenset("的了在是和与跟把被给让从向到对就都还又也很们着过吗呢吧啊")


def is_team(name: str) -> bool:
    """Whether a thing is part of an organisation: no employer."""
    return (
        re.search(
            r"(?:team|group|squad|department|division|board|committee|office|branch|团队|小组|部门|部)$",
            name,
            re.IGNORECASE,
        )
        is not None
    )


@cache
def _code() -> re.Pattern[str]:
    return re.compile(r"(?!\d+(?:[.,]\d+)*$)[A-Za-z0-9]+(?:[-_./][A-Za-z0-9]+)+|[A-Z]{1,6}\d{2,}", re.ASCII)


def is_code(words: str) -> bool:
    """Whether words are written like a component or a number: joined by hyphens, underscores, dots.

    Examples
    --------
    >>> is_code("checkout-api"), is_code("JIRA-4821"), is_code("checkout")
    (True, True, False)
    """
    return len(words) <= 80 and _code().fullmatch(words) is not None


_JOINTS = word_set("""
    of the de da del van von der den di du la le al bin ibn &
""")


def is_english_name(words: str) -> bool:
    """Whether words are a name by their capitals; a lone common word is none.

    Examples
    --------
    >>> is_english_name("Bank of Oslo"), is_english_name("Nobody"), is_english_name("the boss")
    (True, False, False)
    """
    parts = words.split()
    if len(words) < 2 or not 0 < len(parts) <= 7 or not all(_name_word().fullmatch(part) for part in parts):
        return False
    first = parts[0].lower()
    if not parts[0][0].isupper() or first in function_words() or parts[-1].lower() in _JOINTS:
        return False
    if len(parts) == 1 and (first in common_words() or first.removesuffix("s") in common_words()):
        return False
    return all(part[0].isupper() or part[0].isdigit() or part in _JOINTS for part in parts)


@cache
def _name_word() -> re.Pattern[str]:
    return re.compile(r"[^\W_\u3400-\u9fff][^\W\u3400-\u9fff]*(?:[.'’&+#/-]+[^\W\u3400-\u9fff]*)*|&")


@cache
def not_given() -> frozenset[str]:
    """Characters that no given name has."""
    return frozenset("".join(NOT_GIVEN.split()))


@cache
def no_person() -> frozenset[str]:
    """Two characters that begin like a name and are a word."""
    return frozenset(NO_PERSON.split())


def is_chinese_person(words: str) -> bool:
    """Whether words are a full Chinese name: a surname and one or two characters that names have.

    Examples
    --------
    >>> is_chinese_person("王强"), is_chinese_person("欧阳娜娜"), is_chinese_person("王经理"), is_chinese_person("客服")
    (True, True, False, False)
    """
    if not 2 <= len(words) <= 4 or words[:2] in no_person() or not _han_only().fullmatch(words):
        return False
    parts = split_surname(words)
    return parts is not None and 1 <= len(parts[2]) <= 2 and not_given().isdisjoint(parts[2])


@cache
def _han_only() -> re.Pattern[str]:
    return re.compile(r"[\u3400-\u9fff]+")


@cache
def _chinese_place() -> re.Pattern[str]:
    known = "|".join(sorted(PLACES.split(), key=len, reverse=True))
    part = r"[\u4e00-\u9fff]{1,6}?(?:自治区|省|市|区|县|镇|乡|村|州|街道|大道|路|新区|开发区|园区|岛)"
    return re.compile(
        rf"(?:{known})(?:省|市)?(?:{known}|{part}){{0,3}}|(?:{part}){{2,3}}|[\u4e00-\u9fff]{{2,3}}(?:省|市|县|镇|州)"
    )


def is_chinese_place(words: str) -> bool:
    """Whether words are a place by the cities and endings in them.

    Examples
    --------
    >>> [is_chinese_place(words) for words in ("浙江绍兴", "南京市鼓楼区", "新家", "超市")]
    [True, True, False, False]
    """
    return len(words) <= 24 and words not in _NO_PLACE and _chinese_place().fullmatch(words) is not None


_NO_PLACE = word_set("""
    一个城市 大城市 小城市 这个城市 老城区 郊区小镇 小县 某县 城市 菜市 夜市 我们市 我们县 隔壁镇 隔壁村
""")


def is_english_place(words: str, *, whole: bool = False) -> bool:
    """Whether words are a well-known place, or, unless `whole`, a name before one: ``Springfield, Illinois``.

    Examples
    --------
    >>> is_english_place("Berlin"), is_english_place("Springfield, Illinois"), is_english_place("Sales")
    (True, True, False)
    """
    name, _, region = words.partition(",")
    return words.lower() in known_places() or (
        not whole and region.strip().lower() in known_places() and is_english_name(name)
    )


_ZH_COMPANIES = word_set("""
    华为 腾讯 阿里 阿里巴巴 百度 字节 字节跳动 京东 美团 小米 网易 滴滴 拼多多 快手 新浪 搜狐 联想 中兴 比亚迪
    蚂蚁 蚂蚁金服 携程 哔哩哔哩 微软 谷歌 苹果 亚马逊 特斯拉 英特尔 三星 索尼 格力 美的 海尔 顺丰 万科 恒大
    蔚来 理想 小鹏 大疆 中国移动 中国电信 中国联通 国家电网 中石油 中石化 招商银行 工商银行 建设银行 农业银行
    平安 国美 苏宁 知乎 小红书 商汤 科大讯飞 宁德时代
""")


ZH_GENERIC = word_set("""
    国企 外企 私企 央企 银行 学校 医院 工厂 公司 单位 政府 大厂 小厂 外地 本地 国外 国内 老家 家乡 家里 机关
    事务所 体制内 互联网 工地 一线 上海 海外 学院 大学 研究所 咨询公司 外面 附近 市区 县城 城里 郊区 乡下 总部
    分公司 甲方 乙方 隔壁 楼上 楼下 现场 线上 线下 前台 后台 仓库 车间 店里 网上 新公司 老东家
""")


def is_chinese_company(words: str) -> bool:
    """Whether words that stand where an employer does can be one's name, rather than a kind of place.

    Examples
    --------
    >>> is_chinese_company("华为"), is_chinese_company("国企"), is_chinese_company("他家")
    (True, False, False)
    """
    if not 2 <= len(words) <= 14 or words.isascii() or words in ZH_GENERIC or not _company_word().fullmatch(words):
        return False
    return (
        _no_word().isdisjoint(words)
        and words[-1] not in "里上下边面处间线地方家时候个次"
        and words[0] not in "这那该此某各每整本我你您他她它两几一其另"
    )


@cache
def _company_word() -> re.Pattern[str]:
    return re.compile(r"[\u4e00-\u9fffA-Za-z0-9·&]+")


def _takes_things(wanted: tuple[EntityType, ...]) -> bool:
    return "other" in wanted and wanted[0] != "person"


@cache
def _noun_and_code() -> re.Pattern[str]:
    """What something is, and its code: ``kraft roll KR-80``."""
    return re.compile(r"(?P<nouns>(?:[a-z]{3,20} ){1,3})(?P<code>[A-Z]{1,6}-?\d{2,}(?:-\d+)*)")


@cache
def _name_and_noun() -> re.Pattern[str]:
    return re.compile(r"(?P<name>[A-Z][\w-]{2,30}(?: [A-Z][\w-]{2,30})?)(?P<nouns>(?: [a-z]{4,20}){1,2})")


def is_name_with_noun(words: str) -> bool:
    """Whether words are a name and, in lower case, what it is the name of.

    Examples
    --------
    >>> is_name_with_noun("Oakridge substation"), is_name_with_noun("Oakridge alone")
    (True, False)
    """
    found = _name_and_noun().fullmatch(words)
    if not found:
        return False
    first = found["name"].split()[0].lower()
    no_name = first in given_names() or first in function_words() or first in openers() or is_common(first)
    return not no_name and not first.endswith(_DERIVED) and _are_nouns(found["nouns"].split())


def _are_nouns(words: list[str]) -> bool:
    """Whether lower-case words could all be nouns: they carry no grammar, and are no adverbs or participles."""
    return not any(
        word in function_words() or word in openers() or word in _NO_NOUNS or word.endswith(("ly", "ed", "ing"))
        for word in words
    )


_DERIVED = ("al", "ary", "ly", "ed", "ing", "ous", "ive", "ful", "able")
_NO_NOUNS = word_set("""
    budget price cost deadline owner status version fee rent team lead project plan
    alone together well abroad online offline outright solo jointly altogether though tho aside apart home
    mornings evenings nights weekends
    away here elsewhere forever anymore overseas worldwide full-time early late fast hard best better
    worse
    says said tells told thinks knows owns leads runs manages heads holds keeps wants needs gets got makes
    made does did goes went comes came takes took gave left live lives dead open closed free ready fine okay
""")


@cache
def _lettered() -> re.Pattern[str]:
    return re.compile(
        r"(?:客户|用户|供应商|公司|项目|产品|方案|仓库|部门|小组|团队|服务|系统|模块)"
        r"(?:\s?[A-Z0-9]{1,3}|[甲乙丙丁])"
    )


def known_type(words: str, wanted: tuple[EntityType, ...]) -> Mention | None:
    """The name that words are, by their form alone; its type is ``name`` where the form does not tell.

    Parameters
    ----------
    words : str
        All of a slot.
    wanted : tuple of str
        What the slot may hold; only a slot for employers takes Chinese words as a company's name.
    """
    if _lettered().fullmatch(words):
        return Mention(words, "name")
    if is_code(words):
        return Mention(words, "identifier")
    if is_chinese_place(words) or (
        is_english_place(words) and ("place" in wanted or words.lower() not in given_names())
    ):
        return Mention(words, "place")
    if is_chinese_person(words) and (not wanted or "person" in wanted):
        return Mention(words, "person")
    if wanted == ("organisation", "name") and is_chinese_company(words):
        return Mention(words, "organisation" if words in _ZH_COMPANIES else "name")
    if coded := _noun_and_code().fullmatch(words):
        return Mention(coded["code"], "identifier") if _are_nouns(coded["nouns"].split()) else None
    if not is_english_name(words):
        named = _takes_things(wanted) and is_name_with_noun(words)
        return (thing(words) or Mention(words, "name")) if named else None
    parts = words.lower().split()
    return Mention(words, "person" if is_given_name(parts[0]) and len(parts) <= 3 else "name")
