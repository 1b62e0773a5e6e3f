"""The rules that answer a session's question by their meaning, told in the rules' own section."""

from collections.abc import Iterable

from msgspec.structs import replace

from core.model.recall import Recall
from core.model.walk import Path, Walk, WalkedConstraint
from core.queries.disputes import disputes
from core.queries.rows_to_model import number, text
from core.store.reader_and_writer import Reader

BEST = 5
"""Hits of an answer whose rules are told."""

_STATED = """
SELECT v.id, v.content, v.importance, s.id AS aspect_id, e.id AS entity_id, e.name
FROM json_each(:ids) f CROSS JOIN entity_attributes v ON v.id IN (f.value, (
  SELECT r.id FROM entity_attributes r WHERE r.kind = 'constraint' AND +r.status = 'active'
    AND r.memory_id = f.value AND +r.agent_id = :agent LIMIT 1))
CROSS JOIN entity_aspects s ON s.id = v.aspect_id CROSS JOIN entities e ON e.id = s.entity_id
WHERE +v.agent_id = :agent AND v.status = 'active' AND v.kind = 'constraint'
  AND s.status = 'active' AND e.status = 'active' AND e.agent_id = :agent ORDER BY f.key"""


def with_answered_rules(reader: Reader, walk: Walk, answer: Recall) -> Walk:
    """The walk with the rules that an answer says and that no walked entity has, behind those."""
    ids = [hit.memory.id for hit in answer.hits[:BEST] if hit.constraint and answer.fits]
    known = {each.id for each in walk.constraints}
    rules = [rule for rule in _stated(reader, ids) if rule.id not in known] if ids else []
    return replace(walk, constraints=(*walk.constraints, *rules)) if rules else walk


def _stated(reader: Reader, ids: Iterable[str]) -> Iterable[WalkedConstraint]:
    disputed = disputes(reader)
    for row in reader.rows(_STATED, ids=list(ids)):
        yield WalkedConstraint(
            row["id"], row["entity_id"], text(row["name"]), text(row["content"]),
            number(row["importance"], 0.5), Path((row["entity_id"],), (row["aspect_id"],)),
            disputed=disputed.get(row["id"]))
