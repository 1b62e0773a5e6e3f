"""Looking at a file's bytes does not take away the locks that keep another program in its place."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from core.store.log_position import log_position
from core.store.read_bytes_keeping_locks import raw_bytes
from core.workspace import Workspace
from tests.core.graphs import Graph

ELSEWHERE = """
import sys
from pathlib import Path
from core.workspace import Workspace
graph = Workspace.open(Path(sys.argv[1]), data_dir=Path(sys.argv[2]))
graph.write("pin", lambda w: w.update_where("entities", "name = 'Vega'", {"pinned": 1}))
graph.close()
"""


TAKES_ITSELF_FOR_FIRST = """
import fcntl, sys
with open(sys.argv[1] + "-shm", "r+b") as index:
    try:
        fcntl.lockf(index, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 128)
    except OSError:
        sys.exit("locked")
"""
"""Whether a program would begin the index of the log anew (SQLite's `UNIX_SHM_DMS`)."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "graph.db"


def opened(path: Path) -> Workspace:
    return Workspace.open(path, data_dir=path.parent / "data", create=not path.exists())


def pinned(graph: Workspace) -> int:
    """What a writer of this process sees."""
    return graph.write("look", lambda w: int(w.value("SELECT pinned FROM entities"))).result


def descriptors(path: Path) -> list[str]:
    """The descriptors of this process on the file and its log."""
    links = (os.path.realpath(f"/proc/self/fd/{name}") for name in os.listdir("/proc/self/fd"))
    return [link for link in links if link.startswith(str(path))]


def its_bytes(path: Path) -> None:
    with raw_bytes(path) as file:
        assert file.read(16) == b"SQLite format 3\0"


def its_log(path: Path) -> None:
    position = log_position(path)
    assert position is not None
    assert position.frames > 0


@pytest.mark.parametrize("look", [its_bytes, its_log])
def test_what_another_program_writes_is_never_lost(
    path: Path, look: Callable[[Path], None]
) -> None:
    graph = opened(path)
    graph.write("make", lambda w: Graph(w).entity("Vega"))
    look(path)
    subprocess.run([sys.executable, "-c", ELSEWHERE, str(path), str(path.parent / "data")],
                   check=True)
    assert path.with_name("graph.db-wal").exists()
    assert pinned(graph) == 1
    graph.write("more", lambda w: Graph(w).entity("Altair"))
    graph.close()
    again = opened(path)
    with again.read() as reader:
        assert [tuple(row) for row in reader.rows(
            "SELECT name, pinned FROM entities ORDER BY name")] == [("Altair", 0), ("Vega", 1)]
    again.close()


@pytest.mark.skipif(os.name != "posix", reason="there a lock belongs to its descriptor")
def test_the_index_of_the_log_stays_locked(path: Path) -> None:
    graph = opened(path)
    graph.write("make", lambda w: Graph(w).entity("Vega"))
    for _ in range(3):
        its_log(path)
    asked = subprocess.run([sys.executable, "-c", TAKES_ITSELF_FOR_FIRST, str(path)],
                           check=False, capture_output=True, text=True)
    assert (asked.returncode, asked.stderr.strip()) == (1, "locked")
    graph.close()


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="this system has no /proc")
def test_no_file_stays_open(path: Path) -> None:
    graph = opened(path)
    for number in range(20):
        graph.write("make", lambda w, n=number: Graph(w).entity(f"Star {n}"))
        graph.poll()
        its_log(path)
    many = len(descriptors(path))
    graph.poll()
    assert len(descriptors(path)) == many
    graph.close()
    assert descriptors(path) == []
    with raw_bytes(path) as file:
        file.seek(-4, os.SEEK_END)
        assert len(file.read()) == 4
    assert descriptors(path) == []
