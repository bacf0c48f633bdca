"""LlamaIndex LLMs in the place of the extractor's LLM."""

import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from llama_index.core.base.llms.types import CompletionResponse, CompletionResponseGen
from llama_index.core.llms import LLM, CustomLLM, LLMMetadata, MockLLM
from llama_index.core.settings import Settings

from hybrid_agent_memory import InvalidInputError
from hybrid_agent_memory.extract import Context, Extraction, Mention
from hybrid_agent_memory.extract.llm import Answer, LLMExtractor, estimated_tokens
from llamaindex_hybrid_memory import llm_of

TEXT = "Ann advises Acme."
FACT = {"subject": "Ann", "predicate": "advises", "object": "Acme", "kind": "relation"}
SAID = json.dumps({"entities": [{"name": "Ann", "type": "person"}], "facts": [FACT]})


class Saying(CustomLLM):
    """Gives one answer."""

    text: str = SAID
    raw: Any = None
    extra: dict[str, Any] = {}  # noqa: RUF012  a pydantic field

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata()

    def complete(self, prompt: str, formatted: bool = False, **kwargs: object) -> CompletionResponse:
        return CompletionResponse(text=self.text, raw=self.raw, additional_kwargs=self.extra)

    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: object) -> CompletionResponseGen:
        raise NotImplementedError


class NoRules:
    name = "none/1"
    previous_turns = 0

    def extract(self, text: str, context: Context) -> Extraction:
        return Extraction((Mention("nothing"),))


async def extracted(model: LLM) -> Extraction:
    """The same from sync and async."""
    extractor = LLMExtractor(llm_of(model), fallback=NoRules())
    found = extractor.extract(TEXT, Context())
    assert await extractor.aextract(TEXT, Context()) == found
    return found


async def test_a_model_answers() -> None:
    found = await extracted(Saying())
    assert [(triple.subject.name, triple.predicate, triple.object.name) for triple in found.triples] == [
        ("Ann", "advises", "Acme")
    ]
    assert found.note == ""
    assert (found.usage["calls"], found.usage["tokens_out"]) == (1, estimated_tokens(SAID))


@pytest.mark.parametrize(
    ("raw", "extra", "expected"),
    [
        ({"usage": {"prompt_tokens": 40, "completion_tokens": 9}}, {}, (40, 9)),
        (SimpleNamespace(usage=SimpleNamespace(input_tokens=40, output_tokens=9)), {}, (40, 9)),
        ({"usage_metadata": {"prompt_token_count": 40, "candidates_token_count": 9}}, {}, (40, 9)),
        (None, {"prompt_tokens": 40, "completion_tokens": 9}, (40, 9)),
        ({"usage": {"prompt_tokens": 0, "completion_tokens": "9"}}, {}, (None, None)),
        (object(), {}, (None, None)),
    ],
)
def test_tokens_are_the_models_own_where_it_tells_them(
    raw: object, extra: dict[str, int], expected: tuple[int | None, int | None]
) -> None:
    assert llm_of(Saying(raw=raw, extra=extra))("?") == Answer(SAID, *expected)


async def test_a_model_that_echoes_leads_to_the_rules() -> None:
    found = await extracted(MockLLM())
    assert (found.mentions, found.usage["calls"]) == ((Mention("nothing"),), 2)


async def test_an_error_of_the_model_leads_to_the_rules() -> None:
    class Failing(Saying):
        def complete(self, prompt: str, formatted: bool = False, **kwargs: object) -> CompletionResponse:
            raise ConnectionError("refused")

    found = await extracted(Failing())
    assert found.mentions == (Mention("nothing"),)
    assert found.note == "the LLM failed with ConnectionError: refused; extracted by none/1 instead"


@pytest.fixture
def default_llm() -> Iterator[LLM]:
    before = Settings._llm
    Settings.llm = model = Saying()
    yield model
    Settings._llm = before


def test_by_default_it_is_the_llm_of_the_settings(default_llm: LLM) -> None:
    assert llm_of().model is default_llm


@pytest.mark.parametrize("wrong", [None, "gpt", 7])
def test_what_is_no_llm_is_refused(wrong: Any) -> None:  # noqa: ANN401  wrong on purpose
    with pytest.raises(InvalidInputError, match="is no LlamaIndex LLM"):
        llm_of(wrong)
