"""Watching a folder in the window: chosen, followed, shown in the status bar, stopped."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.transfer import note_folder_scan
from core.watching.watched_list import watched
from tests.ui.conftest import settle
from ui.dialogs.watched_folders import WatchedFolders
from ui.main_window import MainWindow
from ui.runner import Job

LEFT = Qt.MouseButton.LeftButton


def test_a_folder_is_followed_while_the_graph_is_open_until_it_is_stopped(
    qtbot: QtBot, opened: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(note_folder_scan, "QUIET_NS", -10**18)
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


def test_a_password_in_a_watched_note_is_said(
    qtbot: QtBot, opened: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(note_folder_scan, "QUIET_NS", -10**18)
    said: list[str] = []
    assert opened.session is not None
    monkeypatch.setattr(opened.session.folders, "_context", replace(
        opened.session.context, say=lambda words, entry: said.append(words)))
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "Ferry.md").write_text("Its password is Tr0ub4dor&3\n\nThe passcode: a1b2c3d4\n")
    opened.session.folders.add(vault)
    qtbot.waitUntil(lambda: bool(said))
    assert said == ["Notes: Ferry.md is new. “Ferry”, Ferry.md, line 1: looks like a secret"
                    " (Secret Keyword), and 1 more"]
    settle(qtbot, opened)


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of many notes."""
    monkeypatch.setattr(note_folder_scan, "QUIET_NS", -10**18)
    folder = tmp_path / "vault"
    folder.mkdir()
    for number in range(25):
        (folder / f"Note {number}.md").write_text(f"- fact {number}\n")
    return folder


def test_the_first_look_at_many_notes_is_a_job_with_its_progress(
    qtbot: QtBot, opened: MainWindow, vault: Path
) -> None:
    assert opened.session is not None
    jobs: list[str] = []
    shares: list[float] = []

    def follow(job: Job) -> None:
        if job.label:
            jobs.append(job.label)
            job.progressed.connect(lambda share, _text: shares.append(share))

    opened.session.runner.job_started.connect(follow)
    opened.session.folders.add(vault)
    qtbot.waitUntil(lambda: opened.status.folders.text() == "Watching vault, 1 change today")
    settle(qtbot, opened)
    assert jobs == ["Reading 25 notes of vault"]
    assert shares == sorted(shares)
    assert len(set(shares)) > 25
    assert shares[0] < 0.1 < 0.9 < shares[-1]


def test_whoever_stops_the_first_look_does_not_watch_the_folder(
    qtbot: QtBot, opened: MainWindow, vault: Path
) -> None:
    assert opened.session is not None
    opened.session.runner.job_started.connect(lambda job: job.label and job.cancel())
    opened.session.folders.add(vault)
    qtbot.waitUntil(lambda: opened.toast.text == "Stopped: vault is not watched")
    settle(qtbot, opened)
    assert watched(opened.session.workspace) == []
    assert opened.status.counts.text().startswith("3 entities"), "nothing of it was written"
