"""Draws the lines of the activity list."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from core.model.asked import Asked
from core.model.changes import Activity
from core.model.text_formatting import one_line
from core.queries.authors import told_name
from ui.models.activity_log import STATES, DayHead, amount_words
from ui.models.asked_wording import SHORT, asked_line, plain_name, told_words
from ui.models.time_wording import clock
from ui.widgets.line_list_model import LineRole
from ui.widgets.row_delegate import MARGIN, RIGHT, ROW_HEIGHT
from ui.widgets.two_line_rows import LOW_HEAD, LOW_ROW, TwoLineRows

HEAD_HEIGHT = 28
TIME_WIDTH = 46
STATE_ROOM = 130

Index = QModelIndex | QPersistentModelIndex
TONES = {"": "text.soft", "soft": "text.soft"}


class ActivityRows(TwoLineRows):
    """Time, change, author; undone entries are struck through and marked."""

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802
        head = isinstance(index.data(LineRole), DayHead)
        if self.low:
            return QSize(160, LOW_HEAD if head else LOW_ROW)
        return QSize(160, HEAD_HEIGHT if head else ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line = index.data(LineRole)
        painter.save()
        if isinstance(line, DayHead):
            box = option.rect.adjusted(MARGIN, 0 if self.low else 6, -MARGIN, 0)
            self.text(painter, box, line.text, self.head, "text.soft")
        elif isinstance(line, Activity):
            self._paint_entry(painter, option, line)
        elif isinstance(line, Asked):
            self._paint_asked(painter, option, line)
        painter.restore()

    def _paint_asked(self, painter: QPainter, option: QStyleOptionViewItem, line: Asked) -> None:
        self.ground(painter, option)
        inner = option.rect.adjusted(MARGIN, 3, -MARGIN, -3)
        top = QRect(inner.left() + TIME_WIDTH, inner.top(), inner.width() - TIME_WIDTH, 18)
        bottom = QRect(top.left(), inner.top() + 17, top.width(), 14)
        time = QRect(inner.left(), inner.top(), TIME_WIDTH, 18)
        self.text(painter, time, clock(line.at), self.body, "text.soft")
        self.text(painter, top, one_line(line.question) or asked_line(line), self.body, "text",
                  STATE_ROOM)
        self.text(painter, top, SHORT.get(line.kind, line.kind), self.small, "accent", 0, RIGHT)
        if not self.low:
            self.text(painter, bottom, f"{plain_name(line.who)} · {told_words(line)}", self.small,
                      "text.soft")

    def _paint_entry(
        self, painter: QPainter, option: QStyleOptionViewItem, line: Activity
    ) -> None:
        self.ground(painter, option)
        word, tone = STATES.get(line.state, (line.state, ""))
        gone = line.state in ("undone", "abandoned")
        inner = option.rect.adjusted(MARGIN, 3, -MARGIN, -3)
        top = QRect(inner.left() + TIME_WIDTH, inner.top(), inner.width() - TIME_WIDTH, 18)
        bottom = QRect(top.left(), inner.top() + 17, top.width(), 14)
        time = QRect(inner.left(), inner.top(), TIME_WIDTH, 18)
        self.text(painter, time, clock(line.when), self.body, "text.soft")
        self.text(painter, top, line.label, self.struck if gone else self.body,
                   "text.soft" if gone else "text", STATE_ROOM if word else 0)
        if word:
            self.text(painter, top, word, self.small, TONES.get(tone, tone), 0, RIGHT)
        if not self.low:
            whose = " · ".join(filter(None, (told_name(line.who), amount_words(line))))
            self.text(painter, bottom, whose, self.small, "text.soft")
