"""Compares with and without one thing: choose it, see the result, apply it."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QMenu, QWidget

from ui.models.agent_view import Comparison
from ui.models.what_if import Thing
from ui.widgets.filter_chips import chip_button
from ui.widgets.labels import label, set_tip
from ui.widgets.layouts import column_layout, row_layout
from ui.widgets.link_button import link_button

ROOM_ASIDE, ROOM_BESIDE = 70, 110
"""Pixels of the bar that the words of the chip, and of the step beside it, can't have."""
ROOM_FOR_ONE_LINE = 400
"""Pixels from which chip and result share a line, and each has half of them."""
HEADS = {word: f"With and without the {word} of" for word in ("pin", "mute")} | {
    "edit": "With and without the proposed edit"}
"""What stands over each part of the choice, by the word of its things."""


class CompareBar(QWidget):
    """What is compared and what came of it; `start` opens the choice, and stands elsewhere."""

    compared = Signal(object)
    """The `Thing` to compare with and without; None to end it."""
    carried_out = Signal()
    """It shall be so, or not be so any more."""

    def __init__(self) -> None:
        super().__init__()
        self._things: tuple[Thing, ...] = ()
        self.thing: Thing | None = None
        self.start = chip_button("compare…")
        self.start.setAccessibleName("Compare with and without…")
        set_tip(self.start, "Compare with and without something")
        self.chip = chip_button()
        self.chip.setCheckable(True)
        self.chip.setChecked(True)
        set_tip(self.chip, "End the comparison")
        self.chip.clicked.connect(self._end)
        self.start.clicked.connect(self._open_menu)
        self.menu = QMenu(self)
        self.enters, self.leaves = label(role="good"), label(role="bad")
        self.words = label(role="soft", wrap=True)
        self.act = link_button("", self.carried_out.emit)
        self._result = QWidget()
        self._lay_out()
        # Not by `show_thing`: what stands nowhere yet would be shown as a window of its own.
        for part in (self.chip, self.words, self._result, self):
            part.hide()

    def show_things(self, things: Sequence[Thing]) -> None:
        """What can be compared now."""
        self._things = tuple(things)
        self.start.setEnabled(bool(things))

    def show_thing(self, thing: Thing | None) -> None:
        """Set what is compared; its numbers follow."""
        self.thing = thing
        self.start.setVisible(thing is None)
        self.setVisible(thing is not None)
        self.chip.setVisible(thing is not None)
        self._result.hide()
        self.words.hide()
        if thing is not None:
            self._name_chip("with and without")

    def show_comparison(self, compared: Comparison) -> None:
        """Show the result of the comparison."""
        thing = self.thing
        if thing is None:
            return
        self._name_chip("without" if compared.holds else "with")
        same = compared.same
        self.enters.setText(f"+{compared.enters:,}")
        self.leaves.setText(f"−{compared.leaves:,}")
        set_tip(self.enters, f"Lines that are told only with the {compared.word}")
        set_tip(self.leaves, f"Lines that are told only without the {compared.word}")
        self.words.setText("No difference")
        set_tip(self.words, f"The same with and without the {compared.word}")
        self.words.setVisible(same)
        for part in (self.enters, self.leaves):
            part.setVisible(not same)
        step = thing.step(compared.holds)
        self.act.setVisible(step is not None)
        if step is not None:
            self.act.setText(self._cut(step.words, ROOM_BESIDE))
            set_tip(self.act, step.words)
        self._result.show()

    def show_waiting(self) -> None:
        """Show that it is being computed."""
        self._result.hide()
        self.words.setText("Comparing…")
        set_tip(self.words, "")
        self.words.show()

    def show_refusal(self, text: str) -> None:
        """Why it can't be compared."""
        self._result.hide()
        self.words.setText(text)
        set_tip(self.words, "")
        self.words.show()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """The result stands beside the chip where there is room, else below it."""
        super().resizeEvent(event)
        wide = self.width() >= ROOM_FOR_ONE_LINE
        self._column.setDirection(QBoxLayout.Direction.LeftToRight if wide
                                  else QBoxLayout.Direction.TopToBottom)

    def _name_chip(self, word: str) -> None:
        assert self.thing is not None
        words = f"compare: {word} {self.thing.name}"
        self.chip.setText(f"{self._cut(words, ROOM_ASIDE)}  ×")
        self.chip.setAccessibleName(words)

    def _cut(self, words: str, aside: int) -> str:
        """Words on a button, as many as there is room for beside other things."""
        room = self.width() // 2 if self.width() >= ROOM_FOR_ONE_LINE else self.width()
        shown = self.chip.fontMetrics().elidedText(
            words, Qt.TextElideMode.ElideRight, room - aside)
        return shown.replace("&", "&&")

    def _end(self) -> None:
        self.chip.setChecked(True)
        self.compared.emit(None)

    def _open_menu(self) -> None:
        self.menu.clear()
        head = ""
        for thing in self._things:
            if HEADS[thing.word] != head:
                head = HEADS[thing.word]
                self.menu.addAction(head).setEnabled(False)
            action = self.menu.addAction(thing.name.replace("&", "&&"))
            action.triggered.connect(partial(self._choose, thing))
        self.menu.popup(self.start.mapToGlobal(self.start.rect().bottomLeft()))

    def _choose(self, thing: Thing, _checked: bool = False) -> None:
        self.compared.emit(thing)

    def _lay_out(self) -> None:
        row = row_layout(self._result, (2, 0, 0, 0), 9)
        for part in (self.enters, self.leaves, self.act):
            row.addWidget(part)
        row.addStretch(1)
        self._column = column_layout(self, (14, 4, 10, 6), 8)
        self._column.addWidget(self.chip, 0, Qt.AlignmentFlag.AlignLeft)
        self._column.addWidget(self.words, 1)
        self._column.addWidget(self._result, 1)
