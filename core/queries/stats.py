"""Counts over an agent's whole graph."""

from collections.abc import Collection

from msgspec.structs import replace

from core.model.entity import Agent, Counts
from core.queries.rows_to_model import MEMORY_VISIBLE, text, whole
from core.store.reader_and_writer import Reader

_OF_ENTITIES = """
SELECT
 (SELECT COUNT(*) FROM entities WHERE agent_id = :agent AND status = 'active') AS entities,
 (SELECT COUNT(*) FROM entities WHERE agent_id = :agent AND status = 'archived') AS archived,
 (SELECT COUNT(*) FROM entities WHERE agent_id = :agent AND status = 'active' AND pinned = 1)
   AS pinned,
 (SELECT COUNT(*) FROM entities WHERE agent_id = :agent AND status = 'active' AND muted = 1)
   AS muted"""
_OF_ASPECTS = """
SELECT COUNT(*) AS aspects FROM entity_aspects WHERE agent_id = :agent AND status = 'active'"""
_OF_VALUES = """
WITH hidden AS (
  SELECT s.id FROM (
    SELECT entity_id, status FROM entity_aspects WHERE agent_id = :agent
    GROUP BY entity_id, status) g
  CROSS JOIN entity_aspects s ON s.entity_id IS g.entity_id AND s.status IS g.status
  WHERE s.agent_id = :agent AND (g.status <> 'active' OR NOT EXISTS (
    SELECT 1 FROM entities e
    WHERE e.id = g.entity_id AND +e.agent_id = :agent AND +e.status = 'active'))),
counted AS (
  SELECT kind, COUNT(*) AS many FROM entity_attributes
  WHERE agent_id = :agent AND status = 'active' GROUP BY kind
  UNION ALL SELECT v.kind, -COUNT(*) FROM hidden h
  CROSS JOIN entity_attributes v ON v.aspect_id = h.id
  WHERE +v.agent_id = :agent AND v.status = 'active' GROUP BY v.kind
  UNION ALL SELECT kind, -COUNT(*) FROM entity_attributes
  WHERE aspect_id IS NULL AND +agent_id = :agent AND status = 'active' GROUP BY kind)
SELECT COALESCE(SUM(many) FILTER (WHERE kind = 'attribute'), 0) AS attributes,
  COALESCE(SUM(many) FILTER (WHERE kind = 'constraint'), 0) AS constraints FROM counted"""
"""Those that can be seen: of an aspect and an entity that were not archived.

All are counted along an index, and those taken off that belong to what was archived or is gone.
"""
_OF_LINKS = """
SELECT COUNT(*) AS dependencies FROM entity_dependencies
WHERE agent_id = :agent AND status = 'active'"""
COUNT_MEMORIES = f"""
SELECT COUNT(*) AS memories FROM memories m
WHERE {MEMORY_VISIBLE} AND COALESCE(m.is_deleted, 0) = 0
  AND COALESCE(m.source_type, '') <> 'claim'"""
_OF_WORK = """
SELECT
 (SELECT COUNT(*) FROM ontology_proposals WHERE agent_id = :agent AND status = 'pending')
   AS pending,
 (SELECT COUNT(*) FROM epistemic_assertions WHERE agent_id = :agent AND status = 'active')
   AS assertions,
 (SELECT COUNT(*) FROM task_meta WHERE agent_id = :agent) AS tasks"""
_COUNTS = (
    (_OF_ENTITIES, ("entities",)),
    (_OF_ASPECTS, ("entity_aspects",)),
    (_OF_VALUES, ("entity_attributes", "entity_aspects", "entities")),
    (_OF_LINKS, ("entity_dependencies",)),
    (COUNT_MEMORIES, ("memories", "agents")),
    (_OF_WORK, ("ontology_proposals", "epistemic_assertions", "task_meta")),
)
"""The statements, each with the tables that it counts in."""
COUNTED = frozenset(table for _, tables in _COUNTS for table in tables)
"""After a change of any of these there may be other counts."""

_AGENTS = """
SELECT agents.id AS id, MAX(agents.name) AS name, SUM(agents.entities) AS entities FROM (
  SELECT agent_id AS id, NULL AS name, SUM(status = 'active') AS entities FROM entities
   GROUP BY agent_id
  UNION ALL SELECT id, name, 0 FROM agents
  UNION ALL SELECT :agent, NULL, 0
) agents WHERE agents.id IS NOT NULL GROUP BY agents.id
ORDER BY SUM(agents.entities) DESC, agents.id
"""
_ANYTHING = """
SELECT EXISTS (SELECT 1 FROM entities WHERE agent_id = :agent)
 OR EXISTS (SELECT 1 FROM memories WHERE agent_id = :agent)
 OR EXISTS (SELECT 1 FROM ontology_proposals WHERE agent_id = :agent)
"""


def counts(
    reader: Reader, before: Counts | None = None, touched: Collection[str] = COUNTED
) -> Counts:
    """Counts of each kind of row in the agent's graph.

    Args:
        before: the counts before a change.
        touched: the tables that it has touched; all else is as before.
    """
    numbers: dict[str, int] = {}
    for statement, tables in _COUNTS:
        if before is None or not frozenset(tables).isdisjoint(touched):
            row = reader.rows(statement)[0]
            numbers |= {name: whole(row[name]) for name in row.keys()}  # noqa: SIM118
    return replace(before or Counts(), **numbers)


def type_counts(reader: Reader, *, status: str = "active") -> dict[str, int]:
    """How many entities there are of each type, most first; of any status if it is empty."""
    return dict(reader.once(f"types of {reader.agent} {status}",
                            lambda: _type_counts(reader, status)))


def _type_counts(reader: Reader, status: str) -> dict[str, int]:
    of_status = " AND status = :status" if status else ""
    rows = reader.rows(
        f"SELECT entity_type, COUNT(*) AS n FROM entities WHERE agent_id = :agent{of_status}"
        " GROUP BY entity_type ORDER BY n DESC, entity_type", status=status)
    return {text(row["entity_type"]) or "unknown": row["n"] for row in rows}


def list_agents(reader: Reader) -> list[Agent]:
    """The agents with rows in the file, and the current one; most entities first.

    This is the one read that looks beyond the agent: the agent switch needs their names.
    """
    return [Agent(text(row["id"]), text(row["name"]) or text(row["id"]), row["entities"])
            for row in reader.rows(_AGENTS)]


def other_agents(reader: Reader) -> tuple[str, ...]:
    """If the agent has no data: the agents with entities here, most first."""
    if reader.value(_ANYTHING):
        return ()
    return tuple(agent.id for agent in list_agents(reader) if agent.entities)
