"""A list of things with a score: what it says, how it came, and what a comparison says of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from core.model.wording import one_line
from ui.theme import Theme, body_font
from ui.theme.apply_theme import CAPTION_PIXELS
from ui.widgets.glyph_paths import draw_diamond
from ui.widgets.labels import tip

Index = QModelIndex | QPersistentModelIndex
RowRole = int(Qt.ItemDataRole.UserRole) + 1
HEAD_HEIGHT, ROW_HEIGHT = 30, 42
LEFT, SCORE = 14, 42
"""Where a row begins, and the room of its score."""
AT_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
AT_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
MARKS = {"+": "good", "−": "bad", "↑": "good", "↓": "bad"}
"""The colour of a mark by its sign."""


@dataclass(frozen=True, slots=True)
class ScoredRow:
    """A line of the list.

    Attributes:
        score: as it is written; empty for what has none.
        mark: what a comparison says, its sign first: `+ with pin`.
        quiet: drawn soft, as what does not count now.
        head: it is a head over the lines below, `below` stands at its right.
        sign: `constraint` draws the diamond in the place of a score.
    """

    id: str
    text: str
    below: str = ""
    score: str = ""
    mark: str = ""
    why: str = ""
    quiet: bool = False
    head: bool = False
    sign: str = ""
    kind: str = ""

    @property
    def spoken(self) -> str:
        """What a screen reader says."""
        parts = (self.mark, self.score, one_line(self.text), self.below)
        return ", ".join(part for part in parts if part)


class ScoredRows(QAbstractListModel):
    """The lines."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[ScoredRow, ...] = ()

    def set_rows(self, rows: Sequence[ScoredRow]) -> None:
        if tuple(rows) != self.rows:
            self.beginResetModel()
            self.rows = tuple(rows)
            self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008, N802
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        if role == RowRole:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return one_line(row.text)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row.spoken
        if role == Qt.ItemDataRole.ToolTipRole and not row.head:
            return tip("\n".join(part for part in (row.text, row.below, row.why) if part))
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if index.isValid() and self.rows[index.row()].head:
            return Qt.ItemFlag.ItemIsEnabled
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


class ScoredDelegate(QStyledItemDelegate):
    """Draws a line: score, words over path, mark."""

    def __init__(self, view: QListView, theme: Theme) -> None:
        super().__init__(view)
        self._view, self._theme = view, theme
        self._body, self._small = body_font(), body_font(CAPTION_PIXELS)
        self._strong = body_font(weight=self._body.Weight.DemiBold)
        self._head = body_font(CAPTION_PIXELS, weight=self._body.Weight.DemiBold)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802
        row = index.data(RowRole)
        return QSize(80, HEAD_HEIGHT if row.head else ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: ScoredRow = index.data(RowRole)
        painter.save()
        if row.head:
            self._paint_head(painter, option.rect, row)
        else:
            self._paint_ground(painter, option)
            self._paint_row(painter, option.rect, row)
        painter.restore()

    def _paint_head(self, painter: QPainter, rect: QRect, row: ScoredRow) -> None:
        room = rect.adjusted(LEFT, 4, -LEFT, 0)
        painter.setFont(self._head)
        painter.setPen(self._theme.color("text.soft"))
        painter.drawText(room, AT_LEFT, row.text)
        painter.setFont(self._small)
        painter.drawText(room, AT_RIGHT, row.below)

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, self._theme.color("selected"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(option.rect, self._theme.color("hovered"))
        if option.state & QStyle.StateFlag.State_HasFocus and self._view.hasFocus():
            line = QRect(option.rect.left(), option.rect.top(), 2, option.rect.height())
            painter.fillRect(line, self._theme.color("accent"))

    def _paint_row(self, painter: QPainter, rect: QRect, row: ScoredRow) -> None:
        self._paint_score(painter, QRect(rect.left() + LEFT, rect.top(), SCORE, rect.height()),
                          row)
        room = rect.adjusted(LEFT + SCORE, 0, -LEFT, 0)
        if row.mark:
            room.adjust(0, 0, -self._paint_mark(painter, room, row.mark), 0)
        gone = row.mark.startswith("−")
        words = QRect(room.left(), room.top() + 4, room.width(), 18)
        if not row.below:
            words = room
        font = body_font() if gone else self._body
        font.setStrikeOut(gone)
        tone = "text.soft" if row.quiet or gone else "text"
        self._line(painter, words, row.text, font, tone)
        if row.below:
            self._line(painter, QRect(room.left(), room.top() + 22, room.width(), 15),
                       row.below, self._small, "text.soft")

    def _paint_score(self, painter: QPainter, box: QRect, row: ScoredRow) -> None:
        if row.sign == "constraint":
            spot = QRectF(box.left() + 2, box.top(), 10, box.height())
            draw_diamond(painter, spot, self._theme.color("constraint"))
            return
        painter.setFont(self._strong)
        painter.setPen(self._theme.color("text.soft" if row.quiet else "accent"))
        painter.drawText(box, AT_LEFT, row.score)

    def _paint_mark(self, painter: QPainter, room: QRect, mark: str) -> int:
        """The mark at the right; returns the room that it takes."""
        painter.setFont(self._small)
        painter.setPen(self._theme.color(MARKS.get(mark[:1], "text.soft")))
        painter.drawText(room, AT_RIGHT, mark)
        return QFontMetrics(self._small).horizontalAdvance(mark) + 12

    def _line(
        self, painter: QPainter, box: QRect, text: str, font: QFont, tone: str
    ) -> None:
        painter.setFont(font)
        painter.setPen(self._theme.color(tone))
        shown = QFontMetrics(font).elidedText(
            one_line(text), Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, AT_LEFT, shown)


class ScoredList(QListView):
    """The list: a click or the arrow keys look at a line, Enter or a double click open it."""

    looked_at = Signal(object)
    """The line under the mouse, else the current one; None for none."""
    opened = Signal(object)

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._looked: ScoredRow | None = None
        self.model_ = ScoredRows(self)
        self.setModel(self.model_)
        self.setItemDelegate(ScoredDelegate(self, theme))
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.doubleClicked.connect(self._open)
        theme.changed.connect(self.viewport().update)

    @property
    def rows(self) -> tuple[ScoredRow, ...]:
        return self.model_.rows

    def show_rows(self, rows: Sequence[ScoredRow]) -> None:
        """Show these lines; the current one and the place stay."""
        current, place = self.current, self.verticalScrollBar().value()
        self.model_.set_rows(rows)
        if current is not None:
            at = next((at for at, row in enumerate(rows)
                       if (row.kind, row.id) == (current.kind, current.id)), -1)
            if at >= 0:
                self.setCurrentIndex(self.model_.index(at, 0))
        self.verticalScrollBar().setValue(place)
        self._look(self.current)

    def go_to_mark(self) -> None:
        """Bring the first line that a comparison marks into sight."""
        marked = [at for at, row in enumerate(self.rows) if row.mark[:1] in ("+", "−")]
        if marked:
            self.scrollTo(self.model_.index(marked[0], 0),
                          QAbstractItemView.ScrollHint.PositionAtCenter)

    @property
    def current(self) -> ScoredRow | None:
        """The line that the keyboard is on."""
        return self._row(self.currentIndex())

    def currentChanged(self, current: Index, previous: Index) -> None:  # noqa: N802
        super().currentChanged(current, previous)
        self._look(self._row(current))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open(self.currentIndex())
        elif event.key() == Qt.Key.Key_Escape and self.current is not None:
            self.setCurrentIndex(QModelIndex())
        else:
            super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        super().mouseMoveEvent(event)
        self._look(self._row(self.indexAt(event.position().toPoint())) or self.current)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        super().leaveEvent(event)
        self._look(self.current)

    def _row(self, index: Index) -> ScoredRow | None:
        row = index.data(RowRole) if index.isValid() else None
        return row if isinstance(row, ScoredRow) and not row.head else None

    def _look(self, row: ScoredRow | None) -> None:
        if row != self._looked:
            self._looked = row
            self.looked_at.emit(row)

    def _open(self, index: Index) -> None:
        row = self._row(index)
        if row is not None:
            self.opened.emit(row)
