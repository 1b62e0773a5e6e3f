"""What a write of one table reaches in others is recorded with it, and nothing more is watched."""

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from core.store.reader_and_writer import Writer
from core.workspace import Workspace
from tests.templates import copy_graph, nothing

TRIGGERS = """
CREATE TABLE "Tally ""of"" kinds" (kind TEXT PRIMARY KEY, count INTEGER);
INSERT INTO "Tally ""of"" kinds" VALUES ('project', 0);
CREATE TABLE Notes (id TEXT PRIMARY KEY, word TEXT);
CREATE VIEW spoken AS SELECT id, word FROM Notes;
CREATE TRIGGER count_kinds AFTER INSERT ON entities BEGIN
    UPDATE [Tally "of" kinds] SET count = count + 1 WHERE kind = new.entity_type;
    INSERT INTO "SPOKEN" VALUES (new.id, new.name); END;
CREATE TRIGGER speak INSTEAD OF INSERT ON spoken BEGIN
    INSERT INTO'Notes'VALUES (new.id, new.word); END;
"""
"""Triggers of the file's owner that write over each other, with names in every kind of quotes."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return copy_graph(nothing, tmp_path / "graph.db", tmp_path / "data")


@pytest.fixture
def workspace(path: Path, tmp_path: Path) -> Iterator[Workspace]:
    opened = Workspace.open(path, data_dir=tmp_path / "data")
    yield opened
    opened.close()


def entity(writer: Writer, id: str) -> None:
    writer.insert("entities", id=id, name=id, canonical_name=id, entity_type="project",
                  created_at="t", updated_at="t")


def watched(writer: Writer) -> set[str]:
    return {row["name"].removeprefix("journal_") for row in writer.rows(
        "SELECT name FROM temp.sqlite_master WHERE type = 'trigger'")}


def test_what_triggers_write_in_other_tables_is_undone(path: Path, tmp_path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.executescript(TRIGGERS)
    connection.close()
    workspace = Workspace.open(path, data_dir=tmp_path / "data")

    def rows() -> list[tuple]:
        with workspace.read() as reader:
            return [tuple(row) for row in reader.rows(
                'SELECT kind, count FROM "Tally ""of"" kinds" UNION ALL SELECT * FROM Notes')]

    workspace.write("Add", lambda writer: entity(writer, "a"))
    assert rows() == [("project", 1), ("a", "a")]
    workspace.undo()
    assert rows() == [("project", 0)]
    workspace.close()


def test_a_write_has_only_those_tables_watched_that_it_can_reach(workspace: Workspace) -> None:
    def add(writer: Writer) -> set[str]:
        entity(writer, "a")
        return watched(writer)

    def remove(writer: Writer) -> set[str]:
        writer.delete_where("entities", "id = 'a'")
        return watched(writer)

    assert workspace.write("Add", add).result == {"insert_entities"}
    more = workspace.write("Remove", remove).result
    assert more > {"insert_entities", "delete_entities", "delete_entity_aspects",
                   "update_entity_attributes"}
    assert not any("memories" in name for name in more)


def test_what_follows_a_part_that_was_taken_back_is_recorded(workspace: Workspace) -> None:
    def write(writer: Writer) -> int:
        with suppress(ZeroDivisionError), writer.savepoint():
            entity(writer, "a")
            raise ZeroDivisionError
        entity(writer, "b")
        return writer.journal.count()

    assert workspace.write("Add", write).result == 1
    workspace.undo()
    with workspace.read() as reader:
        assert reader.rows("SELECT id FROM entities") == []


def test_what_follows_a_change_that_was_taken_back_is_recorded(workspace: Workspace) -> None:
    def fail(writer: Writer) -> None:
        entity(writer, "a")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        workspace.write("Fail", fail)
    workspace.write("Add", lambda writer: entity(writer, "b"))
    assert workspace.undo() == "Add"
    with workspace.read() as reader:
        assert reader.rows("SELECT id FROM entities") == []
