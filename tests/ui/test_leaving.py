"""Opening, failing, dropping and closing never lose what the person had or was doing."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from pytestqt.qtbot import QtBot

from tests.ui.conftest import settle
from ui import run_import
from ui.dialogs.close_during_import import CloseDuringImport
from ui.dialogs.import_dialogs import ImportDialog
from ui.main_window import MainWindow
from ui.preferences import Preferences
from ui.runner import Job

LEFT = Qt.MouseButton.LeftButton
MEMORY = {"type": "entity", "name": "Nightly job", "entityType": "system",
          "observations": ["at 02:00"]}


def drop(window: MainWindow, *urls: QUrl) -> None:
    data = QMimeData()
    data.setUrls(list(urls))
    window.dropEvent(QDropEvent(QPointF(50, 50), Qt.DropAction.CopyAction, data, LEFT,
                                Qt.KeyboardModifier.NoModifier))


def entities(window: MainWindow) -> str:
    return window.status.counts.text().split(" · ")[0]


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """An import waits, before it writes, until this is set; Stop ends the wait."""
    opened, import_now = Event(), run_import._import

    def wait(*given: object) -> object:
        job = given[-1]
        assert isinstance(job, Job)
        while not opened.wait(0.01):
            job.check()
        return import_now(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(run_import, "_import", wait)
    yield opened
    opened.set()


@pytest.fixture
def running(qtbot: QtBot, opened: MainWindow, gate: Event, tmp_path: Path) -> MainWindow:
    """The window while an import runs."""
    memory = tmp_path / "memory.jsonl"
    memory.write_text(json.dumps(MEMORY) + "\n", encoding="utf-8")
    opened.open_path(memory)
    dialog = next(each for each in opened.findChildren(ImportDialog) if each.isVisible())
    qtbot.mouseClick(dialog.here_button, LEFT)
    qtbot.waitUntil(opened.status.jobs.isVisible)
    return opened


def question(window: MainWindow) -> CloseDuringImport:
    return next(each for each in window.findChildren(CloseDuringImport) if each.isVisible())


@pytest.mark.parametrize("make", [
    lambda path: None, lambda path: path.mkdir(), lambda path: path.write_text("hello")])
def test_a_failed_open_leaves_the_graph_you_had(
    qtbot: QtBot, opened: MainWindow, tmp_path: Path, make: object
) -> None:
    session, path = opened.session, tmp_path / "thing.db"
    make(path)  # type: ignore[operator]
    with qtbot.waitSignal(opened.open_failed):
        opened.open_path(path)
    assert opened.session is session
    assert opened.central.currentWidget() is opened.sky()
    assert opened.windowTitle().startswith("graph.db")
    assert opened.error_bar.isVisible()
    assert str(path) in opened.error_bar.words.text()


def test_a_file_that_is_gone_leaves_the_recent_ones_with_words_for_a_window(
    qtbot: QtBot, opened: MainWindow, preferences: Preferences, graph: Path, tmp_path: Path
) -> None:
    gone = Path(shutil.copy(graph, tmp_path / "gone.db"))
    preferences.add_recent(gone)
    gone.unlink()
    menu = opened.menus.menu("File/Open recent")
    menu.aboutToShow.emit()
    with qtbot.waitSignal(opened.open_failed):
        menu.actions()[0].trigger()
    assert gone not in preferences.recent
    assert "File › Open" in opened.error_bar.words.text()
    assert "constellation new" not in opened.error_bar.words.text()


@pytest.mark.parametrize("leave", ["close", "close_graph", "open_demo"])
def test_a_running_import_is_asked_about_before_its_graph_is_left(
    qtbot: QtBot, running: MainWindow, gate: Event, leave: str
) -> None:
    session = running.session
    getattr(running, leave)()
    qtbot.mouseClick(question(running).stay_button, LEFT)
    assert running.isVisible()
    assert running.session is session
    gate.set()
    qtbot.waitUntil(lambda: entities(running) == "4 entities")
    settle(qtbot, running)


def test_an_import_that_ends_while_it_is_asked_about_is_kept_and_the_wish_follows(
    qtbot: QtBot, running: MainWindow, gate: Event, graph: Path
) -> None:
    running.close_graph()
    assert question(running).isVisible()
    gate.set()
    qtbot.waitUntil(lambda: running.session is None)
    with qtbot.waitSignal(running.graph_shown):
        running.open_path(graph)
    settle(qtbot, running)
    assert entities(running) == "4 entities"


def test_stopping_an_import_and_leaving_changes_nothing(
    qtbot: QtBot, running: MainWindow, graph: Path
) -> None:
    running.close_graph()
    qtbot.mouseClick(question(running).stop_button, LEFT)
    assert running.session is None
    with qtbot.waitSignal(running.graph_shown):
        running.open_path(graph)
    settle(qtbot, running)
    assert entities(running) == "3 entities"


def test_stop_says_what_became_of_the_import(qtbot: QtBot, running: MainWindow) -> None:
    qtbot.mouseClick(running.status.jobs.stop, LEFT)
    qtbot.waitUntil(
        lambda: running.toast.text == "Stopped, nothing was changed: Importing memory.jsonl")
    assert entities(running) == "3 entities"


def test_a_second_import_waits_for_the_first(
    qtbot: QtBot, running: MainWindow, tmp_path: Path
) -> None:
    running.import_file(tmp_path / "memory.jsonl")
    assert "isn't finished" in running.toast.text
    assert not [each for each in running.findChildren(ImportDialog) if each.isVisible()]
    qtbot.mouseClick(running.status.jobs.stop, LEFT)


def test_what_cannot_be_opened_when_dropped_is_answered_in_words(
    qtbot: QtBot, opened: MainWindow, graph: Path, tmp_path: Path
) -> None:
    words = opened.error_bar.words
    drop(opened, QUrl.fromLocalFile(str(graph)), QUrl.fromLocalFile(str(tmp_path / "b.db")))
    assert "2 files were dropped" in words.text()
    drop(opened, QUrl("https://example.org/memory.jsonl"))
    assert "Only a file on this computer" in words.text()
    with qtbot.waitSignal(opened.open_failed):
        drop(opened, QUrl.fromLocalFile(str(tmp_path)))
    assert "This is a folder" in words.text()
    assert opened.session is not None
    memory = tmp_path / "memory.jsonl"
    memory.write_text('{"type": "entity", "name": "A", "entityType": "b", "observations": []}\n')
    drop(opened, QUrl.fromLocalFile(str(memory)))
    assert not opened.error_bar.isVisible(), "another choice, and the error is no news any more"
    next(each for each in opened.findChildren(ImportDialog) if each.isVisible()).reject()
