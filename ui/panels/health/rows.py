"""Draws the findings of the health panel."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize
from PySide6.QtGui import QPainter, Qt
from PySide6.QtWidgets import QStyleOptionViewItem

from core.health.finding import Finding
from ui.models.health import KindHead
from ui.widgets.line_list_model import LineRole
from ui.widgets.row_delegate import MARGIN, RIGHT, ROW_HEIGHT
from ui.widgets.two_line_rows import LOW_HEAD, LOW_ROW, TwoLineRows

HEAD_HEIGHT = 28
DOT = 7
"""The dot of the severity, in pixels."""
INDENT = 16
FIX_ROOM = 150
TONES = {"error": "bad", "warning": "proposal", "info": "text.soft"}
"""The colour of a severity."""
Index = QModelIndex | QPersistentModelIndex


class FindingRows(TwoLineRows):
    """A dot for the severity, what it is, where it is, and what would mend it."""

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802
        head = isinstance(index.data(LineRole), KindHead)
        if self.low:
            return QSize(160, LOW_HEAD if head else LOW_ROW)
        return QSize(160, HEAD_HEIGHT if head else ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line = index.data(LineRole)
        painter.save()
        if isinstance(line, KindHead):
            box = option.rect.adjusted(MARGIN, 0 if self.low else 6, -MARGIN, 0)
            self.text(painter, box, line.words, self.head, "text.soft")
        elif isinstance(line, Finding):
            self._paint_finding(painter, option, line)
        painter.restore()

    def _paint_finding(
        self, painter: QPainter, option: QStyleOptionViewItem, line: Finding
    ) -> None:
        self.ground(painter, option)
        inner = option.rect.adjusted(MARGIN, 3, -MARGIN, -3)
        dot = QRect(inner.left(), inner.top() + 6, DOT, DOT)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.theme.color(TONES[line.severity]))
        painter.drawEllipse(dot)
        top = QRect(inner.left() + INDENT, inner.top(), inner.width() - INDENT, 18)
        bottom = QRect(top.left(), inner.top() + 17, top.width(), 14)
        self.text(painter, top, line.text, self.body, "text")
        if self.low:
            return
        words = line.fix.operation.replace("_", " ").capitalize() if line.fix else ""
        room = FIX_ROOM if words and inner.width() > 2 * FIX_ROOM else 0
        self.text(painter, bottom, line.entity_name, self.small, "text.soft", room)
        if room:
            self.text(painter, bottom, words, self.small, "text.soft", 0, RIGHT)


def spoken(line: KindHead | Finding) -> str:
    """A line in words, for a screen reader."""
    if isinstance(line, KindHead):
        return line.words
    return f"{line.severity}: {line.text}"


def key_of(line: KindHead | Finding) -> str:
    """The finding's id; empty for a head."""
    return line.id if isinstance(line, Finding) else ""
