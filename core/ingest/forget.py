"""Forgets a memory: it is marked as deleted, and what only it told of goes with it."""

from collections.abc import Sequence

from core.errors import OperationError
from core.ingest.triples import CO_OCCURRED, EXTRACTED
from core.learning.history import record
from core.learning.propagation import retire_values_of
from core.model.remembered import ForgetReport
from core.store.database import Row
from core.store.handles import Writer

_OWNED = (("entity_aspects", "entity_id"), ("task_meta", "entity_id"),
          ("epistemic_assertions", "subject_entity_id"), ("entity_aliases", "entity_id"),
          ("skill_meta", "entity_id"))
"""What makes an entity more than a name that was mentioned."""


def forget(
    writer: Writer, memory_id: str, reason: str = "", *, force: bool = False
) -> ForgetReport:
    """Mark a memory as deleted, take back its mentions, and retire the values that rest on it.

    Raises:
        OperationError: 404 if the agent has no such memory, 409 for a pinned one without `force`.
    """
    row = _memory(writer, memory_id)
    if row["pinned"] and not force:
        raise OperationError(409, "This memory is pinned", field="memory_id",
                             do="Use force to forget it")
    with writer.savepoint():
        mentioned = [found["entity_id"] for found in writer.rows(
            "SELECT n.entity_id FROM memory_entity_mentions n JOIN entities e"
            " ON e.id = n.entity_id AND e.agent_id = :agent WHERE n.memory_id = :id",
            id=memory_id)]
        writer.update("memories", memory_id, is_deleted=1, deleted_at=writer.now(),
                      updated_at=writer.now(), updated_by=writer.actor)
        writer.delete_where(
            "memory_entity_mentions",
            "memory_id = :id AND entity_id IN (SELECT value FROM json_each(:entities))",
            id=memory_id, entities=mentioned)
        # Values first: an entity that still has some is more than a name.
        retired = retire_values_of(writer, memory_id)
        _remove_links(writer, memory_id, mentioned)
        orphans = decrement_mentions(writer, mentioned)
        record(writer, "deleted", memory_id, old=row["content"], by=writer.actor,
               reason=reason or "forgotten",
               metadata={"mentions": len(mentioned), "attributes": retired})
        return ForgetReport(memory_id, len(mentioned), len(orphans), orphans, retired)


def _memory(writer: Writer, memory_id: str) -> Row:
    row = writer.row(
        "SELECT id, content, pinned FROM memories"
        " WHERE id = :id AND is_deleted = 0 AND (agent_id = :agent OR NOT :own)",
        id=memory_id, own=writer.has_column("memories", "agent_id"))
    if row is None:
        raise OperationError(404, f"Memory not found: {memory_id}", field="memory_id")
    return row


def _remove_links(writer: Writer, memory_id: str, mentioned: Sequence[str]) -> None:
    """Links that remembering made from this memory and that no other memory bears out."""
    alone = writer.rows(
        "SELECT d.id FROM entity_dependencies d"
        " WHERE d.source_entity_id IN (SELECT value FROM json_each(:ids))"
        " AND d.agent_id = :agent AND d.proposal_id IS NULL AND d.reason IN (:stated, :guessed)"
        " AND NOT EXISTS (SELECT 1 FROM memory_entity_mentions a"
        "   CROSS JOIN memory_entity_mentions b ON b.memory_id = a.memory_id"
        "   WHERE a.entity_id = d.source_entity_id AND b.entity_id = d.target_entity_id)",
        ids=list(mentioned), stated=f"{EXTRACTED} {memory_id}",
        guessed=f"{CO_OCCURRED} {memory_id}")
    for row in alone:
        writer.delete_where("entity_dependencies", "id = :id", id=row["id"])


def decrement_mentions(writer: Writer, entity_ids: Sequence[str]) -> tuple[str, ...]:
    """Take one mention off for each id given; returns the names of the entities that went.

    An entity whose mentions reach 0 is deleted only if it is one of these, belongs to the agent
    and is nothing but a name: pinned and muted ones, those that an operation made, and those
    with aspects, aliases, assertions, a task or a stated link stay. Upstream deleted every
    entity of every agent that had no mention.
    """
    times: dict[str, int] = {}
    for id in entity_ids:
        times[id] = times.get(id, 0) + 1
    for row in writer.rows(
        "SELECT e.id, e.mentions FROM entities e WHERE e.agent_id = :agent"
        " AND e.entity_type <> 'task' AND e.id IN (SELECT value FROM json_each(:ids))",
        ids=list(times),
    ):
        writer.update("entities", row["id"], updated_at=writer.now(),
                      mentions=max(0, int(row["mentions"] or 0) - times[row["id"]]))
    orphans = _orphans(writer, list(times))
    for row in orphans:
        _delete(writer, row["id"])
    return tuple(str(row["name"]) for row in orphans)


def _orphans(writer: Writer, ids: Sequence[str]) -> list[Row]:
    owned = " ".join(f"AND NOT EXISTS (SELECT 1 FROM {table} x WHERE x.{column} = e.id)"
                     for table, column in _OWNED)
    return writer.rows(
        "SELECT e.id, e.name FROM entities e WHERE e.agent_id = :agent"
        " AND e.id IN (SELECT value FROM json_each(:ids)) AND e.mentions <= 0"
        " AND e.pinned = 0 AND e.muted = 0 AND e.status = 'active'"
        " AND e.proposal_id IS NULL AND COALESCE(e.description, '') = ''"
        " AND NOT EXISTS (SELECT 1 FROM memory_entity_mentions n WHERE n.entity_id = e.id)"
        f" {owned}"
        " AND NOT EXISTS (SELECT 1 FROM entity_dependencies d WHERE d.proposal_id IS NOT NULL"
        "   AND (d.source_entity_id = e.id OR d.target_entity_id = e.id))"
        " ORDER BY e.name", ids=list(ids))


def _delete(writer: Writer, entity_id: str) -> None:
    """Remove the entity with its links; their other ends stay."""
    for table in ("relations", "entity_dependencies"):
        writer.delete_where(
            table, "source_entity_id = :id OR target_entity_id = :id", id=entity_id)
    writer.delete_where("memory_entity_mentions", "entity_id = :id", id=entity_id)
    writer.delete_where("entities", "id = :id", id=entity_id)
