"""Reads proposals: the queue, one in full, its evidence, pending ones, conflicts."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from core.model.names import canonical, name_key, spoken
from core.model.proposal import Conflict, Evidence, Proposal
from core.queries.evidence_as_text import resolve
from core.queries.knowledge import PendingSlots
from core.queries.rows_to_model import json_array, json_object, number, text
from core.store.database import Row
from core.store.reader_and_writer import Reader

if TYPE_CHECKING:
    from core.ontology.request_descriptions import RoughTargets, Target

PENDING = 1000
"""Pending proposals that are looked at for what touches an entity or a slot, newest first."""
PREVIEW = 140
"""Characters of the line in the queue."""


def list_proposals(
    reader: Reader, *, status: str = "pending", operation: str | None = None,
    created_by: str | None = None, limit: int = 50, offset: int = 0,
) -> tuple[Proposal, ...]:
    """Proposals, last changed first; `status` may be `all`.

    Args:
        created_by: only what this author has asked others for.
    """
    where, parameters = _filters(status, operation, created_by)
    rows = reader.rows(
        f"SELECT * FROM ontology_proposals WHERE {where}"
        " ORDER BY updated_at DESC, id LIMIT :limit OFFSET :offset",
        limit=limit, offset=offset, **parameters)
    return _proposals(reader, rows)


def pending_with_targets(
    reader: Reader, operation: str | None = None, most: int = PENDING
) -> "list[tuple[Proposal, Target]]":
    """The newest pending proposals, each with what it is about."""
    where, parameters = _filters("pending", operation, None)
    rows = reader.rows(f"SELECT * FROM ontology_proposals WHERE {where}"
                       " ORDER BY updated_at DESC, id LIMIT :limit", limit=most, **parameters)
    return _with_targets(reader, rows)


def count_proposals(
    reader: Reader, status: str = "pending", operation: str | None = None,
    created_by: str | None = None,
) -> int:
    """How many proposals there are; `status` may be `all`."""
    where, parameters = _filters(status, operation, created_by)
    return int(reader.value(f"SELECT COUNT(*) FROM ontology_proposals WHERE {where}",
                            **parameters))


def pending_place(reader: Reader, proposal_id: str) -> int:
    """The place of a pending proposal among all of them, from 1, last changed first; 0 if it is
    none."""
    return int(reader.value(
        "SELECT (SELECT COUNT(*) FROM ontology_proposals o WHERE o.agent_id = :agent"
        " AND o.status = 'pending' AND (o.updated_at > p.updated_at"
        " OR o.updated_at = p.updated_at AND o.id <= p.id)) FROM ontology_proposals p"
        " WHERE p.id = :id AND +p.agent_id = :agent AND +p.status = 'pending'",
        id=proposal_id) or 0)


def count_decided_elsewhere(reader: Reader, own: Sequence[str]) -> int:
    """How many decided proposals there are beside those that were decided at the times `own`."""
    return int(reader.value(_DECIDED_ELSEWHERE, own=list(own)))


_DECIDED_ELSEWHERE = """
SELECT COUNT(*) FROM ontology_proposals
WHERE agent_id = :agent AND status IN ('applied', 'rejected', 'failed')
  AND operation NOT IN ('undo', 'redo')
  AND coalesce(applied_at, rejected_at, updated_at) NOT IN (SELECT value FROM json_each(:own))"""


def _filters(
    status: str, operation: str | None, created_by: str | None
) -> tuple[str, dict[str, object]]:
    where = "agent_id = :agent"
    parameters: dict[str, object] = {}
    if status != "all":
        where += " AND status = :status"
        parameters["status"] = status
    if operation:
        where += " AND operation = :operation"
        parameters["operation"] = operation
    if created_by is not None:
        # What it did itself is on record as well, but was no proposal.
        where += " AND created_by = :created_by AND COALESCE(applied_by, '') <> created_by"
        parameters["created_by"] = created_by
    return where, parameters


def get_proposal(reader: Reader, proposal_id: str) -> Proposal | None:
    """One proposal; None if the agent has none such."""
    return next(iter(get_proposals(reader, [proposal_id])), None)


def get_proposals(reader: Reader, ids: Sequence[str]) -> tuple[Proposal, ...]:
    """The agent's proposals among `ids`, in that order."""
    rows = {row["id"]: row for row in reader.rows(
        "SELECT * FROM ontology_proposals WHERE id IN (SELECT value FROM json_each(:ids))"
        " AND +agent_id = :agent", ids=list(ids))}
    return _proposals(reader, [rows[id] for id in ids if id in rows])


def _proposals(reader: Reader, rows: Sequence[Row]) -> tuple[Proposal, ...]:
    return tuple(proposal for proposal, _ in _with_targets(reader, rows))


def _with_targets(reader: Reader, rows: Sequence[Row]) -> "list[tuple[Proposal, Target]]":
    payloads = [(text(row["operation"]), json_object(row["payload"])) for row in rows]
    return [(_proposal(row, payload, target), target) for row, (_, payload), target
            in zip(rows, payloads, _targets(reader, rows, payloads), strict=True)]


def _targets(
    reader: Reader, rows: Sequence[Row], payloads: Sequence[tuple[str, dict[str, object]]]
) -> "list[Target]":
    """What each is about; what was renamed or merged since it was proposed is found, too."""
    if not rows:
        return []
    # All operations take long to load, and many graphs have no proposals.
    from core.ontology.followed_names import follow, given_up  # noqa: PLC0415
    from core.ontology.request_descriptions import targets  # noqa: PLC0415

    first = targets(reader, payloads)
    lost = [at for at, target in enumerate(first)
            if target.entity is None and target.name and rows[at]["status"] == "pending"]
    names = given_up(reader) if lost else frozenset()
    lost = [at for at in lost if name_key(first[at].name) in names]
    if not lost:
        return first
    again = targets(reader, [(payloads[at][0], follow(
        reader, *payloads[at], text(rows[at]["created_at"]))) for at in lost])
    for at, target in zip(lost, again, strict=True):
        first[at] = target
    return first


def _proposal(row: Row, payload: dict[str, object], target: "Target") -> Proposal:
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
        summary=target.line()[:PREVIEW] or spoken(operation).capitalize(),
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


class Pending(Struct, frozen=True):
    """A pending proposal with its target."""

    id: str
    operation: str
    confidence: float
    target: "Target"


def pending_targets(reader: Reader) -> list[Pending]:
    """The newest pending proposals with their targets."""
    return reader.once(f"newest pending of {reader.agent} with targets",
                       lambda: _pending(reader, _newest_pending(reader)))


def rivals_of(reader: Reader, proposal_id: str, target: "Target") -> list[Pending]:
    """The other pending proposals about the same slot or assertion as this target.

    Of a target that is neither, those about the same entity as a whole.
    """
    newest = _newest_pending(reader)
    rows = [newest[at] for at in _roughly_pending(reader).may_share(reader, target)
            if newest[at]["id"] != proposal_id]
    return [item for item in _pending(reader, rows) if _is_same(item.target, target)]


def _is_same(other: "Target", target: "Target") -> bool:
    if target.assertion_id:
        return other.assertion_id == target.assertion_id
    if target.slot is not None:
        return other.slot == target.slot
    return (target.entity is not None and other.entity is not None
            and other.entity.id == target.entity.id
            and not (other.info.beside or other.assertion_id))


def _newest_pending(reader: Reader) -> list[Row]:
    return reader.once(f"newest pending of {reader.agent}", lambda: reader.rows(
        "SELECT id, operation, payload, confidence FROM ontology_proposals"
        " WHERE agent_id = :agent AND status = 'pending'"
        " ORDER BY updated_at DESC, id LIMIT :limit", limit=PENDING))


def _roughly_pending(reader: Reader) -> "RoughTargets":
    from core.ontology.request_descriptions import RoughTargets  # noqa: PLC0415  as above

    return reader.once(f"words of pending of {reader.agent}", lambda: RoughTargets(
        (text(row["operation"]), text(row["payload"])) for row in _newest_pending(reader)))


def _pending(reader: Reader, rows: Sequence[Row]) -> list[Pending]:
    if not rows:
        return []
    from core.ontology.request_descriptions import targets_of_json  # noqa: PLC0415  as above

    payloads = [(text(row["operation"]), text(row["payload"])) for row in rows]
    return [Pending(row["id"], operation, row["confidence"] or 0.0, target)
            for row, (operation, _), target
            in zip(rows, payloads, targets_of_json(reader, payloads), strict=True)]


def pending_of(reader: Reader, entity_id: str) -> list[Pending]:
    """The pending proposals that would touch the entity, from either end of a link."""
    newest, roughly = _newest_pending(reader), _roughly_pending(reader)

    def at_places(places: Sequence[int]) -> dict[int, Pending]:
        return dict(zip(places, _pending(reader, [newest[at] for at in places]), strict=True))

    by_id = reader.once(f"pending of {reader.agent} that name ids",
                        lambda: at_places(roughly.by_id))
    return [item for _, item in sorted((by_id | at_places(roughly.naming(
        reader, entity_id))).items()) if any(
            end is not None and end.id == entity_id
            for end in (item.target.entity, item.target.other))]


def pending_slots(pending: Iterable[Pending], entity_id: str) -> PendingSlots:
    """The number of pending proposals for each slot of the entity."""
    return Counter(
        (name_key(target.aspect), target.group_key, target.claim_key)
        for target in (item.target for item in pending)
        if target.entity is not None and target.entity.id == entity_id and target.aspect)


def conflicts(reader: Reader) -> tuple[Conflict, ...]:
    """Pending proposals that want different values for one slot, most proposals first."""
    slots: dict[tuple[str, str, str, str], list[Pending]] = {}
    for item in pending_targets(reader):
        if item.target.value and item.target.slot:
            slots.setdefault(item.target.slot, []).append(item)
    disagreeing = [_conflict(items) for items in slots.values()
                   if len({canonical(item.target.value) for item in items}) > 1]
    return tuple(sorted(disagreeing, key=lambda conflict: -len(conflict.proposal_ids)))


def _conflict(items: Sequence[Pending]) -> Conflict:
    target = items[0].target
    return Conflict(
        target.name, target.aspect, target.group_key, target.claim_key,
        tuple(item.id for item in items),
        tuple({"proposal_id": item.id, "value": item.target.value,
               "confidence": item.confidence} for item in items))
