"""Edits a proposal's payload, in a form made from its operation's fields."""

import re
from collections.abc import Mapping

from pydantic.fields import FieldInfo
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QLineEdit,
    QWidget,
)

from core.errors import OperationError
from core.model.names import spoken
from core.model.proposal import Proposal
from core.model.text_formatting import one_line
from core.ontology.operation_catalog import CATALOG
from core.ontology.payload_base import Payload
from core.ontology.row_reference_fields import row_kind
from ui.dialogs.operation_fields import field_value, field_widget
from ui.error_words import words_of
from ui.shortcut_guard import FORM
from ui.widgets.buttons import KeyButton
from ui.widgets.labels import ElidedLabel, label
from ui.widgets.layouts import column_layout, put, row_layout
from ui.widgets.scroll_column import ScrollColumn

FIRST = ("value", "new_value", "new_name", "name", "reason")
"""What stands first, where the keyboard starts: the first of these that the operation has."""

_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""Which row is meant; nobody types one, so it stays as it was proposed."""
_BY_ID = ("value", "link", "memory", "assertion", "source")
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class EditForm(QWidget):
    """One field for each thing the operation takes; Enter applies, Escape goes back.

    The fields changed most often come first, and the buttons stay visible.
    """

    submitted = Signal(dict)
    """The payload as it was edited, checked against the operation."""
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty(FORM, True)
        self.fields: dict[str, QWidget] = {}
        self._proposal: Proposal | None = None
        self._column = ScrollColumn("Edit the proposal", margins=(18, 8, 18, 6))
        self._error = label(role="bad", wrap=True)
        self._error.setContentsMargins(18, 2, 18, 0)
        self._error.hide()
        put(column_layout(self, (0, 0, 0, 0), 0), (self._column, 1), self._error, self._buttons())

    def edit(self, proposal: Proposal) -> bool:
        """Show the form; False if the operation is not one that could be carried out."""
        operation = CATALOG.get(proposal.operation)
        if operation is None:
            return False
        self._proposal = proposal
        self._error.hide()
        self.set_busy(False)
        with self._column.filling() as column:
            column.addWidget(label(f"Edit: {one_line(proposal.summary, 200)}", "head", wrap=True))
            column.addWidget(self._form(operation.fields, proposal.payload))
            if not self.fields:
                column.addWidget(label("Nothing in it can be written otherwise: go back, then "
                                       "apply or reject it.", "soft", wrap=True))
        self.apply_button.setVisible(bool(self.fields))
        return True

    def take_keyboard(self) -> None:
        """Start where a person most often wants to change something."""
        start = next((name for name in FIRST if name in self.fields), None)
        name = start or next(iter(self.fields), None)
        (self.fields[name] if name else self.back_button).setFocus()

    @property
    def error(self) -> str:
        return self._error.text()

    def show_error(self, error: BaseException) -> None:
        """Show why it was refused, at the faulty field."""
        self._error.setText(words_of(error))
        self._error.show()
        self.set_busy(False)
        field = self.fields.get(getattr(error, "field", ""))
        if field is not None:
            field.setFocus()
            self._column.ensureWidgetVisible(field)

    def set_busy(self, busy: bool) -> None:
        self.apply_button.setEnabled(not busy)

    def payload(self) -> dict[str, object]:
        """The proposal's payload with what was typed; unknown fields are unchanged.

        Raises:
            OperationError: 400 if a required number is not one.
        """
        proposal = self._proposal
        assert proposal is not None
        edited = dict(proposal.payload)
        fields = CATALOG[proposal.operation].fields
        for name, widget in self.fields.items():
            names = fields.names_of(name)
            key = next((alias for alias in names if alias in edited), names[0])
            for alias in names:
                edited.pop(alias, None)
            value = field_value(name, fields.model_fields[name], widget)
            if value not in ("", None, [], False):
                edited[key] = value
        return edited

    def _form(self, fields: type[Payload], payload: Mapping[str, object]) -> QWidget:
        self.fields = {}
        box = QWidget()
        form = QFormLayout(box)
        form.setContentsMargins(0, 4, 0, 4)
        form.setHorizontalSpacing(14)
        form.setVerticalSpacing(6)
        for name, info in sorted(fields.model_fields.items(), key=_rank):
            given = next((payload[alias] for alias in fields.names_of(name)
                          if alias in payload), None)
            if (row_kind(info) in _BY_ID or given is None and name.endswith(("_id", "_ids"))
                    or isinstance(given, str) and _ID.fullmatch(given)):
                continue  # What is named by its name is not asked for by its id as well.
            widget = field_widget(name, info, given, info.description or "")
            widget.setAccessibleName(spoken(name))
            widget.setAccessibleDescription(info.description or "")
            widget.installEventFilter(self)
            self.fields[name] = widget
            form.addRow(label(spoken(name), "caption"), widget)
        return box

    def _buttons(self) -> QWidget:
        box = QWidget()
        self.apply_button = KeyButton("Apply as edited", "Ctrl+Enter", "good")
        self.apply_button.clicked.connect(self._submit)
        self.back_button = KeyButton("Back", "Esc")
        self.back_button.clicked.connect(self.left)
        put(row_layout(box, (18, 6, 18, 10), 8), self.apply_button, self.back_button,
            (ElidedLabel("is saved as your version of the proposal", "soft"), 1))
        return box

    def _submit(self) -> None:
        try:
            edited = self.payload()
            CATALOG[self._proposal.operation].fields.read(edited)  # type: ignore[union-attr]
        except OperationError as error:
            self.show_error(error)
            return
        self._error.hide()
        self.submitted.emit(edited)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """A field would take Enter and Escape for itself."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._took(event, plain=isinstance(watched, QLineEdit | QComboBox))
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if not self._took(event):
            super().keyPressEvent(event)

    def _took(self, event: QKeyEvent, *, plain: bool = False) -> bool:
        """Apply at Ctrl+Enter, at a plain Enter too where it writes no line; leave at Escape."""
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in ENTER and (control or plain):
            self._submit()
        else:
            return False
        return True


def _rank(field: tuple[str, FieldInfo]) -> int:
    """Where a field stands in the form."""
    return FIRST.index(field[0]) if field[0] in FIRST else len(FIRST)
