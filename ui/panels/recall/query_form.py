"""The question and the filters: which memories may be an answer at all."""

from collections.abc import Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QGridLayout,
    QLineEdit,
    QMenu,
    QSizePolicy,
    QWidget,
)

from core.model.names import spoken
from core.model.session_start_and_end import SessionRow
from core.queries.search_syntax import QUESTION_SYNTAX
from core.recall.filters import ANY_SCOPE, Filters
from ui.models.session_wording import OFFERED, row_words
from ui.theme import Theme
from ui.theme.icons import icon
from ui.widgets.buttons import ComboBox, on_click
from ui.widgets.filter_chips import chip_button
from ui.widgets.labels import ElidedLabel, SectionHead, isolate, label, set_tip
from ui.widgets.layouts import column_layout, put, row_layout
from ui.widgets.link_button import link_button

HELP = "\n".join((
    "A question. Beside it:", *(f"{sign}  –  {meaning}" for sign, meaning in QUESTION_SYNTAX)))
ANY = "any type"
IMPORTANCE = (("importance", 0.0), ("≥ 0.5", 0.5), ("≥ 0.7", 0.7), ("≥ 0.9", 0.9))
UNSCOPED = "none"
"""What is typed as the scope of memories that have none."""


class QueryForm(QWidget):
    """One field for the question, small ones for the filters.

    `words` summarises the answer, and `note` records it for a session; both are above it.
    """

    asked = Signal()
    """Something else is asked."""
    noted = Signal(str)
    """What is found shall be noted as found by the session of this key."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._pause = QTimer(self, singleShot=True, interval=0)
        self._pause.timeout.connect(self.asked)
        self.question = self._field("What do you want to know?", HELP)
        lens = QAction(icon(theme, "search"), "Question", self.question)
        self.question.addAction(lens, QLineEdit.ActionPosition.LeadingPosition)
        self.types = ComboBox()
        self.types.setAccessibleName("Type of the memory")
        self.types.addItem(ANY, "")
        self.types.currentIndexChanged.connect(lambda _: self._pause.start())
        self.importance = ComboBox()
        self.importance.setAccessibleName("Importance of the memory")
        for words, least in IMPORTANCE:
            self.importance.addItem(words, least)
        self.importance.currentIndexChanged.connect(lambda _: self._pause.start())
        self.who, self.project = self._field("who"), self._field("project")
        self.since = self._field("since", "A date such as 2026-03-01, with or without a time")
        self.until = self._field("until", "A date such as 2026-03-31, inclusive")
        self.tags = self._field("tags", "Separated by commas; all must match")
        self.scope = self._field("scope", f"“{UNSCOPED}” for memories without one")
        self.pinned = chip_button("pinned only", checkable=True)
        self.pinned.toggled.connect(lambda _: self._pause.start())
        self.clear = link_button("clear", self._clear)
        set_tip(self.clear, "Clear the filters")
        self.note = link_button("record for a session…", self._open_sessions)
        set_tip(self.note, "Record these as used by a session, as if its agent had searched: "
                           "ending the session learns from it")
        self.sessions = QMenu(self)
        self.words = ElidedLabel(role="caption")
        self.about = label(wrap=True)
        self.notes = label(role="proposal", wrap=True)
        self.refusal = label(role="bad", wrap=True)
        self._lay_out()
        self.tell()

    @property
    def filters(self) -> Filters:
        """What a memory must be."""
        kind = self.types.currentData()
        scope, tags = self.scope.text().strip(), self.tags.text().split(",")
        return Filters(types=(kind,) if kind else (), who=self.who.text().strip(),
                       project=self.project.text().strip(), since=self.since.text().strip(),
                       until=self.until.text().strip(), pinned=self.pinned.isChecked() or None,
                       tags=tuple(tag.strip() for tag in tags if tag.strip()),
                       importance_min=self.importance.currentData() or 0.0,
                       scope=None if scope.lower() == UNSCOPED else scope or ANY_SCOPE)

    def show_types(self, types: Sequence[str]) -> None:
        """The types that the memories have."""
        known = [self.types.itemData(at) for at in range(1, self.types.count())]
        if known == list(types):
            return
        chosen = self.types.currentData()
        self.types.blockSignals(True)
        self.types.clear()
        self.types.addItem(ANY, "")
        for name in types:
            self.types.addItem(spoken(name), name)
        self.types.setCurrentIndex(max(0, self.types.findData(chosen)))
        self.types.blockSignals(False)

    def show_sessions(self, rows: Sequence[SessionRow]) -> None:
        """Sessions that a recall can be noted for."""
        self.sessions.clear()
        for row in rows[:OFFERED]:
            action = self.sessions.addAction(row_words(row).replace("&", "&&"))
            on_click(action, self.noted.emit, row.session_key)

    def tell(
        self, words: str = "", notes: Sequence[str] = (), refusal: str = "", *,
        found: bool = False, about: Sequence[str] = (),
    ) -> None:
        """Describe the answer; `found` is True if it has any memory.

        Args:
            about: what the entities are that the question names, a line each.
        """
        self.words.setText(words)
        for part, text in ((self.notes, "\n".join(notes)), (self.refusal, refusal),
                           (self.about, "\n".join(map(isolate, about)))):
            part.setText(text)
            part.setVisible(bool(text))
        self.clear.setVisible(self.filters.any)
        self.note.setVisible(found and not self.sessions.isEmpty())

    def _open_sessions(self) -> None:
        self.sessions.popup(self.note.mapToGlobal(self.note.rect().bottomLeft()))

    def _clear(self) -> None:
        for field in (self.who, self.project, self.since, self.until, self.tags, self.scope):
            field.clear()
        for choice in (self.types, self.importance):
            choice.setCurrentIndex(0)
        self.pinned.setChecked(False)

    def _field(self, words: str, more: str = "") -> QLineEdit:
        field = QLineEdit()
        field.setPlaceholderText(words)
        field.setAccessibleName(words)
        set_tip(field, more)
        field.textChanged.connect(lambda _: self._pause.start())
        return field

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setSpacing(5)
        pairs = ((self.types, self.importance), (self.who, self.project),
                 (self.since, self.until), (self.tags, self.scope))
        for at, (left, right) in enumerate(pairs):
            grid.addWidget(left, at, 0)
            grid.addWidget(right, at, 1)
        for side, choice in enumerate((self.types, self.importance)):
            grid.setColumnStretch(side, 1)
            choice.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        only = put(row_layout(spacing=10), (SectionHead("Only"), 1), self.clear, self.pinned)
        put(column_layout(self, (14, 8, 14, 6), 4), self.question, only, grid, None, self.refusal,
            self.notes)
