"""The journal of a write: each row before and after, so that no operation needs undo code.

TEMP triggers (`journal_triggers`) record them.

Whoever writes says first which rows of which table it will write (`expect`).

A step is (table, key, before, after); `before` and `after` are the row's values as one SQL
literal list, exact for blobs, reals and text with NUL characters. Rows are named by key, never by
rowid, because a VACUUM elsewhere renumbers those (design §4, Undo). Rows that are inserted many at
once are one step, a block, that has no key.
"""

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from core.errors import UndoRefused
from core.model.changes import RowChange
from core.store import journal_blocks
from core.store.bulk_insert import Portion
from core.store.database import key_of, memory, quoted
from core.store.journal_blocks import block_of
from core.store.journal_triggers import QUIET, Shape, holds_text, name_of, trigger
from core.store.reached_tables import EVENTS, Reach, reach_in
from core.store.sidecar_file import JOURNALED
from core.store.table_columns import tables_of
from core.store.trigger_writes_during_undo import Plan, new_rows, only_triggers_wrote
from core.store.undo_conflicts import Values, merge, refusal, unlike

APPEND_ONLY = frozenset({"entity_dependency_history", "schema_migrations",
                         "schema_migrations_audit", "sqlite_sequence"})
"""Tables whose rows are a record of what happened: undo leaves them and adds to them."""

MANY = 5000
"""Above this many rows of one table a commit is announced without its ids."""

FEW = 40
"""Row changes that are looked at one by one to see whether anything is other than it was."""


class Statements(Struct, frozen=True):
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


class Journal:
    """The recorder of one writing connection."""

    def __init__(self, connection: sqlite3.Connection, *, in_blocks: bool = False) -> None:
        """Record what is written on this connection.

        Args:
            in_blocks: rows inserted many at once may be one step: no trigger of the file's own
                changes them.
        """
        self._connection, self._in_blocks = connection, in_blocks
        # Each list of literals is another statement: none is worth keeping.
        self._decoder = memory(cached_statements=0)
        self.shapes: dict[str, Shape] = {}
        self._reach: Reach | None = None
        self._made: set[str] | None = None
        self._expected: set[tuple[str, tuple[str, ...], bool]] = set()
        connection.execute(
            "CREATE TEMP TABLE IF NOT EXISTS journal (seq INTEGER PRIMARY KEY, tbl TEXT NOT NULL, "
            "key TEXT, before, after, rows INTEGER NOT NULL DEFAULT 1, first INTEGER)")
        connection.execute(f"CREATE TEMP TABLE IF NOT EXISTS {QUIET} (tbl TEXT)")
        connection.execute("CREATE TEMP TABLE IF NOT EXISTS keys_of_block (k0, k1, k2, k3)")
        self.watch()

    def watch(self) -> None:
        """Read what tables there are; call again when the schema has changed."""
        for name in self._triggers():
            self._connection.execute(f"DROP TRIGGER temp.{quoted(name)}")
        self.forget_triggers()
        self._reach = None
        self.shapes = {shape.table: shape for shape in self._recorded_tables()}

    def expect(self, table: str, *events: str, itself: bool = True) -> None:
        """Record what is about to happen to rows of a table, and to others in consequence.

        A trigger is made when it is first needed: a file would have a hundred and fifty, and SQLite
        takes a quarter of a millisecond to read each.

        Args:
            events: `insert`, `update` or `delete`.
            itself: False for the consequences alone; a trigger costs something at each row also
                where it has nothing to record.
        """
        if (table, events, itself) in self._expected:
            return
        if self._reach is None:
            self._reach = reach_in(self._connection)
        if self._made is None:
            self._made = self._triggers()
        shapes = {shape.table.lower(): shape for shape in self.shapes.values()}
        left_out = () if itself else ((table.lower(), event) for event in events)
        for name, event in sorted(self._reach.of(table, events).difference(left_out)):
            shape = shapes.get(name)
            if shape is not None and name_of(shape, event) not in self._made:
                self._connection.execute(trigger(shape, event))
                self._made.add(name_of(shape, event))
        self._expected.add((table, events, itself))

    def forget_triggers(self) -> None:
        """Those that were made inside of a transaction that was taken back have gone with it."""
        self._made = None
        self._expected.clear()

    def _triggers(self) -> set[str]:
        return {row[0] for row in self._connection.execute(
            "SELECT name FROM temp.sqlite_master WHERE type = 'trigger'")}

    def _recorded_tables(self) -> Iterator[Shape]:
        for schema in ("main", "side"):
            for table, columns in tables_of(self._connection, schema).columns.items():
                key = key_of(columns)
                if key and table not in APPEND_ONLY and (schema == "main" or table in JOURNALED):
                    texts = frozenset(c["name"] for c in columns if holds_text(c["type"]))
                    number = next((c["name"] for c in columns
                                   if c["pk"] and c["type"].upper() == "INTEGER"), "")
                    yield Shape(schema, table, tuple(c["name"] for c in columns), key, texts,
                                number)

    def clear(self) -> None:
        """Delete what was recorded."""
        self._connection.execute("DELETE FROM temp.journal")

    def forget(self, table: str, key: Iterable[object]) -> None:
        """Leave one row out of the undo step (an audit row stays when its change is undone)."""
        literal = self._connection.execute(
            "SELECT " + "||','||".join("quote(?)" for _ in key), tuple(key)).fetchone()[0]
        self._connection.execute(
            "DELETE FROM temp.journal WHERE tbl = ? AND key = ?", (table, literal))

    @contextmanager
    def inserting(self, table: str, portion: Portion | None) -> Iterator[None]:
        """Record the rows that are inserted meanwhile: as one step where their table allows it.

        Args:
            portion: the rows; None for few, that are no block.
        """
        shape = self.shapes.get(table) if self._in_blocks else None
        first = None
        if shape is not None and portion is not None and journal_blocks.can_hold(shape, portion):
            first = journal_blocks.next_row(self._connection, shape)
        if shape is None or portion is None or first is None:
            self.expect(table, "insert")
            yield
            return
        self.expect(table, "insert", itself=False)
        with journal_blocks.quiet(self._connection, shape):
            yield
        self._connection.execute(
            "INSERT INTO temp.journal (tbl, after, rows, first) VALUES (?, ?, ?, ?)",
            (table, journal_blocks.packed(self._connection, shape, portion, first),
             len(portion.rows), first))

    def steps(self) -> list[sqlite3.Row]:
        """What was recorded, oldest first."""
        return self._connection.execute(
            "SELECT seq, tbl, key, before, after, rows FROM temp.journal ORDER BY seq").fetchall()

    def count(self) -> int:
        """How many row changes were recorded."""
        return int(self._connection.execute(
            "SELECT COALESCE(sum(rows), 0) FROM temp.journal").fetchone()[0])

    def counts(self) -> dict[str, int]:
        """How many row changes of each table were recorded."""
        return dict(self._connection.execute(
            "SELECT tbl, sum(rows) FROM temp.journal GROUP BY tbl").fetchall())

    def touched(self) -> dict[str, frozenset[str]]:
        """Tables with the keys of the rows that were touched (empty set where there are many)."""
        tables = self._connection.execute(
            "SELECT tbl, sum(rows) FROM temp.journal GROUP BY tbl").fetchall()
        return {table: frozenset(() if rows > MANY else self.keys(table))
                for table, rows in tables}

    def numbers(self, table: str) -> list[tuple[int, int]]:
        """The row numbers, from and to, of the rows of a table that were inserted many at once."""
        return [(row["first"], row["first"] + row["rows"] - 1) for row in self._connection.execute(
            "SELECT first, rows FROM temp.journal WHERE tbl = ? AND first IS NOT NULL", (table,))]

    def keys(self, table: str, *, numbered: bool = True) -> list[str]:
        """The keys of every touched row of a table, however many.

        Args:
            numbered: also those that `numbers` tells of.
        """
        keys = {str(self._values(row["key"])[0]): None for row in self._connection.execute(
            "SELECT DISTINCT key FROM temp.journal WHERE tbl = ? AND key IS NOT NULL", (table,))}
        for step in self._connection.execute(
                "SELECT before, after FROM temp.journal WHERE tbl = ? AND key IS NULL"
                " AND (? OR first IS NULL)", (table, numbered)):
            keys |= dict.fromkeys(journal_blocks.first_keys(step["before"] or step["after"]))
        return list(keys)

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
            "SELECT seq, tbl, key, before, after, rows FROM temp.journal WHERE seq > ?"
            " ORDER BY seq LIMIT ?", (position, FEW + 1)).fetchall()
        if len(steps) > FEW or any(step["key"] is None for step in steps):
            return True
        return any(change.before is None or change.after is None
                   or not set(change.columns) <= set(unless) for change in self._net(steps))

    def changes_since(self, position: int, tables: Collection[str]) -> tuple[RowChange, ...]:
        """What differs in the rows of these tables since a position, each row once."""
        return self._net(self._connection.execute(
            "SELECT seq, tbl, key, before, after, rows FROM temp.journal WHERE seq > ?"
            " AND tbl IN (SELECT value FROM json_each(?)) ORDER BY seq",
            (position, json.dumps(list(tables)))).fetchall())

    def net(self) -> tuple[RowChange, ...]:
        """Each changed row once, with its first `before` and last `after`; no-ops left out."""
        return self._net(self.steps())

    def _net(self, steps: Iterable[sqlite3.Row]) -> tuple[RowChange, ...]:
        last: dict[tuple[str, tuple[object, ...]], RowChange] = {}
        for step in steps:
            for change in self._changes(step):
                earlier = last.get((change.table, change.key))
                last[change.table, change.key] = change if earlier is None else replace(
                    change, before=earlier.before)
        return tuple(change for change in last.values() if change.before != change.after)

    def _changes(self, step: sqlite3.Row) -> Iterable[RowChange]:
        """The one row that a step has changed, or each of a block."""
        table = step["tbl"]
        if step["key"] is None:
            return journal_blocks.changes(table, self.shapes[table].columns, block_of(step))
        return (RowChange(table, self._values(step["key"]),
                          self._mapping(table, step["before"]),
                          self._mapping(table, step["after"])),)

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

    def reverse(
        self, steps: Iterable[sqlite3.Row], columns: dict[str, list[str]], *, force: bool = False
    ) -> None:
        """Reverse recorded steps, newest first, inside the open transaction.

        Only the columns that a step changed are put back (`undo_conflicts`).

        Args:
            columns: what each table had when the steps were recorded.
            force: put them back also where others have changed the same column since.

        Raises UndoRefused when others have, when taking a row back would carry off rows that came
        later, or when a trigger of the file does not let the rows be as they were.
        """
        planned: Plan = {}
        for step in steps:
            shape = self.shapes.get(step["tbl"])
            if shape is None or list(shape.columns) != columns.get(step["tbl"]):
                raise UndoRefused(
                    "The file's tables have changed since", where=step["tbl"],
                    do="This step can't be undone any more")
            self.expect(shape.table, *EVENTS)
            if step["key"] is None:
                planned |= {(step["tbl"], key): row
                            for key, row in self._reverse_block(shape, step, force).items()}
            else:
                planned[step["tbl"], step["key"]] = self._reverse_one(shape, step, planned, force)
        if not self._in_blocks:
            self._past_triggers(planned)
        for table, key in self._connection.execute(
                "SELECT tbl, key FROM temp.journal WHERE key IS NOT NULL"):
            if (table, key) not in planned:
                raise UndoRefused(
                    "Rows that were added later depend on this change", row=(table, key),
                    do="Undo or remove those first")

    def _past_triggers(self, planned: Plan) -> None:
        """See to it that the rows are as planned, though the file's triggers write, too.

        What they add now, and is no part of the step, goes.
        """
        planned |= new_rows(self._connection) | planned
        for again in (True, False):
            now = {at: self._row(self._now(self.shapes[at[0]], at[1])) for at in planned}
            wrong = [at for at, row in planned.items() if unlike(now[at], row)]
            for table, key in wrong:
                if not again:
                    raise UndoRefused(
                        "A trigger in the file changes this again at once", row=(table, key),
                        do="Look at the file's triggers; this step was not undone or redone")
                self._put(self.shapes[table], key, planned[table, key],
                          there=now[table, key] is not None)
            if not wrong:
                return

    def holds(self, steps: Iterable[sqlite3.Row]) -> bool:
        """True if every row that these steps touched is as the last of them left it."""
        steps = list(steps)
        if not all(step["tbl"] in self.shapes for step in steps):
            return False
        last = {(step["tbl"], step["key"]): step["after"] for step in steps if step["key"]}
        later = {key for _, key in last}
        return all(self._now(self.shapes[table], key) == after
                   for (table, key), after in last.items()) and all(
            journal_blocks.holds(self._connection, self.shapes[step["tbl"]], block_of(step), later)
            for step in steps if step["key"] is None)

    def _now(self, shape: Shape, key: str) -> str | None:
        """A row's values as one literal list, None where there is no such row."""
        row = self._connection.execute(_statements(shape).find, self._values(key)).fetchone()
        return None if row is None else str(row[0])

    def _reverse_one(
        self, shape: Shape, step: sqlite3.Row, planned: Plan, force: bool
    ) -> Values | None:
        """Put one row back; returns its values, None for no row."""
        key, now, row = step["key"], self._now(shape, step["key"]), self._row(step["before"])
        after = self._row(step["after"])
        if now != step["after"] and not only_triggers_wrote(self._connection, step, after, planned):
            row, conflicts = merge(shape.columns, row, after, self._row(now))
            if conflicts and not force:
                raise refusal(conflicts, shape.table, key)
        if now is None and row is not None:
            [row] = journal_blocks.with_free_numbers(self._connection, shape, [row])
        try:
            self._put(shape, key, row, there=now is not None)
        except sqlite3.IntegrityError as error:
            raise UndoRefused(
                "A later change prevents this",
                row=(shape.table, key), detail=str(error),
                do="Undo or rename that first; this step was not undone or redone") from error
        return row

    def _reverse_block(
        self, shape: Shape, step: sqlite3.Row, force: bool
    ) -> dict[str, Values | None]:
        try:
            return journal_blocks.reverse(self._connection, shape, block_of(step), force=force)
        except sqlite3.IntegrityError as error:
            raise UndoRefused(
                "A later change prevents this", where=shape.table, detail=str(error),
                do="Undo that first; this step was not undone or redone") from error

    def _put(self, shape: Shape, key: str, row: Values | None, *, there: bool) -> None:
        """Have the row with this key, which is `there` or not, hold these values or be gone."""
        statements, values = _statements(shape), self._values(key)
        if row is None:
            self._connection.execute(statements.delete, values)
        elif there:
            self._connection.execute(statements.update, (*row, *values))
        else:
            self._connection.execute(statements.insert, row)

    def _row(self, literals: str | None) -> Values | None:
        return None if literals is None else self._values(literals)

    def close(self) -> None:
        """Close what the recorder keeps open besides its connection."""
        self._decoder.close()

