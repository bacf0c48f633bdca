"""The commands about episodes, facts and entities."""

import json
import re
from pathlib import Path

import networkx
import pytest
from typer.testing import CliRunner, Result

from hybrid_agent_memory import HybridMemory
from hybrid_agent_memory.cli.app import app

CHAT = [
    {"id": "m1", "text": "The budget of Project Atlas is 500k.", "time": "2024-10-14", "speaker": "Ann Lee"},
    {"id": "m2", "text": "The budget of Project Atlas is 600k.", "time": "2024-10-20", "speaker": "Ann Lee"},
    {"id": "m3", "text": "Zhang Wei owns Project Atlas.", "time": "2024-10-10", "metadata": {"team": "pay"}},
    {"id": "m4", "text": "Zhang Wei works at Acme Robotics.", "time": "2024-09-10"},
    {"id": "m5", "text": "The budget of Project Zeus is 600k.", "time": "2024-09-11"},
    {"id": "m6", "text": "张伟负责智能货架项目。", "time": "2024-09-12"},
]


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(app, ["--embedder", "none", *arguments], input=stdin)


def said(*arguments: str, stdin: str | None = None) -> str:
    done = run(*arguments, stdin=stdin)
    assert done.exit_code == 0, done.output
    return done.stdout


def answer(*arguments: str, stdin: str | None = None) -> dict[str, object]:
    found = json.loads(said(*arguments, "--json", stdin=stdin))
    assert isinstance(found, dict)
    return found


def refused(*arguments: str, stdin: str | None = None) -> str:
    done = run(*arguments, stdin=stdin)
    assert (done.exit_code, done.stdout) == (2, ""), done.output
    assert done.stderr.startswith("hybrid-memory: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


def statements(*arguments: str) -> list[tuple[str, str, str]]:
    """Subject, predicate and object of the facts that a command answers with."""
    found = answer(*arguments)["facts"]
    assert isinstance(found, list)
    return [(fact["subject"], fact["predicate"], fact["object"]) for fact in found]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HYBRID_MEMORY_DB", raising=False)
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path


@pytest.fixture
def chat(folder: Path) -> Path:
    path = folder / "chat.jsonl"
    path.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in CHAT), encoding="utf-8")
    return path


@pytest.fixture
def known(chat: Path) -> None:
    said("add", str(chat), "--extract")


# -- add, extract -----------------------------------------------------------------------------------------------------


def test_lines_are_added_as_episodes_with_what_they_say(chat: Path) -> None:
    told = answer("add", str(chat), "--extract")
    assert {name: told[name] for name in ("added", "facts", "superseded", "pending")} == {
        "added": 6,
        "facts": 6,
        "superseded": 1,
        "pending": 0,
    }
    with HybridMemory.open("memory.db") as memory:
        (record,) = memory.get(["m1"])
        assert record is not None
        assert (record.speaker, record.time and record.time.day) == ("Ann Lee", 14)
    assert "6 facts found, 1 fact superseded;" in said("add", str(chat), "--extract", "--db", "other.db")


def test_adding_episodes_again_changes_nothing(chat: Path) -> None:
    said("add", str(chat), "--extract")
    told = answer("add", str(chat), "--extract")
    assert (told["added"], told["unchanged"], told["facts"]) == (0, 6, 0)


def test_a_text_that_was_added_without_facts_gets_them_when_asked(chat: Path) -> None:
    said("add", str(chat))
    assert answer("stats")["facts"] == 0
    assert answer("add", str(chat), "--extract")["facts"] == 6


def test_files_and_stdin_happened_when_and_where_the_options_say() -> None:
    said(
        "add",
        "-",
        "--extract",
        "--time",
        "2024-10-14",
        "--speaker",
        "Ann",
        stdin="The budget of Project Atlas is 500k.",
    )
    said(
        "add",
        "-",
        "--name",
        "b",
        "--extract",
        "--time",
        "1729382400",
        "--session",
        "s",
        stdin="The budget of Atlas is 1.",
    )
    with HybridMemory.open("memory.db") as memory:
        first, second = memory.get(["stdin#0", "b#0"])
    assert first is not None
    assert second is not None
    assert (first.time and first.time.isoformat(), first.speaker) == ("2024-10-14T00:00:00+00:00", "Ann")
    assert (second.time and second.time.isoformat(), second.session) == ("2024-10-20T00:00:00+00:00", "s")


def test_what_a_line_says_itself_goes_before_the_options(folder: Path) -> None:
    (folder / "a.jsonl").write_text('{"id": "a", "text": "x", "speaker": "Bob"}\n{"id": "b", "text": "y"}', "utf-8")
    said("add", "a.jsonl", "--speaker", "Ann")
    with HybridMemory.open("memory.db") as memory:
        assert [record and record.speaker for record in memory.get(["a", "b"])] == ["Bob", "Ann"]


def test_a_long_line_is_cut_and_its_parts_are_dropped_with_it(folder: Path) -> None:
    path = folder / "long.jsonl"
    path.write_text(json.dumps({"text": "One sentence of many. " * 200}), "utf-8")
    parts = answer("add", "long.jsonl", "--extract")["added"]
    assert isinstance(parts, int)
    assert parts > 1
    assert answer("add", "long.jsonl", "--extract")["unchanged"] == parts
    path.write_text("", "utf-8")
    assert answer("add", "long.jsonl", "--extract")["dropped"] == parts
    assert answer("stats")["records"] == 0


def test_extraction_can_wait(chat: Path) -> None:
    assert "6 episodes still to be found: hybrid-memory extract" in said("add", str(chat), "--extract-later")
    assert (answer("stats")["pending"], answer("stats")["facts"]) == (6, 0)
    assert answer("extract", "--limit", "2") == {"extracted": 2, "pending": 4}
    assert said("extract") == "4 chunks done, 0 still waiting\n"
    assert answer("stats")["facts"] == 6


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["add", "chat.jsonl", "--extract", "--extract-later"], "either --extract or --extract-later"),
        (["add", "chat.jsonl", "--time", "yesterday"], "--time 'yesterday' is not a time"),
        (["add", "vectors.jsonl", "--extract"], "vectors.jsonl: item 0 has the unknown key 'vector'"),
    ],
)
def test_what_cannot_be_added_is_one_line(chat: Path, arguments: list[str], part: str) -> None:
    chat.with_name("vectors.jsonl").write_text('{"text": "a", "vector": [1]}', "utf-8")
    assert part in refused(*arguments)
    assert not Path("memory.db").exists()


@pytest.mark.usefixtures("known")
def test_a_limit_of_nothing_is_refused() -> None:
    assert "limit 0" in refused("extract", "--limit", "0")


# -- facts, history ---------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("known")
def test_facts_are_all_that_hold_by_subject() -> None:
    assert statements("facts") == [
        ("Project Atlas", "owner", "Zhang Wei"),
        ("Project Atlas", "budget", "600k"),
        ("Project Zeus", "budget", "600k"),
        ("Zhang Wei", "works_for", "Acme Robotics"),
        ("智能货架项目", "owner", "张伟"),
    ]
    shown = said("facts")
    for expected in ("2024-10-20", "works for", "Acme Robotics", "current", "m4"):
        assert expected in shown


@pytest.mark.usefixtures("known")
def test_a_fact_that_was_said_twice_is_shown_once() -> None:
    said("add", "-", "--extract", "--time", "2024-10-21", stdin="Zhang Wei owns Project Atlas.")
    owners = [fact for fact in statements("facts") if fact[:2] == ("Project Atlas", "owner")]
    assert owners == [("Project Atlas", "owner", "Zhang Wei")]
    assert "m3, stdin#0" in said("history", "Project Atlas", "owner")


@pytest.mark.usefixtures("known")
def test_facts_are_seen_as_they_were() -> None:
    assert ("Project Atlas", "budget", "500k") in statements("facts", "--as-of", "2024-10-15")
    assert statements("facts", "--as-of", "2024-09-10") == [("Zhang Wei", "works_for", "Acme Robotics")]
    assert statements("facts", "--known-at", "2020-01-01") == []
    assert "Nothing found" in said("facts", "--known-at", "2020-01-01")


@pytest.mark.usefixtures("known")
def test_facts_are_those_of_chunks_that_pass_the_filter() -> None:
    owner = [("Project Atlas", "owner", "Zhang Wei")]
    assert statements("facts", "--filter", '{"team": "pay"}') == owner
    assert statements("facts", "budget of Atlas", "--filter", '{"team": "pay"}') == owner


@pytest.mark.usefixtures("known")
def test_facts_are_found_by_a_query() -> None:
    assert statements("facts", "budget of Atlas", "-k", "1") == [("Project Atlas", "budget", "600k")]
    assert statements("facts", "budget of Atlas", "-k", "1", "--as-of", "2024-10-15") == [
        ("Project Atlas", "budget", "500k")
    ]


@pytest.mark.usefixtures("known")
def test_history_tells_what_was_and_since_when() -> None:
    found = answer("history", "project atlas", "budget")
    facts = found["facts"]
    assert isinstance(facts, list)
    assert [(fact["object"], fact["status"], fact["invalid_at"]) for fact in facts] == [
        ("500k", "past", "2024-10-20T00:00:00+00:00"),
        ("600k", "current", None),
    ]
    assert facts[0]["superseded_by"] == facts[1]["id"]
    (row,) = [line for line in said("history", "Project Atlas", "budget").splitlines() if "past" in line]
    cells = [cell.strip() for cell in row.strip("│").split("│")]
    assert cells == ["2024-10-14", "2024-10-20", "Project Atlas", "budget", "500k", "past", "m1"]


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize("predicate", ["works_for", "works for", "Works For"])
def test_a_predicate_may_be_written_in_words(predicate: str) -> None:
    assert statements("history", "Zhang Wei", predicate) == [("Zhang Wei", "works_for", "Acme Robotics")]


@pytest.mark.usefixtures("known")
def test_the_time_of_asking_decides_what_is_past() -> None:
    assert "upcoming" in said("history", "Project Atlas", "owner", "--now", "2024-10-01")


@pytest.mark.usefixtures("known")
def test_what_is_not_so_of_a_subject_is_no_error_and_what_is_so_is_told() -> None:
    assert said("history", "Project Atlas", "deadline") == (
        "Nothing found: 'Project Atlas' has no 'deadline', but owner, budget.\n"
    )
    told = answer("history", "Project Atlas", "deadline")
    assert told == {"subject": "Project Atlas", "predicate": "deadline", "facts": []}
    assert said("history", "Acme Robotics") == "Nothing found.\n"
    assert said("history", "Project Atlas", "deadline", "--known-at", "2020-01-01") == "Nothing found.\n"


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(
    "moment", ["2024-10-15", "20241015", "2024-10-15T00:00:00+00:00", "1728950400", "1728950400.5"]
)
def test_times_are_iso_or_epoch_seconds(moment: str) -> None:
    assert ("Project Atlas", "budget", "500k") in statements("facts", "--as-of", moment)


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize("moment", ["2024", "202410", "soon", ""])
@pytest.mark.parametrize("option", ["--as-of", "--now", "--known-at"])
def test_what_is_no_time_is_refused(option: str, moment: str) -> None:
    for command in (["facts"], ["history", "Atlas"], ["search", "x"]):
        assert f"{option} {moment!r} is not a time" in refused(*command, option, moment)


# -- path, entities, merge --------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("known")
def test_a_path_is_one_line_with_directions_and_dates() -> None:
    assert said("path", "acme robotics", "Project Atlas") == (
        "Acme Robotics ←works for— Zhang Wei (2024-09-10) ←owner— Project Atlas (2024-10-10)\n"
    )
    found = answer("path", "Project Atlas", "Acme Robotics")
    steps = found["steps"]
    assert isinstance(steps, list)
    assert [(step["subject"], step["predicate"], step["object"], step["forward"]) for step in steps] == [
        ("Project Atlas", "owner", "Zhang Wei", True),
        ("Zhang Wei", "works_for", "Acme Robotics", True),
    ]
    assert steps[0]["text"] == "Zhang Wei owns Project Atlas."


@pytest.mark.usefixtures("known")
def test_a_path_is_seen_as_it_was() -> None:
    asked = ("path", "Project Atlas", "500k")
    assert said(*asked, "--as-of", "2024-10-15") == "Project Atlas —budget→ 500k (2024-10-14)\n"
    assert said(*asked, "--now", "2024-10-15") == "Project Atlas —budget→ 500k (2024-10-14)\n"
    assert "no entity goes by '500k'" in refused(*asked)
    assert said("path", "Project Atlas", "Zhang Wei", "--as-of", "2024-10-01") == (
        "No path: no chain of facts that hold at that time leads from 'Project Atlas' to 'Zhang Wei'.\n"
    )
    assert said("path", "Project Atlas", "Zhang Wei", "--known-at", "2020-01-01").startswith("No path")
    assert "--as-of 'soon' is not a time" in refused(*asked, "--as-of", "soon")


@pytest.mark.usefixtures("known")
def test_a_date_stays_on_one_line_of_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    said("add", "-", "--extract", "--time", "2024-10-25T09:30", stdin="The budget of Project Atlas is 700k.")
    monkeypatch.setenv("COLUMNS", "80")
    shown = said("history", "Project Atlas")
    assert all(date in shown for date in ("2024-10-10", "2024-10-14", "2024-10-20", "2024-10-25"))
    assert all(word in shown for word in ("09:30", "subject", "predicate", "current", "m1"))
    assert max(map(len, shown.splitlines())) <= 80
    monkeypatch.setenv("COLUMNS", "100")
    assert "2024-10-25 09:30" in said("history", "Project Atlas")
    said("merge", "张伟", "Zhang Wei")
    assert re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d ", said("entities", "--merges"))


@pytest.mark.usefixtures("known")
def test_what_is_to_come_begins_from_a_date() -> None:
    shown = said("search", "budget of Project Atlas", "--kind", "fact", "--now", "2024-10-15", "-k", "3")
    assert "upcoming: Project Atlas —budget→ 600k, from 2024-10-20" in shown
    assert "current: Project Atlas —budget→ 500k, since 2024-10-14, until 2024-10-20" in shown


@pytest.mark.usefixtures("known")
def test_equal_values_connect_nobody_but_may_be_asked_for() -> None:
    assert said("path", "Project Atlas", "Project Zeus") == (
        "No path: no chain of facts that hold now leads from 'Project Atlas' to 'Project Zeus'.\n"
    )
    assert answer("path", "Project Atlas", "Project Zeus")["path"] is None
    assert said("path", "Project Zeus", "600k") == "Project Zeus —budget→ 600k (2024-09-11)\n"


@pytest.mark.usefixtures("known")
def test_of_two_facts_the_newest_is_on_the_path() -> None:
    said("add", "-", "--extract", "--time", "2024-10-25", stdin="Project Atlas is blocked by Zhang Wei.")
    with HybridMemory.open("memory.db") as memory:
        memory.add_facts(
            [{"subject": "Zhang Wei", "predicate": "praised", "object": "Project Atlas", "valid_at": "2024-11-01"}]
        )
    assert said("path", "Project Atlas", "Zhang Wei") == "Project Atlas ←praised— Zhang Wei (2024-11-01)\n"


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["path", "Nobody", "Zhang Wei"], "no entity goes by 'Nobody': hybrid-memory entities lists them"),
        (["path", "Zhang Wei", "atl"], "no entity goes by 'atl': perhaps 'Project Atlas'?"),
        (["history", "Nobody"], "no entity goes by 'Nobody': hybrid-memory entities lists them"),
        (["history", "atl", "budget", "--json"], "no entity goes by 'atl': perhaps 'Project Atlas'?"),
        (["history", " "], "subject is ' ': give a string that is not blank"),
        (["merge", " ", "Zhang Wei"], "entity ' ' is no name"),
        (["path", "Zhang Wei", "zhang wei"], "are one entity, 'Zhang Wei': give two"),
        (["merge", "Nobody", "Zhang Wei"], "no entity goes by 'Nobody': hybrid-memory entities lists them"),
        (["unmerge", "Zhang Wei", "atl"], "no entity goes by 'atl': perhaps 'Project Atlas'?"),
        (["merge", "Zhang Wei", "zhang wei"], "are one name: give two"),
        (["entities", "--suggest", "--db", "absent.db"], "absent.db"),
    ],
)
def test_names_that_do_not_fit_are_one_line(arguments: list[str], part: str) -> None:
    assert part in refused(*arguments)


@pytest.mark.usefixtures("known")
def test_entities_are_listed_the_most_mentioned_first() -> None:
    found = answer("entities")["entities"]
    assert isinstance(found, list)
    assert found[0] == {"name": "Project Atlas", "type": "project", "aliases": [], "mentions": 3}
    shown = said("entities", "zhang")
    assert "Zhang Wei" in shown
    assert "Atlas" not in shown
    assert said("entities", "Nobody") == "Nothing found.\n"


@pytest.mark.usefixtures("known")
def test_names_that_look_like_markup_are_shown_as_they_are() -> None:
    with HybridMemory.open("memory.db") as memory:
        memory.add_facts([{"subject": "[red]Shelf[/red]", "predicate": "owner", "object": "[/]"}])
    assert "[red]Shelf[/red]" in said("facts")
    assert "[red]Shelf[/red]" in said("entities")


@pytest.mark.usefixtures("known")
def test_a_merge_is_suggested_made_and_taken_back() -> None:
    with HybridMemory.open("memory.db") as memory:
        memory.add_facts([{"subject": "Acme Robotics Labs", "predicate": "located_in", "object": "Oslo"}])
    suggested = answer("entities", "acme", "--suggest")["suggestions"]
    assert isinstance(suggested, list)
    assert [{one["a"], one["b"]} for one in suggested] == [{"Acme Robotics", "Acme Robotics Labs"}]
    assert "Acme Robotics Labs" in said("entities", "--suggest")
    assert said("entities", "Zeus", "--suggest") == "Nothing to merge.\n"
    merged = answer("merge", "张伟", "zhang wei")["entities"]
    assert isinstance(merged, list)
    assert [{one["name"], *one["aliases"]} for one in merged] == [{"张伟", "Zhang Wei"}]
    assert said("path", "智能货架项目", "Acme Robotics").count("→") == 2
    assert "are different entities:" in said("unmerge", "张伟", "zhang wei")
    assert said("path", "智能货架项目", "Acme Robotics").startswith("No path")
    decided = answer("entities", "--merges")["merges"]
    assert isinstance(decided, list)
    assert [(one["op"], {one["a"], one["b"]}, one["judged"]) for one in decided] == [
        ("merge", {"张伟", "Zhang Wei"}, False),
        ("unmerge", {"张伟", "Zhang Wei"}, False),
    ]
    assert "unmerge" in said("entities", "zhang", "--merges")
    assert said("entities", "acme", "--merges") == "Nothing was merged or unmerged.\n"
    assert "--suggest and --merges" in refused("entities", "--suggest", "--merges")


# -- search, delete, export -------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("known")
def test_search_tells_path_status_and_successor() -> None:
    shown = said("search", "budget of Project Atlas", "--kind", "chunk", "--kind", "fact")
    for expected in (
        "superseded by m2",
        "past: Project Atlas —budget→ 500k, since 2024-10-14, until 2024-10-20",
        "current: Project Atlas —budget→ 600k, since 2024-10-20",
        "fact · m2!0",
        "path: ",
        "—owner→ Zhang Wei (2024-10-10)",
        "age ×0.9",
    ):
        assert expected in shown


@pytest.mark.usefixtures("known")
def test_json_has_all_reasons() -> None:
    hits = answer("search", "budget of Project Atlas", "-k", "2")["hits"]
    assert isinstance(hits, list)
    assert [hit["id"] for hit in hits] == ["m2", "m1"]
    assert set(hits[1]["why"]) == {
        "legs", "trust", "reason", "rerank_score", "decay", "authority", "path", "facts", "superseded_by",
    }  # fmt: skip
    assert (hits[1]["why"]["superseded_by"], hits[1]["why"]["facts"][0]["status"]) == ("m2", "past")


@pytest.mark.usefixtures("known")
def test_search_options_about_time_and_graph_reach_the_memory() -> None:
    def ids(*options: str) -> list[str]:
        hits = answer("search", "budget of Project Atlas", *options)["hits"]
        assert isinstance(hits, list)
        return [hit["id"] for hit in hits]

    assert ids("--kind", "fact", "-k", "1") == ["m2!0"]
    assert "m2" in ids()
    assert "m2" not in ids("--as-of", "2024-10-15")
    assert ids("--known-at", "2020-01-01") == []
    found = {depth: answer("search", "Acme Robotics", "-k", "10", "--depth", depth)["hits"] for depth in ("1", "2")}
    assert {depth: [hit["id"] for hit in hits] for depth, hits in found.items()} == {  # type: ignore[attr-defined]
        "1": ["m4"],  # who works there
        "2": ["m4", "m3"],  # and what else is his
    }
    aged = ["-k", "1", "--now", "2026-10-20", "--legs", "sparse"]
    assert decay("--decay-floor", "1", *aged) == 1
    assert decay("--decay-floor", "0", "--time-decay", "0.9", *aged) < 0.01


def decay(*options: str) -> float:
    hits = answer("search", "budget of Project Atlas", *options)["hits"]
    assert isinstance(hits, list)
    return float(hits[0]["why"]["decay"])


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(
    ("options", "part"),
    [(["--depth", "4"], "4"), (["--time-decay", "2"], "2"), (["--decay-floor", "-1"], "-1")],
)
def test_search_options_out_of_range_are_refused(options: list[str], part: str) -> None:
    assert part in refused("search", "budget", *options)


@pytest.mark.usefixtures("known")
def test_delete_says_what_holds_again() -> None:
    assert said("delete", "m2", "--db", "memory.db") == (
        "1 record deleted, and 1 fact\nholds again: Project Atlas —budget→ 500k, since 2024-10-14\n"
    )
    gone = answer("delete", "m1")
    assert (gone["deleted"], gone["ids"], gone["facts"], gone["reopened"]) == (1, ["m1"], ["m1!0"], [])


@pytest.mark.usefixtures("known")
def test_the_graph_is_exported_for_other_programs(folder: Path) -> None:
    assert answer("export", "--graphml", "g.graphml") == {"nodes": 7, "edges": 5, "file": "g.graphml"}
    read = networkx.read_graphml(folder / "g.graphml", force_multigraph=True)
    edge = read.get_edge_data("Project Atlas", "Zhang Wei", "m3!0")
    assert edge["predicate"] == "owner"
    assert edge["valid_at"] == "2024-10-10T00:00:00+00:00"
    assert "invalid_at" not in edge
    assert read.nodes["Zhang Wei"]["mentions"] == 2
    assert said("export", "--graphml", "-") == (folder / "g.graphml").read_text("utf-8")
    assert "7 nodes and 5 edges" in said("export", "--graphml", "g.graphml")


@pytest.mark.usefixtures("known")
def test_any_text_can_be_exported_as_graphml(folder: Path) -> None:
    text = "a\u2028b \x0b<&> \uffff"
    with HybridMemory.open("memory.db") as memory:
        memory.add_facts([{"id": "odd", "subject": "X", "predicate": "says", "object": "Y", "text": text}])
    said("export", "--graphml", "g.graphml")
    read = networkx.read_graphml(folder / "g.graphml", force_multigraph=True)
    assert read.get_edge_data("X", "Y", "odd!0")["text"] == "a\u2028b \ufffd<&> \ufffd"


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(
    "options", [["out.jsonl"], ["--vectors"], ["--filter", '{"a": 1}']], ids=["file", "vectors", "filter"]
)
def test_the_graph_is_exported_alone(options: list[str]) -> None:
    assert "leave out FILE, --filter, --vectors" in refused("export", "--graphml", "g.graphml", *options)


@pytest.mark.usefixtures("known")
def test_the_graph_never_overwrites_its_memory() -> None:
    assert "itself" in refused("export", "--graphml", "memory.db")


@pytest.mark.usefixtures("known")
def test_stats_tell_the_size_of_the_graph() -> None:
    found = answer("stats")
    assert (found["facts"], found["pending"]) == (6, 0)
    shown = said("stats")
    assert all(name in shown for name in ("facts", "entities", "pending"))


@pytest.mark.parametrize(
    "command",
    [
        ["facts"],
        ["history", "x"],
        ["path", "a", "b"],
        ["entities"],
        ["merge", "a", "b"],
        ["unmerge", "a", "b"],
        ["extract"],
    ],
)
def test_a_memory_that_is_not_there_is_not_made(folder: Path, command: list[str]) -> None:
    assert "no memory at 'memory.db'" in refused(*command)
    assert list(folder.iterdir()) == []


def test_what_a_terminal_would_obey_is_written_out(folder: Path) -> None:
    (folder / "b.jsonl").write_text('{"text": "Ann Lee owns \\u001b[31mAtlas.", "id": "b\\u001b[2J\\nx"}\n', "utf-8")
    said("add", "b.jsonl", "--extract")
    shown = said("search", "Atlas") + said("facts", "Ann")
    assert "\x1b[31m" not in shown
    assert "\x1b[2J" not in shown
    assert "\\x1b[2J" in shown
