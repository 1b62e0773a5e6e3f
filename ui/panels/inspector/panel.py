"""The inspector: follows the selection, reads the entity or the memory, applies edits."""

from functools import partial
from typing import ClassVar

from PySide6.QtCore import QPoint, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from core.errors import OperationError
from core.model.changes import Changes
from core.model.claims_and_assertions import Assertion, Slot, Value
from core.model.link import Link
from core.queries.claims import get_value
from ui.action import Action
from ui.actions.claims import replace_value
from ui.context import Context
from ui.models.claim_history import is_version_of
from ui.models.inspector_facts import (
    FEW_MEMORIES,
    FEW_SAID,
    FIRST_ROWS,
    MORE_MEMORIES,
    MORE_SAID,
    Inspection,
    inspect,
)
from ui.models.inspector_tree import LINKS, VOICES, Node, build
from ui.models.memory_details import MemoryDetails, read_memory
from ui.panel import Panel
from ui.panels.inspector.head import InspectorHead
from ui.panels.inspector.memory_card import MemoryCard
from ui.panels.inspector.menu import NodeMenu
from ui.panels.inspector.tree import InspectorView
from ui.widgets.layouts import column_layout, put

ASK = "Select an entity in the list or the sky to see everything known about it."
GONE = "This entity is no longer in the graph."
BACK, CLOSE = "‹ back to the entity", "‹ close"
PATIENCE_MS = 250
"""What was shown stays this long while the next entity is read."""


class Inspector(Panel):
    """Name and buttons at the top, the tree of facts below."""

    name: ClassVar[str] = "inspector"
    shows: ClassVar[frozenset[str]] = frozenset((
        "entities", "entity_aspects", "entity_attributes", "entity_dependencies", "memories",
        "memory_entity_mentions", "ontology_proposals", "task_meta", "entity_aliases",
        "muted_entities", "entity_communities", "session_memories", "predictor_comparisons",
        "epistemic_assertions", "claim_reviews", "inbox_seen", "inbox_since", "inbox_holds",
    ))
    ACTIONS = (
        Action["Inspector"](
            "inspector.edit", "Edit the value in place", lambda panel: panel.edit_current(),
            ("E",), "edit"),
    )

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.top = InspectorHead(context)
        self.view = InspectorView(context)
        self.card = MemoryCard(context.theme)
        self.card.hide()
        self.inspection: Inspection | None = None
        self._waiting: Inspection | None = None
        self._shown: dict[str, int] = {}
        self._memories, self._said = FEW_MEMORIES, FEW_SAID
        self._reading = self._again = False
        self._menu = NodeMenu(context, self.edit_node, self._show_history)
        self._slow = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._slow.timeout.connect(self._say_reading)
        put(column_layout(self.body, (0, 0, 0, 0), 0), self.top, (self.view, 1),
            (self.card, 1))
        self._connect()
        self.show_state("empty", ASK)

    def refresh(self, changes: Changes | None) -> None:
        self._read_memory()
        if self._reading:
            self._again = True
        else:
            self._read()

    def focus(self) -> None:
        (self.view if self.card.isHidden() else self.card).setFocus()

    def edit_current(self) -> None:
        """Edit the value that the keyboard is on, else the selected claim's."""
        node = self.view.current()
        if node is None or node.value is None:
            slot = self.context.selection.slot
            node = next((one for one in self.view.tree.walk() if one.value is not None
                         and is_version_of(one.value, slot)), None)
        if node is not None and node.value is not None:
            self.edit_node(node)

    def edit_node(self, node: Node) -> None:
        """Edit a value in place."""
        entity = self.inspection.entity if self.inspection else None
        if entity is not None and entity.status == "active":
            self.view.edit_node(node)

    def show_archived(self, shown: bool) -> None:
        """Show or hide archived parts of the entity."""
        self.context.preferences.archived_details = shown
        self._read()

    @property
    def shows_archived(self) -> bool:
        return self.context.preferences.archived_details

    def _connect(self) -> None:
        selection = self.context.selection
        selection.entity_changed.connect(self._follow)
        selection.slot_changed.connect(self._mark)
        selection.memory_changed.connect(self._follow_memory)
        self.card.closed.connect(partial(selection.select_memory, ""))
        self.card.entity_chosen.connect(self._go_to_entity)
        self.card.value_chosen.connect(self._go_to_value)
        self.view.acted.connect(self._act)
        self.view.edit_wanted.connect(self.edit_node)
        self.view.edited.connect(self._edited)
        self.view.editing_ended.connect(self._show_waiting)
        self.view.menu_wanted.connect(self._open_menu)

    # -- reading ---------------------------------------------------------------------------------

    def _follow(self, entity_id: str) -> None:
        self.context.selection.select_memory("")
        self._memories, self._said = FEW_MEMORIES, FEW_SAID
        self._shown = {}
        self._waiting = None
        self._again = False
        if not entity_id:
            self.inspection = None
            self.show_state("empty", ASK)
        elif self.isVisible():
            self._slow.start()
            self._read()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Load what was selected while hidden."""
        super().showEvent(event)
        self._read_memory()
        known = self.inspection.entity_id if self.inspection else ""
        if known != self.context.selection.entity_id:
            self._read()

    def _read(self) -> None:
        entity_id = self.context.selection.entity_id
        if not entity_id:
            return
        self._reading, self._again = True, False
        links = self._shown.get(LINKS, FIRST_ROWS)
        wanted = partial(inspect, entity_id, self._memories, links, self.shows_archived,
                         said=self._said, shown=dict(self._shown))
        self.context.runner.read(wanted, self._got, self._failed, key=(id(self), "inspector"))

    def _got(self, inspection: Inspection) -> None:
        self._reading = False
        self._slow.stop()
        if inspection.entity_id == self.context.selection.entity_id:
            if self.view.editing:
                self._waiting = inspection
            else:
                self._show(inspection)
        if self._again:
            self._read()

    def _show(self, inspection: Inspection) -> None:
        before = self.inspection
        self.inspection, self._waiting = inspection, None
        if inspection.entity is None:
            self.show_state("empty", GONE)
            return
        self.top.show_inspection(inspection)
        if inspection != before or self.face != "ready":
            other = before is None or before.entity_id != inspection.entity_id
            self.view.show_tree(build(inspection, self._shown), from_top=other)
        self.show_state("ready")
        # What has come or gone above the tree has its place before anything is painted.
        layout = self.body.layout()
        if layout is not None:
            layout.activate()

    # -- a memory --------------------------------------------------------------------------------

    def _follow_memory(self, memory_id: str) -> None:
        if memory_id:
            self._read_memory()
            return
        self._show_card(False)
        if not self.context.selection.entity_id:
            self.show_state("empty", ASK)

    def _read_memory(self) -> None:
        """Read the selected memory, if there is one and it can be seen."""
        memory_id = self.context.selection.memory_id
        if memory_id and self.isVisible():
            self.context.runner.read(partial(read_memory, memory_id), self._got_memory,
                                     self._memory_failed, key=(id(self), "memory"))

    def _got_memory(self, full: MemoryDetails) -> None:
        if full.id != self.context.selection.memory_id:
            return
        if full != self.card.shown or self.card.isHidden():
            self.card.show_memory(full, BACK if self.context.selection.entity_id else CLOSE)
        self._show_card(True)
        self.show_state("ready")

    def _memory_failed(self, error: BaseException) -> None:
        self.show_failure("This memory could not be read", error, self._read_memory)

    def _show_card(self, shown: bool) -> None:
        for part in (self.top, self.view):
            part.setHidden(shown)
        self.card.setVisible(shown)

    def _go_to_entity(self, entity_id: str) -> None:
        self.context.selection.select_memory("")
        self.context.selection.select_entity(entity_id)

    def _go_to_value(self, value: Value) -> None:
        self.context.selection.select_memory("")
        self.context.selection.select_slot(value.slot, value.id)

    # -- editing that waits ----------------------------------------------------------------------

    def _show_waiting(self) -> None:
        if self._waiting is not None:
            # The editor is still being taken down by Qt.
            QTimer.singleShot(0, self, self._show_what_waits)

    def _show_what_waits(self) -> None:
        waiting = self._waiting
        if waiting is not None and waiting.entity_id == self.context.selection.entity_id:
            self._show(waiting)

    def _failed(self, error: BaseException) -> None:
        self._reading = False
        self._slow.stop()
        self.show_failure("This entity could not be read", error, self._read)

    def _say_reading(self) -> None:
        self.show_state("loading", "Loading the entity…")

    def _mark(self, _slot: Slot | None) -> None:
        self.view.viewport().update()

    # -- hands -----------------------------------------------------------------------------------

    def _act(self, node: Node) -> None:
        if node.kind == "more":
            self._show_more(node.label)
        elif node.value is not None:
            self.context.selection.select_slot(node.value.slot, node.value.id)
        elif isinstance(node.thing, Link) and node.thing.other_name:
            self.context.selection.select_entity(node.thing.other_id)
        elif isinstance(node.thing, Assertion):
            self._go_to_claim_of(node.thing)
        elif node.kind == "memory":
            self.context.selection.select_memory(node.key)

    def _go_to_claim_of(self, voice: Assertion) -> None:
        """Select the claim that a voice speaks of, wherever it stands."""
        if voice.claim_attribute_id:
            wanted = partial(get_value, attribute_id=voice.claim_attribute_id)
            self.context.runner.read(wanted, self._got_claim, key=(id(self), "claim"))

    def _got_claim(self, value: Value | None) -> None:
        if value is not None and value.entity_id == self.context.selection.entity_id:
            self.context.selection.select_slot(value.slot, value.id)

    def _show_more(self, key: str) -> None:
        if key == "memories":
            self._memories += MORE_MEMORIES
            self._read()
            return
        if key == VOICES:
            self._said += MORE_SAID
            self._read()
            return
        self._shown[key] = self._shown.get(key, FIRST_ROWS) + FIRST_ROWS
        self._read()

    def _show_history(self, node: Node) -> None:
        self._act(node)
        self.context.shell.show_panel("claim_history")

    def _edited(self, node: Node, text: str) -> None:
        value = node.value
        if value is None or text == value.content.strip():
            return
        if not text:
            self.context.shell.show_error(OperationError(
                400, "A value can't be empty", do="Archive it to take it away"))
            return
        siblings = [one for one in getattr(node.thing, "values", ()) if one.status == "active"]
        replace_value(self.context, value, text, alone=len(siblings) <= 1)

    def _open_menu(self, node: Node, where: QPoint) -> None:
        entity = self.inspection.entity if self.inspection else None
        if entity is None:
            return
        menu = self._menu.make(entity, node, self.view)
        if menu is not None:
            menu.popup(where)
