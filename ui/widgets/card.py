"""Frames that group: a card, a quotation."""

from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget


class Card(QFrame):
    """A raised box with its own column."""

    def __init__(self, parent: QWidget | None = None, *, margin: int = 12) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(margin, margin, margin, margin)
        self.column.setSpacing(8)


class Quote(QFrame):
    """What someone said, with an amber line at its left."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "quote")
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(10, 2, 0, 2)
        self.column.setSpacing(2)
