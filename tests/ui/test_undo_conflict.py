"""An undo that meets what an agent wrote meanwhile shows both values, and two ways on."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.ontology.control import apply
from tests.ui.browse_scene import entities_of, names_in, settled, write_scene
from ui.main_window import MainWindow

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    return write_scene(tmp_path / "graph.db")


@pytest.fixture
def in_conflict(opened: MainWindow, graph: Path, qtbot: QtBot) -> MainWindow:
    """Undo was asked of a new name that an agent has changed since."""
    assert opened.session is not None
    workspace = opened.session.workspace
    workspace.write("pin", lambda w: apply(w, "pin_entity", {"entity": "Postgres"}))
    workspace.write("rename", lambda w: apply(
        w, "rename_entity", {"entity": "NAS", "new_name": "Disk"}))
    with closing(sqlite3.connect(graph)) as agent, agent:
        agent.execute("UPDATE entities SET name = 'Store', mentions = 7 WHERE name = 'Disk'")
    listed = entities_of(opened).list
    qtbot.waitUntil(lambda: "Store" in names_in(listed))
    settled(qtbot, opened)
    opened.actions_.run("edit.undo")
    qtbot.waitUntil(opened.error_bar.isVisible)
    return opened


def test_both_values_are_shown_and_it_is_taken_back_anyway(
    in_conflict: MainWindow, qtbot: QtBot
) -> None:
    bar = in_conflict.error_bar
    assert "Name was changed since, from “Disk” to “Store”" in bar.words.text()
    assert [button.text() for button in bar.ways] == [
        "Take it back anyway", "Undo the step before"]
    qtbot.mouseClick(bar.ways[0], LEFT)
    qtbot.waitUntil(lambda: "NAS" in names_in(entities_of(in_conflict).list))
    assert not bar.isVisible()


def test_the_step_is_skipped_and_the_one_before_undone(
    in_conflict: MainWindow, qtbot: QtBot
) -> None:
    qtbot.mouseClick(in_conflict.error_bar.ways[1], LEFT)
    qtbot.waitUntil(lambda: in_conflict.toast.text == "Undone: pin")
    assert "Store" in names_in(entities_of(in_conflict).list)


def test_an_error_without_ways_on_shows_no_buttons_of_another(
    in_conflict: MainWindow, qtbot: QtBot
) -> None:
    in_conflict.show_error(OSError("unrelated"))
    assert in_conflict.error_bar.ways == []
