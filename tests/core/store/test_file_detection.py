"""Each thing that may lie at a path has its own sentence, and nothing is ever overwritten."""

import os
import sqlite3
from pathlib import Path

import pytest

from core.errors import ConstellationError, NotWritable, OpenError
from core.store.migrate import APPLICATION_ID, newest
from core.workspace import Workspace


def opened(path: Path, tmp_path: Path, **rest) -> Workspace:
    return Workspace.open(path, data_dir=tmp_path / "data", **rest)


def refused(path: Path, tmp_path: Path) -> OpenError:
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(OpenError) as caught:
        opened(path, tmp_path)
    assert (path.read_bytes() if path.is_file() else None) == before
    error = caught.value
    assert str(path) in error.where
    assert error.do
    return error


def read_everything(path: Path, tmp_path: Path) -> None:
    workspace = opened(path, tmp_path)
    try:
        with workspace.read() as reader:
            reader.rows("SELECT sum(length(content)) FROM memories")
    finally:
        workspace.close()


def database(path: Path, sql: str) -> Path:
    connection = sqlite3.connect(path)
    connection.executescript(sql)
    connection.close()
    return path


def test_a_missing_path_is_said(tmp_path):
    assert refused(tmp_path / "none.db", tmp_path).kind == "missing"


def test_a_folder_is_said(tmp_path):
    (tmp_path / "graphs").mkdir()
    assert refused(tmp_path / "graphs", tmp_path).kind == "folder"


def test_an_empty_file_is_said(tmp_path):
    path = tmp_path / "empty.db"
    path.touch()
    assert refused(path, tmp_path).kind == "empty"


def test_a_text_is_no_database(tmp_path):
    path = tmp_path / "notes.db"
    path.write_text("Dear diary " * 500)
    assert refused(path, tmp_path).kind == "foreign"


def test_a_json_file_is_told_to_be_imported(tmp_path):
    path = tmp_path / "memory.jsonl"
    path.write_text('{"type":"entity","name":"A","entityType":"x","observations":[]}')
    error = refused(path, tmp_path)
    assert error.kind == "foreign"
    assert "Import" in error.do


def test_noise_is_called_encrypted(tmp_path):
    path = tmp_path / "secret.db"
    path.write_bytes(os.urandom(8192))
    assert refused(path, tmp_path).kind == "encrypted"


def test_a_file_cut_short_is_said(tmp_path):
    path = tmp_path / "cut.db"
    opened(path, tmp_path, create=True).close()
    path.write_bytes(path.read_bytes()[:20000])
    assert refused(path, tmp_path).kind == "truncated"


def test_another_programs_database_is_said(tmp_path):
    path = database(tmp_path / "other.db", "CREATE TABLE bookmarks (url TEXT)")
    error = refused(path, tmp_path)
    assert error.kind == "foreign"
    assert "bookmarks" in error.detail


def test_a_locked_file_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr("core.store.database.BUSY_MS", 20)
    path = database(tmp_path / "locked.db",
                    "CREATE TABLE entities (id); CREATE TABLE memories (id)")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    assert refused(path, tmp_path).kind == "locked"
    other.close()


def test_a_file_from_a_newer_version_is_refused_in_words(tmp_path):
    path = tmp_path / "future.db"
    opened(path, tmp_path, create=True).close()
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {newest() + 1}")
    connection.close()
    assert refused(path, tmp_path).kind == "newer"


def test_damage_inside_is_said_not_raised_raw(tmp_path):
    path = tmp_path / "hurt.db"
    with_rows = opened(path, tmp_path, create=True)
    with_rows.write("fill", lambda w: w.insert_many("memories", (
        {"id": f"m{i}", "content": f"memory {i} " * 50, "created_at": w.now(),
         "updated_at": w.now()} for i in range(500))))
    with_rows.close()
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 2:] = os.urandom(len(raw) - len(raw) // 2)
    path.write_bytes(bytes(raw))
    with pytest.raises(ConstellationError, match="damaged"):
        read_everything(path, tmp_path)


def test_a_new_graph_says_what_it_is(tmp_path):
    path = tmp_path / "sub" / "new.db"
    opened(path, tmp_path, create=True).close()
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
    assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()


def test_create_leaves_an_existing_graph_alone(tmp_path, graph_with_one_entity):
    path = graph_with_one_entity
    workspace = opened(path, tmp_path, create=True)
    with workspace.read() as reader:
        assert reader.value("SELECT count(*) FROM entities WHERE agent_id = :agent") == 1
    workspace.close()


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0,
                    reason="root and Windows may write where the mode bits say no")
def test_a_file_that_may_not_be_written_opens_and_says_so(tmp_path, graph_with_one_entity):
    graph_with_one_entity.chmod(0o444)
    workspace = opened(graph_with_one_entity, tmp_path)
    assert not workspace.writable
    with pytest.raises(NotWritable):
        workspace.write("x", lambda w: None)
    workspace.close()


def test_an_unwritable_place_refuses_in_words(tmp_path, graph_with_one_entity, monkeypatch):
    real = os.access
    monkeypatch.setattr("core.store.file_detection.os.access",
                        lambda path, mode: mode != os.W_OK and real(path, mode))
    workspace = opened(graph_with_one_entity, tmp_path)
    with pytest.raises(NotWritable) as caught:
        workspace.write("x", lambda w: w.update("entities", "e1", pinned=1))
    assert "permissions" in caught.value.do
    workspace.close()


@pytest.fixture
def graph_with_one_entity(tmp_path) -> Path:
    path = tmp_path / "one.db"
    workspace = opened(path, tmp_path, create=True)
    workspace.write("make", lambda w: w.insert(
        "entities", id="e1", name="One", canonical_name="one", created_at=w.now(),
        updated_at=w.now()))
    workspace.close()
    return path
