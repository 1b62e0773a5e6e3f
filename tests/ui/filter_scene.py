"""A small graph for searches, in the window with its sky."""

from contextlib import closing
from pathlib import Path

import pytest

from core.workspace import Workspace
from tests.core.graphs import Graph
from ui.main_window import MainWindow


def fill(graph: Graph) -> None:
    job = graph.entity("settlement job", "workflow", id="job", mentions=5)
    ledger = graph.entity("Harbor Ledger", "project", id="ledger", mentions=9)
    office = graph.entity("Office", "place", id="office")
    graph.entity("Ines", "person", id="ines", mentions=2)
    graph.value(graph.aspect(job, "work"), "The bank queues it until Monday")
    facts = graph.aspect(ledger, "facts")
    graph.value(facts, "Each settlement becomes a golden file")
    graph.value(facts, "Speaks with the bank")
    graph.value(graph.aspect(office, "facts"), "Has a bank counter")
    graph.memory("about it", ledger, tags="release")
    graph.link(job, ledger)


@pytest.fixture(name="window")
def filter_window(sky_window: MainWindow) -> MainWindow:
    return sky_window


@pytest.fixture(name="graph")
def filter_graph(tmp_path: Path) -> Path:
    path = tmp_path / "graph.db"
    with closing(Workspace.open(path, create=True)) as workspace:
        workspace.write("fill", lambda writer: fill(Graph(writer)))
    return path
