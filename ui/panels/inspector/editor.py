"""The field in which a value is edited in place."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from ui.widgets.labels import label

HINT = "Enter sets it, Esc leaves it as it was"
HINT_HEIGHT = 18


class InlineEditor(QPlainTextEdit):
    """Lies over the value's row, and says how it is left."""

    def __init__(self, what: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setTabChangesFocus(True)
        self.setAccessibleName(f"New words for {what}")
        self.setAccessibleDescription(HINT)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setViewportMargins(0, 0, 0, HINT_HEIGHT)
        self._hint = label(HINT, "caption")
        self._hint.setParent(self)
        self._hint.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._hint.setGeometry(8, self.height() - HINT_HEIGHT - 3, self.width() - 18, HINT_HEIGHT)
