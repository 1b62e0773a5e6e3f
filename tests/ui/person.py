"""Somebody in front of the window, with a mouse, a keyboard and eyes."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from core.model.entity import EntityRow
from core.queries.entities import entities_by_id
from core.workspace import Workspace
from ui.constellation.sky_loader import Sky
from ui.context import Context
from ui.dialogs.allow_file_changes import PermissionDialog
from ui.main_window import MainWindow
from ui.panel import Panel
from ui.panels.entities import Entities
from ui.panels.entity_list_view import EntityView

LEFT, NONE, CTRL = (Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier,
                    Qt.KeyboardModifier.ControlModifier)
LONG = 60_000
"""Milliseconds; how slow a machine may be."""


class Person:
    """Does nothing but click, press keys and look."""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        self.qtbot, self.window = qtbot, window
        self.questions: list[PermissionDialog] = []

    @property
    def context(self) -> Context:
        assert self.window.session is not None
        return self.window.session.context

    @property
    def workspace(self) -> Workspace:
        return self.context.workspace

    @property
    def sky(self) -> Sky:
        found = self.window.sky()
        assert isinstance(found, Sky)
        return found

    def wait(self, until: Callable[[], object]) -> None:
        self.qtbot.waitUntil(until, timeout=LONG)

    def rest(self) -> None:
        """Until nothing runs in the background and nothing is about to."""
        session = self.window.session
        assert session is not None
        QApplication.processEvents()
        self.wait(lambda: not session.bridge._pause.isActive() and session.runner.idle
                  and not self.sky._next.isActive())

    def click(self, widget: QWidget, at: QPoint | None = None) -> None:
        assert widget.isVisible(), f"{widget} can't be seen"
        assert widget.isEnabled(), f"{widget} can't be clicked"
        QTest.mouseClick(widget, LEFT, NONE, at or widget.rect().center())

    def key(self, key: Qt.Key, modifier: Qt.KeyboardModifier = NONE) -> None:
        QTest.keyClick(self.window.focusWidget() or self.window, key, modifier)

    def open_tab(self, title: str) -> None:
        for bar in self.window.findChildren(QTabBar):
            for at in range(bar.count()):
                if bar.tabText(at) == title:
                    self.click(bar, bar.tabRect(at).center())
                    self.rest()
                    return
        pytest.fail(f"no tab {title}")

    def panel(self, name: str) -> Panel:
        return self.window.panel(name)

    def row(self, entity_id: str) -> EntityRow:
        with self.workspace.read() as reader:
            return entities_by_id(reader, [entity_id])[entity_id]

    def answer(self, *, yes: bool) -> None:
        """Answer the question for permission, which must be there."""
        self.wait(lambda: bool(self.questions) and self.questions[-1].isVisible())
        dialog = self.questions[-1]
        self.click(dialog.allow_button if yes else dialog.refuse_button)
        # A window manager would do this.
        self.window.activateWindow()
        self.wait(self.window.isActiveWindow)
        self.rest()

    # -- the list ----------------------------------------------------------------------------

    def search(self, text: str) -> None:
        entities = self._entities()
        QTest.keyClick(self.window, Qt.Key.Key_Slash)
        assert self.window.focusWidget() is self.window.top.search
        self.window.top.search.selectAll()
        QTest.keyClicks(self.window.top.search, text)
        self.wait(lambda: entities.rows.filter.text == text and self.context.runner.idle)

    def click_row(self, view: EntityView, row: int, x: int = 120) -> None:
        index = view.model().index(row, 0)
        view.scrollTo(index)
        at = view.visualRect(index).center()
        self.click(view.viewport(), QPoint(x, at.y()))

    def find(self, entity_id: str) -> None:
        """Search an entity by its name, click on it, and clear the search."""
        entities = self._entities()
        if self.context.selection.entity_id != entity_id:
            self.search(self.row(entity_id).name)
            self.wait(lambda: entities.rows.row_of(entity_id) >= 0)
            self.click_row(entities.list, entities.rows.row_of(entity_id))
            QTest.keyClick(self.window.top.search, Qt.Key.Key_Escape)
        self.wait(lambda: self.context.selection.entity is not None
                  and self.context.selection.entity.id == entity_id)
        self.rest()

    def _entities(self) -> Entities:
        found = self.panel("entities")
        assert isinstance(found, Entities)
        return found
