"""Threads and event loops: slow parts run side by side, answers stay the same, and no loop is held up."""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from hybrid_agent_memory import ClosedMemoryError, Config, HybridMemory, LegQuery, Response
from hybrid_agent_memory.embedding import PROBES
from hybrid_agent_memory.engines.local.engine import LocalEngine
from hybrid_agent_memory.testing import HashEmbedder
from hybrid_agent_memory.text import tokenize

PATIENCE = 20.0  # seconds after which a test gives up on something that should have happened
QUESTIONS = ["red apple", "ERR_0x9941", "green number 7", "blue", "unheard of"]


@contextmanager
def setting(event: threading.Event) -> Iterator[None]:
    """Set an event at the end, whatever happens, so that no thread waits for it forever."""
    try:
        yield
    finally:
        event.set()


def filled(memory: HybridMemory, size: int = 120) -> HybridMemory:
    colours = ["red", "green", "blue"]
    memory.add(
        [
            {"id": f"r{at:03}", "text": f"{colours[at % 3]} number {at % 11}", "metadata": {"at": at}}
            for at in range(size)
        ]
    )
    return memory


class CallingLeg:
    """A leg that calls something before it finds nothing."""

    def __init__(self, name: str, call: Callable[[], object]) -> None:
        self.name, self._call = name, call

    def search(self, query: LegQuery) -> list[tuple[str, float]]:
        self._call()
        return []


class CallingEmbedder(HashEmbedder):
    """Calls something before it embeds a query."""

    def __init__(self, call: Callable[[], object]) -> None:
        super().__init__(8)
        self._call = call

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [super(CallingEmbedder, self).embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        self._call()
        return super().embed_query(text)


def composed(*legs: CallingLeg, embedder: HashEmbedder | None = None) -> HybridMemory:
    memory = HybridMemory(LocalEngine(None, tokenize, Config(), "full"), embedder=embedder, legs=legs)
    memory.add("red")
    return memory


async def asearch(memory: HybridMemory, question: str) -> Response:
    return await memory.asearch(question, top_k=9, on_error="raise")


def search(how: str, memory: HybridMemory, question: str = "red") -> Response:
    if how == "async":
        return asyncio.run(asearch(memory, question))
    return memory.search(question, top_k=9, on_error="raise")


HOW = pytest.mark.parametrize("how", ["sync", "async"])


# -- side by side ---------------------------------------------------------------------------------------------------


@HOW
def test_two_slow_legs_take_as_long_as_one(how: str) -> None:
    memory = composed(*(CallingLeg(name, lambda: time.sleep(0.3)) for name in ("one", "two")))

    def seconds() -> float:
        start = time.perf_counter()
        search(how, memory)
        return time.perf_counter() - start

    assert min(seconds() for _ in range(3)) < 0.5


@HOW
def test_legs_and_the_embedder_wait_together(how: str) -> None:
    """Each of the three goes on only when all have begun."""
    all_begun = threading.Barrier(3, timeout=PATIENCE)
    embedder = CallingEmbedder(all_begun.wait)
    memory = composed(*(CallingLeg(name, all_begun.wait) for name in ("one", "two")), embedder=embedder)
    assert search(how, memory).legs == ("sparse", "dense", "one", "two")


def test_the_event_loop_goes_on_while_a_search_waits() -> None:
    ticked = threading.Event()

    def wait() -> None:
        if not ticked.wait(PATIENCE):
            raise TimeoutError("the loop stood still")

    memory = composed(CallingLeg("slow", wait), embedder=CallingEmbedder(wait))

    async def tick() -> None:
        for _ in range(5):
            await asyncio.sleep(0)
        ticked.set()

    async def both() -> Response:
        response, _ = await asyncio.gather(asearch(memory, "red"), tick())
        return response

    assert asyncio.run(both()).failures == {}


def test_the_event_loop_goes_on_while_an_add_waits_for_the_file(tmp_path: Path) -> None:
    """Another writer holds the file until the loop has ticked."""
    ticked, held = threading.Event(), threading.Event()
    with HybridMemory.open(tmp_path / "a.db") as memory, HybridMemory.open(tmp_path / "a.db") as other:
        engine = other._engine
        assert isinstance(engine, LocalEngine)

        def hold() -> bool:
            with engine._store.writing():
                held.set()
                return ticked.wait(PATIENCE)

        async def tick() -> None:
            for _ in range(5):
                await asyncio.sleep(0)
            ticked.set()

        async def both() -> None:
            await asyncio.gather(memory.aadd("red"), tick())

        with ThreadPoolExecutor(1) as pool:
            holder = pool.submit(hold)
            assert held.wait(PATIENCE)
            asyncio.run(both())
            assert holder.result(), "the loop stood still until the other writer gave up"
        assert memory.count() == 1


def test_the_async_twins_of_an_embedder_are_awaited_in_the_callers_loop() -> None:
    class Native(HashEmbedder):
        def __init__(self) -> None:
            super().__init__(8)
            self.seen: list[tuple[object, asyncio.AbstractEventLoop]] = []

        async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
            self.seen.append((texts, asyncio.get_running_loop()))
            return [self._made(text) for text in texts]

        async def aembed_query(self, text: str) -> list[float]:
            self.seen.append((text, asyncio.get_running_loop()))
            return self._made(text)

        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            raise AssertionError("the blocking twin was called")

        def embed_query(self, text: str) -> list[float]:
            raise AssertionError("the blocking twin was called")

        def _made(self, text: str) -> list[float]:
            return super().embed_query(text)

    embedder = Native()
    memory = HybridMemory.in_memory(embedder=embedder)

    async def use() -> Response:
        await memory.aadd({"id": "a", "text": "red"})
        response = await memory.asearch("red", on_error="raise")
        loop = asyncio.get_running_loop()
        assert embedder.seen == [(PROBES, loop), (["red"], loop), ("red", loop)]
        return response

    assert [hit.id for hit in asyncio.run(use())] == ["a"]


# -- the same answers -----------------------------------------------------------------------------------------------


@pytest.fixture(params=["in memory", "file"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[HybridMemory]:
    made = (
        HybridMemory.in_memory(embedder=HashEmbedder(8))
        if request.param == "in memory"
        else HybridMemory.open(tmp_path / "a.db", embedder=HashEmbedder(8), durability="normal")
    )
    with made as memory:
        yield memory


def answers(memory: HybridMemory) -> list[Response]:
    plain = [memory.search(question, top_k=9) for question in QUESTIONS]
    return [*plain, *(memory.search(question, top_k=9, filter={"at": {"$lt": 60}}) for question in QUESTIONS)]


async def aanswers(memory: HybridMemory) -> list[Response]:
    plain = [memory.asearch(question, top_k=9) for question in QUESTIONS]
    filtered = [memory.asearch(question, top_k=9, filter={"at": {"$lt": 60}}) for question in QUESTIONS]
    return list(await asyncio.gather(*plain, *filtered))


def test_threads_and_loops_beside_a_writer_give_the_answers_of_one_thread(memory: HybridMemory) -> None:
    filled(memory)
    expected = answers(memory)
    stop, elsewhere = threading.Event(), memory.namespace("elsewhere")

    def write() -> int:
        rounds = 0
        while not stop.is_set() or not rounds:
            elsewhere.add([{"id": f"w{at}", "text": f"red apple ERR_0x9941 {rounds}"} for at in range(5)])
            elsewhere.delete(["w0"])
            rounds += 1
        return rounds

    def loop() -> list[Response]:
        return asyncio.run(aanswers(memory))

    with ThreadPoolExecutor(12) as pool, setting(stop):
        writing = pool.submit(write)
        readers = [pool.submit(answers, memory) for _ in range(8)] + [pool.submit(loop) for _ in range(3)]
        given = [reader.result() for reader in readers]
        stop.set()
        assert writing.result() > 0
    assert given == [expected] * 11
    assert answers(memory) == expected


def test_a_list_appears_as_a_whole_and_never_in_part(memory: HybridMemory) -> None:
    size, lists = 7, 12
    done = threading.Event()

    def write() -> None:
        for number in range(lists):
            memory.add([{"id": f"{number}-{at}", "text": "red", "metadata": {"list": number}} for at in range(size)])
            if number % 3 == 2:
                memory.delete(filter={"list": number})
        done.set()

    def watch() -> set[int]:
        seen: set[int] = set()
        while not seen or not done.is_set():
            seen.add(memory.count() % size)
            seen.add(len(memory.search("red", top_k=100, legs=("dense",), filter={"list": {"$gte": 0}})) % size)
        return seen

    with ThreadPoolExecutor(4) as pool, setting(done):
        watchers = [pool.submit(watch) for _ in range(3)]
        pool.submit(write).result()
        for watcher in watchers:
            assert watcher.result() == {0}
    assert memory.count() == size * lists * 2 // 3


def test_writers_at_once_lose_nothing(memory: HybridMemory) -> None:
    def write(writer: int) -> list[str]:
        ids: list[str] = []
        for at in range(8):
            ids += memory.add(
                [{"id": f"{writer}-{at}", "text": f"red {writer} {at}"}, {"id": "shared", "text": "last"}]
            )
            memory.delete([f"{writer}-{at - 2}"])
        return ids

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    expected = sorted([f"{writer}-{at}" for writer in range(4) for at in (6, 7)] + ["shared"])
    assert sorted(str(item["id"]) for item in memory.export()) == expected
    assert sorted(hit.id for hit in memory.search("red last", top_k=99, legs=("sparse",))) == expected
    assert memory.stats().records == len(expected)


def test_two_handles_on_one_file_write_at_once(tmp_path: Path) -> None:
    def write(writer: int) -> None:
        with HybridMemory.open(tmp_path / "a.db", embedder=HashEmbedder(8), durability="normal") as memory:
            for at in range(8):
                memory.add({"id": f"{writer}-{at}", "text": f"red {writer} {at}"})
                assert [hit.id for hit in memory.search(f"{writer}-{at}", filter={"@id": f"{writer}-{at}"})]

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(write, range(3)))
    with HybridMemory.open(tmp_path / "a.db", embedder=HashEmbedder(8)) as memory:
        assert memory.count() == 24
        assert len(memory.search("red", top_k=99, legs=("sparse",))) == 24


def test_opening_a_new_file_waits_for_another_that_creates_it(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "a.db", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")  # under which SQLite refuses WAL at once, whatever the timeout
    let_go = threading.Timer(0.2, other.close)
    let_go.start()
    with HybridMemory.open(tmp_path / "a.db", embedder=HashEmbedder(8)) as memory:
        memory.add("red apple")
        assert memory.count() == 1
    let_go.join()


def test_many_create_one_file_at_once(tmp_path: Path) -> None:
    for turn in range(10):
        together = threading.Barrier(6)

        def create(writer: int, file: Path = tmp_path / f"{turn}.db", together: threading.Barrier = together) -> None:
            together.wait(PATIENCE)
            with HybridMemory.open(file, embedder=HashEmbedder(8), durability="normal") as memory:
                memory.add({"id": str(writer), "text": f"red {writer}"})

        with ThreadPoolExecutor(6) as pool:
            list(pool.map(create, range(6)))
        with HybridMemory.open(tmp_path / f"{turn}.db", embedder=HashEmbedder(8)) as memory:
            assert memory.count() == 6


def test_a_memory_that_closes_under_a_search_says_so(memory: HybridMemory) -> None:
    filled(memory)
    begun = threading.Semaphore(0)

    def read() -> None:
        for _ in range(10**6):
            memory.search("red", filter={"at": {"$gte": 0}})
            begun.release()

    with ThreadPoolExecutor(4) as pool:
        readers = [pool.submit(read) for _ in range(4)]
        for _ in range(40):
            begun.acquire(timeout=PATIENCE)
        memory.close()
        for reader in readers:
            with pytest.raises(ClosedMemoryError):
                reader.result()
