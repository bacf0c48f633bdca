"""What a `VectorStoreIndex` holds, as nodes that bring their vectors along where the vector store gives them back."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from llama_index.core.indices.vector_store import VectorStoreIndex
from llama_index.core.schema import BaseNode
from llama_index.core.vector_stores import SimpleVectorStore
from llama_index.core.vector_stores.types import BasePydanticVectorStore

from hybrid_agent_memory.errors import InvalidInputError


@runtime_checkable
class _Faiss(Protocol):
    """The shape of a FAISS index."""

    ntotal: int

    def reconstruct(self, key: int) -> Sequence[float]: ...


def indexed_nodes(index: VectorStoreIndex, *, with_vectors: bool) -> list[BaseNode]:
    """List the nodes of an index, which is left as it is.

    Parameters
    ----------
    index : VectorStoreIndex
    with_vectors : bool
        Whether the nodes get the vectors the store has of them; without, they have none.

    Returns
    -------
    list of BaseNode
        Copies. Nodes whose store does not give vectors back have none.

    Raises
    ------
    InvalidInputError
        If it is no `VectorStoreIndex`, its vector store does not list its nodes, or its docstore lacks one.
    """
    if not isinstance(index, VectorStoreIndex):
        raise InvalidInputError(f"index is a {type(index).__name__}: give a VectorStoreIndex, or use from_nodes")
    nodes = _listed_by_the_store(index) if index.vector_store.stores_text else _listed_by_the_docstore(index)
    return nodes if with_vectors else [node.model_copy(update={"embedding": None}) for node in nodes]


def _listed_by_the_store(index: VectorStoreIndex) -> list[BaseNode]:
    store = index.vector_store
    try:
        return store.get_nodes()
    except NotImplementedError as error:
        raise InvalidInputError(
            f"{type(store).__name__} does not let its nodes be listed; "
            "read the documents from where they came and use from_documents"
        ) from error


def _listed_by_the_docstore(index: VectorStoreIndex) -> list[BaseNode]:
    names = index.index_struct.nodes_dict
    try:
        nodes = index.docstore.get_nodes(list(names.values()))
    except ValueError as error:
        raise InvalidInputError(f"the index is damaged, its docstore lacks a node: {error}") from error
    vectors = [_vector(index.vector_store, name) for name in names]
    return [node.model_copy(update={"embedding": vector}) for node, vector in zip(nodes, vectors, strict=True)]


def _vector(store: BasePydanticVectorStore, name: str) -> list[float] | None:
    """The vector that a store keeps under a name of its own, or None when it does not give it back."""
    if isinstance(store, SimpleVectorStore):
        return store.data.embedding_dict.get(name)
    client = store.client
    if not isinstance(client, _Faiss) or not name.isdecimal():
        return None
    try:
        return [float(x) for x in client.reconstruct(int(name))]
    except RuntimeError:  # an IVF index without a direct map
        return None
