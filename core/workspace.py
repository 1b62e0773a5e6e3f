"""One open graph: reads on any thread, writes on one, what changed to whoever listens."""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Generic, Self, TypeAlias, TypeVar

from msgspec import Struct

from core.errors import ConstellationError
from core.events import Hub
from core.model.changes import (
    Activity,
    Changes,
    CountChange,
    RestoreStep,
    RowChange,
    Step,
    without_derived,
)
from core.model.entity import Counts
from core.model.names import storable
from core.ontology.memory_for_every_value import keep_in_step
from core.ontology.person_only_changes import refuse_changed_rules
from core.progress import Report, ignore
from core.queries.stats import count_change
from core.rehearsal import Rehearsal, rehearse, rehearse_on_copy
from core.store.backup import HISTORY, back_up, made_at, save_copy
from core.store.database import in_words
from core.store.file_detection import DetectedFile
from core.store.graph_file import GraphFile, open_file
from core.store.malformed_fields import wrong_fields_in_words
from core.store.outside_changes import OutsideChanges
from core.store.past_file import Past, Pasts
from core.store.reader_and_writer import Reader, Writer, stamp
from core.store.restore import put_back
from core.store.sidecar import Sidecar
from core.store.sidecar_file import OWNER, data_folder
from core.store.touched_rows import touched_by
from core.store.unasked_trigger_changes import refuse_more_than_asked
from core.store.undo_log import UndoLog
from core.store.undo_log_on_failed_change import taken_back_on_error
from core.store.unreadable_rows import Problem, find_problems
from core.store.write_permission import WritePermission
from core.store.writer_thread import WriterThread
from core.undo_redo import REDO, UNDO, Way, move_entry, next_step, restore_to_move, try_entry

AS_OF = "as of"
"""The initiator of Changes when another moment of the graph is shown."""
T = TypeVar("T")
Label: TypeAlias = str | Callable[[T], str]


class Written(Struct, Generic[T], frozen=True):
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
        tells_counts: whether a commit tells what it added to each count of the graph.
    """

    def __init__(self, file: GraphFile, agent: str) -> None:
        self.path, self.kind, self.agent = file.path, file.kind, agent
        self.events = Hub()
        self.tells_counts = False
        self._begun = self._made = 0
        self._file = file
        side = file.sidecar_path
        self._side_path, self._log_path = side, side.with_name(f"{side.stem}-undo.db")
        self._log = UndoLog(self._log_path)
        self._sidecar = Sidecar(side)
        self._pasts = Pasts(file, self._log)
        self._permission = WritePermission(file, self._log_path, self._sidecar, self._pasts)
        if file.identity and OWNER not in self.sidecar.meta():
            self.sidecar.remember(OWNER, file.identity)
        outside = OutsideChanges(file.path.resolve(), self._log)
        self._thread = WriterThread(file, (self._sidecar, self._log), outside,
                                    self.events.publish)

    @classmethod
    def open(cls, path: Path | str, *, agent: str = "default", data_dir: Path | None = None,
             create: bool = False, report: Report = ignore) -> Self:
        """Open a graph; a native file is brought up to date first, with a backup.

        Args:
            path: a native graph or a Signet database.
            agent: whose rows to show.
            data_dir: where sidecars and backups live; the person's data folder by default.
            create: make a new native graph if there is no file.
            report: hears how far bringing the file up to date is, if that takes long; what it
                raises stops it, and the file stays as it was.

        Raises OpenError saying what is there instead.
        """
        file = open_file(Path(path).expanduser(), data_dir or data_folder(), create=create,
                         report=report)
        workspace = cls(file, storable(agent))
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
        files, file, reader = self._take_reader()
        try:
            reader.agent = self.agent
            reader.begin_reading()
            with wrong_fields_in_words(reader):
                yield reader
        finally:
            reader.end()
            files.give_back(reader, file)

    def _take_reader(self) -> tuple[GraphFile, DetectedFile, Reader]:
        """A reader of the moment that is shown, also while another one comes to be shown."""
        while True:
            files = self._pasts.file or self._file
            try:
                file = files.current()
                return files, file, files.take_reader(self.agent)
            except ConstellationError:
                if files is (self._pasts.file or self._file) and not self._thread.put_back_beside():
                    raise

    @property
    def sidecar(self) -> Sidecar:
        """Saved positions, the permission to write, flags and caches, beside the file.

        In the past it is a copy of then: nothing is kept in it.
        """
        return self._pasts.sidecar or self._sidecar

    @property
    def past(self) -> Past | None:
        """The past state that is read now; None for the present."""
        return self._pasts.shown

    def show_as_of(self, moment: datetime | None) -> Past | None:
        """Read the graph as it stood at a moment from now on, or as it is (None).

        Nothing can be written meanwhile. See `core.store.past_file.open_past`.
        """
        past = self._pasts.show(moment)
        self.events.publish(Changes(frozenset(), external=True, initiator=AS_OF))
        return past

    def make_past_ready(self) -> None:
        """Have the next past state come sooner: what it is made of lies ready from now on.

        Not for the GUI thread; see `core.store.past_ground`.
        """
        self._pasts.grounds.make_ready()

    @contextmanager
    def read_as_of(self, moment: datetime, *, as_seen: bool = False) -> Iterator[Reader]:
        """A Reader of the graph as it stood at a moment, whatever is shown; see `open_past`."""
        with self.past_at(moment, as_seen=as_seen) as past, self.read_past(past) as reader:
            yield reader

    @contextmanager
    def past_at(self, moment: datetime, *, as_seen: bool = False) -> Iterator[Past]:
        """The graph as it stood at a moment, whatever is shown; gone again at the end."""
        past = self._pasts.open(moment, as_seen=as_seen)
        try:
            yield past
        finally:
            past.close()

    @contextmanager
    def read_past(self, past: Past) -> Iterator[Reader]:
        """A Reader of a past state."""
        reader = past.file.take_reader(self.agent)
        reader.agent = self.agent
        with in_words(self.path), closing(reader), wrong_fields_in_words(reader):
            reader.begin_reading()
            yield reader

    def find_problems(self) -> tuple[Problem, ...]:
        """What could not be read as the graph it should be, row by row; reads every table."""
        with self.read() as reader:
            return find_problems(reader)

    # -- permission --------------------------------------------------------------------------

    @property
    def allowed(self) -> bool:
        """True if the person has allowed writing this file (a native graph needs no asking)."""
        return self._permission.given

    @property
    def writable(self) -> bool:
        """True if a write would be taken now."""
        return self._permission.usable

    def allow_writing(self) -> Path | None:
        """Allow writing a foreign file, once and for all, after a backup; returns the backup.

        Raises NotWritable where the file system does not allow it.
        """
        return self._permission.give()

    @property
    def snapshot(self) -> bool:
        """True if a copy is read: SQLite can't read the file where it is, after a crash."""
        return self._file.snapshot

    @property
    def left_logs(self) -> tuple[Path, ...]:
        """Logs of earlier files at this path: they were set aside instead of replayed."""
        return self._file.left

    @property
    def backup_folder(self) -> Path:
        """Where backups of this graph are kept."""
        return self._file.backup_folder

    def back_up(self, target: Path | None = None) -> Path:
        """Copy the graph, checked, beside its other backups or to a new file; returns the copy."""
        return self._thread.submit(
            partial(save_copy, self.path, target) if target else
            partial(back_up, self.path, self.backup_folder, self._log_path, self._side_path)
        ).result()

    # -- writing -----------------------------------------------------------------------------

    def write(self, label: Label[T], change: Callable[[Writer], T], *, initiator: str = "",
              actor: str | None = None, force: bool = False, agent: str = "") -> Written[T]:
        """Run `change` in one transaction on the writer thread; returns its result and its entry.

        `label` names the step in the history; it may be told by what `change` returns.
        Commits, keeps the undo step and announces the Changes; an exception takes all of it
        back and is raised here. Must not be called from inside a change.

        Args:
            force: keep it also where triggers of the file change much more than it does itself;
                WritesMore is raised otherwise.
            agent: whose graph is written; the one that is shown unless given.
        """
        return self.submit(
            label, change, initiator=initiator, actor=actor, force=force, agent=agent).result()

    def submit(self, label: Label[T], change: Callable[[Writer], T], *, initiator: str = "",
               actor: str | None = None, force: bool = False,
               agent: str = "") -> Future[Written[T]]:
        """The same without waiting."""
        def run(writer: Writer) -> tuple[T, int | None, str]:
            result = change(writer)
            refuse_changed_rules(writer)
            keep_in_step(writer)
            refuse_more_than_asked(writer, force=force)
            from core.model.secret_wording import (  # noqa: PLC0415  no read needs it
                without_secrets,
            )

            name = without_secrets(storable(label(result) if callable(label) else label))
            return result, self._log.intend(writer, name, initiator), name

        return self._thread.submit(
            self._commit, run, initiator, storable(actor or "you"), storable(agent))

    def undo(self, entry: int | None = None, *, actor: str | None = None,
             shown: Step | None = None, before: int | None = None, force: bool = False) -> str:
        """Take back the last change, or one entry of the history; returns its label.

        Only the columns that the step changed are put back: what others write beside it stays.

        Args:
            entry: its number in the history; without it the last change.
            actor: who takes it back, for the record.
            shown: the last change as a person saw it: a later one is not taken back instead.
            before: leave this entry and what came after it as they are, and take the one before.
            force: put columns back also where others have changed the same ones since.

        Raises UndoRefused when there is none, or when others have changed the same since.
        """
        return self._move(UNDO, entry, actor, shown, before, force)

    def redo(self, entry: int | None = None, *, actor: str | None = None,
             shown: Step | None = None) -> str:
        """Do again what was last undone; returns its label. `shown` as for `undo`."""
        return self._move(REDO, entry, actor, shown)

    def _move(self, way: Way, entry: int | None, actor: str | None, shown: Step | None,
              before: int | None = None, force: bool = False) -> str:
        def run(writer: Writer) -> tuple[str, int, str]:
            return move_entry(writer, self._log, way, entry, shown, before, force=force)

        def on_thread() -> str:
            self._settle()
            restore = restore_to_move(self.agent, self._log, way, entry, shown, before)
            if restore is not None:
                self._exchange(restore[1], restore[0])
                return restore[0].label
            return self._commit(run, way.word, storable(actor or "you")).result

        return self._thread.submit(on_thread).result()

    def _settle(self) -> None:
        """Decide what a killed process left open, before what is next is looked for."""
        if self._log.open_entry() is not None:
            writer = self._writing()
            writer.begin(self.agent, "")
            try:
                self._log.settle(writer)
            finally:
                writer.take_back()

    def try_step(self, way: Way, entry: int | None = None, *, before: int | None = None,
                 force: bool = False) -> Rehearsal[str]:
        """The label of what undo or redo would move, and the rows; as for `undo`."""
        return self.rehearse(lambda writer: try_entry(
            writer, self._log, way, entry, before, force=force))

    def undo_step(self) -> Step | None:
        """What undo would take back, None if there is nothing."""
        return next_step(self._log, self.agent, UNDO)

    def redo_step(self) -> Step | None:
        """What redo would do again, None if there is nothing."""
        return next_step(self._log, self.agent, REDO)

    def history(self, limit: int = 200, offset: int = 0) -> list[Activity]:
        """What was changed from here, newest first."""
        return self._log.history(self.agent, limit, offset)

    def history_times(self) -> list[str]:
        """When each change was made that the history lists, in any order."""
        return self._log.times(self.agent)

    def changes_of(self, entry: int, limit: int = 500) -> tuple[RowChange, ...]:
        """The rows that an entry of the history changed, at most `limit` steps of it.

        None where it is another agent's entry.
        """
        if self._log.entry(self.agent, entry) is None:
            return ()
        return without_derived(self._log.changes_of(entry, limit))

    def rehearse(self, change: Callable[[Writer], T], *, actor: str = "you",
                 agent: str = "") -> Rehearsal[T]:
        """Run a change for real and roll it back; works on a file that may not be written, too.

        Raises what the change raises.

        Args:
            agent: whose graph is changed; the one that is shown unless given.
        """
        return self._thread.submit(self._rehearse, change, actor, storable(agent)).result()

    def _rehearse(self, change: Callable[[Writer], T], actor: str, agent: str) -> Rehearsal[T]:
        self._file.current()
        agent = agent or self.agent
        if self.writable:
            with self._thread.trying():
                return rehearse(self._writing(), change, agent, actor)
        return rehearse_on_copy(self._pasts.file or self._file, change, agent, actor)

    def _commit(self, run: Callable[[Writer], tuple[T, int | None, str]], initiator: str,
                actor: str, agent: str = "") -> Written[T]:
        writer = self._writing()
        writer.begin(agent or self.agent, actor)
        with (taken_back_on_error(writer, self._log), in_words(self.path),
              wrong_fields_in_words(writer)):
            self._log.settle(writer)
            result, entry, name = run(writer)
            touched = touched_by(writer)
            added = self._count_change(writer, touched) if touched else None
            self._begun = self._made + bool(touched)
            writer.commit()
        self._made = self._begun
        # It is done, and not refused any more: what can't be noted now is by the next look, and
        # a log that can't be written is settled by the next write.
        with suppress(ConstellationError), in_words(self.path):
            self._thread.committed()
        if entry is not None:
            with suppress(ConstellationError):
                self._log.confirm(entry)
        if touched:
            self.events.publish(Changes(frozenset(touched), touched, initiator, name, counted=(
                CountChange(self._made - 1, self._made, added))))
        return Written(result, entry)

    def _count_change(self, writer: Writer, touched: Mapping[str, frozenset[str]]) -> Counts | None:
        """What the open transaction adds to each count, where that is asked for."""
        # Without a write-ahead log who reads what was may have to wait for who writes.
        if not self.tells_counts or writer.value("PRAGMA main.journal_mode") != "wal":
            return None
        with suppress(ConstellationError), self.read() as before:
            return count_change(before, writer, touched)
        return None

    @property
    def made(self) -> int | None:
        """How many changes have been made from here; None while one is being made."""
        return self._made if self._made == self._begun else None

    def restore(self, backup: Path, *, actor: str = "you") -> Written[Path | None]:
        """Give the graph the contents of a backup, and its history of then with this step.

        Returns the backup of what was there, which undo puts back; None, and no step, where the
        file was damaged and lies beside the new one. See `core.store.restore.put_back`.
        """
        step = RestoreStep(f"Restore the backup of {made_at(backup).astimezone():%Y-%m-%d %H:%M}",
                           stamp(datetime.now(UTC)), storable(actor))
        return self._thread.submit(self._exchange, backup, step).result()

    def _exchange(self, backup: Path, step: RestoreStep) -> Written[Path | None]:
        self._permission.checked_file()
        with self._thread.exchanging_contents("restore"):
            aside = put_back(self.path, backup, self.backup_folder, self._log_path,
                             self._side_path)
            if not backup.with_suffix(HISTORY).exists():
                self._log.abandon_since(stamp(made_at(backup)))
            entry = None if aside is None else self._log.note_restore(step, aside)
        return Written(aside, entry)

    def _writing(self) -> Writer:
        """The connection to write with; only ever used on the writer thread."""
        with in_words(self.path):
            return self._thread.writer(self._permission.checked_file(), self.agent)

    # -- other processes ---------------------------------------------------------------------

    def poll(self) -> bool:
        """Ask whether another process has written; announces it if so. Not for the GUI thread."""
        return self._thread.submit(self._thread.look).result()

    def with_agent(self, agent: str) -> None:
        """Show another agent's rows from now on."""
        self.agent = storable(agent)
        self.events.publish(Changes(frozenset(), external=True, initiator="agent"))

    def close(self) -> None:
        """Finish what is being written and let go of the file."""
        if self._file.closed:
            return
        # The writer goes last: only the last connection to close can fold the write-ahead log
        # into the file, and a reading one may not.
        self._pasts.show(None)
        self._file.close()
        self._pasts.close()
        self._thread.close()
        self._sidecar.close()
        self._log.close()
