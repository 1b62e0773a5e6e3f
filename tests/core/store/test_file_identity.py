"""What is kept beside a graph is that graph's own, whatever lay at its path before."""

import sqlite3
from pathlib import Path

import pytest

from core.errors import OpenError
from core.store.database import connect
from core.store.file_identity import clear_logs
from core.store.migrate import migrate, steps
from core.workspace import Workspace
from explorer.demo import build_demo


def opened(path: Path, **rest) -> Workspace:
    return Workspace.open(path, data_dir=path.parent / "data", **rest)


def worked_on(path: Path) -> None:
    """Make a graph with one step in its history and one place in its sky."""
    graph = opened(path, create=True)
    graph.write("add a", lambda w: w.insert(
        "entities", id="a", name="a", canonical_name="a", created_at="t", updated_at="t"))
    graph.write("move a", lambda w: w.place("a", 1, 2))
    graph.close()


def remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def kept(path: Path) -> tuple[list[str], dict]:
    graph = opened(path)
    found = [step.label for step in graph.history()], graph.sidecar.positions()
    graph.close()
    return found


HISTORY = ["move a", "add a"], {"a": (1.0, 2.0, True)}


def test_a_new_graph_at_an_old_path_begins_without_the_old_ones_history(tmp_path):
    path, aside = tmp_path / "graph.db", tmp_path / "aside.db"
    worked_on(path)
    assert kept(path) == HISTORY
    path.replace(aside)
    opened(path, create=True).close()
    assert kept(path) == ([], {})
    remove(path)
    aside.replace(path)
    assert kept(path) == HISTORY, "nothing of the old one was thrown away"


def test_a_demo_that_is_deleted_starts_afresh(tmp_path):
    path = build_demo(tmp_path / "demo.db")
    graph = opened(path)
    graph.write("move a", lambda w: w.place("a", 1, 2))
    graph.close()
    remove(path)
    build_demo(path)
    assert kept(path) == ([], {})


def test_a_graph_of_an_earlier_version_keeps_what_lies_beside_it(tmp_path):
    path = tmp_path / "graph.db"
    worked_on(path)
    connection = sqlite3.connect(path)
    connection.executescript("DROP TABLE graph_identity; PRAGMA user_version = 7")
    connection.close()
    for side in (tmp_path / "data" / "beside").glob("*.db"):
        if "undo" not in side.name:
            connection = sqlite3.connect(side)
            connection.execute("DELETE FROM meta")
            connection.commit()
            connection.close()
    assert kept(path) == kept(path) == HISTORY


def test_a_restored_backup_goes_on_with_its_history(tmp_path):
    path, copy = tmp_path / "graph.db", tmp_path / "copy.db"
    worked_on(path)
    copy.write_bytes(path.read_bytes())
    remove(path)
    copy.replace(path)
    assert kept(path) == HISTORY


def test_another_graph_that_takes_the_place_of_an_open_one_is_not_written_into(tmp_path):
    path, other = tmp_path / "graph.db", tmp_path / "other.db"
    worked_on(path)
    worked_on(other)
    graph = opened(path)
    other.replace(path)
    with pytest.raises(OpenError, match="The file was replaced by another graph"):
        graph.write("move a", lambda w: w.place("a", 3, 4))
    graph.close()


def signet(path: Path, at: str) -> None:
    connection = sqlite3.connect(path)
    connection.executescript(
        "CREATE TABLE entities (id TEXT PRIMARY KEY, name TEXT NOT NULL);"
        "CREATE TABLE memories (id TEXT PRIMARY KEY, content TEXT);"
        "CREATE TABLE schema_migrations (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL,"
        f" checksum TEXT NOT NULL); INSERT INTO schema_migrations VALUES (1, '{at}', 'x')")
    connection.close()


def test_a_signet_file_is_known_by_its_first_migration_and_not_written_into(tmp_path):
    path = tmp_path / "memories.db"
    signet(path, "2026-03-01T10:00:00.000Z")
    before = path.read_bytes()
    graph = opened(path)
    graph.sidecar.put("seen", b"1")
    graph.close()
    assert path.read_bytes() == before
    connection = sqlite3.connect(path)
    connection.execute("INSERT INTO schema_migrations VALUES (2, '2026-04-01 10:00:00', 'y')")
    connection.commit()
    connection.close()
    graph = opened(path)
    assert graph.sidecar.get("seen") == b"1", "a newer Signet on the same file"
    graph.close()
    remove(path)
    signet(path, "2026-05-01T10:00:00.000Z")
    graph = opened(path)
    assert graph.sidecar.get("seen") is None
    assert not graph.allowed
    graph.close()


def test_a_log_of_a_file_that_is_gone_is_never_played_into_a_new_one(tmp_path):
    path = tmp_path / "demo.db"
    graph = opened(path, create=True)
    graph.write("add a", lambda w: w.insert(
        "entities", id="a", name="a", canonical_name="a", created_at="t", updated_at="t"))
    log = path.with_name("demo.db-wal")
    left = log.read_bytes()
    graph.close()
    remove(path)
    log.write_bytes(left)
    build_demo(path)
    graph = opened(path)
    with graph.read() as reader:
        assert reader.value("SELECT count(*) FROM entities WHERE id = 'a'") == 0
        assert reader.value("SELECT count(*) FROM entities") > 10
    graph.close()
    assert path.with_name("demo.db-wal.left-1").read_bytes() == left


def test_a_log_that_belongs_to_a_file_stays(tmp_path):
    path = tmp_path / "graph.db"
    path.write_bytes(b"x")
    log = path.with_name("graph.db-wal")
    log.write_bytes(b"y")
    clear_logs(path)
    assert log.read_bytes() == b"y"


def test_a_graph_of_before_identities_gets_one_when_it_is_brought_up_to_date(
    tmp_path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "graph.db"
    with monkeypatch.context() as patch:
        patch.setattr("core.store.migrate.steps", lambda: tuple(
            step for step in steps() if step[0] < 8))
        connection = connect(path, mode="rwc")
        migrate(connection, path)
        connection.close()
    for _ in range(2):
        graph = opened(path)
        assert graph.sidecar.meta()["graph"].startswith("native:")
        graph.close()
