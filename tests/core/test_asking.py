"""Which predicates a query asks for."""

import pytest

from hybrid_agent_memory.extract.asking import asked_predicates
from hybrid_agent_memory.extract.vocabulary import DEFAULT, Predicate, Vocabulary


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ("What is the budget of Atlas?", {"budget"}),
        ("Which BUDGETS did the owners set?", {"budget", "owner"}),
        ("Who is responsible for Atlas?", {"owner"}),
        ("Whom does the owner of Atlas report to?", {"owner", "reports_to"}),
        ("云仓项目的预算是多少", {"budget"}),
        ("负责云仓的人住在哪里", {"owner", "lives_in"}),
        ("Atlas的负责人投诉过什么", {"owner", "complained_about"}),
        ("Is it raining in Lisbon?", set()),
        ("阳光很好", set()),
        ("Where can I look up what money Atlas has to spend?", set()),
        ("What is the status of Atlas now?", {"status"}),
        ("今年我的预算", {"budget"}),
        ("", set()),
    ],
)
def test_a_query_asks_for_the_predicates_that_it_words(query: str, asked: set[str]) -> None:
    assert asked_predicates(query, DEFAULT) == asked


def test_all_words_of_a_wording_have_to_stand_in_a_row() -> None:
    words = Vocabulary((Predicate("mentors", phrases=("X takes care of Y", "学习导师", "Y由X带")),))
    assert asked_predicates("who took care of Ann", words) == set()
    assert asked_predicates("whom does Bob take care of", words) == {"mentors"}
    assert asked_predicates("take good care of Ann", words) == set()
    assert asked_predicates("mentors of Ann", words) == {"mentors"}
    assert asked_predicates("小安的学习导师", words) == {"mentors"}
    assert asked_predicates("小安由谁带", words) == set()
