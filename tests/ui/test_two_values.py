"""A person compares two values side by side in the window: keeps one, combines, keeps both."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.ontology import control
from core.queries.assertions import AssertionFilters, list_assertions
from core.store.reader_and_writer import Writer
from core.workspace import Workspace
from tests.core.graphs import Graph
from tests.ui.browse_scene import settled
from tests.ui.review_scene import wait_card
from ui.dialogs.competing_values import TwoValuesDialog
from ui.main_window import MainWindow
from ui.panels.health.panel import HealthPanel
from ui.panels.proposals.panel import Proposals
from ui.widgets.word_diff import DiffLabel

LEFT = Qt.MouseButton.LeftButton


def fill(writer: Writer) -> None:
    made = Graph(writer)
    ferry = made.entity("Night Ferry", id="ferry")
    times = made.aspect(ferry, "times", id="times")
    made.value(times, "leaves at nine", "start", id="nine")
    made.value(times, "takes an hour", "length", id="hour",
               created_at="2026-09-01T10:00:00.000Z")
    made.value(times, "takes forty minutes in calm water", "length", id="forty",
               created_at="2026-09-02T10:00:00.000Z")


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    path = tmp_path / "graph.db"
    workspace = Workspace.open(path, create=True)
    workspace.write("Import", fill)
    workspace.write("Propose", lambda writer: control.propose(
        writer, "set_claim_value", {
            "entity": "Night Ferry", "aspect": "times", "claim_key": "start",
            "value": "leaves at ten"}, evidence=[{"quote": "ten"}]), actor="claude via MCP")
    workspace.close()
    return path


def in_force(window: MainWindow) -> set[str]:
    assert window.session is not None
    with window.session.workspace.read() as reader:
        return {row["content"] for row in reader.rows(
            "SELECT content FROM entity_attributes WHERE status = 'active'"
            " AND agent_id = :agent")}


def said(window: MainWindow) -> set[tuple[str, str | None]]:
    assert window.session is not None
    with window.session.workspace.read() as reader:
        return {(one.content, one.speaker)
                for one in list_assertions(reader, AssertionFilters())[0]}


def dialog_of(qtbot: QtBot, window: MainWindow) -> TwoValuesDialog:
    qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), TwoValuesDialog))
    found = QApplication.activeModalWidget()
    assert isinstance(found, TwoValuesDialog)
    return found


def take_back(qtbot: QtBot, window: MainWindow, before: set[str]) -> None:
    qtbot.waitUntil(window.actions_.action("edit.undo").isEnabled)
    window.actions_.run("edit.undo")
    qtbot.waitUntil(lambda: in_force(window) == before and not said(window))
    settled(qtbot, window)


def test_a_proposal_is_compared_with_the_value_in_force(
    qtbot: QtBot, opened: MainWindow
) -> None:
    before = in_force(opened)
    panel = opened.show_panel("proposals")
    assert isinstance(panel, Proposals)

    def compare() -> TwoValuesDialog:
        qtbot.waitUntil(lambda: bool(panel.waiting.rows))
        wait_card(qtbot, panel, panel.waiting.rows[0].id)
        QTest.mouseClick(panel.card.compare, LEFT)
        return dialog_of(qtbot, opened)

    dialog = compare()
    assert dialog.text.toPlainText() == "leaves at nine; leaves at ten"
    assert [[span.text for span in words._spans if span.kind == "new"]
            for words in dialog.findChildren(DiffLabel)] == [["nine"], ["ten"]]
    dialog.text.selectAll()
    QTest.keyClicks(dialog.text, "at nine, in summer at ten")
    QTest.keyClick(dialog.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: "at nine, in summer at ten" in in_force(opened))
    assert "leaves at nine" not in in_force(opened)
    take_back(qtbot, opened, before)
    QTest.mouseClick(compare().as_said, LEFT)
    qtbot.waitUntil(lambda: len(said(opened)) == 2)
    assert ("leaves at ten", "claude via MCP") in said(opened)
    assert in_force(opened) == before, "what is proposed does not become the claim"
    qtbot.waitUntil(lambda: not panel.waiting.rows)
    take_back(qtbot, opened, before)
    QTest.mouseClick(compare().keep[1], LEFT)
    qtbot.waitUntil(lambda: "leaves at ten" in in_force(opened))
    settled(qtbot, opened)


def test_two_values_in_force_are_compared_in_health(qtbot: QtBot, opened: MainWindow) -> None:
    before = in_force(opened)
    panel = opened.show_panel("health")
    assert isinstance(panel, HealthPanel)

    def compare() -> TwoValuesDialog:
        qtbot.waitUntil(lambda: any(one.kind == "two_values" for one in panel._report.findings))
        finding = next(one for one in panel._report.findings if one.kind == "two_values")
        panel.list.go_to(finding.id)
        settled(qtbot, opened)
        assert panel.preview.compare_button is not None
        QTest.mouseClick(panel.preview.compare_button, LEFT)
        return dialog_of(qtbot, opened)

    older, newer = "takes an hour", "takes forty minutes in calm water"
    QTest.mouseClick(compare().keep[0], LEFT)
    qtbot.waitUntil(lambda: in_force(opened) == before - {newer})
    take_back(qtbot, opened, before)
    dialog = compare()
    dialog.text.selectAll()
    QTest.keyClicks(dialog.text, "an hour, forty minutes in calm water")
    QTest.mouseClick(dialog.use, LEFT)
    qtbot.waitUntil(lambda: in_force(opened) == (
        before - {older, newer} | {"an hour, forty minutes in calm water"}))
    take_back(qtbot, opened, before)
    QTest.mouseClick(compare().as_said, LEFT)
    qtbot.waitUntil(lambda: in_force(opened) == before - {older})
    assert {what for what, _ in said(opened)} == {older, newer}
    take_back(qtbot, opened, before)
    dialog = compare()
    assert opened.session is not None
    opened.session.workspace.write("Meanwhile", lambda writer: control.apply(
        writer, "archive_claim_value", {"attribute_id": "hour"}))
    QTest.mouseClick(dialog.keep[1], LEFT)
    qtbot.waitUntil(lambda: "has changed since it was shown" in dialog.error)
    dialog.reject()
    settled(qtbot, opened)
