"""Fields in which a row is chosen by what a person knows of it, in the place of its id."""

import re
from functools import partial

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QCompleter, QLineEdit, QListView, QWidget

from core.model.text_formatting import one_line
from core.ontology.row_reference_fields import RowKind
from core.queries.find_rows_to_choose import RowChoice, described, row_choices
from ui.context import Context
from ui.widgets.filter_chips import chip_button
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.labels import set_tip, tip
from ui.widgets.layouts import column_layout, put
from ui.widgets.row_delegate import set_up_view

HINTS = {
    "value": "Type an entity or words of the value", "link": "Type an entity or words of the link",
    "memory": "Type words of the memory", "assertion": "Type who or what is meant",
    "source": "Press Down to see what it rests on", "entity": "Type a name",
    "aspect": "Type a name, or press Down", "alias": "Type a name, or press Down",
}
BY_NAME = ("entity", "aspect", "alias")
"""Of these a name does that is not there yet: nothing is chosen before the person does."""
FOUND = Qt.ItemDataRole.UserRole
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
SHOWN = 8


_OF_IDS = tuple((re.compile(pattern), instead) for pattern, instead in (
    (r"^Its name or id$", "The entity"), (r"^The id of (a value of )?the ", "The "),
    (r", or its first six or more characters|, by (name or )?id\b|, or its id$", ""),
    (r"\b(\w+)'s (name or )?id\b", r"\1")))


def without_ids(words: str) -> str:
    """What a field asks for, where no id need be known: `The value's id` -> `The value`."""
    for pattern, instead in _OF_IDS:
        words = pattern.sub(instead, words)
    return words


class RowField(QLineEdit):
    """What is typed is looked for; Down and Enter, or a click, choose a row. An id is taken, too.

    Args:
        gone: archived rows are offered, which can be restored.
    """

    looks = Signal()
    """It is about to look for rows: `near` can be set."""
    picked = Signal(object)
    """A row was chosen; it is `RowChoice`."""

    def __init__(self, context: Context, kind: RowKind, *, gone: bool = False) -> None:
        super().__init__()
        self._context, self._kind, self._gone = context, kind, gone
        self._chosen: RowChoice | None = None
        self.near = ("", "")
        """The id of the entity whose rows come first, and of the value whose sources are listed."""
        self.passes_on = False
        """Whether what is chosen is only announced, and the field is empty again."""
        self._model = QStandardItemModel(self)
        self.offer = QCompleter(self._model, self)
        self.offer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self.offer.setMaxVisibleItems(SHOWN)
        self.popup = QListView()
        self.popup.setTextElideMode(Qt.TextElideMode.ElideRight)
        set_up_view(self.popup, "Rows to choose from")
        self.offer.setPopup(self.popup)
        self.offer.setWidget(self)
        self.popup.clicked.connect(self._take)
        self.setPlaceholderText(HINTS[kind])
        self.setClearButtonEnabled(True)
        self.textEdited.connect(self._edited)

    @property
    def value(self) -> str:
        """The id of what was chosen; else what was typed."""
        chosen = self._chosen
        typed = self.text().strip()
        return chosen.id if chosen is not None and chosen.words.strip() == typed else typed

    @property
    def chosen(self) -> RowChoice | None:
        """What was chosen and still stands there."""
        return self._chosen if self._chosen is not None and self.value == self._chosen.id else None

    def show_choice(self, choice: RowChoice) -> None:
        """Fill in a row."""
        self._chosen = choice
        self.setText(choice.words)
        self.setCursorPosition(0)
        set_tip(self, choice.words)

    def show_id(self, row_id: str) -> None:
        """Fill in the row with this id; its words come when they are read."""
        self.setText(row_id)
        self._context.runner.read(lambda reader: described(reader, self._kind, row_id),
                                  partial(self._described, row_id), key=(id(self), "row"))

    def look(self) -> None:
        """Offer what fits to what is typed."""
        self.looks.emit()
        typed, (entity, of) = self.text(), self.near
        self._context.runner.read(
            lambda reader: row_choices(reader, self._kind, typed, entity=entity, of=of,
                                       gone=self._gone),
            partial(self._offer, typed), lambda _error: None, key=(id(self), "choices"))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        popup = self.popup
        if popup.isVisible() and event.key() in (*ENTER, Qt.Key.Key_Tab):
            if popup.currentIndex().isValid():
                self._take(popup.currentIndex())
            popup.hide()
        elif popup.isVisible() and event.key() == Qt.Key.Key_Escape:
            popup.hide()
        elif event.key() == Qt.Key.Key_Down and not popup.isVisible():
            self.look()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        super().mousePressEvent(event)
        if not self.text():
            self.look()

    def _edited(self, _typed: str) -> None:
        self._chosen = None
        self.look()

    def _described(self, row_id: str, choice: RowChoice | None) -> None:
        if choice is not None and self.text() == row_id:
            self.show_choice(choice)

    def _offer(self, typed: str, choices: tuple[RowChoice, ...]) -> None:
        if self.text() != typed or not self.hasFocus():
            return
        self._model.clear()
        for choice in choices:
            item = QStandardItem(choice.words)
            item.setData(choice, FOUND)
            item.setToolTip(tip(choice.words))
            item.setEditable(False)
            self._model.appendRow(item)
        if not choices:
            self.popup.hide()
            return
        self.offer.complete()
        if self._kind not in BY_NAME:
            self.popup.setCurrentIndex(self.offer.completionModel().index(0, 0))

    def _take(self, index: QModelIndex) -> None:
        choice = index.data(FOUND)
        self.popup.hide()
        if not isinstance(choice, RowChoice):
            return
        if self.passes_on:
            self.clear()
        else:
            self.show_choice(choice)
        self.picked.emit(choice)


class RowsField(QWidget):
    """Several rows: each that was chosen stands below the field, and a click takes it out."""

    def __init__(self, field: RowField) -> None:
        super().__init__()
        self.field = field
        field.passes_on = True
        field.picked.connect(self.add)
        self._chosen: dict[str, RowChoice] = {}
        box = QWidget()
        self._flow = FlowLayout(box, spacing=4)
        put(column_layout(self, (0, 0, 0, 0), 3), field, box)
        self.setFocusProxy(field)

    @property
    def value(self) -> list[str]:
        """The ids of what was chosen, and what is still typed, if it is anything."""
        return [*self._chosen, *filter(None, [self.field.value])]

    def add(self, choice: RowChoice) -> None:
        """Take one more."""
        self._chosen[choice.id] = choice
        self._show()

    def setAccessibleName(self, name: str) -> None:  # noqa: N802
        super().setAccessibleName(name)
        self.field.setAccessibleName(name)

    def _show(self) -> None:
        self._flow.clear()
        for key, choice in self._chosen.items():
            words = one_line(choice.words, 48)
            chip = chip_button(f"{words}  ×".replace("&", "&&"))
            chip.setAccessibleName(f"Remove {words}")
            set_tip(chip, choice.words)
            chip.clicked.connect(partial(self._drop, key))
            self._flow.addWidget(chip)

    def _drop(self, key: str, _checked: bool = False) -> None:
        self._chosen.pop(key, None)
        self._show()
