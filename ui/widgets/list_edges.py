"""How lists and columns end at their edges: whole rows, or a fade where a text goes on."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPaintEvent, QRegion
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractScrollArea,
    QPlainTextEdit,
    QTableView,
    QWidget,
)

TALL = 64
"""A row of which more than this is in sight is cut: hiding it would leave a hole, in pixels."""
FADE = 22
"""The height of a fade, in pixels."""
_INSIDE = 4
"""Where a row is looked for, in pixels from the left."""


class WholeRows(QObject):
    """Hides the row that the foot of a list would cut in two.

    The place of the hidden part is the list's own ground and takes no clicks.
    """

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view
        view.viewport().installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802
        # Whatever moves rows (a reading, a fold, a scroll, another height) paints them.
        if event.type() in (QEvent.Type.Paint, QEvent.Type.Resize):
            self._hide_cut_row()
        return False

    def _hide_cut_row(self) -> None:
        viewport = self._view.viewport()
        end = whole_end(self._view)
        shown = QRegion(0, 0, viewport.width(), end)
        if end == viewport.height():
            if not viewport.mask().isEmpty():
                viewport.clearMask()
        elif viewport.mask() != shown:
            viewport.setMask(shown)


def whole_end(view: QAbstractItemView) -> int:
    """The lower end of the last row that is whole, in pixels of the viewport; its height if no
    row is cut there, or if the cut one is the first in sight or a tall one."""
    height = view.viewport().height()
    row = cut_row(view)
    return row.top() if row.top() > 0 and height - row.top() <= TALL else height


def cut_row(view: QAbstractItemView) -> QRect:
    """The row that the foot of the viewport cuts; an empty one with top 0 if none is."""
    height = view.viewport().height()
    index = view.indexAt(QPoint(_INSIDE, height - 1))
    if not index.isValid():
        return QRect(0, 0, 0, 0)
    row = view.visualRect(index)
    return row if row.bottom() >= height else QRect(0, 0, 0, 0)


class WholeRowTable(QTableView):
    """A table that begins with a whole row also at its end.

    Qt scrolls a table row by row, but at the end lets the last row touch the foot and cuts the
    first one instead.
    """

    def scrollContentsBy(self, dx: int, dy: int) -> None:  # noqa: N802
        super().scrollContentsBy(dx, dy)
        self._begin_with_a_row()

    def updateGeometries(self) -> None:  # noqa: N802
        super().updateGeometries()
        self._begin_with_a_row()

    def _begin_with_a_row(self) -> None:
        header, at = self.verticalHeader(), self.verticalScrollBar().value()
        if 0 <= at < header.count() and header.offset() != header.sectionPosition(at):
            header.setOffsetToSectionPosition(at)
            self.viewport().update()


class Fades(QObject):
    """Lets a scrolled text fade out at the edge behind which it goes on."""

    def __init__(self, area: QAbstractScrollArea) -> None:
        super().__init__(area)
        self._area = area
        self._made: dict[bool, _Fade] = {}
        area.viewport().installEventFilter(self)
        bar = area.verticalScrollBar()
        bar.valueChanged.connect(self._arrange)
        bar.rangeChanged.connect(self._arrange)

    @property
    def top(self) -> "_Fade":
        """The upper one."""
        return self._fade(upwards=True)

    @property
    def foot(self) -> "_Fade":
        """The lower one."""
        return self._fade(upwards=False)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._arrange()
        return False

    def _arrange(self) -> None:
        bar = self._area.verticalScrollBar()
        for upwards, shown in ((True, bar.value() > bar.minimum()),
                               (False, bar.value() < bar.maximum())):
            # Most texts are never long enough to be scrolled.
            if shown or upwards in self._made:
                self._fade(upwards=upwards).place(self._area.viewport().geometry(), shown=shown)

    def _fade(self, *, upwards: bool) -> "_Fade":
        if upwards not in self._made:
            self._made[upwards] = _Fade(self._area, upwards=upwards)
        return self._made[upwards]


class _Fade(QWidget):
    def __init__(self, area: QAbstractScrollArea, *, upwards: bool) -> None:
        super().__init__(area)
        self._upwards = upwards
        # A text has a ground of its own, a column that of what it lies in.
        self._ground = area.viewport() if isinstance(area, QPlainTextEdit) else self
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def place(self, viewport: QRect, *, shown: bool) -> None:
        """Lie over the edge of this viewport, or be hidden."""
        high = min(FADE, viewport.height() // 3)
        top = viewport.top() if self._upwards else viewport.bottom() + 1 - high
        self.setGeometry(viewport.left(), top, viewport.width(), high)
        self.setVisible(shown)
        self.raise_()

    @property
    def ground(self) -> QColor:
        """What it fades to."""
        return self._ground.palette().color(self._ground.backgroundRole())

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        ground = self.ground
        clear = QColor(ground)
        clear.setAlpha(0)
        colors = (ground, clear) if self._upwards else (clear, ground)
        gradient = QLinearGradient(0, 0, 0, self.height())
        gradient.setColorAt(0, colors[0])
        gradient.setColorAt(1, colors[1])
        QPainter(self).fillRect(self.rect(), gradient)
