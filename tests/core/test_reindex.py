"""Changing the embedder or the tokenizer of a memory that exists, and being refused when one does not say so."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from hybrid_agent_memory import Config, EmbedderError, HybridMemory, InvalidInputError, MismatchError, Response
from hybrid_agent_memory.embedding import PROBES
from hybrid_agent_memory.testing import HashEmbedder

ITEMS = [
    {"id": "a", "text": "Red Apples", "metadata": {"n": 1}},
    {"id": "b", "text": "green pears", "metadata": {"n": 2}},
    {"id": "c", "text": "red pears", "metadata": {"n": 3}},
]
THEIRS = [{"id": "t", "text": "their red apples"}]


class Letters:
    """A tokenizer with a name: every letter is a term."""

    name = "letters"

    def __call__(self, text: str) -> list[str]:
        return [letter for letter in text.casefold() if letter.isalpha()]


class Renamed(HashEmbedder):
    """The same model under another name."""

    def __init__(self, dimension: int) -> None:
        super().__init__(dimension)
        self.name = "hash, as the vendor calls it now"


class Other(HashEmbedder):
    """Another model of the same dimension and the same name."""

    def embed_query(self, text: str) -> list[float]:
        return [*super().embed_query(text)[1:], 1.0]


class Counting(HashEmbedder):
    def __init__(self, dimension: int) -> None:
        super().__init__(dimension)
        self.texts: list[str] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        if texts != PROBES:
            self.texts += texts
        return super().embed_documents(texts)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Two namespaces, built with a hash embedder of 16 numbers."""
    with HybridMemory.open(tmp_path / "agent.db", embedder=HashEmbedder(16)) as memory:
        memory.add(ITEMS)
        memory.add({"id": "b", "text": "green pears again", "metadata": {"n": 2}})
        memory.namespace("theirs").add(THEIRS)
        memory.delete("c")
        memory.add(ITEMS[2])
    return tmp_path / "agent.db"


def answers(memory: HybridMemory) -> list[Response]:
    asked: list[dict[str, Any]] = [{}, {"legs": ("sparse",)}, {"filter": {"n": {"$gte": 2}}}, {"fusion": "rrf"}]
    handles = [memory, memory.namespace("theirs")]
    return [handle.search("red apples", top_k=9, **options) for handle in handles for options in asked]


def fresh(**options: Any) -> list[Response]:  # noqa: ANN401
    """What a memory says that was built so from the start."""
    with HybridMemory.in_memory(**options) as memory:
        memory.add([ITEMS[0], {"id": "b", "text": "green pears again", "metadata": {"n": 2}}, ITEMS[2]])
        memory.namespace("theirs").add(THEIRS)
        return answers(memory)


@contextmanager
def setting(event: threading.Event) -> Iterator[None]:
    """Set an event at the end, whatever happens, so that no thread waits for it forever."""
    try:
        yield
    finally:
        event.set()


CHANGES: dict[str, dict[str, Any]] = {
    "another dimension": {"embedder": HashEmbedder(24)},
    "another model of the same size": {"embedder": Other(16)},
    "no vectors": {"embedder": None},
    "another tokenizer": {"tokenizer": Letters()},
    "both": {"embedder": HashEmbedder(8), "tokenizer": Letters()},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("call", ["reindex", "areindex"])
def test_a_rebuilt_memory_is_as_if_built_so_in_every_namespace(path: Path, change: dict[str, Any], call: str) -> None:
    async def areindex(memory: HybridMemory) -> None:
        await memory.areindex(**change)

    final = {"embedder": HashEmbedder(16), **change}
    expected = fresh(**final)
    with HybridMemory.open(path, embedder=HashEmbedder(16)) as memory:
        before, theirs = answers(memory), memory.namespace("theirs")
        assert before != expected
        memory.reindex(**change) if call == "reindex" else asyncio.run(areindex(memory))
        assert answers(memory) == expected
        assert theirs.search("red apples", top_k=9) == expected[4]
        assert memory.dimension == (None if final["embedder"] is None else final["embedder"].dimension)
        memory.add({"id": "d", "text": "red plums"})
        assert memory.delete("d").deleted == 1
    with HybridMemory.open(path, **final) as memory:
        assert answers(memory) == expected


def test_vectors_can_be_added_to_a_memory_without(tmp_path: Path) -> None:
    with HybridMemory.open(tmp_path / "a.db") as memory:
        memory.add(ITEMS)
        memory.reindex(embedder=HashEmbedder(16))
        assert memory.search("red apples").legs == ("sparse", "dense")
        memory.add("more")
    with HybridMemory.open(tmp_path / "a.db", embedder=HashEmbedder(16)) as memory:
        assert memory.dimension == 16


def test_vectors_from_the_caller_are_replaced_by_an_embedders() -> None:
    memory = HybridMemory.in_memory()
    memory.add([{**item, "vector": [1.0, float(at)]} for at, item in enumerate(ITEMS)])
    with pytest.raises(MismatchError, match="caller"):
        memory.add("no vector")
    memory.reindex(embedder=HashEmbedder(16))
    assert (memory.dimension, memory.stats().embedder) == (16, "hash-16")
    expected = HybridMemory.in_memory(embedder=HashEmbedder(16))
    expected.add(ITEMS)
    assert memory.search("red apples") == expected.search("red apples")


def test_a_new_tokenizer_leaves_vectors_from_the_caller_alone() -> None:
    memory = HybridMemory.in_memory()
    memory.add([{**item, "vector": [1.0, float(at)]} for at, item in enumerate(ITEMS)])
    before = list(memory.export(vectors=True))
    memory.reindex(tokenizer=Letters())
    assert list(memory.export(vectors=True)) == before
    assert memory.stats().tokenizer == "letters"
    assert [hit.id for hit in memory.search("zip", legs=("sparse",))] == ["a", "c", "b"]


def test_only_what_must_be_is_embedded_anew_and_progress_is_told(path: Path) -> None:
    told: list[tuple[int, int | None]] = []
    same, other = Counting(16), Counting(24)
    with HybridMemory.open(path, embedder=same, config=Config(batch_size=3)) as memory:
        memory.reindex(tokenizer=Letters(), progress=lambda done, total: told.append((done, total)))
        assert (same.texts, told) == ([], [])
        memory.reindex(embedder=other, progress=lambda done, total: told.append((done, total)))
    assert sorted(other.texts) == ["Red Apples", "green pears again", "red pears", "their red apples"]
    assert told == [(3, 4), (4, 4)]


def test_what_is_written_during_a_rebuild_is_in_it(path: Path) -> None:
    with HybridMemory.open(path, embedder=HashEmbedder(16)) as writer:

        class Interrupted(HashEmbedder):
            written = False

            def embed_documents(self, texts: list[str]) -> list[list[float]]:
                if texts != PROBES and not self.written:
                    self.written = True
                    writer.add({"id": "late", "text": "red latecomers"})
                    writer.delete("a")
                return super().embed_documents(texts)

        with HybridMemory.open(path, embedder=HashEmbedder(16)) as memory:
            memory.reindex(embedder=Interrupted(24))
            found = memory.search("red latecomers", top_k=9, legs=("dense",))
            assert found[0].id == "late"
            assert sorted(hit.id for hit in found) == ["b", "c", "late"]


@pytest.mark.parametrize("place", ["file", "in memory"])
def test_searches_and_adds_beside_a_rebuild_give_the_old_or_the_new_answer(place: str, tmp_path: Path) -> None:
    embedders = [HashEmbedder(16), HashEmbedder(24)]
    memory = (
        HybridMemory.open(tmp_path / "a.db", embedder=embedders[0], durability="normal")
        if place == "file"
        else HybridMemory.in_memory(embedder=embedders[0])
    )
    other, done = memory.namespace("other"), threading.Event()

    def ask() -> Response:
        return memory.search("red pears", filter={"n": {"$gte": 1}}, on_error="raise")

    def keep_asking() -> list[Response]:
        given = []
        while not done.is_set():
            given.append(ask())
        return given

    def keep_adding() -> int:
        added = 0
        while not done.is_set() and added < 200:
            other.add({"id": f"r{added}", "text": f"red {added}"})
            added += 1
        return added

    with memory, ThreadPoolExecutor(4) as pool, setting(done):
        memory.add(ITEMS)
        old = ask()
        asking, adding = [pool.submit(keep_asking) for _ in range(2)], pool.submit(keep_adding)
        for turn in range(1, 9):
            memory.reindex(embedder=embedders[turn % 2])
        assert ask() == old
        memory.reindex(embedder=embedders[1])
        new = ask()
        done.set()
        for reader in asking:
            assert all(response in (old, new) for response in reader.result())
        added = adding.result()
        assert other.count() == added
        assert old != new


@pytest.mark.parametrize("breach", [RuntimeError("quota"), [], [[float("nan")] * 24]])
def test_a_rebuild_that_fails_changes_nothing(path: Path, breach: Any) -> None:  # noqa: ANN401
    class Failing(HashEmbedder):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            if texts == PROBES:
                return super().embed_documents(texts)
            if isinstance(breach, Exception):
                raise breach
            vectors: list[list[float]] = breach
            return vectors

    with HybridMemory.open(path, embedder=HashEmbedder(16)) as memory:
        before = answers(memory)
        with pytest.raises((RuntimeError, EmbedderError)):
            memory.reindex(embedder=Failing(24), tokenizer=Letters())
        assert (answers(memory), memory.dimension) == (before, 16)
    with HybridMemory.open(path, embedder=HashEmbedder(16)) as memory:
        assert answers(memory) == before


@pytest.mark.parametrize(
    "arguments", [{"embedder": object()}, {"embedder": "remote"}, {"tokenizer": str.upper}, {"tokenizer": 7}]
)
def test_what_is_no_embedder_or_tokenizer_is_refused(path: Path, arguments: dict[str, Any]) -> None:
    with HybridMemory.open(path, embedder=HashEmbedder(16)) as memory:
        before = answers(memory)
        with pytest.raises(InvalidInputError):
            memory.reindex(**arguments)
        assert answers(memory) == before


def test_an_empty_memory_can_be_rebuilt() -> None:
    memory = HybridMemory.in_memory()
    memory.reindex(embedder=HashEmbedder(8), tokenizer=Letters())
    memory.add(ITEMS)
    assert (memory.dimension, memory.stats().tokenizer) == (8, "letters")


# -- being refused --------------------------------------------------------------------------------------------------

WRONG: dict[str, dict[str, Any]] = {
    "another dimension": {"embedder": HashEmbedder(24)},
    "another model of the same size": {"embedder": Other(16)},
    "another tokenizer": {"embedder": HashEmbedder(16), "tokenizer": Letters()},
}


@pytest.mark.parametrize("options", WRONG.values(), ids=WRONG)
def test_what_did_not_build_the_memory_is_refused_with_the_remedy(path: Path, options: dict[str, Any]) -> None:
    with HybridMemory.open(path, **options) as memory:
        for use in (lambda: memory.search("red"), lambda: memory.add("more")):
            with pytest.raises(MismatchError, match="reindex"):
                use()
        assert memory.count() == 3
        memory.reindex()
        assert answers(memory) == fresh(**options)


def test_the_same_model_under_another_name_is_welcome(path: Path) -> None:
    with HybridMemory.open(path, embedder=Renamed(16)) as memory:
        assert answers(memory) == fresh(embedder=HashEmbedder(16))
        memory.add({"id": "d", "text": "red plums"})


def test_without_its_embedder_a_memory_is_read_by_words_and_not_written(path: Path) -> None:
    with HybridMemory.open(path) as memory:
        response = memory.search("red pears", top_k=9)
        assert (response.legs, response.failures) == (("sparse",), {})
        assert [hit.id for hit in response] == ["c", "a", "b"]
        assert memory.search("red", filter={"n": 3}).hits[0].id == "c"
        with pytest.raises(MismatchError, match="only be read: open it with the one that built it"):
            memory.add("more")
        with pytest.raises(MismatchError, match="only be read: open it with the one that built it"):
            memory.add({"text": "more", "vector": [1.0] * 16})
        assert memory.count() == 3


def test_an_embedder_is_refused_where_there_are_no_vectors(tmp_path: Path) -> None:
    with HybridMemory.open(tmp_path / "a.db") as memory:
        memory.add(ITEMS)
    with HybridMemory.open(tmp_path / "a.db", embedder=HashEmbedder(16)) as memory:
        for use in (lambda: memory.search("red"), lambda: memory.add("more")):
            with pytest.raises(MismatchError, match=r"without vectors.*reindex"):
                use()


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_another_handle_is_refused_after_a_rebuild_and_never_answers_wrongly(
    path: Path, change: dict[str, Any]
) -> None:
    with (
        HybridMemory.open(path, embedder=HashEmbedder(16)) as behind,
        HybridMemory.open(path, embedder=HashEmbedder(16)) as memory,
    ):
        assert answers(behind) == answers(memory)
        memory.reindex(**change)
        for use in (lambda: answers(behind), lambda: behind.add("more")):
            with pytest.raises(MismatchError, match="reindex"):
                use()
        assert memory.count() == 3


def test_another_handle_without_an_embedder_goes_on_with_the_new_indexes(path: Path) -> None:
    with HybridMemory.open(path) as reader, HybridMemory.open(path, embedder=HashEmbedder(16)) as memory:
        before = reader.search("red pears", filter={"n": {"$gte": 1}})
        memory.reindex(embedder=HashEmbedder(24))
        assert reader.search("red pears", filter={"n": {"$gte": 1}}) == before
        vector = HashEmbedder(24).embed_query("red pears")
        assert reader.search("red pears", vector=vector) == memory.search("red pears")


@pytest.mark.parametrize("use", [lambda memory: memory.add("more"), lambda memory: memory.search("more")])
def test_a_rebuild_during_a_call_of_another_handle_is_seen(path: Path, use: Callable[[HybridMemory], object]) -> None:
    """The other handle has passed its checks and waits for its embedder when the memory is rebuilt."""

    class Meanwhile(HashEmbedder):
        rebuild: Callable[[], None] | None = None

        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [self.embed_query(text) for text in texts]

        def embed_query(self, text: str) -> list[float]:
            rebuild, self.rebuild = self.rebuild, None
            if rebuild is not None and text == "more":
                rebuild()
            return super().embed_query(text)

    embedder = Meanwhile(16)
    with HybridMemory.open(path, embedder=embedder) as behind, HybridMemory.open(path) as memory:
        behind.search("red")
        embedder.rebuild = lambda: memory.reindex(embedder=HashEmbedder(24))
        with pytest.raises(MismatchError, match="rebuilt"):
            use(behind)
        assert memory.count() == 3
