"""Many proposals worked off by keys alone: every verdict is on the card that was shown."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.workspace import Workspace
from tests.bench.verdicts import work_off
from tests.core.graphs import Graph
from tests.templates import copy_graph
from tests.ui.conftest import settle
from tests.ui.review_scene import press, review_of
from ui.main_window import MainWindow
from ui.models.review_queue import Arrangement

COUNT = 24


def _fill(workspace: Workspace) -> None:
    def fill(graph: Graph) -> None:
        for number in range(COUNT):
            entity = graph.entity(f"Pier {number % 7}", mentions=number) if number < 7 else ""
            if entity:
                graph.value(graph.aspect(entity, "plan"), "It opens at noon", "opening")
            graph.proposal("set_claim_value", {
                "entity": f"Pier {number % 7}", "aspect": "plan", "claim_key": "opening",
                "value": f"It opens at {number} now"}, rationale=f"Seen {number}",
                confidence=0.5 + number / 100)

    workspace.write("fill", lambda writer: fill(Graph(writer)))


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    return copy_graph(_fill, tmp_path / "graph.db")


def test_each_verdict_is_on_the_card_that_was_shown(qtbot: QtBot, opened: MainWindow) -> None:
    panel = review_of(opened)
    settle(qtbot, opened)
    panel.queue.arrange_as(Arrangement(sort="worth"))

    def wait(until: Callable[[], bool]) -> None:
        qtbot.waitUntil(until, timeout=20_000)

    worked = work_off(panel, COUNT, wait)
    assert worked.wrong == []
    assert worked.verdicts == COUNT
    assert panel.parts.at_end


def test_a_review_goes_on_where_it_stopped(
    qtbot: QtBot, opened: MainWindow, graph: Path
) -> None:
    panel = review_of(opened)
    settle(qtbot, opened)
    panel.queue.arrange_as(Arrangement(sort="worth", group="entity"))
    for _ in range(3):
        press(panel, Qt.Key.Key_J)
    stopped = panel.current_id
    assert stopped != panel.queue.order[0]
    sidecar = opened.session.workspace.sidecar  # type: ignore[union-attr]
    qtbot.waitUntil(lambda: stopped.encode() in (sidecar.get("review.place:default") or b""))
    with qtbot.waitSignal(opened.graph_shown):
        opened.open_path(graph)
    settle(qtbot, opened)
    again = review_of(opened)
    qtbot.waitUntil(lambda: again.current_id == stopped)
    assert again.queue.how == Arrangement(sort="worth", group="entity")
    assert "Most worth first" in again.queue.order_button.text()


def test_related_ones_come_ticked_and_the_end_says_what_was_done(
    qtbot: QtBot, opened: MainWindow
) -> None:
    panel = review_of(opened)
    settle(qtbot, opened)
    press(panel, Qt.Key.Key_End)
    press(panel, Qt.Key.Key_G, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: panel.review.batch is not None)
    about = {panel.waiting.row(id).target for id in panel.chosen_ids}  # type: ignore[union-attr]
    assert len(about) == 1
    assert len(panel.chosen_ids) == sum(
        row.target in about for row in panel.waiting.rows) > 1
    assert set(panel.several.boxes) == set(panel.chosen_ids)
    many = len(panel.chosen_ids)
    press(panel, Qt.Key.Key_R)
    QTest.keyClick(panel.bar.reason, Qt.Key.Key_Return)
    settle(qtbot, opened)
    press(panel, Qt.Key.Key_End)
    press(panel, Qt.Key.Key_Space)
    words = f"That was the last: Applied 0 · rejected {many} · skipped 1"
    qtbot.waitUntil(lambda: words in opened.toast.text)

