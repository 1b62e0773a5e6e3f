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
