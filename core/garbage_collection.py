"""Keeps the garbage collector from stopping the program for what is no garbage."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_lock = Lock()
_resting = 0


def collect_rarely() -> None:
    """Look for garbage seldom: what is loaded is next to never any, and rows that are read by the
    thousand are let go of without it; each look stops every thread."""
    gc.set_threshold(50_000, 20, 20)


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


@contextmanager
def loading() -> Iterator[None]:
    """What is loaded meanwhile never is garbage: it is not looked through, now or later."""
    with resting_collector():
        yield
        gc.freeze()
