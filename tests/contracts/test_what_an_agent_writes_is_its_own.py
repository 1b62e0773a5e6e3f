"""Whatever an agent but `default` writes, by whatever way, no other agent is told of it."""

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from core.ingest.payload import Remembered
from core.ingest.remember import remember
from core.ontology import control
from core.past.compared_states import compare_agents
from core.recall.hybrid import recall
from core.session.start import start
from core.settings import Settings
from core.store.reader_and_writer import Writer
from core.transfer.mcp_import import import_mcp
from core.transfer.reference_server_nodes import Node
from core.transfer.reference_server_tool_calls import add_observations, create_entities
from core.traversal.focal_signals import Signals
from core.watching.folder_watch import FolderWatch, watch
from core.workspace import Workspace
from tests.core.transfer.imported import read_file

SECRET = "The barn party has the code Canna1"
NAME = "Plan Canna"


def _node(words: str = SECRET) -> list[Node]:
    return [Node(NAME, "event", (words,))]


def _import(workspace: Workspace, folder: Path) -> None:
    file = folder / "memory.jsonl"
    file.write_text(json.dumps({"type": "entity", "name": NAME, "entityType": "event",
                                "observations": [SECRET]}))
    found = read_file(file)
    workspace.write("import", lambda writer: import_mcp(writer, found))


def _watch(workspace: Workspace, folder: Path) -> None:
    notes = folder / "notes"
    notes.mkdir()
    (notes / f"{NAME}.md").write_text(f"- {SECRET}\n")
    watched = FolderWatch(workspace, watch(workspace, notes))
    if watched.look().waiting:
        watched.look()


def _write(change: Callable[[Writer], object]) -> Callable[[Workspace, Path], None]:
    return lambda workspace, folder: (workspace.write("write", change), None)[1]


def _observe(writer: Writer) -> None:
    create_entities(writer, _node("Takes place"))
    add_observations(writer, _node())


def _claim(writer: Writer) -> None:
    control.apply(writer, "create_entity", {"name": NAME, "entity_type": "event"})
    control.apply(writer, "set_claim_value", {
        "entity": NAME, "aspect": "place", "claim_key": "code", "value": SECRET})


def _remember(writer: Writer) -> None:
    control.apply(writer, "create_entity", {"name": NAME, "entity_type": "event"})
    remember(writer, Remembered(content=SECRET))


WAYS: dict[str, Callable[[Workspace, Path], None]] = {
    "import": _import, "watched notes": _watch,
    "create_entities": _write(lambda writer: create_entities(writer, _node())),
    "add_observations": _write(_observe),
    "remember": _write(_remember),
    "set a claim": _write(_claim),
}


@pytest.mark.parametrize("way", WAYS)
def test_no_other_agent_is_told(tmp_path: Path, way: str) -> None:
    path, data = tmp_path / "graph.db", tmp_path / "data"
    with closing(Workspace.open(path, data_dir=data, agent="anna", create=True)) as workspace:
        WAYS[way](workspace, tmp_path)
        with workspace.read() as reader:
            assert any("Canna1" in hit.memory.content
                       for hit in recall(reader, "barn party code").hits), "its own is told"
    for agent in ("default", "kasse"):
        with closing(Workspace.open(path, data_dir=data, agent=agent)) as workspace:
            with workspace.read() as reader:
                told = [hit.memory.content for hit in recall(reader, "barn party code").hits]
                started = start(reader, Signals("barn party code"), Settings())
            assert told == []
            assert "Canna" not in started.text
            if agent == "default":
                assert "Canna" not in str(compare_agents(workspace, "anna", by_policy=True).items)
