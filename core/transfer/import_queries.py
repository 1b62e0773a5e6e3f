"""What an import looks up in the graph: entities by any of their names, and what they hold."""

from collections.abc import Iterable

from core.model.names import name_key
from core.model.vocabulary import IMPORTED
from core.store.compat_views import key_sql
from core.store.database import Row
from core.store.reader_and_writer import Reader

_ENTITY = "SELECT e.id, e.name AS called, e.entity_type, e.status, e.description"
LOOKUPS = (
    (f"{_ENTITY}, e.canonical_name AS name FROM entities e WHERE e.agent_id = :agent"
     " AND e.canonical_name IN (SELECT value FROM json_each(:names))"
     " ORDER BY e.status = 'archived'"),
    (f"{_ENTITY}, e.source_id AS name FROM entities e WHERE e.agent_id = :agent"
     " AND e.source_id IN (SELECT value FROM json_each(:names)) AND e.source_kind = :kind"
     " AND e.source_id <> e.canonical_name"),
    (f"{_ENTITY}, a.canonical_alias AS name FROM entity_aliases a"
     " JOIN entities e ON e.id = a.entity_id AND e.agent_id = :agent"
     " WHERE a.agent_id = :agent AND a.status = 'active'"
     " AND a.canonical_alias IN (SELECT value FROM json_each(:names))"),
)
# Old files allow a name only once among all agents.
OTHERS = ("SELECT e.name FROM entities e WHERE e.agent_id <> :agent"
          f" AND {key_sql('e.name')} IN (SELECT value FROM json_each(:names))")
ASPECTS = """
SELECT s.id, s.entity_id, s.status, s.canonical_name FROM entity_aspects s
WHERE s.entity_id IN (SELECT value FROM json_each(:ids))
  AND s.canonical_name IN (SELECT value FROM json_each(:aspects)) AND +s.agent_id = :agent"""
VALUES = """
SELECT s.entity_id, v.content FROM entity_aspects s
CROSS JOIN entity_attributes v ON v.aspect_id = s.id
WHERE s.entity_id IN (SELECT value FROM json_each(:ids)) AND +s.agent_id = :agent
  AND (NOT :active OR +v.status = 'active')"""
MEMORIES = """
SELECT m.id, m.content_hash FROM memories m
WHERE m.content_hash IN (SELECT value FROM json_each(:hashes)) AND m.is_deleted = 0
  AND m.scope IS NULL AND (NOT :own OR m.agent_id = :agent)"""
TAGS = """
SELECT m.id, m.content_hash, m.tags FROM memories m
WHERE m.content_hash IN (SELECT value FROM json_each(:hashes)) AND m.is_deleted = 0
  AND m.scope IS NULL AND m.source_type = :kind AND (NOT :own OR m.agent_id = :agent)"""
ANY_MEMORY = "SELECT 1 FROM memories m WHERE m.agent_id = :agent LIMIT 1"
DELETED = """
SELECT m.content_hash FROM memories m WHERE m.agent_id = :agent AND m.is_deleted = 1
  AND m.source_type = :kind AND m.content_hash IS NOT NULL"""
MENTIONS = """
SELECT n.memory_id, n.entity_id FROM memory_entity_mentions n
WHERE n.memory_id IN (SELECT value FROM json_each(:ids))"""
MENTIONED = """
SELECT e.id, e.mentions FROM entities e
WHERE e.id IN (SELECT value FROM json_each(:ids)) AND +e.agent_id = :agent"""
LINKS = """
SELECT d.id, d.source_entity_id, d.target_entity_id, d.dependency_type, d.status, d.reason,
  d.source_kind, d.source_id
FROM json_each(:ends) pair CROSS JOIN entity_dependencies d
  ON d.source_entity_id = json_extract(pair.value, '$[0]')
  AND d.target_entity_id = json_extract(pair.value, '$[1]')
WHERE +d.agent_id = :agent"""
FIELDS = """
SELECT f.owner_id, f.fields FROM source_fields f
WHERE f.owner_id IN (SELECT value FROM json_each(:ids)) AND f.agent_id = :agent"""


def entities_called(reader: Reader, names: Iterable[str]) -> dict[str, Row]:
    """The entities of these names, archived or not, by the key of the name that found them."""
    wanted = sorted({name_key(name) for name in names})
    called: dict[str, Row] = {}
    for statement in LOOKUPS:
        for row in reader.rows(statement, names=wanted, kind=IMPORTED):
            called.setdefault(name_key(str(row["name"])), row)
    return called
