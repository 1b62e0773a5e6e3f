"""Undo of the decisions that were made since the program started."""

from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtCore import QObject

from ui.context import Context
from ui.error_words import words_of
from ui.models.decisions import Decision, Decisions
from ui.panels.proposals.pending_proposals import PendingProposals
from ui.panels.proposals.review_state import Review


class DecisionUndo(QObject):
    """Undoes decisions, also one that is still being written.

    Args:
        go_back_to: shows proposals that are pending again.
    """

    def __init__(
        self, context: Context, decisions: Decisions, review: Review, waiting: PendingProposals,
        go_back_to: Callable[[Iterable[str]], None], parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._context, self._decisions, self._review = context, decisions, review
        self._waiting, self._go_back_to = waiting, go_back_to
        self._bar = review.parts.bar

    def undo_last(self) -> None:
        """Undo the last one that has not been undone."""
        if self._review.parts.editing or self._bar.asking:
            return
        decision = self._decisions.last
        if decision is None:
            self._bar.say("Nothing to undo", "soft")
            return
        decision.unwanted = True
        if decision.state == "done":
            self.undo(decision)

    def undo(self, decision: Decision) -> None:
        """Undo one that has been written."""
        workspace, entry = self._context.workspace, decision.entry
        assert entry is not None, "a decision changes its proposal"
        self._context.runner.job(lambda _job: workspace.undo(entry),
                                 partial(self._undone, decision),
                                 partial(self._not_undone, decision))

    def _undone(self, decision: Decision, _label: str) -> None:
        decision.state = "undone"
        self._review.cards.outdate()
        self._waiting.read()
        self._go_back_to(decision.ids)
        what = decision.label.partition(": ")[2] or decision.label
        self._bar.say(f"Undone: {what}", "soft")

    def _not_undone(self, decision: Decision, error: BaseException) -> None:
        decision.unwanted = False
        self._bar.say(f"Could not be undone: {words_of(error)}", "bad")
