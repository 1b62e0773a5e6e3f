"""Runs reads, writes and long jobs away from the GUI thread; answers come back on it."""

import itertools
import logging
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from threading import Event
from typing import Any, TypeVar

from msgspec import Struct, field
from PySide6.QtCore import QObject, Qt, Signal, Slot
from shiboken6 import isValid

from core.errors import Busy, Cancelled, ConstellationError, WritesMore
from core.model.changes import Step
from core.store.reader_and_writer import Reader, Writer
from core.workspace import Workspace, Written
from ui.read_order import ReadOrder
from ui.turns import NextTurn

T = TypeVar("T")
Done = Callable[[Any], None]
Failed = Callable[[BaseException], None]

POOL_THREADS = 2
"""More of them take Python from each other, and from the window: three are no sooner done."""
LONG_THREADS = 3
"""What may take minutes keeps no read waiting."""
PATIENCE = 4
"""How often something is tried again while another program holds the file, which is waited for
each time (`core.store.database.BUSY_MS`)."""
NOT_RUN = object()
"""What a read gives that was asked once more before it had begun."""
log = logging.getLogger(__name__)


class Job(QObject):
    """A long piece of work as the status bar sees it: how far, and a way to stop it."""

    progressed = Signal(float, str)
    finished = Signal()

    def __init__(self, label: str, parent: QObject | None = None, *, writes: bool = False) -> None:
        super().__init__(parent)
        self.label, self.writes = label, writes
        self.stopped = Event()
        """Set when the person has stopped it, for work that goes on in another process."""

    def report(self, fraction: float, text: str = "") -> None:
        """Say how far it is, 0..1, or a negative number when nobody knows; from any thread.

        Raises:
            Cancelled: the person has stopped it.
        """
        self.check()
        self.progressed.emit(fraction, text)

    def check(self) -> None:
        """Raise `Cancelled` if the person has stopped it."""
        if self.cancelled:
            raise Cancelled(f"{self.label}: stopped")

    def cancel(self) -> None:
        self.stopped.set()

    @property
    def cancelled(self) -> bool:
        return self.stopped.is_set()


class _Answer(Struct):
    """Who is told what a piece of work gave, on the GUI thread.

    It holds no future: that holds it, so what was read would stay until the collector comes by.
    """

    done: Done | None
    failed: Failed | None
    key: object = None
    turn: int = 0
    question: object = None
    label: str = ""
    job: Job | None = None
    tells: bool = field(default=False)
    moves: bool = False
    """It changes what undo and redo would do."""
    anyway: Callable[[], None] | None = None
    """Does it once more, with everything that triggers of the file add."""
    counts: bool = True
    """Whether the runner is busy meanwhile."""
    write: "_Write | None" = None


class _Write(Struct):
    """A change that was asked for, and how often it was tried again."""

    label: str
    change: Callable[[Writer], Any]
    initiator: str
    force: bool
    tries: int = 0


class Runner(QObject):
    """The only way from the window to the graph's threads.

    `done` and `failed` are called on the GUI thread. When they are methods (also in a `partial`)
    of a widget that has gone meanwhile, they are not called. An error in words without a `failed`
    is announced by `went_wrong`; any other error is a bug: `failed` is told, too, and then it is
    raised on the GUI thread.
    """

    job_started = Signal(object)
    wrote = Signal(str, int)
    """A write of ours has been committed; its label and its number in the history."""
    went_wrong = Signal(object)
    permission_wanted = Signal(object)
    """A write waits for the person's permission to change this file; carries the `resume` call."""
    more_than_asked = Signal(object, object)
    """A write was taken back for what triggers of the file added; carries the error and the call
    that does it all the same."""
    kept = Signal(str)
    """A write of ours found everything as it was asked for; its label."""
    stopped = Signal(str)
    """A job was stopped by the person before it wrote anything; its label."""
    undone = Signal(str)
    redone = Signal(str)
    steps_changed = Signal()
    """What undo and redo would do has been read again."""
    _answered = Signal(object, object)

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.workspace = workspace
        self._pool = ThreadPoolExecutor(POOL_THREADS, thread_name_prefix="reader")
        self._long_pool = ThreadPoolExecutor(LONG_THREADS, thread_name_prefix="long")
        self._order = ReadOrder()
        self._turns = itertools.count(1)
        self._newest: dict[object, int] = {}
        self._running: dict[object, _Answer] = {}
        """The read of each key whose answer is awaited."""
        self._again: dict[object, Callable[[], object]] = {}
        """Begins once more the read of a key, where the same was asked meanwhile."""
        self._arrived: deque[tuple[_Answer, Future]] = deque()
        self._pace = NextTurn(self)
        self._pace.timeout.connect(self._deliver_next)
        self._jobs: set[Job] = set()
        self._open = 0
        self._undo_step: Step | None = None
        self._redo_step: Step | None = None
        self._moves = self._looked_after = 0
        """Beginnings and ends of our own writes, and after how many of them the steps were read."""
        self._allowed = False
        self._closed = False
        self._answered.connect(self._take_in, Qt.ConnectionType.QueuedConnection)

    @property
    def idle(self) -> bool:
        """True when nothing runs and nothing is on its way back, apart from looks."""
        return self._open == 0 and not self._order.waits

    @property
    def undo_label(self) -> str | None:
        """What undo would take back, in words; None if there is nothing."""
        return self._undo_step.label if self._undo_step else None

    @property
    def redo_label(self) -> str | None:
        """What redo would do again, in words; None if there is nothing."""
        return self._redo_step.label if self._redo_step else None

    @property
    def may_write(self) -> bool:
        """True once the person has allowed writing this file."""
        # A permission once given stays; asking the file each time would make the window wait.
        self._allowed = self._allowed or self.workspace.allowed
        return self._allowed

    @property
    def unfinished(self) -> Job | None:
        """A job that writes and that nobody has stopped."""
        return next((job for job in self._jobs if job.writes and not job.cancelled), None)

    def read(
        self,
        fn: Callable[[Reader], T],
        done: Callable[[T], None],
        failed: Failed | None = None,
        *,
        key: object = None,
        question: object = None,
        later: bool = False,
        long: bool = False,
    ) -> None:
        """Run `fn` with a reader on a pool thread.

        Args:
            fn: a query; must not touch widgets.
            done: gets its result.
            failed: gets its error.
            key: of reads with the same key only the newest is answered; older ones that have not
                begun are not run. Where the same is asked again while it is read, it is answered
                first and then read once more: else who asks while others write all the time is
                never answered, and all the threads read the same.
            question: tells what is the same; `fn`, which may be a `partial`, unless given.
            later: nobody waits for it: what a person has just asked for goes first.
            long: it may take many seconds, and runs beside all others.
        """
        asked = self._question_of(fn if question is None else question)
        begin = partial(self._begin, fn, done, failed, key, asked,
                        self._long_pool if long else self._pool)
        enter: Callable[[], object] = begin
        if later:
            enter = partial(self._begin_later, key, begin)
        elif not long:
            enter = partial(self._begin_asked, begin)
        running = self._running.get(key)
        if running is not None and running.question == asked:
            self._again[key] = enter
        else:
            self._again.pop(key, None)
            enter()

    def _question_of(self, what: object) -> object:
        """What is asked, of which agent and which moment."""
        parts = (what.func, what.args, what.keywords) if isinstance(what, partial) else what
        return self.workspace.agent, self.workspace.past, parts

    def _begin(self, fn: Callable[[Reader], T], done: Callable[[T], None], failed: Failed | None,
               key: object, question: object, pool: ThreadPoolExecutor) -> _Answer:
        turn = self._take_turn(key)
        answer = _Answer(done, failed, key, turn, question)
        if key is not None:
            self._running[key] = answer

        def work() -> object:
            if self._outdated(key, turn) or key in self._again:
                return NOT_RUN
            with self.workspace.read() as reader:
                return fn(reader)

        self._start(work, answer, pool)
        return answer

    def _begin_asked(self, begin: Callable[[], _Answer]) -> None:
        self._order.begun(begin())

    def _begin_later(self, key: object, begin: Callable[[], _Answer]) -> None:
        """Have it begun in its turn; until then, too, nothing older of its key is answered."""
        self._take_turn(key)
        self._order.later(key, begin)

    def job(
        self,
        fn: Callable[[Job], T],
        done: Callable[[T], None] | None = None,
        failed: Failed | None = None,
        *,
        label: str = "",
        writes: bool = False,
    ) -> Job:
        """Run something long on a thread for it; shown in the status bar when it has a label.

        `writes` marks what a person would miss if the graph were closed before it is done.
        """
        job = Job(label, self, writes=writes)
        self._jobs.add(job)
        if label:
            self.job_started.emit(job)
        self._start(
            lambda: fn(job), _Answer(done, failed, job=job, label=label), self._long_pool)
        return job

    def look(
        self, fn: Callable[[], T], done: Callable[[T], None], failed: Failed
    ) -> None:
        """Look at what others do, on a pool thread, as is done again and again: no work."""
        self._start(fn, _Answer(done, failed, counts=False))

    def write(
        self,
        label: str,
        change: Callable[[Writer], T],
        done: Callable[[Written[T]], None] | None = None,
        failed: Failed | None = None,
        *,
        initiator: str = "",
        force: bool = False,
    ) -> None:
        """Commit `change` as one undoable step; `label` names it in the Undo menu.

        `force` as for `Workspace.write`.
        """
        if self._closed:
            return
        if not self.may_write and self.workspace.past is None:
            self.permission_wanted.emit(
                lambda: self.write(label, change, done, failed, initiator=initiator, force=force)
            )
            return
        self._submit(_Write(label, change, initiator, force), _Answer(
            done, failed, label=label, tells=True, moves=True, anyway=lambda: self.write(
                label, change, done, failed, initiator=initiator, force=True)))

    def _submit(self, write: _Write, answer: _Answer) -> None:
        """Have it written, in the order in which writes were asked for."""
        self._moves += 1
        answer.write = write
        self._watch(self.workspace.submit(
            write.label, write.change, initiator=write.initiator, force=write.force), answer)

    def undo(self, entry: int | None = None, failed: Failed | None = None, *,
             before: int | None = None, force: bool = False) -> None:
        """Take back the newest step that was shown, or the step with that number.

        `before` and `force` as for `Workspace.undo`.
        """
        shown = self._shown(self._undo_step) if before is None else None
        self._moves += 1
        self._start(
            lambda: self.workspace.undo(entry, shown=shown, before=before, force=force),
            _Answer(self.undone.emit, failed, moves=True), self._long_pool)

    def redo(self, entry: int | None = None, failed: Failed | None = None) -> None:
        """Do again what was undone last, or the step with that number."""
        shown = self._shown(self._redo_step)
        self._moves += 1
        self._start(lambda: self.workspace.redo(entry, shown=shown),
                    _Answer(self.redone.emit, failed, moves=True), self._long_pool)

    def _shown(self, step: Step | None) -> Step | None:
        """The step as the person sees it; None while a step of ours is still to be shown."""
        return step if self._moves == self._looked_after else None

    def look_for_steps(self) -> None:
        """Read again what undo and redo would do."""
        key = "runner.steps"
        done = partial(self._got_steps, self._moves)
        answer = _Answer(done, None, key, self._take_turn(key))
        self._start(lambda: (self.workspace.undo_step(), self.workspace.redo_step()), answer)

    def close(self) -> None:
        """Stop: nothing is delivered any more, and the threads have ended when this returns."""
        self._closed = True
        for job in self._jobs:
            job.cancel()
        self._order.close()
        for pool in (self._pool, self._long_pool):
            pool.shutdown(wait=True, cancel_futures=True)
        while self._jobs:  # Their answers do not come any more; the status bar outlives the graph.
            self._jobs.pop().finished.emit()

    def _got_steps(self, after: int, steps: tuple[Step | None, Step | None]) -> None:
        self._undo_step, self._redo_step = steps
        self._looked_after = after
        self.steps_changed.emit()

    def _take_turn(self, key: object) -> int:
        turn = next(self._turns)
        if key is not None:
            self._newest[key] = turn
        return turn

    def _outdated(self, key: object, turn: int) -> bool:
        return key is not None and self._newest.get(key) != turn

    def _is_awaited(self, answer: _Answer, future: Future) -> bool:
        """Whether it is the newest of its key and says something; what was asked meanwhile begins.

        Nobody waits for an error where the same is read once more.
        """
        awaited = not self._outdated(answer.key, answer.turn)
        if self._running.get(answer.key) is answer:
            del self._running[answer.key]
            again = self._again.pop(answer.key, None)
            if again is not None and not self._closed:
                again()
                return future.exception() is None and future.result() is not NOT_RUN
        return awaited

    def _start(self, work: Callable[[], Any], answer: _Answer,
               pool: ThreadPoolExecutor | None = None) -> None:
        if self._closed:
            return
        self._watch((pool or self._pool).submit(self._patiently, work), answer)

    def _patiently(self, work: Callable[[], T]) -> T:
        """Do it once more where another program held the file: nothing had been done yet."""
        for _ in range(PATIENCE):
            try:
                return work()
            except Busy:
                if self._closed:
                    raise
        return work()

    def _watch(self, future: Future, answer: _Answer) -> None:
        self._open += answer.counts

        def arrived(done: Future) -> None:
            if not self._closed:
                self._answered.emit(answer, done)

        future.add_done_callback(arrived)

    @Slot(object, object)
    def _take_in(self, answer: _Answer, future: Future) -> None:
        self._arrived.append((answer, future))
        self._order.ended(answer)
        self._pace.start()

    @Slot()
    def _deliver_next(self) -> None:
        """Deliver one: between two answers the window goes on, however many came at once."""
        answer, future = self._arrived.popleft()
        if self._arrived:
            self._pace.start()
        self._deliver(answer, future)

    def _deliver(self, answer: _Answer, future: Future) -> None:
        self._open -= answer.counts
        if answer.job in self._jobs:
            self._jobs.discard(answer.job)
            answer.job.finished.emit()
            answer.job.deleteLater()
        if answer.moves and not self._closed:
            self._moves += 1
            self.look_for_steps()
        if self._closed or future.cancelled() or not self._is_awaited(answer, future):
            return
        error = future.exception()
        if error is not None:
            self._deliver_error(error, answer)
            return
        if answer.tells:
            entry = future.result().entry
            if entry is None:
                self.kept.emit(answer.label)
            else:
                self.wrote.emit(answer.label, entry)
        if answer.done is not None and alive(answer.done):
            answer.done(future.result())

    def _deliver_error(self, error: BaseException, answer: _Answer) -> None:
        write = answer.write
        if isinstance(error, Busy) and write is not None and write.tries < PATIENCE:
            write.tries += 1
            self._submit(write, answer)
        elif isinstance(error, WritesMore) and answer.anyway is not None:
            self.more_than_asked.emit(error, answer.anyway)
            if answer.failed is not None and alive(answer.failed):
                answer.failed(error)
        elif answer.failed is not None:
            if alive(answer.failed):
                answer.failed(error)
        elif isinstance(error, Cancelled):
            self.stopped.emit(answer.label)
        elif isinstance(error, ConstellationError):
            log.info("%s: %s", answer.label or "read", error)
            self.went_wrong.emit(error)
        if not isinstance(error, ConstellationError):
            raise error


def alive(callback: Callable[..., None]) -> bool:
    """False for a method, also in a `partial`, of a widget that has gone."""
    while isinstance(callback, partial):
        callback = callback.func
    owner = getattr(callback, "__self__", None)
    return not isinstance(owner, QObject) or isValid(owner)
