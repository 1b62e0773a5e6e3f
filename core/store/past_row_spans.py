"""For how long rows were otherwise: listed in a copy of a graph before it is put back."""

import sqlite3

from core.store.database import columns_of, without_row_numbers
from core.store.row_lifetimes import moment_sql

SPANS, _MENTIONS = "past_spans", "past_mentions"
"""That list, and an index to count mentions by."""
_FOLLOWED = (f"v.status = 'superseded' AND {moment_sql('n.created_at')}"
             f" > {moment_sql('v.created_at')}")
_VALUES = f"""
INSERT INTO main.{SPANS} SELECT 'entity_attributes',
  CASE WHEN {_FOLLOWED} THEN {moment_sql('n.created_at')} ELSE '9999' END, v.rowid,
  CASE WHEN {_FOLLOWED} THEN {moment_sql('v.created_at')} ELSE '' END
FROM main.entity_attributes v LEFT JOIN main.entity_attributes n ON n.id = v.superseded_by
WHERE v.status IN ('superseded', 'deleted')"""
"""A value counted until its successor came; where that does not tell, at any time."""
_CHANGED = f"""
INSERT INTO main.{SPANS} SELECT '{{table}}', COALESCE({moment_sql('t.updated_at')}, '9999'),
  t.rowid, COALESCE({moment_sql('t.created_at')}, '') FROM main.{{table}} t
WHERE t.created_at IS NOT t.updated_at"""
CHANGED = ("entities", "entity_aspects", "entity_dependencies")
"""The tables whose rows may have been otherwise until they were changed."""


def prepare(connection: sqlite3.Connection) -> None:
    """Make the list and the index, as far as the file has the columns."""
    unnumbered = without_row_numbers(connection)

    def has(table: str, *columns: str) -> bool:
        return table not in unnumbered and set(columns) <= {
            column["name"] for column in columns_of(connection, table)}

    connection.execute(f"CREATE TABLE main.{SPANS} (tbl TEXT, until TEXT, place INTEGER, made TEXT,"
                       " PRIMARY KEY (tbl, until, place)) WITHOUT ROWID")
    if has("entity_attributes", "status", "superseded_by", "created_at"):
        connection.execute(_VALUES)
    for table in CHANGED:
        if has(table, "created_at", "updated_at"):
            connection.execute(_CHANGED.format(table=table))
    if has("memory_entity_mentions", "entity_id", "created_at"):
        connection.execute(f"CREATE INDEX main.{_MENTIONS} ON memory_entity_mentions"
                           " (entity_id, created_at)")


def otherwise_at(table: str) -> str:
    """The numbers of the rows of a table that perhaps were otherwise at the moment `:m`, as SQL."""
    return f"SELECT place FROM main.{SPANS} WHERE tbl = '{table}' AND until > :m AND made <= :m"


def clear_away(connection: sqlite3.Connection) -> None:
    """A past state has no more than the graph."""
    connection.execute(f"DROP INDEX IF EXISTS main.{_MENTIONS}")
    connection.execute(f"DROP TABLE IF EXISTS main.{SPANS}")
