"""What the triggers of the file itself write while a step is undone or redone.

A step holds what they wrote when it was made. They write again when its rows are put back: that is
no change by others, and what they add beyond the step is not left behind.
"""

import sqlite3

from core.store.undo_conflicts import Values, unlike

Plan = dict[tuple[str, str], Values | None]
"""For a table and a key what the row is to be, None where it is to be gone."""
_NEW = """
SELECT tbl, key FROM (
  SELECT tbl, key, before, min(seq) FROM temp.journal WHERE key IS NOT NULL GROUP BY tbl, key)
WHERE before IS NULL"""
_FIRST = """
SELECT before IS :after FROM temp.journal WHERE tbl = :tbl AND key = :key ORDER BY seq LIMIT 1"""


def new_rows(connection: sqlite3.Connection) -> Plan:
    """The rows that came since the transaction began, as rows that are to be gone."""
    return dict.fromkeys((table, key) for table, key in connection.execute(_NEW))


def only_triggers_wrote(
    connection: sqlite3.Connection, step: sqlite3.Row, after: Values | None, planned: Plan
) -> bool:
    """True if a row was as a step left it, `after`, until its turn came.

    Args:
        planned: what rows of later steps have been put back to.
    """
    at = step["tbl"], step["key"]
    if at in planned:
        return not unlike(planned[at], after)
    row = connection.execute(
        _FIRST, {name: step[name] for name in ("tbl", "key", "after")}).fetchone()
    return row is not None and bool(row[0])
