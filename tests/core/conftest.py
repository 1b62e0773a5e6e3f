"""What tests of core share."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.workspace import Workspace
from tests.core.graphs import Graph, build

Fill = Callable[[Graph], object]


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[Callable[[Fill], Workspace]]:
    """`graph(fill)` is a new graph with what `fill` writes."""
    opened: list[Workspace] = []

    def make(fill: Fill) -> Workspace:
        opened.append(build(tmp_path / f"graph{len(opened)}.db", fill))
        return opened[-1]

    yield make
    for workspace in opened:
        workspace.close()
