"""Another process writes 50 rows a second while a person browses and reviews in the window."""

import os
import random
import subprocess
import sys
import time

import pytest
from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from explorer.demo import build_demo
from explorer.desktop import make_app, make_window
from ui.main_window import MainWindow
from ui.preferences import Preferences

SECONDS = float(os.environ.get("CONSTELLATION_SOAK_SECONDS", "300"))
PAUSE_MS = 200
TICK_MS = 10


def wait(milliseconds: int) -> None:
    """Let the window live."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def until(condition, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        wait(20)


class Person:
    """Browses and reviews at random, and watches that the selection stays."""

    def __init__(self, window: MainWindow, chance: random.Random) -> None:
        self._window, self._chance = window, chance
        self._selection = window.session.context.selection
        with window.session.workspace.read() as reader:
            self._entities = [r["id"] for r in reader.rows(
                "SELECT id FROM entities WHERE agent_id = :agent AND status = 'active'")]
        self.chosen = ""
        self.lost = self.steps = self.verdicts = 0

    def act(self) -> None:
        """One thing that a person does, after looking whether the last choice still stands."""
        self.steps += 1
        if self.chosen and self._selection.entity_id != self.chosen:
            self.lost += 1
        kind = self._chance.random()
        if kind < 0.4:
            self._choose(self._chance.choice(self._entities))
        elif kind < 0.5:
            self._selection.search_for(self._chance.choice(["ledger", "ne", "", "bank"]))
        elif kind < 0.7:
            sky = self._window.sky()
            sky.dive(self.chosen) if self.chosen and kind < 0.6 else sky.fit()
        elif kind < 0.8:
            self._window.show_panel(self._chance.choice(["claim_history", "activity"]))
        else:
            self._judge()

    def _choose(self, id: str) -> None:
        self._selection.select_entity(id)
        self.chosen = id

    def _judge(self) -> None:
        panel = self._window.show_panel("proposals")
        key = self._chance.choice([Qt.Key.Key_Space, Qt.Key.Key_Space, Qt.Key.Key_A,
                                   Qt.Key.Key_Backspace, Qt.Key.Key_J])
        panel.focus()
        focused = self._window.focusWidget()
        if focused is not None:
            QTest.keyClick(focused, key)
            self.verdicts += key in (Qt.Key.Key_A, Qt.Key.Key_Backspace)
        # A verdict may lead on to another entity: that is the review's own doing.
        wait(400)
        self.chosen = self._selection.entity_id


@pytest.mark.soak
@pytest.mark.qt_no_exception_capture
@pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")
def test_a_busy_neighbour_disturbs_nobody(tmp_path, root, monkeypatch):
    monkeypatch.setenv("CONSTELLATION_DATA", str(tmp_path / "data"))
    path = build_demo(tmp_path / "demo.db")
    app = make_app()
    preferences = Preferences(tmp_path / "preferences.ini")
    window = make_window(preferences)
    errors: list[object] = []
    raised: list[object] = []
    monkeypatch.setattr(sys, "excepthook", lambda *what: raised.append(what))
    window.resize(1440, 900)
    window.show()
    window.open_path(path)
    until(lambda: window.session is not None and window.sky() is not None)
    window.session.runner.went_wrong.connect(errors.append)
    until(lambda: window.sky().scene.entities > 0)
    stalls = watch_stalls(window)
    person = Person(window, random.Random(5))
    with subprocess.Popen([sys.executable, "-m", "tests.soak.neighbour", str(path), str(SECONDS)],
                          cwd=root, stdout=subprocess.PIPE, text=True) as neighbour:
        while neighbour.poll() is None:
            person.act()
            wait(PAUSE_MS)
        rows, failures = map(int, neighbour.stdout.read().split())
    until(lambda: window.session.runner.idle)
    window.close()
    window.deleteLater()
    app.processEvents()
    QApplication.sendPostedEvents()
    stalls.sort()
    sys.stderr.write(
        f"\n{SECONDS:g} s: the neighbour wrote {rows} rows and failed {failures} times; "
        f"{person.steps} steps, {person.verdicts} verdicts, {person.lost} lost selections, "
        f"{len(errors)} errors; GUI stalls: median {stalls[len(stalls) // 2] * 1000:.0f} ms, "
        f"99 % {stalls[int(len(stalls) * 0.99)] * 1000:.0f} ms, "
        f"longest {stalls[-1] * 1000:.0f} ms\n")
    assert errors == []
    assert raised == []
    assert failures == 0
    assert person.lost == 0
    assert rows > SECONDS * 25


def watch_stalls(window: MainWindow) -> list[float]:
    """How late a timer of the GUI thread is, each time."""
    late: list[float] = []
    last = [time.perf_counter()]

    def tick() -> None:
        now = time.perf_counter()
        late.append(max(0.0, now - last[0] - TICK_MS / 1000))
        last[0] = now

    timer = QTimer(window, interval=TICK_MS)
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(tick)
    timer.start()
    return late
