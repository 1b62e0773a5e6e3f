"""Opens a graph without stopping the window."""

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal, Slot

from core.errors import ConstellationError
from core.progress import Report
from core.workspace import Workspace
from ui.runner import Job

log = logging.getLogger(__name__)


class Opener(QObject):
    """Opens one file at a time on its own thread; only the newest wish is answered."""

    opened = Signal(object)
    failed = Signal(object, object)
    """The error in words and the path."""
    job_started = Signal(object)
    """Bringing the file up to date takes a while; carries its job."""
    _ready = Signal(object, object, int, object)

    def __init__(
        self, load: Callable[[Workspace], object], parent: QObject | None = None
    ) -> None:
        """`load` loads what a graph is shown with; called on the thread for each that is open."""
        super().__init__(parent)
        self._load = load
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="opener")
        self._wish = 0
        self._closed = False
        self._ready.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def open(self, path: Path, agent: str = "", *, create: bool = False) -> None:
        """Open `path`; answered by `opened` or `failed`."""
        self.prepare(lambda: path, agent, path=path, create=create)

    def prepare(
        self,
        make: Callable[[], Path],
        agent: str = "",
        *,
        path: Path | None = None,
        create: bool = False,
    ) -> None:
        """The same for a file that `make` writes first, such as the demo graph."""
        self._wish += 1
        wish, job = self._wish, Job("Updating the graph", self)

        def work() -> Workspace:
            workspace = Workspace.open(make(), agent=agent or "default", create=create,
                                       report=self._reporting(job))
            # From before the first read on, so that no commit of another process is missed.
            workspace.poll()
            self._load(workspace)
            return workspace

        future = self._thread.submit(work)
        future.add_done_callback(lambda done: self._arrived(done, path, wish, job))

    def _reporting(self, job: Job) -> Report:
        """What shows the job from the first report on."""
        shown: list[bool] = []

        def report(share: float) -> None:
            if not shown:
                shown.append(True)
                self.job_started.emit(job)
            job.report(share)

        return report

    def close(self) -> None:
        """Wait for what is being opened, and close it again."""
        self._wish += 1
        self._closed = True
        self._thread.shutdown(wait=True)

    def _arrived(self, done: Future, path: Path | None, wish: int, job: Job) -> None:
        if self._closed:
            if done.exception() is None:
                done.result().close()
            return
        self._ready.emit(done, path, wish, job)

    @Slot(object, object, int, object)
    def _deliver(self, done: Future, path: Path | None, wish: int, job: Job) -> None:
        job.finished.emit()
        job.deleteLater()
        error = done.exception()
        if error is None:
            if wish == self._wish:
                self.opened.emit(done.result())
            else:
                done.result().close()
        elif wish == self._wish:
            self.failed.emit(_in_words(error), path)


def _in_words(error: BaseException) -> ConstellationError:
    """An error that nobody foresaw must not leave the window waiting for the graph either."""
    if isinstance(error, ConstellationError):
        return error
    log.error("unexpected", exc_info=error)
    where = str(error.filename or "") if isinstance(error, OSError) else ""
    return ConstellationError("The graph could not be opened", where=where,
                              detail=f"{type(error).__name__}: {error}")
