"""How the window looks: the first group of the settings, kept for the person and not the engine."""

from PySide6.QtWidgets import QWidget

from ui.context import Desk
from ui.preferences import MOTION_WORDS, THEME_WORDS
from ui.widgets.buttons import ComboBox
from ui.widgets.labels import label
from ui.widgets.layouts import column_layout, put, row_layout

CHOICES = {
    "theme": ("Theme", "Light or dark, or as the system has it.", THEME_WORDS),
    "motion": ("Motion", "How much moves in the sky.", MOTION_WORDS),
}
"""By the preference: its name, what it means, and the words of its values."""


class LookSettings(QWidget):
    """A choice for each; nothing changes before it is kept."""

    def __init__(self, desk: Desk, field_width: int) -> None:
        super().__init__()
        self._desk = desk
        self.fields: dict[str, ComboBox] = {}
        column = column_layout(self, (0, 0, 0, 0), 0)
        for name, (title, meaning, words) in CHOICES.items():
            field = self.fields[name] = ComboBox()
            field.setAccessibleName(title)
            field.setFixedWidth(field_width)
            for value, text in words.items():
                field.addItem(text, value)
            field.setCurrentIndex(field.findData(getattr(desk.preferences, name)))
            texts = put(column_layout(spacing=1), label(title),
                        label(meaning, "caption", wrap=True))
            column.addLayout(put(row_layout(None, (0, 6, 0, 6), 24), (texts, 1), field))

    def matches(self, words: str) -> bool:
        """True if a search means any of them."""
        text = " ".join(("look", *(f"{title} {meaning}" for title, meaning, _ in
                                   CHOICES.values()))).lower()
        return all(word in text for word in words.lower().split())

    def show_default(self) -> None:
        """Show what the system has."""
        for field in self.fields.values():
            field.setCurrentIndex(field.findData("system"))

    def keep(self) -> None:
        """Let what is chosen count from now on."""
        for name, field in self.fields.items():
            if field.currentData() != getattr(self._desk.preferences, name):
                self._desk.actions.run(f"view.{name}_{field.currentData()}")
