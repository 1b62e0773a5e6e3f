"""Over HTTP the same server answers clients on this machine, and no page of a browser."""

import http.client
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest

from core.workspace import Workspace
from tests.explorer.mcp.agents import ROOT

MOST = pytest.importorskip("explorer.limit_idle_connections").MOST

INITIALIZE = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
    "protocolVersion": "2025-11-25", "capabilities": {},
    "clientInfo": {"name": "page", "version": "1"}}})


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the server listens."""
    pytest.importorskip("mcp.client.client")
    store = tmp_path_factory.mktemp("http") / "graph.db"
    data = store.parent / "data"
    Workspace.open(store, data_dir=data, create=True).close()
    with subprocess.Popen(
        [sys.executable, "-m", "explorer", "mcp", "--store", str(store), "--http", "0"], cwd=ROOT,
        stderr=subprocess.PIPE, text=True, env=os.environ | {"CONSTELLATION_DATA": str(data)},
    ) as server:
        assert server.stderr is not None
        line = server.stderr.readline()
        assert line.startswith("Listening on http://127.0.0.1:"), line + server.stderr.read()
        yield line.split()[-1]
        server.terminate()
        server.stderr.read()


def answer(address: str, body: str = INITIALIZE, **headers: str) -> tuple[int, str]:
    """The status and text of a request with these headers."""
    place = urlsplit(address)
    connection = http.client.HTTPConnection(place.hostname or "", place.port or 0, timeout=60)
    connection.request("POST", place.path, body.encode("utf-8", "surrogatepass"), {
        "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
        **{name.title(): value for name, value in headers.items()}})
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return response.status, text


def test_of_connections_that_ask_nothing_the_oldest_go(address: str) -> None:
    place = urlsplit(address)
    with ExitStack() as held:
        idle = [held.enter_context(socket.create_connection(
            (place.hostname or "", place.port or 0), timeout=60)) for _ in range(MOST + 20)]
        assert idle[0].recv(1) == b""
        assert answer(address)[0] == 200


def test_the_sdk_works_with_the_graph(address: str) -> None:
    client = pytest.importorskip("mcp.client.client").Client
    portal = pytest.importorskip("anyio.from_thread").start_blocking_portal
    alice = {"name": "Alice", "entityType": "person", "observations": ["hums"]}
    with portal() as calls, calls.wrap_async_context_manager(client(address)) as connected:
        made = calls.call(connected.call_tool, "create_entities", {"entities": [alice]})
        assert made.structured_content == {"entities": [alice]}
        graph = calls.call(connected.call_tool, "read_graph", {})
        assert graph.structured_content == {"entities": [alice], "relations": []}


def test_a_client_on_this_machine_is_answered(address: str) -> None:
    status, text = answer(address)
    assert status == 200
    assert "Constellation Explorer" in text


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example:1",
                                  "localhost", "127.0.0.1:1"])
def test_another_host_is_refused(address: str, host: str) -> None:
    assert answer(address, host=host)[0] == 421


@pytest.mark.parametrize("origin", ["https://evil.example", "http://localhost.evil.example",
                                    "http://127.0.0.1:1", "null"])
def test_a_page_from_elsewhere_is_refused(address: str, origin: str) -> None:
    assert answer(address, origin=origin)[0] == 403


def test_too_much_and_broken_json_is_refused(address: str) -> None:
    assert answer(address, " " * 5_000_000)[0] == 413
    assert answer(address, "{")[0] == 400
    assert answer(address, "[" * 100_000)[0] == 400
    assert answer(address)[0] == 200


def test_a_port_that_is_taken_is_said(address: str, tmp_path_factory: pytest.TempPathFactory
                                      ) -> None:
    folder = tmp_path_factory.mktemp("taken")
    done = subprocess.run(
        [sys.executable, "-m", "explorer", "mcp", "--store", str(folder / "graph.db"), "--http",
         str(urlsplit(address).port)], cwd=ROOT, capture_output=True, text=True,
        env=os.environ | {"CONSTELLATION_DATA": str(folder / "data")})
    assert done.returncode == 2
    assert f"Port {urlsplit(address).port} can't be used" in done.stderr
