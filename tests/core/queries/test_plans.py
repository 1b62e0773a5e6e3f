"""No read costs more because the file is large: plans are read, never timed."""

import pytest

from core.queries import claims, entities, knowledge, links, memories
from core.review import proposal_queue
from core.review.warnings import warnings
from explorer import knowledge_json
from tests.core.graphs import Asked, build, many


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    def fill(graph):
        many(graph, 60)
        memory = graph.memory("a memory", "e1")
        graph.value("s1.0", "rests on it", memory_id=memory, id="rests")
        graph.assertion("e1", "said", claim_attribute_id="v1.0")
        graph.proposal("set_claim_value", {"entity": "Entity 1 of person", "aspect": "aspect 0",
                                           "claim": "claim 0", "value": "x"},
                       evidence=[{"memory_id": memory}])
        graph.proposal("archive_claim_value", {"attribute_id": "v1.0"})
        graph.proposal("archive_link", {"id": "d1"})
        graph.proposal("archive_aspect", {"entity": "Entity 1 of person", "aspect": "aspect 0"})

    workspace = build(tmp_path_factory.mktemp("plans") / "g.db", fill)
    with workspace.read() as found:
        yield found
    workspace.close()


@pytest.fixture(autouse=True)
def nothing_known(reader):
    """What one test has asked is not known to the next."""
    reader._listed.clear()


def review(reader):
    for proposal in proposal_queue.list_proposals(reader):
        warnings(reader, proposal)
        proposal_queue.evidence(reader, proposal.id)
    proposal_queue.conflicts(reader)


READS = {
    "list": lambda r: entities.list_entities(r),
    "list of types": lambda r: entities.list_entities(r, types=["person", "tool"]),
    "pinned": lambda r: entities.pinned_entities(r),
    "search": lambda r: entities.list_entities(r, text="value stays"),
    "count": lambda r: entities.count_entities(r, text="value stays"),
    "position": lambda r: (entities.position_of(r, "e1"),),
    "detail": lambda r: entities.get_entity(r, "e1"),
    "selector": lambda r: entities.find_entity(r, "entity 1 of person"),
    "tree": lambda r: knowledge.aspects_of(r, "e1", archived=True),
    "first of the tree": lambda r: knowledge.aspects_of(r, "e1", most=lambda *_: 1),
    "constraints": lambda r: knowledge.constraints_of(r, "e1"),
    "versions": lambda r: claims.versions(r, claims.slot_of(r, "v1.0")),
    "unkeyed versions": lambda r: claims.versions(r, claims.slot_of(r, "rests")),
    "claim evidence": lambda r: claims.evidence_of(r, "rests"),
    "voices": lambda r: claims.voices(r, claims.slot_of(r, "v1.0")),
    "links": lambda r: links.links_of(r, "e1"),
    "number of links": lambda r: links.count_links_of(r, "e1"),
    "part of": lambda r: (links.whole_of(r, "e1"),),
    "memories": lambda r: memories.memories_of(r, "e1"),
    "review": review,
    "tree as JSON": lambda r: knowledge_json.tree(r, "entity 1 of person"),
    "values as JSON": lambda r: knowledge_json.attributes(
        r, "entity 1 of person", "aspect 0", "general", "claim_0"),
}
LARGE = ("entity_attributes", "entity_aspects", "entity_dependencies", "memories",
         "memory_entity_mentions", "v", "s", "d", "m", "n", "o", "e", "a")
OF_AGENT = ("idx_entity_attributes_agent", "idx_entity_aspects_agent",
            "idx_entity_aspects_weight", "idx_entity_dependencies_status", "idx_memories_agent")


@pytest.mark.parametrize("name", READS)
def test_no_table_that_grows_is_read_from_end_to_end(reader, name):
    asked = Asked(reader)
    found = READS[name](reader)
    reader.rows = asked._rows
    assert asked.statements, name
    assert found is None or found
    # `SCAN v` reads all; a SEARCH by the agent alone reads all that is the agent's.
    assert [step for step in asked.plans()
            if (step.startswith("SCAN ") and step.split()[1] in LARGE)
            or any(index in step for index in OF_AGENT)] == []


def test_of_thousands_of_links_only_the_rows_that_are_shown_are_read(reader, monkeypatch):
    monkeypatch.setattr(links, "MANY", 0)
    asked = Asked(reader)
    links.whole_of(reader, "e1")
    entities.get_entity(reader, "e1")
    reader.rows = asked._rows
    counted = {step.split()[1] for step in asked.plans() if "COVERING" in step}
    assert {"p", "d"} <= counted


def test_a_list_page_is_read_along_its_index_without_sorting(reader):
    asked = Asked(reader)
    entities.list_entities(reader, offset=10, limit=10)
    reader.rows = asked._rows
    [step] = [step for step in asked.plans() if step.split()[1] == "e"]
    assert "idx_entities_order" in step
    assert not any("TEMP B-TREE" in step for step in asked.plans())


def test_the_inspector_asks_the_same_number_of_statements_of_any_entity(reader):
    counts = set()
    entities.get_entity(reader, "e3")
    for entity in ("e1", "e2", "e59"):
        asked = Asked(reader)
        entities.get_entity(reader, entity)
        knowledge.aspects_of(reader, entity)
        links.links_of(reader, entity)
        memories.memories_of(reader, entity)
        reader.rows = asked._rows
        counts.add(len(asked.statements))
    assert len(counts) == 1
    assert counts.pop() < 25
