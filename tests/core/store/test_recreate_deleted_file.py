"""What is kept beside a graph is put back where it is deleted while the graph is open."""

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import OpenError
from core.ontology import control
from core.workspace import Workspace
from tests.contracts.files import make


def mute(workspace: Workspace) -> None:
    workspace.write("Mute", lambda w: control.apply(w, "mute_entity", {"entity": "Anna"}))


def muted(workspace: Workspace) -> int:
    with workspace.read() as reader:
        return int(reader.value("SELECT count(*) FROM side.muted_entities"))


LOOKS: dict[str, Callable[[Workspace], object]] = {
    "a write": mute, "a look": Workspace.poll, "a reading": muted}


@pytest.mark.parametrize("kind", ["native", "signet-030"])
@pytest.mark.parametrize("by", LOOKS)
def test_a_data_folder_deleted_while_the_graph_is_open_loses_nothing(
    tmp_path: Path, kind: str, by: str
) -> None:
    data, path = tmp_path / "data", tmp_path / "graph.db"
    workspace = make(kind, path, data)
    mute(workspace)
    if by == "a write":
        workspace.undo()
    shutil.rmtree(data)
    workspace._file.reopen()  # As where many read at once: no connection of before is left.
    LOOKS[by](workspace)
    before = muted(workspace), [(one.label, one.state) for one in workspace.history()]
    workspace.close()
    again = Workspace.open(path, data_dir=data)
    assert (muted(again), [(one.label, one.state) for one in again.history()]) == before
    assert again.allowed
    assert again.undo() == "Mute"
    again.close()


def test_what_another_program_put_beside_a_graph_meanwhile_is_taken_up(tmp_path: Path) -> None:
    data, path = tmp_path / "data", tmp_path / "graph.db"
    workspace = make("signet-030", path, data)
    mute(workspace)
    shutil.rmtree(data)
    make("signet-030", tmp_path / "other.db", data)
    other = Workspace.open(path, data_dir=data)
    assert muted(other) == muted(workspace) - 1 == 0
    workspace.poll()
    assert muted(workspace) == 0
    other.close()
    workspace.close()


def test_nothing_is_written_where_the_deleted_folder_cannot_come_back(tmp_path: Path) -> None:
    data, path = tmp_path / "data", tmp_path / "graph.db"
    workspace = make("native", path, data)
    shutil.rmtree(data)
    data.write_text("a file in its place")
    with pytest.raises(OpenError, match="This program's data about the graph can't be written"):
        mute(workspace)
    data.unlink()
    mute(workspace)
    assert workspace.undo() == "Mute"
    workspace.close()
    assert sqlite3.connect(next(data.glob("beside/*-undo.db"))).execute(
        "SELECT count(*) FROM entries").fetchone() == (1,)
