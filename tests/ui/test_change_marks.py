"""Changes in the real window: what is different is marked in the sky, and told in the list."""

import time
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.ontology import control
from core.past.compared_states import note_visit
from core.queries.graph_difference import CHANGES
from core.store.reader_and_writer import Writer
from core.workspace import Workspace
from tests.core.graphs import Graph
from tests.ui.browse_scene import settled
from ui.constellation.sky_loader import Sky
from ui.main_window import MainWindow
from ui.panels.changes_since_visit import WhatChanged

pytestmark = pytest.mark.usefixtures("every_panel")

BOT = "claude via MCP"


@pytest.fixture
def window(sky_window: MainWindow) -> MainWindow:
    return sky_window


def rank(star: str, value: str) -> dict[str, str]:
    return {"entity": star, "aspect": "rank", "claim_key": "brightness", "value": value}


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    """A visit; since then an agent has added a star, a value has changed, and a star has gone.

    Another agent knows one of the stars otherwise, and one more.
    """
    path = tmp_path / "graph.db"
    workspace = Workspace.open(path, create=True)

    def fill(writer: Writer) -> None:
        made = Graph(writer)
        for name in ("Vega", "Deneb", "Altair"):
            made.entity(name, id=name.lower())
        made.link("deneb", "altair")
        control.apply(writer, "set_claim_value", rank("Vega", "second"))
    workspace.write("Import notes", fill)
    note_visit(workspace)
    time.sleep(0.01)  # Times are kept to the millisecond.
    workspace.write("Set", lambda writer: control.apply(
        writer, "set_claim_value", rank("Vega", "first")))
    workspace.write("Archive", lambda writer: control.apply(
        writer, "archive_entity", {"entity": "Deneb"}))
    workspace.write("remember", lambda writer: Graph(
        writer, "2099-01-01T10:00:00.000Z").entity("Sirius", id="sirius", updated_by=BOT),
        actor=BOT)
    workspace.with_agent("work")
    workspace.write("Other", lambda writer: [Graph(writer).entity(name, id=f"w-{name}")
                                             for name in ("Vega", "Rigel")])
    workspace.close()
    return path


def marked(window: MainWindow) -> dict[str, str]:
    """What the sky marks, and how; what is not in the sky by its name."""
    sky = window.sky()
    assert isinstance(sky, Sky)
    marks = sky._state.overlay().marks
    if marks is None:
        return {}
    drawn = {sky.scene.ids[node]: CHANGES[code]
             for node, code in zip(marks.nodes.tolist(), marks.codes.tolist(), strict=True)}
    return drawn | {name: CHANGES[code] for name, code in
                    zip(marks.labels, marks.absent_codes.tolist(), strict=True)}


def test_the_sky_marks_what_is_new_and_while_states_are_compared_what_is_different(
    qtbot: QtBot, opened: MainWindow
) -> None:
    settled(qtbot, opened)
    qtbot.waitUntil(lambda: marked(opened) == {"sirius": "added"})
    opened.actions_.run("view.since")
    since = {"sirius": "added", "vega": "changed", "Deneb": "gone"}
    qtbot.waitUntil(lambda: marked(opened) == since)
    panel = opened.docks.panel("changes")
    assert isinstance(panel, WhatChanged)
    assert {row.mark for row in panel.list.rows if not row.head} == {
        "+ added", "△ changed", "− gone"}
    qtbot.waitUntil(lambda: panel.other.count() > 1)
    panel.other.setFocus()
    QTest.keyClick(panel.other, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: panel.compared is not None and panel.compared.other == "work")
    qtbot.waitUntil(lambda: marked(opened).get("Rigel") == "added")
    assert {row.mark for row in panel.list.rows if not row.head} == {
        "+ only work", "− only default"}
    assert marked(opened)["vega"] == "changed"
    assert panel.summary.text().startswith("default and work: ")
    QTest.keyClick(panel.other, Qt.Key.Key_Up)
    qtbot.waitUntil(lambda: marked(opened) == since)
    opened.show_panel("activity")
    qtbot.waitUntil(lambda: marked(opened) == {"sirius": "added"})
    opened.switch_agent("work")  # Which has never been looked at.
    settled(qtbot, opened)
    inbox = opened.docks.panel("inbox")
    qtbot.waitUntil(lambda: inbox.face == "ready")
    assert marked(opened) == {}
    panel = opened.show_panel("changes")
    assert isinstance(panel, WhatChanged)
    qtbot.waitUntil(panel.other.isVisible)
    assert panel.summary.text().startswith("Nothing to compare with yet")
    qtbot.waitUntil(lambda: panel.other.count() > 1)
    panel.other.setFocus()
    QTest.keyClick(panel.other, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: panel.summary.text().startswith("work and default: "))
