"""The left column of the claim history: the entity's aspects and their claims."""

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from core.model.claims_and_assertions import Aspect, Claim, Group, Slot, key_of_group
from core.model.names import spoken
from core.model.text_formatting import one_line
from ui.models.claim_history import FIRST_CLAIMS, Tree, claim_title, place_of, slot_in
from ui.theme import Theme
from ui.widgets.glyph_paths import draw_fold
from ui.widgets.labels import ElidedLabel
from ui.widgets.layouts import column_layout, put
from ui.widgets.load_more import more_words
from ui.widgets.row_delegate import set_up_view

ROW_HEIGHT = 26
_INSET, _RIGHT = 6, 10
Index = QModelIndex | QPersistentModelIndex
SlotRole = Qt.ItemDataRole.UserRole
KeyRole = Qt.ItemDataRole.UserRole + 1
MoreRole = Qt.ItemDataRole.UserRole + 2
ToneRole = Qt.ItemDataRole.UserRole + 3
MANY = 2000
"""An entity with more claims than this starts with its aspects and groups closed."""


class Branches(QTreeWidget):
    """A tree that draws its own small triangles in the theme's colour."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme

    def drawBranches(self, painter: QPainter, rect: QRect, index: Index) -> None:  # noqa: N802
        if self.selectionModel().isSelected(index):
            painter.fillRect(rect, self._theme.color("selected"))
        if not self.model().hasChildren(index):
            return
        draw_fold(painter, QPointF(rect.right() - 5, rect.center().y() + 0.5),
                  self._theme.color("text.soft"), closed=not self.isExpanded(index))


class NameAndCount(QStyledItemDelegate):
    """A row's name, and at its right end its second column: the name has all the other room."""

    def __init__(self, theme: Theme, view: QTreeWidget) -> None:
        super().__init__(view)
        self._theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        ground = QStyleOptionViewItem(option)
        self.initStyleOption(ground, index)
        ground.text = ""
        style = ground.widget.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, ground, painter, ground.widget)
        beside, box = index.sibling(index.row(), 1), option.rect.adjusted(_INSET, 0, -_RIGHT, 0)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.save()
        painter.setFont(beside.data(Qt.ItemDataRole.FontRole))
        painter.setPen(self._theme.color(beside.data(ToneRole)))
        count = beside.data() or ""
        painter.drawText(box, middle | Qt.AlignmentFlag.AlignRight, count)
        wide = painter.fontMetrics().horizontalAdvance(count) + _INSET if count else 0
        painter.setFont(ground.font)
        painter.setPen(self._theme.color(index.data(ToneRole) or "text"))
        painter.drawText(box, middle, painter.fontMetrics().elidedText(
            index.data(), Qt.TextElideMode.ElideRight, box.width() - wide))
        painter.restore()


class ClaimTree(QWidget):
    """Aspects ▸ claims, with the number of versions and pending changes.

    The rows of an aspect or group are made when it is opened: cost follows what is shown.
    """

    chosen = Signal(object)
    """The person went to this `Slot`."""
    more_wanted = Signal()
    """The person wants to see claims that were not read."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._tree: Tree | None = None
        self._slot: Slot | None = None
        self._closed: set[str] = set()
        self._shown: dict[str, int] = {}
        """How many claims of an aspect or group are listed, where that is more than at first."""
        self._parents: dict[str, QTreeWidgetItem] = {}
        self._claims: dict[str, tuple[Claim, ...]] = {}
        """The claims right below each of these."""
        self._unread: dict[str, int] = {}
        """How many values of each of these were not read."""
        self._awaited: tuple[str, int] | None = None
        """The place among the claims of an aspect or group to go to as soon as it is read."""
        self._name = ElidedLabel(role="section")
        self._name.setContentsMargins(14, 8, 8, 4)
        self.list = Branches(theme)
        self.list.setColumnCount(2)
        self.list.setHeaderHidden(True)
        self.list.setIndentation(14)
        self.list.setUniformRowHeights(True)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        set_up_view(self.list, "Claims of the entity")
        head = self.list.header()
        head.setStretchLastSection(False)
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        head.hideSection(1)
        self.list.setItemDelegate(NameAndCount(theme, self.list))
        put(column_layout(self, (0, 0, 0, 0), 0), self._name, (self.list, 1))
        self.list.currentItemChanged.connect(self._went)
        self.list.itemCollapsed.connect(self._folded)
        self.list.itemExpanded.connect(self._unfolded)
        theme.changed.connect(self.list.viewport().update)

    def shown_of(self, entity_id: str) -> dict[str, int]:
        """How many claims of this entity's groups are wanted, where that is more than at first."""
        same = self._tree is not None and self._tree.entity_id == entity_id
        return dict(self._shown) if same else {}

    def show_tree(self, tree: Tree, slot: Slot | None) -> None:
        """Show an entity's claims; collapsed rows stay collapsed."""
        if self._tree is not None and tree.entity_id != self._tree.entity_id:
            self._closed = set()
        if tree != self._tree:
            if self._tree is None or self._tree.entity_id != tree.entity_id:
                claims = sum(len(group.claims) + group.unread for aspect in tree.aspects
                             for group in aspect.groups)
                self._shown, self._awaited = {}, None
                self._closed = {key for aspect in tree.aspects for key in (
                    aspect.id, *(_key(aspect, group) for group in aspect.groups)
                    )} if claims > MANY else set()
            self._tree, self._slot = tree, slot
            self._rebuild()
            self._go_to_awaited()
        else:
            self.show_slot(slot)

    def show_slot(self, slot: Slot | None) -> None:
        """Mark a claim as the one that is shown, without a signal."""
        self._slot = slot
        item = self.item_of(slot)
        self.list.blockSignals(True)
        if item is None:
            self.list.setCurrentIndex(QModelIndex())
        else:
            self.list.setCurrentItem(item)
            self.list.scrollToItem(item)
        self.list.blockSignals(False)

    def item_of(self, slot: Slot | None) -> QTreeWidgetItem | None:
        """The item of a claim, made if it was not listed yet."""
        at = place_of(self._tree, slot) if self._tree is not None and slot is not None else None
        if at is None:
            return None
        aspect, group, place = at
        key = _key(aspect, group)
        self._shown[key] = max(self._shown.get(key, FIRST_CLAIMS), place + 1)
        for parent in dict.fromkeys((aspect.id, key)):
            self._fill(parent)
            self._closed.discard(parent)
            self._parents[parent].setExpanded(True)
        return self._parents[key].child(place)

    def _rebuild(self) -> None:
        tree = self._tree
        if tree is None:
            return
        scrolled = self.list.verticalScrollBar().value()
        self._name.setText(tree.name)
        self.list.blockSignals(True)
        self.list.clear()
        self._parents, self._claims, self._unread = {}, {}, {}
        for aspect in tree.aspects:
            if aspect.groups:
                item = self._aspect(aspect)
                self.list.addTopLevelItem(item)
                self._add_parent(item, aspect.id)
        self.list.blockSignals(False)
        self.show_slot(self._slot)
        self.list.verticalScrollBar().setValue(scrolled)

    def _aspect(self, aspect: Aspect) -> QTreeWidgetItem:
        item = self._item(aspect.name, "", aspect.id)
        if aspect.status != "active":
            self._tone(item, 0, "text.soft")
            item.setText(1, "archived")
        self._claims |= {_key(aspect, group): group.claims for group in aspect.groups}
        self._unread |= {_key(aspect, group): group.unread for group in aspect.groups}
        return item

    def _add_parent(self, item: QTreeWidgetItem, key: str) -> None:
        """Note an aspect's or group's item, open unless the person has closed it."""
        self._parents[key] = item
        item.setChildIndicatorPolicy(QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator)
        if key not in self._closed:
            self._fill(key)
            item.setExpanded(True)

    def _fill(self, key: str) -> None:
        """Make the rows below an aspect or group that are to be listed and are not there yet."""
        parent, claims = self._parents[key], self._claims.get(key, ())
        if not parent.childCount():
            self._add_groups(parent, key)
        made = next((at for at in range(parent.childCount())
                     if _data(parent.child(at), SlotRole) is None), parent.childCount())
        wanted = min(self._shown.get(key, FIRST_CLAIMS), len(claims))
        if wanted <= made:
            return
        if _data(parent.child(made), MoreRole):
            parent.takeChild(made)
        parent.insertChildren(made, [self._claim(claim) for claim in claims[made:wanted]])
        if rest := len(claims) - wanted + self._unread.get(key, 0):
            more = self._item(more_words(FIRST_CLAIMS, rest), "", "")
            more.setData(0, MoreRole, key)
            self._tone(more, 0, "text.soft")
            parent.insertChild(wanted, more)

    def _add_groups(self, parent: QTreeWidgetItem, key: str) -> None:
        aspects = self._tree.aspects if self._tree is not None else ()
        named = [(aspect, group) for aspect in aspects if aspect.id == key
                 for group in aspect.groups if group.key != "general"]
        for aspect, group in named:
            item = self._item(spoken(group.key), "", _key(aspect, group))
            self._tone(item, 0, "text.soft")
            parent.addChild(item)
            self._add_parent(item, _key(aspect, group))

    def _claim(self, claim: Claim) -> QTreeWidgetItem:
        gone = all(value.status != "active" for value in claim.values)
        count = "archived" if gone else str(claim.versions)
        item = self._item(claim_title(claim), f"{claim.pending} pending" if claim.pending
                          else count, "")
        item.setData(0, SlotRole, slot_in(claim))
        if claim.kind == "constraint":
            self._tone(item, 0, "constraint")
        elif gone:
            self._tone(item, 0, "text.soft")
        if claim.pending:
            self._tone(item, 1, "proposal")
        return item

    def _item(self, text: str, count: str, key: str) -> QTreeWidgetItem:
        item = QTreeWidgetItem([one_line(text, 120), count])
        item.setData(0, KeyRole, key)
        item.setSizeHint(0, QSize(0, ROW_HEIGHT))
        item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        small = QFont(self.font())
        small.setPixelSize(11)
        item.setFont(1, small)
        self._tone(item, 1, "text.soft")
        return item

    def _tone(self, item: QTreeWidgetItem, column: int, token: str) -> None:
        item.setData(column, ToneRole, token)

    def _went(self, item: QTreeWidgetItem | None) -> None:
        if item is None:
            return
        slot = item.data(0, SlotRole)
        if slot is not None:
            self._slot = slot
            self.chosen.emit(slot)
        elif key := item.data(0, MoreRole):
            # Not while Qt is on its way to that row, which goes.
            QTimer.singleShot(0, self, lambda: self._show_more(key))

    def _show_more(self, key: str) -> None:
        if key not in self._parents:
            return
        at = min(self._shown.get(key, FIRST_CLAIMS), len(self._claims.get(key, ())))
        self._shown[key], self._awaited = at + FIRST_CLAIMS, (key, at)
        if self._unread.get(key):
            self.more_wanted.emit()
        else:
            self._fill(key)
            self._go_to_awaited()

    def _go_to_awaited(self) -> None:
        """Go to the first of the claims that were offered."""
        key, at = self._awaited or ("", 0)
        parent = self._parents.get(key)
        first = parent.child(at) if parent is not None else None
        self._awaited = None
        if first is not None and _data(first, SlotRole) is not None:
            self.list.setCurrentItem(first)

    def _folded(self, item: QTreeWidgetItem) -> None:
        self._closed.add(item.data(0, KeyRole))

    def _unfolded(self, item: QTreeWidgetItem) -> None:
        self._closed.discard(item.data(0, KeyRole))
        self._fill(item.data(0, KeyRole))


def _data(item: QTreeWidgetItem | None, role: int) -> object:
    return item.data(0, role) if item is not None else None


def _key(aspect: Aspect, group: Group) -> str:
    """The key of the row that a group's claims stand below: general ones below their aspect."""
    return key_of_group(aspect.id, group.key)
