"""A file that would end the process is refused in words before the first write."""

import sqlite3
from contextlib import closing

import pytest

from core.errors import NotWritable
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
