"""A graph as it stood at a moment: a copy that no reader can tell from a graph of its own."""

import shutil
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from core.model.times import day_words
from core.store import sidecar_file
from core.store.database import connect, in_words
from core.store.graph_file import GraphFile, open_file
from core.store.past_by_log import moves_in_audit, put_back_rows
from core.store.past_by_rows import RowsThen
from core.store.past_ground import Ground, Grounds
from core.store.reader_and_writer import stamp
from core.store.sidecar import Sidecar
from core.store.time_ordered_tables import KnownTimes
from core.store.undo_log import UndoLog

CACHE_KIB = 200_000
"""Pages that are changed again and again stay in memory until the end."""


class Past(Struct, frozen=True):
    """A past state of a graph.

    Attributes:
        moment: when; a change of that moment has happened.
        file: the copy, to be read like any graph.
        unknown: what is not known of that time, a sentence each.
    """

    moment: datetime
    file: GraphFile
    unknown: tuple[str, ...]
    folder: Path

    @property
    def words(self) -> str:
        """`the graph as of 3 May 2026`."""
        return f"the graph as of {day_words(self.moment.isoformat())}"

    def close(self) -> None:
        """Delete the copy."""
        self.file.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Pasts:
    """Which past state of a graph is shown, if any.

    Attributes:
        shown: that state.
        sidecar: what is beside it.
        grounds: the copies that past states are made of.
    """

    def __init__(self, file: GraphFile, log: UndoLog) -> None:
        self._file, self._log = file, log
        self.grounds = Grounds(file)
        self.shown: Past | None = None
        self.sidecar: Sidecar | None = None

    @property
    def file(self) -> GraphFile | None:
        """The copy to read; None in the present."""
        shown = self.shown
        return shown.file if shown else None

    def open(self, moment: datetime, *, as_seen: bool = False) -> Past:
        """Another moment, whatever is shown; see `open_past`."""
        return open_past(self._file, self.grounds, self._log, moment, as_seen=as_seen)

    def close(self) -> None:
        """Delete what is shown and what lies ready; the graph's file is closed."""
        self.show(None)
        self.grounds.let_go()

    def show(self, moment: datetime | None) -> Past | None:
        """Show another moment; what still reads the one before finishes.

        What is beside the one before may be in somebody's hands who has not begun to read it: it is
        closed when the last of them lets go.
        """
        past = self.open(moment) if moment else None
        before = self.shown
        self.sidecar = Sidecar(past.file.sidecar_path) if past else None
        self.shown = past
        if before is not None:
            before.close()
        if past is None:
            self.grounds.let_go()
        return past


def open_past(
    file: GraphFile, grounds: Grounds, log: UndoLog, moment: datetime, *, as_seen: bool = False
) -> Past:
    """The graph of `file` as it stood at `moment`.

    What was done from here is taken back by the undo log, step by step; all else by what its
    rows, the history of links and the audit log say of their times. The file is only read.

    Args:
        as_seen: as who looked at it then saw it, without what a later import brought of before.
    """
    ground, known = grounds.take()
    try:
        with in_words(file.path):
            unknown = _put_back(ground, known, log, moment, as_seen)
        return Past(moment, open_file(ground.copy, ground.folder, create=False), unknown,
                    ground.folder)
    except BaseException:
        shutil.rmtree(ground.folder, ignore_errors=True)
        raise


def _put_back(
    ground: Ground, known: KnownTimes, log: UndoLog, moment: datetime, as_seen: bool
) -> tuple[str, ...]:
    copy, beside = ground.copy, ground.beside
    with closing(connect(copy, mode="rw")) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute(f"PRAGMA main.mmap_size = {copy.stat().st_size}")
        sidecar_file.attach(connection, beside, mode="rw")
        connection.execute("PRAGMA side.journal_mode = OFF")
        connection.execute("BEGIN")
        _quiet_history(connection)
        touched = put_back_rows(connection, log.changes_since(
            stamp(moment), moves_in_audit(connection), as_seen=as_seen))
        rows = RowsThen(connection, in_rows(moment))
        rows.put_back(known, touched)
        connection.execute("COMMIT")
    return rows.unknown


def in_rows(moment: datetime) -> str:
    """A moment in the form that `past_times.moment_sql` gives times."""
    return stamp(moment).replace("T", " ").replace("Z", "")


def _quiet_history(connection: sqlite3.Connection) -> None:
    """Drop the triggers that write down changes of links or forbid others; indexes keep theirs."""
    for name, text in connection.execute(
            "SELECT name, sql FROM main.sqlite_master WHERE type = 'trigger'").fetchall():
        if "_fts" not in str(text):
            connection.execute('DROP TRIGGER main."' + str(name).replace('"', '""') + '"')
