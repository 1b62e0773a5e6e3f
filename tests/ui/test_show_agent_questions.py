"""What agents ask while the window is open: the sky lights up, and the bar says who is there."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.model.asked import MCP, Asked
from core.session.servers_and_clients import OpenDoor
from core.settings import Settings
from core.workspace import Workspace
from explorer.graph_for_caller import Door, Engine
from explorer.mcp.reading_tools import READING_TOOLS, Question, recall
from tests.ui.conftest import settle
from tests.ui.review_scene import texts_in
from ui.constellation import asked_lights
from ui.constellation.sky_loader import Sky
from ui.main_window import MainWindow
from ui.models.activity_log import DayHead
from ui.panels.activity.panel import ActivityPanel
from ui.panels.agent_view.panel import AgentView

LEFT = Qt.MouseButton.LeftButton
READING = {tool.name: tool for tool in READING_TOOLS}
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


def test_what_was_asked_stands_in_activity_and_a_session_is_replayed_by_keys(
    qtbot: QtBot, opened: MainWindow, sky: Sky, door: Door
) -> None:
    panel = opened.show_panel("activity")
    assert isinstance(panel, ActivityPanel)
    qtbot.waitUntil(lambda: panel.face == "ready")
    for words in ("Who owns the Harbor Ledger?", "Who is Ines Duarte?", "Who is Ines Duarte?"):
        recall(door, Question(query=words))
    READING["browse_entity"].call(door, {"entity": "Harbor Ledger"})
    qtbot.waitUntil(lambda: asked_in(panel) == [
        "Harbor Ledger", "Who is Ines Duarte?", "Who owns the Harbor Ledger?"])
    QTest.mouseClick(panel.choices["mine"], LEFT)
    assert asked_in(panel) == []
    QTest.mouseClick(panel.choices["asked"], LEFT)
    assert all(isinstance(line, Asked | DayHead) for line in panel.list.lines.lines)
    replay(qtbot, opened, panel, sky)


def asked_in(panel: ActivityPanel) -> list[str]:
    return [line.question for line in panel.list.lines.lines if isinstance(line, Asked)]


def lit_in(sky: Sky) -> set[str]:
    return {sky.scene.labels[node] for node in sky._state.walk.nodes}


def replay(qtbot: QtBot, window: MainWindow, panel: ActivityPanel, sky: Sky) -> None:
    """Click the last question, go back with the keys, and look at the first one's walk."""
    box = panel.list.visualRect(panel.list.lines.index(1))
    QTest.mouseClick(panel.list.viewport(), LEFT, pos=box.center())
    settle(qtbot, window)
    camera = sky.camera
    assert lit_in(sky) == {"Harbor Ledger"}
    for key, place in ((Qt.Key.Key_Left, "2 of 3"), (Qt.Key.Key_Left, "1 of 3"),
                       (Qt.Key.Key_Left, "1 of 3"), (Qt.Key.Key_Right, "2 of 3")):
        QTest.keyClick(panel.list, key)
        settle(qtbot, window)
        assert f"{place} in this session" in texts_in(panel.asked)
    assert "Ines Duarte" in lit_in(sky)
    assert sky.camera == camera
    QTest.keyClick(panel.list, Qt.Key.Key_Left)
    settle(qtbot, window)
    assert "Asked: Who owns the Harbor Ledger?" in texts_in(panel.asked)
    assert "claude-desktop · by MCP" in texts_in(panel.asked)
    QTest.keyClick(panel.list, Qt.Key.Key_W)
    agent = window.panel("agent_view")
    assert isinstance(agent, AgentView)
    qtbot.waitUntil(lambda: agent.ask.question.text() == "Who owns the Harbor Ledger?"
                    and agent.sight is not None)
    settle(qtbot, window)
    assert "Harbor Ledger" in lit_in(sky)


def test_an_entity_that_was_read_is_what_its_walk_starts_from(
    qtbot: QtBot, opened: MainWindow, sky: Sky, door: Door
) -> None:
    panel = opened.show_panel("activity")
    assert isinstance(panel, ActivityPanel)
    READING["browse_entity"].call(door, {"entity": "Harbor Ledger"})
    qtbot.waitUntil(lambda: asked_in(panel) == ["Harbor Ledger"])
    panel.focus()
    panel.list.go_to("asked 1")
    settle(qtbot, opened)
    panel.show_walk()
    agent = opened.panel("agent_view")
    assert isinstance(agent, AgentView)
    qtbot.waitUntil(lambda: [chip.text() for chip in agent.ask.chips] == ["Harbor Ledger  ×"])
    settle(qtbot, opened)
