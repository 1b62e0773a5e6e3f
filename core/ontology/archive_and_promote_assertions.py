"""Operations on what becomes of an assertion: archive, restore, promote to a claim's value."""

from msgspec.structs import replace
from pydantic import Field

from core.errors import OperationError
from core.model.claims_and_assertions import AGAINST
from core.ontology import wording
from core.ontology.change_provenance import UNARCHIVED, UNKNOWN, Provenance, Source, archive_marks
from core.ontology.claim_slots import GENERAL
from core.ontology.claims import SetClaimValue, set_claim_value
from core.ontology.create_and_supersede_assertions import OneAssertion
from core.ontology.payload_base import ASPECT, Force, Key, Kind, OperationInfo, Result, Text, called
from core.ontology.row_reference_fields import AspectName
from core.queries.assertions import assertion_or_none, assertion_row
from core.queries.find_by_name_or_id import value_or_none
from core.queries.rows_to_model import json_array, text
from core.store.database import Row
from core.store.reader_and_writer import Reader, Writer


class ArchiveAssertion(OneAssertion):
    """What `archive_assertion` takes."""

    info = OperationInfo(line="Archive assertion: {content}", past={"Archive": "Archived"},
                         assertion=("id",), inverse="restore_assertion")

    reason: Text | None = Field(None, description="The reason")

    def sentence(self, reader: Reader) -> str:
        return f"Archive the assertion {self.words(reader)}."


def archive_assertion(writer: Writer, fields: ArchiveAssertion, provenance: Provenance) -> Result:
    """Archive an assertion; its evidence stays, and it can be restored."""
    row = assertion_row(writer, fields.id)
    if row["status"] != "archived":
        writer.update("epistemic_assertions", row["id"], status="archived",
                      **archive_marks(writer, fields.reason, provenance))
    return {"assertionId": row["id"], "archived": True}


class RestoreAssertion(OneAssertion):
    """What `restore_assertion` takes."""

    info = OperationInfo(line="Restore assertion: {content}", past={"Restore": "Restored"},
                         assertion=("id",), inverse="archive_assertion")

    def sentence(self, reader: Reader) -> str:
        return f"Restore the assertion {self.words(reader)} from the archive."


def restore_assertion(writer: Writer, fields: RestoreAssertion, provenance: Provenance) -> Result:
    """Restore an archived assertion; one that another is in the place of is superseded again."""
    row = assertion_row(writer, fields.id)
    if row["status"] != "archived":
        raise OperationError(409, "The assertion is not archived", field="id")
    newer = writer.value(
        "SELECT 1 FROM epistemic_assertions WHERE supersedes_assertion_id = :id"
        " AND agent_id = :agent", id=row["id"])
    status = "superseded" if newer else "active"
    writer.update("epistemic_assertions", row["id"], status=status, updated_at=writer.now(),
                  **UNARCHIVED)
    return {"assertionId": row["id"], "restored": True, "status": status}


class PromoteAssertion(OneAssertion):
    """What `promote_assertion` takes."""

    info = OperationInfo(line="Promote to a claim: {content}", past={"Promote": "Promoted"},
                         assertion=("id",))

    aspect: AspectName | None = Field(
        None, validation_alias=ASPECT,
        description="The aspect that the claim stands under; that of its claim, if left out")
    claim_key: Key | None = Field(
        None, validation_alias=called("claim_key", "claim"),
        description="What the claim is about; as its claim, if left out")
    group_key: Key = Field(GENERAL, validation_alias=called("group_key", "group"),
                           description="The claim's group")
    kind: Kind = Field("attribute", description="An attribute, or a constraint on the agent")
    force: Force = Field(
        False, description="Replace an active constraint, or add a value next to one")

    def sentence(self, reader: Reader) -> str:
        row = assertion_or_none(reader, self.id)
        spot = self.slot(reader, row) if row else {}
        claim = wording.slot(spot.get("aspect"), spot.get("claim_key")) if spot else "a claim"
        return f"Make {self.words(reader)} the value of {claim}."

    def slot(self, reader: Reader, row: Row) -> dict[str, str]:
        """The claim that it becomes the value of: the one given, else its own; empty for none."""
        if self.aspect and self.claim_key:
            return {"aspect": self.aspect, "claim_key": self.claim_key,
                    "group_key": self.group_key, "kind": self.kind}
        value = value_or_none(reader, row["claim_attribute_id"] or "")
        if value is None or not value["claim_key"] or self.aspect or self.claim_key:
            return {}
        return {"aspect": text(value["aspect"]), "claim_key": value["claim_key"],
                "group_key": value["group_key"] or GENERAL, "kind": value["kind"]}


def promote_assertion(writer: Writer, fields: PromoteAssertion, provenance: Provenance) -> Result:
    """Make what was asserted the value of a claim, with the assertion's evidence and source.

    The assertion stays, linked to the new value. What denies or questions states no value (409).
    """
    row = assertion_row(writer, fields.id)
    if row["predicate"] in AGAINST or row["status"] != "active":
        state = row["status"] if row["status"] != "active" else f"one that {row['predicate']}"
        raise OperationError(409, f"The assertion is {state}; it states no value", field="id")
    slot = fields.slot(writer, row)
    if not slot:
        raise OperationError(400, "aspect and claim_key are required", field="aspect")
    result = set_claim_value(writer, SetClaimValue.read({
        **slot, "entity": row["subject_entity_id"], "value": row["content"],
        "confidence": row["confidence"], "force": fields.force}), _grounds(row, provenance))
    writer.update("epistemic_assertions", row["id"], claim_attribute_id=result["attributeId"],
                  updated_at=writer.now())
    return {**result, "assertionId": row["id"]}


def _grounds(row: Row, provenance: Provenance) -> Provenance:
    """The assertion's own evidence and source, where no others are given."""
    source = Source(*(row[f"source_{part}"] for part in ("kind", "id", "path", "root")))
    return replace(
        provenance, evidence=provenance.evidence or json_array(row["evidence"]),
        source=source if provenance.source == UNKNOWN else provenance.source)
