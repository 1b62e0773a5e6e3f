"""While a graph is open, memory that is free goes back to the system by itself."""

import threading

import pytest
from pytestqt.qtbot import QtBot

from ui.main_window import MainWindow


def test_the_clock_gives_memory_back_away_from_the_window(
    qtbot: QtBot, opened: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[threading.Thread] = []

    def give_back() -> bool:
        given.append(threading.current_thread())
        return True

    monkeypatch.setattr("ui.graph_session.give_back", give_back)
    assert opened.session is not None
    opened.session._tidy.timeout.emit()
    qtbot.waitUntil(lambda: bool(given), timeout=30_000)
    assert given[0] is not threading.main_thread()
    qtbot.waitUntil(lambda: opened.session is None or opened.session.runner.idle, timeout=30_000)
