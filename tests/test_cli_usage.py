"""What is said to a command line that cannot be run, or was stopped."""

import sys
from pathlib import Path

import pytest

from hybrid_agent_memory import HybridMemory
from hybrid_agent_memory.cli import main


def start_main(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> object:
    """The exit code of the command as the installed program runs it."""
    monkeypatch.setattr(sys, "argv", ["hybrid-memory", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["search", "x", "--oops"], "--oops"),
        (["search"], "query"),
        (["search", "x", "-k", "many"], "--top-k"),
        (["search", "x", "--embedder", "nose"], "'local', 'none'"),
        (["--db"], "--db"),
        (["stats", "more"], "more"),
        (["serach", "x"], "serach"),
    ],
)
def test_bad_usage_is_one_line_and_exit_code_2(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    part: str,
) -> None:
    assert start_main(monkeypatch, *arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("hybrid-memory: ")
    assert part in err.lower()
    assert err.count("\n") == 1


def test_no_argument_at_all_is_help(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert start_main(monkeypatch) == 0
    out, err = capsys.readouterr()
    assert "reindex" in out
    assert err == ""


def test_ctrl_c_is_one_line_and_exit_code_130(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(HybridMemory, "search", interrupt)
    HybridMemory.open(tmp_path / "memory.db").close()
    assert start_main(monkeypatch, "search", "x", "--embedder", "none", "--db", str(tmp_path / "memory.db")) == 130
    out, err = capsys.readouterr()
    assert (out, err) == ("", "hybrid-memory: interrupted; what was stored before stays\n")
