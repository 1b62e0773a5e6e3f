"""The card's place while several proposals are selected: the ticks, and the report afterwards."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from core.model.text_formatting import counted, one_line
from ui.models.decisions import Report
from ui.models.proposal_batch import Batch
from ui.models.review_queue import QueueRow
from ui.widgets.buttons import on_click
from ui.widgets.labels import label
from ui.widgets.layouts import column_layout, put
from ui.widgets.lines_of_text import signed_line
from ui.widgets.link_button import link_button
from ui.widgets.scroll_column import ScrollColumn
from ui.widgets.tick_box import TickBox

LISTED, MORE = 60, 200
"""Proposals that are listed at first, which are twice as many as a high window shows, and that are
added by a click."""
NOTE_LEFT = 24
"""Under the words of a tick."""


class BatchView(ScrollColumn):
    """The selected proposals, each with a tick and with what speaks against it."""

    ticked = Signal(str)
    """The person set a tick or took it away."""

    def __init__(self) -> None:
        super().__init__("The selected proposals")
        self.head = ""
        self.boxes: dict[str, TickBox] = {}
        self._listed = LISTED

    def show_rows(
        self, rows: Sequence[QueueRow], refusals: dict[str, str], batch: Batch | None,
        report: Report | None = None,
    ) -> None:
        """Show them; ticks come with the dry run."""
        self.boxes = {}
        ticked = frozenset(batch.ticked if batch is not None else ())
        scrolled = self.verticalScrollBar().value()
        with self.filling() as column:
            self.head = _head(len(rows), batch, report)
            put(column, label(self.head, "head", wrap=True),
                label("One undo reverts all of them. What has something against it is not ticked."
                      if batch else "Computing what they would do together…", "soft", wrap=True))
            for row in rows[:self._listed]:
                line = self._line(row, batch, refusals.get(row.id, ""))
                self.boxes[row.id].setChecked(row.id in ticked)
                column.addWidget(line)
            if len(rows) > self._listed:
                words = f"{self._listed:,} of {len(rows):,} · show more"
                column.addWidget(link_button(words, partial(
                    self._list_more, rows, refusals, batch, report)), 0,
                    Qt.AlignmentFlag.AlignLeft)
        self.verticalScrollBar().setValue(scrolled)

    def _list_more(
        self, rows: Sequence[QueueRow], refusals: dict[str, str], batch: Batch | None,
        report: Report | None,
    ) -> None:
        self._listed += MORE
        self.show_rows(rows, refusals, batch, report)

    def _line(self, row: QueueRow, batch: Batch | None, refusal: str) -> QWidget:
        box = self.boxes[row.id] = TickBox(one_line(_words(row), 120).replace("&", "&&"))
        box.setEnabled(batch is not None)
        on_click(box, partial(self.ticked.emit, row.id))
        notes = batch.notes.get(row.id, ()) if batch is not None else ()
        line = QWidget()
        put(column_layout(line, (0, 0, 0, 0), 1), box, *(_note("⚠", "proposal", one)
                                                        for one in notes if one != refusal))
        if refusal:
            put(line.layout(), _note("✕", "bad", refusal))  # type: ignore[type-var]
        return line


def _head(count: int, batch: Batch | None, report: Report | None) -> str:
    if report is not None and report.failed:
        failed = counted(len(report.failed), "failed and stays", "failed and stay")
        return f"Done: {len(report.done)} of {len(report.items)} · {failed} selected"
    return f"{count} selected" + (f", {len(batch.ticked)} ticked" if batch is not None else "")


def _words(row: QueueRow) -> str:
    return " · ".join(part for part in (row.title, row.target) if part)


def _note(sign: str, role: str, words: str) -> QWidget:
    line = signed_line(sign, role, words)
    line.setContentsMargins(NOTE_LEFT, 0, 0, 0)
    return line
