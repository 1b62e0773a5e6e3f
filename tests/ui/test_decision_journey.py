"""What a person decides is what the agent is told: by clicks alone, on the demo graph, and back."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTabBar, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from explorer.demo import build_demo
from tests.ui.review_scene import settled, wait_card, wait_status
from ui.main_window import MainWindow
from ui.panels.agent_view.panel import AgentView
from ui.panels.proposals.panel import Proposals

LEFT = Qt.MouseButton.LeftButton
PROPOSAL = "26e31f80-f65e-52e1-b255-d1e36ebe1fff"
NEW = "Starts every night at 03:30 UTC since the clock change"
OLD = "Because the bank export moved, the settlement job starts every night at 02:00 UTC."
QUESTION = "When does the settlement job start?"


class Decision:
    """The person's path through the window; `look` is called at each step with its name."""

    def __init__(
        self, qtbot: QtBot, window: MainWindow, look: Callable[[str], object] = lambda name: None
    ) -> None:
        self.qtbot, self.window, self.look = qtbot, window, look

    def go(self) -> None:
        """Ask, decide, ask, take it back, ask."""
        self.ask()
        self.check(OLD, NEW, "1-before")
        self.open_proposal()
        self.look("2-proposal")
        self.click(self.proposals.bar.buttons["apply"])
        wait_status(self.qtbot, self.window, PROPOSAL, "applied")
        self.rest()
        self.check(NEW, OLD, "3-after")
        self.click(self.button("edit.undo"))
        wait_status(self.qtbot, self.window, PROPOSAL, "pending")
        self.rest()
        self.check(OLD, NEW, "4-undone")

    @property
    def proposals(self) -> Proposals:
        panel = self.window.panel("proposals")
        assert isinstance(panel, Proposals)
        return panel

    @property
    def agent_view(self) -> AgentView:
        panel = self.window.panel("agent_view")
        assert isinstance(panel, AgentView)
        return panel

    def ask(self) -> None:
        self.open_tab("What the agent sees")
        self.qtbot.waitUntil(lambda: self.agent_view.face == "ready")
        self.click(self.agent_view.ask.question)
        QTest.keyClicks(self.agent_view.ask.question, QUESTION)
        self.rest()

    def open_proposal(self) -> None:
        self.open_tab("Proposals")
        queue = self.proposals.queue
        self.qtbot.waitUntil(lambda: PROPOSAL in queue.order)
        index = queue.list.lines.index_of(PROPOSAL)
        queue.list.scrollTo(index)
        QTest.mouseClick(queue.list.viewport(), LEFT, pos=queue.list.visualRect(index).center())
        wait_card(self.qtbot, self.proposals, PROPOSAL)
        self.rest()

    def check(self, told: str, not_told: str, name: str) -> None:
        """The agent view says one value as true and not the other, in the list and in the text."""
        self.open_tab("What the agent sees")
        self.qtbot.waitUntil(lambda: self.holds(told, not_told))
        self.rest()
        self.look(name)

    def holds(self, told: str, not_told: str) -> bool:
        panel = self.agent_view
        lines = [*panel.injected.source.splitlines(), *(row.text for row in panel.memories.rows
                                                        if not row.quiet)]
        return (sum(line.endswith(told) for line in lines) == 2
                and not any(line.endswith(not_told) for line in lines))

    def open_tab(self, title: str) -> None:
        for bar in self.window.findChildren(QTabBar):
            for at in range(bar.count()):
                if bar.isVisible() and bar.tabText(at).startswith(title):
                    QTest.mouseClick(bar, LEFT, pos=bar.tabRect(at).center())
                    assert bar.currentIndex() == at
                    self.rest()
                    return
        pytest.fail(f"no tab {title}")

    def button(self, action: str) -> QToolButton:
        wanted = self.window.actions_.action(action)
        return next(one for one in self.window.top.findChildren(QToolButton)
                    if one.defaultAction() is wanted)

    def click(self, widget: QWidget) -> None:
        assert widget.isVisible()
        assert widget.isEnabled()
        QTest.mouseClick(widget, LEFT)

    def rest(self) -> None:
        session = self.window.session
        assert session is not None
        self.qtbot.waitUntil(lambda: not session.bridge._pause.isActive()
                             and not self.agent_view.ask._pause.isActive())
        settled(self.qtbot, self.window)


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    return build_demo(tmp_path / "demo.db")


def test_an_applied_proposal_is_what_the_agent_sees_and_undo_takes_it_back(
    qtbot: QtBot, opened: MainWindow
) -> None:
    opened.resize(1440, 1000)
    opened.activateWindow()
    Decision(qtbot, opened).go()
