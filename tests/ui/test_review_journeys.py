"""Whole sittings of a review: by keyboard alone, by mouse alone, on a file that asks first."""

import shutil
import sqlite3
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.workspace import Workspace
from tests.ui.conftest import settle
from tests.ui.review_scene import (  # noqa: F401 - fixtures
    add_proposals,
    press,
    review_graph,
    review_ids,
    review_of,
    settled,
    status_of,
    wait_card,
    wait_status,
)
from ui.dialogs.allow_file_changes import PermissionDialog
from ui.main_window import MainWindow
from ui.panels.activity.panel import ActivityPanel
from ui.panels.proposals.panel import Proposals

pytestmark = pytest.mark.usefixtures("every_panel")

LEFT = Qt.MouseButton.LeftButton
Ids = dict[str, str]
COMPARED = ("entities", "entity_aspects", "entity_attributes", "entity_dependencies",
            "ontology_proposals")


def dump(path: Path) -> dict[str, list[str]]:
    """What the graph holds, without the audit rows that undo adds."""
    workspace = Workspace.open(path)
    with workspace.read() as reader:
        found = {table: sorted(str(tuple(row)) for row in reader.rows(f"SELECT * FROM {table}")
                               if table != "ontology_proposals"
                               or row["operation"] not in ("undo", "redo"))
                 for table in COMPARED}
    workspace.close()
    return found


def ready(qtbot: QtBot, window: MainWindow, ids: Ids) -> Proposals:
    window.resize(1400, 900)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    panel = review_of(window)
    wait_card(qtbot, panel, ids["hostile"])
    return panel


def test_a_sitting_by_keyboard_alone_and_all_of_it_taken_back(
    qtbot: QtBot, opened: MainWindow, ids: Ids, graph: Path
) -> None:
    before = dump(graph)
    panel = ready(qtbot, opened, ids)
    press(panel, Qt.Key.Key_A)
    press(panel, Qt.Key.Key_Space)
    wait_card(qtbot, panel, ids["calendar"])
    press(panel, Qt.Key.Key_A)
    wait_card(qtbot, panel, ids["link"])
    press(panel, Qt.Key.Key_A)
    wait_card(qtbot, panel, ids["rival"])
    press(panel, Qt.Key.Key_R)
    qtbot.keyClicks(panel.bar.reason, "the earlier one is right")
    press(panel, Qt.Key.Key_Return)
    wait_card(qtbot, panel, ids["start"])
    press(panel, Qt.Key.Key_A)
    wait_card(qtbot, panel, ids["lost"])
    press(panel, Qt.Key.Key_R)
    press(panel, Qt.Key.Key_Return)
    assert panel.end.isVisible()
    assert "Applied 4 · rejected 2" in panel.end.text
    settled(qtbot, opened)
    assert [status_of(opened, ids[name]) for name in ids] == [
        "applied", "rejected", "applied", "applied", "rejected", "applied"]
    for _ in ids:
        waiting = len(panel.queue.order)
        press(panel, Qt.Key.Key_Backspace)
        qtbot.waitUntil(lambda n=waiting: len(panel.queue.order) == n + 1)
    settled(qtbot, opened)
    assert dump(graph) == before


def test_a_sitting_by_mouse_alone_undone_from_the_activity(
    qtbot: QtBot, opened: MainWindow, ids: Ids, graph: Path
) -> None:
    before = dump(graph)
    panel = ready(qtbot, opened, ids)
    rows = panel.queue.list
    qtbot.mouseClick(rows.viewport(), LEFT, Qt.KeyboardModifier.ShiftModifier,
                     rows.visualRect(rows.lines.index_of(ids["link"])).center())
    assert panel.chosen_ids == [ids[name] for name in ("hostile", "lost", "calendar", "link")]
    qtbot.mouseClick(panel.bar.buttons["reject"], LEFT)
    qtbot.mouseClick(panel.bar._reject_button, LEFT)
    qtbot.waitUntil(lambda: panel.queue.order == [ids["rival"], ids["start"]])
    activity = opened.show_panel("activity")
    assert isinstance(activity, ActivityPanel)
    qtbot.waitUntil(lambda: activity.list.lines.rowCount() > 1 and "Reject 4 proposals" in str(
        activity.list.lines.index(1).data()))
    rows = activity.list
    qtbot.mouseClick(rows.viewport(), LEFT, pos=rows.visualRect(rows.lines.index(1)).center())
    assert activity.details.button is not None
    qtbot.mouseClick(activity.details.button, LEFT)
    wait_status(qtbot, opened, ids["link"], "pending")
    settled(qtbot, opened)
    assert dump(graph) == before


def foreign(tmp_path: Path, graph: Path) -> Path:
    """A file in the shape of another program's, which asks before the first change."""
    path = tmp_path / "memories.db"
    shutil.copy(graph, path)
    other = sqlite3.connect(path)
    other.execute("PRAGMA application_id = 0")
    other.execute("PRAGMA user_version = 0")
    other.execute("CREATE TABLE schema_migrations (version INTEGER PRIMARY KEY, applied_at TEXT,"
                  " checksum TEXT)")
    other.commit()
    other.close()
    return path


def test_a_read_only_file_is_judged_after_one_question(
    qtbot: QtBot, window: MainWindow, ids: Ids, graph: Path, tmp_path: Path
) -> None:
    path = foreign(tmp_path, graph)
    with qtbot.waitSignal(window.graph_shown):
        window.open_path(path)
    settle(qtbot, window)
    panel = ready(qtbot, window, ids)
    assert panel.card.card is not None
    assert panel.card.card.effects, "it is rehearsed on a copy"
    before = path.read_bytes()
    press(panel, Qt.Key.Key_A)
    dialog = next(one for one in window.findChildren(PermissionDialog) if one.isVisible())
    qtbot.mouseClick(dialog.refuse_button, LEFT)
    settled(qtbot, window)
    assert panel.current_id == ids["hostile"], "nothing shows that has not happened"
    assert path.read_bytes() == before
    panel.focus()
    press(panel, Qt.Key.Key_A)
    dialog = next(one for one in window.findChildren(PermissionDialog) if one.isVisible())
    qtbot.mouseClick(dialog.allow_button, LEFT)
    wait_status(qtbot, window, ids["hostile"], "applied")
    qtbot.waitUntil(lambda: panel.current_id == ids["lost"])
