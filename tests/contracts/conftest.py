"""Files of three generations, each with the same world."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.workspace import Workspace
from tests.contracts.files import KINDS, make


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    """A generation of file."""
    return str(request.param)


@pytest.fixture
def graph(kind: str, tmp_path: Path) -> Iterator[Workspace]:
    """An open graph of that generation."""
    workspace = make(kind, tmp_path / "graph.db", tmp_path / "side")
    yield workspace
    workspace.close()
