"""Hostile input: one clear error of our own or a right answer, and the memory as it was."""

import math
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from hybrid_agent_memory import (
    Config,
    CorruptStoreError,
    FilterError,
    HybridMemory,
    InvalidInputError,
    MismatchError,
    NewerFormatError,
    StoreError,
    reciprocal_rank_fusion,
)
from hybrid_agent_memory.testing import HashEmbedder

Action = Callable[[HybridMemory], object]
SURROGATE = "broken \ud800 text"
MEGABYTE = "timeout in checkout " * 50_000
DEEP: dict[str, object] = {}
for _ in range(100):
    DEEP = {"deeper": DEEP}


def ids(memory: HybridMemory, query: str, **options: object) -> list[str]:
    return [hit.id for hit in memory.search(query, **options)]  # type: ignore[arg-type]


ANSWERED: dict[str, tuple[Action, object]] = {
    "empty query": (lambda m: ids(m, ""), []),
    "blank query": (lambda m: ids(m, " \n\t　"), []),
    "query of one megabyte": (lambda m: ids(m, MEGABYTE, top_k=1), ["a"]),
    "query with NUL": (lambda m: ids(m, "timeout\0checkout", top_k=1), ["a"]),
    "query with a lone surrogate": (lambda m: ids(m, "timeout \ud800 checkout", top_k=1), ["a"]),
    "query of punctuation": (lambda m: len(ids(m, "?!… 。")), 2),
    "top_k of a billion": (lambda m: sorted(ids(m, "timeout", top_k=10**9)), ["a", "b"]),
    "candidates of a billion": (lambda m: sorted(ids(m, "timeout", candidates=10**9)), ["a", "b"]),
    "filter that matches nothing": (lambda m: ids(m, "timeout", filter={"nope": 1}), []),
    "empty filter": (lambda m: sorted(ids(m, "timeout", filter={})), ["a", "b"]),
    "nothing to add": (lambda m: m.add([]), []),
    "an empty iterator": (lambda m: m.add(iter(())), []),
    "delete of a missing id": (lambda m: m.delete("missing").ids, ()),
    "delete of nothing": (lambda m: m.delete([]).ids, ()),
    "get of a missing id": (lambda m: m.get(["missing", ""]), [None, None]),
    "the same content again": (lambda m: m.add({"id": "b", "text": "login is slow", "metadata": {"n": 1}}), ["b"]),
    "no rankings to fuse": (lambda _: reciprocal_rank_fusion([]), []),
    "empty rankings to fuse": (lambda _: reciprocal_rank_fusion([[], []]), []),
    "a namespace never written": (lambda m: ids(m.namespace("other"), "timeout"), []),
}

REFUSED: dict[str, tuple[Action, type[Exception], str]] = {
    "query that is no string": (lambda m: m.search(3), InvalidInputError, "int"),  # type: ignore[arg-type]
    "top_k of 0": (lambda m: m.search("x", top_k=0), InvalidInputError, "top_k 0"),
    "negative top_k": (lambda m: m.search("x", top_k=-1), InvalidInputError, "top_k -1"),
    "top_k of True": (lambda m: m.search("x", top_k=True), InvalidInputError, "top_k True"),
    "top_k of ten thousand digits": (lambda m: m.search("x", top_k=-(10**10_000)), InvalidInputError, "a int"),
    "fractional top_k": (lambda m: m.search("x", top_k=1.5), InvalidInputError, "1.5"),  # type: ignore[arg-type]
    "candidates of 0": (lambda m: m.search("x", candidates=0), InvalidInputError, "candidates 0"),
    "unknown fusion": (lambda m: m.search("x", fusion="best"), InvalidInputError, "best"),  # type: ignore[arg-type]
    "unknown leg": (lambda m: m.search("x", legs=("fuzzy",)), InvalidInputError, "fuzzy"),
    "no legs": (lambda m: m.search("x", legs=()), InvalidInputError, "leg"),
    "legs as a string": (lambda m: m.search("x", legs="sparse"), InvalidInputError, "sequence"),
    "weight of an unknown leg": (lambda m: m.search("x", weights={"bm25": 1}), InvalidInputError, "bm25"),
    "negative weight": (lambda m: m.search("x", weights={"dense": -1}), InvalidInputError, "-1"),
    "NaN weight": (lambda m: m.search("x", weights={"dense": math.nan}), InvalidInputError, "nan"),
    "all weights zero": (lambda m: m.search("x", weights={"dense": 0}), InvalidInputError, "0"),
    "auto with weights": (lambda m: m.search("x", fusion="auto", weights={"dense": 1}), InvalidInputError, "auto"),
    "rrf_k of 0": (lambda m: m.search("x", rrf_k=0), InvalidInputError, "0"),
    "min_confidence of 2": (lambda m: m.search("x", min_confidence=2), InvalidInputError, "2"),
    "unknown on_error": (lambda m: m.search("x", on_error="no"), InvalidInputError, "no"),  # type: ignore[arg-type]
    "query vector with NaN": (lambda m: m.search("x", vector=[math.nan] * 8), InvalidInputError, "NaN"),
    "query vector of zeros": (lambda m: m.search("x", vector=[0.0] * 8), InvalidInputError, "zeros"),
    "query vector of another size": (lambda m: m.search("x", vector=[1.0]), InvalidInputError, "1 numbers"),
    "query vector of words": (lambda m: m.search("x", vector=["a"]), InvalidInputError, "vector"),  # type: ignore[list-item]
    "unknown operator": (lambda m: m.search("x", filter={"a": {"$near": 1}}), FilterError, "$near"),
    "unknown record field": (lambda m: m.search("x", filter={"@mood": 1}), FilterError, "@mood"),
    "filter that is a list": (lambda m: m.search("x", filter=["a"]), FilterError, "mapping"),  # type: ignore[arg-type]
    "filter on a bad date": (lambda m: m.search("x", filter={"@time": {"$gt": "soon"}}), FilterError, "soon"),
    "bottomless filter": (lambda m: m.search("x", filter={"$not": {"$not": DEEP}}), FilterError, ""),
    "delete of everything by filter": (lambda m: m.delete(filter={}), InvalidInputError, "every record"),
    "delete of nothing in particular": (lambda m: m.delete(), InvalidInputError, "either"),
    "delete of both": (lambda m: m.delete("a", filter={"n": 1}), InvalidInputError, "either"),
    "delete of a number": (lambda m: m.delete([1]), InvalidInputError, "1"),  # type: ignore[list-item]
    "item of None": (lambda m: m.add([None]), InvalidInputError, "NoneType"),  # type: ignore[list-item]
    "items of None": (lambda m: m.add(None), InvalidInputError, "NoneType"),  # type: ignore[arg-type]
    "item of bytes": (lambda m: m.add([b"text"]), InvalidInputError, "bytes"),  # type: ignore[list-item]
    "empty text": (lambda m: m.add(""), InvalidInputError, "text"),
    "blank text in a list": (lambda m: m.add(["good", "  "]), InvalidInputError, "item 1"),
    "text of None": (lambda m: m.add({"text": None}), InvalidInputError, "None"),
    "no text": (lambda m: m.add({"id": "x"}), InvalidInputError, "text"),
    "unknown key": (lambda m: m.add({"text": "x", "tags": []}), InvalidInputError, "tags"),
    "lone surrogate in text": (lambda m: m.add(SURROGATE), InvalidInputError, "surrogate"),
    "lone surrogate in id": (lambda m: m.add({"id": SURROGATE, "text": "x"}), InvalidInputError, "surrogate"),
    "id of a number": (lambda m: m.add({"id": 7, "text": "x"}), InvalidInputError, "7"),
    "empty id": (lambda m: m.add({"id": "", "text": "x"}), InvalidInputError, "id"),
    "bad date": (lambda m: m.add({"text": "x", "time": "yesterday"}), InvalidInputError, "yesterday"),
    "time of NaN": (lambda m: m.add({"text": "x", "time": math.nan}), InvalidInputError, "nan"),
    "time of True": (lambda m: m.add({"text": "x", "time": True}), InvalidInputError, "True"),
    "time after the year 9999": (lambda m: m.add({"text": "x", "time": 1e18}), InvalidInputError, "1e+18"),
    "time of ten thousand digits": (lambda m: m.add({"text": "x", "time": 10**10_000}), InvalidInputError, "a int"),
    "metadata of ten thousand digits": (
        lambda m: m.add({"text": "x", "metadata": {"v": 10**10_000}}),
        InvalidInputError,
        "'v'",
    ),
    "metadata of a list": (lambda m: m.add({"text": "x", "metadata": [1]}), InvalidInputError, "[1]"),
    "metadata with a number as key": (lambda m: m.add({"text": "x", "metadata": {1: 2}}), InvalidInputError, "1"),
    "metadata with NaN": (lambda m: m.add({"text": "x", "metadata": {"v": math.nan}}), InvalidInputError, "nan"),
    "metadata with an object": (lambda m: m.add({"text": "x", "metadata": {"v": object()}}), InvalidInputError, "'v'"),
    "metadata with a set": (lambda m: m.add({"text": "x", "metadata": {"v": {1}}}), InvalidInputError, "'v'"),
    "metadata too deep": (lambda m: m.add({"text": "x", "metadata": DEEP}), InvalidInputError, "deep"),
    "metadata key of filters": (lambda m: m.add({"text": "x", "metadata": {"$or": 1}}), InvalidInputError, "$or"),
    "item vector with NaN": (lambda m: m.add({"text": "x", "vector": [math.nan] * 8}), InvalidInputError, "NaN"),
    "item vector with infinity": (lambda m: m.add({"text": "x", "vector": [1e39] * 8}), InvalidInputError, "infinity"),
    "item vector of another size": (lambda m: m.add({"text": "x", "vector": [1.0]}), InvalidInputError, "1 numbers"),
    "item vector of a string": (lambda m: m.add({"text": "x", "vector": "abc"}), InvalidInputError, "vector"),
    "blank namespace": (lambda m: m.namespace(" "), InvalidInputError, "namespace"),
    "namespace of a number": (lambda m: m.namespace(1), InvalidInputError, "1"),  # type: ignore[arg-type]
    "unknown key in a request": (
        lambda m: m.query({"query_id": "q", "search_text": "x", "metadata_filters": {}}),
        InvalidInputError,
        "metadata_filters",
    ),
    "negative weight in a request": (
        lambda m: m.query({"query_id": "q", "search_text": "x", "hybrid_params": {"dense_weight": -1}}),
        InvalidInputError,
        "dense_weight",
    ),
    "id of None": (lambda m: m.get([None]), InvalidInputError, "None"),  # type: ignore[list-item]
    "rankings of strings": (lambda _: reciprocal_rank_fusion(["ab"]), InvalidInputError, "string"),
    "too few weights": (lambda _: reciprocal_rank_fusion([["a"]], []), InvalidInputError, "0 weights"),
    "embedder without methods": (lambda m: m.reindex(embedder=object()), InvalidInputError, "embed"),  # type: ignore[arg-type]
    "tokenizer of a string": (lambda m: m.reindex(tokenizer="words"), InvalidInputError, "words"),  # type: ignore[arg-type]
    "config out of range": (lambda _: Config(b=2), InvalidInputError, "b 2"),
}


@pytest.fixture
def memory() -> HybridMemory:
    made = HybridMemory.in_memory(embedder=HashEmbedder(8))
    made.add(
        [
            {"id": "a", "text": "timeout in checkout", "time": "2026-03-02T09:00:00Z", "metadata": {"n": 0}},
            {"id": "b", "text": "login is slow", "metadata": {"n": 1}},
        ]
    )
    return made


def state(memory: HybridMemory) -> list[dict[str, object]]:
    return list(memory.export(vectors=True))


@pytest.mark.parametrize("name", ANSWERED)
def test_odd_input_has_a_right_answer_and_changes_nothing(memory: HybridMemory, name: str) -> None:
    action, expected = ANSWERED[name]
    before = state(memory)
    assert action(memory) == expected
    assert state(memory) == before


@pytest.mark.parametrize("name", REFUSED)
def test_wrong_input_is_refused_by_name_and_changes_nothing(memory: HybridMemory, name: str) -> None:
    action, error, named = REFUSED[name]
    before = state(memory)
    with pytest.raises(error) as refused:
        action(memory)
    assert named in str(refused.value)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400
    assert state(memory) == before


def written(folder: Path) -> Path:
    path = folder / "memory.db"
    with HybridMemory.open(path, embedder=HashEmbedder(8)) as memory:
        memory.add({"id": "a", "text": "timeout in checkout"})
    return path


def garbled(folder: Path) -> Path:
    path = written(folder)
    path.write_bytes(b"not a database, but long enough to be read as a header of one" * 40)
    return path


def damaged(folder: Path) -> Path:
    path = written(folder)
    content = bytearray(path.read_bytes())
    content[100:4096] = b"\xff" * 3996
    path.write_bytes(content)
    return path


def newer(folder: Path) -> Path:
    path = written(folder)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    return path


def foreign(folder: Path) -> Path:
    path = folder / "other.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE people (name TEXT)")
    connection.close()
    return path


UNUSABLE: dict[str, tuple[Callable[[Path], Path], type[Exception], str]] = {
    "no such folder": (lambda folder: folder / "missing" / "memory.db", StoreError, "missing"),
    "a folder": (lambda folder: folder, StoreError, "cannot be used"),
    "not a database": (garbled, CorruptStoreError, "memory.db"),
    "a damaged database": (damaged, CorruptStoreError, "memory.db"),
    "a newer format": (newer, NewerFormatError, "upgrade"),
    "a file of another program": (foreign, CorruptStoreError, "another program"),
    "a blank path": (lambda _: Path(" "), InvalidInputError, "path"),
    "a path with NUL": (lambda _: Path("a\0b"), InvalidInputError, "path"),
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_a_file_that_cannot_be_used_is_refused_and_left_alone(tmp_path: Path, name: str) -> None:
    make, error, named = UNUSABLE[name]
    path = make(tmp_path)
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(error, match=named), HybridMemory.open(path, embedder=HashEmbedder(8)) as memory:
        memory.search("timeout")
    assert (path.read_bytes() if path.is_file() else None) == before


def test_a_file_of_another_embedder_is_refused_with_the_remedy(tmp_path: Path) -> None:
    path = written(tmp_path)
    with HybridMemory.open(path, embedder=HashEmbedder(16)) as memory:
        for call in (lambda: memory.search("timeout"), lambda: memory.add("more")):
            with pytest.raises(MismatchError, match="reindex"):
                call()
    with HybridMemory.open(path, embedder=HashEmbedder(8)) as memory:
        assert memory.count() == 1
