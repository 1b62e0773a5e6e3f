"""Keeps the open graph in step with the folders that its agent watches, on pool threads."""

from functools import partial
from pathlib import Path
from threading import Event

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.errors import Cancelled
from core.model.text_format import counted
from core.model.watched_folder import FolderStep, WatchedFolder
from core.watching.folder_watch import FolderWatch, stop_watching, watch, watched
from ui.context import Context
from ui.runner import Job

LOOK_MS = 2_000
"""How often the folders are looked at; a look at 2,000 notes takes some 20 ms of a pool thread."""

Looks = tuple[list[WatchedFolder], list[FolderStep]]


class FolderWatches(QObject):
    """The watched folders of one graph, from when it is opened until it is closed."""

    changed = Signal()

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.folders: list[WatchedFolder] = []
        self._context, self._runner = context, context.runner
        self._watches: dict[str, FolderWatch] = {}
        self._busy = False
        self._closed = Event()
        self._pause = QTimer(self, interval=LOOK_MS)
        self._pause.timeout.connect(self.look)

    def start(self) -> None:
        """Look from now on."""
        self._pause.start()
        self.look()

    def close(self) -> None:
        """Look no more; a step that is being written is taken back."""
        self._pause.stop()
        self._closed.set()

    def add(self, path: Path) -> None:
        """Watch a folder: it is taken over now, and followed as long as the graph is open."""
        if not self._runner.may_write:
            self._runner.permission_wanted.emit(partial(self.add, path))
            return
        self._runner.job(partial(self._add, path), self._added, self._not_added,
                         label=f"Reading the notes of {path.name}", writes=True)

    def remove(self, path: Path) -> None:
        """Watch a folder no more; what came from it stays."""
        workspace = self._context.workspace
        self._runner.job(lambda _job: stop_watching(workspace, path), lambda _done: self.look())

    @Slot()
    def look(self) -> None:
        """Look once, on a pool thread."""
        if not self._busy:
            self._busy = True
            self._runner.look(self._look, self._looked, self._failed)

    def _add(self, path: Path, job: Job) -> None:
        watch(self._context.workspace, path)
        job.report(-1)

    def _added(self, _nothing: None) -> None:
        self.look()

    def _not_added(self, error: BaseException) -> None:
        if not isinstance(error, Cancelled):
            self._runner.went_wrong.emit(error)

    def _look(self) -> Looks:
        workspace = self._context.workspace
        folders, steps = watched(workspace), list[FolderStep]()
        self._watches = {one.id: self._watches.get(one.id) or self._watch(one) for one in folders}
        if folders and workspace.writable:
            for one in self._watches.values():
                steps += one.look(self._report).steps
            folders = watched(workspace)
        return folders, steps

    def _watch(self, folder: WatchedFolder) -> FolderWatch:
        return FolderWatch(self._context.workspace, folder, self._context.engine.settings.ingest)

    def _report(self, _share: float) -> None:
        if self._closed.is_set():
            raise Cancelled("The graph is closed")

    def _looked(self, looks: Looks) -> None:
        self._busy = False
        folders, steps = looks
        if folders != self.folders:
            self.folders = folders
            self.changed.emit()
        written = [step for step in steps if step.entry is not None]
        if len(written) == 1:
            self._context.say(written[0].words, written[0].entry)
        elif written:
            self._context.say(f"{counted(len(written), 'note')} of a watched folder changed")

    def _failed(self, error: BaseException) -> None:
        """A busy file is looked at again; what is wrong for good is said by what is done by hand.
        """
        self._busy = False
