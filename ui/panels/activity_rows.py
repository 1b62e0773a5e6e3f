"""Draws the lines of the activity list."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from core.model.activity import Activity
from core.model.wording import one_line
from ui.models.activity_log import STATES, DayHead, LineRole
from ui.models.moments import clock
from ui.theme import Theme, body_font
from ui.theme.apply_theme import CAPTION_PIXELS

ROW_HEIGHT = 38
HEAD_HEIGHT = 28
MARGIN = 14
TIME_WIDTH = 46
STATE_ROOM = 130

Index = QModelIndex | QPersistentModelIndex
LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
TONES = {"": "text.soft", "soft": "text.soft"}


class ActivityRows(QStyledItemDelegate):
    """Time, what was done, by whom; what is undone is struck and says so."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._body = body_font()
        self._struck = body_font()
        self._struck.setStrikeOut(True)
        self._small = body_font(CAPTION_PIXELS)
        self._head = body_font(CAPTION_PIXELS, weight=QFont.Weight.DemiBold)
        theme.changed.connect(parent.update)

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802
        head = isinstance(index.data(LineRole), DayHead)
        return QSize(160, HEAD_HEIGHT if head else ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line = index.data(LineRole)
        painter.save()
        if isinstance(line, DayHead):
            box = option.rect.adjusted(MARGIN, 6, -MARGIN, 0)
            self._text(painter, box, line.text, self._head, "text.soft")
        elif isinstance(line, Activity):
            self._paint_entry(painter, option, line)
        painter.restore()

    def _paint_entry(
        self, painter: QPainter, option: QStyleOptionViewItem, line: Activity
    ) -> None:
        rect = option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, self._theme.color("selected"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, self._theme.color("hovered"))
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.fillRect(QRect(rect.left(), rect.top(), 2, rect.height()),
                             self._theme.color("accent"))
        word, tone = STATES.get(line.state, (line.state, ""))
        gone = line.state in ("undone", "abandoned")
        inner = rect.adjusted(MARGIN, 3, -MARGIN, -3)
        top = QRect(inner.left() + TIME_WIDTH, inner.top(), inner.width() - TIME_WIDTH, 18)
        bottom = QRect(top.left(), inner.top() + 17, top.width(), 14)
        time = QRect(inner.left(), inner.top(), TIME_WIDTH, 18)
        self._text(painter, time, clock(line.when), self._body, "text.soft")
        words = QRect(top.left(), top.top(), top.width() - (STATE_ROOM if word else 0), 18)
        self._text(painter, words, line.label, self._struck if gone else self._body,
                   "text.soft" if gone else "text")
        if word:
            self._text(painter, top, word, self._small, TONES.get(tone, tone), RIGHT)
        rows = f" · {line.rows} {'row' if line.rows == 1 else 'rows'}" if line.rows else ""
        self._text(painter, bottom, f"{line.who}{rows}", self._small, "text.soft")

    def _text(
        self, painter: QPainter, rect: QRect, text: str, font: QFont, token: str,
        flags: int = LEFT,
    ) -> None:
        painter.setFont(font)
        painter.setPen(self._theme.color(token))
        shown = QFontMetrics(font).elidedText(
            one_line(text), Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, flags, shown)
