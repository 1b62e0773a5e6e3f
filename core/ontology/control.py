"""The three ways to request an operation: apply it now, propose it, or a batch of either.

A dry run is an apply inside `Workspace.rehearse`, which rolls everything back.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict, Unpack

from msgspec import Struct
from msgspec.structs import replace

from core.errors import OperationError
from core.ontology.change_provenance import UNKNOWN, Source, encode
from core.ontology.id_beginnings import with_whole_ids
from core.ontology.operation_catalog import UNCHANGED, find_operation, perform
from core.ontology.operation_request import LIMIT, OWN_WORD, OperationRequest
from core.ontology.payload_base import Result, clamped
from core.ontology.person_only_changes import (
    refuse_brought_back,
    refuse_changed_rules,
    refuse_decision,
    refuse_taken_away,
)
from core.ontology.proposals import Outcome
from core.ontology.store_proposal import create_proposal
from core.queries.authors import is_person
from core.store.reader_and_writer import Writer, new_id

Mode = Literal["apply", "propose", "dry_run"]
_CLAIMS = ("add_claim_value", "set_claim_value", "supersede_claim_value", "archive_claim_value",
           "promote_assertion")
"""The operations that ask for `force` where a constraint is in force."""
_REPLACING = {"set_claim_value": "value", "supersede_claim_value": "new_value"}
"""The operations that put a new value in the place of one, and the field that holds it."""


class Grounds(TypedDict, total=False):
    """Evidence and rationale of an operation, and whether to force it; all are optional."""

    reason: str
    evidence: Sequence[object]
    confidence: float | None
    risk: str | None
    source: Source
    force: bool


def apply(
    writer: Writer, operation: str, payload: Mapping[str, object], *, at_once: bool = False,
    **grounds: Unpack[Grounds],
) -> Outcome:
    """Apply an operation now.

    Leaves an applied proposal row as the audit, which stays when the change is undone. A
    refused operation raises OperationError and writes nothing; one without a change writes nothing
    either (`Outcome.changed`).

    A person's constraint takes the place of the one in force in its claim without `force`: the
    person names the claim, and the rule does not vanish. (Signet asks for `force` there.) What an
    agent asks for is proposed instead (`pending`), with `force` or without, where it takes
    something away, as in Signet, steers the agent, or changes a constraint in force: a person
    decides.

    Args:
        at_once: an agent's request may take something away, since it came by a tool that promises
            so; rules in force and pinned entities are left to a person all the same.
    """
    draft = _draft(operation, payload, **grounds)
    with writer.savepoint():
        return _apply(writer, draft, at_once)


def propose(
    writer: Writer, operation: str, payload: Mapping[str, object], **grounds: Unpack[Grounds]
) -> str:
    """Propose an operation; returns the proposal's id.

    If the same payload and evidence is already pending, the id of that proposal is returned.
    """
    return create_proposal(writer, _draft(operation, payload, **grounds))


def check_payload(operation: str, payload: Mapping[str, object]) -> None:
    """Refuse (400) an operation that there is not, and a payload that it can't read whole."""
    fields = find_operation(operation).fields
    fields.require_known(payload)
    fields.read(payload)


def propose_what_works(
    writer: Writer, operation: str, payload: Mapping[str, object], **grounds: Unpack[Grounds]
) -> Outcome:
    """Propose an operation that could be carried out now, as an agent does.

    Its refusals are those of `apply`, and where nothing would change nothing is proposed
    (`unchanged`). What only a person may force is proposed with `force`.
    """
    check_payload(operation, payload)
    draft = _draft(operation, payload, **grounds)
    try:
        result = _tried(writer, draft)
    except OperationError as error:
        if error.field != "force":
            raise
        draft = draft.forced()
        result = _tried(writer, draft)
    if result.get(UNCHANGED):
        return Outcome("", operation, "unchanged", result)
    return Outcome(create_proposal(writer, draft), operation, "pending")


def _tried(writer: Writer, draft: OperationRequest) -> Result:
    """What an operation would answer; it is taken back."""
    try:
        with writer.savepoint():
            raise _Tried(perform(writer, draft.operation, draft.payload,
                                 draft.provenance(new_id())))
    except _Tried as tried:
        return tried.result


class _Tried(Exception):  # noqa: N818 - no error: it takes the savepoint back
    def __init__(self, result: Result) -> None:
        self.result = result


def _draft(
    operation: str, payload: Mapping[str, object], *, reason: str = "",
    evidence: Sequence[object] = (), confidence: float | None = None, risk: str | None = None,
    source: Source = UNKNOWN, force: bool = False,
) -> OperationRequest:
    sure = clamped(confidence)
    draft = OperationRequest(operation, payload, reason.strip(), tuple(evidence),
                  OWN_WORD if sure is None else sure, risk, source).checked()
    return draft.forced() if force else draft


def _apply(writer: Writer, draft: OperationRequest, at_once: bool = False) -> Outcome:
    if is_person(writer):
        return _carry_out(writer, draft.forced() if _replaces_rule(draft) else draft)
    mild = draft.unforced() if draft.operation in _CLAIMS else draft
    try:
        return _carry_out(writer, mild, at_once)
    except OperationError as error:
        by_force = error.field == "force"
        if not by_force and error.status != 403:
            raise
        if not writer.has_column("ontology_proposals", "status"):
            raise OperationError(
                403, f"{writer.actor} may propose this, not do it, and this file is from before"
                     " proposals", do="Have a person do it") from error
        waiting = create_proposal(writer, draft.forced() if by_force else draft)
        return Outcome(waiting, draft.operation, "pending")


def _replaces_rule(draft: OperationRequest) -> bool:
    """True if it names a claim and gives it a constraint, in the place of what it has."""
    value = _REPLACING.get(draft.operation)
    fields = find_operation(draft.operation).fields.read(draft.payload) if value else None
    return (value is not None and getattr(fields, value) is not None
            and getattr(fields, "kind", "") == "constraint")


def _carry_out(writer: Writer, draft: OperationRequest, at_once: bool = False) -> Outcome:
    proposal_id = new_id()
    with writer.savepoint():
        before = writer.journal.position()
        result = perform(writer, draft.operation, draft.payload, draft.provenance(proposal_id))
        if result.get(UNCHANGED):
            return Outcome("", draft.operation, "unchanged", result)
        refuse_changed_rules(writer, before)
        refuse_brought_back(writer, before)
        refuse_taken_away(writer, before)
        if find_operation(draft.operation).of_a_person and not at_once:
            refuse_decision(writer)
    writer.audit(id=proposal_id, result=encode(result), **draft.columns())
    return Outcome(proposal_id, draft.operation, "applied", result)


class Fault(Struct, frozen=True):
    """One operation of a batch that was refused; `line` counts from 1."""

    index: int
    line: int
    operation: str
    error: str
    status: int


class Report(Struct, frozen=True):
    """The result of a batch."""

    items: tuple[Outcome, ...]
    errors: tuple[Fault, ...] = ()


def batch(
    writer: Writer,
    operations: Sequence[object],
    mode: Mode = "apply",
    defaults: Mapping[str, object] | None = None,
    *,
    each: bool = False,
) -> Report:
    """Apply, propose or dry-run 1 to 500 operations, each a JSON object with `operation`,
    `payload` and its evidence.

    Apply and propose do all or nothing and name the line at fault. A dry run continues after an
    error and lists each; it belongs inside `Workspace.rehearse`. Later operations see what earlier
    ones did.

    Args:
        each: apply or propose each on its own: one that is refused is listed, and stops no other.
    """
    if not operations:
        raise OperationError(400, "operations are required")
    if len(operations) > LIMIT:
        raise OperationError(400, f"Cannot apply more than {LIMIT} operations at once")
    own = {"confidence": OWN_WORD, **(defaults or {})}
    if mode == "dry_run" or each:
        return _go_on(writer, operations, "propose" if mode == "propose" else "apply", own)
    with writer.savepoint():
        return Report(tuple(
            _named(writer, index, item, mode, own) for index, item in enumerate(operations)
        ))


def _named(
    writer: Writer, index: int, item: object, mode: Mode, defaults: Mapping[str, object]
) -> Outcome:
    """One item; its refusal says which line it was."""
    try:
        return _one(writer, item, mode, defaults)
    except OperationError as error:
        raise OperationError(
            error.status, error.what, field=error.field, do=error.do, detail=error.detail,
            where=f"line {index + 1}{f', {error.where}' if error.where else ''}",
        ) from error


def _one(writer: Writer, item: object, mode: Mode, defaults: Mapping[str, object]) -> Outcome:
    named = item.get("operation") if isinstance(item, Mapping) else None
    if isinstance(named, str) and named.strip():
        find_operation(named.strip())  # First: a wrong name is not to be taken for a wrong payload.
    draft = OperationRequest.read(item, defaults)
    draft = replace(draft, payload=with_whole_ids(writer, draft.operation, draft.payload))
    if mode == "propose":
        return Outcome(create_proposal(writer, draft), draft.operation, "pending")
    return _apply(writer, draft)


def _go_on(
    writer: Writer, operations: Sequence[object], mode: Mode, defaults: Mapping[str, object]
) -> Report:
    items: list[Outcome] = []
    errors: list[Fault] = []
    for index, item in enumerate(operations):
        try:
            with writer.savepoint():
                items.append(_one(writer, item, mode, defaults))
        except OperationError as error:
            name = item.get("operation", "") if isinstance(item, Mapping) else ""
            errors.append(Fault(index, index + 1, str(name), error.what, error.status))
    return Report(tuple(items), tuple(errors))
