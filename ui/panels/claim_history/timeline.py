"""The middle of the claim history: the versions on a line, newest first."""

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy, QWidget

from core.model.claims_and_assertions import Version
from core.model.text_formatting import counted, one_line
from ui.models.claim_history import STATUSES, History, byline
from ui.theme import Theme
from ui.turns import NextTurn
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.glyph_paths import painting
from ui.widgets.labels import Badge, label
from ui.widgets.layouts import column_layout, put
from ui.widgets.lines_of_text import shrinking
from ui.widgets.link_button import link_button
from ui.widgets.meter_and_type_glyph import TypeGlyph
from ui.widgets.scroll_column import VerticalScrollArea
from ui.widgets.word_diff import DiffLabel

GUTTER = 40
LINE_X = 22.0
DOT_Y = 17.0
DOT = 5.5
PAGE = 40
"""Versions shown at first; older ones on demand."""
AT_ONCE = 4
"""Rows that are made in one go, so that the window does not stand still for them."""


class VersionRow(QFrame):
    """One version: number, status as word and colour, author and time, differences."""

    pressed = Signal(str)

    def __init__(self, theme: Theme, version: Version, before: Version | None) -> None:
        super().__init__()
        self._theme = theme
        self.shows = version, before
        self.attribute_id = version.value.id
        self._status = version.value.status
        self._chosen = self._first = self._last = False
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.words = DiffLabel(theme)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self.words.set_texts(before.value.content if before else None, version.value.content)
        column = put(column_layout(self, (GUTTER, 7, 16, 7), 2), self._head(version), self.words)
        if version.value.archive_reason:
            column.addWidget(label(f"Reason: {version.value.archive_reason}", "soft", wrap=True))
        word = STATUSES.get(self._status, (self._status, ""))[0]
        self.setAccessibleName(f"version {version.value.version}, {word}, {byline(version)}, "
                               f"{one_line(version.value.content)}")

    def set_chosen(self, chosen: bool) -> None:
        if chosen != self._chosen:
            self._chosen = chosen
            self.update()

    def stand(self, *, first: bool, last: bool) -> None:
        """Whether the line begins or ends here."""
        if (first, last) != (self._first, self._last):
            self._first, self._last = first, last
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if event.button() == Qt.MouseButton.LeftButton:
            self.pressed.emit(self.attribute_id)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        if self._chosen:
            painter.fillRect(self.rect(), self._theme.color("selected"))
        top = DOT_Y if self._first else 0.0
        bottom = DOT_Y if self._last else float(self.height())
        token = {"active": "good", "deleted": "bad"}.get(self._status, "text.faint")
        with painting(painter, self._theme.color(token), QPen(self._theme.color("line"), 2)):
            painter.drawLine(QPointF(LINE_X, top), QPointF(LINE_X, bottom))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawEllipse(QPointF(LINE_X, DOT_Y), DOT, DOT)

    def _head(self, version: Version) -> FlowLayout:
        word, tone = STATUSES.get(self._status, (self._status, ""))
        signs = [TypeGlyph(self._theme, "constraint")] if version.value.kind == "constraint" else []
        flow = FlowLayout(spacing=6)
        for part in (label(f"v{version.value.version}", "strong"), Badge(word, tone), *signs,
                     shrinking(byline(version))):
            flow.addWidget(part)
        return flow


class Timeline(VerticalScrollArea):
    """Up and Down go from version to version.

    Rows are made a few at a time, and stay while their version does: cost follows what is shown.
    """

    chosen = Signal(str)
    """The person went to this version."""
    review_wanted = Signal(str)
    """The person wants to judge a proposal that waits for this claim."""

    def __init__(self, theme: Theme) -> None:
        super().__init__("Versions of the claim")
        self._theme = theme
        self._history: History | None = None
        self.rows: list[VersionRow] = []
        self._chosen = ""
        self._shown = PAGE
        self._column = self.hold((0, 4, 0, 8))
        self._above: QWidget | None = None
        self._below: QPushButton | None = None
        self._next = NextTurn(self)
        self._next.timeout.connect(self._go_on)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_history(self, history: History, chosen: str) -> None:
        """Show a slot's versions; the same slot keeps its scroll position."""
        old = self._history
        if old is history or old == history:
            self.choose(chosen)
            return
        same = old is not None and old.slot == history.slot
        self._history, self._chosen = history, chosen
        self._shown = self._shown if same else PAGE
        if not same:
            self.verticalScrollBar().setValue(0)
        self._build()

    def choose(self, attribute_id: str) -> None:
        """Mark a version as the one that is looked at, without a signal."""
        self._chosen = attribute_id
        for row in self.rows:
            row.set_chosen(row.attribute_id == attribute_id)

    def row_of(self, attribute_id: str) -> VersionRow | None:
        return next((row for row in self.rows if row.attribute_id == attribute_id), None)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_Home: -len(self.rows),
                 Qt.Key.Key_End: len(self.rows)}
        step = steps.get(Qt.Key(event.key()))
        if step is None or not self.rows:
            super().keyPressEvent(event)
            return
        at = next((at for at, row in enumerate(self.rows)
                   if row.attribute_id == self._chosen), 0)
        self._press(self.rows[max(0, min(len(self.rows) - 1, at + step))].attribute_id)

    def _build(self) -> None:
        """Show what the history has now; rows of versions that are as they were stay."""
        history = self._history
        assert history is not None
        known = {row.attribute_id: row for row in self.rows}
        self.rows = []
        for version in history.versions[:self._shown]:
            row = known.get(version.value.id)
            if row is None or row.shows != (version, history.before(version)):
                if len(self.rows) >= AT_ONCE:
                    break
                row = None
            self._add(version, row)
        for row in known.values():
            if row not in self.rows:
                self.take_out(row)
        self.take_out(self._above)
        self._above = self._pending(history) if history.pending else None
        if self._above is not None:
            self._column.insertWidget(0, self._above)
        self._finish()

    def _go_on(self) -> None:
        """Make the next few rows."""
        history = self._history
        assert history is not None
        at = len(self.rows)
        for version in history.versions[at:min(at + AT_ONCE, self._shown)]:
            self._add(version)
        self._finish()

    def _add(self, version: Version, row: VersionRow | None = None) -> None:
        """Put a version's row at the end, a new one if there is none."""
        assert self._history is not None
        if row is None:
            row = VersionRow(self._theme, version, self._history.before(version))
            row.pressed.connect(self._press)
        row.set_chosen(row.attribute_id == self._chosen)
        place = len(self.rows) + (self._above is not None)
        if self._column.indexOf(row) != place:
            self._column.insertWidget(place, row)
        self.rows.append(row)

    def _finish(self) -> None:
        """Draw the line from the first row to the last, and offer the rest below."""
        history = self._history
        self.take_out(self._below)
        self._below = None
        assert history is not None
        rest = len(history.versions) - len(self.rows)
        waits = len(self.rows) < min(self._shown, len(history.versions))
        for row in self.rows:
            row.stand(first=row is self.rows[0], last=row is self.rows[-1] and not rest)
        if waits:
            self._next.start()
        elif rest:
            self._below = link_button(f"show {min(PAGE, rest)} of {rest} older versions",
                                      self._show_more)
            self._column.insertWidget(self._column.count() - 1, self._below, 0,
                                      Qt.AlignmentFlag.AlignLeft)

    def _pending(self, history: History) -> QWidget:
        words = counted(len(history.pending), "pending change", "pending changes")
        head = QWidget()
        flow = FlowLayout(head, spacing=8)
        flow.setContentsMargins(GUTTER, 6, 6, 2)
        for part in (label(words, "proposal"), link_button("review ↗", self._review)):
            flow.addWidget(part)
        return head

    def _review(self) -> None:
        if self._history is not None and self._history.pending:
            self.review_wanted.emit(self._history.pending[0])

    def _show_more(self) -> None:
        self._shown += PAGE
        self._go_on()

    def _press(self, attribute_id: str) -> None:
        self.choose(attribute_id)
        row = self.row_of(attribute_id)
        if row is not None:
            self.ensureWidgetVisible(row, 0, 12)
        self.chosen.emit(attribute_id)
