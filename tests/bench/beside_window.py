"""Callers over HTTP while a person browses in the window: answers a second, waits, longest stall.

Run as `python -m tests.bench.beside_window [MEMORIES]`. The callers are a process of their own; the
server is another one first, and then the one that the window starts. With `--hostile` the window
lets in callers that mean no good (`hostile_callers`), a wave of each kind at both of its doors.
Wall time, so what other programs take of the machine is in it; beside it the longest stall in time
of the processor that the window's own process took, in which they are not.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.bench.hostile_callers import WAVES

CALL, HOSTILE = "--call", "--hostile"
TICK_MS, BROWSE_MS, ALONE_S = 5, 100, 10.0


def call() -> None:
    """The callers: read what to ask from standard input, print milliseconds of each answer."""
    from tests.bench.http_load import ask  # noqa: PLC0415 - this process needs no window

    given = json.load(sys.stdin)
    with ThreadPoolExecutor(len(given["asked"])) as pool:
        began = time.perf_counter()
        waits = list(pool.map(lambda part: ask(given["port"], part, given["token"]),
                              given["asked"]))
        seconds = time.perf_counter() - began
    json.dump({"waits": sorted(wait for part in waits for wait in part), "seconds": seconds},
              sys.stdout)


class Beside:
    """The real window, in which a person browses while it is watched."""

    def __init__(self, folder: Path, path: Path) -> None:
        from PySide6.QtCore import QEventLoop, QTimer  # noqa: PLC0415 - the callers need no Qt

        from explorer.desktop import make_app, make_window  # noqa: PLC0415
        from ui.preferences import Preferences  # noqa: PLC0415

        self._loop, self._timer = QEventLoop, QTimer
        self.app = make_app()
        self.window = make_window(Preferences(folder / "window.ini"))
        self.window.resize(1440, 900)
        self.window.show()
        self.window.open_path(path)
        self.wait(lambda: self.window.session is not None
                  and self.window.session.counts is not None)
        self.pass_time(15.0)
        session = self.window.session
        assert session is not None
        with session.workspace.read() as reader:
            ids = [str(row["id"]) for row in reader.rows(
                "SELECT id FROM entities WHERE agent_id = :agent LIMIT 200")]
        turn = iter(range(1_000_000))
        self._browse = QTimer(interval=BROWSE_MS)
        self._browse.timeout.connect(
            lambda: session.selection.select_entity(ids[next(turn) * 7 % len(ids)]))

    def wait(self, until: Callable[[], bool]) -> None:
        """Go on until this is so."""
        loop = self._loop()
        look = self._timer(interval=20)
        look.timeout.connect(lambda: loop.quit() if until() else None)
        look.start()
        loop.exec()
        look.stop()

    def pass_time(self, seconds: float) -> None:
        """Go on for so long."""
        end = time.perf_counter() + seconds
        self.wait(lambda: time.perf_counter() > end)

    @contextmanager
    def watched(self, name: str) -> Iterator[dict[str, Any]]:
        """Browse meanwhile, and print how smooth that was, with what callers were answered."""
        stalls, own = list[float](), list[float]()
        last = [time.perf_counter(), time.process_time()]

        def tick() -> None:
            now, worked = time.perf_counter(), time.process_time()
            stalls.append((now - last[0]) * 1000 - TICK_MS)
            own.append((worked - last[1]) * 1000)
            last[:] = now, worked

        ticker = self._timer(interval=TICK_MS)
        ticker.timeout.connect(tick)
        ticker.start()
        self._browse.start()
        answers: dict[str, Any] = {}
        yield answers
        self._browse.stop()
        ticker.stop()
        stalls.sort()
        often, most = (stalls[int(len(stalls) * share)] for share in (0.95, 0.99))
        words = f"window: 95 % {often:.0f} ms, 99 % {most:.0f} ms, longest {stalls[-1]:.0f} ms, "
        words += f"of its own process's work: 99 % {_at(own, 0.99):.0f}, longest {max(own):.0f} ms"
        sys.stdout.write(f"{name}: {' · '.join((*_told(answers), words))}\n")
        sys.stdout.flush()

    def have_called(self, given: dict[str, object], *command: str) -> dict[str, Any]:
        """What another process answers, which is told what to call."""
        with tempfile.TemporaryFile("w+") as told, subprocess.Popen(
            [sys.executable, "-m", *command], stdin=subprocess.PIPE, stdout=told, text=True,
        ) as caller:
            assert caller.stdin is not None
            json.dump(given, caller.stdin)
            caller.stdin.close()
            self.wait(lambda: caller.poll() is not None)
            told.seek(0)
            answers: dict[str, Any] = json.load(told)
        return answers

    def close(self) -> None:
        """Close the window."""
        self.window.close()
        self.app.aboutToQuit.emit()


def measure(folder: Path, memories: int, *, hostile: bool = False) -> None:
    """Open the window, browse, and have it asked by others; prints one line each."""
    from explorer.window_doors import WindowDoors  # noqa: PLC0415 - the callers need no window
    from tests.bench.http_load import TOKEN, graph_and_questions, server_on  # noqa: PLC0415

    os.environ["CONSTELLATION_DATA"] = str(folder / "data")
    os.environ["CONSTELLATION_SETTINGS"] = str(folder / "settings.toml")
    path, asked = graph_and_questions(folder, memories)
    beside = Beside(folder, path)

    def ask(name: str, port: int, token: str) -> None:
        with beside.watched(name) as answers:
            answers.update(beside.have_called({"port": port, "token": token, "asked": asked},
                                              "tests.bench.beside_window", CALL))

    with beside.watched("nobody asks"):
        beside.pass_time(ALONE_S)
    if not hostile:
        with server_on(path, folder) as (port, _process):
            ask("a server beside it", port, TOKEN)
    doors = WindowDoors(path, "default")
    token = doors.new_token("recall")
    if hostile:
        with beside.watched("doors open, nobody calls"):
            beside.pass_time(ALONE_S)
        attack(beside, {"/api/memory/recall": doors.http, "/mcp": doors.mcp}, token)
    ask("let in by the window", int(doors.http.rpartition(":")[2]), token)
    doors.close()
    beside.close()


def attack(beside: Beside, doors: dict[str, str], token: str) -> None:
    """Send each wave of hostile callers to each door."""
    for path, address in doors.items():
        port = int(address.removesuffix(path).rpartition(":")[2])
        for wave in WAVES:
            with beside.watched("nobody calls"):
                beside.pass_time(ALONE_S / 2)
            with beside.watched(f"{path}: {wave}") as answers:
                answers.update(beside.have_called(
                    {"port": port, "token": token, "path": path, "wave": wave},
                    "tests.bench.hostile_callers"))


def _at(times: list[float], share: float) -> float:
    return sorted(times)[int(len(times) * share)]


def _told(answers: dict[str, Any]) -> Iterator[str]:
    """What callers were answered: how often each status, and what had no words."""
    if "statuses" in answers:
        yield ", ".join(f"{count} × {status}"
                        for status, count in sorted(answers["statuses"].items()))
        yield f"{answers['seconds']:.0f} s"
        if answers["wordless"]:
            yield f"without words: {answers['wordless']}"
    elif answers:
        waits = answers["waits"]
        yield (f"{len(waits) / answers['seconds']:.1f} recalls/s, median"
               f" {waits[len(waits) // 2]:.0f} ms, p95 {waits[int(len(waits) * 0.95)]:.0f} ms")


if __name__ == "__main__":
    if CALL in sys.argv:
        call()
    else:
        with tempfile.TemporaryDirectory() as place:
            numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
            measure(Path(place), *numbers[:1] or [10_000], hostile=HOSTILE in sys.argv)
