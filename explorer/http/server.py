"""The server itself: uvicorn on a socket of this machine, with a bound on idle connections."""

from collections.abc import Callable
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from core.settings import Settings
from explorer.http.app import OpenGraphs, application
from explorer.http.tokens import Tokens
from explorer.loopback import HOST, listening

MOST = 400
"""Connections that are held at once; a further one is closed at once."""
IDLE_S = 5
"""Seconds after which a connection is closed that asks nothing."""


class Patient(H11Protocol):
    """A connection that is closed when it asks nothing, also before its first request."""

    def connection_made(self, transport: Any) -> None:
        """Take a connection, unless there are too many."""
        super().connection_made(transport)
        if len(self.connections) > MOST:
            transport.close()
            return
        self.timeout_keep_alive_task = self.loop.call_later(
            self.timeout_keep_alive, self.timeout_keep_alive_handler)


def serve(
    graphs: OpenGraphs, settings: Settings, tokens: Tokens, version: str, port: int,
    ready: Callable[[str], None],
) -> None:
    """Serve programs on this machine until it is interrupted.

    Args:
        port: 0 for any that is free.
        ready: hears the address once it is taken.
    """
    with listening(port) as listener:
        port = listener.getsockname()[1]
        server = uvicorn.Server(uvicorn.Config(
            application(graphs, settings, tokens, version, port), http=Patient, ws="none",
            log_level="warning", access_log=False, server_header=False,
            timeout_keep_alive=IDLE_S))
        ready(f"http://{HOST}:{port}")
        server.run(sockets=[listener])
