"""What a client may send that is no proper message: the server answers the next one."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
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


class Lines:
    """A server that has been greeted: lines in, lines out."""

    def __init__(self, server: "subprocess.Popen[bytes]") -> None:
        assert server.stdin is not None
        assert server.stdout is not None
        self.stdin, self.stdout = server.stdin, server.stdout
        self.ask(json.dumps(INITIALIZE).encode())
        self.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')

    def send(self, *lines: bytes) -> None:
        self.stdin.write(b"".join(line + b"\n" for line in lines))
        self.stdin.flush()

    def read(self) -> Any:
        return json.loads(self.stdout.readline())

    def ask(self, *lines: bytes) -> Any:
        self.send(*lines)
        return self.read()


def started(folder: Path) -> "subprocess.Popen[bytes]":
    """A server of a new graph."""
    pytest.importorskip("mcp.server")
    return subprocess.Popen(
        [sys.executable, "-m", "explorer", "mcp", "--store", str(folder / "graph.db")], cwd=ROOT,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env=os.environ | {"CONSTELLATION_DATA": str(folder / "data")})


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lines]:
    with started(tmp_path_factory.mktemp("raw")) as server:
        connected = Lines(server)
        yield connected
        connected.stdin.close()
        assert server.wait(timeout=60) == 0


def test_broken_lines_and_halves_of_characters_do_no_harm(lines: Lines) -> None:
    lines.send(b"{broken", b"\xff\xfe\x00", b"", b"[" * 50_000)
    for _ in range(3):
        refused = lines.read()
        assert (refused["id"], refused["error"]["code"]) == (None, -32700)
    made = lines.ask(call(2, "create_entities", (
        '{"entities":[{"name":"cut \\ud83d","entityType":"x",'
        '"observations":["nul \\u0000 sign"]}]}')))
    assert made["id"] == 2
    assert not made["result"]["isError"]
    shown = lines.ask(call(3, "read_graph", "{}"))["result"]["structuredContent"]
    assert shown["entities"] == [
        {"name": "cut �", "entityType": "x", "observations": ["nul  sign"]}]


def test_json_that_is_no_message_is_answered_as_the_protocol_says(lines: Lines) -> None:
    known = call(4, "read_graph", "{}")
    for line, asked in ((b"[]", None), (b"5", None), (b"{}", None), (b'"ping"', None),
                        (b"null", None), (b"[" + known + b"]", None),
                        (b'{"jsonrpc":"1.0","id":"a","method":"ping"}', "a"),
                        (b'{"jsonrpc":"2.0","id":7}', 7), (b'{"id":true}', None)):
        refused = lines.ask(line)
        assert (refused["id"], refused["error"]["code"]) == (asked, -32600), line
    assert "Send one message on each line" in refused["error"]["message"]
    assert lines.ask(known)["id"] == 4


def test_calls_sent_without_waiting_run_and_are_answered_in_their_order(lines: Lines) -> None:
    asked = []
    for number in range(15):
        said = f'{{"observations":[{{"entityName":"Log","contents":["entry {number}"]}}]}}'
        create = '{"entities":[{"name":"Log","entityType":"x","observations":[]}]}'
        asked += [("create_entities", create), ("add_observations", said),
                  ("open_nodes", '{"names":["Log"]}'),
                  ("delete_entities", '{"entityNames":["Log"]}'),
                  ("open_nodes", '{"names":["Log"]}')]
    lines.send(*(call(100 + place, *each) for place, each in enumerate(asked)))
    answers = [lines.read() for _ in asked]
    assert [answer["id"] for answer in answers] == [100 + place for place in range(len(asked))]
    for number in range(15):
        there, gone = (answers[5 * number + place]["result"]["structuredContent"]["entities"]
                       for place in (2, 4))
        assert f"entry {number}" in there[0]["observations"]
        assert gone == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no such signal")
def test_an_interrupt_ends_the_server_while_its_client_is_silent(tmp_path: Path) -> None:
    with started(tmp_path) as server:
        Lines(server).ask(call(2, "read_graph", "{}"))
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=30) == 130
