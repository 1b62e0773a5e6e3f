"""Bringing an old graph up to date says how far it is, and can be stopped."""

import sqlite3
from pathlib import Path

import pytest

from core.errors import Cancelled
from core.store import migrate
from core.workspace import Workspace
from tests.core.graphs import Graph, build

OLD = 8
"""The version before values had memories."""


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A graph of an earlier version with values that no memory says."""
    path = tmp_path / "old.db"

    def fill(graph: Graph) -> None:
        aspect = graph.aspect(graph.entity("Vega"), "schedule")
        for n in range(300):
            graph.value(aspect, f"value {n}")

    build(path, fill).close()
    connection = sqlite3.connect(path)
    connection.executescript(f"DELETE FROM agents; PRAGMA user_version = {OLD}")
    connection.close()
    monkeypatch.setattr(migrate, "_OFTEN", 1000)
    return path


def state(path: Path) -> tuple[int, int]:
    connection = sqlite3.connect(path)
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    memories = connection.execute("SELECT COUNT(*) FROM memories").fetchone()[0]
    connection.close()
    return version, memories


def test_it_says_how_far_it_is(old: Path) -> None:
    shares: list[float] = []
    Workspace.open(old, data_dir=old.parent / "data", report=shares.append).close()
    assert shares == sorted(shares)
    assert shares[0] < 0.1
    assert 0.8 < shares[-1] <= 1
    assert state(old) == (migrate.newest(), 300)


def test_stopping_it_leaves_the_graph_as_it_was(old: Path) -> None:
    def stop(share: float) -> None:
        if share > 0.5:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        Workspace.open(old, data_dir=old.parent / "data", report=stop)
    assert state(old) == (OLD, 0)
    Workspace.open(old, data_dir=old.parent / "data").close()
    assert state(old) == (migrate.newest(), 300)
