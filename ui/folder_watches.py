"""Keeps the open graph in step with the folders that its agent watches, on pool threads."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.errors import Cancelled
from core.model.secret_wording import FoundSecret
from core.model.text_formatting import counted, one_line
from core.model.watched_folder import FolderStep, WatchedFolder
from core.watching.watched_list import watched
from ui.context import Context
from ui.runner import Job

if TYPE_CHECKING:
    from core.watching.folder_watch import FolderWatch

LOOK_MS = 2_000
"""How often the folders are looked at; a look at 2,000 notes takes some 20 ms of a pool thread."""

Looks = tuple[list[WatchedFolder], list[FolderStep]]
"""The folders as they are now, and the steps that were written."""
Due = tuple["FolderWatch", int]
"""A folder of which many notes are to be taken over."""


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
        self._runner.job(partial(self._add, path), self._added, self._not_added)

    def remove(self, path: Path) -> None:
        """Watch a folder no more; what came from it stays."""
        from core.watching.folder_watch import stop_watching  # noqa: PLC0415  as above

        workspace = self._context.workspace
        self._runner.job(lambda _job: stop_watching(workspace, path), lambda _done: self.look())

    @Slot()
    def look(self) -> None:
        """Look once, on a pool thread."""
        if not self._busy:
            self._busy = True
            self._runner.look(self._look, self._looked, self._failed)

    def _add(self, path: Path, _job: Job) -> None:
        from core.watching.folder_watch import watch  # noqa: PLC0415  few graphs follow a folder

        watch(self._context.workspace, path)

    def _added(self, _nothing: None) -> None:
        self.look()

    def _not_added(self, error: BaseException) -> None:
        if not isinstance(error, Cancelled):
            self._runner.went_wrong.emit(error)

    def _look(self) -> tuple[Looks, list[Due]]:
        workspace = self._context.workspace
        folders, steps, due = watched(workspace), list[FolderStep](), list[Due]()
        self._watches = {one.id: self._watches.get(one.id) or self._watch(one) for one in folders}
        if folders and workspace.writable:
            from core.watching.folder_watch import ONE_BY_ONE  # noqa: PLC0415  as above

            for one in self._watches.values():
                looked = one.look(self._report, ONE_BY_ONE)
                steps += looked.steps
                due += [(one, looked.due)] if looked.due else []
            folders = watched(workspace)
        return (folders, steps), due

    def _take(self, one: "FolderWatch", job: Job) -> Looks:
        """Take over many notes, as at the first look at a folder."""
        steps = one.look(job.report).steps
        return watched(self._context.workspace), list(steps)

    def _watch(self, folder: WatchedFolder) -> "FolderWatch":
        from core.watching.folder_watch import FolderWatch  # noqa: PLC0415  as above

        return FolderWatch(self._context.workspace, folder, self._context.engine.settings.ingest)

    def _report(self, _share: float) -> None:
        if self._closed.is_set():
            raise Cancelled("The graph is closed")

    def _looked(self, looked: tuple[Looks, list[Due]]) -> None:
        looks, due = looked
        self._took(looks)
        for one, many in due[:1]:
            self._busy = True
            name = one_line(Path(one.folder.path).name, 40)
            self._runner.job(partial(self._take, one), self._took, partial(self._not_taken, one),
                             label=f"Reading {counted(many, 'note')} of {name}")

    def _not_taken(self, one: "FolderWatch", error: BaseException) -> None:
        """Whoever stops the reading does not want the folder followed: else it would begin again.
        """
        self._failed(error)
        if isinstance(error, Cancelled):
            path = Path(one.folder.path)
            self.remove(path)
            self._context.say(f"Stopped: {one_line(path.name, 40)} is not watched")

    def _took(self, looks: Looks) -> None:
        self._busy = False
        folders, steps = looks
        if folders != self.folders:
            self.folders = folders
            self.changed.emit()
        written = [step for step in steps if step.entry is not None]
        secrets = _secret_words([each for step in written for each in step.secrets])
        if len(written) == 1:
            self._context.say(f"{written[0].words}{secrets}", written[0].entry)
        elif written:
            many = counted(len(written), "note")
            self._context.say(f"{many} of a watched folder changed{secrets}")

    def _failed(self, error: BaseException) -> None:
        """A busy file is looked at again; what is wrong for good is said by what is done by hand.
        """
        self._busy = False


def _secret_words(secrets: Sequence[FoundSecret]) -> str:
    """Where the first of them stands, and how many there are; empty for none."""
    more = f", and {len(secrets) - 1:,} more" if len(secrets) > 1 else ""
    return f". {secrets[0].words}{more}" if secrets else ""
