"""What an entry of the history did, row by row, whatever became of it since."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.ontology import control
from core.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    made = Workspace.open(tmp_path / "graph.db", create=True)
    made.write("Create", lambda w: control.apply(
        w, "create_entity", {"name": "NAS ' \" \0", "entity_type": "system"}))
    made.write("Pin", lambda w: control.apply(w, "pin_entity", {"entity": "NAS ' \" \0"}))
    yield made
    made.close()


def pinned(workspace: Workspace, entry: int) -> list[tuple[object, object]]:
    return [(change.before and change.before["pinned"], change.after and change.after["pinned"])
            for change in workspace.changes_of(entry) if change.table == "entities"]


def test_an_entry_tells_its_rows_before_and_after(workspace: Workspace) -> None:
    last, first = workspace.history()
    assert pinned(workspace, first.undo_id or 0) == [(None, 0)]
    assert pinned(workspace, last.undo_id or 0) == [(0, 1)]


def test_undoing_and_redoing_do_not_turn_it_round(workspace: Workspace) -> None:
    entry = workspace.history()[0].undo_id or 0
    workspace.undo()
    assert pinned(workspace, entry) == [(0, 1)]
    workspace.redo()
    assert pinned(workspace, entry) == [(0, 1)]
    workspace.undo()
    workspace.write("Else", lambda w: control.apply(
        w, "create_entity", {"name": "uv", "entity_type": "tool"}))
    assert workspace.history()[1].state == "abandoned"
    assert pinned(workspace, entry) == [(0, 1)]


def test_an_unknown_entry_did_nothing(workspace: Workspace) -> None:
    assert workspace.changes_of(999) == ()
