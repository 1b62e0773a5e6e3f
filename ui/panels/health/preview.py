"""The right column of the health panel: a finding, what its fix would do, and the buttons."""

from collections.abc import Sequence

from PySide6.QtCore import Signal, SignalInstance
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.health.finding import Finding
from core.health.kinds import KINDS
from core.model.text_formatting import counted, one_line
from ui.context import Context
from ui.models.health import SAMPLE, Preview
from ui.panels.change_details import put_difference
from ui.widgets.buttons import KeyButton
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.labels import Badge, SectionHead, label
from ui.widgets.layouts import put, row_layout
from ui.widgets.lines_of_text import shrinking, signed_line
from ui.widgets.scroll_column import ScrollColumn

ROLES = {"+": "good", "−": "bad", "~": "soft"}
TONES = {"error": "bad", "warning": "proposal", "info": ""}
TWO_VALUES = frozenset({"two_values", "contradiction"})
"""The kinds that are about two values in force."""
NO_FIX = "Nothing can mend this by itself: change it as you find right, or leave it."


class FindingPreview(ScrollColumn):
    """Shows a finding, or all of a kind, before anything is changed."""

    fix_wanted = Signal()
    all_wanted = Signal()
    compare_wanted = Signal()
    leave_wanted = Signal()
    back_wanted = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__("The finding and its fix", margins=(18, 10, 18, 10))
        self._context = context
        self.fix_button: KeyButton | None = None
        self.all_button: KeyButton | None = None
        self.leave_button: KeyButton | None = None
        self.compare_button: KeyButton | None = None

    def show_finding(self, finding: Finding, count: int, preview: Preview | None) -> None:
        """Show one finding.

        Args:
            count: how many of its kind have a fix.
            preview: None until it is tried.
        """
        with self.filling() as column:
            column.addWidget(label(one_line(finding.text, 600), wrap=True, selectable=True))
            column.addWidget(self._buttons(finding, count, preview))
            put(column, put(row_layout(spacing=8), Badge(finding.severity, TONES[finding.severity]),
                            shrinking(KINDS[finding.kind].summary), None))
            if finding.fix is None:
                column.addWidget(label(NO_FIX, "soft", wrap=True))
            elif preview is None:
                column.addWidget(label("Trying the fix…", "soft"))
            else:
                self._put_preview(column, preview)

    def show_group(self, kind: str, preview: Preview | None, count: int) -> None:
        """Show what all fixes of a kind would do, with a sample of them in words."""
        with self.filling() as column:
            column.addWidget(label(f"Fix all: {KINDS[kind].title.lower()}", wrap=True))
            if preview is None:
                column.addWidget(label(f"Trying {counted(count, 'fix', 'fixes')}…", "soft"))
                return
            column.addWidget(self._group_buttons(preview))
            self._put_preview(column, preview)

    def show_nothing(self, words: str) -> None:
        """Words where no finding is chosen."""
        self.fix_button = self.all_button = self.leave_button = self.compare_button = None
        with self.filling() as column:
            column.addWidget(label(words, "soft", wrap=True))

    def _button(self, words: str, key: str, signal: SignalInstance, kind: str = "") -> KeyButton:
        button = KeyButton(words, self._context.actions.key_text(key) if key else "", kind)
        button.clicked.connect(signal)
        return button

    def _buttons(self, finding: Finding, count: int, preview: Preview | None) -> QWidget:
        box = QWidget()
        row = FlowLayout(box, spacing=6)
        self.fix_button = self.all_button = self.compare_button = None
        if finding.fix is not None:
            can = preview is not None and not preview.blocked
            self.fix_button = self._button("Fix", "health.fix", self.fix_wanted, "primary")
            self.fix_button.setEnabled(can)
            row.addWidget(self.fix_button)
            if count > 1:
                self.all_button = self._button(f"Fix all of this kind ({count:,})…",
                                               "health.all", self.all_wanted)
                row.addWidget(self.all_button)
        if finding.kind in TWO_VALUES:
            self.compare_button = self._button("Compare…", "health.compare", self.compare_wanted)
            row.addWidget(self.compare_button)
        self.leave_button = self._button("Leave it", "health.leave", self.leave_wanted)
        row.addWidget(self.leave_button)
        return box

    def _group_buttons(self, preview: Preview) -> QWidget:
        box = QWidget()
        row = FlowLayout(box, spacing=6)
        many = len(preview.findings) - len(preview.refused)
        self.fix_button = self._button(f"Fix these {many:,}", "health.fix", self.fix_wanted,
                                       "primary")
        self.fix_button.setEnabled(not preview.blocked and many > 0)
        self.all_button = self.compare_button = None
        self.leave_button = self._button("Back", "health.leave", self.back_wanted)
        for button in (self.fix_button, self.leave_button):
            row.addWidget(button)
        return box

    def _put_preview(self, column: QVBoxLayout, preview: Preview) -> None:
        for sentence in preview.sentences:
            column.addWidget(label(one_line(sentence, 600), wrap=True, selectable=True))
        if len(preview.findings) > SAMPLE:
            column.addWidget(label(f"and {len(preview.findings) - SAMPLE:,} more like these",
                                   "soft"))
        if preview.blocked:
            column.addWidget(label(f"Can't be applied as it is: {preview.blocked}", "bad",
                                   wrap=True, selectable=True))
        self._put_refused(column, preview.refused)
        if preview.effects:
            column.addWidget(SectionHead("If fixed"))
        for effect in preview.effects:
            column.addWidget(signed_line(effect.sign, ROLES[effect.sign], effect.text))
        if preview.differences:
            column.addWidget(SectionHead("Changed in the file"))
        for difference in preview.differences:
            put_difference(column, self._context.theme, difference)
        rest = preview.rows - len(preview.differences)
        if rest > 0:
            column.addWidget(label(f"and {counted(rest, 'row')} more", "soft"))

    def _put_refused(self, column: QVBoxLayout, refused: Sequence[str]) -> None:
        if refused:
            left = counted(len(refused), "finding left as it is", "findings left as they are")
            column.addWidget(label(f"{left}: {refused[0]}", "proposal", wrap=True, selectable=True))
