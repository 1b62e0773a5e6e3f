"""The tabs that a narrow window has no room for: in a menu at the end of their row."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QMenu, QTabBar, QToolButton

from ui.widgets.buttons import on_click
from ui.widgets.labels import set_tip

_EDGE = 8


class MoreTabs(QToolButton):
    """Shows as many tabs whole as there is room for, the one in front always, none cut.

    Args:
        bar: the row of tabs; it is followed.
        badge_of: the number on the tab of a title, empty for none.
        choose: brings the panel of a title to the front.
    """

    def __init__(
        self, bar: QTabBar, badge_of: Callable[[str], str], choose: Callable[[str], object]
    ) -> None:
        super().__init__(bar)
        self._bar, self._badge_of, self._choose = bar, badge_of, choose
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.setProperty("role", "small")
        self.setMenu(QMenu(self))
        self.menu().aboutToShow.connect(self._fill)
        self.hide()
        bar.currentChanged.connect(self.fit)
        bar.installEventFilter(self)

    @property
    def titles(self) -> list[str]:
        """The tabs that are only in the menu."""
        return [self._bar.tabText(at) for at in range(self._bar.count())
                if not self._bar.isTabVisible(at)]

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() in (QEvent.Type.Resize, QEvent.Type.StyleChange):
            self.fit()
        return False

    def fit(self, *_: object) -> None:
        """Choose anew which tabs are shown."""
        bar, tabs = self._bar, range(self._bar.count())
        for at in tabs:
            if not bar.isTabVisible(at):  # Else Qt would forget to lay out what was shown before.
                bar.setTabVisible(at, True)
        widths = [bar.tabRect(at).width() for at in tabs]
        left: list[int] = []
        if sum(widths) > bar.width():
            left = self._left_out(widths)
        for at in left:
            bar.setTabVisible(at, False)
        self.setVisible(bool(left))
        if left:
            self._say()

    def _left_out(self, widths: list[int]) -> list[int]:
        """The last tabs, but for the one in front, until the rest and this button have room."""
        # The number may grow by a figure; the button is never wider than with two.
        self.setText("88 more ▾")
        room = self._bar.width() - self.sizeHint().width() - 2 * _EDGE
        left: list[int] = []
        for at in reversed(range(len(widths))):
            if sum(widths) - sum(widths[each] for each in left) <= room:
                break
            if at != self._bar.currentIndex():
                left.append(at)
        return left

    def _say(self) -> None:
        titles = self.titles
        self.setText(f"{len(titles)} more ▾")
        words = [f"{title} ({number})" if (number := self._badge_of(title)) else title
                 for title in titles]
        set_tip(self, "\n".join(words))
        self.setAccessibleName("More: " + ", ".join(words))
        size = self.sizeHint().boundedTo(QSize(self._bar.width(), self._bar.height()))
        self.setGeometry(self._bar.width() - size.width() - _EDGE,
                         (self._bar.height() - size.height()) // 2, size.width(), size.height())
        self.raise_()

    def _fill(self) -> None:
        menu = self.menu()
        menu.clear()
        for title in self.titles:
            number = self._badge_of(title)
            line = menu.addAction(f"{title}\t{number}" if number else title)
            on_click(line, self._choose, title)
