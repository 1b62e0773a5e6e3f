"""What changes the graph: operations at once, tried or proposed, alone or many."""

from collections.abc import Mapping
from typing import Annotated, Any, Unpack

from msgspec.structs import replace
from pydantic import BeforeValidator, ConfigDict, Field, JsonValue, StrictBool

from core.errors import OperationError
from core.model.text_formatting import counted
from core.ontology import control
from core.ontology.control import Grounds, Mode, Report
from core.ontology.operation_catalog import CATALOG
from core.ontology.operation_request import LIMIT, OperationRequest
from core.ontology.proposals import Outcome
from core.review import proposal_queue
from core.store.reader_and_writer import Reader, Writer
from explorer.caller_arguments import Arguments, Json
from explorer.graph_for_caller import Door
from explorer.http.endpoint import Endpoint
from explorer.operation_outcome import Done, do, done_json, new_ids, without

_AUTHORS = ("actor", "created_by")
"""What upstream lets a body say of its author; here the headers alone do."""


def carry_out(
    door: Door, operation: str, payload: Mapping[str, object], *, propose: bool = False,
    **grounds: Unpack[Grounds],
) -> Done:
    """Do one operation, or propose it: on request, or where a person decides and none calls."""
    def change(writer: Writer) -> Done:
        return do(writer, operation, payload, propose=propose, sight=door.told, **grounds)

    return door.write(lambda done: f"Propose: {done.title}" if done.waits else done.title, change)


def _as_given(flag: object) -> object:
    """Upstream's spellings of yes and no."""
    return {"true": True, "false": False}.get(flag, flag) if isinstance(flag, str) else flag


Flag = Annotated[StrictBool, BeforeValidator(_as_given)]


MANY: dict[str, JsonValue] = {"items": {"type": "object"}, "maxItems": LIMIT}
"""What a list of operations is."""


class OneOperation(Arguments):
    """An operation with its grounds."""

    model_config = ConfigDict(json_schema_extra={"required": ["operation", "payload"]})

    operation: str = Field("", description="Its name", json_schema_extra={"enum": list(CATALOG)})
    payload: Any = Field(None, description="What it takes, an object", json_schema_extra={
        "type": "object", "minProperties": 1})
    reason: str | None = Field(None, description="Why")
    rationale: str | None = Field(None, description="The same as `reason`")
    evidence: list[Any] | None = Field(
        None, description="What it rests on: objects with quote, and source_id of a memory")
    confidence: float | None = Field(None, description="How sure it is, 0 to 1")
    risk: str | None = Field(None, description="How risky it is, for the person who decides")
    source_kind: str | None = Field(None, description="What it comes from, such as transcript")
    source_id: str | None = Field(None, description="The id of that")
    source_path: str | None = Field(None, description="Its path")
    source_root: str | None = Field(None, description="The folder that the path begins at")
    actor: str | None = Field(None, description="Not read: the headers say who asks")
    created_by: str | None = Field(None, description="Not read: the headers say who asks")

    def request(self, defaults: Mapping[str, object] | None = None) -> OperationRequest:
        """It as core reads it; OperationError (400) says what is missing or not known."""
        if not self.operation.strip():
            raise OperationError(400, "operation is required", field="operation")
        fields = set(OneOperation.model_fields) - set(_AUTHORS)
        request = OperationRequest.read(
            self.model_dump(include=fields, exclude_none=True), defaults)
        control.check_payload(request.operation, request.payload)
        return request


class Applied(OneOperation):
    """An operation, and how far to go with it."""

    dry_run: Flag = Field(False, description="Tell what would change; change nothing")
    propose: Flag = Field(False, description="Only propose it")


def apply(door: Door, given: Applied) -> Json:
    """Do one operation, try it (`dry_run`), or propose it (`propose`). What takes something away,
    steers the agent or changes a rule is proposed where no person calls: `proposed` says so."""
    _one_of(given.dry_run, given.propose)
    request = given.request()
    grounds: Grounds = {
        "reason": request.rationale, "evidence": request.evidence,
        "confidence": given.confidence, "risk": request.risk, "source": request.source}
    if not given.dry_run:
        done = carry_out(door, request.operation, request.payload, propose=given.propose, **grounds)
        return done_json(done, dry_run=False, changes=())
    tried = door.workspace.rehearse(
        lambda writer: do(
            writer, request.operation, request.payload, sight=door.told, **grounds),
        actor=door.actor)
    shown = door.shown(tried.changes)
    done = tried.result if len(shown) == len(tried.changes) else replace(tried.result, result=None)
    return done_json(done, dry_run=True, changes=shown)


def _one_of(dry_run: bool, propose: bool) -> None:
    if dry_run and propose:
        raise OperationError(400, "dry_run and propose can't be combined", field="dry_run")


class Batch(Arguments):
    """Many operations, and what holds for all of them."""

    model_config = ConfigDict(
        json_schema_extra={"anyOf": [{"required": ["operations"]}, {"required": ["items"]}]})

    operations: list[Any] = Field([], description="1 to 500 operations, each as for `apply`",
                                  json_schema_extra=MANY)
    items: list[Any] = Field([], description="The same as `operations`", json_schema_extra=MANY)
    source_kind: str | None = Field(None, description="What all come from")
    source_id: str | None = Field(None, description="The id of that")
    source_path: str | None = Field(None, description="Its path")
    source_root: str | None = Field(None, description="The folder that the path begins at")
    dry_run: Flag = Field(False, description="Tell what would change; change nothing")
    propose: Flag = Field(False, description="Only propose them")
    each: Flag = Field(False, description="Each on its own: what is refused is listed in `errors`")
    actor: str | None = Field(None, description="Not read: the headers say who asks")
    created_by: str | None = Field(None, description="Not read: the headers say who asks")

    @property
    def defaults(self) -> dict[str, object]:
        """What holds for each that does not say it itself."""
        return {name: value for name in ("source_kind", "source_id", "source_path", "source_root")
                if (value := getattr(self, name)) is not None}

    @property
    def listed(self) -> list[object]:
        """The operations without what they say of their author."""
        return without_author(self.operations or self.items or [])


def without_author(items: list[Any]) -> list[object]:
    """Operations without what they say of their author: the headers do."""
    return [{name: value for name, value in item.items() if name not in _AUTHORS}
            if isinstance(item, Mapping) else item for item in items]


def batch(door: Door, given: Batch) -> Json:
    """Do, try or propose 1 to 500 operations: all or none, or with `each` each on its own. Trying
    goes on after a mistake and lists each. What a person decides about is proposed, as by `apply`.
    """
    _one_of(given.dry_run, given.propose)
    mode: Mode = "dry_run" if given.dry_run else "propose" if given.propose else "apply"

    def change(writer: Writer) -> Report:
        return control.batch(writer, given.listed, mode, given.defaults, each=given.each)

    if given.dry_run:
        tried = door.workspace.rehearse(change, actor=door.actor)
        items = [replace(item, proposal_id="") for item in tried.result.items]
        return _report(without(items, new_ids(tried.changes)), tried.result, given)
    label = f"{'Propose' if given.propose else 'Apply'} {counted(len(given.listed), 'operation')}"
    report = door.write(label, change)
    with door.read() as reader:
        return _report([_item(reader, outcome.proposal_id, outcome) for outcome in report.items],
                       report, given)


def _item(reader: Reader, id: str, outcome: Outcome) -> Json:
    return {"proposal": proposal_queue.get_proposal(reader, id) if id else None,
            "operation": outcome.operation, "status": outcome.status, "result": outcome.result,
            "proposed": outcome.status == "pending"}


def _report(items: object, report: Report, given: Batch) -> Json:
    return {"items": items, "errors": report.errors, "count": len(report.items),
            "dryRun": given.dry_run, "proposed": given.propose}


_SET = {"operation": "set_claim_value", "reason": "He said so today", "payload": {
    "entity": "Alice", "aspect": "preferences", "claim_key": "editor", "value": "Helix"}}

OPERATIONS = (
    Endpoint("POST", "/api/ontology/operations/apply", apply, Applied, "modify",
             refuses=(404, 409), example={**_SET, "dry_run": True}),
    Endpoint("POST", "/api/ontology/operations/batch", batch, Batch, "modify",
             refuses=(404, 409), example={"operations": [_SET], "dry_run": True}),
)
