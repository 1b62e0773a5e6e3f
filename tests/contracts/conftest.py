"""Files of three generations, each with the same world."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.store.reader_and_writer import Reader
from core.workspace import Workspace
from tests.contracts.files import KINDS, make

ENOUGH = 30.0
"""Seconds more for a question: on a busy machine, too, it is answered whole."""


@pytest.fixture(autouse=True)
def _time_enough(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "time_limits" not in request.path.name:
        interrupting = Reader.interrupting
        monkeypatch.setattr(Reader, "interrupting", lambda reader, deadline: interrupting(
            reader, deadline + ENOUGH))


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
