"""What a client may send that is no proper message: the server answers the next one."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.explorer.mcp.agents import ROOT

INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
    "protocolVersion": "2025-06-18", "capabilities": {},
    "clientInfo": {"name": "you", "version": "1"}}}


def call(number: int, tool: str, arguments: str) -> bytes:
    """A call of a tool, with its arguments as they stand on the line."""
    return (f'{{"jsonrpc":"2.0","id":{number},"method":"tools/call",'
            f'"params":{{"name":"{tool}","arguments":{arguments}}}}}').encode()


def test_broken_lines_and_halves_of_characters_do_no_harm(tmp_path: Path) -> None:
    pytest.importorskip("mcp.server")
    with subprocess.Popen(
        [sys.executable, "-m", "explorer", "mcp", "--store", str(tmp_path / "graph.db")], cwd=ROOT,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env=os.environ | {"CONSTELLATION_DATA": str(tmp_path / "data")},
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None

        def ask(*lines: bytes) -> Any:
            server.stdin.write(b"".join(line + b"\n" for line in lines))
            server.stdin.flush()
            return json.loads(server.stdout.readline())

        ask(json.dumps(INITIALIZE).encode())
        made = ask(b'{"jsonrpc":"2.0","method":"notifications/initialized"}', b"{broken",
                   b"\xff\xfe\x00", b"[" * 50_000, call(2, "create_entities", (
                       '{"entities":[{"name":"cut \\ud83d","entityType":"x",'
                       '"observations":["nul \\u0000 sign"]}]}')))
        assert made["id"] == 2
        assert not made["result"]["isError"]
        shown = ask(call(3, "read_graph", "{}"))["result"]["structuredContent"]
        assert shown["entities"] == [
            {"name": "cut �", "entityType": "x", "observations": ["nul  sign"]}]
        server.stdin.close()
        assert server.wait(timeout=60) == 0
