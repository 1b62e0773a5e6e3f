"""The left column of the claim history: the entity's aspects and their claims."""

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from core.model.claim import Aspect, Claim, Slot
from core.model.names import spoken
from core.model.text_format import one_line
from ui.models.claim_history import Tree, claim_title, same_slot, slot_in
from ui.theme import Theme
from ui.widgets.glyph_paths import draw_fold
from ui.widgets.labels import ElidedLabel
from ui.widgets.layouts import column_layout, put
from ui.widgets.row_delegate import set_up_view

ROW_HEIGHT = 26
Index = QModelIndex | QPersistentModelIndex
SlotRole = Qt.ItemDataRole.UserRole
KeyRole = Qt.ItemDataRole.UserRole + 1
MANY = 2000
"""An entity with more claims than this starts with its aspects closed."""


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


class ClaimTree(QWidget):
    """Aspects ▸ claims, with the number of versions and pending changes."""

    chosen = Signal(object)
    """The person went to this `Slot`."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._tree: Tree | None = None
        self._slot: Slot | None = None
        self._closed: set[str] = set()
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
        head.setMinimumSectionSize(30)
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        head.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        put(column_layout(self, (0, 0, 0, 0), 0), self._name, (self.list, 1))
        self.list.currentItemChanged.connect(self._went)
        self.list.itemCollapsed.connect(self._folded)
        self.list.itemExpanded.connect(self._unfolded)
        theme.changed.connect(self._rebuild)

    def show_tree(self, tree: Tree, slot: Slot | None) -> None:
        """Show an entity's claims; collapsed rows stay collapsed."""
        if self._tree is not None and tree.entity_id != self._tree.entity_id:
            self._closed = set()
        if tree != self._tree:
            if self._tree is None or self._tree.entity_id != tree.entity_id:
                claims = sum(len(group.claims) for aspect in tree.aspects
                             for group in aspect.groups)
                self._closed = {aspect.id for aspect in tree.aspects} if claims > MANY else set()
            self._tree, self._slot = tree, slot
            self._rebuild()
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
        """The item of a claim."""
        return next((item for item in _walk(self.list.invisibleRootItem())
                     if same_slot(item.data(0, SlotRole), slot) and slot is not None), None)

    def _rebuild(self) -> None:
        tree = self._tree
        if tree is None:
            return
        scrolled = self.list.verticalScrollBar().value()
        self._name.setText(tree.name)
        self.list.blockSignals(True)
        self.list.clear()
        for aspect in tree.aspects:
            if aspect.groups:
                self.list.addTopLevelItem(self._aspect(aspect))
        for item in _walk(self.list.invisibleRootItem()):
            item.setExpanded(item.data(0, KeyRole) not in self._closed)
        self.list.blockSignals(False)
        self.show_slot(self._slot)
        self.list.verticalScrollBar().setValue(scrolled)

    def _aspect(self, aspect: Aspect) -> QTreeWidgetItem:
        item = self._item(aspect.name, "", aspect.id)
        if aspect.status != "active":
            self._tone(item, 0, "text.soft")
            item.setText(1, "archived")
        for group in aspect.groups:
            parent = item
            if group.key != "general":
                parent = self._item(spoken(group.key), "", f"{aspect.id}/{group.key}")
                self._tone(parent, 0, "text.soft")
                item.addChild(parent)
            for claim in group.claims:
                parent.addChild(self._claim(claim))
        return item

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
        item.setForeground(column, self._theme.color(token))

    def _went(self, item: QTreeWidgetItem | None) -> None:
        slot = item.data(0, SlotRole) if item is not None else None
        if slot is not None:
            self._slot = slot
            self.chosen.emit(slot)

    def _folded(self, item: QTreeWidgetItem) -> None:
        self._closed.add(item.data(0, KeyRole))

    def _unfolded(self, item: QTreeWidgetItem) -> None:
        self._closed.discard(item.data(0, KeyRole))


def _walk(item: QTreeWidgetItem | None) -> list[QTreeWidgetItem]:
    if item is None:
        return []
    found: list[QTreeWidgetItem] = []
    for child in (item.child(at) for at in range(item.childCount())):
        if child is not None:
            found += [child, *_walk(child)]
    return found
