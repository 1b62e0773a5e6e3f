"""A person puts a backup back from a terminal, and goes back again."""

import json
from pathlib import Path

import pytest

from core.store.backup import back_up
from core.workspace import Workspace
from tests.explorer.conftest import Run


@pytest.fixture
def backed_up(graph: Path) -> Path:
    """A backup of the graph, which has one more entity since."""
    workspace = Workspace.open(graph)
    backup = back_up(graph, workspace.backup_folder)
    workspace.write("add", lambda w: w.insert(
        "entities", id="e-new", name="Afterthought", canonical_name="afterthought",
        entity_type="tool", agent_id="default", created_at=w.now(), updated_at=w.now()))
    workspace.close()
    return backup


def names(graph: Path, run: Run) -> list[str]:
    listed = run("knowledge", "entities", "--store", graph, "--json").out
    return [item["entity"]["name"] for item in json.loads(listed)["items"]]


def test_the_list_says_what_each_backup_has_against_now(
    graph: Path, backed_up: Path, run: Run
) -> None:
    answer = run("restore", "--store", graph)
    assert "−1 entity" in answer.out
    assert "constellation restore NUMBER" in answer.err
    assert json.loads(run("restore", "--store", graph, "--json").out)["backups"][0]["path"] == (
        str(backed_up))


def test_backups_with_as_many_of_each_are_told_apart_by_what_was_changed_last(
    graph: Path, run: Run
) -> None:
    for name in ("Boat", "Ferry"):
        made = run("ontology", "entity", "create", name, "--type", "tool", "--store", graph)
        assert made.code == 0, made.err
        assert run("backup", "--store", graph).code == 0
    listed = json.loads(run("restore", "--store", graph, "--json").out)["backups"]
    assert ["Ferry" in listed[0]["lastChange"], "Boat" in listed[1]["lastChange"]] == [True, True]
    assert "2 backups" in run("doctor", "--store", graph).out


def test_the_list_says_in_words_what_was_changed_since(graph: Path, run: Run) -> None:
    run("ontology", "entity", "create", "Vega", "--store", graph)
    run("backup", "--store", graph)
    run("ontology", "entity", "rename", "Vega", "Lyra", "--store", graph)
    assert "Rename Vega" in run("restore", "--store", graph).out
    run("ontology", "entity", "pin", "Lyra", "--store", graph)
    assert "Pin Lyra, and 1 more" in run("restore", "--store", graph).out


def test_restoring_by_number_and_back_by_the_file_that_is_named(
    graph: Path, backed_up: Path, run: Run
) -> None:
    answer = run("restore", "1", "--store", graph, "--json")
    assert "Afterthought" not in names(graph, run)
    aside = json.loads(answer.out)["aside"]
    assert run("restore", aside, "--store", graph).code == 0
    assert "Afterthought" in names(graph, run)


def test_a_damaged_graph_is_restored_and_kept(graph: Path, backed_up: Path, run: Run) -> None:
    graph.write_bytes(b"\x00" * 5000)
    failed = run("info", "--store", graph)
    assert failed.code != 0
    answer = run("restore", "1", "--store", graph)
    assert answer.code == 0, answer.err
    assert graph.with_name(f"{graph.name}.damaged-1").read_bytes() == b"\x00" * 5000
    assert "Afterthought" not in names(graph, run)


@pytest.mark.parametrize("wrong", ["7", "nowhere.db"])
def test_a_backup_that_is_not_there_changes_nothing(
    graph: Path, backed_up: Path, run: Run, wrong: str
) -> None:
    answer = run("restore", wrong, "--store", graph)
    assert answer.code != 0
    assert "Traceback" not in answer.err
    assert "Afterthought" in names(graph, run)


def test_without_backups_the_list_says_so(graph: Path, run: Run) -> None:
    assert "No backups" in run("restore", "--store", graph).out


def test_a_backup_by_command_is_listed_and_put_back(graph: Path, run: Run) -> None:
    run("ontology", "entity", "create", "Vega", "--store", graph)
    made = run("backup", "--store", graph)
    assert "1 entity" in made.out
    listed = json.loads(run("restore", "--store", graph, "--json").out)["backups"]
    assert f"Backed up {graph}: {listed[0]['path']}" in made.out
    run("ontology", "entity", "rename", "Vega", "Lyra", "--store", graph)
    assert run("restore", "1", "--store", graph).code == 0
    assert names(graph, run) == ["Vega"]
    undone = run("undo", "--store", graph).out
    assert undone.startswith("Undone: Restore the backup of ")
    assert names(graph, run) == ["Lyra"]
    assert undone[8:50].strip() in run("history", "--store", graph).out
    assert run("redo", "--dry-run", "--store", graph).code == 0
    assert run("redo", "--store", graph).out == undone.replace("Undone", "Redone")
    assert names(graph, run) == ["Vega"]


def test_a_backup_goes_where_a_person_says_and_overwrites_nothing(
    graph: Path, run: Run, tmp_path: Path
) -> None:
    run("ontology", "entity", "create", "Vega", "--store", graph)
    copy, stick = tmp_path / "copy.db", tmp_path / "stick"
    stick.mkdir()
    (mine := tmp_path / "copy.part").write_text("mine")
    assert run("backup", copy, "--store", graph).code == 0
    assert mine.read_text() == "mine"
    run("backup", stick, "--store", graph)
    assert [names(one, run) for one in (copy, *stick.iterdir())] == [["Vega"]] * 2
    before = copy.read_bytes()
    again = run("backup", copy, "--store", graph)
    assert (again.code != 0, copy.read_bytes()) == (True, before)
    assert "This file exists already" in again.err
    assert "The folder does not exist" in run("backup", tmp_path / "no" / "x.db",
                                              "--store", graph).err
    run("ontology", "entity", "rename", "Vega", "Lyra", "--store", graph)
    assert run("restore", copy, "--store", graph).code == 0
    assert names(graph, run) == ["Vega"]
