"""What the composition root adds to the window: files from the system, unexpected errors."""

from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from core.errors import OpenError
from core.projection.worker import Worker
from core.workspace import Workspace
from explorer.desktop import App, ExceptionHook, _load_sky
from tests.ui.conftest import settle
from ui.main_window import MainWindow


def test_a_file_that_the_system_hands_over_opens(
    qtbot: QtBot, qapp: QApplication, window: MainWindow, graph: Path
) -> None:
    assert isinstance(qapp, App)
    qapp.file_asked.connect(window.open_path)
    with qtbot.waitSignal(window.graph_shown):
        QApplication.sendEvent(qapp, QFileOpenEvent(QUrl.fromLocalFile(str(graph))))
    settle(qtbot, window)
    qapp.file_asked.disconnect(window.open_path)


@pytest.mark.parametrize("seen", [False, True])
def test_what_computes_places_starts_with_a_file_that_has_none(
    tmp_path: Path, graph: Path, *, seen: bool
) -> None:
    begun: list[str] = []

    class Full(Worker):
        def prewarm(self, points: int | None = None) -> None:
            begun.append("prewarm")
            raise OSError(12, "Cannot allocate memory")

    with closing(Workspace.open(graph, data_dir=tmp_path)) as workspace:
        if seen:
            workspace.sidecar.save_positions(["a"], [(1.0, 2.0)])
        _load_sky(Full(), workspace)  # The file is opened all the same.
    assert begun == ([] if seen else ["prewarm"])


def test_an_unexpected_error_is_said_and_logged(
    window: MainWindow, caplog: pytest.LogCaptureFixture
) -> None:
    ExceptionHook(window)(ValueError, ValueError("out of <b>range</b>"), None)
    assert window.error_bar.isVisible()
    assert "range" not in window.error_bar.words.text()
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    caplog.clear()


def test_an_error_in_words_is_said_whole(window: MainWindow) -> None:
    window.show_error(OpenError("locked", "The file is locked", where="a.db", do="Wait"))
    assert window.error_bar.words.text() == "The file is locked (a.db). Wait"


def test_the_details_of_an_error_have_the_banner_s_width(window: MainWindow) -> None:
    window.show_error(OpenError("locked", "The file is locked", where="a.db",
                                do="Wait", detail="database is locked"))
    bar = window.error_bar
    toggle = next(button for button in bar.findChildren(QPushButton)
                  if button.text() == "Technical details")
    QTest.mouseClick(toggle, Qt.MouseButton.LeftButton)
    text = bar.findChild(QPlainTextEdit)
    assert text.isVisible()
    assert text.width() > 0.9 * bar.width()
    assert text.mapTo(bar, text.rect().topLeft()).y() > bar.words.geometry().bottom()
