"""The report tells what is wrong with a file and nothing that it holds."""

from contextlib import closing
from pathlib import Path

import pytest

from core.doctor_report import examine, examine_open
from core.store.database import connect
from core.store.migrate import newest
from core.workspace import Workspace
from tests.templates import copy_graph

SECRET = "Xenia Quill"


def _fill(workspace: Workspace) -> None:
    workspace.write("Fill", lambda writer: writer.insert(
        "entities", id="e", name=SECRET, canonical_name=SECRET.lower(), entity_type="person",
        created_at="t", updated_at="t", agent_id="default"))


@pytest.fixture
def graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CONSTELLATION_DATA", str(tmp_path / "data"))
    return copy_graph(_fill, tmp_path / f"{SECRET}.db")


def words(path: Path | None) -> str:
    return "\n".join(examine(path, in_window=True).lines())


def test_a_sound_file_is_well_and_no_name_is_told(graph: Path) -> None:
    report = examine(graph, in_window=True)
    assert report.is_well
    assert report.file is not None
    assert (report.file.kind, report.file.schema) == ("native", newest())
    assert "entities 1" in words(graph)
    assert "No problems in the file" in words(graph)
    assert SECRET.split()[0].lower() not in words(graph).lower()
    assert SECRET.split()[0].lower() not in str(report).lower()


def test_faulty_rows_are_counted_by_kind_without_what_they_say(graph: Path) -> None:
    with closing(connect(graph, mode="rw")) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute("UPDATE entities SET name = '  '")
    report = examine(graph, in_window=True)
    assert not report.is_well
    assert report.file is not None
    assert report.file.problems == {"entities name has no name": 1}


@pytest.mark.parametrize("damage", ["cut", "folder", "other", "missing"])
def test_a_file_that_can_t_be_opened_is_told_in_words(graph: Path, damage: str) -> None:
    if damage == "cut":
        graph.write_bytes(graph.read_bytes()[:5000])
    elif damage == "other":
        graph.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(64))
    else:
        graph.unlink()
        if damage == "folder":
            graph.mkdir()
    report = examine(graph, in_window=True)
    assert not report.is_well
    assert "Graph file: can't be opened: " in words(graph)
    assert SECRET not in words(graph)


def test_an_older_file_is_looked_at_and_not_brought_up_to_date(graph: Path) -> None:
    with closing(connect(graph, mode="rw")) as connection:
        connection.execute(f"PRAGMA user_version = {newest() - 1}")
        before = connection.execute("PRAGMA data_version").fetchone()[0]
        report = examine(graph, in_window=True)
        assert report.file is not None
        assert report.file.schema == newest() - 1 or report.file.fault
        assert connection.execute("PRAGMA user_version").fetchone()[0] == newest() - 1
        assert connection.execute("PRAGMA data_version").fetchone()[0] == before


def test_an_open_graph_is_looked_at_where_it_is_open(graph: Path) -> None:
    with closing(Workspace.open(graph)) as opened:
        report = examine_open(opened)
    assert report.file is not None
    assert (report.file.kind, report.file.sidecar) == ("native", "sound")
    assert report.file.rows is not None
    assert report.file.rows["entities"] == 1
    assert SECRET not in "\n".join(report.lines())
