"""The command that measures a memory."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from hybrid_agent_memory import HybridMemory
from hybrid_agent_memory.cli.app import app

QUERIES = [
    {"query": "ERR_0x9941", "relevant": ["a"], "category": "identifiers"},
    {"query": "slow pages", "relevant": ["b"], "category": "words"},
]


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(app, ["--embedder", "none", "eval", *arguments], input=stdin)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HYBRID_MEMORY_DB", raising=False)
    (tmp_path / "queries.jsonl").write_text("\n".join(map(json.dumps, QUERIES)), "utf-8")
    with HybridMemory.open(tmp_path / "memory.db") as memory:
        memory.add(
            [{"id": "a", "text": "ERR_0x9941: the card was declined"}, {"id": "b", "text": "Slow pages: restart"}]
        )
    return tmp_path


def test_figures_are_a_table_by_category_and_leg() -> None:
    done = run("queries.jsonl", "--legs", "sparse", "--legs", "default")
    assert done.exit_code == 0, done.output
    lines = [line.split() for line in done.stdout.splitlines()]
    assert lines[0] == ["category", "queries", "legs", "recall@1", "recall@5", "recall@10", "MRR@10"]
    assert [line[:3] for line in lines[1:]] == [
        [category, count, legs]
        for category, count in (("all", "2"), ("identifiers", "1"), ("words", "1"))
        for legs in ("sparse", "default")
    ]
    assert all(line[3:] == ["1.000"] * 4 for line in lines[1:])


def test_json_has_the_figures() -> None:
    found = json.loads(run("queries.jsonl", "--legs", "sparse", "--json").stdout)
    assert found["queries"] == {"all": 2, "identifiers": 1, "words": 1}
    assert found["scores"]["all"]["sparse"]["recall@1"] == 1
    assert found["regressions"] is None


def test_relevant_ids_that_are_not_there_are_a_warning() -> None:
    asked = json.dumps({"query": "ERR_0x9941", "relevant": ["a", "b2", "b1"]})
    done = run("-", stdin=asked)
    assert (done.exit_code, done.stderr.splitlines()[-1]) == (
        0,
        "hybrid-memory: relevant ids that this memory does not have: 'b2', 'b1'",
    )
    assert json.loads(run("-", "--json", stdin=asked).stdout)["unknown_ids"] == ["b2", "b1"]
    assert "relevant" not in run("queries.jsonl").stderr


def test_queries_come_from_stdin_too(folder: Path) -> None:
    text = (folder / "queries.jsonl").read_text("utf-8")
    assert run("-", stdin=text).stdout == run("queries.jsonl").stdout


def test_what_got_worse_is_told_and_ends_with_1(folder: Path) -> None:
    assert run("queries.jsonl", "--save", "before.json").exit_code == 0
    same = run("queries.jsonl", "--baseline", "before.json")
    assert (same.exit_code, same.stdout.splitlines()[-1]) == (0, "Nothing got worse.")
    with HybridMemory.open(folder / "memory.db") as memory:
        memory.delete("b")
    worse = run("queries.jsonl", "--baseline", "before.json", "--save", "after.json")
    assert worse.exit_code == 1
    assert "worse: recall@1 of words, legs sparse: 1.000 -> 0.000" in worse.stdout
    told = json.loads(run("queries.jsonl", "--baseline", "before.json", "--json").stdout)
    assert {"category": "all", "legs": "sparse", "measure": "recall@1", "before": 1.0, "after": 0.5} in told[
        "regressions"
    ]
    assert run("queries.jsonl", "--baseline", "before.json", "--tolerance", "1").exit_code == 0
    assert run("queries.jsonl", "--baseline", "after.json").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["absent.jsonl"], "absent.jsonl"),
        (["bad.jsonl"], "bad.jsonl, line 1"),
        (["queries.jsonl", "--baseline", "absent.json"], "absent.json"),
        (["queries.jsonl", "--baseline", "bad.jsonl"], "--baseline 'bad.jsonl': this is no saved evaluation"),
        (["queries.jsonl", "--baseline", "other.json"], "save a new baseline"),
        (["queries.jsonl", "--legs", "nose"], "nose"),
        (["queries.jsonl", "--save", "memory.db"], "itself"),
        (["queries.jsonl", "--save", "no/such/folder"], "no/such/folder"),
        (["queries.jsonl", "--db", "absent.db"], "absent.db"),
    ],
)
def test_what_cannot_be_measured_is_one_line_and_exit_code_2(folder: Path, arguments: list[str], part: str) -> None:
    (folder / "bad.jsonl").write_text('{"oops": 1}', "utf-8")
    (folder / "other.json").write_text(
        '{"queries": {"all": 1}, "scores": {"all": {"sparse": {"recall@1": 1}}}}', "utf-8"
    )
    done = run(*arguments)
    assert (done.exit_code, done.stdout) == (2, ""), done.output
    assert part in done.stderr
    assert done.stderr.count("\n") == 1
