"""The command as a process of its own: streams, exit codes, missing extras."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hybrid_agent_memory import HybridMemory

MAIN = "from hybrid_agent_memory.cli import main; main()"


def start(folder: Path, *arguments: str, program: str = MAIN) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_text_goes_through_stdin_and_json_comes_from_stdout(tmp_path: Path) -> None:
    with start(tmp_path, "--embedder", "none", "add", "-", "--json") as adding:
        out, err = adding.communicate("支付失败 ERR_0x9941。".encode())
    assert (adding.returncode, err) == (0, b"")
    assert json.loads(out)["added"] == 1
    with start(tmp_path, "--embedder", "none", "search", "支付", "--json") as searching:
        out, err = searching.communicate()
    assert (searching.returncode, err) == (0, b"")
    assert json.loads(out)["hits"][0]["text"] == "支付失败 ERR_0x9941。"
    assert "支付失败" in out.decode()


def test_an_error_is_one_line_without_a_traceback(tmp_path: Path) -> None:
    with start(tmp_path, "search", "x") as searching:
        out, err = searching.communicate()
    assert (searching.returncode, out) == (2, b"")
    assert err.startswith(b"hybrid-memory: no memory at 'memory.db'")
    assert err.count(b"\n") == 1


def test_a_reader_that_goes_away_ends_an_export_quietly(tmp_path: Path) -> None:
    with HybridMemory.open(tmp_path / "memory.db") as memory:
        memory.add([{"text": f"record {n} " + "x" * 200} for n in range(2000)])
    with start(tmp_path, "export") as exporting:
        assert exporting.stdout is not None
        assert exporting.stderr is not None
        assert exporting.stdout.readline().startswith(b"{")
        exporting.stdout.close()
        err = exporting.stderr.read()
        exporting.wait()
    assert (exporting.returncode, err) == (141, b"")


@pytest.mark.parametrize(
    "command", [["search", "x"], ["search", "x", "--json"], ["stats"], ["export"], ["--version"], ["--help"]]
)
@pytest.mark.parametrize("redirection", [">/dev/full", ">&-"])
def test_a_stdout_that_takes_nothing_is_one_line(tmp_path: Path, command: list[str], redirection: str) -> None:
    with HybridMemory.open(tmp_path / "memory.db") as memory:
        memory.add([{"text": f"record {n} " + "x" * 200} for n in range(100)])
    shell = ["sh", "-c", f'exec "$@" {redirection}', "sh", sys.executable, "-c", MAIN, "--embedder", "none", *command]
    done = subprocess.run(shell, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(b"hybrid-memory: stdout ")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("missing", ["typer", "rich"])
def test_without_its_extra_the_command_says_what_to_install(tmp_path: Path, missing: str) -> None:
    with start(tmp_path, "--help", program=f"import sys; sys.modules[{missing!r}] = None; {MAIN}") as helping:
        out, err = helping.communicate()
    assert (helping.returncode, out) == (2, b"")
    assert b"pip install 'hybrid-agent-memory[cli]'" in err
    assert err.count(b"\n") == 1


def test_the_module_is_the_command(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "hybrid_agent_memory.cli", "search", "x"], cwd=tmp_path, capture_output=True, check=False
    )
    assert (run.returncode, run.stdout) == (2, b"")
    assert run.stderr.startswith(b"hybrid-memory: no memory at 'memory.db'")
