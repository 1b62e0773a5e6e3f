"""Several proposals as one: what they would do together, and what speaks against each."""

from collections.abc import Collection, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from core.ontology.proposals import Outcome, apply_proposals
from core.queries.row_names import labels_of
from core.review.as_shown import RestsOn, check_as_shown, rests_on
from core.review.batch_warnings import batch_risks
from core.review.effects import Effect, effects
from core.store.reader_and_writer import Writer
from core.workspace import Workspace
from ui.error_words import words_of
from ui.models.decisions import Item, Report


class Batch(Struct, frozen=True):
    """A dry run of several proposals.

    Attributes:
        ticked: those that the dry run applied, in the order of the queue.
        notes: by proposal, what speaks against applying it, or why it can't be applied.
        effects: what all that are ticked would do together.
    """

    ticked: tuple[str, ...]
    notes: dict[str, tuple[str, ...]]
    effects: tuple[Effect, ...]
    rests_on: RestsOn = frozenset()
    """What they were seen to change, to be compared when they are applied."""


def load_batch(
    workspace: Workspace, ids: Sequence[str], ticked: Collection[str] | None = None,
    confirmed: Collection[str] = (),
) -> Batch:
    """Apply the ticked ones in a dry run; without a choice all that nothing speaks against.

    Args:
        confirmed: ticked by the person, who has seen what speaks against it.
    """
    with workspace.read() as reader:
        risks = batch_risks(reader, ids)
    wanted = [id for id in ids if (not risks.get(id) if ticked is None else id in ticked)]
    rehearsal = workspace.rehearse(partial(apply_all, ids=wanted, confirmed=confirmed))
    refused = {one.proposal_id: words_of(one.error) for one in rehearsal.result if one.error}
    if ticked is None and refused:
        return _with_refusals(load_batch(
            workspace, ids, [id for id in wanted if id not in refused]), refused)
    changes = [change for change in rehearsal.changes if change.table != "ontology_proposals"]
    with workspace.read() as reader:
        labels = labels_of(reader, changes)
    return _with_refusals(
        Batch(tuple(wanted), dict(risks), effects(changes, labels), rests_on(changes)), refused)


def apply_all(
    writer: Writer, ids: Sequence[str], confirmed: Collection[str]
) -> tuple[Outcome, ...]:
    """Apply proposals, each on its own."""
    return apply_proposals(writer, ids, confirmed=confirmed)


def _with_refusals(batch: Batch, refused: dict[str, str]) -> Batch:
    notes = {id: (*lines, *([refused[id]] if id in refused else ()))
             for id, lines in batch.notes.items()}
    return replace(batch, notes=notes)


def apply_batch(writer: Writer, batch: Batch, confirmed: Collection[str]) -> Report:
    """Apply what is ticked, each on its own, in an order that works, as the dry run showed it."""
    report = Report(tuple(map(_item, apply_proposals(
        writer, batch.ticked, confirmed=confirmed))))
    if not report.failed:
        check_as_shown(writer, batch.rests_on)
    return report


def _item(outcome: Outcome) -> Item:
    return Item(outcome.proposal_id, words_of(outcome.error) if outcome.error else "")
