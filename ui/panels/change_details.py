"""Shows changes of rows: removed and added words, fields from old to new."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from core.review.row_differences import Difference, FieldChange
from ui.models.time_wording import plain
from ui.theme import Theme
from ui.widgets.highlighted_text import StruckText
from ui.widgets.labels import label, set_tip
from ui.widgets.layouts import put, row_layout
from ui.widgets.lines_of_text import signed_line
from ui.widgets.meter_and_type_glyph import TypeGlyph
from ui.widgets.word_diff import DiffLabel

SIGNS = {"new": ("+", "good"), "gone": ("−", "bad"), "changed": ("~", "soft")}


def put_difference(column: QVBoxLayout, theme: Theme, difference: Difference) -> None:
    """Add one difference to a column: its words, or its row, and the fields that change."""
    put_words(column, theme, difference)
    put_fields(column, difference)


def put_words(column: QVBoxLayout, theme: Theme, difference: Difference) -> None:
    """Add the removed and added words, or the changed row."""
    if difference.old is not None:
        column.addWidget(StruckText(theme, difference.old))
    if difference.new is not None:
        column.addWidget(_new_words(theme, difference))
    if difference.old is None and difference.new is None:
        column.addWidget(signed_line(*SIGNS[difference.verb], difference.title))


def put_fields(column: QVBoxLayout, difference: Difference) -> None:
    """Add the changed fields, unless the words show them."""
    if difference.fields and not (difference.old and difference.new):
        column.addWidget(field_grid(difference.fields))


def _new_words(theme: Theme, difference: Difference) -> QWidget:
    words = DiffLabel(theme)
    words.set_texts(difference.old or "", difference.new or "", gone=False)
    if not difference.constraint:
        return words
    row = QWidget()
    put(row_layout(row, (0, 0, 0, 0)),
        (TypeGlyph(theme, "constraint"), 0, Qt.AlignmentFlag.AlignTop), (words, 1))
    return row


def field_grid(fields: tuple[FieldChange, ...]) -> QWidget:
    """`status   active → archived`, one line for each field."""
    box = QWidget()
    grid = QGridLayout(box)
    grid.setContentsMargins(16, 0, 0, 0)
    grid.setHorizontalSpacing(12)
    grid.setVerticalSpacing(2)
    grid.setColumnStretch(1, 1)
    for at, field in enumerate(fields):
        name = label(field.name, "caption")
        words = label(_field_words(field), wrap=True, selectable=True)
        set_tip(words, f"{field.name}: {_field_words(field)}")
        grid.addWidget(name, at, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(words, at, 1)
    return box


def _field_words(field: FieldChange) -> str:
    before, after = map(plain, (field.before, field.after))
    if not before or field.after is None:
        return before or after
    return f"{before} → {after or 'none'}"
