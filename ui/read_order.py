"""Which reads begin at once, and which wait until a person's own are done."""

from collections import deque
from collections.abc import Callable

PATIENCE = 4
"""So many reads of a person's may end before one that waits begins beside them."""


class ReadOrder:
    """Lets one read at a time run that nobody waits for, and none before what a person asked for.

    After each change many parts of the window are read anew. All at once they take Python from
    each other, from what was clicked on and from the window itself.
    """

    def __init__(self) -> None:
        self._asked: set[int] = set()
        """The reads of a person's that run."""
        self._waiting: deque[tuple[object, Callable[[], None]]] = deque()
        self._running: object = None
        """The read that nobody waits for, while it runs."""
        self._passed = 0

    def begins(self, read: object) -> None:
        """What a person waits for has begun."""
        self._asked.add(id(read))

    def later(self, read: object, begin: Callable[[], None]) -> None:
        """Call `begin` once it is the turn of `read`, which may be now."""
        self._waiting.append((read, begin))
        self._go_on()

    def ended(self, read: object) -> None:
        """It has been read, whether anything here knew of it or not; others may begin."""
        if read is self._running:
            self._running = None
        elif id(read) in self._asked:
            self._asked.remove(id(read))
            self._passed += 1
        self._go_on()

    def close(self) -> None:
        """Nothing begins any more."""
        self._waiting.clear()

    def _go_on(self) -> None:
        """Begin the next one, if it may."""
        free = not self._asked or self._passed >= PATIENCE
        if self._waiting and self._running is None and free:
            self._running, begin = self._waiting.popleft()
            self._passed = 0
            begin()
