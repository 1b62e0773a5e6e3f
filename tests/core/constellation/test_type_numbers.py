"""A type keeps the number that gives it its colour, in the file's sidecar."""

from pathlib import Path

from core.constellation.type_numbers import kept_numbers, type_numbers
from core.ontology import control
from core.workspace import Workspace


def add(workspace: Workspace, *types: str) -> None:
    for entity_type in types:
        name = f"{entity_type} {len(workspace.history())}"
        workspace.write("Add", lambda w, n=name, t=entity_type: control.apply(
            w, "create_entity", {"name": n, "entity_type": t}))


def test_a_type_never_changes_its_number_whatever_becomes_frequent(tmp_path: Path) -> None:
    path = tmp_path / "graph.db"
    workspace = Workspace.open(path, create=True)
    add(workspace, "interface", "workflow", "workflow", "person")
    with workspace.read() as reader:
        numbers = type_numbers(reader, workspace.sidecar, {"person"})
    assert numbers == {"workflow": 0, "interface": 1}
    add(workspace, "action", "action", "action")
    workspace.close()

    workspace = Workspace.open(path)
    assert kept_numbers(workspace.sidecar) == numbers
    with workspace.read() as reader:
        again = type_numbers(reader, workspace.sidecar, {"person"})
    assert again == {"workflow": 0, "interface": 1, "action": 2}
    workspace.close()
