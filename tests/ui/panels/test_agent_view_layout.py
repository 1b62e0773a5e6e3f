"""What the agent sees is whole in a window of usual size: fields, question, comparison."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.workspace import Workspace
from tests.core.graphs import Graph
from tests.ui.agent_scene import agent_panel  # noqa: F401 - the fixture `panel`
from tests.ui.browse_scene import OPENS_A_MENU, select, settled
from tests.ui.panels.test_agent_view import AT, ask, choose, fill
from ui.main_window import MainWindow
from ui.panels.agent_view.panel import AgentView

LEFT = Qt.MouseButton.LeftButton
SIZES = ((1280, 800), (1440, 900))
LONG = "what must be signed before the rent release of the harbor ledger"


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    path = tmp_path / "graph.db"
    workspace = Workspace.open(path, create=True)
    workspace.write("Set up", lambda writer: fill(Graph(writer, AT)))
    workspace.close()
    return path


def assert_whole(widget: QWidget) -> None:
    """Nothing of it lies outside of what holds it, and it has the height it needs."""
    wanted = widget.minimumSizeHint().height()
    if widget.hasHeightForWidth():
        wanted = widget.heightForWidth(widget.width())
    assert widget.height() >= wanted, widget
    parent = widget.parentWidget()
    assert parent is not None
    assert parent.rect().contains(widget.geometry()), widget


@OPENS_A_MENU
@pytest.mark.parametrize("size", SIZES)
def test_a_comparison_cuts_neither_the_fields_nor_its_result(
    qtbot: QtBot, opened: MainWindow, panel: AgentView, size: tuple[int, int]
) -> None:
    opened.resize(*size)
    ask(qtbot, opened, panel, "ledger")
    select(qtbot, opened, "Harbor Ledger")
    choose(panel, "★")
    qtbot.waitUntil(lambda: panel.compare.words.isVisible()
                    and panel.compare.words.text().startswith("No difference"))
    QTest.qWait(1)
    for part in (panel.ask.project, panel.ask.question, panel.ask.session, panel.compare.chip,
                 panel.compare.words, panel.compare.act, panel.ask, panel.compare):
        assert_whole(part)


def test_a_small_window_shows_what_is_injected_below_its_heads(
    qtbot: QtBot, opened: MainWindow, panel: AgentView
) -> None:
    opened.resize(1024, 700)
    ask(qtbot, opened, panel, "ledger")
    view = panel.injected.view
    assert view.viewport().height() >= 6 * view.fontMetrics().height()
    assert panel.compare.start.isVisible()
    assert_whole(panel.compare.start)
    assert panel.compare.start.y() < view.y()


def test_a_long_question_shows_its_start_when_left_and_whole_as_tooltip(
    qtbot: QtBot, opened: MainWindow, panel: AgentView
) -> None:
    field = panel.ask.question
    QTest.mouseClick(field, LEFT)
    QTest.keyClicks(field, LONG)
    assert field.cursorPosition() == len(LONG)
    QTest.keyClick(field, Qt.Key.Key_Tab)
    assert not field.hasFocus()
    assert field.cursorPosition() == 0
    assert LONG in field.toolTip()
    settled(qtbot, opened)
