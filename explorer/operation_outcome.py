"""One operation by whichever way it was asked for: what it came to, also as JSON."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Unpack

from msgspec import Struct

from core.model.changes import RowChange
from core.model.proposal import Proposal
from core.ontology import control
from core.ontology.control import Grounds
from core.ontology.id_beginnings import with_whole_ids
from core.ontology.request_descriptions import describe
from core.ontology.step_titles import step_title
from core.queries.hide_writes_of_held_agents import Sight, everything
from core.review import proposal_queue
from core.review.warnings import warnings
from core.store.reader_and_writer import Writer
from explorer.model_json import plain

Json = dict[str, Any]


class Done(Struct, frozen=True):
    """What an operation came to.

    Attributes:
        title: the step as the history names it.
        sentence: what it does, in words.
        proposal: the one that waits, or the record of what was done.
        changed: False if all was so already.
    """

    title: str
    sentence: str
    proposal: Proposal | None
    result: Mapping[str, object] | None
    changed: bool = True
    warnings: Sequence[str] = ()

    @property
    def waits(self) -> bool:
        """True if it was proposed: on request, or since a person decides about it."""
        return self.proposal is not None and self.proposal.status == "pending"


def do(
    writer: Writer, operation: str, payload: Mapping[str, object], *, propose: bool = False,
    sight: Sight = everything, **grounds: Unpack[Grounds],
) -> Done:
    """Apply or propose one operation; OperationError says why not.

    Args:
        sight: what hides from the answer what the one who asks is not told.
    """
    payload = with_whole_ids(writer, operation, payload)
    description = describe(writer, operation, payload)
    words = step_title(writer, operation, payload), description.sentence
    act = control.propose if propose else control.apply
    outcome = act(writer, operation, payload, **grounds)
    if not isinstance(outcome, str) and outcome.status == "pending":
        outcome = outcome.proposal_id
    if isinstance(outcome, str):
        with sight(writer):
            waiting = proposal_queue.get_proposal(writer, outcome)
            return Done(*words, waiting, None, writer.journal.count() > 0,
                        warnings(writer, waiting) if waiting else ())
    return Done(*words, proposal_queue.get_proposal(writer, outcome.proposal_id), outcome.result,
                outcome.changed, list(map(str, listed(outcome.result, "warnings"))))


def listed(result: Mapping[str, object] | None, key: str) -> list[Any]:
    """A list in a result; empty where there is none."""
    items = (result or {}).get(key)
    return items if isinstance(items, list) else []


def done_json(done: Done, *, dry_run: bool, changes: Sequence[RowChange]) -> Json:
    """The answer in upstream's shape; of a dry run also the rows that it touched and put back."""
    answer: Json = {"proposal": done.proposal, "result": done.result, "dryRun": dry_run,
                    "proposed": done.waits}
    if dry_run:
        # The row of the audit would come with the deed alone.
        answer |= {"proposal": None, "result": without(done.result, new_ids(changes)),
                   "changes": changes}
    return answer


def new_ids(changes: Sequence[RowChange]) -> frozenset[str]:
    """The ids of the rows that a rehearsal made and took back."""
    return frozenset(str(part) for change in changes if change.before is None
                     for part in change.key)


def without(thing: object, ids: Collection[str]) -> object:
    """A result as JSON, with null in place of these ids."""
    return _without(plain(thing), ids) if ids else thing


def _without(thing: object, ids: Collection[str]) -> object:
    if isinstance(thing, Mapping):
        return {key: _without(value, ids) for key, value in thing.items()}
    if isinstance(thing, list):
        return [_without(value, ids) for value in thing
                if not (isinstance(value, str) and value in ids)]
    return None if isinstance(thing, str) and thing in ids else thing
