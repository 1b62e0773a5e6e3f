"""Before an import a person sees what the file is, what it would bring, and what is wrong."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from pytestqt.qtbot import QtBot

from core.constellation.type_numbers import type_numbers
from tests.core.graphs import Graph, build
from tests.ui.conftest import settle
from ui.dialogs.import_dialogs import ImportDialog
from ui.main_window import MainWindow
from ui.theme import load_theme

TOKEN = "ghp_" + "a1B2" * 9


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    path = tmp_path / "graph.db"
    build(path, lambda graph: graph.entity("Vega")).close()
    return path


def drop(window: MainWindow, path: Path) -> None:
    """Let go of a file or folder over the window."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    window.dropEvent(QDropEvent(QPointF(50, 50), Qt.DropAction.CopyAction, data,
                                Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier))


def shown(window: MainWindow) -> ImportDialog:
    return next(each for each in window.findChildren(ImportDialog) if each.isVisible())


def test_a_dropped_folder_is_looked_at_imported_and_undone(
    qtbot: QtBot, opened: MainWindow, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "Vega.md").write_text(f"- [hull] Red\n- [key] {TOKEN}\n- sails to [[Deneb]]\n")
    (notes / "Odd.md").write_text("---\na: [\n---\n")
    drop(opened, notes)
    dialog = shown(opened)
    qtbot.waitUntil(lambda: "would be new" in dialog.preview.text())
    assert dialog.preview.text() == (
        "Folder of notes (Obsidian, basic-memory) with 2 entities, 2 values and 1 link: "
        "all would be new")
    details = dialog.details.toPlainText()
    left_out, taken, to_look_at = details.split("\n\n")
    assert taken.startswith("Taken, but otherwise than it is written:\n  ")
    assert left_out.startswith("Left out:\n  Odd.md, line 1: its front matter is no YAML")
    assert to_look_at.startswith("To look at:\n  ")
    assert "“Vega”, Vega.md, line 2: looks like a secret (GitHub Token)" in to_look_at
    assert TOKEN not in details
    assert opened.status.counts.text().startswith("1 entity"), "nothing is written yet"
    assert dialog.sky is not None
    assert dialog.sky.isVisible()
    assert dialog.sky.scene.entities == 3
    qtbot.mouseClick(dialog.here_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: opened.status.counts.text().startswith("3 entities"))
    settle(qtbot, opened)
    opened.actions_.run("edit.undo")
    qtbot.waitUntil(lambda: opened.status.counts.text().startswith("1 entity"))


def test_one_dropped_note_is_called_a_note(
    qtbot: QtBot, opened: MainWindow, tmp_path: Path
) -> None:
    note = tmp_path / "Deneb.md"
    note.write_text("- [hull] Blue\n")
    drop(opened, note)
    dialog = shown(opened)
    qtbot.waitUntil(lambda: "would be new" in dialog.preview.text())
    assert dialog.preview.text().startswith("Note in Markdown with 1 entity")


@pytest.mark.parametrize(("name", "text", "told"), [
    ("bad.graphml", '<?xml version="1.0"?><!DOCTYPE x><graphml></graphml>',
     "declares a document type"),
    ("dump.cypher", 'CREATE (a:Person {name: "Ann"});\n',
     "it looks like a dump of Neo4j (Cypher)"),
])
def test_what_can_t_be_imported_is_told_before_anything_is_asked(
    qtbot: QtBot, opened: MainWindow, tmp_path: Path, name: str, text: str, told: str
) -> None:
    other = tmp_path / name
    other.write_text(text)
    drop(opened, other)
    dialog = shown(opened)
    qtbot.waitUntil(lambda: told in dialog.preview.text())
    assert not dialog.here_button.isEnabled()
    assert not dialog.here_button.isVisible()
    assert not dialog.agents.isVisible(), "nothing is asked of what can't be imported"
    assert dialog.cancel_button.text() == "Close"
    qtbot.mouseClick(dialog.cancel_button, Qt.MouseButton.LeftButton)
    settle(qtbot, opened)
    assert opened.toast.text == ""


def test_a_person_chooses_for_which_agent_the_things_come_in(
    qtbot: QtBot, opened: MainWindow, tmp_path: Path
) -> None:
    assert opened.session is not None
    workspace = opened.session.workspace
    workspace.write("Other", lambda writer: Graph(writer).entity("Deneb"), agent="scout")
    memory = tmp_path / "memory.json"
    memory.write_text('[{"type":"entity","name":"Vega","observations":["bright"]}]')
    drop(opened, memory)
    dialog = shown(opened)
    qtbot.waitUntil(lambda: "0 entities, 1 value and 0 links would be new" in dialog.preview.text())
    assert dialog.agents.currentText() == "default"
    qtbot.waitUntil(lambda: dialog.agents.findText("scout") >= 0)
    dialog.agents.setFocus()
    dialog.agents.lineEdit().selectAll()
    qtbot.keyClicks(dialog.agents, "scout")
    qtbot.keyClick(dialog.agents, Qt.Key.Key_Tab)
    qtbot.waitUntil(lambda: "all would be new" in dialog.preview.text())
    qtbot.mouseClick(dialog.here_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: opened.status.counts.text().startswith("2 entities"))
    settle(qtbot, opened)
    assert workspace.agent == "scout", "whose things came in is shown"
    opened.actions_.run("edit.undo")
    qtbot.waitUntil(lambda: opened.status.counts.text().startswith("1 entity"))


def test_an_import_into_a_new_graph_is_for_the_agent_that_was_chosen(
    qtbot: QtBot, opened: MainWindow, tmp_path: Path
) -> None:
    memory = tmp_path / "memory.json"
    memory.write_text('[{"type":"entity","name":"Vega","observations":["bright"]}]')
    with qtbot.waitSignal(opened.graph_shown):
        opened.choice.importer.into_new(opened._desk, memory, tmp_path / "new.db", "scout")
    qtbot.waitUntil(lambda: opened.status.counts.text().startswith("1 entity"))
    settle(qtbot, opened)
    assert opened.session is not None
    assert opened.session.workspace.agent == "scout"


def test_the_types_of_a_file_have_the_colours_and_signs_that_they_will_have(
    qtbot: QtBot, opened: MainWindow, tmp_path: Path
) -> None:
    kinds = ["kite", "sail", "oar"]
    memory = tmp_path / "memory.jsonl"
    memory.write_text("".join(json.dumps(
        {"type": "entity", "name": f"{kind} {at}", "entityType": kind, "observations": []}) + "\n"
        for size, kind in enumerate(kinds, 1) for at in range(size)))
    drop(opened, memory)
    dialog = shown(opened)
    qtbot.waitUntil(lambda: dialog.sky is not None)
    assert dialog.sky is not None
    looks = {kind: (dialog.sky._theme.type_number(kind), dialog.sky._theme.type_color(kind))
             for kind in kinds}
    assert None not in [number for number, _ in looks.values()]
    assert len({color.name() for _, color in looks.values()}) == len(kinds)
    qtbot.mouseClick(dialog.here_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: opened.status.counts.text().startswith("7 entities"))
    settle(qtbot, opened)
    assert opened.session is not None
    with opened.session.workspace.read() as reader:
        numbers = type_numbers(reader, opened.session.workspace.sidecar, load_theme("dusk").types)
    assert {kind: number for kind, (number, _) in looks.items()} == {
        kind: numbers[kind] for kind in kinds}


def test_what_a_changed_note_no_longer_says_is_archived_by_a_tick(
    qtbot: QtBot, opened: MainWindow, tmp_path: Path
) -> None:
    note = tmp_path / "Deneb.md"
    note.write_text("- Insured until March\n- Length 9 m\n")
    drop(opened, note)
    qtbot.waitUntil(lambda: "would be new" in shown(opened).preview.text())
    first = shown(opened)
    assert not first.archive_box.isVisible(), "it was never imported before"
    qtbot.mouseClick(first.here_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: opened.status.counts.text().startswith("2 entities"))
    settle(qtbot, opened)
    note.write_text("- Insured until June\n- Length 9 m\n")
    drop(opened, note)
    qtbot.waitUntil(lambda: shown(opened).archive_box.isVisible())
    dialog = shown(opened)
    assert dialog.archive_box.text() == "Archive the fact that it no longer has"
    assert "No longer in it, and still told:\n  Deneb: Insured until March" in (
        dialog.details.toPlainText())
    qtbot.mouseClick(dialog.archive_box, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    assert dialog.archive_box.isChecked()
    qtbot.mouseClick(dialog.here_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "archived 1 fact no longer in it" in opened.toast.text)
    settle(qtbot, opened)
    assert _in_force(opened) == ["Insured until June", "Length 9 m"]
    opened.actions_.run("edit.undo")
    qtbot.waitUntil(lambda: _in_force(opened) == ["Insured until March", "Length 9 m"])


def _in_force(window: MainWindow) -> list[str]:
    assert window.session is not None
    with window.session.workspace.read() as reader:
        return sorted(row["content"] for row in reader.rows(
            "SELECT content FROM entity_attributes WHERE agent_id = :agent AND status = 'active'"))
