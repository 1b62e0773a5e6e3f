"""A person browses a graph: searches, pins, reads, jumps, corrects, and takes it all back."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.ui.browse_scene import (
    HOSTILE,
    click,
    entities_of,
    inspector_of,
    middle_of,
    names_in,
    pins_of,
    settled,
    star_of,
    write_scene,
)
from ui.main_window import MainWindow
from ui.models.inspector_tree import Node
from ui.panels.inspector.panel import Inspector
from ui.panels.inspector.rows import InlineEditor

LEFT = Qt.MouseButton.LeftButton
AT_FIRST = ["Harbor Ledger", "Ines Duarte", "NAS", "settlement job", "Postgres", HOSTILE,
            "printer"]


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    return write_scene(tmp_path / "graph.db")


@pytest.fixture
def shown(qtbot: QtBot, opened: MainWindow) -> MainWindow:
    opened.resize(1440, 1200)
    qtbot.waitUntil(lambda: entities_of(opened).rows_shown() == len(AT_FIRST))
    settled(qtbot, opened)
    return opened


def row_of(panel: Inspector, text: str) -> Node:
    return next(node for node in panel.view.tree.walk() if node.text == text)


def click_row(panel: Inspector, text: str, *, twice: bool = False) -> None:
    view = panel.view
    index = view.tree.index_of(row_of(panel, text))
    view.scrollTo(index)
    at = view.visualRect(index).center()
    QTest.mouseClick(view.viewport(), LEFT, pos=at)
    if twice:
        QTest.mouseDClick(view.viewport(), LEFT, pos=at)


def test_pin_in_the_list_unpin_in_the_pins_and_take_it_back(
    qtbot: QtBot, shown: MainWindow
) -> None:
    listed, pins = entities_of(shown).list, pins_of(shown)
    click(listed, star_of(listed, "settlement job"))
    qtbot.waitUntil(lambda: names_in(listed) == ["settlement job", *AT_FIRST[:3], *AT_FIRST[4:]])
    qtbot.waitUntil(lambda: names_in(pins.list) == ["settlement job"])
    qtbot.waitUntil(lambda: shown.toast.text == "Pinned settlement job")
    QTest.mouseMove(listed.viewport(), middle_of(listed, "settlement job"))
    click(listed, star_of(listed, "NAS"))
    qtbot.waitUntil(lambda: names_in(pins.list) == ["NAS", "settlement job"])
    click(pins.list, star_of(pins.list, "settlement job"))
    qtbot.waitUntil(lambda: names_in(pins.list) == ["NAS"])
    qtbot.waitUntil(lambda: names_in(listed)[:2] == ["NAS", "Harbor Ledger"])
    qtbot.mouseClick(shown.toast.undo_button, LEFT)
    qtbot.waitUntil(lambda: names_in(pins.list) == ["NAS", "settlement job"])
    for _ in range(2):
        shown.actions_.run("edit.undo")
        settled(qtbot, shown)
    qtbot.waitUntil(lambda: names_in(listed) == AT_FIRST)
    qtbot.waitUntil(lambda: pins.face == "empty")


def test_search_as_one_types_then_read_what_was_found(qtbot: QtBot, shown: MainWindow) -> None:
    panel, inspector = entities_of(shown), inspector_of(shown)
    QTest.keyClick(shown, Qt.Key.Key_Slash)
    QTest.keyClicks(shown.top.search, "s")
    qtbot.waitUntil(lambda: set(names_in(panel.list)) >= {"settlement job", "NAS"}
                    and "printer" not in names_in(panel.list))
    QTest.keyClicks(shown.top.search, "un")
    qtbot.waitUntil(lambda: names_in(panel.list) == ["NAS"])
    QTest.keyClicks(shown.top.search, "q")
    qtbot.waitUntil(panel.nothing.isVisible)
    shown.top.search.clear()
    QTest.keyClicks(shown.top.search, "sunday")
    qtbot.waitUntil(lambda: names_in(panel.list) == ["NAS"])
    click(panel.list, middle_of(panel.list, "NAS"))
    qtbot.waitUntil(lambda: inspector.top.name.text() == "NAS")
    QTest.keyClick(shown.top.search, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: names_in(panel.list) == AT_FIRST)
    assert panel.list.currentIndex().row() == AT_FIRST.index("NAS")


def test_jump_over_links_and_come_back(qtbot: QtBot, shown: MainWindow) -> None:
    listed, inspector = entities_of(shown).list, inspector_of(shown)
    click(listed, middle_of(listed, "Ines Duarte"))
    qtbot.waitUntil(lambda: inspector.top.name.text() == "Ines Duarte")
    click_row(inspector, "settlement job")
    qtbot.waitUntil(lambda: inspector.top.name.text() == "settlement job")
    assert listed.currentIndex().row() == AT_FIRST.index("settlement job")
    click_row(inspector, "Harbor Ledger")
    qtbot.waitUntil(lambda: inspector.top.name.text() == "Harbor Ledger")
    QTest.keyClick(shown, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    QTest.keyClick(shown, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: inspector.top.name.text() == "Ines Duarte")
    assert listed.currentIndex().row() == AT_FIRST.index("Ines Duarte")


def test_correct_a_value_and_take_it_back(qtbot: QtBot, shown: MainWindow) -> None:
    listed, inspector = entities_of(shown).list, inspector_of(shown)
    click(listed, middle_of(listed, "settlement job"))
    qtbot.waitUntil(lambda: inspector.top.name.text() == "settlement job")
    click_row(inspector, "40 minutes", twice=True)
    editor = inspector.view.viewport().findChildren(InlineEditor)[-1]
    editor.selectAll()
    QTest.keyClicks(editor, "an hour, pm")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "an hour, pm" in [n.text for n in inspector.view.tree.walk()])
    assert row_of(inspector, "an hour, pm").versions == 2
    qtbot.waitUntil(lambda: shown.toast.text.startswith(
        "Set schedule · window · settlement job. “It was once"))
    qtbot.mouseClick(shown.toast.undo_button, LEFT)
    qtbot.waitUntil(lambda: "40 minutes" in [n.text for n in inspector.view.tree.walk()])
    assert names_in(listed) == AT_FIRST


def test_pin_and_mute_from_the_inspector(qtbot: QtBot, shown: MainWindow) -> None:
    listed, inspector = entities_of(shown).list, inspector_of(shown)
    click(listed, middle_of(listed, "Postgres"))
    qtbot.waitUntil(lambda: inspector.top.name.text() == "Postgres")
    qtbot.mouseClick(inspector.top.pin, LEFT)
    qtbot.waitUntil(lambda: names_in(listed)[0] == "Postgres")
    qtbot.waitUntil(lambda: inspector.top.pin.accessibleName() == "Unpin")
    qtbot.mouseClick(inspector.top.mute, LEFT)
    qtbot.waitUntil(lambda: "muted, which overrides its pin" in inspector.top.line.text())
    qtbot.waitUntil(lambda: inspector.top.mute.accessibleName() == "Unmute")
