"""The left column of the review: the queue, its groups, order and filter."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace
from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QIcon, QMouseEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
    QToolButton,
    QWidget,
)

from core.ontology.operation_catalog import CATALOG
from ui.models.review_queue import (
    GROUPS,
    PAGE,
    SORTS,
    Arrangement,
    QueueRow,
    arrange,
    ids_in,
    key_of,
    next_after,
    operation_chips,
    spoken_line,
    without_one,
)
from ui.panels.proposals.queue_rows import QueueRows
from ui.theme import Theme, icon
from ui.theme.icons import ICONS
from ui.widgets.buttons import on_click
from ui.widgets.filter_chips import ChipRow
from ui.widgets.labels import label
from ui.widgets.layouts import column_layout, put, row_layout
from ui.widgets.line_list_model import LineModel
from ui.widgets.list_edges import WholeRowTable
from ui.widgets.load_more import MoreButton
from ui.widgets.ordered_ids import OrderedKeys
from ui.widgets.row_delegate import ROW_HEIGHT, set_up_view
from ui.widgets.two_line_rows import LOW_ROW

DOCK_ROWS, TALL_ROWS = 1, 3
"""Rows of filter chips."""
SIGNS = {"create": "add", "open": "add", "set": "edit", "update": "edit", "supersede": "edit",
         "unpin": "pin"}
"""The icon for the first word of an operation, where it is not the word's own."""
TOKENS = {"appear": "good", "link": "good"}


class QueueList(WholeRowTable):
    """The queue; a click on a group's head selects the group.

    A table of one column, because Qt's list asks its model for every row at each change, which
    takes longer than a card at thousands of proposals.
    """

    went_to = Signal(str)
    """The person went to another proposal."""
    chosen = Signal(list)
    """The proposals that are selected, in the order of the queue."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lines = LineModel(key_of, spoken_line, self)
        self.setModel(self.lines)
        self.setItemDelegate(QueueRows(theme, self))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        set_up_view(self, "Pending proposals")
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.horizontalHeader().setMinimumSectionSize(40)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setMinimumSectionSize(LOW_ROW)
        self.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self._quiet = False
        self.selectionModel().currentChanged.connect(self._went)
        self.selectionModel().selectionChanged.connect(self._chose)

    @property
    def current_id(self) -> str:
        return self.lines.key_at(self.currentIndex())

    @property
    def chosen_ids(self) -> list[str]:
        rows = sorted(row for part in self.selectionModel().selection()  # type: ignore[attr-defined]
                      for row in range(part.top(), part.bottom() + 1))
        return [key for row in rows if (key := key_of(self.lines.lines[row]))]

    def set_lines(self, lines: Sequence, current: str, chosen: Sequence[str]) -> None:
        """Show these lines with the same place, the same selection, and no signal."""
        self._change(partial(self.lines.set_lines, lines), current, chosen)

    def take_out(self, proposal_id: str, current: str, chosen: Sequence[str]) -> None:
        """Show all but this one, else as `set_lines`."""
        self._change(partial(self.lines.take_out, proposal_id, without_one), current, chosen)

    def _change(self, change: Callable[[], None], current: str, chosen: Sequence[str]) -> None:
        scrolled = self.verticalScrollBar().value()
        self._quiet = True
        change()
        self._select(current, chosen)
        self._quiet = False
        self.verticalScrollBar().setValue(scrolled)

    def go_to(self, proposal_id: str, chosen: Sequence[str] = ()) -> None:
        """Make one the current and only selected one, without a signal."""
        self._quiet = True
        self._select(proposal_id, chosen or (proposal_id,))
        self._quiet = False
        index = self.lines.index_of(proposal_id)
        if index.isValid():
            self.scrollTo(index)

    def choose(self, ids: Sequence[str]) -> None:
        """Select these, the first of them as the current one."""
        self._select(ids[0], ids)

    def choose_group(self, index: QModelIndex) -> None:
        """Select every proposal of the group at this place."""
        ids = self.lines.group_at(index)
        if ids:
            self._select(ids[0], ids)

    def moveCursor(  # noqa: N802
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Home and End go to the first and the last row; a table would stay in its row."""
        ends = {QAbstractItemView.CursorAction.MoveHome: 0,
                QAbstractItemView.CursorAction.MoveEnd: self.lines.rowCount() - 1}
        return (self.lines.index(ends[action]) if action in ends
                else super().moveCursor(action, modifiers))

    def keyboardSearch(self, _search: str) -> None:  # noqa: N802
        """Letters are keys of the panel."""

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and not self.lines.key_at(index):
            self.choose_group(index)
            return
        super().mousePressEvent(event)

    def _select(self, current: str, chosen: Sequence[str]) -> None:
        flag = QItemSelectionModel.SelectionFlag
        model = self.selectionModel()
        model.setCurrentIndex(self.lines.index_of(current), flag.NoUpdate)
        # In one step: at each the whole selection would be shown and tried.
        model.select(self._ranges(chosen), flag.ClearAndSelect)

    def _ranges(self, keys: Sequence[str]) -> QItemSelection:
        """The rows of these as a selection, neighbours together."""
        ranges = QItemSelection()
        rows = {index.row() for key in keys if (index := self.lines.index_of(key)).isValid()}
        firsts = sorted(row for row in rows if row - 1 not in rows)
        lasts = sorted(row for row in rows if row + 1 not in rows)
        for first, last in zip(firsts, lasts, strict=True):
            ranges.select(self.lines.index(first), self.lines.index(last))
        return ranges

    def _went(self, index: QModelIndex) -> None:
        if not self._quiet:
            self.went_to.emit(self.lines.key_at(index))

    def _chose(self, *_: object) -> None:
        if not self._quiet:
            self.chosen.emit(self.chosen_ids)


class QueueColumn(QWidget):
    """The queue with its count, grouping, sorting and a filter."""

    arranged = Signal()
    more_wanted = Signal()
    """The person wants to see proposals that have not been read."""

    def __init__(self, theme: Theme, more_key: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: dict[str, QueueRow] = {}
        self._order: OrderedKeys[str] = OrderedKeys()
        self._operations: Counter[str] = Counter()
        self.how = Arrangement()
        self.list = QueueList(theme)
        self._count = label(role="caption")
        self.order_button = self._menu_button()
        self.chips = ChipRow(sign=partial(operation_icon, theme), rows=DOCK_ROWS)
        self.chips.chosen.connect(partial(self._change, "operations"))
        head = put(row_layout(margins=(14, 6, 8, 2), spacing=2), (self._count, 1),
                   self.order_button)
        self.more = MoreButton(more_key)
        on_click(self.more, self.more_wanted.emit)
        put(column_layout(self, (0, 0, 0, 0), 0), head,
            put(row_layout(margins=(14, 0, 8, 4)), self.chips), (self.list, 1),
            put(row_layout(margins=(14, 4, 8, 6)), self.more, None))
        self._say_order()

    def stretch(self, tall: bool) -> None:
        """Use the height of the whole window, or of a dock."""
        self.chips.set_rows(TALL_ROWS if tall else DOCK_ROWS)

    @property
    def order(self) -> list[str]:
        """The proposals as they are shown."""
        return self._order.keys

    def place(self, proposal_id: str) -> int | None:
        """Where a proposal stands among those that are shown, from 0."""
        return self._order.place(proposal_id)

    def after(self, proposal_id: str) -> str:
        """Where to go when this one is decided."""
        at = self._order.place(proposal_id)
        around = [] if at is None else self.order[max(at - 1, 0):at + 2]
        return next_after(around, (proposal_id,))

    def show_rows(
        self, rows: Sequence[QueueRow], total: int, current: str, chosen: Sequence[str]
    ) -> None:
        """Show the pending rows; does nothing if they are unchanged."""
        self._rows = {row.id: row for row in rows}
        self._operations = Counter(row.operation for row in rows)
        self._say_count(total)
        lines = arrange(rows, self.how)
        if lines != self.list.lines.lines:
            self.list.set_lines(lines, current, chosen)
            self._order = OrderedKeys(ids_in(lines))

    def take_out(
        self, proposal_id: str, total: int, current: str, chosen: Sequence[str]
    ) -> None:
        """Show all but this one, at a cost that does not grow with the queue."""
        row = self._rows.pop(proposal_id, None)
        if row is None:
            return
        self._operations -= Counter((row.operation,))
        self._say_count(total)
        if self._order.place(proposal_id) is not None:
            self._order.take_out(proposal_id)
            self.list.take_out(proposal_id, current, chosen)

    def arrange_as(self, how: Arrangement) -> None:
        """Change grouping, sorting and filter, and keep the current row."""
        if how != self.how:
            self.how = how
            current = self.list.current_id
            self._say_order()
            lines = arrange(self._rows.values(), how)
            self.list.set_lines(lines, current, [current])
            self._order = OrderedKeys(ids_in(lines))
            self.arranged.emit()

    def _say_count(self, total: int) -> None:
        self._count.setText(f"{total:,} pending")
        self.chips.set_chips(operation_chips(self._operations))
        self.chips.setVisible(len(self._operations) > 1)
        self.more.show_rest(len(self._rows), total, PAGE)

    def _say_order(self) -> None:
        words = SORTS[self.how.sort]
        if self.how.group != "none":
            words += f", {GROUPS[self.how.group].lower()}"
        self.order_button.setText(f"{words} ▾")
        for key in (self.how.sort, self.how.group):
            self._choices[key].setChecked(True)

    def _menu_button(self) -> QToolButton:
        button = QToolButton()
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        button.setProperty("role", "small")
        button.setAccessibleName("Sort and group")
        menu = QMenu(button)
        self._choices = _add_choices(menu, SORTS, partial(self._change, "sort"))
        menu.addSeparator()
        self._choices |= _add_choices(menu, GROUPS, partial(self._change, "group"))
        button.setMenu(menu)
        return button

    def _change(self, part: str, value: object) -> None:
        """Arrange by another `group`, `sort` or `operations`; the rest stays."""
        self.arrange_as(replace(self.how, **{part: value}))


def operation_icon(theme: Theme, operation: str) -> QIcon:
    """The sign of an operation; green where it adds, red where it takes away."""
    verb, _, noun = operation.partition("_")
    sign = "link" if noun == "link" and verb == "create" else SIGNS.get(verb, verb)
    known = CATALOG.get(operation)
    token = "text.soft"
    if known is not None:
        token = "bad" if known.destructive else TOKENS.get(known.fields.info.effect, token)
    return icon(theme, sign if sign in ICONS else "edit", token, token)


def _add_choices(
    menu: QMenu, choices: Mapping[Any, str], choose: Callable[..., None]
) -> dict[str, QAction]:
    """One of these can be chosen; the first is to begin with."""
    group, actions = QActionGroup(menu), dict[str, QAction]()
    for at, (key, text) in enumerate(choices.items()):
        action = group.addAction(menu.addAction(text))
        action.setCheckable(True)
        action.setChecked(at == 0)
        on_click(action, choose, key)
        actions[key] = action
    return actions
