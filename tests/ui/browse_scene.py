"""A small graph to browse, and the hands that tests of the lists and the inspector share."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.queries.entities import find_entity
from core.store.reader_and_writer import Writer
from core.workspace import Workspace
from tests.core.graphs import Graph
from tests.templates import copy_graph
from ui.main_window import MainWindow
from ui.panels.entities import Entities
from ui.panels.entity_list_view import EntityView
from ui.panels.inspector.panel import Inspector
from ui.panels.pins import Pins

AT = "2026-03-01T10:00:00.000Z"
HOSTILE = "<img src=x onerror=alert(1)><b>bold</b> \u202eevil\u202c \U0001f71a & <script>"
# Qt's offscreen platform says this of every popup; it means nothing.
OPENS_A_MENU = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


def fill(graph: Graph) -> None:
    """Eight entities of four types; the settlement job has all that an entity can have."""
    ledger = graph.entity("Harbor Ledger", "project", id="ledger", mentions=41)
    ines = graph.entity("Ines Duarte", "person", id="ines", mentions=24)
    graph.entity("NAS", "system", id="nas", mentions=17)
    job = graph.entity("settlement job", "system", id="job", mentions=14,
                       description="The nightly run that pays out.")
    graph.entity("Postgres", "system", id="postgres", mentions=11)
    graph.entity(HOSTILE, "tool", id="hostile", mentions=5)
    graph.entity("printer", "tool", id="printer", mentions=3, muted=1)
    graph.entity("old sandbox", "system", id="old", mentions=2, status="archived",
                 archived_at=AT, archived_by="you", archive_reason="no longer used")
    graph.alias(job, "the settler")
    _fill_job(graph, job)
    graph.link(job, ledger, "part_of", id="whole", strength=0.9)
    graph.link(job, "postgres", "depends_on", strength=0.8)
    graph.link(ines, job, "maintains", strength=0.7)
    graph.memory("Ines moved the run to 02:00.", job, who="claude-code")
    other = graph.aspect("nas", "disks")
    graph.value(other, "Checks the bank file every Sunday", "scrub")


def _fill_job(graph: Graph, job: str) -> None:
    schedule = graph.aspect(job, "schedule", 0.82, id="schedule")
    graph.history(schedule, "start_time", "at 00:00", "at 01:00", "at 02:00 UTC")
    graph.value(schedule, "40 minutes", "window", id="window")
    graph.value(schedule, "Mondays", "days", id="monday", importance=0.6)
    graph.value(schedule, "Tuesdays", "days", id="tuesday", importance=0.6)
    graph.value(schedule, "Oslo", "zone", group="clock", id="zone")
    graph.value(schedule, "It was once an hour later", id="loose")
    failure = graph.aspect(job, "failure", 0.61, id="failure")
    graph.value(failure, "Never settle before the bank file is signed", "signed", id="signed",
                kind="constraint", importance=0.9)
    graph.value(failure, "Pages Ines", "page", id="page")
    graph.proposal("set_claim_value", {"entity": "settlement job", "aspect": "schedule",
                                       "claim_key": "window", "value": "50 minutes"})


def write_scene(path: Path) -> Path:
    return copy_graph(_write, path)


def _write(workspace: Workspace) -> None:
    workspace.write("Set up", lambda writer: fill(Graph(writer, AT)))


def write_elsewhere(path: Path, change: Callable[[Writer], object]) -> None:
    """Write as another process would: over a connection of its own."""
    workspace = Workspace.open(path)
    workspace.write("Elsewhere", change)
    workspace.close()


def settled(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until nothing runs in the background."""
    session = window.session
    assert session is not None
    qtbot.waitUntil(lambda: session.runner.idle)


def entities_of(window: MainWindow) -> Entities:
    panel = window.panel("entities")
    assert isinstance(panel, Entities)
    return panel


def pins_of(window: MainWindow) -> Pins:
    panel = window.panel("pins")
    assert isinstance(panel, Pins)
    return panel


def inspector_of(window: MainWindow) -> Inspector:
    panel = window.panel("inspector")
    assert isinstance(panel, Inspector)
    return panel


def names_in(view: EntityView) -> list[str]:
    """The names that a list shows, from the top."""
    model = view.model()
    rows = [view.row_at(model.index(at, 0)) for at in range(model.rowCount())]
    return [row.name for row in rows if row is not None]


def middle_of(view: EntityView, name: str) -> QPoint:
    """The middle of a row, once the window is laid out."""
    QApplication.processEvents()
    index = view.model().index(names_in(view).index(name), 0)
    view.scrollTo(index)
    return view.visualRect(index).center()


def star_of(view: EntityView, name: str) -> QPoint:
    """Where a row's star is clicked."""
    return QPoint(20, middle_of(view, name).y())


def click(view: EntityView, at: QPoint) -> None:
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)


def select(qtbot: QtBot, window: MainWindow, name: str) -> str:
    """Select an entity as the sky would, and wait until all panels follow."""
    session = window.session
    assert session is not None
    with session.workspace.read() as reader:
        row = find_entity(reader, name, archived=True)
    session.selection.select_entity(row.id)
    qtbot.waitUntil(lambda: session.selection.entity is not None)
    settled(qtbot, window)
    return row.id
