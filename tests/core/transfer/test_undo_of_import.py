"""An import is taken back whole although programs have counted in its rows meanwhile."""

import io
import json
import sqlite3
from contextlib import closing

import pytest

from core.errors import UndoRefused
from core.transfer.mcp_import import import_mcp
from core.transfer.read_mcp_file import read_mcp
from core.workspace import Workspace
from tests.contracts.files import Dump, dump
from tests.core.graphs import empty_graph  # noqa: F401 - the fixture `graph`

COUNTED = "UPDATE entities SET mentions = mentions + 5, updated_at = '2031-01-01' WHERE name = 'E3'"
CHANGED = "UPDATE entities SET description = 'theirs' WHERE name = 'E3'"


def elsewhere(graph: Workspace, sql: str) -> None:
    with closing(sqlite3.connect(graph.path)) as other, other:
        other.execute(sql)


def content(graph: Workspace) -> Dump:
    rows = dump(graph)
    for record in ("ontology_proposals", "entity_dependency_history"):
        rows.pop(record)
    return rows


@pytest.fixture
def imported(graph: Workspace) -> Workspace:
    lines = "\n".join(json.dumps({"type": "entity", "name": f"E{n}", "entityType": "tool",
                                  "observations": [f"Number {n} of many things"]})
                      for n in range(60))
    file = read_mcp(io.BytesIO(lines.encode()), path="/notes/memory.jsonl")
    graph.write("import", lambda w: import_mcp(w, file))
    return graph


def test_what_is_counted_meanwhile_comes_back_with_redo(imported: Workspace) -> None:
    elsewhere(imported, COUNTED)
    before = content(imported)
    imported.undo()
    assert not content(imported)["entities"]
    imported.redo()
    assert content(imported) == before
    imported.undo()
    assert not content(imported)["entities"]


def test_a_change_by_others_stands_against_it_until_it_is_forced(imported: Workspace) -> None:
    elsewhere(imported, CHANGED)
    with pytest.raises(UndoRefused, match="to “theirs”"):
        imported.undo()
    assert len(content(imported)["entities"]) == 60
    imported.undo(force=True)
    assert not content(imported)["entities"]


def test_rows_that_others_have_deleted_are_no_obstacle(imported: Workspace) -> None:
    elsewhere(imported, "DELETE FROM memory_entity_mentions WHERE memory_id ="
                        " (SELECT id FROM memories WHERE content LIKE 'Number 7 %')")
    imported.undo()
    assert not content(imported)["memory_entity_mentions"]
    imported.redo()
    assert len(content(imported)["memory_entity_mentions"]) == 59
