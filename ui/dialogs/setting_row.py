"""One setting of the engine: its name, its field, what it means, the way back to its default."""

from typing import Any, Literal, get_args, get_origin

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from core.model.text_formatting import one_line
from core.settings import Setting
from ui.widgets.buttons import ComboBox
from ui.widgets.labels import label
from ui.widgets.layouts import column_layout, put, row_layout
from ui.widgets.link_button import link_button
from ui.widgets.tick_box import TickBox

FIELD_WIDTH = 170


class SettingRow(QWidget):
    """Shows a value as text, a tick or a choice; whether it is allowed, the settings decide."""

    changed = Signal()

    def __init__(self, setting: Setting, value: object) -> None:
        super().__init__()
        self.setting = setting
        self.field = self._make_field()
        self.field.setAccessibleName(self.name)
        self.reset = link_button("reset", self.show_default)
        self.reset.setAccessibleName(f"Reset {self.name}")
        self._error = label(role="bad", wrap=True)
        self._lay_out()
        self.show_value(value)

    @property
    def name(self) -> str:
        """`Aspects per entity`."""
        return self.setting.title

    @property
    def value(self) -> object:
        """What the field says, as the settings read it."""
        if isinstance(self.field, TickBox):
            return self.field.isChecked()
        if isinstance(self.field, ComboBox):
            return self.field.currentText()
        assert isinstance(self.field, QLineEdit)
        text = self.field.text().strip()
        if get_origin(self.setting.kind) in (list, tuple):
            return tuple(part.strip() for part in text.split(",") if part.strip())
        return None if not text and type(None) in get_args(self.setting.kind) else text

    @property
    def differs(self) -> bool:
        """True unless the field says the default."""
        return _written(self.value) != _written(self.setting.default)

    @property
    def error(self) -> str:
        return self._error.text()

    def matches(self, words: str) -> bool:
        """True if a search means this setting."""
        setting = self.setting
        text = f"{setting.section} {self.name} {setting.name} {setting.meaning}".lower()
        return all(word in text for word in words.lower().split())

    def show_value(self, value: object) -> None:
        """Show a value."""
        if isinstance(self.field, TickBox):
            self.field.setChecked(bool(value))
        elif isinstance(self.field, ComboBox):
            self.field.setCurrentText(str(value))
        elif isinstance(self.field, QLineEdit):
            self.field.setText(_written(value))
            self.field.setCursorPosition(0)
        self._follow()

    def show_default(self) -> None:
        self.show_value(self.setting.default)

    def say(self, error: str) -> None:
        """What is wrong with the value; empty if nothing is."""
        self._error.setText(error)
        self._error.setVisible(bool(error))

    def _make_field(self) -> QWidget:
        if self.setting.kind is bool:
            box = TickBox()
            box.toggled.connect(self._follow)
            return box
        if get_origin(self.setting.kind) is Literal:
            choice = ComboBox()
            choice.addItems([str(word) for word in get_args(self.setting.kind)])
            choice.currentTextChanged.connect(self._follow)
            return choice
        line = QLineEdit()
        line.setPlaceholderText("none")
        line.textChanged.connect(self._follow)
        return line

    def _follow(self, *_: object) -> None:
        self.reset.setVisible(self.differs)
        self.say("")
        self.changed.emit()

    def _lay_out(self) -> None:
        words = put(column_layout(spacing=1), label(self.name))
        if self.setting.meaning.rstrip(".") != self.name:
            put(words, label(self.setting.meaning, "caption", wrap=True))
        put(words, label(_bounds(self.setting), "faint", wrap=True), self._error)
        self._error.hide()
        self.field.setFixedWidth(FIELD_WIDTH)
        side = put(column_layout(spacing=2), self.field,
                   (self.reset, 0, Qt.AlignmentFlag.AlignLeft), None)
        put(row_layout(self, (0, 6, 0, 6), 24), (words, 1), side)


def _written(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    try:
        return f"{float(value):.10g}"
    except (TypeError, ValueError):
        return str(value)


def _bounds(setting: Setting) -> str:
    """`default 10 · 1 to 200`."""
    words = f"default {one_line(_written(setting.default), 90) or 'none'}"
    if setting.least is not None and setting.most is not None:
        return f"{words} · {setting.least:,g} to {setting.most:,g}"
    return words
