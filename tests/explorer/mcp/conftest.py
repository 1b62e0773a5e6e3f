"""An agent with a new graph; one process serves a whole module."""

from collections.abc import Iterator

import pytest

from core.workspace import Workspace
from tests.explorer.mcp.agents import Agent, agent_of


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    """The client, connected."""
    store = tmp_path_factory.mktemp("agent") / "graph.db"
    Workspace.open(store, data_dir=store.parent / "data", create=True).close()
    with agent_of(store, "--store", str(store)) as connected:
        yield connected
