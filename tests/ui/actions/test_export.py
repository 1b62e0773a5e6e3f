"""File, Export writes the graph or the selected entity, and says what the format can't hold."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from core.transfer.export_file import EXPORT_FORMATS
from tests.core.graphs import build
from tests.ui.conftest import settle
from tests.ui.review_scene import texts_in
from ui.dialogs.export_formats import ExportFormatDialog
from ui.dialogs.export_graph import export
from ui.dialogs.import_dialogs import ReportDialog
from ui.main_window import MainWindow
from ui.memory_import import Importer
from ui.widgets.dialogs import TextDialog

TOKEN = "ghp_" + "a1B2" * 9


def two(graph) -> None:
    """A pinned entity with a value, and another one."""
    aspect = graph.aspect(graph.entity("Harbor Ledger", pinned=1), "schedule")
    graph.value(aspect, "Starts at two", "start")
    graph.entity("Grafana", "tool")


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    path = tmp_path / "graph.db"
    build(path, two).close()
    return path


def chosen(window: MainWindow, action: str, kind: str, path: Path) -> None:
    """Start the action, choose a format and a name in its dialogs, and press Save."""
    formats = asked(window, action)
    (item,) = formats.formats.findItems(kind, Qt.MatchFlag.MatchStartsWith)
    formats.formats.setCurrentItem(item)
    QTest.mouseClick(formats.go_on, Qt.MouseButton.LeftButton)
    dialog = next(each for each in window.findChildren(QFileDialog) if each.isVisible())
    dialog.fileSelected.emit(str(path))
    dialog.done(0)


def asked(window: MainWindow, action: str) -> ExportFormatDialog:
    window.actions_.run(action)
    return next(each for each in window.findChildren(ExportFormatDialog) if each.isVisible())


def test_the_graph_is_exported_from_the_file_menu(
    qtbot: QtBot, opened: MainWindow, tmp_path: Path
) -> None:
    chosen(opened, "file.export", "Obsidian", tmp_path / "notes")
    qtbot.waitUntil(lambda: opened.toast.text.startswith("Exported to notes"))
    assert {path.name for path in (tmp_path / "notes").iterdir()} == {
        "Harbor Ledger.md", "Grafana.md"}
    chosen(opened, "file.export", "MCP", tmp_path / "all")
    qtbot.waitUntil(lambda: opened.toast.text == (
        "Exported to all.jsonl · not in this format: 1 pin"))
    assert len((tmp_path / "all.jsonl").read_text().splitlines()) == 2


def test_one_entity_is_exported_and_a_bundle_is_not_offered_for_it(
    qtbot: QtBot, opened: MainWindow, tmp_path: Path
) -> None:
    assert not opened.actions_.action("file.export_entity").isEnabled()
    with opened.session.workspace.read() as reader:
        id = reader.value("SELECT id FROM entities WHERE name = 'Grafana'")
    opened.session.selection.select_entity(id)
    settle(qtbot, opened)
    dialog = asked(opened, "file.export_entity")
    assert not dialog.formats.findItems("Bundle", Qt.MatchFlag.MatchStartsWith)
    dialog.reject()
    chosen(opened, "file.export_entity", "MCP", tmp_path / "one")
    qtbot.waitUntil(lambda: opened.toast.text == "Exported to one.jsonl")
    (line,) = (tmp_path / "one.jsonl").read_text().splitlines()
    assert json.loads(line)["name"] == "Grafana"


def test_a_file_that_is_there_is_kept_and_the_window_says_so(
    qtbot: QtBot, opened: MainWindow, tmp_path: Path
) -> None:
    (tmp_path / "mine.graphml").write_text("mine")
    export(opened.session.context, EXPORT_FORMATS["graphml"], tmp_path / "mine.graphml")
    qtbot.waitUntil(opened.error_bar.isVisible)
    assert "exists already" in texts_in(opened.error_bar)
    assert (tmp_path / "mine.graphml").read_text() == "mine"


def test_a_bundle_is_imported_in_the_window_without_a_report_where_all_was_taken(
    qtbot: QtBot, opened: MainWindow, tmp_path: Path
) -> None:
    chosen(opened, "file.export", "Bundle", tmp_path / "all")
    bundle = tmp_path / "all.bundle.jsonl"
    qtbot.waitUntil(bundle.exists)
    with qtbot.waitSignal(opened.graph_shown):
        opened.open_path(tmp_path / "new.db", create=True)
    settle(qtbot, opened)
    assert opened.session is not None
    importer = opened.findChild(Importer)
    assert isinstance(importer, Importer)
    importer.carry_out(opened.session.context, bundle)
    qtbot.waitUntil(lambda: opened.toast.text == "Imported 2 entities, 1 value and 0 links")
    assert not [each for each in opened.findChildren(ReportDialog) if each.isVisible()]


def test_what_may_be_a_key_is_named_by_its_entity_and_not_shown(
    qtbot: QtBot, opened: MainWindow, tmp_path: Path
) -> None:
    assert opened.session is not None
    opened.session.workspace.write("Describe", lambda writer: writer.connection.execute(
        "UPDATE main.entities SET description = ? WHERE name = 'Harbor Ledger'",
        (f"Pushed with {TOKEN}",)))
    chosen(opened, "file.export", "CSV", tmp_path / "tables")
    qtbot.waitUntil(lambda: any(each.isVisible() for each in opened.findChildren(TextDialog)))
    dialog = next(each for each in opened.findChildren(TextDialog) if each.isVisible())
    assert dialog.text.toPlainText() == (
        "“Harbor Ledger”: looks like a secret (GitHub Token)")
    assert "1 text in it may be a key or a password" in texts_in(dialog)
    dialog.accept()
