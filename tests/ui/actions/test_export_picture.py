"""File, Export a picture writes the sky as it is shown, by real choices in the dialog."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from tests.core.graphs import build
from ui.main_window import MainWindow


@pytest.fixture
def window(sky_window: MainWindow) -> MainWindow:
    return sky_window


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    path = tmp_path / "graph.db"
    build(path, lambda graph: graph.entity("Harbor Ledger")).close()
    return path


def test_the_sky_is_exported_as_a_picture_a_drawing_and_a_page(
    qtbot: QtBot, opened: MainWindow, tmp_path: Path
) -> None:
    for kind, ending, begins in (("2 times", ".png", b"\x89PNG"), ("SVG", ".svg", b"<?xml"),
                                 ("PDF", ".pdf", b"%PDF-")):
        opened.actions_.run("file.export_picture")
        dialog = next(each for each in opened.findChildren(QFileDialog) if each.isVisible())
        dialog.selectNameFilter(next(each for each in dialog.nameFilters() if kind in each))
        dialog.fileSelected.emit(str(tmp_path / "sky"))
        dialog.done(0)
        qtbot.waitUntil(
            lambda ending=ending: opened.toast.text == f"Picture written to sky{ending}")
        assert (tmp_path / f"sky{ending}").read_bytes().startswith(begins)
    opened.actions_.run("file.export_picture")
    dialog = next(each for each in opened.findChildren(QFileDialog) if each.isVisible())
    dialog.selectNameFilter(next(each for each in dialog.nameFilters() if "PDF" in each))
    dialog.fileSelected.emit(str(tmp_path / "no" / "sky.pdf"))
    dialog.done(0)
    assert "can't be written" in opened.error_bar.words.text()
