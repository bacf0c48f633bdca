import json
import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybrid_agent_memory.chunking import (
    Listing,
    Piece,
    list_files,
    load_file,
    load_path,
    split_markdown,
    split_text,
)
from hybrid_agent_memory.chunking.files import NotTextError
from hybrid_agent_memory.errors import InvalidInputError

LINES = st.sampled_from(
    [
        "",
        " ",
        "# Title",
        "## Sub C# ##",
        "#hashtag",
        "Setext",
        "-----",
        "===",
        "```python",
        "```",
        "~~~~",
        "    indented",
        "- item one",
        "2. item two",
        "| a | b |",
        "plain words with ERR_0x9941 in them.",
        "订单ORD-20241105的状态是已发货。客户很满意！下一步？",
        "> quote",
        "---",
        "key: value",
    ]
)
FRONT_MATTER = re.compile(
    r"---\n(key: value\n([ ].*\n|- item one\n|key: value\n|# Title\n|## Sub C# ##\n|\s*\n)*)?---(\n|\Z)"
)
DOCUMENTS = st.one_of(st.lists(LINES, max_size=30).map("\n".join), st.text(max_size=300))
SIZES = st.integers(1, 120)


def solid(text: str) -> str:
    return "".join(text.split())


def is_ideographic(character: str) -> bool:
    return "\u3000" <= character <= "\u9fff" or character in "，。！？；：（）" or ord(character) >= 0x20000


def check_slices(text: str, pieces: list[Piece]) -> None:
    assert solid("".join(piece.text for piece in pieces)) == solid(text)
    end = 0
    for piece in pieces:
        assert piece.text
        assert piece.text == piece.text.strip()
        assert text[piece.start : piece.start + len(piece.text)] == piece.text
        assert piece.start >= end
        assert not text[end : piece.start].strip()
        end = piece.start + len(piece.text)


def check_no_word_is_cut(text: str, pieces: list[Piece]) -> None:
    for piece in pieces[1:]:
        before, after = text[piece.start - 1], text[piece.start]
        assert before.isspace() or is_ideographic(before) or is_ideographic(after)


@given(DOCUMENTS, SIZES)
def test_plain_pieces_are_slices_that_leave_out_only_white_space(text: str, max_chars: int) -> None:
    pieces = split_text(text, max_chars=max_chars)
    check_slices(text, pieces)
    check_no_word_is_cut(text, pieces)


@given(DOCUMENTS, SIZES)
def test_markdown_pieces_are_slices_that_leave_out_only_white_space(text: str, max_chars: int) -> None:
    body = FRONT_MATTER.sub(lambda front: " " * len(front[0]), text, count=1) if FRONT_MATTER.match(text) else text
    pieces = split_markdown(text, max_chars=max_chars)
    check_slices(body, pieces)
    check_no_word_is_cut(body, pieces)


@given(DOCUMENTS, SIZES)
def test_only_a_long_word_makes_a_plain_piece_too_long(text: str, max_chars: int) -> None:
    for piece in split_text(text, max_chars=max_chars):
        assert len(piece.text) <= max_chars or len(piece.text.split()) == 1


@given(DOCUMENTS, SIZES)
def test_what_fits_is_one_piece(text: str, max_chars: int) -> None:
    if text.strip() and len(text.strip()) <= max_chars:
        assert [piece.text for piece in split_text(text, max_chars=max_chars)] == [text.strip()]


def test_empty_and_blank_texts_have_no_pieces() -> None:
    assert split_text("") == split_text(" \n\t\u3000") == split_markdown("") == split_markdown("\n\n") == []


def test_paragraphs_are_kept_together_before_lines_and_lines_before_sentences() -> None:
    text = "One one.\nTwo two.\n\nThree three.\nFour four."
    assert [piece.text for piece in split_text(text, max_chars=25)] == [
        "One one.\nTwo two.",
        "Three three.\nFour four.",
    ]
    assert [piece.text for piece in split_text(text, max_chars=13)] == [
        "One one.",
        "Two two.",
        "Three three.",
        "Four four.",
    ]


def test_list_items_are_not_torn_while_they_fit() -> None:
    text = "- restart the pod\n  and wait\n- page Ana\n  or Bo"
    assert [piece.text for piece in split_text(text, max_chars=30)] == [
        "- restart the pod\n  and wait",
        "- page Ana\n  or Bo",
    ]


def test_chinese_is_cut_after_sentences() -> None:
    text = "支付服务重启了。订单恢复正常！谁来复盘？小王负责。"
    assert [piece.text for piece in split_text(text, max_chars=16)] == [
        "支付服务重启了。订单恢复正常！",
        "谁来复盘？小王负责。",
    ]


def test_a_chinese_sentence_too_long_is_cut_between_characters_around_identifiers() -> None:
    text = "查询订单ORD-20241105的状态"
    pieces = [piece.text for piece in split_text(text, max_chars=12)]
    assert "".join(pieces) == text
    assert any("ORD-20241105" in piece for piece in pieces)


def test_a_closing_quote_stays_with_its_sentence() -> None:
    text = "他说：“马上回滚。”然后就下线了。"
    assert [piece.text for piece in split_text(text, max_chars=10)] == ["他说：“马上回滚。”", "然后就下线了。"]


def test_a_word_longer_than_the_limit_stays_whole() -> None:
    word = "https://example.org/" + "a" * 50
    assert [piece.text for piece in split_text(f"see {word} now", max_chars=10)] == ["see", word, "now"]


def test_no_crumb_is_left_over() -> None:
    text = " ".join(["word"] * 41)  # 41 words of 4 letters and 40 spaces: 204 characters
    lengths = [len(piece.text) for piece in split_text(text, max_chars=200)]
    assert len(lengths) == 2
    assert min(lengths) > 200 / 3


def test_sections_are_pieces_with_their_heading_path() -> None:
    text = "intro\n\n# Pay #\n\nabout\n\n## Roll back\n\nsteps\n\n## C#\n\nlibrary\n\nSetext\n======\n\nend"
    assert [(piece.heading_path, piece.text) for piece in split_markdown(text)] == [
        ((), "intro"),
        (("Pay",), "# Pay #\n\nabout"),
        (("Pay", "Roll back"), "## Roll back\n\nsteps"),
        (("Pay", "C#"), "## C#\n\nlibrary"),
        (("Setext",), "Setext\n======\n\nend"),
    ]


def test_a_heading_with_nothing_under_it_goes_with_the_next() -> None:
    text = "# A\n\n## B\n\nbody\n\n# C"
    assert [(piece.heading_path, piece.text) for piece in split_markdown(text)] == [
        (("A", "B"), "# A\n\n## B\n\nbody"),
        (("C",), "# C"),
    ]


def test_all_pieces_of_a_long_section_carry_its_path() -> None:
    text = "# Long\n\n" + "\n\n".join(f"Paragraph {n} says a little." for n in range(20))
    pieces = split_markdown(text, max_chars=100)
    assert len(pieces) > 1
    assert {piece.heading_path for piece in pieces} == {("Long",)}
    assert all(len(piece.text) <= 100 for piece in pieces)


@pytest.mark.parametrize(
    ("opening", "closing"), [("```sh", "```"), ("~~~", "~~~~"), ("````", "````"), ("  ```", "  ```")]
)
def test_headings_inside_a_fence_are_code(opening: str, closing: str) -> None:
    text = f"# Real\n\n{opening}\n# comment\n\n## more\n{closing}\n\nafter"
    assert [piece.heading_path for piece in split_markdown(text)] == [("Real",)]


def test_a_shorter_or_other_marker_does_not_close_a_fence() -> None:
    text = "````\n```\n# comment\n~~~~\n````\n# Real\n\nbody"
    assert [piece.heading_path for piece in split_markdown(text)] == [(), ("Real",)]


def test_an_unclosed_fence_runs_to_the_end() -> None:
    assert [piece.heading_path for piece in split_markdown("# A\n\n```\n# comment\n\nmore")] == [("A",)]


def test_a_fence_is_kept_whole_up_to_three_times_the_limit() -> None:
    code = "```\n" + "\n".join(f"step {n}" for n in range(10)) + "\n```"
    text = f"Before that, some words.\n\n{code}\n\nAnd after it, more words."
    whole = split_markdown(text, max_chars=30)
    assert code in [piece.text for piece in whole]
    cut = split_markdown(text, max_chars=20)
    assert code not in [piece.text for piece in cut]
    assert all(len(piece.text) <= 20 for piece in cut)
    assert all(line.strip() in text.split("\n") for piece in cut[2:-2] for line in piece.text.split("\n"))


@pytest.mark.parametrize(
    ("front", "values"),
    [
        ("title: x\n# a comment\ndate: 2024-11-05 # a day", {"title": "x", "date": "2024-11-05"}),
        (
            "a: 'it: is'\nb: \"#1\"\nc: http://x/#y\n\nd.e-f: 3",
            {"a": "it: is", "b": "#1", "c": "http://x/#y", "d.e-f": "3"},
        ),
        ("标题: 值班\nempty:\nnone: ~\nnull: null\nquotes: ''", {"标题": "值班"}),
        ("tags: [a, b]\nmap: {a: 1}\nlist:\n  - a\n- b\nnest:\n  key: value\nlast: x", {"last": "x"}),
        ('long: one\n  two\nblock: |\n  # text\n\n  key: value\nescape: "\\n"\nalias: *a\nopen: \'x', {}),
        ("windows: yes\r", {"windows": "yes"}),
        ("# only\ntitle: x", {"title": "x"}),
    ],
)
@pytest.mark.parametrize("closing", ["---", "...", "--- "])
def test_front_matter_is_metadata_of_every_chunk_and_no_text(
    tmp_path: Path, front: str, values: dict[str, str], closing: str
) -> None:
    text = f"---\n{front}\n{closing}\n\nIntro.\n\n# Real\n\nbody"
    assert [(piece.heading_path, piece.text) for piece in split_markdown(text)] == [
        ((), "Intro."),
        (("Real",), "# Real\n\nbody"),
    ]
    path = write(tmp_path, "x.md", text)
    intro, body = load_file(path, root=tmp_path)
    assert intro.get("metadata", {}) == values
    assert body["metadata"] == values | {"heading": "Real"}


@pytest.mark.parametrize(
    "text",
    [
        "---\n\n# Slide\n\n---\n\nnext",
        "---\n\ntitle: x\n---\nnext",
        "---\n# Slide\n---\nnext",
        "---\ntitle: x\nSome words.\n---\nnext",
        "---\nSome words.\ntitle: x\n---\nnext",
        "---\n- item\n---\nnext",
        "---\ntitle: x\nnever closed",
        "----\ntitle: x\n---\nnext",
        "\n---\ntitle: x\n---\nnext",
        "@id: x\n---",
    ],
)
def test_what_only_looks_like_front_matter_stays_text(tmp_path: Path, text: str) -> None:
    assert solid("".join(piece.text for piece in split_markdown(text))) == solid(text)
    assert all(set(item.get("metadata", {})) <= {"heading"} for item in load_file(write(tmp_path, "x.md", text)))  # type: ignore[arg-type]


def test_front_matter_is_only_looked_for_in_markdown(tmp_path: Path) -> None:
    text = "---\ntitle: x\n---\nbody"
    assert load_file(write(tmp_path, "x.txt", text), root=tmp_path) == [
        {"id": "x.txt#0", "source": "x.txt", "text": text}
    ]


def test_nothing_but_front_matter_makes_no_chunk(tmp_path: Path) -> None:
    assert load_file(write(tmp_path, "x.md", "---\ntitle: x\n---\n")) == []
    assert split_markdown("---\n---") == []


def test_windows_line_ends_are_understood() -> None:
    text = "# A\r\n\r\nbody\r\n\r\n## B ##\r\n\r\n```\r\n# no\r\n```\r\n"
    assert [piece.heading_path for piece in split_markdown(text)] == [("A",), ("A", "B")]


def test_a_large_document_is_cut_in_one_pass() -> None:
    text = "# H\n\nSome sentence of words. 一句话。\n\n" * 5000
    pieces = split_markdown(text)
    assert len(pieces) == 5000


@pytest.mark.parametrize("max_chars", [0, -1, True, 2.5, "10", None])
def test_a_limit_that_is_no_size_is_refused(max_chars: object) -> None:
    for split in (split_text, split_markdown):
        with pytest.raises(InvalidInputError, match="max_chars"):
            split("x", max_chars=max_chars)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", [None, b"x", 3])
def test_what_is_no_text_is_refused(text: object) -> None:
    for split in (split_text, split_markdown):
        with pytest.raises(InvalidInputError, match="text must be a str"):
            split(text)  # type: ignore[arg-type]


def write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_a_folder_is_read_sorted_without_hidden_and_unknown_files(tmp_path: Path) -> None:
    for name in ("b.md", "a/z.txt", "a/y.MD", ".hidden.md", ".git/x.md", "picture.png", "a/events.jsonl"):
        write(tmp_path, name, '{"text": "x"}' if name.endswith("jsonl") else "x")
    listing = list_files(tmp_path)
    assert [file.relative_to(tmp_path).as_posix() for file in listing.files] == [
        "a/events.jsonl",
        "a/y.MD",
        "a/z.txt",
        "b.md",
    ]
    assert listing.skipped == 1
    assert [item["id"] for item in load_path(tmp_path, root=tmp_path)] == [
        "a/events.jsonl#0",
        "a/y.MD#0",
        "a/z.txt#0",
        "b.md#0",
    ]


def test_a_link_to_a_folder_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path, "notes/a.md", "x")
    (tmp_path / "notes" / "loop").symlink_to(tmp_path / "notes")
    assert len(list_files(tmp_path).files) == 1


def test_markdown_becomes_chunks_with_the_headings_they_stand_under(tmp_path: Path) -> None:
    path = write(tmp_path, "run/book.md", "# Payments\n\nIntro.\n\n## Roll back\n\nRevert, then page Ana.")
    assert load_file(path, root=tmp_path) == [
        {
            "id": "run/book.md#0",
            "source": "run/book.md",
            "text": "# Payments\n\nIntro.",
            "metadata": {"heading": "Payments"},
        },
        {
            "id": "run/book.md#1",
            "source": "run/book.md",
            "text": "# Payments\n\n## Roll back\n\nRevert, then page Ana.",
            "metadata": {"heading": "Payments > Roll back"},
        },
    ]


def test_every_chunk_begins_with_all_headings_it_stands_under_in_one_form(tmp_path: Path) -> None:
    text = "# Deploying\n\n## Rollback\n\nAsk.\n\n## Canary\n\nFive percent\nof Deploying.\n\n"
    text += "Done\n----\n\nYes.\n\n#### Then #\n\nRest."
    assert [item["text"] for item in load_file(write(tmp_path, "x.md", text), max_chars=24)] == [
        "# Deploying\n\n## Rollback",
        "# Deploying\n\n## Rollback\n\nAsk.",
        "# Deploying\n\n## Canary\n\nFive percent",
        "# Deploying\n\n## Canary\n\nof Deploying.",
        "# Deploying\n\nDone\n----\n\nYes.",
        "# Deploying\n\n## Done\n\n#### Then #\n\nRest.",
    ]


def test_text_with_any_suffix_is_read_when_named(tmp_path: Path) -> None:
    path = write(tmp_path, "notes", "\ufeffone\n\ntwo")
    assert load_file(path, root=tmp_path, max_chars=4) == [
        {"id": "notes#0", "source": "notes", "text": "one"},
        {"id": "notes#1", "source": "notes", "text": "two"},
    ]


def test_a_pipe_in_a_folder_is_passed_over(tmp_path: Path) -> None:
    path = write(tmp_path, "a.md", "x")
    os.mkfifo(tmp_path / "b.md")
    assert list_files(tmp_path) == Listing((path,), 1)


def test_names_that_are_not_utf_8_stay_apart(tmp_path: Path) -> None:
    for name in (b"\xff.md", b"\xfe.md"):
        write(tmp_path, os.fsdecode(name), "x")
    sources = [item["source"] for item in load_path(tmp_path, root=tmp_path)]
    assert sorted(map(str, sources)) == [r"\xfe.md", r"\xff.md"]


def test_a_file_outside_the_root_has_its_absolute_path(tmp_path: Path) -> None:
    path = write(tmp_path, "x.txt", "x")
    (tmp_path / "root").mkdir()
    assert load_file(path, root=tmp_path / "root")[0]["source"] == path.as_posix()


def test_sources_are_the_same_however_the_path_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, "docs/x.txt", "x")
    monkeypatch.chdir(tmp_path)
    written = ["docs/x.txt", "./docs/../docs/x.txt", str(path), os.fsencode("docs/x.txt").decode()]
    assert {str(load_file(name)[0]["source"]) for name in written} == {"docs/x.txt"}


def test_json_lines_are_taken_as_they_are_and_named_where_nameless(tmp_path: Path) -> None:
    lines: list[dict[str, object]] = [
        {"text": "a", "time": 5, "metadata": {"x": [1]}},
        {"text": "b\u2028c", "id": "mine", "source": "s"},
    ]
    nameless = {"text": "d", "id": None, "source": None}
    content = "\n\n".join(json.dumps(line, ensure_ascii=False) for line in [*lines, nameless]) + "\r\n"
    path = write(tmp_path, "e.jsonl", content)
    assert load_file(path, root=tmp_path) == [
        {"id": "e.jsonl#0", "source": "e.jsonl"} | lines[0],
        lines[1],
        {"id": "e.jsonl#2", "source": "e.jsonl", "text": "d"},
    ]


@pytest.mark.parametrize(
    "line", ["{", "[1]", '"x"', '{"id": "a"}', '{"text": 3}', '{"text": "x", "metadata": {"n": NaN}}']
)
def test_a_bad_json_line_is_named(tmp_path: Path, line: str) -> None:
    path = write(tmp_path, "e.jsonl", '{"text": "fine"}\n\n' + line)
    with pytest.raises(InvalidInputError, match=r"e\.jsonl, line 3"):
        load_file(path, root=tmp_path)


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"PK\x03\x04\x00", "caf\xe9".encode("latin-1")])
def test_a_binary_file_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    path = write(tmp_path, "thing.bin", content)
    with pytest.raises(NotTextError, match=r"thing\.bin.*text"):
        load_file(path)


def test_a_missing_path_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="absent"):
        list(load_path(tmp_path / "absent"))
