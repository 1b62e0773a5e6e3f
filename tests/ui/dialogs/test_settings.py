"""The settings dialog: what is described can be searched, changed, reset, and refused in words."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from core.settings import describe, load
from ui.dialogs.settings import SettingsDialog
from ui.main_window import MainWindow

LEFT = Qt.MouseButton.LeftButton
BRANCHING = ("traversal", "max_branching")


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "settings.toml"
    monkeypatch.setenv("CONSTELLATION_SETTINGS", str(path))
    return path


@pytest.fixture
def dialog(qtbot: QtBot, file: Path, window: MainWindow) -> SettingsDialog:
    window.actions_.run("app.settings")
    found = window.findChildren(SettingsDialog)[-1]
    qtbot.waitUntil(found.isVisible)
    return found


def write(dialog: SettingsDialog, place: tuple[str, str], text: str) -> None:
    field = dialog.rows[place].field
    assert isinstance(field, QLineEdit)
    field.setText(text)


def test_every_described_setting_has_its_row(dialog: SettingsDialog) -> None:
    assert list(dialog.rows) == [(one.section, one.name) for one in describe()]
    assert not [row.name for row in dialog.rows.values() if row.differs]
    dialog.reject()


def test_no_setting_says_the_same_twice(dialog: SettingsDialog) -> None:
    for row in dialog.rows.values():
        said = [each.text().rstrip(".") for each in row.findChildren(QLabel) if each.text()]
        assert len(said) == len(set(said)), said
    dialog.reject()


def test_the_look_comes_first_and_counts_once_it_is_saved(
    qtbot: QtBot, window: MainWindow, dialog: SettingsDialog
) -> None:
    titles = [dialog.groups.item(at).text().strip() for at in range(dialog.groups.count())]
    assert titles[:2] == ["Look", "The walk"]
    theme = dialog.look.fields["theme"]
    assert theme.visibleRegion().boundingRect().isValid()
    wanted = "dusk" if not window._desk.theme.dark else "paper"
    qtbot.keyClicks(theme, "P" if wanted == "paper" else "D")
    assert theme.currentData() == wanted
    assert window._desk.theme.name != wanted
    dialog.search.setText("motion in the sky")
    assert not dialog.look.isHidden()
    dialog.search.setText("branching")
    assert dialog.look.isHidden()
    qtbot.mouseClick(dialog.save, LEFT)
    assert window._desk.preferences.theme == wanted
    assert window._desk.theme.name == wanted


def test_a_changed_value_is_saved_and_used(
    qtbot: QtBot, file: Path, window: MainWindow, dialog: SettingsDialog
) -> None:
    write(dialog, BRANCHING, "7")
    with qtbot.waitSignal(window._desk.engine.changed):
        qtbot.mouseClick(dialog.save, LEFT)
    assert load(file).settings.traversal.max_branching == 7
    assert window._desk.engine.settings.traversal.max_branching == 7
    assert file.read_text(encoding="utf-8").split() == ["[traversal]", "max_branching", "=", "7"]


def test_a_value_that_is_not_allowed_is_said_at_its_row_and_nothing_is_saved(
    qtbot: QtBot, file: Path, dialog: SettingsDialog
) -> None:
    write(dialog, BRANCHING, "40000")
    write(dialog, ("recall", "limit"), "12")
    qtbot.mouseClick(dialog.save, LEFT)
    assert "100" in dialog.rows[BRANCHING].error
    assert not dialog.rows["recall", "limit"].error
    assert not file.exists()
    qtbot.mouseClick(dialog.rows[BRANCHING].reset, LEFT)
    assert not dialog.rows[BRANCHING].differs
    qtbot.mouseClick(dialog.save, LEFT)
    assert load(file).settings.recall.limit == 12


def test_a_search_shows_only_what_it_means(qtbot: QtBot, dialog: SettingsDialog) -> None:
    dialog.search.setText("branching")
    shown = {name for _, name in dialog.rows if not dialog.rows[_, name].isHidden()}
    assert "max_branching" in shown
    assert "limit" not in shown
    dialog.reject()


def test_lines_of_the_file_that_are_not_used_are_told(
    qtbot: QtBot, file: Path, window: MainWindow
) -> None:
    file.write_text("[traversal]\nmax_branching = -3\n", encoding="utf-8")
    window.actions_.run("app.settings")
    found = window.findChildren(SettingsDialog)[-1]
    assert [one.where for one in window._desk.engine.ignored] == ["traversal.max_branching"]
    found.reject()
