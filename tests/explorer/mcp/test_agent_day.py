"""What an agent does in a day: it is told, asks, remembers, proposes, and reads the verdict."""

from collections.abc import Iterator
from typing import Any

import pytest

from core.model.asked import BROWSE, RECALL, SESSION_START, WALK
from core.ontology import control, proposals
from core.session.question_log import last_asked
from core.session.servers_and_clients import visits
from core.workspace import Workspace
from explorer.demo import build_demo
from tests.explorer.mcp.agents import Agent, agent_of

ACTOR = "claude-desktop via MCP"


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    """An agent with its own copy of the demo graph."""
    store = build_demo(tmp_path_factory.mktemp("day") / "demo.db")
    with agent_of(store, "--store", str(store)) as connected:
        yield connected


@pytest.fixture(scope="module")
def person(agent: Agent) -> Iterator[Workspace]:
    """The same file in a window."""
    with agent.graph() as workspace:
        yield workspace


def test_a_session_begins_with_focus_rules_and_text(agent: Agent) -> None:
    context = agent.call("session_context", query="When does the settlement job start?")
    assert "settlement job" in [each["name"] for each in context["focal"]]
    assert any("Friday" in rule["content"] for rule in context["constraints"])
    assert "03:30" in context["text"]
    assert agent.text("session_context", query="When does the settlement job start?"
                      ) == context["text"]


def test_a_recall_says_why(agent: Agent) -> None:
    question = "Who agreed that settlement starts 03:30?"
    answer = agent.call("recall", query=question, limit=5)
    assert answer["fits"]
    assert 0 < len(answer["hits"]) <= 5
    assert "03:30" in answer["hits"][0]["content"]
    assert all(hit["why"] and hit["channels"] for hit in answer["hits"])
    assert answer["hits"][0]["why"] in agent.text("recall", query=question, limit=5)


def test_an_entity_is_browsed_down_to_a_claim(agent: Agent) -> None:
    page = agent.call("browse_entity", entity="deploy policy")
    assert page["entity"]["name"] == "deploy policy"
    assert "No deploys on Fridays after 14:00" in page["constraints"]
    text = agent.text("browse_entity", entity="deploy policy")
    assert text.splitlines()[0] == "# deploy policy (policy)"
    assert "- Rule: friday: No deploys on Fridays after 14:00 (2 versions)" in text
    tree = agent.call("browse_tree", entity="deploy policy", depth=1)
    assert [item["aspect"]["name"] for item in tree["items"]][0] == "windows"
    history = agent.call("browse_claim_history", entity="deploy policy", aspect="windows",
                         claim="friday", kind="constraint")
    assert [item["version"] for item in history["items"]] == [2, 1]
    found = agent.call("find_entities", query="deploy", limit=3)
    assert "deploy policy" in [item["name"] for item in found["items"]]


def test_what_is_near_is_read_as_text_and_graph(agent: Agent) -> None:
    near = agent.call("neighborhood", entities=["settlement job"])
    names = {node["name"] for node in near["neighborhood"]["nodes"]}
    assert {"settlement job", "Ines Duarte"} <= names
    assert "settlement job" in agent.text("neighborhood", entities=["settlement job"])
    both = agent.call("neighborhood", entities=["settlement job", "Lena"])
    assert {node["name"] for node in both["nodes"]} >= {"settlement job", "Lena"}


def test_what_is_remembered_is_told(agent: Agent, person: Workspace) -> None:
    report = agent.call("remember", content="Robin keeps the spare boat key under the blue buoy.",
                        entities=["boat key"], aspects=[{
                            "entityName": "boat key", "aspect": "place", "attributes": [
                                {"content": "under the blue buoy", "claimKey": "spare"}]}])
    assert report["entitiesInserted"] == 1
    assert "blue buoy" in agent.call("recall", query="Where is the spare boat key?"
                                     )["hits"][0]["content"]
    assert person.history()[0].who == ACTOR
    again = agent.call("remember", content="Robin keeps the spare boat key under the blue buoy.")
    assert (again["memoryId"], again["duplicate"]) == (report["memoryId"], "content")


@pytest.mark.parametrize("name", ["pinned", "scope", "visibility"])
def test_what_steers_others_is_not_set_by_an_agent(agent: Agent, name: str) -> None:
    assert agent.text("remember", content="x", **{name: "yes"}) == (
        f"{name} is set by a person. Leave it out")


CHANGE = {"operation": "set_claim_value", "reason": "Ines asked for it", "confidence": 0.8,
          "evidence": [{"quote": "an hour later"}], "payload": {
              "entity": "settlement job", "aspect": "schedule", "group_key": "run",
              "claim_key": "start_time", "value": "04:45 UTC"}}


def verdict(agent: Agent, answer: Any, status: str = "all") -> Any:
    return next(item for item in agent.call("my_proposals", status=status)["items"]
                if item["id"] == answer["proposalId"])


def told(agent: Agent) -> str:
    return agent.text("recall", query="When does the settlement job start?", limit=3)


def test_a_proposal_is_applied_by_a_person_and_the_agent_is_told(
    agent: Agent, person: Workspace
) -> None:
    answer = agent.call("propose", **CHANGE)
    assert (answer["status"], answer["message"].split(":")[0]) == (
        "pending", "Proposed, not done")
    assert "04:45 UTC" in answer["sentence"]
    assert agent.call("propose", **CHANGE)["proposalId"] == answer["proposalId"]
    mine = verdict(agent, answer)
    assert (mine["status"], mine["target"], mine["decidedBy"]) == (
        "pending", "settlement job", None)
    assert "04:45" not in told(agent)
    person.write("Apply", lambda writer: proposals.apply_proposal(writer, answer["proposalId"]))
    mine = verdict(agent, answer)
    assert (mine["status"], mine["decidedBy"]) == ("applied", "you")
    assert "04:45" in told(agent)
    assert agent.call("propose", **{**CHANGE, "evidence": []})["status"] == "unchanged"
    person.undo()


def test_a_rejected_proposal_says_why(agent: Agent, person: Workspace) -> None:
    answer = agent.call("propose", operation="pin_entity", payload={"entity": "Lena"})
    person.write("Reject", lambda writer: proposals.reject_proposals(
        writer, [answer["proposalId"]], reason="She has left"))
    mine = verdict(agent, answer, status="rejected")
    assert (mine["what"], mine["reason"]) == ("Pin", "She has left")
    assert "She has left" in agent.text("my_proposals", status="rejected")


def test_what_it_did_itself_is_no_proposal(agent: Agent) -> None:
    agent.call("create_entities", entities=[
        {"name": "Halcyon", "entityType": "bird", "observations": []}])
    agent.call("delete_entities", entityNames=["Halcyon"])
    assert "Halcyon" not in agent.text("my_proposals", limit=200)


def test_forgetting_is_proposed(agent: Agent, person: Workspace) -> None:
    hit = agent.call("recall", query="printer")["hits"][0]
    answer = agent.call("forget", memory=hit["id"][:8], reason="Out of date")
    assert answer["status"] == "pending"
    assert answer["title"].startswith("Forget “")
    assert hit["id"] in [each["id"] for each in agent.call("recall", query="printer")["hits"]]
    person.write("Apply", lambda writer: proposals.apply_proposal(writer, answer["proposalId"]))
    assert hit["id"] not in [each["id"] for each in agent.call("recall", query="printer")["hits"]]
    person.undo()


def test_a_rule_is_changed_by_a_person_only(agent: Agent, person: Workspace) -> None:
    answer = agent.call("propose", operation="set_claim_value", payload={
        "entity": "deploy policy", "aspect": "windows", "claim_key": "friday",
        "kind": "constraint", "value": "Deploys on Fridays are fine"})
    assert answer["status"] == "pending"
    with person.read() as reader:
        payload = reader.value("SELECT payload FROM ontology_proposals WHERE id = :id",
                               id=answer["proposalId"])
    assert '"force":true' in payload


def refusal(operation: str, payload: dict[str, Any], person: Workspace) -> str:
    with pytest.raises(Exception) as error:  # noqa: PT011 - its words are compared
        person.rehearse(lambda writer: control.apply(writer, operation, payload))
    return str(error.value)


@pytest.mark.parametrize(("operation", "payload"), [
    ("rename_entity", {"entity": "Nobody at all", "new_name": "X"}),
    ("rename_entity", {"entity": "Lena", "new_name": "Marek"}),
    ("create_link", {"source_entity": "Lena", "target_entity": "Marek", "link_type": "loves"}),
    ("archive_claim_value", {"attribute_id": "nothing"}),
    ("no_such_operation", {"entity": "Lena"}),
])
def test_what_can_not_be_done_is_refused_in_the_same_words(
    agent: Agent, person: Workspace, operation: str, payload: dict[str, Any]
) -> None:
    before = len(agent.call("my_proposals")["items"])
    assert agent.text("propose", operation=operation, payload=payload) == refusal(
        operation, payload, person)
    assert len(agent.call("my_proposals")["items"]) == before


def test_the_operations_are_listed_with_what_they_take(agent: Agent) -> None:
    listed = agent.call("list_operations")["operations"]
    assert {"operation": "pin_entity", "destructive": False}.items() <= next(
        item for item in listed if item["operation"] == "pin_entity").items()
    assert "new_name" in agent.call("list_operations", operation="rename_entity")["properties"]


def test_a_session_is_recorded_and_ended(agent: Agent, person: Workspace) -> None:
    agent.call("session_context", query="settlement job", session="s-1")
    ended = agent.call("session_end", session="s-1")
    assert ended["sessionKey"] == "s-1"
    assert agent.text("session_end", session="never") == "This session is not recorded"


def test_what_is_asked_is_recorded_and_the_client_is_listed(
    agent: Agent, person: Workspace
) -> None:
    agent.call("browse_entity", entity="Lena")
    before = last_asked(person.sidecar, "default", 1)[0].number
    started = agent.call("session_context", query="settlement job", project="/projects/x")
    hits = agent.call("recall", query="Who agreed that settlement starts 03:30?")["hits"]
    agent.call("browse_entity", entity="deploy policy")
    agent.call("neighborhood", entities=["Lena"])
    agent.call("search_nodes", query="settlement")
    agent.call("open_nodes", names=["Lena"])
    agent.ask("read_resource", "constellation://entity/Lena")
    every = last_asked(person.sidecar, "default", 20, before)[::-1]
    assert [each.kind for each in every] == [
        SESSION_START, RECALL, BROWSE, WALK, RECALL, BROWSE, BROWSE]
    assert every[0].focal_ids == tuple(each["id"] for each in started["focal"])
    assert (every[0].question, every[0].project) == ("settlement job", "/projects/x")
    assert every[1].memory_ids == tuple(hit["id"] for hit in hits)
    assert [each.question for each in every[2:]] == [
        "deploy policy", "Lena", "settlement", "Lena", "Lena"]
    assert {each.who for each in every} == {ACTOR}
    doors, clients = visits(person.sidecar)
    assert [door.door for door in doors] == ["MCP"]
    assert [client.who for client in clients] == [ACTOR]


def test_an_answer_says_whether_time_left_something_out(agent: Agent) -> None:
    for tool in ("recall", "session_context"):
        answer = agent.call(tool, query="settlement job")
        assert (answer["partial"], answer["missing"]) == (False, [])


def test_names_that_a_tool_does_not_take_are_said(agent: Agent) -> None:
    assert agent.text("recall", question="What?").startswith(
        "question is not known. Choose one of asOf, query, limit, ")
    assert agent.text("neighborhood", entities=["Lena"], depth=9) == (
        "depth must be at most 3. Nothing was done")


def test_what_a_merge_would_have_to_settle_is_read_before_it_is_proposed(
    agent: Agent, person: Workspace
) -> None:
    def say(name: str, hour: str) -> None:
        person.write("Say", lambda writer: control.apply(writer, "set_claim_value", {
            "entity": name, "aspect": "plan", "claim_key": "start", "value": f"At {hour}"}))

    say("North pier", "one")
    say("Pier north", "two")
    plan = agent.call("merge_plan", target="North pier", source="Pier north")
    assert [side["content"] for side in plan["claims"][0]["values"]] == ["At one", "At two"]
    assert "- Pier north: At two [" in agent.text(
        "merge_plan", target="North pier", source="Pier north")
    answer = agent.call("propose", operation="merge_entities", payload={
        "target_entity": "North pier", "source_entities": ["Pier north"],
        "keep_values": [plan["claims"][0]["values"][1]["id"]]})
    assert verdict(agent, answer)["what"] == "Merge with Pier north"
    person.write("Apply", lambda writer: proposals.apply_proposal(writer, answer["proposalId"]))
    mine = verdict(agent, answer)
    assert (mine["status"], mine["target"], mine["what"]) == (
        "applied", "North pier", "Merge with Pier north")


def test_undo_without_a_number_passes_the_start_of_a_session_over(
    agent: Agent, person: Workspace
) -> None:
    person.write("Pin Lena", lambda writer: control.apply(writer, "pin_entity", {"entity": "Lena"}))
    agent.call("session_context", query="settlement job", session="s-2")
    step = person.undo_step()
    assert step is not None
    assert step.label == "Pin Lena"
    assert person.undo() == "Pin Lena"
    [start] = [each for each in person.history() if each.label == "Start the session s-2"]
    assert person.undo(start.undo_id) == start.label
