"""Both doors for agents of one graph, MCP and HTTP, in a process that the window starts for them.

Answers take the interpreter for a tenth of a second and more, in which a window that gave them
itself would stand still.
"""

import os
import signal
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread
from typing import Any

import uvicorn

from core.errors import ConstellationError
from core.model.asked import HTTP, MCP
from core.session.servers_and_clients import OpenDoor
from core.settings import load
from core.workspace import Workspace
from explorer.http import app as http_app
from explorer.http import server as http_server
from explorer.http.memory_maps import MapEngine
from explorer.http.tokens import Tokens
from explorer.loopback_server import HOST, listening
from explorer.mcp import http as mcp_http
from explorer.paced_refusals import Paced
from explorer.program_version import version

HTTP_PORT, MCP_PORT = 8322, 8323
"""Taken if they are free, so that a client's configuration stays true; else any other."""
START_S = 15
"""Seconds that a server may take to start."""
WAITING = 64
"""Connections that wait to be taken."""
GRACE_S = 1
"""Seconds that an answer under way may take when the doors close."""
END_S = 5
"""Seconds that it may take to end."""
KINDNESS = 5
"""How far the window's own threads go first when all cores are busy."""


def serve(connection: "Connection[Any, Any]", path: Path, agent: str) -> None:
    """Open the doors, tell their addresses, and keep them open until the window's end of the pipe
    is closed, or the window is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is the window's to handle
    if hasattr(os, "nice"):
        os.nice(KINDNESS)
    doors = _Doors(path, agent)
    with closing(doors):
        connection.send((doors.mcp, doors.http))
        with suppress(EOFError, OSError):
            connection.recv()
    connection.close()


class _Doors:
    """Both doors of one graph, from when they are made until they are closed.

    Attributes:
        mcp: the address for clients of the Model Context Protocol.
        http: the address for programs, which need a token.
    """

    def __init__(self, path: Path, agent: str) -> None:
        self._agent, self._servers = agent, list[uvicorn.Server]()
        settings = load().settings
        with ExitStack() as opened:
            graphs = http_app.OpenGraphs(lambda name: Workspace.open(path, agent=name))
            opened.callback(graphs.close)
            workspace, engine = graphs.of(agent), MapEngine(settings)
            opened.enter_context(closing(engine.maps))
            self.mcp = self._open(
                opened, workspace, MCP, MCP_PORT, mcp_http.PATH,
                lambda port, heard: mcp_http.application(
                    workspace, settings, version(), port, heard),
                mcp_http.config_of)
            self.http = self._open(
                opened, workspace, HTTP, HTTP_PORT, "",
                lambda port, heard: http_app.application(
                    graphs, engine, Tokens(agent=agent), version(), port, heard, at_once=1),
                http_server.config_of)
            self._await_start()
            self._opened = opened.pop_all()

    def close(self) -> None:
        """Close both; returns when nothing of them touches the file any more."""
        self._opened.close()

    def _open(
        self, opened: ExitStack, workspace: Workspace, name: str, port: int, path: str,
        application: Callable[[int, Any], Any], config: Callable[[Any], uvicorn.Config],
    ) -> str:
        """Open one door; returns its address."""
        listener = opened.enter_context(_listening(port))
        port = listener.getsockname()[1]
        address = f"http://{HOST}:{port}{path}"
        door = opened.enter_context(OpenDoor(workspace.sidecar, workspace.agent, name, address))
        setup = config(Paced(application(port, door.heard)))
        setup.backlog = WAITING
        setup.timeout_graceful_shutdown = GRACE_S
        server = uvicorn.Server(setup)
        thread = Thread(target=server.run, kwargs={"sockets": [listener]}, name=f"{name} door",
                        daemon=True)
        thread.start()
        self._servers.append(server)
        opened.callback(_end, server, thread)
        return address

    def _await_start(self) -> None:
        until = time.monotonic() + START_S
        while not all(server.started for server in self._servers):
            if time.monotonic() > until:
                raise ConstellationError("Agents could not be let in: the servers do not start",
                                         do="Try again in a moment")
            time.sleep(0.02)


def _listening(port: int) -> socket.socket:
    """A socket on this port, else on any that is free."""
    try:
        return listening(port)
    except ConstellationError:
        return listening(0)


def _end(server: uvicorn.Server, thread: Thread) -> None:
    """End a server, also where a client keeps its connection open."""
    server.should_exit = True
    thread.join(END_S)
