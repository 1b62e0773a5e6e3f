"""A list of entities: star, sign, name and one more fact, with the same hands for each."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from PySide6.QtCore import (
    QElapsedTimer,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPoint,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QMenu,
    QWidget,
)

from core.model.claims_and_assertions import Slot
from core.model.entity import EntityRow
from core.model.text_formatting import one_line
from core.queries.claims import slot_of
from core.queries.entities import row_of_entity
from ui.actions.entities import set_pinned
from ui.context import Context
from ui.models.entity_list import EntityRole, Index
from ui.widgets.list_edges import WholeRowTable
from ui.widgets.row_delegate import set_up_view

E = TypeVar("E", bound=QEvent)
ROW_HEIGHT = 28
RESTING_MS = 1500
"""After this time a click is meant for what is under the mouse, however it came there."""
STAR_LEFT, STAR_RIGHT = 8, 31
"""Where in a row a click means the star."""

MENU = (
    ("pins.toggle", "mutes.toggle"), ("sky.dive", "go.claim_history"),
    ("entities.rename", "claims.set", "aspects.new", "links.new"),
    ("edit.copy_name", "edit.copy_id"),
    ("entities.merge", "entities.archive", "entities.restore"),
)


class EntityView(WholeRowTable):
    """Rows of one height, painted by a delegate; the selection is the window's.

    A table of one column, because Qt's list asks its model once for every row at each change,
    which stalls the window at 100,000 rows.

    Moving through the list with arrows or mouse selects in the whole window. A click on the star
    pins or unpins the row's entity and selects nothing; one with Ctrl marks another entity beside
    the selected one.
    """

    looked = Signal()
    """Other rows have become visible."""

    def __init__(self, context: Context, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self._star = QModelIndex()
        self._pressed_star = ""
        self._starred: tuple[str, QPoint] | None = None
        """The entity whose star was clicked, and where, until the mouse is moved away."""
        self._since_star = QElapsedTimer()
        self._by_hand = False
        self.awaited = -1
        """The line that a hand went to before it was read; -1 for none."""
        set_up_view(self, name)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.horizontalHeader().setMinimumSectionSize(40)
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(20)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.set_row_height(ROW_HEIGHT)
        # What is selected is the window's affair; Qt's own is only where the keyboard is.
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.verticalScrollBar().valueChanged.connect(self.looked)
        context.theme.changed.connect(self.viewport().update)
        context.selection.hovered.connect(self.viewport().update)
        context.selection.second_changed.connect(self.viewport().update)

    def set_row_height(self, height: int) -> None:
        """Every row is as high as this."""
        self.verticalHeader().setDefaultSectionSize(height)

    def row_at(self, index: Index) -> EntityRow | None:
        """The entity that a line shows; None while it is not read."""
        row = index.data(EntityRole) if index.isValid() else None
        return row if isinstance(row, EntityRow) else None

    def star_lit(self, index: QModelIndex) -> bool:
        """True if the mouse is over the star of this line."""
        return self._star.isValid() and index == self._star

    def visible_rows(self) -> tuple[int, int]:
        """The first and the last visible line; last < first if none is."""
        model = self.model()
        count = model.rowCount() if model is not None else 0
        if not count or not self.viewport().height():
            return 0, -1
        top = self.indexAt(QPoint(4, 1))
        bottom = self.indexAt(QPoint(4, self.viewport().height() - 1))
        first = top.row() if top.isValid() else 0
        return first, bottom.row() if bottom.isValid() else count - 1

    def go_to(self, row: int, *, scroll: bool) -> None:
        """Make a line the current one without selecting anything by it; -1 for none."""
        index = self.model().index(row, 0) if row >= 0 else QModelIndex()
        self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        if scroll and index.isValid():
            self.scrollTo(index)
        self.viewport().update()

    # -- hands -----------------------------------------------------------------------------------

    def currentChanged(self, current: Index, previous: Index) -> None:  # noqa: N802
        """Select only on the person's action: Qt also moves on when a row is removed."""
        super().currentChanged(current, previous)
        if self._by_hand:
            self.awaited = -1 if self.row_at(current) else current.row()
            self.choose(current)

    def choose(self, index: Index) -> None:
        """Select a line's entity in the window."""
        row = self.row_at(index)
        if row is None:
            return
        self.context.selection.select_entity(row.id)
        self.context.selection.load_entity(row)
        if row.fact_id:
            self.context.runner.read(
                partial(slot_of, attribute_id=row.fact_id),
                partial(self._select_fact, row.fact_id), self._lost_fact, key=(id(self), "fact"))

    def _select_fact(self, fact_id: str, slot: Slot) -> None:
        """A hit is the claim that matched, not only its entity."""
        if self.context.selection.entity_id == slot.entity_id:
            self.context.selection.select_slot(slot, fact_id, step=False)

    def _lost_fact(self, error: BaseException) -> None:
        """The fact may be gone since the list was read; its entity stays selected."""

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self._handle(super().mouseMoveEvent, event)
        index = self.indexAt(event.position().toPoint())
        if self._starred is not None and _apart(self._starred[1], event):
            self._starred = None
        over = index if self._on_star(event) and self.row_at(index) else QModelIndex()
        if over != self._star:
            self._star = over
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if over.isValid()
                                      else Qt.CursorShape.ArrowCursor)
            self.viewport().update()
        row = self.row_at(index)
        self.context.selection.hover_entity(row.id if row is not None else "")

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        super().leaveEvent(event)
        self._star = QModelIndex()
        self.viewport().update()
        self.context.selection.hover_entity("")

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        row = self.row_at(self.indexAt(event.position().toPoint()))
        self._pressed_star = ""
        if row is not None and row.status == "active" and event.modifiers() == (
                Qt.KeyboardModifier.ControlModifier) and self.context.selection.entity_id:
            self.context.selection.mark_second(row)
            return
        if self._is_second(row) and event.button() == Qt.MouseButton.RightButton:
            return  # Its menu is of both.
        if row is not None and self._on_star(event):
            if self._means(row, event):
                self._pressed_star = row.id
                self._starred = row.id, event.position().toPoint()
                self._since_star.start()
            return
        self._handle(super().mousePressEvent, event)
        if row is not None and event.button() == Qt.MouseButton.LeftButton:
            # The line that the keyboard starts at is current without being selected.
            self.choose(self.currentIndex())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        pressed, self._pressed_star = self._pressed_star, ""
        row = self.row_at(self.indexAt(event.position().toPoint()))
        if pressed:
            if row is not None and row.id == pressed and self._on_star(event):
                self.toggle_pin(row)
            return
        super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if self._on_star(event):
            return  # One pin, not a pin of this and then of what comes under the mouse.
        super().mouseDoubleClickEvent(event)
        self.show_in_sky()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            self.show_in_sky()
            return
        self._handle(super().keyPressEvent, event)

    def _handle(self, handle: Callable[[E], None], event: E) -> None:
        """Let Qt handle what a hand did."""
        self._by_hand = True
        try:
            handle(event)
        finally:
            self._by_hand = False

    def moveCursor(  # noqa: N802
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Home and End go to the first and the last row; a table would stay in its row."""
        model = self.model()
        if action == QAbstractItemView.CursorAction.MoveHome:
            return model.index(0, 0)
        if action == QAbstractItemView.CursorAction.MoveEnd:
            return model.index(model.rowCount() - 1, 0)
        return super().moveCursor(action, modifiers)

    def keyboardSearch(self, _search: str) -> None:  # noqa: N802
        """Letters are keys of the window; names are searched in the top bar."""

    def toggle_pin(self, row: EntityRow) -> None:
        """Pin or unpin a line's entity."""
        if row.status == "active":
            set_pinned(self.context, row.id, not row.pinned)

    def show_in_sky(self) -> None:
        """Center the selected entity in the sky, and move the focus there."""
        self.choose(self.currentIndex())
        self.context.actions.run("sky.find")

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        index = self.indexAt(event.pos()) if by_mouse else self.currentIndex()
        row = self.row_at(index)
        if row is None:
            return
        if not self._is_second(row):
            if by_mouse:
                self.setCurrentIndex(index)
            self.choose(index)
        row = self.context.selection.entity or row
        where = event.globalPos() if by_mouse else self.viewport().mapToGlobal(
            self.visualRect(index).bottomLeft())
        entity_menu(self.context, row, self).popup(where)

    def _is_second(self, row: EntityRow | None) -> bool:
        second = self.context.selection.second
        return row is not None and second is not None and row.id == second.id

    def _means(self, row: EntityRow, event: QMouseEvent) -> bool:
        """False for what a pin has just sorted under a mouse that rests: nobody aimed at it."""
        return (self._starred is None or self._starred[0] == row.id
                or _apart(self._starred[1], event) or self._since_star.hasExpired(RESTING_MS))

    def _on_star(self, event: QMouseEvent) -> bool:
        left = event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton)
        return left and STAR_LEFT <= event.position().x() <= STAR_RIGHT

    # -- what can be seen ------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self.looked.emit()

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """The keyboard starts at the first line when none is current."""
        super().focusInEvent(event)
        model = self.model()
        if not self.currentIndex().isValid() and model is not None and model.rowCount():
            first, _ = self.visible_rows()
            self.go_to(first, scroll=False)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(120, 40)


def _apart(spot: QPoint, event: QMouseEvent) -> bool:
    """True if the mouse is no longer where it was."""
    away = event.position().toPoint() - spot
    return away.manhattanLength() >= QApplication.startDragDistance()


def open_entity_menu(context: Context, parent: QWidget, entity_id: str, where: QPoint) -> None:
    """Show the menu of an entity that is shown elsewhere, once its row is read."""
    def show(row: EntityRow | None) -> None:
        if row is not None and context.selection.entity_id == entity_id:
            context.selection.load_entity(row)
            entity_menu(context, row, parent).popup(where)

    context.runner.read(partial(row_of_entity, entity_id=entity_id), show, key="entity.menu")


def entity_menu(context: Context, row: EntityRow, parent: QWidget) -> QMenu:
    """What can be done with the selected entity, from the catalogue."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.setAccessibleName(one_line(row.name))
    context.actions.refresh()
    for group in MENU:
        shown = [context.actions.action(name) for name in group]
        if row.status == "archived":
            shown = [action for action in shown if action.isEnabled()]
        menu.addActions([action for action in shown
                         if action.objectName() != "entities.restore" or action.isEnabled()])
        menu.addSeparator()
    return menu
