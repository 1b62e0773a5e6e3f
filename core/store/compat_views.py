"""Shows a foreign generation of the file in the native schema by TEMP views.

Queries are written once, with plain names: a TEMP view of the same name shadows the real table
and fills in what that generation lacks (upstream §a.22: detect columns, never trust numbers).
"""

import sqlite3

from core.store.database import columns_of, ordinary_tables, quoted
from core.store.migrate import native_columns

MEANINGS = {
    ("entities", "canonical_name"): "COALESCE({real}, lower(trim(name)))",
    ("entities", "entity_type"): "COALESCE({real}, 'unknown')",
    ("entities", "mentions"): "COALESCE({real}, 0)",
    ("entities", "name"): "COALESCE({real}, '')",
    ("entities", "pinned"): "COALESCE({real}, 0)",
    ("entity_attributes", "version_root_id"): "COALESCE({real}, id)",
    ("entity_attributes", "version"): "COALESCE({real}, 1)",
    ("entity_attributes", "content"): "COALESCE({real}, '')",
    # Nearly all values are active attributes. A file without statistics would be read by the
    # index of either column, whole, for the few values of one aspect; `+` hides that index.
    ("entity_attributes", "kind"): "+{real}",
    ("entity_attributes", "status"): "+{real}",
    ("entity_dependencies", "confidence"): "COALESCE({real}, 0.7)",
    ("entity_dependencies", "strength"): "COALESCE({real}, 0.5)",
    ("entity_aspects", "weight"): "COALESCE({real}, 0.5)",
    ("memories", "agent_id"): "COALESCE(NULLIF({real}, ''), 'default')",
    ("memories", "is_deleted"): "COALESCE({real}, 0)",
    ("memories", "content"): "COALESCE({real}, '')",
}
"""What a column means where the file may hold NULL."""

ABSENT = {
    ("entities", "canonical_name"): "lower(trim(name))",
    ("entities", "muted"): "EXISTS (SELECT 1 FROM side.muted_entities AS quiet "
                           "WHERE quiet.entity_id = entities.id)",
    ("entities", "muted_at"): "(SELECT muted_at FROM side.muted_entities AS quiet "
                              "WHERE quiet.entity_id = entities.id)",
    ("entity_attributes", "version_root_id"): "id",
    ("entity_attributes", "archived_at"): "NULL",
}
"""What a column that the file lacks reads as, where the native default is not the answer."""


def add_compat_views(connection: sqlite3.Connection, kind: str) -> None:
    """Lay the canonical views over a foreign file; a native file needs none.

    Safe to call again after the other program has changed its schema.
    """
    if kind == "native":
        return
    real = {table: {c["name"] for c in columns_of(connection, table)}
            for table in ordinary_tables(connection)}
    for table, columns in native_columns().items():
        connection.execute(f"DROP VIEW IF EXISTS temp.{quoted(table)}")
        connection.execute(_view(table, columns, real.get(table)))


def _view(table: str, columns: tuple[tuple[str, str | None], ...], real: set[str] | None) -> str:
    """The CREATE statement of one table's canonical view."""
    if real is None:
        nothing = ", ".join(f"NULL AS {quoted(name)}" for name, _ in columns if name != "seq")
        return f"CREATE TEMP VIEW {quoted(table)} AS SELECT NULL AS rowid, {nothing} WHERE 0"
    # A name of its own for the real table keeps `rowid` and the sub-selects unambiguous.
    fields = ["rowid AS rowid"]
    for name, default in columns:
        if name == "seq":
            continue
        if name in real:
            text = MEANINGS.get((table, name), "{real}").format(real=quoted(name))
        else:
            text = ABSENT.get((table, name), default if default is not None else "NULL")
        fields.append(f"{text} AS {quoted(name)}")
    return (f"CREATE TEMP VIEW {quoted(table)} AS SELECT {', '.join(fields)} "
            f"FROM main.{quoted(table)} AS {quoted(table)}")
