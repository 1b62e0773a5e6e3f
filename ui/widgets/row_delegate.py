"""What the delegates of lists and trees share: fonts, background and text."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from core.model.text_formatting import one_line
from ui.theme import Theme, body_font
from ui.theme.apply_theme import CAPTION_PIXELS
from ui.widgets.list_edges import WholeRows

ROW_HEIGHT = 38
MARGIN = 14
LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


def set_up_view(view: QAbstractItemView, name: str) -> None:
    """What every list and tree does: follow the mouse, show whole rows, scroll up and down alone.

    `name` is what a screen reader calls it.
    """
    view.setAccessibleName(name)
    view.setMouseTracking(True)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
    WholeRows(view)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)


class RowDelegate(QStyledItemDelegate):
    """A subclass paints its rows with `ground` and `text`."""

    def __init__(self, theme: Theme, view: QAbstractItemView) -> None:
        super().__init__(view)
        self.theme, self.view = theme, view
        self.body, self.small = body_font(), body_font(CAPTION_PIXELS)
        self.bold = body_font(weight=QFont.Weight.DemiBold)
        self.head = body_font(CAPTION_PIXELS, weight=QFont.Weight.DemiBold)
        self.struck = body_font()
        self.struck.setStrikeOut(True)
        theme.changed.connect(view.viewport().update)

    def ground(
        self, painter: QPainter, option: QStyleOptionViewItem, *, selected: bool | None = None,
        hovered: bool | None = None,
    ) -> None:
        """Show that a row is selected, under the mouse (where None, as Qt says), or has the
        keyboard."""
        rect, state = option.rect, option.state
        if state & QStyle.StateFlag.State_Selected if selected is None else selected:
            painter.fillRect(rect, self.theme.color("selected"))
        elif state & QStyle.StateFlag.State_MouseOver if hovered is None else hovered:
            painter.fillRect(rect, self.theme.color("hovered"))
        if state & QStyle.StateFlag.State_HasFocus:
            painter.fillRect(QRect(rect.left(), rect.top(), 2, rect.height()),
                             self.theme.color("accent"))

    def text(
        self, painter: QPainter, rect: QRect, text: str, font: QFont, tone: str | QColor,
        room: int = 0, flags: int = LEFT,
    ) -> int:
        """Draw one line in a token's colour, cut so that `room` pixels stay free at its right.

        Returns its width in pixels.
        """
        metrics, width = QFontMetrics(font), max(0, rect.width() - room)
        painter.setFont(font)
        painter.setPen(self.theme.color(tone) if isinstance(tone, str) else tone)
        shown = metrics.elidedText(one_line(text), Qt.TextElideMode.ElideRight, width)
        box = rect if flags == RIGHT else QRect(rect.left(), rect.top(), width, rect.height())
        painter.drawText(box, flags, shown)
        return metrics.horizontalAdvance(shown)
