"""A form for any operation of the catalogue, made from what the operation takes."""

import re
from collections.abc import Callable, Mapping, Sequence

from pydantic.fields import FieldInfo
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.errors import OperationError
from core.model.names import spoken
from core.ontology.operation_catalog import CATALOG
from core.ontology.payload_base import plain_types
from core.ontology.proposals import Outcome
from core.ontology.row_reference_fields import RowKind, row_kind
from core.queries.find_rows_to_choose import RowChoice
from ui.apply_operation import operate
from ui.context import Context
from ui.dialogs.operation_fields import field_value, field_widget
from ui.dialogs.row_field import RowField, RowsField, without_ids
from ui.error_words import words_of
from ui.widgets.buttons import push_button
from ui.widgets.dialogs import Dialog
from ui.widgets.labels import label
from ui.widgets.layouts import column_layout, put, row_layout
from ui.widgets.scroll_column import VerticalScrollArea

HIDDEN = {"force", "own_values"}
"""`own_values`: what each value that collides says instead is asked for in “Merge into…”."""
WIDTH, SIDE = 460, 20
LEAST_FORM = 120


class OperationDialog(Dialog):
    """Asks for what an operation takes; what is known already is not asked for.

    Args:
        context: where it is carried out.
        operation: its name in the catalogue.
        given: payload fields that are settled.
        shown: payload fields that are filled in but may be changed; a row as a `RowChoice`.
        title: the head; the operation's own words by default.
        verb: the button's word.
        only: the fields to ask for; all by default.
        first: operations with their payloads that are done in the same step, before it.
        done: told what came of it.
    """

    def __init__(
        self,
        context: Context,
        operation: str,
        given: Mapping[str, object] | None = None,
        shown: Mapping[str, object] | None = None,
        *,
        title: str = "",
        verb: str = "",
        only: tuple[str, ...] = (),
        first: Sequence[tuple[str, Mapping[str, object]]] = (),
        done: Callable[[Outcome], None] | None = None,
    ) -> None:
        super().__init__(title or CATALOG[operation].label, context.shell.window(), width=WIDTH)
        self._context = context
        self._operation = CATALOG[operation]
        self._given = dict(given or {})
        self._first = tuple(first)
        self._tell = done
        self._refused: dict[str, object] | None = None
        self.fields: dict[str, QWidget] = {}
        self._error = label(role="bad", wrap=True)
        self._error.hide()
        self._word = verb or self._operation.label.split()[0]
        self.verb_button = push_button(self._word, self._carry_out, "primary", default=True)
        self._lay_out(shown or {}, only)

    @property
    def error(self) -> str:
        return self._error.text() if not self._error.isHidden() else ""

    def payload(self) -> dict[str, object]:
        """What is settled and what was typed, without the empty fields.

        Raises:
            OperationError: 400 where a number is needed and none was typed.
        """
        fields = self._operation.fields.model_fields
        typed = {name: field_value(name, fields[name], widget)
                 for name, widget in self.fields.items()}
        return self._given | {name: value for name, value in typed.items()
                              if value not in ("", [], False)}

    def _lay_out(self, shown: Mapping[str, object], only: tuple[str, ...]) -> None:
        inside = QWidget()
        form = column_layout(inside, (0, 0, 0, 0), 4)
        every = self._operation.fields.model_fields
        for name, field in every.items():
            if (name in self._given or name in HIDDEN or (only and name not in only)
                    or _is_other_way_to_say(name, every)):
                continue
            kind = row_kind(field)
            widget = (self._row_field(kind, field, shown.get(name)) if kind else
                      field_widget(name, field, shown.get(name), _hint(name, field)))
            self.fields[name] = widget
            words = label(_words(name, field, every), "caption", wrap=True)
            widget.setAccessibleName(words.text())
            put(form, words, widget, 4)
        form.addStretch(1)
        put(column_layout(self, (SIDE, 16, SIDE, 16), 12), label(self.windowTitle(), "head"),
            label(self._operation.summary, "soft", wrap=True),
            (_Form(inside, self.windowTitle()), 1), self._error,
            put(row_layout(), None, push_button("Cancel", self.reject), self.verb_button))
        if self.fields:
            next(iter(self.fields.values())).setFocus()

    def _row_field(self, kind: RowKind, field: FieldInfo, shown: object) -> QWidget:
        """A field in which a row is chosen."""
        one = RowField(self._context, kind, gone=self._operation.name.startswith("restore"))
        one.looks.connect(self._tell_near)
        widget = RowsField(one) if plain_types(field) & {list, tuple} else one
        for each in shown if isinstance(shown, list | tuple) else (shown,) if shown else ():
            if isinstance(each, RowChoice):
                (widget.add if isinstance(widget, RowsField) else one.show_choice)(each)
            else:
                one.show_id(str(each))
        return widget

    def _tell_near(self) -> None:
        """Tell a field the entity that the form is about, else the selected one, and the value."""
        asked = self.sender()
        assert isinstance(asked, RowField)
        entity, value = self.fields.get("entity"), self.fields.get("attribute_id")
        chosen = entity.chosen if isinstance(entity, RowField) else None
        given = str(self._given.get("entity") or "")
        asked.near = (chosen.id if chosen else given or self._context.selection.entity_id,
                      value.value if isinstance(value, RowField)
                      else str(self._given.get("attribute_id") or ""))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Ctrl+Enter carries it out from a field of several lines, too."""
        control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if control and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.verb_button.click()
        else:
            super().keyPressEvent(event)

    def _carry_out(self) -> None:
        self.verb_button.setEnabled(False)
        try:
            payload = self.payload()
        except OperationError as error:
            self._failed(error)
            return
        # The second word counts for what was refused, not for what was typed since.
        force = self._refused is not None and self._refused == payload
        self._refused = None
        operate(
            self._context, self._operation.name, payload, force=force,
            done=self._done, failed=self._failed, first=self._first,
        )

    def _done(self, outcome: Outcome) -> None:
        self.accept()
        if self._tell is not None:
            self._tell(outcome)

    def _failed(self, error: BaseException) -> None:
        self.verb_button.setEnabled(True)
        self._error.setText(self._in_its_words(error))
        self._error.show()
        self.fit_wrapped_text()
        name = getattr(error, "field", "")
        self.verb_button.setText(self._word)
        if name == "force":
            self._refused = self.payload()
            self.verb_button.setText(f"{self._word} anyway")
        if name in self.fields:
            self.fields[name].setFocus()


    def _in_its_words(self, error: BaseException) -> str:
        """A refusal in which the fields are called as they are here: not `claim_key`."""
        fields = self._operation.fields.model_fields
        words = words_of(error)
        for name, field in fields.items():
            shown = f"“{_name(name, field)}”"
            words = re.sub(rf"^{name}(?= (is|must)\b)", shown, words)
            if "_" in name:
                words = re.sub(rf"\b{name}\b", shown, words)
        return words.replace("” is required", "” is needed")


class _Form(VerticalScrollArea):
    """As high as its fields; it scrolls where the screen is too low for them."""

    def __init__(self, inside: QWidget, name: str) -> None:
        super().__init__(name)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        # Never lower than its fields wish, so that it scrolls instead of squeezing them.
        inside.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.setWidget(inside)
        self._inside = inside

    def sizeHint(self) -> QSize:  # noqa: N802
        wide = WIDTH - 2 * SIDE
        return QSize(wide, max(self._inside.sizeHint().height(),
                               self._inside.heightForWidth(wide)))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(0, min(self._inside.sizeHint().height(), LEAST_FORM))


def _is_other_way_to_say(name: str, every: Mapping[str, FieldInfo]) -> bool:
    """An id where the name is asked for as well: a person types the name."""
    one, many = name.removesuffix("_id"), name.removesuffix("_ids")
    return (one != name and one in every) or (many != name and many[:-1] + "ies" in every)


def _words(name: str, field: FieldInfo, every: Mapping[str, FieldInfo]) -> str:
    """What a field asks for; needed, too, is a name in the place of which an id would do."""
    words = _name(name, field)
    needed = field.is_required() or f"{name}_id" in every
    return words if needed else f"{words} (optional)"


def _name(name: str, field: FieldInfo) -> str:
    """What a field is called."""
    words = field.description or spoken(name).capitalize()
    return without_ids(words) if row_kind(field) else words


def _hint(name: str, field: FieldInfo) -> str:
    """What a field says while it is empty: its default; a check box says its name."""
    if isinstance(field.default, bool):
        return spoken(name).capitalize()
    return str(field.default) if isinstance(field.default, str | int | float) else ""
