"""Splits an entity: chosen aspects, values, mentions and links go to another one."""

from collections.abc import Sequence

from pydantic import Field, model_validator

from core.errors import OperationError
from core.model.names import name_key
from core.model.text_formatting import counted
from core.ontology import wording
from core.ontology.change_provenance import Provenance
from core.ontology.payload_base import (
    ENTITY_ITSELF,
    NEW_NAME,
    OperationInfo,
    Payload,
    Result,
    Text,
    called,
)
from core.ontology.resolve_or_create import resolve_aspect, resolve_entity
from core.ontology.row_reference_fields import AspectNames, EntityName, LinkIds, MemoryIds, ValueIds
from core.queries.find_by_name_or_id import (
    find_aspect,
    find_entity,
    find_link,
    find_value,
    match_entities,
)
from core.store.database import Row
from core.store.reader_and_writer import Reader, Writer


class SplitEntity(Payload):
    """What `split_entity` takes."""

    info = OperationInfo(
        line="Split off {new}", past={"Split": "Split"}, effect="appear", label="{new}",
        arguments=("entity", "new_name"))

    entity: EntityName = Field(validation_alias=ENTITY_ITSELF, description="Its name or id")
    new_name: Text = Field(
        validation_alias=NEW_NAME,
        description="The name of the entity that takes the parts; it is created if there is none")
    entity_type: Text | None = Field(
        None, description="What the new entity is; without it the same as the old one")
    aspects: AspectNames = Field([], validation_alias=called("aspects", "aspect"),
                           description="The aspects that go, by name or id")
    values: ValueIds = Field([], validation_alias=called("values", "attribute_ids", "attribute_id"),
                          description="The values that go, by id; each with its versions")
    memories: MemoryIds = Field([], validation_alias=called("memories", "memory_ids", "memory_id"),
                            description="The memories whose mentions go, by id")
    links: LinkIds = Field([], validation_alias=called("links", "link_ids", "link_id"),
                         description="The links that go, by id")

    @model_validator(mode="after")
    def _has_parts(self) -> "SplitEntity":
        if not (self.aspects or self.values or self.memories or self.links):
            raise ValueError("aspects, values, memories or links are required")
        return self

    def sentence(self, reader: Reader) -> str:
        parts = [counted(len(ids), one, many) for ids, one, many in (
            (self.aspects, "aspect", "aspects"), (self.values, "value", "values"),
            (self.memories, "memory", "memories"), (self.links, "link", "links")) if ids]
        return (f"Move {', '.join(parts)} from {wording.quoted(self.subject(reader))} to"
                f" {wording.quoted(self.new_name)}.")


def split_entity(writer: Writer, fields: SplitEntity, provenance: Provenance) -> Result:
    """Split an entity: chosen aspects, values, mentions and links go to a new one.

    Undoes a wrong merge of any age. A name that leads to the entity since a merge is given to the
    new one. Mentions of memories on which only moved values rest go along. Refused (409): a link
    that the other entity has already.
    """
    source = find_entity(writer, fields.entity, field="entity")
    _free_name(writer, source, fields.new_name)
    target, name = resolve_entity(
        writer, fields.new_name, provenance, fields.entity_type or str(source["entity_type"]))
    values = [find_value(writer, one) for one in fields.values]
    aspects = [find_aspect(writer, source["id"], one) for one in fields.aspects]
    links = [find_link(writer, one) for one in fields.links]
    _require_own(source, values, links)
    moved = _move_values(writer, values, target, provenance)
    moved += [id for row in aspects for id in _move_aspect(writer, row, target, provenance)]
    for row in links:
        _move_link(writer, row, source["id"], target, provenance)
    mentions = _move_mentions(
        writer, [*fields.memories, *_only_of(writer, moved, source["id"])], source["id"], target)
    _move_fields(writer, source["id"], target, name)
    _count(writer, source["id"], target, mentions, provenance)
    return {"entityId": source["id"], "newEntityId": target, "newEntityName": name,
            "movedAspects": len(aspects), "movedValues": len(moved), "movedLinks": len(links),
            "movedMentions": mentions}


def _free_name(writer: Writer, source: Row, name: str) -> None:
    """Let a name that leads to the entity be another one's; refuse its own."""
    if name_key(name) == name_key(source["name"]) or name == source["id"]:
        raise OperationError(409, f"The entity itself is called {name}", field="new_name",
                             do="Choose another name")
    if any(row["id"] == source["id"] for row in match_entities(writer, name)):
        writer.update_where(
            "entity_aliases", "entity_id = :entity AND canonical_alias = :key",
            {"status": "archived", "updated_at": writer.now()}, entity=source["id"],
            key=writer.stored_key(name))


def _require_own(source: Row, values: Sequence[Row], links: Sequence[Row]) -> None:
    for row in values:
        if row["entity_id"] != source["id"]:
            raise OperationError(409, f"This value is not one of {source['name']}: {row['id']}",
                                 field="values")
    for row in links:
        if source["id"] not in (row["source_entity_id"], row["target_entity_id"]):
            raise OperationError(409, f"This link is not one of {source['name']}: {row['id']}",
                                 field="links")


def _move_values(
    writer: Writer, values: Sequence[Row], target: str, provenance: Provenance
) -> list[str]:
    """Move values with all their versions into aspects of the same names; returns their ids."""
    moved: list[str] = []
    for row in values:
        aspect, _ = resolve_aspect(writer, target, row["aspect"], provenance)
        where = ("aspect_id = :old AND (id IN (:id, :root) OR version_root_id = :root"
                 " OR superseded_by = :id)")
        given = {"old": row["aspect_id"], "id": row["id"],
                 "root": row["version_root_id"] or row["id"]}
        versions = [each["id"] for each in writer.rows(
            f"SELECT id FROM entity_attributes WHERE {where}", **given)]
        writer.update_where(
            "entity_attributes", "id IN (SELECT value FROM json_each(:ids))",
            {"aspect_id": aspect, "updated_at": writer.now()}, ids=versions)
        moved += versions
    return moved


def _move_aspect(
    writer: Writer, aspect: Row, target: str, provenance: Provenance
) -> list[str]:
    """Move an aspect, into one of its name if the other entity has one; returns its values."""
    ids = [row["id"] for row in writer.rows(
        "SELECT id FROM entity_attributes WHERE aspect_id = :id", id=aspect["id"])]
    writer.update_where("entity_dependencies", "aspect_id = :id",
                        {"aspect_id": None, **provenance.stamp()}, id=aspect["id"])
    twin = writer.value("SELECT id FROM entity_aspects WHERE entity_id = :target"
                        " AND canonical_name = :name", target=target,
                        name=aspect["canonical_name"])
    if twin is None:
        writer.update("entity_aspects", aspect["id"], entity_id=target, updated_at=writer.now(),
                      **provenance.stamp())
        return ids
    resolve_aspect(writer, target, str(twin), provenance)
    writer.update_where("entity_attributes", "aspect_id = :id", {
        "aspect_id": twin, "updated_at": writer.now()}, id=aspect["id"])
    writer.delete_where("entity_aspects", "id = :id", id=aspect["id"])
    return ids


def _move_link(
    writer: Writer, link: Row, source: str, target: str, provenance: Provenance
) -> None:
    start, end = (target if one == source else one
                  for one in (link["source_entity_id"], link["target_entity_id"]))
    twin = writer.value(
        "SELECT 1 FROM entity_dependencies WHERE source_entity_id = :start AND id <> :id"
        " AND target_entity_id = :end AND dependency_type = :type AND +agent_id = :agent",
        start=start, end=end, type=link["dependency_type"], id=link["id"])
    if twin:
        raise OperationError(409, "The other entity has this link already", field="links",
                             do="Leave it out, or archive one of the two")
    writer.update("entity_dependencies", link["id"], source_entity_id=start, target_entity_id=end,
                  aspect_id=None, updated_at=writer.now(), **provenance.stamp())


def _only_of(writer: Writer, moved: Sequence[str], source: str) -> list[str]:
    """The memories on which moved values rest, and none that stays."""
    return [row["memory_id"] for row in writer.rows(
        "SELECT DISTINCT v.memory_id FROM entity_attributes v"
        " WHERE v.id IN (SELECT value FROM json_each(:ids)) AND v.memory_id IS NOT NULL"
        " AND NOT EXISTS (SELECT 1 FROM entity_aspects s CROSS JOIN entity_attributes o"
        " ON o.aspect_id = s.id WHERE s.entity_id = :source AND o.memory_id = v.memory_id)",
        ids=list(moved), source=source)]


def _move_mentions(writer: Writer, memories: Sequence[str], source: str, target: str) -> int:
    """Mentions are removed and written anew, because undo knows rows by their key."""
    rows = writer.rows(
        "SELECT n.* FROM main.memory_entity_mentions AS n WHERE n.entity_id = :source"
        " AND n.memory_id IN (SELECT value FROM json_each(:ids))",
        source=source, ids=list(dict.fromkeys(memories)))
    there = {row["memory_id"] for row in writer.rows(
        "SELECT memory_id FROM memory_entity_mentions WHERE entity_id = :target", target=target)}
    writer.delete_where(
        "memory_entity_mentions", "entity_id = :source"
        " AND memory_id IN (SELECT value FROM json_each(:ids))",
        source=source, ids=[row["memory_id"] for row in rows])
    writer.insert_many("memory_entity_mentions", [
        {**dict(row), "entity_id": target} for row in rows if row["memory_id"] not in there])
    return len(rows)


def _move_fields(writer: Writer, source: str, target: str, name: str) -> None:
    """Source data that names the new entity goes to it."""
    writer.update_where(
        "source_fields", "owner_id = :source AND name_key(json_extract(fields, '$.name')) = :key",
        {"owner_id": target}, source=source, key=name_key(name))


def _count(
    writer: Writer, source: str, target: str, mentions: int, provenance: Provenance
) -> None:
    for id, change in ((source, -mentions), (target, mentions)):
        now = writer.value("SELECT mentions FROM entities WHERE id = :id", id=id)
        writer.update("entities", id, mentions=max(0, int(now or 0) + change),
                      updated_at=writer.now(), **provenance.stamp())
