"""Expectations in the real window: the list, the chip, the card, and one key to write one down."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from core.expectations.forecast import Forecast
from core.expectations.store import add_expectation, expectations
from core.ontology import control
from core.workspace import Workspace
from tests.ui.browse_scene import write_scene
from ui.main_window import MainWindow
from ui.panels.expectations import Expectations

QUESTION = "What binds the settlement job?"


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    """The scene with one expectation that holds, and a proposal that would break it."""
    path = write_scene(tmp_path / "graph.db")
    workspace = Workspace.open(path)
    workspace.write("expect", lambda writer: add_expectation(writer, QUESTION, "signed", must=True))
    workspace.write("propose", lambda writer: control.propose(
        writer, "archive_claim_value", {"attribute_id": "signed"}))
    workspace.close()
    return path


def shown(window: MainWindow) -> Expectations:
    panel = window.show_panel("expectations")
    assert isinstance(panel, Expectations)
    return panel


def workspace_of(window: MainWindow) -> Workspace:
    assert window.session is not None
    return window.session.workspace


def words(panel: Expectations) -> list[str]:
    return [row.text for row in panel.list.rows if row.head]


def test_a_failing_expectation_is_told_in_the_bar_and_the_list(
    qtbot: QtBot, opened: MainWindow
) -> None:
    panel = shown(opened)
    qtbot.waitUntil(lambda: words(panel) == ["Hold"])
    assert not opened.status.failing.isVisible()
    workspace = workspace_of(opened)
    workspace.write("archive", lambda writer: control.apply(
        writer, "archive_claim_value", {"attribute_id": "signed", "force": True}, force=True))
    qtbot.waitUntil(opened.status.failing.isVisible)
    assert opened.status.failing.text() == "✗ 1 of 1 expectation fails"
    opened.show_panel("activity")
    qtbot.mouseClick(opened.status.failing, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(panel.isVisible)
    assert words(panel) == ["Fail"]
    assert "archived" in panel.list.rows[1].below
    workspace.undo()
    qtbot.waitUntil(lambda: words(panel) == ["Hold"])
    assert not opened.status.failing.isVisible()


def test_enter_goes_to_the_target_and_delete_removes_it_until_undo(
    qtbot: QtBot, opened: MainWindow
) -> None:
    panel = shown(opened)
    qtbot.waitUntil(lambda: words(panel) == ["Hold"])
    panel.focus()
    panel.list.setCurrentIndex(panel.list.lines.index(1))
    qtbot.keyClick(panel.list, Qt.Key.Key_Return)
    assert panel.context.selection.entity_id == "job"
    qtbot.keyClick(panel.list, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: panel.face == "empty")
    workspace_of(opened).undo()
    qtbot.waitUntil(lambda: panel.face == "ready")


def test_a_card_says_which_expectation_it_would_break(qtbot: QtBot, opened: MainWindow) -> None:
    panel = opened.show_panel("proposals")
    workspace = workspace_of(opened)
    with workspace.read() as reader:
        bad = str(reader.value("SELECT id FROM ontology_proposals WHERE agent_id = :agent"
                               " AND operation = 'archive_claim_value'"))
    panel.context.selection.select_proposal(bad)

    def breaks() -> bool:
        texts = [each.text() for each in panel.card.findChildren(QLabel)]
        return any("breaks an expectation" in text and QUESTION in text for text in texts)

    qtbot.waitUntil(breaks)
    with workspace.read() as reader:
        assert len(expectations(reader)) == 1
        assert not reader.value("SELECT 1 FROM entity_attributes WHERE id = 'signed'"
                                " AND status <> 'active'")


def test_a_card_is_not_blamed_for_what_was_broken_a_moment_before(
    qtbot: QtBot, opened: MainWindow
) -> None:
    panel = opened.show_panel("proposals")
    watch, workspace = panel.context.expectations, workspace_of(opened)
    with workspace.read() as reader:
        harmless = str(reader.value("SELECT id FROM ontology_proposals WHERE agent_id = :agent"
                                    " AND operation = 'set_claim_value'"))
    def foreseen() -> Forecast | None:
        return getattr(panel.cards.get(harmless), "forecast", None)

    panel.context.selection.select_proposal(harmless)
    qtbot.waitUntil(lambda: watch.ready and foreseen() is not None)
    first = foreseen()
    watch._pause.timeout.disconnect(watch.look)  # The next check comes late.
    workspace.write("archive", lambda writer: control.apply(
        writer, "archive_claim_value", {"attribute_id": "signed", "force": True}, force=True))
    qtbot.waitUntil(lambda: foreseen() is not None and foreseen() is not first)
    assert not [each for each in panel.card.findChildren(QLabel) if "breaks" in each.text()]


def test_a_key_on_a_line_of_the_agent_view_writes_one_down(
    qtbot: QtBot, opened: MainWindow
) -> None:
    panel = opened.show_panel("agent_view")
    panel.ask.question.setText("Who maintains the settlement job?")
    qtbot.waitUntil(lambda: any(row.id == "signed" for row in panel.memories.rows))
    at = next(at for at, row in enumerate(panel.memories.rows) if row.id == "signed")
    panel.memories.setFocus()
    panel.memories.setCurrentIndex(panel.memories.lines.index(at))
    qtbot.keyClick(panel.memories, Qt.Key.Key_U)
    qtbot.waitUntil(lambda: opened.status.failing.isVisible())
    with workspace_of(opened).read() as reader:
        made = expectations(reader)[-1]
    assert (made.question, made.must, made.target_id) == (
        "Who maintains the settlement job?", False, "signed")
