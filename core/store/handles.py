"""The two handles that all of core takes: a Reader for queries, a Writer for changes.

Both are scoped to one agent: every statement can name `:agent`. Plain table names show any
generation of file in the native schema; writes go through `insert`, `update` and their kin,
which know what the file really has.
"""

import json
import sqlite3
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

from core.errors import DeadlinePassed, OperationError
from core.model.hidden_rows import HiddenRows
from core.model.names import canonical, name_key, storable
from core.store import bulk_insert
from core.store.compat_views import add_compat_views
from core.store.database import BUSY_MS, Row, columns_of, in_words, quoted, read_tolerantly
from core.store.failed_commit import overwrite_failed_commit
from core.store.harmful_triggers import refuse_harmful_triggers
from core.store.journal import Journal
from core.store.later_rows import is_later, leave_out
from core.store.migrate import foreign_triggers
from core.store.sidecar_file import BESIDE

T = TypeVar("T")
_Moment: TypeAlias = tuple[int, int, HiddenRows | None]


def new_id() -> str:
    """A fresh row id (uuid4, as every id of the seeds)."""
    return str(uuid.uuid4())


def stamp(moment: datetime | None = None) -> str:
    """ISO-8601 UTC with milliseconds, the one way this program writes a time."""
    moment = (moment or datetime.now(UTC)).astimezone(UTC)
    return moment.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


STRIDE = 1000
"""Steps of SQLite between two looks at the clock; well under a millisecond of work."""


class Reader:
    """A connection for queries, scoped to one agent.

    Attributes:
        agent: the agent whose rows are read; bound as `:agent` in every statement.
        kind: `native` or `signet`.
        hidden: the rows that queries do not see at the moment (`core.store.hidden_rows`).
    """

    def __init__(self, connection: sqlite3.Connection, kind: str, agent: str, path: Path) -> None:
        self.connection, self.kind, self.agent, self.path = connection, kind, agent, path
        self._shape: dict[str, frozenset[str]] = {}
        self._schema: int | None = None
        self._deadline: float | None = None
        self._listed: dict[str, _Moment] = {}
        self.hidden: HiddenRows | None = None
        self._values: dict[str, object] = {}
        self._left_out: frozenset[str] = frozenset()
        self.refresh_views()

    def refresh_views(self) -> bool:
        """Follow a schema that another program has changed; True if it had."""
        if not self._outdated():
            return False
        with in_words(self.path):
            self._schema = self._schema_version()
            add_compat_views(self.connection, self.kind)
            self._left_out = leave_out(self.connection)
        self._shape = {}
        return True

    def end(self) -> None:
        """End the transaction of a reading, keeping what the connection noted down for itself.

        A damaged file lets that go, too.
        """
        if not self.connection.in_transaction:
            return
        try:
            self.connection.execute("COMMIT")
        except sqlite3.Error:
            self._listed = {}
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")

    def list_once(self, name: str, statements: Sequence[str]) -> None:
        """Fill TEMP tables by these statements, unless they were filled since the file changed.

        A statement that writes is not stopped halfway, which would end the whole transaction; the
        clock is looked at between them. Raises DeadlinePassed once the deadline of `interrupting`
        has passed: what was done stays done, and the next call goes on from there.
        """
        done = self.once(name, list[str])
        for statement in statements[len(done):]:
            if self.out_of_time:
                raise DeadlinePassed("The time limit was reached", where=str(self.path))
            with self.uninterrupted(), self.noting():
                self.rows(statement)
            done.append(statement)

    def once(self, name: str, read: Callable[[], T]) -> T:
        """What `read` returned since the file changed; it may fill TEMP tables.

        `name` tells it from all else that is asked for so, for this agent or any other.
        """
        if self._listed.get(name) != self._moment():
            with self.noting():
                self._values[name] = read()
            self._listed[name] = self._moment()
        return cast(T, self._values[name])

    @contextmanager
    def noting(self) -> Iterator[None]:
        """What this block writes to TEMP tables is no change of the file: other lists stay true."""
        before = self._moment()[:2]
        true_still = {name: moment[2] for name, moment in self._listed.items()
                      if moment[:2] == before}
        yield
        now = self._moment()[:2]
        self._listed = {name: (*now, hidden) for name, hidden in true_still.items()}

    @property
    def out_of_time(self) -> bool:
        """True once the deadline of `interrupting` has passed, for work between statements."""
        return self._deadline is not None and time.monotonic() > self._deadline

    @property
    def sidecar(self) -> Path | None:
        """The file with what this program keeps about the graph, None where there is none."""
        with in_words(self.path):
            names = self.connection.execute("PRAGMA database_list").fetchall()
        return next((Path(file) for _, name, file in names if name == "side" and file), None)

    def _moment(self) -> _Moment:
        """What differs after each change of the file, by this connection or another, and with
        other rows hidden."""
        with in_words(self.path):
            version = self.connection.execute("PRAGMA main.data_version").fetchone()[0]
        return int(version), self.connection.total_changes, self.hidden

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def _outdated(self) -> bool:
        with in_words(self.path):
            return self._schema_version() != self._schema

    def _schema_version(self) -> int:
        return int(self.connection.execute("PRAGMA main.schema_version").fetchone()[0])

    def rows(self, sql: str, /, **params: object) -> list[Row]:
        """All rows of one statement; lists, tuples and sets are passed as JSON text."""
        bound = {name: _bindable(value) for name, value in params.items()}
        bound.setdefault("agent", self.agent)
        with in_words(self.path):
            try:
                return self.connection.execute(sql, bound).fetchall()
            except sqlite3.OperationalError as error:
                if "decode to UTF-8" not in str(error):
                    raise
                read_tolerantly(self.connection)
                return self.connection.execute(sql, bound).fetchall()

    def rows_by_column(self, sql: str, /, **params: object) -> dict[str, list[Any]]:
        """The same rows as a list for each column: of many rows in half the time."""
        bound = {name: _bindable(value) for name, value in params.items()}
        bound.setdefault("agent", self.agent)
        with in_words(self.path):
            try:
                names, rows = self._plain_rows(sql, bound)
            except sqlite3.OperationalError as error:
                if "decode to UTF-8" not in str(error):
                    raise
                read_tolerantly(self.connection)
                names, rows = self._plain_rows(sql, bound)
        return {name: list(map(itemgetter(place), rows)) for place, name in enumerate(names)}

    def _plain_rows(
        self, sql: str, bound: Mapping[str, object]
    ) -> tuple[list[str], list[tuple[Any, ...]]]:
        """The names of the columns, and the rows as tuples."""
        cursor = self.connection.execute(sql, bound)
        cursor.row_factory = None
        return [column[0] for column in cursor.description], cursor.fetchall()

    @contextmanager
    def interrupting(self, deadline: float) -> Iterator[None]:
        """Stop every statement in this block once `time.monotonic()` has passed `deadline`.

        `rows` then raises DeadlinePassed, `rows_in_time` gives what it has. An outer deadline
        that is sooner goes on holding. A locked file is waited for no longer either.
        """
        before = self._deadline
        sooner = deadline if before is None else min(deadline, before)
        self._wait_for_locks(sooner - time.monotonic())
        self._watch_clock(sooner)
        try:
            yield
        finally:
            self._watch_clock(before)
            if before is None:
                self._wait_for_locks(BUSY_MS / 1000)

    @contextmanager
    def uninterrupted(self) -> Iterator[None]:
        """Let the statements in this block finish regardless of the deadline."""
        before = self._deadline
        self._watch_clock(None)
        try:
            yield
        finally:
            self._watch_clock(before)

    def _watch_clock(self, deadline: float | None) -> None:
        self._deadline = deadline
        if deadline is None:
            self.connection.set_progress_handler(None, 0)
        else:
            self.connection.set_progress_handler(lambda: time.monotonic() > deadline, STRIDE)

    def _wait_for_locks(self, seconds: float) -> None:
        wait = max(0, min(BUSY_MS, int(seconds * 1000)))
        self.connection.execute(f"PRAGMA busy_timeout = {wait}").close()

    def rows_in_time(self, sql: str, /, **params: object) -> tuple[list[Row], bool]:
        """The rows that came before the deadline of `interrupting`, and whether that is all."""
        bound = {name: _bindable(value) for name, value in params.items()}
        bound.setdefault("agent", self.agent)
        if self._deadline is not None and time.monotonic() > self._deadline:
            return [], False
        rows: list[Row] = []
        with in_words(self.path):
            try:
                rows.extend(self.connection.execute(sql, bound))
            except sqlite3.OperationalError as error:
                if str(error) == "interrupted":
                    return rows, False
                if "decode to UTF-8" not in str(error):
                    raise
                read_tolerantly(self.connection)
                return self.rows_in_time(sql, **params)
        return rows, True

    def row(self, sql: str, /, **params: object) -> Row | None:
        """The first row, or None."""
        rows = self.rows(sql, **params)
        return rows[0] if rows else None

    def value(self, sql: str, /, **params: object) -> Any:
        """The first column of the first row, or None."""
        row = self.row(sql, **params)
        return row[0] if row is not None else None

    def stored(self, table: str, columns: str = "*") -> str:
        """SQL of the file's own table, to be read and given an alias: a past state's without the
        rows of later."""
        home = f"main.{quoted(table)}"
        if table not in self._left_out:
            return home
        return f"(SELECT {columns} FROM {home} AS own WHERE NOT {is_later(table, 'own')})"

    def has_table(self, name: str) -> bool:
        """True if the file itself has this table (full text included)."""
        return bool(self.columns(name))

    def has_column(self, table: str, column: str) -> bool:
        """True if the file's own table has this column."""
        return column in self.columns(table)

    def columns(self, table: str) -> frozenset[str]:
        """The columns of the file's own table, empty where it has none of that name."""
        if table not in self._shape:
            with in_words(self.path):
                try:
                    columns = columns_of(self.connection, table)
                except sqlite3.OperationalError:
                    # A virtual table whose module is missing (Signet's vec0) can't be looked at.
                    columns = []
            self._shape[table] = frozenset(c["name"] for c in columns)
        return self._shape[table]


class Writer(Reader):
    """The one writing connection, inside an open transaction.

    Attributes:
        actor: the author of the changes, written into audit and archive columns.
        audit_id: the id of the audit row of this transaction, None if none was written.
        asked: rows of each table that the statements of this transaction were about, without those
            that triggers changed.
    """

    def __init__(self, connection: sqlite3.Connection, kind: str, agent: str, path: Path,
                 actor: str = "you") -> None:
        super().__init__(connection, kind, agent, path)
        self.actor = actor
        self.audit_id: str | None = None
        self.asked: Counter[str] = Counter()
        self.journal = Journal(
            connection, in_blocks=kind == "native" and not foreign_triggers(connection))
        bulk_insert.prepare(connection)
        self._now = stamp()

    def refresh_views(self) -> bool:
        """The same; a schema that is unsafe to write is refused (NotWritable)."""
        if not self._outdated():
            return False
        with in_words(self.path):
            refuse_harmful_triggers(self.connection, self.path)
        return super().refresh_views()

    def begin(self, agent: str, actor: str) -> None:
        """Open a transaction and take the write lock."""
        # Views and triggers are made outside the transaction: a rollback would take them along.
        with in_words(self.path):
            while True:
                if self.refresh_views():
                    self.journal.watch()
                self.connection.execute("BEGIN IMMEDIATE")
                if not self._outdated():
                    break
                self.connection.execute("ROLLBACK")
        self.agent, self.actor, self.audit_id, self._now = agent, actor, None, stamp()
        self._listed = {}  # The lists went with the transaction that was rolled back.
        self.asked.clear()
        self.journal.clear()

    def close(self) -> None:
        """Close the file."""
        self.journal.close()
        super().close()

    def commit(self) -> None:
        """Make the transaction last; a rule that is only checked here is refused in words."""
        try:
            with self._refusals("the file"):
                self.connection.execute("COMMIT")
        except BaseException:
            overwrite_failed_commit(self.connection)
            raise

    def take_back(self) -> None:
        """Undo all of the transaction; SQLite may have done so already (a full disk)."""
        if self.connection.in_transaction:
            self.connection.execute("ROLLBACK")

    def stored_key(self, name: str) -> str:
        """A name's canonical form as this file keeps it: Signet's own does not join spellings."""
        return name_key(name) if self.kind == "native" else canonical(name)

    def now(self) -> str:
        """The transaction's time; the same for every row it writes."""
        return self._now

    def insert(self, table: str, /, **values: object) -> None:
        """Insert one row; columns that this generation of the file lacks are left out."""
        self.insert_many(table, (values,))

    def insert_many(self, table: str, rows: Iterable[Mapping[str, object]], /) -> int:
        """Insert rows that all have the same columns; returns how many."""
        rows = iter(rows)
        first = next(rows, None)
        if first is None:
            return 0
        columns = tuple(first)
        take = itemgetter(*columns) if len(columns) > 1 else lambda row: (row[columns[0]],)
        return self.insert_rows(table, columns, map(take, chain((first,), rows)))

    def insert_rows(self, table: str, columns: Sequence[str],
                    rows: Iterable[tuple[object, ...]], /, **same: object) -> int:
        """Insert rows given as tuples in the order of `columns`; returns how many.

        Columns that this generation of the file lacks are left out.

        Args:
            same: what is the same in all rows.
        """
        have = self.stored_columns(table)
        places = [place for place, column in enumerate(columns) if column in have]
        if not places:
            return 0
        if len(places) < len(columns):
            rows = (tuple(row[place] for place in places) for row in rows)
        # Nearly every row can be bound as it is; looking at the types alone is quick.
        bound = (row if _PLAIN.issuperset(map(type, row)) else tuple(map(_bindable, row))
                 for row in rows)
        known = [columns[place] for place in places]
        with self._refusals(table):
            count = bulk_insert.insert_rows(
                self.connection, self.home(table), known, bound,
                lambda some: self.journal.as_block(table, known, some),
                {name: _bindable(same[name]) for name in self._known(table, same)})
        self.asked[self._place(table)] += count
        return count

    def update(self, table: str, id: str, /, **values: object) -> int:
        """Change one row by its key (`id`, or `entity_id` where that is the key)."""
        key = "id" if "id" in self.stored_columns(table) else "entity_id"
        return self.update_where(table, f"{key} = :row_id", values, row_id=id)

    def update_where(self, table: str, where: str, values: Mapping[str, object], /,
                     **params: object) -> int:
        """Change every row of the file's own table that meets `where`; returns how many."""
        known = self._known(table, values)
        if not known:
            return 0
        sql = (f"UPDATE {self.home(table)} SET "
               f"{', '.join(f'{quoted(c)} = :set_{c}' for c in known)} WHERE {where}")
        bound = {f"set_{c}": values[c] for c in known}
        return self._run(table, sql, {**params, **bound})

    def delete_where(self, table: str, where: str, /, **params: object) -> int:
        """Remove every row that meets `where`; returns how many."""
        if not self.stored_columns(table):
            return 0
        return self._run(table, f"DELETE FROM {self.home(table)} WHERE {where}", params)

    def mute(self, entity_id: str, at: str | None) -> None:
        """Mute an entity (None unmutes): in the file, or beside one without the column."""
        if self.has_column("entities", "muted"):
            self.update("entities", entity_id, muted=int(at is not None), muted_at=at)
        elif at is None:
            self._run("muted_entities",
                      "DELETE FROM side.muted_entities WHERE entity_id = :id", {"id": entity_id})
        else:
            self._run("muted_entities",
                      "INSERT INTO side.muted_entities VALUES (:id, :at) "
                      "ON CONFLICT (entity_id) DO UPDATE SET muted_at = excluded.muted_at",
                      {"id": entity_id, "at": at})

    def place(self, id: str, x: float, y: float) -> None:
        """Put a node of the sky where the person dragged it; it stays there."""
        self._run("places",
                  "INSERT INTO side.places VALUES (:id, :x, :y, 1) ON CONFLICT (id) "
                  "DO UPDATE SET x = excluded.x, y = excluded.y, fixed = 1",
                  {"id": id, "x": x, "y": y})

    def audit(self, **columns: object) -> str:
        """Write an applied proposal row as the audit of what this transaction does.

        Undo leaves it in place, so that the change stays on record. Returns its id; a generation
        without proposals keeps the record beside the file only.
        """
        row = {"id": new_id(), "agent_id": self.agent, "status": "applied", "payload": "{}",
               "confidence": 0.0, "rationale": "", "evidence": "[]", "created_by": self.actor,
               "applied_by": self.actor, "created_at": self._now, "updated_at": self._now,
               "applied_at": self._now, **columns}
        if self.has_table("ontology_proposals"):
            self.insert("ontology_proposals", **row)
            self.keep_when_undone("ontology_proposals", str(row["id"]))
        self.audit_id = str(row["id"])
        return self.audit_id

    def keep_when_undone(self, table: str, id: str) -> None:
        """Leave a row out of the step that undo takes back."""
        self.journal.forget(self._place(table), (id,))

    def fold_log(self) -> None:
        """Bring the write-ahead log over into the file and empty it, unless somebody reads it."""
        self.connection.execute("PRAGMA busy_timeout = 0")
        try:
            self.connection.execute("PRAGMA main.wal_checkpoint(TRUNCATE)").fetchall()
        except sqlite3.OperationalError:
            pass  # Another program writes at this moment; the next look tries again.
        finally:
            self.connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Do several things or none of them: an exception rolls back to here."""
        name = f"at_{uuid.uuid4().hex}"
        self.connection.execute(f"SAVEPOINT {name}")
        try:
            yield
        except BaseException:
            self._listed = {}  # What was listed since goes with the rest.
            # On a full disk SQLite takes the whole transaction back by itself.
            if self.connection.in_transaction:
                self.connection.execute(f"ROLLBACK TO {name}")
                self.connection.execute(f"RELEASE {name}")
            raise
        self.connection.execute(f"RELEASE {name}")

    def _known(self, table: str, values: Mapping[str, object]) -> list[str]:
        have = self.stored_columns(table)
        return [c for c in values if c in have]

    def home(self, table: str) -> str:
        """Where the rows of a table are: in the file, or beside one that lacks it."""
        return f"{'side' if self._is_beside(table) else 'main'}.{quoted(self._place(table))}"

    def _place(self, table: str) -> str:
        """The table that has the rows of a table: itself, or the one beside the file."""
        return BESIDE[table] if self._is_beside(table) else table

    def _is_beside(self, table: str) -> bool:
        return table in BESIDE and not self.has_table(table)

    def stored_columns(self, table: str) -> frozenset[str]:
        """The columns that rows of a table can have, in the file or beside it."""
        if self._is_beside(table):
            return frozenset(c["name"] for c in columns_of(self.connection, BESIDE[table], "side"))
        return self.columns(table)

    def _run(self, table: str, sql: str, params: Mapping[str, object]) -> int:
        bound = {name: _bindable(value) for name, value in params.items()}
        bound.setdefault("agent", self.agent)
        with self._refusals(table):
            count = self.connection.execute(sql, bound).rowcount
        self.asked[self._place(table)] += count
        return count

    @contextmanager
    def _refusals(self, table: str) -> Iterator[None]:
        """A rule of the file that an operation ran into, in words instead of a raw error."""
        try:
            with in_words(self.path):
                yield
        except sqlite3.IntegrityError as error:
            raise refusal(error, table) from error
        except UnicodeEncodeError as error:
            raise OperationError(400, "A text contains an incomplete character", where=table,
                                 detail=str(error)) from error
        except OverflowError as error:
            raise OperationError(400, "A number is too large for the file", where=table,
                                 detail=str(error)) from error


def refusal(error: sqlite3.IntegrityError, table: str) -> OperationError:
    """The error for a violated constraint of the schema."""
    text = str(error)
    if text.startswith("UNIQUE"):
        columns = text.partition(": ")[2]
        return OperationError(409, "Another row already has this value", where=columns,
                              do="Choose another, or change that row instead", detail=text)
    if text.startswith("FOREIGN KEY"):
        return OperationError(409, "This refers to something that is not in the file",
                              where=table, detail=text)
    if text.startswith(("CHECK", "NOT NULL")):
        return OperationError(400, "A value is not allowed here", where=text.partition(": ")[2],
                              detail=text)
    return OperationError(400, text, where=table, detail=text)


_PLAIN = frozenset((str, int, float, bytes, type(None)))
"""What SQLite takes as it is."""


_as_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _bindable(value: object) -> object:
    if isinstance(value, list | tuple | set | frozenset | dict):
        value = _as_json(list(value) if isinstance(value, set | frozenset) else value)
    if isinstance(value, str):
        return storable(value)
    return int(value) if isinstance(value, bool) else value
