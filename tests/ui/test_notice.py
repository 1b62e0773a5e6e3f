"""A notice goes by itself, and stays while it is pointed at."""

import pytest
from PySide6.QtCore import QEvent, QPointF
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from ui.theme import Theme
from ui.widgets import toast
from ui.widgets.toast import Toast


@pytest.fixture
def notice(qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch) -> Toast:
    monkeypatch.setattr(toast, "SHOWN_MS", 40)
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(600, 300)
    window.show()
    notice = Toast(theme, window, window, lambda _: None)
    notice.moves = False
    notice.say("Something was done")
    return notice


def test_a_notice_goes_by_itself(qtbot: QtBot, notice: Toast) -> None:
    assert notice.isVisible()
    qtbot.waitUntil(lambda: not notice.isVisible())


def test_a_notice_stays_while_it_is_pointed_at(qtbot: QtBot, notice: Toast) -> None:
    here = QPointF(5, 5)
    QApplication.sendEvent(notice, QEnterEvent(here, here, here))
    qtbot.wait(120)
    assert notice.isVisible()
    QApplication.sendEvent(notice, QEvent(QEvent.Type.Leave))
    qtbot.waitUntil(lambda: not notice.isVisible())
