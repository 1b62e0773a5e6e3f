"""Lists what in a file could not be read as the graph it should be, row by row."""

from dataclasses import dataclass

from core.store.handles import Reader

AT_MOST = 500
"""Rows listed per rule; the count says how many there are in all."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One row that is not as it should be: shown and counted, never hidden, never repaired."""

    table: str
    row: str
    field: str
    what: str


_DANGLING = (
    ("entity_aspects", "entity_id", "entities", "belongs to an entity that is not in the file"),
    ("entity_attributes", "aspect_id", "entity_aspects", "belongs to an aspect that is not there"),
    ("entity_attributes", "memory_id", "memories", "rests on a memory that is not there"),
    ("entity_dependencies", "source_entity_id", "entities", "starts at an entity that is gone"),
    ("entity_dependencies", "target_entity_id", "entities", "ends at an entity that is not there"),
    ("epistemic_assertions", "subject_entity_id", "entities", "is about an entity that is gone"),
)

_JSON = (("ontology_proposals", "payload"), ("ontology_proposals", "evidence"),
         ("epistemic_assertions", "evidence"))


def find_problems(reader: Reader) -> tuple[Problem, ...]:
    """Every row of the agent that dangles, has no readable name, JSON or number.

    Reads each table once; meant for a background thread and for `constellation info`.
    """
    found: list[Problem] = []
    for table, column, target, what in _DANGLING:
        rows = reader.rows(
            f"SELECT t.id, t.{column} AS missing FROM {table} AS t "
            f"WHERE t.agent_id = :agent AND t.{column} IS NOT NULL "
            f"AND NOT EXISTS (SELECT 1 FROM {target} AS o WHERE o.id = t.{column}) LIMIT :most",
            most=AT_MOST)
        found += [Problem(table, str(r["id"]), column, f"{what}: {r['missing']}") for r in rows]
    for table, column in _JSON:
        rows = reader.rows(
            f"SELECT id FROM {table} WHERE agent_id = :agent AND NOT json_valid({column}) "
            "LIMIT :most", most=AT_MOST)
        found += [Problem(table, str(r["id"]), column, "is not JSON; read as empty") for r in rows]
    found += [Problem("entities", str(r["id"]), "name", "has no name") for r in reader.rows(
        "SELECT id FROM entities WHERE agent_id = :agent AND trim(name) = '' LIMIT :most",
        most=AT_MOST)]
    found += [
        Problem("entity_attributes", str(r["id"]), "kind", f"has an unknown kind: {r['kind']}")
        for r in reader.rows(
            "SELECT id, kind FROM entity_attributes WHERE agent_id = :agent "
            "AND kind NOT IN ('attribute', 'constraint') LIMIT :most", most=AT_MOST)]
    if reader.kind == "signet" and reader.has_column("entities", "canonical_name"):
        found += [
            Problem("entities", str(r["id"]), "canonical_name", "is NULL; the name stands in")
            for r in reader.rows(
                "SELECT id FROM main.entities WHERE agent_id = :agent "
                "AND canonical_name IS NULL LIMIT :most", most=AT_MOST)]
    return tuple(found)
