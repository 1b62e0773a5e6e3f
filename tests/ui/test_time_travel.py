"""A person goes through the time of the graph: the strip, what follows it, and what is refused."""

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from core.ontology import control
from core.past.compared_states import last_visit, note_visit
from core.store.reader_and_writer import stamp
from core.workspace import Workspace
from tests.core.graphs import Graph
from tests.ui.browse_scene import settled
from tests.ui.conftest import settle
from ui.constellation.sky_loader import Sky
from ui.main_window import MainWindow
from ui.panels.changes_since_visit import ALL_LIT, ONLY_THESE, WhatChanged
from ui.panels.entities import Entities
from ui.panels.pins import EMPTY_THEN
from ui.widgets.time_bar import DaySlider

TODAY = datetime.now(UTC)


def days_ago(days: int) -> str:
    return stamp(TODAY - timedelta(days=days))


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    """Imported knowledge of a hundred days, and a pin and a value of today."""
    path = tmp_path / "graph.db"
    workspace = Workspace.open(path, create=True)
    workspace.write("Import notes", lambda writer: [
        Graph(writer, at=days_ago(days)).entity(name, id=name.lower())
        for name, days in (("Vega", 100), ("Deneb", 50), ("Altair", 10))])
    note_visit(workspace)
    time.sleep(0.01)  # Times are kept to the millisecond, and what is of the same one was seen.
    workspace.write("Set", lambda writer: control.apply(writer, "set_claim_value", {
        "entity": "Vega", "aspect": "rank", "claim_key": "brightness", "value": "first"}))
    workspace.close()
    return path


def names(window: MainWindow) -> set[str]:
    panel = window.docks.panel("entities")
    assert isinstance(panel, Entities)
    model = panel.list.model()
    return {str(model.index(row, 0).data()).split(",")[0] for row in range(model.rowCount())}


def listed(qtbot: QtBot, window: MainWindow, *wanted: str) -> None:
    qtbot.waitUntil(lambda: {name for name in ("Vega", "Deneb", "Altair")
                             if any(name in text for text in names(window))} == set(wanted))


def go_back(qtbot: QtBot, window: MainWindow, days: int) -> None:
    """Open the strip with its button, and drag the slider."""
    if not window.time.is_open:
        QTest.keyClick(window, Qt.Key.Key_H, Qt.KeyboardModifier.ControlModifier
                       | Qt.KeyboardModifier.ShiftModifier)
        qtbot.waitUntil(window.time_bar.isVisible)
    window.time_bar.slider.setValue(window.time_bar.slider.maximum() - days)


def test_the_sky_of_another_moment_is_read_without_a_breath_between(
    qtbot: QtBot, sky_window: MainWindow, graph: Path
) -> None:
    with qtbot.waitSignal(sky_window.graph_shown):
        sky_window.open_path(graph)
    settle(qtbot, sky_window)
    sky = sky_window.sky()
    assert isinstance(sky, Sky)
    for days, there in ((20, {"Vega", "Deneb"}), (70, {"Vega"}), (20, {"Vega", "Deneb"})):
        sky._not_before = time.monotonic() + 3600  # As after a load that took very long.
        go_back(qtbot, sky_window, days)
        qtbot.waitUntil(lambda there=there: set(sky.scene.labels) & {
            "Vega", "Deneb", "Altair"} == there)


def test_the_panels_follow_the_slider_and_escape_returns_to_now(
    qtbot: QtBot, opened: MainWindow
) -> None:
    settled(qtbot, opened)
    assert not opened.time_bar.isVisible()
    listed(qtbot, opened, "Vega", "Deneb", "Altair")
    for days, wanted in ((70, ("Vega",)), (20, ("Vega", "Deneb")), (90, ("Vega",))):
        go_back(qtbot, opened, days)
        listed(qtbot, opened, *wanted)
        assert opened.time_bar.words.text().startswith("As of ")
    opened.setFocus()
    QTest.keyClick(opened, Qt.Key.Key_Escape)
    listed(qtbot, opened, "Vega", "Deneb", "Altair")
    assert not opened.time_bar.isVisible()


def test_nothing_is_changed_in_the_past_and_it_is_said_why(
    qtbot: QtBot, opened: MainWindow
) -> None:
    settled(qtbot, opened)
    go_back(qtbot, opened, 70)
    listed(qtbot, opened, "Vega")
    assert opened.session is not None
    # The panels may have read the past a moment before the actions are locked.
    for action in ("edit.undo", "entities.new", "operation.set_claim_value"):
        qtbot.waitUntil(lambda name=action: not opened.actions_.action(name).isEnabled())
    QTest.keyClick(opened, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert "this is the graph as of" in opened.toast.text
    pins = opened.docks.panel("pins")
    qtbot.waitUntil(
        lambda: any(EMPTY_THEN in words.text() for words in pins.findChildren(QLabel)))
    opened.time.leave()
    listed(qtbot, opened, "Vega", "Deneb", "Altair")
    qtbot.waitUntil(opened.actions_.action("edit.undo").isEnabled)


def test_the_time_lapse_ends_at_now(qtbot: QtBot, opened: MainWindow) -> None:
    settled(qtbot, opened)
    go_back(qtbot, opened, 3)
    listed(qtbot, opened, "Vega", "Deneb", "Altair")
    opened.time_bar.speed.click()
    opened.time_bar.speed.click()
    opened.time_bar.play.click()
    assert opened.time.playing
    qtbot.waitUntil(lambda: not opened.time.playing)
    assert opened.time_bar.is_now
    settled(qtbot, opened)
    assert opened.session is not None
    assert opened.session.workspace.past is None


def test_what_is_new_since_the_last_visit_is_one_click(qtbot: QtBot, opened: MainWindow) -> None:
    settled(qtbot, opened)
    opened.actions_.run("view.since")
    panel = opened.docks.panel("changes")
    assert isinstance(panel, WhatChanged)
    qtbot.waitUntil(lambda: bool(panel.list.rows))
    assert [(row.text, row.mark) for row in panel.list.rows if not row.head] == [
        ("first", "+ added")]
    assert panel.narrow.text() == ONLY_THESE
    assert panel._highlight._light[0] == ("vega",)
    QTest.mouseClick(panel.narrow, Qt.MouseButton.LeftButton)
    assert panel.narrow.text() == ALL_LIT
    assert panel._highlight._light[0] == ()
    panel.list.opened.emit(panel.list.rows[1])
    assert opened.session is not None
    assert opened.session.selection.entity_id == "vega"
    workspace = opened.session.workspace
    before = last_visit(workspace)
    path = workspace.path
    opened.close_graph()
    again = Workspace.open(path)
    after = last_visit(again)
    again.close()
    assert before is not None
    assert after is not None
    assert after > before


def test_switching_the_agent_ends_a_visit_of_the_one_before(
    qtbot: QtBot, opened: MainWindow
) -> None:
    settled(qtbot, opened)
    assert opened.session is not None
    workspace = opened.session.workspace
    before, agent = last_visit(workspace), workspace.agent
    opened.switch_agent("another")
    settled(qtbot, opened)
    assert last_visit(workspace) is None, "the other agent's is not over yet"
    opened.switch_agent(agent)
    settled(qtbot, opened)
    after = last_visit(workspace)
    assert before is not None
    assert after is not None
    assert after > before


def test_a_click_on_the_strip_goes_to_the_day_under_it(qtbot: QtBot) -> None:
    slider = DaySlider(Qt.Orientation.Horizontal)
    qtbot.addWidget(slider)
    slider.setRange(0, 400)
    slider.setValue(400)
    slider.resize(401, 24)
    qtbot.mouseClick(slider, Qt.MouseButton.LeftButton, pos=QPoint(200, 12))
    assert abs(slider.value() - 200) <= 4
