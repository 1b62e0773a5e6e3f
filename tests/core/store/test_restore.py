"""A backup is put back by one command; that is taken back in the same way."""

import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.errors import ConstellationError, OpenError, UndoRefused
from core.ontology.control import apply
from core.queries.entities import list_entities
from core.store import backup as backups
from core.store import restore
from core.store.backup import HISTORY, back_up, backups_of, made_at, thin
from core.store.restore import list_backups, put_back_closed
from core.workspace import Workspace
from tests.contracts.files import make
from tests.core.store.test_stale_wal import add, is_whole, names, opened, with_a_log
from tests.templates import copy_graph, nothing


@pytest.fixture(params=["native", "signet-071"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "graph.db"
    if request.param != "native":
        make(request.param, path, tmp_path / "made").close()
        with_a_log(path)
    graph = opened(path)
    add(graph, "before")
    graph.close()
    return path


def backed_up(graph: Workspace) -> Path:
    return back_up(graph.path, graph.backup_folder, graph._log_path)


def labels(graph: Workspace) -> list[tuple[str, str]]:
    return [(step.label, step.state) for step in graph.history()]


def test_a_backup_is_put_back_while_the_graph_is_open_here_and_elsewhere(path: Path) -> None:
    graph, other = opened(path), opened(path)
    backup = backed_up(graph)
    add(graph, "after")
    add(other, "later")
    heard = []
    graph.events.subscribe(heard.append)
    aside = graph.restore(backup).result
    assert names(graph) == names(other) == ["before"]
    assert heard[-1].external
    assert other.poll()
    add(other, "after")
    assert names(graph) == ["after", "before"]
    assert aside is not None
    assert aside.exists()
    graph.close()
    other.close()
    assert is_whole(path)


def test_a_file_without_a_log_is_restored_and_one_that_is_read_refuses_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "graph.db"
    make("signet-071", path, tmp_path / "made").close()
    with closing(sqlite3.connect(path)) as plain:
        assert plain.execute("PRAGMA journal_mode = DELETE").fetchone()[0] == "delete"
    graph = opened(path)
    backup = backed_up(graph)
    before = names(graph)
    add(graph, "after")
    with closing(sqlite3.connect(path, isolation_level=None)) as reading:
        reading.execute("BEGIN")
        reading.execute("SELECT count(*) FROM entities").fetchone()
        monkeypatch.setattr(restore, "WAIT", 0.2)
        with pytest.raises(ConstellationError, match="locked"):
            graph.restore(backup)
    assert names(graph) == sorted([*before, "after"])
    graph.restore(backup)
    assert names(graph) == before
    graph.close()
    assert is_whole(path)


def test_restoring_is_taken_back_by_restoring_what_was_there(path: Path) -> None:
    graph = opened(path)
    backup = backed_up(graph)
    add(graph, "after")
    graph.undo()
    graph.redo()
    before = labels(graph)
    aside = graph.restore(backup).result
    assert labels(graph)[1:] == [("before", "done")]
    assert graph.undo(graph.history()[1].undo_id) == "before"
    assert names(graph) == []
    assert aside is not None
    graph.restore(aside)
    assert names(graph) == ["after", "before"]
    assert labels(graph)[1:] == before
    assert graph.undo(graph.history()[1].undo_id) == "after"
    assert names(graph) == ["before"]
    graph.close()


def test_undo_after_a_restore_takes_the_restore_back_and_redo_does_it_again(path: Path) -> None:
    graph = opened(path)
    backup = backed_up(graph)
    add(graph, "after")
    before = labels(graph)
    step = graph.restore(backup).entry
    done = labels(graph)
    assert done[0] == (graph.undo_step().label, "done")  # type: ignore[union-attr]
    assert graph.history()[0].undo_id == step
    for _ in range(3):
        assert graph.undo() == done[0][0]
        assert names(graph) == ["after", "before"]
        assert labels(graph) == [(done[0][0], "undone"), *before]
        assert graph.redo() == done[0][0]
        assert names(graph) == ["before"]
        assert labels(graph) == done
    graph.close()


def test_undo_by_its_number_takes_no_later_change_away_with_a_restore(path: Path) -> None:
    graph = opened(path)
    backup = backed_up(graph)
    add(graph, "after")
    step = graph.restore(backup).entry
    add(graph, "later")
    with pytest.raises(UndoRefused, match="“later”.* came after this restore"):
        graph.undo(step)
    assert names(graph) == ["before", "later"]
    graph.undo()
    graph.undo()
    add(graph, "later-instead")
    with pytest.raises(UndoRefused, match="“later-instead”.* came after this restore"):
        graph.redo(graph.history()[1].undo_id)
    assert graph.redo_step() is None
    assert names(graph) == ["after", "before", "later-instead"]
    graph.close()


def test_a_restore_whose_way_back_is_gone_is_not_undone(path: Path) -> None:
    graph = opened(path)
    aside = graph.restore(backed_up(graph)).result
    assert aside is not None
    aside.unlink()
    with pytest.raises(UndoRefused, match="is gone"):
        graph.undo()
    assert names(graph) == ["before"]
    graph.close()


def test_another_window_sees_that_a_restore_was_taken_back(path: Path) -> None:
    graph, other = opened(path), opened(path)
    backup = backed_up(graph)
    add(graph, "after")
    graph.restore(backup)
    other.poll()
    heard = []
    other.events.subscribe(heard.append)
    graph.undo()
    assert other.poll()
    assert heard[-1].external
    assert names(other) == ["after", "before"]
    graph.close()
    other.close()


def test_without_a_history_of_then_later_steps_cannot_be_undone(path: Path) -> None:
    graph = opened(path)
    backup = backed_up(graph)
    backup.with_suffix(HISTORY).unlink()
    old = backup.with_name("graph-20990101T000000.db")
    backup.rename(old)
    add(graph, "after")
    graph.restore(old)  # its name says that it is newer than every step
    step = graph.undo_step()
    assert step
    assert step.label.startswith("Restore the backup of ")
    assert labels(graph)[1] == ("after", "done")
    older = old.with_name("graph-20200101T000000.db")
    old.rename(older)
    graph.restore(older)
    assert [state for _, state in labels(graph)] == ["done", "abandoned", "abandoned", "abandoned"]
    assert names(graph) == ["before"]
    graph.close()


def test_no_backup_is_thinned_away_while_it_is_put_back(path: Path) -> None:
    graph = opened(path)
    newest = backed_up(graph)
    add(graph, "after")
    hours = [newest.with_name(f"graph-20250101T10{minute:02d}00.db") for minute in range(7)]
    for old in hours:
        old.write_bytes(newest.read_bytes())
    newest.unlink()
    graph.restore(hours[0])
    assert names(graph) == ["before"]
    assert hours[0].exists()
    graph.close()


def test_a_copy_with_a_log_of_its_own_is_put_back_with_what_is_in_the_log(path: Path) -> None:
    graph = opened(path)
    add(graph, "later")
    copy = path.with_name("copy.db")
    for end in ("", "-wal"):
        Path(f"{copy}{end}").write_bytes(Path(f"{path}{end}").read_bytes())
    graph.undo()
    graph.restore(copy)
    assert names(graph) == ["before", "later"]
    graph.close()


def test_what_is_kept_beside_the_graph_goes_back_with_it(path: Path) -> None:
    graph = opened(path)

    def muted() -> int:
        with graph.read() as reader:
            return sum(row.muted for row in list_entities(reader))

    backup = back_up(graph.path, graph.backup_folder, graph._log_path, graph._side_path)
    graph.write("mute", lambda w: apply(w, "mute_entity", {"entity": "before"}))
    assert muted() == 1
    aside = graph.restore(backup).result
    assert muted() == 0
    assert aside is not None
    graph.restore(aside)
    muted_again = muted()
    graph.close()
    assert muted_again == 1


def test_a_damaged_graph_is_kept_beside_and_replaced(path: Path) -> None:
    graph = opened(path)
    backup = backed_up(graph)
    folder = graph.backup_folder.parent.parent
    graph.close()
    whole = path.read_bytes()
    path.write_bytes(b"nothing" * 900)
    assert put_back_closed(path, backup, folder) is None
    assert path.with_name("graph.db.damaged-1").read_bytes() == b"nothing" * 900
    graph = opened(path)
    assert names(graph) == ["before"]
    graph.close()
    path.write_bytes(whole[:8192] + b"\xff" * 4096 + whole[12288:])
    put_back_closed(path, backup, folder)
    graph = opened(path)
    assert names(graph) == ["before"]
    graph.close()


def test_a_graph_that_is_gone_is_there_again(path: Path) -> None:
    graph = opened(path)
    backup = backed_up(graph)
    folder = graph.backup_folder.parent.parent
    graph.close()
    path.unlink()
    assert [one.path for one in list_backups(path, folder)][0] == backup
    put_back_closed(path, backup, folder)
    graph = opened(path)
    assert names(graph) == ["before"]
    graph.close()


def test_a_backup_of_another_graph_or_a_damaged_one_changes_nothing(path: Path) -> None:
    other = opened(path.with_name("other.db"))
    add(other, "elsewhere")
    foreign = backed_up(other)
    other.close()
    graph = opened(path)
    backup = backed_up(graph)
    add(graph, "after")
    with pytest.raises(OpenError, match="backup of another graph"):
        graph.restore(foreign)
    backup.write_bytes(backup.read_bytes()[:9000])
    with pytest.raises(ConstellationError):
        graph.restore(backup)
    assert names(graph) == ["after", "before"]
    step = graph.undo_step()
    assert step
    assert step.label == "after"
    graph.close()


def test_the_list_says_when_how_large_and_how_much(path: Path) -> None:
    graph = opened(path)
    first = backed_up(graph)
    add(graph, "after")
    second = backed_up(graph)
    listed = list_backups(path, graph.backup_folder.parent.parent)
    graph.close()
    assert {one.path for one in listed} == {first, second}
    counts = {one.path: one.counts["entities"] for one in listed}
    assert counts[second] == counts[first] + 1
    assert all(one.bytes == one.path.stat().st_size for one in listed)


def test_a_graph_of_the_same_name_elsewhere_has_backups_of_its_own(path: Path) -> None:
    graph = opened(path)
    folder = graph.backup_folder.parent.parent
    elsewhere = path.parent / "elsewhere" / path.name
    elsewhere.parent.mkdir()
    copy_graph(nothing, elsewhere)
    back_up(elsewhere, folder / "backups" / path.stem)  # As earlier versions kept it.
    assert list_backups(path, folder) == []
    assert len(list_backups(elsewhere, folder)) == 1
    own = back_up(path, folder / "backups" / path.stem)
    graph.close()
    assert [one.path for one in list_backups(path, folder)] == [own]


def test_the_backup_before_an_update_belongs_to_the_path(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        path = copy_graph(nothing, tmp_path / name / "graph.db")
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript("DELETE FROM agents; PRAGMA user_version = 8")
        Workspace.open(path, data_dir=tmp_path / "data").close()
    listed = [[one.path for one in list_backups(tmp_path / name / "graph.db", tmp_path / "data")]
              for name in ("one", "two")]
    assert [len(paths) for paths in listed] == [1, 1]
    assert listed[0] != listed[1]


def test_a_copy_that_is_not_whole_is_no_backup(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(source: Path, target: Path, **_: object) -> None:
        copy(source, target)
        target.write_bytes(target.read_bytes()[:4096] + b"\xff" * 20_000)

    copy = backups.copy_file
    monkeypatch.setattr(backups, "copy_file", half)
    folder = path.parent / "kept"
    with pytest.raises(ConstellationError, match="damaged"):
        back_up(path, folder)
    assert list(folder.iterdir()) == []


def test_backups_thin_out_by_hour_day_week_and_month(tmp_path: Path) -> None:
    now = datetime.now(UTC)
    for hours in range(24 * 120):
        stamp = (now - timedelta(hours=hours, minutes=1)).strftime("%Y%m%dT%H%M%S")
        (tmp_path / f"graph-{stamp}.db").write_bytes(b"")
        (tmp_path / f"graph-{stamp}.undo").write_bytes(b"")
    thin(tmp_path, "graph")
    ages = [now - made_at(one) for one in backups_of(tmp_path, "graph")]
    day, week = timedelta(days=1), timedelta(days=7)
    assert 24 <= sum(age < day for age in ages) <= 26
    assert 6 <= sum(day <= age < week for age in ages) <= 8
    assert 7 <= sum(week <= age < timedelta(days=60) for age in ages) <= 10
    assert 2 <= sum(age >= timedelta(days=60) for age in ages) <= 4
    assert len(list(tmp_path.glob("*.undo"))) == len(ages)


def test_what_a_killed_backup_left_goes_with_the_next_one(tmp_path: Path) -> None:
    old = datetime.now(UTC).timestamp() - 7200
    for name in ("graph-20260101T000000.part", "graph-20260101T000000.undo-part",
                 "other-20260101T000000.part", "graph-of-mine.txt"):
        (tmp_path / name).write_bytes(b"half")
        os.utime(tmp_path / name, (old, old))
    (tmp_path / "graph-20260102T000000.part").write_bytes(b"under way")
    thin(tmp_path, "graph")
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        "graph-20260102T000000.part", "graph-of-mine.txt", "other-20260101T000000.part"]


def test_backups_leave_room_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for day in range(1, 29):
        (tmp_path / f"graph-2026{day:02d}01T000000.db" if day < 13 else
         tmp_path / f"graph-202501{day:02d}T000000.db").write_bytes(b"x" * 1000)
    usage = type("Usage", (), {"free": 6_500})
    monkeypatch.setattr(backups.shutil, "disk_usage", lambda _: usage)
    thin(tmp_path, "graph")
    assert len(backups_of(tmp_path, "graph")) == 6


def test_the_undo_log_of_a_backup_is_whole(path: Path) -> None:
    graph = opened(path)
    backup = backed_up(graph)
    graph.close()
    connection = sqlite3.connect(backup.with_suffix(HISTORY))
    assert connection.execute("SELECT label FROM entries").fetchall() == [("before",)]
    connection.close()
