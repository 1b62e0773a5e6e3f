"""Proposals: judge one after the other, or many at once, what the agent wants to change."""

from functools import partial
from typing import ClassVar, cast

from PySide6.QtWidgets import QApplication, QWidget

from core.model.changes import Changes
from core.model.proposal import Evidence
from ui.action import Action
from ui.context import Context
from ui.models.review_card import Card
from ui.models.review_queue import next_after
from ui.models.verdicts import Report
from ui.panel import Area, Panel
from ui.panels.proposals.body import ReviewBody
from ui.panels.proposals.review import Review

AHEAD = 2
"""Cards that are read ahead, so that a verdict shows the next one at once."""
EMPTY = ("Here wait the changes that your agent would like to make to its memory. "
         "None waits at the moment.")


class Proposals(Panel):
    """The queue, the card and what it would come to; letters decide, arrows and J K browse."""

    name: ClassVar[str] = "proposals"
    title: ClassVar[str] = "Proposals"
    icon: ClassVar[str] = "proposals"
    shows: ClassVar[frozenset[str]] = frozenset((
        "ontology_proposals", "entities", "entity_aspects", "entity_attributes",
        "entity_dependencies", "memories",
    ))
    area: ClassVar[Area] = "bottom"
    ACTIONS = (
        Action("proposals.apply", "Apply the proposal", lambda panel: panel.apply(), ("A",),
               "apply"),
        Action("proposals.anyway", "Apply the proposal anyway", lambda panel: panel.apply_anyway(),
               ("Shift+A",)),
        Action("proposals.reject", "Reject the proposal…", lambda panel: panel.ask_reason(),
               ("R",), "reject"),
        Action("proposals.skip", "Skip the proposal", lambda panel: panel.skip(), ("Space",),
               "skip"),
        Action("proposals.edit", "Edit the proposal, then apply it", lambda panel: panel.edit(),
               ("E",), "edit"),
        Action("proposals.flag", "Flag the proposal for later", lambda panel: panel.flag(), ("F",),
               "flag"),
        Action("proposals.take_back", "Take the last verdict back",
               lambda panel: panel.take_back(), ("Backspace",), "undo"),
        Action("proposals.next", "Next proposal", lambda panel: panel.step(1), ("J",)),
        Action("proposals.previous", "Proposal before", lambda panel: panel.step(-1), ("K",)),
        Action("proposals.group", "Select the whole group", lambda panel: panel.choose_group(),
               ("G",)),
    )

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.review = Review(context, self)
        self.parts = ReviewBody(context, self.body)
        self.queue, self.card, self.form = self.parts.queue, self.parts.card, self.parts.form
        self.several, self.effect = self.parts.several, self.parts.effect
        self.bar, self.end = self.parts.bar, self.parts.end
        self._current = ""
        self._chosen: list[str] = []
        self._wanted: list[str] = []
        self._report: Report | None = None
        self._agent = context.workspace.agent
        self._connect()
        self._keyboard_moved()
        self.set_face("loading", "Reading what waits…")

    def refresh(self, changes: Changes | None) -> None:
        self.glance(changes)
        self.review.cards.outdate()

    def glance(self, changes: Changes | None) -> None:
        if self.context.workspace.agent != self._agent:
            self._agent = self.context.workspace.agent
            self.review.start_over()
        self.review.refresh(changes)

    def focus(self) -> None:
        self.parts.take_keyboard()

    @property
    def current_id(self) -> str:
        return self._current

    @property
    def chosen_ids(self) -> list[str]:
        """What a verdict is about: the selected ones where several are."""
        return self._chosen if self._many else [self._current] if self._current else []

    # -- what a person can do ----------------------------------------------------------------

    def apply(self) -> None:
        """Apply the current one, or all that are selected."""
        if not self._begin():
            return
        blocked = self._blocked()
        if self._many:
            self.review.apply_all(self._chosen)
        elif blocked:
            self.bar.say(blocked, "bad")
        else:
            self.review.apply(self._current)

    def apply_anyway(self) -> None:
        """Apply what needs the person's word twice: a pinned entity, a constraint in force."""
        card = self.review.cards.get(self._current)
        if self._begin() and isinstance(card, Card) and card.forceable and not self._many:
            self.review.apply(self._current, force=True)

    def ask_reason(self) -> None:
        """Reject: first a field for the reason, which may stay empty."""
        if self._begin():
            self.bar.ask_reason(f"Reject {len(self._chosen)}" if self._many else "Reject")

    def skip(self) -> None:
        """Look at the next one and decide later; after the last one comes the first."""
        order = self.queue.order
        if self._begin():
            at = order.index(self._current) if self._current in order else -1
            self._go(order[(at + 1) % len(order)])

    def step(self, by: int) -> None:
        """Browse; does not go past the ends."""
        order = self.queue.order
        if self._begin() and self._current in order:
            self._go(order[max(0, min(len(order) - 1, order.index(self._current) + by))])

    def flag(self) -> None:
        """Mark it for a second look; it stays where it is."""
        if self._begin() and self._current:
            self.review.toggle_flag(self._current)

    def edit(self) -> None:
        """Change what it asks for, and apply that."""
        card = self.review.cards.get(self._current)
        if not self._begin() or self._many or not isinstance(card, Card):
            return
        if self.form.edit(card.proposal):
            self.parts.show_form()
            self.form.take_keyboard()
        else:
            self.bar.say("This operation is not known here, so it can't be edited", "bad")

    def take_back(self) -> None:
        """Undo the last verdict of this sitting."""
        if not self.parts.editing and not self.bar.asking:
            self.review.take_back()

    def choose_group(self) -> None:
        """Select the whole group that the current one is in; all of them where none is grouped."""
        if self._begin():
            self.queue.list.choose_group(self.queue.list.currentIndex())

    def _begin(self) -> bool:
        """True while letters are verdicts: not in a form, not in the reason, not at the end."""
        if (self.parts.editing or self.bar.asking or self.parts.at_end or not self.queue.order):
            return False
        self.bar.say("")
        return True

    def _step_moved(self, _label: str) -> None:
        """What was said of the verdict before it is no news any more."""
        self.bar.say("")

    def _keyboard_moved(self, *_: object) -> None:
        self.bar.dim_keys(not self.has_keyboard)

    # -- the queue ---------------------------------------------------------------------------

    def _connect(self) -> None:
        review, queue = self.review, self.queue
        review.queue_changed.connect(self._queue_changed)
        review.cards.changed.connect(self._card_changed)
        review.returned.connect(self._returned)
        review.reported.connect(self._reported)
        review.told.connect(self.bar.say)
        review.failed.connect(self._failed)
        queue.list.went_to.connect(self._went)
        queue.list.chosen.connect(self._choose)
        queue.list.activated.connect(self._jump)
        queue.arranged.connect(self._arranged)
        self.bar.pressed.connect(self._pressed)
        self.bar.rejected.connect(self._reject)
        self.form.submitted.connect(self._apply_edited)
        self.form.left.connect(self._stop_editing)
        self.effect.went_to.connect(self._go)
        self.card.opened.connect(self._open_source)
        self.card.jumped.connect(self._jump)
        self.context.selection.proposal_changed.connect(self._selected_elsewhere)
        for moved in (self.context.runner.undone, self.context.runner.redone):
            moved.connect(self._step_moved)
        cast(QApplication, QApplication.instance()).focusChanged.connect(self._keyboard_moved)

    def _queue_changed(self) -> None:
        if not self.review.loaded:
            return
        before, rows, total = self.queue.order, self.review.rows, self.review.total
        self.badged.emit(str(total) if total else "")
        waiting = {row.id for row in rows}
        self._chosen = [key for key in self._chosen if key in waiting]
        self.queue.show_rows(rows, total, self._current, self._chosen)
        if not rows:
            self._show_end()
            return
        self.set_face("ready")
        self.parts.leave_end()
        self._forget_report(waiting)
        self._settle(before)

    def _settle(self, before: list[str]) -> None:
        """Go to what came back, else stay, else to what followed."""
        order = self.queue.order
        wanted = [key for key in self._wanted if key in order]
        if wanted:
            self._wanted = []
            self._go(wanted[0])
        elif self._current in order:
            self._show_place()
            self._put_flag()
        elif self._current in before:
            self._go(next_after(before, set(before).difference(order)))
        else:
            self._go(order[0] if order else "")

    def _arranged(self) -> None:
        self._settle([])

    def _went(self, proposal_id: str) -> None:
        self.bar.say("")
        self._show(proposal_id)

    def _choose(self, ids: list[str]) -> None:
        self._chosen, self._report = ids, None
        if len(ids) > 1:
            self._show_several()
        elif ids and (ids[0] != self._current or self.card.isHidden()):
            self._show(ids[0])

    def _go(self, proposal_id: str) -> None:
        self.queue.list.go_to(proposal_id)
        self._chosen = [proposal_id] if proposal_id else []
        self._report = None
        self._show(proposal_id)

    # -- the card ----------------------------------------------------------------------------

    def _show(self, proposal_id: str) -> None:
        """Show one card; it is read in the background unless it was read ahead."""
        self.bar.stop_asking()
        self._current = proposal_id
        self.parts.show_card()
        order = self.queue.order
        at = order.index(proposal_id) if proposal_id in order else len(order)
        self.review.cards.open(proposal_id, order[at + 1: at + 1 + AHEAD])
        self._put_card()
        self._show_place()
        self.context.selection.select_proposal(proposal_id)

    def _card_changed(self, proposal_id: str) -> None:
        if proposal_id == self._current and not self._many:
            self._put_card()

    def _put_card(self) -> None:
        found, row = self.review.cards.get(self._current), self.review.row(self._current)
        if isinstance(found, Card):
            self.card.show_card(found, self.review.refusals.get(self._current, ""),
                                flagged=row is not None and row.flagged)
        elif found is not None:
            self.card.show_note(f"This proposal could not be read: {found}")
        else:
            self.card.show_note("Rehearsing what it would change…" if self._current
                                else "No proposal of this kind waits.")
        self.effect.show_card(found if isinstance(found, Card) else None)
        self.bar.show_one(found if isinstance(found, Card) else None, row)

    def _put_flag(self) -> None:
        row, card = self.review.row(self._current), self.review.cards.get(self._current)
        if row is not None and isinstance(card, Card) and not self._many:
            self.card.show_flag(row.flagged)
            self.bar.show_one(card, row)

    def _show_several(self) -> None:
        rows = [row for key in self._chosen if (row := self.review.row(key))]
        self.parts.show_several()
        self.several.show_rows(rows, self.review.refusals, self._report)
        self.effect.show_card(None)
        self.bar.show_many(len(rows))
        self._show_place()

    def _show_place(self) -> None:
        order, total = self.queue.order, self.review.total
        if self._many:
            self.bar.set_place(f"{len(self._chosen)} of {total} selected")
        elif self._current in order:
            back = " · Backspace takes the last one back" if self.review.last else ""
            self.bar.set_place(f"{order.index(self._current) + 1} of {total}{back}")
        else:
            self.bar.set_place("")

    # -- verdicts ----------------------------------------------------------------------------

    def _pressed(self, verb: str) -> None:
        acts = {"apply": self.apply, "anyway": self.apply_anyway, "reject": self.ask_reason,
                "skip": self.skip, "edit": self.edit, "flag": self.flag, "back": self.focus}
        acts[verb]()
        if not self.has_keyboard:
            self.focus()

    def _reject(self, reason: str) -> None:
        if self._many:
            self.review.reject_all(self._chosen, reason)
        elif self._current:
            self.review.reject(self._current, reason)
        self.focus()

    def _apply_edited(self, payload: dict[str, object]) -> None:
        self.form.set_busy(self.context.runner.may_write)  # A refused permission says nothing.
        self.review.apply(self._current, payload, hold=True)

    def _returned(self, ids: list[str]) -> None:
        if self.parts.editing and self._current in ids and self._current in self.review.refusals:
            self.form.show_error(self.review.refused(self._current))
            return
        self._wanted = ids
        self._queue_changed()

    def _reported(self, report: Report) -> None:
        """A batch is through: the refused ones stay selected, with their reasons."""
        if not report.failed:
            return
        failed = list(report.failed)
        self.queue.list.go_to(failed[0], failed)
        self._chosen, self._report, self._current = failed, report, failed[0]
        if self._many:
            self._show_several()
        else:
            self._show(failed[0])
        self.bar.say(f"{len(report.done)} of {len(report.items)} done, "
                     f"{len(failed)} could not be", "bad")

    def _forget_report(self, waiting: set[str]) -> None:
        """What a batch did is no longer so once it has been undone."""
        if self._report is not None and not waiting.isdisjoint(self._report.done):
            self._report = None
            self.bar.say("")
            if self._many:
                self._show_several()

    @property
    def _many(self) -> bool:
        return len(self._chosen) > 1

    def _blocked(self) -> str:
        card = self.review.cards.get(self._current)
        return card.blocked if isinstance(card, Card) else ""

    def _stop_editing(self) -> None:
        self.parts.show_card()
        self._put_card()
        self.focus()

    def _show_end(self) -> None:
        self._current, self._chosen = "", []
        self.context.selection.select_proposal("")
        applied, rejected = self.review.counts()
        if not applied and not rejected:
            self.set_face("empty", EMPTY)
            return
        self.set_face("ready")
        self.parts.show_end(
            f"Applied {applied} · rejected {rejected}. Backspace takes the last one back.",
            ("Take the last one back", self.review.take_back))

    def _failed(self, error: BaseException) -> None:
        self.set_face("failed", f"The proposals could not be read: {error}",
                      ("Try again", partial(self.refresh, None)),
                      detail=getattr(error, "detail", ""))

    # -- ways elsewhere ----------------------------------------------------------------------

    def _selected_elsewhere(self, proposal_id: str) -> None:
        if proposal_id and proposal_id != self._current:
            if proposal_id in self.queue.order:
                self._go(proposal_id)
            else:
                self._wanted = [proposal_id]

    def _jump(self, *_: object) -> None:
        """Select the entity that the proposal is about."""
        card = self.review.cards.get(self._current)
        if isinstance(card, Card) and card.entity_id:
            self.context.selection.select_entity(card.entity_id)

    def _open_source(self, piece: Evidence) -> None:
        if piece.source_id:
            self.context.selection.select_memory(piece.source_id)
