"""The card's place while several proposals are selected: the ticks, and the report afterwards."""

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from core.model.text_formatting import counted, one_line
from ui.models.decisions import Report
from ui.models.proposal_batch import Batch
from ui.models.review_queue import QueueRow
from ui.turns import NextTurn
from ui.widgets.buttons import on_click
from ui.widgets.labels import label
from ui.widgets.layouts import column_layout, put
from ui.widgets.lines_of_text import signed_line
from ui.widgets.link_button import link_button
from ui.widgets.scroll_column import VerticalScrollArea
from ui.widgets.tick_box import TickBox

LISTED, MORE = 60, 200
"""Proposals that are listed at first, which are twice as many as a high window shows, and that are
added by a click."""
AT_ONCE = 8
"""Lines that are made or changed in one go, so that the window does not stand still for them."""
NOTE_LEFT = 24
"""Under the words of a tick."""
NOTE = "note"
DIRECT = Qt.FindChildOption.FindDirectChildrenOnly
WAITS = "Computing what they would do together…"
RULES = "One undo reverts all of them. What has something against it is not ticked."


class _Shown(Struct, frozen=True):
    """What the selected ones are shown with."""

    rows: Sequence[QueueRow] = ()
    refusals: dict[str, str] = {}
    batch: Batch | None = None
    ticked: frozenset[str] = frozenset()


class _Line(QWidget):
    """One proposal: its tick, and below it what speaks against it."""

    pressed = Signal(str)

    def __init__(self, row: QueueRow) -> None:
        super().__init__()
        self.row = row
        self.box = TickBox(one_line(_words(row), 120).replace("&", "&&"))
        on_click(self.box, self._press)
        self._notes: list[tuple[str, str, str]] = []
        self._column = put(column_layout(self, (0, 0, 0, 0), 1), self.box)

    def show_state(self, shown: _Shown) -> None:
        """Whether it is ticked, which the dry run says, and what there is to know about it."""
        id, batch = self.row.id, shown.batch
        refusal = shown.refusals.get(id, "")
        self.box.setEnabled(batch is not None)
        self.box.setChecked(id in shown.ticked)
        against = batch.notes.get(id, ()) if batch is not None else ()
        notes = [("⚠", "proposal", one) for one in against if one != refusal]
        if refusal:
            notes.append(("✕", "bad", refusal))
        if notes != self._notes:
            self._notes = notes
            for old in self.findChildren(QWidget, NOTE, DIRECT):
                self._column.removeWidget(old)
                old.hide()
                old.deleteLater()
            put(self._column, *(_note(*note) for note in notes))

    def _press(self) -> None:
        self.pressed.emit(self.row.id)


class BatchView(VerticalScrollArea):
    """The selected proposals, each with a tick and with what speaks against it.

    Lines are made a few at a time, and stay while their proposal does.
    """

    ticked = Signal(str)
    """The person set a tick or took it away."""

    def __init__(self) -> None:
        super().__init__("The selected proposals")
        self._head, self._below = label("", "head", wrap=True), label("", "soft", wrap=True)
        self._column = self.hold((18, 10, 18, 8), 5)
        for place, words in enumerate((self._head, self._below)):
            self._column.insertWidget(place, words)
        self._first = self._column.count() - 1
        self._lines: list[_Line] = []
        self._more: QPushButton | None = None
        self._shown, self._listed, self._at = _Shown(), LISTED, 0
        self._next = NextTurn(self)
        self._next.timeout.connect(self._go_on)

    @property
    def head(self) -> str:
        """How many are selected and ticked, or what became of them."""
        return self._head.text()

    @property
    def boxes(self) -> dict[str, TickBox]:
        """The ticks by proposal, as far as the lines are made."""
        return {line.row.id: line.box for line in self._lines}

    def show_rows(
        self, rows: Sequence[QueueRow], refusals: dict[str, str], batch: Batch | None,
        report: Report | None = None,
    ) -> None:
        """Show them; ticks come with the dry run."""
        self._head.setText(_head(len(rows), batch, report))
        self._below.setText(RULES if batch else WAITS)
        self._shown, self._at = _Shown(
            rows, dict(refusals), batch, frozenset(batch.ticked if batch is not None else ())), 0
        same = 0
        for line, row in zip(self._lines, rows, strict=False):
            if line.row != row:
                break
            same += 1
        if not same:
            self._listed = LISTED
            self.verticalScrollBar().setValue(0)
        for line in self._lines[same:]:
            self.take_out(line)
        del self._lines[same:]
        self._go_on()

    def _go_on(self) -> None:
        """Make the next few lines, or have them tell what is known now."""
        rows = self._shown.rows[:self._listed]
        for row in rows[self._at:self._at + AT_ONCE]:
            if self._at == len(self._lines):
                line = _Line(row)
                line.pressed.connect(self.ticked)
                self._column.insertWidget(self._first + self._at, line)
                self._lines.append(line)
            self._lines[self._at].show_state(self._shown)
            self._at += 1
        self.take_out(self._more)
        self._more = None
        if self._at < len(rows):
            self._next.start()
        elif len(rows) < len(self._shown.rows):
            words = f"{len(rows):,} of {len(self._shown.rows):,} · show more"
            self._more = link_button(words, self._list_more)
            self._column.insertWidget(self._column.count() - 1, self._more, 0,
                                      Qt.AlignmentFlag.AlignLeft)

    def _list_more(self) -> None:
        self._listed += MORE
        self._go_on()


def _head(count: int, batch: Batch | None, report: Report | None) -> str:
    if report is not None and report.failed:
        failed = counted(len(report.failed), "failed and stays", "failed and stay")
        return f"Done: {len(report.done)} of {len(report.items)} · {failed} selected"
    return f"{count} selected" + (f", {len(batch.ticked)} ticked" if batch is not None else "")


def _words(row: QueueRow) -> str:
    return " · ".join(part for part in (row.title, row.target) if part)


def _note(sign: str, role: str, words: str) -> QWidget:
    line = signed_line(sign, role, words)
    line.setObjectName(NOTE)
    line.setContentsMargins(NOTE_LEFT, 0, 0, 0)
    return line
