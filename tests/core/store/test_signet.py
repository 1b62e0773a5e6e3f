"""Signet's own database opens in place, whatever its generation, and keeps its schema."""

import sqlite3
from pathlib import Path

import pytest

from core.errors import NotWritable
from core.workspace import Workspace

G1 = """
CREATE TABLE schema_migrations (version INTEGER PRIMARY KEY, applied_at TEXT, checksum TEXT);
INSERT INTO schema_migrations VALUES (30, 't', 'c');
CREATE TABLE entities (id TEXT PRIMARY KEY, name TEXT UNIQUE NOT NULL, entity_type TEXT NOT NULL,
    description TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL, canonical_name TEXT,
    mentions INTEGER DEFAULT 0, embedding BLOB, agent_id TEXT NOT NULL DEFAULT 'default',
    pinned INTEGER NOT NULL DEFAULT 0, pinned_at TEXT);
CREATE TABLE entity_aspects (id TEXT PRIMARY KEY, entity_id TEXT NOT NULL, agent_id TEXT NOT NULL
    DEFAULT 'default', name TEXT NOT NULL, canonical_name TEXT NOT NULL, weight REAL NOT NULL
    DEFAULT 0.5, created_at TEXT, updated_at TEXT);
CREATE TABLE memories (id TEXT PRIMARY KEY, type TEXT, content TEXT NOT NULL, importance REAL,
    created_at TEXT, updated_at TEXT, is_deleted INTEGER DEFAULT 0);
CREATE TABLE entity_dependencies (id TEXT PRIMARY KEY, source_entity_id TEXT NOT NULL,
    target_entity_id TEXT NOT NULL, agent_id TEXT NOT NULL DEFAULT 'default', aspect_id TEXT,
    dependency_type TEXT NOT NULL, strength REAL NOT NULL DEFAULT 0.5, created_at TEXT,
    updated_at TEXT);
INSERT INTO entities VALUES ('e1', ' Night Run ', 'system', NULL, '2026-03-14 21:40:46',
    '2026-03-14T21:40:46.123Z', NULL, 3, NULL, 'default', 0, NULL);
INSERT INTO entity_aspects VALUES ('a1', 'gone', 'default', 'x', 'x', 0.5, NULL, NULL);
INSERT INTO memories VALUES ('m1', 'fact', 'kept', 0.5, 't', 't', NULL);
INSERT INTO entity_dependencies VALUES
    ('d1', 'e1', 'nobody', 'default', NULL, 'uses', 0.5, 't', 't');
"""


@pytest.fixture
def path(tmp_path) -> Path:
    file = tmp_path / "memories.db"
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.executescript(G1)
    connection.close()
    return file


@pytest.fixture
def workspace(path, tmp_path):
    opened = Workspace.open(path, data_dir=tmp_path / "data")
    yield opened
    opened.close()


def schema(path: Path) -> list:
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT * FROM sqlite_master").fetchall()
    connection.close()
    return rows


def test_every_generation_shows_the_same_face(workspace):
    with workspace.read() as reader:
        row = reader.row("SELECT * FROM entities WHERE agent_id = :agent")
        assert row["canonical_name"] == "night run"
        assert (row["status"], row["muted"], row["proposal_evidence"]) == ("active", 0, "[]")
        assert reader.row("SELECT * FROM entity_dependencies")["confidence"] == 0.7
        assert reader.rows("SELECT * FROM ontology_proposals") == []
        assert reader.row("SELECT * FROM memories")["agent_id"] == "default"
        assert reader.rows("SELECT * FROM memories WHERE is_deleted = 0")
        assert not reader.has_table("ontology_proposals")
        assert not reader.has_column("entities", "status")


def test_reading_is_all_that_happens_until_the_person_allows_writing(workspace, path, tmp_path):
    before = path.read_bytes()
    with pytest.raises(NotWritable) as caught:
        workspace.write("pin", lambda w: w.update("entities", "e1", pinned=1))
    assert "allow" in caught.value.what
    assert path.read_bytes() == before
    copy = workspace.allow_writing()
    assert sqlite3.connect(copy).execute("SELECT count(*) FROM entities").fetchone() == (1,)
    workspace.write("pin", lambda w: w.update("entities", "e1", pinned=1))
    assert workspace.allow_writing() is None
    again = Workspace.open(path, data_dir=tmp_path / "data")
    assert again.writable
    again.close()


def test_a_rehearsal_works_before_writing_is_allowed_and_leaves_the_file_alone(workspace, path):
    before = path.read_bytes()
    rehearsal = workspace.rehearse(lambda w: w.update("entities", "e1", pinned=1))
    assert rehearsal.result == 1
    assert rehearsal.changes[0].columns == ("pinned",)
    assert path.read_bytes() == before


def test_the_schema_never_changes(workspace, path):
    before = schema(path)
    workspace.allow_writing()
    workspace.write("pin", lambda w: w.update("entities", "e1", pinned=1, muted=1, status="x"))
    workspace.write("mute", lambda w: w.mute("e1", w.now()))
    workspace.undo()
    assert schema(path) == before


def test_a_mute_lives_beside_a_file_that_has_no_place_for_it(workspace):
    workspace.allow_writing()
    said = []
    workspace.events.subscribe(said.append)
    workspace.write("mute", lambda w: w.mute("e1", w.now()))
    assert said[0].touches("entities")
    with workspace.read() as reader:
        assert reader.value("SELECT muted FROM entities WHERE id = 'e1'") == 1
    workspace.undo()
    with workspace.read() as reader:
        assert reader.value("SELECT muted FROM entities WHERE id = 'e1'") == 0


def test_a_schema_that_grows_under_us_is_followed(workspace, path):
    workspace.allow_writing()
    workspace.write("pin", lambda w: w.update("entities", "e1", pinned=1))
    other = sqlite3.connect(path)
    other.execute("ALTER TABLE entities ADD COLUMN status TEXT NOT NULL DEFAULT 'active'")
    other.execute("UPDATE entities SET status = 'archived'")
    other.commit()
    other.close()
    with workspace.read() as reader:
        assert reader.value("SELECT status FROM entities") == "archived"
    workspace.write("back", lambda w: w.update("entities", "e1", status="active"))
    workspace.undo()
    with workspace.read() as reader:
        assert reader.value("SELECT status FROM entities") == "archived"


def test_what_could_not_be_read_is_listed_row_by_row(workspace):
    found = {(p.table, p.row, p.field) for p in workspace.find_problems()}
    assert ("entity_aspects", "a1", "entity_id") in found
    assert ("entity_dependencies", "d1", "target_entity_id") in found
    assert ("entities", "e1", "canonical_name") in found


def test_broken_utf8_is_read_with_marks(workspace, path):
    other = sqlite3.connect(path)
    other.execute("UPDATE memories SET content = CAST(x'ffFE41' AS TEXT)")
    other.commit()
    other.close()
    with workspace.read() as reader:
        assert reader.value("SELECT content FROM memories").endswith("A")


def test_foreign_keys_stay_off_in_a_file_that_never_had_them(workspace):
    workspace.allow_writing()
    workspace.write("add", lambda w: w.insert(
        "entity_aspects", id="a2", entity_id="also gone", name="y", canonical_name="y"))
    with workspace.read() as reader:
        assert reader.value("SELECT count(*) FROM entity_aspects") == 2
