"""The command `hybrid-memory`. Needs the extra `cli`, and says so when it is missing."""

import io
import sys
from typing import NoReturn

from hybrid_agent_memory.errors import OptionalDependencyError

_INTERRUPTED = 130  # 128 + SIGINT, as a shell reports it; typer turns Ctrl-C into it too


def main() -> NoReturn:
    """Run the command line on `sys.argv`.

    Raises
    ------
    SystemExit
        Always: with 0 when all went well, 1 when an embedder or another helper failed or stdout cannot be written, 2 on
        bad usage or input or a missing extra, 3 when the file cannot be used, 130 on Ctrl-C, 141 when the reader of the
        output went away.
    """
    try:
        code = _run()
    except KeyboardInterrupt:
        code = _INTERRUPTED
    if code == _INTERRUPTED:
        sys.stderr.write("hybrid-memory: interrupted; what was stored before stays\n")
    raise SystemExit(code)


def _run() -> int:
    try:
        from hybrid_agent_memory.cli.app import app
        from hybrid_agent_memory.cli.failures import run
    except ModuleNotFoundError as error:
        _refuse_without_extra(error)
    if sys.stdout is None:  # closed by who started the process
        sys.stderr.write("hybrid-memory: stdout is closed: send it to a file, or to /dev/null\n")
        return 1
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    return run(app, None if sys.argv[1:] else ["--help"])


def _refuse_without_extra(error: ModuleNotFoundError) -> NoReturn:
    if (error.name or "").partition(".")[0] not in {"typer", "rich"}:
        raise error
    sys.stderr.write(f"hybrid-memory: {OptionalDependencyError('The command line (typer, rich)', 'cli')}\n")
    raise SystemExit(2) from error
