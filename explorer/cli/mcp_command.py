"""`mcp`: lets an agent use a graph as its memory, by the Model Context Protocol."""

from importlib import import_module
from typing import Any

from core.errors import ConstellationError
from core.settings import load
from explorer.cli.engine_options import patient
from explorer.cli.files import version
from explorer.cli.open_graph import reading
from explorer.cli.options import EVERYONE, AgentName, Store


def serve_agents(store: Store = None, agent: AgentName = EVERYONE) -> None:
    """Let an agent use a graph as its memory, over standard input and output (MCP).

    It has the tools of the MCP reference memory server. What it deletes can be undone.
    """
    server = _server()
    with reading(store, agent) as workspace:
        server.serve_stdio(workspace, patient(load().settings, None), version())


def _server() -> Any:
    """The module that needs the protocol's SDK, loaded by this command only: the others start
    without it."""
    try:
        return import_module("explorer.mcp.server")
    except ImportError as error:
        if (error.name or "").split(".")[0] != "mcp":
            raise
        raise ConstellationError(
            "The SDK of the Model Context Protocol is not installed", detail=str(error),
            do="Run “make set-up”, or install the package “mcp”") from error
