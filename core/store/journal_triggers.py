"""The triggers that record what happens to the rows of a table, each step as SQL literals."""

from collections.abc import Sequence
from functools import cache

from msgspec import Struct

from core.store.database import quoted

QUIET = "temp.recorded_as_block"
"""Tables whose new and deleted rows are recorded many at once (`row_blocks`), not by triggers."""


class Shape(Struct, frozen=True):
    """One journaled table: where it lives, its columns and what names a row."""

    schema: str
    table: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    texts: frozenset[str]
    """Columns of text affinity: whatever is put in is kept as text, NULL or bytes."""
    number: str = ""
    """The column that is the row number itself, if there is one."""

    @property
    def place(self) -> str:
        return f"{self.schema}.{quoted(self.table)}"

    def literals(self, prefix: str = "") -> str:
        """SQL that yields a row's values as one literal list."""
        return self._literals(self.columns, prefix)

    def key_literals(self, prefix: str = "") -> str:
        """SQL that yields the row's key as one literal list."""
        return self._literals(self.key, prefix)

    def _literals(self, columns: Sequence[str], prefix: str) -> str:
        # quote() cuts text at a NUL character, so such a text travels as a blob. Hardly any row
        # has one, and looking once at the whole row takes half the time of looking at each value.
        values = [(prefix + quoted(c), c in self.texts) for c in columns]
        whole = "||".join(f"COALESCE({value}, '')" for value, _ in values)
        plain = "||','||".join(_plain(value, text) for value, text in values)
        rows = f"{values[0][0]} AS value" + "".join(
            f" UNION ALL SELECT {value}" for value, _ in values[1:])
        return f"CASE WHEN instr({whole}, char(0)) THEN ({_CAREFUL} {rows})) ELSE {plain} END"


def _plain(value: str, text: bool) -> str:
    if text:
        return f"quote({value})"
    # quote() writes an infinite number as a word that SQL does not read back.
    return (f"CASE {value} WHEN 9e999 THEN '9e999' WHEN -9e999 THEN '-9e999' "
            f"ELSE quote({value}) END")


# Written once for all values of a row: SQLite reads the text of every trigger twice before the
# first write of a graph, which took a tenth of a second when each value had its own.
_CAREFUL = (
    "SELECT group_concat(CASE WHEN typeof(value) = 'text' AND instr(value, char(0)) THEN "
    "'CAST('||quote(CAST(value AS BLOB))||' AS TEXT)' "
    f"ELSE {_plain('value', text=False)} END) FROM (SELECT")


def holds_text(declared: str) -> bool:
    """Text affinity by SQLite's rule for declared types."""
    word = declared.upper()
    return "INT" not in word and any(part in word for part in ("CHAR", "CLOB", "TEXT"))


def name_of(shape: Shape, event: str) -> str:
    """The name of the trigger that records an event of a table."""
    return f"journal_{event}_{shape.table}"


@cache
def trigger(shape: Shape, event: str) -> str:
    """The statement that puts the trigger for `insert`, `update` or `delete` on one table."""
    if event == "insert":
        return _trigger(shape, event, _step(shape, "new", after=True))
    if event == "delete":
        return _trigger(shape, event, _step(shape, "old", before=True))
    return _trigger(shape, event, _step(shape, "new", before=True, after=True) + _split(shape))


def _trigger(shape: Shape, event: str, body: str) -> str:
    each = "" if event == "update" else (
        f"WHEN NOT EXISTS (SELECT 1 FROM {QUIET} WHERE tbl = '{_escaped(shape.table)}')")
    return (f"CREATE TEMP TRIGGER {quoted(name_of(shape, event))} "
            f"AFTER {event.upper()} ON {shape.place} {each} BEGIN {body} END")


def _escaped(text: str) -> str:
    return text.replace("'", "''")


def _step(shape: Shape, row: str, *, before: bool = False, after: bool = False) -> str:
    """The statement that records one step; `row` names the row that carries the key."""
    old = shape.literals("old.") if before else "NULL"
    new = shape.literals("new.") if after else "NULL"
    return (f"INSERT INTO journal (tbl, key, before, after) VALUES ('{_escaped(shape.table)}', "
            f"{shape.key_literals(row + '.')}, {old}, {new});")


def _split(shape: Shape) -> str:
    """The statements that make two steps of the last one where a row has changed its own key:
    one row is gone and another one has come."""
    other = " OR ".join(f"old.{quoted(c)} IS NOT new.{quoted(c)}" for c in shape.key)
    return ("INSERT INTO journal (tbl, key, after) SELECT tbl, key, after FROM journal "
            f"WHERE ({other}) AND seq = last_insert_rowid();"
            f"UPDATE journal SET key = {shape.key_literals('old.')}, after = NULL "
            f"WHERE ({other}) AND seq = last_insert_rowid() - 1;")
