"""The fields of an operation as widgets, made from its payload class, and read back from them."""

from typing import Annotated, Literal, get_args, get_origin

from pydantic.fields import FieldInfo
from PySide6.QtWidgets import QComboBox, QLineEdit, QPlainTextEdit, QWidget

from core.errors import OperationError
from core.model.names import spoken
from core.ontology.payload_base import plain_types
from ui.dialogs.row_field import RowField, RowsField
from ui.widgets.buttons import ComboBox
from ui.widgets.tick_box import TickBox

LONG = frozenset(("value", "content", "description", "new_value", "reason"))
LONG_HEIGHT = 66
MANY = 2
"""More examples than this are offered as a choice."""


def field_widget(name: str, info: FieldInfo, shown: object, hint: str = "") -> QWidget:
    """What a field is typed into or chosen with.

    Args:
        shown: the value that is filled in; None for the default.
        hint: the words of a check box, and of a field while it is empty.
    """
    kinds = plain_types(info)
    if bool in kinds:
        box = TickBox(hint)
        box.setChecked((info.default if shown is None else shown) in (True, 1, "1", "true"))
        return box
    words, closed = _choices(info)
    if words:
        combo = ComboBox()
        combo.setEditable(not closed)
        combo.addItems(words if info.is_required() or (closed and info.default) else ["", *words])
        combo.setCurrentText(str(shown or (info.default if not info.is_required() else "") or ""))
        return combo
    if kinds & {list, tuple}:
        items = shown if isinstance(shown, list | tuple) else [shown] if shown else []
        return _long("\n".join(map(str, items)))
    text = "" if shown is None else str(shown)
    if name in LONG:
        return _long(text)
    line = QLineEdit(text)
    line.setPlaceholderText(hint)
    return line


def field_value(name: str, info: FieldInfo, widget: QWidget) -> object:
    """What was typed or chosen, as a payload has it; empty for nothing.

    Raises:
        OperationError: 400 where a number is needed and none was typed.
    """
    if isinstance(widget, RowField | RowsField):
        return widget.value
    if isinstance(widget, TickBox):
        return widget.isChecked()
    if isinstance(widget, QComboBox):
        return widget.currentText().strip()
    text = widget.toPlainText() if isinstance(widget, QPlainTextEdit) else (
        widget.text() if isinstance(widget, QLineEdit) else "")
    kinds = plain_types(info)
    if kinds & {list, tuple}:
        return [line.strip() for line in text.splitlines() if line.strip()]
    if float not in kinds or not text.strip():
        return text.strip()
    try:
        return float(text.replace(",", "."))
    except ValueError:
        raise OperationError(400, f"{spoken(name)} must be a number", field=name) from None


def _choices(info: FieldInfo) -> tuple[list[str], bool]:
    """The words to choose from, and whether no other will do."""
    kinds = [info.annotation, *get_args(info.annotation)]
    kinds += [get_args(kind)[0] for kind in kinds if get_origin(kind) is Annotated]
    words = next((get_args(kind) for kind in kinds if get_origin(kind) is Literal), ())
    if not words and isinstance(info.json_schema_extra, dict):
        listed = info.json_schema_extra.get("enum")
        words = tuple(listed) if isinstance(listed, list) else ()
    examples = info.examples or ()
    return list(map(str, words or (examples if len(examples) > MANY else ()))), bool(words)


def _long(text: str) -> QPlainTextEdit:
    field = QPlainTextEdit(text)
    field.setTabChangesFocus(True)
    field.setFixedHeight(LONG_HEIGHT)
    return field
