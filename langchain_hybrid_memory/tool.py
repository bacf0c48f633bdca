"""The memory as a tool an agent can call, with the number of results and a filter as arguments."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from langchain_core.callbacks import Callbacks
from langchain_core.documents import Document
from langchain_core.prompts import BasePromptTemplate, aformat_document, format_document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import StructuredTool, ToolException
from pydantic import BaseModel, Field, ValidationError

from hybrid_agent_memory import FilterError, Path, PathStep
from hybrid_agent_memory.fields import time_or_none
from langchain_hybrid_memory._convert import SCORES_KEY

if TYPE_CHECKING:  # pydantic.v1 warns on new Pythons
    from pydantic.v1 import ValidationError as ValidationErrorV1

ResponseFormat = Literal["content", "content_and_artifact"]

NOTHING_FOUND = "Nothing in the memory matches."


class MemoryToolInput(BaseModel):
    """What a model may ask of the memory."""

    query: str = Field(description="what to look for, in plain words; keep identifiers and error codes as they are")
    k: int | None = Field(default=None, ge=1, description="how many results at most")
    filter: dict[str, Any] | None = Field(
        default=None,
        description=(
            "only results whose metadata match, e.g. "
            '{"environment": "production", "priority": {"$gte": 2}, "service": ["api", "web"]}'
        ),
    )


def create_memory_tool(
    retriever: BaseRetriever,
    name: str,
    description: str,
    *,
    document_prompt: BasePromptTemplate[str] | None = None,
    document_separator: str = "\n\n",
    response_format: ResponseFormat = "content",
) -> StructuredTool:
    """Make a tool that searches through a retriever.

    Parameters
    ----------
    retriever : BaseRetriever
        A `HybridMemoryRetriever`, or one that passes the keywords `k`, `filter` and `with_scores` on to it. Its own
        filter always holds: the model's filter can only narrow it.
    name, description : str
        What the model is told.
    document_prompt : BasePromptTemplate, optional
        How one document is written. By default its text, and in brackets, as far as known, when that was, the facts
        along which it was found, and which of its own are no longer or not yet so. With a prompt, `with_scores` is left
        to the retriever.
    document_separator : str
        What stands between documents.
    response_format : "content" or "content_and_artifact"
        With the latter the tool message also carries the documents as its artifact.

    Returns
    -------
    StructuredTool
        Takes `query`, `k` and `filter`; gives the texts, best first, or says that nothing was found. Works in
        `invoke` and `ainvoke` alike. A malformed filter or `k` is answered with its error's text, so that the model
        can mend it; set ``handle_tool_error`` and ``handle_validation_error`` to False to have it raised.

    Examples
    --------
    >>> from langchain_hybrid_memory import HybridMemoryRetriever
    >>> retriever = HybridMemoryRetriever.from_texts(["the disk is full", "lunch is at noon"])
    >>> tool = create_memory_tool(retriever, "recall", "Looks up what happened before.")
    >>> tool.invoke({"query": "disk", "k": 1})
    'the disk is full'
    """

    def given(k: int | None, narrowing: dict[str, Any] | None) -> dict[str, Any]:
        asked = {"k": k, "filter": narrowing, "with_scores": True if document_prompt is None else None}
        return {name: value for name, value in asked.items() if value is not None}

    def answer(documents: list[Document], parts: list[str]) -> str | tuple[str, list[Document]]:
        content = document_separator.join(parts) or NOTHING_FOUND
        return (content, documents) if response_format == "content_and_artifact" else content

    def recall(
        query: str,
        k: int | None = None,
        filter: dict[str, Any] | None = None,  # noqa: A002  the name models see
        callbacks: Callbacks = None,
    ) -> str | tuple[str, list[Document]]:
        config = RunnableConfig(callbacks=callbacks)
        with _errors_for_the_model():
            documents = retriever.invoke(query, config, **given(k, filter))
        if document_prompt is None:
            return answer(documents, [_with_note(document) for document in documents])
        return answer(documents, [format_document(document, document_prompt) for document in documents])

    async def arecall(
        query: str,
        k: int | None = None,
        filter: dict[str, Any] | None = None,  # noqa: A002  the name models see
        callbacks: Callbacks = None,
    ) -> str | tuple[str, list[Document]]:
        config = RunnableConfig(callbacks=callbacks)
        with _errors_for_the_model():
            documents = await retriever.ainvoke(query, config, **given(k, filter))
        if document_prompt is None:
            return answer(documents, [_with_note(document) for document in documents])
        return answer(documents, [await aformat_document(document, document_prompt) for document in documents])

    return StructuredTool(
        name=name,
        description=description,
        func=recall,
        coroutine=arecall,
        args_schema=MemoryToolInput,
        response_format=response_format,
        handle_tool_error=True,
        handle_validation_error=_what_is_wrong,
    )


def _what_is_wrong(error: "ValidationError | ValidationErrorV1") -> str:
    """Every wrong argument with its reason; LangChain's own answer to the model names none."""
    return "; ".join(f"{'.'.join(map(str, wrong['loc']))}: {wrong['msg']}" for wrong in error.errors())


@contextmanager
def _errors_for_the_model() -> Iterator[None]:
    try:
        yield
    except FilterError as error:
        raise ToolException(str(error)) from error


def _with_note(document: Document) -> str:
    """The text of a document, and in brackets what a model should know to judge it."""
    why = document.metadata.get(SCORES_KEY) or {}
    happened = time_or_none(document.metadata.get("time"))
    notes = [_day(happened), _path(why.get("path") or {}), *map(_standing, why.get("facts") or ())]
    written = "; ".join(note for note in notes if note)
    return f"{document.page_content}\n[{written}]" if written else document.page_content


def _path(path: Mapping[str, Any]) -> str:
    """The facts of a path, without the mentions it begins and ends with, which name chunks."""
    steps = [PathStep(**{**step, "time": time_or_none(step["time"])}) for step in path.get("steps", ())]
    facts = [at for at, step in enumerate(steps) if step.predicate != "mentioned in"]
    return str(Path(tuple(steps[facts[0] : facts[-1] + 1]))) if facts else ""


def _standing(fact: Mapping[str, Any]) -> str:
    """Of a fact that is no longer or not yet so: until when it was, or from when it will be."""
    said = f"{fact['predicate'].replace('_', ' ')} {fact['object']}"
    match fact["status"]:
        case "past":
            return f"{said} until {_day(time_or_none(fact['invalid_at']))}"
        case "upcoming":
            return f"{said} from {_day(time_or_none(fact['valid_at']))}"
    return ""


def _day(moment: datetime | None) -> str:
    return "" if moment is None else f"{moment:%Y-%m-%d}"
