"""The merge wizard's first page: which entity stays."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QWidget

from core.errors import OperationError
from core.model.entity import EntityRow
from core.model.names import spoken
from core.model.text_formatting import one_line
from core.queries.entities import entities_by_id, list_entities
from core.store.reader_and_writer import Reader
from ui.context import Context
from ui.error_words import words_of
from ui.widgets.labels import label
from ui.widgets.layouts import column_layout, put
from ui.widgets.list_edges import WholeRows

LISTED = 60
ROW_HEIGHT = 26
_ID = Qt.ItemDataRole.UserRole


class TargetPage(QWidget):
    """A search field and the entities that it finds; to begin with those of like names."""

    picked = Signal(str)

    def __init__(self, context: Context, sources: Sequence[str]) -> None:
        super().__init__()
        self._context, self._sources = context, tuple(sources)
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search entities")
        self.search.setAccessibleName("Search entities")
        self.list = QListWidget()
        self.list.setAccessibleName("Entities to merge into")
        WholeRows(self.list)
        self._note = label("", "soft")
        put(column_layout(self, (0, 0, 0, 0), 6), self.search, (self.list, 1), self._note)
        self.search.textChanged.connect(self._read)
        self.search.installEventFilter(self)
        self.list.itemDoubleClicked.connect(lambda _item: self.pick())
        self._read("")

    def take_keyboard(self) -> None:
        self.search.setFocus()

    def leave_out(self, sources: Sequence[str]) -> None:
        """List all but these, which go."""
        self._sources = tuple(sources)
        self._read(self.search.text())

    def pick(self) -> None:
        """Take the chosen one, if there is one."""
        item = self.list.currentItem()
        if item is not None:
            self.picked.emit(item.data(_ID))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Up and Down go through the list while one types."""
        if (isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress
                and event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up)):
            by = 1 if event.key() == Qt.Key.Key_Down else -1
            row = min(max(self.list.currentRow() + by, 0), self.list.count() - 1)
            self.list.setCurrentRow(row)
            return True
        return super().eventFilter(watched, event)

    def _read(self, text: str) -> None:
        self._context.runner.read(partial(_candidates, text, self._sources), self._show,
                                  self._not_read, key=(id(self), "target"))

    def _show(self, rows: list[EntityRow]) -> None:
        self.list.clear()
        for row in rows:
            item = QListWidgetItem(f"{one_line(row.name, 80)}  ·  {spoken(row.entity_type)}")
            item.setData(_ID, row.id)
            item.setSizeHint(QSize(0, ROW_HEIGHT))
            self.list.addItem(item)
        self.list.setCurrentRow(0 if rows else -1)
        self._note.setText("" if rows else "No entity is called so.")

    def _not_read(self, error: BaseException) -> None:
        self.list.clear()
        self._note.setText(words_of(error))


def _candidates(text: str, sources: Sequence[str], reader: Reader) -> list[EntityRow]:
    """What the words find; without words what shares a word with the name, then the rest."""
    rows: list[EntityRow] = []
    if text.strip():
        rows = list_entities(reader, text=text, limit=LISTED)
    else:
        names = entities_by_id(reader, sources).values()
        words = sorted((word for row in names for word in row.name.split()), key=len, reverse=True)
        for word in words[:3]:
            rows += _found(reader, word)
        rows += list_entities(reader, limit=LISTED)
    return list({row.id: row for row in rows if row.id not in sources}.values())[:LISTED]


def _found(reader: Reader, word: str) -> list[EntityRow]:
    try:
        rows = list_entities(reader, text=word, limit=LISTED)
    except OperationError:
        return []
    return [row for row in rows if word.casefold() in row.name.casefold()]
