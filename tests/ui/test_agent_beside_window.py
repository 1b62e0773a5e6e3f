"""An agent works on the file that the window shows: the person sees it, decides, and it is told."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from explorer.demo import build_demo
from tests.explorer.mcp.agents import Agent, agent_of
from tests.ui.browse_scene import entities_of, names_in
from tests.ui.review_scene import review_of, settled, wait_card, wait_status
from ui.main_window import MainWindow

QUESTION = "When does the settlement job start?"


@pytest.fixture
def graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The demo, whose data both processes keep in one folder."""
    monkeypatch.setenv("CONSTELLATION_DATA", str(tmp_path / "data"))
    return build_demo(tmp_path / "demo.db")


def test_what_an_agent_writes_is_seen_and_what_it_proposes_is_decided(
    qtbot: QtBot, opened: MainWindow, graph: Path
) -> None:
    with agent_of(graph, "--store", str(graph)) as agent:
        see_new_entity(qtbot, opened, agent)
        decide(qtbot, opened, agent)


def see_new_entity(qtbot: QtBot, window: MainWindow, agent: Agent) -> None:
    """The list follows the file: the person does nothing."""
    listed = entities_of(window)
    QTest.keyClicks(window.top.search, "Alcyone")
    qtbot.waitUntil(lambda: names_in(listed.list) == [])
    agent.call("create_entities", entities=[
        {"name": "Alcyone", "entityType": "system", "observations": ["shines"]}])
    qtbot.waitUntil(lambda: names_in(listed.list) == ["Alcyone"])


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
    settled(qtbot, window)
