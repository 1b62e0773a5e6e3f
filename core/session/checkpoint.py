"""Checkpoints, which pass the state of a session to the next one."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import PurePosixPath

from msgspec.structs import replace

from core.model.session_start_and_end import Checkpoint, SessionMemory, SessionStart
from core.model.text_formatting import one_line
from core.model.times import parse_time
from core.queries.rows_to_model import json_array, text, whole
from core.queries.sessions import checkpoints
from core.session.config import SessionSettings
from core.store.reader_and_writer import Reader, Writer, new_id
from core.traversal.focal_signals import Signals

HARNESS, TRIGGER = "constellation", "session_end"
_USED = 5
"""Memories that were used, as the next session is told of them."""
_USED_CHARS = 160


def project_key(project: str) -> str:
    """A project's folder as checkpoints are found by it: `/projects/vega`."""
    plain = project.strip().replace("\\", "/")
    return str(PurePosixPath(plain)) if plain else ""


def latest(
    reader: Reader, project: str, session_key: str, settings: SessionSettings, now: datetime
) -> Checkpoint | None:
    """The checkpoint that a session takes up: its own last one, else its project's, if recent."""
    oldest = now - timedelta(hours=settings.recovery_hours)
    for checkpoint in checkpoints(reader, project=project_key(project), session_key=session_key):
        made = parse_time(checkpoint.created_at)
        if made is not None and made >= oldest:
            return checkpoint
    return None


def carried(given: Signals, last: Checkpoint | None, settings: SessionSettings) -> Signals:
    """The signals with the checkpoint's entities, if they contain no question."""
    asked = given.checkpoint_ids or given.query or given.entity_ids
    if asked or last is None or not last.focal_ids or not settings.carry_checkpoint:
        return given
    return replace(given, checkpoint_ids=last.focal_ids)


def snapshot(started: SessionStart) -> dict[str, object]:
    """The topic of a session, as stored in its checkpoints.

    Pinned entities are left out: they are included anyway while they are pinned.
    """
    own = [each for each in started.focal.entities if each.reason != "pinned"]
    return {
        "focal_entity_ids": [each.id for each in own],
        "focal_entity_names": [each.name for each in own if each.name],
        "active_aspect_ids": list(started.walk.active_aspect_ids),
        "surfaced_constraint_count": len(started.constraints),
        "traversal_memory_count": len(started.walk.memories),
    }


def write(
    writer: Writer, session_key: str, snapshot: Mapping[str, object],
    used: Sequence[SessionMemory], project: str,
) -> str:
    """Write or update the session's checkpoint; returns its id."""
    lists = {name: list(json_array_of(snapshot.get(name))) for name in (
        "focal_entity_ids", "focal_entity_names", "active_aspect_ids")}
    values: dict[str, object] = {
        **lists, "project": project or None, "project_normalized": project_key(project) or None,
        "digest": digest(lists, snapshot, used), "created_at": writer.now(),
        "surfaced_constraint_count": whole(snapshot.get("surfaced_constraint_count")),
        "traversal_memory_count": whole(snapshot.get("traversal_memory_count")),
    }
    old = writer.value(
        "SELECT c.id FROM session_checkpoints c WHERE c.session_key = :session"
        " AND c.harness = :harness AND c.trigger = :trigger", session=session_key,
        harness=HARNESS, trigger=TRIGGER)
    if old is not None:
        writer.update("session_checkpoints", str(old), **values)
        return str(old)
    id = new_id()
    writer.insert("session_checkpoints", id=id, session_key=session_key, harness=HARNESS,
                  trigger=TRIGGER, prompt_count=0, **values)
    return id


def json_array_of(value: object) -> tuple[object, ...]:
    """A list from parsed JSON, or from JSON text."""
    return tuple(value) if isinstance(value, list | tuple) else json_array(value)


def digest(
    lists: Mapping[str, Sequence[object]], snapshot: Mapping[str, object],
    used: Sequence[SessionMemory],
) -> str:
    """The checkpoint as text, its topic first; empty if it has none."""
    names = ", ".join(text(name) for name in lists["focal_entity_names"])
    aspects = len(lists["active_aspect_ids"])
    rules = whole(snapshot.get("surfaced_constraint_count"))
    lines = [f"Focal entities: {names}" if names else "",
             f"Active aspects: {aspects}" if aspects else "",
             f"Constraints in scope: {rules}" if rules else ""]
    lines += [f"Used: {one_line(each.told_text, _USED_CHARS)}" for each in used[:_USED]]
    return "\n".join(line for line in lines if line)
