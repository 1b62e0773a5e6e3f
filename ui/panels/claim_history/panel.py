"""Claim history: earlier values of a claim, their authors and evidence, and restoring them."""

from functools import partial
from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from core.model.changes import Changes
from core.model.claims_and_assertions import Assertion, Slot, Value
from core.ontology.proposals import Outcome
from ui.action import Action
from ui.actions import assertions
from ui.apply_operation import operate
from ui.context import Context
from ui.error_words import words_of
from ui.models.claim_history import (
    History,
    Tree,
    VersionEvidence,
    check_history,
    load_claims,
    load_evidence,
    load_shown_history,
    name_of_aspect,
    richest,
    same_slot,
    version_to_show,
)
from ui.panel import Panel
from ui.panels.claim_history.evidence_and_comparison import CompareView, EvidenceView
from ui.panels.claim_history.timeline import Timeline
from ui.panels.claim_history.tree import ClaimTree
from ui.theme import icon
from ui.widgets.buttons import on_click
from ui.widgets.layouts import row_layout, side_by_side

WIDTHS = (248, 550, 340, 290)
SHARES = (0, 1, 0, 0)
ASK = "Select an entity to see the history of its claims: earlier values, who changed them, and " \
      "on what evidence."


class ClaimHistory(Panel):
    """Follows the selected entity and claim slot."""

    name: ClassVar[str] = "claim_history"
    shows: ClassVar[frozenset[str]] = frozenset((
        "entities", "entity_aspects", "entity_attributes", "ontology_proposals",
        "epistemic_assertions", "memories",
    ))
    ACTIONS = (
        Action["ClaimHistory"](
            "claim_history.restore", "Restore the shown version", lambda panel: panel.restore(),
            ("R",), "restore"),
    )

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.tree = ClaimTree(context.theme)
        self.timeline = Timeline(context.theme)
        self.ground = EvidenceView(context.theme)
        self.compare = CompareView(context.theme)
        self._tree: Tree | None = None
        self._history: History | None = None
        self.slot: Slot | None = None
        """The claim slot that is shown."""
        self.chosen_id = ""
        self._lay_out()
        self._connect()
        self.show_state("empty", ASK)

    def refresh(self, changes: Changes | None) -> None:
        self._load_tree()

    def focus(self) -> None:
        self.tree.list.setFocus()

    def _open_memory(self, memory_id: str) -> None:
        self.context.selection.select_memory(memory_id)
        self.context.shell.show_panel("inspector")

    def restore(self) -> None:
        """Put the version that the button names back in force."""
        if self.compare.restore_button.isEnabled():
            self.compare.restore_button.click()
        else:
            self.context.say("Restore: this version holds already, or none is shown")

    def _lay_out(self) -> None:
        views = ((self.tree, 150), (self.timeline, 250), (self.ground, 140), (self.compare, 206))
        row_layout(self.body, (0, 0, 0, 0)).addWidget(side_by_side(views, WIDTHS, SHARES))

    def _connect(self) -> None:
        selection = self.context.selection
        selection.entity_changed.connect(self._entity_changed)
        selection.slot_changed.connect(self._slot_changed)
        selection.attribute_changed.connect(self._attribute_changed)
        self.tree.chosen.connect(self._went)
        self.tree.more_wanted.connect(self._load_tree)
        self.timeline.chosen.connect(self._choose)
        self.timeline.review_wanted.connect(self._review)
        self.ground.opened.connect(self._open_memory)
        self.ground.record_wanted.connect(self._record)
        self.ground.voice_menu_wanted.connect(self._open_voice_menu)
        self.ground.detached.connect(self._detach)
        self.compare.restore_wanted.connect(self._restore)

    # -- what is shown -----------------------------------------------------------------------

    def _entity_changed(self, _entity_id: str) -> None:
        self.slot = self.context.selection.slot
        self.chosen_id = ""
        if self.isVisible():
            self._load_tree()

    def _slot_changed(self, slot: Slot | None) -> None:
        if slot is None or same_slot(slot, self.slot):
            return
        self.slot, self.chosen_id = slot, self.context.selection.attribute_id
        if self._tree is not None and slot.entity_id == self._tree.entity_id:
            if self.tree.item_of(slot) is None:
                self._load_tree()  # Of thousands of claims it was not among those that were read.
                return
            self.tree.show_slot(slot)
            self._load_history()

    def _attribute_changed(self, attribute_id: str) -> None:
        if self._history is not None and self._history.version(attribute_id):
            self._choose(attribute_id)

    def _went(self, slot: Slot) -> None:
        """The person went to a claim in the tree."""
        self.slot, self.chosen_id = slot, ""
        self._load_history()
        self.context.selection.select_slot(slot)

    def _load_tree(self) -> None:
        entity_id = self.context.selection.entity_id
        if not entity_id:
            self._tree = self._history = None
            self.show_state("empty", ASK)
            return
        if self._tree is None or self._tree.entity_id != entity_id:
            self.show_state("loading", "Loading claims…")
        slot = self.slot if self.slot and self.slot.entity_id == entity_id else None
        wanted = partial(load_claims, entity_id=entity_id, shown=self.tree.shown_of(entity_id),
                         slot=slot, chosen=self.chosen_id)
        self.context.runner.read(wanted, self._got_tree, self._failed,
                                 key=("claim_history.tree", id(self)))

    def _got_tree(self, claims: tuple[Tree, History | None]) -> None:
        tree, history = claims
        if tree.entity_id != self.context.selection.entity_id:
            return
        self._tree = tree
        if self.slot is None or self.slot.entity_id != tree.entity_id:
            self.slot, self.chosen_id = richest(tree), ""
        if self.slot is None:
            name = f"“{tree.name}”" if tree.name else "This entity"
            self.show_state("empty", f"{name} has no claims yet. Claims set by you or your agent "
                                     "are listed here with all versions.")
            return
        self.tree.show_tree(tree, self.slot)
        if history is not None and same_slot(history.slot, self.slot):
            self._got_history(history)
        else:
            self._load_history()

    def _load_history(self) -> None:
        slot, tree = self.slot, self._tree
        if slot is None or tree is None:
            return
        if self._history is not None and not same_slot(self._history.slot, slot):
            self._history = None  # Nothing is restored for a claim that is not the marked one.
            self._show_history_of_another(True)
        wanted = partial(load_shown_history, slot=slot, aspect=name_of_aspect(tree, slot),
                         chosen=self.chosen_id)
        self.context.runner.read(wanted, self._got_history, self._failed,
                                 key=("claim_history.versions", id(self)))

    def _got_history(self, history: History) -> None:
        if not same_slot(history.slot, self.slot):
            return
        self._history = history
        self._show_history_of_another(False)
        self.show_state("ready")
        self.chosen_id = version_to_show(history.versions, self.chosen_id)
        self.timeline.show_history(history, self.chosen_id)
        self._choose(self.chosen_id)

    def _show_history_of_another(self, waits: bool) -> None:
        """Grey what is still shown of the claim before, while the marked one is being read."""
        for view in (self.timeline, self.ground, self.compare):
            view.setEnabled(not waits)

    def _choose(self, attribute_id: str) -> None:
        history = self._history
        version = history.version(attribute_id) if history is not None else None
        if history is None or version is None:
            self.ground.show_nothing()
            self.compare.show_nothing()
            return
        self.chosen_id = attribute_id
        self.timeline.choose(attribute_id)
        self.compare.show_version(history, version)
        if history.ground is not None and history.ground.attribute_id == attribute_id:
            self._got_ground(history.ground)
            return
        self.context.runner.read(partial(load_evidence, value=version.value), self._got_ground,
                                 self._failed, key=("claim_history.ground", id(self)))

    def _got_ground(self, ground: VersionEvidence) -> None:
        history = self._history
        version = history.version(ground.attribute_id) if history is not None else None
        if history is not None and version is not None and ground.attribute_id == self.chosen_id:
            self.ground.show_ground(version, ground, history)

    def _failed(self, error: BaseException) -> None:
        self.show_failure("The claims could not be read", error, self._load_tree)

    # -- what is done ------------------------------------------------------------------------

    def _restore(self, attribute_id: str) -> None:
        self.compare.say_refusal("")
        shown = self._history
        operate(self.context, "restore_claim_version", {"attribute_id": attribute_id},
                done=partial(self._restored, attribute_id), failed=self._refused,
                check=partial(check_history, shown) if shown is not None else None)

    def _restored(self, attribute_id: str, _outcome: Outcome) -> None:
        self.chosen_id = attribute_id
        self._load_tree()

    def _refused(self, error: BaseException) -> None:
        self.compare.say_refusal(f"Not restored: {words_of(error)}")
        self._load_tree()

    def _record(self, value: Value) -> None:
        assertions.record_voice(self.context, value.entity_id, value)

    def _open_voice_menu(self, voice: Assertion, button: QWidget) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for words, sign, deed in assertions.lines_of(self.context, voice):
            on_click(menu.addAction(icon(self.context.theme, sign), words), deed)
        menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

    def _detach(self, attribute_id: str, source: str) -> None:
        operate(self.context, "detach_source", {"attribute_id": attribute_id, "source": source})

    def _review(self, proposal_id: str) -> None:
        self.context.selection.select_proposal(proposal_id)
        self.context.shell.show_panel("proposals")
