"""Proposals and the person's verdicts, and what claims and links rest on."""

from collections.abc import Callable
from typing import Annotated, Any, cast

from pydantic import ConfigDict, Field

from core.errors import OperationError
from core.model.proposal import Conflict, Proposal
from core.model.text_formatting import counted
from core.ontology import control
from core.ontology import proposals as verdicts
from core.ontology.proposals import Outcome
from core.queries import find_by_name_or_id
from core.review import proposal_queue as queue
from core.review import queue_order
from core.review.batch_warnings import apply_unless_outdated
from core.store.reader_and_writer import Reader, Writer
from explorer import evidence_json, knowledge_json
from explorer.caller_arguments import Arguments, Json
from explorer.graph_for_caller import Door
from explorer.http.endpoint import Endpoint, Limit, Offset, Words, within
from explorer.http.knowledge import OfClaim, Values
from explorer.http.operations import MANY, Flag, OneOperation, without_author
from explorer.queue_json import queue_json

STATUSES = ("pending", "applied", "rejected", "failed", "all")


class Queue(Arguments):
    """Which proposals."""

    status: str = Field("all", description="Only these", json_schema_extra={"enum": list(STATUSES)})
    operation: str = Field("", description="Only of this operation")
    sort: str = Field("newest", description="Their order; `worth` puts first what a decision on is "
                      "worth most. Other than `newest` only with status `pending`",
                      json_schema_extra={"enum": list(queue_order.SORTS)})
    group_by: str = Field("none", description="What those beside each other have in common; only "
                          "with status `pending`",
                          json_schema_extra={"enum": list(queue_order.GROUPS)})
    limit: Limit = 50
    offset: Annotated[int, within(0, 10_000), Field(
        description="How many items to pass over, up to 10,000")] = 0


def list_proposals(door: Door, given: Queue) -> Json:
    """List proposals, last changed first."""
    for field, choices in (("status", STATUSES), ("sort", queue_order.SORTS),
                           ("group_by", queue_order.GROUPS)):
        if getattr(given, field) not in choices:
            raise OperationError(400, f"{field} is invalid", field=field,
                                 do=f"Choose one of {', '.join(choices)}")
    if (given.sort, given.group_by) != ("newest", "none"):
        return _in_order(door, given)
    with door.read() as reader:
        items = queue.list_proposals(reader, status=given.status, limit=given.limit,
                                     operation=given.operation or None, offset=given.offset)
        total = queue.count_proposals(reader, given.status, given.operation or None)
    return {"items": items, "limit": given.limit, "offset": given.offset, "count": total}


def _in_order(door: Door, given: Queue) -> Json:
    if given.status != "pending":
        raise OperationError(400, "Only pending proposals are sorted and grouped", field="status")
    with door.read() as reader:
        listing = queue_order.listing(
            reader, given.operation or None, cast(queue_order.SortBy, given.sort),
            cast(queue_order.GroupBy, given.group_by), given.limit, given.offset)
    return queue_json(listing, given.limit, given.offset, grouped=given.group_by != "none")


class One(Arguments):
    """A proposal."""

    id: Words = Field(description="Its id, or its first six or more characters")


def proposal(door: Door, given: One) -> Proposal:
    """Read a proposal: what would change, why, and what became of it."""
    with door.read() as reader:
        return _existing(reader, given.id)


def _existing(reader: Reader, id: str) -> Proposal:
    known = queue.get_proposal(reader, find_by_name_or_id.proposal_id(reader, id))
    if known is None:
        raise OperationError(404, "Proposal not found", field="id")
    return known


def evidence(door: Door, given: One) -> Json:
    """Read what a proposal rests on, as text."""
    with door.read() as reader:
        known = _existing(reader, given.id)
        items = queue.evidence(reader, known.id)
    return {"proposal": known, "items": items, "count": len(items)}


class Most(Arguments):
    """How many."""

    limit: Annotated[int, within(1, 1000), Field(description="The most items, 1 to 1000")] = 500


def conflicts(door: Door, given: Most) -> Json:
    """List pending proposals that want different values for one claim."""
    with door.read() as reader:
        items = [_conflict(each) for each in queue.conflicts(reader)[:given.limit]]
    return {"items": items, "count": len(items)}


def _conflict(conflict: Conflict) -> Json:
    values = [{"proposalId": value["proposal_id"], "value": value["value"],
               "confidence": value["confidence"]} for value in conflict.values]
    return {"entity": conflict.entity, "aspect": conflict.aspect, "groupKey": conflict.group_key,
            "claimKey": conflict.claim_key, "values": values,
            "proposalIds": list(conflict.proposal_ids), "count": len(values)}


def propose(door: Door, given: OneOperation) -> Proposal:
    """Propose an operation; nothing changes until a person applies it."""
    request = given.request()
    id = door.write(
        f"Propose: {request.operation.replace('_', ' ')}",
        lambda writer: control.propose(
            writer, request.operation, request.payload, reason=request.rationale,
            evidence=request.evidence, confidence=request.confidence, risk=request.risk,
            source=request.source))
    with door.read() as reader:
        return _existing(reader, id)


class Proposals(Arguments):
    """Many proposals, and what holds for all of them."""

    model_config = ConfigDict(json_schema_extra={"required": ["proposals"]})

    proposals: list[Any] = Field([], description="1 to 500 proposals", json_schema_extra=MANY)
    source_kind: str | None = Field(None, description="What all come from")
    source_id: str | None = Field(None, description="The id of that")
    source_path: str | None = Field(None, description="Its path")
    source_root: str | None = Field(None, description="The folder that the path begins at")
    created_by: str | None = Field(None, description="Not read: the headers say who asks")


def propose_many(door: Door, given: Proposals) -> Json:
    """Propose 1 to 500 operations: all or none."""
    defaults = {"confidence": 0.0, **given.model_dump(
        include={"source_kind", "source_id", "source_path", "source_root"}, exclude_none=True)}
    wanted = without_author(given.proposals)
    report = door.write(f"Propose {counted(len(wanted), 'operation')}",
                        lambda writer: control.batch(writer, wanted, "propose", defaults))
    with door.read() as reader:
        items = [queue.get_proposal(reader, outcome.proposal_id) for outcome in report.items]
    return {"items": items, "count": len(items)}


class Applied(One):
    """A proposal to apply."""

    force: Flag = Field(False, description="Also over what was changed since, and pinned entities")
    actor: str | None = Field(None, description="Not read: the headers say who decides")


def apply(door: Door, given: Applied) -> Proposal:
    """Apply a proposal. Only a person may."""
    return _decided(door, given.id, "Apply",
                    lambda writer, id: apply_unless_outdated(writer, [id], force=given.force))


class Rejected(One):
    """A proposal to reject."""

    reason: str = Field("", description="Why")
    actor: str | None = Field(None, description="Not read: the headers say who decides")


def reject(door: Door, given: Rejected) -> Proposal:
    """Reject a proposal. Only a person may."""
    return _decided(door, given.id, "Reject",
                    lambda writer, id: verdicts.reject_proposals(writer, [id], given.reason))


def _decided(
    door: Door, id: str, verb: str, decide: Callable[[Writer, str], tuple[Outcome, ...]]
) -> Proposal:
    with door.read() as reader:
        known = _existing(reader, id)
    [outcome] = door.write(f"{verb}: {known.summary}", lambda writer: decide(writer, known.id))
    outcome.or_raise()
    with door.read() as reader:
        return _existing(reader, known.id)


class Grounds(Values):
    """Which values of a claim."""

    limit: Limit = 20
    offset: Offset = 0


def claim_evidence(door: Door, given: Grounds) -> Json:
    """List the values of a claim, newest first, each with what it rests on."""
    with door.read() as reader:
        return evidence_json.claim_evidence(
            reader, given.entity, given.aspect, given.group, given.claim, kind=given.kind,
            status=given.status, limit=given.limit, offset=given.offset)


class Versions(OfClaim):
    """A claim."""

    kind: str = Field("attribute", description="`attribute` or `constraint`",
                      json_schema_extra={"enum": ["attribute", "constraint"]})


def claim_versions(door: Door, given: Versions) -> Json:
    """List every version of a claim, newest first."""
    kind = given.kind if given.kind == "constraint" else "attribute"
    with door.read() as reader:
        return knowledge_json.versions(reader, given.entity, given.aspect, given.group,
                                       given.claim, kind=kind)


class OneVersion(Versions):
    """A version of a claim."""

    version: int = Field(ge=1, description="Its number, from 1")


def claim_version(door: Door, given: OneVersion) -> Json:
    """Read one version of a claim."""
    items: list[Json] = claim_versions(door, given)["items"]
    for item in items:
        if item["version"] == given.version:
            return item
    raise OperationError(404, "Claim version not found", field="version")


class OneLink(Arguments):
    """A link."""

    id: Words = Field(description="Its id")


def link_evidence(door: Door, given: OneLink) -> Json:
    """Read a link with what it rests on."""
    with door.read() as reader:
        return evidence_json.link_evidence(reader, given.id)


_API = "/api/ontology"
_CREATE = {"operation": "create_entity", "payload": {"name": "Alice", "entity_type": "person"},
           "rationale": "She was mentioned twice"}
_CLAIM = {"entity": "Alice", "aspect": "preferences", "group": "general", "claim": "editor"}

ONTOLOGY = (
    Endpoint("GET", f"{_API}/proposals", list_proposals, Queue,
             example={"status": "pending", "limit": 20}),
    Endpoint("GET", f"{_API}/proposals/conflicts", conflicts, Most),
    Endpoint("GET", f"{_API}/proposals/{{id}}", proposal, One, refuses=(404, 409),
             example={"id": "3f9a1c20"}),
    Endpoint("GET", f"{_API}/proposals/{{id}}/evidence", evidence, One, refuses=(404, 409),
             example={"id": "3f9a1c20"}),
    Endpoint("POST", f"{_API}/proposals", propose, OneOperation, "modify", refuses=(404, 409),
             example=_CREATE),
    Endpoint("POST", f"{_API}/proposals/batch", propose_many, Proposals, "modify",
             refuses=(404, 409), example={"proposals": [_CREATE]}),
    Endpoint("POST", f"{_API}/proposals/{{id}}/apply", apply, Applied, "modify",
             refuses=(404, 409), example={"id": "3f9a1c20"}),
    Endpoint("POST", f"{_API}/proposals/{{id}}/reject", reject, Rejected, "modify",
             refuses=(404, 409), example={"id": "3f9a1c20", "reason": "She is a ship"}),
    Endpoint("GET", f"{_API}/claims/evidence", claim_evidence, Grounds, refuses=(404, 409),
             example=_CLAIM),
    Endpoint("GET", f"{_API}/claims/versions", claim_versions, Versions, refuses=(404, 409),
             example=_CLAIM),
    Endpoint("GET", f"{_API}/claims/version", claim_version, OneVersion, refuses=(404, 409),
             example={**_CLAIM, "version": 1}),
    Endpoint("GET", f"{_API}/links/{{id}}/evidence", link_evidence, OneLink, refuses=(404,),
             example={"id": "d-uses"}),
)
