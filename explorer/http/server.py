"""The server itself: uvicorn on a socket of this machine, with a bound on idle connections."""

from collections.abc import Callable
from contextlib import closing
from typing import Any, ClassVar

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from core.model.asked import HTTP
from core.session.visits import OpenDoor
from core.settings import Settings
from explorer.http.app import OpenGraphs, application
from explorer.http.maps import MapEngine
from explorer.http.tokens import Tokens
from explorer.loopback import HOST, end_in_order, listening

MOST = 400
"""Connections that are held without a request; for a further one the oldest is closed."""
IDLE_S = 5
"""Seconds that a connection may take to say what it asks."""


class Patient(H11Protocol):
    """A connection that is closed where no whole request comes, also before its first."""

    waiting: ClassVar[dict["Patient", None]] = {}
    """Connections that have asked nothing yet, oldest first."""

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


def serve(
    graphs: OpenGraphs, settings: Settings, tokens: Tokens, version: str, port: int,
    ready: Callable[[str], None], agent: str = "default",
) -> None:
    """Serve programs on this machine until it is interrupted.

    Args:
        port: 0 for any that is free.
        ready: hears the address once it is taken.
        agent: whose graph the door is listed with.
    """
    engine = MapEngine(settings)
    with listening(port) as listener, closing(engine.maps):
        port = listener.getsockname()[1]
        address = f"http://{HOST}:{port}"
        with OpenDoor(graphs.of(agent).sidecar, agent, HTTP, address) as door:
            app = application(graphs, engine, tokens, version, port, door.heard)
            server = uvicorn.Server(config_of(app))
            end_in_order()
            ready(address)
            server.run(sockets=[listener])


def config_of(app: Any) -> uvicorn.Config:
    """How the application is served; what goes wrong is said on standard error."""
    return uvicorn.Config(app, http=Patient, ws="none", log_level="warning", access_log=False,
                          server_header=False, timeout_keep_alive=IDLE_S)
