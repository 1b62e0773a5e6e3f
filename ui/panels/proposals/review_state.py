"""What the review shows: which proposal is looked at, which are selected, and where one is."""

from collections.abc import Collection, Sequence
from functools import partial

from PySide6.QtCore import QObject

from core.expectations.forecast import Forecast
from core.model.proposal import Evidence
from core.model.text_formatting import counted
from ui.context import Context
from ui.error_words import words_of
from ui.models.decisions import Decisions, Report
from ui.models.proposal_batch import Batch, apply_all, load_batch
from ui.models.review_card import Card
from ui.models.review_queue import next_after
from ui.panels.proposals.card_cache import Cards
from ui.panels.proposals.pending_proposals import PendingProposals
from ui.panels.proposals.review_layout import ReviewLayout

NOT_READ = "Its effect is still being computed"
"""Said where a card is needed that is not read yet."""
AHEAD = 3
"""Cards that are read ahead, so that a decision shows the next one at once."""


class Review(QObject):
    """Keeps queue, card and effect on the same proposal."""

    def __init__(
        self, context: Context, parts: ReviewLayout, waiting: PendingProposals,
        decisions: Decisions, parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._context, self.parts, self._waiting, self._decisions = (
            context, parts, waiting, decisions)
        self.cards = Cards(context, self)
        self.current = ""
        self._chosen: list[str] = []
        self.wanted: list[str] = []
        """Where to go once one of these is in the queue."""
        self._report: Report | None = None
        self.batch: Batch | None = None
        """The dry run of the selected ones; None while it is computed."""
        self._by_hand: set[str] = set()
        self._tries = 0
        queue = parts.queue
        queue.list.went_to.connect(self._went)
        queue.list.chosen.connect(self._choose)
        queue.list.activated.connect(self._jump)
        queue.arranged.connect(self._settle)
        parts.card.went_to.connect(self.go_to_other)
        parts.several.ticked.connect(self._tick)
        parts.card.opened.connect(self._open_source)
        parts.card.jumped.connect(self._jump)
        self.cards.changed.connect(self._card_changed)
        self.cards.gone.connect(self._gone)
        waiting.missed.connect(self._missed)
        context.selection.proposal_changed.connect(self._selected_elsewhere)

    @property
    def many(self) -> bool:
        """True while several are selected."""
        return len(self._chosen) > 1

    @property
    def chosen(self) -> list[str]:
        """The proposals to decide on: the selected ones if there are several."""
        return list(self._chosen) if self.many else [self.current] if self.current else []

    @property
    def card(self) -> Card | None:
        """The card that is looked at, once it has been read."""
        card = self.cards.get(self.current)
        return card if isinstance(card, Card) else None

    # -- going about -------------------------------------------------------------------------

    def ready(self) -> bool:
        """True while letters are decisions: not in a form, not in the reason, not at the end."""
        parts = self.parts
        if parts.editing or parts.bar.asking or parts.at_end or not parts.queue.order:
            return False
        parts.bar.say("")
        return True

    def skip(self) -> None:
        """Go to the next one without deciding; after the last one comes the first."""
        order, at = self.parts.queue.order, self.parts.queue.place(self.current)
        if self.ready():
            at = -1 if at is None else at
            self._decisions.skipped.add(self.current)
            self.go(order[(at + 1) % len(order)])
            if at + 1 == len(order):
                self.parts.bar.say(f"That was the last: {self._decisions.summary(order)}")

    def step(self, by: int) -> None:
        """Browse; does not go past the ends."""
        order, place = self.parts.queue.order, self.parts.queue.place(self.current)
        if not self.ready() or place is None:
            return
        at = place + by
        if 0 <= at < len(order):
            self.go(order[at])
        else:
            self.parts.bar.say(f"This is the {'first' if by < 0 else 'last'} proposal")

    def choose_group(self) -> None:
        """Select the whole group that the current one is in; all of them where none is grouped."""
        if self.ready():
            self.parts.queue.list.choose_group(self.parts.queue.list.currentIndex())

    def choose_related(self) -> None:
        """Select all that are about the same entity, to be tried and decided as one."""
        row = self._waiting.row(self.current)
        if not self.ready() or row is None:
            return
        related = [key for key in self.parts.queue.order
                   if (other := self._waiting.row(key)) is not None
                   and row.target and other.target == row.target]
        if len(related) > 1:
            self.parts.queue.list.choose(related)
        else:
            self.parts.bar.say("No other proposal is about it")

    def go_to_other(self, proposal_id: str) -> None:
        """Go to a proposal that something else named; say so where it no longer waits."""
        if self.parts.queue.place(proposal_id) is not None:
            self.go(proposal_id)
        elif self._waiting.row(proposal_id) is not None:
            self.parts.bar.say("The filter leaves that proposal out", "soft")
        else:
            self._look_for(proposal_id)

    def _gone(self, proposal_id: str) -> None:
        """What is looked at waits no longer, and the queue does not know yet."""
        if proposal_id == self.current and self.parts.queue.place(proposal_id) is not None:
            self._look_for(proposal_id)

    def _look_for(self, proposal_id: str) -> None:
        """Go to one that is not listed: of thousands not all were read, or it has been decided."""
        self.wanted = [proposal_id]
        self._waiting.look_for(proposal_id)

    def _missed(self, proposal_id: str) -> None:
        self.wanted = [key for key in self.wanted if key != proposal_id]
        self.parts.bar.say("That proposal has been decided meanwhile", "proposal")

    def go(self, proposal_id: str) -> None:
        self.parts.queue.list.go_to(proposal_id)
        self._chosen = [proposal_id] if proposal_id else []
        self._report = None
        self.show(proposal_id)

    def _went(self, proposal_id: str) -> None:
        self.parts.bar.say("")
        self.show(proposal_id)

    def _choose(self, ids: list[str]) -> None:
        self._chosen, self._report = ids, None
        if len(ids) > 1:
            self._show_several()
        elif ids and (ids[0] != self.current or self.parts.card.isHidden()):
            self.show(ids[0])

    def _selected_elsewhere(self, proposal_id: str) -> None:
        if proposal_id and proposal_id != self.current:
            if self.parts.queue.place(proposal_id) is not None:
                self.go(proposal_id)
            else:
                self.wanted = [proposal_id]
                if self._waiting.loaded and self._waiting.row(proposal_id) is None:
                    self._look_for(proposal_id)

    def _jump(self, *_: object) -> None:
        """Select the entity that the proposal is about."""
        if self.card is not None and self.card.entity_id:
            self._context.selection.select_entity(self.card.entity_id)

    def _open_source(self, piece: Evidence) -> None:
        if piece.source_id:
            self._context.selection.select_memory(piece.source_id)
            self._context.shell.show_panel("inspector")

    # -- the queue ---------------------------------------------------------------------------

    def show_queue(self) -> None:
        """Show the pending proposals, and stay on the current one if it is still there."""
        rows, queue = self._waiting.rows, self.parts.queue
        waiting = {row.id for row in rows}
        before, was_there = queue.order, queue.place(self.current) is not None
        self._chosen = [key for key in self._chosen if key in waiting]
        queue.show_rows(rows, self._waiting.total, self.current, self._chosen)
        follows = next_after(before, set(before).difference(queue.order)) if was_there else None
        self._queue_shown(follows)

    def take_out(self, proposal_id: str) -> None:
        """Show the queue without this one, which is being decided; the rest is as it was."""
        queue = self.parts.queue
        is_here = proposal_id == self.current and queue.place(proposal_id) is not None
        follows = queue.after(proposal_id) if is_here else None
        self._chosen = [key for key in self._chosen if key != proposal_id]
        queue.take_out(proposal_id, self._waiting.total, self.current, self._chosen)
        self._queue_shown(follows)

    def _queue_shown(self, follows: str | None) -> None:
        if self._waiting.any:
            self.parts.leave_end()
            self._forget_report()
            self._settle(follows)

    def _settle(self, follows: str | None = None) -> None:
        """Go to what came back, else stay, else to what followed, else to the first."""
        queue = self.parts.queue
        wanted = [key for key in self.wanted if queue.place(key) is not None]
        if wanted:
            self.wanted = []
            self.go(wanted[0])
        elif queue.place(self.current) is not None:
            self._show_place()
            self._put_flag()
        else:
            self.go(next(iter(queue.order), "") if follows is None else follows)

    def leave(self) -> None:
        """Show that nothing is pending."""
        self.current, self._chosen = "", []
        self._context.selection.select_proposal("")

    # -- the card ----------------------------------------------------------------------------

    def show(self, proposal_id: str) -> None:
        """Show one card; it is read in the background unless it was read ahead."""
        self.parts.bar.stop_asking()
        self.current = proposal_id
        at = self.parts.queue.place(proposal_id)
        after = () if at is None else self.parts.queue.order[at + 1: at + 1 + AHEAD]
        self.cards.open(proposal_id, after)
        self.put_card()
        self._show_place()
        self._context.selection.select_proposal(proposal_id)

    def _card_changed(self, proposal_id: str) -> None:
        if proposal_id == self.current and not self.many:
            self._fill_card()

    def put_card(self) -> None:
        """The card in the middle, as far as it is read."""
        self.parts.show_card()
        self._fill_card()

    def _fill_card(self) -> None:
        card, row = self.cards.get(self.current), self._waiting.row(self.current)
        if isinstance(card, Card):
            self.parts.card.show_card(card, self._decisions.refusals.get(self.current, ""),
                                      flagged=row is not None and row.flagged)
        elif card is not None:
            self.parts.card.show_note(f"This proposal could not be read: {card}")
        else:
            self.parts.card.show_note("Computing the effect…" if self.current
                                      else "Choose a proposal in the list."
                                      if self.parts.queue.order else "No proposals match.")
        self.parts.bar.show_one(self.card, row)

    def _put_flag(self) -> None:
        row = self._waiting.row(self.current)
        if row is not None and self.card is not None and not self.many:
            self.parts.card.show_flag(row.flagged)
            self.parts.bar.show_one(self.card, row)

    def _show_place(self) -> None:
        at, total = self.parts.queue.place(self.current), self._waiting.total
        if self.many:
            self.parts.bar.set_place(f"{len(self._chosen)} of {total} selected")
        elif at is not None:
            back = " · Backspace undoes the last decision" if self._decisions.last else ""
            self.parts.bar.set_place(f"{at + 1} of {total}", back)
        else:
            self.parts.bar.set_place("")

    # -- several -----------------------------------------------------------------------------

    def _show_several(self) -> None:
        """Show the selected ones, and try in a dry run what they would do together."""
        self.batch, self._by_hand = None, set()
        self._put_several()
        self._try_batch(None)

    def _put_several(self) -> None:
        rows = [row for key in self._chosen if (row := self._waiting.row(key))]
        self.parts.show_several()
        self.parts.several.show_rows(rows, self._decisions.refusals, self.batch, self._report)
        self.parts.effect.show_batch(self.batch)
        self.parts.bar.show_many(len(rows), len(self.batch.ticked) if self.batch else 0)
        self._show_place()

    def _try_batch(self, ticked: Collection[str] | None) -> None:
        self._tries += 1
        workspace, ids, by_hand = self._context.workspace, tuple(self._chosen), set(self._by_hand)
        self._context.runner.job(lambda _job: load_batch(workspace, ids, ticked, by_hand),
                                 partial(self._got_batch, self._tries), self._no_batch)

    def _got_batch(self, number: int, batch: Batch) -> None:
        if number == self._tries and self.many:
            self.batch = batch
            self._put_several()
            change = partial(apply_all, ids=batch.ticked, confirmed=frozenset(self._by_hand))
            got = partial(self._foreseen, number)
            self._context.expectations.foresee(change, got, got)

    def _foreseen(self, number: int, forecast: Forecast | BaseException) -> None:
        """What all that are ticked would do to the expectations."""
        if number == self._tries and self.many and isinstance(forecast, Forecast):
            self.parts.effect.show_batch(self.batch, forecast)

    def _no_batch(self, error: BaseException) -> None:
        self.parts.bar.say(f"Could not be tried: {words_of(error)}", "bad")

    def _tick(self, proposal_id: str) -> None:
        """Set a tick, which confirms what speaks against it, or take it away."""
        if self.batch is not None:
            ticked = set(self.batch.ticked) ^ {proposal_id}
            self._by_hand = (self._by_hand | {proposal_id}) & ticked
            self._try_batch(ticked)

    @property
    def confirmed(self) -> frozenset[str]:
        """What the person ticked by hand."""
        return frozenset(self._by_hand)

    def show_report(self, report: Report, selected: Sequence[str]) -> None:
        """A batch is through: the refused ones and those without a tick stay selected."""
        failed = list(report.failed)
        left = failed + [key for key in selected if key not in report.failed
                         and key not in report.done and self._waiting.row(key)]
        if not left:
            return
        self.parts.queue.list.go_to(left[0], left)
        self._chosen, self._report, self.current = left, report, left[0]
        if self.many:
            self._show_several()
        else:
            self.show(left[0])
        if failed:
            self.parts.bar.say(f"{len(report.done)} of {len(report.items)} done, {len(failed)} "
                               "failed", "bad")
        else:
            rest = counted(len(left), "left as it was", "left as they were")
            self.parts.bar.say(f"{len(report.done)} done, {rest}", "soft")

    def _forget_report(self) -> None:
        """What a batch did is no longer so once it has been undone."""
        if self._report is not None and any(map(self._waiting.row, self._report.done)):
            self._report = None
            self.parts.bar.say("")
            if self.many:
                self._show_several()
