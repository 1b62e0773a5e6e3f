"""The right column of the activity for a question: who asked, and what was told."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.model.asked import Asked
from core.model.text_formatting import counted, one_line
from ui.context import Context
from ui.models.answer_details import AnswerDetails, neighbours
from ui.models.asked_wording import asked_line, plain_name
from ui.models.time_wording import day_and_time
from ui.widgets.buttons import KeyButton
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.labels import SectionHead, label
from ui.widgets.link_button import link_button
from ui.widgets.scroll_column import ScrollColumn

NAMED, QUOTED = 24, 30
"""Entities and memories that are listed."""


class AnswerColumn(ScrollColumn):
    """Shows one question, with ways to the one before and after it in its session."""

    stepped = Signal(object)
    """The person goes to another question of the session."""
    looked_into = Signal(object)
    """The person wants to see the walk of this question."""

    def __init__(self, context: Context) -> None:
        super().__init__("What was asked and told", margins=(18, 10, 18, 10))
        self._context = context
        self._asked: Asked | None = None
        self._shown: Sequence[Asked] = ()
        self._details: AnswerDetails | None = None
        self.earlier: KeyButton | None = None
        self.later: KeyButton | None = None
        self.look: KeyButton | None = None

    def show_asked(self, asked: Asked, shown: Sequence[Asked]) -> None:
        """Show a question; what it was told appears when loaded.

        Args:
            shown: the questions in the list, among which its session is.
        """
        if self._details is not None and self._details.asked != asked:
            self._details = None
        self._asked, self._shown = asked, shown
        self._build()

    def show_details(self, details: AnswerDetails) -> None:
        """Show names and texts."""
        if details.asked == self._asked and details != self._details:
            self._details = details
            self._build()

    def step(self, by: int) -> None:
        """Go to the question before (-1) or after (1) it in its session."""
        if self._asked is not None:
            before, after, _, _ = neighbours(self._shown, self._asked)
            other = before if by < 0 else after
            if other is not None:
                self.stepped.emit(other)

    def press_look(self) -> None:
        """Show the question's walk."""
        if self._asked is not None:
            self.looked_into.emit(self._asked)

    def _build(self) -> None:
        asked, details = self._asked, self._details
        if asked is None:
            return
        scrolled = self.verticalScrollBar().value()
        with self.filling() as column:
            column.addWidget(label(asked_line(asked), "head", wrap=True, selectable=True))
            words = " · ".join(part for part in (
                day_and_time(asked.at), one_line(plain_name(asked.who), 60),
                f"by {asked.door}" if asked.door else "",
                one_line(asked.project, 60), f"session {asked.session}" if asked.session else "",
            ) if part)
            column.addWidget(label(words, "soft", wrap=True))
            self._put_ways(column, asked)
            if details is not None:
                self._put_told(column, details)
        self.verticalScrollBar().setValue(scrolled)

    def _put_ways(self, column: QVBoxLayout, asked: Asked) -> None:
        keys = self._context.actions.key_text
        before, after, place, many = neighbours(self._shown, asked)
        self.earlier = KeyButton("Earlier", keys("activity.earlier"))
        self.later = KeyButton("Later", keys("activity.later"))
        self.look = KeyButton("Show its walk", keys("activity.walk"))
        for button, there in ((self.earlier, before), (self.later, after)):
            button.setEnabled(there is not None)
        self.earlier.clicked.connect(partial(self.step, -1))
        self.later.clicked.connect(partial(self.step, 1))
        self.look.clicked.connect(self.press_look)
        where = label(f"{place:,} of {many:,} in this session", "soft")
        box = QWidget()
        flow = FlowLayout(box, spacing=6)
        for part in (self.earlier, self.later, self.look, where):
            flow.addWidget(part)
        column.addWidget(box)

    def _put_told(self, column: QVBoxLayout, details: AnswerDetails) -> None:
        for head, names in (("Started from", details.focal), ("Walked", details.walked)):
            if names:
                column.addWidget(SectionHead(head))
                column.addWidget(self._names(names))
        column.addWidget(SectionHead(f"Told · {counted(len(details.told), 'memory')}"))
        for id, text in details.told[:QUOTED]:
            line = link_button(one_line(text, 110).replace("&", "&&"),
                               partial(self._context.selection.select_memory, id))
            column.addWidget(line, 0, Qt.AlignmentFlag.AlignLeft)
        if len(details.told) > QUOTED:
            column.addWidget(label(f"and {len(details.told) - QUOTED:,} more", "soft"))

    def _names(self, names: Sequence[tuple[str, str]]) -> QWidget:
        box = QWidget()
        flow = FlowLayout(box, spacing=4)
        for id, name in names[:NAMED]:
            jump = link_button(f"{one_line(name, 50)} ↗".replace("&", "&&"),
                               partial(self._context.selection.select_entity, id))
            jump.setAccessibleName(f"Show {one_line(name, 50)}")
            flow.addWidget(jump)
        if len(names) > NAMED:
            flow.addWidget(label(f"and {len(names) - NAMED:,} more", "soft"))
        return box
