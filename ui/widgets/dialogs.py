"""What dialogs have in common: they go when they are closed, and some hold a text to copy."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QWidget

from ui.screen_fit import TITLE_BAR, free_area, keep_on_screen
from ui.theme import fixed_font
from ui.widgets.buttons import push_button
from ui.widgets.layouts import column_layout, put, row_layout
from ui.widgets.list_edges import Fades


class Dialog(QDialog):
    """Gone once it is closed.

    Args:
        width: of a question, which has to be answered before the window goes on; 0 for a dialog
            beside which the window can be used.
    """

    def __init__(self, title: str, parent: QWidget | None, *, width: int = 0) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        if width:
            self.setModal(True)
            self.setFixedWidth(width)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self.fit_wrapped_text()
        keep_on_screen(self)

    def fit_wrapped_text(self) -> None:
        """As high as the wrapped lines need in this width: Qt asks before fonts are known."""
        layout = self.layout()
        if layout is not None and layout.hasHeightForWidth():
            needed = layout.totalHeightForWidth(self.width())
            if self.isModal() and self.height() == self.sizeHint().height() > needed:
                self.resize(self.width(), needed)
            self.setMinimumHeight(min(needed, free_area(self).height() - TITLE_BAR.height()))


class TextDialog(Dialog):
    """A text that can be copied, below some heads; `name` is what a screen reader calls it."""

    def __init__(
        self, title: str, parent: QWidget | None, text: str, name: str, *heads: QWidget
    ) -> None:
        super().__init__(title, parent)
        self.text = read_only_text(name, text)
        copy = push_button("Copy", self._copy)
        copy.setAutoDefault(True)
        close = push_button("Close", self.accept, default=True)
        put(column_layout(self, (22, 18, 22, 16), 10), *heads, self.text,
            put(row_layout(), copy, None, close))
        close.setFocus()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())


def read_only_text(name: str, text: str = "", pixels: int = 12) -> QPlainTextEdit:
    """A text in the font of code that can be selected but not changed."""
    shown = QPlainTextEdit(text)
    shown.setReadOnly(True)
    shown.setFont(fixed_font(pixels))
    shown.setAccessibleName(name)
    Fades(shown)
    return shown
