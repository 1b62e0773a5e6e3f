"""Files on the command line: made, looked at, refused, taken back."""

import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from core.store import migrate
from explorer.cli import open_graph, output


def test_info_tells_kind_agents_counts_and_problems(run, graph: Path) -> None:
    run("ontology", "entity", "create", "Vega")
    told = run("info", "--json").json
    assert (told["kind"], told["agent"], told["writable"]) == ("native", "default", True)
    assert told["agents"] == [{"id": "default", "name": "default", "entities": 1}]
    assert told["counts"]["entities"] == 1
    assert told["problems"] == []


def test_info_says_it_in_words(run, graph: Path) -> None:
    assert "a graph of this program" in run("info").out


def test_info_takes_a_path_as_opening_does(run, tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    run("new", path)
    assert str(path) in run("info", path).out


def test_new_never_writes_over_a_file(run, graph: Path) -> None:
    before = graph.read_bytes()
    done = run("new", graph)
    assert done.code == 2
    assert "This file exists already" in done.err
    assert graph.read_bytes() == before


def break_a_copy(kind: str, graph: Path, folder: Path) -> Path:
    path = folder / f"{kind}.db"
    if kind == "folder":
        path.mkdir()
    elif kind == "empty":
        path.touch()
    elif kind == "text":
        path.write_text("hello, this is no database", encoding="utf-8")
    elif kind == "truncated":
        path.write_bytes(graph.read_bytes()[:9000])
    elif kind == "newer":
        shutil.copy(graph, path)
        with sqlite3.connect(path) as connection:
            connection.execute("PRAGMA user_version = 9999")
        connection.close()
    return path


@pytest.mark.parametrize(("kind", "said"), [
    ("missing", "File not found"), ("folder", "This is a folder"),
    ("empty", "The file is empty"), ("text", "This is not a database"),
    ("truncated", "file is incomplete"), ("newer", "newer version"),
])
def test_a_file_that_can_not_be_opened_is_told_in_its_own_sentence(
    run, graph: Path, tmp_path: Path, kind: str, said: str
) -> None:
    with sqlite3.connect(graph) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    path = break_a_copy(kind, graph, tmp_path)
    done = run("info", "--store", path)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert str(path) in done.err


def test_the_history_is_listed_newest_first(run, graph: Path) -> None:
    run("ontology", "entity", "create", "Vega", "--actor", "ines")
    run("ontology", "entity", "pin", "Vega")
    items = run("history", "--json").json["items"]
    assert [item["label"] for item in items] == ["Pin Vega", "Create Vega"]
    assert items[1]["who"] == "ines"
    shown = run("history", "--limit", "1")
    assert "Pin Vega" in shown.out
    assert "Create Vega" not in shown.out


def test_any_entry_of_the_history_can_be_taken_back(run, graph: Path) -> None:
    run("ontology", "entity", "create", "Vega")
    first = run("history", "--json").json["items"][0]["undoId"]
    run("ontology", "entity", "create", "Altair")
    assert run("undo", first, "--json").json["undone"] == "Create Vega"
    entities = run("knowledge", "entities", "--json").json["items"]
    assert [item["entity"]["name"] for item in entities] == ["Altair"]


def test_an_option_that_does_not_exist_is_code_2(run, graph: Path) -> None:
    assert run("info", "--nonsense").code == 2


@pytest.mark.parametrize(
    "module", [["-m", "explorer"], ["-c", "from explorer.main import main; main()"]]
)
def test_the_module_is_the_command(root: Path, module: list[str]) -> None:
    done = subprocess.run([sys.executable, *module, "--version"], cwd=root, capture_output=True,
                          text=True)
    assert done.returncode == 0
    assert done.stdout.startswith("constellation ")


def test_an_empty_name_is_no_file_and_a_hint_can_be_typed_as_it_is(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONSTELLATION_DATA", str(tmp_path / "data"))
    assert "no name is given" in run("new", "").err
    path = tmp_path / "with space.db"
    quoted = output.typed(path)
    assert quoted.strip("'\"") == str(path)
    assert quoted != str(path)
    assert run("new", path).out.endswith(f"constellation {quoted}\n")


def test_tables_line_up_and_leave_out_what_no_row_says(run, graph: Path) -> None:
    for name in ("Vega", "Alpha Centauri"):
        run("ontology", "entity", "create", name)
    run("ontology", "claim", "set", "Vega", "light", "general", "colour", "--value", "white")
    head, *rows = run("knowledge", "entities").out.splitlines()
    assert "fact" not in head
    assert {row.index("unknown") for row in rows} == {head.index("type")}
    assert "white" in run("knowledge", "entities", "--query", "white").out


def test_info_counts_the_entities_of_the_list_for_every_agent(run, graph: Path) -> None:
    run("ontology", "entity", "create", "Vega")
    run("ontology", "entity", "create", "Deneb")
    run("ontology", "entity", "archive", "Deneb")
    told = run("info", "--json").json
    assert told["agents"][0]["entities"] == told["counts"]["entities"] == 1


def test_the_history_explains_what_abandoned_means(run, graph: Path) -> None:
    run("ontology", "entity", "create", "Vega")
    assert "abandoned" not in run("history").err
    run("undo")
    run("ontology", "entity", "create", "Deneb")
    shown = run("history")
    assert "abandoned" in shown.out
    assert "followed by another change" in shown.err


def test_a_step_that_is_not_there_or_not_yet_free_is_told_apart(run, graph: Path) -> None:
    run("ontology", "entity", "create", "Vega")
    run("ontology", "entity", "rename", "Vega", "Deneb")
    assert "Step 0 not found" in run("undo", "0").err
    blocked = run("undo", "1").err
    assert "(the entity “Deneb”)" in blocked
    assert "Undo “Rename Vega” (step 2) first" in blocked


def test_a_graph_that_takes_long_to_update_is_noted_once(
    run, graph: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("ontology", "claim", "set", "Vega", "schedule", "general", "start", "--value", "seven")
    connection = sqlite3.connect(graph)
    connection.executescript("DELETE FROM agents; DELETE FROM memory_entity_mentions;"
                             " DELETE FROM memories; PRAGMA user_version = 8")
    connection.close()
    monkeypatch.setattr(migrate, "_OFTEN", 10)
    monkeypatch.setattr(open_graph, "PATIENCE_S", 0.0)
    assert run("recall", "seven").err.count("Updating this graph for the new version, once") == 1
    assert "Updating" not in run("recall", "seven").err


def test_an_export_over_a_file_that_exists_says_so_and_leaves_it(graph, run, tmp_path):
    there = tmp_path / "memory.jsonl"
    there.write_text("mine")
    answer = run("export", there, "--store", graph)
    assert answer.code != 0
    assert "This file exists already" in answer.err
    assert "Errno" not in answer.err
    assert there.read_text() == "mine"


def test_the_doctor_tells_versions_and_health_and_exits_with_1_where_something_is_wrong(
    run, tmp_path: Path
) -> None:
    graph = tmp_path / "graph.db"
    run("new", graph)
    told = run("doctor", graph)
    assert (told.code, "No problems in the file" in told.out) == (0, True)
    assert run("doctor", graph, "--json").json["file"]["problems"] == {}
    graph.write_bytes(b"no graph")
    told = run("doctor", graph)
    assert (told.code, "can't be opened: This is not a database" in told.out) == (1, True)
