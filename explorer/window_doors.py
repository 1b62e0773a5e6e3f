"""The doors for agents that the window opens: starts their process, and hears when it ends."""

from importlib import import_module
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from core.errors import ConstellationError

START_S = 60
"""Seconds that the process may take to load and open the doors."""
END_S = 10
"""Seconds that it may take to close them."""


def serve(connection: "Connection[Any, Any]", path: Path, agent: str) -> None:
    """In the process: load what the servers need, which the window is spared, and serve."""
    try:
        import_module("explorer.door_process").serve(connection, path, agent)
    except ImportError as error:
        connection.send({"what": "What lets agents in is not installed", "detail": str(error),
                         "do": "Run “make set-up”, or install “mcp”, “fastapi” and “uvicorn”"})
    except ConstellationError as error:
        connection.send({"what": error.what, "where": error.where, "do": error.do,
                         "detail": error.detail})


class WindowDoors:
    """Both doors of one graph, from when they are made until they are closed.

    They are a process of their own, which ends with the window, however the window ends.

    Attributes:
        mcp: the address for clients of the Model Context Protocol.
        http: the address for programs, which need a token.
    """

    def __init__(self, path: Path, agent: str) -> None:
        self._agent = agent
        context = get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process: BaseProcess = context.Process(
            target=serve, args=(theirs, path, agent), name="doors", daemon=True)
        self._process.start()
        theirs.close()  # so that its end of the pipe closes with the process
        try:
            self.mcp, self.http = self._told()
        except BaseException:
            self.close()
            raise

    def _told(self) -> tuple[str, str]:
        """The addresses, once the doors are open."""
        try:
            told = self._connection.recv() if self._connection.poll(START_S) else None
        except (EOFError, OSError):
            told = None
        if isinstance(told, dict):
            raise ConstellationError(**told)
        if told is None:
            raise ConstellationError("Agents could not be let in: the servers do not start",
                                     do="Try again in a moment")
        mcp, http = told
        return mcp, http

    @property
    def is_open(self) -> bool:
        """False once the process has ended by itself, or was ended by somebody else."""
        return self._process.is_alive()

    def new_token(self, may: str) -> str:
        """Make a token for programs and return it; it can't be read again."""
        # Few windows let programs in, and the settings that it loads take long.
        from explorer.http.tokens import create  # noqa: PLC0415

        return create("modify" if may == "modify" else "recall", self._agent)

    def close(self) -> None:
        """Close both; returns when nothing of them touches the file any more."""
        self._connection.close()
        self._process.join(END_S)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process.close()
