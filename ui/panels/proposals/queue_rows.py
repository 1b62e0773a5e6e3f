"""Draws the lines of the queue."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem, QTableView

from ui.models.review_queue import Heading, QueueRow
from ui.widgets.glyph_paths import painting
from ui.widgets.line_list_model import LineRole
from ui.widgets.row_delegate import MARGIN, RIGHT, ROW_HEIGHT
from ui.widgets.two_line_rows import LOW_ROW, TwoLineRows

TEXT_LEFT = 34
HEADING_TOP = 12
"""Above the words of a head, which stand near the rows below them."""
DOT = 5.0
STRONG_RISKS = ("high", "critical")

Index = QModelIndex | QPersistentModelIndex


class QueueRows(TwoLineRows):
    """A dot, two lines and a number; the second line shows risk and age on hover."""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:  # noqa: N802
        # Heads are as high as rows, so that thousands are laid out without asking for each.
        return QSize(120, LOW_ROW if self.low else ROW_HEIGHT)

    def lay_out_again(self) -> None:
        table = self.view
        assert isinstance(table, QTableView)
        table.verticalHeader().setDefaultSectionSize(LOW_ROW if self.low else ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line = index.data(LineRole)
        painter.save()
        if isinstance(line, Heading):
            self._paint_heading(painter, option.rect, line)
        elif isinstance(line, QueueRow):
            self._paint_row(painter, option, line)
        painter.restore()

    def _paint_heading(self, painter: QPainter, rect: QRect, line: Heading) -> None:
        inner = rect.adjusted(MARGIN, 0 if self.low else HEADING_TOP, -MARGIN, 0)
        self.text(painter, inner, line.text, self.head, "text.soft", 40)
        self.text(painter, inner, str(line.count), self.small, "text.soft", 0, RIGHT)

    def _paint_row(
        self, painter: QPainter, option: QStyleOptionViewItem, line: QueueRow
    ) -> None:
        rect, hovered = option.rect, bool(option.state & QStyle.StateFlag.State_MouseOver)
        self.ground(painter, option)
        self._dot(painter, rect, line)
        number = f"{line.confidence:.2f}" if line.confidence > 0 else ""
        inner = rect.adjusted(TEXT_LEFT, 3, -MARGIN, -3)
        top = QRect(inner.left(), inner.top(), inner.width(), 18)
        bottom = QRect(inner.left(), inner.top() + 17, inner.width(), 14)
        used = self.text(painter, top, line.title, self.body, "text", 44)
        self.text(painter, top, number, self.body, "text.soft", 0, RIGHT)
        strong = line.risk in STRONG_RISKS
        below = line.about if hovered else " · ".join(
            part for part in (line.target, line.wish) if part)
        if self.low:
            self.text(painter, top.adjusted(used + 10, 0, 0, 0), below, self.small, "text.soft", 44)
            return
        self.text(painter, bottom, below, self.small, "text.soft", 74 if strong else 0)
        if strong:
            self.text(painter, bottom, f"{line.risk} risk", self.small, "bad", 0, RIGHT)

    def _dot(self, painter: QPainter, rect: QRect, line: QueueRow) -> None:
        center = QPointF(rect.left() + MARGIN + DOT, rect.center().y() + 0.5)
        with painting(painter, self.theme.color("proposal")):
            if line.flagged:
                painter.drawRect(QRect(int(center.x()) - 4, int(center.y()) - 6, 2, 13))
                painter.drawRect(QRect(int(center.x()) - 2, int(center.y()) - 6, 8, 6))
            else:
                painter.drawEllipse(center, DOT, DOT)
