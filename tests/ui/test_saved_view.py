"""What a person looked at is there again after closing and opening the window."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.embedding.word_vectors import WordEmbedder
from core.projection.worker import Worker
from core.workspace import Workspace
from tests.ui.conftest import flush_deletions
from tests.ui.person import Person
from ui.constellation.sky_loader import Sky
from ui.main_window import MainWindow
from ui.panels.claim_history.panel import ClaimHistory
from ui.panels.entities import Entities
from ui.preferences import Preferences
from ui.theme import load_theme
from ui.window_services import WindowServices

pytestmark = pytest.mark.usefixtures("every_panel")


class Desk:
    """Where the same person opens a window again and again; the layout's process is shared."""

    def __init__(self, qtbot: QtBot, worker: Worker, ini: Path) -> None:
        self._qtbot, self._worker, self._ini = qtbot, worker, ini
        self._embedder = WordEmbedder()
        self.windows: list[MainWindow] = []

    def open(self, graph: Path, type_at_once: str = "") -> Person:
        preferences = Preferences(self._ini)
        preferences.motion = "reduced"
        window = MainWindow(load_theme("dusk"), preferences, WindowServices(
            make_demo=lambda: self._ini,
            make_sky=lambda context: Sky(context, self._worker, self._embedder)))
        self.windows.append(window)
        if type_at_once:
            window.graph_shown.connect(lambda _: _type(window, type_at_once))
        window.show()
        window.activateWindow()
        with self._qtbot.waitSignal(window.graph_shown):
            window.open_path(graph)
        person = Person(self._qtbot, window)
        person.wait(lambda: person.sky.scene.entities > 0)
        return person


def _type(window: MainWindow, text: str) -> None:
    window.focus_search()
    QTest.keyClicks(window.top.search, text)


@pytest.fixture
def desk(qtbot: QtBot, worker: Worker, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(qtbot, worker, tmp_path / "w.ini")
    yield made
    for window in made.windows:
        window.close()
        window.deleteLater()
    flush_deletions()


def entities_of(person: Person) -> Entities:
    panel = person.panel("entities")
    assert isinstance(panel, Entities)
    return panel


def entity(person: Person, name: str) -> str:
    scene = person.sky.scene
    return next(id for id, node in scene.index.items() if scene.labels[node] == name)


def claim_of(person: Person, entity_id: str) -> ClaimHistory:
    """The claim history, with the entity's claim chosen in its tree."""
    person.context.selection.select_entity(entity_id)
    panel = person.window.show_panel("claim_history")
    assert isinstance(panel, ClaimHistory)
    person.wait(lambda: panel.slot is not None and panel.slot.entity_id == entity_id)
    assert panel.slot is not None
    panel._went(panel.slot)
    person.wait(lambda: person.context.selection.slot == panel.slot)
    return panel


def test_selection_chips_search_archived_zoom_and_place_are_there_again(
    desk: Desk, graph: Path
) -> None:
    person = desk.open(graph)
    person.rest()
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

    again = desk.open(graph)
    again.wait(lambda: again.context.selection.entity_id == harbor)
    again.rest()
    assert again.window.top.search.text() == again.context.selection.search == "Harbor"
    assert entities_of(again).chips.keys == ("project",)
    assert entities_of(again).archived.isChecked()
    assert again.sky.shows_archived
    assert again.sky.place == pytest.approx(before)
    again.wait(lambda: entities_of(again).rows.rowCount() == 1)


def test_the_claim_whose_history_was_looked_at_is_there_again(desk: Desk, graph: Path) -> None:
    person = desk.open(graph)
    slot = claim_of(person, entity(person, "Harbor Ledger")).slot
    assert slot is not None
    person.window.close()
    again = desk.open(graph)
    again.wait(lambda: again.context.selection.slot == slot)
    panel = again.panel("claim_history")
    assert isinstance(panel, ClaimHistory)
    again.wait(lambda: panel.timeline.isVisible() and len(panel.timeline.rows) == 2)
    assert not again.context.selection.can_go_back, "it is where one begins"


def test_each_agent_has_a_look_of_its_own(desk: Desk, graph: Path) -> None:
    workspace = Workspace.open(graph, agent="other")
    workspace.write("Set up", lambda w: w.insert(
        "entities", id="theirs", name="Tide table", canonical_name="tide table",
        entity_type="source", agent_id="other", created_at=w.now(), updated_at=w.now()))
    workspace.close()
    person = desk.open(graph)
    harbor = entity(person, "Harbor Ledger")
    person.context.selection.select_entity(harbor)
    person.search("Harbor")
    person.window.switch_agent("other")
    person.wait(lambda: "theirs" in person.sky.scene.index)
    assert person.context.selection.entity_id == person.window.top.search.text() == ""
    person.context.selection.select_entity("theirs")
    person.window.switch_agent("default")
    person.wait(lambda: person.context.selection.entity_id == harbor)
    assert person.window.top.search.text() == "Harbor"
    person.window.close()

    again = desk.open(graph)
    again.wait(lambda: again.context.selection.entity_id == harbor)
    again.window.switch_agent("other")
    again.wait(lambda: again.context.selection.entity_id == "theirs")


def test_what_is_typed_as_soon_as_the_graph_is_there_is_searched(
    desk: Desk, graph: Path
) -> None:
    person = desk.open(graph, type_at_once="Harbor")
    person.wait(lambda: entities_of(person).rows.filter.text == "Harbor")
    person.rest()
    assert person.window.top.search.text() == person.context.selection.search == "Harbor"
    assert person.window.focusWidget() is person.window.top.search


def test_what_is_gone_meanwhile_is_not_selected(desk: Desk, graph: Path) -> None:
    person = desk.open(graph)
    person.context.selection.select_entity("gone")
    person.window.close()
    again = desk.open(graph)
    QTest.qWait(50)
    assert again.context.selection.entity_id == ""


def test_another_graph_does_not_inherit_the_search(
    qtbot: QtBot, desk: Desk, graph: Path, empty_graph: Path
) -> None:
    person = desk.open(graph)
    person.search("Harbor")
    with qtbot.waitSignal(person.window.graph_shown):
        person.window.open_path(empty_graph)
    assert person.window.top.search.text() == ""
