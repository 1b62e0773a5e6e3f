"""Operations on where a claim stands and what it rests on: move, detach a source."""

import json
from typing import Any

from pydantic import Field, model_validator

from core.errors import OperationError
from core.ontology import wording
from core.ontology.change_provenance import Provenance
from core.ontology.claim_slots import GENERAL, SlotKey, slot_rows
from core.ontology.payload_base import ASPECT, Key, OperationInfo, Payload, Result, called
from core.ontology.resolve_or_create import resolve_aspect, resolve_entity
from core.ontology.row_reference_fields import AspectName, EntityName, SourceId, ValueId
from core.queries.find_by_name_or_id import find_value, memory_id, value_or_none
from core.queries.rows_to_model import json_array
from core.store.database import Row
from core.store.reader_and_writer import Reader, Writer

_CHAIN = ("SELECT * FROM entity_attributes WHERE aspect_id = :aspect AND +agent_id = :agent"
          " AND (id IN (:id, :root) OR version_root_id = :root OR superseded_by = :id)")


class OneValue(Payload):
    """An input about one stored value."""

    attribute_id: ValueId = Field(validation_alias=called("attribute_id", "claim_attribute_id"),
                               description="The id of a value of the claim")

    def subject(self, reader: Reader) -> str:
        return self.spot(reader)

    def spot(self, reader: Reader) -> str:
        """`schedule · start time`."""
        row = value_or_none(reader, self.attribute_id)
        if row is None:
            return "a deleted value"
        return wording.slot(row["aspect"], row["claim_key"]) if row["claim_key"] else (
            wording.short(row["content"]))


class MoveClaim(OneValue):
    """What `move_claim` takes."""

    info = OperationInfo(line="Move {slot}", past={"Move": "Moved"}, entity=(), aspect=(),
                         arguments=("attribute_id",))

    aspect: AspectName | None = Field(None, validation_alias=ASPECT,
                                description="The aspect to move it to; as before, if left out")
    entity: EntityName | None = Field(
        None, validation_alias=called("entity", "entity_id", "target_entity", "target_entity_id"),
        description="The entity to move it to; as before, if left out")
    group_key: Key | None = Field(None, validation_alias=called("group_key", "group"),
                                  description="Its new group; as before, if left out")
    claim_key: Key | None = Field(None, validation_alias=called("claim_key", "claim"),
                                  description="Its new key; as before, if left out")

    @model_validator(mode="after")
    def _says_where(self) -> "MoveClaim":
        if not (self.aspect or self.entity or self.group_key or self.claim_key):
            raise ValueError("aspect or entity is required")
        return self

    def sentence(self, reader: Reader) -> str:
        where = [f"to {wording.named(reader, self.entity)}" if self.entity else "",
                 f"under the aspect {wording.quoted(self.aspect)}" if self.aspect else "",
                 f"in the group {self.group_key}" if self.group_key else "",
                 f"as {self.claim_key}" if self.claim_key else ""]
        return f"Move {self.spot(reader)} {', '.join(filter(None, where))}, with its versions."


def move_claim(writer: Writer, fields: MoveClaim, provenance: Provenance) -> Result:
    """Move a claim with all its versions to another aspect, entity, group or key.

    What is asserted about it goes along. A claim that is there already is never mixed with it
    (409).
    """
    row = find_value(writer, fields.attribute_id)
    entity_id = str(row["entity_id"])
    if fields.entity:
        entity_id, _ = resolve_entity(writer, fields.entity, provenance)
    aspect_id, aspect = resolve_aspect(
        writer, entity_id, fields.aspect or str(row["aspect"]), provenance)
    slot = SlotKey(aspect_id, row["kind"], fields.group_key or row["group_key"] or GENERAL,
                   fields.claim_key or row["claim_key"] or "")
    versions = _versions(writer, row)
    ids = [version["id"] for version in versions]
    if slot.claim_key and any(other["id"] not in ids for other in slot_rows(writer, slot)):
        raise OperationError(
            409, f"{wording.slot(aspect, slot.claim_key)} is a claim already",
            field="claim_key", do="Choose another claim key, or change that claim")
    new: dict[str, object] = {"aspect_id": aspect_id, "updated_at": writer.now()}
    new |= {name: value for name, value in (
        ("group_key", fields.group_key), ("claim_key", fields.claim_key)) if value}
    if any(row[name] != value for name, value in new.items() if name != "updated_at"):
        writer.update_where("entity_attributes", "id IN (SELECT value FROM json_each(:ids))"
                            " AND +agent_id = :agent", new, ids=ids)
    if entity_id != row["entity_id"]:
        writer.update_where(
            "epistemic_assertions", "claim_attribute_id IN (SELECT value FROM json_each(:ids))"
            " AND +agent_id = :agent",
            {"subject_entity_id": entity_id, "updated_at": writer.now()}, ids=ids)
    return {"entityId": entity_id, "aspectId": aspect_id, "attributeId": row["id"],
            "movedAttributeIds": ids}


def _versions(reader: Reader, row: Row) -> list[Row]:
    """All values of the claim that a value is one of; of a value without a key, its versions."""
    if row["claim_key"]:
        same = slot_rows(reader, SlotKey(row["aspect_id"], row["kind"],
                                         row["group_key"] or GENERAL, row["claim_key"]))
        if any(version["id"] == row["id"] for version in same):
            return same
    return reader.rows(_CHAIN, aspect=row["aspect_id"], id=row["id"],
                       root=row["version_root_id"] or row["id"])


class DetachSource(OneValue):
    """What `detach_source` takes."""

    info = OperationInfo(line="Detach a source from {slot}", past={"Detach": "Detached"})

    source: SourceId = Field(
        validation_alias=called("source", "source_id", "memory_id", "source_path"),
        description="The id of the memory or session, or the path of the file")

    def title(self, reader: Reader) -> str:
        return f"Detach a source from {self.spot(reader)}"

    def sentence(self, reader: Reader) -> str:
        row = value_or_none(reader, self.attribute_id)
        value = wording.quoted(row["content"]) if row else "a deleted value"
        return f"Let {value} no longer rest on {wording.short(self.source)}; the value stays."


def detach_source(writer: Writer, fields: DetachSource, provenance: Provenance) -> Result:
    """Let a fact no longer rest on a source, which neither says nor supports it; the fact stays.

    The evidence keeps a mark of it, without words, so that its proposal's evidence does not take
    its place.
    """
    row = find_value(writer, fields.attribute_id)
    names = {fields.source, memory_id(writer, fields.source)}
    kept, gone = _parted(json_array(row["proposal_evidence"]) or _proposed(writer, row), names)
    new: dict[str, object] = {}
    if row["memory_id"] in names and row["memory_id"] != row["id"]:
        new["memory_id"] = None
    if {row["source_id"], row["source_path"]} & names:
        new |= dict.fromkeys(("source_kind", "source_id", "source_path", "source_root"))
    if not (new or gone):
        raise OperationError(404, "The value does not rest on this source", field="source",
                             do="“ontology claim evidence” lists what it rests on")
    mark = {"detached": fields.source, "by": writer.actor, "at": writer.now()}
    writer.update("entity_attributes", row["id"], **new, updated_at=writer.now(),
                  proposal_evidence=json.dumps([*kept, mark], ensure_ascii=False,
                                               separators=(",", ":")))
    return {"attributeId": row["id"], "entityId": row["entity_id"], "detached": fields.source}


def _proposed(reader: Reader, row: Row) -> tuple[object, ...]:
    return json_array(reader.value(
        "SELECT evidence FROM ontology_proposals WHERE id = :id AND agent_id = :agent",
        id=row["proposal_id"]))


_NAMED_BY = ("memory_id", "memoryId", "source_id", "sourceId", "session_key", "sessionKey",
             "source_path", "sourcePath", "path")


def _parted(items: tuple[object, ...], names: set[str]) -> tuple[list[Any], list[Any]]:
    """The pieces of evidence that name none of these sources, and those that do."""
    gone = [item for item in items
            if isinstance(item, dict) and any(item.get(key) in names for key in _NAMED_BY)
            or isinstance(item, str) and item.removeprefix("memory:") in names]
    return [item for item in items if item not in gone], gone
