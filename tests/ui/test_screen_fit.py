"""The window and its dialogs fit the screen, also a small one and one that shrank since."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel
from pytestqt.qtbot import QtBot

from tests.ui.conftest import settle
from ui import screen_fit
from ui.dialogs.allow_file_changes import PermissionDialog
from ui.main_window import MainWindow
from ui.runner import Job

TITLE_BAR = 30
SMALL = QSize(800, 500)
ACTIONS_WITH_DIALOGS = ("app.settings", "app.keys", "app.about", "entities.new")


def shown_on(tmp_path: Path, graph: Path, width: int, height: int, scale: int = 1) -> dict:
    """Start the window on a screen of this size; the same preferences each time."""
    config = tmp_path / f"screen-{width}.json"
    config.write_text(json.dumps({"screens": [
        {"name": "one", "x": 0, "y": 0, "width": width, "height": height, "dpr": 1}]}))
    env = os.environ | {"QT_QPA_PLATFORM": f"offscreen:configfile={config}",
                        "QT_SCALE_FACTOR": str(scale)}
    ran = subprocess.run(
        [sys.executable, "-m", "tests.ui.screen_script", str(graph), str(tmp_path / "w.ini")],
        env=env, capture_output=True, text=True, timeout=120,
        cwd=Path(__file__).parents[2], check=False)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout.splitlines()[-1])


def assert_inside(shown: dict, width: int, height: int) -> None:
    assert shown["area"][2:] == [width, height], "the screen is not the one meant"
    _x, _y, got_width, got_height = shown["window"]
    assert got_width <= width
    assert got_height + TITLE_BAR <= height
    assert QRect(*shown["area"]).contains(QRect(*shown["window"]))


@pytest.mark.parametrize(("width", "height", "scale"),
                         [(1280, 800, 1), (1440, 900, 1), (1600, 1000, 2)])
def test_the_first_window_fits_the_screen(
    tmp_path: Path, graph: Path, width: int, height: int, scale: int
) -> None:
    shown = shown_on(tmp_path, graph, width, height, scale)
    assert_inside(shown, width // scale, height // scale)


def test_a_window_left_on_a_larger_screen_fits_the_smaller_one(
    tmp_path: Path, graph: Path
) -> None:
    assert shown_on(tmp_path, graph, 1920, 1080)["window"][2:] == [1440, 900]
    assert_inside(shown_on(tmp_path, graph, 1280, 800), 1280, 800)


def test_the_whole_window_fits_800_by_500(qtbot: QtBot, opened: MainWindow) -> None:
    job = Job("Computing positions for 12,345 entities and memories of this graph", opened)
    opened.status.jobs.add(job)
    for name in opened.docks.names:
        opened.show_panel(name)
        settle(qtbot, opened)
        opened.resize(SMALL)
        QTest.qWait(1)
        assert opened.size() == SMALL, f"{name} asks for {opened.minimumSizeHint()}"


def test_a_small_window_leaves_room_to_the_sky_and_what_is_selected_is_read_beside_it(
    qtbot: QtBot, opened: MainWindow
) -> None:
    entities, inspector = opened.panel("entities"), opened.panel("inspector")
    opened.show_panel("proposals")
    opened.resize(1280, 800)
    settle(qtbot, opened)
    QTest.qWait(1)
    places = {name: opened.panel(name).geometry()
              for name in ("entities", "inspector", "pins", "proposals")}
    opened.resize(SMALL)
    settle(qtbot, opened)
    QTest.qWait(1)
    QTest.keyClick(entities.list, Qt.Key.Key_Home)
    QTest.keyClick(entities.list, Qt.Key.Key_Return)
    settle(qtbot, opened)
    assert opened.centralWidget().width() >= 0.38 * SMALL.width()
    assert opened.centralWidget().width() > inspector.width() >= 240
    assert inspector.top.isVisible()
    assert inspector.view.viewport().height() >= 4 * 24
    assert entities.list.viewport().height() >= 3 * entities.list.rowHeight(0)
    for _ in range(2):
        for size in (QSize(1280, 800), SMALL, QSize(1280, 800)):
            opened.resize(size)
            settle(qtbot, opened)
            QTest.qWait(1)
    assert {name: opened.panel(name).geometry() for name in places} == places


@pytest.mark.parametrize("action", ACTIONS_WITH_DIALOGS)
def test_every_dialog_fits_a_screen_of_800_by_500(
    qtbot: QtBot, opened: MainWindow, monkeypatch: pytest.MonkeyPatch, action: str
) -> None:
    area = QRect(0, 0, 800, 500)
    monkeypatch.setattr(screen_fit, "free_area", lambda _widget: area)
    monkeypatch.setattr("ui.widgets.dialogs.free_area", lambda _widget: area)
    opened.actions_.action(action).trigger()
    qtbot.waitUntil(lambda: bool(_dialogs(opened)))
    dialog = _dialogs(opened)[0]
    QApplication.processEvents()
    assert dialog.width() <= 800
    assert dialog.height() + TITLE_BAR <= 500
    dialog.close()


def test_the_question_for_permission_shows_all_of_its_text(
    qtbot: QtBot, opened: MainWindow
) -> None:
    assert opened.session is not None
    dialog = PermissionDialog(opened.session.workspace, lambda: None, opened)
    dialog.open()
    QApplication.processEvents()
    for text in dialog.findChildren(QLabel):
        assert text.height() >= text.heightForWidth(text.width()), text.text()
        assert text.width() >= min(text.sizeHint().width(), dialog.width() - 44), text.text()
    dialog.close()


def _dialogs(window: MainWindow) -> list[QDialog]:
    return [each for each in window.findChildren(QDialog)
            if each.isVisible() and each is not window.palette_]


def test_a_small_window_with_a_strip_still_lists_three_entities(
    qtbot: QtBot, opened: MainWindow
) -> None:
    opened.resize(SMALL)
    opened.banner.show()
    rows = opened.panel("entities").list
    qtbot.waitUntil(lambda: rows.viewport().height() >= 3 * rows.sizeHintForRow(0))
    opened.banner.hide()
    qtbot.waitUntil(lambda: rows.viewport().height() >= 3 * rows.sizeHintForRow(0))
    assert opened.size() == SMALL
