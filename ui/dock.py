"""One dock: a panel's place with a flat title, or a tab with a number."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QTabBar, QToolButton, QWidget

from ui.panel import Panel
from ui.theme import Theme, icon
from ui.widgets.labels import Badge, label, set_tip

TITLE_HEIGHT = 28


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
    """A flat title; its buttons appear under the mouse. Folded to nothing where a tab says it."""

    def __init__(self, theme: Theme, dock: QDockWidget) -> None:
        super().__init__(dock)
        self.setObjectName("DockTitle")
        self._theme = theme
        self._dock = dock
        self._folded = False
        self.words = label(dock.windowTitle())
        self._float = self._button("Take out of the window", "float")
        self._close = self._button("Close", "close")
        self._float.clicked.connect(self._toggle_floating)
        self._close.clicked.connect(dock.close)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 4, 6, 0)
        row.setSpacing(0)
        row.addWidget(self.words, 1)
        row.addWidget(self._float)
        row.addWidget(self._close)
        theme.changed.connect(self._tint)
        self._tint()
        self._show_buttons(False)

    def fold(self, folded: bool) -> None:
        self._folded = folded
        self.words.setVisible(not folded)
        self._show_buttons(not folded and self.underMouse())
        self.setFixedHeight(0 if folded else TITLE_HEIGHT)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(40, 0 if self._folded else TITLE_HEIGHT)

    def sizeHint(self) -> QSize:  # noqa: N802
        return self.minimumSizeHint()

    def enterEvent(self, event: QEnterEvent) -> None:  # noqa: N802
        self._show_buttons(not self._folded)
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        self._show_buttons(False)
        super().leaveEvent(event)

    def _button(self, words: str, name: str) -> QToolButton:
        button = QToolButton(self)
        button.setProperty("sign", name)
        button.setAccessibleName(f"{words}: {self._dock.windowTitle()}")
        button.setIconSize(QSize(13, 13))
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        set_tip(button, words)
        return button

    def _show_buttons(self, shown: bool) -> None:
        self._float.setVisible(shown)
        self._close.setVisible(shown)

    def _toggle_floating(self) -> None:
        self._dock.setFloating(not self._dock.isFloating())

    def _tint(self) -> None:
        for button in (self._float, self._close):
            button.setIcon(icon(self._theme, button.property("sign")))


class Dock(QDockWidget):
    """One panel's place."""

    def __init__(self, kind: type[Panel], theme: Theme, parent: QWidget) -> None:
        super().__init__(kind.title, parent)
        self.kind = kind
        self.badge = ""
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
