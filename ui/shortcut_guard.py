"""Keeps the window's shortcuts away from the field or form that has the keyboard, and lets Enter
press the button that has it.
"""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QTextEdit,
    QToolButton,
    QWidget,
)

FORM = "form"
"""A widget with this property is a form: none of its parts lets a shortcut take its keys."""
FIELDS = (QLineEdit, QPlainTextEdit, QTextEdit)
CHOOSERS = (QComboBox, QAbstractSpinBox)

BUTTONS = (QPushButton, QToolButton)

_Key, _Modifier = Qt.Key, Qt.KeyboardModifier
_EDITING = frozenset((
    _Key.Key_Return, _Key.Key_Enter, _Key.Key_Backspace, _Key.Key_Delete, _Key.Key_Space,
    _Key.Key_Insert, _Key.Key_Left, _Key.Key_Right, _Key.Key_Up, _Key.Key_Down, _Key.Key_Home,
    _Key.Key_End, _Key.Key_PageUp, _Key.Key_PageDown, _Key.Key_Escape, _Key.Key_Tab,
    _Key.Key_Backtab,
))
"""Keys that a field uses with every modifier."""
_CHOOSING = frozenset((
    _Key.Key_Return, _Key.Key_Enter, _Key.Key_Space, _Key.Key_Up, _Key.Key_Down, _Key.Key_Home,
    _Key.Key_End, _Key.Key_PageUp, _Key.Key_PageDown, _Key.Key_Tab, _Key.Key_Backtab,
))
_STANDARD = (
    QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo, QKeySequence.StandardKey.Cut,
    QKeySequence.StandardKey.Copy, QKeySequence.StandardKey.Paste,
    QKeySequence.StandardKey.SelectAll,
)
_WITH_LETTER = _Modifier.ControlModifier | _Modifier.AltModifier | _Modifier.MetaModifier
_CHANGING = frozenset((_Key.Key_F2,))
"""Function keys that change something; the others lead about in the window."""


class EditorKeys(QObject):
    """Lets an editor have its keys before any shortcut: what one types, Enter, Delete, undo.

    What is left to the window there are keys that no editor uses: Ctrl with a letter or a digit,
    and the function keys that lead about.
    """

    def __init__(self, app: QApplication, parent: QObject) -> None:
        super().__init__(parent)
        app.focusChanged.connect(self._follow)
        self._follow(None, app.focusWidget())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if (event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
                and isinstance(watched, QWidget) and is_editor(watched)
                and (chooses if is_lone_choice(watched) else edits)(event)):
            event.accept()
            return True
        if (event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent)
                and isinstance(watched, BUTTONS) and _is_enter(event)):
            # Qt leaves Enter to a dialog, whose default button may be the opposite of this one.
            watched.click()
            return True
        return False

    def _follow(self, _before: QWidget | None, now: QWidget | None) -> None:
        if now is not None and (isinstance(now, BUTTONS) or is_editor(now)):
            now.installEventFilter(self)


def _is_enter(event: QKeyEvent) -> bool:
    keypad = _Modifier.KeypadModifier
    return (event.key() in (_Key.Key_Return, _Key.Key_Enter)
            and event.modifiers() & ~keypad == _Modifier.NoModifier)


def is_editor(widget: QWidget) -> bool:
    """Whether a person types or chooses something here: a field, or any part of a form."""
    if isinstance(widget, FIELDS):
        return not widget.isReadOnly() or _in_form(widget)
    return isinstance(widget, CHOOSERS) or _in_form(widget)


def _in_form(widget: QWidget) -> bool:
    part: QWidget | None = widget
    while part is not None:
        if part.property(FORM):
            return True
        part = None if part.isWindow() else part.parentWidget()
    return False


def is_lone_choice(widget: QWidget) -> bool:
    """Whether it is a box to choose from that stands alone: nothing is typed or undone there."""
    return isinstance(widget, QComboBox) and not widget.isEditable() and not _in_form(widget)


def chooses(event: QKeyEvent) -> bool:
    """Whether a closed box to choose from has a use for this key: letters look for an entry."""
    return Qt.Key(event.key()) in _CHOOSING or (
        not event.modifiers() & _WITH_LETTER and event.text().isalnum())


def edits(event: QKeyEvent) -> bool:
    """Whether an editor has a use for this key."""
    key = Qt.Key(event.key())
    if key in _EDITING or key in _CHANGING or any(event.matches(name) for name in _STANDARD):
        return True
    return not (event.modifiers() & _WITH_LETTER) and not _Key.Key_F1 <= key <= _Key.Key_F35
