"""A commit that was refused does not come back after a crash, although it stands in the log."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import ConstellationError
from core.store import writer as writer_module
from core.store.overwrite_failed_commit import overwrite_failed_commit
from core.store.reader_and_writer import Writer
from core.workspace import Workspace


def log_of(path: Path) -> Path:
    return Path(f"{path}-wal")


Refused = tuple[Path, sqlite3.Connection]


def crashed(path: Path, folder: Path) -> list[str]:
    """The names that another program finds after a crash: file and log, without an index."""
    folder.mkdir(exist_ok=True)
    copy = folder / path.name
    shutil.copy(path, copy)
    shutil.copy(log_of(path), log_of(copy))
    with closing(sqlite3.connect(copy)) as connection:
        return [row[0] for row in connection.execute("SELECT name FROM things ORDER BY name")]


@pytest.fixture
def refused(tmp_path: Path) -> Iterator[Refused]:
    """A connection whose COMMIT of `late` was refused when it stood in the log already."""
    path = tmp_path / "graph.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE things (name TEXT)")
        connection.execute("INSERT INTO things VALUES ('early')")
        beside = tmp_path / "beside"
        beside.mkdir()
        other = beside / path.name
        shutil.copy(path, other)
        shutil.copy(log_of(path), log_of(other))
        with closing(sqlite3.connect(other, isolation_level=None)) as ahead:
            ahead.execute("INSERT INTO things VALUES ('late')")
            written = log_of(other).read_bytes()
        with log_of(path).open("ab") as log:
            log.write(written[log_of(path).stat().st_size:])
        yield path, connection


def test_a_refused_commit_is_not_done_after_a_crash(refused: Refused, tmp_path: Path) -> None:
    path, connection = refused
    names = "SELECT name FROM things"
    assert connection.execute(names).fetchall() == [("early",)]
    assert crashed(path, tmp_path / "first") == ["early", "late"]  # what SQLite alone does
    overwrite_failed_commit(connection)
    assert crashed(path, tmp_path / "second") == ["early"]
    connection.execute("INSERT INTO things VALUES ('next')")
    assert crashed(path, tmp_path / "third") == ["early", "next"]


def test_an_open_transaction_is_left_as_it_is(refused: Refused) -> None:
    _, connection = refused
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("INSERT INTO things VALUES ('open')")
    overwrite_failed_commit(connection)
    assert connection.in_transaction
    connection.execute("COMMIT")


def test_each_refused_commit_of_a_graph_is_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    overwritten: list[sqlite3.Connection] = []
    monkeypatch.setattr(writer_module, "overwrite_failed_commit", overwritten.append)

    def dangle(writer: Writer) -> None:
        writer.connection.execute("PRAGMA defer_foreign_keys = ON")
        writer.insert("entity_aspects", id="a", entity_id="none", name="a", canonical_name="a",
                      created_at="t", updated_at="t")

    workspace = Workspace.open(tmp_path / "graph.db", data_dir=tmp_path / "data", create=True)
    try:
        with pytest.raises(ConstellationError):
            workspace.write("dangle", dangle)
        assert len(overwritten) == 1
    finally:
        workspace.close()
