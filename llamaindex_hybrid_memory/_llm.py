"""LlamaIndex LLMs as LLMs of the core's extractor."""

from collections.abc import Iterable, Mapping
from typing import Literal

from llama_index.core.base.llms.types import CompletionResponse
from llama_index.core.llms import LLM
from llama_index.core.settings import Settings

from hybrid_agent_memory.errors import InvalidInputError, shown
from hybrid_agent_memory.extract.llm import Answer

_TOKENS_IN = ("prompt_tokens", "input_tokens", "prompt_token_count")
_TOKENS_OUT = ("completion_tokens", "output_tokens", "candidates_token_count")


def llm_of(model: LLM | Literal["default"] = "default") -> "LlamaIndexLLM":
    """Make of a LlamaIndex LLM what `LLMExtractor` takes.

    Parameters
    ----------
    model : LLM or "default"
        ``"default"`` is `Settings.llm`, looked up now.

    Returns
    -------
    LlamaIndexLLM
        Asks through ``complete`` and ``acomplete``, and reports the tokens that the model reports.

    Raises
    ------
    InvalidInputError
        If `model` is something else.

    Examples
    --------
    >>> from llama_index.core.llms import MockLLM
    >>> llm_of(MockLLM(max_tokens=2))("Say something").content
    'text text'
    """
    chosen = Settings.llm if model == "default" else model
    if not isinstance(chosen, LLM):
        raise InvalidInputError(f"model {shown(model)} is no LlamaIndex LLM: give one, or 'default' for Settings.llm")
    return LlamaIndexLLM(chosen)


class LlamaIndexLLM:
    """A model that is asked for text; how it is to be JSON, the prompt says."""

    def __init__(self, model: LLM) -> None:
        self.model = model

    def __call__(self, prompt: str) -> Answer:
        """The model's answer to a prompt."""
        return _answer(self.model.complete(prompt))

    async def acall(self, prompt: str) -> Answer:
        """As a call."""
        return _answer(await self.model.acomplete(prompt))


def _answer(response: CompletionResponse) -> Answer:
    raw = response.raw
    usage = _part(raw, "usage") or _part(raw, "usage_metadata") or response.additional_kwargs
    return Answer(response.text, _tokens(usage, _TOKENS_IN), _tokens(usage, _TOKENS_OUT))


def _tokens(usage: object, names: Iterable[str]) -> int | None:
    """The first count of a usage report that its provider fills in."""
    counts = (_part(usage, name) for name in names)
    return next((count for count in counts if isinstance(count, int) and count > 0), None)


def _part(whole: object, name: str) -> object:
    return whole.get(name) if isinstance(whole, Mapping) else getattr(whole, name, None)
