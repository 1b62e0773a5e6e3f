"""Learns from recalls: a memory that a session started with and then recalled is confirmed.

Each hit counts once, even if a session ends repeatedly (upstream counts it each time).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field

from core.errors import OperationError
from core.learning.aspect_weights import Bounds, move_weights
from core.learning.automatic_change_log import record
from core.learning.config import FeedbackSettings
from core.model.recall import Recall
from core.model.session_start_and_end import WORDS
from core.model.walk import Path, path_json
from core.queries.rows_to_model import MEMORY_VISIBLE, number, whole
from core.queries.sessions import events, require_own_rows, subject
from core.store.reader_and_writer import Reader, Writer, new_id

BY = "learning:feedback"
FEEDBACK = "session_feedback"

_HITS = """
SELECT s.memory_id, s.fts_hit_count AS hits FROM session_memories s
WHERE s.session_key = :session AND s.agent_id = :agent AND s.fts_hit_count > 0
  AND (s.was_injected = 1 OR NOT :only_injected)"""
_ASPECTS = """
SELECT v.memory_id, v.aspect_id FROM entity_attributes v
WHERE +v.status = 'active' AND v.memory_id IN (SELECT value FROM json_each(:ids))
  AND +v.agent_id = :agent AND v.aspect_id IS NOT NULL
ORDER BY v.memory_id, v.importance DESC, v.created_at, v.id"""


class Overlap(Struct, frozen=True):
    """What a session's hits confirmed; `memories` are those with hits that had not counted yet."""

    aspects_updated: int = 0
    confirmations: int = 0
    memories: Mapping[str, int] = field(default_factory=dict)


def note_hits(
    writer: Writer, session_key: str, memory_ids: Iterable[str],
    paths: Mapping[str, Path] | None = None,
) -> int:
    """Record that a recall of this session returned these memories; returns how many.

    A memory that the session did not start with is recorded as found only by recall, with the path
    by which the walk came to it, if any. Raises OperationError without a key, and for a memory
    that the agent does not have.
    """
    if not session_key.strip():
        raise OperationError(400, "Hits are recorded under the session's key", field="session")
    require_own_rows(writer)
    ids = list(dict.fromkeys(memory_ids))
    _require_visible(writer, ids)
    known = {row["memory_id"]: row for row in writer.rows(
        "SELECT s.id, s.memory_id, s.fts_hit_count AS hits FROM session_memories s"
        " WHERE s.session_key = :session AND s.agent_id = :agent"
        " AND s.memory_id IN (SELECT value FROM json_each(:ids))", session=session_key, ids=ids)}
    for id in ids:
        if id in known:
            writer.update("session_memories", known[id]["id"],
                          fts_hit_count=whole(known[id]["hits"]) + 1)
        else:
            writer.insert(
                "session_memories", id=new_id(), session_key=session_key, agent_id=writer.agent,
                memory_id=id, source=WORDS, effective_score=0.0, final_score=0.0, rank=0,
                was_injected=0, fts_hit_count=1, is_constraint=0, agent_feedback_count=0,
                path_json=path_json(paths[id]) if paths and id in paths else None,
                created_at=writer.now())
    return len(ids)


def note_recall(writer: Writer, session_key: str, recall: Recall) -> int:
    """Record every hit under the session, once, with its path; returns how many.

    Raises OperationError without a key, and if the file can't store this agent's sessions.
    """
    paths = {hit.memory.id: hit.path for hit in recall.hits if hit.path is not None}
    return note_hits(writer, session_key, [hit.memory.id for hit in recall.hits], paths)


def _require_visible(reader: Reader, ids: Sequence[str]) -> None:
    known = {row["id"] for row in reader.rows(
        f"SELECT m.id FROM json_each(:ids) f CROSS JOIN memories m ON m.id = f.value"
        f" WHERE {MEMORY_VISIBLE}", ids=list(ids))}
    unknown = next((id for id in ids if id not in known), None)
    if unknown is not None:
        raise OperationError(404, "Memory not found", where=unknown, field="memory",
                             do="Use the id of a memory, as recall lists it")


def apply_overlap(writer: Writer, session_key: str, settings: FeedbackSettings) -> Overlap:
    """Raise the aspects of the memories that the session began with and that were found again."""
    fresh = _fresh(writer, session_key, settings)
    if not fresh:
        return Overlap()
    steps: Counter[str] = Counter()
    confirmations = 0
    for memory_id, aspect_id in _aspects(writer, fresh).items():
        steps[aspect_id] += fresh[memory_id]
        confirmations += fresh[memory_id]
    moved = move_weights(
        writer, {id: settings.fts_weight_delta * hits for id, hits in steps.items()},
        Bounds(settings.min_aspect_weight, settings.max_aspect_weight), by=BY,
        why="used in a session", session_key=session_key)
    record(writer, FEEDBACK, subject(writer.agent), by=BY, reason="used in a session",
           metadata={"session_key": session_key, "hits": _counted(writer, session_key, fresh)},
           lasting=False)
    return Overlap(moved, confirmations, fresh)


def _fresh(reader: Reader, session_key: str, settings: FeedbackSettings) -> dict[str, int]:
    """Hits of this session that have not counted yet, by memory."""
    done = _done(reader, session_key)
    rows = reader.rows(_HITS, session=session_key, only_injected=settings.only_injected)
    new = {row["memory_id"]: whole(row["hits"]) - done.get(row["memory_id"], 0) for row in rows}
    return {id: hits for id, hits in new.items() if hits > 0}


def _done(reader: Reader, session_key: str) -> dict[str, int]:
    """Hits of this session that have counted, by memory."""
    for _, event in events(reader, FEEDBACK, session_key, limit=1):
        hits = event.get("hits")
        if isinstance(hits, dict):
            return {str(id): int(number(count)) for id, count in hits.items()}
    return {}


def _counted(reader: Reader, session_key: str, fresh: Mapping[str, int]) -> dict[str, int]:
    return dict(Counter(_done(reader, session_key)) + Counter(fresh))


def _aspects(reader: Reader, memory_ids: Iterable[str]) -> dict[str, str]:
    """The aspect of each memory: that of its most important value in force."""
    aspects: dict[str, str] = {}
    for row in reader.rows(_ASPECTS, ids=list(memory_ids)):
        aspects.setdefault(row["memory_id"], row["aspect_id"])
    return aspects
