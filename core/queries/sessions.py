"""Reads the sessions: their starts, used memories and checkpoints.

Starts and ends are rows of `automatic_changes` about the agent itself (`agent:NAME`), because the
seeds' tables store the memories of a session but not its numbers.
"""

from collections.abc import Mapping

from core.errors import OperationError
from core.model.session_start_and_end import (
    WORDS,
    Budget,
    Checkpoint,
    EndRecord,
    SessionMemory,
    SessionRecord,
    SessionRow,
    StartRecord,
    StartTelemetry,
    Telemetry,
    WeightChange,
)
from core.model.times import parse_time
from core.model.walk import read_path
from core.queries.memory_subjects import NOBODY, Owner, owners
from core.queries.rows_to_model import MEMORY_VISIBLE, json_array, json_object, number, text, whole
from core.store.database import Row
from core.store.reader_and_writer import Reader

STARTED, ENDED, TRAINED, DECAYED = (
    "session_started", "session_ended", "scorer_trained", "aspects_decayed")
WEIGHT = "aspect_weight_changed"
EVERY = -1
"""As a limit: none."""
_LOOKED = 20
"""Checkpoints that are looked at for one that counts."""

_EVENTS = """
SELECT h.created_at, h.metadata FROM automatic_changes h
WHERE h.subject_id = :subject AND h.event = :event
  AND (:session = '' OR CASE WHEN json_valid(h.metadata)
       THEN json_extract(h.metadata, '$.session_key') END = :session)
ORDER BY h.created_at DESC, h.rowid DESC LIMIT :limit"""
_SESSIONS = """
SELECT s.session_key, MIN(s.created_at) AS started, COUNT(*) AS memories,
  SUM(s.was_injected) AS injected, SUM(s.fts_hit_count > 0) AS confirmed
FROM session_memories s WHERE s.agent_id = :agent {where}
GROUP BY s.session_key ORDER BY replace(started, 'T', ' ') DESC, s.session_key LIMIT :limit"""
_AMONG = "AND s.session_key IN (SELECT value FROM json_each(:keys))"
_OF_ENTITY = """AND s.was_injected = 1 AND s.memory_id IN (
  SELECT n.memory_id FROM memory_entity_mentions n WHERE n.entity_id = :entity
  UNION SELECT v.memory_id FROM entity_aspects a CROSS JOIN entity_attributes v
    ON v.aspect_id = a.id WHERE a.entity_id = :entity AND +a.agent_id = :agent)"""
_MEMORIES = f"""
SELECT s.*, m.content FROM session_memories s
LEFT JOIN memories m ON m.id = s.memory_id AND {MEMORY_VISIBLE}
WHERE s.agent_id = :agent AND s.session_key = :session
ORDER BY s.source = :words, s.rank, s.memory_id"""
# Checkpoints have no agent: a session is the agent's whose memories were recorded for it.
_CHECKPOINTS = """
SELECT c.* FROM session_checkpoints c
WHERE {which} AND (
  EXISTS (SELECT 1 FROM session_memories s
          WHERE s.session_key = c.session_key AND s.agent_id = :agent)
  OR (:agent = 'default' AND NOT EXISTS (
      SELECT 1 FROM session_memories s WHERE s.session_key = c.session_key)))
ORDER BY replace(c.created_at, 'T', ' ') DESC LIMIT :limit"""
_WEIGHTS = """
SELECT h.created_at, h.old_content, h.new_content, h.reason FROM automatic_changes h
WHERE h.subject_id = :aspect AND h.event = :event
  AND EXISTS (SELECT 1 FROM entity_aspects a WHERE a.id = :aspect AND a.agent_id = :agent)
ORDER BY h.created_at DESC, h.rowid DESC LIMIT :limit"""
# The oldest time bounds what is read: a graph has many more sessions than are looked at.
_STARTS_AND_ENDS = """
SELECT h.created_at, h.event, h.metadata FROM automatic_changes h
WHERE h.subject_id = :subject AND h.event IN (:started, :ended) AND h.created_at >= :oldest
  AND CASE WHEN json_valid(h.metadata) THEN json_extract(h.metadata, '$.session_key') END
      IN (SELECT value FROM json_each(:keys))
ORDER BY h.created_at, h.rowid"""


def require_own_rows(reader: Reader) -> None:
    """Refuse if the file can't distinguish this agent's sessions from another's."""
    if reader.agent != "default" and not reader.has_column("session_memories", "agent_id"):
        raise OperationError(
            409, "This file can only record sessions of one agent", where=reader.agent,
            do="Start the session without recording it")


def subject(agent: str) -> str:
    """What the record calls an agent."""
    return f"agent:{agent}"


def events(
    reader: Reader, event: str, session_key: str = "", limit: int = 1000
) -> list[tuple[str, Mapping[str, object]]]:
    """When something happened to the agent, and its numbers, newest first."""
    rows = reader.rows(_EVENTS, subject=subject(reader.agent), event=event, session=session_key,
                       limit=limit)
    return [(text(row["created_at"]), json_object(row["metadata"])) for row in rows]


def list_sessions(reader: Reader, *, limit: int = 50) -> tuple[SessionRow, ...]:
    """The recorded sessions, newest first, also those that began without any memory."""
    recorded = {row["session_key"]: _session(row)
             for row in reader.rows(_SESSIONS.format(where=""), limit=limit)}
    begun = {text(event.get("session_key")): at
             for at, event in reversed(events(reader, STARTED, limit=limit))}
    others = [key for key in begun if key and key not in recorded]
    older = {row["session_key"]: _session(row) for row in reader.rows(
        _SESSIONS.format(where=_AMONG), keys=others, limit=limit)} if others else {}
    recorded.update((key, older.get(key) or SessionRow(key, begun[key])) for key in others)
    ordered = sorted(recorded.values(), key=lambda session: session.started_at.replace("T", " "),
                     reverse=True)
    return tuple(ordered[:limit])


def session_row(reader: Reader, session_key: str) -> SessionRow | None:
    """One session; None if it is not recorded."""
    row = reader.row(_SESSIONS.format(where=_AMONG), keys=[session_key], limit=1)
    if row is not None:
        return _session(row)
    began = events(reader, STARTED, session_key, limit=1) if session_key else []
    return SessionRow(session_key, began[0][0]) if began else None


def sessions_of(reader: Reader, entity_id: str, *, limit: int = 5) -> tuple[SessionRow, ...]:
    """The last sessions that began with a memory of the entity; the counts are of those only."""
    rows = reader.rows(_SESSIONS.format(where=_OF_ENTITY), entity=entity_id, limit=limit)
    return tuple(map(_session, rows))


def session_memories(reader: Reader, session_key: str) -> tuple[SessionMemory, ...]:
    """The memories of one session in the order of their ranking, then those only looked up."""
    rows = reader.rows(_MEMORIES, session=session_key, words=WORDS)
    owned = owners(reader, {row["memory_id"]: text(row["content"]) for row in rows
                            if row["content"]})
    return tuple(_memory(row, owned.get(row["memory_id"], NOBODY)) for row in rows)


def checkpoints(
    reader: Reader, *, project: str = "", session_key: str = ""
) -> tuple[Checkpoint, ...]:
    """The last checkpoints of a session or else of a project, newest first."""
    for which, key in (("c.session_key = :key", session_key),
                        ("c.project_normalized = :key", project)):
        rows = reader.rows(_CHECKPOINTS.format(which=which), key=key,
                           limit=_LOOKED) if key else []
        if rows:
            return tuple(map(_checkpoint, rows))
    return ()


def weight_history(
    reader: Reader, aspect_id: str, *, limit: int = 200
) -> tuple[WeightChange, ...]:
    """How an aspect's weight was learned, oldest first."""
    rows = reader.rows(_WEIGHTS, aspect=aspect_id, event=WEIGHT, limit=limit)
    return tuple(WeightChange(text(row["created_at"]), number(row["old_content"]),
                              number(row["new_content"]), text(row["reason"]))
                 for row in reversed(rows))


def session_records(reader: Reader, *, limit: int = 50) -> tuple[SessionRecord, ...]:
    """The last sessions with the numbers of their starts and ends, newest first."""
    return _records(reader, list_sessions(reader, limit=limit))


def session_record(reader: Reader, session_key: str) -> SessionRecord | None:
    """One session with its numbers; None if it is not recorded."""
    row = session_row(reader, session_key)
    return _records(reader, (row,))[0] if row is not None else None


def telemetry(reader: Reader) -> Telemetry:
    """The numbers of the last start, and of all ends together."""
    starts = events(reader, STARTED, limit=1)
    ends = events(reader, ENDED, limit=EVERY)
    every = _end("", [numbers for _, numbers in ends])
    return Telemetry(
        _numbers(starts[0][1]) if starts else None, starts[0][0] if starts else "",
        ends[0][0] if ends else "", whole(reader.value(
            "SELECT count(*) FROM automatic_changes h WHERE h.subject_id = :subject"
            " AND h.event = :event", subject=subject(reader.agent), event=STARTED)), len(ends),
        every.aspects_updated, every.confirmations, every.decayed, every.propagated)


def _records(reader: Reader, rows: tuple[SessionRow, ...]) -> tuple[SessionRecord, ...]:
    """The sessions with what is on record of each: the latest start, and all ends."""
    keys = [row.session_key for row in rows]
    starts: dict[str, StartRecord] = {}
    ends: dict[str, list[Mapping[str, object]]] = {}
    ended_at: dict[str, str] = {}
    for row in reader.rows(
        _STARTS_AND_ENDS, subject=subject(reader.agent), started=STARTED, ended=ENDED, keys=keys,
        oldest=min((row.started_at for row in rows), default=""),
    ):
        numbers, at = json_object(row["metadata"]), text(row["created_at"])
        key = text(numbers.get("session_key"))
        if row["event"] == STARTED:
            starts[key] = _start(at, numbers)
        else:
            ends.setdefault(key, []).append(numbers)
            ended_at[key] = at
    return tuple(SessionRecord(
        row.session_key, row.started_at, row.memories, row.injected, row.confirmed,
        starts.get(row.session_key),
        _end(ended_at[row.session_key], ends[row.session_key])
        if row.session_key in ends else None) for row in rows)


def _start(at: str, numbers: Mapping[str, object]) -> StartRecord:
    names = numbers.get("focal_entity_names")
    return StartRecord(
        at, _numbers(numbers), text(numbers.get("project")), text(numbers.get("ranked_by")),
        tuple(map(text, names if isinstance(names, list) else json_array(names))))


def _end(at: str, ends: list[Mapping[str, object]]) -> EndRecord:
    def total(name: str) -> int:
        return sum(whole(end.get(name)) for end in ends)

    return EndRecord(at, total("aspects_updated"), total("confirmations"), total("decayed"),
                     total("propagated"), total("constraints_eased"))


def _numbers(numbers: Mapping[str, object]) -> StartTelemetry:
    return StartTelemetry(
        whole(numbers.get("traversal_entities")), whole(numbers.get("traversal_memories")),
        whole(numbers.get("traversal_constraints")), bool(numbers.get("traversal_timed_out")),
        whole(numbers.get("memory_count")), whole(numbers.get("inject_chars")),
        number(numbers.get("duration_ms")), _budget(numbers.get("memory_budget")),
        _budget(numbers.get("constraint_budget")))


def _budget(stored: object) -> Budget:
    """How far a room was filled; an older record does not say."""
    given = stored if isinstance(stored, Mapping) else {}
    return Budget(*(whole(given.get(name)) for name in Budget.__struct_fields__))


def _session(row: Row) -> SessionRow:
    return SessionRow(text(row["session_key"]), text(row["started"]), whole(row["memories"]),
                      whole(row["injected"]), whole(row["confirmed"]))


def _memory(row: Row, owner: Owner) -> SessionMemory:
    predicted, rating = row["predictor_score"], row["agent_relevance_score"]
    return SessionMemory(
        text(row["memory_id"]), text(row["content"]), text(row["source"]), whole(row["rank"]),
        number(row["effective_score"]), None if predicted is None else number(predicted),
        number(row["final_score"]), bool(row["was_injected"]), whole(row["fts_hit_count"]),
        None if rating is None else number(rating), read_path(row["path_json"]),
        owner.entity, owner.before)


def _checkpoint(row: Row) -> Checkpoint:
    made = parse_time(row["created_at"])
    return Checkpoint(
        text(row["id"]), text(row["session_key"]), text(row["project"]),
        made.isoformat() if made else "", text(row["digest"]),
        tuple(id for id in json_array(row["focal_entity_ids"]) if isinstance(id, str)),
        len(json_array(row["active_aspect_ids"])))
