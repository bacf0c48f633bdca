"""Episodes, facts and paths through the LlamaIndex adapter: it passes the graph on and adds nothing of its own."""

import json
from collections.abc import Sequence
from copy import deepcopy
from datetime import UTC, datetime
from typing import Any

import pytest
from llama_index.core import Document
from llama_index.core.graph_stores.types import EntityNode, Relation
from llama_index.core.indices.property_graph import ImplicitPathExtractor
from llama_index.core.llms import CompletionResponse, CustomLLM, LLMMetadata, MockLLM
from llama_index.core.llms.callbacks import llm_completion_callback
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.retrievers.fusion_retriever import FUSION_MODES
from llama_index.core.schema import (
    BaseNode,
    MetadataMode,
    NodeRelationship,
    NodeWithScore,
    QueryBundle,
    RelatedNodeInfo,
    TextNode,
)
from llama_index.core.vector_stores.types import MetadataFilter, MetadataFilters

from hybrid_agent_memory import FilterError, HybridMemory, InvalidInputError
from hybrid_agent_memory.testing import HashEmbedder
from llamaindex_hybrid_memory import HybridFusionRetriever, HybridMemoryRetriever, HybridQueryBundle

NOW = datetime(2024, 12, 1, tzinfo=UTC)
BUDGET = "What is the budget of Project Atlas?"
QUESTIONS = [BUDGET, "Where is the employer of the owner of Project Atlas?", "谁负责阿特拉斯项目？", "lunch", ""]
STORY = {
    "old": ("The budget of Project Atlas is 500k.", {"time": "2024-10-14"}),
    "new": ("The budget of Project Atlas is 600k.", {"time": "2024-10-20"}),
    "owner": (
        "Ann owns Project Atlas.",
        {"time": "2024-09-01", "session": "s1", "speaker": "Bob", "env": "prod", "title": "Zebra"},
    ),
    "work": ("Ann works for Acme.", {"time": "2024-01-01"}),
    "place": ("阿特拉斯项目的负责人是张伟。", {"env": "prod"}),
    "lunch": ("lunch is at noon", {"time": "2024-11-05"}),
}
SEARCHES: list[dict[str, Any]] = [
    {},
    {"as_of": "2024-10-15"},
    {"as_of": datetime(2024, 10, 15, tzinfo=UTC), "kinds": ("chunk", "fact")},
    {"known_at": "2024-11-30"},
    {"kinds": ("fact",)},
    {"kinds": ["chunk", "fact"], "max_depth": 1},
    {"max_depth": 3},
    {"weights": {"graph": 1.0}},
    {"weights": {"sparse": 0.2, "dense": 0.3, "graph": 0.5}},
    {"fusion": "rrf", "min_confidence": 0.2},
    {"now": "2030-01-01", "time_decay": 0.5, "decay_floor": 0.1},
    {"now": 1_900_000_000, "decay_floor": 0.0},
    {"authority_weight": 2.0},
]


def nodes() -> list[BaseNode]:
    return [TextNode(id_=name, text=text, metadata=dict(metadata)) for name, (text, metadata) in STORY.items()]


def told(embedder: HashEmbedder | None = None, **options: Any) -> HybridMemoryRetriever:  # noqa: ANN401
    memory = HybridMemory.in_memory(embedder=embedder, clock=lambda: NOW)
    retriever = HybridMemoryRetriever(memory, **options)
    retriever.insert_nodes(nodes(), extract=True)
    return retriever


@pytest.fixture(scope="module")
def memory() -> HybridMemory:
    return told(HashEmbedder(32)).memory


def ids(hits: Sequence[NodeWithScore]) -> list[str]:
    return [hit.node_id for hit in hits]


def seen(hits: Sequence[NodeWithScore]) -> list[tuple[str, str, float | None]]:
    return [(hit.node_id, hit.get_content(), hit.score) for hit in hits]


def in_their_words(options: dict[str, Any]) -> dict[str, Any]:
    return {{"weights": "retriever_weights"}.get(name, name): value for name, value in options.items()}


def in_env(name: str) -> MetadataFilters:
    return MetadataFilters(filters=[MetadataFilter(key="env", value=name)])


# Searching


@pytest.mark.parametrize("options", SEARCHES, ids=str)
async def test_nodes_are_the_memorys_hits(memory: HybridMemory, options: dict[str, Any]) -> None:
    asked = in_their_words(options)
    constructed = HybridMemoryRetriever(memory, similarity_top_k=4, **asked)
    plain = HybridMemoryRetriever(memory)
    for query in QUESTIONS:
        expected = [(hit.id, hit.text, hit.score) for hit in memory.search(query, top_k=4, **options)]
        per_call = HybridQueryBundle(query, similarity_top_k=4, **asked)
        before = deepcopy(per_call)
        assert seen(constructed.retrieve(query)) == seen(await constructed.aretrieve(query)) == expected
        assert seen(plain.retrieve(per_call)) == seen(await plain.aretrieve(per_call)) == expected
        assert per_call == before


def test_the_past_is_seen_as_it_was() -> None:
    now = told(similarity_top_k=1)
    then = HybridMemoryRetriever(now.memory, similarity_top_k=1, as_of="2024-10-15")
    assert (ids(now.retrieve(BUDGET)), ids(then.retrieve(BUDGET))) == (["new"], ["old"])
    assert ids(now.retrieve(HybridQueryBundle(BUDGET, as_of="2024-10-15"))) == ["old"]
    assert ids(then.retrieve(HybridQueryBundle(BUDGET, as_of="2024-10-21"))) == ["new"]


def test_a_query_that_asks_for_nothing_leaves_all_to_the_retriever(memory: HybridMemory) -> None:
    own = HybridMemoryRetriever(memory, kinds=("fact",), as_of="2024-10-15", max_depth=1, with_scores=True)
    assert own.retrieve(HybridQueryBundle(BUDGET)) == own.retrieve(BUDGET)


def test_filters_of_a_query_narrow_the_retrievers(memory: HybridMemory) -> None:
    production = HybridMemoryRetriever(memory, filters=in_env("prod"), similarity_top_k=10)
    assert sorted(ids(production.retrieve("Ann"))) == ["owner", "place"]
    assert production.retrieve(HybridQueryBundle("Ann", filters=in_env("dev"))) == []
    by_session = MetadataFilters(filters=[MetadataFilter(key="@session", value="s1")])
    assert ids(production.retrieve(HybridQueryBundle("Ann", filters=by_session))) == ["owner"]


def test_what_a_query_says_of_the_fusion_wins(memory: HybridMemory) -> None:
    auto = HybridMemoryRetriever(memory, fusion="auto")
    weighed = HybridMemoryRetriever(memory, retriever_weights={"sparse": 1.0})
    expected = [(hit.id, hit.text, hit.score) for hit in memory.search(BUDGET, top_k=2, weights={"sparse": 1.0})]
    assert seen(auto.retrieve(HybridQueryBundle(BUDGET, retriever_weights={"sparse": 1.0}))) == expected
    assert seen(weighed.retrieve(HybridQueryBundle(BUDGET, fusion="auto"))) == seen(auto.retrieve(BUDGET))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"kinds": ("entity",)}, "kinds"),
        ({"kinds": "fact"}, "kinds"),
        ({"similarity_top_k": 0}, "top_k"),
        ({"as_of": "last week"}, "as_of"),
        ({"now": True}, "now"),
        ({"known_at": float("nan")}, "known_at"),
        ({"max_depth": 4}, "max_depth"),
        ({"time_decay": 1.5}, "time_decay"),
        ({"decay_floor": -0.1}, "decay_floor"),
        ({"authority_weight": -1.0}, "authority_weight"),
        ({"retriever_weights": {"graph": -1.0}}, "graph"),
        ({"fusion": "auto", "retriever_weights": {"graph": 1.0}}, "auto"),
    ],
)
def test_wrong_settings_are_refused_at_once(memory: HybridMemory, wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidInputError, match=said):
        HybridMemoryRetriever(memory, **wrong)
    with pytest.raises(InvalidInputError, match=said):
        HybridMemoryRetriever(memory).retrieve(HybridQueryBundle(BUDGET, **wrong))
    with pytest.raises(FilterError):
        HybridMemoryRetriever(memory).retrieve(HybridQueryBundle(BUDGET, filters={"env": "prod"}))  # type: ignore[arg-type]


# Nodes that come back


def test_episodes_come_back_as_the_nodes_they_were() -> None:
    given = nodes()
    document = Document(id_="handbook", text="The lift is out of order.", metadata={"page": 3})
    node = TextNode(
        id_="cut",
        text="Bob owns Lamp.",
        metadata={"page": 3},
        excluded_llm_metadata_keys=["page"],
        relationships={
            NodeRelationship.SOURCE: RelatedNodeInfo(node_id="handbook"),
            NodeRelationship.NEXT: RelatedNodeInfo(node_id="after"),
        },
    )
    retriever = HybridMemoryRetriever.from_nodes([*given, document, node], extract=True, similarity_top_k=20)
    found = {hit.node_id: hit.node for query in ("Atlas", "lift", "Lamp") for hit in retriever.retrieve(query)}
    for one in (given[0], document, node):
        assert type(found[one.node_id]) is type(one)
        assert found[one.node_id].model_dump() == one.model_dump()


def test_an_episode_is_its_text_without_the_metadata() -> None:
    retriever = told(similarity_top_k=10)
    assert ids(retriever.retrieve("Zebra")) == []
    assert list(retriever.memory.entities("Zebra")) == []
    [owner] = [hit for hit in retriever.retrieve("Who owns Project Atlas?") if hit.node_id == "owner"]
    assert owner.node.get_content(MetadataMode.EMBED).endswith("title: Zebra\n\nAnn owns Project Atlas.")


def test_facts_come_as_text_nodes_of_their_sentences() -> None:
    retriever = HybridMemoryRetriever(HybridMemory.in_memory(), similarity_top_k=1, kinds=("fact",))
    node = TextNode(
        id_="n",
        text="Ann called. Ann owns Project Atlas.",
        metadata={"env": "prod", "secret": "x"},
        excluded_llm_metadata_keys=["secret"],
        relationships={
            NodeRelationship.SOURCE: RelatedNodeInfo(node_id="doc"),
            NodeRelationship.NEXT: RelatedNodeInfo(node_id="n2"),
        },
    )
    retriever.insert_nodes([node], extract=True)
    [found] = retriever.retrieve("Who owns Project Atlas?")
    assert type(found.node) is TextNode
    assert (found.node.text, found.node.metadata) == ("Ann owns Project Atlas.", {"env": "prod", "secret": "x"})
    assert found.node.relationships == {NodeRelationship.SOURCE: RelatedNodeInfo(node_id="doc")}
    assert found.get_content(MetadataMode.LLM) == "env: prod\n\nAnn owns Project Atlas."


@pytest.mark.parametrize("kind", [TextNode, Document])
def test_a_long_node_comes_back_in_chunks_and_goes_as_a_whole(kind: type[TextNode] | type[Document]) -> None:
    pages = "\n\n".join(f"Page {page}. " + "The lift is out of order. " * 60 for page in range(4))
    retriever = HybridMemoryRetriever(HybridMemory.in_memory(), similarity_top_k=10, with_scores=True)
    assert retriever.insert_nodes([kind(id_="d", text=pages, metadata={"n": 1})], extract=True) == ["d"]
    found = retriever.retrieve("lift")
    assert len(found) > 1
    assert {hit.metadata["_hybrid"]["episode_id"] for hit in found} == {"d"}
    assert all(type(hit.node) is TextNode and hit.metadata["n"] == 1 for hit in found)
    assert sum(hit.get_content().count("lift") for hit in found) == pages.count("lift")
    assert set(retriever.delete_nodes(["d"]).ids) == set(ids(found))
    assert retriever.retrieve("lift") == []


def test_scores_paths_and_facts_are_json_hidden_and_opt_in(memory: HybridMemory) -> None:
    asked: dict[str, Any] = {"similarity_top_k": 8, "kinds": ("chunk", "fact")}
    plain = HybridMemoryRetriever(memory, **asked).retrieve(BUDGET)
    assert all("_hybrid" not in hit.metadata for hit in plain)
    scored = HybridMemoryRetriever(memory, with_scores=True, **asked).retrieve(BUDGET)
    assert scored == HybridMemoryRetriever(memory).retrieve(HybridQueryBundle(BUDGET, with_scores=True, **asked))
    assert ids(HybridMemoryRetriever(memory, **asked).retrieve(BUDGET)) == ids(scored)
    for with_scores, without in zip(scored, plain, strict=True):
        assert json.loads(json.dumps(with_scores.metadata)) == with_scores.metadata
        assert json.loads(with_scores.node.to_json())["metadata"] == with_scores.metadata
        for mode in (MetadataMode.LLM, MetadataMode.EMBED, MetadataMode.NONE):
            assert with_scores.get_content(mode) == without.get_content(mode)
    why = {(hit.metadata["_hybrid"]["kind"], hit.node_id): hit.metadata["_hybrid"] for hit in scored}
    old, new = why["chunk", "old"], why["chunk", "new"]
    assert (old["superseded_by"], old["episode_id"], new["superseded_by"]) == ("new", "old", None)
    [fact] = old["facts"]
    assert (fact["object"], fact["status"], fact["invalid_at"]) == ("500k", "past", "2024-10-20T00:00:00Z")
    assert new["path"]["text"] == "Project Atlas —budget→ 600k (2024-10-20)"
    assert [step["object"] for step in new["path"]["steps"]] == ["600k"]


@pytest.mark.parametrize("extract", [False, True])
def test_scores_are_not_stored_again(extract: bool) -> None:
    retriever = told(similarity_top_k=1, with_scores=True)
    [found] = retriever.retrieve("lunch")
    again = HybridMemoryRetriever.from_nodes([found.node], extract=extract)
    assert "_hybrid" in found.metadata
    assert again.retrieve("lunch")[0].node.model_dump() == nodes()[-1].model_dump()


# Writing


async def test_nodes_are_the_episodes_of_the_same_fields() -> None:
    by_hand = HybridMemory.in_memory(clock=lambda: NOW)
    for name, (text, metadata) in STORY.items():
        fields = {field: metadata.get(field) for field in ("time", "session", "speaker")}
        by_hand.add_episodes([{"text": text, "id": name, **fields}])
    blocking, awaited = told(), HybridMemoryRetriever(HybridMemory.in_memory(clock=lambda: NOW))
    assert await awaited.ainsert_nodes(nodes(), extract="now") == list(STORY)
    for retriever in (blocking, awaited):
        for subject in ("Project Atlas", "Ann"):
            assert retriever.memory.history(subject) == by_hand.history(subject) != []
        assert list(retriever.memory.entities()) == list(by_hand.entities())
        shared = ("id", "text", "time", "session", "speaker")
        expected = [{field: item.get(field) for field in shared} for item in by_hand.export()]
        assert [{field: item.get(field) for field in shared} for item in retriever.memory.export()] == expected


def test_extraction_can_wait_and_is_off_by_default() -> None:
    retriever = HybridMemoryRetriever.from_nodes(nodes(), extract="later")
    assert (retriever.memory.stats().facts, retriever.memory.stats().pending) == (0, len(STORY))
    retriever.memory.extract_pending()
    assert retriever.memory.stats().facts == 5
    assert HybridMemoryRetriever.from_nodes(nodes()).memory.stats().facts == 0


@pytest.mark.parametrize("extract", ["soon", 1, None])
async def test_another_extract_is_refused_and_nothing_stored(extract: Any) -> None:  # noqa: ANN401
    retriever = HybridMemoryRetriever.from_nodes()
    with pytest.raises(InvalidInputError, match="extract"):
        retriever.insert_nodes(nodes(), extract=extract)
    with pytest.raises(InvalidInputError, match="extract"):
        await retriever.ainsert_nodes(nodes(), extract=extract)
    assert retriever.memory.count() == 0


def test_nodes_without_text_are_left_out_as_episodes() -> None:
    retriever = HybridMemoryRetriever.from_nodes()
    assert retriever.insert_nodes([TextNode(id_="t", metadata={"title": "x"}), *nodes()], extract=True) == list(STORY)


async def test_documents_are_refreshed_as_episodes() -> None:
    splitter = SentenceSplitter(chunk_size=64, chunk_overlap=0)
    first = Document(id_="d", text="The budget of Project Atlas is 500k.", metadata={"time": "2024-10-14"})
    retriever = HybridMemoryRetriever.from_documents([first], extract=True, node_parser=splitter)
    assert [fact.object for fact in retriever.memory.history("Project Atlas")] == ["500k"]
    assert retriever.refresh([first], extract=True) == [False]
    second = Document(id_="d", text="The budget of Project Atlas is 700k.", metadata=first.metadata)
    assert await retriever.arefresh([second], extract=True) == [True]
    assert [fact.object for fact in retriever.memory.history("Project Atlas")] == ["700k"]
    assert retriever.delete_ref_doc("d").deleted == 1
    assert retriever.memory.history("Project Atlas") == []


def test_a_refresh_keeps_the_chunks_of_a_node_whose_id_stays() -> None:
    def named(at: int, document: BaseNode) -> str:
        return f"{document.node_id}-{at}"

    parser = SentenceSplitter(chunk_size=4096, chunk_overlap=0, id_func=named)
    long = "The lift is out of order. " * 200
    retriever = HybridMemoryRetriever.from_documents(
        [Document(id_="d", text=long)], extract=True, node_parser=parser, similarity_top_k=20
    )
    before = ids(retriever.retrieve("lift"))
    assert retriever.refresh([Document(id_="d", text=long + "Soup on Monday.")], extract=True) == [True]
    assert sorted(ids(retriever.retrieve("lift"))) == sorted(before)
    assert retriever.memory.count() == len(before) > 1


# What a kg_extractor found


def kg_node(**metadata: Any) -> TextNode:  # noqa: ANN401
    ann, acme = EntityNode(name="Ann", label="PERSON"), EntityNode(name="Acme", label="COMPANY")
    advises = Relation(label="ADVISES", source_id=ann.id, target_id=acme.id, properties={"since": "2021"})
    return TextNode(
        id_="kg",
        text="Ann advises Acme. Bob owns Acme.",
        metadata={"time": "2024-11-05", "nodes": [ann, acme], "relations": [advises], **metadata},
    )


async def test_what_a_kg_extractor_found_goes_in_as_it_is() -> None:
    as_json = kg_node()
    as_json.metadata = json.loads(json.dumps(as_json.metadata, default=lambda part: part.model_dump()))
    for node in (kg_node(), as_json):
        before = node.model_dump()
        blocking, awaited = HybridMemoryRetriever.from_nodes(), HybridMemoryRetriever.from_nodes()
        assert blocking.insert_nodes([node], extract=True) == await awaited.ainsert_nodes([node], extract=True)
        assert node.model_dump() == before
        for retriever in (blocking, awaited):
            [fact] = retriever.memory.history("Ann")
            assert (fact.predicate, fact.object, fact.valid_at) == ("advises", "Acme", datetime(2021, 1, 1, tzinfo=UTC))
            assert retriever.memory.history("Bob") == []
            [found] = retriever.retrieve("Whom does Ann advise?")
            assert (found.get_content(), found.metadata) == (node.text, {"time": "2024-11-05"})


def test_what_a_kg_extractor_found_need_not_wait() -> None:
    retriever = HybridMemoryRetriever.from_nodes([kg_node(), *nodes()], extract="later")
    assert [fact.object for fact in retriever.memory.history("Ann")] == ["Acme"]
    assert retriever.memory.stats().pending == len(STORY)


def test_where_only_links_between_nodes_were_found_the_text_is_read() -> None:
    node = kg_node(nodes=[], relations=[])
    node.relationships = {NodeRelationship.NEXT: RelatedNodeInfo(node_id="after")}
    [linked] = ImplicitPathExtractor()([node])
    assert linked.metadata["relations"] != []
    retriever = HybridMemoryRetriever.from_nodes([linked], extract=True)
    assert [fact.object for fact in retriever.memory.history("Acme", "owner")] == ["Bob"]
    assert retriever.retrieve("Acme")[0].metadata == {"time": "2024-11-05"}


def test_metadata_that_is_only_called_so_stays_metadata() -> None:
    node = TextNode(id_="n", text="Ann owns Project Atlas.", metadata={"nodes": ["web-1", "web-2"], "relations": 3})
    retriever = HybridMemoryRetriever.from_nodes([node], extract=True)
    assert [fact.object for fact in retriever.memory.history("Project Atlas")] == ["Ann"]
    assert retriever.retrieve("Atlas")[0].metadata == {"nodes": ["web-1", "web-2"], "relations": 3}


# In LlamaIndex


class Recording(CustomLLM):
    """Answers with the prompt it was given."""

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata()

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:  # noqa: ANN401
        return CompletionResponse(text=prompt)

    @llm_completion_callback()
    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> Any:  # noqa: ANN401
        raise NotImplementedError


async def test_a_query_engine_passes_the_query_on_and_shows_nothing_of_ours(memory: HybridMemory) -> None:
    retriever = HybridMemoryRetriever(memory, with_scores=True)
    engine = RetrieverQueryEngine.from_args(retriever, llm=Recording())
    asked = HybridQueryBundle(BUDGET, as_of="2024-10-15", similarity_top_k=1)
    for response in (engine.query(asked), await engine.aquery(asked)):
        assert ids(response.source_nodes) == ["old"]
        assert "500k" in str(response)
        assert "_hybrid" not in str(response)
    assert "The budget of Project Atlas is 600k." in str(engine.query(BUDGET))


@pytest.mark.parametrize("mode", [mode.value for mode in FUSION_MODES])
@pytest.mark.parametrize("use_async", [True, False])
@pytest.mark.parametrize("kind", [QueryFusionRetriever, HybridFusionRetriever])
async def test_fusion_takes_episodes_and_facts(
    memory: HybridMemory, kind: type[QueryFusionRetriever], mode: str, use_async: bool
) -> None:
    children = [
        HybridMemoryRetriever(memory, similarity_top_k=3, with_scores=True),
        HybridMemoryRetriever(memory, similarity_top_k=3, kinds=("fact",), retriever_weights={"graph": 1, "sparse": 1}),
    ]
    fusion = kind([*children], llm=MockLLM(), mode=mode, num_queries=1, use_async=use_async, similarity_top_k=10)  # type: ignore[arg-type]
    found = fusion.retrieve(BUDGET)
    assert set(ids(found)) == {name for child in children for name in ids(child.retrieve(BUDGET))}
    assert sorted(ids(await fusion.aretrieve(BUDGET))) == sorted(ids(found))
    past = fusion.retrieve(HybridQueryBundle(BUDGET, as_of="2024-10-15"))
    assert past
    assert not {"new", "new!0"} & set(ids(past))


class Reworder(Recording):
    """Rewords every query in one way."""

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:  # noqa: ANN401
        return CompletionResponse(text="Project Atlas money 600k")


async def test_rewordings_ask_for_the_same_time(memory: HybridMemory) -> None:
    child = HybridMemoryRetriever(memory, similarity_top_k=10)
    fusion = HybridFusionRetriever([child], llm=Reworder(), num_queries=2, similarity_top_k=10)
    asked = HybridQueryBundle(BUDGET, as_of="2024-10-15", custom_embedding_strs=["budget"])
    for found in (fusion.retrieve(asked), await fusion.aretrieve(asked)):
        assert "old" in ids(found)
        assert "new" not in ids(found)
    assert "new" in ids(fusion.retrieve(QueryBundle(BUDGET)))
