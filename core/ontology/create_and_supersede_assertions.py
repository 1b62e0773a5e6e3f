"""Operations on assertions: who said what about an entity or a claim. Create, supersede, link."""

from typing import Annotated, Any, Literal

from msgspec.structs import replace
from pydantic import BeforeValidator, Field

from core.errors import OperationError
from core.model.names import canonical
from core.model.vocabulary import PREDICATES
from core.ontology import wording
from core.ontology.change_provenance import UNKNOWN, Provenance, Source, encode
from core.ontology.older_file_refusals import require_assertions
from core.ontology.payload_base import (
    ENTITY,
    Items,
    OperationInfo,
    Payload,
    Result,
    Share,
    Text,
    called,
)
from core.ontology.row_reference_fields import AssertionId, EntityName, ValueId
from core.ontology.tasks import Moment
from core.queries.assertions import assertion_or_none, assertion_row
from core.queries.authors import is_person
from core.queries.find_by_name_or_id import find_entity, value_or_none
from core.queries.rows_to_model import text
from core.store.database import Row
from core.store.reader_and_writer import Reader, Writer, new_id

USUAL = 0.7
"""The confidence of an assertion that names none (upstream's)."""
OF_A_CLAIM = "ontology_claim"
"""The source kind of an assertion that was concluded from a claim value of the agent."""


def _predicate(value: object) -> object:
    if value not in PREDICATES:
        raise ValueError(f"is invalid; choose one of {', '.join(PREDICATES)}")
    return value


Predicate = Annotated[
    Literal["claims", "believes", "observed", "decided", "prefers", "denies", "questions"],
    BeforeValidator(_predicate)]
ID = called("id", "assertion_id", "assertion")
ATTRIBUTE = called("attribute_id", "claim_attribute_id")


class CreateAssertion(Payload):
    """What `create_assertion` takes."""

    info = OperationInfo(
        line="Record {content}", past={"Record": "Recorded"}, value=("content",), beside=True,
        arguments=("entity", "predicate", "content"),
    )

    entity: EntityName = Field(validation_alias=ENTITY,
                               description="What it is about, by name or id")
    predicate: Predicate = Field(description="How it is said")
    content: Text = Field(description="What is said")
    speaker: Text | None = Field(None, description="Who says it")
    asserted_at: Moment | None = Field(None, description="When it was said; now, if left out")
    confidence: Share = Field(None, description="Confidence, 0 to 1; 0.7, if left out")
    attribute_id: ValueId | None = Field(
        None, validation_alias=ATTRIBUTE, description="The claim value that it speaks of, by id")
    evidence: Items = Field([], description="What it rests on")

    def title(self, reader: Reader) -> str:
        said = wording.quoted(self.content, 60)
        return f"Record that {_who(self.speaker)} {self.predicate} {said}"

    def sentence(self, reader: Reader) -> str:
        return (f"Record of {wording.named(reader, self.entity)} that {_who(self.speaker)}"
                f" {self.predicate}: {wording.quoted(self.content)}.")


def _who(speaker: object) -> str:
    return wording.short(speaker or "someone", 30)


def create_assertion(writer: Writer, fields: CreateAssertion, provenance: Provenance) -> Result:
    """Record who said what about an entity or a claim; no claim changes.

    It needs evidence or a source (400); a person's own word is the source of what the person
    records. Without a speaker it is nobody's in particular. (Signet takes any text for the speaker
    and asks a person for evidence, too.)
    """
    require_assertions(writer)
    entity_id = find_entity(writer, fields.entity, field="entity")["id"]
    return _insert(writer, entity_id, _said(fields), fields.attribute_id,
                   grounded(writer, fields.evidence, provenance))


def grounded(writer: Writer, evidence: list[Any], provenance: Provenance) -> Provenance:
    """Its grounds with the payload's evidence; 400 where there is neither evidence nor source."""
    own = replace(provenance, evidence=(*provenance.evidence, *evidence))
    if own.source.kind == OF_A_CLAIM and value_or_none(writer, own.source.id or "") is None:
        raise OperationError(400, "source_id must be the id of a claim value of this agent",
                             field="source_id")
    if own.evidence or own.source != UNKNOWN:
        return own
    if not is_person(writer):
        raise OperationError(400, "evidence or source provenance is required", field="evidence")
    return replace(own, source=Source("operator", writer.actor))


def _said(fields: Any) -> dict[str, object]:
    """The columns that say what was said."""
    return {"predicate": fields.predicate, "content": fields.content, "speaker": fields.speaker,
            "asserted_at": fields.asserted_at, "confidence": fields.confidence}


def _insert(writer: Writer, entity_id: str, said: dict[str, object], attribute_id: str | None,
            provenance: Provenance, **more: object) -> Result:
    if attribute_id:
        claim_of(writer, entity_id, attribute_id)
    id, now = new_id(), writer.now()
    usual = {"asserted_at": now, "confidence": USUAL}
    writer.insert(
        "epistemic_assertions", id=id, agent_id=writer.agent, subject_entity_id=entity_id,
        claim_attribute_id=attribute_id, normalized_content=canonical(str(said["content"])),
        evidence=encode(provenance.evidence), status="active", created_by=writer.actor,
        created_at=now, updated_at=now, **provenance.source.columns(),
        **{column: usual.get(column) if value is None else value
           for column, value in said.items()}, **more)
    return {"assertionId": id, "entityId": entity_id, "claimAttributeId": attribute_id}


def claim_of(reader: Reader, entity_id: str, attribute_id: str) -> Row:
    """An active claim value of the entity; 404 where there is none, 409 if it is another's."""
    value = value_or_none(reader, attribute_id)
    if value is None or value["status"] != "active":
        raise OperationError(404, "claim attribute was not found", field="attribute_id",
                             do="Use the id of a value that is in force")
    if value["entity_id"] != entity_id:
        raise OperationError(409, "claim attribute belongs to a different entity",
                             field="attribute_id")
    return value


class OneAssertion(Payload):
    """An input about one assertion."""

    id: AssertionId = Field(validation_alias=ID,
                     description="The assertion's id, or its first six or more characters")

    def subject(self, reader: Reader) -> str:
        return self.words(reader, 60)

    def words(self, reader: Reader, limit: int = 160) -> str:
        """What it says, in quotes."""
        row = assertion_or_none(reader, self.id)
        return wording.quoted(text(row["content"]), limit) if row else "a deleted assertion"

    def title(self, reader: Reader) -> str:
        return f"{self.verb} assertion {self.subject(reader)}"


class SupersedeAssertion(OneAssertion):
    """What `supersede_assertion` takes."""

    info = OperationInfo(
        line="Supersede assertion: {content}", past={"Supersede": "Superseded"},
        assertion=("id",), value=("content",), arguments=("id", "content"),
    )

    content: Text = Field(description="What is said now")
    predicate: Predicate | None = Field(None, description="How it is said; as before, if left out")
    speaker: Text | None = Field(None, description="Who says it; as before, if left out")
    asserted_at: Moment | None = Field(None, description="When it was said; now, if left out")
    confidence: Share = Field(None, description="Confidence, 0 to 1; 0.7, if left out")
    attribute_id: ValueId | None = Field(
        None, validation_alias=ATTRIBUTE,
        description="The claim value that it speaks of; as before, if left out")
    entity: EntityName | None = Field(
        None, validation_alias=ENTITY, description="What it is about; it must be as before")
    evidence: Items = Field([], description="What it rests on")

    def sentence(self, reader: Reader) -> str:
        return (f"Supersede the assertion {self.words(reader)} by"
                f" {wording.quoted(self.content)}.")


def supersede_assertion(
    writer: Writer, fields: SupersedeAssertion, provenance: Provenance
) -> Result:
    """Put a new assertion in the place of one; the old one is kept as superseded.

    Predicate, speaker, source and claim are those of the old one where none are given, evidence is
    not. (Signet also supersedes one that was superseded already, which leaves two in its place;
    here that is 409. It drops the link to the claim; here it stays while the value is in force.)
    """
    old = assertion_row(writer, fields.id)
    _refuse_superseded(writer, old)
    entity_id = old["subject_entity_id"]
    if fields.entity and find_entity(writer, fields.entity, field="entity")["id"] != entity_id:
        raise OperationError(409, "supersede cannot change assertion subject entity",
                             field="entity")
    said = {**_said(fields), "predicate": fields.predicate or old["predicate"],
            "speaker": fields.speaker or old["speaker"]}
    source = Source(*(old[f"source_{part}"] for part in ("kind", "id", "path", "root")))
    if provenance.source == UNKNOWN:
        provenance = replace(provenance, source=source)
    result = _insert(writer, entity_id, said, fields.attribute_id or _still_true(writer, old),
                     grounded(writer, fields.evidence, provenance),
                     supersedes_assertion_id=old["id"])
    writer.update("epistemic_assertions", old["id"], status="superseded", updated_at=writer.now())
    return {**result, "supersededAssertionId": old["id"]}


def _refuse_superseded(reader: Reader, old: Row) -> None:
    if old["status"] == "superseded":
        newer = reader.value(
            "SELECT id FROM epistemic_assertions WHERE supersedes_assertion_id = :id"
            " AND agent_id = :agent", id=old["id"])
        raise OperationError(409, "The assertion is superseded already", field="id",
                             do=f"Supersede the one in its place: {newer}" if newer else "")


def _still_true(reader: Reader, old: Row) -> str | None:
    value = value_or_none(reader, old["claim_attribute_id"] or "")
    return value["id"] if value is not None and value["status"] == "active" else None


class LinkAssertion(OneAssertion):
    """What `link_assertion` takes."""

    info = OperationInfo(
        line="Link assertion to {slot}", past={"Link": "Linked"}, assertion=("id",),
    )

    attribute_id: ValueId = Field(validation_alias=ATTRIBUTE,
                               description="The claim value that it speaks of, by id")

    def sentence(self, reader: Reader) -> str:
        value = value_or_none(reader, self.attribute_id)
        claim = wording.slot(value["aspect"], value["claim_key"]) if value else "a deleted claim"
        return f"Link the assertion {self.words(reader)} to {claim}."


def link_assertion(writer: Writer, fields: LinkAssertion, provenance: Provenance) -> Result:
    """Link an assertion to the claim value that it speaks of."""
    row = assertion_row(writer, fields.id)
    value = claim_of(writer, row["subject_entity_id"], fields.attribute_id)
    writer.update("epistemic_assertions", row["id"], claim_attribute_id=value["id"],
                  updated_at=writer.now())
    return {"assertionId": row["id"], "claimAttributeId": value["id"]}
