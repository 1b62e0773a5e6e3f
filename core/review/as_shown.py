"""What a shown change rests on: the rows that it would change, as they were when it was shown."""

from collections.abc import Iterable

from core.errors import OperationError
from core.model.changes import RowChange, without_derived
from core.model.dispute import Dispute
from core.ontology.proposals import reject_proposal
from core.queries.disputes import dispute_of
from core.review.row_differences import FIELDS
from core.store.reader_and_writer import Writer

RestsOn = frozenset[tuple[object, ...]]
COUNTED = frozenset({"mentions", "importance"})
"""What changes by the way, without anybody having meant it."""
CHANGED = "This has changed since it was shown, so nothing was done"
LOOK_AGAIN = "It is shown as it is now"


def rests_on(changes: Iterable[RowChange]) -> RestsOn:
    """The rows that these changes meet, with what a person can see of each before."""
    return frozenset(
        (change.table, change.key, *sorted(
            (column, change.before.get(column)) for column in FIELDS.get(change.table, ())
            if column not in COUNTED))
        for change in changes
        if change.before is not None and change.table != "ontology_proposals")


def check_as_shown(writer: Writer, shown: RestsOn) -> None:
    """Refuse what the open transaction has done if it met other rows than were shown."""
    if rests_on(without_derived(writer.journal.net())) != shown:
        raise changed_since_shown()


def changed_since_shown() -> OperationError:
    """That a click came too late for what it was meant for."""
    return OperationError(409, CHANGED, do=LOOK_AGAIN)


def keep_both_as_shown(shown: Dispute, writer: Writer, proposal_id: str) -> None:
    """Both values of a dispute hold, if they are still the two that were shown."""
    if dispute_of(writer, proposal_id) != shown:
        raise changed_since_shown()
    reject_proposal(writer, proposal_id, "both hold", both_hold=True)
