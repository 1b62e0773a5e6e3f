"""Proposals: judge one after the other, or many at once, what the agent wants to change."""

from functools import partial
from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QSplitter, QStackedLayout, QVBoxLayout, QWidget

from core.model.changes import Changes
from core.model.proposal import Evidence
from ui.context import Context
from ui.models.review_card import Card
from ui.models.review_queue import next_after
from ui.models.verdicts import Report
from ui.panel import Area, Panel
from ui.panels.proposals.card import CardView
from ui.panels.proposals.edit_form import EditForm
from ui.panels.proposals.effect import EffectView
from ui.panels.proposals.queue import QueueColumn
from ui.panels.proposals.review import Review
from ui.panels.proposals.several import SeveralView
from ui.panels.proposals.verdict_bar import VerdictBar
from ui.widgets.face import Face

WIDTHS = (258, 800, 318)
AHEAD = 2
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

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.review = Review(context, self)
        self.queue = QueueColumn(context.theme)
        self.card = CardView(context.theme)
        self.form = EditForm()
        self.several = SeveralView()
        self.effect = EffectView()
        self.bar = VerdictBar(context.actions)
        self.end = Face(context.theme)
        self._current = ""
        self._chosen: list[str] = []
        self._wanted: list[str] = []
        self._report: tuple[Report, str] | None = None
        self._agent = context.workspace.agent
        self._lay_out()
        self._connect()
        self.set_face("loading", "Reading what waits…")

    # -- the life of a panel -----------------------------------------------------------------

    def refresh(self, changes: Changes | None) -> None:
        if self.context.workspace.agent != self._agent:
            self._agent = self.context.workspace.agent
            self.review.start_over()
        self.review.refresh(changes)

    def focus(self) -> None:
        if self._pages.currentWidget() is self.end:
            self.end.button.setFocus()
        else:
            self.queue.list.setFocus()

    @property
    def current_id(self) -> str:
        return self._current

    @property
    def chosen_ids(self) -> list[str]:
        """What a verdict is about: the selected ones where several are."""
        return self._chosen if len(self._chosen) > 1 else [self._current] if self._current else []

    # -- what a person can do ----------------------------------------------------------------

    def apply(self) -> None:
        """Apply the current one, or all that are selected."""
        if not self._deciding:
            return
        if len(self._chosen) > 1:
            self.review.apply_all(self._chosen)
            return
        blocked = self._blocked()
        if blocked:
            self.bar.say(blocked, "bad")
        else:
            self.review.apply(self._current)

    def apply_anyway(self) -> None:
        """Apply what needs the person's word twice: a pinned entity, a constraint in force."""
        card = self.review.card(self._current)
        if self._deciding and isinstance(card, Card) and card.forceable and not self._many:
            self.review.apply(self._current, force=True)

    def ask_reason(self) -> None:
        """Reject: first a field for the reason, which may stay empty."""
        if self._deciding:
            self.bar.ask_reason(f"Reject {len(self._chosen)}" if self._many else "Reject")

    def skip(self) -> None:
        """Look at the next one and decide later; after the last one comes the first."""
        order = self.queue.order
        if self._deciding and order:
            at = order.index(self._current) if self._current in order else -1
            self._go(order[(at + 1) % len(order)])

    def step(self, by: int) -> None:
        """Browse; does not go past the ends."""
        order = self.queue.order
        if self._deciding and self._current in order:
            self._go(order[max(0, min(len(order) - 1, order.index(self._current) + by))])

    def flag(self) -> None:
        """Mark it for a second look; it stays where it is."""
        if self._deciding and self._current:
            self.review.toggle_flag(self._current)

    def edit(self) -> None:
        """Change what it asks for, and apply that."""
        card = self.review.card(self._current)
        if not self._deciding or self._many or not isinstance(card, Card):
            return
        if self.form.edit(card.proposal):
            self._middle.setCurrentWidget(self.form)
            self.bar.hide()
        else:
            self.bar.say("This operation is not known here, so it can't be edited", "bad")

    def take_back(self) -> None:
        """Undo the last verdict of this sitting."""
        if not self._editing and not self.bar.asking:
            self.review.take_back()

    def choose_group(self) -> None:
        """Select the whole group that the current one is in; all of them where none is grouped."""
        if self._deciding:
            self.queue.list.choose_group(self.queue.list.currentIndex())

    # -- building ----------------------------------------------------------------------------

    def _lay_out(self) -> None:
        middle = QWidget()
        self._middle = QStackedLayout()
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._middle, 1)
        # Only now: a stack without a parent shows its first page as a window of its own.
        for page in (self.card, self.form, self.several):
            self._middle.addWidget(page)
        column.addWidget(self.bar)
        parts = QSplitter(Qt.Orientation.Horizontal)
        parts.setHandleWidth(1)
        parts.setChildrenCollapsible(False)
        for part, least in ((self.queue, 150), (middle, 260), (self.effect, 130)):
            part.setMinimumWidth(least)
            parts.addWidget(part)
        parts.setSizes(WIDTHS)
        parts.setStretchFactor(1, 1)
        self._pages = QStackedLayout(self.body)
        self._pages.addWidget(parts)
        self._pages.addWidget(self.end)

    def _connect(self) -> None:
        review, queue = self.review, self.queue
        review.queue_changed.connect(self._queue_changed)
        review.card_changed.connect(self._card_changed)
        review.returned.connect(self._returned)
        review.reported.connect(self._reported)
        review.told.connect(self.bar.say)
        review.failed.connect(self._failed)
        queue.list.went_to.connect(self._show)
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

    # -- the queue ---------------------------------------------------------------------------

    def _queue_changed(self) -> None:
        before = self.queue.order
        rows, total = self.review.rows, self.review.total
        self.badged.emit(str(total) if total else "")
        if not rows:
            self._show_end()
            return
        self.set_face("ready")
        waiting = {row.id for row in rows}
        self._chosen = [key for key in self._chosen if key in waiting]
        self.queue.show_rows(rows, total, self._current, self._chosen)
        self._leave_end()
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
            self._mark_flag()
        else:
            gone = [key for key in before if key not in order]
            self._go(next_after(before, gone) if self._current in gone else order[0] if order
                     else "")

    def _arranged(self) -> None:
        order = self.queue.order
        if self._current in order:
            self._show_place()
        else:
            self._go(order[0] if order else "")

    def _choose(self, ids: list[str]) -> None:
        self._chosen = ids
        self._report = None
        if len(ids) > 1:
            self._show_several()
        elif ids:
            self._show(ids[0])

    def _go(self, proposal_id: str) -> None:
        self.queue.list.go_to(proposal_id)
        self._chosen = [proposal_id] if proposal_id else []
        self._report = None
        self._show(proposal_id)

    # -- the card ----------------------------------------------------------------------------

    def _show(self, proposal_id: str) -> None:
        """Show one card; nothing is read or written on the way."""
        if self._editing:
            self._stop_editing()
        self.bar.stop_asking()
        self._current = proposal_id
        self._middle.setCurrentWidget(self.card)
        order = self.queue.order
        at = order.index(proposal_id) if proposal_id in order else len(order)
        self.review.open_card(proposal_id, order[at + 1: at + 1 + AHEAD])
        self._put_card()
        self._show_place()
        self.context.selection.select_proposal(proposal_id)

    def _card_changed(self, proposal_id: str) -> None:
        if proposal_id == self._current and not self._many:
            self._put_card()

    def _put_card(self) -> None:
        found = self.review.card(self._current)
        refusal = self.review.refusals.get(self._current, "")
        row = self.review.row(self._current)
        if isinstance(found, Card):
            self.card.show_card(found, refusal, flagged=row is not None and row.flagged)
            self.effect.show_card(found)
        elif found is not None:
            self.card.show_note(f"This proposal could not be read: {found}")
            self.effect.show_card(None)
        else:
            self.card.show_note("Rehearsing what it would change…" if self._current
                                else "No proposal of this kind waits.")
            self.effect.show_card(None)
        self._put_verbs()

    def _mark_flag(self) -> None:
        row, card = self.review.row(self._current), self.review.card(self._current)
        if row is not None and isinstance(card, Card):
            self.card.show_flag(row.flagged)
        self._put_verbs()

    def _show_several(self) -> None:
        rows = [row for key in self._chosen if (row := self.review.row(key))]
        report, word = self._report or (None, "")
        self._middle.setCurrentWidget(self.several)
        self.several.show_rows(rows, self.review.refusals, report, word)
        self.effect.show_card(None)
        self._put_verbs()
        self.bar.set_place(f"{len(rows)} of {self.review.total} selected")

    def _put_verbs(self) -> None:
        if self._many:
            count = len(self._chosen)
            self.bar.set_verbs({"apply": f"Apply {count}", "reject": f"Reject {count}"}, {})
            return
        card, row = self.review.card(self._current), self.review.row(self._current)
        words = {"apply": "Apply", "reject": "Reject", "skip": "Skip", "edit": "Edit",
                 "flag": "Unflag" if row is not None and row.flagged else "Flag"}
        ready = isinstance(card, Card)
        if isinstance(card, Card) and card.forceable:
            words["anyway"] = "Apply anyway"
        there = bool(self._current)
        blocked = self._blocked()
        self.bar.set_verbs(words, {
            "apply": there and not blocked, "reject": there, "skip": there, "flag": there,
            "edit": ready, "anyway": ready,
        }, why_not=blocked)

    def _show_place(self) -> None:
        if self._many:
            return
        order = self.queue.order
        at = order.index(self._current) + 1 if self._current in order else 0
        back = " · Backspace takes the last one back" if self.review.last else ""
        self.bar.set_place(f"{at} of {self.review.total}{back}" if at else "")

    # -- verdicts ----------------------------------------------------------------------------

    def _pressed(self, verb: str) -> None:
        acts = {"apply": self.apply, "anyway": self.apply_anyway, "reject": self.ask_reason,
                "skip": self.skip, "edit": self.edit, "flag": self.flag, "back": self.focus}
        acts[verb]()

    def _reject(self, reason: str) -> None:
        if self._many:
            self.review.reject_all(self._chosen, reason)
        elif self._current:
            self.review.reject(self._current, reason)
        self.focus()

    def _apply_edited(self, payload: dict[str, object]) -> None:
        self.review.apply(self._current, payload, hold=True)

    def _returned(self, ids: list[str]) -> None:
        refusal = self.review.refusals.get(self._current, "")
        if self._editing and self._current in ids and refusal:
            self.form.show_error(self.review.refused(self._current))
            return
        self._wanted = ids
        self._queue_changed()

    def _reported(self, report: Report) -> None:
        """A batch is through: the refused ones stay selected, with their reasons."""
        if not report.failed:
            return
        self._chosen = list(report.failed)
        self._report = (report, "Done:")
        self.queue.list.go_to(self._chosen[0], self._chosen)
        if self._many:
            self._current = self._chosen[0]
            self._show_several()
        else:
            self._show(self._chosen[0])
        self.bar.say(f"{len(report.done)} of {len(report.items)} done, "
                     f"{len(report.failed)} could not be", "bad")

    @property
    def _many(self) -> bool:
        return len(self._chosen) > 1

    @property
    def _editing(self) -> bool:
        return self._middle.currentWidget() is self.form

    @property
    def _deciding(self) -> bool:
        """True while letters are verdicts: not in a form, not in the reason, not at the end."""
        return (not self._editing and not self.bar.asking
                and self._pages.currentWidget() is not self.end and bool(self.queue.order))

    def _blocked(self) -> str:
        card = self.review.card(self._current)
        return card.blocked if isinstance(card, Card) else ""

    def _stop_editing(self) -> None:
        self._middle.setCurrentWidget(self.card)
        self.bar.show()
        self._put_card()
        self.focus()

    # -- the end -----------------------------------------------------------------------------

    def _show_end(self) -> None:
        if not self.review.loaded:
            return
        self._current, self._chosen = "", []
        self.queue.show_rows((), 0, "", ())
        self.context.selection.select_proposal("")
        applied, rejected = self.review.counts()
        had_keys = self.isAncestorOf(QApplication.focusWidget() or QWidget())
        if not applied and not rejected:
            self.set_face("empty", EMPTY)
            return
        self.set_face("ready")
        self.end.show_face(
            "empty", f"Applied {applied} · rejected {rejected}. Backspace takes the last one "
            "back.", ("Take the last one back", self.review.take_back), title="All caught up")
        self._pages.setCurrentWidget(self.end)
        if had_keys:
            self.end.button.setFocus()

    def _leave_end(self) -> None:
        if self._pages.currentWidget() is self.end:
            had_keys = self.end.isAncestorOf(QApplication.focusWidget() or QWidget())
            self._pages.setCurrentIndex(0)
            if had_keys:
                self.focus()

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
        card = self.review.card(self._current)
        if isinstance(card, Card) and card.entity_id:
            self.context.selection.select_entity(card.entity_id)

    def _open_source(self, piece: Evidence) -> None:
        if piece.source_id:
            self.context.selection.select_memory(piece.source_id)
