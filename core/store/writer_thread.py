"""The thread that holds the one connection of this process that writes an open graph."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from threading import current_thread
from time import monotonic, sleep
from typing import ParamSpec, TypeVar

from core.model.changes import Changes
from core.store.database import in_words
from core.store.file_detection import DetectedFile
from core.store.graph_file import GraphFile
from core.store.outside_changes import OTHER_PROCESS, OutsideChanges
from core.store.reader_and_writer import Reader, Writer
from core.store.recreate_deleted_file import KeptFile

REPLACED = "replaced file"
"""The initiator of Changes when another file, or other contents, are in the file's place."""
IDLE = 4
"""Looks without anything written after which the log is brought over into the file: each time all
that is kept of the file has to be looked at anew."""
HELD_S, GAP_S = 0.4, 0.11
"""So long changes may be tried one after the other, and so long the file is left to others then:
a program that waits for it looks each tenth of a second whether it is free (SQLite does)."""
OTHERS_S = 10.0
"""So long after another program has written it may well have more to write."""
NAME = "writer"
"""What the name of the thread begins with."""
T = TypeVar("T")
P = ParamSpec("P")


class WriterThread:
    """Runs what is submitted, one after the other, and announces what other programs write.

    Args:
        file: the graph.
        beside: the files that are kept beside it.
        outside: tells what other processes have changed.
        publish: hears of each change from outside, on this thread.
    """

    def __init__(self, file: GraphFile, beside: Sequence[KeptFile], outside: OutsideChanges,
                 publish: Callable[[Changes], None]) -> None:
        self._file, self._beside, self._publish = file, tuple(beside), publish
        self._outside = outside
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=NAME)
        self._writer: Writer | None = None
        self._looked_at = file.current()
        self._watched: Reader | None = None
        self._seen: int | None = None
        self._muted = frozenset[str]()
        self._idle = 0
        """Looks in a row at which nobody had written."""
        self._held_since = self._held_until = 0.0
        """From when to when the file was held, with no gap that others have time in."""
        self._others_wrote = -OTHERS_S

    def submit(self, work: Callable[P, T], *args: P.args, **rest: P.kwargs) -> Future[T]:
        """Run `work` on this thread."""
        return self._thread.submit(work, *args, **rest)

    def put_back_beside(self) -> bool:
        """Put back what was deleted beside the graph; False if nothing was, or not from here."""
        current = all(file.is_current for file in self._beside)
        if current or current_thread().name.startswith(NAME):
            return False
        self.submit(self._follow_beside).result()
        return True

    def close(self) -> None:
        """Finish what was submitted and let go of the file."""
        try:
            self.submit(self._close_connections).result()
        finally:
            self._thread.shutdown()

    # -- on this thread ----------------------------------------------------------------------

    def writer(self, file: DetectedFile, agent: str) -> Writer:
        """The connection to write with, made at the first write."""
        self._follow_beside()
        if self._file.is_overwritten():
            self._take_up()
        elif self._looked_at is not file or self._writer is None and self._watched is not None:
            self._look()
        if self._writer is None:
            first = self._watched is None
            self._writer = self._file.open_writer(agent)
            self._watch(self._writer)
            if first:
                self._begin_following()
        return self._writer

    @contextmanager
    def trying(self) -> Iterator[None]:
        """The block tries a change: each commit of another program has the changes that wait tried
        anew, in a row, and its next one is let in between."""
        self._hold()
        others = self._held_until - self._others_wrote < OTHERS_S
        if others and self._held_until - self._held_since >= HELD_S:
            sleep(GAP_S)
            self._held_since = monotonic()
        try:
            yield
        finally:
            self._held_until = monotonic()

    def _hold(self) -> None:
        """Note that the file is held, perhaps still."""
        now = monotonic()
        if now - self._held_until >= GAP_S:
            self._held_since = now
        self._held_until = now

    def committed(self) -> None:
        """Note that the connection has just written something."""
        self._idle = 0
        self._hold()
        self._note()

    @contextmanager
    def exchanging_contents(self, initiator: str = REPLACED) -> Iterator[None]:
        """No connection is open meanwhile; the other contents are announced at the end."""
        with self._file.taking_up_contents():
            self._close_connections()
            yield
        self._look()
        self._publish(Changes(frozenset(), external=True, initiator=initiator))

    def look(self) -> bool:
        """Whether another program has written since the last look; announced if so."""
        self._follow_beside()
        if self._file.is_overwritten():
            self._take_up()
            return True
        return self._look()

    def _follow_beside(self) -> None:
        """Put back what is kept beside the graph, if it was deleted while open (OpenError)."""
        gone = [file for file in self._beside if not file.is_current]
        if gone:
            self._close_connections()
            self._file.reopen()
            for file in gone:
                file.follow()

    def _take_up(self) -> None:
        """Go on with the contents that have been put into the place of those before."""
        with self.exchanging_contents():
            pass

    def _look(self) -> bool:
        # The writer's own commits do not move its data_version, so only others' are seen.
        file = self._file.current()
        moved, replaced = file is not self._looked_at, file.inode != self._looked_at.inode
        self._looked_at = file
        if moved:
            self._close_connections()
        first, before = self._watched is None, self._seen
        self._watch(self._watched or self._file.open_reader(""))
        written = moved or not first and self._seen != before
        changes = (self._outside.changes(self._version, self._seen or 0, self._watched)
                   if written and self._watched is not None else None)
        self._idle = 0 if written else self._idle + 1
        if written:
            self._others_wrote = monotonic()
        self._fold_log_when_idle()
        before_muted = self._muted
        if first or moved or not self._outside.is_following:
            self._begin_following()
        else:
            self._note()
        if not written:
            return not first and self._look_beside(before_muted ^ self._muted)
        if changes is None:
            self._publish(Changes(frozenset(), external=True,
                                  initiator=REPLACED if replaced else OTHER_PROCESS))
            return True
        self._publish(changes)
        self._look_beside(before_muted ^ self._muted)
        return True

    def _begin_following(self) -> None:
        assert self._watched is not None
        self._outside.follow(self._version, self._seen or 0, self._watched)
        self._note()

    def _note(self) -> None:
        """Note how the log and what is kept beside the file are now."""
        self._file.note_log()
        self._muted = self._muted_beside()

    def _look_beside(self, turned: frozenset[str]) -> bool:
        """Announce what another process muted beside the file, or took from there."""
        if turned:
            ids = dict.fromkeys(("entities", "muted_entities"), turned)
            self._publish(Changes(frozenset(ids), ids, OTHER_PROCESS))
        return bool(turned)

    def _muted_beside(self) -> frozenset[str]:
        """The muted entities that are kept beside the file."""
        return frozenset() if self._watched is None else frozenset(
            str(row["entity_id"]) for row in self._watched.rows(
                "SELECT entity_id FROM side.muted_entities"))

    def _fold_log_when_idle(self) -> None:
        """Bring the log over into the file, so that a copy of the file alone has everything."""
        if self._writer is not None and self._idle >= IDLE and self._file.has_log():
            self._writer.fold_log()
            self._outside.forget()

    def _version(self) -> int:
        """What differs after each commit of another connection."""
        assert self._watched is not None
        with in_words(self._file.path):
            return int(self._watched.connection.execute(
                "PRAGMA main.data_version").fetchone()[0])

    def _watch(self, reader: Reader) -> None:
        if self._watched is not reader and self._watched is not None:
            self._watched.close()
        self._watched = reader
        self._seen = self._version()

    def _close_connections(self) -> None:
        if self._watched is not None:
            self._watched.close()
        if self._writer is not None and self._writer is not self._watched:
            self._writer.close()
        self._watched = self._writer = None
        self._outside.forget()
