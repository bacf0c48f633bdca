"""Taking over an existing vector store with its ids and vectors."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import faiss
import numpy as np
import pytest
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding, Embeddings
from langchain_core.vectorstores import InMemoryVectorStore
from numpy.typing import NDArray

from hybrid_agent_memory import InvalidInputError
from langchain_hybrid_memory import HybridMemoryRetriever

Make = Callable[[Embeddings], object]

DOCUMENTS = [
    Document(id="x", page_content="the disk is full", metadata={"env": "prod", "source": "ops.md"}),
    Document(id="y", page_content="lunch is at noon", metadata={"env": "dev"}),
    Document(id="z", page_content="the build server is down", metadata={"env": "prod"}),
]


class CountingEmbeddings(DeterministicFakeEmbedding):
    """Remembers which texts it embedded as documents."""

    embedded: list[str] = []  # noqa: RUF012  a pydantic field, copied per instance

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.embedded.extend(texts)
        return super().embed_documents(texts)


@dataclass
class Docstore:
    """Answers a missing id with a sentence, as langchain-community's does."""

    documents: dict[str, Document]

    def search(self, search: str) -> Document | str:
        return self.documents.get(search, f"ID {search} not found.")


@dataclass
class FaissLike:
    """The attributes of langchain-community's FAISS store."""

    embeddings: Embeddings | None
    index: Any = field(default_factory=lambda: faiss.IndexFlatL2(16))
    docstore: Docstore = field(default_factory=lambda: Docstore({}))
    index_to_docstore_id: dict[int, str] = field(default_factory=dict)


def vectors_of(documents: list[Document]) -> NDArray[np.float32]:
    texts = [document.page_content for document in documents]
    return np.array(DeterministicFakeEmbedding(size=16).embed_documents(texts), dtype=np.float32)


def faiss_store(embeddings: Embeddings | None) -> FaissLike:
    store = FaissLike(embeddings)
    store.index.add(vectors_of(DOCUMENTS))
    store.docstore.documents.update({str(document.id): document for document in DOCUMENTS})
    store.index_to_docstore_id.update({row: str(document.id) for row, document in enumerate(DOCUMENTS)})
    return store


def in_memory_store(embeddings: Embeddings) -> InMemoryVectorStore:
    store = InMemoryVectorStore(DeterministicFakeEmbedding(size=16))
    store.add_documents(DOCUMENTS)
    store.embedding = embeddings
    return store


@pytest.mark.parametrize("make", [faiss_store, in_memory_store])
def test_ids_metadata_and_vectors_are_taken_over_without_embedding_again(make: Make) -> None:
    embeddings = CountingEmbeddings(size=16)
    retriever = HybridMemoryRetriever.from_vectorstore(make(embeddings), k=3)
    assert set(embeddings.embedded).isdisjoint(document.page_content for document in DOCUMENTS)
    assert retriever.memory.embedder is embeddings
    exported = {row["id"]: row["vector"] for row in retriever.memory.export(vectors=True)}
    for document, vector in zip(DOCUMENTS, vectors_of(DOCUMENTS), strict=True):
        kept = np.array(exported[str(document.id)])
        np.testing.assert_allclose(kept / np.linalg.norm(kept), vector / np.linalg.norm(vector), rtol=1e-5)
        assert retriever.invoke(document.page_content, k=1, legs=("dense",)) == [document]


@pytest.mark.parametrize("make", [faiss_store, in_memory_store])
def test_a_store_is_searched_like_the_same_documents_added_anew(make: Make) -> None:
    taken = HybridMemoryRetriever.from_vectorstore(make(DeterministicFakeEmbedding(size=16)), k=3)
    added = HybridMemoryRetriever.from_documents(DOCUMENTS, DeterministicFakeEmbedding(size=16), k=3)
    for query in ["disk", "the build server", "noon", ""]:
        for where in [None, {"env": "prod"}, {"@source": "ops.md"}]:
            assert taken.invoke(query, filter=where) == added.invoke(query, filter=where)


def test_the_store_is_left_as_it_was() -> None:
    store = faiss_store(DeterministicFakeEmbedding(size=16))
    retriever = HybridMemoryRetriever.from_vectorstore(store)
    retriever.delete(["x"])
    retriever.invoke("lunch")[0].metadata["env"] = "changed"
    assert store.index.ntotal == 3
    assert store.docstore.documents == {str(document.id): document for document in DOCUMENTS}


def test_an_empty_store_gives_an_empty_memory() -> None:
    retriever = HybridMemoryRetriever.from_vectorstore(FaissLike(DeterministicFakeEmbedding(size=16)))
    assert retriever.invoke("disk") == []
    assert retriever.add_texts(["the disk is full"], ids=["a"]) == ["a"]


def test_a_store_without_embeddings_needs_them_given() -> None:
    store = faiss_store(None)
    with pytest.raises(InvalidInputError, match="pass it as embedding"):
        HybridMemoryRetriever.from_vectorstore(store)
    retriever = HybridMemoryRetriever.from_vectorstore(store, DeterministicFakeEmbedding(size=16), k=1)
    assert [one.id for one in retriever.invoke("lunch is at noon")] == ["y"]


def test_a_store_that_cannot_be_listed_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="object does not let its documents"):
        HybridMemoryRetriever.from_vectorstore(object())


def test_a_damaged_store_is_refused() -> None:
    too_few = faiss_store(DeterministicFakeEmbedding(size=16))
    del too_few.index_to_docstore_id[1]
    with pytest.raises(InvalidInputError, match="3 vectors but 2 ids"):
        HybridMemoryRetriever.from_vectorstore(too_few)
    missing = faiss_store(DeterministicFakeEmbedding(size=16))
    del missing.docstore.documents["y"]
    with pytest.raises(InvalidInputError, match="'y'"):
        HybridMemoryRetriever.from_vectorstore(missing)


def test_an_index_that_keeps_its_vectors_to_itself_is_refused() -> None:
    store = faiss_store(DeterministicFakeEmbedding(size=16))
    quantizer = faiss.IndexFlatL2(16)
    store.index = faiss.IndexIVFFlat(quantizer, 16, 1)
    store.index.train(vectors_of(DOCUMENTS))
    store.index.add(vectors_of(DOCUMENTS))
    with pytest.raises(InvalidInputError, match="make_direct_map"):
        HybridMemoryRetriever.from_vectorstore(store)
    store.index.make_direct_map()
    assert HybridMemoryRetriever.from_vectorstore(store).memory.count() == 3
