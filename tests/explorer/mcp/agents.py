"""An agent: the SDK's own client over a process that the test starts."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from core.workspace import Workspace

CLIENT = "claude-desktop"
ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True, slots=True)
class Agent:
    """What an agent can ask; each call waits for its answer."""

    client: Any
    portal: Any
    store: Path
    data: Path

    def ask(self, method: str, *given: Any) -> Any:
        """`ask("list_tools")`: any call of the client."""
        return self.portal.call(getattr(self.client, method), *given)

    def call(self, tool: str, **arguments: Any) -> Any:
        """The object that a tool answers; fails where the answer is an error."""
        result = self.ask("call_tool", tool, arguments)
        assert not result.is_error, result.content[0].text
        return result.structured_content

    def text(self, tool: str, **arguments: Any) -> str:
        """The text that a model reads, of an error, too."""
        return str(self.ask("call_tool", tool, arguments).content[0].text)

    @contextmanager
    def graph(self) -> Iterator[Workspace]:
        """The same file as a person has it open."""
        workspace = Workspace.open(self.store, data_dir=self.data)
        yield workspace
        workspace.close()


@contextmanager
def agent_of(store: Path, *options: str, **environment: str) -> Iterator[Agent]:
    """An agent whose client starts `constellation mcp` as its configuration says."""
    # Skipped where the SDK is not installed: nothing but this command needs it.
    client = pytest.importorskip("mcp.client.client").Client
    stdio = pytest.importorskip("mcp.client.stdio")
    types = pytest.importorskip("mcp.types")
    anyio = pytest.importorskip("anyio.from_thread")
    data = store.parent / "data"
    server = stdio.StdioServerParameters(
        command=sys.executable, args=["-m", "explorer", "mcp", *options], cwd=ROOT,
        env={"CONSTELLATION_DATA": str(data), **environment})
    with anyio.start_blocking_portal() as portal:
        made = client(stdio.stdio_client(server),
                      client_info=types.Implementation(name=CLIENT, version="1"))
        with portal.wrap_async_context_manager(made) as connected:
            yield Agent(connected, portal, store, data)
