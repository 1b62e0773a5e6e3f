"""Operations that make one of several: merge entities, merge aspects."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import BeforeValidator, Field, model_validator

from core.errors import OperationError
from core.model.names import canonical
from core.ontology import phrases
from core.ontology.aspects import RenameAspect, rename_aspect
from core.ontology.movings import move_all
from core.ontology.payloads import ENTITY, Force, OperationInfo, Payload, Text, called
from core.ontology.provenance import Provenance, archive_marks
from core.ontology.resolve_or_create import reactivate_aspect
from core.ontology.signet_limits import require_column
from core.queries.selectors import entity_or_none, find_aspect, find_entity
from core.store.database import Row
from core.store.handles import Reader, Writer

Result = dict[str, object]


def _as_list(value: object) -> object:
    """One selector stands for a list of one; blanks are left out."""
    if isinstance(value, str):
        value = [value]
    if isinstance(value, list | tuple):
        value = [item.strip() if isinstance(item, str) else item for item in value]
        return [item for item in value if item != ""]
    return value


Texts = Annotated[list[Text], BeforeValidator(_as_list)]


class MergeEntities(Payload):
    """What `merge_entities` takes."""

    info = OperationInfo(
        line="Merge with {other}", past={"Merge": "Merged"}, pin_matters=True, other_goes=True,
        arguments=("target_entity", "source_entities"),
        entity=("target_entity_id", "target_entity"),
        other=("source_entity_ids", "source_entities"),
    )

    target_entity: Text | None = Field(
        None, validation_alias=called("target_entity", "target"),
        description="The entity that stays, by name or id",
    )
    target_entity_id: Text | None = Field(None, description="The entity that stays, by id")
    source_entities: Texts = Field(
        [], validation_alias=called("source_entities", "sources", "source_entity", "source"),
        description="The entities that go into it, by name or id",
    )
    source_entity_ids: Texts = Field(
        [], validation_alias=called("source_entity_ids", "source_entity_id"),
        description="The entities that go into it, by id",
    )
    force: Force = Field(False, description="Merge pinned entities and entities of other types")

    @model_validator(mode="after")
    def _has_two_sides(self) -> "MergeEntities":
        if not (self.target_entity or self.target_entity_id):
            raise ValueError("target_entity is required")
        if not (self.source_entities or self.source_entity_ids):
            raise ValueError("source_entities are required")
        return self

    def title(self, reader: Reader) -> str:
        return f"Merge into {phrases.short(self._target_name(reader))}"

    def sentence(self, reader: Reader) -> str:
        names = [
            phrases.quoted(phrases.entity_name(reader, one), 60)
            for one in self.source_entity_ids or self.source_entities
        ]
        more = f" and {len(names) - 4} more" if len(names) > 4 else ""
        into = phrases.quoted(self._target_name(reader))
        return f"Merge {', '.join(names[:4])}{more} into {into}; only that one stays."

    def _target_name(self, reader: Reader) -> str:
        return phrases.entity_name(reader, self.target_entity_id or self.target_entity)


def merge_entities(writer: Writer, fields: MergeEntities, provenance: Provenance) -> Result:
    """Merge entities into one that stays; everything of the others moves to it.

    Pinned sources and sources of another type need `force`. Signet loses what its merge does not
    name: provenance of mentions, assertions, tasks, aliases; and its merge fails on a link that
    both have. Here all of it moves, and a double is dropped. Two active values may come to stand
    in one claim; that is left for a person to settle.
    """
    target = _meant(writer, fields.target_entity_id, fields.target_entity, "target_entity")
    found, already = _sources(writer, fields)
    sources = [row for row in found if row["id"] != target["id"]]
    if not sources and not already:
        raise OperationError(400, "No distinct source entities to merge", field="source_entities")
    warnings = _warnings(target, sources)
    if warnings and not fields.force:
        raise OperationError(409, "; ".join(warnings), field="force", do="Use force to merge them")
    merged, relations = [], 0
    for source in sources:
        moved = move_all(writer, source["id"], target["id"], provenance)
        relations += moved.links
        merged.append({
            "name": source["name"], "entityId": source["id"], "movedAspects": moved.aspects,
        })
    if sources:
        mentions = sum(int(row["mentions"] or 0) for row in (target, *sources))
        writer.update(
            "entities", target["id"],
            mentions=mentions, updated_at=writer.now(), **provenance.stamp(),
        )
    return {
        "targetEntityId": target["id"], "targetEntityName": target["name"],
        "mergedEntities": merged, "alreadyMergedEntities": already,
        "warnings": warnings, "relationshipsChanged": relations,
    }


def _meant(reader: Reader, entity_id: str | None, selector: str | None, field: str) -> Row:
    """The entity by id, else by selector; 409 if both are given and disagree."""
    if not entity_id:
        return find_entity(reader, selector or "", field=field)
    row = entity_or_none(reader, entity_id)
    if row is None or row["status"] != "active":
        raise OperationError(404, f"Entity not found: {entity_id}", field=f"{field}_id")
    if selector and not _is_called(row, selector):
        raise OperationError(
            409, f"The id is that of {row['name']}, not of {selector}", field=field
        )
    return row


def _is_called(row: Row, selector: str) -> bool:
    return selector == row["id"] or canonical(selector) in (
        canonical(row["name"]), row["canonical_name"]
    )


def _sources(reader: Reader, fields: MergeEntities) -> tuple[list[Row], list[str]]:
    """The distinct sources, ids first, and the ids of those that an earlier merge took."""
    already = [
        one for one in fields.source_entity_ids
        if entity_or_none(reader, one) is None and _was_merged(reader, one)
    ]
    by_id = [
        _meant(reader, one, None, "source_entity")
        for one in fields.source_entity_ids if one not in already
    ]
    rows = {row["id"]: row for row in by_id}
    for selector in fields.source_entities:
        if fields.source_entity_ids:
            if not already and not any(_is_called(row, selector) for row in by_id):
                raise OperationError(
                    409, f"None of the ids is that of {selector}", field="source_entities"
                )
        else:
            row = find_entity(reader, selector, field="source_entities")
            rows[row["id"]] = row
    return list(rows.values()), already


def _was_merged(reader: Reader, entity_id: str) -> bool:
    return bool(reader.value(
        "SELECT 1 FROM ontology_proposals WHERE agent_id = :agent AND status = 'applied'"
        " AND operation = 'merge_entities' AND instr(result, :id) LIMIT 1",
        id=f'"entityId":"{entity_id}"',
    ))


def _warnings(target: Row, sources: Sequence[Row]) -> list[str]:
    warnings = []
    for row in sources:
        if row["pinned"]:
            warnings.append(f"{row['name']} is pinned")
        if row["entity_type"] != target["entity_type"]:
            warnings.append(
                f"{row['name']} is a {row['entity_type']}, and differs from target type"
                f" {target['entity_type']}"
            )
    return warnings


class MergeAspects(Payload):
    """What `merge_aspects` takes."""

    info = OperationInfo(
        line="Merge into aspect {aspect}", past={"Merge": "Merged"}, aspect=("target_aspect",),
    )

    entity: Text = Field(validation_alias=ENTITY, description="The entity's name or id")
    target_aspect: Text = Field(
        validation_alias=called("target_aspect", "target", "target_aspect_id", "aspect"),
        description="The aspect that stays, by name or id",
    )
    source_aspects: Texts = Field(
        validation_alias=called("source_aspects", "sources", "source_aspect", "source"),
        min_length=1, description="The aspects that go into it, by name or id",
    )
    new_name: Text | None = Field(None, description="A new name for the one that stays")

    def title(self, reader: Reader) -> str:
        return f"Merge into {phrases.short(self._target_name(reader))}"

    def sentence(self, reader: Reader) -> str:
        names = ", ".join(phrases.quoted(one, 60) for one in self.source_aspects[:4])
        into, of = phrases.quoted(self._target_name(reader)), self.entity
        name = phrases.quoted(phrases.entity_name(reader, of))
        return f"Merge the aspects {names} of {name} into {into}."

    def _target_name(self, reader: Reader) -> str:
        return phrases.aspect_name(reader, self.entity, self.target_aspect)


def merge_aspects(writer: Writer, fields: MergeAspects, provenance: Provenance) -> Result:
    """Merge aspects of an entity into one; all their claims move, the emptied ones are archived.

    The claims keep the proposals that they came from.
    """
    entity = find_entity(writer, fields.entity, field="entity")
    require_column(writer, "entity_aspects", "status", "archive an aspect")
    target = find_aspect(writer, entity["id"], fields.target_aspect)
    found = [find_aspect(writer, entity["id"], one) for one in fields.source_aspects]
    sources = {row["id"]: row for row in found if row["id"] != target["id"]}
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
