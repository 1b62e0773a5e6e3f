"""Counts over an agent's whole graph."""

from core.model.entity import Agent, Counts
from core.queries.rows import MEMORY_VISIBLE, text, whole
from core.store.handles import Reader

# Counted are those that can be seen: of an aspect and an entity that were not archived.
_SEEN = """agent_id = :agent AND status = 'active' AND aspect_id IS NOT NULL AND aspect_id NOT IN (
     SELECT s.id FROM entity_aspects s LEFT JOIN entities e
      ON e.id = s.entity_id AND e.agent_id = :agent
     WHERE s.agent_id = :agent AND (s.status <> 'active' OR COALESCE(e.status, '') <> 'active'))"""
_COUNTS = f"""
SELECT
 (SELECT COUNT(*) FROM entities WHERE agent_id = :agent AND status = 'active') AS entities,
 (SELECT COUNT(*) FROM entities WHERE agent_id = :agent AND status = 'archived') AS archived,
 (SELECT COUNT(*) FROM entities WHERE agent_id = :agent AND status = 'active' AND pinned = 1)
   AS pinned,
 (SELECT COUNT(*) FROM entities WHERE agent_id = :agent AND status = 'active' AND muted = 1)
   AS muted,
 (SELECT COUNT(*) FROM entity_aspects WHERE agent_id = :agent AND status = 'active') AS aspects,
 (SELECT COUNT(*) FROM entity_attributes
   WHERE {_SEEN} AND kind = 'attribute') AS attributes,
 (SELECT COUNT(*) FROM entity_attributes
   WHERE {_SEEN} AND kind = 'constraint') AS constraints,
 (SELECT COUNT(*) FROM entity_dependencies WHERE agent_id = :agent AND status = 'active')
   AS dependencies,
 (SELECT COUNT(*) FROM memories m
   WHERE {MEMORY_VISIBLE} AND COALESCE(m.is_deleted, 0) = 0
   AND COALESCE(m.source_type, '') <> 'claim') AS memories,
 (SELECT COUNT(*) FROM ontology_proposals WHERE agent_id = :agent AND status = 'pending')
   AS pending,
 (SELECT COUNT(*) FROM epistemic_assertions WHERE agent_id = :agent AND status = 'active')
   AS assertions,
 (SELECT COUNT(*) FROM task_meta WHERE agent_id = :agent) AS tasks
"""

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


def counts(reader: Reader) -> Counts:
    """Counts of each kind of row in the agent's graph."""
    row = reader.row(_COUNTS)
    return Counts() if row is None else Counts(**{name: whole(row[name]) for name in row.keys()})  # noqa: SIM118


def type_counts(reader: Reader, *, status: str = "active") -> dict[str, int]:
    """How many entities there are of each type, most first; of any status if it is empty."""
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
