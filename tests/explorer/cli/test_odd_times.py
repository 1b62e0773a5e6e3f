"""Times that no clock gives (year 1 and 9999, numbers, other texts, bytes): everything lists."""

import sqlite3
from contextlib import closing
from itertools import cycle
from pathlib import Path

import pytest

from core.store.sidecar_file import data_folder
from tests.contracts.files import make
from tests.explorer.cli.command_lines import line
from tests.explorer.conftest import Run

ODD = ("9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+14:00", -1, 2**62, 1.5e308, "", "soon",
       "2026-03-29 02:30:00", "2026-03-14T25:61:00Z", "10000-01-01T00:00:00Z", 1790000000000)
LISTS = ("info", "history", "recall", "inbox", "session asked", "session list", "session start",
         "knowledge entity", "knowledge claims", "knowledge stats", "knowledge hygiene",
         "ontology proposals", "ontology claim versions", "ontology assertions",
         "ontology review list", "maintenance", "diff")

KEPT = ("schema_migrations", "entity_dependency_history")
"""What nobody may change."""


def spoil(file: Path) -> None:
    """Put an odd time into every column of a file that is called like a time."""
    odd = cycle(ODD)
    with closing(sqlite3.connect(file)) as connection, connection:
        for table, column in connection.execute(
                "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c"
                " WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%'"
                " AND m.name NOT IN (SELECT name FROM pragma_table_list WHERE wr)"
                " AND (c.name LIKE '%\\_at' ESCAPE '\\' OR c.name IN ('at', 'since', 'seen'))"
                ).fetchall():
            rows = () if table in KEPT else connection.execute(
                f"SELECT rowid FROM {table}").fetchall()
            connection.executemany(f"UPDATE OR IGNORE {table} SET {column} = ? WHERE rowid = ?",
                                   [(next(odd), row) for (row,) in rows])


@pytest.mark.parametrize("kind", ["native", "signet-071"])
def test_every_list_is_given_whatever_the_times_in_a_file(
    run: Run, graph: Path, kind: str
) -> None:
    graph.unlink()
    make(kind, graph, data_folder()).close()
    run("session", "start", "--session", "morning")
    run("recall", "When does the run start?")
    for file in (graph, *data_folder().rglob("graph-*.db")):
        spoil(file)
    for command in LISTS:
        words, stdin = (["inbox"], "") if command == "inbox" else line(command, graph)
        answer = run(*words, stdin=stdin)
        assert (answer.code, "Traceback" in answer.err) == (0, False), (command, answer)
