"""The end of tasks (seed 002): they expire, are archived after a while, and gain no weight.

Each step is recorded in `memory_history`, and what a person has undone is not repeated.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from core.learning.aspect_weights import Step, note_weights
from core.learning.automatic_change_log import record, recorded
from core.maintenance.config import MaintenanceSettings
from core.model.times import parse_time
from core.model.vocabulary import FINISHED_TASKS
from core.store.database import Row
from core.store.reader_and_writer import Reader, Writer, stamp

BY = "pipeline:lifecycle"
EXPIRED, RELEASED, HELD = "task_expired", "task_released", "task_weight_held"
WEIGHTLESS = "the weight of tasks is limited"
_TASKS = (
    "SELECT t.entity_id, t.status, t.expires_at, t.retention_until, t.completed_at, t.updated_at,"
    " e.name, e.pinned, e.updated_at AS touched_at FROM task_meta t"
    " JOIN entities e ON e.id = t.entity_id AND e.agent_id = :agent"
    " WHERE t.agent_id = :agent AND e.status = 'active'")


def expire(writer: Writer, settings: MaintenanceSettings) -> tuple[str, ...]:
    """Cancel open tasks that are past due or unchanged for long; returns their names."""
    now = _now(writer)
    return tuple(str(row["name"])
                 for row in _new(writer, EXPIRED, overdue(writer, settings, now))
                 if _expire(writer, row, now, settings))


def overdue(reader: Reader, settings: MaintenanceSettings, now: datetime) -> list[Row]:
    """Open tasks that are past due or unchanged for long."""
    return [row for row in reader.rows(_TASKS)
            if row["status"] not in FINISHED_TASKS and _is_over(row, now, settings)]


def _is_over(row: Row, now: datetime, settings: MaintenanceSettings) -> bool:
    end = parse_time(row["expires_at"])
    if end is not None:
        return end < now
    touched = [moment for column in ("updated_at", "touched_at")
               if (moment := parse_time(row[column])) is not None]
    return bool(touched) and max(touched) < now - timedelta(days=settings.task_age_days)


def _expire(writer: Writer, row: Row, now: datetime, settings: MaintenanceSettings) -> int:
    _note(writer, EXPIRED, row, "expired")
    return writer.update(
        "task_meta", row["entity_id"], status="cancelled", completed_at=writer.now(),
        retention_until=stamp(now + timedelta(days=settings.task_retention_days)),
        updated_at=writer.now())


def release(writer: Writer, settings: MaintenanceSettings) -> tuple[str, ...]:
    """Archive finished tasks that have been kept long enough; pinned ones stay. Their names."""
    if not writer.has_column("entities", "status"):
        return ()
    now = _now(writer)
    over = [row for row in writer.rows(_TASKS)
            if row["status"] in FINISHED_TASKS and not row["pinned"] and _kept(row, now, settings)]
    names = []
    for row in _new(writer, RELEASED, over):
        _note(writer, RELEASED, row, "it was finished")
        writer.update(
            "entities", row["entity_id"], status="archived", archived_at=writer.now(),
            archived_by=BY, archive_reason=f"Task {row['status']}", updated_at=writer.now())
        names.append(str(row["name"]))
    return tuple(names)


def _kept(row: Row, now: datetime, settings: MaintenanceSettings) -> bool:
    """True if the task has been kept for its time."""
    until = parse_time(row["retention_until"])
    if until is not None:
        return until < now
    ended = parse_time(row["completed_at"]) or parse_time(row["updated_at"])
    return ended is not None and ended + timedelta(days=settings.task_retention_days) < now


def heavy(reader: Reader, settings: MaintenanceSettings) -> tuple[Step, ...]:
    """The aspects of tasks above their initial weight, and their new weights.

    One that a person has put back to its weight is left alone.
    """
    rows = reader.rows(
        "WITH task(id) AS ("
        " SELECT e.id FROM entities e WHERE e.agent_id = :agent AND e.status = 'active'"
        " AND e.entity_type = 'task'"
        " UNION SELECT t.entity_id FROM task_meta t WHERE t.agent_id = :agent)"
        " SELECT s.id, s.weight FROM task CROSS JOIN entity_aspects s ON s.entity_id = task.id"
        " WHERE +s.agent_id = :agent AND s.weight > :most", most=settings.task_weight)
    done = {(item.get("aspect_id"), item.get("weight")) for item in recorded(
        reader, HELD, (row["id"] for row in rows))} if rows else set()
    return tuple(Step(row["id"], row["weight"], settings.task_weight) for row in rows
                 if (row["id"], row["weight"]) not in done)


def hold_weight(writer: Writer, steps: Sequence[Step]) -> tuple[Step, ...]:
    """Bring these aspects back to the weight that tasks begin with; those that still stood so."""
    now = {row["id"]: row["weight"] for row in writer.rows(
        "SELECT id, weight FROM entity_aspects WHERE id IN (SELECT value FROM json_each(:ids))"
        " AND agent_id = :agent", ids=[step.aspect_id for step in steps])}
    held = tuple(step for step in steps if now.get(step.aspect_id) == step.before)
    for step in held:
        writer.update("entity_aspects", step.aspect_id, weight=step.after)
        record(writer, HELD, step.aspect_id, by=BY, reason=WEIGHTLESS,
               metadata={"aspect_id": step.aspect_id, "weight": step.before})
    note_weights(writer, held, by=BY, why=WEIGHTLESS)
    return held


def _now(writer: Writer) -> datetime:
    moment = parse_time(writer.now())
    assert moment is not None
    return moment


def _new(reader: Reader, event: str, rows: list[Row]) -> list[Row]:
    """Without those that this was done to already, as they stand now."""
    done = {(item.get("entity_id"), item.get("state"))
            for item in recorded(reader, event, (row["entity_id"] for row in rows))}
    return [row for row in rows if (row["entity_id"], _state(row)) not in done]


def _state(row: Row) -> str:
    return f"{row['status']} {row['expires_at']} {row['retention_until']} {row['completed_at']}"


def _note(writer: Writer, event: str, row: Row, reason: str) -> None:
    record(writer, event, row["entity_id"], old=row["status"], by=BY, reason=reason,
           metadata={"entity_id": row["entity_id"], "state": _state(row)})
