"""The buttons of the review with their keys, the reason for a rejection, and where one is."""

from itertools import product

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QStackedLayout, QWidget

from core.model.dispute import DECISIONS
from ui.action import Actions
from ui.models.review_card import Card
from ui.models.review_queue import QueueRow
from ui.widgets.buttons import ActionButton, KeyButton
from ui.widgets.labels import ElidedLabel, set_role, set_tip
from ui.widgets.layouts import put, row_layout
from ui.widgets.toast import SHOWN_MS

VERBS = (
    ("apply", "Apply", "good"), ("anyway", "Apply anyway", "bad"), ("reject", "Reject", "bad"),
    ("both", "Keep both", ""), ("skip", "Skip", ""), ("edit", "Edit", ""), ("flag", "Flag", ""),
)

MARGIN, TALL_MARGIN, GAP, TIGHT_GAP = 18, 26, 8, 4
LEAST_WORDS = 60
LASTS = "bad"
"""The role of a message that stays until the next key; others go by themselves, as toasts do."""


class DecisionButton(KeyButton):
    """Reached by Tab; there Space presses it, elsewhere Space skips."""

    def __init__(self, text: str, key: str, kind: str) -> None:
        super().__init__(text, key, kind)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def event(self, event: QEvent) -> bool:
        if (event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
                and event.key() == Qt.Key.Key_Space):
            event.accept()
            return True
        return super().event(event)


class ReasonField(QLineEdit):
    """Takes the reason; Escape leaves it."""

    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return
        super().keyPressEvent(event)


class DecisionBar(QWidget):
    """One row; asking for a reason puts a field in the buttons' place."""

    pressed = Signal()
    """The action of a button has been run."""
    left = Signal()
    """The reason was left without a decision."""
    rejected = Signal(str)
    """Rejected, with a reason or without."""
    cut = Signal(str)
    """A message that has not enough room here."""

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons: dict[str, DecisionButton] = {}
        self.reason = ReasonField()
        self.reason.setPlaceholderText("Reason (optional) · Enter to reject · Esc to go back")
        self.reason.setAccessibleName("Reason for the rejection")
        self.reason.returnPressed.connect(self._reject)
        self.reason.left.connect(self.stop_asking)
        self._words = ElidedLabel(role="soft")
        self._words.installEventFilter(self)
        self._place = self._more = self._said = ""
        self._role = "soft"
        self._lapse = QTimer(self, singleShot=True, interval=SHOWN_MS)
        self._lapse.timeout.connect(lambda: self.say(""))
        self._fitted: tuple[object, ...] = ()
        """For what width and which words the buttons were fitted."""
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._verbs(actions))
        self._stack.addWidget(self._reasons())
        self.setFixedHeight(46)

    def show_one(self, card: Card | None, row: QueueRow | None) -> None:
        """The verbs for one proposal, as far as they can be done."""
        blocked = card.blocked if card is not None else ""
        words = {"apply": "Apply", "reject": "Reject", "skip": "Skip", "edit": "Edit",
                 "flag": "Unflag" if row is not None and row.flagged else "Flag"}
        if card is not None and card.forceable:
            words["anyway"] = "Apply anyway"
        disputed = card is not None and card.dispute is not None
        if disputed:
            words["both"] = "Keep both"
        enabled = dict.fromkeys(words, row is not None)
        enabled |= {"apply": row is not None and not blocked, "edit": card is not None}
        self._show_verbs(words, enabled, blocked)
        for verb, effect in DECISIONS.items():
            if disputed and not (verb == "apply" and blocked):
                self._explain(verb, effect)

    def show_many(self, count: int, ticked: int) -> None:
        """The verbs for several at once: those that are ticked are applied."""
        self._show_verbs({"apply": f"Apply {ticked}" if ticked else "Apply",
                          "reject": f"Reject {count}"}, {"apply": ticked > 0}, "")

    def _show_verbs(self, words: dict[str, str], enabled: dict[str, bool], why: str) -> None:
        for verb, button in self.buttons.items():
            button.setVisible(verb in words)
            if verb in words:
                button.set_words(words[verb])
                button.setEnabled(enabled.get(verb, True))
        self._fit()
        for verb in DECISIONS:
            self._explain(verb, why if verb == "apply" else "")

    def _explain(self, verb: str, why: str) -> None:
        """Say what a button does, or why it can't be pressed."""
        set_tip(self.buttons[verb], why)
        self.buttons[verb].setAccessibleDescription(why)

    def stretch(self, tall: bool) -> None:
        """Stand under the words of a card that uses the height of the whole window, or a dock."""
        side = TALL_MARGIN if tall else MARGIN
        self._verb_row.setContentsMargins(side, 6, side, 10)
        self._refit()

    def set_place(self, text: str, more: str = "") -> None:
        """Set the position in the queue, and more where there is room; shown unless there is a
        message."""
        self._place, self._more = text, more
        self._tell()

    def say(self, text: str, role: str = "soft") -> None:
        """Show a message beside the buttons, where it has room; the position comes back once it is
        empty, or by itself unless something failed."""
        cut = bool(text) and not self._has_room_for(text)
        self._said, self._role = "" if cut and role != LASTS else text, role
        self._tell()
        self._lapse.stop()
        if cut:
            self.cut.emit(text)
        elif text and role != LASTS:
            self._lapse.start()

    def dim_keys(self, dimmed: bool) -> None:
        """Dim the key hints while the focus is elsewhere."""
        for button in self.buttons.values():
            button.dim_cap(dimmed)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self._refit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._refit()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.Resize:
            self._tell()  # What there is room for, now that it is known.
        return False

    def _refit(self) -> None:
        self._fit()
        self._verb_row.activate()
        self._tell()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange):
            self._fitted = ()
            if self.isVisible():
                self._fit()

    def _fit(self) -> None:
        """Where there is little room the buttons grow narrow; then the keys go, then the stage."""
        shown = [button for button in self.buttons.values() if not button.isHidden()]
        margins = self._verb_row.contentsMargins()
        sides = margins.left() + margins.right()
        fitted = (self.width(), sides, self.stage.accessibleName(),
                  *(button.accessibleName() for button in shown))
        if fitted == self._fitted:
            return
        self._fitted = fitted
        for staged, cap, tight in product((True, False), (True, False), (False, True)):
            gap = TIGHT_GAP if tight else GAP
            self._verb_row.setSpacing(gap)
            for button in (*shown, self.stage):
                button.show_cap(cap)
                button.set_tight(tight)
            self.stage.setVisible(staged)
            parts = [*shown, self.stage] if staged else shown
            wanted = sum(button.sizeHint().width() + gap for button in parts) + sides
            if wanted + LEAST_WORDS <= self.width():
                return

    def _has_room_for(self, text: str) -> bool:
        return self._words.fontMetrics().horizontalAdvance(text) <= self._words.width()

    def _tell(self) -> None:
        ways = (f"{self._place}{self._more}", self._place, self._place.replace(" of ", "/"))
        self._words.setText(self._said or next(filter(self._has_room_for, ways), ways[-1]))
        set_role(self._words, role=self._role if self._said else "soft")

    @property
    def words(self) -> str:
        return self._words.text()

    @property
    def asking(self) -> bool:
        """True while the reason is asked for."""
        return self._stack.currentIndex() == 1

    def ask_reason(self, words: str) -> None:
        self.reason.clear()
        self._reject_button.set_words(words)
        self._stack.setCurrentIndex(1)
        self.reason.setFocus()

    def stop_asking(self) -> None:
        if self.asking:
            self._stack.setCurrentIndex(0)
            self.left.emit()

    def _reject(self) -> None:
        text = self.reason.text()
        self._stack.setCurrentIndex(0)
        self.rejected.emit(text)

    def _verbs(self, actions: Actions) -> QWidget:
        box, row = _row()
        self._verb_row = row
        for verb, text, kind in VERBS:
            button = DecisionButton(text, actions.key_text(f"proposals.{verb}"), kind)
            button.clicked.connect(actions.action(f"proposals.{verb}").trigger)
            button.clicked.connect(self.pressed)
            self.buttons[verb] = button
            row.addWidget(button)
        self.stage = ActionButton(actions.action("view.review"))
        self.stage.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        put(row, (self._words, 1), self.stage)
        return box

    def _reasons(self) -> QWidget:
        box, row = _row()
        self._reject_button = DecisionButton("Reject", "Enter", "bad")
        self._reject_button.clicked.connect(self._reject)
        back = DecisionButton("Back", "Esc", "")
        back.clicked.connect(self.stop_asking)
        put(row, (self.reason, 1), self._reject_button, back)
        return box


def _row() -> tuple[QWidget, QHBoxLayout]:
    box = QWidget()
    row = row_layout(box, (MARGIN, 6, MARGIN, 10), GAP)
    return box, row
