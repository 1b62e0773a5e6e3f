"""Killed at any instant, by every way in: what was acknowledged is there, nothing is there in half.

Each round is one life of a worker, ended by SIGKILL; with a full disk, too.
"""

import os
import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.store.sidecar_file import data_folder
from core.workspace import Workspace
from tests.contracts.files import make
from tests.soak.facts import Said, faults
from tests.soak.nursery import FIRST_S, Nursery, moment, nursery

SCALE = float(os.environ.get("CONSTELLATION_SOAK_SCALE", "1"))
"""A share of the rounds, to try them."""
WAYS = {"core": (300, 0.2), "command": (250, 0.6), "import": (150, 0.6), "window": (100, 3.0)}
"""For each way in: how many lives, and their mean length in seconds."""
ROOM_MB = 96
FREE = (0, 64 << 10, 256 << 10, 1 << 20, 4 << 20)
"""Bytes that are left on the full disk, one of them in each life."""
FULL_S = 10.0
"""What can't be opened on a full disk has said so by then."""
KINDS = ("native", "signet-071")


def rounds(way: str) -> int:
    """How many lives of that way are tried."""
    return max(2, round(WAYS[way][0] * SCALE))


def prepare(kind: str, graph: Path) -> None:
    """A graph of that generation, with the log that Signet's files have, too."""
    make(kind, graph, data_folder()).close()
    with closing(sqlite3.connect(graph)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")


def check_undo(graph: Path) -> None:
    """The last step can be taken back and done again."""
    workspace = Workspace.open(graph)
    try:
        if workspace.undo_step() is not None:
            workspace.undo()
            workspace.redo()
    finally:
        workspace.close()


def report(way: str, lives: list[Said], what: str) -> None:
    """One line of figures on standard error."""
    done, open_, refused = (sum(len(getattr(said, name)) for said in lives)
                            for name in ("done", "open", "refused"))
    sys.stderr.write(f"\n{way}, {what}: {len(lives)} kills, {done} acknowledged changes checked "
                     f"one by one, 0 lost, {open_} under way, {refused} refused\n")


def lived(one: Nursery, way: str, graph: Path, number: int, chance: random.Random,
          patience: float = FIRST_S) -> Said:
    """What a worker wrote down in one life."""
    out = graph.parent.parent / f"{way}-{number}.notes"
    one.live(way, graph, f"{way}{number}", out, moment(chance, WAYS[way][1]), patience)
    return Said.read(out)


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for a graph and for what is kept beside it."""
    folder = tmp_path / "room"
    folder.mkdir()
    monkeypatch.setenv("CONSTELLATION_DATA", str(folder / "data"))
    return folder


@pytest.fixture
def small_room(room: Path) -> Iterator[Path]:
    """The same on a small disk of its own."""
    if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={ROOM_MB}m", "tmpfs", str(room)],
                      capture_output=True).returncode:
        pytest.skip("a small disk can only be mounted by the administrator")
    yield room
    subprocess.run(["umount", "--lazy", str(room)], check=True)


@pytest.mark.soak
@pytest.mark.parametrize("way", WAYS)
def test_a_kill_loses_nothing_that_was_acknowledged(room: Path, root: Path, way: str) -> None:
    lives: list[Said] = []
    chance = random.Random(way)
    for kind in KINDS:
        graph = room / f"{kind}.db"
        prepare(kind, graph)
        with nursery(root, data_folder()) as one:
            own = [lived(one, way, graph, number, chance)
                   for number in range(len(lives), len(lives) + rounds(way) // len(KINDS))]
            for said in own:
                assert said.errors == []
        assert faults(graph, own) == []
        check_undo(graph)
        lives += own
    report(way, lives, "killed")


def fill(room: Path, free: int) -> Path:
    """A file that leaves so many bytes of the disk."""
    ballast = room / "ballast"
    ballast.unlink(missing_ok=True)
    space = os.statvfs(room)
    with ballast.open("wb") as file:
        file.write(bytes(max(0, space.f_bavail * space.f_bsize - free)))
    return ballast


@pytest.mark.soak
@pytest.mark.parametrize("way", WAYS)
def test_a_full_disk_loses_nothing_that_was_acknowledged(
    small_room: Path, root: Path, way: str
) -> None:
    graph, lives, chance = small_room / "graph.db", [], random.Random(way)
    make("native", graph, data_folder()).close()
    with nursery(root, data_folder()) as one:
        for number in range(rounds(way) // 2):
            ballast = fill(small_room, chance.choice(FREE))
            lives.append(lived(one, way, graph, number, chance, FULL_S))
            ballast.unlink()
            assert faults(graph, lives[-1:]) == [], (number, lives[-1].errors[-3:])
            check_undo(graph)
    assert faults(graph, lives) == []
    assert not [error for said in lives for error in said.errors if "Traceback" in error]
    report(way, lives, "full disk")


