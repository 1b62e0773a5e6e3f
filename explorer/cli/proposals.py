"""`ontology proposals`, `proposal`, `evidence`, `conflicts`, `propose`, `apply`, `reject`."""

from collections.abc import Callable, Collection, Mapping, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

import typer

from core.errors import ConstellationError, OperationError
from core.model.dispute import DECISIONS
from core.model.proposal import Evidence, Proposal
from core.model.text_formatting import counted
from core.ontology import operation_catalog
from core.ontology import proposals as verdicts
from core.ontology.control import check_payload
from core.ontology.proposals import Outcome
from core.ontology.request_descriptions import describe
from core.ontology.step_titles import with_name
from core.queries import find_by_name_or_id
from core.queries.disputes import NO_DECISIONS, dispute_of, keeps_proposals
from core.review import proposal_queue as queue
from core.review.batch_warnings import apply_unless_outdated, batch_risks
from core.review.queue_order import GroupBy, SortBy, listing
from core.review.warnings import warnings as warnings_of
from core.store.reader_and_writer import Reader, Writer
from explorer.cli import output
from explorer.cli.errors import typed
from explorer.cli.given_files import read_json
from explorer.cli.open_graph import reading
from explorer.cli.options import (
    EVERYONE,
    OPERATOR,
    Actor,
    AgentName,
    DryRun,
    EvidenceFile,
    Force,
    Json,
    Limit,
    Offset,
    Reason,
    Store,
)
from explorer.cli.run_operation import Asked, carry_out, decide, tell_changes
from explorer.operation_outcome import new_ids, without
from explorer.queue_json import queue_json

Id = Annotated[str, typer.Argument(metavar="ID", help="The proposal's id, or its first "
                                                      "characters.")]
Ids = Annotated[
    list[str], typer.Argument(metavar="ID", help="The proposals' ids, or their first characters.")
]
_DECIDES = {"apply": "ontology apply", "reject": "ontology reject",
            "both": "ontology reject --both-hold"}
"""The commands that decide a dispute."""
NO_PROPOSALS = (
    f"{NO_DECISIONS}: the older one is told as disputed until “ontology claim supersede”"
    " retires one of the two")


class Status(StrEnum):
    """What became of a proposal; `all` for any."""

    pending = "pending"
    applied = "applied"
    rejected = "rejected"
    failed = "failed"
    all = "all"


def list_proposals(
    status: Annotated[Status, typer.Option("--status", help="Which.")] = Status.pending,
    operation: Annotated[str, typer.Option("--operation", help="Only this operation.")] = "",
    sort: Annotated[SortBy, typer.Option(
        "--sort", help="`worth` puts first what a decision on is worth most.")] = "newest",
    group_by: Annotated[GroupBy, typer.Option(
        "--group-by", help="Put those beside each other that have this in common.")] = "none",
    limit: Limit = 50, offset: Offset = 0, store: Store = None, agent: AgentName = EVERYONE,
    as_json: Json = False,
) -> None:
    """List pending proposals, last changed first.

    A decision is worth most where much of what the agent is told would differ, and where it is
    least certain: the window sorts and groups the same way.
    """
    if (sort, group_by) != ("newest", "none"):
        _list_in_order(status, operation, sort, group_by, limit, offset, store, agent, as_json)
        return
    with reading(store, agent) as workspace, workspace.read() as reader:
        items = queue.list_proposals(reader, status=status.value, operation=operation or None,
                                     limit=limit, offset=offset)
        total = queue.count_proposals(reader, status.value, operation or None)
        keeps = keeps_proposals(reader)
    if output.answered(as_json, {"items": items, "limit": limit, "offset": offset, "count": total}):
        return
    output.table(("id", "status", "target", "what", "confidence", "by"),
                 ((p.id, p.status, p.target_name, p.summary, p.confidence or "", p.created_by)
                  for p in items), empty="No pending proposals.")
    if not keeps:
        output.note(NO_PROPOSALS)
    if total > offset + len(items):
        output.note(f"{len(items)} of {total}; --offset {offset + len(items)} shows more")


def _list_in_order(
    status: Status, operation: str, sort: SortBy, group_by: GroupBy, limit: int, offset: int,
    store: Path | None, agent: str, as_json: bool,
) -> None:
    if status != Status.pending:
        raise OperationError(400, "Only pending proposals are sorted and grouped", field="--status")
    with reading(store, agent) as workspace, workspace.read() as reader:
        page = listing(reader, operation or None, sort, group_by, limit, offset)
    grouped = group_by != "none"
    if output.answered(as_json, queue_json(page, limit, offset, grouped=grouped)):
        return
    if grouped:
        output.table(("group", "proposals", "worth"),
                     ((line.name, line.count, line.worth) for line in page.groups), empty="")
    output.table(("id", "target", "what", "confidence", "by", "worth"),
                 ((item.proposal.id, item.target, item.proposal.summary, item.confidence or "",
                   item.source, item.worth) for item in page.items),
                 empty="No pending proposals.")
    if page.count > offset + len(page.items):
        output.note(f"{len(page.items)} of {page.count}; "
                    f"--offset {offset + len(page.items)} shows more")


def show_proposal(
    proposal: Id, store: Store = None, agent: AgentName = EVERYONE, as_json: Json = False
) -> None:
    """Show a proposal: what would change, why, and its warnings."""
    with reading(store, agent) as workspace, workspace.read() as reader:
        row = _existing(reader, proposal)
        described = describe(reader, row.operation, row.payload)
        evidence = queue.evidence(reader, row.id)
        warnings = warnings_of(reader, row)
        disputed = dispute_of(reader, row.id) is not None
    if output.answered(as_json, row):
        return
    output.say(described.sentence)
    output.table(("", ""), _about(row), empty="")
    for warning in warnings:
        output.say(f"! {typed(warning)}")
    if disputed:
        output.table(("", ""), ((_DECIDES[verb], what) for verb, what in DECISIONS.items()),
                     empty="")
    _tell_evidence(evidence)


def _existing(reader: Reader, proposal_id: str) -> Proposal:
    proposal = queue.get_proposal(reader, find_by_name_or_id.proposal_id(reader, proposal_id))
    if proposal is None:
        raise OperationError(404, f"Proposal not found: {proposal_id}",
                             do="“constellation ontology proposals” lists them")
    return proposal


def _about(proposal: Proposal) -> list[tuple[str, object]]:
    verdict = proposal.applied_by or proposal.rejected_by
    return [row for row in (
        ("status", f"{proposal.status} by {verdict}" if verdict else proposal.status),
        ("operation", proposal.operation), ("confidence", proposal.confidence or ""),
        ("risk", proposal.risk), ("by", proposal.created_by), ("when", proposal.created_at),
        ("why", proposal.rationale),
    ) if row[1] not in (None, "")]


def evidence(
    proposal: Id, store: Store = None, agent: AgentName = EVERYONE, as_json: Json = False
) -> None:
    """Show the evidence of a proposal."""
    with reading(store, agent) as workspace, workspace.read() as reader:
        row = _existing(reader, proposal)
        items = queue.evidence(reader, row.id)
    if not output.answered(as_json, {"proposal": row, "items": items, "count": len(items)}):
        _tell_evidence(items)


def _tell_evidence(items: Sequence[Evidence]) -> None:
    output.table(("evidence", "when", "says"),
                 ((item.label or item.kind, item.when, item.quote or item.text) for item in items),
                 empty="It has no evidence.")


def conflicts(store: Store = None, agent: AgentName = EVERYONE, as_json: Json = False) -> None:
    """List proposals that conflict: different values for one claim."""
    with reading(store, agent) as workspace, workspace.read() as reader:
        items = queue.conflicts(reader)
    if output.answered(as_json, {"items": items, "count": len(items)}):
        return
    output.table(("entity", "aspect", "claim", "proposal", "value"),
                 ((c.entity, c.aspect, c.claim_key, v["proposal_id"], v["value"])
                  for c in items for v in c.values), empty="No proposals conflict.")


def propose(
    operation: Annotated[str, typer.Option("--operation", help="Such as set_claim_value.")],
    payload_file: Annotated[
        Path, typer.Option("--payload-file", help="Its payload, a JSON object; - for standard "
                                                  "input.")
    ],
    confidence: Annotated[
        float | None, typer.Option("--confidence", min=0, max=1, help="Confidence, 0 to 1.")
    ] = None,
    evidence_file: EvidenceFile = None, store: Store = None, agent: AgentName = EVERYONE,
    actor: Actor = OPERATOR, reason: Reason = "",
    force: Annotated[bool, typer.Option(
        "--force", help="Also add a payload that is not valid for the operation.")] = False,
    as_json: Json = False,
) -> None:
    """Propose any operation."""
    operation_catalog.find_operation(operation)
    payload = read_json(payload_file)
    if not isinstance(payload, dict):
        raise ConstellationError("A payload is a JSON object", where=str(payload_file))
    if not force:
        check_payload(operation, payload)
    decide(operation, payload, Asked(
        store=store, agent=agent, actor=actor, reason=reason, evidence_file=evidence_file,
        dry_run=False, propose=True, as_json=as_json, confidence=confidence,
    ))


def apply(
    proposals: Ids, force: Force = False, dry_run: DryRun = False, store: Store = None,
    agent: AgentName = EVERYONE, actor: Actor = OPERATOR, as_json: Json = False,
) -> None:
    """Apply proposals; one undo reverts all of them.

    What makes an entity comes before what needs it. One whose target was changed after it was
    proposed needs --force; what else is to be minded is noted.

    An id that is wrong or decided already stops everything before it begins. A proposal that
    can't be carried out as the graph is now stops no other.
    """
    def change(writer: Writer, ids: Sequence[str]) -> tuple[Outcome, ...]:
        risks.update(batch_risks(writer, ids))
        return apply_unless_outdated(writer, ids, force=force)

    risks: dict[str, Sequence[str]] = {}
    _decide("Apply", proposals, change, store, agent, actor, as_json, dry_run, risks, force=force)


def reject(
    proposals: Ids, reason: Reason = "",
    both_hold: Annotated[bool, typer.Option(
        "--both-hold", help="Of a dispute: both values hold; neither is retired.")] = False,
    dry_run: DryRun = False, store: Store = None, agent: AgentName = EVERYONE,
    actor: Actor = OPERATOR, as_json: Json = False,
) -> None:
    """Reject proposals; the graph is not changed, but of a dispute the newer value is retired.

    An id that is wrong or decided already stops everything before it begins.
    """
    _decide("Reject", proposals,
            partial(verdicts.reject_proposals, reason=reason, both_hold=both_hold), store, agent,
            actor, as_json, dry_run)


def _decide(
    verb: str, ids: Sequence[str], decide: Callable[[Writer, Sequence[str]], tuple[Outcome, ...]],
    store: Path | None, agent: str, actor: str, as_json: bool, dry_run: bool = False,
    risks: Mapping[str, Sequence[str]] = MappingProxyType({}), *, force: bool = False,
) -> None:
    waiting: dict[str, Proposal] = {}

    def change(writer: Writer) -> tuple[Outcome, ...]:
        waiting.update(_waiting(writer, ids))
        return decide(writer, tuple(waiting))

    def label(outcomes: Sequence[Outcome]) -> str:
        decided = sum(outcome.error is None for outcome in outcomes)
        names = [with_name(each.summary, each.target_name) for each in waiting.values()]
        return f"{verb}: {names[0] if len(names) == 1 else counted(decided, 'proposal')}"

    outcomes, changes = carry_out(store, agent, actor, label, change, dry_run=dry_run,
                                  force=force)
    _tell(outcomes, as_json, dry_run, new_ids(changes), risks)
    if not as_json:
        tell_changes(changes)
    _end(outcomes, as_json)


def _waiting(reader: Reader, ids: Sequence[str]) -> dict[str, Proposal]:
    """The proposals that are meant, by id; raises OperationError unless all of them wait."""
    proposals = {(one := _existing(reader, each)).id: one for each in ids}
    for proposal in proposals.values():
        if proposal.status != "pending":
            raise OperationError(409, f"Proposal {output.short_id(proposal.id)} is "
                                      f"{proposal.status}, not pending",
                                 do="Nothing was decided" if len(proposals) > 1 else "")
    return proposals


def _tell(outcomes: Sequence[Outcome], as_json: bool, dry_run: bool = False,
          hidden: Collection[str] = (),
          risks: Mapping[str, Sequence[str]] = MappingProxyType({})) -> None:
    if as_json:
        output.answer_json({
            "items": [{"id": o.proposal_id, "operation": o.operation, "status": o.status,
                       "result": without(o.result, hidden), "error": o.error and str(o.error),
                       **({"warnings": list(risks[o.proposal_id])}
                          if risks.get(o.proposal_id) else {})}
                      for o in outcomes],
            "count": len(outcomes), "dryRun": dry_run,
        })
        return
    for outcome in outcomes:
        for risk in risks.get(outcome.proposal_id, ()):
            output.note(f"! {output.short_id(outcome.proposal_id)}: {risk}")
        if outcome.error is None:
            said = f"would be {outcome.status}" if dry_run else outcome.status
            output.say(f"{outcome.proposal_id}  {outcome.operation}  {said}")


def _end(outcomes: Sequence[Outcome], as_json: bool) -> None:
    """Say what was refused, where JSON has not said it, and leave with 2 if anything was."""
    refused = [outcome for outcome in outcomes if outcome.error is not None]
    for outcome in refused if not as_json else ():
        output.note(f"constellation: {outcome.proposal_id}: {outcome.error}")
    if refused:
        raise typer.Exit(2)
