"""A file that would end the process is refused in words before the first write."""

import sqlite3
from contextlib import closing

import pytest

from core.errors import Damaged, NotWritable
from core.model.names import slot_key
from core.queries.entities import get_entity
from core.queries.muted_memories import quiet_memories
from core.store.database import connect
from core.workspace import Workspace
from tests.contracts.files import make

FULL_TEXT = """
CREATE VIRTUAL TABLE memories_fts USING fts5(content, content='memories', content_rowid='rowid');
CREATE TRIGGER memories_ai AFTER INSERT ON memories
BEGIN INSERT INTO memories_fts(rowid, content) VALUES (new.rowid, new.content); END;
"""
HARM = """
CREATE TRIGGER harm BEFORE INSERT ON MEMORIES_fts_data
BEGIN UPDATE entities SET mentions = mentions + 1; END;
"""


def run(path, sql: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(sql)


@pytest.mark.parametrize("when", ["before it is opened", "while it is open"])
@pytest.mark.parametrize("kind", ["native", "signet-071"])
def test_a_trigger_inside_the_full_text_is_refused_before_the_first_write(tmp_path, kind, when):
    path = tmp_path / "graph.db"
    make(kind, path, tmp_path / "data").close()
    if kind != "native":
        run(path, FULL_TEXT)
    if when == "before it is opened":
        run(path, HARM)
    with closing(Workspace.open(path, data_dir=tmp_path / "data")) as workspace:
        if when == "while it is open":
            workspace.write("Pin", lambda w: w.update("entities", "e-tide", pinned=1))
            run(path, HARM)
        with pytest.raises(NotWritable, match="full text") as caught:
            workspace.write("Add", lambda w: w.insert(
                "memories", id="m-9", content="Tea", created_at="", updated_at=""))
        assert "harm" in caught.value.do
        assert any("harm" in p.what for p in workspace.find_problems())
        with workspace.read() as reader:  # Reading goes on.
            assert reader.value("SELECT count(*) FROM memories") == 2


def test_what_a_files_own_views_may_call_is_limited_while_it_is_read(tmp_path):
    path = tmp_path / "graph.db"
    run(path, FULL_TEXT.split("CREATE TRIGGER")[0].replace(", content='memories'", "")
        .replace(", content_rowid='rowid'", "")
        + "CREATE VIEW sly AS SELECT * FROM memories_fts;")
    with closing(connect(path)) as reading, pytest.raises(sqlite3.OperationalError, match="unsafe"):
        reading.execute("SELECT * FROM sly")
    with closing(connect(path, mode="rw")) as connection:
        assert connection.execute("PRAGMA cell_size_check").fetchone()[0] == 1
        if hasattr(connection, "getconfig"):
            assert connection.getconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE)


ENDLESS = """
ALTER TABLE {table} RENAME TO moved_{table};
CREATE VIEW {table} AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
    SELECT m.* FROM n, moved_{table} AS m;
"""


@pytest.mark.parametrize("kind", ["native", "signet-071"])
def test_a_view_in_a_tables_place_is_never_run_and_is_listed(tmp_path, kind):
    path = tmp_path / "graph.db"
    make(kind, path, tmp_path / "data").close()
    tables = ("entity_dependencies", "task_meta", "schema_migrations")
    for table in tables if kind != "native" else (*tables[:2], "graph_identity"):
        run(path, "PRAGMA legacy_alter_table = ON;" + ENDLESS.format(table=table))
    with closing(Workspace.open(path, data_dir=tmp_path / "data")) as workspace:
        with workspace.read() as reader:
            assert reader.value("SELECT count(*) FROM entity_dependencies") == 0
            assert not reader.has_table("entity_dependencies")
        listed = {p.table for p in workspace.find_problems() if "is a view" in p.what}
        assert {"entity_dependencies", "task_meta"} <= listed


def test_what_a_native_table_lacks_is_read_as_its_default_and_listed(tmp_path):
    path = tmp_path / "graph.db"
    make("native", path, tmp_path / "data").close()
    run(path, "DROP TABLE task_meta; ALTER TABLE memories RENAME COLUMN tags TO labels;"
              "CREATE TABLE p AS SELECT * FROM path_feedback_stats; DROP TABLE path_feedback_stats;"
              "CREATE TABLE r (id TEXT PRIMARY KEY, source_entity_id, target_entity_id) "
              "WITHOUT ROWID; DROP TABLE relations; ALTER TABLE r RENAME TO relations;")
    with closing(Workspace.open(path, data_dir=tmp_path / "data")) as workspace:
        with workspace.read() as reader:
            assert reader.value("SELECT count(tags) FROM memories") == 0
            assert reader.rows("SELECT rowid, * FROM relations") == []
        problems = {(p.table, p.field): p.what for p in workspace.find_problems()}
    assert "is missing" in problems["task_meta", ""]
    assert "is missing" in problems["memories", "tags"]
    assert "is missing" in problems["path_feedback_stats", ""]
    assert "without row numbers" in problems["relations", ""]


@pytest.mark.parametrize("kind", ["native", "signet-030", "signet-071"])
def test_a_field_that_holds_another_kind_of_value_is_listed(tmp_path, kind):
    path = tmp_path / "graph.db"
    make(kind, path, tmp_path / "data").close()
    run(path, "PRAGMA ignore_check_constraints = ON;"
              "UPDATE entity_attributes SET confidence = 'high' WHERE id = 'v-six';"
              "UPDATE entity_attributes SET importance = 1e999 WHERE id = 'v-seven';"
              "UPDATE entities SET mentions = 9223372036854775807 WHERE id = 'e-tide';"
              "UPDATE memories SET content = x'00ff10' WHERE id = 'm-1';"
              "UPDATE entities SET mentions = 'other' WHERE id = 'e-rival';")
    with closing(Workspace.open(path, data_dir=tmp_path / "data")) as workspace:
        assert {(p.row, p.field, p.what) for p in workspace.find_problems()
                if p.row in ("v-six", "v-seven", "e-tide", "m-1", "e-rival")} == {
            ("v-six", "confidence", "holds text, not a number: high"),
            ("v-seven", "importance", "is no sensible number: inf"),
            ("e-tide", "mentions", "is no sensible number: 9223372036854775807"),
            ("m-1", "content", "holds bytes, not text")}


def test_what_trips_over_such_a_field_says_which(tmp_path):
    path = tmp_path / "graph.db"
    make("signet-071", path, tmp_path / "data").close()
    run(path, "UPDATE entity_attributes SET claim_key = x'00ff' WHERE id = 'v-six'")
    with closing(Workspace.open(path, data_dir=tmp_path / "data")) as workspace:
        with pytest.raises(Damaged, match="does not hold what it should") as caught, \
                workspace.read() as reader:
            slot_key(reader.value("SELECT claim_key FROM entity_attributes WHERE id = 'v-six'"))
        assert caught.value.where == "entity_attributes v-six, claim_key"
        with pytest.raises(Damaged):
            workspace.write("Trip", lambda w: b"a" + "b")
        with pytest.raises(Damaged):
            workspace.rehearse(lambda w: b"a" + "b")


def test_in_a_sound_file_an_error_of_this_program_is_not_blamed_on_it(tmp_path):
    path = tmp_path / "graph.db"
    with closing(make("native", path, tmp_path / "data")) as workspace:
        with pytest.raises(TypeError), workspace.read():
            slot_key(b"a")
        with pytest.raises(TypeError):
            workspace.write("Trip", lambda w: b"a" + "b")


@pytest.mark.parametrize("harm", [
    "CREATE TABLE n (entry, turn, seq, tbl, key, before, after, PRIMARY KEY (entry)) WITHOUT ROWID;"
    "DROP TABLE steps; ALTER TABLE n RENAME TO steps",
    "CREATE TRIGGER harm BEFORE INSERT ON steps BEGIN SELECT RAISE(FAIL, 'no'); END",
    "INSERT INTO entries (id, at, agent_id, label, who, state, rows, columns, moved)"
    " VALUES (9, 't', 'default', 'l', 'w', 'done', 1, '{}', x'ff')",
    "INSERT INTO entries (id, at, agent_id, label, who, state, rows, columns, moved)"
    " VALUES (9, 't', 'default', 'l', 'w', 'done', 1, '{}', 'soon')"])
def test_an_undo_log_with_other_rules_is_set_aside(tmp_path, harm):
    path, data = tmp_path / "graph.db", tmp_path / "data"
    make("native", path, data).close()
    log = next((data / "beside").glob("*-undo.db"))
    with closing(sqlite3.connect(log)) as connection:
        known = {row[1] for row in connection.execute("PRAGMA table_info(steps)")}
    assert known <= {"entry", "turn", "seq", "tbl", "key", "before", "after"}
    run(log, harm)
    with closing(Workspace.open(path, data_dir=data)) as workspace:
        workspace.write("Pin", lambda w: w.update("entities", "e-tide", pinned=1))
        assert workspace.undo() == "Pin"
    assert list((data / "beside").glob("*.damaged-1"))


def test_an_aspect_without_a_name_is_read_as_nameless(tmp_path):
    path, data = tmp_path / "graph.db", tmp_path / "data"
    make("signet-030", path, data).close()
    run(path, "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql,"
              " 'name TEXT NOT NULL', 'name TEXT') WHERE name = 'entity_aspects'")
    run(path, "UPDATE entity_aspects SET name = NULL")
    with closing(Workspace.open(path, data_dir=data)) as workspace:
        with workspace.read() as reader:
            assert reader.value("SELECT DISTINCT name FROM entity_aspects") == ""
            reader.rows("CREATE TEMP TABLE strict (one NOT NULL)")
        with pytest.raises(Damaged, match="breaks a rule"), workspace.read() as reader:
            reader.rows("INSERT INTO strict VALUES (NULL)")


GREEDY = bytes.fromhex(
    "380b01925c24d12a9d05daa1c127b43b252a27d1fa433cd79388fc46"
    "91969d7a644be0a657fb58e1c42f0ce4336f5d8875fca8e84e1b01876849bf2f")
"""A record of a full-text index whose lengths ask for more memory than SQLite gives."""


def test_damage_that_asks_for_too_much_memory_is_damage(tmp_path):
    path = tmp_path / "graph.db"
    make("native", path, tmp_path / "data").close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE memories_fts_data SET block = ?", (GREEDY,))
    with pytest.raises(Damaged, match="damaged"), \
            closing(Workspace.open(path, data_dir=tmp_path / "data")) as workspace, \
            workspace.read() as reader:
        reader.rows("SELECT rowid FROM memories_fts WHERE memories_fts MATCH 'tide'")


def test_bytes_in_the_place_of_a_text_are_read_as_text(tmp_path):
    path = tmp_path / "graph.db"
    make("signet-071", path, tmp_path / "data").close()
    run(path, "UPDATE entities SET source_kind = x'ff41', archived_at = x'00';")
    with closing(Workspace.open(path, data_dir=tmp_path / "data")) as workspace:
        workspace.write("Mute", lambda w: w.connection.execute(
            "INSERT INTO side.muted_entities VALUES (x'ff42', '2026-01-01')"))
        with workspace.read() as reader:
            entity = get_entity(reader, "e-tide")
            assert entity is not None
            assert (entity.source_kind, entity.archived_at) == ("\ufffdA", "\0")
            assert quiet_memories(reader, ["m-1"]) == frozenset()
