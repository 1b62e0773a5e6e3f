"""The dialogs that decide a proposal: two values side by side, and the merge wizard."""

from collections.abc import Callable
from functools import partial
from typing import Protocol

from core.model.proposal import Proposal
from core.ontology.proposals import apply_proposal
from core.store.reader_and_writer import Writer
from ui.context import Context
from ui.dialogs.competing_values import TwoValuesDialog
from ui.dialogs.merge import merge_into
from ui.models.decisions import Item, Report, Word
from ui.panels.proposals.pending_proposals import PendingProposals
from ui.panels.proposals.review_state import NOT_READ, Review


class Write(Protocol):
    """Writes a decision; `then` or `refused` is called once it is, or could not be."""

    def __call__(
        self, ids: tuple[str, ...], word: Word, label: str, change: Callable[[Writer], Report], *,
        several: bool, hold: bool = False, then: Callable[[object], None] | None = None,
        refused: Callable[[BaseException], None] | None = None,
    ) -> None: ...


class DecisionDialogs:
    """Opens them, and has written what the person chose there."""

    def __init__(
        self, context: Context, review: Review, waiting: PendingProposals, write: Write
    ) -> None:
        self._context, self._review = context, review
        self._waiting, self._write = waiting, write

    def compare(self) -> None:
        """Show the value in force and the proposed one side by side, to keep one or combine."""
        review, say = self._review, self._review.parts.bar.say
        card = review.card
        if not review.ready():
            return
        if review.many or card is None:
            say("Two values are compared one proposal at a time" if review.many else NOT_READ)
        elif card.two is None:
            say("It stands against no value in force: there is nothing to compare")
        else:
            self._two = TwoValuesDialog(card.two, partial(self._settle, card.proposal.id),
                                        self._context.theme, self._context.shell.window())
            self._two.open()

    def _settle(
        self, proposal_id: str, label: str, word: Word, act: Callable[[Writer], object],
        done: Callable[[object], None], failed: Callable[[BaseException], None],
    ) -> None:
        """Write what was made of a proposal in a dialog; it is decided by it."""
        def change(writer: Writer) -> Report:
            act(writer)
            return Report((Item(proposal_id),))

        self._write((proposal_id,), word, label, change, several=False, hold=True, then=done,
                    refused=failed)

    def merge(self, proposal: Proposal, merging: tuple[tuple[str, ...], str]) -> None:
        """Let the person settle a proposed merge: what is merged, and into what."""
        self._wizard = merge_into(
            self._context, *merging, apply=partial(self._apply_merge, proposal))

    def _apply_merge(
        self, proposal: Proposal, payload: dict[str, object], force: bool,
        done: Callable[[object], None], failed: Callable[[BaseException], None],
    ) -> None:
        """Apply a proposed merge as the wizard has settled it."""
        def act(writer: Writer) -> None:
            apply_proposal(writer, proposal.id, payload={**proposal.payload, **payload},
                           force=force).or_raise()

        label = f"Apply: {self._waiting.name_of(proposal.id)}"
        self._settle(proposal.id, label, "applied", act, done, failed)
