"""Adding: all of a list or nothing, batches of an iterator, no text embedded twice, no bad vector stored."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybrid_agent_memory import (
    BatchError,
    Config,
    EmbedderError,
    HybridMemory,
    HybridMemoryError,
    InvalidInputError,
    MismatchError,
    Record,
)
from hybrid_agent_memory.embedding import PROBES
from hybrid_agent_memory.testing import HashEmbedder


class Counting(HashEmbedder):
    """Notes every text it embeds, but for the probes."""

    def __init__(self) -> None:
        super().__init__(8)
        self.calls: list[list[str]] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        if texts != PROBES:
            self.calls.append(texts)
        return [super(Counting, self).embed_query(text) for text in texts]

    def embedded(self) -> list[str]:
        """What was embedded since this was last asked."""
        texts = [text for call in self.calls for text in call]
        self.calls.clear()
        return texts


class Broken(HashEmbedder):
    """Works for the probes and then gives what `change` makes of its vectors."""

    def __init__(self, change: Callable[[list[list[float]]], Any]) -> None:
        super().__init__(8)
        self.change = change
        self.broken = True

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        made = super().embed_documents(texts)
        changed: list[list[float]] = self.change(made) if self.broken and texts != PROBES else made
        return changed


def fail(error: Exception) -> Callable[[list[list[float]]], Any]:
    def change(_: list[list[float]]) -> None:
        raise error

    return change


def texts(memory: HybridMemory) -> list[str]:
    return [str(item["text"]) for item in memory.export()]


def record(memory: HybridMemory, identity: str) -> Record:
    (found,) = memory.get(identity)
    assert found is not None
    return found


# -- what is embedded -----------------------------------------------------------------------------------------------


def test_each_text_is_embedded_once_in_batches_of_the_set_size() -> None:
    embedder = Counting()
    memory = HybridMemory.in_memory(embedder=embedder, config=Config(batch_size=2))
    memory.add([f"text {at % 3}" for at in range(7)] + ["text 9", "text 8"])
    assert embedder.calls == [["text 0", "text 1"], ["text 2", "text 9"], ["text 8"]]
    assert memory.count() == 9


def test_what_did_not_change_is_not_embedded_nor_written() -> None:
    embedder = Counting()
    memory = HybridMemory.in_memory(embedder=embedder)
    item = {
        "id": "a",
        "text": "red",
        "time": "2024-11-05T10:00:00.123456+08:00",
        "metadata": {"tags": ["x", {"y": 1.5}]},
    }
    memory.add([item, {"id": "b", "text": "green"}])
    written, _ = record(memory, "a"), embedder.embedded()
    memory.add([item, {"id": "b", "text": "blue"}, {"id": "c", "text": "grey"}])
    assert embedder.embedded() == ["blue", "grey"]
    assert record(memory, "a") == written
    assert memory.stats().dead_rows == 1


def test_changed_metadata_is_filterable_at_once_and_the_vector_is_kept() -> None:
    embedder = Counting()
    memory = HybridMemory.in_memory(embedder=embedder)
    memory.add({"id": "a", "text": "red", "metadata": {"open": True}})
    before, _ = list(memory.export(vectors=True)), embedder.embedded()
    memory.add({"id": "a", "text": "red", "metadata": {"open": False}, "speaker": "ann"})
    assert embedder.embedded() == []
    assert [item["vector"] for item in memory.export(vectors=True)] == [item["vector"] for item in before]
    assert (memory.count({"open": True}), memory.count({"open": False}), memory.count({"@speaker": "ann"})) == (0, 1, 1)
    assert [hit.metadata for hit in memory.search("red", filter={"open": False})] == [{"open": False}]


@pytest.mark.parametrize(("before", "after"), [(1, True), (1, 1.0), (0, False), ([1], [1.0])])
def test_values_that_python_calls_equal_are_still_a_change(before: Any, after: Any) -> None:  # noqa: ANN401
    memory = HybridMemory.in_memory()
    memory.add({"id": "a", "text": "red", "metadata": {"n": before}})
    memory.add({"id": "a", "text": "red", "metadata": {"n": after}})
    assert repr(record(memory, "a").metadata) == repr({"n": after})


def test_a_vector_that_comes_along_is_used_as_it_is() -> None:
    embedder = Counting()
    memory = HybridMemory.in_memory(embedder=embedder)
    memory.add([{"id": "a", "text": "red", "vector": [3.0, 4.0] + [0.0] * 6}, {"id": "b", "text": "green"}])
    assert embedder.embedded() == ["green"]
    vectors = {item["id"]: item["vector"] for item in memory.export(vectors=True)}
    assert vectors["a"] == pytest.approx([0.6, 0.8] + [0.0] * 6)
    memory.add({"id": "a", "text": "red", "vector": [0.0] * 7 + [2.0]})
    assert [hit.id for hit in memory.search("", vector=[0.0] * 7 + [1.0], top_k=1)] == ["a"]


def test_a_vector_that_comes_along_is_for_its_record_alone() -> None:
    memory = HybridMemory.in_memory(embedder=HashEmbedder(8))
    own, made = [1.0] + [0.0] * 7, HashEmbedder(8).embed_query("ok")
    memory.add([{"id": "a", "text": "ok", "vector": own}, {"id": "b", "text": "ok"}])
    memory.add([{"id": "a", "text": "ok", "speaker": "ann"}, {"id": "c", "text": "ok"}])
    vectors = {str(item["id"]): item["vector"] for item in memory.export(vectors=True)}
    length = sum(number * number for number in made) ** 0.5
    expected = [number / length for number in made]
    assert vectors["a"] == own
    assert vectors["b"] == pytest.approx(expected, abs=1e-6)
    assert vectors["c"] == vectors["b"]


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from(["red", "green", "blue"])), max_size=12))
def test_a_list_is_as_if_only_the_last_of_each_id_had_come(items: list[tuple[str, str]]) -> None:
    embedder = Counting()
    memory = HybridMemory.in_memory(embedder=embedder)
    assert memory.add([{"id": name, "text": text} for name, text in items]) == [name for name, _ in items]
    last = dict(items)
    assert sorted((str(item["id"]), str(item["text"])) for item in memory.export()) == sorted(last.items())
    assert sorted(embedder.embedded()) == sorted(set(last.values()))


# -- nothing half-written -------------------------------------------------------------------------------------------


def test_a_bad_item_is_named_and_nothing_of_its_list_is_stored_nor_embedded() -> None:
    embedder = Counting()
    memory = HybridMemory.in_memory(embedder=embedder)
    with pytest.raises(InvalidInputError, match="item 2: text"):
        memory.add(["red", "green", {"text": ""}, "blue"])
    assert (texts(memory), embedder.embedded()) == ([], [])


@pytest.mark.parametrize("bad", [None, 7, b"red", object()])
def test_what_is_no_item_and_no_iterable_of_items_is_refused(bad: Any) -> None:  # noqa: ANN401
    memory = HybridMemory.in_memory()
    with pytest.raises((InvalidInputError, BatchError)):
        memory.add(bad)
    assert memory.count() == 0


def test_an_iterator_is_stored_batch_by_batch_and_an_error_says_how_many_are() -> None:
    memory = HybridMemory.in_memory(config=Config(batch_size=3))
    seen: list[int] = []

    def items() -> Iterator[str]:
        for at in range(8):
            seen.append(memory.count())
            yield f"text {at}"
        raise OSError("the disk is gone")

    with pytest.raises(BatchError, match="the disk is gone") as caught:
        memory.add(items())
    assert caught.value.stored == 6
    assert isinstance(caught.value.__cause__, OSError)
    assert texts(memory) == [f"text {at}" for at in range(6)]
    assert seen == [0, 0, 0, 3, 3, 3, 6, 6]


def test_a_bad_item_of_an_iterator_is_named_by_its_place_in_it() -> None:
    memory = HybridMemory.in_memory(config=Config(batch_size=2))
    items: list[Any] = ["a", "b", "c", "d", {"text": None}, "f"]
    with pytest.raises(BatchError, match="item 4: text") as caught:
        memory.add(iter(items))
    assert (caught.value.stored, texts(memory)) == (4, ["a", "b", "c", "d"])
    assert isinstance(caught.value.__cause__, InvalidInputError)


@pytest.mark.parametrize("size", [0, 1, 3, 4, 6])
def test_an_iterator_gives_the_ids_of_all_batches(size: int) -> None:
    memory = HybridMemory.in_memory(config=Config(batch_size=3))
    ids = memory.add({"id": f"r{at}", "text": f"text {at}"} for at in range(size))
    assert ids == [f"r{at}" for at in range(size)]
    assert memory.count() == size


@pytest.mark.parametrize("error", [TimeoutError("too slow"), RuntimeError("no quota"), KeyError("model")])
@pytest.mark.parametrize("call", ["add", "aadd"])
def test_an_error_of_the_embedder_comes_out_as_it_is_and_nothing_is_stored(error: Exception, call: str) -> None:
    embedder = Broken(fail(error))
    memory = HybridMemory.in_memory(embedder=embedder, config=Config(batch_size=2))
    items = ["one", "two", "three"]
    with pytest.raises(type(error)) as caught:
        memory.add(items) if call == "add" else asyncio.run(awaited(memory, items))
    assert caught.value is error
    assert (memory.count(), texts(memory)) == (0, [])
    embedder.broken = False
    assert len(memory.add(items)) == memory.count() == 3


async def awaited(memory: HybridMemory, items: list[str]) -> list[str]:
    return await memory.aadd(items)


BREACHES: dict[str, Callable[[list[list[float]]], Any]] = {
    "too few": lambda vectors: vectors[:-1],
    "too many": lambda vectors: [*vectors, vectors[0]],
    "none": lambda _: None,
    "empty": lambda _: [],
    "other dimension": lambda vectors: [[*vector, 1.0] for vector in vectors],
    "no dimension": lambda vectors: [[] for _ in vectors],
    "ragged": lambda vectors: [vectors[0], *(vector[:-1] for vector in vectors[1:])],
    "flat": lambda vectors: vectors[0],
    "NaN": lambda vectors: [[float("nan")] * 8 for _ in vectors],
    "infinity": lambda vectors: [[1e39] * 8 for _ in vectors],
    "words": lambda vectors: [["north"] * 8 for _ in vectors],
}


@pytest.mark.parametrize("breach", BREACHES.values(), ids=BREACHES)
def test_an_embedder_that_breaks_its_contract_stores_nothing(breach: Callable[[list[list[float]]], Any]) -> None:
    embedder = Broken(breach)
    embedder.broken = False
    memory = HybridMemory.in_memory(embedder=embedder)
    memory.add("fine")
    embedder.broken = True
    with pytest.raises(EmbedderError):
        memory.add(["one", "two", "three"])
    assert texts(memory) == ["fine"]
    assert [hit.text for hit in memory.search("fine", top_k=9)] == ["fine"]


def test_a_later_batch_of_another_dimension_stores_nothing_of_the_list() -> None:
    embedder = Broken(lambda vectors: [[*vector, 1.0] for vector in vectors] if len(vectors) == 1 else vectors)
    memory = HybridMemory.in_memory(embedder=embedder, config=Config(batch_size=2))
    with pytest.raises(EmbedderError, match="9 numbers"):
        memory.add(["one", "two", "three"])
    assert (memory.count(), memory.dimension) == (0, None)


def test_an_object_that_embeds_nothing_is_refused_at_once() -> None:
    for embedder in (object(), "remote", 7):
        with pytest.raises(InvalidInputError, match="embed_documents"):
            HybridMemory.in_memory(embedder=embedder)  # type: ignore[arg-type]


# -- vectors from the caller ----------------------------------------------------------------------------------------

MIXED: dict[str, list[dict[str, object]]] = {
    "one without": [{"text": "x", "vector": [1.0, 0.0]}, {"text": "y"}],
    "two dimensions": [{"text": "x", "vector": [1.0, 0.0]}, {"text": "y", "vector": [1.0, 0.0, 0.0]}],
}


@pytest.mark.parametrize("items", MIXED.values(), ids=MIXED)
def test_without_an_embedder_all_items_have_vectors_of_one_dimension_or_none_has(
    items: list[dict[str, object]],
) -> None:
    memory = HybridMemory.in_memory()
    with pytest.raises(InvalidInputError):
        memory.add(items)
    assert memory.count() == 0


@pytest.mark.parametrize("late", [{"text": "y"}, {"text": "y", "vector": [1.0, 0.0, 0.0]}])
def test_vectors_from_the_caller_keep_their_dimension(late: dict[str, object]) -> None:
    memory = HybridMemory.in_memory()
    memory.add({"id": "a", "text": "x", "vector": [1.0, 0.0]})
    with pytest.raises(MismatchError, match="2"):
        memory.add(late)
    assert (texts(memory), memory.dimension) == (["x"], 2)


def test_a_vector_has_no_place_in_a_memory_without_vectors() -> None:
    memory = HybridMemory.in_memory()
    memory.add("x")
    with pytest.raises(MismatchError, match="without vectors"):
        memory.add({"text": "y", "vector": [1.0, 0.0]})
    assert texts(memory) == ["x"]


# -- progress -------------------------------------------------------------------------------------------------------


def test_progress_of_a_list_rises_to_its_length() -> None:
    told: list[tuple[int, int | None]] = []
    memory = HybridMemory.in_memory(embedder=HashEmbedder(8), config=Config(batch_size=2))
    memory.add([f"text {at}" for at in range(5)], progress=lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert told[-1] == (5, 5)
    assert {done for done, _ in told} == {2, 4, 5}


def test_progress_of_an_iterator_has_no_total() -> None:
    told: list[tuple[int, int | None]] = []
    memory = HybridMemory.in_memory(config=Config(batch_size=2))
    memory.add((f"text {at}" for at in range(5)), progress=lambda done, total: told.append((done, total)))
    assert told == [(2, None), (4, None), (5, None)]


def test_an_async_embedder_is_awaited() -> None:
    class Native(HashEmbedder):
        def __init__(self) -> None:
            super().__init__(8)
            self.awaited: list[list[str]] = []

        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            raise HybridMemoryError("the blocking twin must not be called")

        async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
            self.awaited.append(texts)
            await asyncio.sleep(0)
            return [self.embed_query(text) for text in texts]

        async def aembed_query(self, text: str) -> list[float]:
            return self.embed_query(text)

    embedder = Native()
    memory = HybridMemory.in_memory(embedder=embedder)
    assert len(asyncio.run(awaited(memory, ["red", "green"]))) == 2
    assert embedder.awaited == [PROBES, ["red", "green"]]
    assert memory.count() == 2
