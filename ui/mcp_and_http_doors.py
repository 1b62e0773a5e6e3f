"""The doors by which agents come to the open graph, opened and closed from the window."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from core.errors import ConstellationError
from core.model.asked import Visit
from ui.agent_watch import AskedWatch
from ui.runner import Runner


class OpenDoors(Protocol):
    """What the program around the window opens."""

    mcp: str
    """The address for clients of the Model Context Protocol."""
    http: str
    """The address for other programs, which need a token."""

    @property
    def is_open(self) -> bool:
        """False once they have closed by themselves."""

    def new_token(self, may: str) -> str:
        """A new token that may `recall` or `modify`; it can't be read again."""

    def close(self) -> None:
        """Close them."""


LOOK_MS = 1000
"""How often it is looked whether the doors are still open."""
MakeDoors = Callable[[Path, str], OpenDoors]
"""Opens the doors of a graph for an agent; takes seconds, on any thread."""


def no_doors(path: Path, agent: str) -> OpenDoors:
    """Of a window that has none."""
    raise ConstellationError("Agents can't be let in from this window",
                             do="“constellation mcp” and “constellation serve” let them in")


class Doors(QObject):
    """The doors of one graph. They are closed at first, and again when the graph is closed."""

    changed = Signal()

    def __init__(
        self, make: MakeDoors, runner: Runner, watch: AskedWatch, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._make, self._runner, self.watch = make, runner, watch
        self.open: OpenDoors | None = None
        self.agent = ""
        """Whose memory those use who come in."""
        self.busy = False
        """True while the doors open or close."""
        self._made: OpenDoors | None = None
        """What is to be closed at the end, whether or not it was announced."""
        self._own: set[str] = set()
        """Our own addresses, also for the moment in which they are still listed."""
        self._looks = QTimer(self, interval=LOOK_MS)
        self._looks.timeout.connect(self._look)
        watch.visits_changed.connect(self._say)

    @property
    def elsewhere(self) -> tuple[Visit, ...]:
        """Doors that other processes have open for several clients."""
        return tuple(door for door in self.watch.visits[0]
                     if door.address and door.address not in self._own)

    def toggle(self) -> None:
        """Let agents in, or no longer."""
        if self.busy:
            return
        self.busy = True
        if self.open is None:
            self.agent = self._runner.workspace.agent
            self._runner.job(self._open_doors, self._opened, self._failed,
                             label="Letting agents in")
        else:
            self._close()
        self.changed.emit()

    def _close(self) -> None:
        self.open = None
        self._looks.stop()
        self._runner.job(self._close_doors, self._closed, self._failed)

    def _look(self) -> None:
        """Tell where the doors have closed by themselves: their process was ended."""
        if self.open is None or self.open.is_open:
            return
        self.busy = True
        self._close()
        self.changed.emit()
        self._runner.went_wrong.emit(ConstellationError(
            "Agents are no longer let in: the process that answers them has ended",
            do="Let them in again"))

    def end(self) -> None:
        """The graph is closed; returns when nothing of the doors touches the file."""
        self.open = None
        self._looks.stop()
        self._close_doors()

    def _open_doors(self, _job: object) -> OpenDoors:
        self._made = self._make(self._runner.workspace.path, self.agent)
        return self._made

    def _close_doors(self, _job: object = None) -> None:
        doors, self._made = self._made, None
        if doors is not None:
            doors.close()

    def _opened(self, doors: OpenDoors) -> None:
        self.busy, self.open = False, doors
        self._own |= {doors.mcp, doors.http}
        self._looks.start()
        self.changed.emit()

    def _closed(self, _nothing: object) -> None:
        self.busy = False
        self.changed.emit()

    def _failed(self, error: BaseException) -> None:
        self.busy = False
        self.changed.emit()
        self._runner.went_wrong.emit(error)

    def _say(self, _visits: object) -> None:
        if self.open is None:
            self._own &= {door.address for door in self.watch.visits[0]}
        self.changed.emit()
