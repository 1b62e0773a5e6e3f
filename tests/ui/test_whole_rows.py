"""No list of the window cuts a row at its edges, and no text ends there without a sign."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, QPoint, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QWidget
from pytestqt.qtbot import QtBot

from core.model.text_formatting import one_line
from core.ontology import control
from core.store.reader_and_writer import Writer
from core.workspace import Workspace
from tests.core.graphs import Graph, many
from tests.templates import copy_graph
from tests.ui.conftest import settle
from ui.main_window import MainWindow
from ui.panel import Panel
from ui.panels.inspector.tree import InspectorView
from ui.widgets.list_edges import TALL, Fades

pytestmark = pytest.mark.usefixtures("every_panel")

SIZES = (QSize(800, 500), QSize(1279, 797), QSize(1440, 900))
BOT = "claude via MCP"


def _fill(workspace: Workspace) -> None:
    workspace.write("Set up", _graph)
    workspace.write("Remember", _notes, actor=BOT)
    for number in range(12):
        workspace.write("Pin", partial(control.apply, operation="pin_entity",
                                       payload={"entity": f"e{number}"}))


def _graph(writer: Writer) -> None:
    many(Graph(writer), 40, aspects=4, values=16)
    for number in range(20):
        control.propose(writer, "rename_entity", {"entity": f"e{number}", "new_name": f"N{number}"},
                        reason="It is called so " * 20)


def _notes(writer: Writer) -> None:
    made = Graph(writer, "2099-01-01T10:00:00.000Z")
    for number in range(20):
        made.memory(f"Note {number}", f"e{number}", id=f"m{number}", updated_by=BOT)


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    return copy_graph(_fill, tmp_path / "graph.db")


def in_sight(widget: QWidget) -> bool:
    return widget.isVisible() and not widget.visibleRegion().isEmpty()


def rows_in_sight(view: QAbstractItemView) -> Iterator[tuple[int, int, str]]:
    """Top, lower end and words of each row that at least a pixel is shown of."""
    viewport = view.viewport()
    shown = viewport.height() if viewport.mask().isEmpty() else viewport.mask().boundingRect(
        ).height()
    at, seen = 0, QModelIndex()
    while at < shown:
        index = view.indexAt(QPoint(20, at))
        box = view.visualRect(index)
        if index.isValid() and index != seen:
            yield box.top(), box.bottom() + 1, f"{one_line(str(index.data()))} of {shown}"
        seen, at = index, max(at, box.bottom()) + 1


def cut_rows(view: QAbstractItemView, *, by_pixels: bool) -> list[str]:
    """Rows of which a part is hidden; those that one can scroll through by pixels may be tall."""
    viewport = view.viewport()
    shown = viewport.height() if viewport.mask().isEmpty() else viewport.mask().boundingRect(
        ).height()
    return [f"{text}: {top} to {end}" for top, end, text in rows_in_sight(view)
            if (end > shown and not (by_pixels and shown - top > TALL))
            or (top < 0 and not by_pixels)]


def all_cut(panel: QWidget) -> list[str]:
    """Cut rows of all lists in sight, at their start, their end and in between."""
    faults = []
    for view in panel.findChildren(QAbstractItemView):
        if not in_sight(view) or view.viewport().height() < 60 or view.model() is None:
            continue
        bar = view.verticalScrollBar()
        for place in {0, 1, bar.maximum() // 2, bar.maximum()}:
            bar.setValue(place)
            view.grab()
            faults += [f"{view.accessibleName()} at {place} of {bar.maximum()}: {row}" for row in
                       cut_rows(view, by_pixels=isinstance(view, InspectorView))]
        bar.setValue(0)
    return faults


def without_a_sign(panel: Panel) -> list[str]:
    """Scrolled texts that go on behind an edge and do not fade there."""
    theme = panel.context.theme
    grounds = {theme.color(token).name() for token in ("surface", "raised")}
    return [f"{area.accessibleName()} {bar.value()} of {bar.maximum()}"
            for fades in panel.findChildren(Fades)
            for area in [fades.parent()] if in_sight(area)
            for bar in [area.verticalScrollBar()]
            if fades.foot.ground.name() not in grounds
            or fades.foot.isVisible() != (bar.value() < bar.maximum())
            or fades.top.isVisible() != (bar.value() > 0)]


def test_lists_end_with_whole_rows_and_texts_fade_at_every_size(
    qtbot: QtBot, opened: MainWindow
) -> None:
    faults, lists = [], set()
    QTest.keyClick(opened.panel("entities").list, Qt.Key.Key_Home)
    for name in sorted(opened.docks.names):
        panel = opened.show_panel(name)
        for size in SIZES:
            opened.resize(size)
            settle(qtbot, opened)
            QTest.qWait(1)
            where = f"{name} at {size.width()} x {size.height()}"
            faults += [f"{where}: {fault}" for fault in all_cut(panel) + without_a_sign(panel)]
            lists |= {view.accessibleName() for view in panel.findChildren(QAbstractItemView)
                      if in_sight(view) and view.verticalScrollBar().maximum() > 0}
    assert not faults, "\n".join(faults)
    assert {"Entities", "Pending proposals", "Changes", "What is known", "What is new",
            "Findings", "Claims of the entity"} <= lists, lists
