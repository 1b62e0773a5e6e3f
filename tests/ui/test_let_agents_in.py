"""The doors that a window opens by a click: used by real clients, closed again."""

import json
import os
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.session.servers_and_clients import OpenDoor
from tests.ui.conftest import settle, shown
from ui.dialogs.let_agents_in import LetAgentsIn
from ui.main_window import MainWindow
from ui.models.client_setups import client_setups, installed_command
from ui.preferences import Preferences
from ui.theme import Theme
from ui.window_services import WindowServices

LEFT = Qt.MouseButton.LeftButton
START_MS = 30_000


@pytest.fixture
def window(
    qtbot: QtBot, theme: Theme, preferences: Preferences, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[MainWindow]:
    for package in ("mcp", "fastapi", "uvicorn"):
        pytest.importorskip(package)
    doors = pytest.importorskip("explorer.window_doors")
    monkeypatch.setenv("CONSTELLATION_SETTINGS", str(tmp_path / "settings.toml"))
    made = MainWindow(theme, preferences, WindowServices(
        make_demo=lambda: tmp_path, make_doors=doors.WindowDoors))
    with shown(qtbot, made):
        yield made


@pytest.fixture
def dialog(qtbot: QtBot, opened: MainWindow) -> LetAgentsIn:
    opened.actions_.run("file.let_in")
    [made] = opened.findChildren(LetAgentsIn)
    qtbot.waitUntil(made.isVisible)
    return made


def click_and_wait(qtbot: QtBot, dialog: LetAgentsIn) -> None:
    QTest.mouseClick(dialog.toggle, LEFT)
    qtbot.waitUntil(lambda: not dialog._doors.busy, timeout=START_MS)


def answers(address: str) -> bool:
    place = urlsplit(address)
    with socket.socket() as caller:
        return caller.connect_ex((str(place.hostname), place.port or 0)) == 0


def recall(address: str) -> list[str]:
    """What the protocol's own client is told over HTTP."""
    client = pytest.importorskip("mcp.client.client").Client
    portal = pytest.importorskip("anyio.from_thread").start_blocking_portal
    types = pytest.importorskip("mcp.types")
    made = client(address, client_info=types.Implementation(name="cursor", version="1"))
    with portal() as calls, calls.wrap_async_context_manager(made) as connected:
        answer = calls.call(connected.call_tool, "search_nodes", {"query": "Harbor"})
        return [each["name"] for each in answer.structured_content["entities"]]


def test_a_click_lets_clients_in_and_another_lets_nobody_in(
    qtbot: QtBot, opened: MainWindow, dialog: LetAgentsIn
) -> None:
    assert dialog.state.text().startswith("Closed.")
    assert not opened.status.visitors.isVisible()
    click_and_wait(qtbot, dialog)
    doors = dialog._doors.open
    assert doors is not None
    assert json.loads(dialog.setup.toPlainText()) == {
        "mcpServers": {"memory": {"type": "http", "url": doors.mcp}}}
    assert recall(doors.mcp) == ["Harbor Ledger"]
    qtbot.waitUntil(lambda: opened.status.visitors.text() == "Connected: cursor")
    assert "cursor by MCP" in dialog.there.text()
    use_http(dialog, doors.http)
    click_and_wait(qtbot, dialog)
    assert not answers(doors.mcp)
    assert not answers(doors.http)
    qtbot.waitUntil(lambda: not opened.status.visitors.isVisible())
    assert dialog.toggle.isEnabled()
    settle(qtbot, opened)


def use_http(dialog: LetAgentsIn, address: str) -> None:
    """A token is made by a click, shown once, and lets a program in."""
    assert dialog.address.text() == address
    with pytest.raises(urllib.error.HTTPError, match="401"):
        urllib.request.urlopen(f"{address}/api/memory/search?q=Harbor")
    QTest.mouseClick(dialog.recall, LEFT)
    QTest.mouseClick(dialog.copy_token, LEFT)
    request = urllib.request.Request(f"{address}/api/memory/search?q=Harbor", headers={
        "Authorization": f"Bearer {QGuiApplication.clipboard().text()}"})
    with urllib.request.urlopen(request) as response:
        assert "hits" in json.load(response)


def test_the_doors_go_with_the_graph(
    qtbot: QtBot, opened: MainWindow, dialog: LetAgentsIn
) -> None:
    click_and_wait(qtbot, dialog)
    doors = dialog._doors.open
    assert doors is not None
    process = doors._process  # type: ignore[attr-defined]
    assert process.pid != os.getpid()
    opened.close_graph()
    assert not answers(doors.mcp)
    assert not answers(doors.http)
    assert not dialog.isVisible()


def test_somebody_is_told_when_the_process_of_the_doors_has_ended(
    qtbot: QtBot, opened: MainWindow, dialog: LetAgentsIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what ends by itself is told: neither doors that are open nor those that were closed."""
    assert opened.session is not None
    errors: list[BaseException] = []
    opened.session.runner.went_wrong.connect(errors.append)
    doors = dialog._doors
    fake = FakeDoors()
    monkeypatch.setattr(doors, "_make", lambda path, agent: fake)
    click_and_wait(qtbot, dialog)
    doors._look()
    assert doors.open is not None
    assert not errors
    fake.is_open = False
    qtbot.waitUntil(lambda: fake.closed and not doors.busy, timeout=START_MS)
    assert doors.open is None
    assert str(errors[0]).startswith("Agents are no longer let in")
    assert dialog.toggle.text() == "Let agents in"
    assert dialog.toggle.isEnabled()


class FakeDoors:
    """Doors without a process."""

    mcp, http = "http://127.0.0.1:9/mcp", "http://127.0.0.1:9"

    def __init__(self) -> None:
        self.is_open, self.closed = True, False

    def new_token(self, may: str) -> str:
        return may

    def close(self) -> None:
        self.closed = True


def test_doors_of_another_process_are_used_and_not_opened_twice(
    qtbot: QtBot, opened: MainWindow, dialog: LetAgentsIn
) -> None:
    assert opened.session is not None
    sidecar = opened.session.workspace.sidecar
    dialog.accept()
    with OpenDoor(sidecar, "default", "MCP", "http://127.0.0.1:9/mcp"):
        qtbot.waitUntil(opened.status.visitors.isVisible)
        QTest.mouseClick(opened.status.visitors, LEFT)
        [dialog] = [each for each in opened.findChildren(LetAgentsIn) if each.isVisible()]
        qtbot.waitUntil(lambda: "another process" in dialog.state.text())
        assert not dialog.toggle.isEnabled()
        assert "http://127.0.0.1:9/mcp" in dialog.setup.toPlainText()
    qtbot.waitUntil(dialog.toggle.isEnabled)


def test_somebody_away_from_the_window_is_told_what_waits_if_wished(
    qtbot: QtBot, opened: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert opened.session is not None
    words: list[str] = []
    monkeypatch.setattr(opened.agents, "notify", words.append)
    monkeypatch.setattr(opened, "isActiveWindow", lambda: False)
    counts = opened.session.counts
    assert counts is not None
    for wished, pending in ((False, 3), (True, 5), (True, 5), (True, 4)):
        opened._preferences.waiting_notices = wished
        opened.session.counted.emit(type(counts)(pending=pending))
    assert words == ["5 proposals wait for you"]


def test_what_is_pasted_is_right_for_each_client(tmp_path: Path) -> None:
    path = tmp_path / "my graph.db"
    setups = client_setups(path, "tess", "", "constellation")
    command = ["mcp", "--store", str(path), "--agent", "tess"]
    assert "By address" not in setups
    for name, key in (("Claude Desktop, Cursor, Cline", "mcpServers"), ("VS Code", "servers")):
        assert json.loads(setups[name])[key]["memory"]["args"] == command
    assert setups["Claude Code"] == (
        f"claude mcp add memory -- constellation mcp --store '{path}' --agent tess")


def test_a_client_is_told_the_whole_path_of_a_command_that_it_would_not_find(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside = tmp_path / "bin" / "constellation"
    beside.parent.mkdir()
    beside.write_text("#!/bin/sh")
    beside.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(beside.with_name("python")))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert installed_command() == str(beside)
    monkeypatch.setenv("PATH", str(beside.parent))
    assert installed_command() == "constellation"
