"""What can wait does not make a turn of the event loop longer that others have worked long in."""

import time
from functools import partial

from PySide6.QtCore import QCoreApplication, QObject
from pytestqt.qtbot import QtBot

from ui.turns import LONG_S, NextTurn


def _work(done: list[str], name: str) -> None:
    done.append(name)
    end = time.thread_time() + 2 * LONG_S
    while time.thread_time() < end:
        pass


def _waiting(owner: QObject, done: list[str], name: str) -> NextTurn:
    turn = NextTurn(owner)
    turn.timeout.connect(partial(_work, done, name))
    turn.start()
    return turn


def test_of_two_that_work_long_each_has_a_turn_of_its_own(qtbot: QtBot) -> None:
    done: list[str] = []
    owner = QObject()
    waiting = [_waiting(owner, done, name) for name in ("one", "other")]
    QCoreApplication.processEvents()
    assert done == ["one"]
    qtbot.waitUntil(lambda: done == ["one", "other"])
    del waiting


def test_one_that_never_finds_time_has_its_turn_in_the_end(qtbot: QtBot) -> None:
    done: list[str] = []
    owner = QObject()
    busy = _waiting(owner, [], "busy")
    busy.timeout.connect(busy.start)
    last = _waiting(owner, done, "last")
    qtbot.waitUntil(lambda: done == ["last"])
    busy.stop()
    last.stop()


def test_what_is_stopped_does_not_come(qtbot: QtBot) -> None:
    done: list[str] = []
    owner = QObject()
    waiting = _waiting(owner, done, "never")
    waiting.stop()
    QCoreApplication.processEvents()
    QCoreApplication.processEvents()
    assert done == []
