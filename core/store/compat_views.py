"""Shows a foreign generation of the file in the native schema by TEMP views.

Queries are written once, with plain names: a TEMP view of the same name shadows the real table
and fills in what that generation lacks (upstream §a.22: detect columns, never trust numbers).
"""

import re
import sqlite3
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from core.store.database import quoted, views_of
from core.store.migrate import native_columns, native_without_row_numbers
from core.store.sidecar_file import BESIDE
from core.store.table_columns import tables_of

Columns: TypeAlias = tuple[tuple[str, str | None], ...]
"""A native table's columns as (name, default SQL)."""


def key_sql(name: str) -> str:
    """SQL for what a name is known by (`core.model.names.name_key`), quick for plain letters."""
    return f"CASE WHEN {name} GLOB '*[^ -~]*' THEN name_key({name}) ELSE lower({name}) END"


MEANINGS = {
    # Signet keeps the spellings of a name apart: composed or not, full or half width.
    ("entities", "canonical_name"): key_sql("COALESCE({real}, trim(name))"),
    ("entity_aspects", "canonical_name"): key_sql("{real}"),
    ("entity_aliases", "canonical_alias"): key_sql("{real}"),
    ("entities", "entity_type"): "COALESCE({real}, 'unknown')",
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
    ("entity_aspects", "name"): "COALESCE({real}, '')",
    ("entity_aspects", "weight"): "COALESCE({real}, 0.5)",
    ("memories", "agent_id"): "COALESCE(NULLIF({real}, ''), 'default')",
    ("memories", "is_deleted"): "COALESCE({real}, 0)",
    ("memories", "content"): "COALESCE({real}, '')",
}
"""What a column means where the file may hold NULL.

Where it can't, because it is declared so, the column stands for itself: `COALESCE` keeps SQLite
from its index. `entities.mentions` has no meaning of its own here, since lists are read along its
index: readers take NULL for 0.
"""
_ELSE = re.compile(r"COALESCE\(\{real\}, [^()]+\)")
"""A meaning that differs from the column itself for NULL alone."""

ABSENT = {
    ("entities", "canonical_name"): key_sql("trim(name)"),
    ("entities", "muted"): "EXISTS (SELECT 1 FROM side.muted_entities AS quiet "
                           "WHERE quiet.entity_id = entities.id)",
    ("entities", "muted_at"): "(SELECT muted_at FROM side.muted_entities AS quiet "
                              "WHERE quiet.entity_id = entities.id)",
    ("entity_attributes", "version_root_id"): "id",
    ("entity_attributes", "archived_at"): "NULL",
}
"""What a column that the file lacks reads as, where the native default is not the answer."""


class TableShape(NamedTuple):
    """What a table of a file has: its columns, each with whether it can't be NULL, and whether its
    rows have numbers (`rowid`)."""

    columns: Mapping[str, bool]
    numbered: bool = True

    def lacks_numbers(self, table: str) -> bool:
        """True if its rows should have numbers."""
        return not self.numbered and table not in native_without_row_numbers()

    def fits(self, table: str, columns: Columns) -> bool:
        """True if it can be read as this native table with these columns."""
        return not self.lacks_numbers(table) and self.columns.keys() >= {
            name for name, _ in columns}


def tables_as_they_are(connection: sqlite3.Connection) -> dict[str, TableShape]:
    """The ordinary tables of the file itself."""
    tables = tables_of(connection)
    return {table: TableShape({c["name"]: bool(c["notnull"]) for c in columns},
                              table not in tables.without_row_numbers)
            for table, columns in tables.columns.items()}


def add_compat_views(connection: sqlite3.Connection, kind: str) -> None:
    """Lay the canonical views over a foreign file; a native file needs them only for tables that
    are not as they should be.

    Safe to call again after the other program has changed its schema.
    """
    real = tables_as_they_are(connection)
    for table in views_of(connection, "temp") & native_columns().keys():
        connection.execute(f"DROP VIEW temp.{quoted(table)}")
    for table, columns in native_columns().items():
        here = real.get(table)
        if kind != "native" or here is None or not here.fits(table, columns):
            connection.execute(_view(table, columns, here))
    if kind == "native":
        for view in (_READING, _IN_FORCE, _OUT_OF_FORCE, _OUTDATED, *_BY_INDEX):
            connection.execute(view)
        return
    # A file that does not tell whose a memory is shows all of them to every agent.
    told_apart = "memories" in real and "agent_id" in real["memories"].columns
    connection.execute("DROP VIEW IF EXISTS temp.reading_agents")
    connection.execute(_OTHER_SPELLINGS)
    for statement in (_READING if told_apart else _READING_ALL, _IN_FORCE, _OUT_OF_FORCE,
                      *_LISTS, *HIDING_LISTS):
        connection.execute(statement)


_READING = """
CREATE TEMP VIEW IF NOT EXISTS reading_agents AS SELECT id, read_policy, policy_group FROM agents
UNION ALL SELECT 'default', 'shared', NULL
WHERE NOT EXISTS (SELECT 1 FROM agents WHERE id = 'default')"""
"""The agents with what they may read of others' memories."""
_READING_ALL = """
CREATE TEMP VIEW IF NOT EXISTS reading_agents AS
WITH RECURSIVE owners(id) AS (
  SELECT MIN(agent_id) FROM entities UNION ALL
  SELECT (SELECT MIN(e.agent_id) FROM entities e WHERE e.agent_id > owners.id) FROM owners
  WHERE owners.id IS NOT NULL)
SELECT id, 'shared' AS read_policy, NULL AS policy_group FROM owners WHERE id IS NOT NULL"""
"""Of a file without agents every one that has entities; each is a look at the index."""
_OTHER_SPELLINGS = """
CREATE TEMP TABLE IF NOT EXISTS other_spellings (key TEXT NOT NULL, place INTEGER NOT NULL,
by_name INTEGER NOT NULL, PRIMARY KEY (key, place, by_name)) WITHOUT ROWID"""
"""What entities are known by beside what the file stores, which has an index, with their row
numbers: a list (`core.queries.known_by_name`). With `by_name` it is what the name itself says."""
# What is stored in small plain letters is its own key; nearly all is.
LIST_OF_KEYS = (
    "DELETE FROM temp.other_spellings WHERE by_name = 0",
    "INSERT OR IGNORE INTO temp.other_spellings SELECT e.canonical_name, e.rowid, 0"
    " FROM entities e WHERE e.rowid IN (SELECT r.rowid FROM main.entities r"
    " WHERE r.canonical_name IS NULL OR r.canonical_name GLOB '*[^ -~]*'"
    " OR r.canonical_name <> lower(r.canonical_name))")
LIST_OF_ALL_KEYS = (
    LIST_OF_KEYS[0], "INSERT OR IGNORE INTO temp.other_spellings"
    " SELECT e.canonical_name, e.rowid, 0 FROM entities e")
LIST_OF_ALL_NAMES = (
    "DELETE FROM temp.other_spellings WHERE by_name = 1",
    f"INSERT OR IGNORE INTO temp.other_spellings SELECT {key_sql('r.name')}, r.rowid, 1"
    " FROM main.entities r WHERE r.name IS NOT NULL")
LIST_OF_NAMES = (
    LIST_OF_ALL_NAMES[0], f"{LIST_OF_ALL_NAMES[1]}"
    " AND (r.canonical_name IS NOT lower(r.name) OR r.name GLOB '*[^ -~]*')")
"""How that list is filled, by the key that is stored and by the name; ALL of a file that stores no
keys."""
_IN_FORCE = """
CREATE TEMP VIEW IF NOT EXISTS values_in_force AS
SELECT v.id, v.memory_id, v.agent_id, v.kind
FROM entity_attributes v CROSS JOIN entity_aspects s ON s.id = v.aspect_id
CROSS JOIN entities e ON e.id = s.entity_id
WHERE v.memory_id IS NOT NULL AND +v.status = 'active' AND +s.status = 'active'
  AND +e.status = 'active'"""
"""The values that count, with the memory that each rests on; they are looked at before what they
belong to, in the order of the table or by an index on the memory."""
_OUT_OF_FORCE = """
CREATE TEMP VIEW IF NOT EXISTS values_out_of_force AS SELECT v.id, v.memory_id, v.agent_id
FROM entity_attributes v LEFT JOIN entity_aspects s ON s.id = v.aspect_id
LEFT JOIN entities e ON e.id = s.entity_id
WHERE v.memory_id IS NOT NULL
  AND (v.status <> 'active' OR s.status = 'archived' OR e.status = 'archived')"""
"""The values that were superseded or archived, by themselves or with what they belong to."""
_OUTDATED = """
CREATE TEMP VIEW IF NOT EXISTS outdated_memories AS SELECT o.memory_id, o.agent_id
FROM entity_attributes o LEFT JOIN entity_aspects p ON p.id = o.aspect_id
LEFT JOIN entities h ON h.id = p.entity_id
WHERE CASE WHEN o.status <> 'active' OR p.status = 'archived' OR h.status = 'archived'
  THEN NOT EXISTS (SELECT 1 FROM values_in_force c WHERE c.memory_id = o.memory_id) END"""
"""The memories that rest only on values that no longer count.

Nearly all values count: CASE keeps SQLite from asking for each what else its memory rests on.
"""
_BY_INDEX = (
    "CREATE TEMP VIEW IF NOT EXISTS memories_in_force AS SELECT memory_id FROM values_in_force",
    "CREATE TEMP VIEW IF NOT EXISTS former_values AS"
    " SELECT memory_id, id, agent_id FROM values_out_of_force",
    "CREATE TEMP VIEW IF NOT EXISTS constraint_memories AS SELECT v.memory_id, v.agent_id"
    " FROM values_in_force v WHERE +v.kind = 'constraint' AND NOT EXISTS (SELECT 1"
    " FROM values_in_force a WHERE a.memory_id = v.memory_id AND a.kind <> 'constraint')")
"""The memories that a value in force rests on, asked first since nearly all are; then the values
that no longer count, by the memory that they rest on, and the memories that say constraints and
nothing else."""
_LISTS = (
    "CREATE TEMP VIEW IF NOT EXISTS memories_in_force AS SELECT NULL AS memory_id WHERE 0",
    "CREATE TEMP TABLE IF NOT EXISTS former_values (memory_id TEXT NOT NULL, id TEXT NOT NULL,"
    " agent_id TEXT NOT NULL, PRIMARY KEY (memory_id, id)) WITHOUT ROWID",
    "CREATE TEMP TABLE IF NOT EXISTS outdated_memories (memory_id TEXT NOT NULL,"
    " agent_id TEXT NOT NULL, PRIMARY KEY (memory_id, agent_id)) WITHOUT ROWID",
    "CREATE TEMP TABLE IF NOT EXISTS constraint_memories (memory_id TEXT NOT NULL,"
    " agent_id TEXT NOT NULL, PRIMARY KEY (memory_id, agent_id)) WITHOUT ROWID")
"""The same as lists, for files without an index on what a value rests on; of the memories in force
there is none, the list of outdated ones answers alone."""
HIDING_LISTS = (
    "CREATE TEMP TABLE IF NOT EXISTS hidden_rows (tbl TEXT NOT NULL, id TEXT NOT NULL,"
    " PRIMARY KEY (tbl, id)) WITHOUT ROWID",
    "CREATE TEMP TABLE IF NOT EXISTS restored_rows (id TEXT PRIMARY KEY) WITHOUT ROWID")
"""The rows that queries do not see at the moment, and the values that count again meanwhile
(`core.store.hide_rows`)."""
_NOT_IN_FORCE = "v.id IN (SELECT id FROM temp.former_values)"
LIST_OF_OUTDATED = (
    "DELETE FROM temp.former_values", "DELETE FROM temp.outdated_memories",
    # Each of the three along an index; to look at all values would take twenty times as long.
    *(f"INSERT OR IGNORE INTO temp.former_values SELECT v.memory_id, v.id, v.agent_id FROM {former}"
      " v.memory_id IS NOT NULL" for former in (
          "main.entity_attributes v WHERE (v.status < 'active' OR v.status > 'active')"
          " AND v.id NOT IN (SELECT id FROM temp.restored_rows) AND",
          "entity_aspects s CROSS JOIN main.entity_attributes v ON v.aspect_id = s.id"
          " WHERE s.status = 'archived' AND",
          "entities e CROSS JOIN entity_aspects s ON s.entity_id = e.id CROSS JOIN"
          " main.entity_attributes v ON v.aspect_id = s.id WHERE e.status = 'archived' AND")),
    "INSERT OR IGNORE INTO temp.outdated_memories SELECT o.memory_id, o.agent_id"
    " FROM temp.former_values o",
    # `+` keeps SQLite from looking for what rests on them where there are none.
    "DELETE FROM temp.outdated_memories WHERE +memory_id IN (SELECT v.memory_id"
    " FROM main.entity_attributes v WHERE v.memory_id IN (SELECT memory_id"
    f" FROM temp.former_values) AND +v.status = 'active' AND NOT {_NOT_IN_FORCE})")
"""How the lists of former values and of outdated memories are filled."""
LIST_OF_CONSTRAINTS = (
    "DELETE FROM temp.constraint_memories",
    "INSERT OR IGNORE INTO temp.constraint_memories SELECT v.memory_id, v.agent_id"
    " FROM main.entity_attributes v WHERE +v.kind = 'constraint' AND +v.status = 'active'"
    f" AND v.memory_id IS NOT NULL AND NOT {_NOT_IN_FORCE}",
    "DELETE FROM temp.constraint_memories WHERE +memory_id IN (SELECT v.memory_id"
    " FROM main.entity_attributes v WHERE +v.kind <> 'constraint' AND +v.status = 'active'"
    " AND v.memory_id IN (SELECT memory_id FROM temp.constraint_memories)"
    f" AND NOT {_NOT_IN_FORCE})")
"""How the list of memories that say constraints and nothing else is filled, after that one."""


def list_of(statements: Sequence[str], values: str) -> list[str]:
    """How such a list is filled where the file's own values are read as `values`."""
    return [each.replace("main.entity_attributes", values) for each in statements]


def _view(table: str, columns: Columns, real: TableShape | None) -> str:
    """The CREATE statement of one table's canonical view.

    Args:
        real: the file's own table; None without one.
    """
    if real is None and table in BESIDE:
        fields = [MEANINGS.get((table, name), "{real}").format(real=quoted(name))
                  + f" AS {quoted(name)}" for name, _ in columns]
        return (f"CREATE TEMP VIEW {quoted(table)} AS SELECT rowid AS rowid, {', '.join(fields)} "
                f"FROM side.{BESIDE[table]}")
    if real is None:
        nothing = ", ".join(f"NULL AS {quoted(name)}" for name, _ in columns if name != "seq")
        return f"CREATE TEMP VIEW {quoted(table)} AS SELECT NULL AS rowid, {nothing} WHERE 0"
    # A name of its own for the real table keeps `rowid` and the sub-selects unambiguous.
    fields = ["rowid AS rowid" if real.numbered else "NULL AS rowid"]
    for name, default in columns:
        if name == "seq" and name not in real.columns:
            continue
        if name in real.columns:
            text = _meaning(table, name, never_null=real.columns[name])
        else:
            text = ABSENT.get((table, name), default if default is not None else "NULL")
        fields.append(f"{text} AS {quoted(name)}")
    return (f"CREATE TEMP VIEW {quoted(table)} AS SELECT {', '.join(fields)} "
            f"FROM main.{quoted(table)} AS {quoted(table)}")


def _meaning(table: str, name: str, *, never_null: bool) -> str:
    meaning = MEANINGS.get((table, name), "{real}")
    if never_null and _ELSE.fullmatch(meaning):
        meaning = "{real}"
    return meaning.format(real=quoted(name))
