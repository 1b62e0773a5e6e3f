"""Operations that give a claim a value: add, set."""

from collections.abc import Mapping

from msgspec.structs import replace
from pydantic import Field, model_validator

from core.error_advice import still_otherwise
from core.errors import OperationError
from core.model.names import canonical
from core.ontology import wording
from core.ontology.change_provenance import Provenance
from core.ontology.claim_slots import (
    GENERAL,
    SlotKey,
    active,
    insert_value,
    says,
    slot_rows,
    supersede,
)
from core.ontology.keyless_values import beside_keyless
from core.ontology.older_file_refusals import require_slots
from core.ontology.payload_base import (
    ASPECT,
    ENTITY,
    Force,
    Key,
    Kind,
    OperationInfo,
    Payload,
    Result,
    Share,
    Text,
    called,
    to_mind,
)
from core.ontology.resolve_or_create import resolve_aspect, resolve_entity
from core.ontology.row_reference_fields import AspectName, EntityName
from core.queries.corrected_links import links_otherwise
from core.queries.rows_to_model import text
from core.store.database import Row
from core.store.reader_and_writer import Reader, Writer

SLOT = ("entity", "aspect", "group_key", "claim_key")
"""The fields that name a slot, in the order of the command line."""
_TOLD = 3
"""Links that are named at most."""


class InSlot(Payload):
    """An input that names a claim slot, or one value by its id."""

    entity: EntityName = Field(validation_alias=ENTITY, description="The entity's name or id")
    entity_type: Text | None = Field(None, description="Its type, if the entity is new")
    aspect: AspectName = Field(validation_alias=ASPECT, description="The aspect's name or id")
    group_key: Key = Field(
        GENERAL, validation_alias=called("group_key", "group"), description="The claim's group"
    )
    claim_key: Key = Field(
        validation_alias=called("claim_key", "claim"), description="What the claim is about"
    )
    kind: Kind = Field("attribute", description="An attribute, or a constraint on the agent")

    @model_validator(mode="before")
    @classmethod
    def _says_something(cls, data: object) -> object:
        """A blank value is a mistake, such as an empty variable of a shell: it retires nothing."""
        given = data if isinstance(data, Mapping) else {}
        for field in cls.info.value:
            texts = {key: given[key] for key in cls.names_of(field)
                     if isinstance(given.get(key), str)}
            if texts and not any(text.strip() for text in texts.values()):
                name = next(iter(texts))
                raise OperationError(400, f"{name} is empty", field=name,
                                     do="To retire a value, use archive_claim_value")
        return data

    def spot(self, reader: Reader) -> str:
        """`schedule · start time`; marked if the aspect would be created."""
        name = wording.aspect_name(reader, self.entity, self.aspect)
        mark = wording.aspect_mark(reader, self.entity, self.aspect)
        return wording.slot(name, self.claim_key, mark)

    def spoken(self, reader: Reader) -> str:
        """The same in a sentence, which says it of a rule: `the constraint deploys · friday`."""
        return f"the constraint {self.spot(reader)}" if self.kind == "constraint" else self.spot(
            reader)

    def title(self, reader: Reader) -> str:
        new = wording.is_new_entity(reader, self.entity)
        whose = f" of {wording.short(self.entity, 30)} (new entity)" if new else ""
        return f"{self.verb} {self.spot(reader)}{whose}"

    def of(self, reader: Reader) -> str:
        """The entity's name in quotes; marked if it would be created."""
        return wording.named(reader, self.entity)

    def now(self, reader: Reader) -> list[Row]:
        """The active values of the slot; empty where slot, aspect or entity do not exist."""
        aspect = wording.the_aspect(reader, self.entity, self.aspect)
        return active(slot_rows(reader, self.slot(aspect["id"]))) if aspect else []

    def slot(self, aspect_id: str) -> SlotKey:
        """The slot under an aspect."""
        return SlotKey(aspect_id, self.kind, self.group_key, self.claim_key)


class AddClaimValue(InSlot):
    """What `add_claim_value` takes."""

    info = OperationInfo(
        line="Add to {slot}", past={"Add": "Added"}, effect="appear", label="{claim}", makes=True,
        arguments=SLOT,
    )

    value: Text = Field(
        validation_alias=called("value", "new_value"), description="The value")
    confidence: Share = Field(None, description="Confidence, 0 to 1")
    importance: Share = Field(None, description="Importance, 0 to 1")
    force: Force = Field(False, description="Add it although the claim has a constraint")

    def sentence(self, reader: Reader) -> str:
        return f"Add {wording.quoted(self.value)} to {self.spoken(reader)} of {self.of(reader)}."


def add_claim_value(writer: Writer, fields: AddClaimValue, provenance: Provenance) -> Result:
    """Add another value to a claim.

    The same value twice is one value. Siblings are not superseded. Signet stores the keys of
    this operation as given, so that `set_claim_value` never found them; here they are canonical.
    Beside a constraint of the same claim a mere attribute needs `force`.
    """
    require_slots(writer)
    entity_id, aspect_id = _resolve(writer, fields, provenance)
    warned = _beside_constraints(writer, fields, aspect_id)
    rows = active(slot_rows(writer, fields.slot(aspect_id)))
    same = [row for row in rows if says(row, fields.value)]
    if same:
        attribute_id = same[0]["id"]
    else:
        warned += beside_keyless(
            writer, entity_id, fields.kind, fields.claim_key, fields.value)
        attribute_id, _ = insert_value(
            writer, fields.slot(aspect_id), fields.value, provenance,
            confidence=fields.confidence, importance=fields.importance,
        )
    return {
        "entityId": entity_id, "aspectId": aspect_id,
        "attributeId": attribute_id, "deduped": bool(same), **to_mind(warned),
    }


class SetClaimValue(AddClaimValue):
    """What `set_claim_value` takes."""

    info = OperationInfo(
        line="Set {slot}", past={"Set": "Set"}, label="{claim}", makes=True, arguments=SLOT,
    )

    force: Force = Field(
        False, description="Add a mere value beside a constraint of the claim; who is no person"
                           " needs it also to replace a constraint"
    )

    def sentence(self, reader: Reader) -> str:
        before = [text(row["content"]) for row in self.now(reader)]
        value, spot, of = wording.quoted(self.value), self.spoken(reader), self.of(reader)
        if not before:
            return f"Set {spot} of {of} to {value}."
        if [canonical(each) for each in before] == [canonical(self.value)]:
            return f"In {of}, {spot} is {value} already; nothing changes."
        if len(before) > 1:
            return f"Set {spot} of {of} to {value}; {len(before)} values are superseded."
        return f"Change {spot} of {of} from {wording.quoted(before[0])} to {value}."


def set_claim_value(writer: Writer, fields: SetClaimValue, provenance: Provenance) -> Result:
    """Set a claim to a new value; the old one is superseded.

    An active constraint needs `force`, as in Signet, but not from a person who sets it directly
    (`control.apply`): what was replaced is in the result instead (`replacedConstraints`). A mere
    attribute beside a constraint needs `force` from everyone, since the rule would be one no more.
    (In Signet both are then in the same claim, without a warning that they conflict.)
    """
    require_slots(writer)
    entity_id, aspect_id = _resolve(writer, fields, provenance)
    warned = _beside_constraints(writer, fields, aspect_id)
    slot = fields.slot(aspect_id)
    rows = slot_rows(writer, slot)
    current = active(rows)
    where = {"entityId": entity_id, "aspectId": aspect_id}
    if len(current) == 1 and says(current[0], fields.value):
        return {**where, "attributeId": current[0]["id"], "deduped": True}
    if current and slot.kind == "constraint" and not fields.force:
        raise OperationError(
            409, f"The constraint “{wording.short(current[0]['content'])}” is active",
            field="force", do="Use force to replace it",
        )
    warned += beside_keyless(writer, entity_id, fields.kind, fields.claim_key, fields.value)
    previous = next(iter(current or rows), None)
    version = max((row["version"] or 1 for row in rows), default=0) + 1
    attribute_id, root = insert_value(
        writer, slot, fields.value, provenance, confidence=fields.confidence,
        importance=fields.importance, previous=previous, version=version,
    )
    for row in current:
        supersede(writer, row["id"], attribute_id)
    warned += still_linked(writer, attribute_id) if current else []
    return {
        **where, "attributeId": attribute_id, "version": version, "versionRootId": root,
        "previousAttributeId": previous["id"] if previous else None,
        "supersededAttributeIds": [row["id"] for row in current],
        **constraints_replaced(current), **to_mind(warned),
    }


def still_linked(reader: Reader, value_id: str) -> list[str]:
    """That links still say otherwise than a value that replaced another, and how to archive them.
    """
    return [still_otherwise(wording.quoted(words), id)
            for id, words in links_otherwise(reader, value_id)[:_TOLD]]


def constraints_replaced(rows: list[Row]) -> Result:
    """The part of a result that says which rules a value has taken the place of."""
    words = [row["content"] for row in rows if row["kind"] == "constraint"]
    return {"replacedConstraints": words} if words else {}


def standing_constraints(reader: Reader, slot: SlotKey, value: str) -> list[str]:
    """Texts of the active constraints in the same claim as a new attribute."""
    if slot.kind == "constraint":
        return []
    rows = slot_rows(reader, replace(slot, kind="constraint"))
    return [wording.in_force(row["content"]) for row in active(rows)
            if not says(row, value)]


def _beside_constraints(writer: Writer, fields: AddClaimValue, aspect_id: str) -> list[str]:
    """What is to be minded; 409 where there is one and `force` is not given."""
    sentences = standing_constraints(writer, fields.slot(aspect_id), fields.value)
    if sentences and not fields.force:
        raise OperationError(
            409, sentences[0], field="force",
            do="Change the constraint itself (kind constraint), choose another claim key, or use"
               " force to add it anyway",
        )
    return sentences


def _resolve(writer: Writer, fields: InSlot, provenance: Provenance) -> tuple[str, str]:
    entity_id, _ = resolve_entity(writer, fields.entity, provenance, fields.entity_type)
    aspect_id, _ = resolve_aspect(writer, entity_id, fields.aspect, provenance)
    return entity_id, aspect_id
