"""An agent reads whether a person's expectations hold; it has no tool that writes one down."""

from pathlib import Path

from core.expectations.store import add_expectation
from core.workspace import Workspace
from tests.contracts.files import make
from tests.explorer.mcp.agents import agent_of


def test_an_agent_checks_expectations_and_adds_none(tmp_path: Path) -> None:
    make("native", tmp_path / "graph.db", tmp_path / "data").close()
    workspace = Workspace.open(tmp_path / "graph.db", data_dir=tmp_path / "data")
    for target, must in (("v-rule", True), ("v-limit", False)):
        workspace.write("expect", lambda writer, target=target, must=must: add_expectation(
            writer, "What binds Harbor Ledger and the Tide API?", target, must=must))
    workspace.close()
    with agent_of(tmp_path / "graph.db", "--store", str(tmp_path / "graph.db")) as agent:
        answer = agent.call("check_expectations")
        assert (answer["checked"], answer["failed"]) == (2, 1)
        assert not any("expect" in tool.name and not tool.annotations.read_only_hint
                       for tool in agent.ask("list_tools").tools)
