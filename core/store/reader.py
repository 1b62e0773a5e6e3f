"""Reads a graph for one agent, whatever generation its file is of."""

import sqlite3
import time
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

import msgspec

from core.errors import DeadlinePassed
from core.model.hidden_rows import HiddenRows
from core.store.bound_values import bindable
from core.store.compat_views import add_compat_views
from core.store.database import Row, columns_of, in_words, quoted, read_tolerantly
from core.store.hide_later_rows import leave_out

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
_DECODE = msgspec.json.Decoder().decode
_Moment: TypeAlias = tuple[int, int, HiddenRows | None, int]

STRIDE = 20_000
"""Steps of SQLite between two looks at the clock: about a millisecond of work. Each look waits for
Python, which the window wants meanwhile, too."""
LONG_STRIDE = 200_000
"""The same where who asks may want something else by now: some 20 ms of work."""
MOST_KEPT = 5_000
"""Answers of each kind that `each_once` keeps."""


class Reader:
    """A connection for queries, scoped to one agent.

    Attributes:
        agent: the agent whose rows are read; bound as `:agent` in every statement.
        kind: `native` or `signet`.
        hidden: the rows that queries do not see at the moment (`core.store.hide_rows`).
        began: when the reading began, by `time.monotonic`; None outside of one.
    """

    def __init__(self, connection: sqlite3.Connection, kind: str, agent: str, path: Path) -> None:
        self.connection, self.kind, self.agent, self.path = connection, kind, agent, path
        self._shape: dict[str, frozenset[str]] = {}
        self._columns: dict[str, tuple[str, ...]] = {}
        """The names of the columns of statements that were read by column."""
        self._schema: int | None = None
        self._deadline: float | None = None
        self._listed: dict[str, _Moment] = {}
        self.began: float | None = None
        self._version: int | None = None
        """The file's version during a reading, once it has been asked for: it stays the same."""
        self._version_beside: int | None = None
        self._followed: int | None = None
        """The version whose schema is known."""
        self.hidden: HiddenRows | None = None
        self._values: dict[str, object] = {}
        self._left_out: dict[str, str] = {}
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

    def begin_reading(self) -> None:
        """Begin the transaction of a reading: it sees one moment of the file, with a schema that
        another program has changed since the last one.

        From then on no statement waits for a lock of the file.
        """
        while True:
            self.began = time.monotonic()
            with in_words(self.path):
                self.connection.execute("BEGIN")
            version = self._data_version("main")
            # Where nobody has written, the schema is the same, too.
            if version == self._followed or not self._outdated():
                break
            self.end()
            self.refresh_views()
        self._version = self._followed = version

    def end(self) -> None:
        """End the transaction of a reading, keeping what the connection noted down for itself.

        A damaged file lets that go, too.
        """
        self.began = self._version = self._version_beside = None
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

    def once(self, name: str, read: Callable[[], T], *, beside: bool = False) -> T:
        """What `read` returned since the file changed; it may fill TEMP tables.

        `name` tells it from all else that is asked for so, for this agent or any other.

        Args:
            beside: it depends on tables that a file lacks and has beside it, too; a native one
                lacks none.
        """
        if self._listed.get(name) != self._moment(beside):
            with self.noting():
                self._values[name] = read()
            self._listed[name] = self._moment(beside)
        return cast(T, self._values[name])

    def each_once(
        self, name: str, keys: Iterable[K], read: Callable[[list[K]], Mapping[K, T]]
    ) -> dict[K, T]:
        """What `read` gives for each key, in their order, each read once since the file or what
        lies beside it changed: as one types, most of what is asked comes again.

        A key for which it gives nothing is left out. `name` as for `once`.
        """
        known: dict[K, T | None] = self.once(name, dict, beside=True)
        if len(known) > MOST_KEPT:
            known.clear()
        asked = list(dict.fromkeys(keys))
        if unknown := [key for key in asked if key not in known]:
            found = read(unknown)
            known.update((key, found.get(key)) for key in unknown)
        return {key: value for key in asked if (value := known[key]) is not None}

    @contextmanager
    def noting(self) -> Iterator[None]:
        """What this block writes to TEMP tables is no change of the file: other lists stay true."""
        before = self._moment()[:2]
        true_still = {name: moment[2:] for name, moment in self._listed.items()
                      if moment[:2] == before}
        yield
        now = self._moment()[:2]
        self._listed = {name: (*now, *rest) for name, rest in true_still.items()}

    @property
    def out_of_time(self) -> bool:
        """True once the deadline of `interrupting` has passed, for work between statements."""
        return self._deadline is not None and time.monotonic() > self._deadline

    @property
    def sidecar(self) -> Path | None:
        """The file with what this program keeps about the graph, None where there is none."""
        return self._file_of("side")

    @property
    def own_file(self) -> Path | None:
        """The file that is read, not a link to it; None of what has no file."""
        return self._file_of("main")

    def _file_of(self, schema: str) -> Path | None:
        with in_words(self.path):
            files = self.connection.execute("PRAGMA database_list").fetchall()
        return next((Path(file) for _, name, file in files if name == schema and file), None)

    def _moment(self, beside: bool = False) -> _Moment:
        """What differs after each change of the file, by this connection or another, with other
        rows hidden, and after each change beside the file."""
        version, other = self._version, self._version_beside
        if not beside or self.kind == "native":
            other = 0
        if version is None:
            version = self._data_version("main")
            self._version = version if self.began is not None else None
        if other is None:
            other = self._data_version("side")
            self._version_beside = other if self.began is not None else None
        return version, self.connection.total_changes, self.hidden, other

    def _data_version(self, file: str) -> int:
        with in_words(self.path):
            return int(self.connection.execute(f"PRAGMA {file}.data_version").fetchone()[0])

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def _outdated(self) -> bool:
        with in_words(self.path):
            return self._schema_version() != self._schema

    def _schema_version(self) -> int:
        return int(self.connection.execute("PRAGMA main.schema_version").fetchone()[0])

    def let_go_of_pages(self) -> None:
        """Free the pages of the file that the connection keeps, up to 8 MB: those that a reading of
        whole tables leaves are not what is read next."""
        self.connection.execute("PRAGMA shrink_memory")

    def rows(self, sql: str, /, **params: object) -> list[Row]:
        """All rows of one statement; lists, tuples and sets are passed as JSON text."""
        bound = {name: bindable(value) for name, value in params.items()}
        bound.setdefault("agent", self.agent)
        with in_words(self.path):
            try:
                return self.connection.execute(sql, bound).fetchall()
            except sqlite3.OperationalError as error:
                if "decode to UTF-8" not in str(error):
                    raise
                read_tolerantly(self.connection)
                return self.connection.execute(sql, bound).fetchall()

    def each(self, sql: str, /, **params: object) -> Iterator[Row]:
        """The same rows one by one, where they are so many that a list of them takes much room."""
        bound = {name: bindable(value) for name, value in params.items()}
        bound.setdefault("agent", self.agent)
        count = 0
        with in_words(self.path):
            for tolerantly in (False, True):
                try:
                    for row in islice(self.connection.execute(sql, bound), count, None):
                        count += 1
                        yield row
                    return
                except sqlite3.OperationalError as error:
                    if tolerantly or "decode to UTF-8" not in str(error):
                        raise
                    read_tolerantly(self.connection)

    def rows_by_column(
        self, sql: str, as_json: Collection[str] = (), /, **params: object
    ) -> dict[str, Any]:
        """The same rows as a list for each column, read in one step: of many rows in half the time,
        and other threads go on meanwhile.

        Numbers with a fraction have 15 digits. Columns of JSON functions are taken apart.

        Args:
            as_json: columns that may come as the text of a JSON array instead of a list.
        """
        bound = {name: bindable(value) for name, value in params.items()}
        bound.setdefault("agent", self.agent)
        with in_words(self.path):
            try:
                return self._columns_at_once(sql, bound, as_json)
            except (sqlite3.OperationalError, msgspec.DecodeError):
                # What JSON can't hold: bytes, broken text, numbers without end.
                return self._columns_of_rows(sql, bound)

    def _columns_at_once(
        self, sql: str, bound: Mapping[str, object], as_json: Collection[str]
    ) -> dict[str, Any]:
        if sql not in self._columns:
            described = self.connection.execute(f"SELECT * FROM ({sql}) LIMIT 0", bound).description
            self._columns[sql] = tuple(column[0] for column in described)
        names = self._columns[sql]
        lists = ", ".join(f"json_group_array({quoted(name)})" for name in names)
        cursor = self.connection.execute(f"SELECT {lists} FROM ({sql})", bound)
        cursor.row_factory = None
        return {name: values if name in as_json else _DECODE(values)
                for name, values in zip(names, cursor.fetchone(), strict=True)}

    def _columns_of_rows(self, sql: str, bound: Mapping[str, object]) -> dict[str, list[Any]]:
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

    def interrupting(self, deadline: float) -> "_Watching":
        """Stop every statement in this block once `time.monotonic()` has passed `deadline`.

        `rows` then raises DeadlinePassed, `rows_in_time` gives what it has. An outer deadline
        that is sooner goes on holding.
        """
        before = self._deadline
        return _Watching(self, deadline if before is None else min(deadline, before))

    def uninterrupted(self) -> "_Watching":
        """Let the statements in this block finish regardless of the deadline."""
        return _Watching(self, None)

    @contextmanager
    def while_wanted(self, wanted: Callable[[], bool]) -> Iterator[None]:
        """Stop a long statement in this block once what it finds is wanted no more: `rows` then
        raises DeadlinePassed."""
        self.connection.set_progress_handler(lambda: not wanted(), LONG_STRIDE)
        try:
            yield
        finally:
            self.watch_clock(self._deadline)

    def watch_clock(self, deadline: float | None) -> float | None:
        """Stop statements from this moment on, or never; returns what held before."""
        before, self._deadline = self._deadline, deadline
        if deadline is None:
            self.connection.set_progress_handler(None, 0)
        else:
            self.connection.set_progress_handler(lambda: time.monotonic() > deadline, STRIDE)
        return before

    def rows_in_time(self, sql: str, /, **params: object) -> tuple[list[Row], bool]:
        """The rows that came before the deadline of `interrupting`, and whether that is all."""
        bound = {name: bindable(value) for name, value in params.items()}
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
        later = self._left_out[table].format(alias="own")
        return f"(SELECT {columns} FROM {home} AS own WHERE NOT {later})"

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


class _Watching:
    """Has a reader watch a deadline in a block, and then the one before: a class, since a block is
    entered with every question."""

    __slots__ = ("_before", "_deadline", "_reader")

    def __init__(self, reader: Reader, deadline: float | None) -> None:
        self._reader, self._deadline = reader, deadline
        self._before: float | None = None

    def __enter__(self) -> None:
        self._before = self._reader.watch_clock(self._deadline)

    def __exit__(self, *_: object) -> None:
        self._reader.watch_clock(self._before)
