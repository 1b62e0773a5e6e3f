"""Records the reverse of every row change by TEMP triggers, so that no operation needs undo code.

A step is (table, key, before, after); `before` and `after` are the row's values as one SQL
literal list, exact for blobs, reals and text with NUL characters. Rows are named by key, never by
rowid, because a VACUUM elsewhere renumbers those (design §4, Undo).
"""

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from core.errors import UndoRefused
from core.model.changes import RowChange
from core.store.database import columns_of, key_of, memory, ordinary_tables, quoted
from core.store.sidecar_file import JOURNALED

APPEND_ONLY = frozenset({"entity_dependency_history", "schema_migrations",
                         "schema_migrations_audit", "sqlite_sequence"})
"""Tables whose rows are a record of what happened: undo leaves them and adds to them."""

MANY = 5000
"""Above this many rows of one table a commit is announced without its ids."""


FEW = 40
"""Row changes that are looked at one by one to see whether anything is other than it was."""


@dataclass(frozen=True, slots=True)
class Shape:
    """One journaled table: where it lives, its columns and what names a row."""

    schema: str
    table: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    texts: frozenset[str]
    """Columns of text affinity: whatever is put in is kept as text, NULL or bytes."""

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


@dataclass(frozen=True, slots=True)
class Statements:
    """What moves one row of a table; prepared once, because SQLite takes a hundred times as long
    to make a plan with all its triggers as to run it."""

    find: str
    delete: str
    insert: str
    update: str


@cache
def _statements(shape: Shape) -> Statements:
    where = " AND ".join(f"{quoted(c)} IS ?" for c in shape.key)
    names = ", ".join(quoted(c) for c in shape.columns)
    marks = ", ".join("?" for _ in shape.columns)
    return Statements(
        find=f"SELECT {shape.literals()} FROM {shape.place} WHERE {where}",
        delete=f"DELETE FROM {shape.place} WHERE {where}",
        insert=f"INSERT INTO {shape.place} ({names}) VALUES ({marks})",
        update=f"UPDATE {shape.place} SET ({names}) = ({marks}) WHERE {where}")


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


class Journal:
    """The recorder of one writing connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        # Each list of literals is another statement: none is worth keeping.
        self._decoder = memory(cached_statements=0)
        self.shapes: dict[str, Shape] = {}
        connection.execute(
            "CREATE TEMP TABLE IF NOT EXISTS journal (seq INTEGER PRIMARY KEY, tbl TEXT NOT NULL, "
            "key TEXT NOT NULL, before TEXT, after TEXT)")
        self.watch()

    def watch(self) -> None:
        """Put triggers on every ordinary table; call again when the schema has changed."""
        for shape in self.shapes.values():
            for event in ("insert", "update", "delete"):
                self._connection.execute(
                    f"DROP TRIGGER IF EXISTS temp.{quoted(f'journal_{event}_{shape.table}')}")
        self.shapes = {shape.table: shape for shape in self._recorded_tables()}
        for shape in self.shapes.values():
            for statement in _triggers(shape):
                self._connection.execute(statement)

    def _recorded_tables(self) -> Iterator[Shape]:
        for schema, tables in (("main", ordinary_tables(self._connection)), ("side", JOURNALED)):
            for table in tables:
                columns = columns_of(self._connection, table, schema)
                key = key_of(columns)
                if table not in APPEND_ONLY and key:
                    texts = frozenset(c["name"] for c in columns if _holds_text(c["type"]))
                    yield Shape(schema, table, tuple(c["name"] for c in columns), key, texts)

    def clear(self) -> None:
        """Delete what was recorded."""
        self._connection.execute("DELETE FROM temp.journal")

    def forget(self, table: str, key: Iterable[object]) -> None:
        """Leave one row out of the undo step (an audit row stays when its change is undone)."""
        literal = self._connection.execute(
            "SELECT " + "||','||".join("quote(?)" for _ in key), tuple(key)).fetchone()[0]
        self._connection.execute(
            "DELETE FROM temp.journal WHERE tbl = ? AND key = ?", (table, literal))

    def steps(self) -> list[sqlite3.Row]:
        """What was recorded, oldest first."""
        return self._connection.execute(
            "SELECT seq, tbl, key, before, after FROM temp.journal ORDER BY seq").fetchall()

    def count(self) -> int:
        """How many row changes were recorded."""
        return int(self._connection.execute("SELECT count(*) FROM temp.journal").fetchone()[0])

    def touched(self) -> dict[str, frozenset[str]]:
        """Tables with the keys of the rows that were touched (empty set where there are many)."""
        tables = self._connection.execute(
            "SELECT tbl, count(*) FROM temp.journal GROUP BY tbl").fetchall()
        keys_of: dict[str, frozenset[str]] = {}
        for table, rows in tables:
            keys = () if rows > MANY else self._connection.execute(
                "SELECT DISTINCT key FROM temp.journal WHERE tbl = ?", (table,)).fetchall()
            keys_of[table] = frozenset(str(self._values(k[0])[0]) for k in keys)
        return keys_of

    def keys(self, table: str) -> list[str]:
        """The keys of every touched row of a table, however many."""
        return [str(self._values(row["key"])[0]) for row in self._connection.execute(
            "SELECT DISTINCT key FROM temp.journal WHERE tbl = ?", (table,))]

    def updates(self, table: str) -> Iterator[tuple[str, frozenset[str]]]:
        """Each change of a row of a table that was there before and still is: key and columns."""
        for step in self._connection.execute(
                "SELECT key, before, after FROM temp.journal WHERE tbl = ? AND before <> after",
                (table,)).fetchall():
            before, after = self._values(step["before"]), self._values(step["after"])
            yield str(self._values(step["key"])[0]), frozenset(
                column for column, old, new in zip(
                    self.shapes[table].columns, before, after, strict=True) if old != new)

    def position(self) -> int:
        """The current position in the record, for `differs_since`."""
        return int(self._connection.execute(
            "SELECT COALESCE(max(seq), 0) FROM temp.journal").fetchone()[0])

    def differs_since(self, position: int, unless: Collection[str]) -> bool:
        """True if some row differs in more than the columns of `unless`; many rows always do."""
        steps = self._connection.execute(
            "SELECT tbl, key, before, after FROM temp.journal WHERE seq > ? ORDER BY seq LIMIT ?",
            (position, FEW + 1)).fetchall()
        if len(steps) > FEW:
            return True
        return any(change.before is None or change.after is None
                   or not set(change.columns) <= set(unless) for change in self._net(steps))

    def changes_since(self, position: int, tables: Collection[str]) -> tuple[RowChange, ...]:
        """What differs in the rows of these tables since a position, each row once."""
        return self._net(self._connection.execute(
            "SELECT tbl, key, before, after FROM temp.journal WHERE seq > ?"
            " AND tbl IN (SELECT value FROM json_each(?)) ORDER BY seq",
            (position, json.dumps(list(tables)))).fetchall())

    def net(self) -> tuple[RowChange, ...]:
        """Each changed row once, with its first `before` and last `after`; no-ops left out."""
        return self._net(self.steps())

    def _net(self, steps: Iterable[sqlite3.Row]) -> tuple[RowChange, ...]:
        first: dict[tuple[str, str], str | None] = {}
        last: dict[tuple[str, str], str | None] = {}
        for step in steps:
            at = (step["tbl"], step["key"])
            first.setdefault(at, step["before"])
            last[at] = step["after"]
        return tuple(
            RowChange(table, self._values(key), self._mapping(table, first[table, key]),
                      self._mapping(table, after))
            for (table, key), after in last.items() if first[table, key] != after)

    def columns(self) -> str:
        """The columns of the touched tables as JSON, kept with a persistent undo entry."""
        tables = self._connection.execute("SELECT DISTINCT tbl FROM temp.journal").fetchall()
        return json.dumps({t[0]: self.shapes[t[0]].columns for t in tables})

    def _values(self, literals: str) -> tuple[Any, ...]:
        return tuple(self._decoder.execute("SELECT " + literals).fetchone())

    def _mapping(self, table: str, literals: str | None) -> dict[str, object] | None:
        if literals is None:
            return None
        return dict(zip(self.shapes[table].columns, self._values(literals), strict=True))

    def reverse(self, steps: Iterable[sqlite3.Row], columns: dict[str, list[str]]) -> None:
        """Reverse recorded steps, newest first, inside the open transaction.

        Raises UndoRefused when a row is not as the step left it, or when taking it back would
        carry off rows that came later.
        """
        planned: set[tuple[str, str]] = set()
        for step in steps:
            shape = self.shapes.get(step["tbl"])
            if shape is None or list(shape.columns) != columns.get(step["tbl"]):
                raise UndoRefused(
                    "The file's tables have changed since", where=step["tbl"],
                    do="This step can't be undone any more")
            planned.add((step["tbl"], step["key"]))
            self._reverse_one(shape, step)
        for table, key in self._connection.execute("SELECT tbl, key FROM temp.journal"):
            if (table, key) not in planned:
                raise UndoRefused(
                    "Rows that were added later depend on this change", row=(table, key),
                    do="Undo or remove those first")

    def holds(self, steps: Iterable[sqlite3.Row]) -> bool:
        """True if every row that these steps touched is as the last of them left it."""
        last = {(step["tbl"], step["key"]): step["after"] for step in steps}
        return all(table in self.shapes and self._now(self.shapes[table], key) == after
                   for (table, key), after in last.items())

    def _now(self, shape: Shape, key: str) -> str | None:
        """A row's values as one literal list, None where there is no such row."""
        row = self._connection.execute(_statements(shape).find, self._values(key)).fetchone()
        return None if row is None else str(row[0])

    def _reverse_one(self, shape: Shape, step: sqlite3.Row) -> None:
        if self._now(shape, step["key"]) != step["after"]:
            raise UndoRefused(
                "The same row was changed since",
                row=(shape.table, step["key"]),
                do="Check it in the inspector; this step was not undone or redone")
        try:
            self._put_back(_statements(shape), step)
        except sqlite3.IntegrityError as error:
            raise UndoRefused(
                "A later change prevents this",
                row=(shape.table, step["key"]), detail=str(error),
                do="Undo or rename that first; this step was not undone or redone") from error

    def _put_back(self, statements: Statements, step: sqlite3.Row) -> None:
        key = self._values(step["key"])
        if step["before"] is None:
            self._connection.execute(statements.delete, key)
        elif step["after"] is None:
            self._connection.execute(statements.insert, self._values(step["before"]))
        else:
            self._connection.execute(statements.update, (*self._values(step["before"]), *key))

    def close(self) -> None:
        """Close what the recorder keeps open besides its connection."""
        self._decoder.close()


def _holds_text(declared: str) -> bool:
    """Text affinity by SQLite's rule for declared types."""
    word = declared.upper()
    return "INT" not in word and any(part in word for part in ("CHAR", "CLOB", "TEXT"))


@cache
def _triggers(shape: Shape) -> tuple[str, ...]:
    """Statements that put the triggers on one table."""
    return (_trigger(shape, "insert", _step(shape, "new", after=True)),
            _trigger(shape, "delete", _step(shape, "old", before=True)),
            _trigger(shape, "update",
                     _step(shape, "new", before=True, after=True) + _split(shape)))


def _trigger(shape: Shape, event: str, body: str) -> str:
    return (f"CREATE TEMP TRIGGER {quoted(f'journal_{event}_{shape.table}')} "
            f"AFTER {event.upper()} ON {shape.place} BEGIN {body} END")


def _step(shape: Shape, row: str, *, before: bool = False, after: bool = False) -> str:
    """The statement that records one step; `row` names the row that carries the key."""
    table = shape.table.replace("'", "''")
    old = shape.literals("old.") if before else "NULL"
    new = shape.literals("new.") if after else "NULL"
    return (f"INSERT INTO journal (tbl, key, before, after) VALUES ('{table}', "
            f"{shape.key_literals(row + '.')}, {old}, {new});")


def _split(shape: Shape) -> str:
    """The statements that make two steps of the last one where a row has changed its own key:
    one row is gone and another one has come."""
    other = " OR ".join(f"old.{quoted(c)} IS NOT new.{quoted(c)}" for c in shape.key)
    return ("INSERT INTO journal (tbl, key, after) SELECT tbl, key, after FROM journal "
            f"WHERE ({other}) AND seq = last_insert_rowid();"
            f"UPDATE journal SET key = {shape.key_literals('old.')}, after = NULL "
            f"WHERE ({other}) AND seq = last_insert_rowid() - 1;")
