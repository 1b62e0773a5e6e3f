"""Who may not write a file's folder is shown what is in the file now, never an old state."""

import json
import os
import signal
import sqlite3
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from core.workspace import Workspace
from tests.contracts.files import make

NOBODY, PATIENCE_S = 65534, 60

pytestmark = pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() != 0, reason="only root can be somebody else")


def as_nobody(look: Callable[[], object]) -> object:
    """What `look` returns in a process of a user who may write nothing here."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(PATIENCE_S)
        try:
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            answer = json.dumps(look())
        except BaseException as error:
            answer = json.dumps(f"{type(error).__name__}: {error}")
        os.write(write, answer.encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return json.loads(text)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that everybody may read and only its owner may write.

    Not below pytest's own, which every run that starts meanwhile closes to other users again.
    """
    with TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        home, shared = Path(name, "home"), Path(name, "shared")
        home.mkdir()
        home.chmod(0o777)
        shared.mkdir(mode=0o755)
        yield shared


@pytest.fixture(params=["native", "signet-071"])
def path(request: pytest.FixtureRequest, folder: Path) -> Path:
    path = folder / "graph.db"
    if request.param == "native":
        Workspace.open(path, data_dir=folder / "data", create=True).close()
        connection = sqlite3.connect(path)
        connection.execute("INSERT INTO entities (id, name, canonical_name, created_at, updated_at)"
                           " VALUES ('e', 'first', 'first', 't', 't')")
        connection.commit()
        connection.close()
    else:
        make(request.param, path, folder / "made").close()
        connection = sqlite3.connect(path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.close()
    path.chmod(0o644)
    return path


def writer_of(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    return connection


def mark(connection: sqlite3.Connection, pins: int) -> None:
    connection.execute("UPDATE entities SET mentions = ?", (pins,))


def shown(path: Path) -> Callable[[], object]:
    def look() -> object:
        graph = Workspace.open(path, data_dir=path.parent.parent / "home" / f"data{os.getpid()}")
        with graph.read() as reader:
            found = reader.value("SELECT max(mentions) FROM entities")
        return [found, graph.writable]

    return look


def test_a_file_that_nobody_writes_is_read(path: Path) -> None:
    writer = writer_of(path)
    mark(writer, 2)
    writer.close()
    assert as_nobody(shown(path)) == [2, False]


def test_what_another_program_has_in_its_log_is_shown(path: Path) -> None:
    writer = writer_of(path)
    mark(writer, 113)
    assert as_nobody(shown(path)) == [113, False]
    writer.close()


def test_through_a_link_in_a_folder_of_ones_own_the_real_file_counts(path: Path) -> None:
    writer = writer_of(path)
    mark(writer, 113)
    link = path.parent.parent / "home" / "mine.db"
    link.symlink_to(path)
    assert as_nobody(shown(link)) == [113, False]
    writer.close()
    assert as_nobody(shown(link)) == [113, False]


def test_the_log_of_a_program_that_was_killed_is_shown(path: Path) -> None:
    writer = writer_of(path)
    mark(writer, 113)
    for end in ("", "-wal"):
        Path(f"{path}{end}.kept").write_bytes(Path(f"{path}{end}").read_bytes())
    writer.close()
    for end in ("", "-wal"):
        Path(f"{path}{end}.kept").replace(f"{path}{end}")
        Path(f"{path}{end}").chmod(0o644)
    assert as_nobody(shown(path)) == [113, False]


def test_changes_arrive_while_it_is_looked_at(path: Path) -> None:
    """Written by a program that comes, writes, and goes again."""
    go, done = os.pipe(), os.pipe()

    def look() -> object:
        graph = Workspace.open(path, data_dir=path.parent.parent / "home" / f"data{os.getpid()}")
        seen = []
        for _ in range(3):
            graph.poll()
            with graph.read() as reader:
                seen.append(reader.value("SELECT max(mentions) FROM entities"))
            os.write(done[1], b".")
            os.read(go[0], 1)
        graph.poll()
        with graph.read() as reader:
            seen.append(reader.value("SELECT max(mentions) FROM entities"))
        return seen

    writer = writer_of(path)
    mark(writer, 1)
    writer.close()
    helper = os.fork()
    if helper == 0:
        signal.alarm(PATIENCE_S)
        held = None
        for step in range(3):
            os.read(done[0], 1)
            if step == 0:
                held = writer_of(path)
                mark(held, 2)
            elif step == 1 and held is not None:
                mark(held, 3)
            elif held is not None:
                mark(held, 4)
                held.close()
            os.write(go[1], b".")
        os._exit(0)
    assert as_nobody(look) == [1, 2, 3, 4]
    os.waitpid(helper, 0)
