"""One plan, two drivers: the same value and the same errors, with steps side by side and the loop left free."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from functools import partial
from operator import add

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybrid_agent_memory.plans import Plan, Step, adrive, awaitable, blocking, done, drive, failed, in_thread

Driver = Callable[[Plan[object]], object]


def run_async(plan: Plan[object]) -> object:
    return asyncio.run(adrive(plan))


DRIVERS = pytest.mark.parametrize("run", [drive, run_async], ids=["sync", "async"])


def adding(rounds: list[list[int]]) -> Plan[object]:
    """Each round's steps see what the rounds before have come to."""
    total = 0
    for numbers in rounds:
        steps = [Step(partial(add, total, number)) for number in numbers]
        yield steps
        total += sum(step.result() for step in steps)
    return total


@given(st.lists(st.lists(st.integers(-9, 9), max_size=3), max_size=4))
def test_both_drivers_come_to_the_same(rounds: list[list[int]]) -> None:
    expected = 0
    for numbers in rounds:
        expected += sum(expected + number for number in numbers)
    assert drive(adding(rounds)) == run_async(adding(rounds)) == expected


@DRIVERS
def test_a_plan_without_steps_and_an_empty_round(run: Driver) -> None:
    def plan() -> Plan[object]:
        yield []
        return "value"

    assert run(plan()) == "value"


@DRIVERS
def test_steps_of_one_round_run_side_by_side(run: Driver) -> None:
    meeting = threading.Barrier(3, timeout=20)

    def plan() -> Plan[object]:
        steps = [Step(meeting.wait) for _ in range(3)]
        yield steps
        return sorted(step.result() for step in steps)

    assert run(plan()) == [0, 1, 2]


@DRIVERS
def test_an_error_of_a_step_is_kept_for_the_plan(run: Driver) -> None:
    error = LookupError("gone")

    def fail() -> None:
        raise error

    def plan() -> Plan[object]:
        bad, good = Step(fail), Step(lambda: 7)
        yield [bad, good]
        assert bad.error is error
        with pytest.raises(LookupError) as caught:
            bad.result()
        return caught.value is error, good.error, good.result()

    assert run(plan()) == (True, None, 7)


@DRIVERS
@pytest.mark.parametrize("error", [LookupError("gone"), TimeoutError("late"), asyncio.InvalidStateError("odd")])
def test_an_error_of_the_plan_comes_out_as_the_object_it_is(run: Driver, error: Exception) -> None:
    def plan() -> Plan[object]:
        yield [done(1)]
        raise error

    with pytest.raises(type(error)) as caught:
        run(plan())
    assert caught.value is error


def test_an_interrupt_stops_a_plan() -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    def plan() -> Plan[object]:
        yield [Step(interrupt)]
        return "went on"

    with pytest.raises(KeyboardInterrupt):
        drive(plan())


def test_the_native_twin_is_awaited_in_the_loop_and_only_there() -> None:
    async def native() -> str:
        return f"loop {threading.get_ident() == home}"

    def plan() -> Plan[object]:
        step = Step(lambda: "blocking", native)
        yield [step]
        return step.result()

    home = threading.get_ident()
    assert drive(plan()) == "blocking"
    assert run_async(plan()) == "loop True"


def test_nothing_but_native_twins_runs_on_the_loops_own_thread() -> None:
    home = threading.get_ident()

    def plan() -> Plan[object]:
        step = Step(threading.get_ident)
        threads = [threading.get_ident()]
        yield [step]
        threads += [step.result(), threading.get_ident()]
        return threads

    threads = run_async(plan())
    assert isinstance(threads, list)
    assert home not in threads
    assert drive(plan()) == [home] * 3


def test_steps_whose_outcome_is_known() -> None:
    error = ValueError("known")
    assert (done(3).result(), done(3).error, failed(error).error) == (3, None, error)
    with pytest.raises(ValueError, match="known"):
        failed(error).result()


class Counter:
    """A planned method, and a plain one, each with its twins."""

    def _planned(self, start: int, *, by: int = 1) -> Plan[int]:
        """Count on."""
        step = Step(lambda: start + by)
        yield [step]
        return step.result()

    count = blocking(_planned)
    acount = awaitable(_planned)

    def plain(self, start: int) -> int:
        """Count on, plainly."""
        return start + 1

    aplain = in_thread(plain)


def test_methods_made_from_plans_keep_their_arguments_and_their_documentation() -> None:
    counter = Counter()
    assert counter.count(1, by=4) == 5

    async def value(waiting: Awaitable[int]) -> int:
        return await waiting

    assert asyncio.run(value(counter.acount(1, by=4))) == 5
    assert asyncio.run(value(counter.aplain(1))) == 2
    assert Counter.count.__doc__ == Counter.acount.__doc__ == "Count on."
    assert Counter.aplain.__doc__ == "Count on, plainly."
