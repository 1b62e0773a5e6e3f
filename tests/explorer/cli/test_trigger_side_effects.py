"""A step that triggers of the file make much larger asks first on the command line."""

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.explorer.conftest import Run

NAMES = 30


def _fill(graph: Path, run: Run) -> None:
    lines = "\n".join(f'{{"type": "entity", "name": "Thing {n}", "entityType": "tool", '
                      f'"observations": ["fact {n}"]}}' for n in range(NAMES))
    source = graph.with_name("memory.jsonl")
    source.write_text(lines)
    assert run("import", str(source)).code == 0


def _trigger(graph: Path, body: str) -> None:
    with closing(sqlite3.connect(graph)) as other, other:
        other.execute(f"CREATE TRIGGER harm AFTER UPDATE OF pinned ON entities BEGIN {body}; END")


def _rows(graph: Path) -> list[list[tuple]]:
    with closing(sqlite3.connect(graph)) as other:
        return [other.execute(f"SELECT * FROM {table} ORDER BY id").fetchall()
                for table in ("entities", "entity_attributes", "memories")]


def test_a_pin_that_would_empty_a_table_is_not_done_before_it_is_forced(
    graph: Path, run: Run
) -> None:
    _fill(graph, run)
    _trigger(graph, "DELETE FROM entity_attributes")
    before = _rows(graph)
    answer = run("ontology", "entity", "pin", "Thing 3")
    assert answer.code == 2
    assert f"would change {NAMES} more rows in 1 table: entity_attributes {NAMES}" in answer.err
    assert "--force" in answer.err
    assert "harm" in answer.err
    assert _rows(graph) == before
    assert run("ontology", "entity", "pin", "Thing 3", "--force").code == 0
    assert _rows(graph)[1] == []
    assert run("undo").code == 0
    assert _rows(graph) == before


def test_a_trigger_that_keeps_a_date_asks_nothing(graph: Path, run: Run) -> None:
    _fill(graph, run)
    _trigger(graph, "UPDATE memories SET updated_at = '2026' WHERE rowid < 9")
    assert run("ontology", "entity", "pin", "Thing 3").code == 0


def test_an_import_of_many_rows_asks_nothing(graph: Path, run: Run) -> None:
    _trigger(graph, "SELECT 1")
    _fill(graph, run)
