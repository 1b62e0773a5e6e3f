"""Callers over HTTP while a person browses in the window: answers a second, waits, longest stall.

Run as `python -m tests.bench.beside_window [MEMORIES]`. The callers are a process of their own; the
server is another one first, and then the window itself. Wall time, so what other programs take of
the machine is in it.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

CALL = "--call"
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


def measure(folder: Path, memories: int) -> None:
    """Open the window, browse, and have it asked by others; prints one line each."""
    from PySide6.QtCore import QEventLoop, QTimer  # noqa: PLC0415 - the callers need no Qt

    from explorer.desktop import make_app, make_window  # noqa: PLC0415
    from explorer.window_doors import WindowDoors  # noqa: PLC0415
    from tests.bench.http_load import TOKEN, graph_and_questions, server_on  # noqa: PLC0415
    from ui.preferences import Preferences  # noqa: PLC0415

    os.environ["CONSTELLATION_DATA"] = str(folder / "data")
    os.environ["CONSTELLATION_SETTINGS"] = str(folder / "settings.toml")
    path, asked = graph_and_questions(folder, memories)
    app = make_app()
    window = make_window(Preferences(folder / "window.ini"))
    window.resize(1440, 900)
    window.show()
    window.open_path(path)

    def wait(until: object) -> None:
        loop = QEventLoop()
        look = QTimer(interval=20)
        look.timeout.connect(lambda: loop.quit() if until() else None)  # type: ignore[operator]
        look.start()
        loop.exec()
        look.stop()

    def passed(seconds: float) -> object:
        end = time.perf_counter() + seconds
        return lambda: time.perf_counter() > end

    wait(lambda: window.session is not None and window.session.counts is not None)
    wait(passed(15.0))
    session = window.session
    assert session is not None
    with session.workspace.read() as reader:
        ids = [str(row["id"]) for row in reader.rows(
            "SELECT id FROM entities WHERE agent_id = :agent LIMIT 200")]
    turn = iter(range(1_000_000))
    browse = QTimer(interval=BROWSE_MS)
    browse.timeout.connect(
        lambda: session.selection.select_entity(ids[next(turn) * 7 % len(ids)]))

    @contextmanager
    def watched(name: str) -> Iterator[dict[str, object]]:
        stalls: list[float] = []
        last = [time.perf_counter()]

        def tick() -> None:
            now = time.perf_counter()
            stalls.append((now - last[0]) * 1000 - TICK_MS)
            last[0] = now

        ticker = QTimer(interval=TICK_MS)
        ticker.timeout.connect(tick)
        ticker.start()
        browse.start()
        answers: dict[str, object] = {}
        yield answers
        browse.stop()
        ticker.stop()
        stalls.sort()
        most = stalls[int(len(stalls) * 0.99)]
        words = f"window: 99 % {most:.0f} ms, longest {stalls[-1]:.0f} ms"
        if answers:
            waits = answers["waits"]
            assert isinstance(waits, list)
            rate = len(waits) / float(str(answers["seconds"]))
            words = (f"{rate:.1f} recalls/s, median {waits[len(waits) // 2]:.0f} ms, "
                     f"p95 {waits[int(len(waits) * 0.95)]:.0f} ms · {words}")
        sys.stdout.write(f"{name}: {words}\n")
        sys.stdout.flush()

    def have_asked(port: int, token: str) -> dict[str, object]:
        with subprocess.Popen([sys.executable, "-m", "tests.bench.beside_window", CALL],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as caller:
            assert caller.stdin is not None
            json.dump({"port": port, "token": token, "asked": asked}, caller.stdin)
            caller.stdin.close()
            wait(lambda: caller.poll() is not None)
            assert caller.stdout is not None
            answers: dict[str, object] = json.load(caller.stdout)
        return answers

    with watched("nobody asks"):
        wait(passed(ALONE_S))
    with server_on(path, folder) as (port, _process), watched("a server beside it") as answers:
        answers.update(have_asked(port, TOKEN))
    doors = WindowDoors(path, "default")
    port = int(doors.http.rpartition(":")[2])
    with watched("let in by the window") as answers:
        answers.update(have_asked(port, doors.new_token("recall")))
    doors.close()
    window.close()
    app.aboutToQuit.emit()


if __name__ == "__main__":
    if CALL in sys.argv:
        call()
    else:
        with tempfile.TemporaryDirectory() as place:
            measure(Path(place), int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
