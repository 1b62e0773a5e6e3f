"""An agent works on the file that the window shows: the person sees it, decides, and it is told.

The agent is the protocol's own client with a server process of its own, as in a real day.
"""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.model.asked import Asked
from core.model.changes import Activity
from explorer.demo import build_demo
from tests.explorer.mcp.agents import CLIENT, Agent, agent_of
from tests.ui.browse_scene import entities_of, names_in
from tests.ui.review_scene import review_of, settled, wait_card, wait_status
from ui.constellation.sky_loader import Sky
from ui.main_window import MainWindow
from ui.panels.activity.panel import ActivityPanel

QUESTION = "When does the settlement job start?"


@pytest.fixture
def graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The demo, whose data both processes keep in one folder."""
    monkeypatch.setenv("CONSTELLATION_DATA", str(tmp_path / "data"))
    return build_demo(tmp_path / "demo.db")


@pytest.fixture
def window(sky_window: MainWindow) -> MainWindow:
    return sky_window


def test_what_an_agent_writes_is_seen_and_what_it_proposes_is_decided(
    qtbot: QtBot, opened: MainWindow, graph: Path
) -> None:
    with agent_of(graph, "--store", str(graph)) as agent:
        see_new_entity(qtbot, opened, agent)
        see_what_is_asked(qtbot, opened, agent)
        decide(qtbot, opened, agent)
    qtbot.waitUntil(lambda: not opened.status.visitors.isVisible())
    read_what_was_asked(qtbot, opened)


def see_new_entity(qtbot: QtBot, window: MainWindow, agent: Agent) -> None:
    """The list follows the file: the person does nothing."""
    listed = entities_of(window)
    QTest.keyClicks(window.top.search, "Alcyone")
    qtbot.waitUntil(lambda: names_in(listed.list) == [])
    agent.call("create_entities", entities=[
        {"name": "Alcyone", "entityType": "system", "observations": ["shines"]}])
    qtbot.waitUntil(lambda: names_in(listed.list) == ["Alcyone"])


def lit(window: MainWindow) -> set[str]:
    """The names of what lights up in the sky for what was asked."""
    sky = window.sky()
    assert isinstance(sky, Sky)
    return {sky.scene.labels[node] for light in sky.asked_lights for node in light.walk.nodes}


def see_what_is_asked(qtbot: QtBot, window: MainWindow, agent: Agent) -> None:
    """What it remembers is there, what it asks lights up, and the bar says who it is."""
    sky = window.sky()
    assert isinstance(sky, Sky)
    camera = sky.camera
    agent.call("session_context", query=QUESTION, session="day-1")
    qtbot.waitUntil(lambda: "settlement job" in lit(window))
    agent.call("remember", content="Alcyone keeps the tide tables since March.",
               entities=["Alcyone"])
    qtbot.waitUntil(lambda: "Alcyone" in sky.scene.labels)
    told = agent.text("recall", query="What does Alcyone keep?", limit=3)
    assert "Alcyone keeps the tide tables" in told
    qtbot.waitUntil(lambda: "Alcyone" in lit(window))
    assert sky.camera == camera
    assert window.status.visitors.text() == f"Connected: {CLIENT}"


def read_what_was_asked(qtbot: QtBot, window: MainWindow) -> None:
    """The whole day stands in Activity, beside what was written."""
    panel = window.show_panel("activity")
    assert isinstance(panel, ActivityPanel)
    asked = ["What does Alcyone keep?", QUESTION]
    qtbot.waitUntil(lambda: [line.question for line in panel.list.lines.lines
                             if isinstance(line, Asked)] == [QUESTION, *asked])
    assert any(line.label.startswith("Remember: Alcyone keeps") for line in panel.list.lines.lines
               if isinstance(line, Activity))
    settled(qtbot, window)


def decide(qtbot: QtBot, window: MainWindow, agent: Agent) -> None:
    """The proposal comes to the queue, a click applies it, and the agent is told."""
    panel = review_of(window)
    answer = agent.call("propose", operation="set_claim_value", reason="Ines asked", payload={
        "entity": "settlement job", "aspect": "schedule", "group_key": "run",
        "claim_key": "start_time", "value": "04:45 UTC"})
    waiting = panel.queue.list
    qtbot.waitUntil(lambda: answer["proposalId"] in panel.queue.order)
    index = waiting.lines.index_of(answer["proposalId"])
    waiting.scrollTo(index)
    QTest.mouseClick(waiting.viewport(), Qt.MouseButton.LeftButton,
                     pos=waiting.visualRect(index).center())
    wait_card(qtbot, panel, answer["proposalId"])
    QTest.mouseClick(panel.bar.buttons["apply"], Qt.MouseButton.LeftButton)
    wait_status(qtbot, window, answer["proposalId"], "applied")
    [verdict] = agent.call("my_proposals", status="applied")["items"]
    assert (verdict["id"], verdict["decidedBy"]) == (answer["proposalId"], "you")
    assert "04:45 UTC" in agent.text("recall", query=QUESTION, limit=3)
    qtbot.waitUntil(lambda: "settlement job" in lit(window))
    settled(qtbot, window)
