"""Lowers the importance of contradicted constraints, never below a floor (seed 002).

It is always included anyway: importance is its rank among the others, and how soon it is shortened.
A respected constraint is unchanged.
"""

from collections import defaultdict
from collections.abc import Iterable

from core.learning.automatic_change_log import record, recorded
from core.learning.config import FeedbackSettings, SupersessionSettings
from core.learning.detect_contradiction import detect
from core.model.times import later
from core.queries.rows_to_model import number, text
from core.store.database import Row
from core.store.reader_and_writer import Reader, Writer

BY = "learning:constraints"
EASED = "constraint_eased"
_MOST = 200
"""Values of one aspect that are held against a constraint, the newest."""

_CONSTRAINTS = """
SELECT v.id, v.aspect_id, v.memory_id, v.content, v.importance, v.created_at
FROM json_each(:entities) f CROSS JOIN entity_aspects a ON a.entity_id = f.value
CROSS JOIN entity_attributes v ON v.aspect_id = a.id
WHERE +a.agent_id = :agent AND +v.agent_id = :agent AND v.status = 'active'
  AND v.kind = 'constraint' AND v.importance > :floor"""
_VALUES = """
SELECT v.id, v.aspect_id, v.content, v.created_at FROM json_each(:aspects) f
CROSS JOIN entity_attributes v ON v.aspect_id = f.value
WHERE +v.agent_id = :agent AND v.status = 'active' AND v.kind = 'attribute'
ORDER BY v.created_at DESC"""
_RATED = """
SELECT s.memory_id, s.session_key, s.agent_relevance_score AS rating
FROM json_each(:ids) f CROSS JOIN session_memories s ON s.memory_id = f.value
WHERE +s.agent_id = :agent AND s.agent_relevance_score IS NOT NULL"""


def ease(
    writer: Writer, entity_ids: Iterable[str], settings: FeedbackSettings,
    supersession: SupersessionSettings,
) -> int:
    """Lower the importance of constraints of these entities that enough new facts contradict.

    Newer values that contradict it and sessions that rated it down are doubts; each counts once.
    It is unchanged if as many sessions rated it up. Returns how many were lowered.
    """
    rules = writer.rows(_CONSTRAINTS, entities=sorted(set(entity_ids)),
                        floor=settings.constraint_floor)
    if not rules:
        return 0
    doubts, support = _told(writer, rules, supersession)
    counted = {(item.get("attribute_id"), doubt)
               for item in recorded(writer, EASED, (row["id"] for row in rules))
               for doubt in _list(item.get("doubts"))}
    eased = 0
    for row in rules:
        against = doubts[row["id"]]
        fresh = sorted(doubt for doubt in against if (row["id"], doubt) not in counted)
        if len(fresh) < settings.constraint_doubts or support[row["id"]] >= len(against):
            continue
        before = number(row["importance"], 0.5)
        after = round(max(settings.constraint_floor, before - settings.constraint_rate), 6)
        writer.update("entity_attributes", row["id"], importance=after, updated_at=writer.now())
        record(writer, EASED, row["id"], old=f"{before:g}", new=f"{after:g}", by=BY,
               reason="new facts contradict it", metadata={
                   "attribute_id": row["id"], "content": row["content"], "doubts": fresh})
        eased += 1
    return eased


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _told(
    reader: Reader, rules: list[Row], settings: SupersessionSettings
) -> tuple[defaultdict[str, set[str]], defaultdict[str, int]]:
    """What speaks against each constraint, and how many sessions for it."""
    doubts: defaultdict[str, set[str]] = defaultdict(set)
    support: defaultdict[str, int] = defaultdict(int)
    values: defaultdict[str, list[Row]] = defaultdict(list)
    for row in reader.rows(_VALUES, aspects=sorted({row["aspect_id"] for row in rules})):
        if len(values[row["aspect_id"]]) < _MOST:
            values[row["aspect_id"]].append(row)
    resting: defaultdict[str, list[str]] = defaultdict(list)
    for rule in rules:
        if rule["memory_id"]:
            resting[rule["memory_id"]].append(rule["id"])
        doubts[rule["id"]].update(f"value:{value['id']}" for value in values[rule["aspect_id"]]
                                  if _speaks_against(value, rule, settings))
    for row in reader.rows(_RATED, ids=sorted(resting)):
        for id in resting[row["memory_id"]]:
            if number(row["rating"]) < 0:
                doubts[id].add(f"session:{text(row['session_key'])}")
            elif number(row["rating"]) > 0:
                support[id] += 1
    return doubts, support


def _speaks_against(value: Row, rule: Row, settings: SupersessionSettings) -> bool:
    if not later(value["created_at"], rule["created_at"]):
        return False
    verdict = detect(text(value["content"]), text(rule["content"]), value["created_at"],
                   rule["created_at"], same_slot=False, settings=settings)
    return verdict is not None and verdict.confidence >= settings.min_confidence
