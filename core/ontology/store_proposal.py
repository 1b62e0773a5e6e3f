"""Stores a requested operation as a proposal that waits for a decision."""

from core.errors import OperationError
from core.ontology.older_file_refusals import require_proposals
from core.ontology.operation_request import OperationRequest
from core.ontology.proposal_expiry import EXPIRED
from core.queries.rows_to_model import json_array, json_object
from core.store.reader_and_writer import Reader, Writer, new_id


def create_proposal(writer: Writer, draft: OperationRequest) -> str:
    """Store a proposal as pending. Returns its id.

    The payload is not checked against the graph yet: that happens when it is applied. The same
    payload and evidence is stored once: if it is pending, its id is returned; if it was rejected,
    it is refused (409). One that has expired was not rejected by anybody.
    """
    require_proposals(writer)
    draft.checked()
    same = _same(writer, draft)
    if "pending" in same:
        return same["pending"]
    if "rejected" in same:
        raise OperationError(
            409, "The same proposal with the same evidence was rejected before",
            do="Propose it again when there is new evidence",
        )
    proposal_id, now = new_id(), writer.now()
    writer.insert(
        "ontology_proposals",
        id=proposal_id, agent_id=writer.agent, status="pending", **draft.columns(),
        created_by=draft.created_by or writer.actor, created_at=now, updated_at=now,
    )
    return proposal_id


def _same(reader: Reader, draft: OperationRequest) -> dict[str, str]:
    """Proposals of this operation with the same payload and evidence, waiting or rejected: the
    oldest of each status."""
    rows = reader.rows(
        "SELECT id, status, payload, evidence, result FROM ontology_proposals"
        " WHERE agent_id = :agent AND operation = :operation AND status IN ('pending', 'rejected')"
        " ORDER BY created_at DESC, id",
        operation=draft.operation,
    )
    return {
        row["status"]: row["id"] for row in rows
        if not json_object(row["result"]).get(EXPIRED)
        and draft.same_words(json_object(row["payload"]), json_array(row["evidence"]))
    }
