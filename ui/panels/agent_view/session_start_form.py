"""The signals of a session: a project's folder, a question, its key, entities by name."""

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction, QFocusEvent
from PySide6.QtWidgets import (
    QCompleter,
    QFileDialog,
    QLineEdit,
    QMenu,
    QPushButton,
    QWidget,
)

from core.model.entity import EntityRow
from core.model.session_start_and_end import SessionRow
from core.model.text_formatting import one_line
from core.traversal.focal_signals import Signals
from ui.context import Context
from ui.models.session_wording import OFFERED, row_words
from ui.theme.icons import icon
from ui.widgets.filter_chips import chip_button
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.labels import set_tip
from ui.widgets.layouts import put, row_layout
from ui.widgets.link_button import link_button

MARGINS, LOW_MARGINS = (14, 8, 14, 6), (14, 3, 14, 3)
NAMED = 14
"""Characters of a name beside a head."""


class SignalField(QLineEdit):
    """A field whose long text is whole in its tooltip, and shows its start when it is left."""

    def __init__(self) -> None:
        super().__init__()
        self.textChanged.connect(partial(set_tip, self))

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.setCursorPosition(0)


class SessionStartForm(QWidget):
    """The fields; changes are announced once those that come together are made.

    An answer that comes late is dropped, so that nothing need wait for the hands to rest.
    """

    asked = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._entities: dict[str, str] = {}
        self._pause = QTimer(self, singleShot=True, interval=0)
        self._pause.timeout.connect(self.asked)
        self.project = self._field("Project folder", "open")
        self.question = self._field("A question", "search")
        self.session = self._field("Session", "recent")
        self.browse = self.project.actions()[0]
        self.browse.setText("Choose a folder…")
        self.browse.triggered.connect(self._browse)
        self.choose = self.session.actions()[0]
        self.choose.setText("Choose a session…")
        self.choose.triggered.connect(self._open_sessions)
        self.sessions = QMenu(self)
        self.named = QWidget(self)
        """The entities that are named outright, each with a way to take it out."""
        self._flow = FlowLayout(self.named, spacing=5)
        self.add = link_button("", self.add_selected)
        self.add.setParent(self)  # It may be shown before it is laid out: no window of its own.
        self._lay_out()
        context.selection.entity_loaded.connect(self._offer)
        self._show_chips()

    @property
    def signals(self) -> Signals:
        """The current signals."""
        return Signals(query=self.question.text().strip(), project=self.project.text().strip(),
                       session_key=self.session.text().strip(),
                       entity_ids=tuple(self._entities))

    @property
    def chips(self) -> list[QPushButton]:
        """The entities that are named outright; a click takes one out."""
        return [chip for chip in self.named.findChildren(QPushButton) if not chip.isHidden()]

    def show_sessions(self, rows: Sequence[SessionRow]) -> None:
        """Sessions to choose from."""
        self.sessions.clear()
        for row in rows[:OFFERED]:
            action = self.sessions.addAction(row_words(row).replace("&", "&&"))
            action.triggered.connect(partial(self._choose_session, row.session_key))
        if not rows:
            self.sessions.addAction("No session recorded yet").setEnabled(False)
        completer = QCompleter([row.session_key for row in rows], self.session)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.session.setCompleter(completer)

    def show_signals(self, given: Signals, names: Mapping[str, str]) -> None:
        """Fill in what was asked elsewhere, and ask it.

        Args:
            names: of the entities that it named, by id.
        """
        for field, text in ((self.question, given.query), (self.project, given.project),
                            (self.session, given.session_key)):
            field.setText(text)
        self._entities = dict(names)
        self._show_chips()
        self.asked.emit()

    def add_selected(self) -> None:
        """Name the selected entity outright."""
        row = self._context.selection.entity
        if row is not None:
            self._entities[row.id] = row.name
            self._show_chips()
            self.asked.emit()

    def forget_entities(self) -> None:
        """These are another agent's."""
        self._entities.clear()
        self._show_chips()

    def _drop(self, entity_id: str, _checked: bool = False) -> None:
        self._entities.pop(entity_id, None)
        self._show_chips()
        self.asked.emit()

    def _offer(self, row: EntityRow | None) -> None:
        fits = row is not None and row.id not in self._entities and row.status == "active"
        self.add.setVisible(fits)
        if row is not None:
            self.add.setText(f"+ {one_line(row.name, NAMED)}".replace("&", "&&"))
            set_tip(self.add, f"Add {one_line(row.name)}")

    def _show_chips(self) -> None:
        self._flow.clear()
        for entity_id, name in self._entities.items():
            chip = chip_button(f"{one_line(name, 24)}  ×".replace("&", "&&"))
            chip.setAccessibleName(f"Remove {one_line(name)}")
            chip.clicked.connect(partial(self._drop, entity_id))
            self._flow.addWidget(chip)
        self.named.setVisible(bool(self._entities))
        self._offer(self._context.selection.entity)

    def _open_sessions(self) -> None:
        self.sessions.popup(self.session.mapToGlobal(self.session.rect().bottomLeft()))

    def _choose_session(self, session_key: str, _checked: bool = False) -> None:
        self.session.setText(session_key)

    def _browse(self) -> None:
        dialog = QFileDialog(self.window(), "The project's folder", self.project.text())
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.project.setText)
        dialog.open()

    def _lay_out(self) -> None:
        self._row = put(row_layout(self, MARGINS, 8), (self.question, 4), (self.project, 2),
                        (self.session, 2))

    def set_low(self, low: bool) -> None:
        """Leave out what stands around it, where every pixel of height counts."""
        self._row.setContentsMargins(*(LOW_MARGINS if low else MARGINS))

    def _field(self, words: str, sign: str) -> QLineEdit:
        field = SignalField()
        field.setPlaceholderText(words)
        field.setAccessibleName(words)
        field.addAction(QAction(icon(self._context.theme, sign), words, field),
                        QLineEdit.ActionPosition.LeadingPosition)
        field.setClearButtonEnabled(True)
        field.textChanged.connect(lambda _: self._pause.start())
        return field
