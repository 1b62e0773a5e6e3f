"""Watching a folder in the window: chosen, followed, shown in the status bar, stopped."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.transfer import note_files
from core.watching.folder_watch import watched
from tests.ui.conftest import settle
from ui.dialogs.watched_folders import WatchedFolders
from ui.main_window import MainWindow

LEFT = Qt.MouseButton.LeftButton


def test_a_folder_is_followed_while_the_graph_is_open_until_it_is_stopped(
    qtbot: QtBot, opened: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(note_files, "QUIET_NS", -10**18)
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "Ferry.md").write_text("- is white\n")
    opened.actions_.run("file.watch")
    [dialog] = opened.findChildren(WatchedFolders)
    qtbot.waitUntil(dialog.isVisible)
    session, button = opened.session, opened.status.folders
    assert session is not None
    assert not button.isVisible()
    dialog._watches.add(vault)
    qtbot.waitUntil(lambda: button.text() == "Watching vault, 1 change today")
    with session.workspace.read() as reader:
        assert reader.value("SELECT COUNT(*) FROM entities e WHERE e.name = 'Ferry'") == 1
    (vault / "Ferry.md").write_text("- is white\n- is fast\n")
    qtbot.waitUntil(lambda: (session.folders.look(), "2 changes" in button.text())[1])
    vault.rename(tmp_path / "away")
    qtbot.waitUntil(lambda: (session.folders.look(), button.text() == "vault is away")[1])
    (tmp_path / "away").rename(vault)
    QTest.mouseClick(dialog.stops[str(vault)], LEFT)
    qtbot.waitUntil(lambda: not button.isVisible())
    assert watched(session.workspace) == []
    settle(qtbot, opened)
