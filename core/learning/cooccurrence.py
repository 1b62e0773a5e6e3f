"""Counts which entities sessions use together, and links those used together more than by
chance."""

import math
from collections.abc import Collection, Iterable, Mapping
from itertools import combinations

from core.learning.config import FeedbackSettings
from core.queries.rows_to_model import number, whole
from core.store.reader_and_writer import Reader, Writer, new_id

Pair = tuple[str, str]
"""Two entities, the smaller id first."""
REASON, CONFIDENCE = "pattern-matched", 0.5
LEAST, MOST, PER_NPMI = 0.3, 0.9, 0.5
"""The strength of a link that is made this way: 0.3 and half the NPMI, at most 0.9."""
RELATED = "related_to"

_USED = """
SELECT t.entity_id AS id, t.session_count AS sessions FROM json_each(:ids) f
CROSS JOIN entity_retrieval_stats t ON t.entity_id = f.value WHERE t.agent_id = :agent"""
_TOGETHER = """
SELECT t.source_entity_id AS source, t.target_entity_id AS target, t.session_count AS sessions
FROM json_each(:ids) f CROSS JOIN entity_cooccurrence t ON t.source_entity_id = f.value
WHERE t.agent_id = :agent AND t.target_entity_id IN (SELECT value FROM json_each(:ids))"""
_LINK = """
SELECT d.id, d.strength, d.confidence, d.status FROM entity_dependencies d
WHERE d.source_entity_id = :source AND d.target_entity_id = :target
  AND +d.agent_id = :agent AND d.dependency_type = 'related_to' ORDER BY d.status, d.id"""
_MADE = """
SELECT COUNT(*) FROM entity_dependencies d WHERE d.source_entity_id = :source
  AND +d.agent_id = :agent AND d.dependency_type = 'related_to' AND d.reason = :reason"""
_ACTIVE = """
SELECT e.id FROM json_each(:ids) f CROSS JOIN entities e ON e.id = f.value
WHERE e.agent_id = :agent AND e.status = 'active'"""


def active(reader: Reader, ids: Iterable[str]) -> list[str]:
    """Those of the ids that are entities of the agent in force, in their order."""
    wanted = list(dict.fromkeys(ids))
    known = {row["id"] for row in reader.rows(_ACTIVE, ids=wanted)} if wanted else set()
    return [id for id in wanted if id in known]


def count(
    writer: Writer, session_key: str, used: Collection[str], before: Collection[str]
) -> list[Pair]:
    """Count that the session used these entities, each and each pair once per session.

    Args:
        used: entities of paths that were of use.
        before: those that the session has counted already.

    Returns the pairs that were counted.
    """
    known = set(before)
    fresh = [id for id in used if id not in known]
    every = sorted(known | set(fresh))
    _add(writer, "entity_retrieval_stats", session_key, [{"entity_id": id} for id in fresh], {
        (id,): whole(sessions) for id, sessions in _sessions(writer, fresh).items()})
    pairs = [pair for pair in combinations(every, 2) if not known.issuperset(pair)]
    _add(writer, "entity_cooccurrence", session_key,
         [{"source_entity_id": one, "target_entity_id": other} for one, other in pairs],
         _together(writer, every))
    return pairs


def _add(
    writer: Writer, table: str, session_key: str, keys: list[dict[str, str]],
    counts: Mapping[tuple[str, ...], int],
) -> None:
    """Count one more session for each key."""
    now = writer.now()
    fresh = []
    for key in keys:
        sessions = counts.get(tuple(key.values()))
        if sessions is None:
            fresh.append({**key, "agent_id": writer.agent, "session_count": 1,
                          "last_session_key": session_key, "created_at": now, "updated_at": now})
            continue
        writer.update_where(
            table, " AND ".join(["agent_id = :agent", *(f"{name} = :{name}" for name in key)]),
            {"session_count": sessions + 1, "last_session_key": session_key,
             "updated_at": now}, **key)
    writer.insert_many(table, fresh)


def _sessions(reader: Reader, ids: Collection[str]) -> dict[str, int]:
    rows = reader.rows(_USED, ids=list(ids)) if ids else []
    return {row["id"]: whole(row["sessions"]) for row in rows}


def _together(reader: Reader, ids: Collection[str]) -> dict[tuple[str, ...], int]:
    rows = reader.rows(_TOGETHER, ids=list(ids)) if ids else []
    return {(row["source"], row["target"]): whole(row["sessions"]) for row in rows}


def npmi(together: int, one: int, other: int, total: int) -> float:
    """Normalised pointwise mutual information: 1 if always together, 0 if by chance."""
    both = together / total
    if both >= 1:
        return 1.0
    chance = min(one / total, 1.0) * min(other / total, 1.0)
    if both <= 0 or chance <= 0:
        return -1.0
    return math.log(both / chance) / -math.log(both)


def promote(
    writer: Writer, pairs: Iterable[Pair], session_key: str, settings: FeedbackSettings
) -> int:
    """Link, in both directions, pairs used together more than by chance; returns how many.

    A link that a person has archived stays archived.
    """
    wanted = list(pairs)
    ids = sorted({id for pair in wanted for id in pair})
    total = whole(writer.value(
        "SELECT COUNT(*) FROM path_feedback_sessions WHERE agent_id = :agent"))
    if total <= 1 or not ids:
        return 0
    alone, together = _sessions(writer, ids), _together(writer, ids)
    changed = 0
    for one, other in wanted:
        often = together.get((one, other), 0)
        if often < settings.min_cooccurrence:
            continue
        value = npmi(often, alone.get(one, often), alone.get(other, often), total)
        if value >= settings.min_npmi:
            strength = round(min(max(LEAST + PER_NPMI * value, LEAST), MOST), 6)
            for source, target in ((one, other), (other, one)):
                changed += _link(writer, source, target, strength, session_key, settings)
    return changed


def _link(
    writer: Writer, source: str, target: str, strength: float, session_key: str,
    settings: FeedbackSettings,
) -> bool:
    """Make the link, or strengthen the one there is; True if anything changed."""
    old = writer.row(_LINK, source=source, target=target)
    now = writer.now()
    if old is None:
        made = whole(writer.value(_MADE, source=source, reason=REASON))
        if made >= settings.max_promoted:
            return False
        id, sure = new_id(), CONFIDENCE
        writer.insert(
            "entity_dependencies", id=id, source_entity_id=source, target_entity_id=target,
            agent_id=writer.agent, dependency_type=RELATED, strength=strength, confidence=sure,
            reason=REASON, status="active", created_at=now, updated_at=now)
    else:
        id, before = old["id"], number(old["strength"], 0.5)
        certain = number(old["confidence"], 0.7)
        strength, sure = max(before, strength), max(certain, CONFIDENCE)
        if old["status"] != "active" or (strength, sure) == (before, certain):
            return False
        writer.update("entity_dependencies", id, strength=strength, confidence=sure,
                      updated_at=now)
    writer.audit(
        operation="create_link", created_by="path-feedback", applied_by="path-feedback",
        confidence=sure, rationale="Sessions use the two together more often than by chance",
        payload={"source_entity_id": source, "target_entity_id": target, "link_type": RELATED,
                 "reason": REASON, "strength": strength, "confidence": sure},
        evidence=[{"session_key": session_key}], result={"dependencyId": id})
    return True
