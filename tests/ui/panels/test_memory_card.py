"""A memory in full in the inspector, opened by a click beside evidence, on a row, or in the sky."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from core.model.text_formatting import unturned
from core.ontology import control
from core.store.reader_and_writer import Writer
from tests.core.graphs import Graph
from tests.ui.browse_scene import HOSTILE, inspector_of, select, settled, write_scene
from ui.main_window import MainWindow
from ui.panels.claim_history.panel import ClaimHistory
from ui.panels.inspector.memory_card import MemoryCard
from ui.panels.proposals.panel import Proposals

LEFT = Qt.MouseButton.LeftButton
TOLD = ("Ines said that the window is 50 minutes now. " * 12).strip()


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    return write_scene(tmp_path / "graph.db")


@pytest.fixture
def window(qtbot: QtBot, opened: MainWindow) -> MainWindow:
    opened.resize(1400, 900)
    session = opened.session
    assert session is not None

    def fill(writer: Writer) -> None:
        graph = Graph(writer)
        graph.memory(TOLD, "job", "ines", id="told", who="claude-code", why=HOSTILE)
        control.propose(writer, "set_claim_value", {
            "entity": "settlement job", "aspect": "schedule", "claim_key": "window",
            "value": "51 minutes"}, evidence=[
                {"source_kind": "memory", "memory_id": "told", "quote": "50 minutes now"}])
        writer.update("entity_attributes", "window", memory_id="told")

    session.workspace.write("fill", fill)
    inspector_of(opened)
    settled(qtbot, opened)
    return opened


def click_link(part: object, words: str) -> None:
    button = next(one for one in part.findChildren(QPushButton)  # type: ignore[attr-defined]
                  if one.text().startswith(words))
    QTest.mouseClick(button, LEFT)


def card_of(qtbot: QtBot, window: MainWindow) -> MemoryCard:
    panel = inspector_of(window)
    qtbot.waitUntil(panel.card.isVisible)
    return panel.card


def texts(card: MemoryCard) -> list[str]:
    return [one.text() for one in card.findChildren(QLabel)]


def test_open_beside_evidence_of_a_proposal_shows_the_whole_memory(
    qtbot: QtBot, window: MainWindow
) -> None:
    panel = window.show_panel("proposals")
    assert isinstance(panel, Proposals)
    qtbot.waitUntil(lambda: len(panel.queue.order) == 2)
    for proposal in panel.queue.order:
        panel.context.selection.select_proposal(proposal)
        settled(qtbot, window)
        if any(one.text() == "open ↗" for one in panel.card.findChildren(QPushButton)):
            break
    click_link(panel.card, "open ↗")
    card = card_of(qtbot, window)
    assert TOLD in texts(card)
    assert unturned(HOSTILE) in texts(card)
    assert inspector_of(window).has_keyboard


def test_open_beside_evidence_of_a_version_shows_the_whole_memory(
    qtbot: QtBot, window: MainWindow
) -> None:
    select(qtbot, window, "settlement job")
    panel = window.show_panel("claim_history")
    assert isinstance(panel, ClaimHistory)
    inspector = inspector_of(window)
    inspector._act(inspector.view.tree.find("window"))  # type: ignore[arg-type]
    qtbot.waitUntil(lambda: panel.chosen_id == "window")
    qtbot.waitUntil(lambda: any(
        one.text() == "open ↗" for one in panel.ground.findChildren(QPushButton)))
    click_link(panel.ground, "open ↗")
    assert TOLD in texts(card_of(qtbot, window))


def test_the_card_leads_on_and_back(qtbot: QtBot, window: MainWindow) -> None:
    select(qtbot, window, "settlement job")
    inspector = inspector_of(window)
    node = inspector.view.tree.find("told")
    assert node is not None
    inspector._act(node)
    card = card_of(qtbot, window)
    assert (inspector.view.isVisible(), inspector.top.isVisible()) == (False, False)
    click_link(card, "‹ back to the entity")
    qtbot.waitUntil(inspector.view.isVisible)
    assert card.isHidden()
    inspector._act(inspector.view.tree.find("told"))  # type: ignore[arg-type]
    card_of(qtbot, window)
    click_link(card, "Ines Duarte")
    qtbot.waitUntil(lambda: inspector.inspection is not None
                    and inspector.inspection.entity_id == "ines")
    assert card.isHidden()
    assert inspector.view.isVisible()
    window.session.selection.select_memory("told")  # type: ignore[union-attr]
    card_of(qtbot, window)
    click_link(card, "settlement job, schedule, window: 4")
    slot = window.session.selection.slot  # type: ignore[union-attr]
    assert slot is not None
    assert slot.claim_key == "window"


def test_a_memory_that_others_change_or_delete_is_followed(
    qtbot: QtBot, window: MainWindow
) -> None:
    session = window.session
    assert session is not None
    session.selection.select_memory("told")
    card = card_of(qtbot, window)
    session.workspace.write("edit", lambda w: w.update("memories", "told", content="Anew"))
    qtbot.waitUntil(lambda: "Anew" in texts(card))
    session.workspace.write("hide", lambda w: w.update("memories", "told", agent_id="rival",
                                                       visibility="private"))
    qtbot.waitUntil(lambda: any("no longer in the graph" in text for text in texts(card)))
    click_link(card, "‹ close")
    qtbot.waitUntil(lambda: inspector_of(window).face == "empty")
