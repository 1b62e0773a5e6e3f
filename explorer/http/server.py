"""The server itself: uvicorn on a socket of this machine."""

from collections.abc import Callable
from contextlib import closing
from typing import Any

import uvicorn

from core.model.asked import HTTP
from core.session.servers_and_clients import OpenDoor
from core.settings import Settings
from explorer.http.app import OpenGraphs, application
from explorer.http.memory_maps import MapEngine
from explorer.http.tokens import Tokens
from explorer.limit_idle_connections import IDLE_S, Patient
from explorer.loopback_server import HOST, end_in_order, listening


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
