"""Chinese sentences: who is meant by a name with a title, whose a telephone is, where a name begins and ends."""

from datetime import UTC, datetime

import pytest

from hybrid_agent_memory.extract import Context
from hybrid_agent_memory.extract.mentions import find_mentions
from hybrid_agent_memory.extract.rules import RuleExtractor

SAID = datetime(2024, 11, 20, tzinfo=UTC)
SPEAKER = "Lin"
TITLES = (
    "先生",
    "女士",
    "小姐",
    "总",
    "经理",
    "工",
    "主任",
    "老师",
    "医生",
    "教授",
    "律师",
    "总监",
    "工程师",
    "董事长",
)
Fact = tuple[str, str, str]


def facts(text: str) -> list[Fact]:
    triples = RuleExtractor().extract(text, Context(time=SAID, speaker=SPEAKER)).triples
    return [(fact.subject.name, fact.predicate, fact.object.name) for fact in triples]


def names(text: str) -> list[tuple[str, str]]:
    return [(one.name, one.type) for one in find_mentions(text) if one.type not in ("date", "amount")]


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("name", ["陈建平", "孙敏", "上官雨", "司马文博", "王小玲"])
def test_a_full_name_is_the_same_with_a_title(name: str, title: str) -> None:
    assert facts(f"{name}{title}负责竹海项目。") == [("竹海项目", "owner", name)]
    assert facts(f"竹海项目的负责人是{name}{title}。") == [("竹海项目", "owner", name)]
    assert facts(f"竹海项目由{name}{title}接手。") == [("竹海项目", "owner", name)]
    assert facts(f"{name}{title}投诉了安装。") == [(name, "complained_about", "安装")]


@pytest.mark.parametrize(
    "title", ["经理", "产品经理", "总监", "教授", "客户", "我同事", "我的表姐", "店长", "法务主管", "前台"]
)
def test_a_title_may_stand_before_a_full_name(title: str) -> None:
    assert facts(f"{title}沈佳怡住在苏州。") == [("沈佳怡", "lives_in", "苏州")]


@pytest.mark.parametrize("person", ["孙先生", "孙总", "孙工", "老孙", "欧阳女士", "孙某"])
def test_a_surname_keeps_its_title(person: str) -> None:
    assert facts(f"{person}负责竹海项目。") == [("竹海项目", "owner", person)]


@pytest.mark.parametrize(
    "text",
    [
        "孙敏的经理负责竹海项目。",
        "孙敏的老婆周岚投诉了安装。",
        "听说孙敏经理负责竹海项目。",
        "孙敏老师的学生负责竹海项目。",
        "经理和孙敏谈了竹海项目。",
    ],
)
def test_whoever_is_somebodys_is_not_that_somebody(text: str) -> None:
    assert facts(text) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("我的教练是秦老师，电话021-66554433。", [("秦老师", "phone", "021-66554433")]),
        ("我的表弟孙敏，生日是3月8日。", [("孙敏", "birthday", "3月8日")]),
        ("我妈妈最近很忙，电话021-66554433。", [("妈妈", "phone", "021-66554433")]),
        ("我的同事是孙敏和周岚，电话021-66554433。", []),
        ("我和孙敏是邻居，生日是3月8日。", []),
        ("我昨天碰到孙敏，负责竹海项目。", []),
        ("我的猫很乖，生日是3月8日。", []),
        ("我家的猫很乖，生日是3月8日。", []),
        ("本人住在苏州，电话021-66554433。", [(SPEAKER, "lives_in", "苏州"), (SPEAKER, "phone", "021-66554433")]),
        ("我的律师是孙敏，负责竹海项目。", []),
        ("我叫孙敏，生日是3月8日。", [(SPEAKER, "birthday", "3月8日")]),
        ("我住在苏州，电话021-66554433。", [(SPEAKER, "lives_in", "苏州"), (SPEAKER, "phone", "021-66554433")]),
        (
            "我的手机是021-66554433，邮箱是lin@zhuhai.cn。",
            [(SPEAKER, "phone", "021-66554433"), (SPEAKER, "email", "lin@zhuhai.cn")],
        ),
        ("I met Mr. Doyle, phone: 555-010-2030.", []),
        ("My plumber is Mr. Doyle, birthday: May 9.", []),
    ],
)
def test_what_is_said_of_another_is_not_the_speakers(text: str, told: list[Fact]) -> None:
    assert facts(text) == told


@pytest.mark.parametrize("side", ["那边", "这边", "那块", "方面"])
def test_a_name_ends_before_that_side(side: str) -> None:
    assert facts(f"青禾物流{side}的联系人是孙敏。") == [("青禾物流", "contact", "孙敏")]
    assert facts(f"竹海项目{side}由孙敏负责。") == [("竹海项目", "owner", "孙敏")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("徐薇假装睡着了", ["徐薇"]),
        ("韩雪可能晚到", ["韩雪"]),
        ("司马娜聊起旧事", ["司马娜"]),
        ("曾志远十分高兴", ["曾志远"]),
        ("快把谢婷叫醒", ["谢婷"]),
        ("昨晚有冯浩和邓颖", ["冯浩", "邓颖"]),
        ("除非孙敏答应", ["孙敏"]),
        ("小芳来了，阿杰也在", ["小芳", "阿杰"]),
        ("丽丽和倩倩回家了", ["丽丽", "倩倩"]),
        ("向李副总汇报", ["李副总"]),
        ("孙敏带竹海项目", ["孙敏", "竹海项目"]),
        ("下周起竹海项目归孙敏", ["竹海项目", "孙敏"]),
    ],
)
def test_persons_are_found_by_their_characters_and_neighbours(text: str, found: list[str]) -> None:
    assert [name for name, _ in names(text)] == found


@pytest.mark.parametrize(
    "text",
    [
        "小学在家附近",
        "阿姨在家",
        "天天和慢慢来",
        "明明说好了",
        "小心地滑",
        "方便可能不方便",
        "儿子上小学了",
        "马上可能下雨",
        "安静一直很难",
        "新能源时代来了",
        "绿色食品的好处",
        "穿上喜欢的表演服饰",
        "周六安排在朝南阳台",
        "今天水管坏了",
        "有几家电子公司和这家贸易公司",
    ],
)
def test_words_that_look_like_names_are_none(text: str) -> None:
    assert [name for name, _ in names(text) if name not in ("阿姨", "儿子")] == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("鸿远电子投诉了安装", ("鸿远电子", "organisation")),
        ("青川贸易的合同", ("青川贸易", "organisation")),
        ("他可能会当青禾物流的客户", ("青禾物流", "organisation")),
        ("青禾物流一直不回复", ("青禾物流", "organisation")),
        ("她在城南附中教书", ("城南附中", "organisation")),
        ("票买到杭州东站", ("杭州东站", "place")),
        ("他们去了凤栖山。", ("凤栖山", "place")),
        ("孙敏负责白鹭洲变电站", ("白鹭洲变电站", "place")),
        ("候鸟计划现在归谁", ("候鸟计划", "project")),
        ("她买了投影仪XG-300和幕布", ("投影仪XG-300", "product")),
        ("县红十字会来了", ("县红十字会", "organisation")),
        ("他住在9C公寓", ("9C公寓", "place")),
        ("她来自衢州", ("衢州", "place")),
        ("候鸟计划3月上线", ("候鸟计划", "project")),
    ],
)
def test_organisations_places_and_projects_are_found_by_their_endings(text: str, found: tuple[str, str]) -> None:
    assert found in names(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("竹海项目移交给孙敏负责。", [("竹海项目", "owner", "孙敏")]),
        ("竹海项目转交给了孙敏。", [("竹海项目", "owner", "孙敏")]),
        ("竹海项目交接给孙敏负责。", [("竹海项目", "owner", "孙敏")]),
        ("竹海项目由孙敏带。", [("竹海项目", "owner", "孙敏")]),
        ("竹海项目由孙敏带回。", []),
        ("周岚把竹海项目移交给了孙敏。", [("竹海项目", "owner", "孙敏")]),
        ("我们已经将竹海项目交给孙敏女士负责。", [("竹海项目", "owner", "孙敏")]),
        ("周岚打算把竹海项目移交给孙敏。", []),
        ("周岚把钥匙移交给了孙敏。", []),
        ("孙敏加入了合唱团。", [("孙敏", "joined", "合唱团")]),
        ("孙敏加入了摄影协会。", [("孙敏", "joined", "摄影协会")]),
        ("孙敏加入了青禾物流。", [("孙敏", "works_for", "青禾物流")]),
        ("孙敏就职于摄影协会。", [("孙敏", "works_for", "摄影协会")]),
        ("孙敏确认了报价并签了字。", [("孙敏", "confirmed", "报价")]),
        ("孙敏付了款。", []),
        ("Vega is part of the Western Initiative.", [("Vega", "part_of", "Western Initiative")]),
        (
            "孙敏的地址是湖滨路8号，电话021-66554433。",
            [("孙敏", "address", "湖滨路8号"), ("孙敏", "phone", "021-66554433")],
        ),
        ("孙敏的地址是湖滨路8号，2栋301室。", [("孙敏", "address", "湖滨路8号，2栋301室")]),
        ("孙敏的地址是湖滨路8号，随时来玩。", [("孙敏", "address", "湖滨路8号")]),
    ],
)
def test_subjects_and_objects_end_where_their_names_do(text: str, told: list[Fact]) -> None:
    assert facts(text) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("孙敏的老公是冯浩。", [("孙敏", "married_to", "冯浩")]),
        ("我爱人是冯浩。", [(SPEAKER, "married_to", "冯浩")]),
        ("孙敏的老公是老师。", []),
        ("竹海系统用的是腾讯云。", [("竹海系统", "uses", "腾讯云")]),
        ("竹海系统每月收费800元。", [("竹海系统", "price", "800元")]),
        ("7C公寓的月租是4200元。", [("7C公寓", "rent", "4200元")]),
        ("竹海项目3月8日前必须交付。", [("竹海项目", "deadline", "3月8日")]),
        ("竹海项目必须在3月8日前上线。", [("竹海项目", "deadline", "3月8日")]),
        ("竹海项目必须由孙敏负责。", []),
        ("检测部隶属于制造中心。", [("检测部", "part_of", "制造中心")]),
        ("这种事属于误会。", []),
        ("竹海项目被合规评审卡住了。", [("竹海项目", "blocked_by", "合规评审")]),
        ("行李箱被抽屉卡住了。", []),
        ("订单TR-4410因缺货暂停。", [("TR-4410", "status", "暂停")]),
        ("订单TR-4410因缺货没有暂停。", []),
        ("冯浩（又名阿光）负责竹海项目。", [("冯浩", "alias", "阿光"), ("竹海项目", "owner", "冯浩")]),
        ("冯浩，又名阿光，住在苏州。", [("冯浩", "alias", "阿光"), ("冯浩", "lives_in", "苏州")]),
        ("孙敏的外号是圆圆。", [("孙敏", "alias", "圆圆")]),
        ("我也叫了外卖。", []),
        ("冯浩也叫外卖。", []),
        ("产品《竹海》的价格是90元。", [("竹海", "price", "90元")]),
        ("软件“竹海”的价格是90元。", [("竹海", "price", "90元")]),
        ("孙女士打电话来投诉安装。", [("孙女士", "complained_about", "安装")]),
        ("竹海项目的预算给了30万。", [("竹海项目", "budget", "30万")]),
        ("竹海项目的预算在30万以内。", []),
        ("竹海项目的预算在30万左右。", [("竹海项目", "budget", "30万")]),
    ],
)
def test_more_wordings(text: str, told: list[Fact]) -> None:
    assert facts(text) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("竹海项目的负责人是李想。", [("竹海项目", "owner", "李想")]),
        ("李想住在苏州。", [("李想", "lives_in", "苏州")]),
        ("小李想搬到苏州。", []),
        ("竹海项目由方圆接手。", [("竹海项目", "owner", "方圆")]),
        ("孙敏住在濮阳。", [("孙敏", "lives_in", "濮阳")]),
        ("孙敏住在六安。", [("孙敏", "lives_in", "六安")]),
        ("孙敏住在隔壁。", []),
        ("孙敏来自夕阳红。", []),
        ("方圆五里都能听见。", []),
        ("竹海项目由高峰期负责。", []),
    ],
)
def test_a_word_is_a_person_or_a_place_where_only_that_can_be_meant(text: str, told: list[Fact]) -> None:
    assert facts(text) == told


@pytest.mark.parametrize("said", ["预算是30万", "版本是v4.1", "截止日期是2025年3月8日", "状态是进行中"])
def test_what_has_a_budget_or_a_version_is_a_thing(said: str) -> None:
    (fact,) = RuleExtractor().extract(f"白鹭的{said}。", Context(time=SAID)).triples
    assert (fact.subject.name, fact.subject.type) == ("白鹭", "name")
    known = RuleExtractor().extract(f"孙敏住在苏州，孙敏的{said}。", Context(time=SAID)).triples
    assert {one.subject.type for one in known} == {"person"}


@pytest.mark.parametrize(
    ("text", "date"),
    [("竹海项目今晚上线", "今晚"), ("昨晚上课", "昨晚"), ("今晚上海见", "今晚"), ("昨晚上吃火锅", "昨晚上")],
)
def test_a_night_ends_where_the_verb_begins(text: str, date: str) -> None:
    assert [one.name for one in find_mentions(text) if one.type == "date"] == [date]


@pytest.mark.parametrize(
    "text", ["马丽接管云仓项目", "马丽接管了云仓项目。", "马丽主持云仓项目。", "马丽1月接手了云仓项目"]
)
def test_verbs_of_taking_over_are_no_part_of_a_name(text: str) -> None:
    assert facts(text) == [("云仓项目", "owner", "马丽")]
    assert names(text) == [("马丽", "person"), ("云仓项目", "project")]


def test_a_group_of_companies_is_an_employer_but_a_club_is_none() -> None:
    assert facts("韩磊加入了恒通集团。") == [("韩磊", "works_for", "恒通集团")]
    assert facts("韩磊在盛达电子上班。") == [("韩磊", "works_for", "盛达电子")]
    assert facts("韩磊加入了登山协会。") == [("韩磊", "joined", "登山协会")]


@pytest.mark.parametrize("lead", ["贺总批准", "董事会同意", "魏岚确认", "总经理宣布"])
def test_who_approves_something_is_no_part_of_its_name(lead: str) -> None:
    for sentence, fact in (
        ("海燕项目的预算增加到90万。", ("budget", "90万")),
        ("海燕项目改由魏岚负责。", ("owner", "魏岚")),
    ):
        stated = [one for one in facts(lead + sentence) if one[1] != "confirmed"]
        assert stated == [("海燕项目", *fact)]


@pytest.mark.parametrize("lead", ["贺总否决", "董事会不同意", "魏岚申请", "总经理驳回", "贺总建议"])
def test_what_is_not_approved_is_no_fact(lead: str) -> None:
    assert facts(f"{lead}海燕项目的预算增加到90万。") == []
