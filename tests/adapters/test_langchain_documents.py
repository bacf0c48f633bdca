"""Documents into the memory and back: ids, metadata, dates, upsert, delete."""

import copy
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding, Embeddings
from pydantic import ValidationError

from hybrid_agent_memory import HybridMemory, InvalidInputError, Record
from langchain_hybrid_memory import HybridMemoryRetriever

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
keys = st.text(min_size=1).filter(lambda key: key[0] not in "@$" and key != "_hybrid")
json_values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3), max_leaves=8
)


@pytest.fixture
def retriever() -> HybridMemoryRetriever:
    return HybridMemoryRetriever.from_memory(HybridMemory.in_memory())


def stored(retriever: HybridMemoryRetriever, id_: str) -> Record:
    (record,) = retriever.memory.get([id_])
    assert record is not None
    return record


@given(
    text=st.text(min_size=1).map(lambda text: f"disk {text}"),
    metadata=st.dictionaries(keys, json_values, max_size=4),
)
def test_a_document_comes_back_as_it_was(text: str, metadata: dict[str, Any]) -> None:
    document = Document(id="d1", page_content=text, metadata=metadata)
    retriever = HybridMemoryRetriever.from_documents([document])
    assert retriever.invoke("disk") == [document]


def test_known_metadata_become_record_fields_and_stay_metadata(retriever: HybridMemoryRetriever) -> None:
    metadata = {"time": "2024-11-05T10:00:00+08:00", "source": "ops.md", "session": "s1", "speaker": "ann", "n": 1}
    retriever.add_documents([Document(id="d1", page_content="the disk is full", metadata=metadata)])
    record = stored(retriever, "d1")
    assert (record.source, record.session, record.speaker) == ("ops.md", "s1", "ann")
    assert record.time == datetime(2024, 11, 5, 2, tzinfo=UTC)
    assert record.metadata == metadata
    for same in ({"source": "ops.md"}, {"@source": "ops.md"}, {"@time": {"$gte": datetime(2024, 11, 5, tzinfo=UTC)}}):
        assert [document.metadata for document in retriever.invoke("disk", filter=same)] == [metadata]
    assert retriever.invoke("disk", filter={"@source": "other.md"}) == []


@pytest.mark.parametrize(
    "metadata",
    [
        {"time": "about noon", "source": 7, "session": ["s1"], "speaker": None},
        {"time": True, "source": "", "session": {}, "speaker": " "},
        {"time": ["2024-11-05"]},
    ],
)
def test_metadata_of_another_type_stay_metadata_only(
    retriever: HybridMemoryRetriever, metadata: dict[str, Any]
) -> None:
    retriever.add_texts(["the disk is full"], [metadata], ids=["d1"])
    record = stored(retriever, "d1")
    assert (record.time, record.source, record.session, record.speaker) == (None, None, None, None)
    assert [document.metadata for document in retriever.invoke("disk")] == [metadata]


def test_record_fields_set_through_the_core_come_back_as_metadata(retriever: HybridMemoryRetriever) -> None:
    retriever.memory.add(
        {
            "id": "d1",
            "text": "the disk is full",
            "time": 0,
            "source": "ops.md",
            "session": "s1",
            "speaker": "ann",
            "metadata": {"source": "mine"},
        }
    )
    (document,) = retriever.invoke("disk")
    assert document.metadata == {
        "time": "1970-01-01T00:00:00+00:00",
        "source": "mine",
        "session": "s1",
        "speaker": "ann",
    }


def test_dates_become_iso_strings_in_documents_and_filters(retriever: HybridMemoryRetriever) -> None:
    east = timezone(timedelta(hours=8))
    metadata = {
        "time": datetime(2024, 11, 5, 10, tzinfo=east),
        "seen": datetime(2024, 11, 5, 10, 30),
        "due": {"first": date(2024, 12, 1), "all": [date(2024, 12, 1), 3]},
    }
    retriever.add_texts(["the disk is full"], [metadata], ids=["d1"])
    (document,) = retriever.invoke("disk", filter={"seen": {"$gt": datetime(2024, 11, 5, 18, tzinfo=east)}})
    assert document.metadata == {
        "time": "2024-11-05T02:00:00+00:00",
        "seen": "2024-11-05T10:30:00+00:00",
        "due": {"first": "2024-12-01", "all": ["2024-12-01", 3]},
    }
    assert stored(retriever, "d1").time == datetime(2024, 11, 5, 2, tzinfo=UTC)
    assert retriever.invoke("disk", filter={"seen": {"$gt": datetime(2024, 11, 5, 19, tzinfo=east)}}) == []


@pytest.mark.parametrize("value", [{1, 2}, object(), b"bytes", float("nan")])
def test_other_values_that_are_not_json_are_refused(retriever: HybridMemoryRetriever, value: object) -> None:
    with pytest.raises(InvalidInputError):
        retriever.add_texts(["fine", "the disk is full"], [{}, {"value": value}])
    assert retriever.memory.count() == 0


@pytest.mark.parametrize("key", ["", "@id", "@mine", "$and", "$mine"])
def test_empty_metadata_keys_and_those_that_filters_use_are_refused(retriever: HybridMemoryRetriever, key: str) -> None:
    with pytest.raises(InvalidInputError, match="metadata"):
        retriever.add_documents([Document(page_content="good"), Document(page_content="bad", metadata={key: 1})])
    assert retriever.memory.count() == 0


def test_metadata_that_contain_themselves_are_refused(retriever: HybridMemoryRetriever) -> None:
    metadata: dict[str, Any] = {}
    metadata["self"] = [metadata]
    with pytest.raises(InvalidInputError, match="contain themselves"):
        retriever.add_texts(["the disk is full"], [metadata])


def test_what_is_given_is_never_changed(retriever: HybridMemoryRetriever) -> None:
    document = Document(
        page_content="the disk is full", metadata={"_hybrid": {"score": 1.0}, "seen": [datetime(2024, 11, 5)]}
    )
    before = copy.deepcopy(document)
    retriever.add_documents([document])
    assert document == before


def test_changing_a_result_changes_nothing_else(retriever: HybridMemoryRetriever) -> None:
    retriever.add_texts(["the disk is full"], [{"tags": ["ops"], "n": {"deep": 1}}])
    (document,) = retriever.invoke("disk")
    document.metadata["tags"].append("mine")
    document.metadata["n"]["deep"] = 2
    document.page_content = "gone"
    (again,) = retriever.invoke("disk")
    assert (again.page_content, again.metadata) == ("the disk is full", {"tags": ["ops"], "n": {"deep": 1}})


def test_scores_are_not_stored_when_a_result_is_added_again(retriever: HybridMemoryRetriever) -> None:
    retriever.add_texts(["the disk is full"], [{"n": 1}], ids=["d1"])
    found = retriever.invoke("disk", with_scores=True)
    assert retriever.add_documents(found) == ["d1"]
    assert stored(retriever, "d1").metadata == {"n": 1}


def test_adding_again_replaces(retriever: HybridMemoryRetriever) -> None:
    documents = [Document(id="d1", page_content="the disk is full"), Document(id="d2", page_content="the disk is new")]
    assert retriever.add_documents(documents) == ["d1", "d2"]
    assert retriever.add_documents(documents) == ["d1", "d2"]
    assert retriever.memory.count() == 2
    retriever.add_texts(["lunch is at noon"], ids=["d1"])
    assert [document.id for document in retriever.invoke("disk")] == ["d2"]


def test_ids_given_win_then_the_documents_own_then_new_ones(retriever: HybridMemoryRetriever) -> None:
    documents = [Document(id="own", page_content="disk 1"), Document(id="own2", page_content="disk 2")]
    assert retriever.add_documents(documents, ids=["given", None]) == ["given", "own2"]
    first, second = retriever.add_texts(["disk 3", "disk 3"])
    assert len({first, second}) == 2


def test_generators_and_nothing_at_all_are_fine(retriever: HybridMemoryRetriever) -> None:
    assert retriever.add_documents(Document(id=f"d{i}", page_content=f"disk {i}") for i in range(2)) == ["d0", "d1"]
    assert retriever.add_documents([]) == []
    assert retriever.add_texts([]) == []
    assert HybridMemoryRetriever.from_documents([]).invoke("disk") == []


async def test_delete_passes_over_what_is_not_there(retriever: HybridMemoryRetriever) -> None:
    retriever.add_texts(["disk 1", "disk 2", "disk 3"], ids=["d1", "d2", "d3"])
    assert retriever.delete(["d1", "nobody"]).ids == ("d1",)
    assert (await retriever.adelete(["d2", "d1"])).ids == ("d2",)
    assert retriever.delete([]).ids == ()
    assert [document.id for document in retriever.invoke("disk")] == ["d3"]


async def test_adding_asynchronously_does_the_same(retriever: HybridMemoryRetriever) -> None:
    assert await retriever.aadd_documents([Document(page_content="disk 1")], ids=["d1"]) == ["d1"]
    assert await retriever.aadd_texts(["disk 2"], [{"n": 2}], ids=["d2"]) == ["d2"]
    found = await retriever.ainvoke("disk", filter={"n": 2})
    assert found == [Document(id="d2", page_content="disk 2", metadata={"n": 2})]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"texts": "the disk is full"}, "give a list"),
        ({"texts": ["disk", 3]}, "3 is not a string"),
        ({"texts": ["disk"], "metadatas": [{}, {}]}, "2 metadatas for 1 texts"),
        ({"texts": ["disk"], "ids": []}, "0 ids for 1 texts"),
        ({"texts": ["disk"], "metadatas": [None]}, "metadata None"),
    ],
)
def test_texts_that_do_not_fit_are_refused(
    retriever: HybridMemoryRetriever, arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidInputError, match=message):
        retriever.add_texts(**arguments)
    with pytest.raises(InvalidInputError, match=message):
        HybridMemoryRetriever.from_texts(**arguments)
    assert retriever.memory.count() == 0


def test_documents_that_do_not_fit_are_refused(retriever: HybridMemoryRetriever) -> None:
    with pytest.raises(InvalidInputError, match="not a langchain_core Document"):
        retriever.add_documents(["the disk is full"])  # type: ignore[list-item]
    with pytest.raises(InvalidInputError, match="2 ids for 1 documents"):
        retriever.add_documents([Document(page_content="disk")], ids=["a", "b"])
    assert retriever.memory.count() == 0


def test_from_texts_takes_langchain_embeddings_as_they_are() -> None:
    embeddings = DeterministicFakeEmbedding(size=16)
    retriever = HybridMemoryRetriever.from_texts(
        ["the disk is full", "lunch is at noon"], embeddings, [{"n": 1}, {"n": 2}], ids=["a", "b"], k=1
    )
    assert retriever.memory.embedder is embeddings
    assert [one.id for one in retriever.invoke("lunch is at noon", legs=("dense",))] == ["b"]


def test_a_path_keeps_the_documents(tmp_path: Path) -> None:
    path = tmp_path / "agent.db"
    first = HybridMemoryRetriever.from_texts(["the disk is full"], ids=["a"], path=path, namespace="bob")
    first.memory.close()
    again = HybridMemoryRetriever.from_documents([], path=path, namespace="bob")
    assert [document.id for document in again.invoke("disk")] == ["a"]
    again.memory.close()
    other = HybridMemoryRetriever.from_documents([], path=path, namespace="ann")
    assert other.invoke("disk") == []
    other.memory.close()


def test_a_wrong_field_leaves_no_file_behind(tmp_path: Path) -> None:
    with pytest.raises(ValidationError, match="topk"):
        HybridMemoryRetriever.from_texts(["disk"], path=tmp_path / "agent.db", topk=3)  # type: ignore[call-arg]
    assert list(tmp_path.iterdir()) == []


class BrokenEmbeddings(Embeddings):
    """Fails on documents."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        raise OSError("the model is away")

    def embed_query(self, text: str) -> list[float]:
        return [1.0]


def test_a_failing_embedder_is_not_hidden(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="the model is away"):
        HybridMemoryRetriever.from_texts(["disk"], BrokenEmbeddings(), path=tmp_path / "agent.db")
