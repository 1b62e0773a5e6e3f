"""The protocol's own server with our tools, over standard input and output.

The only modules that load the SDK are this one and those that import it; the command does so when
it runs.
"""

from functools import partial
from typing import Any

import anyio
import mcp.types as protocol
from anyio import CapacityLimiter, to_thread
from mcp.server import Server
from mcp.server.stdio import stdio_server

from core.errors import ConstellationError, OperationError
from core.model.names import choices, storable
from core.model.text_format import one_line
from core.settings import Settings
from core.workspace import Workspace
from explorer.mcp.changing_tools import CHANGING_TOOLS
from explorer.mcp.memory_tools import MEMORY_TOOLS
from explorer.mcp.reading_tools import READING_TOOLS
from explorer.mcp.tool import Answer, Door, Engine, Tool, schema

TOOLS = {tool.name: tool for tool in (*MEMORY_TOOLS, *READING_TOOLS, *CHANGING_TOOLS)}
_LONGEST_NAME = 60
"""Characters of a client's name that are recorded."""


class GraphServer:
    """Answers what agents ask of one graph."""

    def __init__(self, workspace: Workspace, settings: Settings, version: str) -> None:
        self._workspace, self._engine = workspace, Engine(settings)
        # Calls are taken one by one, so that each sees what the one before it did.
        self._turn = CapacityLimiter(1)
        self.server: Server[Any] = Server(
            "constellation", version=version,
            title="Constellation Explorer", on_list_tools=self._list_tools,
            on_call_tool=self._call_tool)

    async def _list_tools(self, context: Any, given: Any) -> protocol.ListToolsResult:
        return protocol.ListToolsResult(tools=[_described(tool) for tool in TOOLS.values()])

    async def _call_tool(self, context: Any, given: Any) -> protocol.CallToolResult:
        door = Door(self._workspace, self._engine, _caller(context))
        try:
            answer = await self._run(partial(_answer, door, given.name, given.arguments or {}))
        except ConstellationError as error:
            return protocol.CallToolResult(content=[_text(str(error))], is_error=True)
        return protocol.CallToolResult(content=[_text(answer.text)],
                                       structured_content=answer.structured)

    async def _run(self, call: Any) -> Any:
        return await to_thread.run_sync(call, limiter=self._turn)


def serve_stdio(workspace: Workspace, settings: Settings, version: str) -> None:
    """Serve one client over standard input and output until it closes them."""
    anyio.run(_serve_stdio, GraphServer(workspace, settings, version).server)


async def _serve_stdio(server: Server[Any]) -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def _answer(door: Door, name: str, arguments: dict[str, object]) -> Answer:
    if name not in TOOLS:
        raise OperationError(404, f"Unknown tool: {storable(name)}", do=choices(name, TOOLS))
    return TOOLS[name].call(door, arguments)


def _described(tool: Tool) -> protocol.Tool:
    return protocol.Tool(
        name=tool.name, title=tool.title, description=tool.description,
        input_schema=tool.input_schema(),
        output_schema=schema(tool.answer) if tool.answer else None,
        annotations=protocol.ToolAnnotations(
            read_only_hint=tool.reads, destructive_hint=tool.destructive,
            idempotent_hint=tool.reads or tool.idempotent, open_world_hint=False))


def _text(words: str) -> protocol.TextContent:
    return protocol.TextContent(type="text", text=words)


def _caller(context: Any) -> str:
    """The name of the client for the record; the last word keeps it from passing as a person."""
    client = context.session.client_params
    name = one_line(storable(client.client_info.name), _LONGEST_NAME) if client else ""
    return f"{name or 'agent'} via MCP"
