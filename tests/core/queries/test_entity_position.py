"""Where an entity stands in the list is where the list shows it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.queries.entities import list_entities, position_of
from core.workspace import Workspace
from tests.core.graphs import Graph, build, many


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    """Ties of mentions, pins with and without a time, and an archived entity."""

    def fill(graph: Graph) -> None:
        many(graph, 150, aspects=1, values=1)
        graph.entity("Pinned long ago", pinned=1, pinned_at="2026-01-01T00:00:00.000Z")
        graph.entity("Pinned lately", pinned=1, pinned_at="2026-02-01T00:00:00.000Z")
        graph.entity("Put away", id="away", status="archived", mentions=50)

    made = build(tmp_path / "graph.db", fill)
    yield made
    made.close()


@pytest.mark.parametrize("types", [(), ("person",), ("person", "tool")])
@pytest.mark.parametrize("status", ["active", "all"])
def test_every_entity_stands_where_the_list_has_it(
    workspace: Workspace, types: tuple[str, ...], status: str
) -> None:
    with workspace.read() as reader:
        rows = list_entities(reader, types=types, status=status, limit=1000)
        places = [position_of(reader, row.id, types=types, status=status) for row in rows]
    assert places == list(range(len(rows)))


def test_what_is_not_in_the_list_stands_nowhere(workspace: Workspace) -> None:
    with workspace.read() as reader:
        assert position_of(reader, "away") is None
        assert position_of(reader, "no such id") is None
        assert position_of(reader, "e1", types=("project",)) is None
