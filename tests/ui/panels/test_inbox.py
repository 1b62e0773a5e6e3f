"""The inbox worked off by keys in the real window: each key does what it says to the right item."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from core.review.unseen_writes_inbox import inbox
from tests.ui.inbox_scene import COUNT, write_inbox
from ui.main_window import MainWindow
from ui.panels.inbox import InboxPanel


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    return write_inbox(tmp_path / "graph.db")


@pytest.fixture
def panel(qtbot: QtBot, opened: MainWindow) -> InboxPanel:
    made = opened.show_panel("inbox")
    assert isinstance(made, InboxPanel)
    qtbot.waitUntil(lambda: made.face == "ready")
    made.focus()
    return made


def left(panel: InboxPanel) -> set[str]:
    with panel.context.workspace.read() as reader:
        return {one.key for one in inbox(reader).items}


def test_keys_work_off_the_inbox_without_a_wrong_one(qtbot: QtBot, panel: InboxPanel) -> None:
    decided: dict[str, str] = {}
    keys = (Qt.Key.Key_S, Qt.Key.Key_F, Qt.Key.Key_S)
    for number in range(COUNT // 2):
        item = panel.current
        assert item is not None
        assert item.key not in decided
        key = keys[number % 3]
        decided[item.key] = "forgotten" if key == Qt.Key.Key_F else "kept"
        qtbot.keyClick(panel.list, key)
    qtbot.waitUntil(lambda: panel.context.runner.idle)
    with panel.context.workspace.read() as reader:
        gone = {f"memory {row['id']}" for row in reader.rows(
            "SELECT id FROM memories WHERE agent_id = :agent AND is_deleted = 1")}
    assert {key for key, word in decided.items() if word == "forgotten"} == {
        key for key in gone if key in decided}
    assert not left(panel) & decided.keys()


def test_buttons_say_their_keys_and_leave_the_keyboard_to_the_list(
    qtbot: QtBot, panel: InboxPanel
) -> None:
    item = panel.current
    assert item is not None
    assert {action: panel.context.actions.key_text(action) for action in panel.buttons} == {
        "inbox.keep": "S", "inbox.group": "G", "inbox.correct": "E", "inbox.forget": "F",
        "inbox.pin": "T", "inbox.source": "O"}
    qtbot.mouseClick(panel.buttons["inbox.keep"], Qt.MouseButton.LeftButton)
    assert panel.list.hasFocus()
    qtbot.waitUntil(lambda: item.key not in left(panel))
    assert panel.current is not None
    assert panel.current.key != item.key


def test_a_group_is_kept_at_once_and_comes_back_by_undo(qtbot: QtBot, panel: InboxPanel) -> None:
    before, first = left(panel), panel.current
    assert first is not None
    qtbot.keyClick(panel.list, Qt.Key.Key_G)
    qtbot.waitUntil(lambda: len(left(panel)) < len(before) and panel.context.runner.idle)
    assert not [key for key in left(panel) if panel._items[key].group == first.group]
    panel.context.workspace.undo()
    qtbot.waitUntil(lambda: first.key in {row.id for row in panel.list.rows})
    assert left(panel) == before


def test_at_the_end_no_key_decides_the_last_one_again(qtbot: QtBot, panel: InboxPanel) -> None:
    while panel.current is not None:
        qtbot.keyClick(panel.list, Qt.Key.Key_G)
    qtbot.waitUntil(lambda: panel.context.runner.idle and not left(panel))
    assert panel.face == "empty"
    panel.keep()
    panel.forget()
    with panel.context.workspace.read() as reader:
        assert not reader.value("SELECT 1 FROM memories WHERE agent_id = :agent AND is_deleted = 1")


def test_a_value_is_corrected_in_place_and_its_source_opened(
    qtbot: QtBot, panel: InboxPanel
) -> None:
    at = next(at for at, row in enumerate(panel.list.rows) if row.id == "value late")
    panel.list.setCurrentIndex(panel.list.lines.index(at))
    qtbot.keyClick(panel.list, Qt.Key.Key_O)
    assert panel.context.selection.entity_id == "job"
    qtbot.keyClick(panel.list, Qt.Key.Key_E)
    qtbot.waitUntil(panel.field.hasFocus)
    qtbot.keyClicks(panel.field, "at 05:00")
    qtbot.keyClick(panel.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "value late" not in left(panel))
    with panel.context.workspace.read() as reader:
        assert reader.value("SELECT content FROM entity_attributes WHERE agent_id = :agent AND"
                            " claim_key = 'late_start' AND status = 'active'") == "at 05:00"


def test_what_is_held_is_marked_in_its_page_until_it_is_kept(
    qtbot: QtBot, opened: MainWindow, panel: InboxPanel
) -> None:
    opened.show_panel("inspector")
    panel.context.selection.select_entity("job")
    inspector = opened.panel("inspector")

    def marks() -> list[str]:
        return [node.text for node in inspector.view.tree.walk() if node.held]

    qtbot.waitUntil(lambda: inspector.inspection is not None
                    and panel.context.runner.idle)
    assert not marks()
    panel.focus()
    qtbot.keyClick(panel.list, Qt.Key.Key_H)
    qtbot.waitUntil(lambda: "at 04:00" in marks())
    assert "at 04:00" in marks()
    while left(panel):
        qtbot.keyClick(panel.list, Qt.Key.Key_G)
        qtbot.waitUntil(lambda: panel.context.runner.idle)
    qtbot.waitUntil(lambda: not marks())


def test_h_holds_back_what_an_author_writes_and_a_click_tells_it_again(
    qtbot: QtBot, panel: InboxPanel
) -> None:
    def waits() -> set[bool]:
        return {one.waits for one in panel._items.values()}

    assert not panel.held.isChecked()
    assert "claude via MCP" in panel.held.text()
    qtbot.keyClick(panel.list, Qt.Key.Key_H)
    qtbot.waitUntil(lambda: waits() == {True} and panel.held.isChecked())
    assert all("held back" in row.below for row in panel.list.rows if not row.head)
    qtbot.mouseClick(panel.held, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    qtbot.waitUntil(lambda: waits() == {False} and not panel.held.isChecked())
    qtbot.keyClick(panel.list, Qt.Key.Key_H)
    qtbot.waitUntil(lambda: waits() == {True})
    while panel.current is not None:
        qtbot.keyClick(panel.list, Qt.Key.Key_G)
    qtbot.waitUntil(lambda: panel.context.runner.idle and panel.face == "empty")
    panel.hold()
    qtbot.waitUntil(lambda: panel.context.runner.idle and not panel._holds)
