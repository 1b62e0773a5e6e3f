"""An undo that meets what others wrote meanwhile names the commands that go on."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.explorer.conftest import Run


def test_a_conflict_names_both_ways_on_and_both_work(graph: Path, run: Run) -> None:
    for name in ("NAS", "Postgres"):
        assert run("ontology", "entity", "create", name, "--type", "tool").code == 0
    assert run("ontology", "entity", "rename", "NAS", "Disk").code == 0
    with closing(sqlite3.connect(graph)) as agent, agent:
        agent.execute("UPDATE entities SET name = 'Store' WHERE name = 'Disk'")
    answer = run("undo")
    assert answer.code != 0
    assert "from “Disk” to “Store”" in answer.err
    assert "constellation undo 3 --force" in answer.err
    assert "constellation undo --before 3" in answer.err
    skipped = json.loads(run("undo", "--before", "3", "--json").out)
    assert skipped["undone"].startswith("Create Postgres")
    assert run("undo", "3", "--force").code == 0
    with closing(sqlite3.connect(graph)) as agent:
        assert agent.execute("SELECT name FROM entities").fetchall() == [("NAS",)]
