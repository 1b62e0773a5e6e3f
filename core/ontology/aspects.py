"""Operations on aspects: create, rename, weigh, archive, restore, merge."""

from pydantic import Field

from core.errors import OperationError
from core.learning.aspect_weights import Step, note_weights
from core.ontology import wording
from core.ontology.change_provenance import UNARCHIVED, Provenance, archive_marks
from core.ontology.older_file_refusals import require_column
from core.ontology.payload_base import (
    ASPECT,
    ENTITY,
    NEW_NAME,
    Force,
    OperationInfo,
    Payload,
    Result,
    Text,
    called,
)
from core.ontology.resolve_or_create import reactivate_aspect, resolve_aspect
from core.ontology.row_reference_fields import AspectName, AspectNames, EntityName
from core.queries.find_by_name_or_id import find_aspect, find_entity, match_aspects
from core.queries.knowledge import get_aspect
from core.store.reader_and_writer import Reader, Writer


class _OfEntity(Payload):
    """An input about one entity's aspects."""

    entity: EntityName = Field(validation_alias=ENTITY, description="The entity's name or id")

    def _of(self, reader: Reader) -> str:
        return wording.quoted(wording.entity_name(reader, self.entity))


class CreateAspect(_OfEntity):
    """What `create_aspect` takes."""

    info = OperationInfo(
        line="Add aspect {aspect}", past={"Add": "Added"}, effect="appear", label="{aspect}",
        aspect=("name",),
    )

    name: Text = Field(validation_alias=called("name", "aspect"), description="The aspect's name")

    def title(self, reader: Reader) -> str:
        return f"Add aspect {wording.short(self.name)}"

    def sentence(self, reader: Reader) -> str:
        name, of = wording.quoted(self.name), self._of(reader)
        if wording.the_aspect(reader, self.entity, self.name):
            return f"{of} already has the aspect {name}; no change."
        if wording.aspect_mark(reader, self.entity, self.name) == wording.BACK:
            return f"Restore the aspect {name} of {of} from the archive."
        return f"Add the aspect {name} to {of}."


def create_aspect(writer: Writer, fields: CreateAspect, provenance: Provenance) -> Result:
    """Add an aspect to an entity, or restore its archived aspect of that name."""
    entity = find_entity(writer, fields.entity, field="entity")
    aspect_id, name = resolve_aspect(writer, entity["id"], fields.name, provenance)
    writer.update("entity_aspects", aspect_id, updated_at=writer.now(), **provenance.stamp())
    return {"entityId": entity["id"], "aspectId": aspect_id, "aspect": name}


class _OneAspect(_OfEntity):
    """An input about one existing aspect."""

    aspect: AspectName = Field(
        validation_alias=called(*map(str, ASPECT.choices), "name", "selector", "target"),
        description="The aspect's name or id",
    )

    def subject(self, reader: Reader) -> str:
        return wording.aspect_name(reader, self.entity, self.aspect)


class RenameAspect(_OneAspect):
    """What `rename_aspect` takes."""

    info = OperationInfo(line="Rename {aspect} to {new}", past={"Rename": "Renamed"}, label="{new}")

    new_name: Text = Field(validation_alias=NEW_NAME, description="The new name")

    def sentence(self, reader: Reader) -> str:
        old, new = wording.quoted(self.subject(reader)), wording.quoted(self.new_name)
        return f"Rename the aspect {old} of {self._of(reader)} to {new}."


def rename_aspect(writer: Writer, fields: RenameAspect, provenance: Provenance) -> Result:
    """Rename an aspect.

    Signet answers with a raw SQLite error when an archived aspect has the new name; here 409.
    """
    entity = find_entity(writer, fields.entity, field="entity")
    row = find_aspect(writer, entity["id"], fields.aspect)
    for status, advice in (
        ("active", "Choose another name"),
        ("archived", "Choose another name, or restore that one"),
    ):
        others = match_aspects(writer, entity["id"], fields.new_name, status)
        if any(other["id"] != row["id"] for other in others):
            raise OperationError(
                409, f"{entity['name']} has another {status} aspect called {fields.new_name}",
                field="new_name", do=advice,
            )
    writer.update(
        "entity_aspects", row["id"],
        name=fields.new_name, canonical_name=writer.stored_key(fields.new_name),
        updated_at=writer.now(), **provenance.stamp(),
    )
    return {
        "entityId": entity["id"], "aspectId": row["id"],
        "oldName": row["name"], "newName": fields.new_name,
    }


class WeighAspect(_OneAspect):
    """What `weigh_aspect` takes."""

    info = OperationInfo(line="Set weight of {aspect}", past={"Set": "Set"})

    weight: float = Field(ge=0, le=1, allow_inf_nan=False, description="Its weight, 0 to 1")

    def title(self, reader: Reader) -> str:
        return f"Set weight of {wording.short(self.subject(reader))} to {self.weight:g}"

    def sentence(self, reader: Reader) -> str:
        return f"Set the weight of the aspect {wording.quoted(self.subject(reader))} of" \
               f" {self._of(reader)} to {self.weight:g}."


def weigh_aspect(writer: Writer, fields: WeighAspect, provenance: Provenance) -> Result:
    """Set an aspect's weight: aspects with a higher weight are walked first.

    Sessions continue learning from this weight.
    """
    entity = find_entity(writer, fields.entity, field="entity")
    row = find_aspect(writer, entity["id"], fields.aspect)
    before = get_aspect(writer, row["id"])
    writer.update("entity_aspects", row["id"], weight=fields.weight, updated_at=writer.now(),
                  **provenance.stamp())
    if before is not None:
        note_weights(writer, [Step(before.id, before.weight, fields.weight)], by=writer.actor,
                     why=provenance.rationale or "set manually")
    return {"entityId": entity["id"], "aspectId": row["id"], "weight": fields.weight}


class ArchiveAspect(_OneAspect):
    """What `archive_aspect` takes."""

    info = OperationInfo(
        line="Archive aspect {aspect}", past={"Archive": "Archived"}, pin_matters=True,
        inverse="restore_aspect",
    )

    reason: Text | None = Field(None, description="The reason")
    force: Force = Field(False, description="Archive it even if it has constraints")

    def sentence(self, reader: Reader) -> str:
        row = wording.the_aspect(reader, self.entity, self.aspect)
        claims = _active_values(reader, row["id"]) if row else []
        tail = f" and its {len(claims)} active claims" if claims else ""
        return f"Archive the aspect {wording.quoted(self.subject(reader))} of" \
               f" {self._of(reader)}{tail}."


def archive_aspect(writer: Writer, fields: ArchiveAspect, provenance: Provenance) -> Result:
    """Archive an aspect together with its active claims.

    An aspect with active constraints needs `force`, as later Signet versions ask.
    """
    entity = find_entity(writer, fields.entity, field="entity")
    row = find_aspect(writer, entity["id"], fields.aspect)
    require_column(writer, "entity_aspects", "status", "archive an aspect")
    values = _active_values(writer, row["id"])
    constraints = sum(value["kind"] == "constraint" for value in values)
    if constraints and not fields.force:
        raise OperationError(
            409, f"{row['name']} has {constraints} active constraints", field="force",
            do="Use force to archive them too",
        )
    marks = archive_marks(writer, fields.reason, provenance)
    writer.update("entity_aspects", row["id"], status="archived", **marks, **provenance.stamp())
    for value in values:
        writer.update("entity_attributes", value["id"], status="deleted", **marks)
    return {"entityId": entity["id"], "aspectId": row["id"], "archived": True}


def _active_values(reader: Reader, aspect_id: str) -> list[dict[str, str]]:
    rows = reader.rows(
        "SELECT id, kind FROM entity_attributes"
        " WHERE aspect_id = :aspect AND agent_id = :agent AND status = 'active'",
        aspect=aspect_id,
    )
    return [{"id": row["id"], "kind": row["kind"]} for row in rows]


class RestoreAspect(_OneAspect):
    """What `restore_aspect` takes."""

    info = OperationInfo(
        line="Restore aspect {aspect}", past={"Restore": "Restored"}, inverse="archive_aspect",
    )

    def sentence(self, reader: Reader) -> str:
        name = wording.quoted(self.subject(reader))
        return f"Restore the aspect {name} of {self._of(reader)} with its claims."

    def subject(self, reader: Reader) -> str:
        entity_id = wording.entity_id(reader, self.entity)
        rows = match_aspects(reader, entity_id, self.aspect, "archived") if entity_id else []
        return rows[0]["name"] if len(rows) == 1 else self.aspect


def restore_aspect(writer: Writer, fields: RestoreAspect, provenance: Provenance) -> Result:
    """Restore an archived aspect with the claims that were archived with it.

    Those are the claims that the same change archived; what was deleted earlier stays deleted.
    """
    entity = find_entity(writer, fields.entity, field="entity")
    row = find_aspect(writer, entity["id"], fields.aspect, "archived")
    went_along = writer.rows(
        "SELECT id FROM entity_attributes WHERE aspect_id = :aspect AND agent_id = :agent"
        " AND status = 'deleted' AND archived_at = :at AND archived_by IS :by"
        " AND archive_reason IS :reason",
        aspect=row["id"], at=row["archived_at"], by=row["archived_by"],
        reason=row["archive_reason"],
    )
    reactivate_aspect(writer, row["id"], provenance)
    for value in went_along:
        writer.update(
            "entity_attributes", value["id"],
            status="active", updated_at=writer.now(), **UNARCHIVED,
        )
    return {
        "entityId": entity["id"], "aspectId": row["id"], "restored": True,
        "restoredAttributeIds": [value["id"] for value in went_along],
    }


class MergeAspects(_OfEntity):
    """What `merge_aspects` takes."""

    info = OperationInfo(
        line="Merge into aspect {aspect}", past={"Merge": "Merged"}, aspect=("target_aspect",),
    )

    target_aspect: AspectName = Field(
        validation_alias=called("target_aspect", "target", "target_aspect_id", "aspect"),
        description="The aspect to merge into, by name or id",
    )
    source_aspects: AspectNames = Field(
        validation_alias=called("source_aspects", "sources", "source_aspect", "source"),
        min_length=1, description="The aspects to merge, by name or id",
    )
    new_name: Text | None = Field(None, description="A new name for the merged aspect")

    def title(self, reader: Reader) -> str:
        return f"Merge into {wording.short(self.subject(reader))}"

    def sentence(self, reader: Reader) -> str:
        names = ", ".join(wording.quoted(one, 60) for one in self.source_aspects[:4])
        into = wording.quoted(self.subject(reader))
        return f"Merge the aspects {names} of {self._of(reader)} into {into}."

    def subject(self, reader: Reader) -> str:
        return wording.aspect_name(reader, self.entity, self.target_aspect)


def merge_aspects(writer: Writer, fields: MergeAspects, provenance: Provenance) -> Result:
    """Merge aspects of an entity into one: their claims move, the empty ones are archived.

    The claims keep the proposals that they came from.
    """
    entity = find_entity(writer, fields.entity, field="entity")
    require_column(writer, "entity_aspects", "status", "archive an aspect")
    target = find_aspect(writer, entity["id"], fields.target_aspect)
    rows = [find_aspect(writer, entity["id"], name) for name in fields.source_aspects]
    sources = {row["id"]: row for row in rows if row["id"] != target["id"]}
    if not sources:
        raise OperationError(400, "No distinct source aspects to merge", field="source_aspects")
    moved = 0
    for row in sources.values():
        moved += writer.update_where(
            "entity_attributes", "aspect_id = :source AND agent_id = :agent",
            {"aspect_id": target["id"], "updated_at": writer.now()}, source=row["id"],
        )
        writer.update(
            "entity_aspects", row["id"], status="archived",
            **archive_marks(writer, f"Merged into aspect '{target['name']}'", provenance),
            **provenance.stamp(),
        )
    reactivate_aspect(writer, target["id"], provenance)
    if fields.new_name:
        renaming = RenameAspect.read({
            "entity": entity["id"], "aspect": target["id"], "new_name": fields.new_name,
        })
        rename_aspect(writer, renaming, provenance)
    return {
        "entityId": entity["id"], "targetAspectId": target["id"],
        "targetAspect": fields.new_name or target["name"],
        "mergedAspects": [
            {"aspectId": row["id"], "name": row["name"]} for row in sources.values()
        ],
        "totalAttributesMoved": moved,
    }
