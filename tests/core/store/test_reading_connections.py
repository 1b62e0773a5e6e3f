"""The connections that reads take and give back."""

import sqlite3
from contextlib import closing

import pytest

from core.store.graph_file import GraphFile
from core.store.reader_and_writer import Reader
from core.workspace import Workspace


def test_the_connection_that_read_last_reads_next(tmp_path):
    workspace = Workspace.open(tmp_path / "graph.db", create=True)
    with workspace.read() as last, workspace.read() as first:
        assert last is not first
    kept = last.once("a list", lambda: [1])
    for _ in range(3):
        with workspace.read() as reader:
            assert reader is last
            assert reader.once("a list", list) is kept
    workspace.close()


def test_a_reading_knows_the_tables_that_another_program_made_before_it(tmp_path):
    workspace = Workspace.open(tmp_path / "graph.db", create=True)
    with closing(sqlite3.connect(workspace.path)) as other:
        for name in ("first", "second"):
            with workspace.read() as reader:
                assert not reader.has_table(name)
            other.execute(f"CREATE TABLE {name} (id TEXT)")
            with workspace.read() as reader:
                assert reader.has_table(name)
    workspace.close()


def test_the_first_change_needs_no_connection_that_reads(
    tmp_path, monkeypatch: pytest.MonkeyPatch
):
    workspace = Workspace.open(tmp_path / "graph.db", create=True)
    opened: list[str] = []
    open_reader = GraphFile.open_reader

    def noted(file: GraphFile, agent: str) -> Reader:
        opened.append(agent)
        return open_reader(file, agent)

    monkeypatch.setattr(GraphFile, "open_reader", noted)
    workspace.write("move a", lambda writer: writer.place("a", 1, 2))
    assert not opened
    assert not workspace.poll(), "its own change is none from outside"
    workspace.close()
