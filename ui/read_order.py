"""Which reads begin at once, and which wait until a person's own are done."""

from collections.abc import Callable

PATIENCE = 4
"""So many reads of a person's may end while another waits; then it begins beside them."""


class ReadOrder:
    """Lets one read at a time run that nobody waits for, and none before what a person asked for.

    After each change many parts of the window are read anew. All at once they take Python from
    each other, from what was clicked on and from the window itself.
    """

    def __init__(self) -> None:
        self._asked: set[int] = set()
        """The reads of a person's that run, by `id`."""
        self._waiting: dict[object, Callable[[], object]] = {}
        """By key what begins a read that nobody waits for, in the order in which they came."""
        self._running: object = None
        """The one of them that runs."""
        self._passed = 0

    @property
    def waits(self) -> bool:
        """True while a read has not begun."""
        return bool(self._waiting)

    def begun(self, read: object) -> None:
        """What a person waits for runs."""
        self._asked.add(id(read))

    def later(self, key: object, begin: Callable[[], object]) -> None:
        """Call `begin`, which returns the read, once it is its turn; that may be now.

        It takes the place of one of the same key that still waits.
        """
        self._waiting[object() if key is None else key] = begin
        self._go_on()

    def ended(self, read: object) -> None:
        """It has been read, whether it is one of these or not; others may begin."""
        if read is self._running:
            self._running = None
        elif id(read) in self._asked:
            self._asked.remove(id(read))
            self._passed += self.waits
        self._go_on()

    def close(self) -> None:
        """Nothing begins any more."""
        self._waiting.clear()

    def _go_on(self) -> None:
        """Begin the next one, if it may."""
        free = not self._asked or self._passed >= PATIENCE
        if self._waiting and self._running is None and free:
            self._passed = 0
            self._running = self._waiting.pop(next(iter(self._waiting)))()
