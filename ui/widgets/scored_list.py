"""A list of things with a score: what it says, how it came, and what a comparison says of it."""

from collections.abc import Sequence
from operator import attrgetter

from msgspec import Struct
from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyleOptionViewItem,
    QWidget,
)

from core.model.text_formatting import one_line
from ui.theme import Theme
from ui.widgets.glyph_paths import draw_diamond
from ui.widgets.labels import tip
from ui.widgets.line_list_model import LineModel, LineRole
from ui.widgets.row_delegate import MARGIN, RIGHT, set_up_view
from ui.widgets.two_line_rows import LOW_HEAD, LOW_ROW, TwoLineRows

Index = QModelIndex | QPersistentModelIndex
HEAD_SIZE, ROW_SIZE = QSize(80, 30), QSize(80, 42)
LOW_HEAD_SIZE, LOW_ROW_SIZE = QSize(80, LOW_HEAD), QSize(80, LOW_ROW)
SCORE = 42
"""The room of a row's score, in pixels."""
LEAST_BESIDE = 70
"""With less room beside a row's words nothing stands there, in pixels."""
SCORES = {"✓": "good", "✗": "bad"}
"""The colour of a sign in the place of a score."""
MARKS = {"+": "good", "−": "bad", "↑": "good", "↓": "bad"}
"""The colour of a mark by its sign."""


class ScoredRow(Struct, frozen=True):
    """A line of the list.

    Attributes:
        score: as it is written; empty for what has none.
        mark: what a comparison says, its sign first: `+ with pin`.
        quiet: drawn soft, as what does not count now.
        stays: not struck out, though its mark is a minus.
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
    stays: bool = False
    head: bool = False
    sign: str = ""
    kind: str = ""

    @property
    def key(self) -> str:
        """What it is known by from one reading to the next; empty for a head."""
        return "" if self.head else f"{self.kind} {self.id}"

    @property
    def spoken(self) -> str:
        """What a screen reader says."""
        parts = (self.mark, self.score, one_line(self.text), self.below)
        return ", ".join(part for part in parts if part)

    @property
    def tip(self) -> str:
        """All of its words."""
        return "" if self.head else tip(
            "\n".join(part for part in (self.text, self.below, self.why) if part))


class ScoredDelegate(TwoLineRows):
    """Draws a line: score, words over path, mark."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802
        if index.data(LineRole).head:
            return LOW_HEAD_SIZE if self.low else HEAD_SIZE
        return LOW_ROW_SIZE if self.low else ROW_SIZE

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: ScoredRow = index.data(LineRole)
        painter.save()
        if row.head:
            room = option.rect.adjusted(MARGIN, 0 if self.low else 4, -MARGIN, 0)
            self.text(painter, room, row.text, self.head, "text.soft")
            self.text(painter, room, row.below, self.small, "text.soft", 0, RIGHT)
        else:
            self.ground(painter, option)
            self._paint_row(painter, option.rect, row)
        painter.restore()

    def _paint_row(self, painter: QPainter, rect: QRect, row: ScoredRow) -> None:
        self._paint_score(painter, QRect(rect.left() + MARGIN, rect.top(), SCORE, rect.height()),
                          row)
        room = rect.adjusted(MARGIN + SCORE, 0, -MARGIN, 0)
        if row.mark:
            tone = MARKS.get(row.mark[:1], "text.soft")
            used = self.text(painter, room, row.mark, self.small, tone, 0, RIGHT)
            room.adjust(0, 0, -used - 12, 0)
        gone = row.mark.startswith("−") and not row.stays
        if row.below and self.low:
            room = self._paint_beside(painter, room, row.below)
        two = bool(row.below) and not self.low
        words = QRect(room.left(), room.top() + 4, room.width(), 18) if two else room
        self.text(painter, words, row.text, self.struck if gone else self.body,
                  "text.soft" if row.quiet or gone else "text")
        if two:
            self.text(painter, QRect(room.left(), room.top() + 22, room.width(), 15),
                      row.below, self.small, "text.soft")

    def _paint_beside(self, painter: QPainter, room: QRect, words: str) -> QRect:
        """What else stands below, at the right of the line; returns the room that is left."""
        most = room.width() // 3
        if most < LEAST_BESIDE:
            return room
        used = self.text(painter, room.adjusted(room.width() - most, 0, 0, 0), words, self.small,
                         "text.soft", 0, RIGHT)
        return room.adjusted(0, 0, -used - 12, 0)

    def _paint_score(self, painter: QPainter, box: QRect, row: ScoredRow) -> None:
        if row.sign == "constraint":
            spot = QRectF(box.left() + 2, box.top(), 10, box.height())
            draw_diamond(painter, spot, self.theme.color("constraint"))
        else:
            tone = SCORES.get(row.score, "accent")
            self.text(painter, box, row.score, self.bold, "text.soft" if row.quiet else tone)


class ScoredList(QListView):
    """The list: a click or the arrow keys look at a line, Enter or a double click open it."""

    looked_at = Signal(object)
    """The line under the mouse, else the current one; None for none."""
    opened = Signal(object)

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._looked: ScoredRow | None = None
        self.lines = LineModel(attrgetter("key"), attrgetter("spoken"), self, attrgetter("tip"))
        self.setModel(self.lines)
        self.setItemDelegate(ScoredDelegate(theme, self))
        set_up_view(self, name)
        self.doubleClicked.connect(self._open)

    @property
    def rows(self) -> tuple[ScoredRow, ...]:
        return self.lines.lines

    def show_rows(self, rows: Sequence[ScoredRow]) -> None:
        """Show these lines; the current one and the place stay."""
        current, scrolled = self.current, self.verticalScrollBar().value()
        # Qt would go on to a neighbour of a line that is taken out.
        self.selectionModel().blockSignals(True)
        self.lines.set_lines(rows)
        self.setCurrentIndex(self.lines.index_of(current.key if current is not None else ""))
        self.selectionModel().blockSignals(False)
        self.viewport().update()
        self.verticalScrollBar().setValue(scrolled)
        self._look(self.current)

    def go_to_mark(self) -> None:
        """Bring the first line that a comparison marks into sight."""
        marked = [at for at, row in enumerate(self.rows) if row.mark[:1] in ("+", "−")]
        if marked:
            self.scrollTo(self.lines.index(marked[0]),
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
        row = index.data(LineRole) if index.isValid() else None
        return row if isinstance(row, ScoredRow) and not row.head else None

    def _look(self, row: ScoredRow | None) -> None:
        if row != self._looked:
            self._looked = row
            self.looked_at.emit(row)

    def _open(self, index: Index) -> None:
        row = self._row(index)
        if row is not None:
            self.opened.emit(row)
