"""Proposals: review the agent's changes one after the other, or many at once.

A decision shows at once and is written in the background. When the write is refused, the proposal
comes back with the reason. For a file without permission to write the person is asked first, so it
shows only when written.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import ClassVar, cast

from PySide6.QtWidgets import QApplication, QWidget

from core.model.changes import Changes
from core.model.text_formatting import counted
from core.ontology.proposals import apply_proposal, reject_proposal
from core.queries.disputes import NO_DECISIONS
from core.review.as_shown import check_as_shown, keep_both_as_shown
from core.store.reader_and_writer import Writer
from core.workspace import Written
from ui.action import Action
from ui.context import Context
from ui.error_words import words_of
from ui.models.decisions import Decide, Decision, Decisions, Item, Report, Word, decide_each
from ui.models.proposal_batch import apply_batch
from ui.panel import Panel
from ui.panels.proposals.decision_undo import DecisionUndo
from ui.panels.proposals.pending_proposals import INITIATOR, PendingProposals
from ui.panels.proposals.review_layout import ReviewLayout
from ui.panels.proposals.review_place import ReviewPlace
from ui.panels.proposals.review_state import NOT_READ, Review
from ui.panels.proposals.value_and_merge_dialogs import DecisionDialogs

EMPTY = ("No pending proposals. "
         "Changes that your agent proposes to its memory are listed here.")


NONE_KEPT = (
    f"{NO_DECISIONS}, and there is no “Keep both”. The older one is told as disputed until you"
    " archive one of the two in the inspector, or give the older one new words.")

Act = Action["Proposals"]


class Proposals(Panel):
    """The queue, the card and its effect; letter keys decide, arrows and J K browse."""

    name: ClassVar[str] = "proposals"
    shows: ClassVar[frozenset[str]] = frozenset((
        "ontology_proposals", "entities", "entity_aspects", "entity_attributes",
        "entity_dependencies", "memories",
    ))
    review: Review
    waiting: PendingProposals
    dialogs: DecisionDialogs
    ACTIONS = (
        Act("proposals.apply", "Apply the proposal", lambda panel: panel.apply(), ("A",), "apply"),
        Act("proposals.anyway", "Apply the proposal anyway", lambda panel: panel.apply_anyway(),
            ("Shift+A",)),
        Act("proposals.reject", "Reject the proposal…", lambda panel: panel.ask_reason(), ("R",),
            "reject"),
        Act("proposals.both", "Keep both values of a dispute", lambda panel: panel.keep_both(),
            ("B",)),
        Act("proposals.skip", "Skip the proposal", lambda panel: panel.review.skip(), ("Space",),
            "skip"),
        Act("proposals.edit", "Edit the proposal, then apply it", lambda panel: panel.edit(),
            ("E",), "edit"),
        Act("proposals.compare", "Compare the two values side by side…",
            lambda panel: panel.dialogs.compare(), ("C",)),
        Act("proposals.flag", "Flag the proposal for later", lambda panel: panel.flag(), ("F",),
            "flag"),
        Act("proposals.take_back", "Undo the last decision", lambda panel: panel.take_back(),
            ("Backspace",), "undo"),
        Act("proposals.next", "Next proposal", lambda panel: panel.review.step(1), ("J",)),
        Act("proposals.previous", "Previous proposal", lambda panel: panel.review.step(-1), ("K",)),
        Act("proposals.more", "Show older proposals", lambda panel: panel.show_older(),
            ("N",)),
        Act("proposals.group", "Select the whole group",
            lambda panel: panel.review.choose_group(), ("G",)),
        Act("proposals.related", "Select all about the same entity",
            lambda panel: panel.review.choose_related(), ("Shift+G",)),
    )

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.parts = ReviewLayout(context, self.body)
        self.queue, self.card, self.form = self.parts.queue, self.parts.card, self.parts.form
        self.several, self.effect = self.parts.several, self.parts.effect
        self.bar, self.end = self.parts.bar, self.parts.end
        self.decisions = Decisions()
        self.waiting = PendingProposals(context, self.decisions, self)
        self.review = Review(context, self.parts, self.waiting, self.decisions, self)
        self.cards = self.review.cards
        self.place = ReviewPlace(context, self.parts.queue, self.review, self.waiting, self)
        self.dialogs = DecisionDialogs(context, self.review, self.waiting, self._write)
        self.decision_undo = DecisionUndo(context, self.decisions, self.review, self.waiting,
                                          self._go_back_to, self)
        self._agent = context.workspace.agent
        self._undid = False
        """True if a step was undone in this window and what waits again by it is not shown yet."""
        self.waiting.changed.connect(self._show_queue)
        self.waiting.failed.connect(self._failed)
        self.queue.more_wanted.connect(self.show_older)
        self.queue.arranged.connect(lambda: self.waiting.follow(self.queue.how))
        self.bar.pressed.connect(self._take_keyboard)
        self.bar.left.connect(self.focus)
        self.bar.rejected.connect(self._reject)
        self.bar.cut.connect(context.say)
        self.card.compare_wanted.connect(self.dialogs.compare)
        self.form.submitted.connect(self._apply_edited)
        self.form.left.connect(self._stop_editing)
        for moved in (context.runner.undone, context.runner.redone):
            moved.connect(self._step_moved)
        context.runner.undone.connect(self._step_undone)
        cast(QApplication, QApplication.instance()).focusChanged.connect(self._keyboard_moved)
        self._keyboard_moved()
        self.show_state("loading", "Loading proposals…")

    def lay_out(self) -> None:
        self.parts.lay_out()

    @property
    def current_id(self) -> str:
        return self.review.current

    @property
    def chosen_ids(self) -> list[str]:
        return self.review.chosen

    # -- what is shown -----------------------------------------------------------------------

    def refresh(self, changes: Changes | None) -> None:
        self.glance(changes)
        self.cards.outdate()

    def glance(self, changes: Changes | None) -> None:
        if self.context.workspace.agent != self._agent:
            self._agent = self.context.workspace.agent
            self.place.forget()
            self.decisions.clear()
            self.cards.forget()
        self.waiting.refresh(changes)

    def focus(self) -> None:
        self.parts.take_keyboard()

    def stretch(self, tall: bool) -> None:
        """Use the height of the whole window, or of a dock."""
        self.parts.stretch(tall)

    def _show_queue(self) -> None:
        if not self.waiting.loaded:
            return
        self.place.restore()
        self._follow_undo()
        self._show_rest(self.review.show_queue)

    def _show_rest(self, show: Callable[[], None]) -> None:
        """Have the queue shown, and how much is left of it."""
        self.badged.emit(str(self.waiting.total) if self.waiting.total else "")
        if self.waiting.any:
            self.show_state("ready")
        show()
        if not self.waiting.any:
            self._show_end()

    def _show_end(self) -> None:
        self.review.leave()
        applied, rejected = self.decisions.counts()
        if not applied and not rejected:
            self.show_state("empty", EMPTY if self.waiting.kept else NONE_KEPT)
            return
        self.show_state("ready")
        self.parts.show_end(
            f"{self.decisions.summary()}. Backspace undoes the last decision.",
            ("Undo the last decision", self.take_back))

    def _failed(self, error: BaseException) -> None:
        self.show_failure("The proposals could not be read", error, partial(self.refresh, None))

    def _take_keyboard(self) -> None:
        if not self.has_keyboard:
            self.focus()

    def _keyboard_moved(self, *_: object) -> None:
        self.bar.dim_keys(not self.has_keyboard)

    def _step_moved(self, _label: str) -> None:
        """What was said of the decision before it is no news any more."""
        self.bar.say("")

    def _step_undone(self, _label: str) -> None:
        """Go to what waits again by it, whether that is read already or will be."""
        self._undid = True
        if self.waiting.came_back:
            self._show_queue()

    def _follow_undo(self) -> None:
        if self._undid and self.waiting.came_back and self.isVisible():
            self.review.wanted, self.waiting.came_back = self.waiting.came_back, []
            self._undid = False

    # -- deciding ----------------------------------------------------------------------------

    def apply(self) -> None:
        """Apply the current one, or all that are selected."""
        if not self.review.ready():
            return
        card = self.review.card
        if self.review.many:
            self._apply_ticked()
        elif card is not None and card.blocked:
            self.bar.say(card.blocked, "bad")
        else:
            self._apply()

    def _apply_ticked(self) -> None:
        batch, confirmed = self.review.batch, self.review.confirmed
        if batch is None:
            self.bar.say("Still computing what they would do together", "soft")
        elif not batch.ticked:
            self.bar.say("None is ticked", "soft")
        else:
            ids = batch.ticked
            self._write(ids, "applied", f"Apply {counted(len(ids), 'proposal')}",
                        lambda writer: apply_batch(writer, batch, confirmed), several=True)

    def apply_anyway(self) -> None:
        """Apply what needs the person's word twice: a pinned entity, a constraint in force."""
        card = self.review.card
        if not self.review.ready():
            return
        if self.review.many:
            self.bar.say("One at a time: tick it to confirm it, then apply")
        elif card is None:
            self.bar.say(NOT_READ)
        elif not card.forceable:
            self.bar.say("Nothing needs confirming here: A applies it" if not card.blocked
                         else card.blocked)
        else:
            self._apply(force=True)

    def _apply(self, payload: dict[str, object] | None = None, *, force: bool = False) -> None:
        """Apply what is chosen as it was shown, or with what the person made of the payload."""
        card = self.review.card if payload is None else None

        def decide(writer: Writer, proposal_id: str) -> None:
            apply_proposal(writer, proposal_id, payload=payload, force=force).or_raise()
            if card is not None and card.proposal.id == proposal_id:
                check_as_shown(writer, card.rests_on)

        self._decide("applied", "Apply" if payload is None else "Apply as edited", decide,
                     hold=payload is not None)

    def _apply_edited(self, payload: dict[str, object]) -> None:
        self.form.set_busy(self.context.runner.may_write)  # A refused permission says nothing.
        self._apply(payload)

    def ask_reason(self) -> None:
        """Reject: first a field for the reason, which may stay empty."""
        if self.review.ready():
            many = self.review.many
            self.bar.ask_reason(f"Reject {len(self.review.chosen)}" if many else "Reject")

    def _reject(self, reason: str) -> None:
        self._decide("rejected", "Reject",
                     lambda writer, proposal_id: reject_proposal(writer, proposal_id, reason))
        self.focus()

    def keep_both(self) -> None:
        """Of a dispute: both values hold, and neither is marked any more."""
        card = self.review.card
        if not self.review.ready():
            return
        if self.review.many:
            self.bar.say("Keep both decides one dispute at a time")
        elif card is None:
            self.bar.say(NOT_READ)
        elif card.dispute is None:
            self.bar.say("Keep both is for a dispute between two values, which this is not")
        else:
            self._decide("rejected", "Keep both", partial(keep_both_as_shown, card.dispute))

    def _decide(self, word: Word, verb: str, decide: Decide, *, hold: bool = False) -> None:
        """Decide on what is chosen, as one step; several each on its own.

        Args:
            hold: show nothing before it is written.
        """
        ids = tuple(self.review.chosen)
        if not ids:
            return
        several = len(ids) > 1
        label = f"{verb} {len(ids)} proposals" if several else (
            f"{verb}: {self.waiting.name_of(ids[0])}")

        def change(writer: Writer) -> Report:
            if several:
                return decide_each(writer, ids, decide)
            decide(writer, ids[0])
            return Report((Item(ids[0]),))

        self._write(ids, word, label, change, several=several, hold=hold)

    def _write(
        self, ids: tuple[str, ...], word: Word, label: str, change: Callable[[Writer], Report], *,
        several: bool, hold: bool = False, then: Callable[[object], None] | None = None,
        refused: Callable[[BaseException], None] | None = None,
    ) -> None:
        """Write a decision; `then` or `refused` is called once it is, or could not be."""
        decision = Decision(ids, word, label)
        for key in ids:
            self.decisions.refusals.pop(key, None)
        at_once = self.context.runner.may_write and not hold and not several
        if at_once:
            self._begin(decision)

        def written(result: Written[Report]) -> None:
            self._written(decision, at_once, several, result)
            if then is not None:
                then(result)

        def failed(error: BaseException) -> None:
            self._refused(decision, error)
            if refused is not None:
                refused(error)

        self.context.runner.write(label, change, written, failed, initiator=INITIATOR)

    def _begin(self, decision: Decision) -> None:
        self.decisions.add(decision)
        if len(decision.ids) == 1 and decision.state == "writing":
            self._show_rest(partial(self.review.take_out, decision.ids[0]))
        else:
            self._show_queue()

    def _written(
        self, decision: Decision, at_once: bool, several: bool, written: Written[Report]
    ) -> None:
        report = written.result
        decision.ids, decision.entry, decision.settled = (
            report.done, written.entry, self.waiting.reads)
        decision.state = "done"
        self.decisions.refusals.update(report.failed)
        selected = self.review.chosen
        self.waiting.remove(report.done)
        if not at_once and report.done:
            self._begin(decision)
        if several:
            self.review.show_report(report, selected)
        self.cards.outdate()
        if decision.unwanted:
            self.decision_undo.undo(decision)

    def _refused(self, decision: Decision, error: BaseException) -> None:
        self.decisions.refuse(decision, error)
        self.cards.outdate()
        self.waiting.read()
        self.bar.say(words_of(error), "bad")
        self._show_queue()
        current = self.current_id
        if self.parts.editing and current in decision.ids and current in self.decisions.refusals:
            self.form.show_error(self.decisions.errors[current])
        else:
            self._go_back_to(decision.ids)

    def _go_back_to(self, ids: Iterable[str]) -> None:
        """These wait again: refused, or taken back."""
        self.review.wanted = list(ids)
        self._show_queue()

    # -- taking back -------------------------------------------------------------------------

    def take_back(self) -> None:
        """Undo the last decision made since the program started."""
        self.decision_undo.undo_last()

    # -- other things to do ------------------------------------------------------------------

    def show_older(self) -> None:
        """List the next page of older proposals."""
        if not self.waiting.show_more() and self.review.ready():
            self.bar.say("All pending proposals are listed")

    def flag(self) -> None:
        """Mark it for a second look; it stays where it is."""
        if self.review.ready() and self.current_id:
            self.waiting.toggle_flag(self.current_id)

    def edit(self) -> None:
        """Edit the payload, and apply it."""
        card = self.review.card
        if not self.review.ready():
            return
        if self.review.many or card is None:
            self.bar.say("Only one at a time can be edited" if self.review.many else NOT_READ)
        elif card.merging is not None:
            self.dialogs.merge(card.proposal, card.merging)
        elif self.form.edit(card.proposal):
            self.parts.show_form()
            self.form.take_keyboard()
        else:
            self.bar.say("This operation is unknown to this version, so it can't be edited", "bad")

    def _stop_editing(self) -> None:
        self.review.put_card()
        self.focus()
