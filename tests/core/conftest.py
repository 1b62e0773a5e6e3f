"""What tests of core share."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.workspace import Workspace
from tests.core.graphs import Graph, build

Fill = Callable[[Graph], object]


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[Callable[..., Workspace]]:
    """`graph(fill)` is a new graph with what `fill` writes, `graph(fill, agent=...)` an agent's."""
    opened: list[Workspace] = []

    def make(fill: Fill, agent: str = "default") -> Workspace:
        opened.append(build(tmp_path / f"graph{len(opened)}.db", fill, agent=agent))
        return opened[-1]

    yield make
    for workspace in opened:
        workspace.close()
