"""Finds entities without facts, catch-all aspects, and what has more parts than it may have."""

from collections.abc import Iterator

from core.health.finding import Finding, Rules, fix
from core.model.text_formatting import counted, one_line
from core.queries.rows_to_model import text
from core.store.reader_and_writer import Reader

TOPOLOGY = ("source_document", "source_document_reference", "source_folder", "chunk_group")
"""Types of entities that only say how imported sources are laid out."""
_NO_FACTS = """
SELECT e.id, e.name, e.pinned,
  (SELECT COUNT(*) FROM memory_entity_mentions m WHERE m.entity_id = e.id) AS mentions,
  EXISTS (SELECT 1 FROM entity_dependencies d WHERE d.source_entity_id = e.id
          AND +d.agent_id = :agent AND +d.status = 'active')
  OR EXISTS (SELECT 1 FROM entity_dependencies d WHERE d.target_entity_id = e.id
             AND +d.agent_id = :agent AND +d.status = 'active') AS linked
FROM entities e
WHERE e.agent_id = :agent AND +e.status = 'active' AND +e.pinned = 0
  AND e.entity_type <> 'task' AND e.entity_type NOT IN (SELECT value FROM json_each(:topology))
  AND NOT (e.entity_type = 'source' AND COALESCE(e.source_root, '') <> '')
  AND NOT EXISTS (SELECT 1 FROM task_meta t WHERE t.entity_id = e.id)
  AND NOT EXISTS (
    SELECT 1 FROM entity_aspects s CROSS JOIN entity_attributes v ON v.aspect_id = s.id
    WHERE s.entity_id = e.id AND +s.agent_id = :agent AND +s.status = 'active'
      AND v.status = 'active')
ORDER BY e.name, e.id"""
_GENERIC_ASPECTS = """
SELECT e.id AS entity, e.name, s.id AS aspect, s.name AS called,
  (SELECT COUNT(*) FROM entity_attributes v WHERE v.aspect_id = s.id AND +v.agent_id = :agent
   AND +v.status = 'active') AS size
FROM entity_aspects s CROSS JOIN entities e ON e.id = s.entity_id
WHERE s.agent_id = :agent AND s.status = 'active'
  AND s.canonical_name IN (SELECT value FROM json_each(:generic))
  AND +e.agent_id = :agent AND +e.status = 'active' ORDER BY e.name, e.id, s.name"""
_TOO_MANY_VALUES = """
WITH full AS (
  SELECT v.aspect_id AS id, COUNT(*) AS size FROM entity_attributes v
  WHERE v.agent_id = :agent AND v.status = 'active' GROUP BY v.aspect_id HAVING COUNT(*) > :most),
placed AS (
  SELECT v.id, v.content, v.aspect_id, f.size, ROW_NUMBER() OVER (
    PARTITION BY v.aspect_id ORDER BY v.kind = 'constraint' DESC, v.importance DESC,
    v.created_at DESC, v.rowid DESC) AS place
  FROM full f CROSS JOIN entity_attributes v ON v.aspect_id = f.id
  WHERE +v.agent_id = :agent AND +v.status = 'active')
SELECT p.id, p.content, p.size, s.name AS called, e.id AS entity, e.name, v.kind
FROM placed p CROSS JOIN entity_attributes v ON v.id = p.id AND +v.agent_id = :agent
CROSS JOIN entity_aspects s ON s.id = p.aspect_id CROSS JOIN entities e ON e.id = s.entity_id
WHERE p.place > :most AND +s.status = 'active' AND +e.agent_id = :agent AND +e.status = 'active'
ORDER BY e.name, e.id, s.name, p.place"""
_TOO_MANY_ASPECTS = """
WITH full AS (
  SELECT s.entity_id AS id, COUNT(*) AS size FROM entity_aspects s
  WHERE s.agent_id = :agent AND s.status = 'active' GROUP BY s.entity_id HAVING COUNT(*) > :most)
SELECT e.id AS entity, e.name, f.size, (
  SELECT s.id FROM entity_aspects s WHERE s.entity_id = e.id AND +s.agent_id = :agent
    AND s.status = 'active' AND NOT EXISTS (
      SELECT 1 FROM entity_attributes v WHERE v.aspect_id = s.id AND +v.status = 'active')
  ORDER BY s.weight, s.rowid LIMIT 1) AS empty
FROM full f CROSS JOIN entities e ON e.id = f.id
WHERE +e.agent_id = :agent AND +e.status = 'active' ORDER BY e.name, e.id"""
_GENERIC = frozenset(("general", "misc", "miscellaneous", "other", "others", "stuff", "various",
                      "uncategorized", "default", "info", "notes"))


def no_facts(reader: Reader, rules: Rules) -> Iterator[Finding]:
    """Entities of which nothing is known; one that nothing leads to either can be archived."""
    for row in reader.rows(_NO_FACTS, topology=list(TOPOLOGY)):
        used = row["linked"] or row["mentions"]
        name = text(row["name"])
        words = "no fact" if not used else f"no fact; {_uses(row['mentions'], row['linked'])}"
        yield Finding(
            "no_facts", "info" if used else "warning", (row["id"],), row["id"], name,
            f"“{name}” has {words}", None if used else fix(
                reader, "archive_entity", entity=row["id"], reason="Nothing is known of it"))


def _uses(mentions: int, linked: bool) -> str:
    parts = [counted(mentions, "memory mentions it", "memories mention it") if mentions else "",
             "links lead to it or from it" if linked else ""]
    return ", ".join(part for part in parts if part)


def generic_aspects(reader: Reader, rules: Rules) -> Iterator[Finding]:
    """Aspects with a catch-all name; an empty one can be archived."""
    for row in reader.rows(_GENERIC_ASPECTS, generic=sorted(_GENERIC)):
        called, size = text(row["called"]), row["size"]
        words = f"says nothing about its {counted(size, 'value')}" if size else "is empty"
        yield Finding(
            "generic_aspect", "info", (row["aspect"],), row["entity"], text(row["name"]),
            f"The aspect “{called}” {words}", None if size else fix(
                reader, "archive_aspect", entity=row["entity"], aspect=row["aspect"]))


def over_cap_values(reader: Reader, rules: Rules) -> Iterator[Finding]:
    """The least important values of an aspect that has more than remembering may store."""
    most = rules.ingest.max_attributes_per_aspect
    for row in reader.each(_TOO_MANY_VALUES, most=most):
        yield Finding(
            "attribute_over_cap", "warning", (row["id"],), row["entity"], text(row["name"]),
            f"“{text(row['called'])}” has {row['size']} values, more than {most}; among the least"
            f" important: “{one_line(text(row['content']), 80)}”",
            None if row["kind"] == "constraint" else fix(
                reader, "archive_claim_value", attribute_id=row["id"],
                reason=f"The aspect has more than {most} values"))


def over_cap_aspects(reader: Reader, rules: Rules) -> Iterator[Finding]:
    """Entities with more aspects than remembering may make; an empty one can go."""
    most = rules.ingest.max_aspects_per_entity
    for row in reader.rows(_TOO_MANY_ASPECTS, most=most):
        name = text(row["name"])
        yield Finding(
            "aspect_over_cap", "warning", (row["entity"],), row["entity"], name,
            f"“{name}” has {row['size']} aspects, more than {most}", row["empty"] and fix(
                reader, "archive_aspect", entity=row["entity"], aspect=row["empty"]) or None)
