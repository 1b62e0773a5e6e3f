"""Lines of the palette, and how they are drawn."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from ui.theme import Theme, fixed_font
from ui.widgets.glyph_paths import draw_glyph

ROW = 30
ENTRY = int(Qt.ItemDataRole.UserRole) + 1


@dataclass(frozen=True, slots=True)
class Entry:
    """One line: what it says at the left and right, and what it does."""

    text: str
    hint: str
    run: Callable[[], None]
    key: str = ""
    entity_type: str = ""


class EntryDelegate(QStyledItemDelegate):
    """Draws an entry: sign, words, hint, key."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(  # noqa: N802
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(100, ROW)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        entry: Entry = index.data(ENTRY)
        theme = self._theme
        rect = QRectF(option.rect)
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.mix("raised", "accent", 0.2))
            painter.drawRoundedRect(rect.adjusted(6, 1, -6, -1), 6, 6)
        left = rect.left() + 16
        if entry.entity_type:
            draw_glyph(painter, QRectF(left, rect.top(), 11, rect.height()), theme,
                       entry.entity_type)
            left += 20
        right = rect.right() - 16
        if entry.key:
            right = self._draw_key(painter, rect, right, entry.key)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(option.font)
        words = painter.fontMetrics().elidedText(
            entry.text, Qt.TextElideMode.ElideRight, int(right - left)
        )
        painter.setPen(theme.color("text"))
        box = QRectF(left, rect.top(), right - left, rect.height())
        painter.drawText(box, int(middle | Qt.AlignmentFlag.AlignLeft), words)
        used = painter.fontMetrics().horizontalAdvance(words) + 12
        painter.setPen(theme.color("text.soft"))
        hint = painter.fontMetrics().elidedText(
            entry.hint, Qt.TextElideMode.ElideRight, int(max(0, right - left - used))
        )
        painter.drawText(box, int(middle | Qt.AlignmentFlag.AlignRight), hint)
        painter.restore()

    def _draw_key(self, painter: QPainter, rect: QRectF, right: float, key: str) -> float:
        painter.setFont(fixed_font(11))
        width = painter.fontMetrics().horizontalAdvance(key) + 12
        box = QRectF(right - width, rect.center().y() - 9, width, 18)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._theme.color("line"))
        painter.setBrush(self._theme.mix("raised", "line", 0.4))
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(self._theme.color("text.soft"))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), key)
        return box.left() - 10
