"""Starts workers quickly and kills them at a random moment."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

FIRST_S = 60.0
"""A worker says its first word within this time, unless it can't open the graph."""


class Nursery:
    """A process that has everything loaded and forks a worker for each life."""

    def __init__(self, root: Path, data: Path) -> None:
        self._process = subprocess.Popen(
            ["nice", sys.executable, "-m", "tests.soak.worker"], cwd=root, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env=os.environ | {"CONSTELLATION_DATA": str(data)})

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def live(self, kind: str, graph: Path, seed: str, out: Path, seconds: float,
             patience: float = FIRST_S) -> None:
        """One worker's life: it is killed so many seconds after its first step began.

        One that has not begun after `patience` seconds is killed then.
        """
        assert self._process.stdin is not None
        self._process.stdin.write("\t".join((kind, str(graph), seed, str(out))) + "\n")
        self._process.stdin.flush()
        worker = int(self._line())
        end = time.monotonic() + patience
        while not (out.exists() and out.stat().st_size) and time.monotonic() < end:
            time.sleep(0.002)
        time.sleep(seconds)
        with suppress(ProcessLookupError):
            os.killpg(worker, signal.SIGKILL)
        assert self._line() == "gone"

    def close(self) -> None:
        """End it."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        with self._process:
            pass


@contextmanager
def nursery(root: Path, data: Path) -> Iterator[Nursery]:
    """A nursery that is ended."""
    one = Nursery(root, data)
    try:
        yield one
    finally:
        one.close()


def moment(chance: random.Random, mean: float) -> float:
    """Seconds until a kill: often at once, seldom late."""
    return min(chance.expovariate(1 / mean), 8 * mean)


