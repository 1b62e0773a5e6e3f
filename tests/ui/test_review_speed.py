"""Many proposals worked off by keys alone: every verdict is on the card that was shown."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.workspace import Workspace
from tests.bench.verdicts import work_off
from tests.core.graphs import Graph
from tests.templates import copy_graph
from tests.ui.conftest import settle
from tests.ui.review_scene import review_of
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
