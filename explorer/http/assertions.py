"""Assertions: who said what about an entity or a claim, and when."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field, JsonValue

from core.errors import OperationError
from core.model.times import parse_time
from core.model.vocabulary import ASSERTION_STATUSES, PREDICATES
from core.ontology.change_provenance import Source
from core.ontology.foreign_assertions import refuse_foreign_observer
from core.queries.assertions import AssertionFilters, find_assertion
from explorer.assertions_json import assertion_json, listed
from explorer.caller_arguments import Arguments, Json
from explorer.graph_for_caller import Door
from explorer.http.endpoint import NOT_BLANK, Endpoint, Limit, Offset, Reply, Words
from explorer.http.operations import Flag, carry_out
from explorer.model_json import plain

A_TIME: dict[str, JsonValue] = {
    "pattern": r"^[12][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])"
               r"(T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z)?$"}
"""A day or a moment, for a schema; more spellings of ISO 8601 are read."""


class Listing(Arguments):
    """Which assertions."""

    entity: str = Field("", description="Only about this entity, by name or id")
    entity_id: str = Field("", description="The same as `entity`")
    attribute_id: str = Field("", description="Only about this claim value")
    predicate: str = Field("", description="Only said so",
                           json_schema_extra={"enum": ["", *PREDICATES]})
    status: str = Field("active", description="Only these; empty: all",
                        json_schema_extra={"enum": ["", *ASSERTION_STATUSES, "all"]})
    speaker: str = Field("", description="Only by this speaker")
    source_kind: str = Field("", description="Only from such a source")
    source_id: str = Field("", description="Only from this source")
    query: str = Field("", description="Words in the text")
    limit: Limit = 50
    offset: Offset = 0


def list_assertions(door: Door, given: Listing) -> Json:
    """List assertions, the latest said first."""
    filters = AssertionFilters(
        **given.model_dump(exclude={"entity", "entity_id", "limit", "offset"}),
        entity=given.entity_id or given.entity)
    with door.read() as reader:
        return listed(reader, filters, given.limit, given.offset)


class One(Arguments):
    """An assertion."""

    id: Words = Field(description="Its id, or its first six or more characters")


def assertion(door: Door, given: One) -> Json:
    """Read an assertion."""
    with door.read() as reader:
        return assertion_json(find_assertion(reader, given.id))


class Grounds(Arguments):
    """What an assertion rests on."""

    evidence: list[Any] | None = Field(
        None, description="What it rests on: objects with quote, and source_id of a memory")
    source_kind: str | None = Field(None, description="What it comes from, such as transcript")
    source_id: str | None = Field(None, description="The id of that")
    source_path: str | None = Field(None, description="Its path")
    source_root: str | None = Field(None, description="The folder that the path begins at")
    observer_id: str | None = Field(None, description="Who observed it; only the agent itself")
    created_by: str | None = Field(None, description="Not read: the headers say who asks")
    actor: str | None = Field(None, description="Not read: the headers say who asks")

    @property
    def source(self) -> Source:
        """Where it comes from."""
        return Source(self.source_kind, self.source_id, self.source_path, self.source_root)


def _a_time(text: str) -> str:
    if text and parse_time(text) is None:
        raise ValueError("is no time")
    return text


class Said(Grounds):
    """What is said."""

    predicate: str = Field("", description="How it is said",
                           json_schema_extra={"enum": list(PREDICATES)})
    content: str = Field("", description="What is said", json_schema_extra=NOT_BLANK)
    speaker: str = Field("", description="Who says it")
    asserted_at: Annotated[str, AfterValidator(_a_time)] = Field(
        "", description="When it was said; now, if left out", json_schema_extra=A_TIME)
    confidence: float | None = Field(None, description="How sure it is; 0.7, if left out")
    claim_attribute_id: str = Field(
        "", description="The id of the claim value that it speaks of")
    entity: str = Field("", description="What it is about, by name", json_schema_extra=NOT_BLANK)
    entity_id: str = Field("", description="What it is about, by id", json_schema_extra=NOT_BLANK)

    def payload(self) -> Json:
        """What the operation itself takes; an id of the entity before its name."""
        given = self.model_dump(exclude=set(Grounds.model_fields) | {"id"})
        if self.entity_id:
            given.pop("entity")
        return {name: value for name, value in given.items() if value not in ("", None)}


class Created(Said):
    """An assertion to record."""

    model_config = ConfigDict(json_schema_extra={
        "required": ["predicate", "content"],
        "anyOf": [{"required": ["entity"]}, {"required": ["entity_id"]}]})


def create(door: Door, given: Created) -> Reply:
    """Record who said what about an entity or a claim; no claim changes."""
    if not (given.entity.strip() or given.entity_id.strip()):
        raise OperationError(400, "entity or entity_id is required", field="entity")
    return Reply(201, _recorded(door, "create_assertion", given.payload(), given))


class Superseded(Said):
    """An assertion, and what takes its place."""

    model_config = ConfigDict(json_schema_extra={"required": ["content"]})

    id: Words = Field(description="The id of the one that is superseded")


def supersede(door: Door, given: Superseded) -> object:
    """Put a new assertion in the place of one, about the same entity."""
    return _recorded(door, "supersede_assertion", {**given.payload(), "id": given.id}, given)


def _recorded(door: Door, operation: str, payload: Json, given: Said) -> object:
    refuse_foreign_observer(given.observer_id, door.workspace.agent)
    return _done(door, operation, payload, evidence=given.evidence or (), source=given.source)


def _done(
    door: Door, operation: str, payload: Mapping[str, object], **grounds: Any
) -> object:
    """The assertion as it is then, or the proposal where a person decides."""
    done = carry_out(door, operation, payload, **grounds)
    if done.waits:
        return Reply(202, {"proposed": True, "proposal": plain(done.proposal)})
    with door.read() as reader:
        return assertion_json(find_assertion(reader, str((done.result or {})["assertionId"])))


class Linked(One):
    """An assertion, and the claim value that it speaks of."""

    model_config = ConfigDict(json_schema_extra={"required": ["attribute_id"]})

    attribute_id: str = Field("", description="The id of the claim value",
                              json_schema_extra=NOT_BLANK)


def link(door: Door, given: Linked) -> object:
    """Link an assertion to the claim value that it speaks of."""
    if not given.attribute_id.strip():
        raise OperationError(400, "attribute_id is required", field="attribute_id")
    return _done(door, "link_assertion", {"id": given.id, "attribute_id": given.attribute_id})


class Archived(One):
    """An assertion to archive."""

    reason: str = Field("", description="Why")
    actor: str | None = Field(None, description="Not read: the headers say who asks")


def archive(door: Door, given: Archived) -> object:
    """Archive an assertion. An agent's wish waits for a person."""
    return _done(door, "archive_assertion", {"id": given.id}, reason=given.reason)


def restore(door: Door, given: One) -> object:
    """Restore an archived assertion."""
    return _done(door, "restore_assertion", {"id": given.id})


class Promoted(One):
    """An assertion, and the claim that it becomes the value of."""

    aspect: str | None = Field(None, description="The aspect; that of its claim, if left out")
    group_key: str = Field("general", description="The claim's group")
    claim_key: str | None = Field(None, description="The claim's key; of its claim, if left out")
    kind: Literal["attribute", "constraint"] = Field("attribute", description="What it is")
    force: Flag = Field(False, description="Replace an active constraint, or add beside one")


def promote(door: Door, given: Promoted) -> object:
    """Make what was asserted the value of a claim."""
    return _done(door, "promote_assertion", given.model_dump(exclude_none=True))


_API = "/api/ontology/assertions"
_SAID = {"entity": "Alice", "predicate": "prefers", "content": "Helix over Vim",
         "speaker": "Alice", "evidence": [{"quote": "I like Helix more"}]}
_ID: Json = {"id": "3f9a1c20"}

ASSERTIONS = (
    Endpoint("GET", _API, list_assertions, Listing, refuses=(404, 409),
             example={"entity": "Alice", "status": "active"}),
    Endpoint("POST", _API, create, Created, "modify", also=(201,), refuses=(404, 409),
             example=_SAID),
    Endpoint("GET", f"{_API}/{{id}}", assertion, One, refuses=(404, 409), example=_ID),
    Endpoint("POST", f"{_API}/{{id}}/link-claim", link, Linked, "modify", also=(202,),
             refuses=(404, 409), example={**_ID, "attribute_id": "v-seven"}),
    Endpoint("POST", f"{_API}/{{id}}/archive", archive, Archived, "modify", also=(202,),
             refuses=(404, 409), example={**_ID, "reason": "She took it back"}),
    Endpoint("POST", f"{_API}/{{id}}/restore", restore, One, "modify", also=(202,),
             refuses=(404, 409), example=_ID),
    Endpoint("POST", f"{_API}/{{id}}/supersede", supersede, Superseded, "modify", also=(202,),
             refuses=(404, 409), example={**_ID, "content": "Helix, since today"}),
    Endpoint("POST", f"{_API}/{{id}}/promote", promote, Promoted, "modify", also=(202,),
             refuses=(404, 409), example=_ID),
)
