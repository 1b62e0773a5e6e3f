"""One dock: a panel's frame with a flat title, or a tab with a number; and all their tabs."""

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import (
    QDockWidget,
    QMainWindow,
    QTabBar,
    QWidget,
)

from ui.more_tabs import MoreTabs
from ui.panel import Panel, PanelKind
from ui.theme import Theme
from ui.widgets.buttons import IconButton
from ui.widgets.labels import Badge, label
from ui.widgets.layouts import put, row_layout

TITLE_HEIGHT = 28
_TOP = 4
_MARGINS, _NO_MARGINS = (14, _TOP, 6, 0), (0, 0, 0, 0)


def put_badge(bar: QTabBar, at: int, dock: "Dock") -> None:
    """Show the dock's number on its tab, or take it away."""
    side = QTabBar.ButtonPosition.RightSide
    shown = bar.tabButton(at, side)
    if not dock.badge:
        if isinstance(shown, Badge):
            bar.setTabButton(at, side, None)
            shown.deleteLater()
        return
    tone = "proposal" if dock.kind.name == "proposals" else ""
    if isinstance(shown, Badge):
        if shown.text() != dock.badge:
            shown.set_badge(dock.badge, tone)
            shown.adjustSize()
            bar.setTabButton(at, side, shown)
            # Qt hides what was there before, even if it is the same.
            shown.show()
        return
    badge = Badge(dock.badge, tone, bar)
    badge.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    badge.adjustSize()
    bar.setTabButton(at, side, badge)


class DockTitle(QWidget):
    """A flat title; its buttons appear under the mouse. Folded to nothing where a tab says it.

    Its size follows from what lies in it: Qt asks for it a thousand times while docks are put in
    their places, and each time the window's thread had to wait for the others here.
    """

    def __init__(self, theme: Theme, dock: QDockWidget) -> None:
        super().__init__(dock)
        self.setObjectName("DockTitle")
        self._folded = False
        title = dock.windowTitle()
        self.words = label(title)
        self.words.setFixedHeight(TITLE_HEIGHT - _TOP)
        self.words.setMinimumWidth(1)
        self._float = IconButton(
            theme, "float", "Detach", lambda: dock.setFloating(not dock.isFloating()),
            name=f"Detach: {title}", pixels=13)
        self._close = IconButton(theme, "close", "Close", dock.close, name=f"Close: {title}",
                                 pixels=13)
        for button in (self._float, self._close):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._row = row_layout(self, _MARGINS, 0)
        put(self._row, (self.words, 1), self._float, self._close)
        self._show_buttons(False)

    def fold(self, folded: bool) -> None:
        self._folded = folded
        self.words.setVisible(not folded)
        self._show_buttons(not folded and self.underMouse())
        self._row.setContentsMargins(*(_NO_MARGINS if folded else _MARGINS))
        self.setFixedHeight(0 if folded else TITLE_HEIGHT)

    def enterEvent(self, event: QEnterEvent) -> None:  # noqa: N802
        self._show_buttons(not self._folded)
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        self._show_buttons(False)
        super().leaveEvent(event)

    def _show_buttons(self, shown: bool) -> None:
        self._float.setVisible(shown)
        self._close.setVisible(shown)


class Dock(QDockWidget):
    """One panel's place."""

    def __init__(self, kind: PanelKind, theme: Theme, parent: QWidget) -> None:
        super().__init__(kind.title, parent)
        self.kind = kind
        self.badge = ""
        self.alone = False
        """It has the window for itself, so that it needs no title."""
        self.setObjectName(f"dock.{kind.name}")
        self.title = DockTitle(theme, self)
        self.setTitleBarWidget(self.title)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    @property
    def in_sight(self) -> bool:
        """Whether its panel can be seen. A dock behind another's tab counts as visible for Qt,
        which only moves it out of the window."""
        seen = self.panel or self
        return seen.isVisible() and not seen.visibleRegion().isEmpty()

    @property
    def panel(self) -> Panel | None:
        widget = self.widget()
        return widget if isinstance(widget, Panel) else None


class DockTabs(QObject):
    """The tab bars that Qt makes for docks: folds titles, shows badges, follows clicks."""

    def __init__(self, window: QMainWindow, docks: Iterable[Dock]) -> None:
        super().__init__(window)
        self._window, self._docks = window, tuple(docks)
        self._more: dict[QTabBar, MoreTabs] = {}

    def refresh(self) -> None:
        """Fold the titles that a tab already says, and put the badges on the tabs."""
        for dock in self._docks:
            tabbed = bool(self._window.tabifiedDockWidgets(dock)) and not dock.isFloating()
            dock.title.fold(tabbed or dock.alone
                            or (not dock.kind.head and not dock.isFloating()))
        self._hide_left_behind()
        by_title = {dock.windowTitle(): dock for dock in self._docks}
        for bar in self._tab_bars():
            if bar.objectName() != "DockTabs":
                bar.setObjectName("DockTabs")
                bar.tabBarClicked.connect(partial(self._tab_clicked, bar))
                self._more[bar] = MoreTabs(bar, self._badge_of, self._bring)
            bar.setDrawBase(False)
            bar.setExpanding(False)
            bar.setElideMode(Qt.TextElideMode.ElideNone)
            bar.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            for index in range(bar.count()):
                tabbed_dock = by_title.get(bar.tabText(index))
                if tabbed_dock is not None:
                    put_badge(bar, index, tabbed_dock)
            self._more[bar].fit()

    def _badge_of(self, title: str) -> str:
        return next(dock.badge for dock in self._docks if dock.windowTitle() == title)

    def _bring(self, title: str) -> None:
        """The panel of a tab that was only in the menu: to the front, with the keyboard."""
        for dock in self._docks:
            if dock.windowTitle() == title:
                dock.raise_()
        QTimer.singleShot(0, self, lambda: self._go_on_in(title))

    def _tab_clicked(self, bar: QTabBar, index: int) -> None:
        """Who clicks a tab, also the one in front, goes on in its panel."""
        title = bar.tabText(index)
        # The panel of another tab comes to the front only after this.
        QTimer.singleShot(0, self, lambda: self._go_on_in(title))

    def _go_on_in(self, title: str) -> None:
        for dock in self._docks:
            if dock.windowTitle() == title and dock.in_sight and dock.panel is not None:
                dock.panel.focus()

    def _tab_bars(self) -> list[QTabBar]:
        bars = self._window.findChildren(
            QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
        return [bar for bar in bars if not bar.isHidden()]

    def _hide_left_behind(self) -> None:
        """Hide the tab bars that Qt has replaced by others and left in the window.

        Only a bar in use follows when the title of a dock changes.
        """
        titles = [title for bar in self._tab_bars() for title in _tabs(bar)]
        if len(titles) == len(set(titles)):
            return
        for dock in self._docks:
            dock.setWindowTitle(f"{dock.kind.title}…")
        for bar in self._tab_bars():
            # Qt may come back to it, so it is not deleted.
            bar.setVisible(any(title.endswith("…") for title in _tabs(bar)))
        for dock in self._docks:
            dock.setWindowTitle(dock.kind.title)


def _tabs(bar: QTabBar) -> list[str]:
    return [bar.tabText(index) for index in range(bar.count())]
