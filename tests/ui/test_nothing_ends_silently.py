"""A list that stops early says how many of how many, with the rest one key or click away."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.ontology import control
from core.queries.entities import find_entity
from core.queries.memories import count_memories_of
from core.workspace import Workspace
from tests.templates import copy_graph
from tests.ui.conftest import settle
from ui.dialogs.palette_lines import ENTRY
from ui.main_window import MainWindow
from ui.models.inspector_facts import MORE_MEMORIES, inspect
from ui.models.inspector_tree import build
from ui.panels.entities import Entities

STARS, MEMORIES = 300, 45
NOW = "2026-01-01T00:00:00Z"


def _fill(workspace: Workspace) -> None:
    def fill(writer: object) -> None:
        for at in range(STARS):
            control.apply(writer, "create_entity",  # type: ignore[arg-type]
                          {"name": f"station {at}", "entity_type": "place"})

    workspace.write("Set up", fill)


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    return copy_graph(_fill, tmp_path / "many.db")


def test_the_palette_says_how_many_names_fit_and_lists_them_all(
    qtbot: QtBot, opened: MainWindow
) -> None:
    opened.actions_.run("app.palette")
    palette = opened.palette_
    QTest.keyClicks(palette.field, "station")
    entries = palette.list.model()

    def texts() -> list[str]:
        return [entries.index(row, 0).data(ENTRY).text for row in range(entries.rowCount())]

    words = f"12 of {STARS} entities: list them all"
    qtbot.waitUntil(lambda: words in texts())
    while palette.list.currentIndex().row() != texts().index(words):
        QTest.keyClick(palette.field, Qt.Key.Key_Down)
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    settle(qtbot, opened)
    panel = opened.panel("entities")
    assert isinstance(panel, Entities)
    qtbot.waitUntil(lambda: panel.rows.rowCount() == STARS)
    assert opened.top.search.text() == "station"


def test_the_inspector_says_how_many_memories_are_not_shown(tmp_path: Path) -> None:
    workspace = Workspace.open(copy_graph(_fill, tmp_path / "one.db"), data_dir=tmp_path / "data")
    try:
        with workspace.read() as reader:
            row = find_entity(reader, "station 1")
        workspace.write("Remember", lambda writer: _remember(writer, row.id))
        with workspace.read() as reader:
            assert count_memories_of(reader, row.id) == MEMORIES
            tree = build(inspect(row.id, 5, False, reader), {})
    finally:
        workspace.close()
    memories = next(node for node in tree.children if node.key == "memories")
    rest = MEMORIES - 5
    assert memories.children[-1].text == f"{min(rest, MORE_MEMORIES)} more of {rest}"


def _remember(writer: object, entity_id: str) -> None:
    insert = writer.insert_many  # type: ignore[attr-defined]
    ids = [f"m{at}" for at in range(MEMORIES)]
    insert("memories", [{"id": id, "content": f"note {id}", "type": "fact", "agent_id": "default",
                         "created_at": NOW, "updated_at": NOW} for id in ids])
    insert("memory_entity_mentions", [
        {"memory_id": id, "entity_id": entity_id, "created_at": NOW} for id in ids])
