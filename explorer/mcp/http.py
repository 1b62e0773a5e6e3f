"""The same server over HTTP, for clients on this machine only."""

from collections.abc import Callable
from typing import Any

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from core.model.asked import MCP
from core.session.servers_and_clients import OpenDoor
from core.settings import Settings
from core.workspace import Workspace
from explorer.limit_idle_connections import Patient
from explorer.loopback_server import HOST, end_in_order, hosts, listening, origins
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
        address = f"http://{HOST}:{port}{PATH}"
        with OpenDoor(workspace.sidecar, workspace.agent, MCP, address) as door:
            app = application(workspace, settings, version, port, door.heard)
            server = uvicorn.Server(config_of(app))
            end_in_order()
            ready(address)
            server.run(sockets=[listener])


def config_of(app: Any) -> uvicorn.Config:
    """How the application is served; what goes wrong is said on standard error."""
    return uvicorn.Config(app, http=Patient, log_level="warning", access_log=False)


def application(
    workspace: Workspace, settings: Settings, version: str, port: int,
    heard: Callable[[str], None],
) -> Any:
    """The server as an application for this port; `heard` is told who calls."""
    return GraphServer(workspace, settings, version, heard).server.streamable_http_app(
        streamable_http_path=PATH, transport_security=_from_here(port))


def _from_here(port: int) -> TransportSecuritySettings:
    """What the headers Host and Origin may say."""
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True, allowed_hosts=hosts(port),
        allowed_origins=origins(port))
