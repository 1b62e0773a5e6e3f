"""Every operation is checked and refused alike by the catalogue, the command line, HTTP and an
agent's door; only that an agent's is proposed, not done."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from core.errors import OperationError
from core.ontology import control
from core.ontology.operation_catalog import CATALOG
from core.workspace import Workspace
from tests.contracts.files import make
from tests.contracts.samples import SAMPLES
from tests.explorer.conftest import Run
from tests.explorer.http.callers import AGENT, PERSON, Caller, caller_on
from tests.explorer.mcp.agents import Agent, agent_of

EVERY = pytest.mark.parametrize("operation", sorted(CATALOG))
NOTHING = "no such thing at all"


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    """An agent in the world of the contract tests; what it asks for changes nothing there."""
    store = tmp_path_factory.mktemp("world") / "graph.db"
    world = make("native", store, store.parent / "data")
    # One more muted entity, for the operation that unmutes one.
    world.write("Mute", lambda writer: writer.mute("e-tide", "2026-03-14T21:40:46.123Z"))
    world.close()
    with agent_of(store, "--store", str(store)) as connected:
        yield connected


@pytest.fixture(scope="module")
def person(agent: Agent) -> Iterator[Workspace]:
    """The same file in a window."""
    with agent.graph() as workspace:
        yield workspace


@pytest.fixture(scope="module")
def caller(agent: Agent) -> Iterator[Caller]:
    """The same file over HTTP."""
    with caller_on(agent.store, agent.data, agent.data / "tokens.json") as connected:
        yield connected


@pytest.fixture(autouse=True)
def _same_data(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONSTELLATION_DATA", str(agent.data))


def by_the_catalogue(
    graph: Workspace, operation: str, payload: dict[str, Any]
) -> OperationError | str:
    """What a person's own request comes to: its status, or why it is refused."""
    try:
        return graph.rehearse(
            lambda writer: control.apply(writer, operation, payload)).result.status
    except OperationError as error:
        return error


def by_command(
    run: Run, agent: Agent, operation: str, payload: dict[str, Any]
) -> tuple[int, str] | str:
    """The same on the command line: the status, or the refusal's number and words."""
    line = json.dumps({"operation": operation, "payload": payload})
    done = run("ontology", "stream", "apply", "-", "--dry-run", "--json", "--store", agent.store,
               stdin=line)
    report = json.loads(done.out)
    if report.get("errors"):
        [fault] = report["errors"]
        return fault["status"], fault["error"]
    [item] = report["items"]
    return str(item["proposal"]["status"] if item.get("proposal") else item["status"])


def by_http(
    caller: Caller, operation: str, payload: dict[str, Any], who: dict[str, str] = PERSON
) -> tuple[int, str] | dict[str, Any]:
    """The same over HTTP: the answer, or the refusal's number and words."""
    response = caller("POST", "/api/ontology/operations/apply", {
        "operation": operation, "payload": payload, "dry_run": True}, headers=who)
    answer = response.json()
    return answer if response.status_code == 200 else (response.status_code, answer["error"])


def compare(
    agent: Agent, run: Run, person: Workspace, caller: Caller, operation: str, payload: Any
) -> Any:
    """Ask all four; returns what the agent was answered."""
    wanted = by_the_catalogue(person, operation, payload)
    typed = by_command(run, agent, operation, payload)
    sent = by_http(caller, operation, payload)
    of_agent = by_http(caller, operation, payload, AGENT)
    result = agent.ask("call_tool", "propose", {"operation": operation, "payload": payload})
    if isinstance(wanted, OperationError) and wanted.field != "force":
        assert typed == sent == of_agent == (wanted.status, wanted.what)
        assert result.is_error
        assert result.content[0].text == str(wanted)
        return None
    assert not result.is_error, result.content[0].text
    waits = "unchanged" if wanted == "unchanged" else "pending"
    assert result.structured_content["status"] == waits
    if not isinstance(wanted, OperationError):
        assert typed == wanted
        assert isinstance(sent, dict)
        assert isinstance(of_agent, dict)
        assert not sent["proposed"]
        assert of_agent["proposed"] or not CATALOG[operation].of_a_person
    return result.structured_content


@EVERY
def test_what_works_is_proposed(
    agent: Agent, run: Run, person: Workspace, caller: Caller, operation: str
) -> None:
    payload = SAMPLES[operation].payload
    if operation == "mute_entity":
        payload = {"entity_id": "e-harbor"}
    assert by_the_catalogue(person, operation, payload) == "applied"
    answer = compare(agent, run, person, caller, operation, payload)
    waiting = agent.call("my_proposals", status="pending", limit=200)["items"]
    assert (answer["proposalId"], operation) in {
        (each["id"], each["operation"]) for each in waiting}


@EVERY
def test_what_is_not_there_is_refused_in_the_same_words(
    agent: Agent, run: Run, person: Workspace, caller: Caller, operation: str
) -> None:
    payload = {name: NOTHING if isinstance(value, str) else value
               for name, value in SAMPLES[operation].payload.items()}
    compare(agent, run, person, caller, operation, payload)


@EVERY
@pytest.mark.parametrize("payload", [{}, {"entity": 5, "name": [], "id": {}}])
def test_what_makes_no_sense_is_refused_in_the_same_words(
    agent: Agent, run: Run, person: Workspace, caller: Caller, operation: str,
    payload: dict[str, Any],
) -> None:
    wanted = by_the_catalogue(person, operation, payload)
    assert isinstance(wanted, OperationError)
    assert by_command(run, agent, operation, payload) == (wanted.status, wanted.what)
    refused = by_http(caller, operation, payload)
    assert refused[0] == 400  # type: ignore[index]
    assert agent.ask("call_tool", "propose", {
        "operation": operation, "payload": payload}).is_error


@EVERY
def test_a_field_that_it_does_not_read_is_refused_in_the_same_words(
    agent: Agent, run: Run, caller: Caller, operation: str
) -> None:
    payload = {**SAMPLES[operation].payload, "nonsense": 1}
    refused = run("ontology", "propose", "--operation", operation, "--payload-file", "-",
                  "--store", agent.store, "--json", stdin=json.dumps(payload))
    assert refused.code == 2
    assert by_http(caller, operation, payload) == (
        400, json.loads(refused.err)["error"]["what"])
    assert agent.text("propose", operation=operation, payload=payload).startswith(
        json.loads(refused.err)["error"]["what"])


def test_an_agent_neither_applies_nor_rejects(agent: Agent) -> None:
    tools = {tool.name for tool in agent.ask("list_tools").tools}
    assert not {name for name in tools if name.startswith(("apply", "reject", "decide", "undo"))}
