"""Sessions of a file that an earlier generation of Signet wrote."""

import sqlite3
from pathlib import Path

import pytest

from core.errors import OperationError
from core.queries.sessions import telemetry
from core.session.start_record import record
from core.traversal.focal_signals import Signals
from core.workspace import Workspace
from tests.core.sessions import begun, ended, hit, recorded, value

OLD = """
CREATE TABLE entities (id TEXT PRIMARY KEY, name TEXT NOT NULL, entity_type TEXT, created_at TEXT,
    updated_at TEXT, canonical_name TEXT, mentions INTEGER, agent_id TEXT DEFAULT 'default');
CREATE TABLE entity_aspects (id TEXT PRIMARY KEY, entity_id TEXT, agent_id TEXT, name TEXT,
    canonical_name TEXT, weight REAL, created_at TEXT, updated_at TEXT);
CREATE TABLE entity_attributes (id TEXT PRIMARY KEY, aspect_id TEXT, agent_id TEXT, memory_id TEXT,
    kind TEXT, content TEXT, normalized_content TEXT, confidence REAL, importance REAL,
    status TEXT, superseded_by TEXT, created_at TEXT, updated_at TEXT);
CREATE TABLE entity_dependencies (id TEXT PRIMARY KEY, source_entity_id TEXT, target_entity_id TEXT,
    agent_id TEXT, aspect_id TEXT, dependency_type TEXT, strength REAL, created_at TEXT,
    updated_at TEXT);
CREATE TABLE memories (id TEXT PRIMARY KEY, type TEXT, content TEXT, importance REAL, project TEXT,
    created_at TEXT, updated_at TEXT, is_deleted INTEGER DEFAULT 0, access_count INTEGER,
    last_accessed TEXT);
CREATE TABLE session_memories (id TEXT PRIMARY KEY, session_key TEXT NOT NULL,
    memory_id TEXT NOT NULL, source TEXT NOT NULL, effective_score REAL, predictor_score REAL,
    final_score REAL NOT NULL, rank INTEGER NOT NULL, was_injected INTEGER NOT NULL,
    fts_hit_count INTEGER NOT NULL DEFAULT 0, created_at TEXT NOT NULL,
    UNIQUE (session_key, memory_id));
CREATE TABLE memory_history (id TEXT PRIMARY KEY, memory_id TEXT NOT NULL, event TEXT,
    old_content TEXT, new_content TEXT, changed_by TEXT, reason TEXT, metadata TEXT,
    created_at TEXT);
INSERT INTO entities VALUES ('e1', 'Vega', 'project', 't', 't', 'vega', 1, 'default');
INSERT INTO entity_aspects VALUES ('a1', 'e1', 'default', 'x', 'x', 0.5, '2020-01-01 10:00:00',
    '2020-01-01 10:00:00');
INSERT INTO memories VALUES ('m1', 'fact', 'kept', 0.5, NULL, '2026-01-01 10:00:00', 't', 0, 0,
    NULL);
INSERT INTO entity_attributes VALUES ('v1', 'a1', 'default', 'm1', 'attribute', 'kept', 'kept', 0.5,
    0.5, 'active', NULL, 't', 't');
INSERT INTO entity_attributes VALUES ('v2', 'a1', 'default', 'gone', 'attribute', 'x', 'x', 0.5,
    0.5, 'active', NULL, 't', 't');
"""


def old_file(tmp_path: Path, agent: str = "default") -> Workspace:
    """A file of the first generation that may be written."""
    file = tmp_path / "memories.db"
    connection = sqlite3.connect(file)
    connection.executescript(OLD)
    connection.close()
    workspace = Workspace.open(file, data_dir=tmp_path / "data", agent=agent)
    workspace.allow_writing()
    return workspace


def test_an_old_file_records_and_ends_a_session_as_far_as_its_tables_go(tmp_path):
    workspace = old_file(tmp_path)
    recorded(workspace, "s1")
    hit(workspace, "s1", "m1")
    end = ended(workspace, "s1")
    assert (end.confirmations, end.aspects_updated, end.propagated) == (1, 1, 1)
    assert (end.checkpoint_id, end.comparison) == (None, None)
    assert value(workspace, "SELECT weight FROM entity_aspects") == pytest.approx(0.52)
    assert value(workspace, "SELECT access_count FROM memories") == 1
    assert value(workspace, "SELECT COUNT(*) FROM main.memory_history") == 0
    with workspace.read() as reader:
        assert (telemetry(reader).starts, telemetry(reader).ends) == (1, 1)
    workspace.close()


def test_a_file_that_keeps_one_agents_sessions_records_no_others(tmp_path):
    workspace = old_file(tmp_path, agent="second")
    start = begun(workspace, Signals(session_key="s1"))
    with pytest.raises(OperationError):
        workspace.write("begin", lambda writer: record(writer, start))
    workspace.close()
