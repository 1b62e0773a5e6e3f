"""A person swaps the command in a client's configuration; what was remembered comes along."""

import json
from pathlib import Path

import pytest

from core.errors import OpenError
from core.session.servers_and_clients import OpenDoor
from core.transfer.reference_server_tool_calls import delete_entities, read_graph
from core.workspace import Workspace
from explorer.cli.mcp_command import graph_for_agents
from explorer.cli.open_graph import note_open_doors
from tests.explorer.mcp.agents import agent_of

ALICE = {"type": "entity", "name": "Alice", "entityType": "Person", "observations": ["hums"]}
BOB = {"type": "entity", "name": "Bob", "entityType": "Person", "observations": []}
KNOWS = {"type": "relation", "from": "Alice", "to": "Bob", "relationType": "knows"}


@pytest.fixture
def memory_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The reference server's file, named as its users name it."""
    path = tmp_path / "memory.jsonl"
    path.write_text("\n".join(map(json.dumps, (ALICE, BOB, KNOWS))), encoding="utf-8")
    monkeypatch.setenv("MEMORY_FILE_PATH", str(path))
    monkeypatch.setenv("CONSTELLATION_DATA", str(tmp_path / "data"))
    return path


def names(workspace: Workspace) -> list[str]:
    with workspace.read() as reader:
        return [node.name for node in read_graph(reader).entities]


def test_the_file_is_taken_over_and_kept(memory_file: Path) -> None:
    before = memory_file.read_bytes()
    with agent_of(memory_file.with_suffix(".db"), MEMORY_FILE_PATH=str(memory_file)) as agent:
        whole = agent.call("read_graph")
        assert whole == {
            "entities": [{key: each[key] for key in each if key != "type"}
                         for each in (ALICE, BOB)],
            "relations": [{key: KNOWS[key] for key in KNOWS if key != "type"}]}
        with agent.graph() as person:
            assert person.history()[0].label == "Take over memory.jsonl"
    assert memory_file.read_bytes() == before


def test_it_is_taken_over_once_and_what_was_deleted_stays_so(memory_file: Path) -> None:
    with graph_for_agents(None, "default") as workspace:
        workspace.write("Delete", lambda writer: delete_entities(writer, ["Alice"]))
        steps = len(workspace.history())
    with graph_for_agents(None, "default") as workspace:
        assert len(workspace.history()) == steps
        assert names(workspace) == ["Bob"]
    memory_file.write_text(memory_file.read_text("utf-8") + "\n" + json.dumps(
        {**BOB, "name": "Carol"}), encoding="utf-8")
    with graph_for_agents(None, "default") as workspace:
        assert names(workspace) == ["Bob", "Carol"]


def test_a_named_graph_takes_it_over(memory_file: Path, tmp_path: Path) -> None:
    store = tmp_path / "own.db"
    with graph_for_agents(store, "default") as workspace:
        assert workspace.path == store
        assert names(workspace) == ["Alice", "Bob"]
    assert not memory_file.with_suffix(".db").exists()


@pytest.mark.parametrize("content", ["", None])
def test_a_file_that_is_not_there_yet_is_no_fault(memory_file: Path, content: str | None) -> None:
    memory_file.unlink()
    if content is not None:
        memory_file.write_text(content, encoding="utf-8")
    with graph_for_agents(None, "default") as workspace:
        assert names(workspace) == []


def test_a_file_of_something_else_is_said(memory_file: Path) -> None:
    memory_file.write_text("# Notes\nno memory", encoding="utf-8")
    with pytest.raises(OpenError, match="No line of this file is an entity"), graph_for_agents(
            None, "default"):
        pass


def test_without_any_graph_the_agents_get_one_of_their_own(
    memory_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MEMORY_FILE_PATH")
    with graph_for_agents(None, "default") as workspace:
        assert workspace.path == tmp_path / "data" / "memory.db"
    assert (tmp_path / "data" / "last-opened").read_text("utf-8").strip() == str(workspace.path)


def test_a_second_server_says_where_the_first_one_is(
    memory_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with graph_for_agents(None, "default") as workspace:
        with OpenDoor(workspace.sidecar, "default", "MCP", "http://127.0.0.1:9/mcp"):
            note_open_doors(workspace)
        assert "served already: MCP at http://127.0.0.1:9/mcp" in capsys.readouterr().err
        note_open_doors(workspace)
        assert "served already" not in capsys.readouterr().err
