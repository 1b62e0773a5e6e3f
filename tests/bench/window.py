"""The real window on one file, from the start of the process to the sky: prints JSON.

Run as `python -m tests.bench.window FILE` with CONSTELLATION_DATA set to where its sidecar lies.
"""

import json
import sys
import time
from pathlib import Path

STARTED = time.perf_counter()

if __name__ == "__main__":  # The process that computes places loads this module, too.
    from explorer.main import load_faster

    load_faster()

    from core.garbage_collection import loading

    with loading():
        from PySide6.QtCore import QTimer

        from explorer.desktop import make_app, make_window
        from ui.preferences import Preferences

TICK_MS = 5
AFTER = 4.0
"""Seconds watched on after everything is in its place: the values of a large graph come then."""


def _most_memory() -> float:
    """Megabytes that this process held at most.

    Not what `getrusage` tells: that begins with what the parent held when it started this one.
    """
    line = next(line for line in Path("/proc/self/status").read_text().splitlines()
                if line.startswith("VmHWM:"))
    return int(line.split()[1]) / 1024


def measure(path: Path, patience: float) -> dict[str, float]:
    """Seconds until each thing can be used, the longest stall of the GUI thread, memory.

    What ends with `own` is time of the processor that the GUI thread took by then, in which what
    other programs take is not; `turn` is its longest turn.
    """
    app = make_app()
    preferences = Preferences(path.with_suffix(".ini"))
    preferences.motion = "reduced"
    window = make_window(preferences)
    found: dict[str, float] = {}
    stalls: list[float] = []
    turns: list[float] = []
    last = [time.perf_counter(), time.thread_time()]

    def note(name: str) -> None:
        found.setdefault(name, time.perf_counter() - STARTED)
        found.setdefault(f"{name} own", time.thread_time())

    def tick() -> None:
        now, worked = time.perf_counter(), time.thread_time()
        stalls.append(now - last[0] - TICK_MS / 1000)
        turns.append(worked - last[1])
        last[:] = now, worked
        if "list" not in found and window.session is not None:
            view = window.panel("entities")
            if view.rows_shown():
                note("list")

    def shown(_context: object) -> None:
        sky = window.sky()
        sky.painted.connect(lambda: QTimer.singleShot(0, lambda: note("sky")))
        sky.settled.connect(lambda: note("settled"))

    window.graph_shown.connect(shown)
    window.show()
    app.processEvents()
    window.grab()
    note("window")
    window.open_path(path)
    ticker = QTimer(interval=TICK_MS)
    ticker.timeout.connect(tick)
    last[:] = time.perf_counter(), time.thread_time()
    ticker.start()
    end = time.perf_counter() + patience

    def look() -> None:
        last_of_all = max(found.get("sky", 0.0), found.get("settled", 0.0)) + STARTED + AFTER
        there = {"list", "sky", "settled"} <= found.keys()
        if time.perf_counter() > (min(end, last_of_all) if there else end):
            app.quit()

    looks = QTimer(interval=50)
    looks.timeout.connect(look)
    looks.start()
    # Not by `processEvents` in a loop, which takes a core from what is measured.
    app.exec()
    looks.stop()
    ticker.stop()
    found["stall"], found["turn"] = max(stalls, default=0.0), max(turns, default=0.0)
    found["memory"] = _most_memory()
    window.close()
    app.aboutToQuit.emit()
    return found


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(Path(sys.argv[1]), float(sys.argv[2]))) + "\n")
