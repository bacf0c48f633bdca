"""Extraction by an LLM that the caller brings; what it says is checked against the text, and rules stand behind it."""

import math
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Protocol, cast, get_args, runtime_checkable

from hybrid_agent_memory.errors import InvalidInputError, shown
from hybrid_agent_memory.extract import Context, EntityType, Extraction, Extractor
from hybrid_agent_memory.extract.alignment import hints
from hybrid_agent_memory.extract.answers import UnreadableAnswerError, read_extraction, read_judgement
from hybrid_agent_memory.extract.grounding import Grounds
from hybrid_agent_memory.extract.prompts import (
    PROMPT_VERSION,
    Schema,
    extraction_prompt,
    extraction_schema,
    judgement_prompt,
    judgement_schema,
    repair_prompt,
)
from hybrid_agent_memory.extract.vocabulary import DEFAULT, Vocabulary
from hybrid_agent_memory.plans import Plan, Step, adrive, drive

_CJK = r"[\u3005-\u30ff\u3400-\u9fff\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]"
_CHARACTERS_PER_TOKEN = 4
_LONGEST_NOTE = 300  # characters


@dataclass(frozen=True, slots=True)
class Answer:
    """What an LLM may return in place of a string or mapping, to say what the answer cost.

    Attributes
    ----------
    content : str or mapping
    tokens_in, tokens_out : int or None
        Tokens of the prompt and of the answer; None where they are not known, and then they are estimated.
    """

    content: str | Mapping[str, object]
    tokens_in: int | None = None
    tokens_out: int | None = None


Reply = str | Mapping[str, object] | Answer
"""What an LLM may return."""


@runtime_checkable
class StructuredLLM(Protocol):
    """An LLM that answers in JSON of a given schema. An optional ``astructured`` is its asynchronous twin."""

    def structured(self, prompt: str, schema: Schema) -> Reply:
        """An answer that follows the JSON schema; a string is read as an unstructured LLM's would be."""
        ...


LLM = Callable[[str], Reply] | StructuredLLM
"""A function from prompt to answer, or a `StructuredLLM`. Where a function has an ``acall``, async calls await it."""


class LLMExtractor:
    """Asks an LLM for entities and facts, keeps what the text bears out, and falls back on rules.

    Parameters
    ----------
    llm : callable or StructuredLLM
        Called once a text, and once more if its answer cannot be read. Retries after errors belong to it.
    fallback : Extractor, optional
        Used when the LLM fails or its second answer cannot be read either; the extraction's `note` says so. By
        default the rules that need no LLM.
    previous_turns : int
        How many earlier turns of the session the LLM sees, for its pronouns.
    vocabulary : Vocabulary
        Predicates that the LLM should use where they fit; they keep their kind, and whether a newer value supersedes
        an older one.
    entity_types : sequence of str, optional
        Entity types that the LLM should choose from; by default all.
    parallel : int
        How many texts the LLM may be asked about at once, in threads or tasks, when many episodes are added.
    name : str
        The version of the prompt is appended: ``"llm"`` becomes ``"llm/1"``.

    Raises
    ------
    InvalidInputError
        If `llm` cannot be called or an argument is out of range.

    Notes
    -----
    The text is quoted to the LLM as data, and its answer is not trusted: names must stand in the text or in an earlier
    turn or be the speaker's, sentences are the text's own, at most 64 entities and 64 facts are taken, denied facts
    are dropped, and only predicates of the vocabulary can supersede an older fact.

    Examples
    --------
    >>> from hybrid_agent_memory.testing.llm import ScriptedLLM
    >>> budget = {"subject": "Atlas", "predicate": "costs", "object": "500k", "kind": "relation"}
    >>> llm = ScriptedLLM({"Atlas": {"entities": [{"name": "Atlas", "type": "project"}], "facts": [budget]}})
    >>> extraction = LLMExtractor(llm).extract("Atlas costs 500k.", Context())
    >>> [(fact.subject.name, fact.predicate, fact.object.name, fact.text) for fact in extraction.triples]
    [('Atlas', 'price', '500k', 'Atlas costs 500k.')]
    """

    def __init__(
        self,
        llm: LLM,
        *,
        fallback: Extractor | None = None,
        previous_turns: int = 4,
        vocabulary: Vocabulary = DEFAULT,
        entity_types: Sequence[EntityType] | None = None,
        parallel: int = 4,
        name: str = "llm",
    ) -> None:
        if not callable(llm) and not isinstance(llm, StructuredLLM):
            raise InvalidInputError(
                f"llm {shown(llm)} cannot be called: give a function from prompt to text, an object with structured(), "
                "or a framework's model through the adapter's llm_of()"
            )
        self.llm = llm
        self._given_fallback = fallback
        self.previous_turns = _at_least(0, previous_turns, "previous_turns")
        self.parallel = _at_least(1, parallel, "parallel")
        self.vocabulary = vocabulary
        self.entity_types = _checked_types(entity_types)
        self.name = f"{name}/{PROMPT_VERSION}"

    @cached_property
    def fallback(self) -> Extractor:
        """What speaks when the LLM does not."""
        if self._given_fallback is not None:
            return self._given_fallback
        from hybrid_agent_memory.extract.rules import RuleExtractor  # most LLMs never need it

        return RuleExtractor(self.vocabulary)

    def extract(self, text: str, context: Context) -> Extraction:
        """The entities and facts of one text; its `usage` has what the LLM cost.

        Parameters
        ----------
        text : str
        context : Context

        Returns
        -------
        Extraction
            The fallback's, with a `note`, if the LLM raised an error or twice gave no readable answer. An error of
            the fallback is raised.
        """
        return drive(self._extract(text, context))

    async def aextract(self, text: str, context: Context) -> Extraction:
        """As `extract`; awaits the LLM's asynchronous twin, or calls the LLM in a thread where it has none."""
        return await adrive(self._extract(text, context))

    def judge(
        self, name_a: str, name_b: str, sentences_a: Sequence[str] = (), sentences_b: Sequence[str] = ()
    ) -> bool | None:
        """Ask the LLM whether two names mean the same entity.

        Parameters
        ----------
        name_a, name_b : str
        sentences_a, sentences_b : sequence of str
            Where each of them stands.

        Returns
        -------
        bool or None
            None if the LLM does not know or its answer cannot be read. Its errors are raised.
        """
        return drive(self._judge(name_a, name_b, sentences_a, sentences_b))

    async def ajudge(
        self, name_a: str, name_b: str, sentences_a: Sequence[str] = (), sentences_b: Sequence[str] = ()
    ) -> bool | None:
        """As `judge`."""
        return await adrive(self._judge(name_a, name_b, sentences_a, sentences_b))

    def _extract(self, text: str, context: Context) -> Plan[Extraction]:
        if not text.strip():
            return Extraction()
        turns = tuple(context.previous[max(0, len(context.previous) - self.previous_turns) :])
        first = extraction_prompt(
            text, context, turns, predicates=hints(self.vocabulary), entity_types=self.entity_types
        )
        grounds = Grounds(text, turns, context.speaker)
        prompt, usage, trouble = first, _no_usage(), ""
        for _ in range(2):
            asked = self._ask(prompt, extraction_schema(self.entity_types))
            yield [asked]
            if asked.error is not None:
                usage["calls"] += 1
                trouble = f"the LLM failed with {type(asked.error).__name__}: {asked.error}"
                break
            answer = asked.result()
            _count(usage, prompt, answer)
            try:
                return replace(read_extraction(_content(answer), grounds, self.vocabulary, context.time), usage=usage)
            except UnreadableAnswerError as error:
                trouble = f"the LLM's answer could not be read: {error}"
                prompt = repair_prompt(first, _as_text(answer), str(error))
        fallen_back = self._fall_back(text, context)
        yield [fallen_back]
        return self._noted(fallen_back.result(), trouble, usage)

    def _judge(
        self, name_a: str, name_b: str, sentences_a: Sequence[str], sentences_b: Sequence[str]
    ) -> Plan[bool | None]:
        asked = self._ask(judgement_prompt(name_a, name_b, sentences_a, sentences_b), judgement_schema())
        yield [asked]
        return read_judgement(_content(asked.result()))

    def _ask(self, prompt: str, schema: Schema) -> Step[Reply]:
        if isinstance(self.llm, StructuredLLM):
            given: tuple[object, ...] = (prompt, schema)
            call = cast(Callable[..., Reply], self.llm.structured)
            twin = getattr(self.llm, "astructured", None)
        else:
            given, call, twin = (prompt,), self.llm, getattr(self.llm, "acall", None)
        acall = cast(Callable[[], Awaitable[Reply]] | None, partial(twin, *given) if callable(twin) else None)
        return Step(partial(call, *given), acall)

    def _fall_back(self, text: str, context: Context) -> Step[Extraction]:
        turns = context.previous[max(0, len(context.previous) - self.fallback.previous_turns) :]
        seen = replace(context, previous=turns)
        twin = getattr(self.fallback, "aextract", None)
        return Step(partial(self.fallback.extract, text, seen), partial(twin, text, seen) if callable(twin) else None)

    def _noted(self, found: Extraction, trouble: str, usage: Mapping[str, int]) -> Extraction:
        told = trouble if len(trouble) <= _LONGEST_NOTE else f"{trouble[:_LONGEST_NOTE]}..."
        note = f"{told}; extracted by {self.fallback.name} instead"
        together = {key: usage[key] + found.usage.get(key, 0) for key in usage}
        return replace(found, note=f"{note}. {found.note}" if found.note else note, usage=together)


def estimated_tokens(text: str) -> int:
    """How many tokens a text has, roughly: one a character of Chinese, Japanese or Korean, else one in four characters.

    Examples
    --------
    >>> estimated_tokens("twelve chars"), estimated_tokens("预算"), estimated_tokens("")
    (3, 2, 0)
    """
    single = len(re.findall(_CJK, text))
    return single + math.ceil((len(text) - single) / _CHARACTERS_PER_TOKEN)


def _no_usage() -> dict[str, int]:
    return {"calls": 0, "tokens_in": 0, "tokens_out": 0}


def _count(usage: dict[str, int], prompt: str, answer: object) -> None:
    told = answer if isinstance(answer, Answer) else Answer("")
    usage["calls"] += 1
    usage["tokens_in"] += estimated_tokens(prompt) if told.tokens_in is None else told.tokens_in
    usage["tokens_out"] += estimated_tokens(_as_text(answer)) if told.tokens_out is None else told.tokens_out


def _content(answer: object) -> object:
    return answer.content if isinstance(answer, Answer) else answer


def _as_text(answer: object) -> str:
    content = _content(answer)
    return content if isinstance(content, str) else repr(content)


def _at_least(least: int, given: int, name: str) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or given < least:
        raise InvalidInputError(f"{name} is {shown(given)}: give {least} or more")
    return given


def _checked_types(given: Sequence[EntityType] | None) -> tuple[EntityType, ...]:
    every: tuple[EntityType, ...] = get_args(EntityType)
    if given is None:
        return every
    if isinstance(given, str) or not given or not all(name in every for name in given):
        raise InvalidInputError(f"entity_types {shown(given)} are not among {', '.join(every)}")
    return tuple(given)
