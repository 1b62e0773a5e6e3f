"""The settings: the look first, then every number of the engine, described, with its way back."""

from collections import defaultdict

from pydantic import ValidationError
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from core.errors import ConstellationError
from core.model.names import spoken
from core.model.pydantic_helpers import faults_of
from core.settings import Settings, changed, describe
from ui.context import Desk
from ui.dialogs.look_settings import LookSettings
from ui.dialogs.setting_row import FIELD_WIDTH, SettingRow
from ui.error_words import words_of
from ui.widgets.buttons import push_button
from ui.widgets.dialogs import Dialog
from ui.widgets.labels import label
from ui.widgets.layouts import column_layout, put, row_layout
from ui.widgets.list_edges import Fades, WholeRows

SIZE = (820, 620)
LOOK = "look"
_BESIDE = 34
"""What a group's row and the scroll bar take beside its title."""


class SettingsDialog(Dialog):
    """Groups at the left, their settings at the right; nothing counts before it is saved."""

    def __init__(self, desk: Desk) -> None:
        super().__init__("Settings", desk.shell.window())
        self.resize(*SIZE)
        self._engine = desk.engine
        self.rows: dict[tuple[str, str], SettingRow] = {}
        self._heads: dict[str, QWidget] = {}
        self.look = LookSettings(desk, FIELD_WIDTH)
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search the settings")
        self.search.setAccessibleName("Search the settings")
        self.search.setClearButtonEnabled(True)
        self.groups = QListWidget()
        self.groups.setAccessibleName("Groups of settings")
        WholeRows(self.groups)
        self.error = label(role="bad", wrap=True)
        self.save = push_button("Save", self._save, "primary", default=True)
        self._area = QScrollArea()
        Fades(self._area)
        self._lay_out()
        self.search.textChanged.connect(self._narrow)
        self.groups.currentRowChanged.connect(self._go_to)

    def reset_all(self) -> None:
        """Show every default; nothing is saved by that."""
        self.look.show_default()
        for row in self.rows.values():
            row.show_default()

    def _save(self) -> None:
        settings = self._checked()
        if settings is None:
            return
        try:
            self._engine.keep(settings)
        except ConstellationError as error:
            self._say(words_of(error))
            return
        self.look.keep()
        self.accept()

    def _checked(self) -> Settings | None:
        """The settings that the fields say; None, with words at the rows, if some can't be."""
        typed: defaultdict[str, dict[str, object]] = defaultdict(dict)
        for (section, name), row in self.rows.items():
            typed[section][name] = row.value
        settings, faults = self._engine.settings, 0
        for section, values in typed.items():
            try:
                settings = changed(settings, section, **values)
            except ValidationError as error:
                for path, _, words in faults_of(error):
                    faults += 1
                    self._say_at(section, str(path[0]), words[:1].upper() + words[1:])
        if faults:
            self._say("Not saved: some values are not valid")
            return None
        return settings

    def _say_at(self, section: str, name: str, words: str) -> None:
        row = next((row for (part, _), row in self.rows.items() if part == section and name in (
            row.setting.name, _camel(row.setting.name))), None)
        if row is not None:
            row.say(words)
            row.show()
            self._area.ensureWidgetVisible(row)

    def _say(self, words: str) -> None:
        self.error.setText(words)
        self.error.setVisible(bool(words))

    def _narrow(self, words: str) -> None:
        """Show only what a search means."""
        self.look.setVisible(self.look.matches(words))
        shown: set[str] = {LOOK} if self.look.matches(words) else set()
        for (section, _), row in self.rows.items():
            row.setVisible(row.matches(words))
            if row.matches(words):
                shown.add(section)
        for section, head in self._heads.items():
            head.setVisible(section in shown)

    def _go_to(self, at: int) -> None:
        """Bring a group to the top."""
        self.search.clear()
        head = list(self._heads.values())[at]
        self._area.verticalScrollBar().setValue(head.y())

    def _lay_out(self) -> None:
        inside = QWidget()
        inside.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        column = column_layout(inside, (4, 0, 18, 12), 0)
        put(column, self._head(LOOK, "Look", "How this window looks to you."), self.look)
        for setting in describe():
            if setting.section not in self._heads:
                part = Settings.model_fields[setting.section]
                column.addWidget(self._head(setting.section, part.title or _title(
                    setting.section), part.description or ""))
            value = getattr(getattr(self._engine.settings, setting.section), setting.name)
            row = self.rows[setting.section, setting.name] = SettingRow(setting, value)
            row.changed.connect(lambda: self._say(""))
            column.addWidget(row)
        column.addStretch(1)
        self.groups.ensurePolished()
        wide = self.groups.fontMetrics().horizontalAdvance
        self.groups.setFixedWidth(_BESIDE + max(
            wide(self.groups.item(at).text()) for at in range(self.groups.count())))
        self._area.setWidget(inside)
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        ignored = (label(f"Ignored: {line.where}: {line.why}", "proposal", wrap=True)
                   for line in self._engine.ignored)
        put(column_layout(self, (20, 16, 20, 16), 10), self.search, *ignored,
            (put(row_layout(spacing=18), self.groups, (self._area, 1)), 1), self.error,
            self._buttons())
        self.error.hide()

    def _head(self, section: str, title: str, meaning: str) -> QWidget:
        item = QListWidgetItem(f"  {title}", self.groups)
        item.setSizeHint(QSize(0, 28))
        head = self._heads[section] = QWidget()
        put(column_layout(head, (0, 14, 0, 4), 2), label(title, "head"),
            label(meaning, "soft", wrap=True))
        return head

    def _buttons(self) -> QHBoxLayout:
        return put(row_layout(), push_button("Reset all", self.reset_all), None,
                   push_button("Cancel", self.reject), self.save)


def _title(section: str) -> str:
    return spoken(section).capitalize()


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)
