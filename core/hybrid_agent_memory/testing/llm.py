"""LLMs that answer from a script, well or badly, the same way every time."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, repeat

from hybrid_agent_memory.errors import InvalidInputError, shown
from hybrid_agent_memory.extract.llm import Answer, Reply

Line = Reply | BaseException
"""One answer of a script: text, a mapping (given as JSON), an `Answer`, or an error to raise."""
Script = Callable[[str], Line] | Mapping[str, Line] | Iterable[Line]
"""A function of the prompt, answers by a part of the prompt, or answers in turn."""

NOTHING: Mapping[str, object] = {"entities": [], "facts": []}


class ScriptedLLM:
    """An LLM for tests and examples, in the shape that `LLMExtractor` takes.

    Parameters
    ----------
    script : callable, mapping or iterable
        A function from prompt to answer; or pairs of a part of the prompt and an answer, of which the part that stands
        last counts, as the text itself stands behind its earlier turns; or answers given in turn, the last one again
        and again (an extractor with ``parallel=1`` asks in order).
    otherwise : str, mapping, Answer or error
        The answer where no part of a mapping is found, or of an empty script; by default no entities and no facts.

    Attributes
    ----------
    prompts : list of str
        All prompts so far.

    Examples
    --------
    >>> llm = ScriptedLLM({"Atlas": {"same": True}}, otherwise="I do not know")
    >>> llm("Is Atlas the Atlas project?"), llm("And Zeus?"), llm.calls
    ('{"same": true}', 'I do not know', 2)
    """

    def __init__(self, script: Script, *, otherwise: Line = NOTHING) -> None:
        self.prompts: list[str] = []
        self._answer = _reader(script, otherwise)

    @property
    def calls(self) -> int:
        """How often it was asked."""
        return len(self.prompts)

    def __call__(self, prompt: str) -> Reply:
        """The scripted answer; a mapping is given as JSON text."""
        answer = self.line(prompt)
        return json.dumps(answer, ensure_ascii=False) if isinstance(answer, Mapping) else answer

    async def acall(self, prompt: str) -> Reply:
        """As a call."""
        return self(prompt)

    def line(self, prompt: str) -> Reply:
        """The scripted answer as it stands; an error among the lines is raised."""
        self.prompts.append(prompt)
        answer = self._answer(prompt)
        if isinstance(answer, BaseException):
            raise answer
        return answer


class ScriptedStructuredLLM(ScriptedLLM):
    """A `ScriptedLLM` with structured output: gives mappings as they are, and keeps the schemas it was asked for.

    Attributes
    ----------
    schemas : list of dict
        The JSON schema of each prompt.
    """

    def __init__(self, script: Script, *, otherwise: Line = NOTHING) -> None:
        super().__init__(script, otherwise=otherwise)
        self.schemas: list[dict[str, object]] = []

    def structured(self, prompt: str, schema: dict[str, object]) -> Reply:
        """The scripted answer, whatever the schema."""
        self.schemas.append(schema)
        return self.line(prompt)

    async def astructured(self, prompt: str, schema: dict[str, object]) -> Reply:
        """As `structured`."""
        return self.structured(prompt, schema)


def bad_answers() -> dict[str, Line]:
    """What LLMs and the gateways before them give instead of an answer, by name.

    Examples
    --------
    >>> extractor_sees = ScriptedLLM(bad_answers().values())
    """
    fact = {"subject": "a", "predicate": "b", "object": "c"}
    return {
        "empty": "",
        "blank": " \n\t",
        "garbage": "\x00\ufffd}{][,,:\\\"'",
        "refusal": "I'm sorry, but I can't help with that.",
        "HTML": "<!DOCTYPE html><html><head><style>b{a:c}</style></head><body>502 Bad Gateway</body></html>",
        "an error in JSON": '{"error": {"code": 429, "message": "rate limit"}}',
        "truncated": '{"entities": [{"name": "a", "type": "person"}], "facts": [{"subject": "a", "pred',
        "single quotes": "{'entities': [], 'facts': []}",
        "a list": json.dumps([fact]),
        "a number": "42",
        "null": "null",
        "lists that are none": '{"entities": "none", "facts": "none"}',
        "items that are none": '{"entities": [1, null], "facts": [[], true]}',
        "half facts": '{"facts": [{"subject": "a"}, {"subject": {"name": "a"}, "predicate": 1, "object": []}]}',
        "braces without end": '{"facts": ' * 20_000,
        "brackets without end": '{"facts": ' + "[" * 50_000,
        "an integer without end": '{"facts": ' + "9" * 10_000 + "}",
        "10 MB": '{"facts": [' + json.dumps(fact) + ("," + json.dumps(fact)) * 200_000 + "]}",
        "an error": RuntimeError("the model is overloaded"),
        "a time-out": TimeoutError("no answer within 30 s"),
    }


def _reader(script: Script, otherwise: Line) -> Callable[[str], Line]:
    if isinstance(script, Mapping):
        parts = dict(script)
        return lambda prompt: _last_found(parts, prompt, otherwise)
    if callable(script):
        return script
    if isinstance(script, str) or not isinstance(script, Iterable):
        raise InvalidInputError(f"script {shown(script)}: give a function, a mapping or a list of answers")
    lines = list(script)
    in_turn: Iterator[Line] = chain(lines, repeat(lines[-1] if lines else otherwise))
    return lambda _: next(in_turn)


def _last_found(parts: Mapping[str, Line], prompt: str, otherwise: Line) -> Line:
    places = {part: prompt.rfind(part) for part in parts}
    last = max(places, key=places.__getitem__, default="")
    return parts[last] if places.get(last, -1) >= 0 else otherwise


__all__ = ["Answer", "ScriptedLLM", "ScriptedStructuredLLM", "bad_answers"]
