"""A form for any operation of the catalogue, made from what the operation takes."""

from collections.abc import Callable, Mapping, Sequence
from typing import get_args

from pydantic.fields import FieldInfo
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from core.model.names import spoken
from core.ontology.catalog import CATALOG
from core.ontology.payloads import plain_types
from core.ontology.proposals import Outcome
from ui.apply_operation import operate
from ui.context import Context
from ui.widgets.buttons import ComboBox
from ui.widgets.labels import label
from ui.widgets.layouts import column_layout

NUMBER = "takes a number"
"""Property of a field whose text is a number in the payload."""
LONG = {"value", "content", "description", "new_value"}
HIDDEN = {"force"}
WIDTH = 460


class OperationDialog(QDialog):
    """Asks for what an operation takes; what is known already is not asked for.

    Args:
        context: where it is carried out.
        operation: its name in the catalogue.
        given: payload fields that are settled.
        shown: payload fields that are filled in but may be changed.
        title: the head; the operation's own words by default.
        verb: the button's word.
        only: the fields to ask for; all by default.
        then: operations with their payloads that are done in the same step.
        done: told what came of it.
    """

    def __init__(
        self,
        context: Context,
        operation: str,
        given: Mapping[str, object] | None = None,
        shown: Mapping[str, str] | None = None,
        *,
        title: str = "",
        verb: str = "",
        only: tuple[str, ...] = (),
        then: Sequence[tuple[str, Mapping[str, object]]] = (),
        done: Callable[[Outcome], None] | None = None,
    ) -> None:
        super().__init__(context.shell.window())
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        self._context = context
        self._operation = CATALOG[operation]
        self._given = dict(given or {})
        self._then = tuple(then)
        self._tell = done
        self._refused: dict[str, object] | None = None
        self.setWindowTitle(title or self._operation.label)
        self.setMinimumWidth(WIDTH)
        self.fields: dict[str, QWidget] = {}
        self._error = label(role="bad", wrap=True)
        self._error.hide()
        self._word = verb or self._operation.label.split()[0]
        self.verb_button = QPushButton(self._word)
        self.verb_button.setProperty("kind", "primary")
        self.verb_button.setDefault(True)
        self.verb_button.clicked.connect(self._carry_out)
        self._lay_out(shown or {}, only)

    @property
    def error(self) -> str:
        return self._error.text() if not self._error.isHidden() else ""

    def payload(self) -> dict[str, object]:
        """What is settled and what was typed, without the empty fields."""
        typed = {name: _value(widget) for name, widget in self.fields.items()}
        return {**self._given, **{name: value for name, value in typed.items() if value != ""}}

    def _lay_out(self, shown: Mapping[str, str], only: tuple[str, ...]) -> None:
        form = column_layout(spacing=4)
        for name, field in self._operation.fields.model_fields.items():
            if name in self._given or name in HIDDEN or (only and name not in only):
                continue
            widget = _widget(name, field, shown.get(name, ""))
            self.fields[name] = widget
            words = label(_words(name, field), "caption")
            widget.setAccessibleName(words.text())
            form.addWidget(words)
            form.addWidget(widget)
            form.addSpacing(4)
        cancel = QPushButton("Cancel")
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(self.verb_button)
        column = column_layout(self, (20, 16, 20, 16), 12)
        column.addWidget(label(self.windowTitle(), "head"))
        column.addWidget(label(self._operation.summary, "soft", wrap=True))
        column.addLayout(form)
        column.addWidget(self._error)
        column.addLayout(buttons)
        if self.fields:
            next(iter(self.fields.values())).setFocus()

    def _carry_out(self) -> None:
        self.verb_button.setEnabled(False)
        payload = self.payload()
        # The second word counts for what was refused, not for what was typed since.
        force = self._refused is not None and self._refused == payload
        self._refused = None
        operate(
            self._context, self._operation.name, payload, force=force,
            done=self._done, failed=self._failed, then=self._then,
        )

    def _done(self, outcome: Outcome) -> None:
        self.accept()
        if self._tell is not None:
            self._tell(outcome)

    def _failed(self, error: BaseException) -> None:
        self.verb_button.setEnabled(True)
        self._error.setText(str(error))
        self._error.show()
        name = getattr(error, "field", "")
        self.verb_button.setText(self._word)
        if name == "force":
            self._refused = self.payload()
            self.verb_button.setText(f"{self._word} anyway")
        if name in self.fields:
            self.fields[name].setFocus()


def ask(dialog: OperationDialog) -> OperationDialog:
    """Show it over the window without stopping anything."""
    dialog.open()
    return dialog


def _words(name: str, field: FieldInfo) -> str:
    words = field.description or spoken(name).capitalize()
    return words if field.is_required() else f"{words} (optional)"


def _widget(name: str, field: FieldInfo, shown: str) -> QWidget:
    choices = _choices(field)
    if field.annotation is bool:
        box = QCheckBox(spoken(name).capitalize())
        box.setChecked(field.default is True)
        return box
    if choices:
        combo = ComboBox()
        combo.setEditable(not _closed(field))
        combo.addItems(choices if field.is_required() or _closed(field) else ["", *choices])
        start = shown or (field.default if isinstance(field.default, str) else "")
        combo.setCurrentText(start)
        return combo
    if name in LONG:
        text = QPlainTextEdit(shown)
        text.setFixedHeight(72)
        text.setTabChangesFocus(True)
        return text
    line = QLineEdit(shown)
    line.setProperty(NUMBER, float in plain_types(field))
    if isinstance(field.default, str | int | float) and not isinstance(field.default, bool):
        line.setPlaceholderText(str(field.default))
    return line


def _choices(field: FieldInfo) -> list[str]:
    if _closed(field):
        return [str(word) for word in get_args(field.annotation)]
    return [str(word) for word in field.examples or () if len(field.examples or ()) > 2]


def _closed(field: FieldInfo) -> bool:
    """True for a closed list of words (`Literal`)."""
    return bool(get_args(field.annotation)) and all(
        isinstance(word, str) for word in get_args(field.annotation)
    )


def _value(widget: QWidget) -> object:
    if isinstance(widget, QCheckBox):
        return True if widget.isChecked() else ""
    if isinstance(widget, QComboBox):
        return widget.currentText().strip()
    if isinstance(widget, QPlainTextEdit):
        return widget.toPlainText().strip()
    text = widget.text().strip() if isinstance(widget, QLineEdit) else ""
    return _number(text) if widget.property(NUMBER) else text


def _number(text: str) -> object:
    """The JSON number that a payload needs; what is none stays text, to be refused in words."""
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return text
