"""Two windows and three command lines at work on one file; one of them is killed every minute."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.store.sidecar_file import data_folder
from core.workspace import Workspace
from tests.contracts.files import make
from tests.soak.facts import Said, faults

SECONDS = float(os.environ.get("CONSTELLATION_SOAK_SECONDS", "300"))
BETWEEN_KILLS_S = 60.0
KINDS = ("window", "window", "terminal", "terminal", "terminal")
LINES = 5
"""Lines of what went wrong that are printed."""


class Crew:
    """Workers in processes of their own, each in the place of one that was killed."""

    def __init__(self, root: Path, graph: Path) -> None:
        self._root, self._graph = root, graph
        self.notes: list[Path] = []
        self._workers = [self._start(kind) for kind in KINDS]
        self.kills = 0

    def _start(self, kind: str) -> subprocess.Popen[bytes]:
        number = len(self.notes)
        self.notes.append(self._graph.parent / f"{kind}-{number}.notes")
        return subprocess.Popen(
            ["nice", sys.executable, "-m", "tests.soak.worker", kind, str(self._graph),
             f"{kind}{number}", str(self.notes[-1])],
            cwd=self._root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True)

    def kill_one(self, place: int) -> None:
        """Kill a worker with all that it has started; another takes its place."""
        self._kill(place)
        self._workers[place] = self._start(KINDS[place])

    def _kill(self, place: int) -> None:
        os.killpg(self._workers[place].pid, signal.SIGKILL)
        self._workers[place].wait()
        self.kills += 1

    def end(self) -> list[Said]:
        """Kill all; what every worker has written down."""
        for place in range(len(KINDS)):
            self._kill(place)
        return [Said.read(notes) for notes in self.notes]


@pytest.mark.soak
def test_nobody_is_disturbed_by_others_on_the_same_file(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONSTELLATION_DATA", str(tmp_path / "data"))
    graph = tmp_path / "graph.db"
    make("native", graph, data_folder()).close()
    crew, chance = Crew(root, graph), random.Random(12)
    end = time.monotonic() + SECONDS
    try:
        while (left := end - time.monotonic()) > 0:
            time.sleep(min(left, BETWEEN_KILLS_S))
            if left > BETWEEN_KILLS_S:
                crew.kill_one(chance.randrange(len(KINDS)))
    finally:
        worlds = crew.end()
    errors = [error for said in worlds for error in said.errors]
    problems = faults(graph, worlds)
    Workspace.open(graph).close()
    done = sum(len(said.done) for said in worlds)
    sys.stderr.write(
        f"\n{SECONDS:g} s, two windows and three command lines: {crew.kills} kills, {done} "
        f"acknowledged changes checked one by one, {len(problems)} lost or in half, "
        f"{len(errors)} errors seen\n" + "".join(f"  {error}\n" for error in errors[:LINES]))
    assert (errors, problems) == ([], [])
    assert all(said.done for said in worlds[:len(KINDS)])
