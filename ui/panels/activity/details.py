"""The right column of the activity: the changes of an entry, and undo."""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.model.changes import Activity
from core.model.text_formatting import one_line
from core.queries.authors import told_name
from ui.context import Context
from ui.models.activity_log import STATES, Details, key_of
from ui.models.time_wording import day_and_time
from ui.panels.change_details import put_difference
from ui.widgets.buttons import KeyButton
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.labels import SectionHead, label
from ui.widgets.layouts import put, row_layout
from ui.widgets.lines_of_text import signed_line
from ui.widgets.link_button import link_button
from ui.widgets.scroll_column import ScrollColumn

DETAILS = 40
"""Row changes of an entry that are shown at a time; a large merge has thousands."""
ROLES = {"+": "good", "−": "bad", "~": "soft"}


class ActivityDetails(ScrollColumn):
    """Shows one entry."""

    moved = Signal(object)
    """The person wants this entry undone, or done again."""
    more_wanted = Signal()
    """The person wants to see row changes that have not been looked at."""

    def __init__(self, context: Context) -> None:
        super().__init__("What the entry changed", margins=(18, 10, 18, 10))
        self._context = context
        self._entry: Activity | None = None
        self._details: Details | None = None
        self._shown = DETAILS
        self.refusal = ""
        """Why the last try to undo or redo this entry was refused."""
        self.button: KeyButton | None = None

    def show_entry(self, entry: Activity | None) -> None:
        """Show an entry; its changes appear when loaded."""
        if self._entry is not None and entry == self._entry:
            return
        if self._entry is None or entry is None or key_of(entry) != key_of(self._entry):
            self._shown, self.refusal = DETAILS, ""
        self._entry, self._details = entry, None
        self._build()

    def show_details(self, details: Details) -> None:
        if details != self._details:
            self._details = details
            self._build()

    def say(self, text: str) -> None:
        """Words beside the button: why it could not be done."""
        self.refusal = text
        self._build()

    def press(self) -> None:
        """Undo or redo, if that can be done."""
        if self._entry is not None and self.button is not None:
            self.refusal = ""
            self.moved.emit(self._entry)

    def jump_to_first(self) -> None:
        """Select the first entity that the entry touched."""
        if self._details is not None and self._details.entities:
            self._context.selection.select_entity(self._details.entities[0][0])

    def _build(self) -> None:
        entry, details = self._entry, self._details
        scrolled = self.verticalScrollBar().value()
        with self.filling() as column:
            self.button = None
            if entry is not None:
                self._put_head(column, entry)
                if details is not None:
                    self._put_details(column, details)
        self.verticalScrollBar().setValue(scrolled)

    def _put_head(self, column: QVBoxLayout, entry: Activity) -> None:
        column.addWidget(label(one_line(entry.label, 300), "head", wrap=True, selectable=True))
        word, tone = STATES.get(entry.state, (entry.state, ""))
        state = [label(f"· {word}", tone or "soft")] if word else []
        who = one_line(told_name(entry.who), 60)
        when = label(f"{day_and_time(entry.when)} · {who}", "soft")
        put(column, put(row_layout(spacing=6), when, *state, None), self._way_back(entry))
        if self.refusal:
            column.addWidget(label(self.refusal, "bad", wrap=True, selectable=True))

    def _way_back(self, entry: Activity) -> QWidget:
        if entry.undo_id is None:
            return label("Not made with this program on this machine, so it can't be undone here",
                         "soft", wrap=True)
        words = "Undo this" if entry.state == "done" else "Redo this"
        self.button = KeyButton(words, self._context.actions.key_text("activity.move"))
        self.button.clicked.connect(self.press)
        return self.button

    def _put_details(self, column: QVBoxLayout, details: Details) -> None:
        if details.words:
            column.addWidget(label(details.words, "soft", wrap=True, selectable=True))
        if details.entities:
            column.addWidget(self._entities(details))
        if details.effects:
            column.addWidget(SectionHead("What it changed"))
        if details.unread:
            column.addWidget(label(
                f"The last {details.unread:,} row changes are not counted here:", "soft"))
        for effect in details.effects:
            column.addWidget(signed_line(effect.sign, ROLES[effect.sign], effect.text))
        if details.differences:
            column.addWidget(SectionHead("Changed in the file"))
        for difference in details.differences[:self._shown]:
            put_difference(column, self._context.theme, difference)
        known = len(details.differences)
        if known + details.unread > self._shown:
            words = f"{min(self._shown, known):,} of {known + details.unread:,} rows · show more"
            column.addWidget(link_button(words, self._show_more), 0, Qt.AlignmentFlag.AlignLeft)

    def _show_more(self) -> None:
        """Show the next rows, of which some may have to be read first."""
        self._shown += DETAILS
        if self._details is not None and self._shown > len(self._details.differences) and (
                self._details.unread):
            self.more_wanted.emit()
        self._build()

    def _entities(self, details: Details) -> QWidget:
        box = QWidget()
        flow = FlowLayout(box, spacing=4)
        for key, name in details.entities:
            jump = link_button(f"{one_line(name, 50)} ↗".replace("&", "&&"),
                               partial(self._context.selection.select_entity, key))
            jump.setAccessibleName(f"Show {one_line(name, 50)}")
            flow.addWidget(jump)
        return box
