"""The file of a graph: created, migrated, followed, and opened to read or write."""

import sqlite3
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

from core import error_advice
from core.errors import NotWritable, OpenError
from core.progress import Report, ignore
from core.store import sidecar_file
from core.store.backup import back_up, copy_file
from core.store.database import connect, in_words
from core.store.file_detection import DetectedFile, inspect
from core.store.harmful_triggers import refuse_harmful_triggers
from core.store.hide_later_rows import take_out_later_rows
from core.store.migrate import migrate, newest, version_of
from core.store.reader_and_writer import Reader, Writer
from core.store.stale_wal import (
    has_frames,
    is_stale,
    make_record,
    read_record,
    salts_of,
    set_aside,
    write_record,
)

IDLE_READERS = 4
"""Reading connections kept open between reads."""
PAGES_KIB = 8192
"""Pages of the file that a reading connection keeps: at SQLite's own 2 MB a walk through a large
graph reads the inner pages of the indexes again and again."""


def open_file(
    path: Path, folder: Path, *, create: bool, report: Report = ignore
) -> "GraphFile":
    """The graph at `path`; a native one is migrated first, with a backup.

    Args:
        folder: where sidecars and backups live.
        create: make a new native graph if there is none.
        report: hears how far the migration is.

    Raises OpenError naming what is there instead.
    """
    sidecar_file.make_room(folder)
    new = create and not path.exists()
    if new:
        _create(path)
    left = clear_stale_log(path, folder)
    file = inspect(path)
    if file.kind == "empty":
        if not create:
            raise OpenError("foreign", "This database is empty", where=str(path),
                            do=error_advice.NO_GRAPH_YET)
        _create(path)
        file, new = inspect(path), True
    return GraphFile(_up_to_date(file, folder, report), folder, new=new, left=left)


def clear_stale_log(path: Path, folder: Path) -> tuple[Path, ...]:
    """Set aside a log that an earlier file left at `path`; returns where it is now."""
    try:
        stale = is_stale(path.resolve(), read_record(_record_path(path, folder)))
    except OSError:
        return ()  # What can't be read here is told by whoever opens it.
    if not stale:
        return ()
    try:
        return set_aside(path.resolve())
    except OSError as error:
        raise OpenError(
            "unwritable", "A log of an earlier file lies next to this one", where=f"{path}-wal",
            detail=str(error), do="Have its owner move it away, or open a copy of the file alone"
        ) from error


def _record_path(path: Path, folder: Path) -> Path:
    return sidecar_file.usual_path(path, folder).with_suffix(".log")


class GraphFile:
    """One graph's file, and the reading connections that are kept open between reads.

    Attributes:
        path: the file.
        kind: `native` or `signet`.
        sidecar_path: the sidecar beside it, made if it was not there.
        identity: its identity independent of its path; empty if unknown.
        closed: True once it has been closed.
        left: logs of earlier files at the path that were set aside, never replayed.
    """

    def __init__(
        self, file: DetectedFile, folder: Path, *, new: bool = False, left: tuple[Path, ...] = ()
    ) -> None:
        self.path, self.kind, self.closed, self.left = file.path, file.kind, False, left
        self._file, self._folder = file, folder
        self.identity = file.identity
        self.sidecar_path = sidecar_file.sidecar_path(file.path, folder, self.identity, new=new)
        sidecar_file.prepare(self.sidecar_path)
        # The last one given back is taken first: it still knows what was read.
        self._idle: deque[Reader] = deque()
        self._lock = Lock()
        self._record_path = _record_path(file.path, folder)
        self._record = read_record(self._record_path)
        self._real = file.path.resolve()
        self._state, self._log_empty = contents_state(self._real), not has_frames(self._real)

    @property
    def writable(self) -> bool:
        """True if the file system allowed writing when the file was last looked at."""
        return self._file.writable

    @property
    def snapshot(self) -> bool:
        """True if a copy is shown: the file can't be read where it is."""
        return self._file.copy is not None

    def current(self) -> DetectedFile:
        """The file that is at the path now.

        Another one of its kind that has taken the place of the one that was opened (a restored
        backup, a folder that is kept in step with another machine) is taken up; what was read
        and written before would go to a file that nobody sees any more. Raises OpenError where
        there is none, and for another graph: what is kept beside this one is not its own.
        """
        if self.closed:
            raise NotWritable("The graph is closed", where=str(self.path))
        with self._lock:
            if not self._file.is_current:
                self._file = self._successor()
                self._close_idle()
            return self._file

    def note_log(self) -> None:
        """Keep what tells the file's log from that of any other; call it after each look or write.

        A data folder that can't be written costs only the safety that this gives.
        """
        self._state, self._log_empty = contents_state(self._real), not has_frames(self._real)
        if self._log_empty or self._record and self._record.salts == salts_of(self._real):
            return
        with suppress(OSError):
            self._record = make_record(self._real) or self._record
            if self._record is not None:
                write_record(self._record, self._record_path)

    def has_log(self) -> bool:
        """True if there is a log beside the file that is not empty."""
        with suppress(OSError):
            return Path(f"{self._real}-wal").stat().st_size > 0
        return False

    def is_overwritten(self) -> bool:
        """True if other contents have been copied into the open file, past SQLite.

        Any connection may then hold pages of the contents before.
        """
        state = contents_state(self._real)
        if state == self._state or self._file.seen:
            return False
        self._state = state
        with suppress(OSError):
            return (self._log_empty and not has_frames(self._real)
                    or is_stale(self._real, self._record))
        return False

    @contextmanager
    def taking_up_contents(self) -> Iterator[None]:
        """Take up what was copied into the file; close the connections that write inside of it.

        The last connection that may write brings its log over into the file when it closes. While
        one that only reads is open it is not the last, and that one may not write.
        """
        guard = connect(self._file.source, immutable=self._file.immutable)
        try:
            with suppress(sqlite3.DatabaseError):
                # Without a log whoever reads keeps everybody from writing, this process included.
                if guard.execute("PRAGMA main.journal_mode").fetchone()[0] == "wal":
                    guard.execute("BEGIN")
                    guard.execute("SELECT 1 FROM main.sqlite_master LIMIT 1").fetchone()
            with self._lock:
                self._close_idle()
                yield
                self.left += clear_stale_log(self.path, self._folder)
        finally:
            guard.close()
        with self._lock:
            self._file = self._successor()

    def reopen(self) -> None:
        """Let go of every reading connection: what is beside the file has another place."""
        with self._lock:
            self._close_idle()
            self._file = self._successor()

    def _successor(self) -> DetectedFile:
        self.left += clear_stale_log(self.path, self._folder)
        file = inspect(self.path)
        if file.kind != self.kind:
            raise OpenError("foreign", "The file was replaced by another kind of file",
                            where=str(self.path), do="Open it again")
        file = _up_to_date(file, self._folder)
        if self.identity and file.identity and file.identity != self.identity:
            raise OpenError("foreign", "The file was replaced by another graph",
                            where=str(self.path), do="Open it again")
        return file

    def take_reader(self, agent: str) -> Reader:
        """A reading connection, to be handed to `give_back`."""
        try:
            return self._idle.pop()
        except IndexError:
            return self.open_reader(agent)

    def give_back(self, reader: Reader, file: DetectedFile) -> None:
        """Keep the connection, unless `file`, which it reads, is not the current one."""
        if self.closed or file is not self._file or len(self._idle) >= IDLE_READERS:
            reader.close()
        else:
            self._idle.append(reader)

    def open_reader(self, agent: str) -> Reader:
        """A reading connection of its own."""
        with in_words(self.path):
            connection = connect(self._file.source, immutable=self._file.immutable)
            try:
                sidecar_file.attach(connection, self.sidecar_path, mode="ro")
                connection.execute(f"PRAGMA main.cache_size = -{PAGES_KIB}")
                return Reader(connection, self.kind, agent, self.path)
            except BaseException:
                connection.close()
                raise

    def open_writer(self, agent: str) -> Writer:
        """The connection to write with."""
        with in_words(self.path):
            return _open_writer(self.path, self.sidecar_path, self.kind, agent)

    def open_copy(self, folder: Path, agent: str) -> Writer:
        """A connection that writes to a copy, which it makes in `folder`."""
        graph, side = folder / "graph.db", folder / "side.db"
        with in_words(self.path):
            copy_file(self._file.source, graph, immutable=self._file.immutable)
            copy_file(self.sidecar_path, side)
            take_out_later_rows(graph, side)
            try:
                writer = _open_writer(graph, side, self.kind, agent)
            except NotWritable as error:
                error.where = str(self.path)  # A person knows nothing of the copy.
                raise
        writer.path = self.path
        return writer

    def close(self) -> None:
        """Close the file."""
        self.closed = True
        self._close_idle()

    def _close_idle(self) -> None:
        while True:
            try:
                self._idle.pop().close()
            except IndexError:
                return

    @property
    def backup_folder(self) -> Path:
        """The folder of this graph's backups."""
        return self._folder / "backups" / self.sidecar_path.stem


def contents_state(path: Path) -> tuple[int, int]:
    """What changes whenever a file's contents do: its time and its size."""
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


def _create(path: Path) -> None:
    """Make an empty native graph. Raises OpenError where the folder does not allow it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = connect(path, mode="rwc")
    except (OSError, sqlite3.OperationalError) as error:
        raise OpenError("unwritable", "A graph can't be created here", where=str(path),
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


def _up_to_date(file: DetectedFile, folder: Path, report: Report = ignore) -> DetectedFile:
    """The file after the missing migrations of a native one that can be written, with a backup
    first."""
    if file.kind != "native" or not file.writable or file.schema >= newest():
        return file
    with in_words(file.path):
        connection = connect(file.path, mode="rw")
        try:
            if version_of(connection) < newest():
                refuse_harmful_triggers(connection, file.path)
                usual = sidecar_file.usual_path(file.path, folder)
                back_up(file.path, folder / "backups" / usual.stem)
                migrate(connection, file.path, report)
        finally:
            connection.close()
    return inspect(file.path)


def _open_writer(path: Path, side: Path, kind: str, agent: str) -> Writer:
    connection = connect(path, mode="rw")
    try:
        connection.execute("PRAGMA main.synchronous = FULL")
        # In memory, SQLite walks its statement journal from the start at each row inside a
        # savepoint: merging a hub of 50,000 links took minutes instead of seconds.
        connection.execute("PRAGMA temp_store = FILE")
        # A large import keeps its index pages at hand instead of writing them out early.
        connection.execute("PRAGMA main.cache_size = -32768")
        if kind == "native":
            connection.execute("PRAGMA foreign_keys = ON")
            # A restored backup keeps no log; one that another program reads now gets it later.
            with suppress(sqlite3.OperationalError):
                connection.execute("PRAGMA main.journal_mode = WAL")
        sidecar_file.attach(connection, side, mode="rw")
        return Writer(connection, kind, agent, path)
    except BaseException:
        connection.close()
        raise
