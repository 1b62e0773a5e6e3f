"""The same server over HTTP, for clients on this machine only."""

from collections.abc import Callable

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from core.settings import Settings
from core.workspace import Workspace
from explorer.loopback import HOST, hosts, listening, origins
from explorer.mcp.server import GraphServer

PATH = "/mcp"


def serve_http(
    workspace: Workspace, settings: Settings, version: str, port: int,
    ready: Callable[[str], None],
) -> None:
    """Serve clients on this machine until it is interrupted.

    A page in a browser can't get in: requests must name this machine (no DNS rebinding), and those
    that say which page they come from must come from here.

    Args:
        port: 0 for any that is free.
        ready: hears the address once it is taken.
    """
    with listening(port) as listener:
        port = listener.getsockname()[1]
        app = GraphServer(workspace, settings, version).server.streamable_http_app(
            streamable_http_path=PATH, transport_security=_from_here(port))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False))
        ready(f"http://{HOST}:{port}{PATH}")
        server.run(sockets=[listener])


def _from_here(port: int) -> TransportSecuritySettings:
    """What the headers Host and Origin may say."""
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True, allowed_hosts=hosts(port),
        allowed_origins=origins(port))
