"""The protocol's own server with our tools, resources and prompts.

Only this module and `http` load the SDK; the command does so when it runs.
"""

import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from io import TextIOWrapper
from typing import Any, TypeVar

import anyio
import mcp.types as protocol
from anyio import Lock, to_thread
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from core.errors import ConstellationError, OperationError
from core.model.asked import MCP
from core.model.did_you_mean import choices
from core.model.names import storable
from core.model.text_formatting import one_line
from core.queries.authors import VIA_MCP
from core.session.servers_and_clients import OpenDoor
from core.settings import Settings
from core.workspace import Workspace
from explorer.caller_arguments import schema, whole
from explorer.graph_for_caller import Answer, Door, Engine
from explorer.mcp import resources
from explorer.mcp.assertion_tools import ASSERTION_TOOLS
from explorer.mcp.changing_tools import CHANGING_TOOLS
from explorer.mcp.comparison_and_walk_tools import PAST_TOOLS
from explorer.mcp.conflict_tools import MERGE_TOOLS
from explorer.mcp.expectation_tools import EXPECTATION_TOOLS
from explorer.mcp.health_and_statistics_tools import HEALTH_TOOLS
from explorer.mcp.prompts import PROMPTS, Prompt, prompt_text
from explorer.mcp.reading_tools import READING_TOOLS
from explorer.mcp.reference_server_tools import MEMORY_TOOLS
from explorer.mcp.tool import Tool
from explorer.mcp.unseen_writes_inbox_tool import INBOX_TOOLS

T = TypeVar("T")
TOOLS = {tool.name: tool for tool in (
    *MEMORY_TOOLS, *READING_TOOLS, *CHANGING_TOOLS, *ASSERTION_TOOLS,
    *HEALTH_TOOLS, *MERGE_TOOLS, *EXPECTATION_TOOLS, *INBOX_TOOLS, *PAST_TOOLS)}
INSTRUCTIONS = (
    "This is your long-term memory, and a person sees it. Call session_context first: it"
    " tells the rules of what is pinned and of what you ask about, and they bind you. Ask recall"
    " before you guess, also for the rules of what comes up later. Remember what will be worth"
    " knowing later. You never decide: changes that take something away or concern a rule are"
    " proposed, and my_proposals tells what the person decided.")
_ONE_EACH = "Send one message on each line"
_LONGEST_NAME = 60
"""Characters of a client's name that are recorded."""


class GraphServer:
    """Answers what agents ask of one graph; `heard` is told the names of those who do."""

    def __init__(
        self, workspace: Workspace, settings: Settings, version: str,
        heard: Callable[[str], None] = lambda who: None,
    ) -> None:
        self._workspace, self._engine, self._heard = workspace, Engine(settings), heard
        # What is asked is answered one by one, in the order in which it came.
        self._turn = Lock()
        self.server: Server[Any] = Server(
            "constellation", version=version, title="Constellation Explorer",
            instructions=INSTRUCTIONS,
            on_list_tools=self._list_tools, on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_kinds, on_read_resource=self._read_resource,
            on_list_prompts=self._list_prompts, on_get_prompt=self._get_prompt)

    # -- tools -------------------------------------------------------------------------------

    async def _list_tools(self, context: Any, given: Any) -> protocol.ListToolsResult:
        await to_thread.run_sync(self._heard, _caller(context))
        return protocol.ListToolsResult(tools=[_described(tool) for tool in TOOLS.values()])

    async def _call_tool(self, context: Any, given: Any) -> protocol.CallToolResult:
        try:
            answer = await self._run(context, _answer, given.name, given.arguments or {})
        except ConstellationError as error:
            return protocol.CallToolResult(content=[_text(str(error))], is_error=True)
        texts = [answer.text, *([answer.note] if answer.note else [])]
        return protocol.CallToolResult(content=[_text(words) for words in texts],
                                       structured_content=answer.structured)

    # -- resources ---------------------------------------------------------------------------

    async def _list_resources(self, context: Any, given: Any) -> protocol.ListResourcesResult:
        items = await self._run(context, resources.listed)
        return protocol.ListResourcesResult(resources=[
            protocol.Resource(name=item.title, uri=item.uri, description=item.description,
                              mime_type=item.kind) for item in items])

    async def _list_kinds(self, context: Any, given: Any) -> protocol.ListResourceTemplatesResult:
        return protocol.ListResourceTemplatesResult(resource_templates=[
            protocol.ResourceTemplate(name=item.title, uri_template=item.uri,
                                      description=item.description, mime_type=item.kind)
            for item in resources.KINDS])

    async def _read_resource(self, context: Any, given: Any) -> protocol.ReadResourceResult:
        text, kind = await self._told(context, resources.read, storable(str(given.uri)))
        return protocol.ReadResourceResult(contents=[protocol.TextResourceContents(
            uri=given.uri, mime_type=kind, text=text)])

    # -- prompts -----------------------------------------------------------------------------

    async def _list_prompts(self, context: Any, given: Any) -> protocol.ListPromptsResult:
        return protocol.ListPromptsResult(prompts=[_prompt(each) for each in PROMPTS.values()])

    async def _get_prompt(self, context: Any, given: Any) -> protocol.GetPromptResult:
        arguments = {name: storable(value) for name, value in (given.arguments or {}).items()}
        text = await self._told(context, prompt_text, given.name, arguments)
        return protocol.GetPromptResult(
            description=PROMPTS[given.name].description,
            messages=[protocol.PromptMessage(role="user", content=_text(text))])

    # -- the graph ---------------------------------------------------------------------------

    async def _run(self, context: Any, answer: Callable[..., T], *given: object) -> T:
        """What a function answers in its turn, away from the connection.

        A client may send several calls without waiting. The turn is taken before anything else is
        waited for, so that none passes another: what reads sees what was written before it.
        """
        door = Door(self._workspace, self._engine, _caller(context), MCP)
        async with self._turn:
            await to_thread.run_sync(self._heard, door.actor)
            return await to_thread.run_sync(partial(answer, door, *given))

    async def _told(self, context: Any, answer: Callable[..., T], *given: object) -> T:
        """The same, where an error is the protocol's own."""
        try:
            return await self._run(context, answer, *given)
        except ConstellationError as error:
            raise MCPError(protocol.INVALID_PARAMS, str(error)) from error


def serve_stdio(workspace: Workspace, settings: Settings, version: str) -> None:
    """Serve one client over standard input and output until it closes them."""
    with OpenDoor(workspace.sidecar, workspace.agent, MCP) as door:
        anyio.run(_serve_stdio, GraphServer(workspace, settings, version, door.heard).server)


class _Lines:
    """The lines of standard input; a half of a character in one is replaced.

    The SDK takes such a line for no JSON, but a client that cuts a text off in the middle of a
    sign sends one. It answers none that is no message either: `refuse` is told what to answer. A
    line is waited for on a thread that is left behind where the wait is cancelled, as by Ctrl+C.
    """

    def __init__(self) -> None:
        self._text = TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace")
        self.refuse: Callable[[protocol.JSONRPCError], Awaitable[None]] | None = None

    async def __aiter__(self) -> AsyncIterator[str]:
        while line := await to_thread.run_sync(self._text.readline, abandon_on_cancel=True):
            message = _message(line) if line.strip() else None
            if isinstance(message, str):
                yield message
            elif message is not None and self.refuse is not None:
                await self.refuse(message)


def _message(line: str) -> str | protocol.JSONRPCError:
    """A line without halves of characters; what to answer where it is no message."""
    try:
        content = json.loads(line)
        text = json.dumps(whole(content)) + "\n" if "\\ud" in line.lower() else line
    except (ValueError, RecursionError):
        return _refusal(protocol.PARSE_ERROR, f"This line is no JSON. {_ONE_EACH}")
    try:
        protocol.jsonrpc_message_adapter.validate_json(text, by_name=False)
    except ValidationError:
        asked = content.get("id") if isinstance(content, dict) else None
        known = asked if isinstance(asked, str | int) and not isinstance(asked, bool) else None
        what = "A batch is no message" if isinstance(content, list) else "This is no message"
        return _refusal(protocol.INVALID_REQUEST, f"{what} of JSON-RPC 2.0. {_ONE_EACH}", known)
    return text


def _refusal(code: int, words: str, asked: str | int | None = None) -> protocol.JSONRPCError:
    return protocol.JSONRPCError(
        jsonrpc="2.0", id=asked, error=protocol.ErrorData(code=code, message=words))


async def _serve_stdio(server: Server[Any]) -> None:
    lines = _Lines()
    source: Any = lines
    async with stdio_server(stdin=source) as (read, write):
        async def refuse(answer: protocol.JSONRPCError) -> None:
            await write.send(SessionMessage(answer))

        lines.refuse = refuse
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


def _prompt(prompt: Prompt) -> protocol.Prompt:
    return protocol.Prompt(
        name=prompt.name, title=prompt.title, description=prompt.description,
        arguments=[protocol.PromptArgument(name=name, description=what, required=needed)
                   for name, (what, needed) in prompt.arguments.items()])


def _text(words: str) -> protocol.TextContent:
    return protocol.TextContent(type="text", text=words)


def _caller(context: Any) -> str:
    """The name of the client for the record; the last word keeps it from passing as a person."""
    client = context.session.client_params
    name = one_line(storable(client.client_info.name), _LONGEST_NAME) if client else ""
    return f"{name or 'agent'}{VIA_MCP}"
