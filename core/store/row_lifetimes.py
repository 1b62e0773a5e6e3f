"""When each row of a graph came to be and ceased to count, by its own times and the audit log.

Where rows carry the time of a rewrite, the audit log knows better: nothing counts as younger than
the first applied proposal that names it.
"""

import sqlite3
from datetime import date, timedelta

from core.store.database import columns_of, ordinary_tables, without_row_numbers


def moment_sql(column: str) -> str:
    """A time of the file in one form that compares as text; both forms that files have are read."""
    return (f"(CASE WHEN {column} GLOB '*[+-][0-9][0-9]:[0-9][0-9]'"
            f" THEN strftime('%Y-%m-%d %H:%M:%f', {column})"
            f" ELSE replace(replace({column}, 'T', ' '), 'Z', '') END)")


def later_sql(column: str) -> str:
    """True of a time after the moment `:m`.

    The plain text is compared with `:low` and `:high` first. That decides on nearly all rows at a
    fifth of the cost, or along an index of the column.
    """
    return f"({column} >= :low AND ({column} >= :high OR {moment_sql(column)} > :m))"


_NAMED = """
CREATE TEMP TABLE named AS
SELECT p.id AS id, {applied} AS at FROM main.ontology_proposals p
WHERE p.status = 'applied' AND p.applied_at IS NOT NULL
UNION ALL SELECT e.value, {applied} FROM main.ontology_proposals p, json_each(p.result) e
WHERE p.status = 'applied' AND p.applied_at IS NOT NULL AND json_valid(p.result)
  AND e.type = 'text' AND length(e.value) >= 8 AND e.key LIKE '%Id'"""
"""What each applied proposal names: the ids in what it gave, which were there from then on."""
_ENDS = """
CREATE TEMP TABLE ends AS
SELECT {value} AS id, {applied} AS at FROM main.ontology_proposals p
WHERE p.status = 'applied' AND p.applied_at IS NOT NULL AND json_valid(p.result)
  AND p.operation IN ('archive_entity', 'archive_aspect', 'archive_claim_value', 'archive_link')
UNION ALL SELECT s.value, {applied} FROM main.ontology_proposals p,
  json_each(p.result, '$.supersededAttributeIds') s
WHERE p.status = 'applied' AND p.applied_at IS NOT NULL AND json_valid(p.result)
UNION ALL SELECT json_extract(s.value, '$.entityId'), {applied} FROM main.ontology_proposals p,
  json_each(p.result, '$.mergedEntities') s
WHERE p.status = 'applied' AND p.applied_at IS NOT NULL AND json_valid(p.result)"""
_UPDATES = """
CREATE TEMP TABLE updates AS
SELECT json_extract(p.result, '$.dependencyId') AS id, {applied} AS at
FROM main.ontology_proposals p WHERE p.operation = 'update_link' AND p.status = 'applied'
  AND p.applied_at IS NOT NULL AND json_valid(p.result)"""
_RESTORES = """
INSERT INTO temp.restores SELECT json_extract(p.result, '$.attributeId')
FROM main.ontology_proposals p WHERE p.operation = 'restore_claim_version'
  AND p.status = 'applied' AND json_valid(p.result) AND {applied} > :m"""
_MERGED = """
CREATE TEMP TABLE merged AS SELECT json_extract(s.value, '$.name') AS name
FROM main.ontology_proposals p, json_each(p.result, '$.mergedEntities') s
WHERE p.status = 'applied' AND json_valid(p.result) AND {applied} > :m AND NOT EXISTS (
  SELECT 1 FROM main.entities e WHERE e.id = json_extract(s.value, '$.entityId'))"""
_OUSTED = """
INSERT INTO temp.ends SELECT n.id, r.at FROM main.entity_attributes n JOIN (
  SELECT json_extract(p.result, '$.attributeId') AS id, {applied} AS at
  FROM main.ontology_proposals p WHERE p.operation = 'restore_claim_version'
    AND p.status = 'applied' AND p.applied_at IS NOT NULL AND json_valid(p.result)) r
ON r.id = n.superseded_by WHERE n.status = 'superseded'"""
"""What a restored version has ousted ended with that."""
_ENDED_ID = ("CASE p.operation WHEN 'archive_entity' THEN json_extract(p.result, '$.entityId')"
             " WHEN 'archive_aspect' THEN json_extract(p.result, '$.aspectId')"
             " WHEN 'archive_link' THEN json_extract(p.result, '$.dependencyId')"
             " ELSE json_extract(p.result, '$.attributeId') END")
NEVER = "'9999'"


class TimesThen:
    """The times in one copy of a graph, and what they mean for a moment."""

    def __init__(self, connection: sqlite3.Connection, moment: str) -> None:
        """`moment` in the form of `moment_sql`, with milliseconds."""
        self._connection, self._moment = connection, moment
        day = date.fromisoformat(moment[:10])
        # Two days earlier and later in any zone.
        self._bound = {"m": moment, "low": str(max(day, date(1, 1, 3)) - timedelta(days=2)),
                       "high": str(min(day, date(9999, 12, 28)) + timedelta(days=3))}
        self._columns = {table: frozenset(c["name"] for c in columns_of(connection, table))
                         for table in ordinary_tables(connection)}
        unnumbered = without_row_numbers(connection)
        self._numbered = {table: table not in unnumbered for table in self._columns}
        self._any_named = True

    def _run(self, sql: str) -> int:
        return self._connection.execute(sql, self._bound).rowcount

    def _has(self, table: str, *columns: str) -> bool:
        return self._columns.get(table, frozenset()).issuperset(columns or ("id",))

    @property
    def _has_audit(self) -> bool:
        return self._has("ontology_proposals", "result", "applied_at")

    def _note_born(self) -> None:
        """List the rows that an applied proposal names, each with the first time of that."""
        self._run(_NAMED.format(applied=moment_sql("p.applied_at")) if self._has_audit else
                  "CREATE TEMP TABLE named (id TEXT, at TEXT)")
        self._note_times("born", "named", "min")
        self._any_named = self._connection.execute("SELECT 1 FROM temp.born").fetchone() is not None

    def _note_times(self, table: str, of: str, which: str) -> None:
        self._run(f"CREATE TEMP TABLE {table} (id TEXT PRIMARY KEY, at TEXT) WITHOUT ROWID")
        self._run(f"INSERT INTO temp.{table} SELECT id, {which}(at) FROM temp.{of}"
                  " WHERE id IS NOT NULL GROUP BY id")

    def _note_audit(self) -> None:
        applied = moment_sql("p.applied_at")
        self._note_born()
        self._run("CREATE TEMP TABLE restores (id TEXT)")
        if self._has_audit:
            for notes in (_ENDS, _OUSTED, _UPDATES, _MERGED, _RESTORES):
                self._run(notes.format(applied=applied, value=_ENDED_ID))
        else:
            for name in ("ends", "updates", "merged"):
                self._run(f"CREATE TEMP TABLE {name} (id TEXT, at TEXT, name TEXT)")
        home = "main.claim_restores" if self._has("claim_restores") else "side.restored_versions"
        self._run(f"INSERT INTO temp.restores SELECT attribute_id FROM {home}"
                  f" WHERE {later_sql('restored_at')}")
        self._run("CREATE TEMP TABLE replaced AS SELECT r.id, n.id AS successor"
                  " FROM temp.restores r JOIN main.entity_attributes n ON n.superseded_by = r.id"
                  if self._has("entity_attributes", "version") else
                  "CREATE TEMP TABLE replaced (id TEXT, successor TEXT)")
        for table, of in (("ended", "ends"), ("updated", "updates")):
            self._note_times(table, of, "max")

    def _birth(self, table: str, alias: str) -> str:
        """When a row came to be: its own time or the first proposal's that names it."""
        by = "".join(f", COALESCE((SELECT at FROM temp.born WHERE id = {alias}.{column}), {NEVER})"
                     for column in ("id", "proposal_id")
                     if self._any_named and self._has(table, column))
        own = f"COALESCE({moment_sql(f'{alias}.created_at')}, '')"
        return f"min({own}{by})" if by else own

    def _end(self, alias: str, *columns: str) -> str:
        """When a row stopped to count: its own time or the proposal's that ended it."""
        own = "COALESCE(" + ", ".join(moment_sql(f"{alias}.{c}") for c in columns) + ", '')"
        return f"min({own}, COALESCE((SELECT at FROM temp.ended WHERE id = {alias}.id), {NEVER}))"
