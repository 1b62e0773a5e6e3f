"""Lines of text as columns are filled with: with a sign before them, or as wide as they are."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.model.text_formatting import one_line
from ui.widgets.labels import ElidedLabel, label
from ui.widgets.layouts import put, row_layout


def shrinking(text: str, role: str = "soft") -> ElidedLabel:
    """One line that takes the room that it needs, and less where there is less."""
    made = ElidedLabel(text, role)
    made.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
    return made


def signed_line(sign: str, role: str, text: str) -> QWidget:
    """A line that begins with a sign in its colour."""
    row = QWidget()
    words = label(one_line(text), role if role == "proposal" else "", wrap=True, selectable=True)
    put(row_layout(row, (0, 0, 0, 0), 7), (label(sign, role), 0, Qt.AlignmentFlag.AlignTop),
        (words, 1))
    row.setAccessibleName(f"{sign} {one_line(text)}")
    return row
