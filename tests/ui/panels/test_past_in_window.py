"""What no longer holds, and constraints, as a person sees them in recall and the agent view."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.ontology import control
from core.workspace import Workspace
from tests.core.graphs import Graph
from tests.ui.browse_scene import settled
from ui.main_window import MainWindow

CLIENT = "The client retries five times and logs to stderr"
OUTDATED = f"Harbor Ledger: {CLIENT} (outdated: retries was “five”"
SLOT = {"entity": "Harbor Ledger", "aspect": "client", "group_key": "general",
        "claim_key": "retries"}


def fill(graph: Graph) -> None:
    ledger = graph.entity("Harbor Ledger", id="ledger", mentions=9)
    memory = graph.memory(CLIENT, ledger, importance=0.9)
    client = graph.aspect(ledger, "client")
    graph.value(client, "five", id="five", memory_id=memory, group_key="general",
                claim_key="retries")
    graph.value(client, "logs to stderr", memory_id=memory)
    graph.value(graph.aspect(ledger, "rules"), "Never deploy on Friday", kind="constraint",
                importance=0.9)


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    path = tmp_path / "graph.db"
    workspace = Workspace.open(path, create=True)
    workspace.write("Set up", lambda writer: fill(Graph(writer)))
    for value in ("six", "seven"):
        workspace.write("Set", lambda writer, value=value: control.apply(
            writer, "set_claim_value", {**SLOT, "value": value}))
    workspace.close()
    return path


@pytest.mark.parametrize(("name", "question", "lines"), [
    ("recall", "Harbor Ledger client logs", [OUTDATED]),
    ("recall", "Harbor Ledger retries before", ["Past: Harbor Ledger, client, retries: six (on "]),
    ("recall", "Harbor Ledger deploy Friday", ["Constraint: Harbor Ledger, rules: Never deploy"]),
    ("agent_view", "Harbor Ledger client logs", [OUTDATED]),
    ("agent_view", "Harbor Ledger retries before", ["Past: Harbor Ledger, client, retries: six"]),
])
def test_a_line_says_what_no_longer_holds(
    qtbot: QtBot, opened: MainWindow, name: str, question: str, lines: list[str]
) -> None:
    opened.resize(1440, 1000)
    panel = opened.show_panel(name)
    settled(qtbot, opened)
    panel.ask.question.setText(question)
    told = panel.hits if name == "recall" else panel.memories
    for line in lines:
        qtbot.waitUntil(lambda line=line: any(row.text.startswith(line) for row in told.rows))
        if name == "agent_view":
            qtbot.waitUntil(lambda line=line: f"- {line}" in panel.injected.source)
        if "(outdated" in line:
            below = next(row.below for row in told.rows if row.text.startswith(line))
            assert below.startswith("outdated in part")
