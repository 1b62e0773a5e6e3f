"""Reads the tables of another program's database (SQLite), which is never written."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

from core.store.database import connect, in_words, quoted, read_tolerantly

Columns = frozenset[str]
Row = dict[str, object]


def columns_by_table(path: Path) -> Mapping[str, Columns]:
    """The columns of each table of a database; raises ConstellationError where it can't be read."""
    with in_words(path), closing(connect(path)) as connection:
        names = [row["name"] for row in connection.execute(
            "SELECT t.name FROM pragma_table_list t WHERE t.schema = 'main'"
            " AND t.type = 'table'")]
        return {name: frozenset(row["name"] for row in connection.execute(
            "SELECT c.name FROM pragma_table_info(?) c", (name,))) for name in names}


def rows(path: Path, table: str, order: str = "rowid") -> Iterator[Row]:
    """The rows of a table, one by one, without columns that say nothing and without bytes."""
    with in_words(path), closing(connect(path)) as connection:
        read_tolerantly(connection)
        for row in connection.execute(f"SELECT t.* FROM {quoted(table)} t ORDER BY t.{order}"):
            yield {key: value for key, value in dict(row).items()
                   if value is not None and not isinstance(value, bytes)}


def count(path: Path, table: str) -> int:
    """How many rows a table has."""
    with in_words(path), closing(connect(path)) as connection:
        return int(connection.execute(f"SELECT COUNT(*) FROM {quoted(table)}").fetchone()[0])
