"""Records a session's start, so that its end can learn what was useful."""

from collections.abc import Mapping

from msgspec import to_builtins

from core.errors import OperationError
from core.learning import scorer_features, session_candidate_scorer
from core.learning.automatic_change_log import record as note_down
from core.learning.scorer_features import aspect, owner, slot
from core.model.session_start_and_end import SessionCandidate, SessionStart
from core.model.walk import path_json
from core.queries.sessions import STARTED, require_own_rows, subject
from core.session.checkpoint import project_key, snapshot
from core.store.reader_and_writer import Writer, new_id

BY = "session:start"


def record(writer: Writer, started: SessionStart) -> int:
    """Write the whole pool to `session_memories`, with the source of each, and other injected
    memories; returns how many.

    A session that starts again is updated: what was injected once stays so, and its hits stay. One
    without any memories is not recorded. Raises OperationError without a key.
    """
    if not started.session_key.strip():
        raise OperationError(400, "A session needs a key to be recorded", field="session")
    require_own_rows(writer)
    if not (started.candidates or started.expected or started.trial or started.focal.entities):
        return 0
    rows = _rows(writer, started)
    known = {row["memory_id"]: row for row in writer.rows(
        "SELECT s.id, s.memory_id, s.was_injected FROM session_memories s"
        " WHERE s.session_key = :session AND s.agent_id = :agent", session=started.session_key)}
    fresh = [row for row in rows if row["memory_id"] not in known]
    for row in rows:
        old = known.get(row["memory_id"])
        if old is not None:
            kept = {name: value for name, value in row.items() if name not in (
                "id", "created_at", "fts_hit_count", "agent_feedback_count")}
            kept["was_injected"] = int(bool(old["was_injected"] or row["was_injected"]))
            writer.update("session_memories", old["id"], **kept)
    writer.insert_many("session_memories", fresh)
    _note_down(writer, started)
    return len(rows)


def _rows(writer: Writer, started: SessionStart) -> list[Mapping[str, object]]:
    memories = (*started.candidates, *started.expected, *started.trial)
    dense = scorer_features.densities(writer, filter(None, (owner(each.path) for each in memories)))
    rules = scorer_features.constraint_memories(writer, (each.id for each in memories))
    predicted = _ranks(started.candidates)
    injected = {each.id for each in (*started.memories, *started.expected, *started.trial)}
    return [_row(writer, started, place, each, each.id in injected, dense, rules, predicted)
            for place, each in enumerate(memories)]


def _row(
    writer: Writer, started: SessionStart, place: int, each: SessionCandidate, injected: bool,
    dense: Mapping[str, int], rules: frozenset[str], predicted: Mapping[str, int],
) -> Mapping[str, object]:
    return {
        "id": new_id(), "session_key": started.session_key, "agent_id": writer.agent,
        "memory_id": each.id, "source": each.source, "effective_score": each.heuristic,
        "predictor_score": each.predicted, "final_score": each.score, "rank": place + 1,
        "was_injected": int(injected), "fts_hit_count": 0,
        "created_at": writer.now(), "entity_slot": slot(owner(each.path)),
        "aspect_slot": slot(aspect(each.path)), "is_constraint": int(each.id in rules),
        "structural_density": dense.get(owner(each.path) or ""),
        "predictor_rank": predicted.get(each.id), "agent_feedback_count": 0,
        "path_json": path_json(each.path) if each.path else None,
    }


def _ranks(candidates: tuple[SessionCandidate, ...]) -> dict[str, int]:
    """The places of candidates by what was learned."""
    scored = [each for each in candidates if each.predicted is not None]
    ordered = sorted(scored, key=lambda each: -(each.predicted or 0.0))
    return {each.id: place for place, each in enumerate(ordered, 1)}


def _note_down(writer: Writer, started: SessionStart) -> None:
    """The numbers of the seeds, and what the session's checkpoint will carry on."""
    note_down(
        writer, STARTED, subject(writer.agent), by=BY, reason="a session began", lasting=False,
        metadata={
            "session_key": started.session_key, "project": project_key(started.project),
            "ranked_by": started.ranked_by, "focus": session_candidate_scorer.focus(started.focal),
            "tried_link": started.tried.id if started.tried else None,
            **to_builtins(started.telemetry), **snapshot(started)})
