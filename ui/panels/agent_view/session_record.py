"""The record of a session: its start, its text, its results."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from core.model.session_start_and_end import SessionRecord
from ui.models.session_wording import record_lines
from ui.widgets.labels import SectionHead, label
from ui.widgets.layouts import column_layout

UNKNOWN = "No recorded session has this name."


class RecordView(QWidget):
    """A head and a few lines; empty if no session is chosen."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[tuple[str, str], ...] | None = None
        self.unknown = label(UNKNOWN, "soft", wrap=True)
        self._lines = QWidget()
        self._column = column_layout(self, (0, 6, 0, 0), 0)
        for part in (SectionHead("Record of this session"), self.unknown, self._lines):
            self._column.addWidget(part)
        self.hide()

    @property
    def lines(self) -> tuple[tuple[str, str], ...]:
        """The shown lines, as (what, words)."""
        return self._shown or ()

    def show_record(self, session_key: str, record: SessionRecord | None) -> None:
        """Show it; an empty key for none."""
        self.setVisible(bool(session_key))
        lines = record_lines(record) if record is not None else ()
        self.unknown.setVisible(not lines)
        if lines == self._shown:
            return
        self._shown = lines
        filled = _grid(lines)
        self._column.replaceWidget(self._lines, filled)
        self._lines.deleteLater()
        self._lines = filled


def _grid(lines: tuple[tuple[str, str], ...]) -> QWidget:
    box = QWidget()
    grid = QGridLayout(box)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(12)
    grid.setVerticalSpacing(2)
    grid.setColumnStretch(1, 1)
    for at, (what, words) in enumerate(lines):
        name = label(what, "caption")
        # So that the small letters stand on the line of the larger ones.
        name.setContentsMargins(0, 2, 0, 0)
        grid.addWidget(name, at, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(label(words, wrap=True, selectable=True), at, 1)
    return box
