"""Asks in which format a graph is exported, each with what it is for."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QListWidget, QStyleOptionViewItem, QWidget

from core.transfer.export_file import ExportFormat
from ui.theme import Theme
from ui.widgets.buttons import push_button
from ui.widgets.dialogs import Dialog
from ui.widgets.labels import label
from ui.widgets.layouts import column_layout, put, row_layout
from ui.widgets.list_edges import WholeRows
from ui.widgets.row_delegate import RowDelegate

WIDTH = 580
ROW = QSize(80, 44)
_BESIDE = 10


class FormatRows(RowDelegate):
    """Draws a format: its name over what it is for."""

    def sizeHint(  # noqa: N802
        self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return ROW

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        name, meaning = str(index.data()).split("\n", 1)
        painter.save()
        self.ground(painter, option)
        room = option.rect.adjusted(_BESIDE, 4, -_BESIDE, 0)
        self.text(painter, QRect(room.left(), room.top(), room.width(), 19), name, self.bold,
                  "text")
        self.text(painter, QRect(room.left(), room.top() + 19, room.width(), 16), meaning,
                  self.small, "text.soft")
        painter.restore()


class ExportFormatDialog(Dialog):
    """The formats one below the other; Enter or a double-click goes on."""

    def __init__(
        self, theme: Theme, formats: Sequence[ExportFormat], words: str,
        chosen: Callable[[ExportFormat], object], parent: QWidget | None = None,
    ) -> None:
        super().__init__("Export", parent, width=WIDTH)
        self._chosen, self._offered = chosen, tuple(formats)
        self.formats = QListWidget()
        self.formats.setAccessibleName("Format")
        WholeRows(self.formats)
        self.formats.setItemDelegate(FormatRows(theme, self.formats))
        self.formats.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.formats.addItems([f"{each.title}\n{each.help[:1].upper()}{each.help[1:]}"
                               for each in formats])
        self.formats.setCurrentRow(0)
        self.formats.setMinimumHeight(len(self._offered) * ROW.height() + 4)
        self.formats.doubleClicked.connect(self._go_on)
        self.go_on = push_button("Choose where…", self._go_on, "primary", default=True)
        put(column_layout(self, (22, 18, 22, 16), 10), label(words, "head", wrap=True),
            self.formats, put(row_layout(), None, push_button("Cancel", self.reject), self.go_on))
        self.formats.setFocus()

    def _go_on(self) -> None:
        self.accept()
        self._chosen(self._offered[self.formats.currentRow()])
