"""Carries what the graph's threads announce over to the GUI thread."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from core.model.changes import Changes, CountChange
from core.queries.stats import added
from core.store.outside_changes import OTHER_PROCESS
from core.workspace import Workspace
from ui.runner import Runner

POLL_MS = 500
PAUSE_MS = 150


def merge(first: Changes, second: Changes) -> Changes:
    """Two commits as one: what either touched; of a table without its ids none are known."""
    both = (first, second)
    told = [table for table in {*first.ids, *second.ids, *first.ranges, *second.ranges} if all(
        table not in each.tables or each.tells_rows(table) for each in both)]
    ids = {table: frozenset[str]() for each in both for table in each.ids} | {
        table: first.ids.get(table, frozenset()) | second.ids.get(table, frozenset())
        for table in told}
    ranges = {table: (*first.ranges.get(table, ()), *second.ranges.get(table, ()))
              for table in told}
    external = first.external or second.external
    return Changes(
        tables=first.tables | second.tables,
        ids={} if external else ids,
        initiator=_initiator(first.initiator, second.initiator),
        label=second.label or first.label,
        external=external,
        ranges={} if external else {table: some for table, some in ranges.items() if some},
        counted=_count_of_both(first.counted, second.counted),
    )


def _count_of_both(first: CountChange | None, second: CountChange | None) -> CountChange | None:
    """What both add, where the second follows the first."""
    if first is None or second is None or first.last != second.first:
        return None
    by = added(first.by, second.by) if first.by and second.by else None
    return CountChange(first.first, second.last, by)


def _initiator(first: str, second: str) -> str:
    """That of both; what another process has written is so also beside changes of our own."""
    return first if first == second else OTHER_PROCESS if OTHER_PROCESS in (first, second) else ""


class Bridge(QObject):
    """Sends each commit as a signal on the GUI thread, and looks for commits of other processes.

    `changed` comes at once for a lone commit; while commits follow each other quickly they are
    gathered and come together every 150 ms.
    """

    changed = Signal(object)
    _published = Signal(object)

    def __init__(
        self, workspace: Workspace, runner: Runner, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._runner = runner
        self._waiting: Changes | None = None
        self._looking = False
        self._published.connect(self._arrived, Qt.ConnectionType.QueuedConnection)
        self._unsubscribe: Callable[[], None] = workspace.events.subscribe(self._published.emit)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._flush)
        self._poll = QTimer(self, interval=POLL_MS)
        self._poll.timeout.connect(self.look)
        self._poll.start()

    def close(self) -> None:
        self._poll.stop()
        self._pause.stop()
        self._unsubscribe()

    @Slot()
    def look(self) -> None:
        """Ask, on a pool thread, whether another process has written."""
        if not self._looking:
            self._looking = True
            # Where the file is locked or away for a moment, the next look tells.
            self._runner.look(self._workspace.poll, self._looked, self._looked)

    def _looked(self, _outcome: object) -> None:
        self._looking = False

    @Slot(object)
    def _arrived(self, changes: Changes) -> None:
        self._waiting = merge(self._waiting, changes) if self._waiting else changes
        if not self._pause.isActive():
            self._flush()

    @Slot()
    def _flush(self) -> None:
        if self._waiting is not None:
            changes, self._waiting = self._waiting, None
            self._pause.start()
            self.changed.emit(changes)
