"""What agents ask while the window is open: the sky lights up, and the bar says who is there."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.model.asked import MCP
from core.session.visits import OpenDoor
from core.settings import Settings
from core.workspace import Workspace
from explorer.door import Door, Engine
from explorer.mcp.reading_tools import Question, recall
from tests.ui.conftest import settle
from ui.constellation import asked_lights
from ui.constellation.sky_loader import Sky
from ui.main_window import MainWindow

QUESTION = Question(query="Who owns the Harbor Ledger?")


@pytest.fixture
def window(sky_window: MainWindow) -> MainWindow:
    return sky_window


@pytest.fixture
def sky(qtbot: QtBot, opened: MainWindow) -> Sky:
    made = opened.sky()
    assert isinstance(made, Sky)
    qtbot.waitUntil(lambda: made.scene.entities == 3)
    settle(qtbot, opened)
    return made


@pytest.fixture
def door(opened: MainWindow, graph: Path) -> Iterator[Door]:
    """What an agent of another process has of the same file."""
    with closing(Workspace.open(graph)) as workspace:
        yield Door(workspace, Engine(Settings()), "claude-desktop via MCP", MCP)


def lit_names(sky: Sky) -> set[str]:
    return {sky.scene.labels[node] for light in sky.asked_lights for node in light.walk.nodes}


def test_what_an_agent_asks_lights_up_while_the_camera_stays_and_fades(
    qtbot: QtBot, opened: MainWindow, sky: Sky, door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    camera, image = sky.camera, sky.grab().toImage()
    recall(door, QUESTION)
    qtbot.waitUntil(lambda: "Harbor Ledger" in lit_names(sky))
    [light] = sky.asked_lights
    assert [sky.scene.labels[node] for node in light.focal] == ["Harbor Ledger"]
    assert sky.camera == camera
    qtbot.waitUntil(lambda: sky.grab().toImage() != image)
    monkeypatch.setattr(asked_lights, "HOLD_S", -10)
    qtbot.waitUntil(lambda: not sky.asked_lights and not sky._glow.isActive())
    assert sky.grab().toImage() == image


def test_what_was_asked_before_the_window_opened_is_not_lit_and_quiet_means_quiet(
    qtbot: QtBot, opened: MainWindow, sky: Sky, door: Door
) -> None:
    assert opened.session is not None
    opened.actions_.run("view.asked_lights")
    with qtbot.waitSignal(opened.session.watch.asked) as heard:
        recall(door, QUESTION)
    assert [each.question for each in heard.args[0]] == [QUESTION.query]
    assert not sky.asked_lights
    opened.actions_.run("view.asked_lights")
    with qtbot.waitSignal(opened.session.watch.asked) as heard:
        recall(door, QUESTION)
    assert len(heard.args[0]) == 1
    assert lit_names(sky)


def test_the_bar_says_who_is_connected_until_the_door_closes(
    qtbot: QtBot, opened: MainWindow, door: Door
) -> None:
    shown = opened.status.visitors
    assert not shown.isVisible()
    with OpenDoor(door.workspace.sidecar, "default", MCP) as at:
        qtbot.waitUntil(lambda: shown.text() == "Agents let in: nobody yet")
        at.heard("claude-desktop via MCP")
        qtbot.waitUntil(lambda: shown.text() == "Connected: claude-desktop")
        assert "claude-desktop by MCP, last heard just now" in shown.toolTip()
        at.heard("cursor via MCP")
        qtbot.waitUntil(lambda: shown.text() == "Connected: claude-desktop and 1 more")
    qtbot.waitUntil(lambda: not shown.isVisible())
