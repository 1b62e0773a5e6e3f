"""The inspector's tree: folds, follows clicks and keys, edits in place."""

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemDelegate, QAbstractItemView, QToolTip, QTreeView, QWidget

from core.model.link import Link
from core.model.text_formatting import clip
from ui.context import Context
from ui.models.inspector_tree import GONE, InspectorTree, Node, can_edit
from ui.panels.inspector.rows import GROWING, InspectorDelegate
from ui.widgets.labels import tip
from ui.widgets.list_edges import Fades
from ui.widgets.row_delegate import set_up_view

FOLDED = "inspector.folded"
FOLDED_AT_FIRST = "provenance"
PLUS_WIDTH = 34
FOLDING = ("section", "aspect", "group")


class InspectorView(QTreeView):
    """Everything below the entity's name, in one scrolling tree."""

    acted = Signal(object)
    """A row was clicked, or Enter was pressed on it; carries the node."""
    edit_wanted = Signal(object)
    """A value was double-clicked."""
    edited = Signal(object, str)
    """A value was given other words in place."""
    editing_ended = Signal()
    menu_wanted = Signal(object, object)
    """The context menu of a node, and where on the screen."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.tree = InspectorTree(self)
        self._rows = InspectorDelegate(context, self)
        self._opened: dict[str, bool] = {}
        self._arranging = False
        self._pressed: Node | None = None
        self.setModel(self.tree)
        self.setItemDelegate(self._rows)
        set_up_view(self, "What is known")
        # A row may be higher than the panel, so it is read by pixels.
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        Fades(self)
        self.setHeaderHidden(True)
        self.setIndentation(0)
        self.setRootIsDecorated(False)
        self.setExpandsOnDoubleClick(False)
        # What is selected is the window's affair; Qt's own is only where the keyboard is.
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.expanded.connect(self._unfolded)
        self.collapsed.connect(self._folded)

    @property
    def editing(self) -> bool:
        """True while a value is edited in place."""
        return self.state() == QAbstractItemView.State.EditingState

    def show_tree(self, root: Node, *, from_top: bool) -> None:
        """Show another reading with the same rows unfolded, at the same place, or from the top."""
        here = self.tree.node(self.currentIndex())
        scrolled = 0 if from_top else self.verticalScrollBar().value()
        self._arranging = True
        self.tree.set_root(root)
        self._unfold(self.tree.walk())
        if here is not None and not from_top:
            self._go_to(self.tree.find(here.key))
        self._arranging = False
        self.doItemsLayout()
        self.verticalScrollBar().setValue(scrolled)

    def current(self) -> Node | None:
        """The row that the keyboard is on."""
        return self.tree.node(self.currentIndex())

    def edit_node(self, node: Node) -> bool:
        """Edit a value in place; False if it can't be."""
        if not can_edit(node):
            return False
        index = self.tree.index_of(node)
        self.setCurrentIndex(index)
        self.scrollTo(index)
        self.edit(index)
        return self.editing

    def fold(self, node: Node, folded: bool) -> None:
        """Collapse or expand a row."""
        self.setExpanded(self.tree.index_of(node), not folded)

    # -- folding ---------------------------------------------------------------------------------

    def _unfold(self, nodes: Iterable[Node]) -> None:
        folded = self._folded_sections()
        first = True
        for node in nodes:
            if node.kind == "section":
                is_open = node.key not in folded
            elif node.kind == "aspect":
                is_open = self._opened.get(node.key, first and bool(node.children))
                first = first and not node.children
            elif node.kind == "group":
                is_open = self._opened.get(node.key, True)
            else:
                continue
            if is_open:
                self.expand(self.tree.index_of(node))

    def _folded_sections(self) -> set[str]:
        return set(self._context.preferences.text(FOLDED, FOLDED_AT_FIRST).split())

    def _unfolded(self, index: QModelIndex) -> None:
        self._remember(index, True)

    def _folded(self, index: QModelIndex) -> None:
        self._remember(index, False)

    def _remember(self, index: QModelIndex, is_open: bool) -> None:
        node = self.tree.node(index)
        if node is None or self._arranging:
            return
        if node.kind != "section":
            self._opened[node.key] = is_open
            return
        folded = self._folded_sections() - {node.key} | (set() if is_open else {node.key})
        # A word that no section has stands for "none": an empty setting would mean the first one.
        self._context.preferences.put_text(FOLDED, " ".join(sorted(folded)) or "-")

    # -- hands -----------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        index = self.indexAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and index.isValid() and not self.editing:
            self._go_to(self.tree.node(index))
            self._pressed = self.current()
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            return
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        node = self.tree.node(self.indexAt(event.position().toPoint()))
        pressed, self._pressed = self._pressed, None
        if event.button() == Qt.MouseButton.LeftButton and node is not None and node is pressed:
            at_end = event.position().x() > self.viewport().width() - PLUS_WIDTH
            if at_end and node.key in GROWING:
                self.menu_wanted.emit(node, event.globalPosition().toPoint())
            else:
                self._act(node)
            return
        super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        node = self.tree.node(self.indexAt(event.position().toPoint()))
        if node is not None and node.value is not None:
            self.edit_wanted.emit(node)
        elif node is not None and node.kind in FOLDING:
            self.mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        super().mouseMoveEvent(event)
        node = self.tree.node(self.indexAt(event.position().toPoint()))
        link = node.thing if node is not None and isinstance(node.thing, Link) else None
        self._context.selection.hover_entity(link.other_id if link and link.other_name else "")
        clickable = node is not None and node.kind not in ("words", "fact")
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if clickable
                                  else Qt.CursorShape.ArrowCursor)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        super().leaveEvent(event)
        self._context.selection.hover_entity("")

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        node = self.current()
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
        if enter and node is not None and not event.modifiers():
            self._act(node)
            return
        super().keyPressEvent(event)

    def keyboardSearch(self, _search: str) -> None:  # noqa: N802
        """Letters are keys of the window."""

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        index = self.indexAt(event.pos()) if by_mouse else self.currentIndex()
        node = self.tree.node(index)
        if node is None:
            return
        self._go_to(node)
        corner = self.viewport().mapToGlobal(self.visualRect(index).bottomLeft())
        self.menu_wanted.emit(node, event.globalPos() if by_mouse else corner)

    def _act(self, node: Node) -> None:
        if node.kind in FOLDING:
            index = self.tree.index_of(node)
            self.setExpanded(index, not self.isExpanded(index))
        else:
            self.acted.emit(node)

    def _go_to(self, node: Node | None) -> None:
        index = self.tree.index_of(node) if node is not None else QModelIndex()
        self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)

    def closeEditor(  # noqa: N802
        self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint
    ) -> None:
        super().closeEditor(editor, hint)
        self.editing_ended.emit()

    # -- what can be seen ------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            # Lines wrap: another width is another height. Qt does it before the next painting.
            self.scheduleDelayedItemsLayout()

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            node = self.tree.node(self.indexAt(event.pos()))
            QToolTip.showText(event.globalPos(), tip(tip_of(node)) if node else "", self)
            return True
        return super().viewportEvent(event)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(160, 60)


def tip_of(node: Node) -> str:
    """The tooltip of a row: what does not fit in it."""
    if node.kind == "aspect":
        return f"{clip(node.text, 200)}\nweight {node.weight:.2f}"
    if node.kind == "section" and node.key == "constraints":
        return "Constraints always apply: no budget or limit leaves them out"
    link = node.thing
    if isinstance(link, Link):
        end = link.other_name or f"{GONE}: {link.other_id}"
        numbers = f"strength {link.strength:.2f} · confidence {link.confidence:.2f}"
        reason = "" if link.reason == link.words else link.reason or ""
        lines = (end, link.words, numbers, reason)
        return "\n".join(line for line in lines if line)
    value = node.value
    if value is not None:
        sure = f"confidence {value.confidence:.2f} · importance {value.importance:.2f}"
        hint = "" if node.gone else "\nDouble-click to edit"
        return f"{clip(value.content, 500)}\n{sure}{hint}"
    return node.text if node.kind in ("words", "fact", "memory") else ""
