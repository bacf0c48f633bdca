"""Predicates in other words than those of the vocabulary: in questions about a subject, and in facts handed in."""

import pytest

from hybrid_agent_memory import HybridMemory
from hybrid_agent_memory.extract.rules import RuleExtractor
from hybrid_agent_memory.extract.vocabulary import DEFAULT, Predicate

Told = tuple[str, str, str]


def told(memory: HybridMemory, subject: str, predicate: str | None = None) -> list[Told]:
    return [(fact.subject, fact.predicate, fact.object) for fact in memory.history(subject, predicate)]


@pytest.fixture
def shelf() -> HybridMemory:
    memory = HybridMemory.in_memory()
    memory.add_episodes(
        [
            {"text": "智能货架项目的预算是50万。", "time": "2024-10-14"},
            {"text": "张伟负责智能货架项目。", "time": "2024-10-15"},
            {"text": "Mary Chen reports to Ann Lee.", "time": "2024-10-16"},
            {"text": "Ann Lee reports to Bo Berg.", "time": "2024-10-16"},
        ]
    )
    return memory


OWNER = ("智能货架项目", "owner", "张伟")


@pytest.mark.parametrize(
    ("subject", "predicate", "facts"),
    [
        ("智能货架项目", "预算", [("智能货架项目", "budget", "50万")]),
        ("智能货架项目", "budget", [("智能货架项目", "budget", "50万")]),
        ("智能货架项目", "负责人", [OWNER]),
        ("智能货架项目", "owned by", [OWNER]),
        ("智能货架项目", "is responsible for", [OWNER]),
        ("张伟", "responsible for", [OWNER]),
        ("张伟", "负责", [OWNER]),
        ("张伟", "owns", [OWNER]),
        ("张伟", "负责人", []),
        ("张伟", "owner", []),
        ("智能货架项目", "deadline", []),
        ("智能货架项目", "adores", []),
        ("Ann Lee", "manages", [("Mary Chen", "reports_to", "Ann Lee")]),
        ("Mary Chen", "manages", []),
        ("Mary Chen", "manager", [("Mary Chen", "reports_to", "Ann Lee")]),
        ("Ann Lee", "reports to", [("Ann Lee", "reports_to", "Bo Berg")]),
    ],
)
def test_a_history_understands_the_words_of_the_vocabulary(
    shelf: HybridMemory, subject: str, predicate: str, facts: list[Told]
) -> None:
    assert told(shelf, subject, predicate) == facts


@pytest.mark.parametrize(
    ("given", "fact"),
    [
        (("智能货架项目", "预算", "50万"), ("智能货架项目", "budget", "50万")),
        (("智能货架项目", "负责人", "张伟"), OWNER),
        (("Atlas", "owned by", "Ann"), ("Atlas", "owner", "Ann")),
        (("Ann", "owns", "Atlas"), ("Atlas", "owner", "Ann")),
        (("Ann", "is responsible for", "Atlas"), ("Atlas", "owner", "Ann")),
        (("Ann", "职业", "医生"), ("Ann", "occupation", "医生")),
        (("Ann", "owner", "Atlas"), ("Ann", "owner", "Atlas")),
        (("Atlas", "budget", "tight"), ("Atlas", "budget", "tight")),
        (("Atlas", "预算", "很紧"), ("Atlas", "预算", "很紧")),
        (("Ann", "manages", "Bo"), ("Ann", "manages", "Bo")),
        (("Ann", "admires", "Bo"), ("Ann", "admires", "Bo")),
    ],
)
def test_facts_are_stored_in_the_words_of_the_vocabulary_where_they_fit(given: Told, fact: Told) -> None:
    memory = HybridMemory.in_memory()
    subject, predicate, obj = given
    (receipt,) = memory.add_facts([{"subject": subject, "predicate": predicate, "object": obj}])
    (stored,) = receipt.facts
    assert (stored.subject, stored.predicate, stored.object) == tuple(
        part.replace(" ", "_") if part is fact[1] else part for part in fact
    )
    assert stored.text == " ".join(given)
    assert told(memory, fact[0], predicate) == [fact] or predicate == "owns" or "responsible" in predicate


def test_types_say_which_of_two_predicates_is_meant() -> None:
    memory = HybridMemory.in_memory()
    people = {"subject": "Ann", "subject_type": "person", "object": "Bo", "object_type": "person"}
    project = {"subject": "Ann", "subject_type": "person", "object": "Atlas", "object_type": "project"}
    memory.add_facts([{**people, "predicate": "manages"}, {**project, "predicate": "manages"}])
    assert told(memory, "Bo") == [("Bo", "reports_to", "Ann")]
    assert told(memory, "Atlas") == [("Atlas", "owner", "Ann")]


def test_other_words_for_one_predicate_share_a_slot() -> None:
    memory = HybridMemory.in_memory()
    memory.add_facts(
        [
            {"subject": "Atlas", "predicate": "负责人", "object": "Ann", "time": "2024-10-14"},
            {"subject": "Bo", "predicate": "owns", "object": "Atlas", "time": "2024-10-15"},
        ]
    )
    assert [(fact.object, fact.status) for fact in memory.history("Atlas", "owned by")] == [
        ("Ann", "past"),
        ("Bo", "current"),
    ]


def test_what_is_said_of_a_fact_stays() -> None:
    memory = HybridMemory.in_memory()
    given = {"subject": "Ann", "predicate": "owns", "object": "Atlas"}
    (receipt,) = memory.add_facts([{**given, "kind": "event", "single_valued": False}])
    assert receipt.facts[0].kind == "event"
    memory.add_facts([{**given, "subject": "Bo", "single_valued": False}])
    assert {fact.status for fact in memory.history("Atlas")} == {"current"}


def test_the_vocabulary_is_the_extractors() -> None:
    more = DEFAULT.with_predicates([Predicate("sponsor", single_valued=True, phrases=("Y sponsors X", "赞助商"))])
    memory = HybridMemory.in_memory(extractor=RuleExtractor(more))
    memory.add_facts(
        [
            {"subject": "Acme", "predicate": "sponsors", "object": "Atlas", "time": "2024-10-14"},
            {"subject": "Atlas", "predicate": "赞助商", "object": "Initech", "time": "2024-10-15"},
        ]
    )
    assert [(fact.object, fact.status) for fact in memory.history("Atlas", "赞助商")] == [
        ("Acme", "past"),
        ("Initech", "current"),
    ]
    plain = HybridMemory.in_memory()
    plain.add_facts([{"subject": "Acme", "predicate": "sponsors", "object": "Atlas"}])
    assert told(plain, "Acme") == [("Acme", "sponsors", "Atlas")]
