"""What the agent sees: sessions on record, trials in their turn, where a near miss leads."""

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.ontology import control
from core.traversal.last_walk import SESSION_START, keep
from core.workspace import Workspace
from tests.core.graphs import Graph
from tests.core.sessions import ended, hit, recorded, vega
from tests.ui.agent_scene import agent_panel  # noqa: F401 - the fixture `panel`
from tests.ui.browse_scene import OPENS_A_MENU, settled
from ui.main_window import MainWindow
from ui.models import what_if
from ui.panels.agent_view.panel import AgentView
from ui.panels.agent_view.session_record import UNKNOWN

LEFT = Qt.MouseButton.LeftButton


def fill(workspace: Workspace) -> None:
    workspace.write("Set up", lambda writer: vega(Graph(writer)))
    workspace.write("Change", lambda writer: control.apply(writer, "set_claim_value", {
        "entity": "Vega", "aspect": "build", "claim_key": "tool", "value": "built by make"}))
    workspace.write("Change", lambda writer: control.apply(writer, "set_claim_value", {
        "entity": "Vega", "aspect": "build", "claim_key": "tool", "value": "built by ninja"}))
    recorded(workspace, "night-1")
    hit(workspace, "night-1", "m1")
    ended(workspace, "night-1")
    began = recorded(workspace, "night-2")
    keep(workspace.sidecar, "default", SESSION_START, began.walk)


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    path = tmp_path / "graph.db"
    workspace = Workspace.open(path, create=True)
    fill(workspace)
    workspace.close()
    return path


def plain(text: str) -> str:
    return text.replace("\u2068", "").replace("\u2069", "")


@OPENS_A_MENU
def test_a_session_is_chosen_from_those_on_record_and_its_record_is_read(
    qtbot: QtBot, opened: MainWindow, panel: AgentView
) -> None:
    panel.ask.choose.trigger()
    offered = panel.ask.sessions.actions()
    assert [plain(one.text()).split(" · ", 1)[1] for one in offered] == [
        "night-2 · 5 of 5 memories injected", "night-1 · 5 of 5 memories injected"]
    panel.ask.sessions.close()
    offered[1].trigger()
    qtbot.waitUntil(panel.reasons.record.isVisible)
    settled(qtbot, opened)
    lines = dict(panel.reasons.record.lines)
    assert lines["injected"] == "5 of 5 memories injected"
    assert lines["walk"] == "1 focal entity, 3 memories, 1 constraint, in time"
    assert plain(lines["focal entities"]) == "Vega"
    assert lines["used"] == "1 memory"
    assert lines["learned"].startswith("1 value confirmed, 1 aspect raised")
    assert not panel.reasons.last.isVisible(), "one session at a time"


def test_the_last_session_and_what_all_of_them_taught_are_told(
    qtbot: QtBot, opened: MainWindow, panel: AgentView
) -> None:
    words = panel.reasons.last.text()
    assert words.startswith("walk ")
    assert "for a session start: 1 focal entity, 2 walked, 3 memories, 1 constraint" in words
    assert "1 focal entity, 3 memories, 1 constraint, in time" in words
    assert "1 session ended so far. Learned: 1 value confirmed, 1 aspect raised" in words


@OPENS_A_MENU
def test_a_session_that_is_not_on_record_is_said(
    qtbot: QtBot, opened: MainWindow, panel: AgentView
) -> None:
    QTest.keyClicks(panel.ask.session, "nobody")
    qtbot.waitUntil(panel.reasons.record.unknown.isVisible)
    assert panel.reasons.record.unknown.text() == UNKNOWN
    panel.ask.session.clear()
    qtbot.waitUntil(panel.reasons.last.isVisible)
    settled(qtbot, opened)


@OPENS_A_MENU
def test_an_old_version_among_the_near_misses_leads_to_its_history(
    qtbot: QtBot, opened: MainWindow, panel: AgentView
) -> None:
    QTest.keyClicks(panel.ask.question, "vega")
    qtbot.waitUntil(lambda: any("built by make" in row.near.name
                                for row in panel.reasons.misses))
    settled(qtbot, opened)
    row = next(row for row in panel.reasons.misses if "built by make" in row.near.name)
    QTest.mouseClick(row.button, LEFT)
    qtbot.waitUntil(lambda: [action.text() for action in row.menu.actions()] == [
        "Restore this version", "", "Open its history", "Show it"])
    row.menu.close()
    row.menu.actions()[2].trigger()
    qtbot.waitUntil(opened.panel("claim_history").isVisible)
    settled(qtbot, opened)
    assert opened.session is not None
    slot = opened.session.selection.slot
    assert slot is not None
    assert slot.claim_key == "tool"


def test_of_trials_that_are_wanted_while_one_runs_only_the_newest_follows(
    qtbot: QtBot, opened: MainWindow, panel: AgentView, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, tried, go_on = what_if.rehearsed, [], threading.Event()

    def slow(workspace: Workspace, thing: what_if.Thing, look: object) -> object:
        tried.append(thing.key)
        assert go_on.wait(30)
        return real(workspace, thing, look)  # type: ignore[arg-type]

    monkeypatch.setattr(what_if, "rehearsed", slow)
    panel.compare_with(what_if.pin("e1", "Vega"))
    qtbot.waitUntil(lambda: bool(tried))
    assert panel.compare.words.isVisible() or panel._trial._slow.isActive()
    qtbot.waitUntil(lambda: panel.compare.words.text() == "Comparing…")
    for words in ("kot", "kotl", "kotlin"):
        panel.ask.question.setText(words)
        qtbot.waitUntil(lambda: not panel.ask._pause.isActive())
    panel.compare_with(what_if.pin("e2", "Kotlin"))
    assert panel.sight is not None
    assert tried == ["pin e1"], "reads of the answer go on, trials wait"
    go_on.set()
    qtbot.waitUntil(lambda: panel.comparison is not None)
    settled(qtbot, opened)
    assert tried == ["pin e1", "pin e2"] or tried == ["pin e1", "pin e2", "pin e2"]
    assert panel.compare.thing is not None
    assert panel.compare.thing.key == "pin e2"
