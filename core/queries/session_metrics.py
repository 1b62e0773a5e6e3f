"""Reads the numbers of sessions: what each start was like, and what came of each end."""

from collections.abc import Mapping

from core.model.session import (
    Budget,
    EndRecord,
    SessionRecord,
    SessionRow,
    StartRecord,
    StartTelemetry,
    Telemetry,
)
from core.queries.rows import json_array, json_object, number, text, whole
from core.queries.sessions import (
    ENDED,
    EVERY,
    STARTED,
    events,
    list_sessions,
    session_row,
    subject,
)
from core.store.handles import Reader

# The oldest time bounds what is read: a graph has many more sessions than are looked at.
_TOLD = """
SELECT h.created_at, h.event, h.metadata FROM memory_history h
WHERE h.memory_id = :subject AND h.event IN (:started, :ended) AND h.created_at >= :oldest
  AND CASE WHEN json_valid(h.metadata) THEN json_extract(h.metadata, '$.session_key') END
      IN (SELECT value FROM json_each(:keys))
ORDER BY h.created_at, h.rowid"""


def session_records(reader: Reader, *, limit: int = 50) -> tuple[SessionRecord, ...]:
    """The last sessions with the numbers of their starts and ends, newest first."""
    return _records(reader, list_sessions(reader, limit=limit))


def session_record(reader: Reader, session_key: str) -> SessionRecord | None:
    """One session with its numbers; None if nothing is on record of it."""
    row = session_row(reader, session_key)
    return _records(reader, (row,))[0] if row is not None else None


def telemetry(reader: Reader) -> Telemetry:
    """The numbers of the last start, and of all ends together."""
    starts = events(reader, STARTED, limit=1)
    ends = events(reader, ENDED, limit=EVERY)
    every = _end("", [told for _, told in ends])
    return Telemetry(
        _numbers(starts[0][1]) if starts else None, starts[0][0] if starts else "",
        ends[0][0] if ends else "", whole(reader.value(
            "SELECT count(*) FROM memory_history h WHERE h.memory_id = :subject"
            " AND h.event = :event", subject=subject(reader.agent), event=STARTED)), len(ends),
        every.aspects_updated, every.confirmations, every.decayed, every.propagated)


def _records(reader: Reader, rows: tuple[SessionRow, ...]) -> tuple[SessionRecord, ...]:
    """The sessions with what is on record of each: the latest start, and all ends."""
    keys = [row.session_key for row in rows]
    starts: dict[str, StartRecord] = {}
    ends: dict[str, list[Mapping[str, object]]] = {}
    ended_at: dict[str, str] = {}
    for row in reader.rows(
        _TOLD, subject=subject(reader.agent), started=STARTED, ended=ENDED, keys=keys,
        oldest=min((row.started_at for row in rows), default=""),
    ):
        told, at = json_object(row["metadata"]), text(row["created_at"])
        key = text(told.get("session_key"))
        if row["event"] == STARTED:
            starts[key] = _start(at, told)
        else:
            ends.setdefault(key, []).append(told)
            ended_at[key] = at
    return tuple(SessionRecord(
        row.session_key, row.started_at, row.memories, row.injected, row.confirmed,
        starts.get(row.session_key),
        _end(ended_at[row.session_key], ends[row.session_key])
        if row.session_key in ends else None) for row in rows)


def _start(at: str, told: Mapping[str, object]) -> StartRecord:
    names = told.get("focal_entity_names")
    return StartRecord(
        at, _numbers(told), text(told.get("project")), text(told.get("ranked_by")),
        tuple(map(text, names if isinstance(names, list) else json_array(names))))


def _end(at: str, told: list[Mapping[str, object]]) -> EndRecord:
    def total(name: str) -> int:
        return sum(whole(one.get(name)) for one in told)

    return EndRecord(at, total("aspects_updated"), total("confirmations"), total("decayed"),
                     total("propagated"), total("constraints_eased"))


def _numbers(told: Mapping[str, object]) -> StartTelemetry:
    return StartTelemetry(
        whole(told.get("traversal_entities")), whole(told.get("traversal_memories")),
        whole(told.get("traversal_constraints")), bool(told.get("traversal_timed_out")),
        whole(told.get("memory_count")), whole(told.get("inject_chars")),
        number(told.get("duration_ms")), _budget(told.get("memory_budget")),
        _budget(told.get("constraint_budget")))


def _budget(told: object) -> Budget:
    """How far a room was filled; an older record does not say."""
    given = told if isinstance(told, Mapping) else {}
    return Budget(whole(given.get("used")), whole(given.get("limit")), whole(given.get("lent")))
