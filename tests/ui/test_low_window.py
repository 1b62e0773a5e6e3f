"""In a window of 800 x 500 the lists of the bottom show three rows at least, each on one line."""

from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QTableView
from pytestqt.qtbot import QtBot

from tests.ui.conftest import settle
from tests.ui.inbox_scene import write_inbox
from tests.ui.review_scene import review_graph, review_ids  # noqa: F401 - fixtures
from ui.main_window import MainWindow
from ui.panels.agent_view.panel import AgentView
from ui.panels.inbox import HOLD_SHORT, InboxPanel
from ui.widgets.two_line_rows import LOW_HEAD, LOW_ROW, TwoLineRows

pytestmark = pytest.mark.usefixtures("every_panel")

SMALL, USUAL = QSize(800, 500), QSize(1440, 900)


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    return write_inbox(tmp_path / "graph.db")


def whole_rows(view: QAbstractItemView) -> int:
    """How many rows without a head are whole in sight."""
    if isinstance(view, QTableView):
        return view.viewport().height() // view.rowHeight(0)
    seen = [view.model().index(at, 0) for at in range(view.model().rowCount())]
    return sum(view.viewport().rect().contains(view.visualRect(index)) for index in seen
               if index.flags() & Qt.ItemFlag.ItemIsSelectable)


def make_low(qtbot: QtBot, window: MainWindow) -> None:
    """From a usual size, as the docks then take the sizes of a small window."""
    for size in (USUAL, SMALL):
        window.resize(size)
        settle(qtbot, window)
        QTest.qWait(1)


def test_the_inbox_shows_three_items_in_a_low_window_and_all_its_buttons(
    qtbot: QtBot, opened: MainWindow
) -> None:
    panel = opened.show_panel("inbox")
    assert isinstance(panel, InboxPanel)
    qtbot.waitUntil(lambda: panel.face == "ready")
    make_low(qtbot, opened)
    qtbot.waitUntil(lambda: whole_rows(panel.list) >= 3)
    assert panel.held.text() == HOLD_SHORT
    assert "Hold back what" in panel.held.toolTip()
    assert len({button.y() for button in (*panel.buttons.values(), panel.held)}) <= 2
    assert all(panel.rect().contains(button.geometry().translated(button.parentWidget().pos()))
               for button in panel.buttons.values())
    opened.resize(USUAL)
    qtbot.waitUntil(lambda: panel.held.text().startswith("Hold back what"))
    first = panel.list.lines.index(1)
    qtbot.waitUntil(lambda: panel.list.visualRect(first).height() == 42)


def test_what_the_agent_sees_shows_three_memories_in_a_low_window_and_the_rest_by_tabs(
    qtbot: QtBot, opened: MainWindow
) -> None:
    panel = opened.show_panel("agent_view")
    assert isinstance(panel, AgentView)
    qtbot.waitUntil(lambda: panel.face == "ready")
    make_low(qtbot, opened)
    qtbot.waitUntil(lambda: panel.views.folded)
    need = LOW_HEAD + 3 * LOW_ROW
    qtbot.waitUntil(lambda: panel.memories.viewport().height() >= need)
    assert panel.memories.width() > 0.9 * SMALL.width()
    parts = (panel.focal, panel.memories, panel.injected, panel.reasons)
    for tab, part in zip(panel.views.tabs, parts, strict=True):
        QTest.mouseClick(tab, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda part=part: [each.isVisible() for each in parts]
                        == [each is part for each in parts])
    opened.resize(USUAL)
    qtbot.waitUntil(lambda: all(part.isVisible() for part in parts))
    assert not panel.views.tabs[0].isVisible()


@pytest.mark.parametrize("name", ["activity", "health", "proposals"])
def test_a_row_of_two_lines_is_one_line_where_three_have_no_room(
    qtbot: QtBot, opened: MainWindow, name: str
) -> None:
    panel = opened.show_panel(name)
    view = next(view for view in panel.findChildren(QAbstractItemView)
                if isinstance(view.itemDelegate(), TwoLineRows))
    make_low(qtbot, opened)
    qtbot.waitUntil(lambda: view.itemDelegate().low)
    high = (view.verticalHeader().defaultSectionSize if isinstance(view, QTableView)
            else lambda: min(view.sizeHintForRow(at) for at in range(view.model().rowCount())))
    if isinstance(view, QTableView) or view.model().rowCount():
        assert high() <= LOW_ROW
    opened.resize(USUAL)
    qtbot.waitUntil(lambda: not view.itemDelegate().low)
    if isinstance(view, QTableView):
        qtbot.waitUntil(lambda: high() > LOW_ROW)
