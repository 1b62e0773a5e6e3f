"""The command as a process: its tokens, its port, its callers, its end."""

import http.client
import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from core.session.servers_and_clients import visits
from core.workspace import Workspace
from explorer.http import tokens
from tests.contracts.files import make
from tests.explorer.conftest import Run

ROOT = Path(__file__).resolve().parents[3]
LIST = "/api/knowledge/entities"


@dataclass(frozen=True, slots=True)
class Server:
    """A server that runs, what it printed at its start, and where its tokens are."""

    port: int
    printed: str
    folder: Path

    def ask(self, token: str, method: str = "GET", path: str = LIST, **headers: str
            ) -> tuple[int, dict[str, object]]:
        """The status and the object of one request."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request(method, path, headers={"Authorization": f"Bearer {token}", **headers})
        response = connection.getresponse()
        answer = json.loads(response.read())
        connection.close()
        return response.status, answer

    def token(self, may: str) -> str:
        """The token that was shown at the start."""
        [shown] = re.findall(rf"^{may} token: (\S+)$", self.printed, re.MULTILINE)
        return shown


@contextmanager
def served(folder: Path, **environment: str) -> Iterator[Server]:
    """`constellation serve` on the world of the contract tests."""
    pytest.importorskip("fastapi")
    if not (folder / "graph.db").exists():
        make("native", folder / "graph.db", folder / "data").close()
    with subprocess.Popen(
        [sys.executable, "-m", "explorer", "serve", "--store", str(folder / "graph.db"),
         "--port", "0"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=os.environ | {"CONSTELLATION_DATA": str(folder / "data"),
                          "CONSTELLATION_SETTINGS": str(folder / "settings.toml"), **environment},
    ) as process:
        assert process.stderr is not None
        assert process.stdout is not None
        lines = []
        while not (lines and lines[-1].startswith("Listening on ")):
            lines.append(process.stderr.readline())
            assert lines[-1], "".join(lines)
        address = urlsplit(lines[-1].split()[-1])
        assert address.hostname == "127.0.0.1"
        process.stderr.flush()
        printed = "" if "token" not in "".join(lines) else "".join(
            process.stdout.readline() for _ in range(2))
        yield Server(address.port or 0, printed, folder)
        process.terminate()
        process.communicate()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One process for the tests of this module."""
    with served(tmp_path_factory.mktemp("served")) as running:
        yield running


def test_the_first_start_shows_a_token_for_each_capability(server: Server) -> None:
    recall, modify = server.token("recall"), server.token("modify")
    assert server.ask(recall)[0] == server.ask(modify)[0] == 200
    pin = "/api/knowledge/entities/e-harbor/pin"
    assert server.ask(recall, "POST", pin)[0] == 403
    assert server.ask(modify, "POST", pin, **{"x-signet-actor-type": "operator"})[0] == 200


def test_tokens_are_kept_as_hashes_that_nobody_else_can_read(server: Server) -> None:
    file = server.folder / "tokens.json"
    assert server.token("recall") not in file.read_text()
    if os.name == "posix":
        assert file.stat().st_mode & 0o777 == 0o600


def test_a_later_start_shows_none_and_a_variable_sets_one(server: Server) -> None:
    own = "a token that nobody guesses"
    with served(server.folder, CONSTELLATION_TOKEN=own) as again:
        assert again.printed == ""
        assert again.ask(own, "POST", "/api/knowledge/entities/e-tide/pin",
                         **{"x-signet-actor-type": "operator"})[0] == 200
        assert again.ask(server.token("recall"))[0] == 200
    assert server.ask(own)[0] == 401
    assert own not in (server.folder / "tokens.json").read_text()


def test_a_server_that_is_told_to_end_leaves_no_open_door(tmp_path: Path) -> None:
    with served(tmp_path) as running:
        folder = running.folder
    graph = Workspace.open(folder / "graph.db", data_dir=folder / "data")
    assert visits(graph.sidecar)[0] == ()
    graph.close()


def test_only_this_machine_can_reach_it(server: Server) -> None:
    assert server.ask(server.token("recall"), Host="evil.example")[0] == 421
    assert server.ask(server.token("recall"), Origin="https://evil.example")[0] == 403


def test_connections_that_ask_nothing_stop_nobody(server: Server) -> None:
    with ExitStack() as held:
        for _ in range(600):
            idle = held.enter_context(socket.socket())
            idle.connect(("127.0.0.1", server.port))
    assert server.ask(server.token("recall"))[0] == 200


def test_what_is_no_http_does_not_stop_it(server: Server) -> None:
    for nonsense in (b"\x00\xff" * 50_000, b"GET / HTTP/9.9\r\n\r\n", b"GET /\r\n" * 10_000):
        with socket.socket() as connection:
            connection.connect(("127.0.0.1", server.port))
            try:
                connection.sendall(nonsense)
                connection.recv(100)
            except ConnectionError:
                pass
    assert server.ask(server.token("recall"))[0] == 200


def test_a_port_that_is_taken_and_a_token_that_is_short_are_said(
    server: Server, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONSTELLATION_DATA", str(server.folder / "data"))
    monkeypatch.setenv("CONSTELLATION_SETTINGS", str(server.folder / "settings.toml"))
    refused = run("serve", "--store", server.folder / "graph.db", "--port", server.port)
    assert refused.code == 2
    assert f"Port {server.port} can't be used" in refused.err
    monkeypatch.setenv("CONSTELLATION_TOKEN", "short")
    refused = run("serve", "--store", server.folder / "graph.db", "--port", 0)
    assert refused.code == 2
    assert "CONSTELLATION_TOKEN is too short" in refused.err


def test_tokens_are_made_listed_and_revoked(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONSTELLATION_SETTINGS", str(tmp_path / "settings.toml"))
    assert run("token", "list").out == "There are no tokens.\n"
    secret = run("token", "create", "recall", "--agent", "claude", "--json").json["token"]
    [kept] = run("token", "list", "--json").json["items"]
    assert (kept["may"], kept["agent"]) == ("recall", "claude")
    assert secret not in run("token", "list").out
    assert tokens.Tokens().of(secret) is not None
    assert run("token", "revoke", "nothing").code == 2
    assert "could recall of claude" in run("token", "revoke", kept["id"]).out
    assert tokens.Tokens().of(secret) is None


@pytest.mark.parametrize("content", ["", "{", "[5]", '[{"hash": "x"}]', "\x00"])
def test_a_spoiled_token_file_is_said_and_lets_nobody_in(tmp_path: Path, content: str) -> None:
    file = tmp_path / "tokens.json"
    secret = tokens.create("modify", "default", file)
    taken = tokens.Tokens(path=file)
    assert taken.of(secret) is not None
    file.write_text(content)
    assert taken.of(secret) is None
    with pytest.raises(Exception, match="tokens can't be read"):
        tokens.list_tokens(file)
