"""Moves everything that hangs on one entity to another, row by row, and removes the first."""

from dataclasses import dataclass

from core.ontology.provenance import UNARCHIVED, Provenance
from core.store.database import Row
from core.store.handles import Writer


@dataclass(frozen=True, slots=True)
class Moved:
    """How much was moved."""

    aspects: int
    links: int


def move_all(writer: Writer, source: str, target: str, provenance: Provenance) -> Moved:
    """Move aspects, links, mentions, assertions, aliases and the task, then remove the entity.

    Done table by table, because a Signet file enforces no foreign key and a native one would
    take the children along.
    """
    aspects = _move_aspects(writer, source, target, provenance)
    links = _move_links(writer, source, target) + _move_relations(writer, source, target)
    _move_mentions(writer, source, target)
    _move_task(writer, source, target)
    where = {"source": source}
    writer.update_where("epistemic_assertions", "subject_entity_id = :source",
                        {"subject_entity_id": target, "updated_at": writer.now()}, **where)
    writer.update_where("entity_aliases", "entity_id = :source",
                        {"entity_id": target, "updated_at": writer.now()}, **where)
    if not writer.value("SELECT 1 FROM skill_meta WHERE entity_id = :target", target=target):
        writer.update_where("skill_meta", "entity_id = :source", {"entity_id": target}, **where)
    writer.delete_where("skill_meta", "entity_id = :source", **where)
    writer.mute(source, None)
    writer.delete_where("entities", "id = :source AND agent_id = :agent", **where)
    return Moved(aspects, links)


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
            writer.update_where(table, "aspect_id = :old", {"aspect_id": row["same"]},
                                old=row["id"])
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
            " AND target_entity_id = :end AND dependency_type = :type AND agent_id = :owner"
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
            writer.update("relations", row["id"], source_entity_id=start, target_entity_id=end)
    return len(rows)


def _ends(row: Row, source: str, target: str) -> tuple[str, str]:
    start, end = row["source_entity_id"], row["target_entity_id"]
    return (target if start == source else start), (target if end == source else end)


def _move_mentions(writer: Writer, source: str, target: str) -> None:
    """Mentions keep their words and time; a memory that mentions both keeps the target's."""
    writer.update_where(
        "memory_entity_mentions",
        "entity_id = :source AND memory_id NOT IN"
        " (SELECT memory_id FROM main.memory_entity_mentions WHERE entity_id = :target)",
        {"entity_id": target}, source=source, target=target,
    )
    writer.delete_where("memory_entity_mentions", "entity_id = :source", source=source)


def _move_task(writer: Writer, source: str, target: str) -> None:
    if not writer.value("SELECT 1 FROM task_meta WHERE entity_id = :target", target=target):
        writer.update_where("task_meta", "entity_id = :source", {"entity_id": target},
                            source=source)
    writer.delete_where("task_meta", "entity_id = :source", source=source)
