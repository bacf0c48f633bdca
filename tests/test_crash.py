"""What survives `kill -9`, and what several processes see of each other; the scripts run for longer by hand."""

import subprocess
import sys
from pathlib import Path

SCRIPTS = Path(__file__).parent / "crash"


def run(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPTS / script), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_every_acknowledged_record_survives_kill_nine_in_all_legs() -> None:
    finished = run("crash_loop.py", "--rounds", "20")
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert "20 rounds" in finished.stdout


def test_a_reader_among_three_writing_processes_ends_equal_to_a_fresh_open(tmp_path: Path) -> None:
    finished = run("four_processes.py", str(tmp_path / "shared.db"))
    assert finished.returncode == 0, finished.stdout + finished.stderr


def test_a_memory_goes_on_in_both_processes_after_a_fork(tmp_path: Path) -> None:
    finished = run("fork.py", str(tmp_path / "forked.db"))
    assert finished.returncode == 0, finished.stdout + finished.stderr
