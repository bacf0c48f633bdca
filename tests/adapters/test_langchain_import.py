"""What importing the adapter needs and what it says when that is missing."""

import subprocess
import sys

import langchain_hybrid_memory


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def importing_without(module: str) -> str:
    return f"import sys; sys.modules[{module!r}] = None; import langchain_hybrid_memory"


def test_public_names_are_exact() -> None:
    assert langchain_hybrid_memory.__all__ == ["HybridMemoryRetriever", "create_memory_tool", "llm_of"]


def test_without_langchain_the_error_is_the_command_to_type() -> None:
    failed = run(importing_without("langchain_core"))
    assert failed.returncode != 0
    assert failed.stderr.strip().splitlines()[-1] == (
        "hybrid_agent_memory.errors.OptionalDependencyError: "
        "langchain-core is not installed: pip install 'hybrid-agent-memory[langchain]'"
    )


def test_another_missing_module_is_named_as_it_is() -> None:
    failed = run(importing_without("langchain_hybrid_memory._convert"))
    assert failed.returncode != 0
    assert failed.stderr.strip().splitlines()[-1].startswith("ModuleNotFoundError: ")
    assert "langchain_hybrid_memory._convert" in failed.stderr.strip().splitlines()[-1]


def test_only_langchain_core_is_imported() -> None:
    others = ["langchain", "langchain_classic", "langchain_community", "llama_index"]
    code = f"import sys, langchain_hybrid_memory; print([name for name in {others} if name in sys.modules])"
    assert run(code).stdout.strip() == "[]"
