"""What an existing vector store holds, as chunks that bring their vectors along."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, cast, runtime_checkable

import numpy as np
from langchain_core.documents import Document
from langchain_core.vectorstores import InMemoryVectorStore
from numpy.typing import NDArray

from hybrid_agent_memory import Chunk, InvalidInputError
from langchain_hybrid_memory._convert import to_chunk


class _Docstore(Protocol):
    def search(self, search: str) -> object: ...


class _Index(Protocol):
    ntotal: int

    def reconstruct(self, key: int) -> NDArray[np.float32]: ...


@runtime_checkable
class _FaissStore(Protocol):
    """The shape of langchain-community's FAISS store."""

    docstore: _Docstore
    index_to_docstore_id: dict[int, str]
    index: _Index


def stored_chunks(store: object) -> list[Chunk]:
    """List everything a store holds, in its order.

    Returns
    -------
    list of Chunk

    Raises
    ------
    InvalidInputError
        If the store cannot be enumerated, contradicts itself, or does not give its vectors back.
    """
    if isinstance(store, _FaissStore):
        return _from_faiss(store)
    if isinstance(store, InMemoryVectorStore):
        return [_from_row(row) for row in store.store.values()]
    raise InvalidInputError(
        f"{type(store).__name__} does not let its documents and vectors be listed; "
        "read the documents from where they came and use from_documents"
    )


def _from_faiss(store: _FaissStore) -> list[Chunk]:
    rows = sorted(store.index_to_docstore_id.items())
    if len(rows) != store.index.ntotal:
        raise InvalidInputError(
            f"the store's index has {store.index.ntotal} vectors but {len(rows)} ids; "
            "it is damaged, rebuild it or use from_documents"
        )
    documents = [_document(store.docstore, id_) for _, id_ in rows]
    return [
        to_chunk(document, id_=id_, vector=_vector(store.index, row))
        for (row, id_), document in zip(rows, documents, strict=True)
    ]


def _document(docstore: _Docstore, id_: str) -> Document:
    found = docstore.search(id_)
    if not isinstance(found, Document):
        raise InvalidInputError(
            f"the store's index names the document {id_!r}, which its docstore lacks; "
            "it is damaged, rebuild it or use from_documents"
        )
    return found


def _vector(index: _Index, row: int) -> Sequence[float]:
    try:
        return cast("Sequence[float]", index.reconstruct(row))  # a list would take eight times the memory
    except RuntimeError as error:
        raise InvalidInputError(
            f"{type(index).__name__} does not give its vectors back (an IVF index needs make_direct_map() first); "
            "use from_documents to embed again"
        ) from error


def _from_row(row: Mapping[str, Any]) -> Chunk:
    document = Document(page_content=row["text"], metadata=row["metadata"])
    return to_chunk(document, id_=row["id"], vector=row["vector"])
