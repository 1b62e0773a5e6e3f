"""A client of the reference memory server finds its nine tools here, as it knows them."""

import json
from typing import Any

import pytest

from core.ontology import control
from core.ontology.request_descriptions import describe
from core.queries.hide_writes_of_held_agents import WAITS
from core.review.inbox_acts import hold, release
from core.review.proposal_queue import list_proposals
from core.review.unseen_writes_inbox import inbox
from core.review.warnings import warnings
from tests.explorer.mcp.agents import CLIENT, Agent

ALICE = {"name": "Alice", "entityType": "person", "observations": ["works at Acme Corp"]}
BOB = {"name": "Bob", "entityType": "person", "observations": []}
KNOWS = {"from": "Alice", "to": "Bob", "relationType": "knows"}


@pytest.fixture(autouse=True)
def _nothing_there(agent: Agent) -> None:
    there = agent.call("read_graph")["entities"]
    agent.call("delete_entities", entityNames=[entity["name"] for entity in there])


def graph(agent: Agent) -> Any:
    return agent.call("read_graph")


def test_the_nine_tools_take_what_they_take_there(agent: Agent) -> None:
    tools = {tool.name: tool for tool in agent.ask("list_tools").tools}
    assert list(tools)[:9] == [
        "create_entities", "create_relations", "add_observations", "delete_entities",
        "delete_observations", "delete_relations", "read_graph", "search_nodes", "open_nodes"]
    assert {name: list(tools[name].input_schema.get("properties", {})) for name in list(tools)[:9]
            } == {"create_entities": ["entities"], "create_relations": ["relations"],
                  "add_observations": ["observations"], "delete_entities": ["entityNames"],
                  "delete_observations": ["deletions"], "delete_relations": ["relations"],
                  "read_graph": [], "search_nodes": ["query"], "open_nodes": ["names"]}
    relation = tools["create_relations"].input_schema["properties"]["relations"]["items"]
    assert relation["required"] == ["from", "to", "relationType"]
    assert "$ref" not in str([tool.input_schema for tool in tools.values()])
    assert tools["read_graph"].annotations.read_only_hint
    assert tools["delete_entities"].annotations.destructive_hint


def test_what_is_created_is_answered_as_there(agent: Agent) -> None:
    result = agent.ask("call_tool", "create_entities", {"entities": [ALICE, BOB]})
    assert result.structured_content == {"entities": [ALICE, BOB]}
    assert json.loads(result.content[0].text) == [ALICE, BOB]
    assert agent.call("create_entities", entities=[ALICE]) == {"entities": []}
    assert agent.call("create_relations", relations=[KNOWS]) == {"relations": [KNOWS]}
    assert agent.call("create_relations", relations=[KNOWS]) == {"relations": []}
    assert agent.call("add_observations", observations=[
        {"entityName": "Bob", "contents": ["hums"]}]) == {
            "results": [{"entityName": "Bob", "addedObservations": ["hums"]}]}
    assert graph(agent) == {"entities": [ALICE, {**BOB, "observations": ["hums"]}],
                            "relations": [KNOWS]}


def test_what_is_read_is_answered_as_there(agent: Agent) -> None:
    agent.call("create_entities", entities=[ALICE, BOB])
    agent.call("create_relations", relations=[KNOWS])
    result = agent.ask("call_tool", "search_nodes", {"query": "ACME"})
    assert result.structured_content == {"entities": [ALICE], "relations": [KNOWS]}
    assert json.loads(result.content[0].text) == result.structured_content
    assert agent.call("open_nodes", names=["bob", "Nobody"]) == {
        "entities": [BOB], "relations": [KNOWS]}


def test_what_is_deleted_is_gone_and_can_be_undone_by_a_person(agent: Agent) -> None:
    agent.call("create_entities", entities=[ALICE, BOB])
    agent.call("create_relations", relations=[KNOWS])
    before = graph(agent)
    for tool, arguments, what in (
        ("delete_relations", {"relations": [KNOWS]}, "Relations"),
        ("delete_observations", {"deletions": [
            {"entityName": "Alice", "observations": ["works at Acme Corp"]}]}, "Observations"),
        ("delete_entities", {"entityNames": ["Alice", "Bob"]}, "Entities"),
    ):
        result = agent.ask("call_tool", tool, arguments)
        assert result.content[0].text == f"{what} deleted successfully"
        assert result.structured_content == {"success": True,
                                             "message": f"{what} deleted successfully"}
        assert graph(agent) != before
        with agent.graph() as person:
            step = person.history()[0]
            assert (step.label.split()[0], step.who) == ("Delete", "claude-desktop via MCP")
            person.undo()
        assert graph(agent) == before


def test_a_deleted_entity_is_created_again(agent: Agent) -> None:
    agent.call("create_entities", entities=[ALICE])
    agent.call("delete_entities", entityNames=["ALICE"])
    assert graph(agent)["entities"] == []
    assert agent.call("create_entities", entities=[ALICE]) == {"entities": [ALICE]}
    assert graph(agent)["entities"] == [ALICE]


def test_mistakes_are_answered_in_words(agent: Agent) -> None:
    assert agent.text("add_observations", observations=[
        {"entityName": "Nobody", "contents": ["x"]}]).startswith(
            "Entity with name Nobody not found")
    assert agent.text("create_entities", entities=[{"name": "A"}]) == (
        "entities.0.entityType is required; entities.0.observations is required. Nothing was done")
    assert agent.text("open_nodes", names="Alice") == "names must be a list. Nothing was done"
    assert agent.text("open_node", names=[]) == (
        "Unknown tool: open_node. Did you mean “open_nodes”?")
    assert agent.ask("call_tool", "open_node", {}).is_error


@pytest.mark.parametrize("name", ["<b>Über</b> & 名前", "x" * 5000, "a\nb", "'; DROP TABLE e; --"])
def test_any_name_is_kept(agent: Agent, name: str) -> None:
    agent.call("create_entities", entities=[{**BOB, "name": name}])
    assert [entity["name"] for entity in graph(agent)["entities"]] == [name]
    assert agent.call("open_nodes", names=[name]) == graph(agent)


def test_a_rule_of_a_person_is_not_deleted_but_proposed(agent: Agent) -> None:
    agent.call("create_entities", entities=[ALICE, BOB])
    with agent.graph() as person:
        person.write("Pin", lambda writer: writer.update_where(
            "entities", "name = 'Alice'", {"pinned": 1}))
        result = agent.call("delete_entities", entityNames=["Alice", "Bob"])
        assert not result["success"]
        assert result["message"].startswith("1 deleted. 1 not deleted")
        assert [entity["name"] for entity in graph(agent)["entities"]] == ["Alice"]
        assert person.history()[0].label == "Delete 1 of 2 entities, propose the rest"
        assert agent.call("delete_observations", deletions=[
            {"entityName": "Nobody", "observations": ["x"]}])["message"].endswith("found: “x”")
        agent.call("delete_entities", entityNames=["Alice"])
        person.write("Unpin", lambda writer: writer.update_where(
            "entities", "name = 'Alice'", {"pinned": 0}))


def test_an_observation_is_told_with_its_entity_where_it_does_not_name_it(agent: Agent) -> None:
    agent.call("create_entities", entities=[ALICE])
    line = "Alice: works at Acme Corp"
    for tool in ("recall", "session_context", "traverse"):
        assert line in agent.text(tool, query="Where does Alice work?"), tool
    for tool, field in (("recall", "hits"), ("session_context", "memories")):
        told = agent.call(tool, query="Where does Alice work?")[field][0]
        assert (told["entity"], told["content"]) == ("Alice", "works at Acme Corp")
    assert line not in agent.text("browse_entity", entity="Alice"), "in its own section"
    assert graph(agent)["entities"] == [ALICE]


def test_a_proposed_value_beside_one_without_a_claim_key_is_told(agent: Agent) -> None:
    agent.call("create_entities", entities=[ALICE])
    answer = agent.ask("call_tool", "propose", {"operation": "set_claim_value", "payload": {
        "entity": "Alice", "aspect": "work", "claim_key": "employer",
        "value": "works at Bolt Corp"}})
    told, = answer.structured_content["warnings"]
    assert told.startswith("“works at Acme Corp” (observations) stands beside it")
    assert told in answer.content[0].text


def test_a_key_that_an_agent_writes_is_warned_about_and_not_repeated(agent: Agent) -> None:
    key = "sk-ABCDEF0123456789abcdef0123"
    answer = agent.ask("call_tool", "remember", {"content": f"Dana's API key is {key}"})
    told, = answer.structured_content["warnings"]
    assert told.startswith("The memory: looks like a secret (Secret Key)")
    assert told in answer.content[0].text
    assert key not in told
    node = {"name": "Dana", "entityType": "person", "observations": [f"Her key is {key}"]}
    said = [part.text for part in agent.ask("call_tool", "create_entities",
                                            {"entities": [node]}).content]
    assert said[-1].startswith("An observation of “Dana”: looks like a secret (Secret Key)")
    proposed = agent.ask("call_tool", "propose", {"operation": "set_claim_value", "payload": {
        "entity": "Dana", "aspect": "access", "claim_key": "key", "value": key}})
    assert any(each.startswith("Its value: looks like a secret (Secret Key)")
               for each in proposed.structured_content["warnings"])


def test_what_a_person_archived_is_proposed_and_the_agent_is_told(agent: Agent) -> None:
    agent.call("create_entities", entities=[
        {"name": "Ada", "entityType": "person", "observations": ["paints"]}])
    with agent.graph() as graph, graph.read() as reader:
        id = reader.value("SELECT id FROM entity_attributes WHERE status = 'active'"
                          " AND content = 'paints' AND agent_id = :agent")
    with agent.graph() as graph:
        graph.write("Archive", lambda writer: control.apply(
            writer, "archive_claim_value", {"attribute_id": id}), actor="you")
    result = agent.ask("call_tool", "add_observations", {"observations": [
        {"entityName": "Ada", "contents": ["paints"]}]})
    assert result.structured_content == {
        "results": [{"entityName": "Ada", "addedObservations": []}]}
    assert result.content[1].text.startswith(
        "Not stored: a person archived “paints”; this is proposed")
    with agent.graph() as graph:
        assert graph.history(1)[0].label == "Propose: Restore paints"


def test_a_key_that_a_person_archived_is_warned_about_when_it_is_said_again(
    agent: Agent
) -> None:
    key = "Signs with sk-ABCDEF0123456789abcdef0123"
    agent.call("create_entities", entities=[
        {"name": "Eve", "entityType": "person", "observations": [key]}])
    with agent.graph() as graph, graph.read() as reader:
        id = reader.value("SELECT id FROM entity_attributes WHERE status = 'active'"
                          " AND content = :key AND agent_id = :agent", key=key)
    with agent.graph() as graph:
        graph.write("Archive", lambda writer: control.apply(
            writer, "archive_claim_value", {"attribute_id": id}), actor="you")
    again = agent.ask("call_tool", "add_observations", {"observations": [
        {"entityName": "Eve", "contents": [key]}]})
    assert "looks like a secret (Secret Key)" in again.content[1].text.splitlines()[-1]
    told = agent.ask("call_tool", "remember", {"content": f"Eve: {key}"}).structured_content
    assert told["memoryId"] == ""
    assert told["warnings"][0].startswith("The memory: looks like a secret (Secret Key)")
    with agent.graph() as graph, graph.read() as reader:
        waiting, *_ = list_proposals(reader)
        assert any(each.startswith("What it brings back: looks like a secret (Secret Key)")
                   for each in warnings(reader, waiting))


def test_a_delete_says_how_many_went_and_what_was_not_found(agent: Agent) -> None:
    agent.call("create_entities", entities=[ALICE])
    asked = {"entityName": "Alice", "observations": ["works at Acme Corp", "never said"]}
    assert agent.call("delete_observations", deletions=[asked]) == {
        "success": True, "message": "1 deleted. 1 not found: “never said”"}
    with agent.graph() as person:
        assert person.history()[0].label == "Delete works at Acme Corp"
    assert agent.call("delete_observations", deletions=[asked]) == {
        "success": False,
        "message": "0 deleted. 2 not found: “works at Acme Corp”, “never said”"}
    assert agent.call("delete_entities", entityNames=["Nobody"]) == {
        "success": False, "message": "0 deleted. 1 not found: “Nobody”"}
    assert agent.call("delete_relations", relations=[KNOWS]) == {
        "success": False, "message": "0 deleted. 1 not found: “Alice knows Bob”"}


def test_a_rule_is_found_by_its_words_without_its_claim(agent: Agent) -> None:
    agent.call("create_entities", entities=[{**BOB, "name": "Nora"}])
    with agent.graph() as graph:
        graph.write("Rule", lambda writer: control.apply(writer, "set_claim_value", {
            "entity": "Nora", "aspect": "food", "claim_key": "nuts", "kind": "constraint",
            "value": "Never suggest nuts"}), actor="you")
    told = agent.call("delete_observations", deletions=[
        {"entityName": "Nora", "observations": ["Never suggest nuts"]}])
    assert not told["success"]
    assert told["message"].startswith("0 deleted. 1 not deleted: a rule in force")
    with agent.graph() as graph:
        graph.write("Away", lambda writer: control.apply(
            writer, "archive_entity", {"entity": "Nora", "force": True}), actor="you")


def test_a_session_is_told_the_rules_of_what_is_pinned_and_of_what_it_asks_about(
    agent: Agent,
) -> None:
    agent.call("create_entities", entities=[
        {"name": "Emma", "entityType": "person", "observations": []}])
    with agent.graph() as graph:
        graph.write("Rule", lambda writer: control.apply(writer, "set_claim_value", {
            "entity": "Emma", "aspect": "food", "claim_key": "fish", "kind": "constraint",
            "value": "Never suggest fish"}), actor="you")
    for query, told in (("What comes next?", False), ("What should I cook for Emma?", True)):
        rules = agent.call("session_context", query=query)["constraints"]
        assert ("Never suggest fish" in str(rules)) == told, query
    tools = {tool.name: tool for tool in agent.ask("list_tools").tools}
    assert "the rules of what is pinned and of what you ask about" in " ".join(
        str(tools["session_context"].description).split())
    with agent.graph() as graph:
        graph.write("Away", lambda writer: control.apply(
            writer, "archive_entity", {"entity": "Emma", "force": True}), actor="you")


def test_a_relation_without_a_type_keeps_its_words_in_the_inbox_and_where_it_is_archived(
    agent: Agent
) -> None:
    agent.call("create_entities", entities=[ALICE, BOB])
    agent.call("create_relations", relations=[{**KNOWS, "relationType": "succeeds"}])
    with agent.graph() as person:
        with person.read() as reader:
            [link] = [item for item in inbox(reader).items if item.kind == "link"]
        assert link.text == "Alice succeeds Bob"
        with person.read() as reader:
            archived = describe(reader, "archive_link", {"id": link.id})
        assert "“Alice” succeeds “Bob”" in archived.sentence
        assert "Alice succeeds Bob" in archived.title


def test_what_was_deleted_is_told_by_no_question(agent: Agent) -> None:
    agent.call("create_entities", entities=[
        {"name": "Piano", "entityType": "thing", "observations": ["Was tuned by Frau Ott"]}])
    assert "Ott" in agent.text("recall", query="Who tuned the piano?")
    agent.call("delete_entities", entityNames=["Piano"])
    for tool in ("recall", "session_context"):
        assert "Ott" not in agent.text(tool, query="Who was it that tuned the piano?"), tool


def test_a_muted_entity_is_read_where_it_is_asked_for_by_its_name(agent: Agent) -> None:
    momo = {"name": "Kater Momo", "entityType": "cat", "observations": ["Sleeps on the stove"]}
    agent.call("create_entities", entities=[momo, ALICE])
    link = {"from": "Alice", "to": "Kater Momo", "relationType": "feeds"}
    agent.call("create_relations", relations=[link])
    with agent.graph() as workspace:
        workspace.write("Mute", lambda w: control.apply(w, "mute_entity", {"entity": "Kater Momo"}))
    alone = {"entities": [momo], "relations": [link]}
    assert agent.call("open_nodes", names=["kater momo"]) == alone
    assert agent.call("search_nodes", query="Kater Momo") == alone
    assert agent.call("search_nodes", query="stove") == {"entities": [], "relations": []}
    assert graph(agent) == {"entities": [ALICE], "relations": []}
    assert agent.call("create_relations", relations=[link]) == {"relations": []}


def test_an_agent_that_is_held_back_is_told_that_what_it_writes_waits(agent: Agent) -> None:
    def said(tool: str, **arguments: Any) -> str:
        return "\n".join(part.text for part in agent.ask("call_tool", tool, arguments).content)

    def observed(words: str) -> str:
        return said("add_observations", observations=[{"entityName": "Bob", "contents": [words]}])

    agent.call("create_entities", entities=[ALICE, BOB])
    with agent.graph() as workspace:
        workspace.write("Hold", lambda w: hold(w, CLIENT))
        told = [observed("plays chess"), said("create_relations", relations=[KNOWS]),
                said("create_entities", entities=[{**BOB, "name": "Carol"}])]
        again = observed("plays chess")
        workspace.write("Release", lambda w: release(w, CLIENT))
    assert all(WAITS in text for text in told)
    assert WAITS not in again
    assert WAITS not in observed("owns a cat")
