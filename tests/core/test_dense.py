"""The dense leg finds what brute force finds, whichever index and whichever path gives the candidates."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hybrid_agent_memory import Config, HybridMemory
from hybrid_agent_memory.legs.dense import DenseIndex, Kind, cosine_kernel, one_thread

Vectors = NDArray[np.float32]
Mask = NDArray[np.bool_]

KINDS: dict[Kind, dict[str, int]] = {
    "flat": {"int8_above": 10**9, "hnsw_above": 10**9},
    "int8": {"int8_above": 50, "hnsw_above": 10**9},
    "hnsw": {"int8_above": 20, "hnsw_above": 50},
}


def unit(vectors: NDArray[np.float64]) -> Vectors:
    made: Vectors = (vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)).astype(np.float32)
    return made


def crowd(seed: int, rows: int = 400, dimension: int = 8) -> tuple[Vectors, Vectors]:
    """Vectors and a query: a far and wide part, a part so close together that only float32 tells it apart, copies."""
    rng = np.random.default_rng(seed)
    wide, centre = rng.standard_normal((rows, dimension)), rng.standard_normal(dimension)
    close = centre + 10.0 ** rng.uniform(-5, 0) * rng.standard_normal((rows, dimension))
    made = np.where(rng.random((rows, 1)) < 0.5, wide, close)
    copied = np.where(rng.random(rows) < 0.3, rng.integers(0, rows, rows), np.arange(rows))
    return unit(made[copied]), unit(centre + 0.1 * rng.standard_normal(dimension))


def brute_force(vectors: Vectors, query: Vectors, k: int, allowed: Mask) -> list[tuple[int, float]]:
    """The k best rows and all that tie with the last of them, straight from the definition."""
    cosines = [round(float(a @ query.astype(np.float64)), 6) for a in vectors.astype(np.float64)]
    ranked = sorted(np.flatnonzero(allowed).tolist(), key=lambda row: (-cosines[row], row))
    return [(row, cosines[row]) for at, row in enumerate(ranked) if at < k or cosines[row] == cosines[ranked[k - 1]]]


def found(index: DenseIndex, query: Vectors, k: int, allowed: Mask) -> list[tuple[int, float]]:
    rows, scores = index.search(query, k, allowed)
    return list(zip(rows.tolist(), scores.tolist(), strict=True))


@given(st.integers(0, 10**6), st.sampled_from([1, 10, 60]), st.sampled_from([1.0, 0.9, 0.5, 0.1, 0.01, 0.0]))
def test_the_flat_index_is_brute_force(seed: int, k: int, share: float) -> None:
    vectors, query = crowd(seed)
    allowed = np.random.default_rng(seed).random(len(vectors)) < share
    index = DenseIndex(vectors.shape[1], **KINDS["flat"])
    index.append(vectors)
    assert index.kind == "flat"
    assert found(index, query, k, allowed) == brute_force(vectors, query, k, allowed)


@given(st.integers(0, 10**6), st.sampled_from([2, 8, 384]), st.integers(0, 40))
def test_a_cosine_does_not_depend_on_what_is_scored_with_it(seed: int, dimension: int, rows: int) -> None:
    """To the last bit: at this size the rounding to six decimals rounds nothing away."""
    vectors, query = crowd(seed, rows=50, dimension=dimension)
    large = query * np.float32(2**40)
    some = np.random.default_rng(seed).integers(0, 50, rows)
    assert cosine_kernel(vectors[some], large).tolist() == cosine_kernel(vectors, large)[some].tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_all_rows_may_tie(kind: Kind) -> None:
    vectors = np.repeat(unit(np.array([[3.0, 4.0]])), 300, axis=0)
    index = DenseIndex(2, **KINDS[kind])
    index.append(vectors)
    allowed = np.arange(300) % 3 > 0
    expected = [(row, 0.6) for row in range(300) if row % 3]
    assert found(index, np.array([1, 0], np.float32), 5, allowed) == expected


@pytest.mark.parametrize("kind", KINDS)
@given(st.integers(0, 10**6), st.sampled_from([1.0, 0.6, 0.3, 0.02]))
def test_every_index_gives_true_scores_in_order_and_as_many_as_there_are(kind: Kind, seed: int, share: float) -> None:
    vectors, query = crowd(seed, rows=200)
    allowed = np.random.default_rng(seed).random(len(vectors)) < share
    index = DenseIndex(vectors.shape[1], **KINDS[kind])
    index.append(vectors)
    for k in (1, 30, 500):
        rows, scores = index.search(query, k, allowed)
        assert len(rows) >= min(k, np.count_nonzero(allowed))
        assert len(set(rows.tolist())) == len(rows)
        assert allowed[rows].all()
        assert scores.tolist() == cosine_kernel(vectors[rows], query).tolist()
        assert np.lexsort((rows, -scores)).tolist() == list(range(len(rows)))


@pytest.mark.parametrize("kind", ["int8", "hnsw"])
def test_a_coarse_index_finds_nearly_all_of_the_nearest(kind: Kind) -> None:
    rng = np.random.default_rng(7)
    vectors, queries = unit(rng.standard_normal((3000, 16))), unit(rng.standard_normal((20, 16)))
    index = DenseIndex(16, **KINDS[kind])
    index.append(vectors)
    everything = np.ones(len(vectors), bool)
    shares = [
        len({row for row, _ in found(index, q, 10, everything)} & set(np.argsort(-(vectors @ q))[:10].tolist())) / 10
        for q in queries
    ]
    assert sum(shares) / len(shares) > {"int8": 0.999, "hnsw": 0.98}[kind]


@given(st.lists(st.integers(1, 60), min_size=1, max_size=6), st.integers(0, 10**6))
def test_rows_may_come_in_any_portions_and_the_index_changes_under_way(portions: list[int], seed: int) -> None:
    vectors, query = crowd(seed, rows=sum(portions))
    grown = DenseIndex(vectors.shape[1], int8_above=40, hnsw_above=10**9)
    start = 0
    for portion in portions:
        grown.append(vectors[start : start + portion])
        start += portion
        allowed = np.ones(start, bool)
        assert len(grown) == start
        nearest, best = found(grown, query, 9, allowed), brute_force(vectors[:start], query, 9, allowed)
        if grown.kind == "flat":
            assert nearest == best
        assert [score for _, score in nearest[:9]] == pytest.approx([score for _, score in best[:9]], abs=0.02)
    assert grown.kind == ("int8" if start > 40 else "flat")
    assert grown.vectors().tolist() == vectors.tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_a_saved_index_comes_back_and_can_grow(kind: Kind, tmp_path: Path) -> None:
    vectors, query = crowd(3)
    index = DenseIndex(vectors.shape[1], **KINDS[kind])
    index.append(vectors[:300])
    index.save(tmp_path)
    loaded = DenseIndex.load(tmp_path, **KINDS[kind])
    before = np.ones(300, bool)
    assert (loaded.kind, len(loaded)) == (kind, 300)
    assert found(loaded, query, 20, before) == found(index, query, 20, before)
    loaded.append(vectors[300:])
    late = np.arange(len(vectors)) >= 300
    assert found(loaded, query, 20, late) == brute_force(vectors, query, 20, late)


def test_parts_of_two_indexes_are_refused(tmp_path: Path) -> None:
    vectors, _ = crowd(3)
    for name, rows in (("one", 300), ("two", 200)):
        index = DenseIndex(vectors.shape[1], **KINDS["int8"])
        index.append(vectors[:rows])
        (tmp_path / name).mkdir()
        index.save(tmp_path / name)
    (tmp_path / "two" / "coarse.faiss").replace(tmp_path / "one" / "coarse.faiss")
    with pytest.raises(ValueError, match="number of rows"):
        DenseIndex.load(tmp_path / "one", **KINDS["int8"])


def test_an_empty_index_finds_nothing() -> None:
    index = DenseIndex(3)
    index.append(np.empty((0, 3), np.float32))
    assert found(index, np.array([1, 0, 0], np.float32), 5, np.empty(0, bool)) == []
    assert len(index) == 0


def test_a_row_without_a_direction_has_cosine_zero() -> None:
    index = DenseIndex(2)
    index.append(np.array([[-1, 0], [0, 0], [1, 0]], np.float32))
    expected = [(2, 1.0), (1, 0.0), (0, -1.0)]
    assert found(index, np.array([1, 0], np.float32), 3, np.ones(3, bool)) == expected


def test_the_callers_thread_setting_is_left_alone() -> None:
    import faiss

    faiss.omp_set_num_threads(2)
    with one_thread():
        assert faiss.omp_get_max_threads() == 1
    assert faiss.omp_get_max_threads() == 2
    faiss.omp_set_num_threads(1)


# -- the same through a memory --------------------------------------------------------------------------------------


def test_a_memory_ranks_alike_by_every_path_and_after_deletes() -> None:
    vectors, query = crowd(11, rows=700)
    memory = HybridMemory.in_memory(config=Config(**KINDS["flat"]))
    names = [f"r{row * 7919 % 1000:03}" for row in range(len(vectors))]
    given = [
        {"id": name, "text": "x", "vector": vector.tolist(), "metadata": {"row": row}}
        for row, (name, vector) in enumerate(zip(names, vectors, strict=True))
    ]
    memory.add(given)
    alive = np.ones(len(vectors), bool)

    def check(condition: dict[str, object], passing: Mask) -> None:
        for k in (1, 15, 100):
            expected = brute_force(vectors, query, len(vectors), alive & passing)
            expected_ids = sorted(((-score, names[row]) for row, score in expected))[:k]
            hits = memory.search("", vector=query.tolist(), legs=("dense",), filter=condition, top_k=k)
            assert [(hit.why.legs["dense"].raw_score, hit.id) for hit in hits] == [(-s, i) for s, i in expected_ids]

    row = np.arange(len(vectors))
    for _ in range(2):
        check({}, row >= 0)
        check({"row": {"$gte": 0}}, row >= 0)
        check({"row": {"$lt": 650}}, row < 650)
        check({"row": {"$lt": 20}}, row < 20)
        memory.delete([names[at] for at in range(0, 700, 3)])
        alive &= row % 3 > 0
    assert memory.stats().dense_index == "flat"
