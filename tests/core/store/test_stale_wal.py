"""A log that an earlier file left is never played into the file that took its place."""

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from core.ontology.control import apply
from core.store import stale_wal
from core.store.backup import copy_file
from core.store.stale_wal import is_stale, make_record, read_record, write_record
from core.store.writer_thread import IDLE
from core.workspace import Workspace
from tests.contracts.files import make

KILLED = """
import os, sys
from pathlib import Path
from core.ontology.control import apply
from core.workspace import Workspace
graph = Workspace.open(Path(sys.argv[1]), data_dir=Path(sys.argv[2]))
graph.sidecar.remember("allowed", "yes")
for number in range(40):
    graph.write("more", lambda w: apply(
        w, "create_entity", {"name": f"later {number}", "entity_type": "tool"}))
os._exit(9)
"""


def opened(path: Path) -> Workspace:
    graph = Workspace.open(path, data_dir=path.parent / "data", create=not path.exists())
    graph.sidecar.remember("allowed", "yes")
    return graph


def add(graph: Workspace, name: str) -> None:
    graph.write(name, lambda w: apply(
        w, "create_entity", {"name": name, "entity_type": "tool"}))


def names(graph: Workspace) -> list[str]:
    with graph.read() as reader:
        return [row[0] for row in reader.connection.execute(
            "SELECT name FROM entities WHERE name IN ('before', 'after') OR name LIKE 'later%'"
            " ORDER BY 1")]


def is_whole(path: Path) -> bool:
    connection = sqlite3.connect(path)
    try:
        return [row[0] for row in connection.execute("PRAGMA integrity_check")] == ["ok"]
    finally:
        connection.close()


def copied(backup: Path, path: Path) -> None:
    """`cp`: the file stays the same, its contents change."""
    shutil.copyfile(backup, path)


def moved(backup: Path, path: Path) -> None:
    """`mv`: another file is at the path."""
    shutil.copyfile(backup, path.with_name("moving"))
    path.with_name("moving").replace(path)


def synced(backup: Path, path: Path) -> None:
    """A folder kept in step with another machine: written beside, old times, then renamed."""
    half = path.with_name(".graph.db.part")
    shutil.copy2(backup, half)
    half.replace(path)


def with_a_log(path: Path) -> None:
    """As a program's own copy of a file that keeps a log: nothing says that it is a copy."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()


@pytest.fixture
def path(tmp_path: Path, made: str) -> Path:
    path = tmp_path / "graph.db"
    if made != "native":
        make(made, path, tmp_path / "made").close()
        with_a_log(path)  # as Signet's own files have it
    graph = opened(path)
    add(graph, "before")
    graph.close()
    return path


WAYS = pytest.mark.parametrize("put", [copied, moved, synced])
LOGGED = pytest.mark.parametrize("logged", [False, True], ids=["plain copy", "copy with a log"])


@pytest.fixture(params=["native", "signet-071"])
def made(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def backup_of(path: Path, logged: bool) -> Path:
    backup = path.with_name("backup.db")
    copy_file(path, backup)
    if logged:
        with_a_log(backup)
    return backup


@WAYS
@LOGGED
def test_a_backup_put_over_a_crashed_graph_is_what_is_opened(
    path: Path, put: Callable[[Path, Path], None], logged: bool
) -> None:
    backup = backup_of(path, logged)
    ended = subprocess.run([sys.executable, "-c", KILLED, path, path.parent / "data"], check=False)
    assert ended.returncode == 9
    assert Path(f"{path}-wal").stat().st_size > 0
    put(backup, path)
    graph = opened(path)
    assert names(graph) == ["before"]
    assert [left.name for left in graph.left_logs] == ["graph.db-wal.left-1", "graph.db-shm.left-1"]
    add(graph, "after")
    graph.close()
    assert is_whole(path)


def test_the_log_of_a_crashed_graph_is_replayed_into_its_own_file(path: Path) -> None:
    subprocess.run([sys.executable, "-c", KILLED, path, path.parent / "data"], check=False)
    path.touch()
    graph = opened(path)
    assert len(names(graph)) == 41
    assert graph.left_logs == ()
    graph.close()


@WAYS
@LOGGED
@pytest.mark.parametrize("idle", [True, False], ids=["idle", "just written"])
def test_a_backup_put_over_an_open_graph_is_shown_and_stays_whole(
    path: Path, put: Callable[[Path, Path], None], logged: bool, idle: bool
) -> None:
    backup = backup_of(path, logged)
    graph = opened(path)
    graph.poll()
    for number in range(30):
        add(graph, f"later {number}")
    if idle:
        for _ in range(IDLE):
            graph.poll()
        assert Path(f"{path}-wal").stat().st_size == 0
    heard = []
    graph.events.subscribe(heard.append)
    put(backup, path)
    assert graph.poll()
    assert heard[-1].external
    assert names(graph) == ["before"]
    add(graph, "after")
    assert names(graph) == ["after", "before"]
    graph.close()
    assert is_whole(path)
    again = opened(path)
    assert names(again) == ["after", "before"]
    again.close()


@WAYS
def test_a_backup_put_over_a_closed_graph_is_what_is_opened(
    path: Path, put: Callable[[Path, Path], None]
) -> None:
    backup = backup_of(path, logged=False)
    graph = opened(path)
    add(graph, "later")
    graph.close()
    assert not Path(f"{path}-wal").exists()
    put(backup, path)
    graph = opened(path)
    assert names(graph) == ["before"]
    assert graph.left_logs == ()
    graph.close()


def test_a_write_right_after_a_copy_goes_to_what_was_copied(path: Path) -> None:
    backup = backup_of(path, logged=True)
    graph = opened(path)
    for number in range(30):
        add(graph, f"later {number}")
    copied(backup, path)
    add(graph, "after")
    assert names(graph) == ["after", "before"]
    graph.close()
    assert is_whole(path)


def test_a_log_that_was_brought_over_in_part_is_not_stale(tmp_path: Path) -> None:
    path = tmp_path / "g.db"
    writer = sqlite3.connect(path, isolation_level=None)
    writer.executescript("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;"
                         "CREATE TABLE t (a); PRAGMA wal_checkpoint(TRUNCATE)")
    writer.executemany("INSERT INTO t VALUES (?)", [("x" * 3000,) for _ in range(50)])
    record = make_record(path)
    assert record is not None
    assert not is_stale(path, record)
    reader = sqlite3.connect(path, isolation_level=None)
    reader.executescript("BEGIN; SELECT count(*) FROM t")
    reader.execute("SELECT count(*) FROM t").fetchone()
    writer.executemany("INSERT INTO t VALUES (?)", [("y" * 3000,) for _ in range(50)])
    writer.execute("PRAGMA wal_checkpoint(PASSIVE)")
    assert not is_stale(path, record)
    reader.close()
    writer.execute("PRAGMA wal_checkpoint(PASSIVE)")
    assert not is_stale(path, record)
    writer.close()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"salts": 1, "inode": [1], "pages": []}', "\0"])
def test_a_record_that_cannot_be_understood_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "record").write_text(text)
    assert read_record(tmp_path / "record") is None


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "g.db"
    writer = sqlite3.connect(path, isolation_level=None)
    writer.executescript("PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
    record = make_record(path)
    assert record is not None
    write_record(record, tmp_path / "record")
    assert read_record(tmp_path / "record") == record
    writer.close()


def test_a_log_that_begins_anew_while_it_is_looked_at_is_not_set_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another program at work on the same file: its last changes were lost with its log."""
    path = tmp_path / "busy.db"
    busy = sqlite3.connect(path, isolation_level=None)
    busy.executescript("PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (0)")
    record = make_record(path)
    busy.executescript("CREATE TABLE more (x); PRAGMA wal_checkpoint")
    copied_pages = stale_wal._copied

    def while_it_writes(*asked) -> list[int]:
        busy.execute("INSERT INTO t VALUES (1)")
        return list(copied_pages(*asked))

    monkeypatch.setattr(stale_wal, "_copied", while_it_writes)
    assert not is_stale(path, record)
    busy.close()
