"""What the graph memory is for, told as a support desk's story: by rules alone, and with a scripted LLM."""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hybrid_agent_memory import HybridMemory, Response
from hybrid_agent_memory.extract.llm import LLMExtractor
from hybrid_agent_memory.extract.rules import RuleExtractor
from hybrid_agent_memory.testing import HashEmbedder
from hybrid_agent_memory.testing.llm import ScriptedLLM

STORY = Path(__file__).parents[1] / "examples" / "support" / "story.jsonl"
NOW = datetime(2026, 5, 18, tzinfo=UTC)
BEFORE_THE_RAISE = datetime(2026, 4, 1, tzinfo=UTC)

# What an LLM finds in the story: (subject, type, predicate, object, type, kind).
SAID: Mapping[str, list[tuple[str, str, str, str, str, str]]] = {
    "e-owner": [("Project Harbor", "project", "owner", "Ada Okafor", "person", "relation")],
    "e-complaint": [
        ("Ms. Okafor", "person", "complained_about", "late pallets at the Rotterdam warehouse", "other", "event")
    ],
    "e-budget-1": [("Project Harbor", "project", "budget", "500k", "amount", "relation")],
    "e-budget-2": [("Project Harbor", "project", "budget", "650k", "amount", "relation")],
    "e-order": [("Ada Okafor", "person", "ordered", "two conveyor belts", "other", "event")],
    "e-rename": [("Ada Okafor", "person", "alias", "Ada Lind", "person", "relation")],
    "e-brandt-1": [("Project Quay", "project", "owner", "Lena Brandt", "person", "relation")],
    "e-brandt-2": [("Project Pier", "project", "owner", "Erik Brandt", "person", "relation")],
    "e-pier-2": [("Project Jetty", "project", "manager", "Erik Brandt", "person", "relation")],
    "e-customer-a": [("Customer A", "organisation", "budget", "300k", "amount", "relation")],
    "e-customer-b": [("Customer B", "organisation", "budget", "3M", "amount", "relation")],
    "e-price": [("Standard Plan", "product", "price", "$89", "amount", "relation")],
    "e-quay-status": [("Project Quay", "project", "status", "on hold", "other", "relation")],
    "z-owner": [("恒温仓项目", "project", "owner", "顾先生", "person", "relation")],
    "z-complaint": [("顾总", "person", "complained_about", "港区仓库发货延误", "other", "event")],
    "z-budget-1": [("恒温仓项目", "project", "budget", "50万", "amount", "relation")],
    "z-budget-2": [("恒温仓项目", "project", "budget", "65万", "amount", "relation")],
    "z-order": [("顾先生", "person", "ordered", "两条输送线", "other", "event")],
    "z-chen-1": [("冷链车项目", "project", "owner", "陈丽", "person", "relation")],
    "z-chen-2": [("分拣线项目", "project", "owner", "陈强", "person", "relation")],
    "z-chen-4": [("装卸台项目", "project", "owner", "陈强", "person", "relation")],
    "z-customer-a": [("客户甲", "organisation", "budget", "30万", "amount", "relation")],
    "z-customer-b": [("客户乙", "organisation", "budget", "300万", "amount", "relation")],
    "z-price": [("标准套餐", "product", "price", "每月899元", "amount", "relation")],
    "z-status": [("冷链车项目", "project", "status", "暂停", "other", "relation")],
}
MENTIONED = {"z-gu": ("顾某", "person"), "z-chen-3": ("陈总", "person")}
STARTS = {"e-price": "2026-09-01", "z-price": "2026-09-01"}


def read_story() -> list[dict[str, object]]:
    return [json.loads(line) for line in STORY.read_text(encoding="utf-8").splitlines()]


def scripted_llm() -> LLMExtractor:
    answers = {str(episode["text"]): _answer(str(episode["id"]), str(episode["text"])) for episode in read_story()}
    return LLMExtractor(ScriptedLLM(answers))


def _answer(identity: str, text: str) -> dict[str, object]:
    facts = SAID.get(identity, [])
    entities = [{"name": name, "type": kind} for one in facts for name, kind in (one[:2], one[3:5])]
    if identity in MENTIONED:
        entities.append(dict(zip(("name", "type"), MENTIONED[identity], strict=True)))
    stated = [
        {
            "subject": subject,
            "predicate": predicate,
            "object": obj,
            "sentence": text,
            "kind": kind,
            "negated": False,
            "valid_at": STARTS.get(identity),
            "invalid_at": None,
        }
        for subject, _, predicate, obj, _, kind in facts
    ]
    return {"entities": entities, "facts": stated}


@pytest.fixture(scope="module", params=["rules", "llm"])
def memory(request: pytest.FixtureRequest) -> Iterator[HybridMemory]:
    extractor = RuleExtractor() if request.param == "rules" else scripted_llm()
    with HybridMemory.in_memory(embedder="local", extractor=extractor, clock=lambda: NOW) as made:
        receipts = made.add_episodes(read_story())
        assert not [receipt.note for receipt in receipts if receipt.note]
        yield made


def ids(response: Response) -> list[str]:
    return [hit.id for hit in response]


@pytest.mark.parametrize(
    ("question", "complaint", "line"),
    [
        (
            "Has the owner of Project Harbor complained about anything?",
            "e-complaint",
            "Project Harbor —owner→ Ada Okafor (2026-03-02) —complained about→ late pallets at the Rotterdam warehouse",
        ),
        (
            "恒温仓项目的负责人投诉过什么？",
            "z-complaint",
            "恒温仓项目 —owner→ 顾先生 (2026-03-02) —complained about→ 港区仓库发货延误",
        ),
    ],
)
def test_project_owner_complaint_is_found_along_its_path(
    memory: HybridMemory, question: str, complaint: str, line: str
) -> None:
    found = {hit.id: hit for hit in memory.search(question, max_depth=2)}
    assert complaint in found
    path = str(found[complaint].why.path)
    assert path.startswith(line)
    assert path.endswith("(2026-03-05)")


@pytest.mark.parametrize(
    ("project", "values", "later"),
    [("Project Harbor", ("500k", "650k"), "e-budget-2"), ("恒温仓项目", ("50万", "65万"), "z-budget-2")],
)
def test_the_newest_value_is_the_current_one_and_the_old_one_is_history(
    memory: HybridMemory, project: str, values: tuple[str, str], later: str
) -> None:
    asked = f"{project} budget 预算"
    current = [hit.why.facts[0].object for hit in memory.search(asked, kinds=("fact",)) if _is_budget_of(hit, project)]
    assert current == [values[1]]
    before = memory.search(asked, kinds=("fact",), as_of=BEFORE_THE_RAISE)
    assert [hit.why.facts[0].object for hit in before if _is_budget_of(hit, project)] == [values[0]]
    history = memory.history(project, "budget")
    assert [(fact.object, fact.status) for fact in history] == [(values[0], "past"), (values[1], "current")]
    assert [fact.chunk_ids for fact in history][1] == (later,)


def _is_budget_of(hit: object, project: str) -> bool:
    facts = hit.why.facts  # type: ignore[attr-defined]
    return bool(facts[0].predicate == "budget" and facts[0].subject == project)


@pytest.mark.parametrize("later", ["e-budget-2", "z-budget-2"])
def test_of_two_chunks_the_one_with_the_newer_value_comes_first(memory: HybridMemory, later: str) -> None:
    earlier = later.replace("2", "1")
    question = "What is the budget of Project Harbor?" if later.startswith("e") else "恒温仓项目的预算是多少"
    found = memory.search(question, top_k=10)
    assert ids(found).index(later) < ids(found).index(earlier)
    assert next(hit for hit in found if hit.id == earlier).why.superseded_by == later


@pytest.mark.parametrize(
    ("later", "project", "value"), [("e-budget-2", "Project Harbor", "500k"), ("z-budget-2", "恒温仓项目", "50万")]
)
def test_deleting_the_later_message_brings_the_old_value_back(later: str, project: str, value: str) -> None:
    with HybridMemory.in_memory(clock=lambda: NOW) as made:
        made.add_episodes(read_story())
        receipt = made.delete(later)
        assert [(fact.subject, fact.object, fact.status) for fact in receipt.reopened] == [(project, value, "current")]
        assert [(fact.object, fact.status) for fact in made.history(project, "budget")] == [(value, "current")]


def test_one_person_under_many_names_is_one_and_two_of_a_surname_stay_two(memory: HybridMemory) -> None:
    (gu,) = [entity for entity in memory.entities("顾") if entity.type == "person"]
    assert {gu.name, *gu.aliases} == {"顾先生", "顾总", "顾某"}
    (ada,) = [entity for entity in memory.entities("okafor") if entity.type == "person"]
    assert {ada.name, *ada.aliases} >= {"Ada Okafor", "Ms. Okafor", "Ada Lind"}
    chen = {entity.name for entity in memory.entities("陈") if entity.type == "person"}
    assert chen == {"陈丽", "陈强", "陈总"}  # 陈总 may be either, so it is neither
    brandts = {entity.name for entity in memory.entities("brandt") if entity.type == "person"}
    assert brandts == {"Lena Brandt", "Erik Brandt"}


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What is the budget of Customer A?", "e-customer-a"),
        ("What is the budget of Customer B?", "e-customer-b"),
        ("客户甲的预算是多少", "z-customer-a"),
        ("客户乙的预算是多少", "z-customer-b"),
        ("Who was happy with a delivery in three days?", "e-fast"),
        ("Who found three days too slow?", "e-slow"),
        ("哪个客户觉得三天送到很满意", "z-fast"),
        ("哪个客户嫌三天送到太慢", "z-slow"),
    ],
)
def test_look_alikes_are_told_apart(memory: HybridMemory, question: str, first: str) -> None:
    assert ids(memory.search(question))[0] == first


@pytest.mark.parametrize(
    ("question", "term"),
    [("How long is the maintenance period in the contract?", "e-term"), ("合同里的维保期是多久", "z-term")],
)
def test_a_term_confirmed_months_ago_comes_back_and_sinks_only_when_asked_to(
    memory: HybridMemory, question: str, term: str
) -> None:
    usual = {hit.id: hit for hit in memory.search(question, top_k=20)}
    steep = {hit.id: hit for hit in memory.search(question, top_k=20, time_decay=0.7)}
    assert next(iter(usual)) == term
    assert usual[term].why.decay > 0.9
    assert steep[term].why.decay < 0.35
    assert steep[term].score < 0.4 * usual[term].score


def test_an_old_event_fact_sinks_when_asked_to_and_a_relation_fact_never_does(memory: HybridMemory) -> None:
    question = "Project Harbor Ada Okafor complained pallets owner"
    usual = {hit.id: hit.why for hit in memory.search(question, kinds=("fact",), top_k=20)}
    steep = {hit.id: hit.why for hit in memory.search(question, kinds=("fact",), top_k=20, time_decay=0.7)}
    assert usual["e-complaint!0"].decay > 0.9
    assert steep["e-complaint!0"].decay < 0.5
    assert usual["e-owner!0"].decay == steep["e-owner!0"].decay == 1.0


@pytest.mark.parametrize("question", ["What has Ada Okafor been up to lately?", "顾先生最近怎么样"])
def test_lately_puts_events_first(memory: HybridMemory, question: str) -> None:
    found = memory.search(question, kinds=("fact",), legs=("graph",), max_depth=1, top_k=10)
    kinds = [hit.why.facts[0].kind for hit in found]
    assert "event" in kinds
    assert "relation" in kinds
    assert kinds == sorted(kinds)  # "event" before "relation"


@pytest.mark.parametrize(
    ("question", "projects"),
    [
        ("Which projects is Erik Brandt responsible for?", {"Project Pier", "Project Jetty"}),
        ("陈强负责哪些项目", {"分拣线项目", "装卸台项目"}),
    ],
)
def test_a_question_for_a_list_gets_every_relation(memory: HybridMemory, question: str, projects: set[str]) -> None:
    found = memory.search(question, kinds=("fact",), top_k=len(projects))
    assert {hit.why.facts[0].subject for hit in found} == projects


@pytest.mark.parametrize(
    ("question", "notice"),
    [("When does the tariff for the Standard Plan go up?", "e-price"), ("标准套餐什么时候调价", "z-price")],
)
def test_a_price_change_to_come_is_found_in_other_words_and_marked(
    memory: HybridMemory, question: str, notice: str
) -> None:
    assert ids(memory.search(question))[0] == notice
    (fact,) = memory.search(question, top_k=1)[0].why.facts
    assert (fact.predicate, fact.status, fact.valid_at) == ("price", "upcoming", datetime(2026, 9, 1, tzinfo=UTC))


@pytest.mark.parametrize(("name", "service"), [("Lena Brandt", "pickup"), ("陈丽", "取件")])
def test_a_denied_need_is_no_fact(memory: HybridMemory, name: str, service: str) -> None:
    assert not [fact for fact in memory.history(name) if service in fact.object]


def test_a_third_hop_follows_relations_only() -> None:
    with HybridMemory.in_memory(clock=lambda: NOW) as made:
        edges = [
            ("1", "Atlas", "owner", "Ann", "relation"),
            ("2", "Ann", "reports_to", "Bea", "relation"),
            ("3", "Bea", "works_at", "Corp", "relation"),
            ("4", "Bea", "complained_about", "noise", "event"),
        ]
        keys = ("id", "subject", "predicate", "object", "kind")
        made.add_facts([{**dict(zip(keys, edge, strict=True)), "text": "It is so."} for edge in edges])
        reached = {
            depth: set(ids(made.search("Atlas", kinds=("fact",), legs=("graph",), max_depth=depth, top_k=9)))
            for depth in (1, 2, 3)
        }
        assert reached == {1: {"1!0"}, 2: {"1!0", "2!0"}, 3: {"1!0", "2!0", "3!0"}}


@pytest.mark.parametrize(
    ("before", "ended", "subject"),
    [
        ("Dana Falk works for Brightwell Dairy.", "Dana Falk no longer works for Brightwell Dairy.", "Dana Falk"),
        ("林婉负责青松项目。", "林婉不再负责青松项目。", "青松项目"),
    ],
)
def test_a_relation_holds_until_a_text_says_that_it_ended(before: str, ended: str, subject: str) -> None:
    with HybridMemory.in_memory(clock=lambda: NOW) as made:
        made.add_episode(before, id="before", time="2026-01-10")
        made.add_episode(ended, id="ended", time="2026-03-10")
        assert {fact.status for fact in made.history(subject)} == {"past"}
        assert [fact.status for fact in made.history(subject, as_of="2026-02-01")] == ["current"]
        made.delete("ended")
        assert [fact.status for fact in made.history(subject)] == ["current"]


@pytest.mark.parametrize(
    ("before", "announced", "subject"),
    [
        ("Anna Falk works for Brightwell Dairy.", "Anna Falk will leave Brightwell Dairy on 1 June 2026.", "Anna Falk"),
        ("Dana Falk owns Atlas.", "From 1 June 2026, Dana Falk no longer owns Atlas.", "Atlas"),
        ("林婉负责青松项目。", "从2026年6月1日起，林婉不再负责青松项目。", "青松项目"),
    ],
)
def test_a_relation_holds_until_the_day_that_its_end_was_announced_for(
    tmp_path: Path, before: str, announced: str, subject: str
) -> None:
    def statuses(now: datetime) -> list[tuple[str, datetime | None]]:
        with HybridMemory.open(tmp_path / "m.db", clock=lambda: now) as read:
            return [(fact.status, fact.invalid_at) for fact in read.history(subject) if fact.text == before]

    end = datetime(2026, 6, 1, tzinfo=UTC)
    with HybridMemory.open(tmp_path / "m.db", clock=lambda: NOW) as made:
        made.add_episode(before, id="before", time="2026-01-10")
        made.add_episode(announced, id="announced", time="2026-03-10")
        assert [fact.invalid_at for fact in made.history(subject, as_of="2026-02-01")] == [None]
    assert statuses(end - timedelta(days=1)) == [("current", end)]
    assert statuses(end) == [("past", end)]
    with HybridMemory.open(tmp_path / "m.db", clock=lambda: NOW) as made:
        made.delete("announced")
    assert statuses(end) == [("current", None)]


def test_an_announced_end_leaves_the_next_value_alone() -> None:
    with HybridMemory.in_memory(clock=lambda: datetime(2026, 7, 1, tzinfo=UTC)) as made:
        made.add_episode("Dana Falk works for Brightwell Dairy.", time="2026-01-10")
        made.add_episode("Dana Falk works for Orchard Mills.", time="2026-02-10")
        made.add_episode("From 1 June 2026, Dana Falk no longer works for Brightwell Dairy.", time="2026-03-10")
        current = [fact.object for fact in made.history("Dana Falk", "works_for") if fact.status == "current"]
        assert current == ["Orchard Mills"]


@pytest.mark.parametrize("embedder", [None, HashEmbedder()], ids=["words", "vectors"])
@pytest.mark.parametrize("raises", [2, 13, 40, 250])
def test_however_often_a_value_changed_the_current_one_comes_first(embedder: HashEmbedder | None, raises: int) -> None:
    with HybridMemory.in_memory(embedder=embedder) as made:
        made.add_episodes(
            {"id": f"{at:03}", "text": f"The budget of Project Atlas is {100 + at}k.", "time": 1.7e9 + 86400 * at}
            for at in range(raises)
        )
        found = made.search("What is the budget of Project Atlas?")
        assert found[0].id == f"{raises - 1:03}"
        assert {hit.why.superseded_by for hit in found[1:]} == {found[0].id}
