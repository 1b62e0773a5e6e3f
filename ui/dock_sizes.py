"""How much of the window each area of docks gets; a small window leaves more to the sky."""

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtWidgets import QMainWindow, QStyle

from ui.dock import Dock
from ui.top_bar import HEIGHT

SMALL = QSize(1000, 620)
"""A window that is narrower or lower than this is small, in logical pixels."""
AREAS = ("left", "right", "bottom")
WIDTHS = {"left": 268, "right": 346}
SMALL_WIDTHS = {"left": 208, "right": 268}
BOTTOM_SHARE, SMALL_BOTTOM_SHARE = 0.33, 0.37
LEFT_SHARES = (3, 1)
_LEAST_SKY = 0.4
"""Of the window's width: with less, sizes that were kept are not those of a small window."""


class DockSizes(QObject):
    """Gives the docks other sizes when the window becomes small, and theirs again after it.

    Args:
        docks: all of them.
        docks_in: those of an area.
        hold: True while the sizes are not to be touched.
    """

    def __init__(
        self, window: QMainWindow, docks: Iterable[Dock],
        docks_in: Callable[[str], Sequence[Dock]], hold: Callable[[], bool],
    ) -> None:
        super().__init__(window)
        self._window, self._docks_in, self._hold = window, docks_in, hold
        self._small, self._head = self.small, HEIGHT
        self._large: dict[str, list[QSize]] = {}
        """The sizes of the docks in sight while the window was not small, by area."""
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._note)
        for watched in (window, *docks):
            watched.installEventFilter(self)

    @property
    def small(self) -> bool:
        """Whether the window is a small one now."""
        return (self._window.width() < SMALL.width() or self._window.height() < SMALL.height())

    def put(self) -> None:
        """The sizes of a first start, for the window as it is now."""
        self._small, self._head = self.small, self._head_height()
        widths = SMALL_WIDTHS if self._window.width() < SMALL.width() else WIDTHS
        for area, width in widths.items():
            self._resize(self._docks_in(area)[:1], [width], Qt.Orientation.Horizontal)
        low = self._window.height() < SMALL.height()
        # A strip under the top bar takes from what is below it, the lists of the left last.
        strips = max(0, self._head_height() - HEIGHT) if low else 0
        bottom = round((self._window.height() - 3 * strips)
                       * (SMALL_BOTTOM_SHARE if low else BOTTOM_SHARE))
        self._resize(self._docks_in("bottom")[:1], [bottom], Qt.Orientation.Vertical)
        left = self._docks_in("left")[:len(LEFT_SHARES)]
        rest = self._window.height() - bottom
        self._resize(left, [rest * share // sum(LEFT_SHARES)
                            for share in LEFT_SHARES[:len(left)]], Qt.Orientation.Vertical)

    def check_kept(self) -> None:
        """After sizes were put back: those of a large window are not kept in a small one."""
        self._small = self.small
        sky = self._window.centralWidget()
        if self._small and sky is not None and sky.width() < _LEAST_SKY * self._window.width():
            self.put()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.Resize:
            if watched is self._window and self.small != self._small and not self._hold():
                self._change()
            head = self._window.menuWidget()
            if watched is self._window and head is not None:
                head.installEventFilter(self)
            elif watched is head and self._small and not self._hold() and (
                    self._head_height() != self._head):
                self.put()  # A strip under the top bar has come or gone.
            # Several docks change their size in one layout.
            self._soon.start()
        return False

    def _change(self) -> None:
        self.put()
        if not self._small:
            self._put_back()

    def _head_height(self) -> int:
        """What the top bar and the strips under it take."""
        head = self._window.menuWidget()
        return head.height() if head is not None else 0

    def _note(self) -> None:
        if not self._small and not self.small and not self._hold():
            self._large = {area: [self._room(dock) for dock in self._in_sight(area)]
                           for area in AREAS}

    def _put_back(self) -> None:
        for area, sizes in self._large.items():
            docks = self._in_sight(area)[:len(sizes)]
            self._resize(docks, [size.width() for size in sizes], Qt.Orientation.Horizontal)
            self._resize(docks, [size.height() for size in sizes], Qt.Orientation.Vertical)

    def _room(self, dock: Dock) -> QSize:
        """What a dock has, at the bottom with the tabs over it."""
        sky, edge = self._window.centralWidget(), self._window.style().pixelMetric(
            QStyle.PixelMetric.PM_DockWidgetSeparatorExtent, None, self._window)
        if dock.kind.area != "bottom" or sky is None:
            return dock.size()
        return QSize(dock.width(), dock.geometry().bottom() - sky.geometry().bottom() - edge)

    def _in_sight(self, area: str) -> list[Dock]:
        return [dock for dock in self._docks_in(area) if dock.in_sight and not dock.isFloating()]

    def _resize(
        self, docks: Sequence[Dock], sizes: Sequence[int], orientation: Qt.Orientation
    ) -> None:
        if docks:
            self._window.resizeDocks(list(docks), list(sizes)[:len(docks)], orientation)
