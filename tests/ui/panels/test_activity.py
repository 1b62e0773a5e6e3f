"""The activity in the real window: what was done, by whom, and each step's way back."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.model.changes import Activity
from core.ontology import control
from core.queries.entities import find_entity
from core.workspace import Workspace
from explorer.cli.options import OPERATOR
from tests.ui.review_scene import HOSTILE, add_proposals, press, settled, texts_in
from ui.main_window import MainWindow
from ui.models.activity_log import LOOKED, DayHead, arrange, load_details, newest_first
from ui.panels.activity.panel import ActivityPanel

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def graph(graph: Path) -> Path:
    """Beside what was set up from here, a rejected and an applied proposal of another program."""
    ids = add_proposals(graph, ("calendar", "link"))
    workspace = Workspace.open(graph)
    workspace.write("Elsewhere", lambda w: (
        w.update("ontology_proposals", ids["calendar"], status="rejected", rejected_by="pipeline",
                 rejected_at="2026-03-05 09:00:00", result='{"reason": "no such calendar"}'),
        w.update("ontology_proposals", ids["link"], status="applied", applied_by=HOSTILE,
                 applied_at="2026-03-06T09:00:00.000Z")))
    workspace.close()
    return graph


@pytest.fixture
def panel(qtbot: QtBot, opened: MainWindow) -> ActivityPanel:
    opened.resize(1400, 900)
    opened.activateWindow()
    qtbot.waitUntil(opened.isActiveWindow)
    session = opened.session
    assert session is not None
    pin(opened)
    found = opened.show_panel("activity")
    assert isinstance(found, ActivityPanel)
    wait_newest(qtbot, found, "Pin it", "done")
    go(found, "Pin it")
    found.focus()
    settled(qtbot, opened)
    return found


def pin(window: MainWindow) -> None:
    assert window.session is not None
    window.session.workspace.write("Pin it", lambda w: control.apply(
        w, "pin_entity", {"entity": "Ines Duarte"}))


def entries(panel: ActivityPanel) -> list[Activity]:
    return [line for line in panel.list.lines.lines if isinstance(line, Activity)]


def wait_newest(qtbot: QtBot, panel: ActivityPanel, label: str, state: str) -> None:
    qtbot.waitUntil(lambda: panel.face == "ready" and bool(entries(panel))
                    and (entries(panel)[0].label, entries(panel)[0].state) == (label, state))


def is_pinned(window: MainWindow) -> bool:
    assert window.session is not None
    with window.session.workspace.read() as reader:
        return find_entity(reader, "Ines Duarte").pinned


def go(panel: ActivityPanel, label: str) -> Activity:
    entry = next(one for one in entries(panel) if label in one.label)
    row = panel.list.lines.lines.index(entry)
    panel.list.setCurrentIndex(panel.list.lines.index(row))
    return entry


def test_ours_and_the_decisions_of_others_are_one_list(panel: ActivityPanel) -> None:
    found = entries(panel)
    assert found[0].label == "Pin it"
    assert ("pipeline", "rejected") in {(one.who, one.state) for one in found}
    assert (HOSTILE, "applied") in {(one.who, one.state) for one in found}
    assert len([one for one in found if one.label == "Pin it"]) == 1, "its audit row is no entry"
    assert isinstance(panel.list.lines.lines[0], DayHead)


def test_the_filter_tells_ours_from_others(
    qtbot: QtBot, panel: ActivityPanel
) -> None:
    qtbot.mouseClick(panel.choices["others"], LEFT)
    assert {one.who for one in entries(panel)} == {"pipeline", HOSTILE}
    qtbot.mouseClick(panel.choices["mine"], LEFT)
    assert {one.who for one in entries(panel)} == {"you"}


def test_what_was_decided_on_the_command_line_is_the_person_s_own(
    qtbot: QtBot, panel: ActivityPanel, opened: MainWindow, graph: Path
) -> None:
    elsewhere = Workspace.open(graph)
    elsewhere.write("Pin on the command line", lambda w: control.apply(
        w, "pin_entity", {"entity": "Harbor Ledger"}), actor=OPERATOR)
    elsewhere.close()
    qtbot.mouseClick(panel.choices["mine"], LEFT)
    qtbot.waitUntil(lambda: "Pin on the command line" in [one.label for one in entries(panel)])
    qtbot.mouseClick(panel.choices["others"], LEFT)
    assert {one.who for one in entries(panel)} == {"pipeline", HOSTILE}


def test_undo_by_click_strikes_the_entry_and_redo_takes_it_up_again(
    qtbot: QtBot, panel: ActivityPanel, opened: MainWindow
) -> None:
    button = panel.details.button
    assert button is not None
    assert button.accessibleName() == "Undo this"
    qtbot.mouseClick(button, LEFT)
    wait_newest(qtbot, panel, "Pin it", "undone")
    assert not is_pinned(opened)
    assert panel.list.lines.data(panel.list.currentIndex()).endswith("undone")
    press(panel, Qt.Key.Key_Backspace)
    wait_newest(qtbot, panel, "Pin it", "done")
    assert is_pinned(opened)


def test_a_refusal_is_said_beside_the_button(
    qtbot: QtBot, panel: ActivityPanel, opened: MainWindow
) -> None:
    session = opened.session
    assert session is not None
    session.workspace.write("Rename", lambda w: control.apply(
        w, "rename_entity", {"entity": "Ines Duarte", "new_name": "Ines D."}))
    wait_newest(qtbot, panel, "Rename", "done")
    go(panel, "Pin it")
    button = panel.details.button
    assert button is not None
    qtbot.mouseClick(button, LEFT)
    qtbot.waitUntil(lambda: panel.details.refusal != "")
    assert panel.details.refusal.startswith("Can't be undone: The same row was changed")
    assert panel.details.refusal in texts_in(panel.details)
    assert entries(panel)[1].state == "done"


def test_the_details_show_each_row_and_jump_to_the_entity(
    qtbot: QtBot, panel: ActivityPanel, opened: MainWindow
) -> None:
    qtbot.waitUntil(lambda: "Ines Duarte is pinned" in texts_in(panel.details))
    assert "no → yes" in texts_in(panel.details)
    panel.list.setFocus()
    press(panel, Qt.Key.Key_Return)
    assert opened.session is not None
    with opened.session.workspace.read() as reader:
        assert opened.session.selection.entity_id == find_entity(reader, "Ines Duarte").id


def test_an_undone_entry_still_tells_what_it_did(
    qtbot: QtBot, panel: ActivityPanel, opened: MainWindow
) -> None:
    press(panel, Qt.Key.Key_Backspace)
    wait_newest(qtbot, panel, "Pin it", "undone")
    qtbot.waitUntil(lambda: "no → yes" in texts_in(panel.details))


def test_what_others_did_can_not_be_taken_back_and_says_so(
    qtbot: QtBot, panel: ActivityPanel
) -> None:
    go(panel, "bank calendar")
    assert panel.details.button is None
    assert "can't be undone here" in texts_in(panel.details)
    qtbot.waitUntil(lambda: "Rejected: no such calendar" in texts_in(panel.details))


def test_a_new_entry_keeps_the_one_that_is_looked_at(
    qtbot: QtBot, panel: ActivityPanel, opened: MainWindow
) -> None:
    entry = go(panel, "Set up")
    session = opened.session
    assert session is not None
    session.workspace.write("Unpin it", lambda w: control.apply(
        w, "unpin_entity", {"entity": "Ines Duarte"}))
    wait_newest(qtbot, panel, "Unpin it", "done")
    assert panel.current == entry


def test_entries_are_sorted_by_moment_in_either_form_of_time() -> None:
    early = Activity("2026-03-05 23:00:00", "early", "you", "done", 1)
    late = Activity("2026-03-05T23:30:00.000Z", "late", "you", "done", 2)
    never = Activity("no time", "never", "you", "done", 3)
    assert newest_first([early, never, late]) == (late, early, never)


def test_each_day_has_one_head() -> None:
    lines = arrange([Activity(f"2020-03-0{day}T12:00:00.000Z", "x", "you", "done", at)
                     for at, day in enumerate((5, 5, 4))], "all")
    assert [line.text for line in lines if isinstance(line, DayHead)] == [
        "Thursday 5 Mar 2020", "Wednesday 4 Mar 2020"]


def test_of_a_large_entry_it_is_said_how_much_was_looked_at(graph: Path) -> None:
    workspace = Workspace.open(graph)
    for count in (LOOKED, LOOKED + 9):
        workspace.write("Many", lambda w, count=count: w.insert_many("memories", (
            {"id": f"m{count}-{n}", "agent_id": "default", "content": "Said", "type": "fact",
             "created_at": w.now(), "updated_at": w.now()} for n in range(count))))
        entry = workspace.history(limit=1)[0]
        assert load_details(workspace, entry).unread == count - LOOKED
        assert load_details(workspace, entry, 2 * LOOKED).unread == 0
    workspace.close()
