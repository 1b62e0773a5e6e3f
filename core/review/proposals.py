"""Reads proposals: the queue, one in full, its evidence, its conflicts."""

from collections.abc import Sequence

from core.model.names import canonical
from core.model.proposal import Conflict, Evidence, Proposal
from core.queries.evidence import resolve
from core.queries.rows import first_text, json_array, json_object, number, text
from core.review.summaries import summary
from core.review.targets import Pending, Target, pending_targets
from core.review.targets import resolve as resolve_targets
from core.review.warnings import warnings
from core.store.database import Row
from core.store.handles import Reader

__all__ = ["conflicts", "count_proposals", "evidence", "get_proposal", "list_proposals",
           "warnings"]


def list_proposals(
    reader: Reader, *, status: str = "pending", operation: str | None = None, limit: int = 50,
    offset: int = 0,
) -> tuple[Proposal, ...]:
    """Proposals, last changed first; `status` may be `all`."""
    where, parameters = _filters(status, operation)
    found = reader.rows(
        f"SELECT * FROM ontology_proposals WHERE {where}"
        " ORDER BY updated_at DESC, id LIMIT :limit OFFSET :offset",
        limit=limit, offset=offset, **parameters)
    return _proposals(reader, found)


def count_proposals(reader: Reader, status: str = "pending", operation: str | None = None) -> int:
    """How many proposals there are; `status` may be `all`."""
    where, parameters = _filters(status, operation)
    return int(reader.value(f"SELECT COUNT(*) FROM ontology_proposals WHERE {where}",
                            **parameters))


def _filters(status: str, operation: str | None) -> tuple[str, dict[str, object]]:
    where = "agent_id = :agent"
    parameters: dict[str, object] = {}
    if status != "all":
        where += " AND status = :status"
        parameters["status"] = status
    if operation:
        where += " AND operation = :operation"
        parameters["operation"] = operation
    return where, parameters


def get_proposal(reader: Reader, proposal_id: str) -> Proposal | None:
    """One proposal; None if the agent has none such."""
    found = _proposals(reader, reader.rows(
        "SELECT * FROM ontology_proposals WHERE id = :id AND agent_id = :agent", id=proposal_id))
    return found[0] if found else None


def _proposals(reader: Reader, rows: Sequence[Row]) -> tuple[Proposal, ...]:
    asked = [(text(row["operation"]), json_object(row["payload"])) for row in rows]
    targets = resolve_targets(reader, asked)
    return tuple(_proposal(row, payload, target)
                 for row, (_, payload), target in zip(rows, asked, targets, strict=True))


def _proposal(row: Row, payload: dict[str, object], target: Target) -> Proposal:
    operation = text(row["operation"])
    return Proposal(
        id=row["id"], agent_id=text(row["agent_id"]), operation=operation,
        status=text(row["status"]), payload=payload, confidence=number(row["confidence"]),
        rationale=text(row["rationale"]), evidence=json_array(row["evidence"]),
        risk=row["risk"], source_kind=row["source_kind"], source_id=row["source_id"],
        source_path=row["source_path"], source_root=row["source_root"],
        created_by=text(row["created_by"]), applied_by=row["applied_by"],
        rejected_by=row["rejected_by"], result=json_object(row["result"]) or None,
        created_at=text(row["created_at"]), updated_at=text(row["updated_at"]),
        applied_at=row["applied_at"], rejected_at=row["rejected_at"],
        target_id=target.entity.id if target.entity else None, target_name=target.name,
        summary=summary(operation, payload, target),
    )


def evidence(reader: Reader, proposal_id: str) -> tuple[Evidence, ...]:
    """What a proposal rests on: its evidence and its own source, as text with the quote."""
    row = reader.row(
        "SELECT evidence, source_kind, source_id, source_path FROM ontology_proposals"
        " WHERE id = :id AND agent_id = :agent", id=proposal_id)
    if row is None:
        return ()
    source = {key: row[key] for key in ("source_kind", "source_id", "source_path")}
    return resolve(reader, json_array(row["evidence"]), source)


def conflicts(reader: Reader) -> tuple[Conflict, ...]:
    """Pending proposals that want different values for one slot, most proposals first."""
    slots: dict[tuple[str, str, str, str], list[Pending]] = {}
    for item in pending_targets(reader):
        if item.operation in ("add_claim_value", "set_claim_value") and item.target.slot:
            slots.setdefault(item.target.slot, []).append(item)
    found = [_conflict(items) for items in slots.values()
             if len({canonical(_wanted(item)) for item in items}) > 1]
    return tuple(sorted(found, key=lambda conflict: -len(conflict.proposal_ids)))


def _wanted(item: Pending) -> str:
    return first_text(item.payload, "value", "content")


def _conflict(items: Sequence[Pending]) -> Conflict:
    target = items[0].target
    return Conflict(
        target.name, target.aspect, target.group_key, target.claim_key,
        tuple(item.id for item in items),
        tuple({"proposal_id": item.id, "value": _wanted(item), "confidence": item.confidence}
              for item in items))
