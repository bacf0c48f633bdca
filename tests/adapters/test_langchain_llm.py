"""LangChain models in the place of the extractor's LLM."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, FakeListChatModel, FakeListLLM
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.output_parsers import JsonOutputParser, StrOutputParser
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable, RunnableLambda
from langchain_core.tools import BaseTool
from pydantic import Field

from hybrid_agent_memory import InvalidInputError
from hybrid_agent_memory.extract import Context, Extraction, Mention
from hybrid_agent_memory.extract.llm import LLMExtractor, StructuredLLM
from langchain_hybrid_memory import llm_of

TEXT = "Ann advises Acme."
FACT = {"subject": "Ann", "predicate": "advises", "object": "Acme", "kind": "relation"}
SAID: dict[str, Any] = {"entities": [{"name": "Ann", "type": "person"}], "facts": [FACT]}
USED: UsageMetadata = {"input_tokens": 40, "output_tokens": 9, "total_tokens": 49}


class ToolModel(BaseChatModel):
    """Answers with the given message, and keeps the tools and prompts it was given."""

    answer: AIMessage
    tools: list[Any] = Field(default_factory=list)
    prompts: list[str] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "tool-model"

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: object,
    ) -> Runnable[Any, AIMessage]:
        self.tools.extend(tools)
        return self

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: object,
    ) -> ChatResult:
        self.prompts.append(str(messages[0].text))
        return ChatResult(generations=[ChatGeneration(message=self.answer)])


class NoRules:
    name = "none/1"
    previous_turns = 0

    def extract(self, text: str, context: Context) -> Extraction:
        return Extraction((Mention("nothing"),))


async def extracted(model: Runnable[Any, Any], **options: bool) -> Extraction:
    """The same from sync and async."""
    extractor = LLMExtractor(llm_of(model, **options), fallback=NoRules())
    found = extractor.extract(TEXT, Context())
    assert await extractor.aextract(TEXT, Context()) == found
    return found


def stated(extraction: Extraction) -> list[tuple[str, str, str]]:
    return [(triple.subject.name, triple.predicate, triple.object.name) for triple in extraction.triples]


@pytest.mark.parametrize(
    "model",
    [
        FakeListChatModel(responses=["```json\n" + json.dumps(SAID) + "\n```"]),
        FakeListLLM(responses=[json.dumps(SAID)]),
        FakeListChatModel(responses=[json.dumps(SAID)]) | StrOutputParser(),
        FakeListChatModel(responses=[json.dumps(SAID)]) | JsonOutputParser(),
        RunnableLambda(lambda _: AIMessage([{"type": "text", "text": json.dumps(SAID)}])),
    ],
)
async def test_models_and_chains_answer(model: Runnable[Any, Any]) -> None:
    found = await extracted(model)
    assert stated(found) == [("Ann", "advises", "Acme")]
    assert (found.note, found.usage["calls"]) == ("", 1)
    assert not isinstance(llm_of(model), StructuredLLM)


async def test_tokens_are_the_models_own() -> None:
    model = ToolModel(answer=AIMessage(json.dumps(SAID), usage_metadata=USED))
    found = await extracted(model, structured=False)
    assert found.usage == {"calls": 1, "tokens_in": 40, "tokens_out": 9}
    assert model.tools == []


async def test_a_model_that_binds_tools_is_asked_for_the_schema() -> None:
    called = AIMessage("", tool_calls=[{"name": "Extraction", "args": SAID, "id": "1"}], usage_metadata=USED)
    model = ToolModel(answer=called)
    found = await extracted(model)
    assert stated(found) == [("Ann", "advises", "Acme")]
    assert found.usage == {"calls": 1, "tokens_in": 40, "tokens_out": 9}
    assert model.tools[0]["title"] == "Extraction"
    assert set(model.tools[0]["properties"]) == {"entities", "facts"}
    assert TEXT in model.prompts[0]


async def test_a_text_in_place_of_the_call_is_read_as_text() -> None:
    found = await extracted(ToolModel(answer=AIMessage(json.dumps(SAID))))
    assert (stated(found), found.usage["calls"]) == ([("Ann", "advises", "Acme")], 1)


async def test_no_usable_answer_leads_to_the_rules() -> None:
    found = await extracted(ToolModel(answer=AIMessage("I would rather not.")))
    assert (found.mentions, found.usage["calls"]) == ((Mention("nothing"),), 2)


async def test_an_error_of_the_model_leads_to_the_rules() -> None:
    def fail(_: object) -> str:
        raise ConnectionError("refused")

    found = await extracted(RunnableLambda(fail))
    assert found.mentions == (Mention("nothing"),)
    assert found.note == "the LLM failed with ConnectionError: refused; extracted by none/1 instead"


def test_the_judge_asks_too() -> None:
    same = AIMessage("", tool_calls=[{"name": "Judgement", "args": {"same": True}, "id": "1"}])
    assert LLMExtractor(llm_of(ToolModel(answer=same))).judge("Ann", "A. Lee") is True


@pytest.mark.parametrize("wrong", [None, "gpt", lambda prompt: prompt])
def test_what_is_no_model_is_refused(wrong: Any) -> None:  # noqa: ANN401  wrong on purpose
    with pytest.raises(InvalidInputError, match="is no LangChain model"):
        llm_of(wrong)


def test_structured_output_is_refused_where_there_is_none() -> None:
    with pytest.raises(InvalidInputError, match="has no with_structured_output"):
        llm_of(RunnableLambda(str), structured=True)
