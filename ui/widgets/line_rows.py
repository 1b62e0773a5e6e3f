"""What the delegates of lists with two-line rows share: fonts, ground and text."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from core.model.wording import one_line
from ui.theme import Theme, body_font
from ui.theme.apply_theme import CAPTION_PIXELS

ROW_HEIGHT = 38
MARGIN = 14
LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class LineRows(QStyledItemDelegate):
    """A subclass paints its lines with `ground` and `text`."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme
        self.body, self.small = body_font(), body_font(CAPTION_PIXELS)
        self.head = body_font(CAPTION_PIXELS, weight=QFont.Weight.DemiBold)
        theme.changed.connect(parent.update)

    def ground(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        """Show that a row is selected, under the mouse, or has the keyboard."""
        rect, state = option.rect, option.state
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, self.theme.color("selected"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, self.theme.color("hovered"))
        if state & QStyle.StateFlag.State_HasFocus:
            painter.fillRect(QRect(rect.left(), rect.top(), 2, rect.height()),
                             self.theme.color("accent"))

    def text(
        self, painter: QPainter, rect: QRect, text: str, font: QFont, token: str, room: int = 0,
        flags: int = LEFT,
    ) -> None:
        """One line of text that leaves `room` at its right, cut where it does not fit."""
        width = max(0, rect.width() - room)
        painter.setFont(font)
        painter.setPen(self.theme.color(token))
        shown = QFontMetrics(font).elidedText(one_line(text), Qt.TextElideMode.ElideRight, width)
        box = rect if flags == RIGHT else QRect(rect.left(), rect.top(), width, rect.height())
        painter.drawText(box, flags, shown)
