"""The documentation names everything that is public, and nothing that is not there. Its examples are run by doctest."""

import inspect
import re
import tomllib
from dataclasses import fields
from pathlib import Path
from types import ModuleType

import pytest
import typer.main
from pydantic import BaseModel

import hybrid_agent_memory
import langchain_hybrid_memory
import llamaindex_hybrid_memory
from hybrid_agent_memory import (
    Config,
    FilterError,
    HybridMemory,
    HybridMemoryError,
    MemoryQuery,
    MemoryResponse,
    authority,
    decay,
    intent,
    scoring,
)
from hybrid_agent_memory import chunking as chunking_package
from hybrid_agent_memory import fusion as fusion_module
from hybrid_agent_memory import testing as testing_package
from hybrid_agent_memory.cli.app import app
from hybrid_agent_memory.contract import HybridParams, MemoryFact, MemoryResult, MemoryStep
from hybrid_agent_memory.engines.local import sample
from hybrid_agent_memory.filters import parse_filter
from hybrid_agent_memory.legs import graph as graph_leg

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`([^`]+)`")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
FOLDERS = "core|docs|tests|benchmarks|examples|legs|engines|testing|chunking"
REPOSITORY_PATH = re.compile(rf"(?:(?:{FOLDERS})/[\w./-]*|[\w/]+\.(?:py|toml))")
COMMANDS = typer.main.get_group(app).commands
FILTER_OPERATORS = {"$and", "$or"}


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def prose(page: Path) -> str:
    return SPAN.sub("", FENCE.sub("", page.read_text(encoding="utf-8")))


def spans(page: Path) -> list[str]:
    return SPAN.findall(FENCE.sub("", page.read_text(encoding="utf-8")))


def fences(page: Path) -> list[str]:
    return FENCE.findall(page.read_text(encoding="utf-8"))


def code(*names: str) -> str:
    """All that these pages, or the pages of these folders, set as code."""
    pages = [page for name in names for page in ([DOCS / name] if name.endswith(".md") else (DOCS / name).glob("*.md"))]
    return "\n".join(part for page in pages for part in (*fences(page), *spans(page)))


def is_named(name: str, text: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None


def table(page: str) -> dict[str, str]:
    """The rows of a page that begin with one name: from it to the second cell."""
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \|", (DOCS / page).read_text(encoding="utf-8"), re.MULTILINE)
    return {name: cell.replace(" ", "") for name, cell in rows}


def anchors(page: Path) -> set[str]:
    """The names GitHub gives to a page's headings."""
    titles = HEADING.findall(FENCE.sub("", page.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def operators() -> set[str]:
    with pytest.raises(FilterError) as raised:
        parse_filter({"key": {"$unknown": 1}})
    return set(re.findall(r"\$\w+", str(raised.value))) - {"$unknown"} | FILTER_OPERATORS


# -- what there is, is named ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", hybrid_agent_memory.__all__)
def test_every_public_name_is_in_the_reference(name: str) -> None:
    assert is_named(name, code("reference"))


@pytest.mark.parametrize("name", [*chunking_package.__all__, *testing_package.__all__])
def test_so_are_the_names_of_the_public_subpackages(name: str) -> None:
    assert is_named(name, code("reference/core.md"))


@pytest.mark.parametrize("name", llamaindex_hybrid_memory.__all__)
def test_every_name_of_the_llamaindex_adapter_is_in_its_guide(name: str) -> None:
    assert is_named(name, code("how-to/llamaindex.md"))


@pytest.mark.parametrize("name", langchain_hybrid_memory.__all__)
def test_every_name_of_the_langchain_adapter_is_in_its_guide(name: str) -> None:
    assert is_named(name, code("how-to/langchain.md"))


METHODS = [name for name in dir(HybridMemory) if not name.startswith("_")]


@pytest.mark.parametrize("method", METHODS)
def test_every_method_is_in_the_reference_with_its_arguments(method: str) -> None:
    text = code("reference/core.md", "reference/configuration.md")
    assert is_named(method, text)
    found = getattr(HybridMemory, method)
    if callable(found):
        assert [name for name in inspect.signature(found).parameters if not is_named(name, text)] in ([], ["self"])


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_in_its_guide_with_its_options(command: str) -> None:
    guide = code("how-to/cli.md")
    assert f"hybrid-memory {command}" in guide
    options = [option for parameter in COMMANDS[command].params for option in parameter.opts if option.startswith("-")]
    assert [option for option in options if not is_named(option, guide)] == []


def test_every_error_has_a_row() -> None:
    errors = {name for name in hybrid_agent_memory.__all__ if name.endswith("Error")}
    assert set(table("reference/errors.md")) == errors - {HybridMemoryError.__name__}


def test_every_filter_operator_is_in_the_reference() -> None:
    assert operators() - set(re.findall(r"\$\w+", code("reference/filters.md"))) == set()


@pytest.mark.parametrize("model", [MemoryQuery, HybridParams, MemoryResponse, MemoryResult, MemoryStep, MemoryFact])
def test_every_field_of_the_contract_is_in_the_reference(
    model: type[BaseModel],
) -> None:
    text = code("reference/json-contract.md")
    assert [name for name in model.model_fields if not is_named(name, text)] == []


def test_the_settings_are_told_with_their_defaults() -> None:
    told = table("reference/configuration.md")
    assert {field.name: told[field.name] for field in fields(Config)} == {
        field.name: f"{field.default:g}" if isinstance(field.default, float) else str(field.default)
        for field in fields(Config)
    }


def test_the_constants_of_the_ranking_are_told_as_they_are() -> None:
    rows = re.findall(
        r"^\| `([A-Z_]+)` \| ([^|]+) \|", (DOCS / "explanation/ranking.md").read_text("utf-8"), re.MULTILINE
    )
    told = {(name, float(value.replace(" ", ""))) for name, value in rows}
    assert constants(fusion_module) | constants(graph_leg) | {("SIZE", float(sample.SIZE))} <= told
    assert told <= set().union(*map(constants, (fusion_module, graph_leg, sample, decay, authority, scoring, intent)))


def constants(module: ModuleType) -> set[tuple[str, float]]:
    """Names and values of the numbers at the top of a module."""
    values = {name: value for name, value in vars(module).items() if re.fullmatch("[A-Z_]+", name)}
    return {(name, float(value)) for name, value in values.items() if isinstance(value, int | float)}


# -- what is named, is there ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    broken = []
    for link in LINK.findall(prose(page)):
        if link.startswith(("https://", "http://")):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_files_that_are_named_exist(page: Path) -> None:
    named = [span for span in spans(page) if REPOSITORY_PATH.fullmatch(span)]
    places = (ROOT, ROOT / "core" / "hybrid_agent_memory")
    assert [path for path in named if not any((place / path).exists() for place in places)] == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_commands_that_are_shown_can_be_run(page: Path) -> None:
    shown = "\n".join(fences(page)) + "\n" + "\n".join(spans(page))
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"^make (\w+)", shown, re.MULTILINE)) - targets == set()
    assert [script for script in re.findall(r"python (\S+\.py)", shown) if not (ROOT / script).exists()] == []
    assert set(re.findall(r"^hybrid-memory ([a-z]+)", shown, re.MULTILINE)) - set(COMMANDS) == set()
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    wanted = re.findall(r"hybrid-agent-memory\[([\w,]+)\]", shown)
    assert {extra for group in wanted for extra in group.split(",")} - set(extras) == set()


def test_every_page_is_on_the_index() -> None:
    linked = {(DOCS / link.partition("#")[0]).resolve() for link in LINK.findall(prose(DOCS / "index.md"))}
    assert set(DOCS.rglob("*.md")) - linked == {DOCS / "index.md"}
