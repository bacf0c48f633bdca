"""LangChain models as LLMs of the core's extractor."""

from collections.abc import Mapping
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import Runnable

from hybrid_agent_memory.errors import InvalidInputError, shown
from hybrid_agent_memory.extract.llm import Answer

Model = Runnable[Any, Any]


def llm_of(model: Model, *, structured: bool | None = None) -> "LangChainLLM":
    """Make of a LangChain model what `LLMExtractor` takes.

    Parameters
    ----------
    model : Runnable
        A chat model, a completion model, or a chain from prompt to message or text.
    structured : bool, optional
        Whether to ask through ``with_structured_output``, which the model must have. By default a chat model is asked
        so if its class can bind tools; give False for a server that cannot.

    Returns
    -------
    LangChainLLM
        Reports the tokens that the model reports, and awaits the model in async calls.

    Raises
    ------
    InvalidInputError
        If `model` is no Runnable, or cannot give structured output when that is asked for.

    Examples
    --------
    >>> from langchain_core.language_models import FakeListChatModel
    >>> llm_of(FakeListChatModel(responses=["hello"]))("Say hello").content
    'hello'
    """
    if not isinstance(model, Runnable):
        raise InvalidInputError(f"model {shown(model)} is no LangChain model: give a chat model or another Runnable")
    wanted = _binds_tools(model) if structured is None else structured
    if not wanted:
        return LangChainLLM(model)
    if not hasattr(model, "with_structured_output"):
        raise InvalidInputError(f"a {type(model).__name__} has no with_structured_output: leave out structured=True")
    return StructuredLangChainLLM(model)


class LangChainLLM:
    """A model that is asked for text."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def __call__(self, prompt: str) -> Answer:
        """The model's answer to a prompt."""
        return _answer(self.model.invoke(prompt))

    async def acall(self, prompt: str) -> Answer:
        """As a call."""
        return _answer(await self.model.ainvoke(prompt))


class StructuredLangChainLLM(LangChainLLM):
    """A model that is asked for JSON of a schema."""

    def structured(self, prompt: str, schema: dict[str, object]) -> Answer:
        """The model's answer; its text, where the model has not kept to the schema."""
        return _structured_answer(self._bound(schema).invoke(prompt))

    async def astructured(self, prompt: str, schema: dict[str, object]) -> Answer:
        """As `structured`."""
        return _structured_answer(await self._bound(schema).ainvoke(prompt))

    def _bound(self, schema: dict[str, object]) -> Model:
        bind = getattr(self.model, "with_structured_output")  # noqa: B009  chat models have it, and completion models
        bound: Model = bind(schema, include_raw=True)
        return bound


def _binds_tools(model: Model) -> bool:
    return isinstance(model, BaseChatModel) and type(model).bind_tools is not BaseChatModel.bind_tools


def _structured_answer(output: Mapping[str, object]) -> Answer:
    raw, parsed = output["raw"], output["parsed"]
    answer = _answer(raw)
    return Answer(parsed, answer.tokens_in, answer.tokens_out) if isinstance(parsed, Mapping) else answer


def _answer(output: object) -> Answer:
    if not isinstance(output, BaseMessage):
        return Answer(output if isinstance(output, Mapping) else str(output))
    usage = output.usage_metadata if isinstance(output, AIMessage) else None
    text = str(output.text)
    return Answer(text, usage["input_tokens"], usage["output_tokens"]) if usage else Answer(text)
