"""One process beside the window that computes what would make the window stutter.

`core.projection.worker_main` loads networkx, and numba for what is not compiled yet, which the
window's process is spared.
"""

import contextlib
import pickle
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Event, Lock
from typing import Any, TypeVar

from core.errors import Cancelled, ConstellationError
from core.progress import Report, ignore

T = TypeVar("T")
LISTEN = 0.02
"""Seconds between two looks at whether the person has cancelled."""
TRIES = 2


def serve(connection: "Connection[Any, Any]") -> None:
    """Answer tasks until the window's end of the pipe is closed."""
    from core.projection.worker_main import serve as answer  # noqa: PLC0415 - only in the child

    answer(connection)


def warm_up(points: int = 0, *, report: Report = ignore) -> None:
    """Load and compile what layouts and a projection of so many points need."""
    from core.projection.worker_main import warm_up as load  # noqa: PLC0415 - only in the child

    load(points, report=report)


def warm_up_layouts(*, report: Report = ignore) -> None:
    """Load and compile what layouts need."""
    from core.projection.worker_main import warm_up_layouts as load  # noqa: PLC0415 - as above

    load(report=report)


def begin_to_warm_up(points: int, *, report: Report = ignore) -> None:
    """Begin to load what such a projection needs; the next task does not wait for it."""
    from core.projection.worker_main import begin_to_warm_up as begin  # noqa: PLC0415 - as above

    begin(points, report=report)


class _Gone(Exception):
    """The process ended while we spoke to it."""


@contextlib.contextmanager
def _speaking() -> Iterator[None]:
    try:
        yield
    except (EOFError, OSError) as error:
        raise _Gone from error


class Worker:
    """Runs one task at a time in a process of its own, which is started on the first task.

    A task is a function at the top of a module, called there as `task(*args, report=report)`. It
    is spawned, never forked: a fork would copy the window's locks and connections in any state.
    Everything here may be called from any thread.
    """

    def __init__(self) -> None:
        self._turn = Lock()
        self._process: BaseProcess | None = None
        self._connection: Connection[Any, Any] | None = None
        self._last = 0
        self._closed = False

    def prewarm(self, points: int | None = None) -> None:
        """Let the process load and compile what layouts need, and a projection of so many points;
        does not wait for it."""
        if self._turn.acquire(blocking=False):
            try:
                with contextlib.suppress(_Gone):
                    if points is None:
                        self._send(warm_up_layouts)
                    else:
                        self._send(begin_to_warm_up, points)
            finally:
                self._turn.release()

    def run(
        self,
        task: Callable[..., T],
        *args: object,
        progress: Report = ignore,
        cancelled: Event | None = None,
    ) -> T:
        """The task's result; blocks the caller.

        Args:
            task: what to run there.
            args: its arguments, which are copied to the process.
            progress: called on this thread with the finished share.
            cancelled: when it is set, `Cancelled` is raised within a tenth of a second.

        Raises:
            Cancelled: the person, or the end of the program, stopped it.
            ConstellationError: the task failed, or its process ended twice.
        """
        stop = cancelled or Event()
        while not self._turn.acquire(timeout=LISTEN):
            self._check(stop)
        try:
            for _ in range(TRIES):
                self._check(stop)
                with contextlib.suppress(_Gone):
                    result: T = self._await(self._send(task, *args), progress, stop)
                    return result
                self._drop()
            self._check(stop)
            raise ConstellationError(
                "The process that computes positions ended unexpectedly, twice",
                do="Free some memory and try again",
            )
        finally:
            self._turn.release()

    def close(self) -> None:
        """End the process; a task that is running raises `Cancelled`."""
        self._closed = True
        process = self._process
        if process is not None and self._turn.locked():
            with contextlib.suppress(ValueError):
                process.kill()
        with self._turn:
            self._drop()

    def _check(self, stop: Event) -> None:
        if stop.is_set() or self._closed:
            raise Cancelled("Stopped")

    def _send(self, task: Callable[..., object], *args: object) -> int:
        connection = self._connection or self._start()
        self._last += 1
        apart: list[pickle.PickleBuffer] = []
        content = pickle.dumps((task, args), pickle.HIGHEST_PROTOCOL, buffer_callback=apart.append)
        # Arrays as they are: a copy of the vectors of a large graph takes tens of megabytes.
        parts: list[bytes | memoryview] = [content, *(array.raw() for array in apart)]
        with _speaking():
            connection.send((self._last, [len(part) for part in parts]))
            for each in parts:
                connection.send_bytes(each)
        return self._last

    def _await(self, number: int, progress: Report, stop: Event) -> Any:
        connection = self._connection
        assert connection is not None
        while True:
            with _speaking():
                if stop.is_set():
                    connection.send((number, []))
                self._check(stop)
                if not connection.poll(LISTEN):
                    continue
                sender, kind, content = connection.recv()
            if sender != number:  # the rest of a task that was cancelled before this one
                continue
            if kind == "result":
                return content
            if kind == "failed":
                raise ConstellationError("Positions could not be computed", detail=content)
            progress(content)

    def _start(self) -> "Connection[Any, Any]":
        if self._closed:
            raise Cancelled("Stopped")
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=serve, args=(theirs,), name="positions", daemon=True)
        process.start()
        theirs.close()  # so that its end of the pipe closes with the process
        self._process, self._connection = process, ours
        return ours

    def _drop(self) -> None:
        process, connection = self._process, self._connection
        self._process = self._connection = None
        if connection is not None:
            connection.close()
        if process is not None:
            process.kill()
            process.join()
            process.close()
