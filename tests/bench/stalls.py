"""How long the thread of a window stands still: wall time, its own processor time, and where."""

import faulthandler
import re
import time
from dataclasses import dataclass, field
from tempfile import TemporaryFile
from threading import Event, Thread, get_ident
from typing import IO

from PySide6.QtCore import QTimer

TICK_MS = 5
LOOK_S = 0.01
LATE_S = 0.03
"""From when on a turn of the event loop is looked into."""
OURS = ("/ui/", "/core/", "/explorer/")
FRAME = re.compile(r'  File "(.+)", line (\d+) in (\w+|<\w+>)')


@dataclass(slots=True)
class Stall:
    """One turn of the event loop.

    Attributes:
        wall_ms: how long it took, also while other programs had the processor.
        own_ms: what the window's thread itself worked in it.
        where: the place in the code in which it was seen last.
    """

    wall_ms: float = 0.0
    own_ms: float = 0.0
    where: str = ""


@dataclass(slots=True)
class Stalls:
    """The longest turns of the event loop of a piece of time."""

    wall: Stall = field(default_factory=Stall)
    own: Stall = field(default_factory=Stall)

    def add(self, stall: Stall) -> None:
        """Keep it if it is the longest."""
        if stall.wall_ms > self.wall.wall_ms:
            self.wall = stall
        if stall.own_ms > self.own.own_ms:
            self.own = stall

    def words(self) -> str:
        """Both, and the place of the one that the window's thread worked longest in."""
        place = f" in {self.own.where}" if self.own.where else ""
        return (f"longest stall {self.own.own_ms:.0f} ms of the window's own work, "
                f"{self.wall.wall_ms:.0f} ms by the clock{place}")


class StallWatch:
    """Watches the event loop of the thread that makes it."""

    def __init__(self) -> None:
        self._thread, self._ended = get_ident(), Event()
        self._began, self._worked = time.perf_counter(), time.thread_time()
        self._where = ""
        self.now = Stalls()
        self._timer = QTimer(interval=TICK_MS)
        self._timer.timeout.connect(self.turn_ended)
        self._timer.start()
        self._looks = Thread(target=self._look, daemon=True)
        self._looks.start()

    def fresh(self) -> Stalls:
        """Begin anew; what is returned is filled from now on."""
        self.turn_ended()
        self.now = Stalls()
        return self.now

    def close(self) -> None:
        """Watch no more."""
        self._timer.stop()
        self._ended.set()
        self._looks.join()

    def turn_ended(self) -> None:
        """A turn ends here: what follows is begun by another click or key of a person."""
        now, worked = time.perf_counter(), time.thread_time()
        self.now.add(Stall((now - self._began) * 1000, (worked - self._worked) * 1000,
                           self._where))
        self._began, self._worked, self._where = now, worked, ""

    def _look(self) -> None:
        with TemporaryFile("w+") as file:
            while not self._ended.wait(LOOK_S):
                if time.perf_counter() - self._began > LATE_S:
                    self._where = _place(_stack(self._thread, file))


def _stack(thread: int, file: IO[str]) -> str:
    """The stack of a thread as text, the innermost function first.

    The frames themselves are not taken: the painter of a widget that is held with one would outlive
    its painting, and end in another thread.
    """
    file.seek(0)
    file.truncate()
    faulthandler.dump_traceback(file)
    file.seek(0)
    return file.read().partition(f"{thread:016x} ")[2].partition("\n\n")[0]


def _place(stack: str) -> str:
    """The three innermost functions of the program on a stack."""
    places = [f"{file.rpartition('/')[2]}:{line} {name}"
              for file, line, name in FRAME.findall(stack) if any(part in file for part in OURS)]
    return " < ".join(places[:3])
