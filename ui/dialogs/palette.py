"""The palette: every action and every entity, found by a few letters."""

from functools import partial

from PySide6.QtCore import QEvent, QModelIndex, QObject, QSize, Qt
from PySide6.QtGui import (
    QKeyEvent,
    QPalette,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QListView,
    QWidget,
)

from core.model.entity import EntityRow
from core.model.names import canonical
from core.model.text_formatting import one_line
from core.queries.entities import count_entities, list_entities, understood
from core.queries.search_syntax import plain_words
from core.store.reader_and_writer import Reader
from ui.context import Context, Desk
from ui.dialogs.palette_entry_delegate import ENTRY, ROW, Entry, EntryDelegate
from ui.theme import Theme
from ui.widgets.labels import label
from ui.widgets.layouts import column_layout, put
from ui.widgets.list_edges import WholeRows

SIZE = QSize(560, 380)
TOP = 64
SHOWN_ACTIONS, SHOWN_ENTITIES = 14, 12
REST = 6
"""The rank of the line that leads to all entities: below those that are shown."""
Ranked = tuple[int, Entry]
"""A line with its rank: lower ones come first, equal ones as they are."""
CLOSE = 0.5
"""What fits less than half as well as the best is not meant."""


class Palette(QFrame):
    """Floats over the window; closes when it loses the keyboard."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("Palette")
        self.setAccessibleName("Command palette")
        self._desk: Desk | None = None
        self._back: QWidget | None = None
        self._room = SIZE.height()
        self.field = QLineEdit(self)
        self.field.setPlaceholderText("Search commands and entities")
        self.field.setAccessibleName("Command palette")
        self._model = QStandardItemModel(self)
        self.list = QListView(self)
        self.list.setObjectName("PaletteList")
        self.list.setModel(self._model)
        self.list.setItemDelegate(EntryDelegate(theme, self.list))
        self.list.setUniformItemSizes(True)
        WholeRows(self.list)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setBackgroundRole(QPalette.ColorRole.Button)
        self.nothing = label("Nothing found", "soft")
        self.nothing.setContentsMargins(16, 0, 16, 4)
        self.nothing.hide()
        put(column_layout(self, (1, 1, 1, 6), 6), self.field, self.nothing, self.list)
        self.field.textChanged.connect(self._search)
        self.field.installEventFilter(self)
        self.list.clicked.connect(self._run)
        self.hide()

    def open_for(self, desk: Desk) -> None:
        """Show it, empty, over the middle of the window."""
        self._desk = desk
        window = self.parentWidget()
        assert window is not None
        self._back = window.focusWidget()
        size = QSize(min(SIZE.width(), window.width() - 40), min(SIZE.height(),
                                                                window.height() - 120))
        self.setGeometry((window.width() - size.width()) // 2, TOP, size.width(), size.height())
        self._room = size.height()
        self.field.clear()
        self._search("")
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def entries(self) -> list[Entry]:
        """What is listed now, best first."""
        return [self._model.item(row).data(ENTRY) for row in range(self._model.rowCount())]

    def close_palette(self) -> None:
        if self.isHidden():
            return
        self.hide()
        if self._back is not None:
            self._back.setFocus(Qt.FocusReason.PopupFocusReason)
            self._back = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.FocusOut and not self.isHidden():
            self._back = None
            self.hide()
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._key(event)
        return False

    def _key(self, event: QKeyEvent) -> bool:
        steps = {
            Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8,
        }
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape:
            self.close_palette()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._run(self.list.currentIndex())
        elif key in steps:
            self._move(steps[key])
        else:
            return False
        return True

    def _move(self, by: int) -> None:
        row = max(0, min(self._model.rowCount() - 1, self.list.currentIndex().row() + by))
        self.list.setCurrentIndex(self._model.index(row, 0))

    def _run(self, index: QModelIndex) -> None:
        if index.isValid():
            entry: Entry = index.data(ENTRY)
            self.close_palette()
            entry.run()

    def _search(self, text: str) -> None:
        reads = bool(text.strip()) and isinstance(self._desk, Context)
        self._show(self._actions(text), whole=not reads)
        if reads and isinstance(self._desk, Context):
            self._desk.runner.read(partial(_find, text), self._found, key="palette")

    def _found(self, answer: tuple[list[EntityRow], int]) -> None:
        rows, total = answer
        if not self.isHidden() and isinstance(self._desk, Context):
            text = self.field.text()
            self._show([*self._actions(text),
                        *((entity_rank(text, row), self._entity(row)) for row in rows),
                        *((REST, entry) for entry in self._rest(len(rows), total))])

    def _rest(self, shown: int, total: int) -> list[Entry]:
        """The way to the entities that are not listed here."""
        if shown >= total:
            return []
        run = partial(self._list_all, self.field.text())
        return [Entry(f"{shown:,} of {total:,} entities: list them all", "", run, "")]

    def _list_all(self, text: str) -> None:
        assert isinstance(self._desk, Context)
        self._desk.selection.search_for(text)
        self._desk.shell.show_panel("entities")

    def _actions(self, text: str) -> list[Ranked]:
        """The actions that fit, best first, each with its rank among all that is found."""
        if self._desk is None:
            return []
        actions = self._desk.actions
        matches: list[tuple[float, int, Ranked]] = []
        for at, action in enumerate(actions.every()):
            if not action.palette or not actions.action(action.id).isEnabled():
                continue
            words = actions.words(action)
            menu, _, part = action.menu.partition("/")
            titles = (words, *((f"{part} {words}",) if part else ()), *action.finds)
            fits = [fit for title in titles if (fit := score(text, title)) is not None]
            if fits:
                hint = f"{menu} › {part}" if part else menu
                entry = Entry(words, hint, partial(actions.run, action.id),
                              actions.key_text(action.id))
                rank = min(action_rank(text, title) for title in titles)
                matches.append((-max(fits), at, (rank, entry)))
        matches.sort(key=lambda item: item[:2])
        enough = matches[0][0] * CLOSE if matches else 0.0
        return [line for fit, _, line in matches if fit <= enough][:SHOWN_ACTIONS]

    def _entity(self, row: EntityRow) -> Entry:
        assert isinstance(self._desk, Context)
        run = partial(self._desk.selection.select_entity, row.id)
        hint = one_line(row.fact, 80) if row.fact else row.entity_type
        return Entry(one_line(row.name, 120), hint, run, "", row.entity_type)

    def _show(self, lines: list[Ranked], *, whole: bool = True) -> None:
        """List these; `whole` unless entities are still being looked for."""
        self._model.clear()
        entries = [entry for _, entry in sorted(lines, key=lambda line: line[0])]
        for entry in entries:
            item = QStandardItem(entry.text)
            item.setData(entry, ENTRY)
            item.setEditable(False)
            self._model.appendRow(item)
        self.nothing.setVisible(whole and not entries)
        self.list.setVisible(bool(entries))
        height = min(self._room, self.field.sizeHint().height() + 14 + ROW * max(len(entries), 1))
        self.resize(self.width(), height)
        if entries:
            self.list.setCurrentIndex(self._model.index(0, 0))


def _find(text: str, reader: Reader) -> tuple[list[EntityRow], int]:
    """The first entities that are named or described so, and how many there are."""
    search = understood(reader, plain_words(text))
    return (list_entities(reader, text=search, limit=SHOWN_ENTITIES),
            count_entities(reader, text=search))


def entity_rank(wanted: str, row: EntityRow) -> int:
    """Where an entity stands among what fits: its own name before any action that merely fits."""
    sought, name = canonical(wanted), canonical(row.name)
    if name == sought:
        return 0
    if row.fact:
        return 5
    return 2 if name.startswith(sought) else 4


def action_rank(wanted: str, title: str) -> int:
    """Where an action stands among what fits; what only has the letters somewhere comes late."""
    sought, text = canonical(wanted), canonical(title)
    if text.startswith(sought):
        return 1
    return 3 if f" {sought}" in text else REST + 1


START_OF_TITLE, START_OF_WORD = 40, 20
INSIDE = 0.8
"""What letters inside of a word count beside the first letters of words."""


def score(wanted: str, title: str) -> float | None:
    """A number that is higher the better `wanted` fits, None if it does not.

    Every letter must come in order; letters in a run and the first letters of words count most,
    so that `cph` finds `Claim history panel` and `undo` prefers `Undo` to `Unpin and go`.
    """
    from rapidfuzz import fuzz  # noqa: PLC0415  the window stands before anything is sought
    from rapidfuzz.distance import LCSseq  # noqa: PLC0415  as above

    sought, text = " ".join(wanted.casefold().split()), title.casefold()
    letters = sought.replace(" ", "")
    if not letters:
        return 0.0
    if LCSseq.similarity(letters, text) < len(letters):
        return None
    initials = "".join(word[0] for word in text.split())
    best = max(INSIDE * fuzz.partial_ratio(sought, text), fuzz.ratio(letters, initials))
    if text.startswith(sought):
        best += START_OF_TITLE
    elif f" {sought}" in text:
        best += START_OF_WORD
    return best - len(text) / 50
