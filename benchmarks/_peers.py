"""The usual hybrid retrievers of LangChain and LlamaIndex, built over the same facts; what we are measured against.

Frameworks are imported inside the functions, so that our own figures can be had without them. FAISS runs on one thread
for everybody: for one query at a time more threads are slower.
"""

import logging
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from benchmarks._corpus import DIMENSION, Facts, LookUpEmbedder, Question, fact_id

INSTALL = "install the packages the comparison needs: pip install --group bench -e '.[langchain,llamaindex]'"


class Engine(Protocol):
    """What is timed: a search that returns ids, best first, and a write after which a search finds the new fact."""

    name: str

    def search(self, text: str, k: int) -> list[str]: ...

    def add(self, identifier: str, news: Question) -> None: ...

    def close(self) -> None: ...


class LangChainEnsemble:
    """EnsembleRetriever over BM25Retriever and the FAISS store, each with its defaults but for k.

    BM25Retriever cannot be added to: every write builds it again.
    """

    name = "langchain"

    def __init__(self, facts: Facts, embedder: LookUpEmbedder, k: int) -> None:
        from langchain_community.vectorstores import FAISS
        from langchain_core.documents import Document
        from langchain_core.embeddings import Embeddings

        class Stub(Embeddings):
            embed_documents = staticmethod(embedder.embed_documents)
            embed_query = staticmethod(embedder.embed_query)

        _one_faiss_thread()
        ids = [fact_id(position) for position in range(len(facts.texts))]
        pairs = zip(facts.texts, facts.vectors, strict=True)
        self._store = FAISS.from_embeddings(pairs, Stub(), ids=ids)
        self._documents = [Document(page_content=text, id=i) for text, i in zip(facts.texts, ids, strict=True)]
        self._k = k
        self._assemble()

    def _assemble(self) -> None:
        from langchain_classic.retrievers import EnsembleRetriever
        from langchain_community.retrievers import BM25Retriever

        sparse = BM25Retriever.from_documents(self._documents, k=self._k)
        dense = self._store.as_retriever(search_kwargs={"k": self._k})
        self._retriever = EnsembleRetriever(retrievers=[sparse, dense], weights=[0.5, 0.5])

    def search(self, text: str, k: int) -> list[str]:
        return [str(document.id) for document in self._retriever.invoke(text)[:k]]

    def add(self, identifier: str, news: Question) -> None:
        from langchain_core.documents import Document

        self._store.add_embeddings([(news.text, news.vector.tolist())], ids=[identifier])
        self._documents.append(Document(page_content=news.text, id=identifier))
        self._assemble()

    def close(self) -> None:
        del self._store, self._documents, self._retriever


class LlamaIndexFusion:
    """QueryFusionRetriever over BM25Retriever (bm25s) and FaissVectorStore, by reciprocal rank, one query, no model.

    BM25Retriever is a snapshot of its nodes: every write builds it again.
    """

    name = "llamaindex"

    def __init__(self, facts: Facts, embedder: LookUpEmbedder, k: int) -> None:
        import faiss
        from llama_index.core import StorageContext, VectorStoreIndex
        from llama_index.core.base.embeddings.base import BaseEmbedding
        from llama_index.core.schema import TextNode
        from llama_index.vector_stores.faiss import FaissVectorStore

        class Stub(BaseEmbedding):
            def _get_query_embedding(self, query: str) -> list[float]:
                return embedder.embed_query(query)

            async def _aget_query_embedding(self, query: str) -> list[float]:
                return embedder.embed_query(query)

            def _get_text_embedding(self, text: str) -> list[float]:
                return embedder.embed_documents([text])[0]

        _one_faiss_thread()
        self._nodes = [
            TextNode(id_=fact_id(position), text=text, embedding=vector.tolist())
            for position, (text, vector) in enumerate(zip(facts.texts, facts.vectors, strict=True))
        ]
        store = FaissVectorStore(faiss_index=faiss.IndexFlatIP(DIMENSION))
        storage = StorageContext.from_defaults(vector_store=store)
        self._index = VectorStoreIndex(self._nodes, storage_context=storage, embed_model=Stub())
        self._k = k
        self._assemble()

    def _assemble(self) -> None:
        from llama_index.core.llms import MockLLM
        from llama_index.core.retrievers import QueryFusionRetriever
        from llama_index.core.retrievers.fusion_retriever import FUSION_MODES
        from llama_index.retrievers.bm25 import BM25Retriever

        sparse = BM25Retriever.from_defaults(nodes=list(self._nodes), similarity_top_k=self._k)
        dense = self._index.as_retriever(similarity_top_k=self._k)
        self._retriever = QueryFusionRetriever(
            [dense, sparse],
            llm=MockLLM(),
            mode=FUSION_MODES.RECIPROCAL_RANK,
            similarity_top_k=self._k,
            num_queries=1,
            use_async=False,
        )

    def search(self, text: str, k: int) -> list[str]:
        return [hit.node.node_id for hit in self._retriever.retrieve(text)[:k]]

    def add(self, identifier: str, news: Question) -> None:
        from llama_index.core.schema import TextNode

        node = TextNode(id_=identifier, text=news.text, embedding=news.vector.tolist())
        self._nodes.append(node)
        self._index.insert_nodes([node])
        self._assemble()

    def close(self) -> None:
        del self._nodes, self._index, self._retriever


PEERS: dict[str, Callable[[Facts, LookUpEmbedder, int], Engine]] = {
    "langchain": LangChainEnsemble,
    "llamaindex": LlamaIndexFusion,
}


def build_peer(name: str, facts: Facts, embedder: LookUpEmbedder, k: int) -> Engine:
    """Build a peer; SystemExit with the command to type when its packages are missing."""
    with _without_notices():
        try:
            return PEERS[name](facts, embedder, k)
        except ImportError as error:
            raise SystemExit(f"{name}: {error}; {INSTALL}") from error


def _one_faiss_thread() -> None:
    import faiss

    faiss.omp_set_num_threads(1)


@contextmanager
def _without_notices() -> Iterator[None]:
    """Keep deprecation and progress notices of the peers out of the figures."""
    logging.getLogger("bm25s").setLevel(logging.WARNING)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
