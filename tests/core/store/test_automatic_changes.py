"""A graph from before automatic changes had a table of their own loses none of their record."""

import sqlite3
from pathlib import Path

import pytest

from core.queries.sessions import ENDED, subject, telemetry
from core.store import migrate
from core.workspace import Workspace

BEFORE = 14
ROWS = """
INSERT INTO memories (id, content, created_at, updated_at) VALUES ('m', 'Vega ships', 't', 't');
INSERT INTO entities (id, name, canonical_name, entity_type, agent_id, created_at, updated_at)
    VALUES ('e', 'Vega', 'vega', 'project', 'atlas', 't', 't');
"""


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A graph whose `memory_history` is also about what is no memory."""
    path, every = tmp_path / "old.db", migrate.steps()
    with monkeypatch.context() as then:
        then.setattr(migrate, "steps", lambda: every[:BEFORE])
        Workspace.open(path, data_dir=tmp_path / "data", create=True).close()
    connection = sqlite3.connect(path)
    connection.executescript(ROWS)
    connection.executemany(
        "INSERT INTO memory_history (id, memory_id, event, changed_by, created_at)"
        " VALUES (?, ?, ?, 'x', '2026-03-01T10:00:00Z')",
        [("1", "m", "deleted"), ("2", "e", "task_expired"), ("3", subject("atlas"), ENDED)])
    connection.commit()
    connection.close()
    return path


def test_only_what_happened_to_memories_is_their_history(old: Path) -> None:
    graph = Workspace.open(old, data_dir=old.parent / "data", agent="atlas")
    with graph.read() as reader:
        assert [row["memory_id"] for row in reader.rows(
            "SELECT memory_id FROM memory_history")] == ["m"]
        assert [(row["subject_id"], row["agent_id"]) for row in reader.rows(
            "SELECT * FROM automatic_changes ORDER BY id")] == [
                ("e", "atlas"), (subject("atlas"), "atlas")]
        assert telemetry(reader).ends == 1
    graph.close()
