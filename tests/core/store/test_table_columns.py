"""The tables of a file are known as its schema is now, whoever has changed it."""

import sqlite3
from pathlib import Path

import pytest

from core.store.database import connect
from core.store.table_columns import tables_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "file.db"
    with sqlite3.connect(made) as connection:
        connection.execute("CREATE TABLE b (id TEXT PRIMARY KEY, n INTEGER NOT NULL)")
        connection.execute("CREATE TABLE a (id TEXT PRIMARY KEY) WITHOUT ROWID")
        connection.execute("CREATE VIEW v AS SELECT * FROM b")
    connection.close()
    return made


def names(connection: sqlite3.Connection) -> dict[str, list[str]]:
    return {table: [column["name"] for column in columns]
            for table, columns in tables_of(connection).columns.items()}


def test_a_table_is_known_with_its_columns(path: Path) -> None:
    connection = connect(path)
    assert names(connection) == {"a": ["id"], "b": ["id", "n"]}
    assert [column["notnull"] for column in tables_of(connection).columns["b"]] == [0, 1]
    assert tables_of(connection).without_row_numbers == {"a"}
    connection.close()


def test_what_another_connection_changes_is_seen(path: Path) -> None:
    first, other = connect(path), connect(path, mode="rw")
    assert names(first)["b"] == ["id", "n"]
    other.execute("ALTER TABLE b ADD COLUMN more TEXT")
    other.execute("CREATE TABLE c (id TEXT)")
    assert names(first) == {"a": ["id"], "b": ["id", "n", "more"], "c": ["id"]}
    other.execute("DROP TABLE c")
    other.execute("ALTER TABLE b DROP COLUMN more")
    assert names(first) == names(other) == {"a": ["id"], "b": ["id", "n"]}
    first.close()
    other.close()


def test_the_text_of_another_object_may_be_none(path: Path) -> None:
    connection = connect(path, mode="rw")
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("UPDATE sqlite_master SET sql = CAST(CAST(sql AS BLOB) || x'20ff' AS TEXT)"
                       " WHERE name = 'v'")
    assert names(connection) == {"a": ["id"], "b": ["id", "n"]}
    connection.close()
