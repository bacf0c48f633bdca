"""The generated support benchmark: committed as its templates make it, and what its README promises holds."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from difflib import SequenceMatcher
from itertools import groupby, pairwise, product
from json import loads
from pathlib import Path

import pytest

from benchmarks._beir import load_collection
from benchmarks.support import templates_dev, templates_test
from benchmarks.support._forms import CATEGORIES, Language
from benchmarks.support.generate import ANSWERS, HERE, LEADS_THERE, SPLITS, generate, main

LOGS = [(split, language) for split in SPLITS for language in ("en", "zh")]
NUMBER = re.compile(r"\d+|[两三四五六七八九]")
FUNCTION_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a about an and any are at be did do does for from has have how i in is it long me my no not of on or the their"
        " they to us was we what when where which who whom whose why will with you your",
    )
)


class Log:
    """The rows of one language of one split, as committed."""

    def __init__(self, split: str, language: str) -> None:
        self.turns = [row for row in _rows(HERE / split / "corpus.jsonl") if row["metadata"]["conv"] == language]
        self.queries = [row for row in _rows(HERE / split / "queries.jsonl") if row["metadata"]["conv"] == language]
        self.text = {row["_id"]: row["text"] for row in self.turns}
        self.time = {row["_id"]: datetime.fromisoformat(row["metadata"]["time"]) for row in self.turns}
        self.grades: dict[str, dict[str, int]] = defaultdict(dict)
        for line in (HERE / split / "qrels" / "test.tsv").read_text(encoding="utf-8").splitlines()[1:]:
            query, turn, grade = line.split("\t")
            self.grades[query][turn] = int(grade)

    def answer(self, query: str) -> str:
        return next(turn for turn, grade in self.grades[query].items() if grade == ANSWERS)

    def of_category(self, category: str) -> list[dict]:  # type: ignore[type-arg]
        return [query for query in self.queries if query["metadata"]["category"] == category]


@pytest.fixture(params=LOGS, ids=lambda pair: "-".join(pair))
def log(request: pytest.FixtureRequest) -> Log:
    return Log(*request.param)


@pytest.mark.parametrize("split", SPLITS)
def test_the_committed_files_are_what_the_templates_make(split: str) -> None:
    for name, content in generate(split).items():
        assert (HERE / split / name).read_bytes() == content.encode(), f"{split}/{name}: run generate.py again"


def test_the_command_writes_the_same_files(tmp_path: Path) -> None:
    main(["--out", str(tmp_path)])
    written = {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()}
    assert written == {Path(split, name) for split in SPLITS for name in generate(split)}
    assert all((tmp_path / name).read_bytes() == (HERE / name).read_bytes() for name in written)


def test_it_is_large_enough_and_small_enough() -> None:
    logs = [Log(*pair) for pair in LOGS]
    assert sum(len(log.turns) for log in logs) >= 2000
    assert sum(len(log.queries) for log in logs) >= 400
    for count in ([len(log.turns) for log in logs], [len(log.queries) for log in logs]):
        english, chinese = count[0] + count[2], count[1] + count[3]
        assert 0.45 < english / (english + chinese) < 0.55
    assert sum((HERE / split / name).stat().st_size for split in SPLITS for name in generate(split)) < 1_500_000


def test_every_category_is_asked_alike(log: Log) -> None:
    counts = Counter(query["metadata"]["category"] for query in log.queries)
    assert set(counts) == set(CATEGORIES)
    assert len(set(counts.values())) == 1
    assert min(counts.values()) >= 13


def test_the_benchmark_loader_reads_it() -> None:
    collection = load_collection(HERE / "dev")
    assert list(collection.haystacks) == ["en", "zh"]
    assert {query.category for query in collection.queries} == set(CATEGORIES)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_splits_share_no_sentence_form(language: str) -> None:
    """Not even five words, in Chinese five characters, in a row."""
    dev, test = (_runs(templates.LANGUAGES[language], language) for templates in (templates_dev, templates_test))
    assert dev
    assert test
    assert not dev & test


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_splits_share_no_name(language: str) -> None:
    dev, test = (_words(templates.LANGUAGES[language]) for templates in (templates_dev, templates_test))
    assert not {word for word in dev & test if not NUMBER.fullmatch(word)}


def test_every_answer_exists_once(log: Log) -> None:
    for query in log.queries:
        grades = log.grades[query["_id"]]
        assert grades.keys() <= log.text.keys()
        expected = [ANSWERS, LEADS_THERE] if query["metadata"]["category"] == "relations" else [ANSWERS]
        assert sorted(grades.values(), reverse=True) == expected
    said = Counter(log.text.values())
    assert {said[log.text[turn]] for query in log.queries for turn in log.grades[query["_id"]]} == {1}


def test_every_question_has_a_near_duplicate_that_does_not_answer(log: Log) -> None:
    for query in log.queries:
        distractors = query["metadata"]["distractors"]
        assert distractors
        assert log.text.keys() >= set(distractors)
        assert not set(distractors) & log.grades[query["_id"]].keys()
        pairs = product(log.grades[query["_id"]], distractors)
        likeness = max(SequenceMatcher(None, log.text[one], log.text[other]).ratio() for one, other in pairs)
        assert likeness > 0.4, query


@pytest.mark.parametrize("category", ["negation", "same_words_opposite_fact"])
def test_more_near_duplicates_contradict_than_five_hits_can_hold_beside_the_answer(log: Log, category: str) -> None:
    for query in log.of_category(category):
        assert len(set(query["metadata"]["distractors"])) == 5


def test_no_question_is_asked_twice(log: Log) -> None:
    assert max(Counter(query["text"] for query in log.queries).values()) == 1


def test_paraphrases_are_in_other_words(log: Log) -> None:
    for query in log.of_category("paraphrase"):
        asked, answer = _content(query["text"]), log.text[log.answer(query["_id"])].casefold()
        assert sum(word in answer for word in asked) <= len(asked) / 2, (query["text"], answer)


def test_a_relation_is_only_found_by_way_of_its_owner(log: Log) -> None:
    """The question says nothing of the answer but that it is a complaint, and the two turns share a name alone."""
    for query in log.of_category("relations"):
        way, answer = log.grades[query["_id"]]
        asked = _content(query["text"])
        assert sum(word in log.text[answer].casefold() for word in asked) <= len(asked) / 2, (query, log.text[answer])
        assert any(word in log.text[way].casefold() for word in asked)


def test_half_of_the_relations_are_said_in_a_roundabout_way(log: Log) -> None:
    forms = Counter(query["metadata"]["form"] for query in log.of_category("relations"))
    assert forms["indirect"] + 1 >= forms["plain"] >= forms["indirect"]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("templates", [templates_dev, templates_test], ids=["dev", "test"])
def test_nobody_shares_a_surname_with_an_owner(templates: object, language: str) -> None:
    words: Language = templates.LANGUAGES[language]  # type: ignore[attr-defined]
    owners = [owner.split()[1] for owner in words.owners]
    assert max(Counter(owners).values()) == 1
    assert not set(owners) & set(words.surnames)


def test_the_current_value_is_the_newest_and_the_old_one_is_there(log: Log) -> None:
    for query in log.of_category("current_value"):
        answer, old = log.answer(query["_id"]), query["metadata"]["distractors"][0]
        assert log.time[old] + timedelta(days=30) < log.time[answer]


def test_the_log_runs_over_a_year_and_is_asked_at_its_end(log: Log) -> None:
    times = list(log.time.values())
    assert all(earlier < later for earlier, later in pairwise(times))
    assert times[-1] - times[0] > timedelta(days=350)
    assert {query["metadata"]["time"] for query in log.queries} == {times[-1].isoformat()}


def test_sessions_are_of_one_day_and_in_one_piece(log: Log) -> None:
    pieces = [list(turns) for _, turns in groupby(log.turns, key=lambda turn: turn["metadata"]["session"])]
    assert len(pieces) == len({turn["metadata"]["session"] for turn in log.turns})
    assert all(log.time[piece[-1]["_id"]] - log.time[piece[0]["_id"]] < timedelta(hours=1) for piece in pieces)
    assert {len({turn["metadata"]["speaker"] for turn in piece}) for piece in pieces} <= {1, 2}


def _rows(path: Path) -> Iterator[dict]:  # type: ignore[type-arg]
    with path.open(encoding="utf-8") as file:
        yield from map(loads, file)


def _sentences(language: Language) -> Iterator[str]:
    for forms in language.forms.values():
        for form in forms:
            yield from (*form.says, *form.near, *form.asks)
    yield from (*language.greetings, *language.small_talk, *language.replies, *language.closings, *language.chatter)


def _runs(templates: Language, language: str) -> set[tuple[str, ...]]:
    """Every five words or characters in a row, slots left out."""
    runs = set()
    for sentence in _sentences(templates):
        words = re.sub(r"\W+", " ", re.sub(r"{[^}]*}", "", sentence)).casefold().split()
        parts = words if language == "en" else list("".join(words))
        runs |= {tuple(parts[start : start + 5]) for start in range(len(parts) - 4)}
    return runs


def _words(language: Language) -> set[str]:
    pools = (entry for pool in language.pools.values() for entry in pool)
    values = {value for entry in pools for value in ((entry,) if isinstance(entry, str) else entry)}
    return values | {*language.agents, *language.given, *language.surnames, *language.owners, *language.orders}


def _content(question: str) -> set[str]:
    """The words that carry it; of Chinese every two characters in a row."""
    if question.isascii():
        return set(re.findall(r"[a-z0-9-]+", question.casefold())) - FUNCTION_WORDS
    return {a + b for a, b in pairwise(re.sub(r"\W", "", question))}
