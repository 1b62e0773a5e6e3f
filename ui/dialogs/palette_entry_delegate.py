"""An entry of the palette, and the delegate that draws it."""

from collections.abc import Callable

from msgspec import Struct
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from ui.theme import fixed_font
from ui.widgets.glyph_paths import draw_glyph, painting
from ui.widgets.row_delegate import RIGHT, RowDelegate

ROW = 30
ENTRY = int(Qt.ItemDataRole.UserRole) + 1
Index = QModelIndex | QPersistentModelIndex


class Entry(Struct, frozen=True):
    """One line: what it says at the left and right, and what it does."""

    text: str
    hint: str
    run: Callable[[], None]
    key: str = ""
    entity_type: str = ""


class EntryDelegate(RowDelegate):
    """Draws an entry: sign, words, hint, key."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802
        return QSize(100, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        entry: Entry = index.data(ENTRY)
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            with painting(painter, self.theme.mix("raised", "accent", 0.2)):
                painter.drawRoundedRect(QRectF(option.rect).adjusted(6, 1, -6, -1), 6, 6)
        room = option.rect.adjusted(16, 0, -16, 0)
        if entry.entity_type:
            draw_glyph(painter, QRectF(room.left(), room.top(), 11, room.height()), self.theme,
                       entry.entity_type)
            room.adjust(20, 0, 0, 0)
        if entry.key:
            room.setRight(self._draw_key(painter, QRectF(room), entry.key))
        used = self.text(painter, room, entry.text, option.font, "text")
        self.text(painter, room.adjusted(min(used + 12, room.width()), 0, 0, 0), entry.hint,
                  option.font, "text.soft", 0, RIGHT)
        painter.restore()

    def _draw_key(self, painter: QPainter, room: QRectF, key: str) -> int:
        """A key cap at the right end of a row; returns where what is left of it has to end."""
        painter.setFont(fixed_font(11))
        width = painter.fontMetrics().horizontalAdvance(key) + 12
        box = QRectF(room.right() - width, room.center().y() - 9, width, 18)
        line = QPen(self.theme.color("line"))
        with painting(painter, self.theme.mix("raised", "line", 0.4), line):
            painter.drawRoundedRect(box, 4, 4)
        painter.setPen(self.theme.color("text.soft"))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), key)
        return round(box.left()) - 10
