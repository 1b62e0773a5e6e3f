"""A person puts a backup back by clicks, takes that back, and rescues a damaged graph."""

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from core.ontology.control import apply
from core.store.backup import back_up, copy_file
from tests.ui.browse_scene import entities_of, names_in, settled, write_scene
from ui.dialogs.restore import RestoreDialog
from ui.main_window import MainWindow

LEFT = Qt.MouseButton.LeftButton


def dialog_of(qtbot: QtBot, window: MainWindow) -> RestoreDialog:
    def shown() -> list[RestoreDialog]:
        return [one for one in window.findChildren(RestoreDialog) if one.isVisible()]

    qtbot.waitUntil(lambda: bool(shown()))
    return shown()[0]


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    return write_scene(tmp_path / "graph.db")


@pytest.fixture
def backed_up(opened: MainWindow, qtbot: QtBot) -> Path:
    """A backup of the graph that is shown, from which an entity has been taken since."""
    assert opened.session is not None
    workspace = opened.session.workspace
    backup = back_up(workspace.path, workspace.backup_folder)
    settled(qtbot, opened)
    workspace.write("archive", lambda w: apply(
        w, "archive_entity", {"entity": "NAS"}, force=True))
    listed = entities_of(opened).list
    qtbot.waitUntil(lambda: "NAS" not in names_in(listed))
    return backup


def test_a_backup_is_restored_by_click_and_taken_back_from_the_toast(
    opened: MainWindow, backed_up: Path, qtbot: QtBot
) -> None:
    listed = entities_of(opened).list
    opened.actions_.run("file.restore")
    dialog = dialog_of(qtbot, opened)
    assert dialog.list.topLevelItem(0).text(5) == "+1 entity, +1 memory"
    qtbot.mouseClick(dialog.restore_button, LEFT)
    qtbot.waitUntil(lambda: "NAS" in names_in(listed))
    qtbot.waitUntil(lambda: opened.toast.text.startswith("Restored the backup of "))
    qtbot.mouseClick(opened.toast.undo_button, LEFT)
    qtbot.waitUntil(lambda: "NAS" not in names_in(listed))
    qtbot.waitUntil(lambda: opened.toast.text.startswith("Undone: Restore the backup of "))
    for again, there in (("edit.redo", True), ("edit.undo", False)):
        settled(qtbot, opened)
        opened.actions_.run(again)
        qtbot.waitUntil(lambda there=there: ("NAS" in names_in(listed)) is there)


def _save(window: MainWindow, path: Path | None = None) -> Path:
    """Back up by the menu, under the name that is offered unless another is given."""
    window.actions_.run("file.backup")
    dialog = next(one for one in window.findChildren(QFileDialog) if one.isVisible())
    chosen = path or Path(dialog.selectedFiles()[0])
    dialog.fileSelected.emit(str(chosen))
    dialog.done(0)
    return chosen


def test_a_backup_by_the_menu_is_in_the_list_and_one_elsewhere_is_not(
    opened: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    settled(qtbot, opened)
    made = _save(opened)
    qtbot.waitUntil(lambda: opened.toast.text.startswith(f"Backed up to {made.name}"))
    elsewhere = _save(opened, tmp_path / "mine.db")
    qtbot.waitUntil(lambda: opened.toast.text == "Backed up to mine.db")
    assert elsewhere.is_file()
    opened.actions_.run("file.restore")
    dialog = dialog_of(qtbot, opened)
    assert dialog.list.topLevelItemCount() == 1
    assert dialog.list.topLevelItem(0).text(5) == "as many of each"
    dialog.reject()
    _save(opened, elsewhere)
    qtbot.waitUntil(lambda: opened.error_bar.isVisible())


def test_a_graph_without_backups_says_so(opened: MainWindow, qtbot: QtBot) -> None:
    opened.actions_.run("file.restore")
    qtbot.waitUntil(lambda: opened.toast.text.startswith("No backups of this graph yet"))


def test_a_graph_that_cannot_be_opened_is_restored(
    opened: MainWindow, backed_up: Path, qtbot: QtBot
) -> None:
    path = opened.session.workspace.path
    opened.close_graph()
    path.write_bytes(b"\x00" * 4000)
    with qtbot.waitSignal(opened.open_failed):
        opened.open_path(path)
    opened.actions_.run("file.restore")
    qtbot.mouseClick(dialog_of(qtbot, opened).restore_button, LEFT)
    qtbot.waitUntil(lambda: opened.session is not None)
    qtbot.waitUntil(lambda: "NAS" in names_in(entities_of(opened).list))


def test_a_file_that_is_replaced_from_outside_is_shown_and_said(
    opened: MainWindow, backed_up: Path, qtbot: QtBot
) -> None:
    path = opened.session.workspace.path
    copy = path.with_name("copied.db")
    copy_file(backed_up, copy)
    shutil.move(copy, path)
    listed = entities_of(opened).list
    qtbot.waitUntil(lambda: "NAS" in names_in(listed))
    qtbot.waitUntil(lambda: "was replaced by another program" in opened.toast.text)
