"""The card's place while several proposals are selected, and the report after a batch."""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from ui.models.decisions import Report
from ui.models.review_queue import QueueRow
from ui.widgets.labels import label
from ui.widgets.scroll_column import ScrollColumn, signed_line

LISTED = 60


class SeveralView(ScrollColumn):
    """The selected proposals, one line each; a refused one with its reason."""

    def __init__(self) -> None:
        super().__init__("The selected proposals")
        self.head = ""

    def show_rows(
        self, rows: Sequence[QueueRow], refusals: dict[str, str], report: Report | None = None
    ) -> None:
        with self.filling() as column:
            self.head = f"{len(rows)} selected"
            if report is not None and report.failed:
                self.head = (f"Done: {len(report.done)} of {len(report.items)} · "
                             f"{len(report.failed)} failed and stay selected")
            column.addWidget(label(self.head, "head", wrap=True))
            column.addWidget(label("One undo reverts all of them.",
                                   "soft", wrap=True))
            for row in rows[:LISTED]:
                words = " · ".join(part for part in (row.title, row.target) if part)
                column.addWidget(_line(words, refusals.get(row.id, "")))
            if len(rows) > LISTED:
                column.addWidget(label(f"and {len(rows) - LISTED} more", "soft"))


def _line(words: str, refusal: str) -> QWidget:
    if not refusal:
        return signed_line("·", "soft", words)
    return signed_line("✕", "bad", f"{words}: {refusal}")
