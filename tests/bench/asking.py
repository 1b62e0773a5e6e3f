"""What the agent sees and Recall, asked key by key in the real window: prints JSON.

Run as `python -m tests.bench.asking FILE` with CONSTELLATION_DATA set to where its sidecar lies.
"""

import json
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtTest import QTest

from tests.bench.opened_window import open_window
from ui.panel import Panel
from ui.panels.agent_view.panel import AgentView
from ui.panels.recall.panel import RecallPanel

QUESTIONS = ("harbor ledger night batch", "why does the bank export fail", "copper meadow")
PANELS = ("agent_view", "recall")
Wait = Callable[[Callable[[], bool], float], None]
PATIENCE, BETWEEN = 120.0, 0.06
"""Seconds for the sky to settle, and between two keys."""


def measure(path: Path) -> dict[str, list[float]]:
    """Milliseconds from each key to its answer on the screen, by panel."""
    app, window, settled = open_window(path)
    ticker = QTimer(interval=2)
    ticker.start()

    def wait(until: Callable[[], bool], seconds: float) -> None:
        end = time.perf_counter() + seconds
        while time.perf_counter() < end and not until():
            app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)

    wait(lambda: bool(settled), PATIENCE)
    found = {name: _typed(window.show_panel(name), wait) for name in PANELS}
    window.close()
    app.aboutToQuit.emit()
    return found


def _typed(panel: Panel, wait: Wait) -> list[float]:
    """Milliseconds of each key, after the panel has come to rest."""
    assert isinstance(panel, AgentView | RecallPanel)
    field, taken = panel.ask.question, list[float]()

    def shown() -> object:
        return panel.sight if isinstance(panel, AgentView) else panel.found

    def idle() -> bool:
        return panel.context.runner.idle

    wait(lambda: False, 0.5)
    wait(idle, PATIENCE)
    for question in QUESTIONS:
        field.clear()
        wait(lambda: False, 0.3)
        wait(idle, PATIENCE)
        for key in question:
            before, began = shown(), time.perf_counter()
            QTest.keyClicks(field, key)
            wait(partial(_is_other, shown, before), 5.0)
            taken.append((time.perf_counter() - began) * 1000)
            wait(lambda: False, BETWEEN)
    return taken


def _is_other(shown: Callable[[], object], before: object) -> bool:
    return shown() is not before


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(Path(sys.argv[1]))) + "\n")
