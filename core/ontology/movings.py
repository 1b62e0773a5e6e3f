"""Moves everything that hangs on one entity to another, row by row, and removes the first."""

from dataclasses import dataclass

from core.ontology.provenance import UNARCHIVED, Provenance
from core.store.database import Row
from core.store.handles import Writer

OWNED: dict[str, tuple[str, ...]] = {
    "memory_entity_mentions": ("memory_id",),
    "task_meta": (),
    "skill_meta": (),
}
"""Tables whose rows belong to one entity, with what else is in their key."""


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
    for table, others in OWNED.items():
        _move_owned(writer, table, others, source, target)
    where = {"source": source}
    writer.update_where("epistemic_assertions", "subject_entity_id = :source",
                        {"subject_entity_id": target, "updated_at": writer.now()}, **where)
    writer.update_where("entity_aliases", "entity_id = :source",
                        {"entity_id": target, "updated_at": writer.now()}, **where)
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
