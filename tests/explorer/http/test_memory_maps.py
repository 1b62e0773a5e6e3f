"""Maps are computed beside the server, and end with it."""

from contextlib import contextmanager
from threading import Event, Thread
from threading import enumerate as threads
from types import SimpleNamespace
from typing import Any

import pytest

from core.errors import Cancelled


def test_a_server_that_ends_waits_until_no_map_is_read_for(
    monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thread that ended inside of compiled code took the process down."""
    maps = pytest.importorskip("explorer.http.memory_maps")
    reading, go_on = Event(), Event()

    def read(*_: object) -> Any:
        reading.set()
        assert go_on.wait(30)
        raise Cancelled("Stopped")

    @contextmanager
    def reader() -> Any:
        yield None

    monkeypatch.setattr(maps, "map_key", lambda *_: "as it is")
    monkeypatch.setattr(maps, "map_vectors", read)
    door: Any = SimpleNamespace(
        read=reader, engine=SimpleNamespace(embedder=None), workspace=SimpleNamespace(agent="me"))
    made = maps.Maps()
    assert made.of(door, 2) is None
    assert reading.wait(30)
    (thread,) = [each for each in threads() if each.name == "maps"]
    assert not thread.daemon
    end = Thread(target=made.close)
    end.start()
    go_on.set()
    end.join(30)
    assert not thread.is_alive()
    assert made.of(door, 3) is None
    assert not [each for each in threads() if each.name == "maps"]
