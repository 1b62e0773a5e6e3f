"""Lets the garbage collector rest while very many rows are read."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_lock = Lock()
_resting = 0


@contextmanager
def resting_collector() -> Iterator[None]:
    """Rows hold no cycles: looking for them among half a million takes a third of the reading.

    Several threads may be in it; where the collector is off altogether it stays so.
    """
    global _resting  # noqa: PLW0603 - the collector is one of the process
    with _lock:
        rests = gc.isenabled() or _resting > 0
        if rests:
            _resting += 1
            gc.disable()
    try:
        yield
    finally:
        if rests:
            with _lock:
                _resting -= 1
                if not _resting:
                    gc.enable()
