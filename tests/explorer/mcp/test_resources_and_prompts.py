"""What a client attaches without a question, and the prompts that a person chooses there."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from core.ontology import control
from explorer.demo import build_demo
from tests.explorer.mcp.agents import Agent, agent_of


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    """An agent with its own copy of the demo graph."""
    store = build_demo(tmp_path_factory.mktemp("attached") / "demo.db")
    with agent_of(store, "--store", str(store)) as connected:
        yield connected


def read(agent: Agent, uri: str) -> Any:
    [content] = agent.ask("read_resource", uri).contents
    return content


def test_rules_context_graph_and_entities_are_listed(agent: Agent) -> None:
    uris = [each.uri for each in agent.ask("list_resources").resources]
    assert uris[:3] == ["constellation://constraints", "constellation://context",
                        "memory://knowledge-graph"]
    assert "constellation://entity/Harbor%20Ledger" in uris
    assert [each.uri_template for each in agent.ask("list_resource_templates").resource_templates
            ] == ["constellation://entity/{name}", "constellation://context/{name}"]


def test_every_listed_resource_can_be_read(agent: Agent) -> None:
    for each in agent.ask("list_resources").resources[:12]:
        content = read(agent, each.uri)
        assert content.text
        assert content.mime_type == each.mime_type


def test_an_entity_is_a_page(agent: Agent) -> None:
    page = read(agent, "constellation://entity/deploy%20policy").text
    assert page == agent.text("browse_entity", entity="deploy policy")


def test_the_graph_is_what_the_memory_server_gives(agent: Agent) -> None:
    graph = json.loads(read(agent, "memory://knowledge-graph").text)
    assert graph == agent.call("read_graph")


def test_the_rules_are_those_in_force(agent: Agent) -> None:
    rules = read(agent, "constellation://constraints").text
    assert "## deploy policy" in rules
    assert "- No deploys on Fridays after 14:00" in rules
    with agent.graph() as person:
        person.write("Mute", lambda writer: control.apply(
            writer, "mute_entity", {"entity": "deploy policy"}))
        assert "deploy policy" not in read(agent, "constellation://constraints").text
        person.undo()


def test_the_context_of_an_entity_has_its_links(agent: Agent) -> None:
    text = read(agent, "constellation://context/settlement%20job").text
    assert "- settlement job (" in text
    assert "→ " in text


def test_what_there_is_not_is_said(agent: Agent) -> None:
    for uri, words in (("constellation://entity/Nobody%20at%20all", "Entity not found"),
                       ("constellation://nothing", "There is no resource"),
                       ("file:///etc/passwd", "There is no resource")):
        with pytest.raises(Exception, match=words):
            read(agent, uri)


def prompt(agent: Agent, name: str, **arguments: str) -> str:
    [message] = agent.ask("get_prompt", name, arguments).messages
    assert message.role == "user"
    return str(message.content.text)


def test_the_prompts_are_filled_with_what_is_known(agent: Agent) -> None:
    assert [each.name for each in agent.ask("list_prompts").prompts] == [
        "what_do_you_know", "start_of_session", "end_of_session"]
    assert "03:30" in prompt(agent, "what_do_you_know", topic="When does settlement start?")
    began = prompt(agent, "start_of_session", topic="deploy policy")
    assert "No deploys on Fridays after 14:00" in began
    assert "session_end with the session s-7" in prompt(agent, "end_of_session", session="s-7")
    assert "session_end" not in prompt(agent, "end_of_session")


def test_a_prompt_that_can_not_be_filled_is_refused(agent: Agent) -> None:
    with pytest.raises(Exception, match="topic is required"):
        prompt(agent, "what_do_you_know")
    with pytest.raises(Exception, match="There is no prompt end_of_sesion. Did you mean"):
        prompt(agent, "end_of_sesion")
