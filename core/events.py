"""Announces each commit to whoever listens."""

from collections.abc import Callable
from threading import Lock

from core.model.changes import Changes

Listener = Callable[[Changes], None]


class Hub:
    """A list of listeners, called on the thread that published, in order of subscription."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []
        self._lock = Lock()

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` for each commit from now on; returns the function that ends it."""
        with self._lock:
            self._listeners.append(listener)

        def unsubscribe() -> None:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return unsubscribe

    def publish(self, changes: Changes) -> None:
        """Tell every listener."""
        with self._lock:
            listeners = list(self._listeners)
        for listener in listeners:
            listener(changes)
