"""Copies of a graph that its past states are made of, one of them ready before it is asked for.

To copy a graph and to look whether its rows are in the order of time takes longer than to put a
copy back to a moment. Both are the same for every moment until the file is written.
"""

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import TypeAlias

from msgspec import Struct

from core.store import sidecar_file
from core.store.backup import copy_file
from core.store.database import connect, in_words
from core.store.file_detection import DetectedFile
from core.store.graph_file import GraphFile, contents_state
from core.store.ids_and_times import stamp
from core.store.past_row_spans import prepare
from core.store.read_bytes_keeping_locks import raw_bytes
from core.store.stale_wal import commits_in_log
from core.store.time_ordered_tables import KnownTimes, OrderOfTimes

State: TypeAlias = tuple[object, ...]
HEADER = 100
"""Bytes at the begin of a file; they count its changes where it keeps no log."""
STRIDE = 20_000
"""Steps of SQLite between two looks whether somebody waits; a millisecond of work."""
ROOM = 4
"""A copy is made ahead only where this many more of them would have room."""


class Ground(Struct, frozen=True):
    """A copy of a graph and of what is beside it, for one past state.

    Attributes:
        folder: of its own; whoever has the copy deletes it.
        state: of the file that was copied; None where it was written meanwhile.
    """

    folder: Path
    copy: Path
    beside: Path
    state: State | None


class Grounds:
    """The copies of one graph; usable from any thread."""

    def __init__(self, file: GraphFile) -> None:
        self._file, self._lock = file, Lock()
        self._ready: Ground | None = None
        self._known: tuple[State, KnownTimes] | None = None
        self._found: tuple[State, dict[str, bool]] | None = None
        """What was found out of the order of time before somebody wanted the copy."""
        self._counting, self._wanted = Lock(), 0
        """How many wait for a copy: they go before what is made ready."""

    def take(self) -> tuple[Ground, KnownTimes]:
        """A copy of the graph as it is, and what is known of its times so far."""
        with self._in_need(), self._lock, in_words(self._file.path):
            state = state_of(self._file.current())
            ground, self._ready = self._ready, None
            if ground is not None and ground.state != state:
                shutil.rmtree(ground.folder, ignore_errors=True)
                ground = None
            ground = ground or self._copied(state)
            try:
                copy_file(self._file.sidecar_path, ground.beside, passing=True)
            except BaseException:
                shutil.rmtree(ground.folder, ignore_errors=True)
                raise
            known = self._known[1] if self._known and self._known[0] == ground.state else None
            return ground, known or KnownTimes()

    def make_ready(self) -> None:
        """Have a copy lie ready for the next past state, and find out about the order of time."""
        with self._lock, in_words(self._file.path):
            if self._file.closed or not self._has_room():
                return
            state = state_of(self._file.current())
            if self._ready is None or self._ready.state != state:
                self._throw_away()
                self._ready = self._copied(state)
                _prepare(self._ready.copy)
            if self._ready.state is not None and (
                    self._known is None or self._known[0] != self._ready.state):
                self._find_out(self._ready.copy, self._ready.state)

    @contextmanager
    def _in_need(self) -> Iterator[None]:
        with self._counting:
            self._wanted += 1
        try:
            yield
        finally:
            with self._counting:
                self._wanted -= 1

    def _find_out(self, copy: Path, state: State) -> None:
        """Find out about the order of time in a copy, unless somebody wants to have it."""
        if self._found is None or self._found[0] != state:
            self._found = state, {}
        with closing(connect(copy)) as connection:
            connection.execute(f"PRAGMA main.mmap_size = {copy.stat().st_size}")
            connection.set_progress_handler(lambda: self._wanted > 0, STRIDE)
            now = stamp(datetime.now(UTC)).replace("T", " ").replace("Z", "")
            try:
                known = OrderOfTimes(connection, now).known(self._found[1])
            except sqlite3.OperationalError as error:
                if str(error) != "interrupted":
                    raise
            else:
                self._known = state, known

    def let_go(self) -> None:
        """Delete what lies ready."""
        with self._lock:
            self._throw_away()

    def _throw_away(self) -> None:
        if self._ready is not None:
            shutil.rmtree(self._ready.folder, ignore_errors=True)
        self._ready = None

    def _has_room(self) -> bool:
        size = self._file.current().source.stat().st_size
        return shutil.disk_usage(tempfile.gettempdir()).free > ROOM * size

    def _copied(self, state: State | None) -> Ground:
        folder = Path(tempfile.mkdtemp(prefix="constellation-past-"))
        try:
            copy = folder / self._file.path.name
            beside = sidecar_file.usual_path(copy, folder)
            beside.parent.mkdir(parents=True)
            source = self._file.current()
            copy_file(source.source, copy, immutable=source.immutable, passing=True)
            same = state is not None and state == state_of(source)
            return Ground(folder, copy, beside, state if same else None)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise


def state_of(file: DetectedFile) -> State | None:
    """What differs after each change of a graph; None where that can't be told."""
    path = file.source.resolve()
    try:
        with raw_bytes(path) as source:
            header = source.read(HEADER)
        return file.inode, contents_state(path), header, commits_in_log(path)
    except OSError:
        return None


def _prepare(copy: Path) -> None:
    """Give a copy what it has while it is put back."""
    with closing(connect(copy, mode="rw")) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA journal_mode = OFF")
        prepare(connection)
