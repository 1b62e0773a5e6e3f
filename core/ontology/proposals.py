"""Proposals: applied, rejected, failed."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

from msgspec import Struct

from core.errors import OperationError
from core.ontology import wording
from core.ontology.change_provenance import Source, encode
from core.ontology.disputes import retire_newer
from core.ontology.followed_names import follow
from core.ontology.operation_catalog import perform
from core.ontology.operation_request import OWN_WORD, OperationRequest
from core.ontology.payload_base import clamped
from core.ontology.person_only_changes import refuse_decision
from core.queries.rows_to_model import json_array, json_object, text
from core.store.database import Row
from core.store.reader_and_writer import Reader, Writer


class Outcome(Struct, frozen=True):
    """The result of one operation or one proposal.

    Attributes:
        proposal_id: empty if nothing was changed, since nothing is audited then.
        status: `applied`, `rejected`, `failed`, `pending` (proposed, or left as it was), or
            `unchanged`: nothing needed to change.
        result: the operation's result; None unless applied, or rejected with a consequence.
        error: why it was not applied. Returned instead of raised where raising would roll back
        what must be
            stored: the mark of a failed proposal, the rest of a batch.
    """

    proposal_id: str
    operation: str
    status: str
    result: Mapping[str, object] | None = None
    error: OperationError | None = None

    @property
    def changed(self) -> bool:
        """False if no row was touched."""
        return self.status != "unchanged"

    def or_raise(self) -> "Outcome":
        """Itself, or its error; for after the commit."""
        if self.error is not None:
            raise self.error
        return self


def apply_proposal(
    writer: Writer,
    proposal_id: str,
    *,
    payload: Mapping[str, object] | None = None,
    force: bool = False,
) -> Outcome:
    """Apply a pending proposal.

    An input that can never work (400) marks the proposal as failed and is returned in
    `Outcome.error`, because raising would roll back the mark. What may work later (404, 409) is
    raised, and the proposal stays pending.

    Args:
        payload: the person's edited payload instead of the proposed one; stored in the row.
        force: apply it to a pinned entity or a constraint too.

    Raises:
        OperationError: 403 where no person applies it (as in Signet since its fourth
            generation): who proposes does not decide.
    """
    row = _to_decide(writer, proposal_id)
    draft = _draft(row, payload, force)
    followed = follow(writer, draft.operation, draft.payload, text(row["created_at"]))
    try:
        with writer.savepoint():
            result = perform(writer, draft.operation, followed, draft.provenance(row["id"]))
    except OperationError as error:
        if error.status != 400:
            raise
        fail_proposal(writer, proposal_id, error.what)
        return Outcome(proposal_id, draft.operation, "failed", error=error)
    edited = {"payload": encode(draft.payload)} if payload is not None or force else {}
    # What was proposed stays on record beside what the person made of it.
    proposed = {"proposed": json_object(row["payload"])} if payload is not None else {}
    writer.update(
        "ontology_proposals", proposal_id,
        status="applied", applied_by=writer.actor, applied_at=writer.now(),
        updated_at=writer.now(), result=encode({**result, **proposed}), **edited,
    )
    return Outcome(proposal_id, draft.operation, "applied", result)


def apply_proposals(
    writer: Writer, proposal_ids: Sequence[str], *, force: bool = False,
    confirmed: Collection[str] = (),
) -> tuple[Outcome, ...]:
    """Carry several proposals out, each on its own: one that can't be applied stops no other.

    What makes an entity or an aspect comes before what needs it, and one whose target is not
    there yet is tried again once others are done; the outcomes are in the order given.

    Args:
        confirmed: the ones that `force` holds for.
    """
    waiting = sorted(dict.fromkeys(proposal_ids), key=partial(_rank, writer))
    outcomes: dict[str, Outcome] = {}
    while waiting:
        for proposal_id in waiting:
            outcomes[proposal_id] = _on_its_own(
                writer, proposal_id,
                lambda one: apply_proposal(writer, one, force=force or one in confirmed))
        missing = [one for one in waiting if (error := outcomes[one].error) is not None
                   and error.status == 404 and outcomes[one].status == "pending"]
        if len(missing) == len(waiting):
            break
        waiting = missing
    return tuple(outcomes[one] for one in proposal_ids)


MAKERS = ("create_entity", "create_aspect")
"""What others of a batch may need, in the order in which they are made."""


def _rank(reader: Reader, proposal_id: str) -> int:
    row = _row(reader, proposal_id)
    operation = text(row["operation"]) if row else ""
    return MAKERS.index(operation) if operation in MAKERS else len(MAKERS)


def reject_proposal(
    writer: Writer, proposal_id: str, reason: str = "", *, both_hold: bool = False
) -> Outcome:
    """Turn a pending proposal down; the graph stays as it is.

    Except for a dispute (`core.ontology.disputes`): turning it down says that the older value
    holds, so the newer one, which says the opposite, is retired.

    Args:
        both_hold: of a dispute: the two are no opposites; both stay, and neither is marked.

    Raises:
        OperationError: 403 where no person rejects it. (Signet lets a harness reject; but what
            was rejected can't be proposed again, and of a dispute it retires a value.)
    """
    row = _to_decide(writer, proposal_id)
    said = " ".join(reason.split()) or "rejected"
    retired = {} if both_hold else retire_newer(writer, row["operation"], row["payload"])
    writer.update(
        "ontology_proposals", proposal_id,
        status="rejected", rejected_by=writer.actor, rejected_at=writer.now(),
        updated_at=writer.now(), result=encode({"reason": said, **retired}),
    )
    return Outcome(proposal_id, row["operation"], "rejected", retired or None)


def reject_proposals(
    writer: Writer, proposal_ids: Sequence[str], reason: str = "", *, both_hold: bool = False
) -> tuple[Outcome, ...]:
    """Turn several proposals down, each on its own."""
    return tuple(
        _on_its_own(writer, proposal_id,
                    lambda one: reject_proposal(writer, one, reason, both_hold=both_hold))
        for proposal_id in proposal_ids
    )


def fail_proposal(writer: Writer, proposal_id: str, error: str) -> Outcome:
    """Mark a pending proposal as failed, with the reason."""
    row = _pending(writer, proposal_id)
    writer.update(
        "ontology_proposals", proposal_id,
        status="failed", updated_at=writer.now(), result=encode({"error": error}),
    )
    return Outcome(proposal_id, row["operation"], "failed")


def _on_its_own(
    writer: Writer, proposal_id: str, decide: Callable[[str], Outcome]
) -> Outcome:
    try:
        with writer.savepoint():
            return decide(proposal_id)
    except OperationError as error:
        row = _row(writer, proposal_id)
        status, operation = (row["status"], row["operation"]) if row else ("missing", "")
        return Outcome(proposal_id, operation, status, error=error)


def _row(reader: Reader, proposal_id: str) -> Row | None:
    return reader.row(
        "SELECT * FROM ontology_proposals WHERE id = :id AND agent_id = :agent", id=proposal_id
    )


def _pending(reader: Reader, proposal_id: str) -> Row:
    row = _row(reader, proposal_id)
    if row is None:
        raise OperationError(404, f"Proposal not found: {wording.short(proposal_id)}")
    if row["status"] != "pending":
        raise OperationError(409, f"Proposal is {row['status']}, not pending")
    return row


def _to_decide(writer: Writer, proposal_id: str) -> Row:
    """A pending proposal that a person is deciding on."""
    row = _pending(writer, proposal_id)
    refuse_decision(writer)
    return row


def _draft(row: Row, payload: Mapping[str, object] | None, force: bool) -> OperationRequest:
    draft = OperationRequest(
        operation=text(row["operation"]),
        payload=json_object(row["payload"]) if payload is None else payload,
        rationale=text(row["rationale"]),
        evidence=json_array(row["evidence"]),
        confidence=clamped(row["confidence"]) or OWN_WORD,
        source=Source(
            row["source_kind"], row["source_id"], row["source_path"], row["source_root"]
        ),
    )
    return draft.forced() if force else draft
