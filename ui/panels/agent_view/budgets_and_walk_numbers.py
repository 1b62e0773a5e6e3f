"""The right column: both budgets, the walk's numbers, a session's record, near misses."""

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.model.session_start_and_end import Budget, SessionRecord, SessionStart
from core.model.text_formatting import counted
from ui.models.agent_view import Sight
from ui.models.agent_view_reading import Sessions
from ui.models.session_wording import last_words
from ui.panels.agent_view.near_misses import MissList, MissRow
from ui.panels.agent_view.session_record import RecordView
from ui.theme import Theme
from ui.widgets.glyph_paths import draw_meter
from ui.widgets.labels import SectionHead, label, set_tip
from ui.widgets.scroll_column import VerticalScrollArea

NAME_WIDTH, BAR_WIDTH, LEAST_BAR, GAP = 86, 72, 16, 8


class BudgetBar(QWidget):
    """The use of a part's budget: `memories 1,240 of 2,000`."""

    def __init__(self, theme: Theme, name: str, token: str) -> None:
        super().__init__()
        self._theme, self._name, self._token = theme, name, token
        self.budget = Budget(0, 0)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    @property
    def words(self) -> str:
        """The numbers, shorter where they would cut the name."""
        budget = self.budget
        room = f"{budget.limit + budget.lent:,}" if budget.limit else "any number"
        whole = f"{budget.used:,} of {room}"
        left = self.width() - self._wide(self._name) - GAP
        return whole if self._wide(whole) <= left or not budget.limit else f"{budget.used:,}/{room}"

    def show_budget(self, budget: Budget) -> None:
        self.budget = budget
        self.setAccessibleName(f"{self._name}: {budget.words}")
        set_tip(self, f"The limit is {budget.limit:,} characters. {budget.lent:,} more, which"
                      " nothing else needs, are used so that nothing need be shortened"
                if budget.lent else "")
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(200, 24)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        middle = int(Qt.AlignmentFlag.AlignVCenter)
        box = QRectF(self.rect())
        budget = self.budget
        share = budget.used / (budget.limit + budget.lent) if budget.limit else 0.0
        # Where it is narrow, the numbers need the room more than the bar does.
        room = self.width() - NAME_WIDTH - GAP - self._wide(self.words)
        wide = min(BAR_WIDTH, room) if room >= LEAST_BAR else -GAP
        if wide > 0:
            draw_meter(painter, QRectF(NAME_WIDTH, box.top(), wide, box.height()), self._theme,
                       share, "proposal" if budget.exceeded and budget.limit else self._token)
        left = NAME_WIDTH + wide + GAP if room >= 0 else max(
            self.width() - self._wide(self.words), 0)
        painter.setPen(self._theme.color("text"))
        painter.drawText(box, middle, self.fontMetrics().elidedText(
            self._name, Qt.TextElideMode.ElideRight, int(min(left - GAP, box.width()))))
        painter.setPen(self._theme.color("text.soft"))
        painter.drawText(box.adjusted(left, 0, 0, 0), middle, self.words)

    def _wide(self, words: str) -> int:
        return self.fontMetrics().horizontalAdvance(words)


class RunDetails(VerticalScrollArea):
    """Budgets above, a session's record where one is chosen, near misses below."""

    let_in = Signal(object)
    looked_up = Signal(object)
    more_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__("Budgets and near misses")
        self.memories = BudgetBar(theme, "memories", "accent")
        self.constraints = BudgetBar(theme, "constraints", "constraint")
        self.shares = label(role="soft", wrap=True)
        self.took = label(role="soft", wrap=True)
        self.last = label(role="soft", wrap=True)
        self._last_head = _lower("Last walk and session")
        self.notes = label(role="proposal", wrap=True)
        self.record = RecordView()
        self.list = MissList()
        self.list.let_in.connect(self.let_in)
        self.list.looked_up.connect(self.looked_up)
        self.list.more_wanted.connect(self.more_wanted)
        self._lay_out()

    @property
    def misses(self) -> list[MissRow]:
        """The near misses that are shown, from the top."""
        return self.list.rows

    def show_sight(self, sight: Sight, limit_ms: int) -> None:
        """Show the numbers of an answer."""
        started = sight.started
        self.memories.show_budget(started.memory_budget)
        self.shares.setText(started.shares.words)
        self.shares.setVisible(bool(started.shares.words))
        self.constraints.show_budget(started.constraint_budget)
        self.took.setText(_took(started, limit_ms))
        self.notes.setText("\n".join(started.notes))
        self.notes.setVisible(bool(started.notes))
        self.list.show_misses(sight.misses, sight.missed)

    def show_last(self, sessions: Sessions) -> None:
        """Show the last walk, the last session, and what was learned from all sessions."""
        newest = sessions.last[0] if sessions.last else None
        self.last.setText(last_words(sessions.walk, newest, sessions.every))

    def show_session(self, session_key: str, record: SessionRecord | None) -> None:
        """Show the record of a session; an empty key for none."""
        self.record.show_record(session_key, record)
        for part in (self._last_head, self.last):
            part.setVisible(not session_key)

    def _lay_out(self) -> None:
        column = self.hold((16, 8, 12, 8))
        for at, part in enumerate((
            SectionHead("Budgets"), self.memories, self.shares, self.constraints, self.took,
            self.notes, self.record, _lower("Near misses"), self.list, self._last_head, self.last,
        )):
            column.insertWidget(at, part)


def _lower(words: str) -> SectionHead:
    """A head that stands off from what is over it."""
    head = SectionHead(words)
    head.setContentsMargins(0, 6, 0, 0)
    return head


def _took(started: SessionStart, limit_ms: int) -> str:
    walk = started.walk
    end = ", cut short" if walk.timed_out else ""
    return (f"walk {walk.milliseconds:.1f} ms of {limit_ms:,}{end} · "
            f"{counted(walk.entity_count, 'entity')} · "
            f"{counted(len(walk.dependency_ids), 'link')}")
