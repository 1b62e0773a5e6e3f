"""One open graph: reads on any thread, writes on one, what changed to whoever listens."""

import os
import queue
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Generic, Self, TypeAlias, TypeVar

from core.errors import ConstellationError, NotWritable, OpenError
from core.events import Hub
from core.model.activity import Activity
from core.model.changes import Changes, RowChange
from core.model.names import storable
from core.store import sidecar_file
from core.store.backup import back_up, copy_file
from core.store.database import connect, in_words
from core.store.file_detection import Found, inspect
from core.store.file_identity import identity_of
from core.store.handles import Reader, Writer
from core.store.migrate import migrate, newest, version_of
from core.store.problems import Problem, find_problems
from core.store.sidecar import Sidecar
from core.store.undo_log import UndoLog
from core.store.undo_refusals import not_there

T = TypeVar("T")
Label: TypeAlias = str | Callable[[T], str]
IDLE_READERS = 4
"""Reading connections kept open between reads."""


@dataclass(frozen=True, slots=True)
class Rehearsal(Generic[T]):
    """What a change would return and which rows it would touch, from a run that was rolled back."""

    result: T
    changes: tuple[RowChange, ...]


@dataclass(frozen=True, slots=True)
class Written(Generic[T]):
    """What a change returned, and the number of its step in the history; None if no row differs."""

    result: T
    entry: int | None


class Workspace:
    """An open graph file. Has no methods about the graph itself: those are functions on a
    Reader (core.queries) or a Writer (core.ontology).

    Attributes:
        path: the file.
        kind: `native` or `signet`.
        agent: the agent whose rows are read and written.
        events: announces each commit, on the thread that made it.
        sidecar: saved positions, the permission to write, flags and caches, beside the file.
    """

    def __init__(self, found: Found, agent: str, folder: Path, *, new: bool = False) -> None:
        self.path, self.kind, self.agent = found.path, found.kind, agent
        self.events = Hub()
        self._found, self._folder = found, folder
        self._identity = identity_of(found)
        self._side = sidecar_file.sidecar_path(found.path, folder, self._identity, new=new)
        sidecar_file.prepare(self._side)
        self._log = UndoLog(self._side.with_name(f"{self._side.stem}-undo.db"))
        self.sidecar = Sidecar(self._side)
        if self._identity and sidecar_file.OWNER not in self.sidecar.meta():
            self.sidecar.remember(sidecar_file.OWNER, self._identity)
        self._idle: queue.SimpleQueue[Reader] = queue.SimpleQueue()
        self._pool_lock = Lock()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="writer")
        self._writer: Writer | None = None
        self._looked_at = found
        self._watched: Reader | None = None
        self._seen: int | None = None
        self._closed = False

    @classmethod
    def open(cls, path: Path | str, *, agent: str = "default", data_dir: Path | None = None,
             create: bool = False) -> Self:
        """Open a graph; a native file is brought up to date first, with a backup.

        Args:
            path: a native graph or a Signet database.
            agent: whose rows to show.
            data_dir: where sidecars and backups live; the person's data folder by default.
            create: make a new native graph if there is no file.

        Raises OpenError saying what is there instead.
        """
        path, folder = Path(path).expanduser(), data_dir or sidecar_file.data_folder()
        agent = storable(agent)
        sidecar_file.make_room(folder)
        new = create and not path.exists()
        if new:
            _create(path)
        found = inspect(path)
        if found.kind == "empty":
            if not create:
                raise OpenError("foreign", "This database is empty", where=str(path),
                                do="Make a graph with “constellation new PATH”")
            _create(path)
            found, new = inspect(path), True
        if found.kind == "native" and found.writable:
            _bring_up_to_date(path, folder)
        workspace = cls(found, agent, folder, new=new)
        try:
            with workspace.read():
                pass
        except BaseException:
            workspace.close()
            raise
        return workspace

    # -- reading -----------------------------------------------------------------------------

    @contextmanager
    def read(self) -> Iterator[Reader]:
        """A Reader in one short transaction, from any thread; it sees one moment of the file."""
        found = self._follow()
        reader = self._take_reader()
        try:
            reader.agent = self.agent
            reader.refresh_face()
            with in_words(self.path):
                reader.connection.execute("BEGIN")
            yield reader
        finally:
            if reader.connection.in_transaction:
                reader.connection.execute("ROLLBACK")
            self._give_back(reader, found)

    def _follow(self) -> Found:
        """The file that lies at the path now.

        Another one of its kind that has taken the place of the one that was opened (a restored
        backup, a folder that is kept in step with another machine) is taken up; what was read
        and written before would go to a file that nobody sees any more. Raises OpenError where
        there is none, and for another graph: what is kept beside this one is not its own.
        """
        if self._closed:
            raise NotWritable("The graph is closed", where=str(self.path))
        with self._pool_lock:
            if not self._found.is_there:
                found = inspect(self.path)
                if found.kind != self.kind:
                    raise OpenError("foreign", "Another kind of file has taken its place",
                                    where=str(self.path), do="Open it again")
                if found.kind == "native" and found.writable:
                    _bring_up_to_date(self.path, self._folder)
                known = identity_of(found)
                if self._identity and known and known != self._identity:
                    raise OpenError("foreign", "Another graph has taken its place",
                                    where=str(self.path), do="Open it again")
                self._found = found
                self._close_idle()
            return self._found

    def _close_idle(self) -> None:
        while True:
            try:
                self._idle.get_nowait().close()
            except queue.Empty:
                return

    def _take_reader(self) -> Reader:
        try:
            return self._idle.get_nowait()
        except queue.Empty:
            return self._open_reader()

    def _open_reader(self) -> Reader:
        with in_words(self.path):
            connection = connect(self.path, immutable=self._found.immutable)
            try:
                sidecar_file.attach(connection, self._side, mode="ro")
                return Reader(connection, self.kind, self.agent, self.path)
            except BaseException:
                connection.close()
                raise

    def _give_back(self, reader: Reader, found: Found) -> None:
        if self._closed or found is not self._found or self._idle.qsize() >= IDLE_READERS:
            reader.close()
        else:
            self._idle.put(reader)

    def find_problems(self) -> tuple[Problem, ...]:
        """What could not be read as the graph it should be, row by row; reads every table."""
        with self.read() as reader:
            return find_problems(reader)

    # -- permission --------------------------------------------------------------------------

    @property
    def allowed(self) -> bool:
        """True if the person has allowed writing this file (a native graph needs no asking)."""
        return self.kind == "native" or self.sidecar.meta().get("allowed") == "yes"

    @property
    def writable(self) -> bool:
        """True if a write would be taken now."""
        return self._found.writable and self.allowed

    def allow_writing(self) -> Path | None:
        """Allow writing a foreign file, once and for all, after a backup; returns the backup.

        Raises NotWritable where the file system does not allow it.
        """
        if not self._found.writable:
            raise NotWritable("The file or its folder can't be written", where=str(self.path),
                              do="Change its permissions, or work on a copy")
        if self.allowed:
            return None
        copy = back_up(self.path, self.backup_folder)
        self.sidecar.remember("allowed", "yes")
        self.sidecar.remember("backup", os.fsencode(copy).decode("utf-8", "replace"))
        return copy

    @property
    def backup_folder(self) -> Path:
        """Where backups of this graph are kept."""
        return self._folder / "backups" / self._side.stem

    # -- writing -----------------------------------------------------------------------------

    def write(self, label: Label[T], change: Callable[[Writer], T], *, initiator: str = "",
              actor: str | None = None) -> Written[T]:
        """Run `change` in one transaction on the writer thread; returns its result and its entry.

        `label` names the step in the history; it may be told by what `change` returns.
        Commits, keeps the undo step and announces the Changes; an exception takes all of it
        back and is raised here. Must not be called from inside a change.
        """
        return self.submit(label, change, initiator=initiator, actor=actor).result()

    def submit(self, label: Label[T], change: Callable[[Writer], T], *, initiator: str = "",
               actor: str | None = None) -> Future[Written[T]]:
        """The same without waiting."""
        def run(writer: Writer) -> tuple[T, int | None, str]:
            result = change(writer)
            said = storable(label(result) if callable(label) else label)
            return result, self._log.intend(writer, said, initiator), said

        return self._thread.submit(self._commit, run, initiator, storable(actor or "you"))

    def undo(self, entry: int | None = None, *, actor: str | None = None) -> str:
        """Take back the last change, or one entry of the history; returns its label.

        Raises UndoRefused when there is none, or when its rows have changed since.
        """
        return self._move(("done",), "undone", entry, "undo", actor or "you")

    def redo(self, entry: int | None = None, *, actor: str | None = None) -> str:
        """Do again what was last undone; returns its label."""
        states = ("undone",) if entry is None else ("undone", "abandoned")
        return self._move(states, "done", entry, "redo", actor or "you")

    def _move(self, states: tuple[str, ...], state: str, entry: int | None, word: str,
              actor: str) -> str:
        def run(writer: Writer) -> tuple[str, int, str]:
            row = self._log.find(writer.agent, states, entry)
            if row is None:
                raise not_there(self._log.entry(writer.agent, entry), entry, word)
            label = self._log.move(writer, row, state)
            return label, int(row["id"]), f"{word.capitalize()}: {label}"

        return self._thread.submit(self._commit, run, word, storable(actor)).result().result

    def undo_label(self) -> str | None:
        """What undo would take back, None if there is nothing."""
        return self._label(("done",))

    def redo_label(self) -> str | None:
        """What redo would do again, None if there is nothing."""
        return self._label(("undone",))

    def _label(self, states: tuple[str, ...]) -> str | None:
        row = self._log.find(self.agent, states)
        return None if row is None else str(row["label"])

    def history(self, limit: int = 200, offset: int = 0) -> list[Activity]:
        """What was changed from here, newest first."""
        return self._log.history(self.agent, limit, offset)

    def changes_of(self, entry: int, limit: int = 500) -> tuple[RowChange, ...]:
        """The rows that an entry of the history changed, at most `limit` steps of it."""
        return self._log.changes_of(entry, limit)

    def rehearse(self, change: Callable[[Writer], T], *, actor: str = "you") -> Rehearsal[T]:
        """Run a change for real and roll it back; works on a file that may not be written, too.

        Raises what the change raises.
        """
        return self._thread.submit(self._rehearse, change, actor).result()

    def _rehearse(self, change: Callable[[Writer], T], actor: str) -> Rehearsal[T]:
        self._follow()
        if self.writable:
            return _run_and_roll_back(self._writing(), change, self.agent, actor)
        with tempfile.TemporaryDirectory(prefix="constellation-") as folder:
            graph, side = Path(folder, "graph.db"), Path(folder, "side.db")
            with in_words(self.path):
                copy_file(self.path, graph, immutable=self._found.immutable)
                copy_file(self._side, side)
                writer = _open_writer(graph, side, self.kind, self.agent)
            writer.path = self.path
            try:
                return _run_and_roll_back(writer, change, self.agent, actor)
            finally:
                writer.close()

    def _commit(self, run: Callable[[Writer], tuple[T, int | None, str]], initiator: str,
                actor: str) -> Written[T]:
        writer = self._writing()
        writer.begin(self.agent, actor)
        try:
            with in_words(self.path):
                self._log.settle(writer)
                result, entry, said = run(writer)
                touched = _touched(writer)
                writer.commit()
        except BaseException:
            try:
                self._drop_intent(writer)
            finally:
                writer.take_back()
            raise
        if entry is not None:
            # It is done; a log that can't be written now is settled by the next write.
            with suppress(ConstellationError):
                self._log.confirm(entry)
        if touched:
            self.events.publish(Changes(frozenset(touched), touched, initiator, said))
        return Written(result, entry)

    def _drop_intent(self, writer: Writer) -> None:
        """Strike what was written ahead of a transaction that is taken back.

        Only while the write lock is held, so that no other process's intent is meant; otherwise,
        or where the log can't be written either, the next write settles it.
        """
        if not writer.connection.in_transaction:
            return
        with suppress(ConstellationError):
            entry = self._log.open_entry()
            if entry is not None:
                self._log.drop(entry)

    def _writing(self) -> Writer:
        """The writer, made at the first write; only ever used on the writer thread."""
        found = self._follow()
        if not found.writable:
            raise NotWritable("The file or its folder can't be written", where=str(self.path),
                              do="Change its permissions, or work on a copy")
        if not self.allowed:
            raise NotWritable("This file is read-only until you allow writing",
                              where=str(self.path), do="Allow it, and a backup is made first")
        if self._writer is None or self._looked_at is not found:
            self._poll()
        if self._writer is None:
            with in_words(self.path):
                self._writer = _open_writer(self.path, self._side, self.kind, self.agent)
            self._watch(self._writer)
        return self._writer

    # -- other processes ---------------------------------------------------------------------

    def poll(self) -> bool:
        """Ask whether another process has written; announces it if so. Not for the GUI thread."""
        return self._thread.submit(self._poll).result()

    def _poll(self) -> bool:
        # The writer's own commits do not move its data_version, so only others' are seen.
        found = self._follow()
        moved, self._looked_at = found is not self._looked_at, found
        if moved:
            self._close_writing()
        first, before = self._watched is None, self._seen
        self._watch(self._watched or self._open_reader())
        if not moved and (first or self._seen == before):
            return False
        self.events.publish(Changes(frozenset(), external=True, initiator="other process"))
        return True

    def _watch(self, reader: Reader) -> None:
        if self._watched is not reader and self._watched is not None:
            self._watched.close()
        self._watched = reader
        with in_words(self.path):
            self._seen = reader.connection.execute("PRAGMA main.data_version").fetchone()[0]

    def with_agent(self, agent: str) -> None:
        """Show another agent's rows from now on."""
        self.agent = storable(agent)
        self.events.publish(Changes(frozenset(), external=True, initiator="agent"))

    def close(self) -> None:
        """Finish what is being written and let go of the file."""
        if self._closed:
            return
        self._closed = True
        # The writer goes last: only the last connection to close can fold the write-ahead log
        # into the file, and a reading one may not.
        self._close_idle()
        self._thread.submit(self._close_writing).result()
        self._thread.shutdown()
        self.sidecar.close()
        self._log.close()

    def _close_writing(self) -> None:
        if self._watched is not None:
            self._watched.close()
        if self._writer is not None and self._writer is not self._watched:
            self._writer.close()
        self._watched = self._writer = None


def _create(path: Path) -> None:
    """Make an empty native graph. Raises OpenError where the folder does not allow it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = connect(path, mode="rwc")
    except (OSError, sqlite3.OperationalError) as error:
        raise OpenError("unwritable", "A graph can't be made here", where=str(path),
                        do="Choose another folder", detail=str(error)) from error
    new = path.stat().st_size == 0
    try:
        with in_words(path):
            connection.execute("PRAGMA journal_mode = WAL")
            migrate(connection, path)
    except BaseException:
        connection.close()
        for suffix in ("", "-wal", "-shm") if new else ():
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        raise
    connection.close()


def _bring_up_to_date(path: Path, folder: Path) -> None:
    """Run missing migrations of a native file, with a backup first."""
    with in_words(path):
        connection = connect(path, mode="rw")
        try:
            if version_of(connection) < newest():
                back_up(path, folder / "backups" / path.stem)
                migrate(connection, path)
        finally:
            connection.close()


def _open_writer(path: Path, side: Path, kind: str, agent: str) -> Writer:
    connection = connect(path, mode="rw")
    try:
        connection.execute("PRAGMA main.synchronous = FULL")
        # In memory, SQLite walks its statement journal from the start at each row inside a
        # savepoint: merging a hub of 50,000 links took minutes instead of seconds.
        connection.execute("PRAGMA temp_store = FILE")
        # A large import keeps its index pages at hand instead of writing them out early.
        connection.execute("PRAGMA main.cache_size = -65536")
        if kind == "native":
            connection.execute("PRAGMA foreign_keys = ON")
        sidecar_file.attach(connection, side, mode="rw")
        return Writer(connection, kind, agent, path)
    except BaseException:
        connection.close()
        raise


def _touched(writer: Writer) -> dict[str, frozenset[str]]:
    """Tables and ids that the open transaction has changed, as listeners want to hear of them."""
    touched = writer.journal.touched()
    if writer.audit_id and writer.has_table("ontology_proposals"):
        ids = touched.get("ontology_proposals", frozenset())
        touched["ontology_proposals"] = ids | {writer.audit_id}
    if writer.kind == "native" and "entity_dependencies" in touched:
        touched["entity_dependency_history"] = frozenset()
    if "muted_entities" in touched:
        touched["entities"] = touched.get("entities", frozenset()) | touched["muted_entities"]
    return touched


def _run_and_roll_back(writer: Writer, change: Callable[[Writer], T], agent: str,
                       actor: str) -> Rehearsal[T]:
    writer.begin(agent, actor)
    try:
        result = change(writer)
        return Rehearsal(result, writer.journal.net())
    finally:
        writer.take_back()
