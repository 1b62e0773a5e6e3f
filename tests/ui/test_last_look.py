"""What a person looked at is there again after closing and opening the window."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from explorer.desktop import make_window
from tests.ui.conftest import flush_deletions
from tests.ui.person import Person
from ui.main_window import MainWindow
from ui.panels.entities import Entities
from ui.preferences import Preferences


@pytest.fixture
def windows(tmp_path: Path) -> Iterator[list[MainWindow]]:
    made: list[MainWindow] = []
    yield made
    for window in made:
        window.close()
        window.deleteLater()
    flush_deletions()


def start(qtbot: QtBot, windows: list[MainWindow], graph: Path, ini: Path) -> Person:
    preferences = Preferences(ini)
    preferences.motion = "reduced"
    window = make_window(preferences)
    windows.append(window)
    window.show()
    window.activateWindow()
    with qtbot.waitSignal(window.graph_shown):
        window.open_path(graph)
    person = Person(qtbot, window)
    person.wait(lambda: person.sky.scene.entities > 0)
    person.rest()
    return person


def entities_of(person: Person) -> Entities:
    panel = person.panel("entities")
    assert isinstance(panel, Entities)
    return panel


def entity(person: Person, name: str) -> str:
    scene = person.sky.scene
    return next(id for id, node in scene.index.items() if scene.labels[node] == name)


def test_selection_chips_search_archived_zoom_and_place_are_there_again(
    qtbot: QtBot, windows: list[MainWindow], graph: Path, tmp_path: Path
) -> None:
    person = start(qtbot, windows, graph, tmp_path / "w.ini")
    harbor = entity(person, "Harbor Ledger")
    person.context.selection.select_entity(harbor)
    entities_of(person).chips.choose("project")
    entities_of(person).archived.trigger()
    person.context.actions.run("sky.archived")
    person.search("Harbor")
    person.rest()
    person.sky.look_at((12.0, 34.0, 1.5))
    before = person.sky.place
    person.window.close()

    again = start(qtbot, windows, graph, tmp_path / "w.ini")
    again.wait(lambda: again.context.selection.entity_id == harbor)
    again.rest()
    assert again.window.top.search.text() == again.context.selection.search == "Harbor"
    assert entities_of(again).chips.keys == ("project",)
    assert entities_of(again).archived.isChecked()
    assert again.sky.shows_archived
    assert again.sky.place == pytest.approx(before)
    again.wait(lambda: entities_of(again).rows.rowCount() == 1)


def test_what_is_gone_meanwhile_is_not_selected(
    qtbot: QtBot, windows: list[MainWindow], graph: Path, tmp_path: Path
) -> None:
    person = start(qtbot, windows, graph, tmp_path / "w.ini")
    person.context.selection.select_entity("gone")
    person.window.close()
    again = start(qtbot, windows, graph, tmp_path / "w.ini")
    QTest.qWait(50)
    assert again.context.selection.entity_id == ""


def test_another_graph_does_not_inherit_the_search(
    qtbot: QtBot, windows: list[MainWindow], graph: Path, empty_graph: Path, tmp_path: Path
) -> None:
    person = start(qtbot, windows, graph, tmp_path / "w.ini")
    person.search("Harbor")
    with qtbot.waitSignal(person.window.graph_shown):
        person.window.open_path(empty_graph)
    assert person.window.top.search.text() == ""
