"""A bound on connections that ask nothing: uvicorn alone keeps them as long as they like."""

from typing import Any, ClassVar
from weakref import WeakKeyDictionary

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 400
"""Connections of a door that are held without a request; for a further one the oldest goes."""
IDLE_S = 5
"""Seconds that a connection may take to say what it asks."""


class Patient(H11Protocol):
    """A connection that is closed where no whole request comes, also before its first."""

    _by_loop: ClassVar[WeakKeyDictionary[Any, dict["Patient", None]]] = WeakKeyDictionary()

    @property
    def waiting(self) -> dict["Patient", None]:
        """The connections of this door that have asked nothing yet, oldest first.

        Each door runs in a loop of its own, in its own thread.
        """
        return self._by_loop.setdefault(self.loop, {})

    def connection_made(self, transport: Any) -> None:
        """Take a connection; of too many that ask nothing the oldest goes."""
        super().connection_made(transport)
        self.waiting[self] = None
        self.loop.call_later(IDLE_S, self._give_up)
        if len(self.waiting) > MOST:
            next(iter(self.waiting))._give_up()

    def data_received(self, data: bytes) -> None:
        """Read on; with the head of a request it waits no longer."""
        super().data_received(data)
        if self.cycle is not None:
            self.waiting.pop(self, None)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self.waiting.pop(self, None)
        super().connection_lost(exc)

    def _give_up(self) -> None:
        if self in self.waiting:
            del self.waiting[self]
            self.transport.close()
