"""The palette: every action and every entity, found by a few letters."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QModelIndex, QObject, QRectF, QSize, Qt
from PySide6.QtGui import (
    QKeyEvent,
    QPainter,
    QPalette,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from core.model.entity import EntityRow
from core.queries.entities import list_entities
from core.store.handles import Reader
from ui.context import Context, Desk
from ui.dialogs.fuzzy import score
from ui.theme import Theme, fixed_font
from ui.widgets.labels import one_line
from ui.widgets.shapes import draw_glyph

SIZE = QSize(560, 380)
TOP = 64
ROW = 30
SHOWN_ACTIONS, SHOWN_ENTITIES = 14, 12
CLOSE = 0.5
"""What fits less than half as well as the best is not meant."""
ENTRY = int(Qt.ItemDataRole.UserRole) + 1


@dataclass(frozen=True, slots=True)
class Entry:
    """One line: what it says at the left and right, and what it does."""

    text: str
    hint: str
    run: Callable[[], None]
    key: str = ""
    entity_type: str = ""


class EntryDelegate(QStyledItemDelegate):
    """Draws an entry: sign, words, hint, key."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(  # noqa: N802
        self, option: QStyleOptionViewItem, index: QModelIndex
    ) -> QSize:
        return QSize(100, ROW)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex
    ) -> None:
        entry: Entry = index.data(ENTRY)
        theme = self._theme
        rect = QRectF(option.rect)
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.mix("raised", "accent", 0.2))
            painter.drawRoundedRect(rect.adjusted(6, 1, -6, -1), 6, 6)
        left = rect.left() + 16
        if entry.entity_type:
            draw_glyph(painter, QRectF(left, rect.top(), 11, rect.height()), theme,
                       entry.entity_type)
            left += 20
        right = rect.right() - 16
        if entry.key:
            right = self._draw_key(painter, rect, right, entry.key)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(option.font)
        words = painter.fontMetrics().elidedText(
            entry.text, Qt.TextElideMode.ElideRight, int(right - left)
        )
        painter.setPen(theme.color("text"))
        box = QRectF(left, rect.top(), right - left, rect.height())
        painter.drawText(box, int(middle | Qt.AlignmentFlag.AlignLeft), words)
        used = painter.fontMetrics().horizontalAdvance(words) + 12
        painter.setPen(theme.color("text.soft"))
        hint = painter.fontMetrics().elidedText(
            entry.hint, Qt.TextElideMode.ElideRight, int(max(0, right - left - used))
        )
        painter.drawText(box, int(middle | Qt.AlignmentFlag.AlignRight), hint)
        painter.restore()

    def _draw_key(self, painter: QPainter, rect: QRectF, right: float, key: str) -> float:
        painter.setFont(fixed_font(11))
        width = painter.fontMetrics().horizontalAdvance(key) + 12
        box = QRectF(right - width, rect.center().y() - 9, width, 18)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._theme.color("line"))
        painter.setBrush(self._theme.mix("raised", "line", 0.4))
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(self._theme.color("text.soft"))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), key)
        return box.left() - 10


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
        self.field.setPlaceholderText("Do something, or go to an entity")
        self.field.setAccessibleName("Command palette")
        self._model = QStandardItemModel(self)
        self.list = QListView(self)
        self.list.setObjectName("PaletteList")
        self.list.setModel(self._model)
        self.list.setItemDelegate(EntryDelegate(theme, self))
        self.list.setUniformItemSizes(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setBackgroundRole(QPalette.ColorRole.Button)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 6)
        column.setSpacing(6)
        column.addWidget(self.field)
        column.addWidget(self.list)
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
        self._show(self._actions(text))
        if text.strip() and isinstance(self._desk, Context):
            self._desk.runner.read(partial(_find, text), self._found, key="palette")

    def _found(self, rows: list[EntityRow]) -> None:
        if not self.isHidden() and isinstance(self._desk, Context):
            actions = self._actions(self.field.text())
            # Letters that begin a word of an action mean it; otherwise names come first.
            at = min(len(actions), 4)
            self._show([*actions[:at], *map(self._entity, rows), *actions[at:]])

    def _actions(self, text: str) -> list[Entry]:
        if self._desk is None:
            return []
        actions = self._desk.actions
        found: list[tuple[float, int, Entry]] = []
        for at, action in enumerate(actions):
            if not action.palette or not actions.action(action.id).isEnabled():
                continue
            words = actions.words(action)
            fit = score(text, words)
            if fit is not None:
                run = partial(actions.run, action.id)
                hint = action.menu.partition("/")[0]
                found.append((-fit, at, Entry(words, hint, run, actions.key_text(action.id))))
        found.sort(key=lambda item: item[:2])
        enough = found[0][0] * CLOSE if found else 0.0
        return [entry for fit, _, entry in found if fit <= enough][:SHOWN_ACTIONS]

    def _entity(self, row: EntityRow) -> Entry:
        assert isinstance(self._desk, Context)
        run = partial(self._desk.selection.select_entity, row.id)
        hint = one_line(row.fact, 80) if row.fact else row.entity_type
        return Entry(one_line(row.name, 120), hint, run, "", row.entity_type)

    def _show(self, entries: list[Entry]) -> None:
        self._model.clear()
        for entry in entries:
            item = QStandardItem(entry.text)
            item.setData(entry, ENTRY)
            item.setEditable(False)
            self._model.appendRow(item)
        height = min(self._room, self.field.sizeHint().height() + 14 + ROW * len(entries))
        self.resize(self.width(), height)
        if entries:
            self.list.setCurrentIndex(self._model.index(0, 0))


def _find(text: str, reader: Reader) -> list[EntityRow]:
    return list_entities(reader, text=text, limit=SHOWN_ENTITIES)
