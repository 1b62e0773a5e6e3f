"""Whatever another program does to the rows, the sky that follows it is what is read anew."""

import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.model.changes import Changes
from core.workspace import Workspace
from tests.contracts.files import make
from tests.contracts.test_reread_changed_sky_rows import Skies

SMALL_PAGES = 512
"""So that few rows fill several pages, which are split and joined."""
STEPS = 30
UNIQUE = {"entities": ("id", "name", "canonical_name"),
          "entity_aspects": ("id", "name", "canonical_name"), "entity_attributes": ("id",),
          "memories": ("id", "content_hash"), "entity_dependencies": ("id",),
          "memory_entity_mentions": (), "task_meta": ()}
"""What a copy of a row has of its own, by table."""
ENDS = {"entity_aspects": {"entity_id": "entities"}, "entity_attributes": {
            "aspect_id": "entity_aspects"},
        "entity_dependencies": {"source_entity_id": "entities", "target_entity_id": "entities"},
        "memory_entity_mentions": {"memory_id": "memories", "entity_id": "entities"},
        "task_meta": {"entity_id": "entities"}}
"""The columns that name a row of another table."""
OTHER = {"entities": {"mentions": "abs(random() % 90)", "pinned": "1 - pinned",
                      "name": "name || 'x'", "description": "printf('%.*c', 900, 'd')"},
         "entity_aspects": {"weight": "abs(random() % 100) / 100.0", "name": "name || 'x'"},
         "entity_attributes": {"importance": "abs(random() % 100) / 100.0",
                               "status": "'superseded'", "kind": "'constraint'",
                               "content": "printf('%.*c', 700, 'c')", "agent_id": "'tess'"},
         "memories": {"importance": "abs(random() % 100) / 100.0", "is_deleted": "1",
                      "content": "printf('%.*c', 1500, 'm')"},
         "entity_dependencies": {"strength": "abs(random() % 100) / 100.0",
                                 "dependency_type": "'affects'"},
         "memory_entity_mentions": {"confidence": "0.2"}, "task_meta": {"status": "'done'"}}
"""New contents of columns, by table; nothing else of the row tells that it was changed."""


@pytest.fixture
def graph(kind: str, tmp_path: Path) -> Iterator[Workspace]:
    path = tmp_path / "graph.db"
    make(kind, path, tmp_path / "side").close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute(f"PRAGMA page_size = {SMALL_PAGES}")
        connection.execute("VACUUM")
        connection.execute("PRAGMA journal_mode = WAL")
    with closing(Workspace.open(path, data_dir=tmp_path / "side")) as workspace:
        yield workspace


class Program:
    """Another program with its own connection, which does anything to rows."""

    def __init__(self, path: Path, seed: int) -> None:
        self._chance, self._made = random.Random(seed), 0
        self._connection = sqlite3.connect(path)
        self._connection.row_factory = sqlite3.Row

    def step(self) -> None:
        """A few changes in one transaction."""
        with self._connection:
            for _ in range(self._chance.randint(1, 4)):
                table = self._chance.choice(sorted(UNIQUE))
                acts: list[Callable[[str], None]] = [
                    self._change, self._change, self._copy, self._copy, self._move, self._delete]
                self._chance.choice(acts)(table)

    def close(self) -> None:
        self._connection.close()

    def _some(self, table: str) -> sqlite3.Row | None:
        rows = self._connection.execute(f"SELECT rowid AS number, * FROM {table}").fetchall()
        return self._chance.choice(rows) if rows else None

    def _run(self, sql: str, *given: object) -> None:
        self._connection.execute(sql, given)

    def _change(self, table: str) -> None:
        row = self._some(table)
        columns = sorted(OTHER[table].keys() & row.keys()) if row is not None else []
        if row is not None and columns:
            column = self._chance.choice(columns)
            self._run(f"UPDATE OR IGNORE {table} SET {column} = {OTHER[table][column]}"
                      " WHERE rowid = ?", row["number"])

    def _copy(self, table: str) -> None:
        for _ in range(self._chance.choice((1, 1, 12))):
            row = self._some(table)
            if row is None:
                return
            self._made += 1
            fields = {name: row[name] for name in row.keys()[1:] if name != "seq"}
            fields |= {name: f"{name} {self._made}" for name in UNIQUE[table] if name in fields}
            for column, other in ENDS.get(table, {}).items():
                end = self._some(other)
                fields[column] = end["id"] if end is not None else fields[column]
            self._run(f"INSERT OR IGNORE INTO {table} ({', '.join(fields)})"
                      f" VALUES ({', '.join('?' * len(fields))})", *fields.values())

    def _move(self, table: str) -> None:
        """Give a row another number, which is its place in the file."""
        row = self._some(table)
        if row is not None:
            number = "seq" if "seq" in row.keys() else "rowid"  # noqa: SIM118 - a row has no such
            self._run(f"UPDATE OR IGNORE {table} SET {number} = ? WHERE rowid = ?",
                      self._chance.randint(-50, 5000), row["number"])

    def _delete(self, table: str) -> None:
        row = self._some(table)
        if row is not None:
            self._run(f"DELETE FROM {table} WHERE rowid BETWEEN ? AND ?", row["number"],
                      row["number"] + self._chance.choice((0, 0, 6)))


@pytest.mark.parametrize("seed", range(1))
def test_what_another_program_did_to_rows_is_followed(graph: Workspace, seed: int) -> None:
    skies, program = Skies(graph), Program(graph.path, seed)
    heard: list[Changes] = []
    graph.events.subscribe(heard.append)
    graph.poll()
    with closing(program):
        for _ in range(STEPS):
            program.step()
            graph.poll()
            skies.check()
    told = [each for each in heard if not each.external]
    assert len(told) > STEPS / 2
    assert skies.patches > STEPS / 2
