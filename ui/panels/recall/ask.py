"""The question and the filters: which memories may be an answer at all."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QGridLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from core.model.names import spoken
from core.recall.filters import Filters
from ui.theme import Theme
from ui.theme.icons import icon
from ui.widgets.choice import Choice
from ui.widgets.column import link_button
from ui.widgets.labels import SectionHead, label

PAUSE_MS = 15
ANY = "any type"


class AskView(QWidget):
    """One field for the question, small ones for the filters."""

    asked = Signal()
    """Something else is asked, and the hands rest."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self.asked)
        self.question = self._field("What do you want to know?")
        self._lens = QAction("Question", self.question)
        self.question.addAction(self._lens, QLineEdit.ActionPosition.LeadingPosition)
        self.types = Choice()
        self.types.setAccessibleName("Type of the memory")
        self.types.addItem(ANY, "")
        self.types.currentIndexChanged.connect(lambda _: self._pause.start())
        self.who, self.project = self._field("who"), self._field("project")
        self.since, self.until = self._field("since 2026-03-01"), self._field("until 2026-03-31")
        self.pinned = QPushButton("pinned only")
        self.pinned.setCheckable(True)
        self.pinned.setProperty("role", "chip")
        self.pinned.setAutoDefault(False)
        self.pinned.toggled.connect(lambda _: self._pause.start())
        self.clear = link_button("clear the filters", self._clear)
        self.words = label(role="soft", wrap=True)
        self.notes = label(role="proposal", wrap=True)
        self.refusal = label(role="bad", wrap=True)
        self._lay_out()
        theme.changed.connect(self._tint)
        self._tint()
        self.tell()

    @property
    def filters(self) -> Filters:
        """What a memory must be."""
        kind = self.types.currentData()
        return Filters(types=(kind,) if kind else (), who=self.who.text().strip(),
                       project=self.project.text().strip(), since=self.since.text().strip(),
                       until=self.until.text().strip(), pinned=self.pinned.isChecked())

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

    def tell(self, words: str = "", notes: Sequence[str] = (), refusal: str = "") -> None:
        """What is to be said of the answer."""
        for part, text in ((self.words, words), (self.notes, "\n".join(notes)),
                           (self.refusal, refusal)):
            part.setText(text)
            part.setVisible(bool(text))
        self.clear.setVisible(self.filters.any)

    def _clear(self) -> None:
        for field in (self.who, self.project, self.since, self.until):
            field.clear()
        self.types.setCurrentIndex(0)
        self.pinned.setChecked(False)

    def _field(self, words: str) -> QLineEdit:
        field = QLineEdit()
        field.setPlaceholderText(words)
        field.setAccessibleName(words.split(" 2026")[0])
        field.textChanged.connect(lambda _: self._pause.start())
        return field

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 14, 8)
        column.setSpacing(6)
        column.addWidget(self.question)
        column.addWidget(SectionHead("Only"))
        grid = QGridLayout()
        grid.setSpacing(6)
        grid.addWidget(self.types, 0, 0, 1, 2)
        grid.addWidget(self.who, 1, 0)
        grid.addWidget(self.project, 1, 1)
        grid.addWidget(self.since, 2, 0)
        grid.addWidget(self.until, 2, 1)
        column.addLayout(grid)
        column.addWidget(self.pinned, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.clear, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        for part in (self.refusal, self.notes, self.words):
            column.addWidget(part)

    def _tint(self) -> None:
        self._lens.setIcon(icon(self._theme, "search"))
