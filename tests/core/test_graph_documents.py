"""Graphs that other tools extracted: read by their shape, in the words of our vocabulary."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from llama_index.core.graph_stores.types import KG_NODES_KEY, KG_RELATIONS_KEY, ChunkNode, EntityNode, Relation
from llama_index.core.indices.property_graph import ImplicitPathExtractor
from llama_index.core.schema import NodeRelationship, RelatedNodeInfo, TextNode

from hybrid_agent_memory import HybridMemory, InvalidInputError
from hybrid_agent_memory.extract import Mention, Triple
from hybrid_agent_memory.extract.alignment import entity_type, predicate_name
from hybrid_agent_memory.extract.documents import Extracted, from_graph_document, from_llamaindex_node
from hybrid_agent_memory.extract.vocabulary import Predicate, Vocabulary

Properties = dict[str, object]


@dataclass
class Document:
    """As in langchain-core."""

    page_content: str
    metadata: Properties = field(default_factory=dict)


@dataclass
class Node:
    """As in LangChain's graphs."""

    id: str | int
    type: str = "Node"
    properties: Properties = field(default_factory=dict)


@dataclass
class Relationship:
    source: Node
    target: Node
    type: str
    properties: Properties = field(default_factory=dict)


@dataclass
class GraphDocument:
    nodes: list[Node]
    relationships: list[Relationship]
    source: Document


TEXT = "Good morning. Ann Lee leads Atlas since 2021. Atlas has a budget of 500k. Bob waits."
ANN, ATLAS, BUDGET = Node("Ann Lee", "Person"), Node("Atlas", "PROJECT"), Node("500k", "Money")
ANN_M, ATLAS_M = Mention("Ann Lee", "person"), Mention("Atlas", "project")


def document(*relations: Relationship, nodes: tuple[Node, ...] = (), text: str = TEXT) -> GraphDocument:
    return GraphDocument(list(nodes), list(relations), Document(text, {"page": 3}))


def stated(found: Extracted) -> list[tuple[str, str, str]]:
    return [(triple.subject.name, triple.predicate, triple.object.name) for triple in found.extraction.triples]


# -- LangChain --------------------------------------------------------------------------------------------------------


def test_a_graph_document_becomes_text_metadata_and_extraction() -> None:
    leads = Relationship(ANN, ATLAS, "LEADS", {"since": "2021", "until": "2024-06"})
    budget = Relationship(ATLAS, BUDGET, "HAS_BUDGET")
    knows = Relationship(ANN, Node("Bob"), "worksWith", {"kind": "event"})
    text, metadata, extraction = from_graph_document(document(leads, budget, knows, nodes=(ATLAS, ANN, BUDGET)))
    assert (text, metadata) == (TEXT, {"page": 3})
    assert extraction.mentions == (ANN_M, ATLAS_M, Mention("Bob", "name"))
    assert extraction.triples == (
        Triple(
            subject=ATLAS_M,
            predicate="owner",
            object=ANN_M,
            text="Ann Lee leads Atlas since 2021.",
            valid_at=datetime(2021, 1, 1, tzinfo=UTC),
            invalid_at=datetime(2024, 6, 1, tzinfo=UTC),
            single_valued=True,
        ),
        Triple(
            subject=ATLAS_M,
            predicate="budget",
            object=Mention("500k", "amount"),
            text="Atlas has a budget of 500k.",
            single_valued=True,
        ),
        Triple(
            subject=ANN_M,
            predicate="works_with",
            object=Mention("Bob", "name"),
            text="Ann Lee works with Bob",
            kind="event",
        ),
    )
    assert (extraction.note, extraction.usage) == ("", {})


def test_mappings_of_the_same_shape_will_do() -> None:
    ann, atlas = {"id": "Ann Lee", "type": "Person"}, {"id": "Atlas", "type": "PROJECT"}
    as_mapping = {
        "nodes": [ann],
        "relationships": [{"source": ann, "target": atlas, "type": "LEADS"}],
        "source": {"page_content": TEXT, "metadata": {"page": 3}},
    }
    assert from_graph_document(as_mapping) == from_graph_document(document(Relationship(ANN, ATLAS, "LEADS")))


def test_it_makes_an_episode() -> None:
    found = from_graph_document(document(Relationship(ANN, ATLAS, "LEADS")))
    assert found.episode(id="e1", session="s") == {
        "text": TEXT,
        "metadata": {"page": 3},
        "extraction": found.extraction,
        "id": "e1",
        "session": "s",
    }


def test_a_memory_takes_the_episode() -> None:
    leads = Relationship(ANN, ATLAS, "LEADS", {"since": "2021"})
    with HybridMemory.in_memory() as memory:
        memory.add_episodes([from_graph_document(document(leads)).episode(id="e1")])
        (owner,) = memory.history("Atlas", "owner")
    assert (owner.object, owner.valid_at, owner.chunk_ids) == ("Ann Lee", datetime(2021, 1, 1, tzinfo=UTC), ("e1",))


def test_nothing_given_is_changed() -> None:
    given = document(Relationship(ANN, ATLAS, "LEADS", {"since": "2021"}), nodes=(ANN,))
    found = from_graph_document(given)
    found.metadata["page"] = 4
    assert given == document(Relationship(ANN, ATLAS, "LEADS", {"since": "2021"}), nodes=(ANN,))


def test_names_are_written_as_in_the_text_and_numbers_are_names() -> None:
    found = from_graph_document(document(nodes=(Node("ann  lee", "human"), Node(500, "Ticket")), text="Ann Lee: 500"))
    assert found.extraction.mentions == (Mention("Ann Lee", "person"), Mention("500", "identifier"))


def test_a_name_without_a_type_takes_the_type_of_another_node() -> None:
    found = from_graph_document(document(nodes=(Node("Atlas"), Node("ATLAS", "Project"), Node("atlas", "Person"))))
    assert found.extraction.mentions == (ATLAS_M,)


def test_loops_and_repetitions_are_left_out_and_noted() -> None:
    leads = Relationship(ANN, ATLAS, "LEADS")
    found = from_graph_document(document(Relationship(ANN, ANN, "KNOWS"), leads, leads))
    assert len(found.extraction.triples) == 1
    assert found.extraction.note == "2 left out: document.relationships[0] is a loop or a repetition"


def test_another_vocabulary_brings_its_own_words() -> None:
    words = Vocabulary((Predicate("chief", single_valued=True, phrases=("Y leads X",)),))
    given = document(Relationship(ANN, ATLAS, "LEADS"))
    assert stated(from_graph_document(given, vocabulary=words)) == [("Atlas", "chief", "Ann Lee")]
    assert stated(from_graph_document(given, vocabulary=Vocabulary())) == [("Ann Lee", "leads", "Atlas")]


@pytest.mark.parametrize(
    ("properties", "begins", "ends"),
    [
        ({"valid_at": "2024-11-05T10:00:00+08:00"}, datetime(2024, 11, 5, 2, tzinfo=UTC), None),
        (
            {"Start_Date": "March 2021", "until": "2022年3月"},
            datetime(2021, 3, 1, tzinfo=UTC),
            datetime(2022, 3, 1, tzinfo=UTC),
        ),
        ({"time": datetime(2024, 1, 2, tzinfo=UTC)}, datetime(2024, 1, 2, tzinfo=UTC), None),
        ({"valid_at": "unknown", "since": "2020"}, datetime(2020, 1, 1, tzinfo=UTC), None),
        ({"since": "2021", "until": "2020"}, datetime(2021, 1, 1, tzinfo=UTC), None),
        ({"since": None, "until": ["2020"]}, None, None),
    ],
)
def test_dates_among_the_properties_are_the_validity(
    properties: Properties, begins: datetime | None, ends: datetime | None
) -> None:
    triple = from_graph_document(document(Relationship(ANN, ATLAS, "LEADS", properties))).extraction.triples[0]
    assert (triple.valid_at, triple.invalid_at) == (begins, ends)


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        (None, "document.source.page_content is None"),
        ({"source": {"page_content": " "}}, "document.source.page_content is ' '"),
        ({"source": {"page_content": "t", "metadata": 3}}, "document.source.metadata is 3"),
        ({"source": {"page_content": "t"}, "nodes": "ann"}, "document.nodes is 'ann'"),
        ({"source": {"page_content": "t"}, "nodes": [{"id": ""}]}, r"document.nodes\[0\] has the name ''"),
        ({"source": {"page_content": "t"}, "nodes": [{"id": True}]}, r"document.nodes\[0\] has the name True"),
        (
            {"source": {"page_content": "t"}, "relationships": [7]},
            r"document.relationships\[0\].source has the name None",
        ),
        (
            {"source": {"page_content": "t"}, "relationships": [{"source": {"id": "a"}, "target": {"id": "b"}}]},
            r"document.relationships\[0\] has the type None",
        ),
    ],
)
def test_another_shape_is_one_clear_error(wrong: object, named: str) -> None:
    with pytest.raises(InvalidInputError, match=f"^{named}"):
        from_graph_document(wrong)


# -- LlamaIndex -------------------------------------------------------------------------------------------------------


def kg_node(keys: tuple[str, str] = (KG_NODES_KEY, KG_RELATIONS_KEY), **metadata: Any) -> TextNode:  # noqa: ANN401  JSON
    """What the framework's own extractors leave behind: the metadata is copied into each entity and relation."""
    ann = EntityNode(name='Ann "Lee"', label="PERSON", properties=dict(metadata))
    atlas = EntityNode(name="Atlas", label="PROJECT", properties=dict(metadata))
    leads = Relation(label="LEADS", source_id=ann.id, target_id=atlas.id, properties={"since": "2021", **metadata})
    return TextNode(text='Ann "Lee" leads Atlas.', metadata={keys[0]: [ann, atlas], keys[1]: [leads], **metadata})


@pytest.mark.parametrize("keys", [(KG_NODES_KEY, KG_RELATIONS_KEY), ("kg_nodes", "kg_relations")])
def test_a_node_becomes_text_metadata_and_extraction(keys: tuple[str, str]) -> None:
    text, metadata, extraction = from_llamaindex_node(kg_node(keys, file="a.md", date="1999-01-01"))
    assert (text, metadata) == ('Ann "Lee" leads Atlas.', {"file": "a.md", "date": "1999-01-01"})
    assert extraction.mentions == (Mention('Ann "Lee"', "person"), ATLAS_M)
    assert [(triple.predicate, triple.valid_at, triple.text) for triple in extraction.triples] == [
        ("owner", datetime(2021, 1, 1, tzinfo=UTC), text)
    ]


def test_the_date_of_the_text_is_not_the_date_of_a_fact() -> None:
    node = kg_node(time="1999-01-01")
    node.metadata[KG_RELATIONS_KEY][0].properties.pop("since")
    assert from_llamaindex_node(node).extraction.triples[0].valid_at is None


def test_nothing_of_a_node_is_changed() -> None:
    node = kg_node(file="a.md")
    from_llamaindex_node(node)
    assert node.metadata == kg_node(file="a.md").metadata


def test_links_between_nodes_and_chunks_are_no_facts() -> None:
    node = kg_node()
    node.metadata[KG_NODES_KEY].append(ChunkNode(text="a chunk"))
    node.relationships[NodeRelationship.PREVIOUS] = RelatedNodeInfo(node_id="other")
    (linked,) = ImplicitPathExtractor()([node])
    assert len(linked.metadata[KG_RELATIONS_KEY]) == 2
    assert stated(from_llamaindex_node(linked)) == [("Atlas", "owner", 'Ann "Lee"')]


def test_a_node_without_a_graph_has_an_empty_one() -> None:
    found = from_llamaindex_node(TextNode(text="plain", metadata={"page": 1}))
    assert (found.text, found.metadata, found.extraction.mentions, found.extraction.triples) == (
        "plain",
        {"page": 1},
        (),
        (),
    )


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        (TextNode(text=""), "the node's text is ''"),
        ("text", "the node's text is None"),
        ({"text": "t", "metadata": ["nodes"]}, r"node.metadata is \['nodes'\]"),
        ({"text": "t", "metadata": {"nodes": {"name": "a"}}}, r"node.metadata\['nodes'\] is "),
        ({"text": "t", "metadata": {"nodes": [{"name": " "}]}}, r"node.metadata\['nodes'\]\[0\] has the name ' '"),
    ],
)
def test_another_shape_of_node_is_one_clear_error(wrong: object, named: str) -> None:
    with pytest.raises(InvalidInputError, match=f"^{named}"):
        from_llamaindex_node(wrong)


# -- labels -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["Person", "PERSON", " people ", "人物"], "person"),
        (["ORG", "Company", "Organization", "公司"], "organisation"),
        (["GPE", "City", "LOCATION", "城市"], "place"),
        (["Service", "SOFTWARE"], "product"),
        (["Project", "项目"], "project"),
        (["error_code", "Error-Code", "订单号"], "identifier"),
        (["MONEY", "金额"], "amount"),
        (["Date", "日期"], "date"),
        (["entity", "Node", "__Entity__", "", None, 7], "name"),
        (["Emotion", "???", "情绪"], "other"),
    ],
)
def test_labels_are_types(labels: list[object], expected: str) -> None:
    assert {label: entity_type(label) for label in labels} == dict.fromkeys(labels, expected)


@given(st.text())
def test_a_predicate_is_one_word_and_stays_as_it_is(label: str) -> None:
    name = predicate_name(label)
    assert predicate_name(name) == name
    assert name == name.strip("_")
    assert not set(name) & set(" -./")
