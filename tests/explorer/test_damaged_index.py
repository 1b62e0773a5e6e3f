"""A damaged index that finds a name and no row is told in words."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import OperationError
from core.learning.scorer_features import constraint_memories
from core.workspace import Workspace
from explorer import knowledge_json
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


def test_an_entity_that_is_found_and_has_no_row_is_refused_in_words(file: Path) -> None:
    lose_ids(file)
    with closing(Workspace.open(file, data_dir=file.parent / "data")) as workspace, \
            workspace.read() as reader, pytest.raises(OperationError, match="not its row"):
        knowledge_json.tree(reader, "Harbor Ledger")


def test_a_value_without_an_id_rests_on_no_memory(workspace: Workspace) -> None:
    with workspace.read() as reader:
        assert constraint_memories(reader, [None, "m-none"]) == frozenset()  # type: ignore[list-item]
