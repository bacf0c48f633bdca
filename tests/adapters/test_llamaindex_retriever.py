"""`HybridMemoryRetriever`: the core's answers as LlamaIndex nodes, wherever LlamaIndex wants a retriever."""

import asyncio
import json
import logging
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from llama_index.core import Document, MockEmbedding, Settings, StorageContext, VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.indices.vector_store.retrievers import VectorIndexRetriever
from llama_index.core.instrumentation.event_handlers import BaseEventHandler
from llama_index.core.instrumentation.events import BaseEvent
from llama_index.core.instrumentation.events.retrieval import RetrievalEndEvent, RetrievalStartEvent
from llama_index.core.llms import MockLLM
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever, QueryFusionRetriever
from llama_index.core.retrievers.fusion_retriever import FUSION_MODES
from llama_index.core.schema import (
    BaseNode,
    ImageNode,
    IndexNode,
    MetadataMode,
    NodeRelationship,
    NodeWithScore,
    ObjectType,
    QueryBundle,
    RelatedNodeInfo,
    TextNode,
)
from llama_index.core.tools import RetrieverTool
from llama_index.core.vector_stores import SimpleVectorStore
from llama_index.core.vector_stores.types import FilterCondition, FilterOperator, MetadataFilter, MetadataFilters
from llama_index.vector_stores.faiss import FaissVectorStore
from llama_index_instrumentation import get_dispatcher

from hybrid_agent_memory import FilterError, HybridMemory, InvalidInputError, MismatchError
from hybrid_agent_memory.testing import HashEmbedder
from llamaindex_hybrid_memory import HybridFusionRetriever, HybridMemoryRetriever
from llamaindex_hybrid_memory._convert import NODE_KEY

QUERIES = ["ERR_0x9941 on checkout", "who eats when", "数据库 连接池", "budget", "", " \n ", "zzz qqq"]

TEXTS = {
    "m1": "ERR_0x9941: checkout fails when the payment gateway times out",
    "m2": "ERR_0x9942: login fails after a password reset",
    "m3": "The platform team eats lunch at noon",
    "m4": "数据库连接池耗尽导致订单超时",
    "m5": "The budget of project shelf is 500k",
    "m6": "Ann owns the checkout service and its budget",
}


class HashEmbedding(BaseEmbedding):
    """The core's hashing embedder as a LlamaIndex model, which keeps what it was asked."""

    dimension: int = 32
    queries: list[str] = []  # noqa: RUF012  # a pydantic field: copied for every instance
    texts: list[str] = []  # noqa: RUF012

    def _get_query_embedding(self, query: str) -> list[float]:
        self.queries.append(query)
        return HashEmbedder(self.dimension).embed_query(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)

    def _get_text_embedding(self, text: str) -> list[float]:
        self.texts.append(text)
        return HashEmbedder(self.dimension).embed_query(text)


class Silent(HashEmbedding):
    """A model that is down for queries."""

    def _get_query_embedding(self, query: str) -> list[float]:
        raise ConnectionError("model is down")


def make_nodes() -> list[BaseNode]:
    services = ["pay", "auth", "ops", "pay", "ops", "pay"]
    return [
        TextNode(id_=node_id, text=text, metadata={"service": service, "rank": rank})
        for rank, ((node_id, text), service) in enumerate(zip(TEXTS.items(), services, strict=True))
    ]


def retriever(**options: Any) -> HybridMemoryRetriever:  # noqa: ANN401
    return HybridMemoryRetriever.from_nodes(
        make_nodes(), **{"embed_model": HashEmbedding(), "similarity_top_k": 10, **options}
    )


def service(name: str) -> MetadataFilters:
    return MetadataFilters(filters=[MetadataFilter(key="service", value=name)])


def ids(hits: Sequence[NodeWithScore]) -> list[str]:
    return [found.node.node_id for found in hits]


def seen(hits: Sequence[NodeWithScore]) -> list[tuple[str, str, float | None]]:
    return [(found.node.node_id, found.node.get_content(MetadataMode.EMBED), found.score) for found in hits]


# The adapter law


@pytest.mark.parametrize("dense", [True, False])
@pytest.mark.parametrize("options", [{}, {"retriever_weights": {"sparse": 1, "dense": 2}}, {"fusion": "rrf"}], ids=str)
async def test_it_adds_drops_reorders_and_rescales_nothing(dense: bool, options: dict[str, Any]) -> None:
    ours = retriever(embed_model=HashEmbedding() if dense else None, **options)
    weights, fusion = options.get("retriever_weights"), options.get("fusion")
    for query, top_k in product(QUERIES, [1, 3, 10]):
        core = ours.memory.search(query, top_k=top_k, weights=weights, fusion=fusion)
        expected = [(hit.id, hit.text, hit.score) for hit in core]
        ours.similarity_top_k = top_k
        assert seen(ours.retrieve(query)) == expected
        assert seen(await ours.aretrieve(query)) == expected


def test_it_is_a_retriever_that_leaves_retrieve_alone() -> None:
    assert issubclass(HybridMemoryRetriever, BaseRetriever)
    assert not {"retrieve", "aretrieve"} & vars(HybridMemoryRetriever).keys()


def test_the_default_is_llamaindexs_own_top_k() -> None:
    assert HybridMemoryRetriever(HybridMemory.in_memory()).similarity_top_k == 2


def test_min_confidence_may_leave_nothing() -> None:
    assert ids(retriever(min_confidence=1.0).retrieve("zzz qqq")) == []
    assert ids(retriever(min_confidence=0.0).retrieve("zzz qqq")) != []


def test_top_k_may_be_set_later() -> None:
    ours = retriever()
    ours.similarity_top_k = 1
    assert len(ours.retrieve("budget")) == 1
    with pytest.raises(InvalidInputError):
        ours.similarity_top_k = 0
    assert ours.similarity_top_k == 1


def test_scores_are_floats_in_descending_order() -> None:
    scores = [found.get_score(raise_error=True) for found in retriever().retrieve("checkout budget")]
    assert all(type(score) is float for score in scores)
    assert scores == sorted(scores, reverse=True)


# Nodes


def rich_node() -> TextNode:
    return TextNode(
        id_="n1",
        text="  body with {braces} and 中文 ",
        metadata={
            "z": 1,
            "a": "first",
            "tags": ["x", "y"],
            "flag": True,
            "ratio": 0.1,
            "none": None,
            "deep": {"k": [1]},
        },
        excluded_embed_metadata_keys=["z", "tags"],
        excluded_llm_metadata_keys=["a"],
        relationships={
            NodeRelationship.SOURCE: RelatedNodeInfo(node_id="doc", hash="h", metadata={"k": 1}),
            NodeRelationship.PREVIOUS: RelatedNodeInfo(node_id="n0", node_type=ObjectType.TEXT),
            NodeRelationship.NEXT: RelatedNodeInfo(node_id="n2"),
            NodeRelationship.PARENT: RelatedNodeInfo(node_id="up"),
            NodeRelationship.CHILD: [RelatedNodeInfo(node_id="c1"), RelatedNodeInfo(node_id="c2")],
        },
        metadata_template="<{key}={value}>",
        metadata_separator=" | ",
        text_template="{content} ~~ {metadata_str}",
        mimetype="text/markdown",
        start_char_idx=7,
        end_char_idx=36,
    )


@pytest.mark.parametrize(
    "node",
    [
        TextNode(id_="plain", text="body"),
        TextNode(id_="spaces", text="\n body \n"),
        TextNode(id_="headed", text="body", metadata={"b": 1, "a": 2}),
        TextNode(id_="trailing", text="body \n", metadata={"b": 1}),
        TextNode(id_="textless", metadata={"title": "body"}),
        rich_node(),
        Document(id_="d1", text="body", metadata={"a": 1}),
        ImageNode(id_="i1", text="body", image="aGk=", image_mimetype="image/png"),
        IndexNode(id_="x1", text="body", index_id="other"),
    ],
    ids=lambda node: node.node_id,
)
def test_nodes_come_back_as_they_were_inserted(node: BaseNode) -> None:
    before = deepcopy(node)
    [found] = HybridMemoryRetriever.from_nodes([node]).retrieve("body")
    assert type(found.node) is type(node)
    assert found.node.model_dump() == node.model_dump() == before.model_dump()
    assert list(found.node.metadata) == list(node.metadata)
    for mode in MetadataMode:
        assert found.node.get_content(mode) == node.get_content(mode)


def test_metadata_comes_back_in_its_json_form() -> None:
    node = TextNode(id_="n", text="body", metadata={"seen": datetime(2024, 11, 5, tzinfo=UTC), "pair": (1, 2)})
    [found] = HybridMemoryRetriever.from_nodes([node]).retrieve("body")
    assert found.node.metadata == {"seen": "2024-11-05T00:00:00Z", "pair": [1, 2]}


def test_a_node_of_an_own_class_comes_back_as_the_class_it_derives_from() -> None:
    class Note(TextNode):
        stars: int = 3

    [found] = HybridMemoryRetriever.from_nodes([Note(id_="n", text="body")]).retrieve("body")
    assert type(found.node) is TextNode


def test_returned_nodes_are_copies() -> None:
    ours = retriever(similarity_top_k=1)
    [first] = ours.retrieve("500k")
    first.node.metadata["service"] = "changed"
    first.score = -1
    [second] = ours.retrieve("500k")
    assert (second.node.metadata["service"], second.score) == ("ops", 1.0)


def test_nothing_of_ours_reaches_the_language_model() -> None:
    [found] = retriever(similarity_top_k=1).retrieve("500k")
    assert found.node.get_content(MetadataMode.ALL) == "service: ops\nrank: 4\n\n" + TEXTS["m5"]


def test_all_legs_index_the_embed_content() -> None:
    model = HashEmbedding()
    node = TextNode(id_="n", text="body", metadata={"title": "Pinguin", "secret": "Walrus"})
    node.excluded_embed_metadata_keys = ["secret"]
    ours = HybridMemoryRetriever.from_nodes([node], embed_model=model)
    assert [len(ours.memory.search(word, legs=("sparse",))) for word in ("pinguin", "walrus")] == [1, 0]
    assert "title: Pinguin\n\nbody" in model.texts


def test_metadata_fills_the_record_fields_it_fits() -> None:
    fitting = {"time": "2024-11-05T10:00:00+00:00", "session": "s1", "speaker": "ann"}
    unfitting: dict[str, object] = {"time": "yesterday", "session": 4, "speaker": ""}
    source = {NodeRelationship.SOURCE: RelatedNodeInfo(node_id="doc")}
    ours = HybridMemoryRetriever.from_nodes(
        [
            TextNode(id_="a", text="body", metadata=fitting, relationships=source),
            TextNode(id_="b", text="body", metadata=unfitting),
        ],
    )
    first, second = ours.memory.get(["a", "b"])
    assert first is not None
    assert second is not None
    assert (first.time, first.session, first.speaker) == (datetime(2024, 11, 5, 10, tzinfo=UTC), "s1", "ann")
    assert first.source == "doc"
    assert (second.time, second.session, second.speaker, second.source) == (None, None, None, None)
    assert {found.node.node_id: found.node.metadata for found in ours.retrieve("body")} == {
        "a": fitting,
        "b": unfitting,
    }


def test_records_that_were_no_nodes_become_text_nodes() -> None:
    memory = HybridMemory.in_memory()
    memory.add(
        {
            "id": "r1",
            "text": "body",
            "time": "2024-11-05",
            "source": "wiki",
            "session": "s1",
            "metadata": {"k": 1, "session": "own"},
        }
    )
    [found] = HybridMemoryRetriever.from_memory(memory).retrieve("body")
    assert found.node.metadata == {"k": 1, "session": "own", "time": "2024-11-05T00:00:00+00:00", "source": "wiki"}
    assert found.node.ref_doc_id == "wiki"
    assert found.node.get_content(MetadataMode.LLM) == "k: 1\nsession: own\n\nbody"
    assert found.node.get_content(MetadataMode.EMBED) == "k: 1\nsession: own\n\nbody"


def test_an_index_node_leads_to_what_it_stands_for() -> None:
    inner = retriever(similarity_top_k=1)
    leading = IndexNode(id_="x", text="all about money", index_id="inner", obj=inner)
    ours = HybridMemoryRetriever.from_nodes([leading])
    assert leading.obj is inner
    assert ids(ours.retrieve("money")) == ids(inner.retrieve("money"))
    assert ids(ours.with_filters(MetadataFilters(filters=[])).retrieve("money")) == ids(inner.retrieve("money"))


def test_a_node_behind_an_index_node_is_stored_with_it(tmp_path: Path) -> None:
    leading = IndexNode(id_="x", text="summary", index_id="full", obj=TextNode(id_="full", text="the whole story"))
    HybridMemoryRetriever.from_nodes([leading], path=tmp_path / "m.db").memory.close()
    assert ids(HybridMemoryRetriever.from_nodes(path=tmp_path / "m.db").retrieve("summary")) == ["full"]


async def test_nodes_and_documents_may_come_from_a_generator() -> None:
    ours = HybridMemoryRetriever.from_nodes()
    assert ours.insert_nodes(TextNode(id_=name, text="body") for name in "ab") == ["a", "b"]
    assert await ours.ainsert_nodes(TextNode(id_=name, text="body") for name in "cd") == ["c", "d"]
    assert ours.refresh(Document(id_=name, text="body") for name in "ef") == [True, True]
    assert ours.memory.count() == len("abcdef")


def test_blank_nodes_are_left_out_and_said_so(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "llamaindex_hybrid_memory"):
        ours = HybridMemoryRetriever.from_nodes([TextNode(id_="empty", text=" "), TextNode(id_="full", text="body")])
    assert ours.memory.count() == 1
    assert caplog.messages == ["1 nodes have no content and are not stored: empty"]
    assert ours.insert_nodes([TextNode(text="")]) == []


@pytest.mark.parametrize(
    ("metadata", "message"),
    [({"o": object()}, "node 'bad' cannot be written as JSON"), ({NODE_KEY: "x"}, "reserved"), ({"$k": 1}, r"\$k")],
    ids=str,
)
def test_a_node_that_cannot_be_stored_is_refused_and_none_is_stored(metadata: dict[str, Any], message: str) -> None:
    ours = retriever()
    bad = TextNode(id_="bad", text="body")
    bad.metadata = metadata
    with pytest.raises(InvalidInputError, match=message):
        ours.insert_nodes([TextNode(id_="good", text="body"), bad])
    assert ours.memory.count() == len(TEXTS)


# Embeddings


def test_a_ready_made_embedding_is_used_as_the_vector() -> None:
    model = HashEmbedding(dimension=2)
    nodes = [TextNode(id_="a", text="one", embedding=[1, 0]), TextNode(id_="b", text="two", embedding=[0, 1])]
    ours = HybridMemoryRetriever.from_nodes(nodes, embed_model=model, retriever_weights={"dense": 1})
    assert not {"one", "two"} & set(model.texts)
    assert ids(ours.retrieve(QueryBundle("q", embedding=[0.1, 0.9]))) == ["b", "a"]
    assert [found.node.embedding for found in ours.retrieve("q")] == [None, None]


def test_without_a_model_ready_made_embeddings_are_not_used() -> None:
    ours = HybridMemoryRetriever.from_nodes([TextNode(id_="a", text="one", embedding=[1, 0])])
    assert ours.memory.dimension is None
    assert ids(ours.retrieve(QueryBundle("one", embedding=[1.0, 0.0]))) == ["a"]


def test_texts_and_queries_are_embedded_by_their_own_methods() -> None:
    model = HashEmbedding()
    ours = HybridMemoryRetriever.from_nodes([TextNode(text="the text")], embed_model=model)
    ours.retrieve("the query")
    assert "the text" in model.texts
    assert model.queries == ["the query"]


async def test_the_async_call_awaits_the_models_async_half() -> None:
    class Native(HashEmbedding):
        async def _aget_text_embedding(self, text: str) -> list[float]:
            await asyncio.sleep(0)
            self.texts.append(f"async {text}")
            return HashEmbedder(self.dimension).embed_query(text)

        async def _aget_query_embedding(self, query: str) -> list[float]:
            await asyncio.sleep(0)
            self.queries.append(f"async {query}")
            return HashEmbedder(self.dimension).embed_query(query)

    model = Native()
    ours = HybridMemoryRetriever.from_nodes(embed_model=model)
    await ours.ainsert_nodes([TextNode(text="the text")])
    await ours.aretrieve("the query")
    await ours.aretrieve(QueryBundle("q", custom_embedding_strs=["other"]))
    assert "async the text" in model.texts
    assert model.queries == ["async the query", "async other"]


def test_a_querys_embedding_is_used_as_it_is() -> None:
    model = HashEmbedding()
    ours = retriever(embed_model=model, retriever_weights={"dense": 1})
    lunch = HashEmbedder(32).embed_query(TEXTS["m3"])
    assert ids(ours.retrieve(QueryBundle("budget", embedding=lunch)))[0] == "m3"
    assert model.queries == []


async def test_an_embedding_of_another_dimension_is_refused_with_both_numbers() -> None:
    ours = retriever()
    with pytest.raises(InvalidInputError, match=r"3 numbers .* 32"):
        ours.retrieve(QueryBundle("budget", embedding=[1, 2, 3]))
    with pytest.raises(InvalidInputError, match=r"3 numbers .* 32"):
        await ours.aretrieve(QueryBundle("budget", embedding=[1, 2, 3]))


async def test_custom_strings_are_averaged_as_llamaindex_does() -> None:
    model = HashEmbedding()
    strings = [TEXTS["m3"], TEXTS["m5"]]
    mean = model.get_agg_embedding_from_queries(strings)
    ours = retriever(embed_model=model, retriever_weights={"dense": 1})
    expected = ours.retrieve(QueryBundle("x", embedding=mean))
    bundle = QueryBundle("x", custom_embedding_strs=strings)
    assert seen(ours.retrieve(bundle)) == seen(await ours.aretrieve(bundle)) == seen(expected)
    assert set(ids(expected)[:2]) == {"m3", "m5"}


async def test_no_custom_strings_leave_the_dense_leg_out() -> None:
    ours = retriever()
    bundle = QueryBundle("budget", custom_embedding_strs=[])
    expected = [(hit.id, hit.text, hit.score) for hit in ours.memory.search("budget", top_k=10, legs=("sparse",))]
    assert seen(ours.retrieve(bundle)) == seen(await ours.aretrieve(bundle)) == expected
    assert {node_id for node_id, _, _ in expected} == {"m5", "m6"}


@pytest.mark.parametrize(
    "bundle",
    [QueryBundle("budget"), QueryBundle("budget", custom_embedding_strs=["a"]), QueryBundle("b", embedding=[1.0] * 32)],
    ids=["text", "strings", "embedding"],
)
async def test_a_query_is_never_written_to(bundle: QueryBundle) -> None:
    before = deepcopy(bundle)
    ours = retriever()
    ours.retrieve(bundle)
    await ours.aretrieve(bundle)
    assert bundle == before


def test_a_model_that_is_down_leaves_the_other_leg_answering(capsys: pytest.CaptureFixture[str]) -> None:
    ours = retriever(embed_model=Silent(), verbose=True)
    assert ids(ours.retrieve("ERR_0x9941"))[0] == "m1"
    assert "sparse; dense failed: ConnectionError: model is down" in capsys.readouterr().out


def test_the_default_model_is_only_looked_up_when_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(Settings), "embed_model", property(lambda _: pytest.fail("asked for the default model")))
    ours = HybridMemoryRetriever.from_nodes(make_nodes())
    assert ours.memory.embedder is None
    monkeypatch.setattr(type(Settings), "embed_model", property(lambda _: HashEmbedding()))
    assert HybridMemoryRetriever.from_nodes(make_nodes(), embed_model="default").memory.dimension == 32


def test_a_core_embedder_is_taken_as_it_is() -> None:
    embedder = HashEmbedder(8)
    assert HybridMemoryRetriever.from_nodes(make_nodes(), embed_model=embedder).memory.embedder is embedder


# Filters


def test_filters_come_before_ranking() -> None:
    assert set(ids(retriever(filters=service("pay"), similarity_top_k=3).retrieve("lunch at noon"))) == {
        "m1",
        "m4",
        "m6",
    }


def test_filters_narrow_and_the_first_retriever_stays() -> None:
    ours = retriever()
    pay = ours.with_filters(service("pay"))
    high = pay.with_filters(
        MetadataFilters(
            filters=[MetadataFilter(key="rank", value=3, operator=FilterOperator.GTE), service("pay")],
            condition=FilterCondition.AND,
        )
    )
    assert set(ids(ours.retrieve("budget"))) == set(TEXTS)
    assert set(ids(pay.retrieve("budget"))) == {"m1", "m4", "m6"}
    assert set(ids(high.retrieve("budget"))) == {"m4", "m6"}
    assert pay.with_filters(service("ops")).retrieve("budget") == []
    assert high.memory is ours.memory
    high.similarity_top_k = 1
    assert pay.similarity_top_k == 10
    assert ours.filters is None


def test_what_is_inserted_later_is_found_through_narrowed_retrievers() -> None:
    ours = retriever()
    pay = ours.with_filters(service("pay"))
    ours.insert_nodes([TextNode(id_="new", text="walrus", metadata={"service": "pay"})])
    assert ids(pay.retrieve("walrus"))[0] == "new"


def test_record_fields_are_filtered_under_their_names() -> None:
    only_m4 = MetadataFilters(filters=[MetadataFilter(key="@id", value=["m4"], operator=FilterOperator.IN)])
    assert ids(retriever(filters=only_m4).retrieve("budget")) == ["m4"]


def test_our_own_key_is_no_metadata_to_filters() -> None:
    with pytest.raises(FilterError, match="adapter's own data"):
        retriever().with_filters(MetadataFilters(filters=[MetadataFilter(key=NODE_KEY, value="x")]))


# Queries as LlamaIndex writes them


@pytest.mark.parametrize("query", ["budget", "ERR_0x9941 on checkout", "first line\nsecond line"])
async def test_a_retriever_tool_gets_what_the_bare_query_gets(query: str) -> None:
    ours = retriever()
    tool = RetrieverTool.from_defaults(ours)
    expected = seen(ours.retrieve(query))
    assert seen(tool.call(query).raw_output) == expected
    assert seen(tool.call(input=query).raw_output) == expected
    assert seen((await tool.acall(input=query)).raw_output) == expected


def test_the_tools_text_holds_nothing_of_ours() -> None:
    tool = RetrieverTool.from_defaults(retriever(similarity_top_k=1))
    assert tool.call("500k").content == f"service: ops\nrank: 4\n\n{TEXTS['m5']}\n\n"


async def test_an_empty_query_finds_nothing() -> None:
    ours = retriever()
    for query in ["", "  ", "\n"]:
        assert ours.retrieve(query) == await ours.aretrieve(query) == []


def test_an_empty_memory_finds_nothing() -> None:
    assert HybridMemoryRetriever.from_nodes([], embed_model=HashEmbedding()).retrieve("anything") == []
    assert HybridMemoryRetriever.from_documents([]).retrieve("anything") == []


# In LlamaIndex


async def test_it_answers_in_a_query_engine() -> None:
    engine = RetrieverQueryEngine.from_args(retriever(similarity_top_k=1), llm=MockLLM())
    assert ids(engine.query("500k").source_nodes) == ["m5"]
    assert ids((await engine.aquery("500k")).source_nodes) == ["m5"]
    nothing = RetrieverQueryEngine.from_args(HybridMemoryRetriever.from_nodes([]), llm=MockLLM())
    assert str(nothing.query("500k")) == "Empty Response"


@pytest.mark.parametrize("mode", FUSION_MODES)
@pytest.mark.parametrize("use_async", [True, False])
@pytest.mark.parametrize("num_queries", [1, 3])
@pytest.mark.parametrize("kind", [QueryFusionRetriever, HybridFusionRetriever])
async def test_it_is_a_child_of_fusion_retrievers_inside_a_running_loop(
    kind: type[QueryFusionRetriever],
    mode: FUSION_MODES,
    use_async: bool,
    num_queries: int,
) -> None:
    children: list[BaseRetriever] = [retriever(similarity_top_k=3), retriever(embed_model=None, similarity_top_k=3)]
    fusion = kind(children, llm=MockLLM(), mode=mode, use_async=use_async, num_queries=num_queries, similarity_top_k=10)
    found = fusion.retrieve("500k lunch")
    for_the_query = {node_id for child in children for node_id in ids(child.retrieve("500k lunch"))}
    assert set(ids(found)) == for_the_query or (num_queries == 3 and set(ids(found)) > for_the_query)
    assert seen(await fusion.aretrieve("500k lunch")) == seen(found)


def test_it_is_a_child_of_a_fusion_without_a_loop_and_in_threads() -> None:
    fusion = HybridFusionRetriever([retriever(), retriever()], num_queries=1)
    expected = seen(fusion.retrieve("budget"))
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda _: seen(fusion.retrieve("budget")), range(8))) == [expected] * 8


async def test_many_threads_and_tasks_may_share_it() -> None:
    ours = retriever()
    expected = seen(ours.retrieve("budget"))
    with ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(ours.retrieve, "budget") for _ in range(8)]
        awaited = await asyncio.gather(*(ours.aretrieve("budget") for _ in range(8)))
    assert [seen(future.result()) for future in futures] == [expected] * 8
    assert [seen(found) for found in awaited] == [expected] * 8


def test_it_may_be_used_from_one_event_loop_after_another() -> None:
    ours = retriever()
    assert [ids(asyncio.run(ours.aretrieve("500k")))[0] for _ in range(3)] == ["m5"] * 3


async def test_instrumentation_sees_each_retrieval() -> None:
    events: list[BaseEvent] = []

    class Keeping(BaseEventHandler):
        def handle(self, event: BaseEvent, **kwargs: Any) -> None:  # noqa: ANN401
            events.append(event)

    handler, ours = Keeping(), retriever()
    get_dispatcher().add_event_handler(handler)
    try:
        found = [ours.retrieve("500k"), await ours.aretrieve("500k")]
    finally:
        get_dispatcher().event_handlers.remove(handler)
    starts = [event for event in events if isinstance(event, RetrievalStartEvent)]
    ends = [event for event in events if isinstance(event, RetrievalEndEvent)]
    assert [start.str_or_query_bundle for start in starts] == ["500k", "500k"]
    assert [ids(end.nodes) for end in ends] == [ids(hits) for hits in found]


# Keeping


def test_it_lives_in_a_file_and_reopens(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    first = retriever(path=path, namespace="ann")
    expected = seen(first.retrieve("budget"))
    first.memory.close()
    again = HybridMemoryRetriever.from_nodes(
        path=path, namespace="ann", embed_model=HashEmbedding(), similarity_top_k=10
    )
    assert seen(again.retrieve("budget")) == expected
    assert next(found.node.metadata["service"] for found in again.retrieve("500k")) == "ops"
    other = HybridMemoryRetriever.from_nodes(path=path, namespace="bob", embed_model=HashEmbedding())
    assert other.retrieve("budget") == []


def test_another_model_on_the_same_file_is_refused(tmp_path: Path) -> None:
    retriever(path=tmp_path / "m.db").memory.close()
    with pytest.raises(MismatchError):
        HybridMemoryRetriever.from_nodes(
            make_nodes()[:1], path=tmp_path / "m.db", embed_model=HashEmbedding(dimension=8)
        )


async def test_nodes_are_deleted_by_id_and_a_missing_one_is_no_error() -> None:
    ours = retriever()
    assert ours.delete_nodes(["m5", "gone"]).ids == ("m5",)
    assert (await ours.adelete_nodes(["m6", "m5"])).ids == ("m6",)
    assert ours.delete_nodes([]).ids == ()
    assert {"m5", "m6"}.isdisjoint(ids(ours.retrieve("budget")))


def test_a_known_id_replaces() -> None:
    ours = retriever()
    ours.insert_nodes([TextNode(id_="m5", text="walrus")])
    assert ours.memory.count() == len(TEXTS)
    assert ids(ours.retrieve("walrus"))[0] == "m5"


# Documents


def documents(**texts: str) -> list[Document]:
    return [Document(id_=name, text=text, metadata={"name": name}) for name, text in texts.items()]


def test_documents_are_cut_by_the_given_parser() -> None:
    text = "Alpha one. Beta two. Gamma three. Delta four."
    parser = SentenceSplitter(chunk_size=12, chunk_overlap=0, include_metadata=False)
    ours = HybridMemoryRetriever.from_documents(documents(doc=text), node_parser=parser, similarity_top_k=1)
    assert ours.memory.count() == len(parser.get_nodes_from_documents(documents(doc=text))) > 1
    [found] = ours.retrieve("gamma")
    assert isinstance(found.node, TextNode)
    assert text[found.node.start_char_idx : found.node.end_char_idx] == found.node.text
    assert found.node.ref_doc_id == "doc"


def test_the_parser_of_the_settings_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Settings, "_node_parser", SentenceSplitter(chunk_size=300, id_func=lambda i, d: f"{d.id_}-{i}"))
    assert ids(HybridMemoryRetriever.from_documents(documents(doc="Alpha")).retrieve("alpha")) == ["doc-0"]


async def test_refresh_stores_only_what_is_new_or_changed() -> None:
    model = HashEmbedding()
    ours = HybridMemoryRetriever.from_documents(documents(a="alpha", b="beta"), embed_model=model)
    asked = len(model.texts)
    assert ours.refresh(documents(a="alpha", b="beta")) == [False, False]
    assert len(model.texts) == asked
    assert ours.refresh(documents(a="alpha", b="walrus", c="gamma")) == [False, True, True]
    assert await ours.arefresh(documents(c="gamma", d="delta", a="lion")) == [False, True, True]
    assert sorted(str(record["text"]) for record in ours.memory.export()) == [
        "name: a\n\nlion",
        "name: b\n\nwalrus",
        "name: c\n\ngamma",
        "name: d\n\ndelta",
    ]


def test_changed_metadata_is_a_change() -> None:
    ours = HybridMemoryRetriever.from_documents([Document(id_="a", text="alpha", metadata={"v": 1})])
    assert ours.refresh([Document(id_="a", text="alpha", metadata={"v": 2})]) == [True]
    assert [found.node.metadata for found in ours.retrieve("alpha")] == [{"v": 2}]


def test_a_document_that_became_empty_is_forgotten() -> None:
    ours = HybridMemoryRetriever.from_documents([Document(id_="a", text="alpha"), Document(id_="b", text="beta")])
    assert ours.refresh([Document(id_="a", text="")]) == [True]
    assert [record["source"] for record in ours.memory.export()] == ["b"]


def test_two_documents_of_one_id_are_refused() -> None:
    ours = HybridMemoryRetriever.from_documents(documents(a="alpha"))
    with pytest.raises(InvalidInputError, match="2 documents have the id 'a'"):
        ours.refresh([*documents(a="beta"), *documents(a="gamma")])
    assert ours.memory.count() == 1


def test_documents_given_again_to_a_file_are_not_stored_twice(tmp_path: Path) -> None:
    for _ in range(2):
        ours = HybridMemoryRetriever.from_documents(documents(a="alpha", b="beta"), path=tmp_path / "m.db")
        assert ours.memory.count() == 2
        ours.memory.close()


async def test_a_document_is_forgotten_with_all_its_nodes() -> None:
    parser = SentenceSplitter(chunk_size=12, chunk_overlap=0, include_metadata=False)
    docs = documents(a="Alpha one. Beta two. Gamma three. Delta four.", b="beta", c="gamma")
    ours = HybridMemoryRetriever.from_documents(docs, node_parser=parser, similarity_top_k=10)
    assert ours.delete_ref_doc("a").deleted > 1
    assert ours.delete_ref_doc("a").deleted == 0
    assert (await ours.adelete_ref_doc("b")).deleted == 1
    assert ours.memory.count() == 1


# Indexes


def index_of(model: BaseEmbedding, **options: Any) -> VectorStoreIndex:  # noqa: ANN401
    return VectorStoreIndex(make_nodes(), embed_model=model, **options)


@pytest.mark.parametrize("store", ["simple", "faiss"])
def test_an_index_is_taken_over_with_its_vectors(store: str) -> None:
    import faiss

    kept = FaissVectorStore(faiss.IndexFlatIP(32)) if store == "faiss" else None
    model = HashEmbedding()
    index = index_of(model, storage_context=StorageContext.from_defaults(vector_store=kept))
    model.texts.clear()
    ours = HybridMemoryRetriever.from_index(index, similarity_top_k=10, retriever_weights={"dense": 1})
    assert not set(TEXTS.values()) & {text.rpartition("\n\n")[2] for text in model.texts}
    stock = VectorIndexRetriever(index, similarity_top_k=10)
    if store == "simple":
        assert ids(ours.retrieve("budget of ann")) == ids(stock.retrieve("budget of ann"))
    assert sorted(ids(ours.retrieve("budget"))) == sorted(TEXTS)


def test_with_another_model_an_index_is_embedded_again() -> None:
    model = HashEmbedding(dimension=8)
    ours = HybridMemoryRetriever.from_index(index_of(HashEmbedding()), embed_model=model)
    assert ours.memory.dimension == 8
    assert len(set(model.texts)) >= len(TEXTS)


def test_an_index_may_be_taken_over_without_a_dense_leg() -> None:
    ours = HybridMemoryRetriever.from_index(index_of(MockEmbedding(embed_dim=4)), embed_model=None)
    assert ours.memory.dimension is None
    assert ids(ours.retrieve("500k"))[0] == "m5"


def test_an_indexs_objects_come_along() -> None:
    inner = retriever(similarity_top_k=1)
    index = VectorStoreIndex(
        [], objects=[IndexNode(id_="x", text="money", index_id="i", obj=inner)], embed_model=MockEmbedding(embed_dim=4)
    )
    assert ids(HybridMemoryRetriever.from_index(index).retrieve("money")) == ids(inner.retrieve("money"))


def test_a_store_that_does_not_list_its_nodes_is_refused() -> None:
    class Closed(SimpleVectorStore):
        stores_text: bool = True

    context = StorageContext.from_defaults(vector_store=Closed())
    with pytest.raises(InvalidInputError, match="Closed does not let its nodes be listed"):
        HybridMemoryRetriever.from_index(index_of(HashEmbedding(), storage_context=context))


# Wrong arguments


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"filter": None}, TypeError, "unexpected keyword argument 'filter'"),
        ({"top_k": 3}, TypeError, "unexpected keyword argument 'top_k'"),
        ({"similarity_top_k": 0}, InvalidInputError, "top_k 0"),
        ({"retriever_weights": {"sparse": -1}}, InvalidInputError, "-1"),
        ({"retriever_weights": {"sparse": 0}}, InvalidInputError, "all weights are 0"),
        ({"retriever_weights": [1, 2]}, InvalidInputError, r"\[1, 2\]"),
        ({"retriever_weights": {"sparse": 1}, "fusion": "auto"}, InvalidInputError, "'auto'"),
        ({"fusion": "best"}, InvalidInputError, "'best'"),
        ({"min_confidence": 2}, InvalidInputError, "min_confidence 2"),
        ({"embed_model": "openai"}, InvalidInputError, "'openai' is unknown"),
    ],
    ids=str,
)
def test_wrong_arguments_are_refused_before_a_file_is_made(
    options: dict[str, Any], error: type[Exception], message: str, tmp_path: Path
) -> None:
    for make in (HybridMemoryRetriever.from_nodes, HybridMemoryRetriever.from_documents):
        with pytest.raises(error, match=message):
            make([], path=tmp_path / "m.db", **options)
    with pytest.raises(error, match=message):
        HybridMemoryRetriever.from_index(index_of(MockEmbedding(embed_dim=4)), path=tmp_path / "m.db", **options)
    assert list(tmp_path.iterdir()) == []
    if "embed_model" not in options:
        with pytest.raises(error, match=message):
            HybridMemoryRetriever.from_memory(HybridMemory.in_memory(), **options)


def test_things_of_the_wrong_kind_are_refused_by_name() -> None:
    ours: Any = retriever()
    found = ours.retrieve("budget")
    with pytest.raises(InvalidInputError, match=r"nodes\[1\] is a NodeWithScore"):
        ours.insert_nodes([TextNode(text="body"), found[0]])
    with pytest.raises(FilterError, match="filters is a dict"):
        ours.with_filters({"service": "pay"})
    with pytest.raises(InvalidInputError, match="index is a HybridMemoryRetriever"):
        HybridMemoryRetriever.from_index(ours)
    assert ours.memory.count() == len(TEXTS)


def test_what_was_passed_in_is_left_alone() -> None:
    weights, objects = {"sparse": 1.0}, {"other": TextNode(text="x")}
    nodes = [*make_nodes(), IndexNode(id_="x", text="money", index_id="i", obj=retriever())]
    before = deepcopy(nodes[:-1])
    HybridMemoryRetriever.from_nodes(nodes, retriever_weights=weights, object_map=objects)
    assert nodes[:-1] == before
    assert list(objects) == ["other"]
    assert weights == {"sparse": 1.0}


# Without the extra


def test_without_llamaindex_the_import_says_what_to_install() -> None:
    code = """
import sys
sys.modules["llama_index"] = None
try:
    import llamaindex_hybrid_memory
except ImportError as error:
    print(type(error).__name__, error)
"""
    shown = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert shown.startswith("OptionalDependencyError ")
    assert "pip install 'hybrid-agent-memory[llamaindex]'" in shown


def test_another_missing_module_is_not_taken_for_llamaindex() -> None:
    code = """
import sys
sys.modules["dataclasses_json"] = None
try:
    import llamaindex_hybrid_memory
except ImportError as error:
    print(type(error).__name__, error.name)
"""
    shown = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert shown == "ModuleNotFoundError dataclasses_json\n"


def test_the_stored_rest_of_a_node_says_nothing_twice() -> None:
    ours = HybridMemoryRetriever.from_nodes([TextNode(id_="n", text="body", metadata={"a": 1})])
    [record] = ours.memory.get(["n"])
    assert record is not None
    assert record.text == "a: 1\n\nbody"
    assert record.metadata["a"] == 1
    assert json.loads(str(record.metadata[NODE_KEY])) == {"class_name": "TextNode", "text": len("body")}
