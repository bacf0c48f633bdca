"""BM25 that changes: the same scores as rank_bm25 and as a naive model, whatever was added and removed before."""

import json
import math
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from hybrid_agent_memory.errors import InvalidInputError
from hybrid_agent_memory.legs._postings import Norm, Rows, Scores
from hybrid_agent_memory.legs._snapshot import IdfMode
from hybrid_agent_memory.legs.sparse import IncrementalBM25

Documents = dict[int, list[str]]

WORDS = st.sampled_from(["a", "b", "c", "d", "e", "f", "rare", "", "x\ny", "\ud800", "\udc00"])
DOCUMENT = st.lists(WORDS, max_size=8)
CORPUS = st.lists(DOCUMENT, max_size=30)
QUERY = st.lists(st.one_of(WORDS, st.just("unknown")), max_size=6)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), DOCUMENT),
        st.tuples(st.just("extend"), st.lists(DOCUMENT, max_size=24)),
        st.tuples(st.just("skip"), st.integers(0, 3)),
        st.tuples(st.just("remove"), st.integers(0, 10**6)),
    ),
    max_size=12,
)


def naive_scores(documents: Documents, query: list[str], k1: float = 1.5, b: float = 0.75) -> dict[int, float]:
    """Lucene BM25 of every row that holds a query term, straight from the formula."""
    count = len(documents)
    mean = sum(map(len, documents.values())) / count if count else 0.0
    scores: dict[int, float] = {}
    for row, tokens in documents.items():
        for term in query:
            tf = tokens.count(term)
            if tf:
                df = sum(term in other for other in documents.values())
                idf = math.log(1 + (count - df + 0.5) / (df + 0.5))
                part = idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * len(tokens) / mean))
                scores[row] = scores.get(row, 0.0) + part
    return scores


def run(steps: list[tuple[str, object]], idf_mode: IdfMode = "lucene") -> tuple[IncrementalBM25, Documents]:
    """Apply steps to an index and to a plain dict of what it should hold."""
    index, documents = IncrementalBM25(idf_mode=idf_mode), Documents()
    for action, value in steps:
        if action == "add":
            assert isinstance(value, list)
            documents[index.add(value)] = value
        elif action == "extend":
            assert isinstance(value, list)
            documents.update(zip(index.extend(value), value, strict=True))
        elif action == "skip":
            assert isinstance(value, int)
            index.skip(value)
        elif documents:
            assert isinstance(value, int)
            row = sorted(documents)[value % len(documents)]
            index.remove(row)
            del documents[row]
    return index, documents


def expected_best(scores: dict[int, float], k: int) -> list[int]:
    """Rows by score, then row; the first k and all that tie with the last of them."""
    order = sorted(scores, key=lambda row: (-scores[row], row))
    if len(order) <= k:
        return order
    return [row for row in order if scores[row] >= scores[order[k - 1]]]


def found(
    index: IncrementalBM25, query: list[str], k: int, mask: NDArray[np.bool_] | None = None
) -> list[tuple[int, float]]:
    rows, scores = index.search(query, k, mask)
    assert rows.dtype == np.intp
    assert scores.dtype == np.float64
    return list(zip(rows.tolist(), scores.tolist(), strict=True))


@given(STEPS, QUERY)
def test_okapi_scores_are_those_of_rank_bm25_after_any_writes(
    steps: list[tuple[str, object]], query: list[str]
) -> None:
    index, documents = run(steps, "okapi")
    kept = [documents[row] for row in sorted(documents)]
    if any(kept):
        oracle = BM25Okapi(kept)
        assert index.get_scores(query) == pytest.approx(oracle.get_scores(query), abs=1e-9)
        assert dict(index.idf) == pytest.approx(oracle.idf, abs=1e-9)
        assert index.average_idf == pytest.approx(oracle.average_idf, abs=1e-9)
        assert index.avgdl == pytest.approx(oracle.avgdl, abs=1e-12)
        assert index.doc_len == oracle.doc_len
        assert index.corpus_size == oracle.corpus_size


@given(STEPS, QUERY)
def test_lucene_scores_are_those_of_the_formula_after_any_writes(
    steps: list[tuple[str, object]], query: list[str]
) -> None:
    index, documents = run(steps)
    expected = naive_scores(documents, query)
    assert dict(found(index, query, 1000)) == pytest.approx(expected, abs=1e-9)
    assert index.get_scores(query) == pytest.approx([expected.get(row, 0.0) for row in sorted(documents)], abs=1e-9)


@given(STEPS)
def test_statistics_count_what_is_there_after_any_writes(steps: list[tuple[str, object]]) -> None:
    index, documents = run(steps)
    df = Counter(term for tokens in documents.values() for term in set(tokens))
    assert index.terms == len(index.idf) == len(df)
    assert {term: index.document_frequency(term) for term in index.idf} == dict(df)
    assert index.corpus_size == len(documents)
    assert index.doc_len == [len(documents[row]) for row in sorted(documents)]
    assert index.document_frequency("unknown") == 0
    assert "unknown" not in index.idf


@given(STEPS, QUERY, st.integers(1, 5), st.randoms(use_true_random=False))
def test_the_best_k_come_with_all_their_ties_through_any_mask(
    steps: list[tuple[str, object]], query: list[str], k: int, random: "np.random.Generator"
) -> None:
    index, _ = run(steps)
    everything = dict(found(index, query, 1000))
    share = random.random()
    mask = np.array([random.random() < share for _ in range(index.rows + 2)], np.bool_)
    passing = {row: score for row, score in everything.items() if mask[row]}
    assert found(index, query, k) == [(row, everything[row]) for row in expected_best(everything, k)]
    assert found(index, query, k, mask) == [(row, passing[row]) for row in expected_best(passing, k)]


ZIPF = np.random.default_rng(7)
ZIPF_CORPUS = [[f"w{rank}" for rank in ZIPF.zipf(1.2, size) if rank < 500] for size in ZIPF.integers(3, 40, 2000)]
ZIPF_QUERIES = [[f"w{rank}" for rank in ZIPF.zipf(1.2, size) if rank < 500] for size in ZIPF.integers(1, 9, 150)]


@pytest.mark.parametrize("share", [1.0, 0.5, 0.01])
@pytest.mark.parametrize("k", [1, 5, 50])
def test_pruned_masked_and_exhaustive_searches_agree_to_the_last_bit(share: float, k: int) -> None:
    index = IncrementalBM25(ZIPF_CORPUS)
    for row in range(0, 2000, 3):
        index.remove(row)
    mask = np.random.default_rng(3).random(index.rows) < share
    live_rows = [row for row in range(2000) if row % 3]
    for query in ZIPF_QUERIES:
        scores = dict(zip(live_rows, index.get_scores(query).tolist(), strict=True))
        passing = {row: score for row, score in scores.items() if score and mask[row]}
        expected = [(row, passing[row]) for row in expected_best(passing, k)]
        index.prune_above = 10**9
        assert found(index, query, k, mask) == expected
        index.prune_above = 0
        assert found(index, query, k, mask) == expected
        if share == 1.0:
            assert found(index, query, k) == expected


def test_pruning_leaves_rows_out(monkeypatch: pytest.MonkeyPatch) -> None:
    contribution, scored = Norm.contribution, []

    def spy(norm: Norm, weight: float, rows: Rows, tfs: NDArray[np.float32]) -> Scores:
        scored.append(len(rows))
        return contribution(norm, weight, rows, tfs)

    monkeypatch.setattr(Norm, "contribution", spy)
    index = IncrementalBM25([["common"]] * 500 + [["common", "rare"]] * 3)
    index.prune_above = 0
    assert [row for row, _ in found(index, ["rare", "common"], 2)] == [500, 501, 502]
    assert sum(scored) < 500


@given(CORPUS, QUERY)
def test_okapi_search_returns_matches_even_with_scores_of_zero_or_less(
    corpus: list[list[str]], query: list[str]
) -> None:
    index = IncrementalBM25(corpus, idf_mode="okapi")
    scores = index.get_scores(query).tolist()
    matches = {row: scores[row] for row, tokens in enumerate(corpus) if set(tokens) & set(query)}
    assert found(index, query, 2) == [(row, matches[row]) for row in expected_best(matches, 2)]


@pytest.mark.parametrize("corpus", [[["red"]], [["red"], ["green"]], [["red"], ["red"]]])
def test_a_match_in_a_tiny_memory_scores_above_zero(corpus: list[list[str]]) -> None:
    hits = found(IncrementalBM25(corpus), ["red"], 5)
    assert [row for row, _ in hits] == [row for row, tokens in enumerate(corpus) if "red" in tokens]
    assert all(score > 0 for _, score in hits)


def test_equal_documents_are_all_returned_at_the_cut() -> None:
    index = IncrementalBM25([["best", "best"], *[["best"]] * 4, ["other"]])
    assert [row for row, _ in found(index, ["best"], 1)] == [0]
    assert [row for row, _ in found(index, ["best"], 2)] == [0, 1, 2, 3, 4]


def test_a_write_is_found_at_once_and_a_removal_is_gone_at_once() -> None:
    index = IncrementalBM25()
    assert found(index, ["key"], 3) == []
    row = index.add(["key"])
    assert [at for at, _ in found(index, ["key"], 3)] == [row]
    index.remove(row)
    assert found(index, ["key"], 3) == []
    assert (index.rows, index.corpus_size, index.terms, index.avgdl) == (1, 0, 0, 0.0)


def test_rows_are_never_reused() -> None:
    index = IncrementalBM25([["a"], ["b"]])
    index.remove(1)
    assert index.add(["c"]) == 2
    index.skip(3)
    assert index.extend([["d"], []]) == range(6, 8)
    assert index.extend([]) == range(8, 8)
    assert (index.rows, index.corpus_size) == (8, 4)


@given(CORPUS, QUERY)
def test_rank_bm25s_batch_and_top_n_hold(corpus: list[list[str]], query: list[str]) -> None:
    if any(corpus):
        index, oracle = IncrementalBM25(corpus, idf_mode="okapi"), BM25Okapi(corpus)
        positions = list(range(len(corpus)))[::-1]
        assert index.get_batch_scores(query, positions) == pytest.approx(
            oracle.get_batch_scores(query, positions), abs=1e-9
        )
        scores = index.get_scores(query).tolist()
        best = sorted(positions, key=lambda position: (-scores[position], position))
        assert index.get_top_n(query, list(range(len(corpus))), 4) == best[:4]


def test_top_n_is_that_of_rank_bm25_where_no_scores_tie() -> None:
    corpus = [["a", "b"], ["a", "a", "a"], ["c", "c", "c", "c"], ["d", "a", "e", "f", "g"], ["h"], ["i"], ["j"]]
    texts = [" ".join(tokens) for tokens in corpus]
    ours, theirs = IncrementalBM25(texts, str.split, idf_mode="okapi"), BM25Okapi(corpus)
    assert ours.get_top_n(["a"], texts, 3) == theirs.get_top_n(["a"], texts, 3) == [texts[1], texts[0], texts[3]]
    assert isinstance(ours, BM25Okapi)


@given(STEPS, QUERY)
def test_coverage_is_the_share_of_idf_a_row_holds(steps: list[tuple[str, object]], query: list[str]) -> None:
    index, documents = run(steps)
    weights = {
        term: math.log(1 + (len(documents) - df + 0.5) / (df + 0.5))
        for term in set(query)
        for df in [sum(term in tokens for tokens in documents.values())]
    }
    total = sum(weights.values()) or 1.0
    expected = [
        sum(weight for term, weight in weights.items() if term in documents.get(row, [])) / total
        for row in range(index.rows)
    ]
    assert index.coverage(query, range(index.rows)) == pytest.approx(expected, abs=1e-12)


def test_coverage_is_one_for_every_term_and_less_when_an_unknown_term_is_asked_for() -> None:
    index = IncrementalBM25([["a", "b", "c"], ["a"]])
    assert index.coverage(["c", "a", "b", "a"], [0]).tolist() == [1.0]
    idf = {"a": math.log(1 + 0.5 / 2.5), "zebra": math.log(1 + 2.5 / 0.5)}
    assert index.coverage(["a", "zebra"], [1, 0]) == pytest.approx([idf["a"] / (idf["a"] + idf["zebra"])] * 2)
    assert index.coverage([], [0, 1]).tolist() == [0.0, 0.0]
    assert index.coverage(["a"], []).tolist() == []


@given(STEPS, DOCUMENT, QUERY)
def test_a_saved_index_goes_on_as_if_it_had_never_been_away(
    tmp_path: Path, steps: list[tuple[str, object]], later: list[str], query: list[str]
) -> None:
    index, documents = run(steps)
    index.save(tmp_path / "index.npz")
    loaded = IncrementalBM25.load(tmp_path / "index.npz")
    for copy in (index, loaded):
        assert copy.add(later) == copy.rows - 1
        if documents:
            copy.remove(min(documents))
    assert found(loaded, query, 1000) == found(index, query, 1000)
    assert dict(loaded.idf) == dict(index.idf)
    assert (loaded.rows, loaded.doc_len, loaded.terms) == (index.rows, index.doc_len, index.terms)
    loaded.save(tmp_path / "again.npz")
    assert found(IncrementalBM25.load(tmp_path / "again.npz"), query, 1000) == found(index, query, 1000)


def test_settings_are_saved(tmp_path: Path) -> None:
    path = tmp_path / "index"
    IncrementalBM25([["a"]], k1=0.9, b=0.4, epsilon=0.1, idf_mode="okapi").save(path)
    loaded = IncrementalBM25.load(path)
    assert (loaded.k1, loaded.b, loaded.epsilon, loaded.idf_mode) == (0.9, 0.4, 0.1, "okapi")


def saved(path: Path) -> dict[str, NDArray[np.generic]]:
    IncrementalBM25([["a", "b"], ["a", "a"], []]).save(path)
    with np.load(path) as file:
        return dict(file)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rows", np.array([0, 7, 0], np.int32)),
        ("rows", np.array([0, -1, 0], np.int32)),
        ("rows", np.array([1, 0, 0], np.int32)),
        ("rows", np.array([0, 1], np.int32)),
        ("rows", np.array([0.0, 1.0, 0.0])),
        ("tfs", np.array([1, 3, 1], np.float32)),
        ("tfs", np.array([1, np.nan, 1], np.float32)),
        ("df", np.array([3, 0], np.int32)),
        ("df", np.array([1, 2], np.int32)),
        ("df", np.array([3], np.int32)),
        ("row_terms", np.array([0, 5, 0], np.int32)),
        ("row_terms", np.array([0, 0, 0], np.int32)),
        ("lengths", np.array([2, 2, -1])),
        ("lengths", np.array([2, 2])),
        ("live", np.array([True, False, True])),
        ("terms", np.frombuffer(b"\xff\xff", np.uint8)),
        ("terms", np.frombuffer(b"aa", np.uint8)),
        ("term_lengths", np.array([1, 2], np.int32)),
        ("term_lengths", np.array([3, -1], np.int32)),
        ("settings", np.frombuffer(b"{}", np.uint8)),
        ("settings", np.frombuffer(b"[1]", np.uint8)),
        ("settings", np.frombuffer(json.dumps({"format": 1, "k1": 1}).encode(), np.uint8)),
        ("settings", np.frombuffer(json.dumps({"format": 2}).encode(), np.uint8)),
        ("tfs", np.array([{}, {}, {}], dtype=object)),
    ],
)
def test_a_snapshot_that_contradicts_itself_is_refused(tmp_path: Path, name: str, value: NDArray[np.generic]) -> None:
    arrays = saved(tmp_path / "index.npz")
    arrays[name] = value
    np.savez(tmp_path / "bad.npz", **arrays)  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError, match="snapshot"):
        IncrementalBM25.load(tmp_path / "bad.npz")


@pytest.mark.parametrize("content", [b"", b"nonsense", b"PK\x03\x04nonsense"])
def test_a_file_that_is_no_snapshot_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "index.npz"
    path.write_bytes(content)
    with pytest.raises(InvalidInputError, match="snapshot"):
        IncrementalBM25.load(path)


def test_a_damaged_or_incomplete_snapshot_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "index.npz"
    arrays = saved(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InvalidInputError, match="snapshot"):
        IncrementalBM25.load(path)
    del arrays["live"]
    np.savez(path, **arrays)  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError, match="snapshot"):
        IncrementalBM25.load(path)
    with open(path, "wb") as file:
        np.save(file, np.zeros(3))
    with pytest.raises(InvalidInputError, match="snapshot"):
        IncrementalBM25.load(path)
    with pytest.raises(FileNotFoundError):
        IncrementalBM25.load(tmp_path / "absent.npz")


@pytest.mark.parametrize(
    "settings",
    [{"k1": -1.0}, {"k1": math.nan}, {"b": 1.1}, {"b": -0.1}, {"b": "x"}, {"epsilon": math.inf}, {"idf_mode": "bm25+"}],
)
def test_settings_out_of_range_are_refused(settings: dict[str, float]) -> None:
    with pytest.raises(InvalidInputError, match=next(iter(settings))):
        IncrementalBM25(**settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("tokens", ["a text", 3, None, [b"bytes"], ["a", 1]])
def test_what_is_no_token_list_is_refused_and_changes_nothing(tokens: object) -> None:
    index = IncrementalBM25([["a"]])
    for attempt in (
        lambda: index.add(tokens),  # type: ignore[arg-type]
        lambda: index.extend([["b"], tokens]),  # type: ignore[list-item]
        lambda: index.search(tokens, 1),  # type: ignore[arg-type]
        lambda: index.get_scores(tokens),  # type: ignore[arg-type]
        lambda: index.coverage(tokens, [0]),  # type: ignore[arg-type]
    ):
        with pytest.raises(InvalidInputError, match="token"):
            attempt()
    assert (index.rows, list(index.idf)) == (1, ["a"])


def test_a_text_as_corpus_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="list of documents"):
        IncrementalBM25("a text")


@pytest.mark.parametrize("row", [-1, 1, 2, 99])
def test_a_row_without_a_document_cannot_be_removed(row: int) -> None:
    index = IncrementalBM25([["a"], ["b"]])
    index.remove(1)
    index.skip(1)
    with pytest.raises(InvalidInputError, match=f"row {row} holds no document"):
        index.remove(row)
    assert index.corpus_size == 1


def test_other_bad_arguments_are_refused() -> None:
    index = IncrementalBM25([["a"], ["b"]])
    with pytest.raises(InvalidInputError, match="k is 0"):
        index.search(["a"], 0)
    with pytest.raises(InvalidInputError, match=r"shape \(1,\)"):
        index.search(["a"], 1, np.ones(1, np.bool_))
    with pytest.raises(InvalidInputError, match="int"):
        index.search(["a"], 1, np.ones(2, np.int64))
    with pytest.raises(InvalidInputError, match="-1"):
        index.skip(-1)
    with pytest.raises(InvalidInputError, match="3 documents"):
        index.get_top_n(["a"], ["x", "y", "z"])
    with pytest.raises(InvalidInputError, match="outside the 2"):
        index.get_batch_scores(["a"], [2])


def test_a_refused_search_does_not_keep_the_index_from_growing() -> None:
    index = IncrementalBM25([["a"]])
    with pytest.raises(InvalidInputError) as refusal:
        index.search(["a"], 1, np.ones(0, np.bool_))
    index.extend([["a"]] * 1000)
    assert index.document_frequency("a") == 1001
    assert refusal.traceback


def test_many_threads_search_at_once_and_agree() -> None:
    index = IncrementalBM25(ZIPF_CORPUS)
    expected = [found(index, query, 10) for query in ZIPF_QUERIES]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(4):
            assert list(pool.map(lambda query: found(index, query, 10), ZIPF_QUERIES)) == expected


def test_generators_are_accepted() -> None:
    index = IncrementalBM25((token for token in tokens) for tokens in (["a", "b"], ["b"]))  # type: ignore[misc]
    assert index.doc_len == [2, 1]
