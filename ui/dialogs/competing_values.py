"""Two values for one place side by side: keep one, write both into one, or keep both as said."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QPushButton, QWidget

from core.model.text_formatting import one_line
from core.model.times import ago
from core.review.competing_values import Decision, Side, TwoValues, settle
from core.store.reader_and_writer import Writer
from ui.error_words import words_of
from ui.models.decisions import Word
from ui.theme import Theme
from ui.widgets.buttons import push_button
from ui.widgets.dialogs import Dialog
from ui.widgets.labels import SectionHead, label
from ui.widgets.layouts import column_layout, put, row_layout
from ui.widgets.word_diff import DiffLabel

WIDTH = 720
FIELD_HEIGHT = 66
SHOWN = 1200
"""Characters of a value."""
KEEP = "Keep this one"
COMBINE = "Use this text"
AS_SAID = "Keep both as assertions"
AS_SAID_WORDS = "Each stays on record as what somebody said; {}."

Act = Callable[[Writer], object]
Decide = Callable[[str, Word, Act, Callable[[object], None], Callable[[BaseException], None]], None]
"""Carries out what was chosen: its name in the history, what becomes of the proposal, the change,
and what to call then, or if it was refused."""


class TwoValuesDialog(Dialog):
    """Both values, each with who said it and when, its own words lit, and what can be made of them.

    What is chosen is written as one step; refused, the dialog stays and says why.
    """

    def __init__(self, shown: TwoValues, decide: Decide, theme: Theme,
                 parent: QWidget | None = None) -> None:
        super().__init__("Two values", parent, width=WIDTH)
        self._shown, self._decide, self._theme = shown, decide, theme
        self.keep: list[QPushButton] = []
        self.text = QPlainTextEdit(shown.combined)
        self.text.setAccessibleName("Both in one text")
        self.text.setTabChangesFocus(True)
        self.text.setFixedHeight(FIELD_HEIGHT)
        self.use = push_button(COMBINE, self._combine, "primary")
        self.as_said = push_button(AS_SAID, self._keep_as_said)
        self._error = label(role="bad", wrap=True)
        self._error.hide()
        self._lay_out()
        self.keep[0].setFocus()

    @property
    def error(self) -> str:
        return self._error.text() if not self._error.isHidden() else ""

    def _lay_out(self) -> None:
        shown = self._shown
        older, newer = ("In force", "Proposed") if shown.proposed else ("Older", "Newer")
        sides = row_layout(spacing=12)
        first, second = shown.first, shown.second
        sides.addWidget(self._plate(older, first, second), 1)
        sides.addWidget(self._plate(newer, second, first), 1)
        stays = ("the value in force is unchanged" if shown.proposed
                 else "the newer one is in force")
        put(column_layout(self, (22, 16, 22, 16), 8),
            label(one_line(f"{shown.entity_name} · {shown.where}", 200), "head", wrap=True), sides,
            4, SectionHead("Or both in one"), self.text,
            put(row_layout(), label("Ctrl+Enter uses it", "soft"), None, self.use),
            4, put(row_layout(spacing=10), self.as_said,
                   (label(AS_SAID_WORDS.format(stays), "soft", wrap=True), 1)),
            self._error, put(row_layout(), None, push_button("Cancel", self.reject)))

    def _plate(self, words: str, side: Side, other: Side) -> QFrame:
        plate = QFrame()
        plate.setProperty("role", "plate")
        rule = "constraint" if side.kind == "constraint" else ""
        who = " · ".join(part for part in (
            words, rule, one_line(side.who, 40), ago(side.said_at)) if part)
        button = push_button(KEEP, partial(self._hold, side is self._shown.second))
        button.setAccessibleDescription(one_line(side.text, 200))
        self.keep.append(button)
        text = DiffLabel(self._theme)
        text.set_texts(one_line(other.text, SHOWN), one_line(side.text, SHOWN), gone=False)
        put(column_layout(plate, (14, 10, 14, 12), 6), label(who, "caption", wrap=True), text, None,
            (button, 0, Qt.AlignmentFlag.AlignLeft))
        return plate

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if control and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._combine()
        else:
            super().keyPressEvent(event)

    def _hold(self, second: bool) -> None:
        self._carry_out("Keep one of two values", "second" if second else "first",
                        "applied" if second else "rejected")

    def _combine(self) -> None:
        self._carry_out("Combine two values", "combined", "applied")

    def _keep_as_said(self) -> None:
        self._carry_out("Keep both as assertions", "assertions",
                        "rejected" if self._shown.proposed else "applied")

    def _carry_out(self, words: str, decision: Decision, word: Word) -> None:
        shown, value = self._shown, self.text.toPlainText()
        self._set_busy(True)
        self._decide(f"{words}: {one_line(shown.where, 60)}", word,
                     lambda writer: settle(writer, shown, decision, value),
                     lambda _written: self.accept(), self._refused)

    def _refused(self, error: BaseException) -> None:
        self._set_busy(False)
        self._error.setText(words_of(error))
        self._error.show()
        self.fit_wrapped_text()

    def _set_busy(self, busy: bool) -> None:
        for button in (*self.keep, self.use, self.as_said):
            button.setEnabled(not busy)
