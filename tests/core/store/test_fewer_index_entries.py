"""A graph from before indexes left out what hardly any row has finds all as it did."""

import io
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import OperationError
from core.ontology.change_provenance import Provenance
from core.ontology.entities import RenameEntity, rename_entity
from core.queries.find_by_name_or_id import find_entity
from core.store import migrate
from core.transfer import import_queries
from core.transfer.import_report import ImportReport
from core.transfer.mcp_import import import_mcp
from core.transfer.read_mcp_file import read_mcp
from core.workspace import Workspace

BEFORE = 16
"""The version before this step."""
LINES = [{"type": "entity", "name": "Vega", "observations": ["Deploys on Monday"]},
         {"type": "relation", "from": "Vega", "to": "Lyra", "relationType": "uses"}]
SEARCHES = {
    "DELETE FROM entity_communities WHERE id = 'x'": "idx_entities_community",
    "DELETE FROM entity_aspects WHERE id = 'x'": "idx_entity_dependencies_aspect",
    "SELECT 1 FROM entity_dependency_history WHERE event = 'deleted' AND created_at > 'x'":
        "idx_entity_dependency_history_deleted",
    import_queries.LOOKUPS[1]: "idx_entities_source"}


def _take(workspace: Workspace) -> ImportReport:
    file = read_mcp(io.BytesIO("\n".join(map(json.dumps, LINES)).encode()))
    return workspace.write("import", lambda w: import_mcp(w, file)).result


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A graph as version 16 wrote it: an import, of which an entity was renamed."""
    path = tmp_path / "old.db"
    every = migrate.steps()
    with monkeypatch.context() as then:
        then.setattr(migrate, "steps", lambda: every[:BEFORE])
        with closing(Workspace.open(path, data_dir=tmp_path / "data", create=True)) as workspace:
            _take(workspace)
            renamed = RenameEntity(entity="Vega", new_name="Altair")
            workspace.write("rename", lambda w: rename_entity(w, renamed, Provenance("p")))
    return path


@pytest.fixture
def graph(old: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(old, data_dir=old.parent / "data")
    yield workspace
    workspace.close()


def test_an_import_finds_what_was_renamed(graph: Workspace) -> None:
    report = _take(graph)
    assert (report.entities_new, report.entities_unchanged) == (0, 2)


def test_who_asks_for_the_former_name_is_told_the_new_one(graph: Workspace) -> None:
    graph.write("forget renames", lambda w: w.connection.execute("DELETE FROM ontology_proposals"))
    with graph.read() as reader, pytest.raises(OperationError) as refused:
        find_entity(reader, "Vega")
    assert "Altair" in str(refused.value.do)


def test_what_was_done_before_can_still_be_taken_back(graph: Workspace) -> None:
    assert graph.undo() == "rename"
    assert graph.undo() == "import"
    with graph.read() as reader:
        assert not reader.rows("SELECT 1 FROM entities UNION SELECT 1 FROM entity_dependencies")


@pytest.mark.parametrize("statement", SEARCHES)
def test_rows_that_few_are_like_are_found_along_an_index(
    graph: Workspace, statement: str
) -> None:
    with closing(sqlite3.connect(graph.path)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        plan = connection.execute(f"EXPLAIN QUERY PLAN {statement}", {
            "agent": "default", "names": "[]", "kind": "import"}).fetchall()
    assert any(SEARCHES[statement] in str(step) for step in plan), plan
