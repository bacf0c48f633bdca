"""The table of predicates in the documentation is the vocabulary, predicate by predicate."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from hybrid_agent_memory.extract.vocabulary import DEFAULT, Predicate

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "vocabulary.md"
SAMPLES = 2


def table() -> list[str]:
    """The rows of the table, as the vocabulary has them; print them to renew the page."""
    return [
        "| Predicate | Kind | Single-valued | English | Chinese |",
        "|---|---|---|---|---|",
        *(row(predicate) for predicate in DEFAULT),
    ]


def row(predicate: Predicate) -> str:
    single = "yes" if predicate.single_valued else "no"
    english, chinese = (
        ", ".join(f"*{phrase}*" for phrase in samples(predicate, of_chinese)) for of_chinese in (False, True)
    )
    return f"| `{predicate.name}` | {predicate.kind} | {single} | {english} | {chinese} |"


def samples(predicate: Predicate, of_chinese: bool) -> Iterable[str]:
    """A noun, if there is one, and a clause; else two of what there is."""
    spoken = [plain(phrase) for phrase in predicate.phrases if is_chinese(phrase) == of_chinese]
    clauses = [phrase for phrase in spoken if re.search("[XY]", phrase)]
    nouns = [phrase for phrase in spoken if phrase not in clauses]
    return islice(dict.fromkeys([*nouns[:1], *clauses[:1], *nouns, *clauses]), SAMPLES)


def plain(phrase: str) -> str:
    """A phrase without the marks that say what may fill its slots."""
    return re.sub("(?<=[XY])[!=~]", "", phrase)


def is_chinese(text: str) -> bool:
    return any("\u4e00" <= character <= "\u9fff" for character in text)


def rows_of(page: Path) -> Iterator[str]:
    return (line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("|"))


def test_the_table_of_predicates_is_the_vocabulary() -> None:
    assert list(rows_of(PAGE)) == table()


def test_most_predicates_are_worded_in_both_languages() -> None:
    assert all(list(samples(predicate, of_chinese=True)) for predicate in DEFAULT)
    silent = [predicate.name for predicate in DEFAULT if not list(samples(predicate, of_chinese=False))]
    assert silent == ["education"]
