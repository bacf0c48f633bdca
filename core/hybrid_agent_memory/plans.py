"""One piece of logic for sync and async: a plan yields the steps that wait for something, a driver runs them.

A plan is a generator. What it does between yields is quick and local; what it yields is a list of independent steps
(an embedder, a remote leg, a cross-encoder) that a driver runs side by side before it goes on.
"""

import asyncio
from collections.abc import Awaitable, Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial, update_wrapper, wraps
from inspect import signature
from typing import Any, Generic, ParamSpec, TypeVar, cast, get_args

T = TypeVar("T")
R = TypeVar("R")
T_co = TypeVar("T_co", covariant=True)
P = ParamSpec("P")


class Step(Generic[T_co]):
    """Something to wait for: a blocking call and, where there is one, its native asynchronous twin."""

    def __init__(self, call: Callable[[], T_co], acall: Callable[[], Awaitable[T_co]] | None = None) -> None:
        self._call, self._acall = call, acall
        self._value: T_co | None = None
        self.error: Exception | None = None

    def run(self) -> None:
        """Make the blocking call and keep its value or error."""
        try:
            self._value = self._call()
        except Exception as error:  # kept for the plan, which decides between degrading and raising
            self.error = error

    async def arun(self) -> None:
        """Await the native twin, or make the blocking call in a thread."""
        if self._acall is None:
            await asyncio.to_thread(self.run)
            return
        try:
            self._value = await self._acall()
        except Exception as error:  # as in `run`
            self.error = error

    def result(self) -> T_co:
        """The value of a step that was run; its error is raised."""
        if self.error is not None:
            raise self.error
        return cast(T_co, self._value)


def done(value: T) -> Step[T]:
    """A step whose value is known already."""
    step = Step(lambda: value)
    step.run()
    return step


def failed(error: Exception) -> Step[Any]:
    """A step that can only fail."""

    def fail() -> None:
        raise error

    step = Step(fail)
    step.run()
    return step


Plan = Generator[Sequence[Step[object]], None, T]


def drive(plan: Plan[T]) -> T:
    """Run a plan to its end in this thread; steps yielded together run side by side."""
    while True:
        steps, value = _advance(plan)
        if steps is None:
            return cast(T, value)
        if len(steps) == 1:
            steps[0].run()
        elif steps:
            with ThreadPoolExecutor(len(steps)) as pool:
                list(pool.map(lambda step: step.run(), steps))


async def adrive(plan: Plan[T]) -> T:
    """Run a plan to its end without blocking the event loop, whose own work goes to a thread."""
    while True:
        turn = Step(partial(_advance, plan))
        await turn.arun()  # as a step, so that an error comes out as the object it is
        steps, value = turn.result()
        if steps is None:
            return cast(T, value)
        await asyncio.gather(*(step.arun() for step in steps))


def _advance(plan: Plan[T]) -> tuple[Sequence[Step[object]] | None, T | None]:
    try:
        return next(plan), None
    except StopIteration as done:  # which must not cross a thread boundary
        return None, done.value


def blocking(planned: Callable[P, Plan[T]]) -> Callable[P, T]:
    """The blocking function of a plan; ``_name`` becomes ``name``."""

    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        return drive(planned(*args, **kwargs))

    return _named(call, planned, "")


def awaitable(planned: Callable[P, Plan[T]]) -> Callable[P, Awaitable[T]]:
    """The asynchronous function of a plan; ``_name`` becomes ``aname``."""

    async def acall(*args: P.args, **kwargs: P.kwargs) -> T:
        return await adrive(planned(*args, **kwargs))

    return _named(acall, planned, "a")


def _named(call: Callable[P, R], planned: Callable[P, Plan[T]], prefix: str) -> Callable[P, R]:
    """Give a driver's function the plan's signature and a public name, in help and in the interpreter's own errors."""
    owner, _, name = planned.__qualname__.rpartition(".")
    public = name.removeprefix("_")
    planned.__qualname__ = f"{owner}.{public}" if owner else public
    update_wrapper(call, planned)
    call.__name__, call.__qualname__ = prefix + public, planned.__qualname__.removesuffix(public) + prefix + public
    plan = signature(planned)
    answer = get_args(plan.return_annotation)[-1:] or (plan.return_annotation,)
    vars(call)["__signature__"] = plan.replace(return_annotation=answer[0])
    return call


def in_thread(call: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    """The asynchronous twin of a function that waits for the disk."""

    @wraps(call)
    async def acall(*args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.to_thread(call, *args, **kwargs)

    return acall
