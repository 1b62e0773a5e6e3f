"""Asks in which format a graph is exported, each with what it is for."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget, QWidget

from core.transfer.export_formats import ExportFormat
from ui.widgets.buttons import push_button
from ui.widgets.dialogs import Dialog
from ui.widgets.labels import label
from ui.widgets.layouts import column_layout, put, row_layout
from ui.widgets.list_edges import WholeRows

WIDTH = 580
_ROW_SPACE = 6


class ExportFormatDialog(Dialog):
    """The formats one below the other; Enter or a double-click goes on."""

    def __init__(
        self, formats: Sequence[ExportFormat], words: str,
        chosen: Callable[[ExportFormat], object], parent: QWidget | None = None,
    ) -> None:
        super().__init__("Export", parent, width=WIDTH)
        self._chosen, self._offered = chosen, tuple(formats)
        self.formats = QListWidget()
        self.formats.setAccessibleName("Format")
        WholeRows(self.formats)
        self.formats.setSpacing(_ROW_SPACE // 2)
        self.formats.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.formats.addItems([f"{each.title}\n{each.help[:1].upper()}{each.help[1:]}"
                               for each in formats])
        self.formats.setCurrentRow(0)
        self.formats.setMinimumHeight(len(self._offered) * (
            self.formats.sizeHintForRow(0) + _ROW_SPACE) + 2 * _ROW_SPACE)
        self.formats.doubleClicked.connect(self._go_on)
        self.go_on = push_button("Choose where…", self._go_on, "primary", default=True)
        put(column_layout(self, (22, 18, 22, 16), 10), label(words, "head", wrap=True),
            self.formats, put(row_layout(), None, push_button("Cancel", self.reject), self.go_on))
        self.formats.setFocus()

    def _go_on(self) -> None:
        self.accept()
        self._chosen(self._offered[self.formats.currentRow()])
