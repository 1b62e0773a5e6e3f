"""Changes a graph for one agent, in one transaction that is recorded row by row."""

import sqlite3
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from operator import itemgetter
from pathlib import Path

from core.errors import OperationError
from core.model.names import canonical, name_key
from core.store import bulk_insert
from core.store.bound_values import bindable
from core.store.constraint_refusals import refusal
from core.store.database import BUSY_MS, columns_of, in_words, quoted
from core.store.harmful_triggers import refuse_harmful_triggers
from core.store.ids_and_times import new_id, stamp
from core.store.log_position import beginning_log_anew
from core.store.migrate import foreign_triggers
from core.store.overwrite_failed_commit import overwrite_failed_commit
from core.store.reached_tables import EVENTS
from core.store.reader import Reader
from core.store.row_journal import Journal
from core.store.sidecar_file import BESIDE


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
        # Views are made outside the transaction: a rollback would take them along.
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
        self.journal.forget_triggers()

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

        A list is inserted at once: full text takes less time for few portions.
        Columns that this generation of the file lacks are left out.

        Args:
            same: what is the same in all rows.
        """
        have = self.stored_columns(table)
        places = [place for place, column in enumerate(columns) if column in have]
        if not places:
            return 0
        if len(places) < len(columns):
            rows = [tuple(row[place] for place in places) for row in rows]
        known = [columns[place] for place in places]
        place = self._place(table)
        with self._refusals(table):
            count = bulk_insert.insert_rows(
                self.connection, self.home(table), known, rows,
                partial(self.journal.inserting, place),
                {name: bindable(same[name]) for name in self._known(table, same)})
        self.asked[place] += count
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
        self._expect(table, "update")
        return self._run(table, sql, {**params, **bound})

    def delete_where(self, table: str, where: str, /, **params: object) -> int:
        """Remove every row that meets `where`; returns how many."""
        if not self.stored_columns(table):
            return 0
        self._expect(table, "delete")
        return self._run(table, f"DELETE FROM {self.home(table)} WHERE {where}", params)

    def mute(self, entity_id: str, at: str | None) -> None:
        """Mute an entity (None unmutes): in the file, or beside one without the column."""
        if self.has_column("entities", "muted"):
            self.update("entities", entity_id, muted=int(at is not None), muted_at=at)
            return
        self._expect("muted_entities", *EVENTS)
        if at is None:
            self._run("muted_entities",
                      "DELETE FROM side.muted_entities WHERE entity_id = :id", {"id": entity_id})
        else:
            self._run("muted_entities",
                      "INSERT INTO side.muted_entities VALUES (:id, :at) "
                      "ON CONFLICT (entity_id) DO UPDATE SET muted_at = excluded.muted_at",
                      {"id": entity_id, "at": at})

    def place(self, id: str, x: float, y: float) -> None:
        """Put a node of the sky where the person dragged it; it stays there."""
        self._expect("places", "insert", "update")
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
            with beginning_log_anew(self.connection, self.own_file or self.path):
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
            self.journal.forget_triggers()
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

    def _expect(self, table: str, *events: str) -> None:
        """Have the journal record what is about to be written."""
        with in_words(self.path):
            self.journal.expect(self._place(table), *events)

    def _run(self, table: str, sql: str, params: Mapping[str, object]) -> int:
        bound = {name: bindable(value) for name, value in params.items()}
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
