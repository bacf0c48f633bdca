"""Ask several child retrievers several queries, one after another or side by side, in threads or on the loop."""

import asyncio
import inspect
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from contextvars import copy_context
from copy import deepcopy
from dataclasses import dataclass
from types import TracebackType

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle

MAX_THREADS = 32

Hits = list[NodeWithScore]


class _Naming(AbstractContextManager[None]):
    """Notes on an error that passes through which child it came from; its type and message stay."""

    def __init__(self, note: str) -> None:
        self._note = note

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None and self._note not in getattr(error, "__notes__", ()):
            error.add_note(self._note)


@dataclass(frozen=True, slots=True)
class ChildQuery:
    """One query for one child, which is the ``index``-th of its parent; the child gets its own copy of the query."""

    query: QueryBundle
    index: int
    child: BaseRetriever

    def ask(self) -> Hits:
        """The child's answer; an error it raises comes through with a note naming the child."""
        with self._naming():
            return self.child.retrieve(deepcopy(self.query))

    async def aask(self) -> Hits:
        """As `ask`, on the event loop; a child without an async half answers in a thread."""
        if not _has_async_half(self.child):
            return await asyncio.to_thread(self.ask)
        with self._naming():
            return await self.child.aretrieve(deepcopy(self.query))

    def _naming(self) -> _Naming:
        return _Naming(f"raised by child retriever {self.index} ({type(self.child).__name__})")


def in_turn(queries: Sequence[ChildQuery]) -> list[Hits]:
    """The answers, asked for one by one in this thread."""
    return [query.ask() for query in queries]


def side_by_side(queries: Sequence[ChildQuery]) -> list[Hits]:
    """The answers, asked for in threads; of several errors, the first child's is raised."""
    if len(queries) < 2:
        return in_turn(queries)
    with ThreadPoolExecutor(min(len(queries), MAX_THREADS)) as pool:
        futures = [pool.submit(copy_context().run, query.ask) for query in queries]
    return [future.result() for future in futures]


async def ain_turn(queries: Sequence[ChildQuery]) -> list[Hits]:
    """As `in_turn`, on the event loop."""
    return [await query.aask() for query in queries]


async def aside_by_side(queries: Sequence[ChildQuery]) -> list[Hits]:
    """As `side_by_side`, on the event loop."""
    answers = await asyncio.gather(*(query.aask() for query in queries), return_exceptions=True)
    return [_answer(answer) for answer in answers]


def _answer(answer: Hits | BaseException) -> Hits:
    if isinstance(answer, BaseException):
        raise answer
    return answer


def _has_async_half(child: BaseRetriever) -> bool:
    """Whether the child does more in async than call its sync half on the loop, which would hold everyone up."""
    return any(
        inspect.getattr_static(child, name, None) is not inspect.getattr_static(BaseRetriever, name)
        for name in ("_aretrieve", "aretrieve")
    )
