"""The nine tools of the reference memory server: what its own tests ask, asked of a graph."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from core.errors import OperationError
from core.ingest.payload import Remembered
from core.ingest.remember import remember
from core.ontology import control
from core.ontology.proposals import apply_proposal, reject_proposal
from core.queries.claims import slot_of, versions
from core.recall.config import RecallSettings
from core.recall.hybrid import recall
from core.review.proposal_queue import list_proposals
from core.store.reader_and_writer import Reader
from core.transfer import reference_server_tool_calls as tools
from core.transfer.archived_rows_stated_again import KeptOut
from core.transfer.reference_server_nodes import Edge, Node, Nodes
from core.workspace import Workspace
from tests.contracts.files import make
from tests.core.graphs import Graph, empty_graph

__all__ = ["empty_graph"]

AGENT = "claude-desktop via MCP"
ALICE, BOB = Node("Alice", "person", ("works at Acme Corp",)), Node("Bob", "person")
CHARLIE = Node("Charlie", "person")
Do = Callable[..., Any]


@pytest.fixture
def do(graph: Workspace) -> Do:
    """`do(tools.create_entities, [ALICE])`: one call of an agent."""
    def call(tool: Callable[..., Any], *given: Any) -> Any:
        return graph.write("Call", lambda writer: tool(writer, *given), actor=AGENT).result

    return call


def see(graph: Workspace, query: Callable[..., Nodes] = tools.read_graph, *given: Any) -> Nodes:
    with graph.read() as reader:
        return query(reader, *given)


def names(nodes: Nodes) -> list[str]:
    return [node.name for node in nodes.entities]


def told(reader: Reader, question: str) -> list[str]:
    return [hit.marked_text for hit in recall(reader, question, RecallSettings(), None).hits]


# -- what is created -------------------------------------------------------------------------


def test_new_entities_are_created_and_returned(graph: Workspace, do: Do) -> None:
    assert do(tools.create_entities, [ALICE, BOB]) == [ALICE, BOB]
    assert see(graph) == Nodes((ALICE, BOB))


def test_an_entity_that_exists_stays_as_it_is(graph: Workspace, do: Do) -> None:
    do(tools.create_entities, [ALICE])
    again = Node("Alice", "robot", ("hums",))
    assert do(tools.create_entities, [again, BOB]) == [BOB]
    assert see(graph) == Nodes((ALICE, BOB))


def test_nothing_given_is_nothing_created(graph: Workspace, do: Do) -> None:
    assert do(tools.create_entities, []) == do(tools.create_relations, []) == []
    assert see(graph) == Nodes()


def test_names_that_differ_in_case_are_one_entity(graph: Workspace, do: Do) -> None:
    assert do(tools.create_entities, [ALICE, Node("ALICE", "person", ("hums",))]) == [ALICE]
    assert do(tools.create_entities, [Node("alice", "person")]) == []
    assert see(graph, tools.open_nodes, ["aLICE"]) == Nodes((ALICE,))


def test_a_type_comes_back_as_it_was_written(graph: Workspace, do: Do) -> None:
    do(tools.create_entities, [Node("Vega", "Open Source Project")])
    assert see(graph).entities[0].entity_type == "Open Source Project"


def test_relations_are_created_once(graph: Workspace, do: Do) -> None:
    do(tools.create_entities, [ALICE, BOB])
    knows, works = Edge("Alice", "Bob", "knows"), Edge("Alice", "Bob", "works_with")
    assert do(tools.create_relations, [knows]) == [knows]
    assert do(tools.create_relations, [knows, works]) == [works]
    assert see(graph).relations == (knows, works)


def test_phrases_that_share_a_link_are_relations_of_their_own(graph: Workspace, do: Do) -> None:
    do(tools.create_entities, [ALICE, BOB])
    phrases = [Edge("Alice", "Bob", words) for words in ("met at sea", "sails with", "paid")]
    do(tools.create_relations, phrases[:2])
    assert do(tools.create_relations, phrases) == phrases[2:]
    assert see(graph).relations == tuple(phrases)
    do(tools.delete_relations, [phrases[0]])
    assert see(graph).relations == tuple(phrases[1:])
    do(tools.delete_relations, [phrases[2]])
    assert see(graph).relations == (phrases[1],)


def test_an_entity_may_relate_to_itself(graph: Workspace, do: Do) -> None:
    do(tools.create_entities, [ALICE])
    do(tools.create_relations, [Edge("Alice", "Alice", "self")])
    assert see(graph).relations == (Edge("Alice", "Alice", "self"),)
    do(tools.create_relations, [Edge("Alice", "alice", "admires")])
    assert len(see(graph).relations) == 2
    do(tools.delete_relations, [Edge("alice", "Alice", "self")])
    assert see(graph).relations == (Edge("Alice", "Alice", "admires"),)


def test_an_end_that_nothing_describes_is_no_entity_yet(graph: Workspace, do: Do) -> None:
    do(tools.create_entities, [ALICE])
    do(tools.create_relations, [Edge("Alice", "Bob", "knows")])
    assert see(graph) == Nodes((ALICE,), (Edge("Alice", "Bob", "knows"),))
    with pytest.raises(OperationError, match="Entity with name Bob not found"):
        do(tools.add_observations, [Node("Bob", "", ("hums",))])
    assert do(tools.create_entities, [BOB]) == [BOB]
    assert see(graph).entities == (ALICE, BOB)


def test_observations_are_added_once(graph: Workspace, do: Do) -> None:
    do(tools.create_entities, [ALICE])
    added = do(tools.add_observations, [Node("Alice", "", ("has a dog", "works at Acme Corp"))])
    assert added == [Node("Alice", "", ("has a dog",))]
    assert see(graph).entities[0].observations == ("works at Acme Corp", "has a dog")


def test_observations_of_an_unknown_entity_are_refused_as_a_whole(
    graph: Workspace, do: Do
) -> None:
    do(tools.create_entities, [ALICE])
    with pytest.raises(OperationError, match="Entity with name Nobody not found"):
        do(tools.add_observations, [Node("Alice", "", ("hums",)), Node("Nobody", "", ("x",))])
    assert see(graph) == Nodes((ALICE,))


@pytest.mark.parametrize("name", ["", "  ", "\0"])
def test_a_name_without_a_sign_is_refused(graph: Workspace, do: Do, name: str) -> None:
    with pytest.raises(OperationError, match="Item 2 has no name"):
        do(tools.create_entities, [ALICE, Node(name, "person")])
    assert see(graph) == Nodes()


def test_the_history_names_the_agent(graph: Workspace, do: Do) -> None:
    do(tools.create_entities, [ALICE])
    with graph.read() as reader:
        [version] = versions(reader, slot_of(reader, reader.value(
            "SELECT id FROM entity_attributes")))
    assert (version.who, version.by) == (AGENT, "agent")


# -- what is deleted -------------------------------------------------------------------------


@pytest.fixture
def three(graph: Workspace, do: Do) -> Workspace:
    do(tools.create_entities, [ALICE, BOB, CHARLIE])
    do(tools.create_relations, [Edge("Alice", "Bob", "knows"), Edge("Bob", "Charlie", "knows")])
    return graph


def test_a_deleted_entity_goes_with_its_relations(three: Workspace, do: Do) -> None:
    do(tools.delete_entities, ["Bob"])
    assert see(three) == Nodes((ALICE, CHARLIE))


def test_what_is_not_there_is_deleted_without_a_word(three: Workspace, do: Do) -> None:
    before = see(three)
    assert do(tools.delete_entities, ["Nobody"]) == []
    assert do(tools.delete_observations, [Node("Nobody", "", ("x",)), Node("Bob", "", ("x",))
                                          ]) == []
    assert do(tools.delete_relations, [Edge("Alice", "Charlie", "knows")]) == []
    assert see(three) == before


def test_a_deleted_observation_is_told_no_more(three: Workspace, do: Do) -> None:
    do(tools.add_observations, [Node("Alice", "", ("likes coffee",))])
    with three.read() as reader:
        assert "Alice: likes coffee" in told(reader, "coffee")
    do(tools.delete_observations, [Node("alice", "", ("likes coffee",))])
    assert see(three, tools.open_nodes, ["Alice"]).entities == (ALICE,)
    with three.read() as reader:
        assert "Alice: likes coffee" not in told(reader, "coffee")
    do(tools.add_observations, [Node("Alice", "", ("likes coffee",))])
    with three.read() as reader:
        assert told(reader, "coffee")[0] == "Alice: likes coffee"
        assert reader.value("SELECT count(*) FROM entity_attributes"
                            " WHERE content = 'likes coffee'") == 1


def test_a_deleted_relation_comes_back_when_it_is_created(three: Workspace, do: Do) -> None:
    before, edge = see(three), Edge("Alice", "Bob", "knows")
    do(tools.delete_relations, [edge])
    assert see(three).relations == (Edge("Bob", "Charlie", "knows"),)
    assert do(tools.create_relations, [edge]) == [edge]
    assert see(three) == before


def test_a_deleted_entity_comes_back_as_it_is_described_now(three: Workspace, do: Do) -> None:
    do(tools.delete_entities, ["Alice"])
    anew = Node("Alice", "person", ("has a cat",))
    assert do(tools.create_entities, [anew]) == [anew]
    assert see(three, tools.open_nodes, ["Alice"]) == Nodes((anew,))
    with three.read() as reader:
        assert reader.value("SELECT count(*) FROM entities") == 3
        assert told(reader, "Where does Alice work?") == ["Alice: has a cat"]


def test_a_relation_to_a_deleted_entity_brings_its_name_back(three: Workspace, do: Do) -> None:
    do(tools.delete_entities, ["Bob"])
    edge = Edge("Alice", "Bob", "misses")
    assert do(tools.create_relations, [edge]) == [edge]
    assert see(three) == Nodes((ALICE, CHARLIE), (edge,))


def test_each_delete_is_undone_in_one_step(three: Workspace, do: Do) -> None:
    before = see(three)
    for tool, given in (
        (tools.delete_entities, ["Alice", "Bob"]),
        (tools.delete_observations, [Node("Alice", "", ("works at Acme Corp",))]),
        (tools.delete_relations, list(before.relations)),
    ):
        do(tool, given)
        assert see(three) != before
        three.undo()
        assert see(three) == before


def test_a_rule_and_a_pinned_entity_are_left_to_a_person(three: Workspace, do: Do) -> None:
    def person(writer: Any) -> None:
        [bob] = writer.rows("SELECT id FROM entities WHERE name = 'Bob'")
        graph = Graph(writer)
        graph.value(graph.aspect(bob["id"], "rules"), "Never mail Bob", kind="constraint")
        writer.update_where("entities", "name = 'Charlie'", {"pinned": 1})

    three.write("Rule", person)
    before = see(three)
    outcomes = do(tools.delete_entities, ["Alice", "Bob", "Charlie"])
    assert sorted(outcome.status for outcome in outcomes) == ["applied", "pending", "pending"]
    assert names(see(three)) == ["Bob", "Charlie"]
    [kept] = do(tools.delete_observations, [Node("Bob", "", ("rules: Never mail Bob",))])
    assert kept.status == "pending"
    assert see(three).entities[0] == before.entities[1]


# -- what is read ----------------------------------------------------------------------------


@pytest.fixture
def office(graph: Workspace, do: Do) -> Workspace:
    do(tools.create_entities, [
        Node("Alice", "person", ("works at Acme Corp", "likes programming")),
        Node("Bob", "person", ("works at TechCo",)),
        Node("Acme Corp", "company", ("tech company",))])
    do(tools.create_relations, [Edge("Alice", "Acme Corp", "works_at"),
                                Edge("Bob", "Acme Corp", "competitor")])
    return graph


@pytest.mark.parametrize(("query", "found", "relations"), [
    ("Alice", ["Alice"], 1), ("company", ["Acme Corp"], 2), ("programming", ["Alice"], 1),
    ("ALICE", ["Alice"], 1), ("Acme", ["Alice", "Acme Corp"], 2), ("NonExistent", [], 0),
    ("", ["Alice", "Bob", "Acme Corp"], 2),
])
def test_a_search_looks_into_names_types_and_observations(
    office: Workspace, query: str, found: list[str], relations: int
) -> None:
    nodes = see(office, tools.search_nodes, query)
    assert (names(nodes), len(nodes.relations)) == (found, relations)


@pytest.mark.parametrize(("asked", "relations"), [
    (["Alice", "Bob"], 2), (["Bob"], 2), (["Alice"], 1), (["Charlie"], 1), (["NonExistent"], 0),
    ([], 0),
])
def test_opened_nodes_come_with_every_relation(
    three: Workspace, asked: list[str], relations: int
) -> None:
    nodes = see(three, tools.open_nodes, asked)
    assert names(nodes) == [name for name in asked if name != "NonExistent"]
    assert len(nodes.relations) == relations


def test_values_that_a_person_set_are_observations_with_their_claim(
    graph: Workspace, do: Do
) -> None:
    def person(writer: Any) -> None:
        made = Graph(writer)
        made.value(made.aspect(made.entity("Vega"), "delivery"), "Mondays", "release_rhythm")

    graph.write("Set", person)
    assert see(graph, tools.search_nodes, "release rhythm").entities == (
        Node("Vega", "project", ("release rhythm: Mondays",)),)


def test_a_muted_entity_is_told_only_where_its_name_is_asked_for(three: Workspace, do: Do) -> None:
    three.write("Mute", lambda writer: writer.update_where(
        "entities", "name = 'Bob'", {"muted": 1}))
    assert see(three) == Nodes((ALICE, CHARLIE))
    assert see(three, tools.search_nodes, "Bo") == Nodes()
    for told in see(three, tools.search_nodes, "Bob"), see(three, tools.open_nodes, ["Bob"]):
        assert names(told) == ["Bob"]


def test_a_renamed_entity_is_found_by_the_name_that_the_agent_knows(
    three: Workspace, do: Do
) -> None:
    three.write("Rename", lambda writer: writer.update_where(
        "entities", "name = 'Alice'", {"name": "Alice Moor", "canonical_name": "alice moor"}))
    assert names(see(three, tools.open_nodes, ["Alice"])) == ["Alice Moor"]
    assert do(tools.create_entities, [ALICE]) == []


@pytest.mark.parametrize("kind", ["signet-030", "signet-071"])
def test_a_file_of_signet_is_used_as_far_as_its_generation_goes(tmp_path: Path, kind: str) -> None:
    file = make(kind, tmp_path / "signet.db", tmp_path / "side")

    def call(tool: Callable[..., Any], *given: Any) -> Any:
        return file.write("Call", lambda writer: tool(writer, *given), actor=AGENT).result

    node = Node("Alice", "person", ("likes coffee", "hums"))
    assert call(tools.create_entities, [node]) == [node]
    call(tools.create_relations, [Edge("Alice", "Anna", "sails with")])
    call(tools.add_observations, [Node("Alice", "", ("sings",))])
    call(tools.delete_observations, [Node("Alice", "", ("hums",))])
    call(tools.delete_observations, [Node("Alice", "", ("likes coffee",))])
    call(tools.add_observations, [Node("Alice", "", ("likes coffee",))])
    [alice] = see(file, tools.open_nodes, ["Alice"]).entities
    assert sorted(alice.observations) == ["likes coffee", "sings"]
    if kind == "signet-030":
        with pytest.raises(OperationError, match="older Signet, which can't archive an entity"):
            call(tools.delete_entities, ["Alice"])
    else:
        call(tools.delete_entities, ["Alice"])
        assert see(file, tools.open_nodes, ["Alice"]) == Nodes()
    file.close()


# -- what a person archived ------------------------------------------------------------------


CORRECTED = {"entity": "Alice", "aspect": "observations", "new_value": "works at Bolt Corp"}


def by_person(graph: Workspace, operation: str, **payload: object) -> None:
    graph.write("Decide", lambda writer: control.apply(writer, operation, payload), actor="you")


def value_of(graph: Workspace, words: str) -> str:
    with graph.read() as reader:
        return str(reader.value(
            "SELECT id FROM entity_attributes WHERE content = :words AND agent_id = :agent",
            words=words))


def pending(graph: Workspace) -> list[str]:
    with graph.read() as reader:
        return [one.operation for one in list_proposals(reader, status="pending")]


def test_an_observation_that_a_person_archived_waits_for_them(graph: Workspace, do: Do) -> None:
    do(tools.create_entities, [ALICE])
    by_person(graph, "archive_claim_value", attribute_id=value_of(graph, "works at Acme Corp"))
    kept: list[KeptOut] = []
    again = Node("Alice", "", ("Works at  acme corp", "hums"))
    assert do(tools.add_observations, [again], kept) == [Node("Alice", "", ("hums",))]
    assert [one.words for one in kept] == ["Works at  acme corp"]
    assert see(graph).entities == (Node("Alice", "person", ("hums",)),)
    assert pending(graph) == ["restore_claim_version"]
    do(tools.add_observations, [again])
    assert pending(graph) == ["restore_claim_version"]
    graph.write("Apply", lambda writer: apply_proposal(writer, kept[0].proposal_id), actor="you")
    assert set(see(graph).entities[0].observations) == {"works at Acme Corp", "hums"}


def test_an_observation_whose_return_was_turned_down_stays_archived(
    graph: Workspace, do: Do
) -> None:
    do(tools.create_entities, [ALICE])
    by_person(graph, "archive_claim_value", attribute_id=value_of(graph, "works at Acme Corp"))
    kept: list[KeptOut] = []
    do(tools.add_observations, [ALICE], kept)
    graph.write("No", lambda writer: reject_proposal(writer, kept[0].proposal_id), actor="you")
    kept.clear()
    assert do(tools.add_observations, [ALICE], kept)[0].observations == ()
    assert (kept[0].proposal_id, pending(graph)) == ("", [])


def test_entities_aspects_and_relations_that_a_person_archived_wait_for_them(
    graph: Workspace, do: Do
) -> None:
    knows = Edge("Alice", "Bob", "knows")
    do(tools.create_entities, [ALICE, BOB, CHARLIE])
    do(tools.create_relations, [knows])
    with graph.read() as reader:
        link = reader.value("SELECT id FROM entity_dependencies WHERE agent_id = :agent")
    by_person(graph, "archive_link", id=link)
    by_person(graph, "archive_entity", entity="Charlie")
    by_person(graph, "archive_aspect", entity="Alice", aspect="observations")
    assert do(tools.create_entities, [CHARLIE]) == []
    assert do(tools.create_relations, [knows, Edge("Bob", "Charlie", "knows")]) == []
    assert do(tools.add_observations, [ALICE])[0].observations == ()
    assert see(graph) == Nodes((Node("Alice", "person"), BOB))
    assert sorted(pending(graph)) == ["restore_aspect", "restore_entity", "restore_link"]


@pytest.mark.parametrize(("operation", "payload"), [
    ("restore_claim_version", {"attribute_id": ""}),
    ("add_claim_value", {"entity": "Alice", "aspect": "job", "claim_key": "employer",
                         "value": "Works at Acme Corp"}),
])
def test_no_operation_of_an_agent_brings_back_what_a_person_archived(
    graph: Workspace, do: Do, operation: str, payload: dict[str, str]
) -> None:
    do(tools.create_entities, [ALICE])
    id = value_of(graph, "works at Acme Corp")
    by_person(graph, "archive_claim_value", attribute_id=id)
    given = {key: value or id for key, value in payload.items()}
    assert do(control.apply, operation, given).status == "pending"
    assert see(graph).entities == (Node("Alice", "person"),)
    by_person(graph, operation, **given)
    assert len(see(graph).entities[0].observations) == 1


def test_what_a_person_archived_is_not_remembered_under_another_aspect(
    graph: Workspace, do: Do
) -> None:
    do(tools.create_entities, [ALICE])
    by_person(graph, "archive_claim_value", attribute_id=value_of(graph, "works at Acme Corp"))
    report = do(remember, Remembered.read({"content": "Alice has a job", "aspects": [
        {"entityName": "Alice", "aspect": "job", "attributes": [
            {"content": "Works at Acme Corp", "claimKey": "employer"}]}]}))
    assert [one.reason for one in report.skipped] == ["deleted_before"]
    assert see(graph).entities == (Node("Alice", "person"),)


def test_what_a_person_corrected_waits_for_them_and_their_own_word_does_not(
    graph: Workspace, do: Do
) -> None:
    do(tools.create_entities, [ALICE])
    old = value_of(graph, "works at Acme Corp")
    by_person(graph, "supersede_claim_value", **CORRECTED, attribute_id=old)
    kept: list[KeptOut] = []
    assert do(tools.add_observations, [ALICE], kept)[0].observations == ()
    assert [(one.words, one.how) for one in kept] == [("works at Acme Corp", "corrected")]
    for operation, payload in (
        ("restore_claim_version", {"attribute_id": old}),
        ("add_claim_value", {"entity": "Alice", "aspect": "job", "claim_key": "employer",
                             "value": "Works at Acme Corp"}),
    ):
        assert do(control.apply, operation, payload).status == "pending"
    report = do(remember, Remembered.read({"content": "Alice has a job", "aspects": [
        {"entityName": "Alice", "aspect": "job", "attributes": [
            {"content": "Works at Acme Corp", "claimKey": "employer"}]}]}))
    assert [one.what for one in report.skipped] == ["This value was corrected by a person before"]
    assert see(graph).entities[0].observations == ("works at Bolt Corp",)
    graph.write("Back", lambda writer: apply_proposal(writer, kept[0].proposal_id), actor="you")
    assert see(graph).entities[0].observations == ("works at Acme Corp",)


@pytest.mark.parametrize(("tool", "given"), [
    (tools.delete_observations, [Node("Alice", "", ("works at Bolt Corp",))]),
    (tools.delete_entities, ["Alice"]),
])
def test_what_a_person_said_is_taken_away_by_them_alone(
    graph: Workspace, do: Do, tool: Callable[..., Any], given: list[object]
) -> None:
    do(tools.create_entities, [ALICE, BOB])
    by_person(graph, "supersede_claim_value", **CORRECTED,
              attribute_id=value_of(graph, "works at Acme Corp"))
    outcome, = do(tool, given)
    assert outcome.status == "pending"
    assert see(graph).entities[0].observations == ("works at Bolt Corp",)
    graph.write("Apply", lambda writer: apply_proposal(writer, outcome.proposal_id), actor="you")
    assert "works at Bolt Corp" not in str(see(graph))


def test_what_a_person_said_is_replaced_by_an_agent_once_it_is_applied(
    graph: Workspace, do: Do
) -> None:
    do(tools.create_entities, [ALICE])
    by_person(graph, "supersede_claim_value", **CORRECTED,
              attribute_id=value_of(graph, "works at Acme Corp"))
    given = {"entity": "Alice", "aspect": "observations",
             "attribute_id": value_of(graph, "works at Bolt Corp")}
    supersede = partial(control.apply, operation="supersede_claim_value", at_once=True)
    assert do(partial(supersede, payload=given)).status == "pending"
    newer = do(partial(supersede, payload={**given, "new_value": "works at Dyn"}))
    assert newer.status == "pending"
    assert see(graph).entities[0].observations == ("works at Bolt Corp",)
    graph.write("Apply", lambda writer: apply_proposal(writer, newer.proposal_id), actor="you")
    assert see(graph).entities[0].observations == ("works at Dyn",)


def test_what_an_agent_said_it_takes_away_itself(graph: Workspace, do: Do) -> None:
    do(tools.create_entities, [ALICE])
    outcome, = do(tools.delete_observations, [ALICE])
    assert outcome.status == "applied"
    assert see(graph).entities == (Node("Alice", "person"),)


@pytest.mark.parametrize("way", ["archived", "corrected"])
@pytest.mark.parametrize(("content", "kept"), [
    ("Alice works at Acme Corp.", True),
    ("ALICE is working at Acme Corp now", True),
    ("Alice does not work at Acme Corp", False),
    ("Acme Corp works at Alice", False),
    ("Alice works at Acme Corp in Leipzig", False),
    ("Somebody works at Acme Corp", False),
])
def test_a_memory_that_says_just_what_a_person_took_away_waits_for_them(
    graph: Workspace, do: Do, way: str, content: str, kept: bool
) -> None:
    do(tools.create_entities, [ALICE])
    old = value_of(graph, "works at Acme Corp")
    if way == "archived":
        by_person(graph, "archive_claim_value", attribute_id=old)
    else:
        by_person(graph, "supersede_claim_value", **CORRECTED, attribute_id=old)
    memory = Remembered.read({"content": content})
    for _ in range(2):
        report = do(remember, memory)
        assert (report.memory_id == "", len(pending(graph))) == (kept, kept)
    if kept:
        [told] = report.skipped
        assert f"“works at Acme Corp” was {way} by a person before" in told.what
        assert told.do.startswith("It waits for a person as proposal ")
    said = graph.write("Say", lambda writer: remember(writer, memory), actor="you").result
    assert said.memory_id, "a person may say what they like"
    assert do(remember, memory).duplicate == "content"


def test_what_an_agent_deleted_itself_comes_back_when_it_is_stated(
    graph: Workspace, do: Do
) -> None:
    do(tools.create_entities, [ALICE])
    do(tools.delete_observations, [ALICE])
    assert do(tools.add_observations, [ALICE])[0].observations == ALICE.observations
    assert pending(graph) == []
