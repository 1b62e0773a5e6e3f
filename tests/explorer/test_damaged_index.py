"""A damaged index that finds a name and no row is told in words."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import Damaged, OperationError
from core.learning.scorer_features import constraint_memories
from core.model.walk import Focal, FocalEntity
from core.store import outside_changes
from core.store.reader_and_writer import Reader
from core.traversal.config import TraversalSettings
from core.traversal.entity_context import expand
from core.traversal.walk import walk
from core.workspace import Workspace
from explorer import knowledge_json
from explorer.cli.dispatch import dispatch
from explorer.mcp.entity_page import entity_page
from tests.contracts.files import make


@pytest.fixture
def file(tmp_path: Path) -> Path:
    make("native", tmp_path / "graph.db", tmp_path / "data").close()
    return tmp_path / "graph.db"


@pytest.fixture
def workspace(file: Path) -> Iterator[Workspace]:
    with closing(Workspace.open(file, data_dir=file.parent / "data")) as opened:
        yield opened


def lose_ids(file: Path) -> None:
    """The index of ids leads to the entries of another table's, as after a torn write."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(
            "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema"
            " WHERE name = 'sqlite_autoindex_entity_aspects_1')"
            " WHERE name = 'sqlite_autoindex_entities_1'")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


@pytest.mark.parametrize("read", [
    knowledge_json.tree, entity_page,
    lambda reader, name: expand(reader, name, TraversalSettings()),
])
def test_an_entity_that_is_found_and_has_no_row_is_refused_in_words(
    file: Path, read: Callable[[Reader, str], object]
) -> None:
    lose_ids(file)
    with closing(Workspace.open(file, data_dir=file.parent / "data")) as workspace, \
            workspace.read() as reader, pytest.raises(
                OperationError, match="Entity not found: Harbor Ledger: .* not its row"):
        read(reader, "Harbor Ledger")


def test_the_command_line_says_so_too(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lose_ids(file)
    assert dispatch(["knowledge", "entity", "Harbor Ledger", "--store", str(file)]) == 2
    assert "not its row" in capsys.readouterr().err


def test_a_value_without_an_id_rests_on_no_memory(workspace: Workspace) -> None:
    with workspace.read() as reader:
        assert constraint_memories(reader, [None, "m-none"]) == frozenset()  # type: ignore[list-item]


def move_rows(connection: sqlite3.Connection, table: str, owner: str) -> None:
    """Rows are of another entity, and their indexes do not know, as after a torn write."""
    there = "type = 'index' AND sql IS NOT NULL AND tbl_name = ?"
    indexes = connection.execute(
        f"SELECT name, sql, rootpage FROM sqlite_schema WHERE {there}", (table,)).fetchall()
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute(f"DELETE FROM sqlite_schema WHERE {there}", (table,))
    connection.execute("PRAGMA writable_schema = RESET")
    connection.execute(f"UPDATE {table} SET {owner} = 'not ' || {owner}")
    connection.execute("PRAGMA writable_schema = ON")
    connection.executemany("INSERT INTO sqlite_schema (type, tbl_name, name, sql, rootpage)"
                           f" VALUES ('index', '{table}', ?, ?, ?)", indexes)
    connection.execute("PRAGMA writable_schema = RESET")


@pytest.mark.parametrize(("table", "owner"), [
    ("entity_dependencies", "source_entity_id"), ("entity_aspects", "entity_id"),
    ("entity_attributes", "aspect_id"), ("memory_entity_mentions", "entity_id")])
def test_a_walk_leaves_out_what_a_damaged_index_leads_to(
    file: Path, table: str, owner: str
) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        move_rows(connection, table, owner)
    with closing(Workspace.open(file, data_dir=file.parent / "data")) as workspace, \
            workspace.read() as reader:
        id = reader.value("SELECT id FROM entities WHERE name = 'Harbor Ledger'")
        focal = Focal((FocalEntity(id, "", "", "asked"),))
        found = walk(reader, focal, TraversalSettings(timeout_ms=60_000))
    assert not found.timed_out


def test_damage_that_sqlite_reports_as_lack_of_memory_refuses_a_write_in_words(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Full text whose blocks are other bytes says so when tables are listed before a write."""
    def listing(_connection: object) -> frozenset[str]:
        raise MemoryError

    monkeypatch.setattr(outside_changes, "without_row_numbers", listing)
    with pytest.raises(Damaged):
        workspace.write("write", lambda writer: writer.insert(
            "agents", id="other", created_at=writer.now()))
