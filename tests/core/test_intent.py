"""What a query asks for besides its subject, by examples in both languages."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybrid_agent_memory.intent import Intent, preference_factors, read_intent

RECENT_EVENTS = [
    ("What has Mr. Zhang been complaining about lately?", "lately"),
    ("Lately, what has Dr. Lee complained about?", "lately"),
    ("errors of the last week", "last week"),
    ("deployments in the past few days", "past few days"),
    ("What did Ann say last Friday?", "last friday"),
    ("what broke over the last 3 days", "last 3 days"),
    ("What did the vendor promise recently?", "recently"),
    ("the most recent outage", "most recent"),
    ("recent complaints", "recent"),
    ("what did we decide today", "today"),
    ("What did Bob order yesterday?", "yesterday"),
    ("when did they last complain", "when did they last"),
    ("When was the last time the build failed?", "last time"),
    ("anything odd in the logs these days?", "these days"),
    ("what has she been painting of late?", "of late"),
    ("张先生最近一次投诉跟物流有关系吗", "最近"),
    ("张先生最近怎么样", "最近"),
    ("上周客户投诉了什么", "上周"),
    ("上个星期的会议说了什么", "上个星期"),
    ("上週的會議", "上週"),
    ("近期有哪些故障", "近期"),
    ("这几天有什么告警", "这几天"),
    ("前几天他说了什么", "前几天"),
    ("近三天的报警", "近三天"),
    ("昨天谁来过", "昨天"),
    ("刚刚说的订单", "刚刚"),
    ("剛才提到的人", "剛才"),
    ("上次开会说了什么", "上次"),
    ("最后一次出差是什么时候", "最后一次"),
    ("本月的订单", "本月"),
    ("这个月他去了哪里", "这个月"),
    ("最近的投诉", "最近"),
    ("最近的会议", "最近"),
]

RECENT_OF_EITHER_KIND = [
    ("what is the budget now", "now"),
    ("What is the current owner's phone?", "current"),
    ("where does she currently live", "currently"),
    ("the latest quote", "latest"),
    ("newest version", "newest"),
    ("what is he doing at the moment", "at the moment"),
    ("Has the budget changed recently?", "recently"),
    ("现在的预算是多少", "现在"),
    ("智能货架项目目前的预算", "目前"),
    ("當前版本", "當前"),
    ("如今住在哪里", "如今"),
    ("最新报价", "最新"),
    ("最近的报价是多少", "最近"),
    ("他現在住哪裡", "現在"),
]

EVENTS_OF_ANY_AGE = [
    ("What happened to the Berlin order?", "what happened"),
    ("what has happened with the invoice", "what has happened"),
    ("any news about the migration?", "any news"),
    ("十月发生了什么", "发生"),
    ("货架项目有什么进展", "进展"),
    ("那个方案怎么样了", "怎么样了"),
]

RELATIONS = [
    ("which projects is Ann responsible for", "responsible for"),
    ("Who owns the billing service?", "owns"),
    ("what teams does she own", "does she own"),
    ("who is in charge of the warehouse", "in charge of"),
    ("Which services are in production?", "which services are"),
    ("list all customers of the plant", "list all"),
    ("who does Bob report to", "report to"),
    ("张先生负责哪些项目", "负责"),
    ("仓库归谁管", "归谁"),
    ("公司有哪些产品", "哪些"),
    ("列出他的客户", "列出"),
    ("谁負責倉庫", "負責"),
]

RECENT_RELATIONS = [
    ("which projects does he currently own", "currently, does he currently own"),
    ("who owns it now?", "now, owns"),
    ("他现在负责哪些项目", "现在, 负责"),
    ("目前有哪些供应商", "目前, 哪些"),
]

RECENT_WITH_BOTH_CUES = [
    ("what happened last week", "last week, what happened"),
    ("the latest complaint of the customer", "latest, complaint"),
    ("他的近况", "近况"),
    ("最近发生了什么", "最近, 发生"),
    ("现在怎么样了", "现在, 怎么样了"),
]

NOTHING = [
    "",
    "   ",
    "?!",
    "ERR_0x9941",
    "What is the budget of the shelf project?",
    "What is her last name?",
    "They found it at last",
    "the last straw",
    "as a last resort",
    "What did they see during their trip last year?",
    "nowhere to be found",
    "I know the owner's phone",
    "snow, knowledge and renown",
    "he calls now and then",
    "Now, what did she say about the vendor?",
    "now that the migration is done, what is left?",
    "ten years from now",
    "due on Friday at the latest",
    "resistance and electric current",
    "the current through the coil",
    "ocean current and undercurrents",
    "which one was released more recently, Alpha or Beta?",
    "Is Alpha more recent than Beta?",
    'who sings "Right Now"?',
    "who wrote “The Latest Thing”?",
    "What did she paint in her latest project in July 2023?",
    "the meeting last weekend before April 10, 2023",
    "recently, as of 3 June",
    "current status on 2024-11-05",
    "latest figures in 2019",
    "which complaints did he make?",
    "Which films did she see?",
    "离我最近的地铁站在哪",
    "最近的医院怎么走",
    "距离公司最近的是哪家",
    "出现在会议上的人",
    "发现在仓库的货",
    "项目前期投入",
    "节目前的广告",
    "应当前往哪里",
    "例如今年的账单",
    "附近期待开业",
    "桌上周围的东西",
    "马上周末了",
    "三天前天黑",
    "他去过哪些城市",
    "2023年5月最近的投诉",
    "10月12日现在的状态",
    "谁唱了《最近》",
    "货架项目的预算",
]


@pytest.mark.parametrize(("query", "cue"), RECENT_EVENTS)
def test_late_happenings(query: str, cue: str) -> None:
    assert read_intent(query) == Intent(True, "event", cue)


@pytest.mark.parametrize(("query", "cue"), RECENT_OF_EITHER_KIND)
def test_the_value_of_now_may_be_of_either_kind(query: str, cue: str) -> None:
    assert replace(read_intent(query), current=False) == Intent(True, None, cue)


@pytest.mark.parametrize(("query", "cue"), EVENTS_OF_ANY_AGE)
def test_happenings_of_any_age(query: str, cue: str) -> None:
    assert read_intent(query) == Intent(False, "event", cue)


@pytest.mark.parametrize(("query", "cue"), RELATIONS)
def test_what_lastingly_holds(query: str, cue: str) -> None:
    assert read_intent(query) == Intent(False, "relation", cue)


@pytest.mark.parametrize(("query", "cue"), RECENT_RELATIONS)
def test_what_holds_now(query: str, cue: str) -> None:
    assert read_intent(query) == Intent(True, "relation", cue, current=True)


@pytest.mark.parametrize(("query", "cue"), RECENT_WITH_BOTH_CUES)
def test_both_cues_are_told(query: str, cue: str) -> None:
    assert read_intent(query) == Intent(True, "event", cue)


@pytest.mark.parametrize("query", NOTHING)
def test_no_cue_and_the_lookalikes_of_one(query: str) -> None:
    assert read_intent(query) == Intent()


def test_a_question_is_read_without_the_talk_around_it() -> None:
    assert read_intent("The weather is bad today. Where is the key?") == Intent()
    assert read_intent("今天天气真好。钥匙在哪里？") == Intent()
    assert read_intent("It is about the key. Where is it now?") == Intent(True, None, "now", current=True)


def test_the_dots_of_versions_and_names_end_no_sentence() -> None:
    assert read_intent("Lately, what did Acme Inc. and Mr. Li say of v1.2?") == Intent(True, "event", "lately")


def test_a_piece_of_talk_has_no_cues() -> None:
    assert (
        read_intent("Ann: I won today. Bob: Great. You trained a lot lately. Ann: How do I celebrate now?") == Intent()
    )


def test_case_and_width_do_not_matter() -> None:
    assert (
        read_intent("LATEST quote") == read_intent("ｌａｔｅｓｔ quote") == Intent(True, None, "latest", current=True)
    )


@given(st.text(max_size=200))
def test_any_text_can_be_read(query: str) -> None:
    intent = read_intent(query)
    assert bool(intent.cue) == (intent.recent or intent.prefers is not None)


def test_a_document_has_no_cues() -> None:
    assert read_intent("what is new today? " + "x" * 981) == Intent(True, "event", "today, what is new")
    assert read_intent("what is new today? " + "x" * 982) == Intent()


# -- the future -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "query",
    [
        "What will the rent be?",
        "is it going to cost more next year",
        "the price from now on",
        "明年的价格",
        "房租会不会涨",
        "以后找谁",
    ],
)
def test_what_is_yet_to_come(query: str) -> None:
    assert read_intent(query).ahead


@pytest.mark.parametrize(
    "query", ["What is the rent?", "Who is Will?", "the rent now", "开会了吗", "会议室在哪", "将军是谁", ""]
)
def test_what_is_not_of_the_future(query: str) -> None:
    assert not read_intent(query).ahead


# -- preference -------------------------------------------------------------------------------------------------------

IS_EVENT = np.array([True, False, True])


def test_the_other_kind_counts_half() -> None:
    assert preference_factors("event", IS_EVENT, 1.0).tolist() == [1.0, 0.5, 1.0]
    assert preference_factors("relation", IS_EVENT, 0.3).tolist() == [0.5, 1.0, 0.5]


def test_a_relation_counts_as_the_oldest_event_where_events_are_asked_for() -> None:
    assert preference_factors("event", IS_EVENT, 0.3).tolist() == [1.0, 0.5 * 0.3, 1.0]


def test_without_a_preference_all_count_in_full() -> None:
    assert preference_factors(None, IS_EVENT, 0.3).tolist() == [1.0, 1.0, 1.0]
    assert preference_factors("event", np.empty(0, np.bool_), 0.3).tolist() == []


def test_what_happened_lately_is_not_what_is_so_now() -> None:
    assert read_intent("what is the budget now").current
    assert not read_intent("Has the budget changed recently?").current
    assert not read_intent("the latest complaint").current
