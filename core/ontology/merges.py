"""Merges several entities into one, with all their parts."""

from collections.abc import Sequence
from contextlib import suppress

from msgspec import Struct
from pydantic import Field, model_validator

from core.errors import OperationError
from core.model.names import name_key
from core.model.text_formatting import counted
from core.ontology import wording
from core.ontology.change_provenance import UNARCHIVED, Provenance
from core.ontology.claim_slots import supersede
from core.ontology.former_names import lead_to, names_of
from core.ontology.merge_choices import (
    Choices,
    check_choices,
    collisions,
    own_text,
    same_values,
    settle,
)
from core.ontology.payload_base import Force, OperationInfo, Payload, Result, Texts, called
from core.ontology.row_reference_fields import EntityName, EntityNames, ValueIds
from core.queries.find_by_name_or_id import entity_or_none, find_entity
from core.store.database import Row
from core.store.reader_and_writer import Reader, Writer


class MergeEntities(Payload):
    """What `merge_entities` takes."""

    info = OperationInfo(
        line="Merge with {other}", past={"Merge": "Merged"}, pin_matters=True, other_goes=True,
        arguments=("target_entity", "source_entities"),
        entity=("target_entity_id", "target_entity"),
        other=("source_entity_ids", "source_entities"),
    )

    target_entity: EntityName | None = Field(
        None, validation_alias=called("target_entity", "target"),
        description="The entity to merge into, by name or id",
    )
    target_entity_id: EntityName | None = Field(None, description="The entity to merge into, by id")
    source_entities: EntityNames = Field(
        [], validation_alias=called("source_entities", "sources", "source_entity", "source"),
        description="The entities to merge, by name or id",
    )
    source_entity_ids: EntityNames = Field(
        [], validation_alias=called("source_entity_ids", "source_entity_id"),
        description="The entities to merge, by id",
    )
    keep_values: ValueIds = Field(
        [], description="Where both have a value for a claim, the one to keep, by id; the other"
                        " is archived")
    newer_values: ValueIds = Field(
        [], description="Where both have a value for a claim, the one in force, by id; the other"
                        " stays as an earlier version")
    own_values: Texts = Field(
        [], description="Where both have a value for a claim, what it says instead, as ID=WORDS"
                        " with the id of one of its values")
    force: Force = Field(False, description="Merge pinned entities and entities of other types")

    @model_validator(mode="after")
    def _has_two_sides(self) -> "MergeEntities":
        if not (self.target_entity or self.target_entity_id):
            raise ValueError("target_entity is required")
        if not (self.source_entities or self.source_entity_ids):
            raise ValueError("source_entities are required")
        for choice in self.own_values:
            own_text(choice)
        return self

    @property
    def choices(self) -> Choices:
        """What was chosen for the claims that collide."""
        return Choices(self.keep_values, self.newer_values,
                       [own_text(choice) for choice in self.own_values])

    def title(self, reader: Reader) -> str:
        return f"Merge into {wording.short(self.subject(reader))}"

    def sentence(self, reader: Reader) -> str:
        names = [
            wording.quoted(wording.entity_name(reader, one), 60)
            for one in self.source_entity_ids or self.source_entities
        ]
        more = f" and {len(names) - 4} more" if len(names) > 4 else ""
        into = wording.quoted(self.subject(reader))
        chosen = len(self.choices.ids)
        claims = counted(chosen, "claim that collides is", "claims that collide are")
        also = f" {claims} settled." if chosen else ""
        return (f"Merge {', '.join(names[:4])}{more} into {into}; their names lead to it."
                f"{self._folded(reader)}{also}")

    def _folded(self, reader: Reader) -> str:
        """How many facts become one, where it is clear what is merged."""
        with suppress(OperationError):
            target, sources, _ = sides(reader, self)
            same = len(same_values(reader, [target["id"], *(row["id"] for row in sources)]))
            if same:
                return f" {counted(same, 'value')} said twice will be there once."
        return ""


def merge_entities(writer: Writer, fields: MergeEntities, provenance: Provenance) -> Result:
    """Merge entities into one; everything of the others moves to it, and their names lead to it.

    Pinned sources and sources of another type need `force`. Signet loses what its merge does not
    cover: provenance of mentions, assertions, tasks, aliases; and its merge fails on a link that
    both have. Here all of it moves, and a double is dropped. What both say in the same words
    becomes one value: of a claim the target's, of facts without a claim key the older one. A claim
    of which they say different things ends up with two active values, unless one was chosen
    (`knowledge merge-plan`).
    """
    target, sources, already = sides(writer, fields)
    ids = [row["id"] for row in (target, *sources)]
    colliding, doubles = collisions(writer, ids), same_values(writer, ids)
    check_choices(colliding, fields.choices)
    if not sources and not already:
        raise OperationError(400, "No distinct source entities to merge", field="source_entities")
    warnings = merge_warnings(target, sources)
    if warnings and not fields.force:
        raise OperationError(409, "; ".join(warnings), field="force", do="Use force to merge them")
    merged, relations = [], 0
    for source in sources:
        moved = _move_all(writer, source["id"], target["id"], provenance)
        relations += moved.links
        merged.append({
            "name": source["name"], "entityId": source["id"], "movedAspects": moved.aspects,
        })
    for holds, double in doubles:
        supersede(writer, double["id"], holds["id"])
    retired = settle(writer, colliding, fields.choices, provenance)
    if sources:
        mentions = sum(int(row["mentions"] or 0) for row in (target, *sources))
        writer.update(
            "entities", target["id"],
            mentions=mentions, updated_at=writer.now(), **provenance.stamp(),
        )
    return {
        "targetEntityId": target["id"], "targetEntityName": target["name"],
        "mergedEntities": merged, "alreadyMergedEntities": already,
        "warnings": warnings, "relationshipsChanged": relations, **retired,
    }


def sides(reader: Reader, fields: MergeEntities) -> tuple[Row, list[Row], list[str]]:
    """The target, the distinct sources, and the ids of those that an earlier merge took."""
    target = _meant(reader, fields.target_entity_id, fields.target_entity, "target_entity")
    rows, already = _sources(reader, fields)
    sources = [row for row in rows if row["id"] != target["id"]]
    already += [target["id"] for name in fields.source_entities if not sources and rows
                and not _is_called(target, name)]
    return target, sources, already


def _meant(reader: Reader, entity_id: str | None, selector: str | None, field: str) -> Row:
    """The entity by id, else by selector; 409 if both are given and disagree."""
    if not entity_id:
        return find_entity(reader, selector or "", field=field)
    row = entity_or_none(reader, entity_id)
    if row is None or row["status"] != "active":
        raise OperationError(404, f"Entity not found: {entity_id}", field=f"{field}_id")
    if selector and not _is_called(row, selector):
        raise OperationError(
            409, f"The id belongs to {row['name']}, not to {selector}", field=field
        )
    return row


def _is_called(row: Row, selector: str) -> bool:
    return selector == row["id"] or name_key(selector) in (
        name_key(row["name"]), row["canonical_name"]
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
                    409, f"None of the ids belongs to {selector}", field="source_entities"
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


def merge_warnings(target: Row, sources: Sequence[Row]) -> list[str]:
    """What needs `force`: pinned sources and sources of another type."""
    warnings = []
    for row in sources:
        if row["pinned"]:
            warnings.append(f"{row['name']} is pinned")
        if row["entity_type"] != target["entity_type"]:
            warnings.append(
                f"{row['name']} has the type {row['entity_type']}, {target['name']} the type"
                f" {target['entity_type']}"
            )
    return warnings


_OWNED: dict[str, tuple[str, ...]] = {
    "memory_entity_mentions": ("memory_id",),
    "task_meta": (),
    "skill_meta": (),
}
"""Tables whose rows belong to one entity, with what else is in their key."""


class _Moved(Struct, frozen=True):
    """How much was moved."""

    aspects: int
    links: int


def _move_all(writer: Writer, source: str, target: str, provenance: Provenance) -> _Moved:
    """Move aspects, links, mentions, assertions, aliases and the task, then remove the entity; its
    names lead to the target.

    Done table by table, because a Signet file enforces no foreign key and a native one would
    take the children along.
    """
    aspects = _move_aspects(writer, source, target, provenance)
    links = _move_links(writer, source, target) + _move_relations(writer, source, target)
    for table, others in _OWNED.items():
        _move_owned(writer, table, others, source, target)
    where = {"source": source}
    writer.update_where("epistemic_assertions", "subject_entity_id = :source",
                        {"subject_entity_id": target, "updated_at": writer.now()}, **where)
    writer.update_where("entity_aliases", "entity_id = :source",
                        {"entity_id": target, "updated_at": writer.now()}, **where)
    writer.update_where("source_fields", "owner_id = :source", {"owner_id": target}, **where)
    names = names_of(writer, source)
    writer.mute(source, None)
    writer.delete_where("entities", "id = :source AND agent_id = :agent", **where)
    for name in names:
        lead_to(writer, name, target)
    return _Moved(aspects, links)


def _move_aspects(writer: Writer, source: str, target: str, provenance: Provenance) -> int:
    """Aspects of the same name become one; active ones make an archived one active again."""
    rows = writer.rows(
        "SELECT s.id, s.status, t.id AS same, t.status AS same_status FROM entity_aspects AS s"
        " LEFT JOIN entity_aspects AS t"
        " ON t.entity_id = :target AND t.canonical_name = s.canonical_name"
        " WHERE s.entity_id = :source",
        source=source, target=target,
    )
    for row in rows:
        if row["same"] is None:
            writer.update("entity_aspects", row["id"], entity_id=target,
                          updated_at=writer.now(), **provenance.stamp())
            continue
        if row["status"] == "active" and row["same_status"] != "active":
            writer.update("entity_aspects", row["same"], status="active",
                          updated_at=writer.now(), **UNARCHIVED, **provenance.stamp())
        for table in ("entity_attributes", "entity_dependencies"):
            writer.update_where(table, "aspect_id = :old", {
                "aspect_id": row["same"], "updated_at": writer.now()}, old=row["id"])
        writer.delete_where("entity_aspects", "id = :old", old=row["id"])
    return len(rows)


def _move_links(writer: Writer, source: str, target: str) -> int:
    """A link between the two goes, one that the target has already goes, the rest moves."""
    rows = writer.rows(
        "SELECT id, source_entity_id, target_entity_id, dependency_type, agent_id, status"
        " FROM entity_dependencies WHERE source_entity_id = :source OR target_entity_id = :source",
        source=source,
    )
    for row in rows:
        start, end = _ends(row, source, target)
        twin = writer.row(
            "SELECT id, status FROM entity_dependencies WHERE source_entity_id = :start"
            " AND target_entity_id = :end AND dependency_type = :type AND +agent_id = :owner"
            " AND id <> :id",
            start=start, end=end, type=row["dependency_type"], owner=row["agent_id"], id=row["id"],
        )
        if start == end or twin is not None:
            writer.delete_where("entity_dependencies", "id = :id", id=row["id"])
            if twin and row["status"] == "active" and twin["status"] != "active":
                writer.update("entity_dependencies", twin["id"], status="active",
                              updated_at=writer.now(), **UNARCHIVED)
        else:
            writer.update("entity_dependencies", row["id"], source_entity_id=start,
                          target_entity_id=end, updated_at=writer.now())
    return len(rows)


def _move_relations(writer: Writer, source: str, target: str) -> int:
    rows = writer.rows(
        "SELECT id, source_entity_id, target_entity_id FROM relations"
        " WHERE source_entity_id = :source OR target_entity_id = :source",
        source=source,
    )
    for row in rows:
        start, end = _ends(row, source, target)
        if start == end:
            writer.delete_where("relations", "id = :id", id=row["id"])
        else:
            writer.update("relations", row["id"], source_entity_id=start, target_entity_id=end,
                          updated_at=writer.now())
    return len(rows)


def _ends(row: Row, source: str, target: str) -> tuple[str, str]:
    start, end = row["source_entity_id"], row["target_entity_id"]
    return (target if start == source else start), (target if end == source else end)


def _move_owned(
    writer: Writer, table: str, others: tuple[str, ...], source: str, target: str
) -> None:
    """Rows that an entity's id is the key of, or part of it; the target's own stay.

    A row that moves is removed and written anew, because undo knows rows by their key.
    """
    if not writer.has_table(table):
        return
    same = " AND ".join(f"o.{column} = t.{column}" for column in others) or "1"
    rows = writer.rows(
        f"SELECT t.* FROM main.{table} AS t WHERE t.entity_id = :source AND NOT EXISTS"
        f" (SELECT 1 FROM main.{table} AS o WHERE o.entity_id = :target AND {same})",
        source=source, target=target,
    )
    writer.delete_where(table, "entity_id = :source", source=source)
    writer.insert_many(table, [{**dict(row), "entity_id": target} for row in rows])
