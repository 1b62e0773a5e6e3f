"""Draws the lines of the queue."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from core.model.wording import one_line
from ui.models.queue_list import LineRole
from ui.models.review_queue import Heading, QueueRow
from ui.theme import Theme, body_font
from ui.theme.apply_theme import CAPTION_PIXELS

ROW_HEIGHT = 38
HEADING_HEIGHT = 26
MARGIN = 14
TEXT_LEFT = 34
DOT = 5.0
STRONG_RISKS = ("high", "critical")

State = QStyle.StateFlag
Index = QModelIndex | QPersistentModelIndex
LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class QueueRows(QStyledItemDelegate):
    """A dot, two lines and a number; the second line tells risk and age under the mouse."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._body = body_font()
        self._small = body_font(CAPTION_PIXELS)
        self._head = body_font(CAPTION_PIXELS, weight=QFont.Weight.DemiBold)
        theme.changed.connect(parent.update)

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802
        heading = isinstance(index.data(LineRole), Heading)
        return QSize(120, HEADING_HEIGHT if heading else ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line = index.data(LineRole)
        painter.save()
        if isinstance(line, Heading):
            self._paint_heading(painter, option.rect, line)
        elif isinstance(line, QueueRow):
            self._paint_row(painter, option, line)
        painter.restore()

    def _paint_heading(self, painter: QPainter, rect: QRect, line: Heading) -> None:
        inner = rect.adjusted(MARGIN, 4, -MARGIN, 0)
        self._text(painter, inner, line.text, self._head, "text.soft", 40)
        self._text(painter, inner, str(line.count), self._small, "text.soft", 0, RIGHT)

    def _paint_row(
        self, painter: QPainter, option: QStyleOptionViewItem, line: QueueRow
    ) -> None:
        rect, hovered = option.rect, bool(option.state & State.State_MouseOver)
        if option.state & State.State_Selected:
            painter.fillRect(rect, self._theme.color("selected"))
        elif hovered:
            painter.fillRect(rect, self._theme.color("hovered"))
        if option.state & State.State_HasFocus:
            painter.fillRect(QRect(rect.left(), rect.top(), 2, rect.height()),
                             self._theme.color("accent"))
        self._dot(painter, rect, line)
        number = f"{line.confidence:.2f}"
        inner = rect.adjusted(TEXT_LEFT, 3, -MARGIN, -3)
        top = QRect(inner.left(), inner.top(), inner.width(), 18)
        bottom = QRect(inner.left(), inner.top() + 17, inner.width(), 14)
        self._text(painter, top, line.title, self._body, "text", 44)
        self._text(painter, top, number, self._body, "text.soft", 0, RIGHT)
        strong = line.risk in STRONG_RISKS
        below = line.about if hovered else line.target
        self._text(painter, bottom, below, self._small, "text.soft", 74 if strong else 0)
        if strong:
            self._text(painter, bottom, f"{line.risk} risk", self._small, "bad", 0, RIGHT)

    def _dot(self, painter: QPainter, rect: QRect, line: QueueRow) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("proposal"))
        center = QPointF(rect.left() + MARGIN + DOT, rect.center().y() + 0.5)
        if line.flagged:
            painter.drawRect(QRect(int(center.x()) - 4, int(center.y()) - 6, 2, 13))
            painter.drawRect(QRect(int(center.x()) - 2, int(center.y()) - 6, 8, 6))
        else:
            painter.drawEllipse(center, DOT, DOT)

    def _text(
        self, painter: QPainter, rect: QRect, text: str, font: QFont, token: str, room: int,
        flags: int = LEFT,
    ) -> None:
        """One line of text that leaves `room` at its right, cut where it does not fit."""
        width = max(0, rect.width() - room)
        painter.setFont(font)
        painter.setPen(self._theme.color(token))
        mode = Qt.TextElideMode.ElideRight
        shown = QFontMetrics(font).elidedText(one_line(text), mode, width)
        box = rect if flags == RIGHT else QRect(rect.left(), rect.top(), width, rect.height())
        painter.drawText(box, flags, shown)
