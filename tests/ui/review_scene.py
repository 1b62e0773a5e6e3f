"""A small graph with proposals that wait, and the steps that tests of the review share."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from core.ontology import control
from core.review.proposal_queue import get_proposal
from core.store.reader_and_writer import Writer
from core.workspace import Workspace
from ui.main_window import MainWindow
from ui.models.review_card import Card
from ui.panel import Panel
from ui.panels.proposals.panel import Proposals

SESSION = ("Ines moved the run again this evening. settlement now starts 03:30 UTC until the bank "
           "fixes their export. She will tell Tomas.")
QUOTE = "settlement now starts 03:30 UTC"
HOSTILE = "<img src=x onerror=alert(1)><b>bold</b> \u202eevil\u202c 🜲 & <script>"

START = {"entity": "Harbor Ledger", "aspect": "schedule", "claim_key": "start"}
WAITING: dict[str, tuple[str, dict[str, object]]] = {
    "start": ("set_claim_value", {**START, "value": "Starts every night at 03:30"}),
    "rival": ("set_claim_value", {**START, "value": "Starts at 04:00"}),
    "link": ("create_link", {"source": "Ines Duarte", "target": "Harbor Ledger",
                             "link_type": "maintains"}),
    "calendar": ("create_entity", {"name": "bank calendar", "entity_type": "source"}),
    "lost": ("archive_aspect", {"entity": "Harbor Ledger", "aspect": "no such aspect"}),
    "hostile": ("set_claim_value", {"entity": "<b>uv</b> & co", "aspect": "about",
                                    "claim_key": "what", "value": HOSTILE}),
}
"""What waits, oldest first, under the names that the tests use."""


@pytest.fixture(name="ids")
def review_ids() -> dict[str, str]:
    """The proposals by their names."""
    return {}


@pytest.fixture(name="graph")
def review_graph(graph: Path, ids: dict[str, str]) -> Path:
    """The small graph, with all of them waiting."""
    ids.update(add_proposals(graph))
    return graph


def add_proposals(path: Path, names: tuple[str, ...] = tuple(WAITING)) -> dict[str, str]:
    """Let proposals wait in a graph; returns their ids by name."""
    workspace = Workspace.open(path)
    ids = {}
    for name in names:
        ids[name] = workspace.write("Propose", lambda w, n=name: _propose(w, n)).result
    workspace.close()
    return ids


def add_another_lost(path: Path) -> str:
    """Let one more proposal wait that can't be applied; returns its id."""
    workspace = Workspace.open(path)
    id = workspace.write("Propose", lambda w: control.propose(
        w, "archive_aspect", {"entity": "Harbor Ledger", "aspect": "none such either"})).result
    workspace.close()
    return id


def _propose(writer: Writer, name: str) -> str:
    operation, payload = WAITING[name]
    evidence: list[object] = []
    if name == "start":
        writer.insert("memories", id="session", content=SESSION, who="claude-code",
                      created_at=writer.now(), updated_at=writer.now(), agent_id=writer.agent)
        evidence = [{"memory_id": "session", "quote": QUOTE}]
    proposal = control.propose(
        writer, operation, payload, reason=f"Because of {name}", evidence=evidence,
        confidence=0.9 - 0.1 * list(WAITING).index(name),
        risk="high" if name == "lost" else "low")
    # One moment apart, so that the newest comes first in a known order.
    at = f"2026-03-0{list(WAITING).index(name) + 1}T10:00:00.000Z"
    writer.update("ontology_proposals", proposal, created_at=at, updated_at=at)
    return proposal


def review_of(window: MainWindow) -> Proposals:
    """The panel, shown and with the keyboard."""
    panel = window.show_panel("proposals")
    assert isinstance(panel, Proposals)
    return panel


def settled(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until nothing runs in the background."""
    session = window.session
    assert session is not None
    qtbot.waitUntil(lambda: session.runner.idle)


def wait_card(qtbot: QtBot, panel: Proposals, proposal_id: str) -> Card:
    """Wait until this is the card that is shown."""
    qtbot.waitUntil(lambda: panel.current_id == proposal_id
                    and panel.card.card is not None
                    and panel.card.card.proposal.id == proposal_id)
    assert panel.card.card is not None
    return panel.card.card


def status_of(window: MainWindow, proposal_id: str) -> str:
    assert window.session is not None
    with window.session.workspace.read() as reader:
        found = get_proposal(reader, proposal_id)
    assert found is not None
    return found.status


def wait_status(qtbot: QtBot, window: MainWindow, proposal_id: str, status: str) -> None:
    qtbot.waitUntil(lambda: status_of(window, proposal_id) == status)


def press(panel: Panel, key: Qt.Key, modifier: Qt.KeyboardModifier | None = None) -> None:
    """Press a key where the keyboard is, which must be in the panel."""
    focused = panel.window().focusWidget()
    assert focused is not None
    assert focused is panel or panel.isAncestorOf(focused), f"the keyboard is in {focused}"
    QTest.keyClick(focused, key, modifier or Qt.KeyboardModifier.NoModifier)


def texts_in(widget: QWidget) -> str:
    """Everything that the labels in a widget say."""
    return "\n".join(found.text() for found in widget.findChildren(QLabel))
