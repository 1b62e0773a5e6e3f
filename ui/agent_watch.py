"""Watches agents at the open graph: what they ask, and who is let in."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.model.asked import Asked, Visit
from core.session.question_log import last_asked
from core.session.servers_and_clients import visits
from core.workspace import Workspace
from ui.runner import Runner

LOOK_MS = 400
"""How often the record beside the graph is looked at."""
MOST = 50
"""Questions of one look that are told."""

Visits = tuple[tuple[Visit, ...], tuple[Visit, ...]]
"""The open doors, and the clients that were heard at them."""


class AskedWatch(QObject):
    """Tells of each new question, and of every change among the doors and clients."""

    asked = Signal(object)
    """New questions of the agent that is shown, the oldest first."""
    visits_changed = Signal(object)

    def __init__(
        self, workspace: Workspace, runner: Runner, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.visits: Visits = ((), ())
        self._workspace, self._runner = workspace, runner
        self._seen = -1
        """The last question that was told; -1 before the first look."""
        self._looking = False
        self._pause = QTimer(self, interval=LOOK_MS)
        self._pause.timeout.connect(self.look)

    def start(self) -> None:
        """Watch from now on; what was asked before is not told."""
        self._pause.start()
        self.look()

    def close(self) -> None:
        """Watch no more."""
        self._pause.stop()

    @Slot()
    def look(self) -> None:
        """Look once, on a pool thread."""
        if self._looking:
            return
        self._looking = True
        workspace, after = self._workspace, self._seen
        self._runner.look(lambda: _look(workspace, after), self._looked, self._failed)

    def _looked(self, seen: tuple[Sequence[Asked], Visits]) -> None:
        self._looking = False
        news, visits = seen
        first = self._seen < 0
        self._seen = max(self._seen, 0, *(each.number for each in news))
        if news and not first:
            self.asked.emit(tuple(reversed(news)))
        if visits != self.visits:
            self.visits = visits
            self.visits_changed.emit(visits)

    def _failed(self, _error: BaseException) -> None:
        """Where the sidecar is locked for a moment, the next look tells."""
        self._looking = False


def _look(workspace: Workspace, after: int) -> tuple[Sequence[Asked], Visits]:
    most, after = (MOST, after) if after >= 0 else (1, 0)
    return (last_asked(workspace.sidecar, workspace.agent, most, after),
            visits(workspace.sidecar))
