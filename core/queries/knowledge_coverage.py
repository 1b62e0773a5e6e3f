"""How much of what is remembered is organised, and how the aspects stand."""

from datetime import UTC, datetime, timedelta

from msgspec import Struct

from core.queries.rows_to_model import number, whole
from core.store.reader_and_writer import Reader, stamp

RECENT_DAYS = 7
MOST, LEAST = 1.0, 0.1
"""The weights between which feedback moves an aspect."""
# Of a memory that was made from a value there is nothing to assign.
_SAID = "COALESCE(m.is_deleted, 0) = 0 AND COALESCE(m.source_type, '') <> 'claim'"
# Signet has no index on what a value rests on: the values are read once, not for each memory.
_COVERAGE = f"""
WITH mentioned AS (
  SELECT DISTINCT n.memory_id AS id FROM memory_entity_mentions n
  CROSS JOIN entities e ON e.id = n.entity_id CROSS JOIN memories m ON m.id = n.memory_id
  WHERE e.agent_id = :agent AND e.status = 'active' AND {_SAID})
SELECT COUNT(*) AS mentioned, COALESCE(SUM(mentioned.id IN (
  SELECT v.memory_id FROM entity_attributes v CROSS JOIN entity_aspects s ON s.id = v.aspect_id
  CROSS JOIN entities e ON e.id = s.entity_id
  WHERE v.memory_id IS NOT NULL AND v.agent_id = :agent AND v.status = 'active'
    AND +s.status = 'active' AND +e.status = 'active')), 0) AS assigned FROM mentioned"""
_WEIGHTS = """
SELECT AVG(s.weight) AS average, COALESCE(SUM(s.weight >= :most), 0) AS most,
  COALESCE(SUM(s.weight <= :least), 0) AS least,
  COALESCE(SUM(replace(s.updated_at, 'T', ' ') >= :since), 0) AS recent
FROM entity_aspects s CROSS JOIN entities e ON e.id = s.entity_id
WHERE s.agent_id = :agent AND s.status = 'active' AND +e.agent_id = :agent
  AND +e.status = 'active'"""


class Coverage(Struct, frozen=True):
    """Memories that mention an entity, and how many of them became values; aspects by weight.

    Attributes:
        unassigned: memories that mention an entity, and that no value in force rests on.
        percent: the others' share, 0 to 100 with one decimal; 0 without any.
        average_weight: of the aspects, three decimals; None without any.
        recent: aspects that were changed in the last seven days.
    """

    unassigned: int
    percent: float
    average_weight: float | None
    most_weight: int
    least_weight: int
    recent: int


def coverage(reader: Reader) -> Coverage:
    """Read it in two statements (seed 001, knowledge stats)."""
    since = stamp(datetime.now(UTC) - timedelta(days=RECENT_DAYS)).replace("T", " ")
    [memories] = reader.rows(_COVERAGE)
    [weights] = reader.rows(_WEIGHTS, most=MOST, least=LEAST, since=since)
    mentioned, assigned = whole(memories["mentioned"]), whole(memories["assigned"])
    average = weights["average"]
    return Coverage(
        mentioned - assigned, round(100 * assigned / mentioned, 1) if mentioned else 0.0,
        None if average is None else round(number(average), 3),
        whole(weights["most"]), whole(weights["least"]), whole(weights["recent"]))
