"""Help, Copy a report."""

from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from ui.main_window import MainWindow


def test_a_report_is_copied_that_says_how_the_open_file_is(
    qtbot: QtBot, opened: MainWindow
) -> None:
    opened.actions_.run("app.report")
    qtbot.waitUntil(lambda: opened.toast.text.startswith("Report copied"))
    text = QGuiApplication.clipboard().text()
    assert "No problems in the file" in text
    assert text.startswith("Constellation Explorer")
