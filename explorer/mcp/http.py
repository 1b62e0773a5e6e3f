"""The same server over HTTP, for clients on this machine only."""

import socket
from collections.abc import Callable

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from core.errors import ConstellationError
from core.settings import Settings
from core.workspace import Workspace
from explorer.mcp.server import GraphServer

HOST, PATH = "127.0.0.1", "/mcp"


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
    with _listening(port) as listener:
        port = listener.getsockname()[1]
        app = GraphServer(workspace, settings, version).server.streamable_http_app(
            streamable_http_path=PATH, transport_security=_from_here(port))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False))
        ready(f"http://{HOST}:{port}{PATH}")
        server.run(sockets=[listener])


def _listening(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise ConstellationError(f"Port {port} can't be used", where=HOST, detail=str(error),
                                 do="Choose another one, or 0 for any that is free") from error
    return listener


def _from_here(port: int) -> TransportSecuritySettings:
    """What the headers Host and Origin may say."""
    names = [f"{HOST}:{port}", f"localhost:{port}"]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True, allowed_hosts=names,
        allowed_origins=[f"http://{name}" for name in names])
