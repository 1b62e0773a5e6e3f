"""Who is let in: the doors of a graph that are open, and the clients that were heard at them.

Each door is a process of its own, which may end without a word; so an open door says every few
seconds that it is still there, in the sidecar.
"""

import os
import time
import uuid
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from threading import Event, Thread
from types import TracebackType

from core.errors import ConstellationError
from core.model.asked import Visit
from core.store import asked_log_and_visits
from core.store.reader_and_writer import stamp
from core.store.sidecar import Sidecar

BEAT_S = 10
"""Seconds between two signs of life of an open door."""
GONE_S = 35
"""Seconds after which a door that gave no sign is taken for closed."""
QUIET_S = 900
"""Seconds after which a client that asked nothing is no longer listed."""
_HEARD_S = 2
"""Seconds within which a client that asks again is not noted again."""


class OpenDoor:
    """One door, from when it opens until it closes. A failure of the sidecar does not matter.

    Args:
        door: `MCP` or `HTTP`.
        address: where it listens; empty for a pipe to one client.
    """

    def __init__(self, sidecar: Sidecar, agent: str, door: str, address: str = "") -> None:
        self._sidecar, self._agent, self._fields = sidecar, agent, (door, address)
        self._id = f"{os.getpid()}-{uuid.uuid4().hex[:8]}"
        self._heard: dict[str, float] = {}
        self._closed = Event()
        self._beats = Thread(target=self._beat, name="open door", daemon=True)

    def __enter__(self) -> "OpenDoor":
        with suppress(ConstellationError):
            asked_log_and_visits.drop_visits(self._sidecar, "", _ago(QUIET_S))
        self._put(self._id, "")
        self._beats.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._closed.set()
        self._beats.join()
        with suppress(ConstellationError):
            asked_log_and_visits.drop_visits(self._sidecar, self._id, "")

    def heard(self, who: str, agent: str = "") -> None:
        """Note that a client is there."""
        now = time.monotonic()
        if now - self._heard.get(who, -_HEARD_S) >= _HEARD_S:
            self._heard[who] = now
            self._put(f"{self._id}/{who}", who, agent)

    def _beat(self) -> None:
        while not self._closed.wait(BEAT_S):
            self._put(self._id, "")

    def _put(self, id: str, who: str, agent: str = "") -> None:
        with suppress(ConstellationError):
            asked_log_and_visits.put_visit(self._sidecar, id, agent or self._agent, stamp(),
                                (who, *self._fields))


def visits(sidecar: Sidecar) -> tuple[tuple[Visit, ...], tuple[Visit, ...]]:
    """The doors that are open, and the clients that were heard at them, the first come first."""
    every = [Visit(id, who, door, address, since, seen, agent) for
             id, agent, who, door, address, since, seen in
             asked_log_and_visits.visits(sidecar, _ago(QUIET_S))]
    alive, now = _ago(GONE_S), stamp()
    doors = tuple(each for each in every if not each.who and alive <= each.seen <= now)
    ids = {door.id for door in doors}
    return doors, tuple(each for each in every if each.who and each.id.split("/")[0] in ids)


def _ago(seconds: float) -> str:
    return stamp(datetime.now(UTC) - timedelta(seconds=seconds))
