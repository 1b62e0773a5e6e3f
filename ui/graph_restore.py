"""Puts a backup in a graph's place, also where the graph can't be opened any more."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot

from core.errors import ConstellationError
from core.store.backup import WHEN
from core.store.restore import Backup, count_rows, list_backups, put_back_closed
from ui.context import Context, Desk
from ui.dialogs.restore import RestoreDialog, made_words

T = TypeVar("T")
NONE = f"No backups of this graph yet: one is made {WHEN}"


class Restorer(QObject):
    """Lists, asks and restores; files are read and written on a thread of its own."""

    _ready = Signal(object, object)

    def __init__(self, show_error: Callable[[BaseException], None], parent: QObject) -> None:
        super().__init__(parent)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="restore")
        self._show_error = show_error
        self._ready.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def ask(self, desk: Desk, graph: Path) -> None:
        """Show the backups of a graph; the one that is chosen takes its place."""
        self._run(lambda: (list_backups(graph), count_rows(graph)),
                  lambda listed: self._show(desk, graph, *listed))

    def close(self) -> None:
        """Wait for what is being restored."""
        self._thread.shutdown(wait=True)

    def _show(
        self, desk: Desk, graph: Path, backups: Sequence[Backup], now: Mapping[str, int]
    ) -> None:
        if not backups:
            desk.say(NONE)
            return
        RestoreDialog(graph, backups, now, partial(self._chosen, desk, graph),
                      desk.shell.window()).open()

    def _chosen(self, desk: Desk, graph: Path, backup: Backup) -> None:
        if isinstance(desk, Context):
            self._put_back(desk, backup.path, f"Restored the backup of {made_words(backup)}")
        else:
            self._run(partial(put_back_closed, graph, backup.path),
                      lambda _: desk.shell.open_path(graph))

    def _put_back(self, context: Context, backup: Path, words: str) -> None:
        if not context.runner.may_write:
            context.runner.permission_wanted.emit(partial(self._put_back, context, backup, words))
            return
        self._run(partial(context.workspace.restore, backup),
                  lambda restored: context.say(words, restored.entry))

    def _run(self, work: Callable[[], T], done: Callable[[T], None]) -> None:
        self._thread.submit(work).add_done_callback(lambda future: self._ready.emit(future, done))

    @Slot(object, object)
    def _deliver(self, future: Future[T], done: Callable[[T], None]) -> None:
        error = future.exception()
        if error is None:
            done(future.result())
        elif isinstance(error, ConstellationError):
            self._show_error(error)
        else:
            raise error
